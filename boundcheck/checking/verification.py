"""Certificates examined: recomputed by the verifier, and compared with the text of their claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck import exits
from boundcheck.checking.certificate import (
    NotFinite,
    NotTraceable,
    Runs,
    refutation,
)
from boundcheck.checking.observe import BrokenClaim, Skipped, observe
from boundcheck.checking.paths import (
    Inadmissible,
    choice_of,
    elsewhere,
    loosened,
    made_of,
    route_and_parts,
    spelled,
)
from boundcheck.checking.plan import PLANS
from boundcheck.checking.refute import fresh_trials, require_trials_of
from boundcheck.checking.residues import Field, require_text
from boundcheck.checking.sampling import CONFIRM, Stream
from boundcheck.checking.sides import runs_as_read, sides
from boundcheck.checking.trials import Certain
from boundcheck.checking.uniform import uniform
from boundcheck.domains import Chart
from boundcheck.domains.domain import is_inner
from boundcheck.domains.instances import (
    draw_instances,
    from_json,
    leaves,
    to_json,
)
from boundcheck.verifier import Finding, Outcome, verify
from boundcheck.verifier.findings import Rejection
from boundcheck.verifier.proofs import (
    Extent,
    Interval,
    Run,
    choice_entry,
    counted_to,
    runs,
)
from boundcheck.verifier.seal import read, unpacked
from boundcheck.verifier.sums import require_at
from boundcheck.verifier.uniform import at_shapes
from boundcheck.words import paper_of
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, Unsatisfied
from boundcheck.words.loading import (
    CannotLoad,
    Group,
    Selection,
    StatesNothing,
    load_claims,
    own,
    selected,
)
from boundcheck.words.meaning import UNREADABLE

Certificate = Mapping[str, Any]

COMPARED = {"program": "operation", "laws": "law", "hypotheses": "hypothesis"}
LONGEST_VALUE = 80
UNEXAMINED = (Outcome.UNREADABLE, Outcome.NEWER_VERSION)
LONGEST = 1000
MISFITS = (KeyError, TypeError, ValueError, IndexError, ArithmeticError)
PROBES, MOST_PROBED, FEW = 6, 36, 1
"""Members of each case of a proof at which the text is recorded again; of more cases, so few."""

MOST_DRAWN = 24
"""Members that are drawn to find those that satisfy the hypotheses."""


@dataclass(frozen=True, repr=False)
class Examined:
    """One certificate: what the verifier found, and what became of the comparison with the text of the claim.

    `compared` says what was compared and with which file, `different` where they differ; or neither.
    """

    path: str
    finding: Finding
    compared: str = ""
    different: str = ""

    @property
    def stands(self) -> bool:
        """Whether it is confirmed, and nothing speaks against its being one of the claim."""
        return self.finding.confirmed and not self.different

    @property
    def outcome(self) -> Literal["CONFIRMED", "RECOMPUTED", "REJECTED"]:
        """Confirmed against the text of the claim, recomputed without one, or rejected."""
        return (
            "REJECTED"
            if not self.stands
            else "CONFIRMED"
            if self.compared
            else "RECOMPUTED"
        )

    def __str__(self) -> str:
        """One line without control characters: the text comes from a file that nobody has checked."""
        found = f"{self.finding.claim}  {self.finding.sentence}"
        said = {
            "REJECTED": f"{self.path}: {self.different or self.finding.sentence}",
            "CONFIRMED": f"{found}; compared with {self.compared}",
            "RECOMPUTED": f"{found}; not compared with the text of the claim",
        }
        line = f"{self.outcome}  {said[self.outcome]}"
        return "".join(
            c if c.isprintable() and c.isascii() else "?" for c in line
        )[:LONGEST]

    __repr__ = __str__


class Texts:
    """The claims of targets; and those of theory/, without targets of one's own, loaded when asked for."""

    def __init__(self, targets: Iterable[str | Path] = ()):
        """Raises CannotLoad."""
        self.targets = list(map(str, targets))
        found = selected(self.targets) if self.targets else Selection()
        if found.faults:
            raise CannotLoad(next(iter(found.faults.values())))
        self.claims = {claim.id: claim for claim in found.chosen}
        self.own = Group([] if self.targets else own())
        self.papers: dict[str, dict[str, Claim]] = {}

    def claim(self, id: str) -> Claim | None:
        """The claim of that id, or None. Raises CannotLoad."""
        paper = id.split(".")[0]
        if (
            id not in self.claims
            and paper.isidentifier()
            and paper not in self.papers
        ):
            self.papers[paper] = _of_paper(paper_of(paper))
        known = self.claims.get(id) or self.papers.get(paper, {}).get(id)
        return known or next(
            (claim for claim in self.own.claims if claim.id == id), None
        )


def _of_paper(folder: Path) -> dict[str, Claim]:
    try:
        return (
            {claim.id: claim for claim in load_claims(folder)}
            if folder.is_dir()
            else {}
        )
    except StatesNothing:
        return {}


def examine(path: str | Path, find: Callable[[str], Claim | None]) -> Examined:
    """Recompute a certificate, and compare it with the text of the claim that `find` knows for its id."""
    try:
        certificate = read(Path(path))
    except Rejection as rejection:
        return Examined(str(path), Finding(rejection.outcome, str(rejection)))
    return examined(str(path), certificate, find)


def examined(
    path: str, certificate: Any, find: Callable[[str], Claim | None]
) -> Examined:
    """The same of a certificate that has been read from a path, or is called so."""
    finding = verify(certificate)
    claim = find(finding.claim) if finding.confirmed else None
    if claim is None:
        return Examined(path, finding)
    try:
        with threadpool_limits(1):
            return Examined(
                path, finding, f"{_file(claim)}: {compared(claim, certificate)}"
            )
    except Different as different:
        return Examined(
            path, finding, different=f"{different} ({_file(claim)})"
        )


def _file(claim: Claim) -> str:
    """The file of a claim as it is found from here, or its last folders."""
    if claim.typed:
        return "the session"
    path = Path(claim.file)
    return (
        path.relative_to(Path.cwd()).as_posix()
        if path.is_relative_to(Path.cwd())
        else claim.location.rpartition(":")[0]
    )


def status(examined: Iterable[Examined], demanded: bool) -> int:
    """The exit code: something rejected, something not examined, or a comparison demanded and not made."""
    examined = list(examined)
    failed = [e for e in examined if not e.stands]
    if failed:
        return (
            exits.USAGE
            if all(e.finding.outcome in UNEXAMINED for e in failed)
            else exits.WORSE
        )
    return (
        exits.UNDECIDED
        if demanded and not all(e.compared for e in examined)
        else exits.FINE
    )


class Different(Exception):
    """A certificate that is not one of the claim as it stands; the message says where they differ first."""


class Contradiction(exits.Refused):
    """What was proved is violated: a defect of boundcheck, and the end of the run."""

    code = exits.UNTRUSTWORTHY


def compared(claim: Claim, certificate: Certificate) -> str:
    """What was compared: "program, hypotheses, 5000 trials drawn again". Raises Different.

    The certificate must be one that the verifier confirms: its form is taken for granted, not what it says.
    """
    if "set" in certificate:
        return _compared_proof(claim, certificate)
    try:
        raw = _instance(claim, certificate["claim"])
        part, conclusion = (
            certificate["claim"]["part"],
            certificate["conclusion"],
        )
        trials, drawn = 0, None
        if conclusion["kind"].startswith("sampled"):
            require_trials_of(claim, raw, AS_PRINTED, Stream.of(0, claim.id))
            trials, drawn = _drawn_again(claim, raw, part, conclusion)
        again = json.loads(json.dumps(refutation(claim, raw, part, drawn)))
    except (NotTraceable, NotFinite, BrokenClaim) as error:
        if isinstance(error.__cause__, Unsatisfied):
            raise Different(
                "its instance does not satisfy the hypotheses of the text"
            ) from error
        raise Different(
            f"the text cannot be recorded at its instance: {' '.join(str(error).split())}"
        ) from error
    except MISFITS as error:
        raise Different(
            f"its instance does not fit the text: {type(error).__name__} {' '.join(str(error).split())}"
        ) from error
    _same_route(certificate, again)
    _require_run(claim, raw, part, certificate)
    return ", ".join(
        [
            "program",
            "hypotheses",
            *([f"{trials} trials drawn again"] if trials else []),
        ]
    )


def _require_run(
    claim: Claim, raw: Any, part: int, certificate: Certificate
) -> None:
    """The body itself, run on floats, has the numbers that were recomputed. Raises Different."""
    seen = observe(claim, raw)
    if isinstance(seen, Skipped):
        return
    values = certificate.get("values") or verify(dict(certificate)).values
    if not runs_as_read(Runs(claim, AS_PRINTED), raw, seen[part], values):
        raise Different(
            "the body makes other numbers of floats at its instance than its program"
        )


def _compared_proof(claim: Claim, certificate: Certificate) -> str:
    """The program of each path at its instance, and the paths of more instances. Raises Different."""
    about, extent = certificate["claim"], Extent.of_json(certificate["set"])
    _same_text(claim, about)
    _same_parameters(claim, extent)
    programs, probed, cases = 0, 0, certificate["cases"]
    if extent.every:
        _same_for_every_size(claim, list(map(unpacked, cases)))
    tries = PROBES if len(cases) <= MOST_PROBED else FEW
    for case in map(unpacked, cases):
        counts = case["proof"].get("way") == "sums"
        variable = (
            {} if counts else runs(dict(map(choice_entry, case["choice"])))
        )
        for given in case["routes"]:
            raw = from_json(given["instance"])
            if extent.shaped and choice_of(raw) != dict(case["choice"]):
                raise Different(
                    "an instance of the proof is of other shapes than it says"
                )
            again = _recorded_again(
                claim, raw, case["part"], about["parts"], variable
            )
            if again is None:
                raise Different(
                    "an instance of the proof does not satisfy the hypotheses of the text"
                )
            _same_route(given, again)
            _require_true(claim, raw, case["part"], variable)
            programs += 1
        own = PROBES if variable else tries
        if counts:
            probed += _of_every_number(claim, case, extent, about["parts"])
            continue
        probed += _probed(claim, case, extent, about["parts"], own)
    return f"{_counted(programs, 'program')}, {probed} more instances"


def _same_for_every_size(claim: Claim, cases: list[Certificate]) -> None:
    """The program whose sizes are names is that of the text, and its letters are the inputs. Raises Different."""
    try:
        text = uniform(claim)
        drawn = draw_instances(claim.parameters, MOST_DRAWN, PROBES)
    except (NotTraceable, BrokenClaim) as error:
        raise Different(
            f"the text is not read for every size: {error}"
        ) from error
    for case in cases:
        theirs = case["proof"]
        own = text.part(case["part"], theirs["way"] == "squares")
        if own != {name: theirs.get(name) for name in own}:
            raise Different(
                "its program for every size is not that of the text"
            )
        for raw in drawn:
            try:
                at_shapes(own["program"], choice_of(raw) or {})
            except Rejection as rejection:
                raise Different(
                    f"an instance is not of its letters: {rejection}"
                ) from None
            _require_signs(claim, raw, own.get("signs", {}))


def _require_signs(
    claim: Claim, raw: Mapping[str, Any], signs: Mapping[str, str]
) -> None:
    """The numbers of an instance have the signs that their letters are said to have. Raises Different."""
    for path, leaf, _ in leaves(claim.parameters, raw):
        sign, least = signs.get(".".join(map(str, path))), np.min(leaf)
        if sign is not None and (
            least < 0 or (least == 0 and sign == "positive")
        ):
            raise Different(
                "a number of an instance has another sign than its letter"
            )


def _probed(
    claim: Claim, case: Certificate, extent: Extent, parts: int, tries: int
) -> int:
    """At how many more members of a case the text has been compared. Raises Different where it differs."""
    known, counted = set(map(spelled, case["routes"])), 0
    variable = runs(dict(map(choice_entry, case["choice"])))
    for raw in _elsewhere(claim, case["routes"][0], extent, variable):
        again = _recorded_again(claim, raw, case["part"], parts, variable)
        if again is None:
            if variable and not isinstance(observe(claim, raw), Skipped):
                raise Different(
                    "at another instance of the set the text assumes less than its program"
                )
            continue
        if spelled(again) not in known:
            raise Different(
                "at another instance of the set the text takes a path that the certificate does not have"
            )
        _require_true(claim, raw, case["part"], variable)
        counted += 1
        if counted == tries:
            return counted
    if not counted and (extent.shaped or extent.reals or variable):
        raise Different(
            "no other instance of the set satisfies the hypotheses, so that the text cannot be compared there"
        )
    return counted


def _of_every_number(
    claim: Claim, case: Certificate, extent: Extent, parts: int
) -> int:
    """At how many members the program with sums has been compared with the text: on residues at each number of its
    run, and as it is recorded at some more instances. Raises Different."""
    choice = dict(map(choice_entry, case["choice"]))
    counted, (given,) = counted_to(choice), case["routes"]
    run, names = choice[counted], list(extent.reals)
    wholes = {name: x for name, x in choice.items() if name != counted}
    numbers = range(run.high, run.low - 1, -1)
    probed, field = [], Field()
    for raw in islice(
        _elsewhere(claim, given, extent, runs(choice)), MOST_DRAWN
    ):
        again = _recorded_again(claim, raw, case["part"], parts)
        if again is not None and len(probed) < PROBES:
            probed.append((raw, again))
    try:
        for raw, again in probed:
            require_at(again, case["proof"], names, counted, raw[counted])
        for n in numbers:
            require_text(claim, case, parts, wholes, n, field)
    except (Rejection, NotTraceable) as error:
        raise Different(f"the text has another program: {error}") from error
    for raw, _ in probed:
        _require_true(claim, raw, case["part"])
    if not probed:
        raise Different("no other instance of the set satisfies the hypotheses")
    return len(probed) + len(numbers)


def _require_true(
    claim: Claim, raw: Any, part: int, variable: Collection[str] = ()
) -> None:
    """At an instance of what is proved the body runs as its program says. Raises Different, Contradiction.

    The body has the whole numbers as such, its program those of a run as real ones.
    """
    ways = Runs(claim, AS_PRINTED, promising=not variable)
    found, seen = (
        sides(ways, loosened(raw, variable), part),
        observe(claim, raw),
    )
    if found is None or isinstance(seen, Skipped):
        return
    if not found.agrees(seen[part]):
        raise Different(
            "at an instance of the set the body makes other numbers of floats than its program"
        )
    if found.excess > 0:
        raise Contradiction(
            f"{claim.id} is proved and violated: a defect of boundcheck, please report it"
        )


def _same_parameters(claim: Claim, extent: Extent) -> None:
    """Whole numbers one by one, and intervals of the real ones inside of their domains. Raises Different."""
    wholes = {
        name for name, domain in claim.parameters.items() if domain.is_integer
    }
    if extent.made != made_of(claim, dict(extent.choices[0])):
        raise Different(
            "its set has shapes of other arrays than its parameters are made of"
        )
    if extent.shaped:
        # of shapes no interval says where the domain was cut
        if any(map(is_inner, claim.parameters.values())):
            raise Different(
                "the domain is larger than its set: it has a computed end"
            )
        return
    if {
        name for name, _ in extent.choices[0]
    } != wholes or claim.parameters.keys() - wholes != extent.reals.keys():
        raise Different(
            f"its set has not the parameters of the claim, {', '.join(claim.parameters)}"
        )
    intervals = [*extent.reals.items()]
    intervals += [
        pair
        for choice in extent.choices
        for pair in extent.kinds(dict(choice)).items()
    ]
    for name, interval in intervals:
        chart = getattr(claim.parameters[name], "chart", None)
        if not isinstance(chart, Chart) or not _within(interval, chart):
            raise Different(
                f"its set has values of {name} that are beyond its domain"
            )


def _within(interval: Interval, chart: Chart) -> bool:
    """Whether no end of an interval is beyond that of a domain."""
    for sign, end, domain in (
        (1, interval.low, chart.low),
        (-1, interval.high, chart.high),
    ):
        if isfinite(domain) and (
            end is None
            or sign * Fraction(int(end.p), int(end.q))
            < sign * Fraction(repr(float(domain)))
        ):
            return False
    return True


def _elsewhere(
    claim: Claim,
    given: Certificate,
    extent: Extent,
    variable: Mapping[str, Run],
) -> Iterator[Any]:
    try:
        yield from elsewhere(
            claim,
            dict(given),
            extent.reals,
            extent.shaped,
            MOST_DRAWN,
            variable,
        )
    except OverflowError as error:
        raise Different("its set has numbers beyond those of floats") from error


def _recorded_again(
    claim: Claim,
    raw: Any,
    part: int,
    count: int,
    variable: Collection[str] = (),
) -> Any:
    """The path at an instance; None where it does not satisfy the hypotheses. Raises Different."""
    try:
        again, own = route_and_parts(claim, raw, part, variable)
    except Inadmissible:
        return None
    except (NotTraceable, NotFinite, *MISFITS) as error:
        raise Different(
            f"the text cannot be recorded at an instance of the set: {' '.join(str(error).split())}"
        ) from error
    if own != count:
        raise Different(
            f"the certificate has {_counted(count, 'part')} of the statement, and the text another number"
        )
    return again


def _same_route(theirs: Certificate, ours: Certificate) -> None:
    """The same program, hypotheses and conclusion. Raises Different."""
    for name, entry in COMPARED.items():
        _same_list(entry, theirs[name], ours[name])
    if theirs.get("assumed") != ours.get("assumed"):
        raise Different(
            "the certificate assumes other hypotheses than the text"
        )
    _same_entries("the conclusion", theirs["conclusion"], ours["conclusion"])


def _same_text(claim: Claim, about: Mapping[str, Any]) -> None:
    """A certificate is about the claim as printed, in its present text. Raises Different."""
    if about.get("question") != AS_PRINTED.label:
        raise Different(
            f"it is not about the claim as printed but about a perturbed one ({_spelled(about.get('question'))})"
        )
    if (
        not claim.fingerprint.startswith(UNREADABLE)
        and about.get("fingerprint") != claim.fingerprint
    ):
        raise Different(
            "it was written for another text of the claim, or of something that the claim reads; run `boundcheck check` again"
        )
    _same_entries(
        "the claim",
        {k: about.get(k) for k in ("source", "statement")},
        {"source": claim.source, "statement": claim.statement},
    )


def _instance(claim: Claim, about: Mapping[str, Any]) -> Any:
    """The instance, where the certificate is about the claim as printed, in its present text."""
    _same_text(claim, about)
    if type(about["part"]) is not int or about["part"] < 0:
        raise Different(f"the statement has no part {_spelled(about['part'])}")
    raw = from_json(about["instance"])
    if set(raw) != set(claim.parameters) or to_json(raw) != about["instance"]:
        raise Different(
            f"its instance has not the parameters of the claim, {', '.join(claim.parameters)}"
        )
    return raw


def _drawn_again(
    claim: Claim, raw: Any, part: int, conclusion: Mapping[str, Any]
) -> tuple[int, Mapping[str, Any]]:
    """The number of trials, and what they show when drawn again on the recorded stream. Raises Different."""
    seen = observe(claim, raw)
    statement = (
        None
        if isinstance(seen, Skipped)
        else next(o.pending for o in seen if o.part == part)
    )
    if statement is None:
        raise Different(
            "it records trials where the text leaves none to be made"
        )
    entropy, *key = conclusion["seed"]
    stream, trials = (
        Stream.of(entropy, claim.id, CONFIRM, *key[2:]),
        _recorded(conclusion),
    )
    if (
        any(type(k) is not int or k < 0 for k in (entropy, *key))
        or list(stream.key) != key
        or len(key) != 3
    ):
        raise Different("its trials are not on a stream of the claim")
    most = max(plan.confirmation_trials for plan in PLANS.values())
    if not 0 < trials <= most:
        raise Different(
            f"it records {trials} trials, and no plan makes more than {most}"
        )
    drawn = fresh_trials(
        statement,
        stream,
        trials,
        float(Fraction(conclusion["alpha"])),
        Certain(claim, raw, part),
        patient=True,
    )
    if drawn is None:
        raise Different(
            f"its {trials} trials, drawn again, do not refute the claim"
        )
    return trials, drawn


def _recorded(conclusion: Mapping[str, Any]) -> int:
    if "trials" in conclusion:
        return int(conclusion["trials"])
    cells = (
        [point["cells"] for point in conclusion["points"]]
        if "points" in conclusion
        else [conclusion["cells"]]
    )
    return max(sum(count for _, count in entries) for entries in cells)


def _same_list(entry: str, theirs: Any, ours: list[Any]) -> None:
    for k, (left, right) in enumerate(zip(theirs, ours)):
        _same_entries(f"{entry} {k}", left, right)
    if len(theirs) != len(ours):
        raise Different(
            f"the certificate has {_counted(len(theirs), entry)}, and the text {_counted(len(ours), entry)}"
        )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else 'hypotheses' if noun == 'hypothesis' else noun + 's'}"


def _same_entries(
    place: str, theirs: Mapping[str, Any], ours: Mapping[str, Any]
) -> None:
    """The same fields with the same values of the same kinds; a witness is for the verifier to judge."""
    for key in sorted((theirs.keys() | ours.keys()) - {"witness"}):
        left, right = theirs.get(key), ours.get(key)
        if json.dumps(left, sort_keys=True) != json.dumps(
            right, sort_keys=True
        ):
            raise Different(
                f"{place} differs: {key} is {_spelled(left)} in the certificate and {_spelled(right)} by the text"
            )


def _spelled(value: object) -> str:
    text = "missing" if value is None else " ".join(json.dumps(value).split())
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."
