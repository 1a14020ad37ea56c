"""An audit of a data set: what it is asked, and what a theorem demands there, as printed and as repaired."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

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
        for name, value in (
            ("bandwidth", self.bandwidth),
            ("ridge lam", self.lam),
        ):
            if value is not None and not (math.isfinite(value) and value > 0):
                yield f"A {name} is a positive number; give one instead of {value}."
        if self.lam is not None and self.lam < 1e-12:
            yield f"A ridge lam below 1e-12 is lost in rounding; give a larger one than {self.lam}."
        for name, value in (
            ("eps", self.eps),
            ("delta", self.delta),
            ("level", self.level),
        ):
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
        return self.trials or min(
            math.ceil(1.6 * self.trials_needed), MAX_TRIALS
        )

    @property
    def steps(self) -> int:
        """Steps of an audit: the spectrum, a look for sizes, and all trials."""
        return 2 + len(SAMPLINGS) * self.trials_made

    @property
    def trials_needed(self) -> int:
        """Trials that show P(fail) <= delta if none fails: (1 - delta)^trials <= interval_level."""
        return math.ceil(
            math.log(self.interval_level) / math.log1p(-self.delta)
        )


# what a theorem demands, and why it may say nothing at a scene


@dataclass(frozen=True)
class Scene:
    """The numbers that a theorem may ask for: n points, a kernel with k(x, x) = 1, a ridge lam, labels with
    |y| <= 1.

    `lambda_1` is the largest eigenvalue of K / n, `d_K` = Tr K (K + n lam I)^-1, `energy` = y^T K y / n^2,
    `Q` = |K^(1/2) (K + n lam I)^-1 y|^2, `label_square` the mean of y^2 and `prediction_square`
    that of kernel ridge regression's predictions squared. `z0_squared` bounds a squared feature:
    2 for sqrt(2) cos(w x + u).
    """

    n: int
    lam: float
    d_K: float
    eps: float
    delta: float
    lambda_1: float
    energy: float
    Q: float
    label_square: float
    prediction_square: float
    z0_squared: float = 2.0

    @classmethod
    def at_worst(
        cls, n: int, lam: float, d_K: float, eps: float, delta: float
    ) -> Scene:
        """The scene of which no data are known: each number the largest that k(x, x) = 1 and |y| <= 1 allow.

        Q <= |y|^2 / (4 n lam): Wang (2019), Remark 1.
        """
        return cls(n, lam, d_K, eps, delta, 1.0, 1.0, 0.25 / lam, 1.0, 1.0)

    @property
    def d_1(self) -> float:
        """lambda_1 / (lambda_1 + lam), the largest eigenvalue of K (K + n lam I)^-1."""
        return self.lambda_1 / (self.lambda_1 + self.lam)

    @property
    def D_K(self) -> float:
        """Tr[(y y^T + n I) K] / (n^2 lam), the sum of the surrogate scores of Liu et al. (2020), Eq. (10)."""
        return (1 + self.energy) / self.lam


Number = Callable[[Scene], float]
Condition = Callable[[Scene], bool]


@dataclass(frozen=True)
class Demand:
    """`features(scene)` that the theorem `claim` asks for, drawn by `sampling`, under `hypotheses`,
    each with its text.

    `features` and the numbers in `repairs`, which are those of proved statements by claim id, are read off
    the claims: a formula stands once, in the module of its claim, and the `at_least` there calls it too.
    `trivial` are conditions, each with its text, under which the conclusion is met without any features.
    `spectral` says that the conclusion is |(K + n lam I)^(-1/2) (K_s - K) (K + n lam I)^(-1/2)| <= eps with
    probability 1 - delta, which an audit measures.
    """

    claim: str
    says: str
    sampling: str
    features: Number
    repairs: Mapping[str, Number] = field(default_factory=dict)
    hypotheses: Mapping[str, Condition] = field(default_factory=dict)
    trivial: Mapping[str, Condition] = field(default_factory=dict)
    spectral: bool = False


SPECTRAL = "-eps (K + n lam I) <= K_s - K <= eps (K + n lam I)"
"""What the theorems with `spectral` say."""

SMALL_RIDGE: Mapping[str, Condition] = {
    "n lam <= lambda_1(K)": lambda at: at.lam <= at.lambda_1
}


def trivial(multiple: float) -> Mapping[str, Condition]:
    """Where a bound of multiple lam on the excess risk says nothing."""
    text = f"{multiple} lam is no less than the mean of y^2, the risk of predicting 0"
    return {text: lambda at: multiple * at.lam >= at.label_square}


# a demand at a scene


class Reason(NamedTuple):
    """Why a theorem says nothing: H a hypothesis fails, T trivial bound, N it asks for n features or more."""

    letter: str
    text: str


@dataclass(frozen=True)
class Answer:
    """`printed` and each of `repaired`, by claim id, are numbers of features.

    `unmet` are hypotheses that fail, `vacuous` all reasons why the theorem as printed says nothing; `speaks`
    is the least and the largest of the ridges looked at where it says something, None if it does so at none.
    """

    demand: Demand
    printed: float
    repaired: dict[str, float]
    unmet: tuple[str, ...]
    vacuous: tuple[Reason, ...]
    speaks: tuple[float, float] | None


def judge_demand(
    demand: Demand, here: Scene, elsewhere: Sequence[Scene]
) -> Answer:
    """The demand at `here`, and where among the scenes `elsewhere`, at other ridges, it says something."""
    repaired = {
        claim: feature_count(features(here))
        for claim, features in demand.repairs.items()
    }
    unmet = tuple(
        text for text, holds in demand.hypotheses.items() if not holds(here)
    )
    ridges = [
        scene.lam for scene in elsewhere if not any(vacuities(demand, scene))
    ]
    speaks = (min(ridges), max(ridges)) if ridges else None
    printed, vacuous = (
        feature_count(demand.features(here)),
        tuple(vacuities(demand, here)),
    )
    return Answer(demand, printed, repaired, unmet, vacuous, speaks)


def vacuities(demand: Demand, scene: Scene) -> Iterator[Reason]:
    """Why the theorem as printed says nothing at the scene."""
    for text, holds in demand.hypotheses.items():
        if not holds(scene):
            yield Reason("H", f"its hypothesis {text} fails")
    for text, holds in demand.trivial.items():
        if holds(scene):
            yield Reason("T", f"its bound is trivial: {text}")
    if feature_count(demand.features(scene)) >= scene.n:
        yield Reason(
            "N", "it asks for as many features as there are points, or more"
        )


def feature_count(x: float) -> float:
    """A number of features: rounded up, at least 1."""
    return float(max(math.ceil(x), 1)) if math.isfinite(x) else math.inf


# the demands of the papers


def collected(theory: Path) -> list[Demand]:
    """`DEMANDS` of every theory/PAPER/demands.py, paper by paper. Raises CannotLoad if one cannot be used."""
    return [
        demand
        for file in sorted(theory.glob("*/demands.py"))
        for demand in _demands(file)
    ]


def _demands(file: Path) -> list[Demand]:
    from boundcheck.words.loading import (
        CannotLoad,
        module_of,
    )  # here: the help of a command loads no NumPy

    demands = getattr(module_of(file), "DEMANDS", None)
    if not isinstance(demands, (list, tuple)):
        raise CannotLoad(
            f"{file} has no list DEMANDS; write one, or move the file away."
        )
    return list(demands)
