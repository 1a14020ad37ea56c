"""Where the proof of a refuted claim fails: its steps in the order of the text, and the first that is refuted."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


def audit(rows: list[Row]) -> dict[str, dict[str, Any]]:
    """For each refuted claim with steps: its first refuted step, all refuted steps, and those that survive."""
    return {r["id"]: _traced(found) for r in rows if r["outcome"] == "REFUTED" and (found := steps(r["id"], rows))}


def steps(claim: str, rows: list[Row]) -> list[Row]:
    """The steps of a claim, each after the steps that it rests on itself."""
    ordered = sorted(rows, key=_place)
    found: list[Row] = []
    seen = {claim}
    waiting = _below(claim, ordered)
    while waiting:
        r, finished = waiting.pop()
        if finished:
            found.append(r)
        elif r["id"] not in seen:
            seen.add(r["id"])
            waiting += [(r, True), *_below(r["id"], ordered)]
    return found


def _below(claim: str, rows: list[Row]) -> list[tuple[Row, bool]]:
    """The steps of a claim, the first one last, where it is taken from."""
    return [(r, False) for r in reversed(rows) if claim in r["step_of"]]


def _place(r: Row) -> tuple[str, int]:
    file, _, line = r["location"].rpartition(":")
    return file, int(line)


def _traced(steps: list[Row]) -> dict[str, Any]:
    refuted = [r["id"] for r in steps if r["outcome"] == "REFUTED"]
    return {
        "first": refuted[0] if refuted else None,
        "refuted": refuted,
        "surviving": [r["id"] for r in steps if r["outcome"] == "HOLDS"],
        "open": [r["id"] for r in steps if r["outcome"] in ("INCONCLUSIVE", "VACUOUS")],
    }
