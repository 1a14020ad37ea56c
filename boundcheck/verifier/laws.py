"""Finite laws: the atoms of the product space of all draws, in C order, and their weights.

Draws of known moments are given at the points of a rule, which is one more factor, the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from itertools import product as cartesian
from math import comb, prod
from typing import Any

from flint import fmpq

from .arrays import Array, Shape, checked, shape_of
from .findings import demand, spend
from .limits import LARGEST, LARGEST_BINOMIAL, LARGEST_POPULATION
from .moments import KNOWN, degree_of, rule
from .numbers import ONE, ZERO, Number, integer, number, whole

Law = dict[str, Any]
Outcome = tuple[Number, ...]


def _finite_outcomes(law: Law) -> list[Outcome]:
    return [(number(value),) for value in law["values"]]


def _binomial_outcomes(law: Law) -> list[Outcome]:
    return [
        (fmpq(k),) for k in range(integer(law["n"], 0, LARGEST_BINOMIAL) + 1)
    ]


def _hypergeometric_outcomes(law: Law) -> list[Outcome]:
    """Only the support."""
    good, bad, sample = _urn(law)
    return [
        (fmpq(k),) for k in range(max(0, sample - bad), min(good, sample) + 1)
    ]


def _urn(law: Law) -> tuple[int, int, int]:
    good, bad, sample = (
        integer(law[key], 0, LARGEST_POPULATION)
        for key in ("good", "bad", "sample")
    )
    demand(sample <= good + bad, "a hypergeometric sample larger than its urn")
    return good, bad, sample


def _multinomial_outcomes(law: Law) -> list[Outcome]:
    n, parts = integer(law["n"], 0, LARGEST_POPULATION), categories(law)
    demand(
        comb(n + parts - 1, n) * parts <= LARGEST,
        f"more than {LARGEST} entries",
    )
    spend(comb(n + parts - 1, n) * parts * (1 + parts / 20))
    return [tuple(map(fmpq, counts)) for counts in _compositions(n, parts)]


def categories(law: Law) -> int:
    """How many; said apart where the probabilities are entries of a node."""
    pvals = law["pvals"]
    return integer(
        len(pvals) if isinstance(pvals, list) else law["categories"], 1, 500
    )


def _compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _compositions(n - first, parts - 1):
            yield (first, *rest)


OUTCOMES: dict[str, Callable[[Law], list[Outcome]]] = {
    "finite": _finite_outcomes,
    "binomial": _binomial_outcomes,
    "hypergeometric": _hypergeometric_outcomes,
    "multinomial": _multinomial_outcomes,
}


def chances(
    draw: Draw, by: Any, numbers: Callable[[Any], list[Any]], lawful: list[Any]
) -> list[Any]:
    """The probability of each outcome of one copy, as NumPy draws them, in some arithmetic (`by`).

    What must hold of the numbers that a law is given by is noted in `lawful`, or refused at once.
    """
    law = draw.law
    if law["law"] == "finite":
        weights = [by.weight(w, lawful) for w in numbers(law["weights"])]
        fits = len(weights) == len(draw.outcomes)
        demand(fits, "a finite law needs one weight for each value")
        return by.normalised(weights)
    if law["law"] == "hypergeometric":
        good, bad, sample = _urn(law)
        spend(len(draw.outcomes) * (1 + (good + bad) ** 1.5 / 1000))
        seen, ways = (
            [whole(k) or 0 for (k,) in draw.outcomes],
            comb(good + bad, sample),
        )
        return [
            by.const(fmpq(comb(good, k) * comb(bad, sample - k), ways))
            for k in seen
        ]
    if law["law"] == "binomial":
        # Both p and 1 - p are to be probabilities, so that p is one just if neither is negative.
        (p,) = (by.chance(p, lawful) for p in numbers(law["p"]))
        q, n = (
            by.chance(by.apply("sub", by.const(ONE), p), lawful),
            len(draw.outcomes) - 1,
        )
        return by.binomial(n, p, q)
    given = [by.chance(p, lawful) for p in numbers(law["pvals"])]
    fits = len(given) == categories(law)
    demand(fits, "a multinomial law needs one probability for each category")
    # As NumPy draws them, the last category takes what the others leave of 1, whatever is said of it.
    rest = by.apply("sub", by.const(ONE), by.total(given[:-1]))
    parts = [*given[:-1], by.chance(rest, lawful)]
    return by.arranged(
        parts, [tuple(whole(k) or 0 for k in x) for x in draw.outcomes]
    )


# draws of these laws, and the atoms of all of them together


@dataclass(frozen=True)
class Draw:
    """Independent copies of one law: the outcomes of a copy, each a vector, and the shape of all copies.

    Where the copies count without their order, all of them are one copy whose outcomes are the `multisets`.
    """

    law: dict[str, Any]
    outcomes: list[Outcome]
    copies: int
    shape: Shape
    multisets: list[tuple[int, ...]] | None = None

    @property
    def smooth(self) -> bool:
        """Whether it is a draw of known moments, which has no atoms of its own."""
        return self.law["law"] in KNOWN

    def joint(self) -> list[Outcome]:
        """The outcomes of all copies, one after the other."""
        chosen = self.multisets or cartesian(
            range(len(self.outcomes)), repeat=self.copies
        )
        return [sum((self.outcomes[k] for k in atom), ()) for atom in chosen]

    def size(self) -> int:
        return (
            len(self.outcomes) ** self.copies
            if self.multisets is None
            else len(self.multisets)
        )


@dataclass(frozen=True)
class Space:
    """The product space of the draws; its atoms are numbered with the last copy of the last draw fastest."""

    draws: list[Draw]
    size: int
    points: Sequence[tuple[int, ...]] = ((),)
    weighed: Sequence[fmpq] = (ONE,)
    degree: int | None = None
    """Points and weights of a rule for all draws of known moments, and its degree, if there are some."""

    def values(self, k: int) -> Array:
        """Draw k at every atom: shape (size, *draw shape)."""
        draw = self.draws[k]
        shape = checked((self.size, *draw.shape))
        spend(0.2 * prod(shape))
        if draw.smooth:
            # Points of the rule are fastest, one coordinate for each copy of each draw of known moments.
            first = sum(
                other.copies for other in self.draws[:k] if other.smooth
            )
            once = [
                fmpq(x)
                for point in self.points
                for x in point[first : first + draw.copies]
            ]
            return Array(shape, once * (self.size // len(self.points)))
        joint = draw.joint()
        inner = prod(later.size() for later in self.draws[k + 1 :]) * len(
            self.points
        )
        outer = self.size // (len(joint) * inner)
        return Array(
            shape,
            [
                x
                for _ in range(outer)
                for atom in joint
                for _ in range(inner)
                for x in atom
            ],
        )

    def weights(
        self, by: Any, numbers: Callable[[Any], list[Any]], lawful: list[Any]
    ) -> list[Any]:
        """The probability of every atom; times the weight of a point of the rule, which may be negative."""
        joint = [by.const(ONE)]
        for draw in self.draws:
            if draw.smooth:
                continue
            single = chances(draw, by, numbers, lawful)
            if draw.multisets is None:
                for _ in range(draw.copies):
                    joint = by.joint(joint, single)
            else:
                # What does not depend on the order of copies has the same value at all orders of a multiset, and these together
                # have its multinomial probability. That nothing depends on it is for `symmetry` to show.
                counts = [
                    _counted(atom, len(single)) for atom in draw.multisets
                ]
                joint = by.joint(joint, by.arranged(single, counts))
        return (
            by.joint(joint, [by.const(w) for w in self.weighed])
            if self.degree
            else joint
        )


@dataclass(frozen=True)
class Groups:
    """Sample spaces side by side: a node belongs to the atoms of one group, and means are taken inside it."""

    spaces: list[Space]
    places: list[tuple[int, int]]

    @cached_property
    def plain(self) -> bool:
        """Whether all copies come in their order, and all laws are finite."""
        draws = [draw for space in self.spaces for draw in space.draws]
        return not any(draw.smooth or draw.multisets for draw in draws)

    def unordered(self, k: int) -> bool:
        """Whether the copies of draw k are given without their order."""
        group, position = self.places[k]
        return self.spaces[group].draws[position].multisets is not None

    def is_smooth(self, k: int) -> bool:
        """Whether draw k is one of known moments."""
        group, position = self.places[k]
        return self.spaces[group].draws[position].smooth

    def values(self, k: int) -> tuple[int, Array]:
        """The group of draw k, and its value at every atom of the group."""
        group, position = self.places[k]
        return group, self.spaces[group].values(position)


def groups(laws: Any, smooth: bool = False) -> Groups:
    """The sample spaces of the JSON list of laws; the groups are numbered from 0 without gaps.

    Draws of known moments are for who follows the degrees of what is made of them, and says so.
    """
    demand(
        isinstance(laws, list) and len(laws) <= LARGEST_POPULATION,
        '"laws" is a list',
    )
    members: list[list[Any]] = [[]]
    places = []
    # Draws of one group are independent and have joint atoms; groups are apart, as the means of two expectations are.
    for law in laws:
        group = integer(
            law.get("group", 0) if isinstance(law, dict) else 0, 0, len(members)
        )
        members += [[]] if group == len(members) else []
        places.append((group, len(members[group])))
        members[group].append(law)
    spaces = [_space(member) for member in members]
    exact = all(space.degree is None for space in spaces)
    demand(
        smooth or exact,
        "draws of which only moments are known have no place here",
    )
    return Groups(spaces, places)


def _space(laws: list[Any]) -> Space:
    draws, size = [_draw(law) for law in laws], 1
    for draw in draws:
        for count in (
            [draw.size()]
            if draw.multisets
            else [len(draw.outcomes)] * draw.copies
        ):
            # Before any list is made: products of small laws are large.
            size *= count
            demand(size <= LARGEST, f"more than {LARGEST} atoms")
    smooth = [draw for draw in draws if draw.smooth]
    if not smooth:
        return Space(draws, size)
    degree = degree_of([draw.law for draw in smooth])
    points, weighed = rule(
        [draw.law["law"] for draw in smooth for _ in range(draw.copies)], degree
    )
    demand(size * len(points) <= LARGEST, f"more than {LARGEST} atoms")
    return Space(draws, size * len(points), points, weighed, degree)


def _draw(law: Any) -> Draw:
    demand(
        isinstance(law, dict) and isinstance(law.get("law"), str),
        "a law has a name",
    )
    if law["law"] in KNOWN:
        shape = shape_of(law.get("shape", []))
        demand(
            not law.get("unordered", False),
            "draws of known moments are in order",
        )
        return Draw(law, [(ZERO,)], prod(shape), shape)
    demand(law["law"] in OUTCOMES, f"a law is one of {', '.join(OUTCOMES)}")
    outcomes, shape = OUTCOMES[law["law"]](law), shape_of(law.get("shape", []))
    demand(bool(outcomes), "a law without outcomes")
    tail = (categories(law),) if law["law"] == "multinomial" else ()
    return Draw(
        law,
        outcomes,
        prod(shape),
        shape + tail,
        _multisets(law, len(outcomes), shape),
    )


def _multisets(
    law: dict[str, Any], outcomes: int, shape: Shape
) -> list[tuple[int, ...]] | None:
    """What the copies can show in some order, where the law says that their order does not matter."""
    if not law.get("unordered", False):
        return None
    demand(
        law["unordered"] is True and len(shape) == 1 and shape[0] > 0,
        "unordered copies lie along one axis",
    )
    demand(
        comb(outcomes + shape[0] - 1, shape[0]) * shape[0] <= LARGEST,
        f"more than {LARGEST} entries",
    )
    return list(combinations_with_replacement(range(outcomes), shape[0]))


def _counted(atom: tuple[int, ...], outcomes: int) -> list[int]:
    """How many copies show each outcome."""
    found = [0] * outcomes
    for k in atom:
        found[k] += 1
    return found
