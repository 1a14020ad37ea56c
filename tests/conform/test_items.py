"""Maps that conform pass every item, and each broken one fails in the item that it breaks."""

import numpy as np
import pytest

from boundcheck.checking.verdict import Outcome
from boundcheck.features.conform import NAMED, Design, Kernel, MapError, assert_conforms, conformance
from boundcheck.features.conform.draws import judged_rate
from boundcheck.features.conform.run import looked_at, prepared, quiet
from tests.conform import maps

QUICK = Design(trials=1500)
FEW = Design(trials=64)
SAMPLED = {"unbiased", "bounded", "variance", "rate"}


def refuted(result):
    return {item.name for item in result.found([Outcome.REFUTED])}


@pytest.mark.parametrize(("cls", "bound"), [(maps.Cosines, None), (maps.Pairs, 1.0)])
def test_good_maps_hold_in_all_items(cls, bound):
    result = conformance(cls, "gaussian", {"gamma": 0.5}, bound=bound, design=Design(trials=4000))
    assert {item.name: item.reason for item in result.items if item.outcome is not Outcome.HOLDS and item.name != "documented"} == {}
    assert result.item("documented").outcome is Outcome.VACUOUS


def without_draws(cls):
    with quiet():
        return {name: decide() for name, decide in looked_at(prepared(cls, "gaussian")).items()}


def test_attributes_as_documented_hold():
    assert without_draws(maps.Documented)["documented"].outcome is Outcome.HOLDS


@pytest.mark.parametrize(
    ("cls", "expected"),
    [
        (maps.WithoutSqrt2, {"unbiased", "rate"}),
        (maps.WithoutSqrtS, {"unbiased", "bounded"}),
        (maps.TooWide, {"unbiased"}),
        (maps.TooNoisy, {"variance"}),
        (maps.OneFrequency, {"variance", "rate"}),
    ],
)
def test_wrong_moments_are_refuted_where_they_are_wrong(cls, expected):
    result = conformance(cls, "gaussian", design=QUICK)
    assert refuted(result) == expected, result.items


@pytest.mark.parametrize(
    ("cls", "item", "word"),
    [
        (maps.IgnoresSeed, "deterministic", "ignored"),
        (maps.Unseeded, "deterministic", "two fits differ (8 of 8 seeds)"),
        (maps.ChangesState, "deterministic", "the second differs"),
        (maps.SeesTheBatch, "deterministic", "other points of the batch"),
        (maps.Centred, "data-independent", "two data sets"),
        (maps.Overflows, "float32", "not finite in float32"),
        (maps.HalfPrecision, "float32", "allowed is"),
        (maps.RoundsSize, "interface", "s = 7 the shape is (7, 8)"),
        (maps.WritesInput, "interface", "transform writes into its input"),
        (maps.Misdocumented, "documented", "W is stated to have shape (n_components, n_features) = (12, 3) and has (3, 12)"),
        (maps.Misdocumented, "documented", "b is stated to be np.float32, np.float16 and is float64"),
    ],
)
def test_broken_maps_are_caught_by_the_right_item(cls, item, word):
    items = without_draws(cls)
    assert word in items[item].reason
    follows = {"interface"} if cls in (maps.Unseeded, maps.ChangesState) else set()
    assert {item} <= {name for name, found in items.items() if found.outcome is Outcome.REFUTED} <= {item} | follows


def test_what_is_not_a_number_has_no_bound_and_no_moments():
    result = conformance(maps.NotANumber, "gaussian", design=FEW)
    assert refuted(result) == {"bounded"}
    assert {result.item(name).outcome for name in SAMPLED - {"bounded"}} == {Outcome.INCONCLUSIVE}


def test_a_level_of_error_is_spent_once_over_all_sampled_items():
    """At a level of 0.5 no more than half of the runs may refute a map that conforms."""
    wrong = [seed for seed in range(6) if refuted(conformance(maps.Cosines, "gaussian", design=Design(trials=30, seed=seed, level=0.5)))]
    assert len(wrong) <= 3


def test_the_same_seed_gives_the_same_conformance():
    one, two, other = (conformance(maps.Cosines, "gaussian", design=Design(trials=40, seed=seed)) for seed in (1, 1, 2))
    assert one == two
    assert one.item("rate") != other.item("rate")


def test_a_map_without_randomness_is_judged_exactly():
    result = conformance(maps.Fixed, maps.linear)
    assert result.item("unbiased").outcome is Outcome.HOLDS
    assert [result.item(name).outcome for name in ("variance", "rate")] == [Outcome.VACUOUS] * 2
    doubled = conformance(maps.Fixed, maps.linear, kernel_params={"scale": 2.0}).item("unbiased")
    assert doubled.outcome is Outcome.REFUTED
    assert doubled.numbers["largest_bias"] == pytest.approx([0.5] * 3)


def test_a_map_that_hides_its_randomness_is_sampled_and_caught():
    result = conformance(maps.SeedOfItsOwn, "gaussian", design=FEW)
    assert result.draws == FEW.trials
    assert refuted(result) == {"deterministic", "interface"}


def test_a_map_of_one_size_has_no_rate():
    result = conformance(maps.EightFeatures, "gaussian", design=FEW)
    assert result.item("rate").outcome is Outcome.VACUOUS
    assert refuted(result) == {"interface"}


def test_too_few_trials_decide_nothing():
    result = conformance(maps.Cosines, "gaussian", design=Design(trials=1))
    assert {result.item(name).outcome for name in SAMPLED - {"bounded"}} == {Outcome.INCONCLUSIVE}


def test_without_a_bound_only_what_needs_none_is_decided():
    result = conformance(maps.Cosines, maps.gaussian, design=FEW)
    assert {result.item(name).outcome for name in SAMPLED} == {Outcome.INCONCLUSIVE}
    broken = conformance(maps.WithoutSqrtS, maps.gaussian, design=Design(trials=200))
    assert broken.item("unbiased").outcome is Outcome.REFUTED  # a square has a lower bound
    stated = conformance(maps.Cosines, maps.gaussian, bound=2.0, design=Design(trials=4000))
    assert {stated.item(name).outcome for name in SAMPLED} == {Outcome.HOLDS}


def test_laplace_is_not_gaussian():
    assert "unbiased" in refuted(conformance(maps.Cosines, "laplace", design=QUICK))


@pytest.mark.parametrize(
    ("band", "outcome"), [((-1.1, -0.95), "HOLDS"), ((-2, -1.5), "HOLDS"), ((-0.85, -0.6), "REFUTED"), ((-1.2, -0.3), "INCONCLUSIVE")]
)
def test_a_rate_is_judged_by_its_band(band, outcome):
    assert judged_rate(band, (2, 8), [1.0, 0.25]).outcome.name == outcome


@pytest.mark.parametrize(("doubling", "name"), [(4, "gaussian"), (2, "laplace")])
def test_the_kernel_at_twice_the_distance_is_a_power(doubling, name):
    X, Y = np.random.default_rng(0).normal(size=(2, 5, 3))
    kernel = NAMED[name](gamma=0.3)
    assert kernel.at(2 * X, 2 * Y) == pytest.approx(kernel.at(X, Y) ** doubling)


def test_the_skewed_kernel_is_a_product_of_secants():
    X, Y = np.random.default_rng(0).exponential(size=(2, 5, 3))
    z = np.log(X + 0.7) - np.log(Y + 0.7)
    assert NAMED["skewed_chi2"](skewedness=0.7).at(X, Y) == pytest.approx(np.prod(1 / np.cosh(z / 2), axis=1))


ITEMS = {
    "theorems": "unbiased bounded variance rate deterministic data-independent",
    "interface": "interface float32 documented",
    "rate, unbiased": "unbiased rate",
    "interface,bounded": "bounded interface float32 documented",
}


@pytest.mark.parametrize("only", ITEMS)
def test_only_what_is_asked_for_is_examined(only):
    result = conformance(maps.WithoutSqrt2, "gaussian", design=FEW, only=only)
    assert [item.name for item in result.items] == ITEMS[only].split()
    assert result.draws == (0 if only == "interface" else FEW.trials)


def test_items_are_the_same_whatever_else_is_asked_for():
    whole = conformance(maps.WithoutSqrt2, "gaussian", design=FEW)
    for name in {item.name for item in whole.items} - {"interface"}:
        assert conformance(maps.WithoutSqrt2, "gaussian", design=FEW, only=name).items == (whole.item(name),)


def test_an_orthogonal_map_comes_with_a_word_about_its_variance():
    """Its variance is below that of independent frequencies at near points, and above it at far ones (theory/liu2020/orthogonal.py)."""
    result = conformance(maps.Orthogonal, "gaussian", design=QUICK)
    assert "orthogonal ones have less of it at near points" in result.item("variance").note
    assert refuted(result) <= {"variance"}
    for cls in (maps.Cosines, maps.Pairs, maps.OneFrequency):
        assert conformance(cls, "gaussian", design=FEW, only="variance").item("variance").note == ""


class TestHelper:
    def test_it_returns_what_it_found(self):
        assert assert_conforms(maps.Cosines, "gaussian", design=FEW).map.endswith("maps:Cosines")

    def test_it_raises_with_the_table(self):
        with pytest.raises(AssertionError, match=r"(?s)does not conform in data-independent\n.*HOLDS +deterministic .*REFUTED +data-indep"):
            assert_conforms(maps.Centred, "gaussian", design=FEW)

    def test_what_is_expected_to_fail_must_fail(self):
        assert_conforms(maps.Centred, "gaussian", design=FEW, expected=["data-independent"])
        with pytest.raises(AssertionError, match="expected to fail: data-independent"):
            assert_conforms(maps.Cosines, "gaussian", design=FEW, expected=["data-independent"])

    def test_undecided_items_fail_on_demand(self):
        with pytest.raises(AssertionError, match="does not conform in rate, unbiased"):
            assert_conforms(maps.Cosines, "gaussian", design=FEW, fail_on=["refuted", "inconclusive"])

    def test_it_looks_only_at_what_is_asked_for(self):
        assert_conforms(maps.Centred, "gaussian", design=FEW, only="unbiased,interface")
        with pytest.raises(ValueError, match="There is no item 'speed'; choose theorems, interface, or of unbiased"):
            assert_conforms(maps.Cosines, "gaussian", design=FEW, only="speed")

    def test_unknown_words_are_refused(self):
        with pytest.raises(ValueError, match="'never' is none of"):
            assert_conforms(maps.Cosines, "gaussian", design=FEW, fail_on=["never"])
        with pytest.raises(ValueError, match="'speed' is none of"):
            assert_conforms(maps.Cosines, "gaussian", design=FEW, expected=["speed"])


def test_a_kernel_that_cannot_be_used_is_an_error_of_one_sentence():
    with pytest.raises(MapError, match="fails"):
        conformance(maps.Cosines, maps.transposed, design=FEW)
    with pytest.raises(MapError, match="not finite"):
        conformance(maps.Cosines, Kernel("nothing", lambda X, Y: np.full((len(X), len(Y)), np.nan)), design=FEW)
