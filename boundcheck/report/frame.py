"""The report as a pandas table and as CSV: one row for each claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report.document import Document
from boundcheck.report.printable import cell

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "id kind outcome scope reason tightness killed twins satisfied searched trials source location"
).split()


def frame(report: Document) -> pd.DataFrame:
    """Verdicts by claim id: outcome, tightness, twins killed, instances, trials, provenance."""
    import pandas as pd

    rows = [(r.json(), {"killed": sum(r.power.values()), "twins": len(r.power)}) for r in report.rows]
    cells = [{**row, **row["evidence"], **counts} for row, counts in rows]
    return pd.DataFrame(cells, columns=COLUMNS).set_index("id")


def csv(report: Document) -> str:
    """The table with no cell that a spreadsheet would compute."""
    table = frame(report)
    return table.set_axis(table.index.map(cell)).map(cell).to_csv(index_label="id")
