"""Good files of every kind that boundcheck reads, and ways to spoil them."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import random
from typing import Any

import numpy as np

from tests.data_files import FILES, saved

NONSENSE: tuple[Any, ...] = (
    3, 10**9, 0.1, -1e-9, False, [1.0, 2.0], [[64, 3, 0]],
    None, [], {}, "", "x", -1, 0, 0.5, 10**30, -(10**400), 1e308, 1e-320, float("nan"), float("inf"), True, [[]], {"a": 1}, "\x1b[31mred",
    "\ud800", "a" * 10_000, "../../../etc/passwd", "<script>alert(1)</script>", "1/0", "9" * 30_000, "REFUTED", "2.0", "canary",
    "__import__('canary')", {"__class__": "canary"}, [[1, 2], [3]], {"array": [1e9], "shape": [10**9, 10**9], "kind": "f"},
)  # fmt: skip
JUNK = (b"", b"[" * 5000, b"9" * 400, b"1e999", b"nan", b"\x00", b"\n", b",", b'"', b"-", b"= 1\n", b"\xef\xbb\xbf")


class Canary:
    """Whoever unpickles it makes a folder."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("canary-was-loaded",)


def data_files() -> dict[str, bytes]:
    """A small data set in every format; the last three hold objects, which must not be unpickled."""
    objects = np.array([Canary(), Canary()], dtype=object)
    return {
        "t.csv": FILES["t.csv"],
        "t.csv.gz": gzip.compress(FILES["t.csv"], mtime=0),
        **FILES,
        "o.npy": saved(np.save, objects, allow_pickle=True),
        "o.npz": saved(np.savez, X=objects, y=objects),
        "p.npy": pickle.dumps(Canary()),
    }


def spoiled(data: bytes, rng: random.Random) -> bytes:
    """Bytes changed anywhere, or, of JSON, one to three values deleted or replaced by nonsense, mostly of their own type."""
    if data[:1] == b"{" and rng.random() < 0.6:
        return _nonsense(json.loads(data), rng)
    for _ in range(rng.randint(1, 4)):
        i, j = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        near = min(j, i + rng.choice((1, 2, 8)))
        junk = rng.choice(JUNK) or rng.randbytes(4)
        cuts = data[:i], data[:i] + data[near:], data[:j] + data[i:]
        data = rng.choice([*cuts, data[:i] + junk + data[i:], data[:i] + junk + data[near:]])
    return data


def _nonsense(content: Any, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 3)):
        places = list(_places(content))
        if not places:
            break
        parent, key = rng.choice(places)
        if rng.random() < 0.2:
            del parent[key]
        else:
            alike = [new for new in NONSENSE if type(new) is type(parent[key])]
            parent[key] = rng.choice(alike if alike and rng.random() < 0.7 else NONSENSE)
    return json.dumps(content).encode()


def _places(value: Any) -> Any:
    """Every container and a key in it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])
