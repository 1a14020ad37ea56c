"""Errata of the papers: their Python shows what they say, they are complete, and the claims that they name exist."""

import json
import re
from pathlib import Path
from threading import Thread

import pytest

import theory
from boundcheck.report.paper import tables
from boundcheck.report.paper.folders import read_errata, require_ranks
from boundcheck.words.loading import load_claims
from tests.report.incomplete import incomplete, is_new

ROOT = Path(theory.__path__[0])
FOLDERS = sorted(path.parent for path in ROOT.glob("*/__init__.py"))
ERRATA = {e.id: e for folder in FOLDERS for e in read_errata(folder)}
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


def test_the_findings_of_all_papers_have_places_of_their_own():
    require_ranks(ERRATA.values())


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
