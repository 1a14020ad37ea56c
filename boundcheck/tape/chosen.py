"""Whole numbers, truth values and words there before a tape records: whether floats may have chosen them.

`STEPS = int(0.29 * 100)` is 28 in floats and 29 as it reads, and an integer shows nothing of it. What a value
is made of stands in the text: where that computes but whole numbers it is what it is; else it is worked out
again on the tape and must be the same, or it is refused.
"""

from __future__ import annotations

import ast
import functools
import sys
import types
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.tape.exactly import rationals
from boundcheck.tape.program import NotTraceable, is_machine_made, value_of
from boundcheck.tape.texts import DEFINITIONS, Text, bound, values_given
from boundcheck.tape.traced import Traced, constant

EXACT_CALLS = frozenset(
    "len range list tuple set frozenset dict sorted reversed enumerate zip sum min max abs divmod ord chr int str bool"
    " bytes field auto".split()
)
"""Functions that make whole numbers and words of such."""

CHANGING = ("append", "extend", "update", "add", "items", "keys", "values", "split", "join", "setdefault")
"""Methods that only move what they are given."""

CONTAINERS = (list, tuple, dict, set, frozenset, deque)
"""What holds numbers that are seen."""

JUDGED = (*CONTAINERS, int, str, bytes, bytearray, Fraction, range, np.ndarray, np.bool_, types.SimpleNamespace, types.MappingProxyType)
"""What floats may have chosen, or may hold what they have."""

CHOSEN = (
    "'{}' was chosen when its module was imported or an instance was looked at, perhaps by floats; write it in the body."
)


NOT_MADE = (NotTraceable, ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)
"""What is raised where a text that is worked out again does not make a value on the tape."""


def is_discrete(value: Any, depth: int = 4) -> bool:
    """Whether a value is made of whole numbers, truth values, fractions and words alone."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "bUS"
    if type(value) in (dict, Counter, OrderedDict):
        return depth > 0 and all(is_discrete(x, depth - 1) for pair in value.items() for x in pair)
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return depth > 0 and all(is_discrete(x, depth - 1) for x in value)
    return isinstance(value, (int, str, bytes, bytearray, Fraction, range, np.bool_))


def cells_of(function: object) -> list[Any]:
    """What a function that was generated reads of those around it."""
    return [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]


def are_floats(x: object) -> bool:
    """Whether it is a finite float, or an array of floats: nothing says what they should be."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "fc"
    return isinstance(x, (float, complex, np.inexact, Decimal)) and bool(np.isfinite(complex(x)))


def has_floats(x: object, depth: int = 4) -> bool:
    """Whether a container holds such."""
    if isinstance(x, CONTAINERS):
        entries = (*x, *x.values()) if isinstance(x, dict) else x
        return depth > 0 and any(has_floats(entry, depth - 1) for entry in entries)
    return are_floats(x)


def is_judged(value: object, is_text: Callable[[str | None], bool]) -> bool:
    """Whether floats may have chosen a value, or what it holds, when a module made it."""
    if isinstance(value, types.FunctionType):
        return any(map(is_discrete, cells_of(value))) and is_text(value.__module__)
    if isinstance(value, functools.partial):
        return any(map(is_discrete, (*value.args, *value.keywords.values())))
    if isinstance(value, JUDGED):
        return True
    library = str(type(value).__module__).partition(".")[0]
    return not callable(value) and not isinstance(value, types.ModuleType) and library not in ("boundcheck", "numpy", "scipy")


def computes(node: ast.AST, known: Callable[[str], bool]) -> bool:
    """Whether a text may make floats, or compare them; `known` tells of names that they hold none."""
    own = bound(node)
    return any(_computes(inner, own, known) for inner in ast.walk(node))


def _computes(node: ast.AST, own: set[str], known: Callable[[str], bool]) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (float, complex))
    if isinstance(node, ast.BinOp):
        negative = isinstance(node.op, ast.Pow) and not isinstance(node.right, ast.Constant)
        return negative or isinstance(node.op, ast.Div)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, (ast.Div, ast.Pow))
    if isinstance(node, ast.Call):
        called = node.func
        moving = isinstance(called, ast.Attribute) and called.attr in CHANGING
        return not moving and not (isinstance(called, ast.Name) and (called.id in EXACT_CALLS or known(called.id)))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return node.id not in own and node.id not in EXACT_CALLS and not known(node.id)
    return isinstance(node, (ast.Attribute, ast.JoinedStr)) and isinstance(getattr(node, "ctx", None), ast.Load | None) and not (
        isinstance(node, ast.Attribute) and node.attr in CHANGING
    )


def never(_: str) -> bool:
    """No name is known."""
    return False


def doubtful(node: ast.AST, value: object) -> Iterator[tuple[ast.expr, Any]]:
    """The expressions inside, with their values, that are discrete and that floats may have chosen."""
    if isinstance(node, (ast.List, ast.Tuple)) and isinstance(value, (list, tuple)) and len(node.elts) == len(value):
        for inner, entry in zip(node.elts, value, strict=True):
            yield from doubtful(inner, entry)
    elif isinstance(node, ast.Dict) and isinstance(value, dict) and len(node.values) == len(value):
        for inner, entry in zip(node.values, value.values(), strict=True):
            yield from doubtful(inner, entry)
    elif isinstance(node, ast.expr) and not is_discrete(value) and not callable(value):
        if holds_floats(node):
            raise NotTraceable(CHOSEN.format(ast.unparse(node)))
    elif isinstance(node, ast.expr) and is_discrete(value) and (computes(node, never) or not _says(node, value)):
        yield node, value


def _says(node: ast.expr, value: object) -> bool:
    """Whether a literal is the value; anything else may be."""
    try:
        return bool(ast.literal_eval(node) == value)
    except (ValueError, TypeError, SyntaxError):
        return True


def agrees(exact: Any, value: Any) -> bool:
    """Whether what is worked out on the tape is a discrete value."""
    exact = exact.plain() if hasattr(exact, "plain") else exact  # the outcome of a comparison
    if isinstance(value, dict):
        return type(exact) is dict and exact.keys() == value.keys() and all(agrees(exact[k], x) for k, x in value.items())
    if isinstance(value, (list, tuple, deque, np.ndarray)):
        return np.shape(exact)[:1] == np.shape(value)[:1] and all(map(agrees, exact, value))
    if isinstance(value, (int, Fraction, np.bool_)):
        return not isinstance(exact, str) and bool(exact == value)
    return type(exact) is type(value) and exact == value


NEAR, FEW_ULPS = 1e-9, 2.0**-48
"""How far floats made in another way may lie from a constant, relative to an entry, or to the largest one."""


def is_made_again(exact: Any, value: Any, exactly: bool = False) -> bool:
    """Whether a constant that was evaluated again has the floats that are there, or some near them."""
    if not is_machine_made(value):
        return not is_discrete(value) or agrees(exact, value)
    if isinstance(value, dict):
        pairs = [(exact.get(key), entry) for key, entry in value.items()]
        return exact.keys() == value.keys() and all(is_made_again(x, y, exactly) for x, y in pairs)
    if isinstance(value, (list, tuple)):
        pairs = zip(exact, value, strict=False)
        return len(exact) == len(value) and all(is_made_again(x, y, exactly) for x, y in pairs)
    if isinstance(value, (set, frozenset)):
        return exact == value
    mine, own = np.asarray(value_of(exact), dtype=float), np.asarray(value, dtype=float)
    slack = FEW_ULPS * np.max(np.abs(own), where=np.isfinite(own), initial=0.0)
    near, slack = (0.0, 0.0) if exactly else (NEAR, slack)
    close = mine.shape == own.shape and np.allclose(mine, own, near, slack, equal_nan=True)
    return close or (mine.shape == own.shape and _wraps(exact, np.asarray(value)))


def _wraps(exact: Any, value: np.ndarray) -> bool:
    """Whether whole numbers of a width are what is left of larger ones."""
    if not isinstance(exact, Traced) or value.dtype.kind not in "iu":
        return False
    known, width = rationals(exact.tape, exact.node), 2 ** (8 * value.itemsize)
    return known is not None and not any((q - int(x)) % width for q, x in zip(known, value.flat, strict=True))


def folded(exact: Any, value: object) -> Any:
    """An array of whole numbers as one constant of the program, however its text makes it."""
    floats = isinstance(exact, Traced) and exact.exact is None and np.all(np.asarray(value) % 1 == 0)
    known = rationals(exact.tape, exact.node) if floats else None
    if known is None or any(q.denominator != 1 for q in known):
        return exact
    return constant(exact.tape, np.reshape(np.array([*known, None], dtype=object)[:-1], exact.shape))


def require_unchosen(name: str, value: object, nodes: list[Any], evaluated: Callable[[ast.expr], Any]) -> None:
    """Raise NotTraceable unless an expression that makes a name makes this value of it on the tape too."""
    if not any(_agreed(node, value, evaluated) for node in nodes):
        raise NotTraceable(CHOSEN.format(name))


def _agreed(node: ast.AST, value: object, evaluated: Callable[[ast.expr], Any]) -> bool:
    with suppress(*NOT_MADE):
        return all(agrees(evaluated(inner), own) for inner, own in doubtful(node, value))
    return False


def require_unchosen_class(kind: type, text: Text, evaluated: Callable[[ast.expr], Any]) -> None:
    """The same of the constants of a class, and of its fields that have a default. Raises NotTraceable."""
    fields = getattr(kind, "__dataclass_fields__", {})
    defaults = {**getattr(kind, "_field_defaults", {}), **{name: f.default for name, f in fields.items()}}
    members = {name: m.value for name, m in getattr(kind, "__members__", {}).items()}
    own = {name: value for name, value in {**vars(kind), **defaults, **members}.items() if is_discrete(value) and name[:2] != "__"}
    if not own:
        return
    nodes = text.classes(kind.__name__)
    for name, value in own.items():
        plain = name.removeprefix(f"_{kind.__name__.lstrip('_')}") if "__" in name else name
        found = [made for node in nodes for statement in node.body for made in values_given(statement, plain)]
        if not found and any(map(holds_floats, _stored(text, name))):
            raise NotTraceable(CHOSEN.format(f"{kind.__name__}.{name}"))
        if found and None not in found:
            require_unchosen(f"{kind.__name__}.{name}", value, found, evaluated)
    changing = [s for s in text.binding(kind.__name__) if not isinstance(s, (*DEFINITIONS, ast.ClassDef))] if _is_outer(kind) else []
    said = [k.value for node in nodes for k in node.keywords if k.arg != "metaclass"]
    if any(computes(x, lambda name: name == kind.__name__) for x in [*changing, *said]):
        raise NotTraceable(CHOSEN.format(kind.__name__))


def _stored(text: Text, name: str) -> Iterator[ast.AST]:
    """What any statement of a text stores in an attribute of that name."""
    for node in ast.walk(text.tree):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Attribute) and t.attr == name for t in node.targets):
            yield node.value


def _is_outer(kind: type) -> bool:
    return kind.__qualname__ == kind.__name__ and hasattr(sys.modules.get(kind.__module__), kind.__name__)


def chosen_attributes(kind: type, text: Text) -> set[str]:
    """The attributes to which a method of a class stores what floats may have chosen."""
    found: set[str] = set()
    for method in (f for node in text.classes(kind.__name__) for f in ast.walk(node) if isinstance(f, DEFINITIONS)):
        given = {a.arg for a in ast.walk(method.args) if isinstance(a, ast.arg)}
        for inner in ast.walk(method):
            targets = inner.targets if isinstance(inner, ast.Assign) else [getattr(inner, "target", None)]
            stored = [x.attr for t in targets if t for x in ast.walk(t) if isinstance(x, ast.Attribute)]
            if stored and isinstance(inner, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and inner.value is not None:
                compared = any(isinstance(x, (ast.Compare, ast.BoolOp)) for x in ast.walk(inner.value))
                doubt = compared or computes(inner.value, given.__contains__)
                found |= set(stored) if doubt else set()
    return found


def holds_floats(node: ast.AST) -> bool:
    """Whether a float is written in a text, or a quotient."""
    floats = (isinstance(x, ast.Constant) and isinstance(x.value, (float, complex)) for x in ast.walk(node))
    return any(floats) or any(isinstance(inner, ast.Div) for inner in ast.walk(node))


def require_unchosen_object(name: str, value: object, text: Text) -> None:
    """Refuse an object of any other kind that floats help to make, and a function that is handed a choice."""
    statements = [s for s in text.tree.body if name in bound(s) and not isinstance(s, (*DEFINITIONS, ast.ClassDef, ast.ImportFrom))]
    for statement in filter(holds_floats, statements):
        inner = list(ast.walk(statement))
        chosen = sum(isinstance(x, ast.Call) for x in inner) > 1 or any(isinstance(x, ast.Compare) for x in inner)
        if chosen or not callable(value):
            raise NotTraceable(CHOSEN.format(name))


def require_unchosen_name(
    name: str, value: object, text: Text, nodes: list[Any], names: dict[str, Any], evaluated: Callable[[ast.expr], Any]
) -> None:
    """The same of a name of a module, whatever its statements make of it. Raises NotTraceable."""
    if not is_discrete(value) and not isinstance(value, (list, tuple, dict)):
        return require_unchosen_object(name, value, text)
    if nodes and None not in nodes and not any(isinstance(node, ast.ImportFrom) for node in nodes):
        return require_unchosen(name, value, nodes, evaluated)
    statements = [s for s in text.tree.body if name in bound(s) and not isinstance(s, (*DEFINITIONS, ast.ClassDef, ast.ImportFrom))]
    harmless = {key for key, entry in names.items() if not is_machine_made(entry) and not callable(entry)}
    if any(computes(s, harmless.__contains__) for s in statements):
        raise NotTraceable(CHOSEN.format(name))
    return None


def are_unchosen(names: set[str], value: object, node: ast.AST, text: Text) -> bool:
    """Whether all that the functions around `node`, and the module, make of some names are whole numbers."""
    made = [x for name in names for x in (*text.made_around(name, node), *text.values(name))]
    if isinstance(value, (list, dict, set, bytearray, deque)) and made and not any(x is not None and _says(x, value) for x in made):
        return False
    return all(x is not None and not isinstance(x, ast.stmt) and not computes(x, names.__contains__) for x in made)
