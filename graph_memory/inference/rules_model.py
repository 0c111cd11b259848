"""The language model that is none: every question answered by rules, at once and the same each time.

It is the default. Its answers are useful and careful rather than clever; where the rules cannot know, they say
nothing.
"""

from collections.abc import Sequence

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
from graph_memory.domain.curation import CurationRules
from graph_memory.domain.distillation import distilled_by_rules, schema_by_rules
from graph_memory.domain.draft import is_user
from graph_memory.domain.episode_digest import digest_by_rules
from graph_memory.domain.extraction import ExtractionRules, extract_by_rules
from graph_memory.domain.insights import insights_by_rules
from graph_memory.domain.judged_by_rules import contradicted_by_rules, curated_by_rules, refined_by_rules
from graph_memory.domain.memory import Emotion
from graph_memory.domain.merging import merged_by_rules
from graph_memory.domain.relationship_signs import signs_by_rules
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Embedder, EmotionTagger


class RulesLanguageModel:
    """Answers by rules, over the texts and their vectors (port LanguageModel)."""

    def __init__(
        self,
        *,
        embedder: Embedder,
        tagger: EmotionTagger,
        rules: CurationRules,
        extraction: ExtractionRules | None = None,
    ) -> None:
        self._embedder, self._tagger, self._rules = embedder, tagger, rules
        self._extraction = extraction or ExtractionRules()

    async def extract(
        self,
        user_id: UserId,
        utterances: Sequence[Utterance],
        *,
        known_facts: Sequence[str] = (),
        known_observations: Sequence[str] = (),
    ) -> Answer[Extraction]:
        """Read anew each time: what is known is told apart by curation, where it is written."""
        return Answer(extract_by_rules(utterances, rules=self._extraction))

    async def emotion(self, user_id: UserId, texts: Sequence[str]) -> Answer[tuple[Emotion, ...]]:
        if not texts:
            return Answer(())
        return Answer(tuple(await self._tagger.tag(texts, await self._embedder.embed_passages(texts))))

    async def curate(self, user_id: UserId, text: str, candidates: Sequence[Statement]) -> Answer[CurationProposal]:
        cosines = await self._cosines(text, [each.text for each in candidates])
        return Answer(curated_by_rules(text, candidates, cosines, self._rules))

    async def contradict(
        self, user_id: UserId, newer: Statement, candidates: Sequence[Statement]
    ) -> Answer[tuple[ContradictionProposal, ...]]:
        cosines = await self._cosines(newer.text, [each.text for each in candidates])
        return Answer(contradicted_by_rules(newer.text, candidates, cosines, self._rules))

    async def refine(self, user_id: UserId, known: str, said: str) -> Answer[RefinementProposal]:
        [cosine] = await self._cosines(said, [known])
        return Answer(refined_by_rules(known, said, cosine, self._rules))

    async def distil(self, user_id: UserId, members: Sequence[Statement]) -> Answer[Distillate]:
        return Answer(distilled_by_rules(members))

    async def schema(self, user_id: UserId, members: Sequence[Statement]) -> Answer[InducedSchema]:
        return Answer(schema_by_rules(members))

    async def links(self, user_id: UserId, pairs: Sequence[LinkablePair]) -> Answer[tuple[LinkProposal, ...]]:
        """None: links by rules need more than the texts, and are found where the memories are."""
        return Answer(())

    async def episode(self, user_id: UserId, utterances: Sequence[Utterance]) -> Answer[EpisodeDigest]:
        said = [each.text for each in utterances if is_user(each.role)]
        emotions = await self.emotion(user_id, said)
        return Answer(digest_by_rules(utterances, emotions.value))

    async def relationship(
        self, user_id: UserId, utterances: Sequence[Utterance], *, known_jokes: Sequence[str] = ()
    ) -> Answer[RelationshipSigns]:
        return Answer(signs_by_rules(utterances, known_jokes))

    async def merge(self, user_id: UserId, statements: Sequence[Statement]) -> Answer[str]:
        return Answer(merged_by_rules(statements))

    async def insights(
        self, user_id: UserId, episodes: Sequence[EpisodeLine], *, known_facts: Sequence[str] = ()
    ) -> Answer[tuple[Insight, ...]]:
        return Answer(insights_by_rules(episodes, known_facts))

    async def _cosines(self, text: str, others: Sequence[str]) -> list[float]:
        if not others:
            return []
        vectors = await self._embedder.embed_passages([text, *others])
        return [float(cosine) for cosine in vectors[1:] @ vectors[0]]
