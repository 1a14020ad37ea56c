"""Whole numbers of an instance: integers whose quotients and functions are traced."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.tape.program import Tape
from boundcheck.tape.traced import Traced, constant, spelled, tape_in


class Whole(int):
    """An integer that stays one under +, -, *, // and %, and otherwise becomes a traced number.

    Without it `np.exp(-n)` would be a float of unknown error by the time the tape sees it.
    """

    tape: Tape

    def __new__(cls, tape: Tape, value: int) -> Whole:
        self = super().__new__(cls, value)
        self.tape = tape
        return self

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs.get("out") is not None:
            return NotImplemented
        plain = [int(x) if isinstance(x, Whole) else x for x in inputs]
        if any(getattr(x, "__array_priority__", 0) > Traced.__array_priority__ for x in plain if not isinstance(x, np.ndarray)):
            return NotImplemented
        first = plain[0] if tape_in(plain) is not None else constant(self.tape, plain[0])
        return spelled(ufunc, (first, *plain[1:]))

    def _traced(self) -> Traced:
        return constant(self.tape, int(self))

    def _arithmetic(self, name: str, other: object) -> object:
        """An integer with an integer stays whole; with anything else it is traced."""
        if isinstance(other, int):
            result = getattr(int, name)(int(self), int(other))
            return Whole(self.tape, result) if isinstance(result, int) else result
        if isinstance(other, (float, np.floating)):
            return getattr(self._traced(), name)(other)
        return NotImplemented

    def __truediv__(self, other: object) -> object:
        if isinstance(other, int) and other != 0 and int(self) % int(other) == 0:
            return Whole(self.tape, int(self) // int(other))
        return self._traced() / (int(other) if isinstance(other, int) else other)

    def __rtruediv__(self, other: object) -> object:
        return (int(other) if isinstance(other, int) else other) / self._traced()

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if modulo is not None:
            return Whole(self.tape, pow(int(self), int(other), int(modulo)))
        if isinstance(other, int) and other >= 0:
            return self._arithmetic("__pow__", other)
        return self._traced() ** (int(other) if isinstance(other, int) else other)

    def __rpow__(self, other: object, modulo: object = None) -> object:
        if isinstance(other, int) and self >= 0:
            return Whole(self.tape, int(other) ** int(self))
        return other ** self._traced()

    def __neg__(self) -> Whole:
        return Whole(self.tape, -int(self))

    def __hash__(self) -> int:
        return hash(int(self))


def _operator(name: str) -> object:
    return lambda self, other: self._arithmetic(name, other)


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "rmod"):
    setattr(Whole, f"__{_name}__", _operator(f"__{_name}__"))
