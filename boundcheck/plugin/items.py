"""One claim as a test, judged in this process with its own share of the error budget.

It is loaded with the first claim, and the engine with it.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import pytest

from boundcheck.checking.plan import PLANS, Ledger
from boundcheck.checking.verdict import Judgement
from boundcheck.domains.in_words import where_it_fails
from boundcheck.plugin.options import FOUND, SETTINGS, Settings
from boundcheck.report import printable
from boundcheck.report.reading import CannotRead, read
from boundcheck.running.kept import PROOF, kept_counterexample, save_certificate
from boundcheck.running.suite import Judged, Start, judged, read_first, rehearse
from boundcheck.words.claims import Claim


class ClaimItem(pytest.Item):
    """A claim; its name is the id, so that `-k lemma27` finds it."""

    def __init__(self, *, claim: Claim, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.claim = claim
        self.add_marker("boundcheck")

    def reportinfo(self) -> tuple[Path, int, str]:
        return (
            self.path,
            self.claim.body.__code__.co_firstlineno - 1,
            f"{self.claim.kind} {self.claim.id}",
        )

    def runtest(self) -> None:
        settings, found = self.config.stash[SETTINGS], self.config.stash[FOUND]
        outcome = _judged(self.claim, settings, list(found.claims))
        if outcome.fault:
            self.user_properties.append(("boundcheck_outcome", "BROKEN"))
            pytest.fail(printable(outcome.fault), pytrace=False)
        verdict, certificate = (
            outcome.verdict,
            _keep(outcome.verdict, settings.reports),
        )
        expected = (found.expected or {}).get(
            self.claim.id
        ) == self.claim.fingerprint
        self.user_properties += _properties(
            self.claim, verdict, certificate, expected
        )
        _outcome(self, verdict, expected, certificate)


def enter(collector: pytest.Module, claim: Claim) -> None:
    """Keep the claim for the ledger. Raises CollectError for two of one id, for an unreadable baseline."""
    read_first(claim)
    found = collector.config.stash[FOUND]
    other = found.claims.setdefault(claim.id, claim)
    if (other.file, other.location) != (claim.file, claim.location):
        places = f"at {other.location} and at {claim.location}"
        raise collector.CollectError(
            f"Two claims are called {claim.id}: {places}; rename one."
        )
    if found.expected is None:
        found.expected = _refuted_in(
            collector, collector.config.stash[SETTINGS].baseline
        )


def _refuted_in(
    collector: pytest.Module, baseline: Path | None
) -> dict[str, str]:
    """Id and fingerprint of each claim that the baseline calls REFUTED; none without a baseline."""
    if baseline is None or not baseline.exists():
        return {}
    try:
        return {r.id: r.fingerprint for r in read(baseline).rows if r.refuted}
    except CannotRead as error:
        raise collector.CollectError(str(error)) from error


def _judged(claim: Claim, settings: Settings, ids: list[str]) -> Judged:
    """What `boundcheck check` makes of the claim on the same files."""
    plan = replace(PLANS[settings.budget], seed=settings.seed)
    share, again = (
        Ledger(settings.alpha, ids).share(claim.id),
        tuple(_known(claim, settings)),
    )
    start = Start(share, again, prove=settings.prove == "yes")
    with warnings.catch_warnings():
        warnings.simplefilter(
            "default"
        )  # a filter that makes errors of warnings must not change a verdict
        _, faults = rehearse([claim], plan)
        return judged(claim, plan, start, faults.get(claim.id, ""))


def _known(claim: Claim, settings: Settings) -> Iterator[dict[str, Any]]:
    """Counterexamples kept in the folder of reports, and beside the baseline."""
    for folder in dict.fromkeys(
        (settings.reports, settings.baseline and settings.baseline.parent)
    ):
        if folder is not None:
            yield from kept_counterexample(claim, folder)


def _keep(verdict: Judgement, reports: Path | None) -> str:
    """Write the certificate of a refutation, or of a proof; its path, or nothing."""
    found = verdict.refutation or verdict.proof
    if found is None or reports is None:
        return ""
    return save_certificate(
        found.certificate,
        reports,
        verdict.claim + (PROOF if verdict.proof else ""),
    )


def _properties(
    claim: Claim, verdict: Judgement, certificate: str, expected: bool
) -> list[tuple[str, object]]:
    """What JUnit keeps and the summary counts: plain values, which xdist can send."""
    tightness = "" if verdict.tightness is None else f"{verdict.tightness:.6g}"
    values = {
        "outcome": verdict.outcome.name,
        "expected": "REFUTED" if expected else "",
        "reason": verdict.reason,
        "scope": verdict.scope,
        "source": claim.source,
        "fingerprint": claim.fingerprint,
        "tightness": tightness,
        "alpha": f"{verdict.alpha:.6g}",
        "instances": verdict.evidence.instances,
        "searched": verdict.evidence.searched,
        "trials": verdict.evidence.trials,
        "certificate": certificate,
    }
    return [
        (f"boundcheck_{name}", value)
        for name, value in values.items()
        if value != ""
    ]


def _outcome(
    item: ClaimItem, verdict: Judgement, expected: bool, certificate: str
) -> None:
    """Pass, skip, xfail or fail; what --runxfail lets through an xfail, fails."""
    outcome, says = (
        verdict.outcome.name,
        f"{verdict.outcome.name}: {verdict.reason}",
    )
    if expected and outcome != "REFUTED":
        pytest.fail(
            f"{verdict.claim} is expected to be refuted, as the baseline says, and is {says};"
            " if that is right, update the baseline with `boundcheck gate --update`.",
            pytrace=False,
        )
    if expected or outcome == "VACUOUS":
        pytest.xfail(says)
    if (
        outcome == "INCONCLUSIVE"
        and item.config.stash[SETTINGS].inconclusive == "skip"
    ):
        pytest.skip(says)
    if not verdict.outcome.passes:
        pytest.fail(_told(item, verdict, certificate), pytrace=False)


def _told(item: ClaimItem, verdict: Judgement, certificate: str) -> str:
    """What a reader needs: the statement, where it fails, by how much, and how to see it again."""
    claim, lines = (
        item.claim,
        [f"{verdict.claim} is {verdict.outcome.name}: {verdict.reason}"],
    )
    lines += [
        f"{claim.source}, {claim.location}",
        "",
        textwrap.indent(claim.statement.rstrip(), "    "),
        "",
    ]
    if verdict.refutation is not None:
        lines += [
            f"It fails at {where_it_fails(claim.parameters, verdict.refutation.certificate)}"
        ]
        lines += [
            f"by a factor of {exp(min(verdict.refutation.excess, 700)):.6g} (lhs / rhs)."
        ]
    again = f"pytest '{item.nodeid}' {item.config.stash[SETTINGS].spelled}"
    if certificate:
        file = item.path.as_posix()
        lines += [
            f"boundcheck verify {certificate} {file}",
            f"boundcheck replay {certificate} {file}",
            again,
        ]
    else:
        lines += [f"{again} --boundcheck-reports reports"]
    return printable("\n".join(lines))
