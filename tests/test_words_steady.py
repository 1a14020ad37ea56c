"""A body that changes what it reads is refused with its line, before anything is said of it; one that only remembers is not."""

from pathlib import Path

import pytest

from boundcheck.checking.judge import judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.plan import Plan
from boundcheck.proofs import proved
from boundcheck.words.loading import load_claims

TINY = Plan("tiny", instances=4, work=20, trials=200, sampled_instances=1, confirmation_trials=400)
HEAD = """
import functools, itertools, random, time
from collections import Counter, defaultdict, deque
import numpy as np
from boundcheck import Unit, at_most, theorem

"""
TAIL = """
@theorem("what it says depends on how often it was asked")
def claim(x: Unit):
    {}
    return at_most(x, 1 if {} else 0.5)
"""

CHANGING = {
    "list": ("SEEN = []", "SEEN.append(1)", "len(SEEN) < 4"),
    "alias": ("SEEN = []", "seen = SEEN; seen.append(1)", "len(SEEN) < 4"),
    "dict": ("SEEN = {}", "SEEN[len(SEEN)] = 1", "len(SEEN) < 4"),
    "counter": ("SEEN = Counter()", "SEEN['x'] += 1", "SEEN['x'] < 4"),
    "defaultdict": ("SEEN = defaultdict(int)", "SEEN['x'] += 1", "SEEN['x'] < 4"),
    "deque": ("SEEN = deque([True, True, False])", "SEEN.rotate()", "SEEN[0]"),
    "array": ("SEEN = np.zeros(1, dtype=int)", "SEEN[0] += 1", "SEEN[0] < 4"),
    "name": ("SEEN = 0", "global SEEN; SEEN += 1", "SEEN < 4"),
    "toggle": ("SEEN = [True]", "SEEN[0] = not SEEN[0]", "SEEN[0]"),
    "class": ("class SEEN: hits = 0", "SEEN.hits += 1", "SEEN.hits < 4"),
    "object": ("class Box:\n    hits = 0\nSEEN = Box()", "SEEN.hits += 1", "SEEN.hits < 4"),
    "default": ("def SEEN(x, seen=[]):\n    seen.append(1)\n    return len(seen)", "", "SEEN(x) < 4"),
    "attribute": ("def SEEN(): pass\nSEEN.hits = 0", "SEEN.hits += 1", "SEEN.hits < 4"),
    "cell": (
        "def outer():\n    k = 0\n    def step():\n        nonlocal k\n        k += 1\n        return k\n    return step\nSEEN = outer()",
             "", "SEEN() < 4"),
    "cache": ("@functools.cache\ndef SEEN(): return [0]", "SEEN()[0] += 1", "SEEN()[0] < 4"),
    "cached effect": ("HITS = []\n@functools.cache\ndef SEEN(x):\n    HITS.append(x)\n    return len(HITS)", "", "SEEN(x) < 4"),
    "count": ("SEEN = itertools.count()", "", "next(SEEN) < 4"),
    "cycle": ("SEEN = itertools.cycle([1, 0])", "", "next(SEEN)"),
    "generator": ("SEEN = (k for k in range(10**9))", "", "next(SEEN) < 4"),
    "iterator": ("SEEN = iter(range(10**9))", "", "next(SEEN) < 4"),
    "rng": ("SEEN = np.random.default_rng(0)", "", "SEEN.integers(0, 2)"),
    "Random": ("SEEN = random.Random(0)", "", "SEEN.randint(0, 1)"),
}  # fmt: skip


def claim_of(folder: Path, made: str, done: str, asked: str):
    file = folder / "steady.py"
    file.write_text(HEAD + made + TAIL.format(done or "pass", asked))
    return load_claims(file)[0]


@pytest.mark.parametrize("kind", CHANGING)
def test_what_changes_between_calls_is_refused_with_its_line(kind: str, tmp_path: Path):
    made, done, asked = CHANGING[kind]
    claim = claim_of(tmp_path, made, done, asked)
    with pytest.raises(BrokenClaim, match=r"steady\.py:\d+\): .*(changed while the body runs|iterator|different things)"):
        judge(claim, TINY, 1e-6)


def test_no_proof_goes_through_it(tmp_path: Path):
    claim = claim_of(tmp_path, *CHANGING["object"])
    assert proved(claim) is None


@pytest.mark.parametrize("source", ["random.randint(0, 1)", "np.random.randint(0, 2)", "time.time_ns() % 2", "id(object()) // 16 % 2"])
def test_what_is_another_at_every_call_refutes_nothing(source: str, tmp_path: Path):
    try:
        said = judge(claim_of(tmp_path, "", "", source), TINY, 1e-6).outcome.name
    except BrokenClaim as error:
        said = str(error)
    assert said == "INCONCLUSIVE" or "different things" in said


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        ("@functools.cache\ndef SEEN(x): return x * x", "SEEN(x) <= 1"),
        ("class Box:\n    @functools.cached_property\n    def half(self): return [1]\nSEEN = Box()", "SEEN.half"),
        ("SEEN = [1, 2]", "sorted(SEEN)[0] == 1"),
        ("SEEN = deque([1])", "len(SEEN)"),
    ],
)
def test_what_only_remembers_is_read(made: str, asked: str, tmp_path: Path):
    assert judge(claim_of(tmp_path, made, "", asked), TINY, 1e-6).outcome.name in ("HOLDS", "VACUOUS")


def test_a_constant_may_be_changed_between_two_verdicts(tmp_path: Path):
    claim = claim_of(tmp_path, "SEEN = 2", "", "SEEN == 2")
    assert judge(claim, TINY, 1e-6).outcome.name == "HOLDS"
    claim.body.__globals__["SEEN"] = 3
    assert judge(claim, TINY, 1e-6).outcome.name != "HOLDS"
