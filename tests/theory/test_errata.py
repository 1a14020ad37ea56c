"""Errata of the papers: their Python shows what they say, they are complete, and the claims that they name exist."""

import json
import re
from pathlib import Path
from threading import Thread

import pytest

import theory
from boundcheck.report.document import Document
from boundcheck.report.paper import refuted
from boundcheck.report.paper.blocks import Items, Paragraph, parts, tables
from boundcheck.report.paper.folders import read_errata
from boundcheck.report.paper.page import paper_page
from boundcheck.report.paper.slips import in_order, read_slips
from boundcheck.words.loading import load_claims
from tests.report.incomplete import incomplete, is_new

ROOT = Path(theory.__path__[0])
FOLDERS = sorted(path.parent for path in ROOT.glob("*/__init__.py"))
ERRATA = {e.id: e for folder in FOLDERS for e in read_errata(folder)}
SLIPS = [s for folder in FOLDERS for s in read_slips(folder).slips]
THEOREMS = [t for folder in FOLDERS for t in read_slips(folder).theorems]
SECONDS = 10


def run(text: str, seconds: float = SECONDS) -> str | None:
    """Run a few lines of Python in a namespace of their own; what goes wrong."""
    outcome = [f"takes more than {seconds} seconds"]

    def work() -> None:
        try:
            exec(compile(text, "<erratum>", "exec"), {"__name__": "erratum"})
            outcome[:] = []
        except BaseException as error:
            outcome[:] = [f"{type(error).__name__}: {error}"]

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    return outcome[0] if outcome else None


@pytest.mark.parametrize("id", [e.id for e in ERRATA.values() if e.python])
def test_the_python_of_an_erratum_shows_that_the_printed_statement_fails(id):
    assert run(ERRATA[id].python) is None


BLOCKS = {
    "import numpy as np\nassert np.linalg.norm([[5]]) > 4": None, "from math import exp\ndef f(x): return exp(x)\nassert f(1) > 2": None,
    "assert 4 >= 5": "AssertionError", "assert K > 4": "NameError", "1 / 0": "ZeroDivisionError", "raise SystemExit": "SystemExit",
    "while __name__ == 'erratum':\n    import time; time.sleep(.01); n = globals().get('n', 0) + 1\n    assert n < 200": "takes more than",
}  # fmt: skip


@pytest.mark.parametrize("text", BLOCKS)
def test_a_block_that_shows_nothing_is_found(text):
    outcome, expected = run(text, 0.5), BLOCKS[text]
    assert outcome is None if expected is None else (outcome or "").startswith(expected)


@pytest.mark.parametrize("id", [e.id for e in ERRATA.values() if is_new(e)])
def test_what_is_told_is_told_in_full(id):
    assert incomplete(ERRATA[id]) is None


@pytest.mark.parametrize("id", [e.id for e in ERRATA.values() if e.limit])
def test_a_limit_has_a_table_of_numbers(id):
    found = [piece for piece in tables(ERRATA[id].limit) if not isinstance(piece, str)]
    assert found
    assert all(re.search(r"\d", row[-1]) for rows in found for row in rows[1:])


def test_the_headlines_of_all_papers_have_places_of_their_own():
    assert [s.headline.rank for s in in_order(SLIPS) if s.headline] == list(range(1, 9))


def test_the_places_of_slips_have_an_entry_each_and_theorems_are_claims():
    """Every entry that is more than a slip of the pen or a remark is a place of a slip with a title."""
    known = {claim.id for folder in FOLDERS for claim in load_claims(folder)}
    assert {id for t in THEOREMS for id in t.claims} <= known
    places = [id for s in SLIPS for id in s.places]
    assert len(places) == len(set(places))
    assert set(places) <= set(ERRATA)
    grave = {e.id for e in ERRATA.values() if not e.is_remark and e.severity != "misprint"}
    assert grave <= set(places)


def test_errata_steps_and_repairs_are_claims():
    known = {claim.id for folder in FOLDERS for claim in load_claims(folder)}
    for e in ERRATA.values():
        named = {e.id, *e.repair, *filter(None, [e.step_claim])}
        assert named <= known, f"{e.id} names {', '.join(sorted(named - known))}, which no module states"


def test_what_has_an_entry_is_refuted_in_the_committed_report():
    """As far as the report is about the claims as they are stated now."""
    report = ROOT.parent / "reports" / "verdicts.json"
    if not report.is_file():
        pytest.skip("the report is not here")
    now = {claim.id: claim.fingerprint for folder in FOLDERS for claim in load_claims(folder)}
    rows = json.loads(report.read_text(encoding="utf-8"))["claims"]
    outcomes = {r["id"]: r["outcome"] for r in rows if r["fingerprint"] == now.get(r["id"])}
    assert {id: outcomes[id] for id in ERRATA if outcomes.get(id, "REFUTED") != "REFUTED"} == {}


def test_what_is_said_of_a_theorem_is_what_the_report_says():
    """One that stands is not refuted, one that fails or needs a change is, in itself or in a slip that touches it."""
    report = ROOT.parent / "reports" / "verdicts.json"
    if not report.is_file():
        pytest.skip("the report is not here")
    rows = json.loads(report.read_text(encoding="utf-8"))["claims"]
    false = {r["id"] for r in rows if r["outcome"] == "REFUTED"}
    for folder in FOLDERS:
        written = read_slips(folder)
        places = {s.id: set(s.places) for s in written.slips}
        for t in written.theorems:
            if t.stands in ("stands", "open"):
                assert not false & set(t.claims), t.name
            else:
                assert false & {*t.claims, *(id for slip in t.slips for id in places[slip])}, t.name


def words(line) -> str:
    """A line without marks: names of claims as they are written, and bare."""
    told = "".join(part if isinstance(part, str) else getattr(part, "name", "") for part in line)
    return re.sub(r"\s+", " ", re.sub(rf"`|\b({'|'.join(f.name for f in FOLDERS)})\.", "", told))


def test_readings_and_conversions_are_told_on_the_page():
    """What a person wrote of how a text is read, or of what a conversion lost, is not left out."""
    report = ROOT.parent / "reports" / "verdicts.json"
    if not report.is_file():
        pytest.skip("the report is not here")
    document = Document.of_json(json.loads(report.read_text(encoding="utf-8")))
    for folder in FOLDERS:
        paper = refuted(document, folder)
        lines = [b.line if isinstance(b, Paragraph) else () for b in paper_page(paper)]
        lines += [line for b in paper_page(paper) if isinstance(b, Items) for line in b.lines]
        page = "\n".join(map(words, lines))
        for e in (paper.errata[id] for id in paper.refuted if id in paper.errata):
            for note in filter(None, (e.read_as.strip(), e.conversion.strip())):
                assert words((note,)).rstrip(".") in page, f"{e.id}: {note}"


PLAIN = re.compile(r"\$|<=|>=|\^|~|\|\||(?<=\w)[_*]|\b(?:sqrt|lam|lambda|delta|eps|sigma|phi|omega)\b|\\[a-z]")


def test_formulas_of_errata_and_slips_are_marked():
    """Nothing is typeset but what stands between dollars, so that a formula outside of them is shown as it is written."""
    told = [(e.id, text) for e in ERRATA.values() for name, text in vars(e).items() if name not in ("id", "printed", "python")]
    told += [(s.id, text) for s in SLIPS for text in vars(s).values()] + [(t.name, text) for t in THEOREMS for text in (t.name, t.says)]
    told += [(s.id, s.headline.text) for s in SLIPS if s.headline]
    for id, text in told:
        if isinstance(text, str):
            rest = "".join(part for kind, part in parts(text) if kind == "text")
            assert not (found := PLAIN.search(re.sub(r"\b\w+(?:\.[\w-]+)+", "", rest))), f"{id}: {found}"


def test_errata_stand_in_the_folder_of_their_paper():
    for folder in FOLDERS:
        assert {e.id.split(".")[0] for e in read_errata(folder)} <= {folder.name}


def test_the_page_has_short_numbers_and_no_elided_arrays():
    page = ROOT.parent / "docs" / "errata.md"
    if not page.is_file():
        pytest.skip("the documentation is not here")
    text = page.read_text(encoding="utf-8")
    assert "array of shape" not in text
    told = re.sub(r"```.*?```", "", text, flags=re.S)
    assert max(map(len, re.findall(r"\d+\.\d+", told))) <= 12
