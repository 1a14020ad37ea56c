"""Random programs whose truth is known by construction, judged by the engine: none that is true may be refuted, none may break it."""

from __future__ import annotations

import hashlib
import pickle
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import patch

import click
from hypothesis import HealthCheck, Phase, given, seed, settings

from boundcheck.checking.judge import judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.plan import Plan
from boundcheck.report import write_whole
from boundcheck.report.findings import Finding
from boundcheck.words.loading import CannotLoad, load_claims

from . import isolation
from .parts import Part, section
from .programs.write import KINDS, Program, programs

BLOCK, TOLD = 100, 50
"""Programs that are kept together, and after which a line is told."""

SIZES = {"slice": 15, "small": 300, "full": 5000}
TINY = Plan("tiny", instances=4, work=20, trials=400, sampled_instances=1, confirmation_trials=1500)
ALPHA = 1e-7
SECONDS = 20
"""Of processor time that the engine has for a program."""

HOME = Path(__file__).resolve().parents[2]
SOURCES = sorted([*HOME.glob("boundcheck/**/*.py"), *HOME.glob("tests/reliability/programs/*.py")])
ENGINE = hashlib.sha256(b"".join(file.read_bytes() for file in SOURCES)).hexdigest()
"""What judges and what writes: other verdicts are not read again."""

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
    done: list[Judged] = []
    with patch.object(isolation, "SECONDS", SECONDS):
        for (program, file), r in zip(items, isolation.each(_judged, items), strict=True):
            done.append(Judged(program, file, "DIED", str(r)) if isinstance(r, isolation.Died) else r)
            if len(done) % TOLD == 0:
                print(f"{len(done)} of {count} programs from {first} on: {_told(done)}", file=sys.stderr, flush=True)
    return done


def _told(done: Sequence[Judged]) -> str:
    """How many of the true programs got which verdict."""
    counts = Counter(r.outcome for r in done if r.program.true)
    return ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o])


def block(seed: int, k: int, folder: Path) -> list[Judged]:
    """Block k of the programs of a seed; one that was judged by this same engine is read again."""
    file = folder / f"block{k}.pickle"
    if file.exists():
        engine, done = pickle.loads(file.read_bytes())
        if engine == ENGINE:
            return done
    done = judged(BLOCK, 10**6 * (seed + 1) + 1000 * k, folder)
    write_whole(pickle.dumps((ENGINE, done)), file)
    return done


def blocks(seed: int, numbers: Sequence[int], workers: int, folder: Path) -> Iterator[list[Judged]]:
    """Blocks as they are finished, each told in a line."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(block, seed, k, folder): k for k in numbers}
        for finished in as_completed(waiting):
            done = finished.result()
            print(f"block {waiting[finished]}: {_told(done)}; {sum(r.seconds for r in done):.0f} s", file=sys.stderr, flush=True)
            for r in filter(lambda r: r.wrong, done):
                print(f"  {r.file} ({r.program.kind}): {r.outcome}, {r.why[:160]}", file=sys.stderr, flush=True)
            yield done


def _judged(item: tuple[Program, str]) -> Judged:
    program, file = item
    start = time.process_time()
    outcome, why = _verdict(file)
    return Judged(program, file, outcome, " ".join(why.split()), time.process_time() - start)


def _verdict(file: str) -> tuple[str, str]:
    warnings.simplefilter("ignore")  # as on the command line; this process ends with the programs
    try:
        (claim,) = load_claims(file)
        verdict = judge(claim, TINY, ALPHA)
    except (BrokenClaim, CannotLoad) as error:
        return "refused", str(error)
    except Exception as error:
        return "BROKEN", f"{type(error).__name__}: {error}"
    return verdict.outcome.name, verdict.reason


def measure(size: str, seed: int) -> Part:
    """Programs by kind and verdict; those that went wrong are kept for reading."""
    if SIZES[size] < BLOCK:
        with tempfile.TemporaryDirectory() as folder:
            return part_of(judged(SIZES[size], 10**6 * (seed + 1), Path(folder)), seed)
    parts = list(blocks(seed, range(SIZES[size] // BLOCK), 1, _folder(seed)))
    return part_of([r for done in parts for r in done], seed)


def part_of(done: Sequence[Judged], seed: int) -> Part:
    wrong = [r for r in done if r.wrong]
    kept = keep(wrong, seed) if wrong else None
    failures = [f"{kept}/{Path(r.file).name} ({r.program.kind}): {r.outcome}, {r.why[:160]}" for r in wrong]
    return Part([verdicts(done, True), verdicts(done, False)], failures)


def _folder(seed: int) -> Path:
    folder = Path(tempfile.gettempdir()) / f"boundcheck-programs-{seed}"
    folder.mkdir(exist_ok=True)
    return folder


def keep(wrong: Sequence[Judged], seed: int) -> Path:
    """The programs that went wrong, each with what was said of it, in a folder of the machine's temporary ones."""
    folder = _folder(seed) / "wrong"
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


@click.command(help="Judge blocks of a hundred programs; what is judged is kept, so that a run goes on where the last one ended.")
@click.option("--seed", default=0, show_default=True)
@click.option("--first", default=0, show_default=True, help="The first block.")
@click.option("--count", default=SIZES["full"] // BLOCK, show_default=True, help="How many blocks.")
@click.option("--workers", default=1, show_default=True)
def main(seed: int, first: int, count: int, workers: int) -> None:
    done = [r for some in blocks(seed, range(first, first + count), workers, _folder(seed)) for r in some]
    part = part_of(done, seed)
    click.echo(section(part))
    sys.exit(not part.passed)


if __name__ == "__main__":
    main()
