"""Exact worst cases of first-order methods: what is published is not refuted, a few percent less is.

Each is an example of PEPit (Goujaud et al. 2022, https://pepit.readthedocs.io) or an inequality of its classes. `share` is the
factor of the published constant: at least 1 in the theorem, below .97 in the false one.
"""

from types import FunctionType
from typing import Any

import numpy as np
import pytest

from boundcheck import Convex, Real, Smooth, SmoothConvex, UnitVector, Vector, at_most, between, norm
from boundcheck.checking.judge import judge
from boundcheck.checking.plan import Plan
from boundcheck.checking.verdict import Outcome
from boundcheck.words.claims import make_claim

# pyright: reportInvalidTypeForm=false

TRUE, FALSE = between(1, 1.5), between(0.9, 0.97)


def square(x):
    return x @ x


def gradient_descent(f: SmoothConvex(1), x: Vector("d"), share: Real):
    y = x
    for _ in range(3):
        y = y - f.gradient(y)
    return at_most(f(y) - f.minimum, share * square(x - f.minimiser) / 14)


def gradient_descent_with_a_long_step(f: SmoothConvex(1), x: Vector("d"), share: Real):
    y = x - 1.6 * f.gradient(x)
    return at_most(f(y) - f.minimum, share * 0.36 * square(x - f.minimiser) / 2)


def gradient_descent_contraction(f: SmoothConvex(1, 0.1), x: Vector("d"), y: Vector("d"), share: Real):
    moved = x - y - 1.5 * (f.gradient(x) - f.gradient(y))
    return at_most(square(moved), share * 0.85**2 * square(x - y))


def gradient_descent_in_values(f: SmoothConvex(1, 0.1), x: Vector("d"), share: Real):
    y = x - f.gradient(x)
    return at_most(f(y) - f.minimum, share * 0.9**2 * (f(x) - f.minimum))


def gradient_descent_in_gradients(f: SmoothConvex(1), x: Vector("d"), share: Real):
    y = x
    for _ in range(3):
        y = y - f.gradient(y)
    return at_most(square(f.gradient(y)), share * square(x - f.minimiser) / 16)


def gradient_descent_from_values_to_gradients(f: SmoothConvex(1), x: Vector("d"), share: Real):
    y = x
    for _ in range(2):
        y = y - f.gradient(y)
    return at_most(square(f.gradient(y)), share * 2 * (f(x) - f.minimum) / 5)


def gradient_descent_of_what_is_not_convex(f: Smooth(1), x: Vector("d"), share: Real):
    y = x - f.gradient(x)
    least = np.minimum(square(f.gradient(x)), square(f.gradient(y)))
    return at_most(least, share * 4 / 3 * (f(x) - f(y)))


def gradient_descent_potential(f: SmoothConvex(1), x: Vector("d"), share: Real):
    y = x - f.gradient(x)
    after = 2 * (f(y) - f.minimum) + square(y - f.minimiser) / 2
    return at_most(after, share * (f(x) - f.minimum + square(x - f.minimiser) / 2))


def inexact_gradient(f: SmoothConvex(1, 0.1), x: Vector("d"), e: UnitVector("d"), share: Real):
    L, mu = 1.1, 0.09  # an error of a tenth of the gradient
    g = f.gradient(x)
    y = x - 2 / (L + mu) * (g + 0.1 * norm(g) * e)
    return at_most(f(y) - f.minimum, share * ((L - mu) / (L + mu)) ** 2 * (f(x) - f.minimum))


def accelerated_gradient(f: SmoothConvex(1), x: Vector("d"), share: Real):
    old, y = x, x
    for i in range(3):
        new = y - f.gradient(y)
        y = new + i / (i + 3) * (new - old)
        old = new
    return at_most(f(old) - f.minimum, share * 2 * square(x - f.minimiser) / 30)


def optimised_gradient_method(f: SmoothConvex(1), x: Vector("d"), share: Real):
    first = (1 + np.sqrt(5)) / 2
    last = (1 + np.sqrt(1 + 8 * first**2)) / 2
    y = x - f.gradient(x)
    z = y + (y - x) / first  # theta_0 = 1
    w = z - f.gradient(z)
    v = w + (first - 1) / last * (w - y) + first / last * (w - z)
    return at_most(f(v) - f.minimum, share * square(x - f.minimiser) / (2 * last**2))


def proximal_point(f: Convex(), x: Vector("d"), share: Real):
    y = f.prox(f.prox(x, 2), 2)
    return at_most(f(y) - f.minimum, share * square(x - f.minimiser) / 16)


def proximal_point_contraction(f: Convex(0.5), x: Vector("d"), y: Vector("d"), share: Real):
    return at_most(square(f.prox(x, 2) - f.prox(y, 2)), share * square(x - y) / 4)


def proximal_points_are_firm(f: Convex(), x: Vector("d"), y: Vector("d"), share: Real):
    moved = f.prox(x, 1) - f.prox(y, 1)
    return at_most(square(moved), share * moved @ (x - y))


def proximal_gradient(f: SmoothConvex(1, 0.1), h: Convex(), x: Vector("d"), y: Vector("d"), share: Real):
    moved = h.prox(x - f.gradient(x), 1) - h.prox(y - f.gradient(y), 1)
    return at_most(square(moved), share * 0.9**2 * square(x - y))


def douglas_rachford(f: SmoothConvex(1, 0.1), h: Convex(), x: Vector("d"), y: Vector("d"), share: Real):
    p, q = h.prox(x, 2), h.prox(y, 2)
    moved = x + f.prox(2 * p - x, 2) - p - (y + f.prox(2 * q - y, 2) - q)
    return at_most(square(moved), share * (1 / 1.2) ** 2 * square(x - y))


def halpern(f: SmoothConvex(1), x: Vector("d"), share: Real):
    y = x - f.gradient(x)  # the mean of x and of its image under the nonexpansive x - 2 grad f(x)
    z = x / 3 + 2 / 3 * (y - 2 * f.gradient(y))
    return at_most(square(2 * f.gradient(z)), share * 4 / 9 * square(x - f.minimiser))


def stochastic_gradient_overparametrised(
    f: SmoothConvex(1, 0.1), h: SmoothConvex(1, 0.1), x: Vector("d"), share: Real
):
    e = x - f.minimiser  # both have their least value there
    after = square(e - f.gradient(x)) + square(e - h.gradient(e + h.minimiser))
    return at_most(after / 2, share * 0.9**2 * square(e))


def cocoercive(f: SmoothConvex(2), x: Vector("d"), y: Vector("d"), share: Real):
    g = f.gradient(x) - f.gradient(y)
    return at_most(square(g), share * 2 * g @ (x - y))


def interpolation(f: SmoothConvex(1, 0.2), x: Vector("d"), y: Vector("d"), share: Real):
    g, e = f.gradient(x) - f.gradient(y), x - y
    least = (square(g) + 0.2 * square(e) - 2 * 0.2 * g @ e) / (2 * (1 - 0.2))
    return at_most(least, share * (f(x) - f(y) - f.gradient(y) @ e))


def descent(f: Smooth(1), x: Vector("d"), share: Real):
    y = x - f.gradient(x)
    return at_most(square(f.gradient(x)) / 2, share * (f(x) - f(y)))


EXAMPLES = [
    gradient_descent, gradient_descent_with_a_long_step, gradient_descent_contraction, gradient_descent_in_values,
    gradient_descent_in_gradients, gradient_descent_from_values_to_gradients, gradient_descent_of_what_is_not_convex,
    gradient_descent_potential, inexact_gradient, accelerated_gradient, optimised_gradient_method, proximal_point,
    proximal_point_contraction, proximal_points_are_firm, proximal_gradient, douglas_rachford, halpern,
    stochastic_gradient_overparametrised, cocoercive, interpolation, descent,
]  # fmt: skip


def outcome(body: FunctionType, share: Any) -> Outcome:
    given = FunctionType(body.__code__, body.__globals__, body.__name__)
    given.__annotations__ = {**body.__annotations__, "share": share}
    claim = make_claim(given, f"test.{body.__name__}", "here", "theorem")
    return judge(claim, Plan(), 1e-9).outcome


@pytest.mark.parametrize("body", EXAMPLES, ids=lambda body: body.__name__)
def test_a_published_worst_case_is_exact(body: FunctionType):
    assert outcome(body, TRUE) is not Outcome.REFUTED
    assert outcome(body, FALSE) is Outcome.REFUTED
