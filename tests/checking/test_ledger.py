"""The error ledger: shares of all runs add up to the total, whatever the order."""

import pytest

from boundcheck.checking.plan import Ledger, part

CLAIMS = ("li2021.lemma27", "li2021.theorem1", "rudi2017.lemma6")


def test_shares_of_all_runs_add_up_to_the_total():
    ledger = Ledger(1e-6, CLAIMS)
    spent = sum(ledger.share(claim, run) for claim in CLAIMS for run in range(1, 10_001))
    assert ledger.total == 1e-6
    assert 0.9999e-6 < spent < 1e-6


def test_the_order_of_the_claims_changes_nothing():
    forth, back = Ledger(1e-6, CLAIMS), Ledger(1e-6, [*reversed(CLAIMS), CLAIMS[0]])
    assert forth == back
    assert hash(forth) == hash(back)
    assert [forth.share(claim) for claim in CLAIMS] == [back.share(claim) for claim in CLAIMS]


def test_attempts_never_spend_more_than_the_share():
    assert 0.9999e-9 < sum(part(1e-9, k) for k in range(1, 10_001)) < 1e-9


def test_an_unknown_claim_is_refused():
    with pytest.raises(ValueError, match=r"does not list 'li2021\.lemma28'"):
        Ledger(1e-6, CLAIMS).share("li2021.lemma28")


def test_attempts_are_counted_from_one():
    with pytest.raises(ValueError, match="counted from 1"):
        part(1e-6, 0)


@pytest.mark.parametrize("total", [0, -1, 0.9])
def test_an_impossible_budget_is_refused(total):
    with pytest.raises(ValueError, match="error budget lies in"):
        Ledger(total, CLAIMS)
