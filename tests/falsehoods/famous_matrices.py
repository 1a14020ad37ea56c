"""Famous statements about matrices that are false, beside famous true ones that are attained with equality."""

import numpy as np

from boundcheck import (
    PSD,
    Bits,
    Box,
    Family,
    PositiveDefinite,
    Simplex,
    SquareMatrix,
    Symmetric,
    UnitVector,
    Vector,
    at_most,
    expm,
    frobenius,
    loewner,
    nuclear,
    opnorm,
    psd_sqrt,
    sqrt,
    trace,
)  # fmt: skip

from . import false, true


def products_in_all_orders(A):
    """The sum over all orders of the products of all matrices: those of a set end in one of its members."""
    n, sums = len(A), {0: np.eye(A[0].shape[0])}
    for s in range(1, 2**n):
        sums[s] = sum(sums[s - 2**k] @ A[k] for k in range(n) if s >> k & 1)
    return sums[2**n - 1]


@true("Recht-Re 2012, noncommutative arithmetic-geometric mean inequality of three (Israel, Krahmer, Ward 2016)")
def recht_re_three(A: Family(PSD("d"), 3)):
    return at_most(opnorm(products_in_all_orders(A)) / 6, opnorm((A[0] + A[1] + A[2]) / 3) ** 3)


@false("Recht-Re 2012, noncommutative arithmetic-geometric mean inequality of five: false by Lai and Lim 2020", "hard")
def recht_re_five(A: Family(PSD("d"), 5)):
    mean = (A[0] + A[1] + A[2] + A[3] + A[4]) / 5
    return at_most(opnorm(products_in_all_orders(A)) / 120, opnorm(mean) ** 5)


@true("Golden 1965, Thompson 1965")
def golden_thompson(A: Symmetric("n"), B: Symmetric("n")):
    return at_most(trace(expm(A + B)), trace(expm(A) @ expm(B)))


@false("Golden-Thompson for three matrices: false by Thompson 1965 (Lieb 1973 has the triple matrix inequality)", "medium")
def golden_thompson_three(A: Symmetric("n"), B: Symmetric("n"), C: Symmetric("n")):
    return at_most(trace(expm(A + B + C)), np.abs(trace(expm(A) @ expm(B) @ expm(C))))


@false("Golden-Thompson in the Loewner order, e^(A+B) <= e^(A/2) e^B e^(A/2): Bhatia, Matrix Analysis, IX.3", "easy")
def golden_thompson_loewner(A: Symmetric("n"), B: Symmetric("n")):
    root = expm(A / 2)
    return loewner(expm(A + B), root @ expm(B) @ root)


@true("Loewner 1934, Heinz 1951: the root is operator monotone")
def root_monotone(A: PositiveDefinite("n"), H: PSD("n")):
    return loewner(psd_sqrt(A), psd_sqrt(A + H))


@false("The exponential is operator monotone: Bhatia, Matrix Analysis, V.1", "easy")
def exponential_monotone(A: Symmetric("n"), H: PSD("n")):
    return loewner(expm(A), expm(A + H))


@false("A^(5/4) is operator monotone: Bhatia, Matrix Analysis, V.2.10 (exactly the powers 0 to 1 are)", "medium")
def power_monotone(A: PositiveDefinite("n"), H: PSD("n")):
    power, more = (psd_sqrt(psd_sqrt(X)) @ X for X in (A, A + H))
    return loewner((power + power.T) / 2, (more + more.T) / 2)


def modulus(A):
    return psd_sqrt(A.T @ A)


@false("|A + B| <= |A| + |B| in the Loewner order: Thompson 1976 needs unitaries", "easy")
def modulus_triangle(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return loewner(modulus(A + B), modulus(A) + modulus(B))


@true("Lee 2010, proved by Lin and Zhang 2022: |A + B| against |A| + |B| in the Frobenius norm, sharp for n = 2")
def lee(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return at_most(frobenius(A + B), sqrt((1 + sqrt(2)) / 2) * frobenius(modulus(A) + modulus(B)))


@false("The same with 1.09 for 1.0987", "hard")
def lee_constant(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return at_most(frobenius(A + B), 1.09 * frobenius(modulus(A) + modulus(B)))


@true("Boettcher and Wenzel 2005")
def boettcher_wenzel(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return at_most(frobenius(A @ B - B @ A), sqrt(2) * frobenius(A) * frobenius(B))


@false("Boettcher-Wenzel with the operator norm for one Frobenius norm and the root of 3 for 2", "medium")
def boettcher_wenzel_mixed(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return at_most(frobenius(A @ B - B @ A), sqrt(3) * opnorm(A) * frobenius(B))


@false("Choi 1974 for cubes, Phi(A)^3 <= Phi(A^3): only for operator convex functions", "medium")
def kadison_cubes(A: PSD(3)):
    corner = A[:2, :2]
    return loewner(corner @ corner @ corner, (A @ A @ A)[:2, :2])


@true("Kadison 1952, Phi(A)^2 <= Phi(A^2)")
def kadison_squares(A: Symmetric(3)):
    return loewner(A[:2, :2] @ A[:2, :2], (A @ A)[:2, :2])


@false("The trace of a product of three positive semidefinite matrices is not negative", "easy")
def trace_of_three(A: PSD("n"), B: PSD("n"), C: PSD("n")):
    return at_most(0, trace(A @ B @ C))


@true("tr ABAB >= 0, the shortest word beyond a product of two")
def trace_of_word(A: PSD("n"), B: PSD("n")):
    return at_most(0, trace(A @ B @ A @ B))


@false("Words in two positive definite matrices have positive traces: Johnson and Hillar 2002, BABAAB of order 3", "hard")
def trace_of_long_word(A: PSD(3), B: PSD(3)):
    return at_most(0, trace(B @ A @ B @ A @ A @ B))


@true("Hlawka's inequality in Euclidean space")
def hlawka(x: Vector("n"), y: Vector("n"), z: Vector("n")):
    pairs = np.linalg.norm(x + y) + np.linalg.norm(y + z) + np.linalg.norm(z + x)
    return at_most(pairs, np.linalg.norm(x) + np.linalg.norm(y) + np.linalg.norm(z) + np.linalg.norm(x + y + z))


@false("Hlawka's inequality for the operator norm: Hlawka spaces, Kelly, Smiley and Smiley 1965", "medium")
def hlawka_operators(A: SquareMatrix("n"), B: SquareMatrix("n"), C: SquareMatrix("n")):
    return at_most(opnorm(A + B) + opnorm(B + C) + opnorm(C + A), opnorm(A) + opnorm(B) + opnorm(C) + opnorm(A + B + C))


@true("Minkowski's determinant inequality, n = 3")
def minkowski_determinants(A: PositiveDefinite(3), B: PositiveDefinite(3)):
    a, b, both = (np.linalg.det(X) ** (1 / 3) for X in (A, B, A + B))
    return at_most(a + b, both)


@false("Minkowski's determinant inequality with roots of order 3.1, n = 3", "medium")
def minkowski_determinants_order(A: PositiveDefinite(3), B: PositiveDefinite(3)):
    a, b, both = (np.linalg.det(X) ** (1 / 3.1) for X in (A, B, A + B))
    return at_most(a + b, both)


@true("Rotfel'd 1969, for the root")
def rotfeld(A: PSD("n"), B: PSD("n")):
    return at_most(nuclear(psd_sqrt(A + B)), nuclear(psd_sqrt(A)) + nuclear(psd_sqrt(B)))


@true("Tsirelson 1980: quantum correlations in the inequality of Clauser, Horne, Shimony and Holt")
def tsirelson(a: UnitVector("n"), b: UnitVector("n"), x: UnitVector("n"), y: UnitVector("n")):
    return at_most(a @ x + a @ y + b @ x - b @ y, 2 * sqrt(2))


@false("The classical bound 2 of Clauser, Horne, Shimony and Holt 1969 for quantum correlations: Bell 1964", "easy")
def bell(a: UnitVector("n"), b: UnitVector("n"), x: UnitVector("n"), y: UnitVector("n")):
    return at_most(a @ x + a @ y + b @ x - b @ y, 2)


def growth(L, U):
    """The largest entries of U and of L U; the multipliers below the diagonal of L are at most 1, as pivots are."""
    return np.max(np.abs(np.triu(U))), np.max(np.abs((np.tril(L, -1) + np.eye(5)) @ np.triu(U)))


@true("Wilkinson 1961: growth of Gaussian elimination with partial pivoting, n = 5")
def wilkinson(L: Box(5, 5, low=-1, high=1), U: SquareMatrix(5)):
    largest, first = growth(L, U)
    return at_most(largest, 16 * first)


@false("Growth of Gaussian elimination with partial pivoting is at most n, here 5: Wilkinson 1961 has 2^(n-1)", "medium")
def growth_at_most_order(L: Box(5, 5, low=-1, high=1), U: SquareMatrix(5)):
    largest, first = growth(L, U)
    return at_most(largest, 5 * first)


@true("Hadamard 1893 for matrices of 0 and 1, n = 3")
def hadamard_bits(B: Bits(3, 3)):
    return at_most(np.linalg.det(B), 2)


@false("Determinants of matrices of 0 and 1 follow Fibonacci, 8 at n = 6: 9, Williamson 1946 (OEIS A003432)", "hard")
def determinants_fibonacci(B: Bits(6, 6)):
    return at_most(np.linalg.det(B), 8)


def adjacency(B):
    upper = np.triu(B, 1)
    return upper + upper.T


@true("Energy of a graph, at least twice the root of its edges: Caporossi, Cvetkovic, Gutman, Hansen 1999")
def energy_and_edges(B: Bits(6, 6)):
    A = adjacency(B)
    return at_most(2 * np.sqrt(np.sum(A) / 2), nuclear(A))


@false("The complete graph has the largest energy, 2 (n - 1), n = 10: Gutman 1978; false by Walikar et al. 1999", "hard")
def hyperenergetic(B: Bits(10, 10)):
    return at_most(nuclear(adjacency(B)), 18)


def permanent(A):
    """Of a 3 x 3 matrix."""
    a, b, c = A
    return a[0] * (b[1] * c[2] + b[2] * c[1]) + a[1] * (b[0] * c[2] + b[2] * c[0]) + a[2] * (b[0] * c[1] + b[1] * c[0])


ORDERS = np.eye(3)[[(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]]


@true("Van der Waerden's conjecture, n = 3 (Egorychev, Falikman 1981)")
def van_der_waerden(w: Simplex(6)):
    return at_most(2 / 9, permanent(np.sum(w[:, None, None] * ORDERS, axis=0)))


@false("Permanents of doubly stochastic matrices are at least 1/4, n = 3: J/3 has 2/9", "easy")
def van_der_waerden_quarter(w: Simplex(6)):
    return at_most(1 / 4, permanent(np.sum(w[:, None, None] * ORDERS, axis=0)))


@false("Equivalent norms with one constant for all sizes: the trace norm is at most three times the Frobenius norm; n = 10", "hard")
def norms_of_any_size(A: SquareMatrix("n")):
    return at_most(nuclear(A), 3 * frobenius(A))


@true("Lieb and Thirring 1976, tr (AB)^2 <= tr A^2 B^2")
def lieb_thirring(A: PSD("n"), B: PSD("n")):
    return at_most(trace(A @ B @ A @ B), trace(A @ A @ B @ B))


@false("det(I + A + B) >= det(I + A) det(I + B): the inequality holds the other way round, Rotfel'd 1969", "easy")
def determinants_other_way(A: PSD("n"), B: PSD("n")):
    eye = np.eye(A.shape[0])
    return at_most(np.linalg.det(eye + A) * np.linalg.det(eye + B), np.linalg.det(eye + A + B))


@false("The arithmetic-geometric mean inequality of matrices for the Loewner order: Bhatia and Kittaneh 1990 have norms", "medium")
def means_loewner(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    return loewner(modulus(A @ B), (A @ A + B @ B) / 2)
