"""The command: what it writes and prints, its exit codes, how it refuses."""

import json

import pytest
from click.testing import CliRunner

from boundcheck.commands.main import main
from boundcheck.features.conform import maps as module
from boundcheck.features.conform.maps import MapError, resolved

GOOD, BAD = "tests.conform.maps:Cosines", "tests.conform.maps:Centred"
QUICK = ["--trials", "40", "--kernel", "gaussian"]


def invoke(*arguments):
    return CliRunner().invoke(main, ["conform", *map(str, arguments)])


def test_it_writes_two_reports_and_prints_a_table(tmp_path):
    result = invoke(GOOD, *QUICK, "--param", "gamma=0.25", "--reports", tmp_path / "new")
    assert result.exit_code == 0, result.output
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["conformance-Cosines.json", "conformance-Cosines.md"]
    record = json.loads((tmp_path / "new/conformance-Cosines.json").read_text())["maps"][0]
    assert record["parameters"] == {"gamma": 0.25}
    assert record["kernel"] == "gaussian exp(-0.25 |x - y|^2)"
    assert [item["name"] for item in record["items"]] == list(
        json.loads((tmp_path / "new/conformance-Cosines.json").read_text())["contract"]
    )
    text = (tmp_path / "new/conformance-Cosines.md").read_text()
    assert all(item["name"] in result.stdout and f"| {item['name']} |" in text for item in record["items"])


@pytest.mark.parametrize(
    ("target", "fail_on", "code"),
    [(GOOD, "refuted", 0), (BAD, "refuted", 1), (BAD, "none", 0), (GOOD, "refuted,inconclusive", 3), (BAD, "refuted,inconclusive", 1)],
)
def test_exit_codes(tmp_path, target, fail_on, code):
    assert invoke(target, *QUICK, "--fail-on", fail_on, "--reports", tmp_path).exit_code == code


def test_the_same_run_writes_the_same_bytes(tmp_path):
    for folder in ("one", "two"):
        invoke(GOOD, BAD, *QUICK, "--seed", 7, "--reports", tmp_path / folder)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert len(list((tmp_path / "one").iterdir())) == 4


def test_a_kernel_of_the_user_takes_parameters(tmp_path):
    arguments = ["--kernel", "tests.conform.maps:gaussian", "--kernel-param", "gamma=0.5", "--bound", "2", "--trials", "40"]
    assert invoke(GOOD, *arguments, "--reports", tmp_path).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["RBFSampler"], "write MODULE:NAME"),
        (["no_such_module:A"], "There is no module 'no_such_module'"),
        (["tests.conform.maps:NoSuchClass"], "has no class 'NoSuchClass'"),
        (["tests.conform.maps:NO_CLASS"], "is no class"),
        ([GOOD], "give --kernel, one of gaussian"),
        ([GOOD, "--kernel", "gaussien"], "There is no kernel 'gaussien'"),
        ([GOOD, "--kernel", "skewed_chi2"], "give --kernel-param skewedness=NUMBER"),
        ([GOOD, "--kernel", "gaussian", "--kernel-param", "sigma=1"], "no parameter 'sigma'"),
        ([GOOD, "--kernel", "gaussian", "--kernel-param", "gamma=wide"], "positive number gamma"),
        ([GOOD, "--kernel", "tests.conform.maps:transposed"], "it takes X (n, d) and Y (m, d)"),
        ([GOOD, "--kernel", "gaussian", "--bound", "0"], "bound of |phi(x)|^2 is a positive number"),
        ([GOOD, "--kernel", "gaussian", "--param", "sigma=1"], "unexpected keyword argument 'sigma'"),
        ([GOOD, "--kernel", "gaussian", "--param", "gamma"], "write --param name=value"),
        (["tests.conform.maps:Fails", "--kernel", "gaussian"], "fails (RuntimeError: no features today); give other --param"),
        ([GOOD, *QUICK, "--sizes", "8,2"], "in increasing order"),
        ([GOOD, *QUICK, "--sizes", "few"], "no list of whole numbers"),
        ([GOOD, *QUICK, "--level", "1"], "An error level lies in"),
        ([GOOD, *QUICK, "--trials", "0"], "Trials are 1 to"),
        ([GOOD, *QUICK, "--seed", "-1"], "-1 is not in the range"),
        ([GOOD, *QUICK, "--only", "speed"], "There is no item 'speed'; choose theorems, interface, or of unbiased"),
        ([GOOD, *QUICK, "--fail-on", "worse"], "--fail-on takes inconclusive, refuted, vacuous or none"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(tmp_path, arguments, word):
    result = invoke("--reports", tmp_path / "new", *arguments)
    assert result.exit_code == 2, result.output
    assert word in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert not (tmp_path / "new").exists()


def test_items_are_chosen(tmp_path):
    result = invoke(BAD, *QUICK, "--only", "interface", "--reports", tmp_path)
    assert result.exit_code == 0, result.output
    assert "unbiased" not in result.stdout
    text = (tmp_path / "conformance-Centred.md").read_text()
    assert "No draws; seed 0" in text
    assert "| float32 | an interface |" in text
    assert invoke(BAD, *QUICK, "--only", "theorems", "--reports", tmp_path).exit_code == 1


def test_without_scikit_learn_it_says_how_to_get_it(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name="sklearn")

    monkeypatch.setattr(module, "import_module", missing)
    result = invoke()
    assert result.exit_code == 2
    assert "pip install 'boundcheck[data]'" in result.stderr


def test_what_a_module_imports_and_is_not_here_is_said(tmp_path, monkeypatch):
    (tmp_path / "wants_more.py").write_text("import nowhere_to_be_found\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MapError, match="no module 'nowhere_to_be_found'; wants_more imports it: install it"):
        resolved("wants_more:Map", "class")
