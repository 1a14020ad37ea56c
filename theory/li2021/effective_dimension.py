"""Sections 3.1.1 and 3.1.2: the effective dimension under decay of the spectrum of K / n."""

from boundcheck import (
    Matrix,
    Positive,
    Unit,
    assume,
    at_most,
    eigenvalues,
    exp,
    integers,
    log,
    maximum,
    pi,
    sin,
)
from boundcheck.features.pools import FeaturePool

from . import paper

Many = integers(1, 400)
"""A number of eigenvalues whose effective dimension is summed quickly."""


def effective_dimension(spectrum, lam):
    """sum lam_i / (lam_i + lam) over a list of eigenvalues of K / n."""
    return sum((x / (x + lam) for x in spectrum), 0 * lam)


def power(i, t):
    """i^t."""
    return exp(t * log(i)) if i > 1 else 1 + 0 * t


@paper.lemma("effdim.geometric", section="Section 3.1.1")
def geometric_decay(n: Many, R_0: Positive, r: Unit, lam: Positive):
    """With lam_i = R_0 r^i, i <= n <= 400, and lam <= R_0 r the effective dimension is at most log(R_0 / lam)."""
    assume(lam <= R_0 * r)
    return at_most(effective_dimension([R_0 * r**i for i in range(1, n + 1)], lam), log(R_0 / lam))


@paper.lemma("effdim.geometric.repaired", section="Section 3.1.1", repairs="effdim.geometric")
def geometric_decay_repaired(n: Many, R_0: Positive, r: Unit, lam: Positive):
    """With lam_i = R_0 r^i, i <= n <= 400, and lam <= R_0 r the effective dimension is at most log(1 + R_0 /
    lam) / log(1 / r).

    Proof. The summand decreases in i; its integral over i from 0 to infinity is the bound.
    """
    assume(lam <= R_0 * r)
    return at_most(
        effective_dimension([R_0 * r**i for i in range(1, n + 1)], lam), log(1 + R_0 / lam) / log(1 / r)
    )


@paper.lemma("effdim.geometric.root", section="Section 3.1.2, after Table 2")
def geometric_decay_with_a_root(n: Many, R_0: Positive, r: Unit, t: integers(2, 5), lam: Positive):
    """With lam_i = R_0 r^i, i <= n <= 400, and lam <= R_0 r the effective dimension is at most (log(R_0 /
    lam))^(1/t), t = 2, .., 5, as Section 3.1.2 may be read; t > 1 is the exponent of the polynomial decay
    before.
    """
    assume(lam <= R_0 * r)
    d = effective_dimension([R_0 * r**i for i in range(1, n + 1)], lam)
    return at_most(d**t, log(R_0 / lam))


@paper.lemma("sobolev", section="Section 3.1.1")
def decay_in_a_sobolev_space(r: integers(1, 1000)):
    """Of the Sobolev space of order t = 2 on the torus of dimension two the eigenvalue number i = (2 r + 1)^2, r <=
    1000, is at most 100 i^(-2 t), the order that the text has for t >= 1; the constant is ours.

    The eigenvalues are 1 / (1 + |k|^2)^2 for k in Z^2. The (2 r + 1)^2 vectors with entries up to r have
    |k|^2 <= 2 r^2, so that this eigenvalue is at least 1 / (1 + 2 r^2)^2, which is compared. No constant will do.
    """
    return at_most(1 / (1 + 2 * r**2) ** 2, 100 / (2 * r + 1) ** 8)


@paper.lemma("sobolev.repaired", section="Section 3.1.1", repairs="sobolev")
def decay_in_a_sobolev_space_of_one_dimension(i: integers(1, 1000)):
    """Of the Sobolev space of order t = 1 on the circle the i-th eigenvalue, that of 1 / (1 + k^2), k in Z, is at
    most 5 i^-2, for i <= 1000.

    In dimension d they are of the order i^(-2 t / d). Proof, for every i. It has |k| = floor(i / 2) >= (i - 1)
    / 2, and 1 + (i - 1)^2 / 4 = i^2 / 5 + (i - 5)^2 / 20.
    """
    return at_most(1 / (1 + (i // 2) ** 2), 5 / i**2)


@paper.lemma("effdim.polynomial", section="Section 3.1.1")
def polynomial_decay(n: Many, R_0: Positive, t: integers(1, 5), lam: Positive):
    """With lam_i = R_0 i^(-2 t), i <= n <= 400, t = 1, .., 5, and lam <= R_0 the effective dimension is at most
    (R_0 / lam)^(1 / (2 t)).
    """
    assume(lam <= R_0)
    spectrum = [R_0 / i ** (2 * t) for i in range(1, n + 1)]
    return at_most(effective_dimension(spectrum, lam), exp(log(R_0 / lam) / (2 * t)))


@paper.lemma("effdim.polynomial.repaired", section="Section 3.1.1", repairs="effdim.polynomial")
def polynomial_decay_repaired(n: Many, R_0: Positive, t: integers(1, 5), lam: Positive):
    """With lam_i = R_0 i^(-2 t), i <= n <= 400, t = 1, .., 5, and lam <= R_0 the effective dimension is at
    most (R_0 / lam)^(1 / (2 t)) (pi / 2 t) / sin(pi / 2 t).

    Proof. As for geometric decay: the integral of 1 / (1 + c x^(2 t)) over x > 0, c = lam / R_0. The factor is
    at most pi / 2.
    """
    assume(lam <= R_0)
    spectrum = [R_0 / i ** (2 * t) for i in range(1, n + 1)]
    angle = pi / (2 * t)
    return at_most(effective_dimension(spectrum, lam), exp(log(R_0 / lam) / (2 * t)) * angle / sin(angle))


@paper.lemma("effdim.harmonic", section="Section 3.1.1")
def any_decay(case: FeaturePool):
    """Whatever the decay, d_K is at most z0^2 / lam.

    So Corollary 10 at lam = 1 / sqrt(n) asks for O(sqrt(n) log n) features.
    """
    return at_most(case.d_eff, case.z0**2 / case.lam)


@paper.lemma("effdim.finite", section="Section 3.1.1")
def finite_rank(Z: Matrix("n", "r"), lam: Positive):
    """The effective dimension of K = Z Z^T, with r columns, so of rank r at most, is at most r."""
    n, r = Z.shape
    values = maximum(0, eigenvalues(Z @ Z.T))
    return at_most((values / (values + n * lam)).sum(), r)
