"""The command: what it writes, what it prints, and how it refuses."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from boundcheck import exits
from theory.wang2019.sweep.command import command

QUICK = ["--sizes", "4,8,16", "--repeats", "3"]


@pytest.fixture
def source(tmp_path, data):
    path = tmp_path / "made.csv"
    np.savetxt(path, np.column_stack([data.X, data.y]), delimiter=",", header="a,b,c,y", comments="")
    return str(path)


def invoke(*arguments):
    return CliRunner().invoke(command, [*map(str, arguments)])


def test_it_writes_three_reports_and_prints_the_conclusions(source, tmp_path):
    out = tmp_path / "new" / "reports"
    result = invoke(source, *QUICK, "--kernel", "laplace", "--train", "60", "--target", "a", "--reports", out)
    assert result.exit_code == 0, result.output
    assert sorted(p.name for p in out.iterdir()) == [f"sweep-made-laplace.{x}" for x in ("json", "md", "svg")]
    record = json.loads((out / "sweep-made-laplace.json").read_text(encoding="utf-8"))
    assert (record["n"], record["m"], record["target"], record["plan"]["repeats"]) == (60, 40, "a", 3)
    printed = " ".join(result.stdout.split())
    assert all(" ".join(sentence.split()) in printed for sentence in record["conclusions"])
    assert "\r" not in result.output  # no progress bar away from a terminal


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sizes", "16,8"], "must increase"),
        (["--sizes", "0,8"], "at least 1"),
        (["--sizes", "8"], "at least two"),
        (["--sizes", "8,x"], "whole numbers"),
        (["--train", "100"], "n_train"),
        (["--train", "1"], "2 to 16384"),
        (["--repeats", "1"], "at least 2"),
        (["--kernel", "rbf"], "choose gaussian or laplace, or MODULE:CLASS of yours"),
        (["--kernel", "numpy:cos"], "is no kernel; make it a class"),
        (["--kernel", "nowhere:Kernel"], "check the name and the current folder"),
        (["--target", "z"], "no column"),
        (["--seed", "-1"], "seed"),
        (["--workers", "0"], "workers"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(source, arguments, message):
    result = invoke(source, *QUICK, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output


def test_a_missing_file_is_refused_before_anything_is_written(tmp_path):
    result = invoke("diabetse", "--reports", tmp_path / "new")
    assert (result.exit_code, (tmp_path / "new").exists()) == (2, False)
    assert "did you mean 'diabetes'?" in result.stderr


@pytest.mark.parametrize(("done", "reported"), [((0, 1, 3), 2), ((0, 2, 3), None)])
def test_an_interrupted_sweep_reports_the_first_repeats_that_are_done(source, tmp_path, monkeypatch, done, reported):
    """The same bytes as a sweep of so many; with fewer than two there is none."""
    from theory.wang2019.sweep import run

    def interrupted(problem, plan, KRR, workers):
        yield from ((r, run.repeat_errors(problem, plan, KRR, r)) for r in done)
        raise KeyboardInterrupt

    few = ["--sizes", "4,8,16", "--workers", "1"]
    assert invoke(source, *few, "--repeats", reported or 2, "--reports", tmp_path / "whole").exit_code == 0
    monkeypatch.setattr(run, "_repeats", interrupted)
    result = invoke(source, *few, "--repeats", "9", "--reports", tmp_path / "part")
    assert result.exit_code == exits.INTERRUPTED
    if reported is None:
        assert (result.stderr.splitlines()[-1], (tmp_path / "part").exists()) == ("Interrupted.", False)
    else:
        assert "2 of 9 repeats are reported" in result.stderr
        whole, part = ((tmp_path / name / "sweep-made-gaussian.json").read_bytes() for name in ("whole", "part"))
        assert whole == part
