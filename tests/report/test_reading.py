"""Reports from files: the published schema, older versions, newer ones, and files that are no reports."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from boundcheck.report.document import SCHEMA_VERSION, Document
from boundcheck.report.formats import FORMATS
from boundcheck.report.paper.forms import paper_text
from boundcheck.report.reading import (
    UPGRADES,
    CannotRead,
    Checked,
    digest,
    migrated,
    misfit,
    read,
    schema,
    text_of_record,
)
from boundcheck.report.terminal import terminal

from .reports import whole

JUNK = [None, True, -1, 10**299, 1e300, -0.5, "", "x", "</script>", "\x1b[31m\x00", [], {}, [[]], [{}], {"x": []}]


def refused(path: Path) -> str:
    """The one sentence that refuses a file."""
    with pytest.raises(CannotRead) as caught:
        read(path)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.startswith((str(path), "There is no report"))
    return sentence


def test_a_report_is_read_as_it_is(report, kept):
    assert read(kept).json() == report
    assert report["schema_version"] == SCHEMA_VERSION


def test_the_schema_describes_every_field_of_a_claim(report):
    known = schema()["$defs"]["claim"]["properties"]
    optional = {"shown", "sizes"}
    assert {*report["claims"][0], *optional} == set(known) == {*schema()["$defs"]["claim"]["required"], *optional}


def as_1_0(report: dict[str, Any]) -> dict[str, Any]:
    """The report as version 1.0 wrote it."""
    for r in report["claims"]:
        del r["statement"], r["curves"]
        r["repairs"] = r["repairs"][0] if r["repairs"] else None
    return {**report, "schema_version": "1.0"}


def test_an_older_report_is_migrated(report, kept):
    kept.write_text(json.dumps(as_1_0(json.loads(json.dumps(report)))))
    content = read(kept).json()
    assert content["schema_version"] == SCHEMA_VERSION
    assert [r["repairs"] for r in content["claims"]] == [r["repairs"] for r in report["claims"]]
    assert {r["statement"] for r in content["claims"]} == {""}


def test_every_older_version_leads_to_the_present_one():
    for version in UPGRADES:
        assert migrated({"schema_version": version, "claims": []})["schema_version"] == SCHEMA_VERSION


def test_a_newer_minor_version_is_read_and_a_newer_major_one_is_not(report, kept):
    newer = {**report, "schema_version": "1.999", "new": 1}
    kept.write_text(json.dumps(newer))
    assert read(kept).json() == report
    kept.write_text(json.dumps({**report, "schema_version": "2.0"}))
    assert refused(kept).endswith("was written by a newer boundcheck (schema 2.0); update boundcheck to read it.")


SPOILED = {
    "empty": b"", "half": b'{"schema_version": "1.1", "claims": [', "not text": b"\xff\xfe\x00", "deep": b"[" * 100_000,
    "a list": b"[]", "a number": b"7", "no version": b"{}", "odd version": b'{"schema_version": "one"}',
    "old": b'{"schema_version": "0.1"}',
    "only a version": b'{"schema_version": "1.1"}', "nan": b'{"schema_version": NaN}', "infinite": b'{"schema_version": "1.1", "x": 1e999}',
    "long number": b'{"schema_version": "1.1", "x": ' + b"9" * 5000 + b"}", "half a pair": b'{"schema_version": "1.1", "x": "\\ud800"}',
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILED)
def test_files_that_are_no_reports(tmp_path, name):
    path = tmp_path / "r.json"
    path.write_bytes(SPOILED[name])
    assert "run `boundcheck check` to make a new one" in refused(path)


def test_places_that_hold_no_file(tmp_path):
    assert "There is no report" in refused(tmp_path / "nowhere.json")
    assert "is not a boundcheck report" in refused(tmp_path)


def test_a_claim_that_is_there_twice(report, kept):
    report["claims"].append(report["claims"][0])
    kept.write_text(json.dumps(report))
    assert "doe2020.lemma1 is there twice" in refused(kept)


def test_the_sentence_names_the_place(report, kept):
    report["claims"][3]["outcome"] = "MAYBE"
    kept.write_text(json.dumps(report))
    assert "claims[3].outcome is 'MAYBE', not one of 'REFUTED', 'INCONCLUSIVE', 'VACUOUS', 'HOLDS'" in refused(kept)


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The place of every value inside another."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(inner, (*path, key))


def put(value: Any, path: tuple, junk: Any) -> Any:
    """A copy with one value replaced, or left out where the junk is `...`."""
    if not path:
        return junk
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1 and junk is ...:
        del copy[path[0]]
    else:
        copy[path[0]] = put(copy[path[0]], path[1:], junk)
    return copy


def render(content: dict[str, Any]) -> None:
    """All that a reader may do with a report."""
    document = Document.of_json(content)
    for form in FORMATS.values():
        assert form.render(document)
    assert len(terminal(document).splitlines()) == 2 + len(content["claims"])


def test_a_wrong_type_or_a_missing_field_anywhere_is_refused_or_read(report):
    few = {**report, "claims": report["claims"][:1]}
    wrong = 0
    for path in places(few):
        for junk in (*JUNK, ...):
            wrong += misfit(put(few, path, junk), schema()) is not None
    assert wrong > 1000


@seed(1)
@settings(max_examples=80, database=None, deadline=None)
@given(data=st.data())
def test_what_is_read_can_be_rendered(data):
    report = whole()
    report["claims"] = report["claims"][:3]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(report))))
        report = put(report, path, data.draw(st.sampled_from([*JUNK, ...]) | st.text(max_size=5) | st.floats(-2, 2)))
    if misfit(report, schema()) is None:
        render(report)


@pytest.fixture
def checked(kept: Path, tmp_path: Path, monkeypatch) -> Path:
    """A report whose two refutations have certificates, and a record that has checked the first."""
    monkeypatch.chdir(tmp_path)
    found = {}
    for name in ("doe2020.lemma1", "doe2020.step2"):
        path = Path("reports", "certificates", f"{name}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        found[path.name] = Checked(digest(path.read_bytes()), "", "no theorem", "a reason | of <b>it</b>")
    found["doe2020.lemma1.json"] = Checked(digest(b"doe2020.lemma1"), "0", "accepted", "", "8.16.1", 120)
    kept.with_name("rocq.json").write_text(text_of_record(found))
    return kept


def test_every_page_says_whether_a_proof_assistant_has_checked_a_refutation(checked):
    report = read(checked)
    assert report.rocq["doe2020.lemma1"] == "checked by Rocq 8.16.1"
    assert Document.of_json(report.json()).printable().rocq == report.rocq
    assert misfit(report.json(), schema()) is None
    for name in set(FORMATS) - {"terminal", "csv"}:
        page = FORMATS[name].render(report)
        assert "checked by Rocq 8.16.1" in page, name
        assert "not checked by Rocq: a reason" in page, name
        assert name == "json" or "<b>it</b>" not in page
    Path("theory/doe2020").mkdir(parents=True)
    Path("theory/doe2020/__init__.py").touch()
    text = paper_text(report, "doe2020", "markdown")
    assert "[`certificate`](certificates/doe2020.lemma1.json), checked by Rocq 8.16.1 |" in text
    assert "not checked by Rocq: a reason \\| of &lt;b>it&lt;/b>" in text


def test_a_record_of_other_bytes_is_not_shown(checked):
    Path("reports/certificates/doe2020.lemma1.json").write_text("changed")
    assert set(read(checked).rocq) == {"doe2020.step2"}
    Path("reports/certificates/doe2020.step2.json").unlink()
    assert read(checked).rocq == {}
    assert "Rocq" not in FORMATS["markdown"].render(read(checked))


@pytest.mark.parametrize("junk", ["", "[]", "{", '{"x": 5}', '{"doe2020.lemma1.json": {"outcome": []}}', '{"x": {"y": ""}}'])
def test_a_record_that_cannot_be_read_says_nothing(checked, junk):
    checked.with_name("rocq.json").write_text(junk)
    assert read(checked).rocq == {}


def test_what_a_report_says_itself_of_proof_assistants_is_not_believed(checked):
    checked.write_text(json.dumps(read(checked).json()))
    checked.with_name("rocq.json").unlink()
    assert read(checked).rocq == {}
