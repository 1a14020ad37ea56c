"""float32: what comes out of float32 inputs, and how far it is from what float64 gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boundcheck.checking.verdict import Outcome
from boundcheck.conform.maps import FeatureMap, MapError
from boundcheck.conform.points import Points
from boundcheck.conform.result import Item

UNIT = 2.0**-24
"""The unit roundoff u of float32."""

OPERATIONS = 8
"""Roundings for each input and each feature that the bound allows."""

STEP = 1e-5
"""Of the central difference that measures a derivative, relative to the input."""


def float32(subject: FeatureMap, points: Points, s: int) -> Item:
    """Error against float64 at the same inputs, and the dtype; the bound is `allowed`."""
    data, X = points.data.astype(np.float32), points.X.astype(np.float32)
    try:
        single = subject.features(s, 0, data, X)
    except MapError as error:
        return Item("float32", Outcome.REFUTED, f"float32 inputs are not taken: {str(error).split(';')[0]}")
    double, again = (subject.features(s, 0, data.astype(np.float64), X.astype(np.float64)) for _ in range(2))
    if double.tobytes() != again.tobytes():
        return Item("float32", Outcome.INCONCLUSIVE, "two fits in float64 differ already (see deterministic)")
    if not np.isfinite(double).all():
        return Item("float32", Outcome.INCONCLUSIVE, "features are not finite in float64 either")
    if not np.isfinite(single).all():
        count = int((~np.isfinite(single)).sum())
        return Item("float32", Outcome.REFUTED, f"{count} features are not finite in float32 and finite in float64")
    return _judged(subject, single, double, allowed(subject, data, X, double, s))


def _judged(subject: FeatureMap, single: NDArray, double: NDArray, bound: float) -> Item:
    error, promised = float(np.abs(single.astype(np.float64) - double).max()), promises(subject)
    dtype = f"float32 gives {single.dtype}" + (", as promised" if promised and single.dtype == np.float32 else "")
    numbers = {"error": error, "bound": bound, "dtype": str(single.dtype)}
    reason = f"{dtype}; the largest error is {error:.2g} = {error / UNIT:.3g} u, allowed is {bound:.2g}"
    if promised and single.dtype != np.float32:
        return Item("float32", Outcome.REFUTED, f"{reason}; float32 is promised to stay float32", numbers)
    return Item("float32", Outcome.HOLDS if error <= bound else Outcome.REFUTED, reason, numbers)


def promises(subject: FeatureMap) -> bool | None:
    """Whether the tags of scikit-learn promise that float32 stays float32; None without tags."""
    try:
        return "float32" in subject.made(subject.usual, 0).__sklearn_tags__().transformer_tags.preserves_dtype
    except Exception:
        return None


def allowed(subject: FeatureMap, data: NDArray, X: NDArray, phi: NDArray, s: int) -> float:
    """n u (max_i sum_j |x_j d phi_i / d x_j| + 2 pi max |phi|), n = 8 (d + 8): roundings of inputs, weights, phase and result.

    A weight or an input off by u moves phi_i by u |x_j d phi_i / d x_j|, and a phase of at most 2 pi off by u moves it by
    2 pi u max |phi| (Higham 2002, Chapter 3, with 8 roundings for each of d + 8 operations).
    """
    points, data = X.astype(np.float64), data.astype(np.float64)
    moved = np.zeros_like(phi, dtype=np.float64)
    for j in range(points.shape[1]):
        step = STEP * np.abs(points[:, j]) * np.eye(points.shape[1])[j][:, None]
        ahead, behind = (subject.features(s, 0, data, points + sign * step.T) for sign in (1, -1))
        moved += np.abs(ahead - behind) / (2 * STEP)
    return float(OPERATIONS * (points.shape[1] + 8) * UNIT * (moved.max() + 2 * np.pi * np.abs(phi).max()))
