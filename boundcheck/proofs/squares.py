"""Looking for a difference of two sides as a sum of squares with coefficients that are not negative.

Terms that are not negative by how they are made are listed, those alone that scale as the difference does when
letters are scaled; their coefficients are found in floats, by non-negative least squares at random matrices of a
few sizes, and rounded to fractions. What is proposed is shown by the verifier, or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, islice, product
from typing import Any

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import nnls

from boundcheck.checking.uniform import (
    NotUniform,
    SizelessText,
    Symbol,
    Uniform,
)
from boundcheck.verifier.scalars import Unproved
from boundcheck.verifier.squares import MOST_TERMS, PROBE, Signs, probed
from boundcheck.verifier.uniform import needed

FEW, NEAR, FAR = 32, 48, 80
"""Vectors that are put together in all ways, in plain ways, and that are taken one by one."""

MOST_STEPS = 150
MOST_MATRICES, MOST_SCALARS, MOST_COLUMNS = 20, 60, 1500
SIZES = (
    (3, 2, 4, 1),
    (2, 4, 3, 5),
    (4, 3, 2, 2),
    (1, 5, 3, 4),
    (5, 1, 2, 3),
    (6, 3, 1, 2),
    (2, 6, 5, 3),
)
"""Sizes of the dimensions, in turn, of the matrices at which coefficients are looked for."""

FACTORS = (1, 2)
DENOMINATOR, CLOSE = 64, 1e-7
"""Coefficients are fractions of at most so large a denominator; relative distance of what is the same in floats."""

Degree = np.ndarray


def squares(text: SizelessText, part: int) -> dict[str, Any]:
    """The proof of an inequality, as the verifier takes it. Raises Unproved where none is found, Rejection."""
    relation, made = text.parts[part][0], text.part(part, granted=True)
    shapes = [
        _named(text.program.shapes[k]) for k in text.kept(part, granted=True)
    ]
    shape = max((shapes[k] for k in made["args"]), key=len)
    nodes, sides = probed(made["program"], made["args"], relation, shape)
    program = Uniform()
    program.signs.update(made["signs"])
    first = _put(program, made["program"], shapes)
    _put(program, nodes[len(shapes) :], _of_probe(shape), first)
    if len(shape) == 1:
        program.signs[PROBE] = "nonnegative"
    _put(program, text.program.nodes, map(_named, text.program.shapes))
    try:
        terms = Terms(program, made, sides).found()
    except NotUniform as error:
        raise Unproved("no terms are made of such letters") from error
    return {
        **made,
        **_more(program, len(nodes), needed(program.nodes, terms), terms),
    }


def _named(shape: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(getattr(dim, "name", dim) for dim in shape)


def _of_probe(shape: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The shapes of the nodes of a probe: the letter, and two for each side."""
    one = tuple(shape[:1])
    return [one, *[one, ()] * 2]


def _put(
    program: Uniform,
    nodes: Sequence[Mapping[str, Any]],
    shapes: Iterable[tuple[Any, ...]],
    before: Sequence[Symbol] = (),
) -> list[Symbol]:
    """Nodes that name each other, and others before them, by their numbers."""
    made = [*before]
    for node, shape in zip(nodes, shapes, strict=False):
        static = {
            name: x for name, x in node.items() if name not in ("op", "args")
        }
        args = [made[k] for k in node["args"]]
        made.append(program.put(node["op"], shape, *args, **static))
    return made


def _more(
    program: Uniform, start: int, used: set[int], terms: Sequence[int]
) -> dict[str, Any]:
    """The nodes from a place on that are used, and the terms, by their numbers among these."""
    kept = sorted(k for k in used if k >= start)
    place = {k: start + i for i, k in enumerate(kept)}
    nodes = [
        {
            **program.nodes[k],
            "args": [place.get(j, j) for j in program.nodes[k]["args"]],
        }
        for k in kept
    ]
    return {"more": nodes, "terms": [place.get(k, k) for k in terms]}


# numbers in the place of letters


class Sample:
    """Random letters of some sizes, many at once, and the values of nodes there."""

    def __init__(
        self,
        program: Uniform,
        sizes: Sequence[int],
        count: int,
        rng: np.random.Generator,
    ):
        self.program, self.count, self.rng = program, count, rng
        names = sorted(
            {d for shape in program.shapes for d in shape if isinstance(d, str)}
        )
        names += sorted(
            {n["name"] for n in program.nodes if n["op"] == "size"} - {*names}
        )
        self.sizes = {
            name: sizes[i % len(sizes)] for i, name in enumerate(names)
        }
        self.values: list[np.ndarray] = []

    def value(self, k: int) -> np.ndarray:
        """One value for each draw, (count, *shape)."""
        for node in self.program.nodes[len(self.values) :]:
            self.values.append(self._made(node))
        return self.values[k]

    def _size(self, dim: Any) -> int:
        return (
            dim
            if isinstance(dim, int)
            else self.sizes[getattr(dim, "name", dim)]
        )

    def _letter(self, node: Mapping[str, Any]) -> np.ndarray:
        drawn = self.rng.standard_normal(
            (self.count, *map(self._size, node["shape"]))
        )
        return np.exp(drawn) if node["name"] in self.program.signs else drawn

    def _made(self, node: Mapping[str, Any]) -> np.ndarray:
        op, args = node["op"], [self.values[k] for k in node["args"]]
        if op == "letter":
            return self._letter(node)
        if op in ("const", "size"):
            value = (
                float(Fraction(node["value"]))
                if op == "const"
                else self._size(node["name"])
            )
            return np.full(self.count, float(value))
        if op == "identity":
            n = self._size(node["size"])
            return np.broadcast_to(np.eye(n), (self.count, n, n))
        if op in ELEMENTWISE:
            return ELEMENTWISE[op](*_aligned(args))
        if op == "matmul":
            return _matmul(*args)
        if op == "pow":
            return args[0] ** node["exponent"]
        if op == "sum":
            axes = (
                tuple(range(1, args[0].ndim))
                if node["axis"] is None
                else node["axis"] + 1
            )
            return args[0].sum(axis=axes)
        if op in ("expand", "squeeze"):
            change = np.expand_dims if op == "expand" else np.squeeze
            return change(args[0], node["axis"] + 1)
        if op == "head":
            n = self._size(node["size"])
            more = self.rng.standard_normal(
                (self.count, max(n - args[0].shape[1], 0))
            )
            return np.concatenate([args[0], more], axis=1)[:, :n]
        return OF_MATRICES[op](*args)


ELEMENTWISE = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "sqrt": np.sqrt,
}  # fmt: skip
OF_MATRICES = {
    "solve": np.linalg.solve,
    "inv": np.linalg.inv,
    "transpose": lambda A: np.swapaxes(A, -1, -2),
    "diagonal": lambda A: np.diagonal(A, axis1=-2, axis2=-1),
}


def _aligned(args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Arrays of as many axes, one for the draws before all others."""
    most = max(x.ndim for x in args)
    return [
        x.reshape(x.shape[0], *(1,) * (most - x.ndim), *x.shape[1:])
        for x in args
    ]


def _matmul(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    left, right = A.ndim == 2, B.ndim == 2
    made = (A[:, None, :] if left else A) @ (B[:, :, None] if right else B)
    made = made[:, :, 0] if right else made
    return made[:, 0] if left else made


# how nodes scale


class Degrees:
    """By which powers nodes are multiplied where letters are, in all ways in which a text makes sense."""

    def __init__(self, program: Uniform, pairs: Iterable[Sequence[int]]):
        self.program = program
        names = [n["name"] for n in program.nodes if n["op"] == "letter"]
        self.units = dict(zip(names, np.eye(len(names)), strict=True))
        self.zero = np.zeros(len(names))
        self.rows: dict[int, np.ndarray] = {}
        sums = [n["args"] for n in program.nodes if n["op"] in ("add", "sub")]
        alike = [
            pair
            for pair in (*sums, *pairs)
            if not any(map(self._is_zero, pair))
        ]
        told = [self._row(j) - self._row(k) for j, k in alike]
        self.free = null_space(np.array([*told, self.zero]))

    def _is_zero(self, k: int) -> bool:
        return self.program.nodes[k].get("value") == "0"

    def _row(self, k: int) -> np.ndarray:
        if k not in self.rows:
            self.rows[k] = self._made(self.program.nodes[k])
        return self.rows[k]

    def _made(self, node: Mapping[str, Any]) -> np.ndarray:
        op, args = node["op"], node["args"]
        if op == "letter":
            return self.units[node["name"]]
        if op in ("mul", "matmul"):
            return self._row(args[0]) + self._row(args[1])
        if op in ("div", "solve"):
            return (self._row(args[0]) - self._row(args[1])) * (
                1 if op == "div" else -1
            )
        if op in ("pow", "inv", "sqrt"):
            return self._row(args[0]) * {"inv": -1, "sqrt": 0.5}.get(
                op, node.get("exponent", 1)
            )
        return self._row(args[0]) if args else self.zero

    def of(self, x: Symbol) -> Degree:
        return self._row(x.node) @ self.free


def _key(degree: Degree) -> tuple[float, ...]:
    return tuple(np.round(degree, 6) + 0.0)


# what may be a term


@dataclass
class Terms:
    """The search for the terms of one inequality."""

    program: Uniform
    made: Mapping[str, Any]
    sides: Sequence[int]

    def __post_init__(self) -> None:
        self.own = range(len(self.program.nodes))
        pairs = [self.sides, *(pair for _, *pair in self.made["given"])]
        self.told = needed(
            self.program.nodes, [k for pair in pairs for k in pair]
        )
        self.degrees = Degrees(self.program, pairs)
        self.wanted = self.degrees.of(self.program.at(self.sides[1]))

    def _nodes(self, rank: int) -> list[Symbol]:
        found = [self.program.at(k) for k in self.own]
        told = self._letters(self.told)
        return [
            x
            for x in found
            if x.ndim == rank and set() < self._letters([x.node]) <= told
        ]

    def _letters(self, nodes: Iterable[int]) -> set[int]:
        own = needed(self.program.nodes, nodes)
        return {k for k in own if self.program.nodes[k]["op"] == "letter"}

    @cached_property
    def signs(self) -> Signs:
        given = frozenset((j, k) for _, j, k in self.made["given"])
        return Signs(
            self.program.nodes, self.program.shapes, self.program.signs, given
        )

    @cached_property
    def scalars(self) -> list[Symbol]:
        """Positive numbers of the scalars and sizes alone: those of the text, and their products and quotients."""
        one = self.program.number(1)
        shapes, nodes = self.program.shapes, self.program.nodes
        pure = [
            x
            for x in map(self.program.at, sorted(self.told))
            if x.ndim == 0
            and self.signs.positive(x.node)
            and nodes[x.node]["op"] != "const"
            and all(shapes[k] == () for k in needed(nodes, [x.node]))
        ]
        found = [one, *pure, *(one / a for a in pure)]
        sizes = {a.node for a in pure if not self._letters([a.node])}
        for a, b in product(pure, pure):
            if not {a.node, b.node} <= sizes:
                found += (
                    [a / b, a * b, one / (a * b)]
                    if a.node <= b.node
                    else [a / b]
                )
        return self._distinct(found)[:MOST_SCALARS]

    def _distinct(self, found: Iterable[Symbol]) -> list[Symbol]:
        """Those of several numbers that are no multiples of one before."""
        kept: dict[Any, Symbol] = {}
        sample = self.few
        for x in found:
            values = np.concatenate([s.value(x.node).ravel() for s in sample])
            most = np.argmax(abs(values))
            if np.isfinite(values).all() and abs(values[most]) > CLOSE:
                shape = (
                    *map(str, x.shape),
                    *np.round(values / values[most], 6) + 0.0,
                )
                kept.setdefault(shape, x)
        return list(kept.values())

    @cached_property
    def few(self) -> list[Sample]:
        return self.samples(3)

    def samples(self, count: int) -> list[Sample]:
        rng = np.random.default_rng(count)
        return [Sample(self.program, sizes, count, rng) for sizes in SIZES]

    def _scaling(self, above: Degree, below: Degree) -> list[Symbol]:
        """The positive numbers that scale as one thing does over another."""
        return self.by_degree.get(_key(above - below), [])

    @cached_property
    def by_degree(self) -> dict[tuple[float, ...], list[Symbol]]:
        found: dict[tuple[float, ...], list[Symbol]] = {}
        for r in self.scalars:
            found.setdefault(_key(self.degrees.of(r)), []).append(r)
        return found

    # vectors and matrices

    @cached_property
    def generators(self) -> list[Symbol]:
        """Matrices that others are multiplied by: letters, and inverses."""
        found = []
        for x in self._nodes(2):
            node = self.program.nodes[x.node]
            if node["op"] == "letter":
                found += [x, x.T]
            if node["op"] in ("inv", "solve"):
                A = self.program.at(node["args"][0])
                found.append(self.program.put("inv", A.shape, A))
        return list({x.node: x for x in found}.values())

    @cached_property
    def weights(self) -> list[Symbol]:
        """Vectors whose entries are not negative: letters, and multiples of them."""
        ops = self.program.nodes
        own = [
            x for x in self.vectors if ops[x.node]["op"] in ("letter", "div")
        ]
        return self._distinct(x for x in own if self.signs.nonnegative(x.node))

    def _images(self, start: Sequence[Symbol], most: int) -> list[Symbol]:
        """Vectors or matrices, and what they are multiplied to, each but once."""
        found, at = self._distinct(start), 0
        while at < len(found) < most:
            x, at = found[at], at + 1
            weighted = self._weighted(x) if x.ndim == 1 else ()
            found = self._distinct([*found, *self._multiplied(x), *weighted])
        return found[:most]

    def _multiplied(self, x: Symbol) -> list[Symbol]:
        return [A @ x for A in self.generators if A.shape[1] == x.shape[0]]

    def _weighted(self, x: Symbol) -> list[Symbol]:
        return [
            p * x
            for p in self.weights
            if p.shape == x.shape and p.node != x.node
        ]

    @cached_property
    def start(self) -> list[Symbol]:
        """The vectors of the sides and hypotheses, then others; where forms of any vector are asked for, that
        vector alone."""
        probe = [
            x
            for x in self.vectors
            if self.program.nodes[x.node].get("name") == PROBE
        ]
        if probe and PROBE not in self.program.signs:
            return probe
        left_out = {x.node for x in (*probe, *self.weights)}
        own = [x for x in self.vectors if x.node not in left_out]
        return sorted(
            own or self.weights, key=lambda x: x.node not in self.told
        )

    @cached_property
    def vectors(self) -> list[Symbol]:
        return self._nodes(1)

    def _combined(
        self, found: Sequence[Symbol], plain: bool
    ) -> Iterator[Symbol]:
        """Sums of two of one shape that scale alike, the second times numbers."""
        for a, b in combinations(found, 2):
            if a.shape == b.shape:
                own = self.degrees.of(a), self.degrees.of(b)
                if plain and not any(_key(own[0] - own[1])):
                    yield from (a - b, a + b)
                for r in () if plain else self._scaling(*own):
                    for c in FACTORS:
                        yield from (a - c * (r * b), a + c * (r * b))

    def _of_vectors(self, found: Iterable[Symbol]) -> Iterator[Symbol]:
        """Squares of lengths, perhaps weighted."""
        for v in found:
            yield v @ v
            yield from (v @ (p * v) for p in self.weights if p.shape == v.shape)

    def _of_matrices(self) -> Iterator[Symbol]:
        """Squares of the entries of matrices, perhaps weighted by columns."""
        factors = [x for x in self._nodes(2) if self._is_factor(x)]
        for X in self._images(factors, MOST_MATRICES):
            yield (X * X).sum()
            for weights in self._columns(X):
                total = (X * X).sum(axis=0)
                for p in weights:
                    total = total * p
                yield total.sum()

    def _is_factor(self, x: Symbol) -> bool:
        return self.program.nodes[x.node]["op"] in (
            "letter",
            "solve",
            "inv",
            "identity",
        )

    def _columns(self, X: Symbol) -> Iterator[tuple[Symbol, ...]]:
        fitting = [p for p in self.weights if p.shape == X.shape[1:]]
        yield from ((p,) for p in fitting)
        yield from combinations(fitting, 2)

    def _products(self, found: Sequence[Symbol]) -> Iterator[Symbol]:
        """(u'v)^2, and u'Pu v'Pv - (u'Pv)^2."""
        others = self._distinct([*found, *self.vectors])
        for u, v in product(found, others):
            if u.shape == v.shape and u.node != v.node:
                yield u @ np.outer(v, v) @ u
                for p in (
                    None,
                    *(p for p in self.weights if p.shape == u.shape),
                ):
                    pu, pv = (u, v) if p is None else (p * u, p * v)
                    formed = len(self.start) == 1
                    square = (
                        u @ np.outer(pv, pv) @ u
                        if formed
                        else self._form(u, pu, v, pv) ** 2
                    )
                    yield (u @ pu) * (v @ pv) - square

    def _form(self, u: Symbol, pu: Symbol, v: Symbol, pv: Symbol) -> Symbol:
        """u'Pv as texts have it, the weights beside what is a letter."""
        return (
            pu @ v
            if self.program.nodes[u.node]["op"] in ("letter", "head")
            else u @ pv
        )

    def _given(self, found: Sequence[Symbol]) -> Iterator[Symbol]:
        """What hypotheses say, and that times squares."""
        for _, j, k in self.made["given"]:
            h = self.program.at(k) - self.program.at(j)
            yield from (h, *(h * square for square in self._of_vectors(found)))

    def _stages(self) -> Iterator[Iterator[Symbol]]:
        """What may be a term, the simpler first."""
        one = iter([self.program.number(1)])
        near, far = (self._images(self.start, n) for n in (NEAR, FAR))
        yield chain(
            one,
            self._of_vectors(near),
            self._of_vectors(self._combined(near[:FEW], True)),
        )
        yield self._of_matrices()
        yield self._given(near[:FEW])
        yield chain(self._products(near[:FEW]), self._of_vectors(far))
        yield chain(self._given(near[:FEW]), self._products(near[:FEW]))
        yield self._of_vectors(self._combined(near, True))
        yield self._of_vectors(self._combined(near[:FEW], False))

    def columns(self) -> Iterator[list[Symbol]]:
        """Those that scale as the difference does: of the first stage, and then with those of each other."""
        first: list[Symbol] = []
        for stage in self._stages():
            scaled = (
                r * x
                for x in stage
                for r in self._scaling(self.wanted, self.degrees.of(x))
            )
            found = self._distinct([*first, *islice(scaled, MOST_COLUMNS)])
            if len(found) > len(first):
                yield found
            first = first or found

    # coefficients

    def found(self) -> list[int]:
        """The nodes of the terms. Raises Unproved."""
        nothing = self.program.nodes[self.made["args"][0]].get("value") == "0"
        if nothing and self.signs.nonnegative(self.sides[1]):
            return [self.sides[1]]
        for columns in self.columns():
            with suppress(Unproved):
                return self._fitted(columns)
        raise Unproved("no sum of squares is the difference")

    def _fitted(self, columns: Sequence[Symbol]) -> list[int]:
        left, right = self.sides
        samples = self.samples(len(columns) // len(SIZES) + 20)
        lower, upper, *others = (
            np.concatenate([s.value(k) for s in samples])
            for k in (left, right, *(x.node for x in columns))
        )
        size = abs(lower) + abs(upper)
        table = np.stack(others, axis=1) / size[:, None]
        norms = np.linalg.norm(table, axis=0)
        chosen = _fewest(table / norms, (upper - lower) / size)
        return [
            self._times(c / norms[k], columns[k]) for k, c in chosen.items()
        ]

    def _times(self, c: float, square: Symbol) -> int:
        return (Fraction(c).limit_denominator(DENOMINATOR) * square).node


def _fewest(table: np.ndarray, wanted: np.ndarray) -> dict[int, float]:
    """Columns that make a vector with coefficients that are not negative, without those that are not needed.
    Raises Unproved."""
    chosen = _fitted(table, wanted, range(table.shape[1]))
    if chosen is None or len(chosen) > MOST_TERMS:
        raise Unproved("no sum of squares is the difference")
    for k, _ in sorted(chosen.items(), key=lambda item: item[1]):
        fewer = _fitted(table, wanted, [j for j in chosen if j != k])
        chosen = chosen if fewer is None else fewer
    return chosen


def _fitted(
    table: np.ndarray, wanted: np.ndarray, columns: Sequence[int]
) -> dict[int, float] | None:
    places = list(columns)
    if not places:
        return None
    try:
        found, distance = nnls(table[:, places], wanted, maxiter=MOST_STEPS)
    except RuntimeError:
        return None
    if distance > CLOSE * np.sqrt(len(wanted)):
        return None
    return {places[i]: float(c) for i, c in enumerate(found) if c > CLOSE}
