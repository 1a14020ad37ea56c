"""A feature map in the style of scikit-learn: a class, its parameters, and the names of its size and of its seed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.exits import Refused

TRY = "give other --param or another --kernel"
SKLEARN = "pip install 'boundcheck[data]'"


class MapError(Refused):
    """The map or its kernel cannot be examined; the message says why and what to do."""


@dataclass(frozen=True)
class FeatureMap:
    """A class whose instances fit and transform; `size` and `seed` name the parameters for s and for the randomness."""

    cls: Callable[..., Any]
    parameters: dict[str, Any] = field(default_factory=dict)
    size: str = "n_components"
    seed: str = "random_state"
    usual: int = 12
    """A size to look at where any would do."""

    @property
    def name(self) -> str:
        return f"{self.cls.__module__}:{getattr(self.cls, '__qualname__', self.cls)}"

    @property
    def library(self) -> str:
        """The package that the class comes from, with its version if it is installed."""
        package = self.cls.__module__.split(".")[0]
        package = {"sklearn": "scikit-learn"}.get(package, package)
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            return package

    @property
    def random(self) -> bool:
        """Whether the constructor takes a seed."""
        return self._takes(self.seed)

    @property
    def sized(self) -> bool:
        """Whether s is the number of features, as for `n_components`."""
        return self.size == "n_components"

    def made(self, s: int, seed: int) -> Any:
        """A fresh instance with s features. Raises MapError if the constructor fails."""
        arguments = {**self.parameters, **({self.size: s} if self._takes(self.size) else {}), **({self.seed: seed} if self.random else {})}
        try:
            return self.cls(**arguments)
        except Exception as error:
            raise MapError(f"{self._call(arguments)} fails ({sentence(error)}); give other --param.") from error

    def fitted(self, s: int, seed: int, data: NDArray) -> Any:
        """A fresh instance fitted on data (n, d). Raises MapError."""
        return self.fit(self.made(s, seed), data)

    def fit(self, made: Any, data: NDArray) -> Any:
        """An instance after fit on data (n, d). Raises MapError."""
        try:
            made.fit(data)
        except Exception as error:
            raise MapError(f"fit of {self.name} fails ({sentence(error)}); {TRY}.") from error
        return made

    def features(self, s: int, seed: int, data: NDArray, points: NDArray) -> NDArray:
        """phi of the points (p, d), shape (p, features), after a fit on data, both of them copies. Raises MapError."""
        return transformed(self.fitted(s, seed, data.copy()), points.copy())

    def default(self, name: str) -> Any:
        """The value of a constructor parameter, as given or by default; None if there is none."""
        if name in self.parameters:
            return self.parameters[name]
        found = _parameters(self.cls).get(name)
        return None if found is None or found.default is Parameter.empty else found.default

    def _takes(self, name: str) -> bool:
        found = _parameters(self.cls)
        return name in found or any(p.kind is Parameter.VAR_KEYWORD for p in found.values())

    def _call(self, arguments: dict[str, Any]) -> str:
        return f"{self.cls.__name__}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def transformed(fitted: Any, points: NDArray) -> NDArray:
    """phi of the points (p, d), dense. Raises MapError."""
    try:
        return np.asarray(fitted.transform(points))
    except Exception as error:
        raise MapError(f"transform of {type(fitted).__name__} fails ({sentence(error)}); {TRY}.") from error


def torch_map(make: Callable[..., Any]) -> type:
    """A map of modules of PyTorch: make(d, s, **parameters) gives one from a tensor (n, d) to (n, s).

    They are made under torch.manual_seed(random_state), in the dtype of the data, without gradients.
    Its tensors are attributes of the fitted map.
    """

    class TorchMap:
        __doc__ = getattr(make, "__doc__", None)

        def __init__(self, n_components: int = 100, random_state: int = 0, **parameters: Any):
            self.given = {"n_components": n_components, "random_state": random_state, **parameters}

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return dict(self.given)

        def set_params(self, **parameters: Any) -> Any:
            self.given |= parameters
            return self

        def fit(self, X: NDArray, y: object = None) -> Any:
            torch, others = import_module("torch"), dict(self.given)
            s, seed = others.pop("n_components"), others.pop("random_state")
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                self.module = make(X.shape[1], s, **others).to(torch.as_tensor(X).dtype)
            for name, tensor in self.module.state_dict().items():
                setattr(self, f"{name.replace('.', '_')}_", tensor.detach().cpu().numpy())
            return self

        def transform(self, X: NDArray) -> NDArray:
            torch = import_module("torch")
            with torch.no_grad():
                return self.module(torch.as_tensor(X)).cpu().numpy()

    TorchMap.__module__, TorchMap.__qualname__ = make.__module__, getattr(make, "__qualname__", "TorchMap")
    return TorchMap


def named(target: str, what: str) -> Any:
    """What MODULE:NAME names, imported from the path and the current folder. Raises MapError."""
    module, _, name = target.partition(":")
    if not module or not name:
        raise MapError(f"{target!r} names no {what}; write MODULE:NAME, say sklearn.kernel_approximation:RBFSampler.")
    sys.path.insert(0, "")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        hint = f"; run {SKLEARN}" if (error.name or "").startswith("sklearn") else "; check the name and the current folder"
        raise MapError(f"There is no module {error.name!r}{hint}.") from error
    except AttributeError as error:
        raise MapError(f"{module!r} has no {what} {name!r}; check the name.") from error
    except Exception as error:
        raise MapError(f"{module!r} cannot be imported ({sentence(error)}); repair it first.") from error
    finally:
        sys.path.remove("")


def sentence(error: BaseException) -> str:
    """An exception on one line, without a full stop."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}".rstrip(". ")


@cache
def _parameters(cls: Callable[..., Any]) -> dict[str, Parameter]:
    try:
        return dict(signature(cls).parameters)
    except (TypeError, ValueError):
        return {}
