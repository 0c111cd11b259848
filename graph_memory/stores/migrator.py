"""Brings the graph into its shape: numbered migrations with a ledger, checksums and a lease.

Each migration's statements can be run again, so one that died half way is simply repeated. The ledger is read before
anything is written: a graph newer than the code, or one whose migration reads otherwise than ours, is refused.
"""

import asyncio
import hashlib
import importlib.resources
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from graph_memory.errors import StoreError, StoreMismatchError
from graph_memory.ports import Clock, Ids
from graph_memory.stores.connection import Connection
from graph_memory.stores.leases import Neo4jLeaseStore

_JOB = "migrate"
_LEASE = timedelta(seconds=120)
_PATIENCE_SECONDS = 180.0
_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the graph's shape."""

    version: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def statements(self) -> Iterator[str]:
        """The statements, without comments."""
        return statements(self.text)


def statements(text: str) -> Iterator[str]:
    """The statements of a file of schema/, which end with a semicolon at the end of a line."""
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
    for statement in code.split(";\n"):
        if statement.strip().rstrip(";"):
            yield statement.strip().rstrip(";")


def migrations() -> list[Migration]:
    """Every migration of this code, in order."""
    folder = importlib.resources.files("schema") / "migrations"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".cypher")), key=lambda file: file.name)
    return [Migration(int(file.name[:4]), file.name[:-7], file.read_text("utf-8")) for file in files]


def _lease_constraint() -> str:
    """The statement that makes a lease one of its kind: without it two who start at once on a new graph both get it."""
    [statement] = [each for each in migrations()[0].statements() if " lease_id_unique " in each]
    return statement


class Migrator:
    """Carries out the migrations that a graph lacks."""

    def __init__(self, connection: Connection, *, clock: Clock, ids: Ids) -> None:
        self._connection, self._clock, self._holder = connection, clock, ids.new()
        self._leases = Neo4jLeaseStore(connection)

    async def migrate(self) -> list[str]:
        """The names of the migrations carried out now. Raises StoreMismatchError, StoreError."""
        if not await self._missing():
            return []
        await self._take_lease()
        try:
            done = []
            for migration in await self._missing():
                await self._carry_out(migration)
                done.append(migration.name)
            return done
        finally:
            await self._leases.give_back(_JOB, self._holder)

    async def check_embedder(self, name: str, dimensions: int) -> None:
        """Settles which embedder the vectors are of. Raises StoreMismatchError when the graph has another."""
        [row] = await self._connection.run("graph/describe_graph", embedder=name, dimensions=dimensions)
        if (row["embedder"], row["dimensions"]) != (name, dimensions):
            raise StoreMismatchError(
                f"the graph's vectors are {row['dimensions']} wide, from {row['embedder']}; the embedder in use gives"
                f" {dimensions}, from {name}. Start with the former embedder, or erase the graph's data and import it"
                " anew with this one: vectors of two embedders are never compared"
            )

    async def _missing(self) -> list[Migration]:
        ours = {migration.version: migration for migration in migrations()}
        rows = await self._connection.run("graph/find_migrations")
        for row in rows:
            known = ours.get(row["version"])
            if known is None:
                raise StoreMismatchError(
                    f"the graph has been through migration {row['name']}, which this code does not know: it was written"
                    " by a newer graph-memory; upgrade this one"
                )
            if known.checksum != row["checksum"]:
                raise StoreMismatchError(f"migration {row['name']} of the graph reads otherwise than this code's")
        done = {row["version"] for row in rows}
        return [migration for version, migration in sorted(ours.items()) if version not in done]

    async def _carry_out(self, migration: Migration) -> None:
        for statement in migration.statements():
            await self._connection.run_text(statement)
        await self._connection.run_text("CALL db.awaitIndexes(300)")
        await self._connection.run(
            "graph/add_migration",
            version=migration.version,
            name=migration.name,
            checksum=migration.checksum,
            at=self._clock.now(),
        )

    async def _take_lease(self) -> None:
        """Waits for its turn; a holder that died loses the lease when it ends."""
        await self._connection.run_text(_lease_constraint())
        ends_at = asyncio.get_running_loop().time() + _PATIENCE_SECONDS
        while True:
            now = self._clock.now()
            if await self._leases.take(_JOB, self._holder, at=now, until=now + _LEASE):
                return
            if asyncio.get_running_loop().time() > ends_at:
                raise StoreError(
                    "another process has been migrating the graph for too long; look at it, then start anew"
                )
            await asyncio.sleep(_POLL_SECONDS)
