"""The graph of a paper's claims as trees: below a theorem the steps of its proof, below each what repairs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boundcheck.report.document import Document
from boundcheck.report.row import Row

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
    joined.sort(key=lambda tree: (not tree.refuted, all(n.repair for n in tree.below), not tree.row.refuted))
    return Graph(tuple(joined), len(trees) - len(joined))


class _Walk:
    """A walk through the claims of a report that remembers which ones it has met."""

    def __init__(self, report: Document):
        self.report = report
        self.met: set[str] = set()

    def node(self, r: Row, above: tuple[Row, ...], repair: bool = False) -> Node:
        """The tree from a claim on, below the claims that lead to it."""
        again = r.id in self.met or len(above) > DEEPEST
        below: list[Node] = []
        if not again:
            self.met.add(r.id)
            steps = [s for s in self.report.steps(r.id) if r.id in s.step_of]
            own = {s.id for s in steps}
            # A repaired step stands beside the printed one.
            below = [self.node(s, (*above, r)) for s in steps if not own & set(s.repairs)]
            below += [self.node(o, (*above, r), True) for o in self.report.rows if r.id in o.repairs]
        first = any(r is proof.first for a in above if (proof := self.report.proofs.get(a.id)))
        return Node(r, _name(r, above), tuple(below), again, first, repair)


def _name(r: Row, above: tuple[Row, ...]) -> str:
    """The id without the parts that it shares with the claim before, or without the paper."""
    parts, before = r.id.split("."), above[-1].id.split(".") if above else [r.paper]
    shared = next((k for k, (a, b) in enumerate(zip(parts, before)) if a != b), min(len(parts), len(before)))
    return ".".join(parts[min(shared, len(parts) - 1) :])
