"""Appendix A: the matrix Bernstein inequality with intrinsic dimension (Lemma 26)."""

from boundcheck import (
    PSD,
    Matrix,
    NonNegative,
    P,
    Unit,
    assume,
    exp,
    integers,
    maximum,
    opnorm,
    quantity,
    sqrt,
    trace,
)
from theory.li2021 import paper


@paper.lemma("lemma26.explicit", section="Appendix A")
def matrix_bernstein(
    A: Matrix(2, 3), B: Matrix(2, 3), p: Unit, S1: PSD(2), S2: PSD(3), n: integers(1, 12), spare: NonNegative
):  # fmt: skip
    """For a law on two matrices, A and B, the mean of n draws leaves its expectation by eps with a Bernstein
    probability.

    A, B are 2 x 3. M_1 and M_2 are the second moments plus a surplus S_1 and S_2; eps is the least admissible
    one times 1 + spare.
    """
    R = p * A + (1 - p) * B
    L = maximum(opnorm(A), opnorm(B))
    assume(L > 0)
    M1 = p * A @ A.T + (1 - p) * B @ B.T + S1
    M2 = p * A.T @ A + (1 - p) * B.T @ B + S2
    m = maximum(opnorm(M1), opnorm(M2))
    d = (trace(M1) + trace(M2)) / m
    eps = (1 + spare) * (sqrt(m / n) + 2 * L / (3 * n))
    share = (quantity(lambda rng, size: rng.binomial(n, p, size)) / n)[None, None]
    return P(opnorm(share * A + (1 - share) * B - R) >= eps) <= 4 * d * exp(
        -n * eps**2 / 2 / (m + 2 * L * eps / 3)
    )
