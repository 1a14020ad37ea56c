"""Texts of files, parsed once: where a function stands, what binds a name, which names are read."""

from __future__ import annotations

import ast
import dis
import linecache
import sys
import sysconfig
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from boundcheck.tape.program import NotTraceable

READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
INSTALLED = tuple(
    {Path(sysconfig.get_paths()[kind]).resolve() for kind in LIBRARIES}
)

COMMAND = "<string>"
"""What Python calls the file of the text after `python -c`, and dataclasses that of their methods."""

SESSION = "<session>"
"""What stands for the file of what was typed at a prompt or in the cells of a notebook."""

Chain = tuple[str, ...]
"""A name and the attributes that are read of it: `shared.C` is ("shared", "C")."""


class NoText(NotTraceable):
    """Something whose text, and so whose meaning, cannot be read."""


def inputs() -> dict[str, list[str]]:
    """The lines of every input of this session by its name, as notebooks and prompts keep them."""
    prompt = {
        entry[3]: entry
        for entry in getattr(linecache, "_interactive_cache", {}).values()
    }
    cells = {
        name: entry
        for name, entry in linecache.cache.items()
        if len(entry) == 4 and entry[1] is None
    }
    return {
        **_command(),
        **{name: entry[2] for name, entry in (prompt | cells).items()},
    }


@lru_cache(maxsize=1)
def _command() -> dict[str, list[str]]:
    """The text after `python -c`."""
    if sys.argv[:1] != ["-c"] or "-c" not in sys.orig_argv:
        return {}
    text = sys.orig_argv[sys.orig_argv.index("-c") + 1]
    return {COMMAND: f"{textwrap.dedent(text)}\n".splitlines(keepends=True)}


def lines_of(file: str, names: dict[str, Any] | None = None) -> list[str]:
    """The lines of a file or of an input; none where they are not kept."""
    return linecache.getlines(file, names) or (
        inputs().get(file, []) if file.startswith("<") else []
    )


def has_text(code: CodeType | None) -> bool:
    """Whether the text of a function is kept; of one without a file, whether it is really there."""
    if code is None or not lines_of(code.co_filename):
        return False
    return (
        code.co_filename != COMMAND
        or (code.co_firstlineno, code.co_name) in Text.of(COMMAND).functions
    )


def is_generated(code: CodeType) -> bool:
    """Whether Python or a dataclass has made a function of a class, which its text states otherwise."""
    made = code.co_qualname.startswith("__create_fn__")
    return made or code.co_name == "__annotate__"  # from Python 3.14 on


def is_typed(names: dict[str, Any], code: CodeType) -> bool:
    """Whether a function was typed at a prompt or in a notebook: no file of its module states it."""
    return not names.get("__file__") or not Path(code.co_filename).is_file()


def is_session(names: dict[str, Any]) -> bool:
    """Whether a module is made of inputs: it has no file, or that of the prompt, or is typed on."""
    file, main = names.get("__file__"), names.get("__name__") == "__main__"
    return not file or (
        main and (hasattr(sys, "ps1") or is_installed(str(file)))
    )


@lru_cache(maxsize=4096)
def is_installed(file: str) -> bool:
    """Whether a file belongs to Python or to an installed library."""
    path = Path(file).resolve()
    folders = {"site-packages", "dist-packages"} & set(path.parts)
    return bool(folders) or any(path.is_relative_to(home) for home in INSTALLED)


class Text:
    """The text of a file and its tree."""

    _read: dict[str, Text] = {}  # noqa: RUF012

    def __init__(self, file: str, lines: list[str]):
        self.file, self.lines = file, lines
        try:
            self.tree = ast.parse("".join(lines))
        except (SyntaxError, ValueError) as error:
            raise NoText(
                f"The text of {file} is not Python that can be read."
            ) from error

    @classmethod
    def of(cls, file: str, names: dict[str, Any] | None = None) -> Text:
        """The text as the file has it now; `names` are the globals of its module. Raises NoText."""
        linecache.checkcache(file)
        text, lines = cls._read.get(file), lines_of(file, names)
        if not lines:
            raise NoText(
                f"The text of {file} is not at hand; write the claim in a file."
            )
        if text is None or text.lines is not lines:
            text = cls._read[file] = cls(file, lines)
        return text

    @classmethod
    def of_module(cls, names: dict[str, Any]) -> Text:
        """The text of the module with these globals; of a session, all its inputs. Raises NoText."""
        file = str(names.get("__file__") or "")
        if not is_session(names):
            return cls.of(file, names)
        parts = [
            linecache.getlines(file) if file and not is_installed(file) else [],
            *inputs().values(),
        ]
        lines = [
            line.rstrip("\n") + "\n"
            for part in parts
            if _is_python(part)
            for line in part
        ]
        text = cls._read.get(SESSION)
        if text is None or text.lines != lines:
            text = cls._read[SESSION] = cls(SESSION, lines)
        return text

    @cached_property
    def functions(self) -> dict[tuple[int, str], list[Any]]:
        """Definitions and lambdas by first line and name."""
        found = defaultdict(list)
        for node in ast.walk(self.tree):
            if isinstance(node, DEFINITIONS):
                found[_first_line(node), node.name].append(node)
            elif isinstance(node, ast.Lambda):
                found[node.lineno, "<lambda>"].append(node)
        return found

    @cached_property
    def codes(self) -> set[CodeType]:
        """What its functions are compiled to."""
        found = {
            compile("".join(self.lines), self.file, "exec", dont_inherit=True)
        }
        while (
            inner := {
                c
                for code in found
                for c in code.co_consts
                if isinstance(c, CodeType)
            }
            - found
        ):
            found |= inner
        return found

    @cached_property
    def _around(self) -> dict[ast.Lambda, ast.stmt]:
        """The innermost statement that each lambda stands in."""
        found: dict[ast.Lambda, ast.stmt] = {}
        for statement in _statements(self.tree):
            for node in ast.walk(statement):
                if isinstance(node, ast.Lambda):
                    found.setdefault(node, statement)
        return found

    def function(self, code: CodeType) -> Any:
        """A function or lambda; of several on one line, the one that its places lie in. Raises NoText."""
        found = self.functions.get((code.co_firstlineno, code.co_name), [])
        if len(found) > 1:
            places = [
                p
                for p in code.co_positions()
                if p[0] is not None and p[2] is not None
            ]
            spanned = {
                node: sum(_spans(node, p) for p in places) for node in found
            }
            found = sorted(
                (n for n in found if spanned[n] == max(spanned.values())),
                key=_length,
            )
        if not found:
            raise NoText(
                f"The text of '{code.co_name}' is not at hand; write it as a function in a file."
            )
        return found[0]

    def definition(self, code: CodeType) -> ast.stmt:
        """The definition of a function; of a lambda, the statement that it stands in. Raises NoText."""
        node = self.function(code)
        return self._around[node] if isinstance(node, ast.Lambda) else node

    @cached_property
    def _classes(self) -> dict[str, list[ast.ClassDef]]:
        """Classes by name; each recording asks for those of its settings."""
        found = defaultdict(list)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(node)
        return found

    def classes(self, name: str) -> list[ast.ClassDef]:
        """The classes of that name. Raises NoText if there is none."""
        found = self._classes.get(name, [])
        if not found:
            raise NoText(f"The text of {name} is not in {self.file}.")
        return found[-1:] if self.file == SESSION else found  # the newest input

    def written(self, node: ast.stmt) -> str:
        """The lines of a statement, without their indentation."""
        lines = textwrap.dedent(
            "".join(self.lines[_first_line(node) - 1 : node.end_lineno])
        ).splitlines()
        return "\n".join(line.rstrip("\r\n") for line in lines)

    def number(self, node: ast.Constant) -> str:
        """A number as it is written."""
        written = (
            self.lines[node.lineno - 1]
            .encode()[node.col_offset : node.end_col_offset]
            .decode()
        )
        try:
            return (
                written
                if complex(written.replace("_", "")) == node.value
                else repr(node.value)
            )
        except ValueError:
            return repr(node.value)

    def binding(self, name: str) -> list[ast.stmt]:
        """The module's statements that bind or change a name, in order. Raises NoText if there are none."""
        found = [
            statement
            for statement in self.tree.body
            if name in bound(statement)
        ]
        if not found:
            raise NoText(f"Nothing in the text of {self.file} binds {name}.")
        return found

    def values(self, name: str) -> list[Any]:
        """What the module makes `name`: expressions, imports, or None for anything else."""
        return [
            value
            for statement in self.tree.body
            for value in _value(statement, name)
        ]

    def is_handed_over(self, name: str, node: ast.AST) -> bool:
        """Whether the innermost function around `node` with a `name` is handed it, or has it of literals."""
        functions = (
            f
            for f in ast.walk(self.tree)
            if isinstance(f, (ast.FunctionDef, ast.Lambda))
        )
        around = (f for f in functions if f is not node and _encloses(f, node))
        for function in sorted(around, key=_place, reverse=True):
            arguments, binds = (
                function.args,
                any(_binds(inner, name) for inner in ast.walk(function)),
            )
            if any(
                a.arg == name
                for a in (
                    *arguments.posonlyargs,
                    *arguments.args,
                    *arguments.kwonlyargs,
                )
            ):
                return not binds
            if binds:
                return all(
                    value_of_literal(x) is not UNCLEAR
                    for inner in ast.walk(function)
                    for x in values_given(inner, name)
                )
        return False


def _is_python(lines: list[str]) -> bool:
    try:
        return bool(ast.parse("".join(lines)))
    except (SyntaxError, ValueError):
        return False


def _first_line(node: Any) -> int:
    return min(
        [node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]
    )


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements, the inner ones first."""
    for node in ast.iter_child_nodes(tree):
        yield from _statements(node)
    if isinstance(tree, ast.stmt):
        yield tree


def _place(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset


def _length(node: Any) -> tuple[int, int]:
    return node.end_lineno - node.lineno, node.end_col_offset - node.col_offset


def _encloses(outer: ast.AST, inner: ast.AST) -> bool:
    return _place(outer) <= _place(inner) and _end(inner) <= _end(outer)


def _spans(node: object, place: Any) -> bool:
    line, _, column, _ = place
    body = node.body if isinstance(node, ast.Lambda) else node
    return _place(body) <= (line, column) <= _end(body)


def bound(node: ast.AST) -> set[str]:
    """Names that a statement binds, changes an entry or an attribute of, or whose method it calls."""
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, (*DEFINITIONS, ast.ClassDef)):
            found.add(inner.name)
        elif isinstance(inner, ast.alias):
            found.add(inner.asname or inner.name.split(".")[0])
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            found.add(inner.id)
        elif isinstance(inner, (ast.Attribute, ast.Subscript)):
            if isinstance(inner.ctx, ast.Store) or isinstance(node, ast.Expr):
                found |= {
                    name.id
                    for name in ast.walk(inner.value)
                    if isinstance(name, ast.Name)
                }
    return found


def _value(statement: ast.stmt, name: str) -> Iterator[Any]:
    """What one statement of a module makes `name`."""
    if isinstance(statement, ast.ImportFrom):
        if name in bound(statement) or statement.names[0].name == "*":
            yield statement
    elif (
        isinstance(statement, (ast.Assign, ast.AnnAssign))
        and len(getattr(statement, "targets", [1])) == 1
    ):
        yield from values_given(statement, name)
    elif not isinstance(
        statement, (*DEFINITIONS, ast.ClassDef)
    ) and name in bound(statement):
        yield None


def values_given(node: ast.AST, name: str) -> Iterator[Any]:
    """What one node makes `name`: what is assigned, what a loop runs over, or None for anything else."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _assigned(target, node.value, name)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        yield from _assigned(node.target, node.value, name)
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(
        node.target, ast.Name
    ):
        yield from _assigned(node.target, node.iter, name)
    elif isinstance(
        node, (ast.For, ast.AugAssign, ast.comprehension)
    ) and name in bound(node.target):
        yield None
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from [None] * (name in bound(node.optional_vars))


def _assigned(target: Any, value: Any, name: str) -> Iterator[Any]:
    tuples = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    if tuples and len(target.elts) == len(value.elts):
        for one, its in zip(target.elts, value.elts, strict=True):
            yield from _assigned(one, its, name)
    elif name in bound(target):
        yield value if isinstance(target, ast.Name) else None


def _binds(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Store)
    )


UNCLEAR = object()
"""What an expression is that is no literal."""


def value_of_literal(node: ast.expr) -> Any:
    """The value of a literal; UNCLEAR for any other expression."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return UNCLEAR


def globals_read(code: CodeType) -> set[str]:
    """Names that a function, and what is defined in it, look up in its module."""
    found = {
        str(i.argval) for i in dis.get_instructions(code) if i.opname in READS
    }
    inner = [
        globals_read(constant)
        for constant in code.co_consts
        if isinstance(constant, CodeType)
    ]
    return {
        name
        for name in found.union(*inner)
        if name.isidentifier() and not name.startswith("__")
    }


def chains(nodes: Iterable[ast.AST], names: set[str]) -> list[Chain]:
    """What is read of the names, each as far as its attributes go, sorted."""
    found = {
        chain for node in nodes for chain in _chains(node) if chain[0] in names
    }
    return sorted(
        found | {(name,) for name in names - {chain[0] for chain in found}}
    )


def _chains(node: ast.AST) -> Iterator[Chain]:
    if isinstance(node, (ast.Name, ast.Attribute)) and (chain := _dotted(node)):
        yield chain
    else:
        for child in ast.iter_child_nodes(node):
            yield from _chains(child)


def _dotted(node: ast.expr) -> Chain | None:
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute) and (above := _dotted(node.value)):
        return (*above, node.attr)
    return None


def module_named(node: ast.ImportFrom, names: dict[str, Any]) -> str:
    """The dotted name of the module that an import of another module, with these globals, names."""
    if not node.level:
        return node.module or ""
    package = str(names.get("__package__") or "").split(".")
    kept = package[: len(package) - node.level + 1]
    return ".".join([*kept, node.module] if node.module else kept)


def imported(name: str) -> ModuleType:
    """A module by its name. Raises NoText if it cannot be imported."""
    try:
        return sys.modules.get(name) or import_module(name)
    except Exception as error:  # what a module of a user raises
        raise NoText(f"{name} cannot be imported.") from error


def imported_inside(
    node: ast.AST, names: dict[str, Any]
) -> Iterator[tuple[ModuleType, str | None]]:
    """What a function imports while it runs: (module, name in it), or (module, None) for all of it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.ImportFrom):
            yield from (
                (imported(module_named(inner, names)), alias.name)
                for alias in inner.names
            )
        elif isinstance(inner, ast.Import):
            yield from ((imported(alias.name), None) for alias in inner.names)
