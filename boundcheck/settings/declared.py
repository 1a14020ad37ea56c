"""The decorator that makes a setting of a class whose fields are annotated with domains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform, get_type_hints

from boundcheck.domains import FIXED, Domain
from boundcheck.instances import build, strategy

Case = TypeVar("Case")


@dataclass_transform(frozen_default=True)
def setting(cls: type[Case]) -> type[Case]:
    """Make a frozen dataclass whose instances can be drawn; fields that name one dimension share its size.

    A class with its own `draw()` (a Hypothesis strategy of raw numbers) and `build(raw)` is taken as it is. Raises
    TypeError when a field has no domain.
    """
    case: Any = dataclass(frozen=True)(cls)
    if "draw" not in vars(cls):
        fields = get_type_hints(cls, include_extras=True)
        wrong = [name for name, domain in fields.items() if not isinstance(domain, Domain)]
        if wrong:
            raise TypeError(f"{cls.__name__}: annotate the field '{wrong[0]}' with a domain such as Unit or Matrix('n', 'd').")
        charts = {name: FIXED if any(name in d.dims for d in fields.values()) else domain.chart for name, domain in fields.items()}
        case.domain = Domain(cls.__name__, lambda: strategy(fields), lambda raw: case(**build(fields, raw)), chart=charts)
    else:
        case.domain = Domain(cls.__name__, cls.draw, cls.build, chart=getattr(cls, "charts", {}))  # type: ignore[attr-defined]
    return case
