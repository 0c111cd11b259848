"""What every ledger of model calls promises (port ModelLedger)."""

from datetime import date, timedelta
from random import randrange

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import BookedUse, Tokens, Use
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import ModelLedger
from graph_memory.stores.model_usage import Neo4jModelLedger
from graph_memory.testing import InMemoryModelLedger

ONE = Use(calls=1, tokens=Tokens(input=30, output=4, cache_read=5, cache_write=6), cost=0.25)
FAILED = Use(failures=1)


@pytest.fixture(params=["in memory", "in Neo4j"])
def ledger(request: pytest.FixtureRequest) -> ModelLedger:
    if request.param == "in memory":
        return InMemoryModelLedger()
    services: Services = request.getfixturevalue("services")
    return Neo4jModelLedger(services.connection)


@pytest.fixture
def day() -> date:
    """A day on which nobody else asks."""
    return date(2100, 1, 1) + timedelta(days=randrange(1_000_000))


async def test_uses_add_up_by_question_and_in_all(ledger: ModelLedger, user: UserId, day: date):
    asked = [(Question.DISTIL, "small", ONE), (Question.DISTIL, "large", ONE), (Question.LINKS, "small", FAILED)]
    for question, model, use in (*asked, *asked):
        await ledger.book(BookedUse(user_id=user, day=day, question=question, model=model, use=use))

    report = await ledger.report(user)

    assert report.by_question == {Question.DISTIL: ONE + ONE + ONE + ONE, Question.LINKS: FAILED + FAILED}
    assert report.total == Use.sum(report.by_question.values())


async def test_a_report_begins_with_a_day_and_shows_one_user(
    ledger: ModelLedger, user: UserId, other_user: UserId, day: date
):
    for booked_on, whose in ((day, user), (day + timedelta(days=1), user), (day, other_user)):
        await ledger.book(BookedUse(user_id=whose, day=booked_on, question=Question.MERGE, model="small", use=ONE))

    assert (await ledger.report(user, since=day)).total.calls == 2
    assert (await ledger.report(user, since=day + timedelta(days=1))).total.calls == 1
    assert (await ledger.report(other_user)).total == ONE
    assert (await ledger.used_by_all(day)) == ONE + ONE


async def test_where_nothing_was_used_there_is_nothing(ledger: ModelLedger, user: UserId, day: date):
    assert (await ledger.report(user)).total == Use()
    assert await ledger.used_by_all(day) == Use()
