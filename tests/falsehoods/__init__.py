"""True bounds and their false twins: what boundcheck is measured on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boundcheck import Claim, theorem


@dataclass(frozen=True)
class Label:
    """Whether a bound is true, and how hard the violating instances of a false one are to find."""

    true: bool
    difficulty: str = ""


def true(source: str) -> Callable[[Callable[..., Any]], Claim]:
    """A theorem, with where it comes from."""
    return _labelled(source, Label(True))


def false(source: str, difficulty: str) -> Callable[[Callable[..., Any]], Claim]:
    """A plausible falsehood: easy, medium or hard to refute."""
    if difficulty not in ("easy", "medium", "hard"):
        raise ValueError(f"The difficulty is easy, medium or hard, not {difficulty!r}.")
    return _labelled(source, Label(False, difficulty))


def _labelled(source: str, label: Label) -> Callable[[Callable[..., Any]], Claim]:
    def decorate(body: Callable[..., Any]) -> Claim:
        body.label = label  # type: ignore[attr-defined]
        return theorem(source)(body)

    return decorate
