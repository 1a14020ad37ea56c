"""The table of first violations: every search finds an easy one, none finds one of a theorem, and the pages say so."""

from pathlib import Path

import numpy as np
import pytest

if not (Path(__file__).resolve().parent.parent / "benchmarks").is_dir():
    pytest.skip("the sources are not here", allow_module_level=True)

from benchmarks.searchers import BlackBox, Coordinates, search
from benchmarks.violations import NAMES, page, picture
from boundcheck import PSD, Bits, FiniteLaw, P, Permutation, Positive, Simplex, assume, at_most, loewner, sqrt, theorem
from boundcheck.domains.instances import draw_instances, inside

MACHINE = {"processor": "one", "cores": 1, "load": 0.0}


@pytest.fixture(scope="module")
def claims():
    """A false one, and two theorems; inside of a function, for pytest checks the claims of a module."""

    @theorem("Loewner 1934: the square is not operator monotone")
    def squares(A: PSD("n"), D: PSD("n")):
        """A <= A + D implies A^2 <= (A + D)^2."""
        return loewner(A @ A, (A + D) @ (A + D))

    @theorem("Cantelli 1928")
    def cantelli(law: FiniteLaw, k: Positive):
        """X is k standard deviations above its mean with probability at most 1 / (1 + k^2)."""
        assume(law.variance > 0)
        return P(law.sample() - law.mean >= k * sqrt(law.variance)) <= 1 / (1 + k**2)

    @theorem("Jensen 1906")
    def discrete(p: Simplex("n"), b: Bits("n"), order: Permutation("n")):
        """The square of a mean of bits is at most the mean of them, in any order."""
        return at_most(np.sum(p * b[order]) ** 2, np.sum(p * b[order]))

    return squares, cantelli, discrete


def test_every_search_finds_an_easy_violation_and_none_of_a_theorem(claims, tmp_path):
    squares, cantelli, _ = claims
    found = [search(squares, name, 60, 0) for name in NAMES]
    assert all(s["found"] and s["evaluations"] for s in found)
    missed = [search(cantelli, name, 0.1, 0) for name in NAMES[1:]]
    assert not any(s["found"] for s in missed)
    results = [{"claim": "two.squares", "searches": found}, {"claim": "two.cantelli", "searches": [{**found[0], "found": False}, *missed]}]
    text = "\n".join(page(results, 60, MACHINE))
    assert text.count("1 of 2, median") == len(NAMES)
    picture(results, tmp_path / "found.png")
    assert (tmp_path / "found.png").stat().st_size


def test_the_numbers_of_a_search_are_those_of_its_seed(claims):
    first, second = (search(claims[0], "random", 60, 1)["evaluations"] for _ in range(2))
    assert first == second


def test_coordinates_are_instances(claims):
    rng = np.random.default_rng(0)
    for claim in claims[1:]:
        for raw in draw_instances(claim.parameters, 5, 0):
            at = Coordinates(claim, raw)
            for t in (at.drawn, rng.standard_normal(at.dim)):
                assert inside(claim.parameters, at.raw_at(t))
                assert BlackBox(claim)(at(t)) >= 0
