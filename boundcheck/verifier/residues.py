"""Random points: programs as residues modulo a prime, where the hypotheses that are equations hold."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import SystemRandom
from typing import Any

from flint import fmpq, fmpz

from .findings import demand, spend
from .functions import BINARY, FUNCTIONS, UNARY
from .numbers import ONE, ZERO, common
from .operations import Arithmetic
from .scalars import Code, Unproved, entries, evaluate

MOST_EXPONENT = 10_000
MOST_ROOTS = 6
UNITS = 12
"""exp(x) is the 12th power of a unit for each term of x, so that halves and thirds of a term have one too."""

PI = 0
"""The number of an atom that is pi; others are told apart by their values, which are not 0."""

MOST_TERMS, DEEPEST_SUM = 200, 60
TURNS = ("sin", "cos", "tan")
GROWTHS = ("exp", "expm1", "sinh", "cosh", "tanh")
RINGS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


class Differ(Unproved):
    """Two sides of an identity are not the same: it is false, or rests on hypotheses that are not used."""


@dataclass
class Solved:
    """Inputs that hypotheses give by others: entries that equal an expression, pairs on the unit circle.

    Instances that satisfy the hypotheses are among those that are left.
    """

    code: Code
    given: dict[int, int] = field(default_factory=dict)
    circles: dict[int, tuple[str, int]] = field(default_factory=dict)
    """For each coordinate of a pair which one of the two it is, and the number of the pair."""
    corners: set[int] = field(default_factory=set)
    """Pairs one of which is 0."""

    @classmethod
    def of(
        cls,
        program: Sequence[Mapping[str, Any]],
        laws: Any,
        equations: Iterable[Sequence[int]],
    ) -> Solved:
        found, pairs = cls(Code(entries(program))), []
        for args in equations:
            try:
                made = evaluate(program, laws, args, found.code)
                pairs += (
                    made.pairs(args) if made.common_group(args) is None else []
                )
            except Unproved:
                continue
        for use in (found._solve, found._turn, found._corner):
            for p, q in pairs:
                if not use(p, q):
                    use(q, p)
        return found

    def _solve(self, p: int, q: int) -> bool:
        """Take an input for what it equals, unless that depends on it."""
        op, (i, *_) = self.code.ops[p]
        if op != "input" or i in self.given or i in self._inputs(q):
            return False
        self.given[i] = q
        return True

    def _inputs(self, k: int) -> set[int]:
        """The coordinates that an instruction depends on, with those that they are given by."""
        found, waiting = set(), [k]
        while waiting:
            fresh = self.code.inputs([waiting.pop()]) - found
            found |= fresh
            waiting += [self.given[i] for i in fresh if i in self.given]
        return found

    def _turn(self, p: int, q: int) -> bool:
        """Take two inputs whose squares add up to 1 for a point of the circle."""
        op, args = self.code.ops[p]
        if op != "add" or self.code.exact.get(q) != 1:
            return False
        pair = [self._squared(k) for k in args]
        if (
            None in pair
            or pair[0] == pair[1]
            or any(i in self.circles for i in pair)
        ):
            return False
        named = zip(pair, ("cos", "sin"), strict=True)
        self.circles |= {i: (which, p) for i, which in named if i is not None}
        return True

    def _corner(self, p: int, q: int) -> bool:
        """Note that the product of a pair is 0."""
        op, args = self.code.ops[p]
        free: list[Any] = (
            [self._free(k) for k in args]
            if op == "mul" and self.code.exact.get(q) == 0
            else []
        )
        pair = [self.circles.get(i, ("", -1)) for i in free]
        if (
            len({which for which, _ in pair}) != 2
            or len({circle for _, circle in pair}) != 1
        ):
            return False
        self.corners.add(pair[0][1])
        return True

    def _squared(self, k: int) -> int | None:
        """The free input that an instruction is the square of, but for its sign."""
        op, args = self.code.ops[k]
        return (
            self._free(args[0])
            if op == "pow" and self.code.exact.get(args[1]) == 2
            else None
        )

    def _free(self, k: int) -> int | None:
        """The free input that an instruction is, but for its sign."""
        while True:
            op, args = self.code.ops[k]
            if op == "input" and args[0] not in self.given:
                return args[0]
            if op not in ("input", "neg"):
                return None
            k = self.given[args[0]] if op == "input" else args[0]


@dataclass(frozen=True)
class Residue:
    """A rational function at one point modulo a prime.

    Over the integers its numerator and denominator have degree and binary length (of all coefficients
    together) at most `weight`.
    """

    value: int
    weight: int
    exact: fmpq | None = None
    made: tuple[str, tuple[Residue, ...]] | None = field(
        default=None, compare=False, repr=False
    )
    """The operation that it comes from, and the operands."""


RESIDUE, QUOTIENT = 6, 40
"""Units of work of an operation modulo a prime."""


class NoRoot(Exception):
    """A number has no square root modulo the prime: another point is needed."""


@dataclass
class Point(Arithmetic):
    """A point with random coordinates modulo a random prime; functions that are not algebraic take a
    random value at each argument.

    Exponentials, sines and cosines are products of powers of random units, one for each term of what they are of:
    exp(x + y) = exp(x) exp(y), and cos(x) = (u + 1 / u) / 2. Among the primes that are 1 modulo 24 there is a
    unit for pi / 12 that is exact, and a square root of -1.

    Square roots and absolute values take one of their two values: bit k of `signs` says which one the k-th
    takes. What vanishes for all signs vanishes whichever is the right one.
    """

    prime: int
    random: SystemRandom
    signs: int = 0
    inputs: dict[Any, Residue] = field(default_factory=dict)
    called: dict[Any, Any] = field(default_factory=dict)
    roots: dict[Any, int] = field(default_factory=dict)
    """The number of each square root that is taken, by what it is of."""
    heaviest: int = 1
    """The largest weight of what was divided by, or used to tell arguments apart."""
    solved: Solved | None = None
    made: dict[int, Residue] = field(default_factory=dict)
    """Inputs that the hypotheses give by others."""
    units: dict[Any, int] = field(default_factory=dict)
    sums: dict[int, dict[tuple[int, ...], fmpq]] = field(default_factory=dict)

    @classmethod
    def drawn(cls, solved: Solved | None = None) -> Point:
        """A point modulo a random prime that is 1 modulo 24."""
        random = SystemRandom()
        while not fmpz(
            prime := random.randrange(2**127 // 24, 2**128 // 24) * 24 + 1
        ).is_probable_prime():
            pass
        return cls(prime, random, solved=solved)

    @property
    def branches(self) -> int:
        """Binary logarithm of how many values a number has as the roots, and those of unity, are chosen."""
        return len(self.roots) + 3 * bool(self.units)

    def turned(self, signs: int) -> Point:
        """The same point with other signs of the roots; a root keeps its number: all are gone through."""
        return replace(self, signs=signs, made={}, sums={})

    def _signed(self, square: int, root: int) -> int:
        """One of the two roots of a square."""
        root = min(root, self.prime - root)
        return -root % self.prime if self._bit(square) else root

    def _root(self, x: Residue) -> Residue:
        if pow(x.value, (self.prime - 1) // 2, self.prime) not in (0, 1):
            raise NoRoot
        root = int(fmpz(x.value).sqrtmod(self.prime))
        self.heaviest = max(self.heaviest, x.weight)
        return Residue(self._signed(x.value, root), x.weight + 2)

    def const(self, x: fmpq) -> Residue:
        return Residue(
            self._quotient(int(x.p), int(x.q)),
            common([x]) + abs(x.p).bit_length() + 1,
            x,
        )

    def input(self, name: str, k: int) -> Residue:
        i = (
            None
            if self.solved is None
            else self.solved.code.names.index((name, k))
        )
        if (
            self.solved is None
            or i is None
            or (i not in self.solved.given and i not in self.solved.circles)
        ):
            return self.inputs.setdefault(
                (name, k), Residue(self.random.randrange(self.prime), 2)
            )
        if i not in self.made:
            if i in self.solved.given:
                self.made[i] = self._run(self.solved.code, self.solved.given[i])
            else:
                self.made[i] = self._turned(*self.solved.circles[i])
        return self.made[i]

    def _turned(self, which: str, circle: int) -> Residue:
        """A coordinate of a point of the unit circle: of any, or of one of four at which the other is 0."""
        one = self.const(ONE)
        if self.solved is not None and circle in self.solved.corners:
            upright, turned = (
                self._bit(("upright", circle)),
                self._bit(("turned", circle)),
            )
            return (
                self.const(ZERO)
                if upright is (which == "cos")
                else self.const(-ONE if turned else ONE)
            )
        t = self.inputs.setdefault(
            ("circle", circle), Residue(self.random.randrange(self.prime), 2)
        )
        square = self.apply("mul", t, t)
        above = (
            self.apply("add", t, t)
            if which == "sin"
            else self.apply("sub", one, square)
        )
        return self.apply("div", above, self.apply("add", one, square))

    def _bit(self, key: object) -> bool:
        """One of two ways; all are gone through."""
        k = self.roots.setdefault(key, len(self.roots))
        if k >= MOST_ROOTS:
            raise Unproved(f"there are more than {MOST_ROOTS} roots")
        return bool(self.signs >> k & 1)

    def _run(self, code: Code, root: int) -> Residue:
        values = code.values([root], lambda i: self.input(*code.names[i]), self)
        return values[root]

    def exactly(self, x: Residue) -> fmpq | None:
        return x.exact

    def vanishes(self, x: Residue) -> bool:
        self.heaviest += x.weight
        return x.value == 0

    def matrix(
        self, node: Mapping[str, Any], entries: Sequence[Residue], count: int
    ) -> list[Residue]:
        fixed = repr(
            sorted(
                (key, value)
                for key, value in node.items()
                if key not in ("args", "op")
            )
        )
        values = [x.value for x in entries]
        return [
            self._called((node["op"], fixed, k, *values), entries)
            for k in range(count)
        ]

    def _called(self, key: object, args: Sequence[Residue]) -> Residue:
        self.heaviest = max(
            self.heaviest, 2 * max((x.weight for x in args), default=1) + 1
        )
        if key not in self.called:
            self.called[key] = Residue(self.random.randrange(self.prime), 2)
        return self.called[key]

    def _power(self, x: Residue, half: fmpq) -> Residue:
        return self.apply("pow", self._root(x), self.const(half * 2))

    def _quotient(self, p: int, q: int) -> int:
        if q % self.prime == 0:
            raise Unproved("a denominator vanishes identically")
        return p * pow(q, -1, self.prime) % self.prime

    def _terms(self, x: Residue, depth: int = 0) -> dict[tuple[int, ...], fmpq]:
        """A residue as a sum of products of atoms, which are told apart by their values."""
        if x.value not in self.sums:
            self.heaviest = max(self.heaviest, 2 * x.weight + 1)
            found = (
                self._sum(x, depth) if depth < DEEPEST_SUM and x.value else None
            )
            spend(5 + len(found or ()))
            alone = {(x.value,): ONE} if x.value else {}
            self.sums[x.value] = (
                alone if found is None or len(found) > MOST_TERMS else found
            )
        return self.sums[x.value]

    def _sum(
        self, x: Residue, depth: int
    ) -> dict[tuple[int, ...], fmpq] | None:
        """None where it is an atom."""
        if x.exact is not None:
            return {(): x.exact}
        op, args = x.made or ("", (x, x))
        if op == "arctan" and args[0].exact == ONE:
            return {(PI,): fmpq(1, 4)}
        over = args[1].exact if op == "div" else None
        if op not in ("neg", "add", "sub", "mul") and not over:
            return None
        left = self._terms(args[0], depth + 1)
        if op == "neg" or over:
            return {
                m: -c if over is None else c / over for m, c in left.items()
            }
        right = self._terms(args[1], depth + 1)
        found: dict[tuple[int, ...], fmpq] = {}
        if op == "mul":
            spend(3 * len(left) * len(right))
            pairs = [
                (tuple(sorted(m + n)), c * d)
                for m, c in left.items()
                for n, d in right.items()
            ]
        else:
            pairs = [
                *left.items(),
                *((m, c if op == "add" else -c) for m, c in right.items()),
            ]
        for m, c in pairs:
            found[m] = found.get(m, ZERO) + c
        return {m: c for m, c in found.items() if c}

    def _exponential(self, x: Residue, turn: bool) -> Residue:
        """exp(x), or exp(i x): the units of its terms."""
        found, weight = 1, 1
        for m, c in self._terms(x).items():
            q = UNITS if (UNITS * c).q == 1 else int(c.q)
            k = int((q * c).p)
            if abs(k) > MOST_EXPONENT:
                raise Unproved("an exponential is of too large a multiple")
            unit = (
                self._twelfth()
                if turn and (m, q) == ((PI,), UNITS)
                else self._unit((turn, m, q))
            )
            found = found * pow(unit, k, self.prime) % self.prime
            weight += 2 * abs(k) + 2
        return Residue(found, weight)

    def _unit(self, key: Any) -> int:
        return self.units.setdefault(key, self.random.randrange(1, self.prime))

    def _twelfth(self) -> int:
        """exp(i pi / 12): a root of unity of order 24."""
        while PI not in self.units:
            root = pow(
                self.random.randrange(1, self.prime),
                (self.prime - 1) // 24,
                self.prime,
            )
            if pow(root, 8, self.prime) != 1 != pow(root, 12, self.prime):
                self.units[PI] = root
        return self.units[PI]

    def _transcendental(self, op: str, x: Residue) -> Residue:
        """Exponentials, and what is made of those of x and -x."""
        one, two = self.const(ONE), self.const(fmpq(2))
        up = self._exponential(x, op in TURNS)
        if op in ("exp", "expm1"):
            return up if op == "exp" else self.apply("sub", up, one)
        down = self.apply("div", one, up)
        even, odd = self.apply("add", up, down), self.apply("sub", up, down)
        if op in TURNS:
            odd = self.apply(
                "div", odd, Residue(pow(self._twelfth(), 6, self.prime), 1)
            )
        if op in ("tan", "tanh"):
            return self.apply("div", odd, even)
        return self.apply("div", even if op in ("cos", "cosh") else odd, two)

    def apply(self, op: str, *args: Residue) -> Residue:
        """The value of an operation, with the operands that it comes from."""
        found = self._value(op, args)
        return (
            found
            if found.exact is not None
            else replace(found, made=(op, args))
        )

    def _value(self, op: str, args: tuple[Residue, ...]) -> Residue:
        spend(RESIDUE if op in ("neg", "add", "sub", "mul") else QUOTIENT)
        given: Any = [x.exact for x in args]
        if None not in given and isinstance(
            known := FUNCTIONS[op].value(*given), fmpq
        ):
            return self.const(known)
        x, y = args[0], args[-1]
        if op == "neg":
            return Residue(-x.value % self.prime, x.weight)
        if op in RINGS:
            return Residue(
                RINGS[op](x.value, y.value) % self.prime,
                x.weight + y.weight + 1,
            )
        if op == "div":
            self.heaviest = max(self.heaviest, y.weight)
            return Residue(
                self._quotient(x.value, y.value), x.weight + y.weight + 1
            )
        if (
            op == "pow"
            and y.exact is not None
            and y.exact.q == 1
            and abs(y.exact.p) <= MOST_EXPONENT
        ):
            k = int(y.exact.p)
            power = pow(x.value, abs(k), self.prime)
            self.heaviest = max(self.heaviest, x.weight)
            return Residue(
                power if k >= 0 else self._quotient(1, power),
                (x.weight + 1) * max(abs(k), 1),
            )
        half = (
            op == "pow"
            and y.exact is not None
            and y.exact.q == 2
            and abs(y.exact.p) <= MOST_EXPONENT
        )
        if op == "sqrt" or half:
            return (
                self._root(x)
                if y.exact is None or op == "sqrt"
                else self._power(x, y.exact)
            )
        if op == "abs":
            return Residue(
                self._signed(x.value * x.value % self.prime, x.value),
                2 * x.weight + 2,
            )
        if op in ("maximum", "minimum"):
            apart = self.apply("abs", self.apply("sub", x, y))
            both = self.apply(
                "add" if op == "maximum" else "sub",
                self.apply("add", x, y),
                apart,
            )
            return self.apply("div", both, self.const(fmpq(2)))
        if op in TURNS or op in GROWTHS:
            return self._transcendental(op, x)
        demand(op in UNARY or op in BINARY, "no function")
        return self._called((op, *(z.value for z in args)), args)
