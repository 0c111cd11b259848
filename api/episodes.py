"""Episodes with their turns, and the relationship that they show."""

from collections.abc import Sequence
from datetime import datetime

import strawberry

from api.context import ApiContext, ApiInfo
from api.fields import answers, output, taken
from api.given import given
from api.nodes import Node
from api.pages import PageInfo
from api.scalars import Json
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.episode import Episode as StoredEpisode
from graph_memory.domain.episode import Turn as StoredTurn
from graph_memory.domain.episode import TurnDraft
from graph_memory.domain.episode_search import FoundEpisode
from graph_memory.domain.relationship import Relationship as StoredRelationship
from graph_memory.domain.relationship import RelationshipRules, band, by_confidence, by_count, peak_hours, trust
from graph_memory.domain.vocabulary import NodeId
from graph_memory.services.paging import Page


@output
class Turn(Node):
    """One thing that was said."""

    role: str = strawberry.field(description="Who said it: user or assistant.")
    content: str
    at: datetime
    speaker: str | None = strawberry.field(description="A name, where one is known.")

    @classmethod
    def of(cls, turn: StoredTurn) -> "Turn":
        """The API type of a stored turn."""
        return cls(
            id=strawberry.ID(turn.id),
            role=turn.role.value,
            content=turn.text,
            at=turn.occurred_at,
            speaker=turn.speaker,
        )


@output
class TurnEdge:
    """A turn at its place in an episode."""

    cursor: str
    node: Turn


@output
class TurnConnection:
    """A page of turns, in their order."""

    edges: list[TurnEdge]
    page_info: PageInfo

    @classmethod
    def of(cls, page: Page[StoredTurn]) -> "TurnConnection":
        """The API type of a page of turns."""
        edges = [
            TurnEdge(cursor=cursor, node=Turn.of(turn)) for cursor, turn in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))


@output
class Episode(Node):
    """One chat session. What it was about is told once it has ended, unless it was too short."""

    started_at: datetime
    ended_at: datetime | None = strawberry.field(description="Null while it is open.")
    duration_seconds: float | None
    summary: str | None
    topics: list[str]
    emotional_tone: str | None
    key_decisions: list[str]
    importance: float | None = strawberry.field(description="0..1.")
    turn_count: int

    @answers("What was said, in its order.")
    async def turns(
        self, info: ApiInfo, first: int | None = 50, after: str | None = strawberry.UNSET
    ) -> TurnConnection:
        find, user_id = info.context.services.find_episodes, info.context.user_id
        return TurnConnection.of(await find.turns(user_id, NodeId(self.id), first=first, after=given(after)))

    @classmethod
    def of(cls, episode: StoredEpisode) -> "Episode":
        """The API type of a stored episode."""
        digest = episode.digest
        return cls(
            id=strawberry.ID(episode.id),
            started_at=episode.started_at,
            ended_at=None if episode.ended_at >= FAR_FUTURE else episode.ended_at,
            duration_seconds=episode.duration_seconds,
            summary=digest.summary if digest else None,
            topics=list(digest.topics) if digest else [],
            emotional_tone=digest.tone.value if digest else None,
            key_decisions=list(digest.key_decisions) if digest else [],
            importance=digest.importance if digest else None,
            turn_count=episode.turn_count,
        )


@output
class EpisodeEdge:
    """An episode at its place in a list."""

    cursor: str
    node: Episode
    score: float | None = strawberry.field(description="How well it answers the search; null without one.")


@output
class EpisodeConnection:
    """A page of episodes."""

    edges: list[EpisodeEdge]
    page_info: PageInfo

    @classmethod
    def of_listed(cls, page: Page[StoredEpisode]) -> "EpisodeConnection":
        """The API type of a page of the latest episodes."""
        edges = [
            EpisodeEdge(cursor=cursor, node=Episode.of(episode), score=None)
            for cursor, episode in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))

    @classmethod
    def of_found(cls, page: Page[FoundEpisode]) -> "EpisodeConnection":
        """The API type of a page of what a search found."""
        edges = [
            EpisodeEdge(cursor=cursor, node=Episode.of(found.episode), score=found.score)
            for cursor, found in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))


@output
class Relationship:
    """How the user and the agent stand, as their recorded episodes show it. Lists begin with what comes up most."""

    trust: float = strawberry.field(description="0..1.")
    band: str = strawberry.field(description="deep, strong, growing or none.")
    sessions: int
    streak_days: int = strawberry.field(description="Days in a row up to the last episode, in the user's zone.")
    longest_streak_days: int
    minutes: float
    first_at: datetime | None
    last_at: datetime | None
    topics: list[str]
    inside_jokes: list[str] = strawberry.field(description="The latest first.")
    shared_references: list[str]
    communication_notes: Json = strawberry.field(description="A list of trait, value and confidence, the surest first.")
    peak_hours: str | None = strawberry.field(
        description="When most episodes begin: morning, afternoon, evening or night; null before ten."
    )
    mood: str | None = strawberry.field(description="The last that was told.")

    @classmethod
    def of(cls, relationship: StoredRelationship, rules: RelationshipRules) -> "Relationship":
        """The API type of the relationship."""
        trusted = trust(relationship.sessions, relationship.streak_days, rules)
        part = peak_hours(relationship, rules)
        return cls(
            trust=trusted,
            band=band(trusted, rules).value,
            sessions=relationship.sessions,
            streak_days=relationship.streak_days,
            longest_streak_days=relationship.longest_streak_days,
            minutes=relationship.minutes,
            first_at=relationship.first_at,
            last_at=relationship.last_at,
            topics=[each.text for each in by_count(relationship.topics)],
            inside_jokes=list(reversed(relationship.inside_jokes)),
            shared_references=[each.text for each in by_count(relationship.shared_references)],
            communication_notes=Json(
                [
                    {"trait": each.trait, "value": each.value, "confidence": each.confidence}
                    for each in by_confidence(relationship)
                ]
            ),
            peak_hours=part.value if part else None,
            mood=relationship.mood,
        )


@taken
class TurnInput:
    """One thing that was said."""

    role: str = strawberry.field(description="user or assistant.")
    content: str
    at: datetime | None = strawberry.field(default=strawberry.UNSET, description="Default: now.")
    speaker: str | None = strawberry.field(default=strawberry.UNSET, description="A name, where one is known.")
    idempotency_key: str | None = strawberry.field(
        default=strawberry.UNSET, description="A turn whose key was used before is not stored again."
    )


async def drafts(context: ApiContext, turns: Sequence[TurnInput]) -> list[TurnDraft]:
    """What the service is given; dates without an offset are read in the user's zone."""
    return [
        TurnDraft(
            role=turn.role,
            content=turn.content,
            at=await context.instant(f"turns[{place}].at", given(turn.at)),
            speaker=given(turn.speaker),
            idempotency_key=given(turn.idempotency_key),
        )
        for place, turn in enumerate(turns)
    ]
