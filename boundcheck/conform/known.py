"""The feature maps of scikit-learn: their kernels, their sizes, and sentences of their documentation that can be checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from boundcheck.conform.interface import Statement
from boundcheck.conform.kernels import Kernel, additive_chi2, gaussian, polynomial, skewed_chi2
from boundcheck.conform.maps import FeatureMap, MapError
from boundcheck.features.kernels import Matrix, Vector

MODULE = "sklearn.kernel_approximation"


@dataclass(frozen=True)
class Known:
    """The kernel of a map (by its parameters and the number of inputs), its size parameter, sizes to look at, and statements.

    `unpromised` has for each item that its documentation does not promise what it says instead.
    """

    kernel: Callable[[FeatureMap, int], Kernel]
    size: str = "n_components"
    sizes: tuple[int, ...] | None = None
    statements: tuple[Statement, ...] = ()
    unpromised: Mapping[str, str] = field(default_factory=dict)
    usual: int = 12


def known(cls: Any) -> Known | None:
    """What is known of a class, or of the class of scikit-learn that it derives from."""
    bases = [base.__name__ for base in getattr(cls, "__mro__", ()) if base.__module__ == MODULE]
    return next((KNOWN[name] for name in bases if name in KNOWN), None)


def _rbf(subject: FeatureMap, _inputs: int) -> Kernel:
    if subject.default("gamma") == "scale":
        raise MapError("With gamma='scale' the kernel depends on the data; give --param gamma=NUMBER.")
    return gaussian(subject.default("gamma"))


def _skewed(subject: FeatureMap, _inputs: int) -> Kernel:
    return skewed_chi2(subject.default("skewedness"))


def _additive(_subject: FeatureMap, _inputs: int) -> Kernel:
    return additive_chi2()


def _polynomial(subject: FeatureMap, _inputs: int) -> Kernel:
    return polynomial(*(subject.default(name) for name in ("gamma", "degree", "coef0")))


def _nystroem(subject: FeatureMap, inputs: int) -> Kernel:
    """The kernel it is told to approximate; its square norm is that of a projection, hence at most k(x, x)."""
    from sklearn.metrics.pairwise import pairwise_kernels

    metric, gamma = subject.default("kernel"), subject.default("gamma")
    given = {name: subject.default(name) for name in ("gamma", "coef0", "degree") if subject.default(name) is not None}

    def matrix(X: Matrix, Y: Matrix) -> Matrix:
        own = subject.default("kernel_params") or {}
        return pairwise_kernels(X, Y, metric=metric, filter_params=not callable(metric), **({} if callable(metric) else given), **own)

    def reach(X: Matrix) -> Vector:
        return kernel.at(X, X) * (1 + ILL_CONDITIONED)

    positive = metric in ("chi2", "additive_chi2")
    kernel = Kernel(
        f"{metric if isinstance(metric, str) else 'callable'}, as given to Nystroem", matrix, reach=reach,
        bound=1 + ILL_CONDITIONED if metric in ("rbf", "laplacian") else inf,
        lowest=0.0 if positive else -inf, closed=positive, length=(gamma or 1 / inputs) ** -0.5,
    )  # fmt: skip
    return kernel


ILL_CONDITIONED = 1e-4
"""Nystroem cuts singular values below 1e-12, so roundings of 1e-16 in K may move a square norm by this much."""


def _square_root(fitted: Any) -> Iterator[str]:
    """Nystroem: normalization_."""
    from sklearn.metrics.pairwise import pairwise_kernels

    if "Square root of the kernel matrix on" not in (inspect.getdoc(type(fitted)) or "") or not isinstance(fitted.kernel, str):
        return
    K = pairwise_kernels(fitted.components_, metric=fitted.kernel, filter_params=True, **fitted._get_kernel_params())
    N = fitted.normalization_
    root = np.linalg.norm(N @ N - K) / np.linalg.norm(K)
    inverse = np.linalg.norm(N @ K @ N - np.eye(len(K)))
    if root > 0.01 > inverse:
        seen = f"|N N - K| = {root:.3g} |K| and |N K N - I| = {inverse:.2g}"
        yield f"normalization_ N is stated to be the square root of K on components_, but {seen}"


SUBSET = "it approximates a kernel map with a subset of the training data"

KNOWN = {
    "RBFSampler": Known(_rbf),
    "SkewedChi2Sampler": Known(_skewed),
    "AdditiveChi2Sampler": Known(
        _additive, "sample_steps", (1, 2, 3), usual=3,
        unpromised={"unbiased": "it samples a Fourier transform at regular intervals, without randomness"},
    ),
    "PolynomialCountSketch": Known(_polynomial),
    "Nystroem": Known(
        _nystroem, sizes=(4, 16, 64), statements=(_square_root,),
        unpromised={
            **dict.fromkeys(("unbiased", "rate", "data-independent"), SUBSET),
            "float32": "float32 stays float32; an ill-conditioned matrix magnifies the error",
        },
    ),
}
