"""True claims at their boundary under the real judge, with looks after every batch; false twins a little beyond it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from boundcheck import E, P, Unit, quantity, rate
from boundcheck.checking import settle
from boundcheck.checking.confidence import BernoulliSequence, critical_failures, log_tail, odds_pair
from boundcheck.checking.judge import judge
from boundcheck.checking.plan import Ledger, Plan, part
from boundcheck.checking.trust import DESIGNS, certify
from boundcheck.checking.verdict import Outcome
from boundcheck.report.findings import Finding
from boundcheck.words.claims import make_claim
from boundcheck.words.hypotheses import Question

from .parts import Part

ALPHA = 0.05
LEVEL = 1e-3
"""Of the Clopper-Pearson intervals of this report."""

PLAN = Plan("small", instances=3, work=1, trials=2000, sampled_instances=2, confirmation_trials=4000, level=0.05)
SUITES = {"slice": 6, "small": 200, "full": 10_000}
RATES = {"slice": 0, "small": 8, "full": 200}
TWINS = {"slice": 2, "small": 20, "full": 400}
PLAIN = Question("as printed", bound=1.0)
"""The statement as it is; twins, which measure power and not honesty, are asked of printed statements only."""

BEYOND = (0, 5, 10, 25, 50)
"""Per cent beyond the constant."""

Body = Callable[..., Any]


def chance(beyond: float) -> Body:
    """A uniform number exceeds 1 - delta with probability delta exactly; the sampler has no finite law."""

    def body(delta: Unit) -> Any:
        return P(quantity(lambda rng, size: rng.random(size)) <= 1 - delta) >= 1 - delta / (1 + beyond)

    return body


def ceiling(beyond: float) -> Body:
    """The mirror image: an event of probability p is claimed to have p at most."""

    def body(p: Unit) -> Any:
        return P(quantity(lambda rng, size: rng.random(size)) <= p) <= p / (1 + beyond)

    return body


def mean(beyond: float) -> Body:
    """The mean of a uniform number on [0, 2 p] is p."""

    def body(p: Unit) -> Any:
        return E(quantity(lambda rng, size: rng.uniform(0, 2 * p, size), low=0, high=2 * p)) <= p / (1 + beyond)

    return body


def slope(beyond: float) -> Body:
    """The mean of s^-1/2 times a uniform number has slope -1/2 in s; the twin claims a steeper one."""

    def body(p: Unit) -> Any:
        def error(s: int) -> Any:
            return quantity(lambda rng, size: rng.uniform(0, 2 * p, size) / np.sqrt(s), low=0, high=2 * p)

        return rate({s: E(error(s)) for s in (4, 64, 1024)}, at_most=-(1 + beyond) / 2, margin=0)

    return body


KINDS = {"P(...) >= 1 - delta": chance, "P(...) <= p": ceiling, "E(...) <= p": mean}
RATE = {"rate(...) <= -1/2": slope}


Outcomes = tuple[Outcome, ...]


def suite(seed: int, beyond: float, kinds: dict[str, Callable[[float], Body]]) -> Outcomes:
    """Judge a claim of each kind as a run of `check` with this seed does, within one ledger."""
    claims = [make_claim(make(beyond), f"honesty.{make.__name__}", "tests.reliability", "theorem") for make in kinds.values()]
    ledger = Ledger(ALPHA, [c.id for c in claims])
    with without_prose():
        return tuple(judge(c, replace(PLAN, seed=seed), ledger.share(c.id), question=PLAIN).outcome for c in claims)


@contextmanager
def without_prose() -> Iterator[None]:
    """Leave out the numbers that only sentences quote: they decide nothing, and are most of the work."""
    with patch.object(BernoulliSequence, "estimate", lambda *_: (0.0, 1.0)), patch.object(settle, "trials_to_decide", lambda *_: 0.0):
        yield


def suites(count: int, seed: int, beyond: float, kinds: dict[str, Callable[[float], Body]] = KINDS) -> list[Outcomes]:
    """Independent suites."""
    from joblib import Parallel, delayed

    made: Any = Parallel(n_jobs=2 if count > 50 else 1)(delayed(suite)(seed + k, beyond, kinds) for k in range(count))
    return list(made)


def measure(size: str, seed: int) -> Part:
    """Exact error probabilities, then the simulated suites, then the twins."""
    exact, dishonest = stopping_rules(() if size == "slice" else DESIGNS)
    planned, too_often = planned_looks()
    true = suites(SUITES[size], 10**6 * (seed + 1), 0.0, KINDS)
    rates = suites(RATES[size], 10**6 * (seed + 1), 0.0, RATE)
    alarms, beyond = false_refutations(true, rates)
    curve, silent = detection(size, seed, true, rates)
    return Part([exact, planned, alarms, curve], [*dishonest, *too_often, *beyond, *silent])


def stopping_rules(designs: Sequence[tuple[float, float, int]]) -> tuple[Finding, list[str]]:
    """By dynamic programming, no simulation."""
    rows, wrong = [], []
    for design in (*designs, *((d, PLAN.level, PLAN.trials) for d in (0.5, 0.25, 0.01))):
        c = certify(*design)
        rows.append((c.delta, c.level, c.horizon, c.refuted, c.held))
        wrong += [] if c.honest else [f"the stopping rule at delta {c.delta:g} errs beyond its level {c.level:g}"]
    columns = ("delta", "level", "looks", "P(ever against | rate = delta)", "P(ever for | rate = delta)")
    return Finding("Stopping rules that look after every trial: exact probabilities to err at equality", columns, rows), wrong


def planned_looks() -> tuple[Finding, list[str]]:
    """What a confirmation at its part of the ledger errs at, exactly."""
    share, rows, wrong = part(ALPHA / len(KINDS), 1), [], []
    for delta in (0.5, 0.1, 0.01, 1e-3):
        k = critical_failures(delta, PLAN.confirmation_trials, share)
        error = float(np.exp(log_tail(k, PLAN.confirmation_trials, *odds_pair(float(np.log(delta) - np.log1p(-delta))))))
        rows.append((delta, PLAN.confirmation_trials, share, k, error))
        wrong += [] if error <= share else [f"a planned look at delta {delta:g} errs with {error:g}, beyond {share:g}"]
    columns = ("delta", "trials", "part of the ledger", "refutes from", "P(refuted | rate = delta)")
    return Finding("Planned looks on fresh trials: exact probabilities to err at equality", columns, rows), wrong


def interval(count: int, trials: int) -> tuple[float, float]:
    """Clopper-Pearson at LEVEL."""
    from scipy.stats import beta

    low = float(beta.ppf(LEVEL / 2, count, trials - count + 1)) if count else 0.0
    high = float(beta.ppf(1 - LEVEL / 2, count + 1, trials - count)) if count < trials else 1.0
    return low, high


def false_refutations(true: list[Outcomes], rates: list[Outcomes]) -> tuple[Finding, list[str]]:
    """Suites of true claims in which anything was refuted, against the ledger."""
    rows, wrong = [], []
    groups = [(name, [s[k] is Outcome.REFUTED for s in true], ALPHA / len(KINDS)) for k, name in enumerate(KINDS)]
    groups += [("any of the three", [Outcome.REFUTED in s for s in true], ALPHA)]
    groups += [(name, [Outcome.REFUTED in s for s in rates], ALPHA) for name in RATE if rates]
    for name, hit, share in groups:
        low, high = interval(sum(hit), len(hit))
        rows.append((name, len(hit), share, sum(hit), f"[{low:.2g}, {high:.2g}]", "yes" if high <= share else "not shown"))
        wrong += [f"{name}: {sum(hit)} of {len(hit)} true claims were refuted, beyond {share:g}"] if low > share else []
    columns = ("claim, at equality", "suites", "ledger", "falsely refuted", "Clopper-Pearson, 99.9 %", "within the ledger")
    seen = Counter(o.name for s in [*true, *rates] for o in s)
    remark = (
        f"Each suite is judged by the engine as in a run: up to {PLAN.sampled_instances} sampled instances a claim, looks after every"
        f" batch, up to {PLAN.trials:,} trials, confirmations of up to {PLAN.confirmation_trials:,} fresh ones, alpha {ALPHA:g} in all."
        f" Of the verdicts {seen['HOLDS']:,} were HOLDS and {seen['INCONCLUSIVE']:,} INCONCLUSIVE: equality leaves them open."
    )
    return Finding("True claims at equality: false refutations", columns, rows, remark), wrong


def detection(size: str, seed: int, true: list[Outcomes], rates: list[Outcomes]) -> tuple[Finding, list[str]]:
    """How often a twin that claims a little more is refuted."""
    rows, found = [], []
    for beyond in BEYOND:
        first = 10**8 + 10**6 * seed + 10**4 * beyond
        plain = suites(TWINS[size], first, beyond / 100, KINDS) if beyond else true
        steep = suites(TWINS[size] // 10, first, beyond / 100, RATE) if beyond else rates
        columns = [*zip(*plain), *(zip(*steep) if steep else [()])]
        found = [[o is Outcome.REFUTED for o in column] for column in columns]
        rows.append((f"{beyond} %", len(plain), *map(_share, found), len(steep)))
    names = [*KINDS, *RATE]
    wrong = [f"{name}: no twin {BEYOND[-1]} % beyond the constant is refuted" for name, hit in zip(names, found) if hit and not any(hit)]
    remark = "Share refuted by this small plan, with the Clopper-Pearson interval at 99.9 %."
    return Finding("False twins: detection curve", ("beyond the constant", "suites", *names, "rates tried"), rows, remark), wrong


def _share(hit: list[bool]) -> str:
    if not hit:
        return "not tried"
    low, high = interval(sum(hit), len(hit))
    return f"{sum(hit) / len(hit):.3f} [{low:.3f}, {high:.3f}]"
