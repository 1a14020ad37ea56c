"""A sweep as JSON and as Markdown; the same sweep gives the same bytes, for nothing in them is a time."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

import numpy as np

from theory.wang2019.sweep.plan import SCALINGS
from theory.wang2019.sweep.result import Sweep
from theory.wang2019.sweep.sentences import conclusions

SCHEMA = "boundcheck-sweep-1"
DERIVED = (
    *("lams", "floor", "energy", "mean_mse", "slopes", "slope_intervals"),
    *("bound", "theorem_bound", "ratio", "hypothesis", "mse"),
)
COLUMNS = "s|MSE, unbiased|MSE, printed|printed / floor|(31) / unbiased|(31) / printed|Theorem 1's hypothesis"


def to_json(sweep: Sweep) -> str:
    """One key a line; `mse` is repeats x ridges x sizes x scalings; an infinite interval end is null."""
    lines = (f'"{key}": {json.dumps(value, allow_nan=False)}' for key, value in _record(sweep).items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _record(sweep: Sweep) -> dict[str, Any]:
    n, m, d = sweep.shape
    derived = {name: _lists(getattr(sweep, name)) for name in DERIVED}
    about = {"data": sweep.data, "target": sweep.target, "n": n, "m": m, "d": d, "sigma": sweep.sigma}
    head = {"schema": SCHEMA, "source": "Wang (2019), Section 6", **about, "scalings": SCALINGS}
    return head | {"plan": asdict(sweep.plan), "conclusions": conclusions(sweep)} | derived


def _lists(values: Any) -> Any:
    if isinstance(values, np.ndarray):
        return _lists(values.tolist())
    if isinstance(values, list):
        return [_lists(value) for value in values]
    return None if isinstance(values, float) and math.isinf(values) else values


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
