"""Of the bounds that are labelled false none is proved where it is violated, nor the twins of what is proved.

A false bound may hold on a part of its range, which the words name then; there no instance may violate it.
A sample is asked here, and all of them by `python -m tests.proofs.test_falsehoods`.
"""

import sys

import numpy as np
import pytest

import boundcheck.checking.paths as paths
import boundcheck.proofs as proofs
from boundcheck.certificates.verify.proofs import Extent
from boundcheck.checking.certificate import Runs
from boundcheck.checking.sides import sides
from boundcheck.words.hypotheses import AS_PRINTED, Question
from boundcheck.words.loading import load
from tests.falsehoods.verdicts import HERE, SETS
from tests.proofs.traps import TRUE

FIELDS = [field for fields in SETS.values() for field in fields]
EVERY = 9
POINTS = 40


def labelled_false():
    for field in FIELDS:
        yield from ((field, c) for c in load(HERE / f"{field}.py") if not c.body.label.true)


def violated(claim, certificate, question=AS_PRINTED):
    """Instances of the set of a proof, among many with the ends of the intervals,
    that violate the claim beyond rounding."""
    extent, rng, found = Extent.of_json(certificate["set"]), np.random.default_rng(5), []
    for case in certificate["cases"]:
        for k in range(POINTS):
            raw = paths.elsewhere(case["routes"][0], extent.reals, rng)
            for j, (name, x) in enumerate(extent.reals.items()):
                if k < 8 and x.low is not None and x.high is not None:
                    raw[name] = float(x.high if k >> j & 1 else x.low)
            seen = sides(Runs(claim, question), raw, case["part"])
            found += [raw] if seen is not None and seen.excess > 0 else []
    return found


@pytest.fixture
def little(monkeypatch):
    """Less work than a proof is given: what is false does not become true by more of it."""
    monkeypatch.setattr(proofs, "WORK", (5e4, 2e5, 1e5, 1e5))
    monkeypatch.setattr(proofs, "ALL", 5e5)


SAMPLE = list(labelled_false())[::EVERY]


@pytest.mark.parametrize(("field", "claim"), SAMPLE, ids=[claim.id for _, claim in SAMPLE])
def test_what_is_false_is_not_proved_where_it_is_violated(field, claim, little):
    proof = proofs.proved(claim)
    assert proof is None or not violated(claim, proof.certificate), proof.words


@pytest.mark.parametrize("bound", [0.99, 0.9, 0.5])
@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.body.__name__)
def test_a_twin_of_what_is_true_is_not_proved_where_it_is_violated(claim, bound, little, monkeypatch):
    twin = Question(f"right-hand side x {bound}", bound=bound)
    monkeypatch.setattr(paths, "AS_PRINTED", twin)
    proof = proofs.proved(claim)
    assert proof is None or not violated(claim, proof.certificate, twin), proof.words


def main() -> None:
    """Ask of all bounds that are labelled false, with all the work that a proof is given."""
    asked = wrong = 0
    for field, claim in labelled_false():
        proof = proofs.proved(claim)
        bad = proof is not None and bool(violated(claim, proof.certificate))
        asked, wrong = asked + 1, wrong + bad
        print(
            f"{'!' if bad else ' '} {field} {claim.id}: {proof.words if proof else 'not proved'}", flush=True
        )
    print(f"{asked} false bounds asked, {wrong} proved where they are violated")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
