"""Bounds of features, kernels, concentration, perturbation, iterations and quadrature: with mistakes of papers, and as they are proved."""

from itertools import permutations

import numpy as np

from boundcheck import (
    PSD,
    Bits,
    Box,
    E,
    FiniteLaw,
    Matrix,
    NonNegative,
    Orthogonal,
    P,
    Permutation,
    Positive,
    PositiveDefinite,
    Real,
    Simplex,
    Size,
    Spectrum,
    SquareMatrix,
    Subset,
    Symmetric,
    SymmetricBetween,
    Unit,
    UnitRows,
    UnitVector,
    Vector,
    assume,
    at_most,
    between,
    effective_dimension,
    eigenvalues,
    equal,
    exp,
    expm,
    frobenius,
    gammaln,
    indicator,
    integers,
    inverse,
    largest,
    largest_eigenvalue,
    loewner,
    log,
    logdet,
    maximum,
    minimum,
    norm,
    opnorm,
    psd_sqrt,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
    trace,
)  # fmt: skip

from . import false, true


def coins(n):
    return quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, n)) - 1)


def heads(n, p):
    return quantity(lambda rng, size: rng.binomial(n, p, size))


def law_of_sum(p):
    """Masses of a sum of independent bits with the chances p."""
    law = [1.0]
    for q in p:
        law = [(law[j] * (1 - q) if j < len(law) else 0.0) + (law[j - 1] * q if j > 0 else 0.0) for j in range(len(law) + 1)]
    return law


def tail_of_sum(p, k):
    return sum(np.where(k <= j, mass, 0.0) for j, mass in enumerate(law_of_sum(p)))


# Features, ridge regression, leverage scores


@false("Rotfeld 1969 turned round, the effective dimension as superadditive: equal numbers, K = M = lam = 1, have 1 against 2/3", "easy")
def dimension_superadditive(K: PSD("n"), M: PSD("n"), lam: Positive):
    # witness: K = M = [[1]], lam = 1
    return at_most(effective_dimension(K, lam) + effective_dimension(M, lam), effective_dimension(K + M, lam))


@true("Rotfeld 1969 for the effective dimension; equality for K = 0")
def dimension_subadditive(K: PSD("n"), M: PSD("n"), lam: Positive):
    return at_most(effective_dimension(K + M, lam), effective_dimension(K, lam) + effective_dimension(M, lam))


@false("Centring a kernel matrix makes it smaller in the Loewner order: of its trace that is true, K = diag(1", "easy")
def centring_shrinks(K: PSD("n")):
    # witness: K = diag(1, 0)
    n = K.shape[0]
    H = np.eye(n) - np.ones((n, n)) / n
    return loewner(H @ K @ H, K)


@false("Ridge leverage scores by d |x_i|^2 / (|X|_F^2 + d lam), as if the covariance were isotropic", "easy")
def leverage_by_rows(X: Matrix("n", 2), lam: Positive):
    # witness: X = diag(1, 2), lam = 1: 1/2 against 2/7
    scores = np.sum((X @ inverse(X.T @ X + lam * np.eye(2))) * X, axis=1)
    return at_most(scores, 2 * np.sum(X**2, axis=1) / (np.sum(X**2) + 2 * lam))


@true("One more point raises the effective dimension by its ridge leverage score at most; equality for K = 0")
def dimension_of_one_more(K: PSD("n"), u: Vector("n"), lam: Positive):
    more = effective_dimension(K + np.outer(u, u), lam) - effective_dimension(K, lam)
    return at_most(more, u @ inverse(K + np.outer(u, u) + lam * np.eye(len(u))) @ u)


@false("The variance (1 - k^2)^2 / 2 of a pair of Fourier features, computed for Gaussian frequencies, used for all of them", "easy")
def fourier_gaussian_variance(w: Vector("m"), p: Simplex("m")):
    # witness: w = (0, 3.14), p = (1/2, 1/2): variance about 1
    k = np.sum(p * np.cos(w))
    return at_most(np.sum(p * np.cos(w) ** 2) - k**2, (1 - k**2) ** 2 / 2)


@false("Distances of a Gaussian kernel: 1 - k(x, z) <= 1.99 (2 - k(x, y) - k(y, z)), the factor is 2: y in the middle, very near", "hard")
def kernel_triangle_short(s: Real, t: Real):
    # witness: s = t = 0.02
    return at_most(1 - exp(-((s + t) ** 2) / 2), 1.99 * (2 - exp(-(s**2) / 2) - exp(-(t**2) / 2)))


@false(
    "Source condition of order s: lam k^s / (k + lam) <= lam^s 2^-(4 s (1 - s))^(3/4); the best is s^s (1 - s)^(1 - s)", "hard"
)
def source_condition_short(k: Positive, lam: Positive, s: between(0.001, 0.5)):
    # witness: k = 1/99, lam = 1, s = 0.01
    return at_most(lam * k**s / (k + lam), lam**s * 2 ** (-((4 * s * (1 - s)) ** 0.75)))


@true("Source condition of order s: lam k^s / (k + lam) <= s^s (1 - s)^(1 - s) lam^s; equality for k = s lam / (1 - s)")
def source_condition(k: Positive, lam: Positive, s: between(0.001, 0.999)):
    return at_most(lam * k**s / (k + lam), s**s * (1 - s) ** (1 - s) * lam**s)


@false("A-optimal design is submodular, the effective dimension has diminishing returns: of log det that is true", "medium")
def dimension_submodular(K: PSD("n"), A: PSD("n"), B: PSD("n"), lam: Positive):
    # witness: K = v v^T / 16, v = (5, 0.5); A = u u^T, u = (9, -1); B = w w^T, w = (5, 0.8); lam = 1/2: 2.496 against 2.105
    d = [effective_dimension(X, lam) for X in (K + A + B, K, K + A, K + B)]
    return at_most(d[0] + d[1], d[2] + d[3])


@true("log det is submodular (Kelmans, Kimelfeld 1983; Krause, Singh, Guestrin 2008); equality for A = 0")
def information_submodular(K: PositiveDefinite("n"), A: PSD("n"), B: PSD("n")):
    return at_most(logdet(K + A + B) + logdet(K), logdet(K + A) + logdet(K + B))


@true("Calandriello, Lazaric, Valko 2017: log det against the effective dimension; equality at 0")
def information_and_dimension(s: Spectrum("n"), lam: Positive):
    information, d = np.sum(log(1 + s / lam)), np.sum(s / (s + lam))
    return at_most(d, information), at_most(information, d * (1 + log(1 + np.max(s) / lam)))


@false(
    "A spectral approximation of K + lam I up to 1/2 makes the ridge residual at most twice as long",
    "hard",
)
def sketched_residual(d: Box("n", 1, 100), S: SymmetricBetween("n", -0.5, 0.5), y: Vector("n")):
    # witness: d = (100, 1), S = [[-1/4, 1/4], [1/4, -1/4]], y = (100, 0): 5.22 against 2
    r = np.sqrt(d)
    B = r[:, None] * (np.eye(len(d)) + S) * r[None, :]
    return at_most(norm(solve(B, y)), 2 * norm(y / d))


@false("Theobald 1974 with 2.05 for 2: ridge regression has a smaller risk than least squares", "hard")
def ridge_risk_larger(d: Box(3, 0.1, 100), b: Vector(3)):
    # witness: d = (1, 100, 100), b = (10, 0, 0)
    assume(b @ b > 0)
    lam = 2.05 / (b @ b)
    return at_most(np.sum((d + lam**2 * b**2) / (d + lam) ** 2), np.sum(1 / d))


@false("Deshpande, Rademacher, Vempala, Wang 2006, one row drawn by its squared length, with 1.98 for 2", "hard")
def drawn_row_short(A: Matrix("m", "n")):
    # witness: A = diag(1, 0.02)
    S, T = A.T @ A, np.sum(A**2)
    assume(T > 0)
    return at_most(T - trace(S @ S) / T, 1.98 * (T - largest_eigenvalue(S)))


@true("Deshpande, Rademacher, Vempala, Wang 2006: one row drawn by its squared length leaves twice the best error; equality of rank one")
def drawn_row(A: Matrix("m", "n")):
    S, T = A.T @ A, np.sum(A**2)
    assume(T > 0)
    return at_most(T - trace(S @ S) / T, 2 * (T - largest_eigenvalue(S)))


@true("Donoho and Elad 2003: eigenvalues of k unit vectors of coherence mu lie within (k - 1) mu of 1; equality for equal vectors")
def coherence(X: UnitRows("n", "d"), S: Subset("n", "k")):
    G = X @ X.T
    mu = np.max(np.abs(G - np.diag(np.diag(G))))
    B = G[np.ix_(S, S)]
    return at_most(opnorm(B - np.eye(len(S))), (len(S) - 1) * mu)


@false("Mean embeddings, range 1 for range 2 in McDiarmid: here a feature of +-1, its mean with log(1 / delta) / (2 n)", "medium")
def embedding_range(n: integers(1, 200), p: Unit, delta: Unit):
    # witness: n = 199, p = 1/2, delta = 1e-5
    gap = np.abs(2 * heads(n, p) / n - 2 * p)
    return P(gap <= 1 / sqrt(n) + sqrt(log(1 / delta) / (2 * n))) >= 1 - delta


# Sums, counts and maxima


@false("The variance of a sample variance by the Gaussian formula 2 sigma^4 / (n - 1): laws of kurtosis above 3 have more", "easy")
def variance_of_sample_variance(law: FiniteLaw):
    # witness: values 0 and 1, p = (0.9, 0.1)
    X = law.sample(2)
    return E(((X[0] - X[1]) ** 2 / 2 - law.variance) ** 2) <= 2 * law.variance**2


@true("The variance of a sample variance of three, (m_4 - sigma^4 (n - 3) / (n - 1)) / n: an equation")
def variance_of_three(law: FiniteLaw):
    X = law.sample(3)
    s = np.sum((X - X.mean()) ** 2) / 2
    fourth = np.sum(law.p * (law.values - law.mean) ** 4)
    return equal(E((s - law.variance) ** 2), fourth / 3)


@false("Drawing without replacement, the variance with (N - n) / N for (N - n) / (N - 1)", "easy")
def urn_variance(N: integers(2, 40), K: integers(0, 40), n: integers(1, 40)):
    # witness: N = 2, K = n = 1: 1/4 against 1/8
    assume(K <= N)
    assume(n <= N)
    X = quantity(lambda rng, size: rng.hypergeometric(K, N - K, n, size))
    return E((X - n * K / N) ** 2) <= n * K * (N - K) * (N - n) / N**3


@false("Hoeffding 1956, tails of unequal coins below those of equal ones from the mean on: from one above the mean on", "easy")
def unequal_coins_from_the_mean(p: Box("n", 0, 1), k: Size):
    # witness: p = (1, 0), k = 1: 1 against 3/4
    assume(k <= len(p))
    assume(np.sum(p) <= k)
    return at_most(tail_of_sum(p, k), tail_of_sum([np.mean(p)] * len(p), k))


@true("Hoeffding 1956: tails of unequal coins are below those of equal ones from one above the mean on; equality for equal ones")
def unequal_coins(p: Box("n", 0, 1), k: Size):
    assume(k <= len(p))
    assume(np.sum(p) + 1 <= k)
    return at_most(tail_of_sum(p, k), tail_of_sum([np.mean(p)] * len(p), k))


@false("A coin is sub-Gaussian with its own variance: for s > 0 and p < 1/2 its third moment is positive, Kearns and Saul 1998", "easy")
def coin_by_variance(p: Unit, s: Real):
    # witness: p = 0.1, s = 2
    return at_most((1 - p) * exp(-s * p) + p * exp(s * (1 - p)), exp(s**2 * p * (1 - p) / 2))


@true("Okamoto 1959: upwards, a coin with p >= 1/2 is sub-Gaussian with its own variance; equality at s = 0")
def coin_upwards(p: between(0.5, 1, closed=True), s: NonNegative):
    return at_most((1 - p) * exp(-s * p) + p * exp(s * (1 - p)), exp(s**2 * p * (1 - p) / 2))


@false("Gaussian product inequality, E (a g)^2 (b g)^2 >= |a|^2 |b|^2, for signs in place of Gaussians: (1, 1) and (1, -1) have 0", "easy")
def product_of_signs(a: Vector(4), b: Vector(4)):
    # witness: a = (1, 1, 0, 0), b = (1, -1, 0, 0)
    e = coins(4)
    return E((e @ a) ** 2 * (e @ b) ** 2) >= (a @ a) * (b @ b)


@false("Second moments of Gaussian forms, E (g A g)^2 <= 2.99 (tr A)^2, A PSD: the best is 3, of rank one alone", "hard")
def gaussian_form_short(A: PSD(3)):
    # witness: A = diag(1, 0, 0)
    g = quantity(lambda rng, size: rng.standard_normal((size, 3)))
    return E(np.sum((g @ A) * g) ** 2) <= 2.99 * trace(A) ** 2


@true("Second moments of Gaussian forms, E (g A g)^2 <= 3 (tr A)^2, A PSD; equality of rank one")
def gaussian_form(A: PSD(3)):
    g = quantity(lambda rng, size: rng.standard_normal((size, 3)))
    return E(np.sum((g @ A) * g) ** 2) <= 3 * trace(A) ** 2


@false("Maurer and Pontil 2009, empirical Bernstein, with 2/3 for 7/3 in the linear term: no heads at all have no variance", "medium")
def empirical_bernstein_linear(n: integers(2, 100), p: Unit, delta: Unit):
    # witness: n = 100, p = 0.052, delta = 0.001
    X = heads(n, p)
    V, L = X * (n - X) / (n * (n - 1)), log(2 / delta)
    return P(p - X / n <= sqrt(2 * V * L / n) + 2 * L / (3 * (n - 1))) >= 1 - delta


@false("Tails without replacement are below those with replacement above the mean: Hoeffding 1963 has it of exponential moments", "medium")
def urn_tail(N: integers(2, 60), K: integers(1, 60), n: integers(1, 60), k: integers(1, 60)):
    # witness: N = 3, K = 1, n = 2, k = 1: 2/3 against 5/9
    assume(K < N)
    assume(n <= N)
    assume(n * K < k * N)
    assume(k <= n)
    X = quantity(lambda rng, size: rng.hypergeometric(K, N - K, n, size))
    return P(X >= k) <= P(heads(n, K / N) >= k)


@false("Matrix Chernoff, the mean of the largest load with 1 + t / 2 for (e^t - 1) / t: few balls and many bins", "medium")
def largest_load_linear(n: integers(1, 6), d: integers(2, 12), t: Positive):
    # witness: n = 1, d = 12, t = 7.7
    counts = quantity(lambda rng, size: rng.multinomial(n, np.ones(d) / d, size))
    return E(np.max(counts)) <= (1 + t / 2) * n / d + log(d) / t


@false("Tails of a quadratic form of signs without the linear term: Hanson and Wright 1971 need it for large t", "medium")
def chaos_without_linear_term(A: Symmetric("n"), t: Positive):
    # witness: A of ones, n = 4, t = 12: 1/8 against exp(-3)
    B = A - np.diag(np.diag(A))
    assume(np.sum(B**2) > 0)
    e = coins(A.shape[0])
    return P(np.sum((e @ B) * e) >= t) <= exp(-(t**2) / (4 * np.sum(B**2)))


@false("Freedman 1975 with the mean of the conditional variances for their bound: a game that is seldom played", "hard")
def freedman_on_average(q: Unit, m: integers(1, 6), t: Positive):
    # witness: q = 0.1, m = t = 6: 0.1 / 64 against exp(-6.92)
    played = quantity(lambda rng, size: rng.binomial(1, q, size))
    S = played * (2 * heads(m, 0.5) - m)
    return P(S >= t) <= exp(-(t**2) / (2 * (q * m + t / 3)))


def wealth(e, stake):
    """The largest wealth of six bets of a share of it."""
    now, levels = 1.0, []
    for k in range(6):
        now = now * (1 + stake * e[k])
        levels.append(now)
    return largest(levels)


@false("Ville 1939 with 0.97 / t: fails for doubled stakes and t a little below a power of two alone", "hard")
def betting_short(stake: between(0, 1, closed=True), t: between(1.5, 100)):
    # witness: stake = 1, t = 2
    return P(wealth(coins(6), stake) >= t) <= 0.97 / t


@true("Ville 1939: wealth reaches t with probability 1 / t at most; equality for doubled stakes, t = 2, 4, ..., 64")
def betting(stake: between(0, 1, closed=True), t: between(1.5, 100)):
    return P(wealth(coins(6), stake) >= t) <= 1 / t


@true("Levy 1937: P(max S_k >= t) <= 2 P(S_n >= t) for weighted signs; equality for two equal ones and zeros, t = 1/2")
def levy_maximum(a: Vector(5), t: Positive):
    top = coins(5).map(lambda e: np.max(np.cumsum(e * a, axis=1), axis=1))
    return E(indicator(top >= t)) <= 2 * E(indicator(coins(5) @ a >= t))


@false("Hartley and David 1954, the largest of three copies, 0.875 for 2 / sqrt(5) standard deviations", "hard")
def largest_of_three_short(x: Vector("m"), p: Simplex("m")):
    # witness: x = (0, 1, 4, 9, 16, 25, 36, 49) with equal chances: 0.8852
    top = maximum(maximum(x[:, None, None], x[None, :, None]), x[None, None, :])
    mean = np.sum(p * x)
    variance = np.sum(p * (x - mean) ** 2)
    weights = p[:, None, None] * p[None, :, None] * p[None, None, :]
    return at_most(np.sum(weights * top) - mean, 0.875 * sqrt(variance))


@false("Gyoerfi, Kohler, Krzyzak, Walk 2002, Lemma 4.1, with 1.95 for 2: fails for n = 1 and p above 0.987 alone", "hard")
def inverse_count_short(n: integers(1, 100), p: Unit):
    # witness: n = 1, p = 0.999
    X = heads(n, p)
    return E(np.where(X > 0, 1 / maximum(X, 1), 0.0)) <= 1.95 / ((n + 1) * p)


@false("Barbour and Hall 1984, Poisson approximation, with 0.98: fails for one chance that is not small, or all of them tiny", "medium")
def poisson_short(p: Box(4, 0, 1)):
    # witness: p = (1, 0, 0, 0)
    mean = np.sum(p)
    assume(mean > 0.001)
    poisson = exp(-mean) * mean ** np.arange(5) / np.array([1, 1, 2, 6, 24])
    distance = np.sum(maximum(np.stack(law_of_sum(p)) - poisson, 0))
    return at_most(distance, 0.98 * (1 - exp(-mean)) / mean * np.sum(p**2))


@true("Barbour and Hall 1984: Poisson approximation within (1 - e^-mean) / mean sum p_i^2; equality for one chance")
def poisson(p: Box(4, 0, 1)):
    mean = np.sum(p)
    assume(mean > 0.001)
    masses = exp(-mean) * mean ** np.arange(5) / np.array([1, 1, 2, 6, 24])
    distance = np.sum(maximum(np.stack(law_of_sum(p)) - masses, 0))
    return at_most(distance, (1 - exp(-mean)) / mean * np.sum(p**2))


@false("Wilson's intervals of 95 per cent cover 89 per cent: Brown, Cai, DasGupta 2001, 0.84 for p near 0.18 / n", "medium")
def wilson(n: integers(10, 200), p: Unit):
    # witness: n = 100, p = 0.0017
    return P((heads(n, p) - n * p) ** 2 <= 3.8416 * n * p * (1 - p)) >= 0.89


@false("Chebyshev for unimodal laws, 4 / (9 k^2), without k >= sqrt(8/3) (Vysochanskij, Petunin 1980): an atom and a uniform law", "medium")
def unimodal_chebyshev(q: Unit, t: Positive):
    # witness: q = 0.85, t = 0.4
    variance = q / 3 - q**2 / 4
    assume(variance <= t**2)
    chance = np.where(t <= q / 2, 1 - q, 0.0) + q * (maximum(q / 2 - t, 0) + maximum(1 - q / 2 - t, 0))
    return at_most(chance, 4 * variance / (9 * t**2))


@true("Sharma, Gupta, Kapoor 2010: variance + (m_3 / (2 variance))^2 <= range^2 / 4; equality for all laws on two values")
def variance_and_skewness(law: FiniteLaw):
    assume(law.variance > 0)
    third = np.sum(law.p * (law.values - law.mean) ** 3)
    return at_most(law.variance + (third / (2 * law.variance)) ** 2, (law.high - law.low) ** 2 / 4)


@true("Berend and Kontorovich 2012: the mass missed by n draws of m values; equality for n + 1 equal ones")
def missing_mass(p: Simplex("m"), n: integers(1, 8)):
    return at_most(np.sum(p * (1 - p) ** n), len(p) * n**n / (n + 1) ** (n + 1))


# Learning


@false("The Rademacher complexity of a union is that of the larger class: it is up to a Massart term", "easy")
def complexity_of_union(A: Matrix("h", 4), B: Matrix("h", 4)):
    # witness: A = (1, 1, 1, 1), B = -A
    a, b, both = [coins(4).map(lambda e, F=F: np.max(e @ F.T, axis=-1)) for F in (A, B, np.concatenate([A, B]))]
    return E(both) <= maximum(E(a), E(b))


@true("Rademacher complexities of sums of classes add up: an equation (Bartlett and Mendelson 2002)")
def complexity_of_sums(A: Matrix(2, 4), B: Matrix(2, 4)):
    sums = np.concatenate([A[:1] + B, A[1:] + B])
    a, b, both = [coins(4).map(lambda e, F=F: np.max(e @ F.T, axis=-1)) for F in (A, B, sums)]
    return equal(E(both), E(a) + E(b))


@false("Second moments of importance weights are at most exp(5 KL): Renyi's divergence of order 2 is no multiple of KL", "medium")
def importance_weights(p: Simplex("m"), q: Simplex("m")):
    # witness: p = (0.0001, 0.9999), q = (0.05, 0.95): 25.9 against 3.7
    assume(np.min(p) > 0)
    assume(np.min(q) > 0)
    return at_most(np.sum(q**2 / p), exp(5 * np.sum(q * log(q / p))))


@false("McAllester 2003, p <= q + sqrt(2 q kl) + 2 kl, with 0.75 for 2: small risks q, 0.9 and more for q near 0", "medium")
def relaxed_kl(p: Unit, q: Unit):
    # witness: p = 0.1, q = 0.0001: 0.1 against 0.0831
    assume(q < p)
    kl = q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))
    return at_most(p, q + sqrt(2 * q * kl) + 0.75 * kl)


@false("Maurer 2004, E exp(n kl) <= 2 sqrt(n), with 1.9: fails for n = 1 alone", "medium")
def maurer_short(n: integers(1, 200)):
    # witness: n = 1: 2
    k = np.arange(1, n)
    inner = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + k * log(k / n) + (n - k) * log(1 - k / n)
    return at_most(2 + np.sum(exp(inner)), 1.9 * sqrt(n))


@true("Maurer 2004: E exp(n kl) <= 2 sqrt(n) for coins; equality for n = 1")
def maurer(n: integers(1, 200)):
    k = np.arange(1, n)
    inner = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + k * log(k / n) + (n - k) * log(1 - k / n)
    return at_most(2 + np.sum(exp(inner)), 2 * sqrt(n))


def edges_of_cube(f):
    F = f.reshape(2, 2, 2)
    return sum(np.mean(((X - Y) / 2) ** 2) for X, Y in ((F[0], F[1]), (F[:, 0], F[:, 1]), (F[:, :, 0], F[:, :, 1])))


@false("Poincare's inequality on the cube with 0.95: fails for functions that are linear, nearly", "medium")
def poincare_cube_short(f: Vector(8)):
    # witness: f = (1, 1, 1, 1, -1, -1, -1, -1)
    return at_most(np.mean((f - np.mean(f)) ** 2), 0.95 * edges_of_cube(f))


@true("Efron and Stein 1981 on the cube; equality for linear functions")
def poincare_cube(f: Vector(8)):
    return at_most(np.mean((f - np.mean(f)) ** 2), edges_of_cube(f))


@false("Gross 1975, logarithmic Sobolev inequality on the cube, with 1.95 for 2: fails near constants, along linear functions", "hard")
def log_sobolev_short(f: Vector(8)):
    # witness: f = 1 +- 0.1 by the first coordinate
    assume(np.min(np.abs(f)) > 0)
    g = f**2
    return at_most(np.mean(g * log(g)) - np.mean(g) * log(np.mean(g)), 1.95 * edges_of_cube(f))


@true("Gross 1975: logarithmic Sobolev inequality on the cube; equality for constants")
def log_sobolev(f: Vector(8)):
    assume(np.min(np.abs(f)) > 0)
    g = f**2
    return at_most(np.mean(g * log(g)) - np.mean(g) * log(np.mean(g)), 2 * edges_of_cube(f))


@false("Antithetic pairs of a monotone function have a quarter of its variance: a half, a step at one end of four or more", "medium")
def antithetic_quarter(f: Spectrum("n")):
    # witness: f = (1, 0, 0, 0): 1/16 against 3/64
    g = f - np.mean(f)
    return at_most(np.mean(((g + g[::-1]) / 2) ** 2), np.mean(g**2) / 4)


@false("Medians move by twice the mean absolute change at most: by the largest one, (0, 0, 1) and (0, 1, 1)", "medium")
def median_moves(x: Vector("n"), y: Vector("n")):
    # witness: x = (0, 0, 1), y = (0, 1, 1): 1 against 2/3
    return at_most(np.abs(np.median(x) - np.median(y)), 2 * np.mean(np.abs(x - y)))


# Matrices


@false("A <= B in the Loewner order has no larger entries: A = [[1, 1], [1, 1]], B = diag(2, 2)", "easy")
def loewner_entries(A: PSD("n"), C: PSD("n")):
    # witness: A = [[1, 1], [1, 1]], C = [[1, -1], [-1, 1]]
    return at_most(np.abs(A), np.abs(A + C))


@false("A linear system with another matrix, first order as a bound: the 1 - |A^-1| |D| is lost", "easy")
def solution_moves(A: SquareMatrix("n"), D: SquareMatrix("n"), b: Vector("n")):
    # witness: A = 1, D = -1/2, b = 1: 1 against 1/2
    Ai = inverse(A)
    assume(opnorm(Ai) * opnorm(D) <= 0.9)
    x = Ai @ b
    return at_most(norm(solve(A + D, b) - x), opnorm(Ai) * opnorm(D) * norm(x))


@true("A linear system with another matrix, Higham 2002, Theorem 7.2; equality for numbers of opposite signs")
def solution_moves_within(A: SquareMatrix("n"), D: SquareMatrix("n"), b: Vector("n")):
    Ai = inverse(A)
    t = opnorm(Ai) * opnorm(D)
    assume(t <= 0.9)
    x = Ai @ b
    return at_most(norm(solve(A + D, b) - x), t / (1 - t) * norm(x))


@false("Davis and Kahan by the gap of one matrix (Yu, Wang, Samworth 2015) with 1.9 for 2", "hard")
def sine_by_gap_short(d: Spectrum("n"), m: Spectrum("n"), Q: Orthogonal("n")):
    # witness: d = (1, 0), m = (1/2, 1/2), Q a swap: 1 against 0.95
    assume(len(d) >= 2)
    B = (Q * m) @ Q.T
    return at_most((d[0] - d[1]) * norm(Q[1:, 0]), 1.9 * opnorm(B - np.diag(d)))


@true("Yu, Wang, Samworth 2015: sine of the angle of first eigenvectors; equality for d = (1, 0), B = I / 2")
def sine_by_gap(d: Spectrum("n"), m: Spectrum("n"), Q: Orthogonal("n")):
    assume(len(d) >= 2)
    B = (Q * m) @ Q.T
    return at_most((d[0] - d[1]) * norm(Q[1:, 0]), 2 * opnorm(B - np.diag(d)))


@false("M. Fujii et al. 1997, A <= B gives A^2 <= (M + m)^2 / (4 M m) B^2, with 1.5 for 25/16", "hard")
def squares_in_order_short(A: SymmetricBetween("n", 1, 4), C: PSD("n")):
    # witness: A = [[1.6, 1.2], [1.2, 3.4]] (eigenvalues 1, 4), C = diag(0, 1000): 1.5597
    B = A + C
    return loewner(A @ A, 1.5 * (B @ B))


@true("M. Fujii, Izumino, Nakamoto, Seo 1997: A <= B gives A^2 <= (M + m)^2 / (4 M m) B^2, here m = 1, M = 4")
def squares_in_order(A: SymmetricBetween("n", 1, 4), C: PSD("n")):
    B = A + C
    return loewner(A @ A, 25 / 16 * (B @ B))


@false("Scaling to a unit diagonal never raises the condition number: true of order 2 alone, up to n by van der Sluis 1969", "medium")
def equilibration(A: PositiveDefinite("n")):
    # witness: A = [[1.342, 1.369, 0.291], [1.369, 1.416, 0.297], [0.291, 0.297, 0.085]]: 1.3667
    r = np.sqrt(np.diag(A))
    S = A / (r[:, None] * r[None, :])
    return at_most(largest_eigenvalue(S) * smallest_eigenvalue(A), largest_eigenvalue(A) * smallest_eigenvalue(S))


@false("Scaling to a unit diagonal raises the condition number by 1.3 at most: by 1.37 here, 1.7 for order 4", "hard")
def equilibration_constant(A: PositiveDefinite("n")):
    # witness: A = [[1.342, 1.369, 0.291], [1.369, 1.416, 0.297], [0.291, 0.297, 0.085]], condition 301: 1.3667
    r = np.sqrt(np.diag(A))
    S = A / (r[:, None] * r[None, :])
    return at_most(largest_eigenvalue(S) * smallest_eigenvalue(A), 1.3 * largest_eigenvalue(A) * smallest_eigenvalue(S))


@true("Forsythe and Straus 1955: scaling to a unit diagonal does not raise the condition number, order 2; equality for equal diagonals")
def equilibration_two(A: PositiveDefinite(2)):
    r = np.sqrt(np.diag(A))
    S = A / (r[:, None] * r[None, :])
    return at_most(largest_eigenvalue(S) * smallest_eigenvalue(A), largest_eigenvalue(A) * smallest_eigenvalue(S))


@true("The condition number of a sum is at most the larger one; equality for multiples")
def condition_of_sum(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    top, low = largest_eigenvalue, smallest_eigenvalue
    return at_most(top(A + B) / low(A + B), maximum(top(A) / low(A), top(B) / low(B)))


@true("Anderson and Duffin 1969: the parallel sum is at most a quarter of the sum; equality for A = B")
def parallel_sum(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    return loewner(A @ inverse(A + B) @ B, (A + B) / 4)


@true("Higham 2008, Theorem 6.2: square roots of positive definite matrices; equality for numbers")
def roots_apart(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    low = sqrt(smallest_eigenvalue(A)) + sqrt(smallest_eigenvalue(B))
    return at_most(frobenius(psd_sqrt(A) - psd_sqrt(B)) * low, frobenius(A - B))


@true("Lidskii 1950: eigenvalues of a sum over a subset; equality for B a multiple of the identity")
def lidskii(A: Symmetric("n"), B: Symmetric("n"), S: Subset("n", "k")):
    gain = eigenvalues(A + B)[S] - eigenvalues(A)[S]
    return at_most(np.sum(gain), np.sum(eigenvalues(B)[: len(S)]))


@true("Peierls 1938, Bogoliubov; equality for B a multiple of the identity")
def peierls(A: Symmetric("n"), B: Symmetric("n")):
    X = expm(A)
    return at_most(trace(X) * exp(trace(B @ X) / trace(X)), trace(expm(A + B)))


@false("McCarthy 1967, Clarkson's inequality in the Schatten norm of order 4 with 7.95 for 8: fails for B near A or -A alone", "hard")
def clarkson_short(A: SquareMatrix(2), B: SquareMatrix(2)):
    # witness: A = B = I
    def fourth(X):
        return np.sum((X.T @ X) ** 2)

    return at_most(fourth(A + B) + fourth(A - B), 7.95 * (fourth(A) + fourth(B)))


@true("McCarthy 1967: Clarkson's inequality in the Schatten norm of order 4; equality for A = B")
def clarkson(A: SquareMatrix(2), B: SquareMatrix(2)):
    def fourth(X):
        return np.sum((X.T @ X) ** 2)

    return at_most(fourth(A + B) + fourth(A - B), 8 * (fourth(A) + fourth(B)))


@false("Littlewood 1930, 4/3 inequality of order 2, with 1.38 for sqrt(2): fails near [[1, 1], [1, -1]] alone", "hard")
def four_thirds_short(A: SquareMatrix(2)):
    # witness: A = [[1, 1], [1, -1]]
    form = maximum(np.sum(np.abs(A[:, 0] + A[:, 1])), np.sum(np.abs(A[:, 0] - A[:, 1])))
    return at_most(np.sum(np.abs(A) ** (4 / 3)) ** (3 / 4), 1.38 * form)


# Graphs and chains


@false("Expander mixing with the second eigenvalue, forgetting the last: bipartite graphs; here circulant ones of eight points", "medium")
def mixing_lemma_second(c: Bits(4), S: Bits(8), T: Bits(8)):
    # witness: c = (1, 0, 1, 0), S = T = the even points: 8 against 0
    gaps = np.abs(np.arange(8)[:, None] - np.arange(8)[None, :])
    gaps = np.minimum(gaps, 8 - gaps)
    A = sum(c[k] * (gaps == k + 1) for k in range(4))
    mixed = np.abs(S @ A @ T - np.sum(A[0]) * np.sum(S) * np.sum(T) / 8)
    return at_most(mixed, np.abs(eigenvalues(A)[1]) * sqrt(np.sum(S) * np.sum(T)))


@true("Alon and Chung 1988: expander mixing; equality for the two sides of a complete bipartite graph")
def mixing_lemma(c: Bits(4), S: Bits(8), T: Bits(8)):
    gaps = np.abs(np.arange(8)[:, None] - np.arange(8)[None, :])
    gaps = np.minimum(gaps, 8 - gaps)
    A = sum(c[k] * (gaps == k + 1) for k in range(4))
    mixed = np.abs(S @ A @ T - np.sum(A[0]) * np.sum(S) * np.sum(T) / 8)
    lam = eigenvalues(A)
    sizes = np.sum(S) * (1 - np.sum(S) / 8) * np.sum(T) * (1 - np.sum(T) / 8)
    return at_most(mixed, maximum(np.abs(lam[1]), np.abs(lam[7])) * sqrt(sizes))


def chain_sides(W, t):
    W = (W + W.T) / 2
    D = np.sum(W, axis=1)
    pi = D / np.sum(D)
    lam = eigenvalues(W / np.sqrt(D[:, None] * D[None, :]))
    row = np.array([1.0, 0.0, 0.0])
    for _ in range(t):
        row = row @ (W / D[:, None])
    distance = np.sum(np.abs(row - pi)) / 2
    return distance, sqrt((1 - pi[0]) / pi[0]) * maximum(np.abs(lam[1]), np.abs(lam[2])) ** t


@false("Diaconis and Stroock 1991, reversible chains with 0.499 for 1/2: fails for a start of weight 1/2, in the slowest direction", "hard")
def reversible_chain_short(W: Box(3, 3, low=0.01, high=1), t: integers(1, 4)):
    # witness: W = [[1, .05, .05], [.05, .25, .25], [.05, .25, .25]], t = 2
    distance, bound = chain_sides(W, t)
    return at_most(distance, 0.499 * bound)


@true("Diaconis and Stroock 1991: reversible chains; equality for the same start")
def reversible_chain(W: Box(3, 3, low=0.01, high=1), t: integers(1, 4)):
    distance, bound = chain_sides(W, t)
    return at_most(distance, bound / 2)


def cheeger_sides(W):
    W = (W + W.T) / 2
    W = W - np.diag(np.diag(W))
    D = np.sum(W, axis=1)
    lam = eigenvalues(np.eye(4) - W / np.sqrt(D[:, None] * D[None, :]))[2]
    cuts = []
    for others in ((), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3)):
        side = [0, *others]
        rest = [k for k in range(4) if k not in side]
        cut = sum(W[i, j] for i in side for j in rest)
        cuts.append(cut / minimum(sum(D[i] for i in side), sum(D[j] for j in rest)))
    return lam, np.min(np.stack(cuts))


@false("Cheeger's inequality on four points, lam <= 1.995 h: the best is 2, for a complete graph of equal weights, nearly", "hard")
def cheeger_short(W: Box(4, 4, low=0.01, high=1)):
    # witness: W of ones: 4/3 against 1.995 * 2/3
    lam, h = cheeger_sides(W)
    return at_most(lam, 1.995 * h)


@true("Alon and Milman 1985, lam <= 2 h; equality for a complete graph")
def cheeger(W: Box(4, 4, low=0.01, high=1)):
    lam, h = cheeger_sides(W)
    return at_most(lam, 2 * h)


@false("Hong 1988, lam^2 <= 2 m - n + 1, without its condition that no point is isolated: a complete five and a lone point", "hard")
def hong_isolated(A: Bits(6, 6)):
    # witness: the complete graph on five of six points: 16 against 15
    G = np.triu(A, 1)
    m = np.sum(G)
    assume(m >= 8)
    return at_most(largest_eigenvalue(G + G.T) ** 2, 2 * m - 5)


@false("Spearman's and Kendall's correlations of seven ranks differ by 0.35 at most", "hard")
def rank_correlations(p: Permutation(7)):
    # witness: p = (4, 5, 6, 0, 1, 2, 3)
    concordant = np.sum(np.triu(p[:, None] < p[None, :], 1))
    tau = 4 * concordant / 42 - 1
    rho = 1 - 6 * np.sum((p - np.arange(7)) ** 2) / 336
    return at_most(np.abs(tau - rho), 0.35)


@true("Daniels 1950: |3 tau - 2 rho| <= 1, here of seven ranks (all orders enumerated); equality for the identity")
def daniels(p: Permutation(7)):
    concordant = np.sum(np.triu(p[:, None] < p[None, :], 1))
    tau = 4 * concordant / 42 - 1
    rho = 1 - 6 * np.sum((p - np.arange(7)) ** 2) / 336
    return at_most(np.abs(3 * tau - 2 * rho), 1)


@true("Hoeffding 1951: the variance of sum a[i, p(i)] over all orders p, an equation, n = 4")
def combinatorial_variance(A: SquareMatrix(4)):
    sums = np.stack([A[0, p[0]] + A[1, p[1]] + A[2, p[2]] + A[3, p[3]] for p in permutations(range(4))])
    D = A - np.mean(A, axis=0)[None, :] - np.mean(A, axis=1)[:, None] + np.mean(A)
    return equal(np.mean((sums - np.mean(sums)) ** 2), np.sum(D**2) / 3)


# Iterations and quadrature


@false("Gradient steps of length 1 / L contract by (k - 1) / (k + 1): steps of 2 / (L + m) do", "easy")
def short_steps(m: Unit, x: Vector(2), k: integers(1, 6)):
    # witness: m = 0.1, x = (1, 0), k = 1: 0.9 against 9/11
    y = x
    for _ in range(k):
        y = y - np.array([1.0, 1.0]) * np.stack([m * y[0], y[1]])
    return at_most(norm(y), ((1 - m) / (1 + m)) ** k * norm(x))


@false("A step of the power method raises the Rayleigh quotient: of PSD matrices, not of symmetric ones", "easy")
def power_method(A: Symmetric("n"), x: Vector("n")):
    # witness: A = diag(1, -2), x = (2, 1)
    y = A @ x
    return at_most((x @ y) * (y @ y), (y @ A @ y) * (x @ x))


@true("A step of the power method raises the Rayleigh quotient of a PSD matrix; equality for eigenvectors")
def power_method_psd(A: PSD("n"), x: Vector("n")):
    y = A @ x
    return at_most((x @ y) * (y @ y), (y @ A @ y) * (x @ x))


@true("Nesterov 2004, Theorem 2.1.12 for quadratics; equality for spectra at both ends")
def coercive(A: SymmetricBetween("n", 1, 5), x: Vector("n")):
    y = A @ x
    return at_most(5 / 6 * (x @ x) + (y @ y) / 6, x @ y)


@false("Strohmer and Vershynin 2009, randomized Kaczmarz, with 1.1 times the smallest singular value squared", "hard")
def kaczmarz_fast(A: Matrix(4, 3), e: UnitVector(3)):
    # witness: A = diag(4, 2, 1) and a row of zeros, e = (0, 0, 1)
    total = np.sum(A**2)
    assume(np.min(np.sum(A**2, axis=1)) > 0)
    after = 0.0
    for a in A:
        step = e - (a @ e) / (a @ a) * a
        after = after + (a @ a) / total * (step @ step)
    return at_most(after, 1 - 1.1 * smallest_eigenvalue(A.T @ A) / total)


@true("Strohmer and Vershynin 2009: randomized Kaczmarz; equality for errors along the smallest singular vector")
def kaczmarz(A: Matrix(4, 3), e: UnitVector(3)):
    total = np.sum(A**2)
    assume(np.min(np.sum(A**2, axis=1)) > 0)
    after = 0.0
    for a in A:
        step = e - (a @ e) / (a @ a) * a
        after = after + (a @ a) / total * (step @ step)
    return at_most(after, 1 - smallest_eigenvalue(A.T @ A) / total)


def conjugate_gradients(d, e):
    """Squared energy norms of the error before and after two steps."""
    r = -d * e
    alpha = (r @ r) / (r @ (d * r))
    x, s = e + alpha * r, r - alpha * d * r
    assume(s @ s > 0)
    q = s + (s @ s) / (r @ r) * r
    x = x + (s @ s) / (q @ (d * q)) * q
    return np.sum(d * e**2), np.sum(d * x**2)


@false("Two conjugate gradient steps by ((sqrt(k) - 1) / (sqrt(k) + 1))^2, 1.8 for 2: condition 10, three eigenvalues", "hard")
def two_steps_short(d: Box(3, 1, 10), e: Vector(3)):
    # witness: d = (1, 5.5, 10), e = (10, 2.57, -1): 0.50311 against 0.48577
    assume(e @ e > 0)
    before, after = conjugate_gradients(d, e)
    return at_most(sqrt(after), 1.8 * ((sqrt(10) - 1) / (sqrt(10) + 1)) ** 2 * sqrt(before))


@true("Two conjugate gradient steps, 1 / T_2(11/9) for condition 10 (Kaniel 1966, Daniel 1967); equality for eigenvalues 1, 5.5, 10")
def two_steps(d: Box(3, 1, 10), e: Vector(3)):
    assume(e @ e > 0)
    before, after = conjugate_gradients(d, e)
    return at_most(sqrt(after), sqrt(before) / (2 * (11 / 9) ** 2 - 1))


@false("Three gradient steps of any lengths leave 0.28 of some error between curvatures 1 and 10: Young 1953, 0.27499", "hard")
def three_steps_short(a: Box(3, 0, 1)):
    # witness: the reciprocals of 5.5 + 4.5 cos((2 k + 1) pi / 6)
    d = np.array([1.0, 3.25, 7.75, 10.0])
    return at_most(0.28, np.max(np.abs((1 - a[0] * d) * (1 - a[1] * d) * (1 - a[2] * d))))


@false("Monic cubics with three zeros in [-1, 1] reach 0.26 there, at -1, -1/2, 1/2 or 1: Chebyshev 1854, 1/4", "hard")
def nodes_short(x: Box(3, -1, 1)):
    # witness: x = (-sqrt(3) / 2, 0, sqrt(3) / 2)
    g = np.array([-1.0, -0.5, 0.5, 1.0])
    return at_most(0.26, np.max(np.abs((g - x[0]) * (g - x[1]) * (g - x[2]))))


@true("Chebyshev 1854: monic cubics reach 1/4; equality for the nodes +-sqrt(3) / 2 and 0")
def nodes(x: Box(3, -1, 1)):
    g = np.array([-1.0, -0.5, 0.5, 1.0])
    return at_most(0.25, np.max(np.abs((g - x[0]) * (g - x[1]) * (g - x[2]))))


@false("Star discrepancies of six points are at least 0.55 / 6: 1/12 for midpoints, Niederreiter 1992", "hard")
def star_short(x: Box(6, 0, 1)):
    # witness: x = (1, 3, 5, 7, 9, 11) / 12
    middle = (2 * np.arange(6) + 1) / 12
    return at_most(0.55 / 6, 1 / 12 + np.max(np.abs(np.sort(x) - middle)))


@false("The trapezoidal rule with max |f''| / 24: that is the midpoint rule's", "easy")
def trapezoid(c: Vector(4)):
    # witness: c = (0, 0, 1, 0)
    integral = np.sum(c / np.arange(1, 5))
    second = maximum(np.abs(2 * c[2]), np.abs(2 * c[2] + 6 * c[3]))
    return at_most(np.abs((c[0] + np.sum(c)) / 2 - integral), second / 24)


@false("The Gauss rule of two points with max |f''''| / 140 for 135: fourth powers, nearly", "medium")
def gauss_rule_short(c: Vector(6)):
    # witness: c = (0, 0, 0, 0, 1, 0)
    integral = 2 * c[0] + 2 / 3 * c[2] + 2 / 5 * c[4]
    rule = 2 * c[0] + 2 / 3 * c[2] + 2 / 9 * c[4]
    return at_most(np.abs(integral - rule), (24 * np.abs(c[4]) + 120 * np.abs(c[5])) / 140)


@false("Stochastic gradients with steps 2 / (t + 1) have an error of 1.3 / T: 4/3, from T = 20 on", "medium")
def doubled_steps(T: integers(1, 60), v: NonNegative):
    # witness: T = 60
    for t in range(1, T + 1):
        v = (1 - 2 / (t + 1)) ** 2 * v + (2 / (t + 1)) ** 2
    return at_most(v, 1.3 / T)


@false("Frank and Wolfe 1956 on a simplex, error at most 1.25 / (k + 2): Jaggi 2013 has 4, seven or more nearly equal weights", "medium")
def frank_wolfe(b: Simplex("n"), k: integers(1, 6)):
    # witness: b = (0.12, 0.13, 0.125, ..., 0.125), k = 1: 0.4325 against 0.4167
    x = np.eye(len(b))[0]
    for j in range(k):
        x = x + 2 / (j + 2) * (np.eye(len(b))[np.argmin(x - b)] - x)
    return at_most(np.sum((x - b) ** 2) / 2, 1.25 / (k + 2))


