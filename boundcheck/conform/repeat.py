"""What decides a map: its random_state and nothing else, not the data, not the past, not the other points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boundcheck.checking.verdict import Outcome
from boundcheck.conform.contract import Item
from boundcheck.conform.maps import FeatureMap, transformed
from boundcheck.conform.trials import Points

SEEDS = tuple(range(8))
ROUNDING = 1e-9
"""A row computed alone may differ by this from the row in a batch: products of matrices may add in another order."""


def deterministic(subject: FeatureMap, points: Points, s: int) -> Item:
    """Same seed, same bytes; other seeds, other bytes; transform leaves the map as it was; rows do not see each other."""
    faults = [*_seeds(subject, points, s), *_state(subject, points, s)]
    if faults:
        return Item("deterministic", Outcome.REFUTED, "; ".join(faults))
    seeds = f"each of {len(SEEDS)} seeds gives its own bytes, twice the same" if subject.random else "no seed, and twice the same bytes"
    rest = "transform changes nothing, and a point alone has the features it has among others"
    return Item("deterministic", Outcome.HOLDS, f"{seeds}; {rest}")


def _seeds(subject: FeatureMap, points: Points, s: int) -> Iterator[str]:
    first, second = ([_look(subject, points, s, seed) for seed in SEEDS] for _ in range(2))
    again = sum(one != two for one, two in zip(first, second, strict=True))
    if again:
        yield f"with the same random_state two fits differ ({again} of {len(SEEDS)} seeds)"
    elif subject.random and len(set(first)) == 1:
        yield f"random_state is ignored: {len(SEEDS)} seeds give the same bytes"


def _look(subject: FeatureMap, points: Points, s: int, seed: int) -> bytes:
    return subject.features(s, seed, points.data, points.X).tobytes()


def _state(subject: FeatureMap, points: Points, s: int) -> Iterator[str]:
    fitted = subject.fitted(s, 0, points.data)
    once = transformed(fitted, points.X.copy()).copy()
    rows = np.concatenate([transformed(fitted, x[None].copy()) for x in points.X])
    twice = transformed(fitted, points.X.copy())
    if once.tobytes() != twice.tobytes():
        yield f"transform changes the map: the second differs by {_apart(once, twice):.3g} from the first"
    elif not _apart(once, rows) <= ROUNDING * max(1.0, float(np.abs(once).max())):
        yield f"the features of a point depend on the other points of the batch, by {_apart(once, rows):.3g}"
    refitted = transformed(subject.fit(fitted, points.data.copy()), points.X.copy())
    if refitted.tobytes() != once.tobytes():
        yield f"a second fit of the same map differs by {_apart(once, refitted):.3g} from the first"


def data_independent(subject: FeatureMap, points: Points, s: int) -> Item:
    """Fit on data of one shape and other values, with the same seed."""
    other = np.maximum(points.data, np.roll(points.data, 1, axis=0))
    one, again, two = (subject.features(s, 0, data, points.X) for data in (points.data, points.data, other))
    if one.tobytes() != again.tobytes():
        return Item("data-independent", Outcome.INCONCLUSIVE, "two fits on the same data differ already (see deterministic)")
    if one.shape == two.shape and one.tobytes() == two.tobytes():
        return Item("data-independent", Outcome.HOLDS, "fits on two data sets of one shape give the same bytes")
    reason = f"two data sets of one shape give features that differ by {_apart(one, two):.3g} with the same random_state"
    return Item("data-independent", Outcome.REFUTED, reason)


def orthogonal(subject: FeatureMap, points: Points, s: int) -> bool:
    """Whether the first d frequencies in an array of a fitted map, (d, s) or (s, d), are orthogonal."""
    d = points.X.shape[1]
    arrays = [a for a in vars(subject.fitted(s, 0, points.data)).values() if isinstance(a, np.ndarray)]
    found = [W if W.shape[1] == d else W.T for W in arrays if W.ndim == 2 and W.dtype.kind == "f" and d in W.shape]
    grams = [W[:d] @ W[:d].T for W in found if len(W) >= d > 1]
    return any(np.abs(G - np.diag(G.diagonal())).max() <= 1e-5 * G.diagonal().min() for G in grams)


def _apart(one: NDArray, two: NDArray) -> float:
    """The largest difference; two that are both not a number do not differ."""
    if one.shape != two.shape:
        return float("inf")
    return float(np.where(np.isnan(one) & np.isnan(two), 0.0, np.abs(np.subtract(one, two, dtype=np.float64))).max())
