"""What the local server tells of itself."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class ServerStatus(StrEnum):
    """Whether the server of a home runs."""

    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"
    FOREIGN = "foreign"  # ours is stopped, and the port it would take answers for another program


@dataclass(frozen=True, slots=True)
class ServerReport:
    """What is to be said about the server of a home."""

    status: ServerStatus
    home: Path
    bolt_port: int
    http_port: int
    pid: int | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a running server, as a driver and as a person in Neo4j Browser."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str
    browser_url: str
