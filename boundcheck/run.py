"""One run of `check`: the plan line, the progress, files kept as verdicts come, and the exit code."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from boundcheck import exits
from boundcheck.checking.judge import PLANS, Plan
from boundcheck.checking.ledger import Ledger
from boundcheck.checking.verdict import Verdict
from boundcheck.claims import Claim
from boundcheck.instances import from_json
from boundcheck.report.curves import curves
from boundcheck.report.document import CannotRead, document, machine, read, row, save
from boundcheck.report.markdown import markdown
from boundcheck.report.terminal import show
from boundcheck.suite import BrokenClaim, judge_all, rehearse

OUTCOMES = {"refuted", "inconclusive", "vacuous"}


class Kept:
    """The rows so far and their files; every verdict is on disk before the next is made."""

    def __init__(self, path: Path, folder: Path, plan: Plan, ledger: Ledger):
        self.path, self.folder, self.plan, self.ledger = path, folder, plan, ledger
        self.rows: dict[str, dict[str, Any]] = {}
        self.started = time.time()

    def take_over(self, claims: Sequence[Claim]) -> None:
        """Rows of an earlier run that would come out the same. Raises CannotRead."""
        if not self.path.exists():
            return
        old = read(self.path)
        current = {c.id: c.fingerprint for c in claims}
        same = old["plan"] == json.loads(json.dumps(self.plan.__dict__)) and old["ledger"] == {
            "total": self.ledger.total,
            "claims": len(self.ledger.claims),
        }
        self.rows = {r["id"]: r for r in old["claims"] if same and current.get(r["id"]) == r["fingerprint"]}

    def keep(self, claim: Claim, verdict: Verdict) -> None:
        found = verdict.refutation
        around = from_json(found.certificate["claim"]["instance"]) if found else None
        self.rows[claim.id] = row(claim, verdict, self._certificate(verdict), curves(claim, around))
        self.write()

    def _certificate(self, verdict: Verdict) -> str | None:
        if verdict.refutation is None:
            return None
        path = self._path_of(verdict.claim)
        save_certificate(verdict.refutation.certificate, path)
        return path.as_posix()

    def known(self, claim: Claim) -> tuple[dict[str, Any], ...]:
        """The counterexample that an earlier run kept, if it is one of this claim as it stands."""
        try:
            about = json.loads(self._path_of(claim.id).read_text(encoding="utf-8"))["claim"]
            return (from_json(about["instance"]),) if about["fingerprint"] == claim.fingerprint else ()
        except (OSError, ValueError, KeyError, TypeError):
            return ()

    def _path_of(self, claim_id: str) -> Path:
        return self.folder / "certificates" / f"{claim_id}.json"

    def probe(self) -> None:
        """Find out now, not after the first verdict, whether the folder can be written. Raises OSError."""
        path = self._path_of(f".probe{os.getpid()}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        path.unlink()

    def write(self) -> dict[str, Any]:
        content = document(self.rows.values(), self.plan, self.ledger, {**machine(), "seconds": round(time.time() - self.started, 1)})
        save(content, self.path)
        return content


def save_certificate(certificate: dict[str, Any], path: Path) -> None:
    """Compact JSON, written whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(json.dumps(certificate, sort_keys=True) + "\n", encoding="utf-8")
    unfinished.replace(path)


def run(
    chosen: Sequence[Claim], everything: Sequence[Claim], *, budget: str, seed: int, alpha: float, workers: int | None,
    json_path: Path | None, reports: Path, resume: bool, fail_on: str,
) -> int:  # fmt: skip
    """Judge the chosen claims, write the reports, and return the exit code."""
    failing = _failing(fail_on)
    plan, ledger = replace(PLANS[budget], seed=seed), Ledger(alpha, [c.id for c in everything])
    kept = Kept(json_path or reports / "verdicts.json", reports, plan, ledger)
    try:
        _judge(chosen, kept, resume, workers or os.cpu_count() or 1)
    except (BrokenClaim, CannotRead) as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"\nInterrupted; {len(kept.rows)} verdicts are kept in {kept.path}: go on with --resume.", err=True)
        return exits.INTERRUPTED
    except OSError as error:
        raise click.UsageError(f"The report cannot be written: {error}.") from error
    return _exit_code(_finish(kept), failing)


def _finish(kept: Kept) -> dict[str, Any]:
    """The last write, the Markdown, and the table on the terminal."""
    content, console = kept.write(), Console()
    path = kept.folder / "verdicts.md"
    path.write_text(markdown(content), encoding="utf-8")
    show(console, content)
    console.print(f"Written: {kept.path}, {path}", highlight=False)
    return content


def _failing(fail_on: str) -> set[str]:
    wanted = {w.strip().lower() for w in fail_on.split(",")} - {"none", ""}
    if wanted - OUTCOMES:
        raise click.UsageError(f"--fail-on takes {', '.join(sorted(OUTCOMES))} or none, not '{fail_on}'.")
    return wanted


def _plan_line(chosen: Sequence[Claim], todo: Sequence[Claim], plan: Plan, ledger: Ledger, workers: int) -> str:
    kept = f" ({len(chosen) - len(todo)} kept from before)" if len(todo) < len(chosen) else ""
    return (
        f"boundcheck: {_counted(len(chosen), 'claim')}{kept}, budget {plan.name} ({plan.instances} instances, {plan.work} units of"
        f" search, {plan.trials} trials), seed {plan.seed}, {_counted(workers, 'worker')}; false refutations at most {ledger.total:g},"
        f" {ledger.total / len(ledger.claims):.2g} a claim"
    )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _judge(chosen: Sequence[Claim], kept: Kept, resume: bool, workers: int) -> None:
    """Rehearse and judge what is left to do, with a progress bar on terminals."""
    if resume:
        kept.take_over(chosen)
    todo = [c for c in chosen if c.id not in kept.rows]
    workers = min(workers, max(len(todo), 1))
    Console().print(_plan_line(chosen, todo, kept.plan, kept.ledger, workers), highlight=False)
    kept.probe()
    rehearse(todo)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("checking", total=len(todo))
        for claim in judge_all(todo, kept.plan, kept.ledger, workers, kept.known, kept.keep):
            progress.update(task, advance=1, description=claim.id)


def _exit_code(content: dict[str, Any], failing: set[str]) -> int:
    outcomes = {r["outcome"].lower() for r in content["claims"]}
    if "refuted" in outcomes & failing:
        return exits.WORSE
    return exits.UNDECIDED if outcomes & failing else exits.FINE
