"""What Python computes beside what is recorded, value by value: within the radii, whole numbers exactly."""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

from boundcheck.checking.certificate import Runs
from boundcheck.checking.sides import MARGIN, ROUNDED
from boundcheck.domains import Raw
from boundcheck.domains.instances import build, draw_instances, leaves, replaced
from boundcheck.laws import NotFinite
from boundcheck.operations.rounding import radii
from boundcheck.tape import NotTraceable, Tape
from boundcheck.tape.exactly import rationals, refined
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED
from boundcheck.words.loading import load_claims
from boundcheck.words.statements import as_statement, parts_of

from .programs import Program, program

MEMBERS = 2
WHOLE = "biuO"
UNDEFINED = (ArithmeticError, ValueError, IndexError, np.linalg.LinAlgError)
"""What Python raises where a value does not exist: nothing is compared there."""


@dataclass
class Compared:
    """What became of programs: the values that were compared, what was refused, and what is wrong."""

    values: int = 0
    programs: int = 0
    undefined: int = 0
    refused: list[tuple[Program, str]] = field(default_factory=list)
    read: Counter[str] = field(default_factory=Counter)
    """How often each recipe stood in a program that was read."""
    wrong: list[tuple[int, str]] = field(default_factory=list)

    def __str__(self) -> str:
        counts = f"{len(self.refused)} refused, {self.undefined} undefined, {len(self.wrong)} wrong"
        return f"{self.values} values of {self.programs} programs; {counts}"


def compared(seeds: Iterable[int], folder: Path) -> Compared:
    """Programs, each at a few random members of its domain."""
    found = Compared()
    for seed in seeds:
        made = program(seed)
        file = folder / f"program{seed}.py"
        made.save(file)
        found.programs += 1
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                (claim,) = load_claims(file)
                for k in range(MEMBERS):
                    found.values += _compare(claim, member(claim, 1000 * seed + k))
        except UNDEFINED:
            found.undefined += 1
        except (NotTraceable, NotFinite) as refusal:
            found.refused.append((made, str(refusal)))
        except Exception as error:
            found.wrong.append((seed, f"{type(error).__name__}: {error}"))
        else:
            found.read.update(set(made.recipes))
    return found


def member(claim: Claim, seed: int) -> Mapping[str, Raw]:
    """A member of the domain whose numbers are in no way special, for at a jump floats may differ."""
    choices = Random(seed)
    (raw,) = draw_instances(claim.parameters, 1, seed)
    for path, leaf, chart in list(leaves(claim.parameters, raw)):
        if isinstance(leaf, float) or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f" and not getattr(chart, 'whole', True)):
            low, high = max(getattr(chart, 'low', -2.0), -2.0), min(getattr(chart, 'high', 2.0), 2.0)
            drawn = [low + (high - low) * choices.randint(1, 9999) / 10000 for _ in range(np.size(leaf))]
            new = np.reshape(np.round(drawn, 6), np.shape(leaf))
            raw = replaced(raw, path, float(new) if isinstance(leaf, float) else new)
    return raw


class Differs(Exception):
    """A value that Python has is not that of the program."""


def _compare(claim: Claim, raw: Mapping[str, Raw]) -> int:
    """How many numbers are the same. Raises Differs."""
    parts: list[Any] = list(parts_of(as_statement(claim.body(**build(claim.parameters, raw)))))
    runs = Runs(claim, AS_PRINTED)
    count = 0
    for k, part in enumerate(parts):
        body = np.asarray(part.lhs)
        tape, conclusion = runs.trace(raw, k)
        node = conclusion["args"][0]
        count += body.size
        _require_same(claim, raw, k, body, tape, node)
    return count


def _require_same(claim: Claim, raw: Any, part: int, body: np.ndarray, tape: Tape, node: int) -> None:
    own = np.asarray(tape.values[node], dtype=float)
    said = f"part {part} of {claim.location} at {raw}: {body.tolist()} by Python, {own.tolist()} by the program"
    if own.shape != body.shape:
        raise Differs(said)
    exact = rationals(tape, node) if body.dtype.kind in WHOLE else None
    if exact is not None:
        if exact != [int(x) for x in body.ravel()]:
            raise Differs(said)
        return
    radius = MARGIN * np.asarray(radii(tape, [node], folded=ROUNDED)[node])
    balls = refined(tape, [node], {})
    again = own if balls is None else np.reshape([_float(x) for x in balls[0].data], own.shape)
    for value in (own, again):
        near = np.abs(value - body.astype(float)) <= radius
        if not np.all(near | (value == body) | (np.isnan(value) & np.isnan(body.astype(float)))):
            raise Differs(f"{said}, {np.asarray(again).tolist()} in balls, radius {radius.tolist()}")


def _float(x: Any) -> float:
    """The middle of a ball, or a rational."""
    return int(x.p) / int(x.q) if hasattr(x, "q") else float(x)


@click.command(help="Compare random programs with Python.")
@click.option("--first", default=0, show_default=True)
@click.option("--count", default=20_000, show_default=True)
def main(first: int, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = compared(range(first, first + count), Path(folder))
    for seed, said in found.wrong:
        click.echo(f"{seed}: {said}")
    click.echo(str(found))
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
