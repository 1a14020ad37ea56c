"""Laws whose draws are not their floats: tied entries, laws without spread, tails that are cut off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boundcheck import E, P, Unit, indicator, quantity, rate
from boundcheck.checking.draws import Drawn
from boundcheck.checking.refute import fresh_trials
from boundcheck.checking.sampling import Stream, decide
from boundcheck.checking.trials import Certain
from boundcheck.laws import NotFinite
from boundcheck.tape import NotTraceable
from boundcheck.words.claims import make_claim
from boundcheck.words.statements import Chance, as_statement, parts_of

STREAM = Stream.of(0, "tests.laws")
RAW: dict[str, Any] = {"t": 0.7}
THIRDS, HALF, RANK_ONE = np.full(3, 1 / 3), np.full(4, 0.5), np.outer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])

Statement = Callable[[float], Any]


LAWS = {
    "beta": lambda rng, *args: rng.beta(*args),
    "dirichlet": lambda rng, *args: rng.dirichlet(*args),
    "f": lambda rng, *args: rng.f(*args),
    "gamma": lambda rng, *args: rng.gamma(*args),
    "geometric": lambda rng, *args: rng.geometric(*args),
    "gumbel": lambda rng, *args: rng.gumbel(*args),
    "logistic": lambda rng, *args: rng.logistic(*args),
    "lognormal": lambda rng, *args: rng.lognormal(*args),
    "multivariate_normal": lambda rng, *args: rng.multivariate_normal(*args),
    "normal": lambda rng, *args: rng.normal(*args),
    "power": lambda rng, *args: rng.power(*args),
    "uniform": lambda rng, *args: rng.uniform(*args),
    "vonmises": lambda rng, *args: rng.vonmises(*args),
    "wald": lambda rng, *args: rng.wald(*args),
    "weibull": lambda rng, *args: rng.weibull(*args),
    "zipf": lambda rng, *args: rng.zipf(*args),
}
"""The laws of NumPy's generator that are drawn from, parameters first, then the size."""


def law(name: str, *args: Any, low: Any = None, high: Any = None) -> Any:
    """A quantity with a law of NumPy's generator."""
    return quantity(lambda rng, size: LAWS[name](rng, *args, size), low=low, high=high)


def is_refuted(statement: Statement, trials: int = 600) -> bool:
    """Whether trials speak against a part of a statement, at the first look or fresh ones."""

    def body(t):
        return statement(t)

    body.__annotations__ = {"t": Unit}
    claim = make_claim(body, "test.laws", "here", "theorem")
    parts = parts_of(as_statement(body(**RAW)))
    return any(_drawn(part, trials, Certain(claim, RAW, k)) for k, part in enumerate(parts))


def _drawn(part: Any, trials: int, sure: Certain) -> bool:
    try:
        refuted = fresh_trials(part, STREAM, trials, 1e-6, sure) is not None
        seen = isinstance(part, Chance) and decide(part, STREAM, trials, 1e-6, sure).decision == "above"
        return refuted or seen
    except (NotTraceable, NotFinite):
        return False


def slope_of_what_never_happens(t):
    def q(n):
        return quantity(lambda rng, size: 1 / n + (rng.dirichlet([1, 1, 1], size).sum(axis=1) > 1), low=0, high=2)

    return rate({n: E(q(n)) for n in (2, 8, 32)}, at_most=-0.9)


def conditionally_without_spread(t):
    def sampler(rng, size):
        x = rng.standard_normal(size)
        return 3 * rng.normal(x / 3, 0) - x

    return P(quantity(sampler) == 0) >= 0.9


def weights_of_weights(t):
    def sampler(rng, size):
        w = rng.dirichlet(HALF, size)
        return w.sum(axis=1) - w[:, :2].sum(axis=1) - w[:, 2:].sum(axis=1) + (w.sum(axis=1) - 1) * 1e9

    return P(abs(quantity(sampler)) <= 1e-7) >= 0.99


TRUE: dict[str, Statement] = {
    "weights are at most 1 together": lambda t: P(np.sum(law("dirichlet", HALF)) <= 1) >= 0.9,
    "weights are 1 together on average": lambda t: E(indicator(np.sum(law("dirichlet", THIRDS)) >= 1)) >= 0.9,
    "weights are positive": lambda t: P(np.min(law("dirichlet", [0.004] * 3)) > 0) >= 0.9,
    "weights are below 1": lambda t: P(np.max(law("dirichlet", [0.004] * 3)) < 1) >= 0.9,
    "weights that are moved back": weights_of_weights,
    "a slope of weights": slope_of_what_never_happens,
    "a normal vector on a line": lambda t: P(
        abs(3 * (x := law("multivariate_normal", np.zeros(3), RANK_ONE))[0] - x[2]) <= 1e-12
    ) >= 0.9,
    "a normal vector with opposite entries": lambda t: P(
        abs(np.sum(law("multivariate_normal", [t, -t], [[t, -t], [-t, t]]))) <= 1e-15
    ) >= 0.9,
    "a normal vector without spread": lambda t: P(
        abs(7 * law("multivariate_normal", [t / 7, 1], np.zeros((2, 2)))[0] - t) <= 0
    ) >= 0.9,
    "a normal vector in a plane": lambda t: P(
        abs(np.sum(law("multivariate_normal", np.zeros(3), 3 * np.eye(3) - 1))) <= 1e-12
    ) >= 0.9,
    "the mean square off a line": lambda t: E(
        indicator(abs((x := law("multivariate_normal", np.zeros(2), np.ones((2, 2))))[0] - x[1]) > 1e-12)
    ) <= 0.01,
    "a normal variable without spread": lambda t: P(3 * law("normal", t / 3, 0) == t) >= 0.9,
    "a normal variable far out": lambda t: P(law("normal", 1e20, 1) > 1e20) >= 0.4,
    "a normal variable of a mean": conditionally_without_spread,
    "a lognormal variable without spread": lambda t: P(law("lognormal", t, 0) ** 2 == np.exp(2 * t)) >= 0.9,
    "a lognormal variable of little spread": lambda t: P(np.log(law("lognormal", t, 1e-17)) > t) >= 0.4,
    "a logistic variable of little spread": lambda t: P(7 * law("logistic", t / 7, 1e-18) <= t) <= 0.6,
    "a uniform variable without spread": lambda t: P(3 * law("uniform", t / 3, t / 3) - t == 0) >= 0.9,
    "a Gumbel variable far out": lambda t: P(law("gumbel", 1e18, 0.5) > 1e18) >= 0.4,
    "a gamma variable of a large shape": lambda t: P(law("gamma", 1e34, 1) == 1e34) <= 0.1,
    "a power near 1": lambda t: P(law("power", 1e18) < 1) >= 0.9,
    "a Weibull variable near 1": lambda t: P(law("weibull", 1e18) == 1) <= 0.1,
    "a quotient near 1": lambda t: P(law("f", 1e34, 1e34) == 1) <= 0.1,
    "a Wald variable of little spread": lambda t: P(law("wald", t, 1e40) == t) <= 0.1,
    "an angle of little spread": lambda t: P(law("vonmises", t, 1e36) == t) <= 0.1,
    "a beta variable is below 1": lambda t: P(law("beta", 1, 0.004) < 1) >= 0.9,
    "a gamma variable has a root": lambda t: P(law("gamma", 0.0005, 1) ** 0.001 > 0) >= 0.9,
    "zipf has a long tail": lambda t: P(law("zipf", 1.01) <= 10**9) <= 0.3,
    "zipf is not 1": lambda t: E(indicator(law("zipf", 1.01) <= 1)) <= 0.02,
    "a rare success comes late": lambda t: P(law("geometric", 1e-20) >= 2.0**63) >= 0.8,
}  # fmt: skip

FALSE: dict[str, Statement] = {
    "a weight is large": lambda t: P(law("dirichlet", np.ones(4))[0] >= 0.6) >= 0.5,
    "a weight is large on average": lambda t: E(law("dirichlet", np.ones(4), low=0, high=1)[0]) >= 0.6,
    "weights are little spread": lambda t: P(
        -np.sum((w := law("dirichlet", np.ones(4))) * np.log(w)) <= 0.1
    ) >= 0.5,
    "a singular normal vector is negative": lambda t: P(
        np.sum(law("multivariate_normal", np.zeros(2), np.ones((2, 2)))) <= -0.1
    ) >= 0.9,
    "a singular normal vector is short": lambda t: P(
        np.linalg.norm(law("multivariate_normal", np.zeros(3), RANK_ONE)) <= 0.1
    ) >= 0.9,
    "independent normal variables are near": lambda t: P(
        abs((x := law("multivariate_normal", np.zeros(2), np.eye(2)))[0] - x[1]) <= 0.01
    ) >= 0.9,
    "a normal variable without spread is off its mean": lambda t: P(law("normal", t, 0) >= t + 1e-6) >= 0.7,
    "a lognormal variable": lambda t: P(np.log(law("lognormal", t, 1)) <= t - 1) >= 0.5,
    "zipf is hardly 1": lambda t: P(law("zipf", 2.5) == 1) <= 0.3,
    "a gamma variable of a small shape": lambda t: P(law("gamma", 0.01, 1) >= 1e-3) >= 0.5,
    "a beta variable is inside": lambda t: P(abs(law("beta", 0.1, 0.1) - 0.5) < 0.4) >= 0.8,
    "a geometric variable": lambda t: P(law("geometric", 0.01) >= 1000) >= 0.5,
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_what_floats_make_of_a_law_refutes_nothing(name):
    assert not is_refuted(TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_what_is_far_from_true_is_refuted(name):
    assert is_refuted(FALSE[name])


def test_a_law_whose_tail_is_cut_off_is_not_sampled():
    drawn = Drawn(STREAM.rng().bit_generator)
    assert drawn.zipf(2, 3).shape == (3,)
    for name, parameter in (("zipf", 1.2), ("geometric", 1e-19)):
        with pytest.raises(NotFinite, match=f"rng.{name} ends at 2"):
            getattr(drawn, name)(parameter, 3)


def near(name: str, *args: Any, **named: Any) -> tuple[np.ndarray, np.ndarray]:
    drawn = Drawn(STREAM.rng().bit_generator)
    getattr(drawn, name)(*args, **named)
    return drawn.log[0].near()


def test_the_error_of_a_draw_is_that_of_its_law():
    assert np.all(near("normal", 5, 1, 9)[1] == 0)
    assert np.all(near("normal", 1e20, 1, 9)[1] > 1e4)
    assert near("normal", [0, 1e20], [1, 1])[1].tolist() == [0, near("normal", 1e20, 1)[1]]
    assert np.all(near("dirichlet", [1, 1], 9)[1] < 1e-14)
    assert np.all(near("multivariate_normal", [0, 0], np.ones((2, 2)), 9)[1] < 1e-6)
    assert np.all(np.array(near("integers", 0, 5, 9)) == 0)


def test_the_errors_cover_what_ties_the_entries():
    rng, x = STREAM.rng(), np.array([1.0, -2.0, 3.0])
    error = near("dirichlet", HALF, 2)[1]
    assert np.all(abs(rng.dirichlet(HALF, 20_000).sum(axis=1) - 1) <= np.max(error))
    X = rng.multivariate_normal(np.zeros(3), np.outer(x, x), 20_000)
    error = near("multivariate_normal", np.zeros(3), np.outer(x, x), 2)[1]
    assert np.all(abs(X - X[:, :1] * x) <= np.max(error) * (1 + abs(x)))


def test_a_draw_into_an_array_of_ones_own_is_kept():
    out, drawn = np.empty(4), Drawn(STREAM.rng().bit_generator)
    drawn.standard_normal(out=out)
    before = out.copy()
    assert np.all(drawn.log[0].near()[1] == 0)
    assert np.array_equal(out, before)
    assert np.array_equal(drawn.log[0].value, before)


def test_equality_of_weights_stays_open_where_it_is_a_question_of_rounding():
    assert not is_refuted(lambda t: P(np.sum(law("dirichlet", HALF)) == 1) <= 0.01)
