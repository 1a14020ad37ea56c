"""Points on the unit circle and the signs of their inner products with random directions: Wang (2019),
Section 5.
"""

from __future__ import annotations

from functools import cached_property
from math import factorial, prod
from typing import Any

import numpy as np

from boundcheck.domains import integers
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings import setting


@setting
class Corners:
    """Two corners x, x' of a regular polygon with 4 q corners, and v uniform on the circle.

    Between neighbouring corners the signs of x^T v and x'^T v do not change, so that v uniform on the circle
    and v uniform on the middles of the 4 q sides have the same signs. In higher dimensions the signs depend
    on the projection of v on the plane of x and x', whose direction is uniform too.
    """

    q: integers(1, 4)  # type: ignore[valid-type]
    x: integers(0, 15)  # type: ignore[valid-type]
    x_test: integers(0, 15)  # type: ignore[valid-type]

    @property
    def steps(self) -> int:
        """Sides between x and x', at most 2 q; the angle is pi steps / (2 q)."""
        sides = 4 * int(self.q)
        apart = (int(self.x) - int(self.x_test)) % sides
        return min(apart, sides - apart)

    @cached_property
    def signs(self) -> Quantity:
        """(sgn(x^T v), sgn(x'^T v))."""
        q = int(self.q)
        near = [(np.arange(4 * q) - int(corner) + q) % (4 * q) < 2 * q for corner in (self.x, self.x_test)]
        table = np.where(near, 1.0, -1.0).T
        return quantity(lambda rng, size: rng.choice(table, size))


@setting
class UniformOnCircle:
    """n training points uniform on the unit circle, s directions v uniform on it, psi = sgn(x^T v)."""

    n: integers(2, 3)  # type: ignore[valid-type]
    s: integers(1, 8)  # type: ignore[valid-type]

    @cached_property
    def angles(self) -> Quantity:
        return quantity(lambda rng, size: rng.uniform(0, 2 * np.pi, (size, self.n)))

    def spare(self, lam: float, c: float) -> Quantity:
        """Smallest eigenvalue of E_V[s E_x' theta theta^T] - c (K - K^2 / n), x' uniform on the training
        points.

        It is negative when some y has E (ftilde - f)^2 < c / s ||(K - K^2 / n)^(1/2) (K + n lam I)^-1 y||^2.
        """

        def compute(angles: Any) -> Any:
            z, chance = arcs(angles)
            K = (z * chance[:, None, :]) @ np.swapaxes(z, -1, -2)
            return np.linalg.eigvalsh(self._mean_square(z, chance, K, lam) - c * (K - K @ K / self.n))[:, 0]

        return self.angles.map(compute)

    def _mean_square(self, z: Any, chance: Any, K: Any, lam: float) -> Any:
        """E_V (s / n) (Kt - K) [n lam (Kt + n lam I)^-1]^2 (Kt - K) of eq. (25), by the counts of the
        arcs.
        """
        ridge, total = self.n * lam * np.eye(self.n), np.zeros_like(K)
        for counts in compositions(self.s, self.n):
            Kt = (z * np.array(counts) / self.s) @ np.swapaxes(z, -1, -2)
            root = self.n * lam * np.linalg.solve(Kt + ridge, Kt - K)
            orders = factorial(self.s) // prod(factorial(k) for k in counts)
            weight = orders * np.prod(chance ** np.array(counts), axis=1)
            total += weight[:, None, None] * (np.swapaxes(root, -1, -2) @ root)
        return total * self.s / self.n


@setting
class Directions:
    """s given directions, spread evenly over half the circle, and n training points uniform on the circle."""

    n: integers(2, 24)  # type: ignore[valid-type]
    s: integers(1, 16)  # type: ignore[valid-type]

    def spare(self, lam: float, c: float) -> Quantity:
        """Smallest eigenvalue of (Kt - K) ([n lam (Kt + n lam I)^-1]^2 - c I) (Kt - K)."""
        v = np.arange(self.s) * np.pi / self.s

        def compute(angles: Any) -> Any:
            Psi = np.sign(np.cos(angles[..., None] - v)) / np.sqrt(self.s)
            apart = np.abs(angles[:, :, None] - angles[:, None, :])
            K = 1 - 2 / np.pi * np.minimum(apart, 2 * np.pi - apart)
            Kt = Psi @ np.swapaxes(Psi, -1, -2)
            root = self.n * lam * np.linalg.solve(Kt + self.n * lam * np.eye(self.n), Kt - K)
            return np.linalg.eigvalsh(np.swapaxes(root, -1, -2) @ root - c * (Kt - K) @ (Kt - K))[:, 0]

        return quantity(lambda rng, size: rng.uniform(0, 2 * np.pi, (size, self.n))).map(compute)


def arcs(angles: Any) -> tuple[Any, Any]:
    """Sign vectors of the n arcs of directions (up to a common sign), and their probabilities.

    Shapes: angles (T, n) -> z (T, n, arcs), chance (T, arcs).
    """
    starts = np.sort(angles % np.pi, axis=1)
    lengths = np.diff(np.concatenate([starts, starts[:, :1] + np.pi], axis=1), axis=1)
    middles = starts + lengths / 2
    return np.sign(np.sin(angles[:, :, None] - middles[:, None, :])), lengths / np.pi


def compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    """Counts of `parts` kinds that sum to `total`."""
    if parts == 1:
        return [(total,)]
    firsts = range(total + 1)
    return [(first, *rest) for first in firsts for rest in compositions(total - first, parts - 1)]
