"""Shrinking: simpler numbers one after the other, as long as the instance still violates the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice, product
from typing import Any

import numpy as np

from boundcheck.domains import FIXED, Raw
from boundcheck.domains.builders import normalised
from boundcheck.domains.chart import Discrete
from boundcheck.domains.instances import (
    Parameters,
    Path,
    inside,
    leaves,
    replaced,
    to_json,
)

StillWrong = Callable[[dict[str, Raw]], bool]
SIGNIFICANT = (1, 2, 3, 4, 6, 9)
PLAIN = (0.0, 1.0, 2.0, 0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12)
"""Numbers that a reader likes to see, the most welcome first."""

COUNTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100)
COUNTED, MOST_NUMBERS = 6, 3
"""Counts that are tried although a smaller one is there, and numbers that are made plain at once."""


def shrink(
    parameters: Parameters,
    raw: dict[str, Raw],
    still_wrong: StillWrong,
    attempts: int = 400,
    plain: bool = True,
) -> dict[str, Raw]:
    """The instance with few atoms, short decimals, small counts and many zeros. Deterministic.

    `plain` tries to change all numbers at once, too.
    """
    left = iter(range(attempts - 1))

    def first(candidates: Iterable[dict[str, Raw]]) -> dict[str, Raw] | None:
        """The first that still violates, as long as attempts are left."""
        return next(
            (
                candidate
                for candidate, _ in zip(candidates, left)
                if still_wrong(candidate)
            ),
            None,
        )

    raw = first(islice(_plain(parameters, raw), attempts // 2 if plain else 0)) or raw
    improved = True
    while improved:
        improved = False
        while fewer := first(_fewer(parameters, raw)):
            raw, improved = fewer, True
        for path, leaf, chart in list(leaves(parameters, raw)):
            if simpler := first(
                replaced(raw, path, value) for value in _simpler(leaf, chart)
            ):
                raw, improved = simpler, True
    return raw


def _fewer(parameters: Parameters, raw: dict[str, Raw]) -> Iterator[dict[str, Raw]]:
    """Instances with one atom less of a law, the last first; its weight goes to an equal atom, or to all."""
    for path, fields, here in _scopes((), parameters, raw):
        for law in (
            name
            for name, x in fields.items()
            if x.build is normalised and len(x.dims) == 1
        ):
            dim, count = fields[law].dims[0], len(here[law])
            sized = [
                name
                for name in fields
                if dim in fields[name].dims
                and isinstance(here[name], (np.ndarray, list))
            ]
            axes = {name: fields[name].dims.index(dim) for name in sized}
            for atom in reversed(range(count if count > 1 else 0)):
                with suppress(
                    IndexError
                ):  # raw numbers of another shape than their values
                    parts = {dim: count - 1, **_without(atom, here, axes, law)}
                    candidate = replaced(
                        raw,
                        path,
                        {**here, **{n: part for n, part in parts.items() if n in here}},
                    )
                    if inside(parameters, candidate):
                        yield candidate


def _scopes(
    path: Path, fields: Parameters, raw: Raw
) -> Iterator[tuple[Path, Parameters, Raw]]:
    """The signature, and every setting in it: where it stands, its fields and their raw numbers."""
    yield path, fields, raw
    for name, domain in fields.items():
        each = getattr(domain.build, "each", None)
        places = (
            [(*path, name, k) for k in range(len(raw[name]))]
            if each
            else [(*path, name)]
        )
        inner = getattr((each or domain).build, "fields", {})
        for place in places if inner else ():
            yield from _scopes(
                place, inner, raw[name][place[-1]] if each else raw[name]
            )


def _without(
    atom: int, here: Mapping[str, Raw], axes: Mapping[str, int], law: str
) -> dict[str, Raw]:
    """The parts that have an entry for each atom, without one of them. Raises IndexError."""
    others = [(here[name], axis) for name, axis in axes.items() if name != law]
    atoms = range(len(here[law]))
    entries = [
        [to_json(_picked(part, axis, [k])) for part, axis in others] for k in atoms
    ]
    weights = here[law] + here[law][atom] * (
        np.arange(len(atoms)) == entries.index(entries[atom])
    )
    left = [k for k in atoms if k != atom]
    return {
        name: _picked(weights if name == law else here[name], axis, left)
        for name, axis in axes.items()
    }


def _picked(part: Raw, axis: int, chosen: list[int]) -> Raw:
    """Some entries along an axis."""
    return (
        np.take(part, chosen, axis)
        if isinstance(part, np.ndarray)
        else [part[k] for k in chosen]
    )


def _plain(parameters: Parameters, raw: dict[str, Raw]) -> Iterator[dict[str, Raw]]:
    """Plain values of all numbers at once, the most welcome first, and for each the smallest count first.

    One number after the other ends where no single one can be simpler: three flips at 1/1000 say less than
    three of a fair coin at 1/10. Nothing where more than three numbers or more than one count move.
    """
    places = [
        (path, leaf, chart)
        for path, leaf, chart in leaves(parameters, raw)
        if chart is not FIXED and np.ndim(leaf) == 0
    ]
    numbers = [(path, chart) for path, leaf, chart in places if isinstance(leaf, float)]
    counts = [
        (path, leaf, chart)
        for path, leaf, chart in places
        if isinstance(leaf, int) and not isinstance(leaf, bool)
    ]
    if not 0 < len(numbers) <= MOST_NUMBERS or len(counts) > 1:
        return
    ranks = [
        [k for k, x in enumerate(PLAIN) if chart.contains(x)] for _, chart in numbers
    ]
    for chosen in sorted(product(*ranks), key=lambda ranks: (sum(ranks), ranks)):
        candidate: Any = raw
        for (path, _), k in zip(numbers, chosen, strict=True):
            candidate = replaced(candidate, path, PLAIN[k])
        if not counts:
            yield candidate
        for path, leaf, chart in counts:
            yield from (
                replaced(candidate, path, n)
                for n in COUNTS
                if n <= max(leaf, COUNTED) and chart.contains(n)
            )


def _simpler(leaf: Any, chart: Any) -> Iterator[Any]:
    """Simpler values of a leaf, the simplest first; never the leaf itself."""
    if isinstance(chart, Discrete):
        yield from chart.simpler(leaf)
        return
    if isinstance(leaf, (bool, str)):
        return
    if isinstance(leaf, (int, np.integer)):
        yield from (
            k
            for k in sorted({1, 2, 3, leaf // 2, leaf - 1})
            if k < leaf and chart.contains(k)
        )
        return
    array = np.asarray(leaf, dtype=float)
    seen = [array]
    for candidate in _rounded(array):
        inside = all(chart.contains(float(x)) or x in array for x in candidate.ravel())
        if inside and not any(np.array_equal(candidate, other) for other in seen):
            seen.append(candidate)
            yield candidate if candidate.ndim else float(candidate)


def _rounded(array: np.ndarray) -> Iterator[np.ndarray]:
    if array.size == 1:
        rank = (
            PLAIN.index(float(array.ravel()[0]))
            if array.ravel()[0] in PLAIN
            else len(PLAIN)
        )
        yield from (np.full(array.shape, x) for x in PLAIN[:rank])
    if array.size > 1:
        yield np.rint(array)
        yield np.where(
            np.abs(array) < 1e-3 * np.max(np.abs(array), initial=0), 0.0, array
        )
    for digits in SIGNIFICANT:
        yield np.array([float(f"{x:.{digits - 1}e}") for x in array.ravel()]).reshape(
            array.shape
        )
