"""Both sides of deterministic claims in floats against ball arithmetic: the rounding radius has to contain the true error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, ctx

from boundcheck.checking.certificate import NotFinite, NotTraceable, program_at
from boundcheck.checking.observe import Skipped, observe
from boundcheck.domains import Raw
from boundcheck.domains.instances import draw_instances, inside, leaves, replaced
from boundcheck.operations.rounding import radii
from boundcheck.report.findings import Finding
from boundcheck.verifier.findings import Rejection
from boundcheck.verifier.laws import groups
from boundcheck.verifier.numbers import finite
from boundcheck.verifier.program import run
from boundcheck.words import theory
from boundcheck.words.claims import Claim
from boundcheck.words.loading import load_claims

from .parts import Part

BITS = 320
MOST_ENTRIES = 3000
"""Entries of a program that is recomputed in balls; larger ones are left out."""

HALF_ULP = 2.0**-53
"""What rounding may do to any result, and luck may hide; no radius is called loose for allowing it."""

FALSEHOODS = Path(__file__).parents[1] / "falsehoods"
SIZES = {"slice": 60, "small": 500, "full": 10_000}
KINDS = ("at_most", "equal", "loewner")


@dataclass(frozen=True)
class Side:
    """One side of one instance: how many entries, how many outside their radius or without one, and radius over error of the rest."""

    claim: str
    instance: int
    ill: bool
    entries: int
    outside: int
    unbounded: int
    looseness: np.ndarray
    worst: str = ""


def deterministic(every: int) -> list[Claim]:
    """Of the claims of theory/ and the labelled falsehoods, one of `every` so many, those that have a deterministic instance."""
    claims = [c for f in sorted(FALSEHOODS.glob("*.py")) if "@true" in f.read_text(encoding="utf-8") for c in load_claims(f)]
    return [c for c in [*load_claims(theory()), *claims][::every] if _is_deterministic(c)]


def _is_deterministic(claim: Claim) -> bool:
    return any(_deterministic_parts(claim, raw) for raw in draw_instances(claim.parameters, 3, 1))


def _deterministic_parts(claim: Claim, raw: dict[str, Raw]) -> list[int]:
    with suppress(Exception):  # an instance that breaks a body is none to compare
        seen = observe(claim, raw)
        return [] if isinstance(seen, Skipped) else [o.part for o in seen if o.kind in KINDS and o.work <= 400]
    return []


def instances(claim: Claim, count: int, seed: int) -> Iterator[tuple[dict[str, Raw], bool]]:
    """Drawn instances, each followed by an ill-conditioned one: entries scaled apart by up to 16 decades, or nearly alike."""
    rng = np.random.default_rng([seed, len(claim.id)])
    for raw in draw_instances(claim.parameters, count, seed + 1):
        yield raw, False
        ill = _ill(claim, raw, rng)
        if inside(claim.parameters, ill):
            yield ill, True


def _ill(claim: Claim, raw: dict[str, Raw], rng: np.random.Generator) -> dict[str, Raw]:
    nearly_alike = rng.random() < 0.5
    for path, leaf, _ in leaves(claim.parameters, raw):
        if isinstance(leaf, (float, np.floating)) or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f"):
            x = np.asarray(leaf)
            apart = 10.0 ** rng.integers(-8, 9, x.shape)
            new: Any = np.resize(x.ravel()[:1], x.shape) * (1 + 1e-9 * rng.standard_normal(x.shape)) if nearly_alike else x * apart
            raw = replaced(raw, path, float(new) if x.ndim == 0 else new)
    return raw


def measure(size: str, seed: int) -> Part:
    """Compare instances of all claims in turn until there are enough."""
    from joblib import Parallel, delayed

    claims = deterministic(60 if size == "slice" else 1)
    each = 1 + SIZES[size] // len(claims)
    jobs = (delayed(of_claim)(c.id, c.file, each, seed) for c in claims)
    made: Any = Parallel(n_jobs=1 if size == "slice" else 2)(jobs)
    sides = [side for some in made for side in some]
    wrong = [f"{s.claim}: {s.worst}" for s in sides if s.outside]
    return Part([table(sides), loosest(sides)], wrong)


def of_claim(id: str, file: str, count: int, seed: int) -> list[Side]:
    """The sides of some instances of one claim."""
    claim, sides = next(c for c in load_claims(file) if c.id == id), []
    with np.errstate(all="ignore"):
        for k, (raw, ill) in enumerate(instances(claim, count, seed)):
            for part in _deterministic_parts(claim, raw):
                sides += sides_of(claim, raw, part, k, ill)
    return sides


def sides_of(claim: Claim, raw: dict[str, Raw], part: int, k: int, ill: bool) -> list[Side]:
    """Trace, bound, and recompute in balls of 320 bits; nothing where a side has no exact value, or too much of it."""
    try:
        tape, conclusion = program_at(claim, raw, part)
        nodes = sorted(set(conclusion["args"]))
        if sum(v.size for v in tape.values) > MOST_ENTRIES:
            return []
        bounds = radii(tape, nodes)
        with ctx.workprec(BITS):
            exact = run(tape.nodes, groups(tape.laws)).arrays
            return [Side(claim.id, k, ill, *_compared(tape.values[node], bounds[node], exact[node].data)) for node in nodes]
    except (NotTraceable, NotFinite, Rejection, KeyError):
        return []


def _compared(value: np.ndarray, radius: Any, exact: Any) -> tuple[int, int, int, np.ndarray, str]:
    """Only entries that are numbers, in floats and in balls, have an error."""
    every = zip(value.ravel().tolist(), np.ravel(radius).tolist(), exact, strict=True)
    pairs = [(v, r, x) for v, r, x in every if np.isfinite(v) and finite(x)]
    errors = np.array([float(abs(arb(v) - arb(x)).lower()) for v, _, x in pairs])
    r = np.array([r for _, r, _ in pairs])
    outside, inexact = ~(errors <= r), (r > 0) & np.isfinite(r)
    least = np.maximum(errors, HALF_ULP * np.abs([v for v, _, _ in pairs]))
    loose = r[inexact & (least > 0)] / least[inexact & (least > 0)]
    k = int(np.argmax(outside)) if outside.any() else 0
    worst = f"{pairs[k][0]!r} is off by {errors[k]:.3g}, beyond its radius {r[k]:.3g}" if outside.any() else ""
    return len(pairs), int(outside.sum()), int(np.isinf(r).sum()), loose, worst


def table(sides: list[Side]) -> Finding:
    """Containment and looseness, instances as drawn and ill-conditioned ones apart."""
    columns = (
        "instances", "claims", "number", "entries", "outside", "without bound", "inexact", "looseness, median", "nine in ten below",
        "worst",
    )  # fmt: skip
    remark = (
        "Looseness is the radius, where it is not 0, over the true error or half an ulp, whichever is larger. True values are balls of"
        f" {BITS} bits, by the verifier's interpreter. Ill-conditioned: numbers scaled apart by up to 16 decades, or alike to 1e-9."
        " Without bound: the radius is infinite, so that nothing is said and nothing can be refuted."
    )
    kinds = {"as drawn": [s for s in sides if not s.ill], "ill-conditioned": [s for s in sides if s.ill]}
    return Finding("The true error against the radius", columns, [_row(name, own) for name, own in kinds.items()], remark)


def _row(name: str, own: list[Side]) -> tuple[Any, ...]:
    loose = np.concatenate([np.empty(0), *(s.looseness for s in own)])
    ends = np.quantile(loose, [0.5, 0.9, 1]).tolist() if loose.size else [np.nan] * 3
    number = len({(s.claim, s.instance) for s in own})
    counts = (sum(s.entries for s in own), sum(s.outside for s in own), sum(s.unbounded for s in own))
    return name, len({s.claim for s in own}), number, *counts, int(loose.size), *ends


def loosest(sides: list[Side]) -> Finding:
    """The claims whose radii are the loosest."""
    by_claim: dict[str, list[np.ndarray]] = {}
    for s in sides:
        by_claim.setdefault(s.claim, []).append(s.looseness)
    joined = {id: np.concatenate(own) for id, own in by_claim.items()}
    medians = {id: float(np.median(x)) for id, x in joined.items() if x.size}
    worst = sorted(medians, key=lambda id: -medians[id])[:10]
    return Finding("The ten loosest claims", ("claim", "median", "worst"), [(id, medians[id], float(joined[id].max())) for id in worst])
