"""How long it takes to tell what refutes the false bounds: `python -m tests.falsehoods.witnesses`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from statistics import median

from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.verdict import Judgement
from boundcheck.domains.in_words import where_it_fails
from boundcheck.words.claims import Claim
from boundcheck.words.loading import load_claims

from .verdicts import ALPHA, HERE, bounds


def main() -> None:
    chosen = _arguments()
    lengths = []
    for field, id in bounds(chosen.only):
        claim = claim_of(field, id)
        label = claim.body.label  # type: ignore[attr-defined]
        if label.true or label.difficulty != chosen.difficulty:
            continue
        told = witness(claim, quick_judgement(claim, chosen.seed))
        print(f"{len(told):4} {id}: {told}", flush=True)
        lengths += [len(told)] if told else []
    print(f"median of {len(lengths)} instances: {median(lengths or [0]):g} characters")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="bounds whose id contains this")
    parser.add_argument("--difficulty", default="hard", choices=("easy", "medium", "hard"))
    parser.add_argument("--seed", type=int, default=0, help="of the search")
    return parser.parse_args()


def claim_of(field: str, id: str) -> Claim:
    """The bound of a field."""
    return next(c for c in load_claims(HERE / f"{field}.py") if c.id == id)


def quick_judgement(claim: Claim, seed: int = 0) -> Judgement:
    """By the quick plan, on one thread."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return judge(claim, replace(PLANS["quick"], seed=seed), ALPHA)


def witness(claim: Claim, judgement: Judgement) -> str:
    """The instance that refutes a bound, empty if none does."""
    refutation = judgement.refutation
    return where_it_fails(claim.parameters, refutation.certificate) if refutation else ""


if __name__ == "__main__":
    main()
