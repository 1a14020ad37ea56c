"""Write docs/gallery, a page and a notebook of each file of claims, and the index: python docs/make_gallery.py [NAME...]."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from boundcheck import Claim, Verdict, check, verify
from boundcheck.checking.plan import PLANS
from boundcheck.checking.sharpen import bisected
from boundcheck.words.loading import load_claims

GALLERY = Path(__file__).with_name("gallery")
LIGHT = replace(PLANS["quick"], instances=20, work=500)
"""What a value of a constant is asked with; `claim.sharpen()` spends sixteen times the work."""

SHRUNK = "The counterexample is shrunk, and confirmed by a program that shares nothing with the one that found it."

INDEX = """\
# Twelve theorems, and how they are misremembered

Each page has a theorem, what is found of it, a false twin that is easily taken for it, with a small counterexample, and how
sharp a constant of it is. A constant that is not refuted is not shown either: what lies between it and the printed one is open.
Nothing that boundcheck finds is written by hand: `python docs/make_gallery.py` runs the claims, a file a page, and writes page,
notebook and this index; the tests run them again.

| theorem | as it is misremembered |
| --- | --- |
{rows}

A page opens in a notebook as `jupyter lab docs/gallery/hoeffding.ipynb` does, after `pip install boundcheck jupyterlab`. A
theorem of your own takes [ten lines](../tutorial.md).
"""


class Unexpected(Exception):
    """A theorem of the gallery that does not hold, or a twin that is not refuted."""


@dataclass(frozen=True)
class Exhibit:
    """A file of the gallery: a docstring of title, sentence and slip; a claim of the file's name; its false twin."""

    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def said(self) -> list[str]:
        """Title, sentence and slip."""
        return [" ".join(p.split()) for p in (ast.get_docstring(ast.parse(self.text)) or "").split("\n\n")]

    @cached_property
    def code(self) -> tuple[str, str]:
        """The text up to the twin, and the twin."""
        *_, twin = ast.parse(self.text).body
        docstring = ast.parse(self.text).body[0]
        lines = self.text.splitlines()
        cut = min(d.lineno for d in twin.decorator_list) - 1  # type: ignore[attr-defined]
        return tuple("\n".join(part).strip() for part in (lines[docstring.end_lineno : cut], lines[cut:]))  # type: ignore[return-value]

    @cached_property
    def claims(self) -> dict[str, Claim]:
        return {claim.body.__name__: claim for claim in load_claims(self.path)}

    @cached_property
    def theorem(self) -> Claim:
        return self.claims[self.path.stem]

    def page(self) -> str:
        """The page, with what is found. Raises Unexpected."""
        title, sentence, slip = self.said
        (first, second), stem = self.code, self.path.stem
        holds, twin = check(self.theorem, prove=True), check(self.claims["twin"])
        if holds.outcome.name not in ("HOLDS", "PROVED") or not twin.refuted:
            raise Unexpected(f"{holds!r}; {twin!r}")
        sharp = bisected(self.theorem, LIGHT, 1e-6)
        return "\n\n".join([
            f"# {title}", f"{sentence} [Open in a notebook]({stem}.ipynb), or see [all theorems](index.md).",
            "## The theorem", _block("python", first), _block("text", f"{holds!r}\n{_worth(holds)}"),
            "## Its false twin", f"{slip} {SHRUNK}", _block("python", second),
            _block("text", f"{twin!r}\n{verify(twin.certificate)!r}"),
            "## How sharp it is", _block("text", repr(sharp)),
            *_proof(holds),
        ]) + "\n"  # fmt: skip

    def notebook(self) -> str:
        """The notebook, not yet run."""
        title, sentence, slip = self.said
        name = self.path.stem
        cells = [
            (f"# {title}\n\n{sentence}", ""), ("", self.code[0]), ("", f"{name}.check(prove=True)"),
            (f"Its false twin. {slip}", ""), ("", self.code[1]), ("", "twin.check()"),
            ("How sharp is the constant? This takes a minute.", ""), ("", f"{name}.sharpen()"),
        ]  # fmt: skip
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        numbered = [_cell(k, *cell) for k, cell in enumerate(cells)]
        made = {"cells": numbered, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        return json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n"

    @property
    def row(self) -> str:
        return f"| [{self.said[0]}]({self.path.stem}.md) | {self.said[2]} |"


def exhibits() -> list[Exhibit]:
    """The files of the gallery, by name."""
    return [Exhibit(path) for path in sorted(GALLERY.glob("*.py"))]


def index() -> str:
    """The text of docs/gallery/index.md."""
    return INDEX.format(rows="\n".join(exhibit.row for exhibit in exhibits()))


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _worth(verdict: Verdict) -> str:
    killed, all_of = sum(verdict.power.values()), len(verdict.power)
    near = f"left over right side up to {verdict.tightness:.6g}"
    return f"{near}; {killed} of {all_of} perturbed claims are refuted by the same evidence"


def _proof(verdict: Verdict) -> Iterator[str]:
    if verdict.certificate:
        yield from ("## A proof", _block("text", repr(verify(verdict.certificate))))


def _cell(place: int, prose: str, code: str) -> dict[str, object]:
    shared = {"id": f"cell-{place}", "metadata": {}, "source": (prose or code).splitlines(keepends=True)}
    if prose:
        return {"cell_type": "markdown", **shared}
    return {"cell_type": "code", "execution_count": None, "outputs": [], **shared}


if __name__ == "__main__":
    for exhibit in exhibits():
        if not sys.argv[1:] or exhibit.path.stem in sys.argv[1:]:
            exhibit.path.with_suffix(".md").write_text(exhibit.page(), encoding="utf-8")
        exhibit.path.with_suffix(".ipynb").write_text(exhibit.notebook(), encoding="utf-8")
    (GALLERY / "index.md").write_text(index(), encoding="utf-8")
