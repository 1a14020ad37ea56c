"""Settings: families of instances, what a claim quantifies over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, dataclass_transform, get_type_hints

import numpy as np
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import FIXED, Domain, Simplex, Vector
from boundcheck.domains.domain import (
    NoDomain,
    domain_of,
    is_forgiving,
    named_dims,
    nothing_more,
    unfit,
)
from boundcheck.domains.instances import build, membership, strategy
from boundcheck.laws.quantities import Quantity, quantity

__all__ = ["FiniteLaw", "setting"]

Case = TypeVar("Case")


@dataclass_transform(frozen_default=True)
def setting(cls: type[Case]) -> type[Case]:
    """Make a frozen dataclass whose instances can be drawn; fields that name one dimension share its size.

    Where the draws of the fields' domains are not the ones to look at, a static method `draw()` is a
    Hypothesis strategy of the fields' raw numbers; what cases are beyond their fields a static method
    `member(case)` says, as comparisons such as `case.p > 0`. A class with its own `draw()` and `build(raw)`
    is taken as it is, with the `charts` of its raw numbers. Raises TypeError when a field has no domain: while a
    file of claims is loaded, for the claims alone that want cases.
    """
    known: Any = vars(cls).get("__dataclass_params__")
    case: Any = dataclass(frozen=True)(cls) if known is None else cls
    try:
        if not case.__dataclass_params__.frozen:
            raise TypeError(
                f"{cls.__name__}: @setting makes a frozen dataclass by itself; leave @dataclass out."
            )
        case.domain = _domain(case)
    except TypeError as error:
        if not is_forgiving():
            raise
        case.domain = NoDomain(str(error))
    return case


def _domain(case: Any) -> Domain:
    member = _several(getattr(case, "member", nothing_more))
    if hasattr(case, "draw") and hasattr(case, "build"):
        return Domain(
            case.__name__,
            case.draw,
            case.build,
            chart=getattr(case, "charts", {}),
            member=member,
        )
    return _of_fields(case, _domains(case), member)


def _several(member: Callable[[Any], Any]) -> Callable[[Any], Iterable[Any]]:
    """What a case promises, where one comparison may stand alone."""

    def promises(case: object) -> Iterable[Any]:
        said = member(case)
        return said if isinstance(said, (list, tuple, Iterator)) else [said]

    return promises


def _domains(cls: type) -> dict[str, Domain]:
    """The domain of each field. Raises TypeError."""
    hints = get_type_hints(cls, include_extras=True)
    fields = {name: domain_of(hint) for name, hint in hints.items()}
    wrong = [
        name
        for name, domain in fields.items()
        if not isinstance(domain, Domain)
    ]
    if wrong:
        raise TypeError(
            f"{cls.__name__}: annotate the field '{wrong[0]}' with a domain such as Unit or Matrix('n', 'd')."
        )
    if problem := unfit(fields):
        raise TypeError(f"{cls.__name__}: {problem}")
    return fields


def _of_fields(
    case: type, fields: dict[str, Domain], more: Callable[[Any], Iterable[Any]]
) -> Domain:
    """The cases whose fields lie in their domains, and which promise `more`."""

    def member(value: object) -> Iterable[Any]:
        yield from membership(
            fields, {name: getattr(value, name) for name in fields}
        )
        yield from more(value)

    draw = getattr(case, "draw", lambda: strategy(fields))
    charts = {
        name: FIXED if name in named_dims(fields) else domain.chart
        for name, domain in fields.items()
    }
    whole = Domain(
        case.__name__,
        draw,
        lambda raw: case(**build(fields, raw)),
        chart=charts,
        member=member,
    )
    whole.build.fields = fields  # type: ignore[attr-defined]  # what it consists of
    whole.build.case = case  # type: ignore[attr-defined]  # and what puts it together
    return whole


@setting
class FiniteLaw:
    """The law of X = values[k] with probability p[k] > 0; both have shape (k,), values may repeat."""

    values: Vector("k")
    p: Simplex("k")

    @staticmethod
    def member(law: FiniteLaw) -> Any:
        """A value without mass would be no value of X, but its largest, say."""
        return law.p > 0

    @staticmethod
    def draw() -> SearchStrategy[Any]:
        """Values and masses, without null masses."""
        return strategy(_domains(FiniteLaw)).filter(
            lambda raw: np.all(raw["p"] > 0)
        )

    def sample(self, *shape: int) -> Quantity:
        """Independent copies of X, `shape` of them in every trial; their law is enumerated."""
        if not all(hasattr(n, "__index__") for n in shape):
            instead = "write it without quantity(lambda rng, size: ...)"
            raise TypeError(
                f"sample(n) is a random quantity as it stands, n copies in every trial; {instead}"
            )
        return quantity(
            lambda rng, size: rng.choice(self.values, (size, *shape), p=self.p),
            low=self.low,
            high=self.high,
        )

    @cached_property
    def low(self) -> Any:
        """The smallest value."""
        return np.min(self.values)

    @cached_property
    def high(self) -> Any:
        """The largest value."""
        return np.max(self.values)

    def moment(self, k: int) -> Any:
        """E X^k."""
        return np.sum(self.p * self.values**k)

    @cached_property
    def mean(self) -> Any:
        """E X."""
        return self.moment(1)

    @cached_property
    def variance(self) -> Any:
        """E (X - E X)^2."""
        return np.sum(self.p * (self.values - self.mean) ** 2)
