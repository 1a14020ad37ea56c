"""The command: what it writes, what it prints, how it refuses; and the question of `boundcheck plan` about features."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

from boundcheck.commands.main import main
from boundcheck.features.audit import AuditPlan, records
from boundcheck.features.audit import run as module
from boundcheck.features.audit.records import conclusions
from boundcheck.features.audit.run import audit
from boundcheck.features.data import Sample, load

QUICK = ["--trials", "8", "--lam", "0.2"]


@pytest.fixture
def source(tmp_path, data):
    path = tmp_path / "made.csv"
    np.savetxt(path, np.column_stack([data.X, data.y]), delimiter=",", header="a,b,c,y", comments="")
    return str(path)


@pytest.fixture
def no_figure(monkeypatch):
    """Matplotlib takes most of the time of a small audit."""
    monkeypatch.setattr(records, "plot", lambda *_: None)


def invoke(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)])


def refused(result, *words):
    assert result.exit_code == 2, result.output
    assert [word for word in words if word not in result.stderr] == [], result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""


def test_it_writes_three_reports_and_prints_a_table(source, tmp_path):
    out = tmp_path / "new" / "reports"
    result = invoke("audit", source, *QUICK, "--target", "a", "--reports", out)
    assert result.exit_code == 0, result.output
    assert sorted(p.name for p in out.iterdir()) == [f"audit-made.{x}" for x in ("json", "md", "svg")]
    record = json.loads((out / "audit-made.json").read_text(encoding="utf-8"))
    assert (record["rows"], record["inputs"], record["target"], record["scene"]["lam"]) == (60, 3, "a", 0.2)
    printed = " ".join(result.stdout.split())
    assert all(" ".join(sentence.split()) in printed for sentence in record["conclusions"])
    assert all(theorem["claim"] in (out / "audit-made.md").read_text() for theorem in record["theorems"])
    assert "\r" not in result.output


def test_reports_are_the_same_bytes_with_two_workers(source, tmp_path):
    for workers in (1, 2):
        assert invoke("audit", source, *QUICK, "--workers", workers, "--reports", tmp_path / str(workers)).exit_code == 0
    for suffix in ("json", "md", "svg"):
        one, two = ((tmp_path / str(workers) / f"audit-made.{suffix}").read_bytes() for workers in (1, 2))
        assert one == two


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--eps", "0"], "eps lies in (0, 1)"),
        (["--eps", "nan"], "eps lies in (0, 1)"),
        (["--delta", "1"], "delta lies in (0, 1)"),
        (["--level", "-1"], "level lies in (0, 1)"),
        (["--lam", "0"], "ridge lam is a positive number"),
        (["--lam", "1e-300"], "lost in rounding"),
        (["--bandwidth", "inf"], "bandwidth is a positive number"),
        (["--bandwidth", "wide"], "write 'median' or a number"),
        (["--kernel", "rbf"], "choose gaussian or laplace, or MODULE:CLASS of yours"),
        (["--kernel", "numpy:cos"], "is no kernel; make it a class"),
        (["--kernel", "nowhere:Kernel"], "check the name and the current folder"),
        (["--target", "z"], "no column 'z'"),
        (["--trials", "0"], "Trials are 1 to"),
        (["--seed", "-1"], "-1 is not in the range"),
        (["--workers", "0"], "write a number from 1 on"),
        (["--workers", "dask:2"], "give --workers a number"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(source, tmp_path, arguments, word):
    refused(invoke("audit", source, *QUICK, "--reports", tmp_path / "new", *arguments), word)
    assert not (tmp_path / "new").exists()


def test_bad_data_are_refused_and_nothing_is_lost(tmp_path):
    (tmp_path / "audit-one.json").write_text("kept")
    for name, text, word in (("one", "a,y\n1,2\n", "one row"), ("same", "a,y\n1,2\n1,3\n", "the same point"), ("none", "a,y\n", "no rows")):
        (tmp_path / f"{name}.csv").write_text(text)
        refused(invoke("audit", tmp_path / f"{name}.csv", *QUICK, "--reports", tmp_path), word)
    refused(invoke("audit", "diabets", "--reports", tmp_path), "did you mean 'diabetes'?")
    assert (tmp_path / "audit-one.json").read_text() == "kept"


@pytest.mark.usefixtures("no_figure")
def test_points_that_overflow(tmp_path):
    (tmp_path / "far.csv").write_text("a,b,y\n1e308,1e308,2\n-1e308,-1e308,3\n0,0,1\n")
    refused(invoke("audit", tmp_path / "far.csv", "--no-scale", "--reports", tmp_path), "overflow; scale the inputs")
    assert invoke("audit", tmp_path / "far.csv", *QUICK, "--reports", tmp_path).exit_code == 0


@pytest.mark.parametrize("text", ["a,y\n1,2\n3,2\n", "a,y\n" + "1,2\n" * 30 + "3,5\n", "a,b,y\n1,1,1\n2,2,2\n1e-9,3,3\n"])
@pytest.mark.usefixtures("no_figure")
def test_degenerate_data_are_audited(tmp_path, text):
    """A constant target, one point repeated, three rows."""
    (tmp_path / "t.csv").write_text(text)
    result = invoke("audit", tmp_path / "t.csv", "--trials", "5", "--reports", tmp_path)
    assert result.exit_code == 0, result.output


NASTY = "$x_{1}$|<script>alert(1)</script>`\x1b[31m[bold]*&\u202e"


def test_nothing_obeys_the_names_of_the_data(tmp_path, data):
    """Terminal, Markdown, HTML within it, Matplotlib's formulas, XML, and the folder of the reports."""
    path = tmp_path / f"{NASTY.replace('/', '')}.csv"
    np.savetxt(path, np.column_stack([data.X, data.y]), delimiter=",", header=f"a,b,c,{NASTY}", comments="")
    result = invoke("audit", path, *QUICK, "--reports", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.output
    names = [p.name for p in (tmp_path / "out").iterdir()]
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") for name in names)
    texts = {p.suffix: p.read_text(encoding="utf-8") for p in (tmp_path / "out").iterdir()}
    assert "<script" not in texts[".md"]
    assert "\x1b" not in texts[".md"] + texts[".svg"]
    assert {line.count(" | ") for line in texts[".md"].splitlines() if line.startswith("| li2021")} == {7}
    assert ET.fromstring(texts[".svg"]).tag.endswith("svg")
    assert json.loads(texts[".json"])["target"] == NASTY


def test_more_rows_than_an_audit_takes(monkeypatch, demands):
    monkeypatch.setattr(module, "MAX_POINTS", 40)
    rng = np.random.default_rng(0)
    many = Sample("many", rng.normal(size=(90, 2)), rng.normal(size=90), ("a", "b"), "y")
    result = audit(many, AuditPlan(trials=5), demands)
    assert (result.rows, result.scene.n, result.scene.lam) == (90, 40, 40**-0.5)


def test_a_ridge_too_small_to_measure_at(data, demands, tmp_path):
    """Leverage sampling would keep one candidate in millions; the theorems are looked at all the same."""
    result = audit(data, AuditPlan(lam=1e-9, trials=3), demands)
    assert result.measured("leverage") is None
    assert len(result.theorems) == len(demands)
    assert any("Leverage features are not measured" in sentence for sentence in conclusions(result))
    records.plot(result, tmp_path / "t.svg")


# boundcheck plan, about features


def test_plan_of_numbers():
    result = invoke("plan", "--delta", "0.05", "--eps", "0.5", "--lam", "0.01", "--effective-dimension", "11", "--n", "10000")
    assert result.exit_code == 0, result.output
    assert " 480 " in result.stdout  # 16/3 * 11 * log(16 * 11 / 0.05)
    assert "effective dimension 11" in result.stdout


def test_plan_of_data(source, data):
    result = invoke("plan", "--delta", "0.05", "--eps", "0.5", "--lam", "0.2", "--data", source, "--target", "a")
    assert result.exit_code == 0, result.output
    scene = module.scene_of(load(source, "a"), AuditPlan(lam=0.2))
    assert f"n = 60, lam = 0.2, effective dimension {scene.d_K:.4g}" in result.stdout
    assert "(holds)" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--lam", "0.1"], "add --eps"),
        (["--n", "10"], "--n asks about features"),
        (["--eps", "0.5"], "Give either --data"),
        (["--eps", "0.5", "--n", "10"], "Give either --data"),
        (["--eps", "0.5", "--data", "wine", "--n", "10"], "Give either --data"),
        (["--eps", "0.5", "--effective-dimension", "11", "--n", "10"], "at most min(n, 1 / lam)"),
        (["--eps", "0.5", "--effective-dimension", "nan", "--n", "10"], "at most min(n, 1 / lam)"),
        (["--eps", "2", "--effective-dimension", "3", "--n", "100"], "eps lies in (0, 1)"),
        (["--eps", "0.5", "--lam", "-1", "--effective-dimension", "3", "--n", "100"], "positive number"),
        (["--eps", "0.5", "--data", "nowhere.csv"], "no file"),
    ],
)
def test_plan_refuses(arguments, word):
    refused(invoke("plan", "--delta", "0.05", *arguments), word)


def test_plan_still_counts_trials():
    assert "284 trials" in invoke("plan", "--delta", "0.05").stdout


@pytest.mark.usefixtures("no_figure")
@pytest.mark.parametrize("done", [0, 1])
def test_an_audit_that_is_ended_keeps_what_is_measured(source, tmp_path, monkeypatch, done):
    measured, ways = module._measured, []

    def interrupted(*given):
        if len(ways) == done:
            raise KeyboardInterrupt
        ways.append(given)
        return measured(*given)

    monkeypatch.setattr(module, "_measured", interrupted)
    result = invoke("audit", source, *QUICK, "--reports", tmp_path)
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == f"Interrupted; ways of sampling measured: {done} of 2, the rest is left out."
    assert len(json.loads((tmp_path / "audit-made.json").read_text())["needed"]) == done
