"""Claims and coverage of each paper name each other without gaps (errata: test_errata.py)."""

import tomllib
from pathlib import Path

import pytest

import theory
from boundcheck.words.loading import load_claims

ROOT = Path(theory.__path__[0])
PAPERS = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))


def claims(paper):
    return {claim.id: claim for claim in load_claims(ROOT / paper)}


def entries(paper, name, key):
    return tomllib.loads((ROOT / paper / name).read_text(encoding="utf-8"))[key]


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_covered_by_an_entry_is_no_claim(paper):
    known, covered = claims(paper), entries(paper, "coverage.toml", "entry")
    assert len({e["id"] for e in covered}) == len(covered)
    assert not {e["id"] for e in covered} & set(known)
    assert {e["status"].removeprefix("same as ") for e in covered if e["status"].startswith("same as ")} <= set(known)
    assert all(e["reason"] and "/work" not in str(e) for e in covered)


@pytest.mark.parametrize("paper", PAPERS)
def test_steps_serve_what_the_paper_states_and_repairs_repair_claims(paper):
    """A statement without constants is no claim, and its proof may have steps that are."""
    known = claims(paper)
    stated = {*known, *(e["id"] for e in entries(paper, "coverage.toml", "entry"))}
    for claim in known.values():
        assert {id for id in claim.step_of if id.startswith(f"{paper}.")} <= stated, claim.id
        assert claim.repairs is None or claim.repairs in known, claim.id
