"""The modules of files, and the claims that they state; a file that cannot be loaded is out, alone."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from boundcheck.exits import NOTHING, Refused
from boundcheck.tape.texts import is_session
from boundcheck.words.claims import Claim, NotAClaim, last_line


class CannotLoad(Refused):
    """A file that gives no claims; the message says why and what to do."""


class StatesNothing(CannotLoad):
    """A file or folder that can be read and states no claim."""

    code = NOTHING


def load(*targets: str | Path) -> list[Claim]:
    """The claims of files and folders, sorted by id. Raises CannotLoad if one file cannot be loaded."""
    claims, faults = load_what_can_be(targets)
    if faults:
        raise CannotLoad(next(iter(faults.values())))
    return claims


def load_what_can_be(targets: Iterable[str | Path]) -> tuple[list[Claim], dict[str, str]]:
    """The claims of files and folders, and a sentence for each file that cannot be loaded.

    Raises CannotLoad if none can, StatesNothing for a target without claims.
    """
    claims: list[Claim] = []
    faults: dict[str, str] = {}
    for target in targets:
        found, failed = _claims_in(target)
        if not found and not failed:
            raise StatesNothing(f"{target} states no claim; decorate a function with @theorem('where it comes from').")
        claims, faults = claims + found, faults | failed
    if faults and not claims:
        raise CannotLoad("\n".join(faults.values()))
    return distinct(claims), faults


def _claims_in(target: str | Path) -> tuple[list[Claim], dict[str, str]]:
    claims: list[Claim] = []
    faults: dict[str, str] = {}
    for file in _files(target):
        try:
            claims += claims_of(module_of(file)).values()
        except CannotLoad as error:
            if not file.is_file():
                raise
            faults[str(file)] = str(error)
    return claims, faults


def _files(target: str | Path) -> list[Path]:
    path = Path(target)
    if path.is_dir():
        return sorted(f for f in path.rglob("*.py") if not f.name.startswith(("_", ".")))
    if path.suffix == ".py":
        return [path]
    raise CannotLoad(f"There is no file, folder or claim called '{target}'; `boundcheck list` shows what there is.")


def theory() -> Path:
    """The theory folder here, or the one installed beside the engine."""
    here = Path("theory")
    return here if here.is_dir() else Path(__file__).resolve().parents[2] / "theory"


def distinct(claims: Iterable[Claim]) -> list[Claim]:
    """The claims by their ids, each once. Raises CannotLoad for two of one id."""
    found: dict[str, Claim] = {}
    for claim in claims:
        other = found.setdefault(claim.id, claim)
        if other.body is not claim.body and (other.file, other.location) != (claim.file, claim.location):
            raise CannotLoad(f"Two claims are called {claim.id}: at {other.location} and at {claim.location}; rename one.")
    return [found[id] for id in sorted(found)]


def claims_of(module: ModuleType) -> dict[str, Claim]:
    """The claims that a module states (not those it imports), each by the first name that it has there."""
    found = {name: claim for name, claim in vars(module).items() if isinstance(claim, Claim)}
    first = {id(claim): name for name, claim in reversed(found.items())}
    own = {name: found[name] for name in found if found[name].body.__module__ == module.__name__}
    return {name: claim for name, claim in own.items() if first[id(claim)] == name}


def stated_by(module: ModuleType) -> list[Claim]:
    """The claims of a module, a package or a session, where names that begin with _ hold what was shown before.

    Raises CannotLoad.
    """
    if hasattr(module, "__path__"):
        return load(*module.__path__)
    typed = is_session(vars(module))
    return [claim for name, claim in claims_of(module).items() if not (typed and name.startswith("_"))]


def module_of(file: Path) -> ModuleType:
    """The module of a file, by its dotted name if it has one. Raises CannotLoad, with the line that fails."""
    if not file.is_file():
        raise CannotLoad(f"There is no file {file}.")
    root, name = _dotted(file.resolve())
    try:
        return _of_package(file, root, name) if "." in name else _alone(file)
    except NotAClaim as error:
        raise CannotLoad(f"{file}{_line(file, error)}: {error}") from error
    except SyntaxError as error:
        raise CannotLoad(f"{error.filename or file}, line {error.lineno}: {error.msg}.") from error
    except CannotLoad:
        raise
    except Exception as error:  # whatever the file raises
        raise CannotLoad(f"{file}{_line(file, error)} cannot be imported: {type(error).__name__}: {error}") from error


def _line(file: Path, error: BaseException) -> str:
    """`, line 7`: the last line of the file that ran before the error."""
    line = last_line(error, str(file.resolve()))
    return "" if line is None else f", line {line}"


def _dotted(file: Path) -> tuple[Path, str]:
    """The folder that the outermost package of a file lies in, and its dotted name from there."""
    folder, name = file.parent, file.stem
    while (folder / "__init__.py").is_file():
        folder, name = folder.parent, f"{folder.name}.{name}"
    return folder, name


def _of_package(file: Path, root: Path, name: str) -> ModuleType:
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    module = import_module(name)
    found = Path(module.__file__ or "").resolve()
    if found != file.resolve():
        other = f"{file} is called {name}, and so is {found}, which is found first"
        raise CannotLoad(f"{other}; give them in runs of their own.")
    return module


def _alone(file: Path) -> ModuleType:
    name = f"boundcheck_user_{file.stem}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise CannotLoad(f"{file} cannot be imported; is it a Python file?")
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def select(claims: Sequence[Claim], wanted: Sequence[str]) -> list[Claim]:
    """Claims whose id is one of `wanted` or begins with it. Raises CannotLoad for a name that selects nothing."""
    chosen = {}
    for name in wanted:
        within = (c for c in claims if c.id.startswith(name + ".") or c.id.split(".", 1)[-1] == name)
        hits = [c for c in claims if c.id == name] or list(within)
        if not hits:
            raise CannotLoad(f"There is no claim '{name}'{_suggestion(name, claims)}; `boundcheck list` shows all.")
        chosen |= {c.id: c for c in hits}
    return [chosen[id] for id in sorted(chosen)]


def _suggestion(name: str, claims: Sequence[Claim]) -> str:
    close = get_close_matches(name, [c.id for c in claims], n=1)
    return f" (did you mean {close[0]}?)" if close else ""
