"""Instances: the raw numbers of one case, drawn by Hypothesis or given, built into values, kept as JSON."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, is_dataclass, replace
from dataclasses import fields as dataclass_fields
from functools import cache
from typing import Any
from unittest import SkipTest

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning, Unsatisfiable
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import COUNTING, FIXED, Chart, Domain, Raw
from boundcheck.domains.builders import UNDO, itself
from boundcheck.domains.conditions import (
    Outside,
    holds,
    hypothesise,
    near,
    unrounded,
)
from boundcheck.domains.domain import (
    agreed,
    domain_of,
    drawn_size,
    named_dims,
    nothing_more,
)
from boundcheck.tape import Tape, Whole, trace_input
from boundcheck.tape.exactly import surely_holds
from boundcheck.tape.program import assuming, recording

Parameters = Mapping[str, Domain]
Path = tuple[Any, ...]
Sizes = Mapping[Any, int]
NO_SIZES: Sizes = {}

HEALTH: Any = list(HealthCheck)
TINY = st.integers(1, 3)
OFTEN_NOT = st.sampled_from((False, False, False, True))


class SeededDraws(providers.HypothesisProvider):
    """Hypothesis' own generator without the constants it collects from whatever modules are loaded.

    Those would make an instance depend on what else runs in the process.
    """

    def _maybe_draw_constant(self, *_: Any, **__: Any) -> None:
        return None


providers.AVAILABLE_PROVIDERS["boundcheck"] = f"{__name__}.SeededDraws"


def strategy(
    parameters: Parameters, given: Sizes = NO_SIZES
) -> SearchStrategy[dict[str, Raw]]:
    """Raw instances of a signature; dimensions of one name have one size, given or in the range of its parameter."""
    dims = named_dims(parameters)

    @cache
    def raw_of(name: str, sizes: tuple[int, ...]) -> SearchStrategy[Raw]:
        return parameters[name].draw(*sizes)

    @st.composite
    def instance(draw: Any) -> dict[str, Raw]:
        tiny = draw(OFTEN_NOT)
        sizes = dict(given)

        def size(dim: str | int) -> int:
            if isinstance(dim, int):
                return dim
            if dim not in sizes:
                sizes[dim] = draw(drawn_size(parameters.get(dim)))
            return sizes[dim]

        def value(name: str, domain: Domain) -> Raw:
            if tiny and domain.chart is COUNTING and not domain.dims:
                return draw(TINY)
            return draw(raw_of(name, tuple(map(size, domain.dims))))

        raw = {
            name: value(name, domain)
            for name, domain in parameters.items()
            if name not in dims
        }
        for name in dims & set(parameters):
            raw[name] = size(name)
        return {name: raw[name] for name in parameters}

    return instance()


def draw_instances(
    parameters: Parameters, count: int, entropy: int, sizes: Sizes = NO_SIZES
) -> list[dict[str, Raw]]:
    """Distinct raw instances, at most `count`, of such sizes; the same for the same entropy."""
    found: dict[str, dict[str, Raw]] = {}

    @seed(entropy)
    @settings(
        max_examples=2 * count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        backend="boundcheck",
        suppress_health_check=HEALTH,
    )
    @given(strategy(parameters, sizes))
    def collect(raw: dict[str, Raw]) -> None:
        found.setdefault(json.dumps(to_json(raw)), raw)
        if len(found) == count:
            raise SkipTest("enough")  # what ends Hypothesis at once

    with (
        # No sizes may go together: a subset of five of three positions.
        suppress(SkipTest, Unsatisfiable),
        warnings.catch_warnings(),
    ):
        # From Python 3.14 on Hypothesis warns of its own generator.
        own = ".*register_random"
        warnings.filterwarnings("ignore", own, HypothesisWarning)
        collect()
    return list(found.values())


def sizes_of(parameters: Parameters, raw: Mapping[str, Raw]) -> dict[Any, int]:
    """The size of each named dimension of an instance. Raises Outside where they do not fit."""
    return agreed(parameters, build(parameters, raw))


def build(parameters: Parameters, raw: Mapping[str, Raw]) -> dict[str, Any]:
    """The values of an instance, in floats."""
    return {
        name: domain.build(raw[name]) for name, domain in parameters.items()
    }


def build_traced(
    parameters: Parameters,
    raw: Mapping[str, Raw],
    tape: Tape,
    promising: bool = True,
) -> dict[str, Any]:
    """The values of an instance, every continuous number an exact input of the tape, membership hypotheses.

    Without these if it is not `promising`.

    Raises Outside where a value is not even of the type and shape of its domain.
    """
    values = {
        name: domain.build(_trace(tape, name, raw[name]))
        for name, domain in parameters.items()
    }
    for promise in membership(parameters, values) if promising else ():
        with assuming():
            hypothesise(promise, tape)
    return values


def membership(
    parameters: Parameters, values: Mapping[str, Any]
) -> Iterator[Any]:
    """What the values of an instance promise, one after the other. Raises Outside where they do not fit."""
    sizes = agreed(parameters, values)
    for name, domain in parameters.items():
        yield from domain.conditions(values[name], sizes)


def keeps(parameters: Parameters, raw: Mapping[str, Raw]) -> bool:
    """Whether the values of an instance keep their promises. Raises Outside, and what building them may raise."""
    with np.errstate(all="ignore"):
        return all(map(holds, membership(parameters, build(parameters, raw))))


def inside(parameters: Parameters, raw: Mapping[str, Raw]) -> bool:
    """Whether an instance is one of the signature: names, types, shapes, ranges, and its values' promises."""
    try:
        if set(raw) != set(parameters) or not all(
            _in_range(leaf, chart) for _, leaf, chart in leaves(parameters, raw)
        ):
            return False
        return keeps(parameters, raw)
    except (
        Outside,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        np.linalg.LinAlgError,
    ):
        return False


def _in_range(leaf: Any, chart: Any) -> bool:
    return (
        chart is FIXED
        or isinstance(leaf, (str, bool))
        or all(chart.contains(float(x)) for x in np.ravel(leaf))
    )


def _trace(tape: Tape, name: str, raw: Raw) -> object:
    """Fields in the order of their names: an instance that was written and read again is the same program."""
    if isinstance(raw, dict):
        return {
            key: _trace(tape, f"{name}.{key}", entry)
            for key, entry in sorted(raw.items())
        }
    if isinstance(raw, (list, tuple)):
        return [
            _trace(tape, f"{name}[{k}]", entry) for k, entry in enumerate(raw)
        ]
    if isinstance(raw, (float, np.floating)) or (
        isinstance(raw, np.ndarray) and raw.dtype.kind == "f"
    ):
        return trace_input(tape, name, raw)
    return (
        Whole(tape, int(raw))
        if isinstance(raw, (int, np.integer)) and not isinstance(raw, bool)
        else raw
    )


# values that are given, and the exact members of their domains that they stand for


@dataclass(frozen=True)
class Standing:
    """Domains and raw numbers that build the exact members that given values stand for.

    `moved` are the names of those that are in their domains up to rounding alone. `loose` says that for one no
    such member is known: it stays as it is, within SLACK of a member, and promises nothing.
    """

    domains: dict[str, Domain] = field(default_factory=dict)
    raw: dict[str, Raw] = field(default_factory=dict)
    moved: list[str] = field(default_factory=list)
    loose: bool = False


class NoMember(Outside):
    """A value of the right type and shape that is not in its domain: its name, itself, and the domain."""


UNFIT = (
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    np.linalg.LinAlgError,
)
"""What the promises of a domain may raise of a value of another kind."""

Stand = tuple[Raw, Domain, bool, bool]
"""Raw numbers, the domain that builds a value of them, and whether it is moved, and loose."""


def standing(
    parameters: Parameters, values: Mapping[str, Any], known: Sizes = NO_SIZES
) -> Standing:
    """The shortest decimals of the floats of values where these are members, else the members next to them.

    Raises Outside for values that are not in their domains up to rounding.
    """
    sizes, found, loose = (
        {**known, **agreed(parameters, values)},
        Standing(),
        False,
    )
    for name, domain in parameters.items():
        stand = _stand(domain, values[name], sizes)
        if stand is None:
            raise NoMember(name, values[name], domain)
        found.raw[name], found.domains[name], *_ = stand
        found.moved.extend([name] * stand[2])
        loose |= stand[3]
    return replace(found, loose=loose)


def _stand(domain: Domain, value: Any, sizes: Sizes) -> Stand | None:
    """What one value stands for; None for what is no member, or nothing that could be one."""
    ways = (_of_values, _of_fields, _as_given, _next_to, _supposed)
    with np.errstate(all="ignore"), suppress(*UNFIT):
        return next(
            filter(None, (way(domain, value, sizes) for way in ways)), None
        )
    return None


def _of_values(domain: Domain, value: Any, sizes: Sizes) -> Stand | None:
    """A family by its values."""
    each = getattr(domain.build, "each", None)
    if each is None:
        return None
    numbers = isinstance(value, np.ndarray) and (
        value.ndim > 1 or value.dtype.kind == "f"
    )
    parts, made = (
        {str(k): each for k in range(len(value))},
        np.stack if numbers else tuple,
    )
    together = _together(
        parts,
        lambda x: dict(zip(parts, x, strict=True)),
        lambda held: made(list(held.values())),
    )
    return together(domain, value, sizes)


def _of_fields(domain: Domain, value: Any, sizes: Sizes) -> Stand | None:
    """A case by its fields."""
    fields, kind = getattr(domain.build, "fields", None), type(value)
    if (
        fields is None
        or getattr(domain_of(kind), "build", None) is not domain.build
    ):
        return None
    together = _together(
        fields,
        lambda x: {name: getattr(x, name) for name in fields},
        lambda held: kind(**held),
    )
    return together(domain, value, sizes)


def _together(
    parts: Parameters, taken: Callable[..., Any], put: Callable[..., Any]
) -> Callable[..., Stand | None]:
    """What a value stands for by its parts, which are taken from it and put together again."""

    def together(domain: Domain, value: object, sizes: Sizes) -> Stand | None:
        own = standing(parts, taken(value), sizes)

        def member(x: object, *_: object) -> Iterator[Any]:
            yield from membership(own.domains, taken(x))
            yield from map(unrounded, _promised(x))

        whole = replace(
            domain,
            build=lambda raw: put(build(own.domains, raw)),
            chart=FIXED,
            member=member,
        )
        keeps = all(map(holds, _promised(whole.build(own.raw))))
        return (own.raw, whole, bool(own.moved), own.loose) if keeps else None

    return together


def _promised(case: Any) -> Iterable[Any]:
    """What a case promises beyond its fields, where one comparison may stand alone."""
    said = getattr(case, "member", nothing_more)(case)
    return said if isinstance(said, (list, tuple, Iterator)) else [said]


def _as_given(domain: Domain, value: object, sizes: Sizes) -> Stand | None:
    """A value that is a member exactly."""
    (raw, put), tape = _free(value), Tape()
    given = replace(domain, build=put, chart=FIXED, member=nothing_more)
    own = replace(
        given, member=lambda x, *_: map(unrounded, domain.conditions(x, sizes))
    )
    with (
        suppress(Exception),
        recording(tape),
    ):  # the promises of a user's domain, which may raise anything
        build_traced({"": own}, {"": raw}, tape)
        return (raw, given, False, False) if surely_holds(tape) else None
    return None


def _next_to(domain: Domain, value: object, sizes: Sizes) -> Stand | None:
    """The member next to a value: what the domain builds, or the value with its numbers put into their range."""
    if domain.axes is not None and domain.build is Domain.build:
        moved = domain.chart.nearest(value)
        stand = (
            _as_given(domain, moved, sizes)
            if near(moved, value).holds()
            else None
        )
        return stand and (*stand[:2], True, False)
    if domain.build not in UNDO:
        return None
    raw = _into(UNDO[domain.build](value, *domain.sized(sizes)), domain.chart)
    if (
        not inside({"": domain}, {"": raw})
        or not near(domain.build(raw), value).holds()
    ):
        return None
    member = (
        nothing_more
        if domain.member.__module__ == near.__module__
        else domain.member
    )
    return raw, replace(domain, chart=FIXED, member=member), True, False


def _into(raw: Raw, chart: Any) -> Raw:
    """Raw numbers that rounding has put out of their range."""
    if isinstance(raw, dict):
        return {
            key: _into(entry, chart[key] if isinstance(chart, dict) else chart)
            for key, entry in raw.items()
        }
    return (
        [_into(entry, chart) for entry in raw]
        if isinstance(raw, list)
        else chart.nearest(raw)
    )


def _supposed(domain: Domain, value: object, sizes: Sizes) -> Stand | None:
    """A value that floats take for a member, where none is known to be next to it."""
    raw, put = _free(value)
    own = replace(domain, build=put, chart=FIXED, member=nothing_more)
    return (
        (raw, own, True, True)
        if all(map(holds, domain.conditions(value, sizes)))
        else None
    )


def _free(value: object) -> tuple[Raw, Callable[[Any], Any]]:
    """The numbers of a value, and how it is built of such numbers, traced ones or not."""
    if isinstance(value, tuple):
        entries = [_free(entry) for entry in value]
        built = [put for _, put in entries]
        return [x for x, _ in entries], lambda raw: tuple(
            f(x) for f, x in zip(built, raw, strict=True)
        )
    if not is_dataclass(value) or isinstance(value, type):
        return value, itself
    parts = {
        f.name: _free(getattr(value, f.name))
        for f in dataclass_fields(value)
        if f.init
    }
    kind: Any = type(value)
    return (
        {name: numbers for name, (numbers, _) in parts.items()},
        lambda raw: kind(
            **{name: put(raw[name]) for name, (_, put) in parts.items()}
        ),
    )


def leaves(
    parameters: Parameters, raw: Mapping[str, Raw]
) -> Iterator[tuple[Path, Any, Chart]]:
    """Every number or array of an instance with its place and the way it may move."""
    for name, domain in parameters.items():
        yield from _leaves(
            (name,),
            raw[name],
            FIXED if name in named_dims(parameters) else domain.chart,
        )


def _leaves(
    path: Path, raw: Raw, chart: Any
) -> Iterator[tuple[Path, Any, Chart]]:
    if isinstance(raw, (dict, list, tuple)):
        for key, entry in (
            raw.items() if isinstance(raw, dict) else enumerate(raw)
        ):
            inner = (
                chart.get(key, Chart())
                if isinstance(chart, Mapping) and isinstance(raw, dict)
                else chart
            )
            yield from _leaves((*path, key), entry, inner)
    else:
        yield path, raw, Chart() if isinstance(chart, Mapping) else chart


def replaced(raw: Raw, path: Path, leaf: object) -> Raw:
    """The instance with one leaf changed."""
    if not path:
        return leaf
    copy = dict(raw) if isinstance(raw, dict) else list(raw)
    copy[path[0]] = replaced(copy[path[0]], path[1:], leaf)
    return copy


def to_json(raw: Raw) -> Any:
    """Arrays as {"shape", "data"}; a float stays the float it is."""
    if isinstance(raw, dict):
        return {key: to_json(entry) for key, entry in raw.items()}
    if isinstance(raw, (list, tuple)):
        return [to_json(entry) for entry in raw]
    if isinstance(raw, np.ndarray):
        return {
            "array": raw.tolist(),
            "shape": list(raw.shape),
            "kind": raw.dtype.kind,
        }
    return raw.item() if isinstance(raw, np.generic) else raw


def from_json(data: object) -> Raw:
    """The inverse of `to_json`."""
    if isinstance(data, dict) and set(data) == {"array", "shape", "kind"}:
        return np.array(
            data["array"], dtype=int if data["kind"] == "i" else float
        ).reshape(data["shape"])
    if isinstance(data, dict):
        return {key: from_json(entry) for key, entry in data.items()}
    return (
        [from_json(entry) for entry in data] if isinstance(data, list) else data
    )
