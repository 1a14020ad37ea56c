"""Claims of one's own: which are meant, what a report keeps of others, how one begins, and what goes on elsewhere."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck.checking.plan import PLANS, Plan
from boundcheck.commands.main import main
from boundcheck.words import ids_here, ids_in
from boundcheck.words.loading import load_claims, selected

ROOT = Path(__file__).resolve().parent.parent
HEAD = "from boundcheck import Unit, at_most, theorem\n"
CLAIM = '\n\n@theorem("s")\ndef {}(x: Unit):\n    return at_most(x * (1 - x), {})\n'
TRUE, FALSE = 0.25, 0.2


def text(**bounds: float) -> str:
    return HEAD + "".join(CLAIM.format(name, bound) for name, bound in bounds.items())


def write(name: str, content: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(content)
    return name


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=8, work=80, trials=500))
    write("a.py", text(f=TRUE, g=FALSE))
    write("sub folder/b.py", text(f=TRUE, h=TRUE))
    write("notes.py", "raise SystemExit('nobody runs this')\n")


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def check(*words: str) -> Result:
    return call("check", *words, "--workers", "1", "--fail-on", "none")


def rows() -> dict[str, str]:
    return {r["id"]: r["outcome"] for r in json.loads(Path("reports/verdicts.json").read_text())["claims"]}


@pytest.mark.parametrize("words", [("check", "x" * 5000 + ".py"), ("report", "x" * 5000), ("list", "x" * 5000)])
def test_what_is_too_long_for_a_name_of_a_file_ends_in_one_sentence(words):
    result = call(*words)
    assert result.exit_code == 2
    assert result.output.startswith("Error: ")


def test_many_claims_of_a_file_may_be_named():
    assert check("a.py::" + "f," * 3000).exit_code == 0


MEANT = {
    ("a.py",): "a.f a.g", ("a.py::f",): "a.f", ("a.py::a.f",): "a.f", ("a.py::f,g",): "a.f a.g",
    ("a.py::f, g",): "a.f a.g", ("a.py::*",): "a.f a.g", ("a.py::g", "sub folder/b.py::h"): "a.g b.h",
    ("a.py", "sub folder"): "a.f a.g b.f b.h", ("*.py::f",): "a.f", ("sub*/*.py",): "b.f b.h",
    ("**/*.py::f",): "a.f b.f", (): "a.f a.g", ("f",): "a.f", ("a",): "a.f a.g", ("a.?",): "a.f a.g",
    ("li2021.lemma27",): "li2021.lemma27", ("a.g", "li2021.lemma2"): "a.g li2021.lemma2",
}  # fmt: skip


@pytest.mark.parametrize("targets", MEANT, ids=" ".join)
def test_what_a_target_means(targets):
    assert [c.id for c in selected(targets).chosen] == MEANT[targets].split()


EXPRESSIONS = {
    "f": "a.f b.f", "not f": "a.g b.h", "F or h": "a.f b.f b.h", "(f or g) and not b": "a.f a.g", "a. and f": "a.f",
    "": "a.f a.g b.f b.h",
}  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_is_as_that_of_pytest(expression):
    assert [c.id for c in selected(["a.py", "sub folder"], expression).chosen] == EXPRESSIONS[expression].split()


REFUSED = {
    ("a.py::ff",): (2, "a.py states no claim 'ff'; it states a.f, a.g."), ("a.py", "-k", "and"): (2, "-k takes parts of ids"),
    ("a.py", "-k", "x y"): (2, "-k takes parts of ids"), ("a.py", "-k", "__import__('os')"): (2, "-k takes parts of ids"),
    ("notes.py",): (2, "notes.py, line 1 cannot be imported: SystemExit: nobody"),
    ("a.py", "-k", "zz"): (5, "No claim is called so that 'zz' is true"), ("nop*.py",): (2, "No file matches 'nop*.py'"),
    ("",): (2, "There is no claim ''"), ("::f",): (2, "There is no claim '::f'"),
    ("zz.*",): (2, "There is no claim 'zz.*'"), ("nowhere.py::f",): (2, "There is no file nowhere.py"),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_what_means_nothing_is_refused_in_a_sentence(words):
    code, sentence = REFUSED[words]
    for command in ("check", "list"):
        result = call(command, *words)
        assert (result.exit_code, sentence in result.stderr) == (code, True), result.output
        assert "Traceback" not in result.output


def test_all_commands_take_the_same_targets():
    check("a.py")
    for command in (["show"], ["search", "--seconds", "0"], ["sharpen"]):
        for target in ("a.py::g", "a.g", "*.py::g", "g"):
            result = call(*command, target)
            assert (result.exit_code, "a.g" in result.output or "seed 0" in result.output) == (0, True), result.output
    certificate = "reports/certificates/a.g.json"
    for texts in ([], ["a.py"], ["a.py::g"], ["*.py"]):
        assert call("verify", certificate, *texts).output.startswith("CONFIRMED  a.g")
        assert "violated" in call("replay", certificate, *texts).output
    assert call("verify", "reports/certificates/*.json").output.startswith("CONFIRMED  a.g")
    assert call("verify", certificate, "a.py::f").exit_code == 3
    assert call("gate", "--baseline", "b.json", "--missing", "create", "--text", "a.py::g").exit_code == 0


def test_one_claim_of_a_file_has_the_share_that_it_has_beside_the_others():
    check("a.py::f")
    alone = json.loads(Path("reports/verdicts.json").read_text())["claims"]
    check("a.py")
    assert alone == json.loads(Path("reports/verdicts.json").read_text())["claims"][:1]


def test_without_a_target_claims_of_ones_own_are_meant():
    assert check().exit_code == 0
    assert rows() == {"a.f": "HOLDS", "a.g": "REFUTED"}
    write("pyproject.toml", '[tool.pytest.ini_options]\nboundcheck_paths = ["sub folder"]\n')
    assert call("list").output.split()[0] == "b.f"
    write("pyproject.toml", '[tool.pytest.ini_options]\nboundcheck_paths = ["nowhere"]\n')
    assert "There is no nowhere, which boundcheck_paths of pyproject.toml names." in call("check").stderr
    write("pyproject.toml", "[tool")
    assert "pyproject.toml cannot be read" in call("check").stderr
    Path("pyproject.toml").unlink()
    write("theory/t.py", text(t=TRUE))
    assert call("list").output.split()[0] == "t.t"


def test_where_nothing_is_stated_a_sentence_says_what_to_do():
    Path("a.py").unlink()
    result = check()
    assert result.exit_code == 5
    assert "`boundcheck init`" in result.stderr
    assert "li2021.lemma27" in call("list").output


def test_two_files_of_one_name_are_two_modules_and_their_claims_clash():
    declared = "@setting\nclass Case:\n    x: Unit\n\n\n"
    body = '@theorem("s")\ndef {0}(case: Case):\n    return at_most(case.x, {0}_bound)\n\n\n{0}_bound = 1\n'
    start = "from boundcheck import Unit, at_most, setting, theorem\n\n\n"
    for folder, name in (("one", "p"), ("two", "q")):
        write(f"{folder}/same.py", start + "# " * (folder == "two") + "\n" + declared + body.format(name))
    alone = [load_claims(f"{folder}/same.py")[0].fingerprint for folder in ("one", "two")]
    together = [c.fingerprint for c in load_claims("one/same.py", "two/same.py")]
    assert together == alone
    write("two/same.py", start + declared + body.format("p"))
    assert "Two claims are called same.p: at one/same.py:10 and at two/same.py:9; rename one." in check("one", "two").stderr


USES = "from boundcheck import Unit, at_most, theorem\nfrom helpers import K\n" + CLAIM.format("{}", "K")


@pytest.fixture
def _path(monkeypatch):
    """Folders that a test puts where modules are found, and what is found there, are forgotten."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr("boundcheck.words.loading.BESIDE", [])
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(Path().resolve())):
            del sys.modules[name]


@pytest.mark.usefixtures("_path")
def test_a_file_imports_what_stands_beside_it():
    write("own/mine.py", USES.format("f"))
    write("own/helpers.py", "from lib.constants import K\n")
    write("own/lib/constants.py", "K = 0.2\n")
    assert check("own/mine.py").exit_code == 0
    assert rows() == {"mine.f": "REFUTED"}
    assert call("verify", "reports/certificates/mine.f.json", "own/mine.py").output.startswith("CONFIRMED")
    (claim,) = load_claims("own/mine.py")
    assert claim.check().refuted


def test_what_a_file_reads_beside_it_belongs_to_the_meaning_of_its_claims():
    """In processes of their own, for no process loads a module twice."""
    write("own/mine.py", USES.format("f"))
    command = [sys.executable, "-m", "boundcheck.commands.main", "check", "own/mine.py", "--resume", "--fail-on", "none"]
    said = []
    for bound in ("0.2", "0.2", "0.25"):
        write("own/helpers.py", f"K = {bound}\n")
        done = subprocess.run([*command, "--workers", "1"], capture_output=True, text=True, cwd=Path.cwd())
        said.append((done.stderr, "kept from before" in done.stdout, rows()["mine.f"]))
    assert said == [("", False, "REFUTED"), ("", True, "REFUTED"), ("", False, "HOLDS")]


@pytest.mark.usefixtures("_path")
def test_what_stands_beside_another_file_is_never_taken_in_its_place():
    for folder, bound in (("one", TRUE), ("two", FALSE)):
        write(f"{folder}/{folder}.py", USES.format("f"))
        write(f"{folder}/helpers.py", f"K = {bound}\n")
    write("three/three.py", USES.format("f"))
    write("four/four.py", "from boundcheck import Unit, at_most, theorem\nimport helpers\n" + CLAIM.format("f", "helpers.K"))
    write("four/helpers/of.py", "K = 1\n")
    result = check("one", "two", "three", "four")
    assert result.exit_code == 2
    assert rows() == {"one.f": "HOLDS"}
    at, instead = Path().resolve(), "rename one, or give the files in runs of their own."
    for line in (
        f"two/two.py imports helpers and means {at}/two/helpers.py, but Python finds {at}/one/helpers.py; {instead}",
        f"three/three.py imports helpers and has none beside it, but Python finds {at}/one/helpers.py; {instead}",
        f"four/four.py imports helpers and has none beside it, but Python finds {at}/one/helpers.py; {instead}",
    ):
        assert line in result.stderr


@pytest.mark.usefixtures("_path")
@pytest.mark.parametrize("where", ["mine.py", "helpers.py"])
def test_what_stands_beside_a_file_and_is_called_like_a_library_is_refused(where):
    write("own/mine.py", USES.format("f"))
    write("own/helpers.py", "K = 0.2\n")
    write("own/statistics.py", "def mean(x):\n    return x\n")
    write(f"own/{where}", f"{Path('own', where).read_text()}\n\ndef later():\n    from statistics import mean\n")
    result = check("own/mine.py")
    assert result.exit_code == 2
    means = f"means {Path('own/statistics.py').resolve()}, but Python finds "
    assert f"Error: own/mine.py imports statistics and {means}" in result.stderr
    assert str(Path("own").resolve()) not in sys.path


def test_a_worker_that_was_at_work_before_judges_nothing_by_an_earlier_text():
    write("own/mine.py", USES.format("f"))
    program = """
    import sys
    from pathlib import Path
    sys.path.insert(0, "own")
    sys.dont_write_bytecode = True
    helpers = Path("own/helpers.py")
    for bound in ("0.2", "0.25", "0.1"):  # one more than there are workers
        helpers.write_text(f"K = {bound}\\n")
        for name in ("mine", "helpers"):
            sys.modules.pop(name, None)
        import mine
        from boundcheck import check
        print(repr(check(mine, workers=2)[0]) == repr(check(mine)[0]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert (done.stderr, done.stdout.split()) == ("", ["True"] * 3)


def test_a_claim_is_shown_where_it_stands_seen_from_here(monkeypatch):
    assert "\na.py:4\n" in call("show", "f", "a.py").output
    monkeypatch.chdir("sub folder")
    assert "\nb.py:4\n" in call("show", "b.h", "b.py").output.replace(":9", ":4")
    assert "a.py:4\n" in call("show", "f", "../a.py").output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
def test_what_cannot_be_printed_is_no_fault_of_the_report():
    command = [sys.executable, "-m", "boundcheck.commands.main", "check", "a.py", "--workers", "1"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: 'standard output' cannot be written (No space left on device)")


def test_a_report_keeps_the_verdicts_on_other_files():
    check("a.py")
    result = check("sub folder")
    assert rows() == {"a.f": "HOLDS", "a.g": "REFUTED", "b.f": "HOLDS", "b.h": "HOLDS"}
    assert "Kept from earlier runs: 2 verdicts on other claims\n" in result.output
    assert "a.g" not in result.output
    assert "2 of these verdicts are of earlier runs" in Path("reports/verdicts.md").read_text()
    assert Path("reports/certificates/a.g.json").exists()


def test_a_verdict_that_is_kept_does_not_fail_a_run():
    assert call("check", "a.py", "--workers", "1").exit_code == 1
    assert call("check", "sub folder", "--workers", "1").exit_code == 0


def test_the_report_finds_its_files_from_any_folder(monkeypatch):
    check("sub folder")
    write("elsewhere/deep/c.py", text(k=TRUE))
    monkeypatch.chdir("elsewhere/deep")
    result = call("check", "c.py", "--workers", "1", "--reports", "../../reports")
    assert "Kept from earlier runs: 2 verdicts" in result.output


def test_a_claim_of_another_name_is_another_claim():
    paper = "from boundcheck import Paper, Unit, at_most\n\npaper = Paper('k', 't')\n"
    stated = "\n\n@paper.lemma({})\ndef {}(x: Unit):\n    return at_most(x, 1)\n"
    write("p.py", paper + stated.format(1, "f") + stated.format(2, "g"))
    check("p.py")
    write("p.py", paper + stated.format(3, "f") + stated.format(2, "g"))
    assert "Dropped, for no file states them any more: k.lemma1\n" in check("p.py::k.lemma2").output
    assert set(rows()) == {"k.lemma2"}


def test_a_claim_that_is_gone_takes_its_verdict_and_certificate_with_it():
    check("a.py", "sub folder")
    write("a.py", text(f=TRUE))
    result = check("sub folder")
    assert rows() == {"a.f": "HOLDS", "b.f": "HOLDS", "b.h": "HOLDS"}
    assert "Dropped, for no file states them any more: a.g\n" in result.output
    assert [p.as_posix() for p in Path("reports/certificates").rglob("*.json")] == ["reports/certificates/old/a.g.json"]
    Path("a.py").unlink()
    assert "Dropped, for no file states them any more: a.f\n" in check("sub folder").output


def test_a_verdict_on_an_older_text_is_kept_and_named():
    check("a.py", "sub folder")
    write("a.py", text(f=TRUE, g=TRUE))
    assert "Kept from earlier runs: 2 verdicts on other claims (1 of an older text: check it again)" in check("sub folder").output
    assert check("a.py").exit_code == 0
    assert rows()["a.g"] == "HOLDS"
    assert not Path("reports/certificates/a.g.json").exists()


def test_only_certificates_are_set_aside_and_only_by_the_report_of_the_folder():
    check("a.py")
    write("reports/certificates/notes.json", "{}")
    write("reports/certificates/renamed.json", Path("reports/certificates/a.g.json").read_text())
    check("sub folder", "--json", "elsewhere.json")
    check("sub folder")
    assert sorted(p.name for p in Path("reports/certificates").glob("*.json")) == ["a.g.json", "notes.json", "renamed.json"]


def test_a_row_that_was_only_kept_is_judged_again_under_another_plan(monkeypatch):
    check("a.py::f")
    monkeypatch.setitem(PLANS, "ci", Plan("ci", instances=9, work=90, trials=500))
    check("a.py::g", "--budget", "ci")
    result = check("a.py", "--budget", "ci", "--resume")
    assert "2 claims (1 kept from before)" in result.output
    kept = {r["id"]: r for r in json.loads(Path("reports/verdicts.json").read_text())["claims"]}
    assert kept["a.f"]["evidence"]["instances"] == 9


def test_a_report_that_cannot_be_read_is_replaced_and_that_is_said():
    write("reports/verdicts.json", "junk")
    result = check("a.py")
    assert "Replaced: reports/verdicts.json is not a boundcheck report" in result.output
    assert set(rows()) == {"a.f", "a.g"}


def test_files_that_state_nothing_are_passed_over_only_if_asked():
    assert check("a.py", "notes.py", "--lenient").exit_code == 0
    assert check("notes.py", "--lenient").output == "No file states a claim.\n"
    write("plain.py", "x = 1\n")
    assert check("plain.py").exit_code == 5


def test_init_begins_and_overwrites_nothing():
    Path("a.py").unlink()
    result = call("init")
    assert result.exit_code == 0, result.output
    assert rows() == {"claims.hoeffding": "HOLDS"}
    assert call("gate", "--baseline", "baseline.json").exit_code == 0
    made = {path: Path(path).read_text() for path in ("claims.py", "baseline.json", ".github/workflows/boundcheck.yml", ".gitignore")}
    assert call("init").exit_code == 0
    assert made == {path: Path(path).read_text() for path in made}


def test_each_push_is_compared_at_the_budget_of_the_baseline(monkeypatch):
    monkeypatch.setattr("boundcheck.commands.init._baseline", lambda budget: None)
    assert call("init", "--budget", "ci").exit_code == 0
    assert "boundcheck check --budget ci --fail-on none" in Path(".github/workflows/boundcheck.yml").read_text(encoding="utf-8")


def test_init_takes_the_claims_that_are_here():
    assert call("init").exit_code == 0
    assert not Path("claims.py").exists()
    assert [r["id"] for r in json.loads(Path("baseline.json").read_text())["claims"]] == ["a.f", "a.g"]


def yaml_of(name: str):
    yaml = pytest.importorskip("yaml")
    if not (ROOT / name).exists():
        pytest.skip("the sources are not here")
    return yaml.safe_load((ROOT / name).read_text())


CHEAP = """
import os
from boundcheck.checking.plan import PLANS, Plan
from boundcheck.commands.main import main

os.cpu_count = lambda: 1
PLANS["quick"] = Plan("quick", instances=8, work=80, trials=500)
main()
"""


def shell(script: str, **names: str) -> subprocess.CompletedProcess[str]:
    """What bash makes of a script in which `boundcheck` is this one, with one worker and a small plan."""
    write("bin/boundcheck", f"#!{sys.executable}\n{CHEAP}")
    Path("bin/boundcheck").chmod(0o755)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{Path('bin').resolve()}:{os.environ['PATH']}", **names}
    return subprocess.run(["bash", "-eo", "pipefail", "-c", script], env=env, capture_output=True, text=True, check=False)


def test_the_workflow_runs_commands_that_exist():
    from boundcheck import __version__
    from boundcheck.commands.init import EACH_PUSH

    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(EACH_PUSH)["jobs"]["claims"]["steps"]
    assert next(step["run"] for step in steps if "run" in step) == f"pip install boundcheck=={__version__}"
    write("a.py", text(f=TRUE))
    check("a.py")
    call("gate", "--baseline", "baseline.json", "--missing", "create")
    done = shell("\n".join(step["run"] for step in steps if "run" in step and not step["run"].startswith("pip")))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 regressions, 0 accepted, 0 improved, 0 restated, 0 new"), done


def test_the_action_checks_and_compares():
    action = yaml_of("action.yml")
    steps = {step["name"]: step for step in action["runs"]["steps"] if "name" in step}
    assert all(step["shell"] == "bash" for step in steps.values())
    inputs = {name: entry["default"] for name, entry in action["inputs"].items()}
    spelled = {f"${{{{ inputs.{name} }}}}": name for name in inputs}
    for name in ("Check", "Compare with the baseline"):
        assert set(steps[name]["env"].values()) <= set(spelled)
    given = {**inputs, "targets": "sub folder\n\na.py::f\n", "reports": "out"}

    def run(step: dict, **more: str):
        values = {**given, **more}
        return shell(step["run"], **{name: values[spelled[text]] for name, text in step["env"].items()})

    assert run(steps["Check"]).returncode == 0
    assert [r["id"] for r in json.loads(Path("out/verdicts.json").read_text())["claims"]] == ["a.f", "b.f", "b.h"]
    assert run(steps["Check"], targets="a.py").returncode == 1
    call("gate", "out/verdicts.json", "--baseline", "base.json", "--missing", "create")
    assert run(steps["Check"], targets="a.py", baseline="base.json").returncode == 0
    assert run(steps["Compare with the baseline"], baseline="base.json").returncode == 0
    write("a.py", text(f=FALSE, g=FALSE))
    run(steps["Check"], targets="a.py", baseline="base.json")
    assert run(steps["Compare with the baseline"], baseline="base.json").returncode == 1


GH = """#!/bin/bash
echo "$*" >> calls
case "$*" in
  *--paginate*) cat known ;;
  *--method*) [ ! -f forbidden ] && cp "$(sed 's/.*body=@//' <<< "$*")" posted.md ;;
esac
"""


def test_the_action_keeps_one_comment_and_writes_a_badge():
    steps = {step["name"]: step["run"] for step in yaml_of("action.yml")["runs"]["steps"] if "name" in step}
    names = {"REPORTS": "out", "NUMBER": "7", "GITHUB_REPOSITORY": "me/it", "GITHUB_ACTIONS": ""}
    write("bin/gh", GH)
    Path("bin/gh").chmod(0o755)
    write("known", "")
    assert shell(steps["Badge"] + steps["Comment"], **names).returncode == 0
    assert not Path("calls").exists()
    check("a.py", "--reports", "out")
    assert shell(steps["Badge"], **names).returncode == 0
    assert Path("out/badge.svg").read_text().startswith("<svg")
    write("out/gate.md", "## boundcheck gate\n" + "é" * 65_000)
    for known, last in (("", "--method POST repos/me/it/issues/7/comments"), ("5\n", "--method PATCH repos/me/it/issues/comments/5")):
        write("known", known)
        done = shell(steps["Comment"], **names)
        assert (done.returncode, done.stdout) == (0, ""), done
        assert last in Path("calls").read_text().splitlines()[-1]
        assert 64_000 < len(Path("posted.md").read_text()) < 65_536
    write("forbidden", "")
    done = shell(steps["Comment"], **names)
    assert (done.returncode, "pull-requests: write" in done.stdout) == (0, True), done


def test_the_hook_judges_the_files_that_it_is_given():
    (hook,) = yaml_of(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language", "types"} <= set(hook)
    assert hook["require_serial"]
    assert shell(f"{hook['entry']} notes.py 'sub folder/b.py'").returncode == 0
    assert shell(f"{hook['entry']} notes.py").returncode == 0
    refuted = shell(f"{hook['entry']} a.py")
    assert (refuted.returncode, "REFUTED" in refuted.stdout) == (1, True)
    accepting = shell(f"{hook['entry']} --fail-on none a.py")
    assert accepting.returncode == 0
    assert Path(".boundcheck/.gitignore").read_text() == "*\n"


def test_a_folder_that_is_not_new_is_not_kept_out_of_git():
    write(".proofs/notes.txt", "mine")
    assert call("check", "a.py::f", "--reports", ".proofs").exit_code == 0
    assert call("check", "a.py::f", "--reports", "shown").exit_code == 0
    assert not Path(".proofs/.gitignore").exists()
    assert not Path("shown/.gitignore").exists()


def test_ids_are_found_in_the_text_alone():
    assert list(ids_in(Path("a.py"))) == ["a.f", "a.g"]
    assert list(ids_in(Path("notes.py"))) == []
    if (ROOT / "theory").is_dir():
        assert set(ids_here()) == {"a.f", "a.g"} | {c.id for c in load_claims(ROOT / "theory")}


COMPLETED = {
    ("boundcheck check a.", 2): {"a.f", "a.g"}, ("boundcheck show li2021.lemma27.h", 2): {"li2021.lemma27.half"},
    ("boundcheck check a.py::a.g", 2): {"a.py::a.g"}, ("boundcheck sharp", 1): {"sharpen"},
}  # fmt: skip


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_a_shell_completes_ids(monkeypatch, shell_name):
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell_name)
    assert kind is not None
    for (words, k), wanted in COMPLETED.items():
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", words.split()[-1] if shell_name == "fish" else str(k))
        told = kind(main, {}, "boundcheck", "_BOUNDCHECK_COMPLETE").complete()
        assert {i for i in wanted if i in told} == wanted, told


def test_completion_runs_nothing_and_loads_nothing_heavy():
    heavy = "numba numpy scipy hypothesis rich theory".split()
    ask = (
        "import sys\nfrom boundcheck.commands.main import main\n"
        f"try:\n    main(prog_name='boundcheck')\nfinally:\n    print([m for m in {heavy} if m in sys.modules])"
    )
    asked = {"_BOUNDCHECK_COMPLETE": "bash_complete", "COMP_WORDS": "boundcheck check a.", "COMP_CWORD": "2"}
    env = {**os.environ, "PYTHONPATH": str(ROOT), **asked}
    done = subprocess.run([sys.executable, "-c", ask], env=env, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["file,a.", "plain,a.f", "plain,a.g", "[]"], done


def test_a_claim_without_a_docstring_is_listed_with_its_source():
    stated = "@theorem('Euler, by letter')\ndef f(x: Unit):\n    return at_most(x, 1)\n"
    write("bare.py", f"from boundcheck import Unit, at_most, theorem\n\n{stated}")
    assert call("list", "bare.py").output == "bare.f  theorem     Euler, by letter\n"


CLASSES = {
    "setting over a frozen dataclass": ("@setting\n@dataclass(frozen=True)", "x: Unit", "", ""),
    "setting over a dataclass": ("@setting\n@dataclass", "x: Unit", "", "@setting makes a frozen dataclass by itself"),
    "setting without a domain": ("@setting", "x: float", "", "Case: annotate the field 'x' with a domain"),
    "dataclass": ("@dataclass(frozen=True, slots=True)", "x: Unit", "", "annotate the parameter 'case' with a domain"),
    "one of a base": ("@setting", "x: Unit", "\n\n@dataclass(frozen=True)\nclass Case(Case):\n    y: Unit\n", "annotate the"),
}


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_wrong_with_a_class_is_wrong_with_the_claims_that_want_it(name):
    decorators, fields, more, sentence = CLASSES[name]
    start = "from dataclasses import dataclass\nfrom boundcheck import Unit, at_most, setting, theorem\n\n\n"
    stated = '\n\n@theorem("s")\ndef {}({}):\n    return at_most({}, 1)\n'
    claims = stated.format("f", "x: Unit", "x") + stated.format("g", "case: Case", "case.x")
    write("c.py", f"{start}{decorators}\nclass Case:\n    {fields}\n{more}{claims}")
    result = check("c.py")
    assert result.exit_code == (2 if sentence else 0)
    assert sentence in result.stderr
    assert rows()["c.f"] == "HOLDS"


def test_a_theorem_without_a_source_is_out_alone():
    write("c.py", text(f=TRUE, g=TRUE).replace('@theorem("s")\ndef g', "@theorem\ndef g"))
    result = check("c.py")
    assert result.exit_code == 2
    assert "Write where the theorem comes from" in result.stderr
    assert rows()["c.f"] == "HOLDS"


def test_a_name_that_is_stated_twice_is_refused():
    claim = '@theorem("{0}")\ndef same(x: Real):\n    return at_most(x, {0})\n\n\n'
    write("twice.py", "from boundcheck import Real, at_most, theorem\n\n\n" + claim.format(0) + claim.format(1))
    assert "twice.py states 'same' twice, at lines 5 and 10; rename one." in check("twice.py").stderr
