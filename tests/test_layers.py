"""The layers: a module imports only what stands before it, numba stays in one place, theory sees boundcheck and numpy."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ORDER: list[str] = [
    "exits", "verifier", "tape", "operations", "domains", "laws", "words", "settings",
    "checking", "proofs", "report", "running", "features", "plugin", "commands",
]  # fmt: skip
if not (ROOT / "boundcheck").is_dir():
    pytest.skip("the sources are not here", allow_module_level=True)
LIBRARIES = "numpy hypothesis click rich pandas matplotlib threadpoolctl".split()
MODULES = sorted((ROOT / "boundcheck").rglob("*.py"))
THEORY = sorted((ROOT / "theory").rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Dotted names imported anywhere in a file, relative ones made absolute."""
    package = [*path.relative_to(ROOT).with_suffix("").parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level] if node.level else []
            name = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)


def layer(name: str) -> str:
    return name.split(".")[1] if name.count(".") else ""


def test_every_module_has_a_layer():
    kept = [p for p in (ROOT / "boundcheck").iterdir() if not p.name.startswith(".")]
    top = {p.stem if p.suffix == ".py" else p.name for p in kept if p.suffix == ".py" or p.is_dir()}
    assert top - {"__init__", "__pycache__"} <= set(ORDER)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_only_what_stands_above(path: Path):
    here = path.relative_to(ROOT / "boundcheck").parts[0].removesuffix(".py")
    if here == "__init__":
        return
    ours = {layer(name) for name in imports(path) if name.startswith("boundcheck.")} - {"", here}
    assert {name for name in ours if name in ORDER} <= set(ORDER[: ORDER.index(here)])


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_numba_only_in_compiled(path: Path):
    if path.relative_to(ROOT / "boundcheck").parts[:2] != ("features", "compiled"):
        assert not any(name.split(".")[0] == "numba" for name in imports(path))


def test_the_verifier_imports_nothing_of_ours():
    for path in (ROOT / "boundcheck/verifier").rglob("*.py"):
        for name in imports(path):
            assert name.split(".")[0] not in ("numpy", "numba", "scipy")
            assert not name.startswith("boundcheck.") or name.startswith("boundcheck.verifier")


@pytest.mark.parametrize("path", THEORY, ids=lambda p: str(p.relative_to(ROOT)))
def test_theory_sees_only_boundcheck(path: Path):
    assert {name.split(".")[0] for name in imports(path)} <= {"boundcheck", "theory", *LIBRARIES, *sys.stdlib_module_names}


@pytest.mark.parametrize("path", THEORY, ids=lambda p: str(p.relative_to(ROOT)))
def test_theory_does_not_name_itself(path: Path):
    """In a wheel it has another name than in a checkout (docs/in_wheel.py)."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    named = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    assert not [name for name in named if str(name).split(".")[0] == "theory"]


@pytest.mark.parametrize("path", MODULES + THEORY, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_begin_with_a_sentence(path: Path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
