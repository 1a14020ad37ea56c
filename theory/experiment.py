"""What experiments of papers share besides `boundcheck.commands.shell`: slopes, and findings written down."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from boundcheck.commands import shell
from boundcheck.report import markdown_table
from boundcheck.report.findings import Finding, Panel, draw


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Least-squares slope of log y against log x."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def record(reports: Path, stem: str, finding: Finding, panels: Sequence[Panel]) -> None:
    """Print the finding, and write stem.md, stem.json and stem.svg into `reports`. Raises Refused."""
    fields = {name: getattr(finding, name) for name in ("title", "columns", "rows", "remark")}
    texts = {".md": markdown(finding), ".json": json.dumps(fields, indent=1) + "\n"}
    shell.write_reports(reports, stem, texts, lambda path: draw(panels, path, finding.title))
    print(markdown(finding))


def markdown(finding: Finding) -> str:
    """The finding as a Markdown table."""
    rows = [[f"{cell:.4g}" if isinstance(cell, float) else cell for cell in row] for row in finding.rows]
    return "\n".join([f"# {finding.title}", "", *markdown_table(finding.columns, rows), "", finding.remark, ""])
