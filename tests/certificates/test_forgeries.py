"""Forged certificates under a right seal, by kind: no law, nothing said, what is not decided, evidence without trials."""

import pytest
from forging import KINDS, PROVENANCE, Program, resealed

from boundcheck.verifier import Outcome, verify
from boundcheck.verifier.__main__ import line

FALSE = {"kind": "at_most", "args": [0, 1]}
"""2 <= 1, for programs that begin with these two constants."""


def program() -> Program:
    p = Program()
    p.const(2)
    p.const(1)
    return p


def under(p: Program, *hypotheses, laws=()):
    return verify(p.certificate(FALSE, hypotheses=list(hypotheses), laws=list(laws)))


def said(relation, *args):
    return {"relation": relation, "args": list(args)}


# laws


def chance(law, *values, parameter=None, bound="1/2", relation="le", at="0"):
    """Is P(draw <= at) refuted to be at most, or at least, the bound?"""
    p = Program()
    node = p.const(*(values or ["1/2"]), shape=(len(values),) if len(values) > 1 else ())
    node = node if parameter is None else parameter(p, node)
    law = {key: {"node": node} if value is None else value for key, value in {"shape": [], **law}.items()}
    p_draw, limit = p("random", draw=0), p.const(at)
    if law["law"] == "multinomial":
        atoms = len(values) if law["n"] == 1 else 0
        p_draw = p("gather", p_draw, shape=[atoms], index=[a * len(values) + len(values) - 1 for a in range(atoms)])
    conclusion = {"kind": "probability", "event": {"le": [p_draw, limit]}, "relation": relation, "bound": p.const(bound)}
    return verify(p.certificate(conclusion, laws=[law])).outcome


BINOMIAL, FINITE = {"law": "binomial", "n": 1, "p": None}, {"law": "finite", "values": ["0", "1"], "weights": None}


@pytest.mark.parametrize("bias", ["3/2", "-1/2", "1000000000001/1000000000000", "-1/1" + "0" * 50])
@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_bias_outside_of_the_unit_interval_is_no_law(bias, n):
    assert chance({**BINOMIAL, "n": n}, bias) is Outcome.MALFORMED


def test_a_bias_that_cannot_be_told_from_0_or_1_decides_nothing():
    def one(p, _):
        return p("add", p("pow", p("sin", p.const(1)), p.const(2)), p("pow", p("cos", p.const(1)), p.const(2)))

    assert chance(BINOMIAL, parameter=one) is Outcome.UNDECIDED
    assert chance(BINOMIAL, parameter=lambda p, x: p("sub", p.const(1), one(p, x))) is Outcome.UNDECIDED
    assert chance(BINOMIAL, "0") is Outcome.CONFIRMED
    assert chance(BINOMIAL, "1", relation="ge") is Outcome.CONFIRMED


@pytest.mark.parametrize("weights", [("-1", "2"), ("0", "0"), ("1", "-1"), ("3", "-4"), ("1/2", "-1/1000000")])
def test_weights_that_are_negative_or_nothing_are_no_law(weights):
    assert chance(FINITE, *weights) is Outcome.MALFORMED


def multinomial(*p, bound):
    """P(the last category is not drawn) against a bound from above."""
    return chance({"law": "multinomial", "n": 1, "pvals": None, "categories": len(p)}, *p, bound=bound)


def test_the_last_category_takes_the_remainder():
    """As in NumPy: of (1/4, 1/4, 0) the last one has 1/2, and of (1/4, 1/4, 1) too."""
    for last in ("0", "1/2", "1"):
        assert multinomial("1/4", "1/4", last, bound="1/2") is Outcome.NOT_VIOLATED
        assert multinomial("1/4", "1/4", last, bound="49/100") is Outcome.CONFIRMED
    assert multinomial("1/2", "1/2", "1/2", bound="99/100") is Outcome.CONFIRMED
    assert multinomial("1/2", "3/4", "0", bound="1/2") is Outcome.MALFORMED
    assert multinomial("1/2", "-1/4", "3/4", bound="1/2") is Outcome.MALFORMED
    assert multinomial("1/4", "1/4", "5/4", bound="1/4") is Outcome.MALFORMED


# what is not decided


def tiny(p: Program, sign: int, digits=40) -> int:
    """2 - sqrt(2)^2 plus or minus a tiny number, which balls see only with enough bits."""
    root = p("sqrt", p.const(2))
    return p("add", p("sub", p("mul", root, root), p.const(2)), p.const(f"{sign}/1{'0' * digits}"))


ROOTS = {
    "sqrt": lambda p, x: p("sqrt", x),
    "half": lambda p, x: p("pow", x, p.const("1/2")),
    "three halves": lambda p, x: p("pow", x, p.const("3/2")),
    "third": lambda p, x: p("pow", x, p.const("1/3")),
    "irrational": lambda p, x: p("pow", x, p("sqrt", p.const(2))),
    "matrix root": lambda p, x: p("psd_sqrt", p("mul", x, p.const(2, 1, 1, 2, shape=(2, 2)))),
    "of a 1 x 1 matrix": lambda p, x: p("psd_sqrt", p("gather", x, shape=[1, 1], index=[0])),
    "matrix power": lambda p, x: p("psd_pow", p("mul", x, p.const(2, 1, 1, 2, shape=(2, 2))), power="2/3"),
}


@pytest.mark.parametrize("name", ROOTS)
def test_a_root_of_what_may_be_negative_decides_nothing(name):
    for digits, sign in ((40, -1), (2000, -1), (2000, 1)):
        p = program()
        root = ROOTS[name](p, tiny(p, sign, digits))
        for args in ([0, root], [root, 1], [root, p.const(-1)], [p.const(-1), root]):
            finding = verify(p.certificate({"kind": "at_most", "args": args}))
            assert finding.outcome is Outcome.UNDECIDED, finding
            assert not under(p, said("le", root, 0)).confirmed


def test_a_root_of_what_is_positive_after_all_is_known():
    p = program()
    root = p("sqrt", tiny(p, 1))
    assert verify(p.certificate({"kind": "at_most", "args": [root, p.const("1/1" + "0" * 21)]})).confirmed


def zero(p: Program) -> int:
    root = p("sqrt", p.const(2))
    return p("sub", p("mul", root, root), p.const(2))


NOT_NEGATIVE = {
    "a square": lambda p: p("mul", *[zero(p)] * 2),
    "a power": lambda p: p("pow", zero(p), p.const(2)),
    "a size": lambda p: p("abs", zero(p)),
    "a sum of squares": lambda p: p("sum", p("mul", *[p("mul", zero(p), p.const(1, 2, shape=(2,)))] * 2), axes=[0]),
    "a scalar product": lambda p: p("matmul", *[p("mul", zero(p), p.const(1, 2, shape=(2,)))] * 2),
    "a positive part": lambda p: p("maximum", zero(p), p.const(0)),
    "a weighted sum": lambda p: p("add", p("mul", p.const(3), p("abs", zero(p))), p("mul", *[zero(p)] * 2)),
}


@pytest.mark.parametrize("name", NOT_NEGATIVE)
def test_roots_of_what_is_not_negative_by_its_making_are_known(name):
    """sqrt(0^2) = 0 is below 1/100, and not below -1/100."""
    for op in (lambda p, x: p("sqrt", x), lambda p, x: p("pow", x, p.const("3/4"))):
        p = program()
        root = op(p, NOT_NEGATIVE[name](p))
        assert verify(p.certificate({"kind": "at_most", "args": [root, p.const("1/100")]})).outcome is Outcome.NOT_VIOLATED
        assert verify(p.certificate({"kind": "at_most", "args": [root, p.const("-1/100")]})).confirmed


@pytest.mark.parametrize("make", [
    lambda p: zero(p),
    lambda p: p("mul", zero(p), zero(p)),
    lambda p: p("mul", zero(p), p("neg", zero(p))),
    lambda p: p("pow", zero(p), p.const(3)),
    lambda p: p("minimum", zero(p), p.const(0)),
    lambda p: p("sub", p("abs", zero(p)), p("abs", zero(p))),
    lambda p: p("matmul", p("mul", zero(p), p.const(1, 2, shape=(2,))), p("mul", zero(p), p.const(-1, 2, shape=(2,)))),
])  # fmt: skip
def test_roots_of_other_balls_around_zero_are_not(make):
    p = program()
    root = p("sqrt", make(p))
    assert verify(p.certificate({"kind": "at_most", "args": [0, root]})).outcome is Outcome.UNDECIDED


def test_a_gram_matrix_has_a_root_whatever_its_rank():
    p = program()
    x = p("sqrt", p.const(2, 3, 2, 3, shape=(2, 2)))
    turned = p("gather", x, shape=[2, 2], index=[0, 2, 1, 3])
    for pair in ((x, turned), (turned, x)):
        gram = p("matmul", *pair)
        root = p("psd_sqrt", p("mul", gram, p.const("1/3")))
        corner = p("gather", root, shape=[], index=[0])
        assert verify(p.certificate({"kind": "at_most", "args": [corner, p.const("1/10")]})).confirmed
    pretended = p("psd_sqrt", p("matmul", x, p("gather", x, shape=[2, 2], index=[0, 1, 2, 3])))
    assert not verify(p.certificate({"kind": "at_most", "args": [p("gather", pretended, shape=[], index=[0]), p.const(0)]})).confirmed


def test_psd_is_about_the_quadratic_form():
    """[[1, 2 + x], [2 - x, 4 - tiny]] with x = 0 but for rounding: half of the sum of both corners counts."""
    p = program()
    x = zero(p)
    for corner, outcome in (("4", Outcome.HYPOTHESIS_UNDECIDED), ("5", Outcome.CONFIRMED), ("3", Outcome.HYPOTHESIS_FALSE)):
        upper, lower = p("add", p.const(2), x), p("sub", p.const(2), x)
        A = p("gather", p.const(1), upper, lower, p.const(corner), shape=[2, 2], index=[0, 1, 2, 3])
        found = under(p, said("psd", A)).outcome
        assert found is outcome


# hypotheses and conclusions about nothing


@pytest.mark.parametrize("relation", ["le", "lt", "eq", "ne", "near"])
@pytest.mark.parametrize("shapes", [((0,), (0,)), ((0,), ()), ((2, 0), (1,)), ((0, 3), (3,))])
def test_an_empty_array_says_nothing(relation, shapes):
    p = program()
    x, y = (p("gather", p.const(1), shape=list(shape), index=[0] * (0 if 0 in shape else max(shape, default=1))) for shape in shapes)
    assert under(p, said(relation, x, y)).outcome is Outcome.MALFORMED
    assert verify(p.certificate({"kind": "equal", "args": [x, y]})).outcome is Outcome.MALFORMED
    event = {"not": {"le": [x, y]}}
    found = verify(p.certificate({"kind": "probability", "event": event, "relation": "ge", "bound": 1}))
    assert found.outcome is Outcome.MALFORMED


@pytest.mark.parametrize("shape", [[0, 0], [0, 2, 2], [2, 0, 0]])
def test_an_empty_matrix_is_not_psd(shape):
    p = program()
    assert under(p, said("psd", p("gather", shape=shape, index=[]))).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("relation", ["gt", "", None, "is", ["le"], "holds"])
def test_unknown_relations_are_malformed(relation):
    assert under(program(), said(relation, 1, 0)).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("args", [[True, False], [1.0, 0], ["1", 0], [-1, 0], [1], [1, 0, 0], {}, None, [[1], 0]])
def test_operands_are_node_numbers(args):
    assert under(program(), {"relation": "le", "args": args}).outcome is Outcome.MALFORMED
    assert verify(program().certificate({"kind": "at_most", "args": args})).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("static", [
    {"axes": [True]}, {"axes": [0, 0]}, {"axes": [0, -1]}, {"axes": [1]}, {"axes": [0.0]}, {"axes": [0], "keepdims": 1}, {"axes": 0},
])  # fmt: skip
def test_axes_are_different_integers(static):
    p = program()
    p("sum", p.const(1, 2, shape=(2,)), **static)
    assert under(p).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "Infinity", "1e3", "0x10", "1/0", "1.5", " 1", "\u0661", "1_0", ""])
def test_numbers_are_rationals(text):
    p = program()
    p("const", shape=[], data=[text])
    assert under(p).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("entry", [
    float("nan"), float("inf"), 0.5, True, None, {"mid": "1", "rad": "-1/9"}, {"mid": "1"}, {"mid": "nan", "rad": "0"},
])  # fmt: skip
def test_so_are_entries(entry):
    p = program()
    p("const", shape=[], data=[entry])
    assert under(p).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("witness", [["0", "0"], ["0/7", "-0"], [], ["1"], ["1", "x"], [1.0, 0], [True, "0"], None, "11"])
def test_a_witness_is_a_vector_that_is_not_zero(witness):
    certificate = resealed(KINDS["loewner"](), lambda c: c["conclusion"].update(witness=witness))
    assert verify(certificate).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("kind", ["expectation", "expectation_loewner", "true", None, ["at_most"], {}])
def test_unknown_kinds_are_malformed(kind):
    p = program()
    certificate = p.certificate({"kind": kind, "arg": 0, "bound": 1, "relation": "le", "args": [0, 1], "witness": ["1"]})
    assert verify(certificate).outcome is Outcome.MALFORMED


# memberships


@pytest.mark.parametrize(("entries", "truth"), [
    (["1", "-3", "0"], True), (["1", "1/2"], False), (["1000000000000/3"], False), ([{"mid": "2", "rad": "1/9"}], None),
    ([{"mid": "5/2", "rad": "1/9"}], False), ([{"mid": "2", "rad": "0"}], True),
])  # fmt: skip
def test_whole_numbers(entries, truth):
    p = program()
    found = under(p, said("whole", p.const(*entries, shape=(len(entries),)))).outcome
    assert found in {True: [Outcome.CONFIRMED], False: [Outcome.HYPOTHESIS_FALSE], None: [Outcome.HYPOTHESIS_UNDECIDED]}[truth]


def test_a_root_is_whole_only_where_it_is_exact():
    p = program()
    assert under(p, said("whole", p("sqrt", p.const(49)))).confirmed
    assert under(p, said("whole", p("sqrt", p.const(50)))).outcome is Outcome.HYPOTHESIS_FALSE
    assert not under(p, said("whole", zero(p))).confirmed
    assert not under(p, said("whole", p("log", p.const(0)))).confirmed
    assert under(p, said("whole", p("gather", shape=[0], index=[]))).outcome is Outcome.MALFORMED


def test_near_means_within_a_fixed_distance():
    p = program()
    root = p("sqrt", p.const(2))
    square, two = p("mul", root, root), p.const(2)
    assert under(p, said("near", square, two)).confirmed
    assert under(p, said("eq", square, two)).outcome is Outcome.HYPOTHESIS_UNDECIDED
    for power, outcome in ((50, Outcome.CONFIRMED), (51, Outcome.CONFIRMED), (49, Outcome.HYPOTHESIS_FALSE)):
        beside = p.const(f"{2**power * 2 + 1}/{2**power}")
        assert under(p, said("near", beside, two)).outcome is outcome
        assert under(p, said("near", two, beside)).outcome is outcome
    assert not under(p, said("near", p("log", p.const(0)), two)).confirmed
    assert not under(p, said("near", *[p("log", p.const(0))] * 2)).confirmed
    pairs = p.const(2, 3, shape=(2,))
    assert under(p, said("near", pairs, two)).outcome is Outcome.HYPOTHESIS_FALSE


# events


@pytest.mark.parametrize(("name", "expected"), [("eq", "1/4"), ("ne", "1/4"), ("le", "9/16"), ("lt", "1/16")])
def test_comparisons_of_vectors_hold_where_all_entries_do(name, expected):
    """Two pairs of coins: both entries equal, both different, and so on."""
    for bound, confirmed in ((expected, False), ("1/100", True)):
        p = Program()
        event = {name: [p("random", draw=0), p("random", draw=1)]}
        coins = {"law": "binomial", "n": 1, "p": "1/2", "shape": [2]}
        certificate = p.certificate({"kind": "probability", "event": event, "relation": "le", "bound": p.const(bound)}, laws=[coins] * 2)
        assert verify(certificate).confirmed is confirmed
        above = resealed(certificate, lambda c: c["conclusion"].update(relation="ge"))
        assert verify(above).outcome is Outcome.NOT_VIOLATED


def test_not_equal_is_not_the_opposite_of_equal():
    p = Program()
    sides = [p("random", draw=0), p("random", draw=1)]
    coins = {"law": "binomial", "n": 1, "p": "1/2", "shape": [2]}
    found = [
        verify(p.certificate({"kind": "probability", "event": event, "relation": "ge", "bound": p.const("2/3")}, laws=[coins] * 2)).outcome
        for event in ({"ne": sides}, {"not": {"eq": sides}})
    ]
    assert found == [Outcome.CONFIRMED, Outcome.NOT_VIOLATED]


@pytest.mark.parametrize(("relation", "bound", "confirmed"), [
    ("ge", "3/2", True), ("ge", "-1", False), ("ge", "0", False), ("le", "3/2", False), ("le", "1", False), ("le", "-1", True),
])  # fmt: skip
@pytest.mark.parametrize("event", [{"le": [0, 1]}, {"lt": [0, 1]}, {"eq": [0, 0]}, {"lt": [1, 0]}])
def test_bounds_outside_of_the_unit_interval_are_taken_at_their_word(relation, bound, confirmed, event):
    """No event has P >= 3/2 or P <= -1, and every event has P >= -1 and P <= 3/2."""
    p = Program()
    draw, _ = p("random", draw=0), p.const("1/2")
    coin = {"law": "binomial", "n": 1, "p": "1/3", "shape": []}
    certificate = p.certificate({"kind": "probability", "event": event, "relation": relation, "bound": p.const(bound)}, laws=[coin])
    assert draw == 0
    assert verify(certificate).confirmed is confirmed


# evidence from trials


@pytest.mark.parametrize("change", [
    {"seed": []}, {"seed": [1.0]}, {"seed": ["1"]}, {"seed": [True]}, {"seed": [-1]}, {"seed": 1}, {"seed": None}, {"seed": [1] * 100},
    {"generator": ""}, {"generator": "philox"}, {"generator": "numpy.random.Philox, chunks of 0 doubling to 0"}, {"generator": None},
    {"generator": "numpy.random.Philox, chunks of 64 doubling to 16384, or so"},
    {"alpha": "1/19"}, {"alpha": "0"}, {"alpha": "-1/1000"}, {"alpha": 0.001},
    {"trials": 0}, {"trials": -1}, {"failures": -1}, {"trials": True},
])  # fmt: skip
def test_evidence_says_how_its_trials_are_drawn_again(change):
    certificate = KINDS["sampled"]()
    assert verify(certificate).confirmed
    assert verify(resealed(certificate, lambda c: c["conclusion"].update(change))).outcome is Outcome.MALFORMED
    if not change.keys() & {"trials", "failures"}:
        p = Program()
        bet = {"relation": "le", "bound": p.const("1/2"), "end": p.const(0), "cells": [["1", 200]], **PROVENANCE}
        assert verify(p.certificate({"kind": "sampled_mean", **bet})).confirmed
        assert verify(p.certificate({"kind": "sampled_mean", **bet, **change})).outcome is Outcome.MALFORMED


def test_the_line_says_what_was_not_compared():
    exact, sampled = verify(KINDS["at_most"]()), verify(KINDS["sampled"]())
    assert line("f", exact).endswith("= rhs; not compared with the text of the claim")
    assert line("f", sampled).endswith("; not compared with the text of the claim, and the trials were not drawn again")
    for finding in (exact, sampled):
        assert line("f", finding).startswith("RECOMPUTED  paper.lemma1  ")
        assert line("f", finding, compared=True) == f"CONFIRMED  paper.lemma1  {finding.sentence}"
    rejected = verify({})
    assert line("f", rejected) == line("f", rejected, compared=True) == f"REJECTED  f: {rejected.sentence}"


def test_a_long_statement_does_not_push_the_reservation_out():
    finding = verify(resealed(KINDS["at_most"](), lambda c: c["claim"].update(id="x" * 5000)))
    assert line("f", finding).endswith("; not compared with the text of the claim")
