"""The Java commands that run the server and its administration tool."""

import os
from collections.abc import Sequence
from pathlib import Path

from graph_memory.embedded.home import ServerHome
from graph_memory.embedded.java import VECTOR_MODULE, Java
from graph_memory.embedded.memory import MemorySizes

_SERVER_CLASS = "org.neo4j.server.Neo4jCommunity"
# The part of the administration tool that does the work. The outer one, Neo4jAdminCommand, would start a second Java
# for it and show the arguments, a password among them, to every user of the machine.
_ADMIN_CLASS = "org.neo4j.cli.AdminTool"

# What Neo4j's own scripts open for its page cache and network code.
_OPENED_PACKAGES = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
_FLAGS = (
    *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED_PACKAGES),
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
)


def server_command(java: Java, home: ServerHome, memory: MemorySizes, startup_flags: Sequence[str] = ()) -> list[str]:
    """Starts the server in the foreground; expects the class path in `home.arguments`."""
    return [
        java.executable,
        f"-Xms{memory.heap_mb}m",
        f"-Xmx{memory.heap_mb}m",
        *_FLAGS,
        *_vector_flags(java),
        *startup_flags,
        f"@{home.arguments}",
        _SERVER_CLASS,
        home_argument(home),
        f"--config-dir={home.conf_folder}",
        "--console-mode",
    ]


def admin_command(java: Java, arguments_file: Path) -> list[str]:
    """Runs Neo4j's administration tool on `admin_arguments`; it also needs `admin_environment`."""
    return [java.executable, *_FLAGS, f"@{arguments_file}"]


def admin_arguments(home: ServerHome, arguments: Sequence[str]) -> str:
    """Class path, class and arguments as the text of a file, where a list of processes does not show them."""
    quoted = "\n".join(map(_quote, [_ADMIN_CLASS, *arguments]))
    return f"{home.arguments.read_text('utf-8')}{quoted}\n"


def admin_environment(home: ServerHome) -> dict[str, str]:
    """Tells the administration tool which server it is for."""
    return {**os.environ, "NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf_folder)}


def home_argument(home: ServerHome) -> str:
    """The argument by which a running server can be told to be that of this home."""
    return f"--home-dir={home.root}"


def class_path_file(jars: Sequence[Path]) -> str:
    """The text of `home.arguments`: the class path, quoted as Java's argument files want it."""
    return f"-classpath\n{_quote(os.pathsep.join(map(str, jars)))}\n"


def _quote(argument: str) -> str:
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _vector_flags(java: Java) -> list[str]:
    return [f"--add-modules={VECTOR_MODULE}"] if java.has_vector_module else []
