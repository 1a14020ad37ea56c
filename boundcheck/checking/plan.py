"""What is spent on a claim: work, and its share of the error."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import pi


@dataclass(frozen=True)
class Plan:
    """How much is spent on a claim; sizes are counted, never timed, so that results repeat."""

    name: str = "quick"
    instances: int = 60
    work: int = 8_000
    trials: int = 20_000
    sampled_instances: int = 12
    confirmation_trials: int = 400_000
    level: float = 1e-3
    seed: int = 0

    @property
    def stages(self) -> tuple[Plan, ...]:
        """The budgets by name that do less work, and this one: each begins with what the one before it did."""
        smaller = [p for p in PLANS.values() if p.work < self.work]
        named = (
            self.name in PLANS
            and replace(PLANS[self.name], seed=self.seed) == self
        )
        return (
            *(
                replace(p, level=self.level, seed=self.seed)
                for p in smaller
                if named
            ),
            self,
        )


PLANS = {
    "quick": Plan(),
    "ci": Plan("ci", 150, 30_000, 50_000, 20, 1_000_000),
    "nightly": Plan("nightly", 600, 300_000, 1_000_000, 60, 10_000_000),
}


@dataclass(frozen=True)
class Ledger:
    """The budget of false refutations, split evenly over claim ids, and each share over the runs of a claim.

    No order, no worker and no result changes a share.

    By default a suite of true theorems refutes one of them in at most one of a million runs.
    """

    total: float = 1e-6
    claims: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", frozenset(self.claims))
        if not 0 < self.total <= 0.5:
            raise ValueError(
                f"The error budget lies in (0, 1/2]; pass, say, 1e-6 instead of {self.total}."
            )

    def share(self, claim_id: str, run: int = 1) -> float:
        """Error that the claim may spend in a run (1, 2, ... of those whose evidence adds up).

        Raises ValueError for an unknown claim.
        """
        if claim_id not in self.claims:
            raise ValueError(
                f"The ledger does not list {claim_id!r}; open it with the id of every claim."
            )
        return part(self.total / len(self.claims), run)


def part(share: float, k: int) -> float:
    """The k-th part (k = 1, 2, ...) of an error, for the k-th run or confirmation: the parts add up to it."""
    if k < 1:
        raise ValueError(
            f"Runs and confirmations are counted from 1; pass such a number instead of {k}."
        )
    return share * 6 / (pi * k) ** 2
