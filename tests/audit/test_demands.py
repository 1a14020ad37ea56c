"""The demands of the papers: every claim exists, and the numbers are those of the claims."""

import math
import tomllib
from dataclasses import replace

import numpy as np
import pytest

from boundcheck.features.audit import Scene, collected, feature_count, judge_demand
from boundcheck.features.pools import FeaturePool, PlainFeatures, WeightedFeatures
from boundcheck.words.loading import CannotLoad, load_claims
from tests.audit.conftest import THEORY
from theory.li2021 import spectral as of_li
from theory.li2021 import theorem9
from theory.liu2020 import lemma1 as of_liu
from theory.liu2020 import theorem1, theorem2
from theory.liu2020.surrogate_leverage import SurrogateFeatures
from theory.ma2025 import spectral as of_ma
from theory.wang2019 import theorem1 as of_wang
from theory.wang2019.finite_laws import RandomDesign
from theory.yashima2021 import concentration
from theory.yashima2021.finite_classification import FiniteClassification

SCENE = Scene(
    n=1000,
    lam=0.03,
    d_K=7.0,
    eps=0.5,
    delta=0.05,
    lambda_1=0.4,
    energy=0.2,
    Q=3.0,
    label_square=0.5,
    prediction_square=0.3,
)


@pytest.fixture(scope="module")
def by_claim(demands):
    return {demand.claim: demand for demand in demands}


def entries() -> set[str]:
    """Ids under which the coverage maps have results that are no claims of their own."""
    files = THEORY.glob("*/coverage.toml")
    return {
        entry["id"]
        for file in files
        for entries in tomllib.loads(file.read_text()).values()
        for entry in entries
    }


def test_every_claim_exists(demands):
    """As a claim, or as a result of the paper that the map of its coverage explains; a repair always as a
    claim.
    """
    known = {claim.id for claim in load_claims(THEORY)} | entries()
    named, repairs = (
        {demand.claim for demand in demands},
        {claim for demand in demands for claim in demand.repairs},
    )
    assert named <= known
    assert repairs <= known - entries()
    assert {claim.split(".")[0] for claim in named} == {p.parent.name for p in THEORY.glob("*/demands.py")}


class Asked(Exception):
    """Ends a body at its first `at_least`."""


def asked(monkeypatch, claim, **instance):
    """The bound of the first `at_least` of a claim's own body, on an instance."""
    bounds = []

    def stop(bound, of=None):
        bounds.append(bound)
        raise Asked

    monkeypatch.setitem(claim.body.__globals__, "at_least", stop)
    with pytest.raises(Asked):
        claim(**instance)
    return bounds[0]


def scene_of(case, eps=0.5, delta=0.05):
    """The scene of an instance with features and a ridge; z0^2 is the largest square of a feature."""
    return replace(
        SCENE, n=case.n, lam=case.lam, d_K=case.d_eff, eps=eps, delta=delta,
        lambda_1=case.largest_eigenvalue / case.n, z0_squared=np.max(case.Z**2),
    )  # fmt: skip


BLOCK, WEIGHTS, EXACT = np.array([[1.0, -0.5], [0.25, 1.0]]), np.array([0.3, 0.7]), np.ones(2)
LEVERAGE, ONE_COPY = (WeightedFeatures(copies, BLOCK, WEIGHTS, 0.05, EXACT) for copies in (2, 1))
PLAIN = PlainFeatures(2, BLOCK, WEIGHTS, 0.21)
POOL = FeaturePool(BLOCK, WEIGHTS, 0.1, EXACT)
WITHIN = {"eps": 0.5, "delta": 0.05}
LABELLED = {"case": POOL, "y": np.array([1.0, -1.0, 0.5]), "delta": 0.05}

READ_OFF = {
    "li2021.remark28.plain": (of_li.plain_features, {"case": PLAIN, **WITHIN}),
    "li2021.remark28.plain.proved": (of_li.plain_features_as_proved, {"case": PLAIN, **WITHIN}),
    "li2021.lemma27": (of_li.spectral_approximation, {"case": LEVERAGE, **WITHIN}),
    "li2021.lemma27.repaired": (of_li.spectral_approximation_repaired, {"case": LEVERAGE, **WITHIN}),
    "li2021.lemma27.sharp": (
        of_li.spectral_approximation_with_the_best_constant,
        {"case": LEVERAGE, **WITHIN},
    ),
    "li2021.corollary10": (theorem9.risk_with_leverage, LABELLED),
    "li2021.corollary11": (theorem9.risk_with_plain_features, LABELLED),
    "ma2025.lemmaE.4": (of_ma.spectral_approximation, {"case": LEVERAGE, **WITHIN}),
    "ma2025.lemmaE.4.repaired": (of_ma.spectral_approximation_repaired, {"case": ONE_COPY, **WITHIN}),
}


def numbers(demands):
    """What each claim demands, by its id; a repair that two claims share has the number of the one for
    leverage scores.
    """
    printed = {demand.claim: demand.features for demand in demands}
    plain_first = sorted(demands, key=lambda demand: demand.sampling != "plain")
    return printed | {claim: features for demand in plain_first for claim, features in demand.repairs.items()}


@pytest.mark.parametrize("id", READ_OFF)
def test_a_demand_is_what_the_body_of_its_claim_asks_for(demands, monkeypatch, id):
    claim, instance = READ_OFF[id]
    assert numbers(demands)[id](scene_of(instance["case"])) == pytest.approx(
        asked(monkeypatch, claim, **instance)
    )


def test_theorem_9_as_proved_is_what_corollaries_10_and_11_ask_for(by_claim, monkeypatch):
    """With d_K for leverage scores, and z0^2 / lam for plain features."""
    instance = {"k": 0.5, "lam": 0.1, "b": np.array([0.6, 0.8]), "surplus": 0.0, "delta": 0.05}
    scene = replace(SCENE, lam=0.1, d_K=1 / 1.2 + 0.5 / 0.7, delta=0.05, z0_squared=2.0)
    bound = asked(monkeypatch, theorem9.risk_over_kernel_ridge_repaired, **instance)
    plain = scene.z0_squared / scene.lam / scene.d_K
    assert by_claim["li2021.corollary10"].repairs["li2021.theorem9.repaired"](scene) == pytest.approx(bound)
    assert by_claim["li2021.corollary11"].repairs["li2021.theorem9.repaired"](scene) == pytest.approx(
        plain * bound
    )


def test_surrogate_features_are_those_of_their_claims(by_claim, monkeypatch):
    """Labels at four points of {0, 1}^2, so that D_K is Tr[(y y^T + n I) K] / (n^2 lam)."""
    Z = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0]])
    y, weights = np.array([1.0, -0.5, 0.0, 2.0]), np.array([0.5, 0.3, 0.2])
    case = SurrogateFeatures(1, Z, weights, 0.1, y)
    scene, demand = replace(scene_of(case), energy=y @ case.K @ y / case.n**2), by_claim["liu2020.lem1"]
    assert demand.features(scene) == pytest.approx(
        asked(monkeypatch, of_liu.spectral_approximation, case=case, **WITHIN)
    )
    proved = asked(monkeypatch, of_liu.spectral_approximation_proved, case=case, **WITHIN)
    assert demand.repairs["liu2020.lem1.proved"](scene) == pytest.approx(proved)


def test_theorem_1_of_liu_is_that_of_its_claim(by_claim, monkeypatch):
    p, lam, size = np.array([0.7, 0.3]), 0.2, 0.9
    bound = asked(monkeypatch, theorem1.risk_of_surrogate_features, p=p, v=0, size=size, lam=lam, delta=0.6)
    scene = replace(SCENE, lam=lam, d_K=np.sum(p / (p + lam)), delta=0.6, energy=(size * p[0]) ** 2)
    assert by_claim["liu2020.thm1.explicit"].features(scene) == pytest.approx(bound)


def test_theorem_2_of_liu_is_that_of_its_claim(by_claim, monkeypatch):
    bound = asked(monkeypatch, theorem2.risk_with_the_identity, lam=0.2, r=0.5, delta=0.6, pool=0.5)
    scene = replace(SCENE, lam=0.2, d_K=2.0, delta=0.6, energy=1.0)
    assert by_claim["liu2020.thm2.explicit"].repairs["liu2020.thm2.repaired"](scene) == pytest.approx(bound)
    assert by_claim["liu2020.thm2.explicit"].features(scene) == pytest.approx(bound)


def test_lemma_2_of_yashima_is_that_of_its_claim(by_claim, monkeypatch):
    case = FiniteClassification(
        np.array([[1.0, -0.5], [0.25, 1.0]]), WEIGHTS, WEIGHTS, np.array([[0.7, 0.3], [0.2, 0.8]])
    )
    bound = asked(monkeypatch, concentration.spaces_are_close, case=case, r=0.95, t=2.0)
    scene = replace(SCENE, eps=0.95, delta=np.exp(-2), lambda_1=np.linalg.norm(case.T, 2))
    assert by_claim["yashima2021.lemma2.main"].features(scene) == pytest.approx(bound)


def test_plain_features_cost_z0_squared_over_lam(by_claim):
    """In place of d_K, wherever a claim has a d_tilde."""
    ratio = 2 / 0.03 / 7
    pairs = [
        ("li2021.remark28.plain", "li2021.lemma27"),
        ("li2021.corollary11", "li2021.corollary10"),
        ("ma2025.corollary3.4", "ma2025.corollary3.3"),
    ]
    for plain, leverage in pairs:
        assert by_claim[plain].features(SCENE) == pytest.approx(ratio * by_claim[leverage].features(SCENE))


def test_corollary_10_in_numbers(by_claim):
    """Typed from the paper, 5 d_K log(16 d_K / delta), and from the proof, with 7.5."""
    demand, log = by_claim["li2021.corollary10"], math.log(16 * 7 / 0.05)
    assert demand.features(SCENE) == pytest.approx(35 * log)
    assert demand.repairs["li2021.theorem9.repaired"](SCENE) == pytest.approx(52.5 * log)
    assert by_claim["li2021.lemma27"].features(SCENE) == pytest.approx(16 / 3 * 7 * log)
    assert by_claim["liu2020.thm1.explicit"].features(SCENE) == pytest.approx(5 * 40 * math.log(112) / 0.05)
    assert by_claim["liu2020.thm1.explicit"].repairs["liu2020.thm1.sample_size.repaired"](
        SCENE
    ) == pytest.approx(16 / 3 * 40 * log)


def test_wang_bounds_the_gap_by_eps_squared(by_claim, monkeypatch):
    """4 b Q / s = eps^2 at the number printed; the ridge is large enough exactly from that on that the claim
    asks for.
    """
    demand, b = by_claim["wang2019.thm1"], 2.0
    assert 4 * b * 3.0 / demand.features(SCENE) == pytest.approx(0.25)
    case = RandomDesign(
        np.array([[math.sqrt(b), 1.0]]), np.ones(1), np.array([0.5, 0.5]), np.array([1.0, 2.0]), 2
    )
    ridge = asked(monkeypatch, of_wang.gap_on_event, case=case, delta=0.05)
    scene = replace(SCENE, n=case.n, Q=case.s * SCENE.eps**2 / (4 * b))
    (holds,) = demand.hypotheses.values()
    assert [holds(replace(scene, lam=ridge * factor)) for factor in (0.999, 1.001)] == [False, True]


def test_the_sharper_theorem_of_yashima_solves_lemma_1(by_claim):
    M = by_claim["yashima2021.theorem1.complete"].repairs["yashima2021.theorem1.sharper-smooth"](SCENE)
    beta, D = math.log(2 / (0.4 * 0.05)), 0.5 * 0.03 / (1 + math.sqrt(0.4 / 0.03) / 4)
    assert 2 * beta / (3 * M) + math.sqrt(2 * beta / M) == pytest.approx(D)
    assert by_claim["yashima2021.lemma2.main"].features(SCENE) == pytest.approx(512 * beta)


def test_reasons_to_say_nothing(by_claim):
    demand = by_claim["li2021.corollary10"]
    letters = [
        "".join(reason.letter for reason in judge_demand(demand, scene, ()).vacuous)
        for scene in (
            SCENE,
            replace(SCENE, n=100),
            replace(SCENE, label_square=0.1),
            replace(SCENE, lambda_1=0.01),
        )
    ]
    assert letters == ["", "N", "T", "H"]


def test_where_a_theorem_speaks(by_claim):
    scenes = [replace(SCENE, lam=lam) for lam in (0.01, 0.1, 0.2, 0.5)]
    assert judge_demand(by_claim["li2021.corollary10"], SCENE, scenes).speaks == (0.01, 0.1)
    assert judge_demand(by_claim["li2021.corollary10"], SCENE, []).speaks is None


def test_numbers_are_whole():
    assert [feature_count(x) for x in (0.1, 7.0, 7.01, math.inf, math.nan)] == [1, 7, 8, math.inf, math.inf]


def test_a_broken_folder_is_told(tmp_path):
    paper = tmp_path / "theory_of_mine" / "paper"
    paper.mkdir(parents=True)
    for folder in (paper, paper.parent):
        (folder / "__init__.py").write_text("")
    (paper / "demands.py").write_text("1 / 0")
    with pytest.raises(CannotLoad, match="ZeroDivisionError"):
        collected(paper.parent)
