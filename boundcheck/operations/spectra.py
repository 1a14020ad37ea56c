"""Eigenvalues, singular values and functions of symmetric matrices, with radii from a computed eigenbasis.

A float basis V is nearly orthogonal: its orthogonal factor Q is within eps >= |V^T V - I| of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.linalg

import boundcheck.operations.ranges as ranges
from boundcheck.operations.enclosed import enclosed
from boundcheck.operations.functions import Rule
from boundcheck.operations.operation import (
    Fields,
    Operation,
    Pullback,
    Value,
    entrywise,
)
from boundcheck.operations.products import (
    from_lower,
    near_inverse,
    of_matrix,
    symmetrised,
    transpose,
)
from boundcheck.operations.roundoff import TINY, Step, gamma

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Basis:
    """V diag(w) V^T is within eta (in norm) of every matrix within the radius, and |V^T V - I| <= eps."""

    w: np.ndarray
    V: np.ndarray
    eps: np.ndarray
    eta: np.ndarray


def _norm(D: np.ndarray) -> np.ndarray:
    """A bound of |M| for |M_ij| <= D_ij: Frobenius, or root of largest row sum times largest column sum."""
    sums = np.sqrt(D.sum(axis=-1).max(axis=-1) * D.sum(axis=-2).max(axis=-1))
    return (
        np.minimum(np.sqrt((D**2).sum(axis=(-2, -1))), sums) * (1 + 1e-10)
        + TINY
    )


def defect(V: np.ndarray) -> np.ndarray:
    """eps >= |V^T V - I|."""
    T, n = np.swapaxes(V, -1, -2), V.shape[-2]
    apart = np.abs(T @ V - np.eye(V.shape[-1]))
    return _norm(apart + gamma(n + 1) * (np.abs(T) @ np.abs(V)))


def residual(
    A: np.ndarray, left: np.ndarray, d: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """A bound of |A - left diag(d) right|, entry by entry, with room for d to be off by 4 ulp."""
    product = (left * d[..., None, :]) @ right
    size = (np.abs(left) * np.abs(d)[..., None, :]) @ np.abs(right)
    return np.abs(A - product) + gamma(d.shape[-1] + 12) * size + TINY


def basis_of(A: np.ndarray, r: np.ndarray, psd: bool = False) -> Basis:
    w, V = np.linalg.eigh(A)
    w = np.maximum(w, 0.0) if psd else w
    return Basis(
        w, V, defect(V), _norm(residual(A, V, w, np.swapaxes(V, -1, -2)) + r)
    )


def eigvalsh_radius(step: Step) -> np.ndarray:
    """Ostrowski: the k-th eigenvalue of V diag(w) V^T is w_k (1 +- eps). Weyl: eta more for A itself.

    Horn and Johnson, Matrix Analysis, 4.3.1 and 4.5.9; for all eigenvalues at once, multiple ones too.
    """
    basis = basis_of(from_lower(step.xs[0]), from_lower(step.rs[0]))
    return (
        np.abs(step.value - basis.w)
        + basis.eps[..., None] * np.abs(basis.w)
        + basis.eta[..., None]
    )


def svdvals_radius(step: Step) -> np.ndarray:
    """The same for U diag(s) V^T: singular values are s_k (1 +- eps) and move by at most the residual."""
    (A,), (r,) = step.xs, step.rs
    left, s, right = np.linalg.svd(A, full_matrices=False)
    eps = np.maximum(defect(left), defect(np.swapaxes(right, -1, -2)))
    eps = eps[..., None]
    return (
        np.abs(step.value - s)
        + eps * s
        + _norm(residual(A, left, s, right) + r)[..., None]
    )


def psd_power_radius(step: Step, t: Any, r: Any = 0.0) -> np.ndarray:
    """A^t is within a modulus of |A - Q D Q^T| of Q D^t Q^T, that within eps (2 + eps) |D^t| of V D^t V^T.

    t is known up to r; both are numbers, or arrays with one for each matrix.
    """
    basis = basis_of(from_lower(step.xs[0]), from_lower(step.rs[0]), psd=True)
    w, lost, t = (
        basis.w,
        basis.eps * (2 + basis.eps),
        np.asarray(t, dtype=float),
    )
    values, eta = w ** t[..., None], basis.eta + lost * np.abs(w).max(axis=-1)
    low, high = w.min(axis=-1) - eta, w.max(axis=-1) + eta
    modulus = _power_modulus(t, eta, low, high) + _exponent_modulus(
        t, r, low, high
    )
    moved = modulus * (1 + 1e-10) + lost * np.abs(values).max(axis=-1)
    spelled = residual(
        step.value, basis.V, values, np.swapaxes(basis.V, -1, -2)
    )
    return spelled + moved[..., None, None]


def _power_modulus(
    t: np.ndarray, eta: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """|A^t - B^t| by |f'(low)| for t < 1 (Bhatia, Matrix Analysis, X.1, X.3), by telescoping for whole t."""
    k, s = np.floor(t), t - np.floor(t)
    part = np.where(s > 0, np.minimum(eta**s, _steepest(s, low) * eta), 0.0)
    whole = k * high ** (k - 1) * eta
    return np.where(
        t < 0, _steepest(t, low) * eta, high**k * part + high**s * whole
    )


def _steepest(t: np.ndarray, low: np.ndarray) -> np.ndarray:
    """The derivative of x^t at low, for t < 1; inf where that may be 0."""
    return np.where(
        low > 0, np.abs(t) * np.maximum(low, TINY) ** (t - 1), np.inf
    )


def _exponent_modulus(
    t: np.ndarray, r: Any, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """|A^s - A^t| for |s - t| <= r is at most r times the largest x^u |log x|: x^u |log x| <= 1 / (e u) for x < 1."""
    first, last, least = t - r, t + r, np.maximum(low, TINY)
    above = np.maximum(high, 1) ** last * np.log(np.maximum(high, 1))
    below = np.where(
        first > 0, 1 / (np.e * np.where(first > 0, first, 1)), np.inf
    )
    size = np.maximum(1, np.maximum(least**first, high**last))
    logs = np.maximum(np.abs(np.log(least)), np.abs(np.log(high)))
    definite = np.where(low > 0, size * logs, np.inf)
    largest = np.minimum(np.maximum(above, below), definite)
    return np.where(r > 0, r * np.where(r > 0, largest, 0.0), 0.0)


def psd_raise_radius(step: Step) -> np.ndarray:
    return psd_power_radius(step, step.xs[1][..., 0, 0], step.rs[1][..., 0, 0])


def psd_pow_radius(step: Step) -> np.ndarray:
    exact = Fraction(step.node["power"])
    t = float(exact)
    return psd_power_radius(step, t) if Fraction(t) == exact else enclosed(step)


def _eigh(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the symmetric part, so that a derivative has no side."""
    return np.linalg.eigh(symmetrised(A))


def _eigvalsh_back(
    _: Fields, g: np.ndarray, value: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    """Where eigenvalues meet, that of one basis."""
    V = _eigh(A)[1]
    return [(V * g[..., None, :]) @ transpose(V)]


def _eigenvectors(fields: Fields, A: np.ndarray) -> np.ndarray:
    """Columns whose entry |lead_k| (from 1) has the sign of lead_k."""
    V, lead = np.linalg.eigh(A)[1], np.asarray(fields["lead"], dtype=int)
    signs = np.sign(V[..., np.abs(lead) - 1, np.arange(V.shape[-1])]) * np.sign(
        lead
    )
    return V * signs[..., None, :]


def of_finite(f: Function, A: np.ndarray) -> np.ndarray:
    """LAPACK complains about what is not finite: it is not asked. Raises LinAlgError for a single one."""
    sound = np.asarray(np.isfinite(A).all(axis=(-2, -1)))
    if sound.all():
        return f(A)
    if not sound.ndim:
        raise np.linalg.LinAlgError(
            "the spectrum of a matrix that is not finite"
        )
    return np.where(
        sound[..., None], f(np.where(sound[..., None, None], A, 0.0)), np.nan
    )


def _svdvals_back(
    _: Fields, g: np.ndarray, value: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    sound = np.isfinite(A).all(axis=(-2, -1), keepdims=True)
    left, _s, right = np.linalg.svd(
        np.where(sound, A, 0.0), full_matrices=False
    )
    return [(left * g[..., None, :]) @ right]


def _eigenvectors_back(
    fields: Fields, g: np.ndarray, V: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    w = np.linalg.eigvalsh(A)
    gap = w[..., None, :] - w[..., :, None]
    F = np.where(gap != 0, 1 / np.where(gap != 0, gap, 1), 0.0)
    return [symmetrised(V @ (F * (transpose(V) @ g)) @ transpose(V))]


PARTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "abs": np.abs,
    "real": np.real,
    "imag": np.imag,
}


def _eigvals(fields: Fields, A: np.ndarray) -> np.ndarray:
    part = PARTS[fields["part"]]
    return of_finite(lambda A: np.sort(part(np.linalg.eigvals(A)), axis=-1), A)


def _eigvals_back(
    fields: Fields, g: np.ndarray, value: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    """d lambda = w dA v for a right eigenvector v and the left one w with w v = 1."""
    sound = np.isfinite(A).all(axis=(-2, -1), keepdims=True)
    d, V = (x.astype(complex) for x in np.linalg.eig(np.where(sound, A, 0.0)))
    W, part = near_inverse(V), fields["part"]
    order = np.argsort(PARTS[part](d), axis=-1)
    sent = np.empty(np.broadcast_shapes(g.shape, d.shape))
    np.put_along_axis(sent, order, np.broadcast_to(g, sent.shape), -1)
    turned = {
        "abs": np.conj(d) / np.where(d == 0, 1, np.abs(d)),
        "real": 1.0,
        "imag": -1j,
    }[part]
    back = np.real(
        (transpose(W) * (sent * turned)[..., None, :]) @ transpose(V)
    )
    return [np.where(np.isfinite(back), back, 0.0)]


Scalar = Callable[..., np.ndarray]
"""A function of eigenvalues, (fields, eigenvalues, *parameters): parameters are operands, numbers as 1 x 1 matrices."""


def on_spectrum(f: Scalar) -> Value:
    """V f(D) V^T of a PSD matrix V D V^T. Raises LinAlgError for others."""

    def value(
        fields: Fields, A: np.ndarray, *parameters: np.ndarray
    ) -> np.ndarray:
        w, V = np.linalg.eigh(A)
        if np.any(w[..., 0] < -1e-8 * np.maximum(w[..., -1], 0) - 1e-300):
            raise np.linalg.LinAlgError(
                "a spectral function of a matrix that is not positive semidefinite"
            )
        with np.errstate(divide="ignore", invalid="ignore"):
            values = f(
                fields, np.maximum(w, 0.0), *(x[..., 0] for x in parameters)
            )
            return (V * values[..., None, :]) @ transpose(V)

    return value


def spectral_pullback(f: Scalar, slope: Scalar) -> Pullback:
    """V (F * V^T G V) V^T, F the difference quotients of f (Bhatia, Matrix Analysis, V.3.3)."""

    def pullback(
        fields: Fields,
        g: np.ndarray,
        _: np.ndarray,
        A: np.ndarray,
        *parameters: np.ndarray,
    ) -> list[np.ndarray]:
        w, V = _eigh(A)
        w = np.maximum(w, 1e-300)
        values, gap, middle = (
            f(fields, w, *(x[..., 0] for x in parameters)),
            w[..., None, :] - w[..., :, None],
            (w[..., None, :] + w[..., :, None]) / 2,
        )
        near = np.abs(gap) <= 1e-9 * np.abs(middle)
        F = np.where(
            near,
            slope(fields, middle, *parameters),
            (values[..., None, :] - values[..., :, None])
            / np.where(near, 1, gap),
        )
        return [
            V
            @ (
                np.where(np.isfinite(F), F, 0.0)
                * (transpose(V) @ symmetrised(g) @ V)
            )
            @ transpose(V)
        ]

    return pullback


def _of_psd(
    name: str, f: Scalar, slope: Scalar, radius: Rule, says: str
) -> Operation:
    return of_matrix(
        name, on_spectrum(f), radius, spectral_pullback(f, slope), says=says
    )


def _exponent(fields: Fields) -> float:
    return float(Fraction(fields["power"]))


_raised_back = spectral_pullback(
    lambda _, w, t: w**t, lambda _, w, t: t * w ** (t - 1)
)


def _raise_back(
    fields: Fields,
    g: np.ndarray,
    value: np.ndarray,
    A: np.ndarray,
    t: np.ndarray,
) -> list[np.ndarray | None]:
    """In t it is V diag(w^t log w) V^T, which is 0 where w is."""
    w, V = _eigh(A)
    w = np.maximum(w, 1e-300)
    slopes = w ** t[..., 0] * np.log(w)
    along = np.diagonal(transpose(V) @ g @ V, axis1=-2, axis2=-1) * slopes
    found = along.sum(axis=-1)[..., None, None]
    moved = np.where(np.isfinite(found), found, 0.0)
    return [*_raised_back(fields, g, value, A, t), moved]


def _expm(_: Fields, A: np.ndarray) -> np.ndarray:
    return scipy.linalg.expm(A)


def _expm_back(
    _: Fields, g: np.ndarray, __: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    """The derivative at A^T, a corner of exp of a block matrix (Higham, Functions of Matrices, 3.6)."""
    A, g = np.broadcast_arrays(transpose(A), g)
    n = A.shape[-1]
    return [_expm({}, np.block([[A, g], [np.zeros_like(A), A]]))[..., :n, n:]]


eigvalsh = of_matrix(
    "eigvalsh",
    entrywise(np.linalg.eigvalsh),
    eigvalsh_radius,
    _eigvalsh_back,
    says="`np.linalg.eigvalsh`",
)
eigenvectors = of_matrix(
    "eigenvectors",
    _eigenvectors,
    enclosed,
    _eigenvectors_back,
    says="eigenvectors of `np.linalg.eigh`, with the signs that it gives them here",
)
eigvals = of_matrix(
    "eigvals",
    _eigvals,
    enclosed,
    _eigvals_back,
    says="`np.linalg.eigvals` as moduli, real or imaginary parts, each in increasing order",
)
svdvals = of_matrix(
    "svdvals",
    lambda _, A: of_finite(np.linalg.svdvals, A),
    svdvals_radius,
    _svdvals_back,
    np.linalg.svdvals,
    range=ranges.nonnegative,
)
psd_sqrt = _of_psd(
    "psd_sqrt",
    lambda _, w: np.sqrt(w),
    lambda _, w: 0.5 / np.sqrt(w),
    lambda step: psd_power_radius(step, 0.5),
    "square root of a PSD matrix",
)
psd_log = _of_psd(
    "psd_log",
    lambda _, w: np.log(w),
    lambda _, w: 1 / w,
    enclosed,
    "logarithm of a positive definite matrix",
)
psd_pow = _of_psd(
    "psd_pow",
    lambda fields, w: w ** _exponent(fields),
    lambda fields, w: _exponent(fields) * w ** (_exponent(fields) - 1),
    psd_pow_radius,
    "rational power of a PSD matrix",
)
psd_raise = of_matrix(
    "psd_raise",
    on_spectrum(lambda _, w, t: w**t),
    psd_raise_radius,
    _raise_back,
    says="a PSD matrix to a computed power from -1000 to 1000, a 1 x 1 matrix",
)
expm = of_matrix("expm", _expm, enclosed, _expm_back, scipy.linalg.expm)
