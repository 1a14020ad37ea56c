"""An audit as sentences about these points, kernel and draws only, as tables, JSON, Markdown and a figure."""

from __future__ import annotations

import itertools
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from boundcheck.features.audit import (
    SAMPLINGS,
    Answer,
    AuditPlan,
    Demand,
    Scene,
    judge_demand,
)
from boundcheck.features.audit.needed import Needed
from boundcheck.features.audit.run import Audit
from boundcheck.report import key_a_line, markdown_table
from boundcheck.report.findings import Curve, Panel, draw, literal
from boundcheck.report.formats import prose

SHORT = ("theorem", "features", "printed", "repaired", "needed", "vacuous")
LEGEND = (
    "printed, repaired: features asked for as printed, and by the sharpest proved statement; needed:"
    " measured, for the theorems about the eps norm; vacuous: H a hypothesis fails, T the bound is trivial,"
    " N as many features as points are asked for, or more"
)

DEMANDED = ("theorem", "features", "as printed", "as repaired", "if")

COLUMNS = (
    *(
        "theorem",
        "features",
        "hypotheses",
        "as printed",
        "as repaired",
        "needed (measured)",
    ),
    *("vacuous here", "says something for lam in"),
)

MISSING = "{} features are not measured: at so small a ridge or delta that takes more than a minute."

FEATURE = {
    "plain": "sqrt(2) cos(w x + u)",
    "leverage": "the same, drawn by their ridge leverage scores",
}


def conclusions(audit: Audit) -> list[str]:
    """The setting, oddities of the data, the spectrum, measurements, what theorems say, what to take."""
    measured = [
        told(needed, audit)
        for needed in audit.needed
        for told in (_needed, _demanded)
    ]
    missing = [
        MISSING.format(s.capitalize())
        for s in SAMPLINGS
        if audit.measured(s) is None
    ]
    judged = [
        *filter(None, measured),
        *missing,
        _hypotheses(audit),
        _vacuous(audit),
    ]
    return [
        _setting(audit),
        *audit.notices,
        _dimension(audit),
        *judged,
        _advice(audit),
    ]


def short_row(judged: Answer, audit: Audit) -> tuple[str, ...]:
    """What is said of a theorem under SHORT, for a terminal."""
    needed = (
        audit.measured(judged.demand.sampling)
        if judged.demand.spectral
        else None
    )
    repaired = _shown(min(judged.repaired.values())) if judged.repaired else "-"
    measured = (
        f"({needed.too_few or '?'}, {needed.enough or '?'}]" if needed else "-"
    )
    reasons = "".join(dict.fromkeys(reason.letter for reason in judged.vacuous))
    demand = judged.demand
    return (
        demand.claim,
        demand.sampling,
        _shown(judged.printed),
        repaired,
        measured,
        reasons or "no",
    )


def _shown(x: float) -> str:
    """A number of features: whole while it is short."""
    if math.isinf(x):
        return "infinitely many"
    return f"{x:.0f}" if x < 1e7 else f"{x:.2g}"


def _setting(audit: Audit) -> str:
    scene, plan = audit.scene, audit.plan
    part = (
        ""
        if scene.n == audit.rows
        else f", a random {scene.n} of its {audit.rows} rows"
    )
    scaled = "scaled to [-1, 1]" if plan.scale else "as given"
    return (
        f"{audit.data}: n = {scene.n} points{part},"
        f" {audit.columns} inputs {scaled}, target {audit.target!r}"
        f" scaled to |y| <= 1; {plan.kernel} kernel, bandwidth {audit.sigma:.4g}, lam = {scene.lam:.4g},"
        f" eps = {plan.eps:g}, delta = {plan.delta:g}, seed {plan.seed}."
    )


def _dimension(audit: Audit) -> str:
    low, high = audit.dimension
    whole = (
        f"{low:.4g}"
        if f"{low:.4g}" == f"{high:.4g}"
        else f"between {low:.4g} and {high:.4g}"
    )
    some = (
        f" (of a random {audit.spectrum_points} of the points, at the same lam)"
    )
    of = "" if audit.spectrum_points == audit.scene.n else some
    return (
        f"The effective dimension is {whole}{of}; the largest eigenvalue of K / n is"
        f" {audit.scene.lambda_1:.3g}, the trace is 1, and {len(audit.eigenvalues)} eigenvalues leave"
        f" {audit.rest:.2g} of it."
    )


def _needed(needed: Needed, audit: Audit) -> str:
    some = f" on a random {needed.points} of the points, at the same lam"
    on = "" if needed.points == audit.scene.n else some
    head = f"{needed.sampling.capitalize()} features ({FEATURE[needed.sampling]}), {needed.trials} trials{on}"
    few, enough = needed.too_few, needed.enough
    least, most = needed.sizes[0], needed.sizes[-1]
    if few == most:
        return f"{head}: even {few}, the most tried, miss eps with probability above delta."
    below = f"{least}, the fewest tried, are not shown to be too few"
    if few:
        below = f"{few} miss eps with probability above delta"
    above = f"{most}, the most tried, are not shown to be enough"
    if enough:
        above = f"{enough} miss it with probability delta at most"
    elif audit.plan.trials_needed > needed.trials:
        above += f" ({audit.plan.trials_needed} trials without a failure would show it)"
    together = f"All {2 * len(needed.sizes)} intervals hold together but for {audit.plan.level / 2:g}."
    return f"{head}: {below}; {above}. {together}"


def _demanded(needed: Needed, audit: Audit) -> str:
    asking = [
        j
        for j in audit.theorems
        if j.demand.spectral and j.demand.sampling == needed.sampling
    ]
    if not needed.enough or not asking:
        return ""
    times = [(j.demand.claim, j.printed / needed.enough) for j in asking]
    said = [
        f"{claim} asks for {more:.2g} times as many, as printed"
        for claim, more in times
    ]
    return f"For that conclusion {'; '.join(said)}."


def _hypotheses(audit: Audit) -> str:
    met = [j.demand.claim for j in audit.theorems if not j.unmet]
    unmet = [
        f"{j.demand.claim} ({', '.join(j.unmet)})"
        for j in audit.theorems
        if j.unmet
    ]
    counted = f"{len(met)} of {len(audit.theorems)} theorems"
    return f"The hypotheses of {counted} hold here; not those of {', '.join(unmet) or 'none'}."


def _vacuous(audit: Audit) -> str:
    speaking = [j.demand.claim for j in audit.theorems if not j.vacuous]
    never = [j.demand.claim for j in audit.theorems if j.speaks is None]
    span = (
        f"lam from {min(audit.lams):.2g} to {max(audit.lams):.2g}"
        if audit.lams
        else "any lam"
    )
    return (
        f"As printed, {len(speaking)} of {len(audit.theorems)} theorems say something here:"
        f" {', '.join(speaking) or 'none'}; with these data and for {span}, none of these ever does:"
        f" {', '.join(never) or 'there is no such theorem'}."
    )


def _advice(audit: Audit) -> str:
    """How many features to take, as measured, and how many theorems with that conclusion ask for."""
    plan = audit.plan
    enough = [
        f"{needed.enough:,} {needed.sampling}"
        for needed in audit.needed
        if needed.enough
    ]
    asked = [
        f"{_least(audit, sampling)} {sampling}"
        for sampling in SAMPLINGS
        if _least(audit, sampling)
    ]
    theorems = "no theorem with that conclusion applies here"
    if asked:
        theorems = f"these theorems would ask for {' or '.join(asked)}"
    if not enough:
        more = "give more --trials, a larger --eps, --delta or --lam"
        return (
            f"How many features to take was not found out: {more}; {theorems}."
        )
    goal = f"for eps = {plan.eps:g} with probability {1 - plan.delta:.12g}"
    return f"Take about {' or '.join(enough)} features {goal}; {theorems}."


def _least(audit: Audit, sampling: str) -> str:
    """The fewest features that a theorem whose hypotheses hold asks for, as proved where misprinted."""
    applying = (j for j in audit.theorems if j.demand.spectral and not j.unmet)
    fitting = [j for j in applying if j.demand.sampling == sampling]
    numbers = [min(j.repaired.values(), default=j.printed) for j in fitting]
    return (
        f"{min(numbers):,.0f}"
        if numbers and math.isfinite(min(numbers))
        else ""
    )


def _row(judged: Answer, audit: Audit) -> tuple[str, ...]:
    """What is said of a theorem under COLUMNS."""
    demand = judged.demand
    needed = audit.measured(demand.sampling) if demand.spectral else None
    held = "hold" if not judged.unmet else "fail: " + ", ".join(judged.unmet)
    held = held if demand.hypotheses else "none to check"
    speaks = (
        "none"
        if judged.speaks is None
        else f"[{judged.speaks[0]:.2g}, {judged.speaks[1]:.2g}]"
    )
    measured = "not measured" if needed is None else _interval(needed)
    vacuous = "; ".join(reason.text for reason in judged.vacuous) or "no"
    asked = (_shown(judged.printed), _repaired(judged))
    return (
        demand.claim,
        demand.sampling,
        held,
        *asked,
        measured,
        vacuous,
        speaks,
    )


def _repaired(judged: Answer) -> str:
    return (
        "; ".join(
            f"{_shown(x)} ({claim.split('.', 1)[1]})"
            for claim, x in judged.repaired.items()
        )
        or "-"
    )


def _interval(needed: Needed) -> str:
    """More than too_few, enough at most."""
    low = f"more than {needed.too_few}" if needed.too_few else ""
    high = (
        f"{needed.enough} enough"
        if needed.enough
        else f"{needed.sizes[-1]} not shown enough"
    )
    return ", ".join(filter(None, (low, high)))


# the question of `boundcheck plan`: how many features does each theorem demand for this eps, delta and lam?


def scene_of_numbers(
    n: int, d_K: float, lam: float | None, eps: float, delta: float
) -> Scene:
    """The scene of which only n and the effective dimension are known. Raises ValueError."""
    lam = lam or 1 / math.sqrt(n)
    AuditPlan(lam=lam, eps=eps, delta=delta)
    most = min(n, 1 / lam)
    if not 0 < d_K <= most:
        bound = (
            f"the effective dimension is at most min(n, 1 / lam) = {most:.6g}"
        )
        raise ValueError(f"With k(x, x) = 1 {bound}; {d_K:g} is not.")
    return Scene.at_worst(n, lam, d_K, eps, delta)


def demand_row(demand: Demand, scene: Scene, known: bool) -> tuple[str, ...]:
    """What a theorem asks for, under DEMANDED; hypotheses are judged where data are `known`, else told."""
    judged = judge_demand(demand, scene, ())
    marks = {
        text: " (fails)" if text in judged.unmet else " (holds)"
        for text in demand.hypotheses
        if known
    }
    told = (
        "; ".join(text + marks.get(text, "") for text in demand.hypotheses)
        or "-"
    )
    return (
        demand.claim,
        demand.sampling,
        _shown(judged.printed),
        _repaired(judged),
        told,
    )


def demand_setting(scene: Scene, known: bool) -> str:
    """The sentence above the table."""
    largest = "||K|| / n = 1, y^T K y / n^2 = 1 and Q = 1 / (4 lam), the largest there are"
    assumed = "" if known else f"; {largest}, stand for what is not known"
    return (
        f"Features that each theorem asks for at n = {scene.n}, lam = {scene.lam:.4g}, effective dimension"
        f" {scene.d_K:.4g}, eps = {scene.eps:g}, delta = {scene.delta:g}{assumed}."
    )


# as JSON, as Markdown and as a figure; the same audit gives the same bytes


SCHEMA = "boundcheck-audit-1"


def audit_json(audit: Audit) -> str:
    """One key a line; a number of features beyond the floats is null."""
    return key_a_line({
        "schema": SCHEMA, "data": audit.data, "target": audit.target, "rows": audit.rows,
        "inputs": audit.columns, "plan": asdict(audit.plan), "bandwidth": audit.sigma,
        "scene": asdict(audit.scene), "effective_dimension": audit.dimension,
        "spectrum_points": audit.spectrum_points, "rest": audit.rest,
        "conclusions": conclusions(audit),
        "theorems": [_theorem(judged) for judged in audit.theorems],
        "needed": [asdict(n) | {"too_few": n.too_few, "enough": n.enough} for n in audit.needed],
        "lams": audit.lams, "effective_dimensions": audit.dimensions,
        "features_at_lams": {j.demand.claim: s for j, s in zip(audit.theorems, audit.demands, strict=True)},
        "eigenvalues": audit.eigenvalues,
    })  # fmt: skip


def _theorem(judged: Answer) -> dict[str, Any]:
    demand = judged.demand
    return {
        "claim": demand.claim, "says": demand.says, "features": demand.sampling,
        "hypotheses": list(demand.hypotheses), "unmet": judged.unmet, "printed": judged.printed,
        "repaired": judged.repaired, "vacuous": [reason.text for reason in judged.vacuous],
        "speaks_for_lam": judged.speaks, "measured": demand.spectral,
    }  # fmt: skip


def audit_markdown(audit: Audit) -> str:
    """Title, conclusions, the table of theorems, what each says, and the trials."""
    lines = [
        f"# Audit: {prose(audit.data)}",
        "",
        *(f"- {prose(told)}" for told in conclusions(audit)),
        "",
    ]
    lines += markdown_table(
        COLUMNS, [map(prose, _row(judged, audit)) for judged in audit.theorems]
    )
    lines += ["", "What each theorem says:", ""]
    lines += [
        f"- `{j.demand.claim}`: {prose(j.demand.says)}" for j in audit.theorems
    ]
    for needed in audit.needed:
        lines += ["", f"## Trials with {needed.sampling} features", ""]
        intervals = (
            prose(f"[{low:.4f}, {high:.4f}]") for low, high in needed.intervals
        )
        rows = zip(
            needed.sizes, needed.fewest, needed.most, intervals, strict=True
        )
        lines += markdown_table(
            ("s", "failed, at least", "failed, at most", "P(fail), interval"),
            rows,
        )
    return "\n".join(lines) + "\n"


def plot(audit: Audit, path: str | Path) -> None:
    """Write the three panels to `path`. Raises ModuleNotFoundError without Matplotlib."""
    title = literal(f"{audit.data}, {audit.plan.kernel} kernel")
    draw([_spectrum(audit), _demands(audit), _failures(audit)], path, title)


def _spectrum(audit: Audit) -> Panel:
    at, lam = list(range(1, len(audit.eigenvalues) + 1)), audit.scene.lam
    line = Curve("lam", [at[0], at[-1]], [lam, lam], style="--")
    curves = [Curve("eigenvalues of K / n", at, audit.eigenvalues), line]
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
    curves = [
        Curve("\n= ".join(claims), lams, features, style=style)
        for (features, claims), style in asked
    ]
    curves.append(
        Curve(
            "effective dimension",
            lams,
            [high for _, high in audit.dimensions],
            style="k-.",
        )
    )
    curves.append(Curve("n", [min(lams), 1.0], [n, n], style="k:"))
    for needed, marker in zip(audit.needed, "*D", strict=False):
        if needed.enough:
            label, here = (
                f"enough, measured ({needed.sampling})",
                [audit.scene.lam],
            )
            curves.append(
                Curve(label, here, [needed.enough], style=f"k{marker}")
            )
    return Panel("features asked for", "lam", "features", curves, "xy")


def _failures(audit: Audit) -> Panel:
    curves = []
    for needed, style in zip(audit.needed, ("o-", "D--"), strict=False):
        rates = [most / needed.trials for most in needed.most]
        low, high = zip(*needed.intervals, strict=True)
        curves.append(
            Curve(needed.sampling, needed.sizes, rates, low, high, style=style)
        )
    ends = [
        size
        for needed in audit.needed
        for size in (needed.sizes[0], needed.sizes[-1])
    ] or [1]
    curves.append(
        Curve(
            "delta", [min(ends), max(ends)], [audit.plan.delta] * 2, style="k:"
        )
    )
    return Panel("missing eps, measured", "features", "probability", curves)
