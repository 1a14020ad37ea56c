"""Section 2.3: the averaging identities of Algorithm 1, and what an iteration costs."""

from boundcheck import Count, Positive, Vector, assume, at_most, between, equal, integers

from . import paper

Horizon = integers(0, 8)


def weights(gamma, T):
    """alpha_1, ..., alpha_(T+1) of Algorithm 1."""
    return [2 * (gamma + t - 1) / ((2 * gamma + T) * (T + 1)) for t in range(1, T + 2)]


@paper.identity("alg1.alpha-sum", section="Section 2.3")
def weights_sum_to_one(gamma: Positive, T: Horizon):
    """The averaging weights alpha_t = 2 (gamma + t - 1) / ((2 gamma + T) (T + 1)), t <= T + 1, sum to one; T <= 8.
    """
    return equal(sum(weights(gamma, T)), 1)


@paper.identity("alg1.theta-recursion", section="Section 2.3")
def average_without_storing(gamma: Positive, betas: Vector("T")):
    """The recursion with theta_t = 2 (gamma + t) / ((t + 1) (2 gamma + t)) gives sum_t alpha_t beta_t, and
    theta_t <= 1; for a few numbers beta_t.
    """
    T = len(betas) - 1
    thetas = [2 * (gamma + t) / ((t + 1) * (2 * gamma + t)) for t in range(1, T + 1)]
    average = betas[0]
    for theta, beta in zip(thetas, betas[1:], strict=True):
        average = (1 - theta) * average + theta * beta
    stored = sum(alpha * beta for alpha, beta in zip(weights(gamma, T), betas, strict=True))
    return equal(average, stored), *[at_most(theta, 1) for theta in thetas]


@paper.algorithm("alg1.cost", section="Section 2.3, Computational Complexity")
def operations(n: Count):
    """One pass over n examples takes n (n + 1) / 2 updates of coefficients with the kernel, between n^2 / 2
    and n^2.

    With random features it takes M n. Counted as in Figure 4: step t touches M coefficients, or t.
    """
    kernel = sum(range(1, n + 1))
    return equal(kernel, n * (n + 1) / 2), at_most(kernel, n**2), at_most(n**2 / 2, kernel)


@paper.algorithm("alg1.crossover", section="Section 4, Computational Viewpoint")
def orders_cross_at_M(n: Count, M: Count):
    """For n > M iterations the orders of time and memory of the full kernel method, n^2 and n, are at least
    those of random features, M n and M.

    Section 2.3 gives these orders; M n against n^2 is also the cost of the iterations after the M-th.
    """
    assume(n > M)
    return at_most(M * n, n**2), at_most(M, n)


@paper.algorithm("alg1.crossover.explicit", section="Section 4, Computational Viewpoint, with Figure 4")
def updates_cross_at_M(n: Count, M: Count):
    """With more than M iterations the kernel method has made at least as many updates as random features, in
    the updates of Figure 4.

    A reading: the paper may mean orders, which alg1.crossover looks at. Step t updates M coefficients, or t.
    """
    assume(n > M)
    return at_most(M * n, n * (n + 1) / 2)


@paper.algorithm("alg1.crossover.updates", section="Figure 4", repairs="alg1.crossover.explicit")
def updates_cross_at_2M(n: Count, M: Count):
    """In the updates that Figure 4 counts, all together, the kernel method has made at least as many from n =
    2 M - 1 on.

    Not, for all M, from n = M + 1 on: alg1.crossover.explicit. Proof: n (n + 1) / 2 >= M n iff n + 1 >= 2 M.
    """
    assume(n + 1 >= 2 * M)
    return at_most(M * n, n * (n + 1) / 2)


@paper.remark("theorem3.gamma-tradeoff", section="Section 4, Dependence of gamma and lambda on T")
def terms_in_gamma(G: Positive, R: Positive, lam: Positive, D: Positive, gamma: between(1, 1000), T: Count):
    """The first part of the condition on T is O(1 / gamma), the second is O(gamma), for given T and
    D = ||g_1 - g||^2; 1 < gamma < 1000, with explicit constants.
    """
    first = 36 * G**2 * R**2 / (lam**2 * (2 * gamma + T))
    second = gamma * (gamma - 1) * D / ((2 * gamma + T) * (T + 1))
    return at_most(first, 18 * G**2 * R**2 / lam**2 / gamma), at_most(second, D / (2 * (T + 1)) * gamma)


@paper.remark("theorem3.gamma-tradeoff.best", section="Section 4, Dependence of gamma and lambda on T")
def second_term_by_itself(D: Positive, gamma: between(1, 1000), T: Count):
    """The second part is at most (gamma / (T + 1))^2 D, so that it falls at least like 1 / T^2; for
    1 < gamma < 1000.
    """
    return at_most(gamma * (gamma - 1) * D / ((2 * gamma + T) * (T + 1)), (gamma / (T + 1)) ** 2 * D)
