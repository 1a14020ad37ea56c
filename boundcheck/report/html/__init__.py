"""The report as one self-contained HTML page: no network, no other file, texts escaped; cells of notebooks.

What it shows: what matters, papers and their theorems, totals, columns of tightness, changes, trees of proofs,
claims.

`math.woff2` has the signs of formulas and their tall forms, so that brackets and roots stretch on a machine
without a font for mathematics. It is a part of TeX Gyre Pagella Math 1.632 (GUST e-foundry, GUST Font
License), made with pyftsubset and renamed.
"""

from __future__ import annotations

import hashlib
import math
import shlex
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from boundcheck.checking.verdict import SHOWN, Outcome
from boundcheck.domains.in_words import each_in_words
from boundcheck.report import in_six_digits, printable, spoken
from boundcheck.report.document import (
    SCHEMA_VERSION,
    Document,
    Plot,
    Row,
    Series,
)
from boundcheck.report.gate import RADIUS
from boundcheck.report.html.blocks import body, with_formulas
from boundcheck.report.html.formulas import letter, stated, typeset
from boundcheck.report.paper import Refuted, of_papers
from boundcheck.report.paper.blocks import Block
from boundcheck.report.paper.folders import folders
from boundcheck.report.paper.page import FATES, headlines
from boundcheck.report.paper.slips import Slip
from boundcheck.words.claims import KINDS

HERE = Path(__file__).parent
View = dict[str, Any]

FEW = 20
"""As many claims are seen at a glance in the list: no cards of papers, and no columns of tightness."""

TIGHT = (0.0, 1e-6, 1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999, float("inf"))
TIGHT_LABELS = (
    "< 10⁻⁶",
    "10⁻⁶",
    "10⁻³",
    "0.01",
    "0.1",
    "0.5",
    "0.9",
    "0.99",
    "tight",
)
LOOSE = (0.0, 0.0953, 0.6931, 2.3026, 6.9078, float("inf"))
LOOSE_LABELS = ("to × 1.1", "to × 2", "to × 10", "to × 10³", "beyond")


def page(report: Document, title: str = "Verdicts") -> str:
    """The page of a report; `earlier` ones of the document are shown as its history."""
    script, style = (
        (HERE / name).read_text(encoding="utf-8")
        for name in ("page.js", "style.css")
    )
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    known = of_papers(report, folders())
    return template("page").render(
        title=title,
        report=report,
        schema=SCHEMA_VERSION,
        overview=overview(report, known),
        groups=groups(report),
        rates=[p for c in report.rates if (p := drawing(c))],
        script=Markup(script),
        script_hash=digest,
        style=Markup(font() + tones() + style),
    )


def sheet(blocks: Iterable[Block], title: str) -> str:
    """Blocks as a page that stands by itself."""
    style = Markup(
        font() + tones() + (HERE / "style.css").read_text(encoding="utf-8")
    )
    return template("paper").render(title=title, style=style, body=body(blocks))


@cache
def template(name: str) -> Template:
    """A template of this folder."""
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"marked": with_formulas, "printable": printable}
    return environment.get_template(f"{name}.html.j2")


def font() -> str:
    """The font of formulas inside the page."""
    data = b64encode((HERE / "math.woff2").read_bytes()).decode()
    return f'@font-face {{ font-family: "boundcheck math"; src: url(data:font/woff2;base64,{data}); }}\n'


def tones() -> str:
    """The colours of the outcomes, on light and on dark pages, and their signs."""
    names = [(o, o.name.lower()) for o in Outcome]
    colours = [[(name, *o.tones[k]) for o, name in names] for k in (0, 1)]
    light, dark = (
        " ".join(f"--{n}: {tone}; --{n}-tint: {tint};" for n, tone, tint in of)
        for of in colours
    )
    rules = [
        f":root {{ {light} }}",
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}',
        f':root[data-theme="dark"] {{ {dark} }}',
        *(
            f'.{o.name}, [data-outcome="{o.name}"] {{ --tone: var(--{name}); --tint: var(--{name}-tint);'
            f' --sign: "{o.symbol}"; --said: "{o.name}"; }}'
            for o, name in names
        ),
    ]
    return "\n".join([*rules, ""])


# cells of notebooks: a table with a row for each claim; below that of a single one its formula


Instance = Mapping[str, Any] | None


def card(r: Row, instance: Instance) -> str:
    """The verdict on one claim, why, and where it fails; below it what is claimed."""
    stated = typeset(r.statement)
    return listing([(r, instance)]) + _cell(
        "formula", stated.lines if stated else ()
    )


def listing(rows: Sequence[tuple[Row, Instance]]) -> str:
    """A table with a row for each claim."""
    return _cell("listing", [(r, _place(instance)) for r, instance in rows])


def _place(instance: Instance) -> list[tuple[Markup, str]]:
    told = each_in_words(instance or {})
    return [(letter(name), text) for name, text in told.items()]


def _cell(macro: str, *arguments: object) -> str:
    return str(getattr(template("notebook").module, macro)(*arguments))


# what the page shows


FIRST = 3
"""Findings on the first screen."""

LIGHT = ("misprint", "remark")


def overview(report: Document, known: Sequence[Refuted] = ()) -> View:
    """What matters, papers, totals, columns of tightness, graphs, and what the filters offer."""
    written = {p.paper.key: p for p in known}
    rows = report.rows
    tight = [
        (r.tightness, r)
        for r in rows
        if not r.refuted and r.tightness is not None
    ]
    loose = [(r.excess, r) for r in rows if r.refuted and r.excess is not None]
    papers = {
        name: [r for r in rows if r.paper == name]
        for name in sorted({r.paper for r in rows})
    }
    chance = report.ledger["total"]
    once_in = (
        f"{1 / chance:,.0f}".replace(",", "\u202f")
        if chance > 1e-15
        else f"1/{chance:g}"
    )
    return {
        "counts": [
            {"outcome": outcome, "count": report.counts[outcome]}
            for outcome in report.listed
        ],
        "matters": [_finding(s, p) for s, p in headlines(known)[:FIRST]],
        "papers": [
            _paper(name, found, written.get(name))
            for name, found in papers.items()
        ],
        "few": len(rows) <= FEW,
        "kinds": _kinds(rows),
        "once_in": once_in,
        "tight": _columns(tight, TIGHT, TIGHT_LABELS),
        "loose": _columns(loose, LOOSE, LOOSE_LABELS),
        "graphs": [
            (name, g)
            for name, found in papers.items()
            if (g := graph(report, found)).trees
        ],
        "changes": changes(report),
        "restated": sum(
            _any(_history(report, id), _restated) for id in _known(report)
        ),
    }


def _finding(s: Slip, p: Refuted) -> View:
    """A headline, the counterexample in words, and the claim that shows it."""
    e = p.entry(s)
    text = s.headline.text if s.headline else s.title
    return {
        "text": text,
        "counterexample": e.counterexample if e else "",
        "id": s.places[0],
    }


def _paper(name: str, rows: list[Row], written: Refuted | None) -> View:
    kinds = [
        {"name": kind, "chips": [r for r in rows if r.kind == kind]}
        for kind in _kinds(rows)
    ]
    counts = Counter(r.outcome for r in rows)
    shares = [
        (outcome.name, counts[outcome]) for outcome in SHOWN if counts[outcome]
    ]
    return {
        "name": name,
        "count": len(rows),
        "kinds": kinds,
        "shares": shares,
        **_told(written),
    }


def _told(p: Refuted | None) -> View:
    """Title, authors, theorems with what becomes of them, and the claims that fail by a slip of the pen alone."""
    if p is None:
        return {"title": "", "authors": "", "theorems": [], "light": set()}
    theorems = [
        (t.name, p.fate(t), FATES[p.fate(t)], t.says)
        for t in p.written.theorems
    ]
    light = {
        e.id for e in p.errata.values() if e.is_remark or e.severity in LIGHT
    }
    authors = ", ".join(p.paper.authors) + (
        f" ({p.paper.year})" if p.paper.year else ""
    )
    return {
        "title": p.paper.title,
        "authors": authors,
        "theorems": theorems,
        "light": light,
    }


def _kinds(rows: Iterable[Row]) -> list[str]:
    there = {r.kind for r in rows}
    return [kind for kind in KINDS if kind in there] + sorted(
        there - set(KINDS)
    )


def _columns(
    rated: list[tuple[float, Row]],
    edges: tuple[float, ...],
    labels: tuple[str, ...],
) -> list[View]:
    """Columns of claims by the largest left side / right side seen, or by the factor of the violation."""
    ranges = [
        (-float("inf") if k == 0 else low, high)
        for k, (low, high) in enumerate(pairwise(edges))
    ]
    return [
        {
            "label": label,
            "chips": [r for value, r in rated if low <= value < high],
        }
        for (low, high), label in zip(ranges, labels, strict=True)
    ]


def changes(report: Document) -> list[View]:
    """The claims that changed from report to report, worse ones first; `cells` has one for each report.

    A change is another verdict, a claim that comes or goes, or a tightness that no longer agrees with the one
    before within the radius that the gate allows; another text alone is none.
    """
    told = [
        {"id": id, "row": report.by_id.get(id), "cells": _history(report, id)}
        for id in _known(report)
    ]
    return sorted(
        (change for change in told if _any(change["cells"], _moved)), key=_rise
    )


def _known(report: Document) -> list[str]:
    """The ids of all reports."""
    return sorted(
        {id for _, earlier in report.earlier for id in earlier.by_id}
        | report.by_id.keys()
    )


def _history(report: Document, id: str) -> list[Row | None]:
    return [
        *(earlier.by_id.get(id) for _, earlier in report.earlier),
        report.by_id.get(id),
    ]


def _any(
    history: list[Row | None], differ: Callable[[Row | None, Row | None], bool]
) -> bool:
    return any(differ(before, after) for before, after in pairwise(history))


def _moved(before: Row | None, after: Row | None) -> bool:
    if (
        before is None
        or after is None
        or before.tightness is None
        or after.tightness is None
    ):
        return (before and (before.outcome, before.tightness)) != (
            after and (after.outcome, after.tightness)
        )
    return (
        before.outcome is not after.outcome
        or abs(before.tightness - after.tightness) > 2 * RADIUS
    )


def _restated(before: Row | None, after: Row | None) -> bool:
    return (
        before is not None
        and after is not None
        and before.fingerprint != after.fingerprint
    )


def _rise(change: View) -> float:
    """How far the verdict rose from the first report to the last; of a new claim more than any other can."""
    first, last = (
        0.5 if r is None else r.outcome.worth
        for r in (change["cells"][0], change["cells"][-1])
    )
    return last - first + (10 if change["cells"][0] is None else 0)


def groups(report: Document) -> list[tuple[Any, list[View]]]:
    """For each outcome, the refuted first, a view of each of its claims in the order of the report."""
    found: dict[Any, list[View]] = defaultdict(list)
    for r in report.rows:
        found[r.outcome].append(_view(r, report))
    return [(outcome, found[outcome]) for outcome in SHOWN if found[outcome]]


def _view(r: Row, report: Document) -> View:
    proof, by_id = report.proofs.get(r.id), report.by_id
    history = _history(report, r.id)
    return {
        "row": r,
        "typeset": typeset(r.statement),
        "source": stated(r.statement),
        "tightness": _tightness(r),
        **_plots(r),
        "reason": in_six_digits(r.reason),
        "spoken": spoken(r.reason),
        "killed": _twins(r, True),
        "alive": _twins(r, False),
        "steps": report.steps(r.id),
        "first": proof.first if proof else None,
        "false": [by_id[i] for i in r.repairs if i in by_id],
        "repairs": [o for o in report.rows if r.id in o.repairs],
        "serves": [(i, by_id.get(i)) for i in r.step_of],
        "rocq": report.rocq.get(r.id),
        "commands": commands(r, report.plan["seed"]),
        "history": history
        if _any(history, _moved) or _any(history, _restated)
        else [],
        "joined": bool(
            r.step_of
            or r.repairs
            or any(r.id in (*o.step_of, *o.repairs) for o in report.rows)
        ),
    }


def _plots(r: Row) -> View:
    """The plots, and the instance they are all around where the page does not show it yet."""
    plots = [p for c in r.curves if (p := drawing(c))]
    around = {p["at"] for p in plots}
    shared = around.pop() if len(around) == 1 else ""
    plots = [{**p, "at": "" if shared else p["at"]} for p in plots]
    return {"plots": plots, "around": "" if shared == r.instance else shared}


def _tightness(r: Row) -> View | None:
    """The ratio as text, and the share of a bar that runs from 10^-3 to 1 on a log scale."""
    if r.tightness is None or r.refuted:
        return None
    decades = next(
        (k / 30 for k in range(91) if r.tightness >= 10 ** (-k / 30)), 3
    )
    return {"text": r.tight, "share": round(100 * (1 - decades / 3))}


def _twins(r: Row, refuted: bool) -> str:
    """Labels of the perturbed twins that are refuted or not: `right-hand side x 0.1, 0.5, 0.9`."""
    groups: dict[str, list[str]] = defaultdict(list)
    for label in sorted(
        label for label, killed in r.power.items() if killed is refuted
    ):
        what, times, factor = label.rpartition(" x ")
        groups[what + times].append(factor)
    return "; ".join(
        what + ", ".join(factors) for what, factors in groups.items()
    )


def commands(r: Row, seed: int) -> list[str]:
    """What re-checks a claim: the verifier on its certificate and its text, and the engine on its text."""
    file = (
        ""
        if r.location.startswith("theory/")
        else _argument(r.location.rpartition(":")[0])
    )
    again = f"boundcheck check {file or _argument(r.id)}" + (
        f" --seed {seed}" if seed else ""
    )
    verify = (
        f"boundcheck verify {_argument(r.certificate or '')} {file}".rstrip()
    )
    return [verify, again] if r.certificate else [again]


def _argument(text: str) -> str:
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


# the claims of a paper as trees: below a theorem the steps of its proof, below each what repairs it


DEEPEST = 12


@dataclass(frozen=True)
class Node:
    """A claim where the graph leads to it; `again` where it has been met before, with all that is below it.

    `name` is its id without what the place already says, `first` whether it is the first step of a proof to
    fail, `repair` whether it stands here as a repair.
    """

    row: Row
    name: str
    below: tuple[Node, ...]
    again: bool
    first: bool
    repair: bool

    @property
    def refuted(self) -> int:
        """How many claims of the tree are refuted."""
        return self.row.refuted + sum(node.refuted for node in self.below)


@dataclass(frozen=True)
class Graph:
    """Trees of two claims or more, first those with something refuted, proofs before mere repairs.

    `alone` counts the claims that are in none.
    """

    trees: tuple[Node, ...]
    alone: int


def graph(report: Document, rows: Sequence[Row]) -> Graph:
    """The graph of some claims of a report; each leads on where it is first met, circles included."""
    ids = {r.id for r in rows}
    top = [r for r in rows if not ids & {*r.step_of, *r.repairs}]
    walk = _Walk(report)
    trees = [walk.node(r, ()) for r in top]
    trees += [walk.node(r, ()) for r in rows if r.id not in walk.met]
    joined = [tree for tree in trees if tree.below]
    joined.sort(
        key=lambda tree: (
            not tree.refuted,
            all(n.repair for n in tree.below),
            not tree.row.refuted,
        )
    )
    return Graph(tuple(joined), len(trees) - len(joined))


class _Walk:
    """A walk through the claims of a report that remembers which ones it has met."""

    def __init__(self, report: Document):
        self.report = report
        self.met: set[str] = set()

    def node(
        self, r: Row, above: tuple[Row, ...], repair: bool = False
    ) -> Node:
        """The tree from a claim on, below the claims that lead to it."""
        again = r.id in self.met or len(above) > DEEPEST
        below: list[Node] = []
        if not again:
            self.met.add(r.id)
            steps = [s for s in self.report.steps(r.id) if r.id in s.step_of]
            own = {s.id for s in steps}
            # A repaired step stands beside the printed one.
            below = [
                self.node(s, (*above, r))
                for s in steps
                if not own & set(s.repairs)
            ]
            below += [
                self.node(o, (*above, r), True)
                for o in self.report.rows
                if r.id in o.repairs
            ]
        first = any(
            r is proof.first
            for a in above
            if (proof := self.report.proofs.get(a.id))
        )
        return Node(r, _name(r, above), tuple(below), again, first, repair)


def _name(r: Row, above: tuple[Row, ...]) -> str:
    """The id without the parts that it shares with the claim before, or without the paper."""
    parts, before = (
        r.id.split("."),
        above[-1].id.split(".") if above else [r.paper],
    )
    shared = next(
        (k for k, (a, b) in enumerate(zip(parts, before)) if a != b),
        min(len(parts), len(before)),
    )
    return ".".join(parts[min(shared, len(parts) - 1) :])


# curves as geometry: axes with round ticks, and the paths and labels that the SVG template draws


WIDTH, HEIGHT = 420, 260
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 12, 46
"""The style sheet puts labels at the same places."""

REFERENCES = ("allowed", "violated above")
"""Lines that others are compared with, as those of a rate are."""

STATES = ("outside the hypotheses", "vacuous", "says something", "violated")
MARKS = (" ", "∅", "✓", "✗")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


Point = tuple[int, int]


def drawing(curve: Plot) -> dict[str, Any] | None:
    """What the template draws; None where nothing can be drawn."""
    return _strips(curve) if curve["kind"] == "vacuity" else _lines(curve)


def _lines(curve: Plot) -> dict[str, Any] | None:
    series = curve["series"]
    ys = [
        v
        for s in series
        for name in ("y", "low", "high")
        for v in s.get(name) or ()
    ]
    x = axis(
        (v for s in series for v in s["x"]),
        "x" in curve["log"],
        LEFT,
        WIDTH - RIGHT,
    )
    y = axis(ys, "y" in curve["log"], HEIGHT - BOTTOM, TOP)
    lines = (
        []
        if x is None or y is None
        else [(s, _points(s["x"], s["y"], x, y)) for s in series]
    )
    if (
        x is None
        or y is None
        or all(len({p[0] for p in points if p}) < 2 for _, points in lines)
    ):
        return None
    marker = curve.get("marker")
    marker = x.at(marker) if marker is not None and x.holds(marker) else None
    return {
        **_texts(curve),
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "bottom": HEIGHT - BOTTOM,
        "xticks": x.ticks(),
        "yticks": y.ticks(),
        "marker": marker,
        "lines": [
            {
                "label": s["label"],
                "path": _path(points),
                "band": _band(s, x, y),
                "reference": s["label"] in REFERENCES
                or s["label"].startswith("1/"),
            }
            for s, points in lines
        ],
    }


def _texts(curve: Plot) -> dict[str, Any]:
    return {
        name: curve.get(name) or ""
        for name in ("kind", "title", "xlabel", "ylabel", "at")
    }


def _points(
    xs: Sequence[Any], ys: Sequence[Any], x: Axis, y: Axis
) -> list[Point | None]:
    """Pixels, None where a number is missing or off the axis."""
    return [
        (x.at(a), y.at(b)) if x.holds(a) and y.holds(b) else None
        for a, b in zip(xs, ys, strict=False)
    ]


def _path(points: list[Point | None]) -> str:
    """Lines through neighbours, broken where a point is missing, without points inside a straight line."""
    runs = [
        [p for p in run if p]
        for there, run in groupby(points, key=lambda p: p is not None)
        if there
    ]
    return "".join(
        "M" + "L".join(f"{x:g},{y:g}" for x, y in _bends(run)) for run in runs
    )


def _bends(run: list[Point]) -> list[Point]:
    """The ends, and of the points between them those without which the line would be half a pixel off."""
    kept = [0]
    for k in range(1, len(run) - 1):
        if any(
            _is_off(point, run[kept[-1]], run[k + 1])
            for point in run[kept[-1] + 1 : k + 1]
        ):
            kept.append(k)
    return [run[k] for k in kept] + run[1:][-1:]


def _is_off(point: Point, start: Point, end: Point) -> bool:
    (x, y), (x0, y0), (x1, y1) = point, start, end
    return 2 * abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) > math.dist(
        start, end
    )


def _band(series: Series, x: Axis, y: Axis) -> str:
    low, high = (
        _points(series["x"], series.get(name) or [], x, y)
        for name in ("low", "high")
    )
    edge = [p for p in high if p] + [p for p in reversed(low) if p]
    return _path(list(edge)) + " Z" if edge else ""


def _strips(curve: Plot) -> dict[str, Any] | None:
    """Nothing where the statement is in one state all along: the verdict says it."""
    rows = [row for s in curve["series"] if (row := _strip(s))]
    there = sorted({run["state"] for row in rows for run in row["runs"]})
    legend = [(MARKS[state], STATES[state], state) for state in there]
    return (
        {**_texts(curve), "rows": rows, "legend": legend}
        if len(there) > 1
        else None
    )


def _strip(series: Series) -> dict[str, Any] | None:
    """One parameter: runs of neighbouring values at which the statement is in the same state."""
    points = zip(series["x"], series["y"], strict=False)
    cells = [
        (x, int(y)) for x, y in points if x is not None and y in (0, 1, 2, 3)
    ]
    if not cells:
        return None
    runs = [
        (state, [x for x, _ in run])
        for state, run in groupby(cells, key=lambda cell: cell[1])
    ]
    return {
        "label": series["label"],
        "first": numeral(float(f"{cells[0][0]:.2g}")),
        "last": numeral(float(f"{cells[-1][0]:.2g}")),
        "runs": [
            {
                "state": k,
                "mark": MARKS[k],
                "share": len(xs),
                "text": _range(xs, k),
            }
            for k, xs in runs
        ],
    }


def _range(xs: list[float], state: int) -> str:
    where = (
        numeral(xs[0])
        if len(xs) == 1
        else f"{numeral(xs[0])} to {numeral(xs[-1])}"
    )
    return f"{where}: {STATES[state]}"


@dataclass(frozen=True)
class Axis:
    """The range of an axis in numbers and in pixels."""

    low: float
    high: float
    log: bool
    start: float
    end: float

    def at(self, value: float) -> int:
        """The pixel of a number."""
        low, high, x = (
            math.log10(v) if self.log else v
            for v in (self.low, self.high, value)
        )
        return round(
            self.start + (x - low) / (high - low) * (self.end - self.start)
        )

    def holds(self, value: float | None) -> bool:
        return value is not None and self.low <= value <= self.high

    def ticks(self) -> list[tuple[int, str]]:
        """Pixels and labels of some round numbers in the range."""
        values = (
            _decades(self.low, self.high)
            if self.log
            else _steps(self.low, self.high)
        )
        return [
            (self.at(v), numeral(v))
            for v in values
            if self.low <= v <= self.high
        ]


def axis(
    values: Iterable[float | None], log: bool, start: float, end: float
) -> Axis | None:
    """An axis that holds all values, with a margin if they are few; None if there is nothing to show."""
    usable = [
        v
        for v in values
        if v is not None and (v > 1e-300 if log else abs(v) < 1e300)
    ]
    if not usable:
        return None
    low, high = float(min(usable)), float(max(usable))
    if log:
        low, high = (low / 2, high * 2) if high < 1.2 * low else (low, high)
    elif high - low <= 1e-9 * max(abs(low), abs(high), 1e-300):
        low, high = low - max(abs(low), 1) / 2, high + max(abs(high), 1) / 2
    return Axis(low, high, log, start, end)


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten, thinned; 1, 2, 5 between them where the range is short."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    if math.log10(high / low if low > high * 1e-200 else 1e200) > 2.5:
        every = max(1, math.ceil((last - first) / 6))
        return [
            10.0**k
            for k in range(first, last + 1)
            if k % every == 0 and -300 < k < 300
        ]
    marks = [
        m * 10.0**k
        for k in range(first, last + 1)
        for m in (1, 2, 5)
        if -300 < k < 300
    ]
    inside = [v for v in marks if low <= v <= high]
    return inside if len(inside) >= 2 else _steps(low, high)


def _steps(low: float, high: float) -> list[float]:
    raw = (high - low) / 4
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(m * size for m in (1, 2, 2.5, 5, 10) if m * size >= raw * 0.999)
    first = math.ceil(low / step)
    return [
        round(k * step, 12) if step > 1e-9 else k * step
        for k in range(first, first + 7)
    ]


def numeral(value: float) -> str:
    """`0.05`, `200`, or `10⁻⁶`."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    power = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    plain = mantissa.removesuffix(".0")
    return power if plain == "1" else f"{plain}·{power}"
