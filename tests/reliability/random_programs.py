"""Random programs whose truth is known by construction, judged by the engine: none that is true may be refuted, none may break it."""

from __future__ import annotations

import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, seed, settings

from boundcheck.checking.judge import judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.plan import Plan
from boundcheck.words.findings import Finding
from boundcheck.words.loading import CannotLoad, load

from . import isolation
from .parts import Part
from .programs.write import KINDS, Program, programs

SIZES = {"slice": 15, "small": 300, "full": 5000}
TINY = Plan("tiny", instances=4, work=20, trials=400, sampled_instances=1, confirmation_trials=1500)
ALPHA = 1e-7
SECONDS = 20
"""Of processor time that the engine has for a program."""

QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
OUTCOMES = ("HOLDS", "REFUTED", "INCONCLUSIVE", "VACUOUS", "refused", "BROKEN", "DIED")
"""Four verdicts; a sentence to the author of the program; an error of the engine; a process that hangs or dies."""


@dataclass(frozen=True)
class Judged:
    """A program, what was said of it and why, and the processor seconds."""

    program: Program
    file: str
    outcome: str
    why: str
    seconds: float = 0.0

    @property
    def wrong(self) -> bool:
        """A true one that was refuted, or one that broke the engine."""
        return self.outcome in ("BROKEN", "DIED") or (self.program.true and self.outcome == "REFUTED")


def written(count: int, first: int) -> list[Program]:
    """So many different programs, always the same ones for a seed."""
    made: dict[str, Program] = {}

    @seed(first)
    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=QUIET)
    @given(programs())
    def keep(program: Program) -> None:
        made.setdefault(program.text, program)

    while len(made) < count:
        before = len(made)
        keep()
        first += 1
        keep = seed(first)(keep)
        if len(made) == before:
            break
    return list(made.values())[:count]


def judged(count: int, first: int, folder: Path) -> list[Judged]:
    """The verdicts on so many programs, each in a process that may hang or die; their texts are put into the folder."""
    items = []
    for k, program in enumerate(written(count, first)):
        file = folder / f"program{first}_{k}.py"
        program.save(file)
        items.append((program, str(file)))
    with patch.object(isolation, "SECONDS", SECONDS):
        results = list(isolation.each(_judged, items))
    died = isolation.Died
    return [Judged(p, file, "DIED", str(r)) if isinstance(r, died) else r for (p, file), r in zip(items, results, strict=True)]


def _judged(item: tuple[Program, str]) -> Judged:
    program, file = item
    start = time.process_time()
    outcome, why = _verdict(file)
    return Judged(program, file, outcome, " ".join(why.split()), time.process_time() - start)


def _verdict(file: str) -> tuple[str, str]:
    warnings.simplefilter("ignore")  # as on the command line; this process ends with the programs
    try:
        (claim,) = load(file)
        verdict = judge(claim, TINY, ALPHA)
    except (BrokenClaim, CannotLoad) as error:
        return "refused", str(error)
    except Exception as error:
        return "BROKEN", f"{type(error).__name__}: {error}"
    return verdict.outcome.name, verdict.reason


def measure(size: str, seed: int) -> Part:
    """Programs by kind and verdict; those that went wrong are kept for reading."""
    with tempfile.TemporaryDirectory() as folder:
        done = judged(SIZES[size], 10**6 * (seed + 1), Path(folder))
    wrong = [r for r in done if r.wrong]
    kept = keep(wrong, seed) if wrong else None
    failures = [f"{kept}/{Path(r.file).name} ({r.program.kind}): {r.outcome}, {r.why[:160]}" for r in wrong]
    return Part([verdicts(done, True), verdicts(done, False)], failures)


def keep(wrong: Sequence[Judged], seed: int) -> Path:
    """The programs that went wrong, each with what was said of it, in a folder of the machine's temporary ones."""
    folder = Path(tempfile.gettempdir()) / f"boundcheck-programs-{seed}"
    folder.mkdir(exist_ok=True)
    for r in wrong:
        replace(r.program, text=f"# {r.outcome}: {r.why}\n{r.program.text}").save(folder / Path(r.file).name)
    return folder


def verdicts(done: Sequence[Judged], true: bool) -> Finding:
    """How many programs of each kind got which verdict."""
    own = [r for r in done if r.program.true is true]
    rows = []
    for kind in [*KINDS, "all"]:
        counts = Counter(r.outcome for r in own if kind in (r.program.kind, "all"))
        rows.append((kind, sum(counts.values()), *(counts[o] for o in OUTCOMES)))
    seconds = sum(r.seconds for r in done) / max(len(done), 1)
    found = sum(r.outcome == "REFUTED" for r in own) / max(len(own), 1)
    remark = f"{seconds:.2g} processor seconds a program." if true else f"Refuted by this small plan: {found:.0%} of those that are false."
    return Finding(f"{'True' if true else 'False'} programs", ("kind", "programs", *OUTCOMES), rows, remark)
