"""Texts of people: formulas between dollars, code between backticks, all else as it is written; nothing in them is obeyed."""

import re
from xml.etree import ElementTree

import pytest

from boundcheck.report.html.blocks import math, with_formulas
from boundcheck.report.paper.blocks import Paragraph
from boundcheck.report.paper.markdown import as_markdown
from boundcheck.report.paper.tex import prose_tex

PLAIN = "With lam* = 1 / n^2, |x|_1 < sqrt(s) and a <= b it holds."


def read(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{with_formulas(text)}</p>")


def markdown(text: str) -> str:
    return as_markdown([Paragraph("", (text,))]).strip()


def test_what_is_not_marked_is_no_formula():
    assert [e.tag for e in read(PLAIN).iter()] == ["p"]
    assert "".join(read(PLAIN).itertext()) == PLAIN
    assert markdown(PLAIN) == r"With lam\* = 1 / n^2, |x|_1 &lt; sqrt(s) and a <= b it holds."
    assert "$" not in prose_tex(PLAIN)


def test_what_is_marked_is_one_in_each_form():
    text = r"At $\lambda \le 1$, `x_1 <= y`."
    assert "".join(read(text).itertext()) == "At λ≤1, x_1 <= y."
    assert [e.tag for e in read(text).iter()][1:3] == ["span", "math"]
    assert markdown(text) == r"At $`\lambda \le 1`$, `x_1 <= y`."
    assert prose_tex(text).startswith(r"At $\lambda \le 1$, \texttt")


def test_names_of_functions_stand_apart_and_bars_and_slashes_do_not():
    shown = ElementTree.fromstring(math(r"|x|/n + \log s"))
    assert [e.text for e in shown.iter("mi")] == ["|", "x", "|", "/", "n", "s"]
    assert [e.text for e in shown.iter("mo") if "lspace" in e.attrib] == ["log"]


@pytest.mark.parametrize("text", [
    "<script>", "x < y > z & w", "`<b>`", "one $ alone", r"$\text{<img src=x>}$", r"$\text{&lt;img src=x&gt;}$", "$<b>$",
    r"$\href{javascript:alert(1)}{x}$", r"$\style{position:fixed}{x}$", r"$\class{REFUTED}{x}$", r"$\color{\" onclick=\"}{x}$",
    "$x^$", r"$\frac{1}$", r"$\left($", "$" + "{" * 200 + "$", "$" + "(" * 2000 + "$",
])  # fmt: skip
def test_nothing_in_a_text_is_obeyed(text):
    root = read(text)
    tags = {e.tag for e in root.iter()}
    assert all(tag in ("p", "code", "span", "math") or re.fullmatch("m[a-z]+", tag) for tag in tags)
    assert not {"href", "style", "id", "onclick"} & {name for e in root.iter() for name in e.attrib}
    assert {e.get("class") for e in root.iter()} <= {None, "long", "held"}


def test_what_the_converter_cannot_read_is_code():
    assert math("x_1_2") == "<code>x_1_2</code>"
