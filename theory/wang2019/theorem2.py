"""Sections 1.3, 3.2 and 5: random sign features are not much better than the bound of Theorem 1 (Theorem 2)."""

from boundcheck import E, P, Positive, assume, between, integers, loewner, quantity, solve
from boundcheck.words.functions import identity

from . import paper
from .circle import Directions, UniformOnCircle


@paper.theorem("thm2.explicit", section="Section 3.2")
def sign_features_from_below(case: UniformOnCircle, c: between(1, 2)):
    """Theorem 2 for 2 or 3 points uniform on the circle, up to 8 features and 1 < s lam < 2, with 1/8 for Omega(1)
    and probability at least 1/2.

    E (ftilde - f)^2 >= (1 / (8 s)) ||(K - K^2 / n)^(1/2) (K + n lam I)^-1 y||^2 for all y, the mean over V_s and x',
    uniform on the points. The paper has the unit sphere, s lam = Omega(1), Omega(1 / s) and high probability as n
    grows; sizes and constants are ours, and only that reading is decided. 1/8 is half of what the proof has at
    s lam = 1; the proof has more points than features. On the circle the statement fails as n grows, too: let
    lam -> 0, slower than s^(-1/2) and n^(-1/2). Then Kt + n lam I is K + n lam I up to a factor 1 + o(1), and
    s n E (ftilde - f)^2 is at most about max ||n lam (K + n lam I)^-1 z||^2 alpha^T K alpha over sign vectors z. K
    has the eigenvalues 4 n / (pi k)^2 for odd k, twice each, z has squared coefficients of order n / k^2, so that the
    maximum is O(n sqrt(lam)); but K - K^2 / n >= K / 2. In R^d, d >= 2 fixed, it is O(n lam^(1 / d)).
    """
    return P(case.spare(c / case.s, 1 / 8) >= 0) >= 1 / 2


@paper.theorem("eq3.sphere.explicit", section="Section 1.3, Eq. (3)")
def sign_features_from_below_as_announced(case: UniformOnCircle, c: between(1, 2)):
    """Equation (3) for points uniform on the circle, as Theorem 2 has them on the sphere, read with the sizes and
    constants of thm2.explicit: 2 or 3 points, up to 8 features, 1 < s lam < 2, 1/8 and probability at least 1/2.

    Sizes and constants are ours; the argument for n -> infinity stands in thm2.explicit.
    """
    return P(case.spare(c / case.s, 1 / 8) >= 0) >= 1 / 2


@paper.theorem("eq3.explicit", section="Section 1.3", repairs="eq3.sphere.explicit")
def independent_signs_from_below(n: integers(1, 3), s: integers(1, 3), lam: Positive):
    """Equation (3) for n <= 3 orthogonal points, x' uniform on them, and s <= n, with half of the proof's constant.

    (s lam / (1 + s lam))^2 / 2 for Omega(1). The signs of orthogonal points are independent, and K = I. Stated for
    all y at once through (25).
    """
    assume(s <= n)
    signs = quantity(lambda rng, size: 2 * rng.integers(2, size=(size, n, s)) - 1)
    K, Kt = identity(n), signs @ signs.mT / s
    root = n * lam * solve(Kt + n * lam * identity(n), Kt - K)
    return loewner((s * lam / (1 + s * lam)) ** 2 / (2 * s) * (K - K @ K / n), E(root.mT @ root) / n)


@paper.step("eq29.explicit", section="Section 5", step_of="thm2.explicit")
def gap_for_given_directions(case: Directions, c: between(1, 2)):
    """(29) for up to 24 points uniform on the circle and up to 16 directions spread evenly, 1 < s lam < 2, with
    1/2 for 1 - o(1) and probability at least 1/2.

    E_x' (ftilde - f)^2 >= (1 / n) (1 - o(1)) (s lam / (1 + s lam))^2 alpha^T (Kt - K)^2 alpha for all y;
    (29) has points on the sphere, and the proof has more points than directions. It fails as n grows, too, on the
    circle: ||Kt|| / n tends to the largest eigenvalue of kappa(v_i, v_j) / s, about 4 / pi^2, not to 1 / s.
    """
    s, lam = case.s, c / case.s
    return P(case.spare(lam, (s * lam / (1 + s * lam)) ** 2 / 2) >= 0) >= 1 / 2


@paper.theorem("thm2.final.explicit", section="Section 5", step_of="thm2.explicit")
def sign_features_with_constant(case: UniformOnCircle, c: between(1, 2)):
    """The last display, Theorem 2 with the constant (1 - o(1)) (s lam / (1 + s lam))^2, for 2 or 3 points uniform
    on the circle, up to 8 features and 1 < s lam < 2, with 1/2 for 1 - o(1) and probability at least 1/2.

    The paper takes (29), for given V_s, under the mean over V_s. It fails as n grows, too, as Theorem 2 does.
    """
    s, lam = case.s, c / case.s
    return P(case.spare(lam, (s * lam / (1 + s * lam)) ** 2 / 2) >= 0) >= 1 / 2
