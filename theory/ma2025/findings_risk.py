"""What Section 4 and Appendix E of Ma et al. (2025) come to in numbers: constants, the two ridges, noise,
and the paper's widths.
"""

from math import ceil, exp, lgamma, log, log1p

import numpy as np

from boundcheck.report.findings import Finding

from .ridge_error import SHARP, enough_features
from .two_stages import dimension, spectrum

DELTA = 0.05
WIDTHS = (30, 50, 100, 300, 500, 1000)
"""S in Section 5."""
POOLS = (3000, 5000)
"""s in Section 5."""


def of_the_risk() -> list[Finding]:
    """Five tables."""
    return [least_factors(), two_ridges(), size_of_minimiser(), gap_of_fitted_noise(), widths_of_the_paper()]


def at_most_so_many(k: int, s: int, p: float) -> float:
    """P(Bin(s, p) <= k)."""
    j = np.arange(k + 1)
    log_choose = np.array([lgamma(s + 1) - lgamma(i + 1) - lgamma(s - i + 1) for i in j])
    return float(np.exp(log_choose + j * log(p) + (s - j) * log1p(-p)).sum())


def least_factor(n: int, d: float, delta: float) -> float:
    """The least c, to 0.01, with P(n Bin(s, 1/n) / s < 1/2) <= delta at all s from c n log(16 d / delta) to
    8 n log(16 d / delta).
    """
    unit = enough_features(n, d, delta, 1)

    def fails(s: int) -> bool:
        return at_most_so_many(ceil(s / (2 * n)) - 1, s, 1 / n) > delta

    # Between two multiples of 2 n the event is the same and failure falls with s: peaks at multiples plus 1.
    peaks = [s for s in range(1, ceil(8 * unit), 2 * n) if fails(s)]
    if not peaks:
        return 0.0
    low, high = peaks[-1], peaks[-1] + 2 * n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fails(middle) else (low, middle)
    return high / unit


def least_factors() -> Finding:
    """What must stand for the 5 of Lemma E.3, in designs with exact binomial counts."""
    rows = []
    for delta in (1e-2, 1e-4, 1e-8, 1e-16, 1e-32, 1e-64):
        rows.append((delta, least_factor(30, 1, delta), least_factor(46, 46, delta)))
    late = [row[0] for row in rows if max(row[1:]) > 5]
    remark = (
        f"5 is too small from delta = {late[0]:g} on in this list; no value above {SHARP:.2f} is needed "
        "(lemmaE.3.repaired)."
    )
    columns = ("delta", "one point, one feature in 30 seen", "46 points, leverage weights")
    return Finding("The least factor in place of 5 in Lemma E.3, lam -> 0", columns, rows, remark)


def missing_probability(m: int, lam: float, lam_star: float) -> tuple[int, float, float]:
    """S of Theorem 4.1, the probability that the strong direction is never drawn, and the excess risk then
    over the bound.
    """
    strong, weak = spectrum(m, 0.5, 0.5)
    d_star = dimension(m, strong, weak, lam_star)
    S = ceil(enough_features(d_star, d_star, DELTA))
    q = strong / (strong + lam) / dimension(m, strong, weak, lam)
    return S, exp(S * log1p(-q)), strong / (4 * lam + 4 * lam_star)


def two_ridges() -> Finding:
    """Theorem 4.1 where lines 3 and 6 of Algorithm 1 have different ridges."""
    rows = []
    for m in (30, 300, 3000):
        weak = spectrum(m, 0.5, 0.5)[1]
        for lam in (1e-2, weak, weak / 100):
            rows.append((m, float(lam), 1e-2, *missing_probability(m, lam, 1e-2)))
    above = sum(row[4] > DELTA and row[5] > 1 for row in rows)
    same = sum(row[4] > DELTA and row[5] > 1 for row in rows if row[1] == row[2])
    remark = (
        f"With more than delta = {DELTA} the bound is exceeded in {above} of {len(rows)} rows, in {same} of "
        "those with lam = lam*."
    )
    columns = ("m", "lam", "lam*", "S", "P(strong direction not drawn)", "excess risk then / bound")
    return Finding("Theorem 4.1 with two ridges: one strong direction and m weak ones", columns, rows, remark)


def size_of_minimiser() -> Finding:
    """The mean of s ||v||^2 of the minimiser that noise of variance 1 adds, for eigenvalues 1 / i^2 of K / n."""
    rows = []
    for n in (100, 1000, 10000):
        k = 1 / np.arange(1, n + 1) ** 2
        for name, lam in (("1/sqrt(n)", n**-0.5), ("1/n", 1 / n), ("1/n^2", n**-2.0)):
            rows.append((n, name, float(np.sum(k / (k + lam) ** 2) / n), 1 / (4 * lam)))
    over = sorted({row[1] for row in rows if row[2] > 2}, key=len)
    within = sorted({row[1] for row in rows} - set(over))
    remark = (
        f"The 2 of Section E.1 is exceeded for lam = {', '.join(over)}, not for {', '.join(within)}, the "
        "ridge named after (5)."
    )
    return Finding(
        "E s ||v||^2 from noise alone",
        ("n", "lam", "mean", "1 / (4 lam), the most for |y| <= 1"),
        rows,
        remark,
    )


def gap_of_fitted_noise() -> Finding:
    """The exact means of the gap of Lemma E.2 and of the excess risk, for n points in n cells, at the largest
    ridge that Assumption 2.2 allows for every sample.
    """
    rows = []
    for n in (50, 500, 5000):
        m = np.arange(min(n, 60) + 1)
        log_choose = np.array([lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in m])
        p = np.exp(log_choose - m * log(n) + (n - m) * log1p(-1 / n))
        h = m / (m + 1)
        gap, excess = float(p @ (m / (m + 1) ** 2 + 2 * h - h**2)), float(p @ (m / (m + 1) ** 2))
        rows.append((n, gap, excess, 8 / n**2, n**-0.5))
    first, last = rows[0], rows[-1]
    gap, root = (f"from {first[j]:.3f} to {last[j]:.3f}" for j in (1, 4))
    remark = f"From n = {first[0]} to {last[0]} the gap goes {gap}, 1 / sqrt(n) {root}."
    columns = ("n", "E l - E_n l", "excess risk", "4 lam + 4 lam*", "1 / sqrt(n)")
    return Finding("Noise of variance 1 at n points in n cells, lam = lam* = 1 / n^2", columns, rows, remark)


def largest_dimension(S: int) -> float:
    """The largest d with S >= 5 d log(16 d / delta)."""
    low, high = 0.0, float(S)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if enough_features(middle, middle, DELTA) <= S else (low, middle)
    return low


def widths_of_the_paper() -> Finding:
    """What the numbers of features of Section 5 allow in Theorem 4.1, |sigma| <= 1 and d_Ktilde >= 1/2."""
    pool = max(POOLS)
    lam = enough_features(1, 0.5, DELTA) / pool
    rows = [(S, largest_dimension(S), 4 * lam) for S in WIDTHS]
    small = [S for S, d, _ in rows if d < 1]
    remark = (
        f"A pool of {pool} allows lam >= {lam:.4f}, so that 4 lam is {4 * lam:.3f} of the variance of "
        f"standardised labels; S = {rows[-1][0]} features serve effective dimensions up to {rows[-1][1]:.1f}"
        + (f", and S in {small} not even one." if small else f", S = {rows[0][0]} up to {rows[0][1]:.2f}.")
    )
    return Finding(
        "Theorem 4.1 at the widths of Section 5, delta = 0.05",
        ("S", "largest d for lam*", "4 lam, least"),
        rows,
        remark,
    )
