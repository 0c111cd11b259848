"""Serves the application until told to stop, then lets running requests end."""

import asyncio
import ipaddress
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from api.app import create_app
from api.errors import refusal
from graph_memory.bootstrap import Services
from graph_memory.errors import InvalidValueError, Problem, ServerError

_log = logging.getLogger(__name__)
_GRACE_SECONDS = 10
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def serve(
    services: Services,
    host: str = "127.0.0.1",
    port: int = 8_000,
    *,
    notify: Callable[[str], None] = lambda message: None,
) -> None:
    """Serves until SIGINT, SIGTERM or a cancel; a port of 0 takes a free one. Raises ServerError.

    Args:
        notify: told the address once the door is open.
    """
    app: ASGIApp = create_app(services)
    if is_loopback(host):
        app = LoopbackOnly(app)
    else:
        _log.warning("%s is open to other machines, and there are no keys yet: anyone may read and write", host)
    listener = _listener(host, port)
    with listener:
        notify(f"http://{_written(host)}:{listener.getsockname()[1]}/graphql")
        server = _Server(
            uvicorn.Config(
                app,
                ws="websockets-sansio",
                ws_max_size=services.settings.serve.max_body_bytes,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE_SECONDS,
            )
        )
        await server.serve(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends on a signal without raising it again, so that the caller closes what it opened."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop, caught = asyncio.get_running_loop(), []
        for each in _SIGNALS:
            try:
                loop.add_signal_handler(each, self.handle_exit, each, None)
                caught.append(each)
            except (NotImplementedError, RuntimeError, ValueError):  # no such thing here, or not the main thread
                pass
        try:
            yield
        finally:
            for each in caught:
                loop.remove_signal_handler(each)


class LoopbackOnly:
    """Refuses requests that name another host: a page elsewhere whose name was made to point here is no one's own.

    A WebSocket is refused to the pages of other sites, too: the browser would let them open one and read from it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not (_names_loopback(scope) and _comes_from_here(scope)):
            await send({"type": "websocket.close", "code": 1008})  # before it was accepted: refused with HTTP 403
            return
        if scope["type"] != "http" or _names_loopback(scope):
            await self._app(scope, receive, send)
            return
        problem = Problem("Host", "is not the name of this machine; a loopback server answers to no other")
        response = JSONResponse(refusal(InvalidValueError("request", [problem])), status_code=400)
        await response(scope, receive, send)


def is_loopback(host: str) -> bool:
    """Whether a host name or address can be reached from this machine alone."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _comes_from_here(scope: Scope) -> bool:
    """Whether no page opens a WebSocket, or one of this very server."""
    origin = _header(scope, b"origin")
    return origin is None or origin.partition("://")[2] == _header(scope, b"host")


def _header(scope: Scope, wanted: bytes) -> str | None:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), None)


def _names_loopback(scope: Scope) -> bool:
    named = _header(scope, b"host") or ""
    host = named.rpartition("]")[0] + "]" if named.startswith("[") else named.partition(":")[0]
    return is_loopback(host)


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family)
    except OSError as error:
        said = error.strerror or str(error)
        raise ServerError(f"cannot serve on {host} port {port} ({said}); choose another with --port") from error
    except OverflowError:
        raise ServerError(f"port {port} does not lie in 0..65535") from None


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
