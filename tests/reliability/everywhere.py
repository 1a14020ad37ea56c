"""One suite on all kinds of machine: workers, backends, orders, caches and threads; the comparable part of the results is the same."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boundcheck.report.findings import Finding

from .kept import comparable
from .parts import Part
from .processes import PROGRAM, start

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
TARGETS = {
    "slice": (),
    "small": ("li2021.lemma27", "li2021.lemma24", "wang2019.eq31", "wang2019.lem3"),
    "full": ("li2021", "wang2019"),
}
"""Claims of theory/, judged beside those of mixed.py."""

PATIENCE = 3600.0


@dataclass(frozen=True)
class Machine:
    """A way to run: options of `check`, and the environment."""

    name: str
    options: tuple[str, ...] = ("--workers", "1")
    environment: dict[str, str] = field(default_factory=dict)


def machines(size: str, seed: int, cache: Path) -> Iterator[Machine]:
    """The plain run first; the others are compared with it."""
    yield Machine("1 worker")
    yield Machine("1 worker, claims in another order", environment={"BOUNDCHECK_ORDER": str(seed + 1)})
    if size == "slice":
        return
    yield Machine("loky, 2 workers, claims in a third order", ("--workers", "2"), {"BOUNDCHECK_ORDER": str(seed + 2)})
    yield Machine("loky, 2 workers", ("--workers", "2"))
    yield Machine("loky, 8 workers", ("--workers", "8"))
    yield Machine("Dask, 2 workers", ("--workers", "dask:2"))
    yield Machine("1 worker, Numba cache cold", environment={"NUMBA_CACHE_DIR": str(cache)})
    yield Machine("loky, 2 workers, Numba cache warm", ("--workers", "2"), {"NUMBA_CACHE_DIR": str(cache)})
    for count in "12":
        yield Machine(f"1 worker, {count} OpenMP, BLAS and Numba threads", environment=dict.fromkeys(THREADS, count))


def measure(size: str, seed: int) -> Part:
    """A row for each machine."""
    rows, failures, first = [], [], {}
    with tempfile.TemporaryDirectory() as folder:
        for k, machine in enumerate(machines(size, seed, Path(folder) / "numba")):
            made, fault = results(Path(folder) / f"m{k}", machine, TARGETS[size], cold=size != "slice")
            first = first or made
            differ = sorted(name for name in first.keys() | made.keys() if first.get(name) != made.get(name))
            failures += [f"{machine.name}: {fault}"] if fault else []
            failures += [f"{machine.name}: {', '.join(differ[:5])} differ"] if differ else []
            rows.append((machine.name, len(made), sum(map(len, made.values())), "no" if differ or fault else "yes" if k else "reference"))
    claims = " and of ".join(["tests/reliability/mixed.py", *TARGETS[size]])
    remark = f"The claims of {claims}, by a small plan; compared are the report without `volatile`, its Markdown, and every certificate."
    return Part([Finding("Comparable results, byte for byte", ("run", "files", "characters", "same"), rows, remark)], failures)


def results(folder: Path, machine: Machine, targets: tuple[str, ...], cold: bool) -> tuple[dict[str, str], str]:
    """The comparable part of a run, and what went wrong; new interpreters take the environment from their beginning."""
    arguments = ["check", str(PROGRAM.with_name("mixed.py")), *targets, "--reports", "r", *machine.options]
    end = start(arguments, folder, cold=cold, first=lambda: os.environ.update(machine.environment)).end(PATIENCE)
    if end.code != 1 or "Traceback" in end.said:
        return {}, f"it ended with {end.code}: {end.said[-300:]}"
    return comparable(folder), ""
