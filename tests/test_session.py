"""The Python API: claims typed in a session or imported from files, their verdicts as values, one instance evaluated."""

import importlib
import json
import linecache
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import boundcheck
from boundcheck import Verdict, check, verify
from boundcheck.checking.plan import PLANS
from boundcheck.checking.verdict import Outcome
from boundcheck.domains.instances import build, from_json
from boundcheck.exits import NOTHING, Refused
from boundcheck.running import Workers, session
from boundcheck.tape.texts import is_session
from boundcheck.words.loading import load_claims

ROOT = Path(__file__).resolve().parent.parent
HEAD = "from boundcheck import *\nimport numpy as np\n"
COINS = """@theorem("Hoeffding 1963")
def hoeffding(bias: Unit, n: Count, delta: Unit):
    \"\"\"A mean is seldom far above the bias.\"\"\"
    mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
    return P(mean - bias <= sqrt(log(1 / delta) / (4 * n))) >= 1 - delta
"""
HALF = "@theorem('s')\ndef half(x: Unit):\n    return at_most({}, 0.5)\n"


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """Little is spent on a claim."""
    monkeypatch.setitem(PLANS, "quick", replace(PLANS["quick"], instances=20, work=200, trials=2000))


class Session(ModuleType):
    """A module without a file, whose cells are kept as notebooks keep them: the name of a cell is that of its text."""

    def cell(self, text: str) -> None:
        name = f"/tmp/{self.__name__}/{abs(hash(text))}.py"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), vars(self))


@pytest.fixture
def notebook(monkeypatch, request):
    made = Session(f"session_of_{request.node.name.partition('[')[0]}")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.setattr(linecache, "cache", dict(linecache.cache))
    made.cell(HEAD)
    return made


# claims of a session


def test_a_claim_of_a_cell_is_called_by_its_name_and_confirmed_with_its_text(notebook):
    notebook.cell("\n" + COINS)
    claim = notebook.hoeffding
    assert (claim.id, claim.location, claim.statement) == ("hoeffding", "session:2", COINS)
    verdict = claim.check()
    assert isinstance(verdict, Verdict)
    assert (verdict.id, verdict.refuted) == ("hoeffding", True)
    assert str(verify(verdict.certificate)).endswith("compared with the session: program, hypotheses")


def test_the_prompt_of_python_313_keeps_what_is_typed(notebook, monkeypatch):
    """It keeps the text of an input by the code that it is compiled to."""
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(linecache, "_interactive_cache", kept, raising=False)
    for k, text in enumerate(["C = 0.5\n", "def g(x):\n    return C * x\n", HALF.format("g(x) + g(1)")]):
        name = f"<python-input-{k}>"
        kept[name, "<module>", 1] = len(text), None, text.splitlines(keepends=True), name
        exec(compile(text, name, "exec"), vars(notebook))
    verdict = check(notebook.half)
    assert verdict.claim.statement == HALF.format("g(x) + g(1)")
    assert verify(verdict.certificate).outcome == "CONFIRMED"


@pytest.mark.parametrize(("file", "session"), [("", True), (linecache.__file__, True), (__file__, False)])
def test_a_session_has_no_file_or_that_of_a_prompt(file, session):
    """Python 3.13 runs its prompt in the module of the prompt."""
    assert is_session({"__name__": "__main__", "__file__": file}) is session
    assert not is_session({"__name__": "library", "__file__": file or linecache.__file__})


@pytest.mark.parametrize(("first", "second"), [
    ("def g(x):\n    return x\n", "def g(x):\n    return 0.9 * x\n"),
    ("g = lambda x: x\n", "g = lambda x: 0.9 * x\n"),
    ("C = 1.0\ndef g(x):\n    return C * x\n", "C = 0.9\n"),
    ("W = np.array([1.0, 0.5])\ndef g(x):\n    return W[0] * x\n", "W = np.array([0.9, 0.5])\n"),
    ("@setting\nclass K:\n    c: Unit\ndef g(x):\n    return K(1.0).c * x\n", "@setting\nclass K:\n    c: Positive\n"),
    ("class K:\n    c = 1\n    def of(self, x):\n        return x\ndef g(x):\n    return K().of(x)\n",
     "class K:\n    c = 1\n    def of(self, x):\n        return 0.9 * x\n"),
])  # fmt: skip
def test_what_other_cells_say_counts_as_it_is_now(notebook, first, second):
    """x <= 1/2 is false, and so is 0.9 x <= 1/2; each certificate is one of its own text."""
    notebook.cell(first)
    notebook.cell(HALF.format("g(x)"))
    one = check(notebook.half)
    notebook.cell(second)
    assert verify(one.certificate).outcome == "REJECTED"
    other = check(notebook.half)
    assert one.row.fingerprint != other.row.fingerprint
    assert verify(other.certificate).outcome == "CONFIRMED"
    notebook.cell(first)
    notebook.cell("unread = 1\n")
    assert verify(one.certificate).outcome == "CONFIRMED"
    assert check(notebook.half).row.json() == one.row.json()


def test_a_constant_that_no_cell_says_is_not_certified(notebook):
    """C was 1/2 once; what it is now, no line says."""
    notebook.cell("C = 0.5\n")
    notebook.cell("C = C + 1\n")
    notebook.cell("@theorem('s')\ndef f(x: Unit):\n    return at_most(x, x / C)\n")
    assert "'C' was chosen" in check(notebook.f).reason


def test_settings_of_a_cell_are_cases(notebook):
    notebook.cell("def g(x):\n    return x\n")
    notebook.cell("@setting\nclass Plain:\n    p: Unit\n")
    notebook.cell("@setting\nclass Case:\n    p: Unit\n    def twice(self):\n        return 2 * g(self.p)\n")
    notebook.cell("@theorem('s')\ndef plain(c: Plain):\n    return at_most(c.p, 0.5)\n")
    notebook.cell("@theorem('s')\ndef case(c: Case):\n    return at_most(c.twice(), 1.5)\n")
    verdicts = check([notebook.plain, notebook.case])
    assert [verdict.id for verdict in verdicts] == ["case", "plain"]
    assert "c = (p = " in repr(verdicts["case"])
    assert all(verify(verdict.certificate).outcome == "CONFIRMED" for verdict in verdicts)
    notebook.cell("def g(x):\n    return 1 * x\n")
    assert verify(verdicts["case"].certificate).outcome == "REJECTED"
    assert verify(verdicts["plain"].certificate).outcome == "CONFIRMED"


def test_a_cell_that_is_run_again_redefines_its_claim(notebook):
    notebook.cell(HALF.format("x"))
    before = notebook.half
    notebook.cell(HALF.format("x / 2"))
    notebook.__dict__["_1"] = before
    assert [verdict.outcome.name for verdict in check(notebook)] == ["HOLDS"]
    with pytest.raises(Refused, match="Two claims are called half"):
        check([before, notebook.half])


def test_a_claim_without_a_text_can_be_evaluated_and_is_not_judged():
    names: dict[str, Any] = {"__name__": "nowhere"}
    exec(HEAD + HALF.format("x"), names)
    assert repr(names["half"].at(x=0.25)) == "half at x = 0.25: undecided, 0.25 against 0.5, in floats whose rounding is not known"
    with pytest.raises(Refused, match=r"is not kept by the prompt of Python 3.*; state it in a file and import it"):
        check(names["half"])


def test_the_text_after_python_c_is_kept():
    text = HEAD + "C = 0.5\n" + HALF.format("C * x + C") + "v = half.check(); print(v.outcome.name, verify(v.certificate))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, env=environment)
    assert re.fullmatch(r"REFUTED CONFIRMED  half .*; compared with the session: program, hypotheses\n", run.stdout)


def test_a_text_that_fails_is_one_sentence_or_the_verdict_of_one_of_several(notebook):
    notebook.cell(HALF.format("y"))
    notebook.cell("@theorem('s')\ndef fine(x: Unit):\n    return at_most(x, 1)\n")
    with pytest.raises(Refused, match=r"^half \(session:3\): 'y' is not defined"):
        check(notebook.half)
    assert [verdict.outcome.name for verdict in check(notebook)] == ["HOLDS", "INCONCLUSIVE"]
    with pytest.raises(Refused, match=r"^half \(session:3\): 'y' is not defined"):
        notebook.half.at(x=0.5)


# verdicts


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """The claims of a file."""
    file = tmp_path_factory.mktemp("files") / "mine.py"
    halved = "@theorem('t')\ndef halved(K: PSD('n')):\n    'A < B & C.'\n    return at_most(largest_eigenvalue(K), trace(K) / 2)\n"
    file.write_text(HEAD + COINS + halved + "@theorem('u')\ndef fine(x: Unit):\n    return at_most(x, 1)\n")
    return {claim.id: claim for claim in load_claims(file)}


def test_a_verdict_has_the_counterexample_as_values(mine):
    verdict = mine["mine.halved"].check(seed=1)
    assert verdict.instance
    K = verdict.instance["K"]
    assert K.shape == K.T.shape
    assert np.linalg.eigvalsh(K)[-1] > np.trace(K) / 2
    assert repr(verdict).startswith(f"mine.halved: REFUTED, {verdict.reason} at K = [[")
    assert "<math" in verdict._repr_html_()
    assert "A &lt; B &amp; C." in verdict._repr_html_()
    assert (repr(verdict.outcome), verdict.row.seeds, verdict.trials) == ("Outcome.REFUTED", (1,), 0)


def test_one_verdict_and_several_have_the_same_rows(mine):
    verdicts = check(mine.values())
    rows = re.findall("<tr>.*?</tr>", verdicts._repr_html_())
    for verdict, row in zip(verdicts, rows[1:], strict=True):
        assert verdict._repr_html_().startswith(f"<table><thead>{rows[0]}</thead><tbody>{row}</tbody></table>")


def test_a_verdict_is_drawn(mine, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    drawing = mine["mine.hoeffding"].check().plot()
    assert [curve.label for curve in drawing.panels[0].curves] == ["failure probability", "allowed", "instance"]
    assert drawing._repr_svg_() == drawing.save(tmp_path / "new" / "it.svg").read_text()
    with pytest.raises(Refused, match=r"'it\.wav' names no format of a figure; end it in \.svg"):
        drawing.save(tmp_path / "it.wav")
    with pytest.raises(Refused, match=r"mine\.halved has no curves"):
        mine["mine.halved"].check().plot()
    monkeypatch.setattr(session, "find_spec", lambda _: None)
    with pytest.raises(Refused, match=r"pip install 'boundcheck\[plots\]'"):
        mine["mine.hoeffding"].check().plot()


def test_a_certificate_is_saved_and_verified(mine, tmp_path):
    verdict = mine["mine.hoeffding"].check()
    path = verdict.certificate.save(tmp_path / "new" / "c.json")
    assert verify(path).outcome == "RECOMPUTED"
    assert verify(str(path), mine["mine.hoeffding"]).outcome == "CONFIRMED"
    assert verify({**verdict.certificate.content, "seal": ""}).outcome == "REJECTED"
    assert verify(tmp_path / "missing.json").outcome == "REJECTED"
    assert verify(ROOT / "reports/certificates/li2021.lemma27.json").outcome == "CONFIRMED"
    with pytest.raises(Refused, match="choose another place"):
        verdict.certificate.save(path / "below")
    with pytest.raises(Refused, match="not None"):
        verify(check(mine["mine.fine"]).certificate)


def test_several_verdicts_are_a_list_and_a_table(mine):
    verdicts = check(mine.values(), alpha=0.03)
    assert [verdict.id for verdict in verdicts] == ["mine.fine", "mine.halved", "mine.hoeffding"]
    assert [verdict.row.alpha for verdict in verdicts] == [check([mine["mine.fine"]], alpha=0.01)[0].row.alpha] * 3
    assert list(verdicts.to_frame()["outcome"]) == ["HOLDS", "REFUTED", "REFUTED"]
    assert verdicts._repr_html_().count("<tr>") == 4
    assert repr(verdicts).count("\n") == 2
    assert verdicts["mine.fine"] is verdicts[0]
    with pytest.raises(KeyError):
        verdicts["mine.other"]


def test_workers_change_nothing(mine, monkeypatch):
    monkeypatch.setattr(Workers, "results", lambda _, tasks: ((key, task(*given)) for key, (task, given) in tasks.items()))
    alone, two = check(mine.values()), check(mine.values(), workers=2)
    assert [replace(verdict.row, curves=()) for verdict in two] == [verdict.row for verdict in alone]


@pytest.mark.parametrize(("options", "says"), [
    ({"budget": "big"}, "quick, ci, nightly"), ({"seed": -1}, "from 0 on"), ({"alpha": 0}, "1/2"), ({"workers": 0}, "from 1"),
])  # fmt: skip
def test_options_that_are_wrong_are_refused(mine, options, says):
    with pytest.raises(Refused, match=says):
        check(mine["mine.fine"], **options)


@pytest.mark.parametrize("claims", [3, "mine.fine", [None]])
def test_what_is_no_claim_is_refused(claims):
    with pytest.raises(Refused, match=r"@theorem\('where it comes from'\)"):
        check(claims)


def test_a_name_of_a_file_is_no_claim():
    with pytest.raises(Refused, match=r"not 'mine\.py'"):
        check("mine.py")  # type: ignore[call-overload]


def test_a_claim_shows_what_it_says(mine):
    shown = repr(mine["mine.hoeffding"])
    assert shown.startswith("mine.hoeffding: ")
    assert " at 0x" not in shown


def test_nothing_is_refused():
    with pytest.raises(Refused, match="no claims") as refused:
        check([])
    assert refused.value.code == NOTHING
    assert refused.value._render_traceback_() == [f"StatesNothing: {refused.value}"]


def test_after_an_interruption_the_next_call_goes_on(mine, monkeypatch):
    asked, judged = [], session.judged

    def interrupted(claim, *rest):
        asked.append(claim.id)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return judged(claim, *rest)

    monkeypatch.setattr(session, "judged", interrupted)
    with pytest.raises(KeyboardInterrupt, match="the same call goes on") as stopped:
        check(mine.values())
    assert stopped.value._render_traceback_() == [f"Interrupted: {stopped.value}"]  # type: ignore[attr-defined]
    verdicts = check(mine.values())
    assert asked == ["mine.fine", "mine.halved", "mine.halved", "mine.hoeffding"]
    assert len(verdicts) == 3
    check(mine["mine.fine"])
    assert asked[-1] == "mine.fine"


@pytest.mark.parametrize(("file", "of"), [("stated.py", "f"), ("beside.py", "bound")])
def test_a_text_that_was_changed_since_it_was_imported_is_not_judged(tmp_path, monkeypatch, file, of):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    texts = {
        "beside.py": "def bound(x):\n    return x / 2\n",
        "stated.py": "from beside import bound\nfrom boundcheck import Unit, at_most, theorem\n\n"
        "@theorem('s')\ndef f(x: Unit):\n    return at_most(x / 2, bound(x))\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    stated = importlib.import_module("stated")
    assert check(stated.f).outcome is Outcome.HOLDS
    (tmp_path / file).write_text(texts[file].replace("x / 2", "x / 3.5"))
    with pytest.raises(Refused, match=rf"{file} has changed since '{of}' was imported, of which stated\.f is made"):
        check(stated.f)
    (tmp_path / file).write_text("def (")
    with pytest.raises(Refused, match="has changed since"):
        check(stated.f)
    for name in ("beside", "stated"):
        del sys.modules[name]


def test_what_takes_long_says_what_it_does(mine, monkeypatch):
    shown, judged = [], session.judged

    def slow(*given):
        while not shown:
            pass
        return judged(*given)

    monkeypatch.setattr(session, "SOON", 0.01)
    monkeypatch.setattr(session, "judged", slow)
    monkeypatch.setattr(session, "_line", lambda: shown.append)
    check(mine["mine.fine"])
    assert re.fullmatch(r"checking .*, \d+ s", shown[0])
    assert shown[-1] == ""


def test_type_checkers_see_every_module_of_the_public_names():
    stub = (ROOT / "boundcheck/__init__.pyi").read_text()
    assert set(re.findall(r"from (\S+) import \*", stub)) == set(boundcheck._EXPORTS)


# one instance

CLAIMS = HEAD + """
@theorem("s")
def sums(x: Real):
    return at_most(x + 0.2, 0.3)

@theorem("s")
def roots(x: Positive):
    return at_most(sqrt(x) ** 2, x)

@theorem("s")
def strict(x: Real):
    return less(x, 0.3)

@theorem("s")
def thirds(p: Simplex(3)):
    k = quantity(lambda rng, size: rng.choice(3, size, p=p))
    return P(k == 0) <= 0.2

@theorem("s")
def loops(x: Unit):
    return at_most(float(str(x)), 0.5)

@theorem("s")
def same(A: Symmetric("n")):
    return equal(A, 2 * A - A)

@theorem("s")
def order(A: PSD("n"), B: PSD("n")):
    return loewner(A, B)

@theorem("s")
def law(X: FiniteLaw, t: NonNegative):
    x = X.sample()
    return P(x >= t) <= X.mean / t, at_most(X.low, X.mean)

@theorem("s")
def bound(n: Count, t: Unit):
    assume(t * n >= 1)
    q = quantity(lambda rng, size: rng.uniform(0, 1, size))
    return P(q <= t) >= 0.5

@theorem("s")
def rare(n: Count):
    q = quantity(lambda rng, size: rng.binomial(n, 0.5, size))
    return P(q < n) >= 1 - 1e-6
"""


@pytest.fixture(scope="module")
def stated(tmp_path_factory):
    file = tmp_path_factory.mktemp("files") / "stated.py"
    file.write_text(CLAIMS)
    return {claim.id.partition(".")[2]: claim for claim in load_claims(file)} | {"FiniteLaw": boundcheck.FiniteLaw}


def half(n):
    return np.eye(n) / 2


@pytest.mark.parametrize(("name", "values", "says"), [
    ("sums", {"x": 0.05}, "holds, 0.25 <= 0.3"), ("sums", {"x": 1}, "violated, 1.2 > 0.3"),
    ("sums", {"x": 0.1}, "holds, 0.3 <= 0.3, by exact arithmetic"),
    ("roots", {"x": 2.0}, "undecided, .*, equal as far as can be told"), ("roots", {"x": 4.0}, "holds, 4 <= 4, by exact arithmetic"),
    ("thirds", {"p": [1 / 3] * 3}, r".* \(with p as the exact member next to it\): violated, P\(event\) = 0.333333 > 0.2"),
    ("thirds", {"p": [0.5, 0.25, 0.25]}, r"violated, P\(event\) = 0.5 > 0.2"),
    ("loops", {"x": 0.75}, "undecided, 0.75 against 0.5, in floats whose rounding is not known"),
    ("strict", {"x": 0.3}, "violated, .* >= .*, by exact arithmetic"), ("strict", {"x": 0.2}, "holds, 0.2 < 0.3, by exact arithmetic"),
    ("same", {"A": [[1, 2], [2, 1]]}, "holds, .* = .*, by exact arithmetic"),
    ("order", {"A": half(2), "B": np.eye(2)}, "holds, 0.5 <= 1"), ("order", {"A": np.eye(2), "B": half(2)}, "violated, 1 > 0.5"),
    ("order", {"A": half(2), "B": half(2)}, "holds, 0.5 <= 0.5, by exact arithmetic"),
    ("rare", {"n": 30}, r"holds, 1 - P\(event\) = 9.31323e-10 <= 1e-06"),
    ("rare", {"n": 10}, r"violated, 1 - P\(event\) = 0.000976562 > 1e-06"),
    ("bound", {"n": 9, "t": 0.9}, "holds, P.event. = .* >= 0.5, by .* trials, at level 0.001"),
    ("bound", {"n": 9, "t": 0.3}, "violated, P.event. = .* < 0.5, by .* trials, at level 0.001"),
    ("bound", {"n": 1, "t": 0.3}, "nothing, it does not satisfy the hypotheses"),
])  # fmt: skip
def test_one_instance(stated, name, values, says):
    assert re.search(f"(: |^stated.thirds at ){says}$", repr(stated[name].at(**values)))


def test_a_setting_is_given_as_a_case(stated):
    seen = stated["law"].at(X=stated["FiniteLaw"](values=[0, 4], p=[0.75, 0.25]), t=2)
    assert [(part.outcome, part.left, part.right, part.exact) for part in seen.parts] == [("holds", 0.25, 0.5, True), ("holds", 0, 1, True)]
    at = "X = (0 with probability 0.75, 4 with probability 0.25), t = 2"
    assert repr(seen).startswith(f"stated.law at {at}: holds, P(event) = 0.25 <= 0.5; ")


ATTAINED = """
from dataclasses import dataclass, replace
import numpy as np
from hypothesis import strategies as st
from boundcheck import *
from boundcheck.domains import Domain
from boundcheck.domains.conditions import eq, le, near

def draw_centred(n):
    return st.just(np.zeros(n))

def least(A):
    return np.linalg.eigvalsh(A)[0]

@theorem("s")
def unit_vector(x: UnitVector("n")):
    return equal(np.sum(x * x), 1)

@theorem("s")
def coherence(X: UnitRows("n", "d"), S: Subset("n", "k")):
    G = X @ X.T
    B = G[np.ix_(S, S)]
    return at_most(opnorm(B - np.eye(len(S))), (len(S) - 1) * np.max(np.abs(G - np.diag(np.diag(G)))))

@theorem("s")
def masses(p: Simplex("n")):
    return equal(np.sum(p), 1), at_most(1 / len(p), np.sum(p**2))

@theorem("s")
def joint(p: JointLaw("m", "n")):
    return equal(np.sum(np.sum(p, axis=0)), 1)

@theorem("s")
def channel(W: Channel("m", "n")):
    return equal(np.sum(W), W.shape[0])

@theorem("s")
def semidefinite(A: PSD("n")):
    return at_most(0, least(A))

@theorem("s")
def definite(A: PositiveDefinite("n")):
    return at_most(A.shape[0] ** 2, trace(A) * trace(inverse(A)))

@theorem("s")
def correlations(A: Correlation("n")):
    return equal(trace(A), A.shape[0]), at_most(np.abs(A), 1)

@theorem("s")
def orthogonal(Q: Orthogonal("n")):
    return equal(Q @ Q.T, np.eye(Q.shape[0])), equal(np.linalg.det(Q) ** 2, 1)

@theorem("s")
def symmetric(A: Symmetric("n")):
    return equal(A, A.T)

@theorem("s")
def below_one(A: SymmetricBetween("n", 0, 1)):
    return loewner(A @ A, A)

@theorem("s")
def rank_one(A: LowRank(2, 2, 1)):
    return equal(A[0, 0] * A[1, 1], A[0, 1] * A[1, 0])

@theorem("s")
def signs(x: Signs("n"), b: Bits("n")):
    return equal(np.sum(x * x), len(x)), equal(np.sum(b * b), np.sum(b))

@theorem("s")
def families(A: Family(PSD("d"), "k"), u: Family(UnitVector("d"), "k"), laws: Family(FiniteLaw, "k")):
    return at_most(0, least(A[0])), equal(np.sum(u[0] * u[0]), 1), equal(np.sum(laws[0].p), 1)

@theorem("s")
def law(law: FiniteLaw):
    X = law.sample(3)
    s = np.sum((X - X.mean()) ** 2) / 2
    fourth = np.sum(law.p * (law.values - law.mean) ** 4)
    return equal(E((s - law.variance) ** 2), fourth / 3)

@theorem("s")
def centred(law: FiniteLaw):
    X = law.sample(1)[0]
    assume(E(X) == 0)
    return equal(E(X), 0)

@theorem("s")
def line(p: Unit, q: Unit):
    assume(p + q == 1)
    return equal(p + q, 1)

@theorem("s")
def trials(p: Real, q: Real):
    assume(p * q == 1)
    x = quantity(lambda rng, size: rng.uniform(0, 1, size))
    return P(x + p * q >= 1) >= 0.99, equal(p * q, 1)

@theorem("s")
def ends(x: between(0, np.pi, closed=True), y: Box("n", 0, np.sqrt(2)), z: between(0, 1, closed=True)):
    return at_most(0, sin(x)), at_most(y * y, 2), at_most(z, 1)

@setting
class Case:
    u: UnitVector("n")
    A: PSD("n")

@theorem("s")
def case(c: Case):
    return at_most(c.u @ c.u, 1), at_most(1, c.u @ c.u), at_most(0, least(c.A))

@dataclass(frozen=True)
class Own:
    u: object

    @staticmethod
    def draw():
        return st.just({"u": np.array([3.0, 4.0])})

    @staticmethod
    def build(raw):
        return Own(raw["u"] / np.sqrt(np.sum(raw["u"] ** 2)))

    @staticmethod
    def member(case):
        return [near(np.sum(case.u**2), 1)]

setting(Own)

@theorem("s")
def own(c: Own):
    return at_most(np.sum(c.u**2), 1), at_most(1, np.sum(c.u**2))

Centred = Domain("centred vectors in R^{0}", draw_centred, dims=("n",), member=lambda x, *_: [eq(np.sum(x), 0)], axes=(0,))
Inner = replace(Simplex, member=lambda p, *_: [le(0, p), le(p, 1), eq(np.sum(p), 1)])

@theorem("s")
def centred_vectors(x: Centred, p: Inner):
    return equal(np.sum(x), 0), equal(np.sum(p), 1)

@theorem("s")
def own_false(c: Own):
    return at_most(np.sum(c.u**2), 0.999)
"""


@pytest.fixture(scope="module")
def attained(tmp_path_factory):
    file = tmp_path_factory.mktemp("files") / "attained.py"
    file.write_text(ATTAINED)
    return {claim.id.partition(".")[2]: claim for claim in load_claims(file)}


def rounded_instances(claims, rng):
    """Instances that only rounding keeps in their domains, or on the equations that are assumed."""

    def near(x):
        return x + 1e-16 * rng.integers(-3, 4, np.shape(x))

    def unit(n):
        x = rng.standard_normal(n)
        return x / np.linalg.norm(x)

    def masses(*shape):
        w = rng.random(shape) + 0.1
        return w / np.sum(w, axis=-1, keepdims=True)

    def law(n, values=None):
        return boundcheck.FiniteLaw(values=rng.standard_normal(n) if values is None else values, p=masses(n))

    n = int(rng.integers(2, 6))
    Q, x = np.linalg.qr(rng.standard_normal((n, n)))[0], unit(n)
    rows = np.array([unit(2) for _ in range(n)])
    flat, kinds = near(np.outer(x, x)), {name: claims[name].parameters["c"].build for name in ("case", "own")}
    flat, t, p = (flat + flat.T) / 2, 3 + rng.random(), masses(n)
    yield from [
        ("unit_vector", {"x": x}), ("coherence", {"X": np.repeat(x[None], 3, axis=0), "S": [0, 2]}), ("masses", {"p": p}),
        ("masses", {"p": np.full(n, 1 / n)}), ("joint", {"p": np.outer(masses(n), masses(2))}), ("channel", {"W": masses(3, n)}),
        ("semidefinite", {"A": flat}), ("semidefinite", {"A": Q[:, 1:] @ Q[:, 1:].T}), ("definite", {"A": flat}),
        ("definite", {"A": np.zeros((n, n))}), ("correlations", {"A": rows @ rows.T}), ("orthogonal", {"Q": Q}),
        ("symmetric", {"A": near(np.ones((n, n)))}), ("below_one", {"A": flat}), ("rank_one", {"A": np.outer(unit(2), unit(2))}),
        ("signs", {"x": [1 + 1e-11, -1.0], "b": [1 - 1e-11, 1e-12]}), ("law", {"law": law(n)}),
        ("families", {"A": [flat, flat], "u": [x, -x], "laws": (law(2), law(3))}),
        ("centred", {"law": boundcheck.FiniteLaw(values=(v := rng.standard_normal(n)) - p @ v, p=p)}),
        ("line", {"p": 1 / 3, "q": 2 / 3}), ("line", {"p": 1 / t, "q": 1 - 1 / t}), ("trials", {"p": t, "q": 1 / t}),
        ("ends", {"x": np.pi, "y": [np.sqrt(2)] * 2, "z": 1 + 2e-16}),
        ("centred_vectors", {"x": v - np.mean(v), "p": p}),
        ("case", {"c": kinds["case"]({"u": x, "A": np.eye(n)})}), ("own", {"c": kinds["own"]({"u": x})}),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_what_rounding_alone_violates_is_not_violated(attained, seed):
    for name, values in rounded_instances(attained, np.random.default_rng(seed)):
        assert attained[name].at(**values).outcome != "violated", (name, values)


def test_what_is_violated_beyond_all_rounding_is_violated(attained):
    case = attained["own_false"].parameters["c"].build({"u": np.array([1.0, 2.0])})
    assert attained["own_false"].at(c=case).outcome == "violated"


def test_a_refusal_shows_the_digits_that_matter(attained):
    with pytest.raises(Refused, match=r"x = 3.1415927 is not in \[0, 3.14159265358\]"):
        attained["ends"].at(x=3.1415927, y=[1.0], z=0.5)


@pytest.mark.parametrize("paper", ["ma2025", "yashima2021"])
def test_where_a_certificate_refutes_a_claim_it_is_violated(paper):
    claims = {claim.id: claim for claim in load_claims(ROOT / "theory" / paper)}
    found = sorted((ROOT / "reports/certificates").glob(f"{paper}.*.json"))
    certificates = [path for path in found if not path.name.endswith(".proof.json")]
    assert len(certificates) > 10
    for path in certificates:
        about = json.loads(path.read_text())["claim"]
        claim = claims[about["id"]]
        assert claim.at(**build(claim.parameters, from_json(about["instance"]))).outcome == "violated", path.name


@pytest.mark.parametrize(("name", "values", "says"), [
    ("sums", {}, "lacks x; give x: R."), ("sums", {"x": 1.0, "y": 2}, "has no y; give x: R."),
    ("sums", {"x": "a"}, "x is not of the type of R"), ("rare", {"n": 2.5}, "n is not of the type of 1, 2, ..., 10000"),
    ("rare", {"n": 0}, "n = 0 is not in 1, 2, ..., 10000"), ("roots", {"x": -1}, "x = -1 is not in (0, inf)"),
    ("same", {"A": [[1, 2], [3, 4]]}, "A = [[1, 2], [3, 4]] is not in symmetric, n x n"),
    ("same", {"A": [1, 2]}, "A has shape (2,)"), ("order", {"A": np.eye(2), "B": np.eye(3)}, "B has shape (3, 3)"),
    ("order", {"A": -np.eye(2), "B": np.eye(2)}, "A = [[-1, 0], [0, -1]] is not in PSD"),
    ("law", {"X": 3, "t": 1}, "X = 3 is not in FiniteLaw"), ("same", {"A": [["a"]]}, "is not of the type of symmetric"),
])  # fmt: skip
def test_values_that_are_no_instance_are_refused(stated, name, values, says):
    with pytest.raises(Refused) as refused:
        stated[name].at(**values)
    assert says in str(refused.value)


def test_a_constant_is_sharpened_where_it_is_stated(notebook):
    """x (1 - x) <= C is sharp at C = 1/4: every smaller value asked about is refuted, none that is as large."""
    notebook.cell("@theorem('s')\ndef quarter(x: Unit):\n    return at_most(x * (1 - x), marked(1, 'C'))\n")
    found = notebook.quarter.sharpen()
    assert found.refuted < 0.25 <= found.not_refuted < 1.01 * 0.25
    assert repr(found) == f"C of quarter (printed 1): refuted up to {found.refuted:.6g}, by a certificate; not refuted from 0.25 on."
    assert {v: o.outcome.name for v, o in found.asked.items()}[1.0] == "HOLDS"
    assert boundcheck.sharpen(notebook.quarter, "right-hand side").constant == "right-hand side"
    wrong = [
        ({"constant": "D"}, "no constant 'D'; it has C, right-hand side"),
        ({"budget": "large"}, "A budget is one of"),
        ({"alpha": 2}, "1e-6"),
    ]
    for given, says in wrong:
        with pytest.raises(Refused, match=says):
            notebook.quarter.sharpen(**given)
    notebook.cell("@theorem('s')\ndef broken(x: Unit):\n    return at_most(x, y)\n")
    with pytest.raises(Refused, match="'y' is not defined"):
        notebook.broken.sharpen()
