"""Insights: what several conversations show together that none of them says.

Source: constants.md 2.7, step 6 (Agent Friday; by rules: ours).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph_memory.domain.asked import EpisodeLine, Insight, Tone
from graph_memory.domain.grounding import counts_nothing_new, is_named, is_supported, names_nobody_new
from graph_memory.domain.identity import name_key, tidy_name
from graph_memory.domain.statement import Wording, read
from graph_memory.domain.text import is_blank
from graph_memory.domain.vocabulary import Category

INSIGHT_CATEGORIES = frozenset((Category.PREFERENCE, Category.PATTERN, Category.PROFESSIONAL, Category.IDENTITY))
_TOPIC_CHARACTERS = 60  # a longer topic is a sentence, not a topic
_MOOD_SHARE = 2 / 3  # of the conversations on a topic, for a mood to belong to it


@dataclass(frozen=True, slots=True)
class _Recurring:
    topic: str
    episodes: tuple[EpisodeLine, ...]


def insights_by_rules(
    episodes: Sequence[EpisodeLine], known_facts: Sequence[str] = (), *, recurrences: int = 3, most: int = 3
) -> tuple[Insight, ...]:
    """Topics that come back, those that come back most often first, each with the mood that goes with it.

    Nothing is concluded from one conversation, and nothing that a known fact says already. The texts hold no count, so
    that the same insight has the same words next time.

    Args:
        recurrences: in how many episodes a topic must stand.
        most: how many insights at most.
    """
    recurring = [each for each in _by_topic(episodes) if len(each.episodes) >= recurrences]
    recurring.sort(key=lambda each: (-len(each.episodes), -each.episodes[-1].at.timestamp(), each.topic))
    told = (Insight(text=_sentence(each, recurrences), category=Category.PATTERN) for each in recurring)
    return tuple([each for each in told if not _is_known(each.text, known_facts)][:most])


def what_remains(text: str, rest: Sequence[EpisodeLine], *, recurrences: int = 3) -> str | None:
    """What an insight may still say from the episodes that are left; None: nothing.

    The same, where those episodes have all its words, names and numbers, or the rules say it of them. Else what the
    rules say of a topic of its own that still comes back.
    """
    told = [
        _sentence(each, recurrences)
        for each in _by_topic(rest)
        if len(each.episodes) >= recurrences and is_named(each.topic, [text])
    ]
    sources = [said for line in rest for said in (line.summary, *line.topics)]
    borne_out = is_supported(text, sources, least=1.0) and counts_nothing_new(text, sources)
    if text in told or (borne_out and names_nobody_new(text, sources)):
        return text
    return told[0] if told else None


def _by_topic(episodes: Iterable[EpisodeLine]) -> list[_Recurring]:
    """The topics, each with its episodes, the earliest first; spelt as in the latest."""
    spelt: dict[str, str] = {}
    found: dict[str, list[EpisodeLine]] = {}
    for episode in sorted(episodes, key=lambda each: each.at):
        for key, topic in {name_key(topic): tidy_name(topic) for topic in episode.topics}.items():
            if not is_blank(topic) and len(topic) <= _TOPIC_CHARACTERS:
                spelt[key] = topic
                found.setdefault(key, []).append(episode)
    return [_Recurring(spelt[key], tuple(lines)) for key, lines in found.items()]


def _sentence(recurring: _Recurring, recurrences: int) -> str:
    said = f"The user often talks about {recurring.topic}"
    tone, count = Counter(line.tone for line in recurring.episodes).most_common(1)[0]
    if tone is Tone.NEUTRAL or count < max(recurrences, _MOOD_SHARE * len(recurring.episodes)):
        return f"{said}."
    article = "an" if tone.value[0] in "aeiou" else "a"
    return f"{said}, mostly in {article} {tone.value} mood."


def _is_known(text: str, facts: Iterable[str]) -> bool:
    """Whether a fact has every word of the text, or the text every word of a fact on the same."""
    new = read(text, Wording())
    olds = (read(fact, Wording()) for fact in facts)
    return any(
        old.tokens and not new.denies_unlike(old) and (new.tokens <= old.tokens or old.tokens <= new.tokens)
        for old in olds
    )
