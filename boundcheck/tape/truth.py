"""The outcome of a comparison of traced numbers: using it records on which side the instance lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.tape.exactly import exact_truth, is_given
from boundcheck.tape.program import (
    NotTraceable,
    here,
    note_comparison,
    value_of,
)
from boundcheck.tape.traced import Traced, constant, gather, numbers_of, tape_in

CLOSE = 1e-9
"""Sides that differ by less, relatively, may lie the other way round."""

CANCELLED = 1e-13
"""Nor is more known of sides that are what is left of numbers so much larger."""

OUTCOMES = {
    "le": np.less_equal,
    "lt": np.less,
    "ge": np.greater_equal,
    "gt": np.greater,
    "eq": np.equal,
    "ne": np.not_equal,
}
"""The relations by their names, as NumPy compares."""

NEGATED = {
    "le": "gt",
    "lt": "ge",
    "ge": "lt",
    "gt": "le",
    "eq": "ne",
    "ne": "eq",
}
FLIPPED = {"ge": "le", "gt": "lt"}


class Truth:
    """The outcome of a comparison; using it as a bool records on which side the instance lies."""

    def __init__(self, relation: str, left: Traced, right: Traced):
        self.relation, self.left, self.right = (
            relation,
            left.copy(),
            right.copy(),
        )  # arrays may change later
        self.value = OUTCOMES[relation](left.traced_value, right.traced_value)

    @property
    def traced_value(self) -> np.ndarray:
        """The outcome as the floats have it, where nothing is recorded."""
        return self.value

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: self.value.ndim)
    size = property(lambda self: self.value.size)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Truth]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, key: object) -> Truth:
        left, right = (
            np.broadcast_to(x, self.shape)  # type: ignore[arg-type]
            for x in (self.left, self.right)
        )
        return Truth(self.relation, left[key], right[key])  # type: ignore[index]

    @property
    def random(self) -> bool:
        """Whether the outcome depends on a draw."""
        return bool({self.left.node, self.right.node} & self.left.tape.random)

    @property
    def selects(self) -> bool:
        """Whether the outcome is a number of the program."""
        return self.random or self.left.tape.selecting

    def __bool__(self) -> bool:
        if self.value.ndim:
            raise ValueError(
                "The truth of an array with several entries is ambiguous; use .all() or .any()."
            )
        return bool(np.all(self.decided()))

    def __repr__(self) -> str:
        return repr(self.decided()) if self.value.ndim else repr(bool(self))

    def decided(self) -> np.ndarray:
        """The outcome as plain booleans, every entry a hypothesis. Raises NotTraceable for random numbers."""
        if self.random:
            raise NotTraceable(
                "A branch on a random number; spell it with np.where(condition, x, y)."
            )
        self._beyond_rounding()
        note_comparison(self.relation, self.left, self.right)
        left, right = np.broadcast_arrays(
            *(numbers_of(x) for x in (self.left, self.right))
        )
        for relation, mask in (
            (self.relation, self.value),
            (NEGATED[self.relation], ~self.value),
        ):
            if np.any(mask):
                _suppose(
                    relation,
                    _pick(self.left, left[mask]),
                    _pick(self.right, right[mask]),
                )
        return self.value

    def _beyond_rounding(self) -> None:
        """Sides so close that rounding may have decided are compared exactly, unless one only proposes."""
        if self.left.tape.selecting:
            return
        tape, left, right = (
            self.left.tape,
            self.left.traced_value,
            self.right.traced_value,
        )
        with np.errstate(all="ignore"):
            close = np.abs(left - right) <= np.maximum(
                CLOSE * (np.abs(left) + np.abs(right)),
                CANCELLED * tape.largest(),
            )
        if not np.any(close) or (
            is_given(tape, self.left.node) and is_given(tape, self.right.node)
        ):
            return
        exact = exact_truth(
            self.relation, tape, self.left.node, self.right.node
        )
        if exact is not None:
            self.value = np.where(close, exact, self.value)

    def coin(self) -> Traced:
        """The outcome as a traced 0 or 1."""
        sign: Any = np.sign(self.left - self.right)
        strict: Any = {"gt": sign, "le": sign, "lt": -sign, "ge": -sign}.get(
            self.relation
        )
        positive: Any = (
            np.abs(sign) if strict is None else np.maximum(strict, 0)
        )
        return masked(
            positive if self.relation in ("gt", "lt", "ne") else 1 - positive
        )

    def plain(self) -> Any:
        """Booleans that are recorded, or a coin where the outcome is a number."""
        return self.coin() if self.selects else self.decided()

    def astype(self, dtype: Any = float, *_: Any, **__: Any) -> Any:
        """The truth values themselves, or 0 and 1 as numbers of the program."""
        plain = self.plain()
        return (
            plain
            if self.selects or np.dtype(dtype).kind == "b"
            else constant(self.left.tape, plain)
        )

    def all(self, *args: Any, **kwargs: Any) -> Any:
        return (
            masked(np.min(self.coin(), *args, **kwargs))
            if self.selects
            else self.decided().all(*args, **kwargs)
        )

    def any(self, *args: Any, **kwargs: Any) -> Any:
        return (
            masked(np.max(self.coin(), *args, **kwargs))
            if self.selects
            else self.decided().any(*args, **kwargs)
        )

    def sum(self, *args: Any, **kwargs: Any) -> Any:
        return np.sum(self.plain(), *args, **kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        return np.mean(constant(self.left.tape, self.plain()), *args, **kwargs)  # type: ignore[call-overload]

    def nonzero(self) -> Any:
        return np.nonzero(self)  # type: ignore[call-overload]

    def argmax(self, axis: int | None = None) -> Any:
        return np.argmax(self, axis)  # type: ignore[call-overload]

    def __and__(self, other: object) -> Any:
        x, y = self.plain(), _plain(other)
        return x & y if _both_decided(x, y) else masked(x * y, self, other)

    def __or__(self, other: object) -> Any:
        x, y = self.plain(), _plain(other)
        return x | y if _both_decided(x, y) else masked(x + y - x * y)

    def __xor__(self, other: object) -> Any:
        x, y = self.plain(), _plain(other)
        return x != y if _both_decided(x, y) else masked(x + y - 2 * x * y)

    def __eq__(self, other: object) -> object:
        """Truth values are numbers here, as in NumPy."""
        return False if other is None else self.plain() == _plain(other)

    def __ne__(self, other: object) -> object:
        return True if other is None else self.plain() != _plain(other)

    def __invert__(self) -> Any:
        x = self.plain()
        return masked(1 - x) if isinstance(x, Traced) else ~x

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__
    __hash__ = None  # type: ignore[assignment]

    def __array_ufunc__(
        self, ufunc: np.ufunc, _method: str, *inputs: Any, **_: Any
    ) -> Any:
        joined = logical(ufunc)
        if joined is not None:
            return joined(*inputs)
        return ufunc(
            *(x.astype(float) if isinstance(x, Truth) else x for x in inputs)
        )

    def __array_function__(
        self, function: Callable[..., Any], _types: Any, args: Any, kwargs: Any
    ) -> Any:
        if function is np.mean:
            return self.mean(*args[1:], **kwargs)
        return function(
            *(a.plain() if isinstance(a, Truth) else a for a in args), **kwargs
        )


NO_NUMBER = "a truth value is no number here; say np.where(condition, 1, 0), np.sum(condition), or join conditions by & and |."


def _refused(*_: object) -> Any:
    raise NotTraceable(f"{here()}: {NO_NUMBER}")


for _name in (
    "add",
    "sub",
    "mul",
    "truediv",
    "pow",
    "matmul",
    "mod",
    "floordiv",
):
    for _prefix in ("", "r", "i"):
        setattr(Truth, f"__{_prefix}{_name}__", _refused)
for _name in ("neg", "pos", "abs", "float", "int", "index", "round"):
    setattr(Truth, f"__{_name}__", _refused)


def masked(x: object, *both: object) -> Any:
    """Zeros and ones that are truth values, and no places; one that says two others are true keeps them."""
    if isinstance(x, Traced):
        x.is_mask, x.both = True, both
    return x


def _plain(x: object) -> object:
    return x.plain() if isinstance(x, Truth) else x


def _as_truth(x: Any) -> Any:
    """A number as whether it is not 0."""
    is_truth = (
        isinstance(x, Truth)
        or getattr(x, "is_mask", False)
        or np.asarray(value_of(x)).dtype == bool
    )
    return x if is_truth else x != 0


def _both_decided(x: object, y: object) -> bool:
    return not isinstance(x, Traced) and not isinstance(y, Traced)


def _of_either(join: Callable[[Truth, Any], Any]) -> Callable[[Any, Any], Any]:
    """Joins two outcomes, one of which may be plain."""
    return lambda x, y: join(x, y) if isinstance(x, Truth) else join(y, x)


LOGICAL: dict[str, Callable[..., Any]] = {
    "and": _of_either(Truth.__and__),
    "or": _of_either(Truth.__or__),
    "xor": _of_either(Truth.__xor__),
    "not": Truth.__invert__,
    "invert": Truth.__invert__,
}


def logical(ufunc: np.ufunc) -> Callable[..., Any] | None:
    """What joins truth values as a function of NumPy does; None for another function."""
    name = ufunc.__name__.removeprefix("bitwise_").removeprefix("logical_")
    join = LOGICAL.get(name)
    return None if join is None else lambda *xs: join(*map(_as_truth, xs))


def _suppose(relation: str, left: Traced, right: Traced) -> None:
    if relation in FLIPPED:
        relation, left, right = FLIPPED[relation], right, left
    left.tape.suppose(relation, left.node, right.node)


def _pick(x: Traced, index: np.ndarray) -> Traced:
    if (
        x.ndim <= 1
        and index.size == x.size
        and np.array_equal(index.ravel(), np.arange(x.size))
    ):
        return x
    return gather([x], lambda values: values.reshape(-1)[index])


def comparison(relation: str) -> Callable[[Any, Any], Truth]:
    """What compares two numbers, one of which is traced."""

    def compared(x: object, y: object) -> Truth:
        tape = tape_in([x, y])
        assert tape is not None
        return Truth(relation, constant(tape, x), constant(tape, y))

    return compared


Operand = (
    complex
    | Fraction
    | Sequence[Any]
    | np.generic
    | np.ndarray
    | NDArrayOperatorsMixin
    | Truth
)
"""What a body may pass to a word: numbers, arrays, lists, and what is recorded, random or an average."""
