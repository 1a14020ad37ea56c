"""The spectral deviation of weighted random features: a random quantity, with its law for a small pool."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from boundcheck.features.counts import some_count_outside
from boundcheck.features.pools import CopiedFeatures
from boundcheck.laws import (
    NotFinite,
    count_vectors,
    multinomial_weights,
    require_enumerable,
)
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.tape import Tape, constant, value_of
from boundcheck.words.hypotheses import whole

INTERVAL_ATOMS = 100
"""Multinomial counts in intervals cost as much as one count vector for each so many features."""

ATOM_WORK = 3
"""Array entries that a count vector costs."""


@dataclass(frozen=True)
class CountsLaw:
    """The law of the deviation through the multinomial counts of the features, block by block."""

    case: CopiedFeatures
    s: int
    two_sided: bool

    def at(self, eps: object) -> Threshold:
        return Threshold(self, eps)


@dataclass(frozen=True)
class Threshold:
    """The event that the deviation is at most eps."""

    law: CountsLaw
    eps: Any

    def failure(self) -> tuple[float, int]:
        """Probability that the deviation exceeds eps, and the work. Raises NotFinite for too large a pool."""
        case, s = self.law.case, self.law.s
        m = case.block.shape[1]
        if m == 1:
            require_enumerable(s * case.copies / INTERVAL_ATOMS)
            value = some_count_outside(s, case.copies, *self._interval())
            return value, s * case.copies * ATOM_WORK // INTERVAL_ATOMS
        if case.copies > 1 or m > 3:
            raise NotFinite("This pool has too many count vectors.")
        require_enumerable(comb(s + m - 1, m - 1))
        counts = count_vectors(s, m)
        weights = multinomial_weights(counts, case.q)
        return float(np.sum(weights[self._exceeds(counts)])), ATOM_WORK * len(
            counts
        )

    def _interval(self) -> tuple[int, int]:
        """Counts N of a block's only feature with |N / (s q) - 1| z^T (K + n lam I)^-1 z within eps."""
        case, s = self.law.case, self.law.s
        mean = s / case.copies
        reach = float(self.eps) / float(case.leverage[0]) * mean * (1 + 1e-12)
        high = (
            s if not self.law.two_sided else min(int(np.floor(mean + reach)), s)
        )
        return max(int(np.ceil(mean - reach)), 0), high

    def _exceeds(self, counts: np.ndarray) -> np.ndarray:
        """Whether the deviation of one block surely exceeds eps, for each count vector (rows)."""
        deviation = block_deviation(
            self.law.case, counts, self.law.s, self.law.two_sided
        )
        return deviation > float(self.eps) * (1 + 1e-9) + 1e-12

    def conclusion(self, tape: Tape) -> dict[str, Any]:
        """The event as a certificate states it."""
        case = self.law.case
        nodes = {
            "Z": case.Z,
            "p": case.p,
            "q": case.q,
            "lam": case.lam,
            "eps": self.eps,
        }
        spelled = {name: constant(tape, x).node for name, x in nodes.items()}
        return {
            "kind": "counts",
            **spelled,
            "s": self.law.s,
            "two_sided": self.law.two_sided,
        }


def spectral_deviation(
    case: CopiedFeatures, s: Any, two_sided: bool = True
) -> Quantity:
    """||(K + n lam I)^-1/2 (Ktilde - K) (K + n lam I)^-1/2||, s features drawn from q, Ktilde unbiased for K.

    s is rounded up. With `two_sided=False` the largest eigenvalue of K - Ktilde, whitened. Raises OutOfReach
    for an s beyond any machine.
    """
    s = whole(s)

    def sample(rng: Any, size: int) -> Any:
        counts = rng.multinomial(s, value_of(case.q), size)
        blocks = counts.reshape(size * case.copies, -1)
        return (
            block_deviation(case, blocks, s, two_sided)
            .reshape(size, case.copies)
            .max(axis=1)
        )

    q = quantity(sample, low=0.0 if two_sided else None)
    q.law = CountsLaw(case, s, two_sided)
    return q


def block_deviation(
    case: CopiedFeatures, counts: np.ndarray, s: int, two_sided: bool
) -> np.ndarray:
    """Deviation of one block for each count vector (k x m) -> (k,)."""
    q = case.q[: case.block.shape[1]]
    scale = np.where(q > 0, case.weights / np.where(q > 0, q, 1) / s, 0.0)
    z, target = _whitened(case.block, case.K_block, case.n * case.lam)
    low, high = _extremes(z, target, counts * scale)
    return np.maximum(-low, high) if two_sided else -low


def resampled_deviation(Z: Any, p: Any, q: Any, lam: float, s: int) -> Quantity:
    """The same norm for s features drawn from q out of a pool Z (n x m) of any size, K = Z diag(p) Z^T.

    Ktilde is unbiased for K. Raises ValueError where p > 0 but q <= 0.
    """
    # Numba takes longer to load than most claims to be judged
    from boundcheck.features.compiled.ridge import bernstein_quantities

    K = (Z * p) @ Z.T
    largest, _, _ = bernstein_quantities(Z, p, q, K, lam)
    ratio = np.divide(p, q, out=np.zeros(len(p)), where=p > 0) / s
    z, target = _whitened(Z, K, len(K) * lam)
    if len(z) < len(K):  # then all of it happens in the span of the features
        Q, R = np.linalg.qr(z.T)
        z, target = R.T, Q.T @ target @ Q

    def sample(rng: Any, size: int) -> Any:
        low, high = _extremes(z, target, rng.multinomial(s, q, size) * ratio)
        return np.maximum(-low, high)

    return quantity(sample, low=0.0, high=max(largest, 1.0))


def _whitened(
    Z: np.ndarray, K: np.ndarray, ridge: float
) -> tuple[np.ndarray, np.ndarray]:
    """Z^T W (m, n) and W K W for W = (K + ridge I)^-1/2, up to a rotation of R^n."""
    values, vectors = np.linalg.eigh(K + ridge * np.eye(len(K)))
    W = vectors / np.sqrt(values)
    return Z.T @ W, W.T @ K @ W


def _extremes(
    z: np.ndarray, target: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Extreme eigenvalues (2, k) of sums of weights_kj z_j z_j^T - target; z (m, n), weights (k, m).

    NaN where they are not finite, as for weights that overflow.
    """
    sums = np.tensordot(weights, z[:, :, None] * z[:, None, :], 1) - target
    finite = np.isfinite(np.abs(sums).max(axis=(1, 2)))
    values = np.linalg.eigvalsh(np.where(finite[:, None, None], sums, 0.0))
    return np.where(finite, values[:, [0, -1]].T, np.nan)
