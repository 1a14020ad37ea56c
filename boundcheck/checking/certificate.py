"""Writing a certificate: the body runs once on traced numbers, and its program is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boundcheck.checking.pace import paced_tape
from boundcheck.checking.perturbations import perturbed
from boundcheck.domains import Raw
from boundcheck.domains.instances import build_traced, inside, to_json
from boundcheck.laws import NotFinite
from boundcheck.laws.quantities import averaged
from boundcheck.laws.worlds import TracedAverage, enumerated_on, traced_event
from boundcheck.tape import NotTraceable, Tape, constant
from boundcheck.tape.program import (
    NotInLanguage,
    promised,
    pruned,
    recording,
    selecting,
)
from boundcheck.tape.reading import as_read, recorded
from boundcheck.verifier.seal import digest
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import (
    AS_PRINTED,
    OutOfReach,
    Question,
    Unsatisfied,
    asking,
    at_a_bound,
)
from boundcheck.words.meaning import BrokenClaim
from boundcheck.words.statements import (
    Chance,
    Inequality,
    NoStatement,
    as_statement,
    mean_form,
    parts_of,
)

VERSION = 1
UNTRACEABLE = (
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    NameError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    NotImplementedError,
    Unsatisfied,
    OutOfReach,
    np.linalg.LinAlgError,
)
"""What a body may raise on traced numbers where it runs on floats."""

RECORDED = re.compile("'?(Traced|Truth|Trials|Whole|Fraction)'?( object)?")
"""What a body meets where floats would be, as Python calls it."""

OUTSIDE = "a number of the instance lies outside its range"

MOST_NODES = 2000
"""Operations of a program of which whole numbers are inputs."""

REMEMBERED = 4
"""Instances whose recordings are remembered."""

Recorded = tuple[Tape, list[Any]]
"""A program, and the parts of the statement in its numbers."""

REFERENCES = ("arg", "bound", "end", "variance", "Z", "p", "q", "lam", "eps")


def refutation(
    claim: Claim,
    raw: Mapping[str, Raw],
    part: int = 0,
    sampled: Mapping[str, Any] | None = None,
    question: Question = AS_PRINTED,
    traced: tuple[Tape, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """The certificate that part number `part` of the claim is false on an instance.

    `sampled` holds counts and seeds when the law has no exact form, `traced` the program and its conclusion
    if they are known. Raises NotTraceable or NotFinite when no certificate of the wanted kind exists,
    BrokenClaim for a body that changes what it reads.
    """
    claim.steady.require()
    tape, conclusion = traced or program_at(claim, raw, part, sampled, question)
    claim.steady.require()
    about = _provenance(claim, raw, part, question)
    return with_values(
        {
            "certificate_version": VERSION,
            "claim": about,
            **program_of(tape, conclusion),
        },
        {},
    )


def with_values(
    certificate: Mapping[str, Any], values: Mapping[str, str]
) -> dict[str, Any]:
    """A certificate that also holds the numbers which the verifier has recomputed, sealed anew."""
    body = {**certificate, "values": dict(values)}
    body.pop("seal", None)
    return {**body, "seal": digest(body)}


def program_at(
    claim: Claim,
    raw: Mapping[str, Raw],
    part: int = 0,
    sampled: Mapping[str, Any] | None = None,
    question: Question = AS_PRINTED,
) -> tuple[Tape, dict[str, Any]]:
    """The program of one part on an instance, and what it concludes. Raises NotTraceable or NotFinite."""
    if not inside(claim.parameters, raw):
        raise NotTraceable(OUTSIDE)
    return follow(
        claim,
        raw,
        part,
        question,
        lambda tape, x: (
            _sampled(tape, x, sampled) if sampled else conclude(tape, x)
        ),
    )


def follow(
    claim: Claim,
    raw: Mapping[str, Raw],
    part: int,
    question: Question,
    then: Callable[[Tape, Any], Any],
) -> tuple[Tape, Any]:
    """The program of one part of the statement, continued by `then`. Raises NotTraceable or NotFinite."""
    asked = question.on(part)
    return followed(
        claim,
        raw,
        question,
        lambda tape, parts: then(tape, perturbed(parts[part], asked)),
    )


def followed(
    claim: Claim,
    raw: Mapping[str, Raw],
    question: Question,
    then: Callable[..., Any],
    promising: bool = True,
) -> Any:
    """The program of the body, and what `then` makes of the parts of its statement.

    Where whole numbers are given as floats (not `promising`) a loop over them is recorded, too: not a long one.
    """
    with paced_tape() as tape, _recording(claim, tape, question):
        if not promising:
            tape.most = min(tape.most, MOST_NODES)
        values = as_read(
            claim.body, build_traced(claim.parameters, raw, tape, promising)
        )
        return tape, then(
            tape, parts_of(as_statement(recorded(claim.body)(**values)))
        )


def read_with(
    claim: Claim, values: dict[str, Any], then: Callable[[Any], Any]
) -> list[Any]:
    """What `then` makes of the parts of the statement that a body makes of such values, which record by themselves.

    Raises NotTraceable.
    """
    tape = Tape()
    with _recording(claim, tape, AS_PRINTED):
        parts = parts_of(
            as_statement(recorded(claim.body)(**as_read(claim.body, values)))
        )
        if at_a_bound():
            raise NotTraceable(
                "what is at least a bound is looked at there alone"
            )
        return [then(part) for part in parts]


def unread(claim: Claim, raw: Mapping[str, Raw]) -> str | None:
    """What a body says at an instance that is not in the language of statements; None where all of it is."""
    try:
        followed(claim, raw, AS_PRINTED, lambda _, parts: parts)
    except NotInLanguage as sentence:
        return str(sentence)
    except (NotTraceable, NotFinite):
        return None
    return None


@contextmanager
def _recording(claim: Claim, tape: Tape, question: Question) -> Iterator[None]:
    """Run on a tape. Raises NotTraceable for what traced numbers raise, BrokenClaim for no statement."""
    try:
        with np.errstate(all="ignore"), recording(tape), asking(question):
            yield
    except NoStatement as error:
        raise BrokenClaim(
            f"{claim.id} ({claim.failed_at(error)}): {error}"
        ) from error
    except UNTRACEABLE as error:
        said = (
            RECORDED.sub("a number", str(error))
            or "a hypothesis fails as it reads"
        )
        raise NotTraceable(
            f"{claim.failed_at(error)}: what the body does here has no exact form; {said}"
        ) from error


@dataclass
class Runs:
    """Bodies recorded once for all parts of their statement."""

    claim: Claim
    question: Question
    selecting: bool = False
    promising: bool = True
    """Whether instances are held against their domains; whole numbers that are given as floats are in none."""
    known: dict[
        int, tuple[Mapping[str, Raw], Recorded | NotTraceable | NotFinite]
    ] = field(default_factory=dict)
    """The last instances, by identity, and what became of recording them."""

    def trace(
        self, raw: Mapping[str, Raw], part: int
    ) -> tuple[Tape, dict[str, Any]]:
        """The program of one part on an instance, and what it concludes. Raises NotTraceable or NotFinite."""
        if id(raw) not in self.known:
            self.known[id(raw)] = raw, self._run(raw)
            for old in list(self.known)[:-REMEMBERED]:
                del self.known[old]
        _, found = self.known[id(raw)]
        if not isinstance(found, tuple):
            raise found
        tape, parts = found
        with _recording(self.claim, tape, self.question):
            conclusion = conclude(
                tape, perturbed(parts[part], self.question.on(part))
            )
        if tape.laws:  # each part has laws of its own
            del self.known[id(raw)]
        return tape.copy(), conclusion

    def _run(
        self, raw: Mapping[str, Raw]
    ) -> Recorded | NotTraceable | NotFinite:
        if self.promising and not inside(self.claim.parameters, raw):
            return NotTraceable(OUTSIDE)
        try:
            with selecting() if self.selecting else nullcontext():
                return followed(
                    self.claim,
                    raw,
                    self.question,
                    lambda _, parts: parts,
                    self.promising,
                )
        except (NotTraceable, NotFinite) as error:
            return error


def deltas(
    claim: Claim, raw: Mapping[str, Raw], question: Question
) -> dict[int, float]:
    """delta of the parts that are spelled P(...) >= 1 - delta, which floats do not show if it is small.

    There are none where the body cannot be recorded.
    """

    def then(tape: Tape, parts: list[Inequality | Chance]) -> dict[int, float]:
        found = {
            k: _delta(tape, part.bound)
            for k, part in enumerate(parts)
            if isinstance(part, Chance)
        }
        return {k: delta for k, delta in found.items() if delta is not None}

    try:
        return followed(claim, raw, question, then)[1]
    except (NotTraceable, NotFinite):
        return {}


def _delta(tape: Tape, bound: object) -> float | None:
    with suppress(NotTraceable):
        node = tape.nodes[constant(tape, bound).node]
        if node["op"] == "sub" and tape.values[node["args"][0]] == 1:
            return float(tape.values[node["args"][1]])
    return None


def _provenance(
    claim: Claim, raw: Mapping[str, Raw], part: int, question: Question
) -> dict[str, Any]:
    return {
        "id": claim.id,
        "source": claim.source,
        "statement": claim.statement,
        "part": part,
        "fingerprint": claim.fingerprint,
        "question": question.label,
        "instance": to_json(dict(raw)),
    }


def conclude(tape: Tape, statement: Any) -> dict[str, Any]:
    """The conclusion of a certificate, its numbers as nodes of the tape."""
    if isinstance(statement, Inequality):
        return _inequality(tape, statement)
    return _chance(tape, statement)


def _inequality(tape: Tape, statement: Inequality) -> dict[str, Any]:
    averager = TracedAverage(tape)
    lhs, rhs = (
        constant(tape, averaged(x, averager))
        for x in (statement.lhs, statement.rhs)
    )
    conclusion: dict[str, Any] = {
        "kind": statement.sign,
        "args": [lhs.node, rhs.node],
    }
    if statement.relation == "loewner":
        conclusion["witness"] = _witness(rhs.traced_value - lhs.traced_value)
    return conclusion


def _witness(difference: np.ndarray) -> list[str]:
    """A short rational vector on which the difference is most negative."""
    direction = np.linalg.eigh((difference + difference.T) / 2)[1][:, 0]
    return [str(round(1e6 * x)) for x in direction / np.max(np.abs(direction))]


def _chance(tape: Tape, statement: Chance) -> dict[str, Any]:
    bound = constant(tape, statement.bound).node
    law = finite_law(statement)
    if law is not None:
        return {**law.conclusion(tape), "bound": bound}
    world = enumerated_on(tape, statement.event).world
    return {
        "kind": "probability",
        "event": traced_event(statement.event, world, tape),
        "relation": statement.sign,
        "bound": bound,
    }


def finite_law(statement: Chance) -> Any:
    """The closed form of an event `quantity <= threshold`, if its quantity has one."""
    event = statement.event
    if (
        event.relation in ("le", "lt")
        and statement.relation == "ge"
        and event.operands[0].law is not None
    ):
        quantity, threshold = event.operands
        return quantity.law.at(threshold.low)
    return None


def _sampled(
    tape: Tape, statement: Chance | Inequality, sampled: Mapping[str, Any]
) -> dict[str, Any]:
    """Counts of an event, or of the cells that the values of a quantity of known range fell into."""
    if isinstance(statement, Chance):
        return {
            "kind": "sampled",
            "relation": statement.relation,
            "bound": constant(tape, statement.bound).node,
            **sampled,
        }
    if statement.slope is not None:
        points = zip(sampled["points"], statement.slope.values, strict=True)
        ends = [
            constant(
                tape,
                value.of.low if point["side"] == "above" else value.of.high,
            ).node
            for point, value in points
        ]
        return {
            "kind": "sampled_rate",
            "args": ends,
            "bound": constant(tape, statement.sampled().rhs).node,
            **sampled,
        }
    form = mean_form(statement)
    assert form is not None
    end = form.low if form.relation == "le" else form.high
    if form.variance is None and end is None:
        raise NotTraceable(
            "the range of a quantity is not that of its program; give quantity(..., low=, high=)"
        )
    known = {
        "bound": form.bound,
        **(
            {"end": end}
            if form.variance is None
            else {"variance": form.variance}
        ),
    }
    nodes = {key: constant(tape, x).node for key, x in known.items()}
    return {
        "kind": "sampled_mean",
        "relation": form.relation,
        **nodes,
        **sampled,
    }


def program_of(tape: Tape, conclusion: dict[str, Any]) -> dict[str, Any]:
    """What a certificate holds of a tape: what the conclusion needs, the nodes renumbered."""
    program, new = pruned(tape, [*_nodes_of(conclusion), *promised(tape)])
    hypotheses = [
        {**h, "args": [new[k] for k in h["args"]]} for h in tape.hypotheses
    ]
    order, group = _grouped(tape.laws)
    program = [
        {**node, "draw": order.index(node["draw"])} if "draw" in node else node
        for node in program
    ]
    laws = [
        {**tape.laws[k], "group": group[tape.laws[k].get("group", 0)]}
        for k in order
    ]
    laws = [
        {
            k: {"node": new[v["node"]]} if isinstance(v, dict) else v
            for k, v in law.items()
        }
        for law in laws
    ]
    return {
        "program": program,
        "laws": laws,
        "hypotheses": hypotheses,
        "conclusion": _renamed(conclusion, new),
    }


def _grouped(laws: list[dict[str, Any]]) -> tuple[list[int], dict[int, int]]:
    """The laws sorted by their groups, those of hypotheses last, and numbers of the groups without gaps."""
    groups = [law.get("group", 0) for law in laws]
    return sorted(range(len(laws)), key=groups.__getitem__), {
        g: k for k, g in enumerate(sorted(set(groups)))
    }


def _nodes_of(conclusion: object) -> list[int]:
    found: list[int] = []
    _renamed(conclusion, _Collector(found))
    return found


class _Collector:
    """Looks like a renumbering and writes down what is asked of it."""

    def __init__(self, found: list[int]):
        self.found = found

    def __getitem__(self, node: int) -> int:
        self.found.append(node)
        return node


def _renamed(conclusion: Any, new: Any) -> Any:
    if isinstance(conclusion, list):
        return [_renamed(entry, new) for entry in conclusion]
    if not isinstance(conclusion, dict):
        return conclusion
    result = dict(conclusion)
    for key, entry in conclusion.items():
        if key in ("args", "le", "lt", "eq", "ne"):
            result[key] = [new[k] for k in entry]
        elif key in REFERENCES and isinstance(entry, int):
            result[key] = new[entry]
        elif key in ("event", "and", "or", "not"):
            result[key] = _renamed(entry, new)
    return result


__all__ = [
    "VERSION",
    "NotFinite",
    "NotTraceable",
    "conclude",
    "finite_law",
    "followed",
    "program_at",
    "program_of",
    "refutation",
]
