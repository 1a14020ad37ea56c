"""Bounds on a failure probability, exact or valid at every stopping time; a `level` is an error probability.

For a number of trials that is fixed in advance: binomial tails in logarithms, the interval of Clopper and Pearson.
At every number of trials: betting against each value with a mixture of Beta weights.

For a weight pi on failure rates, the likelihood ratio E(n) = int prod f_r / f_p dpi(r) has mean one under the
rate p, so it ever reaches 1 / level with probability at most `level` (Ville 1939; Robbins 1970). For "P(fail)
<= delta" the weight is put only where it can win: on (delta, 1] to refute, on [0, delta) to hold, which keeps
E a supermartingale for every rate on the other side. The weights were chosen by the number of trials to a
decision over the information bound log(1 / level) / KL, for delta in {0.1, 0.01, 0.001} and level in {1e-3,
1e-6, 1e-9}. At delta = 0.01 and level = 1e-6, holding with no failure takes 1447 trials (information bound
1375, untruncated Beta(1/2, 1/(2 delta)) 1548, uniform 2138); refuting takes 1.14 times the information bound
at twice delta, 1.11 at five times (untruncated 1.21 and 1.23, uniform 1.38 and 1.26).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, exp, inf, log, log1p

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

FARTHEST = 700.0
"""No walk goes beyond this logarithm: exp(-700) is about the smallest double."""

OUTWARD = 1e-9
"""Every bound is moved outward by this much in logarithm, far more than rounding can have moved it inward."""

BEYOND = 1 << 50
"""More trials than any machine makes."""


def log_binomial_tail(failures: int, trials: int, p: float) -> float:
    """log P(Bin(trials, p) >= failures), to about 1e-10 for up to 1e9 trials however small it is."""
    require_counts(failures, trials)
    if not 0 <= p <= 1:
        raise ValueError(
            f"A probability lies in [0, 1]; pass such a p instead of {p}."
        )
    return log_tail(failures, trials, p, 1 - p)


def binomial_tail(failures: int, trials: int, p: float) -> float:
    """P(Bin(trials, p) >= failures) with full relative accuracy down to 1e-300."""
    return exp(log_binomial_tail(failures, trials, p))


def clopper_pearson(
    failures: int, trials: int, level: float
) -> tuple[float, float]:
    """Lower and upper bound on a failure probability, for a number of trials fixed in advance.

    Each of the two bounds fails with probability at most `level` (both together: at most 2 * level).
    Clopper and Pearson (1934); a bound is moved outward by 1e-9 of itself against rounding.
    Raises ValueError unless 0 <= failures <= trials and 0 < level <= 1/2.
    """
    require_counts(failures, trials)
    require_level(level)
    lower, upper = 0.0, 1.0
    if failures > 0:
        lower = _rate(
            _tail_end(
                lambda p, q: log_tail(failures, trials, p, q),
                failures,
                trials,
                level,
                -1,
            )
        )
    if failures < trials:
        successes = trials - failures
        upper = _rate(
            _tail_end(
                lambda p, q: log_tail(successes, trials, q, p),
                failures,
                trials,
                level,
                +1,
            )
        )
    return lower, upper


def log_tail(k: int, n: int, p: float, q: float) -> float:
    """log P(Bin(n, p) >= k) where q = 1 - p is given apart, so that a p close to 1 loses nothing."""
    if k <= 0 or p == 1:
        return 0.0
    if k > n or p == 0:
        return -inf
    if k > n * p:
        return float(log_pmf(k, n, p, q)) + log(_terms_from(k, n, p / q))
    below = float(log_pmf(k - 1, n, p, q)) + log(
        _terms_from(n - k + 1, n, q / p)
    )
    return log1p(-exp(below))  # k is at most the median, so nothing cancels


def log_pmf(
    k: ArrayLike, n: ArrayLike, p: ArrayLike, q: ArrayLike
) -> NDArray[np.float64]:
    """log of n! / (k! (n - k)!) p^k q^(n - k) for real 0 <= k <= n, without cancellation.

    Shapes broadcast. Source: Loader (2000), Fast and accurate computation of binomial probabilities.
    """
    k, n, p, q = (np.asarray(value, dtype=np.float64) for value in (k, n, p, q))
    inner_k, inner_n = (
        np.where((k > 0) & (k < n), k, 1.0),
        np.where((k > 0) & (k < n), n, 2.0),
    )
    rest = inner_n - inner_k
    inner = (
        _stirling_error(inner_n)
        - _stirling_error(inner_k)
        - _stirling_error(rest)
    )
    inner = (
        inner - _deviance(inner_k, inner_n * p) - _deviance(rest, inner_n * q)
    )
    inner = inner + 0.5 * np.log(inner_n / (2 * np.pi * inner_k * rest))
    return np.where(
        k <= 0, n * _log(q, p), np.where(k >= n, n * _log(p, q), inner)
    )


def logit(p: float) -> float:
    """log(p / (1 - p))."""
    return float(special.logit(p))


def odds_pair(theta: float) -> tuple[float, float]:
    """(p, 1 - p) of a log-odds, both to full relative accuracy."""
    return float(special.expit(theta)), float(special.expit(-theta))


def _rate(theta: float) -> float:
    """The probability of a log-odds, infinities included."""
    return odds_pair(theta)[0]


def require_counts(failures: float, trials: float) -> None:
    """Raises ValueError unless 0 <= failures <= trials."""
    if not 0 <= failures <= trials:
        raise ValueError(
            f"Failures lie between 0 and trials; pass such counts, not {failures} of {trials}."
        )


def require_level(level: float) -> None:
    """Raises ValueError unless 0 < level <= 1/2."""
    if not 0 < level <= 0.5:
        raise ValueError(
            f"An error level lies in (0, 1/2]; pass, say, 1e-6 instead of {level}."
        )


def _tail_end(
    tail: Callable[[float, float], float],
    failures: int,
    trials: int,
    level: float,
    sign: int,
) -> float:
    """Log-odds at which a tail has fallen to `level`, walking from the observed rate, where it is >= 1/2."""
    start = logit(min(max(failures, 0.5), trials - 0.5) / trials)
    return (
        walk_out(
            lambda theta: log(level) - tail(*odds_pair(theta)),
            start,
            sign * 0.1,
        )
        + sign * OUTWARD
    )


def _terms_from(k: int, n: int, odds: float) -> float:
    """Sum over j >= k of pmf(j) / pmf(k): positive terms only, each ratio below 1."""
    total, term, block = 1.0, 1.0, 64
    while k < n and term > 1e-18 * total:
        j = np.arange(k, min(k + block, n), dtype=np.float64)
        terms = term * np.cumprod((n - j) / (j + 1) * odds)
        total, term = total + float(terms.sum()), float(terms[-1])
        k, block = k + block, min(2 * block, 1 << 16)
    return total


def _stirling_error(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """log of x! over Stirling's formula, for x > 0."""
    small = np.minimum(x, 16.0)
    exact = (
        special.gammaln(small + 1)
        - (small + 0.5) * np.log(small)
        + small
        - 0.5 * np.log(2 * np.pi)
    )
    y = 1 / np.maximum(x, 16.0)
    tail = 1 / 1260 - y**2 * (1 / 1680 - y**2 / 1188)
    series = y * (1 / 12 - y**2 * (1 / 360 - y**2 * tail))
    return np.where(x < 16.0, exact, series)


def _deviance(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """x log(x / y) - x + y for positive x and y, accurate when they are close."""
    d = (x - y) / np.maximum(y, x / 4)
    near = y * ((1 + d) * np.log1p(np.maximum(d, -0.75)) - d)
    return np.where(np.abs(d) < 0.5, near, x * (np.log(x) - np.log(y)) - x + y)


def _log(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """log p for p + q = 1."""
    return np.where(p < 0.5, np.log(p), np.log1p(-np.minimum(q, 0.5)))


def walk_out(f: Callable[[float], float], start: float, step: float) -> float:
    """End of the set f < 0 that contains `start`, in the direction of `step`; never inside the set.

    An infinity of the sign of `step` if f stays negative. The values of f may be infinite.
    """
    near, far = start, start + step
    while not f(far) >= 0:
        if abs(far) >= FARTHEST:
            return copysign(inf, step)
        step *= 2
        near, far = far, min(max(far + step, -FARTHEST), FARTHEST)
    while abs(far - near) > 1e-13 * max(1.0, abs(far)):
        middle = (near + far) / 2
        near, far = (near, middle) if f(middle) >= 0 else (middle, far)
    return far


# at every number of trials


@dataclass(frozen=True)
class BetaMixture:
    """Weight Beta(a, b) on failure rates, restricted to [low, high]; one of the two ends stays trivial."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not (0 <= self.low < self.high <= 1) or (
            self.low > 0 and self.high < 1
        ):
            raise ValueError(
                "A Beta mixture lives on [0, high] or on [low, 1]; leave the other end alone."
            )

    def log_e_value(
        self, failures: ArrayLike, trials: ArrayLike, p: float
    ) -> NDArray[np.float64]:
        """log of the evidence against the rate p, shapes broadcast; -inf where it underflows."""
        return self._log_e_value(failures, trials, p, 1 - p)

    def lower(self, failures: int, trials: int, level: float) -> float:
        """Smallest rate not rejected at `level`, at every number of trials at once."""
        return self._end(failures, trials, level, -1) if failures > 0 else 0.0

    def upper(self, failures: int, trials: int, level: float) -> float:
        """Largest rate not rejected at `level`, at every number of trials at once."""
        return (
            self._end(failures, trials, level, +1) if failures < trials else 1.0
        )

    def _end(
        self, failures: int, trials: int, level: float, sign: int
    ) -> float:
        def rejected(theta: float) -> float:
            return float(
                self._log_e_value(failures, trials, *odds_pair(theta))
            ) + log(level)

        start = logit(
            (failures + 0.5) / (trials + 1)
        )  # the likelihood is within exp(1/2) of its maximum
        return _rate(walk_out(rejected, start, sign * 0.1) + sign * OUTWARD)

    def _log_e_value(
        self, failures: ArrayLike, trials: ArrayLike, p: float, q: float
    ) -> NDArray[np.float64]:
        # The evidence for a whole Beta weight is its density at p before over after (Savage and Dickey).
        k = np.asarray(failures, dtype=np.float64)
        A, B = self.a + k, self.b + (np.asarray(trials) - k)
        whole = _log_density(self.a, self.b, p, q) - _log_density(A, B, p, q)
        return whole + self._log_mass(A, B) - self._log_mass(self.a, self.b)

    def _log_mass(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
        mass = (
            special.betaincc(a, b, self.low)
            if self.low > 0
            else special.betainc(a, b, self.high)
        )
        with np.errstate(divide="ignore"):
            return np.log(mass)


def _log_density(
    a: ArrayLike, b: ArrayLike, p: float, q: float
) -> NDArray[np.float64]:
    """log of p q times the Beta(a, b) density at p = 1 - q."""
    total = np.add(a, b)
    return np.log(a) + np.log(b / total) + log_pmf(a, total, p, q)


def refuting_mixture(delta: float) -> BetaMixture:
    """The weight on rates above delta that bets against "P(fail) <= delta"."""
    return BetaMixture(0.5, 0.25 / _require_delta(delta), low=delta)


def holding_mixture(delta: float) -> BetaMixture:
    """The weight on rates below delta that bets against "P(fail) >= delta"."""
    return BetaMixture(0.25, 0.25 / _require_delta(delta), high=delta)


@dataclass(frozen=True)
class BernoulliSequence:
    """The anytime-valid test of "P(fail) <= delta": each of its two conclusions errs at most at `level`."""

    delta: float
    level: float

    def __post_init__(self) -> None:
        _require_delta(self.delta)
        require_level(self.level)

    def interval(self, failures: int, trials: int) -> tuple[float, float]:
        """Bounds on P(fail): refuted once lower > delta, held once upper <= delta, however often one looks.

        Each bound ever fails with probability at most `level`. The lower one is sharp above delta, the upper
        one below. Raises ValueError unless 0 <= failures <= trials.
        """
        require_counts(failures, trials)
        lower = refuting_mixture(self.delta).lower(failures, trials, self.level)
        return lower, holding_mixture(self.delta).upper(
            failures, trials, self.level
        )

    def estimate(self, failures: int, trials: int) -> tuple[float, float]:
        """Bounds for the report, sharp on both sides of delta; both together err at most at `level`.

        Where `interval` decides they are a little wider, so decide by `interval`. Same ValueError.
        """
        require_counts(failures, trials)
        both = BetaMixture(0.5, 0.5 / self.delta)
        return both.lower(failures, trials, self.level), both.upper(
            failures, trials, self.level
        )

    def log_e_values(self, failures: int, trials: int) -> tuple[float, float]:
        """log of the evidence against and for "P(fail) <= delta"; e-values of independent runs multiply."""
        require_counts(failures, trials)
        against = refuting_mixture(self.delta).log_e_value(
            failures, trials, self.delta
        )
        favour = holding_mixture(self.delta).log_e_value(
            failures, trials, self.delta
        )
        return float(against), float(favour)


def _require_delta(delta: float) -> float:
    if not 0 < delta < 1:
        raise ValueError(
            f"A delta to test lies in (0, 1); pass such a probability instead of {delta}."
        )
    return delta


# how many trials a decision on "P(fail) <= delta" takes, and what a number of trials can detect


def trials_to_decide(delta: float, true_rate: float, level: float) -> float:
    """Trials after which a BernoulliSequence decides, if failures come at exactly `true_rate`.

    Below delta the decision is "holds" (at rate 0 the number is exact), above it "refuted". It is `inf` where
    the rate is too close to delta for any machine. Raises ValueError for a rate outside [0, 1].
    """
    require_level(level)
    if not 0 <= true_rate <= 1:
        raise ValueError(
            f"A failure rate lies in [0, 1]; pass such a rate instead of {true_rate}."
        )
    mixture = (
        holding_mixture(delta) if true_rate < delta else refuting_mixture(delta)
    )
    few, many = 0, 1
    while not _decides(mixture, delta, true_rate * many, many, level):
        few, many = many, 2 * many
        if many > BEYOND:
            return inf
    while many - few > 1:
        n = (few + many) // 2
        few, many = (
            (few, n)
            if _decides(mixture, delta, true_rate * n, n, level)
            else (n, many)
        )
    return many


def critical_failures(delta: float, trials: int, level: float) -> int:
    """Smallest count with P(Bin(trials, delta) >= count) <= level: the planned test refutes from there on.

    It is trials + 1 where even a failure in every trial refutes nothing.
    """
    require_level(level)
    under, over = -1, trials + 1
    while over - under > 1:
        k = (under + over) // 2
        under, over = (
            (under, k)
            if log_binomial_tail(k, trials, delta) <= log(level)
            else (k, over)
        )
    return over


def detectable_rate(
    delta: float, trials: int, level: float, power: float
) -> float:
    """Smallest failure probability that the planned Clopper-Pearson test refutes with probability >= power.

    It is `inf` where the test can refute nothing. Raises ValueError unless level < power < 1.
    """
    if not level < power < 1:
        raise ValueError(
            f"A power lies between the level {level} and 1; pass such a power instead of {power}."
        )
    k = critical_failures(delta, trials, level)
    if k > trials:
        return inf
    return _rate(
        walk_out(
            lambda theta: log_tail(k, trials, *odds_pair(theta)) - log(power),
            logit(delta),
            0.1,
        )
    )


def _decides(
    mixture: BetaMixture,
    delta: float,
    failures: float,
    trials: int,
    level: float,
) -> bool:
    return float(mixture.log_e_value(failures, trials, delta)) >= -log(level)
