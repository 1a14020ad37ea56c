"""What a sweep is asked to do: kernel, ridges, sizes, repeats and the seed of everything random."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

SCALINGS = ("unbiased", "printed")
"""sqrt(2) cos, unbiased for the kernel; and cos alone as Section 6.1 prints it, unbiased for half of it."""

FEWEST = 2
"""Repeats of a sweep, at least: an interval takes some."""

MAX_TRAIN = 16384  # two n x n matrices within 4 GiB


@dataclass(frozen=True)
class SweepPlan:
    """The experiment of Wang (2019), Section 6, for lam = c / sqrt(n) with c in `ridges`.

    `kernel` is a name or MODULE:CLASS. `bandwidth` None is the rule of Section 6.1, sigma^2 the mean squared
    distance (gaussian) or sigma the mean L1 distance (laplace) of the training points. `train` None is half the
    rows, 5000 at most. `level` bounds the probability that any slope interval misses; `delta` is Theorem 1's.
    Raises ValueError.
    """

    kernel: str = "gaussian"
    bandwidth: float | None = None
    ridges: tuple[float, ...] = (0.2, 1.0, 5.0)
    sizes: tuple[int, ...] = (16, 32, 64, 128, 256, 512, 1024, 2048)
    repeats: int = 100
    train: int | None = None
    seed: int = 0
    level: float = 0.01
    delta: float = 0.05

    def __post_init__(self) -> None:
        from boundcheck.features.kernels import kernel_named  # not above: the help of a command loads no NumPy

        kernel_named(self.kernel)
        for fault in itertools.chain(_grid_faults(self), _number_faults(self)):
            raise ValueError(fault)

    def train_rows(self, rows: int) -> int:
        """Number of training points out of so many rows."""
        return min(rows // 2, 5000) if self.train is None else self.train

    @property
    def interval_level(self) -> float:
        """Level of each slope interval: a union bound over ridges and scalings makes `level` of them."""
        return self.level / (len(self.ridges) * len(SCALINGS))


def _grid_faults(plan: SweepPlan) -> Iterator[str]:
    if len(plan.sizes) < 2:
        yield "A slope takes two sizes; give at least two, as in 16,32."
    if any(s < 1 for s in plan.sizes):
        yield f"A number of features is at least 1; drop {min(plan.sizes)} from the sizes."
    for s, t in itertools.pairwise(plan.sizes):
        if s >= t:
            yield f"Sizes must increase, but {t} comes after {s}; sort them, each once."
    if not plan.ridges or not all(_positive(c) for c in plan.ridges):
        yield "Ridges are positive numbers c with lam = c / sqrt(n); give at least one, as in 0.2, 1, 5."


def _number_faults(plan: SweepPlan) -> Iterator[str]:
    if plan.bandwidth is not None and not _positive(plan.bandwidth):
        yield f"A bandwidth is a positive number; give one instead of {plan.bandwidth}."
    if plan.repeats < FEWEST:
        yield f"A sweep takes at least {FEWEST} repeats; give more than {plan.repeats}."
    if plan.train is not None and not 2 <= plan.train <= MAX_TRAIN:
        yield f"Training takes 2 to {MAX_TRAIN} points (4 GiB of memory); choose that many, not {plan.train}."
    if not 0 <= plan.seed < 1 << 64:
        yield f"A seed lies in [0, 2^64); give such a number instead of {plan.seed}."
    for name, value in (("level", plan.level), ("delta", plan.delta)):
        if not 0 < value < 1:
            yield f"A {name} lies in (0, 1); give such a number instead of {value}."


def _positive(x: float) -> bool:
    return math.isfinite(x) and x > 0
