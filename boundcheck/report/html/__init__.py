"""The report as one self-contained HTML page: no network, no other file, texts escaped; cells of notebooks.

`math.woff2` has the signs of formulas and their tall forms, so that brackets and roots stretch on a machine
without a font for mathematics. It is a part of TeX Gyre Pagella Math 1.632 (GUST e-foundry, GUST Font
License), made with pyftsubset and renamed.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from boundcheck.checking.verdict import Outcome
from boundcheck.domains.in_words import in_words, value_in_words
from boundcheck.report.document import SCHEMA_VERSION, Document, Row
from boundcheck.report.files import printable
from boundcheck.report.html.formulas import letter, typeset
from boundcheck.report.html.prose import prose
from boundcheck.report.html.views import groups, overview, plot

HERE = Path(__file__).parent


def page(report: Document, title: str = "Verdicts") -> str:
    """The page of a report; `earlier` ones of the document are shown as its history."""
    script, style = ((HERE / name).read_text(encoding="utf-8") for name in ("page.js", "style.css"))
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _template("page").render(
        title=title, report=report, schema=SCHEMA_VERSION, overview=overview(report), groups=groups(report),
        rates=[p for c in report.rates if (p := plot(c))], script=Markup(script), script_hash=digest,
        style=Markup(font() + tones() + style),
    )  # fmt: skip


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"prose": prose, "printable": printable}
    return environment.get_template(f"{name}.html.j2")


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


# cells of notebooks: a card for one claim, a table for several


Instance = Mapping[str, Any] | None


def card(r: Row, instance: Instance) -> str:
    """The verdict on one claim: its formula, why, and where it fails."""
    stated, where = typeset(r.statement), (instance or {}).items()
    worth = [f"{name} {value}" for name, value in (("tight", r.tight), ("power", r.score)) if value]
    place = [(letter(name), value_in_words(value)) for name, value in where]
    return _cell("card", r, stated.lines if stated else (), "; ".join([r.reason, *worth]), place)


def listing(rows: Sequence[tuple[Row, Instance]]) -> str:
    """A table with a line for each claim."""
    return _cell("listing", [(r, in_words(instance) if instance else "") for r, instance in rows])


def _cell(macro: str, *arguments: object) -> str:
    return str(getattr(_template("notebook").module, macro)(*arguments))
