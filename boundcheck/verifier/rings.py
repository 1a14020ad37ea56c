"""Polynomials and quotients over the variables of a set: lowest terms, signs, sums of squares.

A sign holds on all of an interval, bounded or not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flint import Ordering, arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpq_poly

from .findings import spend
from .matrices import Matrix, eliminate
from .scalars import NONNEGATIVE, POSITIVE, UNKNOWN, Unproved

WIDTH = 32
"""Variables of the polynomial ring, given out as they are needed."""

LONGEST = 2500
"""Terms of a numerator and its denominator together."""

MOST_SQUARES = 60
DEEPEST = 4

Form = tuple[fmpq_mpoly, fmpq_mpoly]


@dataclass(frozen=True)
class Kind:
    """Where the values of a variable lie; an end may be met where it is `closed`."""

    low: fmpq | None = None
    high: fmpq | None = None
    closed: bool = True
    closed_above: bool = True

    def cut(self, low: fmpq | None, high: fmpq | None, closed: bool) -> Kind:
        """The part above or below a number, unless that is known better already."""
        found = self
        if low is not None and (
            self.low is None
            or low > self.low
            or (low == self.low and not closed)
        ):
            found = replace(found, low=low, closed=closed)
        if high is not None and (
            self.high is None
            or high < self.high
            or (high == self.high and not closed)
        ):
            found = replace(found, high=high, closed_above=closed)
        return found


REAL, ABOVE, UP = Kind(), Kind(fmpq(0), None, False), Kind(fmpq(0))
"""Any number; a positive one; one that is not negative."""

UNIT = Kind(fmpq(-1), fmpq(1))


class Ring:
    """Quotients of polynomials in variables of which is known where they lie."""

    def __init__(self) -> None:
        self.context: Any = fmpq_mpoly_ctx.get(
            [f"a{k}" for k in range(WIDTH)], Ordering.degrevlex
        )
        self.gens, self.kinds = self.context.gens(), [UP] * WIDTH
        self.keys: dict[Any, int] = {}
        self.values: dict[int, arb] = {}
        """Of the variables that are numbers, roots and logarithms of rationals."""
        self.relations: list[tuple[int, int, fmpq_mpoly]] = []
        self.insides: dict[int, fmpq_mpoly] = {}
        self.one = self.context.from_dict({(0,) * WIDTH: 1})
        self.zero = self.one - self.one

    # variables

    def atom(
        self,
        key: object,
        kind: Kind,
        power: int = 0,
        of: fmpq_mpoly | None = None,
        value: arb | None = None,
    ) -> fmpq_mpoly:
        """The variable of a key; its `power` is a polynomial, and its `value` a number, if they are given."""
        if key not in self.keys:
            k = len(self.keys)
            if k >= WIDTH - DEEPEST:
                raise Unproved("normal forms have too many variables")
            self.keys[key], self.kinds[k] = k, kind
            if value is not None and value.is_finite():
                self.values[k] = value
            if of is not None:
                self.relations.append((k, power, of))
        return self.gens[self.keys[key]]

    def make(self, num: fmpq_mpoly, den: fmpq_mpoly) -> Form:
        """The quotient in lowest terms, powers of roots replaced."""
        if den == 0:
            raise Unproved("a divisor vanishes")
        spend(5 + 0.3 * (len(num) + len(den)))
        if len(num) + len(den) > LONGEST:
            raise Unproved("a normal form is too long")
        for place, q, f in reversed(self.relations):
            num, den = (
                self._reduced(num, place, q, f),
                self._reduced(den, place, q, f),
            )
        if num == 0:
            return self.zero, self.one
        if den == 0:
            raise Unproved("a divisor vanishes")
        if den.total_degree() > 0:
            spend(2 * (len(num) + len(den)) + 0.5 * len(num) * len(den))
            g = num.gcd(den)
            num, den = num / g, den / g
        c = den.leading_coefficient()
        return num / c, den / c

    def _reduced(
        self, poly: fmpq_mpoly, place: int, q: int, f: fmpq_mpoly
    ) -> fmpq_mpoly:
        if all(e[place] < q for e in poly.monoms()):
            return poly
        parts: dict[int, dict[Any, Any]] = {}
        for e, c in poly.to_dict().items():
            k, rest = divmod(e[place], q)
            parts.setdefault(k, {})[(*e[:place], rest, *e[place + 1 :])] = c
        total = self.zero
        for k, entries in parts.items():
            total = total + self.context.from_dict(entries) * f**k
        return total

    # signs

    def sign(self, poly: fmpq_mpoly) -> int:
        """POSITIVE, NONNEGATIVE, their opposites, or UNKNOWN, on all of the set."""
        if poly == 0:
            return NONNEGATIVE
        terms, weak = poly.to_dict(), set()
        used = {i for e in terms for i, n in enumerate(e) if n}
        for i in used - self.values.keys():
            kind = self.kinds[i]
            if kind.low is None and kind.high is None:
                if any(e[i] % 2 for e in terms):
                    return UNKNOWN
                weak.add(i)
                continue
            if kind.low != 0 or kind.high is not None:
                terms = _from_zero(terms, i, kind)
            if kind.closed if kind.low is not None else kind.closed_above:
                weak.add(i)
            if (
                kind.low is not None
                and kind.high is not None
                and kind.closed_above
            ):
                weak.add(i)
                weak.add(-1)
            spend(len(terms))
            if len(terms) > 10 * LONGEST:
                return UNKNOWN
        if used & self.values.keys():
            terms = self._with_values(terms)
        signs = {
            True if c > 0 else False if c < 0 else None for c in terms.values()
        }
        if len(signs) != 1 or None in signs:
            return UNKNOWN
        sure = -1 not in weak and any(
            not any(e[i] for i in weak) for e in terms
        )
        return (POSITIVE if sure else NONNEGATIVE) * (
            1 if True in signs else -1
        )

    def _with_values(self, terms: dict[Any, Any]) -> dict[Any, arb]:
        """The terms with numbers for the variables that are such."""
        found: dict[Any, arb] = {}
        spend(3 * len(terms))
        for e, c in terms.items():
            value, key = arb(c), list(e)
            for i, x in self.values.items():
                if e[i]:
                    value, key[i] = value * x ** e[i], 0
            found[tuple(key)] = found.get(tuple(key), arb(0)) + value
        return found

    def valued(self, poly: fmpq_mpoly) -> arb | None:
        """The number that a polynomial is, if it is one."""
        found = self._with_values(poly.to_dict())
        return found[(0,) * WIDTH] if found.keys() == {(0,) * WIDTH} else None

    def factors(
        self, num: fmpq_mpoly, den: fmpq_mpoly
    ) -> tuple[fmpq, list[tuple[fmpq_mpoly, int, int]]]:
        """A constant, and factors with exponents and signs; those of negative sign are turned around."""
        constant, found = fmpq(1), []
        for poly, way in ((num, 1), (den, -1)):
            spend(10 * len(poly))
            c, parts = poly.factor()
            constant = constant * c if way > 0 else constant / c
            for f, m in parts:
                s = self.sign(f)
                if s < 0:
                    f, s, constant = -f, -s, constant * (-1) ** int(m)
                found.append((f, int(m) * way, s))
        return constant, found

    def sign_of_quotient(self, num: fmpq_mpoly, den: fmpq_mpoly) -> int:
        """The sign of a quotient by its factors; what is left of unknown sign is looked at case by case."""
        if num == 0:
            return NONNEGATIVE
        constant, parts = self.factors(num, den)
        total, sure, hard = (1 if constant > 0 else -1), True, []
        for f, m, s in parts:
            if s == UNKNOWN and m % 2:
                hard.append(f)
            sure = sure and s == POSITIVE
        if not hard:
            return total * (POSITIVE if sure else NONNEGATIVE)
        if len(hard) > 1:
            return UNKNOWN
        if self.nonnegative(hard[0] * total):
            return NONNEGATIVE
        return -NONNEGATIVE if self.nonnegative(-hard[0] * total) else UNKNOWN

    def nonnegative(self, f: fmpq_mpoly, depth: int = 0) -> bool:
        """Whether a polynomial is at least 0: by sign, as a sum of squares, by those of |u|, by order."""
        if self.sign(f) > 0 or self.squares(f):
            return True
        if depth >= DEEPEST:
            return False
        constant, parts = f.factor()
        odd = [p for p, m in parts if m % 2]
        if len(odd) < len(parts) or len(odd) > 1:
            hard, total = [], 1 if constant > 0 else -1
            for p in odd:
                s = self.sign(p)
                hard += [p] if s == UNKNOWN else []
                total *= -1 if s < 0 else 1
            if len(hard) <= 1:
                return (
                    total > 0
                    if not hard
                    else self.nonnegative(hard[0] * total, depth + 1)
                )
            return False
        used = {i for e in f.monoms() for i, n in enumerate(e) if n}
        for i, q, _ in self.relations:
            if i in used and self._by_powers(f, q, depth):
                return True
        for key, i in self.keys.items():
            if i in used and key[0] == "abs":
                u = self.insides[i]
                return all(
                    self._where(self._replaced(f, i, s), s, depth)
                    for s in (u, -u)
                )
        plain = [
            i
            for i in sorted(used - self.values.keys())
            if self.kinds[i].low == 0
        ]
        if depth < 3 and 2 <= len(plain) <= 4:
            for a in plain:
                for b in plain:
                    if a < b and all(
                        self._with(
                            {a: UP, b: UP},
                            self._replaced(f, x, self.gens[x] + self.gens[y]),
                            DEEPEST,
                        )
                        for x, y in ((a, b), (b, a))
                    ):
                        return True
        return False

    def squares(self, f: fmpq_mpoly) -> bool:
        """Whether a polynomial is a sum of squares of the halves of its even terms: its Gram matrix is PSD.

        A variable that is not negative is a square. A product of two halves in several ways is shared
        evenly, unless it is a square itself.
        """
        terms = f.to_dict()
        if any(e[i] for e in terms for i in self.values):
            return False
        for i in {i for e in terms for i, n in enumerate(e) if n}:
            kind = self.kinds[i]
            if kind.low is None and kind.high is None:
                continue
            if kind.low != 0 or kind.high is not None:
                terms = _from_zero(terms, i, kind)
            terms = {
                (*e[:i], 2 * e[i], *e[i + 1 :]): c for e, c in terms.items()
            }
            spend(len(terms))
            if len(terms) > MOST_SQUARES**2:
                return False
        even = [
            e
            for e, c in sorted(terms.items())
            if c > 0 and not any(n % 2 for n in e)
        ]
        halves = [tuple(n // 2 for n in e) for e in even]
        if len(halves) > MOST_SQUARES:
            return False
        spend(len(halves) ** 3 + 10 * len(halves) ** 2)
        ways: dict[Any, list[tuple[int, int]]] = {}
        for i, a in enumerate(halves):
            for j, b in enumerate(halves[: i + 1]):
                ways.setdefault(
                    tuple(map(sum, zip(a, b, strict=True))), []
                ).append((i, j))
        gram: Matrix = [[fmpq(0)] * len(halves) for _ in halves]
        for e, c in terms.items():
            pairs = ways.get(e, [])
            pairs = [(i, j) for i, j in pairs if i == j] or pairs
            if not pairs:
                return False
            for i, j in pairs:
                gram[i][j] = gram[j][i] = c / (
                    len(pairs) * (1 if i == j else 2)
                )
        return eliminate([row[: k + 1] for k, row in enumerate(gram)]) is True

    def _by_powers(self, f: fmpq_mpoly, q: int, depth: int) -> bool:
        """Whether a difference of two non-negative sums is at least 0, as that of their powers is."""
        above = self.context.from_dict(
            {e: c for e, c in f.to_dict().items() if c > 0}
        )
        below = above - f
        if len(above) * len(below) > 60 or not (
            self.sign(above) > 0 and self.sign(below) > 0
        ):
            return False
        num, den = self.make(above**q - below**q, self.one)
        return num == 0 or (den == 1 and self.nonnegative(num, depth + 1))

    def _with(self, kinds: dict[int, Kind], f: fmpq_mpoly, depth: int) -> bool:
        """Whether a polynomial is at least 0 where some variables are of other kinds."""
        kept = list(self.kinds)
        try:
            for i, kind in kinds.items():
                self.kinds[i] = kind
            return self.nonnegative(f, depth + 1)
        finally:
            self.kinds = kept

    def _where(self, f: fmpq_mpoly, u: fmpq_mpoly, depth: int) -> bool:
        """Whether f >= 0 where u >= 0: as it is, or with a power of a variable that u is linear in
        written by u."""
        if self.nonnegative(f, depth + 1):
            return True
        monoms = [*f.monoms(), *u.monoms()]
        spare = max(
            (
                k
                for k in range(len(self.keys), WIDTH)
                if not any(e[k] for e in monoms)
            ),
            default=0,
        )
        for i in sorted({i for e in u.monoms() for i, n in enumerate(e) if n}):
            own = {e: c for e, c in u.to_dict().items() if e[i]}
            e, c = next(iter(own.items()))
            n = e[i]
            if (
                len(own) != 1
                or sum(e) != n
                or not spare
                or any(x[i] % n for x in f.monoms())
            ):
                continue
            new = (self.gens[spare] - (u - self.gens[i] ** n * c)) / c
            if self._with({spare: UP}, self._replaced(f, i, new, n), depth):
                return True
        return False

    def _replaced(
        self, f: fmpq_mpoly, i: int, g: fmpq_mpoly, n: int = 1
    ) -> fmpq_mpoly:
        """The polynomial with another one for the n-th power of a variable, which has no other powers."""
        parts: dict[int, dict[Any, Any]] = {}
        for e, c in f.to_dict().items():
            parts.setdefault(e[i] // n, {})[(*e[:i], 0, *e[i + 1 :])] = c
        total = self.zero
        for k, entries in parts.items():
            total = total + self.context.from_dict(entries) * g**k
        return total

    def add(self, a: Form, b: Form) -> Form:
        if a[1] == b[1]:
            return self.make(a[0] + b[0], a[1])
        return self.make(a[0] * b[1] + b[0] * a[1], a[1] * b[1])

    def mul(self, a: Form, b: Form) -> Form:
        return self.make(a[0] * b[0], a[1] * b[1])

    def scaled(self, a: Form, c: fmpq | int) -> Form:
        return a[0] * c, a[1]


def _from_zero(terms: dict[Any, Any], i: int, kind: Kind) -> dict[Any, Any]:
    """The polynomial in a variable that runs from 0 to infinity in place of one of a kind;
    times a positive number."""
    low, high, top = kind.low, kind.high, max(e[i] for e in terms)
    # x = low + u, x = high - u, or x = (low + high u) / (1 + u), all times (1 + u)^top
    over = fmpq_poly([1])
    if low is not None and high is not None:
        x, over = fmpq_poly([low, high]), fmpq_poly([1, 1])
    elif low is not None:
        x = fmpq_poly([low, fmpq(1)])
    else:
        assert high is not None
        x = fmpq_poly([high, fmpq(-1)])
    rows: dict[Any, dict[int, Any]] = {}
    for e, c in terms.items():
        rows.setdefault((*e[:i], 0, *e[i + 1 :]), {})[e[i]] = c
    found: dict[Any, Any] = {}
    for rest, coefficients in rows.items():
        total, power = fmpq_poly(), fmpq_poly([1])
        for n in range(top, -1, -1):
            total = total * x + power * coefficients.get(n, fmpq(0))
            power = power * over
        for m, c in enumerate(total.coeffs()):
            if c != 0:
                found[*rest[:i], m, *rest[i + 1 :]] = c
    return found
