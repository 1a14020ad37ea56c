"""The link function h_*, the least conditional risk l_* and its Bregman divergence
(Section 4, Assumptions 5 to 7).
"""

import numpy as np

from boundcheck import (
    Unit,
    Vector,
    assume,
    at_most,
    between,
    equal,
    exp,
    integers,
    log,
    maximum,
    minimum,
    solve,
    sqrt,
)

from . import paper
from .finite_classification import FiniteClassification
from .losses import curvature, logistic


def h(mu):
    """The link function of the logistic loss, log(mu / (1 - mu))."""
    return log(mu) - log(1 - mu)


def entropy(mu):
    """l_* of the logistic loss."""
    return -mu * log(mu) - (1 - mu) * log(1 - mu)


def bregman(value, slope, a, b):
    """d(a, b) = -l_*(b) + l_*(a) + l_*'(a) (b - a)."""
    return -value(b) + value(a) + slope(a) * (b - a)


def kullback_leibler(p, q):
    """The divergence of the coin p from the coin q."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


@paper.identity("link.logistic", section="Section 4, after Assumption 6")
def link_of_the_logistic_loss(mu: Unit, alpha: between(-40, 40)):
    """For the logistic loss h_*(mu) = log(mu / (1 - mu)) and l_* is the entropy, against |alpha| < 40, and
    (mu - 1/2) h_*(mu) >= 0.
    """
    value = mu * logistic(alpha) + (1 - mu) * logistic(-alpha)
    least = mu * logistic(h(mu)) + (1 - mu) * logistic(-h(mu))
    return at_most(entropy(mu), value), equal(least, entropy(mu)), at_most(0, (mu - 1 / 2) * h(mu))


@paper.remark("link.concave", section="Section 4")
def least_conditional_risk_is_concave(b: Vector("k"), a: Vector("k"), p: Unit, q: Unit, t: Unit):
    """l_* is concave, for every loss sum_j max(0, b_j - a_j v) with a_j >= 1/2, whose infima lie at the kinks;
    and d >= 0 for the logistic loss.
    """
    a = abs(a) + 1 / 2
    kinks = np.concatenate([b / a, -b / a])
    phi = np.sum(maximum(b - a * kinks[:, None], 0), axis=1)
    phi_at_minus = np.sum(maximum(b + a * kinks[:, None], 0), axis=1)

    def least(mu):
        return np.min(mu * phi + (1 - mu) * phi_at_minus)

    chord = (1 - t) * least(p) + t * least(q)
    return at_most(chord, least((1 - t) * p + t * q)), at_most(0, bregman(entropy, lambda x: -h(x), p, q))


@paper.identity("link.excess-risk", section="Section 4, after Assumption 7")
def excess_risk_is_a_divergence(case: FiniteClassification, g: Vector(3)):
    """L(g) - L(g_*) = E d(h_*^-1(g(X)), eta(X)), for the logistic and the exponential loss, |g| <= 20 and eta
    in (0, 1).

    Exponential loss: h_*(mu) = log(mu / (1 - mu)) / 2 and l_*(mu) = 2 sqrt(mu (1 - mu)).
    """
    g, eta = g[: case.n], case.eta
    assume(minimum(eta, 1 - eta) > 0)
    assume(abs(g) <= 20)
    log_div = bregman(entropy, lambda x: -h(x), 1 / (1 + exp(-g)), eta)
    exp_div = bregman(
        lambda x: 2 * sqrt(x * (1 - x)), lambda x: (1 - 2 * x) / sqrt(x * (1 - x)), 1 / (1 + exp(-2 * g)), eta
    )
    return (
        equal(case.risk(logistic, g) - case.risk(logistic, h(eta)), np.sum(case.rho * log_div)),
        equal(
            case.risk(lambda v: exp(-v), g) - case.risk(lambda v: exp(-v), h(eta) / 2),
            np.sum(case.rho * exp_div),
        ),
    )


@paper.identity("link.excess-risk.range", section="Section 4, after Assumption 7")
def excess_risk_outside_of_the_range(mu: Unit, g: between(-3, 3)):
    """L(g) - L(g_*) = d(h_*^-1(g), mu) for every differentiable loss whose h_* is differentiable and
    invertible, here max(0, 1 - v)^2; one input, |g| < 3.

    There h_*(mu) = 2 mu - 1 has the range (-1, 1) and l_*(mu) = 4 mu (1 - mu), so that d(a, b) = 4 (a - b)^2.
    For g outside of the range h_*^-1(g) is read as the end of [0, 1] that is nearest.
    """
    a = maximum(0, minimum(1, (1 + g) / 2))
    excess = mu * maximum(1 - g, 0) ** 2 + (1 - mu) * maximum(1 + g, 0) ** 2 - 4 * mu * (1 - mu)
    return equal(excess, 4 * (a - mu) ** 2)


@paper.identity(
    "link.excess-risk.range.repaired",
    section="Section 4, after Assumption 7",
    repairs="link.excess-risk.range",
)
def excess_risk_is_at_least_the_divergence(mu: Unit, g: between(-3, 3)):
    """For max(0, 1 - v)^2 the excess risk is at least the divergence, and equal to it for |g| <= 1; one
    input, |g| <= 3.

    Proof. For g > 1 it is (1 - mu) ((1 + g)^2 - 4 mu) >= 4 (1 - mu)^2; g < -1 is the same with 1 - mu.
    """
    clipped, a = maximum(-1, minimum(1, g)), maximum(0, minimum(1, (1 + g) / 2))
    least, d = 4 * mu * (1 - mu), 4 * (a - mu) ** 2
    risks = [mu * maximum(1 - v, 0) ** 2 + (1 - mu) * maximum(1 + v, 0) ** 2 for v in (g, clipped)]
    return at_most(d, risks[0] - least), equal(risks[1] - least, d)


@paper.identity("link.KL", section="Section 4, after Assumption 7")
def divergence_of_the_logistic_loss(a: Unit, b: Unit):
    """For the logistic loss d(a, b) is the Kullback-Leibler divergence of b from a, which is at least
    2 (a - b)^2.
    """
    d = bregman(entropy, lambda x: -h(x), a, b)
    return equal(d, kullback_leibler(b, a)), at_most(2 * (a - b) ** 2, d)


@paper.remark("link.m-delta", section="Section 4, before Theorem 3")
def low_noise_bounds_the_bayes_rule(mu: Unit, delta: between(0, 0.5)):
    """For the logistic loss |mu - 1/2| > delta gives |h_*(mu)| >= m(delta) = max(h_*(1/2 + delta),
    |h_*(1/2 - delta)|) = log((1 + 2 delta) / (1 - 2 delta)).
    """
    assume(abs(mu - 1 / 2) > delta)
    m = maximum(h(1 / 2 + delta), abs(h(1 / 2 - delta)))
    return at_most(m, abs(h(mu))), equal(m, log((1 + 2 * delta) / (1 - 2 * delta)))


@paper.remark("asm7.experiment", section="Section 5 with Assumption 7")
def bayes_rule_of_the_experiment_is_in_H(sigma: between(0.5, 2), k: integers(1, 4)):
    """The experiment satisfies Assumption 7: g_* = +-log 4, constant on each square, lies in the Gaussian
    space; here with norm <= 100 and bandwidths from 1/2 to 2.

    A reading: the paper does not name the assumption, nor sigma; 100 is ours, and any other bound fails
    with more points. From its values at 2 k points (t, 1/2), t = +-(0.1, 0.4, 0.7, 1), the norm is at least
    (y^T K^-1 y)^(1/2). No bound at all holds: functions of the space are analytic, and one that is constant
    on a segment is constant on its line, through squares of both signs.
    """
    t = np.array([0.1, 0.4, 0.7, 1.0])[: int(k)]
    x = np.concatenate([-t[::-1], t])
    K = exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))
    y = log(4) * np.sign(x)
    return at_most(y @ solve(K, y[:, None])[:, 0], 100**2)


@paper.remark("asm7.gstar-in-H", section="Section 4, after Assumption 7")
def bayes_rule_is_the_link(case: FiniteClassification, g: Vector(3)):
    """Assumptions 6 and 7 give g_* = h_*(eta(X)) almost surely: every other g has a larger risk; logistic
    loss, finitely many inputs, |g| <= 20.

    With U >= |g|, |g_*| the excess risk is at least mu(U) / 2 times the squared distance. That g_* lies in H
    is assumed.
    """
    g, eta = g[: case.n], case.eta
    assume(minimum(eta, 1 - eta) > 0)
    assume(abs(g) <= 20)
    U = maximum(np.max(abs(g)), np.max(abs(h(eta))))
    return at_most(
        curvature(U) / 2 * case.L2(g - h(eta)) ** 2, case.risk(logistic, g) - case.risk(logistic, h(eta))
    )
