"""The README as package indexes show it, which have no files beside it: a metadata hook of hatchling."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:)[^)\s]+\)\n*")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)")
ELSEWHERE = "\n*Pages without a link here are files of the source distribution.*\n"


def standalone(readme: str, repository: str | None) -> str:
    """Without pictures and links to files; with the address of a repository on GitHub, leading there."""
    if repository:
        shown = PICTURE.sub(lambda m: m[0].replace("](", f"]({repository}/raw/HEAD/"), readme)
        return LINK.sub(rf"[\1]({repository}/blob/HEAD/\2)", shown)
    return LINK.sub(r"\1", PICTURE.sub("", readme)) + ELSEWHERE


class Standalone(MetadataHookInterface):
    def update(self, metadata: dict) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        shown = standalone(text, metadata.get("urls", {}).get("Repository"))
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
