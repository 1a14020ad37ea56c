"""Sections 1 and 3.2: Fourier features and their kernel, Eqs. (1), (2) and (9).

Features are complex and the paper writes a transpose everywhere; it is read as the conjugate transpose.
"""

import numpy as np

from boundcheck import (
    E,
    Matrix,
    Points,
    Positive,
    Simplex,
    assume,
    at_most,
    cos,
    equal,
    integers,
    loewner,
    quantity,
    sin,
    solve,
)
from boundcheck.words.functions import identity

from . import Few, paper
from .surrogate_leverage import FourierFeatures


@paper.identity("eq1", section="Section 1, Eq. (1)")
def bochner(w: Matrix("m", "d"), p: Simplex("m"), X: Points("n", "d")):
    """A symmetric spectral law with finitely many frequencies gives a real kernel that is positive
    semidefinite; the imaginary part in (1) can be discarded.

    For the frequencies w and -w, p / 2 each: the matrix of the real part, sum_w p cos(w^T (x - x')), is
    positive semidefinite, and the imaginary parts of w and -w cancel. That every kernel has such a law is
    Bochner's theorem; eq1.converse recovers it from a kernel that has one, on four residues.
    """
    C, S = cos(X @ w.T), sin(X @ w.T)
    K = (C * p) @ C.T + (S * p) @ S.T
    both_signs = (C * p / 2) @ S.T - (S * p / 2) @ C.T + (C * p / 2) @ (-S).T - (-S * p / 2) @ C.T
    return equal(K.diagonal(), p.sum()), loewner(0 * K, K), equal(both_signs, 0 * K)


@paper.identity("eq1.converse", section="Section 1, Eq. (1)")
def bochner_on_four(k: FourierFeatures, c: integers(0, 3)):
    """On the integers modulo 4 the Fourier transform of a kernel with a symmetric spectral law is that law,
    and so not negative.
    """
    residues = range(4)
    cosines = [1, 0, -1, 0]
    kernel = [sum(k.p[w] * cosines[w * x % 4] for w in residues) for x in residues]
    transform = sum(kernel[x] * cosines[c * x % 4] for x in residues) / 4
    return equal(transform, k.p[c]), at_most(0, transform)


@paper.identity("s1.ideal_kernel", section="Section 1, after the surrogate")
def ideal_kernel_fits_the_labels(labels: integers(0, 2**6 - 1), n: integers(1, 6), lam: Positive):
    """For labels +-1 ridge regression with the ideal kernel y y^T gives each of up to 6 training points its
    label over 1 + lam, so that its signs have 100% accuracy.

    The fit is n / (n + n lam) y; the labels are the bits of a number.
    """
    y = np.array([2 * (labels // 2**i % 2) - 1 for i in range(n)])
    K = y[:, None] * y[None, :]
    fit = K @ solve(K + n * lam * identity(n), y[:, None])[:, 0]
    return equal(fit, y / (1 + lam)), equal(np.where(fit > 0, 1, -1), y)


@paper.identity("eq2", section="Section 1, Eq. (2)")
def plain_features(case: FourierFeatures, s: Few):
    """k(x, x') = E phi_p(x)^* phi_p(x') for s <= 3 features drawn from p; the imaginary part has mean 0."""
    counts = quantity(lambda rng, size: rng.multinomial(s, case.p, size))
    return equal(E(counts.map(lambda N: case.real(N / s))), case.K), equal(
        E(counts.map(lambda N: case.imaginary(N / s))), 0 * case.K
    )


@paper.identity("eq2.transpose", section="Section 1, Eq. (2)")
def plain_features_without_conjugation(case: FourierFeatures, s: Few):
    """As printed, without conjugation: the real part of sum_i z_p(w_i, x) z_p(w_i, x') has mean k(x, x'), for
    up to 3 features.
    """
    counts = quantity(lambda rng, size: rng.multinomial(s, case.p, size))
    products = counts.map(
        lambda N: (case.C * (N / s)[..., None, :]) @ case.C.T - (case.S * (N / s)[..., None, :]) @ case.S.T
    )
    return equal(E(products), case.K)


@paper.identity("eq2.transpose.repaired", section="Section 1, Eq. (2)", repairs="eq2.transpose")
def plain_features_with_conjugation(case: FourierFeatures, s: Few):
    """With conjugation the real part of sum_i z_p(w_i, x)^* z_p(w_i, x') has mean k(x, x'), for up to 3
    features. Proof: without, exp(-i w (x + x')) has mean k(x + x').
    """
    counts = quantity(lambda rng, size: rng.multinomial(s, case.p, size))
    return equal(E(counts.map(lambda N: case.real(N / s))), case.K)


@paper.identity("s1.Kapprox", section="Sections 1 and 3.2")
def mean_of_one_column(case: FourierFeatures, s: Few):
    """K = E z_{p,w}(X) z_{p,w}(X)^*, where z_{p,w}(X) is a column of Z_p: z_p(w, x) = exp(-i w^T x) /
    sqrt(s), s <= 3.
    """
    one = quantity(lambda rng, size: rng.multinomial(1, case.p, size))
    return equal(E(one.map(lambda N: case.real(N / s))), case.K)


@paper.identity("s1.Kapprox.repaired", section="Sections 1 and 3.2", repairs="s1.Kapprox")
def mean_of_one_feature(case: FourierFeatures, q: Simplex(4), s: Few):
    """K = s E z_{p,w} z_{p,w}^* = s E z_{q,w} z_{q,w}^*, in the real part, q > 0, s <= 3. Proof: Z Z^* is a
    sum of s such columns.

    Hence (3) to (15) are read with z_p(w, x) = exp(-i w^T x), as Li et al. (2021) do; otherwise (5) and (10)
    are off by s, too.
    """
    assume(q > 0)
    one = [quantity(lambda rng, size, law=law: rng.multinomial(1, law, size)) for law in (case.p, q)]
    plain, weighted = (
        one[0].map(lambda N: case.real(N / s)),
        one[1].map(lambda N: case.real(N * (case.p / q) / s)),
    )
    return equal(s * E(plain), case.K), equal(s * E(weighted), case.K)


@paper.identity("eq9", section="Section 3.2, Eq. (9)")
def weighted_features(case: FourierFeatures, q: Simplex(4), s: Few):
    """k(x, x') = E phi_q(x)^* phi_q(x') for s <= 3 features drawn from q > 0, weighted by sqrt(p / q).

    The paper says only that q is a density "to be designed". See eq13_14.
    """
    assume(q > 0)
    shares = case.shares(s, q).map(lambda share: share * case.p)
    return equal(E(shares.map(case.real)), case.K), equal(E(shares.map(case.imaginary)), 0 * case.K)
