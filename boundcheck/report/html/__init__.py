"""The report as one self-contained HTML page: no network, no other file, texts escaped; cells of notebooks.

`math.woff2` has the signs of formulas and their tall forms, so that brackets and roots stretch on a machine
without a font for mathematics. It is a part of TeX Gyre Pagella Math 1.632 (GUST e-foundry, GUST Font
License), made with pyftsubset and renamed.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from boundcheck.checking.verdict import Outcome
from boundcheck.domains.in_words import in_words, value_in_words
from boundcheck.report.document import SCHEMA_VERSION, Document
from boundcheck.report.html.formulas import element, letter, typeset
from boundcheck.report.html.plots import plot
from boundcheck.report.html.prose import prose
from boundcheck.report.html.views import groups, overview
from boundcheck.report.printable import printable
from boundcheck.report.row import Row

HERE = Path(__file__).parent


def page(report: Document, title: str = "Verdicts") -> str:
    """The page of a report; `earlier` ones of the document are shown as its history."""
    loader = FileSystemLoader(HERE)
    options = {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    environment = Environment(loader=loader, **options)
    environment.filters["prose"] = prose
    script, style = ((HERE / name).read_text(encoding="utf-8") for name in ("page.js", "style.css"))
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template("page.html.j2").render(
        title=title, report=report, schema=SCHEMA_VERSION, overview=overview(report), groups=groups(report),
        rates=[p for c in report.rates if (p := plot(c))], script=Markup(script), script_hash=digest,
        style=Markup(font() + tones() + style),
    )  # fmt: skip


def font() -> str:
    """The font of formulas inside the page."""
    data = b64encode((HERE / "math.woff2").read_bytes()).decode()
    return f'@font-face {{ font-family: "boundcheck math"; src: url(data:font/woff2;base64,{data}); }}\n'


def tones() -> str:
    """The colours of the outcomes, on light and on dark pages, and their signs."""
    names = [(o, o.name.lower()) for o in Outcome]
    colours = [[(name, *o.tones[k]) for o, name in names] for k in (0, 1)]
    light, dark = (" ".join(f"--{n}: {tone}; --{n}-tint: {tint};" for n, tone, tint in of) for of in colours)
    rules = [
        f":root {{ {light} }}",
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}',
        f':root[data-theme="dark"] {{ {dark} }}',
        *(f'.{o.name}, [data-outcome="{o.name}"] {{ --tone: var(--{name}); --tint: var(--{name}-tint);'
          f' --sign: "{o.symbol}"; --said: "{o.name}"; }}' for o, name in names),
    ]  # fmt: skip
    return "\n".join([*rules, ""])


# cells of notebooks: a card for one claim, a table for several; styles stand in the elements


Instance = Mapping[str, Any] | None
SOFT = "opacity:.65"
LEFT = "text-align:left;vertical-align:baseline"


def card(r: Row, instance: Instance) -> str:
    """The verdict on one claim: its formula, why, and where it fails."""
    stated = typeset(r.statement)
    lines = [_line(word, _formulas(line)) for word, line in stated.lines] if stated else []
    worth = [f"{name} {value}" for name, value in (("tight", r.tight), ("power", r.score)) if value]
    head = element("div", badge(r.outcome), " ", element("code", printable(r.id)), " ", printable(r.summary))
    lines += [_line("", printable("; ".join([r.reason, *worth]))), *_where(instance)]
    return str(head + element("table", *lines, style="margin:.4em 0;border:none"))


def listing(rows: Sequence[tuple[Row, Instance]]) -> str:
    """A table with a line for each claim."""
    columns = ("claim", "verdict", "why", "tight", "power")
    head = element("tr", *(element("th", name, style=LEFT) for name in columns))
    lines = []
    for r, instance in rows:
        at = Markup("<br>at {}").format(printable(in_words(instance))) if instance else ""
        why = escape(printable(r.reason)) + at
        cells = (element("code", printable(r.id)), badge(r.outcome), why, r.tight, r.score)
        lines.append(element("tr", *(element("td", cell, style=LEFT) for cell in cells)))
    return str(element("table", element("thead", head), element("tbody", *lines)))


def badge(outcome: Outcome) -> Markup:
    """The outcome in its colours, told by its sign as well."""
    tone, tint = outcome.tones[0]
    style = f"color:{tone};background:{tint};padding:.1em .5em;border-radius:.4em;font-weight:600"
    return element("span", outcome.mark, style=style)


def _formulas(line: Sequence[Markup]) -> Markup:
    return Markup(" ").join(Markup('<math displaystyle="true">{}</math>').format(piece) for piece in line)


def _where(instance: Instance) -> list[Markup]:
    """The counterexample, a line for each parameter."""
    words = ["fails at", *[""] * (len(instance or {}) - 1)]
    pairs = ((letter(name), printable(value_in_words(value))) for name, value in (instance or {}).items())
    return [_line(word, Markup("<math>{}</math> = {}").format(*pair)) for word, pair in zip(words, pairs)]


def _line(word: str, content: Markup | str) -> Markup:
    return element("tr", element("td", word, style=f"{LEFT};{SOFT}"), element("td", content, style=LEFT))
