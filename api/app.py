"""The application: GraphQL over HTTP and WebSocket, its explorer, whether the process lives and the store answers."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError

from api.context import ApiContext
from api.errors import refusal, told
from api.explorer import explorer_page
from api.http_request import Operation, read_operation
from api.identity import user_of
from api.limits import ApiLimits
from api.sdl import build_schema
from api.websocket import GraphQLSocket
from graph_memory.bootstrap import Services
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import GraphMemoryError, InvalidValueError, LimitExceededError, NotFoundError, Problem

_log = logging.getLogger(__name__)
_READY = UserId("ready")  # nobody; the look-up shows that the store answers


def create_app(services: Services, *, limits: ApiLimits | None = None) -> Starlette:
    """The application on open services, which stay the caller's to close."""
    longest = max(services.settings.pages.most, services.settings.recall.max_k)
    face = _Face(services, replace(limits or ApiLimits(), longest_list=longest))
    return Starlette(
        routes=[
            Route("/graphql", face.graphql, methods=["GET", "POST"]),
            WebSocketRoute("/graphql", face.socket),
            Route("/health", face.health, methods=["GET"]),
            Route("/ready", face.ready, methods=["GET"]),
            Route("/", face.explorer, methods=["GET"]),
        ]
    )


class _Face:
    def __init__(self, services: Services, limits: ApiLimits) -> None:
        self._services, self._limits = services, limits
        self._schema = build_schema(limits)

    async def graphql(self, request: Request) -> Response:
        """Executes one operation; shows the explorer to a browser that asks for a page."""
        if _wants_page(request):
            return await self.explorer(request)
        try:
            user_id = user_of(request, self._limits)
            operation = await read_operation(request, most_bytes=self._services.settings.serve.max_body_bytes)
            return JSONResponse(await self._executed(operation, user_id))
        except GraphMemoryError as error:
            return JSONResponse(refusal(error), status_code=_status(error))

    async def socket(self, socket: WebSocket) -> None:
        """Executes operations, subscriptions among them, as long as the connection lasts."""
        await GraphQLSocket(socket, self._stream, self._limits).serve()

    async def _stream(self, operation: Operation, user_id: UserId) -> AsyncIterator[Any]:
        results = await self._schema.stream(
            operation.query,
            variable_values=dict(operation.variables),
            context_value=ApiContext(self._services, user_id),
            operation_name=operation.name,
            allowed_operation_types=operation.allowed,
        )
        async for result in results:
            yield result

    async def _executed(self, operation: Operation, user_id: UserId) -> dict[str, object]:
        try:
            result = await self._schema.execute(
                operation.query,
                variable_values=dict(operation.variables),
                context_value=ApiContext(self._services, user_id),
                operation_name=operation.name,
                allowed_operation_types=operation.allowed,
            )
        except CannotGetOperationTypeError:
            raise InvalidValueError("request", [Problem("operationName", "names no operation of the query")]) from None
        except InvalidOperationTypeError:
            raise InvalidValueError("request", [Problem("query", "cannot be sent by this method")]) from None
        answer: dict[str, object] = {"data": result.data}
        if result.errors:
            answer["errors"] = told(result.errors, operation.query, self._limits)
        return answer

    async def explorer(self, request: Request) -> Response:
        """The page to try queries on."""
        if not self._services.settings.serve.explorer:
            return JSONResponse(refusal(NotFoundError("page", request.url.path)), status_code=404)
        return explorer_page()

    async def health(self, request: Request) -> Response:
        """The process is alive."""
        return JSONResponse({"status": "alive"})

    async def ready(self, request: Request) -> Response:
        """The store answers."""
        try:
            async with asyncio.timeout(self._limits.ready_seconds):
                await self._services.inspect.settings(_READY)
        except (GraphMemoryError, TimeoutError) as error:
            _log.warning("not ready: %s", error or "the store does not answer in time")
            return JSONResponse({"status": "unavailable"}, status_code=503)
        return JSONResponse({"status": "ready"})


def _wants_page(request: Request) -> bool:
    return (
        request.method == "GET"
        and "query" not in request.query_params
        and "text/html" in request.headers.get("accept", "")
    )


def _status(error: GraphMemoryError) -> int:
    return 413 if isinstance(error, LimitExceededError) else 400
