"""Reports from files: brought to the present version; refused in one sentence without the published shape.

Beside a report may lie a record of what a proof assistant says of its certificates.
"""

from __future__ import annotations

import json
import math
import operator
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from boundcheck.exits import Refused
from boundcheck.report import key_a_line, printable
from boundcheck.report.document import SCHEMA_VERSION, Document

SCHEMA = Path(__file__).with_name("schema-1.json")
AGAIN = "run `boundcheck check` to make a new one."
MOST_DIGITS = 300

Report = dict[str, Any]


class CannotRead(Refused):
    """A report that cannot be used; the message says why and what to do."""

    def __init__(self, sentence: str):
        super().__init__(printable(sentence))


@cache
def schema() -> dict[str, Any]:
    """The published JSON Schema of reports."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def read(path: Path) -> Document:
    """A report from a file, with the record beside it; its summary and where its proofs fail are counted anew.

    Raises CannotRead.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise CannotRead(
            f"There is no report {path}; run `boundcheck check` first."
        ) from None
    except OSError as error:
        raise CannotRead(
            f"{path} is not a boundcheck report ({brief(error)}); {AGAIN}"
        ) from None
    return with_record(read_text(text, str(path)), path.parent)


def read_text(text: bytes, name: str) -> Document:
    """A report from the bytes of a file that is called `name`. Raises CannotRead."""
    try:
        content = parsed(text.decode("utf-8"))
        version = str(content["schema_version"])
        major = int(version.split(".")[0])
    except (
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
        MemoryError,
    ) as error:
        raise CannotRead(
            f"{name} is not a boundcheck report ({brief(error)}); {AGAIN}"
        ) from None
    if major > int(SCHEMA_VERSION.split(".")[0]):
        newer = f"was written by a newer boundcheck (schema {version[:20]})"
        raise CannotRead(f"{name} {newer}; update boundcheck to read it.")
    content = migrated(content)
    wrong = misfit(content, schema()) or _twice(content)
    if wrong:
        raise CannotRead(
            f"{name} is not a boundcheck report ({brief(wrong)}); {AGAIN}"
        )
    return Document.of_json(content)


def parsed(text: str) -> Any:
    """JSON of finite numbers and whole characters. Raises ValueError, RecursionError if too deep."""
    content = json.loads(
        text, parse_constant=_refused, parse_float=_finite, parse_int=_whole
    )
    # Half a surrogate pair can be escaped in JSON, and no file or terminal takes it.
    json.dumps(content, ensure_ascii=False).encode("utf-8")
    return content


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _refused(digits[:20])


def _whole(digits: str) -> int:
    return (
        int(digits)
        if len(digits) <= MOST_DIGITS
        else int(_refused(f"{digits[:20]}..."))
    )


def _twice(content: dict[str, Any]) -> str | None:
    often = [
        id
        for id, count in Counter(r["id"] for r in content["claims"]).items()
        if count > 1
    ]
    return f"{often[0]} is there twice" if often else None


def brief(error: object) -> str:
    """What is wrong, on one short line."""
    return " ".join(str(error).split())[:200] or type(error).__name__


def toml(path: Path, mend: str) -> dict[str, Any]:
    """The content of a TOML file, none where there is no file. Raises CannotRead, which ends in `mend`."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise CannotRead(
            f"{path} cannot be read ({brief(error)}); {mend}."
        ) from None


def migrated(content: Report) -> Report:
    """The report as the present version writes it; one of a newer or an unknown version stays as it is."""
    while content.get("schema_version") in UPGRADES:
        version, step = UPGRADES[content["schema_version"]]
        content = {**step(content), "schema_version": version}
    return content


def _texts_and_curves(content: Report) -> Report:
    """1.1 adds texts, curves, seeds, repairs of several claims; the first of 1.0 have no instances."""
    claims = content.get("claims")
    if isinstance(claims, list):
        plan = content.get("plan")
        seed = plan.get("seed") if isinstance(plan, dict) else None
        claims = [
            {"seeds": [seed], **_claim_of_1_1(r)} if isinstance(r, dict) else r
            for r in claims
        ]
    return {"audit": {}, **content, "claims": claims}


def _claim_of_1_1(r: Report) -> Report:
    repairs = r.get("repairs")
    named = (
        []
        if repairs is None
        else [repairs]
        if isinstance(repairs, str)
        else repairs
    )
    return {
        "statement": "",
        "curves": [],
        "instance": None,
        **r,
        "repairs": named,
    }


def _shown_on_a_part(content: Report) -> Report:
    """1.2 calls proved what is shown on all of its domain; what was called so before, on a set, holds."""
    claims = content.get("claims")
    if isinstance(claims, list):
        claims = [
            _claim_of_1_2(r) if isinstance(r, dict) else r for r in claims
        ]
    return {**content, "claims": claims}


def _claim_of_1_2(r: Report) -> Report:
    if r.get("outcome") != "PROVED":
        return r
    words, _, evidence = str(r.get("reason")).partition("; it holds ")
    return {
        **r,
        "outcome": "HOLDS",
        "scope": "population",
        "reason": f"{evidence}; shown {words}",
        "shown": words,
    }


UPGRADES: dict[str, tuple[str, Callable[[Report], Report]]] = {
    "1.0": ("1.1", _texts_and_curves),
    "1.1": ("1.2", _shown_on_a_part),
}
"""For each older version: the version that a step leads to, and the step, which never fails."""


# what a proof assistant says of certificates


@dataclass(frozen=True)
class Checked:
    """What came of a certificate: SHA-256 of its file and of its theorem, and how many seconds coqc had.

    `statement` is "universal" where the theorem is about all inputs: the negation of the statement, or what a proof
    says of its set; "one size" where a proof is for every size and the theorem is not; "instance" where the
    certificate has no inputs and the statement is one of numbers.
    """

    certificate: str
    theorem: str
    outcome: str
    reason: str = ""
    rocq: str = ""
    seconds: int = 0
    statement: str = ""

    def told(self, refuted: bool) -> str:
        """For a reader of the certificate of a refutation, or of a proof."""
        if (self.outcome, self.statement) == ("accepted", "one size"):
            return f"partly checked by Rocq {self.rocq}: at the sizes of one instance alone"
        about = (STATED if refuted else SHOWN).get(self.statement, "")
        told = {
            "accepted": f"checked by Rocq {self.rocq}{about}",
            "rejected": f"rejected by Rocq {self.rocq}: {self.reason}",
            "too long": f"not checked by Rocq: coqc takes more than {self.seconds} s",
        }
        return told.get(self.outcome, f"not checked by Rocq: {self.reason}")


STATED = {
    "universal": " as a statement for all inputs of its sizes",
    "instance": " as a statement of numbers",
}
SHOWN = STATED | {"universal": " as a theorem about all of its set"}
RECORD = "rocq.json"
ENTRY = {
    "type": "object",
    "properties": {"seconds": {"type": "integer"}},
    "additionalProperties": {"type": "string"},
}
RECORDED = {"type": "object", "additionalProperties": ENTRY}


def read_record(path: Path) -> dict[str, Checked]:
    """What came of each certificate, by the name of its file; nothing where no record can be read."""
    try:
        content = parsed(path.read_text(encoding="utf-8"))
        return (
            {}
            if misfit(content, RECORDED)
            else {name: Checked(**entry) for name, entry in content.items()}
        )
    except (OSError, ValueError, TypeError, RecursionError, MemoryError):
        return {}


def text_of_record(record: Mapping[str, Checked]) -> str:
    """The record as the text of its file."""
    return key_a_line({name: asdict(record[name]) for name in sorted(record)})


def with_record(report: Document, folder: Path) -> Document:
    """The report with what the record of a folder says of its certificates, where their bytes are the same."""
    record = read_record(folder / RECORD)
    known = (
        (r, Path(r.certificate))
        for r in report.rows
        if r.certificate and Path(r.certificate).name in record
    )
    return replace(
        report,
        rocq={
            r.id: printable(record[path.name].told(r.refuted))
            for r, path in known
            if record[path.name].certificate == _digest(path)
        },
    )


def _digest(path: Path) -> str | None:
    try:
        return digest(path.read_bytes())
    except OSError:
        return None


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


# whether a JSON value has the shape that a JSON Schema asks for, as far as ours go


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

LIMITS: dict[str, tuple[str, Callable[[Any, Any], object], str]] = {
    "minLength": (
        "string",
        lambda text, least: len(text) >= least,
        "too short",
    ),
    "pattern": (
        "string",
        lambda text, pattern: re.search(pattern, text),
        "which does not match {}",
    ),
    "minimum": ("number", operator.ge, "less than {}"),
    "exclusiveMinimum": ("number", operator.gt, "not above {}"),
    "maximum": ("number", operator.le, "more than {}"),
}
"""Keywords of a schema: the type that they limit, whether a value keeps to one, and what is said if not."""


def misfit(value: object, schema: Schema) -> str | None:
    """The first thing of `value` that the schema does not allow: `claims[3].outcome is 5, not one of ...`."""
    return next(_misfits(value, schema, schema, ""), None)


def _misfits(
    value: object, schema: Schema, root: Schema, place: str
) -> Iterator[str]:
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


def _inside_object(
    value: dict[str, Any], schema: Schema, root: Schema, place: str
) -> Iterator[str]:
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        yield f"{place or 'the report'} has no {missing[0]}"
    known, others = (
        schema.get("properties", {}),
        schema.get("additionalProperties", {}),
    )
    for name, entry in value.items():
        yield from _misfits(
            entry, known.get(name, others), root, f"{place}.{name}".lstrip(".")
        )


def _wrong(value: object, schema: Schema) -> str | None:
    """What is wrong with a value by itself."""
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    if not any(TYPES[name](value) for name in types):
        return f"not {_article(' or '.join(types))}"
    if "enum" in schema and value not in schema["enum"]:
        return "not one of " + ", ".join(map(repr, schema["enum"]))
    broken = (
        said.format(schema[word])
        for word, (kind, holds, said) in LIMITS.items()
        if word in schema
        and TYPES[kind](value)
        and not holds(value, schema[word])
    )
    return next(broken, None)


def _spelled(value: object) -> str:
    text = {dict: "an object", list: "a list"}.get(type(value)) or repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _article(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun
