"""From an apparent violation to a refutation: shrink, certify, and let the independent verifier decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.checking.certificate import (
    NotFinite,
    NotTraceable,
    Runs,
    refutation,
    with_values,
)
from boundcheck.checking.confidence import trials_to_decide
from boundcheck.checking.observe import (
    TOUCH,
    BrokenClaim,
    Observation,
    Skipped,
    observe,
)
from boundcheck.checking.pace import stated_at
from boundcheck.checking.plan import part
from boundcheck.checking.sampling import (
    ATTEMPT,
    BESIDE,
    CONFIRM,
    FIRST_CHUNK,
    Stream,
    confirm,
    confirm_mean,
    confirm_rate,
    rate_form,
)
from boundcheck.checking.search.shrink import shrink
from boundcheck.checking.sides import runs_as_read, sides
from boundcheck.checking.trials import Certain, require_trials
from boundcheck.checking.verdict import Refutation, six_digits
from boundcheck.domains import Raw
from boundcheck.laws.quantities import NotPerTrial
from boundcheck.verifier import verify
from boundcheck.verifier.findings import Finding, Outcome
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import (
    AS_PRINTED,
    OutOfReach,
    Question,
    Unsatisfied,
    asking,
)
from boundcheck.words.statements import (
    Chance,
    as_statement,
    mean_form,
    parts_of,
)

Candidate = tuple[Observation, dict[str, Raw]]

MOST_CANDIDATES = 8
"""Candidates that are certified before a claim is left alone, the worst first."""

NO_VIOLATION = (Outcome.NOT_VIOLATED, Outcome.HYPOTHESIS_FALSE, Outcome.TIE)

UNCONFIRMED = "the first trials speak against it, and fresh trials at the level of a refutation do not decide"

PRECISIONS = (106, 212, 424)
"""Two sides that agree to so many bits are taken for equal."""


def require_trials_of(
    claim: Claim, raw: Mapping[str, Raw], question: Question, stream: Stream
) -> None:
    """Raise BrokenClaim unless the random quantities of a claim have, on an instance, one entry a trial."""
    try:
        with np.errstate(all="ignore"), asking(question):
            require_trials(
                parts_of(as_statement(stated_at(claim, raw))),
                stream.rng(),
            )
    except NotPerTrial as error:
        raise BrokenClaim(f"{claim.id} ({claim.location}): {error}") from error
    except (
        Unsatisfied,
        OutOfReach,
        NotFinite,
        ArithmeticError,
        MemoryError,
        ValueError,
        np.linalg.LinAlgError,
    ):
        return


def exact_finding(
    claim: Claim,
    raw: Mapping[str, Raw],
    part: int,
    question: Question,
    runs: Runs | None = None,
) -> Finding | None:
    """What the verifier says of one part on an instance; None where no certificate can be written."""
    try:
        traced = runs.trace(raw, part) if runs else None
        return verify(
            refutation(claim, raw, part, None, question, traced=traced),
            PRECISIONS,
        )
    except (NotTraceable, NotFinite):
        return None


@dataclass
class Refuter:
    """Attempts at refuting one claim; each confirmation by sampling pays its part of the claim's share."""

    claim: Claim
    stream: Stream
    alpha: float
    trials: int
    question: Question = AS_PRINTED
    attempts: int = 0

    def refute(
        self, candidates: list[Candidate]
    ) -> tuple[Refutation | None, tuple[str, ...]]:
        """The first candidate, the worst first, that the verifier confirms; else why some are not decided."""
        doubts: list[str] = []
        worst_first = sorted(candidates, key=lambda c: -c[0].score)
        for observation, raw in worst_first[:MOST_CANDIDATES]:
            result = (
                self.attempt(observation, raw)
                if observation.score > TOUCH
                else None
            )
            if isinstance(result, Refutation):
                return result, ()
            if result is not None:
                doubts.append(
                    f"an apparent violation ({observation.lhs:.6g} against {observation.rhs:.6g}) has no certificate: {result}"
                )
        return None, tuple(doubts[:1])

    def first(self, candidates: list[Candidate]) -> Refutation | None:
        """The first of some candidates that exact arithmetic confirms; undecided ones count for nothing."""
        findings = (
            (o, raw, exact_finding(self.claim, raw, o.part, self.question))
            for o, raw in candidates
        )
        attempts = (
            self.attempt(o, raw)
            for o, raw, found in findings
            if found is not None and found.confirmed
        )
        return next(
            (result for result in attempts if isinstance(result, Refutation)),
            None,
        )

    def attempt(
        self,
        observation: Observation,
        raw: dict[str, Raw],
        shrinking: bool = True,
    ) -> Refutation | str | None:
        """A confirmed refutation, the reason why there is none although there may be one, or None."""
        require_trials_of(
            self.claim, raw, self.question, self.stream.child(ATTEMPT)
        )
        if not observation.exact:
            try:
                sampled = self._confirmed(observation, raw)
            except NotTraceable as error:
                return str(error)
            if sampled is None:
                return UNCONFIRMED if observation.decided else None
            return self.certified(observation, raw, sampled)
        for surely in (False, True) if shrinking else ():
            result = self.certified(
                observation, self._shrunk(observation, raw, surely)
            )
            if isinstance(result, Refutation):
                return result
        return self.certified(observation, raw)

    def _shrunk(
        self, observation: Observation, raw: dict[str, Raw], surely: bool
    ) -> dict[str, Raw]:
        """The instance made simple; `surely` has each step certified, which floats alone may take for one too many."""
        enough = min(observation.score / 2, 0.02)

        def still_wrong(candidate: dict[str, Raw]) -> bool:
            seen = observe(self.claim, candidate, self.question)
            return (
                not isinstance(seen, Skipped)
                and any(
                    o.part == observation.part and o.exact and o.score > enough
                    for o in seen
                )
                and (
                    not surely
                    or isinstance(
                        self.certified(observation, candidate), Refutation
                    )
                )
            )

        return shrink(self.claim.parameters, raw, still_wrong)

    def certified(
        self,
        observation: Observation,
        raw: Mapping[str, Raw],
        sampled: Any = None,
    ) -> Refutation | str | None:
        here = self._here(observation, raw)
        try:
            certificate = refutation(
                self.claim, raw, observation.part, sampled, self.question
            )
        except (
            NotTraceable,
            NotFinite,
        ) as error:  # only floats satisfy the hypotheses: nothing to refute
            return (
                None if isinstance(error.__cause__, Unsatisfied) else str(error)
            )
        finding = verify(certificate, PRECISIONS)
        if finding.confirmed and not runs_as_read(
            Runs(self.claim, self.question), raw, here, finding.values
        ):
            return BESIDE
        if finding.confirmed:
            certificate = with_values(certificate, finding.values)
            return Refutation(
                certificate,
                f"{finding.sentence} ({here.about})"
                if here.about
                else finding.sentence,
                six_digits(here.score),
            )
        if finding.outcome is Outcome.NOT_VIOLATED and self._certain(here, raw):
            return "floats see a violation beyond their rounding and the verifier sees none: a defect of boundcheck, please report it"
        return None if finding.outcome in NO_VIOLATION else finding.sentence

    def _certain(self, o: Observation, raw: Mapping[str, Raw]) -> bool:
        """Whether the program in floats shows a violation that rounding cannot have made."""
        if not o.exact or o.kind == "probability":
            return False
        found = sides(Runs(self.claim, self.question), raw, o.part)
        return found is not None and found.excess > 0

    def _here(
        self, observation: Observation, raw: Mapping[str, Raw]
    ) -> Observation:
        """The observation on another instance; trials are not made again."""
        seen = (
            observe(self.claim, raw, self.question)
            if observation.exact
            else Skipped("sampled")
        )
        return (
            observation if isinstance(seen, Skipped) else seen[observation.part]
        )

    def _confirmed(
        self, observation: Observation, raw: dict[str, Raw]
    ) -> dict[str, Any] | None:
        """Counts of fresh trials that refute at this attempt's part of the claim's share."""
        statement, sure = (
            observation.pending,
            Certain(self.claim, raw, observation.part, self.question),
        )
        self.attempts += 1
        level, stream = (
            part(self.alpha, self.attempts),
            self.stream.child(CONFIRM, self.attempts),
        )
        if isinstance(statement, Chance):
            planned = min(
                self.trials,
                4 * FIRST_CHUNK
                + 2 * trials_to_decide(observation.rhs, observation.lhs, level),
            )
            return fresh_trials(statement, stream, int(planned), level, sure)
        return fresh_trials(statement, stream, self.trials, level, sure)


def fresh_trials(
    statement: Any,
    stream: Stream,
    trials: int,
    level: float,
    sure: Certain,
    patient: bool = False,
) -> dict[str, Any] | None:
    """Trials on a stream of their own: what a certificate keeps if they refute the statement at `level`.

    A `patient` one draws all of them, as where so many are known to refute it.
    """
    if isinstance(statement, Chance):
        return confirm(statement, stream, trials, level, sure)
    slope = rate_form(statement)
    if slope is not None:
        return confirm_rate(slope, stream, trials, level, sure)
    form = mean_form(statement)
    if form is None:
        return None
    return confirm_mean(form, stream, trials, level, sure, patient)
