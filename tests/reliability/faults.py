"""Faults of the place where a run writes: a full disk, files that end early, a folder that cannot be written, and a second run."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.report.findings import Finding

from .kept import Rows, comparable, left
from .processes import PROGRAM, Run, start

if TYPE_CHECKING:
    from .interrupted import Reference

CHECK = ["check", str(PROGRAM.with_name("mixed.py")), "--reports", "r", "--workers", "1"]
SIZES = {"slice": 1, "small": 4, "full": 16}
NOBODY = 65534


@dataclass
class Fault:
    """One kind of fault: how often it was tried, how often it did harm at all, and what was not as it should be."""

    name: str
    tried: int = 0
    struck: int = 0
    wrong: list[str] = field(default_factory=list)

    def stopped(self, run: Run) -> bool:
        """Whether the run stopped with exit code 2 and one sentence; any other end but the ordinary one is wrong."""
        end = run.end()
        self.tried += 1
        self.struck += end.code == 2
        if end.code not in (1, 2) or "Traceback" in end.said:
            self.wrong.append(f"it ended with {end.code}: {end.said[-400:]}")
        return end.code == 2

    def sound(self, folder: Path, rows: Rows) -> None:
        fault = left(folder, rows).fault
        self.wrong += [fault] if fault else []

    def resumed(self, folder: Path, reference: Reference) -> None:
        """Go on without the fault."""
        end = start([*CHECK, "--resume"], folder).end()
        if end.code != 1 or comparable(folder) != reference.comparable:
            self.wrong.append(f"the resumed run ended with {end.code} and other bytes: {end.said[-200:]}")


def table(found: list[Fault]) -> Finding:
    columns = ("fault", "tried", "a run was stopped by it", "unsound")
    remark = (
        "Sound: exit code 2 and one sentence, or the ordinary end; the results file valid, no row lost; and once the fault is gone,"
        " --resume ends with the bytes of the undisturbed run."
    )
    return Finding("Faults of the folder", columns, [(f.name, f.tried, f.struck, len(f.wrong)) for f in found], remark)


def full_disk(home: Path, reference: Reference, size: str, rng: np.random.Generator) -> Fault:
    """A file system of random size, then a larger one."""
    fault = Fault("disk full (a tmpfs of 4 to 60 KiB)")
    for k in range(SIZES[size]):
        with _mounted(home / f"disk{k}", 4 * int(rng.integers(1, 16))) as disk:
            if disk is None:
                fault.name += ", left out: mounting needs root"
                return fault
            fault.stopped(start(CHECK, disk / "w"))
            fault.sound(disk / "w", reference.rows)
            subprocess.run(["mount", "-o", "remount,size=4096k", disk], check=True)
            fault.resumed(disk / "w", reference)
    return fault


@contextmanager
def _mounted(place: Path, kib: int) -> Iterator[Path | None]:
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", place]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False).returncode == 0
    try:
        yield place if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", place], check=True)


def small_files(home: Path, reference: Reference, size: str, rng: np.random.Generator) -> Fault:
    """No file may grow beyond a random number of bytes, so that a write fails anywhere."""
    fault = Fault("a write fails after a random number of bytes")
    longest = len(reference.comparable["verdicts.json"]) * 3 // 2
    for k in range(SIZES[size]):
        most, folder = int(rng.integers(0, longest)), home / f"limit{k}"
        fault.stopped(start(CHECK, folder, first=lambda most=most: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))))
        fault.sound(folder, reference.rows)
        fault.resumed(folder, reference)
    return fault


def read_only(home: Path, reference: Reference) -> Fault:
    """A folder that holds finished evidence and cannot be written, and an empty one."""
    fault = Fault("a folder that cannot be written")
    for name in ("finished", "empty"):
        folder = home / f"readonly_{name}"
        folder.mkdir()
        if name == "finished":
            start(CHECK, folder).end()
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        if not fault.stopped(start(CHECK, folder, first=lambda: os.setuid(NOBODY) if os.getuid() == 0 else None)):
            fault.wrong.append("it did not stop")
        same = comparable(folder) == reference.comparable if name == "finished" else not list(folder.iterdir())
        fault.wrong += [] if same else ["what was there is changed"]
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
    return fault


def two_at_once(home: Path, reference: Reference, size: str) -> Fault:
    """Two runs in one folder: on the same claims, on different ones, and adding evidence of fresh seeds."""
    fault = Fault("two runs at once in one folder")
    halves = ["means", "product", "squares", "coins"], ["spectra", "uniform", "largest", "void"]
    for k in range(-(-SIZES[size] // 2)):
        folder = home / f"both{k}"
        runs = [_half(folder, half, j) for j, half in enumerate(halves)]
        ends = [run.end() for run in runs]
        kept = left(folder)
        wanted = {f"half{j}.{name}" for j, half in enumerate(halves) if ends[j].code in (0, 1) for name in half}
        lost = sorted(wanted - kept.rows.keys())
        fault.tried += 1
        fault.struck += any(e.code == 2 for e in ends)
        fault.wrong += [kept.fault] if kept.fault else []
        fault.wrong += [f"both ended well, and {', '.join(lost)} are not in the file"] if lost else []
        fault.wrong += [f"it ended with {e.code}: {e.said[-300:]}" for e in ends if e.code not in (0, 1, 2) or "Traceback" in e.said]
    return fault


def _half(folder: Path, names: list[str], j: int) -> Run:
    """A run on some of the claims, as a file of its own."""
    text = PROGRAM.with_name("mixed.py").read_text(encoding="utf-8").split("\n\n\n")
    file = folder.with_name(f"half{j}.py")
    file.write_text("\n\n\n".join([text[0], *(t for t in text[1:] if any(f"def {n}(" in t for n in names))]), encoding="utf-8")
    return start(["check", str(file), "--reports", "r", "--workers", "1"], folder)
