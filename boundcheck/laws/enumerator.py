"""Stands in for NumPy's generator: the same sampler text, run on every atom instead of on random draws.

For the mean of a polynomial, points of a rule exact for it stand for the atoms of draws of known moments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import permutations
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from scipy.special import xlog1py, xlogy

from boundcheck.laws import (
    ENTRIES,
    Law,
    NotFinite,
    batch,
    copies_of,
    count_vectors,
    log_choices,
    multinomial_weights,
    require_enumerable,
    same_law,
)
from boundcheck.operations.moments import (
    MOST_DEGREE,
    Cubature,
    count_points,
    cubature,
    degrees,
)
from boundcheck.operations.moving import take
from boundcheck.tape import Tape, Traced, constant, value_of
from boundcheck.tape.library import joined
from boundcheck.tape.truth import masked


@dataclass
class Enumerator:
    """Stands in for numpy's Generator: first it records what is drawn, then it returns every atom."""

    tape: Tape | None = None
    laws: list[Law] = field(default_factory=list)
    position: int | None = None
    first: int = 0
    rows: Any = None
    """Only these atoms, if it is set."""
    asked: int = 0
    trials: int = 1
    averaging: bool = False
    """Whether only means are made, for which draws of known moments may stand."""
    smooth: list[int] = field(default_factory=list)
    """The nodes of such draws."""

    @property
    def probing(self) -> bool:
        return self.position is None

    def atoms(self) -> int:
        """Number of atoms of the product law."""
        total = prod(law.atoms() for law in self.laws) * count_points(
            self._names, self._degree
        )
        require_enumerable(total * max(1, len(self._names) / ENTRIES))
        return int(total)

    def weights(self) -> np.ndarray:
        """Probability of each atom; of a point of a rule its weight, which may be negative."""
        result = np.ones(1)
        for law in self.laws:
            for _ in range(law.count):
                result = np.multiply.outer(result, law.weights).ravel()
        return np.multiply.outer(result, self._rule.weights).ravel()

    @property
    def _names(self) -> tuple[str, ...]:
        """The law of each number that is drawn of known moments."""
        return tuple(
            law.form["law"]
            for law in self.laws
            if law.is_smooth
            for _ in range(law.count)
        )

    @property
    def _degree(self) -> int:
        return max(
            (law.form.get("degree", 0) for law in self.laws if law.is_smooth),
            default=0,
        )

    @cached_property
    def _rule(self) -> Cubature:
        return cubature(self._names, self._degree)

    def exact_for(
        self, tape: Tape, results: list[Any], hypotheses: int = 0
    ) -> list[Law]:
        """The laws drawn from, those of known moments with the degree that results on a tape have in them.

        Raises NotFinite where the results are no polynomials, or the path depends on such draws.
        """
        if not self.smooth:
            return self.laws
        known = degrees(tape, self.smooth)
        roots = [
            known[x.node] if isinstance(x, Traced) else None for x in results
        ]
        guards = [
            known[k] for h in tape.hypotheses[hypotheses:] for k in h["args"]
        ]
        degree = MOST_DEGREE + 1 if None in roots else max(roots, default=0)  # type: ignore[type-var]
        if degree > MOST_DEGREE or any(d != 0 for d in guards):  # type: ignore[operator]
            raise NotFinite(NO_POLYNOMIAL)
        return [
            replace(x, form={**x.form, "degree": degree}) if x.is_smooth else x
            for x in self.laws
        ]

    def _draw(self, law: Law, size: object) -> Any:
        """Every outcome of one draw. Raises NotFinite where the draw has not one entry for each trial."""
        self.asked += 1
        if batch(size, 0)[:1] != (self.trials,):
            raise NotFinite(
                "Only draws of `size` entries along the first axis are enumerated: pass size, or (size, ...)."
            )
        if self.probing:
            self.laws.append(law)
            first = np.broadcast_to(
                law.support[0],
                batch(size, 1)[:1] + law.copies + law.support.shape[1:],
            )
            drawn = self._traced(first, len(self.laws) - 1)
            self.smooth += (
                [drawn.node]
                if law.is_smooth and isinstance(drawn, Traced)
                else []
            )
            return drawn
        k = self.position
        assert k is not None
        self.position = k + 1
        if k >= len(self.laws) or not same_law(
            self.laws[k].ordered or self.laws[k], law
        ):
            raise NotFinite("What is drawn depends on earlier draws.")
        values = self._values(k)
        return self._traced(
            values if self.rows is None else values[self.rows], k
        )

    def _values(self, k: int) -> np.ndarray:
        """What draw k is at each atom: the last copy of the last law changes fastest, and points of the rule do before it."""
        law, rule, total = self.laws[k], self._rule.points, self.atoms()
        if law.is_smooth:
            first = sum(
                other.count for other in self.laws[:k] if other.is_smooth
            )
            own = rule[:, first : first + law.count]
            return np.tile(own, (total // len(rule), 1)).reshape(
                (total, *law.copies)
            )
        counts = [len(x.support) for x in self.laws for _ in range(x.count)]
        start = sum(other.count for other in self.laws[:k])
        ahead = np.cumprod([1, *counts[:0:-1]])[::-1][start : start + law.count]
        atoms = np.arange(total // len(rule))
        values = law.support[atoms[:, None] // ahead % len(law.support)]
        shaped = values.reshape(
            (len(atoms), *law.copies, *law.support.shape[1:])
        )
        return np.repeat(shaped, len(rule), axis=0)

    def _traced(self, values: np.ndarray, k: int) -> object:
        if self.tape is None:
            return values
        return Traced(
            self.tape,
            self.tape.add(
                "random",
                [],
                np.asarray(values, dtype=float),
                draw=self.first + k,
            ),
        )

    def _number(self, x: object) -> Any:
        """A parameter of a law as the certificate wants it."""
        if isinstance(x, Traced):
            return {"node": x.node}
        return (
            {"node": constant(self.tape, x).node}
            if self.tape is not None
            else None
        )

    def _drawn(
        self,
        law: str,
        support: np.ndarray,
        weights: np.ndarray,
        size: Any,
        /,
        **form: Any,
    ) -> Any:
        """Every outcome of a draw from a law by its name; `form` is what the certificate says of it."""
        copies = copies_of(size)
        said = {"law": law, **form, "shape": list(copies)}
        return self._draw(Law(support, weights, copies, said), size)

    def _finite(self, values: np.ndarray, weights: Any, size: Any) -> Any:
        """Whole numbers of such weights."""
        plain = np.asarray(value_of(weights), dtype=float)
        said = {
            "values": list(map(str, values)),
            "weights": self._number(weights),
        }
        return self._drawn("finite", values, plain / plain.sum(), size, **said)

    def _each(self, p: Any, size: Any, draw: Callable[[Any, int], Any]) -> Any:
        """Copies that differ in a parameter, a draw for each. Raises NotFinite unless each has its own."""
        copies = copies_of(size)
        if np.shape(value_of(p)) != copies:
            raise NotFinite(
                "Parameters that differ are enumerated with size=(size, len(p))."
            )
        entries = np.reshape(p, (-1,))
        drawn = [draw(entries[j], size[0]) for j in range(len(entries))]
        return np.reshape(np.stack(drawn, axis=1), (-1, *copies))

    def binomial(self, n: object, p: object, size: object = None) -> Any:
        if np.ndim(value_of(p)):
            return self._each(
                p, size, lambda entry, trials: self.binomial(n, entry, trials)
            )
        n, plain = _one(n), float(_scalar(value_of(p)))
        if not 0 <= plain <= 1:
            raise ValueError("p < 0, p > 1 or p is NaN")
        law = binomial(n, plain)
        return self._drawn("binomial", *law, size, n=n, p=self._number(p))

    def integers(
        self,
        low: object,
        high: object = None,
        size: object = None,
        endpoint: bool = False,
        **_: Any,
    ) -> Any:
        low, high = (0, low) if high is None else (low, high)
        values = np.arange(_one(low), _one(high) + bool(endpoint))
        if not len(values):
            raise ValueError("low >= high")
        return self._finite(values, np.ones(len(values)), size)

    def choice(
        self,
        a: Any,
        size: object = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        **_: Any,
    ) -> Any:
        """Rows of `a` (or of range(a)) with replacement."""
        if not replace or axis != 0:
            raise NotFinite(ORDERS)
        a, p = joined(a), joined(p)
        whole = np.ndim(value_of(a)) == 0
        count = int(a) if whole else len(a)
        if p is not None:
            _require_law(np.asarray(value_of(p), dtype=float), count)
        weights = np.ones(count) if p is None else p
        index = self._finite(np.arange(count), weights, size)
        drawn = index if whole else take(a, index)
        are_truths = np.asarray(value_of(a)).dtype == bool
        return masked(drawn) if are_truths else drawn

    def hypergeometric(
        self, ngood: int, nbad: int, nsample: int, size: object = None
    ) -> object:
        good, bad, sample = _one(ngood), _one(nbad), _one(nsample)
        law = hypergeometric(good, bad, sample)
        said = {"good": good, "bad": bad, "sample": sample}
        return self._drawn("hypergeometric", *law, size, **said)

    def multinomial(self, n: object, pvals: object, size: object = None) -> Any:
        n, pvals = _one(n), joined(pvals)
        p = np.asarray(value_of(pvals), dtype=float)
        outside = np.any(p < 0) or np.any(p > 1)
        if p.ndim != 1 or outside or np.sum(p[:-1]) > 1 + 1e-12:
            raise ValueError(
                "sum(pvals[:-1]) > 1.0, or pvals < 0, pvals > 1 or pvals contains NaNs"
            )
        p = np.append(p[:-1], max(0.0, 1 - np.sum(p[:-1])))
        require_enumerable(comb(n + len(p) - 1, len(p) - 1))
        counts = count_vectors(n, len(p))
        said = {"n": n, "pvals": self._number(pvals), "categories": len(p)}
        weights = multinomial_weights(counts, p)
        return self._drawn("multinomial", counts, weights, size, **said)

    def multivariate_hypergeometric(
        self, colors: Any, nsample: object, size: object = None
    ) -> Any:
        """How many of each colour: a row of the table of all that can be, in so many ways each."""
        urn, sample = [_one(count) for count in joined(colors)], _one(nsample)
        if min(urn) < 0 or not 0 <= sample <= sum(urn):
            raise ValueError(
                "nsample > sum(colors), or one of them is negative"
            )
        require_enumerable(comb(sample + len(urn) - 1, sample))
        counts = count_vectors(sample, len(urn))
        counts = counts[np.all(counts <= urn, axis=1)]
        ways = [prod(map(comb, urn, row)) for row in counts.tolist()]
        return self._row_of(counts, ways, size)

    def permuted(self, x: Any, axis: object = None) -> Any:
        """The entries of each trial in an order of its own: its row times the matrix of a permutation."""
        x = joined(x)
        x = x if isinstance(x, Traced) else np.asarray(x)
        if np.ndim(x) != 2 or axis not in (1, -1):
            raise NotFinite(ORDERS)
        trials, n = x.shape
        require_enumerable(factorial(n))
        matrices = np.eye(n, dtype=int)[list(permutations(range(n)))]
        order: Any = self._row_of(matrices, np.ones(len(matrices)), trials)
        return (order @ x[..., None])[..., 0]

    def _row_of(self, table: np.ndarray, weights: Any, size: object) -> Any:
        """A row of a table that is drawn, with such weights."""
        return take(table, self._finite(np.arange(len(table)), weights, size))

    def standard_normal(self, size: object = None) -> Any:
        return self._smooth("normal", size)

    def standard_exponential(self, size: object = None) -> Any:
        return self._smooth("exponential", size)

    def normal(
        self, loc: object = 0.0, scale: object = 1.0, size: object = None
    ) -> Any:
        return _fitting(loc, size) + self._scaled(scale, size) * self._smooth(
            "normal", size
        )

    def exponential(self, scale: object = 1.0, size: object = None) -> Any:
        return self._scaled(scale, size) * self._smooth("exponential", size)

    def _scaled(self, scale: Any, size: object) -> Any:
        """A scale as NumPy takes it."""
        scale = _fitting(scale, size)
        if np.any(scale < 0):
            raise ValueError("scale < 0")
        return scale

    def _smooth(self, name: str, size: object) -> Any:
        """Standard draws of known moments."""
        if not self.averaging:
            raise NotFinite(f"The law of rng.{name} is not finite.")
        return self._drawn(name, np.zeros(1), np.ones(1), size)

    def random(self, size: object = None) -> Any:
        """A uniform number; beside means it may only be compared with a probability."""
        self.asked += 1
        return UniformDraw(self, size)

    def uniform(
        self, low: object = 0.0, high: object = 1.0, size: object = None
    ) -> Any:
        if np.ndim(value_of(low)) == np.ndim(value_of(high)) == 0 and (
            low,
            high,
        ) == (
            0,
            1,
        ):
            return self.random(size)
        low, width = (
            _fitting(low, size),
            _fitting(high, size) - _fitting(low, size),
        )
        if np.any(value_of(width) < 0):
            raise NotFinite("A uniform law from high to low is not enumerated.")
        return low + width * ((1 + self._smooth("uniform", size)) / 2)

    def __getattr__(self, name: str) -> Any:
        raise NotFinite(f"The law of rng.{name} is not enumerated.")


ORDERS = (
    "Without replacement, trials are enumerated as rng.permuted(np.tile(np.arange(n), (size, 1)), axis=1)[:, :k];"
    " with it, as rows of the first axis."
)
TWICE = "A uniform number that is compared twice, or compared and computed with, is not one coin."
NO_POLYNOMIAL = "It is no polynomial in draws of known moments, or one of too high a degree."


SIDES = {
    np.less: (0, 1),
    np.less_equal: (0, 1),
    np.greater: (1, 0),
    np.greater_equal: (1, 0),
}
"""Which operand of a comparison is to be the smaller one, and which the larger."""


@dataclass(frozen=True, eq=False)
class UniformDraw(NDArrayOperatorsMixin):
    """A uniform draw: comparing it with p makes it a coin; all else a number, for which its moments stand."""

    __array_priority__ = 1200

    enumerator: Enumerator
    size: Any
    compared: list[bool] = field(default_factory=list)

    @cached_property
    def drawn(self) -> Any:
        if self.compared:
            raise NotFinite(TWICE)
        return (1 + self.enumerator._smooth("uniform", self.size)) / 2

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if ufunc in SIDES:
            low, high = (inputs[k] for k in SIDES[ufunc])
            return (
                low.below(high)
                if isinstance(low, UniformDraw)
                else high.above(low)
            )
        if kwargs.get("out") is not None:
            raise NotFinite(
                "A uniform draw that is changed in its place is not enumerated."
            )
        return getattr(ufunc, method)(*numbers_in(inputs), **kwargs)

    def __array_function__(
        self, function: Callable[..., Any], _: object, args: object, kwargs: Any
    ) -> Any:
        return function(*numbers_in(args), **kwargs)

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        return np.asarray(self.drawn, *args, **kwargs)

    def __len__(self) -> int:
        return len(self.drawn)

    def __getitem__(self, key: object) -> Any:
        return self.drawn[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.drawn)

    def below(self, p: object) -> Any:
        """The coin that shows whether the draw is below p."""
        if isinstance(p, UniformDraw) or (
            isinstance(p, Traced) and p.node in p.tape.random
        ):
            raise NotFinite(
                "A uniform number that is compared with another draw is not one coin."
            )
        if not np.all(
            (np.asarray(value_of(p)) >= 0) & (np.asarray(value_of(p)) <= 1)
        ):
            raise NotFinite(
                "Coins of biases outside [0, 1] are not enumerated."
            )
        if self.compared or "drawn" in vars(self):
            raise NotFinite(TWICE)
        self.compared.append(True)
        if np.ndim(value_of(p)):
            return self.enumerator._each(
                p,
                self.size,
                lambda bias, trials: (
                    UniformDraw(self.enumerator, trials) < bias
                ),
            )
        bias, number = float(value_of(p)), self.enumerator._number(p)
        weights = np.array([1 - bias, bias])
        coin = self.enumerator._drawn(
            "binomial", np.arange(2), weights, self.size, n=1, p=number
        )
        return masked(coin) if isinstance(coin, Traced) else coin.astype(bool)

    def above(self, p: object) -> Any:
        coin = self.below(p)
        return masked(1 - coin) if isinstance(coin, Traced) else ~coin

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.drawn, name)


def numbers_in(x: Any) -> Any:
    """The same, in lists too, with uniform draws that nobody compared as numbers."""
    if type(x) in (list, tuple):
        return type(x)(map(numbers_in, x))
    return x.drawn if isinstance(x, UniformDraw) else x


def _fitting(x: object, size: object) -> Any:
    """A parameter as an array that leaves the size as it is. Raises NotFinite."""
    x = joined(x)
    x = x if isinstance(x, Traced) else np.asarray(x)
    if np.broadcast_shapes(np.shape(value_of(x)), batch(size, 0)) != batch(
        size, 0
    ):
        raise NotFinite(
            "A parameter of another shape than the size is not enumerated."
        )
    return x


@lru_cache(maxsize=256)
def hypergeometric(
    good: int, bad: int, sample: int
) -> tuple[np.ndarray, np.ndarray]:
    """How many of a sample can be good, and the probability of each; a search asks often for one law."""
    from scipy.stats import hypergeom

    k = np.arange(max(0, sample - bad), min(good, sample) + 1)
    weights = hypergeom.pmf(k, good + bad, good, sample)
    k.flags.writeable = weights.flags.writeable = False
    return k, weights


@lru_cache(maxsize=16)
def binomial(n: int, p: float) -> tuple[np.ndarray, np.ndarray]:
    """The counts and the probability of each; a look asks twice."""
    k = np.arange(n + 1)
    weights = np.exp(log_choices(n) + xlogy(k, p) + xlog1py(n - k, -p))
    k.flags.writeable = weights.flags.writeable = False
    return k, weights


LOOSE = 1.5e-8
"""NumPy takes probabilities whose sum is so far from 1, and divides by it."""


def _require_law(p: np.ndarray, count: int) -> None:
    """As NumPy refuses what is no law. Raises ValueError."""
    if p.shape != (count,):
        raise ValueError("a and p must have same size")
    if np.any(p < 0) or np.any(np.isnan(p)):
        raise ValueError("Probabilities are not non-negative")
    if abs(p.sum() - 1) > LOOSE:
        raise ValueError(
            "Probabilities do not sum to 1. Divide them by their sum."
        )


def _one(x: object) -> int:
    """A whole number that is the same in all trials. Raises NotFinite."""
    return int(_scalar(x))


def _scalar(x: object) -> Any:
    if np.ndim(value_of(x)) != 0:
        raise NotFinite(
            "A law whose parameters differ between the trials is not enumerated."
        )
    return x
