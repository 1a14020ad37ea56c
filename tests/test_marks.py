"""The tables of tests/conftest.py speak of tests that exist."""

from pathlib import Path

from tests.conftest import BITS, FAST, NIGHTLY

ROOT = Path(__file__).resolve().parent.parent


def begins(start: str, texts: dict[str, str]) -> bool:
    place, _, name = start.partition("::")
    return any(path.startswith(place) and f"def {name.partition('[')[0]}" in text for path, text in texts.items())


def test_each_line_begins_a_test():
    texts = {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in (ROOT / "tests").rglob("test_*.py")}
    assert [start for start in (*FAST, *BITS, *NIGHTLY) if not begins(start, texts)] == []
    assert not begins("tests/test_marks.py::test_that_nobody_wrote", texts)
