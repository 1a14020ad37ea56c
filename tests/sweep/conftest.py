"""A small data set: 100 rows in three columns, and its split into 60 and 40."""

import numpy as np
import pytest

from boundcheck.features.data import Sample
from boundcheck.features.kernels import Gaussian, Laplace
from boundcheck.features.ridge import Problem
from theory.wang2019.sweep.plan import SweepPlan


@pytest.fixture(scope="session")
def data():
    rng = np.random.Generator(np.random.Philox(7))
    X = rng.uniform(-2, 3, size=(100, 3))
    return Sample("made", X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=100), ("a", "b", "c"), "y")


@pytest.fixture(scope="session")
def plan():
    return SweepPlan(sizes=(4, 32, 60, 90), repeats=12, train=60, seed=3)


@pytest.fixture(params=[Gaussian, Laplace])
def problem(request, data):
    train, test = data.scaled().split(60, 3)
    return Problem(train.X, train.y, test.X, request.param(1.7))
