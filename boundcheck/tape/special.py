"""Universal functions that are spelled with simpler ones, those of scipy.special among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.tape.structure import tape_of, where
from boundcheck.tape.traced import constant


def xlogy(x: Any, y: Any) -> Any:
    """x log y with 0 log 0 = 0: where x is zero the logarithm is not taken."""
    tape = tape_of(x, y)
    x, y = np.broadcast_arrays(constant(tape, x), constant(tape, y))
    zero: Any = constant(tape, x) == 0
    return x * np.log(where(zero, np.ones(np.shape(x)), y))


def _heaviside(x: Any, y: Any) -> Any:
    at_zero = where(x < 0, np.zeros(x.shape), constant(x.tape, y) * np.ones(x.shape))
    return where(x > 0, np.ones(x.shape), at_zero)


def _ndtr(x: Any) -> Any:
    from scipy.special import erfc

    return erfc(-x / np.sqrt(constant(x.tape, 2))) / 2


def _log_in_base(base: int) -> Callable[[Any], Any]:
    return lambda x: np.log(x) / np.log(constant(x.tape, base))


UFUNCS: dict[str, Callable[..., Any]] = {
    "square": lambda x: x * x,
    "positive": lambda x: x.copy(),
    "conjugate": lambda x: x.copy(),
    "reciprocal": lambda x: 1 / x,
    "cbrt": lambda x: np.sign(x) * np.abs(x) ** (1 / constant(x.tape, 3)),
    "log2": _log_in_base(2),
    "log10": _log_in_base(10),
    "exp2": lambda x: np.exp(x * np.log(constant(x.tape, 2))),
    "hypot": lambda x, y: np.sqrt(x * x + y * y),
    "logaddexp": lambda x, y: np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y))),
    "floor_divide": lambda x, y: np.floor(x / y),
    "heaviside": _heaviside,
    "vecdot": lambda x, y: np.sum(x * y, axis=-1),
    "xlogy": xlogy,
    "xlog1py": lambda x, y: xlogy(x, 1 + y),
    "entr": lambda x: -xlogy(x, x),
    "rel_entr": lambda x, y: xlogy(x, x / y),
    "kl_div": lambda x, y: xlogy(x, x / y) - x + y,
    "expit": lambda x: 1 / (1 + np.exp(-x)),
    "logit": lambda x: np.log(x / (1 - x)),
    "log_expit": lambda x: -np.log1p(np.exp(-x)),
    "ndtr": _ndtr,
    "log_ndtr": lambda x: np.log(_ndtr(x)),
    "isfinite": lambda x: np.isfinite(x.traced_value),
    "isnan": lambda x: np.isnan(x.traced_value),
}
