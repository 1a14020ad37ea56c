"""Statements: what a body may return, what the words mean, and what the wrong returns are told."""

from typing import Any

import numpy as np
import pytest

from boundcheck import E, P, at_most, both, equal, loewner, quantity, rate
from boundcheck.checking.perturbations import perturbed
from boundcheck.laws.quantities import Mean, averaged
from boundcheck.tape import Tape, trace_input, value_of
from boundcheck.tape.library import joined
from boundcheck.tape.program import recording
from boundcheck.words.hypotheses import Question
from boundcheck.words.statements import All, Chance, Inequality, NoStatement, as_statement, mean_form, parts_of


@pytest.fixture
def q() -> Any:
    return quantity(lambda rng, size: rng.random(size), low=0, high=1)


def shape(statement: Any) -> Any:
    """Relations of the atomic statements."""
    return [part.relation for part in parts_of(as_statement(statement))]


MEANINGS = {
    "at_most": (lambda q: at_most(1, 2), ["at_most"]),
    "equal": (lambda q: equal(1, 2), ["equal"]),
    "loewner": (lambda q: loewner(np.eye(2), np.eye(2)), ["loewner"]),
    "P >=": (lambda q: P(q <= 0.5) >= 0.1, ["ge"]),
    "P >": (lambda q: P(q <= 0.5) > 0.1, ["ge"]),
    "P <=": (lambda q: P(q <= 0.5) <= 0.1, ["le"]),
    "P <": (lambda q: P(q <= 0.5) < 0.1, ["le"]),
    "P ==": (lambda q: P(q <= 0.5) == 0.1, ["ge", "le"]),
    "mirrored P": (lambda q: 0.1 <= P(q <= 0.5), ["ge"]),
    "1 - P": (lambda q: 1 - P(q <= 0.5) <= 0.1, ["le"]),
    "E <=": (lambda q: E(q) <= 1, ["at_most"]),
    "E ==": (lambda q: E(q) == 1, ["equal"]),
    "E E": (lambda q: E(q) ** 2 <= E(q**2), ["at_most"]),
    "an empty tuple": (lambda q: (), ["at_most"]),
    "tuple": (lambda q: (at_most(1, 2), E(q) <= 1), ["at_most", "at_most"]),
    "list": (lambda q: [equal(1, 1)], ["equal"]),
    "both": (lambda q: both(at_most(1, 2), both(equal(1, 1), P(q <= 1) >= 1)), ["at_most", "equal", "ge"]),
}


@pytest.mark.parametrize("name", MEANINGS)
def test_what_a_body_may_return(q, name):
    returned, relations = MEANINGS[name]
    assert shape(returned(q)) == relations


@pytest.mark.parametrize("bound", [np.float64(0.25), "traced"])
def test_a_probability_on_the_right_is_one_on_the_left(q, bound):
    with recording(Tape()) as tape:
        number: Any = trace_input(tape, "b", 0.25) if bound == "traced" else bound
        for mirrored, stated in ((number <= P(q <= 0.5), "ge"), (number >= P(q <= 0.5), "le"), (number < P(q <= 0.5), "gt")):
            assert isinstance(mirrored, Chance)
            assert mirrored.sign == stated


def test_the_complement_is_negated(q):
    statement: Any = 1 - P(q <= 0.5) <= 0.1
    assert statement.event.relation == "not"
    assert isinstance(2 - P(q <= 0.5), Mean)


@pytest.mark.parametrize("order", ["E(q) >= b", "b <= E(q)"])
def test_an_expectation_from_below_puts_the_bound_on_the_left(q, order):
    statement: Any = E(q) >= 0.25 if order == "E(q) >= b" else 0.25 <= E(q)
    assert statement.lhs == 0.25
    form = mean_form(statement)
    assert form is not None
    assert (form.relation, form.bound, form.low, form.high) == ("ge", 0.25, 0, 1)


def test_an_expectation_beside_an_array_is_one_statement(q):
    statement: Any = np.array([1.0, 2.0]) <= E(q)
    assert isinstance(statement, Inequality)
    assert isinstance(np.float64(0.25) >= E(q), Inequality)


def test_only_a_bound_on_what_is_linear_in_expectations_has_a_mean_form(q):
    assert mean_form(equal(E(q), 1)) is None
    assert mean_form(at_most(E(q) * E(q), 1)) is None
    assert mean_form(at_most(1 / E(q), 1)) is None
    assert mean_form(at_most(E(q) + 1, 1)) is not None
    assert mean_form(at_most(E(q), 2 * E(q))) is not None
    assert mean_form(at_most(1, 2)) is None


WRONG = {
    "nothing": (lambda q: None, "returned nothing"),
    "an event": (lambda q: q <= 1, r"P\(event\) >= 1 - delta"),
    "a bool": (lambda q: 1 <= 2, "returned a plain comparison"),
    "a numpy bool": (lambda q: np.float64(1) <= 2, "returned a plain comparison"),
    "a traced comparison": (lambda q: trace_input(Tape(), "x", 1.0) <= 2, "returned a plain comparison"),
    "a number": (lambda q: 3.0, "returned a float"),
    "an array": (lambda q: np.ones(2), "returned a ndarray"),
    "an expectation": (lambda q: E(q), "returned a Mean"),
    "a probability": (lambda q: P(q <= 1), "returned a Probability"),
    "a quantity": (lambda q: q, "returned a Quantity"),
    "a wrong part": (lambda q: (at_most(1, 2), None), "returned nothing"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_returns_are_told_what_to_write(q, name):
    returned, advice = WRONG[name]
    with pytest.raises(NoStatement, match=advice):
        as_statement(returned(q))


@pytest.mark.parametrize("wrong", [0.5, True, np.ones(2)])
def test_a_probability_needs_an_event(wrong):
    with pytest.raises(TypeError, match="P takes an event"):
        P(wrong)


def test_chained_comparisons_of_a_quantity_are_refused(q):
    with pytest.raises(TypeError, match=r"use & and \|"):
        P(0 <= q <= 1)


def test_scaling_makes_every_statement_stronger(q):
    weaker: Any = perturbed(at_most(1, 8), Question(bound=0.5))
    assert (weaker.lhs, weaker.rhs) == (1, 4)
    likely: Any = perturbed(P(q <= 1) >= 0.75, Question(bound=0.5))
    assert (likely.relation, likely.bound) == ("ge", 0.875)
    rare: Any = perturbed(P(q <= 1) <= 0.5, Question(bound=0.5))
    assert (rare.relation, rare.bound) == ("le", 0.25)
    same = at_most(1, 8)
    assert perturbed(same, Question()) is same
    identity: Any = perturbed(equal(3.0, 3.0), Question(bound=0.9))
    assert identity.lhs != identity.rhs


@pytest.mark.parametrize(("rhs", "scaled_rhs"), [(2.0, 1.0), (-2.0, -3.0), (0, 0), ([2.0, -2.0, 0], [1.0, -3.0, 0]), (np.inf, np.inf)])
def test_a_bound_of_either_sign_is_made_stronger(rhs, scaled_rhs):
    stronger = perturbed(at_most(0, np.asarray(rhs)), Question(bound=0.5))
    assert isinstance(stronger, Inequality)
    assert np.array_equal(stronger.rhs, scaled_rhs)


@pytest.mark.parametrize(("event", "k", "threshold"), [
    (lambda q: q <= 2, 1, 1.0), (lambda q: q < -2, 1, -3.0), (lambda q: q >= 2, 1, 3.0), (lambda q: q > -2, 1, -1.0),
])  # fmt: skip
def test_the_thresholds_of_an_event_move_so_that_it_is_rarer_or_more_frequent(q, event, k, threshold):
    rarer: Any = perturbed(P(event(q)) >= 0.5, Question(event=0.5))
    assert (rarer.event.operands[k].low, rarer.bound) == (threshold, 0.5)
    frequent: Any = perturbed(P(~event(q)) <= 0.5, Question(event=0.5))
    assert frequent.event.relation == "not"
    assert frequent.event.operands[0].operands[k].low == threshold


def test_a_question_may_concern_one_part():
    question = Question(bound=0.5, event=0.5, less=1.0, slack=0.5, part=1)
    assert question.on(1) == question
    assert (question.on(0).bound, question.on(0).event, question.on(0).less, question.on(0).slack) == (1, 1, 0, 0.5)


def test_less_is_taken_from_the_right_side_and_from_the_diagonal():
    assert perturbed(at_most(1, 8), Question(less=2.0)).rhs == 6  # type: ignore[union-attr]
    order: Any = perturbed(loewner(np.zeros((2, 2)), np.ones((2, 2))), Question(less=2.0))
    assert np.array_equal(order.rhs, [[-1, 1], [1, -1]])


def test_a_rate_is_a_bound_on_the_slope():
    exact: Any = rate({s: 3.0 / s for s in (10, 100, 1000)}, at_most=-1)
    assert float(exact.lhs) == pytest.approx(-1)
    assert exact.rhs == -1
    assert exact.sampled().rhs == pytest.approx(-0.95)
    wide: Any = rate({s: 3.0 / s for s in (10, 100, 1000)}, at_most=-1, margin=0.25)
    assert wide.rhs == wide.sampled().rhs == -0.75
    assert exact.trivial is None
    short: Any = rate({s: 1.0 / s for s in (10, 20, 40)}, at_most=-1)
    assert short.rhs >= short.trivial
    with pytest.raises(NoStatement, match="three or more"):
        rate({10: 1.0, 20: 0.5}, at_most=-1)


def test_kinds(q):
    assert isinstance(P(q <= 1) >= 1, Chance)
    assert isinstance(both(at_most(1, 1)), All)
    assert at_most(E(q), 1).random
    assert not at_most(1, 1).random


LATER = {
    "a mean": lambda q, a: at_most(E(q), a),
    "a number": lambda q, a: equal(a, 1.0),
    "an order": lambda q, a: E(q) <= a,
    "a chance": lambda q, a: P(q <= 0.5) <= a,
    "numbers of a list": lambda q, a: at_most([0.0, 0.0], [a, a]),
    "matrices": lambda q, a: loewner(np.eye(2), np.eye(2) * a),
    "a mean times a number": lambda q, a: equal(E(q) * a, E(q)),
    "a rate": lambda q, a: rate({8: a, 16: 1.0, 64: 1.0}, 0.0),
}


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("traced", [False, True])
def test_a_statement_keeps_the_arrays_as_they_were_when_it_was_made(name, traced, q):
    """What a body does to an array afterwards changes no side."""
    tape = Tape()
    with recording(tape):
        a: Any = trace_input(tape, "a", np.ones(())) if traced else np.ones(())
        before = [_numbers(part) for part in parts_of(LATER[name](q, a))]
        statement = LATER[name](q, a)
        a -= 5
        assert [_numbers(part) for part in parts_of(statement)] == before


def _numbers(part: Any) -> list[Any]:
    sides = (part.bound,) if isinstance(part, Chance) else (part.lhs, part.rhs)
    return [np.asarray(value_of(joined(averaged(x, lambda q: np.full(1, 0.5))))).tolist() for x in sides]
