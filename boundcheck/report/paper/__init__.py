"""What a report refutes of a paper, slip by slip, and what becomes of its theorems. The verdict decides what is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from boundcheck.report.document import Document, Row
from boundcheck.report.paper.folders import (
    Erratum,
    Reference,
    read_errata,
    reference,
)
from boundcheck.report.paper.slips import Slip, Slips, Theorem, read_slips

LIGHT = ("misprint", "remark")
NOT_ARGUED = "Refuted by the engine; nobody has written down how grave it is."


@dataclass(frozen=True)
class Refuted:
    """A paper, its rows of a report, and what a person wrote of those that are refuted."""

    paper: Reference
    report: Document
    errata: Mapping[str, Erratum]
    written: Slips

    @cached_property
    def rows(self) -> list[Row]:
        """The paper's claims."""
        return [r for r in self.report.rows if r.paper == self.paper.key]

    @cached_property
    def refuted(self) -> list[str]:
        """The ids of what is refuted, in the order of the entries, then those without an entry."""
        false = [r.id for r in self.rows if r.refuted]
        return [id for id in self.errata if id in false] + [
            id for id in false if id not in self.errata
        ]

    @cached_property
    def slips(self) -> list[Slip]:
        """The slips that show in something refuted, as they are written; then each refuted claim that is in none."""
        told = [
            replace(s, places=places)
            for s in self.written.slips
            if (places := tuple(id for id in s.places if id in self.refuted))
        ]
        placed = {id for s in told for id in s.places}
        return told + [
            self._alone(id) for id in self.refuted if id not in placed
        ]

    def _alone(self, id: str) -> Slip:
        e = self.errata.get(id)
        return Slip(
            id,
            e.where.rstrip(".") if e else "",
            (id,),
            harm=e.harm if e else NOT_ARGUED,
        )

    @cached_property
    def grave(self) -> list[Slip]:
        """The slips that are told in full: all but slips of the pen and remarks without a headline."""
        brief = ("misprint", "remark", "conversion", "not argued")
        return [
            s for s in self.slips if s.headline or self.severity(s) not in brief
        ]

    def of_severity(self, severity: str) -> list[Slip]:
        """The slips of a severity."""
        return [s for s in self.slips if self.severity(s) == severity]

    def brief(self, severity: str) -> list[Slip]:
        """The slips of a severity that are told in a line."""
        return [s for s in self.of_severity(severity) if s not in self.grave]

    def entry(self, s: Slip) -> Erratum | None:
        """What is written of the place with the strongest counterexample."""
        return self.errata.get(s.places[0])

    def severity(self, s: Slip) -> str:
        """That of the first place that is no remark; "remark" if all are, "not argued" where nobody has said.

        "conversion" where each place is a misprint or a remark that a conversion of the text may have made.
        """
        entries = [self.errata[id] for id in s.places if id in self.errata]
        known = "remark" if entries else "not argued"
        grave = next((e.severity for e in entries if not e.is_remark), known)
        perhaps = entries and all(e.conversion for e in entries)
        return "conversion" if grave in LIGHT and perhaps else grave

    def repairs(self, s: Slip) -> list[Row]:
        """The claims that repair the first place: those its entry names, and those that say so of themselves."""
        e, known = self.entry(s), self.report.by_id
        named = [*(e.repair if e else ())]
        named += [r.id for r in self.report.rows if s.places[0] in r.repairs]
        return [known[id] for id in dict.fromkeys(named) if id in known]

    def number(self, s: Slip) -> str:
        """How a slip is called on the page: by its place among those told in full."""
        return f"entry {self.grave.index(s) + 1}" if s in self.grave else s.id

    def fate(self, t: Theorem) -> str:
        """What becomes of a theorem: as written, unless the report refutes a claim of one that is to stand."""
        false = set(t.claims) & set(self.refuted)
        return "fails" if t.stands == "stands" and false else t.stands

    def slip(self, id: str) -> Slip | None:
        """The slip of an id, if something of it is refuted."""
        return next((s for s in self.slips if s.id == id), None)


def refuted(report: Document, folder: Path) -> Refuted:
    """What a report refutes of the paper of a folder. Raises CannotRead."""
    errata = {e.id: e for e in read_errata(folder)}
    return Refuted(reference(folder), report, errata, read_slips(folder))


def of_papers(report: Document, all_folders: Iterable[Path]) -> list[Refuted]:
    """The papers of which the report has claims. Raises CannotRead."""
    papers = [refuted(report, folder) for folder in all_folders]
    return [p for p in papers if p.rows]
