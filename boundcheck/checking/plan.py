"""What is spent on a claim."""

from dataclasses import dataclass


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


PLANS = {
    "quick": Plan(),
    "ci": Plan("ci", 150, 30_000, 50_000, 20, 1_000_000),
    "nightly": Plan("nightly", 600, 300_000, 1_000_000, 60, 10_000_000),
}
