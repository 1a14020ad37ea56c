"""Many claims: found in files, judged in parallel, kept as they finish, the same bytes on any number of workers."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from boundcheck.checking.confidence import trials_to_decide
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import BrokenClaim, Observation, Skipped, observe
from boundcheck.checking.sampling import allowed
from boundcheck.checking.verdict import NOTHING, Evidence, Verdict, broken
from boundcheck.claims import Claim, NotAClaim
from boundcheck.instances import draw_instances
from boundcheck.interruptions import interrupted
from boundcheck.statements import Chance
from boundcheck.workers import Workers

MOST_PATIENT = 10


@dataclass(frozen=True)
class Start:
    """What a claim begins with: its share of the error, counterexamples to try first, and the evidence of runs with other seeds.

    The run-th run makes so many times the trials, up to MOST_PATIENT: what took two runs to decide takes the third one no longer.
    """

    alpha: float
    known: tuple[dict[str, Any], ...] = ()
    before: Evidence = NOTHING
    run: int = 1


class CannotLoad(Exception):
    """A file that gives no claims; the message says why and what to do."""


class StatesNothing(CannotLoad):
    """A file or folder that can be read and states no claim."""


def load(target: str | Path) -> list[Claim]:
    """The claims of a file, a folder or an importable package, sorted by id. Raises CannotLoad."""
    path = Path(target)
    if path.is_dir():
        files = sorted(f for f in path.rglob("*.py") if not f.name.startswith(("_", ".")))
    elif path.suffix == ".py":
        files = [path]
    else:
        raise CannotLoad(f"There is no file, folder or claim called '{target}'; `boundcheck list` shows what there is.")
    claims = [claim for file in files for claim in claims_of(_module(file))]
    if not claims:
        raise StatesNothing(f"{target} states no claim; decorate a function with @theorem('where it comes from').")
    return _distinct(claims)


def load_all(targets: Iterable[str | Path]) -> list[Claim]:
    """The claims of several files or folders."""
    return _distinct(claim for target in targets for claim in load(target))


def theory() -> Path:
    """The theory folder here, or the one installed beside the engine."""
    here = Path("theory")
    return here if here.is_dir() else Path(__file__).resolve().parent.parent / "theory"


def _distinct(claims: Iterable[Claim]) -> list[Claim]:
    found: dict[str, Claim] = {}
    for claim in claims:
        other = found.setdefault(claim.id, claim)
        if other.body is not claim.body and other.location != claim.location:
            raise CannotLoad(f"Two claims are called {claim.id}: at {other.location} and at {claim.location}; rename one.")
    return [found[id] for id in sorted(found)]


def claims_of(module: ModuleType) -> list[Claim]:
    """The claims that a module states (not those it imports)."""
    return [c for c in vars(module).values() if isinstance(c, Claim) and c.body.__module__ == module.__name__]


def _module(file: Path) -> ModuleType:
    if not file.is_file():
        raise CannotLoad(f"There is no file {file}.")
    package = _package_name(file)
    try:
        return import_module(package) if package else _standalone(file)
    except NotAClaim as error:
        raise CannotLoad(f"{file}: {error}") from error
    except SyntaxError as error:
        raise CannotLoad(f"{file}, line {error.lineno}: {error.msg}.") from error
    except Exception as error:
        raise CannotLoad(f"{file} cannot be imported: {type(error).__name__}: {error}") from error


def _package_name(file: Path) -> str | None:
    """The dotted name of a file that lies in a package."""
    parts, folder = [file.stem], file.resolve().parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    if len(parts) == 1:
        return None
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return ".".join(parts)


def _standalone(file: Path) -> ModuleType:
    name = f"boundcheck_user_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise CannotLoad(f"{file} cannot be imported; is it a Python file?")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def select(claims: Sequence[Claim], wanted: Sequence[str]) -> list[Claim]:
    """Claims whose id is one of `wanted` or begins with it. Raises CannotLoad for a name that selects nothing."""
    chosen = {}
    for name in wanted:
        hits = [c for c in claims if c.id == name] or [c for c in claims if c.id.startswith(name + ".") or c.id.split(".", 1)[-1] == name]
        if not hits:
            raise CannotLoad(f"There is no claim '{name}'{_suggestion(name, claims)}; `boundcheck list` shows all.")
        chosen |= {c.id: c for c in hits}
    return [chosen[id] for id in sorted(chosen)]


def _suggestion(name: str, claims: Sequence[Claim]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, [c.id for c in claims], n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def rehearse(claims: Iterable[Claim], plan: Plan) -> list[str]:
    """Run each body once before anything is spent, and name the designs that are too weak to decide.

    Raises BrokenClaim, so that a run starts whole or not at all.
    """
    rehearsed = ((claim, [observe(claim, raw) for raw in draw_instances(claim.parameters, 2, 0)]) for claim in claims)
    return [sentence for claim, seen in rehearsed if (sentence := _too_weak(claim, seen, plan))]


def _too_weak(claim: Claim, seen: Sequence[list[Observation] | Skipped], plan: Plan) -> str | None:
    """Trials that never fail are the quickest to decide; if these are too many, nothing is decided by sampling."""
    sampled = [o for parts in seen if not isinstance(parts, Skipped) for o in parts if isinstance(o.pending, Chance) and not o.vacuous]
    needed = [trials_to_decide(allowed(o.pending), 0.0, plan.level) for o in sampled]
    if not needed or min(needed) <= plan.trials:
        return None
    return (
        f"{claim.id}: the design is too weak, deciding a chance this small takes {min(needed):,.0f} trials at the least and budget"
        f" {plan.name} makes {plan.trials:,}; take a larger --budget, or state it with a finite law."
    )


def judge_all(
    claims: Sequence[Claim], plan: Plan, start: Callable[[Claim], Start], workers: Workers, keep: Callable[[Claim, Verdict, float], None]
) -> Iterator[Claim]:
    """Judge in parallel; each verdict goes to `keep` as it comes, with its processor seconds, and its claim is yielded.

    Raises NoWorkers.
    """
    by_id = {claim.id: claim for claim in claims}
    tasks = {claim.id: (_judged, (claim.id, claim.file, plan, start(claim))) for claim in claims}
    for id, (verdict, seconds) in workers.results(tasks):
        keep(by_id[id], verdict, seconds)
        yield by_id[id]


def _judged(claim_id: str, file: str, plan: Plan, start: Start) -> tuple[Verdict, float]:
    """Judge one claim in whatever process this is, on one thread; the verdict and the processor seconds."""
    from threadpoolctl import threadpool_limits

    claim, began = next(c for c in load(file) if c.id == claim_id), time.process_time()
    with threadpool_limits(1):
        return _verdict(claim, plan, start), time.process_time() - began


def _verdict(claim: Claim, plan: Plan, start: Start) -> Verdict:
    """The verdict; a claim that cannot be judged to the end is inconclusive, so that the others go on."""
    plan = replace(plan, trials=plan.trials * min(start.run, MOST_PATIENT))
    try:
        return judge(claim, plan, start.alpha, start.known, before=start.before)
    except Exception as error:
        if interrupted(error):
            raise KeyboardInterrupt from error
        if isinstance(error, BrokenClaim):
            return broken(claim.id, f"the body fails: {error}", start.alpha, plan.level)
        return broken(claim.id, f"the engine fails on it: {type(error).__name__} {error}", start.alpha, plan.level)


__all__ = ["BrokenClaim", "CannotLoad", "Start", "StatesNothing", "judge_all", "load", "load_all", "rehearse", "select", "theory"]
