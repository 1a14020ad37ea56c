"""The threshold test never contradicts exact arithmetic, and decides wherever there is room."""

import numpy as np
import pytest

from boundcheck.features.compiled import ridge
from tests import naive


def symmetric(n, seed):
    rng = np.random.default_rng([seed, n])
    B, D = rng.normal(size=(n, n + 2)), rng.normal(size=(n, n))
    return B @ B.T + 0.1 * np.eye(n), D + D.T


def whitened_norm(A, D):
    L = np.linalg.cholesky(A)
    return float(np.linalg.norm(np.linalg.solve(L, np.linalg.solve(L, D).T), 2))


@pytest.mark.parametrize("n", [1, 2, 5, 9])
@pytest.mark.parametrize("sign", [1, -1])
def test_threshold_decides_and_agrees_with_exact_arithmetic(n, sign):
    for seed in range(4):
        A, D = symmetric(n, seed)
        norm = whitened_norm(A, D)
        for gap in (1e-10, 1e-3, 0.5):
            for eps, expected in ((norm * (1 - gap), 1), (norm * (1 + gap), -1)):
                assert ridge.deviation_exceeds(A, sign * D, eps) == expected
                assert naive.deviation_exceeds(A, sign * D, eps) == expected


def test_threshold_never_contradicts_exact_arithmetic_at_the_edge():
    decided = undecided = 0
    for seed in range(12):
        A, D = symmetric(6, seed)
        norm = whitened_norm(A, D)
        for ulps in (-20_000, -2000, -100, -10, -1, 0, 1, 10, 100, 2000, 20_000):
            eps = norm * (1 + ulps * 2.0**-52)
            answer = ridge.deviation_exceeds(A, D, eps)
            assert answer in (0, naive.deviation_exceeds(A, D, eps))
            decided, undecided = decided + (answer != 0), undecided + (answer == 0)
    assert decided > 20
    assert undecided > 20


def test_definiteness_never_contradicts_exact_arithmetic():
    answers = []
    for seed in range(12):
        A, D = symmetric(5, seed)
        for gap in (-0.5, -1e-9, -1e-15, 0, 1e-15, 1e-9, 0.5):
            eps = whitened_norm(A, D) * (1 + gap)
            answers.append(ridge.definiteness(A, D, eps, 0.0))
            assert answers[-1] in (0, naive.definiteness(A, D, eps, 0.0))
    assert {-1, 0, 1} == set(answers)


def test_threshold_at_exact_equality_is_undecided_or_right():
    """|D| = eps exactly: the claim "at most eps" is true, so +1 would be a false refutation."""
    for n in (1, 2, 7, 60):
        for eps in (0.1, 1 / 3, 1.0, 7e5):
            assert ridge.deviation_exceeds(np.eye(n), eps * np.eye(n), eps) <= 0
            assert ridge.deviation_exceeds(np.eye(n), -eps * np.eye(n), eps) <= 0


def test_rounding_makes_no_witness():
    """x^T M x = 0 exactly for singular M and x in its kernel, but often comes out negative."""
    rng, negative = np.random.default_rng(0), 0
    for _ in range(50):
        x, y = rng.integers(-1000, 1000, size=(2, 8)) / 1024
        v = y * (x @ x) - x * (x @ y)  # exactly orthogonal to x
        M = np.outer(v, v)
        negative += x @ (M @ x) < 0
        assert not ridge._is_negative_witness(M, np.abs(M), 0.0, x)
    assert negative > 5


def test_zero_threshold():
    assert ridge.deviation_exceeds(np.eye(3), np.diag([0.0, 0.0, 1e-3]), 0.0) == 1
    assert ridge.deviation_exceeds(np.eye(3), np.zeros((3, 3)), 1e-9) == -1


def test_ill_conditioned_and_scaled_problems():
    for scale in (1e-150, 1.0, 1e150):
        A, D = symmetric(8, 0)
        A = A + 1e9 * np.ones((8, 8))
        norm = whitened_norm(A, D)
        assert ridge.deviation_exceeds(scale * A, scale * D, 0.9 * norm) == 1
        assert ridge.deviation_exceeds(scale * A, scale * D, 1.1 * norm) == -1


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_undecided(bad):
    D = np.eye(3)
    D[2, 1] = D[1, 2] = bad
    assert ridge.deviation_exceeds(np.eye(3), D, 0.5) == 0


def test_slack_is_paid_for():
    assert ridge.deviation_exceeds(np.eye(3), np.zeros((3, 3)), 0.5, slack=0.4) == -1
    assert ridge.deviation_exceeds(np.eye(3), np.zeros((3, 3)), 0.5, slack=0.6) == 0
    assert ridge.deviation_exceeds(np.eye(3), np.eye(3), 0.5, slack=0.6) == 0
