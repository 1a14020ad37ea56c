"""A recorded program read for a population of instances: values, path conditions, scores, derivatives.

The largest and smallest of many entries are softened on the way: the best of the least of many has kinks wherever
one climbs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import prod
from typing import Any

import numpy as np

from boundcheck.checking.search.atoms import Atoms
from boundcheck.checking.search.scores import SCORES, Seeds, Walled, event_pairs
from boundcheck.operations import OPERATIONS
from boundcheck.operations.operation import deepened, led
from boundcheck.tape import NotTraceable, Tape
from boundcheck.tape.program import reached

Fields = Mapping[str, Any]
Values = dict[int, np.ndarray]
"""Values of nodes, members of the population along the first axis; of length 1 where all have the same."""

MOST_ENTRIES = 20_000
"""Numbers of one member; arrays so large take their time anyway."""

SIZED = {
    "neg": 1,
    "abs": 1,
    "add": 2,
    "sub": 2,
    "mul": 2,
    "div": 1,
    "pow": 1,
    "sqrt": 1,
    "sum": 1,
    "max": 1,
    "maximum": 2,
    "gather": None,
    "matmul": 2,
    "prod": 1,
    "cumsum": 1,
    "det": 1,
}
"""How many operands of an operation the size of its result is computed from, alike; None for all."""

KINKED = {
    "abs",
    "ceil",
    "floor",
    "max",
    "maximum",
    "min",
    "minimum",
    "mod",
    "rint",
    "sign",
    "sort",
}
GIVEN = ("input", "const", "random", "drawn")
TEMPERATURES = (0.1, 0.03, 0.01, 0.003)
"""Differences of entries that count as one, in units of the largest or smallest one, one after the other."""

HEIGHTS = (0.1, 0.01, 0.001)
"""What it costs to come nearer to a wall by a factor e, one after the other."""

ORDERS = ("le", "lt", "ge", "gt")

FEW = 2
"""Entries of which one is passed without a climb of its own."""

ROUNDED = 1e-12
"""Sides of a path condition that differ by less, relatively, count as equal: the body decides."""


def slack(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What rounding may make of the difference of two sides of a path condition."""
    return ROUNDED * (np.abs(x) + np.abs(y))


def _is_psd(A: np.ndarray) -> np.ndarray:
    sound = np.asarray(np.isfinite(A).all(axis=(-2, -1)))
    values = np.linalg.eigvalsh(np.where(sound[..., None, None], A, 0.0))
    return sound & (values[..., 0] >= -1e-9 * np.abs(values).max(axis=-1))


RELATIONS: dict[str, Callable[..., np.ndarray]] = {
    "le": lambda x, y: x <= y + slack(x, y),
    "lt": np.less,
    "ge": lambda x, y: x + slack(x, y) >= y,
    "gt": np.greater,
    "eq": lambda x, y: np.abs(x - y) <= slack(x, y),
    "ne": np.not_equal,
    "near": lambda x, y: np.abs(x - y) <= 1e-12 + slack(x, y),
    "whole": lambda x: x == np.rint(x),
    "symmetric": lambda A: (
        np.abs(A - np.swapaxes(A, -1, -2)) <= slack(A, np.swapaxes(A, -1, -2))
    ),
    "psd": _is_psd,
}


@dataclass
class Program:
    """What a conclusion and the path conditions of a tape need, for instances of its shape on its path.

    Raises NotTraceable where a conclusion or an operation is of a kind that populations do not know.
    """

    tape: Tape
    conclusion: dict[str, Any]
    magnitudes: dict[int, int] = field(default_factory=dict)
    led: dict[int, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kind = self.conclusion["kind"]
        unknown = {kind} - set(SCORES) or {
            h["relation"] for h in self.tape.hypotheses
        } - set(RELATIONS)
        if unknown:
            raise NotTraceable(f"populations know no {unknown}")
        self.nodes, self.given = list(self.tape.nodes), list(self.tape.values)
        self.atoms = {k: Atoms.behind(self.tape, k) for k in self._averaged()}
        self.score = SCORES[kind](self)
        weights = [j for atoms in self.atoms.values() for j in atoms.nodes]
        guards = [k for h in self.tape.hypotheses for k in h["args"]]
        self.order = sorted(
            reached([*self.score.roots, *weights, *guards], self._operands)
        )
        self.live = self._live()
        self.inputs = {
            self.nodes[k]["name"]: k
            for k in self.order
            if self.nodes[k]["op"] == "input"
        }
        self.fixed: Values = {}
        for k in self.order:
            if not self.live[k]:
                self.fixed[k] = self._forward(k, self.fixed)
        self.moving = [k for k in self.order if self.live[k]]
        self.entries = sum(max(np.size(self.given[k]), 1) for k in self.moving)
        spectra = [
            kind == "loewner",
            *(h["relation"] == "psd" for h in self.tape.hypotheses),
        ]
        self.matrices = sum(self._factorised(k) for k in self.moving) + sum(
            spectra
        )
        if self.entries > MOST_ENTRIES:
            raise NotTraceable("a population of programs so large is no gain")
        self.back = [
            k
            for k in sorted(
                reached([*self.score.roots, *weights], self._operands),
                reverse=True,
            )
            if self.live[k]
        ]

    def softer(self) -> list[Program]:
        """The same with ever less soft largest and smallest entries; none where no such entries move."""
        tapes = (softened(self.tape, self.live, t) for t in TEMPERATURES)
        return [
            Program(tape, self.conclusion) for tape in tapes if tape is not None
        ]

    def walled(self) -> list[Program]:
        """The same, ever less kept off the walls; none where there are no walls."""
        walls = self.walls
        if not walls:
            return []
        found = []
        for height in HEIGHTS:
            program = Program(self.tape, self.conclusion)
            program.led, program.score = (
                self.led,
                Walled(self.score, walls, height),
            )
            roots = [
                *program.score.roots,
                *(j for atoms in self.atoms.values() for j in atoms.nodes),
            ]
            program.back = [
                k
                for k in sorted(reached(roots, self._operands), reverse=True)
                if self.live[k]
            ]
            found.append(program)
        return found

    @cached_property
    def walls(self) -> list[tuple[int, int]]:
        """Both sides of hypotheses that are inequalities, and of events, but for the ranges of inputs."""
        pairs = [
            h["args"] for h in self.tape.hypotheses if h["relation"] in ORDERS
        ]
        if "event" in self.conclusion:
            pairs += event_pairs(self.conclusion["event"])
        ops = ({self.nodes[k]["op"] for k in pair} for pair in pairs)
        moving = (self.live[i] or self.live[j] for i, j in pairs)
        return [
            (i, j)
            for (i, j), op, moves in zip(pairs, ops, moving, strict=True)
            if moves and not op <= {"input", "const"}
        ]

    def _averaged(self) -> list[int]:
        """The nodes that are averages over atoms."""
        return [k for k, node in enumerate(self.nodes) if node["op"] == "mean"]

    def _operands(self, k: int) -> list[int]:
        return [
            *self.nodes[k]["args"],
            *(self.atoms[k].nodes if k in self.atoms else []),
        ]

    def _live(self) -> list[bool]:
        """Which nodes depend on an input."""
        live = [False] * len(self.nodes)
        for k in self.order:
            live[k] = self.nodes[k]["op"] == "input" or any(
                live[j] for j in self._operands(k)
            )
        return live

    def _factorised(self, k: int) -> int:
        """The matrices of one member that a node factorises."""
        op, args = self.nodes[k]["op"], self.nodes[k]["args"]
        of_matrices = op == "mirrored" or (
            op in OPERATIONS and OPERATIONS[op].axes == 2 and op != "matmul"
        )
        return prod(self.given[args[0]].shape[:-2]) if of_matrices else 0

    def magnitude(self, k: int) -> int:
        """The node that computes the size of a number: its program with absolute values, uncancelled."""
        needed, stack = set(), [k]
        while stack:
            j = stack.pop()
            if j not in needed and j not in self.magnitudes:
                needed.add(j)
                stack.extend(self._sized(j))
        for j in sorted(needed):
            self.magnitudes[j] = self._size(j)
        return self.magnitudes[k]

    def _sized(self, k: int) -> list[int]:
        """The operands whose sizes make that of a node."""
        op, args = self.nodes[k]["op"], self.nodes[k]["args"]
        if op == "pow" and not (
            self.nodes[args[1]]["op"] == "const"
            and np.all(self.given[args[1]] > 0)
        ):
            return []
        return args[: SIZED[op]] if op in SIZED else []

    def _size(self, k: int) -> int:
        """The same where those of its operands are known."""
        node, op = self.nodes[k], self.nodes[k]["op"]
        args = [self.magnitudes[j] for j in self._sized(k)]
        if op in ("neg", "abs"):
            return args[0]
        if not args:
            return self._push({"op": "abs", "args": [k]}, k)
        if op == "det":
            return self._volume(args[0])
        if op == "div":
            args.append(
                self._push(
                    {"op": "abs", "args": node["args"][1:]}, node["args"][1]
                )
            )
        args += node["args"][1:] if op == "pow" else []
        return self._push(
            {**node, "op": {"sub": "add"}.get(op, op), "args": args}, k
        )

    def _volume(self, k: int) -> int:
        """Hadamard's bound of a determinant: the product of the norms of the rows."""
        A = np.abs(self.given[k])
        self.nodes.append({"op": "mul", "args": [k, k]})
        self.given.append(A * A)
        for op, axis in (
            ("sum", A.ndim - 1),
            ("sqrt", None),
            ("prod", A.ndim - 2),
        ):
            axes = {} if axis is None else {"axes": [axis], "keepdims": False}
            x = self.given[-1]
            self.nodes.append({"op": op, "args": [len(self.nodes) - 1], **axes})
            self.given.append(x if axis is None else np.zeros(x.shape[:-1]))
        return len(self.nodes) - 1

    def _push(self, node: dict[str, Any], like: int) -> int:
        self.nodes.append(node)
        self.given.append(self.given[like])
        return len(self.nodes) - 1

    def _forward(self, k: int, values: Values) -> np.ndarray:
        node = self.nodes[k]
        if node["op"] in GIVEN:
            return np.asarray(self.given[k], dtype=float)[None]
        operands = [values[j] for j in node["args"]]
        if k in self.atoms:
            return self.atoms[k].mean(values, operands[0])
        entry, fields = entry_of(node["op"]), self.fields(k)
        try:
            return entry.over(fields, *operands, lead=1)
        except np.linalg.LinAlgError:
            shape = self.given[k].shape
            return one_by_one(
                lambda *xs: [entry.over(fields, *xs, lead=1)], operands, [shape]
            )[0]

    def fields(self, k: int) -> dict[str, Any]:
        """What a node says beside its operands, for members along the first axis."""
        if k not in self.led:
            node = self.nodes[k]
            index = (
                {"index": np.asarray(node["index"], dtype=int)}
                if "index" in node
                else {}
            )
            self.led[k] = {**led(node, 1), **index}
        return self.led[k]

    def run(self, inputs: Mapping[str, np.ndarray]) -> Values:
        """The values of all nodes; inputs by name, members first."""
        values = dict(self.fixed)
        for k, function, args in self._steps:
            if function is None:
                node = self.nodes[k]
                values[k] = (
                    inputs[node["name"]]
                    if node["op"] == "input"
                    else self._forward(k, values)
                )
                continue
            try:
                values[k] = function(*[values[j] for j in args])
            except np.linalg.LinAlgError:
                values[k] = self._forward(k, values)
        return values

    @cached_property
    def _steps(
        self,
    ) -> list[tuple[int, Callable[..., np.ndarray] | None, list[int]]]:
        """The nodes that move, and the function of those whose operands are all as deep."""
        return [
            (k, self._direct(k), self.nodes[k]["args"]) for k in self.moving
        ]

    def _direct(self, k: int) -> Callable[..., np.ndarray] | None:
        op, depths = (
            self.nodes[k]["op"],
            {self.given[j].ndim for j in self.nodes[k]["args"]},
        )
        if (
            op in GIVEN
            or op not in OPERATIONS
            or k in self.atoms
            or len(depths) > 1
        ):
            return None
        return partial(OPERATIONS[op].value, self.fields(k))

    def holds(self, values: Values, count: int) -> np.ndarray:
        """Which members satisfy the hypotheses and take the path of the program."""
        holds = np.ones(count, dtype=bool)
        for h in self.tape.hypotheses:
            sides = [values[k] for k in h["args"]]
            true = RELATIONS[h["relation"]](
                *(deepened(sides, 1) if len(sides) > 1 else sides)
            )
            holds &= true.reshape(len(true), -1).all(axis=1)
        return holds

    def scores(
        self, inputs: Mapping[str, np.ndarray], count: int
    ) -> np.ndarray:
        """How far each member is from obeying the statement, as a look says; -inf where it does not count."""
        with np.errstate(all="ignore"):
            values = self.run(inputs)
            score, _ = self.score(values, count)
            return self._counting(score, values, count)

    def _counting(
        self, score: np.ndarray, values: Values, count: int
    ) -> np.ndarray:
        counts = self.holds(values, count) & np.isfinite(score)
        return np.where(counts, score, -np.inf)

    @property
    def branches(self) -> bool:
        """Whether other instances of the shape may take another path."""
        return not all(self.tape.assumed)

    @property
    def kinked(self) -> bool:
        """Whether the derivative jumps somewhere."""
        return any(node["op"] in KINKED for node in self.tape.nodes)

    def gradients(
        self, inputs: Mapping[str, np.ndarray], count: int
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The scores and their derivatives in the inputs, by name."""
        with np.errstate(all="ignore"):
            values = self.run(inputs)
            score, seeds = self.score(values, count)
            score = self._counting(score, values, count)
            return score, self._backward(values, seeds)

    def _backward(self, values: Values, seeds: Seeds) -> dict[str, np.ndarray]:
        cotangents: dict[int, np.ndarray] = {}

        def send(j: int, g: np.ndarray | None) -> None:
            if g is not None and self.live[j]:
                cotangents[j] = cotangents[j] + g if j in cotangents else g

        for j, g in seeds():
            send(j, g)
        for k in self.back:
            g, node = cotangents.get(k), self.nodes[k]
            if g is None or node["op"] == "input":
                continue
            operands = [values[j] for j in node["args"]]
            if k in self.atoms:
                for j, h in self.atoms[k].pulled(
                    values, g, operands[0], node["args"][0]
                ):
                    send(j, h)
                continue
            for j, h in zip(
                node["args"],
                self._pulled(k, g, values[k], operands),
                strict=True,
            ):
                send(j, h)
        return {
            name: cotangents[k]
            for name, k in self.inputs.items()
            if k in cotangents
        }

    def _pulled(
        self,
        k: int,
        g: np.ndarray,
        value: np.ndarray,
        operands: list[np.ndarray],
    ) -> Any:
        entry, fields = entry_of(self.nodes[k]["op"]), self.fields(k)
        try:
            return entry.pulled(fields, g, value, *operands, lead=1)
        except np.linalg.LinAlgError:
            shapes = [x.shape[1:] for x in operands]
            return one_by_one(
                lambda g, v, *xs: entry.pulled(fields, g, v, *xs, lead=1),
                [g, value, *operands],
                shapes,
            )


def mirrored(tape: Tape, conclusion: dict[str, Any]) -> Tape | None:
    """The program with absolute values on the left as negatives, singular values as eigenvalues times -1.

    An absolute value is the larger of two numbers, and a climber only meets the one he starts at. None if
    there is none, or the statement is not about plain numbers. What the two say differs: look at the first.
    """
    if conclusion["kind"] != "at_most" or tape.laws:
        return None
    left, right = (reached([k], tape.operands) for k in conclusion["args"])
    turned = {k for k in left - right if _turns(tape, k)}
    return _turned(tape, turned) if turned else None


def _turns(tape: Tape, k: int) -> bool:
    node = tape.nodes[k]
    if node["op"] != "svdvals":
        return node["op"] == "abs"
    A = tape.values[node["args"][0]]
    return (
        A.ndim == 2
        and A.shape[0] == A.shape[1] > 1
        and np.allclose(A, A.T, rtol=1e-9, atol=0)
    )


def _turned(tape: Tape, turned: set[int]) -> Tape:
    """Singular values decrease and eigenvalues increase, so that their negatives decrease."""
    new = Tape(hypotheses=tape.hypotheses)
    new.nodes, new.values = list(tape.nodes), list(tape.values)
    for k in turned:
        node, value = tape.nodes[k], tape.values[k]
        new.nodes[k] = {
            **node,
            "op": {"abs": "neg"}.get(node["op"], "mirrored"),
        }
        new.values[k] = value
    return new


def one_by_one(
    function: Callable[..., Any],
    operands: list[np.ndarray],
    shapes: Sequence[tuple[int, ...]],
) -> list[np.ndarray]:
    """Some functions of all members at once; nan for members that linear algebra gives up on."""
    try:
        return function(*operands)
    except np.linalg.LinAlgError:
        count = max(map(len, operands))
        wide = [np.broadcast_to(x, (count, *x.shape[1:])) for x in operands]
        sound = np.logical_and.reduce(
            [np.isfinite(x).reshape(count, -1).all(axis=1) for x in wide]
        )
        found = [np.full((count, *shape), np.nan) for shape in shapes]
        _halved(function, wide, np.flatnonzero(sound), found)
        return found


def _halved(
    function: Callable[..., Any],
    operands: list[np.ndarray],
    members: np.ndarray,
    found: list[np.ndarray],
) -> None:
    """Fill in the results of some members, of ever smaller parts of them where one stands in the way."""
    if not members.size:
        return
    try:
        for whole, part in zip(
            found, function(*(x[members] for x in operands)), strict=True
        ):
            if part is not None:
                whole[members] = part
    except np.linalg.LinAlgError:
        if members.size > 1:
            _halved(function, operands, members[: members.size // 2], found)
            _halved(function, operands, members[members.size // 2 :], found)


def softened(tape: Tape, live: list[bool], temperature: float) -> Tape | None:
    """The program with largest and smallest of many entries softened; None if there are none that move."""
    extremes = [
        k
        for k, node in enumerate(tape.nodes)
        if node["op"] in ("max", "min") and live[k]
    ]
    soft = [k for k in extremes if _merged(tape, k) > FEW]
    if not soft:
        return None
    new = Tape(hypotheses=tape.hypotheses, laws=tape.laws)
    new.nodes, new.values = list(tape.nodes), list(tape.values)
    for k in soft:
        sign = 1 if tape.nodes[k]["op"] == "max" else -1
        new.nodes[k] = {
            **tape.nodes[k],
            "op": "softened",
            "temperature": sign * temperature,
        }
    return new


def _merged(tape: Tape, k: int) -> int:
    """Of how many entries one is taken."""
    return np.size(tape.values[tape.nodes[k]["args"][0]]) // max(
        np.size(tape.values[k]), 1
    )


class Softened:
    """T log sum exp(x / T), T a share of the largest entry; at a negative temperature of the smallest."""

    def over(self, fields: Fields, x: np.ndarray, lead: int = 0) -> np.ndarray:
        top, T, _, total = self._parts(fields, x)
        soft = np.sign(fields["temperature"]) * (top + T * np.log(total))
        return (
            soft
            if fields.get("keepdims")
            else np.squeeze(soft, axis=tuple(fields["axes"]))
        )

    def pulled(
        self,
        fields: Fields,
        g: np.ndarray,
        value: np.ndarray,
        x: np.ndarray,
        lead: int = 0,
    ) -> list[np.ndarray]:
        axes = tuple(fields["axes"])
        top, _, z, total = self._parts(fields, x)
        weights, hot = np.exp(z) / total, z == 0
        spread = np.log(total) - np.sum(
            weights * z, axis=axes, keepdims=True
        )  # the derivative in T
        moved = (
            np.abs(fields["temperature"])
            * np.sign(top)
            * hot
            / hot.sum(axis=axes, keepdims=True)
        )
        return [
            (g if fields.get("keepdims") else np.expand_dims(g, axes))
            * (weights + spread * moved)
        ]

    def _parts(
        self, fields: Fields, x: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The largest entry, T, by how many T the others lie below it, and the sum of their exponentials."""
        axes, y = tuple(fields["axes"]), x * np.sign(fields["temperature"])
        top = y.max(axis=axes, keepdims=True)
        T = np.abs(fields["temperature"] * top)
        z = np.where(y == top, 0.0, (y - top) / np.where(T > 0, T, 1e-300))
        return top, T, z, np.exp(z).sum(axis=axes, keepdims=True)


class Mirrored:
    """The eigenvalues of the negative of a symmetric matrix, largest first."""

    def over(self, fields: Any, A: np.ndarray, lead: int = 0) -> np.ndarray:
        return -OPERATIONS["eigvalsh"].over(fields, A, lead=lead)

    def pulled(
        self,
        fields: Any,
        g: np.ndarray,
        value: np.ndarray,
        A: np.ndarray,
        lead: int = 0,
    ) -> Any:
        return OPERATIONS["eigvalsh"].pulled(fields, -g, -value, A, lead=lead)


def entry_of(op: str) -> Any:
    if op == "mirrored":
        return Mirrored()
    if op == "softened":
        return Softened()
    if op not in OPERATIONS:
        raise NotTraceable(f"populations know no operation {op}")
    return OPERATIONS[op]
