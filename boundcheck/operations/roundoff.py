"""What IEEE double arithmetic loses: the unit roundoff, gamma_n, and the operations that lose nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

U = 2.0**-53
"""Unit roundoff."""

TINY = 1e-300
"""More than anything that underflow can lose."""

FUNCTION = 4 * 2.0**-52
"""Relative error of an elementary function of NumPy: 4 ulp."""


@dataclass(frozen=True)
class Step:
    """One node: its fields, its float value, and the values and radii of its operands."""

    node: dict[str, Any]
    value: np.ndarray
    xs: list[np.ndarray]
    rs: list[np.ndarray]


def gamma(n: Any) -> Any:
    """n u / (1 - n u), Higham, Accuracy and Stability of Numerical Algorithms, 3.1; inf for n beyond 2^52."""
    return np.where(
        np.asarray(n) < 2.0**52, n * U / (1 - np.minimum(n * U, 0.5)), np.inf
    )


def ends(x: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Floats that enclose [x - r, x + r]; both are x itself where r is zero."""
    low, high = np.nextafter(x - r, -np.inf), np.nextafter(x + r, np.inf)
    return np.where(r > 0, low, x), np.where(r > 0, high, x)


def is_decimal(x: np.ndarray) -> np.ndarray:
    """Whether the shortest decimal of x certainly is x: integers, and multiples of 2^-10 with 15 digits."""
    whole = (np.rint(x) == x) & (np.abs(x) <= 2.0**53)
    return whole | ((np.rint(x * 1024) == x * 1024) & (np.abs(x) < 1e5))


def on_grid(x: np.ndarray, bits: int) -> np.ndarray:
    """Whether x is a multiple of 2^-bits; sums of such numbers up to 2^(53 - bits) are exact in any order."""
    scaled = x * 2.0**bits
    return np.rint(scaled) == scaled


def sum_error(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """|fl(x + y) - (x + y)| itself (Knuth's TwoSum)."""
    s = x + y
    z = s - x
    return np.abs((x - (s - z)) + (y - z))


def product_is_exact(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether fl(x y) certainly is x y (Dekker's TwoProduct; not certain near underflow and overflow)."""
    p, (a, b), (c, d) = x * y, _halves(x), _halves(y)
    lost = ((a * c - p) + a * d + b * c) + b * d
    return ((lost == 0) & (np.abs(p) > 1e-250)) | (
        ((x == 0) | (y == 0)) & (p == 0)
    )


def _halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """High and low part of 26 bits each (Veltkamp)."""
    scaled = x * 134217729.0
    high = scaled - (scaled - x)
    return high, x - high
