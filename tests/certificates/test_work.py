"""Reading and recomputing end: what asks for too much is refused with one sentence, whatever the machine."""

import json
import os
import random

import pytest
from forging import KINDS, PROVENANCE, Certificate, Program, resealed

from boundcheck.verifier import Outcome, findings, seal, verify, verify_file

TOO_MUCH = "more work than a certificate is given"
TIE_ONLY = "more digits take more work than a certificate is given"


def symmetric(p: Program, side: int) -> int:
    rng = random.Random(side)
    rows = [[rng.randint(-99, 99) for _ in range(side)] for _ in range(side)]
    return p.matrix([[f"{rows[max(i, j)][min(i, j)]}/7" for j in range(side)] for i in range(side)])


def copies(p: Program, node: int, *shape: int) -> int:
    size = 1
    for n in shape:
        size *= n
    return p("gather", node, shape=list(shape), index=[0] * size)


def tie(p: Program, node: int) -> Certificate:
    return p.certificate({"kind": "at_most", "args": [node, node]})


def trace_of_eigenvalues(side: int) -> Certificate:
    """The sum of the eigenvalues against the trace: no precision decides it."""
    p = Program()
    A = symmetric(p, side)
    left = p("sum", p("eigvalsh", A), axes=[0])
    right = p("sum", p("gather", A, shape=[side], index=[(side + 1) * i for i in range(side)]), axes=[0])
    return p.certificate({"kind": "at_most", "args": [left, right]})


@pytest.fixture
def little(monkeypatch):
    """A tenth of the usual allowance, so that reaching its end takes a moment."""
    monkeypatch.setattr(findings, "MOST", findings.MOST // 10)


def test_a_tie_of_matrices_ends_before_the_last_digit(little):
    finding = verify(trace_of_eigenvalues(30))
    assert finding.outcome is Outcome.TIE
    assert TIE_ONLY in finding.sentence


def test_a_small_tie_gets_every_digit():
    assert "3000 bits" in verify(trace_of_eigenvalues(3)).sentence


def irrational(p: Program) -> int:
    return p("sqrt", p.const(2))


def law(**parts) -> Certificate:
    p = Program()
    draw, one, bound = p("random", draw=0), p.const(1), p.const("1/2")
    conclusion = {"kind": "probability", "event": {"le": [draw, one]}, "relation": "ge", "bound": bound}
    return p.certificate(conclusion, laws=[{"shape": [], **parts}])


def hypotheses() -> Certificate:
    p = Program()
    A, two, one = p("add", symmetric(p, 60), p.const(1)), p.const(2), p.const(1)
    given = [{"relation": "psd", "args": [A]}] * 3000
    return p.certificate({"kind": "at_most", "args": [two, one]}, hypotheses=given)


def chain(op: str, length: int, *shape: int, **static) -> Certificate:
    p = Program()
    x = copies(p, irrational(p), *shape)
    for _ in range(length):
        y = p(op, x, **static)
    return tie(p, y)


def tower() -> Certificate:
    p = Program()
    x, y = copies(p, p.const("1000001/1000000"), 20_000), p.const(2**3990 - 1)
    return tie(p, p("pow", x, y))


def bets() -> Certificate:
    p = Program()
    bet = {"relation": "le", "bound": p.const("1/2"), "end": p.const(0), "cells": [[f"{k}/90000", 1] for k in range(90_000)]}
    return p.certificate({"kind": "sampled_mean", **bet, **PROVENANCE})


GREEDY = {
    "eigenvalues": lambda: chain("eigvalsh", 40, 90, 90),
    "singular values": lambda: chain("svdvals", 40, 90, 90),
    "exponential": lambda: chain("expm", 200, 90, 90),
    "inverses": lambda: chain("inv", 400, 100, 100),
    "a batch": lambda: chain("det", 100, 9_000, 2, 2),
    "functions": lambda: chain("gamma", 100, 10_000),
    "sums": lambda: chain("sum", 1000, 10_000, axes=[0]),
    "long exponents": tower,
    "PSD hypotheses": hypotheses,
    "an urn": lambda: law(law="hypergeometric", good=20_000, bad=20_000, sample=20_000),
    "coins": lambda: law(law="binomial", n=1, p="1/3", shape=[20]),
    "counts": lambda: law(law="multinomial", n=110, pvals=["1/4"] * 4),
    "bets": bets,
}


@pytest.mark.parametrize("name", GREEDY)
def test_what_asks_for_too_much_is_refused_with_a_sentence(name, little):
    finding = verify(GREEDY[name]())
    assert not finding.confirmed
    assert TOO_MUCH in finding.sentence or finding.outcome is Outcome.MALFORMED, finding


def test_the_work_is_counted(monkeypatch):
    """So every machine stops at the same place, and a larger allowance decides."""
    certificate = resealed(KINDS["counts"](), lambda c: None)
    assert verify(certificate).confirmed
    monkeypatch.setattr(findings, "MOST", 20_000)
    assert [verify(certificate).sentence for _ in range(2)] == [verify(certificate).sentence] * 2
    assert verify(certificate).outcome is Outcome.UNDECIDED


def test_no_file_but_a_regular_one_is_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, "/dev/zero", "/dev/null", "/dev/urandom"):
        finding = verify_file(path)
        assert finding.outcome is Outcome.UNREADABLE, path


def test_a_file_has_a_largest_size(tmp_path, monkeypatch):
    file = tmp_path / "c.json"
    file.write_text(json.dumps(KINDS["at_most"]()))
    monkeypatch.setattr(seal, "LARGEST_FILE", file.stat().st_size)
    assert verify_file(file).confirmed
    monkeypatch.setattr(seal, "LARGEST_FILE", file.stat().st_size - 1)
    assert verify_file(file).outcome is Outcome.UNREADABLE


@pytest.mark.parametrize("text", [
    "[" * 1_000_000, "1" * 2000 + "e-9000000",
    '{"a":' * 100_000, "1" * 1_000_000, "-" + "9" * 5000, "1e999", "-1e999", "NaN", "Infinity", "-Infinity",
    '{"a": 1, "a": 2}', "", " ", "null", "true", "[]", '"\\ud800"', "{}", "\ufeff{}",
])  # fmt: skip
def test_strange_json_gets_a_sentence(text, tmp_path):
    file = tmp_path / "c.json"
    for whole in (text, f'{{"certificate_version": 1, "seal": "0", "program": {text or 0}}}'):
        file.write_bytes(whole.encode("utf-8", "surrogatepass"))
        finding = verify_file(file)
        assert finding.outcome in (Outcome.MALFORMED, Outcome.BROKEN_SEAL)
        assert finding.sentence.isprintable()


def test_long_integers_of_a_dictionary_get_a_sentence():
    for value in (10**5000, -(10**5000), 10**30):
        finding = verify(resealed(KINDS["at_most"](), lambda c, v=value: None) | {"program": [value]})
        assert finding.outcome in (Outcome.MALFORMED, Outcome.BROKEN_SEAL)
