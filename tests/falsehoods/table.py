"""How many true bounds are called false, and how many false ones are found: `python -m tests.falsehoods.table`."""

from __future__ import annotations

import argparse

from .page import END, NO_PAGE, PEER_END, PEER_START, START, compared, measured, replaced
from .verdicts import HERE, Row, bounds, rows

README = HERE / "README.md"


def main() -> None:
    chosen = _arguments()
    which = bounds(chosen.only, chosen.sample)
    ours = _shown(which, chosen.workers, "boundcheck", chosen.seed)
    section = measured(ours, len(which))
    if chosen.peer:
        section = compared(ours, by_id(ours, _shown(which, chosen.workers, "hypothesis")))
    print(section)
    if chosen.peer and not chosen.only:
        write(PEER_START, PEER_END, section)
    elif not chosen.only and not chosen.sample and not chosen.seed:
        write(START, END, section)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=f"{__doc__} Only whole tables and peer comparisons are written to README.md.")
    parser.add_argument("--only", default="", help="bounds whose id contains this")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sample", type=int, default=0, help="so many bounds, always the same ones")
    parser.add_argument("--seed", type=int, default=0, help="of the search; the table of another seed is not written")
    parser.add_argument("--peer", action="store_true", help="compare with plain Hypothesis on the same bounds")
    return parser.parse_args()


def _shown(which: list[tuple[str, str]], workers: int, by: str, seed: int = 0) -> list[Row]:
    """The rows, each printed as it comes."""
    done = []
    for row in rows(which, workers, by, seed):
        done.append(row)
        print(f"{'!' if row.wrong else ' '} {row.id} ({row.difficulty}) {row.outcome} {row.seconds:.1f} s", flush=True)
    return done


def by_id(ours: list[Row], theirs: list[Row]) -> list[Row]:
    """Their rows in the order of ours."""
    found = {r.id: r for r in theirs}
    return [found[r.id] for r in ours]


def write(start: str, end: str, section: str) -> None:
    """Replace one measured section of README.md."""
    before = README.read_text(encoding="utf-8") if README.exists() else NO_PAGE
    README.write_text(replaced(before, start, end, section), encoding="utf-8")


if __name__ == "__main__":
    main()
