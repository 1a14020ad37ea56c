"""What is compiled is reached: from a claim, from a command."""

import subprocess
import sys
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from boundcheck.checking.judge import judge
from boundcheck.checking.plan import Plan
from boundcheck.checking.verdict import Outcome
from boundcheck.commands.audit import command
from boundcheck.words.loading import load_claims

ROOT = Path(__file__).resolve().parents[2]

REACHED = """
import sys
from pathlib import Path
from boundcheck.features.compiled import kernels, ridge
from tests.features.test_paths import audited, judged
looked_at = kernels._shifted_cosines, ridge.square_sums
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
    assert {"_shifted_cosines", "square_sums"} <= reached("judged", "li2021.lemma27.mean_square")


def test_an_audit_reaches_features_and_leverage_scores(tmp_path):
    assert {"_shifted_cosines", "square_sums"} <= reached("audited", str(tmp_path))
