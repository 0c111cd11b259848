"""Which episodes a search finds: the share of its words in each field, weighted, and a little for recent ones.

score = sum over fields of weight * matched words / words of the search + recency. Summary and transcript count once, of
the transcript the best turn; each topic and each decision counts for itself. Without a match in any field there is no
score. A word matches itself, its regular English forms (word_forms), and those of its stem in the search's language.

Source: constants.md 2.8 (Episode search; Agent Friday, per word ours), V45.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graph_memory.domain.episode import Episode
from graph_memory.domain.language import Language, asked_languages, function_words, languages_of
from graph_memory.domain.statement import Wording, read
from graph_memory.domain.text import script_query_terms
from graph_memory.domain.word_forms import WordForms
from graph_memory.domain.word_match import Forms

SUMMARY, TOPIC, DECISION, TRANSCRIPT = "summary", "topic", "decision", "transcript"
DAY, WEEK, DAY_HOURS, WEEK_HOURS = "day", "week", "day_hours", "week_hours"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeSearchRules:
    """The numbers of a search (settings `curation.episode_weights`, `curation.episode_recency`)."""

    weights: Mapping[str, float] = field(
        default_factory=lambda: {SUMMARY: 10.0, TOPIC: 5.0, DECISION: 4.0, TRANSCRIPT: 1.0}
    )
    # The bonus of episodes younger than a day or a week, and how many hours those are.
    recency: Mapping[str, float] = field(
        default_factory=lambda: {DAY: 3.0, WEEK: 1.0, DAY_HOURS: 24.0, WEEK_HOURS: 168.0}
    )
    wording: Wording = field(default_factory=Wording)


@dataclass(frozen=True, slots=True)
class FoundEpisode:
    """An episode with its score, above 0."""

    episode: Episode
    score: float


def query_words(query: str, wording: Wording) -> frozenset[str]:
    """The words of a search that carry content."""
    tokens = read(query, wording).tokens
    return tokens.difference(*map(function_words, languages_of(query))) or tokens


def looked_up(query: str, wording: Wording) -> list[str]:
    """The same in order, without runs of a script without blanks, which an index looks for by its own terms."""
    sought = query_words(query, wording)
    told = dict.fromkeys(read(query, wording).words)
    return [word for word in told if word in sought and not script_query_terms(word)]


def score(
    episode: Episode,
    turns: Iterable[str],
    sought: Collection[str],
    *,
    at: datetime,
    rules: EpisodeSearchRules,
    languages: Collection[Language] = (),
) -> float:
    """How well an episode answers a search; 0 when nothing in it matches.

    Args:
        episode: as it is stored.
        turns: the texts of its turns, or of those that hold any of the words.
        sought: what `query_words` gave.
        at: now; an episode is as old as its start, at least 0.
        languages: those that the search shows, or may be in.
    """
    if not sought:
        return 0.0
    digest, weights = episode.digest, rules.weights

    def share(text: str) -> float:
        return _matched(sought, read(text, rules.wording).tokens, Forms(text, languages)) / len(sought)

    total = weights[TRANSCRIPT] * max(map(share, turns), default=0.0)
    if digest is not None:
        total += weights[SUMMARY] * share(digest.summary)
        total += weights[TOPIC] * sum(map(share, digest.topics))
        total += weights[DECISION] * sum(map(share, digest.key_decisions))
    return total + _recency(at - episode.started_at, rules) if total > 0.0 else 0.0


def ranked(
    episodes: Iterable[tuple[Episode, Sequence[str]]], query: str, *, at: datetime, rules: EpisodeSearchRules
) -> list[FoundEpisode]:
    """The episodes that a search finds, each given with its turns' texts: best first, then the latest."""
    sought = query_words(query, rules.wording)
    languages = asked_languages(query)
    found = [
        FoundEpisode(episode, score(episode, turns, sought, at=at, rules=rules, languages=languages))
        for episode, turns in episodes
    ]
    found = [each for each in found if each.score > 0.0]
    found.sort(key=lambda each: (each.episode.started_at, each.episode.id), reverse=True)
    return sorted(found, key=lambda each: -each.score)


def _recency(age: timedelta, rules: EpisodeSearchRules) -> float:
    hours = max(0.0, age.total_seconds()) / 3_600.0
    if hours < rules.recency[DAY_HOURS]:
        return rules.recency[DAY]
    return rules.recency[WEEK] if hours < rules.recency[WEEK_HOURS] else 0.0


def _matched(sought: Collection[str], tokens: frozenset[str], stems: Forms) -> int:
    held = WordForms(tokens)
    return sum(word in held or stems.include(word) for word in sought)
