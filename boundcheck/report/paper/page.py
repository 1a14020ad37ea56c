"""The page of a paper, and of all papers, as blocks: which theorems stand, what was found, slip by slip."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from boundcheck.report import spoken
from boundcheck.report.document import Document, Row
from boundcheck.report.paper import Refuted, of_papers
from boundcheck.report.paper.blocks import (
    Block,
    Code,
    Grid,
    Heading,
    Items,
    Line,
    Link,
    Paragraph,
    Strong,
    displayed,
    labelled,
)
from boundcheck.report.paper.folders import SEVERITIES, Erratum, folders
from boundcheck.report.paper.slips import Slip, in_order
from boundcheck.words import theory

FATES = {
    "stands": "stands as printed",
    "stands with": "stands with a change",
    "open": "open",
    "fails": "fails",
}
GRAVITY = {
    "conclusion false": "a statement fails, and no hypothesis in sight saves it",
    "proof gap": "a step fails; the statement that rests on it may stand",
    "hypothesis missing": "it stands under a condition that is not stated",
    "order": "it stands with another rate",
    "constant": "it stands with another constant",
    "misprint": "a slip of the pen",
    "remark": "on a reading, a constant of ours, a level that nobody uses, experiments, or what is said of other papers",
}
LEGEND = """\
$K$ is the kernel matrix of $n$ points, $\\lambda$ the ridge ($n \\lambda$ is added to $K$), $s$ the number of
features, $\\tilde{K}$ their kernel matrix, $d_K$ the effective dimension
$\\operatorname{Tr} K (K + n \\lambda I)^{-1}$, $\\hat{f}$ the solution with $K$, $\\delta$ the probability of
failure that is allowed.

Names like `li2021.lemma27` are claims: small programs that state what is printed. One that ends in `.explicit`
has constants of ours where the text has an order, `.repaired` is what is true instead.

REFUTED: an independent program has recomputed the counterexample in exact or ball arithmetic (`boundcheck verify`).
PROVED: it has checked a proof for all of the set that is named; where either says (Rocq), that proof assistant has
checked it again. HOLDS: no counterexample was found among the sizes and numbers that the program draws, on some of
which it may be proved; tightness is the largest share of the bound that was seen, so that one far below 1 says
little. VACUOUS: it says nothing where it was looked at. What a claim says of features and inputs is looked at for
few of them, in the families that its text names: finitely many frequencies or a finite pool, and laws on finitely
many points. Standing assumptions of a paper, as $n \\lambda \\le \\lambda_1$, are made where a sentence is silent.

A theorem "stands as printed" where no counterexample was found and no step of its proof is known to fail (or, as its
line then says, without harm), which is no proof of ours; it "stands with a change" where what is named is proved,
here or by the proof as printed; it is "open" where a step of the proof fails and nothing refutes it but at levels,
ridges or constants that an entry calls a remark; it "fails" where it is refuted, and no repair of all of it, of the
same order, is proved.

"Printed" gives the formula in question; hypotheses and "with probability $1 - \\delta$" may be left out. The lines of
Python are a counterexample of their own and run by themselves; the certificate holds the instance that the engine
found, often another one. Nothing outside of what an entry says under "Harm" is said to fail. A place whose gravity is
another than its entry's is marked with its own. We read conversions of the papers: a slip of the pen that a
conversion may have made is told last, and not counted; where more may be its doing, the entry says so under "Conversion"."""
CONVERTED = "Perhaps only in the text we had"
"""What a conversion of the paper may have lost or changed: told, and not counted."""

EXPLAINED = "How to read this"
"""The heading of the legend, which is told from where its words are met first."""

UP = "../"
"""From a page (docs/errata.md, reports/PAPER.md) to the folder of theory/ and reports/."""


def paper_page(p: Refuted, level: int = 1) -> Iterator[Block]:
    """The page of a paper; within a page of all papers its headings are one level lower."""
    yield from (_linked(block, p) for block in _paper_page(p, level))


NAMED = re.compile(r"`?\b([A-Za-z]\w*(?:\.[\w-]+)+)`?")


def _linked(block: Block, p: Refuted) -> Block:
    """A block whose names of claims, with or without the paper's, are links."""

    def names(line: Line) -> Line:
        return tuple(part for span in line for part in _names(span, p))

    match block:
        case Paragraph(label, line):
            return Paragraph(label, names(line))
        case Items(lines, numbered):
            return Items([*map(names, lines)], numbered)
        case Grid(head, rows, numbers):
            return Grid(head, [[*map(names, row)] for row in rows], numbers)
    return block


def _names(span: str | Strong | Link, p: Refuted) -> Line:
    if not isinstance(span, str):
        return (span,)
    found: list[str | Strong | Link] = []
    end = 0
    for name in NAMED.finditer(span):
        ids = (name[1], f"{p.paper.key}.{name[1]}")
        r = next(
            (p.report.by_id[id] for id in ids if id in p.report.by_id), None
        )
        if r:
            found += [span[end : name.start()], Link(r.id, _module(r))]
            end = name.end()
    return (*found, span[end:])


def _paper_page(p: Refuted, level: int) -> Iterator[Block]:
    yield Heading(level, (p.paper.title or p.paper.line,), p.paper.key)
    yield Paragraph("", (_reference(p),))
    yield from _theorems(p, level + 1)
    if level == 1:
        yield from _matters(headlines([p]), level + 1)
    grave = p.grave
    if grave:
        yield Heading(level + 1, ("What was found",), f"{p.paper.key}-found")
    for number, s in enumerate(grave, 1):
        yield from _slip(s, p, number, level + 2)
    yield from _short("Slips of the pen", p.brief("misprint"), p, level + 1)
    yield from _short("Remarks", p.brief("remark"), p, level + 1)
    yield from _short(CONVERTED, p.brief("conversion"), p, level + 1)
    yield from _short("Not yet argued", p.brief("not argued"), p, level + 1)
    yield from _experiments(p, level + 1)
    if level == 1:
        yield from legend(level + 1)


def _experiments(p: Refuted, level: int) -> Iterator[Block]:
    """The reports of experiments that are kept beside theory/, by their titles."""
    folder = theory().parent / "reports"
    lines: list[Line] = []
    for path in sorted(folder.glob(f"{p.paper.key}-*.md")):
        title = (
            path.read_text("utf-8", "replace").partition("\n")[0].lstrip("# ")
        )
        lines.append(
            (
                Link(f"reports/{path.name}", f"{UP}reports/{path.name}"),
                f" {title}",
            )
        )
    if lines:
        yield Heading(
            level, ("Experiments run again",), f"{p.paper.key}-experiments"
        )
        yield Items(lines)


def _reference(p: Refuted) -> str:
    who = ", ".join(p.paper.authors)
    known = ", ".join(
        filter(None, (who, p.paper.venue, str(p.paper.year or "")))
    )
    return f"{known or p.paper.line}."


def legend(level: int) -> Iterator[Block]:
    """Symbols, names and words, explained once."""
    yield Heading(level, (EXPLAINED,), "legend")
    yield from labelled("", LEGEND)
    words = [
        (Strong(name), f": {meaning}. ") for name, meaning in GRAVITY.items()
    ]
    yield Paragraph("", tuple(span for pair in words for span in pair))


def _theorems(p: Refuted, level: int) -> Iterator[Block]:
    """A line for each theorem and corollary."""
    if not p.written.theorems:
        return
    yield Heading(level, ("Does my theorem stand?",), f"{p.paper.key}-theorems")
    rows: list[Sequence[Line]] = []
    for t in p.written.theorems:
        slips = [s for id in t.slips if (s := p.slip(id))]
        entries: list[str | Strong | Link] = []
        for s in slips:
            entries += [" ", Link(p.number(s), _told_at(p, s))]
        fate = f"{FATES[p.fate(t)]} {t.when}".rstrip()
        rows.append(((Strong(t.name),), (fate,), (t.says, *entries)))
    where = Link(EXPLAINED, "#legend")
    yield Paragraph(
        "", ('What "stands", "open" and "fails" mean: ', where, ".")
    )
    yield Grid([("",), ("",), ("",)], rows)


def _anchor(p: Refuted, s: Slip) -> str:
    return (
        s.id if s.id.startswith(f"{p.paper.key}.") else f"{p.paper.key}.{s.id}"
    )


BRIEF = {
    "misprint": "slips",
    "remark": "remarks",
    "conversion": "perhaps",
    "not argued": "not",
}
"""Anchors of the lists of what is told in a line."""


def _told_at(p: Refuted, s: Slip) -> str:
    """The link to an entry, or to the list where a slip has a line."""
    if s in p.grave:
        return f"#{_anchor(p, s)}"
    return f"#{p.paper.key}-{BRIEF[p.severity(s)]}"


def _slip(s: Slip, p: Refuted, number: int, level: int) -> Iterator[Block]:
    """One entry: printed, meant, the strongest counterexample, harm, repair, and a line for each place."""
    e = p.entry(s)
    title: Line = (f"{number}. {s.title}", f" ({p.severity(s)})")
    yield Heading(level, title, _anchor(p, s))
    if e:
        yield from _printed(e)
        yield from labelled("Instead", s.meant)
        for label, note in _notes(e).items():
            yield from labelled(label, note)
        yield from labelled(
            "Counterexample", f"{e.counterexample.rstrip()} {e.width}"
        )
        if e.python.strip():
            yield Code(e.python, "python")
        if e.step and e.step not in s.places:
            yield Paragraph("First step that fails", _step(e, p))
        yield from labelled("Why", e.argument)
    yield from labelled("Harm", s.harm or (e.harm if e else ""))
    yield from _repair(s, e, p)
    if e:
        yield from labelled("Limit", e.limit)
    if len(s.places) > 1:
        yield Paragraph("Where it shows", ())
        first, *others = s.places
        yield Items([_named(first, p), *(_place(id, s, p) for id in others)])
    else:
        yield from (Paragraph("The claim", _named(id, p)) for id in s.places)


def _step(e: Erratum, p: Refuted) -> Line:
    """The step as a claim with its verdict, or as a sentence."""
    if not e.step_claim:
        return (e.step,)
    r = p.report.by_id.get(e.step)
    return (
        (Link(e.step, _module(r)), f" {verdict_told(r)}.")
        if r
        else (Link(e.step, ""),)
    )


def _printed(e: Erratum) -> Iterator[Block]:
    if e.printed.strip():
        yield Paragraph("Printed", (f"{e.where.rstrip('.')}.",))
        yield from displayed(e.printed)


def _repair(s: Slip, e: Erratum | None, p: Refuted) -> Iterator[Block]:
    told: list[str | Strong | Link] = [s.repair or (e.repaired if e else "")]
    for r in p.repairs(s):
        proved = r.outcome.name == "PROVED"
        checked = _checked(r.id, p) if proved else ""
        told += [" ", Link(r.id, _module(r)), f" {verdict_told(r)}{checked}."]
    if len(told) > 1 or told[0]:
        yield Paragraph("Repair", tuple(told))


def verdict_told(r: Row) -> str:
    """A verdict with the set of a proof; of what holds, how tight it was seen to be, and whether a part is shown."""
    if r.outcome.name == "PROVED":
        return f"is PROVED {r.reason.partition(';')[0]}"
    seen = [f"tightness {r.tight}"] if r.tight else []
    seen += ["shown on a part"] if r.shown else []
    return r.outcome.name + (f" ({', '.join(seen)})" if seen else "")


def _place(id: str, s: Slip, p: Refuted) -> Line:
    """The claim, where it is in the paper, by how much it fails, how it is read, its harm, and how grave it is."""
    r, e = p.report.by_id[id], p.errata.get(id)
    where = e.where.rstrip(".") if e and e.where else r.source
    width = e.width if e and e.width else f"{spoken(r.reason)}."
    harm = f" Harm: {e.harm}" if e and e.harm else ""
    gravity = e.gravity if e else p.severity(s)
    mark = f"{gravity.capitalize()}: " if gravity != p.severity(s) else ""
    return (*_named(id, p), f" {mark}{where}: {width}{_aside(e)}{harm}")


def _notes(e: Erratum | None) -> dict[str, str]:
    """How the text is read where it leaves that open, and what its conversion may have lost."""
    told = {"Read as": e.read_as, "Conversion": e.conversion} if e else {}
    return {k: " ".join(v.split()) for k, v in told.items() if v.strip()}


def _aside(e: Erratum | None) -> str:
    """The notes on a place, in brackets."""
    told = "; ".join(
        f"{k.lower()}: {v.rstrip('.')}" for k, v in _notes(e).items()
    )
    return f" ({told}.)" if told else ""


def _named(id: str, p: Refuted) -> Line:
    """A claim, its certificate, and whether a proof assistant has checked it."""
    r = p.report.by_id[id]
    return (Link(id, _module(r)), *_certificate(r), _checked(id, p))


def _checked(id: str, p: Refuted) -> str:
    """Whether a proof assistant has checked it, too."""
    checked = p.report.rocq.get(id, "").startswith("checked")
    return " (Rocq)" if checked else ""


def _certificate(r: Row) -> Line:
    return (
        (" ", Link("certificate", UP + r.certificate)) if r.certificate else ()
    )


def _module(r: Row) -> str:
    """The file and line of a claim of theory/; nothing elsewhere, whose paths are not ours to link."""
    path, _, line = r.location.rpartition(":")
    ours = (
        path.startswith("theory/") and path.endswith(".py") and ".." not in path
    )
    return f"{UP}{path}#L{line}" if ours and line.isdigit() else ""


def _short(
    title: str, slips: list[Slip], p: Refuted, level: int
) -> Iterator[Block]:
    """A line for each slip of the pen."""
    if slips:
        yield Heading(
            level, (title,), f"{p.paper.key}-{title.split()[0].lower()}"
        )
        yield Items([_brief(s, p) for s in slips])


def _brief(s: Slip, p: Refuted) -> Line:
    """The place, what is printed, what is right, how it was read, harm, and the claims with their notes."""
    e = p.entry(s)
    printed = " ".join(e.printed.split()) if e else ""
    told = {
        "Place": e.where if e and s.title not in ("", e.where) else "",
        "Printed": f"${printed}$"
        if printed and "$" not in printed
        else printed,
        "Instead": s.meant or s.repair or (e.repaired if e else ""),
        **_notes(e),
        "Harm": s.harm or (e.harm if e else ""),
    }
    words = " ".join(
        f"{k}: {v.strip().rstrip('.')}." for k, v in told.items() if v
    )
    names: list[str | Strong | Link] = []
    for id in s.places:
        e = p.errata.get(id) if id != s.places[0] else None
        other = e is not None and e.gravity != p.severity(s)
        mark = f" {e.gravity.capitalize()}: " if e and other else " "
        names += [
            mark,
            *_named(id, p),
            f" {e.where.rstrip('.')}" if e else "",
            _aside(e),
        ]
    return (Strong(f"{s.title or s.id}."), f" {words}", *names)


# all papers


def all_papers(report: Document) -> Iterator[Block]:
    """The page of all papers. Raises CannotRead."""
    papers = of_papers(report, folders())
    yield Heading(1, ("Errata",))
    yield Paragraph(
        "",
        (
            "What the papers print and the engine refutes, slip by slip. Each place has a certificate, which"
            " `boundcheck verify` checks without the engine. Which claims are here is the verdict's decision; the"
            " words are a person's.",
        ),
    )
    yield from _matters(headlines(papers), 2)
    yield from _counts(papers)
    yield from legend(2)
    for p in papers:
        yield from paper_page(p, 2)


def headlines(papers: Sequence[Refuted]) -> list[tuple[Slip, Refuted]]:
    """The slips with a headline, by rank. Raises CannotRead."""
    of = {id(s): p for p in papers for s in p.slips}
    return [
        (s, of[id(s)]) for s in in_order(s for p in papers for s in p.slips)
    ]


def _matters(ranked: list[tuple[Slip, Refuted]], level: int) -> Iterator[Block]:
    if ranked:
        yield Heading(level, ("What matters",), "matters")
        lines = [_headline(s, p) for s, p in ranked]
        yield Items(lines, numbered=True)


def _headline(s: Slip, p: Refuted) -> Line:
    text = s.headline.text if s.headline else ""
    return (text, " ", Link(p.number(s), _told_at(p, s)))


def _counts(papers: list[Refuted]) -> Iterator[Block]:
    """How many slips of each severity each paper has."""
    unargued = any(p.of_severity("not argued") for p in papers)
    names = [*SEVERITIES, "remark", *(["not argued"] if unargued else [])]
    counts = [[len(p.of_severity(name)) for name in names] for p in papers]
    totals = [sum(column) for column in zip(*counts)] or [0] * len(names)
    rows: list[Sequence[Line]] = []
    for first, row in zip(
        [(Link(p.paper.name, f"#{p.paper.key}"),) for p in papers], counts
    ):
        rows.append((first, *((str(n or ""),) for n in row)))
    rows.append((("all",), *((str(n or ""),) for n in totals)))
    yield Heading(2, ("Slips and remarks by paper and severity",))
    yield Grid([("paper",), *((name,) for name in names)], rows, numbers=True)
