"""Each erratum is complete, and its lines of Python, run alone, end in an assertion that the printed statement fails."""

import ast
import tomllib
from pathlib import Path

import pytest

import theory
from boundcheck.words.loading import load

ROOT = Path(theory.__path__[0])
PAPERS = ("liu2020", "ma2025", "yashima2021")
SEVERITIES = {"misprint", "constant", "order", "hypothesis missing", "proof gap", "conclusion false"}
REQUIRED = {"id", "severity", "where", "printed", "counterexample", "python", "width", "harm", "argument", "repair"}
OPTIONAL = {"kind", "read_as", "conversion", "step", "repaired", "limit", "finding"}
LIBRARIES = {"fractions", "itertools", "math", "numpy", "scipy"}
READ = [
    (paper, entry)
    for paper in PAPERS
    for entry in tomllib.loads((ROOT / paper / "errata.toml").read_text(encoding="utf-8"))["erratum"]
]
ENTRIES = [pytest.param(*read, id=read[1]["id"]) for read in READ]


@pytest.fixture(scope="module")
def claims():
    return {paper: {claim.id for claim in load(ROOT / paper)} for paper in PAPERS}


@pytest.mark.parametrize(("paper", "entry"), ENTRIES)
def test_an_entry_is_complete(paper, entry, claims):
    assert set(entry) >= REQUIRED
    assert set(entry) <= REQUIRED | OPTIONAL
    assert entry["severity"] in SEVERITIES
    assert entry.get("kind", "erratum") in {"erratum", "remark"}
    assert all(str(text).strip() for text in entry.values())


@pytest.mark.parametrize(("paper", "entry"), ENTRIES)
def test_what_an_entry_names_exists(paper, entry, claims):
    repairs = entry["repair"] if isinstance(entry["repair"], list) else [entry["repair"]]
    step = [entry["step"]] if entry.get("step", "").startswith(f"{paper}.") else []
    assert {entry["id"], *repairs, *step} <= claims[paper]


@pytest.mark.parametrize(("paper", "entry"), ENTRIES)
def test_ten_lines_refute_what_is_printed(paper, entry):
    lines = entry["python"].strip().splitlines()
    tree = ast.parse(entry["python"])
    modules = {m for node in ast.walk(tree) for m in imported(node)}
    assert len(lines) <= 10
    assert modules <= LIBRARIES
    assert isinstance(tree.body[-1], ast.Assert)
    exec(compile(tree, entry["id"], "exec"), {"__name__": "erratum"})


def imported(node):
    """The top modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    return [(node.module or "").split(".")[0]] if isinstance(node, ast.ImportFrom) else []


def test_ids_are_named_once():
    ids = [entry["id"] for _, entry in READ]
    assert len(ids) == len(set(ids))
