"""Point sets and ridge problems, the nasty ones included, for the tests of the compiled layer."""

import numpy as np


def gaussian(n, d, seed=0, scale=1.0):
    return scale * np.random.default_rng([seed, n, d]).normal(size=(n, d))


POINTS = {
    "one point": gaussian(1, 3),
    "one coordinate": gaussian(7, 1),
    "plain": gaussian(6, 4),
    "repeated": np.repeat(gaussian(3, 2), 3, axis=0),
    "antipodal": np.concatenate([gaussian(3, 2), -gaussian(3, 2)]),
    "huge": gaussian(5, 3, scale=1e8),
    "tiny": gaussian(5, 3, scale=1e-8),
    "not contiguous": gaussian(8, 6)[::2, ::3],
}

FREQUENCIES = {
    "one feature": lambda d: gaussian(1, d, seed=1),
    "plain": lambda d: gaussian(9, d, seed=2),
    "huge": lambda d: gaussian(5, d, seed=3, scale=1e12),
    "zero": lambda d: np.zeros((3, d)),
    "many": lambda d: gaussian(1030, d, seed=4),
}


def ridge_problem(n, s, seed=0):
    """A pool Z (n, s) with densities p and q, its kernel matrix K = Z diag(p) Z^T, and lam."""
    rng = np.random.default_rng([seed, n, s])
    Z, p, q = rng.normal(size=(n, s)), rng.random(s), rng.random(s)
    Z[:, : s // 3] = Z[:, :1]  # repeated features
    p, q = p / p.sum(), q / q.sum()
    return Z, p, q, (Z * p) @ Z.T, 0.03


SHAPES = [(1, 1), (1, 5), (4, 1), (3, 12), (6, 4)]
