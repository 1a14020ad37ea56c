"""Every command, whatever happens to it: one sentence, the right exit code, no traceback, no work lost."""

import errno
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from boundcheck import exits
from boundcheck.checking.judge import PLANS, Plan
from boundcheck.commands import shell
from boundcheck.commands.main import main
from theory.wang2019 import worst_labels
from theory.wang2019.sweep.command import command as sweep

CLAIMS = """
from boundcheck import Unit, at_most, theorem

@theorem("s")
def f(x: Unit):
    return at_most(x * (1 - x), 0.2)

@theorem("s")
def g(x: Unit):
    return at_most(x * (1 - x), 0.25)
"""
CERTIFICATE = "reports/certificates/mine.f.json"
SWEEP = ("t.csv", "--sizes", "2,4", "--repeats", "2", "--workers", "1")
MAPS = (
    *("tests.conform.maps:Cosines", "tests.conform.maps:Centred"),
    *("--kernel", "gaussian", "--trials", "20", "--fail-on", "none"),
)

RUNS = {
    "audit": (("t.csv", "--trials", "2", "--lam", "0.2"), "boundcheck.features.audit.run.audit"),
    "check": (("mine.py", "--workers", "1", "--fail-on", "none"), "boundcheck.running.suite.judge_all"),
    "conform": (MAPS, "boundcheck.features.conform.run.conformance_of"),
    "formalize": ((CERTIFICATE,), "boundcheck.verifier.rocq.formalized"),
    "gate": (("--baseline", "baseline.json"), "boundcheck.report.gate.compare"),
    "init": ((), "boundcheck.commands.init.own"),
    "latex": (("paper.tex", "--fail-on", "none"), "boundcheck.report.paper.cited.citations"),
    "list": (("mine.py",), "boundcheck.words.loading.selected"),
    "mcp": ((), "boundcheck.commands.mcp.served"),
    "plan": (("--delta", "0.1"), "boundcheck.checking.confidence.trials_to_decide"),
    "replay": ((CERTIFICATE, "mine.py"), "boundcheck.domains.instances.inside"),
    "report": (("reports/verdicts.json",), "boundcheck.report.reading.read"),
    "search": (("mine.f", "mine.py", "--seconds", "0"), "boundcheck.commands.search.restarts"),
    "selftest": ((), "boundcheck.checking.trust.stopping_rules"),
    "sharpen": (("mine.f", "mine.py"), "boundcheck.checking.sharpen.judge"),
    "show": (("mine.f", "mine.py"), "boundcheck.words.loading.select"),
    "sweep": (SWEEP, "theory.wang2019.sweep.run.sweep"),
    "verify": ((CERTIFICATE, "mine.py"), "boundcheck.checking.verification.examine"),
    "worst_labels": (("--sizes", "8,16"), "theory.wang2019.worst_labels.table"),
}
"""Each command and an experiment of a paper: arguments that are fine, and what is called amid the work."""

OUTPUTS = [
    ("audit", "--reports", "audit-t.json"), ("check", "--reports", "verdicts.json"), ("check", "--json", ""),
    ("conform", "--reports", "conformance-Cosines.md"), ("formalize", "-o", ""), ("latex", "-o", ""),
    ("report", "--output", ""), ("report", "-o", ""), ("search", "-o", ""), ("sharpen", "--json", ""),
    ("sharpen", "--plot", ""), ("sweep", "--reports", "sweep-t-gaussian.md"),
    ("worst_labels", "--reports", "wang2019-worst_labels.json"),
]  # fmt: skip
"""Each option that names what is written, and for a folder a file that is then in it."""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Iterator[Path]:
    """A folder with claims, data, and the reports of a check."""
    folder, small = tmp_path_factory.mktemp("made"), Plan("quick", instances=8, work=80, trials=500)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setitem(PLANS, "quick", small)
        patch.setitem(main.commands, "sweep", sweep)
        patch.setitem(main.commands, "worst_labels", worst_labels.main)
        patch.setattr(worst_labels, "DIMENSIONS", (2,))
        Path("mine.py").write_text(CLAIMS)
        Path("paper.tex").write_text(r"Lemma 1 \claim{mine.f}.")
        Path("blocked").write_text("a file, no folder")
        Path("folder").mkdir()
        rows = np.random.default_rng(1).normal(size=(12, 3))
        np.savetxt("t.csv", rows, delimiter=",", header="a,b,y", comments="")
        assert call("check").exit_code == exits.FINE
        shutil.copy("reports/verdicts.json", "baseline.json")
        yield folder


@pytest.fixture(autouse=True)
def _here(made, tmp_path, monkeypatch):
    """A copy of that folder is where the test runs."""
    shutil.copytree(made, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")


def call(name: str, *more: str) -> Result:
    return CliRunner().invoke(main, [name, *RUNS[name][0], *more])


def files() -> dict[Path, bytes]:
    found = (path for path in Path().rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path: path.read_bytes() for path in found}


def assert_one_sentence(result: Result, code: int) -> str:
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    said = result.stderr.split("Error: ")[1] if code == exits.USAGE else result.stderr.lstrip()
    assert said.count("\n") == 1
    assert said.endswith(".\n")
    return said


def fails(error: BaseException) -> Any:
    def function(*_: object, **__: object) -> None:
        raise error

    return function


def named(option: str, place: str) -> str:
    """The place, with the suffix that a figure takes."""
    return f"{place}.svg" if option == "--plot" else place


OWN = {path.stem for path in Path(shell.__file__).parent.glob("*.py")} - {"__init__", "main", "shell"}


def test_every_command_is_here():
    assert set(RUNS) >= OWN


@pytest.mark.parametrize("place", ["blocked/x", "blocked/x/y", "blocked", "folder"])
@pytest.mark.parametrize(("name", "option", "holds"), OUTPUTS)
def test_what_cannot_be_written_is_refused_before_anything_is_done(monkeypatch, name, option, holds, place):
    if place == ("folder" if holds else "blocked"):
        return  # this can be written
    if option == "--plot" and place == "folder":
        Path("folder.svg").mkdir()
    monkeypatch.setattr(RUNS[name][1], fails(AssertionError("it began to work")))
    before = files()
    assert place in assert_one_sentence(call(name, option, named(option, place)), exits.USAGE)
    assert files() == before


@pytest.mark.parametrize(("name", "option", "holds"), OUTPUTS)
def test_a_folder_that_is_missing_is_made(name, option, holds):
    if option == "--plot":
        pytest.importorskip("matplotlib")
    place = Path("new", "deep", named(option, "x"))
    result = call(name, option, str(place))
    assert result.exit_code == exits.FINE, result.output
    assert (place / holds).is_file()
    assert [path for path in Path("new").rglob("*") if path.name.startswith(".")] == []


ERRORS = {"Ctrl-C": KeyboardInterrupt(), "what a library made of it": RuntimeError("the pool is broken")}
ERRORS["what a library made of it"].__cause__ = KeyboardInterrupt()


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("name", RUNS)
def test_an_interruption_is_one_line(monkeypatch, name, error):
    monkeypatch.setattr(RUNS[name][1], fails(ERRORS[error]))
    before = files()
    said = assert_one_sentence(call(name), exits.INTERRUPTED)
    assert said.startswith("Interrupted")
    assert files() == before


@pytest.mark.parametrize("name", RUNS)
def test_a_defect_is_not_taken_for_a_refutation(monkeypatch, name):
    monkeypatch.setattr(RUNS[name][1], fails(ZeroDivisionError("0")))
    result = call(name)
    assert result.exit_code == exits.UNTRUSTWORTHY
    assert "ZeroDivisionError" in result.stderr
    assert "defect" in result.stderr


@pytest.mark.parametrize("name", RUNS)
def test_a_full_disk_is_no_defect(monkeypatch, name):
    """Whatever could not be written: standard output, the file of a report, or what a library keeps."""
    monkeypatch.setattr(RUNS[name][1], fails(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    assert "No space left" in assert_one_sentence(call(name), exits.USAGE)


def after(calls: int, function: Any) -> Any:
    """The function, interrupted when it was called so many times."""
    left = [calls]

    def counted(*arguments: object, **named: object) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return function(*arguments, **named)

    return counted


def test_an_interrupted_sharpen_keeps_the_points_that_it_has(monkeypatch):
    from boundcheck.checking import sharpen

    monkeypatch.setattr(sharpen, "judge", after(2, sharpen.judge))
    assert_one_sentence(call("sharpen", "--json", "x.json"), exits.INTERRUPTED)
    assert len(json.loads(Path("x.json").read_text())["curve"]) == 2


def test_an_interrupted_search_keeps_what_it_found(monkeypatch):
    from boundcheck.commands import search

    def restarts(*arguments):
        yield next(real(*arguments))
        raise KeyboardInterrupt

    real = search.restarts
    monkeypatch.setattr(search, "restarts", restarts)
    assert_one_sentence(call("search", "--seconds", "9", "-o", "x.json"), exits.INTERRUPTED)
    assert "part 0: violated, " in CliRunner().invoke(main, ["replay", "x.json", "mine.py"]).stdout


def test_an_interrupted_conform_keeps_the_maps_that_it_has_examined(monkeypatch):
    from boundcheck.features.conform import run

    monkeypatch.setattr(run, "conformance_of", after(1, run.conformance_of))
    result = call("conform", "--reports", "x")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (exits.INTERRUPTED, "Interrupted.")
    assert {path.name for path in Path("x").iterdir()} == {"conformance-Cosines.json", "conformance-Cosines.md"}


def test_an_interrupted_check_keeps_its_verdicts_and_goes_on(monkeypatch):
    from boundcheck.running import suite

    with monkeypatch.context() as patch:
        patch.setattr(suite, "judge", after(1, suite.judge))
        result = call("check", "--reports", "x")
    *told, _, said = result.stderr.splitlines()
    assert (result.exit_code, "--resume" in said) == (exits.INTERRUPTED, True)
    assert told == ["mine.f: REFUTED, lhs = 0.25 > 0.2 = rhs at x = 0.5"]
    assert len(json.loads(Path("x/verdicts.json").read_text())["claims"]) == 1
    assert "1 kept from before" in call("check", "--reports", "x", "--resume").stdout


BAD: dict[str, list[tuple[str, ...]]] = {
    "audit": [
        ("nowhere.csv",), ("blocked",), ("t.csv", "--eps", "2"), ("t.csv", "--bandwidth", "wide"),
    ],
    "check": [
        ("nowhere.py",), ("mine.h", "mine.py"), ("bad.py",), ("mine.py", "--reports", "junk", "--resume"),
    ],
    "conform": [("nowhere:Map",), ("Map",), (*MAPS, "--sizes", "2,x")],
    "gate": [
        ("blocked", "--baseline", "baseline.json"), ("--baseline", "nowhere.json"),
        ("--baseline", "blocked/x.json", "--missing", "create"),
        ("--baseline", "baseline.json", "--text", "bad.py"),
    ],
    "latex": [("nowhere.tex",), ("folder",), ("paper.tex", "--report", "nowhere.json"), ("paper.tex", "--text", "bad.py")],
    "list": [("bad.py",), ("nowhere.py",)],
    "plan": [("--delta", "0.1", "--eps", "0.5", "--data", "blocked"), ("--delta", "2")],
    "replay": [("nowhere.json",), ("blocked",), (CERTIFICATE, "bad.py")],
    "report": [
        ("nowhere.json",), ("blocked",), ("--paper", "nobody"),
        ("--format", "html", "--sweep", "blocked"),
    ],
    "search": [("mine.h", "mine.py"), ("mine", "mine.py"), ("f", "bad.py")],
    "sharpen": [
        ("mine.h", "mine.py"), ("mine.f", "mine.py", "--constant", "c"),
        ("mine.f", "mine.py", "--plot", "x.wav"),
    ],
    "show": [("mine.h", "mine.py"), ("mine.f", "nowhere.py")],
    "sweep": [
        ("nowhere.csv",), ("blocked",), ("t.csv", "--sizes", "8,2"),
        ("t.csv", "--workers", "tcp://nowhere"),
    ],
    "verify": [(CERTIFICATE, "bad.py"), ("mine.py",)],
    "worst_labels": [("--sizes", "0,8"), ("--sizes", "8")],
}  # fmt: skip


@pytest.mark.parametrize("arguments", [(name, *more) for name, kinds in BAD.items() for more in kinds], ids=" ".join)
def test_bad_files_and_numbers_are_refused(arguments):
    Path("bad.py").write_text("def f(:\n")
    Path("junk").mkdir()
    Path("junk/verdicts.json").write_text("junk")
    before = files()
    assert_one_sentence(CliRunner().invoke(main, list(arguments)), exits.USAGE)
    assert files() == before


def test_show_tries_a_claim_or_says_what_is_wrong_with_its_text():
    assert "at x = 0.5: violated, 0.25 > 0.2" in call("show", "--try").stdout
    Path("wrong.py").write_text(CLAIMS.replace("at_most(x * (1 - x), 0.2)", "x <= 2"))
    result = CliRunner().invoke(main, ["show", "wrong.f", "wrong.py", "--try"])
    assert (result.exit_code, "The text fails: wrong.f (" in result.stdout) == (exits.FINE, True)


@pytest.mark.parametrize(("name", "says"), [("chek", "No such command 'chek'. Did you mean 'check'?"), ("xyzw", "No such command 'xyzw'.")])
def test_a_command_that_is_nearly_spelled_is_named(name, says):
    result = CliRunner().invoke(main, [name])
    assert (result.exit_code, result.output.splitlines()[-1]) == (exits.USAGE, f"Error: {says}")


def test_what_the_encoding_of_the_system_lacks_ends_in_a_sentence():
    Path("mine.py").write_text(CLAIMS.replace("def f(", "def müll("), encoding="utf-8")
    bare = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "boundcheck.commands.main", "check", "mine.py", "--workers", "1"]
    done = subprocess.run(command, env=bare, capture_output=True, text=True, encoding="utf-8", errors="replace")
    assert done.returncode == exits.USAGE, done.stderr
    assert "cannot be written in ascii, the encoding here; set PYTHONUTF8=1" in done.stderr


def test_files_that_cannot_be_loaded_have_a_line_each():
    for name in ("bad", "worse"):
        Path(f"{name}.py").write_text("def f(:\n")
    for arguments in (["list", "mine.py"], ["show", "mine.h", "mine.py"]):
        result = CliRunner().invoke(main, [*arguments, "bad.py", "worse.py"])
        assert result.exit_code == exits.USAGE
        named = [line for line in result.stderr.splitlines() if "bad.py, line 1" in line or "worse.py, line 1" in line]
        assert len(named) == 2


def test_what_libraries_warn_of_is_not_shown():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with shell.guarded():
            warnings.warn_explicit("a worker stopped", UserWarning, "x.py", 1, "joblib.externals.loky.process_executor")
            with pytest.raises(UserWarning, match="of a text"):
                warnings.warn_explicit("of a text", UserWarning, "mine.py", 1, "mine")


def test_a_reader_who_has_had_enough_is_no_fault_of_the_disk(monkeypatch):
    monkeypatch.setattr("boundcheck.report.gate.compare", fails(BrokenPipeError(32, "Broken pipe")))
    assert "cannot be written" not in call("gate").output


def test_what_states_nothing_selects_nothing():
    Path("empty.py").write_text("x = 1\n")
    for arguments in ("check empty.py", "list empty.py", "show f empty.py", "sharpen f empty.py"):
        result = CliRunner().invoke(main, arguments.split())
        assert result.exit_code == exits.NOTHING
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["audit", "sweep", "worst_labels"])
def test_without_matplotlib_there_is_all_but_the_figure(monkeypatch, name):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = call(name, "--reports", "x")
    assert result.exit_code == exits.FINE, result.output
    assert "pip install 'boundcheck[plots]'" in result.stderr
    assert sorted(path.suffix for path in Path("x").iterdir()) == [".json", ".md"]


def test_without_matplotlib_a_figure_is_refused_before_anything_is_done(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(RUNS["sharpen"][1], fails(AssertionError("it began to work")))
    said = assert_one_sentence(call("sharpen", "--plot", "x.svg"), exits.USAGE)
    assert "pip install 'boundcheck[plots]'" in said


def test_an_option_has_one_name_in_all_commands():
    kinds: dict[str, set[type]] = {}
    for name in RUNS:
        for option in main.get_command(None, name).params:  # type: ignore[arg-type, union-attr]
            if isinstance(option, click.Option):
                for spelled in option.opts:
                    kinds.setdefault(spelled, set()).add(type(option.type))
    shared = "--alpha --budget --fail-on --json --output --reports --seed --sizes --target --workers"
    assert [name for name in shared.split() if len(kinds[name]) != 1] == []
    written = {name for name, kind in kinds.items() if kind & {shell.Folder, shell.Output, shell.Figure}}
    assert written == {"-o", "--output", "--json", "--plot", "--reports"}


def test_a_link_stays_a_link_and_a_pipe_takes_what_comes():
    Path("target.json").write_text("old")
    Path("link.json").symlink_to("target.json")
    assert call("report", "--schema", "-o", "link.json").exit_code == exits.FINE
    assert Path("link.json").is_symlink()
    os.mkfifo("pipe")
    read: list[str] = []
    reader = Thread(target=lambda: read.append(Path("pipe").read_text()))
    reader.start()
    assert call("report", "--schema", "-o", "pipe").exit_code == exits.FINE
    reader.join()
    assert read == [Path("target.json").read_text()]
    assert Path("pipe").is_fifo()


HEAVY = {"numpy", "numba", "scipy", "hypothesis", "rich", "joblib", "flint", "matplotlib", "theory"}
HELP = f"""
import sys
from importlib import metadata
point = metadata.EntryPoint("heads", "mine.heads:main", "boundcheck.commands")
metadata.entry_points = lambda **asked: [point] if asked.get("group") == "boundcheck.commands" else []
from boundcheck.commands.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    print([m for m in sys.modules if m in {HEAVY}])
"""


def help_of(*arguments: str) -> str:
    command = [sys.executable, "-c", HELP, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_help_loads_nothing_heavy():
    assert {"sweep", "heads"} <= {*help_of("--help").split()}
    for arguments in (["--help"], ["--version"], *([name, "--help"] for name in OWN)):
        assert help_of(*arguments).endswith("\n[]\n"), arguments


def test_a_command_of_a_paper_is_loaded_when_it_is_called():
    assert "kernel ridge regression" in help_of("sweep", "--help")
