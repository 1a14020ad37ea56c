"""How many features are needed: failures of nested prefixes over trials, with exact binomial intervals.

Before it what the trials are made of: the spectrum of a kernel matrix, what whitens by it, and features drawn
plainly or by leverage scores.
"""

from __future__ import annotations

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
from boundcheck.features.kernels import Matrix, ShiftInvariant, Vector

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

    def scene(
        self, y: Vector, lam: float, eps: float, delta: float, n: int
    ) -> Scene:
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
    n, r = len(X), 0
    G, left = np.empty((min(most, n), n)), np.ones(n)  # K - G^T G, its diagonal
    while r < len(G) and (r == 0 or np.sum(left) > trace):
        pivot = int(np.argmax(left))
        column = (
            kernel.matrix(X, X[pivot : pivot + 1])[:, 0] - G[:r, pivot] @ G[:r]
        )
        G[r] = column / np.sqrt(left[pivot])
        left = np.maximum(left - G[r] ** 2, 0.0)
        left[pivot] = 0.0
        r += 1
    if r < n and np.sum(left) > trace:
        return None
    values, Q = np.linalg.eigh(G[:r] @ G[:r].T)
    keep = np.flatnonzero(values > FLOOR * values[-1])[::-1]
    V = (Q[:, keep].T @ G[:r]) / np.sqrt(values[keep])[:, None]
    rest = max(n - float(np.sum(values[keep])), 0.0)  # K has trace n
    return Spectrum(kernel, X, values[keep], V, rest)


def full_spectrum(kernel: ShiftInvariant, X: Matrix) -> Spectrum:
    """The spectrum from all eigenvalues of K; n x n memory, a few times."""
    values, Q = np.linalg.eigh(kernel.matrix(X, X))
    keep = np.flatnonzero(values > FLOOR * values[-1])[::-1]
    rest = float(np.sum(np.maximum(np.delete(values, keep), 0.0)))
    return Spectrum(
        kernel, X, values[keep], np.ascontiguousarray(Q[:, keep].T), rest
    )


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
            np.sum(self.target)
            + np.sum(self.spectrum.values[self.rank :]) / self.ridge
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
            + np.maximum(square_sums(Z, np.ones(len(Z))) - inside, 0.0)
            / self.ridge
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
        return (
            (high - low) / (high + low) if self.sampling == "leverage" else 0.0
        )

    def blocks(self, trial: int) -> Iterator[Matrix]:
        """Features (n, b), b <= BLOCK, times the roots of their weights, without end."""
        spectrum, at = self.whitening.spectrum, 0
        seed = np.random.SeedSequence([self.seed, trial])
        rng = np.random.Generator(np.random.Philox(seed))
        while True:  # they are made in a few larger and larger shares
            stop, d = 8 * BLOCK + 2 * at, spectrum.X.shape[1]
            features = spectrum.kernel.features(stop, d, self.seed, trial)
            for part in features.parts(BLOCK, stop, at):
                Z = part.of(spectrum.X)
                yield Z if self.sampling == "plain" else self._kept(Z, rng)
            at = stop

    @property
    def _mass(self) -> float:
        return float(np.mean(self.whitening.mass))

    @property
    def _most(self) -> float:
        return self.whitening.spectrum.kernel.bound / self.whitening.lam

    def _kept(self, Z: Matrix, rng: np.random.Generator) -> Matrix:
        """z is kept with probability l lam / z0^2, l = z^T A^-1 z; density p l / d, weight d / l."""
        score = self.whitening.scores(Z)
        keep = rng.random(len(score)) * self._most < score
        return Z[:, keep] * np.sqrt(self._mass / score[keep])


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
        return max(
            (s for s, (low, _) in rates if low > self.delta), default=None
        )

    @property
    def enough(self) -> int | None:
        """The least of the sizes that fails with probability delta at most."""
        rates = zip(self.sizes, self.intervals, strict=True)
        return min(
            (s for s, (_, high) in rates if high <= self.delta), default=None
        )


def features_needed(
    draws: Draws,
    plan: AuditPlan,
    workers: int,
    tell: Callable[[], object],
    last: bool,
) -> Needed | None:
    """Count at a window of sizes that other trials have found; the same for any number of workers.

    None if OPERATIONS do not pay for the window; on the `last` attempt the window is cut, and None if nothing
    worthwhile is left.
    """
    sizes = _window(draws, plan, workers, last)
    if sizes is None:
        return None
    first, made = (
        FIRST_LEVERAGE * (draws.sampling == "leverage"),
        plan.trials_made,
    )
    trials = range(first, first + made)
    outcomes = []
    for found in _each(exceedances, draws, plan.eps, sizes, trials, workers):
        outcomes.append(found)
        tell()
    signs, level = np.array(outcomes), plan.interval_level
    fewest, most = (
        np.sum(bad, axis=0).tolist() for bad in (signs > 0, signs >= 0)
    )
    intervals = tuple(
        (
            clopper_pearson(few, made, level)[0],
            clopper_pearson(many, made, level)[1],
        )
        for few, many in zip(fewest, most, strict=True)
    )
    return Needed(
        draws.sampling, draws.whitening.spectrum.n, plan.delta, sizes, made,
        tuple(fewest), tuple(most), intervals,
    )  # fmt: skip


def _each(
    call: Callable[[Draws, float, Sequence[int], int], Any],
    draws: Draws, eps: float, sizes: Sequence[int], trials: range, workers: int,
) -> Iterator[Any]:  # fmt: skip
    """Of each trial, in order, by threads: BLAS and kernels let go of the interpreter."""
    pool: Any = Parallel(
        n_jobs=workers, prefer="threads", return_as="generator"
    )
    return pool(delayed(call)(draws, eps, sizes, trial) for trial in trials)


def _most_features(draws: Draws, trials: int) -> int:
    """Features for each of so many trials that OPERATIONS pay for; s cost about s each + s^2 squared."""
    at = draws.whitening
    (n, d), r = at.spectrum.X.shape, at.rank
    made = 6 * d + COSINE + 2 * r * (draws.sampling == "leverage")
    each = n * made / draws.acceptance + 2 * n * r
    squared, budget = 2 * n + 12 * r, OPERATIONS / trials
    return int(
        (math.sqrt(each**2 + 4 * squared * budget) - each) / (2 * squared)
    )


def exceedances(
    draws: Draws, eps: float, sizes: Sequence[int], trial: int
) -> list[int]:
    """For the first s features of a trial: -1 if the deviation is within eps, +1 if not, 0 open."""
    return list(_nested(draws, eps, sizes, trial))


def _nested(
    draws: Draws, eps: float, sizes: Sequence[int], trial: int
) -> Iterator[int]:
    features, blocks = Features(draws), draws.blocks(trial)
    Z = next(blocks)
    for s in sizes:
        while features.s < s:
            while not Z.shape[1]:
                Z = next(blocks)
            wanted = s - features.s
            features.add(Z[:, :wanted])
            Z = Z[:, wanted:]
        yield features.verdict(eps)


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
    low = min(math.ceil(max(d / 2, 2)), most)
    steps = math.ceil(2 * math.log2(most / low))
    grid = sorted(
        {min(round(low * 2 ** (i / 2)), most) for i in range(steps + 1)}
    )
    pilots = range(FIRST_PILOT, FIRST_PILOT + PILOTS)
    passed = sorted(
        _each(_first_within, draws, plan.eps, grid, pilots, workers)
    )
    half = passed[PILOTS // 2]
    if factor * half > most and not last:
        return None
    low, high = max(half / 2, 1), factor * half
    if high > most:
        low, high = min(low, most / 4), most
    return tuple(
        sorted({max(round(s), 1) for s in np.geomspace(low, high, WINDOW)})
    )


def _first_within(
    draws: Draws, eps: float, grid: Sequence[int], trial: int
) -> float:
    """The least size in the grid at which a trial passes; infinite if there is none."""
    verdicts = zip(grid, _nested(draws, eps, grid, trial), strict=True)
    return next((s for s, verdict in verdicts if verdict < 0), math.inf)


# whether s features leave |(K + n lam I)^(-1/2) (K_s - K) (K + n lam I)^(-1/2)| within eps, as s grows


class Features:
    """The features so far, the columns of Z (n, s), with K_s = Z Z^T / s.

    While s <= n, Z^T Z is kept, and s x s matrices decide by Schur complements; then Z Z^T.
    """

    def __init__(self, draws: Draws):
        self.draws, self.whitening, self.s = draws, draws.whitening, 0
        n, rank = self.whitening.spectrum.n, self.whitening.rank
        self.Z, self.Y, self.inner = (
            np.empty((0, n)),
            np.empty((0, rank)),
            np.empty((0, 0)),
        )
        self.outer: Matrix | None = None

    def add(self, Z: Matrix) -> None:
        """Some more features, (n, b)."""
        if self.outer is None and self.s + Z.shape[1] > len(Z):
            self.outer = self.Z.T @ self.Z
        if self.outer is None:
            beside = self.Z @ Z
            self.inner = np.block([[self.inner, beside], [beside.T, Z.T @ Z]])
            self.Y = np.concatenate([self.Y, Z.T @ self.whitening.W.T])
            self.Z = np.concatenate([self.Z, Z.T])
        else:
            self.outer += Z @ Z.T
        self.s += Z.shape[1]

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
        Y = self.Y[:, :few]
        block = Y.T @ cho_solve(
            cho_factor(G + self.s * np.eye(self.s), overwrite_a=True), Y
        )
        slack = (2 * slack / self.s + 8 * self.s * U) * (
            1 + float(np.trace(block))
        )
        return (
            definiteness(
                np.eye(few), -np.diag(diagonal[:few]) - block, 0.0, slack
            )
            if few
            else 1
        )

    def _weighted(
        self, weights: np.ndarray, eps: float
    ) -> tuple[Matrix, float]:
        """Z^T M Z and its rounding: M has the weights in A's whitened eigenvectors, else 1 / (eps n lam)."""
        at, outside = self.whitening, 1 / (eps * self.whitening.ridge)
        G = (self.Y * (weights - outside * (at.values + at.ridge))) @ self.Y.T
        G += outside * self.inner
        return (G + G.T) / 2, 4 * (
            at.spectrum.n + at.rank
        ) * U * outside * float(np.trace(self.inner))
