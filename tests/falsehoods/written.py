"""The text of one statement, with the part of its file that it needs, to be written in other words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boundcheck.domains.domain import Domain, named_dims
from boundcheck.words.claims import Claim

Raw = Mapping[str, Any]
There = Callable[[Raw, Mapping[Any, int]], Raw]
"""Raw numbers of an instance and its sizes to those of the same instance in other words."""

WORDS = ast.parse("import numpy as np\nfrom boundcheck import Count, E, Family, P, SquareMatrix, log, sqrt, theorem\n").body
"""What other words may need; what the file itself imports comes after, and wins."""


def same(raw: Raw, _sizes: Mapping[Any, int]) -> Raw:
    return raw


@dataclass
class Written:
    """A statement: the module, the name of its function, its domains, and how instances as first written are said here."""

    tree: ast.Module
    name: str
    domains: Mapping[str, Domain] = field(default_factory=dict)
    there: There = same

    def copy(self) -> Written:
        return Written(deepcopy(self.tree), self.name, self.domains)

    @property
    def function(self) -> ast.FunctionDef:
        return next(s for s in self.tree.body if isinstance(s, ast.FunctionDef) and s.name == self.name)

    @property
    def parameters(self) -> list[ast.arg]:
        return self.function.args.args

    @property
    def sizes(self) -> set[str]:
        """The names of dimensions."""
        return named_dims(self.domains)

    @property
    def definitions(self) -> dict[str, ast.stmt]:
        """What the module defines, by name."""
        return {name: s for s in self.tree.body for name in defined(s)}

    def begin(self, lines: str) -> None:
        """Put lines first in the body, after the docstring."""
        body = self.function.body
        first = int(isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant))
        body[first:first] = ast.parse(lines).body

    def before(self, lines: str) -> None:
        """Put lines before the statement."""
        k = self.tree.body.index(self.function)
        self.tree.body[k:k] = ast.parse(lines).body

    def fresh(self, stem: str) -> str:
        """A name like this one that the text does not have."""
        taken = {n for node in ast.walk(self.tree) for n in names_at(node)}
        while stem in taken:
            stem += "_"
        return stem

    def locals(self) -> set[str]:
        """The parameters of the statement and all names that its body binds."""
        return bound(self.function)

    def assigned(self) -> dict[str, ast.expr]:
        """What is assigned to a name once, in a line of its own."""
        stored = [n.id for n in ast.walk(self.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        lines = [s for s in self.function.body if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)]
        once = {s.targets[0].id: s.value for s in lines}  # type: ignore[attr-defined]
        return {name: value for name, value in once.items() if stored.count(name) == 1}

    def prune(self) -> None:
        """Leave imports, the statement, and what it needs of its file."""
        definitions = self.definitions
        met, left = {self.name}, [self.name]
        while left:
            statement = definitions[left.pop()]
            named = (read(statement) - bound(statement)) & definitions.keys()
            left += named - met
            met |= named
        imports = (ast.Import, ast.ImportFrom)
        self.tree.body = [s for s in self.tree.body if met & set(defined(s)) or isinstance(s, imports)]

    def text(self) -> str:
        return ast.unparse(ast.fix_missing_locations(self.tree)) + "\n"


def written(claim: Claim) -> Written:
    """The statement of a claim by the text of its file."""
    tree = ast.parse(Path(claim.file).read_text(encoding="utf-8"))
    imports = [s for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom)) and not getattr(s, "level", 0)]
    whole = Written(tree, claim.body.__name__, claim.parameters)
    source = ast.Constant(claim.source)
    whole.function.decorator_list = [ast.Call(ast.Name("theorem", ast.Load()), [source], [])]
    whole.tree.body = [*deepcopy(WORDS), *imports, *(s for s in tree.body if defined(s))]
    whole.prune()
    return whole


def defined(statement: ast.stmt) -> list[str]:
    """The names that a line of a module defines."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, ast.AnnAssign) else []
    return [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]


def names_at(node: ast.AST) -> list[str]:
    """The names that a node itself has."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.alias(asname=str(name)) | ast.alias(name=name):
            return [name]
        case ast.Constant(value=str(name)):
            return [name]
    return []


def bound(function: ast.AST) -> set[str]:
    """The names that a function binds: its arguments, and what it assigns, functions inside it included."""
    nodes = list(ast.walk(function))
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    inner = {n.name for n in nodes if isinstance(n, ast.FunctionDef) and n is not function}
    return stored | inner | {n.arg for n in nodes if isinstance(n, ast.arg)}


def read(node: ast.AST) -> set[str]:
    """The names that a node mentions."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class Renamed(ast.NodeTransformer):
    """Names replaced by expressions, arguments and targets by names."""

    def __init__(self, new: Mapping[str, ast.expr]):
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        given = self.new.get(node.id)
        if isinstance(given, ast.Name):
            return ast.Name(given.id, node.ctx)
        return node if given is None else deepcopy(given)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        given = self.new.get(node.arg)
        return ast.arg(given.id, node.annotation) if isinstance(given, ast.Name) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        given = self.new.get(node.name)
        node.name = given.id if isinstance(given, ast.Name) else node.name
        return self.generic_visit(node)


def renamed(node: Any, new: Mapping[str, str]) -> Any:
    """A node with other names."""
    return Renamed({old: ast.Name(name, ast.Load()) for old, name in new.items()}).visit(node)
