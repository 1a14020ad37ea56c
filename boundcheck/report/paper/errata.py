"""Errata of a paper: what the engine refutes, with the argument that a person has written down for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boundcheck.report.markdown import MARK, code, escaped
from boundcheck.report.paper.entries import TEXT, TEXTS, entries

Row = dict[str, Any]
Entry = dict[str, Any]

NOT_ARGUED = "severity not yet argued"


def errata(rows: list[Row], audit: dict[str, Any], folder: Path) -> list[str]:
    """A heading, and `sections` if there are any. Raises CannotRead."""
    found = sections(rows, audit, folder)
    return ["## Errata", "", *found] if found else []


def sections(rows: list[Row], audit: dict[str, Any], folder: Path) -> list[str]:
    """A section for each refuted claim, those with an entry in `errata.toml` first. Raises CannotRead.

    An entry whose claim is not refuted in this report is not shown: the verdict decides, not the file.
    """
    required, optional = {"id": TEXT, "severity": TEXT, "argument": TEXT}, {"repair": TEXTS}
    argued = {e["id"]: e for e in entries(folder / "errata.toml", "erratum", required, optional)}
    refuted = sorted((r for r in rows if r["outcome"] == "REFUTED"), key=lambda r: r["id"] not in argued)
    by_id = {r["id"]: r for r in rows}
    return [line for r in refuted for line in _erratum(r, argued.get(r["id"]), audit.get(r["id"]), by_id)]


def _erratum(r: Row, entry: Entry | None, found: dict[str, Any] | None, by_id: dict[str, Row]) -> list[str]:
    lines = [f"### {code(r['id'])}: {escaped(entry['severity']) if entry else NOT_ARGUED}", ""]
    lines += [escaped(r["source"]) + ".", ""]
    lines += [escaped(entry["argument"]), ""] if entry else []
    lines += ["As printed: " + escaped(r["summary"]), "", *_fenced(r["statement"], "python")]
    lines += [f"Fails: {escaped(r['reason'])}" + (f", at {code(r['instance'])}." if r["instance"] else "."), ""]
    if found:
        first = f"First step of the proof that fails: {_named(found['first'], by_id)}." if found["first"] else ""
        lines += [first or "No step of the proof that is checked fails.", ""]
    lines += [f"Repaired: {_named(i, by_id)}." for i in _repairs(r, entry, by_id)] or ["No repair is stated."]
    lines += [""]
    return lines + (_fenced(f"python -m boundcheck.certificates.verify {r['certificate']}", "sh") if r["certificate"] else [])


def _repairs(r: Row, entry: Entry | None, by_id: dict[str, Row]) -> list[str]:
    """The claims that the entry names, and those that say of themselves that they repair this one."""
    named = (entry or {}).get("repair", [])
    named = [named] if isinstance(named, str) else named
    return list(dict.fromkeys([*named, *(o["id"] for o in by_id.values() if r["id"] in o["repairs"])]))


def _named(claim: str, by_id: dict[str, Row]) -> str:
    r = by_id.get(claim)
    if r is None:
        return f"{code(claim)}, which is not in the report"
    return f"{code(claim)}, {MARK[r['outcome']]}: {escaped(r['summary'])}".rstrip(".")


def _fenced(text: str, language: str) -> list[str]:
    """A block of code whose fence is longer than any inside."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [fence + language, text.rstrip("\n"), fence, ""] if text else []
