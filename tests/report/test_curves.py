"""Curves of a claim: both sides along one parameter, against the same numbers computed by hand."""

import itertools
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from boundcheck import PSD, Count, P, Positive, Unit, assume, at_least, at_most, equal, log, quantity, sqrt, trace
from boundcheck.report import curves as module
from boundcheck.report.curves import curves
from boundcheck.report.reading import misfit, schema
from boundcheck.words.claims import make_claim


def hoeffding(bias: Unit, n: Count, delta: Unit):
    mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
    return P(mean - bias <= sqrt(log(1 / delta) / (4 * n))) >= 1 - delta


def means(x: Positive, y: Positive):
    assume(y <= 10)
    return at_most(sqrt(x * y), 0.9 * (x + y) / 2)


def threshold(n: Count, lam: Positive):
    s = at_least(2 * n / lam)
    return at_most(n / s, lam)


def identity(K: PSD("n")):
    return equal(trace(K), trace(K.T))


def unknown(x: Unit):
    return P(quantity(lambda rng, size: rng.standard_normal(size)) <= x) >= 0.1


def broken(x: Unit):
    raise ValueError(x)


def of(body: Any, instance: Any = None) -> dict[str, Any]:
    """The curves of a body, by kind."""
    found = list(curves(make_claim(body, f"t.{body.__name__}", "here", "lemma"), instance))
    content = {"type": "array", "items": schema()["$defs"]["curve"], "$defs": schema()["$defs"]}
    assert misfit(found, content) is None
    assert json.loads(json.dumps(found)) == found
    assert len({c["kind"] for c in found}) == len(found)
    return {c["kind"]: c for c in found}


def test_the_failure_probability_against_delta():
    curve = of(hoeffding, {"bias": 0.3, "n": 40, "delta": 0.05})["failure"]
    failure, allowed = curve["series"]
    assert allowed["x"] == allowed["y"] == failure["x"] == sorted(failure["x"])
    assert curve["marker"] == 0.05
    for delta, shown in zip(failure["x"], failure["y"], strict=True):
        reach = 40 * (0.3 + np.sqrt(np.log(1 / delta) / 160))
        assert shown == pytest.approx(binom.sf(np.floor(reach), 40, 0.3), rel=1e-3)
    assert any(shown > delta for delta, shown in zip(failure["x"], failure["y"], strict=True))


def test_the_slack_along_the_parameter_that_moves_it_most():
    curve = of(means, {"x": 2.0, "y": 3.0})["slack"]
    name = curve["xlabel"]
    assert name in ("x", "y")
    observed = curve["series"][0]
    for value, shown in zip(observed["x"], observed["y"], strict=True):
        x, y = (value, 3.0) if name == "x" else (2.0, value)
        assert shown == pytest.approx(np.sqrt(x * y) / (0.45 * (x + y)), rel=2e-3) if y <= 10 else shown is None
    assert curve["series"][1]["y"] == [1.0] * len(observed["x"])


def test_where_the_statement_says_something():
    rows = {s["label"]: s for s in of(means, {"x": 2.0, "y": 3.0})["vacuity"]["series"]}
    for name, row in rows.items():
        for value, state in zip(row["x"], row["y"], strict=True):
            x, y = (value, 3.0) if name == "x" else (2.0, value)
            assert state == (0 if y > 10 else 3 if np.sqrt(x * y) > 0.45 * (x + y) else 2)
    assert {state for row in rows.values() for state in row["y"]} == {0.0, 2.0, 3.0}


def test_the_slack_of_a_threshold():
    curve = of(threshold, {"n": 5, "lam": 0.5})["slack"]
    for factor, ratio in zip(curve["series"][0]["x"], curve["series"][0]["y"], strict=True):
        assert ratio == pytest.approx(1 / (2 * factor), rel=2e-3)
    assert curve["marker"] == 1.0


def test_without_an_instance_a_tight_one_is_drawn_and_always_the_same():
    found = of(means)
    assert found == of(means)
    assert found["slack"]["at"].startswith("x = ")


@pytest.mark.parametrize("body", [identity, unknown, broken])
def test_claims_without_anything_to_vary_or_to_evaluate_have_no_curves(body):
    assert of(body) == {}


def test_an_instance_that_does_not_fit_costs_nothing_but_the_curves():
    assert of(means, {"x": "a"}) == {}


def attained(x: Positive, y: Unit):  # type: ignore[valid-type]
    return at_most(x, x)


@pytest.mark.parametrize("ulp", [1, -1])
def test_last_digits_choose_no_instance(monkeypatch, ulp):
    part: Any = module._part
    claim = make_claim(attained, "test.attained", "here", "theorem")
    expected = module._tight(claim)
    signs = itertools.cycle([ulp, -ulp, ulp])
    monkeypatch.setattr(module, "_part", lambda *given: replace(part(*given), score=1e-16 * next(signs)))
    assert module._tight(claim) == expected
