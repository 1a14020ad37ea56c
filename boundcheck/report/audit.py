"""Where the proof of a refuted claim fails: its steps in the order of the text, and the first that is refuted."""

from __future__ import annotations

from typing import Any


def audit(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """For each refuted claim with steps: its first refuted step, all refuted steps, and those that survive."""
    return {r["id"]: _traced(steps) for r in rows if r["outcome"] == "REFUTED" and (steps := _steps(r["id"], rows, set()))}


def _steps(claim: str, rows: list[dict[str, Any]], seen: set[str]) -> list[dict[str, Any]]:
    """The steps of a claim, each after the steps that it rests on itself."""
    found = []
    for r in sorted(rows, key=_place):
        if claim in r["step_of"] and r["id"] not in seen:
            seen.add(r["id"])
            found += [*_steps(r["id"], rows, seen), r]
    return found


def _place(r: dict[str, Any]) -> tuple[str, int]:
    file, _, line = r["location"].rpartition(":")
    return file, int(line)


def _traced(steps: list[dict[str, Any]]) -> dict[str, Any]:
    refuted = [r["id"] for r in steps if r["outcome"] == "REFUTED"]
    return {
        "first": refuted[0] if refuted else None,
        "refuted": refuted,
        "surviving": [r["id"] for r in steps if r["outcome"] == "HOLDS"],
        "open": [r["id"] for r in steps if r["outcome"] in ("INCONCLUSIVE", "VACUOUS")],
    }
