"""What a few fits of a map decide: repeatability, shapes, parameters, inputs, float32, the docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.features.conform.contract import (
    HOLDS,
    INCONCLUSIVE,
    REFUTED,
    VACUOUS,
    Item,
)
from boundcheck.features.conform.draws import Points
from boundcheck.features.conform.maps import (
    FeatureMap,
    MapError,
    Statement,
    sentence,
    transformed,
)

SEEDS = tuple(range(8))
ROUNDING = 1e-9
"""A row computed alone may differ by this from one in a batch: products may add in another order."""


def deterministic(subject: FeatureMap, points: Points, s: int) -> Item:
    """Same seed, same bytes; other seeds, others; transform leaves the map alone; rows do not meet."""
    faults = [*_seeds(subject, points, s), *_state(subject, points, s)]
    if faults:
        return Item("deterministic", REFUTED, "; ".join(faults))
    own = f"each of {len(SEEDS)} seeds gives its own bytes, twice the same"
    seeds = own if subject.random else "no seed, and twice the same bytes"
    rest = "transform changes nothing, and a point alone has the features it has among others"
    return Item("deterministic", HOLDS, f"{seeds}; {rest}")


def _seeds(subject: FeatureMap, points: Points, s: int) -> Iterator[str]:
    first, second = (
        [
            subject.features(s, seed, points.data, points.X).tobytes()
            for seed in SEEDS
        ]
        for _ in range(2)
    )
    again = sum(one != two for one, two in zip(first, second, strict=True))
    if again:
        yield f"with the same random_state two fits differ ({again} of {len(SEEDS)} seeds)"
    elif subject.random and len(set(first)) == 1:
        yield f"random_state is ignored: {len(SEEDS)} seeds give the same bytes"


def _state(subject: FeatureMap, points: Points, s: int) -> Iterator[str]:
    fitted = subject.fitted(s, 0, points.data)
    once = transformed(fitted, points.X.copy()).copy()
    rows = np.concatenate(
        [transformed(fitted, x[None].copy()) for x in points.X]
    )
    twice = transformed(fitted, points.X.copy())
    if once.tobytes() != twice.tobytes():
        yield f"transform changes the map: the second differs by {_apart(once, twice):.3g} from the first"
    elif not _apart(once, rows) <= ROUNDING * max(
        1.0, float(np.abs(once).max())
    ):
        yield f"the features of a point depend on the other points of the batch, by {_apart(once, rows):.3g}"
    refitted = transformed(
        subject.fit(fitted, points.data.copy()), points.X.copy()
    )
    if refitted.tobytes() != once.tobytes():
        yield f"a second fit of the same map differs by {_apart(once, refitted):.3g} from the first"


def data_independent(subject: FeatureMap, points: Points, s: int) -> Item:
    """Fit on data of one shape and other values, with the same seed."""
    other = np.maximum(points.data, np.roll(points.data, 1, axis=0))
    one, again, two = (
        subject.features(s, 0, data, points.X)
        for data in (points.data, points.data, other)
    )
    if one.tobytes() != again.tobytes():
        reason = "two fits on the same data differ already (see deterministic)"
        return Item("data-independent", INCONCLUSIVE, reason)
    if one.shape == two.shape and one.tobytes() == two.tobytes():
        return Item(
            "data-independent",
            HOLDS,
            "fits on two data sets of one shape give the same bytes",
        )
    differ = f"features that differ by {_apart(one, two):.3g} with the same random_state"
    reason = f"two data sets of one shape give {differ}"
    return Item("data-independent", REFUTED, reason)


def is_orthogonal(subject: FeatureMap, points: Points, s: int) -> bool:
    """Whether the first d frequencies in an array of a fitted map, (d, s) or (s, d), are orthogonal."""
    d = points.X.shape[1]
    for W in vars(subject.fitted(s, 0, points.data)).values():
        if (
            isinstance(W, np.ndarray)
            and W.ndim == 2
            and W.dtype.kind == "f"
            and d in W.shape
        ):
            W = W if W.shape[1] == d else W.T
            if len(W) >= d > 1 and _is_diagonal(W[:d] @ W[:d].T):
                return True
    return False


def _is_diagonal(G: NDArray) -> bool:
    diagonal = G.diagonal()
    return bool(np.abs(G - np.diag(diagonal)).max() <= 1e-5 * diagonal.min())


def _apart(one: NDArray, two: NDArray) -> float:
    """The largest difference; two that are both not a number do not differ."""
    if one.shape != two.shape:
        return float("inf")
    apart = np.abs(np.subtract(one, two, dtype=np.float64))
    return float(np.where(np.isnan(one) & np.isnan(two), 0.0, apart).max())


# what code around a map relies on


ODD = (1, 7)


def interface(subject: FeatureMap, points: Points) -> Item:
    """Every fault found; a size that the map refuses with an exception is none."""
    refused = [s for s in ODD if subject.sized and _refuses(subject, points, s)]
    faults = [
        *_shapes(subject, points, refused),
        *_inputs(subject, points),
        *_parameters(subject, points),
    ]
    if faults:
        return Item("interface", REFUTED, "; ".join(faults))
    shapes = (
        "the shape is (n, s)"
        if subject.sized
        else "the number of features follows from the parameters"
    )
    taken = ", odd s too" if subject.sized else ""
    without = (
        f", s = {', '.join(map(str, refused))} refused" if refused else taken
    )
    rest = "inputs and parameters stay as they are; get_params and set_params agree"
    return Item("interface", HOLDS, f"{shapes}{without}; {rest}")


def _refuses(subject: FeatureMap, points: Points, s: int) -> bool:
    try:
        subject.features(s, 0, points.data, points.X)
    except MapError:
        return True
    return False


def _shapes(
    subject: FeatureMap, points: Points, refused: list[int]
) -> Iterator[str]:
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
    at_once = _fit_transform(subject, points)
    if not np.array_equal(
        at_once, transformed(fitted, points.data.copy()), equal_nan=True
    ):
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
        copied = (
            type(made)(**before).set_params(**before).fit(points.data.copy())
        )
    except Exception as error:
        yield f"get_params and set_params fail ({sentence(error)})"
        return
    if not _equal(before, after):
        yield "fit changes the parameters that get_params gives"
    if (
        transformed(copied, points.X.copy()).tobytes()
        != transformed(made, points.X.copy()).tobytes()
    ):
        yield "a map with set_params of another's get_params has other features"


def _equal(one: dict[str, Any], two: dict[str, Any]) -> bool:
    alike = (
        x is two.get(name) or np.all(x == two[name]) for name, x in one.items()
    )
    return one.keys() == two.keys() and all(alike)


# float32: what comes out of float32 inputs, and how far it is from what float64 gives


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
        return Item(
            "float32",
            REFUTED,
            f"float32 inputs are not taken: {str(error).split(';')[0]}",
        )
    double, again = (
        subject.features(s, 0, data.astype(np.float64), X.astype(np.float64))
        for _ in range(2)
    )
    if double.tobytes() != again.tobytes():
        return Item(
            "float32",
            INCONCLUSIVE,
            "two fits in float64 differ already (see deterministic)",
        )
    if not np.isfinite(double).all():
        return Item(
            "float32", INCONCLUSIVE, "features are not finite in float64 either"
        )
    if not np.isfinite(single).all():
        count = int((~np.isfinite(single)).sum())
        return Item(
            "float32",
            REFUTED,
            f"{count} features are not finite in float32 and finite in float64",
        )
    return _judged(
        subject, single, double, _allowed(subject, data, X, double, s)
    )


def _judged(
    subject: FeatureMap, single: NDArray, double: NDArray, bound: float
) -> Item:
    error, promised = (
        float(np.abs(single.astype(np.float64) - double).max()),
        promises(subject),
    )
    kept = single.dtype == np.float32
    dtype = f"float32 gives {single.dtype}" + (
        ", as promised" if promised and kept else ""
    )
    numbers = {"error": error, "bound": bound, "dtype": str(single.dtype)}
    reason = f"{dtype}; the largest error is {error:.2g} = {error / UNIT:.3g} u, allowed is {bound:.2g}"
    if promised and not kept:
        return Item(
            "float32",
            REFUTED,
            f"{reason}; float32 is promised to stay float32",
            numbers,
        )
    return Item(
        "float32", HOLDS if error <= bound else REFUTED, reason, numbers
    )


def promises(subject: FeatureMap) -> bool | None:
    """Whether the tags of scikit-learn promise that float32 stays float32; None without tags."""
    try:
        return (
            "float32"
            in subject.made(subject.usual, 0)
            .__sklearn_tags__()
            .transformer_tags.preserves_dtype
        )
    except Exception:
        return None


def _allowed(
    subject: FeatureMap, data: NDArray, X: NDArray, phi: NDArray, s: int
) -> float:
    """n u (max_i sum_j |x_j d phi_i / d x_j| + 2 pi max |phi|), n = 8 (d + 8), for every rounding.

    A weight or an input off by u moves phi_i by u |x_j d phi_i / d x_j|, and a phase of at most 2 pi off by u
    moves it by 2 pi u max |phi| (Higham 2002, Chapter 3, with 8 roundings for each of d + 8 operations).
    """
    points, data = X.astype(np.float64), data.astype(np.float64)
    moved = np.zeros_like(phi, dtype=np.float64)
    for j in range(points.shape[1]):
        step = STEP * np.abs(points[:, j]) * np.eye(points.shape[1])[j][:, None]
        ahead, behind = (
            subject.features(s, 0, data, points + sign * step.T)
            for sign in (1, -1)
        )
        moved += np.abs(ahead - behind) / (2 * STEP)
    return float(
        OPERATIONS
        * (points.shape[1] + 8)
        * UNIT
        * (moved.max() + 2 * np.pi * np.abs(phi).max())
    )


# fitted attributes against the section "Attributes" of the docstring, in the style of numpydoc


ENTRY = re.compile(r"^(\w+)\s*:\s*(.*)$")
SHAPE = re.compile(r"shape\s*=?\s*[(\[](.*?)[)\]]")
DTYPE = re.compile(r"dtype\s*=\s*(\{[^}]*\}|[\w.]+)")


def documented(
    subject: FeatureMap, points: Points, statements: tuple[Statement, ...] = ()
) -> Item:
    """Attributes of a fitted map, and further statements; what the docstring does not say is not judged."""
    fitted = subject.fitted(subject.usual, 0, points.data)
    n, d = points.data.shape
    sizes = {
        "n_features": d,
        "n_samples": n,
        subject.size: subject.usual,
        **_whole(subject, fitted),
    }
    arrays = {
        name: value
        for name, value in vars(fitted).items()
        if isinstance(value, np.ndarray)
    }
    stated = [
        (name, text)
        for name, text in attributes(inspect.getdoc(subject.cls) or "")
        if name in arrays
    ]
    faults = [
        fault
        for name, text in stated
        for fault in differences(name, text, arrays[name], sizes)
    ]
    faults += [fault for statement in statements for fault in statement(fitted)]
    if faults:
        return Item("documented", REFUTED, "; ".join(faults))
    if not stated:
        return Item(
            "documented",
            VACUOUS,
            "the docstring states no array among the fitted attributes",
        )
    return Item(
        "documented",
        HOLDS,
        f"{', '.join(name for name, _ in stated)}: as the docstring says",
    )


def attributes(doc: str) -> Iterator[tuple[str, str]]:
    """Names and types in the section "Attributes" of a clean docstring; backslashes continue a type."""
    section = re.search(
        r"^Attributes\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", doc, re.M | re.S
    )
    for line in re.sub(
        r"\s*\\\s*\n\s*", " ", section[1] if section else ""
    ).splitlines():
        entry = ENTRY.match(line)
        if entry:
            yield entry[1], entry[2]


def differences(
    name: str, text: str, value: np.ndarray, sizes: dict[str, int]
) -> Iterator[str]:
    """What the type of an attribute says and the array does not."""
    shape, dtype = SHAPE.search(text), DTYPE.search(text)
    if shape and (expected := _numbers(shape[1], sizes)) not in (
        None,
        value.shape,
    ):
        yield f"{name} is stated to have shape ({shape[1]}) = {expected} and has {value.shape}"
    if (
        dtype
        and (known := re.findall(r"[a-z]+\d+", dtype[1]))
        and value.dtype.name not in known
    ):
        yield f"{name} is stated to be {dtype[1].strip('{}')} and is {value.dtype}"


def _numbers(shape: str, sizes: dict[str, int]) -> tuple[int, ...] | None:
    """(degree, n_features) as numbers; None where a name is not known."""
    names = [name.strip(" `") for name in shape.split(",") if name.strip(" `")]
    if not all(name.isdigit() or name in sizes for name in names):
        return None
    return tuple(int(name) if name.isdigit() else sizes[name] for name in names)


def _whole(subject: FeatureMap, fitted: object) -> dict[str, int]:
    """Parameters that are whole numbers, which shapes refer to."""
    get = getattr(fitted, "get_params", lambda: {})
    return {
        name: value
        for name, value in get().items()
        if type(value) is int and name != subject.seed
    }
