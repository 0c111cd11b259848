"""The folder of one server: what lies where, and the password that only its owner may read."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from graph_memory.embedded.disk import writing_to
from graph_memory.errors import ServerError

_OWNER_ONLY_FOLDER = 0o700
_OWNER_ONLY_FILE = 0o600
_PASSWORD_BYTES = 24


@dataclass(frozen=True, slots=True)
class ServerHome:
    """Names of the files and folders under a server's home."""

    root: Path

    @property
    def conf_folder(self) -> Path:
        return self.root / "conf"

    @property
    def conf(self) -> Path:
        return self.conf_folder / "neo4j.conf"

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def log(self) -> Path:
        """What the server prints, from its last start on."""
        return self.logs / "server.log"

    @property
    def debug_log(self) -> Path:
        """What the server writes down for those who look for a cause."""
        return self.logs / "debug.log"

    @property
    def state(self) -> Path:
        return self.run / "server.json"

    @property
    def lock(self) -> Path:
        """Held by whoever is starting, stopping, dumping or loading this server."""
        return self.run / "server.lock"

    @property
    def arguments(self) -> Path:
        """The class path for Java, which is too long for the command line of some systems."""
        return self.run / "java.arguments"

    @property
    def known_javas(self) -> Path:
        return self.run / "java.json"

    @property
    def password(self) -> Path:
        return self.root / "password"

    @property
    def has_store(self) -> bool:
        """Whether a server has ever written data here."""
        return (self.data / "databases" / "system").is_dir()

    def create(self) -> None:
        """Makes the folders, closed to everyone but the owner; raises ServerError if that is not possible."""
        with writing_to(self.root):
            self.root.mkdir(mode=_OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
            for folder in (self.conf_folder, self.data, self.logs, self.run):
                folder.mkdir(mode=_OWNER_ONLY_FOLDER, exist_ok=True)
        unwritable = [
            folder for folder in (self.root, self.data, self.logs, self.run) if not os.access(folder, os.W_OK)
        ]
        if unwritable:
            raise ServerError(
                f"Cannot write to {unwritable[0]}. Make the folder writable for you, or choose another one with "
                "GRAPH_MEMORY_HOME."
            )

    def read_password(self) -> str:
        """The server's password; raises ServerError if its file is gone."""
        try:
            return self.password.read_text("utf-8").strip()
        except FileNotFoundError as exc:
            raise ServerError(
                f"The password file {self.password} is missing. Put the server's password there (one line, "
                f"readable by you only), or, to begin with an empty database and a new password, move {self.data} away."
            ) from exc

    def generate_password(self) -> str:
        """Writes a new password to its file and gives it."""
        password = "g" + secrets.token_urlsafe(_PASSWORD_BYTES)  # a leading dash would read as an option
        with writing_to(self.root):
            write_secret(self.password, password + "\n")
        return password


def write_secret(path: Path, text: str) -> None:
    """Writes a file that only the owner may read, whole or not at all, and at no moment readable by others."""
    scratch = path.with_name(f"{path.name}.new")
    scratch.unlink(missing_ok=True)
    with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY_FILE), "w", encoding="utf-8") as file:
        file.write(text)
    scratch.replace(path)
