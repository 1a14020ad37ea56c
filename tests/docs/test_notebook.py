"""The notebook of the documentation shows what one sees who runs it."""

import json
import os
import subprocess
import sys

import pytest

from .pages import ROOT

pytest.importorskip("IPython")
if not (ROOT / "docs").is_dir():
    pytest.skip("the documentation is not here", allow_module_level=True)


def test_the_outputs_of_the_notebook_are_what_its_cells_show(tmp_path):
    made = tmp_path / "notebook.ipynb"
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    subprocess.run([sys.executable, ROOT / "docs/make_notebook.py", made], env=environment, check=True)
    kept = (ROOT / "docs/notebook.ipynb").read_text(encoding="utf-8")
    assert json.loads(made.read_text(encoding="utf-8")) == json.loads(kept), "run python docs/make_notebook.py"
