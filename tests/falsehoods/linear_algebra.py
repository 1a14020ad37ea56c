"""Eigenvalues, norms, determinants and matrix functions."""

import numpy as np

from boundcheck import (
    PSD,
    Matrix,
    Orthogonal,
    Positive,
    PositiveDefinite,
    Size,
    SquareMatrix,
    Symmetric,
    UnitVector,
    Vector,
    assume,
    at_most,
    eigenvalues,
    equal,
    expm,
    frobenius,
    inverse,
    largest_eigenvalue,
    loewner,
    logm,
    norm,
    nuclear,
    opnorm,
    psd_power,
    psd_sqrt,
    smallest_eigenvalue,
    sqrt,
    trace,
)  # fmt: skip

from . import false, true


@true("Weyl 1912")
def weyl(A: Symmetric, B: Symmetric):
    return at_most(eigenvalues(A + B), eigenvalues(A) + largest_eigenvalue(B))


@false("Weyl, each eigenvalue with its own", "easy")
def weyl_entrywise(A: Symmetric, B: Symmetric):
    return at_most(eigenvalues(A + B), eigenvalues(A) + eigenvalues(B))


@true("Weyl perturbation")
def weyl_perturbation(A: Symmetric, H: Symmetric):
    return at_most(np.abs(eigenvalues(A + H) - eigenvalues(A)), opnorm(H))


@false("Weyl perturbation with the mean of the norms", "medium")
def weyl_perturbation_average(A: Symmetric, H: Symmetric):
    return at_most(np.abs(eigenvalues(A + H) - eigenvalues(A)), (opnorm(H) + frobenius(H) / sqrt(H.shape[0])) / 2)


@true("Ky Fan 1949")
def ky_fan(A: Symmetric, B: Symmetric, k: Size):
    return at_most(np.sum(eigenvalues(A + B)[:k]), np.sum(eigenvalues(A)[:k]) + np.sum(eigenvalues(B)[:k]))


@false("Ky Fan for the smallest eigenvalues", "easy")
def ky_fan_smallest(A: Symmetric(4), B: Symmetric(4), k: Size):
    return at_most(np.sum(eigenvalues(A + B)[-k:]), np.sum(eigenvalues(A)[-k:]) + np.sum(eigenvalues(B)[-k:]))


@true("von Neumann trace inequality")
def von_neumann(A: SquareMatrix, B: SquareMatrix):
    return at_most(np.abs(trace(A @ B)), np.sum(np.linalg.svdvals(A) * np.linalg.svdvals(B)))


@false("von Neumann trace inequality with eigenvalues on the wrong side", "easy")
def von_neumann_reversed(A: Symmetric, B: Symmetric):
    return at_most(np.sum(eigenvalues(A) * eigenvalues(B)), trace(A @ B))


@true("Golden 1965, Thompson 1965")
def golden_thompson(A: Symmetric, B: Symmetric):
    return at_most(trace(expm(A + B)), trace(expm(A) @ expm(B)))


@false("Golden-Thompson for three matrices", "hard")
def golden_thompson_three(A: Symmetric, B: Symmetric, C: Symmetric):
    return at_most(trace(expm(A + B + C)), np.abs(trace(expm(A) @ expm(B) @ expm(C))))


@true("Lieb-Thirring 1976, power 3")
def lieb_thirring(A: PSD, B: PSD):
    M, A3, B3 = B @ A @ B, A @ A @ A, B @ B @ B
    return at_most(trace(M @ M @ M), trace(B3 @ A3 @ B3))


@false("Lieb-Thirring at power 1/2 without turning the sign", "medium")
def lieb_thirring_half(A: PSD, B: PSD):
    root = psd_sqrt(B)
    return at_most(trace(psd_sqrt(B @ A @ B)), trace(root @ psd_sqrt(A) @ root))


@true("Hadamard 1893")
def hadamard(A: SquareMatrix):
    return at_most(np.abs(np.linalg.det(A)), np.prod(norm(A)))


@false("Hadamard by the diagonal, not PSD", "easy")
def hadamard_diagonal(A: SquareMatrix):
    return at_most(np.linalg.det(A), np.prod(np.abs(np.diagonal(A))))


@false("Hadamard for entries at most 1, order 4, with 15 for 16", "hard")
def hadamard_entries(X: SquareMatrix(4)):
    assume(np.max(np.abs(X)) > 0)
    return at_most(np.linalg.det(X / np.max(np.abs(X))), 15)


@true("Hadamard for entries at most 1, order 4")
def hadamard_entries_sixteen(X: SquareMatrix(4)):
    assume(np.max(np.abs(X)) > 0)
    return at_most(np.linalg.det(X / np.max(np.abs(X))), 16)


@true("Fischer 1908")
def fischer(M: PSD(4)):
    return at_most(np.linalg.det(M), np.linalg.det(M[:2, :2]) * np.linalg.det(M[2:, 2:]))


@false("Fischer with the off-diagonal blocks", "easy")
def fischer_off_diagonal(M: PSD(4)):
    return at_most(np.linalg.det(M), np.linalg.det(M[:2, :2]) * np.linalg.det(M[2:, 2:]) - np.linalg.det(M[:2, 2:]))


@true("Oppenheim 1930, Schur")
def oppenheim_schur(A: PSD, B: PSD):
    a, b = np.linalg.det(A), np.linalg.det(B)
    return at_most(a * np.prod(np.diagonal(B)) + b * np.prod(np.diagonal(A)), np.linalg.det(A * B) + a * b)


@true("Oppenheim 1930")
def oppenheim(A: PSD, B: PSD):
    return at_most(np.linalg.det(A) * np.prod(np.diagonal(B)), np.linalg.det(A * B))


@false("Oppenheim with the larger product on both sides", "easy")
def oppenheim_sum(A: PSD, B: PSD):
    a, b = np.linalg.det(A), np.linalg.det(B)
    return at_most(a * np.prod(np.diagonal(B)) + b * np.prod(np.diagonal(A)), np.linalg.det(A * B))


@true("Schur 1911: product of PSD matrices")
def schur_product(A: PSD, B: PSD):
    return loewner(0 * A, A * B)


@true("Schur 1911: multiplier norm of a PSD matrix")
def schur_multiplier(A: PSD, B: SquareMatrix):
    return at_most(opnorm(A * B), np.max(np.diagonal(A)) * opnorm(B))


@false("Schur multiplier norm by the largest entry, A not PSD", "medium")
def schur_multiplier_any(A: SquareMatrix, B: SquareMatrix):
    return at_most(opnorm(A * B), np.max(np.abs(A)) * opnorm(B))


@true("Kantorovich 1948")
def kantorovich(A: PositiveDefinite, x: UnitVector):
    top, low = largest_eigenvalue(A), smallest_eigenvalue(A)
    return at_most((x @ A @ x) * (x @ inverse(A) @ x), (top + low) ** 2 / (4 * top * low))


@false("Kantorovich with the root of the condition number", "hard")
def kantorovich_root(A: PositiveDefinite, x: UnitVector):
    return at_most((x @ A @ x) * (x @ inverse(A) @ x), sqrt(largest_eigenvalue(A) / smallest_eigenvalue(A)))


@true("Wielandt")
def wielandt(A: PositiveDefinite(3), Q: Orthogonal(3)):
    x, y, top, low = Q[:, 0], Q[:, 1], largest_eigenvalue(A), smallest_eigenvalue(A)
    return at_most((x @ A @ y) ** 2, ((top - low) / (top + low)) ** 2 * (x @ A @ x) * (y @ A @ y))


@false("Wielandt with 2 top in the denominator", "hard")
def wielandt_denominator(A: PositiveDefinite(3), Q: Orthogonal(3)):
    x, y, top, low = Q[:, 0], Q[:, 1], largest_eigenvalue(A), smallest_eigenvalue(A)
    return at_most((x @ A @ y) ** 2, ((top - low) / (2 * top)) ** 2 * (x @ A @ x) * (y @ A @ y))


@true("Cauchy interlacing")
def interlacing(A: Symmetric(5)):
    inner, outer = eigenvalues(A[:4, :4]), eigenvalues(A)
    return at_most(inner, outer[:-1]), at_most(outer[1:], inner)


@true("Inverse of a rank-one update is smaller")
def sherman_morrison(A: PositiveDefinite("n"), u: Vector("n")):
    Ai = inverse(A)
    return equal(inverse(A + np.outer(u, u)), Ai - np.outer(Ai @ u, Ai @ u) / (1 + u @ Ai @ u))


@false("Sherman-Morrison without the 1", "easy")
def sherman_morrison_one(A: PositiveDefinite("n"), u: Vector("n")):
    Ai = inverse(A)
    return at_most(opnorm(inverse(A + np.outer(u, u)) - Ai), norm(Ai @ u) ** 2 / (2 + u @ Ai @ u))


@true("Loewner-Heinz, power 1/2")
def loewner_heinz(A: PSD, B: PSD):
    return loewner(psd_sqrt(A), psd_sqrt(A + B))


@false("Loewner-Heinz, power 2", "medium")
def loewner_square(A: PSD, B: PSD):
    return loewner(A @ A, (A + B) @ (A + B))


@false("Loewner-Heinz, power 11/10", "hard")
def loewner_power(A: PSD, B: PSD):
    return loewner(psd_power(A, 1.1), psd_power(A + B, 1.1))


@false("The exponential is operator monotone", "medium")
def exponential_monotone(A: PSD, B: PSD):
    return loewner(expm(A), expm(A + B))


@true("The logarithm is operator monotone")
def logarithm_monotone(A: PositiveDefinite, B: PSD):
    return loewner(logm(A), logm(A + B))


@true("The inverse is operator convex")
def inverse_convex(A: PositiveDefinite, B: PositiveDefinite):
    return loewner(inverse((A + B) / 2), (inverse(A) + inverse(B)) / 2)


@false("The cube is operator convex", "medium")
def cube_convex(A: PSD, B: PSD):
    M = (A + B) / 2
    return loewner(M @ M @ M, (A @ A @ A + B @ B @ B) / 2)


@false("Triangle inequality of the matrix modulus", "medium")
def modulus_triangle(A: Symmetric, B: Symmetric):
    return loewner(psd_sqrt((A + B) @ (A + B)), psd_sqrt(A @ A) + psd_sqrt(B @ B))


@true("Hoffman-Wielandt 1953")
def hoffman_wielandt(A: Symmetric, B: Symmetric):
    return at_most(norm(eigenvalues(A) - eigenvalues(B)), frobenius(A - B))


@true("Mirsky: singular values in the trace norm")
def mirsky(A: Matrix, B: Matrix):
    return at_most(np.sum(np.abs(np.linalg.svdvals(A) - np.linalg.svdvals(B))), nuclear(A - B))


@false("Mirsky with the Frobenius norm and no root of n", "easy")
def mirsky_frobenius(A: Matrix, B: Matrix):
    return at_most(np.sum(np.abs(np.linalg.svdvals(A) - np.linalg.svdvals(B))), frobenius(A - B))


@true("Gershgorin 1931")
def gershgorin(A: Symmetric):
    d = np.diagonal(A)
    return at_most(largest_eigenvalue(A), np.max(d + np.sum(np.abs(A), axis=1) - np.abs(d)))


@false("Gershgorin with Euclidean radii", "medium")
def gershgorin_euclidean(A: Symmetric):
    d = np.diagonal(A)
    return at_most(largest_eigenvalue(A), np.max(d + norm(A - np.diag(d))))


@true("Row sums against the operator norm")
def row_sums(A: Matrix):
    return at_most(np.max(np.sum(np.abs(A), axis=1)), sqrt(A.shape[1]) * opnorm(A))


@false("Row sums with the root of the wrong side", "medium")
def row_sums_wrong_side(A: Matrix):
    return at_most(np.max(np.sum(np.abs(A), axis=1)), sqrt(A.shape[0]) * opnorm(A))


@true("Trace norm against the Frobenius norm")
def nuclear_frobenius(A: Matrix):
    return at_most(nuclear(A), sqrt(min(A.shape)) * frobenius(A))


@false("Trace norm against the Frobenius norm, 3 x 3, with 1.7 for its root of 3", "hard")
def nuclear_frobenius_constant(A: SquareMatrix(3)):
    return at_most(nuclear(A), 1.7 * frobenius(A))


@true("Operator norm by rows and columns")
def schur_test(A: Matrix):
    rows, columns = np.max(np.sum(np.abs(A), axis=1)), np.max(np.sum(np.abs(A), axis=0))
    return at_most(opnorm(A) ** 2, rows * columns)


@true("Relative error of a linear system")
def condition_number(A: PositiveDefinite("n"), x: UnitVector("n"), e: Vector("n")):
    return at_most(norm(inverse(A) @ e), largest_eigenvalue(A) / smallest_eigenvalue(A) * norm(e) / norm(A @ x))


@false("Relative error by the root of the condition number", "hard")
def condition_number_root(A: PositiveDefinite("n"), x: UnitVector("n"), e: Vector("n")):
    return at_most(norm(inverse(A) @ e), sqrt(largest_eigenvalue(A) / smallest_eigenvalue(A)) * norm(e) / norm(A @ x))


@true("Half resolvent")
def half_resolvent(K: PSD, lam: Positive):
    return at_most(opnorm(psd_sqrt(K) @ inverse(K + lam * np.eye(K.shape[0]))), 1 / (2 * sqrt(lam)))


@false("Half resolvent with 0.49", "hard")
def half_resolvent_constant(K: PSD, lam: Positive):
    return at_most(opnorm(psd_sqrt(K) @ inverse(K + lam * np.eye(K.shape[0]))), 0.49 / sqrt(lam))


@true("Resolvent difference")
def resolvent_difference(A: PSD, B: PSD, lam: Positive):
    eye = np.eye(A.shape[0])
    d = opnorm(A - B)
    return at_most(opnorm(inverse(A + lam * eye) - inverse(B + lam * eye)), d / (lam * (lam + d)))


@false("Resolvent difference by the geometric mean", "medium")
def resolvent_difference_root(A: PSD, B: PSD, lam: Positive):
    eye, d = np.eye(A.shape[0]), opnorm(A - B)
    return at_most(opnorm(inverse(A + lam * eye) - inverse(B + lam * eye)), d / (lam * (lam + 2 * d)))


@true("Square root is Hoelder 1/2")
def sqrt_hoelder(A: PSD, B: PSD):
    return at_most(opnorm(psd_sqrt(A) - psd_sqrt(B)), sqrt(opnorm(A - B)))


@true("Boettcher-Wenzel 2008")
def commutator(A: SquareMatrix, B: SquareMatrix):
    return at_most(frobenius(A @ B - B @ A), sqrt(2) * frobenius(A) * frobenius(B))


@false("Boettcher-Wenzel with 1.35", "hard")
def commutator_constant(A: SquareMatrix, B: SquareMatrix):
    return at_most(frobenius(A @ B - B @ A), 1.35 * frobenius(A) * frobenius(B))


@true("Commutator of PSD matrices (Kittaneh 2007)")
def commutator_psd(A: PSD, B: PSD):
    return at_most(opnorm(A @ B - B @ A), opnorm(A) * opnorm(B) / 2)


@false("Commutator of PSD matrices with 0.47", "hard")
def commutator_psd_constant(A: PSD, B: PSD):
    return at_most(opnorm(A @ B - B @ A), 0.47 * opnorm(A) * opnorm(B))


@true("Minkowski determinant inequality, order 3")
def minkowski_determinant(A: PSD(3), B: PSD(3)):
    a, b, c = (np.maximum(np.linalg.det(M), 0) for M in (A, B, A + B))
    return at_most(np.cbrt(a) + np.cbrt(b), np.cbrt(c))


@false("Minkowski determinant inequality, root 4 at order 3", "medium")
def minkowski_determinant_root(A: PositiveDefinite(3), B: PositiveDefinite(3)):
    return at_most(np.linalg.det(A) ** 0.25 + np.linalg.det(B) ** 0.25, np.linalg.det(A + B) ** 0.25)


@true("Hilbert's inequality")
def hilbert(a: Vector("n"), b: Vector("n")):
    k = np.arange(1, len(a) + 1)
    return at_most(a @ (1 / (k[:, None] + k[None, :])) @ b, np.pi * norm(a) * norm(b))


@false("Hilbert's inequality with 1", "hard")
def hilbert_constant(a: Vector("n"), b: Vector("n")):
    k = np.arange(1, len(a) + 1)
    return at_most(a @ (1 / (k[:, None] + k[None, :])) @ b, 1.0 * norm(a) * norm(b))


@true("Hardy's inequality")
def hardy(a: Vector("n")):
    means = np.cumsum(np.abs(a)) / np.arange(1, len(a) + 1)
    return at_most(np.sum(means**2), 4 * np.sum(a**2))


@false("Hardy's inequality with 1.8", "hard")
def hardy_constant(a: Vector("n")):
    means = np.cumsum(np.abs(a)) / np.arange(1, len(a) + 1)
    return at_most(np.sum(means**2), 1.8 * np.sum(a**2))
