"""Facts about whole numbers and fractions that a body counts, sums and multiplies, beyond 64 bits too."""

from __future__ import annotations

from .facts import Fact
from .pen import Pen


def _n(pen: Pen) -> str:
    """A whole number of the signature, from 1 on."""
    return pen.parameter("n", f"integers(1, {pen.one([6, 12, 25, 40, 70])})")


def _small(pen: Pen) -> str:
    return pen.parameter("n", "integers(1, 12)")


def _large(pen: Pen) -> str:
    return pen.parameter("z", pen.one(["integers(0, 10**6)", "integers(10**9, 10**10)", "integers(-50, 50)", "integers(0, 2**40)"]))


def _range(pen: Pen, n: str) -> str:
    """1, ..., n as an array."""
    return pen.one(
        [
            f"np.arange(1, {n} + 1)",
            f"np.array(list(range(1, {n} + 1)))",
            f"np.cumsum(np.ones({n}, dtype=int))",
            f"(1 + np.arange({n}))",
            f"np.arange(1, {n} + 1, dtype=float)",
            f"np.arange(1, {n} + 1, dtype=np.int32)",
        ]
    )


def _total(pen: Pen, n: str, term: str) -> str:
    """The sum of a term in k over 1, ..., n."""
    return pen.one(
        [
            f"sum({term} for k in range(1, {n} + 1))",
            f"sum([{term} for k in range({n}, 0, -1)])",
            f"reduce(lambda total, k: total + {term}, range(1, {n} + 1), 0)",
            f"np.sum([{term} for k in range(1, {n} + 1)])",
            f"sum(map(lambda k: {term}, range(1, {n} + 1)))",
            f"[*accumulate({term} for k in range(1, {n} + 1))][-1]",
        ]
    )


def powers(pen: Pen) -> Fact:
    n = _n(pen)
    k = _range(pen, n)
    return pen.one(
        [
            Fact(
                _total(pen, n, "k"),
                "==",
                pen.one([f"{n} * ({n} + 1) // 2", f"{n} * ({n} + 1) / 2", f"np.sum({k})", f"math.comb({n} + 1, 2)"]),
            ),
            Fact(_total(pen, n, "k**2"), "==", f"{n} * ({n} + 1) * (2 * {n} + 1) / 6"),
            Fact(f"np.sum({k} ** 3)", "==", f"({_total(pen, n, 'k')}) ** 2"),
            Fact(_total(pen, n, "(2 * k - 1)"), "==", f"{n}**2"),
            Fact(f"np.sum({k} ** 11)", "==", f"sum(j**11 for j in range({n} + 1))"),
            Fact(f"np.sum(2 ** {k})", "==", pen.one([f"2 * (2**{n} - 1)", f"(1 << {n} + 1) - 2", f"2.0 ** ({n} + 1) - 2"])),
        ]
    )


def binomials(pen: Pen) -> Fact:
    n = _n(pen)
    comb = pen.one(
        [
            "math.comb({}, {})",
            "special.comb({}, {}, exact=True)",
            "math.factorial({0}) // (math.factorial({1}) * math.factorial({0} - {1}))",
        ]
    )
    row = f"[{comb.format(n, 'k')} for k in range({n} + 1)]"
    return pen.one(
        [
            Fact(f"sum({row})", "==", pen.one([f"2**{n}", f"1 << {n}", f"2.0**{n}"])),
            Fact(f"sum((-1) ** k * c for k, c in enumerate({row}))", "==", "0"),
            Fact(f"sum(c * c for c in {row})", "==", f"math.comb(2 * {n}, {n})"),
            Fact(f"sum(k * c for k, c in enumerate({row}))", "==", f"{n} * 2 ** ({n} - 1)"),
            Fact(f"sum(math.comb(k, 2) for k in range({n} + 1))", "==", f"math.comb({n} + 1, 3)"),
            Fact(f"max({row})", "==", f"math.comb({n}, {n} // 2)"),
            Fact(f"np.sum(special.comb({n}, np.arange({n} + 1)))", "==", f"2**{n}"),
        ]
    )


def factorials(pen: Pen) -> Fact:
    n = _n(pen)
    k = _range(pen, n)
    ways = [
        f"math.factorial({n})",
        f"np.prod({k})",
        f"np.cumprod({k})[-1]",
        f"reduce(operator.mul, range(1, {n} + 1), 1)",
        f"special.factorial({n}, exact=True)",
        f"math.gamma({n} + 1)",
        f"math.prod(range(1, {n} + 1))",
        f"special.factorial({n})",
    ]
    left, right = pen.one(ways), pen.one(ways)
    return pen.one(
        [
            Fact(left, "==", right),
            Fact(left, "==", right),
            Fact(f"math.factorial({n} + 1) // math.factorial({n})", "==", f"{n} + 1"),
            Fact(f"2 ** ({n} - 1)", "<=", left),
            Fact(f"np.sum(np.log({k}))", "==", f"math.log({right})"),
            Fact(f"{n} * math.factorial({n} - 1)", "==", left),
        ]
    )


def telescopes(pen: Pen) -> Fact:
    n = _n(pen)
    return pen.one(
        [
            Fact(_total(pen, n, "1 / (k * (k + 1))"), "==", pen.one([f"{n} / ({n} + 1)", f"1 - 1 / ({n} + 1)", f"Fraction({n}, {n} + 1)"])),
            Fact(_total(pen, n, "Fraction(1, k * (k + 1))"), "==", f"Fraction({n}, {n} + 1)"),
            Fact(_total(pen, n, "0.1"), "==", f"{n} / 10"),
            Fact(_total(pen, n, "k * math.factorial(k)"), "==", f"math.factorial({n} + 1) - 1"),
            Fact(f"np.sum(np.full({n}, 0.3))", "==", f"0.3 * {n}"),
            Fact(f"np.sum(np.diff(np.linspace(0, 0.7, {n} + 1)))", "==", "0.7"),
            Fact(_total(pen, n, "1 / k**2"), "<=", f"2 - 1 / {n}"),
            Fact(f"(1 - 1 / 3) * sum(3.0**-k for k in range({n}))", "==", f"1 - 3.0 ** -{n}"),
            Fact(_total(pen, n, "(sqrt(k) - sqrt(k - 1))"), "==", f"sqrt({n})"),
            Fact(f"log({n} + 1)", "<=", _total(pen, n, "1 / k")),
            Fact(f"np.prod(1 + 1 / {_range(pen, n)})", "==", f"{n} + 1"),
        ]
    )


def remainders(pen: Pen) -> Fact:
    z, m = _large(pen), pen.one(["7", "10", "3", "64", "-5", _small(pen)])
    return pen.one(
        [
            Fact(f"{z} // {m} * {m} + {z} % {m}", "==", z),
            Fact(f"sum([divmod({z}, {m})[0] * {m}, divmod({z}, {m})[1]])", "==", z),
            Fact(f"{z} % 9", "==", f"({z} + 9 * {m}) % 9"),
            Fact(f"({z} // 2) + ({z} + 1) // 2", "==", z),
            Fact(f"-(-{z} // 3)", "==", f"({z} + 2) // 3"),
            Fact(f"math.isqrt({z} * {z})", "==", f"abs({z})"),
            Fact(f"math.isqrt(abs({z})) ** 2", "<=", f"abs({z})"),
            Fact("0", "<=", f"{z} % 10"),
            Fact(f"abs({z}) - abs({z}) % 10", "==", f"10 * int(str(abs({z})).zfill(2)[:-1])"),
            Fact(f"np.floor({z} / 4) + np.ceil({z} / 4)", "<=", f"{z} / 2 + 1"),
        ]
    )


def bits(pen: Pen) -> Fact:
    a, b = _large(pen), _large(pen)
    s = pen.one(["3", "20", "40"])
    return pen.one(
        [
            Fact(f"({a} & {b}) + ({a} | {b})", "==", f"{a} + {b}"),
            Fact(f"({a} ^ {b}) + 2 * ({a} & {b})", "==", f"{a} + {b}"),
            Fact(f"({a} << {s}) >> {s}", "==", a),
            Fact(f"{a} << {s}", "==", f"{a} * 2**{s}"),
            Fact(f"~{a}", "==", f"-{a} - 1"),
            Fact(f"{a} >> 3", "==", f"{a} // 8"),
            Fact(f"int(bin(abs({a})), 2)", "==", f"abs({a})"),
            Fact(f"abs({a})", "<=", f"2 ** int(abs({a})).bit_length()"),
        ]
    )


def products(pen: Pen) -> Fact:
    a, b = _large(pen), _large(pen)
    return pen.one(
        [
            Fact(f"({a} + {b}) ** 2", "==", f"{a}**2 + 2 * {a} * {b} + {b}**2"),
            Fact(f"math.gcd({a}, {b}) * math.lcm({a}, {b})", "==", f"abs({a} * {b})"),
            Fact(f"np.dot(np.array([{a}, {b}]), np.array([{a}, {b}]))", "==", f"{a} * {a} + {b} * {b}"),
            Fact("0", "<=", f"np.sum(np.array([{a}, {b}]) ** 2)"),
            Fact(f"np.linalg.det(np.array([[{a}, {b}], [2 * {a}, 2 * {b}]]))", "==", "0"),
            Fact(f"np.int64({a}) * np.int64({b})", "==", f"{a} * {b}"),
            Fact(f"4 * {a} * {b}", "<=", f"({a} + {b}) ** 2"),
            Fact(f"Fraction({a}, 7) * 7", "==", a),
            Fact(f"({a} + 0.1) - {a}", "==", "0.1"),
            Fact(f"{a} / 3 * 3", "==", a),
            Fact(f"({a} ** 3 + {b} ** 3)", "==", f"({a} + {b}) * ({a} ** 2 - {a} * {b} + {b} ** 2)"),
        ]
    )


def recurrences(pen: Pen) -> Fact:
    """Fibonacci numbers: by a loop of the helper, by matrices, by sums."""
    n = _n(pen)
    name = pen.new("fibonacci")
    pen.helpers.append(f"def {name}(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n")
    by_matrix = f"np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), {n})"
    return pen.one(
        [
            Fact(f"{name}({n} - 1) * {name}({n} + 1) - {name}({n}) ** 2", "==", f"(-1) ** {n}"),
            Fact(f"{by_matrix}[0, 1]", "==", f"{name}({n})"),
            Fact(f"sum({name}(k) for k in range({n} + 1))", "==", f"{name}({n} + 2) - 1"),
            Fact(f"math.gcd({name}({n}), {name}({n} + 1))", "==", "1"),
            Fact(f"{name}(2 * {n})", "==", f"{name}({n}) * (2 * {name}({n} + 1) - {name}({n}))"),
            Fact(f"np.linalg.det({by_matrix})", "==", f"(-1) ** {n}"),
        ]
    )


WHOLE = (powers, binomials, factorials, telescopes, remainders, bits, products, recurrences)
