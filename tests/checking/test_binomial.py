"""Binomial tails against exact fractions and ball arithmetic; Clopper-Pearson by exact enumeration."""

from fractions import Fraction
from math import comb, exp, log

import pytest
from flint import arb, ctx
from scipy.stats import binomtest

from boundcheck.checking.confidence import binomial_tail, clopper_pearson, log_binomial_tail


def exact_tail(failures: int, trials: int, p: Fraction) -> Fraction:
    """The definition, in rational numbers."""
    return sum(
        (comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(failures, trials + 1)), Fraction(0)
    )


def ball_log_tail(failures: int, trials: int, p: float) -> float:
    """log P(Bin >= failures) above the mean, summed in 160-bit balls."""
    ctx.prec = 160
    x, n, k = arb(p), arb(trials), arb(failures)
    total = term = arb(1)
    for j in range(failures, trials):
        term = term * (trials - j) / (j + 1) * x / (1 - x)
        total += term
        if float(term.mid()) < 1e-30 * float(total.mid()):
            break
    log_pmf = (n + 1).lgamma() - (k + 1).lgamma() - (n - k + 1).lgamma()
    return float((log_pmf + k * x.log() + (n - k) * (1 - x).log() + total.log()).mid())


@pytest.mark.parametrize("trials", [1, 2, 9, 40])
@pytest.mark.parametrize("p", [0.5, 0.001, 0.25, 0.999])
def test_tail_equals_exact_fractions(trials, p):
    for k in range(trials + 1):
        assert binomial_tail(k, trials, p) == pytest.approx(
            float(exact_tail(k, trials, Fraction(p))), rel=1e-12
        )


@pytest.mark.parametrize(
    ("failures", "trials", "p"),
    [
        (6000, 10**5, 0.05),
        (1300, 10**7, 1e-4),
        (10**6 + 33_000, 10**9, 1e-3),
        (145, 10**9, 1e-9),
        (3, 10**9, 1e-15),
    ],
)
def test_log_tail_equals_ball_arithmetic(failures, trials, p):
    assert log_binomial_tail(failures, trials, p) == pytest.approx(
        ball_log_tail(failures, trials, p), abs=1e-10
    )


def test_tails_near_1e_minus_300_keep_their_digits():
    tiny = binomial_tail(100, 100, 1e-3)
    assert tiny == pytest.approx(1e-300, rel=1e-12)
    assert log_binomial_tail(400, 400, 1e-3) == pytest.approx(400 * log(1e-3), rel=1e-14)


@pytest.mark.parametrize(
    ("k", "n", "p", "tail"), [(0, 0, 0.3, 1), (0, 5, 0.3, 1), (1, 5, 0, 0), (5, 5, 1, 1), (0, 5, 0, 1)]
)
def test_tail_at_the_ends(k, n, p, tail):
    assert binomial_tail(k, n, p) == tail


@pytest.mark.parametrize("trials", [1, 2, 7, 30])
@pytest.mark.parametrize("level", [0.5, 0.05, 1e-6])
def test_clopper_pearson_errs_exactly_at_the_level_at_its_own_bound(trials, level):
    """P_p(lower > p) is largest just below a bound; exact there, and a hair (1e-6) above it too much."""
    for k in range(1, trials + 1):
        lower, upper = clopper_pearson(k, trials, level)[0], clopper_pearson(trials - k, trials, level)[1]
        assert exact_tail(k, trials, Fraction(lower)) <= Fraction(level)
        assert exact_tail(k, trials, Fraction(lower) * (1 + Fraction(1, 10**6))) > Fraction(level)
        assert exact_tail(k, trials, 1 - Fraction(upper)) <= Fraction(level)


@pytest.mark.parametrize(("trials", "level"), [(12, 0.05), (25, 0.01), (25, 0.3)])
def test_clopper_pearson_covers_on_a_grid(trials, level):
    intervals = [clopper_pearson(k, trials, level) for k in range(trials + 1)]
    for p in (Fraction(i, 40) for i in range(1, 40)):
        pmf = [comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1)]
        assert sum(mass for mass, (lower, _) in zip(pmf, intervals, strict=True) if lower > p) <= level
        assert sum(mass for mass, (_, upper) in zip(pmf, intervals, strict=True) if upper < p) <= level


@pytest.mark.parametrize(("delta", "trials"), [(0.01, 1375), (0.001, 13_809)])
def test_no_failure_needs_the_known_number_of_trials(delta, trials):
    assert clopper_pearson(0, trials, 1e-6)[1] <= delta < clopper_pearson(0, trials - 1, 1e-6)[1]


@pytest.mark.parametrize(("failures", "trials"), [(7, 50), (0, 11), (11, 11), (499, 500)])
def test_clopper_pearson_agrees_with_scipy(failures, trials):
    exact = binomtest(failures, trials).proportion_ci(0.95, "exact")
    assert clopper_pearson(failures, trials, 0.025) == pytest.approx((exact.low, exact.high), rel=1e-8)


@pytest.mark.parametrize("level", [0.5, 1e-6, 1e-30])
@pytest.mark.parametrize("trials", [1, 10**9])
def test_extreme_counts_have_closed_forms(trials, level):
    """No failure: 1 - level^(1/n); failures only: level^(1/n); compared in logarithms."""
    upper, lower = clopper_pearson(0, trials, level)[1], clopper_pearson(trials, trials, level)[0]
    assert trials * log(lower) == pytest.approx(log(level), rel=1e-6)
    assert upper == pytest.approx(-log(level) / trials if trials > 1 else 1 - level, rel=1e-6)
    assert clopper_pearson(0, trials, level)[0] == 0
    assert clopper_pearson(trials, trials, level)[1] == 1


def test_nothing_seen_says_nothing():
    assert clopper_pearson(0, 0, 0.01) == (0.0, 1.0)


def test_bounds_grow_with_failures_and_tighten_with_level():
    bounds = [clopper_pearson(k, 200, 1e-4) for k in range(0, 201, 20)]
    assert bounds == sorted(bounds)
    assert [upper for _, upper in bounds] == sorted(upper for _, upper in bounds)
    strict, loose = clopper_pearson(20, 200, 1e-9), clopper_pearson(20, 200, 1e-2)
    assert strict[0] < loose[0] < 0.1 < loose[1] < strict[1]


def test_large_counts_at_tiny_levels_invert_the_tail():
    lower, upper = clopper_pearson(5_000, 10**9, 1e-30)
    assert binomial_tail(5_000, 10**9, lower) == pytest.approx(1e-30, rel=1e-5)
    assert binomial_tail(10**9 - 5_000, 10**9, 1 - upper) == pytest.approx(1e-30, rel=1e-5)
    assert exp(log_binomial_tail(5_000, 10**9, lower)) < 1e-30


@pytest.mark.parametrize(
    ("failures", "trials", "level"), [(3, 2, 0.1), (-1, 2, 0.1), (1, 2, 0.0), (1, 2, 0.7)]
)
def test_impossible_input_is_refused_in_one_sentence(failures, trials, level):
    with pytest.raises(ValueError, match=r"pass.*\.$"):
        clopper_pearson(failures, trials, level)


def test_a_probability_outside_the_unit_interval_is_refused():
    with pytest.raises(ValueError, match="lies in"):
        binomial_tail(1, 2, 1.5)
