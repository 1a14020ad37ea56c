"""The page in a real browser: it opens offline, filters, searches, obeys the keyboard, and fits a phone in dark and light."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boundcheck.report.document import Document
from boundcheck.report.html import page
from boundcheck.report.paper.forms import errata_text
from boundcheck.report.reading import read
from tests.docs.pages import ROOT

from .browser import CHROMIUM, Browser
from .reports import CURVES, whole

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium")
HOSTILE = "</script><img src=x onerror=document.title='taken'>"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    one = Browser(tmp_path_factory.mktemp("profile"))
    yield one
    one.close()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    content = whole()
    content["claims"][2]["reason"] = content["claims"][2]["summary"] = HOSTILE
    path = tmp_path_factory.mktemp("page") / "verdicts.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boundcheck.report.html.FEW", 6)
        path.write_text(page(replace(Document.of_json(content), rates=tuple(CURVES))), encoding="utf-8")
    return path.as_uri()


def shown(browser: Browser) -> list[str]:
    """Ids of the claims that are not filtered out, in order."""
    return browser.run("[...document.querySelectorAll('.claim')].filter(c => c.offsetParent !== null).map(c => c.id)")


FOCUSED = "(document.activeElement.closest('.claim') || document.activeElement).id"


def focused(browser: Browser) -> str:
    return browser.run(FOCUSED)


def test_it_opens_without_a_complaint_and_without_the_network(browser, url):
    browser.open(url)
    assert len(shown(browser)) == 7
    assert browser.run("document.title") == "Verdicts · boundcheck"
    assert browser.complaints() == []
    assert [r for r in browser.requests() if r != url and not r.startswith("data:font/")] == []


def test_search_and_filters(browser, url):
    browser.open(url)
    browser.press("/")
    assert focused(browser) == "search"
    browser.press(*"mine")
    assert shown(browser) == ["mine.void", "mine.open"]
    assert browser.run("document.querySelector('.shown').textContent") == "2 of 7 claims"
    browser.run("document.querySelector('.toggle[data-outcome=VACUOUS]').click()")
    assert shown(browser) == ["mine.open"]
    browser.press("Escape")
    assert len(shown(browser)) == 6
    choose = "(id, value) => { const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event('change')); }"
    browser.run(f"({choose})('kind', 'step')")
    assert shown(browser) == ["doe2020.step2", "doe2020.step1", "doe2020.step3"]
    browser.run(f"({choose})('order', 'name')")
    assert shown(browser) == ["doe2020.step1", "doe2020.step2", "doe2020.step3"]
    browser.run(f"({choose})('paper', 'mine')")
    assert shown(browser) == []
    browser.run("document.getElementById('reset').click()")
    assert len(shown(browser)) == 7


def test_an_exact_label_leads_and_the_order_comes_back(browser, url):
    browser.open(url)
    before = shown(browser)
    write = "value => { const e = document.getElementById('search'); e.value = value; e.dispatchEvent(new Event('input')); }"
    for label, found in [("doe2020.lemma1.repaired", ""), ("step1", "doe2020."), ("STEP2", "doe2020.")]:
        browser.run(f"({write})('{label}')")
        assert shown(browser)[0] == found + label.lower()
    browser.run(f"({write})('lemma1')")
    assert shown(browser)[0] == "doe2020.lemma1"
    browser.run(f"({write})('')")
    assert shown(browser) == before


def test_a_question_mark_shows_the_keys(browser, url):
    browser.open(url)
    browser.press("?")
    assert browser.run("document.getElementById('keys').open") is True
    browser.run("document.querySelector('#keys button').click()")
    assert browser.run("document.getElementById('keys').open") is False


@pytest.mark.parametrize("width", [900, 390])
def test_the_errata_of_all_papers_fit_the_window(browser, tmp_path, width):
    path: Path = tmp_path / "errata.html"
    path.write_text(errata_text(read(ROOT / "reports/verdicts.json").printable(), "html"), encoding="utf-8")
    browser.open(path.as_uri(), width, 800)
    assert browser.complaints() == []
    assert browser.run("document.documentElement.scrollWidth") <= width
    beyond = "e => e.getBoundingClientRect().right > innerWidth && !e.closest('pre, .display, .wide, .long')"
    wide = f"[...document.querySelectorAll('main *')].filter({beyond}).map(e => e.outerHTML.slice(0, 80))"
    assert browser.run(wide) == []


ADDRESS = "decodeURIComponent(location.hash)"


def test_the_address_keeps_filter_search_and_claim_and_the_way_back(browser, url):
    browser.open(url)
    assert shown(browser)[:2] == ["doe2020.lemma1", "doe2020.step2"]
    browser.run("document.querySelector('.total.REFUTED a').click()")
    assert browser.until("document.querySelector('.shown').textContent", "2 of 7 claims") == "2 of 7 claims"
    browser.run("document.querySelector('.toggle[data-outcome=HOLDS]').click()")
    browser.press("/", *"step")
    assert len(shown(browser)) == 3
    browser.run("document.querySelector('#doe2020\\\\.step2 summary').click()")
    wanted = "#doe2020.step2?verdict=REFUTED+HOLDS&q=step"
    assert browser.until(ADDRESS, wanted) == wanted
    browser.run("history.back()")
    assert browser.until("document.querySelectorAll('.claim[open]').length", 0) == 0
    assert len(shown(browser)) == 3
    browser.run("history.back()")
    assert browser.until("document.querySelector('.shown').textContent", "2 of 7 claims") == "2 of 7 claims"
    browser.open(f"{url}{wanted}")
    assert browser.until(FOCUSED, "doe2020.step2") == "doe2020.step2"
    assert len(shown(browser)) == 3
    assert browser.run("document.getElementById('search').value") == "step"


def test_the_graph_is_walked_with_arrows(browser, url):
    browser.open(url)
    walked = "document.activeElement.textContent"
    browser.run("document.querySelector('.node').focus()")
    assert browser.run(walked) == "lemma1"
    browser.press("ArrowRight", "ArrowDown")
    assert browser.run(walked) == "step2fails first"
    browser.press("ArrowLeft")
    assert browser.run(walked) == "lemma1"
    browser.press("ArrowRight", "ArrowDown", "Enter")
    assert browser.until(FOCUSED, "doe2020.step2") == "doe2020.step2"


def test_a_verdict_is_a_sign_with_its_name_for_those_who_do_not_see_it(browser, url):
    browser.open(url)
    content = "getComputedStyle(document.querySelector('{}'), '::before').content"
    refuted = ".node.REFUTED", ".chip.REFUTED", ".claim[data-outcome=REFUTED] > summary", ".ref.REFUTED", ".glyph.REFUTED"
    assert {browser.run(content.format(e)) for e in refuted} == {'"✗" / "REFUTED"'}
    assert browser.run(content.format(".chip.HOLDS")) == '"✓" / "HOLDS"'


def test_the_keyboard(browser, url):
    browser.open(url)
    browser.press("j", "j")
    assert focused(browser) == "doe2020.step2"
    browser.press("Enter")
    assert browser.run("document.getElementById('doe2020.step2').open") is True
    browser.press("Escape", "k")
    assert focused(browser) == "doe2020.lemma1"
    assert browser.run("document.querySelectorAll('.claim[open]').length") == 0


def test_the_squares_are_one_stop_each_group_and_lead_to_their_claims(browser, url):
    browser.open(url)
    browser.run("document.querySelector('.chip').focus()")
    browser.press("ArrowRight", "Enter")
    assert browser.until(FOCUSED, "doe2020.lemma1.repaired") == "doe2020.lemma1.repaired"
    assert browser.run("document.getElementById('doe2020.lemma1.repaired').open") is True
    stops = "g => [...g.querySelectorAll('.chip')].filter(c => c.tabIndex === 0).length"
    groups = browser.run(f"[...document.querySelectorAll('[data-roving]')].map({stops})")
    assert set(groups) == {0, 1}


def test_a_link_opens_its_claim_and_shows_it_typeset(browser, url):
    browser.open(f"{url}#doe2020.lemma1")
    assert browser.until(FOCUSED, "doe2020.lemma1") == "doe2020.lemma1"
    look = "e => [e.getBoundingClientRect().width, getComputedStyle(e).display]"
    size = browser.run(f"({look})(document.querySelector('.claim[open] dd math'))")
    assert size[0] > 20
    assert size[1] == "math"
    assert browser.run("document.querySelectorAll('.claim[open] figure svg path.line').length") >= 2
    repaired = "document.querySelectorAll('.claim[open] .beside .typeset').length"
    assert browser.until(repaired, 2) == 2


def test_brackets_and_roots_stretch_by_the_font_of_the_page(browser, url):
    browser.open(f"{url}#doe2020.lemma1")
    assert browser.run("document.fonts.load('1em \"boundcheck math\"').then(found => found.length)") == 1
    tall = "Math.max(...[...document.querySelectorAll('.claim[open] mo')].map(e => e.getBoundingClientRect().height))"
    assert browser.run(tall) > 1.6 * browser.run("document.querySelector('.claim[open] mi').getBoundingClientRect().height")


TEXTS = ".lede", ".claim[open] .reason", ".claim[open] .meta", ".badge.REFUTED", ".chip.HOLDS", ".chip.REFUTED", ".tick", "pre"


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (390, False), (390, True), (320, False)])
def test_it_fits_the_window_and_can_be_read(browser, url, tmp_path, width, dark):
    browser.open(f"{url}#doe2020.lemma1", width, 800, dark)
    assert browser.run("document.documentElement.scrollWidth") <= width
    for selector in TEXTS:
        assert browser.run(f"({CONTRAST})({json.dumps(selector)})") >= 4.5, selector
    browser.picture(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 10_000


def test_boxes_stand_apart(browser, url):
    browser.open(url)
    edges = "(selector, side) => [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect()[side])"
    assert min(browser.run(f"({edges})('.total', 'top')")) - max(browser.run(f"({edges})('.paper', 'bottom')")) >= 8


def test_nothing_is_cut_on_paper(browser, url):
    browser.open(url, 760)
    browser.send("Emulation.setEmulatedMedia", media="print")
    beyond = "e => e.getBoundingClientRect().right > innerWidth"
    cut = f"[...document.querySelectorAll('main *')].filter({beyond}).map(e => e.outerHTML.slice(0, 80))"
    assert browser.run("document.querySelectorAll('.power').length") > 0
    assert browser.run(cut) == []
    browser.send("Emulation.setEmulatedMedia", media="")


CONTRAST = """selector => {
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const e = document.querySelector(selector);
  let behind = e;
  while (behind && (rgb(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) behind = behind.parentElement;
  const [a, b] = [getComputedStyle(e).color, getComputedStyle(behind || document.body).backgroundColor].map(c => light(rgb(c)));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


def test_the_theme_can_be_turned(browser, url):
    browser.open(url)
    colour = "getComputedStyle(document.body).backgroundColor"
    before: Any = browser.run(colour)
    browser.run("document.getElementById('theme').click()")
    assert browser.run(colour) != before
    browser.run("document.getElementById('theme').click()")
    assert browser.run(colour) == before


def test_without_scripts_every_claim_still_opens(browser, url):
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(url)
        browser.run("document.querySelector('.claim').open = true")
        assert browser.run("document.querySelector('.claim .command code').offsetParent !== null")
        assert browser.run("document.querySelector('.filters').offsetParent === null")
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_a_page_of_nothing(browser, tmp_path):
    path: Path = tmp_path / "empty.html"
    path.write_text(page(Document.of_json({**whole(), "claims": []})), encoding="utf-8")
    browser.open(path.as_uri())
    assert browser.complaints() == []
    assert browser.run("document.querySelector('.shown').textContent") == "0 claims"
