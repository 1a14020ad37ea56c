"""Texts of functions, classes and bindings as their files have them, and the names that they read."""

from __future__ import annotations

import ast
import dis
import linecache
import sys
import sysconfig
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ENGINE = __name__.split(".")[0]
"""The package whose parts count by name alone."""

READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Chain = tuple[str, ...]
"""A name and the attributes that are read of it: `shared.C` is ("shared", "C")."""


class NoText(Exception):
    """Something whose text, and so whose meaning, cannot be read."""


@lru_cache(maxsize=4096)
def _installed(file: str) -> bool:
    """Whether a file belongs to Python or to an installed library."""
    path = Path(file)
    standard = [Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib")]
    return bool({"site-packages", "dist-packages"} & set(path.parts)) or any(path.is_relative_to(folder) for folder in standard)


def is_foreign(module: str, file: str | None, home: str) -> bool:
    """Whether a module counts by name alone: the engine, Python and installed libraries, unless it is of the package `home`."""
    top = module.split(".")[0]
    return top == ENGINE or (top != home and (file is None or file.startswith("<frozen") or _installed(file)))


@lru_cache(maxsize=1024)
def _parsed(lines: tuple[str, ...]) -> ast.Module:
    return ast.parse("".join(lines))


def _lines(file: str, module: dict[str, Any]) -> list[str]:
    linecache.checkcache(file)
    found = linecache.getlines(file, module)
    if not found:
        raise NoText(f"{file} cannot be read")
    return found


def _tree(file: str, module: dict[str, Any]) -> ast.Module:
    try:
        return _parsed(tuple(_lines(file, module)))
    except (SyntaxError, ValueError) as error:
        raise NoText(f"{file} cannot be read") from error


def text_of(node: ast.AST, file: str, module: dict[str, Any]) -> str:
    """The lines of a node, without their indentation."""
    begin = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])  # type: ignore[attr-defined]
    lines = _lines(file, module)[begin - 1 : node.end_lineno]  # type: ignore[attr-defined]
    return "\n".join(line.rstrip("\r\n") for line in textwrap.dedent("".join(lines)).splitlines())


def node_of(code: CodeType, module: dict[str, Any]) -> ast.AST:
    """The definition of a function; of a lambda, the statement that it stands in. Raises NoText."""
    found = _defined(_tree(code.co_filename, module)).get((code.co_firstlineno, code.co_name))
    if found is None:
        raise NoText(f"the text of {code.co_name} is not in {code.co_filename}")
    return found


@lru_cache(maxsize=1024)
def _defined(tree: ast.Module) -> dict[tuple[int, str], ast.AST]:
    """What defines the functions of a file, by first line and name."""
    found: dict[tuple[int, str], ast.AST] = {}
    for statement in _statements(tree):
        if isinstance(statement, DEFINITIONS):
            found[min([statement.lineno, *(d.lineno for d in statement.decorator_list)]), statement.name] = statement
        for node in ast.walk(statement):
            if isinstance(node, ast.Lambda):
                found.setdefault((node.lineno, "<lambda>"), statement)
    return found


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements, the inner ones first."""
    for node in ast.iter_child_nodes(tree):
        yield from _statements(node)
    if isinstance(tree, ast.stmt):
        yield tree


def classes_named(name: str, file: str, module: dict[str, Any]) -> list[ast.AST]:
    """The classes of that name in a file. Raises NoText if there is none."""
    found = [node for node in ast.walk(_tree(file, module)) if isinstance(node, ast.ClassDef) and node.name == name]
    if not found:
        raise NoText(f"the text of {name} is not in {file}")
    return list(found)


def globals_read(code: CodeType) -> set[str]:
    """Names that a function, and what is defined in it, look up in its module."""
    found = {str(i.argval) for i in dis.get_instructions(code) if i.opname in READS and str(i.argval).isidentifier()}
    inner = [globals_read(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return {name for name in found.union(*inner) if not name.startswith("__")}


def chains(nodes: Iterator[ast.AST] | list[ast.AST], names: set[str]) -> list[Chain]:
    """What is read of the names, each as far as its attributes go, sorted."""
    found = {chain for node in nodes for chain in _chains(node) if chain[0] in names}
    return sorted(found | {(name,) for name in names - {chain[0] for chain in found}})


def _chains(node: ast.AST) -> Iterator[Chain]:
    if isinstance(node, ast.Name):
        yield (node.id,)
    elif isinstance(node, ast.Attribute) and (chain := _dotted(node)):
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


def imported_inside(node: ast.AST, module: dict[str, Any]) -> Iterator[tuple[ModuleType, str | None]]:
    """What a function imports while it runs: (module, name in it), or (module, None) for the module itself."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.ImportFrom):
            yield from ((imported_from(inner, module), alias.name) for alias in inner.names)
        elif isinstance(inner, ast.Import):
            yield from ((_module(alias.name), None) for alias in inner.names)


def imported_from(node: ast.ImportFrom, module: dict[str, Any]) -> ModuleType:
    """The module that an import names. Raises NoText if it cannot be imported."""
    package = module.get("__package__") or ""
    parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    return _module(".".join([*parts, *([node.module] if node.module else [])]))


def _module(name: str) -> ModuleType:
    from importlib import import_module

    try:
        return sys.modules.get(name) or import_module(name)
    except Exception as error:
        raise NoText(f"{name} cannot be imported") from error


def bindings(name: str, module: dict[str, Any]) -> list[ast.stmt]:
    """The statements of a module that bind a name, in their order. Raises NoText if there is none."""
    found = [s for s in _tree(str(module.get("__file__")), module).body if name in _bound(s)]
    if not found:
        raise NoText(f"nothing in the text binds {name}")
    return found


def _bound(statement: ast.stmt) -> set[str]:
    """Names that a statement binds, changes an entry or an attribute of, or whose method it calls."""
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.split(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and (isinstance(node.ctx, ast.Store) or isinstance(statement, ast.Expr)):
            found |= {inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name)}
    return found
