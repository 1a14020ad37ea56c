"""Papers and their claims: a statement with provenance, made of a function by a decorator."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, get_type_hints

from boundcheck.domains import Domain
from boundcheck.domains.domain import NoDomain, domain_of, is_forgiving, unfit
from boundcheck.exits import Refused
from boundcheck.tape.texts import NoText, Text, is_typed
from boundcheck.words import meaning
from boundcheck.words.meaning import Steady

KINDS = (
    "theorem",
    "lemma",
    "corollary",
    "proposition",
    "identity",
    "definition",
    "step",
    "remark",
    "algorithm",
    "row",
    "experiment",
)


class NotAClaim(Refused):
    """A function that cannot be made a claim; the message says why."""


@dataclass(frozen=True)
class Claim:
    """A statement with provenance: calling it runs the body on one instance."""

    id: str
    body: Callable[..., Any]
    source: str
    kind: str = "theorem"
    repairs: str | None = None
    step_of: tuple[str, ...] = ()
    parameters: dict[str, Domain] = field(default_factory=dict)
    fault: str = ""
    """What is wrong with its signature, so that it cannot be judged."""

    def __call__(self, /, *args: Any, **values: Any) -> Any:
        return self.body(*args, **values)

    def check(self, budget: str = "quick", **options: Any) -> Any:
        """The verdict on it: `boundcheck.check(claim, ...)`."""
        return _offered("check")(self, budget, **options)

    def at(self, /, **values: Any) -> Any:
        """What it says on one instance, given by values: `boundcheck.at(claim, ...)`."""
        return _offered("at")(self, **values)

    def sharpen(self, constant: str | None = None, **options: Any) -> Any:
        """How sharp a constant of it is: `boundcheck.sharpen(claim, constant, ...)`."""
        return _offered("sharpen")(self, constant, **options)

    @cached_property
    def statement(self) -> str:
        """The text of the body; empty where there is none."""
        code, names = self.body.__code__, self.body.__globals__
        try:
            return textwrap.dedent(inspect.getsource(self.body))
        except OSError:
            with suppress(NoText):
                text = Text.of(code.co_filename, names)
                return f"{text.written(text.function(code))}\n"
            return ""

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring, in one line."""
        return " ".join(
            (inspect.getdoc(self.body) or self.id).split("\n\n")[0].split()
        )

    @property
    def file(self) -> str:
        """The file that states it; a name that no file has if it was typed in a session."""
        return str(Path(inspect.getsourcefile(self.body) or "?").resolve())

    @property
    def typed(self) -> bool:
        """Whether it was typed at a prompt or in a notebook, so that no file states it."""
        return is_typed(self.body.__globals__, self.body.__code__)

    @property
    def location(self) -> str:
        """File, relative to its package or folder, and line; of an input of a session its line."""
        if self.typed:
            return f"session:{self.body.__code__.co_firstlineno}"
        path = Path(self.file)
        depth = max(2, self.body.__module__.count(".") + 1)
        return (
            f"{Path(*path.parts[-depth:])}:{self.body.__code__.co_firstlineno}"
        )

    @cached_property
    def fingerprint(self) -> str:
        """Changes exactly when what the meaning depends on does; read once, before the body runs."""
        return meaning.fingerprint(self.body, self.parameters)

    @cached_property
    def steady(self) -> Steady:
        """What the body reads, as it is before the body first runs. Raises BrokenClaim."""
        return Steady(self.id, self.body)

    def begin(self) -> None:
        """Read again what the body reads: a session may have changed it since it was last judged."""
        vars(self).pop("steady", None)

    def failed_at(self, error: BaseException) -> str:
        """File and line where the body failed: the last line of the file that ran, or the one that returned what is wrong."""
        place = self.location.rpartition(":")[0]
        return f"{place}:{last_line(error, self.file) or self._last_return()}"

    def _last_return(self) -> int:
        nodes = list(ast.walk(ast.parse(self.statement)))
        lines = (
            [n.lineno for n in nodes if isinstance(n, ast.Return)]
            or [n.lineno for n in nodes if isinstance(n, ast.FunctionDef)]
            or [1]
        )
        return self.body.__code__.co_firstlineno - 1 + max(lines)

    def __repr__(self) -> str:
        return (
            self.id if self.summary == self.id else f"{self.id}: {self.summary}"
        )

    def __hash__(self) -> int:
        return hash(self.id)


def _offered(name: str) -> Any:
    """A public function of the package, which stands above this room: looked up when it is called."""
    return getattr(import_module(__name__.partition(".")[0]), name)


def last_line(error: BaseException, file: str) -> int | None:
    """The last line of a file that ran before the error, or None if none of it did."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [
        line
        for frame, line in frames
        if str(Path(frame.f_code.co_filename).resolve()) == file
    ]
    return lines[-1] if lines else None


def _parameters(body: Callable[..., Any], name: str) -> dict[str, Domain]:
    try:
        hints = get_type_hints(body, include_extras=True)
    except (NameError, TypeError) as error:
        raise NotAClaim(
            f"{name}: an annotation cannot be read ({error}); annotate with a domain such as Unit or Vector('n')."
        ) from error
    signature = inspect.signature(body).parameters
    parameters = {p: _domain(hints.get(p), name, p) for p in signature}
    if inspect.iscoroutinefunction(body):
        raise NotAClaim(
            f"{name}: a body is stated by `def`, not by `async def`."
        )
    for p, parameter in signature.items():
        if parameter.kind not in (
            parameter.POSITIONAL_OR_KEYWORD,
            parameter.KEYWORD_ONLY,
        ):
            raise NotAClaim(
                f"{name}: '{p}' cannot be given by its name; write it without *, ** and /."
            )
    if problem := unfit(parameters):
        raise NotAClaim(f"{name}: {problem}")
    return parameters


def _domain(annotation: object, name: str, parameter: str) -> Domain:
    domain = domain_of(annotation)
    if isinstance(domain, NoDomain):
        raise NotAClaim(
            f"{name}: the parameter '{parameter}': {domain.sentence}"
        )
    if not isinstance(domain, Domain):
        raise NotAClaim(
            f"{name}: annotate the parameter '{parameter}' with a domain (Unit, Count, Positive, Vector, ...) or a setting."
        )
    return domain


def make_claim(
    body: Callable[..., Any],
    id: str,
    source: str,
    kind: str,
    repairs: str | None = None,
    step_of: Any = (),
    fault: str = "",
) -> Claim:
    """The claim that a function states. Raises NotAClaim for a parameter without a fitting domain, or the fault.

    While a file of claims is loaded such a claim is made with its fault, for the others of the file.
    """
    steps = (step_of,) if isinstance(step_of, str) else tuple(step_of)
    try:
        if fault:
            raise NotAClaim(fault)
        claim = Claim(
            id, body, source, kind, repairs, steps, _parameters(body, id)
        )
    except NotAClaim as error:
        if not is_forgiving():
            raise
        claim = Claim(id, body, source, kind, repairs, steps)
        claim = replace(
            claim,
            fault=f"{id} ({claim.location}): {str(error).removeprefix(f'{id}: ')}",
        )
    _ = claim.typed and claim.statement  # read while the input is there
    return claim


def theorem(source: str) -> Callable[[Callable[..., Any]], Claim]:
    """Make a claim of a function: `@theorem("Hoeffding 1963, Theorem 2")`.

    Its id is file.function; of a function that is typed in a session its name.
    """
    if callable(source):
        return _stated(
            source,
            "",
            'Write where the theorem comes from: @theorem("Hoeffding 1963, Theorem 2").',
        )
    return lambda body: _stated(body, source)


def _stated(body: Callable[..., Any], source: str, fault: str = "") -> Any:
    if not isinstance(body, FunctionType):
        found = f"this is a {type(body).__name__}"
        raise NotAClaim(
            f"A claim is made of a function, `def` and a body that returns a statement; {found}."
        )
    stem = Path(inspect.getsourcefile(body) or "claim.py").stem
    id = (
        body.__name__
        if is_typed(body.__globals__, body.__code__)
        else f"{stem}.{body.__name__}"
    )
    return make_claim(body, id, source, "theorem", fault=fault)


@dataclass(frozen=True)
class Paper:
    """Where claims come from. `@paper.lemma(27)` makes the claim `key.lemma27`, `@paper.step("eq18")` `key.eq18`."""

    key: str
    title: str
    authors: str = ""
    year: int = 0

    def _decorator(
        self, kind: str
    ) -> Callable[..., Callable[[Callable[..., Any]], Claim]]:
        def numbered(
            label: int | str,
            section: str = "",
            repairs: str | None = None,
            step_of: object = (),
        ) -> Any:
            suffix = f"{kind}{label}" if isinstance(label, int) else label
            where = f"{self.key}, {kind} {label}" + (
                f" ({section})" if section else ""
            )

            def decorate(body: Callable[..., Any]) -> Claim:
                return make_claim(
                    body,
                    f"{self.key}.{suffix}",
                    where,
                    kind,
                    self._full(repairs),
                    [self._full(s) for s in _many(step_of)],
                )

            return decorate

        return numbered

    def _full(self, label: str | None) -> Any:
        """An id of this paper, unless the label already begins with the key of a paper (name and year)."""
        return (
            label
            if label is None or re.match(r"[a-z]+\d{4}\.", label)
            else f"{self.key}.{label}"
        )

    theorem = property(lambda self: self._decorator("theorem"))
    lemma = property(lambda self: self._decorator("lemma"))
    corollary = property(lambda self: self._decorator("corollary"))
    proposition = property(lambda self: self._decorator("proposition"))
    identity = property(lambda self: self._decorator("identity"))
    definition = property(lambda self: self._decorator("definition"))
    step = property(lambda self: self._decorator("step"))
    remark = property(lambda self: self._decorator("remark"))
    algorithm = property(lambda self: self._decorator("algorithm"))
    row = property(lambda self: self._decorator("row"))
    experiment = property(lambda self: self._decorator("experiment"))


def _many(label: Any) -> list[str]:
    return [label] if isinstance(label, str) else list(label)
