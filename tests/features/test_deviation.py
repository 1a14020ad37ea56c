"""Deviations of many draws at once against one matrix at a time, and ranges that no draw leaves."""

import numpy as np
import pytest

from boundcheck.features.deviation import block_deviation, resampled_deviation
from boundcheck.features.pools import WeightedFeatures
from boundcheck.laws.quantities import evaluate
from boundcheck.laws.worlds import enumerated


def norm_of(Z, p, q, lam, counts):
    """|W (Z diag(p N / (q s)) Z^T - K) W| and the largest eigenvalue of its negative, from the definitions."""
    K = (Z * p) @ Z.T
    mu, U = np.linalg.eigh(K + len(K) * lam * np.eye(len(K)))
    W = U / np.sqrt(mu) @ U.T
    values = np.linalg.eigvalsh(W @ ((Z * (p / q * counts / counts.sum())) @ Z.T - K) @ W)
    return max(abs(values)), -values[0]


@pytest.mark.parametrize("lam", [1e-6, 0.1, 10.0])
@pytest.mark.parametrize(("r", "m"), [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (3, 3)])
def test_blocks_equal_one_matrix_at_a_time(r, m, lam):
    rng = np.random.default_rng([r, m])
    case = WeightedFeatures(1, rng.normal(size=(r, m)), rng.dirichlet(np.ones(m)), lam, 1 + rng.random(m))
    counts = rng.multinomial(9, case.q, 70)
    expected = np.array([norm_of(case.block, case.weights, case.q, lam, N) for N in counts])
    for column, two_sided in enumerate((True, False)):
        found = block_deviation(case, counts, 9, two_sided)
        np.testing.assert_allclose(found, expected[:, column], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("n", "m", "s"), [(2, 3, 4), (7, 2, 5), (20, 3, 3), (4, 4, 2)])
def test_pools_of_any_size_equal_one_matrix_at_a_time_and_stay_in_their_range(n, m, s):
    rng = np.random.default_rng([n, m, s])
    Z, p, q = rng.normal(size=(n, m)), rng.dirichlet(np.ones(m)), rng.dirichlet(np.ones(m))
    deviation = resampled_deviation(Z, p, q, 0.02, s)
    every = enumerated(deviation)
    found = np.asarray(evaluate(deviation, every.world))
    ways = {round(norm_of(Z, p, q, 0.02, np.bincount(c, minlength=m))[0], 9) for c in np.ndindex(*[m] * s)}
    assert {round(x, 9) for x in found} == ways
    assert deviation.low <= found.min()
    assert found.max() <= deviation.high


def test_a_feature_that_is_never_drawn_is_refused():
    with pytest.raises(ValueError, match="wherever p > 0"):
        resampled_deviation(np.eye(2), np.array([0.5, 0.5]), np.array([1.0, 0.0]), 0.1, 3)
