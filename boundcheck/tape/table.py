"""The functions, methods and draws that a statement may call, each with the arguments that are read."""

from __future__ import annotations

import ast
import builtins
import itertools
import math
import types
from functools import cache
from typing import Any

import numpy as np
import scipy.linalg
import scipy.special

LIBRARIES = {
    "np": np,
    "math": math,
    "special": scipy.special,
    "linalg": scipy.linalg,
    "itertools": itertools,
    "": builtins,
}
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

FUNCTIONS_TOO = (
    "all",
    "any",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "repeat",
    "round",
    "std",
    "sum",
    "trace",
    "var",
)
"""Methods of arrays that do what the function of NumPy of that name does."""

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

FAMILIAR = (
    np.ndarray,
    np.random.Generator,
    float,
    int,
    str,
    bytes,
    complex,
    list,
    tuple,
    dict,
    set,
    frozenset,
    types.FunctionType,
)
"""What has attributes that a text may not ask for, unless they stand here."""

INSTEAD_OF = {
    "Decimal": "write the decimal, which is exact",
    "Fraction": "write p / q, which is exact",
    "accumulate": "say np.cumsum, or a for loop",
    "allclose": "return equal(a, b)",
    "cdf": "say special.ndtr(x), the normal distribution function",
    "complex": "write the real and the imaginary part",
    "expm": "say expm of boundcheck",
    "float64": "leave it out",
    "getattr": "name the attribute",
    "hasattr": "a theorem says what its parameters are",
    "int64": "leave it out",
    "isclose": "return equal(a, b)",
    "isfinite": "assume(...) what keeps it finite",
    "isinstance": "a theorem says what its parameters are",
    "isnan": "assume(...) what keeps it a number",
    "outer": "say np.outer(x, y), or x[:, None] - y[None, :]",
    "norm": "say np.linalg.norm(x), or special.ndtr(x) for the normal distribution function",
    "partial": "write a lambda",
    "ppf": "say special.ndtri(p), the normal quantile",
    "random": "draw in the sampler of a quantity",
    "reduce": "write a for loop",
    "sort": "say np.sort",
    "str": "compare numbers",
    "sqrtm": "say psd_sqrt of boundcheck",
    "super": "call the function of the class above by its name",
    "type": "a theorem says what its parameters are",
    "vectorize": "write a comprehension",
}
"""What to say in the place of a function that is not read, by its last name."""

VIEWS = (
    "np.asarray",
    "np.atleast_1d",
    "np.atleast_2d",
    "np.broadcast_to",
    "np.diag",
    "np.diagonal",
    "np.expand_dims",
    "np.flip",
    "np.moveaxis",
    "np.ravel",
    "np.real",
    "np.reshape",
    "np.squeeze",
    "np.swapaxes",
    "np.transpose",
)
"""Functions of arrays whose result may be a view of their argument."""

KEEPERS = (
    "dict",
    "enumerate",
    "list",
    "map",
    "max",
    "min",
    "reversed",
    "set",
    "sorted",
    "tuple",
    "zip",
)
"""Functions whose result holds, or is, an entry of what they run through."""

MADE_HERE = (
    "np.zeros",
    "np.ones",
    "np.full",
    "np.eye",
    "np.identity",
    "np.zeros_like",
    "np.ones_like",
    "np.full_like",
)
"""Makers of floats whose array a body may fill; so it may a copy, and a list."""


class Signature:
    """The arguments of a function that are read, as a line of a table has them."""

    def __init__(self, words: list[str]):
        before = words[: words.index("/")] if "/" in words else words
        self.any_number = any(word.startswith("*") for word in words)
        self.by_place = [word for word in before if not word.startswith("*")]
        self.names = {
            word for word in words if word != "/" and not word.startswith("*")
        }

    def placed(
        self, args: Any, kwargs: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """The arguments with those by name in their places, as far as none is left out before them."""
        args, kwargs = list(args), dict(kwargs)
        for name in self.by_place[len(args) :]:
            if name not in kwargs:
                break
            args.append(kwargs.pop(name))
        return args, kwargs

    def unread(self, call: ast.Call) -> str | None:
        """The first argument that is not read."""
        for keyword in call.keywords:
            if keyword.arg not in self.names:
                return f"{keyword.arg}=" if keyword.arg else "**"
        too_many = len(call.args) > len(self.by_place) and not self.any_number
        return f"argument number {len(self.by_place) + 1}" if too_many else None


def of_lines(text: str) -> dict[str, Signature]:
    lines = (line.split() for line in text.strip().splitlines() if line)
    return {name: Signature(words) for name, *words in lines}


OF_DRAWS = of_lines(DRAWS)
OF_METHODS = of_lines(METHODS) | OF_DRAWS


@cache
def known() -> dict[int, tuple[Any, str, Signature]]:
    """The functions of the table by identity, each with its name."""
    found = {}
    for name, signature in of_lines(FUNCTIONS).items():
        library, _, rest = (
            name.rpartition(".") if "." in name else ("", "", name)
        )
        top, *inner = library.split(".")
        function: Any = LIBRARIES[top]
        for attribute in (*inner, rest):
            function = getattr(function, attribute)
        found[id(function)] = function, name, signature
    return found
