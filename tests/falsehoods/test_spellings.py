"""What is said in other words means the same, and gets the same verdict."""

import ast
from pathlib import Path

import pytest

from boundcheck import Claim
from boundcheck.words.loading import load_claims

from .rewritings import REWRITINGS, spelled
from .spellings import Differs, Row, loaded, require_same, row, table
from .verdicts import HERE
from .written import written

STEADY = (
    ("famous_norms", "schoenberg"),
    ("famous_norms", "bohr"),
    ("famous_matrices", "trace_of_long_word"),
    ("famous_classics", "quartic_root_constant"),
    ("famous_extremes", "truncation_constant"),
    ("information", "shearer_constant"),
)
SAID = '''
import numpy as np

from boundcheck import PSD, Count, E, Family, P, Unit, Vector, at_most, integers, opnorm, quantity, theorem, trace

SCALE = 2.5


def half(x):
    y = x / 2
    return y


@theorem("sums of norms")
def norms(A: Family(PSD("d"), 2), k: Count, x: Vector("k"), t: Unit):
    """Half the norm of a sum."""
    both = A[0] + A[1] - 0 * t
    return at_most(half(opnorm(both)), SCALE * (trace(A[0]) + trace(A[1])) + np.sum(x**2) / k)


@theorem("sums")
def sums(x: Vector("n")):
    return at_most(np.sum(x), 1)


@theorem("coins")
def coins(n: integers(1, 5), p: Unit):
    flips = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(flips >= 1) <= n * p
'''


@pytest.fixture
def said(tmp_path: Path) -> dict[str, Claim]:
    file = tmp_path / "said.py"
    file.write_text(SAID)
    return {c.body.__name__: c for c in load_claims(file)}


@pytest.mark.parametrize(
    ("name", "how", "line"),
    [
        ("norms", "a family as parameters", "def norms(A0: PSD('d'), A1: PSD('d'), k: Count, x: Vector('k'), t: Unit):"),
        ("norms", "parameters in reverse", "def norms(t: Unit, x: Vector('k'), k: Count, A: Family(PSD('d'), 2)):"),
        ("norms", "parameters renamed", "def norms(v0: Family(PSD('d'), 2), v1: Count, v2: Vector('v1'), v3: Unit):"),
        ("norms", "sizes declared", "def norms(d: Count, A: Family(PSD('d'), 2), k: Count, x: Vector('k'), t: Unit):"),
        ("norms", "sizes named", "    k = x.shape[0]"),
        ("norms", "gram matrices", "    A = np.stack([X @ X.T for X in A_root])"),
        ("sums", "sides exchanged", "    return at_most(-1, -np.sum(x))"),
        ("norms", "summands in reverse", "    both = -(0 * t) + A[1] + A[0]"),
        ("norms", "both plus a quantity", "    added = np.sum(A)"),
        ("norms", "helpers inlined", "    y_1 = x_1 / 2"),
        ("norms", "a side as a helper", "def side(A, k, x):"),
        ("norms", "constants moved into the body", "    SCALE = 2.5"),
        ("coins", "sides exchanged", "    return n * p >= P(flips >= 1)"),
        ("coins", "complements of events", "    return P(~(flips >= 1)) >= 1 - n * p"),
        ("coins", "both times three", "    return 3 * P(flips >= 1) <= 3 * (n * p)"),
    ],
)
def test_other_words_say_the_same(said: dict[str, Claim], name: str, how: str, line: str, tmp_path: Path):
    other = spelled(written(said[name]), how)
    assert other is not None
    assert line in other.text().splitlines()
    require_same(said[name], loaded(other, said[name], tmp_path / "other"), other)


def test_constants_are_moved_where_they_are_mentioned(said: dict[str, Claim]):
    other = spelled(written(said["norms"]), "constants moved into the body")
    assert other is not None
    assert other.text().count("SCALE = 2.5") == 1


def test_a_way_that_does_not_apply_says_nothing(said: dict[str, Claim]):
    ways = ("a family as parameters", "gram matrices", "helpers inlined", "both squared", "constants moved into the body")
    assert [spelled(written(said["coins"]), how) for how in ways] == [None] * 5


@pytest.mark.parametrize("sides", ["1, np.sum(x)", "np.sum(x), 3", "np.sum(x) ** 2, 1", "-np.sum(x), 1"])
def test_another_statement_is_not_taken_for_the_same(said: dict[str, Claim], sides: str, tmp_path: Path):
    other = written(said["sums"])
    other.function.body[-1:] = ast.parse(f"return at_most({sides})").body
    with pytest.raises(Differs, match="of "):
        require_same(said["sums"], loaded(other, said["sums"], tmp_path / "other"), other)


def test_the_table_counts_verdicts_that_are_the_same():
    how, other = list(REWRITINGS)[:2]
    rows = [Row("a.b", "REFUTED", {how: "REFUTED", other: "HOLDS"}), Row("a.c", "HOLDS", {how: "REFUTED"}, {other: "no | sense"})]
    lines = table(rows).splitlines()
    assert lines[0].startswith("2 statements in 3 other spellings: **33.3 %**")
    assert lines[1].startswith("All verdicts agree for 0 of 2")
    assert f"| {how} | 2 | 1 | 1 | 0 |" in lines
    assert f"| {other} | 1 | 0 | 0 | 1 |" in lines
    assert f"| a.b | REFUTED | {other}: HOLDS |" in lines
    assert f"| a.c | {other} | no / sense |" in lines


@pytest.mark.parametrize(("field", "name"), STEADY)
def test_verdicts_are_the_same_in_all_spellings(field: str, name: str):
    claim = next(c for c in load_claims(HERE / f"{field}.py") if c.body.__name__ == name)
    found = row(claim)
    assert not found.faults
    assert len(found.others) >= 6
    assert set(found.others.values()) == {found.plain} == {"REFUTED"}
