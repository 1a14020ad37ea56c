"""The number of features needed: each verdict against the whole matrices, and the intervals."""

import itertools

import numpy as np
import pytest

from boundcheck.features.audit import AuditPlan
from boundcheck.features.audit import needed as module
from boundcheck.features.audit.needed import Draws, Features, Whitening, exceedances, features_needed, pivoted_cholesky
from boundcheck.features.compiled.kernels import fourier_features, normal_frequencies, phases
from boundcheck.features.kernels import Gaussian

LAM, EPS, SIZES = 0.1, 0.5, (20, 40, 60, 100)
KERNEL = Gaussian(2.0)


def draws(data, share, sampling="plain"):
    spectrum = pivoted_cholesky(KERNEL, data.X, share * EPS * 60 * LAM, 60)
    assert spectrum is not None
    return Draws(Whitening(spectrum, LAM, share * EPS), sampling, 1)


def deviation(data, s, trial):
    """|(K + n lam I)^(-1/2) (K_s - K) (K + n lam I)^(-1/2)| of the first s plain features."""
    d = data.X.shape[1]
    return norm(data, fourier_features(data.X, normal_frequencies(1, trial, s, d) / KERNEL.sigma, phases(1, trial, s)))


def norm(data, Z):
    """The same for features Z (n, s)."""
    K, s = KERNEL.matrix(data.X, data.X), Z.shape[1]
    values, vectors = np.linalg.eigh(K + 60 * LAM * np.eye(60))
    W = vectors / np.sqrt(values)
    return np.abs(np.linalg.eigvalsh(W.T @ (Z @ Z.T / s - K) @ W)).max()


@pytest.mark.parametrize("share", [0.005, 0.2])
def test_no_verdict_contradicts_the_whole_matrices(data, share):
    low = draws(data, share)
    seen = []
    for trial in range(20):
        for s, verdict in zip(SIZES, exceedances(low, EPS, SIZES, trial), strict=True):
            found = deviation(data, s, trial)
            assert verdict * (found - EPS) >= 0, (s, trial, found)
            seen.append(verdict)
    assert {-1, 1} <= set(seen)
    assert seen.count(0) < len(seen) * (0.05 if share < 0.1 else 0.6)


@pytest.mark.parametrize("share", [0.005, 0.1])
def test_no_verdict_on_leverage_features_contradicts_them(data, share):
    """With s below the number of points and above, where matrices of another size decide; scores up to the cut are those of K."""
    low, seen = draws(data, share, "leverage"), []
    for trial in range(12):
        Z = np.hstack(list(itertools.islice(low.blocks(trial), 40)))
        for s, verdict in zip(SIZES, exceedances(low, EPS, SIZES, trial), strict=True):
            assert verdict * (norm(data, Z[:, :s]) - EPS) >= 0
            seen.append(verdict)
    assert {-1, 1} <= set(seen)


def test_many_features_are_judged_as_few_are(data):
    """The same features, one by one and all at once, below and above the number of points."""
    low = draws(data, 0.005)
    Z = np.hstack(list(itertools.islice(low.blocks(0), 1)))
    for s in (1, 2, 59, 60, 61, 100):
        once, slowly = Features(low), Features(low)
        once.add(Z[:, :s])
        for j in range(s):
            slowly.add(Z[:, j : j + 1])
        assert once.s == slowly.s == s
        assert [once.verdict(eps) for eps in (0.05, 0.3, 0.5, 0.9)] == [slowly.verdict(eps) for eps in (0.05, 0.3, 0.5, 0.9)]


def test_a_leverage_verdict_does_not_depend_on_the_rank_where_it_is_given(data):
    """Features are not the same at two ranks, but the failure rates are those of one law, up to what stays open."""
    rates = []
    for share in (0.002, 0.02):
        low = draws(data, share, "leverage")
        found = np.array([exceedances(low, EPS, SIZES, trial) for trial in range(60)])
        rates.append((np.mean(found > 0, axis=0), np.mean(found >= 0, axis=0)))
    assert (rates[0][0] <= rates[1][1] + 0.2).all()
    assert (rates[1][0] <= rates[0][1] + 0.2).all()


@pytest.mark.parametrize("sampling", ["plain", "leverage"])
def test_the_interval_is_found_and_is_the_same_with_two_workers(data, sampling):
    plan = AuditPlan(lam=LAM, seed=1, trials=165)
    one, two = (features_needed(draws(data, 0.005, sampling), plan, workers, lambda: None, last=True) for workers in (1, 2))
    assert one == two
    assert one is not None
    assert one.too_few is not None
    assert one.enough is not None
    assert one.too_few < one.enough
    for fewest, most, (low, high) in zip(one.fewest, one.most, one.intervals, strict=True):
        assert low <= fewest / one.trials <= most / one.trials <= high


def test_failures_are_counted_on_trials_of_their_own(data):
    """The failure probability at a size, from 200 other trials, lies in its interval."""
    found = features_needed(draws(data, 0.005), AuditPlan(lam=LAM, seed=1, trials=100), 1, lambda: None, last=True)
    assert found is not None
    s = found.sizes[3]
    rate = np.mean([deviation(data, s, trial) > EPS for trial in range(5000, 5200)])
    low, high = found.intervals[3]
    assert low - 0.03 <= rate <= high + 0.03


def test_what_is_too_much_work_is_left_to_fewer_points(data, monkeypatch):
    plan = AuditPlan(lam=LAM)
    for last, operations in ((False, 5e8), (True, 1e6)):
        monkeypatch.setattr(module, "OPERATIONS", operations)
        assert features_needed(draws(data, 0.005), plan, 1, lambda: None, last) is None
    monkeypatch.setattr(module, "OPERATIONS", 5e8)
    found = features_needed(draws(data, 0.005), plan, 1, lambda: None, last=True)
    assert found is not None
    assert found.sizes[-1] < 100


def test_the_level_is_paid_for_every_interval():
    plan = AuditPlan(level=0.01, delta=0.05)
    assert plan.interval_level == pytest.approx(0.01 / (2 * module.WINDOW * 2))
    assert (1 - plan.delta) ** plan.trials_needed <= plan.interval_level < (1 - plan.delta) ** (plan.trials_needed - 1)
