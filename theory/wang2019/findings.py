"""How tight Theorems 1 and 2 are, and where they say anything at the settings of Section 6."""

from __future__ import annotations

import numpy as np

from boundcheck.features.data import Sample, load
from boundcheck.features.ridge import feature_predictions, kernel_ridge
from boundcheck.report.findings import Finding

from .bound_against_n import FEATURES, RIDGES, problem
from .worst_labels import remark, table

DELTA, B, N = 0.05, 2, 200


def findings() -> list[Finding]:
    """Theorem 1 on bundled data (typical) and at its worst, at a training point; its ridge at the paper's settings;
    Theorem 2 at the worst labels found.
    """
    data = load("diabetes").scaled()
    return [typical(data), worst(), vacuity(), lower_bound()]


def typical(data: Sample) -> Finding:
    """4 b Q / s against the mean squared gap, and against predicting zero."""
    rows = []
    for kernel in ("gaussian", "laplace"):
        case = problem(data, kernel, N, 0)
        c = (*RIDGES, 2 * B * np.sqrt(np.log(FEATURES / DELTA)))
        lams = np.array(c) / np.sqrt(N)
        KRR, energy = kernel_ridge(case, lams)
        draws = [
            feature_predictions(case, case.features(FEATURES, 0, r), (FEATURES,), lams)[0] for r in range(10)
        ]
        mse, size = np.mean([(g - KRR) ** 2 for g in draws], axis=(0, 1)), np.mean(KRR**2, axis=0)
        bound = 4 * B * energy / FEATURES
        rows += [
            (kernel, float(a), float(x), float(x / y), float(x / z))
            for a, x, y, z in zip(c, bound, mse, size, strict=True)
        ]
    above = sum(row[4] > 1 for row in rows)
    low, high = min(row[3] for row in rows), max(row[3] for row in rows)
    sentence = (
        f"The bound is {low:.3g} to {high:.3g} times the gap, and above the mean square of the predictions, "
        f"which needs no features at all, in {above} of {len(rows)} settings. The last ridge of each kernel "
        "is Theorem 1's."
    )
    columns = ("kernel", "c in lam = c / sqrt(n)", "bound", "bound / gap", "bound / mean f^2")
    return Finding(f"Theorem 1 on {data.name}, n = {N}, s = {FEATURES}", columns, rows, sentence)


def worst() -> Finding:
    """n = s = 1, psi^2 = b with probability eps, else 0, at the training point: the ratio of gap to b
    Q / s comes close to 1 for small eps and large lam.
    """
    rows = []
    for eps in (0.5, 0.1, 0.01):
        for lam in (1.0, 100.0, 1e4):
            K, values, p = eps, np.array([1.0, 0.0]), np.array([eps, 1 - eps])
            gap = np.sum(p * (values / (values + lam) - K / (K + lam)) ** 2)
            rows.append((eps, lam, float(K / (K + lam) ** 2 / gap)))
    least = min(row[2] for row in rows)
    sentence = (
        f"There b Q / s is as little as {least:.4g} times the gap, and it tends to 1, so that no constant below 1 will do; "
        "Theorem 1 has 4."
    )
    return Finding(
        "Theorem 1 at a training point, b = 1: b Q / s over the gap",
        ("eps", "lam", "b Q / s over gap"),
        rows,
        sentence,
    )


def vacuity() -> Finding:
    """The ridge that Theorem 1 asks for against those of the experiments and against trace(K / n) = 1.
    """
    rows = []
    for s in (50, 100, 1000):
        least = float(2 * B * np.sqrt(np.log(s / DELTA)))
        rows.append((s, least, least / max(RIDGES), int(np.ceil(least**2))))
    sentence = (
        f"The ridge of Theorem 1 is {rows[0][2]:.2g} to {rows[-1][2]:.2g} times the largest of Section 6, so "
        "that no figure meets its hypothesis; it is below the trace of K / n, which is 1, from n = "
        f"{rows[0][3]} to {rows[-1][3]} on. What the figures show of the bound is its size at smaller "
        "ridges; for lam >= b / 4 it holds at every test point (thm1.repaired)."
    )
    columns = ("s", "least c", "times the largest c used", "n with lam < 1")
    return Finding("The hypothesis of Theorem 1, b = 2, delta = 0.05", columns, rows, sentence)


def lower_bound() -> Finding:
    """Theorem 2 for the worst labels found; larger n by `python -m theory.wang2019.worst_labels`."""
    rows = table((64, 256))
    columns = ("d", "n", "s", "s lam", "least ratio", "constant of the proof", "repaired constant")
    return Finding("Theorem 2 at the worst labels found", columns, rows, remark(rows))
