"""Verdicts as rows of a document, the formats that show it, the gate, the page of a paper.

Here what all of them need: files written whole or not at all; texts fit for readers, and for places that obey
some characters.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

from boundcheck.exits import Refused


def write_whole(content: str | bytes, path: Path) -> None:
    """Write so that a reader sees the old file or the new one, never half of one. Raises OSError.

    A link stays one, and what is no file, such as a pipe, takes the content as it comes.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve() if path.is_symlink() else path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def writing(path: Path, always: bool = False) -> Iterator[None]:
    """What the system refuses is the user's to mend, but for a reader who has had enough. Raises Refused.

    The sentence names the file that the system names, or `always` the path.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        place = path if always else error.filename or path
        why = error.strerror or error
        raise Refused(
            f"'{place}' cannot be written ({why}); choose another place."
        ) from error


def file_name(text: str) -> str:
    """Text as part of a file name: letters, digits, dot, dash and underscore."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", text)[:80] or "data"


def key_a_line(record: Mapping[str, Any]) -> str:
    """A record as JSON, one key a line; see `plain`."""
    pairs = plain(record).items()
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}"
        for key, value in pairs
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def plain(value: Any) -> Any:
    """The value as JSON has it: no infinities, no types of NumPy, the text of what is no number or list."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, type):
        return repr(value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) or hasattr(value, "__float__"):
        return float(value) if math.isfinite(float(value)) else None
    return repr(value)


def markdown_table(
    columns: Sequence[str],
    rows: Iterable[Iterable[object]],
    right: Container[int] = (),
) -> list[str]:
    """The lines of a Markdown table, of cells fit for one; those of some columns stand to the `right`."""
    marks = ["--:" if k in right else "---" for k in range(len(columns))]
    return [
        f"| {' | '.join(map(str, cells))} |"
        for cells in (columns, marks, *rows)
    ]


# texts for readers, and for places that obey some characters: terminals, XML, spreadsheets


UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
"""Control characters, which XML forbids and terminals obey, and those that turn or hide what is read."""

FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r]")
"""How a cell begins that a spreadsheet computes instead of showing it."""


def printable(text: str) -> str:
    """The text with each control character shown as `\\x1b`."""
    return UNFIT.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def all_printable(value: object) -> Any:
    """A JSON value with all its texts made printable, the names of fields among them."""
    if isinstance(value, dict):
        return {
            printable(key): all_printable(entry) for key, entry in value.items()
        }
    if isinstance(value, list):
        return [all_printable(entry) for entry in value]
    return printable(value) if isinstance(value, str) else value


def cell(value: object) -> object:
    """A value as the cell of a spreadsheet: a text that looks like a formula begins with an apostrophe."""
    if not isinstance(value, str):
        return value
    return f"'{printable(value)}" if FORMULA.match(value) else printable(value)


# sentences with numbers: six digits, complements of probabilities near 1


NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?!\w|\.\d)")
POWER = re.compile(r"(?<![\w.])1(0{7,})(?![\w.])")
DIGITS = 6
DIGITS_OF_COMPLEMENT = 3
NEAR_ONE = Decimal("0.99")
TINY = Decimal("1e-4")
MOST_DIGITS = 1000


def in_six_digits(sentence: str) -> str:
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
        if len(told) == len(
            {Decimal(text) for text in numbers}
        ) and not told & _others(sentence):
            break
    return NUMBER.sub(lambda found: short[found[0]], sentence)


PROBABILITY = re.compile(r"P\(event\) <= (1 - )?(\S+) < (1 - )?(\S+)")
SIDES = re.compile(r"lhs = (\S+) (>|>=|!=) (\S+) = rhs( \(.*\))?")
ORDER = re.compile(r"smallest eigenvalue of rhs - lhs <= (\S+)( .*)?")
COMPARED = {
    ">": "more than the right side,",
    ">=": "not less than the right side,",
    "!=": "the right side",
}


def spoken(reason: str) -> str:
    """Why a claim is refuted, in words: `fails with probability 0.0103, where 0.01 is allowed`."""
    if found := PROBABILITY.fullmatch(reason):
        seen, allowed = (_complement(*found.group(k, k + 1)) for k in (1, 3))
        return in_six_digits(
            f"fails with probability {seen} or more, where {allowed} is allowed"
        )
    if found := SIDES.fullmatch(in_six_digits(reason)):
        left, sign, right, about = found.groups()
        return f"the left side is {left}, {COMPARED[sign]} {right}{about or ''}"
    if found := ORDER.fullmatch(in_six_digits(reason)):
        return f"the right side less the left side has an eigenvalue of {found[1]} or less"
    return in_six_digits(reason)


def _complement(complement: str | None, number: str) -> str:
    """One minus a number, exactly; the number itself where it is told as `1 - ...`."""
    with localcontext(prec=MOST_DIGITS):
        value = Decimal(number)
        return str(value if complement else 1 - value).lower()


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
    return (
        (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa)
        + e
        + exponent
    )
