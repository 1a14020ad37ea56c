"""What is undecided has no truth value, no entries to run through and no number: every way to ask ends in one sentence."""

import math
import operator
from typing import Any

import numpy as np
import pytest

from boundcheck import E, P, at_most, both, equal, indicator, less, loewner, quantity

UNDECIDED = {
    "at_most": lambda q: at_most(1, 2),
    "less": lambda q: less(1, 2),
    "equal": lambda q: equal(1, 2),
    "loewner": lambda q: loewner(np.eye(2), np.eye(2)),
    "E <=": lambda q: E(q) <= 1,
    "E ==": lambda q: E(q) == 1,
    "P >=": lambda q: P(q <= 1) >= 0.5,
    "P == P": lambda q: P(q <= 1) == P(q >= 1),
    "both": lambda q: both(at_most(1, 2), at_most(1, 2)),
    "P": lambda q: P(q <= 1),
    "E": lambda q: E(q),
    "f(E)": lambda q: np.exp(E(q)) - 1,
    "event": lambda q: q <= 1,
    "joined events": lambda q: (q <= 1) | ~(q >= 0),
    "quantity": lambda q: q,
    "indicator": lambda q: indicator(q <= 1),
    "entries": lambda q: (q <= 1) * 2,
}

QUESTIONS: dict[str, Any] = {
    "if": lambda x: 1 if x else 2,
    "not": operator.not_,
    "and": lambda x: x and 1,
    "or": lambda x: x or 1,
    "all": lambda x: all([x]),
    "any": lambda x: any([x]),
    "filter": lambda x: list(filter(None, [x])),
    "len": len,
    "list": list,
    "for": lambda x: [y for y in x],
    "unpacking": lambda x: (lambda *y: y)(*x),
    "in": lambda x: 3 in x,
    "sum": sum,
    "float": float,
    "int": int,
    "complex": complex,
    "range": range,
    "math": math.sqrt,
    "index": lambda x: [1, 2][x],
}


@pytest.fixture
def q() -> Any:
    return quantity(lambda rng, size: rng.integers(0, 2, size))


def refusal(question: str, undecided: Any) -> str:
    """What is said instead of an answer; nothing where there is one."""
    try:
        QUESTIONS[question](undecided)
    except TypeError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", UNDECIDED)
def test_every_question_is_refused(q, name):
    assert [question for question in QUESTIONS if not refusal(question, UNDECIDED[name](q)).endswith(".")] == []


SILENT = {
    "a chain of E": (lambda q: 1 <= E(q) <= 2, "both"),
    "a chain of E, strict": (lambda q: 0 < E(q) < 2, "split"),
    "a chain of P": (lambda q: 0.1 <= P(q <= 1) <= 0.2, "split"),
    "a chain of quantities": (lambda q: P(0 <= q <= 1), "& and |"),
    "max of a number": (lambda q: max(0, E(q)), "maximum"),
    "min of means": (lambda q: min(E(q), E(2 * q)), "minimum"),
    "max of probabilities": (lambda q: max(P(q <= 1), P(q <= 0)), "maximum"),
    "sorted means": (lambda q: sorted([E(q), E(2 * q)]), "maximum"),
    "sorted entries": (lambda q: sorted(q), r"np\.sort"),
    "sum of a quantity": (lambda q: sum(q), r"np\.sum"),
    "sum of a mean": (lambda q: sum(E(q)), r"np\.sum"),
    "max of a quantity": (lambda q: max(q), r"np\.max"),
    "max of quantities": (lambda q: max(q, 1 - q), "& and |"),
    "a mean in a list": (lambda q: E(q) in [E(2 * q)], "both"),
    "a clip of a mean": (lambda q: np.max(np.array([0, E(q)], dtype=object)), "maximum"),
    "statements compared": (lambda q: at_most(1, 2) == at_most(1, 2), "both"),
    "a statement and True": (lambda q: equal(1, 2) == True, "both"),  # noqa: E712
    "unequal means": (lambda q: E(q) != 0.5, "not equal"),
    "unequal means, mirrored": (lambda q: 0.5 != E(q), "not equal"),
    "unequal probabilities": (lambda q: P(q <= 1) != P(q <= 0), "not equal"),
    "event and number": (lambda q: (q <= 1) & 1, "brackets"),
    "event and quantity": (lambda q: (q <= 1) & q, "brackets"),
    "quantity and event": (lambda q: q & (q <= 1), "brackets"),
    "P of a statement": (lambda q: P(E(q) <= 1), "event"),
    "indicator of a quantity": (lambda q: indicator(q), "event"),
    "a mask of a quantity": (lambda q: q[q > 0], r"np\.where"),
    "a random side": (lambda q: at_most(q, 1), "P\\(x <= y\\)"),
    "an event as a side": (lambda q: equal(q <= 1, 1), "P\\(x <= y\\)"),
    "a text as a side": (lambda q: at_most("x", 1), "number"),
    "nothing as a side": (lambda q: equal(None, 1), "number"),  # type: ignore[arg-type]
    "a statement as a side": (lambda q: equal(E(q) <= 1, True), "number"),
    "a text as a bound": (lambda q: P(q <= 1) >= "high", "one real number"),
    "an array as a bound": (lambda q: P(q <= 1) >= np.ones(2), "one real number"),
    "a quantity as a bound": (lambda q: P(q <= 1) >= q, "one real number"),
    "a number as a matrix": (lambda q: loewner(np.eye(2), 2.0), r"np\.eye"),
    "a vector as a matrix": (lambda q: loewner(np.ones(2), np.eye(2)), "square"),
}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_taken_silently(q, name):
    wrong, advice = SILENT[name]
    with pytest.raises(TypeError, match=advice):
        wrong(q)


def test_what_may_be_said_instead(q):
    assert len({E(q), P(q <= 1), q, q <= 1, at_most(1, 2)}) == 5
    mean: Any = E(q)
    assert [type(x).__name__ for x in (np.maximum(0, mean), np.sum(q), 1 - P(q <= 1))] == ["Mean", "Quantity", "Probability"]
