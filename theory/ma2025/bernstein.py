"""Appendix E.2.1: the matrix Bernstein inequality with intrinsic dimension (Lemma E.6)."""

from boundcheck import (
    Matrix,
    NonNegative,
    P,
    Simplex,
    assume,
    exp,
    integers,
    maximum,
    opnorm,
    quantity,
    sqrt,
    trace,
)
from theory.ma2025 import paper


@paper.lemma("lemmaE.6", section="Appendix E.2.1")
def matrix_bernstein(
    A: Matrix(2, 3), B: Matrix(2, 3), C: Matrix(2, 3), p: Simplex(3), n: integers(1, 4), surplus: NonNegative,
    spare: NonNegative,
):  # fmt: skip
    """The mean of n independent matrices, A, B or C, leaves its expectation by eps with a Bernstein
    probability.

    M_1 and M_2 are the second moments plus a multiple of I; eps is the least admissible one times 1 + spare.
    """
    atoms = [A, B, C]
    R = sum(q * X for q, X in zip(p, atoms, strict=True))
    M1 = sum(q * X @ X.T for q, X in zip(p, atoms, strict=True)) + surplus * (A @ A.T)
    M2 = sum(q * X.T @ X for q, X in zip(p, atoms, strict=True)) + surplus * (A.T @ A)
    L, M = maximum(maximum(opnorm(A), opnorm(B)), opnorm(C)), maximum(opnorm(M1), opnorm(M2))
    assume(M > 0)
    D = (trace(M1) + trace(M2)) / M
    eps = (1 + spare) * (sqrt(M / n) + 2 * L / (3 * n))
    counts = quantity(lambda rng, size: rng.multinomial(n, p, size))
    deviation = counts.map(
        lambda N: opnorm(sum(N[..., i, None, None] / n * X for i, X in enumerate(atoms)) - R)
    )
    return P(deviation >= eps) <= 4 * D * exp(-n * eps**2 / 2 / (M + 2 * L * eps / 3))
