"""Sections 6.3 and 6.5: the inclusions of Eq. (22), Eqs. (25), (31), (35), and the fixed point for an
exponential spectrum.
"""

from boundcheck import (
    E,
    NonNegative,
    Positive,
    Unit,
    UnitVector,
    Vector,
    assume,
    at_most,
    between,
    ceil,
    equal,
    exp,
    integers,
    log,
    maximum,
    minimum,
    norm,
    quantity,
    rate,
    sqrt,
)  # fmt: skip

from . import paper
from .rademacher import signs

SIZES = (16, 64, 256, 1024)
Sample = integers(1, 200)
Factor = between(1.1, 3)


def largest(A, B, low, absolute=True):
    """The largest |A a^2 + B a| (or without the absolute value) over a in [low, 1]."""
    vertex = minimum(1, maximum(low, -B * A / (2 * A * A + 1e-200)))
    values = [A * a * a + B * a for a in (low, 1, vertex)]
    top = maximum(maximum(values[0], values[1]), values[2])
    return maximum(top, -minimum(minimum(values[0], values[1]), values[2])) if absolute else top


@paper.step("theorem12.eq22.equal", section="Eq. (22), second line", step_of="theorem12.explicit")
def complexity_of_shifted_losses(y: NonNegative, kappa: Positive):
    """At one point, for the squared loss, the complexity of the losses l_f is that of the differences l_f -
    l_fhat.

    |f| <= sqrt(kappa), r so large that it does not restrict. With the absolute value of Definition 1 the
    complexities are 2 sup l_f and 2 sup (l_f - l_fhat); the star hull changes neither unless l_fhat is the
    larger one.
    """
    worst, least = (y + sqrt(kappa)) ** 2, maximum(0, y - sqrt(kappa)) ** 2
    return equal(2 * worst, 2 * maximum(worst - least, least))


@paper.step(
    "theorem12.eq22.equal.repaired",
    section="Eq. (22), second line",
    step_of="theorem12.explicit",
    repairs="theorem12.eq22.equal",
)
def complexity_of_shifted_losses_repaired(h: Vector("n"), e: Vector("n"), low: between(-1, 0)):
    """On a segment of functions, for the squared loss, the complexity without absolute value, as in Bartlett
    et al. 2005, of the losses l_f is that of the differences l_f - l_fhat.

    The class is f = fhat + a h with a in [low, 1], the residuals of fhat are e. Proof: the shift has mean 0
    over the signs.
    """
    sigma = signs(len(e))
    shifted = sigma.map(
        lambda s: largest((s * h * h).sum(axis=-1), -2 * (s * h * e).sum(axis=-1), low, False)
    )
    losses = sigma.map(
        lambda s: (
            largest((s * h * h).sum(axis=-1), -2 * (s * h * e).sum(axis=-1), low, False)
            + (s * e * e).sum(axis=-1)
        )
    )
    return equal(E(losses), E(shifted))


@paper.step(
    "theorem12.eq22.contraction.explicit", section="Eq. (22), third line", step_of="theorem12.explicit"
)
def contraction_with_the_lipschitz_constant(h: Vector("n"), e: Vector("n"), low: between(-1, 0)):
    """On a segment of functions, the only class that is looked at, the complexity of the differences
    l_f - l_fhat is at most L times that of f - fhat; squared loss.

    For a class in general, where the absolute value of Definition 1 takes 2 L, nothing is claimed. Here it is
    f = fhat + a h, a in [low, 1], with residuals e of fhat, which is the minimiser; L = 2 max |y - f|.
    """
    assume(h @ h > 0)
    e = e - (h @ e) / (h @ h) * h
    sigma, L = signs(len(e)), 2 * (abs(e) + abs(h)).max()
    losses = sigma.map(lambda s: largest((s * h * h).sum(axis=-1), -2 * (s * h * e).sum(axis=-1), low))
    return at_most(E(losses), L * E(abs(sigma.map(lambda s: (s * h).sum(axis=-1)))))


@paper.step("theorem12.eq22.symmetrise", section="Eq. (22), last lines", step_of="theorem12.explicit")
def half_difference_is_in_the_ball(w: UnitVector("m"), v: UnitVector("m"), c: Unit, z: Vector("m")):
    """For f of norm 1 and g in the unit ball (f - g) / 2 is in it, and has a quarter of the square of f - g at
    every point.

    By scaling so for all f of the unit ball. So the complexity of the f - g with E_n (f - g)^2 <= r is at most
    twice that of the f with E_n f^2 <= r / 4.
    """
    return at_most(norm((w - c * v) / 2), 1), equal((z @ (w - c * v) / 2) ** 2, (z @ (w - c * v)) ** 2 / 4)


@paper.step("theorem12.exp_h.explicit", section="Section 6.3, end", step_of="theorem12.explicit")
def tail_at_log_n(A: between(0.05, 0.95)):
    """With lam_i = A^i, A from .05 to .95, and h = ceil(log n), the natural logarithm, the root in (10) is
    O(log(n) / n), read as a rate over n = 10^3, .., 10^9.

    For A > 1 / e it is of the order n^((log A - 1) / 2), which is larger.
    """
    sizes = (10**3, 10**5, 10**7, 10**9)
    tails = {n: sqrt(exp((ceil(log(n)) + 1) * log(A)) / (1 - A) / n) for n in sizes}
    return rate({n: tails[n] * n / log(n) for n in sizes}, at_most=0)


@paper.step(
    "theorem12.exp_h.repaired",
    section="Section 6.3, end",
    step_of="theorem12.explicit",
    repairs="theorem12.exp_h.explicit",
)
def tail_at_enough_terms(A: Unit, log_n: Positive):
    """With lam_i = A^i and h = log(n) / log(1 / A), rounded up, the root in (10) is at most 1 / (n sqrt(1 - A));
    looked at without rounding, where it is no smaller. Proof: A^(h + 1) <= A / n.
    """
    h = log_n / log(1 / A)
    return at_most(exp((h + 1) * log(A)) / (1 - A) * exp(log_n), 1 / (1 - A))


@paper.remark("sec322.poly_text", section="Section 3.2.2, text")
def fast_rate_for_a_polynomial_spectrum(D: Factor):
    """For lam_i proportional to i^-t and lam = 1 / n the learning rate is O(1 / n): the term D / (D - 1)
    sqrt(2 lam) of (12), D from 1.1 to 3, read as a rate over n = 100, 10^4, 10^6.
    """
    return rate({n: D / (D - 1) * sqrt(2 / n) for n in (10**2, 10**4, 10**6)}, at_most=-1)


@paper.remark("theorem19.constants", section="Section 6.5, Eqs. (32), (36)", step_of="theorem19.explicit")
def two_bounds_add_up(D: Factor, B: Positive, r: Positive):
    """For D from 1.1 to 3 the bounds 12 D / B r* that (32) gives for (33) and for (35) add up to the 12 D / B
    r* of (36).
    """
    return at_most(2 * (12 * D / B * r), 12 * D / B * r)


@paper.remark(
    "theorem19.constants.repaired", section="Section 6.5, Eqs. (32), (36)", repairs="theorem19.constants"
)
def two_bounds_add_up_repaired(D: Factor, B: Positive, r: Positive):
    """For D from 1.1 to 3 and with the 6 D / B r* of Lemma 25 in (32) the bounds for (33) and for (35) add up
    to the 12 D / B r* of (36).
    """
    return equal(2 * (6 * D / B * r), 12 * D / B * r)


def fair_coins(n):
    """The mean of n fair signs."""
    return quantity(lambda rng, size: 2 * rng.binomial(n, 0.5, size) / n - 1)


def mean_of_25(n, D):
    """E of D / (D - 1) E_n l_fhat - E l_fhat for one input, K = 1, y a fair sign and lam = 1 / n."""
    c, mean = 1 / (1 + 1 / n), fair_coins(n)
    return E(D / (D - 1) * (1 - 2 * c * mean**2 + c**2 * mean**2) - (1 + c**2 * mean**2))


@paper.step("theorem12.step25.explicit", section="Section 6.3, Eq. (25)", step_of="theorem12.explicit")
def interchanged_risks(D: Factor):
    """For one input, K = 1, y a fair sign, lam = 1 / n and D from 1.1 to 3, the mean of D / (D - 1) E_n l_fhat
    - E l_fhat, by (25) at most 6 D / B r* + O(1 / n), is of order 1 / n, read as a rate over n = 16, 64, 256,
    1024.

    The kernel has rank one, so that r* is of order 1 / n. As n grows the mean tends to 1 / (D - 1).
    """
    return rate({n: mean_of_25(n, D) for n in SIZES}, at_most=-1)


@paper.step(
    "theorem12.step25.repaired",
    section="Section 6.3, Eq. (25)",
    step_of="theorem12.explicit",
    repairs="theorem12.step25.explicit",
)
def interchanged_risks_repaired(n: Sample, D: Factor):
    """For one input, K = 1, y a fair sign, lam = 1 / n, D from 1.1 to 3 and n <= 200, the mean of D / (D - 1)
    E_n l_fhat - E l_fhat is at most (E l_fH + D lam) / (D - 1), which does not vanish with n.

    Proof. E_n l_fhat <= E_n l_fH + lam ||f_H||^2 and E l_fhat >= E l_fH. Here f_H = 0 and E l_fH = 1.
    """
    return at_most(mean_of_25(n, D), (1 + D / n) / (D - 1))


def mean_of_35(n, p, D):
    """E of D / (D - 1) E_n l_gH - E l_gH for one input, y = 1 but for a share p of -1, |g| <= 1, and the loss
    |y - g|.
    """
    wrong = quantity(lambda rng, size: rng.binomial(n, p, size)) / n
    return D / (D - 1) * E(2 * wrong) - 2 * p


@paper.step("theorem19.step35.explicit", section="Section 6.5, Eq. (35)", step_of="theorem19.explicit")
def interchanged_lipschitz_risks(p: between(0.1, 0.4), D: Factor):
    """For one input, y = 1 but for a share p of -1, p from .1 to .4, the loss |y - g|, |g| <= 1, and D from
    1.1 to 3, the mean of D / (D - 1) E_n l_gH - E l_gH, by (32) at most 12 D / B r* + O(1 / n), is of order 1 /
    n, read as a rate over n = 16, 64, 256, 1024.

    g_H = 1, and Assumption B.2 holds with B = 2 / (1 - 2 p): (1 - g)^2 <= 2 (1 - g). The kernel has rank one.
    For every n the mean is 2 p / (D - 1).
    """
    return rate({n: mean_of_35(n, p, D) for n in SIZES}, at_most=-1)


@paper.step(
    "theorem19.step35.repaired",
    section="Section 6.5, Eq. (35)",
    step_of="theorem19.explicit",
    repairs="theorem19.step35.explicit",
)
def interchanged_lipschitz_risks_repaired(n: Sample, p: between(0.1, 0.4), D: Factor):
    """For one input, y = 1 but for a share p of -1, p from .1 to .4, the loss |y - g|, |g| <= 1, D from 1.1 to
    3 and n <= 200, the mean of D / (D - 1) E_n l_gH - E l_gH is E l_gH / (D - 1), as E E_n l_gH = E l_gH.
    """
    return equal(mean_of_35(n, p, D), 2 * p / (D - 1))


@paper.step("theorem19.eq31", section="Eq. (31)", step_of="theorem19.explicit")
def second_moment_of_lipschitz_loss(
    correct: integers(0, 12), wrong: integers(1, 12), p: between(0.6, 1), g: between(-1, 1)
):
    """At one input with the loss |y - g|, |g| <= 1, and y = 1 with probability p from .6 on, E_n l_g^2 >= (2 / B)
    E_n l_ghat E_n (g - ghat)^2 for every sample of up to 12 labels 1 and 1 to 12 labels -1, by Assumption B.2,
    which is one about P.

    "Assumption B.4" is read as B.2. Else y = -1: g_H = 1, and B.2 holds with B = 2 / (2 p - 1), as E l_g - E
    l_gH = (2 p - 1) (1 - g). The sample has `correct` labels 1 and `wrong` labels -1.
    """
    n, B = correct + wrong, 2 / (2 * p - 1)
    g_hat = 1 if correct >= wrong else -1
    losses, least = correct * (1 - g) ** 2 + wrong * (1 + g) ** 2, 2 * min(correct, wrong)
    return at_most(2 / B * (least / n) * (g - g_hat) ** 2, losses / n)


@paper.step(
    "theorem19.eq31.empirical", section="Eq. (31)", step_of="theorem19.explicit", repairs="theorem19.eq31"
)
def second_moment_of_lipschitz_loss_under_the_sample(
    loss: Vector("n"), least: NonNegative, distance: NonNegative, B: Positive
):
    """If Assumption B.2 holds for the sample, not for P alone, then
    E_n l_g^2 >= (2 / B) E_n l_ghat E_n (g - ghat)^2.

    Proof: E_n l_g^2 >= (E_n l_g)^2 >= 2 E_n l_ghat (E_n l_g - E_n l_ghat). least = E_n l_ghat,
    distance = E_n (g - ghat)^2.
    """
    loss, n = abs(loss), len(loss)
    assume(least <= loss.sum() / n)
    assume(distance <= B * (loss.sum() / n - least))
    return at_most(2 / B * least * distance, (loss**2).sum() / n)
