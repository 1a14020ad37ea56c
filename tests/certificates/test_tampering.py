"""Every tampered certificate is rejected: by the seal, or after a fresh seal by recomputation."""

import copy
import json
import random
from typing import Any

import pytest
from forging import KINDS, resealed

from boundcheck.verifier import Outcome, verify, verify_file


def paths(value, here=()):
    """The paths of all keys and items of a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*here, key)
        yield from paths(item, (*here, key))


def parent(value: Any, path: Any) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


def alterations(item):
    """Other values for a leaf, one of another type included."""
    if isinstance(item, bool):
        return [not item, int(item)]
    if isinstance(item, int):
        return [item + 1, -item - 1, str(item), None]
    if isinstance(item, str):
        return [item + "0", item[:-1] + "\u00e9", [item]]
    return [None, [item]]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "counts"])
def test_the_seal_covers_every_leaf(kind):
    certificate = KINDS[kind]()
    for path in paths(certificate):
        key = path[-1]
        for value in alterations(parent(certificate, path)[key]):
            edited = copy.deepcopy(certificate)
            parent(edited, path)[key] = value
            assert not verify(edited).confirmed, (path, value)
        edited = copy.deepcopy(certificate)
        del parent(edited, path)[key]
        assert not verify(edited).confirmed, path


NONSENSE = (None, [], {}, "x", -1, 10**30, 1.5, True, [[]], {"node": 99}, "1/0", "1" * 30_000)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "counts"])
def test_a_seal_does_not_make_nonsense_readable(kind):
    """Under a fresh seal any value anywhere may be nonsense, and no part may be missing."""
    certificate = KINDS[kind]()
    for path in paths(certificate):
        for value in NONSENSE:
            finding = verify(
                resealed(certificate, lambda c, p=path, v=value: parent(c, p).__setitem__(p[-1], v))
            )
            assert not (finding.confirmed and path[:1] == ("conclusion",) and value is None) or "seed" in path
    for part in (certificate, certificate["conclusion"]):
        for key in part.keys() - {"values", "seal"}:
            where = () if part is certificate else ("conclusion",)
            finding = verify(resealed(certificate, lambda c, p=(*where, key): parent(c, p).pop(p[-1])))
            assert finding.outcome is Outcome.MALFORMED, key


def swap(value, old, new):
    """Replace a string wherever it stands."""
    for path in paths(value):
        if parent(value, path)[path[-1]] == old:
            parent(value, path)[path[-1]] = new


RESEALED = [
    ("at_most", lambda c: swap(c, "7/5", "3/2"), "NOT_VIOLATED"),
    ("at_most", lambda c: swap(c["program"], "2", "1"), "NOT_VIOLATED"),
    ("at_most", lambda c: c["conclusion"]["args"].reverse(), "NOT_VIOLATED"),
    ("at_most", lambda c: c["hypotheses"][0]["args"].reverse(), "HYPOTHESIS_FALSE"),
    ("at_most", lambda c: c["hypotheses"][0].update(relation="eq"), "HYPOTHESIS_FALSE"),
    ("at_most", lambda c: swap(c, "1.4142135623730950", "1.4142135623730"), "VALUE_DIFFERS"),
    ("at_most", lambda c: swap(c, "1.4", "1.41"), "VALUE_DIFFERS"),
    ("at_most", lambda c: swap(c, "1.4", "nan"), "MALFORMED"),
    ("at_most", lambda c: c["values"].update(probability="1"), "MALFORMED"),
    ("at_most", lambda c: c["values"].update(tightness="1"), "MALFORMED"),
    ("at_most", lambda c: c.update(certificate_version=2), "NEWER_VERSION"),
    ("at_most", lambda c: c.update(certificate_version=True), "MALFORMED"),
    ("at_most", lambda c: c.update(remark="trust me"), "MALFORMED"),
    ("at_most", lambda c: c["program"][3]["args"].__setitem__(0, 3), "MALFORMED"),
    ("at_most", lambda c: c["program"][3]["args"].__setitem__(0, -4), "MALFORMED"),
    ("at_most", lambda c: c["program"][3].update(op="__import__"), "MALFORMED"),
    ("equal", lambda c: swap(c, "2", "1"), "NOT_VIOLATED"),
    ("loewner", lambda c: swap(c, "-2", "2"), "NOT_VIOLATED"),
    ("loewner", lambda c: c["program"][4]["args"].reverse(), "HYPOTHESIS_FALSE"),
    ("loewner", lambda c: c["conclusion"]["witness"].append("0"), "MALFORMED"),
    ("probability", lambda c: swap(c, "19/20", "9/10"), "NOT_VIOLATED"),
    ("probability", lambda c: swap(c, "10", "11"), "NOT_VIOLATED"),
    ("probability", lambda c: c["conclusion"].update(relation="le"), "NOT_VIOLATED"),
    ("probability", lambda c: c["values"].update(probability="0.91666666666666"), "VALUE_DIFFERS"),
    ("probability", lambda c: c["laws"][0]["weights"].__setitem__(5, "1/10"), "NOT_VIOLATED"),
    ("probability", lambda c: c["laws"][0]["weights"].__setitem__(0, "-1"), "MALFORMED"),
    ("probability", lambda c: c["laws"][0].update(shape=[40]), "MALFORMED"),
    ("expectation", lambda c: swap(c, "7/10", "8/10"), "NOT_VIOLATED"),
    ("expectation", lambda c: c["conclusion"]["args"].reverse(), "NOT_VIOLATED"),
    ("expectation", lambda c: c["laws"][0].update(p={"node": 1}), "MALFORMED"),
    ("expectation_loewner", lambda c: swap(c, "1/2", "1"), "NOT_VIOLATED"),
    ("expectation_loewner", lambda c: c["conclusion"]["args"].reverse(), "NOT_VIOLATED"),
    ("sampled", lambda c: c["conclusion"].update(failures=100), "NOT_VIOLATED"),
    ("sampled", lambda c: c["conclusion"].update(failures=130), "NOT_VIOLATED"),
    ("sampled", lambda c: c["conclusion"].update(alpha="1"), "MALFORMED"),
    ("sampled", lambda c: c["conclusion"].update(failures=1001), "MALFORMED"),
    ("counts", lambda c: swap(c["program"], "99/100", "98/100"), "NOT_VIOLATED"),
    ("counts", lambda c: swap(c["program"], "1/1000000000000", "1"), "NOT_VIOLATED"),
    ("counts", lambda c: swap(c["program"], "1/2", "3/5"), "NOT_VIOLATED"),
    ("counts", lambda c: swap(c["program"], "1/100", "1/99"), "MALFORMED"),
]


@pytest.mark.parametrize(("kind", "change", "outcome"), RESEALED)
def test_recomputation_rejects(kind, change, outcome):
    finding = verify(resealed(KINDS[kind](), change))
    assert finding.outcome is Outcome[outcome], finding


def corruption(text, rng):
    """A damaged copy: cut, overwritten, or with a piece repeated or removed."""
    i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    return rng.choice([
        text[:i],
        text[:i] + rng.choice('"{}[],:0-9truenull\\\x00\ud800') + text[i + 1 :],
        text[:i] + text[j:],
        text[:j] + text[i:],
        text[:i] + "[" * 100_000 + text[i:],
    ])  # fmt: skip


def test_no_corruption_of_the_text_raises(tmp_path):
    rng, file = random.Random(20210922), tmp_path / "c.json"
    texts = [json.dumps(KINDS[kind]()) for kind in KINDS if kind != "counts"]
    for _ in range(300):
        text = rng.choice(texts)
        damaged = corruption(text, rng)
        file.write_bytes(damaged.encode("utf-8", "surrogatepass"))
        finding = verify_file(file)
        assert not finding.confirmed or damaged == text
        assert "\n" not in finding.sentence


HOSTILE = [
    {"op": "const", "args": [], "shape": [4001, 1000], "data": []},
    {"op": "const", "args": [], "shape": [10**18], "data": []},
    {"op": "gather", "args": [], "shape": [0, 10**12], "index": []},
    {"op": "gather", "args": [0], "shape": [1], "index": [10**30]},
    {"op": "const", "args": [], "shape": [], "data": ["9" * 20_001]},
    {"op": "const", "args": [], "shape": [], "data": ["1/0"]},
    {"op": "const", "args": [], "shape": [], "data": ["1e9"]},
    {"op": "const", "args": [], "shape": [], "data": [{"mid": "1", "rad": "-1"}]},
    {"op": "inv", "args": [0]},
    {"op": "eigvalsh", "args": [0]},
    {"op": "sum", "args": [0], "axes": [3]},
]


@pytest.mark.parametrize("node", HOSTILE)
def test_hostile_nodes_get_one_sentence(node):
    finding = verify(resealed(KINDS["at_most"](), lambda c: c["program"].append(node)))
    assert finding.outcome is Outcome.MALFORMED


def test_huge_powers_end(tmp_path):
    certificate = KINDS["at_most"]()

    def tower(c):
        for _ in range(40):
            c["program"].append({"op": "pow", "args": [len(c["program"]) - 1] * 2})
        c["conclusion"]["args"] = [len(c["program"]) - 1, 1]

    assert not verify(resealed(certificate, tower)).confirmed


def test_deeply_nested_events_are_refused():
    def nest(c):
        for _ in range(60):
            c["conclusion"]["event"] = {"not": c["conclusion"]["event"]}

    assert verify(resealed(KINDS["probability"](), nest)).outcome is Outcome.MALFORMED
