"""Tails and probabilities of the binomial and Poisson laws, as rigorous balls."""

from flint import arb, fmpq

from .numbers import Number
from .work import arithmetic, elementary, special, spend


def binomial_tail(N: int, p: Number, F: int) -> Number:
    """P(Bin(N, p) >= F); for F <= N p, which is at most the median, merely the enclosure [1/2, 1]."""
    if F <= 0 or p >= 1:
        return fmpq(1)
    if p <= 0:
        return fmpq(0)
    if not F > N * p:
        return arb(0.75, 0.25) if F <= N * p else arb.nan()
    spend(3 * special() + 3 * elementary())
    x = arb(p)
    odds = x / (1 - x)
    choose = (arb(N + 1).lgamma() - arb(F + 1).lgamma() - arb(N - F + 1).lgamma()).exp()
    tail = term = choose * x**F * (1 - x) ** (N - F)
    k = F
    while k < N:
        spend(6 * arithmetic())
        ratio = odds * (N - k) / (k + 1)
        rest = (term * ratio / (1 - ratio)).upper()
        if ratio < 1 and rest < tail * arb(2) ** -60:
            return tail + arb(0).union(rest)
        if not term.is_finite():
            return arb.nan()
        term, k = term * ratio, k + 1
        tail += term
    return tail


def poisson(mean: Number, most: int) -> list[arb]:
    """The probabilities of 0, ..., most."""
    spend(2 * most * arithmetic() + elementary())
    terms = [(-arb(mean)).exp()]
    for k in range(1, most + 1):
        terms.append(terms[-1] * mean / k)
    return terms
