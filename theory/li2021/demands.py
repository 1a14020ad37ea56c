"""Features that Li et al. (2021) ask for: Lemma 27, plain features (Remark 28), Corollaries 10 and 11 of
Theorem 9.
"""

from boundcheck.features.audit import SMALL_RIDGE, SPECTRAL, Demand, trivial

from .lemma22 import enough_features
from .spectral import features_as_proved, features_within, fewest_features_within
from .theorem9 import enough_features_with_noise

RISK = "excess risk over kernel ridge regression <= 4 lam"


def plain(at):
    """z0^2 / lam, which bounds the leverage score of a plain feature over its density."""
    return at.z0_squared / at.lam


DEMANDS = [
    Demand(
        "li2021.remark28.plain",
        SPECTRAL,
        "plain",
        lambda at: features_within(at.eps, plain(at), at.d_K, at.delta),
        {
            "li2021.remark28.plain.proved": lambda at: fewest_features_within(
                at.eps, plain(at), at.d_K, at.delta
            )
        },
        SMALL_RIDGE,
        spectral=True,
    ),
    Demand(
        "li2021.lemma27",
        SPECTRAL,
        "leverage",
        lambda at: features_within(at.eps, at.d_K, at.d_K, at.delta),
        {
            "li2021.lemma27.repaired": lambda at: features_as_proved(
                at.eps, at.d_K, at.d_K, at.delta, at.d_1
            ),
            "li2021.lemma27.sharp": lambda at: fewest_features_within(at.eps, at.d_K, at.d_K, at.delta),
        },
        SMALL_RIDGE,
        spectral=True,
    ),
    Demand(
        "li2021.corollary11",
        RISK,
        "plain",
        lambda at: enough_features(plain(at), at.d_K, at.delta),
        {"li2021.theorem9.repaired": lambda at: enough_features_with_noise(plain(at), at.d_K, at.delta)},
        SMALL_RIDGE,
        trivial(4),
    ),
    Demand(
        "li2021.corollary10",
        RISK,
        "leverage",
        lambda at: enough_features(at.d_K, at.d_K, at.delta),
        {"li2021.theorem9.repaired": lambda at: enough_features_with_noise(at.d_K, at.d_K, at.delta)},
        SMALL_RIDGE,
        trivial(4),
    ),
]
