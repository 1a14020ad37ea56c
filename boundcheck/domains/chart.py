"""Charts: how the continuous numbers of an instance may move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Chart:
    """A range of numbers, open unless `closed` below or `closed_above`, and coordinates without bounds on it."""

    low: float = -np.inf
    high: float = np.inf
    closed: bool = False
    closed_above: bool = False
    whole: bool = False
    """Whether only integers count."""

    def free(self, x: np.ndarray) -> np.ndarray:
        """Coordinates without bounds."""
        if np.isfinite(self.high):
            t = np.clip((x - self.low) / (self.high - self.low), 1e-12, 1 - 1e-12)
            return np.log(t / (1 - t))
        return np.log(np.maximum(x - self.low, 1e-300)) if np.isfinite(self.low) else np.asarray(x, dtype=float)

    def bound(self, t: np.ndarray) -> np.ndarray:
        """The inverse of `free`."""
        t = np.clip(t, -690, 690)
        if np.isfinite(self.high):
            inside = self.low + (self.high - self.low) / (1 + np.exp(-t))
            low = self.low if self.closed else np.nextafter(self.low, np.inf)
            return np.clip(inside, low, self.high if self.closed_above else np.nextafter(self.high, -np.inf))
        return self.low + np.exp(t) if np.isfinite(self.low) else t

    def contains(self, x: float) -> bool:
        if self.whole and not float(x).is_integer():
            return False
        return self.low < x < self.high or (self.closed and x == self.low) or (self.closed_above and x == self.high)


def counting(low: int, high: int) -> Chart:
    """The integers from low to high, both included."""
    return Chart(low - 0.5, high + 0.5, whole=True)


REAL = Chart()
POSITIVE = Chart(0)
NONNEGATIVE = Chart(0, closed=True)
FIXED = Chart(0, 0)
COUNTING = counting(1, 10_000)
