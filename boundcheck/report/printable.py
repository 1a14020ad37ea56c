"""Texts made fit for readers, and for places that obey some characters: terminals, XML, spreadsheets."""

from __future__ import annotations

import re
from typing import Any

UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
"""Control characters, which XML forbids and terminals obey, and those that turn or hide what is read."""

FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r]")
"""How a cell begins that a spreadsheet computes instead of showing it."""


def printable(text: str) -> str:
    """The text with each control character shown as `\\x1b`."""
    return UNFIT.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def all_printable(value: object) -> Any:
    """A JSON value with all its texts made printable, the names of fields among them."""
    if isinstance(value, dict):
        return {printable(key): all_printable(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [all_printable(entry) for entry in value]
    return printable(value) if isinstance(value, str) else value


def cell(value: object) -> object:
    """A value as the cell of a spreadsheet: a text that looks like a formula begins with an apostrophe."""
    if not isinstance(value, str):
        return value
    return f"'{printable(value)}" if FORMULA.match(value) else printable(value)
