"""An audit of a data set: which theorems hold there, how many features each demands, how many are needed."""

from importlib import import_module
from typing import TYPE_CHECKING

_EXPORTS = {
    "demand": "Demand Scene collected",
    "plan": "AuditPlan",
    "records": "to_json to_markdown",
    "run": "Audit audit",
}
_HOME = {name: module for module, names in _EXPORTS.items() for name in names.split()}

if TYPE_CHECKING:
    from boundcheck.audit.demand import Demand, Scene, collected
    from boundcheck.audit.plan import AuditPlan
    from boundcheck.audit.records import to_json, to_markdown
    from boundcheck.audit.run import Audit, audit

__all__ = ["Audit", "AuditPlan", "Demand", "Scene", "audit", "collected", "to_json", "to_markdown"]


def __getattr__(name: str) -> object:
    """Import on demand: the command in this package must not load NumPy to print its help."""
    if name in _HOME:
        return getattr(import_module(f"boundcheck.audit.{_HOME[name]}"), name)
    raise AttributeError(f"module 'boundcheck.audit' has no attribute {name!r}")
