"""A function as its text reads: literals are the decimals that are written, what is made of them is recorded.

While a tape records, a body runs as its twin: compiled from the same text, in a namespace of its own, with
its helpers as twins too, wherever they stand. Nothing of the modules is changed, so that any number of
threads may record at once. What the text may say is in `language`; anything else is refused when it is called.
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from boundcheck.tape.constants import (
    CHOSEN,
    SEVERAL,
    are_floats,
    is_made_again,
)
from boundcheck.tape.language import outside, require_expression
from boundcheck.tape.library import (
    Foreign,
    Module,
    is_number_library,
    known_constant,
    reading_of,
    refused,
)
from boundcheck.tape.program import (
    NotInLanguage,
    active_tape,
    here,
    is_machine_made,
)
from boundcheck.tape.rewriting import (
    BUILTINS,
    MAKE,
    RECORDING,
    SEEN,
    TWIN,
    Rewriting,
    compiled,
    reads_names,
)
from boundcheck.tape.texts import (
    SESSION,
    UNCLEAR,
    Text,
    has_text,
    is_generated,
    is_installed,
    module_named,
    value_of_literal,
)
from boundcheck.tape.traced import Traced, Whole, constant

FAMILIES = (
    "boundcheck.domains.classes",
    "boundcheck.settings",
    "boundcheck.features.data_set",
    "boundcheck.features.kernels",
    "boundcheck.features.pools",
)
"""Families of instances are text too: a theorem speaks of what they compute."""

LIBRARIES = {"boundcheck", *sys.stdlib_module_names}
ENGINE = Path(__file__).resolve().parents[1]

METHODS = (
    types.FunctionType,
    property,
    cached_property,
    staticmethod,
    classmethod,
)
"""What a class may hold that has a text."""

HARMLESS = (int, bool, str, type(None), Traced, Whole)
"""The types of what a text meets most often, none of which computes beside the tape."""


def recorded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The twin of a function that records on the active tape what its text says. Raises NotTraceable."""
    return _reader(function).function(function)


def as_read(body: Callable[..., Any], values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a body, settings of its own text with methods that record."""
    reader = _reader(body)
    return {name: reader.value(value) for name, value in values.items()}


def _reader(function: Callable[..., Any]) -> _Reader:
    """Twins belong to the tape they record on: the constants that they hold do."""
    tape, top = active_tape(), _top(function)
    assert tape is not None
    return tape.readers.setdefault(top, _Reader(top))


def _top(function: object) -> str:
    return str(getattr(function, "__module__", "")).partition(".")[0]


@lru_cache(maxsize=4096)
def _is_of_engine(file: str) -> bool:
    return Path(file).resolve().is_relative_to(ENGINE)


class _Reader:
    """The twins of all that one package or file states and calls."""

    def __init__(self, top: str):
        self.top = top
        self.functions: dict[Any, Any] = {}
        self.classes: dict[type, type] = {}
        self.spaces: dict[str, _Names] = {}

    def is_text(self, module: str | None) -> bool:
        """Whether a module's text is read: all of the user's own, nothing of the engine or of libraries."""
        if module is None:  # a text that was executed beside all modules
            return True
        if module.startswith(FAMILIES):
            return True
        if module.partition(".")[0] in LIBRARIES and module != "__main__":
            return False
        file = getattr(sys.modules.get(module), "__file__", None)
        if file is None or module.partition(".")[0] == self.top:
            return file is None or file.endswith(".py")
        return (
            file.endswith(".py")
            and not is_installed(file)
            and not _is_of_engine(file)
        )

    def function(self, function: object) -> Any:
        """The twin of a function, made once; until then, what stands for it asks for it when called."""
        if function not in self.functions:
            self.functions[function] = lambda *args, **kwargs: self.functions[
                function
            ](*args, **kwargs)
            try:
                self.functions[function] = self._made(function)
            except BaseException:
                del self.functions[function]
                raise
        return self.functions[function]

    def _made(self, function: Any) -> Any:
        code, text = function.__code__, Text.of(function.__code__.co_filename)
        # What the engine states itself is trusted to be a pure function, in whatever Python.
        sentence = (
            None
            if _is_of_engine(text.file)
            else outside(function, self.is_text)
        )
        if sentence is not None:
            return _refusing(sentence)
        node = text.function(code)
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        free = {
            name: self._of_enclosing(name, cell, node, text)
            for name, cell in cells
        }
        local: dict[str, Any] = {}
        exec(
            compiled(node, tuple(free), text),
            self.space(function.__module__, function.__globals__),
            local,
        )
        twin = local[MAKE](*free.values())
        twin.__code__ = twin.__code__.replace(
            co_name=code.co_name, co_qualname=code.co_qualname
        )
        twin.__name__, twin.__qualname__ = (
            function.__name__,
            function.__qualname__,
        )
        self._give_defaults(twin, function, node, text)
        return twin

    def _of_enclosing(
        self, name: str, cell: Any, node: ast.AST, text: Text
    ) -> Any:
        """What an enclosing function calls `name`: it was handed over, or is a literal there."""
        try:
            value = cell.cell_contents
        except ValueError:  # defined later, or never
            return None
        if _is_read(value):
            return self.read(value)
        if not text.is_handed_over(name, node):
            raise NotInLanguage(
                f"'{name}' is computed by an enclosing function, beside the program; compute it in the body."
            )
        return self._handed(value)

    def _handed(self, value: Any) -> Any:
        """What a caller handed to an enclosing function; floats are the short decimals that they print."""
        if isinstance(value, (list, tuple)):
            return type(value)(map(self._handed, value))
        if isinstance(value, dict):
            return {key: self._handed(entry) for key, entry in value.items()}
        if is_machine_made(value):
            tape = active_tape()
            assert tape is not None
            return constant(tape, value)
        return self.read(value)

    def _give_defaults(
        self, twin: Any, function: Any, node: Any, text: Text
    ) -> None:
        """Defaults that name something, as they were when the function was defined."""
        own = zip(
            node.args.defaults,
            function.__defaults__ or (),
            twin.__defaults__ or (),
            strict=True,
        )
        twin.__defaults__ = (
            tuple(self._default(*each, function, node, text) for each in own)
            or None
        )
        for argument, place in zip(
            node.args.kwonlyargs, node.args.kw_defaults, strict=True
        ):
            if place is not None:
                value, mine = (
                    function.__kwdefaults__[argument.arg],
                    twin.__kwdefaults__[argument.arg],
                )
                twin.__kwdefaults__[argument.arg] = self._default(
                    place, value, mine, function, node, text
                )

    def _default(
        self,
        place: Any,
        value: Any,
        mine: Any,
        function: Any,
        node: ast.AST,
        text: Text,
    ) -> Any:
        if not reads_names(place):
            return mine
        if _is_read(value):
            return self.read(value)
        if "<" not in function.__qualname__:
            space = self.space(function.__module__, function.__globals__)
            exact = space.evaluated(place, text)
            if is_made_again(exact, value):
                return exact
        elif isinstance(place, ast.Name) and text.is_handed_over(
            place.id, node
        ):
            return self._handed(value)
        said = f"The default {ast.unparse(place)} of '{function.__name__}'"
        raise NotInLanguage(
            f"{said} is computed beside the program; compute it in the body."
        )

    def space(self, module: str, names: dict[str, Any]) -> _Names:
        """The names of a module as its functions see them while a tape records."""
        if module not in self.spaces or self.spaces[module].native is not names:
            self.spaces[module] = _Names(self, names)
        return self.spaces[module]

    def read(self, value: object) -> Any:
        """What a name stands for, its twin if it is text, and a guard if it computes beside the tape."""
        if isinstance(value, types.ModuleType):
            return self._module(value)
        if isinstance(value, types.FunctionType) and self.is_text(
            value.__module__
        ):
            return self.function(value)
        if isinstance(value, type) and self.is_text(value.__module__):
            return self.class_(value)
        if isinstance(value, types.MethodType) and self.is_text(
            value.__func__.__module__
        ):
            return types.MethodType(
                self.function(value.__func__), self.value(value.__self__)
            )
        inner = getattr(value, "__wrapped__", None)
        if isinstance(inner, types.FunctionType) and self.is_text(
            inner.__module__
        ):
            if type(value).__module__.partition(".")[0] != "boundcheck":
                raise NotInLanguage(
                    f"'{inner.__name__}' has a decorator that is not of boundcheck; call what would decorate it."
                )
            return self.function(inner)
        return reading_of(value)

    def _module(self, module: types.ModuleType) -> Any:
        if is_number_library(module.__name__):
            return Module(module)
        if self.is_text(module.__name__):
            return _TextModule(self, module)
        top = module.__name__.partition(".")[0]
        return (
            module
            if top in ("boundcheck", "itertools")
            else Foreign(module, module.__name__)
        )

    def seen(self, value: object) -> Any:
        """What a call or an attribute gives: text is read wherever it is, and no float passes."""
        kind = type(value)
        if kind in HARMLESS:
            return value
        if isinstance(value, (types.FunctionType, types.MethodType)):
            function = getattr(value, "__func__", value)
            is_twin = isinstance(getattr(function, "__globals__", None), _Names)
            return (
                value
                if is_twin or not self.is_text(function.__module__)
                else self.read(value)
            )
        if isinstance(value, (types.ModuleType, type)):
            return self.read(value)
        if are_floats(value):
            raise refused("a float of an object or a library")
        return value

    # classes

    def class_(self, kind: type) -> type:
        """A subclass whose own methods are twins; the twins of its bases come before it, as `super` wants."""
        if kind not in self.classes:
            self.classes[kind] = kind  # while it is made
            try:
                if self.is_text(kind.__module__) and TWIN not in vars(kind):
                    self.classes[kind] = self._made_class(kind)
            except BaseException:
                del self.classes[kind]
                raise
        return self.classes[kind]

    def _made_class(self, kind: Any) -> type:
        above = tuple(
            twin
            for base in kind.__bases__
            if (twin := self.class_(base)) is not base
        )
        members = {
            name: member
            for name, member in vars(kind).items()
            if _is_stated(member)
        }
        self._require_plain(kind)
        computed = dict(self._computed(kind))
        if not above and not members and not computed:
            return kind
        own = inspect.get_annotations(kind)
        unlike = {
            "__module__": kind.__module__,
            "__slots__": (),
            "__annotations__": own,
            TWIN: True,
        }
        made = self.classes[kind] = type(kind)(
            kind.__name__, (*above, kind), unlike
        )
        for name, refusal in computed.items():
            setattr(made, name, refusal)
        for name, member in members.items():
            twin = self._member(member)
            setattr(made, name, twin)
            if isinstance(twin, cached_property):
                twin.__set_name__(made, name)
        return made

    def _require_plain(self, kind: type) -> None:
        """Refuse a class whose own constants are computed, perhaps by floats, or that a metaclass makes."""
        if not kind.__module__.startswith("boundcheck."):
            if type(kind).__module__ not in ("builtins", "abc", "typing"):
                raise NotInLanguage(
                    f"{kind.__name__} has a metaclass, which runs beside the program; leave it out."
                )
            if "__init_subclass__" in vars(kind):
                raise NotInLanguage(
                    f"{kind.__name__} listens to its subclasses; leave __init_subclass__ out."
                )
            for statement in self._statements_of(kind):
                if isinstance(statement, ast.AnnAssign) and not _says_itself(
                    statement.value
                ):
                    raise NotInLanguage(
                        CHOSEN.format(
                            f"{kind.__name__}.{ast.unparse(statement.target)}"
                        )
                    )

    def _statements_of(self, kind: type) -> list[ast.stmt]:
        text = Text.of_module(vars(sys.modules[kind.__module__]))
        return [
            statement
            for node in text.classes(kind.__name__)
            for statement in node.body
        ]

    def _computed(self, kind: type) -> Iterator[tuple[str, _Refused]]:
        """The constants of a class that floats may have chosen, refused where they are asked for."""
        own = (
            []
            if kind.__module__.startswith("boundcheck.")
            else self._statements_of(kind)
        )
        for statement in own:
            if isinstance(statement, ast.Assign) and not _says_itself(
                statement.value
            ):
                for name in (
                    target.id
                    for target in statement.targets
                    if isinstance(target, ast.Name)
                ):
                    yield (
                        name,
                        _Refused(CHOSEN.format(f"{kind.__name__}.{name}")),
                    )

    def _member(self, member: Any) -> Any:
        """The twin of a member of a class."""
        if isinstance(member, property):
            return property(
                *(
                    f and self.function(f)
                    for f in (member.fget, member.fset, member.fdel)
                )
            )
        if isinstance(member, cached_property):
            return cached_property(self.function(member.func))
        if isinstance(member, (staticmethod, classmethod)):
            return type(member)(self.function(member.__func__))
        return self.function(member)

    def value(self, value: object) -> Any:
        """An instance of a class of the text with the methods of its twin; lists and the like by entries."""
        if type(value) in (list, tuple):
            return type(value)(map(self.value, value))  # type: ignore[call-arg, call-overload]
        kind = type(value)
        if (
            self.is_text(kind.__module__)
            and not isinstance(value, BaseException)
            and self.class_(kind) is not kind
        ):
            object.__setattr__(value, "__class__", self.class_(kind))
            for name, entry in list(getattr(value, "__dict__", {}).items()):
                object.__setattr__(value, name, self.value(entry))
        return value


class _Refused:
    """An attribute of a class that nobody may ask for."""

    def __init__(self, sentence: str):
        self.sentence = sentence

    def __get__(self, *_: object) -> Any:
        raise NotInLanguage(self.sentence)


def _refusing(sentence: str) -> Callable[..., Any]:
    """Stands for a function whose text is outside of the language; one that is never called matters to nobody."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise NotInLanguage(sentence)

    return refuse


def _is_read(value: object) -> bool:
    """Whether a value is a function, a class or a module, and no number or word."""
    return callable(value) or isinstance(value, types.ModuleType)


def _is_stated(member: object) -> bool:
    """Whether a member of a class has a text, and is not what dataclasses generate."""
    inner = [
        getattr(member, part, None) for part in ("fget", "func", "__func__")
    ]
    functions = [member] if isinstance(member, types.FunctionType) else inner
    codes = [
        function.__code__
        for function in functions
        if isinstance(function, types.FunctionType)
    ]
    return isinstance(member, METHODS) and any(
        has_text(code) and not is_generated(code) for code in codes
    )


def _says_itself(node: ast.expr | None) -> bool:
    """Whether a constant of a class is a literal, whose whole numbers no float has chosen."""
    return node is None or value_of_literal(node) is not UNCLEAR


class _Names(dict):
    """The globals of a twin: what a name means is read when it is asked for."""

    def __init__(self, reader: _Reader, native: dict[str, Any]):
        names = {
            "__builtins__": BUILTINS,
            "__name__": native.get("__name__"),
            SEEN: reader.seen,
        }
        super().__init__({**names, **RECORDING})
        self.reader, self.native = reader, native
        self.constants: dict[str, Any] = {}
        self.waiting: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        if dict.__contains__(self, name):
            return super().__getitem__(name)
        value = self.native[name]
        if (
            name.startswith("__")
            or _is_read(value)
            or self._is_of_engine(value)
        ):
            return self.reader.read(value)
        if name not in self.constants:
            self.constants[name] = self._constant(name, value)
        return self.constants[name]

    def _constant(self, name: str, value: object) -> object:
        """A constant of the module, evaluated again as its text reads; once for each tape."""
        if name in self.waiting:  # `C = 2 * C` makes C of one that is gone
            raise NotInLanguage(f"{here()}: {CHOSEN.format(name)}")
        text = Text.of_module(self.native)
        self.waiting.add(name)
        try:
            for binding in self._bindings(name, value, text):
                exact = self._bound(name, value, text, binding)
                if is_made_again(exact, value):
                    return exact
        finally:
            self.waiting.discard(name)
        known = text.values(name)
        several = text.file != SESSION and len(known) > 1 and None not in known
        why = (SEVERAL if several else CHOSEN).format(name)
        raise NotInLanguage(f"{here()}: {why}")

    def _bindings(self, name: str, value: object, text: Text) -> Iterator[Any]:
        """What may have made a name: the one binding of a file, those of a session, the newest first."""
        found = [
            b
            for b in text.values(name)
            if not self._is_of_another_star(b, name, value)
        ]
        if text.file == SESSION:
            yield from filter(None, reversed(found))
        elif len(found) == 1 and found[0] is not None:
            yield found[0]

    def _bound(
        self, name: str, value: object, text: Text, binding: Any
    ) -> object:
        """What a binding makes of a name on the tape."""
        if isinstance(binding, ast.ImportFrom):
            return self._imported(name, binding, value)
        if not is_machine_made(value) and value_of_literal(binding) == value:
            return value
        require_expression(binding, text, self.native, self.reader.is_text)
        return self.evaluated(binding, text)

    def _is_of_engine(self, value: object) -> bool:
        """Whether a value is an object of the engine, which no text makes."""
        home = type(value).__module__
        return home.startswith("boundcheck.") and not self.reader.is_text(home)

    def evaluated(self, node: ast.expr, text: Text) -> Any:
        """What an expression of the module's text makes, recorded."""
        expression = ast.fix_missing_locations(
            ast.Expression(Rewriting(text).visit(deepcopy(node)))
        )
        return eval(
            compile(expression, text.file, "eval", dont_inherit=True), self
        )

    def _is_of_another_star(
        self, binding: ast.AST, name: str, value: object
    ) -> bool:
        """Whether `from module import *` brings another `name` than this one, or none."""
        if (
            not isinstance(binding, ast.ImportFrom)
            or binding.names[0].name != "*"
        ):
            return False
        return (
            getattr(
                sys.modules.get(module_named(binding, self.native)), name, None
            )
            is not value
        )

    def _imported(
        self, name: str, binding: ast.ImportFrom, value: object
    ) -> object:
        original = next(
            (
                alias.name
                for alias in binding.names
                if (alias.asname or alias.name) == name
            ),
            name,
        )
        home = module_named(binding, self.native)
        if home in sys.modules and self.reader.is_text(home):
            return self.reader.space(home, vars(sys.modules[home]))[original]
        return (
            known_constant(value, f"{home}.{original}")
            if is_machine_made(value)
            else self.reader.read(value)
        )


class _TextModule:
    """A module of the user's own, seen through the twins of what it holds."""

    def __init__(self, reader: _Reader, module: types.ModuleType):
        self._space = reader.space(module.__name__, vars(module))

    def __getattr__(self, name: str) -> Any:
        try:
            return self._space[name]
        except KeyError:
            raise AttributeError(name) from None
