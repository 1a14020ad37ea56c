"""Conclusions: what a claim says of nodes or of recorded trials, and whether the numbers prove it false."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from flint import arb, ctx, fmpq

from .arrays import Array, broadcast, stretch, total
from .counts import Pool, binomial_tail, probability
from .findings import (
    Outcome,
    Rejection,
    arithmetic,
    demand,
    elementary,
    malformed,
    on_rationals,
    spend,
)
from .limits import (
    DEEPEST_EVENT,
    DIGITS,
    EVENT,
    LARGEST_SEED,
    LONGEST_SEED,
    MANY_DIGITS,
    MOST_DRAWS,
    MOST_SIZES,
    MOST_TRIALS,
    WIDE,
)
from .matrices import matrices, psd
from .numbers import (
    ONE,
    ZERO,
    Number,
    Truth,
    common,
    contrast,
    decimal,
    div,
    eq,
    every,
    finite,
    hull,
    integer,
    le,
    lower,
    lt,
    mul,
    ne,
    negation,
    rational,
    sub,
    whole,
)
from .program import Tape

Conclusion = dict[str, Any]
Pair = tuple[Number, Number]

NEAR = fmpq(1, 2**50)
RARE = fmpq(1, 10**4)


@dataclass(frozen=True)
class Reading:
    """Is the claim violated, the sentence that says so, and the numbers the engine may have recorded."""

    violated: Truth
    sentence: str
    pairs: list[Pair]
    probability: Number | None = None
    shown: Pair | None = None
    """Both sides where they are farthest apart on the wrong side, or nearest to it."""

    @property
    def values(self) -> dict[str, Any]:
        """What was recomputed, as a certificate keeps it: the same digits on every machine."""
        if self.shown is None:
            return {}
        names = SIDES if self.probability is None else CHANCE
        return dict(zip(names, map(_told, self.shown), strict=True))


def near(x: Number, y: Number) -> Truth:
    """Within 2^-50 of each other."""
    return le(abs(sub(x, y)), NEAR) if finite(x) and finite(y) else None


def integral(x: Number) -> Truth:
    """Is it an integer?"""
    if not finite(x):
        return None
    if isinstance(x, fmpq):
        return bool(x.q == 1)
    return (
        True
        if arb(x).is_integer()
        else None
        if arb(x).contains_integer()
        else False
    )


EVENTS: dict[str, Callable[[Number, Number], Truth]] = {
    "le": le,
    "lt": lt,
    "eq": eq,
    "ne": ne,
}
RELATIONS: dict[str, Callable[[Number, Number], Truth]] = {
    **EVENTS,
    "near": near,
}
VIOLATIONS = {
    "le": (lambda x, y: lt(y, x), ">"),
    "ge": (lt, "<"),
    "eq": (ne, "!="),
    "lt": (lambda x, y: le(y, x), ">="),
    "gt": (le, "<="),
}


def hypothesis(tape: Tape, given: dict[str, Any]) -> Truth:
    """Does the hypothesis hold for every entry, at every atom?"""
    relation, args = given["relation"], given["args"]
    demand(isinstance(args, list), 'a hypothesis has a "relation" and "args"')
    if relation in ("psd", "whole"):
        (j,) = args
        array = tape.node(j)
        demand(len(array.data) > 0, "nothing is said of an empty array")
        if relation == "whole":
            spend(len(array.data))
            return every(map(integral, array.data))
        demand(
            len(array.shape) >= 2 + tape.varies(j),
            "what is PSD is a matrix, or one at each atom",
        )
        return every(
            psd(matrix) for matrix in matrices(array, array.shape[:-2])
        )
    # At every atom, those of probability 0 too: a hypothesis that may fail there is none of the claim's.
    holds = RELATIONS.get(relation)
    if holds is None:
        raise malformed(f"unknown relation {str(relation)[:40]!r}")
    x, y = tape.pair(*args)
    return every(_compared(holds, x, y))


def _compared(
    holds: Callable[[Number, Number], Truth], x: Array, y: Array
) -> list[Truth]:
    """A relation, entry by entry."""
    shape = broadcast(x.shape, y.shape)
    spend(
        EVENT + prod(shape) * (arithmetic() + on_rationals(x.height + y.height))
    )
    return list(map(holds, stretch(x, shape), stretch(y, shape)))


def conclude(tape: Tape, conclusion: Conclusion) -> Reading:
    """Recompute the conclusion; raises Rejection if it is malformed."""
    kind = conclusion["kind"]
    if kind not in KINDS:
        raise malformed(f"unknown kind of conclusion {str(kind)[:40]!r}")
    return KINDS[kind](tape, conclusion)


def _entrywise(tape: Tape, conclusion: Conclusion) -> Reading:
    """An atom of probability 0 violates nothing."""
    i, j = conclusion["args"]
    lhs, rhs = tape.pair(i, j)
    group = tape.common_group((i, j))
    demand(
        group in (0, None), "a random side belongs to the first group of draws"
    )
    weights = [ONE] if group is None else tape.weights()
    violates, mark = VIOLATIONS[
        {"equal": "eq", "less": "lt"}.get(conclusion["kind"], "le")
    ]
    shape = broadcast(lhs.shape, rhs.shape)
    spend(
        prod(shape) * 2 * (arithmetic() + on_rationals(lhs.height + rhs.height))
    )
    pairs = list(zip(stretch(lhs, shape), stretch(rhs, shape), strict=True))
    # "Almost surely" is refuted at an atom of positive probability only; where a weight may be 0 nothing is decided.
    each = max(1, len(pairs) // len(weights))
    truths = [
        every([violates(x, y), lt(ZERO, weights[k // each])])
        for k, (x, y) in enumerate(pairs)
    ]
    certain = [pair for pair, truth in zip(pairs, truths, strict=True) if truth]
    violated = negation(every(map(negation, truths)))
    shown = _farthest(certain or pairs, conclusion["kind"] == "equal")
    return Reading(
        violated,
        _sentence(shown, mark) if certain else "no entry violates the claim",
        certain,
        shown=shown,
    )


def _farthest(pairs: list[Pair], either_way: bool) -> Pair | None:
    """The pair of the largest gap, the first of equal ones: an order that no machine's floats decide."""
    known = [pair for pair in pairs if all(map(finite, pair))]
    # Midpoints only choose which pair is told; that it violates the claim was decided by balls.
    gaps = [arb(sub(*pair)).mid() for pair in known]
    keys = map(abs, gaps) if either_way else gaps
    return max(
        zip(keys, known, strict=True),
        key=lambda entry: entry[0],
        default=(None, None),
    )[1]


def _sentence(pair: Pair | None, mark: str) -> str:
    left, right = ("?", "?") if pair is None else contrast(*pair)
    return f"lhs = {left} {mark} {right} = rhs"


def _quadratic(array: Array, witness: Any) -> Number:
    """x^T A x for a square matrix A and an exact witness x."""
    demand(isinstance(witness, list), "a witness is a list of numbers")
    x = [rational(value) for value in witness]
    demand(
        array.shape == (len(x), len(x)) and bool(x),
        "the witness does not fit the matrix",
    )
    # One direction in which A exceeds B refutes A <= B; the witness is exact, so that only the matrices are balls.
    demand(any(value != 0 for value in x), "the witness is the zero vector")
    spend(
        len(x) ** 2
        * 3
        * (arithmetic() + on_rationals(array.tall + 2 * common(x)))
    )
    (matrix,) = matrices(array)
    return total(
        [
            mul(mul(x[i], x[j]), value)
            for i, row in enumerate(matrix)
            for j, value in enumerate(row)
        ]
    )


def _order(A: Array, B: Array, witness: Any) -> Reading:
    left, right = _quadratic(A, witness), _quadratic(B, witness)
    square = total([rational(value) ** 2 for value in witness])
    unit = div(left, square), div(right, square)  # in a direction of length 1
    a, b = contrast(*unit)
    least = decimal(sub(*reversed(unit)))
    told = f"smallest eigenvalue of rhs - lhs <= {least} (x^T lhs x = {a} > {b} = x^T rhs x, |x| = 1)"
    return Reading(lt(right, left), told, [unit], shown=unit)


def _loewner(tape: Tape, conclusion: Conclusion) -> Reading:
    i, j = conclusion["args"]
    return _order(tape.fixed(i), tape.fixed(j), conclusion["witness"])


def _event(tape: Tape, event: Any, depth: int = 0) -> list[Truth]:
    """Three-valued: does the event hold at each atom?"""
    demand(
        isinstance(event, dict) and len(event) == 1 and depth < DEEPEST_EVENT,
        "malformed event",
    )
    ((name, operands),) = event.items()
    if name in EVENTS:
        return _comparison(tape, EVENTS[name], operands)
    if name == "not":
        return [negation(truth) for truth in _event(tape, operands, depth + 1)]
    demand(
        name in ("and", "or")
        and isinstance(operands, list)
        and len(operands) > 0,
        "malformed event",
    )
    spend(len(operands) * (EVENT + len(tape.weights())))
    columns = zip(
        *(_event(tape, operand, depth + 1) for operand in operands), strict=True
    )
    if name == "and":
        return [every(column) for column in columns]
    return [negation(every(map(negation, column))) for column in columns]


def _comparison(
    tape: Tape, relation: Callable[[Number, Number], Truth], operands: Any
) -> list[Truth]:
    """At each atom: are all entries so related?"""
    i, j = operands
    # What does not depend on a draw holds at all atoms or at none.
    truths, atoms = _compared(relation, *tape.pair(i, j)), len(tape.weights())
    group = tape.common_group((i, j))
    if group is None:
        return [every(truths)] * atoms
    demand(group == 0, "an event belongs to the first group of draws")
    size = len(truths) // atoms
    return [every(truths[a * size : (a + 1) * size]) for a in range(atoms)]


def _probability(tape: Tape, conclusion: Conclusion) -> Reading:
    """Atoms that the balls cannot decide count for neither side."""
    bound, truths = (
        tape.fixed(conclusion["bound"]).scalar,
        _event(tape, conclusion["event"]),
    )
    spend(
        len(truths) * (2 * arithmetic() + on_rationals(common(tape.weights())))
    )
    low = total(
        [
            w
            for w, truth in zip(tape.weights(), truths, strict=True)
            if truth is True
        ]
    )
    high = sub(
        ONE,
        total(
            [
                w
                for w, truth in zip(tape.weights(), truths, strict=True)
                if truth is False
            ]
        ),
    )
    return _crossing(low, high, bound, conclusion["relation"])


def _crossing(
    low: Number, high: Number, bound: Number, relation: str
) -> Reading:
    """A probability between low and high against the claimed bound."""
    violates, mark = VIOLATIONS[relation]
    demand(
        relation in ("ge", "le", "gt", "lt"),
        "a probability is compared by ge, le, gt or lt",
    )
    # P(event) lies between low and high. `P >= bound` is false if the largest it may be is below, and true, as far as this
    # certificate goes, only if the smallest is not.
    near, far = (high, low) if relation in ("ge", "gt") else (low, high)
    outcome = (
        True
        if violates(near, bound)
        else False
        if violates(far, bound) is False
        else None
    )
    a, b = _probabilities(near, bound)
    told = f"P(event) {mark[0]}= {a} {mark} {b}"
    return Reading(
        outcome, told, [(near, bound)], hull(low, high), (near, bound)
    )


def _probabilities(seen: Number, bound: Number) -> list[str]:
    """Both as they are told; one near 1 by what it lacks, `1 - 1.1e-10`."""
    lacks = [sub(ONE, x) for x in (seen, bound)]
    told = zip(lacks, contrast(seen, bound), contrast(*lacks), strict=True)
    return [
        f"1 - {lack}"
        if le(abs(x), RARE) is True and eq(x, ZERO) is False
        else text
        for x, text, lack in told
    ]


def _counts(tape: Tape, conclusion: Conclusion) -> Reading:
    Z = tape.fixed(conclusion["Z"])
    demand(len(Z.shape) == 2 and min(Z.shape) > 0, "Z is a matrix")
    (matrix,) = matrices(Z)
    p, q = (tape.fixed(conclusion[key]).data for key in ("p", "q"))
    demand(
        len(p) == len(q) == Z.shape[1],
        "p and q have one entry for each column of Z",
    )
    lam, eps, bound = (
        tape.fixed(conclusion[key]).scalar for key in ("lam", "eps", "bound")
    )
    demand(
        type(conclusion["two_sided"]) is bool, '"two_sided" is true or false'
    )
    s, nlam = _draws(tape, conclusion["s"]), mul(fmpq(Z.shape[0]), lam)
    # Another number of draws is another probability, so that a ball around s says nothing.
    if s is None:
        return Reading(None, "s is not certainly an integer", [])
    high, decided = probability(
        Pool(matrix, p, q, nlam, s, eps, conclusion["two_sided"])
    )
    reading = _crossing(high if decided else ZERO, high, bound, "ge")
    return replace(
        reading, pairs=[(high, bound)], probability=high, shown=(high, bound)
    )


def _draws(tape: Tape, s: object) -> int | None:
    """The number of features, unless a node leaves it open."""
    value = whole(tape.fixed(s["node"]).scalar) if isinstance(s, dict) else s
    return (
        None
        if isinstance(s, dict) and value is None
        else integer(value, 1, MOST_DRAWS)
    )


# from recorded trials: counts of an event, and bets on the values of a quantity


LARGEST_ALPHA = fmpq(1, 20)
GENERATOR = re.compile(
    r"numpy\.random\.Philox, chunks of [1-9][0-9]{0,9} doubling to [1-9][0-9]{0,9}"
)
BETS = 33
"""Bettor k stakes the fraction 0.99 / 2^(k/2) of what it has on every sample."""

STAKES = [fmpq(head, 2**k) for k in range(15) for head in (3, 2)]
"""What is bet on samples of known variance, per unit of their scale."""


def sampled(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """The binomial tail of the recorded counts; the trials themselves are not run again."""
    N, alpha = integer(conclusion["trials"], 1, MOST_TRIALS), _level(conclusion)
    F, bound = (
        integer(conclusion["failures"], 0, N),
        tape.fixed(conclusion["bound"]).scalar,
    )
    demand(
        conclusion["relation"] in ("ge", "le"),
        "a probability is compared by ge or le",
    )
    # P(event) >= b says that failures are rare: so many as F or more have at most the chance of the tail at 1 - b, for
    # the tail increases with the probability (Clopper and Pearson 1934).
    claims_most = conclusion["relation"] == "ge"
    tail = binomial_tail(N, sub(ONE, bound) if claims_most else bound, F)
    frequency = fmpq(N - F if claims_most else F, N)
    side = "failures" if claims_most else "occurrences"
    sentence = f"{F} {side} in {N} recorded trials: tail {decimal(tail, 4)} <= alpha = {decimal(alpha, 4)}"
    return Reading(le(tail, alpha), sentence, [(frequency, bound)])


def sampled_mean(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """Bets on recorded cells: how often values were at least so far from an end of a range, or an origin."""
    if "variance" in conclusion:
        return _spread_mean(tape, conclusion)
    bound, end = (
        tape.fixed(conclusion[key]).scalar for key in ("bound", "end")
    )
    alpha, cells = _level(conclusion), _cells(conclusion["cells"])
    demand(
        conclusion["relation"] in ("ge", "le"), "a mean is compared by ge or le"
    )
    mean = (
        sub(bound, end) if conclusion["relation"] == "le" else sub(end, bound)
    )
    if not lt(ZERO, mean):
        return Reading(None, "the bound is not certainly inside the range", [])
    wealth = capital(cells, mean)
    sentence = (
        f"{_trials(cells)}: {_evidence(wealth, conclusion['relation'], bound)}"
    )
    return Reading(le(div(ONE, alpha), wealth), sentence, [])


def _spread_mean(tape: Tape, conclusion: dict[str, Any]) -> Reading:
    """The same of values without a range, by what the claim says that their variance is at most."""
    bound, variance = (
        tape.fixed(conclusion[key]).scalar for key in ("bound", "variance")
    )
    origin, scale = (rational(conclusion[key]) for key in ("origin", "scale"))
    alpha, cells = _level(conclusion), _cells(conclusion["cells"], signed=True)
    demand(
        conclusion["relation"] in ("ge", "le"), "a mean is compared by ge or le"
    )
    demand(scale > 0, "a scale is positive")
    if not le(ZERO, variance):
        return Reading(
            None,
            "the variance is not certainly a number that is not negative",
            [],
        )
    mean = (
        sub(bound, origin)
        if conclusion["relation"] == "le"
        else sub(origin, bound)
    )
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
    demand(
        isinstance(points, list) and len(points) == len(ends) == len(sizes),
        "every size needs its trials and the end of its range",
    )
    # Each size has alpha / k of the error (Bonferroni); the slope of the true means is at least that of the ends proved,
    # for it increases in the means of large sizes and decreases in those of small ones.
    enough = div(fmpq(len(sizes)), alpha)
    proved = [
        _bet(*bet, enough)
        for bet in zip(points, ends, _sides(sizes), strict=True)
    ]
    slope = _slope(sizes, [rational(point["mean"]) for point in points])
    sentence = f"recorded trials at {len(sizes)} sizes: the slope is at least {decimal(slope, 4)} > {decimal(bound, 4)}"
    return Reading(
        every([*proved, lt(bound, slope)]), sentence, [(slope, bound)]
    )


def _level(conclusion: dict[str, Any]) -> fmpq:
    """The error level; the evidence has to say how its trials can be drawn again."""
    alpha, seed, generator = (
        rational(conclusion["alpha"]),
        conclusion["seed"],
        conclusion["generator"],
    )
    demand(
        ZERO < alpha <= LARGEST_ALPHA,
        f"alpha must be positive and at most {LARGEST_ALPHA}",
    )
    # Trials are evidence only if who reads the file can draw them again: the engine's comparison with the text does.
    named = isinstance(generator, str) and GENERATOR.fullmatch(generator)
    demand(bool(named), "the generator of the trials is not one that is known")
    demand(
        isinstance(seed, list) and 0 < len(seed) <= LONGEST_SEED,
        "the seed of the trials is a list of integers",
    )
    for key in seed:
        integer(key, 0, LARGEST_SEED)
    return alpha


def _sizes(sizes: Any) -> list[int]:
    demand(
        isinstance(sizes, list) and 3 <= len(sizes) <= MOST_SIZES,
        f"a rate has three to {MOST_SIZES} sizes",
    )
    return [integer(size, 1, MOST_TRIALS) for size in sizes]


def _sides(sizes: list[int]) -> list[str]:
    """Which bound of the mean makes the slope small: by the sign of log s - mean of the logs, exactly."""
    # log s < mean of the logarithms is s^k < product, in whole numbers: no rounding puts a size on the wrong side.
    product = prod(sizes)
    powers = [size ** len(sizes) for size in sizes]
    return [
        "above" if power > product else "below" if power < product else "none"
        for power in powers
    ]


def _slope(sizes: list[int], means: list[fmpq]) -> arb:
    """By least squares, of the logarithms of the means against those of the sizes."""
    demand(all(mean > 0 for mean in means), "a rate is one of positive means")
    logs = [arb(size).log() for size in sizes]
    centre = sum(logs, arb(0)) / len(logs)
    points = zip(logs, means, _sides(sizes), strict=True)
    used = [
        (x - centre, arb(mean).log())
        for x, mean, side in points
        if side != "none"
    ]
    square = sum((w * w for w, _ in used), arb(0))
    return sum((w * y for w, y in used), arb(0)) / square


def _bet(
    point: dict[str, Any], end: Number, side: str, enough: Number
) -> Truth:
    """Whether the mean lies on the given side of `mean`; where the weight is zero nothing is said."""
    demand(point["side"] == side, f"this size is bounded from the side: {side}")
    if side == "none":
        demand(
            point["cells"] == [] and point["mean"] == "1",
            "nothing is recorded of a mean without weight",
        )
        return True
    distance = (
        sub(rational(point["mean"]), end)
        if side == "above"
        else sub(end, rational(point["mean"]))
    )
    return (
        le(enough, capital(_cells(point["cells"]), distance))
        if lt(ZERO, distance)
        else None
    )


def _cells(cells: Any, signed: bool = False) -> list[tuple[fmpq, int]]:
    demand(isinstance(cells, list), "cells are pairs of a height and a count")
    spend(sum(2 + len(str(cell)) / 50 for cell in cells))
    parsed = [
        (rational(height), integer(count, 1, MOST_TRIALS))
        for height, count in cells
    ]
    demand(
        signed or all(height >= 0 for height, _ in parsed),
        "a height is not negative",
    )
    return parsed


def capital(cells: Sequence[tuple[fmpq, int]], mean: Number) -> arb:
    """Mean capital after betting that E(Y) > mean, for values Y >= 0 that are at least h, count times.

    If E(Y) <= mean it ever exceeds 1 / alpha with probability at most alpha (Ville).
    """
    spend(len(cells) * BETS * (elementary() + 2 * arithmetic()))
    odds = [(arb(h) / mean - 1, count) for h, count in cells]
    # Each bettor's capital is a product of 1 + stake (Y / mean - 1), whose mean is at most 1 if E(Y) <= mean; the mean of
    # the bettors is such a product too. A value Y >= h is counted as h, which only makes the capital smaller.
    total = arb(0)
    for k in range(BETS):
        stake = arb(fmpq(99, 100)) / arb(2) ** (arb(k) / 2)
        total += sum(
            (count * (1 + stake * x).log() for x, count in odds), arb(0)
        ).exp()
    return total / BETS


def spread_capital(
    cells: Sequence[tuple[fmpq, int]],
    mean: Number,
    variance: Number,
    scale: fmpq,
) -> arb:
    """The same for values Y of any sign whose variance is at most v.

    With f(y) = 1 + y + y^2/2 for y >= 0 and 1 / (1 - y + y^2/2) below, which increases and is at most
    1 + y + y^2/2, the products of f(b (Y - mean)) / (1 + b^2 v / 2) are supermartingales if E(Y) <= mean
    (Catoni 2012; Wang and Ramdas 2023).
    """
    spend(len(cells) * len(STAKES) * (elementary() + 4 * arithmetic()))
    # f increases, and a lower end of Y - mean makes the capital smaller: the evidence is never overstated.
    above = [(arb(lower(arb(h) - mean)), count) for h, count in cells]
    trials, total = sum(count for _, count in cells), arb(0)
    for stake in (s / scale for s in STAKES):
        gained = sum((count * _grown(stake * y) for y, count in above), arb(0))
        total += (
            gained - trials * (1 + arb(stake * stake / 2) * variance).log()
        ).exp()
    return total / len(STAKES)


def _grown(y: arb) -> arb:
    """The logarithm of f(y) for a number y that is known exactly."""
    size = (1 + abs(y) + y * y / 2).log()
    return size if y >= 0 else -size


# the values that a certificate holds, against the recomputed ones


SIDES, CHANCE = ("lhs", "rhs"), ("probability", "bound")
LAST_DIGIT = arb(10) ** (1 - DIGITS)
"""A number of so many digits is known to this, relatively."""

DECIMAL = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e[+-]?[0-9]{1,40})?")


def _told(x: Number) -> str:
    """As many digits as say a number; more near 1, which a probability may lack little of."""
    with ctx.workprec(WIDE):
        near_one = le(abs(sub(ONE, x)), RARE)
        return decimal(x, MANY_DIGITS if near_one else DIGITS)


def check_values(values: Any, reading: Reading) -> None:
    """Raise Rejection unless lhs and rhs are those of one violated entry, and the probability too."""
    demand(
        isinstance(values, dict),
        "values are lhs and rhs, or a probability and its bound",
    )
    if not values:
        return
    names = SIDES if reading.probability is None else CHANCE
    demand(
        tuple(sorted(values)) == tuple(sorted(names)),
        f"the values of this conclusion are {' and '.join(names)}",
    )
    with ctx.workprec(WIDE):
        recorded = [_decimal(values[name]) for name in names]
        agree = any(all(map(_same, recorded, pair)) for pair in reading.pairs)
    if not agree:
        raise Rejection(
            Outcome.VALUE_DIFFERS,
            f"the recorded {' and '.join(names)} differ from the recomputed ones",
        )


def _same(recorded: arb, x: Number) -> bool:
    """Whether a decimal is a number up to its last digit, or to what balls know of it."""
    # The engine's own number may lie anywhere in the ball: both are enclosures of one number.
    known = arb(x)
    return bool(
        abs(recorded - known.mid())
        <= LAST_DIGIT * abs(known.mid()) + known.rad() + recorded.rad()
    )


def _decimal(text: Any) -> arb:
    demand(
        isinstance(text, str) and bool(DECIMAL.fullmatch(text)),
        "a recorded value is a decimal",
    )
    return arb(text)


KINDS: dict[str, Callable[[Tape, Conclusion], Reading]] = {
    "at_most": _entrywise,
    "equal": _entrywise,
    "less": _entrywise,
    "loewner": _loewner,
    "probability": _probability,
    "counts": _counts,
    "sampled": sampled,
    "sampled_mean": sampled_mean,
    "sampled_rate": sampled_rate,
}
