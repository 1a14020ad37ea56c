"""The figure of an audit: spectrum, demands against the ridge, and failures against the number of features."""

from __future__ import annotations

from pathlib import Path

from boundcheck.audit.result import Audit
from boundcheck.report.plots import Curve, Panel, draw
from boundcheck.report.printable import printable


def plot(audit: Audit, path: str | Path) -> None:
    """Write the three panels to `path`. Raises ModuleNotFoundError without Matplotlib."""
    draw([_spectrum(audit), _demands(audit), _failures(audit)], path, literal(f"{audit.data}, {audit.plan.kernel} kernel"))


def literal(text: str) -> str:
    """Text that Matplotlib shows as it stands: no control characters, no formulas."""
    return printable(text).replace("$", r"\$")


def _spectrum(audit: Audit) -> Panel:
    at, lam = list(range(1, len(audit.eigenvalues) + 1)), audit.scene.lam
    curves = [Curve("eigenvalues of K / n", at, audit.eigenvalues), Curve("lam", [at[0], at[-1]], [lam, lam], style="--")]
    return Panel("spectrum", "number", "eigenvalue", curves, "xy")


def _demands(audit: Audit) -> Panel:
    n, lams = audit.scene.n, audit.lams
    asked = zip(audit.theorems, audit.demands, strict=True)
    curves = [Curve(j.demand.claim, lams, features) for j, features in asked if j.demand.spectral]
    curves.append(Curve("effective dimension", lams, [high for _, high in audit.dimensions], style="k-"))
    curves.append(Curve("n", [min(lams, default=audit.scene.lam), 1.0], [n, n], style="k:"))
    for needed in audit.needed:
        if needed.enough:
            curves.append(Curve(f"enough, measured ({needed.sampling})", [audit.scene.lam], [needed.enough], style="*"))
    return Panel("features asked for", "lam", "features", curves, "xy")


def _failures(audit: Audit) -> Panel:
    curves = []
    for needed in audit.needed:
        rates = [most / needed.trials for most in needed.most]
        low, high = zip(*needed.intervals, strict=True)
        curves.append(Curve(needed.sampling, needed.sizes, rates, low, high, style="o-"))
    ends = [size for needed in audit.needed for size in (needed.sizes[0], needed.sizes[-1])] or [1]
    curves.append(Curve("delta", [min(ends), max(ends)], [audit.plan.delta] * 2, style="k:"))
    return Panel("missing eps, measured", "features", "probability", curves, "x")
