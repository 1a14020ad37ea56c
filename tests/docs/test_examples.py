"""Every example of the documentation runs as written, page by page, with a small plan; outputs that a page shows are compared."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from boundcheck.checking.plan import PLANS
from boundcheck.commands.main import main

from .pages import NUMBER, ROOT, WRITTEN, Block, blocks, without_numbers

if not (ROOT / "docs").is_dir():
    pytest.skip("the documentation is not here", allow_module_level=True)

VERDICT = re.compile(r"^(\S+) +(REFUTED|PROVED|HOLDS|VACUOUS|INCONCLUSIVE) ", re.M)
WIDTH = "100"
"""The columns of the terminal that outputs are shown of."""

AS_SEEN = ("README.md", "tutorial.md")
"""Pages whose outputs are those of the default plan, word for word."""

DEFAULT = PLANS["quick"]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Iterator[Path]:
    """A folder with the README's theorem and the counterexample to its lemma, where a claim costs little."""
    monkeypatch.setitem(PLANS, "quick", replace(PLANS["quick"], instances=8, work=60, trials=2000, sampled_instances=1))
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a page may save two texts under one name in a second
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.chdir(tmp_path)
    for block in blocks(ROOT / "README.md"):
        if block.file:
            save(block)
    (tmp_path / "reports/certificates").mkdir(parents=True)
    shutil.copy(ROOT / "reports/certificates/li2021.lemma27.json", tmp_path / "reports/certificates")
    yield tmp_path
    for name in [name for name, module in sys.modules.items() if str(getattr(module, "__file__", "")).startswith(str(tmp_path))]:
        del sys.modules[name]  # another test may have a mine.py of its own


@pytest.fixture
def _own_theory():
    """What the session imported of theory/ is put back afterwards."""
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "theory"}
    for name in before:
        del sys.modules[name]
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "theory"]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.mark.usefixtures("folder", "_own_theory")
@pytest.mark.parametrize("page", WRITTEN, ids=lambda p: p.name)
def test_the_examples_of(page: Path):
    names: dict[str, Any] = {}
    for block in blocks(page):
        if block.file:
            save(block)
        elif block.language == "python" and not block.mark.startswith("skip"):
            exec(compile(block.text, page.name, "exec"), names)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language in ("sh", "yaml"):
            shell(block)


@pytest.mark.parametrize("page", [p for p in WRITTEN if p.name in AS_SEEN], ids=lambda p: p.name)
def test_an_output_is_what_one_sees(page: Path, folder, monkeypatch):
    """On a terminal, with the plan that users have; the page may show a part of the lines."""
    monkeypatch.setitem(PLANS, "quick", DEFAULT)
    monkeypatch.setenv("COLUMNS", WIDTH)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("CI", "true")
    for block in blocks(page):
        if block.file:
            save(block)
        elif block.output:
            seen = "".join(click.unstyle(output_of(words[1:])) for words in commands(block))
            assert without_numbers(block.output) in without_numbers(seen), seen


def save(block: Block) -> None:
    assert block.file
    path = Path(block.file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    if path.suffix == ".py":
        compile(block.text, block.file, "exec")


def shell(block: Block) -> None:
    """Parse every command; those that show an output, or are marked, are run too."""
    shown = []
    for words in commands(block):
        PROGRAMS[Path(words[0]).name](words[1:])
        if words[0] == "boundcheck" and (block.output or block.mark == "run"):
            shown.append(output_of(words[1:]))
    if block.output:
        assert comparable(commands(block)[0][1], "".join(shown)) == comparable(commands(block)[0][1], block.output)


def commands(block: Block) -> list[list[str]]:
    """The commands of a block, `run:` lines of a workflow among them."""
    lines = re.findall(r"^ *- run: (.*)$", block.text, re.M) if block.language == "yaml" else block.text.splitlines()
    return [shlex.split(command) for line in lines if line.strip() for command in line.split(" && ")]


def output_of(words: list[str]) -> str:
    result = CliRunner().invoke(main, words)
    refuted = result.exit_code == 1 and "REFUTED" in result.stdout
    assert result.exit_code == 0 or refuted, result.output
    return result.stdout


def comparable(command: str, output: str) -> Any:
    """What does not depend on where a search ends: the verdicts of `check`, the words of what a search found, all of the rest."""
    if command == "check":
        return sorted(VERDICT.findall(output))
    lines = "\n".join(line.rstrip() for line in output.strip().splitlines())
    return NUMBER.sub("#", lines) if command in ("verify", "replay") else lines


def parsed(words: list[str]) -> None:
    """The command exists and takes the options."""
    with click.Context(main) as context:
        name, command, rest = main.resolve_command(context, words)
        assert command is not None
        command.make_context(name, rest, parent=context)


def importable(words: list[str]) -> None:
    """`python -m MODULE`, or `python FILE` of the repository."""
    made = [f"docs/make_{name}.py" for name in ("api", "gallery", "notebook", "rooms")]
    assert find_spec(words[1]) if words[0] == "-m" else words[0] in made


def installs(words: list[str]) -> None:
    """The extras exist."""
    extras = {name for word in words for found in re.findall(r"\[(.*)\]", word) for name in found.split(",")}
    assert extras <= set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"])


def collects(words: list[str]) -> None:
    """The options exist; what is named is collected and passes."""
    if words and words[0].endswith(".py"):
        assert pytest.main([*words, "-q", "-p", "no:cacheprovider", "--rootdir", "."]) == 0
    from boundcheck.plugin.options import OPTIONS

    assert {word for word in words if word.startswith("--")} <= {f"--boundcheck-{name}" for name in OPTIONS}


def completes(words: list[str]) -> None:
    """The script that a shell takes is there."""
    from click.shell_completion import get_completion_class

    told = re.findall(r"_COMPLETE=(\w+)_source", " ".join(words)) or ["fish"]
    kind = get_completion_class(told[0])
    assert kind is not None
    assert "boundcheck" in kind(main, {}, "boundcheck", "_BOUNDCHECK_COMPLETE").source_vars()["prog_name"]


def ignored(_: list[str]) -> None:
    """Not ours."""


PROGRAMS = {
    "boundcheck": parsed, "python": importable, "python3": importable, "pip": installs, "mkdocs": ignored, "pytest": collects,
    "eval": completes, "_BOUNDCHECK_COMPLETE=fish_source": completes, "ruff": ignored, "pyright": ignored,
    "dask": ignored, "pre-commit": ignored, "ray": ignored, "coqc": ignored,
}  # fmt: skip
