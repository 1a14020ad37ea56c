"""Assumption 3.1 and Appendix D.1: the noise of the labels, and the size of its terms in the proof of
Theorem 3.2.
"""

from boundcheck import (
    E,
    Matrix,
    P,
    Positive,
    Real,
    Unit,
    Vector,
    assume,
    at_most,
    equal,
    erf,
    log,
    maximum,
    norm,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool
from boundcheck.words.functions import identity

from . import paper
from .squared_loss import kernel_of_draw, solution, target


@paper.definition("asm3.1.explicit", section="Assumption 3.1")
def gaussian_and_bounded(f: Real, sigma: Positive, y_0: Positive):
    """A label y = f*(x) + noise, the noise Gaussian with variance sigma^2, satisfies |y| <= |y_0| almost
    surely.

    A reading: 'the sampled data y are bounded' may also be about the n labels at hand, which says nothing.
    """
    return at_most(1, (erf((y_0 - f) / (sigma * sqrt(2))) + erf((y_0 + f) / (sigma * sqrt(2)))) / 2)


@paper.definition("asm3.1.repaired", section="Assumption 3.1", repairs="asm3.1.explicit")
def mean_zero_and_bounded(f: Real, sigma: Positive, y_0: Positive):
    """Noise of mean 0 and variance sigma^2 with bounded labels exists: f* + sigma times a fair sign,
    if |f*| + sigma <= y_0.

    What the proof uses of Gaussian noise is its mean, its variance, and that its averages and those of its
    square are O(1 / sqrt n) from their means; bounded noise has all that. Read as in asm3.1.explicit, no noise
    with sigma > 0 satisfies Assumption 3.1.
    """
    assume(abs(f) + sigma <= y_0)
    noise = quantity(lambda rng, size: sigma * (2 * rng.integers(0, 2, size) - 1))
    return P(abs(f + noise) <= y_0) >= 1, equal(E(noise), 0 * sigma), equal(E(noise**2), sigma**2)


def signs(n):
    """n independent fair signs."""
    return quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, n)) - 1)


@paper.step("D1.noise-identity", section="Appendix D.1", step_of="theorem3.2.explicit")
def noise_term(Z: Matrix("n", "s"), f: Vector("n"), e: Vector("n"), lam: Positive):
    """-(2/n) <Z v_0 - f, e> = 2 lam <(Khat + n lam I)^-1 f, e>, v_0 the minimiser of (12)."""
    n, s = Z.shape
    alpha = solve(Z @ Z.T / s + n * lam * identity(n), f[:, None])[:, 0]
    return equal(-2 / n * ((Z @ solution(Z, f, lam) - f) @ e), 2 * lam * (alpha @ e))


def on_event(case, share, v):
    """(Khat + n lam I)^-1 f for f of the unit ball, on the event K <= 2 (Khat + n lam I) of Lemma E.3."""
    Kt = kernel_of_draw(case, share)
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - case.K) >= 0)
    f, _ = target(case, v, 0, v)
    return solve(Kt + case.ridge, f[:, None])[:, 0]


@paper.step("D1.noise-variance", section="Appendix D.1", step_of="theorem3.2.explicit")
def variance_of_noise_term(case: FeaturePool, share: Vector(3), v: Vector(3), sigma: Positive):
    """<(Khat + n lam I)^-1 f, e> has variance f^T (Khat + n lam I)^-2 f, which is at most 2 / (n lam).

    As printed, though Var e = sigma^2. The noise is sigma times fair signs: the variance is the same for any
    law.
    """
    alpha = on_event(case, share, v)
    square = signs(case.n).map(lambda e: (sigma * (e @ alpha)) ** 2)
    return equal(E(square), alpha @ alpha), at_most(alpha @ alpha, 2 / (case.n * case.lam))


@paper.step(
    "D1.noise-variance.repaired",
    section="Appendix D.1",
    step_of="theorem3.2.explicit",
    repairs="D1.noise-variance",
)
def variance_of_noise_term_repaired(case: FeaturePool, share: Vector(3), v: Vector(3), sigma: Positive):
    """On the event of Lemma E.3 <(Khat + n lam I)^-1 f, e> has variance sigma^2 f^T (Khat + n lam I)^-2 f, at
    most 2 sigma^2 / (n lam), for f of the unit ball; for noise of fair signs times sigma.

    The variance is the same for any independent noise of variance sigma^2.
    """
    alpha = on_event(case, share, v)
    square = signs(case.n).map(lambda e: (sigma * (e @ alpha)) ** 2)
    return equal(E(square), sigma**2 * (alpha @ alpha)), at_most(alpha @ alpha, 2 / (case.n * case.lam))


@paper.step("D1.noise-order", section="Appendix D.1", step_of="theorem3.2.explicit")
def size_of_noise_terms(case: FeaturePool, share: Vector(3), v: Vector(3), sigma: Positive, delta: Unit):
    """On the event of Lemma E.3, with probability 1 - delta, 2 lam <alpha, e> <= 2 sigma (4 lam log(2 /
    delta) / n)^1/2, hence O((lam / n)^1/2); for noise of fair signs times sigma.

    alpha = (Khat + n lam I)^-1 f, f of the unit ball; Hoeffding's lemma. The next noise term is
    D1.approximation-noise.
    """
    alpha = on_event(case, share, v)
    term = signs(case.n).map(lambda e: 2 * case.lam * sigma * abs(e @ alpha))
    return P(term <= 2 * sigma * sqrt(4 * case.lam * log(2 / delta) / case.n)) >= 1 - delta


@paper.step("D1.approximation-noise", section="Appendix D.1", step_of="theorem3.2.explicit")
def noise_against_approximation_error(gap: Vector(4), eps: Unit, sigma: Positive, delta: Unit):
    """With probability 1 - delta, (2/n) |<f_tilde - f*, e>| <= 2 eps sigma (2 log(2 / delta) / n)^1/2, and
    (2/n) ||gap||^2 <= 2 eps^2; for noise of fair signs times sigma at four points.
    """
    n, gap = len(gap), eps * gap / maximum(1, abs(gap).max())
    term = signs(n).map(lambda e: 2 / n * sigma * abs(e @ gap))
    return P(term <= 2 * eps * sigma * sqrt(2 * log(2 / delta) / n)) >= 1 - delta, at_most(
        2 / n * norm(gap) ** 2, 2 * eps**2
    )
