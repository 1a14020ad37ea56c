"""The summary at the end of a session, made of what the reports carry, so that it is the same under xdist."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from boundcheck.plugin.options import SETTINGS


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    judged = _judged(terminalreporter.stats)
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


def _judged(stats: dict[str, list[Any]]) -> list[dict[str, Any]]:
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
