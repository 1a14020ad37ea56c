"""The search: looks and derivatives of a population against JAX by hand, and the time to a verdict against plain Hypothesis."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from hypothesis import HealthCheck, find, settings

from benchmarks.task import OURS, Contender, optional, task
from boundcheck import Count, Family, P, Simplex, Symmetric, Unit, at_most, expm, log, quantity, sqrt, theorem, trace
from boundcheck.checking.certificate import program_at as recorded
from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.observe import Skipped, observe
from boundcheck.checking.search.population import Population, Shape
from boundcheck.checking.search.program import Program
from boundcheck.domains.instances import strategy
from boundcheck.words.claims import Claim

MEMBERS, SIZE = 512, 4


@theorem("Golden 1965, Thompson 1965, with three factors: false")
def golden_thompson(A: Family(Symmetric("n"), 3)):  # type: ignore[valid-type]
    return at_most(trace(expm(A[0] + A[1] + A[2])), np.abs(trace(expm(A[0]) @ expm(A[1]) @ expm(A[2]))))


@theorem("Hoeffding 1963, Theorem 2, with 4 n for 2 n: false")
def flips(bias: Unit, n: Count, delta: Unit):
    mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
    return P(mean - bias <= sqrt(log(1 / delta) / (4 * n))) >= 1 - delta


@theorem("The collision probability is at most the largest probability, with 9/10 of it: false")
def collision(p: Simplex("n")):  # type: ignore[valid-type]
    return at_most(np.sum(p**2), 0.9 * np.max(p))


def prepared(quick: bool) -> tuple[Population, np.ndarray, Callable[[Any, Any], Any]]:
    """A population of the first claim, its rows, and the claim's score of one instance, by the namespace it is written in."""
    count, rng = 64 if quick else MEMBERS, np.random.default_rng(0)
    raw = {"A": [rng.normal(size=(SIZE, SIZE)) for _ in range(3)]}
    shape = Shape.of(golden_thompson.parameters, raw)
    population = Population(shape, Program(*recorded(golden_thompson, raw)), 0)

    def score(xp: Any, A: Any) -> Any:
        A = (A + xp.swapaxes(A, -1, -2)) / 2
        values, vectors = xp.linalg.eigh(xp.concatenate([A, xp.sum(A, axis=0)[None]]))
        a, b, c, whole = (vectors * xp.exp(values)[:, None, :]) @ xp.swapaxes(vectors, -1, -2)
        return xp.log(xp.trace(whole)) - xp.log(xp.abs(xp.trace(a @ b @ c)))

    return population, rng.normal(size=(count, shape.width)), score


@task("looks at a population", f"{MEMBERS} instances, 3 matrices of order {SIZE}", best=0.5, plain=0.7, tolerance=1e-8)
def population_looks(quick: bool) -> Iterator[Contender]:
    population, rows, score = prepared(quick)
    many = rows.reshape(len(rows), 3, SIZE, SIZE)
    yield Contender(OURS, lambda: population.scores(rows))
    yield Contender("numpy", lambda: [score(np, A) for A in many])
    yield Contender("boundcheck, one by one", lambda: [_score(golden_thompson, population.shape.raw(row)) for row in rows])
    if jax := optional("jax"):
        fast, given = jax.jit(jax.vmap(lambda A: score(jax.numpy, A))), jax.numpy.asarray(many)
        yield Contender("jax", lambda: jax.block_until_ready(fast(given)))


@task("gradients of a population", f"{MEMBERS} instances, 3 matrices of order {SIZE}", best=0.5, plain=10, tolerance=1e-6)
def population_gradients(quick: bool) -> Iterator[Contender]:
    population, rows, score = prepared(quick)
    many = rows.reshape(len(rows), 3, SIZE, SIZE)
    yield Contender(OURS, lambda: population.looks(rows, population.shape.coordinates(rows))[1])
    yield Contender("numpy, differences", lambda: [_differences(score, A) for A in many])
    if jax := optional("jax"):
        fast, given = jax.jit(jax.vmap(jax.grad(lambda A: score(jax.numpy, A)))), jax.numpy.asarray(many)
        yield Contender("jax", lambda: jax.block_until_ready(fast(given)), lambda g: np.asarray(g).reshape(len(rows), -1))


def _differences(score: Callable[[Any, Any], Any], A: np.ndarray, h: float = 1e-6) -> list[float]:
    steps = h * np.eye(A.size).reshape(-1, *A.shape)
    return [(score(np, A + step) - score(np, A - step)) / (2 * h) for step in steps]


def _verdict(claim: Claim) -> Iterator[Contender]:
    """Both until they call the claim false."""
    yield Contender(OURS, lambda: judge(claim, PLANS["quick"], 1e-7).outcome.name == "REFUTED")
    yield Contender("hypothesis", lambda: _found(claim))


def _found(claim: Claim) -> bool:
    """Whether plain Hypothesis meets a violation in floats, and shrinks it; no certificate."""
    quiet = settings(max_examples=5000, database=None, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    find(strategy(claim.parameters), lambda raw: _violated(claim, raw), settings=quiet)
    return True


def _violated(claim: Claim, raw: dict[str, Any]) -> bool:
    return _score(claim, raw) > 1e-9


def _score(claim: Claim, raw: dict[str, Any]) -> float:
    """What a look at one instance by running the body says."""
    seen = observe(claim, raw)
    return -np.inf if isinstance(seen, Skipped) else max(o.score for o in seen)


@task("a false inequality of matrices", "to its certificate", best=1, plain=1)
def verdict_on_matrices(quick: bool) -> Iterator[Contender]:
    yield from _verdict(golden_thompson)


@task("a false inequality of vectors", "to its certificate", best=1, plain=1)
def verdict_on_vectors(quick: bool) -> Iterator[Contender]:
    yield from _verdict(collision)


@task("a false tail bound", "to its certificate", best=1, plain=1)
def verdict_on_a_tail(quick: bool) -> Iterator[Contender]:
    yield from _verdict(flips)
