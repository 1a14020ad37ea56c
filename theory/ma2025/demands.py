"""Features that Ma et al. (2025) ask for at a fixed activation: Lemma E.4, Corollaries 3.3 and 3.4."""

from boundcheck import log
from boundcheck.audit.demand import Demand

FULL = {"n lam <= lambda_1(K)": lambda at: at.lam <= at.lambda_1}
TRIVIAL = {"4 lam is no less than the mean of y^2, the risk of predicting 0": lambda at: 4 * at.lam >= at.label_square}
SPECTRAL = "-eps (K + n lam I) <= K_s - K <= eps (K + n lam I)"
RISK = "excess risk <= 4 lam + O(1 / (h sqrt(n))) + 2 eps"
SHARP = 2 / (1 - log(2))


def of_lemma3(scale, at, factor):
    """factor scale log(16 d / delta); scale is d_tilde, d_K or max|sigma_tilde|^2 / lam."""
    return factor * scale * log(16 * at.d_K / at.delta)


DEMANDS = [
    Demand(
        "ma2025.lemmaE.4", SPECTRAL, "leverage", lambda at: of_lemma3(at.d_K, at, 1 / at.eps**2 + 2 / (3 * at.eps)),
        {"ma2025.lemmaE.4.repaired": lambda at: of_lemma3(at.d_K, at, 1 / ((1 + at.eps) * log(1 + at.eps) - at.eps))},
        FULL, spectral=True,
    ),
    Demand(
        "ma2025.corollary3.4", RISK, "plain", lambda at: of_lemma3(at.z0_squared / at.lam, at, 5),
        {"ma2025.lemmaE.3.repaired": lambda at: of_lemma3(at.z0_squared / at.lam, at, SHARP)}, FULL, TRIVIAL,
    ),
    Demand(
        "ma2025.corollary3.3", RISK, "leverage", lambda at: of_lemma3(at.d_K, at, 5),
        {"ma2025.lemmaE.3.repaired": lambda at: of_lemma3(at.d_K, at, SHARP)}, FULL, TRIVIAL,
    ),
]  # fmt: skip
