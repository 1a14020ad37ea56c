"""What is compiled is reached: from a claim, from a command; and every public function of the layer has a caller."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from boundcheck.checking.judge import judge
from boundcheck.checking.plan import Plan
from boundcheck.checking.verdict import Outcome
from boundcheck.commands.audit import command
from boundcheck.words.loading import load_claims

ROOT = Path(__file__).resolve().parents[2]
COMPILED = sorted((ROOT / "boundcheck/compiled").glob("*.py"))

REACHED = """
import sys
from pathlib import Path
from boundcheck.features.compiled import batches, kernels, ridge
from tests.features.test_paths import audited, judged
looked_at = kernels._shifted_cosines, ridge.square_sums, batches._rotated, batches._bisected
assert not any(kernel.signatures for kernel in looked_at)
{}(*sys.argv[1:])
print(*[kernel.py_func.__name__ for kernel in looked_at if kernel.signatures])
"""


def judged(name):
    """Judge a claim of theory/ on a few instances."""
    plan = Plan("test", instances=3, work=50, trials=500, sampled_instances=1, confirmation_trials=500, level=1e-2)
    claim = next(claim for claim in load_claims(ROOT / "theory" / name.split(".")[0]) if claim.id == name)
    assert judge(claim, plan, 1e-6).outcome is Outcome.HOLDS


def audited(folder):
    """Run the command `audit` on twenty points."""
    X = np.random.default_rng(0).normal(size=(20, 3))
    np.savetxt(Path(folder, "data.csv"), X, delimiter=",", header="a,b,c", comments="")
    arguments = [str(Path(folder, "data.csv")), "--trials", "2", "--lam", "0.3", "--reports", folder]
    assert CliRunner().invoke(command, arguments).exit_code == 0


def reached(run, *arguments):
    """The kernels that a run in a fresh process has compiled, or found in the cache, as it called them."""
    script = [sys.executable, "-c", REACHED.format(run), *arguments]
    return set(subprocess.run(script, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split())


def test_a_claim_reaches_features_leverage_scores_and_bernstein_sums():
    found = reached("judged", "li2021.lemma27.mean_square")
    assert found >= {"_shifted_cosines", "square_sums"}
    assert found & {"_rotated", "_bisected"}


def test_a_lemma_on_small_pools_reaches_bernstein_sums():
    assert {"_rotated", "_bisected"} & reached("judged", "li2021.lemma27.repaired")


def test_an_audit_reaches_features_and_leverage_scores(tmp_path):
    assert {"_shifted_cosines", "square_sums"} <= reached("audited", str(tmp_path))


def public(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}


def named(path):
    """Every name and attribute that a module reads or imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


@pytest.mark.parametrize("path", [path for path in COMPILED if path.name != "__init__.py"], ids=lambda p: p.name)
def test_every_public_function_has_a_caller_elsewhere(path):
    others = [p for top in ("boundcheck", "theory") for p in (ROOT / top).rglob("*.py") if p != path]
    assert public(path) <= {name for other in others for name in named(other)}
