"""A small data set in every format that needs no optional library."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np

VALUES = np.random.default_rng(0).normal(size=(12, 3))


def saved(save: Callable[..., None], *arrays: Any, **named: Any) -> bytes:
    """What `save` writes."""
    buffer = io.BytesIO()
    save(buffer, *arrays, **named)
    return buffer.getvalue()


def _libsvm() -> bytes:
    rows = (" ".join([f"{y:.3f}", *(f"{j}:{x:.3f}" for j, x in enumerate(row, 1))]) for *row, y in VALUES)
    return "\n".join(rows).encode()


FILES = {
    "t.csv": b"a,b,y\n" + saved(np.savetxt, VALUES, delimiter=","),
    "t.tsv": saved(np.savetxt, VALUES, delimiter="\t"),
    "t.svm": _libsvm(),
    "t.npz": saved(np.savez, X=VALUES[:, :2], y=VALUES[:, 2]),
    "u.npz": saved(np.savez_compressed, VALUES),
    "t.npy": saved(np.save, VALUES),
}
