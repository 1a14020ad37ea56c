"""The outcome of a comparison of traced numbers: using it records on which side the instance lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.tape.program import NotTraceable
from boundcheck.tape.traced import Traced, decided, gather, numbers_of

NEGATED = {"le": "gt", "lt": "ge", "ge": "lt", "gt": "le", "eq": "ne", "ne": "eq"}
FLIPPED = {"ge": "le", "gt": "lt"}


class Truth:
    """The outcome of a comparison; using it as a bool records on which side the instance lies."""

    def __init__(self, relation: str, left: Traced, right: Traced):
        self.relation, self.left, self.right = relation, left, right
        self.value = _OUTCOME[relation](left.traced_value, right.traced_value)

    def __bool__(self) -> bool:
        return bool(np.all(self.decided()) if self.value.ndim == 0 else _ambiguous())

    def decided(self) -> np.ndarray:
        """The outcome as plain booleans, every entry recorded as a hypothesis."""
        left, right = np.broadcast_arrays(*(numbers_of(x) for x in (self.left, self.right)))
        for relation, mask in ((self.relation, self.value), (NEGATED[self.relation], ~self.value)):
            if np.any(mask):
                _suppose(relation, _pick(self.left, left[mask]), _pick(self.right, right[mask]))
        return self.value

    def all(self, *args: Any, **kwargs: Any) -> Any:
        return self.decided().all(*args, **kwargs)

    def any(self, *args: Any, **kwargs: Any) -> Any:
        return self.decided().any(*args, **kwargs)

    def __and__(self, other: Any) -> np.ndarray:
        return self.decided() & decided(other)

    def __or__(self, other: Any) -> np.ndarray:
        return self.decided() | decided(other)

    def __invert__(self) -> np.ndarray:
        return ~self.decided()

    __rand__, __ror__ = __and__, __or__

    def __array_ufunc__(self, ufunc: np.ufunc, _method: str, *inputs: Any, **_: Any) -> np.ndarray:
        if not ufunc.__name__.startswith(("logical_", "bitwise_")):
            raise NotTraceable(f"np.{ufunc.__name__} of a comparison has no exact form.")
        return ufunc(*(decided(x) for x in inputs))

    def __array_function__(self, function: Any, _types: Any, args: Any, kwargs: Any) -> Any:
        return function(*(a.decided() if isinstance(a, Truth) else a for a in args), **kwargs)


_OUTCOME = {"le": np.less_equal, "lt": np.less, "ge": np.greater_equal, "gt": np.greater, "eq": np.equal, "ne": np.not_equal}


def _ambiguous() -> bool:
    raise ValueError("The truth of an array with several entries is ambiguous; use .all() or .any().")


def _suppose(relation: str, left: Traced, right: Traced) -> None:
    if relation in FLIPPED:
        relation, left, right = FLIPPED[relation], right, left
    left.tape.suppose(relation, left.node, right.node)


def _pick(x: Traced, index: np.ndarray) -> Traced:
    if index.size == x.size and np.array_equal(index.ravel(), np.arange(x.size)):
        return x
    return gather([x], lambda values: values.reshape(-1)[index])
