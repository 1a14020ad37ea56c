"""The refuted claims of a paper beside what a person has written about them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boundcheck.report.paper.erratum import SEVERITIES, Erratum, read_errata
from boundcheck.report.paper.folders import Reference, reference

Row = dict[str, Any]


@dataclass(frozen=True)
class Refuted:
    """What a report refutes of a paper. The verdict decides: an entry whose claim is not refuted is not here.

    `errata` begin with the gravest, and within a severity have the order of `errata.toml`, as `remarks` have;
    `report` holds the rows of all papers by id, `audit` what the report says about proofs.
    """

    paper: Reference
    errata: tuple[Erratum, ...]
    remarks: tuple[Erratum, ...]
    not_argued: tuple[Row, ...]
    report: dict[str, Row]
    audit: dict[str, Any]

    @property
    def rows(self) -> list[Row]:
        """The paper's claims."""
        return rows_of(self.report.values(), self.paper.key)

    def where(self, e: Erratum) -> str:
        """The place in the paper, without a full stop."""
        known = self.report[e.id]["source"].removeprefix(f"{self.paper.key}, ")
        return (e.where or known).strip().rstrip(".")

    def repairs(self, e: Erratum) -> list[str]:
        """The claims that an entry names, and those that say of themselves that they repair its claim."""
        return list(dict.fromkeys([*e.repair, *self.repairing(e.id)]))

    def repairing(self, id: str) -> list[str]:
        """The claims that say of themselves that they repair a claim."""
        return [r["id"] for r in self.report.values() if id in r["repairs"]]


def rows_of(rows: Any, paper: str) -> list[Row]:
    """The rows of a paper's claims."""
    return [r for r in rows if r["id"].startswith(paper + ".")]


def refuted(content: dict[str, Any], folder: Path) -> Refuted:
    """What a report as `read` returns it refutes of the paper of a folder. Raises CannotRead."""
    report = {r["id"]: r for r in content["claims"]}
    false = {r["id"]: r for r in rows_of(content["claims"], folder.name) if r["outcome"] == "REFUTED"}
    argued = {e.id: e for e in read_errata(folder) if e.id in false}
    remarks = tuple(e for e in argued.values() if e.is_remark)
    errata = [e for e in argued.values() if not e.is_remark]
    errata = tuple(sorted(errata, key=lambda e: SEVERITIES.index(e.severity)))
    not_argued = tuple(r for r in false.values() if r["id"] not in argued)
    return Refuted(reference(folder), errata, remarks, not_argued, report, content["audit"])
