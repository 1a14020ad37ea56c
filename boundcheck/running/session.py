"""The Python API: claims of a script, a notebook or a prompt are checked, and their verdicts are values."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from shutil import get_terminal_size
from types import ModuleType
from typing import TYPE_CHECKING, Any, overload

from boundcheck.checking.evaluation import Evaluation, at
from boundcheck.checking.plan import PLANS, Ledger, Plan
from boundcheck.checking.sharpen import Sharpening, bisected
from boundcheck.checking.verdict import Outcome
from boundcheck.checking.verification import Examined, Texts, examine, examined
from boundcheck.domains.in_words import in_words
from boundcheck.domains.instances import build, from_json
from boundcheck.exits import Refused
from boundcheck.report import write_whole, writing
from boundcheck.report.curves import curves
from boundcheck.report.document import Document, Row
from boundcheck.report.findings import NO_MATPLOTLIB, Drawing, panels_of
from boundcheck.report.formats import frame
from boundcheck.report.html import card, listing
from boundcheck.running import Workers, never_swallowed, now_and_then
from boundcheck.running.kept import report_row
from boundcheck.running.suite import (
    Judged,
    Start,
    judge_all,
    judged,
    rehearse,
    without_warnings,
)
from boundcheck.words.claims import Claim
from boundcheck.words.loading import (
    StatesNothing,
    changed_since,
    distinct,
    stated_by,
)
from boundcheck.words.meaning import UNREADABLE

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Certificate",
    "Drawing",
    "Evaluation",
    "Examined",
    "Outcome",
    "Sharpening",
    "Verdict",
    "Verdicts",
    "at",
    "check",
    "sharpen",
    "verify",
]

DECORATE = "decorate a function with @theorem('where it comes from')"

NOTHING_VARIES = "{} has no curves: they follow both sides, in floats, along a number among its parameters that moves them."

SOON = 1.0
"""Seconds before anything is said of what goes on."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """The certificate of a refutation or a proof, and the claim that it is about."""

    content: Mapping[str, Any] = field(hash=False)
    claim: Claim

    def save(self, path: str | Path) -> Path:
        """Write it for `boundcheck verify`; the path. Raises Refused where it cannot be written."""
        with writing(Path(path), always=True):
            write_whole(
                json.dumps(self.content, sort_keys=True) + "\n", Path(path)
            )
        return Path(path)

    def __repr__(self) -> str:
        if "cases" in self.content:
            return f"Certificate({self.claim.id}, a proof of {len(self.content['cases'])} cases)"
        return f"Certificate({self.claim.id}, {len(self.content['program'])} operations)"


@dataclass(frozen=True, repr=False)
class Verdict:
    """What came of one claim; [verdicts](verdicts.md) says what each outcome means.

    `instance` is the counterexample by the values of its parameters, `seconds` is processor time.
    `instance` is None unless the claim is refuted, and `certificate` unless it is refuted or proved.
    """

    claim: Claim
    row: Row
    instance: Mapping[str, Any] | None = field(hash=False)
    certificate: Certificate | None
    seconds: float

    @property
    def id(self) -> str:
        """The id of the claim."""
        return self.row.id

    @property
    def outcome(self) -> Outcome:
        """REFUTED, PROVED, HOLDS, VACUOUS or INCONCLUSIVE."""
        return self.row.outcome

    @property
    def refuted(self) -> bool:
        """Whether the outcome is REFUTED."""
        return self.row.refuted

    @property
    def reason(self) -> str:
        """Why, in one sentence."""
        return self.row.reason

    @property
    def tightness(self) -> float | None:
        """The largest ratio of the two sides that was seen, at most 1."""
        return self.row.tightness

    @property
    def power(self) -> Mapping[str, bool]:
        """The perturbed twins of the claim, and whether the same evidence refutes them."""
        return self.row.power

    @property
    def trials(self) -> int:
        """The trials that were made; none where every law is finite."""
        return self.row.evidence.trials

    def plot(self) -> Drawing:
        """The sides of the statement as one number varies, near the counterexample, else near a tight instance.

        A notebook shows it; `.save(path)` writes it. Raises Refused without Matplotlib, and where there is nothing to draw.
        """
        if not find_spec("matplotlib"):
            raise Refused(NO_MATPLOTLIB)
        content = (
            self.certificate.content
            if self.refuted and self.certificate
            else {}
        )
        at = from_json(content["claim"]["instance"]) if content else None
        with without_warnings():
            panels = panels_of(curves(self.claim, at))
        if not panels:
            raise Refused(NOTHING_VARIES.format(self.id))
        return Drawing(panels, self.id)

    def __repr__(self) -> str:
        where = f" at {in_words(self.instance)}" if self.instance else ""
        return f"{self.id}: {self.outcome.name}, {self.reason}{where}"

    def _repr_html_(self) -> str:
        return card(self.row, self.instance)


class Verdicts(list[Verdict]):
    """The verdicts on several claims, in the order of their ids; `verdicts["mine.hoeffding"]` is one of them."""

    def __init__(self, verdicts: Iterable[Verdict], plan: Plan, ledger: Ledger):
        super().__init__(verdicts)
        self.plan, self.ledger = plan, ledger

    @overload
    def __getitem__(self, key: int | str) -> Verdict: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, key: slice) -> list[Verdict]: ...
    def __getitem__(self, key: int | str | slice) -> Verdict | list[Verdict]:
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = next((verdict for verdict in self if verdict.id == key), None)
        if found is None:
            raise KeyError(key)
        return found

    @property
    def report(self) -> Document:
        """What `boundcheck check` would write of them."""
        shared = {"total": self.ledger.total, "claims": len(self.ledger.claims)}
        return Document(
            tuple(verdict.row for verdict in self), asdict(self.plan), shared
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each claim: outcome, reason, tightness, twins refuted, instances, trials, source."""
        return frame(self.report)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self)) or "no verdicts"

    def _repr_html_(self) -> str:
        return listing([(verdict.row, verdict.instance) for verdict in self])


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or Interrupt in a notebook, which shows the sentence alone."""

    _render_traceback_ = Refused._render_traceback_


Claims = Claim | ModuleType | Iterable[Claim]
_unfinished: dict[Any, Verdict] = {}
"""Verdicts of a call that was interrupted, for the next one."""


@overload
def check(
    claims: Claim,
    budget: str = "quick",
    seed: int = 0,
    alpha: float = 1e-6,
    workers: int = 1,
    prove: bool = False,
) -> Verdict: ...
@overload
def check(
    claims: ModuleType | Iterable[Claim],
    budget: str = "quick",
    seed: int = 0,
    alpha: float = 1e-6,
    workers: int = 1,
    prove: bool = False,
) -> Verdicts: ...
def check(
    claims: Claims,
    budget: str = "quick",
    seed: int = 0,
    alpha: float = 1e-6,
    workers: int = 1,
    prove: bool = False,
) -> Verdict | Verdicts:
    """The verdict on a claim, or the verdicts on several or on those that a module states.

    `budget` is "quick", "ci" or "nightly"; claims called together share `alpha`, the chance of calling a true
    one false. Claims of files are judged by so many `workers`, those typed in a session here; `prove` asks for
    proofs of what holds. After an interruption the next call goes on. Raises Refused for claims that cannot be judged, with a sentence that
    says what to do.
    """
    chosen = _chosen(claims)
    if not isinstance(workers, int) or workers < 1:
        raise Refused("Workers are counted from 1.")
    plan, ledger = _planned(chosen, budget, seed, alpha)
    try:
        verdicts = Verdicts(
            _verdicts(chosen, plan, ledger, Workers(workers), prove),
            plan,
            ledger,
        )
    except KeyboardInterrupt:
        raise Interrupted(
            "what is finished is kept; the same call goes on."
        ) from None
    return verdicts[0] if isinstance(claims, Claim) else verdicts


def sharpen(
    claim: Claim,
    constant: str | None = None,
    budget: str = "quick",
    seed: int = 0,
    alpha: float = 1e-6,
) -> Sharpening:
    """How sharp a constant is: the largest value that is `refuted`, and the smallest above that is `not_refuted`;
    the smallest and the largest below for a constant that says more when it is larger.

    `constant` is the name of a `marked` one, "threshold" or "right-hand side" (factors), by default the first of
    these that there is; `asked` has the verdict on each value. `alpha` is the chance that a value is refuted
    wrongly. Raises Refused for a claim that cannot be judged, or has no such constant.
    """
    chosen = _chosen(claim)
    plan, ledger = _planned(chosen, budget, seed, alpha)
    _, faults = rehearse(chosen, plan)
    if faults:
        raise Refused("; ".join(faults.values()))
    try:
        with (
            never_swallowed(),
            _progress("sharpening", chosen[0].id) as going_on,
        ):
            return bisected(
                chosen[0],
                plan,
                ledger.total,
                constant,
                tell=lambda r: going_on(repr(r)),
            )
    except KeyboardInterrupt:
        raise Interrupted("nothing of it is kept.") from None


def _planned(
    chosen: Sequence[Claim], budget: str, seed: int, alpha: float
) -> tuple[Plan, Ledger]:
    """What is spent on the claims, and the error that they share. Raises Refused."""
    if budget not in PLANS:
        raise Refused(f"A budget is one of {', '.join(PLANS)}, not {budget!r}.")
    if type(seed) is not int or seed < 0:
        raise Refused("A seed is a whole number from 0 on.")
    try:
        ledger = Ledger(alpha, [claim.id for claim in chosen])
    except (TypeError, ValueError) as error:
        raise Refused(str(error)) from error
    return replace(PLANS[budget], seed=seed), ledger


def _chosen(claims: Claims) -> list[Claim]:
    """The claims, each once, to be read anew: what they read may have changed. Raises Refused."""
    if isinstance(claims, ModuleType):
        given: list[Any] = stated_by(claims)
    else:
        given = (
            [claims]
            if isinstance(claims, str) or not isinstance(claims, Iterable)
            else list(claims)
        )
    for claim in given:
        if not isinstance(claim, Claim):
            wanted = f"check takes a claim, several of them, or a module that states some, not {claim!r:.80}"
            raise Refused(f"{wanted}; {DECORATE}.")
        if not claim.statement:
            kept = f"is not kept by the prompt of Python {sys.version_info[0]}.{sys.version_info[1]}"
            instead = (
                "state it in a file and import it, or use a notebook, IPython"
            )
            newer = f"{instead}, or the prompt of Python 3.13"
            raise Refused(
                f"The text of {claim.id}, of which certificates are made, {kept}; {newer}."
            )
        for function in changed_since(claim):
            again = "import it again: importlib.reload(...), or %autoreload 2 in a notebook"
            changed = f"{function.__code__.co_filename} has changed since '{function.__name__}' was imported"
            raise Refused(f"{changed}, of which {claim.id} is made; {again}.")
    if not given:
        raise StatesNothing(f"There are no claims to check; {DECORATE}.")
    return [_again(claim) for claim in distinct(given)]


def _again(claim: Claim) -> Claim:
    """The claim with its text and without its fingerprint, which is taken when it is judged or compared."""
    fresh = replace(claim)
    fresh.__dict__["statement"] = claim.statement
    return fresh


def _of_session(id: str) -> Claim | None:
    """The claim of that id that is at hand, under the name of its function if there are several."""
    held = vars(sys.modules["__main__"])
    found = [
        claim
        for claim in held.values()
        if isinstance(claim, Claim) and claim.id == id
    ]
    named = (claim for claim in found if held.get(claim.body.__name__) is claim)
    return next(named, found[0] if found else None)


def _verdicts(
    claims: Sequence[Claim],
    plan: Plan,
    ledger: Ledger,
    workers: Workers,
    prove: bool,
) -> list[Verdict]:
    """Rehearse and judge; the same on any number of workers. Raises Refused if all texts fail."""
    found: dict[str, Verdict] = {}
    begin = {
        claim.id: Start(ledger.share(claim.id), prove=prove) for claim in claims
    }

    def keep(claim: Claim, outcome: Judged) -> None:
        found[claim.id] = _unfinished[key(claim)] = _verdict(
            claim, outcome, plan
        )

    def key(claim: Claim) -> tuple[object, ...]:
        return claim.id, claim.fingerprint, plan, begin[claim.id].alpha, prove

    def at_work(claim: Claim) -> None:
        of = f" ({len(found) + 1} of {len(claims)})" if len(claims) > 1 else ""
        going_on(claim.id + of)

    with never_swallowed(), _progress("checking", "the texts") as going_on:
        weak, faults = rehearse(claims, plan)
        if len(faults) == len(claims):
            raise Refused("; ".join(faults.values()))
        for sentence in weak:
            warnings.warn(sentence, stacklevel=3)
        readable = [
            claim
            for claim in claims
            if not claim.fingerprint.startswith(UNREADABLE)
        ]
        found |= {
            claim.id: _unfinished[key(claim)]
            for claim in readable
            if key(claim) in _unfinished
        }
        todo = [claim for claim in claims if claim.id not in found]
        several = workers.count > 1
        elsewhere = [
            claim
            for claim in todo
            if several and not claim.typed and claim.id not in faults
        ]
        for claim in elsewhere and judge_all(
            elsewhere, plan, lambda claim: begin[claim.id], workers, keep
        ):
            at_work(claim)
        for claim in todo:
            if claim.id not in found:
                at_work(claim)
                keep(
                    claim,
                    judged(
                        claim, plan, begin[claim.id], faults.get(claim.id, "")
                    ),
                )
    _unfinished.clear()
    return [found[claim.id] for claim in claims]


def _verdict(claim: Claim, outcome: Judged, plan: Plan) -> Verdict:
    verdict, found = outcome.verdict, outcome.verdict.refutation
    shown = found or verdict.proof
    certificate = (
        None if shown is None else Certificate(shown.certificate, claim)
    )
    raw = from_json(found.certificate["claim"]["instance"]) if found else None
    instance = None if raw is None else build(claim.parameters, raw)
    return Verdict(
        claim,
        report_row(claim, verdict, None, (), (plan.seed,)),
        instance,
        certificate,
        outcome.seconds,
    )


def verify(
    certificate: Certificate | Mapping[str, Any] | str | Path | None,
    claim: Claim | None = None,
) -> Examined:
    """What `boundcheck verify` says of a certificate or of a file that holds one.

    It is recomputed without the engine, and compared with the text of its claim: the one given, that of the
    verdict, that of the session, or that of theory/. Raises Refused without a certificate.
    """
    claim = claim or (
        certificate.claim if isinstance(certificate, Certificate) else None
    )

    def find(id: str) -> Claim | None:
        if claim is not None:
            return _again(claim) if claim.id == id else None
        held = _of_session(id)
        return _again(held) if held else Texts().claim(id)

    if isinstance(certificate, (str, Path)):
        return examine(certificate, find)
    content = (
        certificate.content
        if isinstance(certificate, Certificate)
        else certificate
    )
    if not isinstance(content, Mapping):
        wanted = "verify takes the certificate of a refuted claim, or the path of one"
        raise Refused(f"{wanted}, not {content!r:.80}.")
    return examined("the certificate", dict(content), find)


# what goes on


@contextmanager
def _progress(doing: str, first: str) -> Iterator[Callable[[str], None]]:
    """A line on terminals and in notebooks that says what is being done, from the second second on."""
    show, now = _line(), [first]

    def going_on(what: str) -> None:
        now[0] = what

    if show is None:
        yield going_on
        return
    try:
        with now_and_then(
            lambda seconds: show(f"{doing} {now[0]}, {int(seconds)} s"),
            SOON,
            SOON,
        ):
            yield going_on
    finally:
        show("")


def _line() -> Callable[[str], object] | None:
    """What shows a line in the place of the one before, if there is a place: a notebook, or a terminal."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if hasattr(shell, "kernel"):
        from IPython.display import display  # pyright: ignore[reportMissingImports]

        places: list[Any] = []

        def show(text: str) -> None:
            if places:
                places[0].update({"text/plain": text}, raw=True)
            elif text:
                places.append(
                    display({"text/plain": text}, raw=True, display_id=True)
                )

        return show
    if not sys.stderr.isatty():
        return None
    wide = get_terminal_size().columns - 1
    return lambda text: print(
        f"\r\x1b[2K{text[:wide]}", end="", file=sys.stderr, flush=True
    )
