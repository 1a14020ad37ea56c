"""Instances in words."""

from boundcheck.report.row import LONGEST, spelled


def test_names_and_numbers_and_shapes():
    array = {"array": [[1.0, -0.5]], "shape": [1, 2], "kind": "f"}
    long = {"array": [[0.0] * 40] * 3, "shape": [3, 40], "kind": "f"}
    assert spelled({"n": 9, "x": 0.25, "A": array}) == "n = 9, x = 0.25, A = [[1, -0.5]]"
    assert spelled({"case": {"B": long, "lam": 1e-9}}) == "case = (B = array of shape 3 x 40, lam = 1e-09)"
    assert spelled({"F": [{"p": array}, 2, [0.5]]}) == "F = [(p = [[1, -0.5]]), 2, [0.5]]"
    assert len(spelled({f"name{k}": 1 / 3 for k in range(100)})) == LONGEST
