"""Section 2.2: kernel ridge regression and its random-feature version, in primal and dual form."""

from boundcheck import Matrix, Positive, Vector, at_most, equal, solve
from boundcheck.words.functions import identity

from . import paper


@paper.identity("eq6", section="Section 2.2")
def kernel_ridge(Phi: Matrix("n", "d"), phi: Vector("d"), y: Vector("n"), other: Vector("d"), lam: Positive):
    """The minimiser of (5) predicts phi'^T (Phi^T Phi + n lam I)^-1 Phi^T y = k'^T (K + n lam I)^-1 y.

    A finite-dimensional phi. That beta minimises (5) is decided against any other coefficients.
    """
    n, d = Phi.shape
    beta = solve(Phi.T @ Phi + n * lam * identity(d), Phi.T @ y)

    def cost(b):
        return ((Phi @ b - y) ** 2).sum() / n + lam * (b @ b)

    K, k = Phi @ Phi.T, Phi @ phi
    return at_most(cost(beta), cost(other)), equal(phi @ beta, k @ solve(K + n * lam * identity(n), y))


@paper.identity("eq8", section="Section 2.2")
def random_feature_ridge(
    Psi: Matrix("n", "s"), psi: Vector("s"), y: Vector("n"), other: Vector("s"), lam: Positive
):
    """The minimiser of (7) predicts psi'^T (Psi^T Psi + n lam I)^-1 Psi^T y = kt'^T (Kt + n lam I)^-1 y,
    for s <= n and s > n.
    """
    n, s = Psi.shape
    w = solve(Psi.T @ Psi + n * lam * identity(s), Psi.T @ y)

    def cost(u):
        return ((y - Psi @ u) ** 2).sum() / n + lam * (u @ u)

    Kt, kt = Psi @ Psi.T, Psi @ psi
    return at_most(cost(w), cost(other)), equal(psi @ w, kt @ solve(Kt + n * lam * identity(n), y))
