"""People through GraphQL: who is meant, how far they are trusted, and two that turn out to be one."""

from typing import Any

import pytest

from tests.api.caller import Caller

MENTION = """
mutation($input: MentionInput!) { mention(input: $input) {
  id name aliases trust { overall reliability expertise label interactions } evidence { type sentiment context } } }
"""
PERSON = "query($name: String!) { person(name: $name) { id name } }"


async def mention(call: Caller, person: str, **fields: Any) -> dict[str, Any]:
    answer = await call(MENTION, input={"person": person, **fields})
    return answer.data["mention"]


async def test_a_person_is_trusted_by_what_they_did(call: Caller):
    stranger = await mention(call, "Ines Voss")

    known = await mention(
        call,
        "Ines Voss",
        context="brought the canoe back in time",
        sentiment=0.8,
        domains=["boats"],
        evidenceType="promise_kept",
    )

    assert (stranger["trust"]["overall"], stranger["trust"]["interactions"]) == (pytest.approx(0.5), 1)
    assert known["id"] == stranger["id"]
    assert known["trust"]["reliability"] == pytest.approx(0.5 + 0.15 * 0.8, abs=1e-3)
    assert list(known["trust"]["expertise"]) == ["boats"]
    assert known["trust"]["interactions"] == 2
    assert {"type": "promise_kept", "sentiment": 0.8, "context": "brought the canoe back in time"} in known["evidence"]


async def test_a_name_an_alias_and_a_first_name_mean_the_same_person(call: Caller):
    ines = await mention(call, "Ines Voss")
    alias = 'mutation($id: ID!) { addAlias(personId: $id, alias: "Nessie") { aliases } }'

    named = await call(alias, id=ines["id"])
    found = [(await call(PERSON, name=name)).data["person"] for name in ("ines voss", "Nessie", "Ines")]

    assert named.data["addAlias"]["aliases"] == ["Nessie"]
    assert found == [{"id": ines["id"], "name": "Ines Voss"}] * 3
    assert (await call(PERSON, name="Bruno")).data["person"] is None


async def test_two_people_become_one_and_two_again(call: Caller):
    ines, nessie = await mention(call, "Ines Voss"), await mention(call, "Nessie Loch")
    merge = """mutation($keep: ID!, $merge: ID!) { mergePeople(keep: $keep, merge: $merge, reason: "one person") {
      id aliases trust { interactions } changes(first: 1) { edges { node { id action reason } } } } }"""

    merged = (await call(merge, keep=ines["id"], merge=nessie["id"])).data["mergePeople"]
    [edge] = merged["changes"]["edges"]
    undo = "mutation($id: ID!) { undoMerge(changeId: $id) { id aliases trust { interactions } } }"
    undone, again = await call(undo, id=edge["node"]["id"]), await call(undo, id=edge["node"]["id"])

    assert (merged["id"], merged["aliases"], merged["trust"]["interactions"]) == (ines["id"], ["Nessie Loch"], 2)
    assert (edge["node"]["action"], edge["node"]["reason"]) == ("merge_people", "one person")
    assert undone.data["undoMerge"] == {"id": ines["id"], "aliases": [], "trust": {"interactions": 1}}
    assert again.code == "CONFLICT"
    assert (await call(PERSON, name="Nessie Loch")).data["person"]["id"] == nessie["id"]


async def test_exchanges_notes_and_relations_are_kept(call: Caller):
    ines, bruno = await mention(call, "Ines Voss"), await mention(call, "Bruno Adler")

    logged = await call(
        """mutation($id: ID!) { logCommunication(
          personId: $id, channel: "letter", direction: "inbound", summary: "About the mill", sentiment: 0.4
        ) { communications { channel direction summary sentiment } } }""",
        id=ines["id"],
    )
    relate = 'mutation($from: ID!, $to: ID!) { relatePeople(from: $from, to: $to, label: "brother") }'
    related = [(await call(relate, **{"from": ines["id"], "to": bruno["id"]})).data["relatePeople"] for _ in range(2)]
    noted = await call(
        """mutation($id: ID!) { addNote(personId: $id, note: "likes oak") {
          notes relations { label outgoing person { name } } } }""",
        id=ines["id"],
    )

    assert logged.data["logCommunication"]["communications"] == [
        {"channel": "letter", "direction": "inbound", "summary": "About the mill", "sentiment": 0.4}
    ]
    assert related == [True, False]
    assert noted.data["addNote"] == {
        "notes": ["likes oak"],
        "relations": [{"label": "brother", "outgoing": True, "person": {"name": "Bruno Adler"}}],
    }


async def test_people_are_listed_by_trust_by_date_and_by_domain(call: Caller):
    await mention(call, "Ines Voss", sentiment=1.0, evidenceType="promise_kept", domains=["boats"])
    await mention(call, "Bruno Adler", sentiment=-1.0, evidenceType="promise_broken")

    answer = await call(
        """{ mostTrustedPeople { name trust { overall } } mostRecentPeople { name }
          peopleByDomain(domain: "boats") { name } peopleForPrompt { name }
          people { edges { node { name trust { label } } } } }"""
    )

    data = answer.data
    assert [each["name"] for each in data["mostTrustedPeople"]] == ["Ines Voss", "Bruno Adler"]
    assert [each["name"] for each in data["mostRecentPeople"]] == ["Bruno Adler", "Ines Voss"]
    assert [each["name"] for each in data["peopleByDomain"]] == ["Ines Voss"]
    assert len(data["peopleForPrompt"]) == 2
    assert len(data["people"]["edges"]) == 2


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"person": ""}, "person"),
        ({"person": "me"}, "person"),
        ({"person": "Ines", "sentiment": 2.0}, "sentiment"),
        ({"person": "Ines", "evidenceType": "rumour"}, "evidenceType"),
        ({"person": "Ines", "at": "soon"}, "at"),
    ],
)
async def test_a_mention_that_breaks_a_rule_names_the_field_and_makes_nobody(
    call: Caller, given: dict[str, Any], field: str
):
    refused = await call(MENTION, input=given)

    assert (refused.code, refused.fields) == ("BAD_USER_INPUT", [field])
    assert (await call("{ stats { people } }")).data["stats"]["people"] == 0


async def test_another_user_can_do_nothing_with_a_person(call: Caller, call_as_other: Caller):
    mine, theirs = await mention(call, "Ines Voss"), await mention(call_as_other, "Bruno Adler")
    attempts = [
        await call_as_other('mutation($id: ID!) { addAlias(personId: $id, alias: "X") { id } }', id=mine["id"]),
        await call_as_other('mutation($id: ID!) { addNote(personId: $id, note: "x") { id } }', id=mine["id"]),
        await call_as_other(
            "mutation($a: ID!, $b: ID!) { mergePeople(keep: $a, merge: $b) { id } }", a=theirs["id"], b=mine["id"]
        ),
        await call_as_other(
            'mutation($a: ID!, $b: ID!) { relatePeople(from: $a, to: $b, label: "x") }', a=theirs["id"], b=mine["id"]
        ),
    ]

    assert {answer.code for answer in attempts} == {"NOT_FOUND"}
    assert (await call_as_other(PERSON, name="Ines Voss")).data["person"] is None
