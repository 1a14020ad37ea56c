"""Two reports compared: what got worse, what was accepted, what got better, what was restated or is new."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from boundcheck.report.gate.accepted import Acceptance

RANK = {"REFUTED": 0, "VACUOUS": 1, "INCONCLUSIVE": 2, "HOLDS": 3}

GONE = "GONE"
"""What a claim is now that the report does not have."""

NEW = "NEW"
"""What a claim was that the baseline does not have."""

RADIUS = 0.1
"""A tightness is known up to so much: on another machine, a search may end elsewhere."""


@dataclass(frozen=True)
class Change:
    """One claim, before and now."""

    id: str
    fingerprint: str
    before: str
    after: str
    why: str
    location: str = ""

    def __str__(self) -> str:
        return " ".join(f"{self.id}: {self.before} -> {self.after} ({self.why})".split())


@dataclass(frozen=True)
class Comparison:
    """The changes, by what they mean for the gate."""

    regressions: tuple[Change, ...] = ()
    accepted: tuple[tuple[Change, str], ...] = ()
    improvements: tuple[Change, ...] = ()
    restated: tuple[Change, ...] = ()
    new: tuple[Change, ...] = ()


def compare(baseline: dict[str, Any], current: dict[str, Any], accepted: Collection[Acceptance] = ()) -> Comparison:
    """Compare two reports.

    Regressions are a verdict that moved down, whether or not the claim was restated; a new claim that is refuted; a claim that is
    gone; and, for the same text under the same plan, a search that no longer comes near a bound that it once came near (tightness
    intervals disjoint). `accepted` ones do not count. A claim that was restated, or is new, and did not get worse is listed as such.
    """
    old, new = ({r["id"]: r for r in report["claims"]} for report in (baseline, current))
    both = [(old[id], new[id]) for id in sorted(old.keys() & new.keys())]
    same = [(was, now) for was, now in both if was["fingerprint"] == now["fingerprint"]]
    restated = [(was, now) for was, now in both if was["fingerprint"] != now["fingerprint"] and not _is_worse(was, now)]
    added = [new[id] for id in sorted(new.keys() - old.keys())]
    worse = [_gone(old[id]) for id in sorted(old.keys() - new.keys())]
    worse += [_moved(was, now) for was, now in both if _is_worse(was, now)]
    worse += [_new(now) for now in added if now["outcome"] == "REFUTED"]
    if baseline["plan"] == current["plan"]:
        worse += [_looser(was, now) for was, now in same if _is_looser(was, now)]
    reasons = {a.change: a.reason for a in accepted}
    return Comparison(
        tuple(c for c in worse if _key(c) not in reasons),
        tuple((c, reasons[_key(c)]) for c in worse if _key(c) in reasons),
        tuple(_moved(was, now) for was, now in same if RANK[now["outcome"]] > RANK[was["outcome"]]),
        tuple(_restated(was, now) for was, now in restated),
        tuple(_new(now) for now in added if now["outcome"] != "REFUTED"),
    )


def _is_worse(was: dict[str, Any], now: dict[str, Any]) -> bool:
    return RANK[now["outcome"]] < RANK[was["outcome"]]


def accept(change: Change, reason: str) -> Acceptance:
    """The acceptance of a change."""
    return Acceptance(*_key(change), reason)


def _key(change: Change) -> tuple[str, str, str, str]:
    return change.id, change.fingerprint, change.before, change.after


def _moved(was: dict[str, Any], now: dict[str, Any]) -> Change:
    why = now["reason"] if was["fingerprint"] == now["fingerprint"] else f"restated; {now['reason']}"
    return Change(now["id"], now["fingerprint"], was["outcome"], now["outcome"], why, now["location"])


def _restated(was: dict[str, Any], now: dict[str, Any]) -> Change:
    return Change(now["id"], now["fingerprint"], was["outcome"], now["outcome"], "restated", now["location"])


def _new(now: dict[str, Any]) -> Change:
    return Change(now["id"], now["fingerprint"], NEW, now["outcome"], now["reason"], now["location"])


def _gone(was: dict[str, Any]) -> Change:
    return Change(was["id"], was["fingerprint"], was["outcome"], GONE, "the report does not have it", was["location"])


def _is_looser(was: dict[str, Any], now: dict[str, Any]) -> bool:
    before, after = was["tightness"], now["tightness"]
    if before is None or after is None or not was["outcome"] == now["outcome"] == "HOLDS":
        return False
    return after + RADIUS < before - RADIUS


def _looser(was: dict[str, Any], now: dict[str, Any]) -> Change:
    why = "the search no longer comes near the bound"
    before, after = (f"HOLDS, tight to {r['tightness']:.2g}" for r in (was, now))
    return Change(now["id"], now["fingerprint"], before, after, why, now["location"])
