"""The pages agree with the program: links resolve, tables are whole, what is generated is up to date."""

import json
import re
import runpy
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

import boundcheck
from boundcheck.commands.main import main
from boundcheck.plugin.options import OPTIONS

from .pages import PAGES, ROOT, anchors, links

if not (ROOT / "docs").is_dir():
    pytest.skip("the documentation is not here", allow_module_level=True)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path):
    for target in links(page):
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(file), f"{page.name} links to {target}"


def test_the_index_leads_to_every_page():
    assert {p.name for p in (ROOT / "docs").glob("*.md")} - {"index.md"} <= set(links(ROOT / "docs/index.md"))


def test_the_readme_has_every_command():
    rows = "\n".join(line for line in text("README.md").splitlines() if line.startswith("| `"))
    for name in main.list_commands(None):  # type: ignore[arg-type]
        assert re.search(rf"`(boundcheck )?{name}\b", rows), name


def test_the_readme_of_a_package_index_leads_to_no_file_beside_it(monkeypatch):
    """With the address of a repository every link and picture leads there; the words are the same."""
    interface = ModuleType("hatchling.metadata.plugin.interface")
    interface.MetadataHookInterface = object  # type: ignore[attr-defined]  # the build has it, an environment need not
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    standalone, target = runpy.run_path(str(ROOT / "docs/on_pypi.py"))["standalone"], re.compile(r"\]\(([^)]*)\)")
    readme = text("README.md")
    alone, linked = standalone(readme, None), standalone(readme, "https://github.com/someone/boundcheck")
    files = [found for found in target.findall(readme) if not found.startswith("#")]
    assert "docs/pictures/page.png" in files
    assert all(found.startswith("#") for found in target.findall(alone))
    assert [f.partition("/HEAD/")[2] for f in target.findall(linked) if not f.startswith("#")] == files
    assert "\nAll errata of the five papers in `theory/` come with a certificate each.\n" in alone


def test_the_refutation_of_the_readme_is_the_one_that_is_committed():
    rows = {r["id"]: r for r in json.loads(text("reports/verdicts.json"))["claims"]}
    assert rows["li2021.lemma27"]["outcome"] == "REFUTED"
    assert rows["li2021.lemma27"]["reason"] in text("README.md")


def test_every_public_name_is_among_the_words():
    words = set(re.findall(r"\w+", text("docs/words.md")))
    assert set(boundcheck.__all__) <= words


def test_every_option_of_the_plugin_is_described():
    for name, option in OPTIONS.items():
        assert f"| `--boundcheck-{name}` | `boundcheck_{name}` | {option.default or 'none'} |" in text("docs/pytest.md")


def test_the_api_is_up_to_date():
    assert runpy.run_path(str(ROOT / "docs/make_api.py"))["api"]() == text("docs/api.md"), "run python docs/make_api.py"


def test_the_picture_of_the_rooms_is_up_to_date():
    drawing = runpy.run_path(str(ROOT / "docs/make_rooms.py"))["drawing"]()
    assert drawing == text("docs/rooms.svg"), "run python docs/make_rooms.py"


def test_the_modules_on_the_way_of_a_claim_exist():
    """A path starts at a room; a bare file name belongs to the room that its paragraph is about."""
    paths = re.findall(r"`([a-z]+/[a-z_/]*(?:\.py)?)`", text("docs/architecture.md"))
    assert len(paths) > 15
    for path in paths:
        assert any((ROOT / base / path).exists() for base in ("boundcheck", ".")), path


@pytest.mark.parametrize("page", ["docs/words.md", "docs/operations.md", "docs/language.md"])
def test_tables_of_what_there_is_are_up_to_date(page: str):
    assert runpy.run_path(str(ROOT / "docs/make_api.py"))["filled"](text(page)) == text(page), "run python docs/make_api.py"


def test_what_is_quoted_stands_in_the_sources():
    for file, quoted in re.findall(r"<!-- skip: (boundcheck/\S+) -->\n *```python\n(.*?)```", text("docs/operations.md"), re.S):
        assert textwrap.dedent(quoted) in text(file) or quoted in text(file), file


def test_the_errata_are_up_to_date(monkeypatch):
    from boundcheck.report.paper.forms import errata_text
    from boundcheck.report.reading import read

    monkeypatch.chdir(ROOT)
    written = errata_text(read(Path("reports/verdicts.json")), "markdown")
    assert written == text("docs/errata.md"), "run boundcheck report --errata -o docs/errata.md"


def test_the_citation_is_of_this_version():
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load(text("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["version"] == boundcheck.__version__
    assert citation["authors"] == [{"name": "The boundcheck developers"}]
    assert boundcheck.__version__ in text("CHANGELOG.md")
