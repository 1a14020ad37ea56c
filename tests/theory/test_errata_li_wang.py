"""Tables in the errata of Li et al. (2021) and Wang (2019), computed anew; what claims and coverage point to."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import binom

import theory
from boundcheck.words.loading import load_claims

ROOT = Path(theory.__path__[0])
PAPERS = ("li2021", "wang2019")


def entries(paper, name, key):
    return tomllib.loads((ROOT / paper / name).read_text(encoding="utf-8"))[key]


@pytest.fixture(scope="module")
def known():
    return {claim.id: claim for paper in PAPERS for claim in load_claims(ROOT / paper)}


@pytest.mark.parametrize("paper", PAPERS)
def test_ids_that_claims_and_coverage_point_to_are_claims(paper, known):
    for claim in known.values():
        assert {s for s in claim.step_of if s.startswith(f"{paper}.")} <= set(known), claim.id
        assert claim.repairs is None or not claim.repairs.startswith(f"{paper}.") or claim.repairs in known, claim.id
    named = [e["id"] for e in entries(paper, "coverage.toml", "entry") if e["status"] == "explicit form"]
    assert named
    assert not set(named) & set(known)


def table(id, first, rows):
    """The numbers of `rows` lines of a limit's table, beginning with the line whose first word is `first`."""
    (limit,) = [e["limit"] for e in entries(id.split(".")[0], "errata.toml", "erratum") if e["id"] == id]
    lines = limit.strip().splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:1] == [first])
    return [[float(x) for x in line.split() if x[0].isdigit()] for line in lines[start : start + rows]]


def test_table_of_theorem_15_is_the_probability_that_a_feature_is_missed():
    k, lam, delta = 0.009, 0.1, 0.05
    for n, printed in table("li2021.theorem15.explicit", "$n$", 5)[1:]:
        second = np.arange(n + 1)
        l_1, l_2 = (n - second) / (n - second + n * lam), second * k / (second * k + n * lam)
        s = np.ceil(5 * (l_1 + l_2) * np.log(16 * (l_1 + l_2) / delta))
        missed = binom.pmf(second, n, 0.5) @ (1 - l_2 / (l_1 + l_2)) ** s
        assert missed == pytest.approx(printed, abs=6e-4)


def test_table_of_step_25_is_exact():
    for n, mean, times_n in table("li2021.theorem12.step25.explicit", "$n$", 6)[1:]:
        c = 1 / (1 + 1 / n)
        exact = 2 * (1 - 2 * c / n + c**2 / n) - (1 + c**2 / n)
        assert (mean, times_n) == (pytest.approx(exact, abs=6e-5), pytest.approx(n * exact, abs=0.6))


def test_table_of_wangs_theorem_2_is_the_limit_on_the_circle():
    """s times the gap over the printed norm for the leading eigenvector, s -> infinity, by the eigenvalues of a circulant matrix."""
    lams, ratios, *_ = table("wang2019.thm2.explicit", r"$\lambda$", 4)
    n = 4000
    t = 2 * np.pi * np.arange(n) / n
    k = np.fft.fft(1 - 2 / np.pi * np.minimum(t, 2 * np.pi - t)).real
    z = np.abs(np.fft.fft(np.sign(np.cos(t + np.pi / n)))) ** 2 / n
    for lam, printed in zip(lams, ratios, strict=True):
        shrink = n * lam / (k + n * lam)
        gap = (k[1] * (z @ shrink**2) - (k[1] * shrink[1]) ** 2) / n
        assert gap / (k[1] - k[1] ** 2 / n) == pytest.approx(printed, rel=0.02)


@pytest.mark.parametrize(("d", "row"), [(3, 2), (5, 3)])
def test_table_of_wangs_theorem_2_in_higher_dimension(d, row):
    """The same by the eigenvalues of the kernel on the sphere of R^d, whose sum is 1."""
    found = table("wang2019.thm2.explicit", r"$\lambda$", 4)
    l = np.arange(1, 40_000, 2)
    first = np.exp(2 * (gammaln(d / 2) - gammaln((d + 1) / 2))) / np.pi
    mu = first * np.cumprod(np.append(1, (l[:-1] / (l[:-1] + d)) ** 2))
    share = mu * (2 * l + d - 2) / l * np.exp(gammaln(l + d - 2) - gammaln(l) - gammaln(d - 1))
    assert share.sum() == pytest.approx(1, abs=1e-4)
    for lam, printed in zip(found[0], found[row], strict=True):
        shrink = lam / (mu + lam)
        ratio = (share @ shrink**2 - mu[0] * shrink[0] ** 2) / (1 - mu[0])
        assert ratio == pytest.approx(printed, rel=0.02)


def test_proof_of_theorem_9_leaves_room():
    """2 m + (M / 3 + t)^2 / (.53 - M / 9) stays below 4 with 7.5, and no longer with 7: the constant of this proof."""

    def worst(C, kept):
        M = np.linspace(0, 1, 1001)
        t = (4 + np.sqrt(16 + 8 * C * (1 - M))) / (2 * C)
        return np.max(2 + (M / 3 + t) ** 2 / (kept - M / 9))

    assert worst(7.5, 0.53) < 3.82
    assert worst(7.0, 0.5155) > 4
    assert 0.47 + 0.53 * np.log(0.53) > 1 / 7.5
