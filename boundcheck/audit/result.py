"""What an audit found: the spectrum, each theorem's demand, and the features measured to be enough."""

from __future__ import annotations

from dataclasses import dataclass, field

from boundcheck.audit.demand import Scene
from boundcheck.audit.judged import Judged
from boundcheck.audit.needed import Needed
from boundcheck.audit.plan import AuditPlan


@dataclass(frozen=True)
class Audit:
    """`rows` of the data were reduced to `scene.n` points; the spectrum is that of `spectrum_points` of them.

    `eigenvalues` are of K / n, decreasing; what they leave out of the trace 1 is `rest`. `dimensions` has a lower and an upper
    bound of the effective dimension for each of the ridges `lams`, `dimension` at the ridge asked about.
    """

    data: str
    target: str
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
    theorems: tuple[Judged, ...] = field(repr=False)
    demands: tuple[tuple[float, ...], ...] = field(repr=False)
    needed: tuple[Needed, ...]

    def measured(self, sampling: str) -> Needed | None:
        """The measurement for a way of sampling, if there is one."""
        return next((needed for needed in self.needed if needed.sampling == sampling), None)
