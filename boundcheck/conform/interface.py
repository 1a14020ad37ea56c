"""Shapes, parameters and inputs: what code around a feature map relies on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from boundcheck.checking.verdict import Outcome
from boundcheck.conform.maps import FeatureMap, MapError, sentence, transformed
from boundcheck.conform.points import Points
from boundcheck.conform.result import Item

ODD = (1, 7)


def interface(subject: FeatureMap, points: Points) -> Item:
    """Every fault found; a size that the map refuses with an exception is none."""
    refused = [s for s in ODD if subject.sized and _refuses(subject, points, s)]
    faults = [*_shapes(subject, points, refused), *_inputs(subject, points), *_parameters(subject, points)]
    if faults:
        return Item("interface", Outcome.REFUTED, "; ".join(faults))
    shapes = "the shape is (n, s)" if subject.sized else "the number of features follows from the parameters"
    without = f", s = {', '.join(map(str, refused))} refused" if refused else ", odd s too" if subject.sized else ""
    return Item("interface", Outcome.HOLDS, f"{shapes}{without}; inputs and parameters stay as they are; get_params and set_params agree")


def _refuses(subject: FeatureMap, points: Points, s: int) -> bool:
    try:
        subject.features(s, 0, points.data, points.X)
    except MapError:
        return True
    return False


def _shapes(subject: FeatureMap, points: Points, refused: list[int]) -> Iterator[str]:
    if not subject.sized:
        return
    for s in (*ODD, subject.usual):
        if s not in refused:
            shape = subject.features(s, 0, points.data, points.X).shape
            if shape != (len(points.X), s):
                yield f"for {len(points.X)} points and s = {s} the shape is {shape}"


def _inputs(subject: FeatureMap, points: Points) -> Iterator[str]:
    data, X = points.data.copy(), points.X.copy()
    fitted = subject.fitted(subject.usual, 0, data)
    transformed(fitted, X)
    if data.tobytes() != points.data.tobytes():
        yield "fit writes into its input"
    if X.tobytes() != points.X.tobytes():
        yield "transform writes into its input"
    if not np.array_equal(_fit_transform(subject, points), transformed(fitted, points.data.copy()), equal_nan=True):
        yield "fit_transform differs from fit and transform"


def _fit_transform(subject: FeatureMap, points: Points) -> np.ndarray:
    """fit_transform where there is one."""
    made = subject.made(subject.usual, 0)
    if callable(getattr(made, "fit_transform", None)):
        return np.asarray(made.fit_transform(points.data.copy()))
    return subject.features(subject.usual, 0, points.data, points.data)


def _parameters(subject: FeatureMap, points: Points) -> Iterator[str]:
    made = subject.made(subject.usual, 0)
    try:
        before = made.get_params()
        made.fit(points.data.copy())
        after = made.get_params()
        copied = type(made)(**before).set_params(**before).fit(points.data.copy())
    except Exception as error:
        yield f"get_params and set_params fail ({sentence(error)})"
        return
    if not _equal(before, after):
        yield "fit changes the parameters that get_params gives"
    if transformed(copied, points.X.copy()).tobytes() != transformed(made, points.X.copy()).tobytes():
        yield "a map with set_params of another's get_params has other features"


def _equal(one: dict[str, Any], two: dict[str, Any]) -> bool:
    return one.keys() == two.keys() and all(one[name] is two[name] or np.all(one[name] == two[name]) for name in one)
