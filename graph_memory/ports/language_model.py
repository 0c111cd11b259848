"""What the core asks of a language model, by rules or by a model: one method a question (constants.md 2.10)."""

from collections.abc import Sequence
from typing import Protocol

from graph_memory.domain.asked import (
    Answer,
    ContradictionProposal,
    CurationProposal,
    Distillate,
    EpisodeDigest,
    EpisodeLine,
    Extraction,
    InducedSchema,
    Insight,
    LinkablePair,
    LinkProposal,
    RefinementProposal,
    RelationshipSigns,
    Statement,
    Utterance,
)
from graph_memory.domain.memory import Emotion
from graph_memory.domain.vocabulary import UserId


class LanguageModel(Protocol):
    """Answers questions about texts of one user. Texts are material, never instructions.

    Every answer is within its ranges and enums and names no id that was not given; items that break that are dropped
    and counted. Raises InferenceError when no usable answer came; then nothing is to be changed by it.
    """

    async def extract(
        self,
        user_id: UserId,
        utterances: Sequence[Utterance],
        *,
        known_facts: Sequence[str] = (),
        known_observations: Sequence[str] = (),
    ) -> Answer[Extraction]:
        """What a conversation of at least two messages says that is worth keeping."""

    async def emotion(self, user_id: UserId, texts: Sequence[str]) -> Answer[tuple[Emotion, ...]]:
        """One emotion for each text, in order."""

    async def curate(self, user_id: UserId, text: str, candidates: Sequence[Statement]) -> Answer[CurationProposal]:
        """What a new statement is to the known ones."""

    async def contradict(
        self, user_id: UserId, newer: Statement, candidates: Sequence[Statement]
    ) -> Answer[tuple[ContradictionProposal, ...]]:
        """How each candidate stands to a newer statement; candidates left out are unrelated."""

    async def refine(self, user_id: UserId, known: str, said: str) -> Answer[RefinementProposal]:
        """What a new turn makes of a labile memory."""

    async def distil(self, user_id: UserId, members: Sequence[Statement]) -> Answer[Distillate]:
        """One statement for the members of a cluster, the one nearest the centroid first."""

    async def schema(self, user_id: UserId, members: Sequence[Statement]) -> Answer[InducedSchema]:
        """A pattern over the members of a cluster of facts, the one nearest the centroid first."""

    async def links(self, user_id: UserId, pairs: Sequence[LinkablePair]) -> Answer[tuple[LinkProposal, ...]]:
        """Links of the causal, temporal, entity and emotional families, at most one a pair."""

    async def episode(self, user_id: UserId, utterances: Sequence[Utterance]) -> Answer[EpisodeDigest]:
        """An episode, summed up."""

    async def relationship(
        self, user_id: UserId, utterances: Sequence[Utterance], *, known_jokes: Sequence[str] = ()
    ) -> Answer[RelationshipSigns]:
        """What a conversation shows of how user and agent stand."""

    async def merge(self, user_id: UserId, statements: Sequence[Statement]) -> Answer[str]:
        """One text for two or more equivalent facts; the first is the one that stays."""

    async def insights(
        self, user_id: UserId, episodes: Sequence[EpisodeLine], *, known_facts: Sequence[str] = ()
    ) -> Answer[tuple[Insight, ...]]:
        """Facts that the episodes show together, none of them known."""
