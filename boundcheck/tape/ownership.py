"""Which arrays a body has made itself, so that it may fill them: nothing else sees them change."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from boundcheck.tape.table import MADE_HERE, OF_DRAWS


class Ownership:
    """Which names of a function hold what it has just made and nothing else sees.

    Such an array may be filled. Its first use but for a number of it ends that: what comes after may not change
    it, for a view, another name, or whoever it was handed to would change with it. A list is Python's own, and
    runs as it reads.
    """

    def __init__(
        self,
        top: Any,
        is_new: Callable[[ast.expr | None], bool],
        is_keeper: Callable[[ast.Call], bool],
    ):
        self.parents = {
            child: node
            for node in ast.walk(top)
            for child in ast.iter_child_nodes(node)
        }
        self.uses: dict[str, list[ast.Name]] = {}
        self.given: dict[str, list[ast.expr | None]] = {}
        self.is_new, self.is_keeper = is_new, is_keeper
        for node in ast.walk(top):
            if isinstance(node, ast.Name):
                self.uses.setdefault(node.id, []).append(node)
            for name, value in _givings(node):
                self.given.setdefault(name, []).append(value)

    def may_fill(self, name: str, depth: int = 0) -> bool:
        """Whether entries of it may be stored to, or those of its rows: `depth` is how many indices come before."""
        given = self.given.get(name, [None])
        if depth:
            return all(_is_list_of_lists(value, depth) for value in given)
        return all(map(is_list, given)) or (
            all(map(_is_array, given)) and self._is_alone(name)
        )

    def may_add_to(self, name: str) -> bool:
        """Whether `name += x` changes nothing that something else sees."""
        given = self.given.get(name, [None])
        return all(map(_is_number, given)) or (
            all(map(self.is_new, given)) and self._is_alone(name)
        )

    def _is_alone(self, name: str) -> bool:
        """Whether all that is stored in it is stored before it is used but for a number of it."""
        stores = [use for use in self.uses[name] if self._is_stored_to(use)]
        last = max((self._end_of_loop(store) for store in stores), default=0)
        others = (
            use
            for use in self.uses[name]
            if use not in stores and not self._is_read(use)
        )
        return all(use.lineno > last for use in others)

    def _is_stored_to(self, use: ast.Name) -> bool:
        parent = self.parents[use]
        filled = (
            isinstance(parent, ast.Subscript)
            and parent.value is use
            and isinstance(parent.ctx, ast.Store)
        )
        return filled or isinstance(use.ctx, ast.Store)

    def _is_read(self, use: ast.Name) -> bool:
        """Whether it is read for what is new: arithmetic, a decision, a number of its entries."""
        inner: ast.AST = use
        parent = self.parents[use]
        while isinstance(parent, ast.Subscript) and parent.value is inner:
            inner, parent = parent, self.parents[parent]
        if isinstance(parent, ast.Attribute):
            return parent.attr in ("shape", "size", "ndim")
        if isinstance(parent, ast.Call):
            return self.is_new(parent) and not self.is_keeper(parent)
        return isinstance(parent, READING) or self._is_copied_into(parent)

    def _is_copied_into(self, parent: ast.AST) -> bool:
        """Whether what a statement assigns is stored in entries of an array, which copies it; a list does not."""
        targets = parent.targets if isinstance(parent, ast.Assign) else []
        wholes = [
            t.value if isinstance(t, ast.Subscript) else None for t in targets
        ]
        return bool(wholes) and all(
            isinstance(whole, ast.Name)
            and all(map(_is_array, self.given.get(whole.id, [None])))
            for whole in wholes
        )

    def _end_of_loop(self, node: Any) -> Any:
        """The last line of the outermost loop around a store: the store comes again after all of it."""
        end, here = node.lineno, node
        while here in self.parents:
            here = self.parents[here]
            if isinstance(here, (ast.For, ast.While)):
                end = here.end_lineno
        return end


READING = (
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.If,
    ast.While,
    ast.Subscript,
)
"""What makes something new of a value, or decides by it."""


def _givings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node binds, each with what it is made, or None where that is something else's."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and isinstance(
        node.target, ast.Name
    ):
        yield node.target.id, node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from _unpacked(
            node.target, node.iter if _is_of_range(node.iter) else None
        )
    elif isinstance(node, ast.arg):
        yield node.arg, None


def _unpacked(
    target: ast.expr, value: ast.expr | None
) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Starred):
        yield from _unpacked(target.value, None)
    elif isinstance(target, (ast.Tuple, ast.List)):
        values: list[Any] = [None] * len(target.elts)
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(
            values
        ):
            values = list(value.elts)
        for entry, part in zip(target.elts, values, strict=True):
            yield from _unpacked(entry, part)


def is_list(value: ast.expr | None) -> bool:
    """Whether an expression makes a list or a dictionary of Python."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return isinstance(value.left, ast.List)
    called = isinstance(value, ast.Call) and ast.unparse(value.func) in (
        "list",
        "sorted",
        "dict",
    )
    return called or isinstance(
        value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp)
    )


def _is_list_of_lists(value: ast.expr | None, depth: int) -> bool:
    """Whether what stands so many indices deep in it is a list: the row of an array is a view."""
    if depth == 0:
        return is_list(value)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        value = value.left
    rows = (
        value.elts
        if isinstance(value, ast.List)
        else [value.elt]
        if isinstance(value, ast.ListComp)
        else []
    )
    return bool(rows) and all(_is_list_of_lists(row, depth - 1) for row in rows)


def _is_array(value: ast.expr | None) -> bool:
    """Whether an expression makes an array of floats that nothing else sees."""
    if is_draw(value):
        return True
    if not isinstance(value, ast.Call) or value.keywords:
        return False
    copied = (
        isinstance(value.func, ast.Attribute)
        and value.func.attr == "copy"
        and not value.args
    )
    return copied or ast.unparse(value.func) in MADE_HERE


def is_draw(value: ast.expr | None) -> bool:
    """Whether an expression draws from the generator that a sampler is given."""
    called = value.func if isinstance(value, ast.Call) else None
    return (
        isinstance(called, ast.Attribute)
        and called.attr in OF_DRAWS
        and isinstance(called.value, ast.Name)
    )


def _is_of_range(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "range"


def _is_number(value: ast.expr | None) -> bool:
    """Whether an expression is a number for anyone who reads it."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in ("len", "int", "float", "range")
    return isinstance(value, ast.Constant)
