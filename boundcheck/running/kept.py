"""What a run keeps on disk: rows and certificates as verdicts come, and what of earlier runs still counts."""

from __future__ import annotations

import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from boundcheck.checking.plan import Ledger, Plan
from boundcheck.checking.verdict import (
    NO_EVIDENCE,
    Evidence,
    Judgement,
    Open,
    Proof,
    Refutation,
    six_digits,
    weigh,
    with_proof,
)
from boundcheck.checking.verification import Contradiction, Different, examine
from boundcheck.domains.in_words import where_it_fails
from boundcheck.domains.instances import from_json, inside, to_json
from boundcheck.exits import Refused
from boundcheck.proofs import proof_of
from boundcheck.report import write_whole
from boundcheck.report.document import Document, Plot, Row
from boundcheck.report.reading import CannotRead, read
from boundcheck.running import Task
from boundcheck.running.suite import Judged, Start
from boundcheck.verifier.proofs import Extent
from boundcheck.words.claims import Claim
from boundcheck.words.loading import claim_in

Run = Callable[[Mapping[str, Task]], Iterable[tuple[str, Any]]]
"""Runs tasks: the key and the result of each as it finishes."""

PROOF = ".proof"
"""What the name of the certificate of a proof has besides the id of its claim."""


VERDICT = "fingerprint outcome scope shown certificate alpha level seeds location".split()
"""What two rows of one experiment have in common if they say the same."""


@cache
def engine() -> str:
    """A digest of the texts of the engine."""
    folder = Path(__file__).resolve().parents[1]
    digest = sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class Kept:
    """The rows so far and their files; every verdict is on disk before the next is made."""

    def __init__(
        self,
        path: Path,
        folder: Path,
        plan: Plan,
        ledger: Ledger,
        prove: bool = False,
        timeout: float | None = None,
    ):
        self.path, self.folder, self.plan, self.ledger, self.prove = (
            path,
            folder,
            plan,
            ledger,
            prove,
        )
        self.timeout = timeout
        self.rows: dict[str, Row] = {}
        self.finished: set[str] = set()
        self.broken: dict[str, str] = {}
        self.seconds: dict[str, float] = {}
        self.before: Document | None = None
        """The report as the run has found it."""
        self.started = time.time()
        self.others: dict[str, Row] = {}
        self.files: dict[str, str] = {}
        self.gone: list[str] = []
        self.edited: list[str] = []
        self.unread = ""

    def take_over(
        self,
        everything: Sequence[Claim],
        chosen: Sequence[Claim],
        demanded: bool,
    ) -> None:
        """Keep the rows of claims that are not chosen now, if their files still state them.

        Rows whose claim is gone are dropped, and so is a report that cannot be read, unless it is `demanded`.
        Raises CannotRead.
        """
        self.files = {c.id: self._from_here(c.file) for c in everything}
        try:
            self.before = old = read(self.path) if self.path.exists() else None
        except CannotRead as error:
            if demanded:
                raise
            self.unread = str(error)
            return
        ours, loaded = (
            {c.id for c in chosen},
            {Path(c.file) for c in everything},
        )
        for r in () if old is None else old.rows:
            if r.id not in ours:
                self._keep_other(r, _files(old), loaded)

    def _keep_other(
        self, r: Row, listed: Sequence[str], loaded: Set[Path]
    ) -> None:
        """Keep a row; of a file that was `loaded` now, the claims are known."""
        places = [self.files[r.id]] if r.id in self.files else listed
        found = stating(
            r, [(self.path.parent / place).resolve() for place in places]
        )
        if found is None or (
            r.id not in self.files and found[0].resolve() in loaded
        ):
            self.gone.append(r.id)
            return
        file, same = found
        self.others[r.id], self.files[r.id] = r, self._from_here(str(file))
        self.edited += [] if same else [r.id]

    def _from_here(self, file: str) -> str:
        """A file as it is found from the folder of the report, which may be looked at from elsewhere."""
        try:
            return Path(os.path.relpath(file, self.path.parent)).as_posix()
        except ValueError:  # on another drive
            return Path(file).as_posix()

    def resume(self, claims: Sequence[Claim], run: Run) -> None:
        """Take over the rows of an earlier run that would come out the same. Raises CannotRead."""
        if not self.path.exists():
            return
        old = read(self.path)
        spent = {
            **old.plan,
            "prove": bool(self.prove and old.plan.get("prove")),
        }
        if (spent, old.ledger) == (
            {**asdict(self.plan), "prove": self.prove},
            self._shared(),
        ):
            earlier = {*old.taken_over}
            own = (r for r in old.rows if r.id not in earlier)
            self.rows = _believed(claims, own, run)
            self.finished = set(self.rows)

    def accumulate(self, claims: Sequence[Claim], run: Run) -> None:
        """Take over rows of claims; those of this seed and refutations are finished. Raises CannotRead."""
        if self.path.exists():
            self.rows = _believed(claims, read(self.path).rows, run)
            self.finished = {
                r.id
                for r in self.rows.values()
                if r.refuted or self.plan.seed in r.seeds
            }

    def _planned(self, rows: Iterable[Row]) -> dict[str, Any]:
        """What is spent on a claim; and that of all of these proofs were asked for, now or by an earlier run."""
        asked = self.prove or self._were_asked_for(rows)
        return {**asdict(self.plan), **({"prove": True} if asked else {})}

    def _were_asked_for(self, rows: Iterable[Row]) -> bool:
        """Whether the report that was there asked for proofs of all these claims as they stand."""
        if self.before is None or not self.before.plan.get("prove"):
            return False
        earlier = {*self.before.taken_over}
        known = {
            r.id: r.fingerprint for r in self.before.rows if r.id not in earlier
        }
        return all(known.get(r.id) == r.fingerprint for r in rows)

    def expected(self, claims: Sequence[Claim]) -> float | None:
        """Processor seconds that claims take, by those of an earlier run; None where it had none of them."""
        known = self.before.processor_seconds if self.before else {}
        seen = [known[c.id] for c in claims if c.id in known]
        return sum(seen) / len(seen) * len(claims) if seen else None

    def start(self, claim: Claim) -> Start:
        """What a claim begins with: its share of the error, kept counterexamples, earlier evidence."""
        earlier = self.rows.get(claim.id)
        before = (
            NO_EVIDENCE if earlier is None else _inside(claim, earlier.evidence)
        )
        run = len(self._seeds(claim.id)) + 1
        share, known = (
            self.ledger.share(claim.id, run),
            kept_counterexample(claim, self.folder),
        )
        proof = kept_proof(claim, self.folder)
        return Start(share, known, before, run, self.prove, proof, self.timeout)

    def keep(self, claim: Claim, judged: Judged) -> None:
        """Write down what came of a claim: its row, its certificate, and what is wrong with its text."""
        found = judged.verdict.refutation or judged.verdict.proof
        if judged.verdict.refutation is not None:
            self._require_unproved(claim, judged.verdict.refutation)
        seeds = (*self._seeds(claim.id), self.plan.seed)
        name = claim.id + (PROOF if judged.verdict.proof else "")
        certificate = (
            None
            if found is None
            else certificate_path(self.folder, name).as_posix()
        )
        made = report_row(
            claim, judged.verdict, certificate, judged.curves, seeds
        )
        stands = self._standing(claim, made)
        self.rows[claim.id] = stands or made
        self.broken |= {claim.id: judged.fault} if judged.fault else {}
        self.finished.add(claim.id)
        self.seconds[claim.id] = round(judged.seconds, 2)
        # The row first: a certificate without a row would be tried first by the run that goes on, which then
        # ends with other bytes.
        self.write()
        if found is not None and stands is None:
            save_certificate(found.certificate, self.folder, name)

    def _standing(self, claim: Claim, made: Row) -> Row | None:
        """The row that the same experiment has left here, if its verdict is the same; its certificate stays, too.

        It is the same engine, text, plan and seed: on another processor a search takes other last digits, and
        so other ways, which is no news.
        """
        before = self.before
        if before is None or before.volatile.get("engine") != engine():
            return None
        row = before.by_id.get(made.id)
        if (
            row is None or row.id in before.taken_over
        ):  # of a plan that nobody knows
            return None
        same = all(
            getattr(row, name) == getattr(made, name) for name in VERDICT
        ) and ((_looked(row) and _looked(made)) or row.reason == made.reason)
        spent = {**asdict(self.plan), "prove": None} == {
            **before.plan,
            "prove": None,
        }
        return row if same and spent and _rests(row, claim) else None

    def _require_unproved(self, claim: Claim, refutation: Refutation) -> None:
        """Raise Contradiction where a proof that is kept is about the instance that refutes the claim."""
        path = certificate_path(self.folder, claim.id + PROOF)
        examined = examine(path, lambda _id: claim) if path.exists() else None
        if (
            examined is None
            or not examined.stands
            or examined.finding.claim != claim.id
        ):
            return
        extent = Extent.of_json(
            json.loads(path.read_text(encoding="utf-8"))["set"]
        )
        if extent.contains(refutation.certificate["claim"]["instance"]):
            inside = f"{claim.id} is refuted in the set of its proof, {path}"
            raise Contradiction(
                f"{inside}: a defect of boundcheck, please report it"
            )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No other run in the folder meanwhile, for the last to write would win. Raises Refused, OSError.

        The folder itself is locked, which leaves nothing behind. One that was made for it and stays empty goes.
        """
        made = [
            path
            for path in (self.folder, *self.folder.parents)
            if not path.exists()
        ]
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with _locked(self.folder) as ours:
                if not ours:
                    instead = "wait for it, or give --reports another folder"
                    raise Refused(
                        f"Another run is writing to {self.folder}; {instead}."
                    )
                yield
        finally:
            with suppress(OSError):
                for path in made:
                    path.rmdir()

    def write(self) -> Document:
        """Write the report as it is now, and return it."""
        held = {**self.others, **self.rows}
        spent = self.before.processor_seconds if self.before else {}
        rows = tuple(held[id] for id in sorted(held))
        volatile = {
            "engine": engine(),
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cpus": os.cpu_count(),
            "seconds": round(time.time() - self.started, 1),
            "processor_seconds": {
                id: s for id, s in (spent | self.seconds).items() if id in held
            },
            "files": sorted(
                {file for id, file in self.files.items() if id in held}
            ),
            "earlier": sorted(self.others),
        }
        broken = dict(sorted(self.broken.items()))
        report = Document(
            rows, self._planned(rows), self._shared(), broken, volatile
        )
        folder = self.folder.resolve()
        if (
            folder.name.startswith(".")
            and folder.is_dir()
            and not any(folder.iterdir())
        ):
            write_whole(
                "*\n", folder / ".gitignore"
            )  # a new one keeps out of git, as .pytest_cache/ does
        report.save(self.path)
        return report

    def finish(self) -> Document:
        """Write the report of all, and return it; one that says what was there already stays as it was.

        So the times of a run that found nothing new change no file that is committed. Raises OSError.
        """
        report = self.write()
        if self.before is None or _comparable(report) != _comparable(
            self.before
        ):
            return report
        replace(self.before, rocq={}).save(self.path)
        return self.before

    def set_aside(self) -> list[str]:
        """Move certificates that no row names to certificates/old, for nobody to take them for present ones.

        Of this folder's own report alone: another one may name others. Raises OSError.
        """
        if self.path.resolve() != (self.folder / "verdicts.json").resolve():
            return []
        certified = (
            r for r in (self.others | self.rows).values() if r.certificate
        )
        named = {r.id + ("" if r.refuted else PROOF) for r in certified}
        folder = certificate_path(self.folder, "").parent
        left = [
            f
            for f in sorted(folder.glob("*.json"))
            if f.stem not in named and _is_certificate(f)
        ]
        for file in left:
            (folder / "old").mkdir(exist_ok=True)
            file.replace(folder / "old" / file.name)
        return [file.stem for file in left]

    def _shared(self) -> dict[str, Any]:
        """The error, and the number of claims that share it."""
        return {"total": self.ledger.total, "claims": len(self.ledger.claims)}

    def _seeds(self, claim_id: str) -> tuple[int, ...]:
        return self.rows[claim_id].seeds if claim_id in self.rows else ()


def _is_certificate(file: Path) -> bool:
    """Whether a file is one that `save_certificate` has written."""
    try:
        claim = json.loads(file.read_text(encoding="utf-8"))["claim"]
        return claim["id"] == file.stem.removesuffix(PROOF)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _files(report: Document | None) -> list[str]:
    """The files that a report has its claims from, as found from its folder."""
    listed = report.volatile.get("files") if report else None
    return (
        [file for file in listed if isinstance(file, str)]
        if isinstance(listed, list)
        else []
    )


def _comparable(report: Document) -> dict[str, Any]:
    """A report without times and facts of the machine."""
    return replace(report, volatile={}, rocq={}).json()


def stating(r: Row, files: Sequence[Path]) -> tuple[Path, bool] | None:
    """The file that still states the claim of a row, and whether it does so in the same words; or None.

    It is one of the files, or lies where the row says, seen from here. It is read and not run: what it does
    is not for a run of other claims to cause.
    """
    place = Path(r.location.rpartition(":")[0])
    listed = [
        file
        for file in files
        if file.as_posix().endswith(f"/{place.as_posix()}")
    ]
    for file in (
        *listed,
        *(Path(*place.parts[k:]) for k in range(len(place.parts))),
    ):
        try:
            text = _words(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        name = re.search(r"^[ \t]*def +(\w+)", r.statement, re.M)
        if name is None or f"def {name[1]}(" in text:
            return file, _words(r.statement) in text
    return None


def _words(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


def report_row(
    claim: Claim,
    verdict: Judgement,
    certificate: str | None,
    curves: Sequence[Plot] = (),
    seeds: Sequence[int] = (0,),
) -> Row:
    """What a report says of a claim. `certificate` is a path, `seeds` are of the runs that it rests on."""
    found, left = (
        verdict.refutation,
        tuple(map(_written, verdict.evidence.open)),
    )
    repairs = (
        (claim.repairs,)
        if isinstance(claim.repairs, str)
        else tuple(claim.repairs or ())
    )
    return Row(
        claim.id,
        verdict.outcome,
        verdict.scope,
        verdict.reason,
        claim.kind,
        claim.source,
        claim.summary,
        claim.statement,
        claim.location,
        claim.fingerprint,
        repairs,
        tuple(claim.step_of),
        verdict.tightness,
        verdict.alpha,
        verdict.level,
        replace(verdict.evidence, open=left),
        certificate,
        found.excess if found else None,
        where_it_fails(claim.parameters, found.certificate) if found else None,
        {twin.label: twin.refuted for twin in verdict.power},
        tuple(curves),
        tuple(seeds),
        verdict.proof.part if verdict.proof else None,
        verdict.proof.sizes if verdict.proof else None,
    )


def _written(left: Open) -> Open:
    """What is left open, with the instance as JSON has it."""
    return replace(
        left,
        instance=to_json(left.instance),
        seen=tuple(map(tuple, to_json(left.seen))),
    )


def _inside(claim: Claim, evidence: Evidence) -> Evidence:
    """The evidence without what is left open on instances that are none of the claim's."""
    ours = (
        o
        for o in evidence.open
        if inside(claim.parameters, from_json(o.instance))
    )
    return replace(evidence, open=tuple(ours))


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Whether the folder is ours meanwhile, or until the process ends; it is where nobody can lock."""
    try:
        import fcntl
    except ImportError:
        yield True
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ours = True
    except OSError as error:
        ours = not isinstance(
            error, BlockingIOError
        )  # else the file system has no locks
    try:
        yield ours
    finally:
        os.close(opened)


def _believed(
    claims: Sequence[Claim], rows: Iterable[Row], run: Run
) -> dict[str, Row]:
    """The rows of claims that are believed; of another text none is looked at, wherever that is still loaded."""
    texts = {(c.id, c.fingerprint): c.file for c in claims}
    ours = {r.id: r for r in rows if (r.id, r.fingerprint) in texts}
    tasks = {
        id: (_stands, (r, texts[id, r.fingerprint])) for id, r in ours.items()
    }
    return {id: ours[id] for id, stands in run(tasks) if stands}


def _stands(r: Row, file: str) -> bool:
    """Whether the row of a claim of a file is believed."""
    claim = claim_in(file, r.id)
    with threadpool_limits(1):
        return claim is not None and is_believed(r, claim)


def is_believed(r: Row, claim: Claim) -> bool:
    """Whether a row of an earlier run stands: for the text as it is, by its own evidence and its certificate.

    The certificate is examined again.
    """
    if r.fingerprint != claim.fingerprint:
        return False
    try:
        found = _found(r, claim)
        refutation, proof = (
            (None, found) if isinstance(found, Proof) else (found, None)
        )
        if (proof and proof.part, proof and proof.sizes) != (r.shown, r.sizes):
            return False
        weighed = with_proof(weigh(r.evidence, refutation, r.level), proof)
    except (KeyError, TypeError, ValueError, Different):
        return False
    said = None if r.tightness is None else six_digits(r.tightness)
    return (r.outcome, r.scope, r.reason, said) == (
        *weighed,
        r.evidence.tightness,
    )


def _looked(r: Row) -> bool:
    """Whether anything was looked at before the run ended; where nothing was, the reason is all that is said."""
    return r.evidence != NO_EVIDENCE


def _rests(r: Row, claim: Claim) -> bool:
    """Whether the certificate of a row, if it has one, is there and stands for the text as it is."""
    try:
        _found(r, claim)
    except (KeyError, TypeError, ValueError, OSError, Different):
        return False
    return True


def _found(r: Row, claim: Claim) -> Refutation | Proof | None:
    """The refutation or proof that a row rests on, examined again. Raises Different if it does not stand."""
    if r.certificate is None:
        return None
    examined = examine(r.certificate, lambda _id: claim)
    if not examined.stands or examined.finding.claim != r.id:
        raise Different(str(examined))
    certificate = json.loads(Path(r.certificate).read_text(encoding="utf-8"))
    if examined.finding.proved:
        return proof_of(claim, certificate, examined.finding.sentence)
    about = certificate["claim"]
    if (
        about["fingerprint"] != r.fingerprint
        or where_it_fails(claim.parameters, certificate) != r.instance
    ):
        raise Different("the row is about something else")
    return Refutation(certificate, examined.finding.sentence, r.excess or 0.0)


def seeds_used(path: Path) -> set[int]:
    """The seeds whose evidence a report holds. Raises CannotRead."""
    return (
        {seed for r in read(path).rows for seed in r.seeds}
        if path.exists()
        else set()
    )


def certificate_path(folder: Path, claim_id: str) -> Path:
    return folder / "certificates" / f"{claim_id}.json"


def save_certificate(
    certificate: Mapping[str, Any], folder: Path, claim_id: str
) -> str:
    """Write the certificate in the folder of reports, as compact JSON, whole or not at all; its path."""
    path = certificate_path(folder, claim_id)
    write_whole(json.dumps(certificate, sort_keys=True) + "\n", path)
    return path.as_posix()


def kept_proof(claim: Claim, folder: Path) -> dict[str, Any] | None:
    """The certificate of a proof that an earlier run kept, if it is one of this claim as it stands."""
    try:
        certificate = json.loads(
            certificate_path(folder, claim.id + PROOF).read_text(
                encoding="utf-8"
            )
        )
        return (
            certificate
            if certificate["claim"]["fingerprint"] == claim.fingerprint
            else None
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def kept_counterexample(
    claim: Claim, folder: Path
) -> tuple[dict[str, Any], ...]:
    """The counterexample that an earlier run kept, if it is one of this claim as it stands."""
    try:
        about = json.loads(
            certificate_path(folder, claim.id).read_text(encoding="utf-8")
        )["claim"]
        raw = from_json(about["instance"])
        return (
            (raw,)
            if about["fingerprint"] == claim.fingerprint
            and inside(claim.parameters, raw)
            else ()
        )
    except (OSError, ValueError, KeyError, TypeError):
        return ()
