"""Kernels with what is known of their feature maps: bounds, variance, the inputs that they take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import Any

import numpy as np

from boundcheck.features.kernels import (
    Gaussian,
    Laplace,
    Matrix,
    ShiftInvariant,
    Vector,
)

Values = Callable[[Matrix, Matrix], Matrix]
"""k(X, Y) for X (n, d), Y (m, d), shape (n, m)."""


def side_by_side(matrix: Values, X: Matrix, Y: Matrix) -> Vector:
    """k for the rows side by side, shape (n,)."""
    pairs = zip(X, Y, strict=True)
    return np.array([matrix(x[None], y[None]).item() for x, y in pairs])


@dataclass(frozen=True)
class Kernel:
    """k(X, Y) for X (n, d), Y (m, d), shape (n, m), and what is stated of s features, E phi(x)^T phi(y) = k.

    `bound`: |phi(x)|^2 for all x; `feature`: s phi_i(x)^2 for all x and i; `reach(X)`, shape (n,): |phi(x)|^2
    at each x, where there is no bound for all; `variance(X, Y)`, shape (n,): s Var phi(x)^T phi(y) for the
    rows side by side. Inputs are entries above `lowest` (at or above it if `closed`), of the size of
    `length`.
    """

    name: str
    matrix: Values
    bound: float = inf
    feature: float = inf
    reach: Callable[[Matrix], Vector] | None = None
    variance: Callable[[Matrix, Matrix], Vector] | None = None
    lowest: float = -inf
    closed: bool = False
    length: float = 1.0

    def at(self, X: Matrix, Y: Matrix) -> Vector:
        """k for the rows side by side, shape (n,)."""
        return side_by_side(self.matrix, X, Y)

    def reaches(self, X: Matrix) -> Vector:
        """The stated bound on |phi(x)|^2 at each row, infinite where none is stated."""
        own = inf if self.reach is None else self.reach(X)
        return np.minimum(own, np.full(len(X), self.bound))


def gaussian(gamma: float) -> Kernel:
    """exp(-gamma |x - y|^2) with cosine features. Raises ValueError unless gamma > 0."""
    _positive(gamma=gamma)
    name = f"gaussian exp(-{gamma:g} |x - y|^2)"
    return fourier(Gaussian((2 * gamma) ** -0.5), name, gamma**-0.5)


def laplace(gamma: float) -> Kernel:
    """exp(-gamma |x - y|_1) with cosine features. Raises ValueError unless gamma > 0."""
    _positive(gamma=gamma)
    return fourier(
        Laplace(1 / gamma), f"laplace exp(-{gamma:g} |x - y|_1)", 1 / gamma
    )


def fourier(
    kernel: ShiftInvariant, name: str = "", length: float | None = None
) -> Kernel:
    """A shift-invariant kernel: |phi|^2 <= z0^2, the variance of Fourier features known, sigma its length."""
    name = name or f"{kernel.name}, sigma = {kernel.sigma:g}"
    return _of_cosines(
        name,
        kernel.value,
        lambda X, Y: kernel.value(2 * X, 2 * Y),
        bound=kernel.bound,
        length=float(length or kernel.sigma),
    )


def _of_cosines(
    name: str, matrix: Values, twice: Values, bound: float, **more: Any
) -> Kernel:
    """Fourier features of a kernel, given at x - y and at 2 (x - y), with the larger of two variances.

    s Var is 1 + k(2z) / 2 - k(z)^2 for cosines with an offset, 1 + k(2z) - 2 k(z)^2 for cosines and sines.
    Source: Sutherland and Schneider (2015), Section 2.
    """

    def variance(X: Matrix, Y: Matrix) -> Vector:
        k, k2 = side_by_side(matrix, X, Y), side_by_side(twice, X, Y)
        return np.maximum(1 + k2 / 2 - k**2, 1 + k2 - 2 * k**2)

    return Kernel(name, matrix, bound, feature=bound, variance=variance, **more)


def skewed_chi2(skewedness: float) -> Kernel:
    """prod 2 sqrt(x_j + c) sqrt(y_j + c) / (x_j + y_j + 2c), for entries above -c (Li et al. 2010).

    It is prod sech(z_j / 2) of z = log(x + c) - log(y + c), hence Fourier features of log(x + c).
    """
    c = skewedness

    def secants(half: float) -> Values:
        def matrix(X: Matrix, Y: Matrix) -> Matrix:
            z = np.log(X + c)[:, None] - np.log(Y + c)[None]
            return np.prod(1 / np.cosh(half * z), axis=2)

        return matrix

    name, length = f"skewed chi-squared, c = {c:g}", abs(c) or 1.0
    return _of_cosines(
        name, secants(0.5), secants(1), 2.0, lowest=-c, length=length
    )


def additive_chi2() -> Kernel:
    """sum 2 x_j y_j / (x_j + y_j) for entries not below 0, with 0 / 0 = 0 (Vedaldi and Zisserman 2012)."""

    def matrix(X: Matrix, Y: Matrix) -> Matrix:
        x, y = X[:, None], Y[None]
        total = np.where(x + y > 0, x + y, 1)
        return np.sum(2 * x * y / total, axis=2)

    name = "additive chi-squared sum 2 x_j y_j / (x_j + y_j)"
    return Kernel(name, matrix, lowest=0.0, closed=True)


def polynomial(gamma: float, degree: int, coef0: float) -> Kernel:
    """(gamma x^T y + coef0)^degree, sketched: Pham and Pagh (2013).

    A sketch is a convolution of count sketches of (sqrt(gamma) x, sqrt(coef0)), so |phi(x)| <= |.|_1^degree.
    Variance: Avron, Nguyen and Woodruff (2014), Theorem 1: E (phi(x)^T phi(y) - k)^2 <= (2 + 3^degree) / s
    k(x, x) k(y, y).
    """

    def reach(X: Matrix) -> Vector:
        return (sqrt(gamma) * np.abs(X).sum(axis=1) + sqrt(coef0)) ** (
            2 * degree
        )

    def variance(X: Matrix, Y: Matrix) -> Vector:
        return (2 + 3**degree) * kernel.at(X, X) * kernel.at(Y, Y)

    _positive(gamma=gamma, degree=degree)
    if coef0 < 0:
        wanted = "The features of this kernel take coef0 >= 0"
        raise ValueError(f"{wanted}; give such a number instead of {coef0!r}.")

    def matrix(X: Matrix, Y: Matrix) -> Matrix:
        return (gamma * (X @ Y.T) + coef0) ** degree

    name = f"polynomial ({gamma:g} x^T y + {coef0:g})^{degree}"
    kernel = Kernel(
        name, matrix, reach=reach, variance=variance, length=gamma**-0.5
    )
    return kernel


def _positive(**parameters: Any) -> None:
    for name, value in parameters.items():
        if isinstance(value, str) or not 0 < value < inf:
            raise ValueError(
                f"This kernel takes a positive number {name}; give one instead of {value!r}."
            )


NAMED: dict[str, Callable[..., Kernel]] = {
    "gaussian": gaussian,
    "laplace": laplace,
    "polynomial": polynomial,
    "skewed_chi2": skewed_chi2,
    "additive_chi2": additive_chi2,
}
"""Kernels by name; their arguments are parameters of the same name of the map, or given beside it."""


def black_box(
    name: str, function: Callable[..., Any], parameters: dict[str, Any]
) -> Kernel:
    """A kernel of which nothing is known but its values."""
    return Kernel(
        name,
        lambda X, Y: np.asarray(function(X, Y, **parameters), dtype=np.float64),
    )


def bounded_by(kernel: Kernel, bound: float) -> Kernel:
    """The kernel with |phi(x)|^2 <= bound for all x, and s phi_i(x)^2 <= bound where nothing else was stated.

    Then s independent products s phi_i(x) phi_i(y) are at most bound, and s Var <= bound^2 - k^2.
    """

    def variance(X: Matrix, Y: Matrix) -> Vector:
        return bound**2 - kernel.at(X, Y) ** 2

    feature = kernel.feature if kernel.feature < inf else bound
    return replace(
        kernel,
        bound=bound,
        feature=feature,
        variance=kernel.variance or variance,
    )
