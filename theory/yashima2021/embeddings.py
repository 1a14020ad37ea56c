"""The spaces of k, k_M and k + k_M, the embeddings of Assumption 3, and
Proposition 3 (Section 3.1, Appendix B).
"""

import numpy as np

from boundcheck import (
    Matrix,
    Positive,
    PositiveDefinite,
    Real,
    Simplex,
    Unit,
    Vector,
    assume,
    at_most,
    equal,
    integers,
    loewner,
    maximum,
    norm,
    pi,
    psd_sqrt,
    sin,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.words.functions import identity

from . import paper
from .finite_classification import FiniteClassification
from .operators import squared_norm


@paper.remark("asm2.kernel-bounds", section="Section 3.1, after Assumption 2")
def kernel_and_functions_are_bounded(Z: Matrix("n", "m"), tau: Simplex("m"), beta: Vector("m")):
    """|phi| <= R gives k <= R^2 and |f(x)| <= R ||f|| for f = E beta(w) phi(., w), whose norm is the least
    (E beta^2)^(1/2).

    With tau the law of the features this is H, with tau their empirical law H_M.
    """
    R = np.max(abs(Z))
    return at_most((Z * tau) @ Z.T, R**2), at_most((Z @ (tau * beta)) ** 2, R**2 * np.sum(tau * beta**2))


@paper.remark("asm3.sum-rkhs", section="Section 3.1, before Assumption 3")
def sum_of_kernels(K: PositiveDefinite("n"), K_M: PositiveDefinite("n"), f: Vector("n")):
    """The space of k + k_M holds H and H_M, with norms that are no larger; on n points where both kernels are
    positive definite.
    """
    both = squared_norm(K + K_M, f)
    return at_most(both, squared_norm(K, f)), at_most(both, squared_norm(K_M, f))


@paper.remark("asm3.eigen-decay", section="Section 3.1, after Assumption 3")
def bounded_eigenfunctions_and_fast_decay(p: Unit, n: integers(1, 200), s: Positive):
    """Up to 200 eigenfunctions bounded by one with eigenvalues i^(-1/p), p >= .05, give ||f||_inf <= C ||f||_H^p
    ||f||_2^(1-p), at the worst coefficients.

    Decided: C^2 = pi p / sin(pi p) p^-p (1-p)^(p-1), from Cauchy-Schwarz with weights i^(1/p) + s and
    sum 1 / (i^(1/p) + s) <= pi p / sin(pi p) s^(p-1). Looked at for the worst coefficients
    c_i = 1 / (i^(1/p) + s), where all eigenfunctions are one at the same point.
    """
    i = np.arange(1, n + 1)
    assume(p >= 0.05)
    c = 1 / (i ** (1 / p) + s)
    C = sqrt(pi * p / sin(pi * p) * p ** (-p) * (1 - p) ** (p - 1))
    return at_most(np.sum(c), C * np.sum(c**2 * i ** (1 / p)) ** (p / 2) * np.sum(c**2) ** ((1 - p) / 2))


@paper.remark("asm3.empirical-p0", section="Section 3.1, Comparison to Previous Results")
def finite_support_embeds(case: FiniteClassification, f: Vector(3)):
    """On finitely many inputs Assumption 3 holds with p = 0, and C = rho_min^(-1/2) at every level."""
    f = f[: case.n]
    return at_most(np.max(abs(f)), case.C * case.L2(f))


@paper.identity("theorem1.sumnorm", section="Appendix C, after (23)", step_of="theorem1.complete")
def norm_of_the_sum(k: Positive, k_M: Positive, g: Real):
    """||g|| in the space of k + k_M is the infimum of ||g_1|| + ||g_2|| over g = g_1 + g_2; at one input.

    There g_1 lies in the space of k and g_2 in that of k_M: the infimum is
    |g| / max(sqrt k, sqrt k_M).
    """
    return equal(abs(g) / sqrt(k + k_M), abs(g) / maximum(sqrt(k), sqrt(k_M)))


@paper.identity("theorem1.sumnorm.repaired", section="Appendix C, after (23)", repairs="theorem1.sumnorm")
def squared_norm_of_the_sum(
    K: PositiveDefinite("n"), K_M: PositiveDefinite("n"), g: Vector("n"), h: Vector("n")
):
    """||g||^2 in the space of k + k_M is the least ||g_1||^2 + ||g_2||^2, so that ||g|| <= ||g_1|| + ||g_2||; on n
    points where both kernels are positive definite.

    Aronszajn (1950): f = (K + K_M)^-1 g gives g_1 = K f and g_2 = K_M f, with f^T (K + K_M) f. Only the last
    inequality is used in (23). h is another choice of g_1.
    """
    f = solve(K + K_M, g[:, None])[:, 0]
    whole, first, second = squared_norm(K + K_M, g), squared_norm(K, h), squared_norm(K_M, g - h)
    return (
        equal(f @ K @ f + f @ K_M @ f, whole),
        at_most(whole, first + second),
        at_most(sqrt(whole), sqrt(first) + sqrt(second)),
    )


@paper.proposition("prop3.1", section="Appendix B, Proposition 3")
def kernel_of_sigma(F: Matrix("n", "r"), rho: Simplex("n"), b: Vector("r")):
    """Sigma is self-adjoint and continuous, and Sigma f = 0 exactly if f = 0 almost surely; rho may vanish at
    inputs.

    In R^r, f = F b has the norm ||b|| for b in the span of the rows of F, k(., x) is the row of x,
    and Sigma = sum_x rho_x F_x F_x^T. Both kernels agree since <f, Sigma f> = ||f||^2 and
    ||Sigma f||^2 <= R^2 ||f||^2 in L2(rho).
    """
    Sigma = (F.T * rho) @ F
    R2, square = np.max(np.sum(F**2, axis=1)), np.sum(rho * (F @ b) ** 2)
    return (
        equal(Sigma, Sigma.T),
        loewner(Sigma, R2 * identity(len(b))),
        equal(b @ Sigma @ b, square),
        at_most(norm(Sigma @ b) ** 2, R2 * square),
    )


@paper.proposition("prop3.2", section="Appendix B, Proposition 3")
def integral_operator(F: Matrix("n", "r"), rho: Simplex("n"), f: Vector("n"), g: Vector("n")):
    """T is self-adjoint, positive and continuous on L2(rho): <f, T g> = <T f, g> and 0 <= <f,
    T f> <= R^2 ||f||^2.
    """
    K, R2 = F @ F.T, np.max(np.sum(F**2, axis=1))
    Tf, Tg = K @ (rho * f), K @ (rho * g)
    quadratic = np.sum(rho * f * Tf)
    return (
        equal(np.sum(rho * f * Tg), np.sum(rho * Tf * g)),
        at_most(0, quadratic),
        at_most(quadratic, R2 * np.sum(rho * f**2)),
    )


@paper.proposition("prop3.3", section="Appendix B, Proposition 3")
def square_root_is_an_isometry(F: Matrix("n", "r"), rho: Simplex("n"), w: Vector("n"), c: Vector("r")):
    """The square root of the extended T is an isometry of Ker(T)^perp into Ker(Sigma)^perp, and onto as far
    as tr Sigma^2 = tr T^2 shows it; rho may vanish at inputs.

    Ker(T)^perp is the range of g = T^(1/2) w, which goes to T w: the function F b, b = F^T (rho w). Its norm
    in H is that of g in L2(rho), it is orthogonal to every h = F c that vanishes almost surely, and onto
    because Sigma and T share their positive eigenvalues, looked at through tr Sigma^2 = tr T^2.
    """
    root = sqrt(rho)
    T, Sigma = root[:, None] * (F @ F.T) * root, (F.T * rho) @ F
    b = F.T @ (rho * w)
    return (
        equal(norm(b), norm(psd_sqrt(T) @ (root * w))),
        equal(b @ c, np.sum(rho * w * (F @ c))),
        equal(trace(Sigma @ Sigma), trace(T @ T)),
    )
