"""What the recall statement is given."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import numpy as np
import pytest

from graph_memory.domain.vocabulary import Kind, UserId
from graph_memory.ports import RecallQuery
from graph_memory.settings import Settings
from graph_memory.stores.connection import Connection
from graph_memory.stores.recall import Neo4jRecallStore

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
PLAIN = RecallQuery(vector=np.ones(3, np.float32), words=("desk",), index_terms=(), subject_keys=(), k=5)


@pytest.mark.parametrize(
    "asked",
    [
        replace(PLAIN, kinds=(Kind.EPISODIC,)),
        replace(PLAIN, tags=("sea",)),
        replace(PLAIN, known_at=NOON, as_of=NOON, include_hidden=True),
        replace(PLAIN, subject_keys=("ana",), entity_keys=("oak desk",), days=((NOON, NOON),), asks_when=True, k=100),
    ],
)
def test_a_parameter_has_the_same_type_in_every_question(asked: RecallQuery):
    """The server keeps a plan for each combination of types, and makes a new one for seconds."""
    store = Neo4jRecallStore(cast(Connection, None), Settings())

    plain, narrowed = (
        {name: type(value) for name, value in store.params(UserId("user-1"), query, at=NOON).items()}
        for query in (PLAIN, asked)
    )

    assert narrowed == plain
