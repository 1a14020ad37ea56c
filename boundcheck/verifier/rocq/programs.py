"""The program of a certificate as definitions of Rocq: each operation by its meaning in the reals."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from math import comb, factorial, prod
from typing import Any

from flint import arb, ctx, fmpq

from boundcheck.verifier.arrays import (
    Array,
    broadcast,
    positions,
    stretch,
    strides,
)
from boundcheck.verifier.numbers import ONE, ZERO, whole
from boundcheck.verifier.program import Tape
from boundcheck.verifier.rocq.terms import (
    CannotFormalize,
    Term,
    Theory,
    add,
    applied,
    div,
    literal,
    mul,
    natural_power,
    sub,
    total,
)

POSITIVE_BASE = "rewrite power_is_exp; "
MOST_TERMS = 2500
MOST_LEIBNIZ = 4
"""Rows of the largest matrix whose determinant is written out."""

SHAPES = {
    "neg": "(- {})",
    "abs": "(Rabs {})",
    "sqrt": "(sqrt {})",
    "log": "(ln {})",
    "log1p": "(ln (1 + {}))",
    "exp": "(exp {})",
    "expm1": "(exp {} - 1)",
    "sin": "(sin {})",
    "cos": "(cos {})",
    "tan": "(tan {})",
    "arctan": "(atan {})",
    "add": "({} + {})",
    "sub": "({} - {})",
    "mul": "({} * {})",
    "div": "({} / {})",
}
"""Operations whose name in Rocq has the same meaning wherever the verifier gives them a value."""


def _shaped(op: str, terms: Sequence[Term]) -> Term:
    """Of slopes of sines and cosines beyond half a turn `interval` knows only that they are at most 1."""
    term = applied(op, SHAPES[op], *terms)
    if op not in ("sin", "cos", "tan") or abs(terms[0].value) <= 3:
        return term
    if op == "tan":
        raise CannotFormalize(
            "the tan of more than half a turn, which `interval` cannot reduce."
        )
    return replace(term, value=arb(term.value) + arb(0, arb(terms[0].value).rad()))


DEFINED = {
    "div": "{1} <> 0",
    "mod": "{1} <> 0",
    "log": "0 < {0}",
    "log1p": "0 < 1 + {0}",
    "sqrt": "0 <= {0}",
    "pow": "0 < {0}",
}
"""Where operations have a value."""


def _needs(op: str, terms: Sequence[Term]) -> list[str]:
    """Where an operation on terms has a value, unless the text of the terms shows it."""
    need = DEFINED[op]
    if op == "pow" and not terms[1].names:
        k = whole(terms[1].value)
        need = need if k is None else "{0} <> 0" if k < 0 else ""
    about = terms[1] if "{1}" in need else terms[0]
    return [need.format(*(x.text for x in terms))] if need and about.names else []


@dataclass(frozen=True)
class Terms:
    """Entries in row-major order, as an Array of the verifier has them."""

    shape: tuple[int, ...]
    data: Sequence[Term]

    def over(self, shape: tuple[int, ...]) -> list[Term]:
        """The entries broadcast to `shape`."""
        places = stretch(
            Array(self.shape, [fmpq(k) for k in range(len(self.data))]), shape
        )
        return [self.data[int(str(k))] for k in places]


@dataclass
class Program:
    """The terms of each node, in the shape that the verifier gives it."""

    theory: Theory
    tape: Tape
    nodes: list[Terms] = field(default_factory=list)
    weighted: dict[int, list[Term]] = field(default_factory=dict)

    def define(self) -> None:
        """Say all nodes, one after the other."""
        pairs = zip(self.tape.arrays, self.tape.nodes, strict=True)
        if (
            size := sum(
                len(a.data) for a, node in pairs if node["op"] not in STRUCTURAL
            )
        ) > MOST_TERMS:
            raise CannotFormalize(
                f"its program has {size} terms, more than {MOST_TERMS}."
            )
        for k, node in enumerate(self.tape.nodes):
            self.nodes.append(Terms(self.tape.arrays[k].shape, self._entries(k, node)))

    def terms(self, k: int) -> Sequence[Term]:
        return self.nodes[k].data

    def _entries(self, k: int, node: dict[str, Any]) -> list[Term]:
        op, operands = node["op"], [self.nodes[j] for j in node["args"]]
        if op in STRUCTURAL:
            return STRUCTURAL[op](self, k, node, operands)
        if op not in MAKERS and op not in SHAPES:
            raise CannotFormalize(
                f"its program has {op!r}, which has no words in Rocq here yet."
            )
        self.theory.note(f"node {k}: {op}")
        with ctx.workprec(3 * self.theory.bits):
            if op in DEFINED:
                for terms in self._rows(operands):
                    self.theory.needs += _needs(op, terms)
            if op in SHAPES:
                made = [(_shaped(op, terms), "") for terms in self._rows(operands)]
            else:
                made = MAKERS[op](self, k, node, operands)
            return [
                self._named(f"n{k}", j, *pair, len(made)) for j, pair in enumerate(made)
            ]

    def _named(self, stem: str, j: int, term: Term, proof: str, of: int) -> Term:
        return self.theory.define(stem if of == 1 else f"{stem}_{j}", term, proof)

    @staticmethod
    def _rows(operands: Sequence[Terms]) -> list[tuple[Term, ...]]:
        """The operands of each entry."""
        shape = broadcast(*(a.shape for a in operands))
        return list(zip(*(a.over(shape) for a in operands), strict=True))

    def weights(self, group: int) -> list[Term]:
        """The probability of each atom of a group, as a term in the parameters of its laws."""
        if group not in self.weighted:
            space = self.tape.space.spaces[group]
            joint = [literal(ONE)]
            self.theory.note(f"the weights of the atoms of group {group}")
            with ctx.workprec(3 * self.theory.bits):
                for draw in space.draws:
                    if draw.multisets is not None:
                        raise CannotFormalize(
                            "its copies are drawn without their order."
                        )
                    single = LAWS[draw.law["law"]](draw, self)
                    for _ in range(draw.copies):
                        joint = [mul(w, v) for w in joint for v in single]
                self.weighted[group] = [
                    self._named(f"w{group}", a, w, "", 0) for a, w in enumerate(joint)
                ]
        return self.weighted[group]

    def parameters(self, given: object) -> list[Term]:
        """Numbers of a law, or the entries of {"node": j}."""
        if isinstance(given, dict):
            return list(self.terms(given["node"]))
        return [literal(exactly(x)) for x in self.tape.numbers(given)]


def exactly(value: object) -> fmpq:
    """A number that is given exactly."""
    if not isinstance(value, fmpq):
        raise CannotFormalize("it holds a number that is given by a ball.")
    return value


# --- leaves, and what only moves entries


def _leaf(
    program: Program, k: int, node: dict[str, Any], _: Sequence[Terms]
) -> list[Term]:
    values = [exactly(x) for x in program.tape.arrays[k].data]
    if node["op"] == "const":
        return [literal(x) for x in values]
    given = re.sub(r"\W", "_", str(node.get("name", k)), flags=re.ASCII)
    stem, shape = f"input_{given}", program.tape.arrays[k].shape
    program.theory.input(stem, shape, values)
    return [
        program.theory.entry(
            "_".join([stem, *map(str, place)]), _applied(stem, place), x
        )
        for place, x in zip(product(*map(range, shape)), values, strict=True)
    ]


def _applied(name: str, place: Sequence[int]) -> str:
    return f"({' '.join([name, *map(str, place)])})" if place else name


def _drawn(
    program: Program, k: int, node: dict[str, Any], _: Sequence[Terms]
) -> list[Term]:
    return [literal(exactly(x)) for x in program.tape.arrays[k].data]


def _gathered(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> list[Term]:
    pool = [term for array in operands for term in array.data] + [literal(ZERO)]
    return [pool[index] for index in node["index"]]


def _taken(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> list[Term]:
    table, index = operands
    size = prod(table.shape[1:])
    taken: list[Term] = []
    for term in index.data:
        row = whole(term.value)
        if row is None or term.names:
            raise CannotFormalize("an index of a table is computed.")
        taken += table.data[row * size : (row + 1) * size]
    return taken


STRUCTURAL: dict[str, Callable[..., list[Term]]] = {
    "input": _leaf,
    "const": _leaf,
    "random": _drawn,
    "gather": _gathered,
    "take": _taken,
}

# --- operations that need a proof of their own, or many entries

Made = list[tuple[Term, str]]
Maker = Callable[[Program, int, dict[str, Any], Sequence[Terms]], Made]


def _plain(terms: Sequence[Term]) -> Made:
    return [(term, "") for term in terms]


def _entrywise(function: Callable[..., tuple[Term, str]]) -> Maker:
    def maker(
        program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
    ) -> Made:
        return [function(*terms) for terms in program._rows(operands)]

    return maker


def _extreme(op: str, name: str) -> Callable[[Term, Term], tuple[Term, str]]:
    def function(a: Term, b: Term) -> tuple[Term, str]:
        return applied(op, f"({name} {{}} {{}})", a, b), f"unfold {name}; "

    return function


def _sign(a: Term) -> tuple[Term, str]:
    return applied("sign", "(sgn {})", a), "unfold sgn; "


def _whole(op: str, name: str) -> Callable[[Term], tuple[Term, str]]:
    def function(a: Term) -> tuple[Term, str]:
        term = applied(op, f"({name} {{}})", a)
        value = (
            whole(term.value) if isinstance(term.value, fmpq) else _unique(term.value)
        )
        if value is None:
            raise CannotFormalize(f"a {op} lies too close to a jump.")
        proof = f"rewrite ({name}_is _ {parenthesised(value)}); [lra |]; "
        return Term(term.text, fmpq(value), term.names), proof

    return function


def _unique(ball: arb) -> int | None:
    found = ball.unique_fmpz()
    return None if found is None else int(found)


def parenthesised(k: int) -> str:
    return f"({k})" if k < 0 else str(k)


def _power(a: Term, b: Term) -> tuple[Term, str]:
    """A whole exponent written out is a product; one computed is read off its lemma; others: exp(b log a)."""
    k = whole(b.value)
    if k is not None and b.literal(fmpq(k)):
        return natural_power(a, k), ""
    text, names = f"(power {a.text} {b.text})", (*a.names, *b.names)
    if k is not None and k >= 0:
        value, known = natural_power(a, k).value, f"{b.names[0]}_is" if b.names else ""
        proof = f"rewrite (power_is_whole _ _ {k}) by exactly_known {known}; "
        return Term(text, value, names), proof
    if not a.value > 0:
        raise CannotFormalize("a power of a base that may be negative.")
    term = applied("pow", "(power {} {})", a, b)
    return Term(text, arb(term.value), names), POSITIVE_BASE


def _modulus(a: Term, b: Term) -> tuple[Term, str]:
    quotient = applied("div", "({} / {})", a, b)
    floor, proof = _whole("floor", "floor")(quotient)
    return sub(a, mul(b, floor)), proof.replace(
        "[lra |]; ", ""
    )  # what is left rests on the names too


def _groups(array: Terms, node: dict[str, Any]) -> list[list[Term]]:
    """The entries that each entry of a reduction is made of."""
    shape, steps = array.shape, strides(array.shape)
    axes = {axis % len(shape) for axis in node["axes"]}
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    inner = positions(
        [shape[axis] for axis in sorted(axes)], [steps[axis] for axis in sorted(axes)]
    )
    outer = positions([shape[axis] for axis in kept], [steps[axis] for axis in kept])
    return [[array.data[i + j] for j in inner] for i in outer]


def _sum(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    return _plain([total(group) for group in _groups(operands[0], node)])


def _product(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    made = []
    for group in _groups(operands[0], node):
        result = literal(ONE)
        for term in group:
            result = mul(result, term)
        made.append(result)
    return _plain(made)


def _folded(op: str, name: str) -> Maker:
    """Largest or smallest entries, two at a time."""

    def maker(
        program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
    ) -> Made:
        made = []
        for j, group in enumerate(_groups(operands[0], node)):
            result = group[0]
            for m, term in enumerate(group[1:-1]):
                pair, proof = _extreme(op, name)(result, term)
                result = program.theory.define(f"n{k}_{j}_of_{m + 2}", pair, proof)
            made.append(
                _extreme(op, name)(result, group[-1]) if group[1:] else (result, "")
            )
        return made

    return maker


def _mean(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    (array,), group = operands, program.tape.group(node["args"][0])
    weights = program.weights(group if group is not None else 0)
    size = len(array.data) // len(weights)
    rows = [array.data[a * size : (a + 1) * size] for a in range(len(weights))]
    columns = zip(*rows, strict=True)
    return _plain(
        [
            total([mul(w, x) for w, x in zip(weights, column, strict=True)])
            for column in columns
        ]
    )


def _running(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    (array,) = operands
    if len(array.shape) != 1:
        raise CannotFormalize("running sums of more than one axis.")
    return _plain([total(array.data[: j + 1]) for j in range(len(array.data))])


Square = list[list[Term]]


def matrices(array: Terms) -> list[Square]:
    rows, columns = array.shape[-2:]
    size = rows * columns
    starts = range(0, len(array.data), size)
    return [
        [list(array.data[s + i * columns : s + (i + 1) * columns]) for i in range(rows)]
        for s in starts
    ]


def _matmul(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    """NumPy's product: vectors are rows on the left and columns on the right."""
    left, right = operands
    a = Terms((1, *left.shape), left.data) if len(left.shape) == 1 else left
    b = Terms((*right.shape, 1), right.data) if len(right.shape) == 1 else right
    lead = broadcast(a.shape[:-2], b.shape[:-2])
    pairs = zip(matrices(_stacked(a, lead)), matrices(_stacked(b, lead)), strict=True)
    products = [_product_of(x, y) for x, y in pairs]
    return _plain([entry for matrix in products for row in matrix for entry in row])


def _stacked(array: Terms, lead: tuple[int, ...]) -> Terms:
    """A batch of matrices, as many as `lead` says."""
    shape = (*lead, *array.shape[-2:])
    return Terms(shape, array.over(shape))


def _product_of(x: Square, y: Square) -> Square:
    return [
        [
            total([mul(u, v) for u, v in zip(row, column, strict=True)])
            for column in zip(*y)
        ]
        for row in x
    ]


def determinant(a: Square) -> Term:
    """Leibniz' sum."""
    if len(a) > MOST_LEIBNIZ:
        raise CannotFormalize(
            f"a linear system or determinant of more than {MOST_LEIBNIZ} rows."
        )
    result = literal(ZERO)
    for order in permutations(range(len(a))):
        term = literal(ONE)
        for i, j in enumerate(order):
            term = mul(term, a[i][j])
        odd = (
            sum(
                order[i] > order[j] for i in range(len(a)) for j in range(i + 1, len(a))
            )
            % 2
        )
        result = (
            sub(result, term) if odd and not term.literal(ZERO) else add(result, term)
        )
    return result


def _det(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    return _plain([determinant(a) for a in matrices(operands[0])])


def _cramer(program: Program, k: int, b: int, a: Square, y: Square) -> Square:
    """The solution x of a x = y by Cramer's rule."""
    below = program.theory.define(f"n{k}_det_{b}", determinant(a))
    program.theory.needs.append(f"{below.text} <> 0")
    n, columns = len(a), len(y[0])
    replaced = [
        [_with_column(a, i, [row[c] for row in y]) for c in range(columns)]
        for i in range(n)
    ]
    return [[div(determinant(m), below) for m in row] for row in replaced]


def _with_column(a: Square, i: int, column: list[Term]) -> Square:
    return [
        [column[r] if c == i else x for c, x in enumerate(row)]
        for r, row in enumerate(a)
    ]


def _solve(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    a, y = operands
    lead = broadcast(a.shape[:-2], y.shape[:-2])
    pairs = zip(matrices(_stacked(a, lead)), matrices(_stacked(y, lead)), strict=True)
    return _plain(
        [
            x
            for b, (m, r) in enumerate(pairs)
            for row in _cramer(program, k, b, m, r)
            for x in row
        ]
    )


def _inverse(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    made = []
    for b, a in enumerate(matrices(operands[0])):
        unit = [
            [literal(fmpq(int(i == j))) for j in range(len(a))] for i in range(len(a))
        ]
        made += [x for row in _cramer(program, k, b, a, unit) for x in row]
    return _plain(made)


def _eigenvalues(program: Program, stem: str, a: Square) -> list[Term]:
    """Of a symmetric matrix, ascending; (x + z -+ sqrt((x - z)^2 + 4 y^2)) / 2 for two rows."""
    if len(a) == 1:
        return [a[0][0]]
    if len(a) > 2:
        raise CannotFormalize("eigenvalues of more than two rows.")
    (x, _), (y, z) = a
    two, four, squares = literal(fmpq(2)), literal(fmpq(4)), []
    squares = [natural_power(sub(x, z), 2), mul(four, natural_power(y, 2))]
    inside = program.theory.define(f"{stem}_in", total(squares))
    root = program.theory.define(
        f"{stem}_root", applied("sqrt", SHAPES["sqrt"], _nonnegative(inside))
    )
    return [div(sub(add(x, z), root), two), div(add(add(x, z), root), two)]


def _nonnegative(term: Term) -> Term:
    """A sum of squares whose enclosure reaches below 0 has to be enclosed better."""
    if not term.value >= 0:
        raise CannotFormalize("a square root of a number that cannot be told from 0.")
    return term


def _eigvalsh(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    batch = enumerate(matrices(operands[0]))
    return _plain([x for b, a in batch for x in _eigenvalues(program, f"n{k}_{b}", a)])


def _svdvals(
    program: Program, k: int, node: dict[str, Any], operands: Sequence[Terms]
) -> Made:
    """Roots of the eigenvalues of a'a or aa', descending."""
    made = []
    for b, a in enumerate(matrices(operands[0])):
        turned = [list(column) for column in zip(*a)]
        gram = _product_of(a, turned) if len(a) <= len(a[0]) else _product_of(turned, a)
        name, define = f"n{k}_{b}", program.theory.define
        rows = [
            [define(f"{name}_{i}{j}", x) for j, x in enumerate(row)]
            for i, row in enumerate(gram)
        ]
        named = [
            define(f"{name}_{i}", value)
            for i, value in enumerate(_eigenvalues(program, name, rows))
        ]
        made += [
            applied("sqrt", SHAPES["sqrt"], _nonnegative(value))
            for value in reversed(named)
        ]
    return _plain(made)


MAKERS: dict[str, Maker] = {
    "maximum": _entrywise(_extreme("maximum", "Rmax")),
    "minimum": _entrywise(_extreme("minimum", "Rmin")),
    "floor": _entrywise(_whole("floor", "floor")),
    "ceil": _entrywise(_whole("ceil", "ceil")),
    "sign": _entrywise(_sign),
    "pow": _entrywise(_power),
    "mod": _entrywise(_modulus),
    "sum": _sum,
    "prod": _product,
    "max": _folded("maximum", "Rmax"),
    "min": _folded("minimum", "Rmin"),
    "mean": _mean,
    "cumsum": _running,
    "matmul": _matmul,
    "det": _det,
    "solve": _solve,
    "inv": _inverse,
    "eigvalsh": _eigvalsh,
    "svdvals": _svdvals,
}

# --- weights of finite laws


def _finite(draw: Any, program: Program) -> list[Term]:
    weights = program.parameters(draw.law["weights"])
    mass = total(weights)
    program.theory.needs += [f"{mass.text} <> 0"] if mass.names else []
    return weights if mass.literal(ONE) else [div(w, mass) for w in weights]


def _binomial(draw: Any, program: Program) -> list[Term]:
    (p,), n = program.parameters(draw.law["p"]), len(draw.outcomes) - 1
    q = sub(literal(ONE), p)
    powers = [mul(natural_power(p, k), natural_power(q, n - k)) for k in range(n + 1)]
    return [mul(literal(fmpq(comb(n, k))), power) for k, power in enumerate(powers)]


def _multinomial(draw: Any, program: Program) -> list[Term]:
    """The last category takes what the others leave of 1."""
    given = program.parameters(draw.law["pvals"])
    p = [*given[:-1], sub(literal(ONE), total(given[:-1]))]
    weights = []
    for counts in draw.outcomes:
        ways = factorial(draw.law["n"])
        for count in counts:
            ways //= factorial(whole(count) or 0)
        weight = literal(fmpq(ways))
        for share, count in zip(p, counts, strict=True):
            weight = mul(weight, natural_power(share, whole(count) or 0))
        weights.append(weight)
    return weights


def _hypergeometric(draw: Any, program: Program) -> list[Term]:
    good, bad, sample = (draw.law[key] for key in ("good", "bad", "sample"))
    seen = [whole(k) or 0 for (k,) in draw.outcomes]
    return [
        literal(fmpq(comb(good, k) * comb(bad, sample - k), comb(good + bad, sample)))
        for k in seen
    ]


LAWS: dict[str, Callable[[Any, Program], list[Term]]] = {
    "finite": _finite,
    "binomial": _binomial,
    "multinomial": _multinomial,
    "hypergeometric": _hypergeometric,
}
