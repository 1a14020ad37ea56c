"""Evidence on instances, how it adds up, and the verdict it makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from math import exp, inf, isfinite, log
from typing import Any

from boundcheck import exits


class Outcome(Enum):
    """What a verdict says, and all that depends on it alone; the first dominates the others.

    `place` is where readers see it, `worth` what the gate compares, `exit_code` how a run ends that is to
    fail on it, `junit` its element there. `colour` is one of terminals, `ink` one of figures, `tones` are
    (tone, tint) on light and on dark pages.
    """

    # meaning; symbol, place, worth, exit code, JUnit, colour, ink; tones
    REFUTED = (
        "an instance violates the statement, and an independent program has confirmed it",
        "✗", 0, 0, exits.WORSE, "failure", "bold red", "C3",
        (("#b83a0b", "#fbe9e0"), ("#ff8a5c", "#3a2018")),
    )  # fmt: skip
    INCONCLUSIVE = (
        "nothing was refuted, and something could not be decided",
        "?", 4, 2, exits.UNDECIDED, "skipped", "magenta", "C7",
        (("#77499b", "#f0e6f7"), ("#c79bea", "#2d2139")),
    )  # fmt: skip
    VACUOUS = (
        "on every instance looked at, the statement says nothing, or nothing comes near it",
        "∅", 3, 1, exits.UNDECIDED, "skipped", "yellow", "C8",
        (("#84680a", "#f7efd2"), ("#dcbc4e", "#332c13")),
    )  # fmt: skip
    HOLDS = (
        "no instance looked at violates the statement",
        "✓", 2, 3, exits.FINE, "", "green", "C2",
        (("#1b6098", "#e3eef7"), ("#74b4ea", "#17293a")),
    )  # fmt: skip
    PROVED = (
        "it is shown for every instance of the claim's domain, and an independent program has confirmed it",
        "∎", 1, 4, exits.FINE, "", "bold green", "C0",
        (("#1c6b45", "#e0f2e8"), ("#6fd0a0", "#173326")),
    )  # fmt: skip

    def __init__(
        self,
        meaning: str,
        symbol: str,
        place: int,
        worth: int,
        exit_code: int,
        junit: str,
        colour: str,
        ink: str,
        tones: tuple[tuple[str, str], tuple[str, str]],
    ):
        self.meaning, self.symbol, self.place, self.worth = (
            meaning,
            symbol,
            place,
            worth,
        )
        self.exit_code, self.junit, self.colour, self.ink, self.tones = (
            exit_code,
            junit,
            colour,
            ink,
            tones,
        )

    def __repr__(self) -> str:
        return f"Outcome.{self.name}"

    @property
    def mark(self) -> str:
        """`✗ REFUTED`: told apart by a sign as well as by a colour."""
        return f"{self.symbol} {self.name}"

    @property
    def passes(self) -> bool:
        """Whether no run fails on it."""
        return self.exit_code == exits.FINE

    @property
    def decides(self) -> bool:
        """Whether a run that demands decisions gets one."""
        return self.exit_code != exits.UNDECIDED


SHOWN = tuple(sorted(Outcome, key=lambda outcome: outcome.place))
"""The outcomes in the order in which readers see them."""

ASKED = (Outcome.PROVED,)
"""Outcomes that only come of what was asked for; nothing is counted of them elsewhere."""


@dataclass(frozen=True)
class Open:
    """An instance that trials have not decided: the part of the statement, what is open, the trials so far.

    `seen` is (trials, against, ties) of an event, or cells (height, count) of a quantity.
    """

    instance: dict[str, Any]
    part: int
    sentence: str
    seen: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Evidence:
    """What was seen of one claim; evidence adds up, in any order.

    `open` are the instances that more trials would decide, `undecided` says what else stays open. `tightest`
    is the log of the largest ratio of two sides, and `killed` are the perturbed twins that were refuted.
    """

    instances: int = 0
    satisfied: int = 0
    searched: int = 0
    trials: int = 0
    touches: int = 0
    vacuous: int = 0
    exact: int = 0
    sampled: int = 0
    supposing: int = 0
    """Instances that were sampled and judged by a variance that the claim states."""
    tightest: float = float("-inf")
    skipped: Mapping[str, int] = field(default_factory=dict)
    undecided: tuple[str, ...] = ()
    open: tuple[Open, ...] = ()
    killed: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    """What a reader of HOLDS is told of the last search: how it read the text, the sizes, what it did not end."""

    def __add__(self, other: Evidence) -> Evidence:
        counts: dict[str, Any] = {
            name: getattr(self, name) + getattr(other, name) for name in COUNTS
        }
        return Evidence(
            **counts,
            tightest=max(self.tightest, other.tightest),
            open=self.open + other.open,
            skipped=dict(Counter(self.skipped) + Counter(other.skipped)),
            undecided=tuple(sorted(self.undecided + other.undecided)),
            killed=tuple(sorted({*self.killed, *other.killed})),
            told=other.told or self.told,
        )

    @property
    def rounded(self) -> Evidence:
        """The same, with `tightest` to six decimals: searches on other machines see other last digits."""
        near = (
            round(self.tightest, 6) + 0.0 if isfinite(self.tightest) else -inf
        )
        return replace(self, tightest=near)

    @property
    def tightness(self) -> float | None:
        """The largest ratio of two sides, at most 1; None where none was seen."""
        known = isfinite(self.tightest)
        return six_digits(exp(min(self.tightest, 0.0))) if known else None


def six_digits(x: float) -> float:
    """A number as it is written where floats made it, whose last digits differ from machine to machine."""
    return float(f"{x:.6g}")


COUNTS = "instances satisfied searched trials touches vacuous exact sampled supposing".split()
NO_EVIDENCE = Evidence()


@dataclass(frozen=True)
class Twin:
    """A perturbed statement and whether the evidence refuted it."""

    label: str
    refuted: bool


@dataclass(frozen=True)
class Refutation:
    """An instance that violates the claim, its certificate, and what the verifier said."""

    certificate: dict[str, Any]
    finding: str
    excess: float


@dataclass(frozen=True)
class Proof:
    """What was shown, and the certificate; `words` name the set: "for n = 1..6, x in [0, 1]".

    `whole` says whether the set is all of the claim's domain: then the claim is proved.
    """

    certificate: Mapping[str, Any]
    words: str
    whole: bool
    every: bool = False
    """Whether a size, which is a whole number of the domain, is a variable of what was shown."""

    @property
    def sizes(self) -> str | None:
        """ "every" where the claim is proved for every size at once; None where sizes are enumerated, or none."""
        return "every" if self.whole and self.every else None

    @property
    def part(self) -> str | None:
        """The part of the domain on which the claim is shown; None where that is all of it."""
        return None if self.whole else self.words


@dataclass(frozen=True)
class Judgement:
    """The outcome with its scope, the evidence, and how tight the statement was seen to be."""

    claim: str
    outcome: Outcome
    scope: str
    reason: str
    evidence: Evidence
    tightness: float | None
    alpha: float
    level: float
    refutation: Refutation | None = None
    power: tuple[Twin, ...] = ()
    proof: Proof | None = None

    def adding(self, sentence: str) -> Judgement:
        """The same, where a sentence says what was left out of what refutes nothing."""
        if not sentence or self.outcome is Outcome.REFUTED:
            return self
        return replace(self, reason=f"{self.reason}; {sentence}")


FAR = 0.01
"""Where the sides are so many times apart, and no twin is refuted either, nothing came near the bound."""

Weighed = tuple[Outcome, str, str]
"""Outcome, scope and reason."""


def weigh(
    evidence: Evidence,
    refutation: Refutation | None,
    level: float,
    twins: bool = False,
) -> Weighed:
    """Outcome, scope and reason: REFUTED dominates, then INCONCLUSIVE, then VACUOUS, then HOLDS.

    HOLDS is for evidence that could have failed; this is known only where perturbed `twins` were asked about.
    """
    if refutation is not None:
        return Outcome.REFUTED, "universal", refutation.finding
    doubts = (*evidence.undecided, *(entry.sentence for entry in evidence.open))
    if doubts:
        return Outcome.INCONCLUSIVE, "population", doubts[0]
    if not evidence.satisfied:
        return _nothing_satisfied(evidence)
    if evidence.vacuous == evidence.satisfied:
        drawn = (
            f", of {evidence.instances}"
            if _few(evidence.satisfied, evidence.instances)
            else ""
        )
        satisfying = (
            f"{evidence.satisfied} instances that satisfy the hypotheses{drawn}"
        )
        return (
            Outcome.VACUOUS,
            "population",
            f"the bound is trivial on all {satisfying}",
        )
    if twins and not evidence.killed and evidence.tightest < log(FAR):
        reason = f"nothing looked at comes near the bound: {_far(evidence)}; {_looked_at(evidence, level)}"
        return Outcome.VACUOUS, "population", reason
    reason = "; ".join([_looked_at(evidence, level), *evidence.told])
    return Outcome.HOLDS, "population", reason


def with_proof(weighed: Weighed, proof: Proof | None) -> Weighed:
    """Outcome, scope and reason of what holds and is shown: PROVED on all of its domain, else it holds.

    Raises ValueError where it does not hold.
    """
    if proof is None:
        return weighed
    outcome, scope, reason = weighed
    if outcome is not Outcome.HOLDS:
        raise ValueError(f"what is {outcome.name} was proved")
    if proof.whole:
        return Outcome.PROVED, "domain", f"{proof.words}; it holds {reason}"
    return Outcome.HOLDS, scope, f"{reason}; shown {proof.words}"


def _few(count: int, all_of_them: int) -> bool:
    return 2 * count < all_of_them


def _far(evidence: Evidence) -> str:
    """By how much the bound is missed."""
    ratio = exp(evidence.tightest)
    if evidence.tightest == float("-inf"):
        seen = "both sides are 0"
    elif ratio <= 1e-300:
        exactly = "the left side, or the failure probability, is never above 0"
        seen = (
            exactly
            if not evidence.sampled
            else f"{exactly}, or no trial fails"
            if evidence.exact
            else "no trial fails"
        )
    else:
        seen = f"the largest left side is {ratio:.2g} of the right one"
    return f"{seen}, and no perturbed twin is refuted"


def _nothing_satisfied(evidence: Evidence) -> Weighed:
    skipped, drawn = evidence.skipped, evidence.instances
    if far := skipped.get("out of reach"):
        reason = f"every instance asks for more than any machine can do ({far} of {drawn})"
        return Outcome.VACUOUS, "population", reason
    if skipped.get("unsatisfied", 0) == drawn:
        return (
            Outcome.VACUOUS,
            "population",
            f"none of {drawn} instances satisfies the hypotheses",
        )
    if (
        skipped.get("not sampled")
        and evidence.trials
        and not any(map(_is_undefined, skipped))
    ):
        reason = f"{evidence.trials} trials, none of which counts against it, decide it on none of {drawn} instances"
        return Outcome.INCONCLUSIVE, "population", reason
    if tied := skipped.get(TIED):
        reason = EQUAL_DIGITS.format(tied, drawn)
        return Outcome.INCONCLUSIVE, "population", reason
    reason = f"the statement could not be evaluated on any instance ({_list(skipped)})"
    return Outcome.INCONCLUSIVE, "population", reason


UNSATISFIED, TOO_LONG = "unsatisfied", "too long"
TOO_CLOSE, TIED = "too close for floats", "equal as far as can be told"
"""Why an instance is left aside: what it assumes fails; the body takes too long there; rounding is larger than what
would decide; no arithmetic here tells the sides of a strict statement apart."""

ORDINARY = (
    UNSATISFIED,
    "out of reach",
    TOO_LONG,
    TOO_CLOSE,
    TIED,
    "not sampled",
)
"""Reasons to skip an instance that are no fault of the statement."""


EQUAL_DIGITS = (
    "the sides are equal as far as can be told, on {} of {} instances, and no digits show that numbers are equal;"
    " write what is exact, 0 for sin(pi), or a bound, at_most(np.abs(x - y), 1e-12)"
)


def _is_undefined(reason: str) -> bool:
    """Whether the statement has no value on an instance, for what the reason names."""
    return reason.startswith("undefined")


def _list(skipped: Mapping[str, int]) -> str:
    return ", ".join(
        f"{count} {reason}" for reason, count in sorted(skipped.items())
    )


def _looked_at(evidence: Evidence, level: float) -> str:
    """The instances that counted, out of how many where they are few, and how they were looked at."""
    how = []
    if evidence.exact:
        how.append(f"{evidence.exact} exactly")
    if evidence.sampled:
        supposed = (
            ", with variances at most as stated" if evidence.supposing else ""
        )
        how.append(
            f"{evidence.sampled} by {evidence.trials} trials at level {level:g}{supposed}"
        )
    few = _few(evidence.satisfied, evidence.instances)
    counted = (
        f"{evidence.satisfied} of {evidence.instances}"
        if few
        else f"{evidence.satisfied}"
    )
    unjudged = {
        reason: count
        for reason, count in evidence.skipped.items()
        if few or not (reason in ORDINARY or _is_undefined(reason))
    }
    left = f"; left aside: {_list(unjudged)}" if unjudged else ""
    says_little = _few(
        evidence.satisfied - evidence.vacuous, evidence.satisfied
    )
    trivial = f"; trivial on {evidence.vacuous} of these" if says_little else ""
    looks = f"on {counted} instances ({', '.join(how)})"
    return f"{looks} and {evidence.searched} more in the search{trivial}{left}"


def broken(claim: str, sentence: str, alpha: float, level: float) -> Judgement:
    """The verdict on a claim that could not be judged to the end: inconclusive, so that the others go on."""
    return Judgement(
        claim,
        Outcome.INCONCLUSIVE,
        "population",
        sentence,
        Evidence(),
        None,
        alpha,
        level,
    )
