"""A small data set of 60 rows, and the demands of the papers."""

from pathlib import Path

import numpy as np
import pytest

from boundcheck.features.audit import collected
from boundcheck.features.data import Sample

THEORY = Path(__file__).resolve().parents[2] / "theory"


@pytest.fixture(scope="session")
def data():
    rng = np.random.default_rng(7)
    X = rng.uniform(-2, 3, size=(60, 3))
    return Sample("made", X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=60), ("a", "b", "c"), "y")


@pytest.fixture(scope="session")
def demands():
    return collected(THEORY)
