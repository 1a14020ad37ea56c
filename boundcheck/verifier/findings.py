"""What the verifier can find, in an outcome and a sentence; and how much work a certificate may ask for."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum

from flint import ctx

from .limits import MOST


class Outcome(Enum):
    """The values are words a reader understands."""

    CONFIRMED = "confirmed"
    HYPOTHESIS_FALSE = "a hypothesis is false"
    HYPOTHESIS_UNDECIDED = "a hypothesis is not decided"
    NOT_VIOLATED = "the statement is not violated"
    UNDECIDED = "the conclusion is not decided"
    TIE = "equality as far as balls can tell"
    VALUE_DIFFERS = "a recorded value differs"
    BROKEN_SEAL = "the seal is broken"
    MALFORMED = "malformed"
    NEWER_VERSION = "newer version"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Finding:
    """An outcome, its sentence, the id of the claim as the certificate gives it.

    And whether it rests on recorded trials, whether it is one of a proof, and the numbers that decided.
    """

    outcome: Outcome
    sentence: str
    claim: str = ""
    sampled: bool = False
    proved: bool = False
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def confirmed(self) -> bool:
        return self.outcome is Outcome.CONFIRMED


class Rejection(Exception):
    """Raised wherever a certificate turns out to prove nothing."""

    def __init__(
        self,
        outcome: Outcome,
        sentence: str,
        values: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.outcome, self.values = outcome, values or {}


class Unproved(Rejection):
    """Nothing is shown of the program: an operation without a rule, too much of it,
    or a number that is none."""

    def __init__(self, sentence: str) -> None:
        super().__init__(Outcome.UNDECIDED, sentence)


def malformed(sentence: str) -> Rejection:
    return Rejection(Outcome.MALFORMED, sentence)


def demand(condition: bool, sentence: str) -> None:
    """Reject the certificate as malformed unless `condition` holds."""
    if not condition:
        raise malformed(sentence)


# work: operations are counted, never timed, the same everywhere; the unit is about a microsecond of today


_left: ContextVar[list[float] | None] = ContextVar("left", default=None)


class TooMuch(Rejection):
    """The certificate asks for more work than it is given."""

    def __init__(self) -> None:
        super().__init__(
            Outcome.UNDECIDED,
            f"to recompute it takes more work than a certificate is given ({MOST} operations)",
        )


@contextmanager
def allowance(most: float | None = None) -> Iterator[list[float]]:
    """All that is done inside may take MOST units together, what is around it too; or so many of its own.

    What is left stands in the list.
    """
    # One allowance for all that is done inside, so that many small parts are together no more than one large one.
    left = [most] if most is not None else _left.get() or [MOST]
    token = _left.set(left)
    try:
        yield left
    finally:
        _left.reset(token)


def spend(units: float) -> None:
    """Say so before the work is done; raises TooMuch where nothing is left of the allowance."""
    left = _left.get()
    if left is not None:
        left[0] -= units
        if left[0] < 0:
            raise TooMuch


def arithmetic(bits: float | None = None) -> float:
    """One operation on balls in a loop of Python."""
    return 1 + multiplication(bits)


def multiplication(bits: float | None = None) -> float:
    """One operation on balls inside a matrix."""
    bits = ctx.prec if bits is None else bits
    return 0.03 + bits / 8000 + (bits / 5000) ** 2


def elementary(bits: float | None = None) -> float:
    """A logarithm, an exponential, a sine."""
    kilobits = (ctx.prec if bits is None else bits) / 1000
    return 1 + 2 * kilobits + 2 * kilobits**2


def special(bits: float | None = None) -> float:
    """A gamma or an error function."""
    return 10 + 60 * ((ctx.prec if bits is None else bits) / 1000) ** 2


def rotations(bits: float | None = None) -> float:
    """The part of each entry of a cube in finding the eigenvectors of its side."""
    kilobits = (ctx.prec if bits is None else bits) / 1000
    return 0.6 + 3 * kilobits + 1.2 * kilobits**2


def on_rationals(bits: float) -> float:
    """One operation on rationals of that height."""
    return bits / 140


def on_integers(bits: float) -> float:
    """One operation on integers of that length inside a matrix."""
    limbs = bits / 64
    return 0.03 + 0.05 * limbs * (1 + limbs / 200)
