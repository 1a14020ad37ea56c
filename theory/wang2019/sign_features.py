"""Random features with values +1 and -1: what Section 5 of Wang (2019) uses of sgn(x^T v)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import FIXED, NONNEGATIVE, Domain, Raw, Simplex, raw_of
from theory.wang2019.random_features import RandomFeatures


def _draw() -> SearchStrategy[Raw]:
    return st.tuples(st.integers(1, 3), st.integers(1, 4)).flatmap(_pool)


def _pool(shape: tuple[int, int]) -> SearchStrategy[Raw]:
    n, m = shape
    signs = st.lists(st.sampled_from([-1.0, 1.0]), min_size=(n + 1) * m, max_size=(n + 1) * m)
    return st.fixed_dictionaries({"values": signs.map(lambda x: np.reshape(x, (n + 1, m))), "p": raw_of(Simplex, m)})


def _build(raw: Raw) -> RandomFeatures:
    return RandomFeatures(raw["values"], raw["p"] / np.sum(raw["p"]), 0.0)


def _member(case: RandomFeatures) -> list[Any]:
    return [case.values * case.values == 1]


if TYPE_CHECKING:
    SignFeatures = RandomFeatures
else:
    SignFeatures = Domain("SignFeatures", _draw, _build, chart={"values": FIXED, "p": NONNEGATIVE}, member=_member)
    """RandomFeatures whose pool holds sign vectors: psi^2 = 1, b = 1 and kappa(x, x) = 1."""
