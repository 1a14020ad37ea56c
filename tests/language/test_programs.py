"""Random programs in the language: what Python computes is what is recorded; and each line of the tables is asked."""

import ast
import re
from pathlib import Path
from textwrap import dedent

import pytest

from boundcheck.tape.table import FUNCTIONS, METHODS, OF_METHODS, Signature, of_lines

from .compare import compared
from .programs import ALIASED, SPOKEN, STATED

FEW, BLOCK = 240, 40
def _calls(text: str) -> list[tuple[str, set[str], int]]:
    """The functions and methods that a recipe calls, with the names of arguments and how many have none."""
    plain = re.sub(r"(\{\{|\}\})|\{(\w+)\}", lambda found: found[1][0] if found[1] else found[2], text.replace("$", "_"))
    found = []
    for node in ast.walk(ast.parse(dedent(f"    {plain}"))):
        if isinstance(node, ast.Call):
            found.append((ast.unparse(node.func), {word.arg or "**" for word in node.keywords}, len(node.args)))
    return found


CALLS = [call for _, text in [*SPOKEN, *STATED, *ALIASED] for call in _calls(text)]


def _unasked(name: str, signature: Signature) -> set[str]:
    """The arguments of a function, or a method, that stand in no recipe."""
    own = [call for call in CALLS if call[0] == name or (name.startswith(".") and call[0].endswith(name))]
    asked = {word for _, words, _ in own for word in words}
    places = max((count for *_, count in own), default=0)
    return ({"it"} if not own else set()) | (signature.names - asked - set(signature.by_place[:places]))


@pytest.mark.parametrize("name", list(of_lines(FUNCTIONS)))
def test_each_argument_of_a_function_stands_in_a_recipe(name: str):
    assert not _unasked(name, of_lines(FUNCTIONS)[name])


@pytest.mark.parametrize("name", list(of_lines(METHODS)))
def test_each_argument_of_a_method_stands_in_a_recipe(name: str):
    assert not _unasked(f".{name}", OF_METHODS[name])


@pytest.mark.parametrize("first", range(0, FEW, BLOCK))
def test_programs_compute_what_python_computes(first: int, tmp_path: Path):
    found = compared(range(first, first + BLOCK), tmp_path)
    assert not found.wrong
    assert found.values > 10 * BLOCK
