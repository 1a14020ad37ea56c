"""Numbers for readers: six digits, probabilities near 1 by their complement, instances of certificates."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

from boundcheck.report.reading import parsed

NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?!\w|\.\d)")
DIGITS = 6
DIGITS_OF_COMPLEMENT = 3
NEAR_ONE = Decimal("0.99")
SMALL = Decimal("1e-4")
MOST_DIGITS = 1000
MOST_ENTRIES = 20


def shortened(sentence: str) -> str:
    """A sentence whose numbers have six digits, and more only where two would look alike.

    In one about a probability, `P(event) <= ...`, numbers near 1 are told by their complement: `1 - 3.6e-12`.
    """
    near_one = NEAR_ONE if sentence.startswith("P(") else Decimal("Infinity")
    numbers = set(NUMBER.findall(sentence))
    for more in range(0, MOST_DIGITS, 3):
        short = {text: _told(text, near_one, more) for text in numbers}
        if len(set(short.values())) == len({Decimal(text) for text in numbers}) and not set(
            short.values()
        ) & _others(sentence):
            break
    return NUMBER.sub(lambda found: short[found[0]], sentence)


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
    form = f".{digits - 1}e" if 0 < abs(value) < SMALL else f".{digits}g"
    mantissa, e, exponent = format(value, form).partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + e + exponent


def certified_instance(certificate: str | None) -> dict[str, Any] | None:
    """The instance that a certificate holds, as it holds it; None where there is none to read."""
    try:
        found = parsed(Path(certificate or "").read_text(encoding="utf-8"))["claim"]["instance"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError, MemoryError):
        return None
    return found if isinstance(found, dict) else None


def spelled_instance(instance: dict[str, Any]) -> str:
    """`Z = [[1, 0], [0, 1]], lam = 0.1`; of an array with more than twenty entries the shape."""
    return ", ".join(f"{name} {_value(entry)}" for name, entry in instance.items())


def _value(entry: Any) -> str:
    if is_array(entry):
        few = len(re.findall(r"[^][,\s]+", str(entry["array"]))) <= MOST_ENTRIES
        return (
            f"= {_entry(entry['array'])}"
            if few
            else "of " + " x ".join(map(str, entry["shape"])) + " entries"
        )
    if isinstance(entry, dict):
        return f"= ({spelled_instance(entry)})"
    return f"= {_entry(entry)}"


def is_array(entry: Any) -> bool:
    """Whether this is an array as certificates keep it."""
    return (
        isinstance(entry, dict)
        and set(entry) == {"array", "shape", "kind"}
        and isinstance(entry["shape"], list)
    )


def _entry(entry: Any) -> str:
    if isinstance(entry, list):
        return "[" + ", ".join(map(_entry, entry)) + "]"
    return f"{entry + 0.0:.{DIGITS}g}" if isinstance(entry, float) else str(entry)
