"""`boundcheck report`: every format, written whole or not at all, one sentence for what cannot be done."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from boundcheck.commands.main import main
from boundcheck.report.document import Document
from boundcheck.report.formats import junit
from boundcheck.report.reading import SCHEMA


def command(*args: object) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, args)])


def assert_refused(result: Result, sentence: str) -> None:
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert sentence in " ".join(result.output.split())


def test_junit_counts_and_names(report):
    root = ElementTree.fromstring(junit(Document.of_json(report)))
    assert root.attrib == {"name": "boundcheck", "tests": "7", "failures": "2", "errors": "0", "skipped": "2"}
    assert [s.get("name") for s in root] == ["doe2020", "mine"]
    cases = {f"{c.get('classname')}.{c.get('name')}": c for c in root.iter("testcase")}
    assert list(cases) == [r["id"] for r in report["claims"]]
    failure = cases["doe2020.lemma1"].find("failure")
    assert failure is not None
    assert failure.get("message") == "because of doe2020.lemma1"
    assert "verify reports/certificates/doe2020.lemma1.json" in (failure.text or "")
    assert cases["mine.void"].find("skipped") is not None
    properties = {p.get("name"): p.get("value") for p in cases["doe2020.step1"].iter("property")}
    assert (properties["outcome"], properties["tightness"]) == ("HOLDS", "0.25")


def test_junit_of_hostile_texts_is_xml(report):
    report["claims"][0]["reason"] = "]]></failure>\x00\x1b[31m \ufffe\n<b>"
    failure = next(iter(ElementTree.fromstring(junit(Document.of_json(report))).iter("failure")))
    assert failure.get("message") == "]]></failure>\\x00\\x1b[31m \\xfffe\n<b>"


FORMATS = {"r.html": "<!DOCTYPE html>", "r.md": "# Verdicts", "r.xml": "<?xml", "r.json": "{", "r.csv": "id,", "r.txt": "claim  "}


@pytest.mark.parametrize("name", FORMATS)
def test_the_suffix_of_the_output_chooses_the_format(kept, tmp_path, name):
    output = tmp_path / "new" / name
    result = command(kept, "-o", output)
    assert (result.exit_code, result.output) == (0, f"Written: {output}\n")
    assert output.read_text(encoding="utf-8").startswith(FORMATS[name])
    assert [p.name for p in output.parent.iterdir()] == [name]


def test_what_is_printed_is_what_is_written(kept, tmp_path):
    for form in ("html", "markdown", "junit", "json", "csv"):
        command(kept, "--format", form, "-o", tmp_path / "out")
        assert command(kept, "--format", form).output == (tmp_path / "out").read_text(encoding="utf-8")
    assert "REFUTED" in command(kept).output


def test_the_schema_is_printed_as_published():
    assert command("--schema").output == SCHEMA.read_text(encoding="utf-8")
    assert json.loads(command("--schema").output)["$schema"].endswith("2020-12/schema")


def test_control_characters_do_not_reach_the_terminal(report, kept):
    report["claims"][0]["reason"] = "\x1b]0;title\x07 [bold]not markup[/bold] \\"
    kept.write_text(json.dumps(report))
    output = "".join(command(kept).output.split())
    assert "\x1b" not in output
    assert "\\x1b]0;title\\x07" in output.replace("│", "").replace("\n", "")


SWEEP = {
    "schema": "boundcheck-sweep-1", "data": "toy", "plan": {"kernel": "gaussian", "ridges": [1.0], "sizes": [16, 32, 64]},
    "scalings": ["unbiased"], "mse": [[[[0.4], [0.2], [0.1]]], [[[0.6], [0.3], [0.15]]]],
}  # fmt: skip


def test_the_page_shows_the_rates_of_a_sweep(kept, tmp_path):
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(SWEEP))
    text = command(kept, "--format", "html", "--sweep", path).output
    assert "toy, gaussian kernel, lam = 1/sqrt(n)" in text
    assert "class=band" in text
    assert_refused(command(kept, "--sweep", path), "--sweep goes with --format html")


def test_several_reports_are_a_history_and_only_the_page_shows_it(report, kept, tmp_path):
    older = tmp_path / "older.json"
    report["claims"][0]["outcome"], report["claims"][0]["tightness"] = "HOLDS", 0.5
    older.write_text(json.dumps(report))
    page = tmp_path / "page.html"
    assert command(older, kept, "-o", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "What changed" in text
    assert str(older) in text
    for words in ((), ("--format", "json"), ("--errata",)):
        assert command(older, kept, *words).exit_code == 2
    assert_refused(command(older, kept), "Several reports make a history, which the HTML page shows; add -o page.html.")


SPOILED = {
    "text": "x", "list": "[]", "deep": "[" * 100_000, "other": json.dumps({**SWEEP, "schema": "2"}),
    "ragged": json.dumps({**SWEEP, "mse": [[1], 2]}), "shape": json.dumps({**SWEEP, "mse": [1.0]}), 
    "words": json.dumps({**SWEEP, "mse": [[[["a"]]]]}), "zero": json.dumps({**SWEEP, "mse": []}),
    "sizes": json.dumps({**SWEEP, "plan": {**SWEEP["plan"], "sizes": [0, 1, 2]}}), "huge": json.dumps({**SWEEP, "mse": [[[[10**280]]]]}),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILED)
def test_a_sweep_that_cannot_be_used(kept, tmp_path, name):
    path = tmp_path / "sweep.json"
    path.write_text(SPOILED[name])
    assert_refused(command(kept, "--format", "html", "--sweep", path), "is not the JSON of a sweep")
    assert_refused(command(kept, "--format", "html", "--sweep", tmp_path / "none.json"), "There is no sweep")


@pytest.fixture
def doe(tmp_path: Path, monkeypatch) -> Path:
    """The folder of a paper, in a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "theory" / "doe2020"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""Doe (2020). On <lemmas>."""\n')
    return folder


def test_the_report_of_a_paper(doe, kept, tmp_path):
    (doe / "errata.toml").write_text(
        '[[erratum]]\nid = "doe2020.step2"\nseverity = "constant"\nargument = "A 2 is lost."\nrepair = "doe2020.gone"\n'
        '[[erratum]]\nid = "doe2020.step1"\nseverity = "misprint"\nargument = "It holds, so this is not shown."\n'
    )
    (doe / "coverage.toml").write_text('[[entry]]\nid = "doe2020.lemma9"\nstatus = "later"\nreason = "no constant | none"\n')
    result = command(kept, "--paper", "doe2020", "-o", tmp_path / "doe2020.md")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "doe2020.md").read_text(encoding="utf-8")
    assert text.startswith('<a id="doe2020"></a>\n\n# Doe (2020). On &lt;lemmas>.\n')
    assert "5 claims: 2 REFUTED, 3 HOLDS." in text
    assert "mine." not in text
    assert "[`certificate`](certificates/doe2020.lemma1.json)" in text
    assert "not shown" not in text
    slip, lemma = text.index('<a id="doe2020.step2"></a>'), text.index("## Not yet argued")
    assert slip < lemma < text.index("## Not stated as a claim")
    assert "A 2 is lost." in text[slip:lemma]
    assert "| `doe2020.lemma9` | later | no constant \\| none |" in text


def test_the_findings_of_a_paper(doe, kept):
    finding = 'Finding("How tight", ("n", "ratio"), [(1, 0.123456), (2, 1e-9)], "The ratio falls.")'
    (doe / "findings.py").write_text(f"from boundcheck.report.findings import Finding\n\ndef findings():\n    return [{finding}]\n")
    text = command(kept, "--paper", "doe2020").output
    assert "### How tight\n\n| n | ratio |\n| --- | --- |\n| 1 | 0.1235 |\n| 2 | 1e-09 |\n\nThe ratio falls.\n" in text


SPOILED_FILES = {
    "no toml": ("errata.toml", "[[erratum", "cannot be read"), "bytes": ("coverage.toml", "\udcff", "cannot be read"),
    "no list": ("errata.toml", "erratum = 1", "erratum is 1, not an array"), "no id": ("errata.toml", "[[erratum]]\nx = 1", "has no id"),
    "wrong type": ("coverage.toml", '[[entry]]\nid = 1\nstatus = ""', "entry[0].id is 1, not a string"),
    "wrong repair": ("errata.toml", '[[erratum]]\nid = ""\nseverity = "order"\nargument = ""\nrepair = [1]', "repair[0] is 1"),
    "strange entry": ("coverage.toml", '[[entry]]\nid = "a"\nstatus = ""\nwhy = ""', "'why', which is none of command, id"),
    "strange table": ("coverage.toml", "[[entries]]", "it has 'entries', where only [[entry]] is known"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILED_FILES)
def test_files_of_a_paper_that_cannot_be_used(doe, kept, name):
    file, text, sentence = SPOILED_FILES[name]
    (doe / file).write_text(text, encoding="utf-8", errors="surrogateescape")
    assert_refused(command(kept, "--paper", "doe2020"), sentence)


def test_papers_that_have_no_report(doe, kept):
    assert_refused(command(kept, "--paper", "roe2021"), "There is no paper 'roe2021' in theory; there is doe2020.")
    assert_refused(command(kept, "--paper", "../theory/doe2020"), "There is no paper")
    assert_refused(command(kept, "--paper", "doe2020", "--format", "json"), "The page of a paper is Markdown, LaTeX or HTML, not json")
    (doe.parent / "poe2022").mkdir()
    (doe.parent / "poe2022" / "__init__.py").write_text("def f(:")
    assert_refused(command(kept, "--paper", "poe2022"), "has no claim of poe2022; run `boundcheck check poe2022` first")
