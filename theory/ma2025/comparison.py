"""Figures 1 and 2, smaller: leverage weighted against plain features for RFLAF, by width, basis and grid.

    python -m theory.ma2025.comparison [DATA] [--target NAME] [--printed] [--reports reports]

p = N(0, I_d), inputs and labels standardised; 8 seeds, 80% intervals of Student's t. How it deviates from the
paper, and what it can and cannot decide, is in the report.
"""

import json
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import numpy as np

from boundcheck.commands import shell
from boundcheck.features.data import Sample, load
from boundcheck.report import file_name
from boundcheck.report.findings import Curve, Panel, draw

from .rflaf import Basis, Features, Floats, fit, leverage_distribution

CONFIGURATIONS = (("RBF", 16), ("B-spline", 16), ("RBF", 32), ("RBF", 64))
WIDTHS = (10, 30, 100, 300)
POOL = 800
SEEDS = 8
LAM = 1e-5
LAM_STARS = (1e-6, 1e-5, 1e-4)
TRAIN, HELD_OUT = 10_000, 5000
T_80 = 1.415
"""The 90% quantile of Student's t with SEEDS - 1 degrees of freedom."""
SCHEMES = ("plain", "weighted")


@dataclass(frozen=True, eq=False)
class Parts:
    """Standardised training, validation and test sets, each (X, y)."""

    train: tuple[Floats, Floats]
    valid: tuple[Floats, Floats]
    test: tuple[Floats, Floats]

    @classmethod
    def of(cls, data: Sample, seed: int) -> "Parts":
        n = len(data.y)
        train, rest = data.split(min(TRAIN, n // 2), seed)
        X, y = (np.concatenate(pair) for pair in ((train.X, rest.X), (train.y, rest.y)))
        m = len(train.y)
        X = (X - X[:m].mean(axis=0)) / np.where(X[:m].std(axis=0) > 0, X[:m].std(axis=0), 1)
        y = (y - y[:m].mean()) / (y[:m].std() or 1)
        k = min(HELD_OUT, (n - m) // 2)
        return cls((X[:m], y[:m]), (X[m : m + k], y[m : m + k]), (X[m + k : m + 2 * k], y[m + k : m + 2 * k]))


@dataclass(frozen=True, eq=False)
class Start:
    """What a seed fixes besides the split: the generator and the activation that both schemes start from."""

    basis: Basis
    a: Floats
    rng: np.random.Generator


def error_of(parts: Parts, start: Start, W: Floats, Q: Floats, share: float = 1) -> float:
    """Mean squared test error, over the variance of the labels, of the model that is best on the validation
    set; the ridges are `share` times lam*.
    """
    train, valid, test = (
        Features.of(start.basis, X, W, Q) for X, _ in (parts.train, parts.valid, parts.test)
    )

    def errors(lam: float) -> tuple[float, float]:
        a, v = fit(train, parts.train[1], start.a, lam)
        return tuple(
            float(np.mean((f.matrix(a) @ v - y) ** 2))
            for f, (_, y) in ((valid, parts.valid), (test, parts.test))
        )  # type: ignore[return-value]

    return min(errors(share * lam) for lam in LAM_STARS)[1]


def one_seed(data: Sample, kind: str, N: int, seed: int, printed: bool = False) -> Floats:
    """Test errors, schemes x widths.

    Weights 1 / sqrt(q), as printed, make the kernel POOL times too large, so that a ridge acts as its POOL-th
    part; `fit` takes the scale out of the features, so that it is the ridge that is divided.
    """
    parts, rng = Parts.of(data, seed), np.random.Generator(np.random.Philox(seed))
    d = parts.train[0].shape[1]
    start = Start(Basis.make(kind, N, 2 * np.sqrt(d)), np.maximum(np.linspace(-1, 1, N), 0), rng)
    pool = rng.standard_normal((d, POOL))
    features = Features.of(start.basis, parts.train[0], pool, np.ones(POOL))
    q = leverage_distribution(features.matrix(fit(features, parts.train[1], start.a, LAM)[0]), LAM)
    result = np.empty((2, len(WIDTHS)))
    for j, S in enumerate(WIDTHS):
        drawn = rng.choice(POOL, S, p=q)
        result[0, j] = error_of(parts, start, rng.standard_normal((d, S)), np.ones(S))
        Q, share = 1 / np.sqrt(POOL * q[drawn]), 1 / POOL if printed else 1
        result[1, j] = error_of(parts, start, pool[:, drawn], Q, share)
    return result


def interval(x: Floats) -> tuple[float, float]:
    """Mean over seeds (axis 0) and half the width of its 80% interval."""
    return float(np.mean(x)), float(T_80 * np.std(x, ddof=1) / np.sqrt(len(x)))


def run(data: Sample, printed: bool = False) -> list[dict]:
    """A row for each configuration and width: errors of both schemes, and plain minus weighted for equal
    seeds.
    """
    rows = []
    for kind, N in CONFIGURATIONS:
        errors = np.array([one_seed(data, kind, N, seed, printed) for seed in range(SEEDS)])
        for j, S in enumerate(WIDTHS):
            plain, weighted = errors[:, 0, j], errors[:, 1, j]
            cells = {
                "plain": interval(plain),
                "weighted": interval(weighted),
                "gain": interval(plain - weighted),
            }
            rows.append({"basis": kind, "N": N, "S": S, **cells})
        print(f"{kind}, N = {N}: done", file=sys.stderr, flush=True)
    return rows


def conclusions(rows: list[dict]) -> list[str]:
    """Sentences made of the numbers."""
    better = sum(r["gain"][0] > r["gain"][1] for r in rows)
    worse = sum(r["gain"][0] < -r["gain"][1] for r in rows)
    narrow = [r for r in rows if r["S"] == WIDTHS[2]]
    wide = [r for r in rows if r["S"] == WIDTHS[3]]
    reached, plainly = (
        sum(n[scheme][0] <= w["plain"][0] for n, w in zip(narrow, wide, strict=True))
        for scheme in ("weighted", "plain")
    )
    return [
        does_width_matter(rows),
        f"Of {len(rows)} pairs, weighted features have the lower test error in {better}, plain ones in "
        f"{worse}, and the 80% interval of the difference contains 0 in {len(rows) - better - worse}. The "
        "paper: weighted features always have the lower test loss.",
        f"{WIDTHS[2]} weighted features are at least as good as {WIDTHS[3]} plain ones in {reached} of "
        f"{len(narrow)} configurations, {WIDTHS[2]} plain ones in {plainly}.",
        by_width(rows),
    ]


def does_width_matter(rows: list[dict]) -> str:
    """Whether the run can decide 'fewer features': that needs a test error that falls with S by more than its
    intervals.
    """
    least, most = ([r["plain"] for r in rows if r["S"] == S] for S in (WIDTHS[0], WIDTHS[-1]))
    falls = [a[0] - b[0] for a, b in zip(least, most, strict=True)]
    sure = sum(fall > a[1] + b[1] for fall, a, b in zip(falls, least, most, strict=True))
    range_ = (
        f"from S = {WIDTHS[0]} to {WIDTHS[-1]} the test error of plain features falls by {min(falls):.2f} to "
        f"{max(falls):.2f}"
    )
    if sure == len(falls):
        return (
            f"**S matters here**: {range_} of the variance of the labels, so that the run can tell whether "
            "fewer features do."
        )
    return (
        f"**This run cannot decide whether fewer features do**: {range_} of the variance of the labels, more "
        f"than the intervals in {sure} of {len(falls)} configurations only."
    )


def by_width(rows: list[dict]) -> str:
    """The mean gain at each width, over the configurations."""
    gains = [(S, np.mean([r["gain"][0] for r in rows if r["S"] == S])) for S in WIDTHS]
    return (
        "Plain minus weighted, mean over configurations: "
        + ", ".join(f"{gain:+.3f} at S = {S}" for S, gain in gains)
        + "."
    )


def deviations(printed: bool = False) -> str:
    """How the run differs from the paper's, and what it therefore says nothing about."""
    weights = (
        "weights 1 / sqrt(q), as line 5 of Algorithm 1 prints them, which amount to unbiased ones with lam* over "
        "the size of the pool"
        if printed
        else "weights 1 / sqrt(s q), which are unbiased, where line 5 of Algorithm 1 prints 1 / sqrt(q)"
    )
    return (
        f"Unlike the paper: alternating ridge regressions in place of SGD; a pool of {POOL} features (paper: "
        f"3000 or 5000), widths {WIDTHS[0]} to {WIDTHS[-1]} (paper: 30 to 1000), at most {TRAIN} training "
        f"points; lam = {LAM:g} for the scores, and lam* for each scheme and width the best of "
        f"{', '.join(f'{x:g}' for x in LAM_STARS)} on a validation set (neither is given in the paper); "
        f"{weights}. It says "
        "nothing about SGD, about classification, or about the times that the paper reports."
    )


def markdown(name: str, rows: list[dict], printed: bool = False) -> str:
    head = "| basis | N | S | plain | weighted | plain - weighted |\n| --- | --- | --- | --- | --- | --- |\n"
    cells = ("plain", "weighted", "gain")
    lines = [
        f"| {r['basis']} | {r['N']} | {r['S']} | "
        + " | ".join(f"{r[c][0]:.4f} ± {r[c][1]:.4f}" for c in cells)
        + " |"
        for r in rows
    ]
    size = f"Test error over variance, {SEEDS} seeds, 80% intervals of Student's t."
    parts = [
        f"# Ma et al. 2025, Figures 1 and 2, on {name}",
        *conclusions(rows),
        deviations(printed),
        size,
        head + "\n".join(lines),
    ]
    return "\n\n".join(parts) + "\n"


def panels(rows: list[dict]) -> list[Panel]:
    def curve(scheme: str, chosen: list[dict]) -> Curve:
        mean, half = np.array([r[scheme] for r in chosen]).T
        return Curve(
            scheme, [r["S"] for r in chosen], mean.tolist(), (mean - half).tolist(), (mean + half).tolist()
        )

    parts = {c: [r for r in rows if (r["basis"], r["N"]) == c] for c in CONFIGURATIONS}
    return [
        Panel(f"{kind}, N = {N}", "S", "test error", [curve(s, part) for s in SCHEMES], "x")
        for (kind, N), part in parts.items()
    ]


@shell.command(help=(__doc__ or "").partition("\n\n")[0])
@shell.data()
@shell.target
@click.option("--printed", is_flag=True, help="Weights 1 / sqrt(q), as printed.")
@shell.reports
def main(data: str, target: str | None, printed: bool, reports: Path) -> None:
    loaded = load(data, target)
    name, rows = loaded.name, run(loaded, printed)
    texts = {".md": markdown(name, rows, printed), ".json": json.dumps({"data": name, "rows": rows}, indent=1)}
    figure = partial(draw, panels(rows), title=f"Ma et al. 2025 on {name}")
    stem = f"ma2025-comparison-{file_name(name)}" + ("-printed" if printed else "")
    shell.write_reports(reports, stem, texts, figure)
    print("\n".join(conclusions(rows)))


if __name__ == "__main__":
    main()
