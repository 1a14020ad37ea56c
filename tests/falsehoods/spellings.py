"""Whether a verdict hangs on how a statement is said: `python -m tests.falsehoods.spellings`, into README.md.

Each hard falsehood is written in other words that mean the same (`rewritings.py`), and all are judged by the quick plan.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from boundcheck.checking.observe import TOUCH, Observation, Skipped, observe
from boundcheck.checking.sampling import Stream
from boundcheck.domains.instances import draw_instances, sizes_of
from boundcheck.words.claims import Claim
from boundcheck.words.loading import load_claims, selected

from .page import line, replaced
from .rewritings import REWRITINGS, spelled
from .verdicts import HERE, SHUFFLE, bounds, quick
from .written import Written, written

START, END = "<!-- spellings: start -->", "<!-- spellings: end -->"
README = HERE / "README.md"
INSTANCES = 20
SAMPLE = 23
"""Statements in the table of README.md."""


class Differs(Exception):
    """What is said in other words does not mean the same: a fault of this tool."""


@dataclass
class Row:
    """One statement: its verdict as it is written, that of each other spelling, and faults of the tool."""

    id: str
    plain: str
    others: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def differing(self) -> list[str]:
        return [f"{how}: {outcome}" for how, outcome in self.others.items() if outcome != self.plain]


def spellings(claim: Claim, folder: Path) -> Iterator[tuple[str, Claim | Differs]]:
    """The statement as it is written, in a file of its own, and each other spelling of it that means the same, or why it does not."""
    text = written(claim)
    yield "as written", loaded(text, claim, folder / "plain")
    for how in REWRITINGS:
        other = spelled(text, how)
        if other is not None:
            try:
                found = loaded(other, claim, folder / how.replace(" ", "_"))
                require_same(claim, found, other)
                yield how, found
            except Exception as error:
                yield how, Differs(f"{type(error).__name__}: {error}")


def loaded(text: Written, claim: Claim, folder: Path) -> Claim:
    """The claim of a text, with the id of the claim that it was: the search draws by it."""
    folder.mkdir(parents=True)
    file = folder / Path(claim.file).name
    file.write_text(text.text(), encoding="utf-8")
    (found,) = load_claims(file)
    return found


def require_same(claim: Claim, other: Claim, text: Written) -> None:
    """Raise Differs unless both say the same of instances: the differences of their sides have the same signs.

    What rounding decides is left aside; of what can only be sampled nothing but that it is sampled is compared.
    """
    seen, resolved = 0, 0
    for raw in draw_instances(claim.parameters, INSTANCES, Stream.of(0, claim.id, 0).number()):
        ours, theirs = observe(claim, raw), observe(other, text.there(raw, sizes_of(claim.parameters, raw)))
        if isinstance(ours, Skipped) or isinstance(theirs, Skipped):
            if type(ours) is not type(theirs):
                raise Differs(f"one says nothing of {raw}: {ours}, {theirs}")
            continue
        signs = [_signs(ours), _signs(theirs)]
        if any(a * b < 0 for a, b in zip(*signs, strict=True)) or [o.pending is None for o in ours] != [o.pending is None for o in theirs]:
            raise Differs(f"of {raw}: {[o.score for o in ours]}, {[o.score for o in theirs]}")
        seen, resolved = seen + np.count_nonzero(signs[0]), resolved + np.count_nonzero(signs[1])
    if seen and not resolved:
        raise Differs("rounding hides what it says of all instances")


def _signs(seen: Sequence[Observation]) -> list[float]:
    """Of the score of each part, 0 where rounding decides."""
    return [float(np.sign(o.score)) if abs(o.score) > TOUCH else 0.0 for o in seen]


def row(claim: Claim, seed: int = 0) -> Row:
    """The verdicts on all spellings of a claim."""
    start, found = time.process_time(), Row(claim.id, "")
    with TemporaryDirectory() as folder:
        for how, other in spellings(claim, Path(folder)):
            if isinstance(other, Differs):
                found.faults[how] = str(other)
            elif how == "as written":
                found.plain = verdict(other, seed)
            else:
                found.others[how] = verdict(other, seed)
    found.seconds = time.process_time() - start
    return found


def verdict(claim: Claim, seed: int) -> str:
    try:
        return quick(claim, seed)[0]
    except Exception as error:
        return f"BROKEN ({type(error).__name__}: {error})"


def hard(only: str = "") -> list[Claim]:
    """The hard falsehoods whose id contains `only`, shuffled once and for all."""
    claims = {c.id: c for field in sorted({field for field, _ in bounds()}) for c in load_claims(HERE / f"{field}.py")}
    return [claims[id] for _, id in bounds(only) if claims[id].body.label.difficulty == "hard"]  # type: ignore[attr-defined]


def is_exact(claim: Claim) -> bool:
    """Whether nothing of a statement is sampled: spellings of what is sampled are not compared."""
    raws = draw_instances(claim.parameters, 5, Stream.of(0, claim.id, SHUFFLE).number())
    seen = [o for raw in raws for s in [observe(claim, raw)] if not isinstance(s, Skipped) for o in s]
    return all(o.pending is None for o in seen)


def table(rows: Sequence[Row]) -> str:
    """How often verdicts are the same, by spelling; the statements where they are not, and faults of the tool."""
    same, all_ = sum(len(r.others) - len(r.differing) for r in rows), sum(len(r.others) for r in rows)
    steady = sum(not r.differing for r in rows)
    share = f"{100 * same / max(all_, 1):.1f} %"
    parts = [f"{len(rows)} statements in {all_} other spellings: **{share}** of the verdicts are that of the statement as it is written."]
    parts += [f"All verdicts agree for {steady} of {len(rows)} statements.\n", *_by_spelling(rows)]
    differ = [line(r.id, r.plain, "; ".join(r.differing)) for r in sorted(rows, key=lambda r: r.id) if r.differing]
    if differ:
        parts += ["", line("verdicts that differ", "as written", "in other words"), line(*"---"), *differ]
    faults = [line(r.id, how, " ".join(why.replace("|", "/").split())[:100]) for r in rows for how, why in r.faults.items()]
    if faults:
        parts += ["", line("does not mean the same, and is not counted", "spelling", "why"), line(*"---"), *faults]
    return "\n".join(parts)


def _by_spelling(rows: Sequence[Row]) -> Iterable[str]:
    yield line("spelling", "spelled", "same verdict", "found more", "found less")
    yield line(*"-----")
    for how in REWRITINGS:
        pairs = [(r.plain, r.others[how]) for r in rows if how in r.others]
        more, less = (sum(p != q and (p, q)[k] == "REFUTED" for p, q in pairs) for k in (1, 0))
        yield line(how, str(len(pairs)), str(sum(p == q for p, q in pairs)), str(more), str(less))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="files of other statements, FILE::NAME,NAME; nothing is written of these")
    parser.add_argument("--only", default="", help="statements whose id contains this; writes nothing")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="so many statements, always the same ones")
    parser.add_argument("--seed", type=int, default=0, help="of the search; the table of another seed is not written")
    parser.add_argument("--kept", type=Path, default=None, help="a file of rows: those in it are not judged again, others are added")
    chosen = parser.parse_args()
    claims = [c for c in selected(chosen.targets).chosen if chosen.only in c.id] if chosen.targets else hard(chosen.only)
    rows = list(_shown((c for c in claims if is_exact(c)), chosen.sample, chosen.seed, chosen.kept))
    section = table(rows)
    print(section)
    if not chosen.targets and not chosen.only and chosen.sample == SAMPLE and not chosen.seed:
        README.write_text(replaced(README.read_text(encoding="utf-8"), START, END, section), encoding="utf-8")


def _shown(claims: Iterator[Claim], sample: int, seed: int, kept: Path | None) -> Iterator[Row]:
    """The rows of the first claims, each printed as it comes."""
    before = [Row(**json.loads(text)) for text in kept.read_text().splitlines()] if kept and kept.exists() else []
    known = {r.id: r for r in before}
    for _, claim in zip(range(sample), claims, strict=False):
        found = known.get(claim.id) or row(claim, seed)
        if kept and claim.id not in known:
            kept.open("a").write(json.dumps(asdict(found)) + "\n")
        said = "; ".join([*found.differing, *(f"FAULT {how}: {why}" for how, why in found.faults.items())])
        print(f"{'!' if said else ' '} {found.id} {found.plain}, {len(found.others)} others, {found.seconds:.0f} s {said}", flush=True)
        yield found


if __name__ == "__main__":
    main()
