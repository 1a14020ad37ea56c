"""A page to the authors of a paper: what was found, the three that matter, how to check each, what may not be theirs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from boundcheck.report.paper import Refuted
from boundcheck.report.paper.blocks import (
    Block,
    Code,
    Paragraph,
    Strong,
    labelled,
)
from boundcheck.report.paper.slips import STANDS, Slip
from boundcheck.report.reading import CannotRead

FARED = {
    "stands": ("stands as printed", "stand as printed"),
    "stands with": ("stands with a change", "stand with a change"),
    "open": ("is open", "are open"),
    "fails": ("fails as printed", "fail as printed"),
}
MOST = 3
"""Slips that a letter tells; the page has the others."""

OPENING = """\
we read "{title}" together with a program that tries to refute each statement of a paper, and confirms each
counterexample in exact arithmetic. That your paper can be read in this way is to its credit: its constants
are written down. {stands} Below {verb} the {few} that we would want to know first if the paper were ours, each
with a few lines of Python (NumPy and SciPy) that show it by themselves.\
"""
CONVERSION = """\
We worked from a conversion of the PDF, so that some of what we saw may be the conversion's and not yours:
{places}. A look at your source will tell.\
"""
CLOSING = """\
We may have misread you. If so, or if a hypothesis is meant that we did not see, please tell us, and we correct
our page. All that we found, with what is true instead and how far we could prove it, is on a page of its own,
which `boundcheck report --paper {key} -o {key}.html` writes. Each refutation can be checked without our engine:
`boundcheck verify reports/certificates/NAME.json`. You are welcome to use any of it without asking.\
"""


def to_authors(p: Refuted) -> Iterator[Block]:
    """The letter. Raises CannotRead where nothing is to be told."""
    told = p.grave[:MOST]
    if not told:
        raise CannotRead(
            f"Nothing of {p.paper.key} is refuted that a letter would tell."
        )
    names = [name.split()[-1] for name in p.paper.authors] or ["authors"]
    *others, last = names
    dear = f"Dear {', '.join(others)}{' and ' if others else ''}{last},"
    few = ("point", "two points", "three points")[len(told) - 1]
    verb = "comes" if len(told) == 1 else "come"
    title = p.paper.title or p.paper.line
    yield Paragraph("", (dear,))
    yield from labelled(
        "", OPENING.format(title=title, stands=_stands(p), few=few, verb=verb)
    )
    for number, s in enumerate(told, 1):
        yield from _point(number, s, p)
    for text in (_others(p), _conversion(p), CLOSING.format(key=p.paper.key)):
        yield from labelled("", text)
    yield Paragraph("", ("With thanks and kind regards",))


def _stands(p: Refuted) -> str:
    """How the theorems fared, in one sentence."""
    fates = Counter(p.fate(t) for t in p.written.theorems)
    counted = [
        f"{n} {FARED[name][n > 1]}" for name in STANDS if (n := fates[name])
    ]
    total = sum(fates.values())
    told = f"Of its {total} theorems and corollaries {', '.join(counted)}."
    return told if total else ""


def _point(number: int, s: Slip, p: Refuted) -> Iterator[Block]:
    e = p.entry(s)
    where = f" ({e.where.rstrip('.')})" if e and e.where else ""
    if s.headline:
        said = re.sub(
            rf" (of|in) {re.escape(p.paper.name)}", "", s.headline.text
        )
    else:
        mended = s.meant or s.repair or (e.repaired if e else "")
        said = f"{s.harm or (e.harm if e else '')} Meant is perhaps: {mended}"
    yield Paragraph("", (Strong(f"{number}. {s.title}{where}."), f" {said}"))
    if e and e.python.strip():
        yield from labelled("To check it in a minute", e.counterexample)
        yield Code(e.python, "python")


def _others(p: Refuted) -> str:
    """What the page has besides."""
    more, pens = len(p.grave) - MOST, len(p.brief("misprint"))
    told = [f"{more} smaller point{'s' * (more > 1)}" if more > 0 else ""]
    told += [f"{pens} slip{'s' * (pens > 1)} of the pen" if pens else ""]
    found = " and ".join(filter(None, told))
    return f"Our page has {found} besides." if found else ""


def _conversion(p: Refuted) -> str:
    entries = (
        p.errata[id] for s in p.slips for id in s.places if id in p.errata
    )
    places = dict.fromkeys(
        e.where.rstrip(".") for e in entries if e.conversion and e.where
    )
    return CONVERSION.format(places="; ".join(places)) if places else ""
