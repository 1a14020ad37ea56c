"""Statements that tempt a numerical engine into the wrong verdict: `python -m tests.falsehoods.traps`; exit 1 if it gives one."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.plan import Plan
from boundcheck.words.loading import load_claims
from tests.reliability.isolation import Died, each

from .page import line
from .verdicts import ALPHA, HERE

KINDS = (
    "cancellation", "constants", "edges", "entries", "jumps", "learning", "python", "samplers", "shapes", "trials", "truth", "words",
)  # fmt: skip
SMALL = Plan("small", instances=6, work=40, trials=900, sampled_instances=2, confirmation_trials=4000)
REFUSED = "refused"
"""The outcome of a body that ends with a sentence to its author."""


@dataclass(frozen=True)
class Trap:
    """A labelled statement, and its kind."""

    kind: str
    id: str
    true: bool
    reason: str


@dataclass(frozen=True)
class Said:
    """What was said of a trap, and why."""

    outcome: str
    why: str = ""


def traps(only: str = "") -> list[Trap]:
    """The traps whose id contains this."""
    found = ((kind, c) for kind in KINDS for c in load_claims(HERE / f"traps_{kind}.py"))
    return [Trap(kind, c.id, c.body.label.true, c.source) for kind, c in found if only in c.id]  # type: ignore[attr-defined]


def said(these: list[Trap], plan: Plan) -> Iterator[Said]:
    """What is said of each, in a process that may hang or die."""
    for result in each(lambda trap: _said(trap, plan), these):
        yield Said("DIED", str(result)) if isinstance(result, Died) else result


def _said(trap: Trap, plan: Plan) -> Said:
    claim = next(c for c in load_claims(HERE / f"traps_{trap.kind}.py") if c.id == trap.id)
    warnings.simplefilter("ignore")  # as on the command line; this process ends here
    try:
        verdict = judge(claim, plan, ALPHA)
    except BrokenClaim as error:
        return Said(REFUSED, str(error))
    except Exception as error:
        return Said("BROKEN", f"{type(error).__name__}: {error}")
    return Said(verdict.outcome.name, verdict.reason)


def fell(trap: Trap, what: Said) -> bool:
    """Whether the engine fell into it: it called it false or true against the truth, broke or hung."""
    return what.outcome in ("REFUTED" if trap.true else "HOLDS", "BROKEN", "DIED")


def main() -> None:
    chosen = _arguments()
    these, fallen = traps(chosen.only), Counter()
    seen: Counter[tuple[bool, str]] = Counter()
    for trap, what in zip(these, said(these, SMALL if chosen.plan == "small" else PLANS[chosen.plan]), strict=True):
        seen[trap.true, what.outcome] += 1
        if fell(trap, what):
            fallen[trap.kind, trap.true] += 1
            print(f"{trap.id}: {trap.reason}. {'True' if trap.true else 'False'}, and {what.outcome}: {what.why[:200]}", flush=True)
    print("\n".join(_table(these, fallen)))
    print({f"{'true' if true else 'false'}, {outcome}": count for (true, outcome), count in sorted(seen.items())})
    sys.exit(bool(fallen))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="traps whose id contains this")
    parser.add_argument("--plan", default="quick", choices=["small", *PLANS])
    return parser.parse_args()


def _table(these: list[Trap], fallen: Counter[tuple[str, bool]]) -> Iterator[str]:
    yield line("kind", "true: fell / all", "false: fell / all")
    yield line(*"---")
    for kind in KINDS:
        sizes = [sum(t.kind == kind and t.true is true for t in these) for true in (True, False)]
        yield line(kind, *(f"{fallen[kind, true]} / {size}" for true, size in zip((True, False), sizes)))


if __name__ == "__main__":
    main()
