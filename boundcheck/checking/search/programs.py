"""The programs of a claim that populations read, recorded once for each instance and part."""

from __future__ import annotations

import pickle
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from boundcheck.checking.certificate import NotFinite, NotTraceable, Runs
from boundcheck.checking.search.program import Program
from boundcheck.checking.search.scores import SCORES
from boundcheck.domains import Raw
from boundcheck.laws import at_most_atoms
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Question

MOST_ATOMS = 3000
"""Larger laws are looked at one instance after the other."""

MOST_UNKNOWN = 3
"""Programs of a part that conclude what populations do not know, after which no more are recorded."""


@dataclass
class Programs:
    """Generic rows, populations and climbs ask about the same instances: they share what was recorded."""

    claim: Claim
    question: Question
    known: dict[bytes, Program | None] = field(default_factory=dict)
    unknown: Counter[int] = field(default_factory=Counter)
    """For each part how often it was recorded and concludes what populations do not know."""

    def __post_init__(self) -> None:
        self.runs = [
            Runs(self.claim, self.question, selecting)
            for selecting in (True, False)
        ]
        self.numbers = Runs(self.claim, self.question, True, promising=False)

    def recorded(
        self, raw: dict[str, Raw], part: int, whole: bool = False
    ) -> Program | None:
        """A part's program on an instance, choosing by numbers if it can; None if no population reads it.

        Where there are `whole` numbers given as floats, only if it does.
        """
        asked = pickle.dumps((raw, part, whole))
        if asked not in self.known:
            self.known[asked] = self._recorded(raw, part, whole)
        return self.known[asked]

    def _recorded(
        self, raw: dict[str, Raw], part: int, whole: bool
    ) -> Program | None:
        if self.unknown[part] >= MOST_UNKNOWN:
            return None
        with at_most_atoms(MOST_ATOMS):
            for runs in [self.numbers] if whole else self.runs:
                with suppress(NotTraceable, NotFinite):
                    tape, conclusion = runs.trace(raw, part)
                    if conclusion["kind"] in SCORES:
                        return Program(tape, conclusion)
                    self.unknown[part] += 1
                    return None
        return None
