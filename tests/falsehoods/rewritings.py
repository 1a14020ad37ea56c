"""Ways to say a statement in other words that mean the same: each takes its text and changes it, or says that it does not apply."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import reduce
from typing import Any

import numpy as np

from .nonnegative import is_nonnegative
from .written import Raw, Renamed, Written, bound, expression, read, renamed

Rewriting = Callable[[Written], bool]
REWRITINGS: dict[str, Rewriting] = {}
RELATIONS = ("at_most", "less", "equal", "loewner")
FLIPPED = {ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.Eq: ast.Eq}


def rewriting(change: Rewriting) -> Rewriting:
    REWRITINGS[change.__name__.replace("_", " ")] = change
    return change


def spelled(text: Written, how: str) -> Written | None:
    """The statement in other words; None where that way does not apply."""
    other = text.copy()
    return other if REWRITINGS[how](other) else None


# the signature


@rewriting
def a_family_as_parameters(text: Written) -> bool:
    """A: Family(PSD("d"), 3) as A0, A1, A2: PSD("d")."""
    for k, p in enumerate(text.parameters):
        match p.annotation:
            case ast.Call(func=ast.Name(id="Family"), args=[domain, ast.Constant(value=int(count))]):
                names = [text.fresh(f"{p.arg}{i}") for i in range(count)]
                text.parameters[k : k + 1] = [ast.arg(name, deepcopy(domain)) for name in names]
                text.begin(f"{p.arg} = np.stack([{', '.join(names)}])")
                text.there = lambda raw, _, p=p, names=names: {**_without(raw, p.arg), **dict(zip(names, raw[p.arg], strict=True))}
                return True
    return False


@rewriting
def parameters_as_a_family(text: Written) -> bool:
    """A: PSD("d"), B: PSD("d") as F: Family(PSD("d"), 2)."""
    groups: dict[str, list[ast.arg]] = {}
    for p in text.parameters:
        if p.annotation and p.arg not in text.sizes:
            groups.setdefault(ast.unparse(p.annotation), []).append(p)
    annotation, group = max(groups.items(), key=lambda item: len(item[1]))
    if len(group) < 2 or annotation.startswith("Family"):
        return False
    family, names = text.fresh("F"), [p.arg for p in group]
    text.parameters[text.parameters.index(group[0])] = ast.arg(family, expression(f"Family({annotation}, {len(group)})"))
    for p in group[1:]:
        text.parameters.remove(p)
    text.begin("\n".join(f"{name} = {family}[{k}]" for k, name in enumerate(names)))
    text.there = lambda raw, _: {**_without(raw, *names), family: [raw[name] for name in names]}
    return True


@rewriting
def parameters_in_reverse(text: Written) -> bool:
    """(A, B) as (B, A)."""
    text.parameters.reverse()
    return len(text.parameters) > 1


@rewriting
def parameters_renamed(text: Written) -> bool:
    """Names alone: what differs here differs by luck."""
    new = {p.arg: text.fresh(f"v{k}") for k, p in enumerate(text.parameters)}
    annotations = [p.annotation for p in text.parameters]
    for node in (n for a in annotations if a for n in ast.walk(a) if isinstance(n, ast.Constant)):
        node.value = new.get(node.value, node.value) if isinstance(node.value, str) else node.value
    renamed(text.function, new)
    text.there = lambda raw, _: {new[name]: x for name, x in raw.items()}
    return True


@rewriting
def sizes_declared(text: Written) -> bool:
    """A: PSD("d") as d: Count, A: PSD("d"): a Count that is a size is drawn as a named one is."""
    found = sorted(text.sizes - {p.arg for p in text.parameters})
    new = {size: text.fresh(f"{size}_size") if size in text.locals() else size for size in found}
    strings = [n for p in text.parameters if p.annotation for n in ast.walk(p.annotation) if isinstance(n, ast.Constant)]
    implied = set(found) - {n.value for n in strings}
    if not found or any(new[size] != size for size in implied):
        return False
    for node in strings:
        node.value = new.get(node.value, node.value) if isinstance(node.value, str) else node.value
    text.parameters[:0] = [ast.arg(name, expression("Count")) for name in new.values()]
    text.there = lambda raw, sizes: {**raw, **{name: sizes[size] for size, name in new.items()}}
    return True


@rewriting
def sizes_named(text: Written) -> bool:
    """d: Count, A: PSD("d") as A: PSD("d"), d = A.shape[0]."""
    for p in text.parameters:
        if p.arg in text.sizes and p.annotation and ast.unparse(p.annotation) == "Count":
            for other, domain in text.domains.items():
                if domain.axes and p.arg in (along := [domain.dims[k] for k in domain.axes]):
                    text.parameters.remove(p)
                    text.begin(f"{p.arg} = {other}.shape[{along.index(p.arg)}]")
                    text.there = lambda raw, _, p=p: _without(raw, p.arg)
                    return True
    return False


@rewriting
def gram_matrices(text: Written) -> bool:
    """A: PSD("d") as X: SquareMatrix("d"), A = X X^T."""
    lines, new = [], {}
    for p in list(text.parameters):
        is_family = isinstance(p.annotation, ast.Call) and ast.unparse(p.annotation.func) == "Family"
        domain = p.annotation.args[0] if is_family else p.annotation  # type: ignore[union-attr]
        if domain is None or read(domain) != {"PSD"}:
            continue
        x = new[p.arg] = text.fresh(f"{p.arg}_root")
        lines.append(f"{p.arg} = np.stack([X @ X.T for X in {x}])" if is_family else f"{p.arg} = {x} @ {x}.T")
        p.arg, p.annotation = x, renamed(p.annotation, {"PSD": "SquareMatrix"})
    if not new:
        return False
    text.begin("\n".join(lines))
    text.there = lambda raw, _: {new.get(name, name): _square(x) if name in new else x for name, x in raw.items()}
    return True


def _square(factor: Any) -> Any:
    """A square factor of the same Gram matrix, or a list of them."""
    if isinstance(factor, (list, tuple)):
        return [_square(x) for x in factor]
    rows, columns = factor.shape
    return np.linalg.qr(factor.T)[1].T if columns > rows else np.hstack([factor, np.zeros((rows, rows - columns))])


def _without(raw: Raw, *names: str) -> dict[str, Any]:
    return {name: x for name, x in raw.items() if name not in names}


# the conclusion

Sides = tuple[ast.expr, ast.expr]


def _returned(text: Written) -> list[ast.Return]:
    """What the statement returns, not its helpers."""
    left, found = list(text.function.body), []
    while left:
        node = left.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            found.append(node)
        elif isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
            left += [inner for inner in ast.walk(node) if isinstance(inner, ast.stmt) and inner is not node]
    return list({id(r): r for r in found}.values())


def _relation(node: ast.AST) -> str:
    """Which relation a node states of two sides; "chance" of a comparison of probabilities or expectations."""
    match node:
        case ast.Call(func=ast.Name(id=word), args=[_, _], keywords=[]) if word in RELATIONS:
            return word
        case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in FLIPPED and (_is_average(a) or _is_average(b)):
            return "chance"
    return ""


def _is_average(x: ast.expr) -> bool:
    """Whether an expression has a probability or an expectation, outside of functions that it hands on."""
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in ("P", "E") for n in ast.walk(x))


class _Stating(ast.NodeTransformer):
    """Conclusions changed, and how many were."""

    def __init__(self, change: Callable[[str, Any], ast.expr | None]):
        self.change, self.changed = change, 0

    def visit(self, node: ast.AST) -> Any:
        relation = _relation(node)
        if not relation:
            return self.generic_visit(node)
        other = self.change(relation, node)
        self.changed += other is not None
        return node if other is None else other


def _restated(text: Written, change: Callable[[str, Any], ast.expr | None]) -> bool:
    stating = _Stating(change)
    for statement in _returned(text):
        statement.value = stating.visit(statement.value)
    return stating.changed > 0


def _with_sides(text: Written, put: Callable[[str, ast.expr, ast.expr], Sides | None]) -> bool:
    """Both sides of the conclusions changed, where they can be."""

    def change(relation: str, node: Any) -> ast.expr | None:
        both = put(relation, *(node.args if relation != "chance" else (node.left, *node.comparators)))
        if both is None:
            return None
        return ast.Call(node.func, list(both), []) if relation != "chance" else ast.Compare(both[0], node.ops, [both[1]])

    return _restated(text, change)


@rewriting
def sides_exchanged(text: Written) -> bool:
    """at_most(a, b) as at_most(-b, -a), and P(B) <= p as p >= P(B)."""

    def change(relation: str, node: Any) -> ast.expr:
        if relation == "chance":
            return ast.Compare(node.comparators[0], [FLIPPED[type(node.ops[0])]()], [node.left])
        a, b = node.args
        sides = (b, a) if relation == "equal" else (ast.UnaryOp(ast.USub(), b), ast.UnaryOp(ast.USub(), a))
        return ast.Call(node.func, list(sides), [])

    return _restated(text, change)


@rewriting
def complements_of_events(text: Written) -> bool:
    """P(B) <= p as P(not B) >= 1 - p."""

    def change(relation: str, node: Any) -> ast.expr | None:
        sides = [node.left, *node.comparators] if relation == "chance" else []
        events = [x for x in sides if isinstance(x, ast.Call) and ast.unparse(x.func) == "P" and not x.keywords]
        if not events or len(events) != sum(map(_is_average, sides)):
            return None
        other = [_call("P", ast.UnaryOp(ast.Invert(), x.args[0])) if x in events else _sum(ast.Constant(1), x, ast.Sub()) for x in sides]
        if len(events) == 2:
            return None
        return ast.Compare(other[0], [FLIPPED[type(node.ops[0])]()], [other[1]])

    return _restated(text, change)


@rewriting
def summands_in_reverse(text: Written) -> bool:
    """a + b - c as -c + b + a, wherever the statement adds."""
    reversing = _Summands()
    for statement in text.function.body:
        if isinstance(statement, (ast.Assign, ast.Return)) and statement.value is not None:
            statement.value = reversing.visit(statement.value)
    return reversing.changed


class _Summands(ast.NodeTransformer):
    changed = False

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        terms = list(_terms(node, positive=True))
        if len(terms) < 2 or any(isinstance(x, (ast.List, ast.ListComp, ast.Tuple)) for _, x in terms):
            return self.generic_visit(node)  # type: ignore[return-value]
        self.changed = True
        (sign, first), *rest = [(sign, self.visit(x)) for sign, x in reversed(terms)]
        start = first if sign else ast.UnaryOp(ast.USub(), first)
        return reduce(lambda total, term: _sum(total, term[1], ast.Add() if term[0] else ast.Sub()), rest, start)


def _terms(x: ast.expr, positive: bool) -> Iterator[tuple[bool, ast.expr]]:
    """The summands of a sum, each with its sign."""
    match x:
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
            yield from _terms(a, positive)
            yield from _terms(b, positive == isinstance(op, ast.Add))
        case _:
            yield positive, x


@rewriting
def both_squared(text: Written) -> bool:
    """a <= b as a^2 <= b^2, where both are nonnegative."""
    return _with_sides(text, lambda r, a, b: (_power(a, 2), _power(b, 2)) if _are(text, r, a, b) else None)


@rewriting
def both_rooted(text: Written) -> bool:
    """a <= b as sqrt(a) <= sqrt(b), where both are nonnegative."""
    return _with_sides(text, lambda r, a, b: (_call("sqrt", a), _call("sqrt", b)) if _are(text, r, a, b) else None)


@rewriting
def both_in_logarithms(text: Written) -> bool:
    """a <= b as log(a) <= log(b), where both are positive."""
    return _with_sides(text, lambda r, a, b: (_call("log", a), _call("log", b)) if _are(text, r, a, b, strictly=True) else None)


def _are(text: Written, relation: str, a: ast.expr, b: ast.expr, strictly: bool = False) -> bool:
    ordered = relation in ("at_most", "less", "equal") and not _is_average(a) and not _is_average(b)
    return ordered and is_nonnegative(a, text, strictly) and is_nonnegative(b, text, strictly)


@rewriting
def both_times_three(text: Written) -> bool:
    """a <= b as 3 a <= 3 b."""
    three = lambda x: ast.BinOp(ast.Constant(3), ast.Mult(), x)  # noqa: E731
    return _with_sides(text, lambda _, a, b: (three(a), three(b)))


@rewriting
def both_plus_one(text: Written) -> bool:
    """a <= b as a + 1 <= b + 1; of matrices the identity is added."""
    return _with_sides(text, lambda r, a, b: (_sum(a, _one(r, b)), _sum(b, _one(r, b))))


def _one(relation: str, b: ast.expr) -> ast.expr:
    return expression(f"np.eye(({ast.unparse(b)}).shape[0])") if relation == "loewner" else ast.Constant(1)


@rewriting
def both_plus_a_quantity(text: Written) -> bool:
    """a <= b as a + sum(x) <= b + sum(x), for the first parameter that is a number or an array."""
    free = [p.arg for p in text.parameters if p.arg not in text.sizes | text.assigned().keys()]
    name = next((name for name in free if text.domains[name].axes is not None), None)
    if name is None:
        return False
    more = ast.Name(text.fresh("added"), ast.Load())
    text.begin(f"{more.id} = np.sum({name})" if text.domains[name].axes else f"{more.id} = {name}")
    return _with_sides(text, lambda r, a, b: None if r == "loewner" else (_sum(a, more), _sum(b, more)))


def _sum(a: ast.expr, b: ast.expr, op: ast.operator | None = None) -> ast.expr:
    return ast.BinOp(a, op or ast.Add(), b)


def _power(x: ast.expr, k: int) -> ast.expr:
    return ast.BinOp(x, ast.Pow(), ast.Constant(k))


def _call(word: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(word, ast.Load()), list(args), [])


# helpers and constants


@rewriting
def helpers_inlined(text: Written) -> bool:
    """Calls of functions that only assign and return, by what they return."""
    inlining = _Inlining(text)
    for _ in range(5):  # helpers of helpers
        before = inlining.count
        text.function.body = [line for s in text.function.body for line in inlining.lines(s)]
        if inlining.count == before:
            break
    return inlining.count > 0


class _Inlining(ast.NodeTransformer):
    """Calls of helpers in lines of the body; those that assign first are inlined where that is outside of functions."""

    def __init__(self, text: Written):
        self.text, self.count, self.inside, self.first = text, 0, 0, list[ast.stmt]()

    def lines(self, statement: ast.stmt) -> list[ast.stmt]:
        self.first = []
        if not isinstance(statement, (ast.Assign, ast.Return, ast.Expr)):
            return [statement]
        changed = self.visit(statement)
        return [*self.first, changed]

    def visit(self, node: ast.AST) -> Any:
        lazy = isinstance(node, (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.IfExp, ast.BoolOp))
        self.inside += lazy
        found = super().visit(node)
        self.inside -= lazy
        return found

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        helper = self.text.definitions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if not isinstance(helper, ast.FunctionDef) or node.keywords or helper.args.defaults or len(node.args) != len(helper.args.args):
            return node
        *lines, last = [s for s in helper.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        plain = isinstance(last, ast.Return) and last.value is not None and all(isinstance(s, ast.Assign) for s in lines)
        globals_ = read(helper) - bound(helper)
        if not plain or (lines and self.inside) or globals_ & self.text.locals() or any(isinstance(a, ast.Starred) for a in node.args):
            return node
        self.count += 1
        new: dict[str, ast.expr] = {name: ast.Name(self.text.fresh(f"{name}_{self.count}"), ast.Load()) for name in bound(helper)}
        for parameter, value in zip(helper.args.args, node.args, strict=True):
            if self.inside or isinstance(value, (ast.Name, ast.Constant)):
                new[parameter.arg] = value
            else:
                self.first.append(ast.Assign([ast.Name(new[parameter.arg].id, ast.Store())], value, lineno=0))  # type: ignore[attr-defined]
        inlined = [Renamed(new).visit(deepcopy(s)) for s in (*lines, last)]
        self.first += inlined[:-1]
        return inlined[-1].value


@rewriting
def a_side_as_a_helper(text: Written) -> bool:
    """The side of the conclusion that has more to it as a function of what it mentions."""
    statement, *others = _returned(text)
    found = [n for n in ast.walk(statement) if _relation(n)]
    if others or len(found) != 1 or statement not in text.function.body:
        return False
    node: Any = found[0]
    sides = [x for x in (node.args if isinstance(node, ast.Call) else [node.left, *node.comparators]) if not _is_average(x)]
    side = max(sides, key=lambda x: len(list(ast.walk(x))), default=None)
    if side is None or isinstance(side, (ast.Constant, ast.Name)):
        return False
    name = text.fresh("side")
    taken = sorted(read(side) & text.locals() - bound(side))
    text.before(f"def {name}({', '.join(taken)}):\n    return {ast.unparse(side)}")
    _with_sides(text, lambda _, a, b: tuple(_call(name, *map(expression, taken)) if x is side else x for x in (a, b)))  # type: ignore[arg-type,return-value]
    return True


@rewriting
def constants_moved_into_the_body(text: Written) -> bool:
    """Constants of the module as first lines of the functions that mention them."""
    constants = {name: s for name, s in text.definitions.items() if isinstance(s, (ast.Assign, ast.AnnAssign))}
    moved = False
    for f in (s for s in text.tree.body if isinstance(s, ast.FunctionDef)):
        needed = _mentioned(f, constants)
        if needed & bound(f):
            continue
        lines = [deepcopy(s) for s in text.tree.body if any(constants[name] is s for name in needed)]
        first = int(isinstance(f.body[0], ast.Expr) and isinstance(f.body[0].value, ast.Constant))
        f.body[first:first] = lines
        moved |= bool(lines)
    text.prune()
    return moved


def _mentioned(f: ast.FunctionDef, constants: Mapping[str, ast.stmt]) -> set[str]:
    """The constants that a function mentions, and those that they mention."""
    found: set[str] = set()
    left = read(f) & constants.keys()
    while left:
        found |= left
        left = {name for known in left for name in read(constants[known]) & constants.keys()} - found
    return found


@rewriting
def decimals_as_constants_of_the_module(text: Written) -> bool:
    """Numbers with a point get names at the top of the file."""
    naming = _Naming(text)
    for statement in text.function.body:
        naming.visit(statement)
    text.before("\n".join(f"{name} = {value!r}" for value, name in naming.names.items()))
    return bool(naming.names)


class _Naming(ast.NodeTransformer):
    def __init__(self, text: Written):
        self.text, self.names = text, dict[float, str]()

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        name = self.names.setdefault(node.value, self.text.fresh(f"CONSTANT_{len(self.names)}"))
        return ast.Name(name, ast.Load())
