"""The error ledger: one budget of false refutations, split over claims and over the attempts at each."""

from collections.abc import Collection
from dataclasses import dataclass
from math import pi


@dataclass(frozen=True)
class Ledger:
    """A total error split evenly over a set of claim ids: no order, no worker and no result changes a share.

    By default a suite of true theorems refutes one of them in at most one of a million runs.
    """

    total: float = 1e-6
    claims: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", frozenset(self.claims))
        if not 0 < self.total <= 0.5:
            raise ValueError(f"The error budget lies in (0, 1/2]; pass, say, 1e-6 instead of {self.total}.")

    def share(self, claim_id: str) -> float:
        """Error that the claim may spend in all. Raises ValueError for a claim that is not in the ledger."""
        if claim_id not in self.claims:
            raise ValueError(f"The ledger does not list {claim_id!r}; open it with the id of every claim.")
        return self.total / len(self.claims)

    def attempt(self, claim_id: str, k: int) -> float:
        """Error of the k-th confirmation of a claim."""
        return attempt_share(self.share(claim_id), k)


def attempt_share(share: float, k: int) -> float:
    """Error of the k-th confirmation (k = 1, 2, ...): share * 6 / (pi k)^2, which adds up to the share."""
    if k < 1:
        raise ValueError(f"Confirmations are counted from 1; pass such a number instead of {k}.")
    return share * 6 / (pi * k) ** 2
