"""A program read for a population says of each member what a look at it says, and how to raise it."""

from typing import Any

import numpy as np
import pytest

from boundcheck import PSD, E, Matrix, P, Simplex, Unit, Vector, at_most, between, equal, integers, loewner, quantity, theorem
from boundcheck.checking.certificate import trace
from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.observe import Skipped, observe
from boundcheck.checking.search.population import Population, Shape
from boundcheck.checking.search.program import Program
from boundcheck.checking.search.shapes import grid, structured
from boundcheck.checking.verdict import Outcome
from boundcheck.domains.instances import draw_instances, inside


def claims():
    """One of each kind of statement; inside of a function, where pytest does not collect them."""

    @theorem("s")
    def sides(x: Vector("n"), A: Matrix("n", "n"), t: between(0.1, 3)):
        return at_most(abs(x @ A @ x) * t, np.linalg.norm(x) ** 2 * np.linalg.norm(A) * np.exp(t))

    @theorem("s")
    def order(A: PSD("n"), B: PSD("n")):
        return loewner(A, A + B + np.linalg.inv(np.eye(len(A)) + A))

    @theorem("s")
    def identity(x: Vector("n")):
        return equal(np.sum(x) ** 2, np.sum(x * x))

    @theorem("s")
    def chance(p: Unit, a: between(0.01, 0.9), n: integers(1, 6)):
        return P(quantity(lambda rng, size: rng.binomial(n, p, size)) <= n * p + n * a) >= 1 - a

    @theorem("s")
    def average(w: Simplex("k"), v: Vector("k")):
        X: Any = quantity(lambda rng, size: rng.choice(v, (size, 2), p=w))
        return E(np.max(X, axis=-1)) <= np.max(v) * np.sum(w * w)

    return [sides, order, identity, chance, average]


CLAIMS = claims()


def populations(claim, seed=0, count=40):
    """Populations about some drawn instances, with structured rows."""
    rng = np.random.default_rng(seed)
    for raw in draw_instances(claim.parameters, 12, seed):
        if not isinstance(observe(claim, raw), Skipped):
            shape = Shape.of(claim.parameters, raw)
            rows = np.concatenate([shape.row(raw)[None], structured(shape, shape.row(raw)[None], count, rng)])
            yield Population(shape, Program(*trace(claim, raw)), 0), rows


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_a_member_scores_what_a_look_at_it_says(claim):
    compared = 0
    for population, rows in populations(claim):
        for row, score in zip(rows, population.scores(rows), strict=True):
            raw = population.shape.raw(row)
            seen = observe(claim, raw)
            if not np.isfinite(score) or isinstance(seen, Skipped) or not inside(claim.parameters, raw):
                continue
            o = seen[0]
            if o.relation == "at_most" and not (o.lhs > 0 < o.rhs):
                assert (score > 1e-9) == (o.score > 1e-9) or abs(score) < 1e-6
            elif np.isfinite(o.guide) and o.guide > -700:
                assert score == pytest.approx(o.guide, rel=1e-6, abs=1e-9)
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_gradients_are_difference_quotients(claim):
    rng = np.random.default_rng(1)
    errors = []
    for population, rows in populations(claim, 2):
        t = np.clip(population.shape.coordinates(rows), -5, 5)
        direction, h = rng.standard_normal(t.shape), 1e-6
        f, g = population.looks(rows, t)
        above, below = (population.looks(rows, t + s * h * direction)[0] for s in (1, -1))
        quotient = (above - below) / (2 * h)
        fine = np.isfinite(f + quotient) & (np.abs(quotient) < 1e3)
        errors += list((np.abs(quotient - np.sum(g * direction, axis=1)) / (1e-2 + np.abs(quotient)))[fine])
    assert len(errors) > 50
    assert np.quantile(errors, 0.75) < 1e-3  # kinks and jumps are met by some


def test_a_grid_reaches_both_ends_of_a_range():
    @theorem("s")
    def scalar(x: Unit):
        return at_most(x, 1)

    shape = Shape.of(scalar.parameters, {"x": 0.5})
    points = np.sort(grid(shape, np.array([0.5]), 1000)[:, 0])
    assert points[0] < 1e-9
    assert points[-1] > 1 - 1e-9
    assert np.max(np.diff(points)) < 0.01


def test_a_narrow_violation_of_one_number_is_found():
    """1.4 per mille of the range violate it."""

    @theorem("s")
    def narrow(x: between(0, 10)):
        return at_most(1.2 * np.exp(-((x - 7.31) ** 2) * 1e5), 1)

    assert judge(narrow, PLANS["quick"], 1e-6).outcome is Outcome.REFUTED


def test_a_false_bound_on_many_numbers_is_found_by_its_gradient():
    """|x|_1 <= 0.999 sqrt(n) |x|_2 fails only where all entries are nearly equal in size."""

    @theorem("s")
    def norms(x: Vector("n"), n: integers(5, 8)):
        w = np.arange(1, n + 1)
        return at_most(np.sum(w * x), 0.9999 * np.sqrt(np.sum(w * w)) * np.linalg.norm(x))

    assert judge(norms, PLANS["quick"], 1e-6).outcome is Outcome.REFUTED
