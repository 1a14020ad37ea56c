"""Runs that are interrupted, starved of disk, or not alone: what is on disk stays valid and complete, and --resume ends the same."""

from __future__ import annotations

import json
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from boundcheck.report.document import Row
from boundcheck.report.findings import Finding

from . import faults
from .kept import Rows, comparable, left, litter
from .parts import Part
from .processes import PROGRAM, Ended, start, warm

MIXED = PROGRAM.with_name("mixed.py")
CHECK = ["check", str(MIXED), "--reports", "r", "--workers"]
SIGNALS = {signal.SIGINT: "SIGINT", signal.SIGTERM: "SIGTERM", signal.SIGKILL: "SIGKILL"}
ENDS = {signal.SIGINT: (130, -signal.SIGINT, 1), signal.SIGTERM: (143, -signal.SIGTERM, 1), signal.SIGKILL: (-signal.SIGKILL, 1)}
"""Exit codes after each signal; 1 where the run had ended, for claims are refuted."""

SIZES = {"slice": 3, "small": 12, "full": 110}
"""Runs, each interrupted twice on average."""
WAYS = {"warm, 1 worker": (False, "1", 8), "new interpreter, 1 worker": (True, "1", 1), "new interpreter, 2 workers": (True, "2", 1)}
"""How a run is started: anew, with how many workers, and how often among ten; a warm one has boundcheck imported."""


@dataclass(frozen=True)
class Reference:
    """The undisturbed run: its rows, its comparable part, and the seconds that each way of starting takes."""

    rows: Rows
    comparable: dict[str, str]
    seconds: dict[str, float]


@dataclass
class Trial:
    """One run, interrupted once to three times and resumed to its end."""

    way: str
    number: int
    interruptions: int = 0
    stopped: int = 0
    partial: int = 0
    litter: int = 0
    wrong: list[str] = field(default_factory=list)


def measure(size: str, seed: int) -> Part:
    """Interruptions, faults of the disk, and two runs at once."""
    rng = np.random.default_rng(seed)
    warm()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o755)
        ways = ["warm, 1 worker"] if size == "slice" else list(WAYS)
        reference = undisturbed(home, ways)
        shares = np.array([WAYS[w][2] for w in ways], dtype=float)
        drawn = rng.choice(ways, size=SIZES[size], p=shares / shares.sum())
        numbers = [list(SIGNALS)[k % 3] for k in range(SIZES[size])]
        trials = [interrupted(home / f"k{k}", reference, w, s, rng) for k, (w, s) in enumerate(zip(drawn.tolist(), numbers))]
        found = [faults.full_disk(home, reference, size, rng), faults.small_files(home, reference, size, rng)]
        found += [faults.read_only(home, reference), faults.two_at_once(home, reference, size)]
    failures = [f"{SIGNALS[signal.Signals(t.number)]}, {t.way}: {w}" for t in trials for w in t.wrong]
    unstopped = [s for s in SIGNALS if not any(t.stopped for t in trials if t.number == s)]
    failures += [f"{SIGNALS[s]} stopped no run: it was not tested" for s in unstopped]
    return Part([table(trials), faults.table(found)], [*failures, *(f"{f.name}: {w}" for f in found for w in f.wrong)])


def table(trials: list[Trial]) -> Finding:
    """What came of the trials by signal and way."""
    groups: dict[tuple[int, str], list[Trial]] = {}
    for t in sorted(trials, key=lambda t: (t.number, t.way)):
        groups.setdefault((t.number, t.way), []).append(t)
    rows = [
        (
            SIGNALS[signal.Signals(number)], way, len(own), sum(t.interruptions for t in own), sum(t.stopped for t in own),
            sum(t.partial for t in own), sum(t.litter for t in own), sum(not t.wrong for t in own),
        )
        for (number, way), own in groups.items()
    ]  # fmt: skip
    total = Counter({"runs": len(trials), "instants": sum(t.interruptions for t in trials), "sound": sum(not t.wrong for t in trials)})
    remark = (
        f"{total['runs']} runs were interrupted at {total['instants']} instants in all, uniform over the length of an undisturbed run;"
        f" {total['sound']} left a valid file and no row lost after each, and ended with the bytes of the undisturbed run."
        " Unfinished files are what a kill in the middle of a write leaves beside the report; nothing reads them."
    )
    columns = ("signal", "run", "runs", "instants", "that stopped it", "with some but not all verdicts kept", "unfinished files", "sound")
    return Finding("A run interrupted, then resumed", columns, rows, remark)


def undisturbed(home: Path, ways: list[str]) -> Reference:
    """Each way of starting once, without interruption; the bytes have to be the same."""
    seconds, made = {}, []
    for k, way in enumerate(ways):
        begin, folder = time.monotonic(), home / f"undisturbed{k}"
        end = start([*CHECK, WAYS[way][1]], folder, cold=WAYS[way][0]).end()
        assert end.code == 1, end.said
        seconds[way] = time.monotonic() - begin
        made.append(comparable(folder))
    assert all(m == made[0] for m in made)
    rows = {r["id"]: Row.of_json(r) for r in json.loads(made[0]["verdicts.json"])["claims"]}
    return Reference(rows, made[0], seconds)


def interrupted(folder: Path, reference: Reference, way: str, number: int, rng: np.random.Generator) -> Trial:
    """Interrupt at random instants, look at what is left, resume, and compare with the undisturbed run."""
    cold, workers, _ = WAYS[way]
    trial, before = Trial(way, number), set[str]()
    for attempt in range(int(rng.integers(1, 4))):
        run = start([*CHECK, workers, *(["--resume"] if attempt else [])], folder, cold=cold)
        time.sleep(rng.uniform(0, reference.seconds[way]))
        run.send(number)
        end = run.end()
        kept = left(folder, reference.rows)
        trial.interruptions += 1
        trial.stopped += end.code != 1
        trial.partial += 0 < len(kept.rows) < len(reference.rows)
        trial.wrong += _faults(end, number, cold) + ([kept.fault] if kept.fault else [])
        trial.wrong += [f"{', '.join(lost)} was there and is lost"] if (lost := sorted(before - kept.rows.keys())) else []
        before = set(kept.rows)
    trial.litter = litter(folder)
    end = start([*CHECK, workers, "--resume"], folder, cold=cold).end()
    if end.code != 1 or comparable(folder) != reference.comparable:
        trial.wrong.append(f"the resumed run ended with {end.code} and other bytes: {end.said[-200:]}")
    return trial


def _faults(end: Ended, number: int, cold: bool) -> list[str]:
    """An exit code or a text that an interrupted run should not have; a new interpreter may be interrupted before boundcheck begins."""
    if end.code is None:
        return ["it hangs"]
    early = cold and number == signal.SIGINT and "Traceback" in end.said and end.code in (1, -signal.SIGINT)
    if end.code not in ENDS[signal.Signals(number)] or ("Traceback" in end.said and not early):
        return [f"it ended with {end.code}: {end.said[-400:]}"]
    return []
