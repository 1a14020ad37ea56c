"""Features that Wang (2019) asks for: Theorem 1, for a mean squared gap of eps^2."""

from boundcheck import log
from boundcheck.features.audit import Demand

from .theorem1 import bound_at_any_point, bound_of_gap, least_ridge


def printed(at):
    """The bound of Theorem 1 falls like 1 / s: it is eps^2 at its value for one feature over eps^2,
    b = z0^2.
    """
    return bound_of_gap(at.z0_squared, 1, at.Q) / at.eps**2


def repaired(at):
    """The same for every test point and ridge."""
    return bound_at_any_point(at.z0_squared, 1, at.lam, at.Q) / at.eps**2


def ridge_is_large(at):
    """The hypothesis of Theorem 1 at the number of features s asked for."""
    s = max(printed(at), 1)
    return at.lam >= least_ridge(at.z0_squared, at.n, log(s / at.delta))


DEMANDS = [
    Demand(
        "wang2019.thm1",
        "mean squared gap to kernel ridge regression <= eps^2, for |y| <= 1",
        "plain",
        printed,
        {"wang2019.thm1.repaired": repaired},
        {"lam >= 2 b sqrt(log(s / delta) / n)": ridge_is_large},
        {
            "eps^2 is no less than the mean square of the predictions": lambda at: (
                at.eps**2 >= at.prediction_square
            )
        },
    ),
]
