"""Wang (2019), Section 6, on any data: the distance of random features from kernel ridge regression."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME = {
    "SCALINGS": "plan",
    "Sweep": "result",
    "SweepPlan": "plan",
    "conclusions": "sentences",
    "median_interval": "median",
    "plot": "figure",
    "sweep": "run",
    "to_json": "records",
    "to_markdown": "records",
}

if TYPE_CHECKING:
    from boundcheck.sweep.figure import plot
    from boundcheck.sweep.median import median_interval
    from boundcheck.sweep.plan import SCALINGS, SweepPlan
    from boundcheck.sweep.records import to_json, to_markdown
    from boundcheck.sweep.result import Sweep
    from boundcheck.sweep.run import sweep
    from boundcheck.sweep.sentences import conclusions

__all__ = [
    "SCALINGS",
    "Sweep",
    "SweepPlan",
    "conclusions",
    "median_interval",
    "plot",
    "sweep",
    "to_json",
    "to_markdown",
]


def __getattr__(name: str) -> Any:
    """Import on demand: the command in this package must not load NumPy to print its help."""
    if name in _HOME:
        return getattr(import_module(f"boundcheck.sweep.{_HOME[name]}"), name)
    raise AttributeError(f"module 'boundcheck.sweep' has no attribute {name!r}")
