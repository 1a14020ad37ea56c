"""An instance in a few words: names and numbers, long arrays by their shape."""

from __future__ import annotations

from typing import Any

LONGEST = 160


def spelled(instance: Any) -> str:
    """`bias = 0.5, n = 9` of an instance as a certificate keeps it."""
    text = ", ".join(f"{name} = {_value(entry)}" for name, entry in instance.items())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _value(entry: Any) -> str:
    if isinstance(entry, dict) and set(entry) == {"array", "shape", "kind"}:
        return _array(entry["array"]) if len(str(entry["array"])) <= 60 else "array of shape " + " x ".join(map(str, entry["shape"]))
    if isinstance(entry, dict):
        return "(" + ", ".join(f"{name} = {_value(inner)}" for name, inner in entry.items()) + ")"
    if isinstance(entry, list):
        return "[" + ", ".join(map(_value, entry)) + "]"
    return f"{entry:g}" if isinstance(entry, float) else str(entry)


def _array(rows: Any) -> str:
    return "[" + ", ".join(map(_array, rows)) + "]" if isinstance(rows, list) else f"{rows:g}"
