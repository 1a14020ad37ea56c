"""How close T_M is to T, and the space of M features to H: Propositions 1 and 2, Lemmas 1 and
2 (Appendices A and B).
"""

import numpy as np

from boundcheck import (
    PSD,
    Count,
    NonNegative,
    P,
    Positive,
    Simplex,
    Symmetric,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    integers,
    loewner,
    log,
    maximum,
    norm,
    opnorm,
    psd_sqrt,
    quantity,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.words.functions import identity

from . import paper
from .finite_classification import FiniteClassification


def beta_of(R, T, delta):
    """The logarithm in Lemmas 1 and 2; T is the norm of the operator."""
    return log(2 * R**2 / (T * delta))


def deviation(R, M, beta):
    """The bound of Lemma 1 on ||T - T_M||."""
    return R**2 * (2 * beta / (3 * M) + sqrt(2 * beta / M))


def enough_features(R, xi, beta):
    """The number of features of Lemma 2."""
    return maximum(8 / 3 * (R / xi) ** 2, 32 * (R / xi) ** 4) * beta


@paper.proposition("prop1.main", section="Appendix A, Proposition 1, (9)")
def square_roots_are_close(S: PSD("n"), St: PSD("n")):
    """||S^(1/2) - St^(1/2)|| <= ||S - St||^(1/2) for positive semidefinite S and St."""
    return at_most(opnorm(psd_sqrt(S) - psd_sqrt(St)), sqrt(opnorm(S - St)))


@paper.step("prop1.step", section="Appendix A", step_of="prop1.main")
def square_expanded(s: NonNegative, st: NonNegative):
    """||St^(1/2) v + l v||^2 = <v, St v> + l^2 + 2 l <v, S^(1/2) v> for an eigenvalue l > 0 of
    S^(1/2) - St^(1/2) with the unit vector v; for 1 x 1 matrices.

    S = s, St = st and v = 1. The sign of l is no loss: S and St may change
    places.
    """
    root, root_t = sqrt(s), sqrt(st)
    l = root - root_t
    assume(l > 0)
    return equal((root_t + l) ** 2, st + l**2 + 2 * l * root)


@paper.step("prop1.step.repaired", section="Appendix A", step_of="prop1.main", repairs="prop1.step")
def square_expanded_repaired(S: PSD("n"), St: PSD("n"), v: Vector("n")):
    """The cross term holds St^(1/2): <v, S v> = <v, St v> + ||e||^2 + 2 <e, St^(1/2) v>, where
    e = (S^(1/2) - St^(1/2)) v.

    Where e = l v with l > 0 the last term is 2 l <v, St^(1/2) v> >= 0, all that the proof needs.
    """
    e, w = (psd_sqrt(S) - psd_sqrt(St)) @ v, psd_sqrt(St) @ v
    return equal(v @ S @ v, v @ St @ v + e @ e + 2 * (e @ w)), at_most(0, v @ w)


@paper.proposition("prop2.main", section="Appendix A, Proposition 2")
def operator_bernstein(
    A: Symmetric(2), B: Symmetric(2), p: Simplex(3), surplus: PSD(2), n: integers(1, 5), delta: Unit
):
    """The mean of n i.i.d. centred symmetric X_i, ||X_i|| <= B and E X_i^2 <= S, has norm at most 2 B beta / (3 n)
    + sqrt(2 ||S|| beta / n) with probability 1 - delta, beta = log(2 tr S / (||S|| delta)); looked at for 2 x 2
    matrices with three values and n <= 5.

    The values are two matrices and 0, with probabilities p, centred; B is the largest of their norms. In Rudi
    and Rosasco (2017) 2 tr S goes with the largest eigenvalue. It is enough for the norm: with psi(x) =
    2 cosh(x) - 2 in place of an exponential, P <= 2 d (e^y - 1) / (e^x (1 - e^-x)^2), d = tr S / ||S||,
    x = theta t and y = theta^2 ||S|| / (2 n (1 - theta B / (3 n))).
    """
    X = np.stack([A, B, 0 * A]) - (p[0] * A + p[1] * B)
    L = np.max(opnorm(X))
    assume(L > 0)
    S = np.sum(p[:, None, None] * (X @ X), axis=0) + surplus
    beta = log(2 * trace(S) / (opnorm(S) * delta))
    share = quantity(lambda rng, size: rng.multinomial(n, p, size)) / n
    mean = share.map(lambda w: np.sum(w[..., None, None] * X, axis=-3))
    return P(opnorm(mean) <= 2 * L * beta / (3 * n) + sqrt(2 * opnorm(S) * beta / n)) >= 1 - delta


@paper.lemma("lemma1.main", section="Appendix B, Lemma 1")
def integral_operators_are_close(case: FiniteClassification, M: integers(1, 8), t: Positive):
    """||T - T_M|| <= R^2 (2 beta / (3 M) + sqrt(2 beta / M)), beta = log(2 R^2 / (||T|| delta)), but for
    delta = exp(-t); on finitely many inputs, for M <= 8.
    """
    delta = exp(-t)
    bound = deviation(case.R, M, beta_of(case.R, opnorm(case.T), delta))
    return P(opnorm(case.T_M(M) - case.T) <= bound) >= 1 - delta


@paper.step("lemma1.moments", section="Appendix B", step_of="lemma1.main")
def moments_of_a_feature(case: FiniteClassification):
    """X = T - phi (x) phi has -R^2 I <= X <= R^2 I, E X^2 = E (phi (x) phi)^2 - T^2 <= R^2 T,
    and tr T <= R^2.
    """
    R2, T = case.R**2, case.T
    features = (sqrt(case.rho)[:, None] * case.Z).T
    squares = features[:, :, None] * features[:, None, :]
    X = T - squares
    second = np.sum(case.tau[:, None, None] * (X @ X), axis=0)
    return (
        at_most(opnorm(X), R2),
        equal(second, np.sum(case.tau[:, None, None] * (squares @ squares), axis=0) - T @ T),
        loewner(second, R2 * T),
        loewner(T, R2 * identity(case.n)),
        at_most(trace(T), R2),
    )


@paper.lemma("lemma2.main", section="Appendix B, Lemma 2")
def spaces_are_close(case: FiniteClassification, r: between(0.9, 1.2), t: Positive):
    """With the least M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) log(2 R^2 / (||T|| delta)), each space approximates
    the other's balls up to xi with probability 1 - delta; on finitely many inputs, for .9 R < xi < 1.2 R and
    delta >= exp(-3).

    Decided: the event is ||T^(1/2) - T_M^(1/2)|| <= xi. It gives both halves, for all g and gt at once
    (lemma2.map), and is what the proof shows. Here delta = exp(-t) and xi = r R; xi > R says nothing.
    """
    delta, xi = exp(-t), r * case.R
    assume(t <= 3)
    M = at_least(enough_features(case.R, xi, beta_of(case.R, opnorm(case.T), delta)), Count)
    return P(opnorm(psd_sqrt(case.T_M(M)) - psd_sqrt(case.T)) <= xi) >= 1 - delta


@paper.step("lemma2.map", section="Appendix B", step_of="lemma2.main", repairs="lemma2.map.printed")
def image_in_the_other_space(case: FiniteClassification, share: Simplex(3), h: Vector(3), c: Vector(3)):
    """For g = T^(1/2) h, gt = T_M^(1/2) h has ||gt|| <= ||h|| in H_M and
    ||g - gt|| <= ||T^(1/2) - T_M^(1/2)|| ||h|| in L2(rho).

    The last is at most ||T - T_M||^(1/2) ||h||. The display has an h too many and = for <=: read without.
    The norm of gt is the supremum over c of <c, gt> / <c, T_M c>^(1/2), since T_M^(1/2) ignores what h
    has in Ker(T_M). share: features of H_M.
    """
    h, c, share = h[: case.n], c[: case.n], share[: len(case.tau)]
    assume(np.sum(share) > 0)
    T_M = case.on_inputs(case.kernel(share, np.sum(share)))
    root, root_M = psd_sqrt(case.T), psd_sqrt(T_M)
    distance = opnorm(root - root_M)
    return (
        at_most((c @ root_M @ h) ** 2, (c @ T_M @ c) * (h @ h)),
        at_most(norm(root @ h - root_M @ h), distance * norm(h)),
        at_most(distance, sqrt(opnorm(case.T - T_M))),
    )


@paper.step("lemma2.map.printed", section="Appendix B", step_of="lemma2.main")
def image_in_the_other_space_as_printed(T: PSD(2), T_M: PSD(2), h: Vector(2)):
    """||T^(1/2) h - T_M^(1/2) h|| = ||T^(1/2) - T_M^(1/2)|| ||h||, with the printed = in the third line, but
    without the h inside of the norm; 2 x 2 matrices.
    """
    root, root_M = psd_sqrt(T), psd_sqrt(T_M)
    return equal(norm(root @ h - root_M @ h), opnorm(root - root_M) * norm(h))


@paper.step("lemma2.M-solve", section="Appendix B", step_of="lemma2.main")
def number_of_features_solved(R: Positive, xi: Positive, beta: Positive):
    """M = max(8/3 (R/xi)^2, 32 (R/xi)^4) beta makes (R^2 (2 beta / (3 M) + sqrt(2 beta / M)))^(1/2) at most xi, for
    beta > 0.
    """
    M = at_least(enough_features(R, xi, beta))
    split = R * (sqrt(2 * beta / (3 * M)) + sqrt(sqrt(2 * beta / M)))
    return at_most(sqrt(deviation(R, M, beta)), split), at_most(split, xi)
