"""Sections 1, 2 and 3.2: leverage scores and their surrogate, Eqs. (3), (4), (5), (10) and (11), footnote 1.

z_p(w, x) = exp(-i w^T x), without 1 / sqrt(s), and transposes of features are conjugate transposes:
see features.py.
"""

from boundcheck import PSD, Positive, Unit, Vector, assume, at_most, equal, inverse, loewner, log, sqrt, trace
from boundcheck.words.functions import identity

from . import Few, paper
from .surrogate_leverage import FourierFeatures


@paper.definition("eq3", section="Section 1, Eq. (3)", repairs="eq3.transpose")
def leverage_scores(case: FourierFeatures):
    """The leverage scores l_lam are not negative, and q* = l_lam / int l_lam is a probability law."""
    q = case.leverage / case.leverage.sum()
    return at_most(0, case.leverage), equal(q.sum(), 1)


@paper.definition("eq3.transpose", section="Section 1, Eq. (3)")
def leverage_scores_without_conjugation(case: FourierFeatures):
    """l_lam with the transpose of (3) as printed, p z^T (K + n lam I)^-1 z for z = C - i S, is a non-negative
    function: its imaginary part is 0, its real part is not negative.
    """
    A = inverse(case.K + case.ridge)
    real = (case.C * (A @ case.C)).sum(axis=0) - (case.S * (A @ case.S)).sum(axis=0)
    return equal(2 * case.p * (case.C * (A @ case.S)).sum(axis=0), 0), at_most(0, case.p * real)


@paper.definition("eq4", section="Section 1, Eq. (4)")
def surrogate_scores(case: FourierFeatures):
    """L_lam(w) = p(w) (|y^T z_w|^2 / n^2 + 1) / lam, as |z_w(x)| = 1."""
    return equal(case.surrogate, case.p * (case.alignment / case.n**2 + 1) / case.lam)


@paper.identity("eq4.mixture", section="Section 3.2")
def surrogate_law_is_a_mixture(case: FourierFeatures):
    """q mixes p, with weight 1 / (1 + y^T K y / n^2), and the alignment law p |y^T z_w|^2 / y^T K y:
    the term n I is p.
    """
    energy = case.y @ case.K @ case.y
    assume(energy > 0)
    share = 1 / (1 + energy / case.n**2)
    return equal(case.q, share * case.p + (1 - share) * case.p * case.alignment / energy)


@paper.step("fn1", section="Footnote 1", step_of=("fn1.L_ge_l", "lem1"))
def chain_of_footnote(K: PSD("n"), y: Vector("n"), lam: Positive):
    """(K + n lam I)^-1 <= (n lam I)^-1 <= (y y^T + n I) / (n^2 lam)."""
    n = len(y)
    ridge = n * lam * identity(n)
    surrogate = (y[:, None] * y[None, :] + n * identity(n)) / (n**2 * lam)
    return loewner(inverse(K + ridge), inverse(ridge)), loewner(inverse(ridge), surrogate)


@paper.step("fn1.L_ge_l", section="Section 1, after Eq. (4)", step_of="lem1")
def surrogate_is_above_leverage(case: FourierFeatures):
    """L_lam(w) >= l_lam(w) for every w."""
    return at_most(case.leverage, case.surrogate)


@paper.identity("eq5", section="Section 2, Eq. (5)", repairs="eq5.scale")
def sum_of_leverage(case: FourierFeatures):
    """The leverage scores sum to d_K = Tr K (K + n lam I)^-1."""
    return equal(case.leverage.sum(), case.d_eff)


@paper.identity("eq5.scale", section="Sections 1 and 2, Eqs. (3) and (5)")
def sum_of_leverage_of_columns(case: FourierFeatures, s: Few):
    """The scores of (3), where z_{p,w}(X) is a column of Z_p and has the factor 1 / sqrt(s), sum to d_K; s <=
    3.
    """
    return equal((case.leverage / s).sum(), case.d_eff)


@paper.identity("eq10.scale", section="Section 3.2, Eqs. (4) and (10)")
def sum_of_surrogate_of_columns(case: FourierFeatures, s: Few):
    """The surrogate scores of (4), of columns of Z_p with the factor 1 / sqrt(s), sum to the D_K of (10); s
    <= 3.
    """
    return equal((case.surrogate / s).sum(), case.D)


@paper.identity("eq10", section="Section 3.2, Eq. (10)", repairs="eq10.scale")
def sum_of_surrogate(case: FourierFeatures):
    """The surrogate scores sum to D_K = Tr[(y y^T + n I) K] / (n^2 lam)."""
    A = case.y[:, None] * case.y[None, :] + case.n * identity(case.n)
    return equal(case.surrogate.sum(), trace(A @ case.K) / (case.n**2 * case.lam))


@paper.definition("eq11", section="Section 3.2, Eq. (11)")
def surrogate_law(case: FourierFeatures):
    """q = L_lam / D_K is a probability law."""
    return at_most(0, case.q), equal(case.q.sum(), 1)


def features_of_li(scale, d_K, delta):
    """What Li et al. (2019) ask for, read as in 2021; scale is d_K, or a bound on the scores for plain features."""
    return 5 * scale * log(16 * d_K / delta)


@paper.remark("s2.li_bound", section="Section 2")
def bound_of_li(case: FourierFeatures, delta: Unit):
    """With lam = 1 / sqrt(n), O(sqrt(n) log d_K) features suffice for Li et al. (2019): 5 d_K log(16 d_K /
    delta) is at most 5 sqrt(n) log(16 d_K / delta).

    "The sharpest bound" is not decided; sqrt(n) log d_K is what they ask of plain features, d_K log d_K of
    weighted ones in their paper of 2021; that of 2019 was not at hand.
    """
    n = case.n
    K, ridge = case.K, sqrt(n) * identity(n)
    d_K = trace(inverse(K + ridge) @ K)
    return at_most(features_of_li(d_K, d_K, delta), features_of_li(sqrt(n), d_K, delta))
