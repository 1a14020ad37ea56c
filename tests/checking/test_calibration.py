"""The dynamic programme against enumeration, and every stopping rule at most at its level."""

from itertools import product
from math import log, prod

import numpy as np
import pytest

from boundcheck.checking.confidence import BetaMixture, refuting_mixture
from boundcheck.checking.trust import DESIGNS, Crossing, boundary, certify, crossing_probability


@pytest.mark.parametrize(
    "stop_at", [(2, 2, 2, 3, 3, 4), (1, 1, 2, 2, 5, 5), (2, 3, 4, 5, 6, 7), (2, 2, 3, 4, 4, 4)]
)
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_the_programme_equals_enumeration_of_all_sequences(stop_at, p):
    def chance(outcomes):
        return prod(p if failed else 1 - p for failed in outcomes)

    def stops(outcomes):
        return any(sum(outcomes[:n]) >= stop_at[n - 1] for n in range(1, 7))

    exact = sum(chance(outcomes) for outcomes in product((0, 1), repeat=6) if stops(outcomes))
    assert crossing_probability(np.array(stop_at), p) == pytest.approx(exact, abs=1e-15)


def test_the_boundary_is_the_first_count_that_stops():
    mixture = refuting_mixture(0.2)

    def rule(k, n):
        return mixture.log_e_value(k, n, 0.2) >= log(100)

    for n, stop in enumerate(boundary(rule, 60), start=1):
        assert stop == next((k for k in range(n + 1) if rule(k, n)), n + 1)


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_no_rule_errs_more_often_than_its_level(design):
    crossing = certify(*design)
    assert crossing.honest
    assert min(crossing.refuted, crossing.held) > 0.3 * crossing.level  # the level is used, not merely kept


def test_more_looks_err_more_often_but_never_beyond_the_level():
    errors = [certify(0.1, 0.05, horizon) for horizon in (10, 100, 1000)]
    assert [e.refuted for e in errors] == sorted(e.refuted for e in errors)
    assert [e.held for e in errors] == sorted(e.held for e in errors)


def test_peeking_with_a_fixed_sample_test_is_caught():
    """Looking after every trial with Clopper-Pearson at 0.05 errs far beyond it: the check can fail."""
    from scipy.stats import binom

    crossing = crossing_probability(boundary(lambda k, n: binom.sf(k - 1, n, 0.1) <= 0.05, 2000), 0.1)
    assert crossing > 0.3
    assert not Crossing(0.1, 0.05, 2000, crossing, 0.0).honest


def test_the_untruncated_weight_is_honest_too():
    mixture = BetaMixture(0.5, 5)
    stop_at = boundary(lambda k, n: (mixture.log_e_value(k, n, 0.1) >= log(20)) & (k > 0.1 * n), 2000)
    assert 0 < crossing_probability(stop_at, 0.1) <= 0.05
