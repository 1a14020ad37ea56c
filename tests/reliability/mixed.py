"""Claims with each kind of verdict and of evidence, none of which takes long."""

import numpy as np

from boundcheck import PSD, E, P, Size, Symmetric, Unit, Vector, assume, at_most, eigenvalues, loewner, quantity, sqrt, theorem


@theorem("arithmetic and geometric mean")
def means(x: Unit, y: Unit):
    return at_most(sqrt(x * y), (x + y) / 2)


@theorem("the same, false")
def means_false(x: Unit, y: Unit):
    return at_most(sqrt(x * y), 0.9 * (x + y) / 2)


@theorem("Cauchy 1821")
def product(x: Vector("n"), y: Vector("n")):
    return at_most((x @ y) ** 2, (x @ x) * (y @ y))


@theorem("squares keep no order")
def squares(A: PSD("n"), B: PSD("n")):
    return loewner(A @ A, (A + B) @ (A + B))


@theorem("eigenvalues of a sum, false")
def spectra(A: Symmetric("n"), B: Symmetric("n")):
    return at_most(eigenvalues(A + B), eigenvalues(A) + eigenvalues(B))


@theorem("a coin")
def coins(p: Unit):
    return E(quantity(lambda rng, size: rng.binomial(1, p, size))) <= p


@theorem("a mean of coins, false")
def coins_false(n: Size, p: Unit):
    return E(quantity(lambda rng, size: rng.binomial(n, p, size) / n)) <= 0.9 * p


@theorem("a uniform number, by trials")
def uniform(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, x, size)) <= 0.9 * x) >= 0.5


@theorem("a uniform number at the boundary: trials leave it open")
def boundary(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, x, size)) <= 0.9 * x) >= 0.9


@theorem("the largest of ten Gaussians, by bets")
def largest(x: Unit):
    return E(quantity(lambda rng, size: np.abs(rng.standard_normal((size, 10))).max(axis=1), low=0)) <= 2.2 + x


@theorem("nothing satisfies it")
def void(x: Unit):
    assume(x > 2)
    return at_most(x, 0)
