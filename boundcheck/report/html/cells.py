"""Verdicts as notebooks show them: a card for one claim, a table for several; styles stand in the elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from boundcheck.checking.verdict import Outcome
from boundcheck.domains.in_words import in_words, value_in_words
from boundcheck.report.html.formulas import letter, typeset
from boundcheck.report.printable import printable
from boundcheck.report.row import Row

Instance = Mapping[str, Any] | None
SOFT = "opacity:.65"
LEFT = "text-align:left;vertical-align:baseline"


def card(r: Row, instance: Instance) -> str:
    """The verdict on one claim: its formula, why, and where it fails."""
    stated = typeset(r.statement)
    lines = [_row(word, _formulas(line)) for word, line in stated.lines] if stated else []
    worth = [f"{name} {value}" for name, value in (("tight", r.tight), ("power", r.score)) if value]
    head = _element(
        "div", badge(r.outcome), " ", _element("code", printable(r.id)), " ", printable(r.summary)
    )
    lines += [_row("", printable("; ".join([r.reason, *worth]))), *_where(instance)]
    return str(head + _element("table", *lines, style="margin:.4em 0;border:none"))


def listing(rows: Sequence[tuple[Row, Instance]]) -> str:
    """A table with a line for each claim."""
    head = _element(
        "tr", *(_element("th", name, style=LEFT) for name in ("claim", "verdict", "why", "tight", "power"))
    )
    lines = []
    for r, instance in rows:
        why = (
            Markup("{}<br>at {}").format(printable(r.reason), printable(in_words(instance)))
            if instance
            else printable(r.reason)
        )
        cells = (_element("code", printable(r.id)), badge(r.outcome), why, r.tight, r.score)
        lines.append(_element("tr", *(_element("td", cell, style=LEFT) for cell in cells)))
    return str(_element("table", _element("thead", head), _element("tbody", *lines)))


def badge(outcome: Outcome) -> Markup:
    """The outcome in its colours, told by its sign as well."""
    tone, tint = outcome.tones[0]
    return _element(
        "span",
        outcome.mark,
        style=f"color:{tone};background:{tint};padding:.1em .5em;border-radius:.4em;font-weight:600",
    )


def _formulas(line: Sequence[Markup]) -> Markup:
    return Markup(" ").join(Markup('<math displaystyle="true">{}</math>').format(piece) for piece in line)


def _where(instance: Instance) -> list[Markup]:
    """The counterexample, a line for each parameter."""
    words = ["fails at", *[""] * (len(instance or {}) - 1)]
    pairs = zip(words, (instance or {}).items(), strict=False)
    return [
        _row(word, Markup("<math>{}</math> = {}").format(letter(name), printable(value_in_words(value))))
        for word, (name, value) in pairs
    ]


def _row(word: str, content: Markup | str) -> Markup:
    return _element("tr", _element("td", word, style=f"{LEFT};{SOFT}"), _element("td", content, style=LEFT))


def _element(tag: str, *children: Markup | str, style: str = "") -> Markup:
    opened = Markup('<{} style="{}">').format(Markup(tag), style) if style else Markup(f"<{tag}>")
    return opened + Markup("").join(map(escape, children)) + Markup(f"</{tag}>")
