"""What the experiments of the papers share: their command line, and the three files they leave behind."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from boundcheck.data import DataError, DataSet, load
from boundcheck.report.plots import Panel, draw
from boundcheck.words.findings import Finding


def command(sentence: str | None, data: bool = True) -> argparse.ArgumentParser:
    """A parser with DATA, unless there is none, and --out."""
    parser = argparse.ArgumentParser(description=sentence)
    if data:
        parser.add_argument("data", nargs="?", default="diabetes", help="a path, or a set that comes with scikit-learn")
    parser.add_argument("--out", type=Path, default=Path("reports"), help="the folder of the report")
    return parser


def stop(sentence: str) -> NoReturn:
    """Say what to do and leave with exit code 2."""
    print(sentence, file=sys.stderr)
    raise SystemExit(2)


def data_or_stop(source: str) -> DataSet:
    """The data, scaled as in Wang (2019), Section 6.1."""
    try:
        return load(source).scaled()
    except DataError as error:
        stop(str(error))


def sizes_of(text: str) -> tuple[int, ...]:
    """Whole numbers from a list such as 50,100,200."""
    try:
        sizes = tuple(int(part) for part in text.split(","))
    except ValueError:
        stop(f"{text!r} is no list of whole numbers; write them as in 50,100,200.")
    return sizes if min(sizes) > 0 else stop("Sizes are at least 1; leave the others out.")


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Least-squares slope of log y against log x."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def record(out: Path, stem: str, finding: Finding, panels: Sequence[Panel]) -> None:
    """Write stem.md, stem.json and stem.svg into `out`; without Matplotlib no figure."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{stem}.md").write_text(markdown(finding), encoding="utf-8")
    fields = {"title": finding.title, "columns": finding.columns, "rows": list(finding.rows), "remark": finding.remark}
    (out / f"{stem}.json").write_text(json.dumps(fields, indent=1) + "\n", encoding="utf-8")
    try:
        draw(panels, out / f"{stem}.svg", finding.title)
    except ModuleNotFoundError:
        print("No figure: install matplotlib to have one.", file=sys.stderr)
    print(markdown(finding))


def markdown(finding: Finding) -> str:
    """The finding as a Markdown table."""
    lines = [f"# {finding.title}", "", _row(finding.columns), _row(["---"] * len(finding.columns))]
    return "\n".join([*lines, *(_row(row) for row in finding.rows), "", finding.remark, ""])


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells) + " |"
