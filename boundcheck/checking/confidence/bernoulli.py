"""A confidence sequence for a failure probability: betting against each value with a mixture of Beta weights.

For a weight pi on failure rates, the likelihood ratio E(n) = int prod f_r / f_p dpi(r) has mean one under the
rate p, so it ever reaches 1 / level with probability at most `level` (Ville 1939; Robbins 1970). For "P(fail)
<= delta" the weight is put only where it can win: on (delta, 1] to refute, on [0, delta) to hold, which keeps
E a supermartingale for every rate on the other side. The weights were chosen by the number of trials to a
decision over the information bound log(1 / level) / KL, for delta in {0.1, 0.01, 0.001} and level in {1e-3,
1e-6, 1e-9}. At delta = 0.01 and level = 1e-6, holding with no failure takes 1447 trials (information bound
1375, untruncated Beta(1/2, 1/(2 delta)) 1548, uniform 2138); refuting takes 1.14 times the information bound
at twice delta, 1.11 at five times (untruncated 1.21 and 1.23, uniform 1.38 and 1.26).
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from .binomial import OUTWARD, log_pmf, logit, odds_pair, rate, require_counts, require_level, walk_out


@dataclass(frozen=True)
class BetaMixture:
    """Weight Beta(a, b) on failure rates, restricted to [low, high]; one of the two ends stays trivial."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not (0 <= self.low < self.high <= 1) or (self.low > 0 and self.high < 1):
            raise ValueError("A Beta mixture lives on [0, high] or on [low, 1]; leave the other end alone.")

    def log_e_value(self, failures: ArrayLike, trials: ArrayLike, p: float) -> NDArray[np.float64]:
        """log of the evidence against the rate p, shapes broadcast; -inf where it underflows."""
        return self._log_e_value(failures, trials, p, 1 - p)

    def lower(self, failures: int, trials: int, level: float) -> float:
        """Smallest rate not rejected at `level`, at every number of trials at once."""
        return self._end(failures, trials, level, -1) if failures > 0 else 0.0

    def upper(self, failures: int, trials: int, level: float) -> float:
        """Largest rate not rejected at `level`, at every number of trials at once."""
        return self._end(failures, trials, level, +1) if failures < trials else 1.0

    def _end(self, failures: int, trials: int, level: float, sign: int) -> float:
        def rejected(theta: float) -> float:
            return float(self._log_e_value(failures, trials, *odds_pair(theta))) + log(level)

        start = logit((failures + 0.5) / (trials + 1))  # the likelihood is within exp(1/2) of its maximum
        return rate(walk_out(rejected, start, sign * 0.1) + sign * OUTWARD)

    def _log_e_value(self, failures: ArrayLike, trials: ArrayLike, p: float, q: float) -> NDArray[np.float64]:
        # The evidence for a whole Beta weight is its density at p before over after (Savage and Dickey).
        k = np.asarray(failures, dtype=np.float64)
        A, B = self.a + k, self.b + (np.asarray(trials) - k)
        whole = _log_density(self.a, self.b, p, q) - _log_density(A, B, p, q)
        return whole + self._log_mass(A, B) - self._log_mass(self.a, self.b)

    def _log_mass(self, a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
        mass = special.betaincc(a, b, self.low) if self.low > 0 else special.betainc(a, b, self.high)
        with np.errstate(divide="ignore"):
            return np.log(mass)


def _log_density(a: ArrayLike, b: ArrayLike, p: float, q: float) -> NDArray[np.float64]:
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
        return lower, holding_mixture(self.delta).upper(failures, trials, self.level)

    def estimate(self, failures: int, trials: int) -> tuple[float, float]:
        """Bounds for the report, sharp on both sides of delta; both together err at most at `level`.

        Where `interval` decides they are a little wider, so decide by `interval`. Same ValueError.
        """
        require_counts(failures, trials)
        both = BetaMixture(0.5, 0.5 / self.delta)
        return both.lower(failures, trials, self.level), both.upper(failures, trials, self.level)

    def log_e_values(self, failures: int, trials: int) -> tuple[float, float]:
        """log of the evidence against and for "P(fail) <= delta"; e-values of independent runs multiply."""
        require_counts(failures, trials)
        against = refuting_mixture(self.delta).log_e_value(failures, trials, self.delta)
        favour = holding_mixture(self.delta).log_e_value(failures, trials, self.delta)
        return float(against), float(favour)


def _require_delta(delta: float) -> float:
    if not 0 < delta < 1:
        raise ValueError(f"A delta to test lies in (0, 1); pass such a probability instead of {delta}.")
    return delta
