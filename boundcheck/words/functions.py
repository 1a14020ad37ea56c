"""Elementary functions, norms, functions of matrices: the same on floats, traced numbers, quantities, expectations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from scipy import special

from boundcheck.operations import products, spectra
from boundcheck.operations.operation import written
from boundcheck.tape import Operand
from boundcheck.tape.library import eye
from boundcheck.tape.traced import lift
from boundcheck.words.hypotheses import log_taken

pi = math.pi


def log(x: Operand) -> Any:
    """Natural logarithm; the one that mutation may drop."""
    return log_taken(np.log(lift(x)))


def sqrt(x: Operand) -> Any:
    """Square root."""
    return np.sqrt(lift(x))


def exp(x: Operand) -> Any:
    """Exponential function."""
    return np.exp(lift(x))


@written("⌈#⌉")
def ceil(x: Operand) -> Any:
    """The least whole number that is not below x."""
    return np.ceil(lift(x))


@written("⌊#⌋")
def floor(x: Operand) -> Any:
    """The largest whole number that is not above x."""
    return np.floor(lift(x))


def cos(x: Operand) -> Any:
    """Cosine."""
    return np.cos(lift(x))


def sin(x: Operand) -> Any:
    """Sine."""
    return np.sin(lift(x))


def arcsin(x: Operand) -> Any:
    """Inverse sine."""
    return np.arcsin(lift(x))


def sign(x: Operand) -> Any:
    """-1, 0 or 1."""
    return np.sign(lift(x))


@written("max")
def maximum(x: Operand, y: Any) -> Any:
    """The larger of two, entry by entry."""
    return np.maximum(lift(x), y)


@written("min")
def minimum(x: Operand, y: Any) -> Any:
    """The smaller of two, entry by entry."""
    return np.minimum(lift(x), y)


def largest(values: Iterable[Operand]) -> Any:
    """The largest of several numbers, arrays (entrywise), quantities (in each trial) or expectations: a maximum over a finite class."""
    return reduce(maximum, _some(values))


def smallest(values: Iterable[Operand]) -> Any:
    """The smallest of several."""
    return reduce(minimum, _some(values))


def _some(values: Iterable[Operand]) -> list[Operand]:
    several = list(values)
    if not several:
        raise ValueError(
            "The largest or smallest of no values does not exist; give one or more."
        )
    return several


def erf(x: Operand) -> Any:
    """Error function."""
    return special.erf(lift(x))


@written("log Γ")
def gammaln(x: Operand) -> Any:
    """Logarithm of the absolute value of the gamma function."""
    return special.gammaln(lift(x))


# of vectors and matrices, on the last axes


@written("‖#‖")
def opnorm(A: Any) -> Any:
    """Largest singular value of the last two axes."""
    return np.linalg.svdvals(A)[..., 0]


@written("‖#‖_F")
def frobenius(A: Any) -> Any:
    """Root of the sum of squares over the last two axes."""
    return np.sqrt(np.sum(A * A, axis=(-2, -1)))


@written("‖#‖_*")
def nuclear(A: Any) -> Any:
    """Sum of the singular values of the last two axes."""
    return np.sum(np.linalg.svdvals(A), axis=-1)


@written("‖#‖")
def norm(x: Any) -> Any:
    """Euclidean norm along the last axis."""
    return np.sqrt(np.sum(x * x, axis=-1))


def eigenvalues(A: Any) -> Any:
    """Eigenvalues of a symmetric matrix, largest first."""
    return np.linalg.eigvalsh(A)[..., ::-1]


@written("λ_max")
def largest_eigenvalue(A: Any) -> Any:
    """The largest eigenvalue of a symmetric matrix."""
    return np.linalg.eigvalsh(A)[..., -1]


@written("λ_min")
def smallest_eigenvalue(A: Any) -> Any:
    """The smallest eigenvalue of a symmetric matrix."""
    return np.linalg.eigvalsh(A)[..., 0]


@written("ρ")
def spectral_radius(A: Any) -> Any:
    """The largest modulus of an eigenvalue of a square matrix."""
    return np.max(np.abs(np.linalg.eigvals(A)))


@written("Tr")
def trace(A: Any) -> Any:
    """Sum of the diagonal of the last two axes."""
    return np.sum(np.diagonal(A, axis1=-2, axis2=-1), axis=-1)


@written("#^−1")
def inverse(A: Any) -> Any:
    """The inverse of a matrix."""
    return np.linalg.inv(A)


def solve(A: Any, B: Any) -> Any:
    """X with A X = B; B is a matrix or a vector."""
    return np.linalg.solve(A, B)


@written("log det")
def logdet(A: object) -> Any:
    """log |det A|."""
    return products.slogabsdet(A)


@written("#^1/2")
def psd_sqrt(A: object) -> Any:
    """The positive semidefinite square root of a PSD matrix."""
    return spectra.psd_sqrt(A)


def psd_power(A: object, power: Any) -> Any:
    """A to a real power, A positive semidefinite (definite for negative powers, and computed ones that may be 0)."""
    exact = getattr(power, "exact", None)  # of a literal that is recorded
    if exact is None and not isinstance(power, (int, float, Fraction)):
        return spectra.psd_raise(A, power[..., None, None])
    return spectra.psd_pow(
        A, power=str(Fraction(power if exact is None else exact[0]))
    )


@written("#^−1/2")
def inverse_sqrt(A: object) -> Any:
    """A^(-1/2) of a positive definite matrix."""
    return psd_power(A, -0.5)


@written("log")
def logm(A: object) -> Any:
    """Logarithm of a positive definite matrix."""
    return spectra.psd_log(A)


@written("exp")
def expm(A: object) -> Any:
    """Matrix exponential."""
    return spectra.expm(A)


def symmetric(A: Any) -> Any:
    """(A + A^T) / 2 over the last two axes."""
    return (A + np.swapaxes(A, -1, -2)) / 2


def identity(n: int) -> Any:
    """The identity matrix, n x n."""
    return eye(n)
