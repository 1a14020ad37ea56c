"""What an erratum still lacks before an author may receive it, in one sentence."""

from __future__ import annotations

import ast
import re
from collections import Counter

from boundcheck.report.paper.folders import Erratum

TOLD = ("where", "printed", "counterexample", "python", "width", "harm")
"""What a complete erratum has besides severity and argument."""

MOST_LINES = 10
MODULES = {"fractions", "math", "numpy", "scipy"}
ORDER = r"(\\mathcal\s*\{?\s*O\s*\}?|\bO|\\Omega)\s*(\\left|\\[bB]igg?l?)?\s*\("
ASYMPTOTIC = re.compile(ORDER + r"|\\lesssim|\\gtrsim|\\asymp|\\to\s*\\infty")
DISPLAYS = re.compile(r"\\begin\{(align|equation|gather|multline|eqnarray)\*?\}")


def is_new(e: Erratum) -> bool:
    """Whether anything but severity, argument and repair is told."""
    return e.is_remark or any(getattr(e, name) for name in TOLD)


def incomplete(e: Erratum) -> str | None:
    """The first thing that an entry lacks or that its readers would stumble over; None if it is complete."""
    missing = [name for name in (("where",) if e.is_remark else TOLD) if not getattr(e, name).strip()]
    if missing:
        return f"{e.id} has no {' and no '.join(missing)}; write {'it' if len(missing) == 1 else 'them'}."
    if not e.is_remark and e.severity != "misprint" and ASYMPTOTIC.search(e.printed) and not e.limit:
        return f"{e.id} is asymptotic and has no limit; write the argument for it and a table."
    if wrong := tex_flaw(e.printed):
        return f"The printed formula of {e.id} {wrong}."
    wrong = python_flaw(e.python) if e.python else None
    return f"The python of {e.id} {wrong}." if wrong else None


def tex_flaw(tex: str) -> str | None:
    """What is wrong with a formula that is to be displayed on a page and in a paper."""
    if inner := DISPLAYS.search(tex):
        return f"has {inner[0]}, which cannot stand in a display; take aligned, gathered or cases"
    bare = re.sub(r"\\\\|\\[{}]", " ", tex)
    pairs = [("{", "}"), (r"\left", r"\right")]
    counts = [(a, b, len(re.findall(_word(a), bare)), len(re.findall(_word(b), bare))) for a, b in pairs]
    uneven = [f"has {m} {a} and {n} {b}; make them equal" for a, b, m, n in counts if m != n]
    begun, ended = (Counter(re.findall(rf"\\{name}\{{(\w+)\*?\}}", tex)) for name in ("begin", "end"))
    uneven += [
        f"begins and ends {name} unequally often; mend it"
        for name in sorted({*begun, *ended})
        if begun[name] != ended[name]
    ]
    return uneven[0] if uneven else None


def _word(token: str) -> str:
    """A brace, or a whole command: \\left is not \\leftarrow."""
    return re.escape(token) + (r"(?![a-zA-Z])" if token.startswith("\\") else "")


def python_flaw(text: str) -> str | None:
    """What is wrong with ten lines of Python that are to show a violation."""
    lines = sum(bool(line.strip()) for line in text.splitlines())
    if lines > MOST_LINES:
        return f"has {lines} lines; {MOST_LINES} are the most"
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"cannot be parsed ({error}); mend it"
    if not body or not isinstance(body[-1], ast.Assert):
        return "does not end in an assert; assert there that the printed statement fails"
    if isinstance(body[-1].test, ast.Constant):
        return "asserts a constant; assert there that the printed statement fails"
    strange = sorted(_imported(body) - MODULES)
    return f"imports {strange[0]}; only {', '.join(sorted(MODULES))} may be imported" if strange else None


def _imported(body: list[ast.stmt]) -> set[str]:
    """The packages that are imported."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in names}
