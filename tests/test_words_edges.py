"""Statements at their edges: impossible bounds, strict signs, NaN, infinity, no entries, and complex numbers."""

from typing import Any

import numpy as np
import pytest

from boundcheck import (
    E,
    Few,
    P,
    Positive,
    Real,
    Size,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    both,
    equal,
    exp,
    less,
    loewner,
    quantity,
)  # fmt: skip
from boundcheck.checking import certificate
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import BrokenClaim, observe
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.settings import FiniteLaw
from boundcheck.verifier import verify
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=12, work=300, trials=2000, sampled_instances=2, confirmation_trials=20_000, level=1e-3)


def verdict(body: Any) -> Judgement:
    return judge(make_claim(body, "test.body", "here", "theorem"), PLAN, 1e-7)


def coin(p: Any) -> Any:
    return quantity(lambda rng, size: rng.binomial(1, p, size))


def gauss(s: Any = 1.0) -> Any:
    return quantity(lambda rng, size: rng.normal(0, s, size))


def of_a_coin(statement: Any) -> Any:
    def body(p: Unit):  # type: ignore[valid-type]
        return statement(coin(p), p)

    return body


def of_a_normal(statement: Any) -> Any:
    def body(s: Positive):  # type: ignore[valid-type]
        return statement(gauss(s))

    return body


def of_a_number(statement: Any) -> Any:
    def body(x: Real):  # type: ignore[valid-type]
        return statement(x)

    return body


def of_a_size(statement: Any) -> Any:
    def body(n: Size, x: Vector("n")):  # type: ignore[valid-type]
        return statement(n, x)

    return body


FALSE = {
    "P >= 1.5": of_a_coin(lambda X, p: P(X >= 0) >= 1.5),
    "P >= 1 + p": of_a_coin(lambda X, p: P(X >= 0) >= 1 + p),
    "P > 1": of_a_coin(lambda X, p: P(X >= 0) > 1),
    "P <= -1": of_a_coin(lambda X, p: P(X >= 2) <= -1),
    "P < 0": of_a_coin(lambda X, p: P(X >= 2) < 0),
    "P == 2": of_a_coin(lambda X, p: P(X >= 0) == 2),
    "P >= 1, exact": of_a_coin(lambda X, p: P(X <= 0) >= 1),
    "P >= 1, nearly": of_a_coin(lambda X, p: P(quantity(lambda rng, size: rng.binomial(40, 0.5, size)) >= 1) >= 1),
    "P > 1/2 attained": lambda: P(coin(0.5) == 1) > 0.5,
    "P < p attained": of_a_coin(lambda X, p: P(X == 1) < p),
    "E > p attained": of_a_coin(lambda X, p: E(X) > p),
    "E < p attained": of_a_coin(lambda X, p: p > E(X)),
    "P < P attained": of_a_coin(lambda X, p: P(X == 1) < P(X >= 1)),
    "0 < x^2 at 0": of_a_number(lambda x: less(0, x**2)),
    "an entry attained": of_a_number(lambda x: less(np.array([0, 1]), np.array([1, 1]) + 0 * x)),
    "P >= 1.2, sampled": of_a_normal(lambda X: P(X <= 0) >= 1.2),
    "P <= -0.1, sampled": of_a_normal(lambda X: P(X <= 0) <= -0.1),
    "P > 1, sampled": of_a_normal(lambda X: P(X <= 0) > 1),
    "P >= 1, sampled": of_a_normal(lambda X: P(X <= 0) >= 1),
    "P <= 0, sampled": of_a_normal(lambda X: P(X > 0) <= 0),
    "P > 0.6, sampled": of_a_normal(lambda X: P(X > 0) > 0.6),
    "infinity <= 5": of_a_number(lambda x: at_most(exp(1000 + x**2), 5)),
    "5 <= -infinity": of_a_number(lambda x: at_most(5, -exp(1000 + x**2))),
    "infinity == 5": of_a_number(lambda x: equal(exp(1000 + x**2), 5)),
    "an infinite entry": of_a_number(lambda x: at_most(np.exp(np.array([1, 1000]) + x**2), np.exp(600))),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_at_the_edge_is_refuted(name):
    result = verdict(FALSE[name])
    assert result.outcome == Outcome.REFUTED
    assert result.refutation is not None
    assert verify(result.refutation.certificate).confirmed


TRUE = {
    "P < 1 + p": of_a_coin(lambda X, p: (P(X >= 0) < 1 + p, P(X == 1) <= p)),
    "P > p / 2": of_a_coin(lambda X, p: P(X == 1) > p / 2),
    "P == 1": of_a_coin(lambda X, p: (P(X >= 0) == 1, P(X == 1) == p)),
    "P == 0": of_a_coin(lambda X, p: (P(X >= 2) == 0, P(X == 1) == p)),
    "P < 1": of_a_coin(lambda X, p: P(X == 1) < 1),
    "P > 0": of_a_coin(lambda X, p: P(X == 1) > 0),
    "E < 1": of_a_coin(lambda X, p: E(X) < 1),
    "x < x + 1": of_a_number(lambda x: less(x, x + 1)),
    "P > 0.4, sampled": of_a_normal(lambda X: P(X > 0) > 0.4),
    "P > 0, sampled": of_a_normal(lambda X: P(X > 0) > 0),
    "5 <= infinity": of_a_number(lambda x: at_most(5, exp(1000 + x**2))),
    "some empty": of_a_size(lambda n, x: tuple(at_most(2 * x[i] * x[i + 1], x[i] ** 2 + x[i + 1] ** 2) for i in range(n - 1))),
    "both of some": of_a_size(lambda n, x: both(*(at_most(x[i], np.max(x)) for i in range(n - 1)))),
    "an empty tail": of_a_size(lambda n, x: at_most(x[2:], np.max(x))),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_at_the_edge_is_never_refuted(name):
    assert verdict(TRUE[name]).outcome in (Outcome.HOLDS, Outcome.VACUOUS)


VACUOUS = {
    "P >= 0": of_a_coin(lambda X, p: P(X >= 1) >= 0),
    "P >= -3": of_a_coin(lambda X, p: P(X >= 1) >= -3),
    "P > -3": of_a_coin(lambda X, p: P(X >= 1) > -3),
    "P <= 1": of_a_coin(lambda X, p: P(X >= 1) <= 1),
    "P < 2": of_a_coin(lambda X, p: P(X >= 1) < 2),
    "no entries": of_a_size(lambda n, x: at_most(x[8:] + 1, x[8:])),
    "no entries are equal": of_a_size(lambda n, x: equal(x[8:] + 1, x[8:])),
    "no entries, strictly": of_a_size(lambda n, x: less(x[8:], x[8:])),
    "no parts": of_a_size(lambda n, x: tuple(at_most(x[i] + 1, x[i]) for i in range(8, n))),
    "no parts of both": of_a_size(lambda n, x: both()),
}


@pytest.mark.parametrize("name", VACUOUS)
def test_what_says_nothing_is_vacuous(name):
    assert verdict(VACUOUS[name]).outcome == Outcome.VACUOUS


def almost_sure(s: Positive):  # type: ignore[valid-type]
    return P(gauss(s) ** 2 >= 0) >= 1


def log_of_a_negative(k: Few):  # type: ignore[valid-type]
    X = coin(0.5)
    return P(np.log(X - 2) <= 5) >= 0.9


def sides_that_are_no_numbers(k: Few):  # type: ignore[valid-type]
    return at_most(np.log(-k), 5), equal(np.log(-k), 5)


def sides_that_both_overflow(x: Positive):  # type: ignore[valid-type]
    return at_most(exp(1000 + x), exp(900 + x)), equal(exp(1000 + x), exp(900 + x))


def bound_that_is_no_number(s: Positive):  # type: ignore[valid-type]
    return P(gauss(s) >= 0) >= np.log(-1.0)


def mean_in_a_sampled_event(s: Positive):  # type: ignore[valid-type]
    X = gauss(s)
    return P(X >= E(X)) >= 0.3


@pytest.mark.parametrize(
    "body",
    [
        almost_sure,
        log_of_a_negative,
        sides_that_are_no_numbers,
        sides_that_both_overflow,
        bound_that_is_no_number,
        mean_in_a_sampled_event,
    ],
)
def test_what_nothing_decides_is_inconclusive(body):
    assert verdict(body).outcome == Outcome.INCONCLUSIVE


def changed_after_a_product(x: between(1, 2)) -> Any:  # type: ignore[valid-type]
    X, a = coin(0.5), x * np.ones(1)
    Y = X * a
    a += 1
    return equal(E(Y[0]), x / 2)


def changed_after_an_event(x: between(1, 2)) -> Any:  # type: ignore[valid-type]
    X, a = coin(0.5), x * np.ones(1)
    event = X * 3 >= a
    a[0] = 5
    return P(event) == 0.5


def changed_after_a_mask(x: Vector(3)) -> Any:  # type: ignore[valid-type]
    z = x * 1
    mask = z > 0
    z -= 1
    return equal(np.sum(np.where(mask, 1, 0)), np.sum(np.where(x > 0, 1, 0)))


@pytest.mark.parametrize("body", [changed_after_a_product, changed_after_an_event, changed_after_a_mask])
def test_what_an_array_was_when_it_was_read(body):
    assert verdict(body).outcome == Outcome.HOLDS


def seldom(low, high):
    """0, and 5 10^7 with probability 10^-7: the mean is 5."""
    return quantity(lambda rng, size: np.where(rng.random(size) + 0.0 < 1e-7, 5e7, 0.0), low=low, high=high)


RANGES_WITHOUT_AN_END = {
    "declared, true": lambda s: E(-seldom(0, np.inf)) <= -4,
    "declared, false": lambda s: E(1 - seldom(0, np.inf)) >= 0.5,
    "both, true": lambda s: E(2 - seldom(-np.inf, np.inf)) <= -2,
}


@pytest.mark.parametrize("name", RANGES_WITHOUT_AN_END)
def test_an_infinite_end_bounds_no_mean(name):
    def body(s: Positive) -> Any:  # type: ignore[valid-type]
        return RANGES_WITHOUT_AN_END[name](s)

    found = verdict(body)
    assert found.outcome == Outcome.INCONCLUSIVE
    assert "low=" in found.reason


def test_a_range_of_one_value_is_judged():
    def body(a: between(0, 1, closed=True)) -> Any:  # type: ignore[valid-type]
        X = quantity(lambda rng, size: rng.standard_normal(size))
        return E(a * np.cos(X)) <= 0.7 * a + 0.01

    assert verdict(body).outcome == Outcome.HOLDS


def test_nan_is_not_in_an_event():
    """log(X - 1) is -inf for X = 1 and NaN for X = 0: P(log(X - 1) <= 5) is P(X = 1)."""

    def body(p: Unit):  # type: ignore[valid-type]
        return P(np.log(coin(p) - 1) <= 5) >= 0.9

    (seen,) = observe(make_claim(body, "test.body", "here", "theorem"), {"p": 0.75})  # type: ignore[misc]
    assert seen.lhs == pytest.approx(0.25)
    assert not seen.touches


def test_nan_where_it_decides_nothing_hides_no_violation():
    """log(X - 1) is NaN for X = 0, -inf for 1 and 0 for 2: for a law on 0, 1, 2 the event log(X - 1) <= -1 is X = 1."""

    def body(p: Unit, q: Unit):  # type: ignore[valid-type]
        X = quantity(lambda rng, size: rng.binomial(2, p, size))
        return P(np.log(X - 1) <= -1) >= 1 - q

    assert not np.isnan(seen_of(body, {"p": 0.5, "q": 0.9}).score)
    assert np.isnan(seen_of(body, {"p": 0.5, "q": 0.3}).score)
    assert seen_of(body, {"p": 0.5, "q": 0.1}).score > 0


def seen_of(body: Any, raw: Any) -> Any:
    (seen,) = observe(make_claim(body, "test.body", "here", "theorem"), raw)  # type: ignore[misc]
    return seen


@pytest.mark.parametrize(
    "body",
    [
        lambda x: equal(np.exp(1j * np.array([x])), np.cos(np.array([x]))),
        lambda x: equal(np.exp(1j * x) + 0 * np.ones(2), np.cos(x)),
        lambda x: equal(np.array([[1j]]), 0),
    ],
)
def test_imaginary_parts_are_compared(body):
    def claim(x: between(1, 2)):  # type: ignore[valid-type]
        return body(x)

    assert verdict(claim).outcome in (Outcome.INCONCLUSIVE, Outcome.REFUTED)


def euler(x: Real):  # type: ignore[valid-type]
    return equal(np.exp(1j * x), np.cos(x) + 1j * np.sin(x)), equal(abs(np.exp(1j * x)), 1), at_most(np.real(np.exp(1j * x)), 1)


def characteristic_function(law: FiniteLaw):  # type: ignore[valid-type]
    X = law.sample()
    phi = E(np.exp(1j * X))
    return equal(phi, np.sum(law.p * np.exp(1j * law.values))), at_most(np.abs(phi), 1), at_most(E(np.imag(np.exp(1j * X))), 1)


def complex_event(p: Unit):  # type: ignore[valid-type]
    z = np.exp(1j * np.pi * coin(p) / 2)
    return P(z == 1) >= 1 - p - 1e-6, P(np.abs(z) <= 1.5) >= 1, P(z == np.real(z)) <= 1 - p + 1e-6


@pytest.mark.parametrize("body", [euler, characteristic_function, complex_event])
def test_true_complex_statements_are_not_refuted(body):
    assert verdict(body).outcome in (Outcome.HOLDS, Outcome.INCONCLUSIVE)


@pytest.mark.parametrize(
    "statement",
    [
        lambda x: at_most(1j * x, 1),
        lambda x: less(1, np.array([x, 1j])),
        lambda x: loewner(np.eye(2) * 1j, np.eye(2) * x),
        lambda x: at_most(E(np.exp(1j * coin(0.5))), 2),
        lambda x: at_most(np.ones(2), np.ones(2) + 0j),
    ],
)
def test_complex_numbers_have_no_order(statement):
    with pytest.raises(BrokenClaim, match=r"no order; compare np.abs\(z\)"):
        observe(make_claim(of_a_number(statement), "test.body", "here", "theorem"), {"x": 1.0})


@pytest.mark.parametrize("event", [lambda z: z <= 1, lambda z: 0 < z, lambda z: z != 1])
def test_complex_events_have_no_order(event):
    with pytest.raises(BrokenClaim, match=r"np.abs\(z\)"):
        verdict(of_a_normal(lambda X: P(event(np.exp(1j * X))) >= 0.5))


@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((2,), (2,)), ((2, 2), (3, 3))])
def test_the_loewner_order_is_one_of_square_matrices(shapes):
    def body(x: Real):  # type: ignore[valid-type]
        assume(x > 0)
        return loewner(*(E(np.ones(shape) * coin(0.5)) for shape in shapes))

    with pytest.raises(BrokenClaim, match="square matrices"):
        observe(make_claim(body, "test.body", "here", "theorem"), {"x": 1.0})


def test_small_deltas_of_several_parts_are_read_from_one_program(monkeypatch):
    runs, recorded = [], certificate.followed
    monkeypatch.setattr(certificate, "followed", lambda *args: runs.append(1) or recorded(*args))

    def body(p: Unit):  # type: ignore[valid-type]
        X = coin(p)
        return P(X <= 0) >= 1 - p, P(X <= 0) >= 1 - 2 * p, P(X >= 1) <= p / 2, P(X <= 0) >= 0.5

    seen = observe(make_claim(body, "test.body", "here", "theorem"), {"p": 1e-13})
    assert [o.rhs for o in seen] == pytest.approx([1e-13, 2e-13, 5e-14, 0.5], rel=1e-12)  # type: ignore[union-attr]
    assert sum(runs) == 2  # a first look is made twice


def test_a_small_delta_beside_a_bound_that_is_not_spelled_so():
    def body(p: Unit):  # type: ignore[valid-type]
        X = coin(p)
        return P(X <= 0) >= 1 - p, P(X <= 0) >= exp(-p)

    first, second = observe(make_claim(body, "test.body", "here", "theorem"), {"p": 1e-13})  # type: ignore[misc]
    assert first.rhs == pytest.approx(1e-13, rel=1e-12)
    assert second.rhs == pytest.approx(1e-13, rel=1e-2)


def test_one_of_two_events_is_their_exclusive_or():
    def body(p: Unit, q: Unit):  # type: ignore[valid-type]
        X, Y = coin(p), coin(q)
        one = p * (1 - q) + q * (1 - p)
        return equal(P((X >= 1) ^ (Y >= 1)), one), equal(P(np.logical_xor(X >= 1, Y >= 1)), one)

    assert verdict(body).outcome is Outcome.HOLDS


@pytest.mark.parametrize(("bound", "outcome"), [(0.8, Outcome.HOLDS), (0.6, Outcome.REFUTED)])
def test_truth_values_are_from_0_to_1_without_being_said(bound, outcome):
    def body(s: Positive):  # type: ignore[valid-type]
        return at_most(E(quantity(lambda rng, size: rng.normal(0, s, (size, 2)).max(axis=1) < s)), bound)

    assert verdict(body).outcome is outcome


def test_truth_values_that_become_numbers_are_a_mistake():
    def body(s: Positive):  # type: ignore[valid-type]
        def sampler(rng: Any, size: int) -> Any:
            x = rng.normal(0, s, size)
            return x > 0 if size < 10 else x

        return at_most(E(quantity(sampler)), 0.9)

    with pytest.raises((BrokenClaim, TypeError), match="low="):
        verdict(body)


def test_a_loop_without_end_on_one_line_is_a_mistake(monkeypatch):
    monkeypatch.setattr("boundcheck.checking.observe.MOST_LINES", 1000)

    def body(x: Real):  # type: ignore[valid-type]
        while True: pass  # fmt: skip  # noqa: E701

    with pytest.raises(BrokenClaim, match="does this loop end"):
        observe(make_claim(body, "test.body", "here", "theorem"), {"x": 1.0})


def test_a_wrong_dimension_puts_out_its_claim_alone(tmp_path):
    from boundcheck.words.loading import load_claims

    head = 'from boundcheck import *\n\n@theorem("a")\ndef good(x: Real):\n    return at_most(0, x * x)\n\n'
    (tmp_path / "mine.py").write_text(f'{head}@theorem("b")\ndef bad(A: Matrix("n", 3.5)):\n    return at_most(0, 1)\n')
    faults = {claim.id: claim.fault for claim in load_claims(tmp_path / "mine.py")}
    assert faults["mine.good"] == ""
    assert "not 3.5" in faults["mine.bad"]


def test_truth_values_of_draws_are_joined_exactly():
    def body(p: Unit, q: Unit):  # type: ignore[valid-type]
        def sampler(rng: Any, size: int) -> Any:
            x, y, z = rng.random(size) < p, rng.random(size) < q, rng.random(size) > 0.5
            return (x ^ ~y) & (x | y) | z

        return equal(E(quantity(sampler)), 0.5 + p * q / 2), at_most(E(quantity(sampler)), 0.9)

    result = verdict(body)
    assert result.outcome is Outcome.REFUTED
    assert result.refutation is not None
    assert "> 0.9" in result.refutation.finding
    assert verify(result.refutation.certificate).confirmed


def test_equal_arrays_are_an_equation():
    def body(x: Vector(3), y: Vector(3)):  # type: ignore[valid-type]
        assume(np.array_equal(x, y[::-1]))
        return equal(np.sum(x), np.sum(y)), equal(x[0], y[0])

    result = verdict(body)
    assert result.outcome is Outcome.REFUTED
    assert result.refutation is not None
    assert result.refutation.certificate["claim"]["part"] == 1


def test_a_law_that_is_sampled_inside_of_a_sampler_says_how_it_is_written():
    law = FiniteLaw(values=np.array([0.0, 1.0]), p=np.array([0.5, 0.5]))
    with pytest.raises(TypeError, match="write it without quantity"):
        law.sample(np.random.default_rng(), (3, 2))  # pyright: ignore[reportArgumentType]
