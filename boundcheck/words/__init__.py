"""The words that claims are written in, what a claim is, and where claims are found.

Here which files state claims, and what these are called, by their text alone: nothing is run or imported.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from glob import glob
from os.path import exists, isdir
from pathlib import Path

from boundcheck.exits import NOTHING, Refused


class CannotLoad(Refused):
    """A file that gives no claims; the message says why and what to do."""


class StatesNothing(CannotLoad):
    """What can be read and states no claim, or none that is wanted."""

    code = NOTHING


IMPORTS_US = re.compile(
    r"^[ \t]*(?:from|import)\b.*\bboundcheck\b", re.MULTILINE
)
DECORATES = re.compile(r"^@", re.MULTILINE)
"""A file states claims only if it has lines like these; others are not run when nobody has named them."""

STATES_NOTHING = "{} states no claim; decorate a function with @theorem('where it comes from')."
NO_CLAIMS = (
    "There are no claims here: name a file that states some, or a paper (`boundcheck list` shows what there is),"
    " or write a first one with `boundcheck init`."
)


def files_of(target: str | Path, deep: bool = True) -> list[Path]:
    """A file, or those of a folder that may be modules of claims. Raises CannotLoad."""
    path = Path(target)
    if path.is_dir():
        return sorted(
            f
            for f in path.glob("**/*.py" if deep else "*.py")
            if not f.name.startswith(("_", "."))
        )
    if path.suffix == ".py":
        return [path]
    raise CannotLoad(
        f"There is no file, folder or claim called '{target}'; `boundcheck list` shows what there is."
    )


def theory() -> Path:
    """The theory folder here, or the one that comes with the engine."""
    here = Path("theory")
    return here if here.is_dir() else delivered()


def delivered() -> Path:
    """The papers that come with the engine: a package of its own name in a wheel, theory/ in a checkout."""
    beside = Path(__file__).resolve().parents[2]
    package = beside / "boundcheck_theory"
    return package if package.is_dir() else beside / "theory"


def paper_of(name: str) -> Path:
    """The folder of a paper: in the theory folder here, else where it would come with the engine."""
    here = theory() / name
    return here if here.is_dir() else delivered() / name


def own() -> list[Path]:
    """Own claims: `boundcheck_paths` of pyproject.toml, else theory/, else files that may state some.

    All as seen from here. Raises CannotLoad.
    """
    if paths := _declared(Path("pyproject.toml")):
        return paths
    here = Path("theory")
    stated = here.is_dir() and any(map(may_state, files_of(here)))
    return (
        [here]
        if stated
        else [f for f in files_of(Path(), deep=False) if may_state(f)]
    )


def others() -> list[Path]:
    """Where claims are that are not one's own: the papers that come with the engine, unless they are."""
    mine = [path.resolve() for path in own()]
    return [] if delivered().resolve() in mine else [delivered()]


def _declared(project: Path) -> list[Path]:
    try:
        content = (
            tomllib.loads(project.read_text(encoding="utf-8"))
            if project.is_file()
            else {}
        )
    except (OSError, ValueError) as error:
        raise CannotLoad(
            f"{project} cannot be read ({' '.join(str(error).split())}); mend it."
        ) from error
    listed = content
    for name in ("tool", "pytest", "ini_options", "boundcheck_paths"):
        listed = listed.get(name, {}) if isinstance(listed, dict) else {}
    paths = [
        Path(p) for p in (listed.split() if isinstance(listed, str) else listed)
    ]
    if missing := [p for p in paths if not p.exists()]:
        raise CannotLoad(
            f"There is no {missing[0]}, which boundcheck_paths of {project} names."
        )
    return paths


def may_state(file: Path) -> bool:
    """Whether a file imports boundcheck and decorates something."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return bool(IMPORTS_US.search(text) and DECORATES.search(text))


def is_text(target: str) -> bool:
    """Whether a target is a file, a folder, a pattern of files, or some claims of these."""
    text, _ = split(target)
    folders = glob(text) if is_pattern(text) and "/" in text else [text]
    return text.endswith(".py") or any(isdir(folder) for folder in folders)


def split(target: str) -> tuple[str, list[str]]:
    """`mine.py::f,g` as file and names, which together may be longer than names of files can be."""
    text, _, names = (
        (target, "", "") if exists(target) else target.partition("::")
    )
    return text, [name.strip() for name in names.split(",") if name.strip()]


def is_pattern(text: str) -> bool:
    """Whether a text stands for all that match it."""
    return any(mark in text for mark in "*?[")


def matching_files(text: str) -> list[str]:
    """The files and folders that a pattern matches, or what it is itself. Raises CannotLoad for none."""
    if not is_pattern(text) or exists(text):
        return [text]
    found = sorted(
        f for f in glob(text, recursive=True) if f.endswith(".py") or isdir(f)
    )
    if not found:
        raise CannotLoad(f"No file matches '{text}'.")
    return found


STATED = re.compile(
    r"^@(\w+)(?:\.(\w+))?\(\s*(?:(\d+)|[\"']([^\"']*)[\"'])[^@]*?^def (\w+)",
    re.MULTILINE,
)
PAPER = re.compile(
    r"^(\w+)\b[^=\n]*=\s*(?:\w+\.)?Paper\(\s*[\"'](\w+)", re.MULTILINE
)


def ids_in(file: Path) -> Iterator[str]:
    """The ids of the claims that a file states in the usual way: `@theorem("...")`, `@paper.lemma(27)`."""
    texts = [
        f.read_text(encoding="utf-8", errors="replace")
        for f in (file.with_name("__init__.py"), file)
        if f.is_file()
    ]
    keys = {name: key for text in texts for name, key in PAPER.findall(text)}
    for decorator, kind, number, label, function in STATED.findall(
        texts[-1] if texts else ""
    ):
        if decorator == "theorem" and not kind:
            yield f"{file.stem}.{function}"
        elif decorator in keys:
            yield f"{keys[decorator]}.{label or kind + number}"


def ids_here() -> list[str]:
    """The ids of one's own claims and of those of the papers, sorted. Raises CannotLoad."""
    places = dict.fromkeys([*own(), *others()])
    return sorted(
        {
            id
            for place in places
            for file in files_of(place)
            for id in ids_in(file)
        }
    )
