"""Bodies that count up to a number, run at every number of a run: on residues, which are fast and tell all apart.

A number is its residue modulo a random prime. What is neither a sum, product, quotient nor whole power is a random
residue for each function and operands. So both sides of a text and of its program with sums are the same as
rational functions of inputs and of values of functions, but for a chance of about 2^-40, where they agree.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from secrets import SystemRandom
from typing import Any

from flint import fmpq, fmpz
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.checking.certificate import NotTraceable, read_with
from boundcheck.checking.uniform import COMPARING, Held
from boundcheck.tape import Traced, Whole
from boundcheck.verifier.functions import FUNCTIONS
from boundcheck.verifier.sums import Program, Written
from boundcheck.words.claims import Claim
from boundcheck.words.statements import Inequality

SPELLED = {
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "power": "pow",
    "negative": "neg",
    "absolute": "abs",
}
"""Functions of NumPy whose operations are called otherwise."""

WHOLE: dict[str, Any] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
}
"""What is whole of whole numbers."""

HIGHEST = 64
"""Of powers of whole numbers that are kept as such."""


class OtherText(NotTraceable):
    """A text has another program at a number, or does not run there; the message says what."""


def _refused(*_: Any, **__: Any) -> Any:
    raise OtherText("a number that is not known is used as a plain one")


def _by(op: str, turned: bool = False) -> Any:
    """An operator, without the way through NumPy."""

    def apply(self: Any, other: Any) -> Any:
        pair = self, self.program.number(other)
        return self.program.apply(op, *(pair[::-1] if turned else pair))

    return apply


class Residue(NDArrayOperatorsMixin):
    """A number modulo the prime of a field; `whole` is what it is, where that is known and whole."""

    __array_priority__ = 1800
    shape, ndim = (), 0
    __bool__ = __index__ = __int__ = __float__ = __iter__ = __array__ = _refused
    __hash__ = None  # type: ignore[assignment]
    __add__, __radd__ = _by("add"), _by("add", True)
    __sub__, __rsub__ = _by("sub"), _by("sub", True)
    __mul__, __rmul__ = _by("mul"), _by("mul", True)
    __truediv__, __rtruediv__ = _by("div"), _by("div", True)

    def __init__(self, field: Field, value: int, whole: int | None = None):
        self.program, self.node, self.whole = field, value, whole

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if method != "__call__" or kwargs:
            raise OtherText(f"np.{ufunc.__name__} with options has no rule")
        given = [*map(self.program.number, inputs)]
        if ufunc in COMPARING:
            return _compared(COMPARING[ufunc], given)
        name = str(ufunc.__name__)
        return self.program.apply(SPELLED.get(name, name), *given)

    def __array_function__(
        self, function: Any, types: Any, args: Any, kwargs: Any
    ) -> Any:
        if kwargs:
            raise OtherText(f"{function.__name__} with options has no rule")
        return self.program.apply(
            function.__name__, *map(self.program.number, args)
        )


class Number(Whole):
    """A whole number that a text has as such; functions of it are residues. Its tape is a field."""

    __array_priority__ = 1800

    def _traced(self) -> Any:
        field: Any = self.tape
        return field.exact(int(self))

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        return self._traced().__array_ufunc__(ufunc, method, *inputs, **kwargs)

    def __array_function__(
        self, function: Any, types: Any, args: Any, kwargs: Any
    ) -> Any:
        return self._traced().__array_function__(function, types, args, kwargs)


def _compared(relation: str, given: Sequence[Residue]) -> Held:
    if not relation:
        return Held()
    left, right = given if relation == "le" else given[::-1]
    return Held(("le", left, right))


class Field:
    """Arithmetic modulo a random prime, and a random function for each other operation."""

    def __init__(self) -> None:
        random = SystemRandom()
        while not fmpz(
            prime := random.randrange(2**62, 2**63)
        ).is_probable_prime():
            pass
        self.prime, self.random = prime, random
        self.salt = random.randbytes(16)
        self.given: list[list[Any]] = []
        self.known: dict[Any, Residue] = {}
        """Rational numbers by their texts."""
        self.tape: Any = None
        self.made: dict[int, Residue] = {}
        """What a text works out by itself on a tape."""

    def any(self) -> Residue:
        return Residue(self, self.random.randrange(self.prime))

    def const(self, x: fmpq) -> Residue:
        return self.exact(Fraction(int(x.p), int(x.q)))

    def exact(self, x: Fraction | int | str) -> Residue:
        if x not in self.known:
            q = Fraction(x)
            value = (
                q.numerator * pow(q.denominator, -1, self.prime) % self.prime
            )
            whole = int(q) if q.denominator == 1 else None
            self.known[x] = Residue(self, value, whole)
        return self.known[x]

    def number(self, x: Any) -> Residue:
        """What an operand is. Raises OtherText."""
        if isinstance(x, Residue):
            return x
        if isinstance(x, (int, Fraction)) and not isinstance(x, bool):
            return self.exact(int(x) if isinstance(x, int) else x)
        if isinstance(x, Traced) and x.shape == ():
            return self._of_tape(x.tape, x.node)
        raise OtherText("a number of the text has no exact form")

    def _of_tape(self, tape: Any, k: int) -> Residue:
        """A number that the text works out by itself."""
        if tape is not self.tape:
            self.tape, self.made = tape, {}
        stack = [k]
        while stack:
            node = tape.nodes[stack[-1]]
            missing = [j for j in node["args"] if j not in self.made]
            stack += missing
            if not missing:
                given = [self.made[j] for j in node["args"]]
                is_const = node["op"] == "const"
                text = node["data"][0] if is_const else ""
                own = (
                    self.exact(text)
                    if is_const
                    else self.apply(node["op"], *given)
                )
                self.made[stack.pop()] = own
        return self.made[k]

    def apply(self, op: str, *args: Residue) -> Residue:
        """An operation. Raises OtherText."""
        if op in WHOLE:
            x, y = args
            value = WHOLE[op](x.node, y.node) % self.prime
            known = x.whole is not None and y.whole is not None
            return Residue(
                self, value, WHOLE[op](x.whole, y.whole) if known else None
            )
        if op == "div":
            x, y = args
            return Residue(self, x.node * self._inverse(y.node) % self.prime)
        if op == "neg":
            return self.apply("sub", self.exact(0), *args)
        if op == "pow" and args[1].whole is not None:
            return self._power(args[0], args[1].whole)
        return self._function(op, args)

    def _inverse(self, value: int) -> int:
        if value == 0:
            raise OtherText("a divisor vanishes")
        return pow(value, -1, self.prime)

    def _power(self, x: Residue, k: int) -> Residue:
        base = x.node if k >= 0 else self._inverse(x.node)
        small = x.whole is not None and 0 <= k <= HIGHEST
        whole = x.whole**k if small else None  # type: ignore[operator]
        return Residue(self, pow(base, abs(k), self.prime), whole)

    def _function(self, op: str, args: Sequence[Residue]) -> Residue:
        """Exact where a value is rational, as a verifier has it; else random. Residues 0 and 1 are these numbers."""
        known = [x.node if x.node in (0, 1) else x.whole for x in args]
        if op in FUNCTIONS and None not in known:
            value = FUNCTIONS[op].value(*map(fmpq, known))  # type: ignore[arg-type]
            if isinstance(value, fmpq):
                return self.const(value)
        text = repr((op, *(x.node for x in args))).encode()
        drawn = blake2b(text, key=self.salt, digest_size=16).digest()
        return Residue(self, int.from_bytes(drawn) % self.prime)


def require_text(
    claim: Claim,
    case: Mapping[str, Any],
    parts: int,
    wholes: Mapping[str, int],
    n: int,
    field: Field,
) -> None:
    """At a number n, and other whole ones, the text has the sides of a case with sums, and assumes what that uses.

    Raises NotTraceable.
    """
    proof, relation = case["proof"], case["routes"][0]["conclusion"]
    field.given.clear()
    (counted,) = (name for name, x in case["choice"] if isinstance(x, str))
    whole = {**wholes, counted: n}
    values = {
        name: field.any() for name in claim.parameters if name not in whole
    }
    numbers = {name: Number(field, x) for name, x in whole.items()}  # pyright: ignore[reportArgumentType]
    stated = read_with(claim, values | numbers, lambda part: part)
    inputs = {**values, counted: field.exact(n)}
    part = stated[case["part"]]
    if len(stated) != parts or not isinstance(part, Inequality):
        raise OtherText("the statement is another")

    def total(written: Written, k: int) -> Residue:
        found = written.start(k)
        for i in range(1, n + 1):
            found = field.apply("add", found, written.term(k, field.exact(i)))
        return found

    program = Program.of(proof["program"])
    made = Written(program, field, inputs.__getitem__, total).made
    sides = [field.number(side).node for side in (part.lhs, part.rhs)]
    if (part.sign, sides) != (
        relation["kind"],
        [made[k].node for k in proof["args"]],
    ):
        raise OtherText("the sides are others")
    for _, p, q in proof["given"]:
        if ["le", made[p].node, made[q].node] not in field.given:
            raise OtherText("the program assumes more")
