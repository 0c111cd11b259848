"""How far a person is trusted, and what that rests on."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from api.context import ApiContext, ApiInfo
from api.fields import answers, output, taken
from api.given import given, given_list
from api.scalars import Json
from graph_memory.domain.people import Communication as StoredCommunication
from graph_memory.domain.people import Evidence as StoredEvidence
from graph_memory.domain.person import PersonView
from graph_memory.domain.person import Relation as StoredRelation
from graph_memory.domain.vocabulary import NodeId
from graph_memory.errors import NotFoundError
from graph_memory.services.meet import MentionDraft

if TYPE_CHECKING:
    from api.names import Person

APerson = Annotated["Person", strawberry.lazy("api.names")]


@output
class PersonTrust:
    """Trust in a person, each number 0..1, faded since the last exchange."""

    overall: float
    reliability: float
    emotional: float
    timeliness: float
    information: float
    expertise: Json = strawberry.field(description="By domain, the strongest first.")
    label: str
    interactions: int

    @classmethod
    def of(cls, view: PersonView) -> "PersonTrust":
        """The API type of trust in a person."""
        return cls(
            overall=view.overall,
            reliability=view.trust.reliability,
            emotional=view.trust.emotional,
            timeliness=view.trust.timeliness,
            information=view.trust.information,
            expertise=Json(dict(view.expertise)),
            label=view.label.value,
            interactions=view.person.interactions,
        )


@output
class Evidence:
    """One thing that a person did or that was said of them."""

    at: datetime
    type: str
    sentiment: float
    domains: list[str]
    context: str

    @classmethod
    def of(cls, piece: StoredEvidence) -> "Evidence":
        """The API type of a piece of evidence."""
        return cls(
            at=piece.at,
            type=piece.type.value,
            sentiment=piece.sentiment,
            domains=list(piece.domains),
            context=piece.context,
        )


@output
class Communication:
    """One exchange with a person."""

    at: datetime
    channel: str
    direction: str
    summary: str
    sentiment: float

    @classmethod
    def of(cls, exchange: StoredCommunication) -> "Communication":
        """The API type of an exchange."""
        return cls(
            at=exchange.at,
            channel=exchange.channel,
            direction=exchange.direction.value,
            summary=exchange.summary,
            sentiment=exchange.sentiment,
        )


@output
class Relation:
    """What one person is to another."""

    label: str
    outgoing: bool = strawberry.field(description="Whether the other is that to this person.")
    other_id: strawberry.Private[NodeId]

    @answers("The other of the two.")
    async def person(self, info: ApiInfo) -> APerson:
        from api.names import person_seen

        return person_seen(await person_view(info.context, self.other_id))

    @classmethod
    def of(cls, relation: StoredRelation) -> "Relation":
        """The API type of a relation."""
        return cls(label=relation.label, outgoing=relation.outgoing, other_id=relation.other_id)


@taken
class MentionInput:
    """Something that was said of a person, or that they did."""

    person: str
    context: str | None = strawberry.UNSET
    sentiment: float | None = strawberry.field(default=strawberry.UNSET, description="-1..1.")
    domains: list[str] | None = strawberry.UNSET
    evidence_type: str | None = strawberry.field(
        default=strawberry.UNSET, description="promise_kept, accurate_info, helpful_action, observed (default) …"
    )
    memory_id: strawberry.ID | None = strawberry.UNSET
    at: datetime | None = strawberry.UNSET

    async def draft(self, context: ApiContext) -> MentionDraft:
        """What the service is told. Raises InvalidValueError."""
        return MentionDraft(
            person=self.person,
            context=given(self.context),
            sentiment=given(self.sentiment),
            domains=given_list(self.domains) or (),
            evidence_type=given(self.evidence_type),
            memory_id=given(self.memory_id),
            at=await context.instant("at", given(self.at)),
        )


async def person_view(context: ApiContext, person_id: NodeId) -> PersonView:
    """A person as they are now; those of one answer are asked for in one question. Raises NotFoundError."""
    view = await context.people.load(person_id)
    if view is None:  # erased or merged between the two look-ups
        raise NotFoundError("person", person_id)
    return view
