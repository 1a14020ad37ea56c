"""Cosine and sine in turns: accurate everywhere, exact where the value is exact."""

import numpy as np
import pytest

from boundcheck.features import compiled
from tests import naive

TURNS = np.concatenate(
    [
        np.linspace(-3.0, 3.0, 4001),
        np.random.default_rng(0).normal(size=1000) * 1e9,
        [1e300, -1e300, 2.0**52 + 1, 5e-324, 1e-20, 0.25 + 2**-54, 0.5 - 2**-54, 0.75],
    ]
)


@pytest.mark.parametrize("name", ["cosine", "sine"])
def test_fast_equals_naive(name):
    fast = [getattr(compiled, name)(u) for u in TURNS]
    slow = [getattr(naive, name)(u) for u in TURNS]
    np.testing.assert_allclose(fast, slow, rtol=0, atol=4e-16)


@pytest.mark.parametrize(
    ("u", "cosine", "sine"), [(0.0, 1, 0), (0.25, 0, 1), (0.5, -1, 0), (-0.25, 0, -1), (1e300, 1, 0)]
)
def test_quarter_turns(u, cosine, sine):
    assert compiled.cosine(u) == pytest.approx(cosine, abs=3e-16)
    assert compiled.sine(u) == pytest.approx(sine, abs=3e-16)


def test_zeros_keep_relative_accuracy():
    assert compiled.sine(1e-20) == pytest.approx(2e-20 * np.pi, rel=1e-15)
    assert compiled.cosine(0.25 + 2.0**-50) == pytest.approx(-(2.0**-49) * np.pi, rel=1e-15)
