"""Whether an expression is known to be nonnegative, or positive, in every entry: by its words and its domains."""

from __future__ import annotations

import ast

from .written import Written

POSITIVE = {"Positive", "Unit", "Count", "Size", "Few"}
NONNEGATIVE = {"NonNegative", "Simplex", "Spectrum", "Bits", "JointLaw", "Channel", "Permutation", "Subset"}
PSD = {"PSD", "PositiveDefinite", "Correlation"}
SIZES = {"abs", "absolute", "fabs", "norm", "opnorm", "frobenius", "nuclear", "square", "std", "var", "spectral_radius"}
KEEPING = {"sum", "max", "min", "mean", "prod", "median", "sqrt", "stack", "array", "float", "sort", "cumsum", "largest", "smallest"}
OF_PSD = {"trace", "largest_eigenvalue", "smallest_eigenvalue", "eigenvalues", "det", "diagonal", "permanent"}


def is_nonnegative(x: ast.expr, text: Written, strictly: bool = False) -> bool:
    """Whether x is surely >= 0, or > 0, wherever it has a value."""
    known = lambda y: is_nonnegative(y, text, strictly)  # noqa: E731
    weakly = lambda y: is_nonnegative(y, text)  # noqa: E731
    match x:
        case ast.Constant(value=int(number) | float(number)):
            return number > 0 or (number == 0 and not strictly)
        case ast.Name(id="pi") | ast.Subscript(value=ast.Attribute(attr="shape")) | ast.Call(func=ast.Name(id="len" | "exp")):
            return True
        case ast.Name(id=name) if name in text.assigned():
            return known(text.assigned()[name])
        case ast.Name(id=name):
            return any(p.arg == name and p.annotation and _range(p.annotation, strictly) for p in text.parameters)
        case ast.Attribute(value=ast.Name(), attr="variance") | ast.Attribute(value=ast.Name(), attr="p"):
            return not strictly and isinstance(x.value, ast.Name) and x.value.id in text.domains
        case ast.Subscript(value=value) | ast.Attribute(value=value, attr="T") | ast.Starred(value=value):
            return known(value)
        case ast.List(elts=entries) | ast.Tuple(elts=entries):
            return all(map(known, entries))
        case ast.ListComp(elt=entry) | ast.GeneratorExp(elt=entry):
            return known(entry)
        case ast.IfExp(body=one, orelse=other):
            return known(one) and known(other)
        case ast.BinOp(left=a, op=ast.Add(), right=b):
            return weakly(a) and weakly(b) and (known(a) or known(b))
        case ast.BinOp(left=a, op=ast.Mult() | ast.Div(), right=b):
            return known(a) and known(b)
        case ast.BinOp(left=a, op=ast.MatMult(), right=b):
            return not strictly and (ast.dump(a) == ast.dump(b) or (known(a) and known(b))) and not _is_matrix(a, text)
        case ast.BinOp(left=a, op=ast.Pow(), right=ast.Constant(value=int(k))) if k > 0 and k % 2 == 0 and not strictly:
            return True
        case ast.BinOp(left=a, op=ast.Pow()):
            return known(a)
        case ast.Call(func=ast.Attribute(attr=word) | ast.Name(id=word), args=[first, *rest]):
            return _of_word(word, first, rest, text, strictly)
    return False


def _of_word(word: str, first: ast.expr, rest: list[ast.expr], text: Written, strictly: bool) -> bool:
    if word in SIZES or word in OF_PSD:
        return not strictly and (word in SIZES or _is_psd(first, text))
    if word == "exp":
        return True
    several = [first, *rest] if word in ("maximum", "minimum") else [first]
    found = [is_nonnegative(y, text, strictly) for y in several]
    return any(found) if word == "maximum" else (word in KEEPING or word == "minimum") and all(found)


def _is_psd(x: ast.expr, text: Written) -> bool:
    if isinstance(x, ast.BinOp) and isinstance(x.op, ast.Add):
        return _is_psd(x.left, text) and _is_psd(x.right, text)
    return isinstance(x, ast.Name) and any(p.arg == x.id and p.annotation and _word(p.annotation) in PSD for p in text.parameters)


def _is_matrix(x: ast.expr, text: Written) -> bool:
    """Whether x may be a matrix, whose square may have negative entries: whatever is no vector of the signature."""
    return not (isinstance(x, ast.Name) and x.id in text.domains and len(text.domains[x.id].axes or ()) == 1)


def _word(annotation: ast.expr) -> str:
    """The name of a domain."""
    return next((n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)), "")


def _range(annotation: ast.expr, strictly: bool) -> bool:
    """Whether a domain has nonnegative entries alone."""
    name = _word(annotation)
    if name in POSITIVE or (name in NONNEGATIVE and not strictly):
        return True
    if not isinstance(annotation, ast.Call) or name not in ("between", "integers", "Box"):
        return False
    named = {k.arg: k.value for k in annotation.keywords}
    low = named.get("low", annotation.args[-2] if len(annotation.args) >= 2 else None)
    if not isinstance(low, ast.Constant) or not isinstance(low.value, (int, float)):
        return False
    open_ = name == "between" and "closed" not in named
    return low.value > 0 or (low.value == 0 and (open_ or not strictly))
