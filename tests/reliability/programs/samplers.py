"""Samplers as people write them: of laws that can be enumerated, and of others; `size` trials along the first axis."""

from __future__ import annotations

import re
from math import prod

from .pen import Pen

FINITE = (
    "rng.binomial(2, 0.3, {})",
    "rng.integers(-1, 2, {})",
    "rng.choice([0.1, 0.2, 0.7], {})",
    "rng.integers(0, 2, {})",
    "(rng.random({}) < 0.3).astype(float)",
    "1 - 2 * rng.integers(0, 2, {})",
)
FEWEST = "rng.integers(0, 2, {})"
MOST_ATOMS = 20_000

FINITE_NUMBERS = (
    "rng.binomial(3, 1 / 3, size)",
    "rng.hypergeometric(3, 4, 2, size)",
    "rng.choice(3, size, p=[0.2, 0.3, 0.5])",
    "rng.integers(0, 2, 2 * size).reshape(size, 2).sum(axis=1)",
    "np.array([0.1, 0.3, -2])[rng.integers(0, 3, size)]",
    "np.max(rng.integers(0, 3, (size, 2)), axis=1)",
    "rng.integers(0, 3, (2, size)).sum(axis=0) / 10",
    "np.where(rng.random(size) < 0.3, 0.7, -1)",
    "list(rng.binomial(1, 0.5, size))",
)
SAMPLED = (
    "rng.normal(0, 1, {})",
    "rng.normal(1e6, 1e-2, {})",
    "rng.uniform(-1, 1, {})",
    "rng.exponential(2, {})",
    "rng.gamma(0.5, 3, {})",
    "rng.normal(0, 1e-6, {})",
    "rng.poisson(3, {})",
    "rng.normal(0, 1e4, {})",
    "rng.standard_normal({}, dtype=np.float32)",
    "rng.random({}, dtype=np.float32)",
    "rng.laplace(0, 1, {})",
    "np.where(rng.random({0}) < 0.3, rng.normal(0, 1, {0}), 5.0)",
    "rng.poisson(1e9, {})",
    "np.round(rng.normal(0, 3, {}), 1)",
    "rng.standard_t(3, {})",
)
SAMPLED_NUMBERS = (
    "np.array([rng.normal() for _ in range(size)])",
    "rng.standard_normal((size, 3)).sum(axis=1)",
    "rng.standard_normal((3, size)).max(axis=0)",
    "rng.normal(rng.poisson(2, size), 0.1)",
    "rng.geometric(0.3, size)",
    "np.linalg.norm(rng.standard_normal((size, 2)), axis=1)",
    "np.fromiter((rng.uniform() for _ in range(size)), float)",
    "rng.dirichlet([1, 2], size)[:, 0]",
)


def quantity(pen: Pen, size: str) -> str:
    """The name of a quantity, an old one as often as a new one; `size` is `size` or the shape `(size, ...)`."""
    old = pen.drawn.setdefault(size, [])
    if old and pen.odds(2):
        return pen.one(old)
    arrays, numbers = (FINITE, FINITE_NUMBERS) if pen.finite else (SAMPLED, SAMPLED_NUMBERS)
    atoms = 4 ** prod(int(n) for n in re.findall(r"\d+", size))
    if pen.finite and pen.atoms * atoms > MOST_ATOMS:  # one program of a million atoms takes as long as a hundred others
        if old:
            return pen.one(old)
        arrays, numbers = (FEWEST,), ()
    pen.atoms *= atoms
    name, text = pen.new("X"), pen.one([*arrays, *numbers] if size == "size" else arrays).format(size)
    if pen.odds(4):
        sampler = pen.new("sampler")
        pen.helpers.append(f"def {sampler}(rng, size):\n    draws = {text}\n    return draws\n")
        pen.lines.append(f"{name} = quantity({sampler})")
    else:
        pen.lines.append(f"{name} = quantity(lambda rng, size: {text})")
    old.append(name)
    return name
