"""Findings: tables with the sentence that their numbers make, and curves in panels, drawn with Matplotlib, an extra."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.exits import Refused
from boundcheck.report import printable, write_whole, writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from boundcheck.report.document import Plot

NO_MATPLOTLIB = "There is no figure without Matplotlib; run pip install 'boundcheck[plots]'."
NO_FORMAT = "{!r} names no format of a figure; end it in .svg, .png or .pdf."

# With a fixed salt, and without a date, a figure is the same bytes each time.
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "boundcheck",
    "font.size": 9,
}


@dataclass(frozen=True)
class Finding:
    """A table with a title and columns; the remark is a sentence made of its numbers."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    remark: str = ""


@dataclass(frozen=True)
class Curve:
    """Points (x, y) joined by a line; `low` and `high`, if given, are a band around it."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    style: str = "-"


@dataclass(frozen=True)
class Panel:
    """One pair of axes; `log` names the logarithmic ones: "", "x", "y" or "xy"."""

    title: str
    xlabel: str
    ylabel: str
    curves: Sequence[Curve]
    log: str = ""


@dataclass(frozen=True)
class Drawing:
    """Panels side by side, which a notebook shows."""

    panels: Sequence[Panel]
    title: str = ""

    def save(self, path: str | Path) -> Path:
        """Write them in the format of the suffix; the path. Raises Refused where it cannot be."""
        try:
            with writing(Path(path), always=True):
                draw(self.panels, path, self.title)
        except ValueError as error:
            raise Refused(NO_FORMAT.format(Path(path).name)) from error
        return Path(path)

    def _repr_svg_(self) -> str:
        return _image(self.panels, "svg", self.title).decode()


def panels_of(plots: Iterable[Plot]) -> list[Panel]:
    """The plots of a report that have two axes, with a line where the instance is."""
    return [_panel_of(plot) for plot in plots if plot["kind"] != "vacuity"]


def _panel_of(plot: Plot) -> Panel:
    curves = [
        Curve(s["label"], _numbers(s["x"]), _numbers(s["y"]))
        for s in plot["series"]
    ]
    heights = [y for curve in curves for y in curve.y if isfinite(y)]
    here = plot.get("marker")
    if here is not None and heights:
        ends = [min(heights), max(heights)]
        curves.append(Curve("instance", [here] * 2, ends, style="k--"))
    return Panel(
        plot["title"], plot["xlabel"], plot["ylabel"], curves, plot["log"]
    )


def _numbers(values: Iterable[float | None]) -> list[float]:
    return [nan if x is None else x for x in values]


def draw(panels: Sequence[Panel], path: str | Path, title: str = "") -> None:
    """Write the panels side by side to `path`, in the format of its suffix.

    Raises ModuleNotFoundError without Matplotlib, ValueError for a format that it does not know, OSError.
    """
    write_whole(
        _image(panels, Path(path).suffix[1:].lower(), title), Path(path)
    )


def _image(panels: Sequence[Panel], form: str, title: str) -> bytes:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(3.6 * len(panels), 3.4), layout="constrained")
        for axes, panel in zip(
            figure.subplots(1, len(panels), squeeze=False)[0],
            panels,
            strict=True,
        ):
            _panel(axes, panel)
        figure.suptitle(title)
        image = BytesIO()
        figure.savefig(
            image,
            format=form,
            metadata={"Date": None} if form == "svg" else None,
        )
    return image.getvalue()


def literal(text: str) -> str:
    """Text that Matplotlib shows as it stands: no control characters, no formulas."""
    return printable(text).replace("$", r"\$")


def _panel(axes: Axes, panel: Panel) -> None:
    for curve in panel.curves:
        (line,) = axes.plot(
            curve.x, curve.y, curve.style, label=curve.label, linewidth=1
        )
        if curve.low is not None and curve.high is not None:
            axes.fill_between(
                curve.x,
                curve.low,
                curve.high,
                color=line.get_color(),
                alpha=0.2,
                linewidth=0,
            )
    for axis in panel.log:
        getattr(axes, f"set_{axis}scale")("log")
    axes.set(title=panel.title, xlabel=panel.xlabel, ylabel=panel.ylabel)
    axes.legend(fontsize=7)
