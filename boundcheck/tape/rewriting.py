"""How a text is rewritten so that it records: literals, quotients and powers become calls, and what these do.

A literal is the decimal that is written, a quotient of whole numbers the exact one; no other floats are made.
"""

from __future__ import annotations

import ast
import builtins
import functools
import operator
import re
import types
from collections.abc import Callable, Collection
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from boundcheck.tape.library import Foreign, lifted, refused
from boundcheck.tape.program import NotTraceable, active_tape, here, is_machine_made
from boundcheck.tape.texts import DEFINITIONS, Text
from boundcheck.tape.traced import Traced, Whole, constant

NAMES = "make twin literal quotient power divided raised own read seen each handed object place trying shown remainder format".split()
MAKE, TWIN, LITERAL, QUOTIENT, POWER, DIVIDED, RAISED, OWN, READ, SEEN, EACH, HANDED, OBJECT, PLACE, TRYING, SHOWN, REMAINDER, FORMAT = (
    f"__boundcheck_{name}__" for name in NAMES
)


def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function with a table of its values; recorded numbers, never known equal, are no keys of it."""
    known = functools.cache(function)

    @functools.wraps(function)
    def twin(*args: Any, **kwargs: Any) -> Any:
        try:
            hash((args, *kwargs.values()))
        except TypeError:
            return function(*args, **kwargs)
        return known(*args, **kwargs)

    twin.cache_clear, twin.cache_info = known.cache_clear, known.cache_info  # type: ignore[attr-defined]
    return twin


def handed(x: object) -> object:
    """A number that a caller handed to an enclosing function: a short decimal; other floats are refused."""
    tape = active_tape()
    if isinstance(x, (list, tuple)):
        return type(x)(map(handed, x))
    if isinstance(x, dict):
        return {key: handed(entry) for key, entry in x.items()}
    return constant(tape, x) if tape is not None and is_machine_made(x) else x


def _literal(text: str) -> Traced:
    """A number of the text: the decimal that is written."""
    tape = active_tape()
    if text[-1] in "jJ":
        raise NotTraceable("A certificate has no complex numbers; write real and imaginary parts.")
    assert tape is not None
    return constant(tape, Fraction(text.replace("_", "")))


def quotient(x: Any, y: Any) -> object:
    """x / y, of whole numbers and fractions the exact one."""
    x, y = _whole(x), _whole(y)
    if not (isinstance(x, EXACT) and isinstance(y, EXACT)):
        return _recorded(x / y)
    tape, ratio = active_tape(), Fraction(x) / Fraction(y)
    assert tape is not None
    return Whole(tape, int(ratio)) if ratio.denominator == 1 else constant(tape, ratio)


def _power(x: Any, y: Any) -> object:
    """x ** y, of whole numbers the exact one."""
    x, y = _whole(x), _whole(y)
    if isinstance(x, EXACT) and isinstance(y, int) and y < 0:
        return quotient(1, x**-y)
    if isinstance(x, EXACT) and isinstance(y, Fraction):
        return lifted(x) ** lifted(y)
    return _recorded(x**y)


def _whole(x: object) -> Any:
    """Whole numbers and truth values of a width as such of Python, or recorded ones."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "iub":
        return lifted(x)
    return int(x) if isinstance(x, (np.integer, np.bool_)) else x


def _recorded(x: object) -> object:
    computed = isinstance(x, (float, complex, np.number)) or (isinstance(x, np.ndarray) and x.dtype.kind in "fc")
    if computed or type(x).__module__ == "datetime":
        raise refused("a quotient or a power of what a library holds")
    return x


def _shown(x: object, spec: str) -> object:
    """What is put into a text; a whole number with the digits of its float is refused."""
    if isinstance(x, (int, Fraction)) and spec[-1:] in tuple("eEfFgGn%"):
        raise NotTraceable(f"{here()}: the digits of a number are those of its float; compare numbers.")
    return x


def remainder(x: Any, y: Any) -> object:
    """x % y; of a text, what is put into it."""
    if isinstance(x, (str, bytes)):
        text = x if isinstance(x, str) else x.decode("latin-1")
        for spec in re.findall(r"%[^%a-zA-Z]*([a-zA-Z])", text):
            _shown(0, spec)
    return x % y


def formatted(text: Any, *args: Any, **kwargs: Any) -> object:
    """What the method `format` of a text gives, or that of anything else."""
    for spec in re.findall(r"[:}]([^{}]*)}", text) if isinstance(text, str) else ():
        _shown(0, spec)
    return text.format(*args, **kwargs)


def _own(x: object) -> None:
    """Refuse what `x += y` does to the array of which x is a view."""
    if isinstance(x, Traced) and x.ndim and x.base is not None:
        raise NotTraceable(f"{here()}: an array is changed through a view of it; change its entries: x[k] += y.")


def caught() -> None:
    """What may be raised and caught from here on decides without a hypothesis: a division by 0, say."""
    tape = active_tape()
    if tape is not None:
        tape.by_floats = True


def _has(x: object, name: str) -> bool:
    caught()
    return hasattr(x, name)


def _get(x: object, name: str, *default: Any) -> object:
    if default:
        caught()
    return getattr(x, name, *default)


class Trying:
    """Around what may be caught: recorded numbers do not raise what floats raise; refusals are not caught."""

    def __enter__(self) -> None:
        tape = active_tape()
        assert tape is not None
        caught()
        self.tape, self.start, self.line = tape, len(tape.nodes), here()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, (NotTraceable, *UNLIKE_FLOATS)):
            self._refuse(f"{self.line}: what is caught here is raised by numbers that are recorded ({error})")
        if error is None and not all(map(self._is_total, range(self.start, len(self.tape.nodes)))):
            self._refuse(f"{self.line}: whether an error is raised here depends on rounding; decide it by an if")

    def _refuse(self, sentence: str) -> None:
        self.tape.refusal = self.tape.refusal or NotTraceable(sentence)

    def _is_total(self, k: int) -> bool:
        """Whether an operation surely raised nothing, as a hypothesis says."""
        node = self.tape.nodes[k]
        if node["op"] not in ("div", "mod"):
            return node["op"] in TOTAL
        divisor: Any = Traced(self.tape, node["args"][1])
        return not (divisor.node in self.tape.random or np.any((divisor == 0).plain()))


UNLIKE_FLOATS = (TypeError, AttributeError, NotImplementedError, NameError, RecursionError, np.linalg.LinAlgError)
"""What a number that is recorded may raise where a float does not."""

TOTAL = tuple(
    "abs add ceil const cos cumsum floor gather input matmul max maximum mean min minimum mul neg prod rint sign sin"
    " sort sub sum take".split()
)
"""Operations of numbers that raise nothing."""


def divided(x: object, y: object) -> object:
    """What `x /= y` makes of x: an array is changed."""
    return quotient(x, y) if isinstance(x, EXACT) else operator.itruediv(x, y)


def _raised(x: object, y: object) -> object:
    """What `x **= y` makes of x."""
    return _power(x, y) if isinstance(x, EXACT) else operator.ipow(x, y)


EXACT = (int, Fraction)


class Float(type):
    """`float` in a text: a number that is recorded stays so."""

    def __instancecheck__(cls, x: object) -> bool:
        return isinstance(x, (float, Traced))

    def __call__(cls, x: Any = 0) -> object:
        tape = active_tape()
        if isinstance(x, str) or tape is None:
            return _literal(x.strip()) if tape is not None else builtins.float(x)
        return constant(tape, x) if isinstance(x, (*EXACT, Traced)) else builtins.float(x)


class _Float(metaclass=Float):
    """Stands for `float`."""


class Operators:
    """The module `operator`, whose quotients and powers are recorded."""

    truediv, pow = staticmethod(quotient), staticmethod(_power)

    def __getattr__(self, name: str) -> Any:
        return getattr(operator, name)


def _isinstance(x: object, kinds: Any) -> bool:
    """Refused for a number, of which a theorem does not say of what type it is."""
    if isinstance(x, (Traced, int, float, Fraction)):
        raise NotTraceable(f"{here()}: of which type a number is, a theorem does not say; compare numbers.")
    return isinstance(x, kinds._value if isinstance(kinds, Foreign) else kinds)


def _pow(x: Any, y: Any, modulo: Any = None) -> object:
    return _power(x, y) if modulo is None else builtins.pow(x, y, modulo)


def _of_all(name: str) -> Callable[..., Any]:
    """Stands for a function of what it runs through; what has no order has it as a method."""

    def function(*args: Any, **kwargs: Any) -> Any:
        own = args and getattr(type(args[0]), "orderless", False)
        return getattr(args[0], name)(*args[1:], **kwargs) if own else getattr(builtins, name)(*args, **kwargs)

    return function


def _refusing(sentence: str) -> Callable[..., Any]:
    """Stands for a function that runs what nobody reads, or whose value is that of a process or a file."""

    def refuse(*_: Any, **__: Any) -> object:
        raise NotTraceable(f"{here()}: {sentence}")

    return refuse


UNREAD = {name: f"what {name}() runs is not read; write it as Python." for name in ("eval", "exec", "compile")}
UNREAD |= {name: f"what {name}() gives is not in the text; write it in the body" for name in ("id", "hash", "input")}
BUILTINS = {**vars(builtins), **{name: _refusing(sentence) for name, sentence in UNREAD.items()}}
BUILTINS |= {"float": _Float, "pow": _pow, "isinstance": _isinstance}
BUILTINS |= {"format": lambda x, spec="": format(_shown(x, spec), spec)}
BUILTINS |= {name: _of_all(name) for name in ("all", "any", "max", "min", "sum")}
BUILTINS |= {"hasattr": _has, "getattr": _get, "print": lambda *_, **__: None}
RECORDING = {
    LITERAL: _literal, QUOTIENT: quotient, POWER: _power, DIVIDED: divided, RAISED: _raised, OWN: _own, HANDED: handed,
    TRYING: Trying, SHOWN: _shown, REMAINDER: remainder, FORMAT: formatted,
}  # fmt: skip
"""What the calls do that a rewritten text makes; a reader does the rest."""


@lru_cache(maxsize=4096)
def compiled(node: Any, free: tuple[str, ...], floats: frozenset[str], text: Text) -> types.CodeType:
    """A module that makes the twin: a function of the free names, some of them floats handed over."""
    twin = deepcopy(node)
    twin.args.defaults = [ast.Constant(None) if reads_names(d) else d for d in twin.args.defaults]
    twin.args.kw_defaults = [ast.Constant(None) if d is not None and reads_names(d) else d for d in twin.args.kw_defaults]
    twin = Rewriting(text, floats).visit(twin)
    if isinstance(twin, DEFINITIONS):
        twin.decorator_list, twin.name = [], TWIN  # its own name means the decorated one, as in the module
        body: list[Any] = [twin, ast.Return(ast.Name(TWIN, ast.Load()))]
    else:
        body = [ast.Return(twin)]
    arguments = ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, [])
    make = ast.FunctionDef(MAKE, arguments, body, [], None)
    return compile(ast.fix_missing_locations(ast.Module([make], [])), text.file, "exec", dont_inherit=True)


def _loaded(target: Any) -> Any:
    """What is stored to, read."""
    read = deepcopy(target)
    read.ctx = ast.Load()
    return read


def _once(target: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
    """A target whose object and place are worked out once, and the statements that do so."""
    named = {}
    if isinstance(target, ast.Attribute | ast.Subscript):
        named[OBJECT], target.value = target.value, ast.Name(OBJECT, ast.Load())
    if isinstance(target, ast.Subscript) and not any(isinstance(inner, ast.Slice) for inner in ast.walk(target.slice)):
        named[PLACE], target.slice = target.slice, ast.Name(PLACE, ast.Load())
    return [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in named.items()], target


def _only_floats(node: ast.AST) -> bool:
    """Whether it is `with np.errstate(...)`, which catches nothing."""
    said = [ast.unparse(item.context_expr) for item in getattr(node, "items", ())]
    return bool(said) and all("errstate(" in text for text in said)


def reads_names(node: ast.AST) -> bool:
    """Whether a default of a function reads a name, whose meaning was that of the moment."""
    return any(isinstance(inner, ast.Name) for inner in ast.walk(node))


class Rewriting(ast.NodeTransformer):
    """Literals, quotients and powers as calls that record; annotations dropped; imported names read."""

    def __init__(self, text: Text, floats: Collection[str] = ()):
        self.text, self.floats = text, floats

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.floats and isinstance(node.ctx, ast.Load):
            return self._call(HANDED, node, node)
        return node

    def _call(self, name: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, (float, complex)):
            return self._call(LITERAL, node, ast.Constant(self.text.number(node)))
        return node

    def _seen(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        return self._call(SEEN, node, node) if isinstance(getattr(node, "ctx", None), ast.Load | None) else node

    visit_Attribute = visit_Subscript = _seen

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            node = ast.copy_location(ast.Call(ast.Name(FORMAT, ast.Load()), [node.func.value, *node.args], node.keywords), node)
        return self._seen(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        if node.format_spec is not None and node.conversion == -1:
            node.value = self._call(SHOWN, node.value, node.value, deepcopy(node.format_spec))
        return node

    def _each(self, node: ast.For | ast.comprehension) -> ast.AST:
        """What a loop runs over may be anything that holds numbers."""
        self.generic_visit(node)
        node.iter = self._call(EACH, node.iter, node.iter)
        return node

    visit_For = visit_comprehension = _each

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        node.left, *node.comparators = (self._named(x) for x in (node.left, *node.comparators))
        return node

    def _named(self, node: ast.expr) -> ast.expr:
        """An operand that a caller elsewhere may have handed over."""
        return self._call(SEEN, node, node) if isinstance(node, ast.Name) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        name = {ast.Div: QUOTIENT, ast.Pow: POWER, ast.Mod: REMAINDER}.get(type(node.op))
        self.generic_visit(node)
        node.left, node.right = self._named(node.left), self._named(node.right)
        return node if name is None else self._call(name, node, node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        node.operand = self._named(node.operand)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        """`x /= y` as `x = x / y`, for Python computes the quotients of whole numbers in floats."""
        self.generic_visit(node)
        named = isinstance(node.target, ast.Name)
        checked = [ast.copy_location(ast.Expr(self._call(OWN, node, _loaded(node.target))), node)] if named else []
        if not isinstance(node.op, (ast.Div, ast.Pow)):
            return [*checked, node]
        before, target = _once(node.target)
        changed = self._call(DIVIDED if isinstance(node.op, ast.Div) else RAISED, node, _loaded(target), node.value)
        return [ast.copy_location(x, node) for x in (*checked, *before, ast.Assign([target], changed))]

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        node.patterns, node.kwd_patterns = (list(map(self.visit, p)) for p in (node.patterns, node.kwd_patterns))
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        node.patterns = list(map(self.visit, node.patterns))
        return node

    def _guarded(self, node: ast.Try | ast.TryStar | ast.With) -> ast.AST:
        """Statements whose errors may be caught."""
        self.generic_visit(node)
        leaves = any(isinstance(x, (ast.Return, ast.Break, ast.Continue)) for y in getattr(node, "finalbody", ()) for x in ast.walk(y))
        if (leaves or getattr(node, "handlers", True)) and not _only_floats(node):
            trying = ast.Call(ast.Name(TRYING, ast.Load()), [], [])
            node.body = [ast.copy_location(ast.With([ast.withitem(trying)], node.body), node.body[0])]
        return node

    visit_Try = visit_TryStar = visit_With = _guarded

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        names = [(alias.asname or alias.name).partition(".")[0] for alias in node.names if alias.name != "*"]
        read = [self._call(READ, node, ast.Name(name, ast.Load())) for name in names]
        stores = [ast.copy_location(ast.Assign([ast.Name(n, ast.Store())], r), node) for n, r in zip(names, read, strict=True)]
        return [node, *stores]

    visit_ImportFrom = visit_Import

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node
