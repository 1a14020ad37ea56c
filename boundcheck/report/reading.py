"""Reports read from files: migrated, and refused in one sentence unless they have the published shape."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from boundcheck.exits import Refused
from boundcheck.report.migrate import SCHEMA_VERSION, migrated
from boundcheck.report.printable import printable
from boundcheck.report.shape import misfit

SCHEMA = Path(__file__).with_name("schema-1.json")
AGAIN = "run `boundcheck check` to make a new one."
MOST_DIGITS = 300


class CannotRead(Refused):
    """A report that cannot be used; the message says why and what to do."""

    def __init__(self, sentence: str):
        super().__init__(printable(sentence))


@cache
def schema() -> dict[str, Any]:
    """The published JSON Schema of reports."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def read(path: Path) -> dict[str, Any]:
    """A report from a file, in the present version of the schema. Raises CannotRead."""
    try:
        content = parsed(path.read_text(encoding="utf-8"))
        version = str(content["schema_version"])
        major = int(version.split(".")[0])
    except FileNotFoundError:
        raise CannotRead(f"There is no report {path}; run `boundcheck check` first.") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, MemoryError) as error:
        raise CannotRead(f"{path} is not a boundcheck report ({_first_line(error)}); {AGAIN}") from None
    if major > int(SCHEMA_VERSION.split(".")[0]):
        raise CannotRead(f"{path} was written by a newer boundcheck (schema {version[:20]}); update boundcheck to read it.")
    content = migrated(content)
    wrong = misfit(content, schema()) or _twice(content)
    if wrong:
        raise CannotRead(f"{path} is not a boundcheck report ({_first_line(wrong)}); {AGAIN}")
    return {**content, "summary": summary(content["claims"])}


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many claims have each verdict, counted; what a file says of it is not read."""
    counts = Counter(r["outcome"] for r in rows)
    return {name: counts[name] for name in schema()["$defs"]["claim"]["properties"]["outcome"]["enum"]}


def parsed(text: str) -> Any:
    """JSON with finite numbers and whole characters only. Raises ValueError, or RecursionError where it is too deep."""
    content = json.loads(text, parse_constant=_refused, parse_float=_finite, parse_int=_whole)
    # Half a surrogate pair can be escaped in JSON, and no file or terminal takes it.
    json.dumps(content, ensure_ascii=False).encode("utf-8")
    return content


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _refused(digits[:20])


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= MOST_DIGITS else int(_refused(f"{digits[:20]}..."))


def _twice(content: dict[str, Any]) -> str | None:
    often = [id for id, count in Counter(r["id"] for r in content["claims"]).items() if count > 1]
    return f"{often[0]} is there twice" if often else None


def _first_line(error: Any) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
