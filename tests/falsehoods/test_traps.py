"""The traps by a small plan: nothing true is refuted, nothing false holds, nothing breaks or hangs."""

import os

import pytest

from .traps import SMALL, Said, Trap, fell, said, traps

if not hasattr(os, "fork"):
    pytest.skip("the traps are judged in processes of their own", allow_module_level=True)


SLOW = ("traps_trials.product_of_uniforms", "traps_trials.rate_underflow")
"""More than a minute of exact arithmetic, which counts as hanging: asked by `python -m tests.falsehoods.traps` alone."""


@pytest.mark.parametrize("trap", [pytest.param(trap, id=trap.id) for trap in traps() if trap.id not in SLOW])
def test_nobody_falls_into(trap: Trap):
    """Judged in a process of its own, which may hang or die."""
    (what,) = said([trap], SMALL)
    assert not fell(trap, what), f"{trap.reason}; {what.outcome}: {what.why}"


@pytest.mark.parametrize(("true", "outcome"), [(True, "REFUTED"), (False, "HOLDS"), (True, "BROKEN"), (False, "DIED")])
def test_a_fall_is_noticed(true: bool, outcome: str):
    assert fell(Trap("edges", "a", true, ""), Said(outcome))


@pytest.mark.parametrize(("true", "outcome"), [(True, "HOLDS"), (False, "REFUTED"), (True, "refused"), (False, "INCONCLUSIVE")])
def test_an_honest_answer_is_no_fall(true: bool, outcome: str):
    assert not fell(Trap("edges", "a", true, ""), Said(outcome))
