"""What the work of the verifier takes, in microseconds: `python -m benchmarks.prices`.

The numbers of `boundcheck/verifier/limits.py` are its prices; beside each stands what one unit of that work took here.
Matrices follow: elimination and eigenvalues, exactly (up to `EXACT_SIDE` and `BLOCK_SIDE` rows) and in balls.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from flint import arb, ctx, fmpq

from boundcheck.verifier import limits
from boundcheck.verifier.arrays import Array
from boundcheck.verifier.boxes import Route
from boundcheck.verifier.conclusions import hypothesis
from boundcheck.verifier.laws import groups
from boundcheck.verifier.matrices import Matrix, balls, eigvalsh, inverse, over_batch, rationals
from boundcheck.verifier.program import run

SPACE = groups([])


def took(work: Callable[[], object], times: int = 1) -> float:
    """Processor time in microseconds, the least of five."""
    found = []
    for _ in range(5):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return 1e6 * min(found) / times


def chain(length: int) -> list[dict[str, Any]]:
    """x, x + x, and so on."""
    first = {"op": "input", "name": "x", "shape": [], "data": ["1/3"], "args": []}
    return [first, *({"op": "add", "args": [k, k]} for k in range(length))]


def symmetric(side: int, bits: int = 10) -> Matrix:
    draw = random.Random(side)
    rows = [[fmpq(draw.getrandbits(bits) + 1, 7) for _ in range(side)] for _ in range(side)]
    return [[rows[max(i, j)][min(i, j)] + 50 * (i == j) for j in range(side)] for i in range(side)]


def route(length: int) -> Route:
    """A side of that many products."""
    nodes = chain(0)
    nodes += [{"op": "mul" if k % 2 else "exp", "args": [k, 0] if k % 2 else [k]} for k in range(length)]
    said = {"kind": "at_most", "args": [0, length]}
    return Route({"program": nodes, "laws": [], "hypotheses": [], "assumed": [], "conclusion": said}, ["x"])


def prices() -> None:
    n = 2000
    tape, side = run(chain(n), SPACE), route(300).sides[0]
    box = ((fmpq(0), fmpq(1, 10)),)
    ones = Array((n, 1, 1), [fmpq(1)] * n)
    steps, _ = side.steps
    values = took(lambda: side.values([arb(0).union(arb(fmpq(1, 10)))]), len(steps))
    measured = {
        "NODE": took(lambda: run(chain(n), SPACE), n),
        "MATRIX": took(lambda: over_batch(inverse, ones), n),
        "EVENT": took(lambda: [hypothesis(tape, {"relation": "le", "args": [0, 1]}) for _ in range(n)], n),
        "BASIS": took(lambda: eigvalsh([[arb(2).sqrt(), arb(1)], [arb(1), arb(3).sqrt()]])),
        "STEP": values,
        "SLOPE": took(lambda: side.look(box), len(steps)) - values,
    }
    for name, micro in measured.items():
        print(f"{name:8} {getattr(limits, name):6} {micro:8.1f}")


def matrices() -> None:
    for side in (4, 8, 16, 24, 32):
        a = symmetric(side)
        exact, rounded = took(lambda a=a: rationals(a).inv()), took(lambda a=a: balls(a).inv())
        roots = took(lambda a=a: [f.complex_roots() for f, _ in rationals(a).charpoly().numer().factor()[1]])
        turned = took(lambda a=a: eigvalsh([list(map(arb, row)) for row in a]))
        print(f"{side:3} rows: inverse {exact:7.0f} exactly, {rounded:7.0f} in balls; eigenvalues {roots:7.0f} and {turned:7.0f}")


if __name__ == "__main__":
    with ctx.workprec(212):
        prices()
        matrices()
