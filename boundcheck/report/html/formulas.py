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


def element(tag: str, *children: Markup | str) -> Markup:
    """One element; texts among the children are escaped."""
    return Markup(f"<{tag}>") + Markup("").join(children) + Markup(f"</{tag}>")


class _MathRow(Markup):
    """Elements side by side; `inner` are they without the element around them."""

    inner: Markup


UPRIGHT = r"<m[in]>([^<]{2,}|[^<\w]|\d)</m[in]>"
"""An element with a text that a browser does not slant: all but single letters."""

BEGINS, ENDS = re.compile(UPRIGHT), re.compile(UPRIGHT + "$")


def juxtaposed(parts: Iterable[Markup | str]) -> Markup:
    """Parts in a row; upright texts in a row share an element, for a page has thousands of them."""
    joined = ""
    for part in (str(escape(part)) for part in parts):
        left, right = ENDS.search(joined), BEGINS.match(part)
        if left and right:
            joined, part = (
                f"{joined[: left.start()]}<mi>{left[1]}{right[1]}</mi>",
                part[right.end() :],
            )
        joined += part.replace(' form="infix"', "", 1) if joined else part
    return Markup(joined)


SHORT = 17
"""Characters that fit a line of a phone."""


def gathered(pieces: Iterable[Markup | str]) -> tuple[Markup, ...]:
    """Pieces between which a line may break, joined as long as they stay short."""
    joined: list[Markup] = []
    for piece in pieces:
        whole = juxtaposed([*joined[-1:], piece])
        fits = len(re.sub("<[^>]*>", "", whole)) <= SHORT
        joined[-1:] = [whole] if fits else [*joined[-1:], Markup(escape(piece))]
    return tuple(joined)


def row(*children: Markup | str) -> _MathRow:
    """Elements side by side; what is in a row among them joins this one, but for what brackets enclose."""
    inner = juxtaposed(_inside(child) for child in children)
    made = _MathRow(element("mrow", inner))
    made.inner = inner
    return made


def _inside(part: Markup | str) -> Markup | str:
    """The part without the row around it."""
    return part.inner if isinstance(part, _MathRow) else part


def operator(text: str) -> Markup:
    return element("mo", escape(text))


MINUS = Markup('<mo form="prefix">−</mo>')


def words(text: str) -> Markup:
    return element("mtext", escape(text))


def number(value: object) -> Markup:
    return element("mn", escape(value))


def _fenced(inner: Markup, left: str = "(", right: str = ")") -> Markup:
    """Between brackets as tall as what they enclose: operators around a fraction, letters otherwise."""
    if re.search("<m(frac|under|sqrt|over|sup)", inner):
        return element("mrow", operator(left), _inside(inner), operator(right))
    return row(element("mi", left), inner, element("mi", right))


def _raised(base: Markup, exponent: Markup) -> Markup:
    return element("msup", base, exponent)


def letter(name: str) -> Markup:
    """`lam` is λ, `d_eff` is d with an index, `fhat` has a hat."""
    base, _, index = name.strip("_").partition("_")
    if index in ACCENTS:
        return element("mover", _symbol(base), operator(ACCENTS[index]))
    if index and len(base) > 2 and base not in GREEK:
        return element("mi", escape(name.strip("_").replace("_", "\u2009")))
    for accent, mark in ACCENTS.items():
        if base.endswith(accent) and 1 <= len(base) - len(accent) <= 2:
            return _subscripted(
                element("mover", _symbol(base.removesuffix(accent)), operator(mark)),
                index,
            )
    split = re.fullmatch(r"([A-Za-z]|" + "|".join(GREEK) + r")([0-9]+)", base)
    if split and not index:
        base, index = split.groups()
    return _subscripted(_symbol(base), index)


def _symbol(name: str) -> Markup:
    return element("mi", escape(GREEK.get(name, name)))


def _subscripted(base: Markup, index: str) -> Markup:
    if not index:
        return base
    spelled = SUBSCRIPTS.get(index) or GREEK.get(index) or index.replace("_", ", ")
    return element(
        "msub",
        base,
        number(index) if index.isdigit() else element("mi", escape(spelled)),
    )


SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a formula holds together: one that holds less than its place asks for gets brackets."""

THIN = Markup("<mspace/>")
"""As wide as the style sheet says."""

COMPARISONS: dict[type, str] = {
    ast.LtE: "≤", ast.GtE: "≥", ast.Lt: "<", ast.Gt: ">", ast.Eq: "=", ast.NotEq: "≠",
    ast.In: "∈", ast.Is: "=", ast.IsNot: "≠",
}  # fmt: skip
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
    if (
        isinstance(node.value, float)
        and node.value.is_integer()
        and abs(node.value) < 1e6
    ):
        return number(int(node.value)), ATOM
    return (
        number(node.value)
        if isinstance(node.value, (int, float))
        else words(str(node.value))
    ), ATOM


def _attribute(node: ast.Attribute) -> tuple[Markup, int]:
    if node.attr == "T":
        return _raised(formula(node.value, ATOM), operator("⊤")), POWER
    if isinstance(node.value, ast.Name) and node.value.id in ("case", "np", "numpy"):
        return letter(
            glyph
            if "_" in (glyph := _glyph(node.attr)) and "#" not in glyph
            else node.attr
        ), ATOM
    return row(formula(node.value, ATOM), operator("."), letter(node.attr)), ATOM


def _glyph(name: str) -> str:
    """How a word says that it is shown; no text for others. Words are loaded with the first formula."""
    from boundcheck.operations.operation import WRITTEN
    from boundcheck.words import functions

    assert functions
    return WRITTEN.get(name) or NAMES.get(name, "")


def _operation(node: ast.BinOp) -> tuple[Markup, int]:
    kind, left, right = type(node.op), node.left, node.right
    if kind in (ast.Add, ast.Sub):
        return row(
            formula(left),
            operator("+" if kind is ast.Add else "−"),
            formula(right, PRODUCT),
        ), SUM
    if kind in (ast.Mult, ast.MatMult):
        return row(
            formula(left, PRODUCT), _times(right), formula(right, PRODUCT)
        ), PRODUCT
    if kind is ast.Div:
        return element("mfrac", formula(left), formula(right)), PRODUCT
    if kind is ast.Pow:
        return _raised(formula(left, ATOM), _inline(right)), POWER
    mark = {ast.BitAnd: "∧", ast.BitOr: "∨", ast.Mod: "mod", ast.FloorDiv: "÷"}.get(
        kind
    )
    if mark:
        return row(formula(left, PRODUCT), operator(mark), formula(right, PRODUCT)), SUM
    return words(ast.unparse(node)), ATOM


def _times(right: ast.expr) -> Markup:
    """A thin space, or a dot before a number."""
    while isinstance(right, ast.BinOp) and not isinstance(right.op, ast.Div):
        right = right.left
    return operator("·") if isinstance(right, ast.Constant) else THIN


def _inline(node: ast.expr) -> Markup:
    """An exponent: fractions on one line."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        above = (
            _inline(node.left)
            if isinstance(node.left, ast.UnaryOp)
            else formula(node.left, PRODUCT)
        )
        return row(above, operator("/"), formula(node.right, POWER))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return row(MINUS, _inline(node.operand))
    return formula(node)


def _prefixed(node: ast.UnaryOp) -> tuple[Markup, int]:
    mark = (
        MINUS
        if isinstance(node.op, ast.USub)
        else operator("+" if isinstance(node.op, ast.UAdd) else "¬")
    )
    return row(mark, formula(node.operand, PRODUCT)), SUM


def _comparison(node: ast.Compare) -> tuple[Markup, int]:
    parts = [formula(node.left)]
    for op, right in zip(node.ops, node.comparators, strict=True):
        parts += [operator(COMPARISONS.get(type(op), "∉")), formula(right)]
    return row(*parts), SUM


def _logical(node: ast.BoolOp) -> tuple[Markup, int]:
    mark = "∧" if isinstance(node.op, ast.And) else "∨"
    return _joined([formula(value) for value in node.values], mark), SUM


def _joined(parts: list[Markup], mark: str = ",") -> Markup:
    """Formulas with a sign between them."""
    return row(
        *[
            piece
            for k, part in enumerate(parts)
            for piece in ([operator(mark), part] if k else [part])
        ]
    )


def _sequence(node: ast.Tuple | ast.List) -> tuple[Markup, int]:
    return _fenced(_joined([formula(e) for e in node.elts])), ATOM


def _indexed(node: ast.Subscript) -> tuple[Markup, int]:
    """Indices below; those that only give an array another shape are left out."""
    entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    shown = [
        e
        for e in entries
        if not isinstance(e, ast.Slice) and ast.unparse(e) not in ("None", "...")
    ]
    base = formula(node.value, ATOM)
    return (
        element("msub", base, _joined([formula(e) for e in shown])) if shown else base
    ), ATOM


def _family(node: ast.ListComp | ast.GeneratorExp) -> tuple[Markup, int]:
    """`[x(i) for i in range(n)]` is (x(i)) with the range of i below."""
    if len(node.generators) != 1 or node.generators[0].ifs:
        return words(ast.unparse(node)), ATOM
    return element("msub", _fenced(formula(node.elt)), _range(node.generators[0])), ATOM


def _range(generator: ast.comprehension) -> Markup:
    """i = 1, ..., n, or i in a set."""
    target, among = formula(generator.target), generator.iter
    if not (
        isinstance(among, ast.Call)
        and ast.unparse(among.func) == "range"
        and len(among.args) in (1, 2)
    ):
        return row(target, operator("∈"), formula(among))
    first, end = (
        among.args if len(among.args) == 2 else (ast.Constant(0), among.args[0])
    )
    plus_one = (
        isinstance(end, ast.BinOp)
        and isinstance(end.op, ast.Add)
        and ast.unparse(end.right) == "1"
    )
    if plus_one and isinstance(end, ast.BinOp):
        last = formula(end.left)
    else:
        last = row(formula(end, PRODUCT), operator("−"), number(1))
    return row(
        target,
        operator("="),
        formula(first),
        operator(","),
        operator("…"),
        operator(","),
        last,
    )


def _mapping(node: ast.Lambda) -> tuple[Markup, int]:
    return row(
        _joined([letter(a.arg) for a in node.args.args]),
        operator("↦"),
        formula(node.body),
    ), SUM


def _call(node: ast.Call) -> tuple[Markup, int]:
    args = [a for a in node.args if not (isinstance(a, ast.Name) and a.id in SIZES)]
    if isinstance(node.func, ast.Attribute):
        return _method(node.func, args)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    rule, glyph = CALLS.get(name), _glyph(name)
    if args and (rule or "#" in glyph):
        return rule(name, args) if rule else _around(glyph, args[0])
    return _applied(
        letter(glyph) if glyph and "#" not in glyph else formula(node.func, ATOM), args
    ), ATOM


def _applied(function: Markup, args: list[ast.expr]) -> Markup:
    return row(function, _fenced(_joined([formula(a) for a in args])))


def _method(func: ast.Attribute, args: list[ast.expr]) -> tuple[Markup, int]:
    """`x.sum()` and the like; draws of a generator by the name of their law."""
    owner = func.value.id if isinstance(func.value, ast.Name) else ""
    if owner == "rng":
        return _applied(element("mi", func.attr.capitalize()), args), ATOM
    if owner == "np":
        return _call(ast.Call(ast.Name(func.attr), args, []))
    if owner == "case":
        return _applied(letter(func.attr), args), ATOM
    if func.attr in ("sum", "mean", "max", "min", "prod"):
        mark = {"sum": operator("∑"), "prod": operator("∏")}.get(
            func.attr, element("mi", func.attr)
        )
        return row(mark, formula(func.value, PRODUCT)), PRODUCT
    if func.attr == "map" and len(args) == 1:
        return row(formula(args[0], ATOM), _fenced(formula(func.value))), ATOM
    return _applied(
        row(formula(func.value, ATOM), operator("."), letter(func.attr)), args
    ), ATOM


def _sum(name: str, args: list[ast.expr]) -> tuple[Markup, int]:
    inner = args[0]
    if (
        isinstance(inner, ast.GeneratorExp)
        and len(inner.generators) == 1
        and not inner.generators[0].ifs
    ):
        below = element("munder", operator("∑"), _range(inner.generators[0]))
        return row(below, formula(inner.elt, PRODUCT)), PRODUCT
    return row(operator("∑"), formula(inner, PRODUCT)), PRODUCT


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
    return row(inverted, THIN, *[formula(a, PRODUCT) for a in args[1:]]), PRODUCT


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
        _formula(args[0].body) if isinstance(args[0], ast.Lambda) else _formula(args[0])
    )


CALLS: dict[str, Rule] = {
    "solve": _solved, "at_least": _threshold, "sum": _sum, "quantity": _random, "marked": _random,
    **dict.fromkeys(RELATIONS, lambda name, args: (_joined([formula(a) for a in args], RELATIONS[name]), SUM)),
    "sqrt": lambda _, args: (element("msqrt", _inside(formula(args[0]))), ATOM),
    "identity": lambda _, args: (element("mi", "I"), ATOM),
    "psd_power": lambda _, args: (_raised(formula(args[0], ATOM), _inline(args[-1])), POWER),
    "P": lambda _, args: (_applied(element("mi", "ℙ"), args), ATOM),
    "E": lambda _, args: (row(element("mi", "𝔼"), _fenced(formula(args[0]), "[", "]")), ATOM),
}  # fmt: skip

RULES: dict[type, Callable[..., tuple[Markup, int]]] = {
    ast.Constant: _constant, ast.Attribute: _attribute, ast.BinOp: _operation, ast.UnaryOp: _prefixed,
    ast.Compare: _comparison, ast.BoolOp: _logical, ast.Tuple: _sequence, ast.List: _sequence,
    ast.Subscript: _indexed, ast.Call: _call, ast.ListComp: _family, ast.GeneratorExp: _family,
    ast.Name: lambda node: (letter(node.id), ATOM), ast.Lambda: _mapping,
}  # fmt: skip

MOST_CHARACTERS = 20_000
RANGES = {
    "Unit": "(0, 1)", "Positive": "(0, ∞)", "NonNegative": "[0, ∞)", "Real": "ℝ", "Count": "ℕ",
    "Size": "1..8", "Few": "1..3",
}  # fmt: skip
SPACES = {"Vector": "ℝ", "Matrix": "ℝ", "SquareMatrix": "ℝ", "Points": "ℝ"}
NAMED = {
    "PSD": "positive semidefinite", "PositiveDefinite": "positive definite", "Symmetric": "symmetric",
    "Orthogonal": "orthogonal", "Correlation": "a correlation matrix", "Simplex": "a probability vector",
    "UnitVector": "a unit vector", "Signs": "signs", "Spectrum": "decreasing, not negative",
    "LowRank": "of low rank",
}  # fmt: skip


ALL = "for all"
Line = tuple[str, tuple[Markup, ...]]


@dataclass(frozen=True)
class Typeset:
    """The remarks below a claim, and its lines: a word, and insides of formulas between which it may break.

    Those of the word `for all` are a list, the others pieces of one formula.
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
    if not function or len(function.body) < 2 or ast.get_docstring(function) is None:
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
    parameters = tuple(_parameter(a) for a in function.args.args)
    text = ast.get_docstring(function) or ""
    stated = tuple(line for node in function.body for line in _lines(node))
    remarks = tuple(p for p in text.split("\n\n")[1:] if p.strip())
    lines = [(word, gathered(map(_inside, parts))) for word, parts in stated]
    for_all = (
        [(ALL, tuple(map(Markup, map(_inside, parameters))))] if parameters else []
    )
    return Typeset(remarks, (*for_all, *lines))


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
        return operator("∈"), _raised(element("mi", SPACES[name]), _joined(dims, "×"))
    if name in ("between", "integers") and len(dims) == 2:
        whole = _fenced(_joined([dims[0], operator("…"), dims[1]]), "{", "}")
        return operator("∈"), _fenced(_joined(dims)) if name == "between" else whole
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
    if isinstance(node, ast.Return) and node.value:
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        return [("and" if k else "then", pieces(part)) for k, part in enumerate(parts)]
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return _definitions(node.targets[0], node.value)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        if ast.unparse(node.value.func) == "assume" and node.value.args:
            return [("if", pieces(node.value.args[0]))]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return []
    if (
        isinstance(node, ast.FunctionDef)
        and isinstance(node.body[-1], ast.Return)
        and node.body[-1].value
    ):
        head = row(
            letter(node.name), _fenced(_joined([letter(a.arg) for a in node.args.args]))
        )
        before = [line for inner in node.body[:-1] for line in _lines(inner)]
        return [*before, ("let", _related_to(head, "=", node.body[-1].value))]
    return [("code", (words(ast.unparse(node)),))]


def pieces(node: ast.expr) -> tuple[Markup, ...]:
    """A formula in pieces between which a line may break: before a relation, between the terms of a sum."""
    name = (
        node.func.id
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        else ""
    )
    if isinstance(node, ast.Call) and name in RELATIONS and node.args:
        first, *others = node.args
        parts = [
            part
            for other in others
            for part in _related_to(None, RELATIONS[name], other)
        ]
        return (*pieces(first), *parts)
    if isinstance(node, ast.Compare):
        marks = [COMPARISONS.get(type(op), "∉") for op in node.ops]
        sides = zip(marks, node.comparators, strict=True)
        parts = [part for mark, side in sides for part in _related_to(None, mark, side)]
        return (*pieces(node.left), *parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        mark = "+" if isinstance(node.op, ast.Add) else "−"
        infix = Markup(f'<mo form="infix">{mark}</mo>')
        return (*pieces(node.left), row(infix, formula(node.right, PRODUCT)))
    return (formula(node),)


def _related_to(left: Markup | None, mark: str, right: ast.expr) -> tuple[Markup, ...]:
    """A relation and its right side in pieces, the first of them with what stands on the left."""
    first, *others = (
        pieces(right) if not isinstance(right, ast.Compare) else (formula(right),)
    )
    return (row(*([] if left is None else [left]), operator(mark), first), *others)


def _definitions(target: ast.expr, value: ast.expr) -> list[Line]:
    if isinstance(value, ast.Attribute) and value.attr == "shape":
        sizes = target.elts if isinstance(target, ast.Tuple) else [target]
        shape = _joined([formula(t) for t in sizes], "×")
        return [("let", (row(formula(value.value), words("\u00a0be\u00a0"), shape),))]
    if (
        isinstance(target, ast.Tuple)
        and isinstance(value, ast.Tuple)
        and len(target.elts) == len(value.elts)
    ):
        return [
            line
            for t, v in zip(target.elts, value.elts, strict=True)
            for line in _definitions(t, v)
        ]
    if _target(target) == formula(value):
        return []
    boundary = isinstance(value, ast.Call) and ast.unparse(value.func) == "at_least"
    word, mark = ("if", "≥") if boundary else ("let", "=")
    return [(word, _related_to(_target(target), mark, value))]


def _target(target: ast.expr) -> Markup:
    return (
        _joined([formula(t) for t in target.elts])
        if isinstance(target, ast.Tuple)
        else formula(target)
    )
