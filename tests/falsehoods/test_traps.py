"""Every second trap by a small plan: nothing true is refuted, nothing false holds, nothing breaks or hangs. All: `traps.py`."""

import os

import pytest

from .traps import SMALL, Said, Trap, fell, said, traps

if not hasattr(os, "fork"):
    pytest.skip("the traps are judged in processes of their own", allow_module_level=True)

SLICE = traps()[::2]


@pytest.fixture(scope="module")
def answers() -> dict[str, Said]:
    """What is said of each, in one process that is forked again when it hangs or dies."""
    return {trap.id: what for trap, what in zip(SLICE, said(SLICE, SMALL), strict=True)}


@pytest.mark.parametrize("trap", SLICE, ids=lambda trap: trap.id)
def test_nobody_falls_into(answers: dict[str, Said], trap: Trap):
    what = answers[trap.id]
    assert not fell(trap, what), f"{trap.reason}; {what.outcome}: {what.why}"


@pytest.mark.parametrize(("true", "outcome"), [(True, "REFUTED"), (False, "HOLDS"), (True, "BROKEN"), (False, "DIED")])
def test_a_fall_is_noticed(true: bool, outcome: str):
    assert fell(Trap("edges", "a", true, ""), Said(outcome))


@pytest.mark.parametrize(("true", "outcome"), [(True, "HOLDS"), (False, "REFUTED"), (True, "refused"), (False, "INCONCLUSIVE")])
def test_an_honest_answer_is_no_fall(true: bool, outcome: str):
    assert not fell(Trap("edges", "a", true, ""), Said(outcome))
