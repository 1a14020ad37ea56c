"""Proofs of what holds: a statement shown for all instances of a set, in a certificate that is shown again.

Cheap ways come before dear ones: normal forms, which need no bounds; then boxes, the largest first; random
points for identities of arrays. The engine proposes, and only what the verifier confirms and the text
agrees with is PROVED.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import ctx

import boundcheck.verifier.boxes as boxes
from boundcheck.checking.certificate import (
    UNTRACEABLE,
    VERSION,
    NotFinite,
    NotTraceable,
)
from boundcheck.checking.paths import (
    Inadmissible,
    Route,
    choice_of,
    made_of,
    point_at,
    route,
    route_and_parts,
)
from boundcheck.checking.verdict import Proof
from boundcheck.checking.verification import Different, compared
from boundcheck.domains import Raw
from boundcheck.domains.instances import draw_instances
from boundcheck.proofs.search import (
    MOST_CHOICES,
    MOST_WHOLE,
    Effort,
    Grower,
    Parameters,
    Paths,
    Stuck,
)
from boundcheck.verifier import verify
from boundcheck.verifier.boxes import BITS
from boundcheck.verifier.findings import Rejection, TooMuch, allowance
from boundcheck.verifier.proofs import (
    Interval,
    by_entries,
    by_form,
    by_points,
)
from boundcheck.verifier.residues import Differ
from boundcheck.verifier.scalars import Unproved
from boundcheck.verifier.seal import digest, packed
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED

WORK = (2e5, 5e6, 3e6, 3e6)
"""Instructions that may be run on all boxes of the first choice of whole numbers,
for each size of the set."""

ALL = 1.2e7
"""The same for all choices."""

PLAIN, LONGEST = 4_000_000, 40_000_000
"""Letters of all programs that are written as they are, and of those that are compressed,
where all whole numbers of a domain are enumerated though there are many."""

FORMS, POINTS = 1e6, 5e6
"""What the normal form of one part may take, and random points for all parts at one shape."""

DRAWN = 12
SHAPES = 4
"""Instances that are drawn for their whole numbers and shapes, and how many shapes a proof is about."""

TRIES, MOST_TRIES = (0.5, 0.25, 0.75, 0.1, 0.9), 40
"""Where in the intervals an instance that satisfies the hypotheses is looked for,
and at how many more places."""

LOST = (Stuck, Rejection, NotTraceable, NotFinite, *UNTRACEABLE)
"""What ends an attempt."""


def proved(claim: Claim) -> Proof | None:
    """A proof of a claim that holds, or None where none is found with the work allowed."""
    try:
        given = Parameters.of(claim)
        found = _shaped(claim, given) if given.shaped else _scalar(claim, given)
    except LOST:
        return None
    return None if found is None else checked(claim, found)


def checked(claim: Claim, certificate: Mapping[str, Any]) -> Proof | None:
    """The proof of a certificate that the verifier confirms and the text agrees with."""
    finding = verify(dict(certificate))
    if not finding.confirmed:
        return None
    try:
        compared(claim, certificate)
    except Different:
        return None
    return proof_of(claim, certificate, finding.sentence)


def proof_of(claim: Claim, certificate: Mapping[str, Any], sentence: str) -> Proof:
    """The proof of a confirmed certificate, of which the verifier says this sentence."""
    given, extent = Parameters.of(claim), certificate["set"]
    words, count = sentence.removeprefix("shown "), len(extent["choices"])
    whole = covers(claim, given, extent)
    if not whole and given.wholes and not given.shaped and count < given.count():
        words += f" ({count} of {given.count()} choices of whole numbers)"
    return Proof(certificate, words, whole)


def covers(claim: Claim, given: Parameters, extent: Mapping[str, Any]) -> bool:
    """Whether the set of a certificate is surely all of a claim's domain.

    It is for all real numbers of the domain, and for all whole numbers but those that violate a hypothesis.
    Of arrays, a proof is about some shapes of many.
    """
    if extent["shaped"] or extent["reals"] != {
        name: _interval(x) for name, x in given.domain().items()
    }:
        return False
    done = [dict(choice) for choice in extent["choices"]]
    if len(done) == given.count():
        return True
    if given.reals or given.count() > MOST_WHOLE:
        return False
    return all(
        choice in done or _is_excluded(claim, choice)
        for choice in given.choices(MOST_WHOLE)
    )


def _is_excluded(claim: Claim, choice: Mapping[str, int]) -> bool:
    """Whether an instance of whole numbers alone violates a hypothesis."""
    try:
        route_and_parts(claim, choice, 0)
    except Inadmissible:
        return True
    except LOST:
        return False
    return False


def _scalar(claim: Claim, given: Parameters) -> dict[str, Any] | None:
    """Normal forms on all of the domain, or boxes on as much of it as can be."""
    attempts = [(given.domain(), Effort(FORMS))]
    attempts += [
        (size, Effort(work)) for size, work in zip(given.boxes(), WORK, strict=False)
    ]
    alone = None
    for reals, effort in attempts:
        try:
            first = _cases(claim, given, 1, reals, effort)
            most = min(MOST_CHOICES, int(ALL / (4 * max(effort.spent, 1.0))))
            whole = [MOST_WHOLE] if _may_be_whole(claim, given, reals, effort) else []
            larger = (
                _more(claim, given, k, reals)
                for k in (*whole, most, most // 4)
                if k > 1
            )
            found = next(filter(None, larger), None)
            if found is not None or (first is not None and len(given.choices(2)) == 1):
                return found or first
            alone = alone or first
        except LOST:
            continue
    return alone


def _more(
    claim: Claim, given: Parameters, most: int, reals: Mapping[str, Interval]
) -> dict[str, Any] | None:
    """The certificate for so many choices, where there are more than one and it is found."""
    if len(given.choices(most)) == 1:
        return None
    try:
        return _cases(claim, given, most, reals, Effort(ALL / 2))
    except LOST:
        return None


def _may_be_whole(
    claim: Claim, given: Parameters, reals: Mapping[str, Interval], first: Effort
) -> bool:
    """Whether all whole numbers of the domain, more than are enumerated, make a proof of fair length."""
    choices = given.choices(MOST_WHOLE)
    if (
        not MOST_CHOICES < len(choices) == given.count()
        or len(choices) * first.spent > ALL / 4
    ):
        return False
    starts, count = _starts(claim, given, choices[-1:], reals)
    return (
        count * len(choices) * sum(len(json.dumps(path)) for _, _, path in starts)
        <= LONGEST
    )


def _cases(
    claim: Claim,
    given: Parameters,
    most: int,
    reals: Mapping[str, Interval],
    effort: Effort,
) -> dict[str, Any] | None:
    """The certificate for so many choices; None where no instance satisfies the hypotheses. Raises Stuck,
    Rejection."""
    starts, count = _starts(claim, given, given.choices(most), reals)
    if not starts:
        return None
    with ctx.workprec(BITS):
        cases = [
            _by_parts(
                _Part(claim, choice, raw, reals, part),
                first if part == 0 else None,
                effort,
            )
            for choice, raw, first in starts
            for part in range(count)
        ]
    return _sealed(claim, count, reals, [choice for choice, _, _ in starts], cases)


@dataclass(frozen=True)
class _Part:
    """A part of a statement at a choice of whole numbers, with an instance that satisfies its hypotheses."""

    claim: Claim
    choice: Mapping[str, int]
    raw: Mapping[str, Raw]
    reals: Mapping[str, Interval]
    number: int

    def route(self, point: Mapping[str, Any]) -> Route:
        """The path of the instance with these real numbers."""
        raw = {
            name: self.choice.get(name, point.get(name))
            for name in self.claim.parameters
        }
        return route(self.claim, raw, self.number)


def _by_parts(part: _Part, known: Route | None, effort: Effort) -> dict[str, Any]:
    """One part of the statement at one choice: by a normal form, else by boxes. Raises Stuck, Rejection."""
    if part.number in effort.hard:
        return _by_boxes(part, effort)
    recorded, reals = known or part.route(part.raw), part.reals
    try:
        with allowance(FORMS) as left:
            by_form(boxes.Route(recorded, list(reals)), list(reals.values()))
        return _case(part.choice, part.number, [recorded], {"way": "form"})
    except Rejection:
        if not all(
            x.closed and x.closed_above and None not in (x.low, x.high)
            for x in reals.values()
        ):
            raise
        effort.hard.add(part.number)
    finally:
        effort.spend(FORMS - left[0])
    return _by_boxes(part, effort)


def _starts(
    claim: Claim,
    given: Parameters,
    choices: Sequence[dict[str, int]],
    reals: Mapping[str, Interval],
) -> tuple[list[tuple[dict[str, int], dict[str, Raw], Route]], int]:
    """An instance of each choice that satisfies the hypotheses, its first part's program, and of how many
    parts the statement is. Raises NotTraceable."""
    found, counts, rng = [], set(), np.random.default_rng(MOST_TRIES)
    tries = [dict.fromkeys(reals, u) for u in TRIES]
    tries += [{name: float(rng.uniform()) for name in reals} for _ in range(MOST_TRIES)]
    for choice in choices:
        for places in tries if reals else tries[:1]:
            point = {
                name: point_at(interval, places[name])
                for name, interval in reals.items()
            }
            raw = {
                name: choice[name] if name in choice else point[name]
                for name in claim.parameters
            }
            try:
                first, count = route_and_parts(claim, raw, 0)
            except Inadmissible:
                continue
            counts.add(count)
            found.append((choice, raw, first))
            break
    if len(counts) > 1:
        raise NotTraceable("the statement has other parts at other sizes")
    return found, next(iter(counts), 0)


def _by_boxes(part: _Part, effort: Effort) -> dict[str, Any]:
    paths = Paths(part.route, list(part.reals))
    paths.at({name: part.raw[name] for name in part.reals})
    box: Any = tuple((x.low, x.high) for x in part.reals.values())
    sides = range(len(paths.routes[0].sides))
    trees = [Grower(paths, k, part.reals, effort).grow(box) for k in sides]
    return _case(
        part.choice, part.number, paths.recorded, {"way": "boxes", "trees": trees}
    )


def _case(
    choice: Mapping[str, Any],
    part: int,
    routes: Sequence[Route],
    proof: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "choice": [[name, value] for name, value in choice.items()],
        "part": part,
        "routes": list(routes),
        "proof": dict(proof),
    }


def _shaped(claim: Claim, given: Parameters) -> dict[str, Any] | None:
    """Statements of arrays at some shapes: identities by random points, inequalities by entries' forms.

    What takes too much at a shape may be shown at others; an identity that is none at a shape is left.
    """
    cases: list[dict[str, Any]] = []
    choices: list[dict[str, Any]] = []
    counts, left, failed = set(), 3 * POINTS, 0
    for raw in draw_instances(claim.parameters, DRAWN, 1):
        choice = choice_of(raw)
        if choice is None or choice in choices:
            continue
        try:
            first, count = route_and_parts(claim, raw, 0)
            found = [first, *(route(claim, raw, part) for part in range(1, count))]
        except Inadmissible:
            continue
        counts.add(count)
        try:
            with allowance(min(POINTS, left)) as own:
                ways = [_way(recorded) for recorded in found]
        except Differ:
            return None
        except (Unproved, TooMuch):
            failed += 1
            if failed == SHAPES and not choices:
                return None
            continue
        finally:
            left -= min(POINTS, left) - own[0]
        pairs = enumerate(zip(found, ways, strict=True))
        cases += [
            _case(choice, part, [recorded], {"way": way})
            for part, (recorded, way) in pairs
        ]
        choices.append(choice)
        if len(choices) == SHAPES:
            break
    if len(counts) != 1 or len(choices) < (2 if failed else 1):
        return None
    return _sealed(claim, counts.pop(), {}, choices, cases, shaped=True)


def _way(recorded: Route) -> str:
    """How a part is shown for arrays of its shapes. Raises Unproved, TooMuch."""
    if recorded["conclusion"]["kind"] == "equal":
        by_points(recorded)
        return "points"
    with allowance(FORMS), ctx.workprec(BITS):
        by_entries(recorded)
    return "form"


def _interval(x: Interval) -> list[Any]:
    ends = [None if end is None else str(end) for end in (x.low, x.high)]
    return [*ends, x.closed, x.closed_above]


def _sealed(
    claim: Claim, count: int, reals: Mapping[str, Interval], choices: Sequence[Mapping[str, Any]],
    cases: Sequence[Mapping[str, Any]], shaped: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """The certificate of a proof."""
    about = {
        "id": claim.id, "source": claim.source, "statement": claim.statement, "fingerprint": claim.fingerprint,
        "question": AS_PRINTED.label, "parts": count,
    }  # fmt: skip
    extent = {
        "reals": {name: _interval(x) for name, x in reals.items()},
        "choices": [[[name, value] for name, value in choice.items()] for choice in choices], "shaped": shaped,
        **({"made": made} if shaped and (made := made_of(claim, choices[0])) else {}),
    }  # fmt: skip
    certificate = {
        "certificate_version": VERSION,
        "claim": about,
        "set": extent,
        "cases": list(cases),
    }
    if len(choices) > MOST_CHOICES and len(json.dumps(certificate["cases"])) > PLAIN:
        certificate["cases"] = [packed(case) for case in cases]
    return {**certificate, "seal": digest(certificate)}
