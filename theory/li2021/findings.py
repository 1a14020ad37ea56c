"""What constant the number of features needs, how tight the bounds are, and from which n on they say
anything.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np

from boundcheck import gammaln
from boundcheck.features.kernels import FourierFeatures, Gaussian
from boundcheck.report.findings import Finding

from .lemma22 import SHARP, enough_features

DELTA = 0.05

RARE = 1000
"""One over the probability of the feature that matters."""


def findings() -> list[Finding]:
    """The constant of s >= C d_tilde log(16 d_K / delta); tightness; vacuity for a Gaussian
    kernel in dimension 1, 5 and 10.
    """
    return [constants(), tightness(), vacuity()]


def failure(C: float, delta: float, two_sided: bool) -> float:
    """P(count below s / (2 d), or, if two-sided, above 3 s / (2 d)) for one point with a feature of q = 1 / d,
    d = RARE, lam -> 0 and s = C d log(16 / delta).

    The other features vanish at the point, so that l_tilde may be anything there, and d_K = 1.
    """
    s = int(np.ceil(enough_features(RARE, 1, delta, C)))
    low, high = int(np.ceil(s / RARE / 2)), int(np.floor(1.5 * s / RARE))
    outside = np.concatenate([np.arange(low), np.arange(high + 1, 3 * high) if two_sided else np.arange(0)])
    logs = (
        gammaln(s + 1)
        - gammaln(outside + 1)
        - gammaln(s - outside + 1)
        - outside * np.log(RARE)
        + (s - outside) * np.log1p(-1 / RARE)
    )
    return float(np.sum(np.exp(logs)))


def least(holds: Callable[[float], bool], low: float, high: float, steps: int) -> float:
    """Bisection for the least value from which `holds`, on a logarithmic scale: the last that is too small."""
    for _ in range(steps):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low


def constants() -> Finding:
    """The C that is too small for a rare feature at one point, at four delta, and what is proved to suffice for all
    designs.
    """
    enough = {"lower side (Lemma 22)": SHARP, "both sides (Lemma 27)": 1 / (1.5 * np.log(1.5) - 0.5)}
    rows = []
    for two_sided, (name, sufficient) in enumerate(enough.items()):
        for delta in (1e-3, 1e-12, 1e-60, 1e-200):
            needed = least(lambda C, two=bool(two_sided), at=delta: failure(C, at, two) <= at, 1, 12, 12)
            rows.append(
                (name, delta, needed, failure(needed, delta, bool(two_sided)) / delta, float(sufficient))
            )
    sentence = "; ".join(
        f"{row[0]}: {row[2]:.3f} is too small, {row[4]:.3f} suffices" for row in (rows[3], rows[7])
    )
    sentence += (
        ". As delta falls the first tends to the second (lemma22.sharp, lemma27.sharp), so that 5 and 16/3 "
        "both become too small for weighted features."
    )
    columns = ("side", "delta", "too small", "failure / delta there", "suffices")
    return Finding("C in s >= C d_tilde log(16 d_K / delta), eps = 1/2, one point", columns, rows, sentence)


def gaussian_spectrum(d: int, degrees: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of the Gaussian kernel of width sqrt(d) for inputs from N(0, I_d), up to a degree, and their
    multiplicities.
    """
    a, b = 0.25, 0.5 / d
    A = a + b + np.sqrt(a * a + 2 * a * b)
    k = np.arange(degrees)
    return (2 * a / A) ** (d / 2) * (b / A) ** k, np.array(
        [comb(int(i) + d - 1, d - 1) for i in k], dtype=float
    )


def d_K(d: int, lam: float) -> float:
    """Effective dimension of the Gaussian kernel above, for a large sample."""
    values, times = gaussian_spectrum(d)
    return float(np.sum(times * values / (values + lam)))


def risk_bound(n: float) -> float:
    """4 lam + (19) twice, with lam = 1 / sqrt(n) and L = z0 = 1, for losses in [0, 1]."""
    return float((4 + 2 * np.sqrt(2) + 2 * np.sqrt(8 * np.log(2 / DELTA))) / np.sqrt(n))


def refined_bound_below_1(n: float, d: int) -> bool:
    """Whether 24 r* < 1 (D = 2, B = 1) for the fixed point of Lemma 25 with c_1 = 20, c_2 = 31, L = 2 and the
    spectrum above: psi(1/24) < 1/24.
    """
    values, times = gaussian_spectrum(d)
    psi = 80 * np.sqrt(2 / n * np.sum(times * np.minimum(1 / 24, values))) + 31 * np.log(1 / DELTA) / n
    return bool(psi < 1 / 24)


def vacuity() -> Finding:
    """The least n (bisected to 1 %) at which each statement says more than nothing, for the kernel above."""
    rows = []
    for d in (1, 5, 10):
        risk = least(lambda n: risk_bound(n) < 1, 1, 1e15, 12)
        weighted = least(
            lambda n, d=d: enough_features(d_K(d, n**-0.5), d_K(d, n**-0.5), DELTA) < n, 1, 1e15, 12
        )
        plain = least(lambda n, d=d: enough_features(2 * n**0.5, d_K(d, n**-0.5), DELTA) < n, 1, 1e15, 12)
        refined = least(lambda n, d=d: refined_bound_below_1(n, d), 1, 1e15, 12)
        rows.append((d, *(float(x) for x in (risk, weighted, plain, refined))))
    sentence = (
        f"The risk bound of Theorem 9, with L = z0 = 1, is below the trivial 1 from n = {rows[0][1]:.0f} on. "
        f"Fewer features than points are asked for from n = {rows[0][2]:.0f}, {rows[1][2]:.0f}, {rows[2][2]:.0f} on with "
        f"leverage scores (d = 1, 5, 10) and from n = {rows[0][3]:.0f}, {rows[1][3]:.0f}, {rows[2][3]:.0f} "
        "on without. The fixed point of Theorem 12, with the constants of Bartlett et al. and L = 2, is useful "
        f"from n = {min(row[4] for row in rows):.2g} on only."
    )
    columns = ("d", "n: risk bound < 1", "n: s < n (Cor. 10)", "n: s < n (Cor. 11)", "n: 24 r* < 1 (Thm 12)")
    return Finding(
        "Vacuity: Gaussian kernel of width sqrt(d), inputs N(0, I), lam = 1 / sqrt(n), delta = 0.05",
        columns,
        rows,
        sentence,
    )


def excess(d: int, n: int, share: float) -> tuple[int, float]:
    """Number of plain features, a share of what Corollary 11 asks for, and the excess empirical risk (16) over
    4 lam, mean of 5 draws, at one sample without noise, lam = 1 / sqrt(n).
    """
    rng, lam = np.random.default_rng([d, n]), n**-0.5
    X = rng.normal(size=(n, d))
    K = Gaussian(np.sqrt(d)).matrix(X, X)
    y = np.sin(X.sum(axis=1))
    alpha = np.linalg.solve(K + n * lam * np.eye(n), y)
    y = y / max(1.0, float(np.sqrt(alpha @ K @ alpha)))
    effective = float(np.trace(np.linalg.solve(K + n * lam * np.eye(n), K)))
    s, found = int(np.ceil(share * enough_features(2 / lam, effective, DELTA))), []
    for _ in range(5):
        Z = FourierFeatures(rng.normal(size=(d, s)).T / (2 * np.pi * np.sqrt(d)), rng.random(s)).of(X)
        residuals = [n * lam * np.linalg.solve(A + n * lam * np.eye(n), y) for A in (Z @ Z.T / s, K)]
        found.append(residuals[0] @ residuals[0] - residuals[1] @ residuals[1])
    return s, float(np.mean(found)) / n / (4 * lam)


def tightness() -> Finding:
    """The excess empirical risk over 4 lam: typical draws, and a feature of leverage 1/6 that is never drawn,
    with labels along it.
    """
    rows = [
        ("typical", d, n, *excess(d, n, share)) for d in (1, 5, 10) for n in (100,) for share in (1.0, 0.05)
    ]
    # A feature of leverage x is missed with probability above delta for x < 1/5, as delta falls; its labels cost
    # k / n + 2 lam, k = n lam x / (1 - x).
    x = 1 / 6
    rows.append(("worst found", 1, 2, 0, (x / (1 - x) + 2) / 4))
    sentence = (
        f"On typical draws the excess is {min(r[4] for r in rows[:-1]):.2g} to "
        f"{max(r[4] for r in rows[:-1]):.2g} of 4 lam, also with a twentieth of the features; at the worst "
        f"labels found, for a feature that is missed, it is {rows[-1][4]:.2g} of it."
    )
    return Finding(
        "Theorem 9 and Corollary 11: the excess (16) over 4 lam",
        ("case", "d", "n", "s", "actual / bound"),
        rows,
        sentence,
    )
