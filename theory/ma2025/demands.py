"""Features that Ma et al. (2025) ask for at a fixed activation: Lemma E.4, Corollaries 3.3 and 3.4."""

from boundcheck.features.audit import SMALL_RIDGE, SPECTRAL, Demand, trivial

from .ridge_error import SHARP, enough_features
from .spectral import features_within, fewest_features_within

RISK = "excess risk <= 4 lam + O(1 / (h sqrt(n))) + 2 eps"


def plain(at):
    """max|sigma_tilde|^2 / lam, which stands for d_tilde."""
    return at.z0_squared / at.lam


DEMANDS = [
    Demand(
        "ma2025.lemmaE.4",
        SPECTRAL,
        "leverage",
        lambda at: features_within(at.eps, at.d_K, at.d_K, at.delta),
        {"ma2025.lemmaE.4.repaired": lambda at: fewest_features_within(at.eps, at.d_K, at.d_K, at.delta)},
        SMALL_RIDGE,
        spectral=True,
    ),
    Demand(
        "ma2025.corollary3.4",
        RISK,
        "plain",
        lambda at: enough_features(plain(at), at.d_K, at.delta),
        {"ma2025.lemmaE.3.repaired": lambda at: enough_features(plain(at), at.d_K, at.delta, SHARP)},
        SMALL_RIDGE,
        trivial(4),
    ),
    Demand(
        "ma2025.corollary3.3",
        RISK,
        "leverage",
        lambda at: enough_features(at.d_K, at.d_K, at.delta),
        {"ma2025.lemmaE.3.repaired": lambda at: enough_features(at.d_K, at.d_K, at.delta, SHARP)},
        SMALL_RIDGE,
        trivial(4),
    ),
]
