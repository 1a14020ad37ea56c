"""What normal forms show of random expressions is so at random points of their intervals, to 300 bits,
and both sides are defined there."""

import random

import pytest
from flint import arb, ctx, fmpq

from boundcheck.verifier.forms import shows
from boundcheck.verifier.functions import FUNCTIONS
from boundcheck.verifier.proofs import Interval
from boundcheck.verifier.scalars import Code

UNARY = "neg abs sqrt sqrt log exp log1p expm1 tanh sinh cosh abs sin erfc floor".split()
BINARY = "add sub mul div maximum minimum add mul".split()
POWERS = [
    fmpq(2),
    fmpq(3),
    fmpq(-1),
    fmpq(-2),
    fmpq(1, 2),
    fmpq(1, 3),
    fmpq(3, 2),
    fmpq(-1, 2),
    fmpq(2, 3),
    fmpq(5, 4),
]
INTERVALS = [
    Interval(fmpq(0), None, False, False), Interval(fmpq(0), None, True, False), Interval(fmpq(0), fmpq(1), False, False),
    Interval(fmpq(0), fmpq(1), True, True), Interval(fmpq(1), None, False, False), Interval(None, None, False, False),
    Interval(fmpq(-1), fmpq(1), False, True), Interval(fmpq(2), fmpq(7), True, False), Interval(None, fmpq(0), False, True),
]  # fmt: skip


def grown(rng, code, pool, count):
    for _ in range(count):
        kind = rng.random()
        if kind < 0.15:
            pool.append(code.const(fmpq(rng.randint(-3, 4), rng.choice((1, 1, 2)))))
        elif kind < 0.35:
            pool.append(code.apply("pow", rng.choice(pool), code.const(rng.choice(POWERS))))
        elif kind < 0.6:
            pool.append(code.apply(rng.choice(UNARY), rng.choice(pool)))
        else:
            pool.append(code.apply(rng.choice(BINARY), rng.choice(pool), rng.choice(pool)))
    return rng.choice(pool[-3:])


def pair(rng, code, pool):
    """Two sides: any, or related in a way that may be true."""
    f, g = grown(rng, code, pool, rng.randint(1, 4)), grown(rng, code, pool, rng.randint(0, 3))
    kind = rng.randrange(7)
    if kind == 0:
        return f, g
    if kind == 1:
        return f, code.apply("add", f, code.apply("pow", g, code.const(fmpq(2))))
    if kind == 2:
        return code.apply("log", code.apply("mul", f, g)), code.apply(
            "add", code.apply("log", f), code.apply("log", g)
        )
    if kind == 3:
        return code.apply("sqrt", code.apply("mul", f, f)), f
    if kind == 4:
        return code.apply("mul", f, g), code.apply(
            "div", code.apply("add", code.apply("mul", f, f), code.apply("mul", g, g)), code.const(fmpq(2))
        )
    if kind == 5:
        return code.apply("abs", code.apply("add", f, g)), code.apply(
            "add", code.apply("abs", f), code.apply("abs", g)
        )
    return code.apply("div", f, code.apply("add", f, g)), code.const(fmpq(1))


def somewhere(rng, x):
    """A point of an interval, its ends and what is near or far among them."""
    low = (
        x.low
        if x.low is not None
        else (x.high if x.high is not None else fmpq(0)) - fmpq(rng.choice((1, 3, 6)))
    )
    high = x.high if x.high is not None else low + fmpq(rng.choice((1, 3, 6)))
    point = low + (high - low) * fmpq(rng.choice((0, 1, 10, 500, 990, 1000, rng.randint(1, 999))), 1000)
    return point if x.contains(point) else (low + high) / 2


def undefined(op, x, y):
    """Whether an operation certainly has no value."""
    if op == "pow":
        whole = isinstance(y, fmpq) and y.q == 1
        return (x == 0 and y < 0) or (not whole and x < 0)
    return {"div": y == 0, "log": x <= 0, "sqrt": x < 0, "log1p": x <= -1}.get(op, False)


def valued(code, root, point):
    """The value of an instruction; None where it certainly has none."""
    values = {}
    for k in sorted(code.behind([root])):
        op, args = code.ops[k]
        if op not in ("const", "input") and undefined(op, values[args[0]], values[args[-1]]):
            return None
        values[k] = (
            code.exact[k]
            if op == "const"
            else point[args[0]]
            if op == "input"
            else FUNCTIONS[op].value(*(values[a] for a in args))
        )
    return arb(values[root])


def wrong(seed):
    """What is shown of two random sides, and at how many points it is not so."""
    rng = random.Random(seed)
    names = ["x", "y"][: rng.randint(1, 2)]
    code, intervals = Code(names), [rng.choice(INTERVALS) for _ in names]
    pool = [code.input(name, 0) for name in names]
    left, right = pair(rng, code, pool)
    given = [(pool[0], pool[1])] if len(names) == 2 and rng.random() < 0.3 else []
    relation = rng.choice(("le", "le", "le", "eq", "lt"))
    if not shows(code, left, right, relation, intervals, given):
        return 0, 0
    bad = 0
    with ctx.workprec(300):
        for _ in range(12):
            point = [somewhere(rng, x) for x in intervals]
            if given and point[0] > point[1]:
                continue
            a, b = valued(code, left, point), valued(code, right, point)
            if a is None or b is None:
                bad += 1
                continue
            bad += bool(a > b) or bool(relation == "eq" and a != b) or bool(relation == "lt" and a == b)
    return 1, bad


@pytest.mark.parametrize("first", range(0, 1500, 300))
def test_what_normal_forms_show_is_so(first):
    found = {seed: wrong(seed) for seed in range(first, first + 300)}
    assert [seed for seed, (_, bad) in found.items() if bad] == []
    assert sum(shown for shown, _ in found.values()) > 20
