"""Numbers that a body makes of literals and whole numbers: rounded, overflowed, wrapped or cut on the way to the claim."""

import math

import numpy as np
from scipy import special

from boundcheck import Few, at_most, equal, integers

from . import false, true

TENTH = 0.1


@true("Ten steps of a tenth reach 1")
def steps_of_a_tenth(k: Few):
    steps, t = 0, 0.0
    while t < 1:
        t, steps = t + 0.1, steps + 1
    return equal(steps, 10)


@true("29 hundredths of 100 are 29")
def cut_percentages(k: Few):
    return equal(int(0.29 * 100), 29), equal(math.floor(1.1 * 10), 11), equal(math.ceil(0.07 * 100), 7)


@true("2.675 lies half way between 2.67 and 2.68, and 268 is even")
def half_to_even(k: Few):
    return equal(round(2.675, 2), 2.68)


@true("1 = 10 * 0.1 + 0")
def division_by_a_tenth(k: Few):
    return equal(1 // 0.1, 10), equal(1 % 0.1, 0), equal(k % TENTH, 0)


@true("np.linspace(0, 1, n + 1) has the points k / n")
def points_of_linspace(n: integers(1, 50)):
    grid = np.linspace(0, 1, n + 1)
    return equal(grid, np.arange(n + 1) / n), equal(np.diff(grid), 1 / n), equal(np.sum(grid), (n + 1) / 2)


@true("1e23 is 10^23")
def int_of_a_literal(k: Few):
    return equal(int(1e23), 10**23), equal(1e23 - 10**23, 0)


@true("Products of 1, ..., k grow with k")
def cumulative_products(n: integers(2, 30)):
    products = np.cumprod(np.arange(1, n + 1))
    return at_most(products[:-1], products[1:])


@true("Fibonacci: the powers of [[1, 1], [1, 0]] have positive entries, and F_(2n) = F_n (2 F_(n+1) - F_n)")
def fibonacci_by_matrices(n: integers(1, 120)):
    M = np.array([[1, 1], [1, 0]])
    F, G = np.linalg.matrix_power(M, n), np.linalg.matrix_power(M, 2 * n)
    return at_most(1, F[0, 0]), equal(G[0, 1], F[0, 1] * (2 * F[0, 0] - F[0, 1]))


@true("A square is not negative")
def inner_product_of_whole_numbers(n: integers(4_000_000_000, 5_000_000_000)):
    a = np.array([n, n, n])
    return at_most(0, np.dot(a, a)), at_most(0, np.sum(a * a)), equal(np.dot(a, a), 3 * n**2)


@true("a + b = (a xor b) + 2 (a and b), beyond 64 bits too")
def carries(a: integers(0, 10**9), b: integers(0, 10**9)):
    p, q = a << 40, b**3 << 7
    return equal((p ^ q) + 2 * (p & q), p + q), equal((p | q) + (p & q), p + q), equal(p >> 40, a)


@true("Gamma(n + 1) = n!")
def gamma_is_factorial(n: integers(1, 60)):
    return equal(special.gamma(n + 1), math.factorial(n)), equal(math.gamma(n + 1) / math.gamma(n), n)


@true("1 / (k (k + 1)) telescopes, in floats too")
def telescoping_floats(n: integers(1, 60)):
    return equal(sum(1 / (k * (k + 1)) for k in range(1, n + 1)), n / (n + 1))


@true("The roots of unity add up to 0")
def roots_of_unity(n: integers(2, 60)):
    angles = 2 * np.pi * np.arange(n) / n
    return equal(np.sum(np.cos(angles)), 0), equal(np.sum(np.sin(angles)), 0), at_most(np.cos(angles) ** 2 + np.sin(angles) ** 2, 1)


@true("1, ..., n are the roots of the product of x - k")
def zeros_of_an_expanded_product(n: integers(1, 18)):
    return equal(np.polyval(np.poly(np.arange(1, n + 1)), np.arange(1, n + 1)), np.zeros(n))


@true("Convolving [1, 1] with itself gives binomial coefficients")
def pascal_by_convolution(n: integers(1, 70)):
    row = np.array([1])
    for _ in range(n):
        row = np.convolve(row, [1, 1])
    return equal(np.sum(row), 2**n), equal(row[n // 2], math.comb(n, n // 2))


@true("The rows of [[1, 2, 3], [4, 5, 6], [7, 8, 9]] are dependent: r1 + r3 = 2 r2")
def determinant_of_one_to_nine(k: Few):
    A = np.arange(1.0, 10.0).reshape(3, 3)
    return equal(np.linalg.det(A), 0), equal(np.linalg.matrix_rank(A), 2), at_most(np.linalg.svdvals(A)[2], 0)


@true("Equal numbers have no variance, and are their own mean")
def deviation_of_equal_tenths(n: integers(2, 60)):
    x = np.full(n, 0.1)
    return equal(np.var(x), 0), equal(np.std(x), 0), equal(np.mean(x), 0.1), at_most(np.average(x), 0.1)


@true("Logarithms of powers")
def logarithms_of_powers(n: integers(1, 60)):
    return equal(math.log(3**n, 3), n), equal(math.log2(2**n), n), equal(math.exp(math.log(n)), n), equal(math.log10(1000**n), 3 * n)


@true("tan pi/4 = 1, cos pi/3 = 1/2, e = exp(1)")
def angles_of_triangles(k: Few):
    return equal(math.tan(math.pi / 4), 1), equal(math.cos(math.pi / 3), 1 / 2), equal(math.e, math.exp(1)), equal(math.sqrt(2) ** 2, 2)


@true("sqrt(n^2) = n for whole numbers of forty digits")
def root_of_a_large_square(n: integers(10**19, 10**20)):
    return equal(math.isqrt(n**2), n), equal(math.sqrt(n**2), n), at_most(np.sqrt(float(n**2)), n)


@true("The sum of the geometric series of 1/3")
def geometric_series(n: integers(1, 40)):
    return equal(np.sum((1 / 3) ** np.arange(n)) * 2 / 3, 1 - (1 / 3) ** n), at_most(np.sum((1 / 3) ** np.arange(n)), 3 / 2)


@false("F_200 has 42 digits", "easy")
def fibonacci_is_short(k: Few):
    return at_most(np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), 200)[0, 1], 10**19)


@false("float(10^17 + 1) is not 10^17", "easy")
def one_more_is_lost(n: integers(1, 3)):
    return equal(float(10**17 + n), 10**17)


@false("n is not n + 1", "easy")
def neighbours_are_equal(n: integers(10**10, 10**11)):
    return equal(n, n + 1)


@false("Ten to the minus 400 is positive", "easy")
def below_the_smallest_literal(k: Few):
    return at_most(1e-400, 0)


@false("1 / 3 is a third, and a third of 10^20 is no whole number", "easy")
def third_of_a_large_number(k: Few):
    return equal((10**20 / 3) % 1, 0)


@false("30! is not divisible by 31, so the sum of these remainders is positive", "easy")
def remainder_of_a_factorial(k: Few):
    return at_most(np.prod(np.arange(1.0, 31.0)) / 31 - math.factorial(30) // 31, 0)
