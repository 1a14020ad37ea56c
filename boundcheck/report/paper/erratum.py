"""What a person writes in `errata.toml` about a refuted claim: read whole or refused in one sentence, and what it still lacks."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from boundcheck.report.paper.folders import TEXT, TEXTS, entries
from boundcheck.report.reading import CannotRead

SEVERITIES = ("conclusion false", "proof gap", "hypothesis missing", "order", "constant", "misprint")
"""The gravest first. A proof gap: the step fails, and the statement may stand."""

MOST_FINDINGS = 8
MOST_LINES = 10
MODULES = {"fractions", "math", "numpy", "scipy"}
ORDER = r"(\\mathcal\s*\{?\s*O\s*\}?|\bO|\\Omega)\s*(\\left|\\[bB]igg?l?)?\s*\("
ASYMPTOTIC = re.compile(ORDER + r"|\\lesssim|\\gtrsim|\\asymp|\\to\s*\\infty")
DISPLAYS = re.compile(r"\\begin\{(align|equation|gather|multline|eqnarray)\*?\}")


@dataclass(frozen=True)
class Finding:
    """What of an erratum belongs on the first page: its place there, and three sentences."""

    rank: int
    text: str


@dataclass(frozen=True)
class Erratum:
    """An entry of `errata.toml`: `printed` is TeX, `python` is run by the tests, `repair` holds ids of claims.

    `step` is the id of the first claim of a proof step that fails, or a sentence. Entries of kind "remark" are
    about readings with constants of ours and statements that are not in the paper. A key that is not there is
    empty.
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

    @property
    def is_new(self) -> bool:
        """Whether anything but severity, argument and repair is told."""
        return self.is_remark or any(getattr(self, name) for name in TOLD)



TOLD = ("where", "printed", "counterexample", "python", "width", "harm")
"""What a complete erratum has besides severity and argument."""

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


def incomplete(e: Erratum) -> str | None:
    """The first thing that an entry lacks or that its readers would stumble over; None if it is complete."""
    missing = [name for name in (("where",) if e.is_remark else TOLD) if not getattr(e, name).strip()]
    if missing:
        return f"{e.id} has no {' and no '.join(missing)}; write {'it' if len(missing) == 1 else 'them'}."
    if not e.is_remark and e.severity != "misprint" and ASYMPTOTIC.search(e.printed) and not e.limit:
        return f"{e.id} is asymptotic and has no limit; write the argument for it and a table."
    if wrong := tex_flaw(e.printed):
        return f"The printed formula of {e.id} {wrong}."
    wrong = python_flaw(e.python) if e.python else None
    return f"The python of {e.id} {wrong}." if wrong else None


def tex_flaw(tex: str) -> str | None:
    """What is wrong with a formula that is to be displayed on a page and in a paper."""
    if inner := DISPLAYS.search(tex):
        return f"has {inner[0]}, which cannot stand in a display; take aligned, gathered or cases"
    bare = re.sub(r"\\\\|\\[{}]", " ", tex)
    pairs = [("{", "}"), (r"\left", r"\right")]
    counts = [(a, b, len(re.findall(_word(a), bare)), len(re.findall(_word(b), bare))) for a, b in pairs]
    uneven = [f"has {m} {a} and {n} {b}; make them equal" for a, b, m, n in counts if m != n]
    begun, ended = (Counter(re.findall(rf"\\{name}\{{(\w+)\*?\}}", tex)) for name in ("begin", "end"))
    uneven += [
        f"begins and ends {name} unequally often; mend it"
        for name in sorted({*begun, *ended})
        if begun[name] != ended[name]
    ]
    return uneven[0] if uneven else None


def _word(token: str) -> str:
    """A brace, or a whole command: \\left is not \\leftarrow."""
    return re.escape(token) + (r"(?![a-zA-Z])" if token.startswith("\\") else "")


def python_flaw(text: str) -> str | None:
    """What is wrong with ten lines of Python that are to show a violation."""
    lines = sum(bool(line.strip()) for line in text.splitlines())
    if lines > MOST_LINES:
        return f"has {lines} lines; {MOST_LINES} are the most"
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"cannot be parsed ({error}); mend it"
    if not body or not isinstance(body[-1], ast.Assert):
        return "does not end in an assert; assert there that the printed statement fails"
    if isinstance(body[-1].test, ast.Constant):
        return "asserts a constant; assert there that the printed statement fails"
    strange = sorted(_imported(body) - MODULES)
    return f"imports {strange[0]}; only {', '.join(sorted(MODULES))} may be imported" if strange else None


def _imported(body: list[ast.stmt]) -> set[str]:
    """The packages that are imported."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in names}
