"""The gate: a report compared with a committed one; what got worse fails, unless it was accepted with a reason."""

from boundcheck.report.gate.accepted import Acceptance
from boundcheck.report.gate.comparison import Change, Comparison, compare

__all__ = ["Acceptance", "Change", "Comparison", "compare"]
