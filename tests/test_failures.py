"""What a text that fails is told: what happened and what to write, without the names that Python has for it."""

import math
import re
from typing import Any

import numpy as np
import pytest

from boundcheck import Vector, at_most
from boundcheck.checking.observe import BrokenClaim, Skipped, observe
from boundcheck.words.claims import make_claim

# What a type checker would say of these texts is what they are for.
# pyright: reportOperatorIssue=false, reportCallIssue=false, reportArgumentType=false, reportUnusedExpression=false

PYTHON = re.compile(r"[A-Z]\w*(Error|Exit|Exception)\b|NoneType|numpy\.|'int'|'float'|object|operand|Traceback")
X = np.array([1.0, -2.0, 3.0])


def seen(body: Any, **raw: Any) -> Any:
    return observe(make_claim(body, "test.body", "here", "theorem"), raw)


def of(made: Any) -> Any:
    def body(x: Vector("n")):
        return at_most(made(x), 10)

    return body


def nothing(x: Any) -> None:
    x + 1


def recursive(x: Any) -> Any:
    return recursive(x + 1)


def unbound(x: Any) -> Any:
    if len(x) == 1:
        y = x
    return y


def asserting(x: Any) -> Any:
    if len(x) > 1:
        raise AssertionError
    return x


def raising(x: Any) -> Any:
    raise LookupError("no such point")


FAILING = {
    "no entry 3 among 3": lambda x: x[3],
    "no axis 1": lambda x: np.sum(x, axis=1),
    "no entry 7; give it one": lambda x: {1: 2}[7],
    "returns nothing": lambda x: nothing(x) + 1,
    "has a .norm": lambda x: x.norm(),
    "write a loop": recursive,
    "give it one before the if": unbound,
    "write assume": asserting,
    'says "no such point"; leave out such instances by assume': raising,
    r"shapes \(3,\) and \(2,\) do not fit": lambda x: x + np.ones(2),
    "sizes 3 and 2 do not fit": lambda x: np.ones((2, 3)) @ np.ones(2),
    "neither true nor false": lambda x: 1 if x > 0 else 0,
    "no largest or smallest": lambda x: np.max(x[3:]),
    "give each a name": lambda x: next(a + b for a, b in [x]),
    "not called with its arguments": lambda x: np.sqrt(),
    "a whole number is needed": lambda x: sum(range(x[0])),
    "as if it were several": lambda x: len(3),
    "called that is no function": lambda x: x.size(3),
    "kinds that do not go together": lambda x: 3 + "a",
    "ends the process": lambda x: exit(),
}


@pytest.mark.parametrize("sentence", FAILING)
def test_a_text_that_fails_is_told_what_to_write(sentence):
    with pytest.raises(BrokenClaim, match=sentence) as told:
        seen(of(FAILING[sentence]), x=X)
    assert not PYTHON.search(str(told.value).partition("): ")[2])


UNDEFINED = {
    "a division by zero": lambda x: 1 / (len(x) - 3),
    "a number where a function of math is not defined": lambda x: math.log(x[1]),
    "a number too large for floats": lambda x: math.exp(1000),
    "a matrix without an inverse": lambda x: np.linalg.inv(np.zeros((3, 3))),
    "a matrix that is not positive definite": lambda x: np.linalg.cholesky(-np.eye(3)),
    "a matrix that is not square": lambda x: np.linalg.det(np.ones((2, 3))),
    "the whole part of what is not finite": lambda x: int(x[0] * math.inf),
}


@pytest.mark.parametrize("words", UNDEFINED)
def test_where_a_statement_has_no_value_it_is_said_why(words):
    assert seen(of(UNDEFINED[words]), x=X) == Skipped(f"undefined by {words}")
