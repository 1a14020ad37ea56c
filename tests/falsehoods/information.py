"""Divergences and entropies of finite laws."""

import numpy as np

from boundcheck import Simplex, Unit, Vector, at_most, equal, exp, log, sqrt

from . import false, true


def kl(p, q):
    return np.sum(p * log(p / q))


def tv(p, q):
    return np.sum(np.abs(p - q)) / 2


def chi2(p, q):
    return np.sum((p - q) ** 2 / q)


def affinity(p, q):
    return np.sum(sqrt(p * q))


def entropy(p):
    return -np.sum(p * log(p))


@true("Pinsker")
def pinsker(p: Simplex, q: Simplex):
    return at_most(tv(p, q), sqrt(np.maximum(kl(p, q), 0) / 2))


@false("Pinsker with 2.1", "hard")
def pinsker_constant(p: Simplex, q: Simplex):
    return at_most(tv(p, q) ** 2, kl(p, q) / 2.1)


@false("Pinsker with 4", "easy")
def pinsker_four(p: Simplex, q: Simplex):
    return at_most(tv(p, q) ** 2, kl(p, q) / 4)


@true("Bretagnolle-Huber")
def bretagnolle_huber(p: Simplex, q: Simplex):
    return at_most(tv(p, q) ** 2, 1 - exp(-kl(p, q)))


@false("Bretagnolle-Huber without the square", "easy")
def bretagnolle_huber_linear(p: Simplex, q: Simplex):
    return at_most(tv(p, q), 1 - exp(-kl(p, q)))


@true("Relative entropy against chi-square")
def kl_chi2(p: Simplex, q: Simplex):
    return at_most(kl(p, q), log(1 + chi2(p, q)))


@false("Relative entropy against half of chi-square", "medium")
def kl_chi2_half(p: Simplex, q: Simplex):
    return at_most(kl(p, q), chi2(p, q) / 2)


@true("Reverse Pinsker, Sason 2015")
def reverse_pinsker(p: Simplex, q: Simplex):
    return at_most(kl(p, q), log(1 + 2 * tv(p, q) ** 2 / np.min(q)))


@false("Reverse Pinsker with 1.8", "hard")
def reverse_pinsker_constant(p: Simplex, q: Simplex):
    return at_most(kl(p, q), log(1 + 1.8 * tv(p, q) ** 2 / np.min(q)))


@true("Hellinger against total variation, Le Cam")
def le_cam(p: Simplex, q: Simplex):
    b = affinity(p, q)
    return at_most(1 - b, tv(p, q)), at_most(tv(p, q) ** 2, 1 - b**2)


@false("Total variation is at most the Hellinger distance", "medium")
def hellinger(p: Simplex, q: Simplex):
    return at_most(tv(p, q) ** 2, 1 - affinity(p, q))


@true("Relative entropy against the affinity")
def kl_affinity(p: Simplex, q: Simplex):
    return at_most(-2 * log(affinity(p, q)), kl(p, q))


@false("Relative entropy is at least 4 Hellinger^2", "hard")
def kl_hellinger(p: Simplex, q: Simplex):
    return at_most(4 * (1 - affinity(p, q)), kl(p, q))


@true("Data processing")
def data_processing(p: Simplex("n"), q: Simplex("n"), u: Simplex(3), v: Simplex(3), t: Vector("n")):
    a = 1 / (1 + exp(-t))
    W = a[:, None] * u + (1 - a)[:, None] * v
    return at_most(kl(p @ W, q @ W), kl(p, q))


@false("Strong data processing with 1/2", "medium")
def data_processing_half(p: Simplex("n"), q: Simplex("n"), u: Simplex(3), v: Simplex(3), t: Vector("n")):
    a = 1 / (1 + exp(-t))
    W = a[:, None] * u + (1 - a)[:, None] * v
    return at_most(kl(p @ W, q @ W), kl(p, q) / 2)


@true("Entropy is at most log n")
def entropy_log(p: Simplex):
    return at_most(entropy(p), log(len(p)))


@true("Fannes-Audenaert")
def fannes(p: Simplex(3), q: Simplex(3)):
    t = tv(p, q)
    h = -(np.where(t > 0, t * np.log(np.where(t > 0, t, 1.0)), 0.0) + (1 - t) * log(1 - t))
    return at_most(np.abs(entropy(p) - entropy(q)), t * log(2) + h)


@false("Continuity of entropy without the binary entropy", "easy")
def fannes_linear(p: Simplex(3), q: Simplex(3)):
    return at_most(np.abs(entropy(p) - entropy(q)), tv(p, q) * log(3))


@true("Chain rule")
def chain_rule(w: Simplex(6)):
    J = np.reshape(w, (2, 3))
    x = np.sum(J, axis=1)
    return equal(entropy(w), entropy(x) + np.sum(x * np.stack([entropy(J[i] / x[i]) for i in range(2)])))


@true("Subadditivity")
def subadditivity(w: Simplex(6)):
    J = np.reshape(w, (2, 3))
    return at_most(entropy(w), entropy(np.sum(J, axis=0)) + entropy(np.sum(J, axis=1)))


@false("Entropy is additive up to 9/10", "easy")
def subadditivity_constant(w: Simplex(6)):
    J = np.reshape(w, (2, 3))
    return at_most(entropy(w), 0.9 * (entropy(np.sum(J, axis=0)) + entropy(np.sum(J, axis=1))))


@true("Strong subadditivity")
def strong_subadditivity(w: Simplex(8)):
    J = np.reshape(w, (2, 2, 2))
    h = lambda *axes: entropy(np.ravel(np.sum(J, axis=axes) if axes else J))  # noqa: E731
    return at_most(h() + h(0, 1), h(0) + h(1))


@false("Conditioning reduces mutual information", "medium")
def conditional_information(w: Simplex(8)):
    J = np.reshape(w, (2, 2, 2))
    h = lambda *axes: entropy(np.ravel(np.sum(J, axis=axes) if axes else J))  # noqa: E731
    return at_most(h(1) + h(0) - h() - h(0, 1), h(1, 2) + h(0, 2) - h(2))


@true("Shearer, Han")
def shearer(w: Simplex(8)):
    J = np.reshape(w, (2, 2, 2))
    return at_most(2 * entropy(w), sum(entropy(np.ravel(np.sum(J, axis=k))) for k in range(3)))


@false("Shearer with 2.1", "hard")
def shearer_constant(w: Simplex(8)):
    J = np.reshape(w, (2, 2, 2))
    return at_most(2.1 * entropy(w), sum(entropy(np.ravel(np.sum(J, axis=k))) for k in range(3)))


@true("Fano")
def fano(w: Simplex(6)):
    J = np.reshape(w, (2, 3))
    y, error = np.sum(J, axis=1), 1 - np.sum(np.max(J, axis=1))
    h = -(error * log(error) + (1 - error) * log(1 - error))
    return at_most(entropy(w) - entropy(y), h + error * log(2))


@false("Fano without the binary entropy", "medium")
def fano_binary(w: Simplex(6)):
    J = np.reshape(w, (2, 3))
    y, error = np.sum(J, axis=1), 1 - np.sum(np.max(J, axis=1))
    return at_most(entropy(w) - entropy(y), error * log(2) + log(2) / 2)


@true("Binary entropy, Topsoe 2001")
def topsoe(p: Unit):
    return at_most(-p * log(p) - (1 - p) * log(1 - p), log(2) * (4 * p * (1 - p)) ** (1 / (2 * log(2))))


@false("Binary entropy with the power 3/4", "hard")
def topsoe_power(p: Unit):
    return at_most(-p * log(p) - (1 - p) * log(1 - p), log(2) * (4 * p * (1 - p)) ** 0.75)


@true("Log-mean-exp of a bounded variable")
def jensen_gap(x: Vector("n"), p: Simplex("n")):
    return at_most(log(np.sum(p * exp(x))) - np.sum(p * x), (np.max(x) - np.min(x)) ** 2 / 8)


@false("Log-mean-exp of a bounded variable with 8.5", "hard")
def jensen_gap_constant(x: Vector("n"), p: Simplex("n")):
    return at_most(log(np.sum(p * exp(x))) - np.sum(p * x), (np.max(x) - np.min(x)) ** 2 / 8.5)


@true("Donsker-Varadhan")
def donsker_varadhan(p: Simplex("n"), q: Simplex("n"), f: Vector("n")):
    return at_most(np.sum(p * f) - log(np.sum(q * exp(f))), kl(p, q))


@true("Three-point identity")
def three_points(p: Simplex, q: Simplex):
    m = (p + q) / 2
    return at_most((kl(p, m) + kl(q, m)) / 2, log(2) * tv(p, q))


@false("Jensen-Shannon is at most TV / 2", "medium")
def jensen_shannon(p: Simplex, q: Simplex):
    m = (p + q) / 2
    return at_most((kl(p, m) + kl(q, m)) / 2, tv(p, q) / 2)
