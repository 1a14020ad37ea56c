"""How a text is rewritten so that it records: literals, quotients and powers become calls, and what these do.

A literal is the decimal that is written, a quotient of whole numbers the exact one; no other floats are made.
"""

from __future__ import annotations

import ast
import builtins
import operator
import types
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from boundcheck.tape.library import lifted, refused
from boundcheck.tape.program import NotInLanguage, active_tape, here
from boundcheck.tape.texts import DEFINITIONS, Text
from boundcheck.tape.traced import Traced, Whole, constant

LITERAL = "__boundcheck_literal__"
QUOTIENT = "__boundcheck_quotient__"
POWER = "__boundcheck_power__"
DIVIDED = "__boundcheck_divided__"
RAISED = "__boundcheck_raised__"
REMAINDER = "__boundcheck_remainder__"
SEEN = "__boundcheck_seen__"
MAKE = "__boundcheck_make__"
TWIN = "__boundcheck_twin__"

EXACT = (int, Fraction)


def _literal(text: str) -> Traced:
    """A number of the text: the decimal that is written."""
    tape = active_tape()
    assert tape is not None
    return constant(tape, Fraction(text.replace("_", "")))


def _quotient(x: Any, y: Any) -> object:
    """x / y, of whole numbers and fractions the exact one."""
    x, y = _whole(x), _whole(y)
    if not (isinstance(x, EXACT) and isinstance(y, EXACT)):
        return _recorded(x / y)
    tape, ratio = active_tape(), Fraction(x) / Fraction(y)
    assert tape is not None
    return (
        Whole(tape, int(ratio))
        if ratio.denominator == 1
        else constant(tape, ratio)
    )


def _power(x: Any, y: Any) -> object:
    """x ** y, of whole numbers the exact one."""
    x, y = _whole(x), _whole(y)
    if isinstance(x, EXACT) and isinstance(y, int) and y < 0:
        return _quotient(1, x**-y)
    if isinstance(x, EXACT) and isinstance(y, Fraction):
        return lifted(x) ** lifted(y)
    return _recorded(x**y)


def _whole(x: object) -> Any:
    """Whole numbers and truth values of a width as such of Python, or recorded ones."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "iub":
        return lifted(x)
    return int(x) if isinstance(x, (np.integer, np.bool_)) else x


def _recorded(x: object) -> object:
    computed = isinstance(x, (float, complex, np.number)) or (
        isinstance(x, np.ndarray) and x.dtype.kind in "fc"
    )
    if computed:
        raise refused("a quotient or a power of what a library holds")
    return x


def _remainder(x: Any, y: Any) -> object:
    """x % y of numbers; what is put into a text has the digits of floats."""
    if isinstance(x, (str, bytes)):
        raise NotInLanguage(
            f"{here()}: the digits of a number are those of its float; compare numbers."
        )
    return x % y


def _divided(x: object, y: object) -> object:
    """What `x /= y` makes of x: an array is changed."""
    return _quotient(x, y) if isinstance(x, EXACT) else operator.itruediv(x, y)


def _raised(x: object, y: object) -> object:
    """What `x **= y` makes of x."""
    return _power(x, y) if isinstance(x, EXACT) else operator.ipow(x, y)


class _Float:
    """`float` in a text: a number that is recorded stays so."""

    def __new__(cls, x: Any = 0) -> Any:
        tape = active_tape()
        if isinstance(x, str) or tape is None:
            return (
                _literal(x.strip()) if tape is not None else builtins.float(x)
            )
        return (
            constant(tape, x)
            if isinstance(x, (*EXACT, Traced))
            else builtins.float(x)
        )


def _pow(x: Any, y: Any, mod: Any = None) -> object:
    return _power(x, y) if mod is None else builtins.pow(x, y, mod)


def _of_all(name: str) -> Callable[..., Any]:
    """Stands for a function of what it runs through; what has no order has it as a method."""

    def function(*args: Any, **kwargs: Any) -> Any:
        own = args and getattr(type(args[0]), "orderless", False)
        return (
            getattr(args[0], name)(*args[1:], **kwargs)
            if own
            else getattr(builtins, name)(*args, **kwargs)
        )

    return function


def _len(x: Any) -> Any:
    """How long something is; an array of no known size has a name for it."""
    shape: tuple[Any, ...] = getattr(x, "shape", ())
    is_named = shape and not isinstance(shape[0], int)
    return shape[0] if is_named else builtins.len(x)


BUILTINS = {
    **vars(builtins),
    "float": _Float,
    "pow": _pow,
    "len": _len,
    **{name: _of_all(name) for name in ("all", "any", "max", "min", "sum")},
}

RECORDING = {
    LITERAL: _literal,
    QUOTIENT: _quotient,
    POWER: _power,
    DIVIDED: _divided,
    RAISED: _raised,
    REMAINDER: _remainder,
}
"""What the calls do that a rewritten text makes; a reader does the rest."""

CALLED = {ast.Div: QUOTIENT, ast.Pow: POWER, ast.Mod: REMAINDER}
CALLED_IN_PLACE = {ast.Div: DIVIDED, ast.Pow: RAISED}


@lru_cache(maxsize=4096)
def compiled(node: Any, free: tuple[str, ...], text: Text) -> types.CodeType:
    """A module whose function MAKE, of the free names, makes the twin of a function."""
    twin = deepcopy(node)
    twin.args.defaults = [
        _unless_named(default) for default in twin.args.defaults
    ]
    twin.args.kw_defaults = [
        default and _unless_named(default) for default in twin.args.kw_defaults
    ]
    twin = Rewriting(text).visit(twin)
    if isinstance(twin, DEFINITIONS):
        # Its own name means the decorated one, as in the module.
        twin.decorator_list, twin.name = [], TWIN
        body: list[Any] = [twin, ast.Return(ast.Name(TWIN, ast.Load()))]
    else:
        body = [ast.Return(twin)]
    arguments = ast.arguments(
        [], [ast.arg(name) for name in free], None, [], [], None, []
    )
    make = ast.FunctionDef(MAKE, arguments, body, [], None)
    return compile(
        ast.fix_missing_locations(ast.Module([make], [])),
        text.file,
        "exec",
        dont_inherit=True,
    )


def _unless_named(default: ast.expr) -> ast.expr:
    """A default that reads names is put in its place by the reader: they had their meaning of the moment."""
    return ast.Constant(None) if reads_names(default) else default


def reads_names(node: ast.AST) -> bool:
    """Whether an expression reads a name."""
    return any(isinstance(inner, ast.Name) for inner in ast.walk(node))


class Rewriting(ast.NodeTransformer):
    """Literals, quotients and powers as calls that record; annotations dropped; attributes and calls seen."""

    def __init__(self, text: Text):
        self.text = text

    def _call(self, name: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        return ast.copy_location(
            ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node
        )

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, (float, complex)):
            return self._call(
                LITERAL, node, ast.Constant(self.text.number(node))
            )
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return (
            self._call(SEEN, node, node)
            if isinstance(node.ctx, ast.Load)
            else node
        )

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return self._call(SEEN, node, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = CALLED.get(type(node.op))
        return (
            node
            if name is None
            else self._call(name, node, node.left, node.right)
        )

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """`x /= y` as `x = x / y`, for Python computes the quotients of whole numbers in floats."""
        self.generic_visit(node)
        name = CALLED_IN_PLACE.get(type(node.op))
        if name is None:
            return node
        before = deepcopy(node.target)
        before.ctx = ast.Load()
        return ast.copy_location(
            ast.Assign(
                [node.target], self._call(name, node, before, node.value)
            ),
            node,
        )

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)
