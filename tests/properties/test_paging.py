"""Laws of pages: every slice and every flag follows from the data, as with a plain list."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InvalidValueError
from graph_memory.ports import Position, Row
from graph_memory.services.paging import Page, PageRequest, Paging
from graph_memory.settings import PageSettings

SETTINGS = PageSettings()
PAGING = Paging(UserId("ann"), "memories", SETTINGS)
# Many rows share a key, so that the id has to decide.
LISTS = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0, 2.0]), st.uuids().map(str)), max_size=14, unique_by=lambda row: row[1]
)
SIZES = st.none() | st.integers(0, 16)


class ListedRows:
    """A list in the order of its keys, read as a store reads."""

    def __init__(self, rows: Sequence[tuple[float, str]]) -> None:
        self.rows = sorted(rows)

    async def read(self, after: Position | None, before: Position | None, backward: bool, limit: int) -> list[Row[str]]:
        between = [
            row
            for row in self.rows
            if (after is None or row > (after.key, after.id)) and (before is None or row < (before.key, before.id))
        ]
        wanted = between[::-1][:limit] if backward else between[:limit]
        return [Row(identifier, Position(key, identifier)) for key, identifier in wanted]

    async def read_on(self, after: Position | None, limit: int) -> list[Row[str]]:
        return await self.read(after, None, False, limit)


def _cursor(row: tuple[float, str] | None) -> str | None:
    return None if row is None else PAGING.cursor(Position(*row))


@given(data=st.data(), rows=LISTS)
def test_a_page_is_the_slice_that_relay_describes_and_its_flags_agree(
    data: st.DataObject, rows: list[tuple[float, str]]
):
    listed = ListedRows(rows)
    after, before = (data.draw(st.none() | st.sampled_from(listed.rows)) if rows else None for _ in range(2))
    backward, size = data.draw(st.booleans()), data.draw(SIZES)
    request = PageRequest(
        after=_cursor(after),
        before=_cursor(before),
        first=None if backward else size,
        last=(size or 0) if backward else None,
    )

    page = asyncio.run(PAGING.page(request, listed.read))

    between = [row for row in listed.rows if (after is None or row > after) and (before is None or row < before)]
    count = (size or 0) if backward else SETTINGS.first if size is None else size
    expected = between[max(0, len(between) - count) :] if backward else between[:count]
    assert page.items == tuple(identifier for _, identifier in expected)
    if expected:
        assert page.has_next is (listed.rows[-1] > expected[-1])
        assert page.has_previous is (listed.rows[0] < expected[0])
        assert [PAGING.position("after", cursor).id for cursor in page.cursors] == list(page.items)


@given(rows=LISTS, size=st.integers(1, 5), backward=st.booleans())
def test_reading_page_by_page_gives_every_row_once_and_in_order(
    rows: list[tuple[float, str]], size: int, backward: bool
):
    listed = ListedRows(rows)

    read = asyncio.run(_page_by_page(listed, size, backward))

    assert read == [identifier for _, identifier in listed.rows]


async def _page_by_page(listed: ListedRows, size: int, backward: bool) -> list[str]:
    read: list[str] = []
    request = PageRequest(last=size) if backward else PageRequest(first=size)
    while True:
        page: Page[str] = await PAGING.page(request, listed.read)
        read = [*page.items, *read] if backward else [*read, *page.items]
        if not (page.has_previous if backward else page.has_next):
            return read
        request = (
            PageRequest(last=size, before=page.cursors[0])
            if backward
            else PageRequest(first=size, after=page.cursors[-1])
        )


@given(rows=LISTS, size=st.integers(1, 5))
def test_a_list_that_is_only_read_forward_gives_every_row_once(rows: list[tuple[float, str]], size: int):
    listed = ListedRows(rows)

    async def read_all() -> list[str]:
        read, after = list[str](), None
        while True:
            page = await PAGING.forward_page(size, after, listed.read_on)
            read += page.items
            if not page.has_next:
                return read
            after = page.cursors[-1]

    assert asyncio.run(read_all()) == [identifier for _, identifier in listed.rows]


@given(key=st.floats(allow_nan=False, allow_infinity=False), identifier=st.text(min_size=1, max_size=40))
def test_a_cursor_names_its_position_exactly(key: float, identifier: str):
    assert PAGING.position("after", PAGING.cursor(Position(key, identifier))) == Position(key, identifier)


@given(cursor=st.text(max_size=60))
def test_a_made_up_cursor_is_refused_by_the_name_of_its_field(cursor: str):
    with pytest.raises(InvalidValueError, match="before: is not a cursor of this list"):
        PAGING.position("before", cursor)


@pytest.mark.parametrize(("user", "listing"), [("bob", "memories"), ("ann", "names")])
def test_a_cursor_of_another_user_or_list_is_refused(user: str, listing: str):
    """Case 40."""
    foreign = Paging(UserId(user), listing, SETTINGS).cursor(Position(1.0, "mem-1"))

    with pytest.raises(InvalidValueError, match="is not a cursor of this list"):
        PAGING.position("after", foreign)


@pytest.mark.parametrize(
    "request_", [PageRequest(first=-1), PageRequest(first=101), PageRequest(last=10**9), PageRequest(first=1, last=1)]
)
async def test_bounds_that_are_none_are_refused_before_anything_is_read(request_: PageRequest):
    async def read(*_: object) -> list[Row[str]]:
        raise AssertionError("was read")

    with pytest.raises(InvalidValueError):
        await PAGING.page(request_, read)
