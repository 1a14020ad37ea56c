"""Remarks 1 and 2, footnote 1, the b of Section 1.2: the size of the bound of Theorem 1, beside that of Theorem 2."""

from boundcheck import (
    PSD,
    Count,
    Orthogonal,
    Positive,
    Spectrum,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    log,
    opnorm,
    rate,
    solve,
    sqrt,
)
from boundcheck.words.functions import identity

from . import paper
from .theorem1 import bound_of_gap, least_ridge


@paper.remark("rem1.ineq", section="Section 3.1")
def energy_is_bounded(K: PSD("n"), y: Vector("n"), lam: Positive):
    """||K^(1/2) (K + n lam I)^-1 y||^2 <= ||y||^2 / (4 n lam)."""
    n = len(y)
    alpha = solve(K + n * lam * identity(n), y)
    return at_most(alpha @ K @ alpha, y @ y / (4 * n * lam))


@paper.remark("rem1.equality", section="Section 3.1")
def energy_is_attained(U: Orthogonal("n"), sigma: Spectrum("n"), length: Positive, lam: Positive):
    """||K^(1/2) (K + n lam I)^-1 y||^2 = ||y||^2 / (4 n lam) if sigma_t = n lam and u_t^T y = ||y|| for some t; t
    is the first, the order of the others being free.
    """
    n, u = len(sigma), U[:, 0]
    K = (U * sigma) @ U.T + (n * lam - sigma[0]) * u[:, None] * u[None, :]
    y = length * u
    alpha = solve(K + n * lam * identity(n), y)
    return equal(alpha @ K @ alpha, y @ y / (4 * n * lam))


@paper.remark("rem1.order.printed", section="Section 3.1")
def energy_whatever_the_targets(power: between(0, 1), delta: Unit):
    """||y||^2 / (4 n lam) = O(sqrt(n)) with the ridge of Theorem 1, whatever the targets.

    The remark names no condition on them. Here y_i = n^power, power in (0, 1), b = 1 and s = 2; read as a
    rate from n = 10^2 to 10^6.
    """
    energies = {}
    for n in (10**2, 10**4, 10**6):
        lam = least_ridge(1, n, log(2 / delta))
        energies[n] = n * exp(2 * power * log(n)) / (4 * n * lam)
    return rate(energies, at_most=1 / 2)


@paper.remark("rem1.order", section="Section 3.1", repairs="rem1.order.printed")
def energy_is_of_order_root_n(K: PSD("n"), y: Vector("n"), b: Positive, s: Count, delta: Unit):
    """With the ridge of Theorem 1, ||K^(1/2) (K + n lam I)^-1 y||^2 <= max y_i^2 sqrt(n) / (8
    b sqrt(log(s / delta))).

    That the targets are bounded is not said in the remark, but O(sqrt(n)) needs it.
    """
    n = len(y)
    lam = at_least(least_ridge(b, n, log(s / delta)))
    alpha = solve(K + n * lam * identity(n), y)
    return at_most(alpha @ K @ alpha, (y**2).max() * sqrt(n) / (8 * b * sqrt(log(s / delta))))


@paper.remark("eq1.b", section="Section 1.2, after Eq. (1), against Sections 1.3 and 3.1")
def constant_of_the_introduction(psi: Vector("m")):
    """The b of Section 1.2, the supremum of |psi|, is one for which Assumption 1 holds: psi^2 <= b."""
    return at_most((psi**2).max(), abs(psi).max())


@paper.remark("eq1.b.repaired", section="Sections 1.3 and 3.1", repairs="eq1.b")
def constant_of_the_assumption(psi: Vector("m")):
    """The least b of Assumption 1 is the square of sup |psi|: |psi| <= sqrt(b), as Section 1.3 has it."""
    return equal(sqrt((psi**2).max()), abs(psi).max())


@paper.remark("fn1", section="Footnote 1")
def many_features(n: Count, c_lam: Positive, c_s: Positive):
    """lam >= c / sqrt(n) and s >= c' sqrt(n) give s lam >= c c'."""
    lam, s = at_least(c_lam / sqrt(n)), at_least(c_s * sqrt(n), Count)
    return at_most(c_lam * c_s, s * lam)


@paper.remark("rem2.explicit", section="Section 3.1")
def bounds_match(K: PSD("n"), y: Vector("n"), lam: Positive, b: Positive, s: Count):
    """For ||K|| < n the bound of Theorem 1 is at most 4 b (1 + 1 / (s lam))^2 / (1 - ||K|| / n) times that of
    Theorem 2 with the constant of its proof.

    So they are of one order where s lam stays away from 0 and ||K|| / n from 1. Decided: this comparison of
    the two expressions, that of Theorem 2 with the constant (s lam / (1 + s lam))^2 of its proof.
    """
    n = len(y)
    assume(opnorm(K) < n)
    alpha = solve(K + n * lam * identity(n), y)
    upper = bound_of_gap(b, s, alpha @ K @ alpha)
    lower = (s * lam / (1 + s * lam)) ** 2 / s * (alpha @ (K - K @ K / n) @ alpha)
    return at_most(upper * (1 - opnorm(K) / n), 4 * b * (1 + 1 / (s * lam)) ** 2 * lower)
