"""Draws of a map at ordinary and nasty points, and what they show: its bias, bounds, variance and rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product
from math import inf, isfinite, isinf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.checking.confidence.bounded_mean import (
    BoundedSample,
    pointwise_level,
    slope_band,
)
from boundcheck.checking.sampling import Stream
from boundcheck.features.conform.contract import (
    HOLDS,
    INCONCLUSIVE,
    REFUTED,
    VACUOUS,
    Design,
    Item,
)
from boundcheck.features.conform.kernels import Kernel
from boundcheck.features.conform.maps import FeatureMap, MapError
from boundcheck.features.kernels import Matrix, Vector

FAR, NEAR = 10.0, 1e-6
NAMES = ("zero", "a", "a again", "near a", "b", "c", "far")
PAIRS = (
    ("zero", "zero"), ("a", "a"), ("a", "a again"), ("a", "near a"), ("a", "b"), ("a", "c"), ("zero", "a"),
    ("a", "far"), ("far", "far"),
)  # fmt: skip
LABELS = [f"({x}, {y})" for x, y in PAIRS]


@dataclass(frozen=True)
class Points:
    """Probe points X (p, d), data (rows, d) to fit on, pairs as two arrays of rows; k is the kernel there."""

    X: Matrix
    data: Matrix
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    k: Vector
    scale: Vector
    """sqrt(k(x, x) k(y, y)), or 1 where it is 0: what a bias is small against."""

    @property
    def same(self) -> NDArray[np.bool_]:
        """Where x = y, so that phi(x)^T phi(y) is a square."""
        return (self.X[self.left] == self.X[self.right]).all(axis=1)

    def products(self, phi: NDArray) -> Vector:
        """phi(x)^T phi(y) at the pairs, for phi (p, s)."""
        return np.einsum("ij,ij->i", phi[self.left], phi[self.right])


def probe_points(
    kernel: Kernel, inputs: int, rows: int, rng: np.random.Generator
) -> Points:
    """Points and data within the domain of the kernel: `length` is its unit, `lowest` its end."""
    a, b, c, *data = _draw(kernel, rng, 3 + rows, inputs)
    within = kernel.lowest < 0 or kernel.closed
    origin = np.full(inputs, 0.0 if within else kernel.lowest + kernel.length)
    step = np.eye(inputs)[0] * kernel.length
    far = FAR * np.abs(a) + FAR * step
    X = np.stack([origin, a, a, a + NEAR * step, b, c, far])
    left, right = np.array(
        [[NAMES.index(x), NAMES.index(y)] for x, y in PAIRS]
    ).T
    k, own = kernel.at(X[left], X[right]), kernel.at(X, X)
    scale = np.sqrt(own[left] * own[right])
    return Points(
        X, np.stack(data), left, right, k, np.where(scale > 0, scale, 1.0)
    )


def _draw(
    kernel: Kernel, rng: np.random.Generator, n: int, inputs: int
) -> Matrix:
    """b is about a length from a: entries are normal of variance 1 / (2 d), or exponential above `lowest`."""
    if isinf(kernel.lowest):
        return (
            kernel.length * rng.normal(size=(n, inputs)) / np.sqrt(2 * inputs)
        )
    return kernel.lowest + kernel.length * rng.exponential(size=(n, inputs))


# draws


SEEDS = 2**32  # a random_state is below: what numpy.random.RandomState takes


@dataclass(frozen=True)
class _Trials:
    """`values` (sizes, trials, pairs) are phi(x)^T phi(y); `norms` and `features` (sizes, points) the largest
    |phi(x)|^2 and s phi_i(x)^2 seen at each point; `random` is whether two fits can differ."""

    sizes: tuple[int, ...]
    widths: tuple[int, ...]
    values: NDArray[np.float64]
    norms: NDArray[np.float64]
    features: NDArray[np.float64]
    random: bool

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.norms).all())


def feature_draws(
    subject: FeatureMap,
    points: Points,
    design: Design,
    advance: Callable[[str], object] = lambda now: None,
) -> _Trials:
    """Fit and transform with fresh seeds, `trials` times a size, once if not random. Raises MapError."""
    random = subject.random or _varies(subject, points, design)
    trials = design.trials if random else 1
    values = np.empty((len(design.sizes), trials, len(points.k)))
    norms, features = np.zeros((2, len(design.sizes), len(points.X)))
    widths = []
    for j, s in enumerate(design.sizes):
        seeds = Stream(design.seed, (1, s)).rng().integers(SEEDS, size=trials)
        width = 0
        for t, seed in enumerate(seeds.tolist()):
            phi = _features(subject, s, seed, points)
            squares = phi * phi
            values[j, t], width = points.products(phi), phi.shape[1]
            np.maximum(norms[j], squares.sum(axis=1), out=norms[j])
            np.maximum(
                features[j], width * squares.max(axis=1), out=features[j]
            )
            advance(f"draws at s = {s}")
        widths.append(width)
    return _Trials(design.sizes, tuple(widths), values, norms, features, random)


def _varies(subject: FeatureMap, points: Points, design: Design) -> bool:
    """Whether a map without a seed is random all the same."""
    one, two = (
        subject.features(design.sizes[-1], 0, points.data, points.X)
        for _ in range(2)
    )
    return one.tobytes() != two.tobytes()


def _features(
    subject: FeatureMap, s: int, seed: int, points: Points
) -> NDArray[np.float64]:
    phi = np.asarray(
        subject.features(s, seed, points.data, points.X), dtype=np.float64
    )
    if phi.ndim != 2 or len(phi) != len(points.X) or phi.shape[1] == 0:
        given = f"gives shape {phi.shape} for {len(points.X)} points"
        raise MapError(
            f"transform of {subject.name} {given}; it must give one row a point."
        )
    return phi


# what the draws show


ROUNDING = 1e-9
"""What rounding may add to a range or bound, relative to it, or to a bias, relative to its scale."""

NO_RANGE = "no range of phi(x)^T phi(y) is stated, or a draw has left it (see bounded); state one with --bound"


@dataclass(frozen=True)
class Moments:
    """The draws with what is stated of them; a range that a draw has left is no range."""

    trials: _Trials
    points: Points
    kernel: Kernel
    design: Design

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """|phi(x)^T phi(y)| at most, at each pair (Cauchy-Schwarz); infinite if not stated or seen wrong."""
        stated = np.maximum(
            self.kernel.reaches(self.points.X) * (1 + ROUNDING), ROUNDING
        )
        own = np.where((self.trials.norms <= stated).all(), stated, inf)
        return np.sqrt(own[self.points.left]) * np.sqrt(own[self.points.right])

    @cached_property
    def low(self) -> NDArray[np.float64]:
        """phi(x)^T phi(y) at least: a square is not negative, whatever the range."""
        return np.where(self.points.same, 0.0, -self.reach)

    @property
    def ranged(self) -> bool:
        """Whether all products have a range."""
        return self.trials.finite and bool(np.isfinite(self.reach).all())

    @property
    def errors(self) -> NDArray[np.float64]:
        """Squared errors (sizes, trials), relative to the scales, averaged over the pairs."""
        points = self.points
        relative = (self.trials.values - points.k) / points.scale
        return np.mean(relative**2, axis=2)

    @property
    def share(self) -> float:
        """Error of each of the three sampled items."""
        return self.design.level / 3

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Numbers of all sizes and pairs."""
        return list(product(range(len(self.design.sizes)), range(len(PAIRS))))

    @property
    def cell_level(self) -> float:
        """Error of each side at each size and pair."""
        return self.share / (2 * len(self.cells))


# bias: an interval at every pair and size


RESOLVED = 0.1
"""A bias of so much of its scale must be excluded at the largest size before "unbiased" holds."""


@dataclass(frozen=True)
class Bias:
    """What is known of E phi(x)^T phi(y) at a pair and a size; `width`: the largest bias left, in scales."""

    pair: str
    s: int
    k: float
    interval: tuple[float, float]
    width: float
    alike: str

    @property
    def size(self) -> float:
        """How far the interval is from k; negative if k is within."""
        return max(self.interval[0] - self.k, self.k - self.interval[1])


def unbiased(this: Moments) -> Item:
    """Every pair at every size, both sides; an interval at the largest size."""
    found = [_bias(this, j, p) for j, p in this.cells]
    wrong = [bias for bias in found if bias.size > 0]
    trials = f"{this.design.trials} trials each"
    if wrong:
        worst = max(wrong, key=lambda bias: bias.size)
        low, high = worst.interval
        numbers = {"interval": [low, high], "k": worst.k}
        reason = (
            f"E phi(x)^T phi(y) is in [{low:.4g}, {high:.4g}]"
            f" and k = {worst.k:.4g} at (x, y) = {worst.pair},"
            f" s = {worst.s}{worst.alike}; {len(wrong)} of {len(found)} pairs and sizes, {trials}"
        )
        place = {"pair": worst.pair, "s": worst.s}
        return Item("unbiased", REFUTED, reason, numbers | place)
    last = found[-len(PAIRS) :]
    worst = max(last, key=lambda bias: bias.width)
    numbers = {"largest_bias_possible": worst.width, "pair": worst.pair}
    sizes = ", ".join(map(str, this.design.sizes))
    looked = f"no pair of {len(last)} at s = {sizes} is biased, by {trials}"
    if worst.width <= RESOLVED:
        reason = f"{looked}; at s = {worst.s} a bias is at most {worst.width:.2g} of sqrt(k(x, x) k(y, y))"
        return Item("unbiased", HOLDS, reason, numbers)
    missed = f"a bias of {RESOLVED:g} would have been missed at {worst.pair}"
    needed = this.design.trials * (worst.width / RESOLVED) ** 2
    more = (
        f"about {needed:.1g} trials would show it"
        if isfinite(needed)
        else NO_RANGE
    )
    return Item(
        "unbiased", INCONCLUSIVE, f"{looked}, but {missed}: {more}", numbers
    )


def _bias(this: Moments, j: int, p: int) -> Bias:
    k, scale, draws = (
        this.points.k[p],
        this.points.scale[p],
        this.trials.values[j, :, p],
    )
    interval = -inf, inf
    if isfinite(this.low[p]) and this.trials.finite:
        sample = BoundedSample(float(this.low[p]), float(this.reach[p]))
        interval = sample.observe(draws).interval(this.cell_level)
    width = float(max(interval[1] - k, k - interval[0]) / scale)
    alike = (
        f", where all draws are {draws[0]:.6g}"
        if np.ptp(draws) <= ROUNDING
        else ""
    )
    return Bias(LABELS[p], this.design.sizes[j], k, interval, width, alike)


# bounds: stated ones, or growth without one


STRETCHES = (1.0, 10.0, 100.0, 1000.0)


def bounded(this: Moments, subject: FeatureMap) -> Item:
    """The largest |phi(x)|^2 and s phi_i(x)^2 against what is stated; without a bound, growth along a ray."""
    kernel, trials = this.kernel, this.trials
    if not trials.finite:
        what = "a feature is infinite or not a number at the probe points"
        return Item("bounded", REFUTED, what)
    norm, feature = float(trials.norms.max()), float(trials.features.max())
    seen = f"the largest |phi(x)|^2 is {norm:.4g}, the largest s phi_i(x)^2 is {feature:.4g}"
    numbers: dict[str, Any] = {"largest_norm": norm, "largest_feature": feature}
    if isfinite(kernel.bound):
        of_each = (
            f"{kernel.feature:g}" if isfinite(kernel.feature) else "nothing"
        )
        reason = f"{seen}; stated are {kernel.bound:g} and {of_each}"
        excess = max(norm / kernel.bound, feature / kernel.feature)
        outcome = REFUTED if excess > 1 + ROUNDING else HOLDS
        return Item(
            "bounded", outcome, reason, numbers | {"stated": kernel.bound}
        )
    ray = this.points.X[1] * np.array(STRETCHES)[:, None]
    phi = subject.features(trials.sizes[-1], 0, this.points.data, ray)
    grown = np.square(phi, dtype=np.float64).sum(axis=1)
    numbers["growth"] = grown.tolist()
    if _doubles(grown):
        values = ", ".join(f"{value:.3g}" for value in grown)
        reason = f"|phi(t x)|^2 = {values} at t = 1, 10, 100, 1000: no bound for all x"
        why = _kept(this) + _unbounded(kernel, ray)
        return Item("bounded", REFUTED, reason + why, numbers)
    reason = f"{seen}; no bound is stated: give one with --bound"
    return Item("bounded", INCONCLUSIVE, reason, numbers)


def _doubles(values: np.ndarray) -> bool:
    """At each step: then there is no bound."""
    return bool(np.all(values[1:] > 2 * np.maximum(values[:-1], 1e-300)))


def _kept(this: Moments) -> str:
    reaches = this.kernel.reaches(this.points.X)
    if (
        not (this.trials.norms <= reaches * (1 + ROUNDING)).all()
        or inf in reaches
    ):
        return ""
    return f"; at each x |phi(x)|^2 stays within its own bound, {reaches.max():.4g} at most"


def _unbounded(kernel: Kernel, ray: Matrix) -> str:
    none = "; k(t x, t x) has none either, so no map of this kernel has"
    return none if _doubles(kernel.at(ray, ray)) else ""


# variance: bets on halves of squared differences of two draws, whose mean it is


COARSE = 2.0
"""A variance so many times the stated one must be excluded at the least size before "variance" holds."""


@dataclass(frozen=True)
class Spread:
    """The variance at a pair with s features: stated, seen, and bounds, the lower one if above the stated."""

    pair: str
    s: int
    stated: float
    mean: float
    low: float
    high: float

    def times(self, value: float) -> float:
        """How many times the stated variance a value is."""
        return value / max(self.stated, 1e-300)


def variance(this: Moments) -> Item:
    """Var <= V / s at each pair and size: half a squared difference of two draws has mean Var."""
    if not this.ranged:
        return Item("variance", INCONCLUSIVE, NO_RANGE)
    if this.kernel.variance is None:
        seen = float(np.var(this.trials.values[-1], axis=0).max())
        largest = (
            f"the largest seen at s = {this.design.sizes[-1]} is {seen:.3g}"
        )
        why = f"no variance is stated for these features; {largest}"
        return Item("variance", VACUOUS, why)
    X, left, right = this.points.X, this.points.left, this.points.right
    stated = this.kernel.variance(X[left], X[right])
    found = [_spread(this, j, p, float(stated[p])) for j, p in this.cells]
    worst = max(found, key=lambda spread: spread.times(spread.low))
    if worst.low > worst.stated * (1 + ROUNDING):
        seen = (
            f"Var is at least {worst.low:.3g} and stated is {worst.stated:.3g}"
        )
        reason = f"{seen} at (x, y) = {worst.pair}, s = {worst.s}"
        return Item("variance", REFUTED, reason, asdict(worst))
    return _within(found)


def _within(found: list[Spread]) -> Item:
    stated = [spread for spread in found if spread.stated > 0]
    tightest = max(stated, key=lambda spread: spread.times(spread.mean))
    least = [spread for spread in stated if spread.s == found[0].s]
    loosest = max(least, key=lambda spread: spread.times(spread.high))
    high = loosest.times(loosest.high)
    reason = (
        f"the largest sample variance is {tightest.times(tightest.mean):.3g} of the stated one,"
        f" at {tightest.pair}, s = {tightest.s}; none of {len(found)} pairs and sizes is surely above it,"
        f" and at s = {loosest.s} none above {high:.3g} of it"
    )
    if high > COARSE:
        more = f"{reason}: give more --trials"
        return Item("variance", INCONCLUSIVE, more, asdict(loosest))
    return Item("variance", HOLDS, reason, asdict(tightest))


def _spread(this: Moments, j: int, p: int, stated: float) -> Spread:
    draws, s, level = (
        this.trials.values[j, :, p],
        this.trials.widths[j],
        this.cell_level,
    )
    half = len(draws) // 2
    halves = (draws[:half] - draws[half : 2 * half]) ** 2 / 2
    most = float((this.reach[p] - this.low[p]) ** 2 / 2) * (1 + ROUNDING)
    sample = BoundedSample(0.0, most).observe(halves)
    above = sample.log_e_values(stated / s)[0] >= -log(level)
    low = sample.lower(level) if above else 0.0
    high = inf if j else sample.upper(level)
    mean = float(np.mean(halves)) if half else 0.0
    return Spread(LABELS[p], s, stated / s, mean, low, high)


# rate: a band for the slope of the squared error against s on logarithmic scales


SLOWEST = -0.9
"""A slope surely above this is slower than 1 / s; the tenth is for higher orders at sizes this small."""

ALREADY_SLOW = -0.5
"""A slope surely below this tells 1 / s from 1 / sqrt(s)."""


def _rate(this: Moments) -> Item:
    """The slope of the squared error, averaged over the pairs, against s; without randomness it is known."""
    trials, errors = this.trials, this.errors
    if len(set(trials.widths)) < len(trials.widths):
        return Item("rate", VACUOUS, "the number of features does not follow s")
    if trials.random:
        if not this.ranged:
            return Item("rate", INCONCLUSIVE, NO_RANGE)
        farthest = (this.reach + np.abs(this.points.k)) / this.points.scale
        range_ = BoundedSample(
            0.0, float(np.mean(farthest**2)) * (1 + ROUNDING)
        )
        level = pointwise_level(this.share / 2, len(this.design.sizes))
        ends = [range_.observe(row).interval(level) for row in errors]
    elif not np.isfinite(errors).all():
        return Item(
            "rate", INCONCLUSIVE, "a feature is infinite or not a number"
        )
    elif errors.max() <= ROUNDING**2:
        return Item("rate", HOLDS, "the error is rounding at every size")
    else:
        ends = [(error, error) for error in errors[:, 0]]
    band = slope_band(np.log(trials.widths), *zip(*ends, strict=True))
    return judged_rate(band, trials.widths, errors.mean(axis=1).tolist())


def judged_rate(
    band: tuple[float, float], widths: tuple[int, ...], errors: list[float]
) -> Item:
    """The verdict on a slope known to lie in a band."""
    low, high = band
    pairs = zip(widths, errors, strict=True)
    seen = ", ".join(f"{error:.3g} at s = {s}" for s, error in pairs)
    numbers = {"slope": [low, high], "errors": errors, "sizes": list(widths)}
    reason = f"the slope of log mean squared error is in [{low:.3g}, {high:.3g}]; mean squared error {seen}"
    if low > SLOWEST:
        return Item("rate", REFUTED, f"{reason}: slower than 1 / s", numbers)
    if high < ALREADY_SLOW:
        return Item("rate", HOLDS, f"{reason}: compatible with 1 / s", numbers)
    wide = "the band does not tell 1 / s from 1 / sqrt(s); give more --trials"
    return Item("rate", INCONCLUSIVE, f"{reason}: {wide}", numbers)


# without randomness one look at each size is exact up to rounding


def exact_unbiased(this: Moments) -> Item:
    """The bias at every pair and size."""
    trials, points = this.trials, this.points
    bias = np.abs((trials.values[:, 0] - points.k) / points.scale)
    largest = bias.max(axis=1)
    pairs = zip(largest, trials.widths, strict=True)
    sizes = ", ".join(
        f"{value:.4g} with {width} features" for value, width in pairs
    )
    reason = f"no randomness; the largest |phi(x)^T phi(y) - k| / sqrt(k(x, x) k(y, y)) is {sizes}"
    numbers = {
        "largest_bias": largest.tolist(),
        "features": list(trials.widths),
    }
    if largest.max() <= ROUNDING:
        return Item("unbiased", HOLDS, reason, numbers)
    j, p = np.unravel_index(bias.argmax(), bias.shape)
    worst = (
        f"phi(x)^T phi(y) = {trials.values[j, 0, p]:.6g} and k = {points.k[p]:.6g} at (x, y) = {LABELS[p]}"
        f" with {trials.widths[j]} features"
    )
    numbers["pair"] = LABELS[p]
    return Item("unbiased", REFUTED, f"{reason}; {worst}", numbers)


NO_SEED = Item(
    "variance", VACUOUS, "the map takes no random_state: nothing varies"
)


def judges(this: Moments, subject: FeatureMap) -> dict[str, Callable[[], Item]]:
    """What decides each of the items that draws decide."""
    exact = not this.trials.random
    return {
        "bounded": lambda: bounded(this, subject),
        "unbiased": lambda: exact_unbiased(this) if exact else unbiased(this),
        "variance": lambda: NO_SEED if exact else variance(this),
        "rate": lambda: _rate(this),
    }
