"""Nothing false is proved where it is violated: bounds that are labelled false, what is refuted, twins of what is proved.

A false bound may hold on a part of its range, which the words name then; there no instance may violate it.
A sample is asked here, and all of them by `python -m tests.proofs.test_falsehoods`, those of one kind by its name.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import boundcheck.checking.paths as paths
import boundcheck.proofs as proofs
from boundcheck.checking.certificate import Runs
from boundcheck.checking.sides import sides
from boundcheck.checking.verdict import Outcome
from boundcheck.report.reading import read
from boundcheck.verifier.proofs import Extent, choice_entry, runs
from boundcheck.verifier.seal import unpacked
from boundcheck.words import theory
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, Question
from boundcheck.words.loading import load_claims
from tests.falsehoods.verdicts import HERE, SETS
from tests.proofs.traps import TRUE

FIELDS = [field for fields in SETS.values() for field in fields]
REPORT = Path(__file__).resolve().parents[2] / "reports" / "verdicts.json"
SAMPLE = 20
"""Of each kind, evenly."""

POINTS = 40
TWIN = Question("right-hand side x 0.9", bound=0.9)

Asked = Iterator[tuple[Claim, Question]]


def labelled() -> Asked:
    """Bounds of tests/falsehoods that are labelled false."""
    for field in FIELDS:
        yield from ((c, AS_PRINTED) for c in load_claims(HERE / f"{field}.py") if not c.body.label.true)


def of_theory(outcome: Outcome) -> Asked:
    """Claims of theory/ with this outcome in the committed report, as they are stated now, and their twin."""
    rows = read(REPORT).by_id if REPORT.is_file() else {}
    known = ((c, rows[c.id]) for c in load_claims(theory()) if c.id in rows and rows[c.id].fingerprint == c.fingerprint)
    yield from ((c, TWIN) for c, r in known if r.outcome is outcome and (r.refuted or r.power.get(TWIN.label)))


def refuted() -> Asked:
    return ((c, AS_PRINTED) for c, _ in of_theory(Outcome.REFUTED))


def twins() -> Asked:
    """Twins of what is proved of theory/ that the evidence refutes."""
    return of_theory(Outcome.PROVED)


KINDS = {"labelled": labelled, "refuted": refuted, "twins": twins}


def violated(claim, certificate, question=AS_PRINTED):
    """Instances of the set of a proof, among many with the ends of the intervals,
    that violate the claim beyond rounding."""
    extent, found = Extent.of_json(certificate["set"]), []
    for case in map(unpacked, certificate["cases"]):
        variable = runs(dict(map(choice_entry, case["choice"])))
        others = paths.elsewhere(claim, case["routes"][0], extent.reals, extent.shaped, POINTS, variable)
        for k, raw in enumerate(others):
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


@cache
def asked(name: str) -> list[tuple[Claim, Question]]:
    return list(KINDS[name]())


@pytest.mark.parametrize("k", range(SAMPLE))
@pytest.mark.parametrize("name", KINDS)
def test_what_is_false_is_not_proved_where_it_is_violated(name, k, little, monkeypatch):
    if not asked(name):
        pytest.skip("there is no report of these claims")
    claim, question = asked(name)[k * len(asked(name)) // SAMPLE]
    monkeypatch.setattr(paths, "AS_PRINTED", question)
    proof = proofs.proved(claim)
    assert proof is None or not violated(claim, proof.certificate, question), f"{claim.id}: {proof.words}"


@pytest.mark.parametrize("bound", [0.99, 0.9, 0.5])
@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.body.__name__)
def test_a_twin_of_what_is_true_is_not_proved_where_it_is_violated(claim, bound, little, monkeypatch):
    twin = Question(f"right-hand side x {bound}", bound=bound)
    monkeypatch.setattr(paths, "AS_PRINTED", twin)
    proof = proofs.proved(claim)
    assert proof is None or not violated(claim, proof.certificate, twin), proof.words


def main(*names: str) -> None:
    """Ask of all, with all the work that a proof is given."""
    counts = []
    for name in names or KINDS:
        wrong = 0
        for claim, question in asked(name):
            paths.AS_PRINTED = question
            proof = proofs.proved(claim)
            bad = proof is not None and bool(violated(claim, proof.certificate, question))
            wrong += bad
            print(f"{'!' if bad else ' '} {name} {claim.id}: {proof.words if proof else 'not proved'}", flush=True)
        counts.append((name, len(asked(name)), wrong))
    for name, of, wrong in counts:
        print(f"{name}: {of} asked, {wrong} proved where they are violated")
    sys.exit(any(wrong for _, _, wrong in counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
