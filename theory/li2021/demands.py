"""Features that Li et al. (2021) ask for: Lemma 27, plain features (Remark 28), Corollaries 10 and 11 of Theorem 9."""

from boundcheck import log
from boundcheck.audit.demand import Demand

FULL = {"n lam <= lambda_1(K)": lambda at: at.lam <= at.lambda_1}
TRIVIAL = {"4 lam is no less than the mean of y^2, the risk of predicting 0": lambda at: 4 * at.lam >= at.label_square}
SPECTRAL = "-eps (K + n lam I) <= K_s - K <= eps (K + n lam I)"
RISK = "excess risk over kernel ridge regression <= 4 lam"
SHARP = 2 / (1 - log(2))


def printed(scale, at):
    """scale (1 / eps^2 + 2 / (3 eps)) log(16 d_K / delta)."""
    return scale * (1 / at.eps**2 + 2 / (3 * at.eps)) * log(16 * at.d_K / at.delta)


def proved(scale, at):
    """scale (2 d_1 / eps^2 + 2 / (3 eps)) log(16 d_K / delta), d_1 = lambda_1 / (lambda_1 + n lam)."""
    return scale * (2 * at.d_1 / at.eps**2 + 2 / (3 * at.eps)) * log(16 * at.d_K / at.delta)


def sharp(scale, at):
    """scale log(16 d_K / delta) / ((1 + eps) log(1 + eps) - eps)."""
    return scale * log(16 * at.d_K / at.delta) / ((1 + at.eps) * log(1 + at.eps) - at.eps)


def plain(at):
    """z0^2 / lam, which bounds the leverage score of a plain feature over its density."""
    return at.z0_squared / at.lam


DEMANDS = [
    Demand(
        "li2021.remark28.plain", SPECTRAL, "plain", lambda at: printed(plain(at), at),
        {"li2021.remark28.plain.proved": lambda at: sharp(plain(at), at)}, FULL, spectral=True,
    ),
    Demand(
        "li2021.lemma27", SPECTRAL, "leverage", lambda at: printed(at.d_K, at),
        {"li2021.lemma27.repaired": lambda at: proved(at.d_K, at), "li2021.lemma27.sharp": lambda at: sharp(at.d_K, at)},
        FULL, spectral=True,
    ),
    Demand(
        "li2021.corollary11", RISK, "plain", lambda at: 5 * plain(at) * log(16 * at.d_K / at.delta),
        {"li2021.lemma22.sharp": lambda at: SHARP * plain(at) * log(4 * at.d_K / at.delta)}, FULL, TRIVIAL,
    ),
    Demand(
        "li2021.corollary10", RISK, "leverage", lambda at: 5 * at.d_K * log(16 * at.d_K / at.delta),
        {"li2021.lemma22.sharp": lambda at: SHARP * at.d_K * log(4 * at.d_K / at.delta)}, FULL, TRIVIAL,
    ),
]  # fmt: skip
