"""The demands of the papers: every claim exists, and the numbers are those of the claims."""

import math
import tomllib
from dataclasses import replace

import pytest

from boundcheck.audit import Scene
from boundcheck.audit.judged import judge_demand, number
from boundcheck.audit.theorems import collected
from boundcheck.words.loading import CannotLoad, load
from tests.audit.conftest import THEORY

SCENE = Scene(n=1000, lam=0.03, d_K=7.0, eps=0.5, delta=0.05, lambda_1=0.4, energy=0.2, Q=3.0, label_square=0.5, prediction_square=0.3)


@pytest.fixture(scope="module")
def by_claim(demands):
    return {demand.claim: demand for demand in demands}


def entries() -> set[str]:
    """Ids under which the coverage maps have results that are no claims of their own."""
    files = THEORY.glob("*/coverage.toml")
    return {entry["id"] for file in files for entries in tomllib.loads(file.read_text()).values() for entry in entries}


def test_every_claim_exists(demands):
    """As a claim, or as a result of the paper that the map of its coverage explains; a repair always as a claim."""
    known = {claim.id for claim in load(THEORY)} | entries()
    named, repairs = {demand.claim for demand in demands}, {claim for demand in demands for claim in demand.repairs}
    assert named <= known
    assert repairs <= known - entries()
    assert {claim.split(".")[0] for claim in named} == {p.parent.name for p in THEORY.glob("*/demands.py")}


def test_lemma_27_at_one_half(by_claim):
    lemma, log = by_claim["li2021.lemma27"], math.log(16 * 7 / 0.05)
    assert lemma.features(SCENE) == pytest.approx(16 / 3 * 7 * log)
    assert lemma.repairs["li2021.lemma27.sharp"](SCENE) == pytest.approx(9.2421 * 7 * log, rel=1e-4)
    d_1 = 0.4 / 0.43
    assert lemma.repairs["li2021.lemma27.repaired"](SCENE) == pytest.approx((8 * d_1 + 4 / 3) * 7 * log)


def test_plain_features_have_z0_squared_over_lam(by_claim):
    ratio = 2 / 0.03 / 7
    assert by_claim["li2021.remark28.plain"].features(SCENE) == pytest.approx(ratio * by_claim["li2021.lemma27"].features(SCENE))
    assert by_claim["li2021.corollary11"].features(SCENE) == pytest.approx(ratio * by_claim["li2021.corollary10"].features(SCENE))


def test_corollary_10_and_its_sharp_lemma(by_claim):
    demand = by_claim["li2021.corollary10"]
    assert demand.features(SCENE) == pytest.approx(35 * math.log(16 * 7 / 0.05))
    assert demand.repairs["li2021.lemma22.sharp"](SCENE) == pytest.approx(6.5178 * 7 * math.log(28 / 0.05), rel=1e-4)


def test_surrogate_features_have_delta_outside_the_logarithm(by_claim):
    D, demand = 1.2 / 0.03, by_claim["liu2020.thm1.explicit"]
    assert demand.features(SCENE) == pytest.approx(5 * D * math.log(112) / 0.05)
    assert demand.repairs["liu2020.thm1.sample_size.repaired"](SCENE) == pytest.approx(16 / 3 * D * math.log(112 / 0.05))
    assert by_claim["liu2020.thm2.explicit"].features(SCENE) == pytest.approx(7 / 0.03 * math.log(112) / 0.05)


def test_wang_bounds_the_gap_by_eps_squared(by_claim):
    """4 b Q / s = eps^2 at the number printed; the ridge of the theorem is met exactly from its boundary on."""
    demand = by_claim["wang2019.thm1"]
    s = demand.features(SCENE)
    assert 4 * 2 * 3.0 / s == pytest.approx(0.25)
    (holds,) = demand.hypotheses.values()
    boundary = 4 / math.sqrt(1000) * math.sqrt(math.log(s / 0.05))
    assert [holds(replace(SCENE, lam=boundary * factor)) for factor in (0.999, 1.001)] == [False, True]


def test_the_sharper_theorem_of_yashima_solves_lemma_1(by_claim):
    M = by_claim["yashima2021.theorem1.complete"].repairs["yashima2021.theorem1.sharper-smooth"](SCENE)
    beta, D = math.log(2 / (0.4 * 0.05)), 0.5 * 0.03 / (1 + math.sqrt(0.4 / 0.03) / 4)
    assert 2 * beta / (3 * M) + math.sqrt(2 * beta / M) == pytest.approx(D)
    assert by_claim["yashima2021.lemma2.main"].features(SCENE) == pytest.approx(512 * beta)


def test_reasons_to_say_nothing(by_claim):
    demand = by_claim["li2021.corollary10"]
    letters = [
        "".join(reason.letter for reason in judge_demand(demand, scene, ()).vacuous)
        for scene in (SCENE, replace(SCENE, n=100), replace(SCENE, label_square=0.1), replace(SCENE, lambda_1=0.01))
    ]
    assert letters == ["", "N", "T", "H"]


def test_where_a_theorem_speaks(by_claim):
    scenes = [replace(SCENE, lam=lam) for lam in (0.01, 0.1, 0.2, 0.5)]
    assert judge_demand(by_claim["li2021.corollary10"], SCENE, scenes).speaks == (0.01, 0.1)
    assert judge_demand(by_claim["li2021.corollary10"], SCENE, []).speaks is None


def test_numbers_are_whole():
    assert [number(x) for x in (0.1, 7.0, 7.01, math.inf, math.nan)] == [1, 7, 8, math.inf, math.inf]


def test_a_broken_folder_is_told(tmp_path):
    paper = tmp_path / "theory_of_mine" / "paper"
    paper.mkdir(parents=True)
    for folder in (paper, paper.parent):
        (folder / "__init__.py").write_text("")
    (paper / "demands.py").write_text("1 / 0")
    with pytest.raises(CannotLoad, match="ZeroDivisionError"):
        collected(paper.parent)
