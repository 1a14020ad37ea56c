"""What is compared: a task, its contenders, and the ratios it is meant to reach."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

OURS = "boundcheck"
PLAIN = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Contender:
    """A way to do the job: what is timed, and how its result reads as our numbers (not timed)."""

    name: str
    call: Callable[[], Any]
    read: Callable[[Any], Any] = np.asarray


Build = Callable[[bool], Iterator[Contender]]

TASKS: dict[str, "Task"] = {}


@dataclass(frozen=True)
class Task:
    """A job that every contender does; `build(quick)` yields them, ours first."""

    name: str
    size: str
    best: float
    """The ratio to reach: CPU time of the fastest peer over ours."""
    plain: float
    """The same against the fastest of NumPy, SciPy and scikit-learn."""
    tolerance: float
    """Largest difference of the results, relative to their largest entry."""
    build: Build

    @property
    def key(self) -> str:
        return self.build.__name__


def task(name: str, size: str, best: float, plain: float, tolerance: float = 1e-10) -> Callable[[Build], Build]:
    """Register the contenders of a task under the name of the function that builds them."""

    def register(build: Build) -> Build:
        TASKS[build.__name__] = Task(name, size, best, plain, tolerance, build)
        return build

    return register


def optional(module: str) -> ModuleType | Any:
    """A peer's module, or None where it is not installed (`pip install -e '.[bench]'`)."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def compiled(function: Callable[..., Any], *arrays: Any) -> Callable[[], Any]:
    """A call of `jax.jit(function)` on JAX arrays that waits for the result."""
    jax = optional("jax")
    fast, arguments = jax.jit(function), [jax.numpy.asarray(a) for a in arrays]
    return lambda: jax.block_until_ready(fast(*arguments))
