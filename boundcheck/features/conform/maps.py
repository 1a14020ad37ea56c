"""A feature map in the style of scikit-learn: class, parameters, size, seed; what is known of its own."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from inspect import Parameter, signature
from math import inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boundcheck.exits import Refused
from boundcheck.features.conform.kernels import (
    NAMED,
    Kernel,
    additive_chi2,
    gaussian,
    polynomial,
    skewed_chi2,
)
from boundcheck.features.kernels import Matrix, Vector


class MapError(Refused):
    """The map or its kernel cannot be examined; the message says why and what to do."""


@contextmanager
def failing(
    what: str, mend: str = "give other --param or another --kernel"
) -> Iterator[None]:
    """A user's code: whatever it raises is a MapError."""
    try:
        yield
    except Exception as error:
        raise MapError(f"{what} fails ({sentence(error)}); {mend}.") from error


@dataclass(frozen=True)
class FeatureMap:
    """A class whose instances fit and transform; `size` and `seed` name the parameters of s and chance."""

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
        own = {
            name: value
            for name, value in ((self.size, s), (self.seed, seed))
            if self._takes(name)
        }
        arguments = {**self.parameters, **own}
        given = ", ".join(
            f"{name}={value!r}" for name, value in arguments.items()
        )
        call = f"{getattr(self.cls, '__name__', self.cls)}({given})"
        with failing(call, "give other --param"):
            return self.cls(**arguments)

    def fitted(self, s: int, seed: int, data: NDArray) -> Any:
        """A fresh instance fitted on data (n, d). Raises MapError."""
        return self.fit(self.made(s, seed), data)

    def fit(self, made: Any, data: NDArray) -> Any:
        """An instance after fit on data (n, d). Raises MapError."""
        with failing(f"fit of {self.name}"):
            made.fit(data)
        return made

    def features(
        self, s: int, seed: int, data: NDArray, points: NDArray
    ) -> NDArray:
        """phi of the points (p, d), shape (p, features), after a fit on data (copies). Raises MapError."""
        return transformed(self.fitted(s, seed, data.copy()), points.copy())

    def default(self, name: str) -> Any:
        """The value of a constructor parameter, as given or by default; None if there is none."""
        if name in self.parameters:
            return self.parameters[name]
        found = _parameters(self.cls).get(name)
        return (
            None
            if found is None or found.default is Parameter.empty
            else found.default
        )

    def _takes(self, name: str) -> bool:
        found = _parameters(self.cls)
        return name in found or any(
            p.kind is Parameter.VAR_KEYWORD for p in found.values()
        )


def transformed(fitted: Any, points: NDArray) -> NDArray:
    """phi of the points (p, d), dense. Raises MapError."""
    with failing(f"transform of {type(fitted).__name__}"):
        return np.asarray(fitted.transform(points))


def torch_map(make: Callable[..., Any]) -> type:
    """A map of modules of PyTorch: make(d, s, **parameters) gives one from a tensor (n, d) to (n, s).

    They are made under torch.manual_seed(random_state), in the dtype of the data, without gradients.
    Its tensors are attributes of the fitted map.
    """

    class TorchMap:
        __doc__ = getattr(make, "__doc__", None)

        def __init__(
            self,
            n_components: int = 100,
            random_state: int = 0,
            **parameters: Any,
        ):
            self.given = {
                "n_components": n_components,
                "random_state": random_state,
                **parameters,
            }

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return dict(self.given)

        def set_params(self, **parameters: Any) -> Self:
            self.given |= parameters
            return self

        def fit(self, X: NDArray, y: object = None) -> Self:
            torch, others = import_module("torch"), dict(self.given)
            s, seed = others.pop("n_components"), others.pop("random_state")
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                self.module = make(X.shape[1], s, **others).to(
                    torch.as_tensor(X).dtype
                )
            for name, tensor in self.module.state_dict().items():
                setattr(
                    self,
                    f"{name.replace('.', '_')}_",
                    tensor.detach().cpu().numpy(),
                )
            return self

        def transform(self, X: NDArray) -> NDArray:
            torch = import_module("torch")
            with torch.no_grad():
                return self.module(torch.as_tensor(X)).cpu().numpy()

    TorchMap.__module__, TorchMap.__qualname__ = (
        make.__module__,
        getattr(make, "__qualname__", "TorchMap"),
    )
    return TorchMap


def resolved(target: str, what: str) -> Any:
    """What MODULE:NAME names, imported from the path and the current folder. Raises MapError."""
    module, _, name = target.partition(":")
    if not module or not name:
        raise MapError(
            f"{target!r} names no {what}; write MODULE:NAME, say {MODULE}:RBFSampler."
        )
    sys.path.insert(0, "")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        asked = f"{module}.".startswith(f"{error.name}.")
        hint = (
            "check the name and the current folder"
            if asked
            else f"{module} imports it: install it"
        )
        hint = (
            "run pip install 'boundcheck[data]'"
            if (error.name or "").startswith("sklearn")
            else hint
        )
        raise MapError(f"There is no module {error.name!r}; {hint}.") from error
    except AttributeError as error:
        raise MapError(
            f"{module!r} has no {what} {name!r}; check the name."
        ) from error
    except Exception as error:
        raise MapError(
            f"{module!r} cannot be imported ({sentence(error)}); repair it first."
        ) from error
    finally:
        sys.path.remove("")


def sentence(error: BaseException) -> str:
    """An exception on one line, without a full stop."""
    return (
        f"{type(error).__name__}: {' '.join(str(error).split())[:200]}".rstrip(
            ". "
        )
    )


@cache
def _parameters(cls: Callable[..., Any]) -> dict[str, Parameter]:
    try:
        return dict(signature(cls).parameters)
    except (TypeError, ValueError):
        return {}


# the maps of scikit-learn: kernels, sizes, and sentences of their documentation that can be checked


Statement = Callable[[Any], Iterator[str]]
"""A sentence of a documentation as a check of a fitted map: what is wrong with it."""

MODULE = "sklearn.kernel_approximation"


@dataclass(frozen=True)
class Known:
    """The kernel of a map (of its parameters, the number of inputs), its size parameter, sizes, statements.

    `unpromised` has for each item that its documentation does not promise what it says instead.
    """

    kernel: Callable[[FeatureMap, int], Kernel]
    size: str = "n_components"
    sizes: tuple[int, ...] | None = None
    statements: tuple[Statement, ...] = ()
    unpromised: Mapping[str, str] = field(default_factory=dict)
    usual: int = 12


def known(cls: object) -> Known:
    """What is known of a class, or of the class of scikit-learn that it derives from; little of others."""
    bases = [
        base.__name__
        for base in getattr(cls, "__mro__", ())
        if base.__module__ == MODULE
    ]
    return next(
        (KNOWN[name] for name in bases if name in KNOWN), Known(_unknown)
    )


def _unknown(subject: FeatureMap, _inputs: int) -> Kernel:
    named = f"give --kernel, one of {', '.join(NAMED)} or MODULE:function"
    raise MapError(f"The kernel of {subject.name} is not known; {named}.")


def _rbf(subject: FeatureMap, _inputs: int) -> Kernel:
    if subject.default("gamma") == "scale":
        raise MapError(
            "With gamma='scale' the kernel depends on the data; give --param gamma=NUMBER."
        )
    return gaussian(subject.default("gamma"))


def _nystroem(subject: FeatureMap, inputs: int) -> Kernel:
    """The kernel it is told to approximate; its square norm is a projection's, hence at most k(x, x)."""
    from sklearn.metrics.pairwise import pairwise_kernels

    metric, gamma = subject.default("kernel"), subject.default("gamma")
    own_function = callable(subject.default("kernel"))
    names = () if own_function else ("gamma", "coef0", "degree")
    given = {
        name: value
        for name in names
        if (value := subject.default(name)) is not None
    }

    def matrix(X: Matrix, Y: Matrix) -> Matrix:
        own = subject.default("kernel_params") or {}
        return pairwise_kernels(
            X, Y, metric=metric, filter_params=not own_function, **given, **own
        )

    def reach(X: Matrix) -> Vector:
        return kernel.at(X, X) * (1 + ILL_CONDITIONED)

    positive = metric in ("chi2", "additive_chi2")
    kernel = Kernel(
        f"{metric if isinstance(metric, str) else 'callable'}, as given to Nystroem", matrix, reach=reach,
        bound=1 + ILL_CONDITIONED if metric in ("rbf", "laplacian") else inf,
        lowest=0.0 if positive else -inf, closed=positive, length=(gamma or 1 / inputs) ** -0.5,
    )  # fmt: skip
    return kernel


ILL_CONDITIONED = 1e-4
"""Nystroem cuts singular values below 1e-12: roundings of 1e-16 in K may move a square norm by this."""


def _square_root(fitted: Any) -> Iterator[str]:
    """Nystroem: normalization_."""
    from sklearn.metrics.pairwise import pairwise_kernels

    doc, given = inspect.getdoc(type(fitted)) or "", fitted._get_kernel_params()
    if "Square root of the kernel matrix on" not in doc or not isinstance(
        fitted.kernel, str
    ):
        return
    K = pairwise_kernels(
        fitted.components_, metric=fitted.kernel, filter_params=True, **given
    )
    N = fitted.normalization_
    root = np.linalg.norm(N @ N - K) / np.linalg.norm(K)
    inverse = np.linalg.norm(N @ K @ N - np.eye(len(K)))
    if root > 0.01 > inverse:
        seen = f"|N N - K| = {root:.3g} |K| and |N K N - I| = {inverse:.2g}"
        yield f"normalization_ N is stated to be the square root of K on components_, but {seen}"


SUBSET = "it approximates a kernel map with a subset of the training data"

SKETCH = ("gamma", "degree", "coef0")

KNOWN = {
    "RBFSampler": Known(_rbf),
    "SkewedChi2Sampler": Known(
        lambda subject, _: skewed_chi2(subject.default("skewedness"))
    ),
    "AdditiveChi2Sampler": Known(
        lambda _subject, _: additive_chi2(),
        "sample_steps",
        (1, 2, 3),
        usual=3,
        unpromised={
            "unbiased": "it samples a Fourier transform at regular intervals, without randomness"
        },
    ),
    "PolynomialCountSketch": Known(
        lambda subject, _: polynomial(*map(subject.default, SKETCH))
    ),
    "Nystroem": Known(
        _nystroem,
        sizes=(4, 16, 64),
        statements=(_square_root,),
        unpromised={
            **dict.fromkeys(("unbiased", "rate", "data-independent"), SUBSET),
            "float32": "float32 stays float32; an ill-conditioned matrix magnifies the error",
        },
    ),
}
