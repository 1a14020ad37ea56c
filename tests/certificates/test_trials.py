"""The axis of the trials: what mixes atoms is malformed when it is made, what keeps them apart is recomputed."""

from collections.abc import Callable

import pytest
from forging import Program

from boundcheck.verifier import Outcome, verify

COIN = {"law": "binomial", "n": 1, "p": "1/1000", "shape": []}
PAIR = {**COIN, "shape": [2]}
MATRIX = {**COIN, "shape": [2, 2]}
FOUR = {"law": "finite", "values": ["1", "2", "3", "4"], "weights": ["1", "2", "3", "4"], "shape": []}

Node = Callable[[Program], int]
UNIT = [int(i == j) for i in range(4) for j in range(4)]
TWICE = [0, 0, 1, 1, 2, 2, 3, 3]


def draw(p: Program, k: int = 0) -> int:
    return p("random", draw=k)


def moved(p: Program, index: list[int], shape: list[int], *others: int) -> int:
    return p("gather", draw(p), *others, shape=shape, index=index)


MIXING: dict[str, tuple[dict, Node]] = {
    "sum over atoms": (COIN, lambda p: p("sum", draw(p), axes=[0])),
    "sum from the end": (COIN, lambda p: p("sum", draw(p), axes=[-1])),
    "sum kept": (PAIR, lambda p: p("sum", draw(p), axes=[0, 1], keepdims=True)),
    "largest over atoms": (COIN, lambda p: p("max", draw(p), axes=[0])),
    "smallest of both": (PAIR, lambda p: p("min", draw(p), axes=[1, 0])),
    "product": (PAIR, lambda p: p("prod", draw(p), axes=[-2])),
    "running sum": (COIN, lambda p: p("cumsum", draw(p), axis=0)),
    "sort of the atoms": (COIN, lambda p: p("sort", draw(p), axis=-1)),
    "sort by default": (COIN, lambda p: p("sort", draw(p))),
    "one atom": (COIN, lambda p: moved(p, [1], [])),
    "one atom for all": (COIN, lambda p: moved(p, [1, 1], [2])),
    "atoms swapped": (COIN, lambda p: moved(p, [1, 0], [2])),
    "atoms reversed inside": (PAIR, lambda p: moved(p, [0, 1, 2, 3, 4, 5, 7, 6], [4, 2])),
    "transposed": (FOUR, lambda p: moved(p, [0, 1, 2, 3], [1, 4])),
    "flattened": (PAIR, lambda p: moved(p, list(range(8)), [8])),
    "rolled": (FOUR, lambda p: moved(p, [3, 0, 1, 2], [4])),
    "an atom dropped": (FOUR, lambda p: moved(p, [0, 1, 2], [3])),
    "zero at one atom": (FOUR, lambda p: moved(p, [0, 1, 2, -1], [4])),
    "a constant at one atom": (FOUR, lambda p: moved(p, [0, 1, 2, 4], [4], p.const(9))),
    "constants that differ": (FOUR, lambda p: moved(p, [0, 4, 1, 5, 2, 4, 3, 4], [4, 2], p.const(8, 9, shape=(2,)))),
    "a table of the atoms": (FOUR, lambda p: p("mul", draw(p), p.const(1, 0, 0, 0, shape=(4,)))),
    "a table of balls": (FOUR, lambda p: p("mul", draw(p), p("sqrt", p.const(2, 2, 2, 2, shape=(4,))))),
    "beside the atoms": (FOUR, lambda p: p("sub", p.const(*range(8), shape=(4, 2)), moved(p, TWICE, [4, 2]))),
    "an axis before": (FOUR, lambda p: p("add", draw(p), p.const(0, 0, shape=(2, 1)))),
    "an axis before of one": (FOUR, lambda p: p("add", draw(p), p.const(0, shape=(1, 1)))),
    "against itself": (FOUR, lambda p: p("mul", draw(p), moved(p, list(range(4)), [4, 1]))),
    "against a row": ({**COIN, "shape": [1]}, lambda p: p("add", draw(p), p("sum", draw(p), axes=[1]))),
    "rows by a draw of rows": (FOUR, lambda p: p("take", draw(p), p.const(0, 1, 2, 3, shape=(4,)))),
    "rows by a draw": (COIN, lambda p: p("take", draw(p), draw(p))),
    "scalar product of atoms": (FOUR, lambda p: p("matmul", draw(p), draw(p))),
    "weights on the left": (FOUR, lambda p: p("matmul", p.const(*["1/4"] * 4, shape=(4,)), draw(p))),
    "weights on the right": (FOUR, lambda p: p("matmul", draw(p), p.const(*["1/4"] * 4, shape=(4,)))),
    "Gram of the atoms": (PAIR, lambda p: p("matmul", p.const(*["1"] * 8, shape=(2, 4)), draw(p))),
    "a square of atoms": (PAIR, lambda p: p("matmul", draw(p), p.const(*range(12), shape=(3, 2, 2)))),
    "two draws as matrices": (PAIR, lambda p: p("matmul", draw(p), moved(p, [0, 2, 4, 6, 1, 3, 5, 7], [2, 4]))),
    "batches of other atoms": (MATRIX, lambda p: p("matmul", draw(p), p.const(*range(64), shape=(16, 2, 2)))),
    "batch before": (MATRIX, lambda p: p("matmul", draw(p), p.const(*range(4), shape=(1, 1, 2, 2)))),
    "eigenvalues of the atoms": (FOUR, lambda p: p("svdvals", moved(p, [0, 1, 2, 3], [4, 1]))),
    "determinant of the atoms": ({**PAIR, "shape": [4]}, lambda p: p("det", p("matmul", draw(p), p.const(*[1] * 64, shape=(4, 16))))),
    "singular values": (PAIR, lambda p: p("svdvals", draw(p))),
    "solved for the atoms": (PAIR, lambda p: p("solve", p.const(*UNIT, shape=(4, 4)), draw(p))),
    "eigenvectors of each": (MATRIX, lambda p: p("eigenvectors", draw(p), lead=[1, 2])),
    "no mean": (COIN, lambda p: p("mean", p.const(1, 3, shape=(2,)))),
    "mean of a mean": (COIN, lambda p: p("mean", p("mean", draw(p)))),
    "a leaf with operands": (COIN, lambda p: p("const", draw(p), shape=[2], data=["1", "2"])),
}  # fmt: skip


@pytest.mark.parametrize("name", MIXING)
def test_what_mixes_atoms_is_malformed_even_if_it_is_not_used(name):
    law, make = MIXING[name]
    p = Program()
    two, one = p.const(2), p.const(1)
    certificate = p.certificate({"kind": "at_most", "args": [two, one]}, laws=[law])
    assert verify(certificate).confirmed
    make(p)
    finding = verify(p.certificate({"kind": "at_most", "args": [two, one]}, laws=[law]))
    assert finding.outcome is Outcome.MALFORMED, finding
    assert finding.sentence.startswith("operation ")
    assert "is malformed" not in finding.sentence


def same(p: Program, node: int) -> int:
    """A number, once for each of four atoms."""
    return p("gather", node, shape=[4], index=[0] * 4)


def mean(p: Program, node: int, bound: str) -> Outcome:
    certificate = p.certificate({"kind": "at_most", "args": [p("mean", node), p.const(bound)]}, laws=[FOUR])
    return verify(certificate).outcome


KEEPING: dict[str, tuple[Node, str]] = {
    "itself": (draw, "3"),
    "times a number": (lambda p: p("mul", draw(p), p.const(2)), "6"),
    "times ones": (lambda p: p("mul", draw(p), p.const(*[2] * 4, shape=(4,))), "6"),
    "times a root for each": (lambda p: p("sub", draw(p), same(p, p("sqrt", p.const(4)))), "1"),
    "a copied ball": (lambda p: p("pow", p("mul", draw(p), same(p, p("sqrt", p.const(2)))), p.const(2)), "20"),
    "repeated": (lambda p: p("sum", moved(p, TWICE, [4, 2]), axes=[1]), "6"),
    "beside a constant": (lambda p: p("sum", moved(p, [0, 4, 1, 4, 2, 4, 3, 4], [4, 2], p.const(7)), axes=[-1]), "10"),
    "beside equal constants": (lambda p: p("sum", moved(p, [0, 4, 1, 5, 2, 4, 3, 5], [4, 2], p.const(7, 7, shape=(2,))), axes=[-1]), "10"),
    "beside zero": (lambda p: p("max", moved(p, [0, -1, 1, -1, 2, -1, 3, -1], [4, 2]), axes=[1]), "3"),
    "against a vector": (lambda p: p("sum", p("mul", moved(p, [0, 1, 2, 3], [4, 1]), p.const(1, 2, shape=(2,))), axes=[1]), "9"),
    "rows times a matrix": (lambda p: p("sum", p("matmul", moved(p, [0, 1, 2, 3], [4, 1]), p.const(1, 2, shape=(1, 2))), axes=[1]), "9"),
    "rows times a vector": (lambda p: p("matmul", moved(p, TWICE, [4, 2]), p.const(1, 2, shape=(2,))), "9"),
    "squares": (lambda p: p("gather", p("matmul", *[moved(p, [0, 1, 2, 3], [4, 1, 1])] * 2), shape=[4], index=[0, 1, 2, 3]), "10"),
    "fixed on the left": (
        lambda p: p("sum", p("matmul", p.const(1, 2, shape=(2, 1)), moved(p, [0, 1, 2, 3], [4, 1, 1])), axes=[1, 2]), "9",
    ),
    "determinants": (lambda p: p("det", moved(p, [k for a in range(4) for k in (a, -1, -1, a)], [4, 2, 2])), "10"),
    "inverse": (lambda p: p("det", p("inv", p("inv", moved(p, [k for a in range(4) for k in (a, -1, -1, a)], [4, 2, 2])))), "10"),
    "a row of a table": (lambda p: p("take", p.const(0, 1, 4, 9, 16, shape=(5,)), draw(p)), "10"),
    "sorted inside": (lambda p: p("sum", p("sort", moved(p, TWICE, [4, 2])), axes=[1]), "6"),
    "running inside": (lambda p: p("sum", p("cumsum", moved(p, TWICE, [4, 2]), axis=-1), axes=[1]), "9"),
}  # fmt: skip


@pytest.mark.parametrize("name", KEEPING)
def test_what_keeps_atoms_apart_has_its_mean(name):
    """The mean is what the weights 1 to 4 make of it: not above itself, but above a thousandth less."""
    make, expected = KEEPING[name]
    for bound, outcomes in ((expected, (Outcome.NOT_VIOLATED, Outcome.TIE)), (f"{int(expected) * 999}/1000", (Outcome.CONFIRMED,))):
        p = Program()
        assert mean(p, make(p), bound) in outcomes


def test_two_draws_of_one_group_meet_and_two_groups_do_not():
    for group, outcome in ((0, Outcome.CONFIRMED), (1, Outcome.MALFORMED)):
        p = Program()
        total = p("add", draw(p), draw(p, 1))
        bound = p.const("5")
        if group == 0:
            certificate = p.certificate({"kind": "at_most", "args": [p("mean", total), bound]}, laws=[FOUR, FOUR])
        else:
            laws = [FOUR, {**FOUR, "group": 1}]
            certificate = p.certificate({"kind": "at_most", "args": [bound, p.const(1)]}, laws=laws)
        assert verify(certificate).outcome is outcome


def compared(law, left: Node, right: Node, kind="event", relation="le"):
    p = Program()
    x, y, one = left(p), right(p), p.const(1)
    if kind == "event":
        conclusion = {"kind": "probability", "event": {relation: [x, y]}, "relation": "ge", "bound": one}
        return verify(p.certificate(conclusion, laws=[law]))
    if kind == "sides":
        return verify(p.certificate({"kind": "at_most", "args": [x, y]}, laws=[law]))
    given = [{"relation": relation, "args": [x, y]}]
    return verify(p.certificate({"kind": "at_most", "args": [one, p.const(0)]}, laws=[law], hypotheses=given))


@pytest.mark.parametrize("kind", ["event", "sides", "hypothesis"])
def test_comparisons_keep_the_atoms_together(kind):
    """A constant for each atom, or a draw along another axis, would compare one atom with another."""
    table = [lambda p: p.const(0, 5, 5, 5, shape=(4,)), lambda p: p.const(*range(16), shape=(4, 4)), lambda p: p.const(0, shape=(1, 1))]
    for other in (*table, lambda p: moved(p, [0, 1, 2, 3], [4, 1])):
        assert compared(FOUR, draw, other, kind).outcome is Outcome.MALFORMED
        assert compared(FOUR, other, draw, kind).outcome is Outcome.MALFORMED
    for same in (lambda p: p.const(0), lambda p: p.const(0, shape=(1,)), lambda p: p.const(0, 0, 0, 0, shape=(4,))):
        assert compared(FOUR, draw, same, kind).outcome is not Outcome.MALFORMED


def test_a_psd_hypothesis_on_draws_is_about_each_atom():
    p = Program()
    flat = moved(p, [0, 1, 2, 3], [4, 1])
    wide = p("matmul", flat, p.const(1, 1, 1, 1, shape=(1, 4)))
    each = moved(p, [0, 1, 2, 3], [4, 1, 1])
    two, one = p.const(2), p.const(1)
    for node, outcome in ((wide, Outcome.MALFORMED), (each, Outcome.CONFIRMED), (p("neg", each), Outcome.HYPOTHESIS_FALSE)):
        given = [{"relation": "psd", "args": [node]}]
        assert verify(p.certificate({"kind": "at_most", "args": [two, one]}, laws=[FOUR], hypotheses=given)).outcome is outcome
