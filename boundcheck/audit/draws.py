"""Random features of one trial, whitened: plain ones, or ridge leverage weighted ones by rejection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from boundcheck.audit.spectrum import Spectrum
from boundcheck.compiled.leverage import square_sums
from boundcheck.features.kernels import FourierFeatures, Matrix, Vector

BLOCK = 128  # features at a time

Block = tuple[Matrix, Vector]
"""Whitened features (r, b), times the root of their weights, and weighted squared norms of what the low-rank part misses, (b,)."""


@dataclass(frozen=True, eq=False)
class Whitening:
    """A = V^T diag(values) V + n lam I of a spectrum, and W = (values + n lam)^(-1/2) V."""

    spectrum: Spectrum
    lam: float

    @property
    def ridge(self) -> float:
        """n lam."""
        return self.spectrum.n * self.lam

    @cached_property
    def W(self) -> Matrix:
        return self.spectrum.V / np.sqrt(self.spectrum.values + self.ridge)[:, None]

    @property
    def target(self) -> Vector:
        """Eigenvalues of the low-rank part of K, whitened; (r,)."""
        return self.spectrum.values / (self.spectrum.values + self.ridge)

    @property
    def slack(self) -> float:
        """Bound on the norm of the rest of K, whitened."""
        return self.spectrum.rest / self.ridge

    def of(self, Z: Matrix) -> Block:
        """W Z, and |z|^2 / (n lam) of the part of each column of Z (n, b) outside the rows of V."""
        Y = self.W @ Z
        outside = square_sums(Z, np.ones(len(Z))) - square_sums(Y, self.spectrum.values + self.ridge)
        return Y, np.maximum(outside, 0.0) / self.ridge


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
        """Bound on the relative error of the weights, from that of Tr (A^-1 K)."""
        low, high = self.whitening.spectrum.dimension(self.whitening.lam)
        return (high - low) / (high + low) if self.sampling == "leverage" else 0.0

    def blocks(self, trial: int) -> Iterator[Block]:
        """Blocks of at most BLOCK features, without end."""
        return self._plain(trial) if self.sampling == "plain" else self._weighted(trial)

    @property
    def _mass(self) -> float:
        return float(np.mean(self.whitening.spectrum.dimension(self.whitening.lam)))

    @property
    def _most(self) -> float:
        return self.whitening.spectrum.kernel.bound / self.whitening.lam

    def _plain(self, trial: int) -> Iterator[Block]:
        for part in self._parts(trial):
            yield self.whitening.of(part.of(self.whitening.spectrum.X))

    def _parts(self, trial: int) -> Iterator[FourierFeatures]:
        """The features of a trial without end, BLOCK at a time, made in a few larger and larger shares."""
        spectrum, at = self.whitening.spectrum, 0
        while True:
            stop = 8 * BLOCK + 2 * at
            yield from spectrum.kernel.features(stop, spectrum.X.shape[1], self.seed, trial).parts(BLOCK, stop, at)
            at = stop

    def _weighted(self, trial: int) -> Iterator[Block]:
        """z is kept with probability l(z) / (z0^2 / lam), l = z^T A^-1 z, and has then the density p l / d and the weight d / l."""
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence([self.seed, trial])))
        for Y, outside in self._plain(trial):
            score = square_sums(Y, np.ones(len(Y))) + outside
            keep = rng.random(len(score)) * self._most < score
            weight = self._mass / score[keep]
            yield Y[:, keep] * np.sqrt(weight), outside[keep] * weight
