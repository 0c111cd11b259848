"""What a user chose, and what a user's graph holds."""

import strawberry

from api.fields import output
from api.scalars import Json
from graph_memory.domain.model_usage import UsageReport, Use
from graph_memory.ports import Stats as StoredStats
from graph_memory.ports import UserSettings as StoredSettings


@output
class UserSettings:
    """What a user chose."""

    time_zone: str
    tier_profile: str

    @classmethod
    def of(cls, settings: StoredSettings) -> "UserSettings":
        """The API type of what a user chose."""
        return cls(time_zone=settings.time_zone, tier_profile=settings.tier_profile)


@output
class Stats:
    """Counts. Expired memories are left out."""

    memories: int
    by_kind: Json
    by_state: Json
    by_tier: Json
    hidden: int
    fading_soon: int = strawberry.field(description="Not hidden yet, but weak.")
    superseded: int
    links: Json
    people: int
    entities: int
    episodes: int
    awaiting_enrichment: int
    parked: int
    awaiting_extraction: int = strawberry.field(description="Turns that nothing was drawn from yet.")
    parked_extractions: int = strawberry.field(description="Turns of which that was given up.")
    without_embedding: int
    stale_dates: int = strawberry.field(description="Memories whose stored dates follow former settings.")

    @classmethod
    def of(cls, stats: StoredStats) -> "Stats":
        """The API type of counts; words of the domain are named as the enums name them."""
        return cls(
            memories=stats.memories,
            by_kind=Json({name.upper(): count for name, count in stats.by_kind.items()}),
            by_state=Json({name.upper(): count for name, count in stats.by_state.items()}),
            by_tier=Json({name.upper(): count for name, count in stats.by_tier.items()}),
            hidden=stats.hidden,
            fading_soon=stats.fading_soon,
            superseded=stats.superseded,
            links=Json(dict(stats.links)),
            people=stats.people,
            entities=stats.entities,
            episodes=stats.episodes,
            awaiting_enrichment=stats.awaiting_enrichment,
            parked=stats.parked,
            awaiting_extraction=stats.awaiting_extraction,
            parked_extractions=stats.parked_extractions,
            without_embedding=stats.without_embedding,
            stale_dates=stats.stale_dates,
        )


@output
class Usage:
    """What questions to language models used; nothing where rules answered."""

    calls: int = strawberry.field(description="Answered by a model.")
    input_tokens: int = strawberry.field(description="Those that a service had kept ready included.")
    output_tokens: int
    cost: float = strawberry.field(description="In dollars.")
    by_operation: Json = strawberry.field(
        description="By question: calls, failures, inputTokens, cachedTokens, outputTokens, cost."
    )

    @classmethod
    def of(cls, report: UsageReport) -> "Usage":
        """The API type of a report of the ledger."""
        total = report.total
        return cls(
            calls=total.calls,
            input_tokens=total.tokens.read,
            output_tokens=total.tokens.output,
            cost=total.cost,
            by_operation=Json({str(question): _used(use) for question, use in report.by_question.items()}),
        )


def _used(use: Use) -> dict[str, float]:
    return {
        "calls": use.calls,
        "failures": use.failures,
        "inputTokens": use.tokens.read,
        "cachedTokens": use.tokens.cache_read,
        "outputTokens": use.tokens.output,
        "cost": use.cost,
    }
