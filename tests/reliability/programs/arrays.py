"""Facts about entries: masks, orders, places, running sums, axes, tables at drawn places, and maps of all trials."""

from __future__ import annotations

from .facts import Fact, random_array, real, vector, vectors
from .pen import Pen
from .samplers import quantity

# of arrays that are not random, where entries may be chosen


def masks(pen: Pen) -> Fact:
    x, _ = vector(pen)
    c = pen.one([f"np.mean({x})", f"np.median({x})", "0", "0.3", f"{x}[0]"])
    above = pen.local(f"{x} > {c}", "m")
    return pen.one(
        [
            Fact(f"np.sum({x}[{above}]) + np.sum({x}[~{above}])", "==", pen.sum(x)),
            Fact(f"np.sum({x} * {above})", "==", f"np.sum(np.where({above}, {x}, 0))"),
            Fact(f"np.count_nonzero({above}) + np.sum(~{above})", "==", f"len({x})"),
            Fact(f"sum(t for t in {x} if t > {c})", "==", f"np.sum({x}[{above}])"),
            Fact(f"np.sum(np.maximum({x}, {c}))", "==", f"np.sum({x}[{above}]) + {c} * np.sum({x} <= {c})"),
            Fact(f"len(np.flatnonzero({above}))", "<=", f"len({x})"),
        ]
    )


def orders(pen: Pen) -> Fact:
    x, n = vector(pen)
    s = pen.local(pen.one([f"np.sort({x})", f"np.array(sorted({x}))", f"{x}[np.argsort({x})]"]), "s")
    t = pen.one([f"{x}[0]", f"np.mean({x})", "0.1", "0.3"])
    return pen.one(
        [
            Fact(pen.sum(s), "==", pen.sum(x)),
            Fact(f"{s}[:-1]", "<=", f"{s}[1:]", False),
            Fact(f"np.searchsorted({s}, {t})", "==", f"np.sum({x} < {t})"),
            Fact(f"np.searchsorted({s}, {t}, side='right')", "==", f"sum(1 for v in {x} if v <= {t})"),
            Fact(f"{x}[np.argmax({x})]", "==", f"{s}[-1]"),
            Fact(f"np.sum({s} * {s}[::-1])", "<=", pen.dot(x, x)),
            Fact(f"{n} * np.median({x})", "<=", f"{n} * {s}[-1]"),
            Fact(f"len(np.unique(np.concatenate([{x}, {x}])))", "==", f"len(np.unique({x}))"),
            Fact(f"np.argmax(np.append({x}, np.max({x})))", "==", f"np.argmax({x})"),
        ]
    )


def running(pen: Pen) -> Fact:
    x, n = vector(pen)
    sums = pen.local(pen.one([f"np.cumsum({x})", f"np.array([*accumulate({x})])"]), "s")
    return pen.one(
        [
            Fact(f"np.diff({sums})", "==", f"{x}[1:]", False),
            Fact(f"{sums}[-1]", "==", pen.sum(x)),
            Fact(f"np.sum({sums})", "==", f"sum(({n} - k) * t for k, t in enumerate({x}))"),
            Fact(f"np.cumprod(exp(np.tanh({x})))[-1]", "==", f"exp(np.sum(np.tanh({x})))"),
            Fact(f"np.maximum.accumulate({x})", "<=", f"np.max({x})", False),
            Fact(f"reduce(lambda m, t: max(m, t), {x})", "==", pen.greatest(x)),
        ]
    )


def places(pen: Pen) -> Fact:
    """Entries that are moved, written into, unpacked and put together again."""
    x, y, _ = vectors(pen)
    z = pen.new("z")
    pen.lines += [f"{z} = {x}.copy()", pen.one([f"{z}[0] += 0.1", f"{z} -= 0.1", f"{z}[::2] *= 3", f"{z}[1:] = 0.3"])]
    first, rest = pen.new("first"), pen.new("rest")
    pen.lines.append(f"{first}, *{rest} = {x}")
    return pen.one(
        [
            Fact(f"np.roll({x}, 2).sum()", "==", pen.sum(x)),
            Fact(f"np.sum(np.hstack([{x}, {y}]))", "==", f"{pen.sum(x)} + {pen.sum(y)}"),
            Fact(f"np.stack([{x}, {y}]).T[0] @ np.ones(2)", "==", f"{x}[0] + {y}[0]"),
            Fact(f"{first} + sum({rest})", "==", pen.sum(x)),
            Fact(f"np.sum({z} - {x}) + np.sum({x})", "==", f"np.sum({z})"),
            Fact(f"dict(enumerate({x}))[0] + {x}[-1]", "==", f"{x}[0] + list({x})[-1]"),
            Fact(f"(last := {x}[-1]) * last", "==", f"{x}[-1] ** 2"),
            Fact(f"np.take({x}, [0, -1]).sum()", "==", f"{x}[0] + {x}[-1]"),
            Fact(f"sum(a * b for a, b in zip({x}, reversed({y})))", "==", f"np.sum({x} * {y}[::-1])"),
        ]
    )


def products(pen: Pen) -> Fact:
    x, y, n = vectors(pen)
    table = pen.local(pen.one([f"np.outer({x}, {y})", f"{x}[:, None] * {y}", f"np.einsum('i,j->ij', {x}, {y})"]), "T")
    return pen.one(
        [
            Fact(f"np.sum({table})", "==", f"({pen.sum(x)}) * ({pen.sum(y)})"),
            Fact(f"np.einsum('ii', {table})", "==", pen.dot(x, y)),
            Fact(f"{table}.sum(axis=0)", "==", f"({pen.sum(x)}) * {y}", False),
            Fact(f"np.tril({table}) + np.triu({table}, 1)", "==", table, False),
            Fact(f"np.linalg.matrix_rank({table})", "<=", "1"),
            Fact(f"np.einsum('...j,j->...', {table}, {y})", "==", f"{x} * ({pen.dot(y, y)})", False),
            Fact(f"np.sum(np.kron({x}, {y}))", "==", f"({pen.sum(x)}) * ({pen.sum(y)})"),
            Fact(f"np.max({table}.ravel())", "==", f"np.max({table})"),
            Fact(f"np.sum({x}[np.triu_indices({n}, 1)[0]])", "==", f"sum(({n} - 1 - k) * t for k, t in enumerate({x}))"),
        ]
    )


# of arrays of every kind, where axes are counted


def axes(pen: Pen) -> Fact:
    """Sums over axes of a table; random ones have as many rows as there may be trials."""
    a, rows, columns = table(pen)
    first, last = (1, 2) if pen.random else (0, 1)
    return pen.one(
        [
            Fact(f"np.sum(np.sum({a}, axis={first}))", "==", f"np.sum({a})"),
            Fact(f"np.sum(np.sum({a}, axis=-1))", "==", f"np.sum(np.sum({a}, axis=-2))"),
            Fact(f"np.sum(np.mean({a}, axis={last})) * {columns}", "==", f"np.sum({a})"),
            Fact(f"np.max(np.max({a}, axis=-1))", "==", f"np.max({a})"),
            Fact(f"np.sum({a}[0]) + np.sum({a}[1:])", "==", f"np.sum({a})"),
            Fact(f"np.sum({a}[:, 0]) + np.sum({a}[:, 1:])", "==", f"np.sum({a})"),
            Fact(f"np.sum({a} - np.mean({a}, axis=-1, keepdims=True))", "==", "0"),
            Fact(f"np.sum({a}[..., None] * np.ones(2))", "==", f"2 * np.sum({a})"),
            Fact(f"np.max(np.min({a}, axis={last}))", "<=", f"np.min(np.max({a}, axis={first}))"),
            Fact(f"np.sum({a}, axis={last}) ** 2", "<=", f"{columns} * np.sum({a}**2, axis={last})", False),
            Fact(f"np.ones({rows}) @ {a} @ np.ones({columns})", "==", f"np.sum({a})"),
        ]
    )


def table(pen: Pen) -> tuple[str, str, str]:
    """A matrix and its sizes."""
    if not pen.random:
        a = pen.parameter("A", pen.one(['Matrix("m", "n")', 'Box("m", "n", -1, 1)', "Matrix(3, 2)"]))
        return a, f"{a}.shape[0]", f"{a}.shape[1]"
    m, n = (pen.number(2, 3), 2) if pen.finite else (pen.one([2, 3, 7]), pen.number(2, 4))
    return random_array(pen, f"{m}, {n}"), str(m), str(n)


def indicators(pen: Pen) -> Fact:
    """Truth values as numbers, one for each entry."""
    x, n = vector(pen)
    c = pen.one(["0", "0.3", "1", "0.1"])
    return pen.one(
        [
            Fact(f"np.sum({x} > {c}) + np.sum({x} <= {c})", "==", n),
            Fact(f"np.sum({x} * ({x} > {c})) + np.sum({x} * ({x} <= {c}))", "==", f"np.sum({x})"),
            Fact(f"np.sum(np.where({x} >= 0, {x}, -{x}))", "==", f"np.sum(np.abs({x}))"),
            Fact(f"np.sum(np.clip({x}, -{c}, {c}))", "<=", f"{n} * {c}"),
            Fact(f"np.sum({x} == {x})", "==", n),
            Fact(f"np.sum(np.sign({x}) * {x})", "==", f"np.sum(np.abs({x}))"),
            Fact(f"np.sum(np.floor({x})) + np.sum({x} - np.floor({x}))", "==", f"np.sum({x})"),
            Fact(f"np.sum(np.sort({x}))", "==", f"np.sum({x})"),
            Fact(f"np.cumsum({x})[{n} - 1]", "==", f"np.sum({x})"),
        ]
    )


def mapped(pen: Pen) -> Fact:
    """Functions of the array of all trials, and tables at drawn places; of numbers where nothing is random."""
    if not pen.random:
        a = real(pen, 1)
        return Fact(pen.call(("a", "b"), "(a + b) * (a - b)", (a, "0.1")), "==", f"{pen.square(a)} - 0.01")
    x, n = vector(pen)
    if not pen.finite:
        return Fact(f"{x}.map(lambda t: t.sum(axis=-1))", "==", f"np.sum({x})")
    place, law = pen.new("J"), pen.one(["rng.integers(0, 3, size)", "rng.choice(3, size, p=[0.2, 0.3, 0.5])"])
    pen.lines.append(f"{place} = quantity(lambda rng, size: {law})")
    pen.drawn.setdefault("places", []).append(place)
    listed = pen.new("table")
    pen.lines.append(f"{listed} = np.array([0.1, 0.3, -2])")
    return pen.one(
        [
            Fact(f"{x}.map(lambda t: t.sum(axis=1))", "==", f"np.sum({x})"),
            Fact(f"{x}.map(lambda t: (t**2)[:, 0])", "==", f"{x}[0] * {x}[0]"),
            Fact(f"np.sum({x}.map(lambda t: t - t.mean(axis=-1, keepdims=True)))", "==", "0"),
            Fact(f"{place}.map(lambda j: {listed}[j])", "<=", "0.3"),
            Fact(f"{place}.map(lambda j: {listed}[j])", "==", f"0.1 + {place} * 0.2 - 2.5 * ({place} == 2)"),
            Fact(f"np.sum({x}.map(lambda t: t[:, ::-1]) * np.arange(1, {n} + 1))", "==", f"np.sum({x} * np.arange({n}, 0, -1))"),
            Fact(quantity(pen, "size") + f" * indicator({place} >= 0)", "==", pen.drawn["size"][-1]),
        ]
    )


ARRAYS = (masks, orders, running, places, products)
AXES = (axes, indicators, mapped)
