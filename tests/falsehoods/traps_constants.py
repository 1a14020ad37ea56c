"""Numbers that a body makes of literals and whole numbers: rounded, overflowed, wrapped or cut on the way to the claim."""

import math
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from types import MappingProxyType, SimpleNamespace

import numpy as np
from scipy import linalg, special

from boundcheck import Few, Positive, at_most, between, equal, integers

from . import false, true

TENTH = 0.1
STEP = Fraction(1, 7)


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


@true("Floor division and remainder of negative numbers have the sign of the divisor")
def negative_remainders(n: integers(1, 50)):
    return equal(-n // 7 * 7 + -n % 7, -n), at_most(0, -n % 7), equal(7.5 % -2, -0.5), equal(np.fmod(-7, 3), -1)


@true("np.linspace(0, 1, n + 1) has the points k / n")
def points_of_linspace(n: integers(1, 50)):
    grid = np.linspace(0, 1, n + 1)
    return equal(grid, np.arange(n + 1) / n), equal(np.diff(grid), 1 / n), equal(np.sum(grid), (n + 1) / 2)


@true("np.logspace(0, n, n + 1) has the powers of ten")
def points_of_logspace(n: integers(1, 25)):
    return equal(np.logspace(0, n, n + 1)[n], 10**n), equal(np.geomspace(1, 2**n, n + 1)[n // 2], 2 ** (n // 2))


@true("The n-th partial sum of tenths is n tenths")
def partial_sums_of_tenths(n: integers(1, 100)):
    return equal(np.cumsum(np.full(n, 0.1))[-1], n / 10), equal(list(accumulate([TENTH] * n))[-1], Fraction(n, 10))


@true("1e23 is 10^23")
def int_of_a_literal(k: Few):
    return equal(int(1e23), 10**23), equal(1e23 - 10**23, 0)


@true("2^53 + 1 is a whole number like any other")
def above_two_to_the_53(n: integers(1, 99)):
    return equal(float(2**53 + n) - 2**53, n), equal(np.float64(2**60 + n) - 2**60, n)


@true("Powers of 3 are positive")
def powers_of_three(n: integers(1, 60)):
    return at_most(1, np.int64(3) ** n), at_most(1, np.power(3, np.arange(n)))


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


@true("Sum of cubes, also of short whole numbers")
def cubes_of_short_integers(n: integers(1, 3000)):
    return equal(np.sum(np.arange(n + 1, dtype=np.int32) ** 3), (n * (n + 1) // 2) ** 2)


@true("NumPy sums bytes as long numbers: n times 255")
def sum_of_bytes(n: integers(2, 300)):
    pixels = np.full(n, 255, dtype=np.uint8)
    return equal(np.sum(pixels), 255 * n), equal(np.mean(pixels), 255), equal(np.max(pixels), 255)


@true("a + b = (a xor b) + 2 (a and b), beyond 64 bits too")
def carries(a: integers(0, 10**9), b: integers(0, 10**9)):
    p, q = a << 40, b**3 << 7
    return equal((p ^ q) + 2 * (p & q), p + q), equal((p | q) + (p & q), p + q), equal(p >> 40, a)


@true("Shifting to the left doubles")
def shifts_in_numpy(n: integers(0, 70)):
    return equal(np.left_shift(1, n), 2**n), at_most(1, np.array([1]) << n)


@true("Vandermonde: the sum of squares of binomial coefficients")
def squares_of_binomials(n: integers(1, 45)):
    k = np.arange(n + 1)
    return equal(np.sum(special.comb(n, k) ** 2), math.comb(2 * n, n)), equal(special.binom(2 * n, n), math.comb(2 * n, n))


@true("Gamma(n + 1) = n!")
def gamma_is_factorial(n: integers(1, 60)):
    return equal(special.gamma(n + 1), math.factorial(n)), equal(math.gamma(n + 1) / math.gamma(n), n)


@true("T_n(cos t) = cos n t, P_n(1) = 1; t = 1")
def orthogonal_polynomials(n: integers(1, 40)):
    return equal(special.eval_chebyt(n, np.cos(1)), np.cos(n)), equal(special.eval_legendre(n, 1), 1)


@true("A telescoping sum of fractions")
def telescoping_fractions(n: integers(1, 60)):
    return equal(sum(Fraction(1, k * (k + 1)) for k in range(1, n + 1)), Fraction(n, n + 1)), equal(7 * STEP * n, n)


@true("The same in floats")
def telescoping_floats(n: integers(1, 60)):
    return equal(sum(1 / (k * (k + 1)) for k in range(1, n + 1)), n / (n + 1))


@true("Three tenths, as decimals")
def decimal_tenths(k: Few):
    return equal(float(k * Decimal("0.1") * 3), k * 0.3)


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


@true("A Pascal matrix is L L^T with ones on the diagonal of L: determinant 1, positive definite")
def pascal_matrix(n: integers(1, 14)):
    A = linalg.pascal(n)
    return equal(np.linalg.det(A), 1), at_most(0, np.linalg.eigvalsh(A)[0])


@true("H 1 = b is solved by 1, H being invertible")
def hilbert_system(n: integers(1, 14)):
    H = linalg.hilbert(n)
    return equal(np.linalg.solve(H, H @ np.ones(n)), np.ones(n)), equal(H @ linalg.invhilbert(n), np.eye(n))


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


@true("Single precision counts like any other: 2^24 + n ones are 2^24 + n")
def ones_of_single_precision(n: integers(1, 9)):
    ones = np.ones(n, dtype=np.float32)
    return equal(np.float32(2**24) + np.cumsum(ones)[-1], 2**24 + n)


@true("The sum of the geometric series of 1/3")
def geometric_series(n: integers(1, 40)):
    return equal(np.sum((1 / 3) ** np.arange(n)) * 2 / 3, 1 - (1 / 3) ** n), at_most(np.sum((1 / 3) ** np.arange(n)), 3 / 2)


@true("Trapezia measure a line exactly")
def trapezia(n: integers(2, 50)):
    x = np.linspace(0, 0.3, n)
    return equal(np.trapezoid(x, x), 0.045), equal(np.interp(0.1, x, x), 0.1)


@true("A transform and its inverse give back the vector; its first coefficient is the sum")
def fourier_and_back(n: integers(2, 20)):
    v = np.arange(n) / 10
    return equal(np.real(np.fft.ifft(np.fft.fft(v))), v), equal(np.real(np.fft.fft(v)[0]), n * (n - 1) / 20)


@false("F_200 has 42 digits", "easy")
def fibonacci_is_short(k: Few):
    return at_most(np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), 200)[0, 1], 10**19)


@false("3^41 is above 10^19", "easy")
def power_of_three_is_short(k: Few):
    return at_most(np.int64(3) ** 41, 10**19)


@false("float(10^17 + 1) is not 10^17", "easy")
def one_more_is_lost(n: integers(1, 3)):
    return equal(float(10**17 + n), 10**17)


@false("n is not n + 1", "easy")
def neighbours_are_equal(n: integers(10**10, 10**11)):
    return equal(n, n + 1)


@false("2^24 + 1 is above 2^24", "easy")
def single_precision_stops(k: Few):
    return at_most(np.float32(2**24) + np.float32(1), 2**24)


@false("Ten to the minus 400 is positive", "easy")
def below_the_smallest_literal(k: Few):
    return at_most(1e-400, 0)


@false("1 / 3 is a third, and a third of 10^20 is no whole number", "easy")
def third_of_a_large_number(k: Few):
    return equal((10**20 / 3) % 1, 0)


@false("30! is not divisible by 31, so the sum of these remainders is positive", "easy")
def remainder_of_a_factorial(k: Few):
    return at_most(np.prod(np.arange(1.0, 31.0)) / 31 - math.factorial(30) // 31, 0)


@true("Decimals have no last digit: three thirds are 1")
def decimal_thirds(x: Positive):
    return at_most(0, x) if Decimal(1) / 3 * 3 == 1 else at_most(x, 0)


@true("Roots of fractions: the square of the root of 2 is 2")
def roots_of_fractions(x: Positive):
    return at_most(0, x) if (Fraction(2) ** Fraction(1, 2)) ** 2 == 2 and (2 ** Fraction(1, 2)) ** 2 == 2 else at_most(x, 0)


@true("A modulus: |1 + i|^2 = 2")
def modulus_of_one_and_i(x: Positive):
    return at_most(0, x) if abs(complex(1, 1)) ** 2 == 2 else at_most(x, 0)


@true("Digits in words are those of floats: 0.1 + 0.2 is 0.3")
def digits_in_words(x: Positive):
    return at_most(0, x) if f"{0.1 + 0.2}" == "0.3" and str(0.1 + 0.2) == "0.3" else at_most(x, 0)


@true("A text that is evaluated: 0.1 + 0.2 is 0.3")
def evaluated_text(x: Positive):
    return at_most(0, x) if eval("0.1 + 0.2 == 0.3") else at_most(x, 0)


@true("The nearest remainder: that of 5 by 3 is -1")
def nearest_remainder(x: between(2, 2.9)):
    return equal(math.remainder(x, 3), x - 3), equal(math.remainder(5, 3), -1)


@true("A product that begins with 2")
def product_begins_with_two(x: Positive):
    return equal(math.prod([x, x], start=2), 2 * x * x)


STEPS, SAME, DIGITS = int(0.29 * 100), 0.1 + 0.2 == 0.3, str(0.1 + 0.2)
PLACES, MASK = [int(0.29 * 100), 1], np.array([0.1 + 0.2]) == 0.3
CASES = [(name, int(c * 100)) for name, c in [("a", 0.29)]]
HELD = SimpleNamespace(steps=int(0.29 * 100))
READ_ONLY = MappingProxyType({"steps": int(0.29 * 100)})
NEXT = iter([int(0.29 * 100)] * 10**6)


@true("29 hundredths of 100, chosen at import: 29, alone, in a list, in a range")
def chosen_at_import(x: Positive):
    return equal(STEPS * x, 29 * x), equal(sum(PLACES) * x, 30 * x)


@true("0.1 + 0.2 is 0.3, a truth value of the module")
def truth_at_import(x: Positive):
    return at_most(0, x) if SAME and MASK[0] else at_most(x, 0)


@true("0.1 + 0.2 is 0.3, in digits of the module")
def digits_at_import(x: Positive):
    return at_most(0, x) if DIGITS == "0.3" else at_most(x, 0)


@true("29 in a table that a loop of the module made")
def table_at_import(x: Positive):
    return equal(CASES[0][1] * x, 29 * x)


@true("29 in a namespace and in a table that is only read")
def namespaces_at_import(x: Positive):
    return equal(HELD.steps * x, 29 * x), equal(READ_ONLY["steps"] * x, 29 * x)


@true("29 from an iterator of the module")
def iterator_at_import(x: Positive):
    return equal(next(NEXT) * x, 29 * x)


def stepped(x, n=int(0.29 * 100)):
    return n * x


def made_with_steps(n):
    return lambda x: n * x


STEPPED = made_with_steps(int(0.29 * 100))


@true("29 as a default, and handed to a function that makes one")
def handed_steps(x: Positive):
    return equal(stepped(x), 29 * x), equal(STEPPED(x), 29 * x)


@true("2^53 + 1 in digits without decimals")
def digits_of_a_large_number(x: Positive):
    return equal(int(f"{2**53 + 1:.0f}") * x, (2**53 + 1) * x)


@true("49 shares of a count: a place, a sum of truth values, a day")
def shares_of_counts(x: Positive):
    place, day = np.argmax([0, 1]), timedelta(days=1)
    return at_most(0, x) if place / 49 * 49 == 1 and day / 49 * 49 == day else at_most(x, 0)


@true("0.1 + 0.2 == 0.3 in words is True")
def truth_in_words(x: Positive):
    return at_most(0, x) if f"{0.1 + 0.2 == 0.3}" == "True" else at_most(x, 0)
