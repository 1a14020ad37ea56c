"""The contract of a feature map: its items, the draws that decide, what was found, as JSON and Markdown."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from boundcheck import report
from boundcheck.checking.verdict import Outcome
from boundcheck.report import markdown_table, plain
from boundcheck.report.formats import prose

REFUTED, HOLDS, VACUOUS, INCONCLUSIVE = (
    Outcome.REFUTED,
    Outcome.HOLDS,
    Outcome.VACUOUS,
    Outcome.INCONCLUSIVE,
)

THEOREMS = {
    "unbiased": "E phi(x)^T phi(y) = k(x, y)",
    "bounded": "|phi(x)|^2 <= B and s phi_i(x)^2 <= c^2 for all x",
    "variance": "Var phi(x)^T phi(y) <= V(x, y) / s",
    "rate": "E (phi(x)^T phi(y) - k(x, y))^2 falls as 1 / s, its root as s^(-1/2)",
    "deterministic": "random_state alone decides phi, and phi(x) depends on x alone",
    "data-independent": "fit takes nothing from X but its shape",
}
"""What theorems on random features need."""

INTERFACE = {
    "interface": "shape (n, s) for every s, inputs and parameters left alone, get_params and set_params",
    "float32": "float32 inputs cost at most n u (max_i sum_j |x_j d phi_i / d x_j| + 2 pi max_i |phi_i|),"
    " n = 8 (d + 8), u = 2^-24; a promised dtype is kept",
    "documented": "fitted attributes have the shapes and dtypes of the docstring",
}
"""What code around a feature map wants."""

CONTRACT = THEOREMS | INTERFACE
"""The items of the contract, in the order of a report."""

SAMPLED = ("unbiased", "bounded", "variance", "rate")
"""Items that draws decide; a few fits decide the others."""


def items_named(words: str) -> tuple[str, ...]:
    """Items for 'theorems', 'interface' or names, apart by commas. Raises ValueError for other words."""
    groups: dict[str, Collection[str]] = {
        "theorems": THEOREMS,
        "interface": INTERFACE,
    }
    wanted = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [
        word for word in wanted if word not in groups and word not in CONTRACT
    ]
    if unknown or not wanted:
        names = ", ".join(map(repr, unknown or [words]))
        items = ", ".join(CONTRACT)
        raise ValueError(
            f"There is no item {names}; choose theorems, interface, or of {items}."
        )
    return tuple(
        item
        for item in CONTRACT
        if any(item in groups.get(word, (word,)) for word in wanted)
    )


MOST_TRIALS = 10_000_000


@dataclass(frozen=True)
class Design:
    """Draws at each size, the sizes, inputs of a point, rows of the data to fit on, and the items asked for.

    The sizes are small on purpose: a range R costs every upper bound on a mean R log(1 / level) / trials, and
    E(k_s - k)^2 is large against that only where s is small. Of a map that conforms, an item is called
    REFUTED with probability at most `level`, all items together.
    """

    trials: int = 10_000
    sizes: tuple[int, ...] = (2, 8, 32)
    inputs: int = 3
    rows: int = 64
    level: float = 1e-6
    seed: int = 0
    items: tuple[str, ...] = tuple(CONTRACT)

    def __post_init__(self) -> None:
        if not 1 <= self.trials <= MOST_TRIALS:
            raise ValueError(
                f"Trials are 1 to {MOST_TRIALS}; give such a number instead of {self.trials}."
            )
        if (
            len(self.sizes) < 2
            or list(self.sizes) != sorted({*self.sizes})
            or self.sizes[0] < 1
        ):
            wanted = "at least two positive numbers, in increasing order"
            raise ValueError(f"Sizes are {wanted}; give, say, 2,8,32.")
        if not 0 < self.level <= 0.5:
            raise ValueError(
                f"An error level lies in (0, 1/2]; give, say, 1e-6 instead of {self.level}."
            )
        if min(self.inputs, self.rows) < 1 or self.seed < 0:
            raise ValueError(
                "Inputs and rows are positive and a seed is not negative; give such numbers."
            )


@dataclass(frozen=True)
class Item:
    """An item; `numbers` are those of the reason, for programs; `note` says what to think of the verdict."""

    name: str
    outcome: Outcome
    reason: str
    numbers: dict[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Conformance:
    """All items for one map: `parameters` as given, `library` where it comes from, `draws` at each size."""

    map: str
    kernel: str
    parameters: dict[str, Any]
    library: str
    design: Design
    draws: int
    items: tuple[Item, ...]

    def item(self, name: str) -> Item:
        """The item of that name. Raises KeyError."""
        return {item.name: item for item in self.items}[name]

    def found(self, outcomes: Collection[Outcome]) -> list[Item]:
        """The items with one of these outcomes."""
        return [item for item in self.items if item.outcome in outcomes]


# as JSON and as Markdown; the same run gives the same bytes, for nothing in them is a time


SCHEMA = "boundcheck-conformance-2"


def conformance_json(results: Sequence[Conformance]) -> str:
    """All maps, each with its design and its items; numbers beyond the floats are null."""
    record = {
        "schema": SCHEMA,
        "contract": CONTRACT,
        "maps": [_record(result) for result in results],
    }
    return json.dumps(plain(record), indent=1, allow_nan=False) + "\n"


def _record(result: Conformance) -> dict[str, Any]:
    items = [
        {**asdict(item), "outcome": item.outcome.name} for item in result.items
    ]
    return {**asdict(result), "items": items}


def conformance_markdown(results: Sequence[Conformance]) -> str:
    """The contract, a table of verdicts where there are several maps, and each map with its reasons."""
    title = prose(name(results[0])) if len(results) == 1 else "feature maps"
    asked, wanted = (
        [item.name for item in results[0].items],
        {True: "theorems", False: "an interface"},
    )
    rows = [
        (item, wanted[item in THEOREMS], prose(CONTRACT[item]))
        for item in asked
    ]
    lines = [
        f"# Conformance of {title}",
        "",
        *markdown_table(("item", "wanted by", "says"), rows),
        "",
    ]
    if len(results) > 1:
        marked = [
            (item, *(_marked(result.item(item)) for result in results))
            for item in asked
        ]
        lines += [*markdown_table(("item", *map(name, results)), marked), ""]
        if any(item.note for result in results for item in result.items):
            lines += ["\\* see the note in the table of the map.", ""]
    for result in results:
        lines += [*_section(result, 2 if len(results) > 1 else 0), ""]
    return "\n".join(lines).rstrip() + "\n"


def report_name(result: Conformance) -> str:
    """The name of the reports: letters, digits, dot, dash and underscore."""
    return f"conformance-{report.file_name(name(result))}"


def name(result: Conformance) -> str:
    """The class without its module."""
    return result.map.partition(":")[2]


def full_reason(item: Item) -> str:
    """The reason, and the note if there is one."""
    return f"{item.reason} (note: {item.note})" if item.note else item.reason


def _marked(item: Item) -> str:
    return item.outcome.name + (r"\*" if item.note else "")


def _section(result: Conformance, depth: int) -> list[str]:
    design = result.design
    given = (
        ", ".join(f"{key}={x!r}" for key, x in result.parameters.items())
        or "none, all by default"
    )
    sizes = ", ".join(map(str, design.sizes))
    draws = (
        f"Draws at each size {sizes}: {result.draws}"
        if result.draws
        else "No draws"
    )
    head = [f"{'#' * depth} {prose(name(result))}", ""] if depth else []
    return [
        *head,
        f"`{result.map}` of {prose(result.library)}; parameters: {prose(given)};"
        f" kernel: {prose(result.kernel)}. {draws}; seed {design.seed};"
        f" all sampled items together are wrongly refuted with probability at most {design.level:g}.", "",
        *markdown_table(("item", "verdict", "why"), [(i.name, i.outcome.mark, prose(full_reason(i))) for i in result.items]),
    ]  # fmt: skip
