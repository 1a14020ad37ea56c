"""Features that Liu et al. (2020) ask for: Lemma 1, Theorem 1 and Algorithm 1 (Theorem 2), with
|exp(-i w x)| = 1.
"""

from boundcheck.features.audit import SMALL_RIDGE, SPECTRAL, Demand, trivial

from .lemma1 import features_as_proved, features_within
from .theorem1 import enough_features
from .theorem2 import enough_for_both


def of_theorem2(at):
    """At lam* = lam, as thm2.explicit and its repair have it."""
    return enough_for_both(at.lam, at.D_K, at.d_K, at.delta)


DEMANDS = [
    Demand(
        "liu2020.lem1",
        SPECTRAL,
        "surrogate",
        lambda at: features_within(at.eps, at.D_K, at.d_K, at.delta),
        {"liu2020.lem1.proved": lambda at: features_as_proved(at.eps, at.D_K, at.d_K, at.delta, at.d_1)},
        SMALL_RIDGE,
        spectral=True,
    ),
    Demand(
        "liu2020.thm1.explicit",
        "excess risk over kernel ridge regression <= 2 lam + O(1 / sqrt(n))",
        "surrogate",
        lambda at: enough_features(at.D_K, at.d_K, at.delta),
        {"liu2020.thm1.sample_size.repaired": lambda at: features_within(1 / 2, at.D_K, at.d_K, at.delta)},
        SMALL_RIDGE,
        trivial(2),
    ),
    Demand(
        "liu2020.thm2.explicit",
        "excess risk <= 2 lam + 2 lam* + O(1 / sqrt(n)), lam* = lam",
        "surrogate",
        of_theorem2,
        {"liu2020.thm2.repaired": of_theorem2},
        SMALL_RIDGE,
        trivial(4),
    ),
]
