"""Run the cells of docs/notebook.ipynb and keep what they show. Run it as python docs/make_notebook.py [FILE]."""

from __future__ import annotations

import json
import os
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from IPython.core.displayhook import DisplayHook  # pyright: ignore[reportMissingImports]
from IPython.core.interactiveshell import InteractiveShell  # pyright: ignore[reportMissingImports]

NOTEBOOK = Path(__file__).with_name("notebook.ipynb")


class Silent(DisplayHook):
    """Values are kept, and not printed."""

    write_output_prompt = write_format_data = finish_displayhook = lambda *_: None


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells, run in a shell of IPython. Raises what a cell raises."""
    shell = InteractiveShell.instance(displayhook_class=Silent)
    for count, cell in enumerate((c for c in notebook["cells"] if c["cell_type"] == "code"), start=1):
        printed = StringIO()
        with redirect_stdout(printed):
            result = shell.run_cell("".join(cell["source"]), store_history=True)
        result.raise_error()
        cell |= {
            "execution_count": count,
            "outputs": list(_outputs(shell, printed.getvalue(), result.result, count)),
        }
    return notebook


def _outputs(shell: Any, printed: str, value: object, count: int) -> Any:
    if printed:
        yield {"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)}
    if value is not None:
        shown, metadata = shell.display_formatter.format(value)
        data = {kind: text.splitlines(keepends=True) for kind, text in sorted(shown.items())}
        yield {"data": data, "execution_count": count, "metadata": metadata, "output_type": "execute_result"}


if __name__ == "__main__":
    target = Path(*sys.argv[1:] or [NOTEBOOK]).resolve()
    with TemporaryDirectory() as elsewhere:
        os.chdir(elsewhere)
        made = executed(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
        target.write_text(
            json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
        )
        os.chdir("/")
