"""Every way to change one field of a certificate."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Path = tuple[Any, ...]
RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?")
MISSING = object()


@dataclass(frozen=True)
class Mutation:
    """One field and what it becomes; MISSING where it is deleted."""

    kind: str
    path: Path
    value: Any

    def of(self, text: str) -> dict[str, Any]:
        """The certificate of that JSON, changed."""
        certificate = json.loads(text)
        at = certificate
        for key in self.path[:-1]:
            at = at[key]
        if self.value is MISSING:
            del at[self.path[-1]]
        else:
            at[self.path[-1]] = self.value
        return certificate


def mutations(certificate: dict[str, Any]) -> Iterator[Mutation]:
    """Of every key and item at any depth."""
    yield from _of(certificate, ())


def _of(value: Any, path: Path) -> Iterator[Mutation]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        here = (*path, key)
        yield Mutation("deletion", here, MISSING)
        yield from (Mutation(kind, here, new) for kind, new in _changes(item, here) if json.dumps(new) != json.dumps(item))
        yield from _of(item, here)


def _changes(item: Any, path: Path) -> Iterator[tuple[str, Any]]:
    yield "type", [item]
    yield "type", None
    if path == ("certificate_version",):
        yield from (("version", new) for new in (item + 1, 0, -1, str(item), float(item), True))
    if isinstance(item, (dict, list)):
        yield "type", "" if isinstance(item, dict) else {}
        if isinstance(item, list) and len(item) > 1:
            yield "order", item[::-1]
            yield "length", [*item, item[-1]]
    elif isinstance(item, bool):
        yield "type", int(item)
        yield "digit", not item
    elif isinstance(item, int):
        yield from (("digit", item + 1), ("digit", item - 1), ("sign", -item), ("type", str(item)), ("float", float(item)))
    elif isinstance(item, str):
        yield from _texts(item, path)


def _texts(item: str, path: Path) -> Iterator[tuple[str, Any]]:
    if RATIONAL.fullmatch(item) and path[0] != "seal":
        p, _, q = item.partition("/")
        number = int(p) / int(q or 1)
        yield from (("float", number), ("float", repr(number) if "/" in item else f"{item}.0"), ("type", {"mid": item, "rad": "0"}))
        yield "sign", item[1:] if item.startswith("-") else f"-{item}"
        yield from (("digit", item[:k] + str((int(item[k]) + 1) % 10) + item[k + 1 :]) for k in (0, len(item) - 1) if item[k].isdigit())
        yield "digit", f"{item}0"
    else:
        yield from (("text", f"{item}0"), ("text", item[:-1]), ("text", item.swapcase()), ("text", f"not {item}"), ("type", 1))
