"""The command `boundcheck mcp`: what programs that write theorems call, over standard input and output."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from inspect import getdoc
from pathlib import Path
from subprocess import DEVNULL, STDOUT
from tempfile import TemporaryDirectory, TemporaryFile

import click

from boundcheck import __version__, exits
from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.words import ids_in, is_text

NO_SDK = "There is no SDK of the Model Context Protocol; run pip install 'boundcheck[mcp]'."

ABOUT = """\
Verify theorems numerically. A claim is a Python function under @theorem("source"), whose parameters are annotated
with domains and which returns a statement:

from boundcheck import Count, P, Unit, log, quantity, sqrt, theorem

@theorem("Hoeffding 1963, Theorem 2")
def hoeffding(bias: Unit, n: Count, delta: Unit):
    mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
    return P(mean - bias <= sqrt(log(1 / delta) / (2 * n))) >= 1 - delta

First ask `meaning` whether a text says what you mean, then `refute`. REFUTED comes with a certificate, which `verify`
recomputes independently; HOLDS speaks of the instances that were looked at, never of all.
"""

FAIR = 0.8
"""Of the seconds of a call: what its claims get, each the same; the rest is for Python to start, and to write."""

LONGEST = 86400.0
"""Seconds of a call, at most."""

GRACE = 5.0
"""Seconds in which a process that was asked to end keeps what is finished."""

MORE = "Ask again, with more seconds: what is finished is kept."

FAILED = {exits.USAGE, exits.NOTHING, exits.UNTRUSTWORTHY}


@shell.command("mcp")
@click.option(
    "--reports",
    type=shell.Folder(),
    help="Folder of texts, verdicts and certificates [default: one that goes when the server ends].",
)
def command(reports: Path | None) -> None:
    """Serve tools to a program that speaks the Model Context Protocol, over standard input and output: what a
    text means, a search for counterexamples within so many seconds, and a certificate verified.

    Each call runs a command of boundcheck here, in a process of its own; nothing is sent anywhere. A text is
    Python, and it is run: serve only programs that may run Python here.
    """
    with TemporaryDirectory(prefix="boundcheck-") as gone:
        served(reports or Path(gone))


def served(folder: Path) -> None:
    """Until standard input ends. Raises Refused without the SDK."""
    try:
        from mcp.server import MCPServer  # pyright: ignore
    except ImportError as error:  # there is none, or an older one
        raise Refused(NO_SDK) from error
    tools = Tools(folder.resolve())
    told = {
        "version": __version__,
        "instructions": ABOUT,
        "log_level": "WARNING",
    }
    server = MCPServer("boundcheck", **told)
    for tool in (tools.meaning, tools.refute, tools.verify):
        server.add_tool(tool, description=getdoc(tool), structured_output=False)
    server.run()


@dataclass(frozen=True)
class Tools:
    """The tools: flat arguments, and a text that says what came of it. Raise ToolError with a sentence."""

    folder: Path

    async def meaning(self, text: str) -> str:
        """What claims mean as they are read: for all of which values, and what they say on three instances, or
        what is wrong with the text.

        `text` is Python that states claims, the path of a file that does, or the id of a claim.
        """
        code, said = await _ran(60.0, "show", "--try", "--", self._target(text))
        return _unless_failed(code, said)

    async def refute(self, text: str, seconds: float = 30.0) -> str:
        """Search for counterexamples: a line with the verdict on each claim, and the certificate where it is
        REFUTED. It ends within about so many seconds; asked again, it goes on with what is not judged yet.

        `text` is Python that states claims, the path of a file that does, or the id of a claim.
        """
        if not 0 < seconds <= LONGEST:
            raise _failure(f"Give from 0 to {LONGEST:g} seconds.")
        target, began = self._target(text), time.time_ns()
        reports = self.folder / f"reports-{_digest(target)}"
        options = {
            "--timeout": f"{FAIR * seconds / _claims_of(target):g}",
            "--fail-on": "none",
            "--reports": str(reports),
        }
        given = [word for option in options.items() for word in option]
        code, said = await _ran(
            seconds, "check", "--resume", *given, "--", target
        )
        report = (
            reports / "verdicts.json"
        )  # one of an earlier call says nothing now
        if not (report.is_file() and report.stat().st_mtime_ns >= began):
            _unless_failed(code, said)
            return f"No claim is judged in {seconds:g} s. {MORE}"
        return "\n".join(_verdicts(report, code))

    async def verify(self, certificate: str, text: str = "") -> str:
        """Recompute a certificate by a program that shares nothing with the search, and compare it with the text
        of its claim.

        `certificate` is the path of one, `text` the Python that states its claim, or the path of a file that does.
        """
        of = [self._target(text)] if text.strip() else []
        code, said = await _ran(
            60.0, "verify", "--", certificate, *filter(is_text, of)
        )
        return _unless_failed(code, said)

    def _target(self, text: str) -> str:
        """What a command takes: a text is written to a file, whose name is that of its claims."""
        if "\n" not in text.strip():
            return text.strip()
        folder = self.folder / _digest(text)
        shell.write(text, folder / "claims.py")
        return str(folder / "claims.py")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def _claims_of(target: str) -> int:
    """How many claims share the time of a call, by the text alone."""
    file = Path(target)
    return max(1, len(list(ids_in(file)))) if file.is_file() else 1


def _verdicts(report: Path, code: int) -> Iterator[str]:
    """A line for each verdict of this call, and one for its certificate."""
    from boundcheck.report.reading import read

    content = read(report).printable()
    for r in content.rows:
        yield shell.one_line(f"{r.id}: {r.outcome.name}, {r.why}")
        if r.certificate:
            yield f"  certificate: {r.certificate}"
    for name in content.broken.keys() - content.by_id.keys():
        yield shell.one_line(f"The text fails: {content.broken[name]}")
    if code < 0 or code == exits.TERMINATED:
        yield f"The others are not judged. {MORE}"


async def _ran(seconds: float, *arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it said; after so many seconds, or if nobody waits, it ends."""
    import anyio  # pyright: ignore[reportMissingImports]

    command = [
        sys.executable,
        "-P",
        "-m",
        "boundcheck.commands.main",
        *arguments,
    ]
    with TemporaryFile() as said:
        process = await anyio.open_process(
            command, stdin=DEVNULL, stdout=said, stderr=STDOUT
        )
        try:
            with anyio.move_on_after(seconds):
                await process.wait()
        finally:
            if process.returncode is None:
                process.terminate()
            with anyio.move_on_after(GRACE, shield=True):
                await process.wait()
            if process.returncode is None:
                process.kill()
        code = await process.wait()
        said.seek(0)
        return code, said.read().decode("utf-8", errors="replace")


def _unless_failed(code: int, said: str) -> str:
    """What a command said. Raises ToolError, with its sentence, where it could not do what was asked."""
    if code not in FAILED:
        return said
    raise _failure(said.rpartition("Error: ")[2].strip())


def _failure(sentence: str) -> Exception:
    """What tools raise, so that the program at the other end reads the sentence."""
    from mcp.server.mcpserver.exceptions import ToolError  # pyright: ignore

    return ToolError(sentence)
