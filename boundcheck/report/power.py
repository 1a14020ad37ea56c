"""The mutation score of a claim in a few characters."""

from __future__ import annotations

from typing import Any


def power(r: dict[str, Any]) -> str:
    """How many perturbed twins the evidence refuted; "none" beside HOLDS: a bound was met, and no twin fails."""
    if r["outcome"] != "HOLDS" or not r["power"]:
        return ""
    killed = sum(r["power"].values())
    return f"{killed}/{len(r['power'])}" if killed else "none"
