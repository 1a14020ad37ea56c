"""The table of outcomes: complete, in step with the published schema, and the only place that lists them."""

import ast
import re
from pathlib import Path

import pytest

import boundcheck
from boundcheck import exits
from boundcheck.checking.verdict import ASKED, SHOWN, Outcome
from boundcheck.report.document import Document
from boundcheck.report.formats import FORMATS
from boundcheck.report.reading import schema

from .reports import claim, whole

ENGINE = Path(boundcheck.__file__).parent
NAMES = {outcome.name for outcome in Outcome}


def document():
    """A report with every outcome."""
    content = whole()
    proved = claim("mine.shown", "PROVED", 12, location="mine.py:12", kind="theorem", scope="set")
    return Document.of_json({**content, "claims": [*content["claims"], proved]})


def test_the_schema_lists_the_outcomes():
    fields = schema()["$defs"]["claim"]["properties"]
    assert fields["outcome"]["enum"] == [outcome.name for outcome in Outcome]
    assert set(schema()["properties"]["summary"]["required"]) == NAMES - {outcome.name for outcome in ASKED}


def test_each_outcome_has_a_place_a_worth_and_signs_of_its_own():
    for field in ("meaning", "symbol", "place", "worth", "colour", "ink", "tones"):
        assert len({getattr(outcome, field) for outcome in Outcome}) == len(Outcome), field
    for order in ("place", "worth"):
        assert sorted(getattr(outcome, order) for outcome in Outcome) == list(range(len(Outcome)))
    assert [outcome.place for outcome in SHOWN] == list(range(len(Outcome)))


def test_what_fails_a_run_is_no_success_of_junit():
    for outcome in Outcome:
        kinds = {exits.WORSE: "failure", exits.UNDECIDED: "skipped", exits.FINE: ""}
        assert outcome.junit == kinds[outcome.exit_code]
        assert outcome.decides == (outcome.exit_code != exits.UNDECIDED)


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"badge"}))
def test_every_format_shows_every_outcome(name):
    text = FORMATS[name].render(document())
    for outcome in Outcome:
        assert outcome.name in text


def test_the_page_takes_order_and_colours_from_the_table():
    text = FORMATS["html"].render(document())
    assert re.findall(r'<h3 class="group (\w+)"', text) == [outcome.name for outcome in SHOWN]
    for outcome in Outcome:
        assert f'.{outcome.name}, [data-outcome="{outcome.name}"] {{ --tone: var(--{outcome.name.lower()})' in text
        assert f'--sign: "{outcome.symbol}"; --said: "{outcome.name}";' in text
        for tone, tint in outcome.tones:
            assert f"--{outcome.name.lower()}: {tone}; --{outcome.name.lower()}-tint: {tint};" in text


def mentioned(path: Path) -> set[str]:
    """The outcomes that a file names in its code: in Python as a text or as a member, elsewhere as a word."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return NAMES & set(re.findall(r"\w+", text))
    nodes = list(ast.walk(ast.parse(text)))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    members = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    return {name for name in NAMES if name in texts or f"Outcome.{name}" in members}


FOUND = [path for room in ("report", "commands", "running") for path in sorted((ENGINE / room).rglob("*.*"))]
FILES = [path for path in FOUND if path.suffix in (".py", ".js", ".j2", ".css")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_no_other_module_lists_the_outcomes(path):
    """A rule may be about one outcome, or about two; who lists them has a table of his own."""
    assert len(mentioned(path)) <= 2
