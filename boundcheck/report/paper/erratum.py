"""What a person writes in `errata.toml` about a refuted claim, read whole or refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from boundcheck.report.paper.folders import TEXT, TEXTS, entries
from boundcheck.report.reading import CannotRead

SEVERITIES = ("conclusion false", "proof gap", "hypothesis missing", "order", "constant", "misprint")
"""The gravest first. A proof gap: the step fails, and the statement may stand."""

MOST_FINDINGS = 8


@dataclass(frozen=True)
class Finding:
    """What of an erratum belongs on the first page: its place there, and three sentences."""

    rank: int
    text: str


@dataclass(frozen=True)
class Erratum:
    """An entry of `errata.toml`: `printed` is TeX, `python` is run by tests, `repair` holds ids of claims.

    `step` is the id of the first claim of a proof step that fails, or a sentence. Entries of kind "remark"
    are about readings with constants of ours, and what is said of experiments and of other papers. A key
    that is not there is empty.
    """

    id: str
    argument: str
    kind: str = "erratum"
    severity: str = ""
    where: str = ""
    printed: str = ""
    read_as: str = ""
    conversion: str = ""
    counterexample: str = ""
    python: str = ""
    width: str = ""
    harm: str = ""
    step: str = ""
    repair: tuple[str, ...] = ()
    repaired: str = ""
    limit: str = ""
    finding: Finding | None = None

    @property
    def is_remark(self) -> bool:
        return self.kind == "remark"

    @property
    def step_claim(self) -> str | None:
        """The id that `step` is, unless it is a sentence."""
        return self.step if self.step and not re.search(r"\s", self.step) else None


REQUIRED = {"id": TEXT, "argument": TEXT}
FINDING = {
    "type": "object", "required": ["rank", "text"],
    "properties": {"rank": {"type": "integer", "minimum": 1, "maximum": MOST_FINDINGS}, "text": TEXT},
}  # fmt: skip
OPTIONAL: dict[str, Any] = {
    **{field.name: TEXT for field in fields(Erratum) if field.name not in REQUIRED},
    "kind": {"type": "string", "enum": ["erratum", "remark"]},
    "severity": {"type": "string", "enum": list(SEVERITIES)},
    "repair": TEXTS, "finding": FINDING,
}  # fmt: skip


def read_errata(folder: Path) -> list[Erratum]:
    """The entries of a paper's `errata.toml` in their order; none without a file. Raises CannotRead."""
    path = folder / "errata.toml"
    found = [_erratum(entry, path) for entry in entries(path, "erratum", REQUIRED, OPTIONAL)]
    _require_distinct((e.id for e in found), f"{path} has two entries for {{}}; keep one.")
    require_ranks(found)
    return found


def require_ranks(errata: Iterable[Erratum]) -> None:
    """Raise CannotRead where two findings have one rank."""
    _require_distinct(
        (e.finding.rank for e in errata if e.finding), "Two findings have the rank {}; renumber them."
    )


def _require_distinct(names: Iterable[Any], sentence: str) -> None:
    seen = set()
    for name in names:
        if name in seen:
            raise CannotRead(sentence.format(name))
        seen.add(name)


def _erratum(entry: dict[str, Any], path: Path) -> Erratum:
    if entry.get("kind") != "remark" and "severity" not in entry:
        raise CannotRead(
            f"{path} cannot be used ({entry['id']} has no severity); write one of {', '.join(SEVERITIES)}."
        )
    repair, finding = entry.get("repair", ()), entry.get("finding")
    if finding and (strange := sorted(set(finding) - {"rank", "text"})):
        wrong = f"the finding of {entry['id']} has {strange[0]!r}"
        raise CannotRead(f"{path} cannot be used ({wrong}); a finding has a rank and a text.")
    made = {
        "repair": (repair,) if isinstance(repair, str) else tuple(repair),
        "finding": Finding(**finding) if finding else None,
    }
    return Erratum(**{**entry, **made})
