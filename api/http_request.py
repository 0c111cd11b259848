"""From an HTTP request, or a message of a WebSocket, to what GraphQL is asked, under the limit for bodies."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request
from strawberry.types.graphql import OperationType

from graph_memory.errors import GraphMemoryError, InvalidValueError, LimitExceededError, Problem

_QUERIES = frozenset({OperationType.QUERY})
_QUERIES_AND_MUTATIONS = frozenset({OperationType.QUERY, OperationType.MUTATION})
_ALL = frozenset(OperationType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One GraphQL operation as it was sent."""

    query: str
    variables: Mapping[str, Any]
    name: str | None
    allowed: frozenset[OperationType]


async def read_operation(request: Request, *, most_bytes: int) -> Operation:
    """The operation of a GET (queries only) or a POST of JSON. Raises InvalidValueError, LimitExceededError."""
    if request.method == "GET":
        sent: Any = dict(request.query_params)
        sent["variables"] = _json("variables", sent.get("variables") or "null")
        return _operation(sent, _QUERIES)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _bad("Content-Type", "must be application/json")
    return _operation(_json("body", await _body(request, most_bytes)), _QUERIES_AND_MUTATIONS)


def read_message(payload: Any) -> Operation:
    """The operation of a message of a WebSocket. Raises InvalidValueError."""
    return _operation(payload, _ALL)


async def _body(request: Request, most_bytes: int) -> bytes:
    """The body, read no further than the limit."""
    stated = request.headers.get("content-length", "")
    if stated.isdigit() and int(stated) > most_bytes:
        raise _too_large(most_bytes)
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most_bytes:
                raise _too_large(most_bytes)
    except ClientDisconnect:
        raise _bad("body", "ended too early") from None
    return bytes(body)


def _json(field: str, text: str | bytes) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):  # not UTF-8, not JSON, NaN, a number of very many digits, or nested very deep
        raise _bad(field, "is no valid JSON") from None


def _no_number(name: str) -> None:
    raise ValueError(name)


def _operation(sent: Any, allowed: frozenset[OperationType]) -> Operation:
    if isinstance(sent, list):
        raise _bad("body", "holds a batch; send one operation at a time")
    if not isinstance(sent, dict):
        raise _bad("body", "must be a JSON object with `query`")
    query, variables, name = sent.get("query"), sent.get("variables"), sent.get("operationName")
    problems = []
    if not isinstance(query, str) or not query.strip():
        problems.append(Problem("query", "must be the text of a GraphQL operation"))
    if not isinstance(variables, dict | None):
        problems.append(Problem("variables", "must be an object"))
    if not isinstance(name, str | None):
        problems.append(Problem("operationName", "must be text"))
    if problems:
        raise InvalidValueError("request", problems)
    return Operation(query=str(query), variables=variables or {}, name=name or None, allowed=allowed)


def _bad(field: str, message: str) -> GraphMemoryError:
    return InvalidValueError("request", [Problem(field, message)])


def _too_large(most_bytes: int) -> GraphMemoryError:
    return LimitExceededError(f"the request is larger than {most_bytes} bytes")
