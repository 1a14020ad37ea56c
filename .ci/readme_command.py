"""Print the README's shell command that follows the comment `<!-- command: NAME -->`."""

import re
import sys
from pathlib import Path

readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
found = re.search(rf"<!-- command: {re.escape(sys.argv[1])} -->\s*```sh\n(.*?)```", readme, re.S)
if not found:
    sys.exit(f"The README prints no command called {sys.argv[1]}.")
print(found[1], end="")
