"""NumPy's linear algebra on traced arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import boundcheck.operations.products as products
import boundcheck.operations.ranges as ranges
import boundcheck.operations.spectra as spectra
from boundcheck.operations.operation import spells
from boundcheck.operations.products import inv
from boundcheck.operations.spectra import svdvals
from boundcheck.operations.trials import Entries, Trials, exact, tape_beside
from boundcheck.tape import NotTraceable


@spells(np.linalg.eigvalsh)
def eigvalsh(a: Any, *_: Any, **__: Any) -> Any:
    return spectra.eigvalsh(a)


@spells(np.linalg.cholesky)
def cholesky(a: Any, **_: Any) -> Any:
    return products.cholesky(a)


@spells(np.linalg.solve)
def solve(a: Any, b: Any) -> Any:
    return products.solve(a, np.reshape(b, (-1, 1)))[..., 0] if np.ndim(b) == 1 else products.solve(a, b)


@spells(np.linalg.slogdet)
def slogdet(a: Any) -> Any:
    return np.sign(products.det(a)), products.slogabsdet(a)


class Vectors:
    """Singular vectors, which a body may leave alone, and which no certificate can name."""

    def __getattribute__(self, name: str) -> Entries:
        raise NotTraceable(
            "Singular vectors are not unique; use np.linalg.svdvals(A), or eigenvectors of A^T A."
        )


@spells(np.linalg.svd)
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, **_: Any) -> Any:
    return (Vectors(), svdvals(a), Vectors()) if compute_uv else svdvals(a)


class Eigen(NamedTuple):
    """What np.linalg.eigh returns."""

    eigenvalues: Any
    eigenvectors: Any


@spells(np.linalg.eigh)
def eigh(a: Any, *_: Any, **__: Any) -> Any:
    """The eigenvectors have the signs of NumPy: those of their largest entries are recorded."""
    if isinstance(a, Trials) or np.ndim(a) != 2:
        raise NotTraceable("Eigenvectors are traced of one matrix at a time.")
    V = np.linalg.eigh(a.traced_value)[1]
    lead = np.argmax(np.abs(V), axis=0)
    signed = [int(np.sign(V[i, k])) * (int(i) + 1) for k, i in enumerate(lead)]
    return Eigen(eigvalsh(a), spectra.eigenvectors(a, lead=signed))


@spells(np.linalg.qr)
def qr(a: Any, mode: str = "reduced") -> Any:
    """A = Q R with the signs that NumPy gives the diagonal of R here; A has independent columns."""
    if isinstance(a, Trials):
        raise NotTraceable("np.linalg.qr is traced of one matrix at a time.")
    plain: Any = np.linalg.qr(a.traced_value, mode="r")
    if mode not in ("reduced", "r") or plain.shape[0] != plain.shape[1]:
        raise NotTraceable(
            "np.linalg.qr is traced for matrices that are not wide, in the modes 'reduced' and 'r'."
        )
    R = np.sign(np.diag(plain))[:, None] * np.swapaxes(cholesky(np.swapaxes(a, -1, -2) @ a), -1, -2)
    return R if mode == "r" else (a @ inv(R), R)


@spells(np.linalg.pinv)
def pinv(a: Any, *_: Any, **__: Any) -> Any:
    """Of a matrix of full rank."""
    T = np.swapaxes(a, -1, -2)
    return solve(T @ a, T) if a.shape[-2] >= a.shape[-1] else np.swapaxes(solve(a @ T, a), -1, -2)


@spells(np.linalg.matrix_power)
def matrix_power(a: Any, k: int) -> Entries:
    if k < 0:
        return matrix_power(inv(a), -k)
    result: Any = np.eye(a.shape[-1])
    for _ in range(k):
        result = result @ a
    return exact(result, tape_beside(a))


@spells(np.linalg.norm, range=ranges.nonnegative)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """np.linalg.norm: vectors and matrices."""
    if isinstance(axis, tuple) or (axis is None and x.ndim == 2 and ord is not None):
        x = x if axis is None else np.moveaxis(x, axis, (-2, -1))
        result, kept = matrix_norm(x, "fro" if ord is None else ord), axis or (-2, -1)
    else:
        x, kept = (np.ravel(x), 0) if axis is None else (np.moveaxis(x, axis, -1), axis)
        result = _vector_norm(x, 2 if ord is None else ord)
    return np.expand_dims(result, kept) if keepdims else result


@spells(np.linalg.vector_norm, range=ranges.nonnegative)
def vector_norm(x: Any, ord: Any = 2, axis: Any = None, **_: Any) -> Any:
    return _vector_norm(np.ravel(x) if axis is None else np.moveaxis(x, axis, -1), ord)


def _vector_norm(x: Any, ord: Any) -> Any:
    """Along the last axis."""
    if ord == 2:
        return np.sqrt(np.sum(x * x, axis=-1))
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(np.abs(x), axis=-1)
    if ord == 0:
        return np.sum(np.sign(np.abs(x)), axis=-1)
    total = np.sum(np.abs(x) ** ord, axis=-1)
    return total if ord == 1 else total ** (1 / exact(ord, tape_beside(x)))


@spells(np.linalg.matrix_norm, range=ranges.nonnegative)
def matrix_norm(x: Any, ord: Any = "fro", **_: Any) -> Any:
    """Over the last two axes."""
    if ord in ("fro", "f"):
        return np.sqrt(np.sum(x * x, axis=(-2, -1)))
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1)
        return (np.max if ord > 0 else np.min)(sums, axis=-1)
    singular = svdvals(x)
    if ord == "nuc":
        return np.sum(singular, axis=-1)
    return singular[..., 0 if ord == 2 else -1]


@spells(np.linalg.cond, range=ranges.nonnegative)
def cond(a: Any, p: Any = None) -> Any:
    if p in (None, 2):
        singular = svdvals(a)
        return singular[..., 0] / singular[..., -1]
    return norm(a, p) * norm(inv(a), p)
