"""Families: several independent values of one domain."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.domains import draws, members
from boundcheck.domains.domain import Dim, Domain, checked_dims


def Family(domain: Any, k: Dim) -> Domain:
    """k independent values of a domain, `A[0], ..., A[k - 1]`: `Family(PSD("d"), "k")` is a k x d x d array.

    Whole numbers and settings come as a tuple. Raises TypeError.
    """
    inner = getattr(domain, "domain", domain)
    if not isinstance(inner, Domain):
        raise TypeError('Family takes a domain and how many of it there are: Family(PSD("d"), "k").')
    checked_dims((k,))
    stacked = inner.axes is not None and not (inner.whole and inner.axes == ())

    def build(raw: Any) -> Any:
        values = [inner.build(entry) for entry in raw]
        return np.stack(values) if stacked else tuple(values)

    return Domain(
        f"families of {{0}}: {_literal(inner)}", draws.family(inner.draw), build, (k, *inner.dims), inner.chart,
        members.family(inner.member), (0, *(axis + 1 for axis in inner.axes or ())),
        None if inner.axes is None else inner.whole,
    )  # fmt: skip


def _literal(inner: Domain) -> str:
    """The label as a pattern without places."""
    return inner.label.replace("{", "{{").replace("}", "}}")
