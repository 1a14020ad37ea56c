"""Modules of PyTorch as feature maps: of PyTorch where it is there, else of a library with the same interface."""

import sys
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from boundcheck.checking.verdict import Outcome
from boundcheck.features.conform import Design, MapError, conformance, torch_map


class Tensor(np.ndarray):
    """An array with what the adapter asks of a tensor."""

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return np.asarray(self)


class Module:
    """Cosine features of exp(-gamma |x - y|^2) as a module would have them, in single precision first."""

    amplitude = 2.0

    def __init__(self, d, s, gamma=0.5):
        rng = FAKE.rng
        self.W = (np.sqrt(2 * gamma) * rng.normal(size=(d, s))).astype(np.float32).view(Tensor)
        self.b = rng.uniform(0, 2 * np.pi, s).astype(np.float32).view(Tensor)

    def to(self, dtype):
        self.W, self.b = self.W.astype(dtype), self.b.astype(dtype)
        return self

    def state_dict(self):
        return {"linear.weight": self.W, "linear.bias": self.b}

    def __call__(self, X):
        return np.cos(X @ self.W + self.b) * self.W.dtype.type(np.sqrt(self.amplitude / self.W.shape[1]))


class WithoutSqrt2(Module):
    amplitude = 1.0


FAKE = SimpleNamespace(
    Tensor=type("OfTorch", (), {}),  # what other libraries look for
    rng=np.random.default_rng(0),
    manual_seed=lambda seed: setattr(FAKE, "rng", np.random.default_rng(seed)),
    no_grad=nullcontext,
    as_tensor=lambda X: X.view(Tensor),
    random=SimpleNamespace(fork_rng=lambda devices: nullcontext()),
)


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", FAKE)


def refuted(result):
    return {item.name for item in result.found([Outcome.REFUTED])}


@pytest.mark.usefixtures("fake")
def test_a_module_conforms_and_its_broken_twin_does_not():
    good = conformance(torch_map(Module), "gaussian", {"gamma": 0.5}, design=Design(trials=1500))
    assert refuted(good) == set()
    assert good.map == f"{__name__}:Module"
    assert good.item("interface").outcome is good.item("float32").outcome is Outcome.HOLDS
    assert refuted(conformance(torch_map(WithoutSqrt2), "gaussian", {"gamma": 0.5}, design=Design(trials=1500))) == {"unbiased", "rate"}


@pytest.mark.usefixtures("fake")
def test_tensors_are_attributes_of_the_fitted_map():
    fitted = torch_map(Module)(n_components=4, random_state=3, gamma=2.0).fit(np.zeros((5, 3)))
    assert (fitted.linear_weight_.shape, fitted.linear_weight_.dtype) == ((3, 4), np.float64)
    assert fitted.get_params() == {"n_components": 4, "random_state": 3, "gamma": 2.0}


def test_without_pytorch_it_is_an_error_of_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MapError, match="torch"):
        conformance(torch_map(Module), "gaussian", {"gamma": 0.5}, design=Design(trials=2))


def test_with_pytorch_itself():
    torch = pytest.importorskip("torch")

    class Fourier(torch.nn.Module):
        def __init__(self, d, s, gamma):
            super().__init__()
            self.linear = torch.nn.Linear(d, s)
            torch.nn.init.normal_(self.linear.weight, std=(2 * gamma) ** 0.5)
            torch.nn.init.uniform_(self.linear.bias, 0, 2 * torch.pi)

        def forward(self, X):
            return torch.cos(self.linear(X)) * (2 / self.linear.out_features) ** 0.5

    before = torch.random.get_rng_state()
    result = conformance(torch_map(Fourier), "gaussian", {"gamma": 0.5}, design=Design(trials=1500))
    assert refuted(result) == set()
    assert torch.equal(before, torch.random.get_rng_state())
