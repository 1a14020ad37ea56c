"""The documentation as a site: one strict build, and what the hooks of docs/site.py add to it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import ROOT

pytest.importorskip("mkdocs")
pytest.importorskip("latex2mathml")
if not (ROOT / "mkdocs.yml").is_file():
    pytest.skip("the documentation is not here", allow_module_level=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return folder


def test_formulas_of_the_errata_need_no_script(site: Path):
    page = (site / "docs/errata/index.html").read_text(encoding="utf-8")
    text = (ROOT / "docs/errata.md").read_text(encoding="utf-8")
    assert page.count("<math ") == text.count("```math") + text.count("$`") > 0


def test_a_link_to_a_line_of_a_module_leads_to_its_page_of_code(site: Path):
    page = (site / "docs/errata/index.html").read_text(encoding="utf-8")
    module, anchor = re.findall(r'href="\.\./\.\./(theory/[^"]*?)/#(L-0-\d+)"', page)[0]
    assert f'id="{anchor}"' in (site / module / "index.html").read_text(encoding="utf-8")


def test_certificates_and_the_page_of_all_verdicts_are_inside(site: Path):
    assert (site / "reports/certificates/li2021.lemma27.json").is_file()
    assert "li2021.lemma27" in (site / "page.html").read_text(encoding="utf-8")


def test_nothing_is_loaded_from_elsewhere(site: Path):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', text)
        assert not loaded, f"{page} loads {loaded}"
