"""Episodes and the relationship as the Python client and the commands show them."""

from datetime import UTC, datetime

import pytest

from graph_memory import ConflictError, GraphMemory, InvalidValueError, NotFoundError, Settings, TurnDraft
from graph_memory.domain.vocabulary import UserId
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.api.commands import Run, document

TEN, LATER = datetime(2025, 5, 1, 10, tzinfo=UTC), datetime(2025, 5, 1, 10, 10, tzinfo=UTC)


async def test_the_client_begins_fills_ends_finds_and_deletes(settings: Settings, user: UserId):
    clock = FixedClock(LATER)
    async with GraphMemory.connect(user_id=user, settings=settings, embedder=HashingEmbedder(), clock=clock) as memory:
        begun = await memory.start_episode(at=TEN)
        await memory.add_turns(begun.id, [TurnDraft(role="user", content="The kayak leaks.", at=TEN)])
        await memory.add_turns(begun.id, [{"role": "assistant", "content": "Where?", "at": TEN}])
        ended = await memory.end_episode(at=LATER)

        assert (ended.id, ended.digest.summary if ended.digest else None) == (begun.id, "The kayak leaks.")
        assert await memory.episode(begun.id) == ended
        assert [each.text for each in (await memory.turns(begun.id)).items] == ["The kayak leaks.", "Where?"]
        assert [each.episode.id for each in (await memory.search_episodes("kayak")).items] == [begun.id]
        assert (await memory.relationship()).sessions == 1
        assert "The kayak leaks." in await memory.context(episodes=1)
        [said] = await memory.say("Hello again.", TurnDraft(role="assistant", content="Hello."))
        assert (said.turn_count, said.is_open) == (2, True)
        assert [each.text for each in await memory.recent_turns()][-2:] == ["Hello again.", "Hello."]
        assert [each.id for each in (await memory.episodes()).items] == [said.id, begun.id]
        with pytest.raises(ConflictError):
            await memory.add_turns(begun.id, ["late"])
        with pytest.raises(InvalidValueError, match="colour"):
            await memory.say({"role": "user", "content": "x", "colour": "red"})
        await memory.delete_episode(begun.id)
        with pytest.raises(NotFoundError):
            await memory.episode(begun.id)


def test_the_commands_of_a_chat(cli: Run):
    first = document(cli("say", "The kayak leaks.", "--at", "2025-05-01T10:00:00Z", "--json"))
    second = document(cli("say", "Where?", "--role", "assistant", "--at", "2025-05-01T10:02:00Z", "--json"))
    ended = document(cli("end-episode", "--at", "2025-05-01T10:10:00Z", "--json"))

    assert first["id"] == second["id"] == ended["id"]
    assert (ended["summary"], ended["turn_count"]) == ("The kayak leaks.", 2)
    shown = document(cli("episode", ended["id"], "--json"))
    assert [each["content"] for each in shown["turns"]] == ["The kayak leaks.", "Where?"]
    [found] = document(cli("episodes", "kayak", "--json"))["episodes"]
    assert (found["id"], found["score"]) == (ended["id"], 11.0)
    assert document(cli("relationship", "--json"))["sessions"] == 1
    assert "1 conversation" in cli("relationship").stdout
    assert "The kayak leaks." in cli("episodes").stdout
    assert "Where?" in cli("episode", ended["id"]).stdout
    assert document(cli("delete-episode", ended["id"], "--json")) == {"deleted": ended["id"]}
    assert document(cli("episodes", "--json"))["episodes"] == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["episode", "nowhere"], 3, "nowhere"),
        (["end-episode"], 3, "episode"),
        (["say", " "], 2, "content"),
        (["say", "x", "--episode", "nowhere"], 3, "nowhere"),
        (["episodes", " "], 2, "search"),
        (["delete-episode", "nowhere"], 3, "nowhere"),
    ],
)
def test_a_mistake_on_a_chat_is_one_line_and_an_exit_code(cli: Run, words: list[str], code: int, said: str):
    result = cli(*words)

    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
