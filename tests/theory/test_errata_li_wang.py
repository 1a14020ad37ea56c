"""Errata of Li et al. (2021) and Wang (2019): the entries are complete, name what exists, and their ten lines of Python agree."""

import tomllib
from pathlib import Path

import pytest

import theory
from boundcheck.suite import load

ROOT = Path(theory.__path__[0])
PAPERS = ("li2021", "wang2019")
SEVERITIES = {"misprint", "constant", "order", "hypothesis missing", "proof gap", "conclusion false"}
REQUIRED = {"id", "severity", "where", "printed", "counterexample", "python", "width", "harm", "argument"}
OPTIONAL = {"kind", "read_as", "conversion", "step", "repair", "repaired", "limit", "finding"}
ASYMPTOTIC = (r"\mathcal O(1/", r"\mathcal O\Big(\frac1", "o(1)", r"\Omega")


def entries(paper, name, key):
    return tomllib.loads((ROOT / paper / name).read_text(encoding="utf-8"))[key]


ERRATA = [pytest.param(e, id=e["id"]) for paper in PAPERS for e in entries(paper, "errata.toml", "erratum")]


@pytest.fixture(scope="module")
def known():
    return {claim.id: claim for paper in PAPERS for claim in load(ROOT / paper)}


@pytest.mark.parametrize("erratum", ERRATA)
def test_python_shows_that_the_printed_statement_fails(erratum):
    lines = erratum["python"].strip().splitlines()
    assert len(lines) <= 10
    assert lines[-1].startswith("assert ")
    exec(compile(erratum["python"], erratum["id"], "exec"), {})


@pytest.mark.parametrize("erratum", ERRATA)
def test_entry_is_complete_and_names_claims(erratum, known):
    assert set(erratum) >= REQUIRED
    assert set(erratum) <= REQUIRED | OPTIONAL
    assert erratum["severity"] in SEVERITIES
    assert erratum.get("kind", "erratum") in ("erratum", "remark")
    repairs = erratum.get("repair", [])
    assert {erratum["id"], *([repairs] if isinstance(repairs, str) else repairs)} <= set(known)
    step = erratum.get("step")
    assert step is None or step in known
    if "finding" in erratum:
        assert set(erratum["finding"]) == {"rank", "text"}


@pytest.mark.parametrize("erratum", ERRATA)
def test_limit_has_a_table(erratum):
    """The argument, then rows of numbers under a line of names."""
    if "limit" in erratum:
        rows = [line.split() for line in erratum["limit"].strip().splitlines()]
        assert sum(any(cell[0].isdigit() for cell in row[:2]) for row in rows) >= 2


@pytest.mark.parametrize("paper", PAPERS)
def test_statements_without_constants_have_a_limit(paper):
    """What is printed with an order and is no remark is refuted by an argument for the limit, not by a finite size."""
    exact = {"li2021.theorem20.scores", "li2021.table4.rr.poly"}
    for e in entries(paper, "errata.toml", "erratum"):
        if e.get("kind") != "remark" and e["id"] not in exact and any(word in e["printed"] for word in ASYMPTOTIC):
            assert "limit" in e, e["id"]


@pytest.mark.parametrize("paper", PAPERS)
def test_ids_that_claims_and_coverage_point_to_are_claims(paper, known):
    for claim in known.values():
        assert {s for s in claim.step_of if s.startswith(f"{paper}.")} <= set(known), claim.id
        assert claim.repairs is None or not claim.repairs.startswith(f"{paper}.") or claim.repairs in known, claim.id
    covered = entries(paper, "coverage.toml", "entry")
    assert {e["status"].removeprefix("same as ") for e in covered if e["status"].startswith("same as ")} <= set(known)
    named = [e["id"] for e in covered if e["status"] == "explicit form"]
    assert named
    assert not set(named) & set(known)
