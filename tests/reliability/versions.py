"""The wheel in empty environments: Python and dependencies old and new, installed, self-tested, and used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from boundcheck.report.findings import Finding

from .parts import Part

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SIZES = {"slice": 0, "small": 1, "full": len(PYTHONS)}
SHOWN = ("numpy", "scipy", "numba", "pandas", "joblib", "hypothesis", "python-flint", "click")
VERDICTS = "coin REFUTED, means HOLDS"
MINE = '''from boundcheck import E, Unit, at_most, quantity, sqrt, theorem


@theorem("mine")
def means(x: Unit, y: Unit):
    return at_most(sqrt(x * y), (x + y) / 2)


@theorem("mine")
def coin(p: Unit):
    return E(quantity(lambda rng, size: rng.binomial(1, p, size))) <= 0.9 * p
'''


def interpreters() -> dict[str, str]:
    """The interpreters here, by minor version."""
    from shutil import which

    homes = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin/python"))
    by_version = {".".join(p.parents[1].name.split(".")[:2]): str(p) for p in homes}
    return {v: found for v in PYTHONS if (found := by_version.get(v) or which(f"python{v}"))}


def lowest() -> str:
    """Constraints that pin every dependency to its declared lower bound."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return "\n".join(re.sub(r">=\s*", "==", line) for line in needed) + "\n"


def measure(size: str, seed: int) -> Part:
    """A row for each environment."""
    have = interpreters()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        wheel = built(home)
        (home / "lowest.txt").write_text(lowest())
        (home / "mine.py").write_text(MINE)
        chosen = [(v, "newest") for v in list(have)[: SIZES[size]]]
        chosen += [(PYTHONS[0], "lowest")] if size == "full" and PYTHONS[0] in have else []
        rows, failures = [], []
        for version, kind in chosen:
            row, wrong = tried(home, wheel, have[version], kind)
            rows.append((f"Python {version}", kind, *row))
            failures += [f"Python {version}, {kind} dependencies: {w}" for w in wrong]
    missing = [v for v in PYTHONS if v not in have]
    note = f"Not tried, for there is no interpreter here: Python {', '.join(missing)}." if missing else ""
    columns = ("interpreter", "dependencies", "what was installed", "install", "selftest", "check", "the certificates in reports/")
    return Part([Finding("From the built wheel, in an empty environment", columns, rows)], failures, note)


def built(home: Path) -> Path:
    """The wheel of this working tree."""
    subprocess.run([sys.executable, "-m", "build", "--wheel", "-o", home, ROOT], check=True, capture_output=True)
    return next(home.glob("*.whl"))


def tried(home: Path, wheel: Path, python: str, kind: str) -> tuple[tuple[str, ...], list[str]]:
    """What came of one environment: cells of a row, and what went wrong."""
    environment = Path(tempfile.mkdtemp(dir=home))
    here = environment / "bin"
    constraints = ["-c", home / "lowest.txt"] if kind == "lowest" else []
    steps = {
        "install": [[python, "-m", "venv", environment], [here / "pip", "install", "--prefer-binary", *constraints, wheel]],
        "selftest": [[here / "boundcheck", "selftest"]],
        "check": [[here / "boundcheck", "check", "mine.py", "--workers", "1", "--reports", environment / "r", "--fail-on", "none"]],
        "verify": [[here / "boundcheck", "verify", *sorted((ROOT / "reports" / "certificates").glob("*.json"))]],
    }
    cells, wrong = [], []
    for name, commands in steps.items():
        fault = "" if wrong else next(_faults(commands, home), "")
        wrong += [f"{name}: {fault}"] if fault else []
        cells.append("failed" if fault else "not reached" if wrong else "ok")
    if cells[2] == "ok":
        cells[2] = _verdicts(environment / "r")
        wrong += [f"check: {cells[2]}, not {VERDICTS}"] if cells[2] != VERDICTS else []
    return (_installed(here), *cells), wrong


def _faults(commands: list[list[object]], home: Path) -> Iterator[str]:
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    for command in commands:
        done = subprocess.run([str(c) for c in command], cwd=home, capture_output=True, text=True, env=clean, check=False)
        if done.returncode:
            said = [line for line in (done.stderr or done.stdout).splitlines() if not line.startswith("CONFIRMED")]
            yield f"exit {done.returncode}: {' '.join(' '.join(said).split())[-300:]}"
            return
        if "Warning" in done.stderr:
            yield f"it warns: {' '.join(done.stderr.split())[:300]}"


def _installed(here: Path) -> str:
    done = subprocess.run([here / "pip", "list", "--format", "freeze"], capture_output=True, text=True, check=False)
    found = dict(line.split("==", 1) for line in done.stdout.splitlines() if "==" in line)
    return ", ".join(f"{name} {found[name]}" for name in SHOWN if name in found)


def _verdicts(reports: Path) -> str:
    from boundcheck.report.reading import read

    return ", ".join(sorted(f"{r.id.split('.')[-1]} {r.outcome.name}" for r in read(reports / "verdicts.json").rows))
