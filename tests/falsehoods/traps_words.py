"""The words of the engine where numbers are rounded or random: at_least, marked, rate, map, laws of settings, Loewner order on average."""

import math

import numpy as np

from boundcheck import (
    Count,
    E,
    Few,
    FiniteLaw,
    JointLaw,
    P,
    Positive,
    Simplex,
    Unit,
    at_least,
    at_most,
    between,
    both,
    equal,
    exp,
    integers,
    loewner,
    log,
    marked,
    quantity,
    rate,
)

from . import false, true


@true("The least whole number from 0.1 * 3 * 10 = 3 on is 3")
def least_count_at_a_tenth(k: Few):
    return at_most(0.1 * 3 * 10, at_least(0.1 * 3 * 10, Count)), equal(at_least(0.7 * k / 0.7, Count), k)


@true("From log(1 / delta) / log 2 on 2^-n is at most delta")
def least_count_of_halvings(delta: Unit):
    n = at_least(log(1 / delta) / log(2), Count)
    return at_most(2.0 ** (-n), delta), at_most(1, n)


@true("A marked tenth is a tenth")
def marked_tenth(x: Positive):
    return equal(marked(0.1, "C") * 3 * x, 0.3 * x)


@true("1 / s falls like 1 / s, and log(s) / s faster than 1 / sqrt(s) from 16 on, where log s / sqrt s falls")
def rates(c: Positive):
    return both(rate({s: c / s for s in (4, 16, 64)}, at_most=-1), rate({s: c * log(s) / s for s in (16, 64, 256)}, at_most=-1 / 2))


@true("map with a function of each entry")
def mapped_entries(p: Unit):
    X = quantity(lambda rng, size: rng.binomial(3, p, size))
    return equal(E(X.map(lambda t: 2 * t + 1)), 6 * p + 1), equal(E(X.map(np.square)), 3 * p * (1 - p) + 9 * p**2)


@true("map with a function of the last axis")
def mapped_rows(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 2, (size, 3)))
    return equal(E(X.map(lambda t: t.max(axis=-1))), 7 / 8), equal(E(X.map(lambda t: np.sort(t, axis=1)[:, 1])), 1 / 2)


@true("The variance is the mean of squares minus the square of the mean, far away too")
def variance_of_a_law(law: FiniteLaw):
    X = law.sample() + 1e6
    return equal(E(X**2) - E(X) ** 2, law.variance), equal(E((X - 1e6 - law.mean) ** 2), law.variance)


@true("Order statistics of three copies: the smallest, the middle and the largest add up to three means")
def order_statistics_of_a_law(law: FiniteLaw):
    x = np.sort(law.sample(3))
    return equal(E(x[0] + x[1] + x[2]), 3 * law.mean), at_most(E(x[0]), law.mean), at_most(law.mean, E(x[2]))


@true("A covariance matrix is PSD")
def covariance_of_two_coins(p: Unit, q: Unit):
    def sampler(rng, size):
        a = rng.binomial(1, p, size)
        return np.stack([a, a + rng.binomial(1, q, size)], axis=1)

    x = quantity(sampler)
    m = E(x)
    return loewner(np.zeros((2, 2)), E(np.outer(x, x)) - np.outer(m, m))


@true("Markov's inequality for any law that is not negative, attained at two points")
def markov_for_a_law(law: FiniteLaw, t: Positive):
    X = law.sample() - law.low
    return P(X >= t) <= E(X) / t


@true("A law has mass in its support: 1 at its ends and between")
def mass_of_a_joint_law(J: JointLaw("m", "n"), p: Simplex("k")):
    rows, columns = np.sum(J, axis=1), np.sum(J, axis=0)
    return equal(np.sum(rows), np.sum(columns)), equal(1 - np.sum(p), 0), at_most(np.max(J), np.max(rows))


@true("A bound that is trivial above 1 is still true")
def trivial_bound(p: Unit):
    return at_most(p, 1 + 1e-17 * p, trivial=1), at_most(p**2, p)


@true("Bernoulli's law of five flips, by its masses")
def masses_by_comb(p: Unit):
    X = quantity(lambda rng, size: rng.binomial(5, p, size))
    mass = [math.comb(5, j) * p**j * (1 - p) ** (5 - j) for j in range(6)]
    return equal(sum(mass), 1), P(X <= 2) >= sum(mass[:3]), P(X >= 3) <= sum(mass[3:]), equal(E(X), sum(j * m for j, m in enumerate(mass)))


@true("A generating function: E s^X = (1 - p + p s)^3")
def generating_function(p: Unit, s: between(0, 2)):
    X = quantity(lambda rng, size: rng.binomial(3, p, size))
    return equal(E(s**X), (1 - p + p * s) ** 3), equal(E(exp(X)), (1 - p + p * exp(1)) ** 3)


@true("Conditional means by indicators: E X 1{X > 0} = E X for a count")
def indicator_by_comparison(n: integers(1, 4), p: Unit):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return equal(E(np.where(X > 0, X, 0)), n * p), equal(E(X * np.sign(X)), n * p)


@false("The least whole number from 3 on is 3", "easy")
def least_count_rounded_up(k: Few):
    return at_most(3.5, at_least(0.1 * 3 * 10, Count))


@false("1 / s falls like 1 / s and no faster", "easy")
def rate_a_little_faster(c: Positive):
    return rate({s: c / s for s in (4, 16, 64)}, at_most=-1.2)


@false("A covariance is not below 0 where the coins are fair", "easy")
def covariance_is_negative(p: between(0.4, 0.6)):
    x = quantity(lambda rng, size: np.stack([rng.binomial(1, p, size), rng.binomial(1, p, size)], axis=1))
    m = E(x)
    return loewner(E(np.outer(x, x)) - np.outer(m, m), np.zeros((2, 2)))


@false("Far away the variance is not lost", "easy")
def variance_lost(p: between(0.4, 0.6)):
    X = quantity(lambda rng, size: 1e12 + rng.binomial(1, p, size))
    return at_most(E(X**2) - E(X) ** 2, 0)
