"""An instance in words: the values that its numbers build, short to read and exact enough to check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from boundcheck.domains import Domain, Raw
from boundcheck.domains.instances import build, from_json

LONGEST = 320
"""An instance is told in so many characters, if it can be by showing fewer entries of arrays."""

ENTRIES = (36, 24, 12, 6)
"""Arrays with more entries than these are not shown whole; the next number counts in texts too long."""

NEAR = 1e-4
"""A number this near to 1 is told by what it lacks."""

SMALL = 6
"""Arrays of so many entries are shown whole, whatever they are."""

DENOMINATORS = 1000

LAW = {"values", "p"}
"""The fields of a finite law, which is told as its atoms."""


def instance_in_words(
    parameters: Mapping[str, Domain], raw: Mapping[str, Raw]
) -> str:
    """`bias = 1/3, K = [[2, 1], [1, 2]], case = (Z = 15 equal rows (1), lam = 0.1)` of the raw numbers.

    Matrices are told as rows, laws as their atoms, settings by their fields, as built; the raw numbers where
    they build nothing.
    """
    try:
        with np.errstate(all="ignore"):
            values = build(parameters, raw)
    except Exception:  # the body of a setting, which may raise anything
        values = dict(raw)
    return in_words(values)


def where_it_fails(
    parameters: Mapping[str, Domain], certificate: Mapping[str, Any]
) -> str:
    """The instance of a certificate."""
    return instance_in_words(
        parameters, from_json(certificate["claim"]["instance"])
    )


def in_words(values: Mapping[str, Any]) -> str:
    """The same of values that are built."""
    return _joined(each_in_words(values))


def each_in_words(values: Mapping[str, Any]) -> dict[str, str]:
    """Each of the values in words, fewer entries of arrays where all would not fit."""
    texts = (_each(values, most) for most in ENTRIES)
    short = (each for each in texts if len(_joined(each)) <= LONGEST)
    return next(short, None) or _each(values, ENTRIES[-1])


def _each(values: Mapping[str, Any], most: int) -> dict[str, str]:
    return {
        name: _number(value, exact=True)
        if isinstance(value, (float, np.floating))
        else _value(value, most)
        for name, value in values.items()
    }


def _joined(each: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {text}" for name, text in each.items())


def _pairs(values: Mapping[str, Any], most: int) -> str:
    return _joined(_each(values, most))


def value_in_words(value: object) -> str:
    """One value on one line."""
    return _value(value, ENTRIES[-1])


def _value(value: object, most: int) -> str:
    if isinstance(value, np.ndarray):
        return _array(value, most)
    if isinstance(value, Mapping):
        return f"({_pairs(value, most)})"
    if isinstance(value, (list, tuple)):
        return _row([_value(entry, most) for entry in value], most)
    if isinstance(value, (bool, np.bool_, str)) or value is None:
        return str(value)
    if isinstance(value, (int, float, np.number)):
        return _number(value)
    return _object(value, most)


def _object(value: object, most: int) -> str:
    """A setting by its fields, any other object as it tells itself, or by its attributes."""
    if is_dataclass(value):
        held = {f.name: getattr(value, f.name) for f in fields(value)}
        if set(held) == LAW and np.shape(held["values"]) == np.shape(held["p"]):
            return _law(held["values"], held["p"], most)
    elif type(value).__repr__ is not object.__repr__:
        return " ".join(repr(value).split())[:LONGEST]
    else:
        held = getattr(value, "__dict__", {})
    shown = {
        name: entry
        for name, entry in held.items()
        if not name.startswith("_") and not callable(entry)
    }
    return f"({_pairs(shown, most)})" if shown else type(value).__name__


def _law(values: Sequence[Any], p: Sequence[Any], most: int) -> str:
    """`(-1 with probability 1/2, 1 with probability 1/2)`, values that are taken alone."""
    atoms = [(x, q) for x, q in zip(values, p, strict=True) if q > 0]
    if len(atoms) > most:
        return f"(values = {_value(values, most)}, p = {_value(p, most)})"
    return (
        "("
        + ", ".join(
            f"{_value(x, most)} with probability {_value(q, most)}"
            for x, q in atoms
        )
        + ")"
    )


def _number(x: object, exact: bool = False) -> str:
    """Six digits, or the fraction that a float stands for, 1/3, or 1 - 2e-7; never -0.

    All digits where it is to be `exact`: what has a name of its own; entries of arrays are told in six.
    """
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    if not isinstance(x, (float, np.floating)):
        return str(x)
    x = float(x) + 0.0
    text = f"{x:.6g}"
    if 0 < 1 - x < NEAR and float(text) != x:
        six_digits = 1 - float(f"{1 - x:.6g}") == x
        return f"1 - {_number(1 - x, exact and not six_digits)}"
    if isfinite(x) and not _is_near(float(text), x) and 1e-6 < abs(x) < 1e6:
        ratio = Fraction(x).limit_denominator(DENOMINATORS)
        if _is_near(ratio, x):
            return str(ratio)
    if exact and isfinite(x) and not _is_near(float(text), x):
        text = repr(x)
    mantissa, e, exponent = text.partition("e")
    if e and 0 < int(exponent) < 15 and x == round(x):
        return (
            str(int(x)) if int(exponent) < 7 else f"{mantissa}e{int(exponent)}"
        )
    return f"{mantissa}e{int(exponent)}" if e else mantissa


def _is_near(told: Fraction | float, x: float) -> bool:
    """Whether a number is what rounding has made x of."""
    return abs(Fraction(told) - Fraction(x)) <= abs(Fraction(x)) / 2**50


def _array(x: np.ndarray, most: int) -> str:
    """A short array as its rows, one that has a rule by it if that is shorter, else its first rows."""
    if x.ndim == 0:
        return _value(x.item(), most)
    whole = _nested(
        x,
        lambda row: _row(
            [_value(entry, most) for entry in row.tolist()], x.size
        ),
    )
    if x.size <= min(most, SMALL):
        return whole
    by_rule = (
        _vector_by_rule(x)
        if x.ndim == 1
        else _matrix_by_rule(x, most)
        if x.ndim == 2
        else ""
    )
    told = by_rule or _sparse(x) or whole
    if x.size <= most or told is not whole:
        return min(told, whole, key=len) if x.size <= most else told
    if x.ndim == 1:
        return f"{_row([_value(entry, most) for entry in x.tolist()], max(most // 2, 4))} ({len(x)} entries)"
    first = x[: 2 if most > SMALL else 1]
    rows, left = (
        [_array(row, max(most // 2, 3)) for row in first],
        len(x) - len(first),
    )
    more = [f"... {left} more row{'s' * (left > 1)}"] if left else []
    return "[" + ", ".join([*rows, *more]) + "]"


def _nested(x: np.ndarray, row: Callable[[np.ndarray], str]) -> str:
    return (
        row(x)
        if x.ndim == 1
        else "[" + ", ".join(_nested(inner, row) for inner in x) + "]"
    )


def _row(entries: Sequence[str], most: int) -> str:
    """`[1, 2, 3]`, or `[1, 2, ..., 9]` of more than `most`."""
    if len(entries) > most:
        entries = [*entries[: most - 1], "...", entries[-1]]
    return "[" + ", ".join(entries) + "]"


def _vector_by_rule(x: np.ndarray) -> str:
    """Equal entries, and entries at equal steps or ratios, which the first three and the last tell."""
    if (x == x[0]).all():
        return f"{len(x)} entries, each {_number(x[0])}"
    if (
        x.dtype.kind not in "if"
        or not np.isfinite(x).all()
        or (x == 0).sum() > 1
    ):
        return ""
    steps = np.diff(x.astype(float))
    ratios = x[1:] / x[:-1] if (x != 0).all() else np.array([np.nan])
    for several in (steps, ratios):
        if np.allclose(several, several[0], rtol=1e-9, atol=0):
            return f"[{', '.join(map(_number, x[:3]))}, ..., {_number(x[-1])}] ({len(x)} entries)"
    return ""


def _matrix_by_rule(x: np.ndarray, most: int) -> str:
    """One column, equal rows, equal columns, multiples of the identity, diagonal matrices."""
    if len(x) == 1:
        return f"[{_array(x[0], most)}]"
    if (x == x[0]).all():
        entries = (
            [_number(entry) for entry in x[0]]
            if x.shape[1] <= most
            else [_array(x[0], most)]
        )
        return f"{len(x)} equal rows ({', '.join(entries)})"
    if (x == x[:, :1]).all():
        return f"{f'{x.shape[1]} equal columns' if x.shape[1] > 1 else 'column'} {_array(x[:, 0], most)}"
    if x.shape[0] == x.shape[1] and (x == np.diag(np.diag(x))).all():
        diagonal = np.diag(x)
        if (diagonal == diagonal[0]).all():
            return f"{'' if diagonal[0] == 1 else _number(diagonal[0]) + ' '}I ({len(x)} x {len(x)})"
        return f"diag {_array(diagonal, most)}"
    return ""


def _sparse(x: np.ndarray) -> str:
    """Few entries that are not 0, by their places, counted from 0."""
    places = np.argwhere(x != 0)
    if not 0 < len(places) <= min(4, x.size // 4):
        return ""
    told = (
        f"[{', '.join(map(str, place))}] = {_number(x[tuple(place)])}"
        for place in places.tolist()
    )
    return f"{' x '.join(map(str, x.shape))} zeros but {', '.join(told)}"
