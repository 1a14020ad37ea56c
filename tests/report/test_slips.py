"""Slips: read or refused; the page of a paper in Markdown, LaTeX and HTML, that of all papers, the letter to the authors."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from boundcheck.report.document import Document
from boundcheck.report.html import page as page_of_verdicts
from boundcheck.report.paper.folders import SEVERITIES
from boundcheck.report.paper.forms import errata_text, letter_text, paper_text
from boundcheck.report.paper.slips import read_slips
from boundcheck.report.paper.tex import escaped, prose_tex
from boundcheck.report.reading import CannotRead

from .reports import claim
from .test_errata import FULL, paper, papers, short

__all__ = ["papers"]
PACKAGE = """\"""Doe, Roe (2020). On lemmas & norms. JMLR 1.\"""

from boundcheck import Paper

paper = Paper("doe2020", "On lemmas & norms", "Jo Doe, Al Roe", 2020)
"""
SLIPS = r"""
[[theorem]]
name = "Lemma 1"
claims = ["doe2020.lemma1"]
stands = "stands with"
says = "With $8$ for $4$."
slips = ["factor"]

[[theorem]]
name = "Lemma 2"
claims = ["doe2020.step2"]
stands = "stands"
says = "As printed."

[[slip]]
id = "factor"
title = "A factor $2$ is lost"
meant = "$\\|K\\| \\le 8$."
places = ["doe2020.lemma1", "doe2020.step2", "doe2020.gone"]
headline = { rank = 1, text = "Five is more than four, $5 > 4$." }
"""
FORMS = ("markdown", "tex", "html")
NOTES = 'read_as = "For $n = 1$."\nconversion = "A bar."'


@pytest.fixture
def doe(papers: Path) -> Path:
    """The folder of a paper with an erratum at two places, which are one slip."""
    folder = papers / "doe2020"
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "errata.toml").write_text(FULL + short("doe2020.step2", "misprint", NOTES), encoding="utf-8")
    (folder / "slips.toml").write_text(SLIPS, encoding="utf-8")
    return folder


def pages(report) -> dict[str, str]:
    return {form: paper_text(Document.of_json(report), "doe2020", form) for form in FORMS}


REFUSED = {
    "unknown slip": ('[[theorem]]\nname = "T"\nstands = "open"\nsays = ""\nslips = ["x"]', "names the slip x, which it has not"),
    "fate": ('[[theorem]]\nname = "T"\nstands = "maybe"\nsays = ""', "not one of 'stands', 'stands with', 'open', 'fails'"),
    "no places": ('[[slip]]\nid = "a"\ntitle = ""', "slip[0] has no places"),
    "unknown key": ('[[slip]]\nid = "a"\ntitle = ""\nplaces = []\nplace = ""', "slip[0] has 'place', which is none of harm, headline"),
    "unknown table": ("[[slips]]", "where only [[theorem]] and [[slip]] is known"),
    "twice": ('[[slip]]\nid = "a"\ntitle = ""\nplaces = []\n' * 2, "has the slip a twice; keep one"),
    "a place twice": ('[[slip]]\nid = "a"\ntitle = ""\nplaces = ["b", "b"]\n', "has the place b twice; keep one"),
    "rank 9": ('[[slip]]\nid = "a"\ntitle = ""\nplaces = []\nheadline = { rank = 9, text = "" }', "rank is 9, more than 8"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_one_sentence(doe, name):
    text, sentence = REFUSED[name]
    (doe / "slips.toml").write_text(text)
    with pytest.raises(CannotRead) as refused:
        read_slips(doe)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_headlines_of_all_papers_have_ranks_of_their_own(doe, papers, report):
    report["claims"] += [claim("roe2021.lemma1", "REFUTED", 1)]
    paper(papers / "roe2021", "")
    (papers / "roe2021" / "slips.toml").write_text(
        SLIPS.partition("[[slip]]")[2].join(["[[slip]]", ""]).replace("doe2020", "roe2021")
    )
    with pytest.raises(CannotRead, match="Two headlines have the rank 1; renumber them"):
        errata_text(Document.of_json(report), "markdown")


def test_a_slip_is_one_entry_with_a_line_for_each_place(doe, report):
    page = pages(report)["markdown"]
    told = [
        "# On lemmas & norms",
        "Jo Doe, Al Roe, JMLR 1, 2020.",
        "## Does my theorem stand?",
        'What "stands", "open" and "fails" mean: [`How to read this`](#legend).',
        "| **Lemma 1** | stands with a change | With $`8`$ for $`4`$. [`entry 1`](#doe2020.factor) |",
        "1. Five is more than four, $`5 > 4`$.",
        '<a id="doe2020.factor"></a>',
        "### 1. A factor $`2`$ is lost (constant)",
        "**Printed.** Section 2, Lemma 1.",
        "```math\n\\|K\\|\n\\le 4\n```",
        "**Instead.** $`\\|K\\| \\le 8`$.",
        "**Conversion.** A prime may be lost.",
        "**Counterexample.** The matrix `[[5]]`, whose norm is 5 &lt; 6. 5 against 4.",
        "```python\nK = 5\nassert not K <= 4\n```",
        "**Why.** A 2 is lost.",
        "**Harm.** Nothing depends on it.",
        "**Repair.** The constant is 8, and no smaller one does. [`doe2020.lemma1.repaired`]",
        "HOLDS (tightness 0.25).",
        "**Limit.** The ratio grows.",
        "* [`doe2020.lemma1`](../theory/doe2020/lemmas.py#L10) "
        "[`certificate`](../reports/certificates/doe2020.lemma1.json)\n",
        "* [`doe2020.step2`](../theory/doe2020/lemmas.py#L40)",
        "(read as: For $`n = 1`$; conversion: A bar.)",
        "## How to read this",
        "## Verdicts",
    ]
    places = [page.find(text) for text in told]
    assert -1 not in places, told[places.index(-1)]
    assert places == sorted(places)
    assert page.count("because of [`doe2020.step2`](") == 1
    assert "doe2020.gone" not in page


OF_A_PLACE = {
    "another gravity": ("misprint", 'width = "5 for 4."\nharm = "None."', "Misprint: Section 3: 5 for 4. Harm: None."),
    "the same": ("constant", 'width = "5 for 4."\nharm = "None."', " Section 3: 5 for 4. Harm: None."),
    "a remark": ("constant", 'width = "5 for 4."\nkind = "remark"', "Remark: Section 3: 5 for 4."),
}


@pytest.mark.parametrize("name", OF_A_PLACE)
def test_a_place_has_its_own_gravity_and_harm(doe, report, name):
    severity, more, told = OF_A_PLACE[name]
    where = '\nwhere = "Section 3"'
    (doe / "errata.toml").write_text(FULL + short("doe2020.step2", severity, more + where), encoding="utf-8")
    page = pages(report)["markdown"]
    line = next(line for line in page.splitlines() if line.startswith("* [`doe2020.step2`]"))
    assert line.endswith(told)
    assert "Constant:" not in line
    row = next(line for line in page.splitlines() if line.startswith("| `doe2020.step2`"))
    assert ("REFUTED, a remark" in row) is (name == "a remark")


def test_the_verdict_decides(doe, report):
    page = pages(report)["markdown"]
    assert "| **Lemma 2** | fails |" in page  # it is to stand, and the report refutes it
    report["claims"][0]["outcome"] = "HOLDS"
    page = pages(report)["markdown"]
    assert "[`doe2020.lemma1`](" not in page.partition("## Verdicts")[0]
    report["claims"][3]["outcome"] = "HOLDS"
    page = pages(report)["markdown"]
    assert "A factor" not in page
    assert "Five is more" not in page


def test_what_is_in_no_slip_is_one_of_its_own(doe, report):
    (doe / "slips.toml").unlink()
    (doe / "errata.toml").write_text(FULL, encoding="utf-8")
    page = pages(report)["markdown"]
    heading, brief, line = map(
        page.index,
        (
            "### 1. Section 2, Lemma 1 (constant)",
            "## Not yet argued",
            "* **doe2020.step2.** Harm: Refuted by the engine",
        ),
    )
    assert heading < brief < line


@pytest.mark.parametrize("severity", [*SEVERITIES, "remark"])
def test_a_slip_is_as_grave_as_its_first_place(doe, report, severity):
    kind = 'kind = "remark"' if severity == "remark" else ""
    first = short("doe2020.lemma1", "order" if kind else severity, kind)
    (doe / "errata.toml").write_text(first)
    (doe / "slips.toml").write_text(SLIPS.partition("headline")[0])
    page = pages(report)["markdown"]
    brief = {"misprint": "## Slips of the pen", "remark": "## Remarks"}.get(severity)
    assert (f"({severity})" in page.partition("## How to read")[0]) is (brief is None)
    assert brief is None or f"{brief}\n\n* **A factor $`2`$ is lost.**" in page


def test_what_a_conversion_may_have_made_is_told_and_not_counted(doe, report):
    (doe / "errata.toml").write_text(short("doe2020.lemma1", "misprint", NOTES) + short("doe2020.step2", "misprint"))
    (doe / "slips.toml").write_text(SLIPS.partition("headline")[0])
    assert "## Perhaps only in the text we had" not in pages(report)["markdown"]  # step2 has no such note
    (doe / "slips.toml").write_text("")
    page = pages(report)["markdown"]
    line = "* **doe2020.lemma1.** Read as: For $`n = 1`$. Conversion: A bar."
    assert page.index("* **doe2020.step2.**") < page.index("## Perhaps only in the text we had") < page.index(line)
    assert "| all |  |  |  |  |  | 1 |  |" in errata_text(Document.of_json(report), "markdown")


def test_claims_that_are_named_in_prose_are_links(doe, report):
    (doe / "errata.toml").write_text(
        FULL.replace("A 2 is lost.", "As `doe2020.step2` and lemma1.repaired say, unlike lemma1.other."), encoding="utf-8"
    )
    page = pages(report)["markdown"]
    told = "**Why.** As [`doe2020.step2`](../theory/doe2020/lemmas.py#L40) and [`doe2020.lemma1.repaired`]("
    assert told in page
    assert "say, unlike lemma1.other." in page


def test_all_papers_are_counted_by_slips(doe, report):
    page = errata_text(Document.of_json(report), "markdown")
    assert "| all |  |  |  |  | 1 |  |  |" in page
    assert "[`entry 1`](#doe2020.factor)" in page
    assert page.index("## What matters") < page.index("## Slips and remarks by paper") < page.index("## On lemmas")


def test_latex_compiles(doe, report, tmp_path):
    text = pages(report)["tex"]
    assert (
        r"\textbf{Counterexample.} The matrix \texttt{\small [[5]]}, whose norm is 5 \textless{} 6." in text
    )
    assert "\\begin{verbatim}\nK = 5\nassert not K <= 4\n\\end{verbatim}" in text
    if shutil.which("pdflatex") is None:
        pytest.skip("no LaTeX on this machine")
    (tmp_path / "page.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


HOSTILE = [
    r"\input{/etc/passwd}",
    "100 % of K & #3 {~}",
    "a < b > c",
    "one $ alone",
    "`x_1` and `\\y`",
    "\x1b]0;\x07",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_prose_has_nothing_that_latex_obeys(text):
    bare = re.sub(r"\\texttt\{\\small |\\allowbreak\{\}|\\text\w+\{\}|\\[{}$&#%_]", "", prose_tex(text))
    assert not re.search(r"[\\$&#%_^~\x00-\x1f]", bare)
    assert prose_tex("Let $x_1$ be 5 %.") == r"Let $x_1$ be 5 \%."
    assert escaped("50%_") == r"50\%\_"


class Page(HTMLParser):
    """Links, ids, and whether each element ends."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.links: set[str] = set()
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.open += [] if tag in ("meta", "br") else [tag]
        self.links |= {known["href"]} if "href" in known else set()  # pyright: ignore
        self.ids += [known["id"]] if "id" in known else []  # pyright: ignore

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_stands_by_itself(doe, report):
    (doe / "errata.toml").write_text(
        FULL.replace("Nothing depends on it.", "<script>alert(1)</script>"), encoding="utf-8"
    )
    text = pages(report)["html"]
    page = Page(text)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert "<script" not in text
    assert "<math" in text
    assert "http" not in re.sub(r"http-equiv", "", text)


def test_the_page_of_verdicts_begins_with_what_matters_and_the_papers(doe, report, monkeypatch):
    monkeypatch.setattr("boundcheck.report.html.FEW", 6)
    text = page_of_verdicts(Document.of_json(report))
    told = [
        "What matters</h2>",
        "Five is more than four, <span",
        "<b>Counterexample.</b> The matrix <code>[[5]]</code>, whose norm is",
        "Papers</h2>",
        "<h3>On lemmas &amp; norms</h3>",
        "Jo Doe, Al Roe (2020)",
        "<b>Lemma 1</b> stands with a change",
        "<b>Lemma 2</b> fails",
        'class="chip REFUTED light" href="#doe2020.step2"',
        '<ul class="totals">',
    ]
    places = [text.find(part) for part in told]
    assert -1 not in places, told[places.index(-1)]
    assert places == sorted(places)
    assert 'class="chip REFUTED" href="#doe2020.lemma1"' in text


def test_what_is_hostile_is_harmless(doe, report):
    report["claims"][0] |= {"location": "theory/../../etc/x.py:1", "certificate": None}
    hostile = r'python = "x = \"\u0060\u0060\u0060\""' + '\nprinted = "\\u001b[31m"'
    (doe / "errata.toml").write_text(short("doe2020.lemma1", "order", hostile))
    page = pages(report)["markdown"]
    assert "](../theory/.." not in page
    assert "\x1b" not in page
    assert '````python\nx = "```"\n````' in page


def test_the_letter_is_a_page(doe, report):
    text = letter_text(Document.of_json(report), "doe2020", "markdown")
    told = [
        "Dear Doe and Roe,",
        'we read "On lemmas & norms"',
        "Of its 2 theorems and corollaries 1 stands with a change, 1 fails as printed. Below comes the point",
        "**1. A factor $`2`$ is lost (Section 2, Lemma 1).** Five is more than four, $`5 > 4`$.",
        "**To check it in a minute.** The matrix",
        "K = 5\nassert not K <= 4",
        "may be the conversion's and not yours: Section 2, Lemma 1.",
        "please tell us",
    ]
    places = [text.find(part) for part in told]
    assert -1 not in places, text
    assert places == sorted(places)
    assert letter_text(Document.of_json(report), "doe2020", "tex").startswith(r"\documentclass")
    for name in ("errata.toml", "slips.toml"):
        (doe / name).write_text("")
    with pytest.raises(CannotRead, match="Nothing of doe2020 is refuted that a letter would tell"):
        letter_text(Document.of_json(report), "doe2020", "markdown")


ROOT = Path(__file__).parents[2]
PAPERS = ("li2021", "liu2020", "yashima2021", "wang2019", "ma2025")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_has_at_most_ten_pages(paper: str, tmp_path: Path):
    page = tmp_path / "page.tex"
    report = [sys.executable, "-m", "boundcheck.commands.main", "report", "--paper", paper, "-o", str(page)]
    subprocess.run(report, cwd=ROOT, check=True, capture_output=True)
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "page.tex"], cwd=tmp_path, capture_output=True)
    pages = re.search(rb"page\.pdf \((\d+) pages?", done.stdout.replace(b"\n", b""))
    assert pages is not None
    assert int(pages[1]) <= 10
