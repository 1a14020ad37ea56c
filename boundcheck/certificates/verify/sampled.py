"""Conclusions from recorded trials: counts of an event, and bets on the values of a quantity."""

from typing import Any

from flint import fmpq

from .betting import capital
from .binomials import binomial_tail
from .findings import demand
from .numbers import ONE, ZERO, decimal, div, integer, le, lt, rational, sub
from .program import Tape
from .reading import Reading

LARGEST_ALPHA = fmpq(1, 20)
MOST_TRIALS = 10**10
MOST_CELLS = 200_000


def sampled(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """The binomial tail of the recorded counts; the trials themselves are not run again."""
    N, alpha = integer(conclusion["trials"], 1, MOST_TRIALS), rational(conclusion["alpha"])
    F, bound = integer(conclusion["failures"], 0, N), tape.fixed(conclusion["bound"]).scalar
    demand(ZERO < alpha <= LARGEST_ALPHA, f"alpha must be positive and at most {LARGEST_ALPHA}")
    demand(conclusion["relation"] in ("ge", "le"), "a probability is compared by ge or le")
    named = isinstance(conclusion["generator"], str) and isinstance(conclusion["seed"], list)
    demand(named, "sampled evidence names its generator and its seed")
    claims_most = conclusion["relation"] == "ge"
    tail = binomial_tail(N, sub(ONE, bound) if claims_most else bound, F)
    frequency = fmpq(N - F if claims_most else F, N)
    side = "failures" if claims_most else "occurrences"
    sentence = f"{F} {side} in {N} recorded trials: tail {decimal(tail, 4)} <= alpha = {decimal(alpha, 4)}"
    return Reading(le(tail, alpha), sentence, [(frequency, bound)], frequency)


def sampled_mean(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """Bets on the recorded cells: how often a value was at least so far from the end of its range."""
    bound, end = (tape.fixed(conclusion[key]).scalar for key in ("bound", "end"))
    alpha, cells = rational(conclusion["alpha"]), _cells(conclusion["cells"])
    demand(ZERO < alpha <= LARGEST_ALPHA, f"alpha must be positive and at most {LARGEST_ALPHA}")
    demand(conclusion["relation"] in ("ge", "le"), "a mean is compared by ge or le")
    demand(isinstance(conclusion["generator"], str) and isinstance(conclusion["seed"], list), "no generator or seed")
    mean = sub(bound, end) if conclusion["relation"] == "le" else sub(end, bound)
    if not lt(ZERO, mean):
        return Reading(None, "the bound is not certainly inside the range", [])
    wealth = capital(cells, mean)
    trials, side = sum(count for _, count in cells), "above" if conclusion["relation"] == "le" else "below"
    sentence = f"{trials} recorded trials: evidence {decimal(wealth, 4)} that the mean is {side} {decimal(bound, 6)}"
    return Reading(le(div(ONE, alpha), wealth), sentence, [])


def _cells(cells: Any) -> list[tuple[fmpq, int]]:
    demand(isinstance(cells, list) and len(cells) <= MOST_CELLS, "cells are pairs of a height and a count")
    parsed = [(rational(height), integer(count, 1, MOST_TRIALS)) for height, count in cells]
    demand(all(height >= 0 for height, _ in parsed), "a height is not negative")
    return parsed
