"""The independent verifier: recomputes a certificate of refutation, or of a proof, exactly and in balls.

It needs python-flint and nothing of the engine. What it confirms: the hypotheses hold and the conclusion
fails for the recorded program; or it holds on all of a set. Whether the program is the claim, a reader judges.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flint import ctx

from .conclusions import Reading, check_values, conclude, hypothesis
from .findings import (
    Finding,
    Outcome,
    Rejection,
    TooMuch,
    allowance,
    demand,
    malformed,
)
from .laws import groups
from .limits import PRECISIONS
from .numbers import Truth, finite
from .program import ERRORS, Tape, run
from .proofs import KEYS, prove
from .seal import check_form, read

__all__ = ["Finding", "Outcome", "verify", "verify_file"]

CLAIM = ("id", "source", "statement")
TOO_LONG = "more digits take more work than a certificate is given"


def verify_file(path: str | Path) -> Finding:
    """Read a file and verify what it holds; never raises."""
    try:
        with allowance():
            return verify(read(Path(path)))
    except Rejection as rejection:
        return Finding(rejection.outcome, str(rejection))
    except MemoryError:
        return Finding(Outcome.UNREADABLE, "the file does not fit into memory")


def verify(
    certificate: dict[str, Any], precisions: Sequence[int] = PRECISIONS
) -> Finding:
    """Recompute a certificate with the given bits, one after the other; never raises, whatever the input."""
    claim, kind = "", ""
    try:
        check_form(certificate, KEYS)
        if "set" in certificate:
            claim = _claim_id(certificate["claim"])
            return Finding(
                Outcome.CONFIRMED, prove(certificate), claim, proved=True
            )
        claim, kind = (
            _claim_id(certificate["claim"]),
            str(certificate["conclusion"]["kind"]),
        )
        reading = _examine(certificate, precisions)
        return Finding(
            Outcome.CONFIRMED,
            reading.sentence,
            claim,
            kind.startswith("sampled"),
            values=reading.values,
        )
    except Rejection as rejection:
        return Finding(
            rejection.outcome, str(rejection), claim, values=rejection.values
        )
    except (*ERRORS, MemoryError) as error:
        return Finding(
            Outcome.MALFORMED,
            f"the certificate is malformed ({type(error).__name__})",
            claim,
        )


def _claim_id(claim: Any) -> str:
    told = isinstance(claim, dict) and all(
        isinstance(claim.get(key), str) for key in CLAIM
    )
    demand(told, "the claim needs an id, a source and a statement")
    return claim["id"]


def _examine(certificate: dict[str, Any], precisions: Sequence[int]) -> Reading:
    """The refutation as it was recomputed; raises Rejection if there is none."""
    # More bits decide what fewer leave open, and never the opposite: balls of any precision hold the same numbers. So the
    # first precision that decides is enough, and a tie is one at the last that the work allows.
    given, doubt = certificate["hypotheses"], None
    demand(isinstance(given, list), '"hypotheses" is a list')
    with allowance():
        atoms = groups(certificate["laws"], smooth=True)
        for precision in precisions:
            try:
                with ctx.workprec(precision):
                    tape = run(certificate["program"], atoms)
                    assumed = [hypothesis(tape, item) for item in given]
                    reading = conclude(tape, certificate["conclusion"])
            except TooMuch as much:
                raise (
                    much
                    if doubt is None
                    else Rejection(doubt.outcome, f"{doubt}; {TOO_LONG}")
                ) from None
            # What the engine recorded of the values proves nothing; it is compared so that no file says what is not so.
            if _decisive(assumed, reading):
                check_values(certificate.get("values", {}), reading)
                return reading
            doubt = _undecided(tape, assumed, precision)
    raise doubt or malformed("no precision is given")


def _decisive(assumed: list[Truth], reading: Reading) -> bool:
    """Are all hypotheses true and the conclusion false? Raises Rejection if that is certainly not so."""
    # A hypothesis that fails makes the statement true there, whatever its conclusion is.
    if False in assumed:
        raise Rejection(
            Outcome.HYPOTHESIS_FALSE,
            f"hypothesis {assumed.index(False)} is false",
        )
    if reading.violated is False:
        raise Rejection(
            Outcome.NOT_VIOLATED,
            "the statement is not violated",
            reading.values,
        )
    return None not in assumed and reading.violated is True


def _undecided(tape: Tape, assumed: list[Truth], bits: int) -> Rejection:
    """A tie where every number is known well and the two sides still overlap, otherwise a doubt.

    A hypothesis that may be an equality is a doubt: who takes it for false hides what violates the conclusion.
    """
    vague = next(
        (
            f"operation {k} ({str(tape.nodes[k]['op'])[:40]}) has"
            for k, array in enumerate(tape.arrays)
            if not all(map(finite, array.data))
        ),
        None,
    )
    if vague is None and not all(
        finite(w) for weights in tape.weighted.values() for w in weights
    ):
        vague = "the law of the draws has"
    hint = "" if vague is None else f"; {vague} indeterminate entries"
    if None in assumed:
        outcome = Outcome.HYPOTHESIS_UNDECIDED
        what = f"hypothesis {assumed.index(None)}"
    else:
        outcome = Outcome.TIE if vague is None else Outcome.UNDECIDED
        what = "the conclusion"
    return Rejection(outcome, f"{what} is not decided at {bits} bits{hint}")
