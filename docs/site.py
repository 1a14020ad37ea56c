"""The documentation as a site: pip install -e '.[docs]' and `mkdocs build --strict`, which calls these hooks.

The site mirrors the repository, so that a link means the same in both: pages of Markdown as they are, modules
as pages of code, certificates and pictures as files, and the HTML page of all verdicts beside them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("*.md", "docs/*.md", "docs/gallery/*.md", "reports/*.md", "tests/README.md", "tests/falsehoods/README.md")
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(?=[)#])")
INLINE = re.compile(r"\$`([^`\n]+)`\$")
MODULE = re.compile(r"(\]\([^)\s#]+\.py)(?:#L(\d+))?\)")


def on_config(config: MkDocsConfig) -> None:
    """Blocks of `math` become MathML, which needs no script."""
    fence = {"name": "math", "class": "math", "format": _math}
    config.mdx_configs["pymdownx.superfences"] = {"custom_fences": [fence]}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages, and each file of the repository that a page links to."""
    pages = sorted({path for pattern in PAGES for path in ROOT.glob(pattern)})
    linked = {path for page in pages for path in _linked(page)} - {*pages}
    report = File.generated(config, "page.html", content=_verdicts())
    notebook = File.generated(config, "docs/notebook.md", content=_cells(ROOT / "docs/notebook.ipynb"))
    theme = [file for file in files if file.src_dir != config.docs_dir]
    return Files([*theme, report, notebook, *(_file(config, path) for path in pages + sorted(linked))])


def on_page_markdown(markdown: str, **_: object) -> str:
    """Links to modules lead to their pages, at the line; formulas in a line become MathML."""
    markdown = INLINE.sub(lambda m: _math(m[1], display="inline"), markdown)
    return MODULE.sub(lambda m: f"{m[1]}.md{f'#L-0-{m[2]}' if m[2] else ''})", markdown)


def _linked(page: Path) -> set[Path]:
    """Files inside the repository that a page links to."""
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    paths = {(page.parent / target).resolve() for target in targets if "://" not in target}
    return {path for path in paths if path.is_file() and path.is_relative_to(ROOT)}


def _file(config: MkDocsConfig, path: Path) -> File:
    """A file at its place; a module as a page of its code."""
    place = path.relative_to(ROOT).as_posix()
    if path.suffix != ".py":
        return File.generated(config, place, abs_src_path=str(path))
    code = f'```python linenums="1"\n{path.read_text(encoding="utf-8")}```\n'
    page = f"---\nhide: [navigation, toc]\n---\n# {place}\n\n{code}"
    return File.generated(config, f"{place}.md", content=page)


def _cells(notebook: Path) -> str:
    """The cells of a notebook as a page, with what they show."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(part for cell in cells for part in _cell(cell))


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        data = output.get("data", {"text/plain": output.get("text", ())})
        shown = "".join(data["text/html"]) if "text/html" in data else ""
        yield f"<div>{shown}</div>" if shown else f"```text\n{''.join(data['text/plain'])}\n```"


def _verdicts() -> str:
    """The HTML page of the committed report."""
    from boundcheck.report.formats import FORMATS
    from boundcheck.report.reading import read

    return FORMATS["html"].render(read(ROOT / "reports/verdicts.json").printable())


def _math(source: str, *_: object, display: str = "block", **__: object) -> str:
    """A formula of LaTeX as MathML, in which Markdown reads no sign as its own."""
    from boundcheck.report.html.blocks import math

    return str(math(source, display)).translate({ord(sign): f"&#{ord(sign)};" for sign in "\\`*_|[]"})
