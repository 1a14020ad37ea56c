"""The gallery: theorems are not refuted, twins are, and pages, notebooks and index are those of the files of claims."""

import runpy
from typing import Any

import pytest

from boundcheck import check
from boundcheck.checking.judge import judge
from tests.docs.pages import ROOT

GALLERY = ROOT / "docs/gallery"
MAKE = runpy.run_path(str(ROOT / "docs/make_gallery.py"))
EXHIBITS = MAKE["exhibits"]()


def test_there_are_twelve_and_the_index_is_theirs():
    assert len(EXHIBITS) == 12
    assert (GALLERY / "index.md").read_text(encoding="utf-8") == MAKE["index"](), "run python docs/make_gallery.py"


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda e: e.path.stem)
def test_a_page_says_what_is_found(exhibit: Any):
    page, id = exhibit.path.with_suffix(".md").read_text(encoding="utf-8"), exhibit.theorem.id
    found = judge(exhibit.theorem, MAKE["LIGHT"], 1e-9).outcome.name
    assert f"{id}: {found}" in page or (found == "HOLDS" and f"{id}: PROVED" in page)
    assert check(exhibit.claims["twin"]).refuted
    assert f"{exhibit.path.stem}.twin: REFUTED" in page
    assert all(f"```python\n{part}\n```" in page for part in exhibit.code), "run python docs/make_gallery.py"
    assert exhibit.path.with_suffix(".ipynb").read_text(encoding="utf-8") == exhibit.notebook()
