"""Numbers that a text names are tried: there, if anywhere, it says something else."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle, pairwise
from typing import Any

from boundcheck.domains import Chart, Raw
from boundcheck.domains.domain import named_dims
from boundcheck.tape.texts import NoText, Text
from boundcheck.words.claims import Claim


def at_named_numbers(
    claim: Claim, drawn: Sequence[dict[str, Raw]]
) -> Iterator[dict[str, Raw]]:
    """Drawn instances in which a parameter is a number that the text names and no draw has.

    Whole parameters take every number of the text and its neighbours, others what it compares with, and what
    lies between.
    """
    nodes = _nodes(claim)
    whole = {x + step for x in _numbers(claim, nodes) for step in (-1, 0, 1)}
    compared = [
        x
        for node in nodes
        if isinstance(node, ast.Compare)
        for x in ast.walk(node)
    ]
    ends = _numbers(claim, compared)
    between = {(a + b) / 2 for a, b in pairwise(sorted(ends))}
    sizes = named_dims(claim.parameters)
    for name, domain in claim.parameters.items():
        chart = domain.chart
        if name in sizes or domain.axes != () or not isinstance(chart, Chart):
            continue
        near, kind = (whole, int) if chart.whole else (ends | between, float)
        new = near - {raw[name] for raw in drawn}
        for raw, x in zip(cycle(drawn), sorted(filter(chart.contains, new))):
            yield {**raw, name: kind(x)}


def _nodes(claim: Claim) -> list[ast.AST]:
    """All below the signature, of a lambda as of a definition; none of a text that is not at hand."""
    code = claim.body.__code__
    with suppress(NoText):
        function = Text.of(code.co_filename, claim.body.__globals__).function(
            code
        )
        body = (
            function.body
            if isinstance(function.body, list)
            else [function.body]
        )
        return [node for line in body for node in ast.walk(line)]
    return []


def _numbers(claim: Claim, nodes: Iterable[ast.AST]) -> set[float]:
    """Literals and numbers of the module that are floats, with both signs."""
    module, found = claim.body.__globals__, set[float]()
    for node in nodes:
        x: Any = getattr(node, "value", None)
        if isinstance(node, ast.Name):
            x = module.get(node.id)
        if type(x) in (int, float) and abs(x) <= sys.float_info.max:
            found |= {x, -x}
    return found
