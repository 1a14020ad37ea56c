"""Evidence about a mean from bets on samples of known sign: the capital of a fixed list of bettors."""

from collections.abc import Sequence

from flint import arb, fmpq

from .numbers import Number
from .work import arithmetic, elementary, spend

BETS = 33
"""Bettor k stakes the fraction 0.99 / 2^(k/2) of what it has on every sample."""


def capital(cells: Sequence[tuple[fmpq, int]], mean: Number) -> arb:
    """Mean capital after betting that E(Y) > mean, for values Y >= 0 that are at least h, count times.

    If E(Y) <= mean it ever exceeds 1 / alpha with probability at most alpha (Ville).
    """
    spend(len(cells) * BETS * (elementary() + 2 * arithmetic()))
    odds = [(arb(h) / mean - 1, count) for h, count in cells]
    total = arb(0)
    for k in range(BETS):
        stake = arb(fmpq(99, 100)) / arb(2) ** (arb(k) / 2)
        total += sum((count * (1 + stake * x).log() for x, count in odds), arb(0)).exp()
    return total / BETS
