"""Asks a server over HTTP whether it can answer queries."""

import base64
import http.client
import json
from dataclasses import dataclass
from typing import Any

from graph_memory.embedded.ports import LOOPBACK, is_listening

USERNAME = "neo4j"
DATABASE = "neo4j"

_TIMEOUT_SECONDS = 5.0
_QUERY = json.dumps({"statement": "RETURN 1"}).encode()


@dataclass(frozen=True, slots=True)
class Probe:
    """What a server said: `ready` when it answered a query, else why not."""

    ready: bool
    refused_password: bool = False
    complaint: str = ""  # what the server itself said is wrong


def probe(*, bolt_port: int, http_port: int, password: str) -> Probe:
    """Runs the smallest query as the product's user, after seeing that Bolt listens. Never raises."""
    if not is_listening(bolt_port):
        return Probe(ready=False)
    try:
        status, body = _post(http_port, password)
    except (OSError, http.client.HTTPException, ValueError):
        return Probe(ready=False)
    complaint = _complaint(body)
    if status == http.client.UNAUTHORIZED:
        return Probe(ready=False, refused_password=True, complaint=complaint)
    return Probe(ready=status in (http.client.OK, http.client.ACCEPTED) and not complaint, complaint=complaint)


def version(http_port: int) -> str | None:
    """The server's version, from its page of discovery, which needs no password."""
    try:
        _status, body = _request(http_port, "GET", "/", None, {"Accept": "application/json"})
    except (OSError, http.client.HTTPException, ValueError):
        return None
    found = body.get("neo4j_version")
    return str(found) if found else None


def _post(http_port: int, password: str) -> tuple[int, dict[str, Any]]:
    credentials = base64.b64encode(f"{USERNAME}:{password}".encode()).decode("ascii")
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Authorization": f"Basic {credentials}",
    }
    return _request(http_port, "POST", f"/db/{DATABASE}/query/v2", _QUERY, headers)


def _request(
    port: int, method: str, path: str, body: bytes | None, headers: dict[str, str]
) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=_TIMEOUT_SECONDS)
    try:
        # Closed on purpose: a connection kept alive would hold up the server's stop.
        connection.request(method, path, body, {**headers, "Connection": "close"})
        response = connection.getresponse()
        answer = json.loads(response.read() or b"{}")
        return response.status, answer if isinstance(answer, dict) else {}
    finally:
        connection.close()


def _complaint(body: dict[str, Any]) -> str:
    errors = body.get("errors") or []
    return "; ".join(str(error.get("message", error)) for error in errors if isinstance(error, dict))
