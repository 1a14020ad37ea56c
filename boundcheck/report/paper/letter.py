"""A page to the authors of a paper: what was found, the three that matter, how to check each, what may not be theirs."""

from __future__ import annotations

from collections import Counter
from textwrap import fill, indent

from boundcheck.report import printable
from boundcheck.report.paper import Refuted
from boundcheck.report.paper.slips import STANDS, Slip
from boundcheck.report.reading import CannotRead

WIDTH = 88
MOST = 3
"""Slips that a letter tells; the page has the others."""

OPENING = """\
we read "{title}" together with a program that tries to refute each statement of a paper, and confirms each
counterexample in exact arithmetic. That your paper can be read in this way is to its credit: its constants
are written down. {stands} Below are the {few} points that we would want to know first if the paper were ours;
each comes with a few lines of Python (NumPy and SciPy) that show it by themselves.\
"""
CONVERSION = """\
We worked from a conversion of the PDF, so that some of what we saw may be the conversion's and not yours:
{places}. A look at your source will tell.\
"""
CLOSING = """\
We may have misread you. If so, or if a hypothesis is meant that we did not see, please tell us, and we correct
our page. All that we found, with what is true instead and how far we could prove it, is on the page of
{key}: `boundcheck report --paper {key} -o {key}.html`. Each refutation can be checked without our engine:
`boundcheck verify reports/certificates/NAME.json`. You are welcome to use any of it without asking.\
"""


def to_authors(p: Refuted) -> str:
    """The letter, in plain text with formulas in TeX. Raises CannotRead where nothing is to be told."""
    told = p.grave[:MOST]
    if not told:
        raise CannotRead(
            f"Nothing of {p.paper.key} is refuted that a letter would tell."
        )
    names = [name.split()[-1] for name in p.paper.authors] or ["authors"]
    few = ("one point", "two points", "three points")[len(told) - 1].split()[0]
    opening = OPENING.format(
        title=p.paper.title or p.paper.line, stands=_stands(p), few=few
    )
    paragraphs = [
        f"Dear {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]},",
        opening.replace("the one points", "the point"),
        *(text for k, s in enumerate(told, 1) for text in _point(k, s, p)),
        *_slips_of_the_pen(p),
        *_conversion(p),
        CLOSING.format(key=p.paper.key),
        "With thanks and kind regards",
    ]
    return "\n\n".join(map(_filled, paragraphs)) + "\n"


def _stands(p: Refuted) -> str:
    """How the theorems fared, in one sentence."""
    fates = Counter(p.fate(t) for t in p.written.theorems)
    words = {
        "stands": "stand as printed, as far as we can see",
        "stands with": "stand with a change",
        "open": "are not refuted, but a step of the proof is open",
        "fails": "fail as printed",
    }
    counted = [f"{fates[name]} {words[name]}" for name in STANDS if fates[name]]
    total = sum(fates.values())
    return (
        f"Of its {total} theorems and corollaries {'; '.join(counted)}."
        if total
        else ""
    )


def _point(number: int, s: Slip, p: Refuted) -> list[str]:
    e = p.entry(s)
    said = s.headline.text if s.headline else s.harm or (e.harm if e else "")
    where = f" ({e.where.rstrip('.')})" if e and e.where else ""
    texts = [f"{number}. {s.title}{where}. {said}"]
    mended = s.repair or (e.repaired if e else "")
    texts += [f"What seems to be true: {mended}"] if mended else []
    if e and e.python.strip():
        texts += [
            f"To check it in a minute. {e.counterexample}",
            indent(e.python.strip("\n"), "    "),
        ]
    return texts


def _slips_of_the_pen(p: Refuted) -> list[str]:
    count = len(p.of_severity("misprint"))
    others = len(p.grave) - MOST
    told = [
        f"{others} smaller points" if others > 0 else "",
        f"{count} slips of the pen" if count else "",
    ]
    found = " and ".join(filter(None, told))
    return (
        [f"Our page has {found} besides, none of which changes what is said above."]
        if found
        else []
    )


def _conversion(p: Refuted) -> list[str]:
    entries = (p.errata[id] for s in p.slips for id in s.places if id in p.errata)
    places = dict.fromkeys(e.where.rstrip(".") for e in entries if e.conversion)
    return [CONVERSION.format(places="; ".join(places))] if places else []


def _filled(text: str) -> str:
    text = printable(text)
    return (
        text
        if text.startswith("    ")
        else fill(" ".join(text.split()), WIDTH, break_long_words=False)
    )
