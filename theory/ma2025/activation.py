"""Sections 2.1 and 2.2: the model, its basis functions, and how well they approximate an activation
(Lemma 2.1).
"""

from boundcheck import (
    Count,
    Positive,
    Real,
    Simplex,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    integers,
    log,
    marked,
    maximum,
    norm,
    pi,
    solve,
    sqrt,
)  # fmt: skip

from . import paper
from .bump_activation import BumpActivation, even_grid

Grid = integers(4, 64)


def hat(z, height, slope):
    """max(0, height - slope |z|), Lipschitz with constant slope; supported on [-1, 1] if height <= slope."""
    return maximum(0, height - slope * abs(z))


def bumps(z, centres, h):
    """B_k(z) = exp(-(z - c_k)^2 / (2 h^2)), one row for each z, one column for each centre."""
    return exp(-((z[:, None] - centres[None, :]) ** 2) / (2 * h * h))


def weights(activation, spacing, h):
    """a_k = sigma(c_k) spacing / (h sqrt(2 pi)): a sum of bumps that is a Riemann sum of a Gaussian mean of
    sigma.
    """
    return activation * spacing / (h * sqrt(2 * pi))


def error_of_bumps(z, N, h, height, slope):
    """|sigma_tilde - sigma| at the points z for the hat and N bumps on [-1, 1] with the weights above."""
    c = even_grid(N)
    a = weights(hat(c, height, slope), 2 / (N - 1), h)
    return abs(bumps(z, c, h) @ a - hat(z, height, slope))


@paper.identity("eq2.compact", section="Eq. (2) and Section 2.2")
def compact_form(case: BumpActivation):
    """sum_m sum_i a_i B_i(w_m . x) v_m = sum_i a_i B_i(x^T W) v, at every point."""
    terms = case.a[:, None, None] * case.B * case.v[None, None, :]
    compact = sum(case.a[i] * (case.B[i] @ case.v) for i in range(len(case.a)))
    return equal(terms.sum(axis=2).sum(axis=0), compact)


@paper.definition("rbf-definition", section="Section 2.2")
def radial(c: Real, t: Real, h: Unit):
    """The radial basis function B(x) = exp(-(x - c) / (2 h^2)) depends on the distance from c alone.

    As printed, without a square. All such functions are multiples of one exponential.
    """
    assume((c * c <= 1) & (t * t <= 1) & (h >= 0.1))
    return equal(exp(-((c + t) - c) / (2 * h**2)), exp(-((c - t) - c) / (2 * h**2)))


@paper.definition("rbf-definition.repaired", section="Section 2.2", repairs="rbf-definition")
def radial_repaired(c: Real, t: Real, h: Unit):
    """With (x - c)^2 in place of x - c, B, of a width h < 1, depends on the distance from c alone; what every
    other claim about bumps reads.
    """
    return equal(exp(-(((c + t) - c) ** 2) / (2 * h**2)), exp(-(((c - t) - c) ** 2) / (2 * h**2)))


@paper.lemma("lemma2.1.sigma", section="Lemma 2.1, Eq. (3)")
def approximation_of_activation(eps: between(0.25, 0.5), slope: Unit, ratio: Unit, z: Vector(6)):
    """With 1/h = 2 eps^-1 (log 1/eps)^1/2 and N = 4 eps^-2 (log 1/eps)^3/2 bumps come within eps of the
    activation; looked at on [-1, 1], for hats about 0 supported there, of Lipschitz constant at
    most 1, and eps from 1/4 to 1/2.

    The orders of the lemma are read as equalities, with constants of ours, so that h and N go together. See
    lemma2.1.sigma.literal for h and N that only satisfy the two lower bounds.
    """
    h = eps / (2 * sqrt(log(1 / eps)))
    N = at_least(4 / eps**2 * sqrt(log(1 / eps)) ** 3, Count)
    return at_most(error_of_bumps(z, N, h, slope * ratio, slope), eps)


@paper.lemma("lemma2.1.sigma.literal", section="Lemma 2.1, Eq. (3)")
def approximation_with_any_smaller_width(eps: between(0.3, 0.6), share: Unit):
    """For all h <= c eps (log 1/eps)^-1/2 and N >= C eps^-2 (log 1/eps)^3/2 some coefficients come within
    eps; eps from .3 to .6.

    Omega is read literally, as two separate lower bounds (c = C = 1); the activation
    is max(0, 1 - |z|). Decided at the N grid points and 0 alone: with mu_k = B_k(0) solved for,
    sum_k mu_k sigma_tilde(c_k) = sigma_tilde(0) for all coefficients, so that some error is at least
    |sum_k mu_k sigma(c_k) - sigma(0)| / (1 + sum_k |mu_k|). As h -> 0 at a fixed even N this tends to 1,
    whatever c and C are.
    """
    h = share * eps / sqrt(log(1 / eps))
    N = at_least(1 / eps**2 * sqrt(log(1 / eps)) ** 3, Count)
    c = even_grid(N)
    mu = solve(bumps(c, c, h), exp(-(c**2) / (2 * h * h))[:, None])[:, 0]
    return at_most(abs(mu @ hat(c, 1, 1) - 1) / (1 + abs(mu).sum()), eps)


@paper.lemma("lemma2.1.sigma.coupled", section="Lemma 2.1, Eq. (3)", repairs="lemma2.1.sigma.literal")
def approximation_when_bumps_overlap(N: Grid, overlap: Positive, slope: Positive, ratio: Unit, z: Vector(6)):
    """When h is at least the distance of the grid points, the error is at most 1.01 L h + 10^-8 max |sigma|;
    looked at for hats and N = 4, ..., 64.

    So N = O(1/eps) bumps are enough (eps above 10^-8 max |sigma|), not eps^-2. Proof. The grid may be
    continued where sigma = 0. With w_k = (spacing / (h sqrt(2 pi))) B_k(z), Poisson summation gives |sum w_k
    - 1| <= 5.4e-9 and sum w_k (z - c_k)^2 <= h^2 (1 + 2.2e-7), as h >= spacing; sum w_k |sigma(c_k) -
    sigma(z)| <= L sum w_k |z - c_k|, and Cauchy-Schwarz. For smaller eps take h = spacing (1 + (log
    1/eps)^1/2).
    """
    h = 2 / (N - 1) * (1 + overlap)
    return at_most(error_of_bumps(z, N, h, slope * ratio, slope), 1.01 * slope * h + 1e-8 * slope * ratio)


@paper.lemma("lemma2.1.bspline", section="Section 5")
def approximation_by_splines(N: Grid, slope: Positive, ratio: Unit, t: Unit, k: integers(0, 62)):
    """B-splines of degree 1 on the same grid come within L spacing / 2, eps for N = 1 + L / eps, with no
    width to choose; looked at for hats and N = 4, ..., 64.

    Added: the paper states its theorems for bumps and also runs B-splines. Proof. The spline with a_k =
    sigma(c_k) interpolates; z = c + t spacing has |sigma_tilde - sigma| <= L spacing 2 t (1 - t).
    """
    spacing = 2 / (N - 1)
    c = -1 + spacing * min(k, N - 2)
    left, right, here = (hat(x, slope * ratio, slope) for x in (c, c + spacing, c + t * spacing))
    return at_most(abs((1 - t) * left + t * right - here), slope * spacing / 2)


@paper.lemma("lemma2.1.f", section="Lemma 2.1, Eq. (3)")
def approximation_of_function(eps: Positive, error: Vector("s"), p: Simplex("s"), v: Vector("s")):
    """If the activations differ by at most eps, so do the functions f = E sigma(w . x) v(w), E v(w)^2 <= 1;
    at one point.
    """
    error = eps * error / maximum(1, abs(error).max())
    v = v / maximum(1, sqrt((p * v * v).sum()))
    return at_most(abs((p * error * v).sum()), eps)


@paper.lemma("R-bound", section="Section 3.1, after Eq. (6)")
def size_of_coefficients(N: Grid, h: Unit, height: Positive):
    """The coefficients sigma(c_k) spacing / (h sqrt(2 pi)) have norm at most R = C / (h sqrt(N)), C = (8 / 3)
    max |sigma| / sqrt(2 pi) on [-1, 1]; looked at for the hats c (1 - |z|) and N = 4, ..., 64.

    They serve for Lemma 2.1 (lemma2.1.sigma). The spacing is 2 / (N - 1) <= (8 / 3) / N for N >= 4.
    """
    a = weights(hat(even_grid(N), height, height), 2 / (N - 1), h)
    return at_most(norm(a), 8 / 3 * height / sqrt(2 * pi) / (h * sqrt(N)))


@paper.remark("sec3.3.small-N", section="Section 3.3")
def few_bumps_are_enough(doublings: integers(0, 2), height: Unit, z: Vector(6)):
    """N = 16, 32, 64 bumps approximate a hat of slope 1 on [-1, 1] up to C / N; here C = 2.2.

    By lemma2.1.sigma.coupled so for every 1-Lipschitz activation of height at most 1 that is 0 outside of
    [-1, 1]. With h the distance of the grid points. At N = 16 that is an error of about 1/7.
    """
    N = 16 * 2**doublings
    return at_most(error_of_bumps(z, N, 2 / (N - 1), height, 1), marked(2.2, "C") / N)
