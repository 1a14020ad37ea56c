"""Claims as formulas: the text that a reader sees, and texts that are no claim."""

import re
from xml.etree import ElementTree

import pytest

from boundcheck.report.html.formulas import ALL, stated, typeset

from .reports import STATEMENT


def shown(statement: str) -> list[str]:
    """The lines of a claim without markup; fractions as (a)/(b), indices and powers after _ and ^."""
    result = typeset(statement)
    assert result is not None
    told = [(word, [_text(ElementTree.fromstring(f"<math>{piece}</math>")) for piece in line]) for word, line in result.lines]
    return [f"{word} {(' ' if word == ALL else '').join(line)}" for word, line in told]


def _text(e: ElementTree.Element) -> str:
    parts = [_text(child) for child in e]
    if e.tag == "mspace":
        return " "
    parts = ["".join(parts)] if e.tag == "msqrt" else parts
    joined = {"mfrac": "({})/({})", "msup": "{}^{}", "msub": "{}_{}", "munder": "{}_{}", "msqrt": "√({})", "mover": "{}{}"}.get(e.tag)
    joined = "{}_{}^{}" if e.tag == "msubsup" else joined
    return re.sub("\u00a0", " ", joined.format(*parts) if joined else (e.text or "") + "".join(parts))


def returned(expression: str) -> str:
    return shown(f"def f():\n    return {expression}\n")[0].removeprefix("then ")


def test_a_claim_reads_like_a_theorem():
    assert shown(STATEMENT.format(name="f", summary="s")) == [
        "for all λ∈(0, ∞), δ∈(0, 1), K positive semidefinite of size n",
        "let n=size(K)", "if n λ≤λ_max(K)", "if s≥⌈(2 log((1)/(δ)))/(λ^2)⌉", "then ℙ(‖K‖≤√(λ) s)≥1−δ",
    ]  # fmt: skip
    assert typeset(STATEMENT.format(name="f", summary="s")).remarks == ("Proof. By induction.",)  # type: ignore[union-attr]


@pytest.mark.parametrize(("expression", "formula"), [
    ("a - (b - c)", "a−(b−c)"), ("a - b - c", "a−b−c"), ("(a + b) * c", "(a+b) c"), ("a * b / c", "(a b)/(c)"),
    ("a / (b * c)", "(a)/(b c)"), ("(-a)**2", "(−a)^2"), ("-a**2", "−a^2"), ("(a / b)**2", "((a)/(b))^2"),
    ("a**(b + 1)", "a^b+1"), ("(a**b)**c", "(a^b)^c"),
    ("2 * 3.0", "2·3"), ("at_most(E(q), b)", "𝔼[q]≤b"), ("loewner(A @ B, inverse(C))", "A B⪯C^−1"), ("solve(A + B, y)", "(A+B)^−1 y"),
    ("d_eff + fhat + d_tilde", "d_eff+f^+d~"), ("x_1[0, :, None]", "x_1_0"), ("Z.T @ Z", "Z^⊤ Z"), ("abs(x) <= norm(y) < 1", "|x|≤‖y‖<1"),
    ("case.lam * case.n", "λ n"), ("quantity(lambda rng, size: rng.binomial(n, p, size) / n)", "(Binomial(n,p))/(n)"),
    ("largest_eigenvalue(K)", "λ_max(K)"), ("psd_power(K, -1 / 2)", "K^−1/2"), ("(a < b) & (c < d)", "(a<b)∧(c<d)"),
    ("[x**i for i in range(1, n + 1)]", "(x^i)_i=1,…,n"), ("sum(c * x[i] for i in range(n))", "∑_i=0,…,n−1c x_i"),
    ("[x for x in y]", "(x)_x∈y"), ("[x for x in y if x]", "[x for x in y if x]"),
    ("-4 * n * t**2", "−4 n t^2"), ("exp(-n * t / 2)", "exp((−n t)/(2))"), ("x * (-4 * n)", "x (−4 n)"), ("1 + -4 * n", "1+(−4 n)"),
    ("law.sample(n).mean()", "mean(law.sample(n))"), ("x.max() / y", "(max(x))/(y)"), ("a if b else c", "a if b else c"),
    ("x.sum(axis=0)", "∑x"), ("(x + y).sum()", "∑(x+y)"), ("f(lambda u: u + 1)", "f(u↦u+1)"),
])  # fmt: skip
def test_expressions(expression, formula):
    assert returned(expression) == formula


def test_marked_constants_keep_their_names():
    body = "    c = marked(1 / 2)\n    return at_most(x * marked(-2.0, 'K'), marked(-2.0, name='K') * c + marked(1 / 2))\n"
    assert shown(f"def f():\n{body}") == ["let C=(1)/(2)", "let K=−2", "let c=C", "then x K≤K c+C"]
    assert shown("def f():\n    C = marked(2.0, 'C')\n    return at_most(x, C)\n") == ["let C=2", "then x≤C"]


def test_two_conclusions_a_helper_and_an_alias():
    text = "def f(case: S):\n    n, K = case.n, case.K\n    def g(x):\n        return x + n\n    return at_most(g(1), 2), equal(K, K)\n"
    assert shown(text) == ["for all case∈S", "let g(x)=x+n", "then g(1)≤2", "and K=K"]


NO_CLAIMS = ["", "x = 1", "def f(:", "def f(): pass\ndef g(): pass", "\x00", "(" * 5000, "def f():\n    return " + "-" * 9000 + "1"]


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_texts_that_are_no_claim_are_not_typeset(text):
    assert typeset(text) is None


def test_a_line_may_break_before_a_relation_and_between_the_terms_of_a_sum():
    result = typeset("def f():\n    x = a + b - c\n    return at_most(largest * (y + other), smallest + another + b + thelast)\n")
    assert result is not None
    told = [[_text(ElementTree.fromstring(f"<math>{piece}</math>")) for piece in line] for _, line in result.lines]
    assert told == [["x", "=a", "+b", "−c"], ["largest (y+other)", "≤smallest", "+another", "+b", "+thelast"]]


def test_the_source_is_shown_without_the_prose_that_stands_above_it():
    text = STATEMENT.format(name="f", summary="s")
    assert '"""' not in stated(text)
    assert stated(text).splitlines()[2] == "    n = len(K)"
    assert stated("def f():\n    'only a docstring'") == "def f():\n    'only a docstring'"
    assert stated("no claim") == "no claim"


def test_texts_inside_a_formula_are_escaped():
    for expression in ("'<img>'", "f(['<img>' for x in y if x])", "a['<img>']"):
        assert "<img>" not in str(typeset(f"def f(x: '<img>'):\n    return {expression}\n"))
