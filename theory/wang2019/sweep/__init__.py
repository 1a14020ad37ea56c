"""Wang (2019), Section 6, on any data: the distance of random features from kernel ridge regression."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME = {
    "SCALINGS": "plan",
    "Sweep": "result",
    "SweepPlan": "plan",
    "conclusions": "sentences",
    "median_interval": "median",
    "plot": "records",
    "sweep": "run",
    "to_json": "records",
    "to_markdown": "records",
}

if TYPE_CHECKING:
    from theory.wang2019.sweep.median import median_interval
    from theory.wang2019.sweep.plan import SCALINGS, SweepPlan
    from theory.wang2019.sweep.records import plot, to_json, to_markdown
    from theory.wang2019.sweep.result import Sweep
    from theory.wang2019.sweep.run import sweep
    from theory.wang2019.sweep.sentences import conclusions

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
        return getattr(import_module(f"theory.wang2019.sweep.{_HOME[name]}"), name)
    raise AttributeError(f"module 'theory.wang2019.sweep' has no attribute {name!r}")
