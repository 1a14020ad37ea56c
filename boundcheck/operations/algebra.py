"""NumPy's linear algebra on traced arrays; eigenvalues, which have no order, by what is asked of them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

import boundcheck.operations.products as products
import boundcheck.operations.ranges as ranges
import boundcheck.operations.spectra as spectra
from boundcheck.operations.operation import spells
from boundcheck.operations.products import inv
from boundcheck.operations.spectra import svdvals
from boundcheck.operations.trials import Entries, Trials, exact, tape_beside
from boundcheck.tape import NotTraceable, Traced, is_traced, value_of
from boundcheck.tape.traced import lifts


@spells(np.linalg.eigvalsh)
def eigvalsh(a: Any) -> Any:
    return spectra.eigvalsh(a)


@spells(np.linalg.cholesky)
def cholesky(a: Any) -> Any:
    return products.cholesky(a)


@spells(np.linalg.solve)
def _solve(a: Any, b: Any) -> Any:
    return (
        products.solve(a, np.reshape(b, (-1, 1)))[..., 0]
        if np.ndim(b) == 1
        else products.solve(a, b)
    )


@spells(np.linalg.slogdet)
def slogdet(a: Any) -> tuple[Entries, Entries]:
    return np.sign(products.det(a)), products.slogabsdet(a)


class Vectors:
    """Singular vectors: a body may leave them, no certificate can name them."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":  # whoever looks what it is
            return Vectors
        raise NotTraceable(
            "Eigenvectors and singular vectors are not unique; use np.linalg.svdvals(A), or eigenvectors of A^T A."
        )


@spells(np.linalg.svd)
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> object:
    return (Vectors(), svdvals(a), Vectors()) if compute_uv else svdvals(a)


class Eigen(NamedTuple):
    """What np.linalg.eigh returns."""

    eigenvalues: Any
    eigenvectors: Any


@spells(np.linalg.eigh)
def eigh(a: Any) -> Eigen:
    """The eigenvectors have the signs of NumPy: those of their largest entries are recorded."""
    if isinstance(a, Trials) or np.ndim(a) != 2:
        raise NotTraceable("Eigenvectors are traced of one matrix at a time.")
    V = np.linalg.eigh(a.traced_value)[1]
    lead = np.argmax(np.abs(V), axis=0)
    signed = [int(np.sign(V[i, k])) * (int(i) + 1) for k, i in enumerate(lead)]
    return Eigen(eigvalsh(a), spectra.eigenvectors(a, lead=signed))


@spells(np.linalg.qr)
def qr(a: Any) -> Any:
    """A = Q R with the signs that NumPy gives the diagonal of R here; A has independent columns."""
    if isinstance(a, Trials):
        raise NotTraceable("np.linalg.qr is traced of one matrix at a time.")
    plain: Any = np.linalg.qr(a.traced_value).R
    if plain.shape[0] != plain.shape[1]:
        raise NotTraceable(
            "np.linalg.qr is traced for matrices that are not wide."
        )
    signs = np.sign(np.diag(plain))[:, None]
    R = signs * np.swapaxes(cholesky(np.swapaxes(a, -1, -2) @ a), -1, -2)
    return a @ inv(R), R


@spells(np.linalg.pinv)
def pinv(a: Any) -> Any:
    """Of a matrix of full rank."""
    T = np.swapaxes(a, -1, -2)
    return (
        _solve(T @ a, T)
        if a.shape[-2] >= a.shape[-1]
        else np.swapaxes(_solve(a @ T, a), -1, -2)
    )


@spells(np.linalg.matrix_power)
def matrix_power(a: Any, n: int) -> Entries:
    if n < 0:
        return matrix_power(inv(a), -n)
    result: Any = np.eye(a.shape[-1])
    for _ in range(n):
        result = result @ a
    return exact(result, tape_beside(a))


@spells(np.linalg.norm, range=ranges.nonnegative)
def _norm(
    x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """np.linalg.norm: vectors and matrices."""
    if isinstance(axis, tuple) or (
        axis is None and x.ndim == 2 and ord is not None
    ):
        x = x if axis is None else np.moveaxis(x, axis, (-2, -1))
        result, kept = (
            matrix_norm(x, "fro" if ord is None else ord),
            axis or (-2, -1),
        )
    else:
        x, kept = (
            (np.ravel(x), 0)
            if axis is None
            else (np.moveaxis(x, axis, -1), axis)
        )
        result = _vector_norm(x, 2 if ord is None else ord)
    return np.expand_dims(result, kept) if keepdims else result


def _vector_norm(x: Any, ord: Any) -> Any:
    """Along the last axis."""
    if ord == 2:
        return np.sqrt(np.sum(x * x, axis=-1))
    # a decimal of the text is a number of its program, and finite
    if not is_traced(ord) and np.isinf(ord):
        return (np.max if ord > 0 else np.min)(np.abs(x), axis=-1)
    if ord == 0:
        return np.sum(np.sign(np.abs(x)), axis=-1)
    total = np.sum(np.abs(x) ** ord, axis=-1)
    return total if ord == 1 else total ** (1 / exact(ord, tape_beside(x)))


def matrix_norm(x: Any, ord: Any = "fro") -> Any:
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


ORDER = "The order of np.linalg.eigvals is that of LAPACK and says nothing; take np.max, np.sum, np.all or the like of all of them."

ANYHOW = (
    np.all,
    np.any,
    np.count_nonzero,
    np.linalg.norm,
    np.prod,
    np.sum,
    np.mean,
    np.std,
    np.var,
)
RANKED = (np.max, np.min, np.sort, np.median, np.ptp)
"""Functions that give the same in any order of the entries, and those that want real ones."""

COMPARISONS = (np.less, np.less_equal, np.greater, np.greater_equal)


class Many(NDArrayOperatorsMixin):
    """As many numbers as a matrix has rows, without an order: what is asked of all alike is recorded."""

    __array_priority__ = 1100
    orderless = True
    size: int
    ndim = 1
    shape = property(lambda self: (self.size,))

    def plain(self, *_: Any, **__: Any) -> NoReturn:
        raise NotTraceable(ORDER)

    __getitem__ = __iter__ = __array__ = __bool__ = __float__ = plain

    def __len__(self) -> int:
        return self.size

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Many:
        alone = (
            isinstance(x, Many) or not (lifts(x) or np.ndim(value_of(x)))
            for x in inputs
        )
        if (
            method != "__call__"
            or kwargs
            or ufunc.signature is not None
            or not all(alone)
        ):
            raise NotTraceable(ORDER)
        return self.entrywise(ufunc, *inputs)

    def __array_function__(
        self,
        function: Callable[..., Any],
        _: object,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> object:
        if function in (np.real, np.imag):
            return getattr(self, function.__name__)
        whole = kwargs.get("axis") in (None, 0, -1) and not set(kwargs) - {
            "axis",
            "ord",
        }
        if (
            function not in ANYHOW + RANKED
            or args[0] is not self
            or not whole
            or len(args) > 1 + ("norm" in function.__name__)
        ):
            raise NotTraceable(ORDER)
        return self.of_all(
            function,
            *args[1:],
            **{name: x for name, x in kwargs.items() if name == "ord"},
        )

    def entrywise(self, ufunc: np.ufunc, *inputs: Any) -> Many:
        raise NotImplementedError

    def of_all(
        self, function: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Entries:
        raise NotImplementedError


for _function in (
    np.all,
    np.any,
    np.max,
    np.mean,
    np.min,
    np.prod,
    np.std,
    np.sum,
    np.var,
):
    setattr(
        Many,
        _function.__name__,
        lambda self, *args, _function=_function, **kwargs: _function(
            self, *args, **kwargs
        ),
    )


class Unordered(Many):
    """A function of real numbers that come in some order, which is the same for all of one origin."""

    def __init__(self, held: Entries, origin: object):
        self.held, self.origin, self.size = held, origin, len(value_of(held))

    real = property(lambda self: self)

    def beside(self, other: object) -> Entries:
        """The numbers, if they are to be compared with a single one. Raises NotTraceable."""
        return self.held if np.ndim(value_of(other)) == 0 else self.plain()

    def entrywise(self, ufunc: np.ufunc, *inputs: Any) -> Unordered:
        if any(
            isinstance(x, Many) and getattr(x, "origin", None) != self.origin
            for x in inputs
        ):
            raise NotTraceable(ORDER)
        return Unordered(
            ufunc(*(x.held if isinstance(x, Unordered) else x for x in inputs)),
            self.origin,
        )

    def of_all(
        self, function: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Entries:
        return function(self.held, *args, **kwargs)


class Eigenvalues(Many):
    """The eigenvalues of a matrix; functions of them are eigenvalues of the same functions of the matrix."""

    def __init__(self, matrix: Traced):
        self.matrix, self.size = matrix.copy(), len(matrix)
        matrix.tape.spectral.add(matrix.node)

    real = property(lambda self: self.part("real"))
    imag = property(lambda self: self.part("imag"))

    def part(self, name: str) -> Unordered:
        return Unordered(
            spectra.eigvals(self.matrix, part=name), (self.matrix.node, name)
        )

    def as_real(self) -> Unordered:
        """The eigenvalues where all of them are real, which becomes a hypothesis."""
        if not np.all((self.imag.held == 0).decided()):
            raise NotTraceable(
                "Complex eigenvalues have no order; compare np.abs, np.real or np.imag of them."
            )
        return self.real

    def entrywise(self, ufunc: np.ufunc, *inputs: Any) -> Many:
        if ufunc is np.absolute:
            return self.part("abs")
        if ufunc in COMPARISONS:
            return ufunc(*(x.as_real() if x is self else x for x in inputs))
        of_matrix = OF_MATRICES.get(ufunc)
        if of_matrix is None or sum(isinstance(x, Many) for x in inputs) > 1:
            raise NotTraceable(
                f"np.{ufunc.__name__} of eigenvalues has no exact form; take it of np.abs, np.real or np.imag of them."
            )
        return Eigenvalues(
            of_matrix(*(x.matrix if x is self else x for x in inputs))
        )

    def of_all(
        self, function: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Entries:
        if function in RANKED:
            return function(self.as_real())
        if function is np.linalg.norm:
            return function(self.part("abs").held, *args, **kwargs)
        if function is np.prod:
            return np.linalg.det(self.matrix)
        if function in (np.sum, np.mean):
            return np.trace(self.matrix) / (
                self.size if function is np.mean else 1
            )  # type: ignore[call-overload]
        return self.plain()


def _beside_identity(ufunc: np.ufunc) -> Callable[[Any, Any], Any]:
    """A matrix with a number, which stands for that multiple of the identity."""
    return lambda *inputs: ufunc(
        *(
            x if np.ndim(value_of(x)) else x * np.eye(_side(inputs), dtype=int)
            for x in inputs
        )
    )


def _side(inputs: Sequence[Any]) -> int:
    return next(len(x) for x in inputs if np.ndim(value_of(x)))


def _quotient(x: Any, y: Any) -> Entries:
    return x / y if np.ndim(value_of(x)) else x * np.linalg.inv(y)


def _power(x: Any, k: Any) -> Entries:
    """Raises NotTraceable for exponents that are not whole numbers of the text."""
    if not np.ndim(value_of(x)) or (
        is_traced(k) and (k.exact is None or k.exact[0].denominator != 1)
    ):
        raise NotTraceable(
            "Powers of eigenvalues have whole exponents; take others of np.abs of them."
        )
    return matrix_power(x, int(k))


OF_MATRICES: dict[np.ufunc, Callable[..., Any]] = {
    np.add: _beside_identity(np.add),
    np.subtract: _beside_identity(np.subtract),
    np.multiply: np.multiply,
    np.divide: _quotient,
    np.power: _power,
    np.square: lambda x: x @ x,
    np.negative: np.negative,
    np.positive: np.positive,
    np.exp: spectra.expm,
}
"""Functions of eigenvalues that are eigenvalues of a function of the matrix."""


@spells(np.linalg.eigvals)
def _eigenvalues(a: Entries) -> Eigenvalues:
    """Raises NotTraceable for stacks, and inside trials."""
    if not isinstance(a, Traced) or a.ndim != 2:
        raise NotTraceable(
            "np.linalg.eigvals is traced of one matrix at a time."
        )
    return Eigenvalues(a)


@spells(np.roots)
def roots(p: Entries) -> Eigenvalues:
    """Of a polynomial by its coefficients, of which the first is not 0; without an order as well."""
    if (
        not isinstance(p, Traced)
        or p.ndim != 1
        or len(p) < 2
        or not (p[0] != 0).decided()
    ):
        raise NotTraceable(
            "np.roots is traced of one polynomial whose first coefficient is not 0."
        )
    first = -np.reshape(p[1:] / p[0], (1, -1))
    companion: Any = np.concatenate([first, np.eye(len(p) - 1, dtype=int)[:-1]])
    return Eigenvalues(companion)


@spells(np.poly)
def poly(zeros: Entries) -> Entries:
    if not isinstance(zeros, Traced) or zeros.ndim != 1:
        raise NotTraceable("np.poly is traced of the zeros of one polynomial.")
    p: Any = exact(np.ones(1, dtype=int), zeros.tape)
    for zero in zeros:
        p = np.append(p, 0) - zero * np.append(0, p)
    return p


@spells(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    """Horner's rule."""
    value: Any = 0 * x
    for coefficient in p:
        value = value * x + coefficient
    return value
