"""Numbers and instances of certificates for readers: six digits, complements of probabilities near 1, literals of Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal, localcontext
from functools import cached_property
from math import isfinite
from pathlib import Path
from pprint import pformat
from typing import Any, TypeGuard

import numpy as np

from boundcheck.domains.instances import build, from_json
from boundcheck.report.reading import parsed
from boundcheck.words.claims import Claim

NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?!\w|\.\d)")
POWER = re.compile(r"(?<![\w.])1(0{7,})(?![\w.])")
DIGITS = 6
DIGITS_OF_COMPLEMENT = 3
NEAR_ONE = Decimal("0.99")
TINY = Decimal("1e-4")
MOST_DIGITS = 1000
MOST_ENTRIES = 20
MOST_OF_A_LITERAL = 100
WIDTH = 88


def shortened(sentence: str) -> str:
    """A sentence whose numbers have six digits, and more only where two would look alike.

    In one about a probability, `P(event) <= ...`, numbers near 1 are told by their complement: `1 - 3.6e-12`.
    Powers of ten with more than seven digits are told as such: `10^12`.
    """
    sentence = POWER.sub(lambda found: f"10^{len(found[1])}", sentence)
    near_one = NEAR_ONE if sentence.startswith("P(") else Decimal("Infinity")
    numbers = set(NUMBER.findall(sentence))
    for more in range(0, MOST_DIGITS, 3):
        short = {text: _told(text, near_one, more) for text in numbers}
        told = set(short.values())
        if len(told) == len({Decimal(text) for text in numbers}) and not told & _others(sentence):
            break
    return NUMBER.sub(lambda found: short[found[0]], sentence)


def _others(sentence: str) -> set[str]:
    """The whole numbers of a sentence, which no other number may look like."""
    return set(re.findall(r"(?<![\w.-])-?\d+(?![\w.])", sentence))


def _told(text: str, near_one: Decimal, more: int) -> str:
    with localcontext(prec=MOST_DIGITS):
        value = Decimal(text)
        if near_one <= value < 1:
            return f"1 - {_digits(1 - value, DIGITS_OF_COMPLEMENT + more)}"
        return _digits(value, DIGITS + more)


def _digits(value: Decimal, digits: int) -> str:
    form = f".{digits - 1}e" if 0 < abs(value) < TINY else f".{digits}g"
    mantissa, e, exponent = format(value, form).partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + e + exponent


def certified_instance(certificate: str | None) -> dict[str, Any] | None:
    """The instance that a certificate holds, as it holds it; None where there is none to read."""
    try:
        found = parsed(Path(certificate or "").read_text(encoding="utf-8"))["claim"]["instance"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError, MemoryError):
        return None
    return found if isinstance(found, dict) else None


def spelled_instance(instance: dict[str, Any]) -> str:
    """`Z = [[1, 0], [0, 1]], lam = 0.1`; of an array with more than twenty entries the shape."""
    return ", ".join(f"{name} {_held(entry)}" for name, entry in instance.items())


def _held(entry: object) -> str:
    if is_array(entry):
        few = len(re.findall(r"[^][,\s]+", str(entry["array"]))) <= MOST_ENTRIES
        shape = " x ".join(map(str, entry["shape"]))
        return f"= {_rounded(entry['array'])}" if few else f"of {shape} entries"
    if isinstance(entry, dict):
        return f"= ({spelled_instance(entry)})"
    return f"= {_rounded(entry)}"


def is_array(entry: object) -> TypeGuard[dict[str, Any]]:
    """Whether this is an array as certificates keep it."""
    known = {"array", "shape", "kind"}
    return isinstance(entry, dict) and set(entry) == known and isinstance(entry["shape"], list)


def _rounded(entry: object) -> str:
    if isinstance(entry, list):
        return "[" + ", ".join(map(_rounded, entry)) + "]"
    return f"{entry + 0.0:.{DIGITS}g}" if isinstance(entry, float) else str(entry)


def literal(instance: dict[str, Any], claim: Claim | None) -> str:
    """A dictionary by the names of the claim's signature; of the raw numbers where the claim was changed.

    A setting is told by its fields and by what it derives from them (K, Z, q, ...), without arrays that have
    more than a hundred entries. No number is rounded.
    """
    raw = from_json(instance)
    try:
        values = build(claim.parameters, raw) if claim else raw
    except Exception:  # the body of a setting that was changed since may raise anything
        values = raw
    literals = {name: _as_literal(value) for name, value in values.items()}
    return pformat(literals, width=WIDTH, sort_dicts=False, compact=True)


def _as_literal(value: object) -> object:
    """Numbers, lists and dictionaries only."""
    if is_dataclass(value):
        return {name: _as_literal(part) for name, part in _fields(value) if _is_short(part)}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, dict):
        return {str(name): _as_literal(part) for name, part in value.items()}
    return [_as_literal(part) for part in value] if isinstance(value, (list, tuple)) else value


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a setting, then what it derives from them."""
    entries = [item for kind in reversed(type(value).__mro__) for item in vars(kind).items()]
    derived = (name for name, entry in entries if isinstance(entry, (property, cached_property)))
    for name in dict.fromkeys([*(field.name for field in fields(value)), *derived]):
        if not name.startswith("_"):
            try:
                yield name, getattr(value, name)
            except Exception:  # what cannot be derived from this instance is left out
                continue


def _is_short(part: Any) -> bool:
    """Whether this is a finite number, or an array of some."""
    if isinstance(part, (bool, int, str)):
        return True
    if isinstance(part, (float, np.generic)):
        return isfinite(part)
    short = isinstance(part, np.ndarray) and part.size <= MOST_OF_A_LITERAL and part.dtype.kind in "ifb"
    return short and bool(np.isfinite(part).all())
