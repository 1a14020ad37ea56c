"""Curves: both sides of a claim in floats as a parameter of an instance varies; rates of a sweep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck.checking.observe import TOUCH, Observation, observe
from boundcheck.domains import Raw
from boundcheck.domains.chart import FIXED, Chart
from boundcheck.domains.in_words import instance_in_words
from boundcheck.domains.instances import draw_instances, leaves, replaced
from boundcheck.laws import at_most_atoms
from boundcheck.report.document import Plot, Series
from boundcheck.report.reading import CannotRead, brief, misfit, parsed
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, Question

POINTS = 17
ATOMS = 2_000
MOST_ENTRIES = 100_000
"""Array entries that one look may touch; a claim that needs more has no curves."""

MOST_SCANS = 3
FIRST = ("delta", "t", "eps", "lam")
"""Parameters that are looked at before the others."""

OUTSIDE, VACUOUS, HOLDS, VIOLATED = range(4)
"""The values of a vacuity map."""


@dataclass(frozen=True)
class _CurvePoint:
    """The statement at one value of what varies: the part that the curves follow, if it has a value."""

    x: float
    seen: Observation | None

    @property
    def state(self) -> int:
        if self.seen is None:
            return OUTSIDE
        return (
            VACUOUS
            if self.seen.vacuous
            else VIOLATED
            if self.seen.score > TOUCH
            else HOLDS
        )


@dataclass(frozen=True)
class Scan:
    """What varies, where the instance is, and what was seen along the way."""

    name: str
    here: float
    log: bool
    looks: list[_CurvePoint]


def curves(claim: Claim, instance: Raw | None) -> tuple[Plot, ...]:
    """The curves around an instance, or around a tight one of a few drawn; none where something fails."""
    try:
        with (
            threadpool_limits(1),
            np.errstate(all="ignore"),
            at_most_atoms(ATOMS),
        ):
            return _curves(claim, instance)
    except (
        Exception
    ):  # A plot is worth no verdict: whatever goes wrong in it stays here.
        return ()


def _curves(claim: Claim, instance: Raw | None) -> tuple[Plot, ...]:
    raw = instance or _tight(claim)
    first = None if raw is None else _part(claim, raw, None)
    if raw is None or first is None or first.work > MOST_ENTRIES:
        return ()
    part = first.part
    scans = [
        _scan(claim, raw, part, leaf)
        for leaf in _scalars(claim, raw)[:MOST_SCANS]
    ]
    chance = first.kind == "probability"
    found = [
        _failure(scans, first) if chance else None,
        _threshold(claim, raw, first),
        _vacuity(scans),
    ]
    if not chance and found[1] is None:
        found[1] = _slack(scans)
    at = instance_in_words(claim.parameters, raw)
    return tuple(
        Plot(**{**curve, "at": at}) for curve in found if curve is not None
    )


def _tight(claim: Claim) -> Raw | None:
    """The tightest of a few drawn instances, one on which the statement says something before all others."""
    drawn = enumerate(draw_instances(claim.parameters, 6, 0))
    seen = [(o, k, raw) for k, raw in drawn if (o := _part(claim, raw, None))]
    rated = [(not o.vacuous, round(o.guide, 6), k, raw) for o, k, raw in seen]
    rated = [entry for entry in rated if entry[1] > -np.inf]
    return max(rated)[-1] if rated else None


def _part(
    claim: Claim, raw: Raw, part: int | None, question: Question = AS_PRINTED
) -> Observation | None:
    """One part of the statement, by default the worst one; None where floats alone do not evaluate it."""
    seen = observe(claim, raw, question)
    seen = seen if isinstance(seen, list) else []
    usable = [o for o in seen if o.pending is None and not np.isnan(o.score)]
    usable = usable if part is None else [o for o in usable if o.part == part]
    return (
        max(usable, key=lambda o: (not o.vacuous, o.score)) if usable else None
    )


def _scalars(claim: Claim, raw: Raw) -> list[tuple[Any, float, Chart]]:
    """The numbers of an instance that may move, the interesting ones first."""
    named = (
        entry
        for entry in leaves(claim.parameters, raw)
        if isinstance(entry[0][-1], str)
    )
    numbers = (
        e
        for e in named
        if isinstance(e[1], (int, float)) and not isinstance(e[1], bool)
    )
    found = [entry for entry in numbers if entry[2] is not FIXED]
    return sorted(
        found,
        key=lambda entry: (
            FIRST.index(entry[0][-1]) if entry[0][-1] in FIRST else len(FIRST)
        ),
    )


def _scan(
    claim: Claim, raw: Raw, part: int, leaf: tuple[Any, float, Chart]
) -> Scan:
    path, here, chart = leaf
    grid = _grid(here, chart)
    looks = [
        _CurvePoint(x, _part(claim, replaced(raw, path, x), part)) for x in grid
    ]
    return Scan(".".join(path), here, chart.low >= 0, looks)


def _grid(here: float, chart: Chart) -> list[float]:
    """Values around `here`: two decades to each side within the range, a factor 8 for whole numbers."""
    reach = np.log(8) if isinstance(here, int) else np.log(100)
    free = chart.free(np.array(float(here)))
    values = chart.bound(free + np.linspace(-reach, reach, POINTS)).tolist()
    values[POINTS // 2] = here
    return sorted(
        {max(1, round(x)) if isinstance(here, int) else x for x in values}
    )


def _failure(scans: list[Scan], first: Observation) -> Plot | None:
    """The failure probability against the one allowed, along the first parameter that moves the latter."""
    for scan in scans:
        seen = sorted({(o.rhs, o.lhs) for o in _seen(scan) if 0 < o.rhs < 1})
        if len({rhs for rhs, _ in seen}) >= POINTS // 3:
            x = [rhs for rhs, _ in seen]
            failure = _series(
                "failure probability",
                x,
                [lhs if lhs > 0 else None for _, lhs in seen],
            )
            title, series = (
                f"Failure probability as {scan.name} varies",
                [failure, _series("allowed", x, x)],
            )
            return _curve(
                "failure",
                title,
                "allowed",
                "probability",
                "xy",
                first.rhs,
                series,
            )
    return None


def _threshold(claim: Claim, raw: Raw, first: Observation) -> Plot | None:
    """How far the threshold of an `at_least` can move before the statement fails; None if there is none."""
    factors = np.geomspace(1 / 8, 8, 13).tolist()
    looks = [
        _CurvePoint(f, _part(claim, raw, first.part, Question("", slack=f)))
        for f in factors
    ]
    scan = Scan("multiple of the threshold asked for", 1.0, True, looks)
    return (
        _ratios(scan, "How sharp the threshold is") if _varies(looks) else None
    )


def _slack(scans: list[Scan]) -> Plot | None:
    """Left side over right side along the parameter that moves it most."""
    scans = [scan for scan in scans if _varies(scan.looks)]
    if not scans:
        return None
    scan = max(scans, key=lambda scan: np.ptp([o.score for o in _seen(scan)]))
    return _ratios(scan, f"Slack as {scan.name} varies")


def _ratios(scan: Scan, title: str) -> Plot:
    """Left side over right side, or their relative gap where a ratio makes no sense."""
    ratios = all(
        o.relation in ("at_most", "ge", "le") and o.lhs > 0 and o.rhs > 0
        for o in _seen(scan)
    )
    x = [look.x for look in scan.looks]
    y = [
        look.seen and (look.seen.tightness if ratios else look.seen.score)
        for look in scan.looks
    ]
    series = [
        _series("observed", x, y),
        _series("violated above", x, [1.0 if ratios else 0.0] * len(x)),
    ]
    log = ("x" if scan.log else "") + ("y" if ratios else "")
    ylabel = (
        "left side / right side"
        if ratios
        else "relative excess of the left side"
    )
    return _curve("slack", title, scan.name, ylabel, log, scan.here, series)


def _varies(looks: list[_CurvePoint]) -> bool:
    scores = [look.seen.score for look in looks if look.seen is not None]
    return (
        len(scores) >= 5
        and max(scores) - min(scores) > 1e-6
        and min(scores) > -500
    )


def _vacuity(scans: list[Scan]) -> Plot | None:
    """Where the statement says something: a row for each parameter."""
    looks = [(scan.name, scan.looks) for scan in scans]
    series = [
        _series(name, [k.x for k in seen], [float(k.state) for k in seen])
        for name, seen in looks
    ]
    title = "Where the statement says something"
    return (
        _curve("vacuity", title, "", "", "", None, series) if series else None
    )


def _seen(scan: Scan) -> Iterator[Observation]:
    return (look.seen for look in scan.looks if look.seen is not None)


def _curve(
    kind: str,
    title: str,
    xlabel: str,
    ylabel: str,
    log: str,
    marker: float | None,
    series: list[Series],
) -> Plot:
    marker = None if marker is None else _rounded(marker)
    return Plot(
        kind=kind,
        title=title,
        xlabel=xlabel,
        ylabel=ylabel,
        log=log,
        marker=marker,
        series=series,
    )


def _series(label: str, x: list[Any], y: list[Any]) -> Series:
    return Series(
        label=label, x=[_rounded(v) for v in x], y=[_rounded(v) for v in y]
    )


def _rounded(value: float | None) -> float | None:
    """Four digits: enough for a plot, and the same on every machine that rounds nearly alike."""
    return (
        None
        if value is None or not np.isfinite(value)
        else float(f"{value:.4g}")
    )


# rates that a sweep measured on data: error against number of features, with bands and 1/s


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
            "properties": {
                "kernel": {"type": "string"},
                "ridges": NUMBERS,
                "sizes": NUMBERS,
            },
        },
        "scalings": {"type": "array", "items": {"type": "string"}},
        "mse": {"type": "array"},
    },
}


def rates(path: Path) -> list[Plot]:
    """A plot for each ridge of a sweep: mean over repeats, band of eight in ten. Raises CannotRead."""
    try:
        sweep = parsed(path.read_text(encoding="utf-8"))
        wrong = misfit(sweep, SHAPE)
        if wrong:
            raise ValueError(wrong)
        return _rates(sweep)
    except FileNotFoundError:
        raise CannotRead(
            f"There is no sweep {path}; run `boundcheck sweep` first."
        ) from None
    except (
        OSError,
        ValueError,
        TypeError,
        OverflowError,
        RecursionError,
        MemoryError,
    ) as error:
        wrong = f"{path} is not the JSON of a sweep ({brief(error)})"
        raise CannotRead(f"{wrong}; run `boundcheck sweep` again.") from None


def _rates(sweep: dict[str, Any]) -> list[Plot]:
    """One for each ridge, with a line for each scaling of the features."""
    plan, scalings = sweep["plan"], sweep["scalings"]
    mse = np.array(sweep["mse"], dtype=float)
    ridges, sizes = plan["ridges"], plan["sizes"]
    if (
        mse.ndim != 4
        or mse.shape[1:] != (len(ridges), len(sizes), len(scalings))
        or not mse.size
    ):
        raise ValueError(
            "mse has not the shape repeats x ridges x sizes x scalings"
        )
    title = f"{sweep['data']}, {plan['kernel']} kernel, lam = "
    return [
        _rate(f"{title}{ridge:g}/sqrt(n)", sizes, mse[:, j], scalings)
        for j, ridge in enumerate(ridges)
    ]


def _rate(
    title: str, sizes: list[float], mse: np.ndarray, scalings: list[str]
) -> Plot:
    means, (low, high) = mse.mean(axis=0), np.quantile(mse, BAND, axis=0)
    series = [
        Series(
            label=label,
            x=sizes,
            y=_list(means[:, c]),
            low=_list(low[:, c]),
            high=_list(high[:, c]),
        )
        for c, label in enumerate(scalings)
    ]
    line = Series(
        label="1/s from the first size",
        x=sizes,
        y=_list(means[0, 0] * sizes[0] / np.array(sizes)),
    )
    return Plot(
        kind="rate",
        title=title,
        xlabel="number of features s",
        ylabel="mean squared gap",
        log="xy",
        marker=None,
        series=[*series, line],
    )


def _list(values: np.ndarray) -> list[float]:
    return [float(f"{v:.4g}") for v in values.tolist()]
