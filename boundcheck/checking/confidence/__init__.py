"""Confidence bounds that are exact or valid at every stopping time; a `level` is an error probability."""

from .bernoulli import BernoulliSequence, BetaMixture, holding_mixture, refuting_mixture
from .binomial import binomial_tail, clopper_pearson, log_binomial_tail
from .bounded_mean import BoundedSample, OutOfRange, SpreadSample, mean_lower_bound, pointwise_level, slope_band
from .planning import critical_failures, detectable_rate, trials_to_decide

__all__ = [
    "BernoulliSequence", "BetaMixture", "BoundedSample", "OutOfRange", "SpreadSample", "binomial_tail",
    "clopper_pearson", "critical_failures", "detectable_rate", "holding_mixture", "log_binomial_tail", "mean_lower_bound",
    "pointwise_level", "refuting_mixture", "slope_band", "trials_to_decide",
]  # fmt: skip
