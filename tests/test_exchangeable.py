"""Copies whose order does not matter are enumerated as multisets; copies whose order matters never are."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from boundcheck import P, Unit, at_most, exp, integers, quantity, sqrt, theorem
from boundcheck.checking.certificate import refutation
from boundcheck.laws import NotFinite
from boundcheck.laws.quantities import evaluate
from boundcheck.laws.worlds import enumerated, outcomes
from boundcheck.verifier import verify
from boundcheck.verifier.operations import order
from boundcheck.verifier.seal import digest
from boundcheck.verifier.symmetry import FREE, Operands, Order


def flips(n, p=0.3) -> Any:
    return quantity(lambda rng, size: (rng.random((size, n)) < p) * 1.0)


def probability(event):
    every = enumerated(event)
    return float(np.sum(every.weights[outcomes(event, every.world) > 0])), every.world.size


@pytest.mark.parametrize("statistic", [np.sum, lambda x: 60 * np.mean(x), lambda x: np.sum(x**2), lambda x: np.sum(np.sort(x))])
def test_a_sum_of_many_coins_is_binomial(statistic):
    mass, atoms = probability(statistic(flips(60)) >= 45)
    assert mass == pytest.approx(binom.sf(44, 60, 0.3), rel=1e-10)
    assert atoms == 61


def test_far_tails_are_seen():
    assert probability(np.sum(flips(100)) >= 99.5)[0] == pytest.approx(0.3**100, rel=1e-10)


def test_three_outcomes_and_a_quadratic_statistic():
    n = 30
    x: Any = quantity(lambda rng, size: rng.choice(np.array([-1.0, 0.0, 2.0]), size=(size, n), p=np.array([0.5, 0.25, 0.25])))
    every = enumerated(np.var(x))
    assert every.world.size == (n + 1) * (n + 2) // 2
    assert every.weights @ evaluate(np.var(x), every.world) == pytest.approx((n - 1) / n * 1.5, rel=1e-10)


@pytest.mark.parametrize(
    "asymmetric",
    [
        lambda x: x[:10].sum(),
        lambda x: np.max(np.cumsum(x, axis=-1)),
        lambda x: np.sum(x * np.arange(60)),
        lambda x: x @ np.arange(60.0),
        lambda x: np.max(np.diff(x)),
    ],
)
def test_statistics_that_see_the_order_are_not_enumerated(asymmetric):
    with pytest.raises(NotFinite):
        enumerated(asymmetric(flips(60)))


def test_a_weighted_sum_with_equal_weights_is_symmetric():
    assert probability(flips(60) @ np.full(60, 0.5) >= 22.5)[0] == pytest.approx(binom.sf(44, 60, 0.3), rel=1e-10)


def test_random_rows_keep_their_second_moment():
    rows, n = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), 20
    X = quantity(lambda rng, size: rng.choice(rows, (size, n), p=np.array([0.2, 0.3, 0.5])))
    every = enumerated(X.mT @ X / n)
    mean = np.tensordot(every.weights, evaluate(X.mT @ X / n, every.world), axes=1)
    assert np.allclose(mean, [[0.7, 0.5], [0.5, 0.8]], rtol=1e-10)


def test_a_certificate_of_multisets_is_confirmed():
    @theorem("too good by a tenth")
    def too_good(p: Unit, n: integers(30, 60), t: integers(1, 60)):
        """A mean of coin flips is seldom far above its expectation."""
        mean = quantity(lambda rng, size: (rng.random((size, n)) < p).mean(axis=1))
        return P(mean - p <= sqrt(t / (2.4 * n))) >= 1 - exp(-t)

    finding = verify(refutation(too_good, {"p": 0.3, "n": 60, "t": 46}))
    assert finding.confirmed, finding


def test_calling_ordered_copies_unordered_is_rejected():
    @theorem("order matters")
    def highest(n: integers(5, 60)):
        walk = np.cumsum(2 * quantity(lambda rng, size: rng.integers(0, 2, (size, n))) - 1, axis=-1)
        return P(np.max(walk) >= 6) <= 2.0**-7

    certificate = refutation(highest, {"n": 8})
    assert verify(certificate).confirmed
    forged = {**certificate, "laws": [{**law, "unordered": True} for law in certificate["laws"]]}
    forged["seal"] = digest({key: value for key, value in forged.items() if key != "seal"})
    finding = verify(forged)
    assert not finding.confirmed
    assert "order of copies" in finding.sentence


def test_every_rule_about_order_holds_for_numpy():
    """Permute the copies of a draw: what the rules call free must not change, what they give an axis must be permuted along it."""
    rng = np.random.default_rng(0)
    x, c, M = rng.random((2, 4, 3)), rng.random((1, 1, 3)), rng.random((3, 3))
    permuted = x[:, [2, 0, 3, 1]]
    cases = [
        ({"op": "mul"}, (x, c), (permuted, c), x * c, permuted * c),
        ({"op": "sum", "axes": [1]}, (x,), (permuted,), x.sum(1), permuted.sum(1)),
        ({"op": "sum", "axes": [-1]}, (x,), (permuted,), x.sum(-1), permuted.sum(-1)),
        ({"op": "max", "axes": [2], "keepdims": True}, (x,), (permuted,), x.max(2, keepdims=True), permuted.max(2, keepdims=True)),
        ({"op": "matmul"}, (x, M), (permuted, M), x @ M, permuted @ M),
        ({"op": "cumsum", "axis": -1}, (x,), (permuted,), x.cumsum(-1), permuted.cumsum(-1)),
        ({"op": "sort", "axis": -1}, (x,), (permuted,), np.sort(x), np.sort(permuted)),
    ]
    for node, before, _after, result, moved in cases:
        orders = [Order({0: -2})] + [FREE] * (len(before) - 1)
        found = order(orders, Operands(node, [a.shape for a in before], result.shape, lambda k, axis: False))
        assert not found.broken
        expected = np.take(result, [2, 0, 3, 1], axis=found.axes[0]) if found.axes else result
        assert np.allclose(moved, expected, rtol=1e-12)


SIDES = [((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 3)), ((3, 4), (4, 3)), ((2, 3, 4), (4,)), ((4,), (2, 4, 3)),
         ((2, 3, 4), (4, 3)), ((3, 4), (2, 4, 3)), ((2, 3, 4), (2, 4, 3)), ((2, 3, 4), (1, 4, 3)),
         ((5, 2, 3, 4), (2, 4, 3)), ((1, 3, 4), (2, 4, 3))]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SIDES)
@pytest.mark.parametrize("same", [False, True])
def test_every_axis_of_a_product_goes_where_the_rule_says(a, b, same):
    """Copies along any axis of one side, or of both; with `same` what does not move is the same along each of its axes."""
    rng = np.random.default_rng(0)
    ways = [(i, j) for i in (None, *range(-len(a), 0)) for j in (None, *range(-len(b), 0)) if (i, j) != (None, None)]
    told = 0
    for axes in ways:
        x, y = (np.ones(s) * 0.7 if same and axis is None else rng.random(s) for s, axis in zip((a, b), axes, strict=True))
        sizes = {s[axis] for s, axis in zip((a, b), axes, strict=True) if axis is not None}
        orders = [FREE if axis is None else Order({0: axis}) for axis in axes]

        def uniform(k, axis, sides=(x, y)):
            return bool(np.all(sides[k] == np.take(sides[k], [0], axis)))

        found = order(orders, Operands({"op": "matmul"}, [a, b], np.shape(x @ y), uniform))
        if found.broken or len(sizes) != 1 or sizes == {1}:
            continue
        told += 1
        moves = np.roll(np.arange(sizes.pop()), 1)
        moved = [z if axis is None else np.take(z, moves, axis) for z, axis in zip((x, y), axes, strict=True)]
        expected = np.take(x @ y, moves, found.axes[0]) if found.axes else x @ y
        np.testing.assert_allclose(moved[0] @ moved[1], expected, rtol=1e-12)
    assert told


def test_a_transposed_product_with_itself_is_free():
    axes = [Order({0: -1}), Order({0: -2})]
    given = Operands({"op": "matmul"}, [(2, 3, 4), (2, 4, 3)], (2, 3, 3), lambda k, axis: False)
    assert order(axes, given) == FREE
    assert order([axes[0], FREE], given).broken == {0}


def test_a_deterministic_claim_is_left_alone():
    @theorem("no draws")
    def nothing(n: integers(1, 3)):
        return at_most(n, 2)

    assert verify(refutation(nothing, {"n": 3})).confirmed
