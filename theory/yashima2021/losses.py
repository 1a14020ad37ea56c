"""The loss functions of the paper, and its Assumptions 1, 4 and 8 on them
(Sections 2.1, 3.1 and 4, Appendix F).
"""

import numpy as np

from boundcheck import (
    Real,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    exp,
    log,
    maximum,
    minimum,
    norm,
)  # fmt: skip

from . import paper
from .finite_classification import FiniteClassification


def logistic(v):
    """log(1 + exp(-v)), without overflow."""
    return maximum(-v, 0) + np.log1p(exp(-abs(v)))


def logistic_slope(v):
    """The derivative of the logistic loss, -1 / (1 + exp(v))."""
    return -1 / (1 + exp(v))


def curvature(v):
    """The second derivative of the logistic loss, 1 / (2 + exp(v) + exp(-v))."""
    return 1 / (2 + exp(v) + exp(-v))


def hinge(v):
    """max(0, 1 - v)."""
    return maximum(1 - v, 0)


def kinked(a, b):
    """v -> sum_j max(0, b_j - a_j v): non-negative, convex, and Lipschitz with the constant sum_j |a_j|."""
    return lambda v: np.sum(maximum(b - a * v[..., None], 0), axis=-1)


@paper.remark("eq1.bayes", section="Section 2.1, after (1)")
def bayes_classifier(case: FiniteClassification, g: Vector(3)):
    """E[Y | x] = 2 eta - 1 has the least classification error R, where sgn(0) = -1."""
    g = g[: case.n]
    error = np.sum(case.rho * np.where(g > 0, 1 - case.eta, case.eta))
    least = np.sum(case.rho * np.where(2 * case.eta - 1 > 0, 1 - case.eta, case.eta))
    return at_most(least, error)


@paper.remark("eq2.calibration", section="Section 2.1")
def classification_calibrated(mu: Unit, alpha: Real):
    """Logistic and hinge loss are classification calibrated: where mu is not 1/2, a prediction alpha of the
    wrong sign is not optimal.

    That is C(alpha) = mu phi(alpha) + (1 - mu) phi(-alpha) stays above its infimum if alpha (2 mu - 1) <= 0;
    lower bounds of the distances are (2 mu - 1)^2 / 2 (Pinsker's inequality) and |2 mu - 1|.
    """
    assume(alpha * (2 * mu - 1) <= 0)
    entropy = -mu * log(mu) - (1 - mu) * log(1 - mu)
    return (
        at_most(entropy + (2 * mu - 1) ** 2 / 2, mu * logistic(alpha) + (1 - mu) * logistic(-alpha)),
        at_most(2 * minimum(mu, 1 - mu) + abs(2 * mu - 1), mu * hinge(alpha) + (1 - mu) * hinge(-alpha)),
    )


@paper.remark("asm1.lipschitz-L", section="Section 3.1, after Assumption 1")
def risk_is_lipschitz(case: FiniteClassification, a: Vector("k"), b: Vector("k"), g: Vector(3), h: Vector(3)):
    """|L(g) - L(h)| <= G E |g - h| <= G ||g - h|| in L2(rho), for losses sum_j max(0, b_j - a_j v),
    Lipschitz with G = sum_j |a_j|.
    """
    g, h, phi, G = g[: case.n], h[: case.n], kinked(a, b), np.sum(abs(a))
    mean = np.sum(case.rho * abs(g - h))
    return at_most(abs(case.risk(phi, g) - case.risk(phi, h)), G * mean), at_most(mean, case.L2(g - h))


@paper.remark("asm1.logistic-hinge", section="Sections 3.1 and 4")
def constants_of_the_losses(a: between(-50, 50), b: between(-50, 50)):
    """Logistic and hinge loss are Lipschitz with G = 1, and the logistic loss is smooth with L = 1/4; on [-50,
    50].
    """
    return (
        at_most(abs(logistic(a) - logistic(b)), abs(a - b)),
        at_most(abs(hinge(a) - hinge(b)), abs(a - b)),
        at_most(abs(logistic_slope(a) - logistic_slope(b)), abs(a - b) / 4),
        at_most(curvature(a), 1 / 4),
    )


@paper.remark("asm4.H-smooth", section="Section 4, after Assumption 4")
def loss_is_smooth_in_H(z: Vector("M"), beta: Vector("M"), gamma: Vector("M")):
    """<d l(g, z) - d l(g', z), g - g'> <= L R^2 ||g - g'||^2 in the space of M features z(x); logistic loss,
    L = 1/4, |g| <= 50.

    g(x) = beta^T z / sqrt(M) has the norm ||beta|| where beta has no part orthogonal to all z; a part that it
    has only enlarges the right-hand side.
    """
    R, M = np.max(abs(z)), len(z)
    u, v = beta @ z / np.sqrt(M), gamma @ z / np.sqrt(M)
    assume(maximum(abs(u), abs(v)) <= 50)
    return at_most((logistic_slope(u) - logistic_slope(v)) * (u - v), R**2 / 4 * norm(beta - gamma) ** 2)


@paper.definition("asm8", section="Appendix F")
def local_strong_convexity(U: between(0, 30), s: between(-1, 1), t: between(-1, 1)):
    """The logistic loss is mu(U)-strongly convex on [-U, U] with mu(U) = 1 / (2 + e^U + e^-U), its curvature
    at U; for U <= 30.
    """
    a, b = s * U, t * U
    return at_most(curvature(U) / 2 * (a - b) ** 2, logistic(a) - logistic(b) - logistic_slope(b) * (a - b))
