"""Spoiled data, configurations, baselines, reports and certificates given to every command that reads them."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from boundcheck import exits
from boundcheck.checking.plan import PLANS, Plan
from boundcheck.commands.audit import demands
from boundcheck.commands.main import main
from boundcheck.features.data import DataError
from boundcheck.report.findings import Finding

from .isolation import each, peak_mib
from .parts import Part
from .processes import PROGRAM
from .spoiling import data_files, spoiled

SIZES = {"slice": 20, "small": 1000, "full": 10_000}
TINY = Plan("quick", instances=4, work=4, trials=200, sampled_instances=1, confirmation_trials=2000)
COMPLETE = {"slice": 0.0, "small": 0.3, "full": 0.3}
"""Share of the audits and sweeps of data that can still be read which are carried out; the others end once the data are there."""

LOADING = ("pickle.find_class", "os.system", "subprocess.Popen", "os.exec", "os.posix_spawn")
MOST_MIB = 1024
ERRATA = '[[erratum]]\nid = "doe2020.means_false"\nseverity = "constant"\nargument = "0.9 is too small."\nrepair = "doe2020.means"\n'
COVERAGE = '[[entry]]\nid = "1"\nstatus = "doe2020.means"\n'


@dataclass(frozen=True)
class Attack:
    """A command, the file of it that is spoiled, and the exit codes that its documentation allows."""

    name: str
    file: str
    arguments: tuple[str, ...]
    codes: tuple[int, ...] = (exits.FINE, exits.USAGE)
    seed: int = 0


@dataclass(frozen=True)
class Result:
    """What came of an attack, and what is wrong with that."""

    attack: Attack
    code: int | None
    seconds: float = 0.0
    mib: float = 0.0
    wrong: str = ""


def attacks() -> list[Attack]:
    """Every command that reads a file, with each kind of file that it reads."""
    report = "good/verdicts.json"
    of_data = [Attack(f"audit {f}", f, ("audit", f, "--trials", "2", "--reports", "out")) for f in data_files()]
    options = ("--sizes", "2,4", "--repeats", "2", "--workers", "1", "--reports", "out")
    of_data += [Attack(f"sweep {f}", f, ("sweep", f, *options)) for f in data_files()]
    forms = [Attack(f"report --format {f}", report, ("report", report, "--format", f)) for f in FORMATS]
    judged = (exits.FINE, exits.WORSE, exits.USAGE)
    check = ("check", "doe2020.py", "--workers", "1", "--reports", "again")
    gate = ("gate", report, "--baseline", "good/baseline.json", "--no-github")
    return [
        *of_data, *forms,
        Attack("report --errata", "theory/doe2020/errata.toml", ("report", report, "--errata")),
        Attack("report --paper", "theory/doe2020/coverage.toml", ("report", report, "--paper", "doe2020")),
        Attack("report --sweep", "good/sweep.json", ("report", report, "--format", "html", "--sweep", "good/sweep.json")),
        Attack("gate, the report", report, gate, judged), Attack("gate, the baseline", "good/baseline.json", gate, judged),
        Attack("gate, accepted.toml", "good/accepted.toml", gate, judged),
        Attack("verify", "good/c.json", ("verify", "good/c.json"), judged),
        Attack("replay", "good/c.json", ("replay", "good/c.json", "doe2020.py"), (exits.FINE, exits.USAGE, exits.UNDECIDED)),
        Attack("check --resume", "again/verdicts.json", (*check, "--resume"), judged),
        Attack("check --accumulate", "again/verdicts.json", (*check, "--accumulate"), judged),
        Attack("check, a kept certificate", "again/certificates/doe2020.means_false.json", check, judged),
    ]  # fmt: skip


FORMATS = ("terminal", "markdown", "json", "csv", "junit", "html")


def measure(size: str, seed: int) -> Part:
    """Attacks of all kinds in turn."""
    kinds = attacks()
    jobs = [replace(kinds[k % len(kinds)], seed=seed * 10**9 + k) for k in range(SIZES[size])]
    here, papers = Path.cwd(), demands()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            good = prepared(Path(folder))
            found = each(Attacker(good, papers, COMPLETE[size]), jobs)
            results = [r if isinstance(r, Result) else Result(a, None, wrong=str(r)) for a, r in zip(jobs, found, strict=True)]
        finally:
            os.chdir(here)
    wrong = [f"{r.attack.name}, seed {r.attack.seed}: {r.wrong}" for r in results if r.wrong]
    return Part([table(results, len(jobs))], wrong)


def prepared(home: Path) -> dict[str, bytes]:
    """Good files of all kinds, below the present folder."""
    for name in ("good", "again", "theory/doe2020"):
        (home / name).mkdir(parents=True)
    names = ("means", "means_false", "uniform", "void")
    text = PROGRAM.with_name("mixed.py").read_text(encoding="utf-8").split("\n\n\n")
    chosen = [text[0], *(t for t in text[1:] if any(f"def {n}(" in t for n in names))]
    files = {**data_files(), "doe2020.py": "\n\n\n".join(chosen).encode(), "canary.py": b"import os\nos.mkdir('canary-was-loaded')\n"}
    _write(files)
    with patch.dict(PLANS, {"quick": TINY}):
        assert invoked("check", "doe2020.py", "--workers", "1", "--reports", "again").exit_code == exits.WORSE
    sweep = ("sweep", "t.csv", "--sizes", "2,4", "--repeats", "2", "--workers", "1", "--reports", "good")
    assert invoked(*sweep).exit_code == exits.FINE
    report, certificate = (Path("again", name).read_bytes() for name in ("verdicts.json", "certificates/doe2020.means_false.json"))
    accepted = '[[accepted]]\nid = "doe2020.means"\nfingerprint = "f"\nfrom = "HOLDS"\nto = "REFUTED"\nreason = "known"\n'
    files |= {"good/verdicts.json": report, "good/baseline.json": report, "again/verdicts.json": report, "good/c.json": certificate}
    files |= {"good/accepted.toml": accepted.encode(), "again/certificates/doe2020.means_false.json": certificate}
    files |= {"theory/doe2020/__init__.py": b'"""Doe (2020). A paper."""\n', "theory/doe2020/coverage.toml": COVERAGE.encode()}
    files |= {"theory/doe2020/errata.toml": ERRATA.encode(), "good/sweep.json": next(Path("good").glob("sweep-*.json")).read_bytes()}
    _write(files)
    for attack in attacks():
        if attack.file not in data_files():
            assert invoked(*attack.arguments).exit_code in attack.codes, attack
    return files


def _write(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        Path(name).write_bytes(data)


def invoked(*arguments: str) -> Any:
    return CliRunner().invoke(main, list(arguments))


class Attacker:
    """Spoils a file, runs the command, and puts the good files back."""

    def __init__(self, good: dict[str, bytes], papers: list[Any], complete: float):
        self.good, self.papers, self.complete = good, papers, complete
        self.loaded, self.watching = list[str](), False

    def __call__(self, attack: Attack) -> Result:
        self._watch()
        rng, begin = random.Random(attack.seed), time.monotonic()
        Path(attack.file).write_bytes(spoiled(self.good[attack.file], rng))
        with patch.dict(PLANS, {"quick": TINY}), _cut_short(self.papers, rng.random() < self.complete):
            done = invoked(*attack.arguments)
        seconds = time.monotonic() - begin
        _write({name: data for name, data in self.good.items() if name.startswith(("again/", attack.file))})
        mib = peak_mib()
        return Result(attack, done.exit_code, seconds, mib, next(self._faults(attack, done, mib), ""))

    def _watch(self) -> None:
        """Note whatever would load or run something; a hook stays as long as its process."""
        if not self.watching:
            self.watching = True
            sys.addaudithook(lambda event, _args: self.loaded.append(event) if event in LOADING else None)

    def _faults(self, attack: Attack, done: Any, mib: float) -> Iterator[str]:
        text = " ".join(done.output.split())[-300:]
        if "Traceback" in done.output or done.exit_code == exits.UNTRUSTWORTHY or not isinstance(done.exception, (SystemExit, type(None))):
            yield f"a traceback: {text or repr(done.exception)}"
        if done.exit_code not in attack.codes:
            yield f"exit code {done.exit_code}: {text}"
        if done.exit_code == exits.USAGE and done.output.split("Error: ")[-1].count("\n") != 1:
            yield f"not one sentence: {text}"
        if "\x1b" in done.output:
            yield "a control character reaches the terminal"
        if self.loaded or "canary" in sys.modules or Path("canary-was-loaded").exists():
            yield f"something was loaded: {self.loaded}"
        if mib > MOST_MIB:
            yield f"{mib:.0f} MiB of memory"


def _cut_short(papers: list[Any], complete: bool) -> Any:
    """What follows the reading of data is left out, unless it is to be complete; audits know the papers of theory/."""
    from contextlib import ExitStack

    import boundcheck.commands.audit
    import boundcheck.features.audit.run
    import theory.wang2019.sweep.run

    stack = ExitStack()
    stack.enter_context(patch.object(boundcheck.commands.audit, "demands", lambda: papers))
    if not complete:
        for module, name in ((boundcheck.features.audit.run, "audit"), (theory.wang2019.sweep.run, "sweep")):
            stack.enter_context(patch.object(module, name, _usable))
    return stack


def _usable(*_: Any) -> None:
    raise DataError("These data can be used.")


def table(results: list[Result], number: int) -> Finding:
    """By command: how often, with which exit codes, how long, how much."""
    groups: dict[str, list[Result]] = {}
    for r in results:
        words = r.attack.name.split()
        groups.setdefault(words[0] + " DATA" if words[0] in ("audit", "sweep") else r.attack.name, []).append(r)
    rows = []
    for name, own in groups.items():
        codes = ", ".join(f"{code}: {count}" for code, count in sorted(Counter(str(r.code) for r in own).items()))
        rows.append((name, len(own), codes, max(r.seconds for r in own) < 30, sum(bool(r.wrong) for r in own)))
    most = max(r.mib for r in results)
    remark = (
        f"{number:,} spoiled files in all. Wrong would be: a traceback, an exit code that is not documented for the command, more than one"
        f" sentence, a control character on the terminal, more than {MOST_MIB} MiB (the most was {most:.0f} MiB for the whole process), a"
        " hang, or anything unpickled, imported or started. Of data that can still be read, three in ten are audited and swept to the end."
    )
    return Finding("Exit codes for spoiled files", ("command", "files", "exit codes", "all within 30 s", "wrong"), rows, remark)
