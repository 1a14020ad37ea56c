"""Comparing a report with a committed baseline: what got worse, what cannot be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

RANK = {"HOLDS": 3, "INCONCLUSIVE": 2, "VACUOUS": 1, "REFUTED": 0}


@dataclass(frozen=True)
class Comparison:
    """Sentences about claims, by what they mean for the gate."""

    regressions: tuple[str, ...]
    improvements: tuple[str, ...]
    incomparable: tuple[str, ...]


def compare(baseline: dict[str, Any], current: dict[str, Any]) -> Comparison:
    """A claim whose text changed is not comparable; a verdict that moved down, or a claim that is gone, is a regression."""
    old = {r["id"]: r for r in baseline["claims"]}
    new = {r["id"]: r for r in current["claims"]}
    regressions = [f"{id} is gone; it was {r['outcome']}" for id, r in old.items() if id not in new]
    improvements, incomparable = [], [f"{id} is new: {r['outcome']}" for id, r in new.items() if id not in old]
    for id in sorted(old.keys() & new.keys()):
        before, after = old[id], new[id]
        if before["fingerprint"] != after["fingerprint"]:
            incomparable.append(f"{id} was restated: {before['outcome']} before, {after['outcome']} now")
        elif RANK[after["outcome"]] != RANK[before["outcome"]]:
            worse = RANK[after["outcome"]] < RANK[before["outcome"]]
            (regressions if worse else improvements).append(f"{id}: {before['outcome']} -> {after['outcome']} ({after['reason']})")
    return Comparison(tuple(regressions), tuple(improvements), tuple(incomparable))
