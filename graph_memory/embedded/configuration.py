"""What the owner of the product decides about the local server."""

from dataclasses import dataclass
from pathlib import Path

DEFAULT_BOLT_PORT = 7687  # the ports that Neo4j registered and its tools try first
DEFAULT_HTTP_PORT = 7474


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """Where the local server lives and what it may take.

    Attributes:
        home: folder of the server's data, log, configuration and password; one server per home.
        cache: folder of the fetched jars, in Maven's layout; may be shared by any number of homes.
        bolt_port: a port the user insists on, or None for the default one or, if that is taken, a free one.
        http_port: the same for HTTP, which serves Neo4j Browser.
        heap_mb: Java heap in MiB, or None to size it to the machine.
        page_cache_mb: Neo4j's page cache in MiB, or None to size it to the machine.
        start_timeout_seconds: how long a server may take to answer its first query.
        stop_timeout_seconds: how long a server may take to stop before it is killed.
        admin_timeout_seconds: how long a dump, a load or setting the password may take.
    """

    home: Path
    cache: Path
    bolt_port: int | None = None
    http_port: int | None = None
    heap_mb: int | None = None
    page_cache_mb: int | None = None
    start_timeout_seconds: float = 120.0
    stop_timeout_seconds: float = 60.0
    admin_timeout_seconds: float = 3600.0
