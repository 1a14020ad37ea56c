"""PROVED from the command line to the pages: nothing changes without --prove,
and with it every report names the set."""

import json
import textwrap
from dataclasses import replace

import pytest
from click.testing import CliRunner

from boundcheck import check, verify
from boundcheck.checking.plan import PLANS, Ledger
from boundcheck.checking.verdict import Outcome, Refutation
from boundcheck.checking.verification import Contradiction, Examined
from boundcheck.commands.main import main
from boundcheck.report.formats import junit, markdown
from boundcheck.report.gate import compare
from boundcheck.report.html import page
from boundcheck.report.reading import read
from boundcheck.running.kept import Kept
from boundcheck.verifier.findings import Finding
from boundcheck.verifier.findings import Outcome as Confirmed
from boundcheck.words.loading import load_claims

TEXT = textwrap.dedent(
    '''
    from boundcheck import at_most, between, integers, theorem


    @theorem("one")
    def parabola(x: between(0, 1), n: integers(1, 3)):
        """n x (1 - x) is at most n / 4."""
        return at_most(n * x * (1 - x), n / 4)


    @theorem("two")
    def line(x: between(0, 1)):
        """False."""
        return at_most(x, 0.9)
    '''
)
WORDS = "for n = 1..3, x in (0, 1)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("proved")
    (folder / "two.py").write_text(TEXT)
    return folder


def run(folder, *arguments):
    return CliRunner().invoke(main, [*arguments], catch_exceptions=False)


@pytest.fixture(scope="module")
def proved(folder):
    done = run(
        folder,
        "check",
        str(folder / "two.py"),
        "--prove",
        "--reports",
        str(folder / "out"),
        "--fail-on",
        "none",
    )
    assert done.exit_code == 0, done.output
    assert "two.parabola  PROVED" in done.output
    assert "1 REFUTED, 1 PROVED" in done.output
    return read(folder / "out" / "verdicts.json")


def test_every_report_names_the_set(proved, folder):
    (row,) = (r for r in proved.rows if r.id == "two.parabola")
    assert (row.outcome, row.scope) == (Outcome.PROVED, "domain")
    assert row.reason.startswith(WORDS)
    assert row.certificate == (folder / "out" / "certificates" / "two.parabola.proof.json").as_posix()
    assert row.tightness == pytest.approx(1)
    for shown in (markdown(proved), junit(proved), page(proved)):
        assert "PROVED" in shown
        assert "n = 1..3, x in (0, 1)" in shown
    assert "Re-check the proofs" in markdown(proved)


def test_the_certificate_is_confirmed_and_compared_with_the_text(proved, folder):
    certificate = folder / "out" / "certificates" / "two.parabola.proof.json"
    done = run(folder, "verify", str(certificate), str(folder / "two.py"))
    assert done.exit_code == 0
    assert done.output.startswith(f"CONFIRMED  two.parabola  shown {WORDS}")


def test_without_the_option_nothing_changes(folder):
    """No word of proofs in the report, and no certificate."""
    done = run(
        folder, "check", str(folder / "two.py"), "--reports", str(folder / "plain"), "--fail-on", "none"
    )
    assert "two.parabola  HOLDS" in done.output
    texts = [(folder / "plain" / name).read_text() for name in ("verdicts.json", "verdicts.md")]
    assert not any(word in text for text in texts for word in ("PROVED", '"prove"', ".proof.json"))


def test_the_gate_takes_a_lost_proof_for_worse_only_where_proofs_were_asked_for(proved):
    held = tuple(replace(r, outcome=Outcome.HOLDS) if r.outcome is Outcome.PROVED else r for r in proved.rows)
    asked, plain = (
        replace(proved, rows=held),
        replace(proved, rows=held, plan={k: v for k, v in proved.plan.items() if k != "prove"}),
    )
    assert [c.id for c in compare(proved, asked).regressions] == ["two.parabola"]
    assert not compare(proved, plain).regressions
    assert [c.id for c in compare(plain, proved).improvements] == ["two.parabola"]


def test_the_gate_examines_the_proof_again(proved, folder):
    report, baseline = folder / "out" / "verdicts.json", folder / "baseline.json"
    run(folder, "gate", str(report), "--baseline", str(baseline), "--missing", "create")
    done = run(folder, "gate", str(report), "--baseline", str(baseline), "--text", str(folder / "two.py"))
    assert done.exit_code == 0, done.output
    certificate = folder / "out" / "certificates" / "two.parabola.proof.json"
    whole = certificate.read_text()
    try:
        certificate.write_text(whole.replace("1/4", "1/5"))
        done = run(folder, "gate", str(report), "--baseline", str(baseline), "--text", str(folder / "two.py"))
        assert done.exit_code == 1
        assert "certificate" in done.output
    finally:
        certificate.write_text(whole)


def test_a_run_that_goes_on_believes_a_proof_that_stands(proved, folder):
    arguments = [
        "check",
        str(folder / "two.py"),
        "--prove",
        "--reports",
        str(folder / "out"),
        "--fail-on",
        "none",
        "--resume",
    ]
    done = run(folder, *arguments)
    assert "(2 kept from before)" in done.output
    again = read(folder / "out" / "verdicts.json")
    assert again.rows == proved.rows


def test_in_python(folder):
    parabola = next(claim for claim in load_claims(folder / "two.py") if claim.id == "two.parabola")
    verdict = check(parabola, prove=True)
    assert verdict.outcome is Outcome.PROVED
    assert verdict.reason.startswith(WORDS)
    assert verify(verdict.certificate, parabola).outcome == "CONFIRMED"
    assert check(parabola).outcome is Outcome.HOLDS
    assert verdict.certificate is not None
    assert json.loads(json.dumps(verdict.certificate.content))["claim"]["parts"] == 1


def test_a_refutation_inside_the_set_of_a_proof_stops_the_run(folder, tmp_path):
    """A forged proof, which the verifier is made to believe, of a claim that is refuted."""
    certificates = tmp_path / "out" / "certificates"
    run(
        folder,
        "check",
        str(folder / "two.py"),
        "--prove",
        "--reports",
        str(tmp_path / "out"),
        "--fail-on",
        "none",
    )
    proof = json.loads((certificates / "two.parabola.proof.json").read_text())
    line = next(claim for claim in load_claims(folder / "two.py") if claim.id == "two.line")
    kept = Kept(tmp_path / "v.json", tmp_path / "out", PLANS["quick"], Ledger(1e-6, ["two.line"]))
    refutation = Refutation(json.loads((certificates / "two.line.json").read_text()), "lhs > rhs", 0.1)
    kept._require_unproved(line, refutation)
    (certificates / "two.line.proof.json").write_text(json.dumps(proof))
    kept._require_unproved(line, refutation)
    about = {
        "claim": {"id": "two.line"},
        "set": {"reals": {"x": ["0", "1", True, True]}, "choices": [[]], "shaped": False},
    }
    (certificates / "two.line.proof.json").write_text(json.dumps(about))
    stands = Examined("here", Finding(Confirmed.CONFIRMED, "PROVED", "two.line", proved=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boundcheck.running.kept.examine", lambda path, find: stands)
        with pytest.raises(Contradiction, match="is refuted in the set of its proof"):
            kept._require_unproved(line, refutation)


def test_a_proof_is_written_as_the_statement_on_its_set(proved, folder):
    done = run(folder, "formalize", str(folder / "out" / "certificates" / "two.parabola.proof.json"))
    assert done.exit_code == 0
    assert done.output.count("forall (input_x : R), ") == 3
    assert "(0 < input_x) /\\ (input_x < 1)" in done.output
    assert "Theorem proved : Statement.claim." in done.output
