"""Section 5: the steps of the proof of Theorem 2 for given training points, and what holds instead."""

import numpy as np

from boundcheck import (
    PSD,
    E,
    Matrix,
    Positive,
    assume,
    at_most,
    equal,
    inverse,
    loewner,
    opnorm,
    pi,
    solve,
    sqrt,
)  # fmt: skip
from boundcheck.words.functions import identity

from . import Few, paper
from .finite_laws import SignFeatures
from .ridge_pair import RidgePair


@paper.identity("eq24", section="Section 5", step_of="thm2.explicit")
def gap_is_a_quadratic_form(case: RidgePair):
    """(ftilde - f)^2 = (alpha^T theta)^2 with theta = (K - Kt) (Kt + n lam I)^-1 kt' + kt' - k', for given
    features, at every test point.
    """
    theta = (case.K - case.Kt) @ case.inverse_t @ case.kt + case.kt - case.k
    return equal(case.gap**2, (case.alpha @ theta) ** 2)


@paper.identity("eq25", section="Section 5", step_of="thm2.explicit")
def moments_at_training_points(K: PSD("n"), Psi: Matrix("n", "s"), lam: Positive):
    """For given features and x' uniform on the training points, n E theta theta^T = (Kt - K)
    [n lam (Kt + n lam I)^-1]^2 (Kt - K).

    And k' and kt' have the moments K^2 / n, Kt^2 / n, Kt K / n.
    """
    n, Kt = len(K), Psi @ Psi.T
    A = inverse(Kt + n * lam * identity(n))
    theta = (K - Kt) @ A @ Kt + Kt - K

    def mean(u, v):
        return sum(u[:, i][:, None] * v[:, i][None, :] for i in range(n)) / n

    return (
        equal(mean(K, K), K @ K / n), equal(mean(Kt, Kt), Kt @ Kt / n), equal(mean(Kt, K), Kt @ K / n),
        equal(n * mean(theta, theta), (Kt - K) @ (n * lam * A) @ (n * lam * A) @ (Kt - K)),
    )  # fmt: skip


@paper.step("eq25.bound", section="Section 5", step_of="thm2.explicit")
def moment_from_below(K: PSD("n"), Psi: Matrix("n", "s"), lam: Positive):
    """(Kt - K) [n lam (Kt + n lam I)^-1]^2 (Kt - K) >= (n lam / (||Kt|| + n lam))^2 (Kt - K)^2."""
    n, Kt = len(K), Psi @ Psi.T
    root = n * lam * solve(Kt + n * lam * identity(n), Kt - K)
    return loewner((n * lam / (opnorm(Kt) + n * lam)) ** 2 * (Kt - K) @ (Kt - K), root.T @ root)


@paper.step("eq26_28", section="Section 5", step_of="thm2.explicit")
def gap_from_below(case: RidgePair):
    """For given features and x' uniform on the training points, E (ftilde - f)^2 >= (1 / n)
    (n lam / (||Kt|| + n lam))^2 alpha^T (Kt - K)^2 alpha.
    """
    n, lam, Kt = case.n, case.lam, case.Kt
    rest = (((Kt - case.K) @ case.alpha) ** 2).sum()
    return at_most((n * lam / (opnorm(Kt) + n * lam)) ** 2 * rest / n, (case.gap_at_training**2).sum() / n)


@paper.remark("eq27", section="Section 5, Eq. (27)", step_of="thm2.explicit")
def gap_without_the_mean(case: RidgePair):
    """E_x' (ftilde - f)^2 = (alpha^T theta)^2 as (27) prints it, without the mean over x', so for each x' of
    the training points.
    """
    mean = (case.gap_at_training**2).sum() / case.n
    return equal(mean, case.gap_at_training**2)


@paper.step("s5.normK", section="Section 5", step_of="eq29.explicit")
def norm_of_sign_matrix(case: SignFeatures):
    """For Psi with entries +-1 / sqrt(s), ||Kt|| >= n / s, without the o(1) and with certainty.

    To go from (28) to (29) the proof needs the opposite bound.
    """
    signs = case.values[:-1]
    n, s = signs.shape
    return at_most(n / s, opnorm(signs @ signs.T / s))


@paper.step("s5.normK.above", section="Section 5", step_of="thm2.repaired")
def norm_of_sign_matrix_from_above(case: SignFeatures):
    """For Psi with entries +-1 / sqrt(s), ||Kt|| <= n.

    Equality if the rows are equal.
    """
    signs = case.values[:-1]
    n, s = signs.shape
    return at_most(opnorm(signs @ signs.T / s), n)


@paper.step("eq29.directions", section="Section 5", step_of="thm2.explicit", repairs="eq29.explicit")
def norm_for_given_directions(V: Matrix("s", "d")):
    """For given unit directions v_i the matrix of (2 / pi) arcsin <v_i, v_j> has at most the norm of their Gram
    matrix G.

    For x uniform on the sphere s ||Kt|| / n tends to the left-hand side as n grows, by the law of large numbers.
    So for many points (29) stands with (s lam / (||G|| + s lam))^2 for all labels. For random directions ||G|| is
    about (1 + sqrt(s / d))^2: at most 4 or so for d >= s, so that ||Kt|| is of the order that is printed, and of the
    order s / d for d < s. Proof. (2 / pi) arcsin has coefficients c_k >= 0 of sum 1, and c_k G^(o k) is at most
    c_k ||G|| I in the Loewner order, as ||A o B|| <= max_i A_ii ||B|| for psd matrices (Schur).
    """
    lengths = sqrt((V * V).sum(axis=1))
    assume(lengths > 0)
    V = V / lengths[:, None]
    I = identity(len(V))
    G = np.clip((V @ V.T) * (1 - I), -1, 1)
    return at_most(opnorm(2 / pi * np.arcsin(G) + I), opnorm(G + I))


@paper.step("eq30", section="Section 5", step_of="thm2.explicit")
def variance_of_gram(case: SignFeatures, s: Few):
    """For psi^2 = 1 and up to 3 features, E (Kt - K)^2 = (n / s) K - K^2 / s."""
    K, n, Kt = case.K, case.n, case.features(s).Kt
    return equal(E((Kt - K) @ (Kt - K)), n / s * K - K @ K / s)


@paper.theorem("thm2.repaired", section="Section 3.2", repairs="thm2.explicit")
def gap_of_sign_features(case: SignFeatures, s: Few, lam: Positive):
    """For psi^2 = 1, up to 3 features, all training points and targets, (9) holds with the constant
    (lam / (1 + lam))^2.

    E (ftilde - f)^2 >= (1 / s) (lam / (1 + lam))^2 ||(K - K^2 / n)^(1/2) (K + n lam I)^-1 y||^2
    for x' uniform on the training points. Stated for all y at once through (25). Proof: (28) with
    ||Kt|| <= tr Kt = n, and (30). The constant is best possible: two nearly equal points, s to infinity.
    """
    K, n, Kt = case.K, case.n, case.features(s).Kt
    root = n * lam * solve(Kt + n * lam * identity(n), Kt - K)
    return loewner((lam / (1 + lam)) ** 2 / s * (K - K @ K / n), E(root.mT @ root) / n)
