"""What an audit is asked to do: kernel, bandwidth, ridge, accuracy, and the seed of everything random."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

SAMPLINGS = ("plain", "leverage")
WINDOW = 10
"""Numbers of features at which failures are counted, for each sampling."""

MAX_POINTS = 10_000
MAX_TRIALS = 1000


@dataclass(frozen=True)
class AuditPlan:
    """`kernel` is a name or MODULE:CLASS, `bandwidth` None the median distance, `lam` None 1 / sqrt(n).

    Inputs are scaled as in Wang (2019) if `scale`. `eps` and `delta` are those of the theorems, `level`
    bounds the probability that any interval misses, `trials` None is as many as can show P(fail) <= delta.
    Raises ValueError.
    """

    kernel: str = "gaussian"
    bandwidth: float | None = None
    lam: float | None = None
    eps: float = 0.5
    delta: float = 0.05
    level: float = 0.01
    trials: int | None = None
    seed: int = 0
    scale: bool = True

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise ValueError(fault)

    def _faults(self) -> Iterator[str]:
        for name, value in (("bandwidth", self.bandwidth), ("ridge lam", self.lam)):
            if value is not None and not (math.isfinite(value) and value > 0):
                yield f"A {name} is a positive number; give one instead of {value}."
        if self.lam is not None and self.lam < 1e-12:
            yield f"A ridge lam below 1e-12 is lost in rounding; give a larger one than {self.lam}."
        for name, value in (("eps", self.eps), ("delta", self.delta), ("level", self.level)):
            if not 0 < value < 1:
                yield f"{name} lies in (0, 1); give such a number instead of {value}."
        if self.trials is not None and not 1 <= self.trials <= 100 * MAX_TRIALS:
            yield f"Trials are 1 to {100 * MAX_TRIALS}; give such a number instead of {self.trials}."
        if not 0 <= self.seed < 1 << 64:
            yield f"A seed lies in [0, 2^64); give such a number instead of {self.seed}."

    @property
    def interval_level(self) -> float:
        """Level of each one-sided bound: a union over samplings, sizes and sides makes `level` of them."""
        return self.level / (len(SAMPLINGS) * WINDOW * 2)

    @property
    def trials_made(self) -> int:
        """Trials at each size: 1.6 times what shows P(fail) <= delta if none fails, MAX_TRIALS at most."""
        return self.trials or min(math.ceil(1.6 * self.trials_needed), MAX_TRIALS)

    @property
    def steps(self) -> int:
        """Steps of an audit: the spectrum, a look for sizes, and all trials."""
        return 2 + len(SAMPLINGS) * self.trials_made

    @property
    def trials_needed(self) -> int:
        """Trials that show P(fail) <= delta if none fails: (1 - delta)^trials <= interval_level."""
        return math.ceil(math.log(self.interval_level) / math.log1p(-self.delta))
