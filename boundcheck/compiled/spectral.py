"""The spectral deviation of an approximate kernel matrix in the ridge norm: its value."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import get_blas_funcs, get_lapack_funcs

from boundcheck.compiled.lanczos import dominant_vector

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Operator = Callable[[Any], Any]

_sygst: Any = get_lapack_funcs("sygst", dtype=np.float64)
_syrk: Any = get_blas_funcs("syrk", dtype=np.float64)
_PRECISIONS = (np.dtype(np.float32), np.dtype(np.float64))
_SYMV: dict[Any, Any] = {t: get_blas_funcs("symv", dtype=t) for t in _PRECISIONS}
_TRSV: dict[Any, Any] = {t: get_blas_funcs("trsv", dtype=t) for t in _PRECISIONS}

SMALL = 64  # up to this n all eigenvalues cost less than Lanczos steps
ACCEPTED = 1e-4  # residual of a vector found in single precision, relative to its value


def spectral_deviation(L: Matrix, ridge: float, Z: Matrix, weights: Vector) -> float:
    """|L^{-1} (Z diag(weights) Z^T - K) L^{-T}|, where L L^T = K + ridge I, for Z (n, s) and weights (s,).

    Li et al. 2021, Lemma 27, with ridge = n lam. A float value without a radius; `threshold.draw_exceeds` decides
    rigorously. Raises ValueError if a weight is negative.
    """
    weights = _nonnegative(weights)
    if len(L) <= SMALL:
        return _norm(_whitened(L, ridge, weighted_gram(Z, weights)))
    single = Z.astype(np.float32), weights.astype(np.float32)
    return _implicit_norm(L, ridge, _product(*single), _product(Z, weights))


def spectral_deviations_nested(L: Matrix, ridge: float, Z: Matrix, sizes: Sequence[int]) -> Vector:
    """The deviation for the first s columns of Z with weights 1 / s, for s in sizes; shape (len(sizes),).

    Costs what its largest s costs. Raises ValueError unless sizes increase strictly, from 1 at least to the width of Z
    at most.
    """
    triangles = _accumulated(Z, _ends(Z, sizes))
    if len(L) <= SMALL:
        return np.array([_norm(_whitened(L, ridge, gram / s)) for gram, s in zip(triangles, sizes)])
    return np.array([_implicit_norm(L, ridge, *_symmetric_products(gram, 1 / s)) for gram, s in zip(triangles, sizes)])


def nested_grams(Z: Matrix, sizes: Sequence[int]) -> Iterator[Matrix]:
    """(1 / s) Z_s Z_s^T (n, n) for the first s columns Z_s of Z, s in sizes; each column is multiplied once.

    Raises ValueError unless sizes increase strictly, from 1 at least to the width of Z at most.
    """
    return (_full(gram) / s for gram, s in zip(_accumulated(Z, _ends(Z, sizes)), sizes))


def _full(lower: Matrix) -> Matrix:
    return np.tril(lower) + np.tril(lower, -1).T


def _ends(Z: Matrix, sizes: Sequence[int]) -> list[int]:
    ends = [0, *sizes]
    if any(a >= b for a, b in itertools.pairwise(ends)) or ends[-1] > Z.shape[1]:
        raise ValueError(f"sizes must increase strictly within 1 .. {Z.shape[1]}: sort them.")
    return ends


def weighted_gram(Z: Matrix, weights: Vector) -> Matrix:
    """Z diag(weights) Z^T (n, n), symmetric bit for bit. Raises ValueError if a weight is negative."""
    B = Z * np.sqrt(_nonnegative(weights))
    return B @ B.T


def _accumulated(Z: Matrix, ends: Sequence[int]) -> Iterator[Matrix]:
    """Z_s Z_s^T for s in ends, in the lower triangle of one array that is overwritten: each column is multiplied once."""
    total = np.zeros((len(Z), len(Z)), order="F")
    for start, stop in itertools.pairwise(ends):
        part = np.ascontiguousarray(Z[:, start:stop]).T  # Fortran order: BLAS takes it as it is
        total = _syrk(1.0, part, beta=1.0, c=total, trans=1, lower=1, overwrite_c=1)
        yield total


def _nonnegative(weights: Vector) -> Vector:
    weights = np.asarray(weights, dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("the deviation needs weights >= 0: they are p / (q s), a density ratio.")
    return weights


def _implicit_norm(L: Matrix, ridge: float, single: Operator, double: Operator) -> float:
    """|L^{-1} (Ktilde - K) L^{-T}|, given t -> Ktilde t in both precisions.

    The dominant vector in single precision is off by its residual, its Rayleigh quotient in double precision by the
    square of that; where the residual is not small, all is done in double precision.
    """
    n, exact = len(L), _deviation(L, ridge, double)
    rough = _deviation(L.astype(np.float32), np.float32(ridge), single)
    v = dominant_vector(rough, n, np.float32).astype(np.float64)
    image = exact(v)
    norm = abs(v @ image) / (v @ v)
    if not np.linalg.norm(image - (v @ image) / (v @ v) * v) <= ACCEPTED * norm:
        v = dominant_vector(exact, n)
        norm = abs(v @ exact(v))
    return float(norm)


def _deviation(L: Any, ridge: Any, approximate_kernel: Operator) -> Operator:
    """v -> L^{-1} (Ktilde + ridge I) L^{-T} v - v, which is L^{-1} (Ktilde - K) L^{-T} v."""
    L = np.asfortranarray(L)
    solve = _TRSV[L.dtype]

    def apply(v: Vector) -> Vector:
        t = solve(L, v, lower=1, trans=1)
        return solve(L, approximate_kernel(t) + ridge * t, lower=1, overwrite_x=1) - v

    return apply


def _symmetric_products(lower: Matrix, scale: float) -> list[Operator]:
    return [partial(symv, scale, lower.astype(t, copy=False), lower=1) for t, symv in _SYMV.items()]


def _product(Z: Any, weights: Any) -> Operator:
    return lambda t: Z @ (weights * (Z.T @ t))


def _whitened(L: Matrix, ridge: float, gram: Matrix) -> Matrix:
    """L^{-1} (gram + ridge I) L^{-T} - I, in its lower triangle."""
    D, _ = _sygst(gram + ridge * np.eye(len(L)), L, lower=1)
    return D - np.eye(len(L))


def _norm(D: Matrix) -> float:
    """The largest absolute eigenvalue of a symmetric D, of which the lower triangle is read."""
    eigenvalues = np.linalg.eigvalsh(D, UPLO="L")
    return float(max(-eigenvalues[0], eigenvalues[-1]))
