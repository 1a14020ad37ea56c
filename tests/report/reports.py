"""A small report with a claim of each kind of verdict, a proof with a step that fails, and a repair."""

from __future__ import annotations

import json
from typing import Any

from boundcheck.report.document import Document

STATEMENT = '''@paper.lemma(1)
def {name}(lam: Positive, delta: Unit, K: PSD("n")):
    """{summary}

    Proof. By induction.
    """
    n = len(K)
    assume(n * lam <= largest_eigenvalue(K))
    s = at_least(2 * log(1 / delta) / lam**2, Count)
    return P(opnorm(K) <= sqrt(lam) * s) >= 1 - delta
'''
EVIDENCE = {
    "instances": 60, "satisfied": 50, "searched": 900, "trials": 0, "touches": 0, "vacuous": 0, "exact": 50, "sampled": 0,
    "tightest": None, "skipped": {"unsatisfied": 10}, "undecided": [], "open": [], "killed": [],
}  # fmt: skip
CURVES: list[Any] = [
    {"kind": "failure", "title": "Failure", "xlabel": "allowed", "ylabel": "probability", "log": "xy", "marker": 0.1, "at": "lam = 1",
     "series": [{"label": "failure probability", "x": [0.01, 0.1, 0.5], "y": [0.02, None, 0.3]},
                {"label": "allowed", "x": [0.01, 0.1, 0.5], "y": [0.01, 0.1, 0.5]}]},
    {"kind": "vacuity", "title": "Where it says something", "xlabel": "", "ylabel": "", "log": "", "marker": None, "at": "lam = 1",
     "series": [{"label": "lam", "x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 1.0, 2.0, 3.0]}]},
    {"kind": "rate", "title": "Rate", "xlabel": "s", "ylabel": "error", "log": "xy", "marker": None,
     "series": [{"label": "measured", "x": [1, 10, 100], "y": [1.0, 0.3, 0.1], "low": [0.8, 0.2, 0.05], "high": [1.2, 0.4, 0.2]}]},
]  # fmt: skip


def claim(id: str, outcome: str, line: int, **changes: Any) -> dict[str, Any]:
    """A row of a report."""
    refuted = outcome == "REFUTED"
    summary = f"What {id} says about K."
    return {
        "id": id, "outcome": outcome, "scope": "universal" if refuted else "population", "reason": f"because of {id}", "kind": "lemma",
        "source": "doe2020, lemma 1", "summary": summary, "statement": STATEMENT.format(name="f", summary=summary),
        "location": f"theory/doe2020/lemmas.py:{line}", "fingerprint": "0123456789abcdef", "repairs": [], "step_of": [],
        "tightness": None if refuted else 0.25, "alpha": 1e-9, "level": 1e-3, "evidence": EVIDENCE,
        "certificate": f"reports/certificates/{id}.json" if refuted else None, "excess": 0.5 if refuted else None,
        "instance": "lam = 1, delta = 0.1" if refuted else None,
        "power": {} if refuted else {"right-hand side x 0.5": True, "log dropped": False}, "curves": CURVES, "seeds": [0], **changes,
    }  # fmt: skip


def whole() -> dict[str, Any]:
    """The content of a report, in the present version."""
    rows = [
        claim("doe2020.lemma1", "REFUTED", 10),
        claim("doe2020.lemma1.repaired", "HOLDS", 20, repairs=["doe2020.lemma1"]),
        claim("doe2020.step1", "HOLDS", 30, kind="step", step_of=["doe2020.lemma1"]),
        claim("doe2020.step2", "REFUTED", 40, kind="step", step_of=["doe2020.lemma1"]),
        claim("doe2020.step3", "HOLDS", 50, kind="step", step_of=["doe2020.lemma1"]),
        claim("mine.open", "INCONCLUSIVE", 1, location="mine.py:1", kind="theorem"),
        claim("mine.void", "VACUOUS", 9, location="mine.py:9", kind="theorem", tightness=None, curves=[]),
    ]
    content = {
        "schema_version": "1.2", "tool": {"name": "boundcheck", "version": "0.1.0"}, "plan": {"name": "quick", "seed": 0},
        "ledger": {"total": 1e-6, "claims": 7}, "summary": {"REFUTED": 2, "INCONCLUSIVE": 1, "VACUOUS": 1, "HOLDS": 3}, "claims": rows,
        "audit": {"doe2020.lemma1": {
            "first": "doe2020.step2", "refuted": ["doe2020.step2"], "surviving": ["doe2020.step1", "doe2020.step3"], "open": []}},
        "broken": {}, "volatile": {"seconds": 1.0},
    }  # fmt: skip
    return json.loads(json.dumps(content))


def document() -> Document:
    """The same report as a value."""
    return Document.of_json(whole())
