"""The small report as a value and as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .reports import whole


@pytest.fixture
def report() -> dict[str, Any]:
    return whole()


@pytest.fixture
def kept(report: dict[str, Any], tmp_path: Path) -> Path:
    """The report as a file."""
    path = tmp_path / "verdicts.json"
    path.write_text(json.dumps(report))
    return path
