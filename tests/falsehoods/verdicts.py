"""What is said of one labelled bound: by boundcheck's quick plan, or by plain Hypothesis."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.observe import Observation, Skipped, observe
from boundcheck.checking.sampling import Stream
from boundcheck.domains.instances import draw_instances, strategy
from boundcheck.words.claims import Claim
from boundcheck.words.loading import load_claims

HERE = Path(__file__).parent
TUNING = (
    "combinatorics", "information", "learning_theory", "linear_algebra", "matrix_concentration", "random_features", "scalar_concentration",
)  # fmt: skip
FRESH = ("fresh_bounds", "fresh_elementary", "fresh_finite_laws", "fresh_information", "fresh_matrices", "fresh_sampled")
FAMOUS = ("famous_classics", "famous_discrete", "famous_extremes", "famous_matrices", "famous_norms", "famous_numbers")
SETS = {"Tuning set": TUNING, "Fresh set": FRESH, "Famous set": FAMOUS}
ALPHA = 1e-7
PEER_SECONDS = 10.0
PEER_EXAMPLES = 5_000
SHUFFLE = 7
DRAWN = 12
"""Instances that tell what kind of statement a bound makes."""


@dataclass(frozen=True)
class Row:
    """One bound: what it is, what was said of it, and how many processor seconds that took."""

    field: str
    id: str
    difficulty: str
    statement: str
    outcome: str
    seconds: float
    reason: str = ""

    @property
    def wrong(self) -> bool:
        """A true bound that was refuted, a false one that was not, or one that broke."""
        return self.outcome == "BROKEN" or (self.outcome == "REFUTED") == (self.difficulty == "true")


Judge = Callable[[Claim, int], tuple[str, str]]
"""A claim and a seed to its outcome and the reason."""


def judged(field: str, id: str, by: str = "boundcheck", seed: int = 0) -> Row:
    """The row of one bound; whatever its body or the engine raises makes it BROKEN, never the table."""
    claim = next(c for c in load_claims(HERE / f"{field}.py") if c.id == id)
    label, start = claim.body.label, time.process_time()  # type: ignore[attr-defined]
    try:
        outcome, reason = JUDGES[by](claim, seed)
    except Exception as error:
        outcome, reason = "BROKEN", f"{type(error).__name__}: {error}"
    seconds = time.process_time() - start
    return Row(field, id, "true" if label.true else label.difficulty, statement_kind(claim), outcome, seconds, reason)


def quick(claim: Claim, seed: int) -> tuple[str, str]:
    """The verdict of the quick plan."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        verdict = judge(claim, replace(PLANS["quick"], seed=seed), ALPHA)
    return verdict.outcome.name, verdict.reason


def plain_hypothesis(claim: Claim, _seed: int) -> tuple[str, str]:
    """What Hypothesis with `target` finds in ten seconds, always the same: an apparent violation in floats is all it knows."""
    from hypothesis import HealthCheck, find, settings, target
    from hypothesis.errors import NoSuchExample

    start = time.process_time()

    def looks_false(raw: dict[str, Any]) -> bool:
        seen = [] if time.process_time() - start > PEER_SECONDS else observe(claim, raw)
        scores = [] if isinstance(seen, Skipped) else [o.score for o in seen if o.pending is None and np.isfinite(o.score)]
        if scores:
            target(max(scores))
        return max(scores, default=0.0) > 1e-9

    quiet = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example)
    options = settings(max_examples=PEER_EXAMPLES, database=None, deadline=None, derandomize=True, suppress_health_check=quiet)
    try:
        find(strategy(claim.parameters), looks_false, settings=options)
    except NoSuchExample:
        return "HOLDS", ""
    return "REFUTED", ""


JUDGES: dict[str, Judge] = {"boundcheck": quick, "hypothesis": plain_hypothesis}


def statement_kind(claim: Claim) -> str:
    """Deterministic, probability, expectation or rate; the latter three exact or sampled."""
    try:
        seen = [o for raw in draw_instances(claim.parameters, DRAWN, Stream.of(0, claim.id, 0).number()) for o in _seen(claim, raw)]
    except Exception:
        return "unknown"
    random = {o.kind for o in seen} & {"probability", "expectation"}
    if not random and "rate" not in claim.body.__code__.co_names:
        return "deterministic"
    name = "rate" if "rate" in claim.body.__code__.co_names else max(random)
    return f"{name}, {'exact' if all(o.pending is None for o in seen) else 'sampled'}"


def _seen(claim: Claim, raw: dict[str, Any]) -> list[Observation]:
    seen = observe(claim, raw)
    return [] if isinstance(seen, Skipped) else seen


def bounds(only: str = "", sample: int = 0) -> list[tuple[str, str]]:
    """Field and id of each bound whose id contains `only`, shuffled once and for all; the first `sample` of them if it is given."""
    every = [(field, c.id) for fields in SETS.values() for field in fields for c in load_claims(HERE / f"{field}.py")]
    order = np.random.default_rng(SHUFFLE).permutation(len(every))
    chosen = [every[k] for k in order if only in every[k][1]]
    return chosen[:sample] if sample else chosen


def rows(chosen: list[tuple[str, str]], workers: int, by: str = "boundcheck", seed: int = 0) -> Iterator[Row]:
    """The rows of these bounds as they finish."""
    from joblib import Parallel, delayed

    results: Any = Parallel(n_jobs=workers, return_as="generator_unordered")(delayed(judged)(*bound, by, seed) for bound in chosen)
    yield from results
