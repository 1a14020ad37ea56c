"""A sweep as JSON, as Markdown and as a figure; the same sweep gives the same bytes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from boundcheck.report import key_a_line
from boundcheck.report.findings import Curve, Panel, draw, literal

from .plan import SCALINGS
from .result import Sweep
from .sentences import conclusions

SCHEMA = "boundcheck-sweep-1"
DERIVED = (
    *("lams", "floor", "energy", "mean_mse", "slopes", "slope_intervals"),
    *("bound", "theorem_bound", "ratio", "hypothesis", "mse"),
)
COLUMNS = "s|MSE, unbiased|MSE, printed|printed / floor|(31) / unbiased|(31) / printed|Theorem 1's hypothesis"


def to_json(sweep: Sweep) -> str:
    """One key a line; `mse` is repeats x ridges x sizes x scalings; an infinite interval end is null."""
    return key_a_line(_record(sweep))


def _record(sweep: Sweep) -> dict[str, Any]:
    n, m, d = sweep.shape
    derived = {name: getattr(sweep, name) for name in DERIVED}
    about = {"data": sweep.data, "target": sweep.target, "n": n, "m": m, "d": d, "sigma": sweep.sigma}
    head = {"schema": SCHEMA, "source": "Wang (2019), Section 6", **about, "scalings": SCALINGS}
    return head | {"plan": asdict(sweep.plan), "conclusions": conclusions(sweep)} | derived


def to_markdown(sweep: Sweep) -> str:
    """Title, conclusions and a table for each ridge."""
    title = f"# Random features against {sweep.plan.kernel} kernel ridge regression: {sweep.data}\n"
    points = "\n".join(f"- {sentence}" for sentence in conclusions(sweep))
    tables = "\n".join(_table(sweep, j) for j in range(len(sweep.lams)))
    about = f"Wang (2019), Section 6, target `{sweep.target}`, seed {sweep.plan.seed}."
    return f"{title}\n{about}\n\n{points}\n\n{tables}"


def _table(sweep: Sweep, j: int) -> str:
    c, lam = sweep.plan.ridges[j], sweep.lams[j]
    head = f"## lam = {c:g}/sqrt(n) = {lam:.4g}, floor of the features as printed {sweep.floor[j]:.3e}\n"
    rows = [COLUMNS, "|".join(["--:"] * 7), *(_row(sweep, j, g) for g in range(len(sweep.plan.sizes)))]
    return head + "\n" + "\n".join(f"|{row}|" for row in rows) + "\n"


def _row(sweep: Sweep, j: int, g: int) -> str:
    unbiased, printed = sweep.mean_mse[j, g]
    ratios = sweep.ratio[j, g]
    met = "met" if sweep.hypothesis[j, g] else "not met"
    return (
        f"{sweep.plan.sizes[g]}|{unbiased:.3e}|{printed:.3e}|{printed / sweep.floor[j]:.3g}|"
        f"{ratios[0]:.3g}|{ratios[1]:.3g}|{met}"
    )


def plot(sweep: Sweep, path: str | Path) -> None:
    """Figures 1 and 2 of Wang (2019) with both scalings and the floor: a log-log panel for each ridge.

    Stars are mean MSEs, lines go as 1 / s from the first star, the dashed line is the floor of the features
    as printed. Raises ModuleNotFoundError without Matplotlib.
    """
    title = f"{sweep.data}, {sweep.plan.kernel} kernel, {sweep.plan.repeats} repeats"
    draw([_panel(sweep, j) for j in range(len(sweep.lams))], path, literal(title))


def _panel(sweep: Sweep, j: int) -> Panel:
    s, curves = sweep.plan.sizes, []
    for c, (scaling, colour) in enumerate(zip(SCALINGS, ("C3", "C0"), strict=True)):
        curves.append(Curve(f"{scaling} features", s, sweep.mean_mse[j, :, c].tolist(), style=f"{colour}*"))
        curves.append(Curve("as 1 / s", s, sweep.extrapolated[j, :, c].tolist(), style=f"{colour}-"))
    curves.append(Curve("KRR with 2 lam (floor)", [s[0], s[-1]], [sweep.floor[j]] * 2, style="k--"))
    title = f"lam = {sweep.plan.ridges[j]:g}/sqrt(n)"
    return Panel(title, "number of features s", "MSE against KRR", curves, "xy")
