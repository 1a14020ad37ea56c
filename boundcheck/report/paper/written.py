"""Texts of a person as Markdown: paragraphs and tables stay what they are, and HTML finds nothing to obey."""

from __future__ import annotations

import re
from typing import Any

from boundcheck.report.markdown import MARK, code, escaped
from boundcheck.report.power import power
from boundcheck.report.printable import printable

Row = dict[str, Any]

UP = "../"
"""From a page (docs/errata.md, reports/PAPER.md) to the folder of theory/ and reports/."""


def written(text: str) -> str:
    """Prose, with `<` spelled out where it is not between backticks."""
    parts = re.split(r"(`[^`\n]*`)", printable(text.strip()))
    return "".join(part if k % 2 else part.replace("<", "&lt;") for k, part in enumerate(parts))


def labelled(label: str, text: str) -> list[str]:
    """`**Harm.** text`, or nothing where there is no text."""
    return [f"**{label}.** {written(text)}", ""] if text.strip() else []


def fenced(text: str, language: str) -> list[str]:
    """A block whose fence is longer than any inside, or nothing where there is no text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [fence + language, text.strip("\n"), fence, ""] if text.strip() else []


def formula(tex: str) -> list[str]:
    """A displayed formula, without empty lines, which end a display; text with $ in it stays text."""
    lines = [line.rstrip() for line in printable(tex).splitlines() if line.strip()]
    return [written(tex), ""] if "$" in tex else fenced("\n".join(lines), "math")


def anchor(id: str) -> str:
    """A target for links that does not change when a heading does."""
    return f'<a id="{target(id)}"></a>'


def target(id: str) -> str:
    """An id as the end of an address."""
    return re.sub(r"[^\w.\-]", "_", id)


def place(r: Row) -> str:
    """`theory/li2021/spectral.py:30`, linked where it lies in theory/."""
    path, _, line = r["location"].rpartition(":")
    found = re.fullmatch(r"theory/[\w./-]+\.py", path) and ".." not in path and line.isdigit()
    return f"[{code(r['location'])}]({UP}{path}#L{line})" if found else code(r["location"])


def verdict(id: str, r: Row | None) -> str:
    """A claim with its verdict, how tight it is, and how many perturbed twins its evidence refutes."""
    if r is None:
        return f"{code(id)}, which is not in the report"
    tight = "" if r["tightness"] is None or r["outcome"] == "REFUTED" else f"tightness {r['tightness']:.3g}"
    strong = f"power {power(r)}" if power(r) else ""
    measured = ", ".join(filter(None, (tight, strong)))
    return f"{code(id)}, {MARK[r['outcome']]}{f' ({measured})' if measured else ''}: {escaped(r['summary'])}".rstrip(".")


def check(r: Row) -> list[str]:
    """The command that checks the certificate of a refutation."""
    return fenced(f"boundcheck verify {printable(r['certificate'])}", "sh") if r["certificate"] else []
