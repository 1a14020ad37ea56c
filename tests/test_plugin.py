"""The pytest plugin as a project meets it: claims are items, with the verdicts of `check`, under xdist too, and at no cost elsewhere."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from boundcheck.checking.judge import PLANS, Plan
from boundcheck.checking.plan import part
from boundcheck.commands.check import run as check
from boundcheck.running import Workers
from boundcheck.verifier import verify_file
from boundcheck.words.loading import Selection, load_claims

OPTIONS: Any = {
    "budget": "quick", "seed": 0, "alpha": 1e-6, "workers": Workers(), "json_path": None,
    "resume": False, "accumulate": False, "fail_on": "none",
}  # fmt: skip

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent
SMALL = 'Plan("quick", instances=10, work=100, trials=1000, sampled_instances=2, confirmation_trials=10_000)'
HEADER = "from boundcheck import E, Unit, assume, at_most, quantity, sqrt, theorem\n"
HOLDS = """
@theorem("AM-GM")
def holds(x: Unit, y: Unit):
    return at_most(sqrt(x * y), (x + y) / 2)
"""
FALSE = HOLDS.replace("holds", "is_false").replace("(x + y)", "0.9 * (x + y)")
VOID = """
@theorem("s")
def void(x: Unit):
    assume(x > 2)
    return at_most(x, 0)
"""
OPEN = """
@theorem("s")
def undecided(x: Unit):
    return E(quantity(lambda rng, size: x * rng.standard_t(3, size))) <= 0
"""
BROKEN = """
@theorem("s")
def broken(x: Unit):
    return at_most(y, 0)
"""
TEST = "\ndef test_plain():\n    pass\n"
MINE = HEADER + HOLDS + FALSE + VOID + OPEN + TEST


@pytest.fixture(scope="module", autouse=True)
def _everything_is_imported(tmp_path_factory):
    """pytester forgets what a session imports, and a compiled module cannot be imported twice."""
    folder = tmp_path_factory.mktemp("warm")
    (folder / "warm.py").write_text(HEADER + HOLDS + FALSE)
    claims = load_claims(folder / "warm.py")
    check(Selection(claims, claims, {c.id for c in claims}), reports=folder, **OPTIONS)


@pytest.fixture
def project(pytester, monkeypatch) -> pytest.Pytester:
    """A folder of its own, where a claim costs little."""
    monkeypatch.setitem(PLANS, "quick", eval(SMALL, {"Plan": Plan}))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return pytester


def pytest_(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    return project.runpytest_inprocess("-p", "boundcheck.plugin", "-p", "no:cacheprovider", *args)


def write(project: pytest.Pytester, name: str, text: str) -> Path:
    path = project.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def properties(project: pytest.Pytester, *args: str) -> dict[str, dict[str, str]]:
    """What JUnit keeps of each claim, after a run."""
    pytest_(project, *args, "--junitxml=junit.xml")
    return junit(project)


def junit(project: pytest.Pytester) -> dict[str, dict[str, str]]:
    cases = ElementTree.parse(project.path / "junit.xml").getroot().iter("testcase")
    found = {case.get("name", ""): {p.get("name", "")[11:]: p.get("value", "") for p in case.iter("property")} for case in cases}
    return {name: kept for name, kept in found.items() if kept}


def baseline(project: pytest.Pytester, outcome: str = "REFUTED", text: str = MINE) -> None:
    """A report of the project's claims, in which `is_false` has the outcome."""
    mine = write(project, "mine.py", text)
    claims = load_claims(mine)
    check(Selection(claims, claims, {c.id for c in claims}), reports=project.path / "reports", **OPTIONS)
    report = project.path / "reports" / "verdicts.json"
    content = json.loads(report.read_text())
    content["claims"] = [{**r, "outcome": outcome} if r["id"] == "mine.is_false" else r for r in content["claims"]]
    report.write_text(json.dumps(content))


def test_each_verdict_has_its_outcome(project):
    write(project, "mine.py", MINE + BROKEN)
    result = pytest_(project, "mine.py", "-ra", "-W", "error")
    result.assert_outcomes(passed=2, failed=2, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines([
        "*mine.is_false is REFUTED: lhs = * > * = rhs", "AM-GM, *mine.py:7", "*def is_false(x: Unit, y: Unit):", "It fails at x = *, y = *",
        "by a factor of 1.1* (lhs / rhs).", "pytest 'mine.py::mine.is_false' --boundcheck-budget quick --boundcheck-seed 0 *",
        "mine.broken (*mine.py:*): 'y' is not defined; *",
        "*= boundcheck =*", "5 claims: 1 BROKEN, 1 HOLDS, 1 INCONCLUSIVE, 1 REFUTED, 1 VACUOUS",
        "budget quick, seed 0; the claims of all files collected share 1e-06 of false refutations",
        "SKIPPED [[]1[]] mine.py:*: INCONCLUSIVE: an expectation*", "XFAIL mine.py::mine.void - VACUOUS: none of 10 instances*",
    ])  # fmt: skip
    assert "judge.py" not in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


LATE = """
@theorem("s")
def late(n: integers(1, 50)):
    if n > 45:
        return at_most(missing, 0)
    return at_most(-n, 0)
"""


def test_a_text_that_fails_on_some_instances_is_named_with_its_line(project):
    write(project, "mine.py", HEADER + "from boundcheck import integers\n" + LATE + HOLDS)
    result = pytest_(project, "mine.py")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["mine.late (*mine.py:7): 'missing' is not defined; *", "2 claims: 1 BROKEN, 1 HOLDS"])


def test_claims_are_selected_like_tests(project):
    write(project, "mine.py", MINE)
    pytest_(project, "mine.py", "-k", "mine.holds").assert_outcomes(passed=1, deselected=4)
    pytest_(project, "mine.py", "-m", "not boundcheck").assert_outcomes(passed=1, deselected=4)
    pytest_(project, "mine.py::mine.void", "-v").stdout.fnmatch_lines(["mine.py::mine.void XFAIL*"])
    pytest_(project, "mine.py", "-x", "--strict-markers").assert_outcomes(passed=1, failed=1)


def test_what_stays_open_or_says_nothing_can_be_made_to_fail(project):
    write(project, "mine.py", MINE)
    pytest_(project, "mine.py", "-k", "undecided", "--boundcheck-inconclusive", "fail").assert_outcomes(failed=1, deselected=4)
    pytest_(project, "mine.py", "-k", "void", "--runxfail").assert_outcomes(failed=1, deselected=4)


def test_the_share_of_a_claim_does_not_depend_on_what_is_selected(project):
    write(project, "mine.py", MINE)
    everything = properties(project, "mine.py")
    assert {kept["alpha"] for kept in everything.values()} == {f"{part(2.5e-7, 1):.6g}"}
    for selection in (["mine.py", "-k", "is_false"], ["mine.py::mine.is_false"]):
        assert properties(project, *selection) == {"mine.is_false": everything["mine.is_false"]}


def test_a_verdict_is_the_one_of_check(project):
    baseline(project)
    rows = {r["id"]: r for r in json.loads((project.path / "reports" / "verdicts.json").read_text())["claims"]}
    found = properties(project, "mine.py")
    assert {id: kept["outcome"] for id, kept in found.items()} == {id: r["outcome"] for id, r in rows.items()}
    for id, kept in found.items():
        row = rows[id]
        assert (kept["reason"], kept["fingerprint"], kept["source"]) == (row["reason"], row["fingerprint"], row["source"])
        assert (int(kept["searched"]), int(kept["trials"])) == (row["evidence"]["searched"], row["evidence"]["trials"])


def test_a_file_whose_assertions_pytest_rewrites_has_the_same_fingerprint(project):
    helper = "\nC = 2\ndef g(x):\n    assert x < C, x\n    return C * x\n"
    path = write(project, "test_mine.py", HEADER + helper + HOLDS.replace("(x + y) / 2)", "g(x + y) / 4)"))
    assert properties(project, "test_mine.py")["test_mine.holds"]["fingerprint"] == load_claims(path)[0].fingerprint


def test_expected_refutations_are_strict(project):
    given = ["mine.py", "--boundcheck-baseline", "reports/verdicts.json"]
    baseline(project)
    result = pytest_(project, *given, "-rx")
    result.assert_outcomes(passed=2, skipped=1, xfailed=2)
    result.stdout.fnmatch_lines(["*1 REFUTED (1 expected)*", "XFAIL mine.py::mine.is_false - REFUTED: lhs*"])
    pytest_(project, *given, "--runxfail", "-k", "is_false").assert_outcomes(failed=1, deselected=4)
    baseline(project, text=MINE.replace("0.9 * ", "1.0 * "))
    result = pytest_(project, *given, "-k", "is_false")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(["mine.is_false is expected to be refuted*and is HOLDS*update the baseline*"])


def test_a_refutation_of_another_text_is_not_expected(project):
    baseline(project)
    write(project, "mine.py", MINE.replace("0.9 * ", "0.8 * "))
    result = pytest_(project, "mine.py", "--boundcheck-baseline", "reports/verdicts.json", "-k", "is_false")
    result.assert_outcomes(failed=1, deselected=4)


def test_a_kept_counterexample_is_tried_first(project, monkeypatch):
    hidden = HEADER + FALSE.replace("at_most(sqrt(x * y), 0.9 * (x + y) / 2)", "at_most(-((x - 0.123456) ** 2), -1e-9)")
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=20, work=3000))
    baseline(project, text=hidden)
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=1, work=1))
    assert "REFUTED" not in pytest_(project, "mine.py").stdout.str()
    pytest_(project, "mine.py", "--boundcheck-baseline", "reports/verdicts.json").stdout.fnmatch_lines(["*1 REFUTED*"])


def test_a_baseline_that_is_missing_expects_nothing_and_a_broken_one_is_named(project):
    write(project, "mine.py", HEADER + HOLDS)
    result = pytest_(project, "mine.py", "--boundcheck-baseline", "nowhere.json")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["There is no baseline *nowhere.json: no refutation was expected."])
    write(project, "bad.json", "[]")
    result = pytest_(project, "mine.py", "--boundcheck-baseline", "bad.json")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*bad.json is not a boundcheck report*"])
    assert "collecting.py" not in result.stdout.str()


def test_a_certificate_is_kept_where_the_user_says(project):
    write(project, "mine.py", MINE)
    result = pytest_(project, "mine.py", "-k", "is_false", "--boundcheck-reports", "out")
    path = project.path / "out" / "certificates" / "mine.is_false.json"
    assert verify_file(str(path)).confirmed
    result.stdout.fnmatch_lines([f"boundcheck verify {path} *mine.py", f"boundcheck replay {path} *mine.py"])


LOUD = "raise RuntimeError('imported')\n"


def test_which_files_are_searched_for_claims(project):
    for folder in ("shelf", "shelf/inner", "loose"):
        write(project, f"{folder}/stated_{folder[-3:]}.py", HEADER + HOLDS)
        write(project, f"{folder}/plain.py", LOUD)
    write(project, "shelf/_private.py", HEADER + LOUD)
    for folder in ("shelf", "shelf/inner"):
        write(project, f"{folder}/__init__.py", "")
    write(project, "test_claims_too.py", HEADER + HOLDS)
    write(project, "imports.py", "from loose.stated_ose import holds\nfrom boundcheck import theorem\nalias = holds\n")
    pytest_(project).assert_outcomes(passed=1)
    pytest_(project, "shelf").assert_outcomes(passed=2)
    pytest_(project, "shelf/inner").assert_outcomes(passed=1)
    pytest_(project, "loose").assert_outcomes()
    pytest_(project, "loose", "-o", "boundcheck_paths=loose").assert_outcomes(passed=1)
    pytest_(project, "loose/stated_ose.py").assert_outcomes(passed=1)
    pytest_(project, "imports.py").assert_outcomes()


def test_a_claim_with_two_names_is_one_claim_and_never_a_test_function(project):
    write(project, "mine.py", HEADER + HOLDS.replace("holds", "test_named_so") + "\nagain = test_named_so\n")
    result = pytest_(project, "mine.py", "-W", "error")
    result.assert_outcomes(passed=1)


def test_claims_that_cannot_be_collected_are_named_in_a_sentence(project):
    write(project, "mine.py", HEADER + HOLDS.replace("x: Unit", "x: int"))
    result = pytest_(project, "mine.py")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["mine.py: mine.holds: annotate the parameter 'x' with a domain*"])
    assert "claims.py" not in result.stdout.str()
    write(project, "a/test_same.py", HEADER + HOLDS)
    write(project, "b/test_same.py", HEADER + "\n" + HOLDS)
    result = pytest_(project, "a", "b", "--import-mode=importlib")
    result.stdout.fnmatch_lines(["Two claims are called test_same.holds: at a/test_same.py:3 and at b/test_same.py:4; rename one."])


def test_a_name_that_a_file_states_twice_is_an_error_of_the_file(project):
    write(project, "mine.py", HEADER + HOLDS + "\n\n" + HOLDS)
    result = pytest_(project, "mine.py")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*mine.py states 'holds' twice, at lines * and *; rename one."])


def test_no_claim_is_judged_by_what_stands_beside_another_file(project):
    for folder, bound in (("one", "1"), ("two", "0.5")):
        write(project, f"{folder}/helpers.py", f"K = {bound}\n")
        write(project, f"{folder}/test_{folder}.py", HEADER + "from helpers import K\n" + HOLDS.replace("/ 2", "/ 2 * K"))
    result = pytest_(project, "one", "two")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["test_two.py: *test_two.py imports helpers and means *two/helpers.py, but Python finds *one/*"])
    pytest_(project, "one").assert_outcomes(passed=1)


@pytest.mark.parametrize(("name", "value", "takes"), [
    ("budget", "huge", "quick, ci or nightly"), ("alpha", "0", "a number in"), ("alpha", "nan", "a number in"),
    ("alpha", "x", "a number in"), ("seed", "-1", "a whole number"), ("inconclusive", "pass", "skip or fail"),
])  # fmt: skip
def test_options_that_make_no_sense_are_refused_in_both_places(project, name, value, takes):
    for given in ([f"--boundcheck-{name}={value}"], ["-o", f"boundcheck_{name}={value}"]):
        result = pytest_(project, *given)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([f"ERROR: *boundcheck?{name}* takes {takes}*, not '{value}'."])


def test_ini_twins_count_and_the_command_line_goes_before_them(project):
    write(project, "pytest.ini", "[pytest]\nboundcheck_alpha = 1e-3\nboundcheck_seed = 7\nboundcheck_reports = kept\n")
    write(project, "sub/mine.py", HEADER + FALSE)
    assert properties(project, "sub/mine.py")["mine.is_false"]["alpha"] == f"{part(1e-3, 1):.6g}"
    assert (project.path / "kept" / "certificates" / "mine.is_false.json").is_file()
    result = pytest_(project, "sub/mine.py", "--boundcheck-alpha=1e-4")
    result.stdout.fnmatch_lines(["budget quick, seed 7; *share 0.0001 of*"])


def test_two_workers_of_xdist_say_the_same_as_one_process(project):
    baseline(project)
    alone = properties(project, "mine.py", "--boundcheck-baseline", "reports/verdicts.json")
    write(project, "conftest.py", f"from boundcheck.checking.judge import PLANS, Plan\nPLANS['quick'] = {SMALL}\n")
    result = project.runpytest_subprocess(
        "-p", "boundcheck.plugin", "mine.py", "-n2", "--boundcheck-baseline=reports/verdicts.json", "--junitxml=junit.xml"
    )
    result.assert_outcomes(passed=2, skipped=1, xfailed=2)
    result.stdout.fnmatch_lines(["4 claims: 1 HOLDS, 1 INCONCLUSIVE, 1 REFUTED (1 expected), 1 VACUOUS"])
    assert junit(project) == alone


def test_a_project_without_claims_pays_for_no_engine(project):
    write(project, "test_it.py", TEST)
    write(project, "named.py", "import nothing_of_ours\n")
    write(project, "conftest.py", "import sys\ndef pytest_unconfigure():\n    print([m for m in sys.modules if m.startswith("
          "('boundcheck.', 'numba', 'numpy', 'scipy', 'rich', 'click')) and not m.startswith('boundcheck.plugin')])\n")  # fmt: skip
    result = project.runpytest_subprocess("-p", "boundcheck.plugin", "-p", "no:hypothesispytest")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["[[][]]"])
    assert "= boundcheck =" not in result.stdout.str()
