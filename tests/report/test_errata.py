"""Errata: read whole or refused in one sentence, what an entry still lacks; their texts as blocks."""

from dataclasses import replace
from pathlib import Path

import pytest

from boundcheck.report import in_six_digits, spoken
from boundcheck.report.paper.blocks import Display, Grid, Paragraph, displayed, labelled
from boundcheck.report.paper.folders import Erratum, read_errata
from boundcheck.report.reading import CannotRead

from .incomplete import incomplete

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
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_one_sentence(papers, name):
    text, sentence = REFUSED[name]
    paper(papers / "doe2020", text)
    with pytest.raises(CannotRead) as refused:
        read_errata(papers / "doe2020")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


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


SPOKEN = {
    "P(event) <= 0.9897 < 0.99": "fails with probability 0.0103 or more, where 0.01 is allowed",
    "P(event) <= 1 - 4.7e-9 < 1 - 4.4e-9": "fails with probability 4.7e-9 or more, where 4.4e-9 is allowed",
    "lhs = 6.9805137 > 4 = rhs": "the left side is 6.98051, more than the right side, 4",
    "lhs = 1 != 2 = rhs": "the left side is 1, the right side 2",
    "lhs = 1 > 0.5 = rhs (the slope)": "the left side is 1, more than the right side, 0.5 (the slope)",
    "smallest eigenvalue of rhs - lhs <= -0.051334617 (x^T lhs x = 3.0 > 2.9 = x^T rhs x, |x| = 1)":
        "the right side less the left side has an eigenvalue of -0.0513346 or less",
    "because of something": "because of something",
}  # fmt: skip


@pytest.mark.parametrize("reason", SPOKEN)
def test_a_reason_is_told_in_words(reason):
    assert spoken(reason) == SPOKEN[reason]


@pytest.mark.parametrize("tex", ["x\n\ny", "\n x\ny \n", "$$\nx\ny\n$$", "\\[\nx\ny\n\\]"])
def test_a_display_has_no_empty_lines_and_no_delimiters(tex):
    (shown,) = displayed(tex)
    assert isinstance(shown, Display)
    assert [line.strip() for line in shown.tex.splitlines()] == ["x", "y"]


def test_text_with_formulas_is_no_display():
    assert list(displayed("For $x$ and $y$.")) == [Paragraph("", ("For $x$ and $y$.",))]


def test_a_table_stands_by_itself():
    head, table, then = labelled("Limit", "n  |a|\n10  2\n\nThen.")
    assert (head, then) == (Paragraph("Limit", ()), Paragraph("", ("Then.",)))
    assert table == Grid([("n",), ("|a|",)], [[("10",), ("2",)]], numbers=True)
    assert list(labelled("Limit", "One  line.")) == [Paragraph("Limit", ("One  line.",))]
    assert list(labelled("Limit", " ")) == []
