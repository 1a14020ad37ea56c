"""Conclusions from recorded trials: counts of an event, and bets on the values of a quantity."""

import re
from collections.abc import Sequence
from math import prod
from typing import Any

from flint import arb, fmpq

from .binomials import binomial_tail
from .findings import demand
from .numbers import ONE, ZERO, Number, Truth, decimal, div, every, integer, le, lower, lt, rational, sub
from .program import Tape
from .reading import Reading
from .work import arithmetic, elementary, spend

LARGEST_ALPHA = fmpq(1, 20)
GENERATOR = re.compile(r"numpy\.random\.Philox, chunks of [1-9][0-9]{0,9} doubling to [1-9][0-9]{0,9}")
LARGEST_SEED, LONGEST_SEED = 2**128, 20
MOST_TRIALS = 10**10
MOST_CELLS = 200_000
MOST_SIZES = 100
BETS = 33
"""Bettor k stakes the fraction 0.99 / 2^(k/2) of what it has on every sample."""

STAKES = [fmpq(head, 2**k) for k in range(15) for head in (3, 2)]
"""What is bet on samples of known variance, per unit of their scale."""


def sampled(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """The binomial tail of the recorded counts; the trials themselves are not run again."""
    N, alpha = integer(conclusion["trials"], 1, MOST_TRIALS), _level(conclusion)
    F, bound = integer(conclusion["failures"], 0, N), tape.fixed(conclusion["bound"]).scalar
    demand(conclusion["relation"] in ("ge", "le"), "a probability is compared by ge or le")
    claims_most = conclusion["relation"] == "ge"
    tail = binomial_tail(N, sub(ONE, bound) if claims_most else bound, F)
    frequency = fmpq(N - F if claims_most else F, N)
    side = "failures" if claims_most else "occurrences"
    sentence = f"{F} {side} in {N} recorded trials: tail {decimal(tail, 4)} <= alpha = {decimal(alpha, 4)}"
    return Reading(le(tail, alpha), sentence, [(frequency, bound)], frequency)


def sampled_mean(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """Bets on the recorded cells: how often a value was at least so far from an end of its range, or an origin."""
    if "variance" in conclusion:
        return _spread_mean(tape, conclusion)
    bound, end = (tape.fixed(conclusion[key]).scalar for key in ("bound", "end"))
    alpha, cells = _level(conclusion), _cells(conclusion["cells"])
    demand(conclusion["relation"] in ("ge", "le"), "a mean is compared by ge or le")
    mean = sub(bound, end) if conclusion["relation"] == "le" else sub(end, bound)
    if not lt(ZERO, mean):
        return Reading(None, "the bound is not certainly inside the range", [])
    wealth = capital(cells, mean)
    sentence = f"{_trials(cells)}: {_evidence(wealth, conclusion['relation'], bound)}"
    return Reading(le(div(ONE, alpha), wealth), sentence, [])


def _spread_mean(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """The same of values without a range, by what the claim says that their variance is at most."""
    bound, variance = (tape.fixed(conclusion[key]).scalar for key in ("bound", "variance"))
    origin, scale = (rational(conclusion[key]) for key in ("origin", "scale"))
    alpha, cells = _level(conclusion), _cells(conclusion["cells"], signed=True)
    demand(conclusion["relation"] in ("ge", "le"), "a mean is compared by ge or le")
    demand(scale > 0, "a scale is positive")
    if not le(ZERO, variance):
        return Reading(None, "the variance is not certainly a number that is not negative", [])
    mean = sub(bound, origin) if conclusion["relation"] == "le" else sub(origin, bound)
    wealth = spread_capital(cells, mean, variance, scale)
    given = f"with a variance of at most {decimal(variance, 6)}"
    sentence = f"{_trials(cells)}: {_evidence(wealth, conclusion['relation'], bound)}, {given}"
    return Reading(le(div(ONE, alpha), wealth), sentence, [])


def _trials(cells: list[tuple[fmpq, int]]) -> str:
    return f"{sum(count for _, count in cells)} recorded trials"


def _evidence(wealth: Number, relation: str, bound: Number) -> str:
    side = "above" if relation == "le" else "below"
    return f"evidence {decimal(wealth, 4)} that the mean is {side} {decimal(bound, 6)}"


def sampled_rate(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """Bets on the recorded cells at every size: the means that they leave make too large a slope.

    The error alpha is split evenly over the sizes; at each only one side of the mean is bet on.
    """
    bound, points = tape.fixed(conclusion["bound"]).scalar, conclusion["points"]
    alpha, sizes = _level(conclusion), _sizes(conclusion["sizes"])
    ends = [tape.fixed(j).scalar for j in conclusion["args"]]
    demand(isinstance(points, list) and len(points) == len(ends) == len(sizes), "every size needs its trials and the end of its range")
    enough = div(fmpq(len(sizes)), alpha)
    proved = [_bet(*bet, enough) for bet in zip(points, ends, _sides(sizes), strict=True)]
    slope = _slope(sizes, [rational(point["mean"]) for point in points])
    sentence = f"recorded trials at {len(sizes)} sizes: the slope is at least {decimal(slope, 4)} > {decimal(bound, 4)}"
    return Reading(every([*proved, lt(bound, slope)]), sentence, [(slope, bound)])


def _level(conclusion: dict[str, Any]) -> fmpq:
    """The error level; the evidence has to say how its trials can be drawn again."""
    alpha, seed, generator = rational(conclusion["alpha"]), conclusion["seed"], conclusion["generator"]
    demand(ZERO < alpha <= LARGEST_ALPHA, f"alpha must be positive and at most {LARGEST_ALPHA}")
    named = isinstance(generator, str) and GENERATOR.fullmatch(generator)
    demand(bool(named), "the generator of the trials is not one that is known")
    demand(isinstance(seed, list) and 0 < len(seed) <= LONGEST_SEED, "the seed of the trials is a list of integers")
    for key in seed:
        integer(key, 0, LARGEST_SEED)
    return alpha


def _sizes(sizes: Any) -> list[int]:
    demand(isinstance(sizes, list) and 3 <= len(sizes) <= MOST_SIZES, f"a rate has three to {MOST_SIZES} sizes")
    return [integer(size, 1, MOST_TRIALS) for size in sizes]


def _sides(sizes: list[int]) -> list[str]:
    """Which bound of the mean makes the slope small: by the sign of log s - mean of the logs, exactly."""
    product = prod(sizes)
    powers = [size ** len(sizes) for size in sizes]
    return ["above" if power > product else "below" if power < product else "none" for power in powers]


def _slope(sizes: list[int], means: list[fmpq]) -> arb:
    demand(all(mean > 0 for mean in means), "a rate is one of positive means")
    logs = [arb(size).log() for size in sizes]
    centre = sum(logs, arb(0)) / len(logs)
    used = [(x - centre, m) for x, m, side in zip(logs, means, _sides(sizes), strict=True) if side != "none"]
    return sum((w * arb(mean).log() for w, mean in used), arb(0)) / sum((w * w for w, _ in used), arb(0))


def _bet(point: dict[str, Any], end: Number, side: str, enough: Number) -> Truth:
    """Whether the mean lies on the given side of `mean`; where the weight is zero nothing is said."""
    demand(point["side"] == side, f"this size is bounded from the side: {side}")
    if side == "none":
        demand(point["cells"] == [] and point["mean"] == "1", "nothing is recorded of a mean without weight")
        return True
    distance = sub(rational(point["mean"]), end) if side == "above" else sub(end, rational(point["mean"]))
    return le(enough, capital(_cells(point["cells"]), distance)) if lt(ZERO, distance) else None


def _cells(cells: Any, signed: bool = False) -> list[tuple[fmpq, int]]:
    demand(isinstance(cells, list) and len(cells) <= MOST_CELLS, "cells are pairs of a height and a count")
    spend(sum(2 + len(str(cell)) / 50 for cell in cells))
    parsed = [(rational(height), integer(count, 1, MOST_TRIALS)) for height, count in cells]
    demand(signed or all(height >= 0 for height, _ in parsed), "a height is not negative")
    return parsed


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


def spread_capital(cells: Sequence[tuple[fmpq, int]], mean: Number, variance: Number, scale: fmpq) -> arb:
    """The same for values Y of any sign whose variance is at most v.

    With f(y) = 1 + y + y^2/2 for y >= 0 and 1 / (1 - y + y^2/2) below, which increases and is at most
    1 + y + y^2/2, the products of f(b (Y - mean)) / (1 + b^2 v / 2) are supermartingales if E(Y) <= mean
    (Catoni 2012; Wang and Ramdas 2023).
    """
    spend(len(cells) * len(STAKES) * (elementary() + 4 * arithmetic()))
    above = [(arb(lower(arb(h) - mean)), count) for h, count in cells]
    trials, total = sum(count for _, count in cells), arb(0)
    for stake in (s / scale for s in STAKES):
        gained = sum((count * _grown(stake * y) for y, count in above), arb(0))
        total += (gained - trials * (1 + arb(stake * stake / 2) * variance).log()).exp()
    return total / len(STAKES)


def _grown(y: arb) -> arb:
    """The logarithm of f(y) for a number y that is known exactly."""
    size = (1 + abs(y) + y * y / 2).log()
    return size if y >= 0 else -size
