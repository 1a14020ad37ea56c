"""Every public function of the compiled layer has a naive twin, and Numba stays behind one door."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import boundcheck.features.compiled as compiled
from tests import naive

MODULES = sorted(module.name for module in pkgutil.iter_modules(compiled.__path__))


def public_functions(module):
    found = vars(module).items()
    return {
        name
        for name, value in found
        if not name.startswith("_")
        and inspect.isroutine(getattr(value, "py_func", value))
        and value.__module__ == module.__name__
    }


def test_compiled_and_naive_have_the_same_names():
    modules = [compiled, *(importlib.import_module(f"{compiled.__name__}.{name}") for name in MODULES)]
    assert set.union(*map(public_functions, modules)) - {"jitted", "tell"} == public_functions(naive)


@pytest.mark.parametrize("name", [*MODULES, "__init__"])
def test_only_the_door_imports_numba(name):
    source = Path(*compiled.__path__, f"{name}.py").read_text()
    assert ("import numba" in source or "from numba" in source) == (name == "__init__")


def test_the_words_of_a_claim_do_not_import_numba():
    words = "boundcheck.domains, boundcheck.features.pools, boundcheck.words.statements"
    code = f"import sys, {words}; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
