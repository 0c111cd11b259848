"""What took the place of what: chains of memories, the ledger of decisions, and memories that exclude each other."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from api.context import ApiContext
from api.fields import output, taken
from api.given import given
from api.pages import PageInfo
from graph_memory.domain.decision import DecisionStatus, Outcome
from graph_memory.domain.memory import Memory as StoredMemory
from graph_memory.ports import Contradiction as StoredContradiction
from graph_memory.services.ledger import Chain as StoredChain
from graph_memory.services.ledger import ChainStep as StoredStep
from graph_memory.services.ledger import Decided, DecisionDraft
from graph_memory.services.paging import Page

if TYPE_CHECKING:
    from api.memories import Memory

AMemory = Annotated["Memory", strawberry.lazy("api.memories")]


@output
class DecisionDetails:
    """What a decision has beside its text."""

    reasoning: str | None
    domain: str | None
    topic_key: str | None
    outcome: Outcome
    status: DecisionStatus
    decided_at: datetime

    @classmethod
    def of(cls, memory: StoredMemory, *, at: datetime) -> "DecisionDetails | None":
        """The API type of what makes a memory a decision, with its status at an instant; None for any other memory."""
        decision, status = memory.decision, memory.decision_status(at)
        if decision is None or status is None:
            return None
        return cls(
            reasoning=decision.reasoning,
            domain=decision.domain,
            topic_key=decision.topic_key,
            outcome=decision.outcome,
            status=status,
            decided_at=memory.occurred_at,
        )


@output
class ChainStep:
    """One step of a chain, the oldest first."""

    memory: AMemory
    position: int = strawberry.field(description="From 0; what was merged into one stands at one position.")
    current: bool = strawberry.field(description="Whether it was believed at the instant asked for.")
    superseded_at: datetime | None
    reason: str | None = strawberry.field(description="Why the next step took its place.")

    @classmethod
    def of(cls, step: StoredStep) -> "ChainStep":
        """The API type of a step."""
        return cls(
            memory=_memory(step.memory),
            position=step.position,
            current=step.current,
            superseded_at=step.superseded_at,
            reason=step.reason,
        )


@output
class Chain:
    """How a decision came to be what it is."""

    domain: str
    topic_key: str
    steps: list[ChainStep]

    @classmethod
    def of(cls, chain: StoredChain) -> "Chain":
        """The API type of a chain."""
        return cls(domain=chain.domain, topic_key=chain.topic_key, steps=[ChainStep.of(each) for each in chain.steps])


@output
class Contradiction:
    """Two memories that exclude each other."""

    older: AMemory
    newer: AMemory
    kind: str = strawberry.field(description="replace: the older held until then; negate: the newer denies it.")
    settled: bool = strawberry.field(description="Whether one of the two gave way.")
    at: datetime
    reason: str | None

    @classmethod
    def of(cls, contradiction: StoredContradiction) -> "Contradiction":
        """The API type of a contradiction."""
        return cls(
            older=_memory(contradiction.older),
            newer=_memory(contradiction.newer),
            kind=contradiction.kind.value,
            settled=contradiction.settled,
            at=contradiction.at,
            reason=contradiction.reason,
        )


@output
class ContradictionEdge:
    """A contradiction at its place in a list."""

    cursor: str
    node: Contradiction


@output
class ContradictionConnection:
    """A page of contradictions."""

    edges: list[ContradictionEdge]
    page_info: PageInfo

    @classmethod
    def of(cls, page: Page[StoredContradiction]) -> "ContradictionConnection":
        """The API type of a page of contradictions."""
        edges = [
            ContradictionEdge(cursor=cursor, node=Contradiction.of(each))
            for cursor, each in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))


@taken
class DecideInput:
    """A decision to enter. With the topic of an earlier one it takes that one's place."""

    text: str
    reasoning: str | None = strawberry.UNSET
    domain: str | None = strawberry.UNSET
    topic_key: str | None = strawberry.UNSET
    decided_at: datetime | None = strawberry.UNSET
    supersedes: strawberry.ID | None = strawberry.UNSET
    idempotency_key: str | None = strawberry.UNSET
    bucket: str | None = strawberry.UNSET

    async def draft(self, context: ApiContext) -> DecisionDraft:
        """What the service is asked to enter. Raises InvalidValueError."""
        return DecisionDraft(
            text=self.text,
            reasoning=given(self.reasoning),
            domain=given(self.domain),
            topic=given(self.topic_key),
            decided_at=await context.instant("decidedAt", given(self.decided_at)),
            supersedes=given(self.supersedes),
            idempotency_key=given(self.idempotency_key),
            bucket=given(self.bucket),
        )


@output
class DecidePayload:
    """A decision that was entered."""

    memory: AMemory
    earlier: list[AMemory] = strawberry.field(description="Earlier decisions of its domain that are near it.")
    superseded: list[AMemory] = strawberry.field(description="What it took the place of.")

    @classmethod
    def of(cls, decided: Decided) -> "DecidePayload":
        """The API type of a decision that was entered."""
        return cls(
            memory=_memory(decided.memory),
            earlier=[_memory(each) for each in decided.earlier],
            superseded=[_memory(each) for each in decided.superseded],
        )


def _memory(stored: StoredMemory) -> "Memory":
    from api.memories import Memory

    return Memory.of(stored)
