"""Conclusions: sentences that the numbers of a sweep write, about its data, its grid and its repeats only."""

from __future__ import annotations

import math

import numpy as np

from .median import repeats_needed
from .plan import SCALINGS
from .result import Sweep

COLUMNS = "lam sqrt(n)", "features", "s = {first}", "s = {last}", "slope", "median slope"
"""Of the table, with the first and the last number of features."""

NAMES = {"unbiased": "unbiased features (with sqrt 2)", "printed": "features as printed (without sqrt 2)"}


def conclusions(sweep: Sweep) -> list[str]:
    """What the sweep says of the 1/s rate, the floor, and the hypothesis and bound of Theorem 1.

    Of the 1/s rate it judges the slope on the grid; no finite grid can tell the limit.
    """
    ridges = range(len(sweep.lams))
    rates = [_rate(sweep, j, scaling) for scaling in reversed(SCALINGS) for j in ridges]
    floors = [_floor(sweep, j) for j in ridges]
    bounds = [_bounds(sweep, scaling) for scaling in reversed(SCALINGS)]
    return [_setting(sweep), *rates, *floors, _hypothesis(sweep), *bounds, _crossing(sweep), _advice(sweep)]


def table(sweep: Sweep) -> list[tuple[str, ...]]:
    """A row for each ridge and scaling, under COLUMNS."""
    cells = [(j, c) for j in range(len(sweep.lams)) for c in range(len(SCALINGS))]
    return [(f"{sweep.plan.ridges[j]:g}", SCALINGS[c], *_row(sweep, j, c)) for j, c in cells]


def _row(sweep: Sweep, j: int, c: int) -> tuple[str, ...]:
    mse, (low, high) = sweep.mean_mse[j, :, c], sweep.slope_intervals[j, c]
    return f"{mse[0]:.2e}", f"{mse[-1]:.2e}", f"{sweep.slopes[j, c]:.3f}", f"{low:.3f} .. {high:.3f}"


def _setting(sweep: Sweep) -> str:
    (n, m, _), plan = sweep.shape, sweep.plan
    return (
        f"{sweep.data}: {n} training and {m} test points, {plan.kernel} kernel, sigma = {sweep.sigma:.4g}, "
        f"{plan.repeats} repeats, s from {plan.sizes[0]} to {plan.sizes[-1]}; the slope intervals below are "
        "for the median slope of a repeat, exact (order statistics), and all hold together with probability "
        f"at least {1 - plan.level:.6g}."
    )


def _rate(sweep: Sweep, j: int, scaling: str) -> str:
    c, last = SCALINGS.index(scaling), sweep.plan.sizes[-1]
    miss = sweep.mean_mse[j, -1, c] / sweep.extrapolated[j, -1, c]
    return (
        f"{_lam(sweep, j)}, {NAMES[scaling]}: the mean MSE goes as s^{sweep.slopes[j, c]:.3f}; "
        f"{_interval(sweep, j, c)}; at s = {last} the mean MSE is {miss:.3g} times the 1/s line drawn from "
        f"s = {sweep.plan.sizes[0]}."
    )


def _interval(sweep: Sweep, j: int, c: int) -> str:
    low, high = sweep.slope_intervals[j, c]
    if math.isinf(low):
        return (
            "too few repeats for an interval of the median slope "
            f"({repeats_needed(sweep.plan.interval_level)} needed)"
        )
    # Rounded outwards, so that what is printed covers what was computed.
    shown = f"[{math.floor(low * 1000) / 1000:.3f}, {math.ceil(high * 1000) / 1000:.3f}]"
    verdict = "is compatible with -1"
    if high < -1:
        verdict = "is not compatible with -1 (steeper on this grid)"
    if low > -1:
        verdict = "is not compatible with -1 (flatter on this grid)"
    return f"the interval of the median slope, {shown}, {verdict}"


def _floor(sweep: Sweep, j: int) -> str:
    last, mse, floor = sweep.plan.sizes[-1], sweep.mean_mse[j, -1, 1], sweep.floor[j]
    state = "within a factor 2 of it: the curve runs into a plateau" if mse <= 2 * floor else "still above it"
    return (
        f"{_lam(sweep, j)}: as s grows, the features as printed tend to KRR with 2 lam, whose MSE against "
        f"KRR with lam is {floor:.3g}; at s = {last} their mean MSE is {mse / floor:.3g} times that floor, "
        f"{state}."
    )


def _hypothesis(sweep: Sweep) -> str:
    plan, (first, *_, last) = sweep.plan, sweep.plan.sizes
    met = [f"{_lam(sweep, j)} at s = {plan.sizes[g]}" for j, g in np.argwhere(sweep.hypothesis)]
    who = f"{len(met)} of the {sweep.hypothesis.size} settings satisfy it ({', '.join(met)})"
    a, b, least = (
        sweep.least_ridge(s, x) for s, x in ((first, plan.delta), (last, plan.delta), (first, 1.0))
    )
    return (
        f"Theorem 1 asks for lam = c/sqrt(n) with c >= 2b sqrt(log(s/delta)); for b = {sweep.b:g} and delta = "
        f"{plan.delta:g} that is c >= {a:.3g} at s = {first} and c >= {b:.3g} at s = {last}, and c > "
        f"{least:.3g} at s = {first} whatever delta is; "
        f"{who if met else f'none of the {sweep.hypothesis.size} settings satisfies it'}."
    )


def _bounds(sweep: Sweep, scaling: str) -> str:
    """How the mean over the repeats, an estimate of the expectation, lies to the bounds."""
    c = SCALINGS.index(scaling)
    bare, whole = sweep.ratio[..., c], sweep.theorem_bound / sweep.mean_mse[..., c]
    below = whole < 1
    count = f"{below.sum()} ({(below & sweep.hypothesis).sum()} of them under its hypothesis)"
    if not below.any():
        count = "none: no slope on this grid speaks against it, an upper bound"
    return (
        f"{NAMES[scaling].capitalize()}: bound (31) is {bare.min():.3g} to {bare.max():.3g} times the mean "
        f"MSE and below it in {np.sum(bare < 1)} of {bare.size} settings; Theorem 1's 4b/s version is "
        f"{whole.min():.3g} to {whole.max():.3g} times the mean MSE and below it in {count}."
    )


def _crossing(sweep: Sweep) -> str:
    at = sweep.theorem_bound[:, 0] * sweep.plan.sizes[0] / sweep.floor
    where = ", ".join(f"{s:.0f} for {_lam(sweep, j)}" for j, s in enumerate(at))
    return (
        f"Theorem 1's 4b/s bound falls below the floor of the features as printed once s exceeds {where}; "
        "that is no counterexample: they estimate half the kernel, and Assumption 1 asks for unbiased ones."
    )


def _advice(sweep: Sweep) -> str:
    """The first number of unbiased features whose mean MSE is at most the floor, the effect of a doubled ridge."""
    below = sweep.mean_mse[..., 0] <= sweep.floor[:, None]
    sizes = [np.array(sweep.plan.sizes)[row] for row in below]
    counts = [f"{s[0]}" if len(s) else f"more than {sweep.plan.sizes[-1]}" for s in sizes]
    told = ", ".join(f"{count} for {_lam(sweep, j)}" for j, count in enumerate(counts))
    return (
        f"Take unbiased features, {told}: with so many, of those tried, the mean MSE is at most the floor, and "
        "more of them change less than a ridge twice as large would."
    )


def _lam(sweep: Sweep, j: int) -> str:
    return f"lam = {sweep.plan.ridges[j]:g}/sqrt(n)"
