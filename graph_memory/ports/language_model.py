"""What the core asks of a language model, by rules or by a model: one method a question (constants.md 2.10)."""

from collections.abc import Sequence
from typing import Any, Protocol

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
    Question,
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


class OneByOne:
    """A language model that answers every question in one and the same way: a base for adapters.

    What is given with a question is what its method takes after the user, by position and by name.
    """

    async def answer(self, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
        """The answer to one question. Raises InferenceError."""
        raise NotImplementedError

    async def extract(
        self,
        user_id: UserId,
        utterances: Sequence[Utterance],
        *,
        known_facts: Sequence[str] = (),
        known_observations: Sequence[str] = (),
    ) -> Answer[Extraction]:
        known = {"known_facts": known_facts, "known_observations": known_observations}
        return await self.answer(Question.EXTRACT, user_id, utterances, **known)

    async def emotion(self, user_id: UserId, texts: Sequence[str]) -> Answer[tuple[Emotion, ...]]:
        return await self.answer(Question.EMOTION, user_id, texts)

    async def curate(self, user_id: UserId, text: str, candidates: Sequence[Statement]) -> Answer[CurationProposal]:
        return await self.answer(Question.CURATE, user_id, text, candidates)

    async def contradict(
        self, user_id: UserId, newer: Statement, candidates: Sequence[Statement]
    ) -> Answer[tuple[ContradictionProposal, ...]]:
        return await self.answer(Question.CONTRADICT, user_id, newer, candidates)

    async def refine(self, user_id: UserId, known: str, said: str) -> Answer[RefinementProposal]:
        return await self.answer(Question.REFINE, user_id, known, said)

    async def distil(self, user_id: UserId, members: Sequence[Statement]) -> Answer[Distillate]:
        return await self.answer(Question.DISTIL, user_id, members)

    async def schema(self, user_id: UserId, members: Sequence[Statement]) -> Answer[InducedSchema]:
        return await self.answer(Question.SCHEMA, user_id, members)

    async def links(self, user_id: UserId, pairs: Sequence[LinkablePair]) -> Answer[tuple[LinkProposal, ...]]:
        return await self.answer(Question.LINKS, user_id, pairs)

    async def episode(self, user_id: UserId, utterances: Sequence[Utterance]) -> Answer[EpisodeDigest]:
        return await self.answer(Question.EPISODE, user_id, utterances)

    async def relationship(
        self, user_id: UserId, utterances: Sequence[Utterance], *, known_jokes: Sequence[str] = ()
    ) -> Answer[RelationshipSigns]:
        return await self.answer(Question.RELATIONSHIP, user_id, utterances, known_jokes=known_jokes)

    async def merge(self, user_id: UserId, statements: Sequence[Statement]) -> Answer[str]:
        return await self.answer(Question.MERGE, user_id, statements)

    async def insights(
        self, user_id: UserId, episodes: Sequence[EpisodeLine], *, known_facts: Sequence[str] = ()
    ) -> Answer[tuple[Insight, ...]]:
        return await self.answer(Question.INSIGHTS, user_id, episodes, known_facts=known_facts)


async def ask(model: LanguageModel, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
    """The answer to a question that is named by value: the method of that name."""
    answer: Answer[Any] = await getattr(model, question)(user_id, *given, **known)
    return answer
