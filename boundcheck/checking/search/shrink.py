"""Shrinking: simpler instances one after the other, as long as they still violate the claim."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import islice, product
from operator import getitem
from typing import Any

import numpy as np

from boundcheck.domains import FIXED, Domain, Raw
from boundcheck.domains.builders import normalised
from boundcheck.domains.chart import Arrangement
from boundcheck.domains.conditions import Outside, holds
from boundcheck.domains.domain import agreed
from boundcheck.domains.in_words import instance_in_words
from boundcheck.domains.instances import (
    UNFIT,
    Parameters,
    Path,
    inside,
    leaves,
    replaced,
    sizes_of,
    to_json,
)

StillWrong = Callable[[dict[str, Raw]], bool]
DIGITS = (1, 2, 3, 4, 6, 9)
"""Significant digits that numbers are rounded to."""

EXACT = 15
"""Digits of which decimals come back as they are."""

LARGEST = (1, 2, 3, 5, 10)
"""What the largest entry of an array becomes where its entries become small whole numbers."""

PLAIN = (0.0, 1.0, 2.0, 0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12)
"""Numbers that a reader likes to see, the most welcome first."""

COUNTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100)
MOST_MOVING = 3
"""Numbers and counts that are made plain at once."""

AXES = (slice(1), slice(-1, None), slice(1, 2), slice(1, None), slice(None))
"""Which of the axes that are as long as a dimension may be its own: a factor may have one more by chance."""


def shrink(
    parameters: Parameters,
    raw: dict[str, Raw],
    still_wrong: StillWrong,
    attempts: int = 400,
) -> dict[str, Raw]:
    """The instance with smaller sizes and counts, more zeros, whole numbers, fewer digits. Deterministic."""
    left, seen = iter(range(attempts)), set[str]()

    def new(candidates: Iterable[dict[str, Raw]]) -> Iterator[dict[str, Raw]]:
        for candidate in candidates:
            if (key := _key(candidate)) not in seen:
                seen.add(key)
                yield candidate

    def wrong(candidates: Iterable[dict[str, Raw]]) -> Iterator[dict[str, Raw]]:
        """Those that still violate, as long as attempts are left."""
        looked = (candidate for candidate, _ in zip(new(candidates), left))
        return (x for x in looked if still_wrong(x) and inside(parameters, x))

    def told(x: dict[str, Raw]) -> int:
        return len(instance_in_words(parameters, x))

    raw = next(wrong(islice(_plain(parameters, raw), attempts // 8)), raw)
    improved = True
    while improved:
        improved = False
        while smaller := next(wrong(_smaller(parameters, raw)), None):
            raw, improved = smaller, True
        for path, chart, place in list(_places(parameters, raw)):
            candidates = wrong(_moved(parameters, raw, path, chart, place))
            # what is built of simpler numbers may be less so: 1 - 1.1e-16 for 1
            shorter = (x for x in candidates if told(x) <= told(raw))
            if found := next(shorter, None):
                raw, improved = found, True
    return raw


def _key(raw: Raw) -> str:
    return json.dumps(to_json(raw))


# smaller sizes


def _smaller(
    parameters: Parameters, raw: dict[str, Raw]
) -> Iterator[dict[str, Raw]]:
    """Instances with a smaller size: all that shares it loses the same entries, many before few, the last first."""
    for path, fields, here in _scopes((), parameters, raw):
        with suppress(Outside):
            for dim, size in sizes_of(fields, here).items():
                for gone in _runs(size):
                    if cut := _cut(fields, here, dim, size, gone):
                        candidate = replaced(raw, path, cut)
                        if inside(parameters, candidate):
                            yield candidate


def _runs(size: int) -> Iterator[range]:
    """Half of the places, a quarter, ... and each alone."""
    width = size // 2
    while width:
        for end in range(size, width - 1, -width):
            yield range(end - width, end)
        width //= 2


def _scopes(
    path: Path, fields: Parameters, raw: Raw
) -> Iterator[tuple[Path, Parameters, Raw]]:
    """The signature, and every setting in it: where it stands, its fields and their raw numbers."""
    yield path, fields, raw
    for name, domain in fields.items():
        each = getattr(domain.build, "each", None)
        cases = dict(enumerate(raw[name])) if each else {None: raw[name]}
        inner = getattr((each or domain).build, "fields", {})
        for k, case in cases.items() if inner else ():
            place = (name,) if k is None else (name, k)
            yield from _scopes((*path, *place), inner, case)


def _cut(
    fields: Parameters,
    here: dict[str, Raw],
    dim: Any,
    size: int,
    gone: Sequence[int],
) -> dict[str, Raw] | None:
    """The fields without some entries of a dimension; None where one of them cannot lose them."""
    left = [k for k in range(size) if k not in gone]
    cut = {**here, dim: len(left)} if dim in here else dict(here)
    sharing = {
        name: domain for name, domain in fields.items() if dim in domain.dims
    }
    axes = dict[str, slice]()
    for name, domain in sharing.items():
        for axes[name] in AXES:
            kept = _kept(here[name], size, left, axes[name])
            cut[name] = _ordered(domain, kept)
            if _has(domain, cut[name], dim, len(left)):
                break
        else:
            return None
    laws = [name for name in axes if _is_law(fields[name])]
    parts = [
        (here[name], along) for name, along in axes.items() if name not in laws
    ]
    if parts:
        atoms = [
            _key([_kept(x, size, [k], by) for x, by in parts])
            for k in range(size)
        ]
        cut |= {law: _merged(here[law], atoms, left) for law in laws}
    return cut


def _kept(part: Raw, size: int, left: list[int], chosen: slice) -> Raw:
    """Some entries along the chosen ones of the axes of this size, that of a list counted too."""
    if isinstance(part, dict):
        return {
            key: _kept(entry, size, left, chosen) for key, entry in part.items()
        }
    if isinstance(part, list) and (len(part) != size or _is_ragged(part)):
        return [_kept(entry, size, left, chosen) for entry in part]
    axes = [axis for axis, length in enumerate(_shape(part)) if length == size]
    return _picked(part, axes[chosen], left)


def _is_ragged(part: list[Raw]) -> bool:
    """Whether entries have several shapes, as factors have: where one stands is no axis."""
    return len(set(map(_shape, part))) > 1


def _shape(part: Raw) -> tuple[int, ...]:
    return (
        (len(part), *_shape(part[0]))
        if isinstance(part, list)
        else np.shape(part)
    )


def _picked(part: Raw, axes: list[int], left: list[int]) -> Raw:
    if isinstance(part, list):
        inner = [axis - 1 for axis in axes if axis]
        entries = [part[k] for k in left] if 0 in axes else part
        return [_picked(entry, inner, left) for entry in entries]
    for axis in axes:
        part = np.take(part, left, axis)
    return part


def _ordered(domain: Domain, part: Raw) -> Raw:
    """What was an order is the nearest one."""
    ordered: Any = {"": part}
    for path, leaf, chart in list(leaves({"": domain}, ordered)):
        if isinstance(chart, Arrangement):
            ordered = replaced(ordered, path, chart.nearest(leaf))
    return ordered[""]


def _has(domain: Domain, part: Raw, dim: Any, size: int) -> bool:
    """Whether raw numbers build a member of this size."""
    with suppress(*UNFIT, ValueError), np.errstate(all="ignore"):
        value = domain.build(part)
        sizes = agreed({"": domain}, {"": value})
        if sizes.setdefault(dim, size) == size:
            return all(map(holds, domain.conditions(value, sizes)))
    return False


def _is_law(domain: Domain) -> bool:
    return domain.build is normalised and len(domain.dims) == 1


def _merged(weights: Any, atoms: list[str], left: list[int]) -> Any:
    """The weights that are left; those of the others go to an equal atom, if there is one."""
    merged = weights.copy()
    for k in set(range(len(atoms))) - set(left):
        twins = [j for j in left if atoms[j] == atoms[k]]
        merged[twins[:1]] += weights[k]
    return merged[left]


# simpler numbers


def _plain(
    parameters: Parameters, raw: dict[str, Raw]
) -> Iterator[dict[str, Raw]]:
    """Plain values of all numbers and counts at once, the most welcome first.

    One number after the other ends where no single one can be simpler: three flips at 1/1000 say less than
    three of a fair coin at 1/10. Nothing where more than three move.
    """
    moving = {
        path: list(
            filter(chart.contains, PLAIN if isinstance(leaf, float) else COUNTS)
        )
        for path, leaf, chart in leaves(parameters, raw)
        if chart is not FIXED and _is_number(leaf)
    }
    if not moving or len(moving) > MOST_MOVING:
        return
    ranks = product(*(range(len(values)) for values in moving.values()))
    for chosen in sorted(ranks, key=lambda ranks: (sum(ranks), ranks)):
        candidate: Any = raw
        for (path, values), k in zip(moving.items(), chosen, strict=True):
            candidate = replaced(candidate, path, values[k])
        yield candidate


def _is_number(leaf: object) -> bool:
    return isinstance(leaf, (int, float)) and not isinstance(leaf, bool)


def _places(
    parameters: Parameters, raw: dict[str, Raw]
) -> Iterator[tuple[Path, Any, int | None]]:
    """Every leaf and how it may move, an array as a whole and then entry by entry."""
    for path, leaf, chart in leaves(parameters, raw):
        yield path, chart, None
        if not isinstance(chart, Arrangement) and np.size(leaf) > 1:
            yield from ((path, chart, k) for k in range(np.size(leaf)))


def _moved(
    parameters: Parameters, raw: Raw, path: Path, chart: Any, place: int | None
) -> Iterator[dict[str, Raw]]:
    """Instances with a simpler leaf: all that are equal to it alike, then it alone."""
    leaf: Any = reduce(getitem, path, raw)
    alike = tuple(
        other
        for other, x, charted in leaves(parameters, raw)
        if charted == chart and np.array_equal(x, leaf)
    )
    for paths in dict.fromkeys((alike, (path,))):
        for value in _simpler(leaf, chart, place):
            moved = raw
            for other in paths:
                moved = replaced(moved, other, value)
            yield moved


def _simpler(leaf: Any, chart: Any, place: int | None) -> Iterable[Any]:
    """Simpler values of a leaf, the simplest first; never the leaf itself."""
    if isinstance(chart, Arrangement):
        return chart.simpler(leaf)
    if isinstance(leaf, (bool, str)):
        return ()
    if isinstance(leaf, (int, np.integer)):
        return filter(chart.contains, _smaller_counts(int(leaf)))
    x = np.asarray(leaf, dtype=float)
    moved = (
        _numbers(x)
        if x.size == 1
        else _arrays(x)
        if place is None
        else _entries(x, place)
    )
    simpler = [
        y
        for y in moved
        if all(b == a or chart.contains(b) for a, b in zip(x.flat, y.flat))
    ]
    return simpler if x.ndim else map(float, simpler)


def _smaller_counts(n: int) -> list[int]:
    """1, 2, 3, then n / 2, 3 n / 4, ..., n - 1, and n with fewer digits."""
    halves = (n - (n >> k) for k in range(1, n.bit_length()))
    rounded = (n - n % 10**k for k in range(1, len(str(n))))
    return sorted({k for k in (1, 2, 3, *halves, *rounded) if k < n})


def _numbers(x: np.ndarray) -> Iterator[np.ndarray]:
    """A single number: plain ones that are more welcome, and fewer digits."""
    number = float(x.flat[0])
    rank = PLAIN.index(number) if number in PLAIN else len(PLAIN)
    yield from (np.full(x.shape, plain) for plain in PLAIN[:rank])
    rounded = (_rounded(x, digits) for digits in DIGITS)
    yield from (y for y in rounded if (y != x).any())


def _rounded(x: np.ndarray, digits: int) -> np.ndarray:
    return np.reshape([float(f"{y:.{digits}g}") for y in x.flat], x.shape)


def _arrays(x: np.ndarray) -> list[np.ndarray]:
    """Zeros, equal entries, a diagonal, small whole numbers, fewer digits, another scale: what is shorter."""
    most = np.max(np.abs(x), initial=0) or 1.0
    power = 10.0 ** np.floor(np.log10(most))
    changed = [
        0 * x,
        np.ones(x.shape),
        np.full(x.shape, x.flat[0]),
        np.sign(x),
        np.abs(x),
        *(np.rint(largest * x / most) for largest in LARGEST),
        np.rint(x),
        *(_rounded(x, digits) for digits in DIGITS),
        _rounded(x / power, EXACT),
    ]
    if x.ndim == 2:
        changed += [np.eye(*x.shape), x * np.eye(*x.shape)]
    return sorted(
        (y + 0.0 for y in changed if _length(y) < _length(x)), key=_length
    )


def _entries(x: np.ndarray, place: int) -> Iterator[np.ndarray]:
    """One entry that is 0, positive, or of one digit."""
    entry = float(x.flat[place])
    for simpler in (0.0, abs(entry), float(f"{entry:.1g}")):
        y = x.copy()
        y.flat[place] = simpler
        if _length(y) < _length(x):
            yield y


def _length(x: np.ndarray) -> int:
    """Characters of the entries that are not 0, and once more of the different ones."""
    told = [f"{entry:.{EXACT}g}" for entry in x.flat if entry]
    return sum(map(len, [*told, *set(told)]))
