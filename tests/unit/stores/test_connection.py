"""What the door to Neo4j says before and after it is open."""

import pytest
from neo4j.exceptions import AuthError, ClientError, ConstraintError, DriverError, ServiceUnavailable, TransientError

from graph_memory.errors import ConflictError, StoreError, StoreMismatchError
from graph_memory.stores.connection import Address, Connection, check_version, translated

ADDRESS = Address(
    uri="bolt://127.0.0.1:1",
    username="neo4j",
    password="a password long enough",
    database="neo4j",
    max_connections=2,
    busy_after_seconds=0.1,
    connect_timeout_seconds=0.2,
    retry_seconds=0.05,
)


@pytest.mark.parametrize("version", ["2026.06.0", "2026.09.0", "2026.10.1-enterprise", "2027.1.0"])
def test_a_server_that_is_new_enough_is_accepted(version: str):
    check_version(version)


@pytest.mark.parametrize("version", ["5.26.0", "4.4.12", "2025.12.1", "2026.05.0", "2026.05.3-enterprise"])
def test_a_server_that_is_too_old_is_refused_with_both_versions(version: str):
    with pytest.raises(StoreMismatchError, match=rf"Neo4j {version}.*2026\.06 or newer"):
        check_version(version)


async def test_a_server_that_does_not_answer_is_named():
    with pytest.raises(StoreError, match=r"no Neo4j answers at bolt://127\.0\.0\.1:1"):
        await Connection(ADDRESS).open()


async def test_a_connection_that_is_not_open_says_so():
    with pytest.raises(StoreError, match="closed; open it again"):
        await Connection(ADDRESS).run("graph/find_migrations")


@pytest.mark.parametrize(
    ("error", "kind", "retryable"),
    [
        (AuthError("secret words"), StoreError, False),
        (ConstraintError("secret words"), ConflictError, None),
        (ServiceUnavailable("secret words"), StoreError, True),
        (TransientError("secret words"), StoreError, True),
        (ClientError("secret words"), StoreError, False),
        (DriverError("secret words"), StoreError, False),
    ],
)
def test_an_error_of_the_driver_becomes_one_of_ours_without_its_text(
    error: Exception, kind: type[Exception], retryable: bool | None
):
    ours = translated(error)

    assert isinstance(ours, kind)
    assert "secret" not in str(ours)
    if isinstance(ours, StoreError):
        assert ours.is_retryable() is retryable
