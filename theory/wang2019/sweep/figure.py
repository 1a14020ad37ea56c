"""Figures 1 and 2 of Wang (2019) with both scalings and the floor; needs Matplotlib, an extra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theory.wang2019.sweep.plan import SCALINGS
from theory.wang2019.sweep.result import Sweep

# With a fixed salt, and without a date, a figure is the same bytes each time.
COLOURS = ("tab:red", "tab:blue")
STYLE: Any = {"svg.fonttype": "none", "svg.hashsalt": "boundcheck", "font.size": 9}


def plot(sweep: Sweep, path: str | Path) -> None:
    """Write a log-log panel for each ridge to `path`, in the format of its suffix.

    Stars are mean MSEs, lines go as 1 / s from the first star, the dashed line is the floor of the features
    as printed. Raises ModuleNotFoundError without Matplotlib.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(3.6 * len(sweep.lams), 3.4), layout="constrained")
        panels = figure.subplots(1, len(sweep.lams), squeeze=False, sharey=True)[0]
        for j, axes in enumerate(panels):
            _panel(axes, sweep, j)
        panels[0].set_ylabel("MSE against KRR")
        panels[0].legend(fontsize=7, loc="lower left")
        figure.suptitle(f"{sweep.data}, {sweep.plan.kernel} kernel, {sweep.plan.repeats} repeats")
        svg = Path(path).suffix == ".svg"
        figure.savefig(path, metadata={"Date": None} if svg else None)


def _panel(axes: Any, sweep: Sweep, j: int) -> None:
    s = sweep.plan.sizes
    for c, (scaling, colour) in enumerate(zip(SCALINGS, COLOURS, strict=True)):
        axes.loglog(s, sweep.extrapolated[j, :, c], color=colour, linewidth=0.8)
        axes.loglog(s, sweep.mean_mse[j, :, c], "*", color=colour, label=f"{scaling} features; line: 1/s")
    axes.axhline(sweep.floor[j], color="black", linestyle="--", linewidth=0.8, label="KRR with 2 lam (floor)")
    axes.set_title(f"lam = {sweep.plan.ridges[j]:g}/sqrt(n)")
    axes.set_xlabel("number of features s")
