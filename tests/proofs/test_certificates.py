"""Certificates of proof that were changed are rejected, by the seal or by being shown again;
sound ones of hand are not."""

import copy
import json
import random

import pytest
from traps import TRUE

from boundcheck.certificates.verify import verify, verify_file
from boundcheck.certificates.verify.seal import digest
from boundcheck.checking.verification import Different, compared
from boundcheck.proofs import proved
from boundcheck.words.loading import load

CLAIMS = {claim.body.__name__: claim for claim in TRUE}


def certified(claim):
    """The certificate of a proof, as a file has it."""
    proof = proved(claim)
    assert proof is not None
    return json.loads(json.dumps(proof.certificate, sort_keys=True))


@pytest.fixture(
    scope="module",
    params=["a_plain_bound", "a_logarithm", "a_branch_that_fits", "an_assumed_order", "an_identity"],
)
def certificate(request):
    return certified(CLAIMS[request.param])


def sealed(certificate):
    return {**certificate, "seal": digest(certificate)}


def paths(value, here=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*here, key)
        yield from paths(item, (*here, key))


def parent(value, path):
    for key in path[:-1]:
        value = value[key]
    return value


def test_a_proof_is_confirmed_from_its_file(certificate, tmp_path):
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(certificate))
    finding = verify_file(file)
    assert finding.confirmed
    assert finding.proved
    assert finding.sentence.startswith("PROVED for ")


def test_the_seal_covers_it(certificate):
    rng = random.Random(1)
    for path in rng.sample(list(paths(certificate)), 40):
        edited = copy.deepcopy(certificate)
        parent(edited, path)[path[-1]] = "tampered"
        assert not verify(edited).confirmed


NONSENSE = (
    None,
    [],
    {},
    "x",
    -1,
    10**30,
    1.5,
    True,
    [[]],
    "1/0",
    ["face", 0, 0],
    ["paths", [0]],
    [0, "1/3", 0, 0],
)


def test_under_a_fresh_seal_nonsense_is_rejected_or_changes_nothing_that_is_said(certificate):
    """Whatever stands anywhere, the verifier ends with a finding, and what it still proves is what it
    says."""
    rng = random.Random(2)
    places = [path for path in paths(certificate) if path[0] in ("set", "cases", "claim")]
    for path in rng.sample(places, min(len(places), 120)):
        edited = copy.deepcopy(certificate)
        parent(edited, path)[path[-1]] = rng.choice(NONSENSE)
        verify(sealed(edited))


def changed(certificate, change):
    edited = copy.deepcopy(certificate)
    change(edited)
    return verify(sealed(edited))


def test_a_set_that_was_widened_is_not_proved():
    given = certified(CLAIMS["a_plain_bound"])

    def choice(edited):
        edited["set"]["choices"].append([["n", 7]])

    def dropped(edited):
        del edited["cases"][2]

    def twice(edited):
        edited["cases"].append(edited["cases"][0])

    def wider(edited):
        edited["set"]["reals"]["x"] = ["-1", "2", True, True]

    def unbounded(edited):
        edited["set"]["reals"]["x"] = ["0", None, True, False]

    def renamed(edited):
        edited["cases"][0]["choice"] = [["n", 2]]

    def parts(edited):
        edited["claim"]["parts"] = 2

    for change in (choice, dropped, twice, unbounded, renamed, parts):
        assert not changed(given, change).confirmed, change
    assert "[-1, 2]" in changed(given, wider).sentence or not changed(given, wider).confirmed


def test_a_bound_that_is_tightened_is_not_proved():
    given = certified(CLAIMS["a_plain_bound"])

    def tighter(edited):
        for case in edited["cases"]:
            for node in case["routes"][0]["program"]:
                if node["op"] == "const" and node["data"] == ["1/1000"]:
                    node["data"] = ["-1/1000"]

    assert not changed(given, tighter).confirmed


def test_hypotheses_are_not_paths_and_paths_are_not_hypotheses():
    """A path that is called an assumption would leave out half of the set;
    the verifier alone cannot know, the text does."""
    claim = CLAIMS["a_branch_that_fits"]
    given = certified(claim)
    compared(claim, given)
    for case in given["cases"]:
        for route in case["routes"]:
            route["assumed"] = [True] * len(route["assumed"])
    with pytest.raises(Different):
        compared(claim, sealed(given))


def test_a_path_that_is_left_out_is_missed():
    claim = CLAIMS["a_branch_that_fits"]
    given = certified(claim)
    assert len(given["cases"][0]["routes"]) == 2

    def alone(edited):
        edited["cases"][0]["routes"] = edited["cases"][0]["routes"][:1]
        edited["cases"][0]["proof"]["trees"] = [0]

    assert not changed(given, alone).confirmed


def test_a_proof_of_another_text_is_none():
    given = certified(CLAIMS["a_plain_bound"])
    with pytest.raises(Different):
        compared(CLAIMS["a_logarithm"], given)


def test_a_set_without_an_instance_is_not_proved():
    given = certified(CLAIMS["an_assumed_order"])

    def reversed_(edited):
        for route in edited["cases"][0]["routes"]:
            for node in route["program"]:
                if node["op"] == "input" and node["name"] == "x":
                    node["data"] = ["1000"]

    finding = changed(given, reversed_)
    assert not finding.confirmed
    assert "no instance" in finding.sentence


def test_a_whole_number_is_no_interval():
    """The set of one choice, told as an interval of the whole number."""
    claim = CLAIMS["a_plain_bound"]
    given = certified(claim)
    compared(claim, given)
    given["set"] = {"reals": {"n": ["1", "6", True, True], **given["set"]["reals"]}, "choices": [[]], "shaped": False}
    given["cases"] = [{**given["cases"][0], "choice": []}]
    with pytest.raises(Different, match="not the parameters of the claim"):
        compared(claim, sealed(given))


def test_a_parameter_stands_in_a_set_once():
    given = certified(CLAIMS["a_plain_bound"])

    def twice(edited):
        for choice in (*edited["set"]["choices"], *(case["choice"] for case in edited["cases"])):
            choice.append(["n", 7])

    assert "twice" in changed(given, twice).sentence


def test_the_shapes_of_a_proof_are_those_of_its_instances():
    claim = CLAIMS["an_identity"]
    given = certified(claim)
    compared(claim, given)
    first = given["cases"][0]
    for choice in (given["set"]["choices"][0], first["choice"]):
        choice[0][1] = [9, 9]
    with pytest.raises(Different, match="other shapes"):
        compared(claim, sealed(given))


@pytest.mark.parametrize("ends", [["0", "1" + 400 * "0", True, True], [None, "1", True, True]])
def test_ends_beyond_all_floats_are_no_defect(ends):
    claim = CLAIMS["a_plain_bound"]
    given = certified(claim)
    given["set"]["reals"] = {"x": ends}
    if verify(sealed(given)).confirmed:
        with pytest.raises(Different):
            compared(claim, sealed(given))


CAUGHT = """
from boundcheck import assume, at_most, between, theorem

@theorem("caught")
def assumed(x: between(3, 4, closed=True)):
    try:
        assume(x != 3.14)
    except Exception:
        return at_most(1, 0)
    return at_most(x * x, 7 * x - 12)

@theorem("caught")
def divided(x: between(3, 4, closed=True)):
    try:
        1 / (x - 3.14)
    except ZeroDivisionError:
        return at_most(1, 0)
    return at_most(x * x, 7 * x - 12)

@theorem("caught")
def looked_for(x: between(3, 4, closed=True)):
    return at_most(x * x, 7 * x - 12 + (0 if hasattr(x, "is_integer") else 1))
"""


def test_what_is_caught_is_no_branch_of_a_proof(tmp_path):
    file = tmp_path / "caught.py"
    file.write_text(CAUGHT)
    assert [proved(claim) for claim in load(file)] == [None, None, None]
