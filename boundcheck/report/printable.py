"""Texts of a report made fit for places that refuse some characters: terminals and XML."""

from __future__ import annotations

import re

UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
"""Control characters but tab and newline: XML forbids them, and a terminal obeys them."""


def printable(text: str) -> str:
    """The text with each control character shown as `\\x1b`."""
    return UNFIT.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
