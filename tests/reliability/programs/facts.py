"""Facts that hold for all values of their terms, each written in two different ways: the atoms of which programs are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .pen import SHIFTS, Pen
from .samplers import quantity


@dataclass(frozen=True)
class Fact:
    """left == right, left <= right or, of matrices, left below right in the Loewner order; true wherever the program ends.

    `scalar` is whether the sides are numbers, which can be composed and compared further.
    """

    left: str
    relation: str
    right: str
    scalar: bool = True

    @property
    def wrong(self) -> Fact:
        """A statement that is false at every instance: right + 1 is above right, which is at least left."""
        one = f"({self.right}) + np.eye(len({self.right}))" if self.relation == "loewner" else f"({self.right}) + 1"
        return Fact(self.left, "==", one, False) if self.relation == "==" else Fact(one, self.relation, self.left, self.scalar)


# terms


def real(pen: Pen, depth: int = 2) -> str:
    """A number, or a random one."""
    ways = [_atom, _atom] if depth == 0 else [_atom, _sum, _product, _bounded, _reduced]
    return pen.one(ways)(pen, depth)


def _atom(pen: Pen, _: int) -> str:
    if pen.random and not pen.odds(4):
        return random_number(pen)
    if pen.odds(4):
        return pen.literal()
    domain = pen.one(["Real", "Positive", "Unit", "between(-3, 3)", "between(1e6, 1e6 + 1)", "integers(-5, 9)", "NonNegative"])
    return pen.parameter(domain[0].lower(), domain)


def _sum(pen: Pen, depth: int) -> str:
    return pen.local(pen.add([real(pen, depth - 1), real(pen, depth - 1)]))


def _product(pen: Pen, depth: int) -> str:
    return pen.local(f"{real(pen, depth - 1)} * {real(pen, depth - 1)}")


def _bounded(pen: Pen, depth: int) -> str:
    return bounded(pen, depth - 1)


def _reduced(pen: Pen, _: int) -> str:
    x, n = vector(pen)
    return pen.local(pen.one([pen.sum(x), pen.greatest(x), pen.mean(x, n)]))


def bounded(pen: Pen, depth: int = 1) -> str:
    """A number in [-1, 1]."""
    a = real(pen, depth)
    return pen.local(pen.one([f"sin({a})", f"np.tanh({a})", f"np.cos({a})", f"{a} / (1 + abs({a}))"]))


def positive(pen: Pen, depth: int = 1) -> str:
    """A number above 0, by more than 1e-5."""
    if not pen.random and pen.odds(3):
        return pen.parameter("p", pen.one(["between(0.1, 10)", "between(1e-4, 1e4)"]))
    a = real(pen, depth)
    square = pen.square(a)
    return pen.local(
        pen.one([f"{square} + 1", f"abs({a}) + 0.5", f"exp({bounded(pen, depth)})", f"1e-3 + {square}", f"np.maximum({a}, 0.1)"])
    )


def vector(pen: Pen) -> tuple[str, str]:
    """A vector and its length."""
    if pen.random:
        n = pen.number(2, 4)
        return random_array(pen, f"{n}"), str(n)
    x = pen.parameter("v", pen.one(['Vector("n")', "Vector(3)", 'Vector("n")']))
    return x, f"len({x})"


def vectors(pen: Pen) -> tuple[str, str, str]:
    """Two vectors of one length, parallel or equal at times, for the cases of equality."""
    x, n = vector(pen)
    if pen.odds(3):
        return x, pen.local(f"{pen.one(['2', '-0.3', '1', '0.1'])} * {x}", "w"), n
    if pen.random:
        return x, random_array(pen, n), n
    y = pen.new("w")
    pen.parameters[y] = pen.parameters[x]
    return x, y, n


def random_number(pen: Pen) -> str:
    """A quantity with one number in each trial."""
    return quantity(pen, "size")


def random_array(pen: Pen, shape: str) -> str:
    return quantity(pen, f"(size, {shape})")


# numbers: identities


def binomial_square(pen: Pen) -> Fact:
    a, b = real(pen), real(pen)
    left = pen.call(("a", "b"), pen.one(["(a + b) ** 2", "(a + b) * (a + b)", "np.square(a + b)"]), (a, b))
    return Fact(left, "==", pen.add([pen.square(a), pen.square(b), f"2 * {a} * {b}"]))


def difference_of_squares(pen: Pen) -> Fact:
    a, b = real(pen), real(pen)
    return Fact(f"({a} - {b}) * ({a} + {b})", "==", f"{pen.square(a)} - {pen.square(b)}")


def cubes(pen: Pen) -> Fact:
    a, b = real(pen, 1), real(pen, 1)
    return Fact(f"{a}**3 - {b}**3", "==", f"({a} - {b}) * ({pen.add([f'{a} * {a}', f'{a} * {b}', f'{b} ** 2'])})")


def distributive(pen: Pen) -> Fact:
    a, b, c = real(pen, 1), real(pen), real(pen, 1)
    return Fact(f"{a} * ({pen.add([b, c])})", "==", pen.add([f"{a} * {b}", f"{a} * {c}"]))


def associative(pen: Pen) -> Fact:
    terms = [real(pen, 1) for _ in range(pen.number(3, 5))]
    return Fact(pen.add(terms), "==", pen.add(terms))


def there_and_back(pen: Pen) -> Fact:
    a, b = real(pen), pen.one([pen.one(SHIFTS), real(pen)])
    return Fact(f"({a} + {b}) - {b}", "==", a)


def divided(pen: Pen) -> Fact:
    a, p = real(pen), positive(pen)
    return Fact(pen.one([f"{a} / {p} * {p}", f"{a} * {p} / {p}", f"{a} / (1 / {p}) / {p}"]), "==", a)


def partial_fractions(pen: Pen) -> Fact:
    p = positive(pen)
    return Fact(f"1 / ({p} * ({p} + 1))", "==", f"1 / {p} - 1 / ({p} + 1)")


def lattice(pen: Pen) -> Fact:
    a, b = real(pen, 1), real(pen, 1)
    total, gap = (f"{a} + {b}", pen.modulus(f"{a} - {b}"))
    larger, smaller = pen.larger(a, b), pen.smaller(a, b)
    return pen.one(
        [
            Fact(f"({larger}) + ({smaller})", "==", total),
            Fact(f"({larger}) - ({smaller})", "==", gap),
            Fact(f"({larger}) * ({smaller})", "==", f"{a} * {b}"),
        ]
    )


def root_of_a_square(pen: Pen) -> Fact:
    a, p = real(pen), positive(pen)
    return pen.one(
        [Fact(pen.root(f"{a}**2"), "==", f"abs({a})"), Fact(f"({pen.root(p)}) ** 2", "==", p), Fact(f"np.sign({a}) * abs({a})", "==", a)]
    )


def logarithms(pen: Pen) -> Fact:
    p, q, t = positive(pen), positive(pen), bounded(pen)
    return pen.one(
        [
            Fact(pen.exp(pen.log(p)), "==", p),
            Fact(pen.log(pen.exp(t)), "==", t),
            Fact(pen.log(f"{p} * {q}"), "==", f"{pen.log(p)} + {pen.log(q)}"),
            Fact(pen.log(f"{p}**3"), "==", f"3 * {pen.log(p)}"),
            Fact(f"np.log1p(np.expm1({t}))", "==", t),
            Fact(f"np.log1p({p})", "==", pen.log(f"1 + {p}")),
            Fact(f"{pen.exp(t)} * {pen.exp(f'-{t}')}", "==", "1"),
        ]
    )


def angles(pen: Pen) -> Fact:
    a, b, t = real(pen, 1), real(pen, 1), bounded(pen)
    return pen.one(
        [
            Fact(f"sin({a}) ** 2 + np.cos({a}) ** 2", "==", "1"),
            Fact(f"sin({a} + {b})", "==", f"np.sin({a}) * np.cos({b}) + np.cos({a}) * np.sin({b})"),
            Fact(f"np.cos(2 * {a})", "==", f"1 - 2 * sin({a}) ** 2"),
            Fact(f"np.cosh({t}) ** 2 - np.sinh({t}) ** 2", "==", "1"),
            Fact(f"np.tanh({t})", "==", f"1 - 2 / (exp(2 * {t}) + 1)"),
        ]
    )


def two_squares(pen: Pen) -> Fact:
    a, b, c, d = (real(pen, 1) for _ in range(4))
    left = pen.call(("a", "b", "c", "d"), "(a**2 + b**2) * (c**2 + d**2)", (a, b, c, d))
    return Fact(left, "==", f"({a} * {c} - {b} * {d}) ** 2 + ({a} * {d} + {b} * {c}) ** 2")


def geometric(pen: Pen) -> Fact:
    q, n = bounded(pen), pen.number(2, 9)
    powers = pen.one([f"sum({q}**k for k in range({n}))", pen.add([f"{q}**{k}" for k in range(n)])])
    return Fact(f"({powers}) * (1 - {q})", "==", f"1 - {q}**{n}")


def horner(pen: Pen) -> Fact:
    q, c = bounded(pen), [real(pen, 0) for _ in range(4)]
    return Fact(f"(({c[3]} * {q} + {c[2]}) * {q} + {c[1]}) * {q} + {c[0]}", "==", pen.add([f"{a} * {q}**{k}" for k, a in enumerate(c)]))


# numbers: inequalities


def pair(pen: Pen, term: Callable[[Pen], str]) -> tuple[str, str]:
    """Two terms, now and then the same, where many inequalities are attained."""
    a = term(pen)
    return (a, a) if pen.odds(3) else (a, term(pen))


def means(pen: Pen) -> Fact:
    a, b = pair(pen, real)
    p, q = pair(pen, positive)
    return pen.one(
        [
            Fact(f"{a} * {b}", "<=", f"({pen.square(a)} + {pen.square(b)}) / 2"),
            Fact(pen.root(f"{p} * {q}"), "<=", f"({p} + {q}) / 2"),
            Fact(f"2 / (1 / {p} + 1 / {q})", "<=", pen.root(f"{p} * {q}")),
            Fact(f"4 * {p} * {q}", "<=", f"({p} + {q}) ** 2"),
            Fact(f"({a} + {b}) ** 2", "<=", f"2 * {a}**2 + 2 * {b}**2"),
            Fact("2", "<=", f"{p} / {q} + {q} / {p}"),
        ]
    )


def tangents(pen: Pen) -> Fact:
    a, t, p = real(pen), bounded(pen), positive(pen)
    return pen.one(
        [
            Fact(f"1 + {t}", "<=", pen.exp(t)),
            Fact(pen.log(p), "<=", f"{p} - 1"),
            Fact(f"{p} - 1", "<=", f"{p} * {pen.log(p)}"),
            Fact(f"np.log1p({p})", "<=", p),
            Fact(f"abs(sin({a}))", "<=", f"abs({a})"),
            Fact(f"1 - {a}**2 / 2", "<=", f"np.cos({a})"),
            Fact(f"np.abs(np.tanh({a}))", "<=", pen.one(["1", f"abs({a})"])),
            Fact(f"{a} / (1 + {a}**2)", "<=", "1 / 2"),
            Fact("1", "<=", f"np.cosh({t})"),
            Fact(f"np.abs(np.arctan({a}))", "<=", "pi / 2"),
            Fact(f"1 / (1 + {p})", "<=", "1"),
        ]
    )


def triangle(pen: Pen) -> Fact:
    a, b = pair(pen, real)
    return pen.one(
        [
            Fact(pen.modulus(f"{a} + {b}"), "<=", f"{pen.modulus(a)} + {pen.modulus(b)}"),
            Fact(f"abs(abs({a}) - abs({b}))", "<=", pen.modulus(f"{a} - {b}")),
            Fact(a, "<=", pen.larger(a, b)),
            Fact(pen.smaller(a, b), "<=", b),
            Fact(f"abs({a})", "<=", pen.root(f"{a}**2 + {b}**2")),
        ]
    )


def squares(pen: Pen) -> Fact:
    a, b = pair(pen, real)
    square = pen.one([f"({a} - {b}) ** 2", f"{a}**2 - 2 * {a} * {b} + {b}**2", f"{a} * {a} + {b} * {b} - 2 * {a} * {b}"])
    return Fact("0", "<=", square)


def parts(pen: Pen) -> Fact:
    a = real(pen)
    return pen.one(
        [
            Fact(f"np.floor({a})", "<=", a),
            Fact(a, "<=", f"np.floor({a}) + 1"),
            Fact(a, "<=", f"np.ceil({a})"),
            Fact(f"{a} - np.floor({a})", "<=", "1"),
        ]
    )


# vectors


def cauchy_schwarz(pen: Pen) -> Fact:
    x, y, _ = vectors(pen)
    return pen.one(
        [
            Fact(f"({pen.dot(x, y)}) ** 2", "<=", f"({pen.dot(x, x)}) * ({pen.dot(y, y)})"),
            Fact(f"abs({pen.dot(x, y)})", "<=", f"{pen.norm(x)} * {pen.norm(y)}"),
            Fact(pen.norm(f"({x} + {y})"), "<=", f"{pen.norm(x)} + {pen.norm(y)}"),
            Fact("0", "<=", f"({pen.dot(x, x)}) * ({pen.dot(y, y)}) - ({pen.dot(x, y)}) ** 2"),
        ]
    )


def norms(pen: Pen) -> Fact:
    x, n = vector(pen)
    modulus = f"np.abs({x})"
    return pen.one(
        [
            Fact(pen.greatest(modulus), "<=", pen.norm(x)),
            Fact(pen.norm(x), "<=", f"np.sum({modulus})"),
            Fact(f"np.sum({modulus})", "<=", f"sqrt({n}) * {pen.norm(x)}"),
            Fact(pen.mean(x, n), "<=", pen.greatest(x)),
            Fact(f"({pen.mean(x, n)}) ** 2", "<=", pen.mean(f"({x}**2)", n)),
        ]
    )


def parallelogram(pen: Pen) -> Fact:
    x, y, _ = vectors(pen)
    plus, minus = pen.local(f"{x} + {y}", "w"), pen.local(f"{x} - {y}", "w")
    return pen.one(
        [
            Fact(f"{pen.dot(plus, plus)} + {pen.dot(minus, minus)}", "==", f"2 * ({pen.dot(x, x)}) + 2 * ({pen.dot(y, y)})"),
            Fact(f"(({pen.dot(plus, plus)}) - ({pen.dot(minus, minus)})) / 4", "==", pen.dot(x, y)),
            Fact(f"({pen.dot(plus, plus)}) - ({pen.dot(x, x)}) - ({pen.dot(y, y)})", "==", f"2 * ({pen.dot(x, y)})"),
        ]
    )


def deviations(pen: Pen) -> Fact:
    x, n = vector(pen)
    mean = pen.local(pen.mean(x, n), "m")
    centred = f"({x} - {mean})"
    return pen.one(
        [
            Fact(f"np.sum({centred})", "==", "0"),
            Fact(f"np.sum({centred} ** 2)", "==", f"{pen.dot(x, x)} - {n} * {mean} ** 2"),
            Fact("0", "<=", f"({pen.mean(f'({x}**2)', n)}) - {mean} ** 2"),
            Fact(f"np.sum({centred} * {x})", "==", f"np.sum({centred} ** 2)"),
            Fact(f"np.var({x})", "==", f"np.sum({centred} ** 2) / {n}")
            if not pen.random
            else Fact(f"np.sum({centred} ** 2)", "<=", pen.dot(x, x)),
        ]
    )


def orders(pen: Pen) -> Fact:
    x, y, n = vectors(pen)
    last = f"{n} - 1"
    return pen.one(
        [
            Fact(f"np.sum(np.diff({x}))", "==", f"{x}[{last}] - {x}[0]"),
            Fact(pen.sum(x), "==", pen.sum(f"{x}[::-1]")),
            Fact(pen.dot(x, y), "==", pen.dot(f"{x}[::-1]", f"{y}[::-1]")),
            Fact(pen.greatest(x), "==", f"-np.min(-{x})"),
            Fact(f"{x}[0]", "<=", pen.greatest(x)),
            Fact(pen.sum(x), "<=", f"{n} * {pen.greatest(x)}"),
        ]
    )


def soft(pen: Pen) -> Fact:
    x, n = vector(pen)
    t = pen.local(f"np.tanh({x})", "w")
    shift = pen.one(["0.3", "5", "-2"])
    lse = pen.log(f"np.sum({pen.exp(t)})")
    return pen.one(
        [
            Fact(lse, "==", f"{shift} + log(np.sum(exp({t} - {shift})))"),
            Fact(pen.greatest(t), "<=", lse),
            Fact(lse, "<=", f"{pen.greatest(t)} + log({n})"),
            Fact(f"np.sum(exp({t}) / np.sum(exp({t})))", "==", "1"),
            Fact(pen.exp(pen.mean(t, n)), "<=", pen.mean(pen.exp(t), n) if pen.random else f"np.mean(exp({t}))"),
            Fact(f"np.exp(np.mean({t}))", "<=", f"np.mean(np.exp({t}))"),
            Fact(f"np.prod(exp({t}))", "==", f"exp(np.sum({t}))"),
        ]
    )


def all_pairs(pen: Pen) -> Fact:
    x, n = vector(pen)
    gaps = f"({x}[:, None] - {x}[None, :])"
    return Fact(f"np.sum({gaps} ** 2)", "==", f"2 * {n} * ({pen.dot(x, x)}) - 2 * ({pen.sum(x)}) ** 2")


def entries(pen: Pen) -> Fact:
    x, y, _ = vectors(pen)
    return pen.one(
        [
            Fact(f"({x} + {y}) * ({x} - {y})", "==", f"{x}**2 - {y}**2", False),
            Fact(f"2 * {x} * {y}", "<=", f"{x}**2 + {y}**2", False),
            Fact(f"({x} + {y}) - {y}", "==", x, False),
            Fact(x, "<=", f"np.max({x})", False),
            Fact(f"np.maximum({x}, {y}) + np.minimum({x}, {y})", "==", f"{x} + {y}", False),
        ]
    )


NUMBERS = (
    binomial_square,
    difference_of_squares,
    cubes,
    distributive,
    associative,
    there_and_back,
    divided,
    partial_fractions,
    lattice,
    root_of_a_square,
    logarithms,
    angles,
    two_squares,
    geometric,
    horner,
    means,
    tangents,
    triangle,
    squares,
    parts,
)
VECTORS = (cauchy_schwarz, norms, parallelogram, deviations, orders, soft, all_pairs, entries)
