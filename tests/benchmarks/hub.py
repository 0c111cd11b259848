"""A memory in the middle of a user's graph that gets very many links, and loses them again."""

from dataclasses import dataclass

from graph_memory.bootstrap import Services
from graph_memory.domain.link import LinkType
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.stores.connection import Row

# Each joins the hub to every memory once; entities bring the rest of the links.
_TO_MEMORIES = (LinkType.REFERS_TO, LinkType.SIMILAR_TO, LinkType.SHARES_EMOTION, LinkType.CONCURRENT_WITH)
_REASON = "hub of a benchmark"  # marks what is taken away again

_LINK_MEMORIES = """
MATCH (m:Memory {user_id: $user_id}) WHERE m.id <> $hub_id
CALL (m) {
    MATCH (hub:Memory {id: $hub_id}) WHERE hub.user_id = $user_id
    WITH CASE WHEN $outgoing THEN hub ELSE m END AS a, CASE WHEN $outgoing THEN m ELSE hub END AS b
    CREATE (a)-[:$($type) {user_id: $user_id, weight: 1.0, reason: $reason, source: 'rule', uses: 0,
                           created_at: datetime()}]->(b)
} IN TRANSACTIONS OF 2000 ROWS
RETURN count(m) AS made
"""
_LINK_ENTITIES = """
UNWIND range(1, $count) AS number
CALL (number) {
    MATCH (hub:Memory {id: $hub_id}) WHERE hub.user_id = $user_id
    CREATE (e:Entity {id: $hub_id + ' ' + number, user_id: $user_id, name: 'Hub ' + number,
                      name_key: 'hub ' + number, reason: $reason})
    CREATE (hub)-[:REFERS_TO {user_id: $user_id, weight: 1.0, reason: $reason, source: 'rule', uses: 0,
                              created_at: datetime()}]->(e)
} IN TRANSACTIONS OF 2000 ROWS
"""
_COUNT = "MATCH (hub:Memory {id: $hub_id}) WHERE hub.user_id = $user_id RETURN COUNT { (hub)--() } AS links"
_UNLINK = """
MATCH (hub:Memory {id: $hub_id})-[r]-(n) WHERE hub.user_id = $user_id AND r.reason = $reason
CALL (r, n) {
    DELETE r
    WITH n WHERE n:Entity AND n.reason = $reason
    DELETE n
} IN TRANSACTIONS OF 2000 ROWS
"""
_SETTLE = ("CALL db.awaitIndexes(600)", "CALL db.resampleOutdatedIndexes()", "CALL db.clearQueryCaches()")


@dataclass(frozen=True, slots=True)
class Hub:
    """One memory of a user, with very many links or with its own alone."""

    services: Services
    user_id: UserId
    memory_id: MemoryId

    async def link(self, count: int) -> int:
        """Links every memory to it in several types, and fresh entities until `count` is reached; how many it has."""
        made = 0
        for number, link_type in enumerate(_TO_MEMORIES):
            outgoing = number % 2 == 0
            [row] = await self._run(_LINK_MEMORIES, type=str(link_type), outgoing=outgoing, reason=_REASON)
            made += row["made"]
        await self._run(_LINK_ENTITIES, count=max(0, count - made), reason=_REASON)
        await self._settle()
        return await self.links()

    async def unlink(self) -> None:
        """Takes what `link` made away."""
        await self._run(_UNLINK, reason=_REASON)
        await self._settle()

    async def links(self) -> int:
        """How many links it has, of all types."""
        [row] = await self._run(_COUNT)
        return int(row["links"])

    async def _settle(self) -> None:
        for statement in _SETTLE:
            await self.services.connection.run_text(statement)

    async def _run(self, statement: str, **params: object) -> list[Row]:
        given = {"user_id": self.user_id, "hub_id": self.memory_id, **params}
        return await self.services.connection.run_text(statement, given)
