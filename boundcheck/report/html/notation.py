"""A claim as a mathematician writes it: for all, let, if, then, with formulas in MathML."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

from markupsafe import Markup

from boundcheck.report.html.formulas import formula, joined
from boundcheck.report.html.letters import element, fenced, letter, raised, row, sign, words

MOST_CHARACTERS = 20_000
RANGES = {"Unit": "(0, 1)", "Positive": "(0, ∞)", "NonNegative": "[0, ∞)", "Real": "ℝ", "Count": "ℕ", "Size": "1..8", "Few": "1..3"}
SPACES = {"Vector": "ℝ", "Matrix": "ℝ", "SquareMatrix": "ℝ", "Points": "ℝ"}
NAMED = {
    "PSD": "positive semidefinite", "PositiveDefinite": "positive definite", "Symmetric": "symmetric", "Orthogonal": "orthogonal",
    "Correlation": "a correlation matrix", "Simplex": "a probability vector", "UnitVector": "a unit vector", "Signs": "signs",
    "Spectrum": "decreasing, not negative", "LowRank": "of low rank",
}  # fmt: skip


@dataclass(frozen=True)
class Typeset:
    """The remarks below a claim, and its lines: what kind of line, and formulas between which it may break."""

    remarks: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Markup, ...]], ...]


def typeset(statement: str) -> Typeset | None:
    """The claim that a text states; None where the text is not one function."""
    if len(statement) > MOST_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(statement).body
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        return _typeset(functions[0]) if len(functions) == 1 else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _typeset(function: ast.FunctionDef) -> Typeset:
    parameters = [_parameter(a) for a in function.args.args]
    ended = [row(p, sign(",")) for p in parameters[:-1]] + parameters[-1:]
    text = ast.get_docstring(function) or ""
    stated = [(word, (line,)) for node in function.body for word, line in _lines(node)]
    remarks = tuple(p for p in text.split("\n\n")[1:] if p.strip())
    return Typeset(remarks, (("for all", tuple(ended)), *stated) if ended else tuple(stated))


def _parameter(argument: ast.arg) -> Markup:
    return row(letter(argument.arg), *(_range(argument.annotation) if argument.annotation else ()))


def _range(annotation: ast.expr) -> tuple[Markup, ...]:
    """What follows the name of a parameter: in (0, 1), in R^n, a PSD matrix, ..."""
    call = annotation if isinstance(annotation, ast.Call) else None
    name, args = ast.unparse(call.func if call else annotation), call.args if call else []
    dims = [letter(str(a.value)) if isinstance(a, ast.Constant) and isinstance(a.value, str) else formula(a) for a in args]
    if name in RANGES:
        return sign("∈"), words(RANGES[name])
    if name in SPACES and dims:
        dims = dims * 2 if name == "SquareMatrix" else dims
        return sign("∈"), raised(element("mi", SPACES[name]), joined(dims, "×"))
    if name in ("between", "integers") and len(dims) == 2:
        return sign("∈"), fenced(joined(dims)) if name == "between" else fenced(joined([dims[0], sign("…"), dims[1]]), "{", "}")
    size = (words("\u00a0of size\u00a0"), joined(dims, "×")) if dims else ()
    return (words("\u00a0" + NAMED[name]), *size) if name in NAMED else (sign("∈"), words(name), *size)


def _lines(node: ast.stmt) -> list[tuple[str, Markup]]:
    """One statement of the body: a hypothesis, a definition, or a conclusion."""
    if isinstance(node, ast.Return) and node.value:
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        return [("and" if k else "then", formula(part)) for k, part in enumerate(parts)]
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return _definitions(node.targets[0], node.value)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "assume" and node.value.args:
        return [("if", formula(node.value.args[0]))]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return []
    if isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Return) and node.body[-1].value:
        head = row(letter(node.name), fenced(joined([letter(a.arg) for a in node.args.args])))
        return [*(line for inner in node.body[:-1] for line in _lines(inner)), ("let", row(head, sign("="), formula(node.body[-1].value)))]
    return [("code", words(ast.unparse(node)))]


def _definitions(target: ast.expr, value: ast.expr) -> list[tuple[str, Markup]]:
    if isinstance(value, ast.Attribute) and value.attr == "shape":
        sizes = target.elts if isinstance(target, ast.Tuple) else [target]
        return [("let", row(formula(value.value), words("\u00a0be\u00a0"), joined([formula(t) for t in sizes], "×")))]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [line for t, v in zip(target.elts, value.elts, strict=True) for line in _definitions(t, v)]
    if _target(target) == formula(value):
        return []
    boundary = isinstance(value, ast.Call) and ast.unparse(value.func) == "at_least"
    return [("if" if boundary else "let", row(_target(target), sign("=" if not boundary else "≥"), formula(value)))]


def _target(target: ast.expr) -> Markup:
    return joined([formula(t) for t in target.elts]) if isinstance(target, ast.Tuple) else formula(target)
