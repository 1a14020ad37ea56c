"""A report as a badge: an SVG that says how many claims are refuted and how many hold."""

from __future__ import annotations

from html import escape

from boundcheck.checking.verdict import Outcome
from boundcheck.report.document import Document

LABEL = "boundcheck"
RED, GREEN, GREY = "#c0392b", "#2e7d32", "#555"
LETTER, MARGIN, HEIGHT = 6.6, 10, 20
"""Pixels: of a letter of Verdana 11 on average, beside a text, and of the badge."""


def badge(report: Document) -> str:
    """`boundcheck | 2 refuted, 40 hold`, red where something is refuted."""
    held = sum(1 for r in report.rows if r.outcome.passes)
    refuted = report.counts[Outcome.REFUTED]
    other = len(report.rows) - held - refuted
    counts = ((refuted, "refuted"), (held, "hold"), (other, "open or empty"))
    said = ", ".join(f"{n} {word}" for n, word in counts if n) or "no claims"
    colour = RED if refuted else GREEN if held else GREY
    left, right = (
        round(LETTER * len(text)) + 2 * MARGIN for text in (LABEL, said)
    )
    whole, middle, told = left + right, left + right / 2, escape(said)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{HEIGHT}" role="img" aria-label="{LABEL}: {told}">
<title>{LABEL}: {told}</title>
<rect width="{left}" height="{HEIGHT}" fill="{GREY}"/>
<rect x="{left}" width="{right}" height="{HEIGHT}" fill="{colour}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,sans-serif" font-size="11">
<text x="{left / 2}" y="14">{LABEL}</text>
<text x="{middle}" y="14">{told}</text>
</g>
</svg>
"""
