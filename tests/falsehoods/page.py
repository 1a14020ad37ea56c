"""The measured section of README.md: what was refuted, field by field, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from .verdicts import PEER_SECONDS, SETS, Row

START, END = "<!-- measured: start -->", "<!-- measured: end -->"
PEER_START, PEER_END = "<!-- peer: start -->", "<!-- peer: end -->"
DIFFICULTIES = ("easy", "medium", "hard")
NO_PAGE = f"# True bounds and their false twins\n\n{START}\n{END}\n\n{PEER_START}\n{PEER_END}\n"


def measured(rows: list[Row], number: int) -> str:
    """All sets, one after the other; `number` is how many bounds there are, judged or not."""
    parts = [f"{len(rows)} of {number} bounds were judged, in an order shuffled once and for all.\n"] if len(rows) < number else []
    for title, fields in SETS.items():
        own = [r for r in rows if r.field in fields]
        parts += [f"### {title}\n", totals(own), by_field(own, fields), by_statement(own), exceptions(own)]
    return "\n".join(parts).rstrip()


def totals(rows: list[Row]) -> str:
    true, false = ([r for r in rows if (r.difficulty == "true") == wanted] for wanted in (True, False))
    alarms, found, open_, broken = (
        _count(true, "REFUTED"), _count(false, "REFUTED"), _count(rows, "INCONCLUSIVE"), _count(rows, "BROKEN"),
    )  # fmt: skip
    counts = f"False alarms: **{alarms}** of {len(true)} true bounds. Refuted: **{found}** of {len(false)} false ones."
    return f"{counts} INCONCLUSIVE: {open_}. BROKEN: {broken}.\n"


def by_field(rows: list[Row], fields: Iterable[str]) -> str:
    """Refuted / total, field by difficulty."""
    lines = [line("field", "true", *DIFFICULTIES), line(*"-----")]
    for field in fields:
        own = [r for r in rows if r.field == field]
        name = field.removeprefix("fresh_").removeprefix("famous_").replace("_", " ")
        lines.append(line(name, *(_refuted(own, kind) for kind in ("true", *DIFFICULTIES))))
    lines.append(line("all", *(_refuted(rows, kind) for kind in ("true", *DIFFICULTIES))))
    return "\n".join(lines) + "\n"


def by_statement(rows: list[Row]) -> str:
    """Median and largest processor seconds by kind of statement."""
    lines = [line("statement", "number", "median (s)", "slowest (s)"), line(*"----")]
    for kind in sorted({r.statement for r in rows}):
        seconds = [r.seconds for r in rows if r.statement == kind]
        lines.append(line(kind, str(len(seconds)), f"{median(seconds):.1f}", f"{max(seconds):.1f}"))
    return "\n".join(lines) + "\n"


def exceptions(rows: list[Row]) -> str:
    """The bounds that did not come out as labelled, and those left open."""
    listed = sorted((r for r in rows if r.wrong or r.outcome == "INCONCLUSIVE"), key=lambda r: r.id)
    if not listed:
        return "Every bound came out as labelled.\n"
    lines = [line("not as labelled, or open", "label", "verdict", "why"), line(*"----")]
    return "\n".join([*lines, *(line(r.id, r.difficulty, r.outcome, _short(r.reason)) for r in listed)]) + "\n"


def compared(ours: list[Row], peers: list[Row]) -> str:
    """boundcheck and plain Hypothesis on the same bounds."""
    lines = [line("judge", "true, called false", "false, found", "broken", "median (s)", "slowest (s)"), line(*"------")]
    for name, rows in (("boundcheck, quick", ours), (f"Hypothesis with `target`, {PEER_SECONDS:.0f} s", peers)):
        false = _sum(_refuted(rows, kind) for kind in DIFFICULTIES)
        seconds = [r.seconds for r in rows] or [0.0]
        broken = str(_count(rows, "BROKEN"))
        lines.append(line(name, _refuted(rows, "true"), false, broken, f"{median(seconds):.1f}", f"{max(seconds):.1f}"))
    theirs = {r.id: r for r in peers}
    differ = [line(r.id, r.difficulty, r.outcome, theirs[r.id].outcome) for r in ours if theirs[r.id].outcome != r.outcome]
    if differ:
        lines += ["", line("verdicts that differ", "label", "boundcheck", "Hypothesis"), line(*"----"), *differ]
    return "\n".join(lines)


def replaced(text: str, start: str, end: str, section: str) -> str:
    """The page with what stands between two markers replaced."""
    if start not in text or end not in text:
        raise ValueError(f"README.md needs the markers {start} and {end}; put them back.")
    before, rest = text.split(start, 1)
    return f"{before}{start}\n\n{section}\n\n{end}{rest.split(end, 1)[1]}"


def _count(rows: list[Row], outcome: str) -> int:
    return sum(r.outcome == outcome for r in rows)


def _refuted(rows: list[Row], difficulty: str) -> str:
    own = [r for r in rows if r.difficulty == difficulty]
    return f"{_count(own, 'REFUTED')} / {len(own)}" if own else "0 / 0"


def _sum(fractions: Iterable[str]) -> str:
    pairs = [[int(x) for x in fraction.split(" / ")] for fraction in fractions]
    return " / ".join(str(sum(column)) for column in zip(*pairs, strict=True))


def _short(reason: str) -> str:
    one_line = " ".join(reason.replace("|", "/").split())
    return one_line if len(one_line) <= 110 else one_line[:107] + "..."


def line(*cells: str) -> str:
    """A row of a Markdown table; a cell - is a rule."""
    return f"| {' | '.join('---' if cell == '-' else cell for cell in cells)} |"


