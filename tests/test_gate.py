"""The gate: what got worse fails, unless it was accepted with a reason; a baseline that is missing, old or spoiled is no crash."""

import json
import random
import subprocess
import tomllib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click import Context
from click.testing import CliRunner, Result

from boundcheck import exits
from boundcheck.checking.judge import PLANS, Plan
from boundcheck.checking.verdict import Evidence, Judgement, Outcome
from boundcheck.commands.check import run as check
from boundcheck.commands.main import main
from boundcheck.report.document import Document, Row
from boundcheck.report.gate import Comparison, compare, read_accepted, write_accepted
from boundcheck.report.reading import CannotRead, read
from boundcheck.running import Workers
from boundcheck.running.kept import report_row as kept_row
from boundcheck.words.claims import Claim
from boundcheck.words.loading import Selection, load_claims

KINDS = ("regressions", "accepted", "improvements", "restated", "new")


def row(outcome: str = "HOLDS", id: str = "p.x", **others: Any) -> Row:
    """One claim of a report."""
    evidence = Evidence(instances=1, satisfied=1, exact=1, tightest=-0.1)
    verdict = Judgement(id, Outcome[outcome], "population", "because", evidence, 0.9, 1e-6, 1e-3)
    kept: dict[str, Any] = {"fingerprint": "f", "location": "papers/p.py:7", **others}
    return replace(kept_row(Claim(id, row, "s"), verdict, None), **kept)


def report(*rows: Row, **others: Any) -> Document:
    content: dict[str, Any] = {"plan": asdict(Plan()), "ledger": {"total": 1e-6, "claims": len(rows)}, "volatile": {"seconds": 1.5}}
    return Document(rows, **{**content, **others})


def kinds(result: Comparison) -> list[str]:
    return [kind for kind in KINDS if getattr(result, kind)]


@pytest.mark.parametrize(("before", "after", "kind"), [
    ("HOLDS", "REFUTED", "regressions"), ("HOLDS", "INCONCLUSIVE", "regressions"), ("INCONCLUSIVE", "VACUOUS", "regressions"),
    ("REFUTED", "HOLDS", "improvements"), ("VACUOUS", "INCONCLUSIVE", "improvements"), ("HOLDS", "HOLDS", None),
])  # fmt: skip
def test_verdicts_are_ranked(before, after, kind):
    assert kinds(compare(report(row(before)), report(row(after)))) == ([kind] if kind else [])


@pytest.mark.parametrize(("before", "after", "kind"), [
    ("HOLDS", "REFUTED", "regressions"), ("VACUOUS", "REFUTED", "regressions"), ("INCONCLUSIVE", "REFUTED", "regressions"),
    ("HOLDS", "INCONCLUSIVE", "regressions"), ("REFUTED", "REFUTED", "restated"), ("REFUTED", "HOLDS", "restated"),
    ("HOLDS", "HOLDS", "restated"),
])  # fmt: skip
def test_an_edit_is_no_excuse(before, after, kind):
    assert kinds(compare(report(row(before)), report(row(after, fingerprint="g")))) == [kind]


def test_new_and_lost_claims():
    assert [str(c) for c in compare(report(), report(row("REFUTED"))).regressions] == ["p.x: NEW -> REFUTED (because)"]
    assert [str(c) for c in compare(report(), report(row("VACUOUS"))).new] == ["p.x: NEW -> VACUOUS (because)"]
    assert [str(c) for c in compare(report(row()), report()).regressions] == ["p.x: HOLDS -> GONE (the report does not have it)"]


def test_what_is_newly_refuted_is_accepted_for_one_text(here):
    save("new.json", report(row("REFUTED", fingerprint="g"), row(id="p.y"), row("REFUTED", "p.z")))
    result = gate("--github")
    assert result.exit_code == exits.WORSE
    assert "regression: p.x: HOLDS -> REFUTED (restated; because)" in result.output
    assert "regression: p.z: NEW -> REFUTED (because)" in result.output
    assert "title=p.z is new and refuted::" in result.output
    assert gate("--accept", "p.z", "--reason", "it is false").exit_code == exits.WORSE
    assert gate("--accept", "p.x", "--reason", "so is this").exit_code == exits.FINE
    assert gate().exit_code == exits.FINE
    save("new.json", report(row("REFUTED", fingerprint="h"), row(id="p.y"), row("REFUTED", "p.z")))
    assert gate().exit_code == exits.WORSE


@pytest.mark.parametrize(("before", "after", "worse"), [(0.9, 0.65, True), (0.9, 0.75, False), (0.2, 0.05, False), (None, 0.1, False),
                                                        (0.9, None, False), (0.6, 0.9, False)])  # fmt: skip
def test_a_search_that_no_longer_comes_near_the_bound_is_a_regression(before, after, worse):
    old, new = report(row(tightness=before)), report(row(tightness=after))
    assert kinds(compare(old, new)) == (["regressions"] if worse else [])
    assert kinds(compare(old, replace(new, plan={"name": "ci", "seed": 0}))) == []


def test_an_acceptance_is_about_one_change_of_one_text():
    old, new = report(row()), report(row("REFUTED"))
    assert compare(old, new, {("p.x", "f", "HOLDS", "REFUTED"): "an erratum"}).accepted[0][1] == "an erratum"
    for other in (("p.y", "f", "HOLDS", "REFUTED"), ("p.x", "g", "HOLDS", "REFUTED"), ("p.x", "f", "HOLDS", "VACUOUS")):
        assert kinds(compare(old, new, {other: "no"})) == ["regressions"]


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    save("old.json", report(row(), row(id="p.y")))
    save("new.json", report(row("REFUTED"), row(id="p.y")))
    return tmp_path


def save(name: str, content: Any) -> None:
    Path(name).write_text(json.dumps(content.json() if isinstance(content, Document) else content))


def gate(*options: str, path: str = "new.json") -> Result:
    result = CliRunner().invoke(main, ["gate", path, "--baseline", "old.json", *options])
    assert "Traceback" not in result.output
    return result


def assert_refused(result: Result, sentence: str) -> None:
    assert result.exit_code == exits.USAGE, result.output
    assert sentence in " ".join(result.output.split())
    assert result.output.count("Error: ") == 1


def test_each_change_is_a_line(here):
    result = gate()
    assert result.exit_code == exits.WORSE
    assert result.output.splitlines() == [
        "regression: p.x: HOLDS -> REFUTED (because)", "1 regression, 0 accepted, 0 improved, 0 restated, 0 new",
    ]  # fmt: skip
    assert gate(path="old.json").exit_code == exits.FINE


def test_accepting_needs_a_reason_and_keeps_it(here):
    assert_refused(gate("--accept", "p.x"), "To accept a change, say why")
    assert_refused(gate("--accept", "p.x", "--reason", " "), "To accept a change, say why")
    assert_refused(gate("--reason", "x"), "name it with --accept ID")
    assert_refused(gate("--accept", "p.y", "--reason", "x"), "p.y did not get worse, so there is nothing to accept; what did: p.x.")
    assert not Path("accepted.toml").exists()
    result = gate("--accept", "p.x", "--reason", 'the "erratum"\nof 2022')
    assert result.exit_code == exits.FINE
    assert 'accepted: p.x: HOLDS -> REFUTED (because): the "erratum" of 2022' in result.output
    kept = tomllib.loads(Path("accepted.toml").read_text())["accepted"]
    assert kept == [{"id": "p.x", "fingerprint": "f", "from": "HOLDS", "to": "REFUTED", "reason": 'the "erratum" of 2022'}]
    assert gate().exit_code == exits.FINE
    save("new.json", report(row("VACUOUS"), row(id="p.y")))
    assert gate().exit_code == exits.WORSE


def test_updating_takes_reasons_for_what_got_worse(here):
    before = Path("old.json").read_text()
    assert gate("--update").exit_code == exits.WORSE
    assert Path("old.json").read_text() == before
    assert gate("--update", "--reason", "an erratum").exit_code == exits.FINE
    assert read(Path("old.json")) == report(row("REFUTED", alpha=None), row(id="p.y", alpha=None), volatile={})
    assert read_accepted(Path("accepted.toml")) == {("p.x", "f", "HOLDS", "REFUTED"): "an erratum"}
    assert gate().output == "0 regressions, 0 accepted, 0 improved, 0 restated, 0 new\n"


def test_a_missing_baseline_is_a_policy(here):
    Path("old.json").unlink()
    assert_refused(gate(), "There is no baseline old.json; make one with --missing create, or go on without one with --missing pass.")
    assert (gate("--missing", "pass").exit_code, Path("old.json").exists()) == (exits.FINE, False)
    assert (gate("--missing", "create").exit_code, Path("old.json").exists()) == (exits.FINE, True)
    assert json.loads(Path("old.json").read_text())["volatile"] == {}
    assert gate().exit_code == exits.FINE


def test_a_revision_is_a_baseline(here):
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *arguments], check=True, capture_output=True)

    assert_refused(gate("--compare-rev", "HEAD"), "git knows no revision 'HEAD' here")
    git("init", "-q")
    git("add", "old.json")
    git("commit", "-qm", "first")
    save("old.json", report(row("REFUTED"), row(id="p.y")))
    assert gate().exit_code == exits.FINE
    assert gate("--compare-rev", "HEAD").exit_code == exits.WORSE
    assert_refused(gate("--compare-rev", "nowhere"), "git knows no revision 'nowhere' here")
    assert_refused(gate("--compare-rev", "--help"), "git knows no revision '--help' here")
    assert_refused(gate("--compare-rev", "HEAD", "--update"), "use one of them")
    git("rm", "-q", "--cached", "old.json")
    save("spoiled.json", [])
    git("add", "spoiled.json")
    git("commit", "-qm", "second")
    assert_refused(gate("--compare-rev", "HEAD"), "There is no baseline old.json")
    assert_refused(gate("--compare-rev", "HEAD", "--baseline", "spoiled.json"), "HEAD:spoiled.json is not a boundcheck report")
    assert_refused(gate("--compare-rev", "HEAD", "--baseline", "no/such/old.json"), "git cannot be run in no/such")


def test_github_gets_annotations_and_a_summary(here, monkeypatch):
    save("new.json", report(row("REFUTED", reason="100% | <b>\nlost"), row("VACUOUS", "p.y", location="elsewhere.py:3")))
    Path("papers").mkdir()
    Path("papers/p.py").touch()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    assert "::error" not in gate().output
    assert not Path("summary.md").exists()
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    lines = gate().output.splitlines()
    assert "::error file=papers/p.py,line=7,title=p.x got worse::p.x: HOLDS -> REFUTED (100%25 | <b> lost)" in lines
    assert "::error title=p.y got worse::p.y: HOLDS -> VACUOUS (because)" in lines
    assert "| regression | `p.x` | HOLDS | REFUTED | 100% \\| &lt;b> lost |" in Path("summary.md").read_text().splitlines()
    assert "::error" not in gate("--no-github").output


def test_a_pull_request_is_told_the_counterexample_and_which_lines_were_edited(here):
    texts = ("def x(t):\n    return t <= 2\n", "def x(t):\n    return t <= 1  # `\n")
    save("old.json", report(row(statement=texts[0])))
    save("new.json", report(row("REFUTED", statement=texts[1], fingerprint="g", instance="t = 3/2")))
    edits = "-    return t <= 2%0A+    return t <= 1  # `"
    lines = gate("--github", "-o", "comment.md").output.splitlines()
    assert f"::error title=p.x got worse::p.x: HOLDS -> REFUTED (restated; because at t = 3/2)%0A{edits}" in lines
    comment = Path("comment.md").read_text()
    assert "restated; because" in comment
    assert "at t = 3/2" in comment
    assert "```diff\n-    return t <= 2\n+    return t <= 1  # '\n```\n" in comment


def test_a_baseline_changes_with_no_other_claim_and_in_no_other_folder(here):
    """A share of the error is one of so many claims; a location begins with the name of the clone."""
    Path("p.py").touch()
    save("new.json", report(row(location="clone/p.py:7"), row(id="p.y")))
    Path("old.json").unlink()
    assert gate("--missing", "create").exit_code == exits.FINE
    first, other = json.loads(Path("old.json").read_text())["claims"]
    assert first["location"] == "p.py:7"
    assert "alpha" not in first | other


@pytest.mark.parametrize(("folder", "place"), [(".", "file=p.py,line=7,"), ("papers", "file=papers/p.py,line=7,")])
def test_an_annotation_finds_the_file_from_here(here, folder, place):
    """The location of a claim begins with the name of its folder, which may be the one we are in."""
    Path(folder).mkdir(exist_ok=True)
    Path(folder, "p.py").touch()
    assert f"::error {place}title" in gate("--github").output


def spoilings(text: str) -> list[str]:
    """A text cut, with characters changed, and with values of another kind."""
    rng = random.Random(0)
    cut = [text[: rng.randrange(len(text))] for _ in range(15)]
    changed = []
    for _ in range(40):
        k = rng.randrange(len(text))
        changed.append(text[:k] + rng.choice('0"[]{}\\,:=x\x00\u2028') + text[k + 1 :])
    return [*cut, *changed, "", "[]", "{}", "null", "[" * 100_000, "\ufeff{}"]


def test_spoiled_baselines_cost_one_sentence(here):
    for text in spoilings(Path("old.json").read_text()):
        Path("old.json").write_text(text)
        result = gate()
        assert result.exit_code in (exits.FINE, exits.WORSE, exits.USAGE), (result.exception, text)
        if result.exit_code == exits.USAGE:
            assert_refused(result, "old.json")


def test_spoiled_acceptances_cost_one_sentence(here):
    path = Path("accepted.toml")
    write_accepted({("p.x", "f", "HOLDS", "REFUTED"): "r", ("p.y", "f", "HOLDS", "GONE"): "s"}, path)
    for text in (*spoilings(path.read_text()), "accepted = 3", "accepted = [3]", "other = 1", "[[accepted]]\nid = 'p.x'"):
        path.write_text(text)
        result = gate()
        assert result.exit_code in (exits.FINE, exits.WORSE, exits.USAGE), (result.exception, text)
        if result.exit_code == exits.USAGE:
            assert_refused(result, "accepted.toml")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CannotRead, match="cannot be read"):
        read_accepted(path)


@pytest.mark.parametrize("reason", ["plain", 'quo"ted \\ back', "tab\tnew\nline", "del\x7f nul\x00 sep\u2028", "\U0001f600 \ud800", "π"])
def test_any_reason_can_be_read_back(tmp_path, reason):
    path = tmp_path / "accepted.toml"
    write_accepted({("p.x", "f", "HOLDS", "REFUTED"): reason}, path)
    (read_back,) = read_accepted(path).values()
    assert read_back == "".join(c if c.isprintable() else " " for c in reason)


def test_exit_codes_have_one_meaning_each():
    codes = {name: code for name, code in vars(exits).items() if name.isupper()}
    assert len(set(codes.values())) == len(codes)
    words = "FINE WORSE USAGE UNDECIDED UNTRUSTWORTHY NOTHING INTERRUPTED TERMINATED"
    assert codes == dict(zip(words.split(), (0, 1, 2, 3, 4, 5, 130, 143), strict=True))


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), exits.INTERRUPTED), (RuntimeError("x"), exits.UNTRUSTWORTHY)])
def test_an_interruption_and_a_defect_are_not_taken_for_a_refutation(here, monkeypatch, error, code):
    def fails(*_: Any) -> None:
        raise error

    monkeypatch.setattr("boundcheck.report.gate.compare", fails)
    assert CliRunner().invoke(main, ["gate", "new.json", "--baseline", "old.json"]).exit_code == code


FALSE = "from boundcheck import Unit, at_most, theorem\n\n@theorem('s')\ndef f(x: Unit):\n    return at_most(x, {})\n"


def test_certificates_of_the_report_are_examined_against_the_text(here, monkeypatch):
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=10, work=100))
    Path("mine.py").write_text(FALSE.format("x / 2"))
    claims = load_claims("mine.py")
    options: Any = {"budget": "quick", "seed": 0, "alpha": 1e-6, "json_path": Path("new.json"), "fail_on": "none"}
    found = Selection(claims, claims, {c.id for c in claims})
    check(found, workers=Workers(), reports=Path("r"), resume=False, accumulate=False, **options)
    Path("old.json").write_bytes(Path("new.json").read_bytes())
    assert gate("--text", "mine.py").exit_code == exits.FINE
    Path("mine.py").write_text(FALSE.format("x / 3"))
    result = gate("--text", "mine.py", "--github")
    assert result.exit_code == exits.WORSE
    assert "certificate: mine.f: REJECTED r/certificates/mine.f.json: it was written for another text of the claim" in result.output
    assert "::error title=a certificate is rejected::mine.f: REJECTED" in result.output
    assert "1 certificate rejected" in result.output
    Path("r/certificates/mine.f.json").unlink()
    assert "cannot read the file" in gate().output


def test_the_workflow_calls_boundcheck_as_it_is():
    workflow = Path(__file__).resolve().parent.parent / ".github" / "workflows" / "boundcheck.yml"
    if not workflow.is_file():
        pytest.skip("the sources are not here")
    calls = [line.split("run: boundcheck ")[1].split() for line in workflow.read_text().splitlines() if "run: boundcheck " in line]
    assert [name for name, *_ in calls] == ["check", "verify", "gate"]
    for name, *options in calls:
        command = main.get_command(Context(main), name)
        assert command is not None
        command.make_context(name, options)
