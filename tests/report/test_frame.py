"""The report as a table."""

from boundcheck.report.formats import COLUMNS, frame

from .reports import document


def test_one_row_for_each_claim_with_its_numbers():
    table = frame(document())
    assert list(table.columns) == COLUMNS[1:]
    assert table.loc["mine.open", ["outcome", "killed", "twins", "satisfied"]].tolist() == ["INCONCLUSIVE", 1, 2, 50]
