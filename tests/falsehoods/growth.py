"""How the time to a verdict grows with n and with delta: `python -m tests.falsehoods.growth`, into README.md."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck import P, Unit, log, quantity, sqrt
from boundcheck.checking.judge import PLANS, judge
from boundcheck.words.claims import make_claim

from .page import line, replaced
from .verdicts import ALPHA, HERE

START, END = "<!-- growth: start -->", "<!-- growth: end -->"
README = HERE / "README.md"
GRID = [(10, 1e-3), (100, 1e-3), (1_000, 1e-3), (10_000, 1e-3), (100, 1e-1), (100, 1e-2), (100, 1e-6), (100, 1e-12)]

Draw = Callable[[Any, int, Any, int], Any]


def coins(p: Any, n: int, rng: Any, size: int) -> Any:
    """A mean of n coin flips, whose law is finite."""
    return rng.binomial(n, p, size) / n


def uniforms(p: Any, n: int, rng: Any, size: int) -> Any:
    """A mean of n uniform numbers around p, whose law is sampled."""
    return rng.random((size, n)).mean(axis=1) - 0.5 + p


def hoeffding(draw: Draw, n: int, delta: float, constant: float) -> Any:
    """Hoeffding's inequality with n trials at level delta; the constant is 2, a larger one is false."""

    def body(p: Unit) -> Any:
        mean = quantity(partial(draw, p, n))
        return P(mean - p <= sqrt(log(1 / delta) / (constant * n))) >= 1 - delta

    return make_claim(body, f"growth.{draw.__name__}", "Hoeffding 1963", "theorem")


def decided(claim: Any) -> str:
    """The verdict and the processor seconds to it."""
    start = time.process_time()
    with threadpool_limits(1):
        outcome = judge(claim, PLANS["quick"], ALPHA).outcome.name
    return f"{outcome}, {time.process_time() - start:.1f} s"


def table() -> Iterator[str]:
    yield line("law", "n", "delta", "Hoeffding", "with the root of 2 less, or of 10 (sampled)")
    yield line(*"-----")
    for draw, false in ((coins, 4.0), (uniforms, 20.0)):
        for n, delta in GRID:
            verdicts = [decided(hoeffding(draw, n, delta, constant)) for constant in (2.0, false)]
            yield line("exact" if draw is coins else "sampled", f"{n:,}", f"{delta:g}", *verdicts)


def main() -> None:
    np.seterr(all="ignore")
    decided(hoeffding(coins, 10, 0.1, 2.0))  # compiled, imported
    section = "\n".join(table())
    print(section)
    README.write_text(replaced(README.read_text(encoding="utf-8"), START, END, section), encoding="utf-8")


if __name__ == "__main__":
    main()
