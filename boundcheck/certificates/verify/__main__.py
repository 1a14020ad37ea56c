"""The command line: python -m boundcheck.certificates.verify FILE..."""

import argparse
import sys

from . import Finding, Outcome, verify_file

NOT_EXAMINED = (Outcome.UNREADABLE, Outcome.NEWER_VERSION)


def main(arguments: list[str] | None = None) -> int:
    """Print one line for each file and return the exit status of `status`."""
    parser = argparse.ArgumentParser(
        prog="python -m boundcheck.certificates.verify",
        description="Recompute certificates of refutation in exact and ball arithmetic.",
        epilog="Exit status: 0 all confirmed; 1 a certificate does not prove its refutation; "
        "2 wrong usage, or a file that cannot be read or is of a newer version.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a certificate (JSON)")
    findings = []
    for file in parser.parse_args(arguments).files:
        finding = verify_file(file)
        findings.append(finding)
        print(_line(file, finding), flush=True)
    return status(findings)


def status(findings: list[Finding]) -> int:
    """0: all confirmed; 1: some refutation is not proved; 2: the rest could not be examined."""
    failed = [finding.outcome for finding in findings if not finding.confirmed]
    if not failed:
        return 0
    return 2 if all(outcome in NOT_EXAMINED for outcome in failed) else 1


def _line(file: str, finding: Finding) -> str:
    if finding.confirmed:
        return _printable(f"CONFIRMED  {finding.claim}  {finding.sentence}")
    return _printable(f"REJECTED  {file}: {finding.sentence}")


def _printable(text: str) -> str:
    """No control characters: the text comes from a file that nobody has checked."""
    return "".join(c if c.isprintable() and c.isascii() else "?" for c in text)[:1000]


if __name__ == "__main__":
    sys.exit(main())
