"""A run of `check`: the same report on any number of workers, and nothing lost."""

import errno
import gc
import json
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import click
import pytest

from boundcheck.checking.judge import PLANS, Plan
from boundcheck.checking.plan import Ledger
from boundcheck.commands.check import run
from boundcheck.exits import Refused
from boundcheck.report.formats import markdown
from boundcheck.report.reading import CannotRead, read
from boundcheck.running import Workers, never_swallowed
from boundcheck.running.kept import Kept
from boundcheck.words.loading import Selection, load_claims

SMALL = Plan("quick", instances=12, work=120, trials=1500, sampled_instances=2, confirmation_trials=20_000)
CLAIMS = '''"""Four claims, one of each kind of verdict."""

from boundcheck import E, P, Unit, assume, at_most, log, quantity, sqrt, theorem


@theorem("s")
def holds(x: Unit, y: Unit):
    return at_most(sqrt(x * y), (x + y) / 2)


@theorem("s")
def is_false(x: Unit, y: Unit):
    return at_most(sqrt(x * y), 0.9 * (x + y) / 2)


@theorem("s")
def open_question(x: Unit):
    return E(quantity(lambda rng, size: x * rng.standard_t(3, size))) <= 0


@theorem("s")
def void(x: Unit):
    assume(x > 2)
    return at_most(x, 0)
'''
SAMPLED = """

@theorem("s")
def sampled(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, x, size)) <= 0.9 * x) >= 0.5
"""


@pytest.fixture(autouse=True)
def _small_plan(monkeypatch):
    monkeypatch.setitem(PLANS, "quick", SMALL)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(CLAIMS)
    return path


def check(mine: Path, reports: Path, workers: int = 1, **options: Any) -> int:
    claims = load_claims(mine)
    only = options.pop("only", [c.id for c in claims])
    chosen = [c for c in claims if c.id in only]
    switches = {"resume": False, "accumulate": False, "fail_on": "refuted"}
    defaults = {"budget": "quick", "seed": None, "alpha": 1e-6, "json_path": None, **switches}
    found = Selection(chosen, claims, {c.id for c in claims})
    return run(found, workers=Workers(workers), reports=reports, **{**defaults, **options})


def report(reports: Path) -> dict[str, Any]:
    return read(reports / "verdicts.json").json()


def test_the_report_is_the_same_on_one_worker_and_on_two(mine, tmp_path):
    mine.write_text(CLAIMS + SAMPLED)
    assert check(mine, tmp_path / "a", workers=1) == check(mine, tmp_path / "b", workers=2) == 1
    one, two = report(tmp_path / "a"), report(tmp_path / "b")
    assert one.pop("volatile")
    assert two.pop("volatile")
    first, second = ((tmp_path / folder / "certificates" / "mine.is_false.json").read_bytes() for folder in "ab")
    assert first == second
    texts = [json.dumps(r).replace(f"{tmp_path}/{folder}/", "") for r, folder in ((one, "a"), (two, "b"))]
    assert texts[0] == texts[1]
    assert {r["id"][5:]: r["outcome"] for r in one["claims"]} == {
        "holds": "HOLDS", "is_false": "REFUTED", "open_question": "INCONCLUSIVE", "sampled": "HOLDS", "void": "VACUOUS",
    }  # fmt: skip
    assert one["summary"] == {"REFUTED": 1, "INCONCLUSIVE": 1, "VACUOUS": 1, "HOLDS": 2}
    assert one["ledger"] == {"total": 1e-6, "claims": 5}


def test_whoever_judges_a_claim_draws_its_curves(mine, tmp_path, monkeypatch):
    """And nobody else: a report on two workers has them, though this process cannot draw."""

    def drawn_here(*_: Any) -> None:
        raise AssertionError("curves are drawn by workers")

    check(mine, tmp_path / "a", only=["mine.holds", "mine.is_false"])
    monkeypatch.setattr("boundcheck.running.suite.curves", drawn_here)
    check(mine, tmp_path / "b", workers=2, only=["mine.holds", "mine.is_false"])
    one, two = (rows(tmp_path / folder) for folder in "ab")
    assert {id: r["curves"] for id, r in one.items()} == {id: r["curves"] for id, r in two.items()}
    assert all(r["curves"] for r in two.values())


@pytest.mark.parametrize(("fail_on", "only", "code"), [
    ("refuted", ["mine.holds"], 0), ("refuted", ["mine.is_false"], 1), ("none", ["mine.is_false"], 0),
    ("inconclusive", ["mine.open_question"], 3),
    ("refuted", ["mine.open_question", "mine.void"], 0), ("vacuous", ["mine.void"], 3), ("inconclusive,refuted", ["mine.is_false"], 1),
])  # fmt: skip
def test_exit_codes(mine, tmp_path, fail_on, only, code):
    assert check(mine, tmp_path / "r", fail_on=fail_on, only=only) == code


def judged(monkeypatch) -> list[str]:
    """The ids that are judged from now on."""
    seen: list[str] = []
    keep = Kept.keep
    monkeypatch.setattr(Kept, "keep", lambda self, claim, *rest: (seen.append(claim.id), keep(self, claim, *rest))[1])
    return seen


def test_resume_keeps_the_rows_of_unchanged_claims_only(mine, tmp_path, monkeypatch):
    check(mine, tmp_path / "r")
    before = report(tmp_path / "r")
    seen = judged(monkeypatch)
    check(mine, tmp_path / "r", resume=True)
    assert seen == []
    assert report(tmp_path / "r")["claims"] == before["claims"]
    mine.write_text(CLAIMS.replace("0.9 * (x + y)", "0.95 * (x + y)"))
    check(mine, tmp_path / "r", resume=True)
    assert seen == ["mine.is_false"]
    check(mine, tmp_path / "r", resume=True, seed=1)
    assert len(seen) == 5
    check(mine, tmp_path / "r", resume=True, seed=1, alpha=1e-3)
    assert len(seen) == 9


def test_a_worker_that_has_an_earlier_text_believes_no_verdict_on_it(mine, tmp_path, monkeypatch):
    check(mine, tmp_path / "r")
    seen = judged(monkeypatch)
    monkeypatch.setattr("boundcheck.running.kept.is_believed", lambda *_: True)
    mine.write_text(CLAIMS.replace("0.9 * (x + y)", "0.95 * (x + y)"))
    check(mine, tmp_path / "r", resume=True)
    assert seen == ["mine.is_false"]


def test_a_kept_counterexample_is_tried_first(mine, tmp_path, monkeypatch):
    nearly = CLAIMS.replace("sqrt(x * y), 0.9 * (x + y) / 2", "-((x - 0.123456) ** 2), -1e-9")
    mine.write_text(nearly)
    only = ["mine.is_false"]
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=1, work=1))
    assert check(mine, tmp_path / "r", only=only) == 0
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=20, work=3000))
    assert check(mine, tmp_path / "r", only=only) == 1
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=1, work=1))
    assert check(mine, tmp_path / "r", only=only) == 1
    assert check(mine, tmp_path / "elsewhere", only=only) == 0


def test_a_kept_counterexample_of_another_text_is_not_used(mine, tmp_path):
    check(mine, tmp_path / "r", only=["mine.is_false"])
    mine.write_text(CLAIMS.replace("0.9 * (x + y) / 2", "(x + y) / 2"))
    assert check(mine, tmp_path / "r", only=["mine.is_false"]) == 0


def test_an_interrupted_run_leaves_what_is_done_and_goes_on(mine, tmp_path, monkeypatch, capsys):
    keep = Kept.keep

    def interrupted(self: Any, *judged: Any) -> None:
        if len(self.rows) == 2:
            raise KeyboardInterrupt
        keep(self, *judged)

    monkeypatch.setattr(Kept, "keep", interrupted)
    assert check(mine, tmp_path / "r") == 130
    assert "what is finished is kept" in capsys.readouterr().err
    assert [r["id"] for r in report(tmp_path / "r")["claims"]] == ["mine.holds", "mine.is_false"]
    monkeypatch.setattr(Kept, "keep", keep)
    seen = judged(monkeypatch)
    assert check(mine, tmp_path / "r", resume=True) == 1
    assert seen == ["mine.open_question", "mine.void"]
    assert not list((tmp_path / "r").rglob(".*"))


CLOSE = """
@theorem("s")
def close(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, x, size)) <= 0.3 * x) >= 0.26


@theorem("s")
def rare(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, x, size)) <= x) >= 1 - 1e-5
"""


def rows(reports: Path) -> dict[str, dict[str, Any]]:
    return {r["id"]: r for r in report(reports)["claims"]}


def test_evidence_of_fresh_seeds_adds_up_within_one_budget(mine, tmp_path):
    mine.write_text(CLAIMS + CLOSE)
    only = ["mine.close", "mine.holds", "mine.is_false"]
    check(mine, tmp_path / "r", accumulate=True, only=only)
    first = rows(tmp_path / "r")
    assert first["mine.close"]["outcome"] == "INCONCLUSIVE"
    for _ in range(3):
        check(mine, tmp_path / "r", accumulate=True, only=only)
    last = rows(tmp_path / "r")
    assert last["mine.close"]["outcome"] == "HOLDS"
    assert last["mine.close"]["seeds"] == [0, 1, 2, 3]
    assert last["mine.close"]["alpha"] == pytest.approx(first["mine.close"]["alpha"] / 16)
    assert last["mine.close"]["evidence"]["trials"] > first["mine.close"]["evidence"]["trials"]
    assert last["mine.holds"]["evidence"]["instances"] > 3 * first["mine.holds"]["evidence"]["instances"]
    assert last["mine.is_false"] == first["mine.is_false"]


def test_a_seed_counts_once_and_a_changed_claim_starts_again(mine, tmp_path):
    check(mine, tmp_path / "r", only=["mine.holds", "mine.void"], seed=3)
    with pytest.raises(click.UsageError, match="holds the evidence of seed 3 already"):
        check(mine, tmp_path / "r", accumulate=True, seed=3)
    mine.write_text(CLAIMS.replace("at_most(sqrt(x * y), (x + y) / 2)", "at_most(sqrt(x * y), (x + y) / 1.9)"))
    check(mine, tmp_path / "r", only=["mine.holds"], accumulate=True)
    assert {id: r["seeds"] for id, r in rows(tmp_path / "r").items()} == {"mine.holds": [4], "mine.void": [3]}


def test_an_interrupted_accumulation_goes_on(mine, tmp_path, monkeypatch):
    check(mine, tmp_path / "r", only=["mine.holds", "mine.void"])
    check(mine, tmp_path / "r", only=["mine.holds"], accumulate=True)
    seen = judged(monkeypatch)
    check(mine, tmp_path / "r", only=["mine.holds", "mine.void"], accumulate=True, resume=True)
    assert seen == ["mine.void"]
    assert {r["seeds"][-1] for r in rows(tmp_path / "r").values()} == {1}


def test_a_design_too_weak_to_decide_is_named_before_it_runs(mine, tmp_path, capsys):
    mine.write_text(CLAIMS + CLOSE)
    check(mine, tmp_path / "r", only=["mine.rare", "mine.close"])
    said = capsys.readouterr().err
    assert "mine.rare: the design is too weak" in said
    assert "mine.close" not in said


def test_a_row_without_its_certificate_is_made_again_to_the_same_bytes(mine, tmp_path):
    check(mine, tmp_path / "r")
    before = rows(tmp_path / "r")
    path = tmp_path / "r" / "certificates" / "mine.is_false.json"
    certificate = path.read_bytes()
    path.unlink()
    check(mine, tmp_path / "r", resume=True)
    assert rows(tmp_path / "r") == before
    assert path.read_bytes() == certificate


REPAIRS = {
    "a constant": ("C = {}\n@theorem('s')\ndef f(x: Positive):\n    return at_most(x, C * x)\n", "0.5", "1"),
    "a domain": ("D = {}\n@theorem('s')\ndef f(x: D):\n    return at_most(x, x**2)\n", "between(0, 5)", "integers(1, 5)"),
    "a helper": ("def g(x):\n    return {}\n@theorem('s')\ndef f(x: Unit):\n    return at_most(x, g(x))\n", "x / 2", "x"),
    "a setting": (
        "@setting\nclass K:\n    x: {}\n@theorem('s')\ndef f(k: K):\n    return at_most(1, k.x)\n", "Unit", "integers(1, 5)"),
}  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"resume": True}, {"accumulate": True}])
@pytest.mark.parametrize("name", REPAIRS)
def test_evidence_does_not_outlive_what_it_was_about(tmp_path, name, options):
    text, before, after = REPAIRS[name]
    path = tmp_path / "c.py"
    path.write_text("from boundcheck import *\n" + text.format(before))
    assert check(path, tmp_path / "r") == 1
    path.write_text("from boundcheck import *\n" + text.format(after))
    assert check(path, tmp_path / "r", **options) == 0
    assert rows(tmp_path / "r")["c.f"]["outcome"] == "HOLDS"


def edited(reports: Path, id: str, **changes: Any) -> None:
    content = json.loads((reports / "verdicts.json").read_text())
    for r in content["claims"]:
        if r["id"] == id:
            r |= changes
    (reports / "verdicts.json").write_text(json.dumps(content))


EDITS: dict[str, tuple[str, dict[str, Any]]] = {
    "refuted by hand": ("mine.holds", {"outcome": "REFUTED", "scope": "universal", "reason": "lhs = 2 > 1 = rhs"}),
    "refuted by the certificate of another": ("mine.holds", {
        "outcome": "REFUTED", "scope": "universal", "reason": "lhs = 2 > 1 = rhs", "certificate": "r/certificates/mine.is_false.json"}),
    "held by hand": ("mine.is_false", {"outcome": "HOLDS", "scope": "population", "certificate": None, "instance": None}),
    "another instance": ("mine.is_false", {"instance": "x = 0.1, y = 0.1"}),
    "another reason": ("mine.is_false", {"reason": "lhs = 2 > 1 = rhs"}),
    "another outcome": ("mine.void", {"outcome": "HOLDS"}),
    "a tightness that was not seen": ("mine.holds", {"tightness": 0.01}),
    "counts that do not fit": ("mine.holds", {"reason": "on 10000 instances (10000 exactly) and 9 more in the search"}),
}  # fmt: skip


@pytest.mark.parametrize("options", [{"resume": True}, {"accumulate": True, "resume": True}])
@pytest.mark.parametrize("name", EDITS)
def test_a_row_that_does_not_fit_is_judged_again(mine, tmp_path, monkeypatch, name, options):
    monkeypatch.chdir(tmp_path)
    check(mine, Path("r"), accumulate="accumulate" in options)
    before = rows(Path("r"))
    id, changes = EDITS[name]
    edited(Path("r"), id, **changes)
    seen = judged(monkeypatch)
    check(mine, Path("r"), **options)
    assert seen == [id]
    assert {i: r["outcome"] for i, r in rows(Path("r")).items()} == {i: r["outcome"] for i, r in before.items()}
    assert {i: r for i, r in rows(Path("r")).items() if i != id} == {i: r for i, r in before.items() if i != id}


def test_a_certificate_that_is_not_of_the_text_is_not_believed(mine, tmp_path, monkeypatch):
    check(mine, tmp_path / "r")
    path = tmp_path / "r" / "certificates" / "mine.is_false.json"
    certificate = json.loads(path.read_text())
    hypotheses = certificate["hypotheses"]
    path.write_text(json.dumps({**certificate, "hypotheses": [{"relation": "lt", "args": [0, 0]}]}))
    seen = judged(monkeypatch)
    check(mine, tmp_path / "r", resume=True)
    assert seen == ["mine.is_false"]
    assert json.loads(path.read_text())["hypotheses"] == hypotheses


def test_the_summary_is_counted_and_not_read(mine, tmp_path):
    check(mine, tmp_path / "r")
    path = tmp_path / "r" / "verdicts.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "summary": {name: 0 for name in content["summary"]} | {"HOLDS": 5}}))
    assert report(tmp_path / "r")["summary"] == content["summary"]


LATE = """
@theorem("s")
def late(n: integers(1, 50)):
    if n > 45:
        {}
    return at_most(-n, 0)
"""
MISTAKES = {
    "a name": "return at_most(missing, 0)", "an attribute": "n.missing()", "a key": "raise KeyError('no such n')", "a type": "n + 'a'",
    "a shape": "return at_most(np.ones(2), np.ones(3))", "nothing": "return", "an assertion": "assert n < 45",
    "an index": "return at_most([1][n], 0)",
}  # fmt: skip

RETURNED = ("nothing", "a shape")
"""What is wrong with these shows after the body has returned: the last line that returns is named."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_text_that_fails_on_some_instances_costs_that_claim_alone(mine, tmp_path, capsys, name):
    before = CLAIMS.replace("import E", "import integers, E") + "\nimport numpy as np\n" + LATE.partition("{}")[0]
    mine.write_text(before + MISTAKES[name] + LATE.partition("{}")[2])
    line = before.count("\n") + (2 if name in RETURNED else 1)
    assert check(mine, tmp_path / "r") == 2
    kept = rows(tmp_path / "r")
    assert kept["mine.late"]["outcome"] == "INCONCLUSIVE"
    assert {id: r["outcome"] for id, r in kept.items() if id in ("mine.holds", "mine.is_false")} == {
        "mine.holds": "HOLDS", "mine.is_false": "REFUTED",
    }  # fmt: skip
    broken = report(tmp_path / "r")["broken"]
    assert list(broken) == ["mine.late"]
    assert f"mine.py:{line}): " in broken["mine.late"]
    assert broken["mine.late"] in kept["mine.late"]["reason"]
    assert "Error: mine.late (" in capsys.readouterr().err
    assert "## Not judged: the text fails" in (tmp_path / "r" / "verdicts.md").read_text()
    mine.write_text(before + "return at_most(-1, 0)" + LATE.partition("{}")[2])
    assert check(mine, tmp_path / "r", resume=True) == 1
    assert report(tmp_path / "r")["broken"] == {}


@pytest.mark.parametrize("mistake", ["missing", "np.ones(3) + np.ones(2)", "rng.choice([])", "[1][5]", "rng.nothing()"])
def test_a_sampler_that_fails_is_a_mistake_in_the_text(mine, tmp_path, mistake):
    sampler = f"    return P(quantity(lambda rng, size: rng.uniform(0, x, size) if x < 0.01 else {mistake}) <= x) >= 0.5\n"
    text = CLAIMS + "\nimport numpy as np\n\n@theorem('s')\ndef late(x: Unit):\n" + sampler
    mine.write_text(text)
    assert check(mine, tmp_path / "r", only=["mine.late", "mine.holds"]) == 2
    assert rows(tmp_path / "r")["mine.holds"]["outcome"] == "HOLDS"
    assert f"mine.py:{text.count(chr(10))}): " in report(tmp_path / "r")["broken"]["mine.late"]


def test_a_text_that_fails_is_tried_again(mine, tmp_path, monkeypatch):
    mine.write_text(CLAIMS.replace("import E", "import integers, E") + LATE.format("raise KeyError"))
    check(mine, tmp_path / "r", fail_on="none")
    seen = judged(monkeypatch)
    assert check(mine, tmp_path / "r", resume=True, fail_on="none") == 2
    assert seen == ["mine.late"]


def alone(folder: Path):
    return Kept(folder / "verdicts.json", folder, SMALL, Ledger(claims=["mine.holds"])).alone()


def test_two_runs_do_not_write_to_one_folder(mine, tmp_path, monkeypatch):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    with alone(tmp_path / "r"):
        with pytest.raises(Refused, match="Another run is writing to"):
            check(mine, tmp_path / "r", only=["mine.holds"])
        assert check(mine, tmp_path / "elsewhere", only=["mine.holds"]) == 0
    assert check(mine, tmp_path / "r", only=["mine.holds"]) == 0
    assert sorted(file.name for file in (tmp_path / "r").iterdir()) == ["verdicts.json", "verdicts.md"]
    assert not [*(tmp_path / "tmp").iterdir()]


def test_a_run_of_another_process_is_seen_and_a_killed_one_is_not(tmp_path):
    holding = "import sys; from tests.test_run import *\nwith alone(Path(sys.argv[1])): print('in', flush=True); time.sleep(60)"
    other = subprocess.Popen([sys.executable, "-c", holding, tmp_path / "r"], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        with pytest.raises(Refused, match="Another run is writing to"), alone(tmp_path / "r"):
            pass
    finally:
        other.kill()
        other.communicate()
    with alone(tmp_path / "r"):
        pass


def test_a_file_system_without_locks_is_written_to(mine, tmp_path, monkeypatch):
    def flock(*_: Any):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    assert check(mine, tmp_path / "r", only=["mine.holds"]) == 0


def test_a_run_that_writes_nothing_leaves_no_folder(mine, tmp_path):
    (tmp_path / "there").mkdir()
    mine.write_text("from boundcheck import *\n\n@theorem('s')\ndef wrong(x: Unit):\n    return nothing\n")
    with pytest.raises(click.UsageError):
        check(mine, tmp_path / "there" / "a" / "b")
    assert not [*(tmp_path / "there").iterdir()]


def test_an_interruption_that_a_library_made_an_error_of_is_one(mine, tmp_path, monkeypatch):
    def drawing(*_: Any, **__: Any) -> Any:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise AssertionError("unreachable") from None

    monkeypatch.setattr("boundcheck.running.suite.judge", drawing)
    assert check(mine, tmp_path / "r") == 130


@pytest.fixture
def _hears_interruptions():
    """A shell that starts us in the background may have told us to ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_hears_interruptions")
@pytest.mark.parametrize("held", [0.0, 0.1])
def test_an_interruption_in_a_callback_of_the_garbage_collector_counts(capsys, monkeypatch, held):
    """Even on a busy machine, where the main thread is still in the hook when the interruption comes again."""
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda thread: (start(thread), time.sleep(held)))

    def once(*_: Any) -> None:
        gc.callbacks.remove(once)
        raise KeyboardInterrupt

    @never_swallowed()
    def collect() -> None:
        gc.callbacks.append(once)
        gc.collect()
        time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        collect()
    assert "Traceback" not in capsys.readouterr().err


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_run_on_another_processor_changes_no_file(mine, tmp_path):
    """Its search takes other ways there; what is there stays, if the engine, the text, the plan and the verdict are the same."""
    folder = tmp_path / "r"
    check(mine, folder)
    content = json.loads((folder / "verdicts.json").read_text())
    for claim in content["claims"]:
        claim["evidence"]["searched"] += 7
    content["volatile"]["seconds"] = 1e6
    read_text = json.dumps(content, indent=1, sort_keys=True) + "\n"
    (folder / "verdicts.json").write_text(read_text)
    (folder / "verdicts.md").write_text(markdown(read(folder / "verdicts.json")))
    certificate = folder / "certificates" / "mine.is_false.json"
    certificate.write_text(certificate.read_text() + "\n")
    there = files_in(folder)
    check(mine, folder)
    assert files_in(folder) == there
    content["volatile"]["engine"] = "another"
    (folder / "verdicts.json").write_text(json.dumps(content))
    check(mine, folder)
    assert files_in(folder)["certificates/mine.is_false.json"] != there["certificates/mine.is_false.json"]


def test_a_run_that_does_not_ask_for_proofs_keeps_them(mine, tmp_path):
    check(mine, tmp_path / "r", prove=True, only=["mine.holds", "mine.is_false"])
    there = files_in(tmp_path / "r")
    assert "certificates/mine.holds.proof.json" in there
    check(mine, tmp_path / "r", only=["mine.holds", "mine.is_false"])
    assert files_in(tmp_path / "r") == there


def test_a_claim_that_takes_too_long_says_so(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    assert check(tmp_path / "slow.py", tmp_path / "r", timeout=3) == 0
    found = rows(tmp_path / "r")
    assert found["slow.waits"]["outcome"] == "INCONCLUSIVE"
    assert found["slow.waits"]["reason"].startswith("not judged in 3 s, which --timeout gives a claim")
    assert found["slow.holds"]["outcome"] == "HOLDS"
    check(tmp_path / "slow.py", tmp_path / "r", timeout=2)
    assert rows(tmp_path / "r")["slow.waits"]["reason"].startswith("not judged in 2 s")


SLOW = """
import time
from boundcheck import Unit, at_most, theorem


@theorem("s")
def waits(x: Unit):
    try:
        time.sleep(1)
    except Exception:
        pass
    return at_most(x, 1)


@theorem("s")
def holds(x: Unit):
    return at_most(x, 1)
"""


def spoil(path: Path, how: str) -> str:
    text = path.read_text()
    spoiled = {
        "truncated": text[: len(text) // 2], "newer": text.replace('"schema_version": "1.', '"schema_version": "2.'), "empty": "",
        "another kind": '{"claims": []}', "a list": "[]",
    }[how]  # fmt: skip
    path.write_text(spoiled)
    return spoiled


@pytest.mark.parametrize(("how", "says"), [
    ("truncated", "is not a boundcheck report"), ("newer", "newer boundcheck"), ("empty", "is not a boundcheck report"),
    ("another kind", "is not a boundcheck report"), ("a list", "is not a boundcheck report"),
])  # fmt: skip
def test_a_report_that_cannot_be_read_is_refused_and_kept(mine, tmp_path, how, says):
    check(mine, tmp_path / "r", only=["mine.holds"])
    spoiled = spoil(tmp_path / "r" / "verdicts.json", how)
    with pytest.raises(CannotRead, match=says):
        report(tmp_path / "r")
    with pytest.raises(CannotRead, match=says):
        check(mine, tmp_path / "r", resume=True)
    assert (tmp_path / "r" / "verdicts.json").read_text() == spoiled


def test_markdown_shows_each_claim_and_how_to_check_it_again(mine, tmp_path):
    check(mine, tmp_path / "r")
    text = markdown(read(tmp_path / "r" / "verdicts.json"))
    assert text == (tmp_path / "r" / "verdicts.md").read_text()
    assert all(word in text for word in ("✗ REFUTED", "✓ HOLDS", "∅ VACUOUS", "? INCONCLUSIVE", "mine.open_question"))
    assert f"boundcheck verify {tmp_path}/r/certificates/mine.is_false.json" in text


BEYOND_TRIALS = '''
import numpy as np
from boundcheck import P, Unit, quantity, theorem


def gaussian(t):
    return quantity(lambda rng, size: rng.standard_normal(size) - t)


@theorem("with probability 1")
def surely(t: Unit):
    return P(gaussian(t) <= 30) >= 1


@theorem("once in ten million")
def hardly(t: Unit):
    return P(gaussian(t) > 30) <= 1e-7


@theorem("once in ten thousand")
def rarely(t: Unit):
    return P(gaussian(t) > 30) <= 1e-4


@theorem("far from the bound")
def far(t: Unit):
    return P(gaussian(t) > 30) <= 0.3
'''


def test_what_trials_cannot_decide_is_told_without_advice_that_does_not_help(mine, tmp_path, capsys):
    mine.write_text(BEYOND_TRIALS, encoding="utf-8")
    check(mine, tmp_path / "r")
    said = capsys.readouterr().err
    assert "mine.surely: no machine makes the trials that show a chance so near to 0; they can only refute it" in said
    assert re.search(r"mine.hardly: .* no budget makes as many: state it with a finite law", said)
    assert re.search(r"mine.rarely: .* take --budget \w+, or state it with a finite law", said)
    reasons = {id: row["reason"] for id, row in rows(tmp_path / "r").items()}
    assert "trials, none of which counts against it, decide it on none of" in reasons["mine.surely"]
    assert "no trial fails, and no perturbed twin is refuted" in reasons["mine.far"]
