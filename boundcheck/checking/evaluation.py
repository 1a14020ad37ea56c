"""One instance of a claim, by its values: which side is larger, and whether rounding can have made it so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass, replace
from decimal import Context
from typing import Any, Literal, get_type_hints

import numpy as np

from boundcheck.checking.certificate import (
    NotFinite,
    NotTraceable,
    Runs,
    followed,
    refutation,
)
from boundcheck.checking.observe import (
    TOUCH,
    BrokenClaim,
    Observation,
    Skipped,
    observe,
)
from boundcheck.checking.plan import Plan
from boundcheck.checking.refute import PRECISIONS
from boundcheck.checking.sampling import BESIDE, FIRST_LOOK, Stream
from boundcheck.checking.settle import settle, supposes
from boundcheck.checking.sides import MOST_WORK, runs_as_read, sides
from boundcheck.checking.trials import Certain
from boundcheck.domains import Domain, Raw
from boundcheck.domains.conditions import SLACK, Outside
from boundcheck.domains.domain import domain_of
from boundcheck.domains.in_words import SMALL, in_words, value_in_words
from boundcheck.domains.instances import NoMember, Standing, standing
from boundcheck.exits import Refused
from boundcheck.tape import Tape, constant
from boundcheck.verifier import Finding, Outcome, verify
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, Unsatisfied

Said = Literal["holds", "violated", "undecided", "nothing"]
"""What a claim says on one instance; "nothing" where a hypothesis fails or nothing can be computed."""

SIGNS = {"equal": ("=", "!="), "ge": (">=", "<")} | dict.fromkeys(
    ("at_most", "loewner", "le"), ("<=", ">")
)
"""How a statement is written, and how its contrary."""

RARE = 1e-4
"""Below it the probability of failing is shown, for 1 less it shows nothing."""

EXACTLY = "by exact arithmetic"
UNBOUNDED = "in floats whose rounding is not known"
ONLY_ROUNDED = (
    "the instance satisfies its domains and hypotheses up to rounding alone"
)
UNSURE = "whether the instance satisfies its domains and hypotheses exactly cannot be told"


class NoInstance(Refused):
    """Values that are no instance of a claim; the message says which and why."""


@dataclass(frozen=True)
class Part:
    """One part of the statement: both sides as numbers, what is known of their order, and a sentence.

    Of arrays the sides are those of the worst entry, in the order of matrices those in the worst direction.
    `exact` is False where trials have been made.
    """

    outcome: Said
    left: float
    right: float
    exact: bool
    sentence: str


@dataclass(frozen=True, repr=False)
class Evaluation:
    """What a claim says on one instance, and its parts.

    Of those `moved`, which are in their domains up to rounding, the exact members next to them are meant.
    """

    claim: str
    instance: Mapping[str, Any]
    parts: tuple[Part, ...]
    skipped: str = ""
    moved: tuple[str, ...] = ()

    @property
    def outcome(self) -> Said:
        """Violated if one part is, else undecided if one part is."""
        said = {part.outcome for part in self.parts}
        if "violated" in said or "undecided" in said:
            return "violated" if "violated" in said else "undecided"
        return "holds" if said else "nothing"

    def __repr__(self) -> str:
        sentences = (
            "; ".join(part.sentence for part in self.parts) or self.skipped
        )
        moved = (
            f" (with {' and '.join(self.moved)} as the exact member next to it)"
            if self.moved
            else ""
        )
        return f"{self.claim} at {in_words(self.instance)}{moved}: {self.outcome}, {sentences}"


def at(claim: Claim, /, **values: Any) -> Evaluation:
    """What a claim says on one instance, given by values: `at(hoeffding, bias=0.5, n=3, delta=0.1)`.

    Probabilities of finite laws are exact; of other laws 20,000 trials are made. Where rounding could turn the
    sides around, exact arithmetic is asked. What is in its domain up to rounding stands for the exact member
    next to it: masses are divided by their sum, rows by their lengths. What satisfies a hypothesis up to rounding
    alone violates nothing. Raises Refused for values that are missing, unknown or outside of their domains, and
    where the text fails.
    """
    _same_names(claim, values)
    given = {
        name: _fitted(domain, values[name])
        for name, domain in claim.parameters.items()
    }
    exact = _standing(claim, given)
    seen = evaluated(
        replace(claim, parameters=exact.domains),
        exact.raw,
        SLACK if exact.loose else 0.0,
    )
    return replace(seen, instance=given, moved=tuple(exact.moved))


def evaluated(
    claim: Claim, raw: Mapping[str, Raw], slack: float = 0.0
) -> Evaluation:
    """The same of raw numbers in the ranges of the claim's, or within `slack` of such. Raises Refused."""
    try:
        seen = observe(claim, raw)
        if isinstance(seen, Skipped):
            unsatisfied = seen.reason == "unsatisfied"
            why = (
                "it does not satisfy the hypotheses"
                if unsatisfied
                else ": ".join(filter(None, (seen.reason, seen.detail)))
            )
            return Evaluation(claim.id, raw, (), why)
        return Evaluation(
            claim.id, raw, tuple(_part(claim, raw, o, slack) for o in seen)
        )
    except BrokenClaim as error:
        raise Refused(str(error)) from error


def _same_names(claim: Claim, values: Mapping[str, Any]) -> None:
    missing, unknown = (
        sorted(claim.parameters.keys() - values),
        sorted(values.keys() - claim.parameters),
    )
    if missing or unknown:
        wrong = (
            f"lacks {', '.join(missing)}"
            if missing
            else f"has no {', '.join(unknown)}"
        )
        takes = "; ".join(
            f"{name}: {domain.label}"
            for name, domain in claim.parameters.items()
        )
        raise NoInstance(f"That instance of {claim.id} {wrong}; give {takes}.")


def _fitted(domain: Domain, value: Any) -> Any:
    """Whole numbers where floats are meant, lists where arrays are, fields of settings alike."""
    try:
        if domain.axes is None:
            return _case(value)
        if domain.axes == ():
            whole = isinstance(value, (int, np.integer)) and not isinstance(
                value, bool
            )
            return float(value) if whole and not domain.whole else value
        return (
            value
            if isinstance(value, tuple)
            else np.asarray(value, int if domain.whole else float)
        )
    except (TypeError, ValueError) as error:
        raise NoInstance(
            f"{value_in_words(value)} is not of the type of {domain.label} ({error})."
        ) from error


def _case(value: object) -> object:
    """A case of a setting with its fields as their domains have them."""
    if not is_dataclass(value) or isinstance(value, type):
        return value
    hints = get_type_hints(type(value), include_extras=True).items()
    domains = {name: domain_of(hint) for name, hint in hints}
    fitted = {
        name: _fitted(x, getattr(value, name))
        for name, x in domains.items()
        if isinstance(x, Domain)
    }
    return replace(value, **fitted)


def _standing(claim: Claim, values: Mapping[str, Any]) -> Standing:
    """The exact instance that values stand for. Raises NoInstance unless they are what the signature says."""
    try:
        return standing(claim.parameters, values)
    except NoMember as error:
        name, value, domain = error.args
        why = f"{name} = {_digits(value)} is not in {domain.label}"
    except ValueError as error:
        why = str(error)
    raise NoInstance(f"That is no instance of {claim.id}: {why}.")


def _digits(value: Any) -> str:
    """A value in words, few floats that words would round in all of their digits."""
    some = np.asarray(value, dtype=object).ravel().tolist()
    rounded = all(isinstance(x, float) for x in some) and any(
        float(f"{x:.6g}") != x for x in some
    )
    return (
        str(np.asarray(value).tolist())
        if rounded and len(some) <= SMALL
        else value_in_words(value)
    )


def _part(
    claim: Claim, raw: Mapping[str, Raw], o: Observation, slack: float
) -> Part:
    if o.vacuous:
        return _told(o, "holds", "the bound is trivial")
    if o.pending is not None:
        return _sampled(claim, raw, o, slack)
    seen = _by_floats(claim, raw, o, slack)
    if seen == "undecided" or (seen == "violated" and o.kind == "probability"):
        exactly = _exactly(claim, raw, o, slack)
        return (
            replace(
                exactly, sentence=exactly.sentence.removesuffix(f", {EXACTLY}")
            )
            if exactly.outcome == seen
            else exactly
        )
    if seen == "unread":
        return _told(o, "undecided", BESIDE)
    doubt = _doubt(claim, raw) if seen == "violated" else ""
    return _told(o, "undecided" if doubt else seen, doubt)


def _by_floats(
    claim: Claim, raw: Mapping[str, Raw], o: Observation, slack: float
) -> Said | Literal["unread"]:
    """What floats say beyond their rounding, where it is bounded, at all instances within `slack`."""
    if o.kind == "probability":
        below = o.score < -TOUCH and o.most < o.rhs
        return (
            "violated" if o.score > TOUCH else "holds" if below else "undecided"
        )
    found = (
        sides(Runs(claim, AS_PRINTED), raw, o.part, moved=slack)
        if o.work <= MOST_WORK
        else None
    )
    if found is not None and not found.agrees(o):
        return "unread"
    if found is None or o.beyond_floats:
        return "undecided"
    return (
        "violated"
        if found.excess > 0
        else "holds"
        if found.clear
        else "undecided"
    )


def _exactly(
    claim: Claim, raw: Mapping[str, Raw], o: Observation, slack: float
) -> Part:
    """What the verifier says of the same values as decimals, in its own numbers; or why it cannot tell."""
    finding = UNBOUNDED if o.work > MOST_WORK else _verified(claim, raw, o.part)
    if isinstance(finding, str):
        return _told(o, "undecided", finding)
    if finding.outcome not in (Outcome.CONFIRMED, Outcome.NOT_VIOLATED):
        tied = finding.outcome is Outcome.TIE
        return _told(
            o,
            "undecided",
            "equal as far as can be told" if tied else finding.sentence,
        )
    if not runs_as_read(Runs(claim, AS_PRINTED), raw, o, finding.values):
        return _told(o, "undecided", BESIDE)
    if finding.confirmed and slack:
        return _told(o, "undecided", ONLY_ROUNDED)
    return _told(
        _in_numbers(o, finding.values),
        "violated" if finding.confirmed else "holds",
        EXACTLY,
    )


DIGITS = Context(60)
"""More than chances near 1 are told by."""


def _in_numbers(o: Observation, values: Mapping[str, str]) -> Observation:
    """The observation with the numbers that decided."""
    if not values:
        return o
    told = list(values.values())
    if o.kind == "probability" and o.relation == "ge":
        # what is observed is the probability of failing
        chances = map(DIGITS.create_decimal, told)  # 0 below its exponents
        told = [str(DIGITS.subtract(1, chance)) for chance in chances]
    left, right = map(float, told)
    return replace(o, lhs=left, rhs=right)


def _doubt(claim: Claim, raw: Mapping[str, Raw]) -> str:
    """Why a violation does not count: the instance may be none of the claim. Empty if it certainly is one."""
    finding = _verified(claim, raw, None)
    return (
        finding
        if isinstance(finding, str)
        else ""
        if finding.confirmed
        else UNSURE
    )


def _verified(
    claim: Claim, raw: Mapping[str, Raw], part: int | None
) -> Finding | str:
    """What the verifier says of a part, or of all that is supposed; a sentence where that says nothing."""
    try:
        wrong = (
            followed(claim, raw, AS_PRINTED, lambda tape, _: _falsehood(tape))
            if part is None
            else None
        )
        finding = verify(
            refutation(claim, raw, part or 0, traced=wrong), PRECISIONS
        )
    except (
        NotTraceable,
        NotFinite,
        TypeError,
        ValueError,
    ) as error:  # no file can hold every case
        return (
            ONLY_ROUNDED
            if isinstance(error.__cause__, (Unsatisfied, Outside))
            else UNBOUNDED
        )
    if finding.outcome is Outcome.HYPOTHESIS_FALSE:
        return ONLY_ROUNDED
    return (
        UNSURE
        if "hypothesis" in finding.sentence and not finding.confirmed
        else finding
    )


def _falsehood(tape: Tape) -> dict[str, Any]:
    """The conclusion 1 <= 0, which is refuted wherever all that is supposed holds."""
    return {
        "kind": "at_most",
        "args": [constant(tape, 1).node, constant(tape, 0).node],
    }


def _sampled(
    claim: Claim, raw: Mapping[str, Raw], o: Observation, slack: float
) -> Part:
    """By trials, at the level of a plan."""
    plan = Plan()
    stream = Stream.of(plan.seed, claim.id, FIRST_LOOK, o.part)
    settled = settle(
        o, stream, plan.trials, plan.level, Certain(claim, dict(raw), o.part)
    )
    if settled.observation is None:
        why = settled.doubt or f"{settled.trials} trials do not decide"
        return Part("undecided", o.lhs, o.rhs, False, why)
    doubt = settled.doubt
    if settled.observation.decided and not doubt:
        doubt = ONLY_ROUNDED if slack else _doubt(claim, raw)
    outcome: Said = (
        "undecided"
        if doubt
        else "violated"
        if settled.observation.decided
        else "holds"
    )
    seen = replace(settled.observation, exact=False)
    supposed = (
        ", with a variance of at most what is stated" if supposes(o) else ""
    )
    return _told(
        seen,
        outcome,
        doubt
        or f"by {settled.trials} trials, at level {plan.level:g}{supposed}",
    )


def _told(o: Observation, outcome: Said, why: str = "") -> Part:
    """The sides as the statement has them, and their order."""
    left, right, name = o.lhs, o.rhs, o.about
    relation = o.relation or (
        "at_most"
        if o.pending is None
        else getattr(o.pending, "relation", "at_most")
    )
    if o.kind == "probability":
        name, rare = "P(event)", 0 < o.lhs < RARE or o.rhs < RARE
        if relation == "ge" and rare:
            relation, name = "le", "1 - P(event)"
        elif relation == "ge":
            left, right = 1 - o.lhs, 1 - o.rhs
    strictly = ("<", ">=") if relation in ("at_most", "le") else (">", "<=")
    signs = strictly if o.strict else SIGNS[relation]
    sign = (
        signs[outcome == "violated"]
        if outcome in ("holds", "violated")
        else "against"
    )
    digits = (
        6
        if left == right
        else next(
            (k for k in (6, 9, 12) if f"{left:.{k}g}" != f"{right:.{k}g}"), 17
        )
    )
    told = f"{f'{name} = ' if name else ''}{left:.{digits}g} {sign} {right:.{digits}g}"
    return Part(
        outcome, left, right, o.exact, f"{told}, {why}" if why else told
    )
