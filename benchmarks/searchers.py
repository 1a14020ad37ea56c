"""Searches for a violation of one claim within some CPU time, started by `python -m benchmarks.violations`."""

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import cma
import numpy as np
from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import seed as seeded
from scipy.optimize import minimize

from benchmarks.child import pin
from boundcheck import Claim, Unit, at_most, check, theorem
from boundcheck.domains import FIXED
from boundcheck.domains.chart import Arrangement, Chart, Discrete
from boundcheck.domains.instances import build, draw_instances, leaves, replaced, strategy
from boundcheck.words.loading import load_claims
from boundcheck.words.statements import All, Inequality

ROUNDING = 1e-6  # relative; a smaller violation counts for nobody
NOTHING = 2.0  # the slack where a hypothesis fails: above that of every instance


class Ended(BaseException):
    """A violation was found, or the time is over: no Exception, so that no search catches it."""


class BlackBox:
    """The slack of a claim on one instance, relative to its sides; raises Ended at a violation, and after `end`.

    A violation is one in floats that `claim.at` confirms, which is exact where rounding could turn the sides around. `apparent` says
    whether there was one that it could not decide.
    """

    def __init__(self, claim: Claim, end: float = np.inf):
        self.claim, self.end, self.evaluations = claim, end, 0
        self.found = self.apparent = False

    def __call__(self, values: dict[str, Any]) -> float:
        if time.process_time() > self.end:
            raise Ended
        self.evaluations += 1
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                slack = self._slack(values, self.claim(**values))
                seen = self.claim.at(**values).outcome if slack < -ROUNDING else "holds"
            except Exception:  # no member, a hypothesis that fails, a singular matrix
                return NOTHING
        self.found, self.apparent = seen == "violated", self.apparent or seen == "undecided"
        if self.found:
            raise Ended
        return slack if np.isfinite(slack) else NOTHING

    def _slack(self, values: dict[str, Any], statement: Any) -> float:
        parts = statement.parts if isinstance(statement, All) else statement if isinstance(statement, tuple) else [statement]
        if all(isinstance(part, Inequality) and not part.random for part in parts):
            return min(map(_sides, parts))
        return min((-1 if part.outcome == "violated" else 1) * _gap(part.left, part.right) for part in self.claim.at(**values).parts)


def _sides(part: Inequality) -> float:
    left, right = np.asarray(part.lhs, dtype=float), np.asarray(part.rhs, dtype=float)
    if part.relation == "loewner":
        gap = right - left
        return float(np.linalg.eigvalsh((gap + gap.T) / 2)[0] / (np.linalg.norm(left) + np.linalg.norm(right)))
    relative = (right - left) / (np.abs(left) + np.abs(right) + 1e-300)
    return float(np.min(-np.abs(relative) if part.relation == "equal" else relative))


def _gap(left: Any, right: Any) -> float:
    return float(np.max(np.abs(np.subtract(left, right)) / (np.abs(left) + np.abs(right) + 1e-300)))


class Coordinates:
    """Instances of the sizes of one that was drawn, as vectors without bounds; what is not continuous is rounded."""

    def __init__(self, claim: Claim, raw: dict[str, Any]):
        self.claim, self.raw = claim, raw
        self.moving = [(path, np.asarray(leaf), chart) for path, leaf, chart in leaves(claim.parameters, raw) if chart is not FIXED]
        free = [np.ravel(x if isinstance(chart, Discrete) else chart.free(x)) for _, x, chart in self.moving]
        self.drawn = np.concatenate([*free, np.zeros(2)])  # two that nothing reads: CMA-ES wants two at least
        self.dim = len(self.drawn)

    def __call__(self, t: np.ndarray) -> dict[str, Any]:
        return build(self.claim.parameters, self.raw_at(t))

    def raw_at(self, t: np.ndarray) -> Any:
        """The raw numbers of the instance at such coordinates."""
        raw, start = self.raw, 0
        for path, leaf, chart in self.moving:
            raw, start = replaced(raw, path, _leaf(t[start : start + leaf.size], leaf, chart)), start + leaf.size
        return raw


def _leaf(t: np.ndarray, leaf: np.ndarray, chart: Chart | Discrete) -> Any:
    """A leaf like one that was drawn, at other coordinates."""
    if isinstance(chart, Arrangement):
        return np.sort(leaf)[np.argsort(np.argsort(t))]
    x = np.reshape(chart.nearest(t) if isinstance(chart, Discrete) else chart.bound(t), leaf.shape)
    if isinstance(chart, Chart) and chart.whole:
        x = np.clip(np.rint(x), np.ceil(chart.low), np.floor(chart.high))
    return x.astype(leaf.dtype) if leaf.ndim else x.astype(leaf.dtype).item()


def starts(claim: Claim, seed: int) -> Iterator[tuple[Coordinates, np.ndarray]]:
    """Sizes as boundcheck draws them; the coordinates as it draws them and normal ones in turn."""
    rng = np.random.default_rng(seed)
    while True:
        for k, raw in enumerate(draw_instances(claim.parameters, 100, int(rng.integers(2**32)))):
            at = Coordinates(claim, raw)
            yield at, at.drawn if k % 2 else rng.standard_normal(at.dim)


def random_rows(claim: Claim, box: BlackBox, seed: int) -> None:
    """Instances as boundcheck draws them and normal coordinates in turn, without a search."""
    for at, t in starts(claim, seed):
        box(at(t))


def l_bfgs_b(claim: Claim, box: BlackBox, seed: int) -> None:
    """L-BFGS-B of SciPy from many starts, with derivatives by differences."""
    for at, t in starts(claim, seed):
        minimize(lambda t, at=at: box(at(t)), t, method="L-BFGS-B")


def bipop(claim: Claim, box: BlackBox, seed: int) -> None:
    """CMA-ES with two restarts for each start, by BIPOP."""
    for k, (at, t) in enumerate(starts(claim, seed)):
        options = {"seed": seed + k + 1, "verbose": -9, "verb_log": 0}
        cma.fmin2(lambda t, at=at: box(at(t)), t, 0.5, options, restarts=2, bipop=True)


def hypothesis_target(claim: Claim, box: BlackBox, seed: int) -> None:
    """Hypothesis with `target` on the slack, a thousand examples for each seed, on the strategy that boundcheck draws from."""
    quiet: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}

    def look(raw: dict[str, Any]) -> None:
        target(-box(build(claim.parameters, raw)))

    while True:
        seed += 1
        property_ = given(strategy(claim.parameters))(look)
        seeded(seed)(settings(max_examples=1000, phases=[Phase.generate, Phase.target], **quiet)(property_))()


METHODS: dict[str, Callable[[Claim, BlackBox, int], None]] = {
    "L-BFGS-B": l_bfgs_b,
    "BIPOP-CMA-ES": bipop,
    "Hypothesis": hypothesis_target,
    "random": random_rows,
}
OURS = "boundcheck"


def search(claim: Claim, method: str, seconds: float, seed: int) -> dict[str, Any]:
    """Whether a violation was found, the verdict if there is one, and what it took.

    A verdict takes the time it takes; what it says after the time is not found.
    """
    start = time.process_time()
    box, verdict = BlackBox(claim, start + seconds), None
    try:
        if method == OURS:
            verdict = check(claim, seed=seed)
        else:
            METHODS[method](claim, box, seed)
    except Ended:
        pass
    took = {"method": method, "seconds": time.process_time() - start}
    if verdict is None:
        unsure = "apparent" if box.apparent and not box.found else None
        return {**took, "found": box.found, "evaluations": box.evaluations, "verdict": unsure}
    evidence = verdict.row.evidence
    word = verdict.outcome.name
    return {
        **took,
        "found": word == "REFUTED" and took["seconds"] <= seconds,
        "evaluations": evidence.searched + evidence.instances,
        "verdict": word,
    }


@theorem("to load what the first verdict loads")
def first(x: Unit):
    """A number of (0, 1) is below 1."""
    return at_most(x, 1)


def main(file: str, name: str, seconds: str, seed: str, *methods: str) -> None:
    pin()
    check(first)
    (claim,) = [claim for claim in load_claims(file) if claim.id == name]
    print(json.dumps([search(claim, method, float(seconds), int(seed)) for method in methods]))


if __name__ == "__main__":
    main(*sys.argv[1:])
