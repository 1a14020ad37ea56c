"""Weighted features whose sampling distribution is the original one: plain random features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import Raw
from boundcheck.leverage import ridge_leverage_scores
from boundcheck.settings.declared import setting
from boundcheck.settings.weighted_features import WeightedFeatures


def _without_surplus(fields: Any) -> Any:
    return {name: field for name, field in fields.items() if name != "surplus"}


if TYPE_CHECKING:
    PlainFeatures = WeightedFeatures
else:

    @setting
    class PlainFeatures:
        """WeightedFeatures with l_tilde = p z0^2 / lam, so that q = p and d_tilde = z0^2 / lam; z0 the largest |z_v(x)|."""

        charts = _without_surplus(WeightedFeatures.charts)

        @staticmethod
        def draw() -> SearchStrategy[Raw]:
            return WeightedFeatures.draw().map(_without_surplus)

        @classmethod
        def build(cls, raw: Raw) -> WeightedFeatures:
            p = raw["weights"] / np.sum(raw["weights"])
            block, n = raw["block"], raw["copies"] * raw["block"].shape[0]
            K = (block * p) @ np.transpose(block)
            z0 = np.max(np.abs(block)) * np.sqrt(raw["copies"])
            surplus = p * z0**2 / raw["lam"] / ridge_leverage_scores(block, p, K, n * raw["lam"])
            return WeightedFeatures(int(raw["copies"]), block, p, raw["lam"], surplus)
