"""Many claims: judged in parallel, the same on any number of workers; one whose text fails is out, alone."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck.checking.confidence import trials_to_decide
from boundcheck.checking.judge import PLANS, Plan, judge
from boundcheck.checking.observe import (
    BrokenClaim,
    Observation,
    Skipped,
    observe,
)
from boundcheck.checking.pace import pacing
from boundcheck.checking.sampling import allowed
from boundcheck.checking.verdict import (
    NO_EVIDENCE,
    Evidence,
    Judgement,
    Outcome,
    broken,
    with_proof,
)
from boundcheck.checking.verification import Contradiction, Different, compared
from boundcheck.domains.instances import draw_instances, from_json
from boundcheck.proofs import checked, proved
from boundcheck.report.curves import curves
from boundcheck.report.document import Plot
from boundcheck.running import TimeUp, Workers, interrupted, time_limit
from boundcheck.words.claims import Claim, last_line
from boundcheck.words.failures import told
from boundcheck.words.loading import claim_in
from boundcheck.words.meaning import UNREADABLE
from boundcheck.words.statements import Chance

MOST_PATIENT = 10

NO_TIME = 1e-3
"""Seconds: an alarm after none would never ring."""


@dataclass(frozen=True)
class Start:
    """What a claim begins with: its share of the error, counterexamples to try, evidence of other seeds.

    The run-th run makes so many times the trials, up to MOST_PATIENT: what took two runs to decide takes the
    third one no longer.
    """

    alpha: float
    known: tuple[dict[str, Any], ...] = ()
    before: Evidence = NO_EVIDENCE
    run: int = 1
    prove: bool = False
    """Whether a proof of what holds is asked for."""
    proof: dict[str, Any] | None = None
    """The certificate of a proof that an earlier run kept of this text."""
    timeout: float | None = None
    """Seconds that a claim is given."""


def rehearse(
    claims: Iterable[Claim], plan: Plan, timeout: float | None = None
) -> tuple[list[str], dict[str, str]]:
    """Run each body once before anything is spent: designs too weak to decide, claims whose text fails."""
    weak, faults = [], {}
    for claim in claims:
        try:
            read_first(claim)
            with (
                time_limit(timeout),
                without_warnings(),
                pacing(claim, plan),
            ):
                seen = [
                    observe(claim, raw)
                    for raw in draw_instances(claim.parameters, 2, 0)
                ]
            weak += (
                [sentence] if (sentence := _too_weak(claim, seen, plan)) else []
            )
        except TimeUp:
            continue  # it is told when it is judged
        except Exception as error:  # whatever the text raises
            if interrupted(error):
                raise KeyboardInterrupt from error
            faults[claim.id] = fault_of(claim, error)
    return weak, {id: fault for id, fault in faults.items() if fault}


@contextmanager
def without_warnings() -> Iterator[None]:
    """What NumPy warns of (a division by zero, an overflow) is judged, and not told."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def fault_of(claim: Claim, error: Exception) -> str:
    """One sentence for an error of the text, with the line that failed; nothing for one of the engine."""
    if isinstance(error, BrokenClaim):
        return str(error)
    line = last_line(error, claim.file)
    return (
        f"{claim.id} ({claim.failed_at(error)}): {told(error)}" if line else ""
    )


def _too_weak(
    claim: Claim, seen: Sequence[list[Observation] | Skipped], plan: Plan
) -> str | None:
    """Trials that never fail decide most quickly; if these are too many, nothing is decided by sampling."""
    looked = (
        o
        for parts in seen
        if not isinstance(parts, Skipped)
        for o in parts
        if not o.vacuous
    )
    sampled = [o.pending for o in looked if isinstance(o.pending, Chance)]
    needed = [
        trials_to_decide(allowed(chance), 0.0, plan.level) for chance in sampled
    ]
    if not needed or min(needed) <= plan.trials:
        return None
    if not isfinite(min(needed)):
        never = "no machine makes the trials that show a chance so near to 0; they can only refute it"
        return f"{claim.id}: {never}: state it with a finite law."
    enough = next(
        (p.name for p in PLANS.values() if p.trials >= min(needed)), None
    )
    larger = (
        "no budget makes as many:"
        if enough is None
        else f"take --budget {enough}, or"
    )
    return (
        f"{claim.id}: the design is too weak, deciding a chance this small takes {min(needed):,.0f} trials"
        f" at the least and budget {plan.name} makes {plan.trials:,}; {larger} state it with a finite law."
    )


@dataclass(frozen=True)
class Judged:
    """The verdict on a claim, its processor seconds, what is wrong with its text, its curves."""

    verdict: Judgement
    seconds: float = 0.0
    fault: str = ""
    curves: tuple[Plot, ...] = ()


def judge_all(
    claims: Sequence[Claim],
    plan: Plan,
    start: Callable[[Claim], Start],
    workers: Workers,
    keep: Callable[[Claim, Judged], None],
) -> Iterator[Claim]:
    """Judge in parallel; what comes of each goes to `keep`, and its claim is yielded. Raises NoWorkers."""
    by_id = {claim.id: claim for claim in claims}
    tasks = {
        c.id: (_loaded, (c.id, c.file, c.fingerprint, plan, start(c)))
        for c in claims
    }
    for id, outcome in workers.results(tasks):
        keep(
            by_id[id],
            outcome or _with_curves(by_id[id], plan, start(by_id[id])),
        )
        yield by_id[id]


def _loaded(
    claim_id: str, file: str, fingerprint: str, plan: Plan, start: Start
) -> Judged | None:
    """What comes of one claim of a file in whatever process this is; None where it says something else here.

    A worker that has been at work before has modules of earlier texts, and a file may have changed meanwhile.
    """
    claim = claim_in(file, claim_id)
    if claim is None:
        return None
    same = claim.fingerprint == fingerprint or fingerprint.startswith(
        UNREADABLE
    )
    return _with_curves(claim, plan, start) if same else None


def _with_curves(claim: Claim, plan: Plan, start: Start) -> Judged:
    """What comes of a claim, with its curves, if it leaves time for them."""
    began, since, drawn = time.process_time(), time.monotonic(), ()
    outcome = judged(claim, plan, start)
    found, left = outcome.verdict.refutation, None
    if start.timeout is not None:
        left = max(start.timeout - (time.monotonic() - since), NO_TIME)
    with (
        threadpool_limits(1),
        suppress(TimeUp),
        time_limit(left),
        without_warnings(),
    ):
        at = (
            from_json(found.certificate["claim"]["instance"]) if found else None
        )
        drawn = () if outcome.fault else curves(claim, at)
    return replace(outcome, curves=drawn, seconds=time.process_time() - began)


def judged(claim: Claim, plan: Plan, start: Start, fault: str = "") -> Judged:
    """What comes of one claim, on one thread; `fault` is what the rehearsal found to be wrong with its text.

    A certificate is compared with the text. A claim that cannot be judged to the end is inconclusive, alone.
    """
    read_first(claim)
    began = time.process_time()
    with threadpool_limits(1):
        outcome = (
            unjudged(claim, fault, start.alpha, plan)
            if fault
            else _verdict(claim, plan, start)
        )
    return replace(outcome, seconds=time.process_time() - began)


def _verdict(claim: Claim, plan: Plan, start: Start) -> Judged:
    plan = replace(plan, trials=plan.trials * min(start.run, MOST_PATIENT))
    try:
        with time_limit(start.timeout), without_warnings():
            verdict = judge(
                claim, plan, start.alpha, start.known, before=start.before
            )
            if verdict.refutation is not None:
                compared(claim, verdict.refutation.certificate)
            return Judged(with_proof_of(claim, verdict, start))
    except Contradiction:
        raise
    except TimeUp:
        late = (
            f"not judged in {start.timeout:g} s, which --timeout gives a claim"
        )
        return _open(claim, f"{late}: give it more, or none", start, plan)
    except (
        Exception
    ) as error:  # of the text, or of the engine: the other claims go on
        if interrupted(error):
            raise KeyboardInterrupt from error
        if isinstance(error, Different):
            return _open(
                claim,
                f"the certificate does not fit the text: {error}",
                start,
                plan,
            )
        if fault := fault_of(claim, error):
            return unjudged(claim, fault, start.alpha, plan)
        return _open(
            claim,
            f"the engine fails on it: {type(error).__name__} {error}",
            start,
            plan,
        )


def with_proof_of(claim: Claim, verdict: Judgement, start: Start) -> Judgement:
    """The verdict on a claim that holds, with the proof that is found or that an earlier run has kept.

    A run that does not ask for proofs throws none away.
    """
    proof = None
    if verdict.outcome is Outcome.HOLDS:
        proof = proved(claim) if start.prove else None
        if proof is None and start.proof is not None:
            proof = checked(claim, start.proof)
    outcome, scope, reason = with_proof(
        (verdict.outcome, verdict.scope, verdict.reason), proof
    )
    return replace(
        verdict, outcome=outcome, scope=scope, reason=reason, proof=proof
    )


def _open(claim: Claim, sentence: str, start: Start, plan: Plan) -> Judged:
    return Judged(broken(claim.id, sentence, start.alpha, plan.level))


def unjudged(claim: Claim, fault: str, alpha: float, plan: Plan) -> Judged:
    """What is said of a claim whose text fails."""
    return Judged(
        broken(claim.id, f"the text fails: {fault}", alpha, plan.level),
        fault=fault,
    )


def read_first(claim: Claim) -> None:
    """Read the text and all that it depends on before the body runs, which may change both."""
    _ = claim.statement, claim.fingerprint
