"""Certificates examined: recomputed by the verifier, and compared with the text of their claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits

from boundcheck import exits
from boundcheck.certificates.verify import Finding, Outcome, verify
from boundcheck.certificates.verify.findings import Rejection
from boundcheck.certificates.verify.seal import read
from boundcheck.checking.compare import Different, compared
from boundcheck.words.claims import Claim
from boundcheck.words.loading import StatesNothing, load, theory

UNEXAMINED = (Outcome.UNREADABLE, Outcome.NEWER_VERSION)
LONGEST = 1000


@dataclass(frozen=True)
class Examined:
    """One certificate: what the verifier found, and what became of the comparison with the text of the claim.

    `compared` says what was compared and with which file, `different` where they differ; neither, if there is no text.
    """

    path: str
    finding: Finding
    compared: str = ""
    different: str = ""

    @property
    def stands(self) -> bool:
        """Whether it is confirmed, and nothing speaks against its being one of the claim."""
        return self.finding.confirmed and not self.different

    def __str__(self) -> str:
        """One line without control characters: the text comes from a file that nobody has checked."""
        found = f"{self.finding.claim}  {self.finding.sentence}"
        if not self.stands:
            line = f"REJECTED  {self.path}: {self.different or self.finding.sentence}"
        elif self.compared:
            line = f"CONFIRMED  {found}; compared with {self.compared}"
        else:
            line = f"RECOMPUTED  {found}; not compared with the text of the claim"
        return "".join(c if c.isprintable() and c.isascii() else "?" for c in line)[:LONGEST]


class Texts:
    """The claims of files and folders, and those of theory/, which are loaded when they are asked for."""

    def __init__(self, targets: Iterable[str | Path] = ()):
        """Raises CannotLoad."""
        self.targets = list(targets)
        self.claims = {claim.id: claim for claim in load(*self.targets)}
        self.papers: dict[str, dict[str, Claim]] = {}

    def claim(self, id: str) -> Claim | None:
        """The claim of that id, or None. Raises CannotLoad."""
        paper = id.split(".")[0]
        if id not in self.claims and paper.isidentifier() and paper not in self.papers:
            self.papers[paper] = _of_paper(theory() / paper)
        return self.claims.get(id) or self.papers.get(paper, {}).get(id)


def _of_paper(folder: Path) -> dict[str, Claim]:
    try:
        return {claim.id: claim for claim in load(folder)} if folder.is_dir() else {}
    except StatesNothing:
        return {}


def examine(path: str | Path, find: Callable[[str], Claim | None]) -> Examined:
    """Recompute a certificate, and compare it with the text of the claim that `find` knows for its id, if there is one."""
    try:
        certificate = read(Path(path))
    except Rejection as rejection:
        return Examined(str(path), Finding(rejection.outcome, str(rejection)))
    finding = verify(certificate)
    claim = find(finding.claim) if finding.confirmed else None
    if claim is None:
        return Examined(str(path), finding)
    try:
        with threadpool_limits(1):
            return Examined(str(path), finding, f"{_file(claim)}: {compared(claim, certificate)}")
    except Different as different:
        return Examined(str(path), finding, different=f"{different} ({_file(claim)})")


def _file(claim: Claim) -> str:
    """The file of a claim as it is found from here, or its last folders."""
    path = Path(claim.file)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else claim.location.rpartition(":")[0]


def status(examined: Iterable[Examined], demanded: bool) -> int:
    """The exit code: something rejected, something that could not be examined, or a comparison that was demanded not made."""
    examined = list(examined)
    failed = [e for e in examined if not e.stands]
    if failed:
        return exits.USAGE if all(e.finding.outcome in UNEXAMINED for e in failed) else exits.WORSE
    return exits.UNDECIDED if demanded and not all(e.compared for e in examined) else exits.FINE
