from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.name_resolution import NamedPerson, edit_distance, resolve
from graph_memory.domain.people import Evidence, EvidenceType, PersonRules
from graph_memory.domain.people_lists import evidence_kept
from graph_memory.domain.trust import Trust, faded, trust_from, trust_moved, trust_read
from graph_memory.domain.vocabulary import NodeId

RULES = PersonRules()
NOW = datetime(2031, 1, 1, tzinfo=UTC)
SHARES = st.floats(0, 1)
DAYS = st.floats(0, 5_000)
EVIDENCE = st.builds(
    Evidence,
    at=DAYS.map(lambda days: NOW - timedelta(days=days)),
    sentiment=st.floats(-2, 2),
    type=st.sampled_from(EvidenceType),
    domains=st.lists(st.sampled_from(["law", "Law ", "chess"]), max_size=2).map(tuple),
)
TRUSTS = st.builds(
    Trust,
    reliability=SHARES,
    emotional=SHARES,
    timeliness=SHARES,
    information=SHARES,
    expertise=st.dictionaries(st.sampled_from(["law", "chess"]), SHARES),
)
WORDS = st.text(alphabet="abcdé", max_size=9)


def values(trust: Trust) -> list[float]:
    return [trust.reliability, trust.emotional, trust.timeliness, trust.information, *trust.expertise.values()]


@given(evidence=st.lists(EVIDENCE, max_size=30), data=st.data())
def test_trust_computed_anew_stays_within_bounds_and_knows_no_order(evidence, data):
    shuffled = data.draw(st.permutations(evidence))

    trust = trust_from(evidence, NOW, RULES)

    assert all(0 <= value <= 1 for value in [*values(trust), trust.overall(RULES)])
    assert trust_from(shuffled, NOW, RULES) == trust


@given(trust=TRUSTS, piece=EVIDENCE)
def test_a_step_stays_within_bounds_and_is_small(trust, piece):
    moved = trust_moved(trust, piece, RULES)

    assert all(0 <= value <= 1 for value in values(moved))
    assert abs(moved.overall(RULES) - trust.overall(RULES)) <= 0.15 + 1e-9


@given(value=SHARES, early=DAYS, late=DAYS)
def test_trust_never_grows_by_waiting_and_never_fades_below_the_floor(value, early, late):
    early, late = sorted((early, late))

    assert faded(value, late, RULES) <= faded(value, early, RULES) <= value
    assert faded(value, late, RULES) >= min(value, RULES.decay_floor)


@given(trust=TRUSTS)
def test_trust_read_before_the_last_meeting_is_as_stored(trust):
    assert trust_read(trust, last_seen_at=NOW, at=NOW - timedelta(days=9), rules=RULES) == trust


@given(evidence=st.lists(EVIDENCE, max_size=80))
def test_keeping_evidence_is_bounded_idempotent_and_keeps_the_strongest(evidence):
    kept = evidence_kept(evidence, NOW, RULES)

    assert len(kept) <= RULES.most_evidence
    assert evidence_kept(kept, NOW, RULES) == kept
    assert not evidence or max(abs(piece.impact) for piece in kept) == max(abs(piece.impact) for piece in evidence)


@given(one=WORDS, other=WORDS, third=WORDS)
def test_edit_distance_is_a_metric(one, other, third):
    def between(first: str, second: str) -> int:
        return edit_distance(first, second, most=20)

    assert (between(one, other) == 0) == (one == other)
    assert between(one, other) == between(other, one) <= max(len(one), len(other))
    assert between(one, third) <= between(one, other) + between(other, third)


@given(one=WORDS, other=WORDS, most=st.integers(0, 4))
def test_a_limited_edit_distance_is_the_full_one_cut(one, other, most):
    assert edit_distance(one, other, most=most) == min(edit_distance(one, other, most=20), most + 1)


@given(names=st.lists(st.text("abc é", min_size=1, max_size=12), max_size=5, unique=True), asked=st.text("abc é"))
def test_resolution_does_not_depend_on_the_order_of_the_people(names, asked):
    people = [NamedPerson(NodeId(name), name) for name in names]

    assert resolve(asked, people, RULES) == resolve(asked, people[::-1], RULES)
