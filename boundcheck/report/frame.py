"""The report as a pandas table: one row for each claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = "id kind outcome scope reason tightness killed twins satisfied searched trials source location".split()


def frame(report: dict[str, Any]) -> pd.DataFrame:
    """Verdicts by claim id: outcome, tightness, twins killed, instances, trials, provenance."""
    import pandas as pd

    rows = [{**r, **r["evidence"], "killed": sum(r["power"].values()), "twins": len(r["power"])} for r in report["claims"]]
    return pd.DataFrame(rows, columns=COLUMNS).set_index("id")
