"""The report as JSON: one versioned document, comparable part and volatile part apart."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from boundcheck import __version__
from boundcheck.checking.judge import Plan
from boundcheck.checking.plan import Ledger
from boundcheck.checking.verdict import Evidence, Open, Verdict
from boundcheck.domains.instances import to_json
from boundcheck.report.audit import audit
from boundcheck.report.files import write_whole
from boundcheck.report.instance import spelled
from boundcheck.report.migrate import SCHEMA_VERSION
from boundcheck.report.reading import CannotRead, read, summary
from boundcheck.words.claims import Claim

__all__ = ["CannotRead", "document", "evidence_of", "machine", "read", "row", "save"]


def row(
    claim: Claim, verdict: Verdict, certificate: str | None, curves: Sequence[dict[str, Any]] = (), seeds: Sequence[int] = (0,)
) -> dict[str, Any]:
    """One claim; floats that are not numbers become null. `seeds` are those of the runs whose evidence it is."""
    evidence = asdict(verdict.evidence)
    evidence["tightest"] = None if verdict.tightness is None else verdict.evidence.tightest
    evidence["open"] = to_json(evidence["open"])
    found = verdict.refutation
    return {
        "id": claim.id, "outcome": verdict.outcome.name, "scope": verdict.scope, "reason": verdict.reason,
        "kind": claim.kind, "source": claim.source, "summary": claim.summary,
        "statement": claim.statement, "location": claim.location,
        "fingerprint": claim.fingerprint, "repairs": _names(claim.repairs), "step_of": list(claim.step_of),
        "tightness": verdict.tightness, "alpha": verdict.alpha, "level": verdict.level,
        "evidence": evidence, "certificate": certificate, "excess": found.excess if found else None,
        "instance": spelled(found.certificate["claim"]["instance"]) if found else None,
        "power": {twin.label: twin.refuted for twin in verdict.power}, "curves": list(curves),
        "seeds": list(seeds),
    }  # fmt: skip


def evidence_of(r: dict[str, Any]) -> Evidence:
    """The evidence that a row holds."""
    e = {f.name: r["evidence"][f.name] for f in fields(Evidence) if f.name in r["evidence"]}
    tightest = float("-inf") if e.get("tightest") is None else e["tightest"]
    left = tuple(Open(o["instance"], o["part"], o["sentence"], tuple(map(tuple, o["seen"]))) for o in e.get("open", ()))
    names = {name: tuple(e.get(name, ())) for name in ("undecided", "killed")}
    return Evidence(**{**e, **names, "tightest": tightest, "open": left})


def _names(ids: Any) -> list[str]:
    return [] if ids is None else [ids] if isinstance(ids, str) else list(ids)


NONE_BROKEN: Mapping[str, str] = {}


def document(
    rows: Iterable[dict[str, Any]], plan: Plan, ledger: Ledger, volatile: dict[str, Any], broken: Mapping[str, str] = NONE_BROKEN
) -> dict[str, Any]:
    """The whole report. `volatile` (times, machine) is the only part that differs between equal runs.

    `broken` has a sentence for each claim whose text fails, and for each file that cannot be loaded.
    """
    rows = sorted(rows, key=lambda r: r["id"])
    return {
        "schema_version": SCHEMA_VERSION, "tool": {"name": "boundcheck", "version": __version__}, "plan": asdict(plan),
        "ledger": {"total": ledger.total, "claims": len(ledger.claims)}, "summary": summary(rows), "claims": rows, "audit": audit(rows),
        "broken": dict(sorted(broken.items())), "volatile": volatile,
    }  # fmt: skip


def machine() -> dict[str, Any]:
    """Where the run took place."""
    return {"python": platform.python_version(), "machine": platform.machine(), "cpus": os.cpu_count()}


def save(content: dict[str, Any], path: Path) -> None:
    """Write the document so that a reader sees the old one or the new one, never half of one."""
    write_whole(json.dumps(content, indent=1, sort_keys=True) + "\n", path)
