"""The layers: a module imports only what stands before it, numba stays in one place, theory sees boundcheck and numpy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import ROOT, trees

ORDER: list[str] = [
    "exits", "verifier", "tape", "operations", "domains", "laws", "words", "settings",
    "checking", "proofs", "report", "running", "features", "plugin", "commands",
]  # fmt: skip
if not (ROOT / "boundcheck").is_dir():
    pytest.skip("the sources are not here", allow_module_level=True)
LIBRARIES = "numpy hypothesis click rich pandas matplotlib threadpoolctl".split()


def imports(path: Path, tree: ast.Module) -> set[str]:
    """Dotted names imported anywhere in a file, relative ones made absolute."""
    package, found = path.relative_to(ROOT).with_suffix("").parts, set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level] if node.level else ()
            name = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            found |= {name, *(f"{name}.{alias.name}" for alias in node.names)}
    return found


def imported(folder: str) -> list[tuple[Path, str]]:
    """The files of a folder, each with a name that it imports."""
    return [(path.relative_to(ROOT), name) for path, tree in trees(folder).items() for name in imports(path, tree)]


def layer(name: str) -> str:
    return name.split(".")[1] if name.count(".") else ""


def above(here: str) -> list[str]:
    """The layers that a layer may take from, itself among them."""
    return ORDER[: ORDER.index(here) + 1]


def test_every_module_has_a_layer():
    kept = [p for p in (ROOT / "boundcheck").iterdir() if not p.name.startswith(".")]
    top = {p.stem if p.suffix == ".py" else p.name for p in kept if p.suffix == ".py" or p.is_dir()}
    assert top - {"__init__", "__pycache__"} <= set(ORDER)


def test_imports_only_what_stands_above():
    ours = [(path, path.parts[1].removesuffix(".py"), name) for path, name in imported("boundcheck") if name.startswith("boundcheck.")]
    assert [(path, name) for path, here, name in ours if here in ORDER and layer(name) in ORDER and layer(name) not in above(here)] == []


def test_numba_only_in_compiled():
    users = {path.parts[:3] for path, name in imported("boundcheck") if name.split(".")[0] == "numba"}
    assert users == {("boundcheck", "features", "compiled")}


def test_the_verifier_imports_nothing_of_ours():
    found = {name for path, name in imported("boundcheck") if path.parts[1] == "verifier"}
    assert {name.split(".")[0] for name in found} & {"numpy", "numba", "scipy"} == set()
    assert {name for name in found if name.startswith("boundcheck.") and not name.startswith("boundcheck.verifier")} == set()


def test_theory_sees_only_boundcheck():
    known = {"boundcheck", "theory", *LIBRARIES, *sys.stdlib_module_names}
    assert [(path, name) for path, name in imported("theory") if name.split(".")[0] not in known] == []


def test_theory_does_not_name_itself():
    """In a wheel it has another name than in a checkout (docs/in_wheel.py)."""
    nodes = [(path, node) for path, tree in trees("theory").items() for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [path for path, node in nodes if not node.level and str(node.module).split(".")[0] == "theory"] == []


@pytest.mark.parametrize("folder", ["boundcheck", "theory"])
def test_modules_begin_with_a_sentence(folder: str):
    assert [path for path, tree in trees(folder).items() if not ast.get_docstring(tree)] == []


def test_a_claim_about_a_pool_of_features_loads_no_compiler():
    code = "import sys, boundcheck.features.deviation; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
