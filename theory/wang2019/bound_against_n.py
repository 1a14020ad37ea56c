"""Figures 3 and 4: the bound (31) over the mean squared gap, against the number of training points,
for s = 100 features.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.features.data import Sample, load
from boundcheck.features.kernels import kernel_named
from boundcheck.features.ridge import Problem, feature_predictions, kernel_ridge
from boundcheck.report.findings import Curve, Finding, Panel

from ..experiment import record, slope

FEATURES, DRAWS, RIDGES = 100, 5, (0.2, 1.0, 5.0)
TITLES = {"gaussian": "Figure 3 (RBF)", "laplace": "Figure 4 (Laplace)"}


def problem(data: Sample, kernel: str, n: int, subset: int) -> Problem:
    """n training points and up to n others to test on, the bandwidth as in Section 6.1 from the training points."""
    train, test = data.split(n, subset)
    family = kernel_named(kernel)
    return Problem(train.X, train.y, test.X[:n], family(family.typical_bandwidth(train.X)))


def ratios(data: Sample, kernel: str, n: int, subset: int) -> np.ndarray:
    """Bound / MSE for each ridge c / sqrt(n) on one subset; the MSE is the mean over the test points and
    DRAWS draws of features.
    """
    case, lams = problem(data, kernel, n, subset), np.array(RIDGES) / np.sqrt(n)
    KRR, energy = kernel_ridge(case, lams)
    draws = [case.features(FEATURES, subset, draw) for draw in range(DRAWS)]
    gaps = [feature_predictions(case, features, (FEATURES,), lams)[0] - KRR for features in draws]
    return energy / FEATURES / np.mean(np.square(gaps), axis=(0, 1))


def table(
    data: Sample, sizes: tuple[int, ...], subsets: int
) -> list[tuple[str, float, int, float, float, float]]:
    """Rows: kernel, c, n, and the least, median and largest ratio over the subsets."""
    rows = []
    for kernel in TITLES:
        for n in sizes:
            found = np.array([ratios(data, kernel, n, subset) for subset in range(subsets)])
            for c, column in zip(RIDGES, found.T, strict=True):
                rows.append(
                    (kernel, c, n, float(column.min()), float(np.median(column)), float(column.max()))
                )
    return sorted(rows)


def panel(rows: list, kernel: str) -> Panel:
    """Bound / MSE against n, a curve for each ridge."""
    curves = []
    for c in RIDGES:
        _, _, n, low, middle, high = zip(*[row for row in rows if row[:2] == (kernel, c)], strict=True)
        curves.append(Curve(f"lam = {c:g} / sqrt(n)", n, middle, low, high, "o-"))
    return Panel(TITLES[kernel], "n", "bound / MSE", curves, "xy")


def growth(rows: list) -> str:
    """How the median ratio changes with n; nothing for one size."""
    lines = [[row for row in rows if row[:2] == key] for key in {row[:2] for row in rows}]
    if len(lines[0]) < 2:
        return ""
    slopes = [slope([row[2] for row in line], [row[4] for row in line]) for line in lines]
    return f"The median ratio changes like n to the power {min(slopes):.2f} to {max(slopes):.2f}. "


def remark(rows: list) -> str:
    """The sentence of the table."""
    low, high = min(rows, key=lambda row: row[3]), max(rows, key=lambda row: row[5])
    below = sum(row[3] < 1 for row in rows)
    return (
        f"Bound (31) is {low[3]:.3g} to {high[5]:.3g} times the MSE; it is below the MSE in {below} of "
        f"{len(rows)} settings. {growth(rows)}The bound of Theorem 1 is 4 b = 8 times as large, and its "
        f"ridge at least {4 * np.sqrt(np.log(FEATURES / 0.05)):.3g} / sqrt(n) (delta = 0.05), above every "
        "ridge here."
    )


@shell.command(help=__doc__)
@shell.data()
@click.option(
    "--sizes", type=shell.Sizes(), default="200,500,1000,2000,5000", help="Numbers of training points."
)
@click.option("--subsets", default=10)
@shell.reports
def main(data: str, sizes: tuple[int, ...], subsets: int, reports: Path) -> None:
    loaded = load(data).scaled()
    sizes = tuple(n for n in sizes if n < len(loaded.y))
    if not sizes or subsets < 1:
        wanted = "ask for sizes below that and for at least one subset"
        raise Refused(f"{loaded.name!r} has {len(loaded.y)} rows; {wanted}.")
    rows = table(loaded, sizes, subsets)
    title = (
        f"Wang (2019), Figures 3 and 4 on {loaded.name}: bound (31) / MSE, s = {FEATURES}, {subsets} subsets"
    )
    finding = Finding(title, ("kernel", "c", "n", "least", "median", "largest"), rows, remark(rows))
    panels = [panel(rows, kernel) for kernel in TITLES]
    record(reports, f"wang2019-bound_against_n-{loaded.name}", finding, panels)


if __name__ == "__main__":
    main()
