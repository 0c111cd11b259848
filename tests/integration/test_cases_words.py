"""What a person types is only ever words to look for (cases 1 to 6)."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InvalidValueError
from graph_memory.ports import Floats
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import HashingEmbedder

KEYWORDS_ONLY = ("lexical",)
VECTORS_ONLY = ("semantic", "context_vector")


class WatchedEmbedder(HashingEmbedder):
    """Keeps what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def _embedded(self, texts):  # type: ignore[no-untyped-def]
        self.seen += texts
        return super()._embedded(texts)


class ShortSightedEmbedder(HashingEmbedder):
    """Reads the first 256 words of a text and drops the rest without a word, as many models do."""

    def _row(self, text: str) -> Floats:
        return super()._row(" ".join(text.split()[:256]))


class WindowedEmbedder(HashingEmbedder):
    """Reads a text in windows of 256 words and gives their mean, as our model does."""

    def _row(self, text: str) -> Floats:
        words = text.split()
        windows = [" ".join(words[start : start + 256]) for start in range(0, len(words), 256)] or [text]
        mean = sum(super(WindowedEmbedder, self)._row(window) for window in windows)
        return mean / float((mean @ mean) ** 0.5)


@pytest.fixture
async def keyword_services(settings: Settings) -> AsyncIterator[Services]:
    """The product with its vectors switched off."""
    async with open_services(_weighed(settings, KEYWORDS_ONLY), embedder=HashingEmbedder()) as services:
        yield services


def _weighed(settings: Settings, channels: tuple[str, ...]) -> Settings:
    """With these channels alone."""
    weights = {name: float(name in channels) for name in settings.recall.channel_weights}
    return replace(settings, recall=replace(settings.recall, channel_weights=weights))


async def _texts(services: Services, user: UserId, query: str) -> list[str]:
    answer = await services.recall(user, Question(query=query))
    return [hit.memory.text for hit in answer.hits]


async def _remember(services: Services, user: UserId, *texts: str) -> None:
    for text in texts:
        await services.remember(user, MemoryDraft(text=text))


@pytest.mark.parametrize(
    "query",
    [
        "/rehearsal when?",
        "rehearsal/",
        "rehearsal AND (18:40",
        '"rehearsal',
        "rehearsal^2 ~moved*",
        "[rehearsal TO moved}",
        "rehearsal\\",
        "*:* rehearsal",
        "search_scope:x OR rehearsal",
    ],
)
async def test_a_query_is_never_syntax(keyword_services: Services, user: UserId, query: str):
    """Case 1."""
    await _remember(keyword_services, user, "Rehearsal moved to 18:40")

    assert await _texts(keyword_services, user, query) == ["Rehearsal moved to 18:40"]


@pytest.mark.parametrize(
    "query",
    ["rock/pop (live", "title:", 'an unclosed "quotation', "\\", "AND", "NOT", "&&", "{}", "what was it of the?"],
)
async def test_a_query_of_signs_gets_an_ordinary_answer(keyword_services: Services, user: UserId, query: str):
    """Case 1."""
    await _remember(keyword_services, user, "Rehearsal moved to 18:40")

    assert await _texts(keyword_services, user, query) == []


@pytest.mark.parametrize(
    "query",
    ["folder-3", "folder-", "-folder", "folder AND", "NOT folder", "folder~", "+folder", "!folder", "fold* folder"],
)
async def test_signs_of_an_operator_change_no_meaning(keyword_services: Services, user: UserId, query: str):
    """Case 2."""
    await _remember(keyword_services, user, "Tickets are in folder-3", "The boat is blue")

    assert await _texts(keyword_services, user, query) == ["Tickets are in folder-3"]


@pytest.mark.parametrize("blank", ["", "   ", "\u200b", "\n\t", "\ufeff"])
async def test_a_blank_text_is_refused_on_every_path_and_never_embedded(settings: Settings, user: UserId, blank: str):
    """Case 3."""
    embedder = WatchedEmbedder()
    async with open_services(settings, embedder=embedder) as services:
        with pytest.raises(InvalidValueError, match="query: must not be empty or blank"):
            await services.recall(user, Question(query=blank))
        with pytest.raises(InvalidValueError, match="text: must not be empty or blank"):
            await services.remember(user, MemoryDraft(text=blank))
        many = await services.remember.many(user, [MemoryDraft(text=blank)])

        assert [row.index for row in many.failed] == [0]
        assert embedder.seen == []


async def test_a_query_of_punctuation_gives_an_ordinary_list_and_not_the_whole_store(services: Services, user: UserId):
    """Case 3."""
    await _remember(services, user, *(f"Note {number} on sailing" for number in range(30)))

    assert len(await _texts(services, user, "?!")) <= 10


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("周末去河边钓鱼", "钓鱼"),
        ("周末去河边钓鱼", "河"),
        ("어제 동생과 만두를 빚었다", "만두"),
        ("明日図書館で会う", "図書館"),
        ("订单RV208已发货", "RV208"),
        ("订单RV208已发货", "发货"),
        ("ไปตกปลาที่แม่น้ำ", "ตกปลา"),
        ("Завтра встреча в библиотеке", "встреча"),
        ("الاجتماع غدًا في المكتبة", "الاجتماع"),
    ],
)
async def test_a_keyword_of_every_script_is_found_by_the_keyword_search_alone(
    keyword_services: Services, user: UserId, stored: str, query: str
):
    """Case 4."""
    await _remember(keyword_services, user, stored, "The boat is blue", "船は青い")

    assert await _texts(keyword_services, user, query) == [stored]


FILLER = "Roses want sun and the soil must drain well before the frost comes. " * 170
LAMP = "The cellar lamp is kept behind the green cupboard."


async def test_the_last_sentence_of_a_long_text_is_found_without_the_keyword_search(settings: Settings, user: UserId):
    """Case 5: the default model pools the windows of a text; so does this double."""
    async with open_services(_weighed(settings, VECTORS_ONLY), embedder=WindowedEmbedder()) as services:
        await _remember(services, user, FILLER + LAMP, *(f"{FILLER[:300]} {number}" for number in range(3)))

        [first, *_] = await _texts(services, user, "cellar lamp behind the cupboard")

    assert first == FILLER + LAMP


async def test_the_last_sentence_of_a_long_text_is_found_by_its_words_whatever_the_embedder_reads(
    settings: Settings, user: UserId
):
    """Case 5."""
    async with open_services(settings, embedder=ShortSightedEmbedder()) as services:
        await _remember(services, user, FILLER + LAMP, *(f"{FILLER[:300]} {number}" for number in range(3)))

        [first, *_] = await _texts(services, user, "Where is the cellar lamp?")

    assert first == FILLER + LAMP


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧 came by",
        "قالت \u200fليلى\u200e إن الاجتماع غدًا",
        "e\u0301te\u0301 and été",
        "  leading and trailing  \r\n",
        "tab\tand\u2028separator",
        "長" * 3_000,
        "a" * 9_000,
    ],
)
async def test_a_well_formed_text_comes_back_byte_for_byte(services: Services, user: UserId, text: str):
    """Cases 6 and 39."""
    written = await services.remember(user, MemoryDraft(text=text, speaker="Ana", session_id="s"))
    assert written.memory

    read = await services.inspect.memory(user, written.memory.id)

    assert read.text == text


@pytest.mark.parametrize("bad", ["half \ud83d", "nul \x00 inside", "\udc00"])
async def test_ill_formed_text_is_refused_by_one_rule_on_every_path(services: Services, user: UserId, bad: str):
    """Case 6."""
    attempts = [
        services.remember(user, MemoryDraft(text=bad)),
        services.remember(user, MemoryDraft(text="x", speaker=bad)),
        services.remember(user, MemoryDraft(text="x", metadata={"k": bad})),
        services.remember(user, MemoryDraft(text="x", session_id=bad)),
        services.recall(user, Question(query=bad)),
        services.recall(user, Question(query="x", buckets=(bad,))),
    ]

    for attempt in attempts:
        with pytest.raises(InvalidValueError, match=r"surrogate|U\+0000"):
            await attempt
    assert (await services.inspect.stats(user)).memories == 0
