"""Kernels, feature spaces and their covariance operators Sigma and T
(Sections 2.2, 2.3 and 3.1, Appendix B, Proposition 3).
"""

import numpy as np

from boundcheck import (
    E,
    Matrix,
    Points,
    Positive,
    Real,
    Simplex,
    Vector,
    assume,
    at_most,
    cos,
    equal,
    exp,
    integers,
    maximum,
    sin,
    smallest_eigenvalue,
    solve,
    sqrt,
    trace,
)  # fmt: skip

from . import paper
from .finite_classification import FiniteClassification
from .losses import logistic, logistic_slope


def F(case, beta, lam):
    """L(beta^T phi) + lam ||beta||^2 / 2, logistic loss; phi(x_i) is row i of Z."""
    return case.risk(logistic, case.Z @ beta) + lam / 2 * (beta @ beta)


def squared_norm(K, f):
    """f^T K^-1 f, the squared norm of f in the space of K, for K positive definite."""
    return f @ solve(K, f[:, None])[:, 0]


@paper.identity("eq5.unbiased", section="Section 2.2, (4) and (5)")
def kernel_is_unbiased(case: FiniteClassification, M: integers(1, 3)):
    """E k_M = k at all pairs of inputs, for M <= 3."""
    return equal(E(case.K_M(M)), case.K)


@paper.identity("eq10-11.operators", section="Appendix B, (10) and (11)")
def covariance_operators(case: FiniteClassification, a: Vector(3), b: Vector(3), M: integers(1, 2)):
    """<f, Sigma g> = <f, g>, T = E phi (x) phi, E T_M = T for M <= 2, and tr T = E k(X, X) <= R^2.

    For f = K a and g = K b, Sigma g = E g(X) k(., X) = K (rho g), and <K a, K c> = a^T K c in H.
    """
    f, g = case.K @ a[: case.n], case.K @ b[: case.n]
    Sigma_g = case.K @ (case.rho * g)
    features = sqrt(case.rho)[:, None] * case.Z
    return (
        equal(a[: case.n] @ Sigma_g, np.sum(case.rho * f * g)),
        equal(case.T, (features * case.tau) @ features.T),
        equal(E(case.T_M(M)), case.T),
        equal(trace(case.T), case.rho @ np.diagonal(case.K)),
        at_most(trace(case.T), case.R**2),
    )


@paper.identity("eq11.conjugate", section="Appendix B, after (11)", step_of="eq10-11.operators")
def kernel_without_conjugation(w: Vector("m"), tau: Simplex("m"), x: Real, z: Real):
    """k(x, z) = E phi(x, w) phi(z, w), as the line below (11) has it, for phi(x, w) = exp(i w x); the real
    parts.
    """
    assume(maximum(abs(x), abs(z)) * np.max(abs(w)) <= 1000)
    kernel = np.sum(tau * (cos(w * x) * cos(w * z) + sin(w * x) * sin(w * z)))
    return equal(np.sum(tau * (cos(w * x) * cos(w * z) - sin(w * x) * sin(w * z))), kernel)


@paper.identity("eq11.conjugate.repaired", section="(4)", repairs="eq11.conjugate")
def kernel_with_conjugation(w: Vector("m"), tau: Simplex("m"), x: Real, z: Real):
    """With the conjugate of phi(z, w), as (4) has it, the real part of the kernel is E cos(w (x - z)), in dimension
    one.

    The imaginary parts cancel where tau is symmetric. For real features, as in eq10-11.operators, nothing
    changes.
    """
    assume(maximum(abs(x), abs(z)) * np.max(abs(w)) <= 1000)
    kernel = np.sum(tau * (cos(w * x) * cos(w * z) + sin(w * x) * sin(w * z)))
    return equal(np.sum(tau * cos(w * (x - z))), kernel)


@paper.remark("rff.complex-features.printed", section="Sections 2.2 and 2.3, Eq. (6)")
def fourier_features_with_real_coefficients(beta: Vector("M"), w: Vector("M"), x: Real):
    """beta^T phi_M(x) is real for beta in R^M and phi(x, w) = C' exp(i w x), as (6) and the loss
    l(beta^T phi_M(x), y) need.
    """
    assume(abs(x) * np.max(abs(w)) <= 1000)
    imaginary = np.sum(beta * sin(w * x))
    return equal(imaginary, 0 * imaginary)


@paper.remark("rff.complex-features", section="Sections 2.2 and 2.3", repairs="rff.complex-features.printed")
def fourier_features_as_real_pairs(x: Real, y: Real, w: Vector("M")):
    """The kernel of the features exp(i w x) is that of the real features (cos w x, sin w x), in its real
    part; in dimension one.

    Not decided here: with the printed features and real coefficients beta^T phi(x) is not real, and with
    complex ones a real function on an interval, but for 0, is of the form beta^T phi only for special w; the
    real pairs, 2 M coefficients, are what the paper means.
    """
    assume(maximum(abs(x), abs(y)) * np.max(abs(w)) <= 1000)
    pairs = cos(w * x) * cos(w * y) + sin(w * x) * sin(w * y)
    return equal(np.mean(pairs), np.mean(cos(w * (x - y))))


@paper.remark("asm2.gaussian-R1", section="Section 3.1, after Assumption 2")
def fourier_features_are_bounded_by_one(x: Points("n", "d"), w: Vector("d")):
    """Fourier features of the Gaussian kernel have R = 1: the pair (cos w^T x, sin w^T x) has norm one.

    The other real features, sqrt(2) cos(w^T x + b), have R = sqrt(2).
    """
    t = x @ w
    assume(abs(t) <= 1000)
    return equal(cos(t) ** 2 + sin(t) ** 2, 1)


@paper.remark("sec2.2.norms", section="Section 2.2, before (6)")
def norm_is_least_coefficient(Phi: Matrix("n", "M"), beta: Vector("M")):
    """||h|| in H_M is the least ||beta|| with h = Phi beta / sqrt(M), so that (6) is the problem in H_M;
    where K_M = Phi Phi^T / M is invertible on the inputs.

    The least norm is that of Phi^T K_M^-1 h / sqrt(M).
    """
    M = Phi.shape[1]
    K = Phi @ Phi.T / M
    assume(smallest_eigenvalue(K) > 1e-6)
    h = Phi @ beta / sqrt(M)
    least = Phi.T @ solve(K, h[:, None])[:, 0] / sqrt(M)
    return (
        equal(Phi @ least / sqrt(M), h),
        equal(least @ least, squared_norm(K, h)),
        at_most(least @ least, beta @ beta),
    )


@paper.remark("sec2.2.HM-not-subset", section="Section 2.2")
def plane_waves_are_not_in_the_gaussian_space(w: Real, n: integers(1, 30)):
    """H_M need not lie in H: a plane wave on {1, ..., n}, n <= 30, has a squared norm of at least n / 3.6 in
    the space of exp(-(x - y)^2 / 2), cosine and sine together.

    So the norm on the line is infinite. The norm of a function is at least that of its values, c^T K^-1 c + s^T
    K^-1 s for cosine and sine together, and ||K|| <= sum_j exp(-j^2 / 2) <= 1 + sqrt(2 pi).
    """
    x = np.arange(1, n + 1)
    assume(abs(w) <= 1000)
    K = exp(-((x[:, None] - x) ** 2) / 2)
    return at_most(n / 3.6, squared_norm(K, cos(w * x)) + squared_norm(K, sin(w * x)))


@paper.identity("sec2.3.gradient", section="Section 2.3")
def stochastic_gradient_is_unbiased(
    case: FiniteClassification, beta: Vector(3), gamma: Vector(3), lam: Positive
):
    """l'(beta^T phi(X), Y) phi(X) + lam beta has the mean of a gradient of F(beta) = L(beta^T phi) + lam
    ||beta||^2 / 2, for the logistic loss at margins up to 50.

    F is convex and (R^2 M / 4 + lam)-smooth: 0 <= F(gamma) - F(beta) - <gradient, gamma - beta>,
    with lam / 2 and (R^2 M / 4 + lam) / 2 times ||gamma - beta||^2 on either side.
    """
    M = len(case.tau)
    beta, gamma = beta[:M], gamma[:M]
    assume(maximum(np.max(abs(case.Z @ beta)), np.max(abs(case.Z @ gamma))) <= 50)
    signed = np.concatenate([case.Z, -case.Z])
    law = np.concatenate([case.rho * case.eta, case.rho * (1 - case.eta)])
    gradient = law @ (logistic_slope(signed @ beta)[:, None] * signed) + lam * beta
    gain = F(case, gamma, lam) - F(case, beta, lam) - np.sum(gradient * (gamma - beta))
    square = np.sum((gamma - beta) ** 2)
    return at_most(lam / 2 * square, gain), at_most(gain, (case.R**2 * M / 4 + lam) / 2 * square)
