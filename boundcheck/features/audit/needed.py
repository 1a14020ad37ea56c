"""How many features are needed: failures of nested prefixes over trials, with exact binomial intervals.

Before it what the trials are made of: the spectrum of a kernel matrix, what whitens by it, and features drawn
plainly or by leverage scores.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy.linalg import cho_factor, cho_solve

from boundcheck.checking.confidence import clopper_pearson
from boundcheck.features.audit import WINDOW, AuditPlan, Scene
from boundcheck.features.compiled import U
from boundcheck.features.compiled.ridge import (
    definiteness,
    deviation_exceeds,
    square_sums,
)
from boundcheck.features.kernels import FourierFeatures, Matrix, ShiftInvariant, Vector

FLOOR = 1e-10
"""Eigenvalues below FLOOR times the largest are counted to the rest."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """K = V^T diag(values) V + E on X (n, d), V (r, n) with orthonormal rows, E >= 0 of trace `rest`.

    `values` (r,) decrease; each is at most the eigenvalue of K of its number, and at least that less `rest`.
    """

    kernel: ShiftInvariant
    X: Matrix = field(repr=False)
    values: Vector = field(repr=False)
    V: Matrix = field(repr=False)
    rest: float

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.X)

    def dimension(self, lam: float) -> tuple[float, float]:
        """A lower and an upper bound of the effective dimension Tr K (K + n lam I)^-1."""
        low = float(np.sum(self.values / (self.values + self.n * lam)))
        return low, low + self.rest / (self.n * lam)

    def scene(self, y: Vector, lam: float, eps: float, delta: float, n: int) -> Scene:
        """What theorems about n such points ask for, y (n,) labels; all but d_K are of the low-rank part."""
        ridge, mu, c = self.n * lam, self.values, self.V @ y
        share = mu / (mu + ridge)
        return Scene(
            n=n, lam=lam, d_K=self.dimension(lam)[1], eps=eps, delta=delta,
            lambda_1=float(mu[0]) / self.n,
            energy=float(mu @ c**2) / self.n**2,
            Q=float((share / (mu + ridge)) @ c**2),
            label_square=float(np.mean(y**2)),
            prediction_square=float(np.sum((share * c) ** 2)) / self.n,
            z0_squared=self.kernel.bound,
        )  # fmt: skip


def pivoted_cholesky(
    kernel: ShiftInvariant, X: Matrix, trace: float, most: int
) -> Spectrum | None:
    """The spectrum with a rest of trace at most `trace`, by pivoted Cholesky; None beyond `most` columns.

    Harbrecht, Peters, Schneider (2012). Memory: most x n.
    """
    G = _pivoted_cholesky(kernel, X, trace, min(most, len(X)))
    if G is None:
        return None
    values, Q = np.linalg.eigh(G @ G.T)
    values, Q = values[::-1], Q[:, ::-1]
    keep = values > FLOOR * values[0]
    V = (Q[:, keep].T @ G) / np.sqrt(values[keep])[:, None]
    rest = max(len(X) - float(np.sum(values[keep])), 0.0)  # K has trace n
    return Spectrum(kernel, X, values[keep], V, rest)


def full_spectrum(kernel: ShiftInvariant, X: Matrix) -> Spectrum:
    """The spectrum from all eigenvalues of K; n x n memory, a few times."""
    values, Q = np.linalg.eigh(kernel.matrix(X, X))
    keep = values > FLOOR * values[-1]
    V = np.ascontiguousarray(Q[:, keep][:, ::-1].T)
    return Spectrum(
        kernel, X, values[keep][::-1], V, float(np.sum(np.maximum(values[~keep], 0.0)))
    )


def _pivoted_cholesky(
    kernel: ShiftInvariant, X: Matrix, trace: float, most: int
) -> Matrix | None:
    """G (r, n) with K - G^T G >= 0 of trace at most `trace`, or None if r would exceed `most` < n."""
    n = len(X)
    G, left = np.empty((most, n)), np.ones(n)
    for r in range(most):
        if float(np.sum(left)) <= trace:
            return G[:r]
        pivot = int(np.argmax(left))
        column = kernel.matrix(X, X[pivot : pivot + 1])[:, 0] - G[:r, pivot] @ G[:r]
        G[r] = column / np.sqrt(left[pivot])
        left = np.maximum(left - G[r] ** 2, 0.0)
        left[pivot] = 0.0
    return G if most == n or float(np.sum(left)) <= trace else None


# features of one trial, plain ones or ridge leverage weighted ones by rejection, and what whitens them


BLOCK = 128  # features at a time


@dataclass(frozen=True, eq=False)
class Whitening:
    """A = V^T diag(values) V + n lam I, values above `cut` n lam, and W = (values + n lam)^(-1/2) V."""

    spectrum: Spectrum
    lam: float
    cut: float

    @property
    def ridge(self) -> float:
        """n lam."""
        return self.spectrum.n * self.lam

    @cached_property
    def rank(self) -> int:
        """How many eigenvalues are in A."""
        return max(int(np.sum(self.spectrum.values > self.cut * self.ridge)), 1)

    @property
    def values(self) -> Vector:
        """(rank,)."""
        return self.spectrum.values[: self.rank]

    @property
    def V(self) -> Matrix:
        """(rank, n)."""
        return self.spectrum.V[: self.rank]

    @cached_property
    def W(self) -> Matrix:
        return self.V / np.sqrt(self.values + self.ridge)[:, None]

    @property
    def target(self) -> Vector:
        """Eigenvalues in A, whitened; (rank,)."""
        return self.values / (self.values + self.ridge)

    @property
    def slack(self) -> float:
        """Bound on the norm of what A leaves out of K, over n lam."""
        left = self.spectrum.values[self.rank : self.rank + 1]
        return (float(np.sum(left)) + self.spectrum.rest) / self.ridge

    @property
    def mass(self) -> tuple[float, float]:
        """A lower and an upper bound of Tr A^-1 K."""
        low = float(
            np.sum(self.target) + np.sum(self.spectrum.values[self.rank :]) / self.ridge
        )
        return low, low + self.spectrum.rest / self.ridge

    def scores(self, Z: Matrix) -> Vector:
        """z^T A^-1 z for each column of Z (n, b)."""
        Y = self.W @ Z
        inside, within = (
            square_sums(Y, self.values + self.ridge),
            square_sums(Y, np.ones(len(Y))),
        )
        return (
            within
            + np.maximum(square_sums(Z, np.ones(len(Z))) - inside, 0.0) / self.ridge
        )


@dataclass(frozen=True, eq=False)
class Draws:
    """The features of a trial, a function of seed, trial and sampling; the first s do not depend on s."""

    whitening: Whitening
    sampling: str
    seed: int

    @property
    def acceptance(self) -> float:
        """Share of candidates kept: all, or d_K lam / z0^2: a leverage score is at most z0^2 / lam."""
        return self._mass / self._most if self.sampling == "leverage" else 1.0

    @property
    def slack(self) -> float:
        """Bound on the relative error of the weights, from that of Tr A^-1 K."""
        low, high = self.whitening.mass
        return (high - low) / (high + low) if self.sampling == "leverage" else 0.0

    def blocks(self, trial: int) -> Iterator[Matrix]:
        """Features (n, b), b <= BLOCK, times the roots of their weights, without end."""
        return self._plain(trial) if self.sampling == "plain" else self._weighted(trial)

    @property
    def _mass(self) -> float:
        return float(np.mean(self.whitening.mass))

    @property
    def _most(self) -> float:
        return self.whitening.spectrum.kernel.bound / self.whitening.lam

    def _plain(self, trial: int) -> Iterator[Matrix]:
        for part in self._parts(trial):
            yield part.of(self.whitening.spectrum.X)

    def _parts(self, trial: int) -> Iterator[FourierFeatures]:
        """The features of a trial without end, BLOCK at a time, made in a few larger and larger shares."""
        spectrum, at = self.whitening.spectrum, 0
        while True:
            stop = 8 * BLOCK + 2 * at
            features = spectrum.kernel.features(
                stop, spectrum.X.shape[1], self.seed, trial
            )
            yield from features.parts(BLOCK, stop, at)
            at = stop

    def _weighted(self, trial: int) -> Iterator[Matrix]:
        """z is kept with probability l lam / z0^2, l = z^T A^-1 z; density p l / d, weight d / l."""
        rng = np.random.Generator(
            np.random.Philox(np.random.SeedSequence([self.seed, trial]))
        )
        for Z in self._plain(trial):
            score = self.whitening.scores(Z)
            keep = rng.random(len(score)) * self._most < score
            yield Z[:, keep] * np.sqrt(self._mass / score[keep])


# failures of nested prefixes


PILOTS = 7
FIRST_PILOT, FIRST_LEVERAGE = 1 << 31, 1 << 30
"""Trial numbers: no two kinds of trials share features."""

OPERATIONS = 1e12
"""Floating-point operations that the trials of one sampling may take: less than a minute of one core."""

LEAST = 4 * WINDOW
"""Features that a measurement must be able to reach."""

COSINE = 120
"""Floating-point operations that a cosine costs as much time as."""


@dataclass(frozen=True)
class Needed:
    """Trials that failed the two-sided eps at each of `sizes` (increasing), on `points` points.

    `fewest` (sizes,) surely failed; `most` are those not shown to be within eps. `intervals` hold the failure
    probabilities of all sizes and samplings together but with probability plan.level.
    """

    sampling: str
    points: int
    delta: float
    sizes: tuple[int, ...]
    trials: int
    fewest: tuple[int, ...] = field(repr=False)
    most: tuple[int, ...] = field(repr=False)
    intervals: tuple[tuple[float, float], ...] = field(repr=False)

    @property
    def too_few(self) -> int | None:
        """The largest of the sizes that fails with probability above delta."""
        rates = zip(self.sizes, self.intervals, strict=True)
        return max((s for s, (low, _) in rates if low > self.delta), default=None)

    @property
    def enough(self) -> int | None:
        """The least of the sizes that fails with probability delta at most."""
        rates = zip(self.sizes, self.intervals, strict=True)
        return min((s for s, (_, high) in rates if high <= self.delta), default=None)


def features_needed(
    draws: Draws, plan: AuditPlan, workers: int, tell: Callable[[], object], last: bool
) -> Needed | None:
    """Count at a window of sizes that other trials have found; the same for any number of workers.

    None if OPERATIONS do not pay for the window; on the `last` attempt the window is cut, and None if nothing
    worthwhile is left.
    """
    sizes = _window(draws, plan, workers, last)
    if sizes is None:
        return None
    first = FIRST_LEVERAGE if draws.sampling == "leverage" else 0
    trials = range(first, first + plan.trials_made)
    outcomes = np.array(
        [
            o
            for o in _in_parallel(draws, plan.eps, sizes, trials, workers)
            if tell() or True
        ]
    )
    fewest, most = (
        tuple(np.sum(surely, axis=0).tolist())
        for surely in (outcomes > 0, outcomes >= 0)
    )
    lows = (clopper_pearson(k, len(trials), plan.interval_level)[0] for k in fewest)
    highs = (clopper_pearson(k, len(trials), plan.interval_level)[1] for k in most)
    points, intervals = draws.whitening.spectrum.n, tuple(zip(lows, highs, strict=True))
    return Needed(
        draws.sampling, points, plan.delta, sizes, len(trials), fewest, most, intervals
    )


def _most_features(draws: Draws, trials: int) -> int:
    """Features for each of so many trials that OPERATIONS pay for; s cost about s each + s^2 squared."""
    at = draws.whitening
    (n, d), r = at.spectrum.X.shape, at.rank
    each = (
        n * (6 * d + COSINE + 2 * r * (draws.sampling == "leverage")) / draws.acceptance
        + 2 * n * r
    )
    squared, budget = 2 * n + 12 * r, OPERATIONS / trials
    return int((math.sqrt(each**2 + 4 * squared * budget) - each) / (2 * squared))


def exceedances(
    draws: Draws, eps: float, sizes: Sequence[int], trial: int
) -> list[int]:
    """For the first s features of a trial: -1 if the deviation is within eps, +1 if not, 0 open."""
    return list(_nested(draws, eps, sizes, trial))


def _nested(
    draws: Draws, eps: float, sizes: Sequence[int], trial: int
) -> Iterator[int]:
    features = Features(draws)
    for Z in _cut(draws.blocks(trial), sizes):
        features.add(Z)
        if features.s in sizes:
            yield features.verdict(eps)


def _cut(blocks: Iterator[Matrix], sizes: Sequence[int]) -> Iterator[Matrix]:
    """The features of the blocks up to sizes[-1], in parts that also end at each of the sizes."""
    start = 0
    for Z in blocks:
        stop = start + Z.shape[1]
        cuts = [start, *(s for s in sizes if start < s < stop), min(stop, sizes[-1])]
        yield from (
            Z[:, a - start : b - start] for a, b in itertools.pairwise(cuts) if b > a
        )
        start = stop
        if stop >= sizes[-1]:
            return


def _window(
    draws: Draws, plan: AuditPlan, workers: int, last: bool
) -> tuple[int, ...] | None:
    """WINDOW sizes around those from where half of the pilots pass to where about delta / 16 fail.

    Each of d directions fails like exp(-c s), so that sizes go as log(d / p) for a failure probability p.
    """
    d = max(draws.whitening.spectrum.dimension(draws.whitening.lam)[0], 1.0)
    factor = math.log(16 * d / plan.delta) / math.log(2 * d)
    most = _most_features(draws, plan.trials_made)
    if most < LEAST:
        return None
    grid = _geometric(min(math.ceil(max(d / 2, 2)), most), most, math.sqrt(2))
    half = _half(draws, plan.eps, grid, workers)
    if factor * half > most and not last:
        return None
    low, high = max(half / 2, 1), factor * half
    if high > most:
        low, high = min(low, most / 4), most
    return tuple(
        sorted(
            {
                max(round(low * (high / low) ** (i / (WINDOW - 1))), 1)
                for i in range(WINDOW)
            }
        )
    )


def _half(draws: Draws, eps: float, grid: list[int], workers: int) -> float:
    """The size in the grid from which half of the pilots pass; infinite if there is none."""
    pilots = range(FIRST_PILOT, FIRST_PILOT + PILOTS)
    pool: Any = Parallel(n_jobs=workers, prefer="threads")
    passed: list[float] = pool(
        delayed(_first_within)(draws, eps, grid, trial) for trial in pilots
    )
    return sorted(passed)[PILOTS // 2]


def _first_within(draws: Draws, eps: float, grid: list[int], trial: int) -> float:
    verdicts = zip(grid, _nested(draws, eps, grid, trial), strict=True)
    return next((s for s, verdict in verdicts if verdict < 0), math.inf)


def _geometric(low: int, high: int, ratio: float) -> list[int]:
    """Sizes from low to high, each about `ratio` times the one before."""
    steps = math.ceil(math.log(high / low) / math.log(ratio))
    return sorted({min(round(low * ratio**i), high) for i in range(steps + 1)})


def _in_parallel(
    draws: Draws, eps: float, sizes: Sequence[int], trials: range, workers: int
) -> Iterator[list[int]]:
    """The outcomes of each trial, in order, by threads: BLAS and kernels let go of the interpreter."""
    pool: Any = Parallel(n_jobs=workers, prefer="threads", return_as="generator")
    yield from pool(delayed(exceedances)(draws, eps, sizes, trial) for trial in trials)


# whether s features leave |(K + n lam I)^(-1/2) (K_s - K) (K + n lam I)^(-1/2)| within eps, as s grows


class Features:
    """The features so far, the columns of Z (n, s), with K_s = Z Z^T / s.

    While s <= n, Z^T Z is kept, and s x s matrices decide by Schur complements; then Z Z^T.
    """

    def __init__(self, draws: Draws):
        self.draws, self.whitening, self.s = draws, draws.whitening, 0
        n, room = self.whitening.spectrum.n, 1
        self.Z, self.Y = np.empty((room, n)), np.empty((room, self.whitening.rank))
        self.inner = np.empty((room, room))
        self.outer: Matrix | None = None

    def add(self, Z: Matrix) -> None:
        """Some more features, (n, b)."""
        n, b = Z.shape
        if self.outer is None and self.s + b > n:
            self.outer = self.Z[: self.s].T @ self.Z[: self.s]
        if self.outer is None:
            self._append(Z)
        else:
            self.outer += Z @ Z.T
        self.s += b

    def _append(self, Z: Matrix) -> None:
        start, stop = self.s, self.s + Z.shape[1]
        if stop > len(self.Z):
            more = 2 * stop - len(self.Z)
            self.Z, self.Y = (
                np.concatenate([M, np.empty((more, M.shape[1]))])
                for M in (self.Z, self.Y)
            )
            self.inner = np.pad(self.inner, (0, more))
        self.Z[start:stop] = Z.T
        self.Y[start:stop] = Z.T @ self.whitening.W.T
        self.inner[:stop, start:stop] = self.Z[:stop] @ Z
        self.inner[start:stop, :start] = self.inner[:start, start:stop].T

    def verdict(self, eps: float) -> int:
        """-1 if the deviation is within eps, +1 if not, 0 if that is open.

        What A leaves out of K is between 0 and eta n lam; weights are known up to a factor 1 +- kappa.
        """
        eta, kappa = self.whitening.slack, self.draws.slack
        within = (eps - eta - kappa) / (1 + kappa)
        if within > 0 and self._exceeds(within) < 0:
            return -1
        return int(
            kappa < 1
            and self._exceeds((eps * (1 + eta) + eta + kappa) / (1 - kappa)) > 0
        )

    def _exceeds(self, eps: float) -> int:
        """Whether |A^(-1/2) (K_s - K) A^(-1/2)| > eps for the K in A: +1 surely, -1 surely not, 0 open."""
        at = self.whitening
        if self.outer is not None:
            K = (at.V.T * at.values) @ at.V
            return deviation_exceeds(
                K + at.ridge * np.eye(len(K)), self.outer / self.s - K, eps
            )
        signs = {self._above(eps), self._below(eps)}
        return 1 if -1 in signs else 0 if 0 in signs else -1

    def _above(self, eps: float) -> int:
        """Sign of eps A + K - K_s, that is, of s I - Z^T (eps A + K)^-1 Z."""
        G, slack = self._weighted(1 / (self.whitening.target + eps), eps)
        return definiteness(np.eye(self.s), G, self.s, slack)

    def _below(self, eps: float) -> int:
        """Sign of eps A - K + K_s, by the block of the few negative entries of eps A - K, whitened.

        It is D + Y (s I + Z^T (eps A - K)^-1 Z)^-1 Y^T: D these entries, the inverse that of the others.
        """
        diagonal = eps - self.whitening.target
        few = int(
            np.sum(diagonal < eps / 2)
        )  # the first ones, for eigenvalues decrease
        inverse = np.concatenate([np.zeros(few), 1 / diagonal[few:]])
        G, slack = self._weighted(inverse, eps)
        Y = self.Y[: self.s, :few]
        block = Y.T @ cho_solve(
            cho_factor(G + self.s * np.eye(self.s), overwrite_a=True), Y
        )
        slack = (2 * slack / self.s + 8 * self.s * U) * (1 + float(np.trace(block)))
        return (
            definiteness(np.eye(few), -np.diag(diagonal[:few]) - block, 0.0, slack)
            if few
            else 1
        )

    def _weighted(self, weights: np.ndarray, eps: float) -> tuple[Matrix, float]:
        """Z^T M Z and its rounding: M has the weights in A's whitened eigenvectors, else 1 / (eps n lam)."""
        at, s = self.whitening, self.s
        outside, inner = 1 / (eps * at.ridge), self.inner[:s, :s]
        G = (self.Y[:s] * (weights - outside * (at.values + at.ridge))) @ self.Y[:s].T
        G += outside * inner
        return (G + G.T) / 2, 4 * (at.spectrum.n + at.rank) * U * outside * float(
            np.trace(inner)
        )
