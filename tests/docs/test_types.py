"""Type checkers accept what the pages state: strictly where domains stand in `Annotated`, and as they are but for one rule."""

import ast
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from .pages import ROOT, WRITTEN, blocks

pytest.importorskip("pyright")
OF_NUMBERS = {"between": "float", "integers": "int"}
RULES = {
    "strict": {"typeCheckingMode": "strict", "reportMissingTypeStubs": False},  # SciPy has no types
    "as they are": {"typeCheckingMode": "standard", "reportInvalidTypeForm": False},
}


def stated() -> dict[str, str]:
    """Each file of a page, and of the gallery, that imports nothing but what is here."""
    saved = [(page.stem, k, b.file, b.text) for page in WRITTEN for k, b in enumerate(blocks(page)) if b.file]
    of_pages = {f"{page}/{file if '/' in file else f'{k}/{file}'}": text for page, k, file, text in saved}
    of_gallery = {f"gallery/{path.name}": path.read_text(encoding="utf-8") for path in (ROOT / "docs/gallery").glob("*.py")}
    texts = {file: text for file, text in (of_pages | of_gallery).items() if file.endswith(".py")}
    return {file: text for file, text in texts.items() if all(find_spec(name) or name == "theory" for name in modules(text))}


def modules(text: str) -> set[str]:
    """The packages that a text imports from."""
    nodes = list(ast.walk(ast.parse(text)))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return {name.partition(".")[0] for name in [*names, *(node.module or "" for node in nodes if isinstance(node, ast.ImportFrom))]}


def annotated(text: str) -> str:
    """The same with `A: Annotated[Array, Symmetric("n")]` for `A: Symmetric("n")`."""
    calls = [
        node.annotation
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.arg, ast.AnnAssign)) and isinstance(node.annotation, ast.Call)
    ]
    kinds = {OF_NUMBERS.get(ast.unparse(call.func), "boundcheck.Array") for call in calls}
    lines = text.splitlines(keepends=True)
    for call in sorted(calls, key=lambda c: (c.lineno, c.col_offset), reverse=True):
        line, kind = lines[call.lineno - 1], OF_NUMBERS.get(ast.unparse(call.func), "boundcheck.Array")
        domain = line[call.col_offset : call.end_col_offset]
        lines[call.lineno - 1] = f"{line[: call.col_offset]}Annotated[{kind}, {domain}]{line[call.end_col_offset :]}"
    first = next((node.lineno - 1 for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))), 0)
    imports = ["from typing import Annotated\n"] * bool(calls) + ["import boundcheck\n"] * ("boundcheck.Array" in kinds)
    return "".join([*lines[:first], *imports, *lines[first:]])


@pytest.mark.parametrize("rules", RULES)
def test_a_type_checker_accepts_what_is_stated(tmp_path: Path, rules: str):
    texts = stated()
    assert {file.partition("/")[0] for file in texts} >= {"README", "tutorial", "words", "audit", "gallery"}
    for file, text in texts.items():
        (path := tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        path.write_text(annotated(text) if rules == "strict" else text)
    roots = sorted({str(path.parent) for path in tmp_path.rglob("theory") if path.is_dir()})
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({**RULES[rules], "include": ["."], "extraPaths": [*roots, str(ROOT)]}))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", "-p", str(tmp_path)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=False, timeout=300).stdout)
    assert found["summary"]["filesAnalyzed"] >= len(texts)
    assert [f"{d['file']}:{d['range']['start']['line'] + 1}: {d['message']}" for d in found["generalDiagnostics"]] == []
