"""Links between nodes: their types, families, directions and identity (constants.md sections 1 and 2.4)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.vocabulary import NodeId


class LinkFamily(StrEnum):
    """The families that intent weighs; `derivation` and `truth` are never walked, counted or pruned."""

    CAUSAL = "causal"
    TEMPORAL = "temporal"
    ENTITY = "entity"
    EMOTIONAL = "emotional"
    SEMANTIC = "semantic"
    DERIVATION = "derivation"
    TRUTH = "truth"


class LinkType(StrEnum):
    """Every relationship type that joins remembered things, as Neo4j stores it."""

    LEADS_TO = "LEADS_TO"
    BECAUSE_OF = "BECAUSE_OF"
    ENABLES = "ENABLES"
    PREVENTS = "PREVENTS"
    PRECEDES = "PRECEDES"
    SUCCEEDS = "SUCCEEDS"
    CONCURRENT_WITH = "CONCURRENT_WITH"
    NEXT = "NEXT"
    REFERS_TO = "REFERS_TO"
    MENTIONED_IN = "MENTIONED_IN"
    SHARES_EMOTION = "SHARES_EMOTION"
    CONTRASTS_EMOTION = "CONTRASTS_EMOTION"
    EVOLVES_FROM = "EVOLVES_FROM"
    SIMILAR_TO = "SIMILAR_TO"
    DISTILLED_FROM = "DISTILLED_FROM"
    ABSTRACTS = "ABSTRACTS"
    SUPERSEDED_BY = "SUPERSEDED_BY"
    CONTRADICTS = "CONTRADICTS"


FAMILY: dict[LinkType, LinkFamily] = {
    LinkType.LEADS_TO: LinkFamily.CAUSAL,
    LinkType.BECAUSE_OF: LinkFamily.CAUSAL,
    LinkType.ENABLES: LinkFamily.CAUSAL,
    LinkType.PREVENTS: LinkFamily.CAUSAL,
    LinkType.PRECEDES: LinkFamily.TEMPORAL,
    LinkType.SUCCEEDS: LinkFamily.TEMPORAL,
    LinkType.CONCURRENT_WITH: LinkFamily.TEMPORAL,
    LinkType.NEXT: LinkFamily.TEMPORAL,
    LinkType.REFERS_TO: LinkFamily.ENTITY,
    LinkType.MENTIONED_IN: LinkFamily.ENTITY,
    LinkType.SHARES_EMOTION: LinkFamily.EMOTIONAL,
    LinkType.CONTRASTS_EMOTION: LinkFamily.EMOTIONAL,
    LinkType.EVOLVES_FROM: LinkFamily.EMOTIONAL,
    LinkType.SIMILAR_TO: LinkFamily.SEMANTIC,
    LinkType.DISTILLED_FROM: LinkFamily.DERIVATION,
    LinkType.ABSTRACTS: LinkFamily.DERIVATION,
    LinkType.SUPERSEDED_BY: LinkFamily.TRUTH,
    LinkType.CONTRADICTS: LinkFamily.TRUTH,
}

# Pairs that say the same thing from the other end; the first of a pair is read as the second there.
INVERSE: dict[LinkType, LinkType] = {
    LinkType.LEADS_TO: LinkType.BECAUSE_OF,
    LinkType.BECAUSE_OF: LinkType.LEADS_TO,
    LinkType.PRECEDES: LinkType.SUCCEEDS,
    LinkType.SUCCEEDS: LinkType.PRECEDES,
    LinkType.REFERS_TO: LinkType.MENTIONED_IN,
    LinkType.MENTIONED_IN: LinkType.REFERS_TO,
}
SYMMETRIC = frozenset(
    {LinkType.CONCURRENT_WITH, LinkType.SHARES_EMOTION, LinkType.CONTRASTS_EMOTION, LinkType.SIMILAR_TO}
)
# One direction of time or cause each; a link that would close a cycle among them is refused.
ACYCLIC = frozenset({LinkType.LEADS_TO, LinkType.BECAUSE_OF, LinkType.PRECEDES, LinkType.SUCCEEDS})
# What only the system writes: a caller who asks for one of these is told which operation does it.
SYSTEM_ONLY = frozenset(
    {
        LinkType.NEXT,
        LinkType.DISTILLED_FROM,
        LinkType.ABSTRACTS,
        LinkType.SUPERSEDED_BY,
        LinkType.CONTRADICTS,
    }
)


def twins(link_type: LinkType) -> frozenset[LinkType]:
    """The types that, read from the other end, say the same as `link_type`."""
    if link_type in SYMMETRIC:
        return frozenset({link_type})
    return frozenset({INVERSE[link_type]}) if link_type in INVERSE else frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One stored link, as asserted: from source to target."""

    type: LinkType
    source: NodeId
    target: NodeId
    weight: float = 1.0
    confidence: float | None = None
    uses: int = 0
    reason: str | None = None
    origin: str = "rule"  # rule, model or user
    discovered: bool = False  # by link discovery: made anew with the texts that it joins, and pruned
    created_at: datetime

    @property
    def id(self) -> str:
        """The link's own id: a pair of nodes has at most one link of a type, so its ends name it."""
        return link_id(self.type, self.source, self.target)

    @property
    def family(self) -> LinkFamily:
        return FAMILY[self.type]

    @property
    def by_floor(self) -> bool:
        """Whether rules found it between two memories; else somebody, a model or a text says so."""
        return self.discovered and self.origin == "rule"


def link_id(link_type: LinkType, source: NodeId, target: NodeId) -> str:
    """The opaque id of the link of `link_type` from `source` to `target`."""
    return f"{link_type}~{source}~{target}"


def parse_link_id(identifier: str) -> tuple[LinkType, NodeId, NodeId] | None:
    """The parts of a link id, or None when it is not one."""
    match identifier.split("~"):
        case [name, source, target] if name in LinkType.__members__ and source and target:
            return LinkType(name), NodeId(source), NodeId(target)
    return None
