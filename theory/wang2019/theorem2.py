"""Sections 3.2 and 5: random sign features are not much better than the bound of Theorem 1 (Theorem 2)."""

from boundcheck import E, P, Positive, assume, between, integers, loewner, quantity, solve
from boundcheck.words.functions import identity

from . import paper
from .circle import Directions, UniformOnCircle


@paper.theorem("thm2.explicit", section="Section 3.2")
def sign_features_from_below(case: UniformOnCircle, c: between(1, 2)):
    """For points uniform on the sphere, x' uniform on them and s lam = Omega(1), the gap is with high
    probability large.

    The paper says this as n grows; here it stands with explicit constants, and only that reading is
    decided. E (ftilde - f)^2 = Omega(1 / s) ||(K - K^2 / n)^(1/2) (K + n lam I)^-1 y||^2 for all y,
    the mean over x' and V_s. Decided: on the circle, for 2 or 3 points and up to 8 features, with s lam = c in
    (1, 2), probability at least 1/2, and 1/8 for Omega(1), half of what the proof has at s lam = 1; the proof
    has more points than features. The statement fails as n grows, too: let lam -> 0, slower than s^(-1/2) and
    n^(-1/2). Then Kt + n lam I is K + n lam I up to a factor 1 + o(1), and s n E (ftilde - f)^2 is at most about
    max ||n lam (K + n lam I)^-1 z||^2 alpha^T K alpha over sign vectors z. K has the eigenvalues
    4 n / (pi k)^2 for odd k, twice each, z has squared coefficients of order
    n / k^2, so that the maximum is O(n sqrt(lam)); but K - K^2 / n >= K / 2.
    """
    return P(case.spare(c / case.s, 1 / 8) >= 0) >= 1 / 2


@paper.theorem("eq3.sphere.explicit", section="Section 1.3, Eq. (3)")
def sign_features_from_below_as_announced(case: UniformOnCircle, c: between(1, 2)):
    """Equation (3) for the distribution that Theorem 2 constructs, points uniform on the sphere: the gap is
    with high probability large.

    As thm2.explicit, with its sizes and constants, which are ours; the argument for n -> infinity stands there.
    """
    return P(case.spare(c / case.s, 1 / 8) >= 0) >= 1 / 2


@paper.theorem("eq3.explicit", section="Section 1.3", repairs="eq3.sphere.explicit")
def independent_signs_from_below(n: integers(1, 3), s: integers(1, 3), lam: Positive):
    """Equation (3): for some distribution of the data, orthogonal points, the gap of sign features is large,
    as in Theorem 2; for n <= 3, s <= n, with half of the constant of the proof.

    Decided: their signs are independent (K = I), with (s lam / (1 + s lam))^2 / 2, half of what the proof has
    without o(1).
    """
    assume(s <= n)
    signs = quantity(lambda rng, size: 2 * rng.integers(2, size=(size, n, s)) - 1)
    K, Kt = identity(n), signs @ signs.mT / s
    root = n * lam * solve(Kt + n * lam * identity(n), Kt - K)
    return loewner((s * lam / (1 + s * lam)) ** 2 / (2 * s) * (K - K @ K / n), E(root.mT @ root) / n)


@paper.step("eq29.explicit", section="Section 5", step_of="thm2.explicit")
def gap_for_given_directions(case: Directions, c: between(1, 2)):
    """For given directions and points uniform on the sphere, the gap is with high probability large.

    E_x' (ftilde - f)^2 >= (1 / n) (1 - o(1)) (s lam / (1 + s lam))^2 alpha^T (Kt - K)^2 alpha for all y.
    Decided: on the circle, for up to 24 points and 16 directions, spread evenly, s lam = c in (1, 2), and 1/2
    for 1 - o(1) and for the probability; the proof has more points than directions. It fails as n grows, too:
    ||Kt|| / n tends to the largest eigenvalue of kappa(v_i, v_j) / s, about 4 / pi^2, not to 1 / s.
    """
    s, lam = case.s, c / case.s
    return P(case.spare(lam, (s * lam / (1 + s * lam)) ** 2 / 2) >= 0) >= 1 / 2


@paper.theorem("thm2.final.explicit", section="Section 5", step_of="thm2.explicit")
def sign_features_with_constant(case: UniformOnCircle, c: between(1, 2)):
    """The last display: Theorem 2 with the constant (1 - o(1)) (s lam / (1 + s lam))^2.

    Decided: on the circle, with the sizes of thm2.explicit, s lam = c in (1, 2), and 1/2 for 1 - o(1) and for
    the probability. The paper takes (29), for given V_s, under the mean over V_s. It fails as Theorem 2 does.
    """
    s, lam = case.s, c / case.s
    return P(case.spare(lam, (s * lam / (1 + s * lam)) ** 2 / 2) >= 0) >= 1 / 2
