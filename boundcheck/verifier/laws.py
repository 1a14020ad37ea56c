"""Finite laws: the atoms of the product space of all draws, in C order, and their weights.

Draws of known moments are given at the points of a rule, which is one more factor, the last one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from itertools import product as cartesian
from math import comb, factorial, prod
from typing import Any

from flint import arb, fmpq

from .arrays import LARGEST, Array, Shape, checked, product, shape_of, total
from .findings import arithmetic, demand, elementary, on_rationals, spend
from .functions import power
from .moments import KNOWN, degree_of, rule
from .numbers import (
    HEIGHT,
    NAN,
    ONE,
    ZERO,
    Number,
    common,
    div,
    integer,
    mul,
    number,
    shorten,
    sub,
    whole,
)

Law = dict[str, Any]
Outcome = tuple[Number, ...]
Entries = Callable[[Any], list[Number]]
LARGEST_POPULATION = 20_000
LARGEST_BINOMIAL = 200_000
"""Beyond the former in balls alone."""

EXACT_BINOMIALS = 1000


def price_of_product(weights: list[Number], exponent: int) -> float:
    """What a product of so many of them takes besides the balls."""
    height = max((w.height_bits() for w in weights if isinstance(w, fmpq)), default=0)
    return on_rationals(min(HEIGHT, exponent * height))


def certified(weight: Number) -> Number:
    """A weight that may be negative decides nothing."""
    demand(not weight < 0, "a law has a negative weight: it is no law")
    return weight if weight >= 0 else NAN


def _finite_outcomes(law: Law) -> list[Outcome]:
    return [(number(value),) for value in law["values"]]


def _binomial_outcomes(law: Law) -> list[Outcome]:
    return [(fmpq(k),) for k in range(integer(law["n"], 0, LARGEST_BINOMIAL) + 1)]


def _hypergeometric_outcomes(law: Law) -> list[Outcome]:
    """Only the support."""
    good, bad, sample = _urn(law)
    return [(fmpq(k),) for k in range(max(0, sample - bad), min(good, sample) + 1)]


def _urn(law: Law) -> tuple[int, int, int]:
    good, bad, sample = (
        integer(law[key], 0, LARGEST_POPULATION) for key in ("good", "bad", "sample")
    )
    demand(sample <= good + bad, "a hypergeometric sample larger than its urn")
    return good, bad, sample


def _multinomial_outcomes(law: Law) -> list[Outcome]:
    n, parts = integer(law["n"], 0, LARGEST_POPULATION), categories(law)
    demand(comb(n + parts - 1, n) * parts <= LARGEST, f"more than {LARGEST} entries")
    spend(comb(n + parts - 1, n) * parts * (1 + parts / 20))
    return [tuple(map(fmpq, counts)) for counts in _compositions(n, parts)]


def categories(law: Law) -> int:
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
    return [div(weight, mass) for weight in map(certified, weights)]


def _finite_weights(
    law: Law, outcomes: Sequence[Outcome], entries: Entries
) -> list[Number]:
    weights = entries(law["weights"])
    spend(
        2
        * len(weights)
        * (arithmetic() + price_of_product(weights, 1) + on_rationals(common(weights)))
    )
    demand(
        len(weights) == len(outcomes), "a finite law needs one weight for each value"
    )
    return _normalised(weights)


def _binomial_weights(
    law: Law, outcomes: Sequence[Outcome], entries: Entries
) -> list[Number]:
    n, p = len(outcomes) - 1, _probability(*entries(law["p"]))
    if n > LARGEST_POPULATION:
        return many(n, p)
    spend((n + 1) * (4 * elementary() + price_of_product([p], n)))
    choose = [
        fmpq(comb(n, k)) if n <= EXACT_BINOMIALS else arb.bin_uiui(n, k)
        for k in range(n + 1)
    ]
    q = _probability(sub(ONE, p))
    return [
        mul(shorten(c), mul(power(p, fmpq(k)), power(q, fmpq(n - k))))
        for k, c in enumerate(choose)
    ]


def many(n: int, p: Number) -> list[Number]:
    """The probabilities of 0, ..., n, each by the ratio to its neighbour nearer to the most likely count."""
    q = _probability(sub(ONE, p))
    if not (p > 0 and q > 0):
        return [NAN] * (n + 1)
    spend(n * 6 * arithmetic() + 10 * elementary())
    x, y = arb(p), arb(q)
    mode = min(n, max(0, int(((n + 1) * x).mid().floor().fmpz())))
    choose = arb(n + 1).lgamma() - arb(mode + 1).lgamma() - arb(n - mode + 1).lgamma()
    up = down = (choose + mode * x.log() + (n - mode) * y.log()).exp()
    weights: list[Number] = [NAN] * (n + 1)
    weights[mode], odds, chances = up, x / y, y / x
    for k in range(mode + 1, n + 1):
        up = up * odds * (n - k + 1) / k
        weights[k] = up
    for k in range(mode, 0, -1):
        down = down * chances * k / (n - k + 1)
        weights[k - 1] = down
    return weights


def _hypergeometric_weights(
    law: Law, outcomes: Sequence[Outcome], entries: Entries
) -> list[Number]:
    good, bad, sample = _urn(law)
    spend(len(outcomes) * (1 + (good + bad) ** 1.5 / 1000))
    counts = [whole(k) or 0 for (k,) in outcomes]
    return _normalised(
        [shorten(fmpq(comb(good, k) * comb(bad, sample - k))) for k in counts]
    )


def _multinomial_weights(
    law: Law, outcomes: Sequence[Outcome], entries: Entries
) -> list[Number]:
    """As NumPy draws them: the last category takes what the others leave of 1."""
    given, n = [_probability(p) for p in entries(law["pvals"])], factorial(law["n"])
    demand(
        len(given) == categories(law),
        "a multinomial law needs one probability for each category",
    )
    rest = sub(ONE, total(given[:-1]))
    demand(
        not rest < 0,
        "the probabilities of a multinomial law before the last one exceed 1",
    )
    p, weights = [*given[:-1], _probability(rest)], []
    price = 2 * elementary() + price_of_product(p, law["n"])
    spend(len(outcomes) * (len(p) * price + law["n"] ** 1.5 / 1000))
    for counts in outcomes:
        coefficient = fmpq(n, prod(factorial(whole(k) or 0) for k in counts))
        weights.append(mul(shorten(coefficient), product(list(map(power, p, counts)))))
    return weights


OUTCOMES: dict[str, Callable[[Law], list[Outcome]]] = {
    "finite": _finite_outcomes,
    "binomial": _binomial_outcomes,
    "hypergeometric": _hypergeometric_outcomes,
    "multinomial": _multinomial_outcomes,
}
WEIGHTS: dict[str, Callable[[Law, Sequence[Outcome], Entries], list[Number]]] = {
    "finite": _finite_weights,
    "binomial": _binomial_weights,
    "hypergeometric": _hypergeometric_weights,
    "multinomial": _multinomial_weights,
}


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

    def weights(self, entries: Entries) -> list[Number]:
        """The probability of each joint outcome."""
        single = [
            certified(w)
            for w in WEIGHTS[self.law["law"]](self.law, self.outcomes, entries)
        ]
        if self.multisets is not None:
            seen = min(self.copies, len(single))
            spend(
                len(self.multisets)
                * (
                    self.copies / 5
                    + seen * (2 * elementary() + price_of_product(single, self.copies))
                )
            )
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
            once = [
                fmpq(x)
                for point in self.points
                for x in point[first : first + draw.copies]
            ]
            return Array(shape, once * (self.size // len(self.points)))
        joint = draw.joint()
        inner = prod(later.size() for later in self.draws[k + 1 :]) * len(self.points)
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

    def weights(self, entries: Entries) -> list[Number]:
        """The probability of every atom; times the weight of a point of the rule, which may be negative."""
        joint: list[Number] = [ONE]
        factors = [draw.weights(entries) for draw in self.draws if not draw.smooth]
        for weights in [*factors, list(self.weighed)]:
            spend(
                len(joint)
                * len(weights)
                * (arithmetic() + price_of_product([*joint, *weights], 2))
            )
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
    demand(
        isinstance(laws, list) and len(laws) <= LARGEST_POPULATION, '"laws" is a list'
    )
    members: list[list[Any]] = [[]]
    places = []
    for law in laws:
        group = integer(
            law.get("group", 0) if isinstance(law, dict) else 0, 0, len(members)
        )
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
        for count in (
            [draw.size()] if draw.multisets else [len(draw.outcomes)] * draw.copies
        ):
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
        isinstance(law, dict) and isinstance(law.get("law"), str), "a law has a name"
    )
    if law["law"] in KNOWN:
        shape = shape_of(law.get("shape", []))
        demand(not law.get("unordered", False), "draws of known moments are in order")
        return Draw(law, [(ZERO,)], prod(shape), shape)
    demand(law["law"] in OUTCOMES, f"a law is one of {', '.join(OUTCOMES)}")
    outcomes, shape = OUTCOMES[law["law"]](law), shape_of(law.get("shape", []))
    demand(bool(outcomes), "a law without outcomes")
    tail = (categories(law),) if law["law"] == "multinomial" else ()
    return Draw(
        law, outcomes, prod(shape), shape + tail, _multisets(law, len(outcomes), shape)
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


def _arrangements(atom: tuple[int, ...], single: list[Number]) -> Number:
    """The probability of a multiset: all its orders together."""
    counts = Counter(atom)
    orders = factorial(len(atom)) // prod(map(factorial, counts.values()))
    return mul(
        shorten(fmpq(orders)),
        product([power(single[k], fmpq(c)) for k, c in counts.items()]),
    )
