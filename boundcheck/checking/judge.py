"""Judging one claim: draw, search, refute, and weigh what was seen."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np

from boundcheck.checking.certificate import unread
from boundcheck.checking.looking import Look
from boundcheck.checking.named import at_named_numbers
from boundcheck.checking.observe import TOUCH, Observation, Skipped, observe
from boundcheck.checking.pace import pacing
from boundcheck.checking.plan import PLANS, Plan
from boundcheck.checking.refute import MOST_CANDIDATES, Candidate, Refuter
from boundcheck.checking.sampling import SEARCH, Stream
from boundcheck.checking.search.crossing import Crossings
from boundcheck.checking.search.equations import hypotheses_of
from boundcheck.checking.search.evolve import ENOUGH_WORK, Evolution, by_looks
from boundcheck.checking.search.explore import Explorer
from boundcheck.checking.search.population import as_floats
from boundcheck.checking.search.programs import Programs
from boundcheck.checking.search.sampled import Sampled
from boundcheck.checking.sides import Unread, beyond_rounding, by_program
from boundcheck.checking.tightness import Nearest, nearness, surely
from boundcheck.checking.twins import Power
from boundcheck.checking.verdict import (
    NO_EVIDENCE,
    TOO_LONG,
    Evidence,
    Judgement,
    Outcome,
    Refutation,
    broken,
    weigh,
)
from boundcheck.domains import Raw
from boundcheck.domains.conditions import Outside
from boundcheck.domains.domain import named_dims
from boundcheck.domains.instances import draw_instances, inside, sizes_of
from boundcheck.laws import at_most_atoms
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, Question

SEARCH_ATOMS = 10_000
"""Larger laws are not looked at while climbing."""

WORK_ENTRIES = 400
"""Array entries that count as one unit of work."""

GOOD_ENOUGH = 0.05
"""A search ends when the sides are so far apart on the wrong side, on the log scale."""

MOST_DENIED = 3
"""Instances near equality, or beyond it by their programs alone, that the program reads: a body may wrap."""

MOST_VAGUE = 3
"""Apparent violations that floats know too little of, and exact arithmetic is asked about after a search."""

OPERATIONS = 3
"""Operations on populations for each unit of work."""

ALONE, BESIDE = 1 / 2, 1 / 8
"""The share of the work that is spent on instances one by one, and of it where programs read all instances that
were drawn."""

POPULATIONS, SAMPLED, FRESH = 2, 3, 4
"""The streams of the search in populations, of the one on small samples, and of fresh instances."""

PLAIN = 256
"""Fresh instances that are looked at one by one, at most; they take a quarter of the work."""

CROSSING = 16
"""Operations of generic rows for each unit of work."""

OF_SAMPLES = 1
"""The share of the work that is spent on small samples where laws can only be sampled."""

COLLECTED = 50_000
"""New objects after which the garbage collector looks for cycles."""

EARNED = 128
"""Climbs from generic rows that run to an end before HOLDS needs no word about them."""

HANDFUL, RARELY = 3, 10
"""So few instances that satisfy the hypotheses, and so many times as many that do not, say nothing."""

TOO_FEW = (
    "no more than {} of all that were looked at satisfied the hypotheses, which is too few to say anything;"
    " draw what satisfies them: y = 1 / x instead of assume(x * y == 1)"
)

SMALL = 1e-6
"""Where no violation could be certified, the next search leaves out sides that are both smaller: rounding."""


@dataclass(frozen=True)
class Judge:
    """One claim under a plan and its share of the error budget; `known` instances are tried first.

    `before` is the evidence of runs with other seeds: what they left open is sampled further, the rest added.
    """

    claim: Claim
    plan: Plan
    alpha: float
    known: tuple[dict[str, Raw], ...] = ()
    question: Question = AS_PRINTED
    before: Evidence = NO_EVIDENCE

    def verdict(self) -> Judgement:
        """The verdict; deterministic given claim, plan and share.

        Smaller budgets come first, as they would alone: what one of them refutes, a larger one does.
        """
        refuter = Refuter(
            self.claim, self._stream(), self.alpha, 0, self.question
        )
        stage = self._kept(refuter)
        for plan in self.plan.stages:
            if stage.refutation is None:
                before, stage = stage, replace(self, plan=plan)._stage(refuter)
                stage.searched += before.searched
        refutation, look, search = stage.refutation, stage.look, stage.search
        evidence = (
            replace(self.before, open=()) + look.evidence + stage.searched
        )
        asked = refutation is None and self.question == AS_PRINTED
        instances = [*stage.first, *look.instances, *stage.near]
        power = (
            Power(
                self.claim,
                instances,
                refuter,
                self.plan.trials // 10,
                look.seen,
            ).twins(evidence.killed)
            if asked
            else ()
        )
        evidence += Evidence(
            killed=tuple(twin.label for twin in power if twin.refuted)
        )
        evidence = evidence.rounded
        outcome, scope, reason = weigh(
            evidence, refutation, self.plan.level, asked
        )
        if outcome is Outcome.HOLDS:
            if search is not None:
                evidence += self._few(evidence, look, search)
            evidence += self._told(stage)
            outcome, scope, reason = weigh(
                evidence, refutation, self.plan.level, asked
            )
        return Judgement(
            self.claim.id,
            outcome,
            scope,
            reason,
            evidence,
            evidence.tightness,
            self.alpha,
            self.plan.level,
            refutation,
            power,
        )

    def worst(self) -> Candidate | None:
        """The worst instance of one run of all searches; None where each needs sampling."""
        stage, programs = (
            Stage(self._look()),
            Programs(self.claim, self.question),
        )
        with pacing(self.claim, self.plan):
            stage.look.at(self._drawn())
            searches = self._searches(stage, programs, np.inf, 0.0)
            found = [c for search in searches for c in search.found]
        return max(
            found, key=lambda candidate: candidate[0].score, default=None
        )

    def _drawn(self) -> list[dict[str, Raw]]:
        entropy = self._stream(0).number()
        return draw_instances(
            self.claim.parameters, self.plan.instances, entropy
        )

    def _stage(self, refuter: Refuter) -> Stage:
        """Draw, search and refute with this plan alone."""
        refuter.trials = self.plan.confirmation_trials
        stage, programs = (
            Stage(self._look()),
            Programs(self.claim, self.question),
        )
        look = stage.look
        drawn = self._drawn()
        look.at([*drawn, *at_named_numbers(self.claim, drawn), *self.known])
        stage.take(refuter.refute(look.candidates))
        if (
            rest := look.rest(stage.refutation is not None)
        ) and not stage.refutation:
            stage.take(refuter.refute(rest))
        if stage.refutation is None:
            self._search(stage, programs, refuter)
        if (
            stage.refutation is None and len(look.pending) > look.evidence.exact
        ):  # where most laws are finite, the other climbs
            stage.refutation, more, stage.first = self._on_samples(
                look, refuter
            )
            stage.searched += more
        if stage.refutation is None:
            stage.searched += Evidence(undecided=stage.doubts[:1])
        return stage

    def _told(self, stage: Stage) -> Evidence:
        """That the text is not read, the sizes that were tried, and that few climbs ran to an end.

        How far apart rounding may bring equal sides is not known of what is not read: equality stays open.
        """
        look, told, doubts = stage.look, list[str](), list[str]()
        counted = [raw for _, raw in look.pool] or look.instances
        if sentence := unread(self.claim, counted[0]):
            told.append(f"in floats alone, for {sentence}")
            seen = observe(self.claim, counted[0], self.question)
            if not isinstance(seen, Skipped) and any(
                o.kind == "equal" for o in seen
            ):
                doubts.append(
                    f"floats alone do not decide whether sides are equal: {sentence}"
                )
        dims, sizes = named_dims(self.claim.parameters), set[int]()
        for raw in look.instances if dims else ():
            with suppress(Outside):
                known = sizes_of(self.claim.parameters, raw)
                sizes.update(known[d] for d in dims if d in known)
        if sizes:
            told.append(f"sizes {min(sizes)} to {max(sizes)}")
        if stage.climbed and stage.settled < EARNED:
            told.append(f"{stage.settled or 'no'} generic climbs ended")
        return Evidence(told=tuple(told), undecided=tuple(doubts))

    def _look(self) -> Look:
        return Look(
            self.claim,
            self.question,
            self.plan,
            self._stream(),
            self.before.open,
        )

    def _few(self, evidence: Evidence, look: Look, search: Search) -> Evidence:
        """That almost nothing satisfied the hypotheses, drawn, moved or searched, although numbers move."""
        failed, counted = (
            evidence.skipped.get("unsatisfied", 0),
            max(evidence.satisfied, search.counted),
        )
        if not 0 < counted <= HANDFUL or failed < RARELY * evidence.satisfied:
            return NO_EVIDENCE
        if not look.instances or not hypotheses_of(self.claim).leaves_free(
            look.instances[0]
        ):
            return NO_EVIDENCE
        return Evidence(
            undecided=(
                TOO_FEW.format(
                    "one instance" if counted == 1 else f"{counted} instances"
                ),
            )
        )

    def _stream(self, *key: int) -> Stream:
        return Stream.of(self.plan.seed, self.claim.id, *key)

    def _kept(self, refuter: Refuter) -> Stage:
        """Before all stages: the refutation by a counterexample that was kept, as it was kept."""
        stage = Stage(self._look())
        for raw in self.known:
            seen = observe(self.claim, raw, self.question)
            for o in [] if isinstance(seen, Skipped) else seen:
                result = (
                    refuter.attempt(o, raw, shrinking=False)
                    if o.exact and o.score > TOUCH
                    else None
                )
                if isinstance(result, Refutation):
                    stage.refutation = result
                    stage.look.evidence = Evidence(
                        instances=1, satisfied=1, exact=1
                    )
                    return stage
        return stage

    def _search(
        self, stage: Stage, programs: Programs, refuter: Refuter
    ) -> None:
        """Searches until one refutes; where what was found is not certified, once more without small sides."""
        for enough, above in ((GOOD_ENOUGH, 0.0), (np.inf, SMALL)):
            worst = -np.inf
            for search in self._searches(stage, programs, enough, above):
                stage.after(search, refuter)
                if stage.refutation is not None:
                    return
                worst = max([worst, *(o.score for o, _ in search.found)])
            if worst < GOOD_ENOUGH:
                return

    def _searches(
        self, stage: Stage, programs: Programs, enough: float, above: float
    ) -> Iterator[Search]:
        """Plain rows of populations, climbs from them and from generic ones, and what moves one by one."""
        look, work = stage.look, self.plan.work
        pool = sorted(look.pool, key=lambda entry: -entry[0])
        instances = [raw for _, raw in pool]
        plain = Search(self.claim, self.question, above)
        explorer = Explorer(
            programs,
            plain.proposed,
            enough,
            OPERATIONS * work,
            self._rng(POPULATIONS),
        )
        explorer.explore(instances, look.parts)
        plain.looked += explorer.looked
        plain.counted = len(explorer.counted)
        yield plain
        climbs = Search(self.claim, self.question, above, counted=plain.counted)
        crossings = Crossings(explorer.rising, climbs.proposed, CROSSING * work)
        crossings.climb()
        climbs.looked += crossings.looked
        stage.settled, stage.climbed = crossings.settled, bool(explorer.rising)
        yield climbs
        read = explorer.reads(instances)
        if read and not look.chances and not explorer.kinked:
            return
        evolved = Search(
            self.claim, self.question, above, counted=plain.counted
        )
        before = explorer.looked
        explorer.evolve(instances, evolved.proposed, work, self._rng(1))
        evolved.looked += explorer.looked - before
        yield evolved
        if not read:
            alone = Search(
                self.claim, self.question, above, counted=plain.counted
            )
            # what programs read has been climbed in already
            share = ALONE + explorer.covered * (BESIDE - ALONE)
            self._evolve(alone, instances, int(share * work), enough)
            yield alone

    def _evolve(
        self,
        search: Search,
        instances: Sequence[dict[str, Raw]],
        work: int,
        enough: float,
    ) -> None:
        """Rows evolve that are looked at one by one: what moves by steps, and what no program reads."""
        parameters, read = self.claim.parameters, by_looks(search.guide)
        evolution = Evolution(parameters, read, work, self._rng(0), enough)
        evolution.enumerable = ENOUGH_WORK * int(ALONE * self.plan.work)
        evolution.begin([as_floats(parameters, raw) for raw in instances])
        # what moves by steps has many shapes: fresh instances where a look is cheap
        each = (work - evolution.work) // max(len(instances), 1) + 1
        count = max(min(PLAIN, evolution.work // (4 * each)), 1)
        more = draw_instances(
            parameters, count, self._of_search(FRESH).number()
        )
        evolution.begin([as_floats(parameters, raw) for raw in more])
        evolution.climb()

    def _on_samples(
        self, look: Look, refuter: Refuter
    ) -> tuple[Refutation | None, Evidence, list[dict[str, Raw]]]:
        """What comes of the best instances that small samples find, and the first of them."""
        sampled = Sampled(
            self.claim,
            self.question,
            self._of_search(SAMPLED),
            look.aside.keys() - look.judged,
        )
        sampled.climb(look.pending, int(self.plan.work * OF_SAMPLES))
        tried = [
            (t.observation, raw)
            for t, raw in sampled.tried(self.plan.trials, self.plan.level)
            if t.observation
        ]
        refutation, doubts = refuter.refute(
            [(o, raw) for o, raw in tried if o.decided]
        )
        near = max((nearness(o, raw) for o, raw in tried), default=-np.inf)
        evidence = Evidence(
            searched=sampled.looked, tightest=near, undecided=doubts
        )
        return refutation, evidence, [raw for _, raw in sampled.best[:1]]

    def _rng(self, k: int) -> np.random.Generator:
        return self._of_search(k).rng()

    def _of_search(self, k: int) -> Stream:
        """The k-th stream of the search."""
        return self._stream(SEARCH, 2**31 + k)


@dataclass
class Stage:
    """What one plan saw: its instances, its last search, and what came of both."""

    look: Look
    refutation: Refutation | None = None
    search: Search | None = None
    doubts: tuple[str, ...] = ()
    searched: Evidence = NO_EVIDENCE
    """Evidence of searches, which adds to that of a larger plan."""
    near: list[dict[str, Raw]] = field(default_factory=list)
    first: list[dict[str, Raw]] = field(default_factory=list)
    climbed: bool = False
    settled: int = 0
    """Whether generic rows climbed, and how many ran to an end."""

    def after(self, search: Search, refuter: Refuter) -> None:
        """What came of a search: what it found, and what exact arithmetic says where floats know too little."""
        self.search = search
        self.near += [*(raw for _, raw in search.found), *search.nearest.where]
        self.take(refuter.refute(search.read))
        self.refutation = self.refutation or refuter.first(search.vague)
        self.searched += Evidence(
            searched=search.looked, tightest=search.nearest.value
        )

    def take(self, tried: tuple[Refutation | None, tuple[str, ...]]) -> None:
        """Keep a refutation, or why there is none although there may be one."""
        self.refutation, doubts = tried
        self.doubts += doubts


@dataclass
class Search:
    """The score that a climber raises, and the worst instances it met."""

    claim: Claim
    question: Question
    above: float = 0.0
    found: list[Candidate] = field(default_factory=list)
    vague: list[Candidate] = field(default_factory=list)
    """Apparent violations of which floats know too little."""
    looked: int = 0
    counted: int = 0
    """Different rows of populations that satisfied the hypotheses, of the first few."""
    denied: int = 0

    def __post_init__(self) -> None:
        self.nearest = Nearest(self.claim, self.question)

    def score(self, raw: dict[str, Raw]) -> tuple[float, int]:
        """Score of an instance and the work it took; -inf where there is nothing to see."""
        worst, work = self._look(raw)
        return (worst.score if worst else -np.inf), work

    def guide(self, raw: dict[str, Raw]) -> tuple[float, int]:
        """The same with the guide of the observation."""
        worst, work = self._look(raw)
        return (worst.guide if worst else -np.inf), work

    def proposed(self, raw: dict[str, Raw]) -> float:
        """The score of an instance from a population; of the first that the body denies, by the program."""
        worst, _ = self._look(raw)
        if worst is None:
            return -np.inf
        if worst.score <= TOUCH and self.denied < MOST_DENIED:
            self.denied += 1
            worst = by_program(self.nearest.runs, raw, worst)
            if worst.score > TOUCH and not worst.vague:
                self._keep(worst, raw)
        return worst.score

    @property
    def read(self) -> list[Candidate]:
        """What was found, apparent violations and the nearest others as the program has them."""
        some = [
            c
            for k, c in enumerate(self.found)
            if c[0].score > TOUCH or k < MOST_DENIED
        ]
        return [(by_program(self.nearest.runs, raw, o), raw) for o, raw in some]

    def _look(self, raw: dict[str, Raw]) -> tuple[Observation | None, int]:
        with at_most_atoms(SEARCH_ATOMS):
            seen = observe(self.claim, raw, self.question, orders=False)
        if isinstance(seen, Skipped):
            self.looked += seen.reason != TOO_LONG
            return None, 0
        self.looked += 1
        exact = [
            o
            for o in seen
            if o.pending is None
            and not o.vacuous
            and not np.isnan(o.score)
            and self._counts(o)
        ]
        if not exact:
            return None, 1
        apparent = max(exact, key=lambda o: o.score)
        if apparent.score > -TOUCH and not inside(self.claim.parameters, raw):
            return None, 1
        if (
            len(self.found) == MOST_CANDIDATES
            and TOUCH < apparent.score <= self.found[-1][0].score
        ):
            return (
                apparent,
                1,
            )  # no candidate, whether or not rounding takes it back
        worst, rounding = beyond_rounding(self.nearest.runs, raw, apparent)
        if apparent.kind == "probability":
            worst, rounding = surely(self.claim, raw, apparent, self.question)
        self.nearest.look(
            [worst, *(o for o in exact if o is not apparent)], raw
        )
        if worst.vague:
            self._ask(apparent, raw)
        self._keep(worst, raw)
        if tied := next((o for o in exact if o.meets_by_ties), None):
            # neither denied nor found: exact arithmetic is asked after the search
            self._ask(tied.with_chances(tied.most), raw)
            worst = replace(worst, score=max(worst.score, TOUCH))
        return worst, sum(o.work for o in seen) // WORK_ENTRIES + rounding

    def _ask(self, o: Observation, raw: dict[str, Raw]) -> None:
        """Keep what only exact arithmetic decides, if it is among the largest apparent violations."""
        asked = sorted([*self.vague, (o, raw)], key=lambda seen: -seen[0].score)
        self.vague = asked[:MOST_VAGUE]

    def _counts(self, o: Observation) -> bool:
        return (
            o.kind == "probability" or max(abs(o.lhs), abs(o.rhs)) >= self.above
        )

    def _keep(self, worst: Observation, raw: dict[str, Raw]) -> None:
        self.found.append((worst, raw))
        self.found.sort(key=lambda candidate: -candidate[0].score)
        del self.found[MOST_CANDIDATES:]


_collecting, _rare, _before = Lock(), 0, gc.get_threshold()
"""How many threads of the process judge, and the threshold before the first of them."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Look for cycles of garbage less often, among what is new: programs are small objects that make none."""
    global _rare, _before
    with _collecting:
        _rare += 1
        if _rare == 1:
            _before = gc.get_threshold()
            gc.set_threshold(COLLECTED, *_before[1:])
            gc.freeze()
    try:
        yield
    finally:
        with _collecting:
            _rare -= 1
            if _rare == 0:
                gc.unfreeze()
                gc.set_threshold(*_before)


def judge(
    claim: Claim,
    plan: Plan,
    alpha: float,
    known: tuple[dict[str, Raw], ...] = (),
    question: Question = AS_PRINTED,
    before: Evidence = NO_EVIDENCE,
) -> Judgement:
    """The verdict on one claim, or on the twin that a question asks about; `before` is earlier evidence."""
    claim.begin()
    try:
        with (
            np.errstate(all="ignore"),
            rare_collections(),
            pacing(claim, plan) as pace,
        ):
            judgement = Judge(
                claim, plan, alpha, known, question, before
            ).verdict()
            return judgement.adding(pace.sentence)
    except Unread as unread:
        return broken(claim.id, str(unread), alpha, plan.level)


__all__ = ["PLANS", "Judge", "Plan", "judge"]
