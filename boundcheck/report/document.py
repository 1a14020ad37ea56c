"""A report as a value: a row for each claim, what is counted and traced from the rows, and its JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from boundcheck import __version__
from boundcheck.checking.verdict import ASKED, SHOWN, Evidence, Open, Outcome
from boundcheck.report import all_printable, plain, write_whole


class Series(TypedDict):
    """A line of a plot; `low` and `high` are a band around it."""

    label: str
    x: Sequence[float | None]
    y: Sequence[float | None]
    low: NotRequired[Sequence[float | None] | None]
    high: NotRequired[Sequence[float | None] | None]


class Plot(TypedDict):
    """A plot; `marker` is where on the x axis the instance `at` is."""

    kind: str
    title: str
    xlabel: str
    ylabel: str
    log: str
    at: NotRequired[str]
    marker: NotRequired[float | None]
    series: Sequence[Series]


SELDOM = ("supposing", "told")
"""Fields of the evidence that are left out where nothing stands in them."""

OPTIONAL = ("shown", "sizes", "alpha")
"""Fields of a row that are left out where they are None."""


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
    alpha: float | None
    """Its share of the error; None in a baseline, where the ledger says it for all."""
    level: float
    evidence: Evidence
    certificate: str | None
    excess: float | None
    instance: str | None
    power: Mapping[str, bool]
    curves: tuple[Plot, ...]
    seeds: tuple[int, ...]
    shown: str | None = None
    """The part of its domain on which a claim that holds is shown."""
    sizes: str | None = None
    """ "every" where what is proved is shown for every size at once."""

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Row:
        """The row of an object that has the published shape; fields that it does not know are left out."""
        known = {
            f.name: _tupled(content[f.name])
            for f in fields(cls)
            if f.name in content or f.name not in OPTIONAL
        }
        made = {
            "outcome": Outcome[content["outcome"]],
            "evidence": _evidence(content["evidence"]),
        }
        return cls(**{**dict.fromkeys(OPTIONAL), **known, **made})

    def json(self) -> dict[str, Any]:
        """The row as an object of JSON."""
        content = {f.name: getattr(self, f.name) for f in fields(self)}
        there = {
            k: x
            for k, x in content.items()
            if k not in OPTIONAL or x is not None
        }
        return plain(
            {
                **there,
                "outcome": self.outcome.name,
                "evidence": self._evidence(),
            }
        )

    def _evidence(self) -> dict[str, Any]:
        """Floats that are not numbers are null; where no variance was supposed, nothing is said of it."""
        seen = self.tightness is not None and isfinite(self.evidence.tightest)
        content = {
            **asdict(self.evidence),
            "tightest": self.evidence.tightest if seen else None,
        }
        return {
            key: value
            for key, value in content.items()
            if value or key not in SELDOM
        }

    @property
    def paper(self) -> str:
        """The key of the paper, or the name of the file, that the claim belongs to."""
        return self.id.split(".")[0]

    @property
    def says(self) -> str:
        """The summary, where the text has one; else it is the id."""
        return "" if self.summary == self.id else self.summary

    @property
    def refuted(self) -> bool:
        return self.outcome is Outcome.REFUTED

    @property
    def why(self) -> str:
        """The reason, and where a refuted claim fails."""
        return (
            f"{self.reason}\nat {self.instance}"
            if self.instance
            else self.reason
        )

    @property
    def tight(self) -> str:
        """How much of its bound the claim was seen to use, in three digits; nothing of a refuted one."""
        return (
            ""
            if self.tightness is None or self.refuted
            else f"{self.tightness:.3g}"
        )

    @property
    def score(self) -> str:
        """How many perturbed twins the evidence refuted; "none": a bound was met, and no twin fails."""
        if not self.outcome.passes or not self.power:
            return ""
        killed = sum(self.power.values())
        return f"{killed}/{len(self.power)}" if killed else "none"


def _evidence(content: Mapping[str, Any]) -> Evidence:
    """The evidence of a row; what older reports do not have of it is empty."""
    known = {
        f.name: _tupled(content[f.name])
        for f in fields(Evidence)
        if f.name in content
    }
    tightest = (
        float("-inf") if known.get("tightest") is None else known["tightest"]
    )
    left = tuple(
        Open(**{**o, "seen": tuple(map(tuple, o["seen"]))})
        for o in known.get("open", ())
    )
    return Evidence(**{**known, "tightest": tightest, "open": left})


def _tupled(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value


SCHEMA_VERSION = "1.2"
TOOL = {"name": "boundcheck", "version": __version__}


@dataclass(frozen=True)
class Derivation:
    """The steps of a claim in the order of the text: where the proof fails, and what survives."""

    steps: tuple[Row, ...]

    @property
    def first(self) -> Row | None:
        """The first step that is refuted."""
        return next((r for r in self.steps if r.refuted), None)

    @property
    def surviving(self) -> list[str]:
        return [r.id for r in self.steps if r.outcome.passes]

    def json(self) -> dict[str, Any]:
        """The ids of the steps by what became of them."""
        return {
            "first": self.first and self.first.id,
            "refuted": [r.id for r in self.steps if r.refuted],
            "surviving": self.surviving,
            "open": [r.id for r in self.steps if not r.outcome.decides],
        }


@dataclass(frozen=True)
class Document:
    """A report. `volatile` (times, machine) is the only part that differs between equal runs.

    `plan` and `ledger` say what was spent on a claim and at which error, `broken` has a sentence for each
    claim whose text fails and for each file that cannot be loaded, `tool` is what made the report; `rates`
    are curves of sweeps and `earlier` are older reports by their names for a page, and not written. `rocq` says
    of the certificates whether a proof assistant has checked them.
    """

    rows: tuple[Row, ...]
    plan: Mapping[str, Any]
    ledger: Mapping[str, Any]
    broken: Mapping[str, str] = field(default_factory=dict)
    volatile: Mapping[str, Any] = field(default_factory=dict)
    tool: Mapping[str, str] = field(default_factory=lambda: TOOL)
    rocq: Mapping[str, str] = field(default_factory=dict)
    rates: tuple[Plot, ...] = ()
    earlier: tuple[tuple[str, Document], ...] = ()

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Document:
        """The report of an object that has the published shape."""
        rows = tuple(map(Row.of_json, content["claims"]))
        known = {
            name: content[name]
            for name in ("plan", "ledger", "volatile", "tool")
        }
        others = {name: content.get(name, {}) for name in ("broken", "rocq")}
        return cls(rows, **others, **known)

    def json(self) -> dict[str, Any]:
        """The report as an object of JSON, in the present version of the schema."""
        return {
            "schema_version": SCHEMA_VERSION,
            "tool": self.tool,
            "plan": self.plan,
            "ledger": self.ledger,
            "summary": {
                outcome.name: self.counts[outcome] for outcome in self.listed
            },
            "claims": [r.json() for r in self.rows],
            "broken": self.broken,
            "volatile": self.volatile,
            "audit": {id: proof.json() for id, proof in self.proofs.items()},
            **({"rocq": self.rocq} if self.rocq else {}),
        }

    def save(self, path: Path) -> None:
        """Write the report; a reader sees the old one or the new one, never half of one. Raises OSError."""
        write_whole(json_text(self), path)

    def printable(self) -> Document:
        """The report with nothing in it that a terminal, a page or a spreadsheet would obey."""
        return Document.of_json(all_printable(self.json()))

    @property
    def taken_over(self) -> list[str]:
        """The ids of rows that a run took over from earlier ones, whose plan and error may be others."""
        listed = self.volatile.get("earlier")
        return (
            [r.id for r in self.rows if r.id in listed]
            if isinstance(listed, list)
            else []
        )

    @property
    def processor_seconds(self) -> dict[str, float]:
        """Of each claim that has some."""
        listed = self.volatile.get("processor_seconds")
        entries = listed.items() if isinstance(listed, dict) else ()
        return {
            id: float(s) for id, s in entries if isinstance(s, (int, float))
        }

    @cached_property
    def by_id(self) -> dict[str, Row]:
        return {r.id: r for r in self.rows}

    @cached_property
    def counts(self) -> dict[Outcome, int]:
        """How many claims have each verdict."""
        counts = Counter(r.outcome for r in self.rows)
        return {outcome: counts[outcome] for outcome in Outcome}

    @property
    def listed(self) -> list[Outcome]:
        """The outcomes that are counted, as readers see them; of those asked for the ones there are."""
        return [
            outcome
            for outcome in SHOWN
            if self.counts[outcome] or outcome not in ASKED
        ]

    @cached_property
    def proofs(self) -> dict[str, Derivation]:
        """The steps of each claim that is refuted, or one of whose steps is: where its proof fails."""
        found = ((r, self.steps(r.id)) for r in self.rows)
        return {
            r.id: Derivation(steps)
            for r, steps in found
            if steps and (r.refuted or any(step.refuted for step in steps))
        }

    def steps(self, claim: str) -> tuple[Row, ...]:
        """The steps of a claim, each after the steps that it rests on itself."""
        found: list[Row] = []
        seen = {claim}
        waiting = list(self._below(claim))
        while waiting:
            r, finished = waiting.pop()
            if finished:
                found.append(r)
            elif r.id not in seen:
                seen.add(r.id)
                waiting += [(r, True), *self._below(r.id)]
        return tuple(found)

    def _below(self, claim: str) -> Iterator[tuple[Row, bool]]:
        """The steps of a claim, the first one last, where it is taken from."""
        return ((r, False) for r in reversed(self._steps) if claim in r.step_of)

    @cached_property
    def _steps(self) -> list[Row]:
        """The rows that are steps, in the order of the text."""
        return sorted((r for r in self.rows if r.step_of), key=_place)


def _place(r: Row) -> tuple[str, int]:
    file, _, line = r.location.rpartition(":")
    return file, int(line)


def json_text(report: Document) -> str:
    """The report as the text of a JSON file."""
    return json.dumps(report.json(), indent=1, sort_keys=True) + "\n"
