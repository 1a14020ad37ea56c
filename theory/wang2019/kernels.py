"""Section 6.1: sqrt(2) cos features with the frequencies of the experiments belong to their kernels."""

from boundcheck import E, Matrix, Positive
from boundcheck.features.kernels import Gaussian, Laplace

from . import paper

SLACK = 0.1
"""Means are decided up to this, by sampling."""


def is_mean(kernel, X):
    """Whether sqrt(2) cos features of the kernel are unbiased for it, up to SLACK, at the two rows of X."""
    k, product = kernel.value(X[:1], X[1:])[0, 0], kernel.product(X[0], X[1])
    return E(product) <= k + SLACK, E(product) >= k - SLACK


@paper.experiment("s6.1.gaussian", section="Section 6.1")
def gaussian_frequencies(X: Matrix(2, "d"), sigma: Positive):
    """The features sqrt(2) cos with frequencies N(0, I / sigma^2) are unbiased for the Gaussian (RBF) kernel; at
    two points, decided up to 0.1, by sampling.
    """
    return is_mean(Gaussian(sigma), X)


@paper.experiment("s6.1.laplace", section="Section 6.1")
def cauchy_frequencies(X: Matrix(2, "d"), sigma: Positive):
    """The features sqrt(2) cos with independent Cauchy frequencies over sigma are unbiased for the Laplace
    kernel; at two points, decided up to 0.1, by sampling.
    """
    return is_mean(Laplace(sigma), X)
