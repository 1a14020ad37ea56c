"""Identities over the drawn domains that floats break by cancellation, and falsehoods that cancellation hides."""

import numpy as np
from scipy import special

from boundcheck import (
    PSD,
    Correlation,
    Few,
    LowRank,
    Matrix,
    Orthogonal,
    Positive,
    PositiveDefinite,
    Real,
    Size,
    UnitVector,
    Vector,
    at_most,
    between,
    equal,
    exp,
    integers,
    inverse,
    largest_eigenvalue,
    loewner,
    log,
    pi,
    sin,
    smallest_eigenvalue,
    sqrt,
    trace,
)

from . import false, true


@true("Welford's recurrence for the sum of squared deviations")
def welford(x: Vector("n")):
    mean, total = 0, 0
    for k, t in enumerate(x, 1):
        step = t - mean
        mean = mean + step / k
        total = total + step * (t - mean)
    return equal(total, np.sum((x - np.mean(x)) ** 2))


@true("Mean of squares minus square of the mean, around a far centre: the variance does not move")
def variance_far_away(x: Vector("n")):
    y = x + 1e9
    return equal(np.mean(y**2) - np.mean(y) ** 2, np.var(x))


@true("The binomial theorem for (x - 1)^7 near 1")
def seventh_power_expanded(x: between(0.98, 1.02)):
    expanded = x**7 - 7 * x**6 + 21 * x**5 - 35 * x**4 + 35 * x**3 - 21 * x**2 + 7 * x - 1
    return equal(expanded, (x - 1) ** 7)


@true("Vieta: the roots of x^2 - b x + 1 have product 1")
def product_of_roots(b: between(1e8, 1e9)):
    root = sqrt(b**2 - 4)
    return equal((b + root) / 2 * ((b - root) / 2), 1)


@true("The difference of roots, rationalised")
def difference_of_roots(x: between(1e12, 1e15)):
    return equal(sqrt(x + 1) - sqrt(x), 1 / (sqrt(x + 1) + sqrt(x)))


@true("Schur: det of a bordered matrix")
def bordered_determinant(A: PositiveDefinite(3), b: Vector(3), c: Real):
    M = np.block([[A, b[:, None]], [b[None, :], np.array([[c]])]])
    return equal(np.linalg.det(M), np.linalg.det(A) * (c - b @ np.linalg.solve(A, b)))


@true("trace X (X^T X + l I)^-1 X^T = d - l trace (X^T X + l I)^-1")
def trace_of_ridge_hat_matrix(X: Matrix("n", "d"), lam: Positive):
    d = X.shape[1]
    R = inverse(X.T @ X + lam * np.eye(d))
    return equal(trace(X @ R @ X.T), d - lam * trace(R))


@true("The interpolating polynomial of near points interpolates")
def vandermonde_of_near_points(y: Vector(4), h: between(1e-4, 1e-3)):
    V = np.vander(1 + h * np.arange(4))
    return equal(V @ np.linalg.solve(V, y), y)


@true("The eigenvalues of [[a, b], [b, a]] are a + b and a - b")
def eigenvalues_of_a_swap(a: Real, b: Real):
    M = np.array([[a, b], [b, a]])
    return equal(largest_eigenvalue(M), a + abs(b)), equal(smallest_eigenvalue(M), a - abs(b))


@true("arctan x + arctan 1/x = pi / 2 for x > 0")
def complementary_angles(x: Positive):
    return equal(np.arctan(x) + np.arctan(1 / x), pi / 2)


@true("cosh^2 - sinh^2 = 1")
def hyperbola(x: between(12, 18)):
    return equal(np.cosh(x) ** 2 - np.sinh(x) ** 2, 1)


@true("sin(n pi) = 0")
def sine_of_multiples_of_pi(n: integers(1, 10_000)):
    return equal(sin(n * pi), 0), equal(np.sin(n * np.pi), 0)


@true("A PSD matrix has non-negative determinant and principal minors")
def determinant_of_a_psd_matrix(A: PSD("n")):
    return at_most(0, np.linalg.det(A))


@true("Two by two minors of a PSD matrix")
def minors_of_a_psd_matrix(A: PSD(3)):
    return at_most(A[0, 1] ** 2, A[0, 0] * A[1, 1]), at_most(A[1, 2] ** 2, A[1, 1] * A[2, 2])


@true("det of a matrix of rank one is 0 for n = 3, and so are its singular values from the second on")
def determinant_of_rank_one(A: LowRank(3, 3, 1)):
    return equal(np.linalg.det(A), 0), at_most(np.linalg.svdvals(A)[1], 0)


@true("Q^T Q = I and det Q = 1 or -1")
def orthogonal_determinant(Q: Orthogonal("n")):
    return equal(Q.T @ Q, np.eye(len(Q))), equal(np.linalg.det(Q) ** 2, 1)


@true("I - u u^T is a projection: idempotent, its trace n - 1, PSD")
def complement_of_a_line(u: UnitVector("n")):
    n = len(u)
    R = np.eye(n) - np.outer(u, u)
    return equal(R @ R, R), equal(trace(R), n - 1), loewner(np.zeros((n, n)), R)


@true("A correlation matrix has entries in [-1, 1] and its determinant in [0, 1] (Hadamard)")
def determinant_of_a_correlation(C: Correlation("n")):
    return at_most(np.abs(C), 1), at_most(np.linalg.det(C), 1), at_most(0, np.linalg.det(C))


@true("The Gram matrix of a vector and its double is singular")
def gram_of_parallel_vectors(x: Vector("n")):
    return equal((x @ x) * (2 * x @ (2 * x)) - (x @ (2 * x)) ** 2, 0)


@true("expit(x) + expit(-x) = 1, erf + erfc = 1, ndtr(x) + ndtr(-x) = 1")
def complements_of_special_functions(x: between(-8, 8)):
    return (
        equal(special.expit(x) + special.expit(-x), 1),
        equal(special.erf(x) + special.erfc(x), 1),
        equal(special.ndtr(x) + special.ndtr(-x), 1),
    )


@true("log(1 + x) by log1p, exp(x) - 1 by expm1")
def near_zero_functions(x: between(1e-12, 1e-10)):
    return equal(log(1 + x), np.log1p(x)), equal(exp(x) - 1, np.expm1(x))


@true("1 - cos x >= x^2 / 2 - x^4 / 24")
def cosine_above_its_parabola(x: between(1e-9, 1e-4)):
    return at_most(x**2 / 2 - x**4 / 24, 1 - np.cos(x)), at_most(1 - np.cos(x), x**2 / 2)


@true("The derivative as a limit: ((x + h)^2 - x^2) / h = 2 x + h")
def difference_quotient(x: between(1, 100), h: between(1e-12, 1e-10)):
    return equal(((x + h) ** 2 - x**2) / h, 2 * x + h)


@true("Ridge regression: (X^T X + I) b = X^T y, so X^T (y - X b) = b")
def normal_equations(x: Vector(5), y: Vector(5)):
    X = np.column_stack([np.ones(5), x])
    S = X.T @ X + np.eye(2)
    b = np.linalg.solve(S, X.T @ y)
    return equal(X.T @ (y - X @ b), b)


@true("A sum of squares written as a quadratic form of a Laplacian")
def laplacian(x: Vector(4)):
    D = np.diff(np.eye(4), axis=0)
    return equal(x @ (D.T @ D) @ x, np.sum(np.diff(x) ** 2)), equal(np.sum(D.T @ D @ x), 0)


@true("Softmax does not change when a constant is added")
def softmax_shifted(x: Vector(4), c: between(-20, 20)):
    y = np.tanh(x)
    return equal(exp(y + c) / np.sum(exp(y + c)), exp(y) / np.sum(exp(y)))


@true("Resolvent identity: A^-1 - B^-1 = A^-1 (B - A) B^-1")
def resolvent_identity(A: PositiveDefinite("n"), e: between(1e-9, 1e-6)):
    B = A + e * np.eye(len(A))
    return equal(inverse(A) - inverse(B), inverse(A) @ (B - A) @ inverse(B))


@true("Powers of a rotation are rotations by the multiple")
def powers_of_a_rotation(t: Real, n: integers(1, 60)):
    R = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    power = np.linalg.matrix_power(R, n)
    return equal(power[0, 0], np.cos(n * t)), equal(np.linalg.det(power), 1)


@false("1e16 + x - 1e16 is x, which is positive", "easy")
def absorbed_in_a_large_number(x: between(0.1, 0.9)):
    return at_most((1e16 + x) - 1e16, 0)


@false("1 - cos x is positive, about x^2 / 2", "easy")
def cosine_is_one(x: between(1e-9, 1e-8)):
    return at_most(1 - np.cos(x), 0)


@false("tanh is below 1 everywhere", "easy")
def tanh_is_one(x: between(20, 30)):
    return at_most(1, np.tanh(x))


@false("x + 1e-12 is above x", "easy")
def a_little_more(x: between(1, 2)):
    return at_most(x + 1e-12, x)


@false("A + 1e-11 I is not below A", "easy")
def loewner_a_little_more(A: PSD("n")):
    return loewner(A + 1e-11 * np.eye(len(A)), A)


@false("The gap sqrt(x + 1) - sqrt(x) is positive", "easy")
def roots_coincide(x: between(1e32, 1e33)):
    return at_most(sqrt(x + 1) - sqrt(x), 0)


@false("log(1 + x) is below x by x^2 / 2 or so", "easy")
def logarithm_is_the_identity(x: between(1e-9, 1e-8)):
    return equal(log(1 + x), x)


@false("The logarithm of 1 + exp(-x) is positive", "easy")
def softplus_vanishes(n: integers(40, 60), k: Size, z: Few):
    return at_most(log(1 + exp(-n)) + 0 * k * z, 0)
