"""L-BFGS of every member of a population at once: one look each a round, each with its step and memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Looks = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Coordinates of some members, and which they are, to scores and gradients."""

MEMORY = 10
FIRST, LONGEST = 0.1, 2.0
"""The length of a first step, and of any step, in units of the coordinates, for each root of their number."""

RESET, LAST = 10, 22
"""Failed steps in a row after which a member forgets what it learned, and after which it rests."""

ENOUGH = 1e-4
"""The share of the promised gain that a step has to keep."""

IDLE = 1e-12
"""A member that gains less rests."""


class Ascent:
    """Members x coordinates that climb a score; `dead` are at rest, at a top or against a path condition."""

    def __init__(self, looks: Looks, X: np.ndarray):
        self.looks, self.X = looks, X.copy()
        count, size = X.shape
        self.f, self.g = looks(self.X, np.arange(count))
        self.S, self.Y = (
            np.zeros((count, MEMORY, size)),
            np.zeros((count, MEMORY, size)),
        )
        self.rho = np.zeros((count, MEMORY))
        self.step, self.fails = np.ones(count), np.zeros(count, dtype=int)
        self.reach = np.full(count, np.inf)
        self.gain = np.full(count, np.inf)
        self.dead, self.rounds = ~np.isfinite(self.f), 0
        self.D = self._directions(np.arange(count))

    def round(self) -> int:
        """One look at every member that is not at rest; the number of looks."""
        self.rounds += 1
        alive = np.flatnonzero(~self.dead)
        if not alive.size:
            return 0
        trial = self.X[alive] + self.step[alive, None] * self.D[alive]
        f, g = self.looks(trial, alive)
        promised = np.einsum("bi,bi->b", self.D[alive], self.g[alive])
        better = (
            np.isfinite(f)
            & (f >= self.f[alive] + ENOUGH * self.step[alive] * promised)
            & (f > self.f[alive] - 1e-15)
        )
        won, lost = alive[better], alive[~better]
        self._learn(won, trial[better], f[better], g[better])
        self.step[lost] *= 0.3
        self.fails[lost] += 1
        # without a memory there is nothing to forget: towards a pole steps have to get ever shorter
        learned = self.rho[lost].any(axis=1)
        reset = lost[learned & (self.fails[lost] >= RESET)]
        self.rho[reset], self.step[reset] = 0, 1.0
        self.dead[lost[self.fails[lost] > LAST]] = True
        self.dead |= self.gain < IDLE
        again = np.concatenate([won, reset])
        self.D[again] = self._directions(again)
        return alive.size

    def restart(self, members: np.ndarray, X: np.ndarray) -> None:
        """Begin anew with some members elsewhere."""
        self.X[members] = X
        self.f[members], self.g[members] = self.looks(X, members)
        self.rho[members], self.step[members], self.fails[members] = 0, 1.0, 0
        self.gain[members], self.reach[members] = np.inf, np.inf
        self.dead[members] = ~np.isfinite(self.f[members])
        self.D[members] = self._directions(members)

    def _learn(
        self, won: np.ndarray, X: np.ndarray, f: np.ndarray, g: np.ndarray
    ) -> None:
        """Move, and remember how the gradient changed, where it did so as below a maximum."""
        s, y = X - self.X[won], self.g[won] - g
        sy = np.einsum("bi,bi->b", s, y)
        keep = sy > 1e-12 * np.sqrt(
            np.sum(s * s, axis=1) * np.sum(y * y, axis=1)
        )
        k = won[keep]
        for memory, new in (
            (self.S, s[keep]),
            (self.Y, y[keep]),
            (self.rho, 1 / sy[keep]),
        ):
            memory[k, :-1] = memory[k, 1:]
            memory[k, -1] = new
        gained = f - self.f[won]
        known = np.isfinite(self.gain[won])
        self.gain[won] = np.where(
            known,
            0.8 * np.where(known, self.gain[won], 0) + 0.2 * gained,
            10 * gained + 1e-6,
        )
        self.reach[won] = 2 * np.sqrt(np.sum(s * s, axis=1))
        self.X[won], self.f[won], self.g[won] = X, f, g
        self.step[won], self.fails[won] = 1.0, 0

    def _directions(self, members: np.ndarray) -> np.ndarray:
        """The two-loop recursion for some members; along the gradient where it leads down."""
        g, S, Y, rho, X = (
            x[members] for x in (self.g, self.S, self.Y, self.rho, self.X)
        )
        q, alphas, filled = g.copy(), [], np.flatnonzero(rho.any(axis=0))
        for k in reversed(filled):
            alphas.append(rho[:, k] * np.einsum("bi,bi->b", S[:, k], q))
            q -= alphas[-1][:, None] * Y[:, k]
        q *= self._scale(g, Y, rho, X, self.reach[members])[:, None]
        for k, a in zip(filled, reversed(alphas), strict=True):
            b = rho[:, k] * np.einsum("bi,bi->b", Y[:, k], q)
            q += S[:, k] * (a - b)[:, None]
        down = ~(np.einsum("bi,bi->b", q, g) > 0)
        q[down] = g[down]
        length = np.sqrt(np.sum(q * q, axis=1))
        longest = LONGEST * np.sqrt(max(X.shape[1], 1))
        return (
            q
            * np.minimum(1, longest / np.where(length > 0, length, 1))[:, None]
        )

    @staticmethod
    def _scale(
        g: np.ndarray,
        Y: np.ndarray,
        rho: np.ndarray,
        X: np.ndarray,
        reach: np.ndarray,
    ) -> np.ndarray:
        """The curvature last met; before any was, so that a step is short, and at most twice the last one."""
        yy = np.einsum("bi,bi->b", Y[:, -1], Y[:, -1])
        new = rho[:, -1] == 0
        norm = np.sqrt(np.sum(g * g, axis=1))
        typical = (
            FIRST
            * np.minimum(
                1, 0.3 + np.sqrt(np.mean(np.minimum(X * X, 100), axis=1))
            )
            * np.sqrt(X.shape[1])
        )
        return np.where(
            new,
            np.minimum(typical, reach) / np.where(norm > 0, norm, 1),
            1 / np.where(new, 1, rho[:, -1] * np.where(yy > 0, yy, 1)),
        )
