"""One claim of a report: its row as a value, its JSON, and the words that readers see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, NotRequired, TypedDict

from boundcheck.checking.verdict import Evidence, Open, Outcome


class Series(TypedDict):
    """A line of a plot; `low` and `high` are a band around it."""

    label: str
    x: Sequence[float | None]
    y: Sequence[float | None]
    low: NotRequired[Sequence[float | None] | None]
    high: NotRequired[Sequence[float | None] | None]


class Curve(TypedDict):
    """A plot; `marker` is where on the x axis the instance `at` is."""

    kind: str
    title: str
    xlabel: str
    ylabel: str
    log: str
    at: NotRequired[str]
    marker: NotRequired[float | None]
    series: Sequence[Series]


@dataclass(frozen=True)
class Row:
    """What a report says of one claim; the published schema says what each field means."""

    id: str
    outcome: Outcome
    scope: str
    reason: str
    kind: str
    source: str
    summary: str
    statement: str
    location: str
    fingerprint: str
    repairs: tuple[str, ...]
    step_of: tuple[str, ...]
    tightness: float | None
    alpha: float
    level: float
    evidence: Evidence
    certificate: str | None
    excess: float | None
    instance: str | None
    power: Mapping[str, bool]
    curves: tuple[Curve, ...]
    seeds: tuple[int, ...]

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Row:
        """The row of an object that has the published shape; fields that it does not know are left out."""
        known = {f.name: _tupled(content[f.name]) for f in fields(cls)}
        made = {"outcome": Outcome[content["outcome"]], "evidence": _evidence(content["evidence"])}
        return cls(**{**known, **made})

    def json(self) -> dict[str, Any]:
        """The row as an object of JSON."""
        content = {f.name: getattr(self, f.name) for f in fields(self)}
        return _listed({**content, "outcome": self.outcome.name, "evidence": self._evidence()})

    def _evidence(self) -> dict[str, Any]:
        """Floats that are not numbers are null."""
        seen = self.tightness is not None and isfinite(self.evidence.tightest)
        return {**asdict(self.evidence), "tightest": self.evidence.tightest if seen else None}

    @property
    def paper(self) -> str:
        """The key of the paper, or the name of the file, that the claim belongs to."""
        return self.id.split(".")[0]

    @property
    def refuted(self) -> bool:
        return self.outcome is Outcome.REFUTED

    @property
    def why(self) -> str:
        """The reason, and where a refuted claim fails."""
        return f"{self.reason}\nat {self.instance}" if self.instance else self.reason

    @property
    def tight(self) -> str:
        """How much of its bound the claim was seen to use, in three digits; nothing of a refuted one."""
        return "" if self.tightness is None or self.refuted else f"{self.tightness:.3g}"

    @property
    def score(self) -> str:
        """How many perturbed twins the evidence refuted; "none": a bound was met, and no twin fails."""
        if not self.outcome.passes or not self.power:
            return ""
        killed = sum(self.power.values())
        return f"{killed}/{len(self.power)}" if killed else "none"


def _evidence(content: Mapping[str, Any]) -> Evidence:
    """The evidence of a row; what older reports do not have of it is empty."""
    known = {f.name: _tupled(content[f.name]) for f in fields(Evidence) if f.name in content}
    tightest = float("-inf") if known.get("tightest") is None else known["tightest"]
    left = tuple(Open(**{**o, "seen": tuple(map(tuple, o["seen"]))}) for o in known.get("open", ()))
    return Evidence(**{**known, "tightest": tightest, "open": left})


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _listed(value: Any) -> Any:
    """The value with lists for tuples, as JSON has them."""
    if isinstance(value, dict):
        return {key: _listed(entry) for key, entry in value.items()}
    return [_listed(entry) for entry in value] if isinstance(value, (list, tuple)) else value
