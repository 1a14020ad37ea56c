"""How close g_lam comes to g_* as lam falls: Proposition 4 and Lemma 3 (Appendices E and F)."""

import numpy as np

from boundcheck import assume, at_most, equal, exp, sqrt

from . import paper
from .losses import logistic
from .minimisers import LogisticMinimiser


def risk(case, g):
    """L(g) for the logistic loss."""
    return np.sum(case.rho * (case.eta * logistic(g) + (1 - case.eta) * logistic(-g)))


@paper.proposition("prop4", section="Appendix E, Proposition 4")
def bayes_classifier_for_small_ridge(case: LogisticMinimiser):
    """There is lam > 0 with ||g_lam - g_*||_inf <= m(delta) / 2; for the logistic loss on finitely many
    inputs.

    Decided: p = 0, and every
    lam <= rho_min mu(R ||g_*||) (m / ||g_*||)^2, by Lemma 3 with its sharper constant; m = |g_*| at its
    least, the largest m(delta) for which Assumption 5 holds.
    """
    m = np.min(abs(case.best))
    assume(m > 0)
    assume(case.lam * case.size**2 <= np.min(case.rho) * case.mu * m**2)
    return at_most(np.max(abs(case.g - case.best)), m / 2)


@paper.step("lemma3.eq33-34", section="Appendix F, (31) to (34)", step_of="lemma3.main")
def bounds_on_both_rules(case: LogisticMinimiser):
    """||g_lam|| <= ||g_*||, |g_*| <= R ||g_*||, |g_lam| <= R ||g_*||, and E l'(g_*(x), Y) = 0 at every input;
    (31), for the logistic loss on finitely many inputs.
    """
    g, best, eta = case.g, case.best, case.eta
    return (
        at_most(
            risk(case, g) + case.lam / 2 * case.size_lam**2, risk(case, best) + case.lam / 2 * case.size**2
        ),
        at_most(case.size_lam, case.size),
        at_most(abs(best), case.R * case.size),
        at_most(abs(g), case.R * case.size),
        equal(-eta / (1 + exp(best)) + (1 - eta) / (1 + exp(-best)), 0 * eta),
    )


@paper.step("lemma3.step-L2", section="Appendix F", step_of="lemma3.main")
def distance_in_L2(case: LogisticMinimiser):
    """||g_lam - g_*||^2 <= 2 / mu (L(g_lam) - L(g_*)) <= lam / mu (||g_*||^2 - ||g_lam||^2) <= lam / mu
    ||g_*||^2 in L2(rho); logistic loss, finitely many inputs.
    """
    excess = risk(case, case.g) - risk(case, case.best)
    drop = case.size**2 - case.size_lam**2
    return (
        at_most(case.mu * case.square, 2 * excess),
        at_most(2 * excess, case.lam * drop),
        at_most(case.lam * drop, case.lam * case.size**2),
    )


@paper.step("lemma3.step-L2.sharper", section="Appendix F")
def distance_in_L2_sharper(case: LogisticMinimiser):
    """||g_lam - g_*||^2 <= lam / (4 mu) ||g_*||^2 in L2(rho), a quarter of the printed bound; logistic loss,
    finitely many inputs.

    Proof. The regularised risk is strongly convex in both norms, which adds (mu / 2) ||g_lam - g_*||^2 in
    L2(rho) and (lam / 2) ||g_lam - g_*||^2 in H to the left of (31). Hence mu ||g_lam - g_*||^2 <= lam <g_* -
    g_lam, g_lam>, at most lam ||g_*||^2 / 4. No less will do: equality for a loss that is quadratic, at one
    input with k = lam / mu.
    """
    return at_most(case.mu * case.square, case.lam / 4 * case.size**2)


@paper.lemma("lemma3.main", section="Appendix F, Lemma 3")
def minimiser_approaches_bayes_rule(case: LogisticMinimiser):
    """||g_lam - g_*||_inf <= C ||g_*|| (lam / mu(R ||g_*||))^(1/2 - eps), for the logistic loss on finitely
    many inputs, where eps = 0 and C = rho_min^(-1/2).

    The paper's C comes from Theorem 2, unspecified.
    """
    return at_most(np.max(abs(case.g - case.best)), case.size * sqrt(case.lam / case.mu / np.min(case.rho)))
