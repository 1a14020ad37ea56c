"""What the meaning of a claim depends on: its text, and all that it reads of its own tree, as a fingerprint.

A body that changes what it reads says something else at every call, and is refused.
"""

from __future__ import annotations

import ast
import enum
import gc
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from pathlib import PurePath
from typing import Any, get_type_hints
from uuid import uuid4

import numpy as np

from boundcheck.domains import Domain
from boundcheck.tape import texts
from boundcheck.tape.texts import NoText, Text, is_generated

SEES_ALL = {"globals", "vars", "eval", "exec", "locals"}
"""Functions that reach names which no text shows."""

UNREADABLE = "unreadable-"
"""The fingerprint of what cannot be read begins so, and ends with a number that no other process has."""

ENGINE = __name__.split(".")[0]
"""The package whose parts count by name alone."""

FIRST = 3
"""Calls around which it is seen; those that come later are seen where a certificate is written."""

LATER = "what '{}' holds is changed while the body runs, and with it the statement; make it in the body, or let functools.cache remember"
GOES_ON = (
    "'{}' is an iterator, which goes on from call to call; make it in the body"
)

THIS_PROCESS = uuid4().hex[:16]


def fingerprint(
    body: Callable[..., Any], parameters: Mapping[str, Domain]
) -> str:
    """Changes when the text of the body changes, or anything it reads: helpers, constants, domains.

    The engine, Python and libraries count by name. The same in every process, every folder, under every name
    that its module is loaded by. What cannot be read has a fingerprint of this process alone.
    """
    reading = Reading(
        str(getattr(body, "__globals__", {}).get("__name__")).split(".")[0]
    )
    try:
        reading.value(body)
        for name, domain in parameters.items():
            reading.parameter(body, name, domain)
    except (NoText, RecursionError):
        return f"{UNREADABLE}{THIS_PROCESS}"
    return sha256(
        "\x00".join(reading.words).encode("utf-8", "backslashreplace")
    ).hexdigest()[:16]


def is_foreign(module: str, file: str | None, home: str) -> bool:
    """Whether a module counts by name alone: the engine, Python and libraries, unless it is of `home`."""
    top = module.split(".")[0]
    if top in (ENGINE, home):
        return top == ENGINE
    return (
        file is None or file.startswith("<frozen") or texts.is_installed(file)
    )


def _text(f: Any) -> Text:
    return Text.of(f.__code__.co_filename, f.__globals__)


@lru_cache(maxsize=4096)
def _read_by(code: types.CodeType, text: Text) -> list[texts.Chain]:
    """What a function, and the statement that it stands in, read of its module."""
    return texts.chains([text.definition(code)], texts.globals_read(code))


def _text_of_class(cls: type, module: dict[str, Any]) -> Text | None:
    """The text that a class stands in; in a session the input of its methods.

    A class of a session without methods is all in its bases and fields.
    """
    if not texts.is_session(module) or issubclass(cls, enum.Enum):
        return Text.of_module(module)
    behind = (
        f for _, member in members(cls) for f in wrapped(member) or [member]
    )
    return next(
        (_text(f) for f in behind if isinstance(f, types.FunctionType)), None
    )


class Reading:
    """Everything reachable from a body, written down once each, in the order in which it is met."""

    def __init__(self, home: str):
        self.home = home
        self.words: list[str] = []
        self.met: dict[Any, tuple[int, Any]] = {}
        self.places: list[tuple[int, str]] = []
        """At which word the value of a name begins."""

    def parameter(self, body: Any, name: str, domain: Domain) -> None:
        """The domain of a parameter by what it holds, else by the text of the names that annotate it."""
        self.words.append(name)
        try:
            with self._undone_if_unreadable():
                self.value(domain)
        except NoText:
            definition: Any = _text(body).definition(body.__code__)
            for node in ast.walk(getattr(definition, "args", definition)):
                if (
                    isinstance(node, ast.arg)
                    and node.arg == name
                    and node.annotation is not None
                ):
                    names = {
                        inner.id
                        for inner in ast.walk(node.annotation)
                        if isinstance(inner, ast.Name)
                    }
                    self._names(
                        texts.chains([node.annotation], names), body.__globals__
                    )

    def value(self, x: Any) -> None:
        """Write down a value. Raises NoText for one that cannot be read."""
        spelled = _plain(x)
        if spelled is not None:
            self.words.append(spelled)
        elif type(x) in (
            tuple,
            frozenset,
        ):  # whether two equal ones are one object is for Python to choose
            self.sequence(
                type(x).__name__, x if type(x) is tuple else _ordered(x)
            )
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

    def _first_time(self, key: object, x: object) -> bool:
        """Whether something is met for the first time; its number is written down in any case."""
        first = key not in self.met
        number, _ = self.met.setdefault(
            key, (len(self.met), x)
        )  # x is kept, so that its id is nobody else's
        self.words.append(f"#{number}")
        return first

    def _composed(self, x: Any) -> None:
        if isinstance(x, types.FunctionType):
            self._function(x)
        elif isinstance(x, type):
            self._class(x)
        elif isinstance(x, types.ModuleType):
            self.words.append(f"module {x.__name__}") if self._is_foreign(
                x
            ) else self._whole(vars(x))
        elif type(x) is np.ndarray:
            self._array(x)
        elif type(x) in (list, set):
            self.sequence(
                type(x).__name__, x if type(x) is list else _ordered(x)
            )
        elif type(x) in (dict, types.MappingProxyType):
            self.pairs(x.items())
        else:
            self._instance(x)

    def _array(self, x: np.ndarray) -> None:
        if x.dtype.hasobject:
            self.sequence(f"array {x.shape}", x.ravel().tolist())
        else:
            entries = np.ascontiguousarray(
                x, dtype=x.dtype.newbyteorder("<")
            ).tobytes()
            self.words.append(
                f"array {x.dtype.kind}{x.dtype.itemsize} {x.shape} {sha256(entries).hexdigest()}"
            )

    def _function(self, f: types.FunctionType) -> None:
        """A function of the tree by its text and what it reads; a foreign one by its name and its cells."""
        code, module = f.__code__, f.__globals__
        owner, around = str(module.get("__name__")), self.places[-1:]
        if is_foreign(owner, code.co_filename, self.home):
            self.words.append(f"{owner.split('.')[0]}:{code.co_qualname}")
        else:
            self._text_of_function(f)
        for name, cell in zip(
            code.co_freevars, f.__closure__ or (), strict=True
        ):
            self.places.append((len(self.words), name))
            self._enclosed(cell, tolerant=owner.split(".")[0] == ENGINE)
        self.places += [(len(self.words), name) for _, name in around]

    def _text_of_function(self, f: types.FunctionType) -> None:
        code, module, text = f.__code__, f.__globals__, _text(f)
        node = text.definition(code)
        self.words.append(text.written(node))
        for source, name in texts.imported_inside(node, module):
            self.value(source) if name is None else self._binding(
                vars(source), (name,)
            )
        self._names(_read_by(code, text), module)
        self.places.append((len(self.words), f.__name__))
        self.sequence("defaults", f.__defaults__ or ())
        self.pairs(sorted((f.__kwdefaults__ or {}).items()))
        self.pairs(
            sorted(
                (name, entry)
                for name, entry in vars(f).items()
                if not name.startswith("__")
            )
        )

    def _enclosed(self, cell: Any, tolerant: bool) -> None:
        """The value of a cell; the engine's domains enclose strategies, told by charts and labels."""
        try:
            with self._undone_if_unreadable():
                self.value(cell.cell_contents)
        except ValueError:
            self.words.append("an empty cell")
        except NoText:
            if not tolerant:
                raise

    def _names(
        self, read: Iterable[texts.Chain], module: dict[str, Any]
    ) -> None:
        for chain in read:
            if chain[0] in module:
                self.places.append((len(self.words), chain[0]))
                self.words.append(".".join(chain))
                self._binding(module, chain)
            elif chain[0] in SEES_ALL:
                self._whole(module)

    def _binding(self, module: dict[str, Any], chain: texts.Chain) -> None:
        """What a name stands for: the value if it can be read, else the statements that bind it."""
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
        text = Text.of_module(module)
        for statement in text.binding(name):
            source = module
            if isinstance(statement, ast.ImportFrom):
                source = vars(
                    texts.imported(texts.module_named(statement, module))
                )
            if isinstance(statement, ast.ImportFrom) and source is not module:
                inner = next(
                    (
                        x.name
                        for x in statement.names
                        if (x.asname or x.name) == name
                    ),
                    name,
                )
                self._binding(source, (inner,))
            else:
                self.words.append(text.written(statement))
                names = {
                    node.id
                    for node in ast.walk(statement)
                    if isinstance(node, ast.Name)
                } - {name}
                self._names(texts.chains([statement], names), module)

    def _is_foreign(self, x: types.ModuleType) -> bool:
        return is_foreign(x.__name__, getattr(x, "__file__", None), self.home)

    def _whole(self, module: dict[str, Any]) -> None:
        """All names of a module that is used by itself."""
        if self._first_time((id(module), "*"), module):
            self._names(
                [
                    (name,)
                    for name in sorted(module)
                    if not name.startswith("__")
                ],
                module,
            )

    def _class(self, cls: type) -> None:
        """A class of the tree by text, bases, domains of fields and members; a foreign one by its name."""
        module = sys.modules.get(cls.__module__)
        if module is None or self._is_foreign(module):
            self.words.append(
                f"{cls.__module__.split('.')[0]}:{cls.__qualname__}"
            )
            return
        text = _text_of_class(cls, vars(module))
        self.words += (
            [text.written(node) for node in text.classes(cls.__name__)]
            if text
            else []
        )
        self.sequence("bases", cls.__bases__)
        self.pairs(
            (name, hint)
            for name, hint in hints(cls)
            if isinstance(hint, (Domain, type))
        )
        self.pairs([] if issubclass(cls, enum.Enum) else members(cls))

    def _instance(self, x: object) -> None:
        """An object by what it wraps, its name in a library, or by its class and its state. Raises NoText."""
        kind = type(x)
        self.value(kind)
        foreign = (
            owner := sys.modules.get(kind.__module__)
        ) is None or self._is_foreign(owner)
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
            self.pairs(self._state(x))
            self.sequence(
                "entries",
                list(x)
                if isinstance(x, (list, tuple))
                else [dict(x)]
                if isinstance(x, dict)
                else [],
            )
        else:
            raise NoText(f"what a {kind.__name__} holds cannot be read")

    def _state(self, x: object) -> list[tuple[str, Any]]:
        return state(x)

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


class BrokenClaim(Exception):
    """The body failed for a reason that is not arithmetic: the claim has to be mended."""


class Steady:
    """What the body of a claim reads, as it was before it first ran. Raises BrokenClaim for an iterator."""

    def __init__(self, id: str, body: Callable[..., Any]):
        self.id, self.body, self.calls = id, body, 0
        self.first = self._read()

    def require(self) -> None:
        """Raise BrokenClaim if something is not what it was; new entries of a cache are no change."""
        now, first = self._read(), self.first
        if now.words != first.words:
            same = [new == old for new, old in zip(now.words, first.words)]
            raise self._broken(
                LATER, now.name_at([*same, False].index(False)), now
            )
        for (name, key), held in now.tables.items():
            if first.tables.setdefault((name, key), held) != held:
                raise self._broken(LATER, name, now)

    def _read(self) -> _Now:
        now = _Now(str(self.body.__globals__.get("__name__")).split(".")[0])
        try:
            now.value(self.body)
        except RecursionError:
            now.words.clear()
        if now.iterator:
            raise self._broken(GOES_ON, now.iterator, now)
        return now

    def _broken(self, sentence: str, name: str, now: _Now) -> BrokenClaim:
        code = self.body.__code__
        file, line = now.line(name) or (code.co_filename, code.co_firstlineno)
        return BrokenClaim(
            f"{self.id} ({PurePath(file).name}:{line}): {sentence.format(name)}."
        )


class _Now(Reading):
    """Everything reachable from a body at this moment, objects of Python and NumPy with what they hold."""

    def __init__(self, home: str):
        super().__init__(home)
        self.iterator = ""
        self.nodes: list[tuple[str, ast.AST]] = []
        self.tables: dict[tuple[str, str], list[str]] = {}

    def name_at(self, word: int) -> str:
        return next(
            (name for k, name in reversed(self.places) if k <= word), "the body"
        )

    def line(self, name: str) -> tuple[str, int] | None:
        """Where a text changes a name, or else mentions it first."""
        inner = [
            (file, node) for file, tree in self.nodes for node in ast.walk(tree)
        ]
        simple = [
            (f, n)
            for f, n in inner
            if isinstance(n, ast.stmt) and not hasattr(n, "body")
        ]
        changing = [(f, n) for f, n in simple if name in texts.bound(n)]
        reading = [
            (f, n) for f, n in inner if isinstance(n, ast.Name) and n.id == name
        ]
        return next(
            ((file, node.lineno) for file, node in changing + reading), None
        )

    def _text_of_function(self, f: types.FunctionType) -> None:
        try:
            self.nodes.append(
                (f.__code__.co_filename, _text(f).function(f.__code__))
            )
            super()._text_of_function(f)
        except NoText:
            self.words.append(f"code {f.__code__.co_code.hex()}")

    def _by_text(self, name: str, module: dict[str, Any]) -> None:
        self.words.append("unread")

    def _instance(self, x: Any) -> None:
        kind = type(x)
        top = kind.__module__.partition(".")[0]
        if hasattr(x, "cache_info") and hasattr(x, "__wrapped__"):
            self.value(x.__wrapped__)
            self._table(x)
        elif top in (ENGINE, "weakref"):  # a library's own tables
            self.words.append(kind.__qualname__)
            self.value(getattr(x, "body", None))  # of another claim
        elif isinstance(x, Iterator) and self._is_foreign(
            sys.modules[kind.__module__]
        ):
            self.iterator = self.iterator or self.name_at(len(self.words))
        else:
            try:
                with self._undone_if_unreadable():
                    super()._instance(x)
            except NoText:
                self.words.append(kind.__qualname__)
                self.sequence(
                    "parts",
                    _parts(x)
                    if top in (*sys.stdlib_module_names, "numpy")
                    else (),
                )

    def _state(self, x: object) -> list[tuple[str, Any]]:
        """Without what an object works out once for all."""
        kept = super()._state(x)
        return [
            (k, entry)
            for k, entry in kept
            if not isinstance(getattr(type(x), k, None), cached_property)
        ]

    def _table(self, x: Any) -> None:
        """What a cached function remembers."""
        tables = (table for table in gc.get_referents(x) if type(table) is dict)
        for key, held in (pair for table in tables for pair in table.items()):
            there = _Now(self.home)
            there.value(held)
            self.tables[x.__wrapped__.__name__, repr(key)] = there.words


def _parts(x: object) -> Iterator[Any]:
    """What an object would be pickled as; nothing where it cannot be, as a lock."""
    try:
        made = x.__reduce_ex__(4)
    except Exception:  # whatever it raises
        made = ()
    for part in made if isinstance(made, tuple) else ():
        yield list(part) if isinstance(part, Iterator) else part


PLAIN = (
    type(None),
    bool,
    int,
    float,
    str,
    bytes,
    complex,
    Fraction,
    Decimal,
    range,
    slice,
    date,
    time,
    timedelta,
    type(...),
)
"""Kinds of values whose `repr` says all of them."""


def _plain(x: object) -> str | None:
    """The spelling of a plain value, or None for another one."""
    if type(x) in PLAIN or isinstance(x, (PurePath, np.dtype)):
        return f"{type(x).__name__} {x!r}"
    if isinstance(x, types.GenericAlias):
        return repr(x)
    if (
        isinstance(x, np.generic)
        and type(x).__module__ == "numpy"
        and not isinstance(x, np.void)
    ):
        return f"{type(x).__name__} {x.item()!r}"
    return None


def wrapped(x: Any) -> list[Any] | None:
    """What stands behind a method, a property, a partial, a cached function or another wrapper."""
    if isinstance(x, partial):
        return [x.func, list(x.args), dict(sorted(x.keywords.items()))]
    if isinstance(x, property):
        return [x.fget]
    if isinstance(x, cached_property):
        return [x.func]
    if isinstance(x, (staticmethod, classmethod)):
        return [x.__func__]
    if isinstance(x, types.MethodType):
        return [x.__self__, x.__func__]
    behind = (
        inspect.unwrap(x)
        if "__wrapped__" in getattr(x, "__dict__", {})
        else getattr(x, "pyfunc", None)
    )
    return None if behind is None else [behind]


def state(x: object) -> list[tuple[str, Any]]:
    """The attributes of an object, sorted, and the number or text that it is."""
    slots = {
        name
        for cls in type(x).__mro__
        for name in _names(getattr(cls, "__slots__", ()))
    }
    held = {
        **getattr(x, "__dict__", {}),
        **{
            name: getattr(x, name)
            for name in slots
            if hasattr(x, name) and name != "__dict__"
        },
    }
    base: Any = next((kind for kind in PLAIN if isinstance(x, kind)), None)
    return [
        *sorted(held.items()),
        *([] if base is None else [("", base.__repr__(x))]),
    ]


def _names(slots: Any) -> list[str]:
    return [slots] if isinstance(slots, str) else list(slots)


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """What a class holds beside what Python puts there, sorted by name."""
    for name, entry in sorted(vars(cls).items()):
        if isinstance(entry, types.FunctionType):
            made = is_generated(entry.__code__)
            if not made and entry.__globals__.get("__name__") == cls.__module__:
                yield name, entry
        elif not name.startswith("__") and name != "_abc_impl":
            if not isinstance(
                entry, (types.MemberDescriptorType, types.GetSetDescriptorType)
            ):
                yield name, entry


def hints(cls: type) -> list[tuple[str, Any]]:
    """The annotated fields of a class; none where they cannot be looked up, for its text has them."""
    try:
        return sorted(
            get_type_hints(cls, include_extras=True).items(),
            key=lambda hint: hint[0],
        )
    except Exception:  # whatever an annotation raises
        return []


def name_in_library(x: object) -> str:
    """`numpy:sum` of an object that a library has under a name of its own, or nothing."""
    name = str(
        getattr(x, "__qualname__", None)
        or getattr(x, "__name__", None)
        or getattr(x, "_name", None)
        or ""
    )
    module = str(getattr(x, "__module__", None) or type(x).__module__)
    owner: Any = sys.modules.get(module)
    for part in name.split("."):
        owner = getattr(owner, part, None)
    return f"{module.split('.')[0]}:{name}" if name and owner is x else ""


def _ordered(entries: Iterable[Any]) -> list[Any]:
    """The entries of a set, in an order that is the same in every process."""
    return sorted(
        entries, key=lambda entry: (type(entry).__name__, repr(entry))
    )
