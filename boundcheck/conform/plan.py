"""How much a conformance run spends, on which sizes, and at which error level."""

from __future__ import annotations

from dataclasses import dataclass

MOST_TRIALS = 10_000_000


@dataclass(frozen=True)
class Plan:
    """Draws of the map at each size, the sizes, the number of inputs of a point, and rows of the data that it is fitted on.

    The sizes are small on purpose: a range R costs every upper bound on a mean R log(1 / level) / trials, and E(k_s - k)^2
    is large against that only where s is small. Of a map that conforms, an item is called REFUTED with probability at most
    `level`, all items together.
    """

    trials: int = 10_000
    sizes: tuple[int, ...] = (2, 8, 32)
    inputs: int = 3
    rows: int = 64
    level: float = 1e-6
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.trials <= MOST_TRIALS:
            raise ValueError(f"Trials are 1 to {MOST_TRIALS}; give such a number instead of {self.trials}.")
        if len(self.sizes) < 2 or list(self.sizes) != sorted({*self.sizes}) or self.sizes[0] < 1:
            raise ValueError("Sizes are at least two positive numbers, in increasing order; give, say, 2,8,32.")
        if not 0 < self.level <= 0.5:
            raise ValueError(f"An error level lies in (0, 1/2]; give, say, 1e-6 instead of {self.level}.")
        if min(self.inputs, self.rows) < 1 or self.seed < 0:
            raise ValueError("Inputs and rows are positive and a seed is not negative; give such numbers.")
