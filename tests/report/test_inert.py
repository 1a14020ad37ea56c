"""Texts of a report that another program would obey: escapes, formulas, links, markup, in every format."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from boundcheck.commands.main import main
from boundcheck.report import cell, printable
from boundcheck.report.document import Document
from boundcheck.report.formats import markdown, prose

FIELDS = ("id", "reason", "summary", "source", "instance", "statement", "location", "certificate")
HOSTILE = {
    "escape": "\x1b]0;owned\x07\x1b[2J", "c1": "\x9b31m", "backspace": "\x08\x08ok", "return": "ok\rREFUTED", "turned": "\u202eevil\u2066",
    "hidden": "a\u200bb\ufeff", "separator": "a\u2028b", "formula": '=HYPERLINK("http://e.x")', "plus": "+1+cmd|' /C calc'!A0",
    "minus": "-2+3", "at": "@SUM(1)", "tab": "\t=1", "return formula": "\r=1", "space formula": " =1", "wide formula": "＝1",
    "link": "[click](http://e.x)", "image": "![x](http://e.x/y.png)", "bare link": "see http://e.x or www.e.x or a@e.x",
    "html": "<img src=x onerror=alert(1)>",
    "pipe": "a | b | c", "backticks": "``` `x` ```", "newline": "a\n\n# title\n* item", "entity": "&lt;b&gt;",
}  # fmt: skip


HEADINGS = {"# Verdicts", *(f"## {x}" for x in (
    "Not judged: the text fails", "Where the proofs fail", "Repairs", "Re-check the refutations"))}  # fmt: skip


def spoiled(report: dict[str, Any], text: str) -> dict[str, Any]:
    """The report with the text in every field of its first claim, and in what is broken."""
    first = report["claims"][0]
    first |= {name: text if name != "location" else f"{text}:3" for name in FIELDS}
    return {**report, "broken": {f"x{text}": text}, "plan": {**report["plan"], "name": text}}


def command(kept: Path, form: str) -> Result:
    result = CliRunner().invoke(main, ["report", str(kept), "--format", form])
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize("form", ["terminal", "markdown", "json", "csv", "junit", "html"])
@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_that_a_terminal_obeys_leaves_in_any_format(report, kept, name, form):
    kept.write_text(json.dumps(spoiled(report, HOSTILE[name])))
    assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]", command(kept, form).output) is None


@pytest.mark.parametrize("name", HOSTILE)
def test_no_cell_of_the_table_is_a_formula(report, kept, name):
    kept.write_text(json.dumps(spoiled(report, HOSTILE[name])))
    cells = [entry for line in csv.reader(io.StringIO(command(kept, "csv").output)) for entry in line]
    assert not [entry for entry in cells if re.match(r"\s*[=+\-@＝]|[\t\r]", entry)]
    assert len({len(line) for line in csv.reader(io.StringIO(command(kept, "csv").output))}) == 1


def test_numbers_stay_numbers_in_the_table():
    assert [cell(x) for x in (-0.5, 3, None, True, "-0.5", "lhs - rhs")] == [-0.5, 3, None, True, "'-0.5", "lhs - rhs"]


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_stays_a_table_without_links_or_markup(report, name):
    text = markdown(Document.of_json(spoiled(report, HOSTILE[name])))
    outside = re.sub(r"`[^`\n]*`", "", text.split("## Re-check")[0])
    assert re.search(r"(?<!\\)\]\(|https?://|www\.|\w@\w|<[a-z/]", outside) is None
    rows = [line for line in text.split("## ")[0].splitlines() if line.startswith("| `") or line.startswith("| claim")]
    assert len(rows) == 1 + len(report["claims"])
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {6}
    assert {line for line in text.splitlines() if line.startswith("#")} <= HEADINGS
    assert text.count("```") == 2


@pytest.mark.parametrize("name", HOSTILE)
def test_prose_can_be_read(name):
    shown = prose(HOSTILE[name])
    assert "\n" not in shown
    for word in re.findall(r"[a-z]{3,}", printable(HOSTILE[name])):
        assert word in shown.replace("&lt;", "<")


def test_junit_calls_what_is_broken_an_error(report, kept):
    report["broken"] = {"mine.open": "it fails", "bad.py": "line 1: invalid syntax."}
    kept.write_text(json.dumps(report))
    root = ElementTree.fromstring(command(kept, "junit").output)
    assert root.attrib == {"name": "boundcheck", "tests": "8", "failures": "2", "errors": "2", "skipped": "1"}
    errors = {case.get("name"): error.get("message") for case in root.iter("testcase") for error in case.iter("error")}
    assert errors == {"open": "it fails", "bad.py": "line 1: invalid syntax."}


def test_a_summary_that_does_not_fit_is_not_shown(report, kept):
    report["summary"] = {"REFUTED": 0, "INCONCLUSIVE": 0, "VACUOUS": 0, "HOLDS": 7}
    kept.write_text(json.dumps(report))
    for form in ("terminal", "markdown"):
        assert "2 REFUTED" in command(kept, form).output
