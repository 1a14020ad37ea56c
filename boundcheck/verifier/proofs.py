"""Certificates of proof: a statement shown for all instances of a set, choice by choice and part by part.

A set says which whole numbers, which intervals of real parameters, and which shapes. What stands in a
certificate is for each choice of them the program of every path, and how the statement was shown, compressed
where there is much of it; all of it is shown again here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from flint import ctx, fmpq

from .boxes import Box, Route, Side, shown_on_all
from .conclusions import hypothesis
from .findings import allowance, demand
from .forms import shows
from .laws import groups
from .limits import BITS
from .numbers import rational
from .program import MOST_NODES, run
from .residues import Differ, NoRoot, Point, Residue, Solved
from .rings import Kind
from .scalars import Code, Unproved, entries, evaluate
from .seal import unpacked
from .squares import by_squares
from .sums import by_sums, require_at
from .uniform import POINTS, Model, at_shapes, check

KEYS = {"certificate_version", "claim", "set", "cases", "seal"}
CASE = {"choice", "part", "routes", "proof"}
MOST_WORK = 60_000_000
"""What a proof may take, in the units of the work of a certificate."""

MOST_CASES = 5_000
DEEPEST_TREE = 400
MOST_POINTS = 500
HEAVIEST = 2**80
"""The degree and the length of a difference of two sides that a point modulo a prime tells from 0,
but for a chance of 2^-29.

A polynomial of degree w vanishes at a part w / 2^127 of the points at the most, and w bits have w / 126 prime
factors among 2^117 primes that are 1 modulo 24, which makes 2^-35 together; so many points are tried at most.
"""

LONGEST_SUM = 500
"""The largest number that a sum runs up to: the text is run at all numbers before it, which takes some seconds."""

PRECISION = 212
MADE = {
    "gram": "{1} = {0} {0}^T",
    "correlation": "{1} = {0} {0}^T with the rows of {0} divided by their norms",
    "reflections": "{1} is the product of the reflections in the rows of {0}",
    "low_rank": "{1} = {1}[0] {1}[1]^T",
    "ridged": "{1} = {1}.factor {1}.factor^T + {1}.ridge I",
    "spectral": "{1} = Q diag({1}.spectrum) Q^T with the product Q of the reflections in the rows of {1}.mirrors",
}
"""How a parameter is made of arrays of other shapes."""

Choice = tuple[tuple[str, Any], ...]
RUN = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})")


@dataclass(frozen=True)
class Run:
    """Whole numbers from `low` to `high`, in the place of which a program has a real number.

    What is shown for all real numbers of [low, high] is shown for the whole ones among them. That a program is
    the text's at each of them is for the comparison with the text to say: a body that counts up to a number,
    takes it as a place or turns on it says so in conditions of its path, which are shown here or refused.
    """

    low: int
    high: int

    @classmethod
    def of_json(cls, given: str) -> Run:
        found = RUN.fullmatch(given)
        demand(found is not None, "malformed run of whole numbers")
        low, high = map(int, found.groups())  # pyright: ignore[reportOptionalMemberAccess]
        demand(
            low < high and str(cls(low, high)) == given,
            "a run has several numbers",
        )
        return cls(low, high)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    def __contains__(self, x: object) -> bool:
        return type(x) is int and self.low <= x <= self.high

    @property
    def interval(self) -> Interval:
        return Interval(fmpq(self.low), fmpq(self.high), True, True)

    @property
    def upwards(self) -> Interval:
        """All numbers from the first on, where an end less is more easily shown."""
        return Interval(fmpq(self.low), None, True, False)


def runs(choice: Mapping[str, Any]) -> dict[str, Run]:
    """The whole numbers of a choice of which a program has real ones."""
    return {name: x for name, x in choice.items() if isinstance(x, Run)}


@dataclass(frozen=True)
class Interval(Kind):
    """The values of a real parameter; an end that is None is infinite."""

    @classmethod
    def of_json(cls, given: Any) -> Interval:
        told = (
            isinstance(given, list)
            and len(given) == 4
            and all(type(x) is bool for x in given[2:])
        )
        demand(told, "malformed interval")
        low, high = (None if x is None else rational(x) for x in given[:2])
        demand(
            low is None or high is None or low < high, "an interval is empty"
        )
        open_ends = not (low is None and given[2]) and not (
            high is None and given[3]
        )
        demand(open_ends, "an infinite end is open")
        return cls(low, high, given[2], given[3])

    def __str__(self) -> str:
        low, high = (
            "inf" if x is None else _spelled(x) for x in (self.low, self.high)
        )
        return f"{'[' if self.closed else '('}{'-' if self.low is None else ''}{low}, {high}{']' if self.closed_above else ')'}"

    def contains(self, x: fmpq) -> bool:
        above = (
            self.low is None or self.low < x or (self.closed and x == self.low)
        )
        return bool(
            above
            and (
                self.high is None
                or x < self.high
                or (self.closed_above and x == self.high)
            )
        )

    def holds(self, other: Interval) -> bool:
        """Whether all of another interval is in it."""
        low = self.low is None or (
            other.low is not None
            and (
                self.low < other.low
                or (self.low == other.low and (self.closed or not other.closed))
            )
        )
        return low and bool(
            self.high is None
            or (
                other.high is not None
                and (
                    other.high < self.high
                    or (
                        self.high == other.high
                        and (self.closed_above or not other.closed_above)
                    )
                )
            )
        )


def _spelled(x: fmpq) -> str:
    """A decimal where it is short, else the quotient."""
    p, q = int(x.p), int(x.q)
    for digits in range(8):
        if 10**digits % q == 0:
            text = f"{abs(p) * (10**digits // q):0{digits + 1}d}"
            whole, rest = (
                (text[:-digits], text[-digits:]) if digits else (text, "")
            )
            return f"{'-' if p < 0 else ''}{whole}" + (
                f".{rest}" if rest else ""
            )
    return str(x)


@dataclass(frozen=True)
class Extent:
    """The set that a proof is about: an interval for each real parameter, choices of the whole numbers,
    or shapes."""

    reals: Mapping[str, Interval]
    choices: tuple[Choice, ...]
    shaped: bool
    made: Mapping[str, str]
    """How some parameters are made of the arrays whose shapes are given."""
    every: bool = False
    """Whether it is all instances of every size; the one choice is that of an instance."""

    @classmethod
    def of_json(cls, given: Any) -> Extent:
        told = isinstance(given, dict) and given.keys() - {"made", "sizes"} == {
            "reals",
            "choices",
            "shaped",
        }
        demand(
            told
            and type(given["shaped"]) is bool
            and isinstance(given["reals"], dict),
            "malformed set",
        )
        reals = {
            name: Interval.of_json(x)
            for name, x in sorted(given["reals"].items())
        }
        several = (
            isinstance(given["choices"], list)
            and 0 < len(given["choices"]) <= MOST_CASES
        )
        demand(several, "a set has some choices")
        choices = [
            tuple(map(choice_entry, choice)) for choice in given["choices"]
        ]
        demand(len(set(choices)) == len(choices), "a choice is there twice")
        demand(not _overlap(choices), "a run has a choice that is there, too")
        names = [name for name, _ in choices[0]]
        alike = all([name for name, _ in choice] == names for choice in choices)
        demand(alike, "choices are of the same parameters")
        demand(
            len({*names, *reals}) == len(names) + len(reals),
            "a parameter is there twice",
        )
        demand(not (given["shaped"] and reals), "a set has intervals or shapes")
        variable = any(runs(dict(choice)) for choice in choices)
        demand(not (given["shaped"] and variable), "a set has runs or shapes")
        made = given.get("made", {})
        known = isinstance(made, dict) and all(
            type(way) is str and way in MADE for way in made.values()
        )
        demand(known, "malformed set")
        for name in made:
            own = any(
                n == name or n.startswith((f"{name}.", f"{name}["))
                for n in names
            )
            demand(own, "what is said to be made of arrays is no parameter")
        every = given.get("sizes") == "every"
        fits = (
            given["shaped"] and len(choices) == 1
            if every
            else "sizes" not in given
        )
        demand(fits, "malformed set")
        return cls(reals, tuple(choices), given["shaped"], made, every)

    def __str__(self) -> str:
        """In words: `n = 1..6, x in [0, 1]`."""
        if self.every:
            return "every size"
        words = (
            [("the shapes " if self.shaped else "") + self._whole()]
            if self.choices[0]
            else []
        )
        words += [
            f"{name} in {interval}" for name, interval in self.reals.items()
        ]
        made = [
            MADE[way].format(_factor(name), name)
            for name, way in self.made.items()
        ]
        return (", ".join(words) or "its only instance") + (
            f", where {' and '.join(made)}" if made else ""
        )

    def contains(self, instance: Mapping[str, Any]) -> bool:
        """Whether an instance, as JSON has it, is of the set; shapes are not looked at."""
        if self.every:
            return True
        whole = any(
            all(_is_of(instance.get(name), value) for name, value in choice)
            for choice in self.choices
        )
        if self.shaped or not whole:
            return False
        return all(
            x.contains(rational(str(Fraction(repr(instance[n])))))
            for n, x in self.reals.items()
        )

    def _whole(self) -> str:
        names = [
            _factor(n) if n in self.made else n for n, _ in self.choices[0]
        ]
        values = _joined([[v for _, v in choice] for choice in self.choices])
        columns = [
            list(dict.fromkeys(column)) for column in zip(*values, strict=True)
        ]
        if prod(map(len, columns)) == len(values):
            variable = {
                n for choice in self.choices for n in runs(dict(choice))
            }
            return ", ".join(
                f"{'every ' * (name in variable)}{name} {_run(column)}"
                for name, column in zip(names, columns, strict=True)
            )
        shown = "; ".join(", ".join(map(_one, v)) for v in values[:6])
        more = f"; and {len(values) - 6} more" if len(values) > 6 else ""
        return f"({', '.join(names)}) = ({shown}{more})"

    @property
    def count(self) -> int:
        """How many choices of whole numbers it has; runs are counted by their numbers."""
        return sum(
            prod(x.high - x.low + 1 for x in runs(dict(choice)).values())
            for choice in self.choices
        )

    def kinds(
        self, choice: Mapping[str, Any], upwards: bool = False
    ) -> dict[str, Interval]:
        """The intervals of all real numbers of a program: the parameters', and the runs of a choice."""
        variable = runs(choice).items()
        return {
            **self.reals,
            **{
                name: x.upwards if upwards else x.interval
                for name, x in variable
            },
        }


def _overlap(choices: Sequence[Choice]) -> bool:
    """Whether two choices, of which one has runs, share a member."""
    variable = [choice for choice in choices if runs(dict(choice))]
    return any(
        one is not other and all(map(_share, one, other))
        for one in variable
        for other in choices
    )


def _share(one: tuple[str, Any], other: tuple[str, Any]) -> bool:
    ends = [
        (x.low, x.high) if isinstance(x, Run) else (x, x)
        for _, x in (one, other)
    ]
    return one[0] == other[0] and max(ends)[0] <= min(e[1] for e in ends)


def _joined(rows: list[list[Any]]) -> list[list[Any]]:
    """The same choices, whose runs are joined with what follows them where all else is equal."""
    for k in range(len(rows[0])):
        if any(isinstance(row[k], Run) for row in rows):
            others: dict[tuple[Any, ...], list[Any]] = {}
            for row in rows:
                others.setdefault((*row[:k], *row[k + 1 :]), []).append(row[k])
            rows = [
                [*other[:k], joined, *other[k:]]
                for other, own in others.items()
                for joined in _union(own)
            ]
    return rows


def _union(numbers: Iterable[Any]) -> list[Any]:
    """Whole numbers and runs as few runs."""
    ends = sorted(
        (x.low, x.high) if isinstance(x, Run) else (x, x) for x in numbers
    )
    found: list[tuple[int, int]] = []
    for low, high in ends:
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return [Run(*x) if x[0] < x[1] else x[0] for x in found]


def _is_of(x: Any, value: Any) -> bool:
    """Whether a whole number is that of a choice, or in its run."""
    return x in value if isinstance(value, Run) else x == value


def _factor(name: str) -> str:
    """What the array is called that a parameter is made of."""
    return f"F_{name}"


def choice_entry(entry: Any) -> tuple[str, Any]:
    demand(
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], str),
        "malformed choice",
    )
    value = entry[1]
    if isinstance(value, list):
        demand(
            all(type(n) is int and n >= 0 for n in value),
            "a shape is a list of sizes",
        )
        return entry[0], tuple(value)
    if isinstance(value, str):
        return entry[0], Run.of_json(value)
    demand(type(value) is int, "a choice is a whole number, a run or a shape")
    return entry[0], value


def _one(value: object) -> str:
    return (
        " x ".join(map(str, value)) or "a number"
        if isinstance(value, tuple)
        else str(value)
    )


def _run(values: Sequence[Any]) -> str:
    """`= 1..6`, `= 1, 4, 9`, or the shapes."""
    if isinstance(values[0], tuple):
        return (
            "of "
            + " or ".join(map(_one, values))
            + (" numbers" if values != [()] else "")
        )
    if any(isinstance(x, Run) for x in values):
        return f"= {', '.join(map(str, values[:8]))}" + ", ..." * (
            len(values) > 8
        )
    ordered = sorted(values)
    if ordered == list(range(ordered[0], ordered[-1] + 1)) and len(ordered) > 1:
        return f"= {ordered[0]}..{ordered[-1]}"
    shown = ", ".join(map(str, ordered[:8]))
    return f"= {shown}" + (
        f", ... {ordered[-1]} ({len(ordered)} values)"
        if len(ordered) > 8
        else ""
    )


# what is examined


def prove(certificate: Mapping[str, Any]) -> str:
    """The sentence of a proof whose seal is whole: what is proved, and on which set. Raises Rejection."""
    demand(
        certificate.keys() == KEYS,
        "the certificate has missing or unknown keys",
    )
    extent, cases = Extent.of_json(certificate["set"]), certificate["cases"]
    parts = certificate["claim"].get("parts")
    demand(
        type(parts) is int and 0 < parts <= 100,
        "the claim says of how many parts its statement is",
    )
    demand(
        isinstance(cases, list) and len(cases) <= MOST_CASES * parts,
        '"cases" is a list',
    )
    wanted = {
        (choice, part) for choice in extent.choices for part in range(parts)
    }
    seen: set[tuple[Choice, int]] = set()
    satisfied, partly = False, False
    with allowance(MOST_WORK), ctx.workprec(BITS):
        for case in map(unpacked, cases):
            demand(
                isinstance(case, dict) and case.keys() == CASE, "malformed case"
            )
            choice = tuple(map(choice_entry, case["choice"]))
            demand(type(case["part"]) is int, "a part is a whole number")
            seen.add((choice, case["part"]))
            demand(
                isinstance(case["routes"], list) and case["routes"],
                "a case has a program",
            )
            for route in case["routes"]:
                _belongs(route, dict(choice), extent)
            partly |= _shown(case, extent)
            satisfied = satisfied or any(
                _satisfied(route, extent, dict(choice))
                for route in case["routes"]
            )
    demand(
        seen == wanted and len(cases) == len(wanted),
        "the cases are not those of the set",
    )
    if not satisfied:
        raise Unproved(
            "no instance of the set is shown to satisfy the hypotheses"
        )
    where = (
        ", wherever both sides are defined, but for a chance of 2^-64"
        if partly
        else ""
    )
    return f"shown for {extent}{where}"


def _belongs(route: Any, choice: Mapping[str, Any], extent: Extent) -> None:
    """A program was recorded at an instance of the set, of that choice. Raises Rejection."""
    keys = {
        "instance",
        "program",
        "laws",
        "hypotheses",
        "assumed",
        "conclusion",
    }
    demand(
        isinstance(route, dict) and route.keys() == keys, "malformed program"
    )
    program, instance = route["program"], route["instance"]
    demand(
        isinstance(program, list) and len(program) <= MOST_NODES,
        "a program is a list of nodes",
    )
    inputs = [node for node in program if node["op"] == "input"]
    given = {node["name"]: tuple(node["shape"]) for node in inputs}
    variable = runs(choice)
    demand(len(inputs) == len(given), "an input is there twice")
    for node in inputs:  # read here, for a proof may need none of them
        demand(
            isinstance(node["data"], list)
            and len([rational(x) for x in node["data"]]) > 0,
            "an input is a list of numbers",
        )
    if extent.shaped:
        fits = all(choice.get(name) == shape for name, shape in given.items())
        demand(fits, "a program is of other shapes")
    else:
        fits = all(
            name in extent.kinds(choice) and shape == ()
            for name, shape in given.items()
        )
        demand(fits, "an input is not in the set")
        demand(
            instance.keys() == choice.keys() | extent.reals.keys(),
            "an instance has other parameters",
        )
        demand(
            all(type(instance[name]) is int for name in choice),
            "a choice is of whole numbers",
        )
    whole = {
        name: value
        for name, value in choice.items()
        if type(value) is int or name in variable
    }
    chosen = all(
        _is_of(instance.get(name), value) for name, value in whole.items()
    )
    own = [node for node in inputs if node["name"] in variable]
    chosen &= all(rational(n["data"][0]) == instance[n["name"]] for n in own)
    demand(chosen, "a program is of another choice")


def _satisfied(
    route: Mapping[str, Any], extent: Extent, choice: Mapping[str, Any]
) -> bool:
    """Whether the recorded instance of a program is in the set and surely satisfies the hypotheses."""
    inputs = (
        []
        if extent.shaped
        else [node for node in route["program"] if node["op"] == "input"]
    )
    kinds = {} if extent.shaped else extent.kinds(choice)
    if not all(
        kinds[node["name"]].contains(rational(node["data"][0]))
        for node in inputs
    ):
        return False
    try:
        with ctx.workprec(PRECISION):
            tape = run(route["program"], groups(route["laws"]))
            return all(hypothesis(tape, given) for given in route["hypotheses"])
    except Unproved:
        return False


def _shown(case: Mapping[str, Any], extent: Extent) -> bool:
    """Show the statement of one case again; whether only where both sides are defined. Raises Rejection."""
    proof = case["proof"]
    demand(isinstance(proof, dict), "malformed proof")
    if proof.get("way") == "points" and not extent.every:
        demand(
            proof.keys() == {"way"} and len(case["routes"]) == 1,
            "malformed proof",
        )
        by_points(case["routes"][0])
        return True
    choice = dict(map(choice_entry, case["choice"]))
    demand(extent.every is (proof.get("way") in EVERY), "malformed proof")
    if extent.every:
        demand(len(case["routes"]) == 1, "malformed proof")
        _for_every_size(case["routes"][0], proof, choice)
        return True
    kinds = extent.kinds(choice)
    names, intervals = list(kinds), list(kinds.values())
    if proof.get("way") == "form":
        demand(
            proof.keys() == {"way"} and len(case["routes"]) == 1,
            "malformed proof",
        )
        if extent.shaped:
            by_entries(case["routes"][0])
        else:
            beyond = extent.kinds(choice, upwards=True)
            by_forms(
                Route(case["routes"][0], names),
                list(beyond.values()),
                intervals,
            )
        return False
    demand(not extent.shaped, "shapes are no box")
    if proof.get("way") == "sums":
        demand(len(case["routes"]) == 1, "malformed proof")
        _as_sums(case["routes"][0], proof, choice, extent)
        return False
    demand(
        proof.keys() == {"way", "trees"} and proof["way"] == "boxes",
        "malformed proof",
    )
    code = Code(names)
    by_boxes(
        [Route(route, names, code) for route in case["routes"]],
        whole_box(intervals),
        proof["trees"],
    )
    return False


def _as_sums(
    route: Mapping[str, Any],
    proof: Mapping[str, Any],
    choice: Mapping[str, Any],
    extent: Extent,
) -> None:
    """A part shown for all numbers of a run that a text counts up to. Raises Rejection."""
    counted = counted_to(choice)
    sets = extent.kinds(choice, upwards=True), extent.kinds(choice)
    by_sums(proof, route["conclusion"]["kind"], counted, *sets)
    n = route["instance"][counted]
    require_at(route, proof, list(extent.reals), counted, n)


def counted_to(choice: Mapping[str, Any]) -> str:
    """The only number of a choice that has a run. Raises Rejection."""
    names = list(runs(choice))
    demand(len(names) == 1, "sums run up to one number")
    demand(choice[names[0]].high <= LONGEST_SUM, "a sum is too long")
    return names[0]


def by_forms(route: Route, *sets: Sequence[Kind]) -> None:
    """Normal forms show it on one of some sets, each of which holds all instances. Raises Unproved."""
    for intervals in sets[:-1]:
        with suppress(Unproved):
            return by_form(route, intervals)
    return by_form(route, sets[-1])


def by_form(route: Route, intervals: Sequence[Kind]) -> None:
    """Normal forms show each side, and that laws are such, on a path all instances take. Raises Unproved.

    That they take it is shown without what is assumed, for an instance may turn before it is.
    """
    for turn in route.branches:
        for p, q in turn.entries:
            ways = [(p, q, turn.relation)]
            if turn.relation == "ne":
                ways = [(p, q, "lt"), (q, p, "lt")]
            if not any(shows(route.code, *way, intervals) for way in ways):
                raise Unproved("not all instances take one path")
    wanted = [(side.left, side.right, route.relation) for side in route.sides]
    given = sorted(route.given), route.made(), route.ones()
    for left, right, relation in [
        *((p, q, "le") for p, q in route.lawful),
        *wanted,
    ]:
        if not shows(route.code, left, right, relation, intervals, *given):
            raise Unproved("normal forms do not show it")


def by_entries(route: Mapping[str, Any]) -> None:
    """Normal forms show each side for all entries of arrays that the hypotheses allow. Raises Unproved."""
    path = Route(route, entries(route["program"]))
    if (
        path.branches
    ):  # where entries lie is what is assumed, perhaps behind a turn
        raise Unproved("not all instances take one path")
    by_form(path, path.kinds())


EVERY = ("words", "squares")
"""The ways for every size."""


def _for_every_size(
    route: Mapping[str, Any],
    proof: Mapping[str, Any],
    choice: Mapping[str, Any],
) -> None:
    """A part shown for every size, but for a chance of 2^-64. Raises Rejection.

    At the shapes of an instance the program whose sizes are names is that of the text, at random points.
    """
    relation = route["conclusion"]["kind"]
    if proof["way"] == "words":
        demand(relation == "equal", "words show identities alone")
        by_words(proof)
    else:
        _require_numbers(route, proof)
        by_squares(proof, relation)
    made, first = at_shapes(proof["program"], choice), len(route["program"])
    own = [{**n, "args": [first + j for j in n["args"]]} for n in made.nodes]
    both = {**route, "program": [*route["program"], *own]}
    for j, k in zip(route["conclusion"]["args"], proof["args"], strict=True):
        _vanishes(both, [j, first + made.places[k][0]], None)


def by_words(proof: Mapping[str, Any]) -> None:
    """Both sides are the same in words, so for every size, but for a chance of 2^-64. Raises Rejection."""
    demand(proof.keys() == {"way", "program", "args"}, "malformed proof")
    program, args = proof["program"], proof["args"]
    check(program, args)
    for _ in range(POINTS):
        model = Model.drawn()
        values = model.run(program)
        model.require_equal(*(values[k] for k in args))


def _require_numbers(
    route: Mapping[str, Any], proof: Mapping[str, Any]
) -> None:
    """The numbers of an instance have the signs that are said of all. Raises Rejection."""
    demand(isinstance(proof.get("signs"), dict), "malformed proof")
    signs = proof["signs"]
    for node in route["program"]:
        if node["op"] == "input" and node["name"] in signs:
            least = min(map(rational, node["data"]))
            strict = signs[node["name"]] == "positive"
            demand(
                least > 0 or (least == 0 and not strict),
                "a letter has another sign",
            )


def by_points(route: Mapping[str, Any]) -> None:
    """Both sides are the same rational functions, but for a chance of 2^-64. Raises Rejection."""
    conclusion = route["conclusion"]
    demand(conclusion["kind"] == "equal", "random points show identities alone")
    if not all(route["assumed"]):
        raise Unproved("not all instances take one path")
    equations = [
        given["args"]
        for given in route["hypotheses"]
        if given["relation"] == "eq"
    ]
    try:
        _at_points(route, None)
    except Unproved:
        if not equations:
            raise
        _at_points(route, Solved.of(route["program"], route["laws"], equations))


def _at_points(route: Mapping[str, Any], solved: Solved | None) -> None:
    for _ in range(POINTS):
        _vanishes(route, route["conclusion"]["args"], solved)


def _vanishes(
    route: Mapping[str, Any], args: Sequence[int], solved: Solved | None
) -> None:
    """Both sides are equal at a random point, whatever the signs of the roots there. Raises Rejection."""
    for _ in range(MOST_POINTS):
        point = Point.drawn(solved)
        try:
            signs = most = 0
            while signs < 2**most:
                point = point.turned(signs)
                made = evaluate(route["program"], route["laws"], args, point)
                exact = [(p.exact, q.exact) for p, q in made.lawful]
                lawful = not any(p > q for p, q in exact if None not in (p, q))
                demand(lawful, "a law has a negative weight: it is no law")
                _equal(made.pairs(args), point)
                most, signs = max(most, len(point.roots)), signs + 1
            return
        except NoRoot:
            continue
    raise Unproved("no point was found at which all roots can be taken")


def _equal(pairs: Sequence[tuple[Residue, Residue]], point: Point) -> None:
    for x, y in pairs:
        if (x.value - y.value) % point.prime:
            raise Differ("both sides differ at a point")
        weight = (
            x.weight
            + y.weight
            + (len(point.called) + len(point.roots) + 1) ** 2 * point.heaviest
        )
        if weight << point.branches > HEAVIEST:
            raise Unproved(
                "the sides are of too high a degree for random points"
            )


def whole_box(intervals: Sequence[Interval]) -> Box:
    """The closed box of the real parameters. Raises Rejection where one is unbounded."""
    ends = [(x.low, x.high) for x in intervals]
    demand(
        all(low is not None and high is not None for low, high in ends),
        "a box has finite ends",
    )
    demand(
        all(x.closed and x.closed_above for x in intervals),
        "a box is closed",
    )
    return tuple(ends)  # pyright: ignore[reportReturnType]


def by_boxes(routes: Sequence[Route], box: Box, trees: Any) -> None:
    """A tree of boxes shows each side. Raises Rejection."""
    sides = len(routes[0].sides)
    alike = all(
        len(r.sides) == sides and r.relation == routes[0].relation
        for r in routes
    )
    demand(alike, "paths of different statements")
    demand(
        isinstance(trees, list) and len(trees) == sides, "a side has no tree"
    )
    for k, tree in enumerate(trees):
        _grown([route.sides[k] for route in routes], box, tree)


@dataclass(frozen=True)
class _Branch:
    """A tree, the box that it is to show, and the path that a face was come down to on, if it is a face."""

    tree: Any
    box: Box
    face: int | None = None
    depth: int = 0

    def below(self, tree: Any, box: Box, face: int | None) -> _Branch:
        return _Branch(tree, box, face, self.depth + 1)


def _grown(sides: Sequence[Side], box: Box, tree: Any) -> None:
    """Show one side on a box by its tree. Raises Rejection."""
    waiting = [_Branch(tree, box)]
    while waiting:
        at = waiting.pop()
        demand(at.depth <= DEEPEST_TREE, "a tree is too deep")
        parts = (
            0
            if type(at.tree) is int
            else len(at.tree)
            if isinstance(at.tree, list)
            else -1
        )
        demand(type(at.tree) is int or parts in (2, 3, 4), "malformed tree")
        if parts in (3, 4):
            waiting += _face(sides, at) if parts == 3 else _halves(at)
        elif not _is_shown(sides, at):
            raise Unproved(f"it is not shown on the box {_in_words(at.box)}")


def _is_shown(sides: Sequence[Side], at: _Branch) -> bool:
    """A leaf: the number of the path that shows a box, or ["paths", those that do so together]."""
    if type(at.tree) is int:
        demand(
            0 <= at.tree < len(sides) and at.face in (None, at.tree),
            "a box names no path",
        )
        return sides[at.tree].look(at.box, at.face is not None).shown
    mark, paths = at.tree
    demand(
        mark == "paths" and at.face is None and isinstance(paths, list),
        "malformed tree",
    )
    demand(
        0 < len(set(map(str, paths))) == len(paths) <= len(sides),
        "malformed tree",
    )
    demand(
        all(type(k) is int and 0 <= k < len(sides) for k in paths),
        "a box names no path",
    )
    return shown_on_all([sides[k] for k in paths], at.box)


def _face(sides: Sequence[Side], at: _Branch) -> list[_Branch]:
    """["face", path, tree]: the face of a box that it comes down to on a path; none where the path shows all of it."""
    mark, k, below = at.tree
    named = type(k) is int and 0 <= k < len(sides) and at.face in (None, k)
    demand(mark == "face" and named, "malformed tree")
    look = sides[k].look(at.box, at.face is not None)
    if look.shown:
        return []
    if look.face is None:
        raise Unproved(
            f"no coordinate is monotone on the box {_in_words(at.box)}"
        )
    return [at.below(below, look.face, k)]


def _halves(at: _Branch) -> list[_Branch]:
    """[coordinate, where, tree, tree]: both parts of a box that is cut in two."""
    axis, where, below, above = at.tree
    demand(type(axis) is int and 0 <= axis < len(at.box), "malformed tree")
    (lo, hi), cut = at.box[axis], rational(where)
    demand(lo < cut < hi, "a cut is outside of its box")
    parts = (
        (*at.box[:axis], part, *at.box[axis + 1 :])
        for part in ((lo, cut), (cut, hi))
    )
    return [
        at.below(tree, part, at.face)
        for tree, part in zip((below, above), parts, strict=True)
    ]


def _in_words(box: Box) -> str:
    ends = (f"[{_spelled(lo)}, {_spelled(hi)}]" for lo, hi in box)
    return " x ".join(ends)[:200]
