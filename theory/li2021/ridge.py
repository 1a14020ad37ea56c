"""Ridge regression with random features (Eq. 7, Proposition 8) and the norm of a function at the points
(Lemma 29).
"""

from boundcheck import (
    Matrix,
    Positive,
    Real,
    Vector,
    assume,
    at_most,
    equal,
    integers,
    loewner,
    norm,
    solve,
)
from boundcheck.features.pools import FeaturePool
from boundcheck.words.functions import identity

from . import paper


def ridge_solution(Z, y, lam):
    """beta = (Z^T Z + n s lam I)^-1 Z^T y, (s,)."""
    n, s = Z.shape
    return solve(Z.T @ Z + n * s * lam * identity(s), (Z.T @ y)[:, None])[:, 0]


def objective(Z, y, b, lam):
    """(1/n) ||y - Z b||^2 + lam s ||b||^2."""
    n, s = Z.shape
    return norm(y - Z @ b) ** 2 / n + lam * s * (b @ b)


@paper.proposition(8, section="Section 3.1")
def norm_in_feature_space(Z: Matrix("x", "s"), alpha: Vector("s"), c: Vector("x")):
    """f = sum_i alpha_i z(v_i, .) has squared norm at most s ||alpha||^2 in the space of Ktilde = Z Z^T / s.

    The squared norm is the supremum over c of (c^T f)^2 / c^T Ktilde c; the rows of Z are all points of X.
    """
    s = Z.shape[1]
    return at_most((c @ Z @ alpha) ** 2, (c @ (Z @ Z.T / s) @ c) * s * (alpha @ alpha))


@paper.remark("prop8.proof.bijection", section="Section 6.1", step_of="proposition8")
def coefficient_is_unique(c: integers(0, 3), a: Real, b: Real):
    """alpha -> alpha z(v, .) is a bijection onto its image: functions a z and b z that are equal have a = b.
    Here z = c, at one point.
    """
    assume(c * a == c * b)
    return equal(a, b)


@paper.step(
    "prop8.proof.bijection.nonzero",
    section="Section 6.1",
    step_of="proposition8",
    repairs="prop8.proof.bijection",
)
def coefficient_of_a_feature_is_unique(z: Vector("x"), a: Real, b: Real):
    """For a feature that is not zero everywhere alpha -> alpha z(v, .) is a bijection onto its image, as ||a z
    - b z|| = |a - b| ||z||.

    For z(v, .) = 0 the space is {0}, and Proposition 8 holds there as its norm is a minimum over all
    coefficients.
    """
    assume(z @ z > 0)
    return equal(norm(a * z - b * z) ** 2 / (z @ z), (a - b) ** 2)


@paper.identity("eq7.solution", section="Section 3.1, Eq. (7)")
def minimiser(Z: Matrix("n", "s"), y: Vector("n"), b: Vector("s"), lam: Positive):
    """(Z^T Z + n s lam I)^-1 Z^T y minimises (1/n) ||y - Z b||^2 + lam s ||b||^2."""
    return at_most(objective(Z, y, ridge_solution(Z, y, lam), lam), objective(Z, y, b, lam))


@paper.identity("eq7.equivalence", section="Section 3.1, Eq. (7)")
def same_as_kernel_ridge_regression(Z: Matrix("n", "s"), y: Vector("n"), lam: Positive):
    """Problem (7) has the least value of (1/n) ||y - f||^2 + lam ||f||^2 over the space of Ktilde."""
    n, s = Z.shape
    Kt = Z @ Z.T / s
    alpha = solve(Kt + n * lam * identity(n), y[:, None])[:, 0]
    kernel_value = norm(y - Kt @ alpha) ** 2 / n + lam * (alpha @ Kt @ alpha)
    return equal(objective(Z, y, ridge_solution(Z, y, lam), lam), kernel_value)


@paper.lemma(29, section="Appendix B")
def values_of_unit_ball(case: FeaturePool, g: Vector(3)):
    """A function in the unit ball has f f^T <= K at the points, and f^T K^-1 f <= 1.

    Every such f is sum_v p_v g_v z_v with ||g|| <= 1; a singular K is read as the limit of K + lam I.
    """
    g = g[: len(case.p)]
    assume((case.p * g * g).sum() <= 1)
    f = case.Z @ (case.p * g)
    inverse_form = f @ solve(case.K + case.ridge, f[:, None])[:, 0]
    return loewner(f[:, None] * f[None, :], case.K), at_most(inverse_form, 1)


@paper.algorithm("eq7.cost", section="Section 3.1, Eq. (7)")
def cost_of_ridge_regression(n: integers(1, 10**6), s: integers(1, 10**6)):
    """For s <= n, (7) takes at most 4 (n s^2 + s^3) operations and 2 n s numbers, counted as below, once the
    features are there.

    So O(n s^2 + s^3) and O(n s). Counted: n s (s + 1) for Z^T Z, 2 n s for Z^T y, s^3 / 3 + 2 s^2 for the
    solution by Cholesky; n s for Z and s (s + 1) / 2 for the matrix.
    """
    assume(s <= n)
    operations, numbers = n * s * (s + 1) + 2 * n * s + s**3 / 3 + 2 * s**2, n * s + s * (s + 1) / 2
    return at_most(operations, 4 * (n * s**2 + s**3)), at_most(numbers, 2 * n * s)
