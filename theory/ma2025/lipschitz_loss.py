"""Section 3.2 and Appendix D.2: Theorem 3.6 and the steps of its proof, for Lipschitz losses."""

import numpy as np

from boundcheck import (
    E,
    NonNegative,
    Real,
    Signs,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    exp,
    integers,
    log,
    marked,
    maximum,
    norm,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool

from . import paper
from .squared_loss import kernel_of_draw, mass_seen_once, target


def logistic(g, y):
    """log(1 + exp(-y g)) for labels +1 and -1."""
    return log(1 + exp(-y * g))


@paper.definition("asm3.5", section="Assumption 3.5")
def logistic_loss_is_lipschitz(g: between(-30, 30), h: between(-30, 30), y: Signs(1)):
    """The logistic loss is Lipschitz with L = 1 in its first argument; for arguments up to 30."""
    return at_most(abs(logistic(g, y[0]) - logistic(h, y[0])), abs(g - h))


@paper.definition("asm3.5.softmax.printed", section="Assumption 3.5 and Section 3.2")
def softmax_loss_has_constant_one(g: Vector("k"), h: Vector("k"), y: integers(0, 7)):
    """The softmax loss of k classes is Lipschitz with the L = 1 of Assumption 3.5, as an example of
    Section 3.2; for scores up to 30.

    A reading: the paper does not say what |g - g'| is for k scores; here the Euclidean norm.
    """
    y = min(y, len(g) - 1)
    g, h = g / maximum(1, abs(g).max() / 30), h / maximum(1, abs(h).max() / 30)
    loss = [log(exp(x).sum()) - x[y] for x in (g, h)]
    return at_most(abs(loss[0] - loss[1]), norm(g - h))


@paper.definition(
    "asm3.5.softmax", section="Assumption 3.5 and Section 3.2", repairs="asm3.5.softmax.printed"
)
def softmax_loss_is_lipschitz(g: Vector("k"), h: Vector("k"), y: integers(0, 7)):
    """The softmax loss of k classes is Lipschitz with L = sqrt(2) in the Euclidean norm of its scores; for
    scores up to 30.

    Added: the gradient is p - e_y with norm at most sqrt(2), so that L = 1 holds after a division by sqrt(2).
    """
    y = min(y, len(g) - 1)
    g, h = g / maximum(1, abs(g).max() / 30), h / maximum(1, abs(h).max() / 30)
    loss = [log(exp(x).sum()) - x[y] for x in (g, h)]
    return at_most(abs(loss[0] - loss[1]), sqrt(2) * norm(g - h))


@paper.theorem("theorem3.6.explicit", section="Section 3.2")
def excess_risk(level: integers(1, 5), share: Unit):
    """Whatever lam in [0, lambda_1], the excess risk is at most 4 sqrt(lam) + C y_0 / (h sqrt n) + eps,
    with C = 100; here for one law, as lam -> 0, n = 2^16, .., 2^80.

    A reading, as theorem3.2.explicit, where the law of inputs and features is; here eps = n^(-1/4) and
    1/h = (1/eps) (log(1/eps))^1/2. The loss is |y - g|, and y = 0 or, with probability `share`, a fair sign,
    so that g* = 0 has the least risk. As lam -> 0 the prediction tends to y in a cell seen once; if that is a
    sign, the risk there is 1, not `share`.
    """
    n = 2.0 ** (16 * level)
    eps = n ** (-1 / 4)
    bound = marked(100.0, "C") * sqrt(log(1 / eps)) / eps / sqrt(n) + eps
    return at_most(share * (1 - share) * mass_seen_once(n), bound)


@paper.theorem("theorem3.6.repaired", section="Section 3.2", repairs="theorem3.6.explicit")
def excess_risk_at_the_inputs(
    case: FeaturePool, share: Vector(3), v: Vector(3), gap: Vector(3), y: Vector(3), eps: Unit
):
    """On the event K <= 2 (Khat + n lam I), for the loss |y - g| and g* within eps of the unit ball, the
    regularised empirical risk exceeds that of g* by at most (2 lam)^1/2 + 2 lam + eps, whatever the labels.

    lemmaE.3.repaired gives the event with probability 1 - delta for s >= 6.52 d_tilde log(16 d / delta). What
    is lost is E l_ghat - E_n l_ghat. Proof. At v_0 of Lemma E.3, by D2.step-jensen.
    """
    n, lam, Kt = case.n, case.lam, kernel_of_draw(case, share)
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - case.K) >= 0)
    g, g_star = target(case, v, eps, gap)
    alpha = solve(Kt + case.ridge, g[:, None])[:, 0]
    value = abs(Kt @ alpha - y[:n]).sum() / n + lam * (alpha @ Kt @ alpha)
    return at_most(value - abs(g_star - y[:n]).sum() / n, sqrt(2 * lam) + 2 * lam + eps)


@paper.theorem("theorem3.6.general", section="Section 3.2", repairs="theorem3.6.explicit")
def expected_risk_out_of_sample(n: integers(1, 12), m: integers(1, 6), lam: Unit):
    """For n <= 12, up to 6 equally likely cells with a feature each, the loss |y - g| and fair signs, N = R =
    L_0 = 1: mean E l_ghat exceeds the mean of the least regularised risk at a~ by at most 2 G / sqrt(n).

    Proved for plain features and 1-Lipschitz losses l >= 0 with l(0, y) <= L_0; means over samples. G = R (N
    L_0 / lam)^(1/2), basis functions bounded by 1. With theorem3.6.repaired, and L_0 where the event of Lemma
    E.3 fails, the mean excess risk is at most (2 lam)^(1/2) + 2 lam + eps + delta L_0 + 2 G / sqrt(n). For
    bumps on [-1, 1] at least as wide as their distance 1.4 h N may stand for N in G (E2.mse-remark): the last
    term is then of the order 1 / (h lam n)^(1/2). Proof. lam s ||vhat||^2 is at most the objective at v = 0,
    L_0, so that ghat lies in a ball F whose complexity is at most G / sqrt(n), by the Frobenius norm; the
    loss is 1-Lipschitz, and the mean of the supremum over F of E l - E_n l is at most twice the complexity.
    Looked at for m equally likely cells, a~ = 1: a cell predicts v, the sum of its labels over 2 n lam m,
    clipped at +-1, and E |y - v| = 1.
    """
    counts = quantity(lambda rng, size: rng.multinomial(n, [1 / (2 * m), 1 / (2 * m), 1 - 1 / m], size))

    def least(N):
        total, points = N[..., 0] - N[..., 1], N[..., 0] + N[..., 1]
        v = np.clip(total / (2 * n * lam * m), -1, 1)
        return m * (points - total * v) / n + m * lam * m * v**2

    return at_most(1 - E(counts.map(least)), 2 / sqrt(lam) / sqrt(n))


@paper.step("D2.decomposition", section="Appendix D.2", step_of="theorem3.6.explicit")
def decomposition(risks: Vector(4), empirical: Vector(4), penalty: NonNegative):
    """If E_n l_ghat <= E_n l_ga + lam s ||v||^2, then E l_ghat - E l_g* is at most the sum of the four terms.

    Entries 0 to 3 of the risks are those of ghat, g_a, g_tilde and g*.
    """
    assume(empirical[0] <= empirical[1] + penalty)
    terms = (
        risks[0] - empirical[0],
        empirical[1] + penalty - empirical[2],
        empirical[2] - risks[2],
        risks[2] - risks[3],
    )
    return at_most(risks[0] - risks[3], sum(terms))


@paper.step("D2.step-jensen", section="Appendix D.2, second term", step_of="theorem3.6.explicit")
def mean_and_root_mean_square(g: Vector("n"), g_tilde: Vector("n"), y: Vector("n"), penalty: NonNegative):
    """mean l(g) - mean l(g_tilde) + lam s ||v||^2 <= mean |g - g_tilde| + lam s ||v||^2 <= ... <= sqrt(Q) + Q,
    Q = mean |g - g_tilde|^2 + lam s ||v||^2; for the loss |y - g|.
    """
    u = ((g - g_tilde) ** 2).mean()
    first = abs(g - y).mean() - abs(g_tilde - y).mean() + penalty
    second, third = abs(g - g_tilde).mean() + penalty, sqrt(u) + penalty
    return at_most(first, second), at_most(second, third), at_most(third, sqrt(u + penalty) + u + penalty)


@paper.step("D2.step-4sqrt", section="Appendix D.2, second term", step_of="theorem3.6.explicit")
def four_roots(part: Unit):
    """sqrt(2 lam) + 2 lam <= 4 sqrt(lam), 'considering lam = o(1)': for lam <= (2 - sqrt(1/2))^2 = 1.67.

    No further: there it is an equality.
    """
    lam = part * (2 - sqrt(1 / 2)) ** 2
    return at_most(sqrt(2 * lam) + 2 * lam, 4 * sqrt(lam))


@paper.step("D2.third-term.explicit", section="Appendix D.2, third term", step_of="theorem3.6.explicit")
def loss_is_bounded(g: between(-1, 1), y: Real):
    """As g_tilde(x) is bounded and l is Lipschitz in the first variable, l(g_tilde(x), y) is bounded, here by
    C = 1000.

    A reading: the paper names no bound. The loss |y - g| is 1-Lipschitz; Theorem 3.6 does not assume that y
    is bounded.
    """
    return at_most(abs(y - g), marked(1000.0, "C"))


@paper.step(
    "D2.third-term.repaired",
    section="Appendix D.2, third term",
    step_of="theorem3.6.explicit",
    repairs="D2.third-term.explicit",
)
def loss_is_bounded_repaired(g: between(-1, 1), y: Real, L_0: NonNegative):
    """If also l(0, y) <= L_0 for all y, then l(g_tilde(x), y) is at most L_0 + max |g_tilde|, by the
    Lipschitz property; for |y - g| and |g| <= 1.
    """
    assume(abs(y) <= L_0)
    return at_most(abs(y - g), L_0 + 1)


@paper.step("D2.fourth-term", section="Appendix D.2, fourth term", step_of="theorem3.6.explicit")
def approximation_of_target(g: Vector("n"), gap: Vector("n"), y: Vector("n"), eps: Unit):
    """If |g_tilde - g*| <= eps everywhere, then E l_g_tilde - E l_g* <= eps; for the loss |y - g|, on n equally
    likely points.
    """
    gap = eps * gap / maximum(1, abs(gap).max())
    return at_most(abs(g + gap - y).mean() - abs(g - y).mean(), eps)
