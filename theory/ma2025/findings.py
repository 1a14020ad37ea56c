"""What the statements of Ma et al. (2025) come to in numbers."""

from boundcheck.report.findings import Finding

from .findings_model import of_the_model
from .findings_risk import of_the_risk


def findings() -> list[Finding]:
    """Eleven tables: the model and its risk, then constants, Algorithm 1 and the paper's own widths."""
    return of_the_model() + of_the_risk()
