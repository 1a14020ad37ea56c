"""Sections 3.1, 3.2 and 5: Assumption 1 for random Fourier features and random signs, and how signs correlate."""

import numpy as np

from boundcheck import E, Matrix, P, Simplex, Vector, arcsin, assume, cos, equal, pi, quantity, sqrt

from . import paper
from .circle import Corners


@paper.remark("assump1.rff", section="Section 3.1")
def fourier_features(w: Matrix("m", "d"), p: Simplex("m"), x: Vector("d"), x_test: Vector("d")):
    """sqrt(2) cos(w^T x + u) is unbiased for kappa(x, x') = E_w cos(w^T (x - x')), and its square is at most
    2, for spectral laws with finitely many frequencies.

    u uniform on 0, 2 pi / 3, 4 pi / 3 gives the same mean as u uniform on [0, 2 pi], for a trigonometric
    polynomial of degree 2 in u.
    """
    freq = quantity(lambda rng, size: rng.choice(w, size, p=p))
    u = quantity(lambda rng, size: rng.integers(3, size=size)) * (2 * pi / 3)
    psi, psi_test = sqrt(2) * np.cos(freq @ x + u), sqrt(2) * np.cos(freq @ x_test + u)
    return equal(E(psi * psi_test), (p * cos(w @ (x - x_test))).sum()), P(psi**2 <= 2) >= 1


@paper.remark("assump1.sign", section="Sections 3.1, 3.2 and 5")
def sign_features(case: Corners):
    """sgn(x^T v), v uniform on the sphere, is unbiased for 1 - 2 theta / pi, theta the angle, and its square
    is at most 1; looked at for corners of regular polygons with 4, 8, 12 and 16 corners.
    """
    psi = case.signs
    return equal(E(psi[0] * psi[1]), 1 - case.steps / case.q), P(psi[0] ** 2 <= 1) >= 1


@paper.definition("s3.2.kernel", section="Section 3.2")
def angular_kernel_as_printed(case: Corners):
    """The kernel of sgn(x^T v) is (1 / (2 pi)) arcsin <x, x'> for unit vectors, as Section 3.2 prints it."""
    inner = cos(pi * case.steps / (2 * case.q))
    return equal(E(case.signs[0] * case.signs[1]), arcsin(inner) / (2 * pi))


@paper.definition("s3.2.kernel.repaired", section="Section 5", repairs="s3.2.kernel")
def angular_kernel(case: Corners):
    """The kernel of sgn(x^T v) is (2 / pi) arcsin <x, x'> for unit vectors, as Section 5 prints it; looked at for
    corners of regular polygons with 4, 8, 12 and 16 corners.

    Proof: the signs differ when v lies in two arcs of length theta each, so the mean is 1 - 2 theta / pi, and
    arcsin(cos(theta)) = pi / 2 - theta.
    """
    inner = cos(pi * case.steps / (2 * case.q))
    return equal(E(case.signs[0] * case.signs[1]), 2 / pi * arcsin(inner))


@paper.step("s5.signmatrix", section="Section 5", step_of="s5.normK")
def independent_signs(case: Corners):
    """For given v_1 != +-v_2 and x uniform on the sphere, the signs of x^T v_1 and x^T v_2 are uncorrelated,
    like random signs; looked at on the circle.

    Points and directions play the same part in sgn(x^T v), so x and x' of the setting stand for v_1 and v_2.
    """
    assume(0 < case.steps < 2 * int(case.q))
    return equal(E(case.signs[0] * case.signs[1]), 0)


@paper.step("s5.signmatrix.repaired", section="Section 5", repairs="s5.signmatrix")
def correlated_signs(case: Corners):
    """For given v_1, v_2 and x uniform on the sphere, the signs have correlation (2 / pi) arcsin <v_1, v_2>;
    looked at for corners of regular polygons with 4, 8, 12 and 16 corners.

    It vanishes for orthogonal directions only. Proof: as for the angular kernel.
    """
    return equal(E(case.signs[0] * case.signs[1]), 2 / pi * arcsin(cos(pi * case.steps / (2 * case.q))))
