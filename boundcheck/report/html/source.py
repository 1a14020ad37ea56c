"""The text of a claim as highlighted HTML."""

from __future__ import annotations

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


def highlighted(statement: str) -> Markup:
    """The text with a class on each token; Pygments escapes what it writes."""
    return Markup(highlight(statement, PythonLexer(), HtmlFormatter(nowrap=True))) if statement else Markup("")
