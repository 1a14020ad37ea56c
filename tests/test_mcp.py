"""The tools that programs call: asked by a client of the SDK, over standard input and output."""

import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boundcheck import exits
from boundcheck.commands.main import main

TEXT = '''
import time

from boundcheck import Unit, at_most, theorem

print("what a text prints is no message")

@theorem("s")
def f(x: Unit):
    """No product is large."""
    return at_most(x * (1 - x), 0.2)

@theorem("s")
def g(x: Unit):
    return at_most(x * (1 - x), 0.25)
'''
SLOW = TEXT.replace("0.25)", "0.25 + 0 * (time.sleep(1) or 0))")
FAILS = 'from boundcheck import Unit, theorem\n\n@theorem("s")\ndef f(x: Unit):\n    return x <= 2\n'


def test_without_the_sdk_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    result = CliRunner().invoke(main, ["mcp"])
    assert (result.exit_code, "pip install 'boundcheck[mcp]'" in result.stderr) == (exits.USAGE, True)


def asked(folder: Path, conversation: Any) -> Any:
    """What comes of a conversation with a server that begins in a folder."""
    anyio, mcp = pytest.importorskip("anyio"), pytest.importorskip("mcp.client")
    stdio = pytest.importorskip("mcp.client.stdio")
    root, arguments = Path(__file__).resolve().parents[1], ["-m", "boundcheck.commands.main", "mcp"]
    begun = stdio.StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ, "PYTHONPATH": str(root)}, cwd=folder)

    async def talk() -> Any:
        async with mcp.Client(stdio.stdio_client(begun)) as client:
            return await conversation(client)

    return anyio.run(talk)


async def said(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    text = "".join(block.text for block in result.content)
    return f"error: {text}" if result.is_error else text


def test_the_arguments_of_tools_are_flat(tmp_path):
    async def conversation(client: Any) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool.input_schema["properties"] for tool in asked(tmp_path, conversation)}
    assert set(tools) == {"meaning", "refute", "verify"}
    assert {p["type"] for properties in tools.values() for p in properties.values()} == {"string", "number"}


def test_a_text_is_read_refuted_and_its_certificate_verified(tmp_path):
    async def conversation(client: Any) -> list[str]:
        meaning, verdicts = await said(client, "meaning", text=TEXT), await said(client, "refute", text=TEXT)
        certificate = re.findall("certificate: (.*)", verdicts)[0]
        forged = tmp_path / "forged.json"
        forged.write_text(Path(certificate).read_text().replace("0.2", "0.3"))
        return [
            meaning, verdicts, await said(client, "verify", certificate=certificate, text=TEXT),
            await said(client, "verify", certificate=str(forged), text=TEXT), await said(client, "meaning", text=FAILS),
        ]  # fmt: skip

    meaning, verdicts, confirmed, forged, fails = asked(tmp_path, conversation)
    assert "for all x in" in meaning
    assert "at x = 0.5: violated, 0.25 > 0.2" in meaning
    assert "claims.f: REFUTED, lhs = 0.25 > 0.2 = rhs at x = 0.5" in verdicts
    assert "claims.g: HOLDS" in verdicts
    assert "CONFIRMED  claims.f" in confirmed
    assert "REJECTED" in forged
    assert "The text fails: claims.f" in fails


def test_what_cannot_be_done_is_an_error_with_its_sentence(tmp_path):
    async def conversation(client: Any) -> list[str]:
        return [
            await said(client, "refute", text="nowhere.py"), await said(client, "meaning", text="def f(:\n    pass\n"),
            await said(client, "verify", certificate="nowhere.json"), await said(client, "refute", text=TEXT, seconds=0),
            await said(client, "refute", text=FAILS),
        ]  # fmt: skip

    words = "There is no file nowhere.py", "line 1", "cannot read the file", "seconds", "returned a plain comparison"
    for answer, word in zip(asked(tmp_path, conversation), words, strict=True):
        assert answer.startswith("error: ")
        assert word in answer


def test_when_time_is_over_what_is_finished_is_told(tmp_path):
    async def conversation(client: Any) -> str:
        return await said(client, "refute", text=SLOW, seconds=20)

    verdicts = asked(tmp_path, conversation)
    assert "claims.f: REFUTED" in verdicts
    assert "claims.g: INCONCLUSIVE, not judged in 8 s" in verdicts


def test_who_no_longer_waits_leaves_no_process_behind(tmp_path):
    text = "from pathlib import Path\nimport os, time\nPath('pid').write_text(str(os.getpid()))\ntime.sleep(50)\n"
    (tmp_path / "mine.py").write_text(text + TEXT)

    async def conversation(client: Any) -> None:
        import anyio  # pyright: ignore[reportMissingImports]

        with anyio.move_on_after(60) as waiting:
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: said(client, "refute", text="mine.py", seconds=50))
                while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
                    await anyio.sleep(0.1)
                group.cancel_scope.cancel()
        assert not waiting.cancelled_caught

    asked(tmp_path, conversation)
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("it still runs")
