"""Certified spectra: known eigenvalues are enclosed, tightly, multiple and vanishing ones included."""

import random

import pytest
from flint import arb, arb_mat, ctx, fmpq

from boundcheck.verifier.matrices import (
    Matrix,
    determinant,
    eigenvectors,
    eigvalsh,
    inverse,
    multiply,
    psd,
    psd_log,
    psd_power,
    psd_raise,
    svdvals,
    transpose,
)
from boundcheck.verifier.numbers import NAN, finite, le

HALF = fmpq(1, 2)


@pytest.fixture(autouse=True, params=[106, 424])
def prec(request):
    with ctx.workprec(request.param):
        yield request.param


def identity(n) -> Matrix:
    return [[fmpq(i == j) for j in range(n)] for i in range(n)]


def hilbert(n) -> Matrix:
    return [[fmpq(1, i + j + 1) for j in range(n)] for i in range(n)]


def laplacian(n) -> Matrix:
    """Of the path with n vertices."""
    degree = [1, *[2] * (n - 2), 1]
    return [[fmpq(degree[i] if i == j else -(abs(i - j) == 1)) for j in range(n)] for i in range(n)]


def low_rank(n, rank, seed=0) -> tuple[Matrix, Matrix]:
    rng = random.Random(seed)
    X: Matrix = [[fmpq(rng.randint(-99, 99), 7) for _ in range(rank)] for _ in range(n)]
    return X, multiply(X, transpose(X))


def assert_encloses(found, exact, radius):
    """Every ball holds its number and is small."""
    assert len(found) == len(exact)
    for x, y in zip(found, exact, strict=True):
        assert arb(x).overlaps(arb(y))
        assert arb(x).rad() < radius


def test_path_laplacian(prec):
    n = 40
    exact = [2 - 2 * (arb.pi() * k / n).cos() for k in range(n)]
    assert_encloses(eigvalsh(laplacian(n))[0], exact, arb(2) ** (20 - prec))


def test_multiple_eigenvalues(prec):
    """x x^T + I with |x|^2 = 60."""
    n = 60
    A: Matrix = [[fmpq(1 + (i == j)) for j in range(n)] for i in range(n)]
    assert_encloses(eigvalsh(A)[0], [1] * (n - 1) + [n + 1], arb(2) ** (20 - prec))


def test_a_cluster_much_narrower_than_the_precision(prec):
    """A rational reflection of diag(1, 1 + tiny, 1 - tiny, 5)."""
    spectrum = [1, 1 + fmpq(1, 2 ** (prec + 50)), 1 - fmpq(1, 2 ** (prec + 50)), fmpq(5)]
    v = [1, 2, 3, 4]
    Q: Matrix = [[(i == j) - fmpq(2 * v[i] * v[j], 30) for j in range(4)] for i in range(4)]
    scaled: Matrix = [[x * y for x, y in zip(row, spectrum, strict=True)] for row in Q]
    assert_encloses(eigvalsh(multiply(scaled, transpose(Q)))[0], sorted(spectrum), arb(2) ** (20 - prec))


def test_hilbert_matrix(prec):
    H = hilbert(12)
    eigenvalues = [arb(x) for x in eigvalsh(H)[0]]
    trace, product = sum(eigenvalues, arb(0)), arb(1)
    for x in eigenvalues:
        product *= x
    assert trace.overlaps(arb(sum((H[i][i] for i in range(12)), fmpq(0))))
    assert product.overlaps(arb(determinant(H)))
    assert eigenvalues[0] > 0
    assert multiply(inverse(H), H) == identity(12)
    log = psd_log(H)
    assert sum((arb(log[i][i]) for i in range(12)), arb(0)).overlaps(arb(determinant(H)).log())


@pytest.mark.parametrize("rank", [0, 1, 3, 20])
def test_rank_deficient_square_root(prec, rank):
    _, A = low_rank(20, max(rank, 1))
    A: Matrix = A if rank else [[fmpq(0)] * 20 for _ in A]
    root = psd_power(A, HALF)
    back = multiply(root, root)
    for row, exact in zip(back, A, strict=True):
        assert_encloses(row, exact, arb(2) ** (60 - prec // 2))
    assert arb(psd_power(A, fmpq(3, 2))[3][4]).overlaps(arb(multiply(A, root)[3][4]))


def about(t: fmpq, radius: float = 1e-12) -> arb:
    return arb(t) + arb(0, radius)


U, V = (1, 1, 1, 0), (1, -1, 0, 2)
"""Orthogonal, of squared lengths 3 and 6."""


def of_rank_two(t: fmpq) -> arb_mat:
    """(U U^T + V V^T)**t."""
    long = [(arb(3) ** (arb(t) - 1), U), (arb(6) ** (arb(t) - 1), V)]
    return arb_mat([[sum((c * x[i] * x[j] for c, x in long), arb(0)) for j in range(4)] for i in range(4)])


def test_powers_are_certified_for_all_exponents_of_a_ball():
    """Balls that reach to both sides of 1 and 2 too; a singular matrix has all powers above 0."""
    A: Matrix = [[fmpq(U[i] * U[j] + V[i] * V[j]) for j in range(4)] for i in range(4)]
    for t in (HALF, fmpq(1), fmpq(2), fmpq(27, 10), fmpq(1, 5)):
        wide = arb_mat(psd_raise(A, [[about(t)]]))
        assert all(wide.overlaps(of_rank_two(t + d)) for d in (fmpq(-1, 10**12), fmpq(0), fmpq(1, 10**12)))
        assert all(wide.contains(of_rank_two(t + d).mid()) for d in (fmpq(-1, 2 * 10**12), fmpq(0)))
        assert max(float(x.rad()) for x in wide.entries()) < 1e-5
        exactly = arb_mat(psd_raise(A, [[t]]))
        assert exactly.overlaps(of_rank_two(t))


def test_powers_around_0_and_below_it_are_certified_of_definite_matrices():
    A: Matrix = [[x + (i == j) for j, x in enumerate(row)] for i, row in enumerate(laplacian(5))]
    for t in (fmpq(-1), fmpq(-4, 3), fmpq(0), fmpq(2), fmpq(-1, 10**12)):
        wide = arb_mat(psd_raise(A, [[about(t)]]))
        assert all(wide.overlaps(arb_mat(psd_power(A, t + d))) for d in (fmpq(0), fmpq(-1, 10**12)))
        assert max(float(x.rad()) for x in wide.entries()) < 1e-5


def test_powers_that_may_be_below_0_are_those_of_definite_matrices():
    singular: Matrix = [[fmpq(1), fmpq(1)], [fmpq(1), fmpq(1)]]
    indefinite: Matrix = [[fmpq(1), fmpq(2)], [fmpq(2), fmpq(1)]]
    assert psd_raise(singular, [[fmpq(0)]]) == identity(2)
    for t in (about(fmpq(0)), about(fmpq(-1, 2)), fmpq(-1), arb(0), NAN, fmpq(1001), arb(10) ** 40):
        assert not any(finite(x) for row in psd_raise(singular, [[t]]) for x in row)
    for t in (about(HALF), about(fmpq(2)), about(fmpq(-1)), HALF):
        assert not any(finite(x) for row in psd_raise(indefinite, [[t]]) for x in row)


def test_singular_values(prec):
    X, A = low_rank(9, 3)
    squares = [arb(x) for x in eigvalsh(A)[0]]
    found = svdvals(X)[0]
    assert_encloses(found, [x.sqrt() for x in squares[:-4:-1]], arb(2) ** (40 - prec))
    assert arb(svdvals(transpose(X))[0][0]).overlaps(arb(found[0]))
    assert svdvals([[fmpq(3), fmpq(4)]]) == svdvals([[fmpq(3)], [fmpq(4)]]) == [[5]]
    assert all(arb(x).overlaps(0) for x in svdvals(A)[0][3:])


def test_blocks_and_diagonals_stay_exact():
    A: Matrix = [[fmpq(9), fmpq(0), fmpq(0)], [fmpq(0), fmpq(4), fmpq(0)], [fmpq(0), fmpq(0), fmpq(0)]]
    assert eigvalsh(A) == [[0, 4, 9]]
    assert psd_power(A, HALF) == [[3, 0, 0], [0, 2, 0], [0, 0, 0]]
    mixed: Matrix = [[fmpq(2), fmpq(1), fmpq(0)], [fmpq(1), fmpq(2), fmpq(0)], [fmpq(0), fmpq(0), fmpq(0)]]
    assert psd_power(mixed, HALF)[2] == [0, 0, 0]


def test_psd_is_exact_on_rationals():
    _, A = low_rank(12, 4)
    assert psd(A) is True
    A[5][5] -= fmpq(1, 10**200)
    assert psd(A) is False
    assert psd([[fmpq(0), fmpq(1)], [fmpq(1), fmpq(5)]]) is False
    assert psd([[fmpq(0), fmpq(0)], [fmpq(0), fmpq(5)]]) is True
    assert psd([[arb(2), arb(2).sqrt()], [arb(2).sqrt(), fmpq(1)]]) is None
    assert psd([[arb(2), arb(1, 2)], [arb(1, 2), fmpq(1)]]) is None
    assert psd([[arb(2), arb(2).sqrt()], [arb(2).sqrt(), fmpq(9, 10)]]) is False


def test_indeterminate_entries_give_indeterminate_spectra():
    A: Matrix = [[fmpq(1), NAN], [NAN, fmpq(1)]]
    assert not any(finite(x) for row in (*eigvalsh(A), *psd_power(A, HALF), *inverse(A)) for x in row)


@pytest.mark.parametrize("seed", range(4))
def test_input_radii_are_propagated(seed):
    """The enclosure for a ball matrix holds the spectrum and the root of every matrix inside."""
    rng = random.Random(seed)
    _, A = low_rank(6, 6, seed)
    wide: Matrix = [[arb(x) + arb(0, 1e-6) for x in row] for row in A]
    E = [[fmpq(rng.randint(-1000, 1000), 10**9) for _ in row] for row in A]
    moved: Matrix = [[A[i][j] + E[max(i, j)][min(i, j)] for j in range(6)] for i in range(6)]
    for x, y in zip(eigvalsh(wide)[0], eigvalsh(moved)[0], strict=True):
        assert arb(x).contains(arb(y).mid())
    if le(fmpq(0), eigvalsh(moved)[0][0]):
        assert arb_mat(psd_power(wide, HALF)).contains(arb_mat(psd_power(moved, HALF)).mid())


def test_eigenvectors_of_the_path(prec):
    n = 12
    V = eigenvectors(laplacian(n), [1] * n)
    for k in range(n):
        exact = [(arb.pi() * k * (2 * i + 1) / (2 * n)).cos() * arb(1 if k == 0 else 2).sqrt() / arb(n).sqrt() for i in range(n)]
        assert_encloses([row[k] for row in V], exact, arb(2) ** (30 - prec))


def test_the_leading_entry_orients_and_must_not_vanish():
    A: Matrix = [[fmpq(2), fmpq(0)], [fmpq(0), fmpq(1)]]
    for row, exact in zip(eigenvectors(A, [-2, 1]), ([0, 1], [-1, 0]), strict=True):
        assert_encloses(row, exact, 1e-30)
    assert not finite(eigenvectors(A, [1, 1])[1][0])


def test_eigenvectors_of_eigenvalues_that_meet_are_unknown():
    V = eigenvectors([[fmpq(1), fmpq(0), fmpq(0)], [fmpq(0), fmpq(1), fmpq(0)], [fmpq(0), fmpq(0), fmpq(5)]], [1, 2, 3])
    assert [finite(x) for x in V[2]] == [False, False, True]
