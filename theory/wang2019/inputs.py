"""Section 4.2: the empirical second moment of given features concentrates (Lemma 3)."""

from boundcheck import (
    Count,
    P,
    Positive,
    Unit,
    assume,
    at_least,
    at_most,
    between,
    both,
    equal,
    exp,
    integers,
    loewner,
    log,
    opnorm,
)

from . import paper
from .finite_laws import RandomInputs

Some = integers(1, 40)
"""A number of inputs small enough that every draw of them is enumerated."""

Fraction = between(0, 1)


def enough_inputs(b, eps, t):
    """The number of inputs of Lemma 3; t = log(s / delta)."""
    return 8 * b**2 / (3 * eps**2) * t


@paper.lemma("lem3", section="Section 4.2")
def second_moment_concentrates(case: RandomInputs, eps: Positive, delta: Unit):
    """With n >= 8 b^2 log(s / delta) / (3 eps^2) inputs, the empirical second moment is within eps of its
    mean with probability at least 1 - delta.
    """
    n = at_least(enough_inputs(case.b, eps, log(case.s / delta)), Count)
    return P(opnorm(case.second_moment - case.empirical_second_moment(n)) <= eps) >= 1 - delta


@paper.lemma("lem3.repaired", section="Section 4.2", repairs="lem3")
def second_moment_concentrates_two_sided(case: RandomInputs, eps: Positive, delta: Unit):
    """With n >= (b^2 / (2 eps^2) + 2 b / (3 eps)) log(2 s / delta) inputs, the empirical second moment is within
    eps of its mean with probability at least 1 - delta.

    Proof: E (n Z)^2 <= b Xi - Xi^2 <= b^2 / 4, and the two-sided matrix Bernstein inequality has the factor
    2 s: 2 s exp(-(eps^2 / 2) / (b^2 / (4 n) + b eps / (3 n))) <= delta. For eps <= b this is weaker than
    n >= 7 b^2 log(2 s / delta) / (6 eps^2); for eps > b the event is certain.
    """
    n = at_least((case.b**2 / (2 * eps**2) + 2 * case.b / (3 * eps)) * log(2 * case.s / delta), Count)
    return P(opnorm(case.second_moment - case.empirical_second_moment(n)) <= eps) >= 1 - delta


@paper.step("eq11", section="Section 4.2", step_of="lem3")
def feature_vector_is_short(case: RandomInputs):
    """The squared norm of a feature vector is at most b."""
    return at_most((case.psi**2).sum(axis=1), case.b)


@paper.step("lem3.Znorm", section="Section 4.2", step_of="lem3")
def summand_is_bounded(case: RandomInputs):
    """-Xi <= n Z_i <= psi_i psi_i^T, and ||n Z_i|| <= max(||psi_i psi_i^T||, ||Xi||) <= b."""
    Xi, b, psi = case.second_moment, case.b, case.psi
    squares = psi[:, :, None] * psi[:, None, :]
    order = [(loewner(-Xi, S - Xi), loewner(S - Xi, S)) for S in squares]
    larger = [
        both(at_most(opnorm(S - Xi), max(opnorm(S), opnorm(Xi))), at_most(max(opnorm(S), opnorm(Xi)), b))
        for S in squares
    ]
    return *(both(*pair) for pair in order), *larger


@paper.step("lem3.variance", section="Section 4.2", step_of="lem3")
def variance_of_summand(case: RandomInputs, n: Count):
    """E (n Z_i)^2 = E psi (psi^T psi) psi^T - Xi^2 <= b Xi, and the norm of the sum's variance is at most
    b^2 / n.
    """
    Xi, b, psi = case.second_moment, case.b, case.psi
    squares, rho = psi[:, :, None] * psi[:, None, :], case.rho[:, None, None]
    variance = ((squares - Xi) @ (squares - Xi) * rho).sum(axis=0)
    fourth = (squares * (psi**2).sum(axis=1)[:, None, None] * rho).sum(axis=0)
    return (
        equal(variance, fourth - Xi @ Xi),
        loewner(variance, b * Xi),
        at_most(opnorm(variance) / n, b**2 / n),
    )


@paper.step("lem3.bernstein", section="Section 4.2", step_of="lem3")
def bernstein_as_printed(case: RandomInputs, r: Fraction, n: Some):
    """The sum of the Z_i has norm at least t with probability at most s exp(-(t^2 / 2) / (v + L t / 3)), here for
    up to 40 inputs.

    v = (b / n) ||Xi|| and L = b / n, as defined there; t < b, beyond which the probability is zero.
    """
    t, v, L = r * case.b, case.b / n * opnorm(case.second_moment), case.b / n
    deviation = opnorm(case.second_moment - case.empirical_second_moment(n))
    return P(deviation >= t) <= case.s * exp(-(t**2) / 2 / (v + L * t / 3))


@paper.step(
    "lem3.bernstein.repaired", section="Section 4.2", repairs="lem3.bernstein", step_of="lem3.repaired"
)
def bernstein_two_sided(case: RandomInputs, r: Fraction, n: Some):
    """For up to 40 inputs and t < b the sum of the Z_i has norm at least t with probability at most
    2 s exp(-(t^2 / 2) / (v + L t / 3)), v = b^2 / (4 n) and L = b / n.

    Proof: the matrix Bernstein inequality (Tropp 2015, Theorem 1.6.2), whose factor is the sum of both sizes;
    the variance is at most (b Xi - Xi^2) / n, whose eigenvalues x (b - x) / n are at most b^2 / (4 n).
    """
    t, v, L = r * case.b, case.b**2 / (4 * n), case.b / n
    deviation = opnorm(case.second_moment - case.empirical_second_moment(n))
    return P(deviation >= t) <= 2 * case.s * exp(-(t**2) / 2 / (v + L * t / 3))


@paper.step("lem3.sample_size", section="Section 4.2", step_of="lem3")
def sample_size(b: Positive, eps: Positive, delta: Unit, s: Count):
    """n >= 8 b^2 log(s / delta) / (3 eps^2) makes s exp(-(eps^2 / 2) / (b^2 / n + b eps / (3 n))) at most
    delta.
    """
    n = at_least(enough_inputs(b, eps, log(s / delta)), Count)
    return at_most(s * exp(-(eps**2) / 2 / (b**2 / n + b * eps / (3 * n))), delta)


@paper.step(
    "lem3.sample_size.repaired", section="Section 4.2", repairs="lem3.sample_size", step_of="lem3.repaired"
)
def sample_size_for_small_eps(b: Positive, eps: Positive, delta: Unit, s: Count):
    """For eps <= b, n >= 8 b^2 log(s / delta) / (3 eps^2) makes s exp(-(eps^2 / 2) / (b^2 / n + b eps / (3 n)))
    at most delta.

    Proof: b^2 + b eps / 3 <= 4 b^2 / 3, and the exponent is at most
    -3 n eps^2 / (8 b^2) <= -log(s / delta).
    """
    assume(eps <= b)
    n = at_least(enough_inputs(b, eps, log(s / delta)), Count)
    return at_most(s * exp(-(eps**2) / 2 / (b**2 / n + b * eps / (3 * n))), delta)
