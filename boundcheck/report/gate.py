"""The gate: a report compared with a committed one; what got worse fails unless accepted with a reason."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from types import MappingProxyType

from boundcheck.checking.verdict import Outcome
from boundcheck.report import printable, write_whole
from boundcheck.report.document import Document, Row
from boundcheck.report.formats import code, prose
from boundcheck.report.reading import CannotRead, read, read_text, toml

GONE = "GONE"
"""What a claim is now that the report does not have."""

NEW = "NEW"
"""What a claim was that the baseline does not have."""

RADIUS = 0.1
"""A tightness is known up to so much: on another machine, a search may end elsewhere."""

NAMES = ("id", "fingerprint", "from", "to", "reason")

HEADER = """\
# Changes for the worse that somebody has accepted, each for the text of the claim that has the fingerprint.
# `boundcheck gate --accept ID --reason TEXT` adds one.
"""


Key = tuple[str, str, str, str]
"""A claim, the fingerprint of its text, its verdict before and its verdict now."""

Accepted = Mapping[Key, str]
"""Changes of verdicts, and why each is right."""


@dataclass(frozen=True)
class Change:
    """One claim, before and now."""

    id: str
    fingerprint: str
    before: str
    after: str
    why: str
    location: str = ""
    edits: str = ""
    """What became of the lines of its text, as `diff` shows it; nothing where it is the same."""

    @property
    def key(self) -> Key:
        """What is accepted, or not."""
        return self.id, self.fingerprint, self.before, self.after

    def __str__(self) -> str:
        return " ".join(
            f"{self.id}: {self.before} -> {self.after} ({self.why})".split()
        )


@dataclass(frozen=True)
class Comparison:
    """The changes, by what they mean for the gate."""

    regressions: tuple[Change, ...] = ()
    accepted: tuple[tuple[Change, str], ...] = ()
    improvements: tuple[Change, ...] = ()
    restated: tuple[Change, ...] = ()
    new: tuple[Change, ...] = ()


def compare(
    baseline: Document,
    current: Document,
    accepted: Accepted = MappingProxyType({}),
) -> Comparison:
    """Compare two reports.

    Regressions are a verdict that moved down, whether or not the claim was restated; a new claim that is
    refuted; a claim that is gone; and, for the same text under the same plan, a search that no longer comes
    near a bound that it once came near (tightness intervals disjoint). `accepted` ones do not count. A claim
    that was restated, or is new, and did not get worse is listed as such.
    """
    old, new = baseline.by_id, current.by_id
    both = [(old[id], new[id]) for id in sorted(old.keys() & new.keys())]
    same = [
        (was, now) for was, now in both if was.fingerprint == now.fingerprint
    ]
    edited = [
        (was, now) for was, now in both if was.fingerprint != now.fingerprint
    ]
    added = [new[id] for id in sorted(new.keys() - old.keys())]
    gone = (old[id] for id in sorted(old.keys() - new.keys()))
    worse = [
        replace(_change(was, was, "the report does not have it"), after=GONE)
        for was in gone
    ]
    asked = bool(current.plan.get("prove"))
    worse += [
        _moved(was, now) for was, now in both if _is_worse(was, now, asked)
    ]
    worse += [_new(now) for now in added if now.refuted]
    if baseline.plan == current.plan:
        worse += [change for was, now in same if (change := _looser(was, now))]
    return Comparison(
        tuple(c for c in worse if c.key not in accepted),
        tuple((c, accepted[c.key]) for c in worse if c.key in accepted),
        tuple(_moved(was, now) for was, now in same if _is_worse(now, was)),
        tuple(
            _change(was, now, "restated")
            for was, now in edited
            if not _is_worse(was, now, asked)
        ),
        tuple(_new(now) for now in added if not now.refuted),
    )


def _is_worse(was: Row, now: Row, proofs: bool = True) -> bool:
    """What was proved, or shown on a part, and holds is no worse where no `proofs` were asked for."""
    was_shown = was.outcome is Outcome.PROVED or was.shown is not None
    if was_shown and now.outcome is Outcome.HOLDS:
        return proofs and (was.outcome is Outcome.PROVED or now.shown is None)
    return now.outcome.worth < was.outcome.worth


def _change(was: Row, now: Row, why: str) -> Change:
    outcomes = was.outcome.name, now.outcome.name
    return Change(
        now.id, now.fingerprint, *outcomes, why, now.location, _edits(was, now)
    )


def _edits(was: Row, now: Row) -> str:
    """The lines of a claim that are others now, each after - or +."""
    old, new = was.statement.splitlines(), now.statement.splitlines()
    lines = list(unified_diff(old, new, lineterm="", n=0))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def _moved(was: Row, now: Row) -> Change:
    same = was.fingerprint == now.fingerprint
    return _change(was, now, now.why if same else f"restated; {now.why}")


def _new(now: Row) -> Change:
    return replace(_change(now, now, now.why), before=NEW)


def _looser(was: Row, now: Row) -> Change | None:
    """The change of a claim that holds, if its search no longer comes near the bound."""
    if (
        was.tightness is None
        or now.tightness is None
        or not was.outcome is now.outcome is Outcome.HOLDS
    ):
        return None
    if not now.tightness + RADIUS < was.tightness - RADIUS:
        return None
    before, after = (f"HOLDS, tight to {r.tightness:.2g}" for r in (was, now))
    return replace(
        _change(was, now, "the search no longer comes near the bound"),
        before=before,
        after=after,
    )


def acceptances_file(baseline: Path) -> Path:
    """Where the acceptances of a baseline are kept."""
    return baseline.with_name("accepted.toml")


def read_accepted(path: Path) -> dict[Key, str]:
    """The entries of a file, of two for one change the last; none if there is no file. Raises CannotRead."""
    content = toml(path, "mend it or delete it")
    entries = content.get("accepted", [])
    if set(content) - {"accepted"} or not isinstance(entries, list):
        other = "something else than [[accepted]] entries"
        raise CannotRead(
            f"{path} holds {other}; delete what does not belong there."
        )
    return dict(_entry(path, k, entry) for k, entry in enumerate(entries, 1))


def _entry(path: Path, k: int, entry: object) -> tuple[Key, str]:
    given = entry if isinstance(entry, dict) else {}
    if set(given) != set(NAMES) or not all(
        isinstance(v, str) and v.strip() for v in given.values()
    ):
        needed = (
            f"an entry has {', '.join(NAMES)}, each a text that is not empty"
        )
        raise CannotRead(f"{path}, entry {k}: {needed}; mend it or delete it.")
    id, fingerprint, before, after, reason = (given[name] for name in NAMES)
    return (id, fingerprint, before, after), reason


def write_accepted(accepted: Accepted, path: Path) -> None:
    """Write the file, sorted. Raises OSError."""
    pairs = (zip(NAMES, (*key, accepted[key])) for key in sorted(accepted))
    blocks = (
        "".join(f"{name} = {_quoted(text)}\n" for name, text in entry)
        for entry in pairs
    )
    write_whole(
        HEADER + "".join(f"\n[[accepted]]\n{block}" for block in blocks), path
    )


def _quoted(text: str) -> str:
    """A TOML string: as in JSON, without the characters that TOML does not take."""
    return json.dumps(
        "".join(c if c.isprintable() else " " for c in text), ensure_ascii=False
    )


def read_baseline(path: Path, revision: str | None) -> Document | None:
    """The baseline, or None where there is none. Raises CannotRead."""
    if revision is not None:
        return _of_revision(path, revision)
    return read(path) if path.exists() else None


def write_baseline(report: Document, path: Path) -> None:
    """Write what can be compared of a report, and depends on no other claim and no folder. Raises OSError.

    Times are none of it, nor points of curves, nor the share of the error, which the ledger says for all.
    """
    rows = (replace(r, curves=(), alpha=None) for r in report.rows)
    placed = (replace(r, location=_from_here(r.location)) for r in rows)
    replace(report, rows=tuple(placed), volatile={}).save(path)


def _of_revision(path: Path, revision: str) -> Document | None:
    if not _git(
        path,
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{revision}^{{commit}}",
    ):
        unknown = f"git knows no revision '{revision}' here"
        raise CannotRead(
            f"{unknown}; fetch it, or name another with --compare-rev."
        )
    text = _git(path, "show", "--end-of-options", f"{revision}:./{path.name}")
    return None if text is None else read_text(text, f"{revision}:{path}")


def _git(path: Path, *arguments: str) -> bytes | None:
    """What git prints where the baseline lies, or None if it fails."""
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=path.parent,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        why = f"git cannot be run in {path.parent} ({error.strerror})"
        raise CannotRead(f"{why}; --compare-rev needs it.") from None
    return done.stdout if done.returncode == 0 else None


# as GitHub shows it: an annotation at the line that states the claim, and a summary of the step


def is_on_github() -> bool:
    """Whether this is a run of GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def as_annotations(
    result: Comparison, rejected: Sequence[str] = ()
) -> list[str]:
    """A workflow command for each regression, at the line of the claim, and for each rejected certificate.

    It says the verdicts, the counterexample, and which lines of the claim were edited.
    """
    worse = (
        f"{_place(c)}title={_property(_title(c))}::{_escaped(_told(c))}"
        for c in result.regressions
    )
    others = (
        f"title=a certificate is rejected::{_escaped(line)}"
        for line in rejected
    )
    return [f"::error {told}" for told in (*worse, *others)]


def _title(change: Change) -> str:
    return (
        f"{change.id} is new and refuted"
        if change.before == NEW
        else f"{change.id} got worse"
    )


def _told(change: Change) -> str:
    """The change, and the edits, on lines of their own."""
    return "\n".join(filter(None, (str(change), change.edits)))


def _place(change: Change) -> str:
    """`file=...,line=...,` if the file is found from here."""
    name, _, line = _from_here(change.location).rpartition(":")
    return (
        f"file={_property(name)},line={line}," if Path(name).is_file() else ""
    )


def _from_here(location: str) -> str:
    """A location as it is found from here, for it may begin with our folder; else as it is."""
    name, _, line = location.rpartition(":")
    parts = Path(name).parts
    found = (
        Path(*parts[k:])
        for k in range(len(parts))
        if not Path(name).is_absolute()
    )
    file = next((f for f in found if f.is_file()), None)
    return location if file is None else f"{file.as_posix()}:{line}"


def _escaped(text: str) -> str:
    return (
        printable(text)
        .replace("%", "%25")
        .replace("\r", "%0D")
        .replace("\n", "%0A")
    )


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def append_summary(
    result: Comparison, rejected: Sequence[str], totals: str
) -> None:
    """Add the comparison to the summary of the step, if there is a file for it. Raises OSError."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(summary(result, rejected, totals))


def summary(result: Comparison, rejected: Sequence[str], totals: str) -> str:
    """The comparison as Markdown."""
    accepted = tuple(c for c, _ in result.accepted)
    kinds = {
        "regression": result.regressions,
        "accepted": accepted,
        "improved": result.improvements,
        "restated": result.restated,
        "new": result.new,
    }
    changes = [(label, c) for label, cs in kinds.items() for c in cs]
    cells = (
        (label, code(c.id), *map(prose, (c.before, c.after, c.why)))
        for label, c in changes
    )
    rows = [f"| {' | '.join(row)} |" for row in cells]
    rows += [
        f"| certificate rejected | | | | {prose(line)} |" for line in rejected
    ]
    table = (
        [
            "| | claim | before | now | why |",
            "| --- | --- | --- | --- | --- |",
            *rows,
            "",
        ]
        if rows
        else []
    )
    edits = [line for _, c in changes if c.edits for line in _as_diff(c)]
    return (
        "\n".join(["## boundcheck gate", "", totals, "", *table, *edits]) + "\n"
    )


def _as_diff(change: Change) -> list[str]:
    """The edits of a claim as a block of Markdown, which nothing in them ends."""
    lines = [
        printable(line).replace("`", "'") for line in change.edits.split("\n")
    ]
    return [code(change.id), "", "```diff", *lines, "```", ""]
