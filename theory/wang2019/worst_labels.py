"""Theorem 2 in dimensions 2, 3, 5, 10 and 50: the gap at the worst labels found, over the right-hand side of (9)
without its constant.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.report.findings import Curve, Finding, Panel

from ..experiment import record, slope

DIMENSIONS = (2, 3, 5, 10, 50)
LEADING, DRAWS = 24, 40
"""Labels are sought among the leading eigenvectors of K, all of them for n <= LEADING."""


def sphere(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """n points uniform on the unit sphere of R^d."""
    X = rng.normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def leading_eigenvectors(rng: np.random.Generator, K: np.ndarray) -> np.ndarray:
    """Leading eigenvectors of K, roughly, by subspace iteration; any subspace makes the ratio below an upper
    bound.
    """
    U = np.linalg.qr(rng.normal(size=(len(K), min(LEADING, len(K)))))[0]
    for _ in range(6):
        U = np.linalg.qr(K @ U)[0]
    return U


def mean_form(
    rng: np.random.Generator, X: np.ndarray, K: np.ndarray, U: np.ndarray, s: int, lam: float
) -> np.ndarray:
    """Mean over DRAWS of s sign features of n E_x' theta theta^T, (25), as a form on the columns of U."""
    n, d = X.shape
    KU, total = K @ U, np.zeros((U.shape[1],) * 2)
    for _ in range(DRAWS):
        Psi = np.sign(X @ rng.normal(size=(d, s))) / np.sqrt(s)
        R = Psi @ (Psi.T @ U) - KU
        R = R - Psi @ np.linalg.solve(Psi.T @ Psi + n * lam * np.eye(s), Psi.T @ R)
        total += R.T @ R
    return total / DRAWS


def least_ratio(n: int, d: int, seed: int = 0) -> tuple[int, float, float]:
    """s, lam and the gap over (1 / s) ||(K - K^2 / n)^(1/2) alpha||^2 at the worst labels found, with
    lam = 1 / sqrt(n), s = ceil(sqrt(n)).

    The labels are chosen with half of the draws and judged with the other half.
    """
    rng = np.random.default_rng([seed, n, d])
    s, lam, X = int(np.ceil(np.sqrt(n))), 1 / np.sqrt(n), sphere(rng, n, d)
    K = 2 / np.pi * np.arcsin(np.clip(X @ X.T, -1, 1))
    U = leading_eigenvectors(rng, K)
    KU = K @ U
    lower = U.T @ KU - KU.T @ KU / n
    half = np.linalg.inv(np.linalg.cholesky((lower + lower.T) / 2))
    choose, judge = (half @ mean_form(rng, X, K, U, s, lam) @ half.T for _ in range(2))
    worst = np.linalg.eigh(choose)[1][:, 0]
    return s, lam, float(s / n * (worst @ judge @ worst))


def table(sizes: tuple[int, ...]) -> list[tuple]:
    """Rows: d, n, s, s lam, the least ratio found, the constant of the proof, and that of thm2.repaired."""
    rows = []
    for d in DIMENSIONS:
        for n in sizes:
            s, lam, ratio = least_ratio(n, d)
            rows.append((d, n, s, s * lam, ratio, (s * lam / (1 + s * lam)) ** 2, (lam / (1 + lam)) ** 2))
    return rows


def remark(rows: list[tuple]) -> str:
    """The sentence of the table."""
    below = [d for d in DIMENSIONS if any(row[0] == d and row[4] < row[5] for row in rows)]
    sizes = sorted({row[1] for row in rows})
    ratios = {d: [row[4] / row[5] for row in rows if row[0] == d] for d in DIMENSIONS}
    worst = min(ratios, key=lambda d: ratios[d][-1])
    slopes = ", ".join(f"{slope(sizes, ratios[d]):.2f} (d = {d})" for d in DIMENSIONS)
    return (
        "The worst labels found have a gap below the constant of the proof in dimension "
        f"{', '.join(map(str, below)) or 'none'}; at n = {sizes[-1]} it is {ratios[worst][-1]:.3g} times "
        f"that constant for d = {worst}. The slope of the ratio against n, on logarithmic scales, is "
        f"{slopes}. The gap is below the repaired constant in {sum(row[4] < row[6] for row in rows)} of "
        f"{len(rows)} cases."
    )


@shell.command(help=__doc__)
@click.option("--sizes", type=shell.Sizes(), default="64,256,1024,4096", help="Numbers of points.")
@shell.reports
def main(sizes: tuple[int, ...], reports: Path) -> None:
    if min(sizes) < 2 or len(sizes) < 2:
        raise Refused("A slope takes two sizes, each of two points or more; ask for more.")
    rows = table(sizes)
    curves = [
        Curve(f"d = {d}", sizes, [row[4] / row[5] for row in rows if row[0] == d], style="o-")
        for d in DIMENSIONS
    ]
    columns = ("d", "n", "s", "s lam", "least ratio", "constant of the proof", "repaired constant")
    title = "Wang (2019), Theorem 2: the worst labels, lam = 1 / sqrt(n), s = sqrt(n)"
    finding = Finding(title, columns, rows, remark(rows))
    panel = Panel("worst labels", "n", "ratio / constant of the proof", curves, "xy")
    record(reports, "wang2019-worst_labels", finding, [panel])


if __name__ == "__main__":
    main()
