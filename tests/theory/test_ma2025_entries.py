"""Ma et al. (2025): claims, coverage and errata name each other without gaps, and a false statement has a proved repair."""

import tomllib
from pathlib import Path

import pytest

from boundcheck.suite import load
from theory.ma2025.findings import findings
from theory.ma2025.findings_model import of_the_model
from theory.ma2025.findings_risk import of_the_risk

FOLDER = Path(__file__).parents[2] / "theory" / "ma2025"
STATUSES = {"asymptotic", "definition", "experiment", "not checkable", "procedure", "remark"}


@pytest.fixture(scope="module")
def claims():
    return {claim.id: claim for claim in load(FOLDER)}


def entries(name, key):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))[key]


def test_an_entry_is_no_claim_and_says_why():
    covered = entries("coverage.toml", "entry")
    assert {e["status"] for e in covered} <= STATUSES
    assert all(e["reason"].endswith(".") and "/work" not in str(e) for e in covered)
    assert len({e["id"] for e in covered}) == len(covered)


def test_no_id_is_both_claimed_and_excused(claims):
    assert not {e["id"] for e in entries("coverage.toml", "entry")} & set(claims)


def test_asymptotic_theorems_are_not_claimed_under_their_own_id(claims):
    for name in ("theorem3.2", "theorem3.6", "corollary3.3", "corollary3.4", "corollary3.7", "corollary3.8", "lemmaE.2"):
        assert f"ma2025.{name}" not in claims
    assert "A reading" in claims["ma2025.theorem3.2.explicit"].body.__doc__


def test_steps_and_repairs_name_claims(claims):
    for claim in claims.values():
        assert {*claim.step_of, *([claim.repairs] if claim.repairs else [])} <= set(claims), claim.id


def test_errata_name_claims_and_their_repairs(claims):
    for erratum in entries("errata.toml", "erratum"):
        assert {erratum["id"], erratum["repair"]} <= set(claims)
        assert erratum["severity"] in {"misprint", "constant", "hypothesis missing", "conclusion false"}


def test_findings_are_those_of_both_modules():
    assert [f.title for f in findings()] == [f.title for f in (*of_the_model(), *of_the_risk())]
