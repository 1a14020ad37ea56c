"""Section 4.4: the steps of the proof of Theorem 1, after Lemmas 3 to 5."""

from boundcheck import (
    Count,
    E,
    Matrix,
    Orthogonal,
    P,
    Positive,
    PositiveDefinite,
    Spectrum,
    Unit,
    assume,
    at_least,
    at_most,
    equal,
    inverse,
    largest_eigenvalue,
    loewner,
    log,
    opnorm,
    smallest_eigenvalue,
    solve,
)  # fmt: skip
from boundcheck.words.functions import identity

from . import Few, paper
from .finite_laws import RandomFeatures, RandomInputs
from .inputs import enough_inputs
from .ridge_pair import RidgePair
from .theorem1 import least_ridge


@paper.step("thm1.lambda_condition", section="Section 4.4", step_of="thm1")
def ridge_is_large_enough(b: Positive, n: Count, s: Count, delta: Unit):
    """lam >= (2 b / sqrt(n)) sqrt(log(s / delta)) gives n >= 8 b^2 log(s / delta) / (3 lam^2), what
    Lemma 3 needs.
    """
    lam = at_least(least_ridge(b, n, log(s / delta)))
    return at_most(enough_inputs(b, lam, log(s / delta)), n)


@paper.step("eq18", section="Section 4.4", step_of="thm1")
def second_moment_is_dominated(case: RandomInputs, lam: Positive, delta: Unit):
    """For given features and n >= 8 b^2 log(s / delta) / (3 lam^2), E psi' psi'^T <= Psi^T Psi / n + lam I
    with probability at least 1 - delta.
    """
    n = at_least(enough_inputs(case.b, lam, log(case.s / delta)), Count)
    return P(smallest_eigenvalue(case.empirical_second_moment(n) - case.second_moment) >= -lam) >= 1 - delta


@paper.step("s4.4.resolvent", section="Section 4.4", step_of="eq19")
def resolvent_as_printed(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    """A^-1 - B^-1 = A^-1 (B - A) B, for positive definite A and B."""
    return equal(inverse(A) - inverse(B), inverse(A) @ (B - A) @ B)


@paper.step("s4.4.resolvent.repaired", section="Section 4.4", repairs="s4.4.resolvent", step_of="eq19")
def resolvent(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    """A^-1 - B^-1 = A^-1 (B - A) B^-1, for positive definite A and B. Proof: expand the right-hand side.

    The proof uses it with A - B in place of B - A, inside a square.
    """
    return equal(inverse(A) - inverse(B), inverse(A) @ (B - A) @ inverse(B))


@paper.step("eq19", section="Section 4.4", step_of="thm1")
def gap_in_three_terms(case: RidgePair):
    """(ftilde - f)^2 <= 2 ||Delta_1|| Delta_2 + 2 Delta_3, for given features, at every test point."""
    beta = case.inverse_t @ case.kt
    delta_1 = [opnorm(v[:, None] * v[None, :]) for v in beta.T]
    delta_2 = (((case.Kt - case.K) @ case.alpha) ** 2).sum()
    delta_3 = (case.alpha @ (case.kt - case.k)) ** 2
    return [
        at_most(g**2, 2 * d1 * delta_2 + 2 * d3) for g, d1, d3 in zip(case.gap, delta_1, delta_3, strict=True)
    ]


@paper.step("eq20", section="Section 4.4", step_of="thm1")
def mean_of_delta_1(case: RidgePair):
    """Where (18) is an equality, the worst case of that event, E_x' Delta_1 <= I / n.

    E_x' Delta_1 grows with E_x' psi' psi'^T.
    """
    Psi, n, A = case.Psi, case.n, case.inverse_t
    Xi = Psi.T @ Psi / n + case.lam * identity(Psi.shape[1])
    return loewner(A @ Psi @ Xi @ Psi.T @ A, identity(n) / n)


@paper.step("eq20.svd", section="Section 4.4", step_of="eq20", repairs="eq20.svd.sizes")
def direct_sum(U: Orthogonal("n"), V: Orthogonal("s"), sigma: Spectrum(8), lam: Positive):
    """With Psi = U Sigma V^T, n times the first bound in (20), (Kt + n lam I)^-1 Psi (Psi^T Psi + n lam I) Psi^T
    (Kt + n lam I)^-1, is U (..)^-1 Sigma (Sigma^2 + n lam [I_s (+) 0]) Sigma (Sigma^2 + n lam I)^-1 U^T.

    Read with I_r (+) 0_(n - r), r = min(n, s), for I_s (+) 0_(n - s), which is that for s <= n; V is s x
    n there, with n - r zero columns. Either way Sigma vanishes outside the block.
    """
    n, s = U.shape[0], V.shape[0]
    r = min(n, s)
    Psi = (U[:, :r] * sigma[:r]) @ V[:, :r].T
    A = inverse(Psi @ Psi.T + n * lam * identity(n))
    middle = sigma[:r] ** 2 / (sigma[:r] ** 2 + n * lam)
    return equal(
        A @ Psi @ (Psi.T @ Psi + n * lam * identity(s)) @ Psi.T @ A, (U[:, :r] * middle) @ U[:, :r].T
    )


@paper.step("eq20.svd.sizes", section="Section 4.4, Eq. (20)", step_of="eq20")
def block_of_the_direct_sum(n: Count, s: Count):
    """The block 0_(n - s) of the direct sum in (20) exists for every n and s: n - s is not negative."""
    return at_most(0, n - s)


@paper.step("eq21", section="Section 4.4", step_of="thm1")
def mean_of_delta_2(case: RandomFeatures, s: Few):
    """E Delta_2 <= alpha^T ((n b / s) K - K^2 / s) alpha <= (n b / s) ||K^(1/2) alpha||^2, for all alpha at
    once, for up to 3 features.
    """
    K, n, b, Kt = case.K, case.n, case.b, case.features(s).Kt
    middle = n * b / s * K - K @ K / s
    return loewner(E((Kt - K) @ (Kt - K)), middle), loewner(middle, n * b / s * K)


@paper.step("eq22", section="Section 4.4", step_of="thm1")
def mean_of_delta_3(case: RandomFeatures, s: Few):
    """E Delta_3 <= (b / s) ||K^(1/2) alpha||^2 for every test point, for all alpha at once; for up to 3 features."""
    error = case.features(s).kt_test - case.k_test
    return loewner(E(error[:, None] * error[None, :]), case.b / s * case.K)


@paper.step("eq23", section="Section 4.4", step_of="thm1")
def mean_norm_of_delta_1(Psi: Matrix("n", "s"), lam: Positive):
    """On the event (18), E_x' ||Delta_1|| <= 1 / n, as the last step of (23) takes it, for given features.

    Decided for x' uniform on the training points, where (18) holds for every lam > 0. Delta_1 has rank one.
    """
    n, Kt = Psi.shape[0], Psi @ Psi.T
    beta = solve(Kt + n * lam * identity(n), Kt)
    return at_most((beta**2).sum() / n, 1 / n)


@paper.step("eq23.repaired", section="Section 4.4", repairs="eq23", step_of="thm1.on_event")
def mean_gap_on_event(case: RidgePair):
    """At the least ridge for which the event (18) holds, if that is positive, E_x' (ftilde - f)^2 <= (2 / n)
    Delta_2 + 2 E_x' Delta_3, the ends of (23), for given features.

    Proof: ||E_x' Delta_1|| <= 1 / n in place of E_x' ||Delta_1||: the first term of ftilde - f is linear in
    (Kt - K) alpha, so its mean square is a quadratic form with the matrix E_x' Delta_1, and (20).
    """
    Psi, psi, n, K, Kt = case.Psi, case.psi, case.n, case.K, case.Kt
    lam = at_least(largest_eigenvalue((psi.T * case.rho) @ psi - Psi.T @ Psi / n))
    assume(lam > 0)
    alpha, alpha_t = (inverse(M + n * lam * identity(n)) @ case.y for M in (K, Kt))
    delta_2, delta_3 = (((Kt - K) @ alpha) ** 2).sum(), (alpha @ (case.kt - case.k)) ** 2
    return at_most(
        (case.rho * (alpha_t @ case.kt - alpha @ case.k) ** 2).sum(),
        2 / n * delta_2 + 2 * (case.rho * delta_3).sum(),
    )
