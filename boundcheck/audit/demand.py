"""What a theorem demands: its number of features as printed and as repaired, and when it says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


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
    def at_worst(cls, n: int, lam: float, d_K: float, eps: float, delta: float) -> Scene:
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

SMALL_RIDGE: Mapping[str, Condition] = {"n lam <= lambda_1(K)": lambda at: at.lam <= at.lambda_1}


def trivial(multiple: float) -> Mapping[str, Condition]:
    """Where a bound of multiple lam on the excess risk says nothing."""
    text = f"{multiple} lam is no less than the mean of y^2, the risk of predicting 0"
    return {text: lambda at: multiple * at.lam >= at.label_square}
