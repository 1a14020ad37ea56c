"""One instance of a claim, by its values: which side is larger, and whether rounding can have made it so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, get_type_hints

import numpy as np

from boundcheck.certificates.verify import Outcome, verify
from boundcheck.certificates.verify.seal import digest
from boundcheck.checking.certificate import NotFinite, NotTraceable, Runs, refutation
from boundcheck.checking.observe import TOUCH, BrokenClaim, Observation, Skipped, observe
from boundcheck.checking.plan import Plan
from boundcheck.checking.refute import PRECISIONS
from boundcheck.checking.sampling import FIRST_LOOK, Stream
from boundcheck.checking.settle import settle, supposes
from boundcheck.checking.sides import MOST_WORK, sides
from boundcheck.checking.trials import Certain
from boundcheck.domains import FIXED, Domain, Raw
from boundcheck.domains.conditions import Outside, holds
from boundcheck.domains.domain import agreed, domain_of
from boundcheck.domains.in_words import in_words, value_in_words
from boundcheck.exits import Refused
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED

Said = Literal["holds", "violated", "undecided", "nothing"]
"""What a claim says on one instance; "nothing" where a hypothesis fails or nothing can be computed."""

SIGNS = {"equal": ("=", "!="), "ge": (">=", "<")} | dict.fromkeys(("at_most", "loewner", "le"), ("<=", ">"))
"""How a statement is written, and how its contrary."""

RARE = 1e-4
"""Below it the probability of failing is shown, for 1 less it shows nothing."""

UNBOUNDED = "in floats whose rounding is not known"


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
    """What a claim says on one instance, and its parts."""

    claim: str
    instance: Mapping[str, Any]
    parts: tuple[Part, ...]
    skipped: str = ""

    @property
    def outcome(self) -> Said:
        """Violated if one part is, else undecided if one part is."""
        said = {part.outcome for part in self.parts}
        if "violated" in said or "undecided" in said:
            return "violated" if "violated" in said else "undecided"
        return "holds" if said else "nothing"

    def __repr__(self) -> str:
        sentences = "; ".join(part.sentence for part in self.parts) or self.skipped
        return f"{self.claim} at {in_words(self.instance)}: {self.outcome}, {sentences}"


def at(claim: Claim, /, **values: Any) -> Evaluation:
    """What a claim says on one instance, given by values: `at(hoeffding, bias=0.5, n=3, delta=0.1)`.

    Probabilities of finite laws are exact; of other laws 20,000 trials are made. Where rounding could turn the
    sides around, exact arithmetic is asked. Raises Refused for values that are missing, unknown or outside of
    their domains, and where the text fails.
    """
    _same_names(claim, values)
    given = {name: _fitted(domain, values[name]) for name, domain in claim.parameters.items()}
    _inside(claim, given)
    free = {name: _free(value) for name, value in given.items()}
    # raw numbers are those of the values themselves; what they promise is the same
    built = {name: replace(d, build=free[name][1], chart=FIXED) for name, d in claim.parameters.items()}
    here, raw = replace(claim, parameters=built), {name: numbers for name, (numbers, _) in free.items()}
    try:
        seen = observe(here, raw)
        if isinstance(seen, Skipped):
            unsatisfied = seen.reason == "unsatisfied"
            why = "it does not satisfy the hypotheses" if unsatisfied else f"{seen.reason}: {seen.detail}"
            return Evaluation(claim.id, given, (), why)
        return Evaluation(claim.id, given, tuple(_part(here, raw, o) for o in seen))
    except BrokenClaim as error:
        raise Refused(str(error)) from error


def _same_names(claim: Claim, values: Mapping[str, Any]) -> None:
    missing, unknown = sorted(claim.parameters.keys() - values), sorted(values.keys() - claim.parameters)
    if missing or unknown:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has no {', '.join(unknown)}"
        takes = "; ".join(f"{name}: {domain.label}" for name, domain in claim.parameters.items())
        raise NoInstance(f"That instance of {claim.id} {wrong}; give {takes}.")


def _fitted(domain: Domain, value: Any) -> Any:
    """Whole numbers where floats are meant, lists where arrays are, fields of settings alike."""
    try:
        if domain.axes is None:
            return _case(value)
        if domain.axes == ():
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            return float(value) if whole and not domain.whole else value
        return value if isinstance(value, tuple) else np.asarray(value, int if domain.whole else float)
    except (TypeError, ValueError) as error:
        raise NoInstance(f"{value_in_words(value)} is not of the type of {domain.label} ({error}).") from error


def _case(value: object) -> object:
    """A case of a setting with its fields as their domains have them."""
    if not is_dataclass(value) or isinstance(value, type):
        return value
    hints = get_type_hints(type(value), include_extras=True).items()
    domains = {name: domain_of(hint) for name, hint in hints}
    fitted = {name: _fitted(x, getattr(value, name)) for name, x in domains.items() if isinstance(x, Domain)}
    return replace(value, **fitted)


def _inside(claim: Claim, values: Mapping[str, Any]) -> None:
    """Raise NoInstance unless the values are what the signature says."""
    name = next(iter(values), "")
    try:
        sizes = agreed(claim.parameters, values)
        for name, domain in claim.parameters.items():
            with np.errstate(all="ignore"):
                if not all(map(holds, domain.conditions(values[name], sizes))):
                    raise Outside(f"{name} = {value_in_words(values[name])} is not in {domain.label}")
    except Outside as error:
        raise NoInstance(f"That is no instance of {claim.id}: {error}.") from error
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        given = f"{name} = {value_in_words(values[name])} is no {claim.parameters[name].label}"
        raise NoInstance(f"That is no instance of {claim.id}: {given} ({error}).") from error


def _free(value: object) -> tuple[Raw, Callable[[Any], Any]]:
    """The numbers of a value, and how it is built of such numbers, traced ones or not."""
    if isinstance(value, tuple):
        entries = [_free(entry) for entry in value]
        built = [build for _, build in entries]
        return [x for x, _ in entries], lambda raw: tuple(f(x) for f, x in zip(built, raw, strict=True))
    if not is_dataclass(value) or isinstance(value, type):
        return value, lambda raw: raw
    parts = {f.name: _free(getattr(value, f.name)) for f in fields(value) if f.init}
    kind: Any = type(value)
    return (
        {name: numbers for name, (numbers, _) in parts.items()},
        lambda raw: kind(**{name: build(raw[name]) for name, (_, build) in parts.items()}),
    )


def _part(claim: Claim, raw: Mapping[str, Raw], o: Observation) -> Part:
    if o.pending is not None and not o.vacuous:
        return _sampled(claim, raw, o)
    if o.vacuous:
        return _told(o, "holds", "the bound is trivial")
    seen = _by_floats(claim, raw, o)
    if seen == "undecided" or (seen == "violated" and o.kind == "probability"):
        outcome, why = _exactly(claim, raw, o)
        return _told(o, outcome, "" if outcome == seen == "violated" else why)
    return _told(o, seen)


def _by_floats(claim: Claim, raw: Mapping[str, Raw], o: Observation) -> Said:
    """What floats say beyond their rounding, where it is bounded."""
    if o.kind == "probability":
        below = o.score < -TOUCH and o.lhs + (o.tied or 0.0) < o.rhs
        return "violated" if o.score > TOUCH else "holds" if below else "undecided"
    found = sides(Runs(claim, AS_PRINTED), raw, o.part) if o.work <= MOST_WORK else None
    if found is None or o.beyond_floats:
        return "undecided"
    return "violated" if found.excess > 0 else "holds" if found.clear else "undecided"


def _exactly(claim: Claim, raw: Mapping[str, Raw], o: Observation) -> tuple[Said, str]:
    """What the verifier says of the same values as decimals, and why it cannot tell.

    That they are in their domains is known up to rounding, and not asked again: as decimals, three thirds do
    not add up to 1.
    """
    try:
        if o.work > MOST_WORK:
            return "undecided", UNBOUNDED
        certificate = {**refutation(claim, raw, o.part), "hypotheses": []}
        finding = verify({**certificate, "seal": digest(certificate)}, PRECISIONS)
    except (NotTraceable, NotFinite, TypeError, ValueError):  # the last two of a case that no file can hold
        return "undecided", UNBOUNDED
    if finding.outcome in (Outcome.CONFIRMED, Outcome.NOT_VIOLATED):
        return "violated" if finding.confirmed else "holds", "by exact arithmetic"
    return "undecided", "equal as far as can be told" if finding.outcome is Outcome.TIE else finding.sentence


def _sampled(claim: Claim, raw: Mapping[str, Raw], o: Observation) -> Part:
    """By trials, at the level of a plan."""
    plan = Plan()
    stream = Stream.of(plan.seed, claim.id, FIRST_LOOK, o.part)
    settled = settle(o, stream, plan.trials, plan.level, Certain(claim, dict(raw), o.part))
    if settled.observation is None:
        why = settled.doubt or f"{settled.trials} trials do not decide"
        return Part("undecided", o.lhs, o.rhs, False, why)
    outcome: Said = "violated" if settled.observation.decided else "undecided" if settled.doubt else "holds"
    seen = replace(settled.observation, exact=False)
    supposed = ", with a variance of at most what is stated" if supposes(o) else ""
    return _told(seen, outcome, settled.doubt or f"by {settled.trials} trials, at level {plan.level:g}{supposed}")


def _told(o: Observation, outcome: Said, why: str = "") -> Part:
    """The sides as the statement has them, and their order."""
    left, right, name = o.lhs, o.rhs, o.about
    relation = o.relation or ("at_most" if o.pending is None else getattr(o.pending, "relation", "at_most"))
    if o.kind == "probability":
        name, rare = "P(event)", 0 < o.lhs < RARE or o.rhs < RARE
        if relation == "ge" and rare:
            relation, name = "le", "1 - P(event)"
        elif relation == "ge":
            left, right = 1 - o.lhs, 1 - o.rhs
    strictly = ("<", ">=") if relation in ("at_most", "le") else (">", "<=")
    signs = strictly if o.strict else SIGNS[relation]
    sign = signs[outcome == "violated"] if outcome in ("holds", "violated") else "against"
    digits = next((k for k in (6, 9, 12) if f"{left:.{k}g}" != f"{right:.{k}g}"), 17)
    told = f"{f'{name} = ' if name else ''}{left:.{digits}g} {sign} {right:.{digits}g}"
    return Part(outcome, left, right, o.exact, f"{told}, {why}" if why else told)
