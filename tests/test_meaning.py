"""The fingerprint of a claim: it changes with everything that the meaning depends on, and with nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boundcheck.words.claims import Claim
from boundcheck.words.loading import load_claims
from boundcheck.words.meaning import UNREADABLE

ROOT = Path(__file__).resolve().parent.parent
HEAD = """import functools, enum, dataclasses, contextlib
from fractions import Fraction
import numpy as np
from hypothesis import strategies as st
from boundcheck import *
from boundcheck.domains import Domain
"""
BODY = "\n@theorem('s')\ndef f(x: Unit):\n    return at_most(x, {})\n"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The claim `f` of a package with a file `claims.py` and others, in a new folder each time."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    count = iter(range(1000))

    def write(text: str, **others: str) -> Claim:
        folder = tmp_path / str(next(count)) / "pkg"
        folder.mkdir(parents=True)
        for name, content in {"__init__": "", "claims": HEAD + text, **others}.items():
            (folder / f"{name}.py").write_text(content)
        for name in [name for name in sys.modules if name.split(".")[0] == "pkg"]:
            del sys.modules[name]
        sys.path.insert(0, str(folder.parent))
        return next(c for c in load_claims(folder / "claims.py") if c.id == "claims.f")

    return write


CHANGES = {
    "a number": ("C = 1" + BODY.format("C"), "C = 1", "C = 2"),
    "the kind of a number": ("C = 1" + BODY.format("C"), "C = 1", "C = 1.0"),
    "a fraction": ("C = Fraction(1, 2)" + BODY.format("C"), "(1, 2)", "(1, 3)"),
    "a text that selects": ("C = 'a'" + BODY.format("{'a': 1, 'b': 2}[C]").replace("{{", "{"), "C = 'a'", "C = 'b'"),
    "an entry of a tuple": ("C = (1, (2, 3))" + BODY.format("C[1][0]"), "(2, 3)", "(4, 3)"),
    "an entry of a dictionary": ("C = {'a': [1]}" + BODY.format("C['a'][0]"), "[1]", "[2]"),
    "an array": ("C = np.array([1.0, 2.0])" + BODY.format("C[0]"), "1.0", "1.5"),
    "the type of an array": ("C = np.array([1, 2])" + BODY.format("C[0]"), "[1, 2]", "[1, 2], dtype=np.int8"),
    "a constant of a constant": ("A = 1\nC = A + 1" + BODY.format("C"), "A = 1", "A = 2"),
    "a helper": ("def g(x):\n    return 2 * x\n" + BODY.format("g(x)"), "2 * x", "3 * x"),
    "a helper of a helper": ("def h(x):\n    return 2 * x\ndef g(x):\n    return h(x)\n" + BODY.format("g(x)"), "2 * x", "3 * x"),
    "a constant of a helper": ("def g(x):\n    return C * x\nC = 1\n" + BODY.format("g(x)"), "C = 1", "C = 2"),
    "a lambda": ("g = lambda x: 2 * x\n" + BODY.format("g(x)"), "2 * x", "3 * x"),
    "the second lambda of a line": ("g = lambda x: x; h = lambda x: 2 * x\n" + BODY.format("h(x)"), "2 * x", "3 * x"),
    "one that calls itself": ("def g(n):\n    return 1 if n < 1 else 2 * g(n - 1)\n" + BODY.format("g(3)"), "2 *", "3 *"),
    "a cell of a closure": ("def make(c):\n    return lambda x: c * x\ng = make(2)\n" + BODY.format("g(x)"), "make(2)", "make(3)"),
    "a default argument": ("C = 1\ndef g(x, c=C):\n    return c * x\n" + BODY.format("g(x)"), "C = 1", "C = 2"),
    "a default by name": ("C = 1\ndef g(x, *, c=C):\n    return c * x\n" + BODY.format("g(x)"), "C = 1", "C = 2"),
    "a partial": ("g = functools.partial(pow, exp=2)\n" + BODY.format("g(x)"), "exp=2", "exp=3"),
    "a cached helper": ("@functools.cache\ndef g(x):\n    return 2 * x\n" + BODY.format("g(1)"), "2 * x", "3 * x"),
    "a vectorised helper": ("g = np.vectorize(lambda x: C * x)\nC = 2\n" + BODY.format("g(1)"), "C = 2", "C = 3"),
    "a decorator of the body": (
        "def scaled(body):\n    @functools.wraps(body)\n    def inner(x: Unit):\n        return at_most(x, C)\n    return inner\nC = 1\n"
        + BODY.format("1").replace("def f", "@scaled\ndef f"), "C = 1", "C = 2",
    ),
    "a constant inside a comprehension": ("C = 1" + BODY.format("sum([C * k for k in range(3)])"), "C = 1", "C = 2"),
    "an attribute of a function": ("def g(x):\n    return g.c * x\ng.c = 1\n" + BODY.format("g(x)"), "c = 1", "c = 2"),
    "a class attribute": ("class K:\n    c = 1\n" + BODY.format("K.c"), "c = 1", "c = 2"),
    "a class attribute set later": ("class K:\n    c = 1\nK.c = 3\n" + BODY.format("K.c"), "= 3", "= 4"),
    "a base class": ("class B:\n    c = 1\nclass K(B):\n    pass\n" + BODY.format("K.c"), "c = 1", "c = 2"),
    "a constant that a method reads": (
        "class K:\n    def g(self):\n        return C\nC = 1\nk = K()\n" + BODY.format("k.g()"), "C = 1", "C = 2"),
    "what an object holds": ("class K:\n    def __init__(self, c):\n        self.c = c\nk = K(1)\n" + BODY.format("k.c"), "K(1)", "K(2)"),
    "a field of a data class": ("@dataclasses.dataclass\nclass K:\n    c: int\nk = K(1)\n" + BODY.format("k.c"), "K(1)", "K(2)"),
    "a member of an enumeration": ("class K(enum.Enum):\n    A = 1\n    B = 2\nk = K.A\n" + BODY.format("k.value"), "K.A", "K.B"),
    "an end of a domain": ("D = between(0, 5)" + BODY.format("1").replace("Unit", "D"), "5", "6"),
    "an end of a domain, beyond what its label shows": (
        "D = between(0, 0.1234567)" + BODY.format("1").replace("Unit", "D"), "567", "568"),
    "whole numbers for reals": ("D = between(0, 5)" + BODY.format("1").replace("Unit", "D"), "between", "integers"),
    "a dimension": ("N = 2" + BODY.format("1").replace("Unit", "Vector(N)"), "N = 2", "N = 3"),
    "a sampler of a domain": (
        "D = Domain('mine', lambda: st.integers(1, 5))" + BODY.format("1").replace("Unit", "D"), "(1, 5)", "(1, 6)"),
    "a strategy of a domain": (
        "S = st.integers(1, 5)\nD = Domain('mine', lambda: S)" + BODY.format("1").replace("Unit", "D"), "(1, 5)", "(1, 6)"),
    "a strategy made by a function": (
        "def grid(k):\n    s = st.integers(1, k)\n    return Domain('mine', lambda: s)\nD = grid(5)"
        + BODY.format("1").replace("Unit", "D"),
        "grid(5)", "grid(6)"),
    "a builder of a domain": (
        "def build(raw):\n    return C * raw\nC = 1\nD = Domain('mine', Unit.draw, build)"
        + BODY.format("1").replace("Unit)", "D)"), "C = 1", "C = 2"),
    "a field of a setting": ("@setting\nclass K:\n    e: Vector('n')\n" + BODY.format("1").replace("Unit", "K"), "Vector", "Signs"),
    "a domain of a setting": (
        "D = Unit\n@setting\nclass K:\n    e: D\n" + BODY.format("1").replace("(x: Unit", "(x: K"), "D = Unit", "D = Real"),
    "a method of a setting": (
        "@setting\nclass K:\n    e: Unit\n    def g(self):\n        return C\nC = 1\n"
        + BODY.format("x.g()").replace("(x: Unit", "(x: K"), "C = 1", "C = 2"),
    "a property of a setting": (
        "@setting\nclass K:\n    e: Unit\n    @functools.cached_property\n    def g(self):\n        return 1\n"
        + BODY.format("x.g").replace("(x: Unit", "(x: K"), "return 1", "return 2"),
    "a setting with draws of its own": (
        "@setting\nclass K:\n    @staticmethod\n    def draw():\n        return S\n"
        "    @staticmethod\n    def build(raw):\n        return raw\n"
        "S = st.integers(1, 5)\n" + BODY.format("1").replace("Unit", "K"), "(1, 5)", "(1, 6)"),
    "a quantity": ("q = quantity(lambda rng, size: rng.binomial(C, 0.5, size))\nC = 1\n" + BODY.format("E(q)"), "C = 1", "C = 2"),
    "a random state": ("rng = np.random.default_rng(1)\n" + BODY.format("rng.random()"), "rng(1)", "rng(2)"),
    "another claim": (
        "@theorem('s')\ndef g(x: Unit):\n    return at_most(x, 2)\n" + BODY.format("g(x=x).rhs"), "at_most(x, 2)", "at_most(x, 3)"),
    "names looked up by text": ("C = 1" + BODY.format("globals()['C']"), "C = 1", "C = 2"),
    "a context manager": (
        "@contextlib.contextmanager\ndef g():\n    yield C\nC = 1\n"
        "@theorem('s')\ndef f(x: Unit):\n    with g() as c:\n        return at_most(x, c)\n",
        "C = 1", "C = 2"),
    "the body": (BODY.format("1"), "at_most(x, 1)", "at_most(x, 2)"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_the_meaning_depends_on(written, name):
    text, old, new = CHANGES[name]
    assert old in text
    before, again, after = written(text).fingerprint, written(text).fingerprint, written(text.replace(old, new)).fingerprint
    assert before == again != after
    assert UNREADABLE not in before


IMPORTS = {
    "a name": ("from pkg.shared import C", "C"),
    "a name with another name": ("from pkg.shared import C as B", "B"),
    "an attribute of a module": ("from pkg import shared", "shared.C"),
    "an attribute of a dotted module": ("import pkg.shared", "pkg.shared.C"),
    "a relative name": ("from .shared import C", "C"),
    "all names": ("from pkg.shared import *", "C"),
    "a function that reads it": ("from pkg.shared import g", "g(x)"),
    "a lookup in the module": ("from pkg import shared", "getattr(shared, 'C')"),
    "an import in the body": ("", "__import__('numpy').ones(1)[0]; from pkg.shared import C; C"),
    "a strategy": ("from pkg.shared import D", "1"),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_what_is_read_of_other_modules_of_the_same_tree(written, name):
    line, value = IMPORTS[name]
    text = line + BODY.format(value)
    if name == "an import in the body":
        text = BODY.format("C").replace("    return", "    from pkg.shared import C\n    return")
    if name == "a strategy":
        text = text.replace("x: Unit", "x: D")
    shared = "from hypothesis import strategies as st\nfrom boundcheck.domains import Domain\nC = 1\nS = st.integers(1, 5)\n"
    shared += "D = Domain('mine', lambda: S)\nOTHER = 1\n\n\ndef g(x):\n    return C\n"
    before = written(text, shared=shared).fingerprint
    assert before == written(text, shared=shared).fingerprint
    changed = shared.replace("5)", "6)") if name == "a strategy" else shared.replace("C = 1", "C = 2")
    assert written(text, shared=changed).fingerprint != before
    if "lookup" not in name:
        assert written(text, shared=shared.replace("OTHER = 1", "OTHER = 2")).fingerprint == before


NEUTRAL = {
    "a constant that is not read": lambda text: text.replace("C = 1", "C = 1\nB = 2"),
    "another claim of the file": lambda text: text + BODY.format("3").replace("def f", "def g"),
    "its place in the file": lambda text: "\n\n# a remark\n" + text,
    "line endings": lambda text: text.replace("\n", "\r\n"),
    "a local name that is a constant elsewhere": lambda text: text.replace("C = 1", "C = 1\nk = 7"),
    "how a constant is computed": lambda text: text.replace("C = 1", "C = 3 - 2"),
}


@pytest.mark.parametrize("name", NEUTRAL)
def test_what_the_meaning_does_not_depend_on(written, name):
    text = "C = 1" + BODY.format("sum([C for k in range(3)]) + x.real").replace("    return", "    k = 1\n    return k *")
    assert written(NEUTRAL[name](text)).fingerprint == written(text).fingerprint


def test_indentation_does_not_count(written):
    inside = "if True:\n" + "".join(f"    {line}\n" for line in BODY.format("1").strip().splitlines())
    assert written(inside).fingerprint == written(BODY.format("1")).fingerprint


def test_the_same_in_another_process_under_another_name_and_hash(tmp_path):
    text = HEAD + "C = {'a', 'b', 'c'}\n@setting\nclass K:\n    e: Unit\n" + BODY.format("len(C)").replace("(x: Unit", "(y: K, x: Unit")
    found = set()
    for k, name in enumerate(("one", "two")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(text)
        ask = f"from boundcheck.words.loading import load_claims; print(load_claims('{name}.py')[0].fingerprint)"
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(k)}
        done = subprocess.run([sys.executable, "-c", ask], cwd=tmp_path / name, env=env, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    ask = "import sys; sys.path.insert(0, '.'); import one; print(one.f.fingerprint)"
    done = subprocess.run([sys.executable, "-c", ask], cwd=tmp_path / "one", env=env, capture_output=True, text=True, check=True)
    assert found | {done.stdout} == found
    assert len(found) == 1


def test_what_has_no_text_is_never_the_same_in_another_process(written, tmp_path):
    claim = written("exec('def g(x):\\n    return x')\n" + BODY.format("1") + "\nh = g\n")
    assert UNREADABLE not in claim.fingerprint
    text = "def make():\n    space = {}\n    exec('def g(x):\\n    return x', space)\n    return space['g']\n"
    text += "def outer(g):\n    def f(x: Unit):\n        return at_most(g(x), 1)\n    return f\nf = theorem('s')(outer(make()))\n"
    claim = written(text)
    assert claim.fingerprint.startswith(UNREADABLE)
    assert claim.fingerprint == claim.fingerprint
    ask = f"from boundcheck.words.loading import load_claims; print(load_claims({claim.file!r})[0].fingerprint)"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", ask], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(UNREADABLE)
    assert done.stdout.strip() != claim.fingerprint


def test_a_constant_that_fills_while_the_body_runs_changes_nothing(written):
    text = "memo = {}\n" + BODY.format("memo.setdefault('a', 1)")
    claim = written(text)
    before = claim.fingerprint
    claim.body(x=0.5)
    assert claim.fingerprint == before == written(text).fingerprint
