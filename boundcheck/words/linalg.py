"""Operator norms, spectral functions and the Loewner order, on floats, traced numbers and random quantities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.operations import products, spectra
from boundcheck.tape.traced import lift


def opnorm(A: Any) -> Any:
    """Largest singular value of the last two axes."""
    return np.linalg.svdvals(A)[..., 0]


def frobenius(A: Any) -> Any:
    """Root of the sum of squares over the last two axes."""
    return np.sqrt(np.sum(A * A, axis=(-2, -1)))


def nuclear(A: Any) -> Any:
    """Sum of the singular values of the last two axes."""
    return np.sum(np.linalg.svdvals(A), axis=-1)


def norm(x: Any) -> Any:
    """Euclidean norm along the last axis."""
    return np.sqrt(np.sum(x * x, axis=-1))


def eigenvalues(A: Any) -> Any:
    """Eigenvalues of a symmetric matrix, largest first."""
    return np.linalg.eigvalsh(A)[..., ::-1]


def largest_eigenvalue(A: Any) -> Any:
    return np.linalg.eigvalsh(A)[..., -1]


def smallest_eigenvalue(A: Any) -> Any:
    return np.linalg.eigvalsh(A)[..., 0]


def trace(A: Any) -> Any:
    """Sum of the diagonal of the last two axes."""
    return np.sum(np.diagonal(A, axis1=-2, axis2=-1), axis=-1)


def inverse(A: Any) -> Any:
    return np.linalg.inv(A)


def solve(A: Any, B: Any) -> Any:
    return np.linalg.solve(A, B)


def logdet(A: Any) -> Any:
    """log |det A|."""
    return products.slogabsdet(A)


def psd_sqrt(A: Any) -> Any:
    """The positive semidefinite square root of a PSD matrix."""
    return spectra.psd_sqrt(A)


def psd_power(A: Any, power: float) -> Any:
    """A to a real power, A positive semidefinite (definite for negative powers)."""
    return spectra.psd_pow(A, power=str(Fraction(power)))


def inverse_sqrt(A: Any) -> Any:
    """A^(-1/2) of a positive definite matrix."""
    return psd_power(A, -0.5)


def logm(A: Any) -> Any:
    """Logarithm of a positive definite matrix."""
    return spectra.psd_log(A)


def expm(A: Any) -> Any:
    """Matrix exponential."""
    return spectra.expm(A)


def symmetric(A: Any) -> Any:
    """(A + A^T) / 2 over the last two axes."""
    return (A + np.swapaxes(A, -1, -2)) / 2


def identity(n: int) -> Any:
    """The identity matrix, n x n."""
    return lift(np.eye(n))
