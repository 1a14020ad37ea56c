"""The claims that a paper in LaTeX cites by `\\claim{ID}`: where, whether their verdicts stand, and how they are checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from boundcheck import __version__
from boundcheck.report import spoken
from boundcheck.report.document import Document, Row
from boundcheck.report.paper.blocks import (
    Block,
    Code,
    Heading,
    Items,
    Line,
    Link,
    Paragraph,
)
from boundcheck.report.reading import CannotRead
from boundcheck.words.claims import Claim

UNREAD = re.compile(
    r"\\begin\{(verbatim\*?|lstlisting|comment)\}.*?\\end\{\1\}|(?<!\\)(?:\\\\)*%[^\n]*|\\end\{document\}.*",
    re.S,
)
"""What LaTeX does not typeset as it stands, or does not read."""

COMMAND = re.compile(r"\\(claim|input|include|subfile)\s*\{([^{}#\\]+)\}")


@dataclass(frozen=True)
class Citation:
    """A claim by its id, and where it is cited."""

    id: str
    place: str


def citations(paper: Path) -> list[Citation]:
    """Those of a paper and of the files that it takes in, in the order in which they are read. Raises CannotRead."""
    return list(_citations(paper, paper.parent, set()))


def _citations(file: Path, folder: Path, seen: set[Path]) -> Iterator[Citation]:
    seen.add(file.resolve())
    for name, given, line in _commands(file):
        if name == "claim":
            ids = filter(None, map(str.strip, given.split(",")))
            yield from (Citation(id, f"{file}:{line}") for id in ids)
            continue
        there = _found(folder / given.strip())
        if there is None:
            missing = (
                f"{file}:{line} takes in {given.strip()}, which is not there"
            )
            raise CannotRead(f"{missing}; make it, or run where LaTeX is run.")
        if there.resolve() not in seen:
            yield from _citations(there, folder, seen)


def _commands(file: Path) -> Iterator[tuple[str, str, int]]:
    """Each command that matters, its argument, and its line. Raises CannotRead."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        why = error.strerror or error
        raise CannotRead(
            f"{file} cannot be read ({why}); name a paper in LaTeX."
        ) from error
    kept = UNREAD.sub(lambda found: "\n" * found[0].count("\n"), text)
    for found in COMMAND.finditer(kept):
        yield found[1], found[2], kept.count("\n", 0, found.start()) + 1


def _found(path: Path) -> Path | None:
    """As LaTeX finds a file: with .tex, or as it is."""
    names = path.with_name(f"{path.name}.tex"), path
    return next((name for name in names if name.is_file()), None)


@dataclass(frozen=True)
class Cited:
    """A claim that is cited, its text and its row, as far as there are any."""

    id: str
    place: str
    claim: Claim | None
    row: Row | None

    @property
    def stands(self) -> bool:
        """Whether there is a verdict, and it is on the text as it is."""
        return bool(
            self.claim
            and self.row
            and self.claim.fingerprint == self.row.fingerprint
        )

    @property
    def command(self) -> str:
        """What judges it, from here."""
        file, here = Path(self.claim.file if self.claim else ""), Path.cwd()
        inside = file.is_relative_to(here)
        named = (
            f"{file.relative_to(here).as_posix()}::{self.id}"
            if inside
            else self.id
        )
        return f"boundcheck check {named}"

    def __str__(self) -> str:
        if self.claim is None:
            return f"{self.place}: {self.id} is no claim; `boundcheck list` shows what there is"
        if self.row is None:
            return f"{self.place}: {self.id} has no verdict; run {self.command}"
        if not self.stands:
            stale = (
                f"its text is another since the verdict {self.row.outcome.name}"
            )
            return (
                f"{self.place}: {self.id} is stale, {stale}; run {self.command}"
            )
        return (
            f"{self.place}: {self.id} {self.row.outcome.name}, {self.row.why}"
        )


# an appendix for those who evaluate the artifact


INSTALL = "pip install boundcheck=={}"
ABOUT = """\
Each claim below is a Python function; its command searches for counterexamples and prints the verdict. REFUTED comes
with a certificate, which `boundcheck verify` recomputes by a program that shares nothing with the search; PROVED is
shown on the set that is named; HOLDS speaks of the instances that were looked at, and not of all.\
"""


def evaluation(cited: Sequence[Cited], report: Document) -> Iterator[Block]:
    """Claims, commands, minutes and expected verdicts, of claims that have some."""
    seconds = report.processor_seconds
    known = [seconds[c.id] for c in cited if c.id in seconds]
    rows = [c.row for c in cited if c.row and c.row.certificate]
    commands = [
        INSTALL.format(__version__),
        *(c.command + _options(report) for c in cited),
        *(f"boundcheck verify {r.certificate}" for r in rows),
    ]
    yield Heading(2, ("How the claims are checked",))
    yield Paragraph("", (ABOUT,))
    yield Code("\n".join(commands), "sh")
    if known:
        all_of_it = f"It takes about {_minutes(sum(known))} of processor time."
        yield Paragraph("", (all_of_it,))
    yield Items(
        [_expected(c, c.row, seconds.get(c.id)) for c in cited if c.row]
    )


def _expected(c: Cited, r: Row, seconds: float | None) -> Line:
    took = "" if seconds is None else f", {_minutes(seconds)}"
    told = spoken(r.reason) + (f" at {r.instance}" if r.instance else "")
    return Link(c.id, ""), f" ({c.place}{took}): {r.outcome.name}, {told}"


def _minutes(seconds: float) -> str:
    """Rounded up."""
    return f"{ceil(seconds / 6) / 10} min"


def _options(report: Document) -> str:
    """What the verdicts were asked with, where it is not what commands take by themselves."""
    name, seed = report.plan.get("name", "quick"), report.plan.get("seed", 0)
    prove = " --prove" if report.plan.get("prove") else ""
    budget = "" if name == "quick" else f" --budget {name}"
    return budget + (f" --seed {seed}" if seed else "") + prove
