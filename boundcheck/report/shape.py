"""Whether a JSON value has the shape that a JSON Schema asks for, in a sentence; as far as ours go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Schema = dict[str, Any]

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda x: isinstance(x, dict),
    "array": lambda x: isinstance(x, list),
    "string": lambda x: isinstance(x, str),
    "boolean": lambda x: isinstance(x, bool),
    "integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
    "number": lambda x: isinstance(x, (int, float)) and not isinstance(x, bool),
    "null": lambda x: x is None,
}


def misfit(value: Any, schema: Schema) -> str | None:
    """The first thing of `value` that the schema does not allow: `claims[3].outcome is 5, not one of ...`."""
    return next(_misfits(value, schema, schema, ""), None)


def _misfits(value: Any, schema: Schema, root: Schema, place: str) -> Iterator[str]:
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
    wrong = _wrong(value, schema)
    if wrong:
        yield f"{place or 'the report'} is {_spelled(value)}, {wrong}"
    elif isinstance(value, dict):
        yield from _inside_object(value, schema, root, place)
    elif isinstance(value, list) and "items" in schema:
        for k, item in enumerate(value):
            yield from _misfits(item, schema["items"], root, f"{place}[{k}]")


def _inside_object(value: dict[str, Any], schema: Schema, root: Schema, place: str) -> Iterator[str]:
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        yield f"{place or 'the report'} has no {missing[0]}"
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    for name, entry in value.items():
        yield from _misfits(entry, known.get(name, others), root, f"{place}.{name}".lstrip("."))


def _wrong(value: Any, schema: Schema) -> str | None:
    """What is wrong with a value by itself."""
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    if not any(TYPES[name](value) for name in types):
        return f"not {_article(' or '.join(types))}"
    if "enum" in schema and value not in schema["enum"]:
        return "not one of " + ", ".join(map(repr, schema["enum"]))
    if isinstance(value, str):
        return _wrong_text(value, schema)
    return _wrong_number(value, schema) if TYPES["number"](value) else None


def _wrong_text(value: str, schema: Schema) -> str | None:
    if len(value) < schema.get("minLength", 0):
        return "too short"
    fits = re.search(schema.get("pattern", ""), value)
    return None if fits else f"which does not match {schema['pattern']}"


def _wrong_number(value: float, schema: Schema) -> str | None:
    if "minimum" in schema and value < schema["minimum"]:
        return f"less than {schema['minimum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        return f"not above {schema['exclusiveMinimum']}"
    return f"more than {schema['maximum']}" if "maximum" in schema and value > schema["maximum"] else None


def _spelled(value: Any) -> str:
    text = {dict: "an object", list: "a list"}.get(type(value)) or repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _article(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun
