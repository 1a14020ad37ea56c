"""What theorists of learning write: shrinkage, kernels, entropies, martingales, resampling, chains and urns."""

import numpy as np
from scipy import special

from boundcheck import (
    E,
    Few,
    JointLaw,
    Matrix,
    P,
    Points,
    PositiveDefinite,
    Real,
    Simplex,
    Subset,
    Symmetric,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    equal,
    exp,
    frobenius,
    indicator,
    integers,
    loewner,
    maximum,
    norm,
    quantity,
    sqrt,
    trace,
)  # fmt: skip

from . import false, true


@true("Leave-one-out residuals: y_i - f_{-i}(x_i) = r_i / (1 - H_ii)")
def leave_one_out(X: Matrix(4, 2), y: Vector(4), lam: between(0.01, 10)):
    H = X @ np.linalg.inv(X.T @ X + lam * np.eye(2)) @ X.T
    r = y - H @ y
    keep = np.arange(1, 4)
    w = np.linalg.solve(X[keep].T @ X[keep] + lam * np.eye(2), X[keep].T @ y[keep])
    return equal((y[0] - X[0] @ w) * (1 - H[0, 0]), r[0])


@true("Nystrom: K[:, S] K[S, S]^-1 K[S, :] is below K")
def nystrom(K: PositiveDefinite(4), S: Subset(4, 2)):
    C = K[:, S]
    return loewner(C @ np.linalg.inv(K[np.ix_(S, S)]) @ C.T, K)


@true("MMD is a norm: it is not negative, and 0 of a sample and itself")
def maximum_mean_discrepancy(X: Points("n", "d"), p: Simplex("n"), q: Simplex("n")):
    K = np.exp(-np.abs(X[:, None] - X[None]).sum(axis=2))
    return at_most(0, (p - q) @ K @ (p - q)), equal((p - p) @ K @ (p - p), 0)


@true("KL is not negative where q is positive; zeros of p count 0")
def divergence_with_zeros(p: Simplex("n"), q: Simplex("n")):
    assume(np.all(q > 0))
    assume(p[0] == 0)
    return at_most(0, np.sum(special.xlogy(p, p) - special.xlogy(p, q)))


@true("The chain rule H(X, Y) = H(X) + H(Y | X), zero rows skipped")
def chain_rule(J: JointLaw("m", "n")):
    rows = J.sum(axis=1)
    given = 0
    for mass, row in zip(rows, J):
        if mass > 0:
            given = given + mass * special.entr(row / mass).sum()
    return equal(special.entr(J).sum(), special.entr(rows).sum() + given)


@true("Hellinger: 1 - BC lies between 0 and total variation")
def hellinger(p: Simplex("n"), q: Simplex("n")):
    h = 1 - np.sum(np.sqrt(p * q))
    tv = np.abs(p - q).sum() / 2
    return at_most(0, h), at_most(h, tv), at_most(tv, np.sqrt(h * (2 - h)))


@true("Khinchin's lower constant is 1 / sqrt 2, attained at two equal entries")
def khinchin_lower(x: Vector("n")):
    eps = quantity(lambda rng, size: 1 - 2 * rng.integers(0, 2, (size, len(x))))
    return at_most(norm(x) / sqrt(2), E(abs(np.sum(eps * x))))


@false("Khinchin with 0.72 for 1 / sqrt 2", "easy")
def khinchin_too_large(x: Vector("n")):
    eps = quantity(lambda rng, size: 1 - 2 * rng.integers(0, 2, (size, len(x))))
    return at_most(0.72 * norm(x), E(abs(np.sum(eps * x))))


@true("Bayes' rule for two coins: P(A and B) = P(A | B) P(B) by definition")
def bayes(p: between(0.1, 0.9), q: between(0.1, 0.9)):
    A = quantity(lambda rng, size: rng.random(size) < p)
    B = quantity(lambda rng, size: rng.random(size) < q)
    joint, b = E(A * B), E(B)
    return equal(joint / b, p)


@true("Doob: P(max of a fair walk >= c) <= E(S_n^+) / c")
def doob(n: integers(1, 6), c: integers(1, 4)):
    steps = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, n)) - 1)
    walk = np.cumsum(steps)
    return at_most(c * E(indicator(np.max(walk) >= c)), E(maximum(walk[-1], 0)))


@true("Optional stopping: a fair walk that stops at +-2 within 4 steps has mean 0")
def optional_stopping(k: Few):
    steps = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, 4)) - 1)
    value = 0
    stopped = 0
    for t in range(4):
        value = value + (1 - stopped) * steps[t]
        stopped = np.where(abs(value) >= 2, 1, stopped)
    return equal(E(value), 0)


@false("The stopped walk keeps its variance 4", "easy")
def stopped_variance(k: Few):
    steps = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, 4)) - 1)
    value, stopped = 0, 0
    for t in range(4):
        value = value + (1 - stopped) * steps[t]
        stopped = np.where(abs(value) >= 2, 1, stopped)
    return equal(E(value**2), 4)


@true("A U-statistic of order 2 is unbiased for the variance")
def u_statistic(p: Unit):
    x = quantity(lambda rng, size: rng.binomial(1, p, (size, 3)))
    u = ((x[0] - x[1]) ** 2 + (x[0] - x[2]) ** 2 + (x[1] - x[2]) ** 2) / 6
    return equal(E(u), p * (1 - p)), equal(E(u), E(np.var(x, ddof=1)))


@false("The sample variance without correction is unbiased", "easy")
def biased_variance(p: between(0.2, 0.8)):
    x = quantity(lambda rng, size: rng.binomial(1, p, (size, 3)))
    return equal(E(np.var(x)), p * (1 - p))


@true("Variance of Hutchinson's estimate: 2 (|A|_F^2 - sum A_ii^2)")
def variance_of_hutchinson(A: Symmetric(3)):
    z = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, 3)) - 1)
    return equal(E((z @ A @ z - trace(A)) ** 2), 2 * (frobenius(A) ** 2 - np.sum(np.diag(A) ** 2)))


@true("A Polya urn of two draws: the second is as the first")
def polya_urn(a: integers(1, 4), b: integers(1, 4)):
    def sampler(rng, size):
        first = rng.random(size) < a / (a + b)
        second = np.where(first, rng.random(size) < (a + 1) / (a + b + 1), rng.random(size) < a / (a + b + 1))
        return np.stack([first, second], axis=1)

    X = quantity(sampler)
    return equal(E(X[1] * 1), a / (a + b))


@true("A dictionary of draws, one sampler for a pair of names")
def draws_by_name(k: Few):
    draws = {name: quantity(lambda rng, size: rng.integers(0, 2, size)) for name in ("a", "b")}
    return equal(E(draws["a"] * draws["b"]), 1 / 4), equal(E(draws["a"] * draws["a"]), 1 / 2)


@false("Quantities made in a loop are one", "easy")
def loop_is_one(k: Few):
    a, b = [quantity(lambda rng, size: rng.integers(0, 2, size)) for _ in range(2)]
    return equal(E(a * b), 1 / 2)


@true("A conditional mean by a ratio: E(X | X >= 2) of a die is 4")
def conditional_mean(k: Few):
    D = quantity(lambda rng, size: rng.integers(1, 7, size))
    return equal(E(D * (D >= 2)) / E(indicator(D >= 2)), 4)


@true("Means inside events: P(D >= E D) = 1/2")
def mean_in_an_event(k: Few):
    D = quantity(lambda rng, size: rng.integers(1, 7, size))
    return P(D >= E(D)) <= 1 / 2, P(D - E(D) >= 0.5) >= 1 / 2


@true("The mean of an indicator of an equality of floats: P(0.1 X + 0.2 X = 0.3 X) = 1")
def identity_of_tenths(k: Few):
    X = quantity(lambda rng, size: rng.integers(1, 10, size))
    return equal(E(indicator(0.1 * X + 0.2 * X == 0.3 * X)), 1), equal(E(np.sign(0.1 * X + 0.2 * X - 0.3 * X)), 0)


@true("Jumps of differences of tenths: floor(3 * 0.1 X) is floor(0.3 X)")
def floors_of_tenths(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 20, size))
    return equal(E(np.floor(3 * (0.1 * X)) - np.floor(0.3 * X)), 0), equal(E((0.1 * X) % 0.1), 0)


@true("E of a constant is the constant, linear in constants")
def constants_in_means(c: Real):
    X = quantity(lambda rng, size: rng.integers(0, 2, size))
    return equal(E(c), c), equal(E(X + c), E(X) + E(c)), equal(E(E(X)), 1 / 2)


@false("The exponential of a Gaussian is at most exp(3) surely", "easy")
def bounded_lognormal(k: Few):
    X = quantity(lambda rng, size: rng.standard_normal(size))
    return P(exp(X) <= exp(1)) >= 0.99


@false("exp of a large negative Gaussian square is 0 half of the time", "easy")
def vanishing_density(s: between(1e3, 1e4)):
    X = quantity(lambda rng, size: rng.normal(s, 1, size))
    return P(exp(-X * X) <= 0) >= 0.5


@false("A ratio of tiny numbers underflows to 0", "easy")
def underflowing_product(k: Few):
    X = quantity(lambda rng, size: rng.random((size, 2)) * 1e-200)
    return P(X[0] * X[1] == 0) >= 0.5


@false("A quantity that is nan is below 1", "easy")
def nan_quantity(k: Few):
    X = quantity(lambda rng, size: np.log(-1 - rng.random(size)))
    return P(X <= 1) >= 0.5


@false("A sampler that centres over the trials", "easy")
def centred_over_trials(k: Few):
    def sampler(rng, size):
        x = rng.standard_normal(size)
        return x - x.mean()

    return P(quantity(sampler) <= 5) >= 0.5


@false("A sampler that returns sorted trials", "easy")
def sorted_trials(k: Few):
    X = quantity(lambda rng, size: np.sort(rng.standard_normal(size)))
    return P(X <= 5) >= 0.5
