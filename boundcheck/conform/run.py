"""A conformance run: the subject and its kernel, the draws, and every item of the contract."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from boundcheck.checking.sampling import Stream
from boundcheck.conform import exact
from boundcheck.conform.bias import unbiased
from boundcheck.conform.bounds import bounded
from boundcheck.conform.documented import Statement, documented
from boundcheck.conform.interface import interface
from boundcheck.conform.kernels import NAMED, Kernel, bounded_by, fourier, plain
from boundcheck.conform.known import known
from boundcheck.conform.maps import FeatureMap, MapError, named, sentence
from boundcheck.conform.moments import Moments
from boundcheck.conform.plan import Plan
from boundcheck.conform.points import Points, probe
from boundcheck.conform.rate import rate
from boundcheck.conform.repeat import data_independent, deterministic
from boundcheck.conform.result import Conformance, Item
from boundcheck.conform.single import float32
from boundcheck.conform.trials import Trials, draw
from boundcheck.conform.variance import variance
from boundcheck.features.kernels import ShiftInvariant

KernelLike = Kernel | ShiftInvariant | str | Callable[..., Any] | None


@dataclass(frozen=True)
class Prepared:
    """A map that has been made, fitted and asked for features once at every size."""

    subject: FeatureMap
    kernel: Kernel
    points: Points
    plan: Plan
    statements: tuple[Statement, ...]


def conformance(cls: Callable[..., Any], kernel: KernelLike = None, params: Mapping[str, Any] | None = None, **options: Any) -> Conformance:
    """Examine a feature map; the arguments are those of `prepared`. Raises MapError where it cannot be examined."""
    return examined(prepared(cls, kernel, params, **options))


def prepared(
    cls: Callable[..., Any],
    kernel: KernelLike = None,
    params: Mapping[str, Any] | None = None,
    *,
    kernel_params: Mapping[str, Any] | None = None,
    bound: float | None = None,
    plan: Plan | None = None,
) -> Prepared:
    """A feature map, a class in the style of scikit-learn made with `params`, beside its kernel.

    `kernel` is a name in NAMED, "MODULE:function" or a function k(X, Y), or a Kernel; None for the maps of scikit-learn. Its
    arguments are `kernel_params`, and for a name else the parameters of the map of the same name. `bound` states that
    |phi(x)|^2 is at most that for all x. Without a plan the sizes are those that suit the map.
    Raises MapError where the map or the kernel cannot be examined.
    """
    about = known(cls)
    subject = FeatureMap(cls, dict(params or {}), about.size, usual=about.usual) if about else FeatureMap(cls, dict(params or {}))
    plan = plan or planned(cls, Plan(), None)
    with quiet():
        stated = kernel_of(subject, kernel, dict(kernel_params or {}), bound, plan.inputs)
        points = _points(stated, plan)
        draw(subject, points, replace(plan, trials=1))
    return Prepared(subject, stated, points, plan, about.statements if about else ())


def examined(this: Prepared, advance: Callable[[], object] = lambda: None) -> Conformance:
    """Every item of the contract; `advance` is called after each draw. Raises MapError."""
    subject = this.subject
    with quiet():
        trials = draw(subject, this.points, this.plan, advance)
        items = (*_sampled(this, trials), *looked_at(this))
    draws = trials.values.shape[1]
    return Conformance(subject.name, this.kernel.name, subject.parameters, subject.library, this.plan, draws, items)


@contextmanager
def quiet() -> Iterator[None]:
    """Warnings of the map are no concern here, nor errors made of them."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _points(kernel: Kernel, plan: Plan) -> Points:
    try:
        points = probe(kernel, plan.inputs, plan.rows, Stream(plan.seed, (0,)).rng())
    except Exception as error:
        raise MapError(f"The kernel {kernel.name} fails ({sentence(error)}); it takes X (n, d) and Y (m, d) and gives (n, m).") from error
    if not np.isfinite(points.k).all():
        raise MapError(f"The kernel {kernel.name} is not finite at the probe points; choose another.")
    return points


def looked_at(this: Prepared) -> list[Item]:
    """The items that a few fits decide."""
    subject, points, s = this.subject, this.points, this.plan.sizes[-1]
    return [
        deterministic(subject, points, s), data_independent(subject, points, s), interface(subject, points),
        float32(subject, points, s), documented(subject, points, this.statements),
    ]  # fmt: skip


def _sampled(this: Prepared, trials: Trials) -> list[Item]:
    """What the draws show, exactly where nothing is random."""
    limits = bounded(this.subject, this.kernel, this.points, trials)
    if not trials.random:
        return [exact.unbiased(trials, this.points), limits, exact.variance(), exact.rate(trials, this.points)]
    moments = Moments(trials, this.points, this.kernel, this.plan)
    return [unbiased(moments), limits, variance(moments), rate(moments)]


def kernel_of(subject: FeatureMap, kernel: KernelLike, given: dict[str, Any], bound: float | None, inputs: int) -> Kernel:
    """The kernel with its parameters. Raises MapError where there is none, or where a parameter is missing or wrong."""
    if bound is not None and not 0 < bound < inf:
        raise MapError(f"A bound of |phi(x)|^2 is a positive number; give one instead of {bound}.")
    try:
        found = _kernel(subject, kernel, given, inputs)
    except (ValueError, TypeError, OverflowError) as error:
        raise MapError(f"{str(error).rstrip('.')}.") from error
    return found if bound is None else bounded_by(found, bound)


def _kernel(subject: FeatureMap, kernel: KernelLike, given: dict[str, Any], inputs: int) -> Kernel:
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, ShiftInvariant):
        return fourier(kernel)
    about = known(subject.cls)
    if kernel is None and about:
        return about.kernel(subject, inputs)
    if kernel is None:
        raise MapError(f"The kernel of {subject.name} is not known; give --kernel, one of {', '.join(NAMED)} or MODULE:function.")
    if isinstance(kernel, str) and ":" not in kernel:
        return _by_name(subject, kernel, given)
    function = named(kernel, "function") if isinstance(kernel, str) else kernel
    if not callable(function):
        raise MapError(f"{kernel} is no function; a kernel is a function k(X, Y).")
    if isinstance(function, type) and issubclass(function, ShiftInvariant):
        return fourier(function(**given))
    return plain(kernel if isinstance(kernel, str) else getattr(kernel, "__name__", "kernel"), function, given)


def _by_name(subject: FeatureMap, name: str, given: dict[str, Any]) -> Kernel:
    if name not in NAMED:
        raise MapError(f"There is no kernel {name!r}; choose one of {', '.join(NAMED)}, or MODULE:function.")
    takes = list(inspect.signature(NAMED[name]).parameters)
    unknown = sorted(given.keys() - set(takes))
    if unknown:
        raise MapError(f"The kernel {name} has no parameter {unknown[0]!r}; it takes {', '.join(takes) or 'none'}.")
    values = {n: given.get(n, subject.default(n)) for n in takes}
    missing = [n for n in takes if values[n] is None]
    if missing:
        absent = f"The kernel {name} takes {missing[0]}, which {subject.name} does not have"
        raise MapError(f"{absent}; give --kernel-param {missing[0]}=NUMBER.")
    return NAMED[name](**values)


def planned(cls: Callable[..., Any], plan: Plan, sizes: tuple[int, ...] | None) -> Plan:
    """The plan with the sizes asked for, or else with those that suit the map. Raises ValueError for sizes that are none."""
    about = known(cls)
    return replace(plan, sizes=sizes or (about and about.sizes) or plan.sizes)
