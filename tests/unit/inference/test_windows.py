"""Cutting a long text into windows."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.inference.windows import windows


def test_a_text_that_fits_is_one_window():
    tokens = list(range(10))

    found = windows(tokens, room=10, overlap=3)

    assert found == [tokens]


def test_one_token_too_many_makes_two_full_windows():
    tokens = list(range(11))

    found = windows(tokens, room=10, overlap=3)

    assert found == [tokens[:10], tokens[1:]]


@given(count=st.integers(1, 2_000), room=st.integers(2, 300), data=st.data())
def test_windows_cover_every_token_equally_long_with_the_overlap_asked_for(count, room, data):
    overlap = data.draw(st.integers(0, room - 1))

    found = windows(range(count), room=room, overlap=overlap)

    assert set().union(*found) == set(range(count))
    assert {len(window) for window in found} == {min(count, room)}
    assert all(len(set(a) & set(b)) >= overlap for a, b in pairwise(found))


@given(count=st.integers(301, 3_000), room=st.integers(40, 300))
def test_there_are_no_more_windows_than_needed(count, room):
    found = windows(range(count), room=room, overlap=32)

    covered_by_one_less = room + (len(found) - 2) * (room - 32)

    assert covered_by_one_less < count
