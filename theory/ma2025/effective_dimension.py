"""Appendix C: upper bounds on the effective dimension under decay of the spectrum of K / n."""

from boundcheck import (
    Matrix,
    Positive,
    Spectrum,
    Unit,
    assume,
    at_most,
    between,
    eigenvalues,
    equal,
    exp,
    integers,
    log,
    marked,
    maximum,
    pi,
    sin,
    solve,
    trace,
)  # fmt: skip
from boundcheck.words.functions import identity

from . import paper

Many = integers(1, 400)
"""A number of eigenvalues whose effective dimension is summed quickly."""


def effective_dimension(spectrum, lam):
    """sum_m lambda_m / (lambda_m + lam) over a list of eigenvalues of K / n, Eq. (10)."""
    return sum((x / (x + lam) for x in spectrum), 0 * lam)


def decay(m, t):
    """m^-t."""
    return exp(-t * log(m)) if m > 1 else 1 + 0 * t


def count_above(spectrum, lam):
    """max{m : lambda_m >= lam} for a decreasing spectrum."""
    return sum(1 for x in spectrum if x >= lam)


@paper.identity("appC.eq10", section="Appendix C, Eq. (10)")
def effective_dimension_from_spectrum(Z: Matrix("n", "r"), lam: Positive):
    """Tr K (K + n lam I)^-1 = sum_m lambda_m / (lambda_m + lam), lambda_m the eigenvalues of K / n."""
    n, K = len(Z), Z @ Z.T
    values = maximum(0, eigenvalues(K / n))
    return equal(trace(solve(K + n * lam * identity(n), K)), (values / (values + lam)).sum())


@paper.lemma("appC.eq11.explicit", section="Appendix C, Eq. (11)")
def effective_dimension_by_counting(n: integers(2, 600), scale: Unit, share: Unit):
    """There is a constant C independent of n with d <= C max{m : lambda_m >= lam}; here C = 100 and n <= 600.

    A reading: the paper's C has no value, and may depend on the spectrum. lam = scale / n. The spectrum is 1,
    then n - 1 eigenvalues share * lam: Assumption 2.2 holds, the trace is below 2 as for a bounded
    activation, one eigenvalue is at least lam, and d > (n - 1) share / (1 + share), so that no C will do for
    all spectra at once.
    """
    lam = scale / n
    spectrum = [1 + 0 * lam] + [share * lam] * (n - 1)
    return at_most(effective_dimension(spectrum, lam), marked(100.0, "C") * count_above(spectrum, lam))


@paper.lemma("appC.eq11.repaired", section="Appendix C, Eq. (11)", repairs="appC.eq11.explicit")
def effective_dimension_by_counting_repaired(spectrum: Spectrum("n"), lam: Positive):
    """For lam <= lambda_1, d is at most m + (1/lam) sum_{i > m} lambda_i with m = max{i : lambda_i >= lam}.

    Proof. lambda / (lambda + lam) is at most 1 and at most lambda / lam. So (11) holds with C = 1 + A where
    sum_{i > m} lambda_i <= A m lam, for instance C = 1 + t / (t - 1) 2^t for lambda_i = i^-t.
    """
    assume(lam <= spectrum[0])
    m = count_above(spectrum, lam)
    return at_most((spectrum / (spectrum + lam)).sum(), m + spectrum[m:].sum() / lam)


@paper.lemma("appC.case1", section="Appendix C (1)")
def finite_rank(Z: Matrix("n", "r"), lam: Positive):
    """If K has rank r, the effective dimension is at most r."""
    n, r = Z.shape
    values = maximum(0, eigenvalues(Z @ Z.T / n))
    return at_most((values / (values + lam)).sum(), r)


@paper.lemma("appC.case2", section="Appendix C (2)")
def exponential_decay(n: Many, c_1: Positive, A: Unit, lam: Positive):
    """With lambda_m <= c_1 A^m, m <= n <= 400, and lam <= c_1 A the effective dimension is O(log(1/lam)): at
    most log(1 + c_1 / lam) / log(1 / A).

    The paper goes through (11); this holds without it. The summand decreases in m; its integral from
    0 is the bound. d grows with every eigenvalue, so equality in lambda_m <= c_1 A^m is the worst case,
    here and below.
    """
    assume(lam <= c_1 * A)
    return at_most(
        effective_dimension([c_1 * A**m for m in range(1, n + 1)], lam), log(1 + c_1 / lam) / log(1 / A)
    )


@paper.lemma("appC.case3", section="Appendix C (3)")
def polynomial_decay(n: integers(1, 150), c_2: Positive, t: between(1, 6), lam: Positive):
    """With lambda_m <= c_2 m^-t, 1 < t < 6, m <= n <= 150, and lam <= c_2, d is O((1/lam)^(1/t)): at most
    (c_2 / lam)^(1/t) (pi / t) / sin(pi / t).

    The integral of 1 / (1 + (lam / c_2) x^t) over x > 0. The constant grows without bound as t -> 1.
    """
    assume(lam <= c_2)
    spectrum = [c_2 * decay(m, t) for m in range(1, n + 1)]
    return at_most(effective_dimension(spectrum, lam), exp(log(c_2 / lam) / t) * (pi / t) / sin(pi / t))


@paper.lemma("appC.case4", section="Appendix C (4)")
def harmonic_decay(n: Many, c_3: Positive, lam: Positive):
    """With lambda_m <= c_3 / m, m <= n <= 400, and lam <= c_3: d <= sum_m c_3 / (m lam) = O((1/lam) log n), at
    most (c_3 / lam) (1 + log n).
    """
    assume(lam <= c_3)
    spectrum = [c_3 / m for m in range(1, n + 1)]
    total = sum(spectrum, 0 * lam) / lam
    return at_most(effective_dimension(spectrum, lam), total), at_most(total, c_3 / lam * (1 + log(n)))


@paper.lemma("appC.case4.sharp", section="Appendix C (4)")
def harmonic_decay_sharp(n: integers(1, 100), c_3: Positive, lam: Positive):
    """With lambda_m <= c_3 / m, m <= n <= 100, and lam <= c_3 the effective dimension is at most (c_3 / lam)
    log(1 + n lam / c_3), with n lam / c_3 in place of n.

    Added. Proof. The integral of c_3 / (c_3 + lam x) over 0 < x < n.
    """
    assume(lam <= c_3)
    return at_most(
        effective_dimension([c_3 / m for m in range(1, n + 1)], lam), c_3 / lam * log(1 + n * lam / c_3)
    )
