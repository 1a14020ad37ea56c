"""What the model of Ma et al. (2025) asks for in numbers: basis functions, features, and the excess risk as
lam -> 0.
"""

import numpy as np

from boundcheck import exp, log, sqrt
from boundcheck.report.findings import Finding
from boundcheck.words.hypotheses import whole

from .activation import error_of_bumps
from .effective_dimension import effective_dimension
from .findings_risk import DELTA, largest_dimension
from .ridge_error import enough_features
from .squared_loss import mass_seen_once
from .tables import polynomial

DATA = {"protein": 45730, "adult": 32561, "CIFAR-10": 50000}
WIDTHS = (30, 1000, 5000)
"""The least and the largest number of features of Section 5, and the largest pool."""


def of_the_model() -> list[Finding]:
    """Six tables."""
    return [
        basis_functions(),
        small_grids(),
        features_demanded(),
        fitted_noise(),
        harmonic_rows(),
        single_law(),
    ]


def basis_functions() -> Finding:
    """How many basis functions are enough for an error eps of a 1-Lipschitz activation on [-1, 1], and the order
    of Lemma 2.1 with the constant 1.
    """
    rows = [
        (eps, whole(log(1 / eps) ** 1.5 / eps**2), whole(1 + 2.02 / eps), whole(1 + 1 / eps))
        for eps in (0.3, 0.1, 0.03, 0.01)
    ]
    remark = (
        f"At eps = {rows[-1][0]} the order of Lemma 2.1 is {rows[-1][1] / rows[-1][2]:.0f} times what is "
        "enough for bumps one spacing wide."
    )
    return Finding(
        "Basis functions for an error eps",
        ("eps", "order of Lemma 2.1", "bumps enough", "linear splines enough"),
        rows,
        remark,
    )


def small_grids() -> Finding:
    """The error of N bumps on the hat, and what Theorem 3.2 promises with N of them, its constants
    read as 1.
    """
    z = np.linspace(-1.5, 1.5, 4001)
    rows = [
        (N, float(error_of_bumps(z, N, 2 / (N - 1), 1.0, 1.0).max()), promised_error(N)) for N in (16, 32, 64)
    ]
    vacuous = [N for N, _, eps in rows if 2 * eps >= 1]
    tail = (
        f"exceeds the risk 1 of predicting 0 at N = {vacuous}."
        if vacuous
        else "stays below the risk 1 of predicting 0."
    )
    remark = f"The term 2 eps of Theorem 3.2, {2 * rows[0][2]:.2f} at N = {rows[0][0]}, {tail}"
    return Finding(
        "Small grids", ("N", "error on max(0, 1 - |z|)", "eps with (1/eps) (log 1/eps)^1.5 = N"), rows, remark
    )


def promised_error(N: int) -> float:
    """The eps below 1 / e^1.5 with (1/eps) (log 1/eps)^1.5 = N, by bisection."""
    low, high = 1e-9, exp(-1.5)
    for _ in range(60):
        eps = (low + high) / 2
        low, high = (eps, high) if log(1 / eps) ** 1.5 / eps > N else (low, eps)
    return high


def features_demanded() -> Finding:
    """Plain features at lam = 1 / sqrt(n), with d <= 1 / lam and max |sigma_tilde| = 1."""
    rows = [
        (name, n, 1 / sqrt(n), whole(enough_features(sqrt(n), sqrt(n), DELTA)), WIDTHS[-1])
        for name, n in DATA.items()
    ]
    beyond = sum(demanded > pool for *_, demanded, pool in rows)
    reach = [largest_dimension(S) for S in WIDTHS[:2]]
    remark = (
        f"Corollary 3.4 asks for more than the largest pool of Section 5 on {beyond} of {len(rows)} data "
        f"sets (delta = {DELTA}, d up to its bound). {WIDTHS[0]} and {WIDTHS[1]} leverage weighted features "
        f"meet Corollary 3.3 up to d = {reach[0]:.1f} and {reach[1]:.1f}."
    )
    return Finding(
        "Features demanded at lam = 1 / sqrt(n)",
        ("data", "n", "lam", "Corollary 3.4", "largest pool"),
        rows,
        remark,
    )


def fitted_noise() -> Finding:
    """Mean excess risk over f* = 0 of ridge regression on n one-hot cells, n inputs, noise of variance 1,
    exactly.
    """
    n = 1000
    rows = [
        (factor, factor / n**2, one_hot_excess(n, factor), 4 * factor / n**2)
        for factor in (1.0, 0.1, 0.01, 0.0)
    ]
    remark = (
        "lam runs in units of 1 / n^2, the least eigenvalue of K / n that is not 0: the excess risk goes "
        f"from {rows[0][2]:.2f} to {rows[-1][2]:.2f} while 4 lam stays below {rows[0][3]:.0e}; it has to fit "
        f"into O(1 / (h sqrt n)), which at n = {n} is {1 / sqrt(n):.3f} / h."
    )
    return Finding(
        f"Noise that is fitted, n = {n} cells and inputs",
        ("lam n^2", "lam", "excess risk", "4 lam"),
        rows,
        remark,
    )


def one_hot_excess(n: int, factor: float) -> float:
    """E c / (c + factor)^2 over counts c = 1, 2, ... with c binomial(n, 1 / n)."""
    total, weight = 0.0, (1 - 1 / n) ** n
    for c in range(1, 60):
        weight *= (n - c + 1) / c / (n - 1)
        total += weight * c / (c + factor) ** 2
    return total


def harmonic_rows() -> Finding:
    """Weighted features for a harmonic spectrum: of trace 1, and with the d of the text."""
    rows = []
    for eps in (0.1, 0.03, 0.01):
        log_n = log(log(1 / eps) / eps**3)
        d = effective_dimension(polynomial(min(whole(exp(log_n)), 10**5), 1), eps)
        rows.append(
            (
                eps,
                whole(enough_features(d, d, DELTA)),
                whole(enough_features(log_n / eps, log_n / eps, DELTA)),
            )
        )
    least, most = (row[2] / row[1] for row in (rows[0], rows[-1]))
    remark = (
        f"The d of the text asks for {least:.0f} to {most:.0f} times as many features as the spectrum itself."
    )
    return Finding(
        "Features for lambda_i proportional to 1 / i", ("eps", "trace 1", "d = (1/eps) log n"), rows, remark
    )


def single_law() -> Finding:
    """A lower bound on the excess risk of theorem3.2.explicit against the order of the bound at eps = n^(-1/3);
    one law of inputs for all n.
    """
    rows = [
        (n, float(mass_seen_once(n)), float(n ** (-1 / 3) * sqrt(log(n))))
        for n in (2.0**16, 2.0**32, 2.0**48, 2.0**64, 2.0**80)
    ]
    first, last = (row[1] / row[2] for row in (rows[0], rows[-1]))
    remark = (
        f"Noise of variance 1. Their quotient goes from {first:.0f} to {last:.0f}: where lam falls fast "
        "enough no constant in O(.) will do for this law, though lam = o(1). This says nothing about lam = "
        "1 / sqrt(n), the ridge named after (5)."
    )
    return Finding(
        "Excess risk as lam -> 0 under one law",
        ("n", "excess risk at least", "n^(-1/3) (log n)^1/2"),
        rows,
        remark,
    )
