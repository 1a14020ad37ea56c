"""Ma et al. (2025): asymptotic theorems are no claims, and the findings are those of both modules."""

from pathlib import Path

import pytest

from boundcheck.words.loading import load_claims
from theory.ma2025.findings import findings
from theory.ma2025.findings_model import of_the_model
from theory.ma2025.findings_risk import of_the_risk

FOLDER = Path(__file__).parents[2] / "theory" / "ma2025"


@pytest.fixture(scope="module")
def claims():
    return {claim.id: claim for claim in load_claims(FOLDER)}


def test_asymptotic_theorems_are_not_claimed_under_their_own_id(claims):
    for name in ("theorem3.2", "theorem3.6", "corollary3.3", "corollary3.4", "corollary3.7", "corollary3.8", "lemmaE.2"):
        assert f"ma2025.{name}" not in claims
    assert "A reading" in claims["ma2025.theorem3.2.explicit"].body.__doc__


def test_findings_are_those_of_both_modules():
    assert [f.title for f in findings()] == [f.title for f in (*of_the_model(), *of_the_risk())]
