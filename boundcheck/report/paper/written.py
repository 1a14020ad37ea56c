"""Texts of a person as Markdown: paragraphs and tables stay what they are, and HTML finds nothing to obey."""

from __future__ import annotations

import re

from boundcheck.report.markdown import code, escaped
from boundcheck.report.printable import printable
from boundcheck.report.row import Row

UP = "../"
"""From a page (docs/errata.md, reports/PAPER.md) to the folder of theory/ and reports/."""


COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")
TABLE = re.compile(r"((?:^.*\S {2,}\S.*\n?){2,})", re.M)
"""Two or more lines whose columns are two spaces apart."""


def tables(text: str) -> list[str | list[list[str]]]:
    """A text as prose and tables, these as rows of cells."""
    pieces = [piece.strip("\n") for piece in TABLE.split(text.strip())]
    cells = [[COLUMNS.split(line.strip()) for line in piece.splitlines()] for piece in pieces]
    return [cells[k] if k % 2 else piece for k, piece in enumerate(pieces) if piece]


def parts(text: str) -> list[tuple[str, str]]:
    """A text in pieces, each with its kind: "text", "code" (between backticks), "math" (between $)."""
    found = re.split(r"(\$`[^`\n]+`\$|`[^`\n]*`|\$[^$\n]+\$)", printable(text.strip()))
    kinds = ["code" if part.startswith("`") else "math" for part in found]
    return [
        (kinds[k], part.strip("$").strip("`")) if k % 2 else ("text", part)
        for k, part in enumerate(found)
        if part
    ]


def display(tex: str) -> str | None:
    """A formula without delimiters and empty lines, which end a display; None for a text with formulas."""
    bare = printable(tex).strip().strip("$").removeprefix(r"\[").removesuffix(r"\]")
    return None if "$" in bare else "\n".join(line.rstrip() for line in bare.splitlines() if line.strip())


def written(text: str) -> str:
    """Prose of a person: paragraphs and tables stay; neither HTML nor Markdown touches a `<` or a formula."""
    text = "\n\n".join(t if isinstance(t, str) else _table(t) for t in tables(text))
    text = re.sub(r"^(?!\|)(.+)\n(?=\|)", r"\1\n\n", text, flags=re.M)
    marked = {"text": lambda part: part.replace("<", "&lt;"), "code": "`{}`".format, "math": "$`{}`$".format}
    return "".join(marked[kind](part) for kind, part in parts(text))


def _table(rows: list[list[str]]) -> str:
    """Rows of cells as Markdown, the first of them the head."""
    head, *body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([head, "| --- |" + " --: |" * (len(rows[0]) - 1), *body])


def labelled(label: str, text: str) -> list[str]:
    """`**Harm.** text`, or nothing where there is no text."""
    told = written(text)
    between = "\n\n" if told.startswith("|") else " "
    return [f"**{label}.**{between}{told}", ""] if told else []


def fenced(text: str, language: str) -> list[str]:
    """A block whose fence is longer than any inside, or nothing where there is no text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [fence + language, printable(text).strip("\n"), fence, ""] if text.strip() else []


def formula(tex: str) -> list[str]:
    """A displayed formula, or a text that has formulas in it."""
    shown = display(tex)
    return [written(tex), ""] if shown is None else fenced(shown, "math")


def anchor(id: str) -> str:
    """A target for links that does not change when a heading does."""
    return f'<a id="{target(id)}"></a>'


def target(id: str) -> str:
    """An id as the end of an address."""
    return re.sub(r"[^\w.\-]", "_", id)


def place(r: Row) -> str:
    """`theory/li2021/spectral.py:30`, linked where it lies in theory/."""
    path, _, line = r.location.rpartition(":")
    found = re.fullmatch(r"theory/[\w./-]+\.py", path) and ".." not in path and line.isdigit()
    return f"[{code(r.location)}]({UP}{path}#L{line})" if found else code(r.location)


def certificate(r: Row, up: str = "") -> str:
    """A link from docs/errata.md, or from reports/PAPER.md, to the certificate of a claim that has one."""
    path = (r.certificate or "") if up else (r.certificate or "").removeprefix("reports/")
    quoted = escaped(path.replace(" ", "%20").replace("(", "%28").replace(")", "%29"))
    return f"[certificate]({up}{quoted})" if path else ""


def verdict(id: str, r: Row | None) -> str:
    """A claim with its verdict, how tight it is, and how many perturbed twins its evidence refutes."""
    if r is None:
        return f"{code(id)}, which is not in the report"
    seen = {"tightness": r.tight, "power": r.score}
    measured = ", ".join(f"{name} {value}" for name, value in seen.items() if value)
    known = f"{r.outcome.mark} ({measured})" if measured else r.outcome.mark
    return f"{code(id)}, {known}: {escaped(r.summary)}".rstrip(".")


def check(r: Row) -> list[str]:
    """The command that checks the certificate of a refutation."""
    return fenced(f"boundcheck verify {r.certificate}", "sh") if r.certificate else []
