"""A sweep: the same bits on any number of workers, the MSEs of its definition, and what follows from them."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from boundcheck.features.data import DataError
from boundcheck.features.kernels import Gaussian
from boundcheck.features.ridge import Problem, feature_predictions, kernel_ridge
from boundcheck.running import Workers
from theory.wang2019.sweep.median import median_interval
from theory.wang2019.sweep.plan import SweepPlan
from theory.wang2019.sweep.records import plot, to_json, to_markdown
from theory.wang2019.sweep.result import Sweep
from theory.wang2019.sweep.run import sweep
from theory.wang2019.sweep.sentences import conclusions


@pytest.fixture(scope="module")
def result(data, plan):
    return sweep(data, plan)


def made(mse, **changes):
    """A sweep with given MSEs (repeats, ridges, sizes, scalings)."""
    mse = np.asarray(mse, dtype=np.float64)
    R, L, _, _ = mse.shape
    plan = SweepPlan(sizes=(16, 64, 256), repeats=R, ridges=(0.2, 1.0, 50.0)[:L], **changes)
    ones = np.ones(L)
    return Sweep("made", "y", (100, 40, 3), plan, 1.5, ones, mse, floor=0.5 * ones, energy=2 * ones)


def power(exponents, R=40):
    """MSEs that go exactly as s to the power of each exponent, one per scaling."""
    rows = np.array([[[[s**e for e in exponents] for s in (16.0, 64.0, 256.0)]]])
    return np.repeat(rows, R, axis=0) * np.linspace(1, 2, R)[:, None, None, None]


def test_any_number_of_workers_gives_the_same_bits(data, plan, result):
    again = sweep(data, plan, Workers(2))
    np.testing.assert_array_equal(again.mse, result.mse)
    assert to_json(again) == to_json(result)


def test_a_repeat_is_keyed_by_its_number(data, plan, result):
    fewer = sweep(data, replace(plan, repeats=2))
    np.testing.assert_array_equal(fewer.mse, result.mse[:2])


def test_mse_is_its_definition(data, plan, result):
    train, test = data.scaled().split(60, plan.seed)
    problem = Problem(train.X, train.y, test.X, Gaussian(Gaussian.typical_bandwidth(train.X)))
    for j, lam in enumerate(result.lams):
        f, energy = kernel_ridge(problem, np.array([lam, 2 * lam]))
        features = problem.features(90, plan.seed, 4)
        g = feature_predictions(problem, features, plan.sizes, np.array([lam, 2 * lam]))
        expected = ((g - f[None, :, :1]) ** 2).mean(axis=1)
        np.testing.assert_allclose(result.mse[4, j], expected, rtol=1e-9)
        assert result.floor[j] == pytest.approx(np.mean((f[:, 1] - f[:, 0]) ** 2))
        assert result.energy[j] == pytest.approx(energy[0])


def test_printed_features_tend_to_the_floor_and_the_others_to_zero(data):
    result = sweep(data, SweepPlan(sizes=(1000, 60_000), repeats=2, train=60))
    np.testing.assert_allclose(result.mean_mse[:, -1, 1], result.floor, rtol=0.1)
    assert (result.mean_mse[:, -1, 0] < 0.05 * result.floor).all()


def test_slopes_are_least_squares(result):
    x = np.log(result.plan.sizes)
    for j in range(3):
        for c in range(2):
            assert result.slopes[j, c] == pytest.approx(np.polyfit(x, np.log(result.mean_mse[j, :, c]), 1)[0])
            slopes = [np.polyfit(x, np.log(mse), 1)[0] for mse in result.mse[:, j, :, c]]
            interval = median_interval(slopes, 0.01 / 6)
            assert tuple(result.slope_intervals[j, c]) == pytest.approx(interval, abs=1e-9)


def test_bounds_are_those_of_the_paper(result):
    s = np.array(result.plan.sizes)
    np.testing.assert_allclose(result.bound, result.energy[:, None] / s)
    np.testing.assert_allclose(result.theorem_bound, 4 * 2 / s * result.energy[:, None])
    np.testing.assert_allclose(result.ratio[2, 1], result.bound[2, 1] / result.mse[:, 2, 1].mean(axis=0))


def test_the_hypothesis_of_theorem_1():
    met = made(np.ones((2, 3, 3, 2))).hypothesis
    assert met.tolist() == [[False] * 3, [False] * 3, [True] * 3]
    c = 4 * math.sqrt(math.log(64 / 0.05))
    edge = replace(made(np.ones((2, 1, 3, 2))), plan=SweepPlan(sizes=(16, 64, 65), ridges=(c,)))
    assert edge.hypothesis.tolist() == [[True, True, False]]


def test_conclusions_follow_the_numbers():
    text = "\n".join(conclusions(made(power((-1.0, -0.5)) * (1 + 1e-9 * np.arange(40))[:, None, None, None])))
    assert "printed (without sqrt 2): the mean MSE goes as s^-0.500" in text
    assert "not compatible with -1 (flatter on this grid); at s = 256 the mean MSE is 4 times" in text
    text = "\n".join(conclusions(made(power((-1.5, -1.5)))))
    assert "not compatible with -1 (steeper on this grid)" in text
    spread = power((-1.0, -1.0)) * np.exp(np.linspace(-1, 1, 40))[:, None, None, None] ** [[0], [0], [1]]
    assert "is compatible with -1;" in "\n".join(conclusions(made(spread)))


def test_conclusions_know_the_floor_and_the_bounds():
    near, far = (conclusions(made(np.full((2, 1, 3, 2), mse))) for mse in (0.9, 1.1))
    assert any("1.8 times that floor, within a factor 2 of it" in sentence for sentence in near)
    assert any("2.2 times that floor, still above it" in sentence for sentence in far)
    assert any("below it in 3 of 3 settings; Theorem 1's 4b/s version is 0.0694 to 1.11" in x for x in near)
    assert any(x.endswith("below it in 2 (0 of them under its hypothesis).") for x in near)
    under = conclusions(made(np.full((2, 3, 3, 2), 1.1)))
    assert any(x.endswith("below it in 9 (3 of them under its hypothesis).") for x in under)
    small = conclusions(made(np.full((2, 1, 3, 2), 0.01)))
    assert sum("below it in none: no slope on this grid speaks against it" in x for x in small) == 2
    assert any("once s exceeds 32 for lam = 0.2/sqrt(n)" in sentence for sentence in near)
    assert any("none of the 3 settings satisfies it" in sentence for sentence in near)
    assert any("3 of the 9 settings satisfy it" in x for x in conclusions(made(np.ones((2, 3, 3, 2)))))


def test_few_repeats_conclude_nothing_of_the_slope():
    text = "\n".join(conclusions(made(power((-1.0, -0.5), R=5))))
    assert "too few repeats for an interval of the median slope (9 needed)" in text
    assert "compatible" not in text


def test_json_holds_everything(result):
    record = json.loads(to_json(result))
    assert np.array_equal(record["mse"], result.mse)
    assert record["plan"]["sizes"] == [4, 32, 60, 90]
    assert record["conclusions"] == conclusions(result)
    few = made(np.ones((2, 1, 3, 2)))
    assert json.loads(to_json(few))["slope_intervals"] == [[[None, None]] * 2]


def test_markdown_has_a_row_for_each_setting(result):
    rows = [line for line in to_markdown(result).splitlines() if line.startswith("|") and line[1].isdigit()]
    assert [row.split("|")[1] for row in rows] == ["4", "32", "60", "90"] * 3
    assert f"{result.mean_mse[0, 0, 1]:.3e}" in rows[0]


def test_the_figure_is_the_same_bytes_each_time(result, tmp_path):
    for name in ("a.svg", "b.svg", "c.png"):
        plot(result, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "KRR with 2 lam" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_unusable_data_are_refused(data, plan):
    with pytest.raises(DataError, match="choose another column"):
        sweep(replace(data, y=np.ones(100)), plan)
    with pytest.raises(DataError, match="the same point"):
        sweep(replace(data, X=np.ones((100, 3))), plan)
    with pytest.raises(DataError, match="n_train"):
        sweep(data, replace(plan, train=100))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kernel": "rbf"}, "gaussian or laplace"),
        ({"sizes": (16,)}, "at least two"),
        ({"sizes": (0, 16)}, "drop 0"),
        ({"sizes": (16, 16)}, "must increase"),
        ({"ridges": ()}, "at least one"),
        ({"ridges": (1.0, -1.0)}, "positive"),
        ({"bandwidth": math.nan}, "positive"),
        ({"repeats": 1}, "at least 2"),
        ({"train": 1}, "2 to 16384"),
        ({"seed": -1}, "seed"),
        ({"level": 1.0}, "level"),
        ({"delta": 0.0}, "delta"),
    ],
)
def test_bad_plans_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        SweepPlan(**changes)
