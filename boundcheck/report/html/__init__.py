"""The report as one self-contained HTML page: no network, no external file, every text escaped.

`math.woff2` has the signs of formulas and their tall forms, so that brackets and roots stretch on a machine
without a font for mathematics. It is a part of TeX Gyre Pagella Math 1.632 (GUST e-foundry, GUST Font License),
made with pyftsubset and renamed.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from boundcheck.checking.verdict import Outcome
from boundcheck.report.document import SCHEMA_VERSION, Document
from boundcheck.report.html.plots import plot
from boundcheck.report.html.prose import prose
from boundcheck.report.html.views import groups, overview

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
    """The colours of the outcomes, on light and on dark pages."""
    names = [(o, o.name.lower()) for o in Outcome]
    light, dark = (
        " ".join(f"--{name}: {o.tones[k][0]}; --{name}-tint: {o.tones[k][1]};" for o, name in names)
        for k in (0, 1)
    )
    rules = [
        f":root {{ {light} }}",
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}',
        f':root[data-theme="dark"] {{ {dark} }}',
        *(f".{o.name} {{ --tone: var(--{name}); --tint: var(--{name}-tint); }}" for o, name in names),
    ]
    return "\n".join([*rules, ""])
