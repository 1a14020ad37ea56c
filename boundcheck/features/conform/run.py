"""A conformance run: the subject and its kernel, the draws, and every item of the contract."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from math import inf
from typing import Any, TypedDict, Unpack

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck.checking.sampling import Stream
from boundcheck.checking.verdict import Outcome
from boundcheck.features.conform import fits
from boundcheck.features.conform.contract import (
    REFUTED,
    SAMPLED,
    Conformance,
    Design,
    Item,
    items_named,
)
from boundcheck.features.conform.draws import (
    Moments,
    Points,
    feature_draws,
    judges,
    probe_points,
)
from boundcheck.features.conform.kernels import (
    NAMED,
    Kernel,
    black_box,
    bounded_by,
    fourier,
)
from boundcheck.features.conform.maps import (
    FeatureMap,
    MapError,
    Statement,
    failing,
    known,
    resolved,
)
from boundcheck.features.kernels import ShiftInvariant

Class = Callable[..., Any]
KernelLike = Kernel | ShiftInvariant | str | Callable[..., Any] | None
Given = Mapping[str, Any] | None


@dataclass(frozen=True)
class Prepared:
    """A map that has been made, fitted and asked for features once at every size."""

    subject: FeatureMap
    kernel: Kernel
    points: Points
    design: Design
    statements: tuple[Statement, ...]
    unpromised: Mapping[str, str]

    @property
    def steps(self) -> int:
        """Draws, and items that a few fits decide."""
        draws = len(self.design.sizes) * (
            self.design.trials if self.subject.random else 1
        )
        few = len(set(self.design.items) - set(SAMPLED))
        return few + (draws if len(self.design.items) > few else 0)


class Options(TypedDict, total=False):
    """What may be said of an examination beside the map and its kernel; see `prepared`."""

    kernel_params: Given
    bound: float | None
    design: Design | None
    only: str


def conformance(
    cls: Class,
    kernel: KernelLike = None,
    params: Given = None,
    **options: Unpack[Options],
) -> Conformance:
    """Examine a feature map; the arguments are those of `prepared`. Raises MapError where it cannot be."""
    return conformance_of(prepared(cls, kernel, params, **options))


def prepared(
    cls: Class, kernel: KernelLike = None, params: Given = None, *, kernel_params: Given = None,
    bound: float | None = None, design: Design | None = None, only: str = "",
) -> Prepared:  # fmt: skip
    """A feature map, a class in the style of scikit-learn made with `params`, beside its kernel.

    `kernel` is a name in NAMED, "MODULE:function" or a function k(X, Y), or a Kernel; None for the maps of
    scikit-learn. Its arguments are `kernel_params`, and for a name else the parameters of the map of the same
    name. `bound` states that |phi(x)|^2 is at most that for all x. Without a design the sizes are those that
    suit the map. `only` chooses items: theorems, interface, or names, apart by commas.
    Raises MapError where the map or the kernel cannot be examined, ValueError for an item that is none.
    """
    about = known(cls)
    subject = FeatureMap(cls, dict(params or {}), about.size, usual=about.usual)
    design = design or designed(cls, Design(), None)
    design = replace(design, items=items_named(only)) if only else design
    with quiet():
        stated = kernel_of(
            subject, kernel, dict(kernel_params or {}), bound, design.inputs
        )
        points = _points(stated, design)
        feature_draws(subject, points, replace(design, trials=1))
    return Prepared(
        subject, stated, points, design, about.statements, about.unpromised
    )


def conformance_of(
    this: Prepared, advance: Callable[[str], object] = lambda now: None
) -> Conformance:
    """The items asked for; `advance` is told of each, and of each draw. Raises MapError."""
    subject, design, draws = this.subject, this.design, 0
    with (
        quiet(),
        threadpool_limits(1),
    ):  # matrices are small: threads would wait for each other
        deciding = looked_at(this)
        if set(design.items) & set(SAMPLED):
            with unchecked():
                trials = feature_draws(subject, this.points, design, advance)
            draws = trials.values.shape[1]
            moments = Moments(trials, this.points, this.kernel, design)
            deciding |= judges(moments, subject)
        items = []
        for name in design.items:
            if name not in SAMPLED:
                advance(name)
            items.append(_noted(this, deciding[name]()))
    return Conformance(
        subject.name, this.kernel.name, subject.parameters, subject.library, design, draws, tuple(items)
    )  # fmt: skip


ORTHOGONAL = (
    "the frequencies are orthogonal, and the variance stated is that of independent ones:"
    " orthogonal ones have less of it at near points and may have more at far ones"
    " (claim liu2020.s2.orthogonal), which is no fault of the map"
)


def _noted(this: Prepared, item: Item) -> Item:
    """With what is known of the map that makes its verdict no surprise."""
    if item.name == "variance" and fits.is_orthogonal(
        this.subject, this.points, this.design.sizes[-1]
    ):
        return replace(item, note=ORTHOGONAL)
    why = this.unpromised.get(item.name, "")
    if why and item.outcome is REFUTED:
        return replace(
            item, note=f"its documentation does not promise this: {why}"
        )
    return item


@contextmanager
def quiet() -> Iterator[None]:
    """Warnings of the map are no concern here, nor errors made of them."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def unchecked() -> AbstractContextManager[None]:
    """Draws without scikit-learn's checks of inputs and parameters, which cost as much as the features."""
    library: Any = sys.modules.get("sklearn")
    if library is None:
        return nullcontext()
    return library.config_context(
        assume_finite=True, skip_parameter_validation=True
    )


def _points(kernel: Kernel, design: Design) -> Points:
    rng = Stream(design.seed, (0,)).rng()
    wanted = "it takes X (n, d) and Y (m, d) and gives (n, m)"
    with failing(f"The kernel {kernel.name}", wanted):
        points = probe_points(kernel, design.inputs, design.rows, rng)
    if not np.isfinite(points.k).all():
        raise MapError(
            f"The kernel {kernel.name} is not finite at the probe points; choose another."
        )
    return points


def looked_at(this: Prepared) -> dict[str, Callable[[], Item]]:
    """What decides each of the items that a few fits decide."""
    subject, points, s = this.subject, this.points, this.design.sizes[-1]
    return {
        "deterministic": lambda: fits.deterministic(subject, points, s),
        "data-independent": lambda: fits.data_independent(subject, points, s),
        "interface": lambda: fits.interface(subject, points),
        "float32": lambda: fits.float32(subject, points, s),
        "documented": lambda: fits.documented(subject, points, this.statements),
    }


def kernel_of(
    subject: FeatureMap,
    kernel: KernelLike,
    given: dict[str, Any],
    bound: float | None,
    inputs: int,
) -> Kernel:
    """The kernel with its parameters. Raises MapError for none, or a parameter missing or wrong."""
    if bound is not None and not 0 < bound < inf:
        raise MapError(
            f"A bound of |phi(x)|^2 is a positive number; give one instead of {bound}."
        )
    try:
        found = _kernel(subject, kernel, given, inputs)
    except (ValueError, TypeError, OverflowError) as error:
        raise MapError(f"{str(error).rstrip('.')}.") from error
    return found if bound is None else bounded_by(found, bound)


def _kernel(
    subject: FeatureMap, kernel: KernelLike, given: dict[str, Any], inputs: int
) -> Kernel:
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, ShiftInvariant):
        return fourier(kernel)
    if kernel is None:
        return known(subject.cls).kernel(subject, inputs)
    if isinstance(kernel, str) and ":" not in kernel:
        return _by_name(subject, kernel, given)
    function = (
        resolved(kernel, "function") if isinstance(kernel, str) else kernel
    )
    if not callable(function):
        raise MapError(
            f"{kernel} is no function; a kernel is a function k(X, Y)."
        )
    if isinstance(function, type) and issubclass(function, ShiftInvariant):
        return fourier(function(**given))
    name = (
        kernel
        if isinstance(kernel, str)
        else getattr(kernel, "__name__", "kernel")
    )
    return black_box(name, function, given)


def _by_name(subject: FeatureMap, name: str, given: dict[str, Any]) -> Kernel:
    if name not in NAMED:
        raise MapError(
            f"There is no kernel {name!r}; choose one of {', '.join(NAMED)}, or MODULE:function."
        )
    takes = list(inspect.signature(NAMED[name]).parameters)
    unknown = sorted(given.keys() - set(takes))
    if unknown:
        known_ones = ", ".join(takes) or "none"
        raise MapError(
            f"The kernel {name} has no parameter {unknown[0]!r}; it takes {known_ones}."
        )
    values = {n: given.get(n, subject.default(n)) for n in takes}
    missing = [n for n in takes if values[n] is None]
    if missing:
        absent = f"The kernel {name} takes {missing[0]}, which {subject.name} does not have"
        raise MapError(f"{absent}; give --kernel-param {missing[0]}=NUMBER.")
    return NAMED[name](**values)


def designed(
    cls: Class, design: Design, sizes: tuple[int, ...] | None
) -> Design:
    """With the sizes asked for, or those that suit the map. Raises ValueError for sizes that are none."""
    return replace(design, sizes=sizes or known(cls).sizes or design.sizes)


# in a test


DECIDED = ("refuted",)


def assert_conforms(
    cls: Class, kernel: KernelLike = None, params: Given = None, *,
    fail_on: Collection[str] = DECIDED, expected: Collection[str] = (), **options: Unpack[Options],
) -> Conformance:  # fmt: skip
    """Assert that a feature map conforms with what theorems on random features need; its conformance.

    The arguments are those of `boundcheck.features.conform.conformance`: a class, its kernel, parameters of the
    constructor. `fail_on` are outcomes that fail, of "refuted", "inconclusive", "vacuous"; `expected` are
    items of the contract that are known to fail, say "data-independent" for a map that takes its features
    from the data, and must then fail.

        def test_my_features_conform():
            assert_conforms(MyFeatures, "gaussian", params={"gamma": 0.5})

    Raises AssertionError with the table of verdicts, MapError if the map cannot be examined, ValueError for
    an unknown outcome or item.
    """
    result = conformance(cls, kernel, params, **options)
    outcomes = [
        Outcome[name.upper()]
        for name in _known(fail_on, [o.name.lower() for o in Outcome])
    ]
    failing = {item.name for item in result.found(outcomes)}
    wanted = set(_known(expected, [item.name for item in result.items]))
    if failing != wanted:
        raise AssertionError(
            _message(result, sorted(failing - wanted), sorted(wanted - failing))
        )
    return result


def _known(names: Collection[str], choices: list[str]) -> Collection[str]:
    for name in names:
        if name not in choices:
            raise ValueError(
                f"{name!r} is none of {', '.join(choices)}; write one of them."
            )
    return names


def _message(
    result: Conformance, failing: list[str], passing: list[str]
) -> str:
    said = (
        [f"{result.map} does not conform in {', '.join(failing)}"]
        if failing
        else []
    )
    said += [f"expected to fail: {', '.join(passing)}"] if passing else []
    items = (
        f"{item.outcome.name:13}{item.name:17}{item.reason}"
        for item in result.items
    )
    return "\n".join(["; ".join(said), *items])
