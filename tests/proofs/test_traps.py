"""Nothing false is proved, however nearly true; what is true is proved on a set that the words name."""

import pytest
from flint import fmpq
from traps import FALSE, TRUE

import boundcheck.proofs as proofs
from boundcheck.checking.verification import Different, compared
from boundcheck.proofs import proved
from boundcheck.proofs.search import exactly
from boundcheck.verifier import verify
from boundcheck.verifier.proofs import Extent
from boundcheck.verifier.seal import digest


def holds(certificate, at):
    """Whether an instance is in the set of a proof; every one is where none is given."""
    return not at or Extent.of_json(certificate["set"]).contains(
        {k: x if k in ("n", "k") else float(x) for k, x in at.items()}
    )


@pytest.mark.parametrize(("claim", "at"), FALSE, ids=[claim.body.__name__ for claim, _ in FALSE])
def test_nothing_false_is_proved(claim, at, monkeypatch):
    """What is false on its range may be proved on a part of it, without the instance that violates it.

    The work is a tenth of what a proof is given: what is false does not become true by more of it.
    """
    monkeypatch.setattr(proofs, "WORK", (2e5, 5e5, 3e5, 3e5))
    proof = proved(claim)
    assert proof is None or not holds(proof.certificate, at), proof.words


WORDS = {
    "a_plain_bound": "for n = 1..6, x in [0, 1]",
    "a_quotient_where_it_is_defined": "for x in (0, inf)",
    "an_assumed_order": "for x in [0, inf), y in [0, inf)",
    "a_branch_that_fits": "for x in [-1, 1]",
    "a_logarithm": "for x in [0.000001, 1000000]",
    "an_open_end": "for x in (0, 1)",
    "an_identity": "for",
    "a_mean_of_a_law": "for n = 1..4, p in (0, 1)",
    "a_variance_of_a_law": "for p in (0, 1)",
    "a_law_in_boxes": "for p in [0.1, 0.9]",
    "a_multinomial_mean": "for every size",
    "a_mean_of_rows": "for the shapes (A, w) =",
    "a_sum_with_signs": "for the shapes x of",
    "numbers_that_are_no_rationals": "for x in (0, inf)",
    "sides_built_alike": "for n = 2..60, d in (0, 1)",
    "cauchy": "for every size",
    "angles_that_are_added": "for the shapes (w, x, y) =",
    "three_thirds_of_a_turn": "for the shapes x of",
    "exponentials_that_are_multiplied": "for the shapes (x, y) =",
    "even_powers_of_many_absolute_values": "for the shapes x of 9 numbers",
    "a_mean_of_squares": "for the shapes (w, f) =",
    "a_weight_is_at_most_one": "for the shapes w of",
    "a_divisor_that_a_hypothesis_bounds": "for the shapes (x, y) =",
    "a_hypothesis_that_is_not_needed": "for the shapes (F_A, x) =",
    "the_norm_of_a_column": "for the shapes x of",
    "a_polynomial_of_two": "for x in (-inf, inf), y in (-inf, inf)",
}


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.body.__name__)
def test_what_is_true_is_proved_on_the_set_that_is_named(claim):
    proof = proved(claim)
    assert proof is not None
    assert proof.words.startswith(WORDS[claim.body.__name__])
    assert verify(dict(proof.certificate)).proved


def test_the_instance_of_a_test_is_looked_for_in_the_set():
    given = {"set": {"reals": {"x": ["0", "1", True, False]}, "choices": [[["n", 2]]], "shaped": False}}
    assert holds(given, {"x": 0.5, "n": 2})
    assert not holds(given, {"x": 1.0, "n": 2})
    assert not holds(given, {"x": 0.5, "n": 3})
    assert exactly(0.1) == fmpq(1, 10)


def test_a_set_says_what_its_arrays_make():
    claim = next(claim for claim in TRUE if claim.body.__name__ == "a_hypothesis_that_is_not_needed")
    proof = proved(claim)
    assert proof is not None
    assert proof.words.endswith("where A = F_A F_A^T")
    other = {**proof.certificate, "set": {**proof.certificate["set"], "made": {"A": "correlation"}}}
    with pytest.raises(Different, match="made of"):
        compared(claim, {**other, "seal": digest(other)})
