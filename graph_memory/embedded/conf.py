"""The text of neo4j.conf."""

from graph_memory.embedded.memory import MemorySizes
from graph_memory.embedded.ports import LOOPBACK


def render_conf(*, bolt_port: int, http_port: int, memory: MemorySizes) -> str:
    """Our whole configuration of the server; every start writes it anew, so edits belong into our settings."""
    lines = [f"{key}={value}" for key, value in _entries(bolt_port, http_port, memory).items()]
    return (
        "# Written by graph-memory at every start. Change graph-memory's settings instead.\n" + "\n".join(lines) + "\n"
    )


def _entries(bolt_port: int, http_port: int, memory: MemorySizes) -> dict[str, str]:
    return {
        "server.default_listen_address": LOOPBACK,  # never reachable from another machine
        "server.default_advertised_address": LOOPBACK,
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"{LOOPBACK}:{bolt_port}",
        "server.bolt.advertised_address": f"{LOOPBACK}:{bolt_port}",
        "server.http.enabled": "true",  # serves Neo4j Browser
        "server.http.listen_address": f"{LOOPBACK}:{http_port}",
        "server.http.advertised_address": f"{LOOPBACK}:{http_port}",
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": "true",  # loopback alone does not keep out the other users of the machine
        "server.memory.heap.initial_size": f"{memory.heap_mb}m",
        "server.memory.heap.max_size": f"{memory.heap_mb}m",
        "server.memory.pagecache.size": f"{memory.page_cache_mb}m",
        "db.query.default_language": "CYPHER_25",
        "dbms.usage_report.enabled": "false",
        # How long each of three network parts waits for latecomers when the server stops. On loopback there are none,
        # and without this line every stop takes 15 seconds more.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
    }
