"""Certificates as theorems of Rocq: what is written, what is refused, and, where coqc is, that it accepts and rejects."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from forging import KINDS, Program, at_most, equal, sealed

from boundcheck.certificates.rocq import CannotFormalize, formalized
from boundcheck.certificates.verify.findings import Rejection
from boundcheck.commands.main import main

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
    ]  # fmt: skip
    total = parts[0]
    for part in parts[1:]:
        total = p("add", total, part)
    three, two = p.const(3), p.const(2)
    given = [{"relation": "lt", "args": [two, three]}, {"relation": "whole", "args": [three]}]
    return p.certificate({"kind": "at_most", "args": [total, p.const(2)]}, hypotheses=given)


def accepted(text: str, folder: Path) -> tuple[bool, str]:
    file = folder / "refuted.v"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(["coqc", "-q", str(file)], capture_output=True, text=True, cwd=folder)
    return done.returncode == 0, done.stdout


def test_the_theorem_holds_the_whole_program():
    text = formalized(of_everything())
    nodes = [k for k, node in enumerate(of_everything()["program"]) if node["op"] not in ("const", "input", "gather")]
    assert all(f"(* node {k}: " in text for k in nodes)
    assert "Theorem refuted" in text


@pytest.mark.parametrize("kind", ["at_most", "equal", "probability"])
def test_kinds_that_have_theorems(kind):
    assert "Theorem refuted" in formalized(KINDS[kind]())


@pytest.mark.parametrize(("kind", "word"), [("sampled", "recorded trials"), ("counts", "'counts'")])
def test_kinds_that_have_none_say_why(kind, word):
    with pytest.raises(CannotFormalize, match=word):
        formalized(KINDS[kind]())


def test_what_is_not_confirmed_is_no_theorem():
    false = sealed({**equal(), "conclusion": {"kind": "at_most", "args": equal()["conclusion"]["args"][::-1]}})
    with pytest.raises(Rejection):
        formalized(false)


def test_a_statement_cannot_leave_its_comment():
    text = formalized(sealed({**at_most(), "claim": {**at_most()["claim"], "statement": 'f (* "x *) Axiom a : False.'}}))
    header = text[: text.index("From Coq")]
    assert header.count("(*") == header.count("*)") == 1
    assert '"' not in header


def test_names_of_inputs_are_no_words_of_rocq():
    p = Program()
    two, seven = p("input", name="exp", shape=[], data=["2"]), p("input", name="fun.0", shape=[], data=["7/5"])
    text = formalized(p.certificate({"kind": "at_most", "args": [p("sqrt", two), seven]}))
    assert not re.search(r"Definition (exp|fun) ", text)


def test_the_command_writes_refuses_and_says_why(tmp_path):
    import json

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


@needs_coqc
@pytest.mark.parametrize("certificate", [of_everything(), KINDS["probability"]()], ids=["everything", "probability"])
def test_coqc_accepts_on_the_axioms_of_the_reals(certificate, tmp_path):
    fine, said = accepted(formalized(certificate), tmp_path)
    assert fine
    axioms = set(re.findall(r"^(\S+)\s*$|^(\S+) :", said, re.M))
    names = {name for pair in axioms for name in pair if name and name != "Axioms:"}
    assert all(name.startswith(("ClassicalDedekindReals.", "FunctionalExtensionality.", "Classical_Prop.")) for name in names)


@needs_coqc
def test_coqc_rejects_another_number(tmp_path):
    text = formalized(at_most())
    changed = text.replace("Definition input_x : R := 2.", "Definition input_x : R := 1.")
    assert changed != text
    assert not accepted(changed, tmp_path)[0]
