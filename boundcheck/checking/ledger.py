"""The error ledger: one budget of false refutations, split over claims, over their runs, and over the attempts in each."""

from collections.abc import Collection
from dataclasses import dataclass
from math import pi


@dataclass(frozen=True)
class Ledger:
    """A total error split evenly over a set of claim ids, and each part over runs: no order, no worker, no result changes a share.

    By default a suite of true theorems refutes one of them in at most one of a million runs.
    """

    total: float = 1e-6
    claims: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", frozenset(self.claims))
        if not 0 < self.total <= 0.5:
            raise ValueError(f"The error budget lies in (0, 1/2]; pass, say, 1e-6 instead of {self.total}.")

    def share(self, claim_id: str, run: int = 1) -> float:
        """Error that the claim may spend in a run (1, 2, ... of those whose evidence adds up). Raises ValueError for an unknown claim."""
        if claim_id not in self.claims:
            raise ValueError(f"The ledger does not list {claim_id!r}; open it with the id of every claim.")
        return part(self.total / len(self.claims), run)


def part(share: float, k: int) -> float:
    """The k-th part (k = 1, 2, ...) of an error, for the k-th run or the k-th confirmation in it: the parts add up to the error."""
    if k < 1:
        raise ValueError(f"Runs and confirmations are counted from 1; pass such a number instead of {k}.")
    return share * 6 / (pi * k) ** 2
