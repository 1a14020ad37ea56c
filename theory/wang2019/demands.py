"""Features that Wang (2019) asks for: Theorem 1, for a mean squared gap of eps^2."""

from boundcheck import log, sqrt
from boundcheck.audit.demand import Demand


def printed(at):
    """4 b Q / eps^2, b = z0^2."""
    return 4 * at.z0_squared * at.Q / at.eps**2


def repaired(at):
    """(1 + sqrt(b / lam) / 2)^2 b Q / eps^2, for every test point and ridge."""
    return (1 + sqrt(at.z0_squared / at.lam) / 2) ** 2 * at.z0_squared * at.Q / at.eps**2


def ridge_is_large(at):
    """lam >= (2 b / sqrt(n)) sqrt(log(s / delta)) at the number of features s asked for."""
    s = max(printed(at), 1)
    return at.lam >= 2 * at.z0_squared / sqrt(at.n) * sqrt(log(s / at.delta))


DEMANDS = [
    Demand(
        "wang2019.thm1", "mean squared gap to kernel ridge regression <= eps^2, for |y| <= 1", "plain", printed,
        {"wang2019.thm1.repaired": repaired}, {"lam >= 2 b sqrt(log(s / delta) / n)": ridge_is_large},
        {"eps^2 is no less than the mean square of the predictions": lambda at: at.eps**2 >= at.prediction_square},
    ),
]  # fmt: skip
