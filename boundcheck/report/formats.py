"""The formats of a report: each is a function of a document, found by its name in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.report.document import Document


@dataclass(frozen=True)
class Format:
    """The suffix of its files, and `module:function`, imported when asked for: from a Document to a text."""

    suffix: str
    function: str

    def render(self, report: Document) -> str:
        """The report as a text."""
        module, _, name = self.function.partition(":")
        function: Callable[[Document], str] = getattr(import_module(module), name)
        return function(report)


FORMATS = {
    "terminal": Format(".txt", "boundcheck.report.terminal:terminal"),
    "markdown": Format(".md", "boundcheck.report.markdown:markdown"),
    "json": Format(".json", "boundcheck.report.document:json_text"),
    "csv": Format(".csv", "boundcheck.report.frame:csv"),
    "junit": Format(".xml", "boundcheck.report.junit:junit"),
    "html": Format(".html", "boundcheck.report.html:page"),
}


def of_suffix(output: Path | None) -> str:
    """The name of the format that a file's suffix asks for; else that of terminals."""
    suffix = output.suffix if output else ""
    return next((name for name, form in FORMATS.items() if form.suffix == suffix), "terminal")
