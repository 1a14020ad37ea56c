"""Texts of a report made fit for readers, and for places that obey some characters: terminals, XML, spreadsheets."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from typing import Any

from boundcheck.domains.in_words import NEAR

UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
"""Control characters but tab and newline, which XML forbids and terminals obey, and those that turn or hide what is read."""

FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r]")
"""How a cell begins that a spreadsheet computes instead of showing it."""


def printable(text: str) -> str:
    """The text with each control character shown as `\\x1b`."""
    return UNFIT.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def all_printable(value: Any) -> Any:
    """A JSON value with all its texts made printable, the names of fields among them."""
    if isinstance(value, dict):
        return {printable(key): all_printable(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [all_printable(entry) for entry in value]
    return printable(value) if isinstance(value, str) else value


def cell(value: Any) -> Any:
    """A value as the cell of a spreadsheet that shows it: a text that looks like a formula begins with an apostrophe."""
    if not isinstance(value, str):
        return value
    return f"'{printable(value)}" if FORMULA.match(value) else printable(value)


PROBABILITIES = re.compile(r"P\(event\) ([<>])= ([\d.]+) [<>] ([\d.]+)")


def complemented(sentence: str) -> str:
    """The sentence of a finding with probabilities near 1 told by what they lack, rounded to the safe side.

    `P(event) <= 0.99999999988840889 < 0.99999999989530817` is `P(event) <= 1 - 1.11e-10 < 1 - 1.05e-10`.
    """
    return PROBABILITIES.sub(_complemented, sentence)


def _complemented(found: re.Match[str]) -> str:
    with localcontext(prec=1000):
        seen, bound = (1 - Decimal(found[k].rstrip(".")) for k in (2, 3))
    toward, away = (ROUND_FLOOR, ROUND_CEILING) if found[1] == "<" else (ROUND_CEILING, ROUND_FLOOR)
    for digits in range(3, 1000):
        left, right = (_rounded(*pair, digits) for pair in ((seen, toward), (bound, away)))
        if left != right and (left < right) == (seen < bound):
            break
    told = (_lacking(x) if x < NEAR else text for x, text in ((left, found[2]), (right, found[3])))
    return "P(event) {0}= {1} {0} {2}".format(found[1], *told)


def _rounded(x: Decimal, rounding: str, digits: int) -> Decimal:
    return Context(prec=digits, rounding=rounding).plus(x)


def _lacking(x: Decimal) -> str:
    """`1 - 1.11e-10` of 1.11e-10, and `1` of nothing."""
    mantissa, _, exponent = f"{x:e}".partition("e")
    return f"1 - {mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{exponent}" if x else "1"
