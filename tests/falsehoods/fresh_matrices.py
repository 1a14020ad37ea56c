"""Matrix inequalities in the style of NumPy, written after the engine was tuned."""

import numpy as np

from boundcheck import (
    PSD,
    Correlation,
    Matrix,
    PositiveDefinite,
    Real,
    SquareMatrix,
    Symmetric,
    UnitVector,
    Vector,
    assume,
    at_most,
    eigenvalues,
    equal,
    inverse,
    largest_eigenvalue,
    loewner,
    log,
    logm,
    nuclear,
    pi,
    smallest_eigenvalue,
    sqrt,
    trace,
)  # fmt: skip

from . import false, true


def bauer_fike_sides(V, d, x, mu):
    Vi = np.linalg.inv(V)
    residual = np.linalg.norm(V @ np.diag(d) @ Vi @ x - mu * x)
    return np.min(np.abs(d - mu)), np.linalg.norm(V, 2) * np.linalg.norm(Vi, 2), residual


@true("Bauer-Fike 1960, backward error")
def bauer_fike(V: SquareMatrix("n"), d: Vector("n"), x: UnitVector("n"), mu: Real):
    gap, kappa, residual = bauer_fike_sides(V, d, x, mu)
    return at_most(gap, kappa * residual)


@false("Bauer-Fike with 0.95, V far from orthogonal: needs columns of one length, d - mu = +-1 and x aligned", "hard")
def bauer_fike_constant(V: SquareMatrix("n"), d: Vector("n"), x: UnitVector("n"), mu: Real):
    gap, kappa, residual = bauer_fike_sides(V, d, x, mu)
    assume(kappa >= 2)
    return at_most(gap, 0.95 * kappa * residual)


@false("Bauer-Fike with the root of the condition number", "medium")
def bauer_fike_root(V: SquareMatrix("n"), d: Vector("n"), x: UnitVector("n"), mu: Real):
    gap, kappa, residual = bauer_fike_sides(V, d, x, mu)
    return at_most(gap, np.sqrt(kappa) * residual)


@false("Backward error without the condition number, as if V were orthogonal", "easy")
def bauer_fike_normal(V: SquareMatrix("n"), d: Vector("n"), x: UnitVector("n"), mu: Real):
    gap, _, residual = bauer_fike_sides(V, d, x, mu)
    return at_most(gap, residual)


@true("Kato 1949, Temple 1928")
def kato_temple(d: Vector(4), x: UnitVector(4)):
    mu = d @ x**2
    gap = np.min(np.abs(d[1:] - mu))
    assume(np.abs(d[0] - mu) <= gap)
    return at_most(np.abs(mu - d[0]) * gap, np.sum((d * x - mu * x) ** 2))


@false("Kato-Temple with 0.97", "medium")
def kato_temple_constant(d: Vector(4), x: UnitVector(4)):
    mu = d @ x**2
    gap = np.min(np.abs(d[1:] - mu))
    assume(np.abs(d[0] - mu) <= gap)
    return at_most(np.abs(mu - d[0]) * gap, 0.97 * np.sum((d * x - mu * x) ** 2))


@true("Bhatia-Kittaneh 1990")
def bhatia_kittaneh(A: SquareMatrix, B: SquareMatrix):
    return at_most(2 * np.linalg.svdvals(A @ B.T), eigenvalues(A.T @ A + B.T @ B))


@false("Bhatia-Kittaneh with a transpose forgotten", "easy")
def bhatia_kittaneh_transpose(A: SquareMatrix, B: SquareMatrix):
    return at_most(2 * np.linalg.svdvals(A @ B), eigenvalues(A.T @ A + B.T @ B))


@true("Commutator by the spread")
def commutator_spread(A: Symmetric("n"), X: SquareMatrix("n")):
    spread = largest_eigenvalue(A) - smallest_eigenvalue(A)
    return at_most(np.linalg.norm(A @ X - X @ A, 2), spread * np.linalg.norm(X, 2))


@false("Commutator by 0.96 of the spread", "hard")
def commutator_spread_constant(A: Symmetric("n"), X: SquareMatrix("n")):
    spread = largest_eigenvalue(A) - smallest_eigenvalue(A)
    return at_most(np.linalg.norm(A @ X - X @ A, 2), 0.96 * spread * np.linalg.norm(X, 2))


@true("Fiedler 1961")
def fiedler(A: PositiveDefinite):
    return loewner(np.eye(A.shape[0]), A * np.linalg.inv(A))


@true("Grothendieck's inequality for 2 x 2 matrices (Tsirelson, Krivine)")
def grothendieck(M: SquareMatrix(2), a: Vector(2), b: Vector(2)):
    signs = np.maximum(np.sum(np.abs(M[:, 0] + M[:, 1])), np.sum(np.abs(M[:, 0] - M[:, 1])))
    return at_most(np.sum(M * np.cos(a[:, None] - b[None, :])), sqrt(2) * signs)


@false("Grothendieck's inequality for 2 x 2 matrices with 1.36", "hard")
def grothendieck_constant(M: SquareMatrix(2), a: Vector(2), b: Vector(2)):
    signs = np.maximum(np.sum(np.abs(M[:, 0] + M[:, 1])), np.sum(np.abs(M[:, 0] - M[:, 1])))
    return at_most(np.sum(M * np.cos(a[:, None] - b[None, :])), 1.36 * signs)


@true("Nesterov 1998: the arcsine of a correlation matrix dominates it")
def nesterov(C: Correlation):
    return loewner(C, np.arcsin(C))


@false("Goemans-Williamson with 0.9", "hard")
def goemans_williamson(u: UnitVector("n"), v: UnitVector("n")):
    return at_most(0.9 * (1 - u @ v) / 2, np.arccos(u @ v) / pi)


@true("Inverse perturbation")
def inverse_perturbation(A: SquareMatrix("n"), B: SquareMatrix("n")):
    Ai, Bi = np.linalg.inv(A), np.linalg.inv(B)
    return at_most(np.linalg.norm(Ai - Bi, 2), np.linalg.norm(Ai, 2) * np.linalg.norm(Bi, 2) * np.linalg.norm(A - B, 2))


@false("Inverse perturbation, first order only", "easy")
def inverse_perturbation_first(A: SquareMatrix("n"), B: SquareMatrix("n")):
    Ai, Bi = np.linalg.inv(A), np.linalg.inv(B)
    return at_most(np.linalg.norm(Ai - Bi, 2), np.linalg.norm(Ai, 2) ** 2 * np.linalg.norm(A - B, 2))


@true("Varah 1975")
def varah(A: SquareMatrix("n")):
    d = np.abs(np.diag(A))
    dominance = np.min(2 * d - np.sum(np.abs(A), axis=1))
    assume(dominance > 0)
    return at_most(np.max(np.sum(np.abs(np.linalg.inv(A)), axis=1)), 1 / dominance)


@false("Varah in the operator norm: fails from n = 6 on, for a heavy column, by 4 per cent", "hard")
def varah_operator(A: SquareMatrix("n")):
    d = np.abs(np.diag(A))
    dominance = np.min(2 * d - np.sum(np.abs(A), axis=1))
    assume(dominance > 0)
    return at_most(np.linalg.norm(np.linalg.inv(A), 2), 1 / dominance)


@true("Weinstein-Aronszajn")
def weinstein_aronszajn(A: Matrix("m", "n"), B: Matrix("n", "m")):
    m, n = A.shape
    return equal(np.linalg.det(np.eye(m) + A @ B), np.linalg.det(np.eye(n) + B @ A))


@true("Peierls-Bogoliubov, logarithms of density matrices: Klein 1931")
def klein(A: PositiveDefinite, B: PositiveDefinite):
    return at_most(trace(A - B), trace(A @ (logm(A) - logm(B))))


def density(A):
    return A / np.trace(A)


@true("Pinsker for density matrices (Hiai, Ohya, Tsukada 1981)")
def quantum_pinsker(A: PositiveDefinite, B: PositiveDefinite):
    p, q = density(A), density(B)
    return at_most(nuclear(p - q) ** 2 / 2, trace(p @ (logm(p) - logm(q))))


@false("Pinsker for density matrices with 0.53", "hard")
def quantum_pinsker_constant(A: PositiveDefinite, B: PositiveDefinite):
    p, q = density(A), density(B)
    return at_most(0.53 * nuclear(p - q) ** 2, trace(p @ (logm(p) - logm(q))))


def von_neumann_entropy(M):
    w = eigenvalues(M)
    return -np.sum(w * np.log(w))


@true("Araki-Lieb 1970")
def araki_lieb(M: PositiveDefinite(4)):
    J = density(M)
    A = J[:2, :2] + J[2:, 2:]
    B = np.stack([np.stack([np.trace(J[:2, :2]), np.trace(J[:2, 2:])]), np.stack([np.trace(J[2:, :2]), np.trace(J[2:, 2:])])])
    return at_most(np.abs(von_neumann_entropy(A) - von_neumann_entropy(B)), von_neumann_entropy(J))


@false("A part has at most the entropy of the whole: false for entangled states only", "medium")
def entropy_of_a_part(M: PositiveDefinite(4)):
    J = density(M)
    return at_most(von_neumann_entropy(J[:2, :2] + J[2:, 2:]), von_neumann_entropy(J))


@true("Norm of a PSD block matrix")
def psd_blocks(M: PSD(4)):
    return at_most(np.linalg.norm(M, 2), np.linalg.norm(M[:2, :2], 2) + np.linalg.norm(M[2:, 2:], 2))


@false("Norm of a PSD block matrix by 4/3 of the root of squares", "medium")
def psd_blocks_root(M: PSD(4)):
    return at_most(np.linalg.norm(M, 2), 4 / 3 * np.sqrt(np.linalg.norm(M[:2, :2], 2) ** 2 + np.linalg.norm(M[2:, 2:], 2) ** 2))


@true("Elliptical potential")
def elliptical_potential(X: Matrix("T", "d")):
    A = np.eye(X.shape[1])
    total = 0.0
    for x in X:
        total = total + np.minimum(x @ np.linalg.inv(A) @ x, 1)
        A = A + np.outer(x, x)
    return at_most(total, np.linalg.slogdet(A)[1] / log(2))


@false("Elliptical potential with 1.4 for 1 / log 2", "medium")
def elliptical_potential_constant(X: Matrix("T", "d")):
    A = np.eye(X.shape[1])
    total = 0.0
    for x in X:
        total = total + np.minimum(x @ inverse(A) @ x, 1)
        A = A + np.outer(x, x)
    return at_most(total, 1.4 * np.linalg.slogdet(A)[1])
