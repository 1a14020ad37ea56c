"""The radius of a value by the verifier's balls, for operations that are rare, small, or hard to bound by hand."""

from __future__ import annotations

import numpy as np
from flint import arb, ctx, fmpq

from boundcheck.operations.roundoff import Step
from boundcheck.tape.exactly import PRECISION
from boundcheck.verifier.arrays import Array
from boundcheck.verifier.balls import Balls
from boundcheck.verifier.findings import Rejection
from boundcheck.verifier.operations import entry
from boundcheck.verifier.program import ERRORS


def enclosed(step: Step) -> np.ndarray:
    """How far the farthest point of each ball is from the float; inf where that is not known."""
    if entry(step.node["op"]).kind != "entries":
        return _distances(step)
    # Atoms and whole numbers have few values: each is looked at once.
    rows = [
        np.broadcast_to(z, step.value.shape).ravel()
        for z in (step.value, *step.xs, *step.rs)
    ]
    few, back = np.unique(rows, axis=1, return_inverse=True)
    value, *xs = few
    once = Step(step.node, value, xs[: len(step.xs)], xs[len(step.xs) :])
    return _distances(once)[back].reshape(step.value.shape)


def _distances(step: Step) -> np.ndarray:
    operands = [_balls(x, r) for x, r in zip(step.xs, step.rs, strict=True)]
    try:
        with ctx.workprec(PRECISION):
            result = Balls().value(0, step.node, operands)
            gaps = list(map(_gap, result.data, step.value.ravel().tolist()))
    except (Rejection, *ERRORS):
        gaps = [np.inf] * step.value.size
    return np.reshape(gaps, step.value.shape)


def _balls(x: np.ndarray, r: np.ndarray) -> Array:
    pairs = zip(
        x.ravel().tolist(), np.broadcast_to(r, x.shape).ravel().tolist()
    )
    return Array(x.shape, [_ball(*pair) for pair in pairs])


def _ball(x: float, r: float) -> fmpq | arb:
    exact = r == 0 and np.isfinite(x)
    return fmpq(*x.as_integer_ratio()) if exact else arb(x, r)


def _gap(ball: fmpq | arb, value: float) -> float:
    gap = abs(arb(ball) - arb(value))
    return float(gap.upper()) if gap.is_finite() else np.inf
