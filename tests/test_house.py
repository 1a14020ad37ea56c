"""The measures of the house, as upper bounds that a change may lower and never raise."""

import ast
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ROOT / "boundcheck"
if not HOUSE.is_dir():
    pytest.skip("the sources are not here", allow_module_level=True)
TEXTS = {path: path.read_text(encoding="utf-8") for path in sorted(HOUSE.rglob("*.py"))}
TREES = {path: ast.parse(text) for path, text in TEXTS.items()}
LINES = [line for text in TEXTS.values() for line in text.splitlines()]
NAMES = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in TEXTS}

BOUNDS = {
    "entries of the house": 19,
    "files": 173,
    "lines": 40_705,
    "lines over 110 characters, in thousandths": 15,
    "files under 30 lines": 10,
    "modules with one importer": 32,
    "annotations that are Any, in hundredths": 8,
    "rooms": 19,
    "arrows between rooms": 70,
    "circles of imports": 0,
    "public functions of compiled/ that nothing calls": 0,
    "names defined in two modules": 18,
}


def imported() -> dict[str, set[str]]:
    """Modules of the house that each module imports anywhere in its text, in functions too."""
    known, found = set(NAMES.values()), {}
    for path, tree in TREES.items():
        package = NAMES[path].split(".")[: None if path.name == "__init__.py" else -1]
        nodes = [(_home(n, package), n.names) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        names = {f"{home}.{a.name}" if f"{home}.{a.name}" in known else home for home, aliases in nodes for a in aliases}
        names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        found[NAMES[path]] = (names & known) - {NAMES[path]}
    return found


def _home(node: ast.ImportFrom, package: list[str]) -> str:
    """The module that names are imported from."""
    above = package[: len(package) - node.level + 1] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """One walk for each set of modules that lead back to themselves."""
    from graphlib import CycleError, TopologicalSorter

    found, graph = [], {name: set(targets) for name, targets in graph.items()}
    while True:
        try:
            TopologicalSorter(graph).prepare()
            return found
        except CycleError as error:
            walk = error.args[1]
            found.append(walk)
            for a, b in pairwise(walk):
                graph[b].discard(a)
                graph[a].discard(b)


def room(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def uncalled_kernels() -> list[str]:
    """Public functions of compiled/ whose names stand in no other file of the house or of theory."""
    texts = TEXTS | {path: path.read_text(encoding="utf-8") for path in (ROOT / "theory").rglob("*.py")}
    words = {path: set(re.findall(r"\w+", text)) for path, text in texts.items()}
    kernels = [(p, name) for p in TREES if "compiled" in p.parts for name in public(p, ast.FunctionDef)]
    return [name for p, name in kernels if not any(name in words[other] for other in words.keys() - {p})]


def public(path: Path, *kinds: type[ast.FunctionDef | ast.ClassDef]) -> set[str]:
    """Names of those kinds that a module defines for others, at its top level."""
    return {n.name for n in TREES[path].body if isinstance(n, kinds) and not n.name.startswith("_")}


def shared_names() -> list[str]:
    """Public functions and classes that two modules define; the verifier, which imports nothing, aside."""
    ours = [path for path in TREES if "certificates" not in path.parts]
    counts = Counter(name for path in ours for name in public(path, ast.FunctionDef, ast.ClassDef))
    return [name for name, count in counts.items() if count > 1]


def share_of_any() -> float:
    nodes = [node for tree in TREES.values() for node in ast.walk(tree)]
    arguments = [a.annotation for n in nodes if isinstance(n, ast.arguments) for a in (*n.args, *n.kwonlyargs)]
    results = [n.returns for n in nodes if isinstance(n, ast.FunctionDef)]
    written = [ast.unparse(a) for a in (*arguments, *results) if a is not None]
    return sum(a == "Any" for a in written) / len(written)


def measures() -> dict[str, int]:
    entries = [e for e in HOUSE.iterdir() if not e.name.startswith("__") and e.name != "py.typed"]
    arrows = {(room(a), room(b)) for a, targets in imported().items() for b in targets} - {(r, r) for r in map(room, NAMES.values())}
    return {
        "entries of the house": len(entries),
        "files": len(TEXTS),
        "lines": len(LINES),
        "lines over 110 characters, in thousandths": 1000 * sum(len(line) > 110 for line in LINES) // len(LINES),
        "files under 30 lines": sum(text.count("\n") < 30 for text in TEXTS.values()),
        "modules with one importer": sum(count == 1 for count in Counter(b for t in imported().values() for b in t).values()),
        "annotations that are Any, in hundredths": round(100 * share_of_any()),
        "rooms": len({room(name) for name in NAMES.values()} - {""}),
        "arrows between rooms": len({(a, b) for a, b in arrows if a and b}),
        "circles of imports": len(circles(imported())),
        "public functions of compiled/ that nothing calls": len(uncalled_kernels()),
        "names defined in two modules": len(shared_names()),
    }


MEASURES = measures()


@pytest.mark.parametrize("measure", BOUNDS)
def test_a_measure_stays_within_its_bound(measure):
    assert MEASURES[measure] <= BOUNDS[measure]
