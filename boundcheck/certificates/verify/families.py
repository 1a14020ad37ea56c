"""The families of finite laws: their outcomes, and the probability of each, as NumPy draws them."""

from collections.abc import Callable, Iterator, Sequence
from math import comb, factorial, prod
from typing import Any

from flint import arb, fmpq

from .arrays import LARGEST, product, total
from .findings import demand
from .functions import power
from .numbers import HEIGHT, NAN, ONE, Number, common, div, integer, mul, number, shorten, sub, whole
from .work import arithmetic, elementary, on_rationals, spend

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
    good, bad, sample = (integer(law[key], 0, LARGEST_POPULATION) for key in ("good", "bad", "sample"))
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


def _finite_weights(law: Law, outcomes: Sequence[Outcome], entries: Entries) -> list[Number]:
    weights = entries(law["weights"])
    spend(2 * len(weights) * (arithmetic() + price_of_product(weights, 1) + on_rationals(common(weights))))
    demand(len(weights) == len(outcomes), "a finite law needs one weight for each value")
    return _normalised(weights)


def _binomial_weights(law: Law, outcomes: Sequence[Outcome], entries: Entries) -> list[Number]:
    n, p = len(outcomes) - 1, _probability(*entries(law["p"]))
    if n > LARGEST_POPULATION:
        return many(n, p)
    spend((n + 1) * (4 * elementary() + price_of_product([p], n)))
    choose = [fmpq(comb(n, k)) if n <= EXACT_BINOMIALS else arb.bin_uiui(n, k) for k in range(n + 1)]
    q = _probability(sub(ONE, p))
    return [mul(shorten(c), mul(power(p, fmpq(k)), power(q, fmpq(n - k)))) for k, c in enumerate(choose)]


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


def _hypergeometric_weights(law: Law, outcomes: Sequence[Outcome], entries: Entries) -> list[Number]:
    good, bad, sample = _urn(law)
    spend(len(outcomes) * (1 + (good + bad) ** 1.5 / 1000))
    counts = [whole(k) or 0 for (k,) in outcomes]
    return _normalised([shorten(fmpq(comb(good, k) * comb(bad, sample - k))) for k in counts])


def _multinomial_weights(law: Law, outcomes: Sequence[Outcome], entries: Entries) -> list[Number]:
    """As NumPy draws them: the last category takes what the others leave of 1."""
    given, n = [_probability(p) for p in entries(law["pvals"])], factorial(law["n"])
    demand(len(given) == categories(law), "a multinomial law needs one probability for each category")
    rest = sub(ONE, total(given[:-1]))
    demand(not rest < 0, "the probabilities of a multinomial law before the last one exceed 1")
    p, weights = [*given[:-1], _probability(rest)], []
    spend(len(outcomes) * (len(p) * (2 * elementary() + price_of_product(p, law["n"])) + law["n"] ** 1.5 / 1000))
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
