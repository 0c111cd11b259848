"""Laws of extraction: no word is invented, whatever is said."""

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.asked import Utterance
from graph_memory.domain.clauses import clauses_of
from graph_memory.domain.extraction import extract_by_rules
from graph_memory.domain.extraction_check import sound
from graph_memory.domain.support import supported_by

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
_WORDS = (
    "I we my our sister Ana Luis wife boss and but so because since if would maybe not never no live lives lived work "
    "works at in Lisbon love like hate it this olives tea am is was decided to go with every morning usually "
    "last Thursday in three days a an the nurse dog have I'm don't promised helped me kept word yo vivo "
    "en mi hermana me gusta porque "
    '" “ ” , . ! ? … ; — \n > ``` ( ) [a photo] 👍 钓鱼 周末 أسكن'
).split(" ")
TEXTS = st.one_of(
    st.lists(st.sampled_from(_WORDS), max_size=24).map(" ".join),
    st.text(max_size=60),
    st.lists(st.sampled_from(_WORDS)).map("".join),
)
ROLES = st.sampled_from(["user", "assistant", "friend", "tool"])
TALKS = st.lists(
    st.builds(Utterance, role=ROLES, text=TEXTS, at=st.just(NOON), speaker=st.sampled_from([None, "Ana", "Ben"])),
    max_size=4,
)


@given(text=TEXTS)
def test_clauses_are_pieces_of_their_text_in_order_and_apart(text):
    clauses = clauses_of(text)

    assert all(clause.text == text[clause.start : clause.end] and clause.text.strip() for clause in clauses)
    assert all(one.end <= next_one.start for one, next_one in pairwise(clauses))


@given(talk=TALKS)
def test_no_word_is_invented(talk):
    found = extract_by_rules(talk)

    for each in (*found.facts, *found.observations, *found.decisions):
        assert each.text in talk[each.utterance].text
        assert talk[each.utterance].role not in ("assistant", "tool")
    for decision in found.decisions:
        assert (decision.reasoning or "") in talk[decision.utterance].text
    for person in found.persons:
        assert person.name in talk[person.utterance].text
        assert -1.0 <= person.sentiment <= 1.0


@given(talk=TALKS)
def test_what_the_rules_draw_is_sound_and_drawn_again_the_same(talk):
    found = extract_by_rules(talk)

    checked = sound(found, talk)

    assert checked.extraction == found and checked.dropped == 0
    assert extract_by_rules(talk) == found
    assert sound(checked.extraction, talk) == checked


@given(text=TEXTS, message=TEXTS)
def test_every_message_supports_its_own_clauses_and_none_supports_nothing(text, message):
    assert all(supported_by(clause.text, message) for clause in clauses_of(message))
    assert supported_by(text, message) in (True, False)
    assert not supported_by(message, "")
