"""Renyi divergences, triangular discrimination, online learning and PAC bounds, written after the engine was tuned."""

import numpy as np

from boundcheck import E, Matrix, P, Positive, Simplex, Unit, Vector, assume, at_most, between, equal, exp, integers, log, quantity, sqrt

from . import false, true


def renyi(p, q, alpha):
    return np.log(np.sum(p**alpha * q ** (1 - alpha))) / (alpha - 1)


def kl(p, q):
    return np.sum(p * np.log(p / q))


@true("Renyi divergence increases with its order")
def renyi_monotone(p: Simplex("n"), q: Simplex("n"), a: between(0.05, 0.95), b: between(1.05, 6)):
    return at_most(renyi(p, q, a), kl(p, q)), at_most(kl(p, q), renyi(p, q, b))


@true("Skew symmetry of the Renyi divergence")
def renyi_skew(p: Simplex("n"), q: Simplex("n"), a: between(0.05, 0.95)):
    return equal((1 - a) * renyi(p, q, a), a * renyi(q, p, 1 - a))


@true("Pinsker for Renyi divergences (Gilardoni 2010)")
def renyi_pinsker(p: Simplex("n"), q: Simplex("n"), a: between(0.05, 0.95)):
    return at_most(a / 2 * np.sum(np.abs(p - q)) ** 2, renyi(p, q, a))


@false("Pinsker for Renyi divergences of orders up to 1.3", "hard")
def renyi_pinsker_above(p: Simplex("n"), q: Simplex("n"), a: between(1.01, 1.3)):
    return at_most(a / 2 * np.sum(np.abs(p - q)) ** 2, renyi(p, q, a))


@false("The Renyi divergence of order 1/2 is at least 0.52 of the relative entropy", "easy")
def renyi_half(p: Simplex("n"), q: Simplex("n")):
    return at_most(0.52 * kl(p, q), renyi(p, q, 0.5))


@false("The Renyi divergence of order 2 is jointly convex", "medium")
def renyi_convex(p: Simplex("n"), q: Simplex("n"), r: Simplex("n"), s: Simplex("n")):
    return at_most(renyi((p + r) / 2, (q + s) / 2, 2.0), (renyi(p, q, 2.0) + renyi(r, s, 2.0)) / 2)


def capacitory(p, q):
    m = (p + q) / 2
    return kl(p, m) + kl(q, m)


@true("Capacitory and triangular discrimination (Topsoe 2000)")
def topsoe(p: Simplex("n"), q: Simplex("n")):
    triangle = np.sum((p - q) ** 2 / (p + q))
    return at_most(triangle / 2, capacitory(p, q)), at_most(capacitory(p, q), log(2) * triangle)


@false("Capacitory discrimination by 0.68 of the triangular one: fails for nearly singular laws", "hard")
def topsoe_upper(p: Simplex("n"), q: Simplex("n")):
    return at_most(capacitory(p, q), 0.68 * np.sum((p - q) ** 2 / (p + q)))


@false("Capacitory discrimination is at least 0.52 of the triangular one", "medium")
def topsoe_lower(p: Simplex("n"), q: Simplex("n")):
    return at_most(0.52 * np.sum((p - q) ** 2 / (p + q)), capacitory(p, q))


@true("Entropy against collision entropy")
def collision(p: Simplex):
    return at_most(-np.log(np.sum(p**2)), -np.sum(p * np.log(p)))


@false("Binary entropy by the Gini index", "easy")
def gini(p: Unit):
    return at_most(-p * log(p) - (1 - p) * log(1 - p), 4 * log(2) * p * (1 - p))


@true("Gibbs variational principle, Bhatia-Davis for exponential weights")
def bhatia_davis(x: Vector("n"), p: Simplex("n")):
    mu = p @ x
    return at_most(p @ (x - mu) ** 2, (np.max(x) - mu) * (mu - np.min(x)))


def zero_one(X):
    return np.where(X > 0, 1.0, 0.0)


def consistent_risk(L, p, n):
    counts = quantity(lambda rng, size: rng.multinomial(n, p, size))
    risks = L @ p
    return counts.map(lambda N: np.max(np.where(N @ L.T > 0, 0.0, 1.0) * risks, axis=1))


@true("Consistent learners, finite class (Blumer et al. 1987)")
def consistent(X: Matrix("h", 3), p: Simplex(3), n: integers(1, 40), delta: Unit):
    return P(consistent_risk(zero_one(X), p, n) <= log(X.shape[0] / delta) / n) >= 1 - delta


@false("Consistent learners without the union bound", "medium")
def consistent_union(X: Matrix("h", 3), p: Simplex(3), n: integers(1, 40), delta: Unit):
    return P(consistent_risk(zero_one(X), p, n) <= log(1 / delta) / n) >= 1 - delta


@false("Consistent learners with log(h / delta) / (1.05 n): fails for one hypothesis of small risk", "hard")
def consistent_constant(X: Matrix("h", 3), p: Simplex(3), n: integers(1, 40), delta: Unit):
    return P(consistent_risk(zero_one(X), p, n) <= log(X.shape[0] / delta) / (1.05 * n)) >= 1 - delta


@true("PAC-Bayes for one posterior: Maurer 2004, by the change of measure")
def change_of_measure(p: Simplex("h"), q: Simplex("h"), f: Vector("h"), lam: Positive):
    return at_most(lam * (p @ f), kl(p, q) + np.log(np.sum(q * np.exp(lam * (f - np.max(f))))) + lam * np.max(f))


@true("AdaGrad's sum")
def adagrad(g: Vector("T")):
    total = np.cumsum(g**2)
    assume(g[0] ** 2 > 0)
    return at_most(np.sum(g**2 / np.sqrt(total)), 2 * np.sqrt(total[-1]))


@false("AdaGrad's sum with 1.65: fails for T = 8 and squares in one special ratio", "hard")
def adagrad_constant(g: Vector("T")):
    total = np.cumsum(g**2)
    assume(g[0] ** 2 > 0)
    return at_most(np.sum(g**2 / np.sqrt(total)), 1.65 * np.sqrt(total[-1]))


@true("Perceptron, Novikoff 1962, one pass")
def perceptron(X: Matrix("T", 2), u: Vector(2)):
    w, mistakes = np.zeros(2), 0
    margin = np.min(X @ u)
    assume(margin > 0)
    for x in X:
        if w @ x <= 0:
            w, mistakes = w + x, mistakes + 1
    return at_most(mistakes * margin**2, np.max(np.sum(X**2, axis=1)) * np.sum(u**2))


@false("Perceptron with 0.9: fails for one mistake along u, or orthogonal examples", "easy")
def perceptron_constant(X: Matrix("T", 2), u: Vector(2)):
    w, mistakes = np.zeros(2), 0
    margin = np.min(X @ u)
    assume(margin > 0)
    for x in X:
        if w @ x <= 0:
            w, mistakes = w + x, mistakes + 1
    return at_most(mistakes * margin**2, 0.9 * np.max(np.sum(X**2, axis=1)) * np.sum(u**2))


@true("Empirical Bernstein needs the sample variance: the biased variance is smaller on average")
def sample_variance(x: Vector("m"), p: Simplex("m"), n: integers(2, 4)):
    assume(len(x) <= 4)
    X = quantity(lambda rng, size: rng.choice(x, (size, n), p=p))
    v = X.map(lambda X: np.sum((X - np.mean(X, axis=1)[:, None]) ** 2, axis=1)) / (n - 1)
    return equal(E(v), np.sum(p * (x - np.sum(p * x)) ** 2))


@false("Exponential weights with half the rate and regret sqrt(T log N / 4)", "medium")
def exponential_weights(X: Matrix("T", "N")):
    T, N = X.shape
    assume(N >= 2)
    L = np.minimum(np.abs(X), 1)
    eta, total, paid = sqrt(2 * log(N) / T), np.zeros(N), 0.0
    for loss in L:
        w = exp(-eta * total)
        paid, total = paid + np.sum(w * loss) / np.sum(w), total + loss
    return at_most(paid - np.min(total), sqrt(T * log(N) / 4))
