"""ExtractionQueue on Neo4j: marks on turns."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from graph_memory.domain.asked import Utterance
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.ports import Drawn, Talk, TalkTurn, TurnExtraction, WaitingTurn
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.extraction_rows import turn_extraction_from, turn_extraction_text
from graph_memory.stores.rows import instant

_POOL = 1_000  # due turns that the episodes due are taken from


class Neo4jExtractionQueue:
    """Keeps the queue of turns in Neo4j."""

    def __init__(self, connection: Connection, *, most_sources: int) -> None:
        self._connection, self._most_sources = connection, most_sources

    async def due(self, *, at: datetime, limit: int) -> list[tuple[UserId, NodeId]]:
        rows = await self._connection.run("extraction/find_due_talks", at=at, pool=_POOL, limit=limit)
        return [(UserId(row["user_id"]), NodeId(row["episode_id"])) for row in rows]

    async def put_off(self, *, at: datetime, again_at: datetime, min_turns: int) -> int:
        [row] = await self._connection.run(
            "extraction/put_off_turns", at=at, again_at=again_at, open_end=FAR_FUTURE, min_turns=min_turns, limit=_POOL
        )
        return int(row["turns"])

    async def claim(
        self,
        user_id: UserId,
        episode_id: NodeId,
        *,
        claim: str,
        at: datetime,
        lease: timedelta,
        min_turns: int,
        limit: int,
    ) -> Talk | None:
        rows = await self._connection.run(
            "extraction/claim_turns",
            user_id=user_id,
            episode_id=episode_id,
            claim=claim,
            at=at,
            lease_until=at + lease,
            min_turns=min_turns,
            limit=limit,
        )
        turn_ids = tuple(NodeId(row["id"]) for row in rows)
        if not turn_ids:
            return None
        noted = {NodeId(row["id"]): turn_extraction_from(row["drawn"]) for row in rows if row["drawn"]}
        return Talk(user_id=user_id, episode_id=episode_id, claim=claim, turn_ids=turn_ids, noted=noted)

    async def turns(self, talk: Talk, *, before: int, limit: int) -> list[TalkTurn]:
        rows = await self._connection.run(
            "extraction/find_talk",
            user_id=talk.user_id,
            episode_id=talk.episode_id,
            first_id=talk.turn_ids[0],
            last_id=talk.turn_ids[-1],
            before=before,
            limit=limit,
        )
        return [
            TalkTurn(
                id=NodeId(row["id"]),
                utterance=Utterance(
                    role=row["role"], text=row["text"], at=instant(row["occurred_at"]), speaker=row["speaker"]
                ),
                memory_id=MemoryId(row["memory_id"]) if row["memory_id"] else None,
            )
            for row in rows
        ]

    async def note(self, talk: Talk, drawn: Mapping[NodeId, TurnExtraction]) -> bool:
        rows = [{"id": turn_id, "drawn": turn_extraction_text(each)} for turn_id, each in sorted(drawn.items())]
        [row] = await self._connection.run("extraction/note_drawn", user_id=talk.user_id, claim=talk.claim, rows=rows)
        return int(row["turns"]) == len(rows)

    async def finish(self, talk: Talk, drawn: Sequence[Drawn], *, at: datetime) -> list[Drawn]:
        async def finish_turns(transaction: Transaction) -> list[Drawn]:
            rows = [{"memory_id": each.memory_id, "source_id": each.source_id, "origin": each.origin} for each in drawn]
            linked = await transaction.run(
                "extraction/link_sources", user_id=talk.user_id, rows=rows, most=self._most_sources, at=at
            )
            await transaction.run(
                "extraction/finish_turns", user_id=talk.user_id, claim=talk.claim, ids=list(talk.turn_ids), at=at
            )
            led = {(row["memory_id"], row["source_id"]) for row in linked}
            return [each for each in drawn if (each.memory_id, each.source_id) not in led]

        return await self._connection.transaction(finish_turns)

    async def give_back(
        self,
        talk: Talk,
        turn_ids: Sequence[NodeId],
        *,
        reason: str | None,
        counts: bool,
        at: datetime,
        retry_at: datetime,
        max_attempts: int,
    ) -> int:
        [row] = await self._connection.run(
            "extraction/give_back_turns",
            user_id=talk.user_id,
            claim=talk.claim,
            ids=list(turn_ids),
            reason=reason,
            counts=counts,
            at=at,
            retry_at=retry_at,
            max_attempts=max_attempts,
        )
        return int(row["parked"])

    async def take_up_parked(self, user_id: UserId, *, at: datetime) -> int:
        [row] = await self._connection.run("extraction/take_up_parked", user_id=user_id, at=at)
        return int(row["turns"])

    async def waiting(self, user_id: UserId, *, limit: int) -> list[WaitingTurn]:
        rows = await self._connection.run("extraction/find_waiting", user_id=user_id, ends_at=FAR_FUTURE, limit=limit)
        return [
            WaitingTurn(
                id=NodeId(row["id"]),
                episode_id=NodeId(row["episode_id"]),
                attempts=row["attempts"],
                problem=row["problem"],
                due_at=instant(row["due_at"]) if row["due_at"] else None,
            )
            for row in rows
        ]
