"""Proofs of what holds: a statement shown for all instances of a set, in a certificate that is shown again.

Cheap ways come before dear ones: normal forms, which need no bounds; then boxes, the largest first; random
points for identities of arrays. The engine proposes, and only what the verifier confirms and the text
agrees with is PROVED.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, product
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
from boundcheck.checking.uniform import SizelessText, uniform
from boundcheck.checking.verdict import Proof
from boundcheck.checking.verification import Different, compared
from boundcheck.domains import Raw
from boundcheck.domains.domain import is_inner
from boundcheck.domains.instances import draw_instances
from boundcheck.proofs.search import (
    MOST_CHOICES,
    MOST_WHOLE,
    STRAY,
    Effort,
    Grower,
    Parameters,
    Paths,
    Stuck,
)
from boundcheck.proofs.squares import squares
from boundcheck.proofs.sums import Summed
from boundcheck.verifier import verify
from boundcheck.verifier.findings import Rejection, TooMuch, allowance
from boundcheck.verifier.limits import BITS
from boundcheck.verifier.proofs import (
    Extent,
    Interval,
    Run,
    by_entries,
    by_forms,
    by_points,
    counted_to,
    runs,
)
from boundcheck.verifier.residues import Differ
from boundcheck.verifier.scalars import Unproved
from boundcheck.verifier.seal import digest, packed
from boundcheck.verifier.sums import Facts, by_sums, require_at
from boundcheck.verifier.uniform import Model
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED

WORK = (2e5, 5e6, 3e6, 3e6)
"""Instructions that may be run on all boxes of the first choice of whole numbers,
for each size of the set."""

ALL = 1.2e7
"""The same for all choices."""

RUNS = 2e6
MOST_OTHERS, MOST_PEELED = 40, 24
"""Instructions where whole numbers are shown as real ones; choices of the others, and numbers before a run."""

PLAIN, LONGEST = 4_000_000, 40_000_000
"""Letters of all programs that are written as they are, and of those that are compressed,
where all whole numbers of a domain are enumerated though there are many."""

FORMS, POINTS = 1e6, 5e6
"""What the normal form of one part may take, and random points for all parts at one shape."""

DRAWN = 12
SHAPES = 4
MOST_ENTRIES = 60
"""Instances that are drawn for their whole numbers and shapes, how many shapes a proof is about, and how many
numbers the instance has at which a program for every size is compared."""

TRIES, MOST_TRIES = (0.5, 0.25, 0.75, 0.1, 0.9), 40
"""Where in the intervals an instance that satisfies the hypotheses is looked for,
and at how many more places."""

LOST = (Stuck, Rejection, NotTraceable, NotFinite, *UNTRACEABLE)
"""What ends an attempt."""


def proved(claim: Claim) -> Proof | None:
    """A proof of a claim that holds, or None where none is found with the work allowed."""
    try:
        given = Parameters.of(claim)
        if given.shaped and any(map(is_inner, claim.parameters.values())):
            return None  # no shape says where the domain was cut
        if given.shaped:
            with suppress(*LOST):
                if (found := _every(claim)) and (
                    proof := checked(claim, found)
                ):
                    return proof
            found = _shaped(claim, given)
            return None if found is None else checked(claim, found)
    except LOST:
        return None
    for way in (_by_runs, _scalar):
        with suppress(*LOST):
            found = way(claim, given)
            proof = None if found is None else checked(claim, found)
            if proof is not None:
                return proof
    return None


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


def proof_of(
    claim: Claim, certificate: Mapping[str, Any], sentence: str
) -> Proof:
    """The proof of a confirmed certificate, of which the verifier says this sentence."""
    given, extent = Parameters.of(claim), certificate["set"]
    known, words = Extent.of_json(extent), sentence.removeprefix("shown ")
    every = known.every or any(runs(dict(c)) for c in known.choices)
    count = known.count
    whole = covers(claim, given, extent)
    if (
        not whole
        and given.wholes
        and not given.shaped
        and count < given.count()
    ):
        words += f" ({count} of {given.count()} choices of whole numbers)"
    return Proof(certificate, words, whole, every)


def covers(claim: Claim, given: Parameters, extent: Mapping[str, Any]) -> bool:
    """Whether the set of a certificate is surely all of a claim's domain.

    It is for all real numbers of the domain, and for all whole numbers but those that violate a hypothesis;
    of a domain that was cut at an end never.
    Of arrays, a proof is about some shapes, often of many.
    """
    known = Extent.of_json(extent)
    if any(map(is_inner, claim.parameters.values())):
        return False
    if known.every:
        return True
    if known.shaped:
        return given.fixed
    if not all(
        known.reals[name].holds(x) for name, x in given.domain().items()
    ):
        return False
    if known.count == given.count():
        return True
    done = [dict(choice) for choice in known.choices]
    if given.reals or given.count() > MOST_WHOLE or any(map(runs, done)):
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
        (size, Effort(work))
        for size, work in zip(given.boxes(), WORK, strict=False)
    ]
    alone = None
    for reals, effort in attempts:
        try:
            first = _cases(claim, given, 1, reals, effort)
            most = min(MOST_CHOICES, int(ALL / (4 * max(effort.spent, 1.0))))
            whole = (
                [MOST_WHOLE]
                if _may_be_whole(claim, given, reals, effort)
                else []
            )
            larger = (
                _more(claim, given, k, reals)
                for k in (*whole, most, most // 4)
                if k > 1
            )
            found = next(filter(None, larger), None)
            if found is not None or (
                first is not None and len(given.choices(2)) == 1
            ):
                return found or first
            alone = alone or first
        except LOST:
            continue
    return alone


def _by_runs(claim: Claim, given: Parameters) -> dict[str, Any] | None:
    """Whole numbers as real ones, all of them or the one that has most; the others are enumerated.

    Numbers at which a body turns, below the rest, are taken out of the run one by one.
    """
    sets = [given.domain(), *islice(given.boxes(), 1)]
    most = max(
        given.wholes, key=lambda name: len(given.wholes[name]), default=""
    )
    ways = [list(given.wholes), *([[most]] if len(given.wholes) > 1 else [])]
    effort = Effort(RUNS)
    tries = product(sets, ways) if given.count() > MOST_CHOICES else ()
    for reals, names in tries:
        with suppress(*LOST):
            found = [
                case
                for choice in given.choices_but(names, MOST_OTHERS)
                for case in _peeled(claim, choice, reals, effort)
            ]
            counts = {len(parts) for _, parts in found}
            if len(counts) == 1:
                cases = [case for _, parts in found for case in parts]
                choices = [choice for choice, _ in found]
                return _sealed(claim, counts.pop(), reals, choices, cases)
    return None


Shown = tuple[dict[str, Any], list[dict[str, Any]]]
"""A choice, and the case of each part."""


def _peeled(
    claim: Claim,
    choice: dict[str, Any],
    reals: Mapping[str, Interval],
    effort: Effort,
) -> list[Shown]:
    """A choice with runs, and before it the numbers that are taken from the front of its only run.

    Raises Stuck, Rejection.
    """
    found: list[Shown] = []
    for _ in range(MOST_PEELED):
        with suppress(Rejection):
            return [*found, *_parts_of(claim, choice, reals, effort)]
        if len(left := [*runs(choice).items()]) != 1:
            break
        ((name, run),) = left
        found += _parts_of(claim, {**choice, name: run.low}, reals, effort)
        low = run.low + 1
        choice = {**choice, name: Run(low, run.high) if low < run.high else low}
    raise Stuck("a body turns at too many numbers of a run")


def _parts_of(
    claim: Claim,
    choice: dict[str, Any],
    reals: Mapping[str, Interval],
    effort: Effort,
) -> list[Shown]:
    """All parts at a choice; none where no instance satisfies its hypotheses. Raises Stuck, Rejection."""
    starts, count = _starts(claim, Parameters.of(claim), [choice], reals)
    with ctx.workprec(BITS):
        return [
            (
                choice,
                [
                    _by_parts(
                        _Part(claim, choice, raw, reals, part),
                        first if part == 0 else None,
                        effort,
                    )
                    for part in range(count)
                ],
            )
            for choice, raw, first in starts
        ]


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
    claim: Claim,
    given: Parameters,
    reals: Mapping[str, Interval],
    first: Effort,
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
        count
        * len(choices)
        * sum(len(json.dumps(path)) for _, _, path in starts)
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
    return _sealed(
        claim, count, reals, [choice for choice, _, _ in starts], cases
    )


@dataclass(frozen=True)
class _Part:
    """A part of a statement at a choice of whole numbers, with an instance that satisfies its hypotheses."""

    claim: Claim
    choice: Mapping[str, int]
    raw: Mapping[str, Raw]
    reals: Mapping[str, Interval]
    number: int

    def route(self, point: Mapping[str, Any]) -> Route:
        """The path of the instance with these real numbers; those of a run are the whole ones next to them."""
        whole = {
            name: _next_to(point[name], x) for name, x in self.variable.items()
        }
        fixed = {
            name: x for name, x in self.choice.items() if name not in whole
        }
        known = {**point, **fixed, **whole}
        raw = {name: known[name] for name in self.claim.parameters}
        return route(self.claim, raw, self.number, self.variable)

    @property
    def variable(self) -> dict[str, Run]:
        return runs(self.choice)

    @property
    def intervals(self) -> dict[str, Interval]:
        """The intervals of all inputs of its programs."""
        return {
            **self.reals,
            **{n: x.interval for n, x in self.variable.items()},
        }


def _by_parts(
    part: _Part, known: Route | None, effort: Effort
) -> dict[str, Any]:
    """One part of the statement at one choice: by a normal form, else by boxes. Raises Stuck, Rejection."""
    if part.number in effort.hard:
        return _by_boxes(part, effort)
    recorded, reals = known or part.route(part.raw), part.intervals
    try:
        with allowance(FORMS) as left:
            beyond = {
                **reals,
                **{n: x.upwards for n, x in part.variable.items()},
            }
            by_forms(
                boxes.Route(recorded, list(reals)),
                list(beyond.values()),
                list(reals.values()),
            )
        return _case(part.choice, part.number, [recorded], {"way": "form"})
    except Rejection:
        if part.variable and _counts(recorded):
            try:
                return _by_sums(part, recorded)
            except Rejection as rejection:  # no other numbers of the run help
                raise Stuck(str(rejection)) from rejection
        if not all(
            x.closed and x.closed_above and None not in (x.low, x.high)
            for x in reals.values()
        ):
            raise
        effort.hard.add(part.number)
    finally:
        effort.spend(FORMS - left[0])
    return _by_boxes(part, effort)


def _by_sums(part: _Part, recorded: Route) -> dict[str, Any]:
    """A part that counts up to the number of a run, as sums. Raises Stuck, Rejection."""
    counted, choice = counted_to(part.choice), part.choice
    n, upwards = part.raw[counted], part.variable[counted].upwards
    found = Summed(recorded, list(part.intervals), n)
    kinds, proof = {**part.reals, counted: upwards}, found.proof()
    plain = route(part.claim, part.raw, part.number)
    require_at(plain, proof, list(part.reals), counted, n)
    facts = Facts(proof, counted, kinds)
    for ways in found.likely():
        proof["bounds"] += islice(filter(facts.is_bounded, ways), 1)
    by_sums(proof, recorded["conclusion"]["kind"], counted, kinds)
    return _case(choice, part.number, [plain], proof)


def _starts(
    claim: Claim,
    given: Parameters,
    choices: Sequence[dict[str, int]],
    reals: Mapping[str, Interval],
) -> tuple[list[tuple[dict[str, int], dict[str, Raw], Route]], int]:
    """An instance of each choice that satisfies the hypotheses, its first part's program, and of how many
    parts the statement is. Raises NotTraceable."""
    found, counts, rng = [], set(), np.random.default_rng(MOST_TRIES)
    tries = [dict.fromkeys(claim.parameters, u) for u in TRIES]
    tries += [
        {name: float(rng.uniform()) for name in claim.parameters}
        for _ in range(MOST_TRIES)
    ]
    for choice in choices:
        variable = runs(choice)
        for places in tries if reals or variable else tries[:1]:
            point = {
                name: point_at(interval, places[name])
                for name, interval in reals.items()
            }
            point |= {
                name: _next_to(point_at(x.interval, places.get(name, 0.0)), x)
                for name, x in variable.items()
            }
            known = {**choice, **point}
            raw = {name: known[name] for name in claim.parameters}
            try:
                first, count = route_and_parts(claim, raw, 0, variable)
            except Inadmissible:
                continue
            counts.add(count)
            found.append((choice, raw, first))
            break
    if len(counts) > 1:
        raise NotTraceable("the statement has other parts at other sizes")
    return found, next(iter(counts), 0)


def _counts(recorded: Route) -> bool:
    """Whether a program is for one number of a run: it counts up to it, or takes it as a place."""
    pairs = zip(recorded["hypotheses"], recorded["assumed"], strict=True)
    return any(given["relation"] == "eq" and not kept for given, kept in pairs)


def _next_to(x: float, run: Run) -> int:
    """The number of a run next to a real one."""
    return min(max(round(x), run.low), run.high)


def _by_boxes(part: _Part, effort: Effort) -> dict[str, Any]:
    intervals = part.intervals
    paths = Paths(part.route, list(intervals))
    paths.at({name: part.raw[name] for name in intervals})
    box: Any = tuple((x.low, x.high) for x in intervals.values())
    sides = range(len(paths.routes[0].sides))
    trees = [Grower(paths, k, intervals, effort).grow(box) for k in sides]
    return _case(
        part.choice,
        part.number,
        paths.recorded,
        {"way": "boxes", "trees": trees},
    )


def _case(
    choice: Mapping[str, Any],
    part: int,
    routes: Sequence[Route],
    proof: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "choice": _spelled(choice),
        "part": part,
        "routes": list(routes),
        "proof": dict(proof),
    }


def _every(claim: Claim) -> dict[str, Any] | None:
    """All parts for every size; with the largest instance drawn of those that are not large."""
    text = uniform(claim)
    ways = [_of_every_size(text, k) for k in range(len(text.parts))]
    for raw in sorted(
        draw_instances(claim.parameters, DRAWN, 1), key=_entries, reverse=True
    ):
        choice = choice_of(raw)
        if choice is None or _entries(raw) > MOST_ENTRIES:
            continue
        try:
            found = [route(claim, raw, part) for part in range(len(ways))]
        except (*STRAY, *LOST):
            continue
        cases = [
            _case(choice, k, [own], way)
            for k, (own, way) in enumerate(zip(found, ways, strict=True))
        ]
        return _sealed(
            claim, len(ways), {}, [choice], cases, shaped=True, every=True
        )
    return None


def _of_every_size(text: SizelessText, k: int) -> dict[str, Any]:
    """How a part is shown for every size: an identity in words, an inequality by squares. Raises Unproved."""
    if text.parts[k][0] != "equal":
        return {"way": "squares", **squares(text, k)}
    made = text.part(k)
    model = Model.drawn()
    values = model.run(made["program"])
    model.require_equal(*(values[k] for k in made["args"]))
    return {"way": "words", **made}


def _entries(raw: Mapping[str, Raw]) -> int:
    """How many numbers an instance has."""
    return sum(np.size(leaf) for leaf in _leaves(raw))


def _leaves(raw: Raw) -> list[Any]:
    if isinstance(raw, dict):
        return [leaf for entry in raw.values() for leaf in _leaves(entry)]
    return (
        [leaf for entry in raw for leaf in _leaves(entry)]
        if isinstance(raw, (list, tuple))
        else [raw]
    )


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
            found = [
                first,
                *(route(claim, raw, part) for part in range(1, count)),
            ]
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


def _spelled(choice: Mapping[str, Any]) -> list[list[Any]]:
    return [[n, str(x) if isinstance(x, Run) else x] for n, x in choice.items()]


def _interval(x: Interval) -> list[Any]:
    ends = [None if end is None else str(end) for end in (x.low, x.high)]
    return [*ends, x.closed, x.closed_above]


def _sealed(
    claim: Claim,
    count: int,
    reals: Mapping[str, Interval],
    choices: Sequence[Mapping[str, Any]],
    cases: Sequence[Mapping[str, Any]],
    shaped: bool = False,
    every: bool = False,
) -> dict[str, Any]:
    """The certificate of a proof."""
    about = {
        "id": claim.id,
        "source": claim.source,
        "statement": claim.statement,
        "fingerprint": claim.fingerprint,
        "question": AS_PRINTED.label,
        "parts": count,
    }
    extent = {
        "reals": {name: _interval(x) for name, x in reals.items()},
        "choices": [_spelled(choice) for choice in choices],
        "shaped": shaped,
        **({"sizes": "every"} if every else {}),
        **(
            {"made": made}
            if shaped and (made := made_of(claim, choices[0]))
            else {}
        ),
    }
    certificate = {
        "certificate_version": VERSION,
        "claim": about,
        "set": extent,
        "cases": list(cases),
    }
    if (
        len(choices) > MOST_CHOICES
        and len(json.dumps(certificate["cases"])) > PLAIN
    ):
        certificate["cases"] = [packed(case) for case in cases]
    return {**certificate, "seal": digest(certificate)}
