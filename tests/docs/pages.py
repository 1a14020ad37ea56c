"""The pages of the documentation as blocks of code, links and anchors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ("api.md", "errata.md")
WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(p for p in (ROOT / "docs").glob("*.md") if p.name not in GENERATED)]
GALLERY = sorted((ROOT / "docs/gallery").glob("*.md"))
PAGES = [*WRITTEN, *GALLERY, ROOT / "CHANGELOG.md", ROOT / "tests/README.md", *(ROOT / "docs" / name for name in GENERATED)]

BLOCK = re.compile(r"(?:<!-- (?P<mark>file: \S+|run|skip: .*?) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)```", re.S)
NUMBER = re.compile(r"\d[\d.]*(e[+-]\d+)?")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """Code of a page, the comment before it ("file: mine.py", "run", "skip: why"), and the output that the page shows after it."""

    language: str
    text: str
    mark: str
    output: str | None

    @property
    def file(self) -> str | None:
        """The name that the page saves it under."""
        return self.mark.removeprefix("file: ") if self.mark.startswith("file: ") else None


def blocks(page: Path) -> list[Block]:
    """The blocks of code of a page; a block `text` right after another is the output of that one."""
    text = page.read_text(encoding="utf-8")
    found = list(BLOCK.finditer(text))
    pairs = [(m, n) for m, n in pairwise(found) if n["language"] == "text" and not text[m.end() : n.start()].strip()]
    follows = {m.end(): n["text"] for m, n in pairs}
    return [Block(m["language"], m["text"], m["mark"] or "", follows.get(m.end())) for m in found]


def without_numbers(text: str) -> str:
    """The words of an output, on one line: what a search counts, measures and finds is another number on another processor."""
    return " ".join(NUMBER.sub("#", text).split())


def prose(page: Path) -> str:
    """The page without its blocks of code, and without code between backticks."""
    return re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text(encoding="utf-8")))


def links(page: Path) -> list[str]:
    """The targets of links that are no addresses."""
    return [target for target in LINK.findall(prose(page)) if "://" not in target]


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of the headings of a page, those that it states, and the lines of a module."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".py":
        return {f"L{k + 1}" for k in range(text.count("\n"))}
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.M)
    stated = re.findall(r'<a id="([^"]+)"></a>', text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings} | {*stated}
