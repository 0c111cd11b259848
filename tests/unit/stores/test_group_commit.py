"""Writes that arrive together share a transaction; each answers for itself alone."""

import asyncio
from collections.abc import Sequence

import pytest

from graph_memory.errors import ConflictError, GraphMemoryError, StoreBusyError, StoreError
from graph_memory.stores.group_commit import GroupCommit


class Ledger:
    """A writer that keeps what it wrote, group by group, and refuses what it was told to."""

    def __init__(self, *, refuses: dict[str, Exception] | None = None) -> None:
        self.groups: list[list[str]] = []
        self.refuses = refuses or {}
        self.open = asyncio.Event()
        self.open.set()

    async def write(self, rows: Sequence[str]) -> list[str]:
        await self.open.wait()
        for row in rows:
            if row in self.refuses:
                raise self.refuses[row]
        self.groups.append(list(rows))
        return [f"{row}!" for row in rows]


def _commit(ledger: Ledger, *, group_rows: int = 100) -> GroupCommit[str, str]:
    """Rows that begin with the same letter claim the same key."""
    return GroupCommit(ledger.write, keys=lambda row: frozenset(row[:1]), gather_seconds=0.0, group_rows=group_rows)


async def _all(commit: GroupCommit[str, str], *rows: str) -> list[str | GraphMemoryError]:
    answers = await asyncio.gather(*(commit.add([row]) for row in rows))
    return [answer for [answer] in answers]


async def test_writes_that_arrive_together_share_one_transaction_and_are_answered_in_order():
    ledger = Ledger()

    answers = await _all(_commit(ledger), "a", "b", "c")

    assert answers == ["a!", "b!", "c!"]
    assert ledger.groups == [["a", "b", "c"]]


async def test_rows_of_one_call_are_answered_in_their_order():
    assert await _commit(Ledger()).add(["c", "a", "b"]) == ["c!", "a!", "b!"]
    assert await _commit(Ledger()).add([]) == []


async def test_a_group_holds_no_more_rows_than_allowed():
    ledger = Ledger()

    await _all(_commit(ledger, group_rows=2), *"abcde")

    assert ledger.groups == [["a", "b"], ["c", "d"], ["e"]]


async def test_equal_keys_never_share_a_group_and_keep_their_order():
    ledger = Ledger()

    await _all(_commit(ledger), "a1", "b1", "a2", "c1", "b2", "a3")

    assert ledger.groups == [["a1", "b1", "c1"], ["a2", "b2"], ["a3"]]


@pytest.mark.parametrize("error", [ConflictError("there first"), StoreError("refused")])
async def test_a_bad_row_fails_alone(error: GraphMemoryError):
    ledger = Ledger(refuses={"d": error})

    answers = await _all(_commit(ledger), *"abcdefg")

    assert answers == ["a!", "b!", "c!", error, "e!", "f!", "g!"]
    assert sorted(row for group in ledger.groups for row in group) == list("abcefg")


async def test_several_bad_rows_fail_each_alone():
    first, second = ConflictError("first"), StoreError("second")

    answers = await _all(_commit(Ledger(refuses={"a": first, "c": second})), *"abcd")

    assert answers == [first, "b!", second, "d!"]


@pytest.mark.parametrize("error", [StoreBusyError("busy"), StoreError("away", retryable=True)])
async def test_a_fault_of_the_server_is_told_to_all_without_trying_row_by_row(error: GraphMemoryError):
    ledger = Ledger(refuses={"a": error})

    answers = await _all(_commit(ledger), *"abc")

    assert answers == [error, error, error]
    assert ledger.groups == []


async def test_a_fault_of_ours_reaches_every_caller_and_nobody_waits_for_ever():
    commit = _commit(Ledger(refuses={"a": KeyError("bug")}))

    with pytest.raises(KeyError):
        await _all(commit, "a", "b")
    assert await commit.add(["c"]) == ["c!"]


async def test_a_caller_who_is_cancelled_takes_nothing_back():
    ledger = Ledger()
    ledger.open.clear()
    commit = _commit(ledger)
    leaving, staying = asyncio.create_task(commit.add(["a"])), asyncio.create_task(commit.add(["b"]))
    await asyncio.sleep(0.01)

    leaving.cancel()
    ledger.open.set()
    await commit.close()

    assert await staying == ["b!"]
    assert leaving.cancelled()
    assert [row for group in ledger.groups for row in group] == ["a", "b"]


async def test_while_a_group_is_written_the_next_one_gathers():
    ledger = Ledger()
    ledger.open.clear()
    commit = _commit(ledger)
    first = asyncio.create_task(commit.add(["a"]))
    await asyncio.sleep(0.01)
    rest = [asyncio.create_task(commit.add([row])) for row in "bcd"]
    await asyncio.sleep(0.01)

    ledger.open.set()
    await asyncio.gather(first, *rest)

    assert ledger.groups == [["a"], ["b", "c", "d"]]


async def test_closing_waits_for_what_was_asked_for():
    ledger = Ledger()
    commit = _commit(ledger)
    asked = asyncio.create_task(commit.add(["a"]))
    await asyncio.sleep(0)

    await commit.close()

    assert ledger.groups == [["a"]]
    assert await asked == ["a!"]
