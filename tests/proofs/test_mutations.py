"""Proofs of mutated programs under a fresh seal: what the verifier still proves holds, by its own interpreter."""

import copy
import json
import random

import pytest
from flint import ctx, fmpq
from test_certificates import certified
from traps import TRUE

from boundcheck.verifier import verify
from boundcheck.verifier.conclusions import conclude, hypothesis
from boundcheck.verifier.findings import Rejection
from boundcheck.verifier.laws import groups
from boundcheck.verifier.program import ERRORS, run
from boundcheck.verifier.proofs import Extent
from boundcheck.verifier.seal import digest

BINARY = "add sub mul div maximum minimum pow".split()
UNARY = "neg abs sqrt log exp log1p expm1 floor ceil tanh sin".split()
NUMBERS = "0 1 -1 2 1/2 3/2 999/1000 1001/1000 1/10 -1/2".split()
TREES = (0, ["face", 0, 0], [0, "1/2", 0, 0], ["paths", [0]])


def mutated(certificate, rng):
    """One case of a proof with something else in its program, its hypotheses, its set or its tree."""
    edited = copy.deepcopy(certificate)
    case = rng.choice(edited["cases"])
    edited |= {"cases": [{**case, "part": 0}], "set": {**edited["set"], "choices": [case["choice"]]}}
    edited["claim"]["parts"] = 1
    case = edited["cases"][0]
    for _ in range(rng.choice((1, 1, 2))):
        path = rng.choice(case["routes"])
        nodes, kind = path["program"], rng.randrange(8 if path["laws"] else 7)
        place = rng.randrange(len(nodes))
        node = nodes[place]
        if kind < 3 and node["op"] == "const":
            node["data"] = [rng.choice(NUMBERS) for _ in node["data"]]
        elif kind < 3 and node["op"] not in ("input", "gather"):
            node["op"] = rng.choice(BINARY if len(node["args"]) == 2 else UNARY)
        elif kind == 3 and node["args"]:
            node["args"] = [rng.randrange(place) for _ in node["args"]]
        elif kind == 4:
            path["conclusion"]["args"] = [rng.randrange(len(nodes)) for _ in range(2)]
        elif kind == 5 and path["hypotheses"]:
            rng.choice(path["hypotheses"])["relation"] = rng.choice(["le", "lt", "eq", "ne"])
        elif kind == 7:
            rng.choice(path["laws"]).update(rng.choice([{"n": rng.randrange(4)}, {"p": rng.choice(NUMBERS)}, {"p": {"node": place}}]))
        elif "trees" in case["proof"]:
            case["proof"]["trees"] = [rng.choice(TREES)] * len(case["proof"]["trees"])
        else:
            name = rng.choice(list(edited["set"]["reals"]))
            edited["set"]["reals"][name][rng.randrange(2)] = rng.choice(NUMBERS)
    return {**edited, "seal": digest(edited)}


def somewhere(x, rng):
    low = x.low if x.low is not None else (x.high if x.high is not None else fmpq(0)) - rng.choice((1, 5, 100))
    high = x.high if x.high is not None else low + rng.choice((1, 5, 1000))
    point = low + (high - low) * fmpq(rng.choice((0, 1, 5, 500, 995, 1000, rng.randint(1, 999))), 1000)
    return point if x.contains(point) else (low + high) / 2


def violated(certificate, rng):
    """Whether a path is certainly taken, its hypotheses true and its conclusion false, at one of many points of the set."""
    extent = Extent.of_json(certificate["set"])
    for _ in range(20):
        point = {name: str(somewhere(x, rng)) for name, x in extent.reals.items()}
        for path in certificate["cases"][0]["routes"]:
            nodes = [{**n, "data": [point[n["name"]]]} if n["op"] == "input" else n for n in path["program"]]
            try:
                with ctx.workprec(300):
                    tape = run(nodes, groups(path["laws"]))
                    met = all(hypothesis(tape, given) is True for given in path["hypotheses"])
                    if met and conclude(tape, path["conclusion"]).violated is True:
                        return point
            except (Rejection, *ERRORS):
                continue
    return None


@pytest.mark.parametrize("seed", range(5))
def test_what_is_still_proved_of_a_mutated_program_holds(seed):
    rng = random.Random(seed)
    shown = [given for given in map(certified, TRUE) if given["set"]["reals"]]
    confirmed = 0
    for _ in range(100):
        certificate = mutated(rng.choice(shown), rng)
        if verify(certificate).confirmed:
            confirmed += 1
            assert violated(certificate, rng) is None, json.dumps(certificate)
    assert confirmed > 10
