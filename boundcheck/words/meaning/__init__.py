"""What the meaning of a claim depends on: its text, and all that the text reads of its own tree, as one fingerprint."""

from __future__ import annotations

import ast
import enum
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

import numpy as np

from boundcheck.domains import Domain
from boundcheck.words.meaning.objects import hints, members, name_in_library, ordered, plain, state, wrapped
from boundcheck.words.meaning.texts import (
    ENGINE,
    Chain,
    NoText,
    bindings,
    chains,
    classes_named,
    globals_read,
    imported_from,
    imported_inside,
    is_foreign,
    node_of,
    text_of,
)  # fmt: skip

__all__ = ["UNREADABLE", "fingerprint"]

SEES_ALL = {"globals", "vars", "eval", "exec", "locals"}
"""Functions that reach names which no text shows."""

UNREADABLE = "unreadable-"
"""The fingerprint of what cannot be read begins so, and ends with a number that no other process has."""

THIS_PROCESS = uuid4().hex[:16]


def fingerprint(body: Callable[..., Any], parameters: Mapping[str, Domain]) -> str:
    """Changes when the text of the body changes, or anything that it reads: helpers, constants, closures, defaults, domains, settings.

    The engine, Python and installed libraries count by name. The same in every process, in every folder, and under every name
    that its module is loaded by. What cannot be read has a fingerprint of this process alone.
    """
    reading = Reading(str(getattr(body, "__globals__", {}).get("__name__")).split(".")[0])
    try:
        reading.value(body)
        for name, domain in parameters.items():
            reading.parameter(body, name, domain)
    except (NoText, RecursionError):
        return f"{UNREADABLE}{THIS_PROCESS}"
    return sha256("\x00".join(reading.words).encode("utf-8", "backslashreplace")).hexdigest()[:16]


class Reading:
    """Everything reachable from a body, written down once each, in the order in which it is met."""

    def __init__(self, home: str):
        self.home = home
        self.words: list[str] = []
        self.met: dict[Any, tuple[int, Any]] = {}

    def parameter(self, body: Any, name: str, domain: Domain) -> None:
        """The domain of a parameter by what it holds, else by the text of the names that annotate it."""
        self.words.append(name)
        try:
            with self._undone_if_unreadable():
                self.value(domain)
        except NoText:
            definition = node_of(body.__code__, body.__globals__)
            for node in ast.walk(getattr(definition, "args", definition)):
                if isinstance(node, ast.arg) and node.arg == name and node.annotation is not None:
                    names = {inner.id for inner in ast.walk(node.annotation) if isinstance(inner, ast.Name)}
                    self._names(chains([node.annotation], names), body.__globals__)

    def value(self, x: Any) -> None:
        """Write down a value. Raises NoText for one that cannot be read."""
        spelled = plain(x)
        if spelled is not None:
            self.words.append(spelled)
        elif type(x) in (tuple, frozenset):  # whether two equal ones are one object is for Python to choose
            self.sequence(type(x).__name__, x if type(x) is tuple else ordered(x))
        elif self._first_time(id(x), x):
            self._composed(x)

    def pairs(self, entries: Iterable[tuple[Any, Any]]) -> None:
        """Write down names and values."""
        self.sequence("pairs", (part for pair in entries for part in pair))

    def sequence(self, kind: str, entries: Iterable[Any]) -> None:
        """Write down values, one after the other."""
        self.words.append(kind)
        for entry in entries:
            self.value(entry)
        self.words.append("end")

    def _first_time(self, key: Any, x: Any) -> bool:
        """Whether something is met for the first time; its number is written down in any case."""
        first = key not in self.met
        number, _ = self.met.setdefault(key, (len(self.met), x))  # x is kept, so that its id is nobody else's
        self.words.append(f"#{number}")
        return first

    def _composed(self, x: Any) -> None:
        if isinstance(x, types.FunctionType):
            self._function(x)
        elif isinstance(x, type):
            self._class(x)
        elif isinstance(x, types.ModuleType):
            self.words.append(f"module {x.__name__}") if self._is_foreign(x) else self._whole(vars(x))
        elif type(x) is np.ndarray:
            self._array(x)
        elif type(x) in (list, set):
            self.sequence(type(x).__name__, x if type(x) is list else ordered(x))
        elif type(x) in (dict, types.MappingProxyType):
            self.pairs(x.items())
        else:
            self._instance(x)

    def _array(self, x: np.ndarray) -> None:
        if x.dtype.hasobject:
            self.sequence(f"array {x.shape}", x.ravel().tolist())
        else:
            entries = np.ascontiguousarray(x, dtype=x.dtype.newbyteorder("<")).tobytes()
            self.words.append(f"array {x.dtype.kind}{x.dtype.itemsize} {x.shape} {sha256(entries).hexdigest()}")

    def _function(self, f: types.FunctionType) -> None:
        """A function of the tree by its text and what it reads; a foreign one by its name and what it encloses."""
        code, module = f.__code__, f.__globals__
        owner = str(module.get("__name__"))
        if is_foreign(owner, code.co_filename, self.home):
            self.words.append(f"{owner.split('.')[0]}:{code.co_qualname}")
        else:
            self._text_of_function(f)
        for cell in f.__closure__ or ():
            self._enclosed(cell, tolerant=owner.split(".")[0] == ENGINE)

    def _text_of_function(self, f: types.FunctionType) -> None:
        code, module = f.__code__, f.__globals__
        node = node_of(code, module)
        self.words.append(text_of(node, code.co_filename, module))
        for imported, name in imported_inside(node, module):
            self.value(imported) if name is None else self._binding(vars(imported), (name,))
        self._names(chains([node], globals_read(code)), module)
        self.sequence("defaults", f.__defaults__ or ())
        self.pairs(sorted((f.__kwdefaults__ or {}).items()))
        self.pairs(sorted((name, entry) for name, entry in vars(f).items() if not name.startswith("__")))

    def _enclosed(self, cell: Any, tolerant: bool) -> None:
        """The value of a cell; the domains of the engine enclose strategies, of which their charts and labels say all."""
        try:
            with self._undone_if_unreadable():
                self.value(cell.cell_contents)
        except ValueError:
            self.words.append("an empty cell")
        except NoText:
            if not tolerant:
                raise

    def _names(self, read: Iterable[Chain], module: dict[str, Any]) -> None:
        for chain in read:
            if chain[0] in module:
                self.words.append(".".join(chain))
                self._binding(module, chain)
            elif chain[0] in SEES_ALL:
                self._whole(module)

    def _binding(self, module: dict[str, Any], chain: Chain) -> None:
        """What a name stands for: the value if it can be read, else the statements that bind it and what these read."""
        name, *attributes = chain
        x = module.get(name)
        if isinstance(x, types.ModuleType) and attributes:
            if not self._is_foreign(x):
                self._binding(vars(x), tuple(attributes))
            return
        try:
            with self._undone_if_unreadable():
                self.value(x)
        except NoText:
            self._by_text(name, module)

    def _by_text(self, name: str, module: dict[str, Any]) -> None:
        if not self._first_time((id(module), name), module):
            return
        for statement in bindings(name, module):
            if isinstance(statement, ast.ImportFrom) and (source := vars(imported_from(statement, module))) is not module:
                inner = next((alias.name for alias in statement.names if (alias.asname or alias.name) == name), name)
                self._binding(source, (inner,))
            else:
                self.words.append(text_of(statement, str(module["__file__"]), module))
                names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)} - {name}
                self._names(chains([statement], names), module)

    def _is_foreign(self, x: types.ModuleType) -> bool:
        return is_foreign(x.__name__, getattr(x, "__file__", None), self.home)

    def _whole(self, module: dict[str, Any]) -> None:
        """All names of a module that is used by itself."""
        if self._first_time((id(module), "*"), module):
            self._names([(name,) for name in sorted(module) if not name.startswith("__")], module)

    def _class(self, cls: type) -> None:
        """A class of the tree by its text, its bases, the domains of its fields and its members; a foreign one by its name."""
        file = getattr(module := sys.modules.get(cls.__module__), "__file__", None)
        if module is None or self._is_foreign(module):
            self.words.append(f"{cls.__module__.split('.')[0]}:{cls.__qualname__}")
            return
        self.words += [text_of(node, str(file), vars(module)) for node in classes_named(cls.__name__, str(file), vars(module))]
        self.sequence("bases", cls.__bases__)
        self.pairs((name, hint) for name, hint in hints(cls) if isinstance(hint, (Domain, type)))
        self.pairs([] if issubclass(cls, enum.Enum) else members(cls))

    def _instance(self, x: Any) -> None:
        """An object by what it wraps, by the name that a library has for it, or by its class and its state. Raises NoText."""
        kind = type(x)
        self.value(kind)
        foreign = (owner := sys.modules.get(kind.__module__)) is None or self._is_foreign(owner)
        behind, name = wrapped(x), name_in_library(x) if foreign else ""
        if behind is not None:
            self.sequence("wraps", behind)
        elif isinstance(x, enum.Enum):
            self.words.append(x.name)
        elif name:
            self.words.append(name)
        elif is_dataclass(x):
            self.pairs((f.name, getattr(x, f.name, None)) for f in fields(x))
        elif not foreign or kind.__module__.split(".")[0] == ENGINE:
            self.pairs(state(x))
            self.sequence("entries", list(x) if isinstance(x, (list, tuple)) else [dict(x)] if isinstance(x, dict) else [])
        else:
            raise NoText(f"what a {kind.__name__} holds cannot be read")

    @contextmanager
    def _undone_if_unreadable(self) -> Iterator[None]:
        words, met = len(self.words), len(self.met)
        try:
            yield
        except NoText:
            del self.words[words:]
            for key in list(self.met)[met:]:
                del self.met[key]
            raise
