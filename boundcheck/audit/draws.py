"""Random features of one trial, plain ones or ridge leverage weighted ones by rejection, and what whitens them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from boundcheck.audit.spectrum import Spectrum
from boundcheck.compiled.leverage import square_sums
from boundcheck.features.kernels import FourierFeatures, Matrix, Vector

BLOCK = 128  # features at a time


@dataclass(frozen=True, eq=False)
class Whitening:
    """A = V^T diag(values) V + n lam I of the eigenvalues above `cut` n lam, and W = (values + n lam)^(-1/2) V."""

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
    """The features of a trial, a pure function of seed, trial and sampling; the first s do not depend on s."""

    whitening: Whitening
    sampling: str
    seed: int

    @property
    def acceptance(self) -> float:
        """Share of candidates kept: all, or d_K lam / z0^2, as a leverage score is at most z0^2 / lam times its density."""
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
            yield from spectrum.kernel.features(stop, spectrum.X.shape[1], self.seed, trial).parts(BLOCK, stop, at)
            at = stop

    def _weighted(self, trial: int) -> Iterator[Matrix]:
        """z is kept with probability l(z) / (z0^2 / lam), l = z^T A^-1 z, and has then the density p l / d and the weight d / l."""
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence([self.seed, trial])))
        for Z in self._plain(trial):
            score = self.whitening.scores(Z)
            keep = rng.random(len(score)) * self._most < score
            yield Z[:, keep] * np.sqrt(self._mass / score[keep])
