"""Certificates of proof that were changed are rejected, by the seal or by being shown again;
sound ones of hand are not."""

import copy
import json
import random
from functools import cache
from typing import Any

import pytest
from making import sealed
from traps import TRUE

from boundcheck.checking.verification import Different, compared
from boundcheck.proofs import proved
from boundcheck.verifier import verify, verify_file
from boundcheck.verifier.laws import groups
from boundcheck.verifier.program import run
from boundcheck.verifier.proofs import by_points
from boundcheck.verifier.scalars import Code, Unproved, evaluate
from boundcheck.verifier.seal import LARGEST_PART, packed, unpacked
from boundcheck.words.loading import load_claims

CLAIMS = {claim.body.__name__: claim for claim in TRUE}


def certified(claim):
    """The certificate of a proof, as a file has it."""
    return json.loads(_text(claim))


@cache
def _text(claim):
    proof = proved(claim)
    assert proof is not None
    return json.dumps(proof.certificate, sort_keys=True)


@pytest.fixture(
    scope="module",
    params=[
        "a_plain_bound", "a_logarithm", "a_branch_that_fits", "an_assumed_order", "an_identity", "a_mean_of_a_law",
        "a_law_in_boxes", "a_multinomial_mean", "a_sum_with_signs", "cauchy",
    ],
)
def certificate(request):
    return certified(CLAIMS[request.param])


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
    assert finding.sentence.startswith("shown for ")


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


@pytest.mark.parametrize(
    ("name", "ends"),
    [("a_mean_of_a_law", ["-2", "4"]), ("a_plain_bound", ["0", "1000001/1000000"]), ("a_logarithm", ["-1", "2"])],
)
def test_a_set_ends_where_the_domain_does(name, ends):
    """Beyond it there is no instance, so the program says nothing there, and the words would."""
    given = certified(CLAIMS[name])
    for x in given["set"]["reals"].values():
        x[:2] = ends
    with pytest.raises(Different, match="beyond its domain"):
        compared(CLAIMS[name], sealed(given))


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
    assert [proved(claim) for claim in load_claims(file)] == [None, None, None]


def nodes_of(path, op):
    return [node for node in path["program"] if node["op"] == op]


def law(**said):
    """Another law, told as it is told."""

    def change(path):
        path["laws"][0] |= said

    return change


def undrawn(path):
    path["laws"] = []


def summed(path):
    """The outcomes added up where they were weighed."""
    for node in nodes_of(path, "mean"):
        node |= {"op": "sum", "axes": [0], "keepdims": False}


def told(path):
    """The outcomes as numbers that are no draw."""
    for node in nodes_of(path, "random"):
        node |= {"op": "const", "shape": [2], "data": ["0", "1"]}
        del node["draw"]


def of_another_draw(path):
    for node in nodes_of(path, "random"):
        node["draw"] = 1


def of_two_draws(path):
    path["laws"].append({**path["laws"][0], "group": 1})
    for node in nodes_of(path, "random")[-1:]:
        node["draw"] = 1


def squared(path):
    for node in nodes_of(path, "mul"):
        node["args"] = node["args"][:1] * 2


def stronger(path):
    path["conclusion"]["kind"] = "less"


def turned(path):
    path["conclusion"]["args"].reverse()


def drawn_parameter(path):
    (node, *_) = nodes_of(path, "random")
    path["laws"][0]["p"] = {"node": path["program"].index(node)}


FORGED = {
    "a_mean_of_a_law": [
        law(n=3), law(n=0), law(p="1/3"), law(p="3/2"), law(p="-1/2"), law(p={"node": 10**6}), law(p={"node": True}), law(unordered=True),
        law(law="finite", values=["0", "1"], weights=["1/2", "1/4"]), law(law="finite", values=["0"], weights=["1"]),
        law(law="finite", values=["0", "1"], weights=["3/2", "-1/2"]), law(shape=[1]), law(group=1),
        law(law="hypergeometric", good=1, bad=1, sample=1),
        law(group=-1), law(law="normal"), undrawn, summed, told, of_another_draw, of_two_draws, drawn_parameter, squared,
    ],
    "a_variance_of_a_law": [law(n=2), law(p="1/2"), law(p="2"), undrawn, summed, told, stronger, turned, drawn_parameter],
    "a_law_in_boxes": [law(n=4), law(n=30), law(p="1"), law(p="-1/9"), undrawn, summed, of_another_draw, turned],
    "a_multinomial_mean": [
        law(n=3), law(n=1), law(categories=9), law(pvals=["1"]), law(pvals=["2", "-1"]), undrawn, summed, of_another_draw,
    ],
    "a_mean_of_rows": [
        law(values=["0"]), law(weights=["1/2"]), law(weights=["0"]), law(values=["1", "0", "2"]), undrawn, summed,
    ],
    "a_sum_with_signs": [law(p="1/3"), law(p="-1/2"), law(n=2), law(shape=[5]), undrawn, summed, of_another_draw],
    "cauchy": [stronger, turned],
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_proof_with_another_law_is_none(name):
    """All cases changed in the same way under a fresh seal: the verifier rejects it, or the text has another law."""
    given = certified(CLAIMS[name])
    compared(CLAIMS[name], given)
    rejected = 0
    for change in FORGED[name]:
        edited = copy.deepcopy(given)
        for case in edited["cases"]:
            for path in case["routes"]:
                change(path)
        if not verify(sealed(edited)).confirmed:
            rejected += 1
            continue
        with pytest.raises(Different):
            compared(CLAIMS[name], sealed(edited))
    assert rejected >= 0.7 * len(FORGED[name])


@pytest.mark.parametrize("name", ["a_mean_of_a_law", "a_variance_of_a_law", "a_multinomial_mean", "a_mean_of_rows", "a_sum_with_signs"])
def test_a_law_is_summed_as_the_interpreter_does(name):
    """Both sides at the instance of each program, exactly, by the interpreter of refutations."""
    for case in certified(CLAIMS[name])["cases"]:
        (path,) = case["routes"]
        nodes = [{**node, "op": "const"} if node["op"] == "input" else node for node in path["program"]]
        args, code = path["conclusion"]["args"], Code([])
        made: Any = evaluate(nodes, path["laws"], args, code)
        tape = run(nodes, groups(path["laws"]))
        for j in args:
            assert [code.exact[k] for k in made.arrays[j].data] == list(tape.arrays[j].data)


def on_the_circle(*hypotheses, sides):
    """Arrays c and s of one entry, and two sides that are nodes after them: cc, ss, cc + ss, 1, 0, cs, cc - ss."""
    nodes = [{"op": "input", "args": [], "name": name, "shape": [1], "data": ["1"]} for name in ("c", "s")]
    nodes += [{"op": op, "args": args} for op, args in (("mul", [0, 0]), ("mul", [1, 1]), ("add", [2, 3]))]
    nodes += [{"op": "const", "args": [], "shape": [1], "data": [x]} for x in "10"]
    nodes += [{"op": op, "args": args} for op, args in (("mul", [0, 1]), ("sub", [2, 3]), ("mul", [8, 8]), ("mul", [7, 7]))]
    nodes += [{"op": "add", "args": [10, 10]}, {"op": "add", "args": [11, 11]}, {"op": "add", "args": [9, 12]}]
    given = [{"relation": "eq", "args": list(pair)} for pair in hypotheses]
    conclusion = {"kind": "equal", "args": list(sides)}
    return {"program": nodes, "laws": [], "hypotheses": given, "assumed": [True] * len(given), "conclusion": conclusion}


UNIT, CORNER = (4, 5), (7, 6)


@pytest.mark.parametrize(
    ("hypotheses", "sides", "shown"),
    [
        ([UNIT], (13, 5), True), ([], (13, 5), False), ([UNIT], (8, 5), False), ([UNIT], (9, 5), False),
        ([UNIT, CORNER], (9, 5), True), ([CORNER], (9, 5), False), ([UNIT, CORNER], (0, 5), False), ([UNIT, CORNER], (2, 5), False),
        ([UNIT, CORNER], (7, 6), True), ([(0, 1)], (8, 6), True), ([(0, 7)], (8, 6), False), ([(0, 5), UNIT], (2, 5), True),
    ],
)  # fmt: skip
def test_hypotheses_that_are_equations(hypotheses, sides, shown):
    path = on_the_circle(*hypotheses, sides=sides)
    if shown:
        by_points(path)
        return
    with pytest.raises(Unproved):
        by_points(path)


def test_cases_may_be_packed_and_are_shown_again():
    plain = certified(CLAIMS["a_plain_bound"])
    small = sealed({**plain, "cases": [packed(case) for case in plain["cases"]]})
    assert verify(small).sentence == verify(plain).sentence
    assert compared(CLAIMS["a_plain_bound"], small) == compared(CLAIMS["a_plain_bound"], plain)


@pytest.mark.parametrize(
    "broken",
    [
        lambda case: case[:-8],
        lambda case: "!" + case[1:],
        lambda case: packed("x" * (LARGEST_PART + 1)),
        lambda case: packed([case]),
        lambda case: packed({**json.loads(json.dumps(unpacked(case))), "part": 7}),
    ],
)
def test_a_packed_case_that_was_changed_is_rejected(broken):
    plain = certified(CLAIMS["a_plain_bound"])
    cases = [packed(case) for case in plain["cases"]]
    assert not verify(sealed({**plain, "cases": [broken(cases[0]), *cases[1:]]})).confirmed
