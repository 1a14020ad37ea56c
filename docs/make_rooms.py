"""Draw docs/rooms.svg, the rooms of boundcheck and what each takes from others: python docs/make_rooms.py."""

from __future__ import annotations

import ast
from collections import defaultdict
from html import escape
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent / "boundcheck"
PICTURE = Path(__file__).with_name("rooms.svg")
WIDTH, FLOOR, BOX, HIGH = 1040, 92, 142, 46
SAID = {
    "exits": "exit codes, refusals", "verifier": "recomputes, imports nothing",
    "tape": "a body as a program", "operations": "the instruction set", "domains": "ranges and instances", "laws": "random quantities",
    "words": "statements and claims", "settings": "families of instances",
    "checking": "look, search, refute", "proofs": "for all of a set",
    "report": "verdicts as pages", "running": "many claims, kept", "features": "random features, your data",
    "plugin": "claims as tests", "commands": "the command line",
}  # fmt: skip


def taken() -> dict[str, set[str]]:
    """The rooms that each room imports from."""
    rooms = {p.stem for p in HOUSE.iterdir() if (p.is_dir() or p.suffix == ".py") and not p.name.startswith(("_", "."))}
    found: dict[str, set[str]] = {room: set() for room in sorted(rooms)}
    for path in HOUSE.rglob("*.py"):
        room = path.relative_to(HOUSE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if room in rooms and isinstance(node, ast.ImportFrom) and (node.module or "").startswith("boundcheck"):
                parts = (node.module or "").split(".")[1:2] or [alias.name for alias in node.names]
                found[room] |= set(parts) & rooms - {room}
    return found


def floors(taken: dict[str, set[str]]) -> dict[str, int]:
    """A room stands one floor above the highest of those that it takes from."""
    height: dict[str, int] = {}

    def of(room: str) -> int:
        if room not in height:
            height[room] = 1 + max(map(of, taken[room]), default=-1)
        return height[room]

    for room in taken:
        of(room)
    return height


def drawing() -> str:
    """The picture: rooms as boxes, floor by floor, and a line from each room down to what it takes from."""
    arrows = taken()
    height = floors(arrows)
    top = max(height.values())
    rows = defaultdict(list)
    for room in sorted(arrows):
        rows[height[room]].append(room)
    at = {
        room: (WIDTH * (k + 1) / (len(row) + 1), 40 + FLOOR * (top - floor))
        for floor, row in rows.items() for k, room in enumerate(row)
    }  # fmt: skip
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {FLOOR * (top + 1) + 20}" font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for room, others in arrows.items():
        for other in sorted(others):
            (x, y), (u, v) = at[room], at[other]
            path = f"M{x:.0f},{y + HIGH / 2:.0f} C{x:.0f},{y + FLOOR:.0f} {u:.0f},{v - FLOOR:.0f} {u:.0f},{v - HIGH / 2:.0f}"
            lines.append(f'<path d="{path}" fill="none" stroke="#9ab" stroke-width="1"/>')
    for room, (x, y) in at.items():
        lines += [
            f'<rect x="{x - BOX / 2:.0f}" y="{y - HIGH / 2:.0f}" width="{BOX}" height="{HIGH}" rx="6" fill="#f4f7fb" stroke="#456"/>',
            f'<text x="{x:.0f}" y="{y - 3:.0f}" text-anchor="middle" font-size="15" font-weight="bold">{escape(room)}</text>',
            f'<text x="{x:.0f}" y="{y + 14:.0f}" text-anchor="middle" font-size="11" fill="#456">{escape(SAID.get(room, ""))}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
