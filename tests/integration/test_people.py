"""People on the real server: mentions, names, trust, merges, erasure, and whose they are."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.name_resolution import AliasType
from graph_memory.domain.names import NameKind
from graph_memory.domain.people import EvidenceType, PersonRules
from graph_memory.domain.person import PersonView
from graph_memory.domain.trust import Trend, TrustLabel, fresh_trust
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import ConflictError, InvalidValueError, NotFoundError
from graph_memory.services.meet import CommunicationDraft, MentionDraft
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.graph import Graph

RULES = PersonRules()
CALL = CommunicationDraft(channel="phone", direction="inbound", summary="She rang about the fence", sentiment=0.4)


async def meet(services: Services, user: UserId, *names: str) -> list[PersonView]:
    return [await services.meet.mention(user, MentionDraft(person=name)) for name in names]


async def remember(services: Services, user: UserId, text: str, *people: str) -> str:
    remembered = await services.remember(user, MemoryDraft(text=text, people=people))
    assert remembered.memory
    return remembered.memory.id


async def enrich_all(services: Services) -> None:
    while await services.enrich():
        pass


def names_of(view: PersonView) -> set[str]:
    return {view.person.name, *(alias.text for alias in view.person.aliases)}


# Mentions and names (cases.md 17, 27)


async def test_many_mentions_at_once_of_somebody_new_make_one_person_with_every_interaction_counted(
    services: Services, user: UserId, other_user: UserId, graph: Graph
):
    drafts = [(each, MentionDraft(person="Marta Oliveira", sentiment=0.2)) for each in (user, other_user)] * 25

    await asyncio.gather(*(services.meet.mention(*draft) for draft in drafts))

    for each in (user, other_user):
        view = await services.people.person(each, "Marta Oliveira")
        assert view is not None
        assert (view.person.interactions, view.person.pieces_seen, len(view.person.evidence)) == (25, 25, 25)
        assert await graph.value("MATCH (n:Person {user_id: $user_id}) RETURN count(n)", user_id=each) == 1


async def test_many_memories_at_once_that_name_somebody_new_make_one_person(
    services: Services, user: UserId, other_user: UserId
):
    texts = [(each, f"Marta brought crate {number}") for number in range(25) for each in (user, other_user)]
    await asyncio.gather(*(remember(services, each, text, "Marta") for each, text in texts))

    await enrich_all(services)

    for each in (user, other_user):
        view = await services.people.person(each, "Marta")
        assert view is not None
        assert view.trust == fresh_trust(RULES)
        assert view.person.interactions == 0
        assert await services.inspect.count_memories_naming(each, view.person.id) == 25


async def test_spellings_of_one_name_make_one_person_and_are_kept(services: Services, user: UserId):
    first, *_, last = await meet(services, user, "LMX", "lmx ", "Chloé", "Chloe\u0301")

    people = [await services.people.person(user, name) for name in ("Lmx", "CHLOÉ")]

    assert [view.person.id for view in people if view] == [first.person.id, last.person.id]
    assert [names_of(view) for view in people if view] == [{"LMX", "lmx"}, {"Chloé"}]
    assert last.person.interactions == 2


async def test_a_slip_of_the_pen_is_stored_as_an_alias_and_found_in_texts(services: Services, user: UserId):
    [right, slip] = await meet(services, user, "Margarethe Wolf", "Margarete Wolf")

    await remember(services, user, "I wrote to Margarete Wolf today")
    await enrich_all(services)

    assert slip.person.id == right.person.id
    assert [(alias.text, alias.confidence) for alias in slip.person.aliases] == [("Margarete Wolf", 0.85)]
    assert await services.inspect.count_memories_naming(user, right.person.id) == 1
    assert await services.inspect.count_names(user, NameKind.PERSON, search=None) == 1


async def test_a_first_name_means_the_one_who_has_it_and_nobody_when_there_are_two(services: Services, user: UserId):
    [ana] = await meet(services, user, "Ana Sousa")
    alone = await services.people.person(user, "Ana")
    await meet(services, user, "Ana Prado")

    between_two = await services.people.person(user, "Ana")

    assert alone is not None
    assert alone.person.id == ana.person.id
    assert between_two is None


@pytest.mark.parametrize("name", ["user", "me", " I ", "The User", "yo"])
async def test_the_user_is_never_a_person(services: Services, user: UserId, name: str):
    with pytest.raises(InvalidValueError) as raised:
        await services.meet.mention(user, MentionDraft(person=name))

    assert [problem.field for problem in raised.value.problems] == ["person"]
    assert await services.people.listed(user) == []


async def test_every_wrong_field_of_a_mention_is_named(services: Services, user: UserId):
    draft = MentionDraft(person=" ", sentiment=1.5, domains=("",), evidence_type="gossip")

    with pytest.raises(InvalidValueError) as raised:
        await services.meet.mention(user, draft)

    assert {problem.field for problem in raised.value.problems} == {"person", "sentiment", "domains", "evidence_type"}


async def test_a_mention_from_a_memory_links_the_two_and_one_from_an_unknown_memory_is_refused(
    services: Services, user: UserId, other_user: UserId, graph: Graph
):
    memory_id = await remember(services, user, "She fixed the gate")
    foreign_id = await remember(services, other_user, "He fixed the gate")

    view = await services.meet.mention(user, MentionDraft(person="Rosa", memory_id=memory_id))
    with pytest.raises(NotFoundError):
        await services.meet.mention(user, MentionDraft(person="Nils", memory_id=foreign_id))

    assert view.person.evidence[0].memory_id == memory_id
    assert await services.inspect.count_memories_naming(user, view.person.id) == 1
    drawn = "MATCH (:Evidence {user_id: $user_id})-[:DRAWN_FROM]->(m:Memory) RETURN m.id"
    assert await graph.value(drawn, user_id=user) == memory_id
    assert await services.people.person(user, "Nils") is None


# Trust


async def test_evidence_moves_trust_by_a_step_and_the_fifth_computes_it_anew(timed: Services, user: UserId):
    kept = MentionDraft(person="Rosa", sentiment=0.8, evidence_type="promise_kept", domains=("Boats",))
    one = await timed.meet.mention(user, kept)
    for _ in range(3):
        await timed.meet.mention(user, kept)
    five = await timed.meet.mention(user, MentionDraft(person="Rosa", sentiment=-0.8, evidence_type="promise_broken"))

    assert one.trust.reliability == pytest.approx(0.5 + 0.15 * 0.8)
    assert one.trust.expertise == {"boats": pytest.approx(0.62)}
    assert five.trust.reliability == pytest.approx(0.8)
    assert five.trust.expertise == {"boats": 1.0}
    assert five.label is TrustLabel.MODERATE
    assert five.overall == pytest.approx(0.3 * 0.8 + 0.2 * 0.5 + 0.15 * 0.5 + 0.25 * 0.5 + 0.1)


async def test_trust_fades_when_it_is_read_and_is_never_stored_so(timed: Services, user: UserId, clock: FixedClock):
    await timed.meet.mention(user, MentionDraft(person="Rosa", sentiment=1.0, evidence_type="accurate_info"))
    clock.advance(timedelta(days=100))

    faded = [await timed.people.person(user, "Rosa") for _ in range(2)]

    assert [view.trust.information for view in faded if view] == [pytest.approx(0.65 * 0.9)] * 2
    assert faded[0] is not None
    assert faded[0].person.trust.information == pytest.approx(0.65)


async def test_evidence_exchanges_and_feelings_are_capped_and_everything_is_counted(
    timed: Services, user: UserId, clock: FixedClock
):
    [rosa] = await meet(timed, user, "Rosa")
    for number in range(59):
        sentiment = 0.5 if number % 2 else 0.0
        await timed.meet.mention(user, MentionDraft(person="Rosa", sentiment=sentiment))
    for _ in range(32):
        await timed.meet.log_communication(user, rosa.person.id, CALL)

    view = await timed.people.view(user, rosa.person.id)
    clock.advance(timedelta(days=91))
    later = await timed.people.view(user, rosa.person.id)

    person = view.person
    assert (person.interactions, person.pieces_seen) == (92, 60)
    assert (len(person.evidence), len(person.communications), len(person.sentiments)) == (50, 30, 20)
    assert 0.0 not in person.sentiments
    assert view.trend is Trend.POSITIVE
    assert [piece.sentiment for piece in later.evidence] == [0.5] * 3


# Names, notes, relations and exchanges by hand


async def test_an_alias_by_hand_is_typed_found_and_belongs_to_one_person(services: Services, user: UserId):
    [rosa, nils] = await meet(services, user, "Rosa Lind", "Nils")
    for alias in ("rosa@lind.example", "@rosa", "+49 (30) 123-4567", "Rosinha"):
        await services.meet.add_alias(user, rosa.person.id, alias)

    view = await services.people.person(user, "+49 30 1234567")
    with pytest.raises(ConflictError):
        await services.meet.add_alias(user, nils.person.id, "rosinha")

    assert view is not None
    assert view.person.edited_by_hand
    assert [(alias.type, alias.confidence) for alias in view.person.aliases] == [
        (kind, 0.9) for kind in (AliasType.EMAIL, AliasType.HANDLE, AliasType.PHONE, AliasType.NICKNAME)
    ]
    await remember(services, user, "We met Rosinha at the pier")
    await enrich_all(services)
    assert await services.inspect.count_memories_naming(user, rosa.person.id) == 1


async def test_a_relation_is_said_once_and_seen_from_both_ends(services: Services, user: UserId, other_user: UserId):
    [rosa, nils] = await meet(services, user, "Rosa", "Nils")
    [stranger] = await meet(services, other_user, "Rosa")

    said = [await services.meet.relate(user, rosa.person.id, nils.person.id, "brother") for _ in range(2)]

    assert said == [True, False]
    views = [await services.people.view(user, each.person.id) for each in (rosa, nils)]
    seen = [(each.other_name, each.label, each.outgoing) for view in views for each in view.person.relations]
    assert seen == [("Nils", "brother", True), ("Rosa", "brother", False)]
    with pytest.raises(NotFoundError):
        await services.meet.relate(user, rosa.person.id, stranger.person.id, "namesake")
    with pytest.raises(InvalidValueError):
        await services.meet.relate(user, rosa.person.id, rosa.person.id, "self")


async def test_an_exchange_and_a_note_are_kept_with_the_person(services: Services, user: UserId, other_user: UserId):
    [rosa] = await meet(services, user, "Rosa")

    await services.meet.log_communication(user, rosa.person.id, CALL)
    view = await services.meet.add_note(user, rosa.person.id, "Prefers to be called in the morning")

    assert [(each.channel, each.summary) for each in view.person.communications] == [("phone", CALL.summary)]
    assert view.person.notes == ("Prefers to be called in the morning",)
    assert view.person.interactions == 2
    with pytest.raises(NotFoundError):
        await services.meet.log_communication(other_user, rosa.person.id, CALL)
    wrong = CommunicationDraft(channel="", direction="sideways", summary="", sentiment=float("nan"))
    with pytest.raises(InvalidValueError) as raised:
        await services.meet.log_communication(user, rosa.person.id, wrong)
    assert {problem.field for problem in raised.value.problems} == {"channel", "direction", "sentiment"}


# Lists


async def test_people_are_listed_by_trust_by_time_by_domain_and_for_a_prompt(
    timed: Services, user: UserId, clock: FixedClock
):
    good = MentionDraft(person="Good", sentiment=1.0, evidence_type="promise_kept", domains=("Sailing",))
    bad = MentionDraft(person="Bad", sentiment=-1.0, evidence_type="promise_broken", domains=("sailing",))
    await timed.meet.mention(user, good)
    clock.advance(timedelta(days=1))
    await timed.meet.mention(user, bad)
    clock.advance(timedelta(days=60))
    await meet(timed, user, "Latest")

    lists = (timed.people.most_trusted(user), timed.people.most_recent(user), timed.people.by_domain(user, "SAILING"))
    trusted, recent, sailors = [[view.person.name for view in await each] for each in lists]
    told = [view.person.name for view in await timed.people.prompt_list(user)]

    assert trusted == ["Good", "Latest", "Bad"]
    assert recent == ["Latest", "Bad", "Good"]
    assert sailors == ["Good", "Bad"]
    assert told[0] == "Latest"


async def test_over_the_cap_those_least_dealt_with_leave_the_list_and_stay_known(settings: Settings, user: UserId):
    capped = replace(settings, people=PersonRules(most_people=2))
    async with open_services(capped, embedder=HashingEmbedder()) as services:
        await meet(services, user, "Rosa", "Nils", "Greta", "Rosa", "Nils")

        listed = {view.person.name for view in await services.people.listed(user)}

        assert listed == {"Rosa", "Nils"}
        assert await services.people.person(user, "Greta") is not None


# Merging


async def two_who_are_one(services: Services, user: UserId) -> tuple[PersonView, PersonView]:
    """Robert and Bobby, each with something of everything."""
    shared = await remember(services, user, "Robert and Bobby on the pier")
    own = await remember(services, user, "Bobby sang")
    for name, memory_id in (("Robert", shared), ("Bobby", shared), ("Bobby", own)):
        draft = MentionDraft(person=name, sentiment=0.6, evidence_type="promise_kept", memory_id=memory_id)
        await services.meet.mention(user, draft)
    robert, bobby = [await services.people.person(user, name) for name in ("Robert", "Bobby")]
    [nils] = await meet(services, user, "Nils")
    assert robert
    assert bobby
    await services.meet.add_alias(user, bobby.person.id, "@bob")
    await services.meet.log_communication(user, bobby.person.id, CALL)
    await services.meet.relate(user, nils.person.id, bobby.person.id, "uncle")
    await services.meet.relate(user, robert.person.id, bobby.person.id, "friend")
    return await services.people.view(user, robert.person.id), await services.people.view(user, bobby.person.id)


async def merge_id_of(graph: Graph, user: UserId) -> str:
    last = "MATCH (c:Change {user_id: $user_id, action: 'merge_people'}) RETURN c.id ORDER BY c.id DESC LIMIT 1"
    return str(await graph.value(last, user_id=user))


async def test_a_merge_moves_names_links_evidence_exchanges_and_relations(
    services: Services, user: UserId, graph: Graph
):
    robert, bobby = await two_who_are_one(services, user)

    await services.merge_people.merge(user, robert.person.id, bobby.person.id, reason="one man")

    whole = await services.people.person(user, "@bob")
    assert whole is not None
    assert whole.person.id == robert.person.id
    assert names_of(whole) == {"Robert", "Bobby", "@bob"}
    assert (whole.person.interactions, len(whole.person.evidence), len(whole.person.communications)) == (4, 3, 1)
    assert [(each.other_name, each.label) for each in whole.person.relations] == [("Nils", "uncle")]
    assert whole.trust.reliability == 1.0
    assert await services.inspect.count_memories_naming(user, robert.person.id) == 2
    with pytest.raises(NotFoundError):
        await services.people.view(user, bobby.person.id)
    assert CALL.summary not in json.dumps(
        await graph.run("MATCH (c:Change {user_id: $u}) RETURN c {.before, .after}", u=user)
    )


async def test_undoing_a_merge_restores_both_exactly(timed: Services, user: UserId, graph: Graph):
    robert, bobby = await two_who_are_one(timed, user)
    before = await graph.dump(user)
    await timed.merge_people.merge(user, robert.person.id, bobby.person.id)

    await timed.merge_people.undo(user, await merge_id_of(graph, user))

    after = await graph.dump(user)
    assert [await timed.people.view(user, each.person.id) for each in (robert, bobby)] == [robert, bobby]
    assert [node for node in after.nodes if "['Change']" not in node] == [
        node for node in before.nodes if "['Change']" not in node
    ]
    assert after.links == before.links


async def test_what_came_to_the_kept_person_since_a_merge_stays_with_them(timed: Services, user: UserId, graph: Graph):
    robert, bobby = await two_who_are_one(timed, user)
    await timed.merge_people.merge(user, robert.person.id, bobby.person.id)
    await timed.meet.mention(user, MentionDraft(person="Bobby", sentiment=-0.5, evidence_type="promise_broken"))

    await timed.merge_people.undo(user, await merge_id_of(graph, user))

    kept, restored = [await timed.people.view(user, each.person.id) for each in (robert, bobby)]
    assert restored == bobby
    assert (kept.person.interactions, [piece.sentiment for piece in kept.person.evidence]) == (2, [0.6, -0.5])
    assert kept.person.trust.reliability == pytest.approx(0.6 / 1.1)
    assert names_of(kept) == {"Robert"}


async def test_a_merge_is_undone_only_once_and_only_while_the_kept_person_was_not_merged_again(
    services: Services, user: UserId, other_user: UserId, graph: Graph
):
    robert, bobby = await two_who_are_one(services, user)
    [rob] = await meet(services, user, "Rob")
    await services.merge_people.merge(user, robert.person.id, bobby.person.id)
    first = await merge_id_of(graph, user)
    await services.merge_people.merge(user, robert.person.id, rob.person.id)
    second = await merge_id_of(graph, user)

    with pytest.raises(ConflictError):
        await services.merge_people.undo(user, first)
    with pytest.raises(NotFoundError):
        await services.merge_people.undo(other_user, second)
    await services.merge_people.undo(user, second)
    with pytest.raises(ConflictError):
        await services.merge_people.undo(user, second)
    await services.merge_people.undo(user, first)

    assert {view.person.name for view in await services.people.listed(user)} == {"Robert", "Bobby", "Rob", "Nils"}


async def test_a_merge_is_not_undone_once_the_kept_person_was_merged_into_another(
    services: Services, user: UserId, graph: Graph
):
    robert, bobby = await two_who_are_one(services, user)
    [rob] = await meet(services, user, "Rob")
    await services.merge_people.merge(user, robert.person.id, bobby.person.id)
    first = await merge_id_of(graph, user)
    await services.merge_people.merge(user, rob.person.id, robert.person.id)

    with pytest.raises(ConflictError):
        await services.merge_people.undo(user, first)

    assert names_of(await services.people.view(user, rob.person.id)) == {"Rob", "Robert", "Bobby", "@bob"}


async def test_only_two_people_of_one_user_are_merged(services: Services, user: UserId, other_user: UserId):
    [ana], [namesake] = await meet(services, user, "Ana"), await meet(services, other_user, "Ana")

    for keep, merge, error in (
        (ana, ana, InvalidValueError),
        (ana, namesake, NotFoundError),
        (namesake, ana, NotFoundError),
    ):
        with pytest.raises(error):
            await services.merge_people.merge(user, keep.person.id, merge.person.id)

    assert await services.people.view(other_user, namesake.person.id) == namesake


# Erasure (operations.md, erase; cases.md 14)


async def test_erasing_a_memory_takes_what_people_were_known_by_from_it(timed: Services, user: UserId, graph: Graph):
    secret = "Zebulon hid the opal under the quince tree"
    memory_id = await remember(timed, user, secret)
    [before] = await meet(timed, user, "Rosa")
    drawn = MentionDraft(
        person="Rosa",
        context="Rosa knew of the opal under the quince",
        sentiment=-1.0,
        evidence_type="promise_broken",
        domains=("opals",),
        memory_id=memory_id,
    )
    for _ in range(6):
        await timed.meet.mention(user, drawn)
    await timed.meet.mention(user, MentionDraft(person="Zebulon", memory_id=memory_id))
    rosa_id = before.person.id
    call = CommunicationDraft(channel="opal line", direction="outbound", summary=f"I said: {secret}.")
    await timed.meet.log_communication(user, rosa_id, call)
    spoken = CommunicationDraft(channel="phone", direction="inbound", summary="the quince", memory_id=memory_id)
    await timed.meet.log_communication(user, rosa_id, spoken)
    await timed.meet.add_note(user, rosa_id, f"She says that {secret.lower()}")
    await enrich_all(timed)

    await timed.amend.erase(user, memory_id)

    dump = await graph.dump(user)
    written = " ".join((*dump.nodes, *dump.links)).lower()
    assert [word for word in ("zebulon", "quince", "opal under", "opals") if word in written] == []
    after = await timed.people.view(user, rosa_id)
    assert after.person.trust == fresh_trust(RULES)
    assert (after.person.interactions, after.person.pieces_seen, after.person.sentiments) == (2, 1, ())


async def test_a_spelling_known_from_an_erased_memory_alone_goes_with_it(services: Services, user: UserId):
    memory_id = await remember(services, user, "Margarete Wolf was here")
    [wolf] = await meet(services, user, "Margarethe Wolf")
    await services.meet.mention(user, MentionDraft(person="Margarete Wolf", memory_id=memory_id))

    await services.amend.erase(user, memory_id)

    assert names_of(await services.people.view(user, wolf.person.id)) == {"Margarethe Wolf"}


async def test_mentions_from_a_memory_that_is_being_erased_leave_nothing_of_it(
    services: Services, user: UserId, graph: Graph
):
    [rosa] = await meet(services, user, "Rosa")
    memory_ids = [await remember(services, user, f"Secret {number} of the quince tree") for number in range(8)]
    mentions = [
        services.meet.mention(user, MentionDraft(person="Rosa", context="quince tree", memory_id=memory_id))
        for memory_id in memory_ids
    ]

    erasures = [services.amend.erase(user, memory_id) for memory_id in memory_ids]
    results = await asyncio.gather(*mentions, *erasures, return_exceptions=True)

    assert {type(each) for each in results if isinstance(each, BaseException)} <= {NotFoundError}
    assert [node for node in (await graph.dump(user)).nodes if "quince" in node] == []
    assert (await services.people.view(user, rosa.person.id)).person.interactions == 1


async def test_a_person_of_whom_something_else_is_known_outlives_the_memory(services: Services, user: UserId):
    memory_id = await remember(services, user, "Rosa and Nils came by", "Rosa", "Nils")
    await enrich_all(services)
    [rosa] = await meet(services, user, "Rosa")

    await services.amend.erase(user, memory_id)

    assert [view.person.id for view in await services.people.listed(user)] == [rosa.person.id]


async def test_erasing_all_of_one_user_leaves_a_namesake_of_another_alone(
    services: Services, user: UserId, other_user: UserId, graph: Graph
):
    for each in (user, other_user):
        await two_who_are_one(services, each)
    before = await graph.dump(other_user)

    await services.amend.erase_everything(user, confirm=user)

    assert await graph.dump(other_user) == before
    assert [node for node in (await graph.dump(user)).nodes if "['Change']" not in node] == []


async def test_evidence_of_one_user_never_counts_for_another(services: Services, user: UserId, other_user: UserId):
    [namesake] = await meet(services, other_user, "Rosa")
    draft = MentionDraft(person="Rosa", sentiment=1.0, evidence_type=EvidenceType.PROMISE_KEPT)

    mine = await services.meet.mention(user, draft)

    assert mine.person.id != namesake.person.id
    assert await services.people.view(other_user, namesake.person.id) == namesake
    with pytest.raises(NotFoundError):
        await services.people.view(other_user, mine.person.id)
