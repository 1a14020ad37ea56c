"""The README as package indexes show it, which have no files beside it, and its addresses: a metadata hook of hatchling.

The addresses are those of the repository that builds: BOUNDCHECK_REPOSITORY, or what GitHub Actions says of itself.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:)[^)\s]+\)\n*")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)")
ELSEWHERE = "\n*Pages without a link here are files of the source distribution.*\n"
RUN = re.compile(r"(?<=\n## Run it\n).*?(?=\n## )", re.DOTALL)
INSTALL = """
It needs Python 3.11 or later, and nothing else:

```sh
pip install boundcheck
boundcheck list
boundcheck check li2021.lemma27
```
"""


def standalone(readme: str, repository: str | None) -> str:
    """Installed from the index; without pictures and links to files, or with a repository, leading there."""
    readme = RUN.sub(INSTALL, readme)
    if repository:
        shown = PICTURE.sub(lambda m: m[0].replace("](", f"]({repository}/raw/HEAD/"), readme)
        return LINK.sub(rf"[\1]({repository}/blob/HEAD/\2)", shown)
    return LINK.sub(r"\1", PICTURE.sub("", readme)) + ELSEWHERE


def repository() -> str | None:
    """The address of the repository that builds, if the environment says so."""
    server, name = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
    return os.environ.get("BOUNDCHECK_REPOSITORY") or (f"{server}/{name}" if server and name else None)


class Standalone(MetadataHookInterface):
    def update(self, metadata: dict) -> None:
        text, home = (Path(self.root) / "README.md").read_text(encoding="utf-8"), repository()
        metadata["readme"] = {"content-type": "text/markdown", "text": standalone(text, home)}
        pages = {"Repository": "", "Documentation": "/tree/HEAD/docs", "Changelog": "/blob/HEAD/CHANGELOG.md", "Issues": "/issues"}
        metadata["urls"] = {name: home + path for name, path in pages.items()} if home else {}
