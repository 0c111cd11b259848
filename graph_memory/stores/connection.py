"""The one door to Neo4j: runs query files by name, groups them into transactions, and translates errors.

A single query is one round trip (an auto-commit transaction that is tried again here); several belong together in
`transaction`. Every query names the database and carries its file's name into the server's logs.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

import neo4j
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    TransientError,
)

import cypher
from graph_memory.errors import ConflictError, StoreBusyError, StoreError, StoreMismatchError

LEAST_SERVER_VERSION = (2026, 6)
Row = Mapping[str, Any]
T = TypeVar("T")

_FIRST_PAUSE_SECONDS = 0.02
_LONGEST_PAUSE_SECONDS = 1.0
_SPELT = 60  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Which database to use, and how patiently."""

    uri: str
    username: str
    password: str | None
    database: str
    max_connections: int
    busy_after_seconds: float
    connect_timeout_seconds: float
    retry_seconds: float


class Transaction:
    """Several queries that take effect together."""

    def __init__(self, inner: neo4j.AsyncManagedTransaction | neo4j.AsyncTransaction) -> None:
        self._inner = inner

    async def run(self, name: str, /, **params: object) -> list[Row]:
        """The rows of a query file."""
        query = cypher.load(name)
        result = await self._inner.run(_QuietText(query.sent), bound(query, params))
        return [dict(zip(record.keys(), record.values(), strict=True)) for record in await result.fetch(_ALL)]


_ALL = 1_000_000_000


# The driver spells out every statement and every parameter for its debug log, wanted or not: of a question as long as a
# look-up takes.
class _QuietMap(dict[str, object]):
    """A map that spells out its keys alone."""

    def __repr__(self) -> str:
        return f"{{{', '.join(self)}}}"


class _QuietText(str):
    """A text that spells out how it begins."""

    __slots__ = ()

    def __str__(self) -> str:
        return self

    def __repr__(self) -> str:
        return f"{self[:_SPELT]!r} …"


def bound(query: cypher.Query, params: Mapping[str, object]) -> dict[str, object]:
    """Parameters as they are sent."""
    return {name: _QuietMap(value) if isinstance(value, dict) else value for name, value in query.bound(params).items()}


class Connection:
    """A pool of connections to one database, for the event loop that opened it."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._driver: neo4j.AsyncDriver | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._places: asyncio.Semaphore | None = None
        self._under_way: set[asyncio.Task[Any]] = set()
        self.server_version = ""

    async def open(self) -> Self:
        """Connects and checks the server's version. Raises StoreError, StoreMismatchError."""
        self._loop = asyncio.get_running_loop()
        self._places = asyncio.Semaphore(self._address.max_connections)
        with translated_errors():
            self._driver = neo4j.AsyncGraphDatabase.driver(
                self._address.uri,
                auth=(self._address.username, self._address.password) if self._address.password else None,
                max_connection_pool_size=self._address.max_connections,
                connection_timeout=self._address.connect_timeout_seconds,
                connection_acquisition_timeout=self._address.connect_timeout_seconds,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
        try:
            self.server_version = await self._checked_version()
        except BaseException:
            await self.close()
            raise
        return self

    async def close(self) -> None:
        """Gives every connection back."""
        driver, self._driver = self._driver, None
        await asyncio.gather(*self._under_way, return_exceptions=True)
        if driver:
            await driver.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def run(self, name: str, /, **params: object) -> list[Row]:
        """The rows of one query file, in one round trip."""
        query = cypher.load(name)
        statement = neo4j.Query(_QuietText(query.sent), metadata={"query": name})
        given = bound(query, params)
        access = neo4j.WRITE_ACCESS if query.writes else neo4j.READ_ACCESS

        async def once(driver: neo4j.AsyncDriver) -> list[Row]:
            async with driver.session(database=self._address.database, default_access_mode=access) as session:
                result = await session.run(statement, given)
                return [dict(zip(record.keys(), record.values(), strict=True)) for record in await result.fetch(_ALL)]

        return await self._tried(once)

    async def transaction(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """What `work` gives, all its queries taking effect or none; `work` may be called again after a deadlock."""

        async def once(driver: neo4j.AsyncDriver) -> T:
            async with driver.session(database=self._address.database) as session:
                async with await session.begin_transaction(metadata={"query": work.__qualname__}) as transaction:
                    result = await work(Transaction(transaction))
                    await transaction.commit()
                    return result

        return await self._tried(once)

    async def run_text(self, statement: str, params: Mapping[str, object] | None = None) -> list[Row]:
        """The rows of a statement of schema/, which holds no values from outside."""

        async def once(driver: neo4j.AsyncDriver) -> list[Row]:
            async with driver.session(database=self._address.database) as session:
                result = await session.run(statement, dict(params or {}))
                return [dict(zip(record.keys(), record.values(), strict=True)) for record in await result.fetch(_ALL)]

        return await self._tried(once)

    async def _tried(self, once: Callable[[neo4j.AsyncDriver], Coroutine[Any, Any, T]]) -> T:
        """`once`, again after faults that pass, for as long as the address allows.

        A caller who leaves ends the waiting only: a call of the driver that is broken off while it connects loses its
        socket, so each goes on to its end behind the caller's back and then gives its place back.
        """
        driver, loop = self._checked(), asyncio.get_running_loop()
        ends_at, pause = loop.time() + self._address.retry_seconds, _FIRST_PAUSE_SECONDS
        while True:
            await self._take_place()
            trying = asyncio.create_task(once(driver))
            self._under_way.add(trying)
            trying.add_done_callback(self._give_place_back)
            try:
                return await asyncio.shield(trying)
            except (Neo4jError, DriverError) as error:
                if not error.is_retryable() or loop.time() + pause > ends_at:
                    raise translated(error) from error
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(_LONGEST_PAUSE_SECONDS, pause * 2)

    async def _take_place(self) -> None:
        assert self._places is not None
        try:
            async with asyncio.timeout(self._address.busy_after_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise StoreBusyError(
                f"the store is busy: all {self._address.max_connections} connections are taken"
                f" for {self._address.busy_after_seconds:g} s; try again, or raise neo4j.max_connections"
            ) from None

    def _give_place_back(self, tried: "asyncio.Task[Any]") -> None:
        assert self._places is not None
        self._places.release()
        self._under_way.discard(tried)
        if not tried.cancelled():
            tried.exception()  # a caller who left does not hear of it

    def _checked(self) -> neo4j.AsyncDriver:
        if self._driver is None:
            raise StoreError("the connection is closed; open it again")
        if self._loop is not asyncio.get_running_loop():
            raise StoreError(
                "this connection belongs to the event loop that opened it and was used in another;"
                " open one in each loop"
            )
        return self._driver

    async def _checked_version(self) -> str:
        async def once(driver: neo4j.AsyncDriver) -> str:
            info = await driver.get_server_info()
            return info.agent.removeprefix("Neo4j/")

        try:
            version = await self._tried(once)
        except StoreError as error:
            raise StoreError(f"no Neo4j answers at {self._address.uri}: {error}") from error
        check_version(version)
        return version


def check_version(version: str) -> None:
    """Refuses a server older than the queries need. Raises StoreMismatchError."""
    numbers = tuple(int(part) for part in version.split("-")[0].split(".")[:2] if part.isdigit())
    if numbers < LEAST_SERVER_VERSION:
        least = f"{LEAST_SERVER_VERSION[0]}.{LEAST_SERVER_VERSION[1]:02}"
        raise StoreMismatchError(f"the server is Neo4j {version}; graph-memory needs {least} or newer")


class translated_errors:  # noqa: N801 - reads as a clause: `with translated_errors():`
    """Turns the driver's errors into ours."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Neo4jError | DriverError | ConfigurationError):
            raise translated(error) from error


def translated(error: Exception) -> StoreError | ConflictError:
    """Our error for one of the driver's; its text goes into the cause, not to the caller."""
    match error:
        case AuthError():
            return StoreError("the server refused the user name or the password")
        case ConstraintError():
            return ConflictError("another write was there first")
        case ServiceUnavailable():
            return StoreError("the server cannot be reached or went away", retryable=True)
        case TransientError():
            return StoreError("the server could not take the work now", retryable=True)
        case Neo4jError():
            return StoreError(f"the server refused the statement ({error.code})", retryable=error.is_retryable())
        case DriverError():
            return StoreError(f"the connection failed ({type(error).__name__})", retryable=error.is_retryable())
    return StoreError(f"the connection cannot be made: {error}")
