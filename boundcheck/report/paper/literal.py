"""The instance of a refutation as a Python literal: the matrices, laws and labels that its numbers make."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import cached_property
from pprint import pformat
from typing import Any

import numpy as np

from boundcheck.domains.instances import build, from_json
from boundcheck.words.claims import Claim

MOST_ENTRIES = 100
WIDTH = 88


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
    return pformat(
        {name: _plain(value) for name, value in values.items()}, width=WIDTH, sort_dicts=False, compact=True
    )


def _plain(value: Any) -> Any:
    """Numbers, lists and dictionaries only."""
    if dataclasses.is_dataclass(value):
        return {name: _plain(part) for name, part in _parts(value) if _is_short(part)}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a setting, then what it derives from them."""
    derived = [
        name
        for kind in reversed(type(value).__mro__)
        for name, entry in vars(kind).items()
        if isinstance(entry, (property, cached_property))
    ]
    for name in dict.fromkeys([*(field.name for field in dataclasses.fields(value)), *derived]):
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
        return math.isfinite(part)
    return (
        isinstance(part, np.ndarray)
        and part.size <= MOST_ENTRIES
        and part.dtype.kind in "ifb"
        and bool(np.isfinite(part).all())
    )
