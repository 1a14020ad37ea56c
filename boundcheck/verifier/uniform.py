"""Programs whose sizes are names: what they are for matrices of every size, and at given sizes.

A value is a number, which stands for one of the scalars of the text or for a trace or a form u' f v; a matrix, a
series in the letters; the diagonal of one; or a product or quotient entry by entry. A vector that is a letter is a
diagonal matrix of that name times ones. Numbers are residues at random values of
the scalars and sizes. Traces and forms take random values, but for the linear relations between them as sums of
words up to rotation and transposition, which hold for matrices of every size. So what is equal here is equal for
every size, wherever both sides are defined; nothing is said where it differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import prod
from secrets import SystemRandom
from typing import Any

from flint import fmpq, fmpz

from .arrays import broadcast
from .findings import demand, spend
from .numbers import ONE, rational
from .residues import Differ
from .scalars import Unproved
from .series import (
    Letter,
    Series,
    added,
    constant,
    inverted,
    letter,
    multiplied,
    opened_at,
    relation,
    scaled,
    trace_of,
    transposed,
    without_constant,
)

Node = Mapping[str, Any]
Dim = int | str

HEAVIEST = 2**33
"""The degree, and the binary length, of what is told from 0 but for a chance of 2^-27 at a point modulo a prime
between 2^62 and 2^63, of which there are 2^56."""

POINTS = 3
"""Points modulo a prime at which it is told."""

MOST_LETTERS, MOST_EXPONENT, MOST_FACTORS = 60, 12, 8
KEYS = {
    "letter": {"name", "shape"},
    "const": {"value"},
    "size": {"name"},
    "identity": {"size"},
    "pow": {"exponent"},
    "sum": {"axis"},
    "expand": {"axis"},
    "squeeze": {"axis"},
    "head": {"size"},
    "entry": {"index"},
    **{
        op: set()
        for op in "add sub mul div neg sqrt matmul solve inv transpose diagonal stack counts mean".split()
    },
}
"""The operations, and what each says besides its operands."""

ARITY = {
    **dict.fromkeys("letter const size identity".split(), 0),
    **dict.fromkeys("add sub mul div matmul solve counts".split(), 2),
}


@dataclass(frozen=True)
class Scalar:
    """A number modulo the prime: a rational function of the scalars of degree and length at most `weight`."""

    value: int
    weight: int = 2
    square: Scalar | None = None
    """Of what it is the root, whose value is then not known."""


@dataclass(frozen=True)
class Matrix:
    """A vector is a matrix of one column."""

    shape: tuple[Dim, ...]
    series: Series
    spread: Series | None = None
    """Of a vector its diagonal matrix, where it is one in words: the vector is that times ones."""
    plain: str | None = None
    """The name of the letter that a vector is."""


@dataclass(frozen=True)
class Diagonal:
    """The diagonal of a square matrix."""

    shape: tuple[Dim, ...]
    series: Series


@dataclass(frozen=True)
class Product:
    """Several arrays of one shape, multiplied entry by entry, and divided by others."""

    shape: tuple[Dim, ...]
    factors: tuple[Matrix | Diagonal, ...]
    over: tuple[Matrix | Diagonal, ...] = ()


Value = Any


@dataclass
class Model:
    """Random values of what commutes, modulo a random prime."""

    prime: int
    random: SystemRandom
    sizes: dict[str, Scalar] = field(default_factory=dict)
    forms: list[tuple[Series, Scalar]] = field(default_factory=list)
    traces: list[tuple[Series, Scalar]] = field(default_factory=list)
    diagonals: set[str] = field(default_factory=set)
    ones: set[str] = field(default_factory=set)
    heaviest: int = 1

    @classmethod
    def drawn(cls) -> Model:
        random = SystemRandom()
        while not fmpz(
            prime := random.randrange(2**62, 2**63)
        ).is_probable_prime():
            pass
        return cls(prime, random)

    # numbers

    def exactly(self, x: fmpq) -> Scalar:
        if int(x.q) % self.prime == 0:
            raise Unproved("a denominator vanishes")
        value = int(x.p) * pow(int(x.q), -1, self.prime) % self.prime
        return Scalar(
            value, abs(int(x.p)).bit_length() + int(x.q).bit_length() + 1
        )

    def size(self, dim: Dim) -> Scalar:
        if isinstance(dim, int):
            return self.exactly(fmpq(dim))
        return self.sizes.setdefault(dim, self._any())

    def _any(self) -> Scalar:
        return Scalar(self.random.randrange(self.prime))

    def _number(self, value: int, *given: Any) -> Scalar:
        weight = sum(x.weight for x in given) + 1
        self._weigh(weight)
        return Scalar(value % self.prime, weight)

    def _weigh(self, weight: int) -> None:
        self.heaviest = max(self.heaviest, weight)

    def _inverse(self, x: Scalar) -> Scalar:
        x = known(x)
        self._weigh(x.weight)
        if not x.value:
            raise Unproved("a divisor vanishes")
        return Scalar(pow(x.value, -1, self.prime), x.weight)

    def of(self, x: Series, dim: Dim, *same: Series) -> Scalar:
        """Twice the trace of a square matrix, or twice the entry of one of one row and column.

        `same` are other ways to write it, all of them without a number.
        """
        rest, symmetric = without_constant(x), frozenset(self.diagonals)
        ones = {(name, 0) for name in self.ones}
        closed, opened = (None, rest) if dim == 1 else opened_at(rest, ones)
        forms = [added(s, transposed(s, symmetric)) for s in (opened, *same)]
        value = self._told(forms, self.forms)
        if closed is not None and not closed.vanishes:
            traced = self._told([trace_of(closed, symmetric)], self.traces)
            value = self.add(value, traced)
        own = Scalar(x.constant, x.weight)
        return self.add(
            value,
            self.multiply(self.multiply(own, self.size(dim)), Scalar(2, 2)),
        )

    def _told(
        self, same: Sequence[Series], known: list[tuple[Series, Scalar]]
    ) -> Scalar:
        """The value of what is linear in a series, written in several ways: by those of others, or any."""
        found = [self._linear(x, known) for x in same]
        value = next((v for v in found if v is not None), None) or self._any()
        new = [x for x, v in zip(same, found, strict=True) if v is None]
        for k, x in enumerate(new):
            if k == 0 or self._linear(x, known) is None:
                known.append((x, value))
        return value

    def _linear(
        self, x: Series, known: list[tuple[Series, Scalar]]
    ) -> Scalar | None:
        weight = (sum(s.length for s, _ in known) + x.length) * (
            sum(s.weight for s, _ in known) + x.weight
        )
        self._weigh(weight)
        found = relation([s for s, _ in known], x)
        if found is None:
            return None
        total = sum(c * v.value for c, (_, v) in zip(found, known, strict=True))
        return Scalar(total % self.prime, weight)

    # arrays

    def add(self, x: Value, y: Value, sign: int = 1) -> Value:
        if isinstance(x, Scalar) and isinstance(y, Scalar):
            return self._number(known(x).value + sign * known(y).value, x, y)
        x, y = self._alike(x, y)
        made = replace(x, series=self._sum(x.series, y.series, sign))
        if isinstance(x, Matrix):
            both = x.spread, y.spread
            spread = None if None in both else self._sum(*both, sign)
            made = replace(made, spread=spread, plain=None)
        return made

    def _sum(self, x: Any, y: Any, sign: int) -> Series:
        return added(x, scaled(y, sign, 1))

    def _alike(self, x: Value, y: Value) -> tuple[Any, Any]:
        """Two matrices, or two diagonals, of one shape. Raises Unproved."""
        shape: Any = getattr(y if isinstance(x, Scalar) else x, "shape", ())
        if isinstance(x, Scalar) and len(shape) == 1:
            x = self._scaled(self._ones(*shape), known(x))
        elif isinstance(y, Scalar) and len(shape) == 1:
            y = self._scaled(self._ones(*shape), known(y))
        x, y = map(self.settled, (x, y))
        if isinstance(x, Diagonal) != isinstance(y, Diagonal):
            x, y = map(self._as_diagonal, (x, y))
        if (
            type(x) is not type(y)
            or isinstance(x, Scalar)
            or x.shape != y.shape
        ):
            raise Unproved("a sum of arrays of several shapes has no rule")
        return x, y

    def _as_diagonal(self, x: Value) -> Value:
        spread = x.spread if isinstance(x, Matrix) else None
        return x if spread is None else Diagonal(x.shape, spread)

    def multiply(self, x: Value, y: Value) -> Value:
        if isinstance(x, Scalar) and isinstance(y, Scalar):
            return self._number(known(x).value * known(y).value, x, y)
        if isinstance(y, Scalar):
            x, y = y, x
        if isinstance(x, Scalar):
            return self._scaled(y, known(x))
        if len(x.shape) < len(y.shape):
            x, y = y, x
        if x.shape == y.shape:
            return self._product(x, y)
        if len(x.shape) == 2:
            return self._broadcast(self.matrix(x), self.matrix(y))
        raise Unproved("a product entry by entry has no rule")

    def _product(self, x: Value, y: Value, inverse: bool = False) -> Product:
        """The product of two arrays of one shape, or the quotient; what is above and below is left out."""
        (above, below), (others, under) = map(_parts, (x, y))
        if inverse:
            others, under = under, others
        factors, over, c = self._cancelled([*above, *others], [*below, *under])
        if max(len(factors), len(over)) > MOST_FACTORS:
            raise Unproved("a product entry by entry has too many factors")
        if not factors:
            factors = [self._ones(*x.shape)]
        return self._scaled(Product(x.shape, tuple(factors), tuple(over)), c)

    def _cancelled(
        self, factors: list[Any], over: list[Any]
    ) -> tuple[list[Any], list[Any], Scalar]:
        """Both without those of one that are multiples of those of the other, and the number that they leave."""
        left, total = [], self.exactly(ONE)
        for divisor in over:
            found = (
                (k, self._ratio(f, divisor)) for k, f in enumerate(factors)
            )
            k, c = next(((k, c) for k, c in found if c is not None), (0, None))
            if c is None:
                left.append(divisor)
            else:
                factors = [*factors[:k], *factors[k + 1 :]]
                total = self.multiply(total, c)
        return factors, left, total

    def _ratio(
        self, x: Matrix | Diagonal, y: Matrix | Diagonal
    ) -> Scalar | None:
        """The number c with x = c y, if there is one."""
        if type(x) is not type(y) or x.shape != y.shape:
            return None
        found = relation([y.series], x.series)
        weight = (x.series.length + y.series.length) * (
            x.series.weight + y.series.weight
        )
        self._weigh(weight)
        return None if found is None else Scalar(found[0], weight)

    def _scaled(self, x: Value, c: Scalar) -> Value:
        if isinstance(x, Product):
            first, *rest = x.factors
            return replace(x, factors=(self._scaled(first, c), *rest))
        made = replace(x, series=scaled(x.series, c.value, c.weight))
        if isinstance(x, Matrix):
            own = x.spread
            spread = None if own is None else scaled(own, c.value, c.weight)
            made = replace(made, spread=spread, plain=None)
        return made

    def _broadcast(self, x: Matrix, y: Matrix) -> Matrix:
        """A matrix times a vector along its rows or columns, or a column times a row."""
        (m, n), shape = x.shape, y.shape if len(y.shape) == 2 else (1, *y.shape)
        if (n, shape[0]) == (1, 1) or (m, shape[1]) == (1, 1):
            row, column = (y, x) if n == 1 else (x, y)
            rows = (
                self.transpose(row.series)
                if len(row.shape) == 1
                else row.series
            )
            both = (column.shape[0], row.shape[-1])
            return Matrix(both, multiplied(column.series, rows))
        if shape == (1, n):
            return Matrix(x.shape, multiplied(x.series, spread_of(y)))
        if shape == (m, 1):
            return Matrix(x.shape, multiplied(spread_of(y), x.series))
        if (m, n) in ((1, shape[1]), (shape[0], 1)):
            return self._broadcast(y, x)
        raise Unproved("a product of arrays of several shapes has no rule")

    def settled(self, x: Value) -> Value:
        """A product of vectors as a vector or as the diagonal of a matrix. Raises Unproved."""
        if not isinstance(x, Product):
            return x
        if len(x.shape) != 1 or x.over:
            raise Unproved("a product or a quotient entry by entry has no rule")
        *rest, last = sorted(x.factors, key=_order)
        return reduce(self._times, reversed(rest), last)

    def _times(
        self, y: Matrix | Diagonal, x: Matrix | Diagonal
    ) -> Matrix | Diagonal:
        """Two vectors, multiplied entry by entry: with x = S 1 it is S y, and (S T) 1 if y = T 1; else diag x y'."""
        if not isinstance(x, Matrix) or (
            x.spread is None and isinstance(y, Matrix) and y.spread is not None
        ):
            x, y = y, x
        if isinstance(x, Matrix) and x.spread is not None:
            over = y.spread if isinstance(y, Matrix) else None
            made = replace(y, series=multiplied(x.spread, y.series))
            if isinstance(made, Diagonal):
                return made
            spread = None if over is None else multiplied(x.spread, over)
            return replace(made, spread=spread, plain=None)
        if isinstance(x, Matrix) and isinstance(y, Matrix):
            return Diagonal(
                x.shape, multiplied(x.series, self.transpose(y.series))
            )
        raise Unproved("a product entry by entry has no rule")

    def matrix(self, x: Value) -> Matrix:
        """A matrix or a vector, a product of vectors as one. Raises Unproved."""
        x = self.settled(x)
        if not isinstance(x, Matrix):
            raise Unproved("an array has no form as a matrix")
        return x

    def transpose(self, x: Series) -> Series:
        return transposed(x, frozenset(self.diagonals))

    def divide(self, x: Value, y: Value) -> Value:
        if isinstance(y, Scalar):
            return self.multiply(x, self._inverse(y))
        if len(y.shape) != 1:
            raise Unproved(
                "a quotient by a matrix, entry by entry, has no rule"
            )
        if isinstance(x, Scalar):
            x = self._scaled(self._ones(y.shape[0]), known(x))
        if x.shape != y.shape:
            raise Unproved("a quotient of arrays of several shapes has no rule")
        return self._product(x, y, inverse=True)

    def matmul(self, x: Value, y: Value) -> Value:
        if (
            any(isinstance(v, Scalar) for v in (x, y))
            or x.shape[-1] != y.shape[0]
        ):
            raise Unproved("matrices are multiplied that do not fit")
        if len(x.shape) == len(y.shape) == 1:
            return self.sum(self._product(x, y), None)
        x, y = self.matrix(x), self.matrix(y)
        left = self.transpose(x.series) if len(x.shape) == 1 else x.series
        made = multiplied(left, y.series)
        if len(x.shape) == 1:
            made = self.transpose(made)
        return Matrix((*x.shape[:-1], *y.shape[1:]), made)

    def _dot(self, x: Matrix, y: Matrix, *same: Series) -> Scalar:
        made = multiplied(self.transpose(x.series), y.series)
        return self._half(self.of(made, 1, *same))

    def _half(self, x: Scalar) -> Scalar:
        """Traces count each word and its transpose."""
        return self.multiply(x, self.exactly(fmpq(1, 2)))

    def sum(self, x: Value, axis: int | None) -> Value:
        """The sum over one axis, or over all."""
        if isinstance(x, Product) and len(x.shape) == 2:
            return self._contracted(x, axis)
        if isinstance(x, Product) and all(
            isinstance(f, Matrix) for f in x.factors
        ):
            return self._summed(x)
        x = self.settled(x)
        if isinstance(x, Diagonal):
            return self._half(self.of(x.series, x.shape[0]))
        if not isinstance(x, Matrix):
            raise Unproved("a number has no axis")
        if len(x.shape) == 1:
            return self._dot(self._ones(x.shape[0]), x)
        if axis is None:
            return self.sum(self.sum(x, 0), 0)
        ones = self._ones(x.shape[axis])
        return self.matmul(ones, x) if axis == 0 else self.matmul(x, ones)

    def _summed(self, x: Product) -> Scalar:
        """The sum of a product of vectors, as a form in the last one; of those that are spread as that of ones, too."""
        *rest, last = sorted(map(self.matrix, x.factors), key=_order)
        ones, above = self._ones(*x.shape), replace(x, factors=tuple(rest))
        first = self.matrix(above) if rest else ones
        same = []
        if len(rest) > 1 and last.spread is not None:
            row = self.transpose(ones.series)
            same = [multiplied(row, self.matrix(x).series)]
        return self._dot(first, self.matrix(replace(x, factors=(last,))), *same)

    def _ones(self, *shape: Dim) -> Matrix:
        """A vector of ones, whose square is its size."""
        if len(shape) != 1:
            raise Unproved("a matrix of ones has no rule")
        name, one = f"ones {shape[0]!r}", constant(self.prime, 1, 1)
        made = letter(self.prime, (name, 0))
        if name not in self.ones:
            self.ones.add(name)
            square = multiplied(self.transpose(made), made)
            self.forms.append((square, self.size(shape[0])))
        return Matrix(shape, made, one)

    def _contracted(self, x: Product, axis: int | None) -> Value:
        if len(x.factors) != 2 or x.over:
            raise Unproved(
                "a product of several matrices entry by entry has no rule"
            )
        a, b = (f.series for f in x.factors)
        (m, n) = x.shape
        if axis == 1:
            return Diagonal((m,), multiplied(a, self.transpose(b)))
        made = multiplied(self.transpose(a), b)
        return (
            Diagonal((n,), made) if axis == 0 else self._half(self.of(made, n))
        )

    def power(self, x: Value, k: int) -> Value:
        if isinstance(x, Scalar):
            if x.square is not None:
                demand_even(k)
                return self.power(x.square, k // 2)
            base = x if k >= 0 else self._inverse(x)
            weight = x.weight * max(abs(k), 1) + 1
            self._weigh(weight)
            return Scalar(pow(base.value, abs(k), self.prime), weight)
        if not isinstance(x, Matrix) or not 1 <= k <= MOST_FACTORS:
            raise Unproved("a power entry by entry has no rule")
        return x if k == 1 else Product(x.shape, (x,) * k)

    # operations

    def run(self, program: Sequence[Node]) -> list[Value]:
        """The value of every node; of one that no rule is for, or that rests on such, the reason."""
        values: list[Value] = []
        found = degrees(program)
        for node, degree in zip(program, found, strict=True):
            spend(20)
            args = [values[k] for k in node["args"]]
            failed = next((x for x in args if isinstance(x, Unproved)), None)
            if degree > 1:
                failed = Unproved(
                    "what a mean is of is not affine in the counts"
                )
            try:
                values.append(failed or self._made(node, args))
            except Unproved as reason:
                values.append(reason)
        random = Unproved("a draw is no number outside of a mean")
        return [random if n else x for x, n in zip(values, found, strict=True)]

    def _made(self, node: Node, args: list[Value]) -> Value:
        op = node["op"]
        if op == "letter":
            return self._letter(node["name"], tuple(node["shape"]))
        if op == "const":
            return self.exactly(rational(node["value"]))
        if op == "size":
            return self.size(node["name"])
        if op == "identity":
            return Matrix((node["size"],) * 2, constant(self.prime, 1, 1))
        if op in ("add", "sub"):
            return self.add(*args, sign=1 if op == "add" else -1)
        if op == "neg":
            return self.multiply(args[0], self.exactly(-ONE))
        if op == "entry":
            return self._entry(self.matrix(args[0]), node["index"])
        if op == "stack":
            return self._stack(args)
        if op == "counts":
            return self._counts(*args)
        if op == "mean":
            return args[0]
        if op == "pow":
            return self.power(args[0], node["exponent"])
        if op == "sum":
            return self.sum(args[0], node["axis"])
        if op in ("mul", "div", "matmul"):
            return {
                "mul": self.multiply,
                "div": self.divide,
                "matmul": self.matmul,
            }[op](*args)
        if op == "sqrt":
            if not isinstance(args[0], Scalar):
                raise Unproved("a root of an array has no rule")
            return Scalar(0, args[0].weight, known(args[0]))
        if op == "head":
            return self._head(args[0], node["size"])
        return self._of_matrix(
            op, self.matrix(args[0]), [self.matrix(x) for x in args[1:]], node
        )

    def _counts(self, trials: Value, law: Value) -> Value:
        """The mean of how often each place is drawn, in so many draws from weights that sum to 1."""
        if isinstance(law, Scalar) or len(law.shape) != 1:
            raise Unproved("a law is a vector of weights")
        if known(self.sum(law, None)).value != 1:
            raise Unproved("the weights of a law do not sum to 1")
        return self.multiply(trials, law)

    def _entry(self, x: Matrix, index: int) -> Scalar:
        """One of the entries of a vector of so many: its product with a letter."""
        if (
            len(x.shape) != 1
            or type(x.shape[0]) is not int
            or index >= x.shape[0]
        ):
            raise Unproved("an entry is taken of an array of no known size")
        unit = self._letter(f"unit {index} of {x.shape[0]}", x.shape)
        return self.matmul(unit, x)

    def _stack(self, entries: Sequence[Value]) -> Matrix:
        """A vector with these entries, as a letter of which the sum is known."""
        total = reduce(self.add, map(self._plain, entries))
        name = " ".join(["stack", *(str(x.value) for x in entries)])
        is_new = f"diag {name}" not in self.diagonals
        made = self._letter(name, (len(entries),))
        if is_new:
            row = self.transpose(self._ones(len(entries)).series)
            self.forms.append((multiplied(row, made.series), total))
        return made

    def _plain(self, x: Value) -> Scalar:
        if not isinstance(x, Scalar):
            raise Unproved("arrays are put together that have no rule")
        return known(x)

    def _head(self, x: Value, dim: Dim) -> Matrix:
        """The first entries of a letter that has at least as many, as a letter of its own."""
        if not isinstance(x, Matrix) or x.plain is None or len(x.shape) != 1:
            raise Unproved("the first entries are taken of what is no letter")
        return self._letter(f"{x.plain} to {dim}", (dim,))

    def _of_matrix(
        self, op: str, x: Matrix, rest: list[Matrix], node: Node
    ) -> Value:
        if op in ("expand", "squeeze"):
            return self._reshaped(x, op, node["axis"])
        if op == "transpose":
            shape = x.shape[::-1]
            return (
                Matrix(shape, self.transpose(x.series))
                if len(shape) == 2
                else x
            )
        if len(x.shape) != 2 or x.shape[0] != x.shape[1]:
            raise Unproved("a matrix is not square")
        if op == "diagonal":
            return Diagonal(x.shape[:1], x.series)
        inverse = inverted(x.series)
        self._weigh((x.series.weight + 1) * 2)
        if op == "inv":
            return Matrix(x.shape, inverse)
        if len(rest[0].shape) != 2 or rest[0].shape[0] != x.shape[0]:
            raise Unproved("a right side does not fit")
        return Matrix(rest[0].shape, multiplied(inverse, rest[0].series))

    def _reshaped(self, x: Matrix, op: str, axis: int) -> Matrix:
        """A vector as a column (axis 1) or a row (axis 0), and back."""
        turned = self.transpose(x.series) if axis == 0 else x.series
        if op == "expand" and len(x.shape) == 1:
            shape: tuple[Dim, ...] = (
                (*x.shape, 1) if axis == 1 else (1, *x.shape)
            )
            return replace(x, shape=shape, series=turned)
        if op == "squeeze" and len(x.shape) == 2 and x.shape[axis] == 1:
            return replace(x, shape=(x.shape[1 - axis],), series=turned)
        raise Unproved("an axis is put in or left out that is none")

    def _letter(self, name: str, shape: tuple[Dim, ...]) -> Value:
        if not shape:
            return self._any()
        if len(shape) == 2:
            return Matrix(shape, letter(self.prime, (name, 0)))
        diagonal = f"diag {name}"
        self.diagonals.add(diagonal)
        spread, ones = letter(self.prime, (diagonal, 0)), self._ones(*shape)
        return Matrix(shape, multiplied(spread, ones.series), spread, name)

    def require_equal(self, x: Value, y: Value) -> None:
        """Raises Unproved, or Differ, where two sides are not the same."""
        for side in (x, y):
            if isinstance(side, Unproved):
                raise side
        if not self._equal(x, y):
            raise Differ("the sides are not the same in words")
        self._weigh(sum(v.weight for v in (x, y) if isinstance(v, Scalar)))
        if self.heaviest > HEAVIEST:
            raise Unproved(
                "the sides are of too high a degree for random points"
            )

    def _equal(self, x: Value, y: Value) -> bool:
        if isinstance(x, Scalar) and isinstance(y, Scalar):
            if x.square is not None and y.square is not None:
                x, y = x.square, y.square
            return known(x).value == known(y).value
        products = any(isinstance(v, Product) for v in (x, y))
        if products and getattr(x, "shape", ()) == getattr(y, "shape", ()):
            (above, below), (others, under) = map(_parts, (x, y))
            left, over, c = self._cancelled([*above, *under], [*others, *below])
            if not left and not over and c.value == 1:
                return True
        x, y = self._alike(x, y)
        length, weight = (
            sum(getattr(v.series, n) for v in (x, y)) + 1
            for n in ("length", "weight")
        )
        self._weigh(2 * length * weight)
        return self._sum(x.series, y.series, -1).vanishes


def known(x: Scalar) -> Scalar:
    if x.square is not None:
        raise Unproved("a root is used that is not squared")
    return x


def demand_even(k: int) -> None:
    if k % 2:
        raise Unproved("a root is used that is not squared")


def _parts(x: Value) -> tuple[Sequence[Any], Sequence[Any]]:
    """What an array is a product of, entry by entry, and what it is divided by."""
    return (x.factors, x.over) if isinstance(x, Product) else ((x,), ())


def _order(x: Matrix | Diagonal) -> tuple[bool, list[Letter]]:
    """The one that factors stand in: those that are spread before others, each by its letters."""
    return getattr(x, "spread", None) is None, sorted(x.series.steps)


def spread_of(x: Matrix) -> Series:
    """The diagonal matrix of a vector. Raises Unproved."""
    if x.spread is None:
        raise Unproved(
            "a vector that is multiplied entry by entry is no letter"
        )
    return x.spread


# means over draws


def degrees(program: Sequence[Node]) -> list[int]:
    """Of what degree each node is in the counts of draws at the most; 2 stands for all that are not affine.

    The counts N of s draws with probabilities q have the mean s q, and the mean of what is affine in some
    counts, with numbers in it that are not random, is that of their means: whatever their joint law. So a mean of
    degree 1 at the most is what it is of with s q for N, and nothing is said of any other.
    """
    found: list[int] = []
    for node in program:
        op, of = node["op"], [found[k] for k in node["args"]]
        most = max(of, default=0)
        if op == "counts":
            degree = 2 if most else 1
        elif op == "mean":
            degree = 0 if most < 2 else 2
        elif op in ("mul", "matmul"):
            degree = sum(of)
        elif op == "div":
            degree = of[0] + 2 * of[1]
        elif op == "solve":
            degree = 2 * of[0] + of[1]
        else:
            degree = most if op in LINEAR else 2 * most
        found.append(min(degree, 2))
    return found


LINEAR = "add sub neg sum expand squeeze transpose diagonal".split()


# what is examined


def check(program: Any, args: Any) -> None:
    """Raise Rejection unless it is a program whose sizes are names."""
    demand(
        isinstance(program, list) and 0 < len(program) <= 2000,
        "a program is a list of nodes",
    )
    names = []
    for k, node in enumerate(program):
        op: Any = node.get("op") if isinstance(node, dict) else None
        demand(
            op in KEYS and node.keys() == {"op", "args", *KEYS[op]},
            "malformed node",
        )
        count = len(node["args"]) if isinstance(node["args"], list) else 0
        several = op == "stack" and 0 < count <= MOST_LETTERS
        demand(
            isinstance(node["args"], list)
            and (several or count == ARITY.get(op, 1)),
            "malformed node",
        )
        demand(
            all(type(j) is int and 0 <= j < k for j in node["args"]),
            "a node names none of the earlier ones",
        )
        if op == "letter":
            names.append(node["name"])
            plain = isinstance(node["name"], str) and " " not in node["name"]
            demand(plain, "a letter has a name without spaces")
            demand(
                isinstance(node["name"], str)
                and isinstance(node["shape"], list),
                "malformed letter",
            )
            demand(
                len(node["shape"]) <= 2 and all(map(_is_size, node["shape"])),
                "malformed letter",
            )
        for key in {"size", "name"} & KEYS[op] if op != "letter" else ():
            demand(_is_size(node[key]), "malformed size")
        if op == "entry":
            demand(
                type(node["index"]) is int and node["index"] >= 0,
                "malformed entry",
            )
        if op == "pow":
            demand(
                type(node["exponent"]) is int
                and abs(node["exponent"]) <= MOST_EXPONENT,
                "malformed power",
            )
        if op in ("sum", "expand", "squeeze"):
            demand(
                node["axis"] in (0, 1)
                or (node["axis"] is None and op == "sum"),
                "malformed axis",
            )
            demand(type(node["axis"]) is not bool, "malformed axis")
    demand(
        len(set(names)) == len(names) <= MOST_LETTERS, "a letter is there twice"
    )
    fits = isinstance(args, list) and len(args) == 2
    demand(
        fits and all(type(j) is int and 0 <= j < len(program) for j in args),
        "an identity has two sides",
    )


def _is_size(x: Any) -> bool:
    return (type(x) is int and 0 < x <= 1000) or (
        isinstance(x, str) and x.isprintable()
    )


def pruned(program: Sequence[Node], kept: Sequence[int]) -> list[Node]:
    """Some nodes and all that they need, in their order, by their places among these."""
    place = {k: i for i, k in enumerate(kept)}
    return [
        {**program[k], "args": [place[j] for j in program[k]["args"]]}
        for k in kept
    ]


def needed(program: Sequence[Node], roots: Iterable[int]) -> set[int]:
    """All nodes that some nodes are made of, and these."""
    found, waiting = set(roots), list(roots)
    while waiting:
        new = set(program[waiting.pop()]["args"]) - found
        found |= new
        waiting += new
    return found


def at_shapes(program: Sequence[Node], given: Mapping[str, Any]) -> _At:
    """The same program for arrays of given shapes and whole numbers, as programs of one size are. Raises Rejection."""
    shapes = {
        name: x for name, x in given.items() if isinstance(x, (tuple, list))
    }
    sizes: dict[str, int] = {}
    for node in program:
        if node["op"] == "letter" and node["name"] in shapes:
            demand(
                len(node["shape"]) == len(shapes[node["name"]]),
                "a letter is of another shape",
            )
            for dim, n in zip(node["shape"], shapes[node["name"]], strict=True):
                demand(
                    sizes.setdefault(dim, n) == n
                    if isinstance(dim, str)
                    else dim == n,
                    "sizes do not fit",
                )
    wholes = {name: x for name, x in given.items() if type(x) is int}
    made = _At(sizes | wholes, wholes)
    for node in program:
        made.add(node)
    return made


class _At:
    """The nodes of one size; `places` are those of the nodes of the program, and their shapes."""

    def __init__(self, sizes: Mapping[str, int], wholes: Mapping[str, int]):
        self.sizes, self.wholes = sizes, wholes
        self.nodes: list[dict[str, Any]] = []
        self.places: list[tuple[int, tuple[int, ...]]] = []

    def size(self, dim: Dim) -> int:
        demand(
            isinstance(dim, int) or dim in self.sizes,
            "a size is that of no letter",
        )
        return dim if isinstance(dim, int) else self.sizes[dim]

    def put(self, op: str, args: list[int], **static: Any) -> int:
        self.nodes.append({"op": op, "args": args, **static})
        return len(self.nodes) - 1

    def const(self, shape: tuple[int, ...], data: list[Any]) -> int:
        return self.put(
            "const", [], shape=list(shape), data=[str(x) for x in data]
        )

    def gather(self, k: int, shape: tuple[int, ...], index: list[int]) -> int:
        return self.put("gather", [k], shape=list(shape), index=index)

    def stacked(self, entries: list[int]) -> tuple[int, tuple[int, ...]]:
        """The sum of numbers times vectors of zeros and one 1."""
        n, total = len(entries), self.const((len(entries),), [0] * len(entries))
        for i, k in enumerate(entries):
            unit = self.const((n,), [int(i == j) for j in range(n)])
            total = self.put("add", [total, self.put("mul", [k, unit])])
        return total, (n,)

    def add(self, node: Node) -> None:
        given = [self.places[j] for j in node["args"]]
        self.places.append(self._made(node, given))

    def _made(
        self, node: Node, given: list[Any]
    ) -> tuple[int, tuple[int, ...]]:
        op, shapes = node["op"], [s for _, s in given]
        ks = [k for k, _ in given]
        if op == "letter":
            shape = tuple(map(self.size, node["shape"]))
            if not shape and node["name"] in self.wholes:
                return self.const((), [self.wholes[node["name"]]]), ()
            data = ["1"] * prod(shape)
            return self.put(
                "input", [], name=node["name"], shape=list(shape), data=data
            ), shape
        if op == "const":
            return self.const((), [rational(node["value"])]), ()
        if op == "size":
            return self.const((), [self.size(node["name"])]), ()
        if op == "identity":
            n = self.size(node["size"])
            return self.const(
                (n, n), [int(i == j) for i in range(n) for j in range(n)]
            ), (n, n)
        if op == "entry":
            demand(node["index"] < shapes[0][0], "an array has fewer entries")
            return self.gather(ks[0], (), [node["index"]]), ()
        if op == "stack":
            return self.stacked(ks)
        if op == "counts":
            trials = self.nodes[ks[0]]
            whole = (
                trials["op"] == "const"
                and int(rational(trials["data"][0]).q) == 1
            )
            demand(
                whole and rational(trials["data"][0]) >= 0,
                "draws are counted by a whole number",
            )
            return self.put("mul", ks), shapes[1]
        if op == "mean":
            return given[0]
        if op == "pow":
            return self.put(
                "pow", [ks[0], self.const((), [node["exponent"]])]
            ), shapes[0]
        if op in ("neg", "sqrt"):
            return self.put(op, ks), shapes[0]
        if op in ("add", "sub", "mul", "div"):
            return self.put(op, ks), broadcast(*shapes)
        if op == "sum":
            axes = (
                list(range(len(shapes[0])))
                if node["axis"] is None
                else [node["axis"]]
            )
            kept = tuple(n for a, n in enumerate(shapes[0]) if a not in axes)
            return self.put("sum", ks, axes=axes, keepdims=False), kept
        if op == "matmul":
            return self.put(op, ks), (*shapes[0][:-1], *shapes[1][1:])
        if op in ("solve", "inv"):
            return self.put(op, ks), shapes[-1]
        (m, *rest), k = shapes[0], ks[0]
        n = rest[0] if rest else 1
        if op == "diagonal":
            return self.gather(k, (m,), [i * (n + 1) for i in range(m)]), (m,)
        if op == "transpose":
            turned = [i * n + j for j in range(n) for i in range(m)]
            return (
                (self.gather(k, (n, m), turned), (n, m))
                if rest
                else (k, shapes[0])
            )
        if op == "head":
            size = self.size(node["size"])
            demand(size <= m and not rest, "an array has fewer entries")
            return self.gather(k, (size,), list(range(size))), (size,)
        shape: tuple[int, ...] = tuple(
            x for a, x in enumerate(shapes[0]) if a != node["axis"]
        )
        if op == "expand":
            shape = (m, 1) if node["axis"] == 1 else (1, m)
        return self.gather(k, shape, list(range(prod(shapes[0])))), shape
