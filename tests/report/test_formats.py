"""A format of one's own, by the documentation alone: one file, and one line of the table."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import boundcheck
from boundcheck.report.document import Document, json_text
from boundcheck.report.formats import markdown
from boundcheck.report.html import page
from boundcheck.report.reading import read
from tests.docs.pages import ROOT, blocks

from .reports import whole

PAGE = ROOT / "docs/reports_and_gate.md"
COMMAND = "import sys; from boundcheck.commands.main import main; main(sys.argv[1:])"


@pytest.mark.skipif(not PAGE.is_file(), reason="the documentation is not here")
def test_a_format_is_a_file_and_a_line(kept, tmp_path):
    without = shutil.ignore_patterns("__pycache__")
    ours = shutil.copytree(Path(boundcheck.__file__).parent, tmp_path / "boundcheck", ignore=without)
    (file,) = [block for block in blocks(PAGE) if block.file]
    (line,) = [block for block in blocks(PAGE) if block.mark.startswith("skip: a line of")]
    (tmp_path / str(file.file)).write_text(file.text)
    table = ours / "report" / "formats.py"
    text = table.read_text(encoding="utf-8").replace("FORMATS = {\n", "FORMATS = {\n" + line.text)
    table.write_text(text, encoding="utf-8")

    def report(*words: str) -> str:
        there = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", COMMAND, "report", str(kept), *words]
        done = subprocess.run(command, env=there, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    lines = [json.loads(text) for text in report("--format", "jsonlines").splitlines()]
    rows = whole()["claims"]
    assert [(row["id"], row["outcome"]) for row in lines] == [(r["id"], r["outcome"]) for r in rows]
    assert lines[0]["why"].endswith("at lam = 1, delta = 0.1")
    report("-o", str(tmp_path / "verdicts.jsonl"))
    assert (tmp_path / "verdicts.jsonl").read_text() == report("--format", "jsonlines")


@pytest.mark.skipif(not (ROOT / "reports/verdicts.json").is_file(), reason="the report is not here")
def test_the_committed_report_is_written_as_it_was_read():
    path = ROOT / "reports/verdicts.json"
    assert json_text(replace(read(path), rocq={})).encode() == path.read_bytes()


def test_a_report_is_the_same_after_a_round_trip(report):
    seen = [[10, 1, 0], [2.5, None]]
    left = {"instance": {"x": 0.5}, "part": 0, "sentence": "so many trials", "seen": seen}
    report["claims"][5]["evidence"] |= {"open": [left], "undecided": ["u"], "killed": ["k"]}
    once = Document.of_json(report)
    assert once.json() == report
    assert Document.of_json(json.loads(json_text(once))) == once


def test_what_a_summary_and_an_audit_say_is_not_believed(report):
    report["summary"] = dict.fromkeys(report["summary"], 0)
    steps = {"first": "mine.void", "refuted": ["mine.void"], "surviving": [], "open": []}
    report["audit"] = {"mine.open": steps}
    assert Document.of_json(report).json() == whole()


def test_a_claim_that_says_nothing_is_told_by_its_id_once():
    content = whole()
    for row in content["claims"]:
        row["summary"] = row["id"]
    report = Document.of_json(content)
    assert "| `mine.open` | " in markdown(report)
    assert '<code class="id">mine.open</code></span>' in page(report)
