"""The spectrum of a kernel matrix, what whitens by it, and features drawn plainly or by leverage scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from boundcheck.audit import Scene
from boundcheck.compiled.ridge import square_sums
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


def low_rank(kernel: ShiftInvariant, X: Matrix, trace: float, most: int) -> Spectrum | None:
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


def whole(kernel: ShiftInvariant, X: Matrix) -> Spectrum:
    """The spectrum from all eigenvalues of K; n x n memory, a few times."""
    values, Q = np.linalg.eigh(kernel.matrix(X, X))
    keep = values > FLOOR * values[-1]
    V = np.ascontiguousarray(Q[:, keep][:, ::-1].T)
    return Spectrum(kernel, X, values[keep][::-1], V, float(np.sum(np.maximum(values[~keep], 0.0))))


def _pivoted_cholesky(kernel: ShiftInvariant, X: Matrix, trace: float, most: int) -> Matrix | None:
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
        low = float(np.sum(self.target) + np.sum(self.spectrum.values[self.rank :]) / self.ridge)
        return low, low + self.spectrum.rest / self.ridge

    def scores(self, Z: Matrix) -> Vector:
        """z^T A^-1 z for each column of Z (n, b)."""
        Y = self.W @ Z
        inside, within = square_sums(Y, self.values + self.ridge), square_sums(Y, np.ones(len(Y)))
        return within + np.maximum(square_sums(Z, np.ones(len(Z))) - inside, 0.0) / self.ridge


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
            features = spectrum.kernel.features(stop, spectrum.X.shape[1], self.seed, trial)
            yield from features.parts(BLOCK, stop, at)
            at = stop

    def _weighted(self, trial: int) -> Iterator[Matrix]:
        """z is kept with probability l lam / z0^2, l = z^T A^-1 z; density p l / d, weight d / l."""
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence([self.seed, trial])))
        for Z in self._plain(trial):
            score = self.whitening.scores(Z)
            keep = rng.random(len(score)) * self._most < score
            yield Z[:, keep] * np.sqrt(self._mass / score[keep])
