"""The page: what it shows of each claim, that every text is escaped, and that it asks for nothing outside itself."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from boundcheck.checking.verdict import Outcome
from boundcheck.report.document import Document
from boundcheck.report.html import axis, drawing, numeral, page
from boundcheck.report.reading import read
from tests.docs.pages import ROOT

from .reports import CURVES, claim

HOSTILE = "</script><img src=x onerror=alert(1)>'\"&{{ 777 * 777 }}\u2028"


class Elements(HTMLParser):
    """The elements of a page, each with its attributes and the elements around it."""

    VOID = frozenset(("meta", "img", "input", "br", "link", "hr"))
    OPTIONAL = frozenset(("dt", "dd", "li", "p"))
    """Elements whose end HTML lets a writer leave out."""

    def __init__(self, text: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while (last := self.open.pop()) != tag:
            assert last in self.OPTIONAL

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def having(self, name: str) -> list[str]:
        return [value or "" for _, attrs in self.found for key, value in attrs.items() if key == name]

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for _, attrs in self.found if name in (attrs.get("class") or "").split()]


def test_the_page_is_well_formed_and_every_link_leads_somewhere(report):
    elements = Elements(page(Document.of_json(report)))
    assert elements.open == []
    ids = elements.having("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in elements.having("href")} <= set(ids)


def test_each_claim_is_there_with_its_verdict_and_its_statement(report):
    text = page(Document.of_json(report))
    elements = Elements(text)
    claims = [a for tag, a in elements.found if tag == "details" and "data-outcome" in a]
    ordered = sorted(report["claims"], key=lambda r: Outcome[r["outcome"]].place)
    assert [(a["id"], a["data-outcome"]) for a in claims] == [(r["id"], r["outcome"]) for r in ordered]
    assert claims[0]["data-outcome"] == "REFUTED"
    shown = "".join(elements.texts)
    for r in report["claims"]:
        assert r["summary"] in shown
        assert r["reason"] in shown
    assert "ℙ" in shown
    assert "⌈" in shown
    assert shown.count("first step that fails") == 1
    assert "As printed, and repaired" in shown
    assert "Repairs a claim that is false as printed" in shown


def test_each_claim_says_how_to_check_it_again(report):
    shown = "".join(Elements(page(Document.of_json(report))).texts)
    assert "boundcheck verify reports/certificates/doe2020.lemma1.json" in shown
    assert "boundcheck check doe2020.lemma1.repaired" in shown
    assert "boundcheck check mine.py" in shown
    report["claims"][0]["certificate"] = "a b; rm -rf x.json"
    assert "verify 'a b; rm -rf x.json'" in "".join(Elements(page(Document.of_json(report))).texts)


def test_a_page_of_all_claims_can_be_sent():
    """A few kilobytes a claim, formulas and curves included: seven hundred are about three megabytes."""
    report = read(ROOT / "reports/verdicts.json")
    assert len(page(report).encode()) < 90_000 + 4_250 * len(report.rows)


def test_nothing_is_asked_of_the_network(report):
    text = page(replace(Document.of_json(report), rates=tuple(CURVES)))
    elements = Elements(text)
    text = re.sub(r"url\(data:font/woff2;base64,[\w+/=]+\)", "", text, count=1)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    assert not elements.having("src")
    assert {tag for tag, _ in elements.found} & {"link", "img", "iframe", "object", "embed", "base"} == set()
    assert all(link.startswith("#") for link in elements.having("href"))


def spoiled(value: Any, keep: set[str]) -> Any:
    """Every text of a report made hostile, but those that must have a certain form."""
    if isinstance(value, dict):
        return {k: v if k in keep else spoiled(v, keep) for k, v in value.items()}
    if isinstance(value, list):
        return [spoiled(v, keep) for v in value]
    return value + HOSTILE if isinstance(value, str) else value


def test_every_text_is_escaped(report):
    keep = {"schema_version", "outcome", "scope", "log"}
    report["claims"] = [claim("a.b", "REFUTED", 1), claim("c.d", "HOLDS", 2)]
    hostile = json.loads(json.dumps(spoiled(report, keep)))
    for r in hostile["claims"]:
        for curve in r["curves"]:
            curve["kind"] = curve["kind"].removesuffix(HOSTILE)
        r["location"] = f"{HOSTILE}:1"
        r["power"] = {HOSTILE: True}
        r["statement"] = f'def f(x: "{HOSTILE}"):\n    """{HOSTILE}"""\n    return "{HOSTILE}"\n' if r["id"] == "a.b" else HOSTILE
    rated = replace(Document.of_json(hostile), rates=tuple(hostile["claims"][0]["curves"]))
    before, after = Elements(page(Document.of_json(report))), Elements(page(rated, title=HOSTILE))
    assert "img" not in {tag for tag, _ in after.found}
    assert [tag for tag, _ in after.found].count("script") == [tag for tag, _ in before.found].count("script") == 1
    assert not [key for _, attrs in after.found for key in attrs if key.startswith("on")]
    assert HOSTILE in "".join(after.texts)
    assert "603729" not in "".join(after.texts)


def test_the_script_is_the_one_that_the_policy_names(report):
    text = page(Document.of_json(report))
    policy = next(v for v in Elements(text).having("content") if "default-src" in v)
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[\w+/=]{44}'", policy)
    assert page(Document.of_json({**report, "claims": []})).count(re.findall(r"sha256-[\w+/=]{44}", policy)[0]) == 1


def test_a_keyboard_and_a_screen_reader_find_their_way(report):
    elements = Elements(page(Document.of_json(report)))
    assert elements.of_class("skip")[0]["href"] == "#claims"
    named = [a for tag, a in elements.found if tag in ("input", "select")]
    assert len(named) == 4
    assert all(a.get("aria-label") for a in named)
    assert all(a.get("aria-label") for _, a in elements.found if a.get("role") == "img")
    assert all(a.get("aria-pressed") == "true" for a in elements.of_class("toggle"))
    assert len(elements.of_class("toggle")) == 4
    assert next(a for tag, a in elements.found if tag == "html")["lang"] == "en"


def test_verdicts_differ_by_a_sign_and_not_by_colour_alone(report):
    text = page(Document.of_json(report))
    for name, sign in (("REFUTED", "✗"), ("HOLDS", "✓"), ("VACUOUS", "∅"), ("INCONCLUSIVE", "?")):
        assert f'<b class="badge {name}">{sign} {name}</b>' in text


def test_a_report_without_claims_has_a_page(report):
    assert Elements(page(Document.of_json({**report, "claims": []}))).open == []


def test_a_curve_is_drawn_from_left_to_right_with_gaps_and_a_band():
    drawn = drawing(CURVES[0])
    assert drawn is not None
    path = drawn["lines"][0]["path"]
    assert path.count("M") == 2  # the missing point breaks the line
    assert (drawn["lines"][0]["reference"], drawn["lines"][1]["reference"]) == (False, True)
    assert drawn["left"] < drawn["marker"] < drawn["right"]
    rate = drawing(CURVES[2])
    assert rate is not None
    assert rate["lines"][0]["band"].count(",") == 5  # the lower edge is straight
    assert rate["lines"][0]["band"].endswith("Z")


def test_a_plot_with_nothing_to_see_is_left_out():
    one_point: Any = {**CURVES[0], "series": [{"label": "failure probability", "x": [0.1, 0.1], "y": [0.2, 0.3]}]}
    same_all_along: Any = {**CURVES[1], "series": [{"label": "lam", "x": [1.0, 2.0], "y": [2.0, 2.0]}]}
    assert drawing(one_point) is None
    assert drawing(same_all_along) is None


def test_points_inside_a_straight_line_are_left_out_and_bends_are_kept():
    bent: Any = {**CURVES[2], "log": "", "series": [{"label": "a", "x": [0, 1, 2, 3, 4], "y": [0, 1, 2, 3, 0]}]}
    drawn = drawing(bent)
    assert drawn is not None
    path = drawn["lines"][0]["path"]
    assert path.count("L") == 2
    assert drawn["top"] == int(re.split("[,L]", path)[3])


def test_a_vacuity_map_joins_neighbours_in_one_state():
    series = [{"label": "eps", "x": [1, 2, 3, 4], "y": [0, 2, 2, 3]}]
    curve: Any = {**CURVES[1], "series": series}
    drawn = drawing(curve)
    assert drawn is not None
    runs = drawn["rows"][0]["runs"]
    assert [(r["state"], r["share"], r["text"]) for r in runs] == [
        (0, 1, "1: outside the hypotheses"), (2, 2, "2 to 3: says something"), (3, 1, "4: violated"),
    ]  # fmt: skip


@pytest.mark.parametrize("values", [[], [None], [0.0], [-1.0, -2.0]])
def test_a_logarithmic_axis_needs_something_positive(values):
    assert axis(values, True, 0, 1) is None


@pytest.mark.parametrize(("low", "high", "log"), [
    (1e-200, 1e200, True), (1e-14, 1e-10, True), (0.3, 0.31, True), (5, 5, True), (0, 0, False), (-3, 7, False), (1e9, 1e9 + 1, False),
    (5e-324, 1.7e308, False), (-1e308, 1e308, False), (1e-299, 1e299, True),
])  # fmt: skip
def test_an_axis_has_a_few_ticks_inside_its_range_in_order(low, high, log):
    found = axis([low, high], log, 10, 110)
    assert found is not None or abs(high) >= 1e300
    if found:
        pixels = [pixel for pixel, _ in found.ticks()]
        assert 1 <= len(pixels) <= 9
        assert pixels == sorted(pixels)
        assert 10 <= pixels[0] <= pixels[-1] <= 110


def test_numbers_on_axes_are_short():
    assert [numeral(v) for v in (0, 0.05, 200, 1e-6, 2.5e7, -1e-4)] == ["0", "0.05", "200", "10⁻⁶", "2.5·10⁷", "-1·10⁻⁴"]
