"""Whether s features leave |(K + n lam I)^(-1/2) (K_s - K) (K + n lam I)^(-1/2)| within eps, as s grows."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from boundcheck.audit.draws import Draws
from boundcheck.compiled.threshold import U, definiteness, deviation_exceeds
from boundcheck.features.kernels import Matrix


class Features:
    """The features so far, the columns of Z (n, s), with K_s = Z Z^T / s.

    While s <= n, Z^T Z is kept, and s x s matrices decide by Schur complements; then Z Z^T.
    """

    def __init__(self, draws: Draws):
        self.draws, self.whitening, self.s = draws, draws.whitening, 0
        n, room = self.whitening.spectrum.n, 1
        self.Z, self.Y, self.inner = np.empty((room, n)), np.empty((room, self.whitening.rank)), np.empty((room, room))
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
            self.Z, self.Y = (np.concatenate([M, np.empty((more, M.shape[1]))]) for M in (self.Z, self.Y))
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
        return int(kappa < 1 and self._exceeds((eps * (1 + eta) + eta + kappa) / (1 - kappa)) > 0)

    def _exceeds(self, eps: float) -> int:
        """Whether |A^(-1/2) (K_s - K) A^(-1/2)| > eps for the K in A: +1 surely, -1 surely not, 0 open."""
        at = self.whitening
        if self.outer is not None:
            K = (at.V.T * at.values) @ at.V
            return deviation_exceeds(K + at.ridge * np.eye(len(K)), self.outer / self.s - K, eps)
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
        few = int(np.sum(diagonal < eps / 2))  # the first ones, for eigenvalues decrease
        inverse = np.concatenate([np.zeros(few), 1 / diagonal[few:]])
        G, slack = self._weighted(inverse, eps)
        Y = self.Y[: self.s, :few]
        block = Y.T @ cho_solve(cho_factor(G + self.s * np.eye(self.s), overwrite_a=True), Y)
        slack = (2 * slack / self.s + 8 * self.s * U) * (1 + float(np.trace(block)))
        return definiteness(np.eye(few), -np.diag(diagonal[:few]) - block, 0.0, slack) if few else 1

    def _weighted(self, weights: np.ndarray, eps: float) -> tuple[Matrix, float]:
        """Z^T M Z and its rounding: M has the weights in A's whitened eigenvectors, else 1 / (eps n lam)."""
        at, s = self.whitening, self.s
        outside, inner = 1 / (eps * at.ridge), self.inner[:s, :s]
        G = (self.Y[:s] * (weights - outside * (at.values + at.ridge))) @ self.Y[:s].T
        G += outside * inner
        return (G + G.T) / 2, 4 * (at.spectrum.n + at.rank) * U * outside * float(np.trace(inner))
