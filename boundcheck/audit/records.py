"""An audit as JSON, as Markdown and as a figure; the same audit gives the same bytes."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from pathlib import Path
from typing import Any

from boundcheck.audit.demand import Judged
from boundcheck.audit.needed import Needed
from boundcheck.audit.run import Audit
from boundcheck.audit.sentences import COLUMNS, conclusions, table
from boundcheck.report.files import grid, key_a_line
from boundcheck.report.markdown import prose
from boundcheck.report.plots import Curve, Panel, draw, literal

SCHEMA = "boundcheck-audit-1"


def to_json(audit: Audit) -> str:
    """One key a line; a number of features beyond the floats is null."""
    return key_a_line(_record(audit))


def _record(audit: Audit) -> dict[str, Any]:
    return {
        "schema": SCHEMA, "data": audit.data, "target": audit.target, "rows": audit.rows, "inputs": audit.columns,
        "plan": asdict(audit.plan), "bandwidth": audit.sigma, "scene": asdict(audit.scene),
        "effective_dimension": audit.dimension, "spectrum_points": audit.spectrum_points, "rest": audit.rest,
        "conclusions": conclusions(audit),
        "theorems": [_theorem(judged) for judged in audit.theorems], "needed": [_needed(needed) for needed in audit.needed],
        "lams": audit.lams, "effective_dimensions": audit.dimensions,
        "features_at_lams": {j.demand.claim: features for j, features in zip(audit.theorems, audit.demands, strict=True)},
        "eigenvalues": audit.eigenvalues,
    }  # fmt: skip


def _theorem(judged: Judged) -> dict[str, Any]:
    demand = judged.demand
    return {
        "claim": demand.claim, "says": demand.says, "features": demand.sampling, "hypotheses": list(demand.hypotheses),
        "unmet": judged.unmet, "printed": judged.printed, "repaired": judged.repaired,
        "vacuous": [reason.text for reason in judged.vacuous],
        "speaks_for_lam": judged.speaks, "measured": demand.spectral,
    }  # fmt: skip


def _needed(needed: Needed) -> dict[str, Any]:
    return asdict(needed) | {"too_few": needed.too_few, "enough": needed.enough}


def to_markdown(audit: Audit) -> str:
    """Title, conclusions, the table of theorems, what each says, and the trials."""
    lines = [f"# Audit: {prose(audit.data)}", "", *(f"- {prose(sentence)}" for sentence in conclusions(audit)), ""]
    lines += grid(COLUMNS, [map(prose, row) for row in table(audit)])
    lines += ["", "What each theorem says:", ""]
    lines += [f"- `{j.demand.claim}`: {prose(j.demand.says)}" for j in audit.theorems]
    for needed in audit.needed:
        lines += ["", f"## Trials with {needed.sampling} features", ""]
        lines += grid(("s", "failed, at least", "failed, at most", "P(fail), interval"), _trials(needed))
    return "\n".join(lines) + "\n"


def _trials(needed: Needed) -> list[tuple[object, ...]]:
    rows = zip(needed.sizes, needed.fewest, needed.most, needed.intervals, strict=True)
    return [(s, least, most, prose(f"[{low:.4f}, {high:.4f}]")) for s, least, most, (low, high) in rows]


def plot(audit: Audit, path: str | Path) -> None:
    """Write the three panels to `path`. Raises ModuleNotFoundError without Matplotlib."""
    draw([_spectrum(audit), _demands(audit), _failures(audit)], path, literal(f"{audit.data}, {audit.plan.kernel} kernel"))


def _spectrum(audit: Audit) -> Panel:
    at, lam = list(range(1, len(audit.eigenvalues) + 1)), audit.scene.lam
    curves = [Curve("eigenvalues of K / n", at, audit.eigenvalues), Curve("lam", [at[0], at[-1]], [lam, lam], style="--")]
    return Panel("spectrum", "number", "eigenvalue", curves, "xy")


STYLES = ("C0-", "C1--", "C2-.", "C4:")
"""Dashes tell curves apart where colours do not."""


def _demands(audit: Audit) -> Panel:
    n, lams = audit.scene.n, audit.lams
    alike: dict[tuple[float, ...], list[str]] = {}
    for j, features in zip(audit.theorems, audit.demands, strict=True):
        if j.demand.spectral:
            alike.setdefault(features, []).append(j.demand.claim)
    asked = zip(alike.items(), itertools.cycle(STYLES), strict=False)
    curves = [Curve("\n= ".join(claims), lams, features, style=style) for (features, claims), style in asked]
    curves.append(Curve("effective dimension", lams, [high for _, high in audit.dimensions], style="k-."))
    curves.append(Curve("n", [min(lams), 1.0], [n, n], style="k:"))
    for needed, marker in zip(audit.needed, "*D", strict=False):
        if needed.enough:
            curves.append(Curve(f"enough, measured ({needed.sampling})", [audit.scene.lam], [needed.enough], style=f"k{marker}"))
    return Panel("features asked for", "lam", "features", curves, "xy")


def _failures(audit: Audit) -> Panel:
    curves = []
    for needed, style in zip(audit.needed, ("o-", "D--"), strict=False):
        rates = [most / needed.trials for most in needed.most]
        low, high = zip(*needed.intervals, strict=True)
        curves.append(Curve(needed.sampling, needed.sizes, rates, low, high, style=style))
    ends = [size for needed in audit.needed for size in (needed.sizes[0], needed.sizes[-1])] or [1]
    curves.append(Curve("delta", [min(ends), max(ends)], [audit.plan.delta] * 2, style="k:"))
    return Panel("missing eps, measured", "features", "probability", curves)
