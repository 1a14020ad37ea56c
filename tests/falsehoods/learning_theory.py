"""Finite classes, Rademacher complexity, online learning and margins."""

import numpy as np

from boundcheck import (
    Count,
    E,
    Matrix,
    P,
    Positive,
    Simplex,
    Unit,
    Vector,
    assume,
    at_most,
    exp,
    integers,
    log,
    norm,
    quantity,
    sqrt,
)  # fmt: skip

from . import false, true


def losses(X):
    return np.minimum(np.abs(X), 1.0)


def worst_gap(L, p, n):
    counts = quantity(lambda rng, size: rng.multinomial(n, p, size))
    return counts.map(lambda N: np.max(L @ p - (N / n) @ L.T, axis=-1))


@true("Finite class")
def finite_class(X: Matrix("h", 3), p: Simplex(3), n: integers(1, 30), delta: Unit):
    return P(worst_gap(losses(X), p, n) <= sqrt(log(X.shape[0] / delta) / (2 * n))) >= 1 - delta


@false("Finite class without the union bound", "medium")
def finite_class_union(X: Matrix("h", 3), p: Simplex(3), n: integers(1, 30), delta: Unit):
    return P(worst_gap(losses(X), p, n) <= sqrt(log(1 / delta) / (2 * n))) >= 1 - delta


@true("Massart's finite class lemma")
def massart(A: Matrix("h", "n")):
    assume(A.shape[1] <= 6)
    signs = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, A.shape[1])))
    best = signs.map(lambda s: np.max(s @ A.T, axis=-1))
    return E(best) <= np.max(norm(A)) * sqrt(2 * log(A.shape[0]))


@false("Massart's finite class lemma with log h / 2", "medium")
def massart_constant(A: Matrix("h", "n")):
    assume(A.shape[1] <= 6)
    signs = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, A.shape[1])))
    best = signs.map(lambda s: np.max(s @ A.T, axis=-1))
    return E(best) <= np.max(norm(A)) * sqrt(log(A.shape[0]) / 2)


@false("Massart's finite class lemma with absolute values and log h", "easy")
def massart_absolute(A: Matrix("h", "n")):
    assume(A.shape[1] <= 6)
    signs = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, A.shape[1])))
    best = signs.map(lambda s: np.max(np.abs(s @ A.T), axis=-1))
    return E(best) <= np.max(norm(A)) * sqrt(2 * log(A.shape[0]))


@true("Rademacher complexity of the linear ball")
def linear_ball(X: Matrix("n", "d")):
    assume(X.shape[0] <= 6)
    signs = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, X.shape[0])))
    return E(signs.map(lambda s: norm(s @ X))) <= sqrt(np.sum(X**2))


@false("Rademacher complexity of the linear ball with 0.95", "medium")
def linear_ball_constant(X: Matrix("n", "d")):
    assume(X.shape[0] <= 6)
    signs = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, X.shape[0])))
    return E(signs.map(lambda s: norm(s @ X))) <= 0.95 * sqrt(np.sum(X**2))


@true("Symmetrisation")
def symmetrisation(F: Matrix("h", "m"), p: Simplex("m"), n: integers(1, 3)):
    assume(F.shape[1] <= 3)
    sample = quantity(lambda rng, size: rng.choice(F.T, (size, n), p=p))
    signs = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, n)) - 1)
    gap = sample.map(lambda Y: np.max(F @ p - np.mean(Y, axis=1), axis=-1))
    return E(gap) <= 2 * E((sample * signs[:, None]).map(lambda Y: np.max(np.mean(Y, axis=1), axis=-1)))


@false("Symmetrisation with the factor 1", "medium")
def symmetrisation_one(F: Matrix("h", "m"), p: Simplex("m"), n: integers(1, 3)):
    assume(F.shape[1] <= 3)
    sample = quantity(lambda rng, size: rng.choice(F.T, (size, n), p=p))
    signs = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, n)) - 1)
    gap = sample.map(lambda Y: np.max(F @ p - np.mean(Y, axis=1), axis=-1))
    return E(gap) <= E((sample * signs[:, None]).map(lambda Y: np.max(np.mean(Y, axis=1), axis=-1)))


@true("Contraction (Ledoux-Talagrand, Meir-Zhang)")
def contraction(A: Matrix("h", "n")):
    assume(A.shape[1] <= 6)
    signs = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, A.shape[1])))
    return E(signs.map(lambda s: np.max(s @ np.abs(A).T, axis=-1))) <= E(signs.map(lambda s: np.max(s @ A.T, axis=-1)))


@false("Contraction by the square, not Lipschitz", "easy")
def contraction_square(A: Matrix("h", "n")):
    assume(A.shape[1] <= 6)
    signs = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, A.shape[1])))
    return E(signs.map(lambda s: np.max(s @ (A**2).T, axis=-1))) <= E(signs.map(lambda s: np.max(s @ A.T, axis=-1)))


def hedge_regret(L, eta):
    total, paid = 0 * L[0], 0.0
    for loss in L:
        w = exp(-eta * total)
        paid, total = paid + w @ loss / np.sum(w), total + loss
    return paid - np.min(total)


@true("Hedge")
def hedge(X: Matrix("T", "N")):
    T, N = X.shape
    assume(N >= 2)
    return at_most(hedge_regret(losses(X), sqrt(8 * log(N) / T)), sqrt(T * log(N) / 2))


@false("Hedge with T log N / 4", "medium")
def hedge_constant(X: Matrix("T", "N")):
    T, N = X.shape
    assume(N >= 2)
    return at_most(hedge_regret(losses(X), sqrt(8 * log(N) / T)), sqrt(T * log(N) / 4))


@true("Hedge, second order of the rate")
def hedge_any_rate(X: Matrix("T", "N"), eta: Positive):
    return at_most(hedge_regret(losses(X), eta), log(X.shape[1]) / eta + eta * X.shape[0] / 8)


@false("Hedge, second order of the rate with 9", "hard")
def hedge_any_rate_nine(X: Matrix("T", "N"), eta: Positive):
    return at_most(hedge_regret(losses(X), eta), log(X.shape[1]) / eta + eta * X.shape[0] / 12)


def descent_regret(g, eta):
    x, iterates = 0.0, []
    for slope in g:
        iterates.append(x)
        x = np.minimum(np.maximum(x - eta * slope, -1.0), 1.0)
    return sum(slope * y for slope, y in zip(g, iterates)) + np.abs(np.sum(g))


@true("Online gradient descent, Zinkevich 2003")
def gradient_descent(g: Vector("T"), eta: Positive):
    return at_most(descent_regret(g, eta), 1 / (2 * eta) + eta / 2 * np.sum(g**2))


@false("Online gradient descent with half the diameter term", "medium")
def gradient_descent_half(g: Vector("T"), eta: Positive):
    return at_most(descent_regret(g, eta), 1 / (4 * eta) + eta / 2 * np.sum(g**2))


@true("Realisable finite class")
def realisable(eps: Unit, n: Count):
    return at_most((1 - eps) ** n, exp(-n * eps))


@false("Realisable finite class with exp(-1.1 n eps)", "medium")
def realisable_constant(eps: Unit, n: Count):
    return at_most((1 - eps) ** n, exp(-1.1 * n * eps))
