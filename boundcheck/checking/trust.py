"""What the engine has to know about itself: its stopping rules exactly, known verdicts, and certificates that are tampered with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from boundcheck.certificates.verify import verify
from boundcheck.checking.calibration import DESIGNS, certify
from boundcheck.checking.judge import judge
from boundcheck.checking.plan import Plan
from boundcheck.checking.verdict import Outcome
from boundcheck.domains import Unit
from boundcheck.settings import FiniteLaw
from boundcheck.words.claims import make_claim
from boundcheck.words.statements import E

Line = tuple[bool, str]


def stopping_rules() -> Iterator[Line]:
    """The exact probability that each rule ever errs, against its level."""
    for delta, level, horizon in DESIGNS:
        crossing = certify(delta, level, horizon)
        errs = f"errs with probability {max(crossing.refuted, crossing.held):.3g} <= {level:g}"
        yield crossing.honest, f"delta = {delta:g}: looking after each of {horizon:,} trials {errs}"


def known_verdicts() -> Iterator[Line]:
    """An equality that holds, a false twin of it with its certificate, and every one-digit change of that certificate."""
    plan = Plan("selftest", instances=25, work=400, trials=4000, sampled_instances=3)
    true, false = (judge(make_claim(body, f"selftest.{body.__name__}", "selftest", "theorem"), plan, 1e-9) for body in (coin, low_coin))
    yield true.outcome is Outcome.HOLDS, f"a coin shows heads p times on average, at most: {true.outcome.name}"
    yield false.outcome is Outcome.REFUTED, f"0.98 p times, at most: {false.outcome.name}, {false.reason}"
    if false.refutation is not None:
        certificate = false.refutation.certificate
        confirmed = verify(json.loads(json.dumps(certificate))).confirmed
        yield confirmed, f"the verifier {'confirms' if confirmed else 'rejects'} the certificate"
        forged = list(_tampered(certificate))
        passed = sum(verify(c).confirmed for c in forged)
        yield not passed, f"the verifier rejects {len(forged) - passed} of {len(forged)} changed certificates"


def coin(p: Unit) -> Any:
    """A coin that shows heads with probability p does so p times on average."""
    return E(_heads(p)) <= p


def low_coin(p: Unit) -> Any:
    """The same, two percent less."""
    return E(_heads(p)) <= 0.98 * p


def _heads(p: Any) -> Any:
    return FiniteLaw(np.array([0.0, 1.0]), np.array([1 - p, p])).sample(1)[0]


def _tampered(certificate: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The certificate with each of its digits, one at a time, raised by one."""
    text = json.dumps(certificate)
    for place, character in enumerate(text):
        if character.isdigit():
            changed = text[:place] + str((int(character) + 1) % 10) + text[place + 1 :]
            try:
                yield json.loads(changed)
            except ValueError:
                continue  # a number with a leading zero is no JSON
