"""Fitted attributes against the docstring: shapes and dtypes of its section "Attributes", in the style of numpydoc."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from boundcheck.checking.verdict import Outcome
from boundcheck.conform.maps import FeatureMap
from boundcheck.conform.points import Points
from boundcheck.conform.result import Item

ENTRY = re.compile(r"^(\w+)\s*:\s*(.*)$")
SHAPE = re.compile(r"shape\s*=?\s*[(\[](.*?)[)\]]")
DTYPE = re.compile(r"dtype\s*=\s*(\{[^}]*\}|[\w.]+)")


Statement = Callable[[Any], Iterator[str]]
"""A sentence of a documentation as a check of a fitted map: what is wrong with it."""


def documented(subject: FeatureMap, points: Points, statements: tuple[Statement, ...] = ()) -> Item:
    """Attributes of a fitted map, and further statements; what the docstring does not say is not judged."""
    fitted = subject.fitted(subject.usual, 0, points.data)
    sizes = {"n_features": points.data.shape[1], "n_samples": len(points.data), subject.size: subject.usual, **_whole(subject, fitted)}
    arrays = {name: value for name, value in vars(fitted).items() if isinstance(value, np.ndarray)}
    stated = [(name, text) for name, text in attributes(inspect.getdoc(subject.cls) or "") if name in arrays]
    faults = [fault for name, text in stated for fault in differences(name, text, arrays[name], sizes)]
    faults += [fault for statement in statements for fault in statement(fitted)]
    if faults:
        return Item("documented", Outcome.REFUTED, "; ".join(faults))
    if not stated:
        return Item("documented", Outcome.VACUOUS, "the docstring states no array among the fitted attributes")
    return Item("documented", Outcome.HOLDS, f"{', '.join(name for name, _ in stated)}: as the docstring says")


def attributes(doc: str) -> Iterator[tuple[str, str]]:
    """Names and types in the section "Attributes" of a clean docstring; a type that a backslash continues is joined."""
    section = re.search(r"^Attributes\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", doc, re.M | re.S)
    for line in re.sub(r"\s*\\\s*\n\s*", " ", section[1] if section else "").splitlines():
        entry = ENTRY.match(line)
        if entry:
            yield entry[1], entry[2]


def differences(name: str, text: str, value: np.ndarray, sizes: dict[str, int]) -> Iterator[str]:
    """What the type of an attribute says and the array does not."""
    shape, dtype = SHAPE.search(text), DTYPE.search(text)
    expected = None if shape is None else _numbers(shape[1], sizes)
    if expected is not None and expected != value.shape:
        yield f"{name} is stated to have shape ({shape[1] if shape else ''}) = {expected} and has {value.shape}"
    if dtype and value.dtype.name not in re.findall(r"[a-z]+\d+", dtype[1]) and re.search(r"[a-z]\d", dtype[1]):
        yield f"{name} is stated to be {dtype[1].strip('{}')} and is {value.dtype}"


def _numbers(shape: str, sizes: dict[str, int]) -> tuple[int, ...] | None:
    """(degree, n_features) as numbers; None where a name is not known."""
    names = [name.strip(" `") for name in shape.split(",") if name.strip(" `")]
    if not all(name.isdigit() or name in sizes for name in names):
        return None
    return tuple(int(name) if name.isdigit() else sizes[name] for name in names)


def _whole(subject: FeatureMap, fitted: Any) -> dict[str, int]:
    """Parameters that are whole numbers, which shapes refer to."""
    get = getattr(fitted, "get_params", lambda: {})
    return {name: value for name, value in get().items() if type(value) is int and name != subject.seed}
