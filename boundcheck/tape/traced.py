"""Traced arrays, which behave as in NumPy and write down every operation, and whole numbers like them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from inspect import Signature, signature
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.tape.exactly import exact_whole, is_given, rationals
from boundcheck.tape.program import (
    SPELLED,
    NotInLanguage,
    NotTraceable,
    Tape,
    active_tape,
    constant_texts,
    exact_text,
    here,
    note_comparison,
    value_of,
)
from boundcheck.tape.table import FUNCTIONS_TOO, OF_METHODS

KEEPING = {
    np.add,
    np.subtract,
    np.multiply,
    np.matmul,
    np.negative,
    np.absolute,
    np.maximum,
    np.minimum,
    np.floor_divide,
    np.remainder,
    np.power,
    np.square,
    np.sign,
    np.sum,
    np.prod,
    np.max,
    np.min,
    np.cumsum,
    np.cumprod,
    np.sort,
    np.diff,
    np.dot,
}
"""Functions that make whole numbers of whole numbers."""

CUTS = "an array of whole numbers cuts what is stored in it; make it of floats, by np.zeros or A + 0.0"


class Traced(NDArrayOperatorsMixin):
    """An array of shape `shape` whose entries are results of a recorded program."""

    __slots__ = ("both", "is_mask", "is_whole", "node", "tape", "traced_value")
    __array_priority__ = 1000

    def __init__(self, tape: Tape, node: int):
        self.tape, self.node, self.traced_value = tape, node, tape.values[node]
        self.is_mask = self.is_whole = False
        self.both: tuple[object, ...] = ()

    shape = property(lambda self: self.traced_value.shape)
    ndim = property(lambda self: self.traced_value.ndim)
    size = property(lambda self: self.traced_value.size)
    dtype = property(lambda self: self.traced_value.dtype)
    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))
    real = property(lambda self: self)
    imag = property(lambda self: gather([self], lambda x: 0 * x))

    @property
    def exact(self) -> list[Fraction] | None:
        """The rationals that the entries of a constant of the text are; None for anything computed."""
        node = self.tape.nodes[self.node]
        return (
            [Fraction(text) for text in node["data"]]
            if node["op"] == "const" and self.tape.exactly
            else None
        )

    def __repr__(self) -> str:
        if active_tape() is not None:
            raise NotTraceable(
                f"{here()}: the digits of a number are those of its float; compare numbers."
            )
        return f"Traced({self.traced_value!r})"

    def __len__(self) -> int:
        return len(self.traced_value)

    def __iter__(self) -> Iterator[Traced]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: object) -> Traced:
        if isinstance(key, Traced) and key.is_mask:
            raise NotTraceable(
                f"{here()}: how many entries a mask keeps differs from case to case; spell it with np.where."
            )
        if isinstance(key, Traced) and key.ndim:
            return _rows(self, key)
        if (
            isinstance(key, tuple)
            and self.tape.selecting
            and any(isinstance(k, Traced) and k.exact is None for k in key)
        ):
            return _chosen(self, key)
        plain = decided(key)
        return gather([self], lambda x: x[plain])

    def __setitem__(self, key: object, value: object) -> None:
        """The array with some entries changed takes this one's place."""
        if self.is_whole and not _is_whole(value):
            raise NotInLanguage(f"{here()}: {CUTS}")
        number = isinstance(value, (int, float)) and self.ndim == 1
        if (
            self.tape.selecting
            and number
            and isinstance(key, Traced)
            and key.ndim == 1
            and not key.is_mask
        ):
            named: Any = np.max(
                np.where(
                    np.reshape(key, (-1, 1)) == np.arange(len(self)), 1, 0
                ),
                axis=0,
            )
            self._become(named * (value - self) + self)
            return
        place = decided(key)

        def changed(own: np.ndarray, new: np.ndarray) -> np.ndarray:
            result = own.copy()
            result[place] = new
            return result

        self._become(gather([self, constant(self.tape, value)], changed))

    def _become(self, other: Any) -> Traced:
        """Fill what the body alone has made: the language lets no one else see it."""
        self.node, self.traced_value, self.both = (
            other.node,
            other.traced_value,
            (),
        )
        return self

    def __float__(self) -> float:
        raise NotTraceable(
            "float() and math.* lose what a certificate needs; use numpy or boundcheck functions."
        )

    def __int__(self) -> int:
        """The whole number that it is, truncated; which one is a hypothesis."""
        exact = self.exact
        if exact is not None and self.size == 1:
            return int(exact[0])
        truncated: Any = np.sign(self) * np.floor(np.abs(self))
        whole = self._whole(truncated)
        self.tape.suppose("eq", truncated.node, constant(self.tape, whole).node)
        return whole

    def __index__(self) -> int:
        """The whole number that it is; that it is one is a hypothesis."""
        if self.exact is not None and self.exact[0].denominator == 1:
            return int(self)
        whole = self._whole(self)
        self.tape.suppose("eq", self.node, constant(self.tape, whole).node)
        return whole

    @staticmethod
    def _whole(x: Traced) -> int:
        """The whole number behind a float: recomputed, for rounding may have made a jump."""
        exact = (
            None if is_given(x.tape, x.node) else exact_whole(x.tape, x.node)
        )
        return int(x.traced_value) if exact is None else exact

    def __mul__(self, other: object) -> Any:
        return super().__mul__(self._factor(other))

    def __rmul__(self, other: object) -> Any:
        return super().__rmul__(self._factor(other))

    def _factor(self, other: object) -> object:
        """The other factor: a sequence times a whole number is as many copies, which is no product of numbers."""
        if isinstance(other, (list, tuple, str)) and self.ndim == 0:
            raise NotTraceable(
                f"{here()}: how often a sequence is repeated is a plain whole number"
            )
        return other

    def __hash__(self) -> int:
        raise NotInLanguage(
            f"{here()}: a number is no key, and no member of a set, unless it is a whole one; compare by =="
        )

    def __ceil__(self) -> int:
        return int(np.ceil(self))

    def __floor__(self) -> int:
        return int(np.floor(self))

    def __trunc__(self) -> int:
        return int(self)

    def __round__(self, digits: int | None = None) -> object:
        return int(np.rint(self)) if digits is None else np.round(self, digits)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        """The entries as objects, so that np.array([x, y]) keeps their programs."""
        entries = np.empty(self.shape, dtype=object)
        for index in np.ndindex(self.shape):
            entries[index] = self[index] if self.shape else self
        return entries

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if any(map(lifts, inputs)):
            return NotImplemented
        # `x += y` asks for the sum in the place of x: the text rebinds x, which nothing else sees.
        (place,) = kwargs.get("out", (None,))
        if place is not None and place is inputs[0]:
            del kwargs["out"]
        if method != "__call__" or any(
            option is not None for option in kwargs.values()
        ):
            raise NotTraceable(
                f"np.{ufunc.__name__}{'' if method == '__call__' else '.' + method} with these options has no exact form."
            )
        return _spelled(ufunc, inputs)

    def __array_function__(
        self, function: Any, types: Any, args: Any, kwargs: Any
    ) -> Any:
        return (
            NotImplemented
            if any(lifts(t) for t in types)
            else _call(function, args, kwargs)
        )

    def reshape(self, *shape: Any) -> Traced:
        return gather([self], lambda x: x.reshape(*shape))

    def ravel(self) -> Traced:
        return self.reshape(-1)

    flatten = ravel

    def clip(self, min: Any = None, max: Any = None) -> Any:
        return np.clip(self, min, max)  # type: ignore[call-overload]

    def transpose(self, *axes: Any) -> Traced:
        return gather([self], lambda x: x.transpose(*axes))

    def copy(self) -> Traced:
        """Another name for the same numbers: changing entries of one leaves the other."""
        other = Traced(self.tape, self.node)
        other.is_mask, other.is_whole = self.is_mask, self.is_whole
        return other

    def astype(self, dtype: Any, *_: Any, **__: Any) -> Traced:
        """Unchanged as floats, truncated as integers, whether it is not 0 as a truth value."""
        kind = np.dtype(dtype).kind
        if kind == "b":
            return (self != 0).plain()  # type: ignore[attr-defined]
        if kind not in "iu" or all(
            q.denominator == 1 for q in self.exact or [Fraction(1, 2)]
        ):
            other = self.copy()
            other.is_whole = kind in "iu"
            return other
        truncated: Any = np.sign(self) * np.floor(np.abs(self))
        return _marked(truncated)


def _is_whole(x: Any) -> bool:
    """Whether NumPy has it as whole numbers, which an array of such keeps by cutting what else is stored."""
    if isinstance(x, np.ndarray) and x.dtype.kind == "O":
        return all(map(_is_whole, x.flat))
    if isinstance(x, (list, tuple)):
        return all(map(_is_whole, x))
    kind = x.dtype.kind if isinstance(x, (np.ndarray, np.generic)) else ""
    return getattr(x, "is_whole", isinstance(x, int) or kind in ("i", "u", "b"))


def _marked(x: Any) -> Any:
    x.is_whole = True
    return x


def method(name: str) -> Any:
    """A method is its function."""

    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = OF_METHODS[name].placed(args, kwargs)
        return getattr(np, name)(self, *args, **kwargs)

    return called


for _name in FUNCTIONS_TOO:
    setattr(Traced, _name, method(_name))


def lifts(x: object) -> bool:
    """Whether `x` is a quantity or an expectation, which acts on traced numbers, not the other way round."""
    priority = getattr(x, "__array_priority__", 0)
    return isinstance(priority, int) and priority > Traced.__array_priority__


def decided(key: object) -> Any:
    """An index with its traced parts made plain, each recorded as a hypothesis."""
    if isinstance(key, tuple):
        return tuple(decided(k) for k in key)
    if isinstance(key, Traced):
        return int(key) if key.ndim == 0 else places(key)
    return getattr(key, "decided", lambda: key)()


def places(x: Traced) -> np.ndarray:
    """The whole numbers that the entries of an array are; which ones is a hypothesis. Raises NotTraceable."""
    given = x.exact is None and is_given(x.tape, x.node)
    exact = (
        list(map(Fraction, x.traced_value.flat))
        if given
        else x.exact or rationals(x.tape, x.node)
    )
    if x.is_mask or exact is None or any(q.denominator != 1 for q in exact):
        raise NotTraceable(
            f"{here()}: places are whole numbers that are known when the program is written."
        )
    whole = np.reshape(np.array([int(q) for q in exact], dtype=int), x.shape)
    if x.exact is None:
        x.tape.suppose("eq", x.node, constant(x.tape, whole).node)
    return whole


def numbers_of(x: Traced) -> np.ndarray:
    """The number of each entry, in the array's shape."""
    return np.arange(x.size).reshape(x.shape)


def is_traced(x: object) -> bool:
    """Whether a number carries its program."""
    return isinstance(x, Traced)


def trace_input(tape: Tape, name: str, x: object) -> Traced:
    """An input of the instance: exact, every float read as its shortest decimal."""
    is_whole = _is_whole(x)
    x = np.asarray(x, dtype=float)
    if not np.all(np.isfinite(x)):
        raise NotTraceable(f"The input {name} is not finite.")
    data = [exact_text(entry) for entry in x.ravel()]
    made = Traced(
        tape,
        tape.add("input", [], x, name=name, shape=list(x.shape), data=data),
    )
    made.is_whole = is_whole
    return made


def constant(tape: Tape, x: Any) -> Traced:
    """A number that the body brought along."""
    if isinstance(x, Traced):
        return x
    x = x.plain() if hasattr(x, "plain") else x  # the outcome of a comparison
    if isinstance(x, (list, tuple)) and tape_in(x) is not None:
        return np.stack([constant(tape, entry) for entry in x])  # type: ignore[arg-type]
    if isinstance(x, np.ndarray) and tape_in(x) is not None:
        entries: Any = np.stack([constant(tape, entry) for entry in x.ravel()])  # type: ignore[arg-type]
        return entries.reshape(*x.shape)
    exact = (
        np.asarray(x)
        if isinstance(x, (np.ndarray, np.generic, int, float, complex))
        else _as_objects(x)
    )
    if exact.dtype.kind == "c":
        raise NotTraceable(
            "A complex number has no exact form; write its real and imaginary parts."
        )
    data = constant_texts(exact) if tape.exactly else []
    made = Traced(
        tape,
        tape.add(
            "const",
            [],
            np.asarray(exact, dtype=float),
            shape=list(exact.shape),
            data=data,
        ),
    )
    made.is_whole = _is_whole(exact)
    return made


def _as_objects(x: object) -> np.ndarray:
    """Lists of exact numbers, none of them made a float or cut to a width."""
    made = np.array(x, dtype=object)
    return made if made.dtype == object else made.astype(object)


def tape_in(x: object) -> Tape | None:
    """The tape of the first traced number inside, if there is one."""
    if isinstance(x, Traced):
        return x.tape
    entries = (
        x
        if isinstance(x, (list, tuple))
        else x.ravel()
        if isinstance(x, np.ndarray) and x.dtype == object
        else ()
    )
    return next(
        (tape for entry in entries if (tape := tape_in(entry)) is not None),
        None,
    )


def record(
    tape: Tape, op: str, args: list[Any], value: object, **static: Any
) -> Traced:
    """Append an operation whose operands are traced or plain."""
    nodes = [constant(tape, a).node for a in args]
    return Traced(tape, tape.add(op, nodes, value, **static))


def gather(
    operands: list[Any], rearrange: Any, tape: Tape | None = None
) -> Traced:
    """Any rearrangement of entries, found by applying it to the entries' numbers (0 is an exact zero)."""
    tape = tape or next(x.tape for x in operands if isinstance(x, Traced))
    operands = [constant(tape, x) for x in operands]
    starts = np.cumsum([1] + [x.size for x in operands])
    numbers = [
        start + numbers_of(x)
        for start, x in zip(starts, operands, strict=False)
    ]
    moved = np.asarray(rearrange(*numbers))
    index = moved - 1
    entries = np.concatenate(
        [x.traced_value.ravel() for x in operands] + [np.zeros(1)]
    )
    static = {"shape": list(index.shape), "index": index.ravel().tolist()}
    made = Traced(
        tape,
        tape.add(
            "gather", [x.node for x in operands], entries[index], **static
        ),
    )
    made.is_whole = all(x.is_whole for x in operands)
    return made


def _rows(table: Traced, index: Traced) -> Traced:
    """The rows of a table that an array of computed whole numbers names, negative ones from its end."""
    if np.any(index.traced_value < 0):
        negative: Any = np.maximum(-np.sign(index), 0)  # type: ignore[call-overload]
        index = index + len(table) * negative
    return record(
        table.tape,
        "take",
        [table, index],
        table.traced_value[index.traced_value.astype(int)],
    )


def _chosen(table: Any, key: tuple[Any, ...]) -> Traced:
    """Entries that whole numbers for all axes name, computed ones among them, or slices that they name of one."""
    places = [
        k
        for k in range(len(key))
        if not (isinstance(key[k], slice) and key[k] == slice(None))
    ]
    if len(places) == 1:
        at = places[0]
        chosen: Any = _rows(np.moveaxis(table, at, 0), key[at])
        return np.moveaxis(chosen, 0, at)
    if len(places) != table.ndim:
        return gather([table], lambda x: x[decided(key)])
    flat: Any = 0
    for k, size in zip(key, table.shape, strict=True):
        flat = flat * size + k
    return _rows(table.reshape(-1), flat)


def lift(x: object) -> Any:
    """A plain number as a traced one while a tape is recording."""
    tape = active_tape()
    if tape is None and type(x) is int and abs(x) >= 2**63:
        return float(x)  # NumPy knows no such whole numbers
    return (
        x
        if tape is None or isinstance(x, Traced) or lifts(x)
        else constant(tape, x)
    )


def decimal(x: float) -> Any:
    """A parameter of the engine's own as the decimal that it prints as, while a tape is recording."""
    tape = active_tape()
    return x if tape is None else constant(tape, Fraction(repr(float(x))))


def _spelled(ufunc: np.ufunc, inputs: tuple[Any, ...]) -> Any:
    """A ufunc in recorded operations. Raises NotTraceable."""
    spelling = SPELLED.get(ufunc)
    if spelling is None:
        raise NotTraceable(f"np.{ufunc.__name__} has no exact form.")
    return _kept(ufunc, inputs, spelling(*inputs))


def _call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function spelled in recorded operations, which give what it gives here. Raises NotTraceable."""
    spelling = SPELLED.get(function)
    if spelling is None:
        raise NotTraceable(
            f"np.{function.__name__} has no exact form in boundcheck; spell it with simpler functions."
        )
    return _kept(function, args[:1], spelling(*args, **kwargs))


def _kept(function: Any, operands: Any, result: Any) -> Any:
    """A result that is of whole numbers where NumPy makes such of the operands."""
    if function in KEEPING and isinstance(result, Traced):
        result.is_whole = bool(operands) and all(map(_is_whole, operands))
    return result


@cache
def parameters_of(function: Any) -> Signature | None:
    try:
        return signature(function)
    except (TypeError, ValueError):
        return None


def floats_of(x: object) -> Any:
    """The floats behind traced numbers, in tuples and lists too."""
    return (
        type(x)(map(floats_of, x))
        if isinstance(x, (list, tuple))
        else value_of(x)
    )


class Whole(int):
    """An integer that stays one under +, -, *, // and %, and otherwise becomes a traced number.

    Without it `np.exp(-n)` would be a float of unknown error by the time the tape sees it.
    """

    tape: Tape

    def __new__(cls, tape: Tape, value: int) -> Whole:
        self = super().__new__(cls, value)
        self.tape = tape
        return self

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if method != "__call__" or kwargs.get("out") is not None:
            return NotImplemented
        plain = [int(x) if isinstance(x, Whole) else x for x in inputs]
        if any(
            getattr(x, "__array_priority__", 0) > Traced.__array_priority__
            for x in plain
            if not isinstance(x, np.ndarray)
        ):
            return NotImplemented
        first = (
            plain[0]
            if tape_in(plain) is not None
            else constant(self.tape, plain[0])
        )
        return _spelled(ufunc, (first, *plain[1:]))

    def _traced(self) -> Traced:
        return constant(self.tape, int(self))

    def _arithmetic(self, name: str, other: Any) -> Any:
        """An integer with an integer stays whole; with anything else it is traced."""
        if isinstance(other, int):
            result = getattr(int, name)(int(self), int(other))
            return (
                type(self)(self.tape, result)
                if isinstance(result, int)
                else result
            )
        if isinstance(other, (float, np.floating)):
            return getattr(self._traced(), name)(other)
        return NotImplemented

    def __truediv__(self, other: Any) -> Any:
        if (
            isinstance(other, int)
            and other != 0
            and int(self) % int(other) == 0
        ):
            return type(self)(self.tape, int(self) // int(other))
        return self._traced() / (
            int(other) if isinstance(other, int) else other
        )

    def __rtruediv__(self, other: Any) -> Any:
        return (
            int(other) if isinstance(other, int) else other
        ) / self._traced()

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if modulo is not None:
            return type(self)(
                self.tape, pow(int(self), int(other), int(modulo))
            )
        if isinstance(other, int) and other >= 0:
            return self._arithmetic("__pow__", other)
        return self._traced() ** (
            int(other) if isinstance(other, int) else other
        )

    def __rpow__(self, other: Any, modulo: Any = None) -> Any:
        if isinstance(other, int) and self >= 0:
            return type(self)(self.tape, int(other) ** int(self))
        return other ** self._traced()

    def __neg__(self) -> Whole:
        return type(self)(self.tape, -int(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int):
            return int(self) == other
        if int(self) != int(other):
            note_comparison("eq", int(self), int(other))
        return int(self) == int(other)

    def __hash__(self) -> int:
        return hash(int(self))


def _operator(name: str) -> Any:
    return lambda self, other: self._arithmetic(name, other)


for _name in (
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "rmul",
    "floordiv",
    "rfloordiv",
    "mod",
    "rmod",
):
    setattr(Whole, f"__{_name}__", _operator(f"__{_name}__"))
