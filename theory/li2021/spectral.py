"""Appendix B: how many weighted features approximate the kernel matrix in its ridge norm."""

from boundcheck import P, Unit, assume, at_least, log
from boundcheck.settings import WeightedFeatures
from boundcheck.spectral import spectral_deviation
from theory.li2021 import paper


@paper.lemma(27, section="Appendix B")
def spectral_approximation(case: WeightedFeatures, eps: Unit, delta: Unit):
    """Enough weighted features approximate K in the (K + n lam I) norm, up to eps."""
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(case.d_tilde * (1 / eps**2 + 2 / (3 * eps)) * log(16 * case.d_eff / delta))
    return P(spectral_deviation(case, s) <= eps) >= 1 - delta
