"""The tables of tests/conftest.py speak of tests that exist."""

from pathlib import Path

import pytest

from tests.conftest import FAST, NIGHTLY

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("start", [*FAST, *NIGHTLY])
def test_each_line_begins_a_test(start: str):
    place, _, name = start.partition("::")
    found = [path for path in (ROOT / "tests").rglob("test_*.py") if path.relative_to(ROOT).as_posix().startswith(place)]
    assert any(f"def {name.partition('[')[0]}" in path.read_text(encoding="utf-8") for path in found)
