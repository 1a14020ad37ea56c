"""Tables and progress on terminals of any width, and where nobody looks: one line for each row."""

import time
from contextlib import contextmanager
from io import StringIO

import pytest
from rich.console import Console

from boundcheck.checking.verdict import Outcome
from boundcheck.commands import shell
from boundcheck.report.terminal import table

LONG = "li2021.theorem15.step29.equality.explicit"
ROWS = [
    (LONG, "REFUTED", "", "lhs = 0.5 != 0 = rhs\nat y = 1, L = 1"),
    ("mine.f", "HOLDS", "6/7", "on 60 instances (60 exactly) and 150004 more in the search \x1b[2J"),
]
HEAD = ("claim", "verdict", "power", "why")


def lines(width: int | None, rows=ROWS) -> list[str]:
    return [line.plain for line in table(HEAD, rows, width)]


def test_where_nobody_looks_a_row_is_a_line():
    assert lines(None) == [
        f"{'claim':41}  verdict  power  why",
        f"{LONG}  REFUTED         lhs = 0.5 != 0 = rhs at y = 1, L = 1",
        f"{'mine.f':41}  HOLDS    6/7    on 60 instances (60 exactly) and 150004 more in the search \\x1b[2J",
    ]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 140, 300])
def test_a_name_is_never_broken_and_the_last_column_fits(width):
    shown = lines(width)
    assert sum(line.startswith(LONG) for line in shown) == 1
    assert all(len(line) <= max(width, len(LONG) + 16) for line in shown)
    assert " ".join(" ".join(shown).split()).endswith("150004 more in the search \\x1b[2J")


def test_a_column_without_entries_is_left_out():
    assert lines(None, [("f", "HOLDS", "", "x")]) == ["claim  verdict  why", "f      HOLDS    x"]


def test_numbers_stand_to_the_right():
    assert [line.plain for line in table(("s", "n", "m"), [("a", "5", "1"), ("b", "10", "2")], None, right=True)] == [
        "s   n  m", "a   5  1", "b  10  2",
    ]  # fmt: skip


def test_in_a_log_there_is_a_line_now_and_then(monkeypatch, capsys):
    monkeypatch.setattr(shell, "now_and_then", after_half_a_minute)
    monkeypatch.setattr(shell.time, "monotonic", Clock())
    with shell.progress("checking", 4) as advance:
        advance("a", Outcome.HOLDS)
        advance("b", outcome=Outcome.REFUTED)
    assert capsys.readouterr().err.splitlines() == ["checking: 2 of 4 (1 REFUTED, 1 HOLDS) after 30 s, about 30 s left"]


LEFT = [(1, ""), (2, ""), (3, ", about 16 min left"), (10, ", about 4 min left"), (50, ", about 30 s left")]


@pytest.mark.parametrize(("done", "told"), LEFT)
def test_the_time_left_is_told_when_it_can_be(monkeypatch, capsys, done, told):
    """The first steps of an audit are its reading and its spectrum, not the trials that the others are."""
    monkeypatch.setattr(shell, "now_and_then", after_half_a_minute)
    monkeypatch.setattr(shell.time, "monotonic", Clock())
    with shell.progress("reading", 100) as advance:
        for _ in range(done):
            advance("trials")
    assert capsys.readouterr().err == f"trials: {done} of 100 after 30 s{told}\n"


class Clock:
    """0, and 30 once half a minute has passed."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def after_half_a_minute(tell, wait, longest):
    """Tells once, at the end."""
    yield
    shell.time.monotonic.now = 30.0
    tell(30.0)


def test_short_work_says_nothing_in_a_log_and_leaves_no_thread(capsys):
    from threading import active_count

    before = active_count()
    with shell.progress("checking", 2) as advance:
        advance("a")
        advance()
    assert capsys.readouterr().err == ""
    assert active_count() == before


def test_lines_of_a_log_come_ever_more_seldom(monkeypatch):
    from threading import Event

    waits: list[float | None] = []
    monkeypatch.setattr(Event, "wait", lambda self, wait=None: waits.append(wait) or len(waits) > 6)
    with shell.now_and_then(lambda seconds: None, 10.0, 120.0):
        while len(waits) <= 6:
            time.sleep(0.001)
    assert [w for w in waits if w is not None][:6] == [10.0, 20.0, 40.0, 80.0, 120.0, 120.0]


def test_on_a_terminal_a_bar_counts_the_verdicts_and_ci_has_none(monkeypatch):
    drawn = StringIO()
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(file=drawn, force_terminal=True, width=120))
    monkeypatch.setenv("CI", "false")
    with shell.progress("checking", 2) as advance:
        advance("mine.f", Outcome.HOLDS)
        advance("mine.g", Outcome.REFUTED)
    assert "mine.g" in drawn.getvalue()
    assert "2/2" in drawn.getvalue()
    assert "1 REFUTED, 1 HOLDS" in drawn.getvalue()
    drawn.truncate(0)
    monkeypatch.setenv("CI", "true")
    with shell.progress("checking", 2) as advance:
        advance("mine.f", Outcome.HOLDS)
    assert "mine.f" not in drawn.getvalue()
