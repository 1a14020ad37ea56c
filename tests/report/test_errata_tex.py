"""`boundcheck report --errata-tex`: snippets for LaTeX, instances for Python, a bibliography of what is cited."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import boundcheck
from boundcheck import Positive, at_most
from boundcheck.commands.main import main
from boundcheck.features.pools import WeightedFeatures
from boundcheck.report.document import Document
from boundcheck.report.paper.tex import AUTHOR, TITLE, errata_tex, escaped, prose_tex, python_literal
from boundcheck.words.claims import Claim, make_claim

from .test_errata import FULL, papers, short

__all__ = ["papers"]
ROOT = Path(__file__).resolve().parents[2]
PACKAGE = '''"""Doe, Roe (2020). On lemmas & norms. JMLR 1."""

from boundcheck import Paper

paper = Paper("doe2020", "On lemmas & norms", "Doe, Roe", 2020)
'''


def array(*shape: int) -> dict:
    return {"array": (np.arange(np.prod(shape)) / 3).reshape(shape).tolist(), "shape": list(shape), "kind": "f"}


@pytest.fixture
def doe(papers: Path) -> Path:
    """The folder of a paper with an erratum."""
    (papers / "doe2020" / "__init__.py").write_text(PACKAGE)
    (papers / "doe2020" / "errata.toml").write_text(FULL, encoding="utf-8")
    return papers / "doe2020"


def test_a_snippet_has_statement_counterexample_repair_and_certificate(doe, report):
    text = errata_tex(Document.of_json(report))["doe2020.lemma1.tex"]
    told = [
        r"\subsection{\texttt{doe2020.lemma1}: constant}\label{erratum:doe2020.lemma1}", r"\cite{doe2020}, Section 2, Lemma 1.",
        "\\[\n\\|K\\|\n\\le 4\n\\]", r"\paragraph{Read as.}", r"$\|a\| < b_1$", "A prime may be lost.",
        r"\texttt{[[5]]}, whose norm is 5 \textless{} 6.",
        "\\begin{verbatim}\nK = 5\nassert not K <= 4\n\\end{verbatim}", "\\paragraph{Width.}\n5 against 4.", r"\paragraph{Why.}",
        "The constant is 8, and no smaller one does.", r"\texttt{doe2020.lemma1.repaired}, HOLDS", r"\cite{boundcheck}",
        "boundcheck verify reports/certificates/doe2020.lemma1.json", r"\endoferratum",
    ]  # fmt: skip
    places = [text.find(part, text.index(r"\subsection")) for part in told]
    assert -1 not in places, told[places.index(-1)]
    assert places == sorted(places)


def test_what_is_cited_and_put_in_is_there(doe, report):
    (doe / "errata.toml").write_text(
        FULL + short("doe2020.step2", "misprint") + short("doe2020.gone", "order")
    )
    files = errata_tex(Document.of_json(report))
    assert sorted(files) == ["doe2020.lemma1.tex", "doe2020.step2.tex", "errata.bib", "errata.tex"]
    assert re.findall(r"\\input\{(.+)\}", files["errata.tex"]) == ["doe2020.lemma1.tex", "doe2020.step2.tex"]
    keys = set(re.findall(r"@misc\{(\w+),", files["errata.bib"]))
    assert (
        {key for text in files.values() for key in re.findall(r"\\cite\{(\w+)\}", text)}
        == keys
        == {"doe2020", "boundcheck"}
    )
    assert (
        "author = {Doe and Roe},\n  title = {{On lemmas \\& norms}},\n  year = {2020},\n  note = {JMLR 1},"
        in files["errata.bib"]
    )


def test_remarks_are_no_errata(doe, report):
    (doe / "errata.toml").write_text(short("doe2020.step2", "misprint", 'kind = "remark"'))
    assert sorted(errata_tex(Document.of_json(report))) == ["errata.bib", "errata.tex"]


HOSTILE = [
    r"\input{/etc/passwd}",
    "100 % of K_1^2 & #3 {~}",
    "a < b > c",
    "one $ alone",
    "`x_1` and `\\y`",
    "\x1b]0;\x07",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_prose_has_nothing_that_latex_obeys(text):
    bare = re.sub(r"\\texttt\{|\\text\w+\{\}|\\[{}$&#%_]", "", prose_tex(text))
    assert not re.search(r"[\\$&#%_^~\x00-\x1f]", bare)
    assert prose_tex(text).count("{") == prose_tex(text).count("}") or "{" in text


def test_formulas_in_prose_stay():
    assert prose_tex("Let $x_1$ and $`y^2`$ be 5 %.") == r"Let $x_1$ and $y^2$ be 5 \%."
    assert escaped("50%_") == r"50\%\_"


def test_python_cannot_leave_its_block(doe, report):
    (doe / "errata.toml").write_text(
        short("doe2020.step2", "misprint", r'python = "x = 1 # \\end{verbatim}\\input{x}"')
    )
    text = errata_tex(Document.of_json(report))["doe2020.step2.tex"]
    assert r"\end {verbatim}\input{x}" in text
    assert text.count(r"\begin{verbatim}") == text.count(r"\end{verbatim}") > 0


def test_a_limit_has_its_table(doe, report):
    (doe / "errata.toml").write_text(short("doe2020.step2", "order", 'limit = "Falls:\\nn  a_1\\n10  2\\n100  1"'))
    text = errata_tex(Document.of_json(report))["doe2020.step2.tex"]
    assert "Falls:\n\\begin{center}\\begin{tabular}{lr}\nn & a\\_1 \\\\\n10 & 2 \\\\\n100 & 1 \\\\\n\\end{tabular}" in text


def pool() -> dict:
    return {"copies": 2, "block": array(1, 2), "weights": array(2), "lam": 0.1, "surplus": array(2)}


def of_a_pool(case: WeightedFeatures, delta: Positive):
    """About a pool."""
    return at_most(delta, case.n)


@pytest.fixture
def claim() -> Claim:
    return make_claim(of_a_pool, "roe2021.lemma1", "Roe (2021)", "lemma")


def test_the_literal_is_the_built_instance(claim):
    instance = {"case": pool(), "delta": 1e-12}
    found = ast.literal_eval(python_literal(instance, claim))
    raw = {
        name: np.array(entry["array"]) if isinstance(entry, dict) else entry
        for name, entry in pool().items()
    }
    built = WeightedFeatures.domain.build(raw)  # type: ignore[attr-defined]
    assert found["delta"] == 1e-12
    assert found["case"]["n"] == 2
    for name in ("K", "Z", "p", "q", "lam", "d_eff"):
        np.testing.assert_array_equal(np.array(found["case"][name]), np.asarray(getattr(built, name)))
    assert all(len(line) <= 110 for line in python_literal(instance, claim).splitlines())


def test_an_instance_that_is_not_the_claims_is_told_raw(claim):
    instance = {"case": {"block": array(1, 2)}, "x": [1, {"y": 2.5}]}
    for known in (None, claim):
        assert ast.literal_eval(python_literal(instance, known)) == {
            "case": {"block": [[0.0, 1 / 3]]},
            "x": [1, {"y": 2.5}],
        }


def test_long_arrays_are_left_out_of_a_setting(claim):
    found = ast.literal_eval(python_literal({"case": {**pool(), "copies": 60}, "delta": 0.5}, claim))
    assert "K" not in found["case"]
    assert found["case"]["copies"] == 60


def test_the_instance_of_the_certificate_is_in_the_snippet(doe, report):
    path = Path("reports/certificates/doe2020.lemma1.json")
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"claim": {"instance": {"Z": array(1, 2)}}}))
    assert (
        "\\begin{verbatim}\n{'Z': [[0.0, 0.3333333333333333]]}\n\\end{verbatim}"
        in errata_tex(Document.of_json(report))["doe2020.lemma1.tex"]
    )


def command(*args: object):
    return CliRunner().invoke(main, ["report", *map(str, args)])


def test_the_command_writes_a_folder(doe, kept, tmp_path):
    result = command(kept, "--errata-tex", tmp_path / "new" / "tex")
    assert (result.exit_code, result.output) == (0, f"Written: {tmp_path / 'new' / 'tex'}\n")
    assert sorted(p.name for p in (tmp_path / "new" / "tex").iterdir()) == [
        "doe2020.lemma1.tex",
        "errata.bib",
        "errata.tex",
    ]


def test_what_the_command_cannot_do_is_one_sentence(doe, kept, tmp_path):
    refused = {
        ("--errata", "--errata-tex", "x"): "leave out the other options", ("--errata-tex", "x", "-o", "y"): "leave out the other options",
        ("--errata-tex", kept): "is a file",
    }  # fmt: skip
    (tmp_path / "file").write_text("kept")
    refused["--errata-tex", tmp_path / "file" / "x"] = "cannot be written"
    for args, sentence in refused.items():
        result = command(kept, *args)
        assert result.exit_code == 2, result.output
        assert sentence in " ".join(result.output.split())
        assert "Traceback" not in result.output
    (doe / "errata.toml").write_text("[[erratum")
    assert "cannot be read" in command(kept, "--errata-tex", "x").output
    assert not Path("x").exists()


def test_boundcheck_is_cited_as_its_citation_file_says():
    if not (ROOT / "CITATION.cff").is_file():
        pytest.skip("the sources are not here")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'title: "{TITLE}"' in citation
    assert f'name: "{AUTHOR}"' in citation
    assert f"version: {boundcheck.__version__}" in citation


def test_a_snippet_says_whether_a_proof_assistant_has_checked_the_certificate(doe, report):
    known = {**report, "rocq": {"doe2020.lemma1": "not checked by Rocq: 5 & more"}}
    assert "It is not checked by Rocq: 5 \\& more." in errata_tex(Document.of_json(known))["doe2020.lemma1.tex"]
    assert "Rocq" not in errata_tex(Document.of_json(report))["doe2020.lemma1.tex"]
