"""Section 2: do orthogonal frequencies reduce the variance of a Gaussian kernel?
(Yu et al. 2016, cited there)

Two frequencies w_1 and w_2 of exp(-|u - v|^2 / 2) are N(0, I_d) each, with independent lengths and
orthogonal directions that are uniform. The features of s <= d of them average cos(w_j^T (u - v));
its variance is (V + (s - 1) C) / s with V that of one cosine, (1 - exp(-2 x))^2 / 2, and C their covariance;
x = |u - v|^2 / 2.
"""

import numpy as np

from boundcheck import E, Positive, Unit, at_most, between, exp, integers, quantity

from . import paper

Half = integers(1, 12)
"""m = d / 2: the hypergeometric series is a polynomial in even dimensions."""


def covariance(m, x):
    """exp(-x) 1F1(-m; m; x) - exp(-2 x): the covariance of two orthogonal cosines in dimension 2 m,
    at |u - v|^2 = 2 x.
    """
    term, series = 1, 1
    for k in range(int(m)):
        term = term * (k - m) * x / ((m + k) * (k + 1))
        series = series + term
    return exp(-x) * series - exp(-2 * x)


@paper.remark("s2.orthogonal", section="Section 2")
def orthogonal_frequencies_reduce_the_variance(m: Half, x: Positive):
    """Orthogonal frequencies have no more variance than independent ones, at every pair of points:
    the covariance is at most 0.

    "To reduce the approximation variance", as the paper says of Yu et al. (2016); that it is so at every
    pair is often said, but not here. d = 2 m, Gaussian kernel.
    """
    return at_most(covariance(m, x), 0)


@paper.remark("s2.orthogonal.repaired", section="Section 2", repairs="s2.orthogonal")
def orthogonal_frequencies_reduce_the_variance_nearby(m: Half, x: Unit):
    """For |u - v|^2 <= 2 the covariance of orthogonal frequencies is at most 0, in even dimensions d = 2 m up
    to 24.

    Proof, in all of them. 1F1(-m; m; x) = sum (-x)^k c_k / k!, c_k = prod_(i < k) (m - i) / (m + i), so that
    C exp(x) = -sum (-x)^k (1 - c_k) / k! over k >= 2. By induction c_k <= (m + k) / (m + k^2), which is (1 -
    c_(k+1)) (k - 1) <= (1 - c_k) (k + 1): the terms alternate and do not grow for x <= 1, and the first, x^2
    / (m + 1), decides.
    """
    return at_most(covariance(m, x), 0)


def products_of_cosines(m, x, rng, size):
    """`size` draws of cos(w_1^T z) cos(w_2^T z), orthogonal frequencies in dimension 2 m,
    z = (sqrt(2 x), 0, ..., 0).
    """
    first, second, third = rng.standard_normal((3, size, 2 * int(m)))
    across = second - first * ((first * second).sum(axis=1) / (first**2).sum(axis=1))[:, None]
    orthogonal = across * np.sqrt((third**2).sum(axis=1) / (across**2).sum(axis=1))[:, None]
    return np.cos(np.sqrt(2 * x) * first[:, 0]) * np.cos(np.sqrt(2 * x) * orthogonal[:, 0])


@paper.identity("s2.orthogonal.covariance", section="Section 2")
def covariance_of_orthogonal_cosines(m: integers(1, 4), x: between(0, 4)):
    """The mean of cos(w_1^T z) cos(w_2^T z), |z|^2 = 2 x, is exp(-x) 1F1(-m; m; x), in dimension
    d = 2 m <= 8, for x <= 4; decided up to 0.05, by sampling.

    Proof. cos a cos b is half of cos(a + b) + cos(a - b), and w_1 +- w_2 has a uniform direction and a
    length whose square is chi-squared with 2 d degrees of freedom: its characteristic function is 1F1(d; d
    / 2; -x), which is that by Kummer's formula.
    """
    product = quantity(lambda rng, size: products_of_cosines(m, x, rng, size), low=-1, high=1)
    value = covariance(m, x) + exp(-2 * x)
    return E(product) <= value + 0.05, E(product) >= value - 0.05
