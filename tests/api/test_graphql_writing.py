"""Writing through GraphQL, as a caller sees it."""

import pytest

from tests.api.caller import REMEMBER, REMEMBER_MANY, Caller


async def test_a_memory_comes_back_with_what_it_was_given_and_the_defaults_of_its_kind(call: Caller):
    memory = await call.remember("The desk is oak", speaker="Bruno", tags=["office"], metadata={"page": 3})

    answer = await call(
        """query($id: ID!) { memory(id: $id) {
          text kind epistemicType category horizon bucket lane general source confirmed pinned confidence strength
          retention relevance state tier hidden accessCount spacedAccessCount speaker tags metadata invalidAt expiredAt
          enrichment emotion { joy arousal valence } } }""",
        id=memory["id"],
    )

    assert answer.data["memory"] == {
        "text": "The desk is oak",
        "kind": "EPISODIC",
        "epistemicType": "EXPERIENCE",
        "category": "OTHER",
        "horizon": "LONG",
        "bucket": "default",
        "lane": "SHORT_TERM",
        "general": False,
        "source": "EXTRACTED",
        "confirmed": False,
        "pinned": False,
        "confidence": 0.9,
        "strength": pytest.approx(1.0, abs=1e-3),
        "retention": pytest.approx(1.0, abs=1e-3),
        "relevance": 1.0,
        "state": "CORE",
        "tier": "ACTIVE",
        "hidden": False,
        "accessCount": answer.data["memory"]["accessCount"],
        "spacedAccessCount": 0,
        "speaker": "Bruno",
        "tags": ["office"],
        "metadata": {"page": 3},
        "invalidAt": None,
        "expiredAt": None,
        "enrichment": "PENDING",
        "emotion": {"joy": 0.0, "arousal": 0.0, "valence": 0.0},
    }


async def test_who_waits_gets_people_and_entities_with_the_answer(call: Caller):
    memory = await call.remember("We met Ana at the Blue Harbour.", speaker="Bruno", people=["Ana"], wait=True)

    assert sorted(person["name"] for person in memory["people"]) == ["Ana", "Bruno"]
    assert [entity["name"] for entity in memory["entities"]] == ["Blue Harbour"]


async def test_the_same_episode_twice_is_one_memory(call: Caller):
    episode = {"text": "The ferry was late", "occurredAt": "2031-05-05T08:00:00Z"}

    first = await call(REMEMBER, input=episode)
    again = await call(REMEMBER, input=episode)

    assert first.data["remember"]["operation"] == "ADD"
    assert again.data["remember"]["operation"] == "NONE"
    assert again.data["remember"]["memory"]["id"] == first.data["remember"]["memory"]["id"]


async def test_an_idempotency_key_replays_the_first_answer(call: Caller):
    first = await call(REMEMBER, input={"text": "The lamp is broken", "idempotencyKey": "k-1"})
    again = await call(REMEMBER, input={"text": "The lamp is broken", "idempotencyKey": "k-1"})

    assert not first.data["remember"]["replayed"]
    assert again.data["remember"]["replayed"]
    assert again.data["remember"]["memory"]["id"] == first.data["remember"]["memory"]["id"]


async def test_of_many_rows_the_bad_ones_fail_alone_under_their_own_index(call: Caller):
    rows = [
        {"text": "Tea at five"},
        {"text": "  "},
        {"text": "Nowhere", "timeZone": "Mars/Base"},
        {"text": "Cake at six", "confidence": 1.5},
        {"text": "Dinner at eight"},
    ]

    written = (await call(REMEMBER_MANY, inputs=rows)).data["rememberMany"]

    assert written["added"] == 2
    assert [row["index"] for row in written["results"]] == [0, 4]
    assert [(row["index"], row["problems"][0]["field"]) for row in written["failed"]] == [
        (1, "text"),
        (2, "timeZone"),
        (3, "confidence"),
    ]
    assert await call.texts() == ["Dinner at eight", "Tea at five"]


async def test_each_row_of_many_is_read_in_its_own_zone(call: Caller):
    rows = [
        {"text": "Breakfast", "occurredAt": "2031-06-01T08:00:00", "timeZone": "Europe/Lisbon"},
        {"text": "Supper", "occurredAt": "2031-06-01T08:00:00"},
    ]

    written = await call(
        "mutation($rows: [RememberInput!]!) { rememberMany(inputs: $rows) { results { memory { occurredAt } } } }",
        rows=rows,
    )

    dates = [row["memory"]["occurredAt"] for row in written.data["rememberMany"]["results"]]
    assert dates == ["2031-06-01T07:00:00+00:00", "2031-06-01T08:00:00+00:00"]


async def test_an_update_changes_what_it_names_and_nothing_else(call: Caller):
    memory = await call.remember("The key hangs by the door", tags=["home"], metadata={"a": 1})

    answer = await call(
        """mutation($id: ID!, $input: UpdateInput!) {
          update(id: $id, input: $input) { text bucket category tags metadata } }""",
        id=memory["id"],
        input={"bucket": "house", "category": "CONTEXT", "tags": None},
    )

    assert answer.data["update"] == {
        "text": "The key hangs by the door",
        "bucket": "house",
        "category": "CONTEXT",
        "tags": ["home"],
        "metadata": {"a": 1},
    }


async def test_a_forgotten_memory_leaves_recall_stays_listed_and_can_be_restored(call: Caller):
    memory = await call.remember("The parcel is in the shed")

    forgotten = await call("mutation($id: ID!) { forget(id: $id) { memory { expiredAt } } }", id=memory["id"])
    found_meanwhile, listed = await call.recalled("parcel shed"), await call.texts(expired=True)
    restored = await call("mutation($id: ID!) { restore(id: $id) { expiredAt } }", id=memory["id"])

    assert forgotten.data["forget"]["memory"]["expiredAt"] is not None
    assert (found_meanwhile, listed) == ([], ["The parcel is in the shed"])
    assert restored.data["restore"]["expiredAt"] is None
    assert await call.recalled("parcel shed") == ["The parcel is in the shed"]


async def test_what_is_erased_is_gone_and_erasing_it_again_is_not_found(call: Caller):
    memory = await call.remember("The code is 1234")
    erase = "mutation($id: ID!) { erase(id: $id) { erased derivedTouched tombstone } }"

    first, again = await call(erase, id=memory["id"]), await call(erase, id=memory["id"])

    assert first.data["erase"]["erased"] == 1
    assert first.data["erase"]["tombstone"]
    assert again.code == "NOT_FOUND"
    assert await call.count() == 0


async def test_everything_of_a_user_goes_only_when_the_user_is_named(call: Caller, call_as_other: Caller):
    for each in (call, call_as_other):
        await each.remember("Ana plays chess", people=["Ana"], wait=True)
    erase = "mutation($confirm: String!) { eraseEverything(confirm: $confirm) { erased } }"

    refused = [await call(erase, confirm=wrong) for wrong in ("", "yes", call_as_other.user)]
    kept = await call.count()
    erased = await call(erase, confirm=call.user)

    assert {answer.code for answer in refused} == {"BAD_USER_INPUT"}
    assert kept == 1
    assert erased.data["eraseEverything"]["erased"] == 1
    assert (await call.count(), await call_as_other.count()) == (0, 1)


async def test_a_link_can_be_made_read_from_both_ends_and_removed(call: Caller):
    cause, effect = await call.remember("It rained all night"), await call.remember("The cellar was flooded")

    made = await call(
        """mutation($input: LinkInput!) { link(input: $input) {
          id type family weight uses source { id } target { id __typename } } }""",
        input={"source": cause["id"], "target": effect["id"], "type": "LEADS_TO", "weight": 0.8},
    )
    link = made.data["link"]
    read = await call(
        "query($id: ID!) { memory(id: $id) { links(families: [CAUSAL]) { edges { node { id weight } } } } }",
        id=effect["id"],
    )
    by_id = await call("query($id: ID!) { node(id: $id) { id __typename } }", id=link["id"])
    removed = await call("mutation($id: ID!) { unlink(id: $id) }", id=link["id"])
    again = await call("mutation($id: ID!) { unlink(id: $id) }", id=link["id"])

    assert (link["type"], link["family"], link["weight"], link["uses"]) == ("LEADS_TO", "CAUSAL", 0.8, 0)
    assert (link["source"]["id"], link["target"]["id"]) == (cause["id"], effect["id"])
    assert link["target"]["__typename"] == "Memory"
    assert [edge["node"]["id"] for edge in read.data["memory"]["links"]["edges"]] == [link["id"]]
    assert by_id.data["node"] == {"id": link["id"], "__typename": "Link"}
    assert removed.data["unlink"] is True
    assert again.code == "NOT_FOUND"


async def test_a_link_that_closes_a_cycle_of_causes_is_a_conflict(call: Caller):
    first, second = await call.remember("The fuse blew"), await call.remember("The light went out")
    link = "mutation($input: LinkInput!) { link(input: $input) { id } }"

    await call(link, input={"source": first["id"], "target": second["id"], "type": "LEADS_TO"})
    back = await call(link, input={"source": second["id"], "target": first["id"], "type": "LEADS_TO"})

    assert back.code == "CONFLICT"
