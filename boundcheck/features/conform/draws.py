"""Draws of a map at ordinary and nasty points, and what they show: its bias, bounds, variance and rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product, starmap
from math import inf, isfinite, isinf, log

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

FAR = 10.0
NEAR = 1e-6
PAIRS = (
    ("zero", "zero"), ("a", "a"), ("a", "a again"), ("a", "near a"), ("a", "b"), ("a", "c"), ("zero", "a"),
    ("a", "far"), ("far", "far"),
)  # fmt: skip


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
    def labels(self) -> list[str]:
        return list(starmap("({}, {})".format, PAIRS))

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
    origin = np.full(
        inputs,
        0.0 if kernel.lowest < 0 or kernel.closed else kernel.lowest + kernel.length,
    )
    step = np.eye(inputs)[0] * kernel.length
    near, far = a + NEAR * step, FAR * np.abs(a) + FAR * step
    named = {
        "zero": origin,
        "a": a,
        "a again": a,
        "near a": near,
        "b": b,
        "c": c,
        "far": far,
    }
    X, places = np.stack(list(named.values())), list(named)
    left, right = (
        np.array([places.index(name) for name in side])
        for side in zip(*PAIRS, strict=True)
    )
    k, own = kernel.at(X[left], X[right]), kernel.at(X, X)
    scale = np.sqrt(own[left] * own[right])
    return Points(X, np.stack(data), left, right, k, np.where(scale > 0, scale, 1.0))


def _draw(kernel: Kernel, rng: np.random.Generator, n: int, inputs: int) -> Matrix:
    """b is about a length from a: entries are normal of variance 1 / (2 d), or exponential above `lowest`."""
    if isinf(kernel.lowest):
        return kernel.length * rng.normal(size=(n, inputs)) / np.sqrt(2 * inputs)
    return kernel.lowest + kernel.length * rng.exponential(size=(n, inputs))


# draws


SEEDS = 2**32
"""A random_state is a whole number below this: what numpy.random.RandomState takes."""


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
            np.maximum(features[j], width * squares.max(axis=1), out=features[j])
            advance(f"draws at s = {s}")
        widths.append(width)
    return _Trials(design.sizes, tuple(widths), values, norms, features, random)


def _varies(subject: FeatureMap, points: Points, design: Design) -> bool:
    """Whether a map without a seed is random all the same."""
    one, two = (
        subject.features(design.sizes[-1], 0, points.data, points.X) for _ in range(2)
    )
    return one.tobytes() != two.tobytes()


def _features(
    subject: FeatureMap, s: int, seed: int, points: Points
) -> NDArray[np.float64]:
    phi = np.asarray(subject.features(s, seed, points.data, points.X), dtype=np.float64)
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

    @property
    def share(self) -> float:
        """Error of each of the three sampled items."""
        return self.design.level / 3

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Numbers of all sizes and pairs."""
        return list(product(range(len(self.design.sizes)), range(len(self.points.k))))


# bias: bets at every pair and size, and intervals at the largest size


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
    refuted: bool

    @property
    def size(self) -> float:
        """How far the interval is from k."""
        return max(self.interval[0] - self.k, self.k - self.interval[1])


def unbiased(this: Moments) -> Item:
    """Every pair at every size, both sides; an interval at the largest size."""
    level = this.share / (2 * len(this.points.k) * len(this.design.sizes))
    found = [_bias(this, j, p, level) for j, p in this.cells]
    wrong = [bias for bias in found if bias.refuted]
    if wrong:
        worst = max(wrong, key=lambda bias: bias.size)
        numbers = {
            "interval": list(worst.interval),
            "k": worst.k,
            "pair": worst.pair,
            "s": worst.s,
        }
        return Item(
            "unbiased", REFUTED, _biased(this, worst, len(wrong), len(found)), numbers
        )
    return _none_biased(this, found[-len(this.points.k) :])


def _none_biased(this: Moments, last: list[Bias]) -> Item:
    worst = max(last, key=lambda bias: bias.width)
    numbers = {"largest_bias_possible": worst.width, "pair": worst.pair}
    sizes = ", ".join(map(str, this.design.sizes))
    looked = f"no pair of {len(last)} at s = {sizes} is biased, by {this.design.trials} trials each"
    if worst.width <= RESOLVED:
        reason = f"{looked}; at s = {worst.s} a bias is at most {worst.width:.2g} of sqrt(k(x, x) k(y, y))"
        return Item("unbiased", HOLDS, reason, numbers)
    missed = f"a bias of {RESOLVED:g} would have been missed at {worst.pair}"
    reason = f"{looked}, but {missed}: {_more(this, worst.width)}"
    return Item("unbiased", INCONCLUSIVE, reason, numbers)


def _more(this: Moments, width: float) -> str:
    if not isfinite(width):
        return NO_RANGE
    return (
        f"about {this.design.trials * (width / RESOLVED) ** 2:.1g} trials would show it"
    )


def _bias(this: Moments, j: int, p: int, level: float) -> Bias:
    k, scale, s = this.points.k[p], this.points.scale[p], this.design.sizes[j]
    sample = _sample(this, j, p)
    if sample is None:
        return Bias(this.points.labels[p], s, k, (-inf, inf), inf, False)
    refuted = max(sample.log_e_values(k)) >= -log(level)
    if not refuted and s != this.design.sizes[-1]:
        return Bias(this.points.labels[p], s, k, (-inf, inf), inf, False)
    low, high = sample.interval(level)
    return Bias(
        this.points.labels[p],
        s,
        k,
        (low, high),
        float(max(high - k, k - low) / scale),
        refuted,
    )


def _sample(this: Moments, j: int, p: int) -> BoundedSample | None:
    """The products of a pair; squares are not negative whatever the range."""
    reach, low = (
        float(this.reach[p]),
        0.0 if this.points.same[p] else -float(this.reach[p]),
    )
    if not isfinite(low) or not this.trials.finite:
        return None
    return BoundedSample(low, reach).observe(this.trials.values[j, :, p])


def _biased(this: Moments, bias: Bias, wrong: int, tests: int) -> str:
    low, high = bias.interval
    draws = this.trials.values[
        this.design.sizes.index(bias.s), :, this.points.labels.index(bias.pair)
    ]
    alike = f", where all draws are {draws[0]:.6g}" if np.ptp(draws) <= ROUNDING else ""
    return (
        f"E phi(x)^T phi(y) is in [{low:.4g}, {high:.4g}] and k = {bias.k:.4g} at (x, y) = {bias.pair},"
        f" s = {bias.s}{alike};"
        f" {wrong} of {tests} pairs and sizes, {this.design.trials} trials each"
    )


# bounds: stated ones, or growth without one


STRETCHES = (1.0, 10.0, 100.0, 1000.0)


def bounded(this: Moments, subject: FeatureMap) -> Item:
    """The largest |phi(x)|^2 and s phi_i(x)^2 against what is stated; without a bound, growth along a ray."""
    kernel, trials = this.kernel, this.trials
    if not trials.finite:
        return Item(
            "bounded",
            REFUTED,
            "a feature is infinite or not a number at the probe points",
        )
    norm, feature = float(trials.norms.max()), float(trials.features.max())
    seen = f"the largest |phi(x)|^2 is {norm:.4g}, the largest s phi_i(x)^2 is {feature:.4g}"
    numbers = {"largest_norm": norm, "largest_feature": feature}
    if isfinite(kernel.bound):
        return _against(kernel, norm, feature, seen, numbers)
    return _growing(this, subject, seen, numbers)


def _against(
    kernel: Kernel, norm: float, feature: float, seen: str, numbers: dict[str, float]
) -> Item:
    of_each = f"{kernel.feature:g}" if isfinite(kernel.feature) else "nothing"
    stated = f"stated are {kernel.bound:g} and {of_each}"
    over = norm > kernel.bound * (1 + ROUNDING) or feature > kernel.feature * (
        1 + ROUNDING
    )
    outcome = REFUTED if over else HOLDS
    return Item(
        "bounded", outcome, f"{seen}; {stated}", {**numbers, "stated": kernel.bound}
    )


def _growing(
    this: Moments, subject: FeatureMap, seen: str, numbers: dict[str, float]
) -> Item:
    """|phi(t x)|^2 at t = 1, 10, 100, 1000: a map whose square norm doubles at each step has no bound."""
    kernel, points, trials = this.kernel, this.points, this.trials
    reaches, kept = kernel.reaches(points.X), ""
    if np.isfinite(reaches).all() and (trials.norms <= reaches * (1 + ROUNDING)).all():
        kept = f"; at each x |phi(x)|^2 stays within its own bound, {reaches.max():.4g} at most"
    ray = points.X[1] * np.array(STRETCHES)[:, None]
    grown = np.square(
        subject.features(trials.sizes[-1], 0, points.data, ray), dtype=np.float64
    ).sum(axis=1)
    numbers = {**numbers, "growth": grown.tolist()}
    if _doubles(grown):
        if _doubles(kernel.at(ray, ray)):
            kept += "; k(t x, t x) has none either, so no map of this kernel has"
        values = ", ".join(f"{value:.3g}" for value in grown)
        reason = (
            f"|phi(t x)|^2 = {values} at t = 1, 10, 100, 1000: no bound for all x{kept}"
        )
        return Item("bounded", REFUTED, reason, numbers)
    return Item(
        "bounded",
        INCONCLUSIVE,
        f"{seen}; no bound is stated: give one with --bound",
        numbers,
    )


def _doubles(values: np.ndarray) -> bool:
    return bool(np.all(np.diff(np.log(np.maximum(values, 1e-300))) > np.log(2)))


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


def variance(this: Moments) -> Item:
    """Var <= V / s at each pair and size: half a squared difference of two draws has mean Var."""
    if (
        this.kernel.variance is None
        or not this.trials.finite
        or not np.isfinite(this.reach).all()
    ):
        return _no_variance(this)
    stated = this.kernel.variance(
        this.points.X[this.points.left], this.points.X[this.points.right]
    )
    level = this.share / (2 * len(this.cells))
    found = [_spread(this, j, p, float(stated[p]), level) for j, p in this.cells]
    wrong = [spread for spread in found if spread.low > spread.stated * (1 + ROUNDING)]
    if wrong:
        spread = max(wrong, key=lambda spread: spread.low / max(spread.stated, 1e-300))
        seen = f"Var is at least {spread.low:.3g} and stated is {spread.stated:.3g}"
        reason = f"{seen} at (x, y) = {spread.pair}, s = {spread.s}"
        return Item("variance", REFUTED, reason, asdict(spread))
    return _within(this, found)


def _within(this: Moments, found: list[Spread]) -> Item:
    stated = [spread for spread in found if spread.stated > 0]
    tightest, least = (
        max(stated, key=lambda spread: spread.mean / spread.stated),
        this.trials.widths[0],
    )
    loosest = max(
        (sp for sp in stated if sp.s == least),
        key=lambda spread: spread.high / spread.stated,
    )
    reason = (
        f"the largest sample variance is {tightest.mean / tightest.stated:.3g} of the stated one,"
        f" at {tightest.pair}, s = {tightest.s};"
        f" none of {len(found)} pairs and sizes is surely above it, and at s = {loosest.s} none"
        f" above {loosest.high / loosest.stated:.3g} of it"
    )
    if loosest.high > COARSE * loosest.stated:
        return Item(
            "variance", INCONCLUSIVE, f"{reason}: give more --trials", asdict(loosest)
        )
    return Item("variance", HOLDS, reason, asdict(tightest))


def _no_variance(this: Moments) -> Item:
    if not np.isfinite(this.reach).all() or not this.trials.finite:
        return Item("variance", INCONCLUSIVE, NO_RANGE)
    seen = float(np.var(this.trials.values[-1], axis=0).max())
    largest = f"the largest seen at s = {this.design.sizes[-1]} is {seen:.3g}"
    why = f"no variance is stated for these features; {largest}"
    return Item("variance", VACUOUS, why)


def _spread(this: Moments, j: int, p: int, stated: float, level: float) -> Spread:
    draws = this.trials.values[j, :, p]
    half = len(draws) // 2
    halves = (draws[:half] - draws[half : 2 * half]) ** 2 / 2
    low = 0.0 if this.points.same[p] else -this.reach[p]
    sample = BoundedSample(
        0.0, float((this.reach[p] - low) ** 2 / 2) * (1 + ROUNDING)
    ).observe(halves)
    s = this.trials.widths[j]
    above = sample.log_e_values(stated / s)[0] >= -log(level)
    low, high = sample.lower(level) if above else 0.0, inf if j else sample.upper(level)
    return Spread(
        this.points.labels[p],
        s,
        stated / s,
        float(np.mean(halves)) if half else 0.0,
        low,
        high,
    )


# rate: a band for the slope of the squared error against s on logarithmic scales


SLOWEST = -0.9
"""A slope surely above this is slower than 1 / s; the tenth is for higher orders at sizes this small."""

ALREADY_SLOW = -0.5
"""A slope surely below this tells 1 / s from 1 / sqrt(s)."""


NO_SIZE = Item("rate", VACUOUS, "the number of features does not follow s")
NO_SEED = Item("variance", VACUOUS, "the map takes no random_state: nothing varies")


def _rate(this: Moments) -> Item:
    """The slope of the squared error, averaged over the pairs, against s."""
    if len(set(this.trials.widths)) < len(this.trials.widths):
        return NO_SIZE
    ranges = ((this.reach + np.abs(this.points.k)) / this.points.scale) ** 2
    if not this.trials.finite or not np.isfinite(ranges).all():
        return Item("rate", INCONCLUSIVE, NO_RANGE)
    errors = np.mean(
        ((this.trials.values - this.points.k) / this.points.scale) ** 2, axis=2
    )
    level = pointwise_level(this.share / 2, len(this.design.sizes))
    top = float(ranges.mean()) * (1 + ROUNDING)
    ends = [BoundedSample(0.0, top).observe(row).interval(level) for row in errors]
    band = slope_band(np.log(this.trials.widths), *zip(*ends, strict=True))
    return judged_rate(band, this.trials.widths, errors.mean(axis=1).tolist())


def judged_rate(
    band: tuple[float, float], widths: tuple[int, ...], errors: list[float]
) -> Item:
    """The verdict on a slope known to lie in a band."""
    low, high = band
    seen = ", ".join(
        f"{error:.3g} at s = {s}" for s, error in zip(widths, errors, strict=True)
    )
    numbers = {"slope": [low, high], "errors": errors, "sizes": list(widths)}
    reason = f"the slope of log mean squared error is in [{low:.3g}, {high:.3g}]; mean squared error {seen}"
    if low > SLOWEST:
        return Item("rate", REFUTED, f"{reason}: slower than 1 / s", numbers)
    if high < ALREADY_SLOW:
        return Item("rate", HOLDS, f"{reason}: compatible with 1 / s", numbers)
    wide = (
        f"{reason}: the band does not tell 1 / s from 1 / sqrt(s); give more --trials"
    )
    return Item("rate", INCONCLUSIVE, wide, numbers)


# without randomness one look at each size is exact up to rounding


def exact_unbiased(this: Moments) -> Item:
    """The bias at every pair and size."""
    trials, points = this.trials, this.points
    bias = (trials.values[:, 0] - points.k) / points.scale
    largest = np.abs(bias).max(axis=1)
    j, p = np.unravel_index(np.abs(bias).argmax(), bias.shape)
    pairs = zip(largest, trials.widths, strict=True)
    sizes = ", ".join(f"{value:.4g} with {width} features" for value, width in pairs)
    reason = f"no randomness; the largest |phi(x)^T phi(y) - k| / sqrt(k(x, x) k(y, y)) is {sizes}"
    numbers = {"largest_bias": largest.tolist(), "features": list(trials.widths)}
    if largest.max() <= ROUNDING:
        return Item("unbiased", HOLDS, reason, numbers)
    pair, k = points.labels[p], points.k[p]
    worst = f"phi(x)^T phi(y) = {trials.values[j, 0, p]:.6g} and k = {k:.6g} at (x, y) = {pair}"
    numbers = {**numbers, "pair": pair}
    return Item(
        "unbiased",
        REFUTED,
        f"{reason}; {worst} with {trials.widths[j]} features",
        numbers,
    )


def exact_rate(this: Moments) -> Item:
    """The slope of the squared error, averaged over the pairs, against the number of features."""
    trials, points = this.trials, this.points
    if len(set(trials.widths)) < len(trials.widths):
        return NO_SIZE
    errors = np.mean(((trials.values[:, 0] - points.k) / points.scale) ** 2, axis=1)
    if not np.isfinite(errors).all():
        return Item("rate", INCONCLUSIVE, "a feature is infinite or not a number")
    if errors.max() <= ROUNDING**2:
        return Item("rate", HOLDS, "the error is rounding at every size")
    return judged_rate(
        slope_band(np.log(trials.widths), errors, errors),
        trials.widths,
        errors.tolist(),
    )


def judges(this: Moments, subject: FeatureMap) -> dict[str, Callable[[], Item]]:
    """What decides each of the items that draws decide."""
    exact = not this.trials.random
    return {
        "bounded": lambda: bounded(this, subject),
        "unbiased": lambda: exact_unbiased(this) if exact else unbiased(this),
        "variance": lambda: NO_SEED if exact else variance(this),
        "rate": lambda: exact_rate(this) if exact else _rate(this),
    }
