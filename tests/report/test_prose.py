"""Prose whose mathematics is typeset: what is a formula, what stays a word, and that every sign keeps its place."""

import ast
import json
import re
from xml.etree import ElementTree

import pytest

from boundcheck.report.html.prose import prose_html
from tests.docs.pages import ROOT

from .test_notation import _text

SIGNS = str.maketrans({"≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "…": "...", "‖": "||", "−": "-", "⟨": "<", "⟩": ">"})
FORMULAS = re.compile(r"(?:<math>.*?</math>)+", re.DOTALL)


def shown(text: str) -> str:
    """The text with each formula in braces, before the comma that ends it; indices and powers after _ and ^."""

    def braced(found: re.Match[str]) -> str:
        formula = _text(ElementTree.fromstring(f"<all>{found[0]}</all>"))
        inside = formula.rstrip(",.;:")
        return f"{{{inside}}}{formula[len(inside) :]}"

    return FORMULAS.sub(braced, str(prose_html(text)))


@pytest.mark.parametrize(("text", "typeset"), [
    ("With lam = 1 / n^2 it holds.", "With {λ=1/n^2} it holds."),
    ("at most (K + n lam I)^-1 K", "at most {(K+n λ I)^−1 K}"),
    ("M^-1/2 and n^2/2", "{M^−1/2} and {n^2/2}"),
    ("||f||_inf <= C ||f||_H^{d/2m}", "{‖f‖_∞≤C ‖f‖_H^d/2m}"),
    ("phi'^T y and t' > 0", "{φ^′⊤ y} and {t^′>0}"),
    ("sqrt(2 lam) + 4 sqrt(lam*)", "{√(2 λ)+4 √(λ^∗)}"),
    ("<f, Sigma g> = 0", "{⟨f,Σ g⟩=0}"), ("A, B are 2 x 3", "{A}, {B} are {2 × 3}"), ("an n x n matrix", "an {n × n} matrix"),
    ("f(x) = sum_i c_i k(., x_i), at the x_i", "{f(x)=∑_i c_i k(·,x_i)}, at the {x_i}"),
    ("m = sum p_i of features", "{m=∑ p_i} of features"),
    ("exp(-(x - y)^2 / 2)", "{exp(−(x−y)^2/2)}"), ("10^6 instances", "{10^6} instances"),
    ("E (Kt - K)^2 = (n / s) K", "{E (Kt−K)^2=(n/s) K}"),
])  # fmt: skip
def test_formulas(text, typeset):
    assert shown(text) == typeset


def test_a_long_formula_may_break_between_factors_and_a_short_one_stays_whole():
    long = "l >= 6.52 max(1, lam/mu) d log(16 d / (n delta)), and n lam + 1 < 2"
    broken = [re.sub("<[^>]*>", "", piece.replace("<mspace/>", " ")) for piece in re.findall("<math>(.*?)</math>", str(prose_html(long)))]
    assert broken == ["l≥6.52 max(1,λ/μ) d", " log(16 d/(n δ)),", "n λ+1&lt;2"]


@pytest.mark.parametrize("text", [
    "that is what a chat is", "a reading with a constant of ours", "Assumption B.2 and Eq. (9) of Table 4",
    "as Bach 2017b says", "cod-RNA, 2-norm", "theorem9.explicit; the fixed point", "Hoeffding's exponent", "1, 2, 3",
    "the sum of all", "step_of and at_least", "",
])  # fmt: skip
def test_words_stay_words(text):
    assert "<math>" not in prose_html(text)


def test_the_article_and_the_letter():
    assert shown("With a delta of a and b") == "With a {δ} of {a} and {b}"
    assert shown("K a, and (a l)^2; (a) first") == "{K a}, and {(a l)^2}; (a) first"
    assert shown("A point of A, with K + A") == "A point of {A}, with {K+A}"
    assert shown("L-Lipschitz in x") == "{L}-Lipschitz in {x}"


def test_backticks_are_code():
    assert prose_html("`x <= y` and ``z``") == "<code>x &lt;= y</code> and <code>z</code>"


@pytest.mark.parametrize("text", [
    "<script>", "x < y > z & w", "`<b>`", "x^", "x_", "^2", "((((", "))))", "x^{", "x^(", "sqrt(", "sqrt(x", "n -", "- n", "x'", "|x",
    "<f, g", "x^^2", "x_^2", "a^b^c", "{}", "x ⟨ y", "int", "x^-", "x''", "(" * 400 + "x" + ")" * 400, "sqrt(" * 200 + "x" + ")" * 200,
])  # fmt: skip
def test_what_cannot_be_read_is_shown_as_it_is_and_nothing_is_obeyed(text):
    root = ElementTree.fromstring(f"<p>{prose_html(text)}</p>")
    assert {e.tag for e in root.iter()} <= {"p", "code", "math", "mi", "mn", "mo", "mrow", "msup", "msub", "msubsup", "msqrt", "mspace"}
    seen, given = ("".join(re.findall(r"[a-z0-9]+", t)) for t in ("".join(root.itertext()).translate(SIGNS), text))
    assert seen.replace("sqrt", "") == given.replace("sqrt", "").replace("int", "")


@pytest.mark.skipif(not (ROOT / "reports/verdicts.json").is_file(), reason="the report is not here")
def test_no_digit_of_any_docstring_is_lost_or_moved():
    for claim in json.loads((ROOT / "reports/verdicts.json").read_text())["claims"]:
        text = ast.get_docstring(ast.parse(claim["statement"]).body[-1]) or ""
        root = ElementTree.fromstring(f"<p>{prose_html(text)}</p>")
        assert re.findall(r"\d", "".join(root.itertext())) == re.findall(r"\d", text), claim["id"]
