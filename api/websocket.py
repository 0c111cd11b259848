"""Subscriptions over a WebSocket, in the protocol graphql-transport-ws.

The client opens with `connection_init`, is told `connection_ack`, and may then `subscribe` under ids of its own; each
answer comes as `next`, the end as `complete`, a refusal as `error`. Queries and mutations may come the same way.
Whose memory it is about says the header `X-User-Id` of the first request, or, for browsers, which cannot send one, the
same word in the payload of `connection_init`.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from enum import IntEnum
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from api.errors import refusal, told
from api.http_request import Operation, read_message
from api.identity import USER_HEADER, checked_user, user_of
from api.limits import ApiLimits
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import GraphMemoryError, StoreError

SUBPROTOCOL = "graphql-transport-ws"
_log = logging.getLogger(__name__)

# One operation of one user, as its results come.
Stream = Callable[[Operation, UserId], AsyncIterator[Any]]


class _Close(IntEnum):
    """Why a connection is closed, in the protocol's numbers."""

    BAD_MESSAGE = 4400
    NOT_OPENED = 4401
    NO_SUCH_PROTOCOL = 4406
    OPENED_TOO_LATE = 4408
    ID_IN_USE = 4409
    OPENED_TWICE = 4429


class _Closed(Exception):  # noqa: N818 - an event, not an error
    def __init__(self, code: _Close, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)


class GraphQLSocket:
    """One connection."""

    def __init__(self, socket: WebSocket, stream: Stream, limits: ApiLimits) -> None:
        self._socket, self._stream, self._limits = socket, stream, limits
        self._user: UserId | None = None
        self._operations: dict[str, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Serves the connection until one of the two ends it."""
        offered = SUBPROTOCOL in self._socket.scope.get("subprotocols", ())
        await self._socket.accept(subprotocol=SUBPROTOCOL if offered else None)
        try:
            if not offered:
                raise _Closed(_Close.NO_SUCH_PROTOCOL, f"speak {SUBPROTOCOL}")
            async with asyncio.timeout(self._limits.socket_open_seconds) as opening:
                await self._take(await self._message())
                opening.reschedule(None)
                while True:
                    await self._take(await self._message())
        except TimeoutError:
            await self._close(_Closed(_Close.OPENED_TOO_LATE, "connection_init came too late"))
        except _Closed as closed:
            await self._close(closed)
        except WebSocketDisconnect:
            pass
        finally:
            for each in self._operations.values():
                each.cancel()
            await asyncio.gather(*self._operations.values(), return_exceptions=True)

    async def _message(self) -> Mapping[str, Any]:
        try:
            message = json.loads(await self._socket.receive_text())
        except (ValueError, KeyError, RecursionError):
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise _Closed(_Close.BAD_MESSAGE, "a message is a JSON object with a type")
        return message

    async def _take(self, message: Mapping[str, Any]) -> None:
        match message["type"]:
            case "connection_init":
                await self._open(message.get("payload"))
            case "ping":
                await self._send({"type": "pong"})
            case "pong":
                pass
            case "subscribe":
                self._start(message)
            case "complete":
                if task := self._operations.pop(str(message.get("id")), None):
                    task.cancel()
            case other:
                raise _Closed(_Close.BAD_MESSAGE, f"there is no message of type {other[:40]}")

    async def _open(self, payload: Any) -> None:
        if self._user is not None:
            raise _Closed(_Close.OPENED_TWICE, "connection_init came twice")
        named = payload.get(USER_HEADER) if isinstance(payload, dict) else None
        try:
            if named is None:
                self._user = user_of(self._socket, self._limits)
            else:
                self._user = checked_user(str(named), self._limits)
        except GraphMemoryError as error:
            raise _Closed(_Close.BAD_MESSAGE, str(error)[:100]) from None
        await self._send({"type": "connection_ack"})

    def _start(self, message: Mapping[str, Any]) -> None:
        if self._user is None:
            raise _Closed(_Close.NOT_OPENED, "connection_init comes first")
        identifier = message.get("id")
        if not isinstance(identifier, str) or not identifier:
            raise _Closed(_Close.BAD_MESSAGE, "subscribe needs an id")
        if identifier in self._operations:
            raise _Closed(_Close.ID_IN_USE, "that id is in use")
        if len(self._operations) >= self._limits.socket_operations:
            raise _Closed(_Close.BAD_MESSAGE, f"at most {self._limits.socket_operations} operations at once")
        self._operations[identifier] = asyncio.create_task(self._answer(identifier, message.get("payload"), self._user))

    async def _answer(self, identifier: str, payload: Any, user_id: UserId) -> None:
        try:
            operation = read_message(payload)
            async for result in self._stream(operation, user_id):
                errors = told(result.errors, operation.query, self._limits) if result.errors else []
                if errors and result.data is None:
                    await self._send({"type": "error", "id": identifier, "payload": errors})
                    return
                answer = {"data": result.data, **({"errors": errors} if errors else {})}
                await self._send({"type": "next", "id": identifier, "payload": answer})
            await self._send({"type": "complete", "id": identifier})
        except (WebSocketDisconnect, asyncio.CancelledError):
            raise
        except Exception as error:
            if not isinstance(error, GraphMemoryError):
                _log.error("a subscription failed", exc_info=error)
                error = StoreError("a subscription failed")
            await self._send({"type": "error", "id": identifier, "payload": refusal(error)["errors"]})
        finally:
            self._operations.pop(identifier, None)

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self._socket.send_text(json.dumps(message, ensure_ascii=False))

    async def _close(self, closed: _Closed) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the other end was faster
            await self._socket.close(code=closed.code, reason=closed.reason)
