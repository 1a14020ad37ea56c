"""Sections 1 and 3.1: kernel ridge regression, with and without random features, Eqs. (6) to (8)."""

from boundcheck import PSD, Matrix, Positive, Real, Vector, assume, at_most, equal, integers, norm, solve
from boundcheck.words.functions import identity

from . import paper


def smooth(K, y, lam):
    """K (K + n lam I)^-1 y, the fitted values of kernel ridge regression; y (n,)."""
    n = len(y)
    return K @ solve(K + n * lam * identity(n), y[:, None])[:, 0]


def ridge_solution(Z, y, lam):
    """beta = (Z^T Z + n lam I)^-1 Z^T y, (s,); 1 / sqrt(s) is in Z."""
    n, s = Z.shape
    return solve(Z.T @ Z + n * lam * identity(s), (Z.T @ y)[:, None])[:, 0]


@paper.identity("eq6", section="Section 3.1, Eq. (6)")
def kernel_ridge_regression(K: PSD("n"), y: Vector("n"), other: Vector("n"), lam: Positive):
    """alpha = (K + n lam I)^-1 y minimises (1/n) ||y - K alpha||^2 + lam alpha^T K alpha."""
    n = len(y)
    alpha = solve(K + n * lam * identity(n), y[:, None])[:, 0]
    least, value = (norm(y - K @ a) ** 2 / n + lam * (a @ K @ a) for a in (alpha, other))
    return at_most(least, value)


@paper.identity("eq8", section="Section 3.1, Eqs. (7) and (8)", repairs="eq8.transpose")
def ridge_with_features(Z: Matrix("n", "s"), y: Vector("n"), other: Vector("s"), lam: Positive):
    """For real Z, beta of (8) minimises (7), and Z beta = Ktilde (Ktilde + n lam I)^-1 y.

    Complex features are used as pairs (cosine, sine), since (7) asks for beta in R^s.
    """
    n, beta = len(y), ridge_solution(Z, y, lam)
    least, value = (norm(y - Z @ b) ** 2 / n + lam * (b @ b) for b in (beta, other))
    return at_most(least, value), equal(Z @ beta, smooth(Z @ Z.T, y, lam))


@paper.identity("eq8.transpose", section="Section 3.1, Eqs. (7) and (8), with (2)")
def ridge_with_a_complex_feature(C: Real, S: Real, y: Real, lam: Positive):
    """beta of (8), with the transposes as printed and the complex features of (2), has no larger a value of
    (7) than beta = 0.

    One point, one feature z = (C - i S) / |C - i S|, so that |z| = 1, and lam < 1. beta = z y / (z^2 + lam)
    has the value lam (1 + lam) y^2 / |z^2 + lam|^2.
    """
    assume(C**2 + S**2 > 0)
    doubled = (C**2 - S**2) / (C**2 + S**2)
    assume(lam < 1)
    return at_most(lam * (1 + lam) * y**2, (1 + lam**2 + 2 * lam * doubled) * y**2)


@paper.algorithm("s1.cost_krr", section="Section 1")
def cost_of_ridge_regression(n: integers(1, 10**6), s: integers(1, 10**4), d: integers(1, 10**3)):
    """With s features, d <= s <= n, ridge regression takes at most 5 n s^2 operations and 2 n s numbers; as
    counted here.

    Counted: n s d for the features, n s (s + 1) / 2 for Z^T Z, n s for Z^T y, s^3 / 6 and s^2 for the
    solution. That s <= n the paper says (s << n); d <= s it does not say but uses (s = d, ..., 128 d).
    """
    assume(s <= n)
    assume(d <= s)
    operations = n * s * d + n * s * (s + 1) / 2 + n * s + s**3 / 6 + s**2
    return at_most(operations, 5 * n * s**2), at_most(n * s + s**2, 2 * n * s)
