"""The command line as a user meets it: the README's theorem, one clear sentence for every bad input, and exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boundcheck.checking import trust
from boundcheck.checking.judge import PLANS, Plan
from boundcheck.commands.main import main
from boundcheck.verifier.seal import digest

ROOT = Path(__file__).resolve().parent.parent
HOEFFDING = '''
from boundcheck import Count, P, Unit, log, quantity, sqrt, theorem

@theorem("Hoeffding 1963, Theorem 2")
def hoeffding(bias: Unit, n: Count, delta: Unit):
    """A mean of n coin flips is seldom far above the bias."""
    mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
    return P(mean - bias <= sqrt(log(1 / delta) / (2 * n))) >= 1 - delta
'''
HALVED = HOEFFDING.replace("(2 * n)", "(4 * n)")
HEADER = "import numpy as np\nfrom boundcheck import *\n\n@theorem('s')\ndef f(x: Unit, A: SquareMatrix('n')):\n    "
KEPT = "earlier results"


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A folder of one's own, with a small budget."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PLANS, "quick", Plan("quick", instances=20, work=200, trials=2000, sampled_instances=2, confirmation_trials=20_000))
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "verdicts.json").write_text(KEPT)
    return tmp_path


def command(*args: str) -> Result:
    return CliRunner().invoke(main, list(args))


def write(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)
    return name


def check(text: str, *options: str) -> Result:
    return command("check", write("mine.py", text), "--workers", "1", *options)


def assert_refused(result: Result, code: int, sentence: str) -> None:
    """One sentence, no traceback, and the earlier report still there."""
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    assert sentence in " ".join(result.output.split())
    assert len(result.output.strip().splitlines()) <= 6
    assert Path("reports/verdicts.json").read_text() == KEPT


def test_the_readmes_theorem_holds_and_half_of_it_is_refuted(here):
    result = check(HOEFFDING)
    assert (result.exit_code, "HOLDS" in result.output) == (0, True)
    assert result.output.startswith("boundcheck: 1 claim, budget quick")
    result = check(HALVED)
    assert (result.exit_code, "REFUTED" in result.output) == (1, True)
    result = command("verify", "reports/certificates/mine.hoeffding.json")
    assert result.exit_code == 0
    assert result.output.startswith("CONFIRMED  mine.hoeffding  P(event) <= ")
    Path("mine.py").unlink()
    result = command("verify", "reports/certificates/mine.hoeffding.json")
    assert result.output.startswith("RECOMPUTED  mine.hoeffding  P(event) <= ")


def test_the_readme_prints_this_theorem():
    assert HOEFFDING.strip() in (ROOT / "README.md").read_text(encoding="utf-8")


def test_checking_verifying_replaying_and_the_gate_hang_together(here):
    check(HALVED)
    certificate = "reports/certificates/mine.hoeffding.json"
    assert "part 0: violated, P(event) = " in command("replay", certificate, "mine.py").output
    assert json.loads(command("report", "--format", "json").output)["summary"]["REFUTED"] == 1
    assert command("report", "--format", "markdown").output == Path("reports/verdicts.md").read_text()
    assert "REFUTED" in command("report").output
    Path("baseline.json").write_bytes(Path("reports/verdicts.json").read_bytes())
    assert command("gate", "--baseline", "baseline.json").exit_code == 0
    before = json.loads(Path("baseline.json").read_text())
    before["claims"][0]["outcome"] = "HOLDS"
    write("baseline.json", json.dumps(before))
    result = command("gate", "--baseline", "baseline.json")
    assert (result.exit_code, "regression: mine.hoeffding: HOLDS -> REFUTED" in result.output) == (1, True)


def test_list_and_show(here):
    assert "mine.hoeffding" in command("list", write("mine.py", HOEFFDING)).output
    write("theory/t.py", HOEFFDING)
    shown = command("show", "t.hoeffding").output
    assert "Hoeffding 1963, Theorem 2" in shown
    assert "for all bias in (0, 1)" in shown


STAR = "from boundcheck import *\n"
BODIES = {
    "returns nothing": ("pass", "mine.f (", "returned nothing; end the body with `return`"),
    "returns an event": ("return quantity(lambda rng, size: rng.random(size)) <= x", "mine.f (", "returned an event"),
    "returns a comparison": ("return x <= 1", "mine.f (", "returned a plain comparison"),
    "type error": ("return at_most(x + 'a', 1)", "mine.f (", "kinds that do not go together"),
    "name error": ("return at_most(y, 1)", "mine.f (", "'y' is not defined; define it above, or import it"),
    "shapes that do not fit": ("return at_most(np.ones(2) * x, np.ones(3))", "mine.f (", "shapes (2,) and (3,) do not fit together"),
}
FILES = {
    "syntax error": ("def f(:\n    pass\n", "line 1"),
    "import error": ("import nowhere_to_be_found\n", "ModuleNotFoundError"),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_does_not_run_is_named_with_its_place(here, name):
    body, place, sentence = BODIES[name]
    result = check(HEADER + body + "\n")
    assert_refused(result, 2, sentence)
    assert place in result.output


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_loaded_is_named(here, name):
    text, sentence = FILES[name]
    result = check(text)
    assert_refused(result, 2, sentence)
    assert "mine.py" in result.output


SIGNATURES = {
    "int": ("x: int", "annotate the parameter 'x' with a domain"),
    "nothing": ("x", "annotate the parameter 'x' with a domain"),
    "star": ("*x: Unit", "cannot be given by its name"),
    "position": ("x: Unit, /", "cannot be given by its name"),
    "size": ("x: Unit, y: Vector('x')", "is the size of a dimension"),
    "huge": ("x: Vector(10**9)", "1000000000 entries"),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_that_cannot_be_read_costs_that_claim_alone(here, name):
    signature, sentence = SIGNATURES[name]
    wrong = f"\n@theorem('s')\ndef wrong({signature}):\n    return at_most(x, 1)\n"
    text = HOEFFDING.replace("import ", "import at_most, Vector, ", 1) + wrong
    result = check(text)
    assert (result.exit_code, "HOLDS" in result.output) == (2, True)
    said = " ".join(result.output.split())
    assert sentence in said
    assert f"mine.py:{text[: text.index('@theorem(' + chr(39) + 's')].count(chr(10)) + 1}" in said


SAMPLERS = {
    "tuple": "(rng.random(size), rng.random(size))",
    "dict": "{'a': rng.random(size)}",
    "objects": "np.array([rng.random() for _ in range(size)], dtype=object)",
    "texts": "rng.random(size).astype(str)",
    "iterator": "map(float, rng.random(size))",
    "rows of several lengths": "[[1] * (k + 1) for k, _ in enumerate(rng.random(size))]",
    "complex": "rng.random(size) + 1j",
    "nothing": "print(rng.random(size), end='')",
    "exit": "exit(rng.integers(0, 2, size))",
}


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_sampler_that_gives_no_array_of_numbers_ends_in_a_sentence(here, name):
    sampler = f"quantity(lambda rng, size: {SAMPLERS[name]})"
    result = check(HEADER + f"return P({sampler} <= 2) >= 1 - x\n")
    assert result.exit_code == 2, result.output
    assert "mine.f (" in " ".join(result.output.split())
    assert "engine" not in result.output


@pytest.mark.parametrize("made", ["lambda rng: rng.random()", "lambda rng, size, k: rng.random(size)", "5"])
def test_what_is_no_sampler_is_named_with_the_line_of_the_body(here, made):
    result = check(HEADER + f"return P(quantity({made}) <= 2) >= 1 - x\n")
    assert_refused(result, 2, "mine.f (")
    assert "rng, size" in " ".join(result.output.split())


def test_a_loop_without_end_is_named_with_its_line(here, monkeypatch):
    monkeypatch.setattr("boundcheck.checking.observe.MOST_LINES", 10_000)
    result = check(HEADER + "k = 0\n    while x >= 0:\n        k = k + 1\n    return at_most(x, 1)\n")
    assert_refused(result, 2, "10,000 lines have run")


OTHER = "\n\n@theorem('s')\ndef broken(x: Unit):\n    y = 2 * x\n    return at_most(z, y)\n"


def test_a_body_that_fails_costs_that_claim_alone(here):
    text = HOEFFDING.replace("import ", "import at_most, ") + OTHER
    result = check(text)
    assert result.exit_code == 2
    assert "HOLDS" in result.output
    line = text[: text.index("return at_most(z")].count("\n") + 1
    assert f"mine.py:{line}): 'z' is not defined" in " ".join(result.output.split())
    assert json.loads(Path("reports/verdicts.json").read_text())["summary"]["HOLDS"] == 1


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_loaded_costs_that_file_alone(here, name):
    text, sentence = FILES[name]
    write("folder/good.py", HOEFFDING)
    write("folder/bad.py", text)
    result = command("check", "folder", "--workers", "1")
    assert (result.exit_code, "HOLDS" in result.output) == (2, True)
    content = json.loads(Path("reports/verdicts.json").read_text())
    assert [r["id"] for r in content["claims"]] == ["good.hoeffding"]
    assert list(content["broken"]) == ["folder/bad.py"]
    assert sentence in content["broken"]["folder/bad.py"]
    assert "line " in content["broken"]["folder/bad.py"]
    listed = command("list", "folder")
    assert (listed.exit_code, "good.hoeffding" in listed.output, sentence in listed.output) == (2, True, True)
    assert command("show", "good.hoeffding", "folder").exit_code == 0


def test_selections_that_select_nothing(here):
    write("theory/t.py", HOEFFDING)
    assert_refused(command("check", "t.hoefding"), 2, "There is no claim 't.hoefding' (did you mean t.hoeffding?)")
    assert_refused(command("check", "nofile.py"), 2, "There is no file nofile.py")
    assert_refused(command("check", "no/folder"), 2, "There is no file, folder or claim called 'no/folder'")
    write("empty/notes.py", "x = 1\n")
    assert_refused(command("check", "empty"), 5, "empty states no claim")
    assert_refused(command("check", "empty/notes.py"), 5, "states no claim")


def test_claims_that_clash(here):
    write("a/same.py", HOEFFDING)
    write("b/same.py", "\n" + HOEFFDING)
    assert_refused(command("check", "a/same.py", "b/same.py"), 2, "Two claims are called same.hoeffding")


OPTIONS = {
    "fail-on": (["--fail-on", "nonsense"], "--fail-on takes inconclusive, refuted, vacuous or none, not 'nonsense'"),
    "budget": (["--budget", "huge"], "'huge' is not one of"),
    "alpha": (["--alpha", "0"], "0 is not in the range"),
    "seed": (["--seed", "-1"], "-1 is not in the range"),
    "workers": (["--workers", "0"], "write a number from 1 on"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_that_make_no_sense(here, name):
    options, sentence = OPTIONS[name]
    assert_refused(check(HOEFFDING, *options), 2, sentence)


UNDEFINED = {
    "nan": "return at_most(np.log(-x), 1), at_most(np.sqrt(-x), 1)",
    "infinite": "return at_most(x / (x - x), 1)",
    "not definite": "return at_most(trace(np.linalg.cholesky(-x * np.eye(2))), 1)",
    "singular": "return at_most(trace(inverse(x * np.zeros((2, 2)))), 1)",
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_body_without_a_value_is_undecided_and_not_a_crash(here, name):
    result = check(HEADER + UNDEFINED[name] + "\n", "--fail-on", "inconclusive,refuted")
    assert result.exit_code == 3, result.output
    assert "INCONCLUSIVE" in result.output
    assert "undefined" in " ".join(result.output.split())


def test_reports_that_cannot_be_read(here):
    assert_refused(command("report"), 2, "is not a boundcheck report")
    assert_refused(command("report", "nowhere.json"), 2, "There is no report nowhere.json; run `boundcheck check` first")
    write("newer.json", json.dumps({"schema_version": "9.0", "claims": []}))
    assert_refused(command("report", "newer.json"), 2, "was written by a newer boundcheck (schema 9.0)")
    assert_refused(command("gate", "newer.json", "--baseline", "newer.json"), 2, "newer boundcheck")
    assert_refused(command("gate", "--baseline", "nowhere.json"), 2, "is not a boundcheck report")
    assert_refused(check(HOEFFDING, "--resume"), 2, "is not a boundcheck report")


def altered(certificate: dict[str, Any]) -> dict[str, Any]:
    """The same refutation of a weaker statement, sealed again."""
    node = certificate["program"][certificate["conclusion"]["bound"]]
    certificate["program"][certificate["conclusion"]["bound"]] = {"op": "const", "args": [], "shape": [], "data": ["1/1000"]}
    assert node["op"] != "const" or node["data"] != ["1/1000"]
    return {**certificate, "seal": digest({k: v for k, v in certificate.items() if k != "seal"})}


def test_certificates_that_cannot_be_confirmed(here):
    check(HALVED)
    text = Path("reports/certificates/mine.hoeffding.json").read_text()
    wrong = {
        "truncated": (text[:100], 1), "newer": (text.replace('"certificate_version": 1', '"certificate_version": 99'), 2),
        "touched": (text.replace("Hoeffding 1963", "Hoeffding 1964"), 1), "altered": (json.dumps(altered(json.loads(text))), 1),
    }  # fmt: skip
    for name, (content, code) in wrong.items():
        result = command("verify", write(f"{name}.json", content))
        assert result.exit_code == code, result.output
        assert result.output.startswith(f"REJECTED  {name}.json: ")
        assert result.output.count("\n") == 1
    assert command("verify", "nowhere.json").exit_code == 2


def test_replay_of_what_holds_no_instance(here):
    write("mine.py", HOEFFDING)
    assert_refused(command("replay", write("x.json", "{}"), "mine.py"), 2, "x.json holds no instance")
    wrong = write("y.json", json.dumps({"claim": "mine.hoeffding", "instance": {"bias": "a"}}))
    assert_refused(command("replay", wrong, "mine.py"), 2, "The instance in y.json does not fit mine.hoeffding")


def shell(*args: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, env=env, timeout=60, check=False)


def test_the_program_passes_its_exit_code_on(tmp_path):
    missing = shell("-m", "boundcheck.commands.main", "check", str(tmp_path / "nofile.py"))
    assert (missing.returncode, missing.stderr.count("Error: ")) == (2, 1)
    assert "Traceback" not in missing.stderr


def test_the_selftest_trusts_this_engine_and_no_other(monkeypatch):
    assert command("selftest").exit_code == 0
    monkeypatch.setattr(trust, "low_coin", trust.coin)
    result = command("selftest")
    assert result.exit_code == 4
    assert "WRONG 0.98 p times" in result.output


def test_rounding_alone_violates_nothing_in_a_replay_or_a_search(here):
    head = "from boundcheck import at_most, integers, theorem\n\n"
    mine = write("sums.py", f"{head}@theorem('s')\ndef sums(n: integers(3, 3)):\n    return at_most(n * 0.1, 0.3)\n")
    held = write("x.json", json.dumps({"claim": "sums.sums", "instance": {"n": 3}}))
    assert "part 0: holds, 0.3 <= 0.3, by exact arithmetic" in command("replay", held, mine).output
    assert ", not violated in floats" in command("search", "sums.sums", mine, "--seconds", "0").output


def test_search_prints_the_worst_instance_and_replay_evaluates_it(here):
    mine = write("mine.py", HALVED)
    found = command("search", "mine.hoeffding", mine, "--seconds", "0", "-o", "worst.json")
    assert found.exit_code == 0
    assert ", violated in floats, at bias = " in found.output
    assert ": violated, " in command("replay", "worst.json", mine).output
