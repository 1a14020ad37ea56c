"""The program of each path of a claim, as a certificate of proof holds it,
and instances elsewhere in its set."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from boundcheck.checking.certificate import (
    OUTSIDE,
    NotTraceable,
    conclude,
    followed,
    program_of,
)
from boundcheck.checking.perturbations import perturbed
from boundcheck.domains import Raw
from boundcheck.domains.chart import FIXED, Chart
from boundcheck.domains.conditions import Outside
from boundcheck.domains.instances import (
    draw_instances,
    from_json,
    inside,
    leaves,
    replaced,
    sizes_of,
    to_json,
)
from boundcheck.tape import Tape
from boundcheck.verifier.proofs import MADE, Interval, Run
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import (
    AS_PRINTED,
    OutOfReach,
    Unsatisfied,
    at_a_bound,
)

Route = dict[str, Any]


class Inadmissible(Exception):
    """An instance does not satisfy the hypotheses, or asks for too much."""


def route(
    claim: Claim,
    raw: Mapping[str, Raw],
    part: int,
    variable: Collection[str] = (),
) -> Route:
    """A part's program at an instance, and path. Raises NoInstance, NotTraceable, NotFinite, BrokenClaim."""
    return route_and_parts(claim, raw, part, variable)[0]


def route_and_parts(
    claim: Claim,
    raw: Mapping[str, Raw],
    part: int,
    variable: Collection[str] = (),
) -> tuple[Route, int]:
    """The same, and the number of parts. Raises NoInstance, NotTraceable, NotFinite, BrokenClaim.

    `variable` are the whole numbers that the program has as inputs, as if they were real ones.
    """
    claim.steady.require()
    if not inside(claim.parameters, raw):
        raise Inadmissible(OUTSIDE)

    def then(tape: Tape, parts: Sequence[Any]) -> tuple[dict[str, Any], int]:
        if at_a_bound():
            raise NotTraceable(
                "what is at least a bound is looked at there alone"
            )
        conclusion = conclude(tape, perturbed(parts[part], AS_PRINTED.on(part)))
        conclusion.pop("witness", None)  # the numbers of the instance decide it
        return conclusion, len(parts)

    try:
        tape, (conclusion, count) = followed(
            claim, loosened(raw, variable), AS_PRINTED, then, not variable
        )
    except NotTraceable as error:
        outside = isinstance(
            error.__cause__, (Unsatisfied, OutOfReach, Outside)
        )
        raise (Inadmissible(str(error)) if outside else error) from error
    made = {
        "instance": to_json(dict(raw)),
        **program_of(tape, conclusion),
        "assumed": list(tape.assumed),
    }
    return json.loads(json.dumps(made)), count


def loosened(
    raw: Mapping[str, Raw], variable: Collection[str]
) -> dict[str, Raw]:
    """An instance with some of its whole numbers as floats."""
    return {
        name: float(x) if name in variable else x for name, x in raw.items()
    }


def choice_of(raw: Mapping[str, Raw]) -> dict[str, Any] | None:
    """The shapes and whole numbers of an instance; None where other things tell instances apart."""
    found: dict[str, Any] = {}

    def walk(name: str, entry: object) -> bool:
        if isinstance(entry, dict):
            return all(
                walk(f"{name}.{key}", x) for key, x in sorted(entry.items())
            )
        if isinstance(entry, (list, tuple)):
            return all(walk(f"{name}[{k}]", x) for k, x in enumerate(entry))
        if isinstance(entry, int) and not isinstance(entry, bool):
            found[name] = int(entry)
        elif (
            isinstance(entry, (float, np.ndarray))
            and np.asarray(entry).dtype.kind == "f"
        ):
            found[name] = list(np.shape(entry))
        else:
            return False
        return True

    return (
        found if all(walk(name, entry) for name, entry in raw.items()) else None
    )


def made_of(claim: Claim, choice: Iterable[str]) -> dict[str, str]:
    """Parameters, and members of families, of other shapes than the arrays they are made of, and how."""
    found = {}
    for entry in choice:
        name = re.match(r"\w*", entry)[0]  # pyright: ignore[reportOptionalSubscript]  # the name of a parameter comes first
        build = getattr(claim.parameters.get(name), "build", None)
        inner = getattr(build, "each", None)
        value = name if inner is None else entry[: entry.find("]") + 1]
        way = getattr(build if inner is None else inner.build, "__name__", "")
        found |= {value: way} if way in MADE else {}
    return found


def spelled(given: Route) -> str:
    """A path as a text: its program without the numbers of the instance that it was recorded at."""
    nodes = [
        {**node, "data": None} if node["op"] == "input" else node
        for node in given["program"]
    ]
    kept = (
        given[name] for name in ("laws", "hypotheses", "assumed", "conclusion")
    )
    return json.dumps([nodes, *kept], sort_keys=True)


def elsewhere(
    claim: Claim,
    given: Route,
    reals: Mapping[str, Interval],
    shaped: bool,
    count: int,
    variable: Mapping[str, Run] = MappingProxyType({}),
) -> Iterator[dict[str, Raw]]:
    """Other members of the set that a path is of: of the same shapes, or at numbers of the intervals and runs.

    None where whole numbers are all that there is: then the set has the one member.
    """
    raw = from_json(given["instance"])
    if shaped:
        yield from _of_the_same_shapes(claim, raw, count)
    elif reals or variable:
        rng = np.random.default_rng(count)
        for k in range(count):
            places = {
                name: point_at(interval, float(rng.uniform(0.003, 0.997)))
                for name, interval in reals.items()
            }
            numbers = {
                name: round(point_at(x.interval, float(rng.uniform())))
                for name, x in variable.items()
            }
            if k < 2:
                numbers = {
                    name: (x.low, x.high)[k] for name, x in variable.items()
                }
            yield {**raw, **places, **numbers}


def _of_the_same_shapes(
    claim: Claim, raw: Mapping[str, Raw], count: int
) -> Iterator[dict[str, Raw]]:
    """Members of the domain as they are drawn, of the sizes and whole numbers of an instance."""
    wholes = {
        name: raw[name]
        for name, domain in claim.parameters.items()
        if domain.is_integer
    }
    for drawn in draw_instances(
        claim.parameters, count, count, sizes_of(claim.parameters, raw)
    ):
        other = {**drawn, **wholes}
        if choice_of(other) == choice_of(raw) and inside(
            claim.parameters, other
        ):
            yield other
    # settings draw sizes of their own, so that few have those of the instance, or none
    rng = np.random.default_rng(count)
    for _ in range(count):
        other = _moved(claim, raw, rng)
        if inside(claim.parameters, other):
            yield other


def _moved(
    claim: Claim, raw: Mapping[str, Raw], rng: np.random.Generator
) -> dict[str, Raw]:
    """The instance with other real numbers of the same domains."""
    other: Any = dict(raw)
    for path, leaf, chart in leaves(claim.parameters, raw):
        if isinstance(chart, Chart) and not chart.whole and chart != FIXED:
            x = np.asarray(leaf, dtype=float)
            moved = chart.bound(chart.free(x) + rng.standard_normal(x.shape))
            other = replaced(
                other, path, moved if np.ndim(leaf) else float(moved)
            )
    return other


def point_at(interval: Interval, u: float) -> float:
    """A point of an interval, u of the way: in its decades where it has many."""
    low, high = (
        None if x is None else float(x) for x in (interval.low, interval.high)
    )
    if low is not None and high is not None:
        return (
            low * (high / low) ** u
            if low > 0 and high > 4 * low
            else low + (high - low) * u
        )
    scale = float(np.exp(14 * u - 7))
    return (
        low + scale
        if low is not None
        else high - scale
        if high is not None
        else float(np.sinh(14 * u - 7))
    )
