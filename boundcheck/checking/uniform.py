"""The program of a text whose sizes are names: the body run on arrays that know no size, or not at all.

What is the same for every size is decided by running. A size has no digits, no order and no truth value here, and
an array no entries and no values: a body that counts up to a size, takes it as a place, turns on it or on a
number, or takes an entry, ends at once. Of hypotheses the comparisons of numbers are kept, and others left out:
what holds without them holds with them. Counts that are drawn are nodes of their own, and so are means; what a
mean is, and of what, is for the verifier to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.checking.certificate import NotTraceable, read_with
from boundcheck.domains import Chart, Domain, builders
from boundcheck.domains.domain import named_dims
from boundcheck.domains.instances import draw_instances
from boundcheck.laws.quantities import (
    Quantity,
    Symbolic,
    World,
    averaged,
    evaluate,
)
from boundcheck.tape import Traced
from boundcheck.tape.exactly import rationals
from boundcheck.verifier.uniform import needed, pruned
from boundcheck.words.claims import Claim
from boundcheck.words.statements import Inequality

Node = dict[str, Any]
Shape = tuple[Any, ...]


class NotUniform(NotTraceable):
    """A text that is not the same for every size, or says what has no rule here; the message says what."""


class Uniform:
    """The nodes of a program; those that are alike are one."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.shapes: list[Shape] = []
        self.known: dict[str, int] = {}
        self.signs: dict[str, str] = {}
        self.given: list[list[Any]] = []

    def put(self, op: str, of: Shape, /, *args: Any, **static: Any) -> Symbol:
        node = {"op": op, "args": [x.node for x in args], **static}
        k = self.known.setdefault(repr(node), len(self.nodes))
        if k == len(self.nodes):
            self.nodes.append(node)
            self.shapes.append(of)
        return Symbol(self, k, of)

    def at(self, k: int) -> Symbol:
        """The value of a node."""
        return Symbol(self, k, self.shapes[k])

    def size(self, name: Any) -> Any:
        return name if isinstance(name, int) else Size(self, name)

    def identity(self, size: Any) -> Symbol:
        name = getattr(size, "name", size)
        return self.put("identity", (size, size), size=name)

    def letter(
        self, name: str, shape: Shape, sign: str | None = None
    ) -> Symbol:
        if sign is not None:
            self.signs[name] = sign
        spelled = [getattr(n, "name", n) for n in shape]
        return self.put("letter", shape, name=name, shape=spelled)

    def number(self, x: Any) -> Symbol:
        """A number that is what it prints as."""
        exact = Fraction(repr(x)) if isinstance(x, float) else Fraction(x)
        return self.put("const", (), value=str(exact))

    def symbol(self, x: Any) -> Symbol:
        """What an operand is: a symbol, a number of the text, or an identity matrix of it. Raises NotUniform."""
        if isinstance(x, Symbol):
            return x
        known = _numbers(x) if isinstance(x, Traced) else None
        if known is not None:
            exact, shape = (
                np.array(known, dtype=object).reshape(x.shape),
                x.shape,
            )
            if shape == ():
                return self.number(exact[()])
            if len(shape) == 2 and np.all(exact == np.eye(*shape, dtype=int)):
                return self.identity(shape[0])
        if isinstance(x, (int, Fraction)) and not isinstance(x, bool):
            return self.number(x)
        raise NotUniform(
            "an array of numbers is put beside one of no known size"
        )


def _numbers(x: Traced) -> list[Fraction] | None:
    """The rationals that a number or an array of the text is; nothing else is on its tape."""
    return x.exact or rationals(x.tape, x.node)


class Held:
    """What compares numbers that are not known: hypotheses, of which `known` are kept, or nothing."""

    def __init__(self, *known: tuple[str, Any, Any]):
        self.known = known

    def assumed(self) -> None:
        """Keep what is compared, the smaller side first."""
        for relation, left, right in self.known:
            left.program.given.append([relation, left.node, right.node])

    def all(self, *_: Any, **__: Any) -> Held:
        return self

    def __and__(self, other: Any) -> Held:
        return Held(*self.known, *getattr(other, "known", ()))

    def _other(self, *_: Any, **__: Any) -> Held:
        return Held()

    __rand__ = __and__
    __or__ = __ror__ = __xor__ = __rxor__ = any = _other
    __invert__ = __eq__ = __ne__ = _other  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise NotUniform("the text turns on a number")


def _refused(*_: Any, **__: Any) -> Any:
    raise NotUniform(
        "a size or a number that is not known is used as a plain one"
    )


class Symbol(NDArrayOperatorsMixin):
    """A number, a vector or a matrix of which the shape is known by names of sizes."""

    __array_priority__ = 1800

    def __init__(self, program: Uniform, node: int, shape: Shape):
        self.program, self.node, self.shape = program, node, shape

    ndim = property(lambda self: len(self.shape))
    T = property(lambda self: self.transpose())
    mT = property(lambda self: self.transpose())

    __bool__ = __index__ = __int__ = __float__ = __iter__ = __array__ = _refused
    __hash__ = None  # type: ignore[assignment]

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if method != "__call__" or kwargs:
            raise NotUniform(f"np.{ufunc.__name__} with options has no rule")
        if any(isinstance(x, (HeldDraw, Symbolic)) for x in inputs):
            return NotImplemented
        if ufunc in COMPARING:
            return _compared(self.program, COMPARING[ufunc], inputs)
        if ufunc not in UFUNCS:
            raise NotUniform(f"np.{ufunc.__name__} has no rule for every size")
        return UFUNCS[ufunc](self.program, *map(self.program.symbol, inputs))

    def __array_function__(
        self, function: Any, types: Any, args: Any, kwargs: Any
    ) -> Any:
        if function not in FUNCTIONS:
            raise NotUniform(
                f"np.{function.__name__} has no rule for every size"
            )
        return FUNCTIONS[function](*args, **kwargs)

    def __getitem__(self, key: Any) -> Symbol:
        if (
            isinstance(key, slice)
            and isinstance(key.stop, Size)
            and self.ndim == 1
        ):
            if key.start is key.step is None:
                return self.program.put(
                    "head", (key.stop,), self, size=key.stop.name
                )
        if isinstance(key, tuple) and key[0] is Ellipsis:
            if sum(k is not None for k in key[1:]) == self.ndim:
                key = key[1:]
        if (
            isinstance(key, int)
            and self.ndim == 1
            and isinstance(self.shape[0], int)
        ):
            if 0 <= key < self.shape[0]:
                return self.program.put("entry", (), self, index=key)
        for known, ndim, op, axis in PLACES:
            if key == known and self.ndim == ndim:
                return _reshaped(self, op, axis)
        raise NotUniform(
            "an entry or a part is taken of an array of no known size"
        )

    def transpose(self) -> Symbol:
        if self.ndim < 2:
            return self
        return self.program.put("transpose", self.shape[::-1], self)

    def copy(self) -> Symbol:
        return self

    @property
    def held(self) -> HeldDraw:
        """The same as what it is in each trial of a world."""
        return HeldDraw(self)

    def sum(self, axis: Any = None) -> Symbol:
        """Over one axis, or all."""
        if self.ndim == 0 or not (axis is None or isinstance(axis, int)):
            raise NotUniform("a sum over several axes has no rule")
        axis = axis if axis is None else range(self.ndim)[axis]
        axis = None if self.ndim == 1 else axis
        kept = tuple(
            n for a, n in enumerate(self.shape) if axis not in (None, a)
        )
        return self.program.put("sum", kept, self, axis=axis)

    def mean(self, axis: Any = None) -> Any:
        count: Any = 1
        for a, n in enumerate(self.shape):
            count = (
                n * count
                if axis is None or range(self.ndim)[axis] == a
                else count
            )
        return self.sum(axis) / count

    def diagonal(self, axis1: int = 0, axis2: int = 1) -> Symbol:
        if self.ndim != 2 or {axis1 % 2, axis2 % 2} != {0, 1}:
            raise NotUniform("a diagonal of such axes has no rule")
        return self.program.put("diagonal", self.shape[:1], self)

    def trace(self) -> Symbol:
        return self.diagonal().sum()

    def dot(self, other: Any) -> Any:
        return self @ other


class NoRule:
    """A parameter that has no rule, of a text that does not use it."""

    __array_ufunc__ = __array_function__ = __getitem__ = __len__ = __bool__ = (
        _refused
    )
    __iter__ = __float__ = __int__ = __index__ = __call__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, reason: NotUniform):
        self._reason = reason

    def __getattr__(self, name: str) -> Any:
        raise NotUniform(str(self._reason))


class Size(Symbol):
    """The size of a dimension: a number of which nothing is known but its name."""

    def __init__(self, program: Uniform, name: str):
        super().__init__(program, program.put("size", (), name=name).node, ())
        self.name = name

    def eye(self) -> Symbol:
        return self.program.identity(self)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Size) and other.name == self.name:
            return True
        return Held()

    __hash__ = None  # type: ignore[assignment]


def alike(m: Any, n: Any) -> bool:
    """Whether two sizes are surely one."""
    return getattr(m, "name", m) == getattr(n, "name", n)


def _reshaped(x: Symbol, op: str, axis: int) -> Symbol:
    if op == "expand":
        shape = (*x.shape, 1) if axis == 1 else (1, *x.shape)
    elif not alike(x.shape[axis], 1):
        raise NotUniform("an entry is taken of an array of no known size")
    else:
        shape = (x.shape[1 - axis],)
    return x.program.put(op, shape, x, axis=axis)


ALL = slice(None)
PLACES = (
    ((ALL, None), 1, "expand", 1),
    ((None, ALL), 1, "expand", 0),
    ((ALL, 0), 2, "squeeze", 1),
    (0, 2, "squeeze", 0),
)


def _entrywise(op: str) -> Callable[..., Symbol]:
    def put(program: Uniform, x: Symbol, y: Symbol) -> Symbol:
        shape: Shape = ()
        for m, n in zip(*_padded(x.shape, y.shape), strict=True):
            if not (alike(m, n) or alike(m, 1) or alike(n, 1)):
                raise NotUniform(
                    "shapes that are not surely one are put together"
                )
            shape += (n if alike(m, 1) else m,)
        return program.put(op, shape, x, y)

    return put


def _padded(a: Shape, b: Shape) -> tuple[Shape, Shape]:
    size = max(len(a), len(b))
    return (1,) * (size - len(a)) + a, (1,) * (size - len(b)) + b


def _alone(op: str) -> Callable[..., Symbol]:
    return lambda program, x: program.put(op, x.shape, x)


def _power(program: Uniform, x: Symbol, y: Symbol) -> Symbol:
    node = program.nodes[y.node]
    exponent = (
        Fraction(node["value"]) if node["op"] == "const" else Fraction(1, 2)
    )
    if exponent.denominator != 1:
        raise NotUniform("a power that is no whole number has no rule")
    return program.put("pow", x.shape, x, exponent=int(exponent))


def _matmul(program: Uniform, x: Symbol, y: Symbol) -> Symbol:
    if not (x.ndim and y.ndim and alike(x.shape[-1], y.shape[0])):
        raise NotUniform(
            "matrices whose shapes do not surely fit are multiplied"
        )
    return program.put("matmul", (*x.shape[:-1], *y.shape[1:]), x, y)


UFUNCS: dict[Any, Callable[..., Any]] = {
    np.add: _entrywise("add"),
    np.subtract: _entrywise("sub"),
    np.multiply: _entrywise("mul"),
    np.divide: _entrywise("div"),
    np.negative: _alone("neg"),
    np.sqrt: _alone("sqrt"),
    np.positive: lambda program, x: x,
    np.square: lambda program, x: program.put("pow", x.shape, x, exponent=2),
    np.power: _power,
    np.matmul: _matmul,
}
COMPARING = {
    np.less: "le", np.less_equal: "le", np.greater: "ge", np.greater_equal: "ge", np.equal: "", np.not_equal: "",
}  # fmt: skip


def _compared(program: Uniform, relation: str, inputs: Sequence[Any]) -> Held:
    """Of numbers, which is at most which; of arrays nothing is kept."""
    if not relation:
        return Held()
    left, right = map(
        program.symbol, inputs if relation == "le" else inputs[::-1]
    )
    return (
        Held(("le", left, right)) if left.shape == right.shape == () else Held()
    )


def _solve(A: Any, B: Any) -> Any:
    if not isinstance(A, Symbol) or A.ndim != 2:
        raise NotUniform("a linear system has no rule")
    B = A.program.symbol(B)
    if not alike(A.shape[0], B.shape[0] if B.shape else 0):
        raise NotUniform(
            "a linear system whose shapes do not surely fit is solved"
        )
    if B.ndim == 1:
        return _solve(A, B[:, None])[:, 0]
    return A.program.put("solve", B.shape, A, B)


def _stacked(rows: Sequence[Any], axis: int = 0) -> Any:
    """Some numbers as a vector."""
    if axis != 0 or any(np.shape(x) != () for x in rows):
        raise NotUniform("arrays are stacked that have no rule")
    program = next(x.program for x in rows if isinstance(x, Symbol))
    return program.put("stack", (len(rows),), *map(program.symbol, rows))


def _swapped(x: Symbol, a: int, b: int) -> Symbol:
    if x.ndim != 2 or {a % 2, b % 2} != {0, 1}:
        raise NotUniform("axes are swapped that have no rule")
    return x.transpose()


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.sum: Symbol.sum,
    np.mean: Symbol.mean,
    np.diagonal: lambda A, offset=0, axis1=0, axis2=1: (
        A.diagonal(axis1, axis2) if offset == 0 else _refused()
    ),
    np.trace: Symbol.trace,
    np.transpose: Symbol.transpose,
    np.swapaxes: _swapped,
    np.dot: lambda x, y: x @ y,
    np.outer: lambda x, y: x[:, None] * y[None, :],
    np.linalg.solve: _solve,
    np.linalg.inv: lambda A: A.program.put("inv", A.shape, A),
    np.stack: _stacked,
    np.shape: lambda A: A.shape,
    np.ndim: lambda A: A.ndim,
}


# draws


class HeldDraw(NDArrayOperatorsMixin):
    """An array in each trial, as functions of all trials see it: their axis, of length 1 here, is the first.

    What NumPy would put together along that axis by chance, and functions along it, have no rule.
    """

    __array_priority__ = 1900
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, inside: Symbol):
        self.inside = inside

    shape = property(lambda self: (1, *self.inside.shape))
    ndim = property(lambda self: 1 + self.inside.ndim)
    held = property(lambda self: self)
    mT = property(lambda self: np.swapaxes(self, -1, -2))

    def copy(self) -> HeldDraw:
        return self

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        self._require_apart(ufunc, inputs)
        within = [_within(x) for x in inputs]
        made = self.inside.__array_ufunc__(ufunc, method, *within, **kwargs)
        return made.held if isinstance(made, Symbol) else made

    def _require_apart(self, ufunc: Any, inputs: Sequence[Any]) -> None:
        """That the axis of the trials meets no axis of another operand. Raises NotUniform."""
        depths = {x.inside.ndim for x in inputs if isinstance(x, HeldDraw)}
        others = [np.ndim(x) for x in inputs if not isinstance(x, HeldDraw)]
        stacks = (
            ufunc is np.matmul and depths == {2} and max(others, default=0) < 3
        )
        rows = (
            ufunc is np.matmul
            and depths == {1}
            and inputs[0] is self
            and others
        )
        apart = len(depths) == 1 and max(others, default=0) <= max(depths)
        if not (stacks or rows or (ufunc is not np.matmul and apart)):
            raise NotUniform("the trials of a draw are put beside another axis")

    def __array_function__(
        self, function: Any, types: Any, args: Any, kwargs: Any
    ) -> Any:
        if function in MEASURES:
            return MEASURES[function](self)
        axes = [*args[1:], *kwargs.values()]
        if (
            args[0] is not self
            or not axes
            or not all(isinstance(a, int) and a < 0 for a in axes)
        ):
            raise NotUniform(f"np.{function.__name__} of trials has no rule")
        return FUNCTIONS[function](self.inside, *args[1:], **kwargs).held

    def __getitem__(self, key: Any) -> HeldDraw:
        first, *rest = key if isinstance(key, tuple) else (key,)
        counted = sum(k is not None for k in rest) == self.inside.ndim
        if not (counted and (first is Ellipsis or first == ALL)):
            raise NotUniform("a part is taken of several trials")
        return self.inside[rest[0] if len(rest) == 1 else tuple(rest)].held

    def sum(self, axis: Any = None) -> Any:
        return self.__array_function__(np.sum, (), (self,), {"axis": axis})


def _within(x: Any) -> Any:
    return x.inside if isinstance(x, HeldDraw) else x


MEASURES: dict[Any, Callable[[HeldDraw], Any]] = {
    np.shape: lambda x: x.shape, np.ndim: lambda x: x.ndim, np.size: lambda x: 1,
}  # fmt: skip


class KnownByMean:
    """Stands in for a generator where what is drawn is known by the mean that it has."""

    def multinomial(self, n: Any, pvals: Any, size: Any) -> HeldDraw:
        if not isinstance(pvals, Symbol) or pvals.ndim != 1 or size != TRIALS:
            raise NotUniform("a draw of counts has no rule")
        made = pvals.program
        return made.put("counts", pvals.shape, made.symbol(n), pvals).held


TRIALS = 1


def _mean(q: Quantity) -> Any:
    """The mean of what is drawn, under its own law. Raises NotUniform."""
    made = evaluate(q, World(KnownByMean(), TRIALS, _mean))
    if not isinstance(made, HeldDraw):
        raise NotUniform("a mean of what is not drawn has no rule")
    return made.inside.program.put("mean", made.inside.shape, made.inside)


# the parameters of a claim


def _value(program: Uniform, name: str, domain: Domain, prefix: str) -> Any:
    """A parameter, made of letters as it is made of the numbers that are drawn. Raises NotUniform."""
    fields = getattr(domain.build, "fields", None)
    if fields is not None:
        return domain.build.case(**_values(program, fields, f"{name}."))  # type: ignore[attr-defined]
    if not all(isinstance(d, int) or d.isidentifier() for d in domain.dims):
        raise NotUniform("a size that is computed has no rule")
    dims = [
        program.size(d if isinstance(d, int) else prefix + d)
        for d in domain.dims
    ]
    if domain.build in BUILT:
        return BUILT[domain.build](program, name, *dims)
    shape = tuple(dims[axis] for axis in domain.axes or ())
    if domain.whole is None or domain.axes is None or len(shape) > 2:
        raise NotUniform(f"{domain.label} has no rule for every size")
    if shape and all(
        isinstance(n, int) for n in shape
    ):  # raw numbers may be fewer
        (drawn,) = draw_instances({name: domain}, 1, 1)
        shape = np.shape(drawn[name])  # type: ignore[arg-type]
    raw = program.letter(name, shape, _sign(domain.chart))
    if (
        shape == ()
        and isinstance(domain.chart, Chart)
        and isfinite(domain.chart.high)
    ):
        program.given.append(
            ["le", raw.node, program.number(domain.chart.high).node]
        )
    return raw if domain.is_integer else _built(domain, raw)


def _sign(chart: Any) -> str | None:
    """What the range of a raw number, or of all entries of an array, says of its sign."""
    if not (isinstance(chart, Chart) and 0 <= chart.low < chart.high):
        return None
    return "positive" if chart.low > 0 or not chart.closed else "nonnegative"


def _built(domain: Domain, raw: Symbol) -> Any:
    """The value of raw numbers, if its builder does not look at them. Raises NotUniform."""
    try:
        value = domain.build(raw)
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise NotUniform(
            f"{domain.label} has no rule for every size"
        ) from error
    if not isinstance(value, Symbol) or len(value.shape) != len(raw.shape):
        raise NotUniform(f"{domain.label} has no rule for every size")
    return value


def _gram(program: Uniform, name: str, n: Any) -> Symbol:
    factor = program.letter(name, (n, Size(program, f"columns of {name}")))
    return factor @ factor.T


def _ridged(program: Uniform, name: str, n: Any) -> Any:
    ridge = program.letter(f"{name}.ridge", (), "positive")
    return _gram(program, f"{name}.factor", n) + ridge * program.identity(n)


BUILT: dict[Any, Callable[..., Any]] = {
    builders.gram: _gram,
    builders.ridged: _ridged,
}
"""How a parameter is made of letters, by what makes it of arrays of other shapes."""


def _values(
    program: Uniform, parameters: Mapping[str, Domain], prefix: str = ""
) -> dict[str, Any]:
    sizes = named_dims(parameters) & set(parameters)
    found: dict[str, Any] = {}
    for name, domain in parameters.items():
        try:
            found[name] = (
                program.size(prefix + name)
                if name in sizes
                else _value(program, prefix + name, domain, prefix)
            )
        except NotUniform as reason:
            found[name] = NoRule(reason)
    return found


@dataclass(frozen=True)
class SizelessText:
    """A text for every size: its program, and the relation and sides of each part."""

    program: Uniform
    parts: list[tuple[str, list[int]]]

    def part(self, k: int, granted: bool = False) -> dict[str, Any]:
        """The program of the sides of one part, as a certificate has it; perhaps with what is taken for granted:
        the signs of letters, and the hypotheses."""
        args, kept = self.parts[k][1], self.kept(k, granted)
        place = {j: i for i, j in enumerate(kept)}
        made = {
            "program": pruned(self.program.nodes, kept),
            "args": [place[j] for j in args],
        }
        if not granted:
            return made
        given = [
            [relation, *(place[j] for j in pair)]
            for relation, *pair in self.program.given
        ]
        return {**made, "signs": self.program.signs, "given": given}

    def kept(self, k: int, granted: bool) -> list[int]:
        """The nodes of that program: the letters, and what is needed."""
        nodes, given = self.program.nodes, self.program.given if granted else []
        letters = [j for j, node in enumerate(nodes) if node["op"] == "letter"]
        stated = [j for _, *pair in given for j in pair]
        return sorted(needed(nodes, [*letters, *self.parts[k][1], *stated]))


def uniform(claim: Claim) -> SizelessText:
    """A text for every size. Raises NotTraceable."""
    program = Uniform()

    def sides(part: Any) -> tuple[str, list[int]]:
        if not isinstance(part, Inequality) or part.slope is not None:
            raise NotUniform("a statement about chances or rates has no rule")
        both = [averaged(side, _mean) for side in (part.lhs, part.rhs)]
        return part.sign, [program.symbol(side).node for side in both]

    parts = read_with(claim, _values(program, claim.parameters), sides)
    return SizelessText(program, parts)
