"""One run of `check`: the plan line, the progress, the reports, and the exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from boundcheck import exits
from boundcheck.checking.ledger import Ledger
from boundcheck.checking.plan import PLANS, Plan
from boundcheck.checking.verdict import Outcome
from boundcheck.report.document import Document
from boundcheck.report.files import write_whole
from boundcheck.report.markdown import markdown
from boundcheck.report.printable import printable
from boundcheck.report.reading import CannotRead
from boundcheck.report.terminal import show
from boundcheck.running.kept import Kept, seeds_used
from boundcheck.running.suite import judge_all, rehearse, unjudged
from boundcheck.running.workers import NoWorkers, Workers
from boundcheck.words.claims import Claim

NO_FAULTS: Mapping[str, str] = {}
OUTCOMES = {outcome.name.lower(): outcome for outcome in Outcome if outcome.exit_code}


def run(
    chosen: Sequence[Claim], everything: Sequence[Claim], *, budget: str, seed: int | None, alpha: float, workers: Workers,
    json_path: Path | None, reports: Path, resume: bool, accumulate: bool, fail_on: str, faults: Mapping[str, str] = NO_FAULTS,
) -> int:  # fmt: skip
    """Judge the chosen claims, write the reports, and return the exit code; `faults` are of files that cannot be loaded."""
    failing = _failing(fail_on)
    path, ledger = json_path or reports / "verdicts.json", Ledger(alpha, [c.id for c in everything])
    try:
        seed = _fresh(seed, path, resume) if accumulate else seed or 0
        kept = Kept(path, reports, replace(PLANS[budget], seed=seed), ledger)
        kept.broken |= faults
        with kept.alone():
            if accumulate:
                kept.accumulate(chosen)
            elif resume:
                kept.resume(chosen)
            _judge(chosen, kept, workers)
            content = _finish(kept)
    except (CannotRead, NoWorkers) as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"\nInterrupted; what is finished is kept in {path}: go on with --resume.", err=True)
        return exits.INTERRUPTED
    except OSError as error:
        raise click.UsageError(f"The report cannot be written: {error}.") from error
    _tell(content, kept)
    return _exit_code(content, failing)


def _fresh(seed: int | None, path: Path, resume: bool) -> int:
    """The seed of a run that adds to earlier ones: the next, or with `resume` that of the last. Raises UsageError for a used one."""
    used = seeds_used(path)
    if seed is None:
        return max(used, default=0) if resume else max(used, default=-1) + 1
    if seed in used and not resume:
        raise click.UsageError(f"{path} holds the evidence of seed {seed} already, and it counts once: give another seed, or none.")
    return seed


def _finish(kept: Kept) -> Document:
    """The last write, and the Markdown."""
    content = kept.write()
    write_whole(markdown(content), kept.folder / "verdicts.md")
    return content


def _tell(content: Document, kept: Kept) -> None:
    """The table on the terminal, and where the reports are."""
    console = Console()
    show(content, console)
    for sentence in content.broken.values():
        click.echo(f"Error: {printable(' '.join(sentence.split()))}", err=True)
    console.print(f"Written: {kept.path}, {kept.folder / 'verdicts.md'}", highlight=False)


def _failing(fail_on: str) -> set[Outcome]:
    wanted = {w.strip().lower() for w in fail_on.split(",")} - {"none", ""}
    if wanted - OUTCOMES.keys():
        raise click.UsageError(f"--fail-on takes {', '.join(sorted(OUTCOMES))} or none, not '{fail_on}'.")
    return {OUTCOMES[name] for name in wanted}


def _plan_line(chosen: Sequence[Claim], todo: Sequence[Claim], plan: Plan, ledger: Ledger, workers: Workers) -> str:
    kept = f" ({len(chosen) - len(todo)} kept from before)" if len(todo) < len(chosen) else ""
    return (
        f"boundcheck: {_counted(len(chosen), 'claim')}{kept}, budget {plan.name} ({plan.instances} instances, {plan.work} units of"
        f" search, {plan.trials} trials), seed {plan.seed}, {workers}; false refutations at most {ledger.total:g},"
        f" {ledger.total / len(ledger.claims):.2g} a claim"
    )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _judge(chosen: Sequence[Claim], kept: Kept, workers: Workers) -> None:
    """Rehearse and judge what is left to do, with a progress bar on terminals."""
    todo = [c for c in chosen if c.id not in kept.finished]
    Console().print(_plan_line(chosen, todo, kept.plan, kept.ledger, workers), highlight=False)
    kept.probe()
    weak, faults = rehearse(todo, kept.plan)
    if len(faults) == len(chosen):
        raise click.UsageError("\n".join([*kept.broken.values(), *faults.values()]))
    for sentence in weak:
        click.echo(sentence, err=True)
    for claim in todo:
        if claim.id in faults:
            kept.keep(claim, unjudged(claim, faults[claim.id], kept.start(claim).alpha, kept.plan))
    todo = [claim for claim in todo if claim.id not in faults]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("checking", total=len(todo))
        for claim in judge_all(todo, kept.plan, kept.start, workers, kept.keep):
            progress.update(task, advance=1, description=claim.id)


def _exit_code(content: Document, failing: set[Outcome]) -> int:
    """That of a text that fails, else that of the first outcome that fails the run."""
    if content.broken:
        return exits.USAGE
    return next((outcome.exit_code for outcome in Outcome if outcome in failing and content.counts[outcome]), exits.FINE)
