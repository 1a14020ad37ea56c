"""Features that Liu et al. (2020) ask for: Lemma 1, Theorem 1 and Algorithm 1 (Theorem 2), with |exp(-i w x)| = 1."""

from boundcheck import log, maximum
from boundcheck.audit.demand import Demand

FULL = {"n lam <= lambda_1(K)": lambda at: at.lam <= at.lambda_1}
SPECTRAL = "-eps (K + n lam I) <= K_s - K <= eps (K + n lam I)"


def trivial(multiple):
    """Where multiple lam bounds the excess risk."""
    text = f"{multiple} lam is no less than the mean of y^2, the risk of predicting 0"
    return {text: lambda at: multiple * at.lam >= at.label_square}


def of_theorem2(at):
    """max(7 log(16 d_K) / (lam delta), 5 D_K log(16 d_K) / delta), as thm2 has it, lam* = lam."""
    return maximum(7 / at.lam, 5 * at.D_K) * log(16 * at.d_K) / at.delta


DEMANDS = [
    Demand(
        "liu2020.lem1", SPECTRAL, "surrogate", lambda at: at.D_K * (1 / at.eps**2 + 2 / (3 * at.eps)) * log(16 * at.d_K / at.delta),
        {"liu2020.lem1.proved": lambda at: at.D_K * (2 * at.d_1 / at.eps**2 + 2 / (3 * at.eps)) * log(16 * at.d_K / at.delta)},
        FULL, spectral=True,
    ),
    Demand(
        "liu2020.thm1.explicit", "excess risk over kernel ridge regression <= 2 lam + O(1 / sqrt(n))", "surrogate",
        lambda at: 5 * at.D_K * log(16 * at.d_K) / at.delta,
        {"liu2020.thm1.sample_size.repaired": lambda at: 16 / 3 * at.D_K * log(16 * at.d_K / at.delta)}, FULL, trivial(2),
    ),
    Demand("liu2020.thm2.explicit", "excess risk <= 2 lam + 2 lam* + O(1 / sqrt(n)), lam* = lam", "surrogate", of_theorem2,
           {"liu2020.thm2.repaired": of_theorem2}, FULL, trivial(4)),
]  # fmt: skip
