"""Bump activations: what is drawn can be built, and the kernel is that of the features."""

from typing import Any

import numpy as np

from boundcheck.domains.instances import build, draw_instances, inside
from theory.ma2025.bump_activation import BumpActivation


def test_drawn_cases_lie_inside_their_ranges_and_have_their_kernel():
    parameters = {"case": BumpActivation.domain}  # type: ignore[attr-defined]
    for raw in draw_instances(parameters, 40, 1):
        assert inside(parameters, raw)
        case = build(parameters, raw)["case"]
        assert case.B.shape == (len(case.a), len(case.X), case.W.shape[1])
        S: Any = sum(a * B for a, B in zip(case.a, case.B, strict=True))
        np.testing.assert_allclose(case.K, S @ np.diag(case.p) @ S.T, atol=1e-9 * max(1, np.abs(case.K).max()))
