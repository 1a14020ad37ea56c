"""Reports of older schema versions, brought to the present one a version at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SCHEMA_VERSION = "1.1"

Report = dict[str, Any]


def migrated(content: Report) -> Report:
    """The report as the present version writes it; one of a newer minor version, or of none that is known, stays as it is."""
    while content.get("schema_version") in STEPS:
        version, step = STEPS[content["schema_version"]]
        content = {**step(content), "schema_version": version}
    return content


def _texts_and_curves(content: Report) -> Report:
    """1.1 adds texts, curves and seeds, and a claim may repair several; the first reports of 1.0 have neither audit nor instances."""
    claims = content.get("claims")
    if isinstance(claims, list):
        plan = content.get("plan")
        seed = plan.get("seed") if isinstance(plan, dict) else None
        claims = [{"seeds": [seed], **_claim_of_1_1(r)} if isinstance(r, dict) else r for r in claims]
    return {"audit": {}, **content, "claims": claims}


def _claim_of_1_1(r: Report) -> Report:
    repairs = r.get("repairs")
    named = [] if repairs is None else [repairs] if isinstance(repairs, str) else repairs
    return {"statement": "", "curves": [], "instance": None, **r, "repairs": named}


STEPS: dict[str, tuple[str, Callable[[Report], Report]]] = {"1.0": ("1.1", _texts_and_curves)}
"""For each older version: the version that a step leads to, and the step; a step never fails, whatever it is given."""
