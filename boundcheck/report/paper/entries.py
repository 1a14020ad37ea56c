"""Tables of TOML files in a paper's folder, read whole or refused in one sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from boundcheck.report.reading import CannotRead
from boundcheck.report.shape import misfit

TEXT = {"type": "string"}
TEXTS = {"type": ["string", "array"], "items": TEXT}


def entries(
    path: Path, name: str, required: dict[str, Any], optional: dict[str, Any]
) -> list[dict[str, Any]]:
    """The tables [[name]] of a file; none where there is no file. Raises CannotRead."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise CannotRead(f"{path} cannot be read ({' '.join(str(error).split())[:200]}); mend it.") from None
    item = {"type": "object", "required": list(required), "properties": {**required, **optional}}
    schema = {"type": "object", "properties": {name: {"type": "array", "items": item}}}
    wrong = misfit(content, schema) or _unknown(content, name, {*required, *optional})
    if wrong:
        raise CannotRead(f"{path} cannot be used ({wrong}); mend it.")
    return content.get(name, [])


def _unknown(content: dict[str, Any], name: str, known: set[str]) -> str | None:
    """The first table or key that is none of those known."""
    if strange := sorted(set(content) - {name}):
        return f"it has {strange[0]!r}, where only [[{name}]] is known"
    for k, entry in enumerate(content.get(name, [])):
        if strange := sorted(set(entry) - known):
            return f"{name}[{k}] has {strange[0]!r}, which is none of {', '.join(sorted(known))}"
    return None
