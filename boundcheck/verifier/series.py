"""Rational series in letters that do not commute, by linear representations: matrices of every size at once.

A matrix expression made of letters by sums, products, transposes and inverses is a series in words of letters,
where an inverse 1 / (c + f) with a number c that is not 0 is c^-1 - c^-1 f c^-1 + ... The coefficients of such a
series are `start` * step(w_1) * ... * step(w_k) * `end` (Schuetzenberger 1961). A series is 0 if it has a
representation that no word reaches, which linear algebra decides (Berstel and Reutenauer 2011, Chapter 2). What is
0 in words is 0 for matrices of every size: put t times matrices in the place of the letters. Both sides are
rational functions of t that are defined at 0, and equal as power series, hence equal where they are defined.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from flint import nmod_mat

from .findings import spend
from .scalars import Unproved

Letter = tuple[str, int]
"""A name, and 1 where the letter stands for the transpose; a symmetric one is its own."""

MOST_STATES = 400
ENTRY = 0.02
"""Units of work of one entry in a product of matrices."""


@dataclass(frozen=True)
class Series:
    """A series of numbers modulo a prime; of words that lead from rows of one kind to columns of another."""

    start: nmod_mat
    steps: Mapping[Letter, nmod_mat]
    end: nmod_mat
    length: int = 1
    """States of a representation over the rational functions of the scalars, before any is left out."""
    weight: int = 1
    """The coefficient of a word of length k has degree and binary length at most (k + 1) times so much."""

    @property
    def states(self) -> int:
        return int(self.start.ncols())

    @property
    def prime(self) -> int:
        return int(self.start.modulus())

    @property
    def constant(self) -> int:
        """The coefficient of the empty word."""
        return int((self.start * self.end)[0, 0])

    @property
    def vanishes(self) -> bool:
        return all(int(x) == 0 for x in self.start.entries())

    def of_parts(
        self, start: nmod_mat, steps: Mapping[Letter, nmod_mat], end: nmod_mat
    ) -> Series:
        return Series(start, steps, end, self.length, self.weight)


def constant(prime: int, c: int, weight: int) -> Series:
    """A number times the identity."""
    return Series(_mat([[c]], prime), {}, _mat([[1]], prime), 1, weight)


def letter(prime: int, name: Letter) -> Series:
    step = _mat([[0, 1], [0, 0]], prime)
    return Series(
        _mat([[1, 0]], prime), {name: step}, _mat([[0], [1]], prime), 2, 1
    )


def scaled(x: Series, c: int, weight: int) -> Series:
    return Series(x.start * c, x.steps, x.end, x.length, x.weight + weight)


def added(x: Series, y: Series) -> Series:
    none = _zeros(x.states, y.states, x.prime)
    steps = {
        a: _blocks([[p, none], [none.transpose(), q]])
        for a, p, q in _both(x, y)
    }
    start, end = _blocks([[x.start, y.start]]), _blocks([[x.end], [y.end]])
    made = Series(start, steps, end, x.length + y.length, x.weight + y.weight)
    return minimal(made)


def multiplied(x: Series, y: Series) -> Series:
    """Words of one, then words of the other; where the first ends the second may take its first step."""
    over, none = x.end * y.start, _zeros(y.states, x.states, x.prime)
    steps = {a: _blocks([[p, over * q], [none, q]]) for a, p, q in _both(x, y)}
    start = _blocks([[x.start, _zeros(1, y.states, x.prime)]])
    end = _blocks([[x.end * y.constant], [y.end]])
    made = Series(start, steps, end, x.length + y.length, x.weight + y.weight)
    return minimal(made)


def transposed(x: Series, symmetric: frozenset[str]) -> Series:
    steps = {
        (name, turned if name in symmetric else 1 - turned): step.transpose()
        for (name, turned), step in x.steps.items()
    }
    return x.of_parts(x.end.transpose(), steps, x.start.transpose())


def inverted(x: Series) -> Series:
    """With X the sum of letters times steps, (c + start X (1 - X)^-1 end)^-1 by Woodbury. Raises Unproved."""
    c = x.constant
    if not c:
        raise Unproved(
            "a matrix that is inverted has no number beside its words"
        )
    over, p = pow(c, -1, x.prime), x.prime
    less = _identity(x.states, p) - x.end * x.start * over
    none = _zeros(x.states + 1, 1, p)
    steps = {
        a: _blocks([[none, _blocks([[x.start * step * -over], [less * step]])]])
        for a, step in x.steps.items()
    }
    start = _blocks([[_mat([[1]], p), _zeros(1, x.states, p)]])
    end = _blocks([[_mat([[over]], p)], [x.end * over]])
    return minimal(Series(start, steps, end, x.length + 1, 4 * x.weight + 2))


def minimal(x: Series) -> Series:
    """The same series without the states that no word reaches, and those from which none ends."""
    if x.states > MOST_STATES:
        raise Unproved("a series has too many states")
    return _turned(_reached(_turned(_reached(x))))


def _turned(x: Series) -> Series:
    """The series of the words read backwards."""
    steps = {a: step.transpose() for a, step in x.steps.items()}
    return x.of_parts(x.end.transpose(), steps, x.start.transpose())


def _reached(x: Series) -> Series:
    """The same in a basis of what the words reach from the start."""
    basis = reachable(x)
    if basis.nrows() == 0:
        return x.of_parts(_zeros(1, 1, x.prime), {}, _zeros(1, 1, x.prime))
    pivots = _pivots(basis)
    steps = {a: _columns(basis * step, pivots) for a, step in x.steps.items()}
    steps = {a: s for a, s in steps.items() if any(map(int, s.entries()))}
    return x.of_parts(_columns(x.start, pivots), steps, basis * x.end)


def reachable(x: Series) -> nmod_mat:
    """A basis of what the words reach from the start, in reduced form.

    Words get longer by a letter at a time, and only what no shorter word reaches goes on.
    """
    longer, found = _independent(x.start), list[_Rows]()
    while longer.nrows():
        spend(ENTRY * longer.nrows() * x.states**2 * (1 + len(x.steps)))
        found.append(_Rows(longer))
        ends = [longer * step for step in x.steps.values()]
        for rows in found:
            ends = [rows.taken_from(end) for end in ends]
        longer = _independent(_below([_zeros(1, x.states, x.prime), *ends]))
    return _independent(_below([x.start, *(known.rows for known in found)]))


class _Rows:
    """Rows in reduced form."""

    def __init__(self, rows: nmod_mat):
        self.rows = rows
        pivots = _pivots(rows)
        self.picks = _zeros(rows.ncols(), len(pivots), int(rows.modulus()))
        for k, pivot in enumerate(pivots):
            self.picks[pivot, k] = 1

    def taken_from(self, other: nmod_mat) -> nmod_mat:
        """Other rows, less what of these leaves none of their pivots."""
        return other - (other * self.picks) * self.rows


def trace_of(x: Series, symmetric: frozenset[str]) -> Series:
    """The sum of a series over all rotations of its words and over those of its transpose, but for the empty word.

    For matrices the trace of a product is that of its rotations and of its transpose.
    """
    d, p, one = x.states, x.prime, _identity(x.states, x.prime)
    if 2 * d * d > MOST_STATES:
        raise Unproved("a trace has too many states")
    turn, steps = x.end * x.start, {}
    for a, step in x.steps.items():
        stay, over = _kron(one, step), _kron(one, turn * step)
        steps[a] = _blocks([[stay, over], [_zeros(d * d, d * d, p), stay]])
    flat = [int(v) for v in one.entries()]
    start = _mat([[*flat, *[0] * (d * d)]], p)
    end = _mat([[v] for v in [*[0] * (d * d), *flat]], p)
    length = 2 * x.length * x.length
    rotated = minimal(Series(start, steps, end, length, 2 * x.weight))
    return added(rotated, transposed(rotated, symmetric))


def opened_at(x: Series, marks: AbstractSet[Letter]) -> tuple[Series, Series]:
    """The words without marks; and w v a for each word v a w with the mark a, and none in v.

    Where a has one column, the trace of v a w is the number w v a.
    """
    if not marks & x.steps.keys():
        return x, scaled(constant(x.prime, 1, 1), 0, 0)
    plain = {a: step for a, step in x.steps.items() if a not in marks}
    made = x.of_parts(x.start, {}, _zeros(x.states, 1, x.prime))
    for a in sorted(marks & x.steps.keys()):
        rows = _independent(x.steps[a])
        columns = _columns(x.steps[a], _pivots(rows))
        for k in range(rows.nrows()):
            behind = x.of_parts(_rows(rows, [k]), x.steps, x.end)
            before = x.of_parts(x.start, plain, _columns(columns, [k]))
            turned = multiplied(minimal(behind), minimal(before))
            made = added(made, multiplied(turned, letter(x.prime, a)))
    length, weight = 2 * x.length * x.length, 2 * x.weight
    opened = Series(made.start, made.steps, made.end, length, weight)
    return minimal(x.of_parts(x.start, plain, x.end)), opened


def without_constant(x: Series) -> Series:
    """The same but for the empty word."""
    return added(x, scaled(constant(x.prime, 1, 1), -x.constant, x.weight))


def _kron(x: nmod_mat, y: nmod_mat) -> nmod_mat:
    xs, ys = x.tolist(), y.tolist()
    rows = [[a * b for a in row for b in other] for row in xs for other in ys]
    return _mat(rows, int(x.modulus()))


def _both(x: Series, y: Series) -> list[tuple[Letter, nmod_mat, nmod_mat]]:
    """The steps of two series, letter by letter."""
    for s in (x, y):
        spend(ENTRY * s.states**2 * (1 + len(s.steps)))
    zeros = [_zeros(s.states, s.states, s.prime) for s in (x, y)]
    letters = sorted({*x.steps, *y.steps})
    return [
        (a, x.steps.get(a, zeros[0]), y.steps.get(a, zeros[1])) for a in letters
    ]


def relation(known: list[Series], new: Series) -> list[int] | None:
    """Numbers c with new = sum c_k known_k; None where there are none."""
    p, every = new.prime, [*known, new]
    letters = sorted({a for x in every for a in x.steps})
    none = {
        (i, j): _zeros(x.states, y.states, p)
        for i, x in enumerate(every)
        for j, y in enumerate(every)
    }
    steps = {
        a: _blocks(
            [
                [
                    x.steps.get(a, none[i, i]) if i == j else none[i, j]
                    for j in range(len(every))
                ]
                for i, x in enumerate(every)
            ]
        )
        for a in letters
    }
    start, end = (
        _blocks([[x.start for x in every]]),
        _blocks([[x.end] for x in every]),
    )
    rows = reachable(Series(start, steps, end))
    if rows.nrows() == 0:
        return [0] * len(known)
    places = [0]
    for x in every:
        places.append(places[-1] + x.states)
    values = [
        _columns(rows, range(a, b)) * x.end
        for a, b, x in zip(places, places[1:], every, strict=False)
    ]
    table = _independent(_blocks([values]))
    pivots = _pivots(table)
    if len(known) in pivots:
        return None
    found = [0] * len(known)
    for row, k in enumerate(pivots):
        found[k] = int(table[row, len(known)])
    return found


# matrices modulo a prime


def _mat(rows: list[list[Any]], prime: int) -> nmod_mat:
    return nmod_mat(
        len(rows), len(rows[0]), [x for row in rows for x in row], prime
    )


def _zeros(m: int, n: int, prime: int) -> nmod_mat:
    return nmod_mat(m, n, prime)


def _identity(n: int, prime: int) -> nmod_mat:
    return nmod_mat(
        n, n, [int(i == j) for i in range(n) for j in range(n)], prime
    )


def _blocks(parts: list[list[nmod_mat]]) -> nmod_mat:
    rows = [
        [entry for row in beside for entry in row]
        for given in parts
        for beside in zip(*(part.tolist() for part in given), strict=True)
    ]
    return _mat(rows, int(parts[0][0].modulus()))


def _below(parts: list[nmod_mat]) -> nmod_mat:
    return _blocks([[part] for part in parts])


def _rows(x: nmod_mat, places: Any) -> nmod_mat:
    return _columns(x.transpose(), places).transpose()


def _columns(x: nmod_mat, places: Any) -> nmod_mat:
    chosen = list(places)
    return _mat(
        [[row[k] for k in chosen] for row in x.tolist()], int(x.modulus())
    )


def _independent(x: nmod_mat) -> nmod_mat:
    """A basis of the rows, in reduced form."""
    reduced, rank = x.rref()
    entries = reduced.entries()[: rank * x.ncols()]
    return nmod_mat(rank, x.ncols(), entries, int(x.modulus()))


def _pivots(reduced: nmod_mat) -> list[int]:
    rows = reduced.tolist()
    return [next(k for k, v in enumerate(row) if int(v)) for row in rows]
