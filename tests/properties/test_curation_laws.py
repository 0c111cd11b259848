"""Laws of curation, contradiction and confidence."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.confidence import ConfidenceRules, Conviction, ConvictionBands, Evidence
from graph_memory.domain.contradiction import Conflict, Side, may_retire, penalty, winner
from graph_memory.domain.curation import CurationRules, Update, judge
from graph_memory.domain.statement import Statement, jaccard, read
from graph_memory.domain.vocabulary import Kind, WriteOperation
from graph_memory.domain.word_forms import WordForms, related, same_word

RULES = CurationRules()
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
_WORDS = (
    "Ana Ines I my she drinks drink drinking eats sold train trains 2 twelve stop stopping "
    "like hate live lives moved not no never n't isn't is was "
    "the a green tea choir Porto Lisbon 12 14 two Friday open closed gave up no longer and to in 钓鱼 周末 ماء खाना"
).split()

TEXTS = st.one_of(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=8).map(" ".join), st.text(max_size=40))
KINDS = st.sampled_from(Kind)
COSINES = st.floats(-1, 1)
CONFIDENCES = AROUSALS = EVIDENCE_OF_CATEGORY = st.floats(0, 1)
STRENGTHS = st.floats(0.05, 2.0)
BANDS = list(Conviction)
INSTANTS = st.integers(0, 3).map(lambda days: NOON + timedelta(days=days))
STATEMENTS = st.builds(
    Statement,
    text=TEXTS,
    kind=KINDS,
    subjects=st.frozensets(st.sampled_from(["per-1", "ent-2"])),
    speaker=st.sampled_from([None, "Ann", "ann ", "Ben"]),
    bucket=st.sampled_from(["default", "general"]),
    occurred_at=st.none() | INSTANTS,
    valid_at=INSTANTS,
    created_at=INSTANTS,
)


@given(new=STATEMENTS, old=STATEMENTS, cosine=COSINES)
def test_the_operation_the_update_and_the_conflict_of_a_verdict_agree(new, old, cosine):
    found = judge(new, old, cosine, RULES)

    assert (found.update is None) == (found.operation is not WriteOperation.UPDATE)
    assert (found.operation is WriteOperation.DELETE) == (
        found.conflict is Conflict.NEGATE and found.winner is Side.NEW
    )
    assert (found.update is Update.REPLACING) == (found.conflict is Conflict.REPLACE and found.winner is Side.NEW)


@given(new=STATEMENTS, old=STATEMENTS, cosine=COSINES)
def test_no_verdict_retires_what_may_not_be_retired(new, old, cosine):
    found = judge(new, old, cosine, RULES)

    assert not found.conflict or may_retire(new, old, RULES.wording)
    assert not found.conflict or (new.kind is old.kind and Kind.EPISODIC is not old.kind)


@given(new=STATEMENTS, old=STATEMENTS, cosine=COSINES)
def test_nothing_below_both_thresholds_is_anything_but_new_or_the_same_words(new, old, cosine):
    shared = jaccard(read(new.text, RULES.wording).tokens, read(old.text, RULES.wording).tokens)
    found = judge(new, old, cosine, RULES)

    if cosine < RULES.merge_cosine - 1e-6 and shared < RULES.jaccard - 1e-6:
        assert found.operation in (WriteOperation.ADD, WriteOperation.NONE)
        assert found.conflict is None


@given(statement=STATEMENTS)
def test_a_statement_beside_itself_is_known(statement):
    assert judge(statement, statement, 1.0, RULES).operation is WriteOperation.NONE


@given(new=STATEMENTS, old=STATEMENTS)
def test_may_retire_knows_no_direction_and_neither_does_being_alike(new, old):
    first, second = read(new.text, RULES.wording), read(old.text, RULES.wording)

    assert may_retire(new, old, RULES.wording) == may_retire(old, new, RULES.wording)
    assert jaccard(first.tokens, second.tokens) == jaccard(second.tokens, first.tokens)
    assert first.denies_unlike(second) == second.denies_unlike(first)


@given(new=STATEMENTS, old=STATEMENTS)
def test_of_two_the_same_one_wins_whichever_comes_first(new, old):
    mirrored = {Side.NEW: Side.OLD, Side.OLD: Side.NEW, None: None}

    assert winner(old, new) is mirrored[winner(new, old)]


@given(first=st.sampled_from(_WORDS) | st.text(max_size=8), second=st.sampled_from(_WORDS) | st.text(max_size=8))
def test_word_forms_know_no_direction(first, second):
    assert same_word(first, first)
    assert same_word(first, second) == same_word(second, first)
    assert related(first, second) == related(second, first)


@given(
    word=st.sampled_from(_WORDS) | st.text(max_size=8),
    words=st.lists(st.sampled_from(_WORDS) | st.text(max_size=8), max_size=12),
)
def test_a_word_is_held_by_others_when_it_is_the_same_word_as_one_of_them(word, words):
    assert (word in WordForms(words)) == any(same_word(word, other) for other in words)


@given(strength=STRENGTHS, weak=EVIDENCE_OF_CATEGORY, strong=EVIDENCE_OF_CATEGORY)
def test_better_evidence_never_costs_less_and_the_share_kept_stays_in_its_bounds(strength, weak, strong):
    weak, strong = sorted((weak, strong))
    kept = [penalty(strength, evidence, beta_min=0.2, beta_max=0.85) for evidence in (strong, weak)]

    assert 0.2 <= kept[0] <= kept[1] <= 0.85


@given(weak=STRENGTHS, strong=STRENGTHS, evidence=EVIDENCE_OF_CATEGORY)
def test_a_stronger_memory_keeps_no_smaller_share(weak, strong, evidence):
    weak, strong = sorted((weak, strong))
    kept = [penalty(strength, evidence, beta_min=0.2, beta_max=0.85) for strength in (weak, strong)]

    assert kept[0] <= kept[1]


@given(confidence=CONFIDENCES, evidence=st.lists(st.tuples(st.sampled_from(Evidence), AROUSALS)))
def test_confidence_stays_within_its_bounds(confidence, evidence):
    for kind, arousal in evidence:
        confidence = ConfidenceRules().moved(confidence, kind, arousal=arousal)

        assert 0.0 <= confidence <= 1.0


@given(low=CONFIDENCES, high=CONFIDENCES, evidence=st.sampled_from(Evidence), arousal=AROUSALS)
def test_evidence_never_turns_the_order_of_two_confidences(low, high, evidence, arousal):
    low, high = sorted((low, high))
    after = [ConfidenceRules().moved(each, evidence, arousal=arousal) for each in (low, high)]

    assert after == sorted(after)
    assert BANDS.index(ConvictionBands().conviction(low)) >= BANDS.index(ConvictionBands().conviction(high))
