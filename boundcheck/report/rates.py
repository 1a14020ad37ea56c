"""Rates that a sweep measured on data, as curves: error against number of features, with bands and 1/s."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.report.reading import CannotRead, parsed
from boundcheck.report.row import Curve, Series
from boundcheck.report.shape import misfit

BAND = (0.1, 0.9)
NUMBERS = {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}}
SHAPE: dict[str, Any] = {
    "type": "object",
    "required": ["schema", "data", "plan", "scalings", "mse"],
    "properties": {
        "schema": {"enum": ["boundcheck-sweep-1"]},
        "data": {"type": "string"},
        "plan": {
            "type": "object",
            "required": ["kernel", "ridges", "sizes"],
            "properties": {"kernel": {"type": "string"}, "ridges": NUMBERS, "sizes": NUMBERS},
        },
        "scalings": {"type": "array", "items": {"type": "string"}},
        "mse": {"type": "array"},
    },
}


def rates(path: Path) -> list[Curve]:
    """A plot for each ridge of a sweep: mean over repeats, band of eight in ten. Raises CannotRead."""
    try:
        sweep = parsed(path.read_text(encoding="utf-8"))
        wrong = misfit(sweep, SHAPE)
        if wrong:
            raise ValueError(wrong)
        return _curves(sweep)
    except FileNotFoundError:
        raise CannotRead(f"There is no sweep {path}; run `boundcheck sweep` first.") from None
    except (OSError, ValueError, TypeError, OverflowError, RecursionError, MemoryError) as error:
        why = " ".join(str(error).split())[:200]
        wrong = f"{path} is not the JSON of a sweep ({why})"
        raise CannotRead(f"{wrong}; run `boundcheck sweep` again.") from None


def _curves(sweep: dict[str, Any]) -> list[Curve]:
    """One for each ridge, with a line for each scaling of the features."""
    plan, scalings = sweep["plan"], sweep["scalings"]
    mse = np.array(sweep["mse"], dtype=float)
    ridges, sizes = plan["ridges"], plan["sizes"]
    if mse.ndim != 4 or mse.shape[1:] != (len(ridges), len(sizes), len(scalings)) or not mse.size:
        raise ValueError("mse has not the shape repeats x ridges x sizes x scalings")
    title = f"{sweep['data']}, {plan['kernel']} kernel, lam = "
    return [_curve(f"{title}{ridge:g}/sqrt(n)", sizes, mse[:, j], scalings) for j, ridge in enumerate(ridges)]


def _curve(title: str, sizes: list[float], mse: np.ndarray, scalings: list[str]) -> Curve:
    means, (low, high) = mse.mean(axis=0), np.quantile(mse, BAND, axis=0)
    series = [
        Series(label=label, x=sizes, y=_list(means[:, c]), low=_list(low[:, c]), high=_list(high[:, c]))
        for c, label in enumerate(scalings)
    ]
    line = Series(label="1/s from the first size", x=sizes, y=_list(means[0, 0] * sizes[0] / np.array(sizes)))
    return Curve(
        kind="rate", title=title, xlabel="number of features s", ylabel="mean squared gap", log="xy",
        marker=None, series=[*series, line],
    )  # fmt: skip


def _list(values: np.ndarray) -> list[float]:
    return [float(f"{v:.4g}") for v in values.tolist()]
