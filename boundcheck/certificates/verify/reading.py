"""What a conclusion comes to: violated or not, and the sentence that says so."""

from dataclasses import dataclass

from .numbers import Number, Truth

Pair = tuple[Number, Number]


@dataclass(frozen=True)
class Reading:
    """Is the claim violated, the sentence that says so, and the numbers the engine may have recorded."""

    violated: Truth
    sentence: str
    pairs: list[Pair]
    probability: Number | None = None
