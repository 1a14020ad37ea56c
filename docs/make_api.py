"""Write docs/api.md and the tables of docs/words.md, docs/operations.md and docs/language.md. Run it as python docs/make_api.py."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import GenericAlias
from typing import Any

import boundcheck
from boundcheck.domains import Domain
from boundcheck.operations import OPERATIONS, Operation
from boundcheck.tape import table as language
from boundcheck.tape.program import SPELLED

HEAD = """\
# API

What `from boundcheck import ...` offers, by module. Made from the docstrings by `python docs/make_api.py`.
[Words of a theorem](words.md) has the same names by what they say.
"""


def api() -> str:
    """The text of docs/api.md."""
    homes: dict[str, list[str]] = {}
    for name in boundcheck.__all__:
        homes.setdefault(boundcheck._HOME[name], []).append(name)
    return "\n".join([HEAD, *(line for module in sorted(homes) for line in _section(module, homes[module]))])


def _section(module: str, names: list[str]) -> Iterator[str]:
    yield f"## {module}\n\n{(import_module(module).__doc__ or '').splitlines()[0]}\n"
    for name in names:
        yield from _entry(name, getattr(boundcheck, name))
    yield ""


def _entry(name: str, value: Any) -> Iterator[str]:
    """A bullet with the docstring, and one for each public member of a class."""
    if isinstance(value, Domain):
        dims = ", ".join(f'"{dim}"' for dim in value.dims)
        yield f"- `{name}{f'({dims})' if dims else ''}`: {value.label}"
        return
    if isinstance(value, GenericAlias):
        yield f"- `{name}`: an array of NumPy, for type checkers: `Annotated[{name}, Vector('n')]`"
        return
    if not callable(value):
        yield f"- `{name}` = {value}"
        return
    yield f"- `{name}{_signature(value)}`{_text(inspect.getdoc(value))}"
    for member, of in vars(value).items() if inspect.isclass(value) else ():
        doc = _member_doc(of)
        if doc and not member.startswith("_"):
            yield f"  - `{member}{_signature(of, bound=True) if inspect.isfunction(of) else ''}`{_text(doc, 4)}"


def _member_doc(of: Any) -> str | None:
    """The docstring of a method or a property."""
    function = of if inspect.isfunction(of) else getattr(of, "fget", None) or getattr(of, "func", None)
    return inspect.getdoc(function) if function else None


def _signature(value: Any, bound: bool = False) -> str:
    """The parameters with their defaults, without annotations."""
    signature = inspect.signature(value)
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()][bound:]
    return str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


def _text(doc: str | None, indent: int = 2) -> str:
    return ": " + textwrap.indent(doc, " " * indent).strip() if doc else ""


FUNCTIONS = ("boundcheck.words.functions", "boundcheck.features.leverage")
"""Modules whose names are functions of numbers."""


def words() -> Iterator[str]:
    """Rows of the functions of numbers and of matrices, by the first line of their docstrings."""
    for module in FUNCTIONS:
        for name in boundcheck._EXPORTS[module].split():
            value = getattr(boundcheck, name)
            text = (inspect.getdoc(value) or "").splitlines()[0] if callable(value) else "3.14159..., exactly"
            yield f"| `{name}{_signature(value) if callable(value) else ''}` | {text.replace('|', chr(92) + '|')} |"


def operations() -> Iterator[str]:
    """Rows of the operations that a program is made of."""
    for name, entry in sorted(OPERATIONS.items()):
        own = [f"`{_path(f)}`" for f, spelling in SPELLED.items() if spelling is entry and not isinstance(f, Operation)]
        yield f"| `{name}` | {entry.says or ', '.join(own)} |"


def table(lines: str) -> Callable[[], Iterator[str]]:
    """A table of the language, as its module has it: a line for each function."""
    return lambda: iter(["```text", *lines.strip().splitlines(), "```"])


def _path(function: Any) -> str:
    """A function as a body writes it."""
    for home, short in (("numpy", "np"), ("numpy.linalg", "np.linalg"), ("scipy.special", "special"), ("scipy.linalg", "linalg")):
        if getattr(import_module(home), function.__name__, None) is function:
            return f"{short}.{function.__name__}"
    raise LookupError(function)


def filled(text: str) -> str:
    """A page with its generated tables, each between two comments, made anew."""
    tables = {name: table(getattr(language, name.upper())) for name in ("functions", "methods", "draws")}
    for name, rows in {"words": words, "operations": operations, **tables}.items():
        made = "\n".join(rows())
        place = rf"(<!-- table: {name} -->\n(?:\|[^\n]*\n\| ---[^\n]*\n)?).*?(<!-- end -->)"
        text = re.sub(place, lambda m, made=made: f"{m[1]}{made}\n\n{m[2]}", text, flags=re.S)
    return text


if __name__ == "__main__":
    docs = Path(__file__).parent
    (docs / "api.md").write_text(api(), encoding="utf-8")
    for page in ("words.md", "operations.md", "language.md"):
        (docs / page).write_text(filled((docs / page).read_text(encoding="utf-8")), encoding="utf-8")
