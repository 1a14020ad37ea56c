"""The command `boundcheck check`: the plan line, the progress, the reports, and the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.checking.plan import PLANS, Ledger, Plan
from boundcheck.commands import shell
from boundcheck.exits import USAGE
from boundcheck.running import Task, Workers, how_it_ended

if TYPE_CHECKING:
    from boundcheck.running.kept import Kept
    from boundcheck.words.claims import Claim
    from boundcheck.words.loading import Selection


LONG = 20.0
"""Seconds from which on a run says beforehand how long it takes."""


@shell.command("check")
@shell.targets
@shell.expression
@shell.budget
@shell.seed(
    "Entropy of the whole run [default: 0, or the next unused with --accumulate].",
    default=None,
)
@shell.alpha("Chance that the run calls any true claim false.")
@shell.on_workers
@shell.as_json(
    "Write the report here [default: verdicts.json in the folder of the reports]."
)
@shell.reports
@click.option(
    "--resume",
    is_flag=True,
    help="Keep verdicts of an earlier run with the same plan and unchanged claims.",
)
@click.option(
    "--accumulate",
    is_flag=True,
    help="Add the evidence of a fresh seed to that of the report; all runs together keep --alpha.",
)
@click.option(
    "--prove",
    is_flag=True,
    help="Ask for proofs of what holds, each on a set that the verdict names.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End a claim that takes longer: it is INCONCLUSIVE, and says so.",
)
@shell.fail_on
@click.option(
    "--lenient",
    is_flag=True,
    help="Pass over files that state no claim, without running them.",
)
def command(
    targets: tuple[str, ...],
    expression: str,
    lenient: bool,
    workers: Workers,
    **options: Any,
) -> None:
    """Check claims: all of FILES and folders, some of a file (mine.py::f,g), or by NAME (li2021,
    li2021.lemma27, 'li2021.lemma2*').

    Without any, those of one's own: where boundcheck_paths of pyproject.toml says, else in theory/, else in
    the files here. Verdicts on other claims stay in the report as long as their files state them.
    """
    found = shell.claims_selected(targets, expression, lenient)
    if not found.chosen and not found.faults:
        click.echo("No file states a claim.")
        return
    sys.exit(run(found, workers=workers, **options))


def run(
    found: Selection,
    *,
    budget: str,
    seed: int | None,
    alpha: float,
    workers: Workers,
    json_path: Path | None,
    reports: Path,
    resume: bool,
    accumulate: bool,
    fail_on: str,
    prove: bool = False,
    timeout: float | None = None,
) -> int:
    """Judge the claims that are chosen, write the reports, return the exit code."""
    from boundcheck.report.formats import markdown
    from boundcheck.report.reading import with_record
    from boundcheck.report.terminal import show
    from boundcheck.running.kept import Kept

    failing, path = (
        shell.outcomes_of(fail_on),
        json_path or reports / "verdicts.json",
    )
    shell.probe(reports / "certificates")
    seed = _fresh(seed, path, resume) if accumulate else seed or 0
    plan, ledger = (
        replace(PLANS[budget], seed=seed),
        Ledger(alpha, found.ids),
    )
    if timeout is not None and workers.backend != "loky":
        raise click.UsageError(
            "--timeout is for workers of this machine; leave it out on a cluster."
        )
    kept = Kept(path, reports, plan, ledger, prove, timeout)
    kept.broken |= found.faults
    try:
        with shell.writing(path), kept.alone():
            kept.take_over(
                found.everything, found.chosen, demanded=accumulate or resume
            )
            believed = partial(_looked_at, workers)
            if accumulate:
                kept.accumulate(found.chosen, believed)
            elif resume:
                kept.resume(found.chosen, believed)
            _judge(found.chosen, kept, workers)
            content, aside = kept.finish(), kept.set_aside()
    except KeyboardInterrupt:
        said, code = how_it_ended()
        click.echo(
            f"\n{said}; what is finished is kept in {path}: go on with --resume.",
            err=True,
        )
        return code
    shell.write(
        markdown(with_record(content, kept.folder)), kept.folder / "verdicts.md"
    )
    ours = replace(
        content, rows=tuple(kept.rows[id] for id in sorted(kept.rows))
    )
    show(ours)
    for sentence in content.broken.values():
        click.echo(f"Error: {shell.one_line(sentence)}", err=True)
    for sentence in _about_others(kept, aside):
        shell.say(sentence)
    shell.say(f"Written: {kept.path}, {kept.folder / 'verdicts.md'}")
    if content.broken:
        return USAGE
    return shell.exit_code((r.outcome for r in ours.rows), failing)


def _about_others(kept: Kept, aside: Sequence[str]) -> Iterator[str]:
    """What became of the verdicts and certificates of earlier runs in the same folder."""
    if kept.unread:
        yield f"Replaced: {kept.unread}"
    if kept.others:
        edited = (
            f" ({len(kept.edited)} of an older text: check it again)"
            if kept.edited
            else ""
        )
        count = len(kept.others)
        counted = (
            "1 verdict on another claim"
            if count == 1
            else f"{count} verdicts on other claims"
        )
        yield f"Kept from earlier runs: {counted}{edited}"
    if kept.gone:
        more = f" and {len(kept.gone) - 3} more" if len(kept.gone) > 3 else ""
        yield f"Dropped, for no file states them any more: {', '.join(kept.gone[:3])}{more}"
    if aside:
        old = kept.folder / "certificates" / "old"
        yield f"Set aside in {old}, for no verdict names them: {', '.join(aside)}"


def _fresh(seed: int | None, path: Path, resume: bool) -> int:
    """The seed of a run that adds to earlier ones: the next, or to resume, the last. Raises UsageError."""
    from boundcheck.running.kept import seeds_used

    used = seeds_used(path)
    if seed is None:
        return max(used, default=0) if resume else max(used, default=-1) + 1
    if seed in used and not resume:
        used_up = f"{path} holds the evidence of seed {seed} already, and it counts once"
        raise click.UsageError(f"{used_up}: give another seed, or none.")
    return seed


def _looked_at(
    workers: Workers, tasks: Mapping[str, Task]
) -> Iterator[tuple[str, Any]]:
    """What comes of each look at a verdict that was kept."""
    with shell.progress("looking at what is kept", len(tasks)) as advance:
        for id, result in workers.results(tasks):
            yield id, result
            advance(id)


def _judge(chosen: Sequence[Claim], kept: Kept, workers: Workers) -> None:
    """Rehearse and judge what is left to do."""
    from boundcheck.running.suite import judge_all, rehearse, unjudged

    todo = [c for c in chosen if c.id not in kept.finished]
    shell.say(
        _plan_line(
            len(chosen),
            len(chosen) - len(todo),
            kept.plan,
            kept.ledger,
            workers,
        )
    )
    seconds = (kept.expected(todo) or 0.0) / workers.count
    if seconds > LONG:
        shell.say(
            f"It takes about {shell.duration(seconds)}, as the last run did."
        )
    _tell_of_compiling()
    weak, faults = rehearse(todo, kept.plan, kept.timeout)
    if len(faults) == len(chosen):
        raise click.UsageError(
            "\n".join([*kept.broken.values(), *faults.values()])
        )
    for sentence in weak:
        click.echo(sentence, err=True)
    for claim in todo:
        if claim.id in faults:
            kept.keep(
                claim,
                unjudged(
                    claim, faults[claim.id], kept.start(claim).alpha, kept.plan
                ),
            )
    todo = [claim for claim in todo if claim.id not in faults]
    with shell.progress("checking", len(todo)) as advance:
        for claim in judge_all(todo, kept.plan, kept.start, workers, kept.keep):
            r = kept.rows[claim.id]
            told = f"{r.id}: REFUTED, {r.reason} at {r.instance}"
            advance(
                r.id, r.outcome, told if r.refuted and len(chosen) > 1 else ""
            )


def _tell_of_compiling() -> None:
    """Say, once, what a first run waits for; where no claim has loaded a kernel, nothing is compiled."""
    compiled = sys.modules.get("boundcheck.features.compiled")
    if compiled is not None:
        compiled.tell(
            lambda: click.echo(
                "Compiling, once: later runs start warm.", err=True
            )
        )


def _plan_line(
    claims: int, kept: int, plan: Plan, ledger: Ledger, workers: Workers
) -> str:
    counted = shell.counted(claims, "claim") + (
        f" ({kept} kept from before)" if kept else ""
    )
    return (
        f"boundcheck: {counted}, budget {plan.name} ({plan.instances} instances, {plan.work} units of search,"
        f" {plan.trials} trials), seed {plan.seed}, {workers}; false refutations at most {ledger.total:g},"
        f" {ledger.total / len(ledger.claims):.2g} a claim"
    )
