"""The notebook of the documentation shows what one sees who runs it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .pages import ROOT, without_numbers

pytest.importorskip("IPython")
if not (ROOT / "docs").is_dir():
    pytest.skip("the documentation is not here", allow_module_level=True)


def test_the_outputs_of_the_notebook_are_what_its_cells_show(tmp_path):
    made = tmp_path / "notebook.ipynb"
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    subprocess.run([sys.executable, ROOT / "docs/make_notebook.py", made], env=environment, check=True)
    assert comparable(made) == comparable(ROOT / "docs/notebook.ipynb"), "run python docs/make_notebook.py"


def comparable(notebook: Path) -> list[str]:
    """The text of each cell and what it shows; without numbers where it shows what a search found."""
    cells = [json.dumps(cell, ensure_ascii=False) for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]]
    return [without_numbers(cell) if "verdict" in cell else cell for cell in cells]


CELLS = (
    "from boundcheck import Size, Unit, P, at_most, check, quantity, theorem, verify\n"
    "import numpy as np\n"
    "def bound(x):\n    return 0.2",
    "@theorem('s')\ndef f(x: Unit):\n    return at_most(x * (1 - x), bound(x))\nfirst = check(f)\nfirst",
    "def bound(x):\n    return 0.25",
    "check(f)",
    "verify(first.certificate)",
    "@theorem('s')\ndef slow(x: Unit, n: Size):\n"
    "    q = quantity(lambda rng, size: rng.standard_normal((size, 20_000)).max(axis=1))\n"
    "    return P(q <= 20 + x) >= 1 - 1e-3",
    "check(slow)",
    "1 + 1",
)


def test_cells_of_a_kernel(tmp_path, monkeypatch):
    """What a cell says counts from then on; Interrupt is one line, and what goes on is told in one place."""
    pytest.importorskip("ipykernel")
    manager = pytest.importorskip("jupyter_client.manager")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, sys.path)]))
    kernel, client = manager.start_new_kernel()
    try:
        said = [run(client, cell, kernel.interrupt_kernel if cell == "check(slow)" else None) for cell in CELLS]
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
    texts = [" ".join(text for kind, text in outputs if kind == "execute_result") for outputs in said]
    assert texts[1].startswith("f: REFUTED, ")
    assert texts[3].startswith("f: HOLDS, ")
    assert texts[4].startswith("REJECTED")
    assert said[6][-1] == ("error", "Interrupted: what is finished is kept; the same call goes on.")
    assert {kind for kind, _ in said[6][:-1]} == {"display_data", "update_display_data"}
    assert texts[7] == "2"


def run(client: Any, cell: str, interrupt: Callable[[], object] | None) -> list[tuple[str, str]]:
    """What a cell shows, by kind; it may be interrupted once it says what goes on."""
    outputs: list[tuple[str, str]] = []

    def show(message: dict[str, Any]) -> None:
        kind, content = message["msg_type"], message["content"]
        if kind == "error":
            outputs.append((kind, "\n".join(content["traceback"])))
        elif "data" in content:
            outputs.append((kind, content["data"]["text/plain"]))
        if interrupt is not None and len(outputs) == 1:
            interrupt()

    client.execute_interactive(cell, output_hook=show, timeout=120)
    return outputs
