"""Perturbed twins of a claim: which of them the same evidence refutes, as a measure of its power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from math import log
from typing import Any

import numpy as np

from boundcheck.checking.certificate import Runs
from boundcheck.checking.observe import (
    TOUCH,
    BrokenClaim,
    Observation,
    Skipped,
    observe,
)
from boundcheck.checking.pace import stated_at
from boundcheck.checking.perturbations import (
    MOST_PARTS,
    flipped,
    parts_seen,
    twins,
)
from boundcheck.checking.refute import Candidate, Refuter, exact_finding
from boundcheck.checking.sampling import TWIN
from boundcheck.checking.search.population import likeness
from boundcheck.checking.settle import settle
from boundcheck.checking.sides import beyond_rounding, size_of_terms
from boundcheck.checking.tightness import away_from_0
from boundcheck.checking.trials import Certain
from boundcheck.checking.verdict import Refutation, Twin
from boundcheck.domains import Raw
from boundcheck.domains.instances import to_json
from boundcheck.laws.quantities import NotPerTrial
from boundcheck.verifier.findings import Outcome
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import (
    AS_PRINTED,
    OutOfReach,
    Question,
    Unsatisfied,
    Words,
    asking,
)

SCALED, NEARLY = ("at_most", "ge", "le"), 0.01
"""Relations whose scores are logarithms of ratios, and what small probabilities may move besides."""

Asked = Callable[[dict[str, Raw]], Question | None]
"""The perturbation of the statement on an instance; None where it would not be one."""

MOST_SAMPLED = 3
"""Instances of a twin that are sampled."""

MOST_MEASURED = 8
"""Instances of either kind, drawn and found, on which the terms of a side are measured."""

FIRST_APPARENT, MOST_APPARENT, MOST_ATTEMPTS = 8, 24, 4
"""Apparent violations of a twin that are held against their rounding, first and in all, and those of either
that the verifier is given."""

MOST_UNWRITTEN = 6
"""Instances without a certificate, before one can be written for another, after which no more are tried."""


def words_of(claim: Claim, raws: Sequence[dict[str, Raw]]) -> Words:
    """The words of the longest run of the body on some instances (a failed hypothesis cuts a run short)."""
    return max(
        (words for words, _ in _runs(claim, raws)),
        key=_length,
        default=Words(AS_PRINTED),
    )


def _length(words: Words) -> tuple[int, ...]:
    return (
        words.assumptions,
        words.thresholds,
        words.logarithms,
        len(words.marked),
    )


def _runs(
    claim: Claim, raws: Sequence[dict[str, Raw]]
) -> Iterator[tuple[Words, Any]]:
    """The words of each run of the body to its end, and what it returned."""
    for raw in raws:
        try:
            with asking(AS_PRINTED) as words:
                returned = stated_at(claim, raw)
        except (Unsatisfied, OutOfReach, ArithmeticError, ValueError):
            continue
        yield words, returned


@dataclass(frozen=True)
class Power:
    """The instances that the twins of a claim are tried on; no new search is made."""

    claim: Claim
    raws: Sequence[dict[str, Raw]]
    refuter: Refuter
    trials: int
    printed: dict[int, list[Observation]] = field(default_factory=dict)
    """What the claim as printed shows of the instances that were asked about."""
    too_long: set[Any] = field(default_factory=set)
    """What instances share that the verifier gave up on."""
    unwritten: Counter[int] = field(default_factory=Counter)
    """For each part how often no certificate could be written."""
    written: set[int] = field(default_factory=set)
    """Parts for which one could."""

    def twins(self, killed: Collection[str] = ()) -> tuple[Twin, ...]:
        """Each twin, and whether an instance refutes it with a confirmed certificate, or an earlier run did.

        What refuted the twin before is tried first. What asks for more than a refuted twin is refuted too.
        """
        found: list[Twin] = []
        last: list[dict[str, Raw]] = []
        refuted: list[tuple[dict[str, Raw], Question]] = []
        for label, ask in self._asked():
            if label in killed or any(
                self._is_implied(ask(raw), raw, known) for raw, known in refuted
            ):
                found.append(Twin(label, True))
                continue
            refuting = (
                self._refuting(ask, last) if last else []
            ) or self._refuting(ask, self.raws)
            last = refuting or last
            refuted += [(raw, ask(raw) or AS_PRINTED) for raw in refuting]
            found.append(Twin(label, bool(refuting)))
        return tuple(found)

    def _is_implied(
        self, asked: Question | None, raw: dict[str, Raw], known: Question
    ) -> bool:
        """Whether what violates one twin violates the other: a smaller factor, on the same part or on all."""
        if asked is None or asked.part not in (None, known.part):
            return False
        if asked.bound > known.bound or asked.event > known.event:
            return False
        alike = [
            replace(q, label="", bound=1.0, event=1.0, part=None)
            for q in (asked, known)
        ]
        return alike[0] == alike[1] and all(
            o.relation in SCALED for o in self._as_printed(raw)
        )

    def _asked(self) -> Iterator[tuple[str, Asked]]:
        runs = list(_runs(self.claim, self.raws))
        words = max(
            (words for words, _ in runs), key=_length, default=Words(AS_PRINTED)
        )
        parts = parts_seen([returned for _, returned in runs])
        for question in twins(words, parts):
            yield question.label, lambda _raw, q=question: q
        for k, part in enumerate(parts[:MOST_PARTS]):
            if part.terms:
                place = f"part {k + 1}: " if len(parts) > 1 else ""
                yield (
                    f"{place}right-hand side less 0.1 of the terms",
                    self._lessened(k),
                )
        if any(part.bound for part in parts):
            for name in self._sizes():
                yield f"right-hand side / sqrt({name})", partial(flipped, name)

    def _sizes(self) -> list[str]:
        """Parameters that are whole numbers from 1 on."""
        whole = {
            name
            for raw in self.raws
            for name, x in raw.items()
            if type(x) is int
        }
        return sorted(
            name for name in whole if all(raw[name] >= 1 for raw in self.raws)
        )

    def _lessened(self, part: int) -> Asked:
        """Where a side is 0, a tenth of the largest term of the other is taken from the right-hand side."""
        some = {
            id(raw): raw
            for raw in [*self.raws[:MOST_MEASURED], *self.raws[-MOST_MEASURED:]]
        }
        sizes = {
            key: size_of_terms(self.claim, raw, part)
            for key, raw in some.items()
        }

        def asked(raw: dict[str, Raw]) -> Question | None:
            size = sizes.get(id(raw), 0.0)
            return (
                Question("less", less=float(f"{size / 10:.6g}"), part=part)
                if size > 0
                else None
            )

        return asked

    def _refuting(
        self, ask: Asked, raws: Sequence[dict[str, Raw]]
    ) -> list[dict[str, Raw]]:
        """The instance that refutes a twin: the shortest of those nearest to the bound of the claim first."""
        nearest = sorted(raws, key=lambda raw: self._distance(raw, ask(raw)))
        apparent = self._candidates(ask, nearest)
        for some in (FIRST_APPARENT, MOST_APPARENT - FIRST_APPARENT):
            worst = sorted(
                islice(apparent, some), key=lambda c: len(repr(to_json(c[1])))
            )
            sure = islice(self._surest(ask, worst), MOST_ATTEMPTS)
            if refuting := next(
                (
                    [raw]
                    for o, raw, runs in sure
                    if self._is_refuted(runs, o, raw)
                ),
                [],
            ):
                return refuting
        return []

    def _distance(
        self, raw: dict[str, Raw], question: Question | None
    ) -> float:
        """How far what a twin changes of the claim is from being violated as printed."""
        part = None if question is None else question.part
        asked = (
            o
            for o in self._as_printed(raw)
            if part in (None, o.part) and not np.isnan(o.score)
        )
        return min((-o.score for o in asked), default=np.inf)

    def _as_printed(self, raw: dict[str, Raw]) -> list[Observation]:
        if id(raw) not in self.printed:
            self.printed[id(raw)] = self._seen(raw, AS_PRINTED)
        return self.printed[id(raw)]

    def _surest(
        self, ask: Asked, candidates: list[Candidate]
    ) -> Iterator[tuple[Observation, dict[str, Raw], Runs]]:
        """Those that are violated beyond their rounding, then those of which floats know too little."""
        vague = []
        for o, raw in candidates:
            hopeless = (
                o.exact
                and o.part not in self.written
                and self.unwritten[o.part] >= MOST_UNWRITTEN
            )
            if hopeless or likeness(raw) in self.too_long:
                continue
            runs = Runs(self.claim, ask(raw) or AS_PRINTED)
            sure, _ = beyond_rounding(runs, raw, o)
            if sure.vague:
                vague.append((o, raw, runs))
            elif sure.score > TOUCH:
                yield o, raw, runs
        yield from vague

    def _is_refuted(
        self, runs: Runs, o: Observation, raw: dict[str, Raw]
    ) -> bool:
        if o.exact:
            finding = exact_finding(
                self.claim, raw, o.part, runs.question, runs
            )
            if finding is not None and finding.outcome is Outcome.UNDECIDED:
                self.too_long.add(likeness(raw))
            self.unwritten[o.part] += finding is None
            self.written.update([o.part] if finding is not None else [])
            return finding is not None and finding.confirmed
        stream = self.refuter.stream.child(TWIN)
        refuter = Refuter(
            self.claim,
            stream,
            self.refuter.alpha,
            self.refuter.trials,
            runs.question,
        )
        try:
            return isinstance(
                refuter.attempt(o, raw, shrinking=False), Refutation
            )
        except (BrokenClaim, NotPerTrial):
            return False

    def _candidates(
        self, ask: Asked, raws: Sequence[dict[str, Raw]]
    ) -> Iterator[Candidate]:
        sampled = 0
        for raw in raws:
            question = ask(raw)
            for o in (
                []
                if question is None or not self._may_refute(raw, question)
                else self._seen(raw, question)
            ):
                if (
                    o.pending is not None
                    and not o.vacuous
                    and sampled < MOST_SAMPLED
                ):
                    sampled += 1
                    o = self._settled(o, raw, question, sampled)
                if (
                    o.score > TOUCH
                    and not o.vacuous
                    and (o.kind == "probability" or away_from_0(o, raw))
                ):
                    yield o, raw

    def _may_refute(self, raw: dict[str, Raw], question: Question) -> bool:
        """Whether a twin may be violated here.

        A factor on the bound moves scores by its logarithm at most; a met hypothesis leaves all as printed.
        """
        if question.dropped is not None and (printed := self._as_printed(raw)):
            return any(o.score > TOUCH for o in printed)
        if not 0 < question.bound < 1:
            return True
        asked = [
            o for o in self._as_printed(raw) if question.part in (None, o.part)
        ]
        return any(
            o.pending is not None
            or o.relation not in SCALED
            or not o.score < log(question.bound) - NEARLY
            for o in asked
        )

    def _seen(
        self, raw: dict[str, Raw], question: Question
    ) -> list[Observation]:
        """What a twin shows of an instance: nothing where the body breaks, for want of a hypothesis, say."""
        try:
            seen = observe(self.claim, raw, question)
        except BrokenClaim:
            return []
        return [] if isinstance(seen, Skipped) else seen

    def _settled(
        self,
        o: Observation,
        raw: dict[str, Raw],
        question: Question | None,
        k: int,
    ) -> Observation:
        assert question is not None
        sure = Certain(self.claim, raw, o.part, question)
        try:
            return (
                settle(
                    o,
                    self.refuter.stream.child(TWIN, k),
                    self.trials,
                    1e-3,
                    sure,
                ).observation
                or o
            )
        except (NotPerTrial, BrokenClaim, ValueError, TypeError, LookupError):
            return o
