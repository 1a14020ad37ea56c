"""NumPy functions of random quantities: in each trial what they are of its numbers alone, drawn as floats or recorded."""

import tracemalloc
from inspect import signature
from typing import Any

import numpy as np
import pytest
from flint import ctx
from test_tape import CASES, NUMBERS, Numbers

from boundcheck.laws.quantities import Event, World, evaluate, indicator, quantity
from boundcheck.operations.trials import AXES
from boundcheck.tape import NotTraceable, Tape, trace_input, value_of
from boundcheck.verifier.laws import groups
from boundcheck.verifier.operations import entry
from boundcheck.verifier.program import run
from boundcheck.verifier.trials import Operand, follow

MANY = 3
STILL = {"shape", "ndim", "size"}
"""What does not depend on the draw."""

CHOOSING = {"argsort", "unique", "searchsorted", "matrix_rank"}
"""How many entries it is may differ from trial to trial: no program says so."""

RUN_THROUGH = {"poly", "roots"}
"""Functions for which NumPy runs through what it is given, which a quantity is not."""

PLACES = {"nonzero", "flatnonzero", "ix_"}
"""Functions of places, which may differ from trial to trial."""

ORDERLESS = {"eigvals"}
"""Eigenvalues, which are floats in each trial, and recorded of one matrix alone."""

ALONE = {"eigh", "qr", "svd"}
"""Traced of one matrix at a time, or not at all: no certificate holds them in each trial."""

EACH = [
    pytest.param(name, k, id=f"{name}-{k}")
    for name in CASES
    if name not in STILL | RUN_THROUGH | PLACES
    for k in range(len(CASES[name]))
]


class Random:
    """A quantity that is used like an array: axes count inside a trial, and become those of a quantity, which count from 1."""

    __array_priority__ = 5000

    def __init__(self, quantity: Any, like: np.ndarray):
        self.quantity, self.like = quantity, like

    shape = property(lambda self: self.like.shape)
    T = property(lambda self: np.transpose(self))

    def __len__(self) -> int:
        return len(self.like)

    def __getitem__(self, key: Any) -> Any:
        return Random(self.quantity[key], self.like[key])

    def decided(self) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        return lambda **kwargs: getattr(np, name)(self, **kwargs)

    def __array_ufunc__(self, ufunc: Any, _: str, *inputs: Any) -> Any:
        return Random(ufunc(*map(inner, inputs)), ufunc(*map(like, inputs)))

    def __array_function__(self, function: Any, _: Any, args: Any, kwargs: Any) -> Any:
        bound = signature(function).bind(*args, **kwargs)
        for name in AXES:
            if bound.arguments.get(name) is not None:
                bound.arguments[name] = _from_one(bound.arguments[name])
        found = function(*map(inner, bound.args), **{name: inner(x) for name, x in bound.kwargs.items()})
        plain = function(*map(like, args), **{name: like(x) for name, x in kwargs.items()})
        return wrapped(found, plain)


for _name in ("gt", "ge", "lt", "le", "eq", "ne", "sub", "mul", "rmul", "neg", "add"):
    operator = getattr(np, {"gt": "greater", "ge": "greater_equal", "lt": "less", "le": "less_equal", "eq": "equal", "ne": "not_equal",
                            "sub": "subtract", "mul": "multiply", "rmul": "multiply", "neg": "negative", "add": "add"}[_name])  # fmt: skip
    setattr(Random, f"__{_name}__", lambda self, *other, f=operator: f(self, *other))


def _from_one(axis: Any) -> Any:
    return tuple(map(_from_one, axis)) if isinstance(axis, tuple) else axis + 1 if axis >= 0 else axis


def wrapped(found: Any, plain: Any) -> Any:
    if isinstance(found, (tuple, list)):
        parts = [wrapped(x, y) for x, y in zip(found, plain, strict=True)]
        return type(found)(*parts) if hasattr(found, "_fields") else parts
    return Random(found, plain)


def inner(x: Any) -> Any:
    return (
        type(x)(map(inner, x)) if isinstance(x, (list, tuple)) else x.quantity if isinstance(x, Random) else x
    )


def like(x: Any) -> Any:
    return type(x)(map(like, x)) if isinstance(x, (list, tuple)) else x.like if isinstance(x, Random) else x


def trial(k: int) -> Numbers:
    """Different numbers in each trial, on the same side of everything that cases compare with."""
    return Numbers(*(x * (1 - 0.01 * k) for x in NUMBERS))


def random_input(tape: Tape, name: str, x: np.ndarray) -> Any:
    traced = trace_input(tape, name, x)
    tape.random.add(traced.node)
    return traced


def draws(tape: Tape | None) -> Numbers:
    """The numbers of a case as quantities."""

    def drawn(name: str) -> Random:
        stacked = np.stack([getattr(trial(k), name) for k in range(MANY)])
        return Random(
            quantity(lambda rng, size: stacked if tape is None else random_input(tape, name, stacked)),
            stacked[0],
        )

    return Numbers(*map(drawn, Numbers._fields))


def expected(name: str, k: int) -> list[np.ndarray]:
    """For each part of the result its value in all trials."""
    alone = [CASES[name][k](trial(t)) for t in range(MANY)]
    parts = [list(x) if isinstance(x, (list, tuple)) else [x] for x in alone]
    return [np.stack(part) for part in zip(*parts, strict=True)]


def found(name: str, k: int, tape: Tape | None) -> list[Any]:
    result = CASES[name][k](draws(tape))
    parts = [inner(x) for x in (result if isinstance(result, (list, tuple)) else [result])]
    parts = [indicator(x) if isinstance(x, Event) and name in ("any", "all") else x for x in parts]
    with np.errstate(all="ignore"):
        values = [evaluate(x, World(np.random.default_rng(), MANY)) for x in parts]
    return [x for value in values for x in (value if isinstance(value, (list, tuple)) else [value])]


@pytest.mark.parametrize(("name", "k"), EACH)
def test_floats_inside_trials(name: str, k: int):
    for x, y in zip(found(name, k, None), expected(name, k), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize(("name", "k"), EACH)
def test_traced_numbers_inside_trials_and_the_verifier_follows_each_atom(name: str, k: int):
    tape = Tape()
    if name in CHOOSING | ORDERLESS:
        with pytest.raises(NotTraceable, match="order" if name in ORDERLESS else "random"):
            found(name, k, tape)
        return
    for x, y in zip(found(name, k, tape), expected(name, k), strict=True):
        np.testing.assert_allclose(value_of(x), y, rtol=1e-11, atol=1e-13)
    if name in ALONE:
        return
    with ctx.workprec(106):
        arrays, varies = run(tape.nodes, groups([])).arrays, []
    for node, value in zip(tape.nodes, arrays, strict=True):
        varies.append(node["op"] == "input" or any(varies[j] for j in node["args"]))
        if varies[-1] and node["args"]:
            follow(
                entry(node["op"]).kind,
                node,
                [Operand(arrays[j], varies[j]) for j in node["args"]],
                value,
                MANY,
            )


MASK = np.array([True, False, True])
OPTIONS = [
    lambda x: np.max(x, initial=0.7), lambda x: np.min(x, axis=-1, initial=0.3), lambda x: np.sum(x, where=MASK),
    lambda x: np.mean(x, axis=-1, where=MASK), lambda x: np.prod(x, initial=2.0), lambda x: np.var(x, ddof=1),
    lambda x: np.average(x, weights=x), lambda x: np.trace(x, offset=1), lambda x: np.cumsum(x, dtype=float),
    lambda x: np.std(x, -1, ddof=1),
    lambda x: np.linalg.norm(x, "nuc"), lambda x: np.diff(x, n=2), lambda x: np.sum(x, dtype=int), lambda x: np.max(x, initial=x[0, 0]),
]  # fmt: skip
"""Options, some of which change the result in some trials alone."""


@pytest.mark.parametrize("k", range(len(OPTIONS)))
@pytest.mark.parametrize("traced", [False, True])
def test_an_option_is_taken_as_numpy_takes_it_or_refused(k: int, traced: bool):
    stack, tape = (
        np.random.default_rng(3).uniform(0, 1, (6, 3, 3)) * np.linspace(0.5, 1, 6)[:, None, None],
        Tape(),
    )
    q = quantity(lambda rng, size: random_input(tape, "x", stack) if traced else stack)
    expected = np.stack([OPTIONS[k](x) for x in stack])
    try:
        found = evaluate(OPTIONS[k](q), World(np.random.default_rng(), len(stack)))
    except (NotTraceable, TypeError):
        return
    np.testing.assert_allclose(value_of(found), expected, rtol=1e-11)


@pytest.mark.parametrize(
    "function",
    [np.var, np.std, np.linalg.norm, np.real, np.abs, np.sum, np.mean, np.imag, np.trace, np.linalg.det],
)
def test_complex_numbers_are_numpys_in_every_trial(function):
    """The first trial is real, so that it cannot tell."""
    rng = np.random.default_rng(4)
    stack = rng.standard_normal((5, 2, 2)) + 1j * rng.standard_normal((5, 2, 2)) * np.arange(5)[:, None, None]
    found = evaluate(function(quantity(lambda rng, size: stack)), World(rng, 5))
    np.testing.assert_allclose(found, np.stack([function(z) for z in stack]), rtol=1e-11)


@pytest.mark.parametrize(
    "function", [np.linalg.pinv, np.linalg.slogdet, np.linalg.qr, np.linalg.matrix_rank, np.linalg.cond]
)
def test_matrices_without_full_rank_are_numpys_in_every_trial(function):
    """The first trial has full rank, so that it cannot tell."""
    stack = np.stack([np.eye(3), np.diag([1.0, 2.0, 0.0]), np.ones((3, 3)) - np.eye(3)])
    result = function(quantity(lambda rng, size: stack))
    for k, part in enumerate(result if isinstance(result, tuple) else [result]):
        alone = [function(A)[k] if isinstance(result, tuple) else function(A) for A in stack]
        np.testing.assert_allclose(
            evaluate(part, World(np.random.default_rng(), 3)), np.stack(alone), rtol=1e-9
        )


@pytest.mark.parametrize("function", [
    lambda q: np.sum(q, axis=0), lambda q: np.sort(q, 0), lambda q: np.cumsum(q, axis=-3), lambda q: np.stack([q, q], axis=0),
    lambda q: np.moveaxis(q, 0, -1), lambda q: np.max(q, axis=(0, 1)), lambda q: np.roll(q, 1, axis=0),
])  # fmt: skip
def test_the_axis_of_the_trials_is_refused(function):
    stack = np.random.default_rng(5).uniform(size=(4, 3, 3))
    with pytest.raises(TypeError, match="trials"):
        evaluate(function(quantity(lambda rng, size: stack)), World(np.random.default_rng(), 4))


def test_entries_that_go_to_drawn_places_are_taken_one_by_one_or_refused():
    stack, tape = np.random.default_rng(6).uniform(size=(4, 3)), Tape()
    order = np.array([[0, 1, 2], [2, 1, 0], [1, 1, 1], [0, 0, 2]])
    x: Any = quantity(lambda rng, size: stack)
    k: Any = quantity(lambda rng, size: order)
    found = evaluate(np.take_along_axis(x, k, axis=-1), World(np.random.default_rng(), 4))
    np.testing.assert_array_equal(found, np.take_along_axis(stack, order, -1))
    taken = evaluate(np.take(x, k), World(np.random.default_rng(), 4))
    np.testing.assert_array_equal(taken, np.take_along_axis(stack, order, -1))
    recorded: Any = quantity(lambda rng, size: random_input(tape, "k", order))
    with pytest.raises(NotTraceable, match="computed"):
        evaluate(np.take_along_axis(x, recorded, axis=-1), World(np.random.default_rng(), 4))


@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij , jk", "ij,kj->", "ii,jk->k"])
@pytest.mark.parametrize("traced", [False, True])
def test_sums_over_products_with_what_is_the_same_in_all_trials(subscripts: str, traced: bool):
    rng, tape = np.random.default_rng(7), Tape()
    A, stack = rng.standard_normal((3, 3)), rng.standard_normal((4, 3, 3))
    q: Any = quantity(lambda rng, size: random_input(tape, "q", stack) if traced else stack)
    fixed = trace_input(tape, "A", A) if traced else A
    found = evaluate(np.einsum(subscripts, fixed, q), World(rng, 4))  # type: ignore[arg-type]
    np.testing.assert_allclose(value_of(found), np.stack([np.einsum(subscripts, A, x) for x in stack]), rtol=1e-11)


def test_sums_over_products_of_floats_take_little_room():
    """Products of all indices at once would take 170 MB."""
    stack = np.random.default_rng(8).uniform(size=(100, 60, 60))
    q: Any = quantity(lambda rng, size: stack)
    world, product = World(np.random.default_rng(), 100), np.einsum("ij,jk->ik", q, q)
    tracemalloc.start()
    found = evaluate(product, world)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5 * stack.nbytes
    np.testing.assert_allclose(found, stack @ stack)


@pytest.mark.parametrize("place", [np.nonzero, lambda x: np.ix_(x), np.isin, np.bincount])
def test_places_inside_trials_are_refused(place: Any):
    q = draws(Tape()).x.quantity
    with pytest.raises((NotTraceable, TypeError)):
        evaluate(place(q, [0]) if place is np.isin else place(q), World(np.random.default_rng(0), MANY))


@pytest.mark.parametrize("change", [lambda q: np.fill_diagonal(q, 0), lambda q: np.put(q, [0], 0)])
def test_what_nobody_has_drawn_is_not_changed_in_its_place(change: Any):
    with pytest.raises(TypeError, match="not changed in its place"):
        change(draws(None).A.quantity)
