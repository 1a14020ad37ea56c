"""The report as JSON: one versioned document, comparable part and volatile part apart."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from boundcheck import __version__
from boundcheck.checking.judge import Plan
from boundcheck.checking.ledger import Ledger
from boundcheck.checking.verdict import Outcome, Verdict
from boundcheck.claims import Claim
from boundcheck.report.audit import audit
from boundcheck.report.instance import spelled

SCHEMA_VERSION = "1.0"


class CannotRead(Exception):
    """A report that cannot be used; the message says why and what to do."""


def row(claim: Claim, verdict: Verdict, certificate: str | None) -> dict[str, Any]:
    """One claim; floats that are not numbers become null."""
    evidence = asdict(verdict.evidence)
    evidence["tightest"] = None if verdict.tightness is None else verdict.evidence.tightest
    found = verdict.refutation
    return {
        "id": claim.id, "outcome": verdict.outcome.name, "scope": verdict.scope, "reason": verdict.reason,
        "kind": claim.kind, "source": claim.source, "summary": claim.summary, "location": claim.location,
        "fingerprint": claim.fingerprint, "repairs": claim.repairs, "step_of": list(claim.step_of),
        "tightness": verdict.tightness, "alpha": verdict.alpha, "level": verdict.level,
        "evidence": evidence, "certificate": certificate, "excess": found.excess if found else None,
        "instance": spelled(found.certificate["claim"]["instance"]) if found else None,
        "power": {twin.label: twin.refuted for twin in verdict.power},
    }  # fmt: skip


def document(rows: Iterable[dict[str, Any]], plan: Plan, ledger: Ledger, volatile: dict[str, Any]) -> dict[str, Any]:
    """The whole report. `volatile` (times, machine) is the only part that differs between equal runs."""
    rows = sorted(rows, key=lambda r: r["id"])
    counts = {outcome.name: sum(r["outcome"] == outcome.name for r in rows) for outcome in Outcome}
    return {
        "schema_version": SCHEMA_VERSION, "tool": {"name": "boundcheck", "version": __version__}, "plan": asdict(plan),
        "ledger": {"total": ledger.total, "claims": len(ledger.claims)}, "summary": counts, "claims": rows, "audit": audit(rows),
        "volatile": volatile,
    }  # fmt: skip


def machine() -> dict[str, Any]:
    """Where the run took place."""
    return {"python": platform.python_version(), "machine": platform.machine(), "cpus": os.cpu_count()}


def save(content: dict[str, Any], path: Path) -> None:
    """Write the document so that a reader sees the old one or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    unfinished.replace(path)


def read(path: Path) -> dict[str, Any]:
    """A report from a file. Raises CannotRead."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        major = int(str(content["schema_version"]).split(".")[0])
    except FileNotFoundError:
        raise CannotRead(f"There is no report {path}; run `boundcheck check` first.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CannotRead(f"{path} is not a boundcheck report ({error}); run `boundcheck check` to make a new one.") from None
    if major > int(SCHEMA_VERSION.split(".")[0]):
        raise CannotRead(f"{path} was written by a newer boundcheck (schema {content['schema_version']}); update boundcheck to read it.")
    return content
