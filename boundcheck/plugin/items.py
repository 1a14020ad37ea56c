"""One claim as a test, judged in this process with its own share of the error budget; and the summary of all."""

from __future__ import annotations

import textwrap
import warnings
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boundcheck.plugin.options import FOUND, SETTINGS, Settings

if TYPE_CHECKING:
    from boundcheck.checking.verdict import Verdict
    from boundcheck.running.suite import Judged
    from boundcheck.words.claims import Claim


class ClaimItem(pytest.Item):
    """A claim; its name is the id, so that `-k lemma27` finds it."""

    def __init__(self, *, claim: Claim, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.claim = claim
        self.add_marker("boundcheck")

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.claim.body.__code__.co_firstlineno - 1, f"{self.claim.kind} {self.claim.id}"

    def runtest(self) -> None:
        settings, found = self.config.stash[SETTINGS], self.config.stash[FOUND]
        from boundcheck.report.printable import printable

        judged = _judged(self.claim, settings, list(found.claims))
        if judged.fault:
            self.user_properties.append(("boundcheck_outcome", "BROKEN"))
            pytest.fail(printable(judged.fault), pytrace=False)
        verdict, certificate = judged.verdict, _keep(judged.verdict, settings.reports)
        expected = (found.expected or {}).get(self.claim.id) == self.claim.fingerprint
        self.user_properties += _properties(self.claim, verdict, certificate, expected)
        _outcome(self, verdict, expected, certificate)


def _judged(claim: Claim, settings: Settings, ids: list[str]) -> Judged:
    """What `boundcheck check` makes of the claim on the same files."""
    from boundcheck.checking.plan import PLANS, Ledger
    from boundcheck.running.suite import Start, judged, rehearse

    plan, alpha = replace(PLANS[settings.budget], seed=settings.seed), Ledger(settings.alpha, ids).share(claim.id)
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # a filter that makes errors of warnings must not change a verdict
        _, faults = rehearse([claim], plan)
        return judged(claim, plan, Start(alpha, tuple(_known(claim, settings))), faults.get(claim.id, ""))


def _known(claim: Claim, settings: Settings) -> Iterator[dict[str, Any]]:
    """Counterexamples kept in the folder of reports, and beside the baseline."""
    from boundcheck.running.kept import known

    for folder in dict.fromkeys((settings.reports, settings.baseline and settings.baseline.parent)):
        if folder is not None:
            yield from known(claim, folder)


def _keep(verdict: Verdict, reports: Path | None) -> str:
    """Write the certificate of a refutation; its path, or nothing."""
    if verdict.refutation is None or reports is None:
        return ""
    from boundcheck.running.kept import save_certificate

    return save_certificate(verdict.refutation.certificate, reports, verdict.claim)


def _properties(claim: Claim, verdict: Verdict, certificate: str, expected: bool) -> list[tuple[str, object]]:
    """What JUnit keeps and the summary counts: plain values, which xdist can send."""
    tightness = "" if verdict.tightness is None else f"{verdict.tightness:.6g}"
    values = {
        "outcome": verdict.outcome.name, "expected": "REFUTED" if expected else "", "reason": verdict.reason, "scope": verdict.scope,
        "source": claim.source, "fingerprint": claim.fingerprint, "tightness": tightness, "alpha": f"{verdict.alpha:.6g}",
        "instances": verdict.evidence.instances, "searched": verdict.evidence.searched, "trials": verdict.evidence.trials,
        "certificate": certificate,
    }  # fmt: skip
    return [(f"boundcheck_{name}", value) for name, value in values.items() if value != ""]


def _outcome(item: ClaimItem, verdict: Verdict, expected: bool, certificate: str) -> None:
    """Pass, skip, xfail or fail; what --runxfail lets through an xfail, fails."""
    outcome, says = verdict.outcome.name, f"{verdict.outcome.name}: {verdict.reason}"
    if expected and outcome != "REFUTED":
        pytest.fail(
            f"{verdict.claim} is expected to be refuted, as the baseline says, and is {says};"
            " if that is right, update the baseline with `boundcheck gate --update`.",
            pytrace=False,
        )
    if expected or outcome == "VACUOUS":
        pytest.xfail(says)
    if outcome == "INCONCLUSIVE" and item.config.stash[SETTINGS].inconclusive == "skip":
        pytest.skip(says)
    if outcome != "HOLDS":
        pytest.fail(_told(item, verdict, certificate), pytrace=False)


def _told(item: ClaimItem, verdict: Verdict, certificate: str) -> str:
    """What a reader needs: the statement, where it fails, by how much, and how to see it again."""
    from boundcheck.report.printable import printable

    claim, lines = item.claim, [f"{verdict.claim} is {verdict.outcome.name}: {verdict.reason}"]
    lines += [f"{claim.source}, {claim.location}", "", textwrap.indent(claim.statement.rstrip(), "    "), ""]
    if verdict.refutation is not None:
        from boundcheck.report.row import spelled

        instance = spelled(verdict.refutation.certificate["claim"]["instance"])
        lines += [f"It fails at {instance}", f"by a factor of {exp(min(verdict.refutation.excess, 700)):.6g} (lhs / rhs)."]
    again = f"pytest '{item.nodeid}' {item.config.stash[SETTINGS].spelled}"
    if certificate:
        file = item.path.as_posix()
        lines += [f"boundcheck verify {certificate} {file}", f"boundcheck replay {certificate} {file}", again]
    else:
        lines += [f"{again} --boundcheck-reports reports"]
    return printable("\n".join(lines))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """A skipped claim is listed with the line that states it, not with ours."""
    report = yield
    if isinstance(item, ClaimItem) and report.skipped and isinstance(report.longrepr, tuple):
        path, line, _ = item.reportinfo()
        report.longrepr = (str(path), line + 1, report.longrepr[2])
    return report


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    judged = _properties_of_all(terminalreporter.stats)
    if not judged:
        return
    settings = config.stash[SETTINGS]
    terminalreporter.section("boundcheck")
    terminalreporter.line(_counts(judged))
    terminalreporter.line(
        f"budget {settings.budget}, seed {settings.seed}; the claims of all files collected share {settings.alpha:g} of false refutations"
    )
    if settings.baseline is not None and not settings.baseline.exists():
        terminalreporter.line(f"There is no baseline {settings.baseline}: no refutation was expected.")


def _properties_of_all(stats: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """The properties of each claim that got a verdict."""
    reports = (r for listed in stats.values() for r in listed if isinstance(r, pytest.TestReport) and r.when == "call")
    properties = {r.nodeid: dict(r.user_properties) for r in reports}
    return [p for p in properties.values() if "boundcheck_outcome" in p]


def _counts(judged: list[dict[str, Any]]) -> str:
    counts = Counter(p["boundcheck_outcome"] for p in judged)
    expected = sum(p["boundcheck_outcome"] == p.get("boundcheck_expected") for p in judged)
    notes = {"REFUTED": f" ({expected} expected)"} if expected else {}
    said = ", ".join(f"{counts[name]} {name}{notes.get(name, '')}" for name in sorted(counts))
    return f"{len(judged)} claim{'s' * (len(judged) != 1)}: {said}"
