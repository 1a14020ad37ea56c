"""The language that statements need, and that theory/ is written in: what a text may say, and how to say what is outside of it.

A body is a pure function of its parameters, as for `jax.jit`. A list of what is allowed has an end; what does not
stand here is not read.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import math
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import scipy.linalg
import scipy.special

from boundcheck.tape.program import NotTraceable
from boundcheck.tape.texts import DEFINITIONS, Text

LIBRARIES = {"np": np, "math": math, "special": scipy.special, "linalg": scipy.linalg, "itertools": itertools, "": builtins}
"""What the names before the dots of FUNCTIONS stand for; nothing for what Python itself knows."""

FUNCTIONS = """
abs x
all entries
any entries
bool x
dict entries
divmod x y
enumerate entries start
float x
int x
len x
list entries
map function *entries
max *entries key default
min *entries key default
pow x y mod
range start stop step
reversed entries
round number ndigits
set entries
slice start stop step
sorted entries / key reverse
sum entries start
tuple entries
zip *entries strict

itertools.chain *entries
itertools.combinations entries r
itertools.combinations_with_replacement entries r
itertools.pairwise entries
itertools.permutations entries r
itertools.product *entries repeat

math.acos x
math.asin x
math.atan x
math.ceil x
math.comb n k
math.cos x
math.cosh x
math.dist p q
math.erf x
math.erfc x
math.exp x
math.expm1 x
math.factorial n
math.floor x
math.fsum entries
math.gamma x
math.gcd *integers
math.hypot *x
math.isqrt n
math.lcm *integers
math.lgamma x
math.log x base
math.log10 x
math.log1p x
math.log2 x
math.perm n k
math.pow x y
math.prod entries
math.sin x
math.sinh x
math.sqrt x
math.tan x
math.tanh x
math.trunc x

np.abs x
np.absolute x
np.add x y
np.all a axis
np.any a axis
np.append arr values axis
np.arange start stop step
np.arccos x
np.arcsin x
np.arctan x
np.arctan2 x y
np.argmax a axis
np.argmin a axis
np.argsort a axis
np.array object
np.array_equal a1 a2
np.asarray a
np.atleast_1d x
np.atleast_2d x
np.average a axis weights
np.block arrays
np.broadcast_to array shape
np.cbrt x
np.ceil x
np.clip a a_min a_max
np.column_stack tup
np.concatenate arrays axis
np.convolve a v
np.cos x
np.cosh x
np.count_nonzero a axis
np.cumprod a axis
np.cumsum a axis
np.delete arr obj axis
np.diag v k
np.diagonal a offset axis1 axis2
np.diff a n axis
np.divide x y
np.dot a b
np.einsum subscripts *operands
np.equal x y
np.exp x
np.exp2 x
np.expand_dims a axis
np.expm1 x
np.eye N M k
np.fabs x
np.flatnonzero a
np.flip m axis
np.floor x
np.floor_divide x y
np.full shape fill_value
np.full_like a fill_value
np.greater x y
np.greater_equal x y
np.hstack tup
np.hypot x y
np.identity n
np.imag val
np.indices dimensions
np.inner a b
np.ix_ *args
np.kron a b
np.less x y
np.less_equal x y
np.linalg.cholesky a
np.linalg.det a
np.linalg.eigh a
np.linalg.eigvals a
np.linalg.eigvalsh a
np.linalg.inv a
np.linalg.matrix_power a n
np.linalg.matrix_rank A
np.linalg.multi_dot arrays
np.linalg.norm x ord axis keepdims
np.linalg.pinv a
np.linalg.qr a
np.linalg.slogdet a
np.linalg.solve a b
np.linalg.svd a full_matrices compute_uv
np.linalg.svdvals x
np.linspace start stop num endpoint
np.log x
np.log10 x
np.log1p x
np.log2 x
np.logaddexp x y
np.logical_and x y
np.logical_not x
np.logical_or x y
np.matmul x y
np.max a axis / keepdims
np.maximum x y
np.mean a axis / keepdims
np.median a axis
np.meshgrid *xi indexing
np.min a axis / keepdims
np.minimum x y
np.moveaxis a source destination
np.multiply x y
np.negative x
np.nonzero a
np.not_equal x y
np.ones shape
np.ones_like a
np.outer a b
np.poly seq_of_zeros
np.polyval p x
np.power x y
np.prod a axis / keepdims
np.ptp a axis
np.ravel a
np.real val
np.remainder x y
np.repeat a repeats axis
np.reshape a shape
np.rint x
np.roll a shift axis
np.roots p
np.round a decimals
np.searchsorted a v side
np.shape a
np.sign x
np.sin x
np.sinh x
np.size a axis
np.sort a axis
np.sqrt x
np.square x
np.squeeze a axis
np.stack arrays axis
np.std a axis / ddof keepdims
np.subtract x y
np.sum a axis / keepdims
np.swapaxes a axis1 axis2
np.take a indices axis
np.tan x
np.tanh x
np.tile A reps
np.trace a
np.transpose a axes
np.trapezoid y x dx
np.tri N M k
np.tril m k
np.tril_indices n k m
np.triu m k
np.triu_indices n k m
np.unique a
np.vander x N
np.var a axis / ddof keepdims
np.vdot a b
np.vstack tup
np.where condition x y
np.zeros shape
np.zeros_like a

linalg.expm A
special.comb N k
special.digamma x
special.entr x
special.erf x
special.erfc x
special.expit x
special.factorial n
special.gamma x
special.gammaln x
special.kl_div x y
special.log_ndtr x
special.logit x
special.logsumexp a
special.ndtr x
special.ndtri x
special.psi x
special.rel_entr x y
special.softmax x
special.xlog1py x y
special.xlogy x y
"""
"""A line for each function, with the arguments that are read; those after / by name alone, * for any number."""

METHODS = """
all axis
any axis
append x
argmax axis
argmin axis
astype dtype
clip min max
copy
cumprod axis
cumsum axis
diagonal
dot b
extend entries
flatten
insert place x
items
keys
max axis / keepdims
mean axis / keepdims
min axis / keepdims
nonzero
pop place
prod axis / keepdims
ravel
repeat repeats axis
reshape *shape
round decimals
std axis / ddof keepdims
sum axis / keepdims
trace
transpose *axes
values
var axis / ddof keepdims
"""
"""Methods of arrays, lists and dictionaries, alike."""

DRAWS = """
beta a b size
binomial n p size
chisquare df size
choice a size / replace p axis
dirichlet alpha size
exponential scale size
f dfnum dfden size
gamma shape scale size
geometric p size
gumbel loc scale size
hypergeometric ngood nbad nsample size
integers low high size / endpoint
laplace loc scale size
logistic loc scale size
lognormal mean sigma size
multinomial n pvals size
multivariate_hypergeometric colors nsample size
multivariate_normal mean cov size
negative_binomial n p size
normal loc scale size
pareto a size
permutation x axis
permuted x axis
poisson lam size
power a size
random size
rayleigh scale size
standard_cauchy size
standard_exponential size
standard_gamma shape size
standard_normal size
standard_t df size
triangular left mode right size
uniform low high size
vonmises mu kappa size
wald mean scale size
weibull a size
zipf a size
"""
"""Methods of the generator that a sampler is given."""

ATTRIBUTES = ("T", "imag", "mT", "ndim", "real", "shape", "size")
"""Attributes of arrays."""

FAMILIAR = (np.ndarray, np.random.Generator, float, int, str, bytes, complex, list, tuple, dict, set, frozenset, types.FunctionType)
"""What has attributes that a text may not ask for, unless they stand here."""

STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Break, ast.Continue, ast.Expr, ast.For, ast.FunctionDef, ast.If, ast.Pass,
    ast.Return, ast.While,
)  # fmt: skip

EXPRESSIONS = (
    ast.Attribute, ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.Constant, ast.Dict, ast.DictComp, ast.GeneratorExp,
    ast.IfExp, ast.Lambda, ast.List, ast.ListComp, ast.Name, ast.NamedExpr, ast.Set, ast.SetComp, ast.Slice, ast.Starred, ast.Subscript,
    ast.Tuple, ast.UnaryOp,
)  # fmt: skip

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

VIEWS = (
    "np.asarray", "np.atleast_1d", "np.atleast_2d", "np.broadcast_to", "np.diag", "np.diagonal", "np.expand_dims", "np.flip", "np.moveaxis",
    "np.ravel", "np.real", "np.reshape", "np.squeeze", "np.swapaxes", "np.transpose",
)  # fmt: skip
"""Functions of arrays whose result may be a view of their argument."""

MADE_HERE = ("np.zeros", "np.ones", "np.full", "np.eye", "np.identity", "np.zeros_like", "np.ones_like", "np.full_like")
"""Makers of floats whose array a body may fill; so it may a copy, and a list."""

UNKNOWN = object()
"""What a name of the body, or an attribute of such, stands for."""


class NotInLanguage(NotTraceable):
    """A text that says what is not in the language; the message has its line, and how to say it."""


class Signature:
    """The arguments of a function that are read, as a line of a table has them."""

    def __init__(self, words: list[str]):
        before = words[: words.index("/")] if "/" in words else words
        self.any_number = any(word.startswith("*") for word in words)
        self.by_place = [word for word in before if not word.startswith("*")]
        self.names = {word for word in words if word != "/" and not word.startswith("*")}

    def unread(self, call: ast.Call) -> str | None:
        """The first argument that is not read."""
        for keyword in call.keywords:
            if keyword.arg not in self.names:
                return f"{keyword.arg}=" if keyword.arg else "**"
        too_many = len(call.args) > len(self.by_place) and not self.any_number
        return f"argument number {len(self.by_place) + 1}" if too_many else None


def _table(text: str) -> dict[str, Signature]:
    lines = (line.split() for line in text.strip().splitlines() if line)
    return {name: Signature(words) for name, *words in lines}


OF_DRAWS = _table(DRAWS)
OF_METHODS = _table(METHODS) | OF_DRAWS


@cache
def known() -> dict[int, tuple[Any, str, Signature]]:
    """The functions of the table by identity, each with its name."""
    found = {}
    for name, signature in _table(FUNCTIONS).items():
        library, _, rest = name.rpartition(".") if "." in name else ("", "", name)
        top, *inner = library.split(".")
        function: Any = LIBRARIES[top]
        for attribute in (*inner, rest):
            function = getattr(function, attribute)
        found[id(function)] = function, name, signature
    return found


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


def require_expression(node: ast.expr, text: Text, names: Mapping[str, Any], is_text: IsText) -> None:
    """The same of an expression of a module, which makes a constant. Raises NotInLanguage."""
    _Visitor(node, text, names, is_text).visit(node)


def _names(function: types.FunctionType) -> dict[str, Any]:
    """What names of its module, and of the functions around it, stand for."""
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not bound yet
            names[name] = cell.cell_contents
    return names


def _declared(names: Mapping[str, Any], is_text: IsText) -> frozenset[str]:
    """Attributes that the classes of a module's text declare, and those of the texts that it imports from."""
    modules: dict[str, Mapping[str, Any]] = {}
    waiting = [names]
    while waiting:
        for value in list(waiting.pop().values()):
            module = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
            if isinstance(module, str) and module not in modules and module in sys.modules and is_text(module):
                modules[module] = vars(sys.modules[module])
                waiting.append(modules[module])
    classes = {x for given in (names, *modules.values()) for x in given.values() if isinstance(x, type) and is_text(x.__module__)}
    return frozenset(name for kind in classes for name in (*vars(kind), *vars(kind).get("__annotations__", {})))


class _Visitor(ast.NodeVisitor):
    """Looks at one function and all inside of it."""

    def __init__(self, top: Any, text: Text, names: Mapping[str, Any], is_text: IsText):
        self.file, self.names, self.is_text = text.file, names, is_text
        self.declared = _declared(names, is_text)
        self.bound = set(_bound(top))
        self.ownership = _Ownership(top, self._is_new)

    def refuse(self, node: ast.AST, sentence: str) -> None:
        line = getattr(node, "lineno", 0)
        raise NotInLanguage(f"{self.file.rpartition('/')[2]}:{line}: {sentence}.")

    def visit_function(self, node: Any) -> None:
        """A definition or a lambda: its own decorators have run, its defaults are those of its module."""
        for inner in node.body if isinstance(node, DEFINITIONS) else [node.body]:
            self.visit(inner)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.stmt, ast.expr)) and not isinstance(node, (*STATEMENTS, *EXPRESSIONS)):
            instead = INSTEAD.get(type(node), "say it in the words of docs/language.md")
            self.refuse(node, f"`{_keyword(node)}` is not in the language of statements; {instead}")
        super().generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            self.refuse(node, "a function in a body has no decorators; call what would decorate it")
        self._require_plain_defaults(node.args)
        self.visit_function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._require_plain_defaults(node.args)
        self.visit_function(node)

    def _require_plain_defaults(self, arguments: ast.arguments) -> None:
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)):
                self.refuse(default, "a default that can be changed is shared by all calls; make it in the body")
            self.visit(default)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._require_filling(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        for operator, right in zip(node.ops, node.comparators, strict=True):
            of_none = isinstance(right, ast.Constant) and right.value is None
            if isinstance(operator, (ast.Is, ast.IsNot)) and not of_none:
                self.refuse(node, "whether two names are one object is no statement about numbers; compare by ==")
        super().generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and not self.ownership.may_add_to(node.target.id):
            name = node.target.id
            self.refuse(node, f"`{name}` may be changed where something else sees it; write {name} = {name} ...")
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
        whole: ast.expr = target
        while isinstance(whole, ast.Subscript):  # a row of a list of lists
            whole = whole.value
        if not (isinstance(whole, ast.Name) and self.ownership.may_fill(whole.id)):
            what = ast.unparse(target.value)
            self.refuse(target, f"`{what}` is changed where something else may see it; say np.where, np.concatenate or a comprehension")

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
            self.refuse(node, f"`{spelled}` is not in the language of statements; say it in the words of docs/language.md")

    def visit_Call(self, node: ast.Call) -> None:
        meant = self._meant(node.func)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
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

    def _require_read(self, node: ast.Call, name: str, signature: Signature) -> None:
        unread = signature.unread(node)
        if unread is not None:
            read = ", ".join(sorted(signature.names)) or "none"
            self.refuse(node, f"`{unread}` of {name} is not read, of its arguments are {read}")

    def _is_new(self, value: ast.expr | None) -> bool:
        """Whether an expression makes something that is no view, and no other name of anything."""
        if isinstance(value, ast.Call):
            found = known().get(id(self._meant(value.func)))
            return _is_list(value) or _is_draw(value) or (found is not None and found[1] not in VIEWS)
        return isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Constant, ast.List, ast.ListComp, ast.Compare))

    def _meant(self, node: ast.expr) -> Any:
        """The object that a name of the module, or an attribute of one, stands for."""
        if isinstance(node, ast.Name) and node.id not in self.bound:
            return self.names.get(node.id, getattr(builtins, node.id, UNKNOWN))
        if isinstance(node, ast.Attribute):
            owner = self._meant(node.value)
            if isinstance(owner, types.ModuleType):
                return getattr(owner, node.attr, UNKNOWN)
        return UNKNOWN

    def _require_known(self, node: ast.expr, meant: Any) -> None:
        """Functions and classes are those of the table, of the text, or words of boundcheck."""
        if meant is UNKNOWN or id(meant) in known() or not callable(meant):
            return
        module = getattr(meant, "__module__", None) or type(meant).__module__
        if module.partition(".")[0] == "boundcheck" or self.is_text(module):
            return
        self.refuse(node, f"`{ast.unparse(node)}` is not in the language of statements; say it in the words of docs/language.md")


def _keyword(node: ast.AST) -> str:
    """What a reader calls a construct."""
    return type(node).__name__.lower().removesuffix("star").removeprefix("async")


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


class _Ownership:
    """Which names of a function hold what it has just made and nothing else sees.

    Such an array may be filled. Its first use but for a number of it ends that: what comes after may not change
    it, for a view, another name, or whoever it was handed to would change with it. A list is Python's own, and
    runs as it reads.
    """

    def __init__(self, top: Any, is_new: Callable[[ast.expr | None], bool]):
        self.parents = {child: node for node in ast.walk(top) for child in ast.iter_child_nodes(node)}
        self.uses: dict[str, list[ast.Name]] = {}
        self.given: dict[str, list[ast.expr | None]] = {}
        self.is_new = is_new
        for node in ast.walk(top):
            if isinstance(node, ast.Name):
                self.uses.setdefault(node.id, []).append(node)
            for name, value in _givings(node):
                self.given.setdefault(name, []).append(value)

    def may_fill(self, name: str) -> bool:
        """Whether entries of it may be stored to."""
        given = self.given.get(name, [None])
        return all(map(_is_list, given)) or (all(map(_is_array, given)) and self._is_alone(name))

    def may_add_to(self, name: str) -> bool:
        """Whether `name += x` changes nothing that something else sees."""
        given = self.given.get(name, [None])
        return all(map(_is_number, given)) or (all(map(self.is_new, given)) and self._is_alone(name))

    def _is_alone(self, name: str) -> bool:
        """Whether all that is stored in it is stored before it is used but for a number of it."""
        stores = [use for use in self.uses[name] if self._is_stored_to(use)]
        last = max((self._end_of_loop(store) for store in stores), default=0)
        others = (use for use in self.uses[name] if use not in stores and not self._is_read(use))
        return all(use.lineno > last for use in others)

    def _is_stored_to(self, use: ast.Name) -> bool:
        parent = self.parents[use]
        filled = isinstance(parent, ast.Subscript) and parent.value is use and isinstance(parent.ctx, ast.Store)
        return filled or isinstance(use.ctx, ast.Store)

    def _is_read(self, use: ast.Name) -> bool:
        """Whether it is read for what is new: arithmetic, a decision, a number of its entries."""
        parent: ast.AST = self.parents[use]
        if isinstance(parent, ast.Subscript) and parent.value is use:
            parent = self.parents[parent]
        if isinstance(parent, ast.Attribute):
            return parent.attr in ("shape", "size", "ndim")
        if isinstance(parent, ast.Call):
            return self.is_new(parent)
        return isinstance(parent, READING)

    def _end_of_loop(self, node: Any) -> Any:
        """The last line of the outermost loop around a store: the store comes again after all of it."""
        end, here = node.lineno, node
        while here in self.parents:
            here = self.parents[here]
            if isinstance(here, (ast.For, ast.While)):
                end = here.end_lineno
        return end


READING = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.If, ast.While, ast.Subscript)
"""What makes something new of a value, or decides by it."""


def _givings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node binds, each with what it is made, or None where that is something else's."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and isinstance(node.target, ast.Name):
        yield node.target.id, node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from _unpacked(node.target, node.iter if _is_of_range(node.iter) else None)
    elif isinstance(node, ast.arg):
        yield node.arg, None


def _unpacked(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Starred):
        yield from _unpacked(target.value, None)
    elif isinstance(target, (ast.Tuple, ast.List)):
        values: list[Any] = [None] * len(target.elts)
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(values):
            values = list(value.elts)
        for entry, part in zip(target.elts, values, strict=True):
            yield from _unpacked(entry, part)


def _is_list(value: ast.expr | None) -> bool:
    """Whether an expression makes a list or a dictionary of Python."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return isinstance(value.left, ast.List)
    called = isinstance(value, ast.Call) and ast.unparse(value.func) in ("list", "sorted", "dict")
    return called or isinstance(value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp))


def _is_array(value: ast.expr | None) -> bool:
    """Whether an expression makes an array of floats that nothing else sees."""
    if _is_draw(value):
        return True
    if not isinstance(value, ast.Call) or value.keywords:
        return False
    copied = isinstance(value.func, ast.Attribute) and value.func.attr == "copy" and not value.args
    return copied or ast.unparse(value.func) in MADE_HERE


def _is_draw(value: ast.expr | None) -> bool:
    """Whether an expression draws from the generator that a sampler is given."""
    called = value.func if isinstance(value, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in OF_DRAWS and isinstance(called.value, ast.Name)


def _is_of_range(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "range"


def _is_number(value: ast.expr | None) -> bool:
    """Whether an expression is a number for anyone who reads it."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in ("len", "int", "float", "range")
    return isinstance(value, ast.Constant)
