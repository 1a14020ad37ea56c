"""How many trials a decision on "P(fail) <= delta" takes, and what a given number of trials can detect."""

from math import inf, log

from .bernoulli import BetaMixture, holding_mixture, refuting_mixture
from .binomial import log_binomial_tail, log_tail, logit, odds_pair, rate, require_level, walk_out

BEYOND = 1 << 50
"""More trials than any machine makes."""


def trials_to_decide(delta: float, true_rate: float, level: float) -> float:
    """Trials after which a BernoulliSequence decides, if failures come at exactly `true_rate`.

    Below delta the decision is "holds" (at rate 0 the number is exact), above it "refuted". It is `inf` where
    the rate is too close to delta for any machine. Raises ValueError for a rate outside [0, 1].
    """
    require_level(level)
    if not 0 <= true_rate <= 1:
        raise ValueError(f"A failure rate lies in [0, 1]; pass such a rate instead of {true_rate}.")
    mixture = holding_mixture(delta) if true_rate < delta else refuting_mixture(delta)
    few, many = 0, 1
    while not _decides(mixture, delta, true_rate * many, many, level):
        few, many = many, 2 * many
        if many > BEYOND:
            return inf
    while many - few > 1:
        n = (few + many) // 2
        few, many = (few, n) if _decides(mixture, delta, true_rate * n, n, level) else (n, many)
    return many


def critical_failures(delta: float, trials: int, level: float) -> int:
    """Smallest count with P(Bin(trials, delta) >= count) <= level: the planned test refutes from there on.

    It is trials + 1 where even a failure in every trial refutes nothing.
    """
    require_level(level)
    under, over = -1, trials + 1
    while over - under > 1:
        k = (under + over) // 2
        under, over = (under, k) if log_binomial_tail(k, trials, delta) <= log(level) else (k, over)
    return over


def detectable_rate(delta: float, trials: int, level: float, power: float) -> float:
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
    return rate(
        walk_out(lambda theta: log_tail(k, trials, *odds_pair(theta)) - log(power), logit(delta), 0.1)
    )


def _decides(mixture: BetaMixture, delta: float, failures: float, trials: int, level: float) -> bool:
    return float(mixture.log_e_value(failures, trials, delta)) >= -log(level)
