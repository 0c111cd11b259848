"""Neo4j's administration tool: the first password, dumps and loads. The server must be stopped for all of it."""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from graph_memory.embedded.command import admin_arguments, admin_command, admin_environment
from graph_memory.embedded.diagnosis import explain
from graph_memory.embedded.disk import require_space, writing_to
from graph_memory.embedded.home import ServerHome, write_secret
from graph_memory.embedded.java import Java
from graph_memory.embedded.probe import DATABASE
from graph_memory.errors import ServerError

_SHOWN_LINES = 12


class Administration:
    """Runs the tool on one home."""

    def __init__(self, java: Java, home: ServerHome, timeout_seconds: float) -> None:
        self._java = java
        self._home = home
        self._timeout_seconds = timeout_seconds

    async def set_initial_password(self, password: str) -> None:
        """Sets the password of the first user; only before the server's very first start."""
        await self._run("set the password of", ["dbms", "set-initial-password", password])

    async def dump(self, target: Path) -> None:
        """Writes the database to the file `target`, whole or not at all; overwrites it."""
        require_space(target.parent, _size_of(self._home.data) // 2, purpose="the dump")
        # The tool insists on its own file name, so it writes into a folder of its own beside the target.
        with writing_to(target.parent), tempfile.TemporaryDirectory(prefix=".dump-", dir=target.parent) as folder:
            await self._run("dump", ["database", "dump", DATABASE, f"--to-path={folder}"])
            (Path(folder) / f"{DATABASE}.dump").replace(target)

    async def load(self, source: Path) -> None:
        """Puts the dump in the place of the database."""
        require_space(self._home.data, source.stat().st_size, purpose="loading the dump")
        with writing_to(self._home.run), tempfile.TemporaryDirectory(prefix="load-", dir=self._home.run) as folder:
            named = Path(folder) / f"{DATABASE}.dump"
            try:
                named.symlink_to(source.absolute())
            except OSError:  # Windows gives the right to make links to few
                shutil.copyfile(source, named)
            arguments = ["database", "load", DATABASE, f"--from-path={folder}", "--overwrite-destination=true"]
            await self._run("load into", arguments)

    async def _run(self, verb: str, arguments: Sequence[str]) -> None:
        file = self._home.run / "admin.arguments"
        write_secret(file, admin_arguments(self._home, arguments))
        try:
            command = admin_command(self._java, file)
            code, output = await _output(command, admin_environment(self._home), self._timeout_seconds)
        finally:
            file.unlink()
        if code != 0:
            end = "\n".join(f"  {line}" for line in output.strip().splitlines()[-_SHOWN_LINES:])
            remedy = explain(output) or "The end of what it said:"
            raise ServerError(f"Could not {verb} the database in {self._home.root}. {remedy}\n{end}")


async def _output(command: Sequence[str], environment: Mapping[str, str], timeout_seconds: float) -> tuple[int, str]:
    """Exit code and everything the command printed. Ends the command if it takes too long or we are cancelled."""
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        printed, _ = await asyncio.wait_for(process.communicate(), timeout_seconds)
    except TimeoutError as exc:
        raise ServerError(f"Neo4j's administration tool did not finish within {timeout_seconds:g} s.") from exc
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, printed.decode("utf-8", "replace")


def _size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
