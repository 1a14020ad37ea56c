"""Single-field changes of the committed certificates, with and without a fresh seal; and files that are no certificates."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boundcheck.report.findings import Finding
from boundcheck.verifier import Outcome, verify, verify_file
from boundcheck.verifier.seal import digest

from .floats import agrees
from .isolation import Died, each
from .mutations import Mutation, mutations
from .parts import Part

COMMITTED = Path(__file__).parents[2] / "reports" / "certificates"
RESEALED = {"slice": 3, "small": 5, "full": 100}
UNSEALED = {"slice": 40, "small": 100, "full": 1000}
"""Changes of each certificate under a fresh seal and without one, drawn from all."""

FUZZED = {"slice": 100, "small": 1000, "full": 10_000}
LARGEST = {"slice": 40_000, "small": 200_000, "full": 20_000_000}
"""Bytes of the certificates that are changed."""

BITS = (106, 212, 424)
WORDS = ("id", "source", "statement", "fingerprint", "question", "part", "instance")


@dataclass(frozen=True)
class Tried:
    """A change of a certificate, what the verifier says, and, where it confirms, what kind of true statement that is."""

    certificate: str
    mutation: Mutation
    outcome: str
    meaning: str = ""


def committed(size: str) -> dict[str, str]:
    """The text of each committed certificate that the verifier confirms."""
    every = sorted(path for path in COMMITTED.glob("*.json") if path.stat().st_size <= LARGEST[size])
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (every[::24] if size == "slice" else every)}
    for name, text in texts.items():
        assert verify(json.loads(text)).confirmed, name
    return texts


def measure(size: str, seed: int) -> Part:
    """Changes without a fresh seal, with one, and damaged files."""
    rng, texts = random.Random(seed), committed(size)
    unsealed = [sealed_as_it_was(texts, job) for job in drawn(texts, UNSEALED[size], rng)]
    fresh = in_processes(texts, drawn(texts, RESEALED[size], rng))
    fuzz, dead = fuzzed(texts, FUZZED[size], rng)
    wrong = [f"{t.certificate}, {spelled(t.mutation)}: {t.outcome}, without a fresh seal" for t in unsealed if t.outcome == CONFIRMED]
    wrong += [f"{t.certificate}, {spelled(t.mutation)}: {t.meaning or t.outcome}" for t in fresh if t.meaning == UNEXPLAINED or died(t)]
    return Part([of_changes(unsealed, fresh), of_confirmed(fresh), fuzz], [*wrong, *dead], f"{len(texts)} certificates.")


def drawn(texts: dict[str, str], count: int, rng: random.Random) -> list[tuple[str, Mutation]]:
    """So many changes of each certificate, or all that there are."""
    chosen = []
    for name, text in texts.items():
        every = list(mutations(json.loads(text)))
        chosen += [(name, m) for m in rng.sample(every, min(count, len(every)))]
    return chosen


CONFIRMED, UNEXPLAINED = Outcome.CONFIRMED.name, "confirmed, and not explained"


def died(t: Tried) -> bool:
    return t.outcome.startswith(("hangs", "ends"))


def sealed_as_it_was(texts: dict[str, str], job: tuple[str, Mutation]) -> Tried:
    name, mutation = job
    return Tried(name, mutation, verify(mutation.of(texts[name]), BITS).outcome.name)


def in_processes(texts: dict[str, str], chosen: list[tuple[str, Mutation]]) -> list[Tried]:
    """Each change under a fresh seal, recomputed where no harm is done."""

    def one(job: tuple[str, Mutation]) -> Tried:
        name, mutation = job
        certificate = mutation.of(texts[name])
        if mutation.path != ("seal",):
            certificate["seal"] = digest(certificate)
        outcome = verify(certificate, BITS).outcome.name
        return Tried(name, mutation, outcome, meaning(mutation, certificate) if outcome == CONFIRMED else "")

    results = each(one, chosen)
    return [Tried(*job, str(r)) if isinstance(r, Died) else r for job, r in zip(chosen, results, strict=True)]


def meaning(mutation: Mutation, certificate: dict[str, Any]) -> str:
    """What kind of statement a confirmed change makes; numbers are looked at again in plain floats."""
    top, last = mutation.path[0], mutation.path[-1]
    if top == "claim" and len(mutation.path) > 1 and mutation.path[1] in WORDS:
        return "words: where it comes from, not what is computed"
    if (top == "conclusion" and "seed" in mutation.path) or last in ("generator", "name", "seed"):
        return "words: names of generators, seeds and inputs"
    if mutation.kind == "float":
        return UNEXPLAINED
    if top == "values":
        return "a recorded value left out, or within 1e-6 of the recomputed one"
    second = agrees(certificate)
    if second is False:
        return UNEXPLAINED
    opinion = "floats agree" if second else "floats cannot tell"
    if top == "hypotheses":
        return f"a hypothesis left out or replaced by another true one; {opinion}"
    if mutation.kind in ("type", "deletion", "order", "length"):
        return f"another spelling of the program, or a default left out; {opinion}"
    return f"other numbers that are a violation too; {opinion}"


def spelled(m: Mutation) -> str:
    value = "deleted" if m.kind == "deletion" else json.dumps(m.value)
    return f"{m.kind} of {'.'.join(map(str, m.path))} ({value[:60]})"


def of_changes(unsealed: list[Tried], fresh: list[Tried]) -> Finding:
    """By kind of change."""
    kinds = sorted({t.mutation.kind for t in unsealed})
    rows = []
    for kind in [*kinds, "all"]:
        a, b = ([t for t in group if kind in (t.mutation.kind, "all")] for group in (unsealed, fresh))
        confirmed = sum(t.outcome == CONFIRMED for t in b)
        rows.append((kind, len(a), sum(t.outcome != CONFIRMED for t in a), len(b), len(b) - confirmed, confirmed))
    columns = ("change of one field", "seal as it was", "rejected", "fresh seal", "rejected", "still a confirmed statement")
    how = ", ".join(f"{count:,} {name.lower().replace('_', ' ')}" for name, count in Counter(t.outcome for t in fresh).most_common())
    remark = f"Under a fresh seal the verifier has only the arithmetic to go by; it found: {how}."
    return Finding("Single-field changes of the committed certificates", columns, rows, remark)


def of_confirmed(fresh: list[Tried]) -> Finding:
    """What the confirmed changes say."""
    found = [t for t in fresh if t.outcome == CONFIRMED]
    rows = [
        (what, count, spelled(next(t.mutation for t in found if t.meaning == what)))
        for what, count in Counter(t.meaning for t in found).most_common()
    ]
    remark = (
        "A fresh seal over other words or numbers makes another certificate. It is confirmed only if its own arithmetic is a violation,"
        " which plain floats confirm where they can tell. Whether it is about the claim is not for the verifier: a run counts a kept"
        " counterexample only under the fingerprint of the claim's text, and evaluates it again."
    )
    return Finding("What is confirmed under a fresh seal", ("what it says", "changes", "for example"), rows, remark)


def fuzzed(texts: dict[str, str], count: int, rng: random.Random) -> tuple[Finding, list[str]]:
    """Damaged files: every one gets one sentence."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = [(rng.choice(list(texts.values())), rng.getrandbits(64)) for _ in range(count)]

        def one(job: tuple[str, int]) -> str:
            text, own = job
            file = Path(folder) / "c.json"
            file.write_bytes(data := resealed(damaged(text.encode(), random.Random(own))))
            finding = verify_file(file)
            lies = finding.confirmed and agrees(json.loads(data)) is False
            if "\n" in finding.sentence:
                return "more than one line"
            return "confirmed, though floats deny it" if lies else finding.outcome.name

        seen = Counter(map(str, each(one, jobs)))
    wrong = [f"{n} damaged files: {what}" for what, n in seen.items() if what not in Outcome.__members__]
    remark = (
        "Bytes flipped, pieces cut, copied, moved, or replaced by deep nesting, long numbers or random bytes, one to four times; what is"
        " still JSON gets a fresh seal."
    )
    return Finding(f"{count:,} damaged files", ("what the verifier says", "files"), seen.most_common(), remark), wrong


def resealed(data: bytes) -> bytes:
    """With a fresh seal if it is a certificate at all."""
    try:
        content = json.loads(data)
        return json.dumps({**content, "seal": digest(content)}).encode()
    except (ValueError, TypeError, RecursionError):
        return data


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One to four changes at random places."""
    for _ in range(rng.randint(1, 4)):
        i, j = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        junk = rng.choice([rng.randbytes(4), b"[" * 5000, b"9" * 30_000, b'{"a":', b"\x00", b"1e999", b"NaN", b'"\\ud800"', b"-", b"0"])
        data = rng.choice([data[:i], data[:i] + data[j:], data[:i] + junk + data[i:], data[:i] + junk + data[i + 1 :], data[:j] + data[i:]])
    return data
