"""Figure 1: the excess risk of ridge regression with spline features, against n, where the risk is exact by
Fourier coefficients.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.report.findings import Curve, Finding, Panel

from ..experiment import record, slope
from .lemma22 import enough_features
from .sampling import fit

TERMS, SIGMA, X_0, DELTA = 64, 0.5, 0.3, 0.1
CASES = ((1, 1), (1, 2), (2, 2), (2, 4), (3, 3))
EXPONENTS = (1 / 2, 1 / 3)


def basis(x: np.ndarray) -> np.ndarray:
    """1, sqrt(2) cos(2 pi m x) and sqrt(2) sin(2 pi m x), m <= TERMS: orthonormal on [0, 1];
    (n, 2 TERMS + 1).
    """
    angles = 2 * np.pi * np.outer(x, np.arange(1, TERMS + 1))
    return np.hstack([np.ones((len(x), 1)), np.sqrt(2) * np.cos(angles), np.sqrt(2) * np.sin(angles)])


def coefficients(v: np.ndarray, r: int, repaired: bool) -> np.ndarray:
    """Coefficients (2 TERMS + 1, s) of k_r(v, .), or of the features 1 + sqrt(2) (k_r(v, .) - 1), in the
    basis.
    """
    m = np.arange(1, TERMS + 1.0) ** -r / (1 if repaired else np.sqrt(2))
    scale = np.concatenate([[1.0], m / np.sqrt(2), m / np.sqrt(2)])
    return (basis(v) * scale).T


def effective_dimension(r: int, lam: float) -> float:
    """Of k_2r: the eigenvalues are 1 and m^(-2 r) / 2, twice each."""
    m = np.arange(1, TERMS + 1.0) ** (-2 * r) / 2
    return float(1 / (1 + lam) + 2 * np.sum(m / (m + lam)))


def excess_risk(rng: np.random.Generator, n: int, lam: float, r: int, t: int) -> tuple[float, int]:
    """||ftilde - f||^2 on one sample, f = k_t(., x_0), and the number of features, that of Corollary 10."""
    d = effective_dimension(r, lam)
    s = int(np.ceil(enough_features(d, d, DELTA)))
    f, C = (
        coefficients(np.array([X_0]), t, repaired=False)[:, 0],
        coefficients(rng.random(s), r, repaired=True),
    )
    Phi = basis(rng.random(n))
    beta = fit(Phi @ C, Phi @ f + SIGMA * rng.normal(size=n), lam)
    return float(np.sum((C @ beta - f) ** 2)), s


def table(sizes: tuple[int, ...], repeats: int) -> list[tuple[int, int, float, int, int, float]]:
    """Rows: r, t, the exponent of lam = n^-e, n, s, and the mean excess risk."""
    rng, rows = np.random.default_rng(2021), []
    for r, t in CASES:
        for e in EXPONENTS:
            for n in sizes:
                found = [excess_risk(rng, n, n**-e, r, t) for _ in range(repeats)]
                rows.append((r, t, e, n, found[0][1], float(np.mean([risk for risk, _ in found]))))
    return rows


def curve(rows: list, r: int, t: int, e: float) -> Curve:
    """Excess risk against n."""
    x, y = zip(*[(row[3], row[5]) for row in rows if row[:3] == (r, t, e)], strict=True)
    return Curve(f"r = {r}, t = {t}: slope {slope(x, y):.2f}", x, y, style="o-")


def remark(rows: list) -> str:
    """The sentence of the slopes."""
    parts = []
    for e in EXPONENTS:
        found = {(r, t): slope(c.x, c.y) for r, t in CASES for c in [curve(rows, r, t, e)]}
        inside, outside = (
            [found[r, t] for r, t in CASES if (t > r + 1 / 2) == wanted] for wanted in (True, False)
        )
        parts.append(
            f"lam = n^-{e:.3g}: slopes {min(inside):.2f} to {max(inside):.2f} where f lies in the space of "
            f"the kernel (t > r + 1/2), as Assumption 1 wants, {min(outside):.2f} to {max(outside):.2f} "
            "where its norm grows with the number of terms"
        )
    return ". ".join(parts) + ". A steeper slope than that of lam means that the bound is not tight there."


@shell.command(help=__doc__)
@click.option("--sizes", type=shell.Sizes(), default="128,256,512,1024,2048")
@click.option("--repeats", default=10)
@shell.reports
def main(sizes: tuple[int, ...], repeats: int, reports: Path) -> None:
    if len(sizes) < 2 or repeats < 1:
        raise Refused("A slope takes two sizes and one repeat at least; ask for more.")
    rows = table(sizes, repeats)
    panels = [
        Panel(f"lam = n^-{e:.3g}", "n", "excess risk", [curve(rows, r, t, e) for r, t in CASES], "xy")
        for e in EXPONENTS
    ]
    title = f"Li et al. (2021), Figure 1: spline kernels, {repeats} repeats"
    finding = Finding(title, ("r", "t", "e", "n", "s", "excess risk"), rows, remark(rows))
    record(reports, "li2021-spline_simulation", finding, panels)


if __name__ == "__main__":
    main()
