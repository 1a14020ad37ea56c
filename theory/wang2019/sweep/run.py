"""The sweep itself: kernel ridge regression once, then the repeats, each keyed by its number."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck.features.data import DataError, Sample
from boundcheck.features.kernels import Matrix, Vector, kernel_named
from boundcheck.features.ridge import Problem, feature_predictions, kernel_ridge
from boundcheck.running import ALONE, Workers

from .plan import FEWEST, SweepPlan
from .result import Sweep


def sweep(
    data: Sample, plan: SweepPlan, workers: Workers = ALONE, on_repeat: Callable[[], object] = lambda: None
) -> Sweep:
    """Wang (2019), Section 6, on `data`, which is scaled as there; `on_repeat` is called after each repeat.

    The result is the same to the last bit for any number of workers. Of an interrupted sweep it is that of a plan
    with fewer repeats: the first ones, as many as are done. Raises DataError if the data are too few
    or do not vary, NoWorkers, and KeyboardInterrupt if it comes before two repeats are done.
    """
    train, test = data.scaled().split(plan.train_rows(len(data.y)), plan.seed)
    if not train.y.any():
        raise DataError(f"The target {data.target!r} is constant; choose another column as the target.")
    kernel = kernel_named(plan.kernel)
    problem = Problem(train.X, train.y, test.X, kernel(plan.bandwidth or kernel.typical_bandwidth(train.X)))
    lams = np.array(plan.ridges) / math.sqrt(len(train.y))
    with threadpool_limits(1):
        f, energy = kernel_ridge(problem, np.concatenate([lams, 2.0 * lams]))
    KRR, KRR_2 = np.split(f, 2, axis=1)
    errors: dict[int, Matrix] = {}
    try:
        for repeat, mse in _repeats(problem, plan, KRR, workers):
            errors[repeat] = mse
            on_repeat()
    except KeyboardInterrupt:
        done = next(r for r in itertools.count() if r not in errors)
        if done < FEWEST:
            raise
        plan = replace(plan, repeats=done)
    mse = np.array([errors[r] for r in range(plan.repeats)])
    shape = (len(train.y), len(test.y), train.X.shape[1])
    floor = _mean_squares(KRR_2 - KRR)
    return Sweep(data.name, data.target, shape, plan, problem.kernel.sigma, lams, mse, floor, energy[: len(lams)])


def _repeats(problem: Problem, plan: SweepPlan, KRR: Matrix, workers: Workers) -> Iterator[tuple[int, Matrix]]:
    """Each repeat and its errors, in the order they finish."""
    problem.features(1, plan.seed, 0).of(problem.X[:1])  # compiled before the workers start
    return workers.results({r: (repeat_errors, (problem, plan, KRR, r)) for r in range(plan.repeats)})


def repeat_errors(problem: Problem, plan: SweepPlan, KRR: Matrix, repeat: int) -> Matrix:
    """MSEs (ridges, sizes, scalings) against KRR (m, ridges) of one repeat, on one thread.

    Features as printed, without sqrt(2), have half the Gram matrix: their ridge lam is the others' 2 lam.
    """
    lams = np.array(plan.ridges) / math.sqrt(len(problem.y))
    with threadpool_limits(1):
        features = problem.features(plan.sizes[-1], plan.seed, repeat)
        g = feature_predictions(problem, features, plan.sizes, np.concatenate([lams, 2.0 * lams]))
    unbiased, printed = np.split(g, 2, axis=2)
    return np.stack([_mean_squares(unbiased - KRR), _mean_squares(printed - KRR)], axis=2).swapaxes(0, 1)


def _mean_squares(errors: Matrix) -> Vector:
    """Over the test points, the last axis but one."""
    return np.mean(errors**2, axis=-2)
