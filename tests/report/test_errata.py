"""Errata: read whole or refused in one sentence, what an entry still lacks, and the page that tells them."""

from dataclasses import replace
from pathlib import Path

import pytest

from boundcheck.report import in_six_digits
from boundcheck.report.document import Document
from boundcheck.report.paper import all_errata, display_math, labelled, paragraphs
from boundcheck.report.paper.folders import SEVERITIES, Erratum, read_errata
from boundcheck.report.reading import CannotRead

from .incomplete import incomplete
from .reports import claim

FULL = r"""
[[erratum]]
id = "doe2020.lemma1"
severity = "constant"
where = "Section 2, Lemma 1"
printed = '''
\|K\|
\le 4'''
read_as = "The norm is the spectral one; $\\|a\\| < b_1$ is meant."
conversion = "A prime may be lost."
counterexample = "The matrix `[[5]]`, whose norm is 5 < 6."
python = '''
K = 5
assert not K <= 4
'''
width = "5 against 4."
harm = "Nothing depends on it."
step = "doe2020.step2"
argument = "A 2 is lost."
repair = "doe2020.lemma1.repaired"
repaired = "The constant is 8, and no smaller one does."
limit = '''
The ratio grows.
| n | ratio |
| --- | --- |
| 9 | 2 |'''
finding = { rank = 2, text = "Five is more than four. It matters. It is easily mended." }
"""
ENTRY = Erratum(
    "p2020.a",
    "why",
    "erratum",
    "constant",
    "Section 2",
    "x",
    "",
    "",
    "the number 5",
    "assert 5 > 4",
    "5 to 4",
    "none",
)


@pytest.fixture
def papers(tmp_path: Path, monkeypatch) -> Path:
    """The folder theory/ with one paper, in a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    paper(tmp_path / "theory" / "doe2020", "")
    return tmp_path / "theory"


def paper(folder: Path, errata: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(f'"""{folder.name}. On <lemmas>."""\n')
    (folder / "errata.toml").write_text(errata, encoding="utf-8")


def short(id: str, severity: str, more: str = "") -> str:
    return f'[[erratum]]\nid = "{id}"\nseverity = "{severity}"\nargument = "Because of {id}."\n{more}\n'


def test_an_entry_is_read_whole(papers):
    paper(papers / "doe2020", FULL)
    (found,) = read_errata(papers / "doe2020")
    assert (found.id, found.severity, found.step_claim) == ("doe2020.lemma1", "constant", "doe2020.step2")
    assert found.repair == ("doe2020.lemma1.repaired",)
    assert found.finding is not None
    assert found.finding.rank == 2
    assert incomplete(found) is None
    assert replace(found, step="The sum is a maximum.").step_claim is None


REFUSED = {
    "severity": (short("a", "grave"), "erratum[0].severity is 'grave', not one of 'conclusion false', 'proof gap'"),
    "no severity": ('[[erratum]]\nid = "a"\nargument = ""', "a has no severity"),
    "kind": (short("a", "order", 'kind = "joke"'), "kind is 'joke'"),
    "unknown key": (short("a", "order", 'sevrity = "order"'), "erratum[0] has 'sevrity', which is none of argument, conversion"),
    "unknown table": ("[[errata]]", "it has 'errata', where only [[erratum]] is known"),
    "a number": (short("a", "order", "width = 2"), "width is 2, not a string"),
    "twice": (short("a", "order") * 2, "two entries for a; keep one"),
    "rank 0": (short("a", "order", 'finding = { rank = 0, text = "" }'), "rank is 0, less than 1"),
    "rank 9": (short("a", "order", 'finding = { rank = 9, text = "" }'), "rank is 9, more than 8"),
    "rank 1.5": (short("a", "order", 'finding = { rank = 1.5, text = "" }'), "rank is 1.5, not an integer"),
    "no text": (short("a", "order", "finding = { rank = 1 }"), "finding has no text"),
    "strange finding": (short("a", "order", 'finding = { rank = 1, text = "", by = "me" }'), "the finding of a has 'by'"),
    "same rank": ("".join(short(id, "order", 'finding = { rank = 3, text = "" }') for id in "ab"), "Two findings have the rank 3"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_one_sentence(papers, name):
    text, sentence = REFUSED[name]
    paper(papers / "doe2020", text)
    with pytest.raises(CannotRead) as refused:
        read_errata(papers / "doe2020")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_ranks_are_distinct_over_all_papers(papers, report):
    report["claims"] += [claim("roe2021.lemma1", "REFUTED", 1)]
    for name in ("doe2020", "roe2021"):
        paper(papers / name, short(f"{name}.lemma1", "order", 'finding = { rank = 1, text = "" }'))
    with pytest.raises(CannotRead, match="Two findings have the rank 1; renumber them"):
        all_errata(Document.of_json(report))


LACKING = {
    "width": ({"width": ""}, "p2020.a has no width; write it."),
    "two": ({"harm": "", "printed": " "}, "p2020.a has no printed and no harm; write them."),
    "place of a remark": ({"kind": "remark", "where": "", "harm": ""}, "p2020.a has no where; write it."),
    "limit": ({"printed": r"s = \mathcal{O}(\log n)"}, "p2020.a is asymptotic and has no limit"),
    "limit, spelled otherwise": ({"printed": r"f(n) \lesssim 1"}, "p2020.a is asymptotic and has no limit"),
    "lines": ({"python": "x = 1\n" * 10 + "assert x"}, "has 11 lines; 10 are the most"),
    "assert": ({"python": "x = 1"}, "does not end in an assert"),
    "constant": ({"python": "assert True"}, "asserts a constant"),
    "braces": ({"printed": r"\{ x_{1 \}"}, "The printed formula of p2020.a has 1 { and 0 }; make them equal."),
    "left": ({"printed": r"\left( x \leftarrow y )"}, r"has 1 \left and 0 \right"),
    "environment": ({"printed": r"\begin{aligned} x"}, "begins and ends aligned unequally often"),
    "align": ({"printed": r"\begin{align*} x \end{align*}"}, r"has \begin{align*}, which cannot stand in a display"),
    "nothing": ({"python": "# 1"}, "does not end in an assert"),
    "syntax": ({"python": "assert ("}, "cannot be parsed"),
    "module": ({"python": "from boundcheck import P\nassert P"}, "imports boundcheck; only fractions, math, numpy, scipy"),
    "nested module": ({"python": "if 1:\n import os.path\nassert os"}, "imports os;"),
}  # fmt: skip


@pytest.mark.parametrize("name", LACKING)
def test_what_an_entry_lacks_is_one_sentence(name):
    change, sentence = LACKING[name]
    assert incomplete(ENTRY) is None
    assert sentence in (incomplete(replace(ENTRY, **change)) or "")


WITHOUT_LIMIT = [
    {"severity": "misprint", "printed": "O(n)"},
    {"printed": "O(n)", "limit": "It grows."},
    {"printed": "FOO(n)"},
]


FORMULAS = [
    r"\left\{ x_{1} \right.",
    r"\begin{aligned} x &\le y \\ {}& \end{aligned}",
    r"\{ x \}\\{y}",
    r"\leftarrow",
    "Let $x$ be $y_1$.",
]


@pytest.mark.parametrize("change", WITHOUT_LIMIT + [{"printed": tex} for tex in FORMULAS])
def test_what_lacks_nothing_is_complete(change):
    assert incomplete(replace(ENTRY, **change)) is None


def test_everything_that_is_written_is_told(papers, report):
    paper(papers / "doe2020", FULL)
    page = all_errata(Document.of_json(report))
    told = [
        "1. Five is more than four. It matters. It is easily mended. [`doe2020.lemma1`](#doe2020.lemma1), [certificate](../reports/",
        '<a id="doe2020.lemma1"></a>\n\n### `doe2020.lemma1`: constant\n\nSection 2, Lemma 1. The claim: [`theory/doe2020/lemmas.py:10`]'
        "(../theory/doe2020/lemmas.py#L10).",
        "Printed:\n\n```math\n\\|K\\|\n\\le 4\n```",
        r"**Read as.** The norm is the spectral one; $`\|a\| < b_1`$ is meant.", "**Conversion.** A prime may be lost.",
        "**Counterexample.** The matrix `[[5]]`, whose norm is 5 &lt; 6.",
        "```python\nK = 5\nassert not K <= 4\n```", "**Width.** 5 against 4.",
        "**Harm.** Nothing depends on it.", "**First step that fails.** `doe2020.step2`, ✗ REFUTED: What doe2020.step2 says about K.",
        "**Why.** A 2 is lost.",
        "**Repair.** The constant is 8, and no smaller one does. `doe2020.lemma1.repaired`, ✓ HOLDS (tightness 0.25, power 1/2): What",
        "**Limit.** The ratio grows.\n\n| n | ratio |\n| --- | --- |\n| 9 | 2 |", "because of doe2020.lemma1 at `lam = 1, delta = 0.1`.",
        "```sh\nboundcheck verify reports/certificates/doe2020.lemma1.json\n```",
    ]  # fmt: skip
    places = [page.find(text) for text in told]
    assert -1 not in places, told[places.index(-1)]
    assert places == sorted(places)
    assert "@paper" not in page  # the claim is linked, not pasted


def test_the_verdict_decides_what_is_told(papers, report):
    holds = short("doe2020.step1", "order", 'finding = { rank = 1, text = "It holds." }')
    paper(papers / "doe2020", holds + short("doe2020.gone", "order"))
    page = all_errata(Document.of_json(report))
    assert "It holds." not in page
    assert "doe2020.gone" not in page
    heading, first, second = map(
        page.index, ("### Not yet argued", "`doe2020.lemma1`, [", "`doe2020.step2`, [")
    )
    assert (
        heading
        < first
        < second
        < page.index("[`theory/doe2020/lemmas.py:40`](../theory/doe2020/lemmas.py#L40)")
    )


def test_the_gravest_come_first_and_the_rest_as_in_the_file(papers, report):
    ids = [f"doe2020.c{k}" for k in range(7)]
    report["claims"] += [claim(id, "REFUTED", 1) for id in ids]
    severities = [*reversed(SEVERITIES), "misprint"]
    paper(papers / "doe2020", "".join(short(id, severity) for id, severity in zip(ids, severities)))
    page = all_errata(Document.of_json(report))
    assert sorted(ids[:6] + ids[6:], key=lambda id: page.index(f"### `{id}`")) == [
        *reversed(ids[:6]),
        ids[6],
    ]
    assert "| 1 | 1 | 1 | 1 | 1 | 2 | 7 |  | 2 |" in page
    assert "* misprint: [`c0`](#doe2020.c0), [`c6`](#doe2020.c6)" in page


def test_remarks_are_apart_and_not_counted(papers, report):
    paper(
        papers / "doe2020",
        short("doe2020.lemma1", "order", 'kind = "remark"') + short("doe2020.step2", "proof gap"),
    )
    page = all_errata(Document.of_json(report))
    assert (
        page.index("### `doe2020.step2`: proof gap")
        < page.index("### Remarks")
        < page.index("#### `doe2020.lemma1`")
    )
    assert "|  | 1 |  |  |  |  | 1 | 1 |  |" in page


def test_the_findings_are_in_the_order_of_their_ranks(papers, report):
    entries = [("doe2020.step2", 1, "first"), ("doe2020.lemma1", 4, "second")]
    made = [
        short(id, "order", f'finding = {{ rank = {rank}, text = "{text}" }}')
        for id, rank, text in reversed(entries)
    ]
    paper(papers / "doe2020", "".join(made))
    page = all_errata(Document.of_json(report))
    assert page.index("1. first") < page.index("2. second") < page.index("## By paper and severity")


SENTENCES = {
    "P(event) <= 0.9999999999964293 < 0.999999999999": "P(event) <= 1 - 3.57e-12 < 1 - 1e-12",
    "P(event) <= 0." + "9" * 120 + "83 < 0." + "9" * 120 + "95": "P(event) <= 1 - 1.7e-121 < 1 - 5e-122",
    "P(event) <= 0.9912345678 < 0.99123456": "P(event) <= 1 - 0.00876543 < 1 - 0.00876544",
    "P(event) <= 0.61119894 < 0.63212056": "P(event) <= 0.611199 < 0.632121",
    "P(event) <= 0.99999999999995627 < 1": "P(event) <= 1 - 4.37e-14 < 1",
    "P(event) <= 0.99999842 < 0.999999": "P(event) <= 1 - 1.58e-6 < 1 - 1e-6",
    "lhs = 0.000012111111 > 0.0 = rhs": "lhs = 1.21111e-5 > 0 = rhs",
    "lhs = 0.99930049 != 4285.7143 = rhs": "lhs = 0.9993 != 4285.71 = rhs",
    "lhs = -3.9211921e+7 > 39605.0 = rhs": "lhs = -3.92119e+7 > 39605 = rhs",
    "lhs = 1.00000001 > 1 = rhs": "lhs = 1.00000001 > 1 = rhs",
    "lhs = 0.12345678 > 0.12345671 = rhs": "lhs = 0.12345678 > 0.12345671 = rhs",
    "lhs = 1 > 0 = rhs (the slope over the sizes 100, 1000000000000)": "lhs = 1 > 0 = rhs (the slope over the sizes 100, 10^12)",
    "322 failures in 330 recorded trials: tail 1.17e-97": "322 failures in 330 recorded trials: tail 1.17e-97",
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_numbers_are_short_and_those_compared_stay_apart(sentence):
    assert in_six_digits(sentence) == SENTENCES[sentence]


def test_the_instance_is_told_as_the_claim_sees_it(papers, report):
    """The words of the row, and none of the numbers that the certificate keeps."""
    report["claims"][0] |= {"instance": "p = [1, 0]"}
    assert "at `p = [1, 0]`." in all_errata(Document.of_json(report))
    report["claims"][0] |= {"instance": None}
    assert "at `p" not in all_errata(Document.of_json(report))


@pytest.mark.parametrize("text", ["a < b `c < d` $e < f$", "a < b `c < d` $`e < f`$"])
def test_markup_leaves_code_and_formulas_alone(text):
    assert paragraphs(text) == "a &lt; b `c < d` $`e < f`$"


@pytest.mark.parametrize("tex", ["x\n\ny", "\n x\ny \n", "$$\nx\ny\n$$", "\\[\nx\ny\n\\]"])
def test_a_display_has_no_empty_lines_and_no_delimiters(tex):
    assert [line.strip() for line in display_math(tex)[1].splitlines()] == ["x", "y"]


def test_text_with_formulas_is_no_display():
    assert display_math("For $x$ and $y$.") == ["For $`x`$ and $`y`$.", ""]


def test_a_table_stands_by_itself():
    assert labelled("Limit", "| n |\n| - |") == ["**Limit.**\n\n| n |\n| - |", ""]
    assert labelled("Limit", "n  |a|\n10  2\n\nThen.") == ["**Limit.**\n\n| n | \\|a\\| |\n| --- | --: |\n| 10 | 2 |\n\nThen.", ""]
    assert labelled("Limit", "One  line.") == ["**Limit.** One  line.", ""]
    assert labelled("Limit", " ") == []


def test_what_is_hostile_is_harmless(papers, report):
    report["claims"][0] |= {"location": "theory/../../etc/x.py:1", "certificate": None}
    paper(
        papers / "doe2020",
        short(
            "doe2020.lemma1", "order", r'python = "x = \"\u0060\u0060\u0060\""' + '\nprinted = "\\u001b[31m"'
        ),
    )
    page = all_errata(Document.of_json(report))
    assert "`theory/../../etc/x.py:1`." in page
    assert "](../theory/.." not in page
    assert "\x1b" not in page
    assert '````python\nx = "```"\n````' in page
