"""Certificates as theorems of Rocq: what is written, what is refused, what is recorded; and, where coqc is, its word."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from forging import KINDS, Program, at_most, equal, sealed

from boundcheck.commands.main import main
from boundcheck.report.reading import Checked, digest, read_record
from boundcheck.verifier.findings import Rejection
from boundcheck.verifier.rocq import INSTANCE, ONE_SIZE, UNIVERSAL, CannotFormalize, Theorem, formalized
from boundcheck.verifier.rocq.coqc import ACCEPTED, REJECTED, TOO_LONG, UNPROVED, Coqc
from boundcheck.verifier.seal import read

ROOT = Path(__file__).resolve().parents[2]
RECORD = read_record(ROOT / "reports" / "rocq.json")
CERTIFICATES = ROOT / "reports" / "certificates"
needs_coqc = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and coq-interval")


def of_everything() -> dict:
    """An inequality over a solution, eigenvalues, roots, floors, powers and extremes."""
    p = Program()
    A, b = p.matrix([[2, 1], [1, 3]]), p.const(1, "1/3", shape=(2,))
    column = p("gather", b, shape=[2, 1], index=[0, 1])
    solution, eigenvalues = p("solve", A, column), p("eigvalsh", A)
    parts = [
        p("sum", solution, axes=[0, 1], keepdims=False), p("max", eigenvalues, axes=[0], keepdims=False),
        p("floor", p("exp", p.const(2))), p("ceil", p("sqrt", p.const(2))), p("sqrt", p.const("9/4")),
        p("pow", p.const(3), p.const("1/3")), p("pow", p.const(3), p("sqrt", p.const(4))), p("sign", p.const(-2)),
        p("maximum", p.const(1), p("log", p.const(5))), p("minimum", p.const(1), p.const(2)), p("abs", p.const(-7)),
        p("mod", p.const("7/2"), p.const(2)), p("mod", p("add", p.const(9), p.const("1/2")), p.const(4)),
        p("mod", p("sqrt", p.const(11)), p.const(2)), p("matmul", b, b), p("prod", b, axes=[0], keepdims=False),
        p("det", A), p("arctan", p.const(1)), p("neg", p.const(4)), p("exp", p.const(0)), p("log1p", p.const(0)),
        p("cos", p.const(4)), p("sin", p("neg", p("exp", p.const(5)))),
    ]  # fmt: skip
    total = parts[0]
    for part in parts[1:]:
        total = p("add", total, part)
    three, two = p.const(3), p.const(2)
    given = [
        {"relation": "lt", "args": [two, three]}, {"relation": "whole", "args": [three]}, {"relation": "psd", "args": [A]},
        {"relation": "psd", "args": [p.matrix([[1, 2], [2, 4]])]}, {"relation": "near", "args": [p("sqrt", p.const(4)), two]},
    ]  # fmt: skip
    return p.certificate({"kind": "at_most", "args": [total, p.const(2)]}, hypotheses=given)


def test_the_theorem_holds_the_whole_program():
    text = formalized(of_everything()).statement
    nodes = [k for k, node in enumerate(of_everything()["program"]) if node["op"] not in ("const", "input", "gather")]
    assert all(f"(* node {k}: " in text for k in nodes)
    assert "Definition claim : Prop" in text


def test_what_is_refuted_is_quantified_over_all_inputs():
    found = formalized(at_most())
    assert "Definition claim : Prop := forall (input_x : R), " in found.statement
    assert "Theorem refuted : ~ Statement.claim." in found.proof
    assert "Definition input_x : R := 2." in found.proof
    assert found.scope == UNIVERSAL
    assert formalized(of_everything()).scope == (UNIVERSAL if "input" in str(of_everything()["program"]) else INSTANCE)


def test_an_input_with_axes_is_a_function_of_indices():
    p = Program()
    K = p("input", name="K", shape=[2, 2], data=["2", "1", "1", "1/3"])
    given = [{"relation": "psd", "args": [p.matrix([[2, 1], [1, 2]])]}]
    found = formalized(p.certificate({"kind": "at_most", "args": [p("det", K), p.const("-1/2")]}, hypotheses=given))
    assert "forall (input_K : nat -> nat -> R), " in found.statement
    assert "(input_K 0 1)" in found.statement
    assert "psd 2 (matrix 2 (" in found.statement


def test_the_part_that_is_refuted_is_named():
    second = sealed({**at_most(), "claim": {**at_most()["claim"], "part": 1}})
    found = formalized(second)
    assert "refuted: its part 2." in found.statement
    assert "Definition part_2 : Prop" in found.statement


@pytest.mark.parametrize("kind", ["at_most", "equal", "probability"])
def test_kinds_that_have_theorems(kind):
    assert "Theorem refuted" in formalized(KINDS[kind]()).text


@pytest.mark.parametrize(("kind", "word"), [("sampled", "recorded trials"), ("counts", "'counts'")])
def test_kinds_that_have_none_say_why(kind, word):
    with pytest.raises(CannotFormalize, match=word):
        formalized(KINDS[kind]())


def test_what_is_not_confirmed_is_no_theorem():
    false = sealed({**equal(), "conclusion": {"kind": "at_most", "args": equal()["conclusion"]["args"][::-1]}})
    with pytest.raises(Rejection):
        formalized(false)


def test_a_statement_cannot_leave_its_comment():
    text = formalized(sealed({**at_most(), "claim": {**at_most()["claim"], "statement": 'f (* "x *) Axiom a : False.'}})).text
    header = text[: text.index("From Coq")]
    assert header.count("(*") == header.count("*)") == 1
    assert '"' not in header


def test_names_of_inputs_are_no_words_of_rocq():
    p = Program()
    two, seven = p("input", name="exp", shape=[], data=["2"]), p("input", name="fun.0", shape=[], data=["7/5"])
    text = formalized(p.certificate({"kind": "at_most", "args": [p("sqrt", two), seven]})).text
    assert not re.search(r"Definition (exp|fun) ", text)


def test_the_command_writes_refuses_and_says_why(tmp_path):
    for name, certificate in {"good": at_most(), "trials": KINDS["sampled"]()}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(certificate), encoding="utf-8")
    (tmp_path / "no.json").write_text("{}", encoding="utf-8")
    run = CliRunner()
    good = run.invoke(main, ["formalize", str(tmp_path / "good.json"), "-o", str(tmp_path / "good.v")])
    assert good.exit_code == 0, good.output
    assert "Theorem refuted" in (tmp_path / "good.v").read_text(encoding="utf-8")
    trials = run.invoke(main, ["formalize", str(tmp_path / "trials.json")])
    assert trials.exit_code == 3
    assert "recorded trials" in trials.stderr
    assert run.invoke(main, ["formalize", str(tmp_path / "no.json")]).exit_code == 2


def test_long_numbers_are_read_in_linear_time():
    p = Program()
    long = 3**300
    text = formalized(p.certificate({"kind": "at_most", "args": [p("input", name="x", shape=[], data=[str(long)]), p.const(2)]})).text
    assert hex(long) in text
    assert str(long) not in text


COQC = """#!/bin/sh
# Prints what {mood} says, or its version, and counts how often it is asked.
[ "$1" = --print-version ] && echo "8.16.1 4.13.1" && exit
echo . >> {asked}
case $(cat {mood}) in
  strange) printf 'Axioms:\\nClassical_Prop.classic : forall P : Prop, P\\n  \\\\/ ~ P\\nmine : False\\n' ;;
  error) echo "Error: The tactic fails." >&2; exit 1 ;;
  killed) kill -9 $$ ;;
  silent) ;;
  *) printf 'Axioms:\\nClassical_Prop.classic : forall P : Prop, P\\n  \\\\/ ~ P\\n' ;;
esac
"""


class Stub:
    """A coqc on the path that says what it is told to, and a folder with two refutations."""

    def __init__(self, folder: Path):
        self.folder, self.mood, self.count = folder, folder / "mood", folder / "asked"
        self.says("accepts")
        (folder / "coqc").write_text(COQC.format(mood=self.mood, asked=self.count), encoding="utf-8")
        (folder / "coqc").chmod(0o755)
        (folder / "r" / "certificates").mkdir(parents=True)
        self.record = folder / "r" / "rocq.json"
        for name, certificate in {"a": at_most(), "trials": KINDS["sampled"]()}.items():
            self.put(name, certificate)

    def says(self, mood: str) -> None:
        self.mood.write_text(mood, encoding="utf-8")

    def put(self, name: str, certificate: dict) -> Path:
        path = self.folder / "r" / "certificates" / f"{name}.json"
        path.write_text(json.dumps(certificate), encoding="utf-8")
        return path

    def asked(self, *options: str):
        """The result, and how many theorems coqc was asked about besides its first."""
        self.count.write_text("", encoding="utf-8")
        paths = map(str, sorted((self.folder / "r" / "certificates").iterdir()))
        result = CliRunner().invoke(main, ["formalize", "--check", *paths, *options])
        return result, self.count.read_text(encoding="utf-8").count(".") - 1


@pytest.fixture
def stub(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return Stub(tmp_path)


def test_what_coqc_says_is_recorded_and_not_asked_again(stub):
    result, asked = stub.asked()
    assert (result.exit_code, asked) == (0, 1), result.output
    assert "a: checked by Rocq 8.16.1" in result.stdout
    assert "trials: not checked by Rocq: it rests on recorded trials" in result.stdout
    before = stub.record.read_bytes()
    assert stub.asked()[1] == 0
    assert stub.record.read_bytes() == before


def test_only_what_has_changed_is_asked_again(stub):
    stub.asked()
    stub.put("b", equal())
    assert stub.asked()[1] == 1
    stub.put("a", sealed({**at_most(), "claim": {**at_most()["claim"], "statement": "another"}}))
    assert stub.asked()[1] == 1
    assert set(read_record(stub.record)) == {"a.json", "b.json", "trials.json"}
    stub.put("a", at_most()).unlink()
    assert stub.asked()[1] == 0
    assert set(read_record(stub.record)) == {"b.json", "trials.json"}


def test_an_interrupted_check_goes_on(stub, monkeypatch):
    stub.put("b", equal())
    judged, left = Coqc.judged, [2]

    def until_interrupted(self, text):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return judged(self, text)

    monkeypatch.setattr(Coqc, "judged", until_interrupted)
    assert stub.asked()[0].exit_code == 130
    assert set(read_record(stub.record)) == {"a.json"}
    left[0] = 9
    assert stub.asked()[1] == 1


@pytest.mark.parametrize(
    ("mood", "sentence"),
    [
        ("strange", "rejected by Rocq 8.16.1: it rests on mine"), ("error", "rejected by Rocq 8.16.1: The tactic fails."),
        ("silent", "rejected by Rocq 8.16.1: it rests on axioms that it does not name"),
    ],
)  # fmt: skip
def test_a_rejected_theorem_fails_and_is_asked_again(stub, monkeypatch, mood, sentence):
    found = Coqc.found
    monkeypatch.setattr(Coqc, "found", lambda seconds: (found(seconds), stub.says(mood))[0])
    result, asked = stub.asked()
    assert (result.exit_code, asked) == (1, 1)
    assert sentence in result.stdout
    stub.says("accepts")
    monkeypatch.setattr(Coqc, "found", found)
    result, asked = stub.asked()
    assert (result.exit_code, asked) == (0, 1)


def test_what_took_too_long_is_asked_again_with_more_time(stub, monkeypatch):
    found = Coqc.found
    monkeypatch.setattr(Coqc, "found", lambda seconds: (found(seconds), stub.says("killed"))[0])
    result, asked = stub.asked("--seconds", "7")
    assert (result.exit_code, asked) == (0, 1)
    assert "a: not checked by Rocq: coqc takes more than 7 s" in result.stdout
    stub.says("accepts")
    assert stub.asked("--seconds", "7")[1] == 0
    stub.says("accepts")
    assert stub.asked("--seconds", "8")[1] == 1


def test_without_a_coqc_that_takes_the_prelude_nothing_is_rejected(stub, monkeypatch):
    stub.says("error")
    result, _ = stub.asked()
    assert result.exit_code == 2
    assert "install Rocq and coq-interval" in result.stderr
    monkeypatch.setattr(shutil, "which", lambda name: None)
    result, _ = stub.asked()
    assert (result.exit_code, result.stderr.startswith("Error: There is no coqc; install")) == (2, True)
    assert not stub.record.exists()


def test_the_committed_record_fits_the_certificates():
    """Of each: the same bytes, of a sample the same theorem, and none rejected."""
    again = "run boundcheck formalize --check reports/certificates/*.json"
    stale = [n for n, c in RECORD.items() if not (CERTIFICATES / n).is_file() or digest((CERTIFICATES / n).read_bytes()) != c.certificate]
    assert stale == [], again
    assert [name for name, c in RECORD.items() if c.outcome == REJECTED] == []
    for name in sorted(RECORD)[::9]:
        try:
            theorem = digest(formalized(read(CERTIFICATES / name), name.removesuffix(".json")).text.encode("utf-8"))
        except CannotFormalize:
            theorem = ""
        assert theorem == RECORD[name].theorem, f"{name}: {again}"


@pytest.fixture(scope="module")
def coqc() -> Coqc:
    return Coqc.found(60)


@needs_coqc
@pytest.mark.parametrize("certificate", [of_everything(), KINDS["probability"]()], ids=["everything", "probability"])
def test_coqc_accepts_on_the_axioms_of_the_reals(certificate, coqc):
    assert coqc.judged(formalized(certificate)) == (ACCEPTED, "")


@needs_coqc
@pytest.mark.parametrize("name", sorted(n for n, c in RECORD.items() if c.outcome == ACCEPTED)[::70])
def test_coqc_accepts_what_the_record_says_that_it_accepted(name, coqc):
    assert coqc.judged(formalized(read(CERTIFICATES / name), name.removesuffix(".json"))) == (ACCEPTED, "")


def at_three_halves() -> Theorem:
    """Another refutation of another claim on one number."""
    p = Program()
    return formalized(p.certificate({"kind": "at_most", "args": [p("input", name="x", shape=[], data=["3/2"]), p.const(1)]}))


REFUTED = "\nTheorem refuted : ~ Statement.claim."
OWN = """Module Mine. Definition claim : Prop := 1 <= 0. End Mine.
Theorem refuted : ~ Mine.claim.
Proof. unfold Mine.claim; lra. Qed.
"""
CONTROLS = {
    "an admitted hole": lambda t: replace(t, proof=t.proof.partition(REFUTED)[0] + REFUTED + " Admitted.\n"),
    "an extra axiom": lambda t: replace(t, proof="Axiom false : False." + REFUTED + "\nProof. case false. Qed.\n"),
    "a changed statement": lambda t: replace(t, statement=t.statement.replace("part_1 : Prop := ", "part_1 : Prop := 0 <= 1 \\/ ")),
    "a statement of the proof's own": lambda t: replace(t, proof=OWN),
    "a wrong number": lambda t: replace(t, proof=t.proof.replace("input_x : R := 2.", "input_x : R := 1.")),
    "another claim's proof": lambda t: replace(t, proof=at_three_halves().proof),
}


@needs_coqc
@pytest.mark.parametrize("control", CONTROLS)
def test_coqc_rejects(control, coqc):
    found = formalized(at_most())
    changed = CONTROLS[control](found)
    assert changed != found
    outcome, reason = coqc.judged(changed)
    assert outcome == REJECTED
    assumed = {"an admitted hole": "it rests on refuted", "an extra axiom": "it rests on false"}
    assert reason == assumed.get(control, reason)


def proof(name: str) -> Theorem:
    """The theorem of what is proved of a claim."""
    return formalized(read(CERTIFICATES / f"{name}.proof.json"), name)


def defined(name: str, found: Theorem, case: int = 0) -> str:
    """What a definition of a case says."""
    module = found.statement.partition(f"Module Case_{case}.")[2].partition(f"End Case_{case}.")[0]
    (text,) = re.findall(rf"^Definition {name} : Prop := (.*)\.$", module, re.M)
    return text


def test_a_theorem_is_about_the_whole_numbers_of_a_range():
    found = proof("li2021.eq7.cost")
    inside = "(whole input_n) /\\ (1 <= input_n) /\\ (input_n <= 1000000) /\\ (whole input_s) /\\ (1 <= input_s) /\\ (input_s <= 1000000)"
    assert defined("inside", found) == inside
    assert defined("supposed", found) == "(input_s <= input_n)"
    assert "inside input_n input_s -> supposed input_n input_s -> (part_1 input_n input_s)." in found.statement


def test_of_an_inequality_a_theorem_says_that_it_is_defined_of_an_identity_it_supposes_that():
    bound = proof("li2021.remark13.range")
    assert defined("defined", bound) == "(n5 <> 0)"
    assert "inside input_b -> supposed input_b -> (defined input_b) /\\ (part_1 input_b)." in bound.statement
    assert "that the operations are defined and the conclusion holds." in bound.statement
    identity = proof("liu2020.eq15.square.repaired")
    assert "<> 0)" in defined("supposed", identity)
    assert "Definition defined" not in identity.statement
    assert "that the conclusion holds wherever the operations are defined." in identity.statement


def test_that_the_instances_take_the_path_of_a_program_is_part_of_the_theorem():
    found = proof("li2021.assumptionB2.hinge.repaired")
    assert "<> 0)" in defined("taken", found, 1)
    assert "-> taken /\\ (supposed input_g -> (defined) /\\ (part_1 input_g))." in found.statement


@pytest.mark.parametrize(
    ("name", "reason"),
    [("li2021.lemma29", "'loewner'"), ("li2021.effdim.geometric.repaired", "sums up to a number of its set")],
)
def test_a_proof_that_has_no_theorem_says_why(name, reason):
    with pytest.raises(CannotFormalize, match=reason):
        proof(name)


@pytest.mark.parametrize(
    ("name", "scope"),
    [("yashima2021.alg1.cost", UNIVERSAL), ("liu2020.table2", INSTANCE), ("li2021.prop8.proof.bijection.nonzero", ONE_SIZE)],
)
def test_what_a_theorem_of_a_proof_is_about(name, scope):
    """All numbers of a set, even where each is a case of numbers; numbers alone; or one size where all are proved."""
    found = proof(name)
    assert found.scope == scope
    assert ("at the sizes of one instance alone" in found.statement) == (scope == ONE_SIZE)


def test_one_size_is_no_more_than_partly_checked():
    accepted = Checked("", "", ACCEPTED, "", "8.16.1", 60, UNIVERSAL)
    assert accepted.told(True) == "checked by Rocq 8.16.1 as a statement for all inputs of its sizes"
    assert accepted.told(False) == "checked by Rocq 8.16.1 as a theorem about all of its set"
    assert replace(accepted, statement=ONE_SIZE).told(False) == "partly checked by Rocq 8.16.1: at the sizes of one instance alone"


KINDS_OF_ARITHMETIC = {
    "whole numbers": "li2021.eq7.cost", "a path": "li2021.assumptionB2.hinge.repaired", "larger ones": "ma2025.complexity",
    "roots": "ma2025.D1.final", "boxes": "li2021.cost.exponential", "a slope of logarithms": "li2021.table1.rate",
    "powers": "yashima2021.theorem1.xi-solve", "angles": "li2021.eq2.real_part",
    "sides that are alike": "wang2019.s6.2.lambda_setting.repaired",
}  # fmt: skip


@needs_coqc
@pytest.mark.parametrize("kind", KINDS_OF_ARITHMETIC)
def test_rocq_proves_what_is_proved(kind, coqc):
    assert coqc.judged(proof(KINDS_OF_ARITHMETIC[kind])) == (ACCEPTED, "")


def restated(old: str, new: str):
    """Another statement, with the proof as it is."""
    return lambda t: replace(t, statement=t.statement.replace(old, new))


OWN_PROOF = """Module Mine. Definition claim : Prop := 0 <= 1. End Mine.
Theorem proved : Mine.claim.
Proof. unfold Mine.claim; lra. Qed.
"""
HALF, COST = "li2021.remark13.range", "li2021.alg1.cost"
PROOFS = {
    "as it is": (HALF, lambda t: t, (ACCEPTED, "")),
    "a bound too small": (HALF, restated("(1 / 2) <=", "(3 / 4) <="), UNPROVED),
    "an interval too wide": (HALF, restated("1 < input_b", "(- (1 / 2)) < input_b"), UNPROVED),
    "whole numbers to where it fails": (COST, restated("1 <= input_n", "(- (5)) <= input_n"), UNPROVED),
    "a place where it is not defined": (HALF, restated("1 < input_b", "(- (2)) < input_b"), UNPROVED),
    "an admitted hole": (
        HALF, lambda t: replace(t, proof="Theorem proved : Statement.claim. Admitted.\n"), (REJECTED, "it rests on proved"),
    ),
    "an extra axiom": (
        HALF, lambda t: replace(t, proof="Axiom false : False.\nTheorem proved : Statement.claim. case false. Qed.\n"),
        (REJECTED, "it rests on false"),
    ),
    "a statement of the proof's own": (HALF, lambda t: replace(t, proof=OWN_PROOF), UNPROVED),
    "another claim's proof": (HALF, lambda t: replace(t, proof=proof(COST).proof), UNPROVED),
    "a case left out": (HALF, lambda t: replace(t, proof=t.proof.replace("(conj case_0 case_1)", "case_0")), UNPROVED),
}  # fmt: skip


@needs_coqc
@pytest.mark.parametrize("change", PROOFS)
def test_of_a_proof_coqc_accepts_the_statement_on_its_set_and_nothing_else(change, coqc):
    """b / (b + 1) lies between 1/2 and 1 for 1 < b < 1000."""
    name, make, outcome = PROOFS[change]
    found = proof(name)
    changed = make(found)
    assert (changed == found) == (change == "as it is")
    assert coqc.judged(changed) == outcome


@needs_coqc
def test_coqc_is_not_waited_for_longer_than_it_may_take(coqc):
    endless = Theorem("", "Ltac endless := idtac; endless.\nGoal True. endless.\n")
    assert Coqc(coqc.program, coqc.version, 1).judged(endless) == (TOO_LONG, "")
