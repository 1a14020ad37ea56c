"""The command `python -m tests.reliability`: run the parts and write the report; exit 1 if anything went wrong."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

from boundcheck.report import write_whole

from .parts import section

PARTS = {
    "interrupted": "Interrupted at any moment",
    "everywhere": "Same result everywhere",
    "certificates": "Certificates that were tampered with",
    "inputs": "Hostile input",
    "honesty": "Honesty under load",
    "precision": "Rounding radii against ball arithmetic",
    "random_programs": "Random programs that are true by construction",
    "versions": "Old and new versions",
}
HEADER = """# Reliability

Faults, load and hostile input, measured by `python -m tests.reliability`: everything is drawn from the seeds that are stated, and
sizes are counts. A part can be measured again on its own, `python -m tests.reliability --only PART`; the other sections stay.
"""


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(PARTS)), help="Only this part; the report keeps the others.")
@click.option("--size", type=click.Choice(["slice", "small", "full"]), default="full", show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("-o", "output", type=click.Path(dir_okay=False, path_type=Path), default=Path("reports/reliability.md"), show_default=True)
def main(only: tuple[str, ...], size: str, seed: int, output: Path) -> None:
    """Measure, and write the report after each part."""
    failed = []
    for name in only or PARTS:
        part = import_module(f".{name}", __package__).measure(size, seed)
        text = f"Size {size}, seed {seed}. {section(part)}"
        _put(output, PARTS[name], text)
        click.echo(f"## {PARTS[name]}\n\n{text}")
        failed += [] if part.passed else [name]
    click.echo(f"Went wrong: {', '.join(failed)}." if failed else "Nothing went wrong.", err=True)
    sys.exit(bool(failed))


def _put(output: Path, title: str, text: str) -> None:
    """The report with one section new."""
    old = output.read_text(encoding="utf-8").split("\n## ")[1:] if output.exists() else []
    kept = dict(section.split("\n\n", 1) for section in old)
    kept[title] = text
    body = "".join(f"\n## {title}\n\n{kept[title].strip()}\n" for title in PARTS.values() if title in kept)
    write_whole(HEADER + body, output)


if __name__ == "__main__":
    main()
