"""ModelLedger on Neo4j: one node for each user, day, question and model."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from graph_memory.domain.asked import Question
from graph_memory.domain.identity import usage_id
from graph_memory.domain.model_usage import BookedUse, Tokens, UsageReport, Use
from graph_memory.domain.vocabulary import UserId
from graph_memory.stores.connection import Connection


class Neo4jModelLedger:
    """Keeps the ledger of model calls in Neo4j."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def book(self, booked: BookedUse) -> None:
        use = booked.use
        await self._connection.run(
            "usage/book_usage",
            user_id=booked.user_id,
            id=usage_id(booked.user_id, booked.day, booked.question, booked.model),
            day=_first_instant(booked.day),
            question=booked.question.value,
            model=booked.model,
            calls=use.calls,
            failures=use.failures,
            input_tokens=use.tokens.input,
            output_tokens=use.tokens.output,
            cache_read_tokens=use.tokens.cache_read,
            cache_write_tokens=use.tokens.cache_write,
            cost=use.cost,
        )

    async def report(self, user_id: UserId, *, since: date | None = None) -> UsageReport:
        rows = await self._connection.run(
            "usage/find_usage", user_id=user_id, since=_first_instant(since or date(1970, 1, 1))
        )
        return UsageReport.of({Question(row["question"]): _use(row) for row in rows})

    async def used_by_all(self, day: date) -> Use:
        [row] = await self._connection.run("usage/sum_day", day=_first_instant(day))
        return _use(row)


def _first_instant(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _use(row: Mapping[str, Any]) -> Use:
    return Use(
        calls=row["calls"],
        failures=row["failures"],
        tokens=Tokens(
            input=row["input_tokens"],
            output=row["output_tokens"],
            cache_read=row["cache_read_tokens"],
            cache_write=row["cache_write_tokens"],
        ),
        cost=float(row["cost"]),
    )
