"""Counter-based randomness: the published vectors, nested prefixes, and the right laws."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from boundcheck.features import compiled
from boundcheck.features.compiled import kernels
from tests import naive

# kat_vectors of Random123, philox4x32 with 10 rounds: counter, key, output.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]
LAWS = ["normal_frequencies", "cauchy_frequencies"]


def words(text) -> Any:
    return tuple(np.uint64(int(word, 16)) for word in text.split())


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN)
def test_known_answers(counter, key, output):
    assert kernels._philox(words(counter), words(key)) == words(output)
    assert naive._philox(words(counter), words(key)) == words(output)


def test_uniform_pairs_equal_naive_exactly():
    for j in range(100):
        counter, key = words(f"{j:x} 1 2 3"), words("deadbeef 12345678")
        assert kernels._uniform_pair(counter, key) == naive._uniform_pair(counter, key)


def test_logarithm_equals_naive():
    x = np.concatenate(
        [np.random.default_rng(0).random(2000), 2.0 ** -np.arange(0.0, 53), 1 - 2.0 ** -np.arange(2.0, 54)]
    )
    np.testing.assert_allclose(
        [compiled.logarithm(t) for t in x], [naive.logarithm(t) for t in x], rtol=1e-15
    )


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("s", "d"), [(1, 1), (5, 1), (4, 7), (3, 2)])
def test_frequencies_equal_naive(law, s, d):
    for seed, trial in [(0, 0), ((1 << 64) - 1, (1 << 32) - 1), (7, 3)]:
        fast, slow = (getattr(module, law)(seed, trial, s, d) for module in (kernels, naive))
        assert fast.shape == (s, d)
        np.testing.assert_allclose(fast, slow, rtol=1e-13, atol=1e-15)


def test_phases_equal_naive_exactly():
    np.testing.assert_array_equal(kernels.phases(5, 2, 17), naive.phases(5, 2, 17))


@pytest.mark.parametrize("law", LAWS)
def test_prefixes_are_nested_in_features_and_coordinates(law):
    draw = getattr(kernels, law)
    whole = draw(3, 1, 40, 5)
    np.testing.assert_array_equal(draw(3, 1, 7, 5), whole[:7])
    np.testing.assert_array_equal(draw(3, 1, 40, 2), whole[:, :2])
    np.testing.assert_array_equal(kernels.phases(3, 1, 7), kernels.phases(3, 1, 40)[:7])


def test_streams_differ():
    draws = [kernels.normal_frequencies(*key, 1, 3) for key in [(0, 0), (1, 0), (0, 1), (1 << 32, 0)]]
    draws.append(kernels.cauchy_frequencies(0, 0, 1, 3))
    assert len(np.unique(draws)) == 15


@pytest.mark.parametrize(("law", "cdf"), [(LAWS[0], stats.norm.cdf), (LAWS[1], stats.cauchy.cdf)])
def test_law(law, cdf):
    """Kolmogorov-Smirnov at level 1e-6 on a fixed seed."""
    W = 2 * np.pi * getattr(kernels, law)(11, 0, 20_000, 3)
    for sample in (*W.T, *W[:3000].reshape(3, -1)):
        assert stats.kstest(sample, cdf).pvalue > 1e-6
    ranks = stats.rankdata(W, axis=0)
    assert abs(np.corrcoef(ranks.T) - np.eye(3)).max() < 5 / np.sqrt(len(W))


def test_phases_are_uniform():
    assert stats.kstest(kernels.phases(11, 0, 20_000), "uniform").pvalue > 1e-6


@pytest.mark.parametrize(
    ("seed", "trial", "named"), [(-1, 0, "seed"), (1 << 64, 0, "seed"), (0, 1 << 32, "trial")]
)
def test_out_of_range_keys_are_refused(seed, trial, named):
    with pytest.raises(ValueError, match=f"{named} must lie in"):
        kernels.phases(seed, trial, 1)
