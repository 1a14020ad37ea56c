"""Enclosures of values and slopes on boxes hold what 400 bits compute at points of them, for random expressions.

Some hundreds are asked here, and 100,000 by `python -m tests.proofs.test_enclosures`.
"""

import random
import sys

import pytest
from flint import arb, ctx, fmpq

from boundcheck.verifier.boxes import Route, _Axis, _slopes
from boundcheck.verifier.functions import FUNCTIONS
from boundcheck.verifier.limits import BITS

UNARY = "neg abs sqrt log exp log1p expm1 sin cos tan tanh sinh cosh arctan erf erfc floor ceil rint sign gammaln arcsin arccos".split()
BINARY = "add sub mul div maximum minimum pow mod".split()


def program(rng, inputs):
    """A random program as a certificate holds it, whose conclusion compares its last nodes."""
    names = [f"x{k}" for k in range(inputs)]
    nodes = [{"op": "input", "args": [], "name": name, "shape": [], "data": ["1"]} for name in names]
    for _ in range(rng.randint(3, 12)):
        if rng.random() < 0.2:
            nodes.append(
                {
                    "op": "const",
                    "args": [],
                    "shape": [],
                    "data": [f"{rng.randint(-6, 6)}/{rng.randint(1, 4)}"],
                }
            )
        elif rng.random() < 0.5:
            nodes.append({"op": rng.choice(UNARY), "args": [rng.randrange(len(nodes))]})
        else:
            nodes.append(
                {"op": rng.choice(BINARY), "args": [rng.randrange(len(nodes)), rng.randrange(len(nodes))]}
            )
    last = len(nodes) - 1
    given = {
        "program": nodes,
        "laws": [], "hypotheses": [],
        "assumed": [],
        "conclusion": {"kind": "at_most", "args": [last, last - 1]},
    }
    return given, names


def exact(nodes, point):
    """The values of all nodes at rational numbers, to 400 bits."""
    values = []
    for node in nodes:
        if node["op"] == "input":
            values.append(point[node["name"]])
        elif node["op"] == "const":
            values.append(fmpq(*map(int, node["data"][0].split("/"))))
        else:
            values.append(FUNCTIONS[node["op"]].value(*(values[j] for j in node["args"])))
    return values


def boxed(rng, inputs):
    box = []
    for _ in range(inputs):
        lo = fmpq(rng.randint(-40, 60), rng.choice((1, 2, 7, 16)))
        box.append((lo, lo + fmpq(rng.randint(1, 50), rng.choice((1, 10, 1000)))))
    return tuple(box)


def outside(seed):
    """How many points were looked at, and how many values or differences lie outside of their enclosures."""
    rng = random.Random(seed)
    given, names = program(rng, rng.randint(1, 3))
    box = boxed(rng, len(names))
    with ctx.workprec(BITS):
        side = Route(given, names).sides[0]
        v = side.values([arb(lo).union(arb(hi)) for lo, hi in box])
        axes = [_Axis.of(lo, hi, arb(lo).union(arb(hi))) for lo, hi in box]
        d = _slopes(side, v, [axis.slope for axis in axes], [True] * len(box))[side.gap]
    seen = wrong = 0
    at = []
    for _ in range(4):
        point = {
            n: lo + (hi - lo) * fmpq(rng.choice((0, 50, 100, rng.randint(1, 99))), 100)
            for n, (lo, hi) in zip(names, box)
        }
        with ctx.workprec(400):
            values = exact(given["program"], point)
            left, right = arb(values[-1]), arb(values[-2])
            for bound, value in ((v[side.left], left), (v[side.right], right)):
                if bound.is_finite():
                    seen += 1
                    wrong += not bound.overlaps(value) or not value.is_finite()
            at.append((point, right - left))
    if d is not None and all(slope[0].is_finite() for slope in d):
        with ctx.workprec(400):
            (p, f), (q, g) = at[:2]
            if f.is_finite() and g.is_finite() and v[side.gap].is_finite():
                change = arb(0)
                for n, (lo, hi), slope in zip(names, box, d):
                    logs = lo > 0 and hi > fmpq(5, 4) * lo
                    step = (arb(q[n]) / arb(p[n])).log() if logs else arb(q[n] - p[n])
                    change += slope[0] * step
                seen += 1
                wrong += not change.overlaps(g - f)
    return seen, wrong


def test_random_expressions_lie_in_their_enclosures():
    found = [outside(seed) for seed in range(400)]
    assert sum(wrong for _, wrong in found) == 0
    assert sum(seen for seen, _ in found) > 300


@pytest.mark.parametrize("op", ["floor", "ceil", "rint", "sign", "mod"])
def test_what_jumps_has_no_slope_where_it_jumps(op):
    nodes = [{"op": "input", "args": [], "name": "x0", "shape": [], "data": ["1"]}]
    nodes.append({"op": "const", "args": [], "shape": [], "data": ["1"]})
    nodes.append({"op": op, "args": [0, 1] if op == "mod" else [0]})
    given = {
        "program": nodes,
        "laws": [], "hypotheses": [],
        "assumed": [],
        "conclusion": {"kind": "at_most", "args": [2, 1]},
    }
    with ctx.workprec(BITS):
        side = Route(given, ["x0"]).sides[0]
        box = (fmpq(-1, 2), fmpq(3, 2))
        x = arb(box[0]).union(arb(box[1]))
        d = _slopes(side, side.values([x]), [_Axis.of(*box, x).slope], [True])[side.left]
    assert d is not None
    assert not d[0][0].is_finite()


def main(count: int = 100_000) -> None:
    """Ask of so many random expressions."""
    seen = wrong = 0
    for seed in range(count):
        points, outliers = outside(seed)
        seen, wrong = seen + points, wrong + outliers
        if outliers:
            print(f"! seed {seed}: {outliers} of {points} outside")
    print(f"{count} random expressions, {seen} values and differences compared with 400 bits, {wrong} outside")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
