"""Extraction as a caller of GraphQL and of the command line meets it."""

import asyncio

from graph_memory.bootstrap import Services
from graph_memory.domain.episode import TurnDraft
from graph_memory.domain.vocabulary import UserId
from tests.api.caller import Caller
from tests.api.commands import Run, document

START = "mutation { startEpisode { id } }"
ADD = "mutation($id: ID!, $turns: [TurnInput!]!) { addTurns(episodeId: $id, turns: $turns) { turnCount } }"
EXTRACT = "mutation { extract { turns facts observations persons failed parked notes } }"
WAITING = "{ waitingTurns { turnId episodeId attempts problem dueAt } stats { awaitingExtraction parkedExtractions } }"
FACTS = "{ memories(filter: {kinds: [SEMANTIC]}) { edges { node { text horizon source confirmed confidence } } } }"
TURNS = [
    {"role": "user", "content": "I live in Lisbon."},
    {"role": "assistant", "content": "You might try rowing."},
    {"role": "user", "content": "My friend Ana helped me. I usually run before work."},
]


async def test_turns_wait_are_drawn_from_and_wait_no_more(call: Caller, call_as_other: Caller):
    episode = (await call(START)).data["startEpisode"]["id"]
    await call(ADD, id=episode, turns=TURNS)

    before, foreign = await call(WAITING), await call_as_other(WAITING)
    done, again = await call(EXTRACT), await call(EXTRACT)
    after = await call(WAITING)

    assert [turn["episodeId"] for turn in before.data["waitingTurns"]] == [episode, episode]
    assert before.data["stats"] == {"awaitingExtraction": 2, "parkedExtractions": 0}
    assert foreign.data["waitingTurns"] == []
    counts = {"facts": 1, "observations": 1, "persons": 1, "failed": 0, "parked": 0, "notes": []}
    assert done.data["extract"] == {"turns": 2, **counts}
    assert again.data["extract"] == {"turns": 0, **counts, "facts": 0, "observations": 0, "persons": 0}
    assert after.data == {"waitingTurns": [], "stats": {"awaitingExtraction": 0, "parkedExtractions": 0}}
    facts = {edge["node"]["text"]: edge["node"] for edge in (await call(FACTS)).data["memories"]["edges"]}
    home, habit = facts["I live in Lisbon"], facts["I usually run before work"]
    assert (home["horizon"], home["source"], home["confirmed"], home["confidence"]) == ("LONG", "EXTRACTED", False, 0.8)
    assert (habit["horizon"], habit["confidence"]) == ("MEDIUM", 0.5)


async def test_the_command_draws_and_lists(services: Services, cli: Run, user: UserId):
    episode = await services.episodes.start(user)
    drafts = [TurnDraft(role=turn["role"], content=turn["content"]) for turn in TURNS]
    await services.episodes.add_turns(user, episode.id, drafts)

    listed = document(await asyncio.to_thread(cli, "extract", "--list", "--json"))
    done = document(await asyncio.to_thread(cli, "extract", "--json"))

    assert [turn["episode"] for turn in listed["waiting"]] == [episode.id, episode.id]
    assert (done["turns"], done["facts"], done["waiting"]) == (2, 1, [])
