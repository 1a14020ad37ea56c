"""Write docs/api.md: the public names of boundcheck, with their docstrings. Run it as python docs/make_api.py."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import boundcheck
from boundcheck.domains import Domain

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


if __name__ == "__main__":
    (Path(__file__).parent / "api.md").write_text(api(), encoding="utf-8")
