"""A program read for a population says of each member what a look at it says, and how to raise it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boundcheck import (
    PSD,
    Box,
    E,
    Matrix,
    P,
    Positive,
    Simplex,
    SquareMatrix,
    Unit,
    Vector,
    at_most,
    between,
    equal,
    integers,
    loewner,
    quantity,
    theorem,
)  # fmt: skip
from boundcheck.checking import certificate
from boundcheck.checking.certificate import Runs, program_at
from boundcheck.checking.judge import PLANS, Search, judge
from boundcheck.checking.observe import Skipped, observe
from boundcheck.checking.search.population import Population, Shape
from boundcheck.checking.search.program import Program, Softened
from boundcheck.checking.search.scores import FLAT, FOLD
from boundcheck.checking.search.shapes import grid, structured
from boundcheck.checking.sides import Unread
from boundcheck.checking.verdict import Outcome
from boundcheck.domains.instances import draw_instances, inside
from boundcheck.words.hypotheses import AS_PRINTED


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
            yield Population(shape, Program(*program_at(claim, raw)), 0), rows


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
        with np.errstate(invalid="ignore"):  # infinity less infinity, which is not fine
            quotient = (above - below) / (2 * h)
        fine = np.isfinite(f + quotient) & (np.abs(quotient) < 1e3)
        errors += list((np.abs(quotient - np.sum(g * direction, axis=1)) / (1e-2 + np.abs(quotient)))[fine])
    assert len(errors) > 50
    assert np.quantile(errors, 0.75) < 1e-3  # kinks and jumps are met by some


def test_where_nothing_is_against_a_chance_the_nearest_atom_leads_there():
    @theorem("s")
    def far(p: Unit, a: Positive, b: between(1, 2)):
        X: Any = quantity(lambda rng, size: rng.binomial(3, p, size))
        return P((a * X >= 100 * b) | (a * X == -a)) <= 0.5

    ((population, rows), *_) = populations(far)
    t = population.shape.coordinates(rows)
    f, g = population.looks(rows, t)
    a, b = population.inputs(rows)["a"], population.inputs(rows)["b"]
    flat = np.isfinite(f) & (3 * a < 100 * b)
    assert np.sum(flat) > 10
    assert f[flat] == pytest.approx((FLAT + FOLD * np.log(np.minimum(3 * a / (100 * b), 1)))[flat].clip(FLAT - FOLD * FOLD))
    moved, h = population.looks(rows, t + 1e-6 * g / (1 + np.abs(g)))[0], 1e-6 * np.sum(g**2 / (1 + np.abs(g)), axis=1)
    assert (moved - f)[flat] == pytest.approx(h[flat], rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("which", [np.max, np.min])
def test_softened_extremes_are_near_and_have_their_derivatives(which):
    x = np.random.default_rng(0).standard_normal((5, 4, 6)) + 1
    fields = {"axes": [1, 2], "temperature": 0.01 if which is np.max else -0.01}
    soft, entry = Softened().over(fields, x, lead=1), Softened()
    hard = which(x, axis=(1, 2))
    assert np.all(np.abs(soft - hard) <= 0.01 * np.log(24) * np.abs(hard) + 1e-12)
    (g,) = entry.pulled(fields, np.ones(5), soft, x, lead=1)
    direction, h = np.random.default_rng(1).standard_normal(x.shape), 1e-7
    above, below = (entry.over(fields, x + s * h * direction, lead=1) for s in (1, -1))
    assert np.sum(g * direction, axis=(1, 2)) == pytest.approx((above - below) / (2 * h), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_the_best_of_the_least_of_many_is_found(seed):
    """Five points of a square are as far apart as 1 / sqrt(2): a kink on all sides."""

    @theorem("s")
    def apart(X: Box(5, 2, low=0, high=1)):
        D = np.sum((X[:, None, :] - X[None, :, :]) ** 2, axis=2) + 2 * np.eye(5)
        return at_most(np.min(D), 0.49)

    assert judge(apart, replace(PLANS["quick"], seed=seed), 1e-6).outcome is Outcome.REFUTED


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


def test_a_body_is_recorded_once_for_all_parts_and_each_is_the_program_that_it_is_alone(monkeypatch):
    runs, recorded = [], certificate.followed
    monkeypatch.setattr(certificate, "followed", lambda *args: runs.append(1) or recorded(*args))

    @theorem("s")
    def parts(x: Vector("n"), t: between(0.1, 3)):
        y = t * np.abs(x)
        return at_most(y, t * np.sum(np.abs(x))), at_most(np.sum(y), len(x) * np.max(y)), equal(y / t, np.abs(x))

    raw = draw_instances(parts.parameters, 3, 0)[2]
    shared = Runs(parts, AS_PRINTED)
    found = [shared.trace(raw, k) for k in (2, 0, 1)]
    assert len(runs) == 1
    for k, (tape, conclusion) in zip((2, 0, 1), found, strict=True):
        alone, same = program_at(parts, raw, k)
        assert conclusion["kind"] == same["kind"]
        for i, j in zip(conclusion["args"], same["args"], strict=True):
            assert np.array_equal(tape.values[i], alone.values[j])


def test_parts_with_laws_have_programs_of_their_own():
    @theorem("s")
    def chances(p: Unit, a: between(0.1, 0.9)):
        few, many = (quantity(lambda rng, size, n=n: rng.binomial(n, p, size)) for n in (2, 60))
        return P(few <= 2 * p + a) >= 1 - a, P(many <= 60 * p + a) >= 1 - a, E(few) <= 2 * p

    raw = {"p": 0.3, "a": 0.2}
    runs, shape = Runs(chances, AS_PRINTED), Shape.of(chances.parameters, raw)
    seen = observe(chances, raw)
    assert not isinstance(seen, Skipped)
    for k in (0, 1, 2, 0):
        score = Population(shape, Program(*runs.trace(raw, k)), k).scores(shape.row(raw)[None])
        assert score == pytest.approx([seen[k].guide], rel=1e-9, abs=1e-12)


def test_a_body_that_wraps_is_not_read_by_its_program():
    @theorem("s")
    def wrapped(x: between(0.5, 2), n: integers(1, 63)):
        return at_most(x * np.asarray(2) ** n, x * 2.0**62)

    search = Search(wrapped, AS_PRINTED)
    with pytest.raises(Unread, match="other floats than its program"):
        search.proposed({"x": 1.0, "n": 63})
    assert judge(wrapped, PLANS["quick"], 1e-6).outcome is Outcome.INCONCLUSIVE


def test_a_determinant_has_the_size_that_hadamard_allows():
    @theorem("determinants are not negative")
    def sign(A: SquareMatrix(3)):
        return at_most(0, np.linalg.det(A))

    A = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [1.0, 0.0, 1.0]])
    raw = {"A": A}
    program = Program(*program_at(sign, raw))
    rows = np.stack([A, A[::-1], -np.eye(3)])
    hadamard = np.prod(np.linalg.norm(rows, axis=2), axis=1)
    expected = -np.linalg.det(rows) / hadamard
    assert program.scores({"A": rows}, 3) == pytest.approx(expected)
    _, found = program.gradients({"A": rows}, 3)
    assert np.all(np.isfinite(found["A"]))
    assert np.any(found["A"][0])
