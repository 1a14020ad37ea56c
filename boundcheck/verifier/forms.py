"""Normal forms: rational functions of parameters, roots, logarithms, exponentials; signs by coefficients.

An identity is the zero polynomial. What divides must not vanish, what has a logarithm is positive, on all
of the set; that is shown in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from flint import arb, fmpq, fmpq_mpoly

from .balls import Balls
from .findings import spend
from .functions import FUNCTIONS, sqrt
from .limits import LARGEST_POWER, MOST_FOLDS, MOST_NUMBERS
from .rings import ABOVE, REAL, UP, Form, Kind, Ring
from .scalars import NONNEGATIVE, POSITIVE, Code, Unproved

Errors = (ZeroDivisionError, OverflowError, MemoryError, ValueError)


def shows(
    code: Code,
    left: int,
    right: int,
    relation: str,
    intervals: Sequence[Kind],
    given: Sequence[tuple[int, int]] = (),
    known: Mapping[int, Kind] = MappingProxyType({}),
    ones: Sequence[int] = (),
) -> bool:
    """Whether the relation of two instructions holds for all inputs of some intervals at which p <= q
    for each given pair, some instructions are of `known` kinds, and `ones` are 1.

    What is known of an instruction is used where it divides, or in place of how it was made: then it may have
    any value of its kind. It never raises.
    """
    # First as instructions were made; then with those that hypotheses bound as variables of their own, which forgets how
    # they were made and is weaker, but may be simpler.
    for free in (False, True)[: 1 + bool(known)]:
        try:
            forms = Forms(
                code, code.behind([left, right]), intervals, known, free, ones
            )
            if forms.shows(left, right, relation, given):
                return True
        except (Unproved, *Errors):
            continue
    return False


class Forms(Ring):
    """Forms of the instructions of some code."""

    def __init__(
        self,
        code: Code,
        needed: Iterable[int],
        intervals: Sequence[Kind],
        known: Mapping[int, Kind] = MappingProxyType({}),
        free: bool = False,
        ones: Sequence[int] = (),
    ):
        super().__init__()
        self.code, self.intervals, self.known, self.free, self.ones = (
            code,
            intervals,
            known,
            free,
            ones,
        )
        self.logs: dict[str, Form] = {}
        self.exponentials: dict[str, fmpq_mpoly] = {}
        self.forms: dict[int, Form] = {}
        self.cones: dict[int, tuple[int, bool]] = {}
        self.numbers: dict[int, Any] = {}
        """Instructions that depend on no input, as balls."""
        self.fold = 1
        for k in needed:
            # Variables stand for roots of inputs, of one order that the roots in the program divide while it is small, so that
            # x^(1/2) x^(1/3) and x^(5/6) are one monomial.
            q = self._root(k)
            if 1 < q <= 6 and self.fold % q and self.fold * q <= MOST_FOLDS:
                self.fold *= q

    def _root(self, k: int) -> int:
        op, args = self.code.ops[k]
        if op not in ("sqrt", "pow") or args[0] in self.code.exact:
            return 1
        exponent = self.code.exact.get(args[1]) if op == "pow" else None
        return (
            2
            if op == "sqrt"
            else int(exponent.q)
            if exponent is not None
            else 1
        )

    def shows(
        self,
        left: int,
        right: int,
        relation: str,
        given: Sequence[tuple[int, int]],
    ) -> bool:
        """Whether a relation holds: by the sign of the difference, or by parts where both sides are alike.

        Raises Unproved where a side is not defined on all of the set.
        """
        a, b = self.run(left), self.run(right)
        if self._by_difference(a, b, relation, given):
            return True
        parts = (
            self.code.alike(left, right, self._sign_of)
            if relation == "le"
            else [(left, right)]
        )
        if parts == [(left, right)]:
            return False
        return all(
            pair in given or self.shows(*pair, relation, given)
            for pair in parts
        )

    def _by_difference(
        self, a: Form, b: Form, relation: str, given: Sequence[tuple[int, int]]
    ) -> bool:
        try:
            # Both sides are defined on all of the set, or making their forms would have failed; so the sign of the difference
            # is all that is left to show.
            num, den = self.add(b, (-a[0], a[1]))
            if relation == "eq" or num == 0:
                return relation != "lt" and num == 0
            if self.sign_of_quotient(num, den) >= (
                POSITIVE if relation == "lt" else NONNEGATIVE
            ):
                return True
            if relation == "le" and self.ones and self._with_ones(num, den):
                return True
            return relation == "le" and any(
                self.follows(num, den, p, q) for p, q in given
            )
        except (Unproved, *Errors):
            return False

    def _with_ones(self, num: fmpq_mpoly, den: fmpq_mpoly) -> bool:
        """Whether a quotient is at least 0, as its numerator is, made of one degree by sums that are 1."""
        below = self.sign(den)
        num = num if below > 0 else -num
        for k in self.ones:
            one, over = self.run(k)
            terms = one.to_dict()
            if over != 1 or any(sum(e) != 1 for e in terms):
                continue
            own = {e.index(1) for e in terms}
            parts: dict[int, dict[Any, Any]] = {}
            for e, c in num.to_dict().items():
                parts.setdefault(sum(int(e[i]) for i in own), {})[e] = c
            top = max(parts, default=0)
            spend(len(num) * len(terms) ** min(top, 4))
            num = self.zero
            for n, part in parts.items():
                num = num + self.context.from_dict(part) * one ** (top - n)
        return bool(below) and self.nonnegative(num)

    def _sign_of(self, k: int) -> int:
        """The sign of an instruction; a logarithm has that of what it is of, less 1."""
        form, (op, args) = self.run(k), self.code.ops[k]
        if op == "log":
            form = self.add(self.run(args[0]), (-self.one, self.one))
        return self.sign_of_quotient(*form)

    def follows(self, num: fmpq_mpoly, den: fmpq_mpoly, p: int, q: int) -> bool:
        """Whether a quotient is at least 0 where p <= q."""
        below = self.sign(den)
        try:
            a, b = self.run(p), self.run(q)
            u, over = self.add(b, (-a[0], a[1]))
            under = self.sign(over)
        except Unproved:
            return False
        num, u = num if below > 0 else -num, u if under > 0 else -u
        return bool(below and under) and self._where(num, u, 0)

    # functions

    def div(self, a: Form, b: Form) -> Form:
        self._require(b, POSITIVE, "a divisor may vanish", either=True)
        return self.make(a[0] * b[1], a[1] * b[0])

    def power(self, a: Form, k: int) -> Form:
        if abs(k) > LARGEST_POWER:
            raise Unproved("a power is too high")
        if k < 0:
            self._require(a, POSITIVE, "a divisor may vanish", either=True)
            a, k = (a[1], a[0]), -k
        spend(5 * (len(a[0]) + len(a[1])) * k)
        return self.make(a[0] ** k, a[1] ** k)

    def _require(
        self, a: Form, least: int, otherwise: str, either: bool = False
    ) -> None:
        """Raise Unproved unless a form has that sign, or its opposite, on all of the set."""
        s = self.sign_of_quotient(*a)
        if (abs(s) if either else s) < least:
            raise Unproved(otherwise)

    def _primes(self, constant: fmpq) -> list[tuple[fmpq, int]]:
        """The primes of a positive rational, with exponents; a long one is left as it is."""
        if constant.height_bits() > 80:
            return [(constant, 1)]
        above, below = (
            n.factor() if n != 1 else [] for n in (constant.p, constant.q)
        )
        return [(fmpq(p), int(m)) for p, m in above] + [
            (fmpq(p), -int(m)) for p, m in below
        ]

    def root(self, a: Form, q: int) -> Form:
        """The q-th root of a form that is not negative: factor by factor where their signs are known."""
        if a[0] == 0:
            return a
        self._require(a, NONNEGATIVE, "a root may be of a negative number")
        constant, parts = self.factors(*a)
        found: Form = (self.one, self.one)
        rest = self.one
        for f, m, s in parts:
            if s > 0:
                k, r = divmod(m, q)
                found = self._times(found, f, k)
                if r:
                    found = self._times(found, self._root_of(f, q, s), r)
            # A factor of unknown sign stays under the root, to a power that keeps the root defined.
            else:  # f^m = f^(m + n q) / f^(n q), where f does not vanish if it divides
                n = -(m // q) if m < 0 else 0
                rest = rest * f ** (m + n * q)
                if n:
                    size = (
                        f
                        if q % 2 or n % 2 == 0
                        else self.absolute((f, self.one))[0]
                    )
                    found = found[0], found[1] * size**n
        if constant < 0:
            constant, rest = -constant, -rest
        for p, m in self._primes(constant):
            k, r = divmod(m, q)
            found = self._times(found, self.one * p, k)
            if r:
                root = self.atom(
                    ("prime", q, str(p)), ABOVE, q, self.one * p, arb(p).root(q)
                )
                found = self._times(found, root, r)
        if rest != 1:
            self._require(
                (rest, self.one),
                NONNEGATIVE,
                "a root may be of a negative number",
            )
            # The root of a square is an absolute value, never the number itself.
            square = self._square(rest) if q == 2 else None
            if square is None:
                g = self.atom(("root", q, str(rest)), UP, q, rest)
            else:
                g = self.absolute((square, self.one))[0]
            found = (found[0] * g, found[1])
        return self.make(*found)

    def _times(self, a: Form, f: fmpq_mpoly, k: int) -> Form:
        return (a[0] * f**k, a[1]) if k >= 0 else (a[0], a[1] * f**-k)

    def _root_of(self, f: fmpq_mpoly, q: int, sign: int) -> fmpq_mpoly:
        own = self.valued(f)
        value = own.root(q) if own is not None and own > 0 else None
        return self.atom(
            ("root", q, str(f)), ABOVE if sign == POSITIVE else UP, q, f, value
        )

    def _square(self, poly: fmpq_mpoly) -> fmpq_mpoly | None:
        """A polynomial whose square this one is."""
        c, parts = poly.factor()
        root = sqrt(c) if c > 0 else None
        if not isinstance(root, fmpq) or any(m % 2 for _, m in parts):
            return None
        found = self.one * root
        for f, m in parts:
            found = found * f ** (int(m) // 2)
        return found

    def absolute(self, a: Form) -> Form:
        # Of unknown sign: a variable g >= 0 with g^2 = u^2, one for u and -u together.
        s = self.sign_of_quotient(*a)
        if s:
            return (a[0], a[1]) if s > 0 else (-a[0], a[1])
        below = self.sign(a[1])
        if not below:
            raise Unproved("an absolute value of a quotient of unknown sign")
        u = a[0] if str(a[0]) < str(-a[0]) else -a[0]
        g = self.atom(("abs", str(u)), UP, 2, u * u)
        self.insides[self.keys["abs", str(u)]] = u
        return g, a[1] if below > 0 else -a[1]

    def log(self, a: Form) -> Form:
        # log(f^m g) = m log f + log g holds of positive factors only, so that each factor must be so.
        self._require(
            a, POSITIVE, "a logarithm may be of 0, or of a negative number"
        )
        constant, parts = self.factors(*a)
        total: Form = (self.zero, self.one)
        for f, m, _ in parts:
            total = self.add(total, self.scaled(self._log_of(f), m))
        for p, m in self._primes(constant):
            above = ABOVE if p > 1 else Kind(None, fmpq(0), True, False)
            total = self.add(
                total,
                (
                    self.atom(("log", str(p)), above, value=arb(p).log()) * m,
                    self.one,
                ),
            )
        return total

    def _log_of(self, f: fmpq_mpoly) -> Form:
        if str(f) in self.logs:
            return self.logs[str(f)]
        fold, x = 1, f
        if (own := self._folded(f)) is not None:
            fold, x = own
        up, down, kind = self.sign(x - 1), self.sign(1 - x), REAL
        if up > 0:
            kind = Kind(fmpq(0), None, up != POSITIVE)
        elif down > 0:
            kind = Kind(None, fmpq(0), True, down != POSITIVE)
        own = self.valued(x)
        g = self.atom(
            ("log", f"of {x}"), kind, value=None if own is None else own.log()
        )
        self.exponentials[str(g)] = x
        return g / fold, self.one

    def _folded(self, f: fmpq_mpoly) -> tuple[int, fmpq_mpoly] | None:
        """The input that a variable is a root of, and which one."""
        for key, k in self.keys.items():
            if key[0] == "in" and self.fold > 1 and f == self.gens[k]:
                low = self.intervals[key[1]].low
                return (
                    (self.fold, f**self.fold)
                    if low is not None and low >= 0
                    else None
                )
        return None

    def exp(self, a: Form) -> Form:
        """The product of the exponentials of the terms; those of logarithms are what they are of."""
        num, den = a
        found: Form = (self.one, self.one)
        # exp(x + y) = exp(x) exp(y), and exp(k log f) = f^k where f is positive.
        for e, c in num.to_dict().items():
            monomial = self.context.from_dict({e: 1})
            base = (
                self.exponentials.get(str(monomial))
                if den == 1 and sum(e) == 1
                else None
            )
            if (
                base is not None
                and self.sign(base) == POSITIVE
                and c.q <= 6
                and abs(c.p) <= LARGEST_POWER
            ):
                piece = (
                    (base, self.one)
                    if c.q == 1
                    else self.root((base, self.one), int(c.q))
                )
                found = self.mul(found, self.power(piece, int(c.p)))
                continue
            unit = (
                fmpq(1)
                if c.q == 1
                else fmpq(1, 4)
                if (4 * c).q == 1
                else abs(c)
            )
            k = int((c / unit).p)
            if abs(k) > LARGEST_POWER:
                unit, k = abs(c), 1 if c > 0 else -1
            above, below = self.valued(monomial), self.valued(den)
            value = (
                None
                if above is None or below is None
                else (above * unit / below).exp()
            )
            grows = self.sign_of_quotient(monomial, den)
            kind = (
                Kind(fmpq(1), None, grows != POSITIVE) if grows > 0 else ABOVE
            )
            g = self.atom(
                ("exp", str(monomial), str(den), str(unit)), kind, value=value
            )
            self.logs[str(g)] = (monomial * unit, den)
            found = (
                self.make(found[0] * g**k, found[1])
                if k >= 0
                else self.make(found[0], found[1] * g**-k)
            )
        return found

    def input(self, i: int) -> Form:
        x = self.intervals[i]
        fold = self.fold if x.low is not None and x.low >= 0 else 1
        kind = Kind(x.low, x.high, x.closed, x.closed_above)
        if fold > 1:
            # Of the root of an input only is kept on which side of 1 it lies: other ends have irrational roots.
            low = fmpq(1) if x.low is not None and x.low >= 1 else fmpq(0)
            high = fmpq(1) if x.high is not None and x.high <= 1 else None
            closed = x.closed if x.low == low else low == 1
            kind = Kind(low, high, closed, x.high == high and x.closed_above)
        g = self.atom(("in", i), kind)
        return g**fold, self.one

    def run(self, root: int) -> Form:
        """The form of an instruction. Raises Unproved where it is not defined on all of the set."""
        for k in sorted(self._needed(root)):
            if self.free and k in self.known:
                self.forms[k] = self.atom(("free", k), self.known[k]), self.one
                continue
            self.forms[k] = (
                self._number(k)
                if self._is_long(k)
                else self._form(*self.code.ops[k], k)
            )
        return self.forms[root]

    def _needed(self, root: int) -> set[int]:
        """The instructions whose forms are to be made; nothing behind a number that is taken as it is."""
        found, stack = set(), [root]
        while stack:
            k = stack.pop()
            if k not in found and k not in self.forms:
                found.add(k)
                op, args = self.code.ops[k]
                known = self.free and k in self.known
                stack += (
                    []
                    if op in ("const", "input") or known or self._is_long(k)
                    else args
                )
        return found

    def _is_apart(self, k: int) -> bool:
        """Whether an instruction is known not to vanish."""
        kind = self.known.get(k, REAL)
        above = kind.low is not None and (
            kind.low > 0 or (kind.low == 0 and not kind.closed)
        )
        below = kind.high is not None and (
            kind.high < 0 or (kind.high == 0 and not kind.closed_above)
        )
        return above or below

    def _is_long(self, k: int) -> bool:
        """Whether it is a number made of so many others that it is no form of roots and logarithms."""
        count, fixed = self._behind(k)
        return fixed and count > MOST_NUMBERS and k not in self.code.exact

    def _behind(self, k: int) -> tuple[int, bool]:
        if k not in self.cones:
            cone = self.code.behind([k])
            self.cones[k] = (
                len(cone),
                all(self.code.ops[j][0] != "input" for j in cone),
            )
        return self.cones[k]

    def _number(self, k: int) -> Form:
        """A number that is known by a ball."""
        inputs, known = self.code.names.__getitem__, self.numbers
        self.numbers = self.code.values([k], inputs, Balls(), known)
        spend(5 * (len(self.numbers) - len(known)))
        value = arb(self.numbers[k])
        if not value.is_finite():
            raise Unproved("a number is not defined")
        kind = (
            ABOVE
            if value > 0
            else Kind(None, fmpq(0), True, False)
            if value < 0
            else REAL
        )
        return self.atom(("number", k), kind, value=value), self.one

    def _form(self, op: str, args: tuple[int, ...], k: int) -> Form:
        if op == "const":
            return self.one * self.code.exact[k], self.one
        if op == "input":
            return self.input(args[0])
        a, b = self.forms[args[0]], self.forms[args[-1]]
        one = (self.one, self.one)
        if op in ("add", "sub"):
            return self.add(a, b if op == "add" else self.scaled(b, -1))
        if op in ("mul", "div"):
            if op == "div" and not self._is_apart(args[1]):
                self._require(b, POSITIVE, "a divisor may vanish", either=True)
            return (
                self.mul(a, b)
                if op == "mul"
                else self.make(a[0] * b[1], a[1] * b[0])
            )
        if op == "neg":
            return self.scaled(a, -1)
        if op == "sqrt":
            return self.root(a, 2)
        if op == "pow":
            return self._pow(a, b, self.code.exact.get(args[1]))
        if op in ("log", "log1p"):
            return self.log(a if op == "log" else self.add(a, one))
        if op in ("exp", "expm1"):
            return (
                self.exp(a)
                if op == "exp"
                else self.add(self.exp(a), self.scaled(one, -1))
            )
        if op == "tanh":
            e = self.exp(self.scaled(a, 2))
            return self.div(self.add(e, self.scaled(one, -1)), self.add(e, one))
        if op in ("sinh", "cosh"):
            e, f = self.exp(a), self.exp(self.scaled(a, -1))
            return self.scaled(
                self.add(e, f if op == "cosh" else self.scaled(f, -1)),
                fmpq(1, 2),
            )
        if op == "abs":
            return self.make(*self.absolute(a))
        if op in ("maximum", "minimum"):
            d = self.make(*self.absolute(self.add(a, self.scaled(b, -1))))
            d = d if op == "maximum" else self.scaled(d, -1)
            return self.scaled(self.add(self.add(a, b), d), fmpq(1, 2))
        if self._behind(k)[1]:  # it depends on no input
            return self._number(k)
        total = FUNCTIONS[op].total
        if total is not None:
            low, high, closed = total
            key = (op, *(str(x) for j in args for x in self.forms[j]))
            return self.atom(key, Kind(low, high, closed)), self.one
        raise Unproved(f"no normal form goes through the operation {op}")

    def _pow(self, a: Form, b: Form, exponent: fmpq | None) -> Form:
        if exponent is None:
            return self.exp(self.mul(b, self.log(a)))
        if exponent.q == 1:
            return self.power(a, int(exponent.p))
        if exponent.q > MOST_FOLDS or abs(exponent.p) > LARGEST_POWER:
            return self.exp(self.scaled(self.log(a), exponent))
        return self.power(self.root(a, int(exponent.q)), int(exponent.p))
