"""Hand-made certificates: one sound refutation for each kind of conclusion."""

import copy
from typing import Any

from boundcheck.verifier.seal import digest

Certificate = dict[str, Any]
PROVENANCE = {"alpha": "1/1000000", "generator": "numpy.random.Philox, chunks of 64 doubling to 16384", "seed": [1, 2]}
"""What evidence from trials says of them."""


class Program:
    """A list of nodes under construction; every method returns the index of the new node."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []

    def __call__(self, op: str, *args: int, **static: Any) -> int:
        self.nodes.append({"op": op, "args": list(args), **static})
        return len(self.nodes) - 1

    def const(self, *data: Any, shape: tuple[int, ...] = ()) -> int:
        entries = [x if isinstance(x, dict) else str(x) for x in data]
        return self("const", shape=list(shape), data=entries)

    def matrix(self, rows: list[list[Any]]) -> int:
        return self.const(*(x for row in rows for x in row), shape=(len(rows), len(rows[0])))

    def certificate(self, conclusion: dict[str, Any], **parts: Any) -> Certificate:
        claim = {"id": "paper.lemma1", "source": "Paper, Lemma 1", "statement": "lhs <= rhs"}
        body = {
            "certificate_version": 1,
            "claim": claim,
            "program": copy.deepcopy(self.nodes),
            "conclusion": conclusion,
        }
        return sealed({"laws": [], "hypotheses": [], "values": {}, **body, **parts})


def sealed(certificate: Certificate) -> Certificate:
    return {**certificate, "seal": digest(certificate)}


def resealed(certificate: Certificate, change: Any) -> Certificate:
    """The certificate after `change` has edited a copy of it in place, with a fresh seal."""
    edited = copy.deepcopy(certificate)
    change(edited)
    return sealed(edited)


def at_most() -> Certificate:
    """sqrt(2) <= 7/5 under the hypothesis 0 < 2."""
    p = Program()
    two, bound, zero = p("input", name="x", shape=[], data=["2"]), p.const("7/5"), p.const(0)
    return p.certificate(
        {"kind": "at_most", "args": [p("sqrt", two), bound]},
        hypotheses=[{"relation": "lt", "args": [zero, two]}],
        values={"lhs": "1.4142135623730950", "rhs": "1.4"},
    )


def equal() -> Certificate:
    """(a + b)^2 = a^2 + b^2 entrywise on (1, 0), (2, 3)."""
    p = Program()
    a, b, two = p.const(1, 0, shape=(2,)), p.const(2, 3, shape=(2,)), p.const(2)
    squares = p("add", p("pow", a, two), p("pow", b, two))
    return p.certificate({"kind": "equal", "args": [p("pow", p("add", a, b), two), squares]})


def loewner() -> Certificate:
    """A <= B implies A^2 <= B^2, which is false; A <= B is the hypothesis."""
    p = Program()
    A, B = p.matrix([[1, 1], [1, 1]]), p.matrix([[2, 1], [1, 1]])
    conclusion = {"kind": "loewner", "args": [p("matmul", A, A), p("matmul", B, B)], "witness": ["1", "-2"]}
    difference = p("sub", B, A)
    return p.certificate(
        conclusion, hypotheses=[{"relation": "psd", "args": [difference]}], values={"lhs": "0.4", "rhs": "0.2"}
    )


def probability() -> Certificate:
    """Two dice: P(sum <= 10) >= 19/20, though it is 33/36."""
    p = Program()
    dice, ten, bound = p("random", draw=0), p.const(10), p.const("19/20")
    event = {"le": [p("sum", dice, axes=[1], keepdims=False), ten]}
    die = {"law": "finite", "values": list("123456"), "weights": ["1"] * 6, "shape": [2]}
    conclusion = {"kind": "probability", "event": event, "relation": "ge", "bound": bound}
    return p.certificate(conclusion, laws=[die], values={"probability": "0.91666666666666667", "bound": "0.95"})


def expectation() -> Certificate:
    """E |Bin(4, 1/3) - 4/3| <= 7/10."""
    p = Program()
    p_, draw = p.const("1/3"), p("random", draw=0)
    mean, bound = p.const("4/3"), p.const("7/10")
    deviation = p("abs", p("sub", draw, mean))
    law = {"law": "binomial", "n": 4, "p": {"node": p_}, "shape": []}
    return p.certificate({"kind": "at_most", "args": [p("mean", deviation), bound]}, laws=[law])


def expectation_loewner() -> Certificate:
    """E z z^T <= I / 2 for z = (1, +-1), whose mean outer product is I."""
    p = Program()
    sign, one, half = p("random", draw=0), p.const(1), p.matrix([["1/2", 0], [0, "1/2"]])
    outer = p("gather", sign, one, shape=[2, 2, 2], index=[2, 0, 0, 2, 2, 1, 1, 2])
    law = {"law": "finite", "values": ["-1", "1"], "weights": ["1", "1"], "shape": []}
    conclusion = {"kind": "loewner", "args": [p("mean", outer), half], "witness": ["1", "1"]}
    return p.certificate(conclusion, laws=[law], values={"lhs": "1", "rhs": "0.5"})


def sampled() -> Certificate:
    """P(event) >= 9/10, with 200 failures in 1000 trials."""
    p = Program()
    numbers = {"trials": 1000, "failures": 200, **PROVENANCE}
    return p.certificate({"kind": "sampled", "relation": "ge", "bound": p.const("9/10"), **numbers})


def counts(n: int = 100, s: int = 6391) -> Certificate:
    """Li et al. (2021), Lemma 27, on orthogonal features of equal weight: Z = sqrt(n) I."""
    p = Program()
    diagonal = [0 if i == j else -1 for i in range(n) for j in range(n)]
    root = p("sqrt", p.const(n))
    uniform = p("gather", p.const(f"1/{n}"), shape=[n], index=[0] * n)
    nodes = {"Z": p("gather", root, shape=[n, n], index=diagonal), "p": uniform, "q": uniform}
    scalars = {"lam": p.const("1/1000000000000"), "eps": p.const("1/2"), "bound": p.const("99/100")}
    return p.certificate({"kind": "counts", **nodes, **scalars, "s": s, "two_sided": True})


KINDS = {
    maker.__name__: maker
    for maker in (
        at_most, equal, loewner, probability, expectation, expectation_loewner, sampled, counts,
    )
}  # fmt: skip
