"""The questions of the port as a language model is asked them: what it is shown, the form of its answer, and a reader.

A question is a row of the table at the end. Its reader gives values of `domain/asked.py`; whether they may be believed
is checked elsewhere (domain/answer_checks.py).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any

from graph_memory.domain.asked import (
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
    PersonMention,
    Question,
    RefinementProposal,
    RefinementVerdict,
    RelationshipSigns,
    StatedDecision,
    StatedFact,
    Statement,
    Tone,
    Utterance,
)
from graph_memory.domain.contradiction import Conflict
from graph_memory.domain.curation import Update
from graph_memory.domain.grounding import support
from graph_memory.domain.link import FAMILY, SYSTEM_ONLY, LinkFamily, LinkType
from graph_memory.domain.memory import EMOTIONS, Emotion
from graph_memory.domain.people import EvidenceType
from graph_memory.domain.vocabulary import Category, WriteOperation
from graph_memory.inference.reply_reading import (
    Item,
    UnreadableReplyError,
    items,
    number,
    optional_text,
    place,
    reply_of,
    text,
    texts,
    word,
    yes,
)

Json = Mapping[str, Any]
Read = tuple[Any, int]


class _Standing(StrEnum):
    CONFLICT = "conflict"
    COMPATIBLE = "compatible"
    UNRELATED = "unrelated"


class _End(StrEnum):
    FIRST = "first"
    SECOND = "second"


# Forms of answers, in the subset of JSON Schema that structured outputs know: no ranges, everything required.

_TEXT: Json = {"type": "string"}
_NUMBER: Json = {"type": "number"}
_WHOLE: Json = {"type": "integer"}
_YES_OR_NO: Json = {"type": "boolean"}
_LINK_TYPES = [
    each
    for each in LinkType
    if FAMILY[each] is not LinkFamily.SEMANTIC and each not in SYSTEM_ONLY | {LinkType.MENTIONED_IN}
]


def _object(**properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list(of: Json) -> Json:
    return {"type": "array", "items": of}


def _one_of(words: Iterable[str]) -> Json:
    return {"type": "string", "enum": [str(each) for each in words]}


def _or_null(form: Json) -> Json:
    return {"anyOf": [form, {"type": "null"}]}


# What a model is shown


def _numbered(statements: Iterable[Statement]) -> list[Json]:
    return [{"n": n, "text": each.text} for n, each in enumerate(statements)]


def _messages(utterances: Iterable[Utterance]) -> list[Json]:
    shown: list[Json] = []
    for n, each in enumerate(utterances):
        speaker = {"speaker": each.speaker} if each.speaker else {}
        shown.append({"n": n, "role": each.role, **speaker, "at": _weekday_and_instant(each.at), "text": each.text})
    return shown


def _weekday_and_instant(at: datetime) -> str:
    return f"{at:%A} {at.isoformat(timespec='minutes')}"


def _conversation(utterances: Sequence[Utterance], **known: Sequence[str]) -> Json:
    return {"messages": _messages(utterances), **{name: list(listed) for name, listed in known.items()}}


def _texts_shown(given: Sequence[str]) -> Json:
    return {"texts": [{"n": n, "text": each} for n, each in enumerate(given)]}


def _beside_known(new: str, candidates: Sequence[Statement]) -> Json:
    return {"new": new, "known": _numbered(candidates)}


def _newer_and_known(newer: Statement, candidates: Sequence[Statement]) -> Json:
    return {"newer": newer.text, "known": _numbered(candidates)}


def _known_and_said(known: str, said: str) -> Json:
    return {"known": known, "said": said}


def _members(members: Sequence[Statement]) -> Json:
    return {"memories": _numbered(members)}


def _pairs(pairs: Sequence[LinkablePair]) -> Json:
    shown = [
        {
            "n": n,
            "first": {"at": _weekday_and_instant(each.first_at), "text": each.first.text},
            "second": {"at": _weekday_and_instant(each.second_at), "text": each.second.text},
        }
        for n, each in enumerate(pairs)
    ]
    return {"pairs": shown}


def _episode_lines(episodes: Sequence[EpisodeLine], *, known_facts: Sequence[str] = ()) -> Json:
    shown = [
        {"date": f"{each.at:%Y-%m-%d}", "summary": each.summary, "topics": list(each.topics), "tone": str(each.tone)}
        for each in episodes
    ]
    return {"episodes": shown, "known_facts": list(known_facts)}


# What a model answered


def _read_extraction(reply: Item, utterances: Sequence[Utterance], **_: object) -> Read:
    def fact(otherwise: Category) -> Callable[[Item], StatedFact]:
        def read(item: Item) -> StatedFact:
            said = text(item)
            message = _message_of(item, said, utterances)
            return StatedFact(
                text=said,
                category=word(item, "category", Category, otherwise),
                utterance=message,
                occurred_at=_day(item, utterances[message]),
            )

        return read

    def decision(item: Item) -> StatedDecision:
        said = text(item)
        return StatedDecision(
            text=said,
            utterance=_message_of(item, said, utterances),
            reasoning=optional_text(item, "reasoning"),
            domain=optional_text(item, "domain"),
        )

    def person(item: Item) -> PersonMention:
        name = text(item, "name")
        return PersonMention(
            name=name,
            utterance=_message_of(item, name, utterances),
            context=optional_text(item, "context"),
            sentiment=number(item, "sentiment", 0.0),
            domains=texts(item, "domains"),
            evidence_type=word(item, "evidence_type", EvidenceType, EvidenceType.OBSERVED),
        )

    facts, lost_facts = items(reply, "facts", fact(Category.IDENTITY))
    observations, lost_observations = items(reply, "observations", fact(Category.PATTERN))
    decisions, lost_decisions = items(reply, "decisions", decision)
    persons, lost_persons = items(reply, "persons", person)
    read = Extraction(facts=facts, observations=observations, decisions=decisions, persons=persons)
    return read, lost_facts + lost_observations + lost_decisions + lost_persons


def _message_of(item: Item, said: str, utterances: Sequence[Utterance]) -> int:
    """The message that an item names; where it names none, the one that has most of its words."""
    if item.get("message") is not None:
        return place(item, "message", range(len(utterances)))
    shares = [support(said, [each.text]) for each in utterances]
    if not any(shares):
        raise UnreadableReplyError("it names no message")
    return shares.index(max(shares))


def _day(item: Item, message: Utterance) -> datetime | None:
    """The day that an item names, as its first instant where the message was written."""
    try:
        day = date.fromisoformat((optional_text(item, "date") or "")[:10])
    except ValueError:
        return None
    return datetime.combine(day, time(), message.at.tzinfo or UTC)


def _read_emotions(reply: Item, given: Sequence[str]) -> Read:
    names = (*EMOTIONS, "arousal", "valence")
    return items(reply, "emotions", lambda item: Emotion(**{name: number(item, name, 0.0) for name in names}))


def _read_curation(reply: Item, new: str, candidates: Sequence[Statement]) -> Read:
    try:
        target = place(reply, "target", candidates).id
    except UnreadableReplyError:
        target = None
    operation = word(reply, "operation", WriteOperation)
    update = word(reply, "update", Update) if operation is WriteOperation.UPDATE else None
    proposal = CurationProposal(
        operation=operation,
        replacing=update is Update.REPLACING,
        target_id=target,
        text=optional_text(reply, "text") if update is Update.ENRICHING else None,
        reason=optional_text(reply, "reason"),
    )
    return proposal, 0


def _read_contradictions(reply: Item, newer: Statement, candidates: Sequence[Statement]) -> Read:
    def verdict(item: Item) -> ContradictionProposal:
        conflicts = word(item, "verdict", _Standing) is _Standing.CONFLICT
        return ContradictionProposal(
            id=place(item, "n", candidates).id,
            conflicts=conflicts,
            same_subject=yes(item, "same_subject"),
            same_attribute=yes(item, "same_attribute"),
            conflict=word(item, "conflict", Conflict) if conflicts else None,
            reason=optional_text(item, "reason"),
        )

    return items(reply, "verdicts", verdict)


def _read_refinement(reply: Item, known: str, said: str) -> Read:
    verdict = word(reply, "verdict", RefinementVerdict)
    proposal = RefinementProposal(
        verdict=verdict, text=optional_text(reply, "text"), reason=optional_text(reply, "reason")
    )
    return proposal, 0


def _read_distillate(reply: Item, members: Sequence[Statement]) -> Read:
    return Distillate(text=text(reply), category=word(reply, "category", Category, Category.OTHER)), 0


def _read_schema(reply: Item, members: Sequence[Statement]) -> Read:
    return InducedSchema(text=text(reply), domain=optional_text(reply, "domain")), 0


def _read_links(reply: Item, pairs: Sequence[LinkablePair]) -> Read:
    def link(item: Item) -> LinkProposal:
        pair = place(item, "pair", pairs)
        ends = {_End.FIRST: pair.first.id, _End.SECOND: pair.second.id}
        return LinkProposal(
            type=word(item, "type", LinkType),
            source=ends[word(item, "from", _End)],
            target=ends[word(item, "to", _End)],
            confidence=number(item, "confidence"),
            reason=optional_text(item, "reason"),
        )

    return items(reply, "links", link)


def _read_episode(reply: Item, utterances: Sequence[Utterance]) -> Read:
    digest = EpisodeDigest(
        summary=text(reply, "summary"),
        topics=texts(reply, "topics"),
        tone=word(reply, "tone", Tone, Tone.NEUTRAL),
        key_decisions=texts(reply, "key_decisions"),
        importance=number(reply, "importance", 0.5),
    )
    return digest, 0


def _read_relationship(reply: Item, utterances: Sequence[Utterance], **_: object) -> Read:
    notes, dropped = items(reply, "communication_notes", lambda item: (text(item, "trait"), text(item, "value")))
    signs = RelationshipSigns(
        new_inside_jokes=texts(reply, "new_inside_jokes"),
        shared_references=texts(reply, "shared_references"),
        communication_notes=dict(notes),
        mood=optional_text(reply, "mood"),
    )
    return signs, dropped


def _read_merged(reply: Item, statements: Sequence[Statement]) -> Read:
    return text(reply), 0


def _read_insights(reply: Item, episodes: Sequence[EpisodeLine], **_: object) -> Read:
    return items(
        reply,
        "insights",
        lambda item: Insight(text=text(item), category=word(item, "category", Category, Category.IDENTITY)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a question is put to a model."""

    shown: Callable[..., Json]  # of what was given with the question
    schema: Json
    read: Callable[..., Read]  # of a reply and what was given
    main: str | None = None  # the list that a bare list belongs to

    def data(self, *given: Any, **known: Any) -> str:
        """What a model is shown, as one line of JSON."""
        return json.dumps(self.shown(*given, **known), ensure_ascii=False)

    def value(self, reply: str, *given: Any, **known: Any) -> Read:
        """What a reply says, and how many items could not be read. Raises UnreadableReplyError."""
        return self.read(reply_of(reply, list(self.schema["properties"]), self.main), *given, **known)


_FACT = _object(text=_TEXT, category=_one_of(Category), message=_WHOLE, date=_or_null(_TEXT))
_DECISION = _object(text=_TEXT, reasoning=_or_null(_TEXT), domain=_or_null(_TEXT), message=_WHOLE)
_PERSON = _object(
    name=_TEXT,
    message=_WHOLE,
    context=_or_null(_TEXT),
    sentiment=_NUMBER,
    domains=_list(_TEXT),
    evidence_type=_one_of(EvidenceType),
)
_VERDICT = _object(
    n=_WHOLE,
    verdict=_one_of(_Standing),
    same_subject=_YES_OR_NO,
    same_attribute=_YES_OR_NO,
    conflict=_or_null(_one_of(Conflict)),
    reason=_TEXT,
)
_LINK = _object(
    pair=_WHOLE,
    type=_one_of(_LINK_TYPES),
    **{"from": _one_of(_End), "to": _one_of(_End)},
    confidence=_NUMBER,
    reason=_TEXT,
)

FORMS: Mapping[Question, Form] = {
    Question.EXTRACT: Form(
        shown=_conversation,
        schema=_object(
            facts=_list(_FACT), observations=_list(_FACT), decisions=_list(_DECISION), persons=_list(_PERSON)
        ),
        read=_read_extraction,
        main="facts",
    ),
    Question.EMOTION: Form(
        shown=_texts_shown,
        schema=_object(emotions=_list(_object(**dict.fromkeys((*EMOTIONS, "arousal", "valence"), _NUMBER)))),
        read=_read_emotions,
        main="emotions",
    ),
    Question.CURATE: Form(
        shown=_beside_known,
        schema=_object(
            operation=_one_of(WriteOperation),
            update=_or_null(_one_of(Update)),
            target=_or_null(_WHOLE),
            text=_or_null(_TEXT),
            reason=_TEXT,
        ),
        read=_read_curation,
    ),
    Question.CONTRADICT: Form(
        shown=_newer_and_known,
        schema=_object(verdicts=_list(_VERDICT)),
        read=_read_contradictions,
        main="verdicts",
    ),
    Question.REFINE: Form(
        shown=_known_and_said,
        schema=_object(verdict=_one_of(RefinementVerdict), text=_or_null(_TEXT), reason=_TEXT),
        read=_read_refinement,
    ),
    Question.DISTIL: Form(
        shown=_members, schema=_object(text=_TEXT, category=_one_of(Category)), read=_read_distillate
    ),
    Question.SCHEMA: Form(shown=_members, schema=_object(text=_TEXT, domain=_or_null(_TEXT)), read=_read_schema),
    Question.LINKS: Form(shown=_pairs, schema=_object(links=_list(_LINK)), read=_read_links, main="links"),
    Question.EPISODE: Form(
        shown=_conversation,
        schema=_object(
            summary=_TEXT,
            topics=_list(_TEXT),
            tone=_one_of(Tone),
            key_decisions=_list(_TEXT),
            importance=_NUMBER,
        ),
        read=_read_episode,
    ),
    Question.RELATIONSHIP: Form(
        shown=_conversation,
        schema=_object(
            new_inside_jokes=_list(_TEXT),
            shared_references=_list(_TEXT),
            communication_notes=_list(_object(trait=_TEXT, value=_TEXT)),
            mood=_or_null(_TEXT),
        ),
        read=_read_relationship,
    ),
    Question.MERGE: Form(shown=_members, schema=_object(text=_TEXT), read=_read_merged),
    Question.INSIGHTS: Form(
        shown=_episode_lines,
        schema=_object(insights=_list(_object(text=_TEXT, category=_one_of(Category)))),
        read=_read_insights,
        main="insights",
    ),
}
