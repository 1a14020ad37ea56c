"""Claims made to break relaxations: false ones that hold at nearly all instances,
and true ones with words to be careful about."""

import numpy as np

from boundcheck import (
    PSD,
    E,
    Matrix,
    NonNegative,
    Positive,
    Real,
    Simplex,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    cos,
    equal,
    exp,
    identity,
    integers,
    largest_eigenvalue,
    less,
    log,
    opnorm,
    pi,
    quantity,
    sin,
    solve,
    sqrt,
    theorem,
)  # fmt: skip

FALSE, TRUE = [], []


def false(**at):
    """A claim that is violated at an instance, or, where that is not said, at nearly all."""
    return lambda body: FALSE.append((theorem("nowhere")(body), at))


def true(body):
    TRUE.append(theorem("nowhere")(body))
    return TRUE[-1]


def coin(p, n=1):
    return quantity(lambda rng, size: rng.binomial(n, p, size))


def chosen(rows, w):
    return quantity(lambda rng, size: rows[rng.choice(rows.shape[0], size=size, p=w)])


def signed(x, p):
    """The square of a sum with signs that are + with probability p."""
    return quantity(lambda rng, size: (2 * rng.binomial(1, p, (size, x.shape[0])) - 1) @ x) ** 2


@false()
def a_number_that_is_larger_than_its_bound(x: between(1, 9)):
    return at_most(at_least(x), x)


@false(x=0.25)
def a_branch_at_one_point(x: between(-1, 1)):
    return at_most(1, 0) if x == 0.25 else at_most(x, 1)


@false(x=0.99995)
def a_branch_inside(x: between(-1, 1)):
    return at_most(x, 1) if x < 0.3 else at_most(1.0001 * x, 1)


@false(x=0.12345605)
def a_narrow_branch(x: between(0, 1)):
    y = 2 if (x > 0.123456) & (x < 0.1234561) else x
    return at_most(y, 1)


@false(x=1, n=5)
def a_size_that_broadcasts(x: between(0.5, 2), n: integers(1, 5)):
    return at_most(sum([x] * n), 5 * x if n < 5 else 4.99 * x)


@false(x=1)
def a_floor(x: between(0, 1)):
    return at_most(np.floor(x + 1e-9), 0)


@false(x=2.00001)
def a_ceiling(x: between(0, 10)):
    return at_most(np.ceil(x), x + 0.9999)


@false(x=2.99999)
def a_remainder(x: between(0, 10)):
    return at_most(x % 3, 2.9999)


@false(x=1, y=-1)
def a_maximum(x: between(-1, 1), y: between(-1, 1)):
    return at_most(np.maximum(x, y), (x + y) / 2 + 0.9999)


@false(x=0.3)
def a_kink(x: between(-1, 1)):
    return at_most(0.0001 - np.abs(x - 0.3), 0)


@false(x=0.5, y=0.5)
def a_tie(x: between(0, 1), y: between(0, 1)):
    return at_most(np.where(x == y, 1, 0), 0.5)


@false(x=1, y=1)
def a_touch(x: between(-2, 2), y: between(-2, 2)):
    return at_most(2 * x * y, x * x + y * y - 1e-12)


@false(n=2)
def a_whole_number_that_is_a_float(n: integers(1, 40)):
    return at_most(n / 3 - n // 3, 2 / 3 - 1e-12)


@false(k=7, x=0.95)
def a_table(k: integers(0, 9), x: Unit):
    table = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    return at_most(table[k] * x, 0.9)


@false(x=3.2)
def an_index_that_is_computed(x: between(0, 3.5)):
    table = np.array([0, 0, 0, 1])
    return at_most(table[int(x)], 0)


@false(x=1.001)
def a_count(x: between(0.5, 9.5)):
    return at_most(sum(1 for k in range(int(np.ceil(x)))), x + 0.99)


@false(x=800)
def an_overflow(x: between(0, 1000)):
    return at_most(0, 1) if np.isfinite(exp(x)) else at_most(1, 0)


@false(x=0.5)
def a_type(x: Unit):
    return at_most(1, 0) if isinstance(x, float) else at_most(x, 1)


@false(x=0.5)
def a_formatted_number(x: Unit):
    return at_most(x, 1 if str(x).startswith("T") else 0.4)


@false(x=1e7)
def far_out(x: Real):
    return at_most(x, 999_999)


@false(x=0.9999999)
def next_to_the_end(x: Unit):
    return at_most(x, 1 - 1e-5)


@false(x=-1)
def an_identity_of_one_sign(x: Real):
    return equal(sqrt(x * x), x)


@false()
def an_identity_of_matrices(A: Matrix("n", "n"), B: Matrix("n", "n")):
    return equal(A @ B, B @ A)


@false()
def an_identity_of_lengths(x: Vector("n"), y: Vector("n")):
    return equal(sqrt(x @ x) * sqrt(y @ y), np.abs(x @ y))


@false()
def an_identity_on_a_path(x: Vector("n")):
    return equal(x[0], np.maximum(x[0], -1e9)) if x[0] > -50 else equal(x[0], 0)


@false(x=0.995)
def one_part_of_two(x: Unit):
    return at_most(x, 1), at_most(x, 0.99)


@false()
def nothing_to_assume(x: Unit):
    assume(x > 2)
    return at_most(1, 0)


@false(x=0.6)
def an_assumption_that_is_a_branch(x: between(0, 1)):
    y = 0 if x < 0.5 else 2
    assume(y * x < 1.5)
    return at_most(y, 1)


@false(p=0.5)
def a_law(p: Unit):
    coin = quantity(lambda rng, size: rng.random(size) < p, low=0, high=1)
    return E(coin) <= 0.9 * p


@false(p=0.5)
def law_square(p: Unit):
    return equal(E(coin(p, 2) ** 2), 4 * p * p)


@false(p=0.5)
def law_variance(p: Unit):
    return at_most(E((coin(p) - p) ** 2), 0.2499999)


@false(p=0.5)
def law_strict(p: Unit):
    return less(E((coin(p) - p) ** 2), 0.25)


@false(p=0.99999)
def law_end(p: Unit):
    return at_most(E(coin(p)), 0.9999)


@false(p=0.3, n=4)
def law_at_one_size(p: Unit, n: integers(1, 4)):
    return equal(E(coin(p, n)), n * p if n < 4 else 4 * p * p)


@false(p=0.5)
def law_same_twice(p: Unit):
    c = coin(p)
    return equal(E(c * c), p * p)


@false(p=0.5)
def law_branch(p: Unit):
    return equal(E(coin(p)), p) if p != 0.5 else equal(E(coin(p)), 1)


@false(p=0.25)
def law_support(p: Unit):
    weights = np.array([p, (1 - p) / 2, (1 - p) / 2])
    return equal(E(chosen(np.array([0, 1, 5]), weights)), (1 - p) / 2 * 5)


@false(p=0.5)
def law_normalised(p: Unit):
    weights = np.array([p, p * p, p]) / (2 * p + p * p)
    return equal(E(chosen(np.array([0, 1, 2]), weights)), p * p + 2 * p)


@false(p=0.9)
def law_of_a_ceiling(p: Unit):
    n = int(np.ceil(3 * p))
    return at_most(E(coin(p, n)), 3 * p * p)


@false()
def law_multinomial(w: Simplex("k")):
    N = quantity(lambda rng, size: rng.multinomial(2, w, size))
    return equal(E(N), 2 * w * w)


@false()
def law_multinomial_covariance(w: Simplex("k")):
    N = quantity(lambda rng, size: rng.multinomial(2, w, size))
    return equal(E(N[:, None] * N[None, :]), 4 * w[:, None] * w[None, :])


@false()
def law_rows_shifted(A: Matrix("n", "m"), w: Simplex("n")):
    return equal(E(chosen(A, w)), w[::-1] @ A)


@false()
def law_signs_biased(x: Vector("n")):
    return equal(E(signed(x, 0.501)), x @ x)


@false(p=0.5)
def law_random_side(p: Unit):
    return at_most(coin(p), 0.999)


@false(x=1)
def number_root(x: Positive):
    return at_most(sqrt(2) * x, 1.41421356 * x)


@false(x=1)
def number_log(x: Positive):
    return at_most(log(2) * x, 0.69314718 * x)


@false(x=2)
def number_sum(x: Positive):
    return at_most(sum(sqrt(k) for k in range(1, 30)) * x, 112.08 * x - 1)


@false(x=0.9999999)
def number_unit(x: Unit):
    return at_most(sqrt(2) * x, 1.4142135)


@false(x=1, y=1)
def number_order(x: NonNegative, y: NonNegative):
    return at_most(2 * sqrt(2) * x * y, sqrt(2) * (x * x + y * y) - 1e-9 * x * y)


@false(d=0.5, x=1)
def alike_log(d: Unit, x: Positive):
    return at_most(x * log(2 / d), 1.0000001 * x * log(1.9999 / d))


@false(d=0.5)
def alike_sign(d: Unit):
    return at_most((d - 1) * 2, (d - 1) * 3)


@false(x=-2, y=1)
def alike_square(x: Real, y: Real):
    assume(x <= y)
    return at_most(x ** 2, y ** 2)


@false(x=2)
def alike_negative_power(x: Positive):
    return at_most((1 + x) ** -1.5, (1 + 2 * x) ** -1.5)


@false(x=-1.0)
def alike_roots(x: Real):
    return at_most(sqrt(x * x) * 1.0, sqrt(x * x + 1e-12) * 0.9999999)


@false(x=1, y=-1)
def square_mixed(x: Real, y: Real):
    return at_most(0, x * x + 2.0001 * x * y + y * y)


@false(x=1, y=1, z=-2)
def square_of_three(x: Real, y: Real, z: Real):
    return at_most(0, x * x + y * y + z * z + 1.0001 * (x * y + y * z + z * x) * 2 - 0.0001 * (x + y + z) ** 2)


@false(x=1, y=1, z=1)
def motzkin_lowered(x: Real, y: Real, z: Real):
    return at_most(0, x**4 * y**2 + x**2 * y**4 + z**6 - 3.0001 * x**2 * y**2 * z**2)


@false()
def cauchy_lowered(x: Vector("n"), y: Vector("n")):
    return at_most((x @ y) ** 2, 0.9999 * (x @ x) * (y @ y))


@false()
def cauchy_of_two(x: Vector(2), y: Vector(2)):
    return at_most((x @ y) ** 2 + 1e-6 * x[0] ** 2 * y[0] ** 2, (x @ x) * (y @ y))


@false()
def positive_entries(x: Vector("n")):
    return at_most(0, np.sum(x))


@false()
def simplex_low(w: Simplex(2)):
    return at_most(0.50001, np.sum(w * w))


@false()
def determinant(A: PSD(2)):
    return at_most(1e-9, A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0])


@false()
def shrunk(Z: Matrix("n", 1), y: Vector("n"), lam: Positive):
    K = Z @ Z.T
    return at_most(y @ solve(K + lam * identity(len(y)), y), 0.999999 * (y @ y) / lam)


@false(n=600, x=0.5)
def size_at_the_end(n: integers(1, 600), x: Unit):
    return at_most(x, 1 if n < 600 else 0.4)


@false(n=597, x=1)
def size_inside(n: integers(1, 600), x: Positive):
    return at_most(sqrt(n) * x, (25 if n != 597 else 24) * x)


@false(n=13, x=1)
def broadcasting_size(n: integers(1, 40), x: Positive):
    return at_most(sum([x] * n), n * x - (0 if n != 13 else 0.001 * x))


@false(c=0.6, s=0.8)
def circle(c: Real, s: Real):
    assume(c * c + s * s == 1)
    return equal((c + s) ** 2, 1)


@false()
def circle_of_arrays(c: Vector("n"), s: Vector("n")):
    assume(np.all(c * c + s * s == 1))
    return equal(c * c - s * s, 1 - 2 * s)


@false(x=1, y=0)
def product_zero(x: Real, y: Real):
    assume(x * y == 0)
    return equal(x * (1 + y), 0 * x)


@false(x=0, y=1, z=2)
def divided_by_what_may_vanish(x: Real, y: Real, z: Real):
    assume(x * y == x * z)
    return equal(y, z)


@false()
def cancelled_matrix(A: Matrix("n", "n"), B: Matrix("n", "n"), C: Matrix("n", "n")):
    assume(equal(A @ B, A @ C))
    return equal(B, C)


@false()
def all_corners_but_one(c: Vector("n"), s: Vector("n")):
    assume(equal(c * c + s * s, 1))
    assume(equal(c * s, 0))
    return equal((c - 1) * (s - 1) * (c + 1), 0)


@false(p=0.5, q=0.25)
def law_of_one_uniform(p: Unit, q: Unit):
    def both(rng, size):
        u = rng.random(size)
        return (u < p) * 1 * (u < q)

    return equal(E(quantity(both)), p * q)


@false(p=1.5)
def law_beyond_one(p: between(-1, 2)):
    return equal(E(quantity(lambda rng, size: rng.random(size) < p) * 1), p)


@false(p=0.5)
def law_with_a_rest(p: between(0.1, 0.6)):
    weights = np.array([p, p, 1 - 2 * p])
    return less(0.5, E(chosen(np.array([0, 1, 2]), weights)))


@false(p=0.25)
def law_off_by_rounding(p: Unit):
    return equal(E(chosen(np.array([0, 1]), np.array([p, 1 - p + 1e-9]))), 1 - p + 1e-9)


@false(p=0.5, n=17)
def law_inside_the_sizes(p: Unit, n: integers(1, 30)):
    return at_most(E((coin(p, n) - n * p) ** 2), n / 4 if n != 17 else n * 0.2499999)


@false(x=0)
def law_touching(x: between(-3, 3)):
    return less(E(exp((2 * coin(0.5) - 1) * x)), exp(x * x / 2))


@false(x=0.5)
def law_of_an_event(x: between(0, 1, closed=True)):
    return at_most(E((coin(0.5, 2) * x == 1) * 1), 0)


@false()
def rank_of_a_factor(A: PSD("n")):
    return equal(A[0, 0] * A[-1, -1], A[0, -1] ** 2)


@false()
def more_sizes(x: Vector("n")):
    return less(np.sum(x) ** 2, 6 * (x @ x))


@false(x=1)
def tiny_in_a_root(x: Positive):
    return equal(sqrt(3 + 2 * sqrt(2)) * x, (1 + sqrt(2)) * x * (1 + 1e-30))


@true
def a_plain_bound(x: between(0, 1), n: integers(1, 6)):
    return at_most(n * x * exp(-x), 0.368 * n + 0.001)


@true
def a_logarithm(x: Positive):
    return at_most(log(1 + x), x)


@true
def a_quotient_where_it_is_defined(x: Positive):
    return at_most(x / x, 1)


@true
def an_open_end(x: Unit):
    return at_most(1 / (1 + log(1 / x)), 1)


@true
def an_assumed_order(x: NonNegative, y: NonNegative):
    assume(x <= y)
    return at_most(x * x, y * y)


@false()
def angles_that_are_added_where_they_differ(x: Vector("n"), y: Vector("n")):
    return equal(cos(x @ y) * cos(x @ x) - sin(x @ y) * sin(x @ x), cos(x @ (x - y)))


@false()
def weights_whose_sum_is_taken_for_less(w: Simplex("n"), f: Vector("n")):
    return at_most((w @ f) ** 2, 0.999 * (w @ f**2))


@false()
def a_weight_that_may_be_one(w: Simplex("n")):
    return at_most(w[0] ** 2, 0.999 * w[0])


@false()
def weights_that_are_no_sum_of_one(w: Vector("n"), f: Vector("n")):
    assume(w >= 0)
    return at_most((w @ f) ** 2, w @ f**2)


@false()
def another_sum_that_is_one(w: Simplex("n"), x: Vector("n")):
    assume(x @ x == 1)
    return at_most(w @ x, w @ x**2)


@false()
def a_weight_that_may_vanish(w: Simplex("n"), x: Vector("n")):
    return at_most(0, w[0] / w[-1] - 1)


@false()
def a_divisor_that_is_bounded_on_the_other_side(x: Vector("n"), y: Vector("n")):
    assume(x @ x < 1)
    return at_most(0, y @ y / (1 - 2 * (x @ x)))


@false()
def a_hypothesis_that_is_needed(A: PSD("n"), x: Vector("n")):
    assume(largest_eigenvalue(A) <= 1)
    return at_most(x @ A @ x, 0.999 * (x @ x))


@false()
def an_eigenvalue_of_one_row(x: Vector("n"), y: Vector(1)):
    return at_most(largest_eigenvalue(y[:, None]) + 0 * sum(x), 0.999 * abs(y[0]))


@false()
def a_mean_below_that_of_squares(w: Simplex("n"), f: Vector("n")):
    return at_most(w @ f, w @ f**2)


@false()
def a_strict_bound_of_a_weight(w: Simplex("n")):
    return less(w[0], 1 + 0 * w[0])


@false()
def weights_that_are_positive(w: Simplex("n")):
    return less(0, w[0])


@false()
def entries_that_a_hypothesis_lets_vanish(x: Vector("n")):
    assume(x >= 0)
    return less(0, x)


@false()
def a_sum_of_one_that_bounds_each(x: Vector("n")):
    assume(sum(x) == 1)
    return less(x, 1)


@false()
def a_norm_that_is_a_sum(x: Vector("n")):
    return at_most(opnorm(x[None, :]), sum(x))


@false()
def half_a_turn(x: Vector("n")):
    return equal(cos(x + pi), cos(x))


@false()
def a_sixth_of_a_turn_for_a_third(x: Vector("n")):
    return equal(cos(x) + cos(x + pi / 3) + cos(x + 2 * pi / 3), 0 * x)


@false()
def a_degree_that_is_off_by_a_little(x: Vector("n")):
    return equal(cos(2 * x), 2 * cos(1.000001 * x) ** 2 - 1)


@false()
def an_exponential_of_a_square(x: Vector("n")):
    return equal(exp(x @ x), exp(sum(x)) ** 2)


@false()
def an_angle_that_is_an_exponent(x: Vector("n")):
    return equal(cos(x) ** 2 + (exp(x) - exp(-x)) ** 2 / 4, 1 + 0 * x)


@false()
def an_absolute_value_to_an_odd_power(x: Vector("n")):
    return equal(abs(x) ** 3, x**3)


@true
def a_branch_that_fits(x: between(-1, 1)):
    y = x if x > 0.3 else 2 * x - 0.3
    return at_most(y, 1.001)


@true
def an_identity(A: Matrix("n", "m"), x: Vector("m")):
    return equal(sqrt((A @ x) @ (A @ x)) ** 2, x @ (A.T @ A) @ x)

@true
def a_mean_of_a_law(p: Unit, n: integers(1, 4)):
    return equal(E(coin(p, n)), n * p)


@true
def a_variance_of_a_law(p: Unit):
    return at_most(E((coin(p) - p) ** 2), 0.25)


@true
def a_law_in_boxes(p: between(0.1, 0.9)):
    return at_most(E(exp(coin(p, 3))), exp(3 * p) + 7)


@true
def a_multinomial_mean(w: Simplex("k")):
    return equal(E(quantity(lambda rng, size: rng.multinomial(2, w, size))), 2 * w)


@true
def a_mean_of_rows(A: Matrix("n", "m"), w: Simplex("n")):
    return equal(E(chosen(A, w)), w @ A)


@true
def a_sum_with_signs(x: Vector("n")):
    return equal(E(signed(x, 1 / 2)), x @ x)


@true
def numbers_that_are_no_rationals(x: Positive):
    return at_most((sqrt(2) + log(3)) * x, 2.512826 * x)


@true
def sides_built_alike(d: Unit, n: integers(2, 60)):
    return at_most(log(sum(1 / sqrt(k) for k in range(1, n)) / d), log(2 * sqrt(n) / d))


@true
def cauchy(x: Vector("n"), y: Vector("n")):
    return at_most((x @ y) ** 2, (x @ x) * (y @ y))


@true
def a_polynomial_of_two(x: Real, y: Real):
    return at_most(0, x * x + 2 * x * y + y * y + (x - 3 * y) ** 2)


@true
def angles_that_are_added(w: Matrix("n", "m"), x: Vector("m"), y: Vector("m")):
    a, b = 2 * pi * w @ x, 2 * pi * w @ y
    return equal(cos(a) * cos(b) + sin(a) * sin(b), cos(2 * pi * w @ (x - y)))


@true
def three_thirds_of_a_turn(x: Vector("n")):
    return equal(sum(cos(x / 2 + 2 * pi * k / 3) * sin(x / 3 + 2 * pi * k / 3) for k in range(3)), -3 / 2 * sin(x / 6))


@true
def exponentials_that_are_multiplied(x: Vector("n"), y: Vector("n")):
    return equal(exp(x @ (x + y)) / exp(y @ y), exp((x - y) @ (x + y) + x @ y))


@true
def even_powers_of_many_absolute_values(x: Vector(9)):
    return equal(sum(abs(x) ** 2), x @ x)


@true
def a_mean_of_squares(w: Simplex("n"), f: Vector("n")):
    return at_most((w @ f) ** 2, w @ f**2)


@true
def a_weight_is_at_most_one(w: Simplex("n")):
    return at_most(w**2, w)


@true
def a_divisor_that_a_hypothesis_bounds(x: Vector("n"), y: Vector("n")):
    assume(x @ x > 1)
    return at_most((x @ y) ** 2 / (x @ x), y @ y)


@true
def a_hypothesis_that_is_not_needed(A: PSD("n"), x: Vector("n")):
    assume(largest_eigenvalue(A) <= 1000)
    return at_most(0, x @ A @ x)


@true
def the_norm_of_a_column(x: Vector("n")):
    return at_most(opnorm(x[:, None]) ** 2, x @ x)
