"""The audit itself: points, bandwidth, spectrum, what each theorem demands, and what is needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck.features.audit import (
    MAX_POINTS,
    SAMPLINGS,
    Answer,
    AuditPlan,
    Demand,
    Scene,
    feature_count,
    judge_demand,
)
from boundcheck.features.audit.needed import (
    Draws,
    Needed,
    Spectrum,
    Whitening,
    features_needed,
    full_spectrum,
    pivoted_cholesky,
)
from boundcheck.features.data import DataError, Sample
from boundcheck.features.data.table import notices
from boundcheck.features.kernels import (
    Matrix,
    ShiftInvariant,
    Vector,
    kernel_named,
)

COLUMNS = 1600
"""Columns that a low-rank part may take."""

REST, CUT = 1 / 400, 1 / 200
"""Times eps n lam: the trace that a low-rank part may miss, the eigenvalues that trials leave out of A."""

SMALL, DENSE = 1000, 3000
"""Points whose kernel matrix is decomposed whole: always, and where no low-rank part is near it."""

FEWER = (2500, 1000, 500)
"""Points measured on where all of them take too long."""

MAX_CELLS = 1 << 27
"""Numbers in the inputs that are audited: 1 GiB, of which there are a few copies."""

Tell = Callable[[str], object]

RIDGES = np.logspace(-8, 0, 97)
"""Ridges at which the theorems are looked at."""


@dataclass(frozen=True)
class Audit:
    """`rows` of the data were reduced to `scene.n` points; the spectrum is that of `spectrum_points` of them.

    `eigenvalues` are of K / n, decreasing; what they leave out of the trace 1 is `rest`. `dimensions` has a
    lower and an upper bound of the effective dimension for each of the ridges `lams`, `dimension` at the
    ridge asked about.
    """

    data: str
    target: str
    notices: tuple[str, ...]
    rows: int
    columns: int
    plan: AuditPlan
    sigma: float
    spectrum_points: int
    scene: Scene
    dimension: tuple[float, float]
    eigenvalues: tuple[float, ...] = field(repr=False)
    rest: float
    lams: tuple[float, ...] = field(repr=False)
    dimensions: tuple[tuple[float, float], ...] = field(repr=False)
    theorems: tuple[Answer, ...] = field(repr=False)
    demands: tuple[tuple[float, ...], ...] = field(repr=False)
    needed: tuple[Needed, ...]
    stopped: bool = False
    """Whether it was interrupted before all that is needed was measured."""

    def measured(self, sampling: str) -> Needed | None:
        """The measurement for a way of sampling, if there is one."""
        return next(
            (needed for needed in self.needed if needed.sampling == sampling),
            None,
        )


def audit(
    data: Sample,
    plan: AuditPlan,
    demands: Sequence[Demand],
    workers: int = 1,
    tell: Tell = lambda now: None,
) -> Audit:
    """Audit `data`; `tell` is called with what comes next, plan.steps times at most.

    The result does not depend on the number of workers. An interruption leaves out what is not measured yet.
    Raises DataError if the data have fewer than two rows
    or do not vary, ValueError if there is no such kernel.
    """
    points = _points(data, plan)
    tell(f"spectrum of {len(points.y)} points")
    needed: list[Needed | None] = []
    with threadpool_limits(1):
        spectrum, scene = _looked_at(points, plan)
        n, lam, labels = scene.n, scene.lam, points.y[: spectrum.n]
        scenes = sorted(
            [*_scenes(spectrum, labels, plan, n), scene], key=lambda at: at.lam
        )
        tell("how many features to try")
        try:
            for sampling in SAMPLINGS:
                needed.append(
                    _measured(
                        spectrum, points.X, lam, plan, sampling, workers, tell
                    )
                )
        except KeyboardInterrupt:  # what the theorems say is known by now
            pass
    return Audit(
        data=data.name, target=data.target, notices=tuple(notices(data, plan.scale)), rows=len(data.y),
        columns=data.X.shape[1], plan=plan, sigma=spectrum.kernel.sigma,
        spectrum_points=spectrum.n, scene=scene, dimension=spectrum.dimension(lam),
        eigenvalues=tuple((spectrum.values / spectrum.n).tolist()), rest=spectrum.rest / spectrum.n,
        lams=tuple(s.lam for s in scenes), dimensions=tuple(spectrum.dimension(s.lam) for s in scenes),
        theorems=tuple(judge_demand(demand, scene, scenes) for demand in demands),
        demands=tuple(tuple(feature_count(demand.features(s)) for s in scenes) for demand in demands),
        needed=tuple(filter(None, needed)), stopped=len(needed) < len(SAMPLINGS),
    )  # fmt: skip


def scene_of(data: Sample, plan: AuditPlan) -> Scene:
    """What theorems ask of `data`, without any measurement. Raises DataError."""
    with threadpool_limits(1):
        return _looked_at(_points(data, plan), plan)[1]


def _looked_at(points: Sample, plan: AuditPlan) -> tuple[Spectrum, Scene]:
    n, kernel = len(points.y), kernel_named(plan.kernel)
    lam = plan.lam or 1 / math.sqrt(n)
    sigma = plan.bandwidth or kernel.median_bandwidth(points.X)
    spectrum = _spectrum(kernel(sigma), points.X, lam, plan.eps)
    labels = points.y[: spectrum.n]
    return spectrum, spectrum.scene(labels, lam, plan.eps, plan.delta, n)


def _points(data: Sample, plan: AuditPlan) -> Sample:
    """At most MAX_POINTS rows, in the seed's order; labels scaled to |y| <= 1, inputs too if so planned."""
    n = len(data.y)
    if n < 2:
        raise DataError(
            f"{data.name!r} has one row; an audit takes two at least."
        )
    rng = np.random.Generator(
        np.random.Philox(np.random.SeedSequence(plan.seed))
    )
    order = rng.permutation(n)[:MAX_POINTS]
    chosen = replace(data, X=data.X[order], y=data.y[order])
    if chosen.X.size > MAX_CELLS:
        columns, rows = chosen.X.shape[1], len(chosen.y)
        many = f"{columns} inputs, too many for {rows} points"
        raise DataError(
            f"{data.name!r} has {many}; keep fewer columns or rows."
        )
    scaled = chosen.scaled()
    return scaled if plan.scale else replace(chosen, y=scaled.y)


def _spectrum(
    kernel: ShiftInvariant, X: Matrix, lam: float, eps: float
) -> Spectrum:
    """Of all points if few, or if a low-rank part is within REST eps n lam of their kernel, else of DENSE."""
    found = None
    if len(X) > SMALL:
        found = pivoted_cholesky(kernel, X, REST * eps * len(X) * lam, COLUMNS)
    return found or full_spectrum(kernel, X[:DENSE])


def _scenes(
    spectrum: Spectrum, y: Vector, plan: AuditPlan, n: int
) -> Iterator[Scene]:
    """At those RIDGES where the effective dimension is known within a tenth."""
    for lam in RIDGES.tolist():
        low, high = spectrum.dimension(lam)
        if high <= 1.1 * low:
            yield spectrum.scene(y, lam, plan.eps, plan.delta, n)


def _measured(
    spectrum: Spectrum,
    X: Matrix,
    lam: float,
    plan: AuditPlan,
    sampling: str,
    workers: int,
    tell: Tell,
) -> Needed | None:
    """On the points of the spectrum, or on as many fewer as a minute allows; None if none does."""
    points = [spectrum.n, *(m for m in FEWER if m < spectrum.n)]
    step = f"trials with {sampling} features"
    for m in points:
        if m < spectrum.n:
            spectrum = _spectrum(spectrum.kernel, X[:m], lam, plan.eps)
        draws = Draws(
            Whitening(spectrum, lam, CUT * plan.eps), sampling, plan.seed
        )
        last = m == points[-1]
        if found := features_needed(
            draws, plan, workers, lambda: tell(step), last
        ):
            return found
    return None
