"""A claim as a mathematician writes it: names as letters, expressions as MathML, for all, let, if, then."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

LETTERS = (
    "alpha beta gamma delta eps epsilon zeta eta theta kappa lam lambda mu nu xi pi rho sigma tau phi chi "
    "psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega infinity inf"
).split()
GREEK: dict[str, str] = dict(
    zip(LETTERS, "αβγδεεζηθκλλμνξπρστφχψωΓΔΘΛΣΦΨΩ∞∞", strict=True)
)
ACCENTS = {"tilde": "~", "hat": "^", "bar": "¯"}
SUBSCRIPTS = {"star": "*", "prime": "′", "dagger": "†"}


ONE = re.compile(r"<(m\w+)>[^<]*</\1>")
"""A single sign."""


def element(tag: str, *children: Markup | str) -> Markup:
    """One element; texts among the children are escaped, and each of several that is more than a sign is a row."""
    shown = [escape(child) for child in children]
    if len(shown) > 1:
        shown = [c if ONE.fullmatch(c) else element("mrow", c) for c in shown]
    return Markup(f"<{tag}>") + Markup("").join(shown) + Markup(f"</{tag}>")


def row(*children: Markup) -> Markup:
    """Elements side by side."""
    return Markup("").join(children)


def operator(text: str) -> Markup:
    return element("mo", text)


MINUS = Markup('<mo form="prefix">−</mo>')


def words(text: str) -> Markup:
    return element("mtext", text)


def number(value: object) -> Markup:
    return element("mn", str(value))


def _fenced(inner: Markup, left: str = "(", right: str = ")") -> Markup:
    """Between brackets as tall as what they enclose: operators around a fraction, letters otherwise."""
    if re.search("<m(frac|under|sqrt|over|sup)", inner):
        return element("mrow", row(operator(left), inner, operator(right)))
    return row(element("mi", left), inner, element("mi", right))


def _raised(base: Markup, exponent: Markup) -> Markup:
    return element("msup", base, exponent)


def letter(name: str) -> Markup:
    """`lam` is λ, `d_eff` is d with an index, `fhat` has a hat."""
    base, _, index = name.strip("_").partition("_")
    if index in ACCENTS:
        return element("mover", _symbol(base), operator(ACCENTS[index]))
    if index and len(base) > 2 and base not in GREEK:
        return element("mi", name.strip("_").replace("_", "\u2009"))
    for accent, mark in ACCENTS.items():
        if base.endswith(accent) and 1 <= len(base) - len(accent) <= 2:
            return _subscripted(
                element(
                    "mover", _symbol(base.removesuffix(accent)), operator(mark)
                ),
                index,
            )
    split = re.fullmatch(r"([A-Za-z]|" + "|".join(GREEK) + r")([0-9]+)", base)
    if split and not index:
        base, index = split.groups()
    return _subscripted(_symbol(base), index)


def _symbol(name: str) -> Markup:
    return element("mi", GREEK.get(name, name))


def _subscripted(base: Markup, index: str) -> Markup:
    if not index:
        return base
    spelled = (
        SUBSCRIPTS.get(index) or GREEK.get(index) or index.replace("_", ", ")
    )
    return element(
        "msub",
        base,
        number(index) if index.isdigit() else element("mi", spelled),
    )


SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a formula holds together: one that holds less than its place asks for gets brackets."""

THIN = Markup("<mspace/>")
"""As wide as the style sheet says."""

COMPARISONS: dict[type, str] = {
    ast.LtE: "≤",
    ast.GtE: "≥",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "=",
    ast.NotEq: "≠",
    ast.In: "∈",
    ast.Is: "=",
    ast.IsNot: "≠",
}
RELATIONS = {"at_most": "≤", "equal": "=", "loewner": "⪯"}
NAMES = {"abs": "|#|", "len": "size"}
"""How functions of Python are shown, as words say of themselves."""

SIZES = ("size", "axis", "rng")


def formula(node: ast.expr, least: int = SUM) -> Markup:
    """The formula of an expression, in brackets if it holds together less than `least`."""
    inner, tightness = _formula(node)
    return inner if tightness >= least else _fenced(inner)


def _formula(node: ast.expr) -> tuple[Markup, int]:
    rule = RULES.get(type(node))
    return rule(node) if rule else (words(ast.unparse(node)), ATOM)


def _constant(node: ast.Constant) -> tuple[Markup, int]:
    match node.value:
        case float(x) if x.is_integer() and abs(x) < 1e6:
            return number(int(x)), ATOM
        case int() | float():
            return number(node.value), ATOM
    return words(str(node.value)), ATOM


def _attribute(node: ast.Attribute) -> tuple[Markup, int]:
    match node:
        case ast.Attribute(value, "T"):
            return _raised(formula(value, ATOM), operator("⊤")), POWER
        case ast.Attribute(ast.Name("case" | "np" | "numpy"), name):
            glyph = _glyph(name)
            return letter(
                glyph if "_" in glyph and "#" not in glyph else name
            ), ATOM
    return _member(node), ATOM


def _member(node: ast.Attribute) -> Markup:
    return row(formula(node.value, ATOM), operator("."), letter(node.attr))


def _glyph(name: str) -> str:
    """How a word says that it is shown; no text for others. Words are loaded with the first formula."""
    from boundcheck.operations.operation import WRITTEN
    from boundcheck.words import functions

    assert functions
    return WRITTEN.get(name) or NAMES.get(name, "")


BETWEEN: dict[type, str] = {
    ast.BitAnd: "∧",
    ast.BitOr: "∨",
    ast.Mod: "mod",
    ast.FloorDiv: "÷",
}


def _operation(node: ast.BinOp) -> tuple[Markup, int]:
    if (opposite := _opposite(node)) is not None:
        return MINUS + formula(opposite, PRODUCT), SUM
    match node:
        case ast.BinOp(_, ast.Add() | ast.Sub()):
            return row(*pieces(node)), SUM
        case ast.BinOp(left, ast.Mult() | ast.MatMult(), right):
            sides = (
                formula(left, PRODUCT),
                _times(right),
                formula(right, PRODUCT),
            )
            return row(*sides), PRODUCT
        case ast.BinOp(left, ast.Div(), right):
            return element("mfrac", formula(left), formula(right)), PRODUCT
        case ast.BinOp(left, ast.Pow(), right):
            return _raised(formula(left, ATOM), _inline(right)), POWER
        case ast.BinOp(left, op, right) if mark := BETWEEN.get(type(op)):
            sides = (
                formula(left, PRODUCT),
                operator(mark),
                formula(right, PRODUCT),
            )
            return row(*sides), SUM
    return words(ast.unparse(node)), ATOM


def _opposite(node: ast.expr) -> ast.expr | None:
    """What is negated where a minus stands in front, also in front of a product: n t of -n * t."""
    match node:
        case ast.UnaryOp(ast.USub(), operand):
            return operand
        case ast.BinOp(left, ast.Mult() | ast.MatMult() as op, right):
            first = _opposite(left)
            return first and ast.BinOp(first, op, right)
    return None


def _times(right: ast.expr) -> Markup:
    """A thin space, or a dot before a number."""
    while isinstance(right, ast.BinOp) and not isinstance(right.op, ast.Div):
        right = right.left
    return operator("·") if isinstance(right, ast.Constant) else THIN


def _inline(node: ast.expr) -> Markup:
    """An exponent: fractions on one line."""
    match node:
        case ast.BinOp(ast.UnaryOp() as above, ast.Div(), below):
            return row(_inline(above), operator("/"), formula(below, POWER))
        case ast.BinOp(above, ast.Div(), below):
            sides = (
                formula(above, PRODUCT),
                operator("/"),
                formula(below, POWER),
            )
            return row(*sides)
        case ast.UnaryOp(ast.USub(), operand):
            return MINUS + _inline(operand)
    return formula(node)


SIGNS: dict[type, Markup] = {ast.USub: MINUS, ast.UAdd: operator("+")}


def _prefixed(node: ast.UnaryOp) -> tuple[Markup, int]:
    mark = SIGNS.get(type(node.op), operator("¬"))
    return mark + formula(node.operand, PRODUCT), SUM


def _comparison(node: ast.Compare) -> tuple[Markup, int]:
    return row(*pieces(node)), SUM


def _logical(node: ast.BoolOp) -> tuple[Markup, int]:
    mark = "∧" if isinstance(node.op, ast.And) else "∨"
    return _listed(node.values, mark), SUM


def _joined(parts: Iterable[Markup], mark: str = ",") -> Markup:
    """Formulas with a sign between them."""
    return operator(mark).join(parts)


def _listed(nodes: Iterable[ast.expr], mark: str = ",") -> Markup:
    return _joined(map(formula, nodes), mark)


def _sequence(node: ast.Tuple | ast.List) -> tuple[Markup, int]:
    return _fenced(_listed(node.elts)), ATOM


def _indexed(node: ast.Subscript) -> tuple[Markup, int]:
    """Indices below; those that only give an array another shape are left out."""
    entries = (
        node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    )
    shown = [
        e
        for e in entries
        if not isinstance(e, ast.Slice)
        and ast.unparse(e) not in ("None", "...")
    ]
    base = formula(node.value, ATOM)
    return (element("msub", base, _listed(shown)) if shown else base), ATOM


def _family(node: ast.ListComp | ast.GeneratorExp) -> tuple[Markup, int]:
    """`[x(i) for i in range(n)]` is (x(i)) with the range of i below."""
    if len(node.generators) != 1 or node.generators[0].ifs:
        return words(ast.unparse(node)), ATOM
    return element(
        "msub", _fenced(formula(node.elt)), _range(node.generators[0])
    ), ATOM


def _range(generator: ast.comprehension) -> Markup:
    """i = 1, ..., n, or i in a set."""
    target = formula(generator.target)
    match generator.iter:
        case ast.Call(ast.Name("range"), [end]):
            first = number(0)
        case ast.Call(ast.Name("range"), [start, end]):
            first = formula(start)
        case among:
            return row(target, operator("∈"), formula(among))
    match end:
        case ast.BinOp(left, ast.Add(), ast.Constant(1)):
            last = formula(left)
        case _:
            last = row(formula(end, PRODUCT), operator("−"), number(1))
    return _joined([row(target, operator("="), first), operator("…"), last])


def _mapping(node: ast.Lambda) -> tuple[Markup, int]:
    return row(
        _joined(letter(a.arg) for a in node.args.args),
        operator("↦"),
        formula(node.body),
    ), SUM


def _call(node: ast.Call) -> tuple[Markup, int]:
    if (constant := _marked(node)) is not None:
        return letter(constant[0]), ATOM
    args = [
        a for a in node.args if not (isinstance(a, ast.Name) and a.id in SIZES)
    ]
    if isinstance(node.func, ast.Attribute):
        return _method(node.func, args)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if args and name in RELATIONS:
        return row(*pieces(node)), SUM
    rule, glyph = CALLS.get(name), _glyph(name)
    if args and (rule or "#" in glyph):
        return rule(name, args) if rule else _around(glyph, args[0])
    return _applied(
        letter(glyph)
        if glyph and "#" not in glyph
        else formula(node.func, ATOM),
        args,
    ), ATOM


def _marked(node: ast.AST) -> tuple[str, ast.expr] | None:
    """The name of a marked constant, and its value."""
    match node:
        case ast.Call(ast.Name("marked"), [value]):
            given = next(
                (k.value for k in node.keywords if k.arg == "name"), None
            )
        case ast.Call(ast.Name("marked"), [value, given]):
            pass
        case _:
            return None
    name = given.value if isinstance(given, ast.Constant) else "C"
    return str(name), value


def _applied(function: Markup, args: list[ast.expr]) -> Markup:
    return row(function, _fenced(_listed(args)))


def _method(func: ast.Attribute, args: list[ast.expr]) -> tuple[Markup, int]:
    """`x.sum()` and the like; draws of a generator by the name of their law."""
    match func:
        case ast.Attribute(ast.Name("rng"), law):
            return _applied(element("mi", law.capitalize()), args), ATOM
        case ast.Attribute(ast.Name("np"), name):
            return _call(ast.Call(ast.Name(name), args, []))
        case ast.Attribute(ast.Name("case"), name):
            return _applied(letter(name), args), ATOM
        case ast.Attribute(value, "sum" | "prod" as name):
            return BIG[name] + formula(value, PRODUCT), PRODUCT
        case ast.Attribute(value, "mean" | "max" | "min" as name):
            return _applied(element("mi", name), [value]), ATOM
        case ast.Attribute(value, "map") if len(args) == 1:
            return formula(args[0], ATOM) + _fenced(formula(value)), ATOM
    return _applied(_member(func), args), ATOM


BIG = {"sum": operator("∑"), "prod": operator("∏")}


def _sum(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    match args[0]:
        case ast.GeneratorExp(inner, [generator]) if not generator.ifs:
            mark = element("munder", BIG[name], _range(generator))
        case inner:
            mark = BIG[name]
    return mark + formula(inner, PRODUCT), PRODUCT


Rule = Callable[[str, list[ast.expr]], tuple[Markup, int]]


def _around(glyph: str, inner: ast.expr) -> tuple[Markup, int]:
    """What is taken of an expression, written about it: fences with an index, or an exponent."""
    glyph, raising, exponent = glyph.partition("^")
    if raising:
        return _raised(formula(inner, ATOM), number(exponent)), POWER
    fences, _, index = glyph.partition("_")
    left, right = fences.split("#")
    enclosed = _fenced(formula(inner), left, right)
    return (
        element("msub", enclosed, element("mi", index)) if index else enclosed
    ), ATOM


def _solved(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    inverted = _raised(formula(args[0], ATOM), number("−1"))
    return row(
        inverted, THIN, *[formula(a, PRODUCT) for a in args[1:]]
    ), PRODUCT


def _threshold(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    """`at_least(x, Count)` is the whole number next to x."""
    return (
        (_fenced(formula(args[0]), "⌈", "⌉"), ATOM)
        if len(args) > 1
        else _formula(args[0])
    )


def _random(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    """A quantity by the formula of its draws."""
    return (
        _formula(args[0].body)
        if isinstance(args[0], ast.Lambda)
        else _formula(args[0])
    )


CALLS: dict[str, Rule] = {
    "solve": _solved,
    "at_least": _threshold,
    "sum": _sum,
    "quantity": _random,
    "sqrt": lambda _, args: (element("msqrt", formula(args[0])), ATOM),
    "identity": lambda _, args: (element("mi", "I"), ATOM),
    "psd_power": lambda _, args: (
        _raised(formula(args[0], ATOM), _inline(args[-1])),
        POWER,
    ),
    "P": lambda _, args: (_applied(element("mi", "ℙ"), args), ATOM),
    "E": lambda _, args: (
        row(element("mi", "𝔼"), _fenced(formula(args[0]), "[", "]")),
        ATOM,
    ),
}

RULES: dict[type, Callable[..., tuple[Markup, int]]] = {
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.BinOp: _operation,
    ast.UnaryOp: _prefixed,
    ast.Compare: _comparison,
    ast.BoolOp: _logical,
    ast.Tuple: _sequence,
    ast.List: _sequence,
    ast.Subscript: _indexed,
    ast.Call: _call,
    ast.ListComp: _family,
    ast.GeneratorExp: _family,
    ast.Name: lambda node: (letter(node.id), ATOM),
    ast.Lambda: _mapping,
}

MOST_CHARACTERS = 20_000
RANGES = {
    "Unit": "(0, 1)",
    "Positive": "(0, ∞)",
    "NonNegative": "[0, ∞)",
    "Real": "ℝ",
    "Count": "ℕ",
    "Size": "1..8",
    "Few": "1..3",
}
SPACES = {"Vector": "ℝ", "Matrix": "ℝ", "SquareMatrix": "ℝ", "Points": "ℝ"}
NAMED = {
    "PSD": "positive semidefinite",
    "PositiveDefinite": "positive definite",
    "Symmetric": "symmetric",
    "Orthogonal": "orthogonal",
    "Correlation": "a correlation matrix",
    "Simplex": "a probability vector",
    "UnitVector": "a unit vector",
    "Signs": "signs",
    "Spectrum": "decreasing, not negative",
    "LowRank": "of low rank",
}


ALL = "for all"
Line = tuple[str, tuple[Markup, ...]]


@dataclass(frozen=True)
class Typeset:
    """The remarks below a claim, and its lines: a word, and insides of formulas between which it may break.

    Those of the word `for all` are a list, with commas, the others pieces of one formula.
    """

    remarks: tuple[str, ...]
    lines: tuple[Line, ...]


def typeset(statement: str) -> Typeset | None:
    """The claim that a text states; None where the text is not one function."""
    try:
        function = _function(statement)
        return _typeset(function) if function else None
    except (ValueError, RecursionError):
        return None


def stated(statement: str) -> str:
    """The text of a claim without its docstring, which readers see as prose."""
    function = _function(statement)
    if (
        not function
        or len(function.body) < 2
        or ast.get_docstring(function) is None
    ):
        return statement
    lines, prose = statement.splitlines(), function.body[0]
    return "\n".join(lines[: prose.lineno - 1] + lines[prose.end_lineno :])


def _function(statement: str) -> ast.FunctionDef | None:
    if len(statement) > MOST_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(statement).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    return functions[0] if len(functions) == 1 else None


def _typeset(function: ast.FunctionDef) -> Typeset:
    parameters = [_parameter(a) for a in function.args.args]
    parameters[:-1] = [p + operator(",") for p in parameters[:-1]]
    text = ast.get_docstring(function) or ""
    stated = [line for node in function.body for line in _lines(node)]
    remarks = tuple(p for p in text.split("\n\n")[1:] if p.strip())
    known = [(ALL, tuple(parameters))] if parameters else []
    return Typeset(remarks, (*known, *_constants(function), *stated))


def _constants(function: ast.FunctionDef) -> Iterable[Line]:
    """The marked constants, each once, with their values."""
    marked = [found for node in ast.walk(function) if (found := _marked(node))]
    lines = (("let", (letter(c), *_related("=", value))) for c, value in marked)
    return dict.fromkeys(lines)


def _parameter(argument: ast.arg) -> Markup:
    return row(
        letter(argument.arg),
        *(_domain(argument.annotation) if argument.annotation else ()),
    )


def _domain(annotation: ast.expr) -> tuple[Markup, ...]:
    """What follows the name of a parameter: in (0, 1), in R^n, a PSD matrix, ..."""
    call = annotation if isinstance(annotation, ast.Call) else None
    name, args = (
        ast.unparse(call.func if call else annotation),
        call.args if call else [],
    )
    dims = [_size(a) for a in args]
    if name in RANGES:
        return operator("∈"), words(RANGES[name])
    if name in SPACES and dims:
        dims = dims * 2 if name == "SquareMatrix" else dims
        return operator("∈"), _raised(
            element("mi", SPACES[name]), _joined(dims, "×")
        )
    if name in ("between", "integers") and len(dims) == 2:
        whole = _fenced(_joined([dims[0], operator("…"), dims[1]]), "{", "}")
        return operator("∈"), _fenced(
            _joined(dims)
        ) if name == "between" else whole
    size = (words("\u00a0of size\u00a0"), _joined(dims, "×")) if dims else ()
    return (
        (words("\u00a0" + NAMED[name]), *size)
        if name in NAMED
        else (operator("∈"), words(name), *size)
    )


def _size(argument: ast.expr) -> Markup:
    """A size of an array: a letter, which is a text in a domain, or a formula."""
    value = argument.value if isinstance(argument, ast.Constant) else None
    return letter(value) if isinstance(value, str) else formula(argument)


def _lines(node: ast.stmt) -> list[Line]:
    """One statement of the body: a hypothesis, a definition, or a conclusion."""
    match node:
        case ast.Return(ast.Tuple([first, *others])):
            return [
                ("then", pieces(first)),
                *(("and", pieces(other)) for other in others),
            ]
        case ast.Return(ast.expr() as value):
            return [("then", pieces(value))]
        case ast.Assign([target], value):
            return _definitions(target, value)
        case ast.Expr(ast.Call(ast.Name("assume"), [condition, *_])):
            return [("if", pieces(condition))]
        case ast.Expr(ast.Constant()):
            return []
        case ast.FunctionDef(body=[*before, ast.Return(ast.expr() as value)]):
            names = _joined(letter(a.arg) for a in node.args.args)
            head = letter(node.name) + _fenced(names)
            lines = [line for inner in before for line in _lines(inner)]
            return [*lines, ("let", (head, *_related("=", value)))]
    return [("code", (words(ast.unparse(node)),))]


def pieces(node: ast.expr) -> tuple[Markup, ...]:
    """A formula in pieces between which a line may break: before a relation, between the terms of a sum."""
    match node:
        case ast.Call(ast.Name(name), [first, *others]) if name in RELATIONS:
            marks = [RELATIONS[name]] * len(others)
        case ast.Compare(first, ops, others):
            marks = [COMPARISONS.get(type(op), "∉") for op in ops]
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right):
            mark = "+" if isinstance(op, ast.Add) else "−"
            infix = Markup(f'<mo form="infix">{mark}</mo>')
            return (*pieces(left), infix + formula(right, PRODUCT))
        case _:
            return (formula(node),)
    sides = [
        _related(mark, side) for mark, side in zip(marks, others, strict=True)
    ]
    return (*pieces(first), *(piece for side in sides for piece in side))


def _related(mark: str, right: ast.expr) -> tuple[Markup, ...]:
    """A relation and its right side in pieces."""
    first, *others = pieces(right)
    return (operator(mark) + first, *others)


def _definitions(target: ast.expr, value: ast.expr) -> list[Line]:
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    match target, value:
        case _, ast.Attribute(array, "shape"):
            size = row(
                formula(array), words("\u00a0be\u00a0"), _listed(names, "×")
            )
            return [("let", (size,))]
        case ast.Tuple(), ast.Tuple(values) if len(values) == len(names):
            parts = map(_definitions, names, values)
            return [line for lines in parts for line in lines]
        case _, ast.Call(ast.Name("at_least")):
            word, mark = "if", "≥"
        case _:
            word, mark = "let", "="
    name = _listed(names)
    return (
        []
        if name == formula(value)
        else [(word, (name, *_related(mark, value)))]
    )
