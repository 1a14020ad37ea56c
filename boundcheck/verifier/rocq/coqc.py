"""What Rocq's kernel says of a theorem: coqc of this machine, within some seconds, and on which axioms."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boundcheck.verifier.rocq import PRELUDE, Theorem

ACCEPTED, TOO_LONG, REJECTED = "accepted", "too long", "rejected"
UNPROVED = "no proof", "the arithmetic of Rocq that is tried does not prove it"
"""What came of a theorem whose proof is looked for by Rocq alone: a failure says nothing against it."""

AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
"""Those on which Rocq's reals stand."""

ASSUMED = re.compile(r"^([^\s:]+)\s*(?::|$)", re.M)
INSTALL = "install Rocq and coq-interval (Debian: coq and libcoq-interval), and run it again."
SAMPLE = """
Module Statement. Definition claim : Prop := sqrt 2 <= 0. End Statement.
"""
ENCLOSED = """
Theorem refuted : ~ Statement.claim.
Proof. apply Rlt_not_le; enclosed. Qed.
"""
ASKED = """
Definition judged : {} := {}.
Print Assumptions judged.
"""
"""Whatever the proof says that it proves, this is what is to be proved."""


class NoCoqc(Exception):
    """No theorem can be checked here; the sentence says why and what to do."""


@dataclass(frozen=True)
class Coqc:
    """A coqc that has coq-interval, its version, and for how many seconds it may compute on a theorem."""

    program: str
    version: str
    seconds: int

    @classmethod
    def found(cls, seconds: int) -> Coqc:
        """The coqc of this machine, once it has accepted what all theorems begin with. Raises NoCoqc."""
        program = shutil.which("coqc")
        if program is None:
            raise NoCoqc(f"There is no coqc; {INSTALL}")
        said = subprocess.run(
            [program, "--print-version"], capture_output=True, text=True
        ).stdout.split()
        coqc = cls(program, said[0] if said else "of unknown version", seconds)
        prelude = PRELUDE.read_text(encoding="utf-8").replace(
            "PRECISION", "100"
        )
        outcome, reason = coqc.judged(Theorem(prelude + SAMPLE, ENCLOSED))
        if outcome != ACCEPTED:
            raise NoCoqc(
                f"{program} does not take what all theorems begin with ({reason or outcome}); {INSTALL}"
            )
        return coqc

    def judged(self, theorem: Theorem) -> tuple[str, str]:
        """ACCEPTED, TOO_LONG, or REJECTED with the reason; so is what rests on other axioms."""
        with TemporaryDirectory(prefix="boundcheck-") as folder:
            file = Path(folder, "refuted.v")
            text = (
                theorem.statement + theorem.proof + ASKED.format(*theorem.asked)
            )
            file.write_text(text, encoding="utf-8")
            done = subprocess.run(
                [self.program, "-q", file.name],
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                preexec_fn=self._limit,
            )
        if done.returncode < 0:
            return TOO_LONG, ""
        if done.returncode and theorem.searched:
            return UNPROVED
        if done.returncode:
            return REJECTED, " ".join(
                done.stderr.partition("Error:")[2].split()
            )[:200] or "no reason is given"
        _, listed, axioms = done.stdout.partition("Axioms:\n")
        strange = sorted(set(ASSUMED.findall(axioms)) - AXIOMS)
        if strange or not (
            listed or "Closed under the global context" in done.stdout
        ):
            return (
                REJECTED,
                f"it rests on {', '.join(strange) or 'axioms that it does not name'}",
            )
        return ACCEPTED, ""

    def _limit(self) -> None:
        """Seconds of the processor, so that a busy machine takes none away."""
        import resource

        resource.setrlimit(
            resource.RLIMIT_CPU, (self.seconds, self.seconds + 5)
        )
