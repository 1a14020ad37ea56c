"""What refutes a false bound lies in its domain, is confirmed from its file, and is short to read."""

import pytest

from boundcheck import verify
from boundcheck.domains.instances import from_json, inside
from boundcheck.running.kept import save_certificate

from .witnesses import claim_of, quick_judgement, witness

LONGEST = {
    ("combinatorics", "central_constant"): 10,
    ("combinatorics", "coupons_fewer"): 15,
    ("combinatorics", "minkowski_small"): 40,
    ("famous_classics", "james_constant"): 30,
    ("famous_classics", "markov_brothers_constant"): 25,
    ("famous_norms", "gauss_seidel"): 50,
    ("famous_norms", "geodesic"): 30,
    ("famous_norms", "modulus_of_entries"): 75,
    ("famous_norms", "schoenberg"): 25,
    ("famous_norms", "two_uniform_constant"): 35,
    ("famous_numbers", "motzkin_constant"): 15,
    ("fresh_bounds", "clarkson_short"): 50,
    ("fresh_bounds", "drawn_row_short"): 75,
    ("fresh_bounds", "four_thirds_short"): 30,
    ("fresh_bounds", "gaussian_form_short"): 30,
    ("fresh_elementary", "mean_median_constant"): 35,
    ("information", "jensen_gap_constant"): 35,
    ("information", "kl_hellinger"): 50,
    ("information", "pinsker_constant"): 40,
    ("linear_algebra", "commutator_constant"): 50,
    ("linear_algebra", "commutator_psd_constant"): 50,
    ("linear_algebra", "half_resolvent_constant"): 25,
    ("linear_algebra", "hilbert_constant"): 70,
    ("linear_algebra", "kantorovich_root"): 70,
    ("linear_algebra", "loewner_power"): 60,
    ("linear_algebra", "nuclear_frobenius_constant"): 20,
    ("matrix_concentration", "fourth_moment_constant"): 40,
    ("random_features", "counting_constant"): 20,
    ("random_features", "half_ridge_constant"): 25,
    ("scalar_concentration", "paley_zygmund_square"): 45,
}
"""Characters of the instance: somewhat more than it takes, for what a search finds hangs on the last bits of sums."""


@pytest.mark.parametrize(("field", "name"), LONGEST)
def test_what_refutes_is_short_and_confirmed(field: str, name: str, tmp_path):
    claim = claim_of(field, f"{field}.{name}")
    judgement = quick_judgement(claim)
    assert judgement.refutation is not None
    certificate = judgement.refutation.certificate
    assert inside(claim.parameters, from_json(certificate["claim"]["instance"]))
    assert verify(save_certificate(certificate, tmp_path, claim.id), claim).outcome == "CONFIRMED"
    assert 0 < len(witness(claim, judgement)) <= LONGEST[field, name]
