"""The house: its imports have no circles, its kernels are called, and a name means one thing."""

import ast
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.sources import ROOT, trees

if not (ROOT / "boundcheck").is_dir():
    pytest.skip("the sources are not here", allow_module_level=True)

MOST_SHARED_NAMES = 18
"""Names that two modules define; a change may lower it and never raises it."""


def imported() -> dict[str, set[str]]:
    """Modules of the house that each module imports anywhere in its text, in functions too."""
    known, found = {module(path) for path in trees("boundcheck")}, {}
    for path, tree in trees("boundcheck").items():
        package = module(path).split(".")[: None if path.name == "__init__.py" else -1]
        nodes = [(_home(n, package), n.names) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        names = {f"{home}.{a.name}" if f"{home}.{a.name}" in known else home for home, aliases in nodes for a in aliases}
        names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        found[module(path)] = (names & known) - {module(path)}
    return found


def module(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


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


def uncalled_kernels() -> list[str]:
    """Public functions of compiled/ whose names stand in no other file of the house or of theory."""
    words = {path: set(re.findall(r"\w+", path.read_text(encoding="utf-8"))) for name in ("boundcheck", "theory") for path in trees(name)}
    kernels = [(p, name) for p in trees("boundcheck") if "compiled" in p.parts for name in public(p, ast.FunctionDef)]
    return [name for p, name in kernels if not any(name in words[other] for other in words.keys() - {p})]


def public(path: Path, *kinds: type[ast.FunctionDef | ast.ClassDef]) -> set[str]:
    """Names of those kinds that a module defines for others, at its top level."""
    return {n.name for n in trees("boundcheck")[path].body if isinstance(n, kinds) and not n.name.startswith("_")}


def shared_names() -> list[str]:
    """Public functions and classes that two modules define; the verifier, which imports nothing, aside."""
    ours = [path for path in trees("boundcheck") if "verifier" not in path.parts]
    counts = Counter(name for path in ours for name in public(path, ast.FunctionDef, ast.ClassDef))
    return [name for name, count in counts.items() if count > 1]


def test_imports_have_no_circles():
    assert circles(imported()) == []


def test_every_public_kernel_is_called():
    assert uncalled_kernels() == []


def test_names_are_defined_once():
    assert len(shared_names()) <= MOST_SHARED_NAMES
