"""The size of the terms that a statement adds up and compares with 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, isfinite, prod

import numpy as np

from boundcheck.checking.certificate import NotFinite, NotTraceable, trace
from boundcheck.domains import Raw
from boundcheck.tape import Tape
from boundcheck.words.claims import Claim

ARRANGING = ("neg", "abs", "sum", "mean", "gather", "take", "cumsum", "sort", "add", "sub", "maximum", "minimum", "max", "min")
"""Operations whose terms are those of their arguments."""

EXPANDING: dict[str, Callable[[list[float], list[np.ndarray]], float]] = {
    **dict.fromkeys(ARRANGING, lambda sizes, _: max(sizes, default=0.0)),
    **dict.fromkeys(("mul", "matmul"), lambda sizes, _: prod(sizes)),
    "div": lambda sizes, values: sizes[0] / (float(np.min(np.abs(values[1]), initial=inf)) or inf),
    "sqrt": lambda sizes, _: sizes[0] ** 0.5,
    "pow": lambda sizes, values: _power(sizes[0], values[1]),
}
"""The size of the terms of a result, once it is multiplied out, from those of its arguments."""


def size_of_terms(claim: Claim, raw: Mapping[str, Raw], part: int) -> float:
    """The largest absolute value among the terms of both sides, multiplied out; 0 where it is not known or not finite.

    (x - y)^2 has the terms of x^2 - 2 x y + y^2. In an identity any number of its program is large enough.
    """
    try:
        tape, conclusion = trace(claim, raw, part)
        with np.errstate(all="ignore"):
            sizes = _sizes(tape, conclusion["args"])
    except (NotTraceable, NotFinite, ArithmeticError):
        return 0.0
    sides = sizes.values() if conclusion["kind"] == "equal" else [sizes[k] for k in conclusion["args"]]
    return max((size for size in sides if isfinite(size)), default=0.0)


def _sizes(tape: Tape, roots: list[int]) -> dict[int, float]:
    """The size of each node that the sides are made of; arguments come before what is made of them."""
    needed, waiting = set(), list(roots)
    while waiting:
        k = waiting.pop()
        if k not in needed:
            needed.add(k)
            waiting += tape.nodes[k]["args"]
    sizes: dict[int, float] = {}
    for k in sorted(needed):
        args, expand = tape.nodes[k]["args"], EXPANDING.get(tape.nodes[k]["op"])
        own = float(np.max(np.abs(np.asarray(tape.values[k], dtype=float)), initial=0.0))
        sizes[k] = own if expand is None else max(own, expand([sizes[a] for a in args], [tape.values[a] for a in args]))
    return sizes


def _power(size: float, exponent: np.ndarray) -> float:
    return size ** float(exponent) if exponent.ndim == 0 and exponent > 0 else 0.0
