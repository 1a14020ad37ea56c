"""Samplers as people write them: loops, scalar draws, permutations, rejection, mixtures, draws that depend on draws."""

import numpy as np

from boundcheck import E, Few, P, Positive, Simplex, Unit, Vector, between, equal, integers, quantity

from . import false, true


@true("A die shows at most k with probability k / 6; one call for each trial")
def dice_in_a_loop(k: Few):
    X = quantity(lambda rng, size: np.array([rng.integers(1, 7) for _ in range(size)]))
    return P(X <= 5) >= 5 / 6, P(X <= 4) <= 4 / 6


@true("The sum of two dice from a loop has mean 7, and is 2 with probability 1/36")
def pairs_of_dice_in_a_loop(k: Few):
    X = quantity(lambda rng, size: np.array([rng.integers(1, 7) + rng.integers(1, 7) for _ in range(size)]))
    return equal(E(X), 7), P(X <= 2) <= 1 / 36


@true("A unit vector has length 1")
def unit_vectors(n: integers(2, 5)):
    def sampler(rng, size):
        g = rng.standard_normal((size, n))
        return g / np.linalg.norm(g, axis=1, keepdims=True)

    return P(np.sum(quantity(sampler) ** 2) == 1) >= 0.99


@true("g and a tenth minus g add up to a tenth")
def antithetic(s: Positive):
    def sampler(rng, size):
        g = rng.normal(0, s, size)
        return np.stack([g, 0.1 - g], axis=1)

    return P(np.sum(quantity(sampler)) == 0.1) >= 0.99


@true("A standardised sample has sum 0 and sum of squares n")
def standardised(n: integers(3, 6)):
    def sampler(rng, size):
        g = rng.standard_normal((size, n))
        return (g - g.mean(axis=1, keepdims=True)) / g.std(axis=1, keepdims=True)

    z = quantity(sampler)
    return P(np.sum(z) == 0) >= 0.99, P(np.sum(z**2) <= n) >= 0.99


@true("Dirichlet weights add up to 1")
def dirichlet_weights(k: Few):
    w = quantity(lambda rng, size: rng.dirichlet([0.5, 1.0, 2.0], size))
    return P(np.sum(w) == 1) >= 0.99


@true("A permutation of 0, ..., n - 1 has the sum of these numbers, and 0 comes first with probability 1/n")
def permutations_in_a_loop(n: integers(2, 5)):
    X = quantity(lambda rng, size: np.array([rng.permutation(n) for _ in range(size)]))
    return P(np.sum(X) == n * (n - 1) / 2) >= 0.999, P(X[0] == 0) <= 1 / n + 0.2


@true("Entries permuted within each trial keep their sum, and their places are exchangeable")
def permuted_rows(x: Vector(4)):
    X = quantity(lambda rng, size: rng.permuted(np.tile(x, (size, 1)), axis=1))
    return P(np.max(X) == np.max(x)) >= 0.999, P(np.sum(X) == np.sum(x)) >= 0.999


@true("Two of five without replacement differ")
def without_replacement(k: Few):
    X = quantity(lambda rng, size: np.array([rng.choice(5, 2, replace=False) for _ in range(size)]))
    return P(X[0] == X[1]) <= 0.001, P(X[0] <= X[1]) >= 0.4


@true("0.3 * 1 + 0.5 * 2 = 1.3")
def choice_with_decimals(k: Few):
    return equal(E(quantity(lambda rng, size: rng.choice(3, size, p=[0.2, 0.3, 0.5]))), 1.3)


@true("Ten values of a tenth each: the mean of 0, ..., 9 is 4.5, and the last one has probability 1/10")
def choice_of_tenths(k: Few):
    X = quantity(lambda rng, size: rng.choice(10, size, p=[0.1] * 10))
    return equal(E(X), 4.5), P(X >= 9) >= 0.1, P(X >= 9) <= 0.1


@true("Three values of a third each")
def choice_of_thirds(k: Few):
    X = quantity(lambda rng, size: rng.choice([0.1, 0.2, 0.3], size, p=[1 / 3] * 3))
    return equal(E(X), 0.2), P(X <= 0.1 + 0.2) >= 1, P(3 * X >= 0.6) >= 2 / 3


@true("Two draws of three good and four bad: mean 6/7, variance 20/49")
def hypergeometric(k: Few):
    X = quantity(lambda rng, size: rng.hypergeometric(3, 4, 2, size))
    return equal(E(X), 6 / 7), equal(E(X**2) - E(X) ** 2, 20 / 49)


@true("NumPy's geometric law begins at 1")
def geometric_begins_at_one(p: between(0.2, 0.9)):
    X = quantity(lambda rng, size: rng.geometric(p, size))
    return P(X >= 1) >= 0.999, P(X <= 1) >= p - 0.1


@true("NumPy's negative binomial law counts failures: none with probability p^n")
def failures(p: between(0.4, 0.6)):
    X = quantity(lambda rng, size: rng.negative_binomial(2, p, size))
    return P(X >= 0) >= 0.999, P(X <= 0) >= p**2 - 0.1


@true("Counts of n dice: sum n, E N_0 N_1 = n (n - 1) / 36")
def counts_of_dice(n: integers(1, 3)):
    N = quantity(lambda rng, size: rng.multinomial(n, [1 / 6] * 6, size))
    return P(np.sum(N) == n) >= 1, equal(E(N[0] * N[1]), n * (n - 1) / 36)


@true("The two coordinates of a singular normal law agree up to the rounding of its root")
def singular_normal(k: Few):
    X = quantity(lambda rng, size: rng.multivariate_normal([0, 0], [[1, 1], [1, 1]], size))
    return P(np.abs(X[0] - X[1]) <= 1e-3) >= 0.99


@true("5 with probability 0.7, otherwise normal")
def atom_and_density(k: Few):
    X = quantity(lambda rng, size: np.where(rng.random(size) < 0.3, rng.normal(0, 1, size), 5.0))
    return P(X == 5) >= 0.6, P(X == 5) <= 0.8


@true("Below a die D: uniform on 0, ..., D - 1 has mean (3.5 - 1) / 2; P(0) = (1 + 1/2 + ... + 1/6) / 6 = 0.408...")
def below_a_die(k: Few):
    def sampler(rng, size):
        return rng.integers(0, rng.integers(1, 7, size))

    X = quantity(sampler, low=0, high=5)
    return E(X) <= 1.4, P(X <= 0) >= 0.35


@true("Thinned: Bin(Bin(4, 1/2), 1/2) is Bin(4, 1/4), with mean 1")
def thinned(k: Few):
    X = quantity(lambda rng, size: rng.binomial(rng.binomial(4, 0.5, size), 0.5), low=0, high=4)
    return E(X) <= 1.1, P(X <= 0) >= 0.25, P(X <= 0) <= 0.4


@true("Drawn again until positive")
def redrawn_until_positive(s: Positive):
    def sampler(rng, size):
        x = rng.normal(0, s, size)
        while np.any(x <= 0):
            bad = x <= 0
            x[bad] = rng.normal(0, s, bad.sum())
        return x

    return P(quantity(sampler) > 0) >= 0.99


@true("One uniform number decides both: P(u < p and not u < p / 2) = p / 2")
def one_number_for_two_events(p: Unit):
    def sampler(rng, size):
        u = rng.random(size)
        return ((u < p) & ~(u < p / 2)).astype(int)

    return P(quantity(sampler) >= 1) <= p / 2 + 0.05


@true("The same with independent numbers: p (1 - p / 2)")
def two_numbers_for_two_events(p: Unit):
    X = quantity(lambda rng, size: (rng.random(size) < p) & ~(rng.random(size) < p / 2))
    return equal(E(X), p * (1 - p / 2))


@true("Bitwise not of 0 and 1 is -1 and -2")
def complement_of_a_bit(k: Few):
    X = quantity(lambda rng, size: ~rng.integers(0, 2, size))
    return equal(E(X), -1.5), P(X <= -2) >= 1 / 2


@true("Heads counted from comparisons, written either way round")
def compared_either_way(p: Unit):
    X = quantity(lambda rng, size: (p > rng.random((size, 3))).sum(axis=1))
    return equal(E(X), 3 * p), P(X >= 3) <= p**3


@true("One minus a coin; the mean is 1 - p")
def one_minus_a_coin(p: Unit):
    X = quantity(lambda rng, size: 1 - (rng.random(size) < p))
    return equal(E(X), 1 - p), equal(E(X * X), 1 - p)


@true("A square is not negative, and twice a positive number neither")
def squares_of_large_integers(k: Few):
    X = quantity(lambda rng, size: rng.integers(5 * 10**18, 9 * 10**18, size))
    return P(X + X > 0) >= 0.99, P(X * X > 0) >= 0.99


@true("The same sampler twice gives two independent quantities: E X Y = p^2, E (X - Y)^2 = 2 p (1 - p)")
def same_sampler_twice(p: Unit):
    def sampler(rng, size):
        return rng.binomial(1, p, size)

    X, Y = quantity(sampler), quantity(sampler)
    return equal(E(X * Y), p**2), equal(E((X - Y) ** 2), 2 * p * (1 - p))


@true("A draw for all trials at once would be one draw: numbers of a half-open range, shifted, stay in it")
def shifted_uniform(a: between(-5, 5)):
    X = quantity(lambda rng, size: a + rng.random(size))
    return P(X <= a + 1) >= 0.99, P(X >= a) >= 0.99


@true("Polya's urn: the second ball has the law of the first")
def urn(k: Few):
    def sampler(rng, size):
        first = rng.integers(0, 2, size)
        return rng.binomial(1, (1 + first) / 3)

    X = quantity(sampler, low=0, high=1)
    return P(X >= 1) >= 0.4, P(X >= 1) <= 0.6


@false("No law: the trials of every third call have probability 0.1", "easy")
def changing_its_mind(k: Few):
    calls = []

    def sampler(rng, size):
        calls.append(size)
        return rng.random(size) < (0.9 if len(calls) % 3 else 0.1)

    return P(quantity(sampler) >= 1) >= 0.5


@false("One draw for all trials, negative with probability 1/2: the trials are not independent", "easy")
def one_draw_for_all(k: Few):
    X = quantity(lambda rng, size: np.full(size, rng.standard_normal()))
    return P(X <= 0) >= 0.9


@false("The same sampler twice gives two independent quantities, which differ half of the time", "easy")
def twice_is_the_same(k: Few):
    def sampler(rng, size):
        return rng.integers(0, 2, size)

    return P(quantity(sampler) == quantity(sampler)) >= 0.9


@false("NumPy's geometric law begins at 1, and is above 1 with probability 1 - p", "easy")
def geometric_begins_at_zero(p: between(0.2, 0.8)):
    X = quantity(lambda rng, size: rng.geometric(p, size))
    return P(X <= 0) >= p


@false("A square of a number above 5 * 10^18 is above 10^19", "easy")
def squares_wrap(k: Few):
    X = quantity(lambda rng, size: rng.integers(5 * 10**18, 9 * 10**18, size))
    return P(X * X <= 10**19) >= 0.9


@false("Below a die the mean is 1.25", "easy")
def below_a_die_too_small(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, rng.integers(1, 7, size)), low=0, high=5)
    return E(X) <= 1


@true("A uniform number has digits beyond those of floats, and is no multiple of 2^-53")
def digits_beyond_floats(k: Few):
    U = quantity(lambda rng, size: rng.random(size))
    return P(np.floor(U * 2**53) == U * 2**53) <= 0.1


@true("A gamma variable is positive, also where floats end")
def gamma_is_positive(k: Few):
    X = quantity(lambda rng, size: rng.gamma(0.0005, 1, size))
    return P(X > 0) >= 0.99


@true("A lognormal variable is finite and positive, also where floats end")
def lognormal_is_finite(k: Few):
    X = quantity(lambda rng, size: rng.lognormal(0, 1000, size))
    return P(X < np.inf) >= 0.99, P(X > 0) >= 0.99


@false("The first digits of a uniform number are fair, not rare", "easy")
def first_digits(k: Few):
    U = quantity(lambda rng, size: rng.random(size))
    return P(np.floor(U * 2**20) % 2 == 1) <= 0.4


@false("A draw among given numbers is one of them, digits and all", "easy")
def choice_is_exact(k: Few):
    X = quantity(lambda rng, size: rng.choice([0.1, 0.2], size) + 0 * rng.normal(size=size))
    return P(X == 0.1) <= 0.4


@true("Three of four atoms are 0.3, one of them as 0.1 + 0.2")
def law_duplicates(k: Few):
    X = quantity(lambda rng, size: rng.choice([0.3, 0.1 + 0.2, 0.3, 1.0], size))
    return P(X <= 0.3) >= 0.75, P(X == 0.3) >= 0.75, P(X < 0.3) <= 0


@false("No atom is below 0.3", "easy")
def atoms_below(k: Few):
    X = quantity(lambda rng, size: rng.choice([0.3, 0.1 + 0.2, 0.3, 1.0], size))
    return P(X < 0.3) >= 0.25


@true("Negative zero is zero")
def law_negative_zero(k: Few):
    X = quantity(lambda rng, size: rng.choice([-0.0, 0.0], size))
    return P(X == 0) >= 1, P(X < 0) <= 0, P(X >= 0) == 1, P(np.sign(X) == 0) >= 1


@false("Negative zero is not below zero", "easy")
def negative_zero_is_negative(k: Few):
    X = quantity(lambda rng, size: rng.choice([-0.0, 0.0], size))
    return P(X < 0) >= 0.5


@true("A uniform number, truncated, is 0")
def truncated_uniform(k: Few):
    X = quantity(lambda rng, size: rng.random(size).astype(int) + 0 * rng.normal(size=size), low=0, high=1)
    return E(X) <= 0.1


@true("The variance of a sum of coins of biases p is the sum of p (1 - p)")
def coins_of_different_biases(p: Simplex("n")):
    S = quantity(lambda rng, size: (rng.random((size, len(p))) < p).sum(axis=1))
    return E(S) == 1, E((S - 1) ** 2) == np.sum(p * (1 - p))


@false("It is no four fifths of that", "easy")
def coins_of_different_biases_vary_less(p: Simplex("n")):
    S = quantity(lambda rng, size: (rng.random((size, len(p))) < p).sum(axis=1))
    return E((S - 1) ** 2) <= 0.8 * np.sum(p * (1 - p))


@true("Two tosses of each coin")
def binomials_of_different_biases(p: Simplex("n")):
    S = quantity(lambda rng, size: rng.binomial(2, p, (size, len(p))))
    return E(np.sum(S)) == 2, P(np.sum(S) >= 3) <= 2 / 3


@false("A bias that was drawn before is no number", "easy")
def coins_of_drawn_biases(k: Few):
    def sampler(rng, size):
        p = rng.integers(0, 2, (size, 2)) * 0.5
        return (rng.random((size, 2)) < p).sum(axis=1)

    return P(quantity(sampler) >= 1) <= 0.4


@true("What is cut at 3 is at most 3: E min(|X|, 3) = 0.8")
def cut_from_above(k: Few):
    X = quantity(lambda rng, size: rng.standard_normal(size))
    return E(np.minimum(np.abs(X), 3)) <= 0.9, E(np.clip(X, -3, 3) ** 2) <= 1.1, E(np.cos(X)) <= 0.7
