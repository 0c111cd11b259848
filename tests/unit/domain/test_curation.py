"""What the rules make of a new statement beside an old one."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.contradiction import Conflict, Side
from graph_memory.domain.curation import Candidate, CurationRules, Update, curate, judge
from graph_memory.domain.statement import Statement, Wording, read
from graph_memory.domain.vocabulary import Kind, WriteOperation

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)
RULES = CurationRules()
LETTER = CurationRules(lossless_repeats=False)  # constants.md 2.9 to the letter
FAR, SUBJECT, SAME = 0.2, 0.9, 0.96  # cosines below, between and above the two thresholds

GREEN_TEA = "Ana drinks strong green tea daily"


def told(text, at=NOON, **fields):
    return Statement(text=text, valid_at=at, created_at=at, **{"bucket": "default", **fields})


def verdict(old, new, cosine, rules=RULES):
    return judge(told(new, NOON + MONTH), told(old), cosine, rules)


def tokens(text):
    return read(text, RULES.wording).tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The rent is 640 euros on No. 5", {"rent", "640", "euros", "5"}),
        ("We’re off at 18:40, π ≈ 3.14", {"off", "18:40", "3.14"}),
        ("Ça coûte 12 €", {"coûte", "12"}),
        ("ﬁsh ＦＩＳＨ Fish", {"fish"}),
        ("去钓鱼 RV208", {"去钓", "钓鱼", "rv208"}),
        ("한국", {"한국"}),
        ("खाना अच्छा", {"खाना", "अच्छा"}),
        ("I am at it", set()),
    ],
)
def test_tokens_are_the_words_with_content_in_any_script(text, expected):
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("I can't, won’t and cannot", 3),
        ("She no longer sings", 1),
        ("She gave  up singing and quit smoking", 2),
        ("Nobody came", 1),
        ("Ella dejé de fumar, nunca sin ti", 3),
        ("Knots are not nots", 1),
        ("I used to sing", 1),
    ],
)
def test_denials_are_counted(text, denials):
    assert read(text, RULES.wording).denials == denials


def test_the_words_that_deny_are_a_setting():
    wording = Wording(negations=frozenset({"ikke"}), negation_phrases=())

    assert read("Ana spiser ikke fisk", wording).denials == 1
    assert read("Ana does not eat fish", wording).denials == 0


@pytest.mark.parametrize(
    ("old", "new", "cosine", "operation", "update"),
    [
        ("I have a red canoe", "The rehearsal is on Friday", FAR, WriteOperation.ADD, None),
        (GREEN_TEA, "ana drinks STRONG green tea daily.", FAR, WriteOperation.NONE, None),
        (GREEN_TEA, "Ana drinks green tea daily", FAR, WriteOperation.NONE, None),
        ("Ana drinks tea", "Ana drinks green tea at noon", SUBJECT, WriteOperation.UPDATE, Update.ENRICHING),
        ("Ana drinks tea", "Ana drinks green tea at noon", FAR, WriteOperation.ADD, None),
        ("The rent is 640 euros", "The rent is 655 euros", SUBJECT, WriteOperation.UPDATE, Update.REPLACING),
        ("The shop is open", "The shop is closed", SUBJECT, WriteOperation.UPDATE, Update.REPLACING),
        (GREEN_TEA, "Ana doesn't drink strong green tea daily", SUBJECT, WriteOperation.DELETE, None),
        (GREEN_TEA, "Ana drinks black coffee", SUBJECT, WriteOperation.ADD, None),
        pytest.param("I cycle to work.", "I gave up cycling to work.", 0.86, WriteOperation.DELETE, None, id="case 22"),
        pytest.param(
            "Ines trains the junior choir.",
            "Ines sold a canoe to a choir trainer.",
            0.99,
            WriteOperation.ADD,
            None,
            id="case 23",
        ),
        pytest.param(
            "My best dive is 12 m.",
            "My best dive is 14 m.",
            SAME,
            WriteOperation.UPDATE,
            Update.REPLACING,
            id="case 24, number",
        ),
        pytest.param(
            "I do eat shellfish", "I do not eat shellfish", FAR, WriteOperation.DELETE, None, id="case 24, polarity"
        ),
    ],
)
def test_a_statement_is_new_known_richer_newer_or_a_denial(old, new, cosine, operation, update):
    found = verdict(old, new, cosine)

    assert (found.operation, found.update) == (operation, update)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My old neighbour Marta moved to the harbour in Porto", "My old neighbour Marta moved to the harbour in Faro"),
        ("Luis called Ana yesterday", "Ana called Luis yesterday"),
        ("Marta is my boss", "Marta was my boss"),
        ("My cat is Bo", "My cat is Al"),
        ("I eat before swimming", "I eat after swimming"),
    ],
)
def test_a_word_that_changed_is_not_taken_for_a_repeat(old, new):
    assert verdict(old, new, SAME).operation is WriteOperation.ADD
    assert verdict(old, new, SAME, LETTER).operation is WriteOperation.NONE


def test_a_near_repeat_that_says_more_enriches_so_that_nothing_is_lost():
    richer = verdict("Ana drinks green tea daily", GREEN_TEA, SAME)
    to_the_letter = verdict("Ana drinks green tea daily", GREEN_TEA, SAME, LETTER)

    assert richer.update is Update.ENRICHING
    assert to_the_letter.operation is WriteOperation.NONE


def test_without_a_model_a_conflict_takes_the_same_subjects_and_the_same_speaker():
    old = told("The boat is for sale", subjects=frozenset({"ent-1"}), speaker="Ann")
    new = told("The boat is not for sale", NOON + MONTH, subjects=frozenset({"ent-1"}), speaker="Ann")

    operations = [
        judge(each, old, SAME, RULES).operation
        for each in (new, replace(new, subjects=frozenset()), replace(new, speaker="Ben"))
    ]

    assert operations == [WriteOperation.DELETE, WriteOperation.ADD, WriteOperation.ADD]


def test_what_is_no_newer_retires_nothing_but_the_conflict_is_told():
    early, late = told("The rent is 640 euros"), told("The rent is 655 euros", NOON + MONTH)

    backdated = judge(early, late, SUBJECT, RULES)
    at_once = judge(told("The rent is 655 euros"), early, SUBJECT, RULES)

    assert (backdated.operation, backdated.conflict, backdated.winner) == (
        WriteOperation.ADD,
        Conflict.REPLACE,
        Side.OLD,
    )
    assert (at_once.operation, at_once.conflict, at_once.winner) == (WriteOperation.ADD, Conflict.REPLACE, None)


def test_an_episode_is_a_repeat_or_it_is_new():
    old = told("I cycle to work", kind=Kind.EPISODIC, occurred_at=NOON)
    same = replace(old, text="I  cycle to WORK", created_at=NOON + MONTH)
    others = [
        replace(same, occurred_at=NOON + MONTH),
        replace(same, speaker="Ann"),
        replace(same, kind=Kind.SEMANTIC),
        replace(same, text="I gave up cycling to work"),
        replace(same, text="I cycle to work in all weathers"),
    ]

    assert judge(same, old, 1.0, RULES).operation is WriteOperation.NONE
    assert {judge(other, old, 1.0, RULES).operation for other in others} == {WriteOperation.ADD}


def test_the_same_words_of_another_speaker_about_themself_are_another_fact():
    ann, ben = told("I eat fish", speaker="Ann"), told("I eat fish", speaker="Ben")
    of_ana = told("Ana eats fish")

    assert judge(ben, ann, 1.0, RULES).operation is WriteOperation.ADD
    assert judge(replace(of_ana, speaker="Ben"), of_ana, 1.0, RULES).operation is WriteOperation.NONE


def test_a_text_of_one_bucket_does_not_enrich_a_memory_of_another():
    shared = told("Ana drinks tea", bucket="general")

    enriched = judge(told("Ana drinks green tea", bucket="work"), shared, SUBJECT, RULES)
    repeated = judge(told("Ana drinks tea", bucket="work"), shared, 1.0, RULES)

    assert enriched.operation is WriteOperation.ADD
    assert repeated.operation is WriteOperation.NONE


def test_the_closest_candidate_that_is_anything_decides():
    far = Candidate(told("The canoe is green"), 0.3)
    unlike = Candidate(told("The rent of the office is due on Monday"), 0.97)
    denied = Candidate(told("The rent is due"), 0.88)

    verdict, candidate = curate(told("The rent is not due", NOON + MONTH), [far, denied, unlike], RULES)

    assert (verdict.operation, candidate) == (WriteOperation.DELETE, denied)


def test_beside_nothing_a_statement_is_new():
    verdict, candidate = curate(told("The canoe is green"), [], RULES)

    assert (verdict.operation, candidate) == (WriteOperation.ADD, None)


def test_texts_without_content_are_like_nothing_but_themselves():
    assert verdict("I am", "You are", SAME).operation is WriteOperation.ADD
    assert verdict("I am", "i am", SAME).operation is WriteOperation.NONE
