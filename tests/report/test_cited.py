"""What a paper in LaTeX cites: read as LaTeX reads it, compared with the claims and the report; the appendix on its artifact."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck import exits
from boundcheck.checking.judge import PLANS, Plan
from boundcheck.commands.main import main
from boundcheck.report.paper.cited import citations
from boundcheck.report.reading import CannotRead

CLAIMS = """
from boundcheck import Unit, at_most, theorem

@theorem("s")
def f_1(x: Unit):
    return at_most(x * (1 - x), 0.2)

@theorem("s")
def g(x: Unit):
    return at_most(x * (1 - x), 0.25)
"""
PAPER = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\newcommand{\claim}[1]{\texttt{\detokenize{#1}}}
\newcommand{\stated}[1]{Lemma \claim{#1}}
\begin{document}
100\% of \claim{mine.g} % and not of \claim{mine.old}
\input{intro}\input{sections/more.tex}
\begin{verbatim}
\claim{in.verbatim}
\end{verbatim}
\claim{mine.f_1}
\InputIfFileExists{artifact}{}{}
\end{document}
\claim{after.the.end}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Iterator[Path]:
    """A folder with claims, their report, and a paper."""
    folder = tmp_path_factory.mktemp("paper")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setitem(PLANS, "quick", Plan("quick", instances=8, work=80, trials=500))
        Path("mine.py").write_text(CLAIMS)
        Path("main.tex").write_text(PAPER)
        Path("intro.tex").write_text("\n\\claim{mine.f_1, mine.g}")
        Path("sections").mkdir()
        Path("sections/more.tex").write_text(r"\claim {mine.g}")
        done = CliRunner().invoke(main, ["check", "mine.py", "--workers", "1", "--fail-on", "none"])
        assert done.exit_code == exits.FINE, done.output
        yield folder


@pytest.fixture(autouse=True)
def _here(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")


def latex(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["latex", "main.tex", *arguments])


def test_citations_are_read_as_latex_reads_them():
    places = [(c.id, c.place) for c in citations(Path("main.tex"))]
    inner = [("mine.f_1", "intro.tex:2"), ("mine.g", "intro.tex:2"), ("mine.g", "sections/more.tex:1")]
    assert places == [("mine.g", "main.tex:6"), *inner, ("mine.f_1", "main.tex:11")]


def test_files_that_take_in_each_other_are_read_once():
    Path("intro.tex").write_text(r"\claim{mine.f_1}\input{main}")
    assert [c.place for c in citations(Path("main.tex"))][1:3] == ["intro.tex:1", "sections/more.tex:1"]


def test_a_file_that_is_not_there_is_told():
    Path("intro.tex").unlink()
    with pytest.raises(CannotRead, match=r"main.tex:7 takes in intro, which is not there"):
        citations(Path("main.tex"))


@pytest.mark.parametrize(("failing", "code"), [("refuted", exits.WORSE), ("none", exits.FINE)])
def test_verdicts_of_what_is_cited(failing, code):
    result = latex("--check", "--fail-on", failing)
    assert result.exit_code == code
    assert [line.partition(",")[0] for line in result.stdout.splitlines()] == ["main.tex:6: mine.g HOLDS", "intro.tex:2: mine.f_1 REFUTED"]


def test_an_edited_claim_makes_its_verdict_stale():
    Path("mine.py").write_text(CLAIMS.replace("0.25)", "0.26)"))
    result = latex("--check", "--fail-on", "none")
    told = "main.tex:6: mine.g is stale, its text is another since the verdict HOLDS; run boundcheck check mine.py::mine.g"
    assert (result.exit_code, result.stdout.splitlines()[0]) == (exits.UNDECIDED, told)
    assert latex("--check").exit_code == exits.WORSE  # what is refuted is worse than what is open
    assert latex("-o", "artifact.tex").exit_code == exits.WORSE
    assert not Path("artifact.tex").exists()


def test_what_stands_beside_a_claim_makes_nothing_stale():
    Path("mine.py").write_text(f"# a remark\n{CLAIMS}\nC = 2\n")
    assert latex("--check", "--fail-on", "none").exit_code == exits.FINE


def test_what_is_no_claim_has_no_verdict_or_is_not_cited():
    more = CLAIMS + '\n@theorem("s")\ndef h(x: Unit):\n    return at_most(x, 1)\n'
    Path("mine.py").write_text(more)
    Path("main.tex").write_text(r"\claim{mine.g} \claim{mine.h}")
    result = latex("--check")
    assert result.exit_code == exits.UNDECIDED
    assert "main.tex:1: mine.h has no verdict; run boundcheck check mine.py::mine.h" in result.stdout
    assert "Not cited: mine.f_1" in result.stdout
    Path("main.tex").write_text(r"\claim{mine.h} \claim{mine.k}")
    result = latex("--check")
    assert (result.exit_code, "main.tex:1: mine.k is no claim" in result.stdout) == (exits.USAGE, True)
    Path("main.tex").write_text("nothing")
    assert latex("--check").exit_code == exits.NOTHING


def test_the_appendix_has_claims_commands_minutes_and_verdicts():
    assert latex("-o", "artifact.md", "--fail-on", "none").exit_code == exits.FINE
    text = Path("artifact.md").read_text()
    assert "boundcheck check mine.py::mine.f_1\n" in text
    assert "boundcheck verify reports/certificates/mine.f_1.json\n" in text
    assert " min): REFUTED, the left side is 0.25, more than the right side, 0.2 at x = 0.5" in text.replace("`", "")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
def test_a_paper_takes_the_appendix_in():
    assert latex("-o", "artifact.tex", "--fail-on", "none").exit_code == exits.FINE
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "main.tex"], capture_output=True, text=True, errors="replace"
    )
    assert done.returncode == 0, done.stdout[-2000:]
