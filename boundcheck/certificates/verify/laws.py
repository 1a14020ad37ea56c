"""Finite laws: the atoms of the product space of all draws, in C order, and their weights."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from itertools import product as cartesian
from math import comb, factorial, prod
from typing import Any

from flint import arb, fmpq

from .arrays import LARGEST, Array, Shape, checked, product, shape_of, total
from .findings import demand
from .functions import power
from .numbers import HEIGHT, NAN, ONE, Number, common, div, integer, mul, number, shorten, sub, whole
from .work import arithmetic, elementary, on_rationals, spend

Entries = Callable[[Any], list[Number]]
LARGEST_POPULATION = 20_000
EXACT_BINOMIALS = 1000


@dataclass(frozen=True)
class Draw:
    """Independent copies of one law: the outcomes of a copy, each a vector, and the shape of all copies.

    Where the copies count without their order, all of them are one copy whose outcomes are the `multisets`.
    """

    law: dict[str, Any]
    outcomes: list[tuple[Number, ...]]
    copies: int
    shape: Shape
    multisets: list[tuple[int, ...]] | None = None

    def joint(self) -> list[tuple[Number, ...]]:
        """The outcomes of all copies, one after the other."""
        chosen = self.multisets or cartesian(range(len(self.outcomes)), repeat=self.copies)
        return [sum((self.outcomes[k] for k in atom), ()) for atom in chosen]

    def size(self) -> int:
        return len(self.outcomes) ** self.copies if self.multisets is None else len(self.multisets)

    def weights(self, entries: Entries) -> list[Number]:
        """The probability of each joint outcome."""
        single = [_certified(w) for w in WEIGHTS[self.law["law"]](self, entries)]
        if self.multisets is not None:
            seen = min(self.copies, len(single))
            spend(len(self.multisets) * (self.copies / 5 + seen * (2 * elementary() + _power(single, self.copies))))
            return [_arrangements(atom, single) for atom in self.multisets]
        joint: list[Number] = [ONE]
        spend(2 * self.size() * (arithmetic() + _power(single, self.copies)))
        for _ in range(self.copies):
            joint = [mul(w, v) for w in joint for v in single]
        return joint


@dataclass(frozen=True)
class Space:
    """The product space of the draws; its atoms are numbered with the last copy of the last draw fastest."""

    draws: list[Draw]
    size: int

    def values(self, k: int) -> Array:
        """Draw k at every atom: shape (size, *draw shape)."""
        draw = self.draws[k]
        shape = checked((self.size, *draw.shape))
        spend(0.2 * prod(shape))
        joint = draw.joint()
        inner = prod(later.size() for later in self.draws[k + 1 :])
        outer = self.size // (len(joint) * inner)
        return Array(shape, [x for _ in range(outer) for atom in joint for _ in range(inner) for x in atom])

    def weights(self, entries: Entries) -> list[Number]:
        """The probability of every atom."""
        joint: list[Number] = [ONE]
        for draw in self.draws:
            weights = draw.weights(entries)
            spend(len(joint) * len(weights) * (arithmetic() + _power([*joint, *weights], 2)))
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

    def values(self, k: int) -> tuple[int, Array]:
        """The group of draw k, and its value at every atom of the group."""
        group, position = self.places[k]
        return group, self.spaces[group].values(position)


def groups(laws: Any) -> Groups:
    """The sample spaces of the JSON list of laws; the groups are numbered from 0 without gaps."""
    demand(isinstance(laws, list) and len(laws) <= LARGEST_POPULATION, '"laws" is a list')
    members: list[list[Any]] = [[]]
    places = []
    for law in laws:
        group = integer(law.get("group", 0) if isinstance(law, dict) else 0, 0, len(members))
        members += [[]] if group == len(members) else []
        places.append((group, len(members[group])))
        members[group].append(law)
    return Groups([_space(member) for member in members], places)


def _space(laws: list[Any]) -> Space:
    draws, size = [_draw(law) for law in laws], 1
    for draw in draws:
        for count in [draw.size()] if draw.multisets else [len(draw.outcomes)] * draw.copies:
            size *= count
            demand(size <= LARGEST, f"more than {LARGEST} atoms")
    return Space(draws, size)


def _draw(law: Any) -> Draw:
    demand(isinstance(law, dict) and law.get("law") in OUTCOMES, f"a law is one of {', '.join(OUTCOMES)}")
    outcomes, shape = OUTCOMES[law["law"]](law), shape_of(law.get("shape", []))
    demand(bool(outcomes), "a law without outcomes")
    tail = (_categories(law),) if law["law"] == "multinomial" else ()
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


def _power(weights: list[Number], exponent: int) -> float:
    """What a product of so many of them takes besides the balls."""
    height = max((w.height_bits() for w in weights if isinstance(w, fmpq)), default=0)
    return on_rationals(min(HEIGHT, exponent * height))


def _certified(weight: Number) -> Number:
    """A weight that may be negative decides nothing."""
    demand(not weight < 0, "a law has a negative weight: it is no law")
    return weight if weight >= 0 else NAN


def _finite_outcomes(law: dict[str, Any]) -> list[tuple[Number, ...]]:
    return [(number(value),) for value in law["values"]]


def _binomial_outcomes(law: dict[str, Any]) -> list[tuple[Number, ...]]:
    return [(fmpq(k),) for k in range(integer(law["n"], 0, LARGEST_POPULATION) + 1)]


def _hypergeometric_outcomes(law: dict[str, Any]) -> list[tuple[Number, ...]]:
    """Only the support."""
    good, bad, sample = _urn(law)
    return [(fmpq(k),) for k in range(max(0, sample - bad), min(good, sample) + 1)]


def _urn(law: dict[str, Any]) -> tuple[int, int, int]:
    good, bad, sample = (integer(law[key], 0, LARGEST_POPULATION) for key in ("good", "bad", "sample"))
    demand(sample <= good + bad, "a hypergeometric sample larger than its urn")
    return good, bad, sample


def _multinomial_outcomes(law: dict[str, Any]) -> list[tuple[Number, ...]]:
    n, parts = integer(law["n"], 0, LARGEST_POPULATION), _categories(law)
    demand(comb(n + parts - 1, n) * parts <= LARGEST, f"more than {LARGEST} entries")
    spend(comb(n + parts - 1, n) * parts)
    return [tuple(map(fmpq, counts)) for counts in _compositions(n, parts)]


def _categories(law: dict[str, Any]) -> int:
    """How many; said apart where the probabilities are entries of a node."""
    pvals = law["pvals"]
    return integer(len(pvals) if isinstance(pvals, list) else law["categories"], 1, 500)


def _compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _compositions(n - first, parts - 1):
            yield (first, *rest)


def _probability(p: Number) -> Number:
    """A number from 0 to 1; where it may lie outside it decides nothing."""
    demand(not (p < 0 or p > 1), "a probability of a law lies outside [0, 1]")
    return p if p >= 0 and p <= 1 else NAN


def _normalised(weights: list[Number]) -> list[Number]:
    mass = total(weights)
    demand(not mass <= 0, "the weights of a law add up to nothing")
    return [div(weight, mass) for weight in map(_certified, weights)]


def _finite_weights(draw: Draw, entries: Entries) -> list[Number]:
    weights = entries(draw.law["weights"])
    spend(2 * len(weights) * (arithmetic() + _power(weights, 1) + on_rationals(common(weights))))
    demand(len(weights) == len(draw.outcomes), "a finite law needs one weight for each value")
    return _normalised(weights)


def _binomial_weights(draw: Draw, entries: Entries) -> list[Number]:
    n, p = len(draw.outcomes) - 1, _probability(*entries(draw.law["p"]))
    spend((n + 1) * (4 * elementary() + _power([p], n)))
    choose = [fmpq(comb(n, k)) if n <= EXACT_BINOMIALS else arb.bin_uiui(n, k) for k in range(n + 1)]
    q = _probability(sub(ONE, p))
    return [mul(shorten(c), mul(power(p, fmpq(k)), power(q, fmpq(n - k)))) for k, c in enumerate(choose)]


def _hypergeometric_weights(draw: Draw, entries: Entries) -> list[Number]:
    good, bad, sample = _urn(draw.law)
    spend(len(draw.outcomes) * (1 + (good + bad) ** 1.5 / 1000))
    counts = [whole(k) or 0 for (k,) in draw.outcomes]
    return _normalised([shorten(fmpq(comb(good, k) * comb(bad, sample - k))) for k in counts])


def _multinomial_weights(draw: Draw, entries: Entries) -> list[Number]:
    """As NumPy draws them: the last category takes what the others leave of 1."""
    given, n = [_probability(p) for p in entries(draw.law["pvals"])], factorial(draw.law["n"])
    demand(len(given) == _categories(draw.law), "a multinomial law needs one probability for each category")
    rest = sub(ONE, total(given[:-1]))
    demand(not rest < 0, "the probabilities of a multinomial law before the last one exceed 1")
    p, weights = [*given[:-1], _probability(rest)], []
    spend(len(draw.outcomes) * (len(p) * (2 * elementary() + _power(p, draw.law["n"])) + draw.law["n"] ** 1.5 / 1000))
    for counts in draw.outcomes:
        coefficient = fmpq(n, prod(factorial(whole(k) or 0) for k in counts))
        weights.append(mul(shorten(coefficient), product(list(map(power, p, counts)))))
    return weights


OUTCOMES: dict[str, Callable[[dict[str, Any]], list[tuple[Number, ...]]]] = {
    "finite": _finite_outcomes,
    "binomial": _binomial_outcomes,
    "hypergeometric": _hypergeometric_outcomes,
    "multinomial": _multinomial_outcomes,
}
WEIGHTS: dict[str, Callable[[Draw, Entries], list[Number]]] = {
    "finite": _finite_weights,
    "binomial": _binomial_weights,
    "hypergeometric": _hypergeometric_weights,
    "multinomial": _multinomial_weights,
}
