"""Facts about laws of finitely many values: means, variances, products, and tail bounds that are attained."""

from __future__ import annotations

from dataclasses import dataclass

from .facts import Fact
from .pen import Pen


@dataclass(frozen=True)
class Law:
    """A sampler of a number in each trial, and its exact mean, variance and ends."""

    sampler: str
    mean: str
    variance: str
    low: str
    high: str


def law(pen: Pen) -> Law:
    """One of the laws of NumPy, in one of the ways to draw from it."""
    return pen.one([binomial, whole, chosen, weighted, urn, two_points, summed])(pen)


def _chance(pen: Pen) -> str:
    return pen.one([pen.parameter("p", "Unit"), "0.3", "(1 / 3)", "0.5", "0.9"])


def binomial(pen: Pen) -> Law:
    n, p = pen.one(["1", "2", "3", "5"]), _chance(pen)
    ways = [
        f"rng.binomial({n}, {p}, size)",
        f"rng.binomial({n}, {p}, size=size)",
        f"rng.binomial(1, {p}, (size, {n})).sum(axis=1)",
        f"(rng.random((size, {n})) < {p}).sum(axis=1)",
        f"np.sum(rng.random((size, {n})) < {p}, axis=1)",
    ]
    return Law(pen.one(ways), f"{n} * {p}", f"{n} * {p} * (1 - {p})", "0", n)


def whole(pen: Pen) -> Law:
    a, k = pen.number(-2, 3), pen.number(2, 6)
    ways = [
        f"rng.integers({a}, {a + k}, size)",
        f"rng.integers({a}, {a + k - 1}, size, endpoint=True)",
        f"{a} + rng.integers({k}, size=size)",
        f"rng.choice(np.arange({a}, {a + k}), size)",
        f"np.arange({a}, {a + k})[rng.integers(0, {k}, size)]",
    ]
    return Law(pen.one(ways), f"({2 * a + k - 1}) / 2", f"({k}**2 - 1) / 12", f"({a})", f"({a + k - 1})")


def chosen(pen: Pen) -> Law:
    v = [pen.one(["-0.1", "0.7", "3", "0.2", "1e6", "-2.5"]) for _ in range(pen.number(2, 3))]
    n, listed = len(v), ", ".join(v)
    mean, second = f"sum([{listed}]) / {n}", f"sum(t**2 for t in [{listed}]) / {n}"
    sampler = pen.one(
        [
            f"rng.choice([{listed}], size)",
            f"rng.choice(np.array([{listed}]), size, p=[1 / {n}] * {n})",
            f"np.array([{listed}])[rng.integers(0, {n}, size)]",
        ]
    )
    return Law(sampler, f"({mean})", f"({second} - ({mean}) ** 2)", f"min({listed})", f"max({listed})")


def weighted(pen: Pen) -> Law:
    return Law("rng.choice(3, size, p=[0.2, 0.3, 0.5])", "1.3", "0.61", "0", "2")


def urn(pen: Pen) -> Law:
    good, bad, drawn = pen.one([(3, 4, 2), (2, 5, 3), (4, 4, 4), (1, 6, 2)])
    n = good + bad
    mean = f"{drawn} * {good} / {n}"
    variance = f"{drawn} * {good} * {bad} * {n - drawn} / ({n}**2 * {n - 1})"
    return Law(f"rng.hypergeometric({good}, {bad}, {drawn}, size)", mean, variance, f"{max(0, drawn - bad)}", f"{min(good, drawn)}")


def two_points(pen: Pen) -> Law:
    p, a, b = _chance(pen), pen.one(["0.1", "-1", "0"]), pen.one(["2", "0.3", "1e3"])
    sampler = pen.one([f"np.where(rng.random(size) < {p}, {b}, {a})", f"{a} + ({b} - {a}) * rng.binomial(1, {p}, size)"])
    return Law(sampler, f"({a} + {p} * ({b} - ({a})))", f"{p} * (1 - {p}) * ({b} - ({a})) ** 2", f"({a})", b)


def summed(pen: Pen) -> Law:
    n, k = pen.number(2, 3), pen.number(2, 4)
    ways = [
        f"rng.integers(0, {k}, (size, {n})).sum(axis=1)",
        f"rng.integers(0, {k}, ({n}, size)).sum(axis=0)",
        f"rng.integers(0, {k}, (size, {n})) @ np.ones({n})",
        " + ".join([f"rng.integers(0, {k}, size)"] * n),
    ]
    return Law(pen.one(ways), f"{n} * ({k} - 1) / 2", f"{n} * ({k}**2 - 1) / 12", "0", f"{n * (k - 1)}")


def variable(pen: Pen) -> tuple[str, Law]:
    """A quantity with such a law."""
    name, made = pen.new("X"), law(pen)
    if pen.odds(3):
        sampler = pen.new("sampler")
        pen.lines += [f"def {sampler}(rng, size):", f"    draws = {made.sampler}", "    return draws", f"{name} = quantity({sampler})"]
    else:
        pen.lines.append(f"{name} = quantity(lambda rng, size: {made.sampler})")
    return name, made


def moments(pen: Pen) -> Fact:
    """E and Var, of one variable or two independent ones."""
    x, a = variable(pen)
    y, b = variable(pen)
    c = pen.literal()
    return pen.one(
        [
            Fact(f"E({x})", "==", a.mean),
            Fact(f"E(({x} - {a.mean}) ** 2)", "==", a.variance),
            Fact(f"E({x}**2) - E({x}) ** 2", "==", a.variance),
            Fact(f"E({c} * {x} + {c})", "==", f"{c} * ({a.mean}) + {c}"),
            Fact(f"E({x} * {y})", "==", f"({a.mean}) * ({b.mean})"),
            Fact(f"E({x} - {x})", "==", "0"),
            Fact(f"E({x} + {y})", "==", f"{a.mean} + {b.mean}"),
            Fact(f"E(({x} - {y}) ** 2)", "==", f"{a.variance} + {b.variance} + ({a.mean} - ({b.mean})) ** 2"),
            Fact(f"E(np.maximum({x}, {y})) + E(np.minimum({x}, {y}))", "==", f"E({x}) + E({y})"),
            Fact(f"E({x}) ** 2", "<=", f"E({x}**2)"),
            Fact(f"maximum(E({x}), E({y}))", "<=", f"E(maximum({x}, {y}))"),
            Fact(f"abs(E({x}))", "<=", f"E(abs({x}))"),
            Fact(f"E({x})", "<=", a.high),
            Fact(a.low, "<=", f"E({x})"),
            Fact(f"E({x} * {y}) ** 2", "<=", f"E({x}**2) * E({y}**2)"),
            Fact(f"E({x}**2)", "==", f"{a.variance} + ({a.mean}) ** 2"),
            Fact(f"exp(E(np.tanh({x})))", "<=", f"E(exp(np.tanh({x})))"),
        ]
    )


def chances(pen: Pen) -> tuple[str, str, str]:
    """P of an event, a relation and a bound, most of them attained; the bound is never 0 from above or 1 from below in twins."""
    p, n = pen.parameter("p", "Unit"), pen.number(1, 5)
    x, k = pen.new("X"), pen.number(0, n)
    pen.lines.append(
        f"{x} = quantity(lambda rng, size: {pen.one([f'rng.binomial({n}, {p}, size)', f'(rng.random((size, {n})) < {p}).sum(axis=1)'])})"
    )
    below = f"sum(math.comb({n}, j) * {p}**j * (1 - {p}) ** ({n} - j) for j in range({k} + 1))"
    c, d = pen.new("Y"), pen.new("Z")
    pen.lines.append(
        f"{c} = quantity(lambda rng, size: {pen.one(['10 * rng.binomial(1, 0.1, size)', 'rng.choice([0, 10], size, p=[0.9, 0.1])'])})"
    )
    pen.lines.append(f"{d} = quantity(lambda rng, size: rng.choice([-0.1, 0.0, 0.1], size, p=[0.05, 0.9, 0.05]))")
    return pen.one(
        [
            (f"P({x} <= {k})", ">=", below),
            (f"P({x} <= {k})", "<=", below),
            (f"P({x} > {k})", "<=", f"1 - {below}"),
            (f"P({x} / {n} <= {k} / {n})", ">=", below),
            (f"P({x} * 0.1 <= 0.1 * {k})", ">=", below),
            (f"P(~({x} > {k}))", ">=", below),
            (f"P({x} >= {n})", "<=", f"{p}**{n}"),
            (f"P({x} == 0)", ">=", f"(1 - {p}) ** {n}"),
            (f"P({c} >= 10)", "<=", "0.1"),
            (f"P({c} >= 10)", ">=", "0.1"),
            (f"P(abs({d}) >= 0.1)", "<=", "0.1"),
            (f"P({d}**2 >= 0.01)", ">=", "0.1"),
            (f"P(({x} <= {k}) | ({x} > {k}))", ">=", "1"),
            (f"P({x} - {n} * {p} >= {n} * 0.3)", "<=", f"exp(-2 * {n} * 0.3**2)"),
            (f"P({x} >= {k + 1})", "<=", f"{n} * {p} / {k + 1}"),
        ]
    )
