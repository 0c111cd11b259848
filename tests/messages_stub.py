"""A stand-in for the Messages API on the loopback: answers what a test tells it to, and counts what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

JSON = {"content-type": "application/json"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the stub answers one request with."""

    status: int = 200
    body: Mapping[str, Any] | str
    headers: Mapping[str, str] = field(default_factory=dict)
    after_seconds: float = 0.0


def says(
    text: str | Mapping[str, Any] | Sequence[Any],
    *,
    stop_reason: str = "end_turn",
    input_tokens: int = 100,
    output_tokens: int = 20,
    cache_read: int = 0,
    after_seconds: float = 0.0,
) -> Reply:
    """An answer that holds a text, or a value as JSON."""
    content = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    usage = {
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "cache_read_input_tokens": cache_read,
        "cache_creation_input_tokens": 0,
    }
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "stub",
        "content": [{"type": "text", "text": content}] if content else [],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage,
    }
    return Reply(body=message, after_seconds=after_seconds)


def fails(status: int, kind: str, **headers: str) -> Reply:
    """An error of the service; header names are written with underscores."""
    body = {"type": "error", "error": {"type": kind, "message": "not now"}}
    return Reply(status=status, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


RATE_LIMITED = fails(429, "rate_limit_error", retry_after="1")
OVERLOADED = fails(529, "overloaded_error")


class MessagesStub:
    """Gives one reply after another, the last for good; a reply may be a function of the request."""

    def __init__(self, *replies: Reply | Callable[[Mapping[str, Any]], Reply]) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.calls = self.failures = 0
        self.input_tokens = self.output_tokens = 0
        self.base_url = ""

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["MessagesStub"]:
        connections: set[asyncio.Task[None]] = set()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task
            connections.add(task)
            try:
                while await self._exchange(reader, writer):
                    pass
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                pass
            finally:
                connections.discard(task)
                writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        self.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in list(connections):
                task.cancel()
            await asyncio.gather(*connections, return_exceptions=True)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {
            name.lower(): value for name, value in (line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
        }
        request = json.loads(await reader.readexactly(int(headers["content-length"])))
        assert head.startswith("POST /v1/messages ")
        self.requests.append(request)
        self.headers.append(headers)
        reply = self._next(request)
        await asyncio.sleep(reply.after_seconds)
        self._count(reply)
        writer.write(_written(reply))
        await writer.drain()
        return True

    def _next(self, request: Mapping[str, Any]) -> Reply:
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply if isinstance(reply, Reply) else reply(request)

    def _count(self, reply: Reply) -> None:
        if reply.status != 200:
            self.failures += 1
            return
        self.calls += 1
        if isinstance(reply.body, Mapping):
            usage = reply.body["usage"]
            self.input_tokens += usage["input_tokens"] + usage["cache_read_input_tokens"]
            self.output_tokens += usage["output_tokens"]


def _written(reply: Reply) -> bytes:
    body = (reply.body if isinstance(reply.body, str) else json.dumps(reply.body, ensure_ascii=False)).encode()
    headers = {**JSON, **reply.headers, "content-length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {reply.status} Any\r\n{head}\r\n".encode() + body


def shown(request: Mapping[str, Any]) -> Any:
    """What a request shows the model: the JSON between its marks."""
    return json.loads(request["messages"][0]["content"].split("\n")[1])
