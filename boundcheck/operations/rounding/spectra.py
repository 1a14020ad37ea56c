"""Radii of eigenvalues, singular values and functions of symmetric matrices, from a computed eigenbasis.

A float basis V is nearly orthogonal: its orthogonal factor Q is within eps >= |V^T V - I| of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

from boundcheck.operations.rounding.arithmetic import Rule
from boundcheck.operations.rounding.matrices import finite, mirrored
from boundcheck.operations.rounding.roundoff import TINY, Step, gamma

Function = Callable[[np.ndarray], np.ndarray]
Modulus = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Basis:
    """V diag(w) V^T is within eta (in norm) of every matrix within the radius, and |V^T V - I| <= eps."""

    w: np.ndarray
    V: np.ndarray
    eps: np.ndarray
    eta: np.ndarray


def norm(D: np.ndarray) -> np.ndarray:
    """A bound of |M| for |M_ij| <= D_ij: Frobenius, or root of largest row sum times largest column sum."""
    sums = np.sqrt(D.sum(axis=-1).max(axis=-1) * D.sum(axis=-2).max(axis=-1))
    return np.minimum(np.sqrt((D**2).sum(axis=(-2, -1))), sums) * (1 + 1e-10) + TINY


def defect(V: np.ndarray) -> np.ndarray:
    """eps >= |V^T V - I|."""
    T, n = np.swapaxes(V, -1, -2), V.shape[-2]
    return norm(np.abs(T @ V - np.eye(V.shape[-1])) + gamma(n + 1) * (np.abs(T) @ np.abs(V)))


def residual(A: np.ndarray, left: np.ndarray, d: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A bound of |A - left diag(d) right|, entry by entry, with room for d to be off by 4 ulp."""
    product = (left * d[..., None, :]) @ right
    size = (np.abs(left) * np.abs(d)[..., None, :]) @ np.abs(right)
    return np.abs(A - product) + gamma(d.shape[-1] + 12) * size + TINY


def basis_of(A: np.ndarray, r: np.ndarray, psd: bool = False) -> Basis:
    w, V = np.linalg.eigh(A)
    w = np.maximum(w, 0.0) if psd else w
    return Basis(w, V, defect(V), norm(residual(A, V, w, np.swapaxes(V, -1, -2)) + r))


def eigvalsh(step: Step) -> np.ndarray:
    """Ostrowski: the k-th eigenvalue of V diag(w) V^T is w_k (1 +- eps). Weyl: eta more for A itself.

    Horn and Johnson, Matrix Analysis, 4.3.1 and 4.5.9; for all eigenvalues at once, multiple ones too.
    """
    basis = basis_of(mirrored(step.xs[0]), mirrored(step.rs[0]))
    return np.abs(step.value - basis.w) + basis.eps[..., None] * np.abs(basis.w) + basis.eta[..., None]


def eigenvectors(step: Step) -> np.ndarray:
    """Davis and Kahan: each moves by at most sqrt(2) times the residual over the gap, where its sign stays."""
    basis = basis_of(mirrored(step.xs[0]), mirrored(step.rs[0]))
    residual = basis.eta + 3 * basis.eps * np.abs(basis.w).max(axis=-1, initial=0.0) + TINY
    n = basis.w.shape[-1]
    gaps = np.abs(basis.w[..., :, None] - basis.w[..., None, :]) + np.where(np.eye(n, dtype=bool), np.inf, 0.0)
    gap = gaps.min(axis=-1, initial=np.inf) - 2 * residual[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.where(gap > 0, 1.5 * residual[..., None] / gap, np.inf) + 2 * basis.eps[..., None]
    return np.abs(step.value - basis.V) + np.broadcast_to(moved[..., None, :], step.value.shape)


def svdvals(step: Step) -> np.ndarray:
    """The same for U diag(s) V^T: singular values are s_k (1 +- eps) and move by at most the residual."""
    (A,), (r,) = step.xs, step.rs
    left, s, right = np.linalg.svd(A, full_matrices=False)
    eps = np.maximum(defect(left), defect(np.swapaxes(right, -1, -2)))[..., None]
    return np.abs(step.value - s) + eps * s + norm(residual(A, left, s, right) + r)[..., None]


def spectral(step: Step, basis: Basis, f: Function, modulus: Modulus) -> np.ndarray:
    """f(A) is within modulus(|A - Q D Q^T|) of Q f(D) Q^T, that within eps (2 + eps) |f(D)| of V f(D) V^T.

    modulus(eta, low, high) bounds |f(A) - f(B)| if |A - B| <= eta and both spectra lie in [low, high].
    """
    w, values, lost = basis.w, f(basis.w), basis.eps * (2 + basis.eps)
    eta = basis.eta + lost * np.abs(w).max(axis=-1)
    moved = modulus(eta, w.min(axis=-1) - eta, w.max(axis=-1) + eta) + lost * np.abs(values).max(axis=-1)
    return residual(step.value, basis.V, values, np.swapaxes(basis.V, -1, -2)) + moved[..., None, None]


def psd_function(step: Step, f: Function, modulus: Modulus) -> np.ndarray:
    return spectral(step, basis_of(mirrored(step.xs[0]), mirrored(step.rs[0]), psd=True), f, modulus)


def psd_power(step: Step, t: float) -> np.ndarray:
    return psd_function(step, lambda w: w**t, lambda eta, low, high: _power_modulus(t, eta, low, high))


def _power_modulus(t: float, eta: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """|A^t - B^t| by |f'(low)| for t < 1 (Bhatia, Matrix Analysis, X.1, X.3), by telescoping for whole t."""
    slope = np.where(low > 0, np.abs(t) * np.maximum(low, TINY) ** (t - 1) * eta, np.inf)
    if t < 0:
        return slope
    k, s = floor(t), t - floor(t)
    whole = k * high ** (k - 1) * eta if k else np.zeros_like(eta)
    steep = np.where(low > 0, s * np.maximum(low, TINY) ** (s - 1) * eta, np.inf)
    part = np.minimum(eta**s, steep) if s else np.zeros_like(eta)
    return high**k * part + high**s * whole


def psd_sqrt(step: Step) -> np.ndarray:
    return psd_power(step, 0.5)


def psd_pow(step: Step) -> np.ndarray:
    exact = Fraction(step.node["power"])
    t = float(exact)
    return psd_power(step, t) if Fraction(t) == exact else np.full(step.value.shape, np.inf)


def psd_log(step: Step) -> np.ndarray:
    return psd_function(step, np.log, lambda eta, low, _: np.where(low > 0, eta / low, np.inf))


def expm(step: Step) -> np.ndarray:
    """|exp(A + E) - exp(A)| <= |E| exp(largest eigenvalue of A + |E|) for symmetric A and any E."""
    A, r = step.xs[0], step.rs[0]
    basis = basis_of(mirrored(A), r + np.abs(A - mirrored(A)))
    return spectral(step, basis, np.exp, lambda eta, _, high: eta * np.exp(high))


RULES: dict[str, Rule] = {
    rule.__name__: finite(rule) for rule in (eigvalsh, eigenvectors, svdvals, psd_sqrt, psd_pow, psd_log, expm)
}
