"""Spectral deviation of a finite pool of random features: an upper bound of P(event) over multinomial counts.

The event splits over connected components of features. Poisson counts make the components independent; the
coefficient of x^s in the product of their generating polynomials undoes this.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from math import prod

from flint import arb, arb_poly, fmpq

from .arrays import total
from .findings import (
    arithmetic,
    demand,
    elementary,
    multiplication,
    special,
    spend,
)
from .limits import MOST_DRAWS
from .matrices import Matrix, components, psd
from .numbers import (
    Number,
    Truth,
    add,
    div,
    every,
    finite,
    le,
    lower,
    mul,
    sub,
    upper,
)


@dataclass(frozen=True)
class Pool:
    """s features drawn with probabilities q from the columns of Z; nlam is n lam."""

    Z: Matrix
    p: Sequence[Number]
    q: Sequence[Number]
    nlam: Number
    s: int
    eps: Number
    two_sided: bool


@dataclass(frozen=True)
class Feature:
    """One column, or several parallel ones that act as one, within a component; ratio is p/q."""

    z: list[Number]
    p: Number
    q: Number
    ratio: Number


def probability(pool: Pool) -> tuple[Number, bool]:
    """An upper bound of P(event), and whether every count vector was decided (then it is P(event))."""
    if not all(x >= 0 for x in pool.p) or not all(x > 0 for x in pool.q):
        return arb.nan(), False
    # P(event) for s draws = [x^s] of the product over components of sum over allowed N of prod Poisson(s q_j, N_j) x^|N|,
    # divided by P(Poisson(s) = s): independent Poisson counts, given that they add up to s, are multinomial.
    mass = total(list(pool.q))
    demand(
        not mass != 1,
        "the probabilities q do not sum to 1: divide them by their sum in the program",
    )
    groups: dict[str, list[list[Feature]]] = {}
    free, parts = _split(pool)
    for part in parts:
        groups.setdefault(_fingerprint(part), []).append(part)
    result, decided = (
        _truncate(arb_poly(poisson(mul(fmpq(pool.s), free), pool.s)), pool.s),
        True,
    )
    for alike in groups.values():
        polynomial, sure = _generating(pool, alike[0])
        result, decided = (
            _times(result, _power(polynomial, len(alike), pool.s), pool.s),
            decided and sure,
        )
    return result[pool.s] / poisson(fmpq(pool.s), pool.s)[-1], decided


def _fingerprint(part: list[Feature]) -> str:
    """Equal for components made of the same rationals and the same balls, digit for digit."""
    spend(sum(1 + multiplication() * (len(f.z) + 3) for f in part))
    return ";".join(x.repr() for f in part for x in (*f.z, f.p, f.q, f.ratio))


def _split(pool: Pool) -> tuple[Number, list[list[Feature]]]:
    """The probability of features that change nothing, and the components of the others."""
    spend(len(pool.q) * (1 + 0.3 * len(pool.Z)))
    active = [
        [j for j, z in enumerate(row) if not z == 0 and not pool.p[j] == 0]
        for row in pool.Z
    ]
    used = {j for row in active for j in row}
    parts = [
        part
        for part in components(len(pool.q), active)
        if used.issuperset(part)
    ]
    free = total([q for j, q in enumerate(pool.q) if j not in used])
    rows_of: dict[int, list[int]] = {}
    for i, row in enumerate(active):
        for j in row:
            rows_of.setdefault(j, []).append(i)
    return free, [
        _features(pool, part, sorted({i for j in part for i in rows_of[j]}))
        for part in parts
    ]


def _features(pool: Pool, part: list[int], rows: list[int]) -> list[Feature]:
    """The features of a component, parallel ones with equal p/q merged."""
    spend(0.3 * len(part) ** 2 * len(rows))
    merged: list[Feature] = []
    for j in part:
        new = Feature(
            [pool.Z[i][j] for i in rows],
            pool.p[j],
            pool.q[j],
            div(pool.p[j], pool.q[j]),
        )
        twin = next(
            (k for k, old in enumerate(merged) if _same(old, new)), None
        )
        if twin is None:
            merged.append(new)
        else:
            old = merged[twin]
            merged[twin] = Feature(
                old.z, add(old.p, new.p), add(old.q, new.q), old.ratio
            )
    return merged


def _same(old: Feature, new: Feature) -> bool:
    parallel = _equal(old.z, new.z) or _equal(old.z, [-x for x in new.z])
    return parallel and bool(old.ratio == new.ratio)


def _equal(x: list[Number], y: list[Number]) -> bool:
    return all(a == b for a, b in zip(x, y, strict=True))


def _generating(pool: Pool, part: list[Feature]) -> tuple[arb_poly, bool]:
    """The sum over allowed counts N of their Poisson probability times x^|N|; the undecided are allowed."""
    allowed = (
        _interval(pool, part[0]) if len(part) == 1 else _vectors(pool, part)
    )
    coefficients, decided = [arb(0)] * (pool.s + 1), True
    tables = [poisson(mul(fmpq(pool.s), feature.q), pool.s) for feature in part]
    for counts, holds in allowed:
        decided &= holds is True
        coefficients[sum(counts)] += prod(
            (t[k] for t, k in zip(tables, counts, strict=True)), start=arb(1)
        )
    return arb_poly(coefficients), decided


def _interval(
    pool: Pool, feature: Feature
) -> Iterator[tuple[tuple[int], Truth]]:
    """Along z: |N step - center| <= slack."""
    square = total([mul(z, z) for z in feature.z])
    center, step = (
        mul(feature.p, square),
        div(mul(feature.ratio, square), fmpq(pool.s)),
    )
    slack = mul(pool.eps, add(center, pool.nlam))
    first = _whole_below(div(sub(center, slack), step), 0)
    last = (
        _whole_below(div(add(center, slack), step), pool.s) + 1
        if pool.two_sided
        else pool.s
    )
    for N in range(max(first, 0), min(last, pool.s) + 1):
        spend(4 * arithmetic())
        deviation = sub(mul(fmpq(N), step), center)
        above = le(deviation, slack) if pool.two_sided else True
        # What balls leave open counts as allowed: the result is an upper bound of P(event), exact only where nothing was open.
        holds = every([above, le(-slack, deviation)])
        if holds is not False:
            yield (N,), holds


def _whole_below(x: Number, otherwise: int) -> int:
    """An integer within 2 below x, or `otherwise` if x is not known that well."""
    if not (finite(x) and abs(x) < MOST_DRAWS**2 and upper(x) - lower(x) < 1):
        return otherwise
    return int(arb(lower(x)).lower().floor().fmpz())


def _vectors(
    pool: Pool, part: list[Feature]
) -> Iterator[tuple[tuple[int, ...], Truth]]:
    """Both one-sided deviations, affine in the counts, must be PSD on the rows of the component."""
    K = _gram(part, [f.p for f in part])
    ridge = [
        [add(x, pool.nlam) if i == j else x for j, x in enumerate(row)]
        for i, row in enumerate(K)
    ]
    S = [[mul(pool.eps, x) for x in row] for row in ridge]
    spend(4 * len(part) * len(K) ** 2 * arithmetic())
    for counts in _candidates(
        pool, part, [add(S[i][i], K[i][i]) for i in range(len(K))]
    ):
        spend(2 * len(part) * len(K) ** 2 * arithmetic())
        draws = [
            mul(fmpq(k, pool.s), f.ratio)
            for k, f in zip(counts, part, strict=True)
        ]
        D = _pointwise(sub, _gram(part, draws), K)
        below = psd(_pointwise(add, S, D))
        above = psd(_pointwise(sub, S, D)) if pool.two_sided else True
        holds = every([below, above])
        if holds is not False:
            yield counts, holds


def _gram(part: list[Feature], weights: list[Number]) -> Matrix:
    """The weighted sum of z z^T over a component."""
    side = range(len(part[0].z))
    scaled = [
        [mul(w, x) for x in f.z] for w, f in zip(weights, part, strict=True)
    ]
    return [
        [
            total(
                [mul(x[i], f.z[j]) for x, f in zip(scaled, part, strict=True)]
            )
            for j in side
        ]
        for i in side
    ]


def _pointwise(
    operation: Callable[[Number, Number], Number], A: Matrix, B: Matrix
) -> Matrix:
    return [list(map(operation, a, b)) for a, b in zip(A, B, strict=True)]


def _candidates(
    pool: Pool, part: list[Feature], top: list[Number]
) -> Iterator[tuple[int, ...]]:
    """Count vectors with total at most s that the diagonal of the upper side does not exclude."""
    steps = [
        [div(mul(f.ratio, mul(x, x)), fmpq(pool.s)) for x in f.z] for f in part
    ]
    caps = [
        _cap(pool, [div(t, s) for t, s in zip(top, line, strict=True) if s > 0])
        for line in steps
    ]
    vectors = prod(cap + 1 for cap in caps)
    spend(vectors)
    return (
        counts
        for counts in cartesian(*(range(cap + 1) for cap in caps))
        if sum(counts) <= pool.s
    )


def _cap(pool: Pool, limits: Iterable[Number]) -> int:
    """The largest count that no limit certainly excludes; a negative limit keeps 0 as a candidate."""
    limits, cap = list(limits), pool.s
    spend(0.3 * cap * len(limits))
    while pool.two_sided and cap > 0 and any(limit < cap for limit in limits):
        cap -= 1
    return cap


def _power(polynomial: arb_poly, k: int, s: int) -> arb_poly:
    result = arb_poly([1])
    while k:
        if k % 2:
            result = _times(result, polynomial, s)
        polynomial, k = _times(polynomial, polynomial, s), k // 2
    return result


def _times(x: arb_poly, y: arb_poly, s: int) -> arb_poly:
    spend((s + 1) * (15 + 60 * multiplication()))
    return _truncate(x * y, s)


def _truncate(polynomial: arb_poly, s: int) -> arb_poly:
    return polynomial.truncate(s + 1)


def binomial_tail(N: int, p: Number, F: int) -> Number:
    """P(Bin(N, p) >= F); for F <= N p, which is at most the median, merely the enclosure [1/2, 1]."""
    if F <= 0 or p >= 1:
        return fmpq(1)
    if p <= 0:
        return fmpq(0)
    # The median of a binomial law is floor(N p) or ceil(N p): up to N p the tail is at least 1/2, and no more is needed.
    if not F > N * p:
        return arb(0.75, 0.25) if F <= N * p else arb.nan()
    spend(3 * special() + 3 * elementary())
    x = arb(p)
    odds = x / (1 - x)
    choose = (
        arb(N + 1).lgamma() - arb(F + 1).lgamma() - arb(N - F + 1).lgamma()
    ).exp()
    tail = term = choose * x**F * (1 - x) ** (N - F)
    k = F
    while k < N:
        spend(6 * arithmetic())
        # Ratios of neighbours decrease, so that what is left is less than a geometric series.
        ratio = odds * (N - k) / (k + 1)
        rest = (term * ratio / (1 - ratio)).upper()
        if ratio < 1 and rest < tail * arb(2) ** -60:
            return tail + arb(0).union(rest)
        if not term.is_finite():
            return arb.nan()
        term, k = term * ratio, k + 1
        tail += term
    return tail


def poisson(mean: Number, most: int) -> list[arb]:
    """The probabilities of 0, ..., most."""
    spend(2 * most * arithmetic() + elementary())
    terms = [(-arb(mean)).exp()]
    for k in range(1, most + 1):
        terms.append(terms[-1] * mean / k)
    return terms
