"""Claims found in files and folders; a file that cannot be loaded is out, alone, with the line that failed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from boundcheck.exits import NOTHING, Refused
from boundcheck.words.claims import Claim, NotAClaim, last_line


class CannotLoad(Refused):
    """A file that gives no claims; the message says why and what to do."""


class StatesNothing(CannotLoad):
    """A file or folder that can be read and states no claim."""

    code = NOTHING


def load(target: str | Path) -> list[Claim]:
    """The claims of a file, a folder or an importable package, sorted by id. Raises CannotLoad."""
    return _stated(target, [claim for file in _files(target) for claim in claims_of(_module(file))])


def _files(target: str | Path) -> list[Path]:
    path = Path(target)
    if path.is_dir():
        return sorted(f for f in path.rglob("*.py") if not f.name.startswith(("_", ".")))
    if path.suffix == ".py":
        return [path]
    raise CannotLoad(f"There is no file, folder or claim called '{target}'; `boundcheck list` shows what there is.")


def _stated(target: str | Path, claims: list[Claim]) -> list[Claim]:
    if not claims:
        raise StatesNothing(f"{target} states no claim; decorate a function with @theorem('where it comes from').")
    return _distinct(claims)


def load_all(targets: Iterable[str | Path]) -> list[Claim]:
    """The claims of several files or folders. Raises CannotLoad."""
    return _distinct(claim for target in targets for claim in load(target))


def load_what_can_be(targets: Iterable[str | Path]) -> tuple[list[Claim], dict[str, str]]:
    """The claims of several files or folders, and for each file that cannot be loaded a sentence. Raises CannotLoad if nothing can."""
    claims: list[Claim] = []
    faults: dict[str, str] = {}
    for target in targets:
        found: list[Claim] = []
        files = _files(target)
        for file in files:
            try:
                found += claims_of(_module(file))
            except CannotLoad as error:
                if not file.is_file():
                    raise
                faults[str(file)] = str(error)
        claims += found if faults.keys() & set(map(str, files)) else _stated(target, found)
    if faults and not claims:
        raise CannotLoad("\n".join(faults.values()))
    return _distinct(claims), faults


def theory() -> Path:
    """The theory folder here, or the one installed beside the engine."""
    here = Path("theory")
    return here if here.is_dir() else Path(__file__).resolve().parents[2] / "theory"


def _distinct(claims: Iterable[Claim]) -> list[Claim]:
    found: dict[str, Claim] = {}
    for claim in claims:
        other = found.setdefault(claim.id, claim)
        if other.body is not claim.body and other.location != claim.location:
            raise CannotLoad(f"Two claims are called {claim.id}: at {other.location} and at {claim.location}; rename one.")
    return [found[id] for id in sorted(found)]


def claims_of(module: ModuleType) -> list[Claim]:
    """The claims that a module states (not those it imports)."""
    return [c for c in vars(module).values() if isinstance(c, Claim) and c.body.__module__ == module.__name__]


def _module(file: Path) -> ModuleType:
    if not file.is_file():
        raise CannotLoad(f"There is no file {file}.")
    package = _package_name(file)
    try:
        return import_module(package) if package else _standalone(file)
    except NotAClaim as error:
        raise CannotLoad(f"{file}{_line(file, error)}: {error}") from error
    except SyntaxError as error:
        raise CannotLoad(f"{error.filename or file}, line {error.lineno}: {error.msg}.") from error
    except Exception as error:
        raise CannotLoad(f"{file}{_line(file, error)} cannot be imported: {type(error).__name__}: {error}") from error


def _line(file: Path, error: BaseException) -> str:
    """`, line 7`: the last line of the file that ran before the error."""
    line = last_line(error, str(file.resolve()))
    return "" if line is None else f", line {line}"


def _package_name(file: Path) -> str | None:
    """The dotted name of a file that lies in a package."""
    parts, folder = [file.stem], file.resolve().parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    if len(parts) == 1:
        return None
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return ".".join(parts)


def _standalone(file: Path) -> ModuleType:
    name = f"boundcheck_user_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise CannotLoad(f"{file} cannot be imported; is it a Python file?")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def select(claims: Sequence[Claim], wanted: Sequence[str]) -> list[Claim]:
    """Claims whose id is one of `wanted` or begins with it. Raises CannotLoad for a name that selects nothing."""
    chosen = {}
    for name in wanted:
        hits = [c for c in claims if c.id == name] or [c for c in claims if c.id.startswith(name + ".") or c.id.split(".", 1)[-1] == name]
        if not hits:
            raise CannotLoad(f"There is no claim '{name}'{_suggestion(name, claims)}; `boundcheck list` shows all.")
        chosen |= {c.id: c for c in hits}
    return [chosen[id] for id in sorted(chosen)]


def _suggestion(name: str, claims: Sequence[Claim]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, [c.id for c in claims], n=1)
    return f" (did you mean {close[0]}?)" if close else ""
