"""How fast g_{M,lam} approaches g_lam in M: Theorem 1 in the short form, its comparisons, and sharper bounds
(Section 3.1).
"""

import numpy as np

from boundcheck import (
    P,
    Positive,
    Simplex,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    integers,
    log,
    maximum,
    norm,
    opnorm,
    quantity,
    rate,
    sqrt,
)  # fmt: skip

from . import paper
from .concentration import beta_of, deviation
from .finite_classification import FiniteClassification
from .minimisers import clipped_minimiser, logistic_pair, ridge_minimiser

SIZES = (4, 8, 16, 32, 64)


def short_form(R, delta, M, C, size, lam):
    """(R^4 log(R / delta) / M)^(1/8) C R ||g_lam|| / lam^(3/4): the display of Theorem 1 for
    p = 0 and G = 1.
    """
    return sqrt(sqrt(sqrt(R**4 * log(R / delta) / M))) * C * R * size / sqrt(lam * sqrt(lam))


def distance_if_smooth(D, lam, T, G, L):
    """The bound on ||g_lam - g_{M,lam}|| in L2(rho) for a G-Lipschitz, L-smooth loss; D = ||T - T_M|| and
    T = ||T||.
    """
    return G * D / lam * (1 + sqrt(L * T / lam) / 2)


def one_hot_kernel(z, tau, M):
    """Diagonal of K_M where feature i is z_i at input i and 0 elsewhere, (n,)."""
    return z**2 * quantity(lambda rng, size: rng.multinomial(M, tau, size)) / M


@paper.theorem("theorem1.main.units", section="Section 3.1, Theorem 1")
def short_form_in_natural_units(
    z: Vector("n"), tau: Simplex("n"), rho: Simplex("n"), y: Vector("n"), lam: Unit, delta: Unit,
    M: integers(1, 8),
):  # fmt: skip
    """For the hinge loss and features with an input each, p = 0, ||g_lam - g_{M,lam}||_inf is at most 10
    times the display, but for 2 delta, in the units where the terms that it merges are comparable: R = G = 1,
    loss 1 at 0, lam < 1 and ||g_lam|| >= 1; for M <= 8, where the bound is above 2 and says nothing.

    Without them, theorem1.main.explicit.
    """
    z = maximum(abs(z), 0.001) / np.max(maximum(abs(z), 0.001))
    share = rho * y / maximum(1, np.max(abs(y)))
    g = clipped_minimiser(z**2 * tau, share, lam)
    assume(np.min(tau * rho) > 0)
    size = sqrt(np.sum(g**2 / (z**2 * tau)))
    assume(size >= 1)
    g_M = one_hot_kernel(z, tau, M).map(lambda k: clipped_minimiser(k, share, lam))
    bound = 10 * short_form(1, delta, M, 1 / sqrt(np.min(rho)), size, lam)
    return P(np.max(np.abs(g_M - g)) <= bound) >= 1 - 2 * delta


@paper.theorem("theorem1.main.explicit", section="Section 3.1, Theorem 1")
def short_form_in_all_units(R: Positive, tau: Unit, lam: Positive, delta: Unit, M: integers(1, 8)):
    """The display of Theorem 1 with the constant 1000, for all lam, all R > delta, and M <= 8; for the hinge loss,
    one input and one feature, so that p = 0.

    A reading: the paper names no constant, and a constant that depends on R, G and lam is not excluded.
    One for all problems is: phi -> c phi with lam -> c^2 lam changes neither minimiser, and multiplies the
    display by about c^(p - 3/2 + min(1 - p, 1/2)), a negative power. One input, one feature R, drawn with
    probability tau, label 1, hinge loss.
    """
    assume(R > delta)
    k = R**2 * quantity(lambda rng, size: rng.binomial(M, tau, size)) / M
    g = clipped_minimiser(R**2 * tau, 1, lam)
    bound = 1000 * short_form(R, delta, M, 1, g / (R * sqrt(tau)), lam)
    return P(np.abs(k.map(lambda k: clipped_minimiser(k, 1, lam)) - g) <= bound) >= 1 - 2 * delta


@paper.theorem("theorem1.main.log", section="Section 3.1, Theorem 1")
def short_form_without_a_logarithm(delta: between(0.01, 0.4), tau: Unit, lam: Positive, M: integers(1, 8)):
    """At R = delta the display of Theorem 1 is 0, whatever its constant: g_{M,lam} = g_lam but for 2 delta;
    for the hinge loss, one input, one feature, M <= 8 and delta from .01 to .4.

    One input, one feature R, drawn with probability tau, label 1, hinge loss; R may be any bound of the
    features.
    """
    k = delta**2 * quantity(lambda rng, size: rng.binomial(M, tau, size)) / M
    g = clipped_minimiser(delta**2 * tau, 1, lam)
    return P(np.abs(k.map(lambda k: clipped_minimiser(k, 1, lam)) - g) <= 0) >= 1 - 2 * delta


@paper.theorem(
    "theorem1.main.explicit.repaired", section="Section 3.1, Theorem 1", repairs="theorem1.main.explicit"
)
def rate_in_all_units(case: FiniteClassification, b: between(-4, 2), M: integers(1, 8), delta: Unit):
    """For the squared loss and p = 0 ||g_lam - g_{M,lam}||_inf <= C (G / lam) (1 + R (L / lam)^(1/2) / 2) R^2
    (2 beta / (3 M) + (2 beta / M)^(1/2)) but for delta; lam from 1e-4 R^2 to 100 R^2, M <= 8.

    beta = log(2 R^2 / (||T|| delta)). Proof, for G-Lipschitz, L-smooth losses: theorem1.sharper-smooth with
    Lemma 1; for a loss that is not smooth the rate is M^(-1/4), by theorem1.sharper-lipschitz. Looked at for
    the squared loss up to |1 - v| = G and linear beyond, where no minimiser goes: G = 1 + R lam^(-1/2), L =
    1, lam = R^2 10^b.
    """
    lam = case.R**2 * 10**b
    D = deviation(case.R, M, beta_of(case.R, opnorm(case.T), delta))
    bound = case.C * distance_if_smooth(D, lam, case.R**2, G=1 + case.R / sqrt(lam), L=1)
    g = ridge_minimiser(case, case.T, lam)
    g_M = case.T_M(M).map(lambda T_M: ridge_minimiser(case, T_M, lam))
    return P(np.max(np.abs((g_M - g) / sqrt(case.rho))) <= bound) >= 1 - delta


def mean_over_coins(M, error):
    """E error(k_M), k_M (M + 1, 2) the diagonals of K_M for two equally likely features with an input
    each.
    """
    weights = np.ones(1)
    for _ in range(M):
        weights = np.convolve(weights, [0.5, 0.5])
    heads = np.arange(M + 1)
    return np.sum(weights * error(np.stack([heads, M - heads], axis=1) / M))


@paper.remark("theorem1.rate", section="Section 3.1, after Theorem 1")
def rate_in_sup_norm(y: Unit, lam: between(0.01, 2)):
    """||g_lam - g_{M,lam}||_inf falls at least like M^(-1/8), in the mean, as a rate over M = 4, .., 64; for the
    hinge loss and two features with an input each, lam from .01 to 2.

    Equally likely features, E[Y | x] = y. What is seen is M^(-1/2).
    """
    g = clipped_minimiser(1 / 2, y / 2, lam)
    return rate(
        {
            M: mean_over_coins(M, lambda k: np.max(abs(clipped_minimiser(k, y / 2, lam) - g), axis=1))
            for M in SIZES
        },
        at_most=-1 / 8,
    )


@paper.remark("theorem1.L2-remark", section="Section 3.1, after Theorem 1")
def rate_in_L2(y: Unit, lam: between(0.01, 2)):
    """||g_lam - g_{M,lam}|| in L2(rho) falls at least like M^(-1/8), in the mean, as a rate over M = 4, .., 64;
    looked at as theorem1.rate.
    """
    g = clipped_minimiser(1 / 2, y / 2, lam)
    return rate(
        {M: mean_over_coins(M, lambda k: norm(clipped_minimiser(k, y / 2, lam) - g)) for M in SIZES},
        at_most=-1 / 8,
    )


@paper.remark("theorem1.comparison-krr", section="Section 3.1, Comparison to Previous Results")
def rate_for_the_squared_loss(y: Unit, lam: between(0.01, 2)):
    """For the squared loss ||g_lam - g_{M,lam}|| in L2(rho) falls at least like M^(-1/2), but for .05 in the
    exponent, in the mean, as a rate over M = 4, .., 64; inputs, features and lam as in theorem1.rate.
    """
    errors = {
        M: mean_over_coins(M, lambda k: norm(y * (k / (k + 2 * lam) - 1 / (1 + 4 * lam)))) for M in SIZES
    }
    return rate(errors, at_most=-1 / 2, margin=0.05)


@paper.remark("theorem1.comparison-gram", section="Section 3.1, Comparison to Previous Results")
def hinge_loss_on_an_empirical_measure(k: Vector("n"), k_M: Vector("n"), y: Vector("n"), lam: Positive):
    """For the hinge loss on n points ||g_lam - g_{M,lam}||_inf = O(||K / n - K_M / n||^(1/4)), K / n being T;
    for diagonal K and K_M and given n, R and lam.

    Decided: with (1 + sqrt 2) n^(1/2) R^(3/2) / lam for the constant, from theorem1.sharper-lipschitz.
    """
    k, k_M, n = abs(k), abs(k_M), len(k)
    R = sqrt(maximum(np.max(k), np.max(k_M)))
    share = y / maximum(1, np.max(abs(y))) / n
    gap = np.max(abs(clipped_minimiser(k, share, lam) - clipped_minimiser(k_M, share, lam)))
    return at_most(gap, (1 + sqrt(2)) * sqrt(n * R**3) / lam * sqrt(sqrt(np.max(abs(k - k_M)) / n)))


@paper.theorem("theorem1.sharper-lipschitz", section="Section 3.1, instead of Theorem 1")
def distance_for_lipschitz_losses(
    k: Vector("n"), k_M: Vector("n"), y: Vector("n"), rho: Simplex("n"), lam: Positive
):
    """For the hinge loss and diagonal kernels ||g_lam - g_{M,lam}|| <= (G / lam) ((2 ||T|| D)^(1/2) + D) in
    L2(rho), D = ||T - T_M||: M^(-1/4), without g_*.

    Proof. g = -T u / lam and g_M = -T_M u_M / lam with subgradients u, u_M of the conditional risk at them,
    |u| <= G. Convexity: <u - u_M, g - g_M> >= 0, so that v = u - u_M has <v, T v> <= <v, (T_M - T)
    u_M> <= 2 G^2 D; and lam ||g - g_M|| <= ||T v|| + ||(T - T_M) u_M|| <= ||T||^(1/2) (2 G^2 D)^(1/2) + D G.
    In L_inf, by Assumption 3, C (2 G R / lam)^p times its power 1 - p. Looked at for the hinge loss and
    diagonal kernels.
    """
    k, k_M, share = abs(k), abs(k_M), rho * y / maximum(1, np.max(abs(y)))
    gap = clipped_minimiser(k, share, lam) - clipped_minimiser(k_M, share, lam)
    D = np.max(rho * abs(k - k_M))
    return at_most(sqrt(np.sum(rho * gap**2)), (sqrt(2 * np.max(rho * k) * D) + D) / lam)


@paper.theorem("theorem1.sharper-smooth", section="Section 3.1, instead of Theorem 1")
def distance_for_smooth_losses(case: FiniteClassification, share: Simplex(3), lam: Positive):
    """For the logistic loss ||g_lam - g_{M,lam}|| <= (G D / lam) (1 + (L ||T|| / lam)^(1/2) / 2) in L2(rho),
    D = ||T - T_M||, of order M^(-1/2) by Lemma 1; for R^2 <= 20 lam.

    Proof, for all L-smooth losses. As for Lipschitz losses, with <v, g - g_M> >= ||v||^2 / L: <v, T v> + lam
    / L ||v||^2 <= D G ||v||, hence <v, T v> <= D^2 G^2 L / (4 lam). Looked at for G = 1 and L = 1/4, up to
    the radius of h.
    """
    pair = logistic_pair(case, share, lam)
    D = opnorm(case.T - pair.T_M)
    gap = norm(pair.root @ pair.h - pair.root_M @ pair.h_M) - 2 * case.R * pair.radius
    return at_most(gap, distance_if_smooth(D, lam, opnorm(case.T), G=1, L=1 / 4))
