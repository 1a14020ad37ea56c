"""Which claims are meant, by files, names, patterns, expressions; a file that does not load is out, alone."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property
from importlib import import_module, invalidate_caches
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from types import FunctionType, ModuleType
from zlib import crc32

from boundcheck.domains.domain import forgiving
from boundcheck.tape.texts import NoText, Text, is_installed, is_session
from boundcheck.words import (
    NO_CLAIMS,
    STATES_NOTHING,
    CannotLoad,
    StatesNothing,
    files_of,
    ids_in,
    is_pattern,
    is_text,
    matching_files,
    may_state,
    others,
    own,
    split,
)
from boundcheck.words.claims import Claim, NotAClaim, last_line
from boundcheck.words.meaning import ENGINE


def load_claims(*targets: str | Path) -> list[Claim]:
    """The claims of files and folders, sorted by id. Raises CannotLoad if one file cannot be loaded."""
    claims, faults = load_what_can_be(targets)
    if faults:
        raise CannotLoad(next(iter(faults.values())))
    return claims


def claim_in(file: str, id: str) -> Claim | None:
    """The claim that a file calls so, in whatever process this is; None where it states none, or cannot be loaded."""
    try:
        return next((c for c in load_claims(file) if c.id == id), None)
    except CannotLoad:
        return None


def load_what_can_be(
    targets: Iterable[str | Path],
) -> tuple[list[Claim], dict[str, str]]:
    """The claims of files and folders, and a sentence for each file that cannot be loaded.

    Raises CannotLoad if none can, StatesNothing for a target without claims.
    """
    claims: list[Claim] = []
    faults: dict[str, str] = {}
    for target in targets:
        found, failed = _claims_in(target)
        if not found and not failed:
            raise StatesNothing(STATES_NOTHING.format(target))
        claims, faults = claims + found, faults | failed
    if faults and not claims:
        raise CannotLoad("\n".join(faults.values()))
    return distinct(claims), faults


def _claims_in(target: str | Path) -> tuple[list[Claim], dict[str, str]]:
    claims: list[Claim] = []
    faults: dict[str, str] = {}
    for file in files_of(target):
        try:
            found = claims_of(module_of(file))
            require_named_once(file, found)
            claims += found.values()
        except CannotLoad as error:
            if not file.is_file():
                raise
            faults[str(file)] = " ".join(str(error).split())
    return claims, faults


def require_named_once(file: Path, claims: Collection[str]) -> None:
    """Raise CannotLoad where a claim has a name that was another's: Python would forget that one."""
    lines = defaultdict(list)
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            lines[node.name].append(node.lineno)
    for name in claims:
        if len(lines[name]) > 1:
            first, last = lines[name][0], lines[name][-1]
            raise CannotLoad(
                f"{file} states '{name}' twice, at lines {first} and {last}; rename one."
            )


def distinct(claims: Iterable[Claim]) -> list[Claim]:
    """The claims by their ids, each once. Raises CannotLoad for two of one id."""
    found: dict[str, Claim] = {}
    for claim in claims:
        other = found.setdefault(claim.id, claim)
        if other.body is not claim.body and (other.file, other.location) != (
            claim.file,
            claim.location,
        ):
            raise CannotLoad(
                f"Two claims are called {claim.id}: at {other.location} and at {claim.location}; rename one."
            )
    return [found[id] for id in sorted(found)]


def claims_of(module: ModuleType) -> dict[str, Claim]:
    """The claims that a module states (not those it imports), each by the first name that it has there."""
    found = {
        name: claim
        for name, claim in vars(module).items()
        if isinstance(claim, Claim)
    }
    first = {id(claim): name for name, claim in reversed(found.items())}
    own = {
        name: found[name]
        for name in found
        if found[name].body.__module__ == module.__name__
    }
    return {
        name: claim for name, claim in own.items() if first[id(claim)] == name
    }


def stated_by(module: ModuleType) -> list[Claim]:
    """The claims of a module, a package or a session, where names with a first _ hold what was shown before.

    Raises CannotLoad.
    """
    if hasattr(module, "__path__"):
        return load_claims(*module.__path__)
    typed = is_session(vars(module))
    return [
        claim
        for name, claim in claims_of(module).items()
        if not (typed and name.startswith("_"))
    ]


def changed_since(claim: Claim) -> list[FunctionType]:
    """The body and functions that its module has, where a file has another text since it was imported."""
    functions = [
        f
        for f in (claim.body, *claim.body.__globals__.values())
        if isinstance(f, FunctionType)
    ]
    return [
        f
        for f in functions
        if str(f.__module__).split(".")[0] != ENGINE and _is_of_another_text(f)
    ]


def _is_of_another_text(f: FunctionType) -> bool:
    """Whether its file says something else by now; what pytest rewrites never is what the file says."""
    file = f.__code__.co_filename
    if (
        not Path(file).is_file()
        or is_installed(file)
        or "@pytest_ar" in f.__globals__
    ):
        return False
    try:
        return f.__code__ not in Text.of(file).codes
    except (NoText, SyntaxError):
        return True


def module_of(file: Path) -> ModuleType:
    """The module of a file, by its dotted name if it has one. Raises CannotLoad, with the line that fails."""
    if not file.is_file():
        raise CannotLoad(f"There is no file {file}.")
    root, name = _dotted(file.resolve())
    try:
        with forgiving():
            return (
                _of_package(file, root, name) if "." in name else _alone(file)
            )
    except NotAClaim as error:
        raise CannotLoad(f"{file}{_line(file, error)}: {error}") from error
    except SyntaxError as error:
        raise CannotLoad(
            f"{error.filename or file}, line {error.lineno}: {error.msg}."
        ) from error
    except CannotLoad:
        raise
    except (Exception, SystemExit) as error:  # whatever the file raises
        raise CannotLoad(
            f"{file}{_line(file, error)} cannot be imported: {type(error).__name__}: {error}"
        ) from error


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
        other = (
            f"{file} is called {name}, and so is {found}, which is found first"
        )
        raise CannotLoad(f"{other}; give them in runs of their own.")
    return module


def _alone(file: Path) -> ModuleType:
    # Two files of one name are two modules, for classes are looked up by the names of theirs.
    name = (
        f"boundcheck_user_{file.stem}_{crc32(str(file.resolve()).encode()):x}"
    )
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise CannotLoad(f"{file} cannot be imported; is it a Python file?")
    with _beside(file):
        sys.modules[name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


BESIDE: list[str] = []
"""Folders of files loaded alone: these import what stands beside them, as `python mine.py` would."""


@contextmanager
def _beside(file: Path) -> Iterator[None]:
    """What stands beside a file is found, last of all; from then on, for its body may import it, too."""
    folder = str(file.resolve().parent)
    added = [] if folder in sys.path else [folder]
    sys.path += added
    BESIDE.extend(added)
    try:
        invalidate_caches()
        require_own(file)
        yield
    except CannotLoad:
        for path in (sys.path, BESIDE):
            path[:] = [entry for entry in path if entry not in added]
        raise


def require_own(file: Path) -> None:
    """Raise CannotLoad if a file alone, or one it imports from beside it, would get one of elsewhere."""
    folder = str(file.resolve().parent)
    others = [other for other in BESIDE if other != folder]
    met, files = {ENGINE}, [file]
    while files:
        for name in sorted(_imported(files.pop()) - met):
            met.add(name)
            ours, found, theirs = (
                _places(name, [folder]),
                _places(name),
                _places(name, others),
            )
            if any(map(Path.is_file, found)) and not any(
                map(Path.is_file, ours)
            ):
                ours = set()  # Python takes a folder without __init__.py only where there is nothing else
            if found and (found != ours if ours else found & theirs):
                means, finds = (
                    " and ".join(sorted(map(str, places)))
                    for places in (ours, found)
                )
                meant = f"means {means}" if ours else "has none beside it"
                instead = "rename one, or give the files in runs of their own"
                raise CannotLoad(
                    f"{file} imports {name} and {meant}, but Python finds {finds}; {instead}."
                )
            for place in ours:
                folder_of = (
                    place.parent if place.name == "__init__.py" else place
                )
                files += (
                    sorted(folder_of.rglob("*.py"))
                    if folder_of.is_dir()
                    else [place]
                )


def _places(name: str, folders: list[str] | None = None) -> set[Path]:
    """A module's file, or the folders that make one together, as it is found; none of what is built in."""
    try:
        spec = (
            find_spec(name)
            if folders is None
            else PathFinder.find_spec(name, folders)
        )
    except ValueError:  # of a module that was made without a file
        spec = None
    if spec is None:
        return set()
    places = (
        [spec.origin]
        if spec.has_location and spec.origin
        else spec.submodule_search_locations or []
    )
    return {Path(place).resolve() for place in places}


def _imported(file: Path) -> set[str]:
    """The first names of what a file imports, wherever that stands in its text."""
    try:
        nodes = (
            list(ast.walk(ast.parse(file.read_bytes())))
            if file.suffix == ".py"
            else []
        )
    except (OSError, SyntaxError, ValueError):
        return set()
    whole = {
        alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    parts = {
        node.module or ""
        for node in nodes
        if isinstance(node, ast.ImportFrom) and not node.level
    }
    return {name.split(".")[0] for name in whole | parts}


@dataclass
class Selection:
    """The claims that are meant, all of their files, the ids that share a run's error, and files left out."""

    chosen: list[Claim] = field(default_factory=list)
    everything: list[Claim] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    faults: dict[str, str] = field(default_factory=dict)

    def add(self, group: Group, chosen: Iterable[Claim]) -> None:
        """Choose claims of a group."""
        self.chosen += chosen
        self.everything += group.claims
        self.ids |= group.ids
        self.faults |= group.faults


class Group:
    """The claims of some files and folders, loaded when they are asked for. Files without any are fine.

    `around` are ids of claims beside them that are not loaded, and share a run's error all the same.
    """

    def __init__(
        self, targets: Sequence[str | Path], around: Iterable[str] = frozenset()
    ):
        self.targets, self.around = targets, frozenset(around)

    @cached_property
    def _loaded(self) -> tuple[list[Claim], dict[str, str]]:
        found = [_claims_in(target) for target in self.targets]
        claims = distinct(claim for claims, _ in found for claim in claims)
        return claims, {
            file: fault for _, faults in found for file, fault in faults.items()
        }

    @property
    def claims(self) -> list[Claim]:
        return self._loaded[0]

    @property
    def faults(self) -> dict[str, str]:
        return self._loaded[1]

    @property
    def ids(self) -> frozenset[str]:
        return self.around | {claim.id for claim in self.claims}

    def stating(self, id: str) -> Iterator[Group]:
        """The claims of the one file that states this id by its text, so that no other is run; or nothing."""
        files = [file for target in self.targets for file in files_of(target)]
        stated = {file: set(ids_in(file)) for file in files}
        found = [file for file in files if id in stated[file]]
        if len(found) == 1:
            yield Group(found, set().union(*stated.values()))


def selected(
    targets: Sequence[str], expression: str = "", lenient: bool = False
) -> Selection:
    """The claims that `targets` mean, sorted by id, of which the expression is true if there is one.

    A target is a file or a folder; FILE::NAME,NAME of some claims of it; a pattern of files, of which those without
    claims are passed over; or a name, as for `select`, of claims of one's own or of theory/. None at all mean
    `own()`. If `lenient`, all files without claims are passed over. Raises CannotLoad, StatesNothing.
    """
    found, mine = Selection(), None
    for target in targets:
        if is_text(target):
            _add_text(found, target, lenient)
        else:
            mine = mine or _groups()
            _add_name(found, target, mine)
    if not targets:
        group = Group(own())
        if not group.claims:
            raise (
                CannotLoad("\n".join(group.faults.values()))
                if group.faults
                else StatesNothing(NO_CLAIMS)
            )
        found.add(group, group.claims)
    if found.faults and not found.everything:
        raise CannotLoad("\n".join(found.faults.values()))
    found.everything = distinct(found.everything)
    found.chosen = matching(distinct(found.chosen), expression)
    return found


def _add_text(found: Selection, target: str, lenient: bool) -> None:
    text, names = split(target)
    files = matching_files(text)
    if lenient or files != [text]:
        files = [f for f in files if Path(f).is_dir() or may_state(Path(f))]
    group = Group(files)
    if not group.claims and not group.faults and not lenient:
        raise StatesNothing(STATES_NOTHING.format(text))
    found.add(group, _inside(group, text, names) if names else group.claims)


def _inside(group: Group, text: str, names: Sequence[str]) -> Iterator[Claim]:
    """Claims of a file by their names, or by those of their functions."""
    for name in names:
        functions = [c for c in group.claims if c.body.__name__ == name]
        try:
            yield from functions or select(group.claims, [name])
        except CannotLoad as error:
            faults = "".join(f"\n{fault}" for fault in group.faults.values())
            some = (
                f"; it states {', '.join(c.id for c in group.claims[:5])}"
                if group.claims
                else ""
            )
            raise CannotLoad(
                f"{text} states no claim '{name}'{some}.{faults}"
            ) from error


def _add_name(found: Selection, name: str, groups: Sequence[Group]) -> None:
    by_text = (one for group in groups for one in group.stating(name))
    for group in chain(by_text, groups):
        try:
            found.add(group, select(group.claims, [name]))
            return
        except CannotLoad:
            continue
    known = [claim for group in groups for claim in group.claims]
    faults = "".join(
        f"\n{fault}" for group in groups for fault in group.faults.values()
    )
    if "/" in name:
        raise CannotLoad(
            f"There is no file, folder or claim called '{name}'; `boundcheck list` shows what there is.{faults}"
        )
    raise CannotLoad(
        f"There is no claim '{name}'{_suggestion(name, known)}; `boundcheck list` shows all.{faults}"
    )


def _groups() -> list[Group]:
    """Claims of one's own, then those of the papers that come with the engine."""
    return [Group(own()), Group(others())]


def select(claims: Sequence[Claim], wanted: Sequence[str]) -> list[Claim]:
    """Claims whose id is one of `wanted`, matches it, begins with it, or is it after the first dot.

    Raises CannotLoad for a name that selects nothing.
    """
    chosen = {}
    for name in wanted:
        hits = [c for c in claims if c.id == name] or [
            c for c in claims if _is_called(c.id, name)
        ]
        if not hits:
            raise CannotLoad(
                f"There is no claim '{name}'{_suggestion(name, claims)}; `boundcheck list` shows all."
            )
        chosen |= {c.id: c for c in hits}
    return [chosen[id] for id in sorted(chosen)]


def _is_called(id: str, name: str) -> bool:
    if is_pattern(name):
        return fnmatchcase(id, name) or fnmatchcase(id.split(".", 1)[-1], name)
    return id.startswith(name + ".") or id.split(".", 1)[-1] == name


WORD = re.compile(r"[()]|[^\s()]+")
OPERATORS = ("and", "or", "not", "(", ")")
BOOLEAN = (
    ast.Expression,
    ast.BoolOp,
    ast.boolop,
    ast.UnaryOp,
    ast.Not,
    ast.Name,
    ast.Load,
)


def matching(claims: Sequence[Claim], expression: str) -> list[Claim]:
    """Claims of which an expression is true, as for pytest -k: parts of ids, joined by and, or, not.

    Raises CannotLoad for one that is none, StatesNothing if it is true of no claim.
    """
    parts = [w for w in WORD.findall(expression) if w not in OPERATORS]
    if not expression.strip():
        return list(claims)
    numbers = iter(range(len(parts)))
    text = " ".join(
        w if w in OPERATORS else f"part{next(numbers)}"
        for w in WORD.findall(expression)
    )
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        tree = ast.parse("()", mode="eval")
    if not all(isinstance(node, BOOLEAN) for node in ast.walk(tree)):
        raise CannotLoad(
            f"-k takes parts of ids joined by and, or, not and brackets, which '{expression}' is not."
        )
    holds = compile(tree, "-k", "eval")
    found = [
        c
        for c in claims
        if eval(
            holds,
            {
                f"part{k}": part.lower() in c.id.lower()
                for k, part in enumerate(parts)
            },
        )
    ]
    if not found:
        raise StatesNothing(
            f"No claim is called so that '{expression}' is true of its id; `boundcheck list` shows all."
        )
    return found


def _suggestion(name: str, claims: Sequence[Claim]) -> str:
    close = get_close_matches(name, [c.id for c in claims], n=1)
    return f" (did you mean {close[0]}?)" if close else ""
