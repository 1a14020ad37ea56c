"""Table 10, scaled down: a target made of features around four modes, learnt by plain and by resampled features."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.report.findings import Curve, Finding, Panel

from ..experiment import record
from .sampling import features, fit, frequencies, resampled, rmse, spread

TARGET, NOISE, TEST = 400, 0.1, 1000
WIDTHS, RIDGES = (0.25, 0.5, 1.0), (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs from N(0, 5 I) and noise-free targets of deviation 1, made of TARGET features around the modes
    (+-2, +-2).
    """
    X = rng.normal(size=(n, 2)) * np.sqrt(5)
    W = 2 * rng.choice([-1, 1], (TARGET, 2)) + np.sqrt(0.5) * rng.normal(size=(TARGET, 2))
    f = features(X, (W / (2 * np.pi), rng.random(TARGET))) @ rng.normal(size=TARGET) / np.sqrt(TARGET)
    return X, f


def best_errors(rng: np.random.Generator, n: int, s: int, pool: int) -> tuple[float, float, float]:
    """RMSE against the noise-free targets of s plain, s resampled and all `pool` plain features, each at its
    best width and ridge.
    """
    X, f = sample(rng, n + TEST)
    y, test, found = f[:n] + NOISE * rng.normal(size=n), f[n:], []
    for width in WIDTHS:
        Z = features(X, frequencies(rng, pool, 2, width))
        for lam in RIDGES:
            index, weights = resampled(rng, Z[:n], s, lam)
            choices = (Z[:, :s], Z[:, index] * weights, Z)
            found.append([rmse(A[n:] @ fit(A[:n], y, lam) - test) for A in choices])
    a, b, c = np.min(found, axis=0)
    return float(a), float(b), float(c)


@shell.command(help=__doc__)
@click.option("--points", "n", default=2000, help="Training points (the paper: 50000).")
@click.option("--features", "s", default=200, help="Features kept (the paper: 1000).")
@click.option("--pool", default=800, help="Features of the pool (the paper: 10000).")
@click.option("--repeats", default=5)
@shell.reports
def main(n: int, s: int, pool: int, repeats: int, reports: Path) -> None:
    if not (0 < s < pool and n > 0 and repeats > 1):
        raise Refused("Ask for fewer features than the pool has, at least one point and two repeats.")
    found = np.array([best_errors(np.random.default_rng(repeat), n, s, pool) for repeat in range(repeats)])
    names = (f"plain, {s}", f"leverage weighted, {s} of {pool}", f"plain, {pool}")
    rows = [(name, *spread(list(column))) for name, column in zip(names, found.T, strict=True)]
    remark = (
        f"Leverage weighted features have {rows[1][1] / rows[0][1]:.2f} times the median error of as many "
        f"plain ones, and {rows[1][1] / rows[2][1]:.2f} times that of the whole pool (paper, of means: 0.31 "
        f"and 1.0). The targets have deviation 1, the noise {NOISE}; errors are against the noise-free "
        "targets, as an error of 0.04 against noisy ones is below the noise."
    )
    title = f"Li et al. (2021), Table 10: {n} points, {repeats} repeats"
    curves = [
        Curve(name, range(repeats), list(column), style="o-")
        for name, column in zip(names, found.T, strict=True)
    ]
    finding = Finding(title, ("features", "median RMSE", "least", "largest"), rows, remark)
    record(reports, "li2021-synthetic", finding, [Panel("", "repeat", "RMSE", curves, "y")])


if __name__ == "__main__":
    main()
