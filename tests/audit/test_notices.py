"""What is odd about a data set is said in a sentence, what is not is not; and the last sentence says how many features to take."""

from dataclasses import replace

import numpy as np
import pytest

from boundcheck.features.audit import AuditPlan
from boundcheck.features.audit.records import conclusions
from boundcheck.features.audit.run import audit
from boundcheck.features.data import DataError, Sample, load
from boundcheck.features.data.table import notices

RNG = np.random.default_rng(3)
A, B, Y = RNG.normal(size=(3, 60))


def told(target="y", scaled=True, y=Y, **columns):
    """What is said of the columns, and of the target y (60,)."""
    return " ".join(notices(Sample("t", np.column_stack(list(columns.values())), y, tuple(columns), target), scaled))


def spiked(x, value=1e6, at=7):
    return np.where(np.arange(60) == at, value, x)


def test_nothing_is_said_of_ordinary_columns():
    flags, counts = (B > 0) * 1.0, RNG.integers(5, size=60) * 1.0
    assert told(a=A, b=B, flags=flags, counts=counts) == ""
    assert told(a=A, rare=spiked(0 * A, 1.0)) == ""  # a value and one exception leave nothing to squeeze
    assert told(a=A, tails=RNG.standard_t(4, size=60), exponential=RNG.exponential(size=60)) == ""


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"a": A, "k": 0 * A + 7}, "Column 'k' is constant: nothing depends on it."),
        ({"a": A, "k": 0 * A, "m": 0 * A + 0.1}, "Columns 'k', 'm' are constant"),
        ({"a": A, "b": A}, "'b' repeats 'a': it counts twice"),
        ({"a": A, "b": 32 + 1.8 * A}, "'b' repeats 'a'"),
        ({"a": 1e307 * A, "b": -1e-300 * A + 1e-300}, ""),
        ({"a": A, "b": Y}, "The target 'y' repeats the input 'b'"),
        ({"a": A, "id": np.arange(60.0) + 5}, "Column 'id' is the number of the row"),
        ({"a": spiked(A), "b": B}, "in 'a' 1e+06 leaves 59 of 60 values"),
        ({"a": spiked(A, -1e300), "b": B}, "in 'a' -1e+300 leaves 59 of 60 values"),
        ({"a": A, "1.5": B}, "though '1.5' is a number"),
        ({"0": A, "1": B}, ""),
        ({"0": A, "y2": B, "2": Y}, "The target 'y' repeats the input '2'"),
    ],
)
def test_each_oddity_is_a_sentence(columns, words):
    said = told(**columns)
    assert words in said
    assert said.count(". ") + said.endswith(".") == bool(said)


def test_the_target_too():
    assert "The target 'y' is constant (0.1)" in told(a=A, y=0 * Y + 0.1)
    assert "in 'y' 1e+06 leaves 59 of 60" in told(a=A, y=spiked(Y))
    assert "numbered from 0, and the target is '2'" in told("2", **{"0": A, "1": B})


def test_inputs_as_given_are_not_squeezed_by_a_scaling():
    assert told(scaled=False, a=spiked(A)) == ""
    assert "in 'y'" in told(scaled=False, a=spiked(A), y=spiked(Y))


@pytest.mark.parametrize("text", ["1,5;2\n2,5;3\n", "a;y\n1;2\n3;0,5\n", 'a,y\n"1,5","2,0"\n', "a\ty\n-1,5E3\t2\n"])
def test_decimal_commas_are_refused(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(DataError, match=r"has a decimal comma; save the file with decimal points\.$"):
        load(str(tmp_path / "t.csv"))


def test_decimal_commas_among_commas_are_suspected(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,5,2,5\n")
    with pytest.raises(DataError, match="4 cells, not 2; mend that row, or put decimal points for its commas"):
        load(str(tmp_path / "t.csv"))


def test_notices_come_with_the_conclusions_and_advice_comes_last(data, demands):
    result = audit(replace(data, X=np.column_stack([data.X, data.X[:, 0]]), columns=("a", "b", "c", "a2")), AuditPlan(lam=0.2), demands)
    said = conclusions(result)
    assert "'a2' repeats 'a'" in said[1]
    plain, leverage = (result.measured(sampling) for sampling in ("plain", "leverage"))
    assert plain is not None
    assert leverage is not None
    taken = f"Take about {plain.enough} plain or {leverage.enough} leverage features"
    assert said[-1].startswith(f"{taken} for eps = 0.5 with probability 0.95;")
    fewest = min(min(j.repaired.values()) for j in result.theorems if j.demand.spectral and j.demand.sampling == "leverage")
    assert said[-1].endswith(f" plain or {fewest:,.0f} leverage.")


def test_where_nothing_was_found_it_says_what_to_give(data, demands):
    said = conclusions(audit(data, AuditPlan(lam=0.2, trials=3), demands))[-1]
    assert said.startswith("How many features to take was not found out: give more --trials")
    assert conclusions(audit(data, AuditPlan(lam=0.2, trials=3), []))[-1].endswith("no theorem with that conclusion applies here.")
