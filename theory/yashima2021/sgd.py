"""Appendix E: averaged SGD converges to the minimiser (Proposition 5) and concentrates (Proposition 6),
step by step.
"""

import numpy as np

from boundcheck import E, P, Positive, Signs, Vector, assume, at_most, between, equal, exp, integers, norm
from boundcheck.laws.quantities import as_quantity

from . import paper
from .sgd_paths import SgdPaths


@paper.step(
    "prop5.step-iterates", section="Appendix E", step_of="prop5", repairs="prop5.step-iterates.gamma1"
)
def iterates_stay_bounded(case: SgdPaths, first: integers(0, 2), signs: Signs(5)):
    """If ||g_1|| <= (2 eta_1 + 1 / lam) G R and eta_1 <= min{1 / L, 1 / (2 lam)}, all iterates have norm at most
    2 G R / lam; for logistic losses, two inputs and few steps.
    """
    gamma = case.offset(case.L)
    iterates = case.run(case.path(first, signs), case.inside(gamma), gamma)
    return [at_most(norm(beta), 2 * case.R / case.lam) for beta in iterates]


@paper.step("prop5.step-iterates.gamma1", section="Propositions 5 and 6, Appendix E", step_of="prop5")
def iterates_stay_bounded_as_printed(lam: Positive, gamma: between(3, 1000), share: between(0, 1)):
    """If ||g_1|| <= (2 gamma_1 + 1 / lam) G R, as printed, all iterates have norm at most 2 G R / lam,
    the first of them, too.

    gamma_1 is not defined; read as gamma. G = R = 1, and ||g_1|| = share (2 gamma + 1 / lam). eta_1 <= 1 /
    (2 lam) is gamma >= 3.
    """
    return at_most(share * (2 * gamma + 1 / lam), 2 / lam)


@paper.step("prop5.step-gradient", section="Appendix E", step_of="prop5")
def stochastic_gradients_are_bounded(case: SgdPaths, beta: Vector(3), first: integers(0, 2), signs: Signs(5)):
    """Within norm 2 G R / lam, a stochastic gradient has norm at most 3 G R, hence 9 G^2 R^2 in the
    recursion; for logistic losses and two inputs.
    """
    radius, beta = 2 * case.R / case.lam, beta[: case.Phi.shape[1]]
    beta = beta * (radius / np.maximum(radius, norm(beta)))
    return at_most(norm(case.step(beta, case.path(first, signs)[0], 1) - beta), 3 * case.R)


@paper.step("prop5.step-recursion", section="Appendix E", step_of="prop5")
def one_step_towards_the_minimiser(case: SgdPaths, beta: Vector(3), share: between(0, 1)):
    """E ||g_2 - g||^2 <= (1 - eta lam) ||g_1 - g||^2 - 2 eta (F(g_1) - F(g)) + 9 eta^2 G^2 R^2 for the
    minimiser g of F, eta <= 1 / (2 lam) and ||g_1|| <= 2 G R / lam; for logistic losses and two inputs.

    F is the objective, lam-strongly convex.
    """
    assume(case.possible)
    radius, beta, eta = 2 * case.R / case.lam, beta[: case.Phi.shape[1]], share / (2 * case.lam)
    beta = beta * (radius / np.maximum(radius, norm(beta)))
    distance = np.sum((case.examples[0].map(lambda u: case.step(beta + 0 * u, u, eta)) - case.minimiser) ** 2)
    decrease = case.objective(beta) - case.objective(case.minimiser)
    before = np.sum((beta - case.minimiser) ** 2)
    return E(distance) <= (1 - eta * case.lam) * before - 2 * eta * decrease + 9 * eta**2 * case.R**2


@paper.identity("prop5.step-telescope", section="Appendix E", step_of="prop5")
def weights_telescope(lam: Positive, gamma: Positive, t: integers(1, 20), T: integers(0, 20)):
    """Weighted by gamma + t - 1 the recursion telescopes: (1 / eta_t - lam) meets 1 / eta_(t-1), and the
    weights sum to (T + 1) (2 gamma + T) / 2; up to 20 steps.
    """
    inverse_step = [lam * (gamma + r) / 2 for r in (t - 1, t)]
    total = sum(gamma + r - 1 for r in range(1, T + 2))
    return (
        equal((gamma + t - 1) * (inverse_step[1] - lam), (gamma + t - 2) * inverse_step[0]),
        equal(total, (T + 1) * (2 * gamma + T) / 2),
    )


@paper.step("prop6.step-contraction", section="Appendix E", step_of="prop6")
def contraction_with_LR2(
    L: Positive,
    R: Positive,
    lam: Positive,
    share: between(0, 1),
    c: between(0, 1),
    x: Vector("d"),
    g: Vector("d"),
):
    """With eta <= min{1 / (L R^2), 1 / (2 lam)}, one step on one example contracts distances by 1 - eta lam.

    The condition of the main text. The derivative of the loss differs by c L <d, x> between two iterates that
    differ by d, 0 <= c <= 1, for a convex L-smooth loss; ||x||^2 = k(x, x) <= R^2.
    """
    eta = share * np.minimum(1 / (L * R**2), 1 / (2 * lam))
    assume(norm(x) <= R)
    return at_most(
        norm((1 - eta * lam) * g - eta * c * L * (g @ x) * x), (1 - eta * lam) * norm(g) * (1 + 1e-12)
    )


@paper.remark("eta-condition.explicit", section="Propositions 5 and 6, Appendix E")
def contraction_with_L(L: Positive, R: between(0, 4), lam: Positive, c: between(0, 1), g: Positive):
    """With the appendix's eta_1 <= min{1 / L, 1 / (2 lam)} and the L of Assumption 4, one step on one example
    contracts by 1 - eta lam.

    A reading: the paper leaves the proof of Proposition 6 to Nitanda and Suzuki (2019), where L is the
    smoothness in H, L R^2 here. The kernel at the example is R^2, the two iterates differ by g along it,
    and the derivative of the loss by c L R g, 0 <= c <= 1. That Proposition 6 itself fails is not said:
    prop6 looks at it with 1 / L.
    """
    eta = np.minimum(1 / L, 1 / (2 * lam))
    return at_most(abs((1 - eta * lam) * g - eta * c * L * R**2 * g), (1 - eta * lam) * g)


@paper.remark(
    "eta-condition",
    section="Theorem 3, Propositions 5 and 6, Appendix E",
    repairs="eta-condition.explicit",
    step_of="prop6",
)
def contraction_with_LR2_in_one_direction(
    L: Positive, R: Positive, lam: Positive, c: between(0, 1), g: Positive
):
    """With eta_1 = min{1 / (L R^2), 1 / (2 lam)}, the largest in the condition of the main text, one step on one
    example contracts by 1 - eta lam, in the direction of the example.

    Smaller steps: prop6.step-contraction. The appendix has 1 / L, which is the same where L stands for the
    smoothness in H. Proof: eta c L R^2 <= 1 <= 2 (1 - eta lam), so that (1 - eta lam) - eta c L R^2 lies within
    +-(1 - eta lam); the largest step that does is 2 / (L R^2 + 2 lam).
    """
    eta = np.minimum(1 / (L * R**2), 1 / (2 * lam))
    return at_most(abs((1 - eta * lam) * g - eta * c * L * R**2 * g), (1 - eta * lam) * g)


@paper.remark("remarkE", section="Appendix E, Remark", step_of="prop6")
def smooth_examples_contract(
    case: SgdPaths, one: Vector(3), other: Vector(3), first: integers(0, 2), signs: Signs(5)
):
    """With per-example smoothness (Assumption 4) and eta_1 <= min{1 / (L R^2), 1 / (2 lam)}, every example's step
    eta_1 contracts by 1 - eta_1 lam, as Proposition 6 wants; for logistic losses and two inputs.

    The remark says that Nitanda and Suzuki (2019) assume smoothness of the risk alone and use that of the
    examples; here is what Assumption 4 gives.
    """
    M, u = case.Phi.shape[1], case.path(first, signs)[0]
    eta = 2 / (case.lam * (case.offset(case.L * case.R**2) + 1))
    gap = case.step(one[:M], u, eta) - case.step(other[:M], u, eta)
    return at_most(norm(gap), (1 - eta * case.lam) * norm(one[:M] - other[:M]))


@paper.step("prop6.step-sensitivity", section="Appendix E", step_of="prop6")
def one_example_moves_the_average(
    case: SgdPaths, which: integers(0, 4), first: integers(0, 2), signs: Signs(5)
):
    """A t-th example that is mirrored moves the average by at most 8 G R (T - t + 1) / (lam (2 gamma + T) (T
    + 1)), with eta_1 <= min{1 / (L R^2), 1 / (2 lam)}; for logistic losses, two inputs and few steps.

    So does any other one. Proof: 2 eta_t G R at first; then (1 - eta_r lam) = (gamma + r - 2) / (gamma + r)
    contracts, and the weights sum to that.
    """
    gamma, T, u = case.offset(case.L * case.R**2), case.T, case.path(first, signs)
    t = int(which) % T
    mirrored = u * np.array([-1.0 if r == t else 1.0 for r in range(T)])[:, None]
    paths = [case.run(examples, case.inside(gamma), gamma) for examples in (u, mirrored)]
    moved = sum(w * (a - b) for w, a, b in zip(case.weights(gamma), *paths, strict=True))
    return at_most(norm(moved), 8 * case.R * (T - t) / (case.lam * (2 * gamma + T) * (T + 1)))


@paper.step("prop6.step-variance", section="Appendix E", step_of="prop6")
def squared_differences_sum(gamma: Positive, lam: Positive, T: integers(1, 20)):
    """With G = R = 1 the squares of the bounds of prop6.step-sensitivity sum to at most 64 / (3 lam^2 (2
    gamma + T)); up to 20 steps.

    Pinelis (1994) then gives 3 / 128.
    """
    squares = sum((8 * (T - t + 1) / (lam * (2 * gamma + T) * (T + 1))) ** 2 for t in range(1, T + 1))
    return at_most(squares, 64 / (3 * lam**2 * (2 * gamma + T)))


@paper.proposition("prop5", section="Appendix E", repairs="prop5.space")
def mean_is_near_the_minimiser(case: SgdPaths):
    """In H_M, ||E gbar_(T+1) - g_(M,lam)||^2 <= (2 / lam) (18 G^2 R^2 / (lam (2 gamma + T)) + lam gamma (gamma - 1)
    D / (2 (2 gamma + T) (T + 1))); looked at for logistic losses, two inputs and few steps, all paths.

    D = ||g_1 - g_(M,lam)||^2, norms of coefficients, ||g_1|| <= (2 eta_1 + 1 / lam) G R (printed: gamma_1) and
    eta_1 <= min{1 / L, 1 / (2 lam)}.
    """
    assume(case.possible)
    gamma, lam, T = case.offset(case.L), case.lam, case.T
    start = case.inside(gamma)
    D = np.sum((start - case.minimiser) ** 2)
    mean = E(case.average(start, gamma))
    noise, memory = (
        18 * case.R**2 / (lam * (2 * gamma + T)),
        lam * gamma * (gamma - 1) / (2 * (2 * gamma + T) * (T + 1)) * D,
    )
    return at_most(np.sum((mean - case.minimiser) ** 2), 2 / lam * (noise + memory))


@paper.proposition("prop5.space", section="Appendix E")
def mean_is_near_the_kernel_minimiser(
    g: between(0.1, 2), gamma: between(3, 1000), digits: integers(0, 12)
):  # fmt: skip
    """For Algorithm 1, which runs in H_M, E gbar_(T+1) is as near to g_lam, the minimiser in H, as
    Proposition 5 has it.

    One input with label 1, logistic loss, features 2^(1/2) and 0 alike: k = 1; M = 1, and 0 is drawn, so that
    gbar = 0. g = g_lam for lam = 1 / (g (1 + e^g)), G = 1, R^2 = 2, L = 1/4, g_1 = 0 and T = 10^digits.
    """
    lam, T = 1 / (g * (1 + exp(g))), 10**digits
    assume(2 / (lam * (gamma + 1)) <= 4)
    memory = lam * gamma * (gamma - 1) / (2 * (2 * gamma + T) * (T + 1)) * g**2
    return at_most(g**2, 2 / lam * (36 / (lam * (2 * gamma + T)) + memory))


@paper.proposition("prop6", section="Appendix E")
def average_concentrates(case: SgdPaths, share: between(0, 1)):
    """P(||gbar - E gbar|| >= eps) <= 2 exp(-lam^2 (2 gamma + T) eps^2 / (2^6 3^2 G^2 R^2)); looked at for
    logistic losses, two inputs and few steps, all paths.

    As in Proposition 5; eps runs up to the 4 G R / lam that two points of the ball of all iterates can be
    apart.
    """
    assume(case.possible)
    gamma = case.offset(case.L)
    average, eps = case.average(case.inside(gamma), gamma), share * 4 * case.R / case.lam
    far = np.sum((average - as_quantity(E(average))) ** 2) >= eps**2
    return P(far) <= 2 * exp(-(case.lam**2) * (2 * gamma + case.T) * eps**2 / (2**6 * 3**2 * case.R**2))


@paper.proposition("prop6.sharper", section="Appendix E")
def average_concentrates_sharper(case: SgdPaths, share: between(0, 1)):
    """With eta_1 <= min{1 / (L R^2), 1 / (2 lam)} the exponent is 3 lam^2 (2 gamma + T) eps^2 /
    (128 G^2 R^2), 13.5 times the printed one; looked at for logistic losses, two inputs and few steps, all paths.

    Proof: prop6.step-sensitivity bounds the martingale differences E[gbar | z_1..z_t] - E[gbar |
    z_1..z_(t-1)], their squares sum to prop6.step-variance, and Pinelis (1994, Theorem 3.5): P(||sum d_t|| >=
    eps) <= 2 exp(-eps^2 / (2 sum |d_t|^2)).
    """
    assume(case.possible)
    gamma = case.offset(case.L * case.R**2)
    average, eps = case.average(case.inside(gamma), gamma), share * 4 * case.R / case.lam
    far = np.sum((average - as_quantity(E(average))) ** 2) >= eps**2
    return P(far) <= 2 * exp(-3 * case.lam**2 * (2 * gamma + case.T) * eps**2 / (128 * case.R**2))
