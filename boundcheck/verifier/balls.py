"""Balls and rationals as entries: what each operation makes of them, what it takes, and what is known of signs.

Every value is an enclosure: rationals are exact, and Arb rounds each operation on balls outwards (Johansson, IEEE
Transactions on Computers 66(8), 2017). What a ball does not decide is None or NAN, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from math import prod
from typing import Any

from flint import arb, fmpq

from .arrays import Array, broadcast, product, total
from .findings import (
    arithmetic,
    demand,
    elementary,
    multiplication,
    on_rationals,
    rotations,
    spend,
)
from .functions import FUNCTIONS, power, sqrt
from .limits import EXACT_BINOMIALS, HEIGHT, LARGEST
from .matrices import (
    Matrix,
    balls,
    check_square,
    cholesky,
    determinant,
    eigenvectors,
    eigvals,
    eigvalsh,
    entries,
    inverse,
    log,
    multiply,
    over_batch,
    psd_log,
    psd_power,
    psd_raise,
    solve,
    svdvals,
)
from .numbers import (
    HALF,
    NAN,
    Number,
    ascending,
    common,
    div,
    integer,
    mul,
    number,
    rational,
    shorten,
    whole,
)
from .operations import Arithmetic, Node, entry, orders
from .signs import UNKNOWN, Made, Sign, known_sign


class Balls(Arithmetic):
    """Numbers: exact while they are short."""

    def const(self, x: fmpq) -> Number:
        return shorten(x)

    def apply(self, op: str, *args: Number) -> Number:
        return FUNCTIONS[op].value(*args)

    def function(self, op: str, known: bool) -> Callable[..., Number]:
        cut = {"sqrt": sqrt, "pow": power}.get(op) if known else None
        return FUNCTIONS[op].value if cut is None else partial(cut, known=True)

    def leaf(self, node: Node, data: Sequence[Any]) -> list[Number]:
        spend(sum(1 + len(str(value)) / 50 for value in data))
        return list(map(rational if node["op"] == "input" else number, data))

    def number(self, value: object) -> Number:
        return number(value)

    def outcome(self, x: Number) -> Number:
        return x

    def place(self, x: Number) -> int:
        return whole(x)  # type: ignore[return-value]  # None is refused by who takes the row

    def ascending(self, line: list[Number]) -> list[Number]:
        return ascending(line)

    def fold(self, op: str, line: Sequence[Number]) -> Number:
        return (
            reduce(FUNCTIONS[op].value, line)
            if line
            else super().fold(op, line)
        )

    def dot(self, xs: Sequence[Number], ys: Sequence[Number]) -> Number:
        return total(list(map(mul, xs, ys)))

    def multiply(self, A: Matrix, B: Matrix) -> Matrix:
        return multiply(A, B)

    def sign(
        self,
        nodes: Sequence[Node],
        node: Node,
        operands: Sequence[Array],
        signs: Sequence[Sign],
        result: Array,
    ) -> Sign:
        return known_sign(Made(nodes, node, operands, signs, result))

    def matrices(
        self, node: Node, operands: Sequence[Array], known: bool
    ) -> Array:
        axes, of = MATRICES[node["op"]]
        # Each matrix alone: a batch is no more than its matrices.
        full = over_batch(of(node, known), *operands)
        lead, tail = full.shape[:-2], full.shape[-2:]
        return Array(lead + tail[2 - axes :], full.data)

    # laws: a weight that may be negative decides nothing

    def weight(self, w: Number, lawful: object = None) -> Number:
        # Certainly negative: there is no such law. Perhaps negative: the claim would be judged on what may be no law, so the
        # weight decides nothing. The same holds of probabilities.
        demand(not w < 0, "a law has a negative weight: it is no law")
        return w if w >= 0 else NAN

    def chance(self, p: Number, lawful: object = None) -> Number:
        demand(
            not (p < 0 or p > 1), "a probability of a law lies outside [0, 1]"
        )
        return p if p >= 0 and p <= 1 else NAN

    def normalised(self, weights: Sequence[Number]) -> list[Number]:
        spend(len(weights) * (2 * arithmetic() + on_rationals(common(weights))))
        mass = total(weights)
        demand(not mass <= 0, "the weights of a law add up to nothing")
        return [div(w, mass) for w in weights]

    def binomial(self, n: int, p: Number, q: Number) -> list[Number]:
        return (
            many(n, p, q) if n > EXACT_BINOMIALS else super().binomial(n, p, q)
        )

    def arranged(
        self, parts: Sequence[Number], counts: Sequence[Sequence[int]]
    ) -> list[Number]:
        n = sum(counts[0])
        price = len(parts) * (2 * elementary() + _price_of_product(parts, n))
        spend(len(counts) * (price + n**1.5 / 1000))
        return super().arranged(parts, counts)

    def _arranged(
        self, parts: Sequence[Number], counts: Sequence[int]
    ) -> Number:
        powers = [power(p, fmpq(n)) for p, n in zip(parts, counts, strict=True)]
        return mul(shorten(orders(counts)), product(powers))

    def joint(
        self, left: Sequence[Number], right: Sequence[Number]
    ) -> list[Number]:
        price = arithmetic() + _price_of_product([*left, *right], 2)
        spend(len(left) * len(right) * price)
        return super().joint(left, right)

    # what nodes take

    def value(
        self,
        k: int,
        node: Node,
        operands: Sequence[Array],
        known: Sign = UNKNOWN,
    ) -> Array:
        price = PRICES.get(entry(node["op"]).kind)
        if price is not None:
            spend(price(node, operands))
        return super().value(k, node, operands, known)

    def mean(
        self, k: int, x: Array, weights: Callable[[], Sequence[Number]]
    ) -> Array:
        price = 2 * arithmetic() + on_rationals(x.tall + common(weights()))
        spend(len(x.data) * price)
        return super().mean(k, x, weights)


def many(n: int, p: Number, q: Number) -> list[Number]:
    """The probabilities of 0, ..., n, each by the ratio to its neighbour nearer to the most likely count."""
    if p == 0 or q == 0:
        return [fmpq(k == (n if q == 0 else 0)) for k in range(n + 1)]
    if not (p > 0 and q > 0):
        return [NAN] * (n + 1)
    spend(n * 6 * arithmetic() + 10 * elementary())
    # C(n, k) p^k q^(n-k) is the weight before it times p (n - k + 1) / (q k). Relative errors add up along the ratios,
    # which is why they start where the weight is largest: what is far from there is small in absolute terms too.
    x, y = arb(p), arb(q)
    mode = min(n, max(0, int(((n + 1) * x).mid().floor().fmpz())))
    up = down = arb.bin_uiui(n, mode) * x**mode * y ** (n - mode)
    weights: list[Number] = [NAN] * (n + 1)
    weights[mode], odds, chances = up, x / y, y / x
    for k in range(mode + 1, n + 1):
        up = up * odds * (n - k + 1) / k
        weights[k] = up
    for k in range(mode, 0, -1):
        down = down * chances * k / (n - k + 1)
        weights[k - 1] = down
    return weights


def _price_of_product(weights: Sequence[Number], exponent: int) -> float:
    """What a product of so many of them takes besides the balls."""
    height = max(
        (w.height_bits() for w in weights if isinstance(w, fmpq)), default=0
    )
    return on_rationals(min(HEIGHT, exponent * height))


def _of_entries(node: Node, xs: Sequence[Array]) -> float:
    """Long exponents take a squaring for each bit."""
    each = FUNCTIONS[node["op"]].price() + on_rationals(
        sum(x.height for x in xs)
    )
    if node["op"] == "pow":
        each += arithmetic() + elementary() + xs[1].height * multiplication()
    return prod(broadcast(*(x.shape for x in xs))) * each


def _of_fold(node: Node, xs: Sequence[Array]) -> float:
    (x,) = xs
    grown = (
        min(len(x.data) * x.height, HEIGHT) if node["op"] == "prod" else x.tall
    )
    return len(x.data) * (arithmetic() + on_rationals(grown))


PRICES: dict[str, Callable[[Node, Sequence[Array]], float]] = {
    "entries": _of_entries,
    "reduction": _of_fold,
}
"""By kind; other kinds say what they take where they are made."""


def _expm(a: Matrix) -> Matrix:
    spend(2 * check_square(a) ** 3 * rotations())
    return entries(balls(a).exp())


def _eigenvectors(node: Node, known: bool) -> Callable[..., Matrix]:
    demand(
        isinstance(node["lead"], list), "eigenvectors are those of one matrix"
    )
    lead = [integer(i, -LARGEST, LARGEST) for i in node["lead"]]
    return partial(eigenvectors, lead=lead)


def _plainly(
    function: Callable[..., Matrix],
) -> Callable[..., Callable[..., Matrix]]:
    return lambda node, known: function


MATRICES: dict[
    str, tuple[int, Callable[[Node, bool], Callable[..., Matrix]]]
] = {
    "inv": (2, _plainly(inverse)),
    "solve": (2, _plainly(solve)),
    "det": (0, _plainly(lambda a: [[determinant(a)]])),
    "slogabsdet": (0, _plainly(lambda a: [[log(abs(determinant(a)))]])),
    "cholesky": (2, _plainly(cholesky)),
    "eigvalsh": (1, _plainly(eigvalsh)),
    "eigvals": (1, lambda node, _: partial(eigvals, part=node["part"])),
    "svdvals": (1, _plainly(svdvals)),
    "eigenvectors": (2, _eigenvectors),
    "psd_sqrt": (2, lambda _, known: partial(psd_power, t=HALF, known=known)),
    "psd_pow": (
        2,
        lambda node, known: partial(
            psd_power, t=rational(node["power"]), known=known
        ),
    ),
    "psd_raise": (2, lambda _, known: partial(psd_raise, known=known)),
    "psd_log": (2, _plainly(psd_log)),
    "expm": (2, _plainly(_expm)),
}
"""The axes of the result in place of two, and the function of matrices: of the fields of its node, and whether
the first matrix is known to be PSD by how it was made."""
