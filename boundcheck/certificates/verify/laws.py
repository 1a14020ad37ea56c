"""Finite laws: the atoms of the product space of all draws, in C order, and their weights.

Draws of known moments are given at the points of a rule, which is one more factor, the last one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from itertools import product as cartesian
from math import comb, factorial, prod
from typing import Any

from flint import fmpq

from .arrays import LARGEST, Array, Shape, checked, product, shape_of
from .families import LARGEST_POPULATION, OUTCOMES, WEIGHTS, Entries, Outcome, categories, certified, price_of_product
from .findings import demand
from .functions import power
from .moments import KNOWN, degree_of, rule
from .numbers import ONE, ZERO, Number, integer, mul, shorten
from .work import arithmetic, elementary, spend


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
        chosen = self.multisets or cartesian(range(len(self.outcomes)), repeat=self.copies)
        return [sum((self.outcomes[k] for k in atom), ()) for atom in chosen]

    def size(self) -> int:
        return len(self.outcomes) ** self.copies if self.multisets is None else len(self.multisets)

    def weights(self, entries: Entries) -> list[Number]:
        """The probability of each joint outcome."""
        single = [certified(w) for w in WEIGHTS[self.law["law"]](self.law, self.outcomes, entries)]
        if self.multisets is not None:
            seen = min(self.copies, len(single))
            spend(len(self.multisets) * (self.copies / 5 + seen * (2 * elementary() + price_of_product(single, self.copies))))
            return [_arrangements(atom, single) for atom in self.multisets]
        joint: list[Number] = [ONE]
        spend(2 * self.size() * (arithmetic() + price_of_product(single, self.copies)))
        for _ in range(self.copies):
            joint = [mul(w, v) for w in joint for v in single]
        return joint


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
            first = sum(other.copies for other in self.draws[:k] if other.smooth)
            once = [fmpq(x) for point in self.points for x in point[first : first + draw.copies]]
            return Array(shape, once * (self.size // len(self.points)))
        joint = draw.joint()
        inner = prod(later.size() for later in self.draws[k + 1 :]) * len(self.points)
        outer = self.size // (len(joint) * inner)
        return Array(shape, [x for _ in range(outer) for atom in joint for _ in range(inner) for x in atom])

    def weights(self, entries: Entries) -> list[Number]:
        """The probability of every atom; times the weight of a point of the rule, which may be negative."""
        joint: list[Number] = [ONE]
        factors = [draw.weights(entries) for draw in self.draws if not draw.smooth]
        for weights in [*factors, list(self.weighed)]:
            spend(len(joint) * len(weights) * (arithmetic() + price_of_product([*joint, *weights], 2)))
            joint = [mul(w, v) for w in joint for v in weights]
        return joint


@dataclass(frozen=True)
class Groups:
    """Sample spaces side by side: a node belongs to the atoms of one group, and means are taken inside it."""

    spaces: list[Space]
    places: list[tuple[int, int]]

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
    demand(isinstance(laws, list) and len(laws) <= LARGEST_POPULATION, '"laws" is a list')
    members: list[list[Any]] = [[]]
    places = []
    for law in laws:
        group = integer(law.get("group", 0) if isinstance(law, dict) else 0, 0, len(members))
        members += [[]] if group == len(members) else []
        places.append((group, len(members[group])))
        members[group].append(law)
    spaces = [_space(member) for member in members]
    exact = all(space.degree is None for space in spaces)
    demand(smooth or exact, "draws of which only moments are known have no place here")
    return Groups(spaces, places)


def _space(laws: list[Any]) -> Space:
    draws, size = [_draw(law) for law in laws], 1
    for draw in draws:
        for count in [draw.size()] if draw.multisets else [len(draw.outcomes)] * draw.copies:
            size *= count
            demand(size <= LARGEST, f"more than {LARGEST} atoms")
    smooth = [draw for draw in draws if draw.smooth]
    if not smooth:
        return Space(draws, size)
    degree = degree_of([draw.law for draw in smooth])
    points, weighed = rule([draw.law["law"] for draw in smooth for _ in range(draw.copies)], degree)
    demand(size * len(points) <= LARGEST, f"more than {LARGEST} atoms")
    return Space(draws, size * len(points), points, weighed, degree)


def _draw(law: Any) -> Draw:
    demand(isinstance(law, dict) and isinstance(law.get("law"), str), "a law has a name")
    if law["law"] in KNOWN:
        shape = shape_of(law.get("shape", []))
        demand(not law.get("unordered", False), "draws of known moments are in order")
        return Draw(law, [(ZERO,)], prod(shape), shape)
    demand(law["law"] in OUTCOMES, f"a law is one of {', '.join(OUTCOMES)}")
    outcomes, shape = OUTCOMES[law["law"]](law), shape_of(law.get("shape", []))
    demand(bool(outcomes), "a law without outcomes")
    tail = (categories(law),) if law["law"] == "multinomial" else ()
    return Draw(law, outcomes, prod(shape), shape + tail, _multisets(law, len(outcomes), shape))


def _multisets(law: dict[str, Any], outcomes: int, shape: Shape) -> list[tuple[int, ...]] | None:
    """What the copies can show in some order, where the law says that their order does not matter."""
    if not law.get("unordered", False):
        return None
    demand(law["unordered"] is True and len(shape) == 1 and shape[0] > 0, "unordered copies lie along one axis")
    demand(comb(outcomes + shape[0] - 1, shape[0]) * shape[0] <= LARGEST, f"more than {LARGEST} entries")
    return list(combinations_with_replacement(range(outcomes), shape[0]))


def _arrangements(atom: tuple[int, ...], single: list[Number]) -> Number:
    """The probability of a multiset: all its orders together."""
    counts = Counter(atom)
    orders = factorial(len(atom)) // prod(map(factorial, counts.values()))
    return mul(shorten(fmpq(orders)), product([power(single[k], fmpq(c)) for k, c in counts.items()]))
