"""Claims made to break relaxations: false ones that hold at nearly all instances,
and true ones with words to be careful about."""

import numpy as np

from boundcheck import (
    E,
    Matrix,
    NonNegative,
    Positive,
    Real,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    equal,
    exp,
    integers,
    log,
    quantity,
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


@true
def a_branch_that_fits(x: between(-1, 1)):
    y = x if x > 0.3 else 2 * x - 0.3
    return at_most(y, 1.001)


@true
def an_identity(A: Matrix("n", "m"), x: Vector("m")):
    return equal(sqrt((A @ x) @ (A @ x)) ** 2, x @ (A.T @ A) @ x)
