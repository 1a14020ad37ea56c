"""Theorem 1 in the complete form, and every step of its proof (Appendix C)."""

import numpy as np

from boundcheck import (
    Count,
    P,
    Positive,
    Simplex,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    maximum,
    minimum,
    norm,
    opnorm,
    smallest_eigenvalue,
    sqrt,
)  # fmt: skip

from . import paper
from .concentration import beta_of, enough_features
from .finite_classification import FiniteClassification
from .link import h as link
from .losses import logistic
from .minimisers import logistic_pair
from .operators import squared_norm


def first_term(eps, C, size, p):
    """The first entry of xi, for ||g_*|| = size."""
    return (eps / (2 ** (p + 1) * C * size)) ** (1 / (1 - p))


def terms(eps, R, G, lam, size, loss):
    """The last three entries of xi, for ||g_*|| = size and L(g_*) = loss."""
    return (
        lam * eps**2 / (48 * R**2 * G * size),
        sqrt(lam**3 * eps**4 / (1152 * R**4 * G**2 * loss)),
        (lam**3 * eps**4 / (1152 * R**4 * G**3 * size)) ** (1 / 3),
    )


def risk(pair, root, h):
    """L(g) for the logistic loss."""
    return pair.case.risk(logistic, pair.values(root, h))


@paper.theorem("theorem1.complete", section="Appendix C, Theorem 1")
def minimisers_are_close(case: FiniteClassification, lam: Positive, share: between(0, 0.5), t: Positive):
    """With xi the least of four terms, the least M of Lemma 2 gives ||g_lam - g_{M,lam}|| <= eps in L_inf but for
    2 delta; for a hinge loss on finitely many inputs, p = 0.

    L there is the Lipschitz constant G of Assumption 1, and g_* is assumed to lie in H. Looked at for
    the hinge loss max(0, c - v) with c = R^2 / lam, so that no minimiser reaches the kink: g_lam = K rho
    (2 eta - 1) / lam, g_* = c sgn(2 eta - 1), G = 1 and p = 0. |g_lam - g_{M,lam}| <= 2 R^2 / lam needs
    no theorem, so that eps is a share of it below one half; then R / xi >= 48, and M >= 1.1e8 whatever the
    instance. Here delta = exp(-t).
    """
    delta, b, c = exp(-t), case.rho * (2 * case.eta - 1), case.R**2 / lam
    assume(smallest_eigenvalue(case.K) > 1e-9 * case.R**2)
    assume(abs(b) > 0)
    eps = share * 2 * case.R**2 / lam
    size = sqrt(squared_norm(case.K, c * np.sign(b)))
    loss = 2 * c * np.sum(case.rho * minimum(case.eta, 1 - case.eta))
    second, third, fourth = terms(eps, case.R, 1, lam, size, loss + 1e-300)
    xi = minimum(minimum(first_term(eps, case.C, size, 0), second), minimum(third, fourth))
    M = at_least(enough_features(case.R, xi, beta_of(case.R, opnorm(case.T), delta)), Count)
    return P(np.max(np.abs(case.K_M(M) @ b - case.K @ b)) <= eps * lam) >= 1 - 2 * delta


@paper.step("theorem1.step16-17", section="Appendix C, (16) and (17)", step_of="theorem1.complete")
def strong_convexity(case: FiniteClassification, share: Simplex(3), lam: Positive, d: Vector(3)):
    """L(g_lam) + lam / 2 ||g_lam||^2 + lam / 2 ||g_lam - g||^2 <= L(g) + lam / 2 ||g||^2 for all g, in H and
    in H_M; logistic loss, finitely many inputs, R^2 <= 20 lam.

    For h within a distance r of the minimiser the inequality holds up to 2 r lam ||h - d|| and a term in r^2.
    """
    pair, d = logistic_pair(case, share, lam), d[: case.n]

    def spare(root, h):
        slack = lam * pair.radius * (2 * norm(h - d) + 2 * pair.radius)
        left = risk(pair, root, h) + lam / 2 * (h @ h + (h - d) @ (h - d))
        return at_most(left - slack, risk(pair, root, d) + lam / 2 * (d @ d))

    return spare(pair.root, pair.h), spare(pair.root_M, pair.h_M)


@paper.step("theorem1.step20", section="Appendix C, (18) to (20)", step_of="theorem1.complete")
def minimisers_in_both_spaces(case: FiniteClassification, share: Simplex(3), lam: Positive):
    """||g_lam - gt_{M,lam}||^2 + ||g_{M,lam} - gt_lam||^2 <= 2 G xi / lam (||g_lam|| + ||g_{M,lam}||);
    logistic loss, finitely many inputs, R^2 <= 20 lam.

    G = 1, with the least xi that Lemma 2 allows, ||T^(1/2) - T_M^(1/2)||. Both distances are at most ||h -
    h_M||; that is what stands here, less what the radius of the computed h can hide.
    """
    pair = logistic_pair(case, share, lam)
    xi, r = opnorm(pair.root - pair.root_M), pair.radius
    distance = maximum(norm(pair.h - pair.h_M) - 2 * r, 0)
    return at_most(2 * distance**2, 2 * xi / lam * (norm(pair.h) + norm(pair.h_M) + 2 * r))


@paper.step("theorem1.LG-clash", section="Appendix C, (18) and (19)", step_of="theorem1.complete")
def lipschitz_constant_by_its_letter(a: between(-50, 50), b: between(-50, 50)):
    """|L(g) - L(h)| <= L ||g - h|| with the L of Assumption 4, which is 1/4 for the logistic loss;
    at one input, on [-50, 50].

    A reading by the letter: Appendix C writes L for the constant that Assumption 1 calls G, and says that
    it is that of Assumption 1.
    """
    return at_most(abs(logistic(a) - logistic(b)), abs(a - b) / 4)


@paper.step(
    "theorem1.LG-clash.repaired",
    section="Appendix C, (18) and (19)",
    step_of="theorem1.complete",
    repairs="theorem1.LG-clash",
)
def lipschitz_constant_is_G(a: between(-50, 50), b: between(-50, 50)):
    """|L(g) - L(h)| <= G ||g - h|| for the logistic loss, whose G of Assumption 1 is 1; at one input, on
    [-50, 50].

    Proof: |d/dv log(1 + exp(-v))| = 1 / (1 + exp(v)) < 1.
    """
    return at_most(abs(logistic(a) - logistic(b)), abs(a - b))


@paper.step("theorem1.step21", section="Appendix C, (21)", step_of="theorem1.complete")
def norm_of_the_approximate_minimiser(case: FiniteClassification, share: Simplex(3), lam: Positive):
    """lam / 2 ||g_{M,lam}||^2 <= L(g_lam) + G xi ||g_lam|| + lam / 2 ||g_lam||^2, up to the radius of h;
    logistic loss, finitely many inputs, R^2 <= 20 lam.
    """
    pair = logistic_pair(case, share, lam)
    xi, r, h, h_M = opnorm(pair.root - pair.root_M), pair.radius, norm(pair.h), norm(pair.h_M)
    slack = r * (case.R + xi + 2 * lam * (h + h_M + r))
    return at_most(lam / 2 * h_M**2, risk(pair, pair.root, pair.h) + xi * h + lam / 2 * h**2 + slack)


@paper.step("theorem1.step22", section="Appendix C, (22)", step_of="theorem1.complete")
def distance_in_the_approximate_space(case: FiniteClassification, share: Simplex(3), lam: Positive):
    """||g_{M,lam} - gt_lam||_inf is at most R times the largest of three terms in xi, G, ||g_*||, L(g_*) and
    lam; logistic loss, finitely many inputs, R^2 <= 20 lam.

    (12 G xi ||g_*|| / lam)^(1/2), (72 G^2 xi^2 L(g_*) / lam^3)^(1/4) and (72 G^3 xi^3 ||g_*|| / lam^3)^(1/4).
    K invertible, eta in (0, 1). Also ||g_lam|| <= ||g_*||, and the same for the regularised risks.
    """
    pair = logistic_pair(case, share, lam)
    assume(smallest_eigenvalue(case.K) > 1e-6 * case.R**2)
    assume(minimum(case.eta, 1 - case.eta) > 0)
    xi, r, g = opnorm(pair.root - pair.root_M), pair.radius, link(case.eta)
    size, loss = sqrt(squared_norm(case.K, g)), case.risk(logistic, g)
    fourth = maximum(72 * xi**2 * loss / lam**3, 72 * xi**3 * size / lam**3)
    bound = case.R * maximum(sqrt(12 * xi * size / lam), sqrt(sqrt(fourth)))
    distance = np.max(abs(pair.values(pair.root_M, pair.h_M - pair.h))) - 2 * r * case.R
    least = risk(pair, pair.root, pair.h) + lam / 2 * (pair.h @ pair.h)
    best = loss + lam / 2 * size**2
    return (
        at_most(distance, bound),
        at_most(norm(pair.h) - r, size),
        at_most(least - (case.R + lam * norm(pair.h)) * r, best),
    )


@paper.step("theorem1.step23", section="Appendix C, (23)", step_of="theorem1.complete")
def distance_to_the_image(case: FiniteClassification, share: Simplex(3), lam: Positive):
    """||g_lam - gt_lam||_inf <= 2^p C xi^(1-p) ||g_*||; finitely many inputs, p = 0, logistic loss, R^2 <= 20
    lam.

    xi = ||T^(1/2) - T_M^(1/2)||, K invertible, eta in (0, 1); less what the radius of the computed h can hide.
    """
    pair = logistic_pair(case, share, lam)
    assume(smallest_eigenvalue(case.K) > 1e-6 * case.R**2)
    assume(minimum(case.eta, 1 - case.eta) > 0)
    xi, size = opnorm(pair.root - pair.root_M), sqrt(squared_norm(case.K, link(case.eta)))
    distance = np.max(abs(pair.values(pair.root - pair.root_M, pair.h))) - case.C * xi * pair.radius
    return at_most(distance, case.C * xi * size)


@paper.identity("theorem1.xi-solve", section="Appendix C, end", step_of="theorem1.complete")
def xi_solved(
    size: Positive,
    loss: Positive,
    R: Positive,
    G: Positive,
    lam: Positive,
    eps: Positive,
    C: Positive,
    p: between(0, 0.9),
):
    """The four entries of xi make the four terms of the bound equal to eps, with G for the L of Appendix C;
    p < .9.
    """
    first = first_term(eps, C, size, p)
    second, third, fourth = terms(eps, R, G, lam, size, loss)
    return (
        equal(2 ** (p + 1) * C * size * first ** (1 - p), eps),
        equal(R * sqrt(48 * G * second / lam * size), eps),
        equal(R * sqrt(sqrt(1152 * G**2 * third**2 / lam**3 * loss)), eps),
        equal(R * sqrt(sqrt(1152 * G**3 * fourth**3 / lam**3 * size)), eps),
    )
