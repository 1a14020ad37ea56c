"""The report as one self-contained HTML page: no network, no external file, every text escaped."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from boundcheck.report.html.overview import overview
from boundcheck.report.html.plots import plot
from boundcheck.report.html.views import views

HERE = Path(__file__).parent


def page(content: dict[str, Any], rates: Sequence[dict[str, Any]] = (), title: str = "Verdicts") -> str:
    """The page of a report as `read` returns it; `rates` are further curves, those of sweeps."""
    loader = FileSystemLoader(HERE)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    script, style = ((HERE / name).read_text(encoding="utf-8") for name in ("page.js", "style.css"))
    return environment.get_template("page.html.j2").render(
        title=title, report=content, overview=overview(content), claims=views(content), rates=[p for c in rates if (p := plot(c))],
        script=Markup(script), style=Markup(style), script_hash=b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )  # fmt: skip
