"""Famous statements about whole numbers, orders, graphs, designs and algorithms that are false, beside true ones that are attained."""

from itertools import combinations

import numpy as np

from boundcheck import (
    Bits,
    Box,
    Family,
    Permutation,
    Signs,
    Subset,
    Vector,
    assume,
    at_most,
    eigenvalues,
    integers,
    largest_eigenvalue,
    maximum,
    minimum,
    smallest_eigenvalue,
    trace,
)  # fmt: skip

from . import false, true

# Whole numbers


@false("Two cubes never have the sum of two others, up to 12: 1729 (Frenicle 1657, Ramanujan)", "hard")
def taxicab(a: integers(1, 12), b: integers(1, 12), c: integers(1, 12), d: integers(1, 12)):
    assume(a < c)
    assume(c <= d)
    return at_most(1, np.abs(a**3 + b**3 - c**3 - d**3))


@false("Three cubes in other ratios than 3, 4, 5 never sum to one, up to 20: 1, 6, 8 and 9 (Euler)", "hard")
def four_cubes(a: integers(1, 20), b: integers(1, 20), c: integers(1, 20), d: integers(1, 20)):
    assume(a <= b)
    assume(b <= c)
    assume(4 * a < 3 * b)
    return at_most(1, np.abs(a**3 + b**3 + c**3 - d**3))


@false("Curtiss 1922 for four unit fractions with 0.9985: 1805/1806", "hard")
def curtiss_four(a: integers(2, 60), b: integers(2, 60), c: integers(2, 60), d: integers(2, 60)):
    assume(b * c * d + a * c * d + a * b * d + a * b * c < a * b * c * d)
    return at_most(1 / a + 1 / b + 1 / c + 1 / d, 0.9985)


@false("a^2 + b^2 + c^2 + d^2 = a b c d has no solution with d from 3 on: Hurwitz 1907, 2, 2, 2, 6", "hard")
def hurwitz(a: integers(1, 30), b: integers(1, 30), c: integers(1, 30), d: integers(3, 30)):
    return at_most(1, np.abs(a**2 + b**2 + c**2 + d**2 - a * b * c * d))


@false("Solutions of x^2 = 2 y^2 + 1 end at 99, 70: Pell, 577, 408", "hard")
def pell_two(x: integers(1, 600), y: integers(1, 600)):
    assume(x * x == 2 * y * y + 1)
    return at_most(x, 100)


@false("Beyond 1540 no number is triangular and tetrahedral: 7140, Avanesov 1966", "hard")
def triangular_tetrahedral(n: integers(60, 300), m: integers(23, 80)):
    return at_most(1, np.abs(n * (n - 1) / 2 - m * (m - 1) * (m - 2) / 6))


@false("Triangles with sides n - 1, n, n + 1 have no whole area from n = 5 on: Brahmagupta, 13, 14, 15", "medium")
def brahmagupta(n: integers(5, 1000), m: integers(1, 2000)):
    return at_most(1, np.abs(3 * (n**2 - 4) - m**2))


# Orders and sets


@false("Langford's problem has no solution for four: 4 1 3 1 2 4 3 2", "hard")
def langford(p: Permutation(8)):
    return at_most(1, np.sum(np.abs(np.abs(p[1::2] - p[::2]) - np.arange(2, 6))))


@false("Langford's problem has no solution for seven: 26 of them, Langford 1958", "hard")
def langford_seven(p: Permutation(14)):
    return at_most(1, np.sum(np.abs(np.abs(p[1::2] - p[::2]) - np.arange(2, 9))))


@true("Langford's problem has no solution for five: Davies 1959")
def langford_five(p: Permutation(10)):
    return at_most(1, np.sum(np.abs(np.abs(p[1::2] - p[::2]) - np.arange(2, 7))))


@false("No magic square of order 3: Lo Shu, eight of 362,880 orders", "hard")
def magic_three(p: Permutation(9)):
    S = p.reshape(3, 3)
    diagonals = np.stack([np.trace(S), S[0, 2] + S[1, 1] + S[2, 0]])
    return at_most(1, np.sum(np.abs(np.concatenate([np.sum(S, axis=0), np.sum(S, axis=1), diagonals]) - 12)))


@false("No magic square of order 4: Frenicle 1693 has 880", "hard")
def magic_four(p: Permutation(16)):
    S = p.reshape(4, 4)
    diagonals = np.stack([np.trace(S), S[0, 3] + S[1, 2] + S[2, 1] + S[3, 0]])
    return at_most(1, np.sum(np.abs(np.concatenate([np.sum(S, axis=0), np.sum(S, axis=1), diagonals]) - 30)))


@false("Nine numbers in any order have four that rise or fall: Erdos and Szekeres 1935 need ten", "hard")
def monotone(p: Permutation(9)):
    up, down = [], []
    for i in range(9):
        u = d = 1.0
        for j in range(i):
            u = maximum(u, np.where(p[j] < p[i], up[j] + 1, 1))
            d = maximum(d, np.where(p[j] > p[i], down[j] + 1, 1))
        up.append(u)
        down.append(d)
    return at_most(4, np.max(np.stack(up + down)))


@false("No Costas array of order 8: Costas 1965, 444 of 40,320 orders", "medium")
def costas(p: Permutation(8)):
    gaps = [p[k:] - p[:-k] for k in range(1, 7)]
    return at_most(1, sum(np.sum(d[:, None] == d[None, :]) - len(d) for d in gaps))


@false("No orthomorphism of the integers modulo 7: multiplication by 2", "medium")
def orthomorphism(p: Permutation(7)):
    d = (p - np.arange(7)) % 7
    return at_most(1, np.sum(d[:, None] == d[None, :]) - 7)


@true("No orthomorphism of the integers modulo 6: Euler 1782, Paige 1947")
def orthomorphism_six(p: Permutation(6)):
    d = (p - np.arange(6)) % 6
    return at_most(1, np.sum(d[:, None] == d[None, :]) - 6)


@false("Steps of an order of ten numbers sum to 48 at most: n^2 / 2 - 1", "hard")
def zigzag(p: Permutation(10)):
    return at_most(np.sum(np.abs(p[1:] - p[:-1])), 48)


@true("Diaconis and Graham 1977: inversions are at most the footrule")
def footrule(p: Permutation(7)):
    inversions = np.sum(np.triu(p[:, None] > p[None, :], 1))
    return at_most(inversions, np.sum(np.abs(p - np.arange(7))))


@false("Latin squares of order 3 have no orthogonal mate: Euler 1782", "hard")
def orthogonal_latin(A: Family(Permutation(3), 3), B: Family(Permutation(3), 3)):
    same = sum(np.sum(X[i] == X[j]) for X in (A, B) for i, j in combinations(range(3), 2))
    both = np.concatenate([3 * A[i] + B[i] for i in range(3)])
    return at_most(1, same + np.sum(both[:, None] == both[None, :]) - 9)


@false("No perfect difference set of five modulo 21: Singer 1938", "hard")
def difference_set(S: Subset(21, 5)):
    d = (S[:, None] - S[None, :]) % 21
    return at_most(1, np.sum(np.stack([np.abs(np.sum(d == k) - 1) for k in range(1, 21)])))


@false("Eight of fourteen numbers have three in progression: r_3(14) = 8 for one set alone, Erdos and Turan 1936", "hard")
def progression_free(S: Subset(14, 8)):
    x = np.zeros(14)
    x[S] = 1
    return at_most(1, sum(np.sum(x[: 14 - 2 * d] * x[d : 14 - d] * x[2 * d :]) for d in range(1, 7)))


# Graphs, tournaments, designs


def tournament(B, n):
    upper = np.triu(B, 1)
    return upper + np.tril(np.ones((n, n)), -1) - upper.T


@false("Of seven players some two are beaten by no common third: Schuette's property of Paley's tournament, Erdos 1963", "hard")
def schuette(B: Bits(7, 7)):
    W = tournament(B, 7)
    return at_most(1, np.sum(np.triu(np.where(W.T @ W < 0.5, 1, 0), 1)))


@false("Seven players have at most 13 cyclic triples: 14, Kendall and Babington Smith 1940", "medium")
def cyclic_triples(B: Bits(7, 7)):
    W = tournament(B, 7)
    return at_most(trace(W @ W @ W) / 3, 13)


def adjacency(B):
    upper = np.triu(B, 1)
    return upper + upper.T


@true("Smallest eigenvalues of graphs are at least minus the root of their edges, attained by complete bipartite ones")
def smallest_root_of_edges(B: Bits(6, 6)):
    A = adjacency(B)
    return at_most(-smallest_eigenvalue(A), np.sqrt(np.sum(A) / 2))


@false("Largest eigenvalues of a graph of eight points and of its complement sum to 8.95 at most: 9 (Nosal 1970)", "hard")
def nosal(B: Bits(8, 8)):
    A = adjacency(B)
    return at_most(largest_eigenvalue(A) + largest_eigenvalue(1 - A - np.eye(8)), 8.95)


@false("Graphs of six points and nine edges have 80 spanning trees at most: 81, complete bipartite", "hard")
def spanning_trees(B: Bits(6, 6)):
    A = adjacency(B)
    assume(np.sum(A) <= 18)
    return at_most(np.linalg.det((np.diag(np.sum(A, axis=1)) - A)[1:, 1:]), 80)


SETS = np.array([[float(k >> i & 1) for i in range(6)] for k in range(64)])


def independence(A):
    return np.max(np.where(np.sum((SETS @ A) * SETS, axis=1) < 0.5, np.sum(SETS, axis=1), 0))


@false("Hoffman's bound of independent sets for all graphs: regular ones, stars are larger", "medium")
def hoffman(B: Bits(6, 6)):
    A = adjacency(B)
    e = eigenvalues(A)
    return at_most(independence(A) * (e[0] - e[5]), -6 * e[5])


@true("Caro 1979, Wei 1981: independent sets and degrees")
def caro_wei(B: Bits(6, 6)):
    A = adjacency(B)
    return at_most(np.sum(1 / (1 + np.sum(A, axis=1))), independence(A))


@false("Seven lines of three points, each two of them with one in common, do not exist: Fano 1892", "hard")
def fano(B: Bits(7, 7)):
    return at_most(1, np.sum(np.abs(B @ B.T - 1 - 2 * np.eye(7))))


LINES = np.array([t for t in combinations(range(27), 3) if all(sum(k // 3**i % 3 for k in t) % 3 == 0 for i in range(3))])


@false("Caps of the game SET in three dimensions have eight cards at most: nine, Bose 1947", "hard")
def caps(x: Bits(27)):
    return at_most(np.sum(x) - np.sum(np.prod(x[LINES], axis=1)), 8)


@false("Gale and Berlekamp's game on 5 x 5 always ends with 12 of 25 or better: 11, Fishburn and Sloane 1989", "hard")
def gale_berlekamp(A: Signs(5, 5)):
    flips = np.array([[1.0 if k >> i & 1 else -1.0 for i in range(5)] for k in range(16)])
    return at_most(12, np.max(np.sum(np.abs(flips @ A.T), axis=1)))


@false("Two colours of eight numbers have three of one colour in progression: van der Waerden needs nine", "medium")
def waerden(s: Signs(8)):
    triples = [np.abs(s[: 8 - 2 * d] + s[d : 8 - d] + s[2 * d :]) for d in range(1, 4)]
    return at_most(1, sum(np.sum(t > 2.5) for t in triples))


# Algorithms

NETWORK = np.array([(0, 1), (2, 3), (4, 5), (0, 2), (1, 4), (3, 5), (0, 1), (2, 3), (4, 5), (1, 2), (3, 4), (2, 3)])


def sorted_by(x, pairs):
    x = [x[k] for k in range(6)]
    for i, j in pairs:
        x[i], x[j] = minimum(x[i], x[j]), maximum(x[i], x[j])
    return np.stack(x)


@true("A sorting network of twelve comparators for six numbers: Bose and Nelson 1962")
def sorting_network(x: Vector(6)):
    y = sorted_by(x, NETWORK)
    return at_most(y[:-1], y[1:])


@false("The same without its last comparator", "medium")
def sorting_network_short(x: Vector(6)):
    y = sorted_by(x, NETWORK[:-1])
    return at_most(y[:-1], y[1:])


@false("Lists on three machines by 1.6 of the mean load and the longest job: 5/3, Graham 1966", "medium")
def list_scheduling(jobs: Box(7, low=0, high=1)):
    loads = np.zeros(3)
    for k in range(7):
        loads = np.sort(loads)
        loads = np.stack([loads[0] + jobs[k], loads[1], loads[2]])
    return at_most(np.max(loads), 1.6 * maximum(np.sum(jobs) / 3, np.max(jobs)))


REGIONS = np.array([[float(k >> i & 1) for k in range(1, 8)] for i in range(3)])


def covers(w):
    """The weight of two of three sets, the heavier first, and of the best two."""
    single = REGIONS @ w
    pair = [np.sum(np.maximum(REGIONS[i], REGIONS[j]) * w) for i, j in ((0, 1), (0, 2), (1, 2))]
    best = np.stack([maximum(pair[0], pair[1]), maximum(pair[0], pair[2]), maximum(pair[1], pair[2])])
    return np.max(np.where(single >= np.max(single), best, 0)), np.max(np.stack(pair))


@true("Nemhauser, Wolsey and Fisher 1978: greedy covers of two sets have 3/4 of the best")
def greedy_covers(w: Box(7, low=0, high=1)):
    greedy, best = covers(w)
    return at_most(3 / 4 * best, greedy)


@false("The same with 0.77", "hard")
def greedy_covers_constant(w: Box(7, low=0, high=1)):
    greedy, best = covers(w)
    return at_most(0.77 * best, greedy)


@false("Nontransitive dice do not exist, three sides each: Steinhaus and Trybula 1959", "medium")
def dice(x: Vector(3), y: Vector(3), z: Vector(3)):
    wins = [np.sum(a[:, None] > b[None, :]) for a, b in ((x, y), (y, z), (z, x))]
    return at_most(np.min(np.stack(wins)), 4.5)


@false("Following the leader of two, the regret of ten rounds is at most the root of ten: linear, Hannan 1957", "medium")
def follow_the_leader(b: Bits(10)):
    lead = loss = 0
    for k in range(10):
        loss = loss + np.where(lead > 0, 1 - b[k], b[k])
        lead = lead + 2 * b[k] - 1
    total = np.sum(b)
    return at_most(loss - minimum(total, 10 - total), np.sqrt(10))
