"""Expressions of a claim's body as MathML."""

from __future__ import annotations

import ast
from collections.abc import Callable

from markupsafe import Markup

from boundcheck.report.html.letters import element, fenced, letter, number, raised, row, sign, words

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a formula holds together: one that holds less than its place asks for gets brackets."""

THIN = Markup('<mspace width="0.17em"/>')

COMPARISONS: dict[type, str] = {
    ast.LtE: "≤", ast.GtE: "≥", ast.Lt: "<", ast.Gt: ">", ast.Eq: "=", ast.NotEq: "≠", ast.In: "∈", ast.Is: "=", ast.IsNot: "≠",
}  # fmt: skip
RELATIONS = {"at_most": "≤", "equal": "=", "loewner": "⪯"}
NAMES = {"abs": "|#|", "len": "size"}
"""How functions of Python are shown, as words say of themselves."""

SIZES = ("size", "axis", "rng")


def formula(node: ast.expr, least: int = SUM) -> Markup:
    """The formula of an expression, in brackets if it holds together less than `least`."""
    inner, tightness = _formula(node)
    return inner if tightness >= least else fenced(inner)


def _formula(node: ast.expr) -> tuple[Markup, int]:
    rule = RULES.get(type(node))
    return rule(node) if rule else (words(ast.unparse(node)), ATOM)


def _name(node: ast.Name) -> tuple[Markup, int]:
    return letter(node.id), ATOM


def _constant(node: ast.Constant) -> tuple[Markup, int]:
    if isinstance(node.value, float) and node.value.is_integer() and abs(node.value) < 1e6:
        return number(int(node.value)), ATOM
    return (number(node.value) if isinstance(node.value, (int, float)) else words(str(node.value))), ATOM


def _attribute(node: ast.Attribute) -> tuple[Markup, int]:
    if node.attr == "T":
        return raised(formula(node.value, ATOM), sign("⊤")), POWER
    if isinstance(node.value, ast.Name) and node.value.id in ("case", "np", "numpy"):
        return letter(glyph if "_" in (glyph := _glyph(node.attr)) and "#" not in glyph else node.attr), ATOM
    return row(formula(node.value, ATOM), sign("."), letter(node.attr)), ATOM


def _glyph(name: str) -> str:
    """How a word says that it is shown; no text for others. Words are loaded with the first formula."""
    from boundcheck.operations.operation import WRITTEN
    from boundcheck.words import linalg, scalars

    assert linalg
    assert scalars
    return WRITTEN.get(name) or NAMES.get(name, "")


def _operation(node: ast.BinOp) -> tuple[Markup, int]:
    kind, left, right = type(node.op), node.left, node.right
    if kind in (ast.Add, ast.Sub):
        return row(formula(left), sign("+" if kind is ast.Add else "−"), formula(right, PRODUCT)), SUM
    if kind in (ast.Mult, ast.MatMult):
        return row(formula(left, PRODUCT), _times(right), formula(right, PRODUCT)), PRODUCT
    if kind is ast.Div:
        return element("mfrac", formula(left), formula(right)), PRODUCT
    if kind is ast.Pow:
        return raised(formula(left, ATOM), _inline(right)), POWER
    mark = {ast.BitAnd: "∧", ast.BitOr: "∨", ast.Mod: "mod", ast.FloorDiv: "÷"}.get(kind)
    return (row(formula(left, PRODUCT), sign(mark), formula(right, PRODUCT)), SUM) if mark else (words(ast.unparse(node)), ATOM)


def _times(right: ast.expr) -> Markup:
    """A thin space, or a dot before a number."""
    while isinstance(right, ast.BinOp) and not isinstance(right.op, ast.Div):
        right = right.left
    return sign("·") if isinstance(right, ast.Constant) else THIN


def _inline(node: ast.expr) -> Markup:
    """An exponent: fractions on one line."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        above = _inline(node.left) if isinstance(node.left, ast.UnaryOp) else formula(node.left, PRODUCT)
        return row(above, sign("/"), formula(node.right, POWER))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return row(sign("−"), _inline(node.operand))
    return formula(node)


def _prefixed(node: ast.UnaryOp) -> tuple[Markup, int]:
    mark = {ast.USub: "−", ast.UAdd: "+"}.get(type(node.op), "¬")
    return row(sign(mark), formula(node.operand, PRODUCT)), SUM


def _comparison(node: ast.Compare) -> tuple[Markup, int]:
    parts = [formula(node.left)]
    for op, right in zip(node.ops, node.comparators, strict=True):
        parts += [sign(COMPARISONS.get(type(op), "∉")), formula(right)]
    return row(*parts), SUM


def _logical(node: ast.BoolOp) -> tuple[Markup, int]:
    return joined([formula(value) for value in node.values], "∧" if isinstance(node.op, ast.And) else "∨"), SUM


def joined(parts: list[Markup], mark: str = ",") -> Markup:
    """Formulas with a sign between them."""
    return row(*[piece for k, part in enumerate(parts) for piece in ([sign(mark), part] if k else [part])])


def _sequence(node: ast.Tuple | ast.List) -> tuple[Markup, int]:
    return fenced(joined([formula(e) for e in node.elts])), ATOM


def _indexed(node: ast.Subscript) -> tuple[Markup, int]:
    """Indices below; those that only give an array another shape are left out."""
    entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    shown = [e for e in entries if not (isinstance(e, ast.Slice) or (isinstance(e, ast.Constant) and e.value in (None, ...)))]
    base = formula(node.value, ATOM)
    return (element("msub", base, joined([formula(e) for e in shown])) if shown else base), ATOM


def _family(node: ast.ListComp | ast.GeneratorExp) -> tuple[Markup, int]:
    """`[x(i) for i in range(n)]` is (x(i)) with the range of i below."""
    if len(node.generators) != 1 or node.generators[0].ifs:
        return words(ast.unparse(node)), ATOM
    return element("msub", fenced(formula(node.elt)), _range(node.generators[0])), ATOM


def _range(generator: ast.comprehension) -> Markup:
    """i = 1, ..., n, or i in a set."""
    target, among = formula(generator.target), generator.iter
    if not (isinstance(among, ast.Call) and ast.unparse(among.func) == "range" and len(among.args) in (1, 2)):
        return row(target, sign("∈"), formula(among))
    first, end = among.args if len(among.args) == 2 else (ast.Constant(0), among.args[0])
    plus_one = isinstance(end, ast.BinOp) and isinstance(end.op, ast.Add) and ast.unparse(end.right) == "1"
    last = formula(end.left) if plus_one and isinstance(end, ast.BinOp) else row(formula(end, PRODUCT), sign("−"), number(1))
    return row(target, sign("="), formula(first), sign(","), sign("…"), sign(","), last)


def _mapping(node: ast.Lambda) -> tuple[Markup, int]:
    return row(joined([letter(a.arg) for a in node.args.args]), sign("↦"), formula(node.body)), SUM


def _call(node: ast.Call) -> tuple[Markup, int]:
    args = [a for a in node.args if not (isinstance(a, ast.Name) and a.id in SIZES)]
    if isinstance(node.func, ast.Attribute):
        return _method(node.func, args)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    rule, glyph = CALLS.get(name), _glyph(name)
    if args and (rule or "#" in glyph):
        return rule(name, args) if rule else _around(glyph, args[0])
    return _applied(letter(glyph) if glyph and "#" not in glyph else formula(node.func, ATOM), args), ATOM


def _applied(function: Markup, args: list[ast.expr]) -> Markup:
    return row(function, fenced(joined([formula(a) for a in args])))


def _method(func: ast.Attribute, args: list[ast.expr]) -> tuple[Markup, int]:
    """`x.sum()` and the like; draws of a generator by the name of their law."""
    owner = func.value.id if isinstance(func.value, ast.Name) else ""
    if owner == "rng":
        return _applied(element("mi", func.attr.capitalize()), args), ATOM
    if owner in ("np", "case"):
        return _call(ast.Call(ast.Name(func.attr), args, [])) if owner == "np" else (_applied(letter(func.attr), args), ATOM)
    if func.attr in ("sum", "mean", "max", "min", "prod"):
        mark = {"sum": sign("∑"), "prod": sign("∏")}.get(func.attr, element("mi", func.attr))
        return row(mark, formula(func.value, PRODUCT)), PRODUCT
    if func.attr == "map" and len(args) == 1:
        return row(formula(args[0], ATOM), fenced(formula(func.value))), ATOM
    return _applied(row(formula(func.value, ATOM), sign("."), letter(func.attr)), args), ATOM


def _sum(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    inner = args[0]
    if isinstance(inner, ast.GeneratorExp) and len(inner.generators) == 1 and not inner.generators[0].ifs:
        return row(element("munder", sign("∑"), _range(inner.generators[0])), formula(inner.elt, PRODUCT)), PRODUCT
    return row(sign("∑"), formula(inner, PRODUCT)), PRODUCT


Rule = Callable[[str, list[ast.expr]], tuple[Markup, int]]


def _related(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    return joined([formula(a) for a in args], RELATIONS[name]), SUM


def _around(glyph: str, inner: ast.expr) -> tuple[Markup, int]:
    """What is taken of an expression, written about it: fences with an index, or an exponent."""
    glyph, raising, exponent = glyph.partition("^")
    if raising:
        return raised(formula(inner, ATOM), number(exponent)), POWER
    fences, _, index = glyph.partition("_")
    left, right = fences.split("#")
    enclosed = fenced(formula(inner), left, right)
    return (element("msub", enclosed, element("mi", index)) if index else enclosed), ATOM


def _solved(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    return row(raised(formula(args[0], ATOM), number("−1")), THIN, *[formula(a, PRODUCT) for a in args[1:]]), PRODUCT


def _root(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    return element("msqrt", formula(args[0])), ATOM


def _threshold(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    """`at_least(x, Count)` is the whole number next to x."""
    return (fenced(formula(args[0]), "⌈", "⌉"), ATOM) if len(args) > 1 else _formula(args[0])


def _random(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    """A quantity by the formula of its draws."""
    return _formula(args[0].body) if isinstance(args[0], ast.Lambda) else _formula(args[0])


CALLS: dict[str, Rule] = {
    **dict.fromkeys(RELATIONS, _related), "solve": _solved, "sqrt": _root, "at_least": _threshold, "sum": _sum,
    "quantity": _random, "marked": _random,
    "identity": lambda _, args: (element("mi", "I"), ATOM),
    "psd_power": lambda _, args: (raised(formula(args[0], ATOM), _inline(args[-1])), POWER),
    "P": lambda _, args: (_applied(element("mi", "ℙ"), args), ATOM),
    "E": lambda _, args: (row(element("mi", "𝔼"), fenced(formula(args[0]), "[", "]")), ATOM),
}  # fmt: skip

RULES: dict[type, Callable[..., tuple[Markup, int]]] = {
    ast.Name: _name, ast.Constant: _constant, ast.Attribute: _attribute, ast.BinOp: _operation, ast.UnaryOp: _prefixed,
    ast.Compare: _comparison, ast.BoolOp: _logical, ast.Tuple: _sequence, ast.List: _sequence, ast.Subscript: _indexed,
    ast.Lambda: _mapping, ast.Call: _call, ast.ListComp: _family, ast.GeneratorExp: _family,
}  # fmt: skip
