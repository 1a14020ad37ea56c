"""The instruction set: every entry does what the verifier's own entry of that name says, and what it says of itself.

Where an entry needs operands of its own, EXAMPLES has them; everything else is asked of all entries alike.
"""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from scipy import special

from boundcheck.operations import OPERATIONS, Operation
from boundcheck.operations.ranges import RANGES, range_of
from boundcheck.operations.rounding import LEAVES, radii
from boundcheck.operations.trials import Trials
from boundcheck.tape import Tape, trace_input
from boundcheck.verifier import operations as verifier
from boundcheck.verifier.balls import Balls
from boundcheck.verifier.findings import Unproved
from boundcheck.verifier.functions import BINARY
from boundcheck.verifier.laws import groups
from boundcheck.verifier.program import run
from boundcheck.verifier.scalars import Code, entries, evaluate
from boundcheck.verifier.symmetry import FREE, RULES, Operands, Order
from boundcheck.verifier.trials import Operand, follow

MANY = 4
"""Instances, trials or copies."""


def uniform(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.uniform(0.1, 0.9, shape)


def definite(rng: np.random.Generator, *shape: int) -> np.ndarray:
    X = rng.standard_normal(shape)
    return X @ np.swapaxes(X, -1, -2) + np.eye(shape[-1])


def square(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape) + 3 * np.eye(shape[-1])


def exponent(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.uniform(0.5, 3.5, shape)


Case = tuple[dict[str, Any], list[Any]]
"""Fields of the node, and for each operand how it is drawn and its shape."""

EXAMPLES: dict[str, list[Case]] = {
    **{name: [({"axes": [0], "keepdims": False}, [(uniform, (3, 2))]), ({"axes": [0, 1], "keepdims": False}, [(uniform, (3, 2))]),
              ({"axes": [1], "keepdims": True}, [(uniform, (3, 2))])] for name in ("sum", "prod", "max", "min")},
    "cumsum": [({"axis": 0}, [(uniform, (3, 2))]), ({"axis": 1}, [(uniform, (3, 2))])],
    "sort": [({"axis": -1}, [(uniform, (3, 2))])],
    "gather": [({"shape": [2, 3], "index": [0, 4, -1, 2, 5, 2]}, [(uniform, (2, 2)), (uniform, (2,))])],
    "take": [({}, [(uniform, (4, 2)), (lambda rng, *shape: rng.integers(0, 4, shape).astype(float), (3,))])],
    "matmul": [({}, [(uniform, (2, 3)), (uniform, (3, 4))]), ({}, [(uniform, (3,)), (uniform, (3, 4))]),
               ({}, [(uniform, (2, 3)), (uniform, (3,))]), ({}, [(uniform, (3,)), (uniform, (3,))]),
               ({}, [(uniform, (2, 2, 3)), (uniform, (3, 4))])],
    "solve": [({}, [(square, (3, 3)), (uniform, (3, 2))]), ({}, [(square, (2, 3, 3)), (uniform, (3, 2))])],
    "inv": [({}, [(square, (3, 3))]), ({}, [(square, (2, 3, 3))])],
    "svdvals": [({}, [(uniform, (3, 2))])],
    "eigenvectors": [({"lead": [-1, 2, 3]}, [(definite, (3, 3))])],
    "eigvals": [({"part": part}, [(square, shape)]) for part in ("abs", "real", "imag") for shape in ((3, 3), (2, 4, 4))],
    "psd_pow": [({"power": power}, [(definite, (3, 3))]) for power in ("3/4", "-1/2", "5/2")],
    "psd_raise": [({}, [(definite, (3, 3)), (uniform, (1, 1))]), ({}, [(definite, (2, 3, 3)), (exponent, (1, 1))]),
                  ({}, [(definite, (3, 3)), (lambda rng, *shape: -exponent(rng, *shape), (1, 1))])],
}  # fmt: skip
MATRIX: list[Case] = [({}, [(definite, (3, 3))]), ({}, [(definite, (2, 3, 3))])]
ENTRY: list[Case] = [({}, [(uniform, (3,))])]
ENTRIES: list[Case] = [({}, [(uniform, (3,)), (uniform, (3,))]), ({}, [(uniform, (2, 3)), (uniform, ())])]


def cases(name: str) -> list[Case]:
    return EXAMPLES.get(name) or (MATRIX if OPERATIONS[name].axes else ENTRIES if name in BINARY else ENTRY)


ALL = [
    pytest.param(name, k, id=f"{name}-{k}") for name in sorted(OPERATIONS) for k in range(len(cases(name)))
]
each = pytest.mark.parametrize(("name", "k"), ALL)


def drawn(case: Case, *lead: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [draw(rng, *lead, *shape) for draw, shape in case[1]]


def test_no_singular_values_are_asked_of_what_is_not_finite(capfd: pytest.CaptureFixture[str]):
    """LAPACK prints a complaint; members of a population that are finite keep theirs."""
    A = np.stack([np.eye(3), np.full((3, 3), np.nan), np.diag([1.0, np.inf, 2.0]), 2 * np.eye(3)])
    found = OPERATIONS["svdvals"].over({}, A, lead=1)
    assert np.array_equal(np.isfinite(found).all(axis=1), [True, False, False, True])
    assert np.array_equal(found[3], [2, 2, 2])
    assert OPERATIONS["svdvals"].pulled({}, np.ones((4, 3)), found, A, lead=1)[0] is not None
    with pytest.raises(np.linalg.LinAlgError):
        OPERATIONS["svdvals"].over({}, A[1])
    assert capfd.readouterr() == ("", "")


def test_both_sides_know_the_same_names():
    assert {*OPERATIONS, *LEAVES, "mean"} - {"drawn"} == {*verifier.OPERATIONS, "random", "mean"}


def test_nothing_is_recorded_before_the_operations_are_there():
    text = """
from boundcheck.tape import Tape
try:
    Tape()
except RuntimeError as error:
    print(error)
import boundcheck.operations
Tape()
"""
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert "import boundcheck.operations" in said


@pytest.mark.parametrize("module", ["checking.certificate", "laws.worlds"])
def test_whoever_makes_a_tape_has_the_operations(module: str):
    text = f"import sys, boundcheck.{module}; print('boundcheck.operations.functions' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert said == "True\n"


@each
def test_the_float_lies_within_its_radius_of_the_verifiers_ball(name: str, k: int):
    fields, _ = case = cases(name)[k]
    for seed in range(3):
        tape = Tape()
        found = OPERATIONS[name](*(trace_input(tape, "x", x) for x in drawn(case, seed=seed)), **fields)
        radius = radii(tape)[found.node]
        assert radius is not None
        with ctx.workprec(212):
            exact = run(tape.nodes, groups([])).arrays[found.node]
            assert exact.shape == found.shape
            errors = [
                float(abs(arb(v) - arb(x)).lower())
                for v, x in zip(found.traced_value.ravel().tolist(), exact.data, strict=True)
            ]
        assert np.all(errors <= radius.ravel())
        assert np.all(radius <= 1e-9 * max(1.0, np.max(np.abs(found.traced_value))))


@each
def test_leading_axes_are_a_loop(name: str, k: int):
    fields, _ = case = cases(name)[k]
    operands = drawn(case, MANY)
    together = OPERATIONS[name].over(fields, *operands, lead=1)
    alone = [OPERATIONS[name].value(fields, *(x[i] for x in operands)) for i in range(MANY)]
    np.testing.assert_allclose(together, np.stack(alone), rtol=1e-12, atol=1e-14)
    same = OPERATIONS[name].over(fields, operands[0], *(x[:1] for x in operands[1:]), lead=1)
    alone = [
        OPERATIONS[name].value(fields, operands[0][i], *(x[0] for x in operands[1:])) for i in range(MANY)
    ]
    np.testing.assert_allclose(same, np.stack(alone), rtol=1e-12, atol=1e-14)


def symmetric(operation: Operation) -> bool:
    """Whether an operation reads one triangle of its matrix."""
    return operation.name in ("cholesky", "eigvalsh", "eigenvectors") or operation.name.startswith("psd_")


@each
def test_the_derivative_is_the_difference_quotient(name: str, k: int):
    operation, (fields, _) = OPERATIONS[name], cases(name)[k]
    if operation.pullback is None:
        return
    operands, directions = drawn(cases(name)[k], MANY), drawn(cases(name)[k], MANY, seed=1)
    directions = [(d + np.swapaxes(d, -1, -2)) / 2 if symmetric(operation) else d for d in directions]
    if name == "take":
        directions[1] *= 0
    value, h = operation.over(fields, *operands, lead=1), 1e-6
    ends = [
        operation.over(fields, *(x + s * d for x, d in zip(operands, directions, strict=True)), lead=1)
        for s in (h, -h)
    ]
    weights = np.random.default_rng(2).standard_normal(value.shape)
    found = operation.pulled(fields, weights, value, *operands, lead=1)
    assert all(g is None or g.shape == x.shape for g, x in zip(found, operands, strict=True))
    along = sum(np.sum(g * d) for g, d in zip(found, directions, strict=True) if g is not None)
    assert along == pytest.approx(np.sum(weights * (ends[0] - ends[1]) / (2 * h)), rel=1e-5, abs=1e-6)


@each
def test_the_derivative_of_many_is_that_of_each(name: str, k: int):
    operation, (fields, _) = OPERATIONS[name], cases(name)[k]
    operands = drawn(cases(name)[k], MANY)
    value = operation.over(fields, *operands, lead=1)
    weights = np.random.default_rng(2).standard_normal(value.shape)
    together = operation.pulled(fields, weights, value, *operands, lead=1)
    for i in range(MANY):
        alone = operation.pulled(fields, weights[i], value[i], *(x[i] for x in operands))
        for g, h in zip(together, alone, strict=True):
            assert (g is None) == (h is None)
            if g is not None and h is not None:
                np.testing.assert_allclose(g[i], h, rtol=1e-9, atol=1e-12)


def kind(name: str) -> str:
    """Of operations that have a meaning for each trial."""
    found = verifier.OPERATIONS[name].kind if name in verifier.OPERATIONS else ""
    return found if found in RULES else ""


INSIDE = [
    p
    for p in ALL
    if kind(str(p.values[0])) and p.values[0] not in ("gather", "take", "matmul")
]


@pytest.mark.parametrize(("name", "k"), INSIDE)
@pytest.mark.parametrize("fixed", [False, True])
def test_inside_trials_is_one_by_one_and_follows_the_verifiers_rule(name: str, k: int, fixed: bool):
    """Floats and traced numbers; with `fixed` all but the first operand are the same in all trials."""
    fields, _ = case = cases(name)[k]
    operands = drawn(case, MANY)
    alone = np.stack(
        [
            OPERATIONS[name].value(fields, *(x[0 if fixed and j else i] for j, x in enumerate(operands)))
            for i in range(MANY)
        ]
    )
    plain = OPERATIONS[name](*(x[0] if fixed and j else Trials(x) for j, x in enumerate(operands)), **fields)
    np.testing.assert_allclose(plain.held, alone, rtol=1e-12, atol=1e-14)
    tape = Tape()
    traced = [trace_input(tape, "x", x[0] if fixed and j else x) for j, x in enumerate(operands)]
    found = OPERATIONS[name](*(x if fixed and j else Trials(x) for j, x in enumerate(traced)), **fields).held
    np.testing.assert_allclose(found.traced_value, alone, rtol=1e-12, atol=1e-14)
    arrays, node = run(tape.nodes, groups([])).arrays, tape.nodes[found.node]
    varies = {x.node for j, x in enumerate(traced) if not (fixed and j)}
    given = [Operand(arrays[j], j in varies or tape.nodes[j]["op"] == "gather") for j in node["args"]]
    follow(verifier.OPERATIONS[name].kind, node, given, arrays[found.node], MANY)


@each
def test_scalar_code_is_what_balls_are(name: str, k: int):
    """Two arithmetics of the verifier: the instructions for each entry, run at the operands, make the entries of the array."""
    fields, _ = case = cases(name)[k]
    tape = Tape()
    operands: list[Any] = [trace_input(tape, f"x{j}", x) for j, x in enumerate(drawn(case))]
    if name == "take":
        operands[1] = np.array([0, 3, 1])  # rows are by numbers that are known
    found = OPERATIONS[name](*operands, **fields)
    root, arrays = found.node, run(tape.nodes, groups([])).arrays
    names = entries(tape.nodes)
    code = Code(names)
    try:
        made = evaluate(tape.nodes, [], [root], code).arrays[root]
    except Unproved:
        assert OPERATIONS[name].axes or name in ("sort", "take"), "scalar code has all functions of entries"
        return
    inputs = [x for node, array in zip(tape.nodes, arrays, strict=True) if node["op"] == "input" for x in array.data]
    values = code.values(made.data, inputs.__getitem__, Balls())
    assert made.shape == arrays[root].shape
    assert all(arb(values[i]).overlaps(arb(x)) for i, x in zip(made.data, arrays[root].data, strict=True))


def same_slices(arrays: list[np.ndarray]) -> Any:
    return lambda j, axis: bool(np.all(arrays[j] == np.take(arrays[j], [0], axis)))


@each
def test_permuted_copies_do_what_the_order_rule_says(name: str, k: int):
    """Along every axis that copies may lie, of the first operand alone and of all of them."""
    fields, _ = case = cases(name)[k]
    operands, moves = drawn(case, MANY), [2, 0, 3, 1]
    node = {"op": name, "args": list(range(len(operands))), **fields}
    node = {**node, **({"axes": [a + 1 for a in fields["axes"]]} if "axes" in fields else {})}
    node = {**node, **({"axis": fields["axis"] + 1} if fields.get("axis", -1) >= 0 else {})}
    if name in ("gather", "take", "matmul", "eigenvectors"):
        return  # their rules look at the index, or at rows and columns: tests/test_exchangeable.py
    for moving in ([0], list(range(len(operands)))):
        depth = max(x.ndim for x in operands)
        wide = [x.reshape(MANY, *(1,) * (depth - x.ndim), *x.shape[1:]) for x in operands]
        fixed = [x if j in moving else np.broadcast_to(x[:1], x.shape) for j, x in enumerate(wide)]
        base = OPERATIONS[name].value(node, *fixed)
        orders = [Order({0: -x.ndim}) if j in moving else FREE for j, x in enumerate(fixed)]
        found = verifier.order(
            orders, Operands(node, [x.shape for x in fixed], base.shape, same_slices(fixed))
        )
        assert not found.broken
        permuted = OPERATIONS[name].value(
            node, *(x[moves] if j in moving else x for j, x in enumerate(fixed))
        )
        expected = np.take(base, moves, axis=found.axes[0]) if found.axes else base
        np.testing.assert_allclose(permuted, expected, rtol=1e-12, atol=1e-14)


def values(tape: Tape, inputs: dict[int, np.ndarray]) -> list[np.ndarray]:
    """A recorded program for many instances at once."""
    found: list[np.ndarray] = []
    for k, node in enumerate(tape.nodes):
        leaf = inputs.get(k, np.asarray(tape.values[k], dtype=float)[None])
        operands = [found[j] for j in node["args"]]
        found.append(leaf if node["op"] in LEAVES else OPERATIONS[node["op"]].over(node, *operands, lead=1))
    return found


def gradient(tape: Tape, found: list[np.ndarray], of: int) -> dict[int, np.ndarray]:
    """Derivatives of the sum of a node in all others, back from it."""
    back: dict[int, Any] = {of: np.ones_like(found[of])}
    for k in range(of, -1, -1):
        node = tape.nodes[k]
        if k in back and node["args"]:
            operands = [found[j] for j in node["args"]]
            sent = OPERATIONS[node["op"]].pulled(node, back[k], found[k], *operands, lead=1)
            for j, g in zip(node["args"], sent, strict=True):
                back[j] = back.get(j, np.zeros_like(found[j])) + (0.0 if g is None else g)
    return back


PROGRAMS: list[Any] = [
    lambda x, A: np.sum(np.exp(-x) * (A @ x)) / np.linalg.norm(x), lambda x, A: np.var(np.linalg.solve(A, x)) + np.max(x),
    lambda x, A: np.linalg.slogdet(A + np.outer(x, x))[1] - np.median(x), lambda x, A: np.prod(np.sort(x)[1:]) * np.trace(np.kron(A, A)),
    lambda x, A: np.sum(special.xlogy(x, x)) + np.einsum("i,ij,j", x, A, x), lambda x, A: np.linalg.eigvalsh(A)[0] ** np.mean(x),
]  # fmt: skip


@pytest.mark.parametrize("body", PROGRAMS)
def test_a_program_is_read_for_many_instances_and_backwards(body: Any):
    rng, tape = np.random.default_rng(0), Tape()
    x, A = uniform(rng, MANY, 3), definite(rng, MANY, 3, 3)
    first, second = trace_input(tape, "x", x[0]), trace_input(tape, "A", A[0])
    root = body(first, second).node
    inputs = {first.node: x, second.node: A}
    found = values(tape, inputs)
    alone = [body(x[k], A[k]) for k in range(MANY)]
    np.testing.assert_allclose(found[root].ravel(), alone, rtol=1e-9)
    back, h = gradient(tape, found, root), 1e-6
    for k, moving in inputs.items():
        d = rng.standard_normal(moving.shape)
        d = d + np.swapaxes(d, -1, -2) if d.ndim == 3 else d
        ends = [values(tape, {**inputs, k: moving + s * d})[root].sum() for s in (h, -h)]
        assert np.sum(back[k] * d) == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5, abs=1e-7)


ONE = {
    np.power,
    np.maximum,
    np.minimum,
    np.add,
    np.subtract,
    np.multiply,
    np.divide,
    np.where,
    np.hypot,
}
"""Rules that want more than one operand."""


@pytest.mark.parametrize(
    "function", [f for f in RANGES if f not in ONE and not isinstance(f, Operation)], ids=lambda f: f.__name__
)
@pytest.mark.parametrize(("low", "high"), [(-2.0, 3.0), (0.25, 0.75), (0.0, 5.0), (-0.75, -0.5)])
def test_values_lie_in_the_range_that_is_known(function: Any, low: float, high: float):
    rng = np.random.default_rng(0)
    least, largest = range_of(function, [(low, high)], (None,))
    for x in (rng.uniform(low, high, (50, 3, 3)), np.full((1, 3, 3), low), np.full((1, 3, 3), high)):
        with np.errstate(all="ignore"):
            found = np.stack([function(A) for A in x]) if function is not np.clip else np.clip(x, None, None)
        found = found[np.isfinite(found)]
        assert least is None or np.all(found >= least - 1e-12)
        assert largest is None or np.all(found <= largest + 1e-12)
