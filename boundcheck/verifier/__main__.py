"""The command line: python -m boundcheck.verifier FILE..."""

import argparse
import sys

from . import Finding, Outcome, verify_file
from .limits import LONGEST_LINE

NOT_EXAMINED = (Outcome.UNREADABLE, Outcome.NEWER_VERSION)
UNSEEN = "not compared with the text of the claim"
UNSEEN_TRIALS = f"{UNSEEN}, and the trials were not drawn again"


def main(arguments: list[str] | None = None) -> int:
    """Print one line for each file and return the exit status of `status`."""
    parser = argparse.ArgumentParser(
        prog="python -m boundcheck.verifier",
        description="Recompute certificates of refutation in exact and ball arithmetic.",
        epilog="That the program of a certificate is the claim is not examined here: boundcheck verify CERTIFICATE CLAIMFILE does. "
        "Exit status: 0 all recomputed; 1 a certificate does not prove its refutation; "
        "2 wrong usage, or a file that cannot be read or is of a newer version.",
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a certificate (JSON)"
    )
    findings = []
    for file in parser.parse_args(arguments).files:
        finding = verify_file(file)
        findings.append(finding)
        print(line(file, finding), flush=True)
    return status(findings)


def status(findings: list[Finding]) -> int:
    """0: all recomputed; 1: some refutation is not proved; 2: the rest could not be examined."""
    failed = [finding.outcome for finding in findings if not finding.confirmed]
    if not failed:
        return 0
    return 2 if all(outcome in NOT_EXAMINED for outcome in failed) else 1


def line(file: str, finding: Finding, compared: bool = False) -> str:
    """One line on a file; only what was `compared` with the text, trials drawn again, is CONFIRMED."""
    if not finding.confirmed:
        return _printable(f"REJECTED  {file}: {finding.sentence}")
    if compared:
        return _printable(f"CONFIRMED  {finding.claim}  {finding.sentence}")
    open_end = UNSEEN_TRIALS if finding.sampled else UNSEEN
    return _printable(
        f"RECOMPUTED  {finding.claim}  {finding.sentence}", f"; {open_end}"
    )


def _printable(text: str, end: str = "") -> str:
    """No control characters: the text comes from a file that nobody has checked."""
    shown = (c if c.isprintable() and c.isascii() else "?" for c in text)
    return "".join(shown)[:LONGEST_LINE] + end


if __name__ == "__main__":
    sys.exit(main())
