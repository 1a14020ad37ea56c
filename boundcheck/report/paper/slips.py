"""slips.toml: what is wrong in a paper slip by slip, by harm, and what becomes of each of its theorems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from boundcheck.report.paper.folders import TEXT, repeated, toml_arrays
from boundcheck.report.reading import CannotRead

STANDS = ("stands", "stands with", "open", "fails")
"""As printed; with what the line says; the proof has a gap and only remarks refute it; refuted, with no proved repair of all of it."""

MOST_HEADLINES = 8


@dataclass(frozen=True)
class Headline:
    """What of a slip belongs on the first page of all papers: its place there, and up to three sentences."""

    rank: int
    text: str


@dataclass(frozen=True)
class Slip:
    """One slip and the claims where it shows, the one with the strongest counterexample first.

    Texts have formulas between `$`. What is empty is told by the entry of the first place.
    """

    id: str
    title: str
    places: tuple[str, ...]
    meant: str = ""
    harm: str = ""
    repair: str = ""
    headline: Headline | None = None


@dataclass(frozen=True)
class Theorem:
    """What becomes of a theorem or corollary: the claims that state it, and the ids of the slips that touch it.

    `when` is where it is so, in a few words: "fails for large $L$", "stands with a change for large $L$".
    """

    name: str
    stands: str
    says: str
    when: str = ""
    claims: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slips:
    """The theorems of a paper in its order, and its slips, the most harmful first."""

    theorems: tuple[Theorem, ...] = ()
    slips: tuple[Slip, ...] = ()


HEADLINE = {
    "type": "object",
    "required": ["rank", "text"],
    "properties": {
        "rank": {"type": "integer", "minimum": 1, "maximum": MOST_HEADLINES},
        "text": TEXT,
    },
}
LIST = {"type": "array", "items": TEXT}
SHAPES: dict[str, tuple[type, dict[str, Any]]] = {
    "theorem": (
        Theorem,
        {
            "stands": {"type": "string", "enum": list(STANDS)},
            "claims": LIST,
            "slips": LIST,
        },
    ),
    "slip": (Slip, {"places": LIST, "headline": HEADLINE}),
}
REQUIRED = {
    "theorem": ("name", "stands", "says"),
    "slip": ("id", "title", "places"),
}


def read_slips(folder: Path) -> Slips:
    """The slips of a paper; none without a file. Raises CannotRead."""
    path = folder / "slips.toml"
    shapes = {name: _shape(name) for name in SHAPES}
    content = toml_arrays(path, shapes)
    theorems = tuple(_made(Theorem, entry) for entry in content["theorem"])
    slips = tuple(_made(Slip, entry) for entry in content["slip"])
    known = [s.id for s in slips]
    for what, names in (
        ("the slip", known),
        ("the place", [place for s in slips for place in s.places]),
    ):
        if twice := repeated(names):
            raise CannotRead(f"{path} has {what} {twice} twice; keep one.")
    if strange := {id for t in theorems for id in t.slips} - set(known):
        raise CannotRead(
            f"{path} names the slip {min(strange)}, which it has not."
        )
    return Slips(theorems, slips)


def _shape(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a table must and may hold."""
    kind, special = SHAPES[name]
    all_of = {f.name: special.get(f.name, TEXT) for f in fields(kind)}
    required = {key: all_of[key] for key in REQUIRED[name]}
    return required, {
        key: all_of[key] for key in all_of.keys() - required.keys()
    }


def _made(kind: Any, entry: dict[str, Any]) -> Any:
    lists = {key: tuple(v) for key, v in entry.items() if isinstance(v, list)}
    headline = (
        {"headline": Headline(**h)} if (h := entry.get("headline")) else {}
    )
    return kind(**{**entry, **lists, **headline})


def in_order(all_slips: Iterable[Slip]) -> Iterator[Slip]:
    """The slips with a headline by rank. Raises CannotRead where two have the same."""
    ranked = sorted((s for s in all_slips if s.headline), key=_rank)
    if twice := repeated(map(_rank, ranked)):
        raise CannotRead(f"Two headlines have the rank {twice}; renumber them.")
    yield from ranked


def _rank(s: Slip) -> int:
    return s.headline.rank if s.headline else MOST_HEADLINES + 1
