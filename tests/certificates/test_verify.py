"""The verifier confirms sound refutations, and nothing else."""

import json
import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from forging import KINDS, PROVENANCE, Program, counts, resealed

from boundcheck.verifier import Outcome, verify, verify_file
from boundcheck.verifier.__main__ import main
from boundcheck.verifier.balls import Balls, many
from boundcheck.verifier.numbers import contrast, decimal


@pytest.mark.parametrize("kind", KINDS)
def test_confirms_every_kind(kind):
    finding = verify(KINDS[kind]())
    assert finding.outcome is Outcome.CONFIRMED, finding
    assert finding.claim == "paper.lemma1"


def test_an_order_is_told_by_an_eigenvalue_and_a_vector_of_length_1():
    p = Program()
    identity, double = p.matrix([[1, 0], [0, 1]]), p.matrix([[2, 0], [0, 2]])
    conclusion = {"kind": "loewner", "args": [double, identity], "witness": ["300000", "400000"]}
    finding = verify(p.certificate(conclusion))
    assert finding.outcome is Outcome.CONFIRMED
    assert finding.sentence == "smallest eigenvalue of rhs - lhs <= -1 (x^T lhs x = 2 > 1 = x^T rhs x, |x| = 1)"


def test_a_side_may_be_smaller_than_floats_say():
    p = Program()
    sides = [p.const("1/2"), p("exp", p.const(str(-(10**25))))]
    values = {"lhs": "0.5", "rhs": "6.4689523055761733e-4342944819032518276511290"}
    finding = verify(p.certificate({"kind": "at_most", "args": sides}, values=values))
    assert finding.outcome is Outcome.CONFIRMED, finding


@pytest.mark.parametrize(("rare", "bound", "said"), [
    ("1/1000000000", "1/2000000000", "P(event) <= 1 - 1e-9 < 1 - 5e-10"),
    ("1/1000000000", "0", "P(event) <= 1 - 1e-9 < 1"),
    ("1/1000", "1/2000", "P(event) <= 0.999 < 0.9995"),
    ("1", "1/1000000000", "P(event) <= 0 < 1 - 1e-9"),
])  # fmt: skip
def test_a_probability_near_1_is_told_by_what_it_lacks(rare, bound, said):
    p = Program()
    draw, half, at_least = p("random", draw=0), p.const("1/2"), p("sub", p.const(1), p.const(bound))
    law = {"law": "finite", "values": ["0", "1"], "weights": [f"{Fraction(1) - Fraction(rare)}", rare], "shape": []}
    event = {"le": [draw, half]}
    conclusion = {"kind": "probability", "event": event, "relation": "ge", "bound": at_least}
    assert verify(p.certificate(conclusion, laws=[law])).sentence == said


def test_lemma_27_fails_on_orthogonal_features():
    exact = verify(counts())
    assert exact.confirmed, exact
    assert verify(resealed(counts(), lambda c: c["values"].update(exact.values))).confirmed
    finding = verify(resealed(counts(), lambda c: c["values"].update(exact.values, probability="0.98966")))
    assert finding.outcome is Outcome.VALUE_DIFFERS
    assert "0.98971" in exact.sentence
    assert "0.99" in exact.sentence


def test_lemma_27_is_not_violated_with_more_features():
    assert verify(counts(s=8000)).outcome is Outcome.NOT_VIOLATED


@pytest.mark.parametrize(("n", "s", "outcome"), [(50, 2000, "CONFIRMED"), (2, 80, "NOT_VIOLATED")])
def test_lemma_27_with_an_irrational_scale(n, s, outcome):
    assert verify(counts(n, s)).outcome is Outcome[outcome]


def test_counts_on_the_boundary_are_on_the_safe_side():
    """lam = 0, n = 2, s = 4: the event is N in {1, 2, 3}, probability 7/8; sqrt(2) hides the equality."""
    lam, bound = (next(k for k, node in enumerate(counts(2)["program"]) if node.get("data") == [text])
                  for text in ("1/1000000000000", "99/100"))  # fmt: skip

    def boundary(certificate, text):
        certificate["program"][lam]["data"] = ["0"]
        certificate["program"][bound]["data"] = [text]

    assert verify(resealed(counts(2, 4), lambda c: boundary(c, "8750001/10000000"))).confirmed
    assert verify(resealed(counts(2, 4), lambda c: boundary(c, "7/8"))).outcome is Outcome.TIE


def true_claims(rng):
    """Equality cases of true statements: no rounding may tip them over."""

    def q():
        return f"{rng.randint(-99, 99)}/{rng.randint(1, 99)}"

    p = Program()
    x = p.const(q(), q(), q(), shape=(3,))
    y = p("mul", x, p.const(f"{rng.randint(1, 99)}/13"))
    products = [p("sum", p("mul", a, b), axes=[0], keepdims=False) for a, b in ((x, y), (x, x), (y, y))]
    norms = p("mul", p("sqrt", products[1]), p("sqrt", products[2]))
    yield p.certificate({"kind": "at_most", "args": [products[0], norms]})

    p = Program()
    B = p.matrix([[q() for _ in range(3)] for _ in range(4)])
    A = p("matmul", B, p("gather", B, shape=[3, 4], index=[3 * j + i for i in range(3) for j in range(4)]))
    trace = p("sum", p("gather", A, shape=[4], index=[0, 5, 10, 15]), axes=[0], keepdims=False)
    eigenvalues = p("sum", p("eigvalsh", A), axes=[0], keepdims=False)
    for pair in ([trace, eigenvalues], [eigenvalues, trace]):
        yield p.certificate({"kind": "at_most", "args": pair})
    yield p.certificate({"kind": "equal", "args": [trace, eigenvalues]})
    root = p("psd_sqrt", A)
    yield p.certificate({"kind": "equal", "args": [p("matmul", root, root), A]})

    p = Program()
    u = p.const(q(), q(), q(), shape=(3, 1))
    rank_one = p("matmul", u, p("gather", u, shape=[1, 3], index=[0, 1, 2]))
    norm = p("gather", p("svdvals", rank_one), shape=[], index=[0])
    square = p("sum", p("mul", u, u), axes=[0, 1], keepdims=False)
    for pair in ([norm, square], [square, norm]):
        yield p.certificate({"kind": "at_most", "args": pair})
    yield p.certificate({"kind": "loewner", "args": [rank_one, rank_one], "witness": ["1", "2", "3"]})

    p = Program()
    one = p(
        "add", p("pow", p("sin", p.const("1/3")), p.const(2)), p("pow", p("cos", p.const("1/3")), p.const(2))
    )
    yield p.certificate({"kind": "equal", "args": [one, p.const(1)]})
    yield p.certificate({"kind": "at_most", "args": [p("log", p("exp", p.const(3))), p.const(3)]})


@pytest.mark.parametrize("certificate", [c for seed in range(5) for c in true_claims(random.Random(seed))])
def test_true_equalities_are_never_refuted(certificate):
    assert verify(certificate).outcome in (Outcome.TIE, Outcome.NOT_VIOLATED)


def test_an_atom_of_probability_zero_violates_nothing():
    p = Program()
    draw, one = p("random", draw=0), p.const(1)
    law = {"law": "finite", "values": ["0", "5"], "weights": ["1", "0"], "shape": []}
    certificate = p.certificate({"kind": "at_most", "args": [draw, one]}, laws=[law])
    assert verify(certificate).outcome is Outcome.NOT_VIOLATED
    assert verify(resealed(certificate, lambda c: c["laws"][0].update(weights=["1", "1/9"]))).confirmed


def test_an_expectation_may_be_spelled_in_the_program():
    """E X^2 <= (E |X|)^2 for a fair draw of a row of a table."""
    p = Program()
    x = p("take", p.const(1, -2, shape=(2,)), p("random", draw=0))
    square, size = p("mean", p("mul", x, x)), p("mean", p("abs", x))
    law = {"law": "finite", "values": ["0", "1"], "weights": ["1", "1"], "shape": []}
    certificate = p.certificate({"kind": "at_most", "args": [square, p("mul", size, size)]}, laws=[law])
    assert verify(certificate).sentence == "lhs = 2.5 > 2.25 = rhs"
    one_sided = resealed(certificate, lambda c: c["laws"][0].update(weights=["1", "0"]))
    assert verify(one_sided).outcome is Outcome.NOT_VIOLATED


@pytest.mark.parametrize("op", ["log", "sqrt", "digamma", "arccos"])
def test_what_is_undefined_decides_nothing(op):
    p = Program()
    undefined = p(op, p.const({"log": 0, "sqrt": -1, "digamma": 0, "arccos": 2}[op]))
    silenced = p("mul", undefined, p.const(0))
    for j in (undefined, silenced, p("sign", undefined), p("div", p.const(1), p.const(0))):
        certificate = p.certificate({"kind": "equal", "args": [j, p.const(7)]})
        assert verify(certificate).outcome is Outcome.UNDECIDED


def test_a_constant_known_roughly_refutes_only_beyond_its_radius():
    p = Program()
    third = p.const({"mid": "1/3", "rad": "1/1000"})
    for bound, outcome in (("332/1000", Outcome.CONFIRMED), ("333/1000", Outcome.TIE)):
        certificate = p.certificate({"kind": "at_most", "args": [third, p.const(bound)]})
        assert verify(certificate).outcome is outcome


def test_command_line(tmp_path, capsys):
    good, bad, newer = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "newer.json"
    good.write_text(json.dumps(KINDS["at_most"]()))
    bad.write_text(json.dumps({**KINDS["at_most"](), "seal": "0"}))
    newer.write_text(json.dumps({"certificate_version": 2, "seal": "?"}))
    assert main([str(good)]) == 0
    said = "RECOMPUTED  paper.lemma1  lhs = 1.4142136 > 1.4 = rhs; not compared with the text of the claim\n"
    assert capsys.readouterr().out == said
    assert main([str(good), str(bad), str(newer)]) == 1
    assert "REJECTED" in capsys.readouterr().out
    assert main([str(newer)]) == main([str(tmp_path / "absent")]) == main([str(tmp_path)]) == 2
    with pytest.raises(SystemExit) as usage:
        main([])
    assert usage.value.code == 2


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path, capsys):
    file = tmp_path / "c.json"
    file.write_text(json.dumps(resealed(KINDS["at_most"](), lambda c: c["claim"].update(id="x\x1b[2J\n"))))
    assert main([str(file)]) == 0
    assert capsys.readouterr().out.startswith("RECOMPUTED  x?[2J?  ")


def test_the_verifier_imports_nothing_of_the_engine():
    code = "import sys, boundcheck.verifier.__main__ as m; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "scipy", "numba", "boundcheck.tape", "boundcheck.words.claims"} & set(modules)


def test_verify_file_reports_instead_of_raising(tmp_path):
    assert verify_file(tmp_path / "absent.json").outcome is Outcome.UNREADABLE
    assert verify_file("a\0b").outcome is Outcome.UNREADABLE


def test_the_number_of_features_may_be_a_node_that_needs_more_digits():
    """ceil(6391 - tiny) is open at low precision only."""

    def from_node(certificate):
        program, last = certificate["program"], len(certificate["program"])
        program += [
            {"op": "const", "args": [], "shape": [], "data": ["1/" + "1" + "0" * 100]},
            {"op": "exp", "args": [last]},
            {"op": "const", "args": [], "shape": [], "data": ["6392"]},
            {"op": "sub", "args": [last + 2, last + 1]},
            {"op": "ceil", "args": [last + 3]},
        ]
        certificate["conclusion"]["s"] = {"node": last + 4}

    assert verify(resealed(counts(), from_node)).confirmed


def test_means_are_taken_inside_groups_that_never_meet():
    p = Program()
    first, second = p("random", draw=0), p("random", draw=1)
    sides = [p("mean", first), p("mean", second)]
    laws = [{"law": "finite", "values": ["0", "4"], "weights": ["1", "1"], "shape": [], "group": g} for g in (0, 1)]
    laws[1]["values"] = ["0", "6"]
    certificate = p.certificate({"kind": "at_most", "args": sides[::-1]}, laws=laws)
    assert verify(certificate).sentence == "lhs = 3 > 2 = rhs"
    p("add", first, second)
    mixed = verify(p.certificate({"kind": "at_most", "args": sides}, laws=laws))
    assert not mixed.confirmed
    assert "two groups" in mixed.sentence


def test_bets_on_recorded_cells_refute_a_mean():
    p = Program()
    bound, end = p.const("1/2"), p.const(0)
    conclusion = {
        "kind": "sampled_mean", "relation": "le", "bound": bound, "end": end, "cells": [["0", 20], ["1", 180]],
        **PROVENANCE,
    }  # fmt: skip
    certificate = p.certificate(conclusion)
    assert verify(certificate).confirmed
    assert not verify(resealed(certificate, lambda c: c["conclusion"].update(cells=[["0", 100], ["1", 100]]))).confirmed
    assert not verify(resealed(certificate, lambda c: c["conclusion"].update(cells=[["-1", 20], ["1", 180]]))).confirmed
    upside_down = {"relation": "ge", "end": bound, "bound": end}
    assert not verify(resealed(certificate, lambda c: c["conclusion"].update(upside_down, cells=[["0", 200]]))).confirmed


def test_bets_at_every_size_refute_a_rate():
    """Means 1/4, 1/2 and 1 at sizes 1, 2 and 4 would have the slope 1; the middle size has no weight."""
    p = Program()
    ends = [p.const(1), p.const(0), p.const(0)]
    small, large = {"side": "below", "mean": "1/3", "cells": [["7/10", 900]]}, {"side": "above", "mean": "1/2", "cells": [["9/10", 900]]}
    conclusion = {
        "kind": "sampled_rate", "args": ends, "bound": p.const("1/4"), "sizes": [1, 2, 4],
        "points": [small, {"side": "none", "mean": "1", "cells": []}, large],
        **PROVENANCE,
    }  # fmt: skip
    certificate = p.certificate(conclusion)
    assert verify(certificate).confirmed

    def forged(change):
        return verify(resealed(certificate, lambda c: change(c["conclusion"]))).confirmed

    assert not forged(lambda c: c.update(bound=ends[0]))
    assert not forged(lambda c: c.update(sizes=[1, 3, 4]))
    assert not forged(lambda c: c.update(sizes=[4, 2, 1]))
    assert not forged(lambda c: c.update(sizes=c["sizes"][:2], points=c["points"][:2], args=ends[:2]))
    assert not forged(lambda c: c["points"][0].update(side="above"))
    assert not forged(lambda c: c["points"][0].update(mean="1/5"))
    assert not forged(lambda c: c["points"][0].update(cells=[["7/10", 10]]))
    assert not forged(lambda c: c["points"][1].update(cells=[["1", 1]]))
    assert not forged(lambda c: c["points"][2].update(mean="0"))
    assert not forged(lambda c: c["points"][2].update(cells=[["9/10", 20]]))


def counted(n, bound, p="1/3"):
    """P(X - n p > 2 sqrt(n)) <= bound for a binomial count X."""
    program = Program()
    gap = program("sub", program("random", draw=0), program("mul", program.const(n), program.const(p)))
    over = program("mul", program.const(2), program("sqrt", program.const(n)))
    conclusion = {"kind": "probability", "event": {"lt": [over, gap]}, "relation": "le", "bound": program.const(bound)}
    return verify(program.certificate(conclusion, laws=[{"law": "binomial", "n": n, "p": p, "shape": []}]))


@pytest.mark.parametrize("n", [20_001, 60_000, 199_999])
def test_counts_of_many_trials_are_decided_by_balls(n):
    """Against SciPy's tail."""
    from scipy.stats import binom

    tail = float(binom.sf(np.floor(n / 3 + 2 * np.sqrt(n)), n, 1 / 3))
    assert counted(n, str(Fraction(tail * (1 - 1e-9)))).confirmed
    assert counted(n, str(Fraction(tail * (1 + 1e-9)))).outcome is Outcome.NOT_VIOLATED


def test_counts_of_too_many_trials_and_of_no_chance_are_refused():
    assert counted(200_001, "1/2").outcome is Outcome.MALFORMED
    assert not counted(30_000, "1/2", "0").confirmed
    assert "outside [0, 1]" in counted(30_000, "1/2", "4/3").sentence


@pytest.mark.parametrize("p", [fmpq(1, 3), fmpq(1, 1000), fmpq(999, 1000), arb("0.2 +/- 1e-20")])
def test_ratios_of_neighbours_make_the_same_probabilities_as_powers(p):
    for n in (1, 2, 300):
        found = many(n, p, 1 - p)
        plain = Balls().arranged([p, 1 - p], [(k, n - k) for k in range(n + 1)])
        assert all(arb(x).overlaps(arb(y)) for x, y in zip(found, plain, strict=True))
        assert sum(found, arb(0)).overlaps(arb(1))  # type: ignore[union-attr]


def test_fractions_are_written_with_their_own_digits():
    assert contrast(fmpq(10**20 + 1, 10**20), fmpq(1)) == ("1.00000000000000000001", "1")
    assert decimal(fmpq(1, 3), 40) == "0." + 40 * "3"
