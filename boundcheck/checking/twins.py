"""Perturbed twins of a claim: which of them the same evidence refutes, as a measure of its power."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from boundcheck.checking.observe import TOUCH, Skipped, observe
from boundcheck.checking.refute import Candidate, Refuter
from boundcheck.checking.settle import settle
from boundcheck.checking.trials import Certain
from boundcheck.checking.verdict import Refutation, Twin
from boundcheck.claims import Claim
from boundcheck.domains import Raw
from boundcheck.hypotheses import AS_PRINTED, OutOfReach, Question, Unsatisfied, Words, asking
from boundcheck.instances import build

Asked = Callable[[dict[str, Raw]], Question]
"""The perturbation of the statement on an instance; of the empty one only the label counts."""

TWIN = 3
"""The stream of trials of twins."""

MOST_SAMPLED = 2
"""Instances of a twin that are sampled."""


def twins(words: Words) -> Iterator[Question]:
    """The perturbations that make sense for a body that used these words."""
    yield Question("right-hand side x 0.9", bound=0.9)
    yield Question("right-hand side x 0.5", bound=0.5)
    yield Question("right-hand side x 0.1", bound=0.1)
    if words.thresholds:
        yield Question("thresholds x 0.9", slack=0.9)
        yield Question("thresholds x 0.5", slack=0.5)
    if words.logarithms:
        yield Question("logarithms dropped", log_power=0.0)
    for k in range(words.assumptions):
        yield Question(f"hypothesis {k + 1} dropped", dropped=k)
    for name, value in words.marked.items():
        yield Question(f"{name} x 0.9", constants=((name, 0.9 * value),))


def flipped(name: str, raw: dict[str, Raw]) -> Question:
    """The normalisation flipped: the right-hand side over the root of a size of the instance."""
    return Question(f"right-hand side / sqrt({name})", bound=raw.get(name, 1) ** -0.5)


def words_of(claim: Claim, raws: Sequence[dict[str, Raw]]) -> Words:
    """The words of the longest run of the body on some instances (a failed hypothesis cuts a run short)."""
    best = Words(AS_PRINTED)
    for raw in raws:
        with asking(AS_PRINTED) as words:
            try:
                claim.body(**build(claim.parameters, raw))
            except (Unsatisfied, OutOfReach, ArithmeticError, ValueError):
                continue
        best = max(best, words, key=lambda w: (w.assumptions, w.thresholds, w.logarithms, len(w.marked)))
    return best


@dataclass(frozen=True)
class Power:
    """The instances that the twins of a claim are tried on; no new search is made."""

    claim: Claim
    raws: Sequence[dict[str, Raw]]
    refuter: Refuter
    trials: int

    def twins(self) -> tuple[Twin, ...]:
        """Each twin, and whether one of the instances refutes it with a confirmed certificate."""
        asked: list[Asked] = [lambda _raw, q=q: q for q in twins(words_of(self.claim, self.raws))]
        asked += [partial(flipped, name) for name in self._sizes()]
        return tuple(Twin(ask({}).label, self._refuted(ask)) for ask in asked)

    def _sizes(self) -> list[str]:
        """Parameters that are whole numbers from 1 on."""
        whole = {name for raw in self.raws for name, x in raw.items() if type(x) is int}
        return sorted(name for name in whole if all(raw[name] >= 1 for raw in self.raws))

    def _refuted(self, ask: Asked) -> bool:
        candidates = sorted(self._candidates(ask), key=lambda c: -c[0].score)[:2]
        return any(isinstance(self._asked(ask(raw)).attempt(o, raw, shrinking=False), Refutation) for o, raw in candidates)

    def _asked(self, question: Question) -> Refuter:
        return Refuter(self.claim, self.refuter.stream.child(TWIN), self.refuter.alpha, self.refuter.trials, question)

    def _candidates(self, ask: Asked) -> Iterator[Candidate]:
        sampled = 0
        for raw in self.raws:
            seen = observe(self.claim, raw, ask(raw))
            for o in [] if isinstance(seen, Skipped) else seen:
                if o.pending is not None and not o.vacuous and sampled < MOST_SAMPLED:
                    sampled += 1
                    sure = Certain(self.claim, raw, o.part, ask(raw))
                    o = settle(o, self.refuter.stream.child(TWIN, sampled), self.trials, 1e-3, sure).observation or o
                if o.score > TOUCH and not o.vacuous:
                    yield o, raw
