"""NameStore on Neo4j."""

from collections.abc import Sequence

from graph_memory.domain.memory import Memory
from graph_memory.domain.names import KnownName, NameKind
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.ports import NamedNode, Position, Row
from graph_memory.stores.connection import Connection
from graph_memory.stores.positions import after_position, position_at
from graph_memory.stores.rows import memory_from, named_node_from

_MOST_NAMES = 20_000  # of one user; a book of more would cost more to hold than it helps
_FIND = {NameKind.PERSON: "names/find_people", NameKind.ENTITY: "names/find_entities"}
_COUNT = {NameKind.PERSON: "names/count_people", NameKind.ENTITY: "names/count_entities"}


class Neo4jNameStore:
    """Keeps persons and entities in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def known_names(self, user_id: UserId) -> list[KnownName]:
        rows = await self._connection.run("names/find_known_names", user_id=user_id, limit=_MOST_NAMES)
        return [KnownName(row["key"], NameKind(row["kind"]), NodeId(row["node_id"]), row["node_key"]) for row in rows]

    async def find(
        self, user_id: UserId, kind: NameKind, *, search: str | None, after: Position | None, limit: int
    ) -> list[Row[NamedNode]]:
        rows = await self._connection.run(
            _FIND[kind],
            user_id=user_id,
            search=search,
            **after_position(after),
            limit=limit,
        )
        nodes = [named_node_from(kind, row["node"]) for row in rows]
        return [Row(node, position_at(node.last_mentioned_at or node.created_at, node.id)) for node in nodes]

    async def count(self, user_id: UserId, kind: NameKind, *, search: str | None) -> int:
        [row] = await self._connection.run(_COUNT[kind], user_id=user_id, search=search)
        return int(row["nodes"])

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, NamedNode]:
        rows = await self._connection.run("names/get_nodes", user_id=user_id, ids=list(dict.fromkeys(ids)))
        found = [named_node_from(row["kind"], row["node"]) for row in rows]
        return {node.id: node for node in found}

    async def named_in(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[NamedNode]]:
        rows = await self._connection.run("names/find_named_in", user_id=user_id, ids=list(dict.fromkeys(ids)))
        named: dict[MemoryId, list[NamedNode]] = {memory_id: [] for memory_id in ids}
        for row in rows:
            named[MemoryId(row["memory_id"])].append(named_node_from(row["kind"], row["node"]))
        return named

    async def memories_naming(
        self, user_id: UserId, node_id: NodeId, *, after: Position | None, limit: int
    ) -> list[Row[Memory]]:
        rows = await self._connection.run(
            "names/find_memories_naming",
            user_id=user_id,
            node_id=node_id,
            **after_position(after),
            limit=limit,
        )
        memories = [memory_from(row["memory"]) for row in rows]
        return [Row(memory, position_at(memory.interval.created_at, memory.id)) for memory in memories]

    async def count_memories_naming(self, user_id: UserId, node_id: NodeId) -> int:
        [row] = await self._connection.run("names/count_memories_naming", user_id=user_id, node_id=node_id)
        return int(row["memories"])
