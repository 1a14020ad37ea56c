"""A certificate against the text of its claim: what is about something else is rejected, whatever its seal says."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boundcheck.checking.certificate import refutation
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verification import Different, compared
from boundcheck.commands.main import main
from boundcheck.verifier import verify
from boundcheck.verifier.seal import digest
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Question
from boundcheck.words.loading import load_claims

SMALL = Plan("quick", instances=12, work=120, trials=1500, sampled_instances=4, confirmation_trials=20_000)
HEADER = "import numpy as np\nfrom boundcheck import *\n"
EXACT = '''
@theorem("s")
def exact(x: Unit, y: Unit):
    """A mean."""
    assume(x >= y / 2)
    return at_most(sqrt(x * y), 0.9 * (x + y) / 2), at_most(x, 2)
'''
FINITE = """
@theorem("s")
def finite(x: Unit, n: Few):
    return P(quantity(lambda rng, size: rng.binomial(n, x, size)) <= 0) >= 0.999
"""
EVENT = """
@theorem("s")
def event(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, x, size)) <= 0.5 * x) >= 0.9
"""
MEAN = """
@theorem("s")
def mean(x: Unit):
    return E(quantity(lambda rng, size: x * rng.beta(1, 1, size), low=0, high=x)) <= 0.3 * x
"""
MATRIX = """
@theorem("s")
def matrix(A: PSD("n")):
    return loewner(A, A / 2)
"""
FIELDS = """
@setting
class Backwards:
    z: Vector("n")
    a: Vector("n")

@theorem("s")
def fields(case: Backwards):
    return at_most(np.sum(case.z), 0.5 * np.sum(abs(case.z)) + np.sum(abs(case.a)))
"""
TEXTS = {"fields": FIELDS, "exact": EXACT, "finite": FINITE, "event": EVENT, "mean": MEAN, "matrix": MATRIX}
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> dict[str, tuple[Claim, dict[str, Any]]]:
    """Each claim with the certificate that the engine writes."""
    path = tmp_path_factory.mktemp("mine") / "mine.py"
    path.write_text(HEADER + "".join(TEXTS.values()))
    found = {}
    for claim in load_claims(path):
        refutation = judge(claim, SMALL, 1e-3).refutation
        assert refutation is not None, claim.id
        found[claim.id[5:]] = claim, json.loads(json.dumps(refutation.certificate, sort_keys=True))
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_a_certificate_is_one_of_its_claim(kept, name):
    claim, certificate = kept[name]
    says = compared(claim, certificate)
    assert says.startswith("program, hypotheses")
    assert ("trials drawn again" in says) == (name in ("event", "mean"))


def changed(certificate: dict[str, Any], change: Change) -> dict[str, Any]:
    """The certificate after the change, with a right seal."""
    edited = copy.deepcopy(certificate)
    change(edited)
    return {**edited, "seal": digest(edited)}


def weaken(c: dict[str, Any]) -> None:
    node = c["program"][c["conclusion"]["args"][1]]
    node.clear()
    node.update({"op": "const", "args": [], "shape": [], "data": ["1/1000"]})


def more_failures(c: dict[str, Any]) -> None:
    c["conclusion"]["failures"] += 1


def no_luck(c: dict[str, Any]) -> None:
    c["conclusion"]["seed"][0] += 1


TRIALS = {"kind": "sampled", "relation": "ge", "seed": [0, 1, 2, 1], "trials": 9, "failures": 9, "alpha": "1/20", "generator": ""}
CHANGES: dict[str, tuple[str, Change, str]] = {
    "another constant": ("exact", weaken, "operation "),
    "hypotheses left out": ("exact", lambda c: c["hypotheses"].clear(), r"has 0 hypotheses, and the text \d hypotheses"),
    "another relation": ("exact", lambda c: c["conclusion"].update(kind="equal"), 'kind is "equal" in the certificate'),
    "sides exchanged": ("exact", lambda c: c["conclusion"]["args"].reverse(), "the conclusion differs: args"),
    "another part": ("exact", lambda c: c["claim"].update(part=1), "differs"),
    "no part": ("exact", lambda c: c["claim"].update(part=2), "cannot be recorded"),
    "a part from the end": ("exact", lambda c: c["claim"].update(part=-2), "the statement has no part -2"),
    "a part that is a truth value": ("exact", lambda c: c["claim"].update(part=False), "the statement has no part false"),
    "another instance": ("exact", lambda c: c["claim"]["instance"].update(x=0.987), "operation 0 differs: data is"),
    "an instance against a hypothesis": ("exact", lambda c: c["claim"]["instance"].update(x=0.001), "does not satisfy the hypotheses"),
    "an instance outside": ("exact", lambda c: c["claim"]["instance"].update(x=2.0), "outside its range"),
    "an instance without a number": ("exact", lambda c: c["claim"]["instance"].pop("x"), "has not the parameters of the claim, x, y"),
    "an instance with another number": ("exact", lambda c: c["claim"]["instance"].update(z=1), "has not the parameters"),
    "an instance that is none": ("exact", lambda c: c["claim"].update(instance=[1]), "has not the parameters"),
    "a text of another claim": ("exact", lambda c: c["claim"].update(statement="return at_most(1, 0)"), "the claim differs: statement"),
    "a source of another claim": ("exact", lambda c: c["claim"].update(source="a book"), "the claim differs: source"),
    "a fingerprint of another claim": ("exact", lambda c: c["claim"].update(fingerprint="0" * 16), "another text of the claim"),
    "no fingerprint": ("exact", lambda c: c["claim"].pop("fingerprint"), "another text of the claim"),
    "a twin": ("exact", lambda c: c["claim"].update(question="right-hand side x 0.5"), "not about the claim as printed"),
    "a law of another shape": ("finite", lambda c: c["conclusion"].update(n=c["conclusion"].get("p", 0)), "the conclusion differs"),
    "failures that were not seen": ("event", more_failures, "failures is"),
    "another seed": ("event", no_luck, "the conclusion differs: failures"),
    "a stream of another claim": ("event", lambda c: c["conclusion"]["seed"].__setitem__(1, 7), "not on a stream of the claim"),
    "a stream of the search": ("event", lambda c: c["conclusion"]["seed"].__setitem__(2, 1), "not on a stream of the claim"),
    "no seed": ("event", lambda c: c["conclusion"].update(seed=[]), "does not fit the text"),
    "more trials than there are": ("event", lambda c: c["conclusion"].update(trials=10**9), "no plan makes more than"),
    "another level": ("event", lambda c: c["conclusion"].update(alpha="1/20"), "generator|alpha|failures|differs"),
    "values that were not drawn": ("mean", lambda c: c["conclusion"]["cells"][0].__setitem__(1, 10_000), "differs|do not refute"),
    "trials of what has a finite law": ("finite", lambda c: c.update(conclusion=TRIALS), "leaves none to be made"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_about_something_else_is_told_apart(kept, name):
    which, change, sentence = CHANGES[name]
    claim, certificate = kept[which]
    with pytest.raises(Different, match=sentence) as caught:
        compared(claim, changed(certificate, change))
    assert "\n" not in str(caught.value)


def test_any_witness_will_do(kept):
    claim, certificate = kept["matrix"]
    other = changed(certificate, lambda c: c["conclusion"].update(witness=[str(3 * int(x)) for x in c["conclusion"]["witness"]]))
    assert verify(other).confirmed
    assert compared(claim, other) == "program, hypotheses"


def test_a_twin_under_the_name_of_the_claim_is_told_apart(kept):
    claim, certificate = kept["exact"]
    raw = {"x": 0.5, "y": 0.5}
    for question in (Question("as printed", bound=0.5), Question("as printed", dropped=0)):
        twin = json.loads(json.dumps(refutation(claim, raw, 0, None, question)))
        with pytest.raises(Different, match=r"differs|hypothesis|operations"):
            compared(claim, twin)
    assert compared(claim, certificate)


@pytest.fixture
def here(kept, tmp_path, monkeypatch) -> Path:
    """A folder with the claims and their certificates."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(HEADER + "".join(TEXTS.values()))
    for name, (_, certificate) in kept.items():
        Path(f"{name}.json").write_text(json.dumps(certificate))
    return tmp_path


def command(*args: str) -> Result:
    result = CliRunner().invoke(main, ["verify", *args])
    assert "Traceback" not in result.output
    return result


def test_the_command_confirms_only_what_it_compared(here):
    Path("mine.py").rename("mine.txt")
    alone = command("exact.json")
    assert (alone.exit_code, alone.output.split()[0]) == (0, "RECOMPUTED")
    assert alone.output.endswith("; not compared with the text of the claim\n")
    Path("mine.txt").rename("mine.py")
    whole = command("exact.json", "event.json", "mine.py")
    first, second = whole.output.splitlines()
    assert whole.exit_code == 0
    assert first.startswith("CONFIRMED  mine.exact  lhs = ")
    assert first.endswith("mine.py: program, hypotheses")
    assert second.endswith("trials drawn again")


def test_the_command_rejects_what_is_not_of_the_text(here, kept):
    Path("mine.py").write_text(HEADER + EXACT.replace("0.9", "0.8"))
    result = command("exact.json", "mine.py")
    assert (result.exit_code, "REJECTED  exact.json: it was written for another text" in result.output) == (1, True)
    forged = changed(kept["exact"][1], lambda c: c["claim"].update(fingerprint=load_claims("mine.py")[0].fingerprint))
    Path("exact.json").write_text(json.dumps(forged))
    assert "the claim differs: statement" in command("exact.json", "mine.py").output


def test_a_text_that_has_no_such_claim_decides_nothing(here):
    Path("mine.py").write_text(HEADER + MEAN)
    result = command("exact.json", "mine.py")
    assert (result.exit_code, result.output.split()[0]) == (3, "RECOMPUTED")


def test_claims_of_theory_are_found_by_their_id(here):
    Path("theory/mine").mkdir(parents=True)
    Path("theory/mine/mine.py").write_text(Path("mine.py").read_text())
    assert command("exact.json").output.startswith("CONFIRMED")


def test_what_is_asked_wrongly_is_told(here):
    assert "Name at least one certificate" in command("mine.py").output
    assert command("nowhere.json", "mine.py").exit_code == 2
    Path("broken.py").write_text("def f(:")
    assert command("exact.json", "broken.py").exit_code == 2
    for text in ("[]", "{}", '{"claim": {"id": 3}}', "[" * 100_000):
        Path("x.json").write_text(text)
        assert command("x.json", "mine.py").exit_code in (1, 2)
    assert "CERTIFICATE" in command("--help").output
