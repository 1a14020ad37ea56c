"""What the verifier can find: an outcome and the one sentence that explains it."""

from dataclasses import dataclass
from enum import Enum


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

    And whether it rests on recorded trials, and whether it is one of a proof.
    """

    outcome: Outcome
    sentence: str
    claim: str = ""
    sampled: bool = False
    proved: bool = False

    @property
    def confirmed(self) -> bool:
        return self.outcome is Outcome.CONFIRMED


class Rejection(Exception):
    """Raised wherever a certificate turns out to prove nothing."""

    def __init__(self, outcome: Outcome, sentence: str) -> None:
        super().__init__(sentence)
        self.outcome = outcome


def malformed(sentence: str) -> Rejection:
    return Rejection(Outcome.MALFORMED, sentence)


def demand(condition: bool, sentence: str) -> None:
    """Reject the certificate as malformed unless `condition` holds."""
    if not condition:
        raise malformed(sentence)
