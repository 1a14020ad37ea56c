"""What a claim's body returns: what always holds, with some probability, on average, or as sizes grow."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NoReturn, overload

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.laws.quantities import (
    RELATIONS,
    Event,
    Mean,
    NotPerTrial,
    Quantity,
    Symbolic,
    World,
    as_now,
    evaluate,
    expectation,
    indicator,
    mean,
    weighed_against,
)
from boundcheck.tape import Operand, Traced, active_tape, is_traced, value_of
from boundcheck.tape.library import joined
from boundcheck.tape.traced import lift
from boundcheck.tape.truth import masked
from boundcheck.words.hypotheses import suppose


class Stated(Symbolic):
    """A statement: it is returned, joined or assumed, and has no truth value of its own."""

    truth = (
        "A statement has no truth value: join statements by both(...) or a tuple, split a <= E(q) <= b into two, write maximum"
        " and minimum for max and min, np.where for a branch, and assume(...) for a hypothesis."
    )
    entries = "A statement is not run through; join statements by both(...) or a tuple."
    number = "A statement is no number; use its sides."

    def __eq__(self, other: object) -> bool:
        return self is other or super().__bool__()

    __hash__ = object.__hash__


@dataclass(frozen=True, eq=False)
class Inequality(Stated):
    """lhs <= rhs, lhs == rhs entrywise, or lhs <= rhs in the Loewner order; sides may contain expectations.

    If it is `strict`, lhs <= rhs stands for lhs < rhs.
    """

    relation: str
    lhs: Any
    rhs: Any
    trivial: Any = None
    slope: Slope | None = None
    """What lhs is the slope of, if it is one."""
    strict: bool = False

    @property
    def random(self) -> bool:
        return isinstance(self.lhs, Mean) or isinstance(self.rhs, Mean)

    @property
    def sign(self) -> str:
        """The relation as certificates call it."""
        return "less" if self.strict else self.relation

    def sampled(self) -> Inequality:
        """The statement that trials decide: a slope gets its margin."""
        return (
            self
            if self.slope is None
            else replace(self, rhs=self.rhs + self.slope.margin)
        )

    def assumed(self) -> None:
        suppose(self.sign, self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class Slope:
    """log values[k] against log sizes[k], fitted by least squares; the values may be expectations.

    `margin` is added to the bound where the expectations are sampled.
    """

    sizes: tuple[int, ...]
    values: tuple[Any, ...]
    margin: float = 0.0

    def __str__(self) -> str:
        return f"the slope over the sizes {', '.join(map(str, self.sizes))}"


@dataclass(frozen=True, eq=False)
class Chance(Stated):
    """P(event) >= bound or P(event) <= bound; if it is `strict`, > or <."""

    event: Event
    relation: str
    bound: Any
    strict: bool = False

    @property
    def sign(self) -> str:
        """The relation as certificates call it."""
        return (
            {"ge": "gt", "le": "lt"}[self.relation]
            if self.strict
            else self.relation
        )

    def assumed(self) -> None:
        _ordered(
            self.relation, mean(indicator(self.event)), self.bound, self.strict
        ).assumed()


@dataclass(frozen=True, eq=False)
class All(Stated):
    """Several statements at once."""

    parts: tuple[Statement, ...]

    def assumed(self) -> None:
        for part in self.parts:
            part.assumed()


Statement = Inequality | Chance | All


def _ordered(
    relation: str, left: object, right: object, strict: bool
) -> Inequality:
    """left >= right or left <= right, or > or <."""
    lhs, rhs = (right, left) if relation == "ge" else (left, right)
    return Inequality("at_most", *_sides(lhs, rhs), strict=strict)


def at_most(lhs: Operand, rhs: Operand, trivial: object = None) -> Inequality:
    """lhs <= rhs, entrywise. `trivial` is a bound that needs no theorem: rhs above it says nothing."""
    return Inequality("at_most", *_sides(lhs, rhs), as_now(trivial))


def less(lhs: Operand, rhs: Operand) -> Inequality:
    """lhs < rhs, entrywise."""
    return Inequality("at_most", *_sides(lhs, rhs), strict=True)


def equal(lhs: Operand | Symbolic, rhs: Operand | Symbolic) -> Inequality:
    """lhs == rhs, entrywise; complex numbers in both parts."""
    return Inequality("equal", *_sides(lhs, rhs))


def loewner(A: Operand, B: Operand) -> Inequality:
    """A <= B in the order of symmetric matrices: B - A is positive semidefinite. A side may be 0."""
    A, B = side(A), side(B)
    return Inequality("loewner", _matrix(A, B), _matrix(B, A))


def _sides(lhs: object, rhs: object) -> tuple[Any, Any]:
    """Both sides; numbers without an order, as eigenvalues are, are all compared with one."""
    lhs, rhs = side(lhs), side(rhs)
    return getattr(lhs, "beside", lambda _: lhs)(rhs), getattr(
        rhs, "beside", lambda _: rhs
    )(lhs)


def side(x: Any) -> Any:
    """A side of a statement: numbers, or expectations. Raises TypeError for what is random or no number."""
    x = expectation(x)
    if isinstance(x, (Quantity, Event)):
        raise TypeError(
            "A side of a statement is random; write P(x <= y) >= 1 - delta, or its expectation E(x)."
        )
    if x is None or isinstance(x, (str, Stated)):
        raise TypeError(
            f"A side of a statement is a number, an array or an expectation; it was given a {type(x).__name__}."
        )
    return as_now(x)


def _matrix(x: object, other: Any) -> object:
    """A square matrix; the number 0 is a matrix as well."""
    shape = getattr(
        value_of(x), "shape", () if isinstance(x, (int, float)) else None
    )
    if (
        shape == ()
        and value_of(x) == 0
        and getattr(value_of(other), "shape", (1,)) != ()
    ):
        return 0 * other
    if (
        isinstance(x, Mean)
        or shape is None
        or (len(shape) == 2 and shape[0] == shape[1])
    ):
        return x
    raise TypeError(
        f"loewner compares square matrices, not an array of shape {shape}; write c * np.eye(n) for a number c."
    )


def both(*parts: Any) -> All:
    """Several statements at once; also what returning a tuple means."""
    return All(tuple(as_statement(part) for part in parts))


NOTHING = Inequality("at_most", np.zeros(0), np.zeros(0))
"""A statement about no entries: what is said where a tuple of statements is empty."""


@dataclass(frozen=True, eq=False)
class MeanForm:
    """E(quantity) <= bound ("le") or >= bound ("ge"), scalar, with what is known of range and variance.

    Where both sides are means, linear in those of quantities, it is their difference against 0.
    """

    quantity: Quantity
    relation: str
    bound: Any

    @property
    def low(self) -> Any:
        return self.quantity.low

    @property
    def high(self) -> Any:
        return self.quantity.high

    @property
    def variance(self) -> Any:
        """What the variance is at most, where that bounds the mean: of a quantity without one of the ends."""
        ranged = self.low is not None and self.high is not None
        return None if ranged else self.quantity.variance


def mean_form(statement: Inequality) -> MeanForm | None:
    """The statement as a bound on the expectation of one scalar quantity, if it is that."""
    if statement.relation != "at_most":
        return None
    lhs, rhs = statement.lhs, statement.rhs
    if isinstance(lhs, Mean) and isinstance(rhs, Mean):
        lhs, rhs = lhs - rhs, 0
    mean, bound, relation = (
        (lhs, rhs, "le") if isinstance(lhs, Mean) else (rhs, lhs, "ge")
    )
    if not isinstance(mean, Mean) or mean.of is None or np.ndim(bound):
        return None
    return MeanForm(_ranged(mean.of), relation, bound)


def _ranged(q: Quantity) -> Quantity:
    """The quantity; from 0 to 1 if nothing is said of its range and it is drawn as truth values."""
    if q.low is None and q.high is None and _is_truth(q):
        return Quantity(lambda world: _truths(evaluate(q, world)), 0.0, 1.0)
    return q


def _is_truth(q: Quantity) -> bool:
    """Whether a quantity is drawn as truth values."""
    with suppress(Exception):
        x = evaluate(q, World(_Plainly(), 2))
        mask = getattr(x, "is_mask", False)
        return mask or (isinstance(x, np.ndarray) and x.dtype == bool)
    return False


class _Plainly:
    """Two trials by laws whose parameters may be traced; on a tape their draws are exact."""

    def __init__(self) -> None:
        self.rng, self.tape = np.random.default_rng(0), active_tape()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def draw(*args: Any, **named: Any) -> Any:
            x = np.asarray(
                getattr(self.rng, name)(
                    *(value_of(joined(arg)) for arg in args),
                    **{key: value_of(joined(x)) for key, x in named.items()},
                )
            )
            if self.tape is None:
                return x
            node = self.tape.add("drawn", [], x.astype(float), cell=0.0)
            drawn = Traced(self.tape, node)
            return masked(drawn) if x.dtype == bool else drawn

        return draw


def _truths(drawn: Any) -> Any:
    """Raises NotPerTrial unless these are truth values, or their program."""
    if isinstance(drawn, np.ndarray) and drawn.dtype != bool:
        raise NotPerTrial(
            "a quantity is drawn as truth values first and as other numbers later; give quantity(..., low=, high=)"
        )
    return drawn * 1.0


class NoStatement(Exception):
    """The body of a claim returned something that is not a statement."""


def as_statement(returned: object) -> Statement:
    """What the body returned, as a statement. Raises NoStatement with advice."""
    if isinstance(returned, (Inequality, Chance, All)):
        return returned
    if isinstance(returned, (tuple, list)):
        return both(*returned)
    if returned is None:
        raise NoStatement(
            "returned nothing; end the body with `return` and a statement such as at_most(lhs, rhs)."
        )
    if isinstance(returned, Event):
        raise NoStatement(
            "returned an event; say how likely it is: P(event) >= 1 - delta."
        )
    if (
        isinstance(returned, (bool, np.bool_))
        or type(returned).__name__ == "Truth"
    ):
        raise NoStatement(
            "returned a plain comparison; return at_most(lhs, rhs) or equal(lhs, rhs) so that both sides are kept."
        )
    raise NoStatement(
        f"returned a {type(returned).__name__}; return at_most, equal, loewner, P(...) >= ..., or E(...) <= ..."
    )


def parts_of(statement: Statement) -> list[Inequality | Chance]:
    """The atomic statements, at least one."""
    if not isinstance(statement, All):
        return [statement]
    return [p for part in statement.parts for p in parts_of(part)] or [NOTHING]


@dataclass(frozen=True, eq=False)
class Probability(Symbolic, NDArrayOperatorsMixin):
    """The probability of an event; compared with a bound it is a statement, in arithmetic it is E(indicator(event))."""

    __array_priority__ = 3000

    event: Event

    truth = "A probability has no truth value; compare it in the statement that you return, or in assume(...)."
    entries = "A probability is not run through."
    number = "A probability is no number before the statement is judged; use it as it is, with numpy or boundcheck functions."

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if ufunc.__name__ in RELATIONS:
            return weighed_against(
                RELATIONS[ufunc.__name__], *inputs, by=Probability
            )
        own = (expectation(x) for x in inputs)
        return self.as_mean().__array_ufunc__(ufunc, method, *own, **kwargs)

    def as_mean(self) -> Mean:
        return mean(indicator(self.event))

    def __ge__(self, bound: object) -> Chance | Inequality:
        return _likely(self, "ge", bound)

    def __le__(self, bound: object) -> Chance | Inequality:
        return _likely(self, "le", bound)

    def __gt__(self, bound: object) -> Chance | Inequality:
        return _likely(self, "ge", bound, strict=True)

    def __lt__(self, bound: object) -> Chance | Inequality:
        return _likely(self, "le", bound, strict=True)

    def __eq__(self, bound: object) -> All:  # type: ignore[override]
        return All((self >= bound, self <= bound))

    def __ne__(self, bound: object) -> NoReturn:  # type: ignore[override]
        raise TypeError(
            "Numbers that are not equal can be as near as one likes; state P(event) < b or P(event) > b."
        )

    __hash__ = object.__hash__  # pyright: ignore

    def __rsub__(self, one: Any) -> Any:
        """1 - P(event) is the probability that it does not happen; a computed 1 turns the path of a program."""
        if (
            not isinstance(one, Symbolic)
            and not np.ndim(value_of(one))
            and one == 1
        ):
            return Probability(~self.event)
        return one - self.as_mean()


@dataclass(frozen=True, eq=False)
class Conditional(Probability):
    """P(event | given): in arithmetic the quotient of P(event and given) and P(given).

    Against a bound P(event and given) is compared with bound times P(given), so that nothing is said where `given`
    has probability 0; strictly the quotient is, which is undefined there.
    """

    given: Event

    def as_mean(self) -> Mean:
        return self._both / mean(indicator(self.given))

    def __ge__(self, bound: Any) -> Inequality:
        return _ordered("ge", *self._against(bound), strict=False)

    def __le__(self, bound: Any) -> Inequality:
        return _ordered("le", *self._against(bound), strict=False)

    def __gt__(self, bound: Any) -> Inequality:
        return _ordered("ge", self, bound, strict=True)

    def __lt__(self, bound: Any) -> Inequality:
        return _ordered("le", self, bound, strict=True)

    def __eq__(self, bound: object) -> Inequality:  # type: ignore[override]
        return equal(*self._against(bound))

    __hash__ = object.__hash__  # pyright: ignore

    def __rsub__(self, one: Any) -> Any:
        return one - self.as_mean()

    @property
    def _both(self) -> Mean:
        return mean(indicator(self.event & self.given))

    def _against(self, bound: Any) -> tuple[Mean, Mean]:
        return self._both, side(bound) * mean(indicator(self.given))


def _likely(
    p: Probability, relation: str, bound: object, strict: bool = False
) -> Chance | Inequality:
    """P(event) against a bound. One that no probability reaches says it lies in [0, 1], which is false."""
    if isinstance(bound, (Probability, Mean)):
        return _ordered(relation, p, bound, strict)
    plain = value_of(bound)
    if (
        isinstance(plain, (Symbolic, str, complex))
        or plain is None
        or np.ndim(plain)
    ):
        raise TypeError(
            "P(event) is compared with one real number, or with another P or E."
        )
    end, edge = (
        (1, float(plain) - 1) if relation == "ge" else (0, -float(plain))
    )
    if edge > 0 or (strict and edge == 0 and isinstance(plain, int)):
        return _ordered(relation, end, bound, strict)
    return Chance(p.event, relation, as_now(bound), strict)


@overload
def P(event: object) -> Probability: ...
@overload
def P(event: object, given: object) -> Conditional: ...
def P(event: object, given: object = None) -> Probability | Conditional:
    """The probability of an event: `P(q <= eps) >= 1 - delta`; with `given`, conditional on another.

    Probabilities are added and multiplied like other numbers: `gap * P(bad) <= E(loss)`, `P(A & B) <= P(A) * P(B)`.
    A quantity that is drawn as truth values is an event, too. Raises TypeError for what is none.
    """
    if given is None:
        return Probability(_event_of(event))
    return Conditional(_event_of(event), _event_of(given))


def _event_of(x: object) -> Event:
    if isinstance(x, Quantity) and _is_truth(x):
        x = x == 1
    if not isinstance(x, Event):
        raise TypeError(
            "P takes an event: a comparison with a random quantity, as in P(q <= eps)."
        )
    return x


def E(q: object) -> Mean:
    """The expectation of a quantity; `E(q) <= b`, `equal(E(q), m)`, `loewner(E(M), B)`, or inside an expression."""
    return mean(q)


def _comparison(relation: str, strict: bool) -> object:
    def compare(self: Mean, other: object) -> Inequality:
        return (
            NotImplemented
            if isinstance(other, (Quantity, Event))
            else _ordered(relation, self, other, strict)
        )

    return compare


def _equal(self: Mean, rhs: Operand) -> Inequality:
    return (
        NotImplemented
        if isinstance(rhs, (Quantity, Event))
        else equal(self, rhs)
    )


def _unequal(self: Mean, rhs: Operand) -> object:
    if isinstance(rhs, (Quantity, Event)):
        return NotImplemented
    raise TypeError(
        "Numbers that are not equal can be as near as one likes; state E(q) < b or E(q) > b."
    )


for _name, _relation in {
    "__le__": "le",
    "__lt__": "le",
    "__ge__": "ge",
    "__gt__": "ge",
}.items():
    setattr(Mean, _name, _comparison(_relation, _name in ("__lt__", "__gt__")))
Mean.__eq__, Mean.__ne__ = _equal, _unequal  # type: ignore[method-assign,assignment]


MARGIN = 0.05
"""What a sampled slope may exceed its bound by."""


def of_order(
    values: Mapping[int, Any],
    by: Callable[[int], Any] | Mapping[int, Any],
    constant: object = 1.0,
) -> All:
    """values[s] <= constant * by(s) for each of the sizes: what O(by) says, with its constant, over a stated range.

    `values[s]` and `by(s)` are numbers, arrays or expectations. Raises NoStatement without sizes.
    """
    if not values:
        raise NoStatement("gave an order no sizes; state it over one or more.")
    bound = by if callable(by) else by.__getitem__
    return both(
        *(at_most(values[s], constant * bound(s)) for s in sorted(values))
    )


def _log(size: int) -> Any:
    """The logarithm of a whole number of any length."""
    whole = lift(size)
    return np.log(whole) if is_traced(whole) else math.log(size)


def rate(
    values: Mapping[int, Any], at_most: float, margin: float | None = None
) -> Inequality:
    """The least-squares slope of log m against log s over the sizes in `values` is at most `at_most` + `margin`.

    The sizes are fixed in advance; `values[s]` is a number or an expectation. The statement is about these sizes alone: an
    m(s) that oscillates below C s^at_most may have a larger slope, and its statement is `of_order`. The margin is 0, but
    0.05 where the expectations have to be sampled. Sizes that span less than a factor 8 say nothing.
    """
    sizes = sorted(values)
    if len(sizes) < 3:
        raise NoStatement(
            "gave a rate fewer than three sizes; three or more are needed for a slope."
        )
    logs = [_log(s) for s in sizes]
    centred = [x - sum(logs) / len(logs) for x in logs]
    slope = sum(
        x * np.log(lift(values[s])) for x, s in zip(centred, sizes, strict=True)
    ) / sum(x * x for x in centred)
    trivial = -np.inf if sizes[-1] < 8 * sizes[0] else None
    form = Slope(
        tuple(sizes),
        tuple(as_now(values[s]) for s in sizes),
        MARGIN if margin is None else 0.0,
    )
    return Inequality(
        "at_most", slope, as_now(at_most + (margin or 0.0)), trivial, form
    )
