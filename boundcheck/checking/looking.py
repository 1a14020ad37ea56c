"""A look at drawn instances: evidence, candidates for a refutation, and a pool for the search."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from boundcheck.checking.observe import (
    TOUCH,
    BrokenClaim,
    Observation,
    Skipped,
    observe,
)
from boundcheck.checking.plan import Plan
from boundcheck.checking.refute import (
    MOST_CANDIDATES,
    NO_VIOLATION,
    Candidate,
    exact_finding,
    require_trials_of,
)
from boundcheck.checking.sampling import FIRST_LOOK, SEARCH, Stream
from boundcheck.checking.search.equations import hypotheses_of
from boundcheck.checking.settle import UNJUDGED, Seen, Settled, settle, supposes
from boundcheck.checking.sides import by_program
from boundcheck.checking.tightness import Nearest
from boundcheck.checking.trials import Certain
from boundcheck.checking.verdict import (
    TIED,
    TOO_CLOSE,
    UNSATISFIED,
    Evidence,
    Open,
)
from boundcheck.domains import Raw
from boundcheck.domains.conditions import Outside
from boundcheck.domains.instances import from_json, keeps, to_json
from boundcheck.verifier.findings import Finding, Outcome
from boundcheck.words.claims import Claim
from boundcheck.words.failures import told
from boundcheck.words.hypotheses import Question

MOST_CHECKED = 2
"""Instances on which it is looked at whether draws are trials."""

MOST_READ, MORE = 6, 6
"""Sides that are those of the program even where floats see no violation, for a body may wrap; more where
they see equality, and after each that floats knew too little of."""

MOST_TIES = 3
"""Instances on which the sides are equal as far as floats can tell, and exact arithmetic is asked; and as many
on which it decides what floats cannot place."""

RARE = 4
"""Where no more than one instance in so many satisfies the hypotheses, they may be narrow."""

EQUATIONS = 2**31 + 3
"""The stream of moves onto equations."""

MOST_EXACTLY = 6
"""Instances of a claim that are handed to exact arithmetic because floats know too little."""

EQUAL = "a strict statement has two sides that are equal as far as exact arithmetic can tell"


@dataclass
class Look:
    """What instances show of a claim; `open` are those left open by earlier runs: they are sampled on."""

    claim: Claim
    question: Question
    plan: Plan
    stream: Stream
    open: tuple[Open, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    candidates: list[Candidate] = field(default_factory=list)
    pool: list[tuple[float, dict[str, Raw]]] = field(default_factory=list)
    instances: list[dict[str, Raw]] = field(default_factory=list)
    chances: bool = False
    parts: int = 0
    sampled: int = 0
    checked: int = 0
    read: int = 0
    exactly: int = 0
    ties: int = 0
    hanging: int = 0
    misassumed: int = 0
    """Where only floats satisfied what an instance has to."""
    equal: int = 0
    """Where a strict statement has two sides that no arithmetic here tells apart."""
    judged: set[int] = field(default_factory=set)
    aside: dict[int, str] = field(default_factory=dict)
    """Parts of the statement that were judged somewhere, and why some were left aside somewhere."""
    pending: list[dict[str, Raw]] = field(default_factory=list)
    """Instances at which a part can only be sampled."""
    seen: dict[int, list[Observation]] = field(default_factory=dict)
    """What floats alone show of each instance, by its identity."""
    later: list[tuple[int, dict[str, Raw], list[Observation]]] = field(
        default_factory=list
    )
    """Instances with apparent violations that are no larger than those of enough others."""

    def __post_init__(self) -> None:
        self.nearest = Nearest(self.claim, self.question)

    def at(self, drawn: Iterable[dict[str, Raw]]) -> None:
        """Look at the instances left open, then at those drawn."""
        reopened = {
            _text(entry.instance): from_json(entry.instance)
            for entry in self.open
        }
        self.instances = [
            *reopened.values(),
            *(raw for raw in drawn if _text(to_json(raw)) not in reopened),
        ]
        looks = [self._observed(raw) for raw in self.instances]
        for k, raw in self._moved(looks).items():
            self.instances[k], looks[k] = raw, self._observed(raw)
        apparent = np.array([_apparent(seen) for seen in looks])
        first = set(
            np.argsort(-apparent, kind="stable")[:MOST_CANDIDATES].tolist()
        )
        for k, (raw, seen) in enumerate(
            zip(self.instances, looks, strict=True)
        ):
            self.seen[id(raw)] = [] if isinstance(seen, Skipped) else seen
            if isinstance(seen, Skipped):
                self.evidence += Evidence(instances=1, skipped={seen.reason: 1})
            elif apparent[k] > TOUCH and k not in first:
                self.later.append((k, raw, seen))
            else:
                self._take(k, raw, seen)

    def _observed(self, raw: dict[str, Raw]) -> list[Observation] | Skipped:
        """What floats say where all promises are kept: a setting may promise more than its fields were drawn with.

        Raises BrokenClaim.
        """
        claim = self.claim
        try:
            kept = keeps(claim.parameters, raw)
        except (Outside, ArithmeticError, np.linalg.LinAlgError):
            kept = False
        except (
            Exception
        ) as error:  # the member of a setting, which may raise anything
            sentence = f"what a setting promises fails: {told(error)}"
            raise BrokenClaim(
                f"{claim.id} ({claim.location}): {sentence}"
            ) from error
        return (
            observe(claim, raw, self.question) if kept else Skipped(UNSATISFIED)
        )

    def rest(self, refuted: bool) -> list[Candidate]:
        """The candidates among what was left for later, which programs read unless the claim is refuted."""
        before = len(self.candidates)
        for k, raw, seen in self.later:
            self._take(k, raw, seen, reading=not refuted)
        left = tuple(
            why for part, why in self.aside.items() if part not in self.judged
        )
        if self.equal > self.evidence.satisfied:
            left += (EQUAL,)
        self.evidence += Evidence(undecided=left, tightest=self.nearest.value)
        return self.candidates[before:]

    def _moved(
        self, looks: Sequence[list[Observation] | Skipped]
    ) -> dict[int, dict[str, Raw]]:
        """What instances that fail equations or narrow hypotheses become: others that satisfy them."""
        failed = [
            k
            for k, seen in enumerate(looks)
            if isinstance(seen, Skipped) and seen.reason == UNSATISFIED
        ]
        if not failed:
            return {}
        known = {_text(to_json(raw)) for raw in self.instances}
        rng = self.stream.child(SEARCH, EQUATIONS).rng()
        hypotheses, moving = (
            hypotheses_of(self.claim),
            [self.instances[k] for k in failed],
        )
        found = hypotheses.moved(moving, rng)
        counted = [
            raw for k, raw in enumerate(self.instances) if k not in failed
        ]
        if (
            not found
            and RARE * len(counted) <= len(looks)
            and hypotheses.hardly_hold(counted, rng)
        ):
            hypotheses.narrowly()
            found = hypotheses.moved(moving, rng)
        return {
            failed[k]: raw
            for k, raw in found.items()
            if _text(to_json(raw)) not in known
        }

    def _take(
        self,
        k: int,
        raw: dict[str, Raw],
        seen: list[Observation],
        reading: bool = True,
    ) -> None:
        self.chances |= any(o.kind == "probability" for o in seen)
        self.parts = max(self.parts, len(seen))
        self._require_trials(raw)
        seen = [self._read(raw, o) for o in seen] if reading else seen
        self.pending += (
            [raw]
            if any(o.pending is not None and not o.vacuous for o in seen)
            else []
        )
        evidence, settled = self._settled(k, raw, seen)
        self.sampled += evidence.sampled > 0 or bool(
            evidence.undecided or evidence.open
        )
        self.evidence += evidence
        self.candidates += [
            (o, raw) for o in settled if o.score > TOUCH and not o.vacuous
        ]
        self.pool += [(max(o.score for o in settled), raw)] if settled else []

    def _require_trials(self, raw: dict[str, Raw]) -> None:
        """On the first instances: every random quantity has one entry for each trial. Raises BrokenClaim."""
        if self.checked < MOST_CHECKED:
            self.checked += 1
            require_trials_of(
                self.claim,
                raw,
                self.question,
                self.stream.child(FIRST_LOOK, self.checked),
            )

    def _read(self, raw: dict[str, Raw], o: Observation) -> Observation:
        """The sides by the program, on the first instances where floats saw a violation or too little."""
        if o.meets_by_ties and self.hanging < MOST_TIES:
            self.hanging += 1
            if (placed := self._placed(raw, o)) is not None:
                return placed
        enough = MOST_READ + MORE * (
            (o.score > 0) + self.exactly + self.misassumed
        )
        if not (o.score > TOUCH or self.read < enough):
            return o
        self.read += 1
        seen, apparent = by_program(self.nearest.runs, raw, o), o.score > TOUCH
        self.misassumed += bool(np.isnan(seen.score) and not np.isnan(o.score))
        if seen.vague or seen.attained:
            return self._where_vague(raw, seen, apparent)
        tied = (
            (seen.touches or seen.hangs_on_ties)
            and seen.exact
            and seen.pending is None
            and self.ties < MOST_TIES
        )
        return self._where_tied(raw, seen, apparent) if tied else seen

    def _where_vague(
        self, raw: dict[str, Raw], o: Observation, apparent: bool
    ) -> Observation:
        """Floats know too little of the sides: exact arithmetic decides, or they count for nothing."""
        self.exactly += 1
        undecided = replace(o, score=np.nan, aside=TOO_CLOSE)
        if self.exactly > MOST_EXACTLY:
            return undecided
        finding = exact_finding(self.claim, raw, o.part, self.question)
        if finding is None:
            return undecided
        if finding.confirmed:
            return replace(o, score=max(abs(o.score), 2 * TOUCH), vague=False)
        if finding.outcome is Outcome.NOT_VIOLATED:
            return replace(o, score=min(o.score, -2 * TOUCH), vague=False)
        if finding.outcome is Outcome.TIE:
            self.equal += o.attained
            return replace(undecided, aside=TIED)
        if apparent:
            self._leave_open(finding)
        return undecided

    def _where_tied(
        self, raw: dict[str, Raw], o: Observation, apparent: bool
    ) -> Observation:
        """The sides are equal as far as floats can tell: rounding may hide a violation."""
        self.ties += 1
        finding = exact_finding(self.claim, raw, o.part, self.question)
        if finding is not None and finding.confirmed:
            return replace(o, score=max(abs(o.score), 2 * TOUCH))
        if (
            finding is not None
            and o.hangs_on_ties
            and finding.outcome is not Outcome.NOT_VIOLATED
        ):
            self._leave_open(finding)
            return replace(o, score=np.nan)
        if finding is None or finding.outcome in NO_VIOLATION or not apparent:
            return o
        self._leave_open(finding)
        return replace(o, score=np.nan)

    def _placed(
        self, raw: dict[str, Raw], o: Observation
    ) -> Observation | None:
        """A chance in which exact arithmetic places what floats cannot; None where it cannot, either."""
        finding = exact_finding(self.claim, raw, o.part, self.question)
        if finding is not None and finding.confirmed:
            return replace(o, score=2 * TOUCH)
        if finding is None or "probability" not in finding.values:
            return None
        chance = float(finding.values["probability"])
        placed = o.with_chances(1 - chance if o.relation == "ge" else chance)
        return replace(placed, score=min(placed.score, 0.0), tied=None)

    def _leave_open(self, finding: Finding) -> None:
        sentence = f"floats cannot tell which side is larger, and exact arithmetic says: {finding.sentence}"
        self.evidence += Evidence(undecided=(sentence,))

    def _settled(
        self, k: int, raw: dict[str, Raw], seen: list[Observation]
    ) -> tuple[Evidence, list[Observation]]:
        """The evidence of one instance; parts without a finite law are sampled, if not trivial."""
        evidence, settled = (
            Evidence(instances=1),
            [o for o in seen if o.pending is None],
        )
        trivial = [
            replace(o, score=-np.inf)
            for o in seen
            if o.pending is not None and o.vacuous
        ]
        may_sample = self.sampled < self.plan.sampled_instances
        for o in seen:
            before = self._seen_before(raw, o.part)
            if (
                o.pending is not None
                and (may_sample or before)
                and not o.vacuous
            ):
                sure = Certain(self.claim, raw, o.part, self.question)
                result = settle(
                    o,
                    self.stream.child(SEARCH, k, o.part),
                    self.plan.trials,
                    self.plan.level,
                    sure,
                    before,
                )
                evidence += self._left_open(raw, o.part, result)
                settled += [result.observation] if result.observation else []
        settled = [o for o in settled if not np.isnan(o.score)]
        self.judged |= {o.part for o in settled}
        settled += trivial
        if settled:
            self.nearest.look(settled, raw)
            return evidence + _seen(settled), settled
        if evidence.undecided or evidence.open or evidence.skipped:
            return evidence, []
        known = "undefined" if seen[0].pending is None else "not sampled"
        why = next((o.aside for o in seen if o.aside), known)
        return evidence + Evidence(skipped={why: 1}), []

    def _seen_before(self, raw: dict[str, Raw], part: int) -> Seen:
        here = _text(to_json(raw)) if self.open else ""
        return next(
            (
                e.seen
                for e in self.open
                if e.part == part and _text(e.instance) == here
            ),
            (),
        )

    def _left_open(
        self, raw: dict[str, Raw], part: int, result: Settled
    ) -> Evidence:
        """Trials, and what they left open; what sampling cannot judge may be judged exactly elsewhere."""
        if result.doubt is None:
            return Evidence(trials=result.trials)
        if result.doubt in UNJUDGED:
            self.aside[part] = result.doubt
            return Evidence(skipped={result.doubt: 1})
        if result.seen is None:
            return Evidence(trials=result.trials, undecided=(result.doubt,))
        return Evidence(
            trials=result.trials,
            open=(Open(to_json(raw), part, result.doubt, result.seen),),
        )


def _apparent(seen: list[Observation] | Skipped) -> float:
    """The score of the largest violation that floats see without trials; -inf without one."""
    some = (
        []
        if isinstance(seen, Skipped)
        else [o.score for o in seen if o.score > TOUCH and not o.vacuous]
    )
    return max(some, default=-np.inf)


def _text(instance: object) -> str:
    """One text for one instance in JSON."""
    return json.dumps(instance, sort_keys=True)


def _seen(settled: list[Observation]) -> Evidence:
    exact = all(o.exact for o in settled)
    return Evidence(
        satisfied=1,
        exact=int(exact),
        sampled=int(not exact),
        vacuous=int(all(o.vacuous for o in settled)),
        supposing=int(any(map(supposes, settled))),
        touches=int(any(o.touches for o in settled)),
    )
