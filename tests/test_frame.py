"""The report as a table."""

from boundcheck.report.frame import COLUMNS, frame


def test_one_row_for_each_claim_with_its_numbers():
    evidence = {"satisfied": 3, "searched": 5, "trials": 0}
    row = {
        "id": "a.b", "kind": "lemma", "outcome": "HOLDS", "scope": "population", "reason": "r", "tightness": 0.5, "source": "s",
        "location": "f.py:1", "evidence": evidence, "power": {"x 0.5": True, "x 0.9": False},
    }  # fmt: skip
    table = frame({"claims": [row]})
    assert list(table.columns) == COLUMNS[1:]
    assert table.loc["a.b", ["killed", "twins", "satisfied"]].tolist() == [1, 2, 3]
