"""A function as its text reads: literals are the decimals that are written, what is made of them is recorded.

While a tape records, a body runs as its twin: compiled from the same text, in a namespace of its own, with
its helpers as twins too, wherever they stand. Nothing of the modules is changed, so that any number of
threads may record at once.
"""

from __future__ import annotations

import ast
import enum
import functools
import gc
import operator
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy, deepcopy
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.tape.chosen import (
    CHOSEN,
    CONTAINERS,
    NOT_MADE,
    agrees,
    are_floats,
    are_unchosen,
    cells_of,
    chosen_attributes,
    computes,
    folded,
    has_floats,
    is_discrete,
    is_judged,
    is_made_again,
    require_unchosen_class,
    require_unchosen_name,
)
from boundcheck.tape.library import Foreign, Module, is_number_library, known_constant, reading_of, refused
from boundcheck.tape.program import NotTraceable, active_tape, here, is_machine_made
from boundcheck.tape.rewriting import (
    BUILTINS,
    EACH,
    MAKE,
    READ,
    RECORDING,
    SEEN,
    TWIN,
    Operators,
    Rewriting,
    compiled,
    handed,
    reads_names,
    remembering,
)
from boundcheck.tape.texts import SESSION, Text, has_text, is_installed, module_named
from boundcheck.tape.traced import Traced, Whole
from boundcheck.tape.truth import Truth

GENERATED = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__replace__", "__getstate__", "__setstate__")
"""Methods that a dataclass does not have from its text."""

PLAIN = ("itertools", "functools", "collections", "operator", "typing", "fractions", "decimal", "string", "dataclasses", "contextlib")
"""Modules of the standard library that compute no floats of their own."""

FAMILIES = ("boundcheck.settings", "boundcheck.features.data_set", "boundcheck.features.kernels", "boundcheck.features.pools")
"""Families of instances are text too: a theorem speaks of what they compute."""

OPAQUE = (
    str, bytes, int, float, complex, type(None), type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType,
    types.MethodType, np.generic, np.ufunc,
)  # fmt: skip
"""What nothing is looked for in: it holds nothing, or is looked at when it is read itself."""

METHODS = (types.FunctionType, property, cached_property, staticmethod, classmethod)

HIDDEN = (
    "A {} holds functions or objects of your text, which would run beside the program;"
    " keep them under names of the module, in a list, a tuple or a dict."
)

Cached = type(lru_cache(len))
"""What `functools.cache` and `lru_cache` make of a function."""

LIBRARIES = {"boundcheck", *sys.stdlib_module_names}
ENGINE = Path(__file__).resolve().parents[1]


def recorded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The twin of a function that records on the active tape what its text says. Raises NotTraceable."""
    return _reader(function).function(function)


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
        self.harmless: set[type] = {int, bool, str, type(None), Traced, Whole}
        self.spaces: dict[str, _Names] = {}
        self.held: dict[int, tuple[Any, Any]] = {}

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
        return file.endswith(".py") and not is_installed(file) and not _is_of_engine(file)

    def function(self, function: object) -> Any:
        """The twin of a function, made once; until then, what stands for it asks for it when called."""
        if function not in self.functions:
            self.functions[function] = lambda *args, **kwargs: self.functions[function](*args, **kwargs)
            try:
                self.functions[function] = self._made(function)
            except BaseException:
                del self.functions[function]
                raise
        return self.functions[function]

    def _made(self, function: Any) -> Any:
        code, text = function.__code__, Text.of(function.__code__.co_filename)
        node = text.function(code)
        space = self.space(function.__module__, function.__globals__)
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        values = {name: self._from_cell(name, cell, node, text) for name, cell in cells.items()}
        local: dict[str, Any] = {}
        floats = frozenset(name for name, value in values.items() if is_machine_made(value))
        exec(compiled(node, tuple(values), floats, text), space, local)
        twin = local[MAKE](*values.values())
        if not isinstance(twin, types.FunctionType):
            return function
        twin.__code__ = twin.__code__.replace(co_name=code.co_name, co_qualname=code.co_qualname)
        twin.__name__, twin.__qualname__ = function.__name__, function.__qualname__
        self._give_defaults(twin, function, node, text)
        return twin

    def _give_defaults(self, twin: Any, function: Any, node: Any, text: Text) -> None:
        """Defaults that name something, as they were when the function was defined."""
        places, own = node.args.defaults, function.__defaults__ or ()
        given = zip(places, own, twin.__defaults__ or (), strict=True)
        twin.__defaults__ = tuple(self._default(p, value, mine, function, node, text) for p, value, mine in given) or None
        for argument, place in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if place is not None:
                value, mine = function.__kwdefaults__[argument.arg], twin.__kwdefaults__[argument.arg]
                twin.__kwdefaults__[argument.arg] = self._default(place, value, mine, function, node, text)

    def _default(self, place: Any, value: Any, mine: Any, function: Any, node: ast.AST, text: Text) -> Any:
        if not reads_names(place):
            return mine
        if not is_machine_made(value):
            self._require_unchosen(ast.unparse(place), value, place, node, text)
            return self.read(value)
        if isinstance(place, ast.Name) and text.is_handed_over(place.id, node):
            return handed(value)
        if "<" in function.__qualname__:
            raise NotTraceable(
                f"The default {ast.unparse(place)} of '{function.__name__}' is computed beside the program; compute it in the body."
            )
        return self.space(function.__module__, function.__globals__).evaluated(place, text)

    def _from_cell(self, name: str, cell: Any, node: ast.AST, text: Text) -> Any:
        """What an enclosing function calls `name`; a float only if it was handed over as a short decimal."""
        try:
            value = cell.cell_contents
        except ValueError:
            return None
        if not is_machine_made(value):
            self._require_unchosen(name, value, ast.Name(name, ast.Load()), node, text)
            return self.read(value)
        if not text.is_handed_over(name, node):
            raise NotTraceable(f"'{name}' is a float that an enclosing function computes, beside the program; compute it in the body.")
        return value

    def _require_unchosen(self, name: str, value: object, place: ast.expr, node: ast.AST, text: Text) -> None:
        """Refuse a default, or a name of an enclosing function, that floats may have chosen."""
        names = {inner.id for inner in ast.walk(place) if isinstance(inner, ast.Name)}
        read = is_discrete(value) and not is_installed(text.file)
        if read and (computes(place, names.__contains__) or not are_unchosen(names, value, node, text)):
            raise NotTraceable(CHOSEN.format(name))

    def space(self, module: str, names: dict[str, Any]) -> _Names:
        """The names of a module as its functions see them while a tape records."""
        if module not in self.spaces or self.spaces[module].native is not names:
            self.spaces[module] = _Names(self, names)
        return self.spaces[module]

    def read(self, value: object) -> Any:
        """What a name stands for, its twin if it is text, and a guard if it computes beside the tape."""
        if isinstance(value, types.ModuleType):
            return self._module(value)
        if isinstance(value, types.FunctionType) and self.is_text(value.__module__):
            return self.function(value)
        if isinstance(value, type) and self.is_text(value.__module__):
            return self.class_(value)
        self._require_whole_object(value)
        if isinstance(value, types.MethodType) and self.is_text(value.__func__.__module__):
            return types.MethodType(self.function(value.__func__), self.read(value.__self__))
        if isinstance(value, functools.partial):
            given = {name: self._handed_on(x) for name, x in value.keywords.items()}
            return functools.partial(self.read(value.func), *map(self._handed_on, value.args), **given)
        inner = None if self.is_text(type(value).__module__) else getattr(value, "__wrapped__", None)
        if isinstance(inner, types.FunctionType) and self.is_text(inner.__module__):
            return self._remembering(value, inner) if isinstance(value, Cached) else self.function(inner)
        if self._holds_text(value):
            if id(value) not in self.held:
                self.held[id(value)] = value, self._twin_of(value)
            return self.held[id(value)][1]
        if self._hides_text(value):
            raise NotTraceable(HIDDEN.format(type(value).__name__))
        return reading_of(value)

    def _require_whole_object(self, value: object) -> None:
        """Refuse an object of a class of the text that holds floats, or what they may have chosen."""
        kind = type(value)
        if not self._is_own(kind) or isinstance(value, (type, BaseException, enum.Enum)):
            return
        fields = _fields(value)
        if has_floats(fields) or (isinstance(value, CONTAINERS) and has_floats(value)):
            raise refused(f"the {kind.__name__} that holds floats")
        for base in filter(self._is_own, kind.__mro__):
            for name in chosen_attributes(base, self._text_of(base)):
                if is_discrete(fields.get(name)):
                    raise NotTraceable(CHOSEN.format(f"{kind.__name__}.{name}"))

    def _is_own(self, kind: type) -> bool:
        return self.is_text(kind.__module__) and not kind.__module__.startswith("boundcheck.") and kind.__module__ in sys.modules

    def _text_of(self, kind: type) -> Text:
        return Text.of_module(vars(sys.modules[kind.__module__]))

    def seen(self, value: object) -> Any:
        """What a call, an attribute or an entry gives: text is read wherever it is, and no float passes."""
        kind = type(value)
        if kind in self.harmless:
            return value
        if isinstance(value, CONTAINERS):
            if has_floats(value):
                raise refused("what an object or a library holds or returns")
            return value
        if isinstance(value, (types.FunctionType, types.MethodType)):
            function = getattr(value, "__func__", value)
            is_twin = isinstance(getattr(function, "__globals__", None), _Names)
            return value if is_twin or not self.is_text(function.__module__) else self.read(value)
        if isinstance(value, types.ModuleType):
            return self.read(value)
        if isinstance(value, type):
            if value in (Traced, Whole, Truth):
                raise NotTraceable(f"{here()}: of which type a number is, a theorem does not say; compare numbers.")
            return self.read(value)
        if are_floats(value):
            raise refused("a float of an object or a library")
        if self._is_of_text(value):
            raise NotTraceable(f"{here()}: a {kind.__name__} comes from elsewhere than the text; make it in the body.")
        if not isinstance(value, np.ndarray):
            self.harmless.add(kind)
        return value

    def each(self, values: Any) -> Iterator[Any]:
        """What a loop runs over, every entry seen."""
        return map(self.seen, values)

    def _handed_on(self, value: object) -> Any:
        """What a partial function was given; numbers are judged where they are used."""
        return value if is_machine_made(value) else self.read(value)

    def _holds_text(self, value: object, depth: int = 4) -> bool:
        """Whether a value is an object of the text, or a list, tuple or dict with functions or such in it."""
        kind = type(value)
        own = self.is_text(kind.__module__) and not isinstance(value, (type, BaseException))
        fields: Any = _fields(value) if own else value if kind is dict else {}
        entries: Any = value if kind in (list, tuple) else fields.values()
        if any(depth > 0 and (_is_function(x) or self._is_class(x) or self._holds_text(x, depth - 1)) for x in entries):
            return True
        return own and self.class_(kind) is not kind

    def _is_class(self, x: object) -> bool:
        return isinstance(x, type) and self.class_(x) is not x

    def _hides_text(self, value: object, depth: int = 5) -> bool:
        """Whether functions or objects of the text are somewhere inside, where no twin can replace them."""
        if isinstance(value, OPAQUE) or (isinstance(value, np.ndarray) and value.dtype != object):
            return False
        kind = type(value)
        if kind.__module__.partition(".")[0] == "boundcheck" and not self.is_text(kind.__module__):
            return False
        inner = list(value.flat) if isinstance(value, np.ndarray) else gc.get_referents(value)
        return depth > 0 and any(self._is_of_text(x) or self._hides_text(x, depth - 1) for x in inner)

    def _is_of_text(self, x: object) -> bool:
        """Whether it is a function of the text, or an object with methods of it."""
        if isinstance(x, types.FunctionType):
            return self.is_text(x.__module__)
        if isinstance(x, types.MethodType):  # libraries execute texts of methods beside all modules
            return self.is_text(x.__module__ or type(x.__self__).__module__)
        kind = type(x)
        return self.is_text(kind.__module__) and not isinstance(x, (type, BaseException)) and self.class_(kind) is not kind

    def _twin_of(self, value: Any) -> Any:
        """A copy of such a value, whose functions and objects are twins; the module keeps its own."""
        if type(value) is dict:
            return {key: self.read(entry) for key, entry in value.items()}
        if type(value) in (list, tuple):
            return type(value)(map(self.read, value))
        if isinstance(value, (tuple, list, dict, set, frozenset)) and self._hides_text([*value, *getattr(value, "values", tuple)()]):
            raise NotTraceable(HIDDEN.format(type(value).__name__))
        twin = copy(value)
        object.__setattr__(twin, "__class__", self.class_(type(value)))
        for name, entry in _fields(twin).items():
            object.__setattr__(twin, name, self.read(entry))
        return twin

    def _remembering(self, value: object, inner: Callable[..., Any]) -> Any:
        """The twin of a cached function, with a table of its own."""
        if value not in self.functions:
            self.functions[value] = remembering(self.function(inner))
        return self.functions[value]

    def _module(self, module: types.ModuleType) -> Any:
        top = module.__name__.partition(".")[0]
        if is_number_library(module.__name__):
            return Module(module)
        if top in PLAIN or (top == "boundcheck" and not self.is_text(module.__name__)):
            return Operators() if module is operator else module
        return _TextModule(self, module) if self.is_text(module.__name__) else Foreign(module, module.__name__)

    def class_(self, kind: type) -> type:
        """A subclass whose own methods are twins; the twins of its bases come before it, as `super` wants."""
        if kind not in self.classes:
            self.classes[kind] = kind
            if self._is_own(kind):
                self._require_unchosen_class(kind)
            if issubclass(kind, enum.Enum):
                return self._enumeration(kind)
            if self.is_text(kind.__module__) and TWIN not in vars(kind):
                self._make_class(kind)
        return self.classes[kind]

    def _require_unchosen_class(self, kind: type) -> None:
        space = self.space(kind.__module__, vars(sys.modules[kind.__module__]))
        text = self._text_of(kind)
        try:
            require_unchosen_class(kind, text, lambda node: space.evaluated(node, text))
        except NotTraceable:
            del self.classes[kind]
            raise

    def _make_class(self, kind: type) -> None:
        above = tuple(twin for base in kind.__bases__ if (twin := self.class_(base)) is not base)
        if not above and not any(True for _ in self._stated(kind)):
            return
        if self.is_text(type(kind).__module__):
            sentence = "Methods of the metaclass of {} would run beside the program; make them class methods."
            raise NotTraceable(sentence.format(kind.__name__))
        announced = any(issubclass(twin, _Unannounced) for twin in above)
        silent = hasattr(kind.__init_subclass__, "__func__") and not announced
        own = vars(kind).get("__annotations__", {})
        unlike = {"__module__": kind.__module__, "__slots__": (), "__annotations__": own, TWIN: True}
        bases = (*[_Unannounced] * silent, *above, kind)
        made = self.classes[kind] = type(kind)(kind.__name__, bases, unlike)
        for name, member in self._stated(kind):
            setattr(made, name, twin := self._member(member))
            if hasattr(type(twin), "__set_name__"):
                twin.__set_name__(made, name)

    def _enumeration(self, kind: type) -> type:
        """The enumeration itself: its members are what they are, and nothing can be put in their place."""
        own = (getattr(x, "fget", getattr(x, "__func__", x)) for x in vars(kind).values())
        if any(isinstance(x, types.FunctionType) and self.is_text(x.__module__) for x in own):
            raise NotTraceable(f"Methods of the enumeration {kind.__name__} would run beside the program; make them functions.")
        return kind

    def _stated(self, kind: type) -> Iterator[tuple[str, Any]]:
        """The members of a class with a text: functions, what is made of them, and what holds such."""
        made = (*GENERATED, "__dataclass_fields__") if hasattr(kind, "__dataclass_fields__") else ()
        for name, member in vars(kind).items():
            if name == "__init__" and name in made and any(map(_is_function, cells_of(member))):
                yield name, member
            if name in made or name == "__init_subclass__":
                continue
            made_of = any(map(_has_text, _functions(member)))
            if made_of if isinstance(member, METHODS) else self._holds_text(member) or self._hides_text(member):
                yield name, member

    def _member(self, member: object) -> Any:
        """The twin of a member of a class."""
        if isinstance(member, property):
            return property(*(f and self.function(f) for f in (member.fget, member.fset, member.fdel)))
        if isinstance(member, (cached_property, staticmethod, classmethod)):
            return type(member)(self.function(*_functions(member)))
        if isinstance(member, types.FunctionType) and not _has_text(member):  # of a dataclass
            cells = tuple(types.CellType(self.read(x) if _is_function(x) else x) for x in cells_of(member))
            return types.FunctionType(member.__code__, member.__globals__, member.__name__, member.__defaults__, cells)
        return self.function(member) if isinstance(member, types.FunctionType) else self.read(member)

    def value(self, value: object) -> Any:
        """An instance of a class of the text with the methods of its twin; lists and the like by entries."""
        if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            return type(value)(map(self.value, value))
        kind = type(value)
        if self.is_text(kind.__module__) and not isinstance(value, BaseException) and self.class_(kind) is not kind:
            object.__setattr__(value, "__class__", self.class_(kind))
            for name, entry in list(getattr(value, "__dict__", {}).items()):
                object.__setattr__(value, name, self.value(entry))
        return value


class _Unannounced:
    """Comes first among the bases of a twin, so that no `__init_subclass__` of the text hears of it."""

    __slots__ = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        pass


def as_read(body: Callable[..., Any], values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a body, settings of its own text with methods that record."""
    reader = _reader(body)
    return {name: reader.value(value) for name, value in values.items()}


def _fields(value: object) -> dict[str, Any]:
    """The attributes that an object holds itself, in its dictionary or its slots."""
    slots = [name for kind in type(value).__mro__ for name in np.atleast_1d(kind.__dict__.get("__slots__", ()))]
    return {**getattr(value, "__dict__", {}), **{str(name): getattr(value, name) for name in slots if hasattr(value, name)}}


def _functions(member: object) -> list[Any]:
    """The functions that a member of a class is made of."""
    of = (getattr(member, name, None) for name in ("fget", "fset", "fdel", "func", "__func__"))
    return [member] if isinstance(member, types.FunctionType) else [f for f in of if f is not None]


def _is_function(x: object) -> bool:
    return isinstance(x, (types.FunctionType, types.MethodType, functools.partial, Cached))


def _has_text(function: object) -> bool:
    """Not what dataclasses and the like generate."""
    return has_text(getattr(function, "__code__", None))


UNCLEAR = "'{}' is made of numbers that its module's statements do not make again; write them in the body."


class _Names(dict):
    """The globals of a twin: what a name means is read when it is asked for."""

    def __init__(self, reader: _Reader, native: dict[str, Any]):
        self.constants: dict[str, Any] = {}
        self.waiting: set[str] = set()
        self.judged: set[str] = set()
        self.is_own = not str(native.get("__name__")).startswith("boundcheck.")
        reading = {READ: reader.read, SEEN: reader.seen, EACH: reader.each}
        super().__init__({"__builtins__": BUILTINS, "__name__": native.get("__name__"), **RECORDING, **reading})
        self.reader, self.native = reader, native

    def __getitem__(self, name: str) -> Any:
        if dict.__contains__(self, name):
            return super().__getitem__(name)
        value = self.native[name]
        if is_machine_made(value):
            return self._exact(name, value)
        if name not in self.judged and not name.startswith("__") and self.is_own and is_judged(value, self.reader.is_text):
            with self._once(name, CHOSEN):
                self._require_unchosen(name, value, Text.of_module(self.native))
            self.judged.add(name)
        return self.reader.read(value)

    def _require_unchosen(self, name: str, value: object, text: Text) -> None:
        """Refuse what floats may have chosen, unless the module makes it again on the tape."""
        evaluated = functools.partial(self.evaluated, text=text)
        try:
            require_unchosen_name(name, value, text, text.values(name), self.native, evaluated)
        except NotTraceable:
            with suppress(*NOT_MADE):
                if is_discrete(value) and agrees(self._replayed(name, text), value):
                    return
            raise

    @contextmanager
    def _once(self, name: str, sentence: str) -> Iterator[None]:
        """While a name is worked out nothing may read it: `C = 2 * C` makes C of one that is gone."""
        if name in self.waiting:
            raise NotTraceable(sentence.format(name))
        self.waiting.add(name)
        try:
            yield
        finally:
            self.waiting.discard(name)

    def _exact(self, name: str, value: object) -> object:
        """A constant of the module, evaluated again as its text reads; once for each tape."""
        if name not in self.constants:
            self.constants[name] = self._evaluated(name, value)
        return self.constants[name]

    def _evaluated(self, name: str, value: object) -> object:
        text = Text.of_module(self.native)
        bindings = [b for b in text.values(name) if not self._is_of_a_star(b, name, value)]
        with self._once(name, UNCLEAR):
            for exact in self._readings(name, value, text, bindings):
                with suppress(AttributeError, TypeError, ValueError):  # of values of other kinds
                    if is_made_again(exact, value, exactly=text.file == SESSION):
                        return exact
        raise NotTraceable(UNCLEAR.format(name))

    def _readings(self, name: str, value: object, text: Text, bindings: list[Any]) -> Iterator[Any]:
        """What a name may be: by the one expression that binds it, or by all that changes it."""
        if text.file == SESSION:
            yield from self._typed(name, value, text, bindings)
        elif len(bindings) == 1 and bindings[0] is not None:
            yield self._bound(name, value, text, bindings[0])
        yield folded(self._replayed(name, text), value)

    def _typed(self, name: str, value: object, text: Text, bindings: list[Any]) -> Iterator[Any]:
        """What the inputs of a session say, the newest first."""
        for binding in filter(None, reversed(bindings)):
            with suppress(Exception):
                yield self._bound(name, value, text, binding)

    def _replayed(self, name: str, text: Text) -> Any:
        """What the statements of a file make of a name on the tape; inputs of a session have no order."""
        if text.file == SESSION:
            raise NotTraceable(UNCLEAR.format(name))
        space = _Names(self.reader, self.native)
        space.constants, space.waiting = self.constants, self.waiting
        made = Rewriting(text).visit(ast.Module(deepcopy(text.making(name)), []))
        exec(compile(ast.fix_missing_locations(made), text.file, "exec", dont_inherit=True), space)
        if not dict.__contains__(space, name):
            raise NotTraceable(UNCLEAR.format(name))
        return space[name]

    def _bound(self, name: str, value: object, text: Text, binding: Any) -> object:
        """What a binding makes of a name on the tape."""
        if isinstance(binding, ast.ImportFrom):
            return self._imported(name, binding, value)
        return self.evaluated(binding, text)

    def evaluated(self, node: ast.expr, text: Text) -> Any:
        """What an expression of the module's text makes, recorded."""
        expression = ast.fix_missing_locations(ast.Expression(Rewriting(text).visit(deepcopy(node))))
        return eval(compile(expression, text.file, "eval", dont_inherit=True), self)

    def _is_of_a_star(self, binding: ast.AST, name: str, value: object) -> bool:
        """Whether `from module import *` brings another `name` than this one, or none."""
        if not isinstance(binding, ast.ImportFrom) or binding.names[0].name != "*":
            return False
        return getattr(sys.modules.get(module_named(binding, self.native)), name, None) is not value

    def _imported(self, name: str, binding: ast.ImportFrom, value: object) -> object:
        original = next((alias.name for alias in binding.names if (alias.asname or alias.name) == name), name)
        home = module_named(binding, self.native)
        if home in sys.modules and self.reader.is_text(home):
            return self.reader.space(home, vars(sys.modules[home]))[original]
        return known_constant(value, f"{home}.{original}")


class _TextModule:
    """A module of the user's own, seen through the twins of what it holds."""

    def __init__(self, reader: _Reader, module: types.ModuleType):
        self._space = reader.space(module.__name__, vars(module))

    def __getattr__(self, name: str) -> Any:
        try:
            return self._space[name]
        except KeyError:
            raise AttributeError(name) from None
