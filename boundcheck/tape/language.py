"""The language that statements need, and that theory/ is written in: what a text may say, and how to say what is outside of it.

A body is a pure function of its parameters, as for `jax.jit`. A list of what is allowed has an end; what does not
stand here is not read.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import Any

from boundcheck.tape.ownership import Ownership, is_draw, is_list
from boundcheck.tape.program import NotInLanguage
from boundcheck.tape.table import (
    ATTRIBUTES,
    FAMILIAR,
    INSTEAD_OF,
    KEEPERS,
    OF_METHODS,
    VIEWS,
    Signature,
    known,
)
from boundcheck.tape.texts import DEFINITIONS, Text

STATEMENTS = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Break,
    ast.Continue,
    ast.Expr,
    ast.For,
    ast.FunctionDef,
    ast.If,
    ast.Pass,
    ast.Return,
    ast.While,
)

EXPRESSIONS = (
    ast.Attribute,
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.Dict,
    ast.DictComp,
    ast.GeneratorExp,
    ast.IfExp,
    ast.Lambda,
    ast.List,
    ast.ListComp,
    ast.Name,
    ast.NamedExpr,
    ast.Set,
    ast.SetComp,
    ast.Slice,
    ast.Starred,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
)

DIGITS = "the digits of a number are those of its float; compare numbers"

INSTEAD: dict[type[ast.AST], str] = {
    ast.Assert: "say assume(...)",
    ast.AsyncFunctionDef: "a body does not wait for anything",
    ast.Await: "a body does not wait for anything",
    ast.ClassDef: "declare it in the file, or use a tuple",
    ast.Delete: "leave it as it is",
    ast.FormattedValue: DIGITS,
    ast.Global: "give it as an argument, and return it",
    ast.Import: "import it at the top of the file",
    ast.ImportFrom: "import it at the top of the file",
    ast.JoinedStr: DIGITS,
    ast.Match: "decide by an if",
    ast.Nonlocal: "give it as an argument, and return it",
    ast.Raise: "say assume(...) of what has to hold",
    ast.Try: "decide by an if before what may fail",
    ast.TryStar: "decide by an if before what may fail",
    ast.With: "write what is inside without it",
    ast.Yield: "make a list",
    ast.YieldFrom: "make a list",
}
"""What a text has of Python that is not in the language, and how to say it."""

UNKNOWN = object()
"""What a name of the body, or an attribute of such, stands for."""


IsText = Callable[[str | None], bool]
"""Whether the text of a module, by its name, is read."""

_SENTENCES: dict[tuple[types.CodeType, str], str | None] = {}


def outside(function: types.FunctionType, is_text: IsText) -> str | None:
    """What of a function is not in the language, with its line and how to say it; None where all of it is."""
    code = function.__code__
    key = code, code.co_filename
    if key not in _SENTENCES:
        _SENTENCES[key] = _judged(function, is_text)
    return _SENTENCES[key]


def _judged(function: types.FunctionType, is_text: IsText) -> str | None:
    text = Text.of(function.__code__.co_filename)
    node = text.function(function.__code__)
    try:
        _Visitor(node, text, _names(function), is_text).visit_function(node)
    except NotInLanguage as sentence:
        return str(sentence)
    return None


def require_expression(
    node: ast.expr, text: Text, names: Mapping[str, Any], is_text: IsText
) -> None:
    """The same of an expression of a module, which makes a constant. Raises NotInLanguage."""
    _Visitor(node, text, names, is_text).visit(node)


def _names(function: types.FunctionType) -> dict[str, Any]:
    """What names of its module, and of the functions around it, stand for."""
    names = dict(function.__globals__)
    for name, cell in zip(
        function.__code__.co_freevars, function.__closure__ or (), strict=True
    ):
        with suppress(ValueError):  # not bound yet
            names[name] = cell.cell_contents
    return names


def _declared(names: Mapping[str, Any], is_text: IsText) -> frozenset[str]:
    """Attributes that the classes of a module's text declare, and those of the texts that it imports from."""
    modules: dict[str, Mapping[str, Any]] = {}
    waiting = [names]
    while waiting:
        for value in list(waiting.pop().values()):
            module = (
                value.__name__
                if isinstance(value, types.ModuleType)
                else getattr(value, "__module__", None)
            )
            if (
                isinstance(module, str)
                and module not in modules
                and module in sys.modules
                and is_text(module)
            ):
                modules[module] = vars(sys.modules[module])
                waiting.append(modules[module])
    classes = {
        x
        for given in (names, *modules.values())
        for x in given.values()
        if isinstance(x, type) and is_text(x.__module__)
    }
    return frozenset(
        name
        for kind in classes
        for name in (*vars(kind), *inspect.get_annotations(kind))
    )


class _Visitor(ast.NodeVisitor):
    """Looks at one function and all inside of it."""

    def __init__(
        self, top: Any, text: Text, names: Mapping[str, Any], is_text: IsText
    ):
        self.text, self.names, self.is_text = text, names, is_text
        self.declared = _declared(names, is_text)
        self.bound = set(_bound(top))
        self.ownership = Ownership(top, self._is_new, self._is_keeper)

    def refuse(self, node: ast.AST, sentence: str) -> None:
        line = getattr(node, "lineno", 0)
        raise NotInLanguage(
            f"{self.text.file.rpartition('/')[2]}:{line}: {sentence}."
        )

    def refuse_call(self, node: ast.AST, spelled: str, kind: str = "") -> None:
        """Refuse a function, method or attribute, or something of a kind, with what to say for it."""
        last = spelled.removesuffix("()").rpartition(".")[2]
        instead = INSTEAD_OF.get(
            kind or last, "spell it by the functions of docs/language.md"
        )
        self.refuse(
            node, f"`{spelled}` is not in the language of statements; {instead}"
        )

    def visit_function(self, node: Any) -> None:
        """A definition or a lambda: its own decorators have run, its defaults are those of its module."""
        for argument in ast.walk(node.args):
            if (
                isinstance(argument, ast.arg)
                and argument.annotation is not None
            ):
                self._require_floats(argument.annotation, set())
        for inner in (
            node.body if isinstance(node, DEFINITIONS) else [node.body]
        ):
            self.visit(inner)

    def _require_floats(self, domain: ast.expr, met: set[str]) -> None:
        """Domains have run: an end that is written with more digits than a float has is another one there.

        Looked at in what the module makes of names, too; `met` are those that have been.
        """
        for node in ast.walk(domain):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                written = self.text.number(node)
                if Fraction(written) != Fraction(repr(node.value)):
                    more = "has more digits than a float, which an end of a domain is"
                    self.refuse(node, f"`{written}` {more}")
            if isinstance(node, ast.Name) and node.id not in met:
                met.add(node.id)
                for value in self.text.values(node.id):
                    if isinstance(value, ast.expr):
                        self._require_floats(value, met)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.stmt, ast.expr)) and not isinstance(
            node, (*STATEMENTS, *EXPRESSIONS)
        ):
            instead = INSTEAD.get(
                type(node), "say it in the words of docs/language.md"
            )
            self.refuse(
                node,
                f"`{_keyword(node)}` is not in the language of statements; {instead}",
            )
        super().generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            self.refuse(
                node,
                "a function in a body has no decorators; call what would decorate it",
            )
        self._require_plain_defaults(node.args)
        self.visit_function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._require_plain_defaults(node.args)
        self.visit_function(node)

    def _require_plain_defaults(self, arguments: ast.arguments) -> None:
        for default in (
            *arguments.defaults,
            *filter(None, arguments.kw_defaults),
        ):
            if isinstance(
                default,
                (
                    ast.List,
                    ast.Dict,
                    ast.Set,
                    ast.ListComp,
                    ast.DictComp,
                    ast.SetComp,
                ),
            ):
                self.refuse(
                    default,
                    "a default that can be changed is shared by all calls; make it in the body",
                )
            self.visit(default)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, complex):
            self.refuse_call(node, self.text.number(node), "complex")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._require_filling(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        for operator, right in zip(node.ops, node.comparators, strict=True):
            of_none = isinstance(right, ast.Constant) and right.value is None
            if isinstance(operator, (ast.Is, ast.IsNot)) and not of_none:
                self.refuse(
                    node,
                    "whether two names are one object is no statement about numbers; compare by ==",
                )
        super().generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and not self.ownership.may_add_to(
            node.target.id
        ):
            name = node.target.id
            self.refuse(
                node,
                f"`{name}` may be changed where something else sees it; write {name} = {name} ...",
            )
        self.visit(node.value)
        self._require_filling(node.target)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._require_filling(target)

    def _require_filling(self, target: ast.expr) -> None:
        """What is stored to: a name, several, or entries of an array that the body has just made."""
        if isinstance(target, (ast.Tuple, ast.List)):
            for entry in target.elts:
                self._require_filling(entry)
        elif isinstance(target, ast.Subscript):
            self._require_own(target)
            self.visit(target.slice)
        elif isinstance(target, ast.Attribute):
            self.refuse(target, "an attribute is changed; return what is new")

    def _require_own(self, target: ast.Subscript) -> None:
        whole, depth = target.value, 0
        while isinstance(whole, ast.Subscript):  # a row of a list of lists
            whole, depth = whole.value, depth + 1
        if not (
            isinstance(whole, ast.Name)
            and self.ownership.may_fill(whole.id, depth)
        ):
            what = ast.unparse(target.value)
            self.refuse(
                target,
                f"`{what}` is changed where something else may see it; say np.where, np.concatenate or a comprehension",
            )

    def visit_Name(self, node: ast.Name) -> None:
        self._require_known(node, self._meant(node))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        meant = self._meant(node)
        self._require_known(node, meant)
        if meant is UNKNOWN:
            if node.attr not in ATTRIBUTES:
                self._require_declared(node, f".{node.attr}")
            self.visit(node.value)

    def _require_declared(self, node: ast.Attribute, spelled: str) -> None:
        """Attributes that numbers, arrays or functions have as well are those that classes of the text declare."""
        if _is_familiar(node.attr) and node.attr not in self.declared:
            self.refuse_call(node, spelled)

    def visit_Call(self, node: ast.Call) -> None:
        meant = self._meant(node.func)
        for argument in (
            *node.args,
            *(keyword.value for keyword in node.keywords),
        ):
            self.visit(argument)
        if meant is UNKNOWN and isinstance(node.func, ast.Attribute):
            self._require_method(node, node.func)
        elif id(meant) in known():
            _, name, signature = known()[id(meant)]
            self._require_read(node, name, signature)
        else:
            self.visit(node.func)

    def _require_method(self, node: ast.Call, called: ast.Attribute) -> None:
        signature = OF_METHODS.get(called.attr)
        if signature is None:
            self._require_declared(called, f".{called.attr}()")
        elif called.attr not in self.declared:
            self._require_read(node, f".{called.attr}", signature)
        self.visit(called.value)

    def _require_read(
        self, node: ast.Call, name: str, signature: Signature
    ) -> None:
        unread = signature.unread(node)
        if unread is not None:
            read = ", ".join(sorted(signature.names)) or "none"
            instead = (
                "leave it out"
                if unread == "dtype="
                else f"of its arguments are {read}"
            )
            self.refuse(node, f"`{unread}` of {name} is not read; {instead}")

    def _is_new(self, value: ast.expr | None) -> bool:
        """Whether an expression makes something that is no view, and no other name of anything."""
        if isinstance(value, ast.Call):
            found = known().get(id(self._meant(value.func)))
            return (
                is_list(value)
                or is_draw(value)
                or (found is not None and found[1] not in VIEWS)
            )
        return isinstance(
            value,
            (
                ast.BinOp,
                ast.UnaryOp,
                ast.Constant,
                ast.List,
                ast.ListComp,
                ast.Compare,
            ),
        )

    def _is_keeper(self, call: ast.Call) -> bool:
        """Whether what a call makes holds rows of its arguments, which are views of a matrix."""
        found = known().get(id(self._meant(call.func)))
        return found is None or found[1] in KEEPERS or "itertools" in found[1]

    def _meant(self, node: ast.expr) -> Any:
        """The object that a name of the module, or an attribute of one or of a function of the table, stands for."""
        if isinstance(node, ast.Name) and node.id not in self.bound:
            return self.names.get(node.id, getattr(builtins, node.id, UNKNOWN))
        if isinstance(node, ast.Attribute):
            owner = self._meant(node.value)
            if isinstance(owner, types.ModuleType) or id(owner) in known():
                return getattr(owner, node.attr, UNKNOWN)
        return UNKNOWN

    def _require_known(self, node: ast.expr, meant: Any) -> None:
        """Functions and classes are those of the table, of the text, or words of boundcheck."""
        if meant is UNKNOWN or id(meant) in known() or not callable(meant):
            return
        module = getattr(meant, "__module__", None) or type(meant).__module__
        if module.partition(".")[0] == "boundcheck" or self.is_text(module):
            return
        self.refuse_call(node, ast.unparse(node))


def _keyword(node: ast.AST) -> str:
    """What a reader calls a construct: the word that a statement begins with, all of an expression."""
    spelled = ast.unparse(node)
    return (
        spelled.split()[0].rstrip(":")
        if isinstance(node, ast.stmt)
        else spelled
    )


@cache
def _is_familiar(name: str) -> bool:
    return any(hasattr(kind, name) for kind in FAMILIAR)


def _bound(top: ast.AST) -> Iterator[str]:
    """All names that a function binds, inner functions and comprehensions with it."""
    for node in ast.walk(top):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, DEFINITIONS) and node is not top:
            yield node.name
