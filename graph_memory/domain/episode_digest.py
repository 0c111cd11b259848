"""An episode summed up by rules: careful rather than clever, and silent where words alone do not tell.

The summary is the opening of what the user said. A topic is a name or a word that several turns share. A decision is a
sentence of the user's that says that something was decided. The tone is one that the user's own words show plainly, or
what the emotions of the turns agree on; else neutral.

Source: constants.md 2.8 (Episode, fallback); the rules beyond the fallback are ours, English first.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph_memory.domain.asked import EpisodeDigest, Tone, Utterance
from graph_memory.domain.bounds import within_one
from graph_memory.domain.cues import holds_cue
from graph_memory.domain.draft import is_user
from graph_memory.domain.identity import name_key
from graph_memory.domain.memory import Emotion
from graph_memory.domain.names import capitalised_names
from graph_memory.domain.statement import STOP_WORDS
from graph_memory.domain.text import script_query_terms, words

SUMMARY_CHARACTERS = 100
_MOST_TOPICS, _MOST_DECISIONS = 5, 5
_TOPIC_WORDS = 3
_LEAST_LETTERS = 4
_LEAST_UTTERANCES = 2  # that a topic must be spoken of in
_DECISION_CHARACTERS = 200

# Words that many turns share whatever they are about.
_COMMON = frozenset(
    """
    about above actually again almost along already also although always another anyone anything anyway around asked
    back because been before begin being best better between both bring came can't cannot come comes could course
    didn't different does doesn't doing done don't down each early either else enough even ever every everyone
    everything exactly feel feels felt find first found from gave getting give given gives goes going gone good great
    guess happen happened hard hello help here hope idea indeed instead isn't it's i'd i'll i'm i've just keep kind knew
    know known last late later least less let's like likely likes little long look looking looks made make makes making
    many maybe mean means mine month more most much must myself need needs never next nice night nothing often okay once
    only other others ought over people perhaps person please pretty probably quite rather read really reason right
    said same says seem seems seen since some someone something sometimes soon sorry sort sounds start started still
    such sure take taken takes talk tell thank thanks that's their them then there there's these they thing things
    think thinking this those though thought through time times today together told tomorrow tonight took totally
    towards tried true trying understand until usually very wait want wanted wants wasn't we'll we're we've week
    weeks well went were what what's when where whether which while whole whose wish with within without won't wonder
    work works would wouldn't wrong year years yesterday you'd you'll you're you've yours yourself hours minutes days
    """.split()
)

_DECIDED = (
    "i decided",
    "i've decided",
    "i have decided",
    "we decided",
    "we've decided",
    "we have decided",
    "i've chosen",
    "we've chosen",
    "i chose",
    "we chose",
    "we agreed",
    "we've agreed",
    "let's go with",
    "i'll go with",
    "we'll go with",
    "i'm going with",
    "we're going with",
    "it's settled",
    "he decidido",
    "hemos decidido",
    "decidimos",
)
_UNDECIDED = (
    "if",
    "haven't decided",
    "have not decided",
    "not decided",
    "undecided",
    "should",
    "before",
    "until",
    "si",
)
_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]?")

_TONE_CUES: dict[Tone, tuple[str, ...]] = {
    Tone.FRUSTRATED: (
        *("frustrated", "frustrating", "annoyed", "annoying", "fed up", "sick of", "still doesn't work"),
        *("still not working", "keeps failing", "drives me mad", "ugh", "frustrada", "frustrado"),
    ),
    Tone.STRESSED: (
        *("stressed", "stressful", "overwhelmed", "panicking", "anxious", "under pressure", "can't sleep"),
        *("so much pressure", "estresada", "estresado", "agobiada", "agobiado"),
    ),
    Tone.EXCITED: (
        *("so excited", "i'm excited", "excited about", "can't wait", "thrilled", "over the moon"),
        *("emocionada", "emocionado", "qué ganas"),
    ),
    Tone.PLAYFUL: ("haha", "hahaha", "lol", "just kidding", "only joking", "jaja", "jajaja", "😂", "🤣", "😜"),
    Tone.REFLECTIVE: (
        *("looking back", "in hindsight", "i keep wondering", "i've been thinking about", "i realised", "i realized"),
        *("it made me think", "mirando atrás"),
    ),
    Tone.POSITIVE: (
        *("i'm so happy", "i'm happy", "i love it", "wonderful news", "great news", "i'm grateful", "so glad"),
        *("i'm proud", "estoy feliz", "me alegro"),
    ),
}
_TONE_SHARE = 1 / 3  # of the user's turns that must show a tone
_FEELING_VALENCE, _FEELING_AROUSAL = 0.35, 0.5  # from where on emotions alone give a tone


@dataclass(frozen=True, slots=True)
class _Topic:
    """A word or name, how many utterances speak of it, and where it came up first."""

    text: str
    utterances: int
    place: int
    is_name: bool


def digest_by_rules(utterances: Sequence[Utterance], emotions: Sequence[Emotion] = ()) -> EpisodeDigest:
    """What an episode was about.

    Args:
        utterances: its turns in order.
        emotions: those of the user's turns, in order; empty when they are not known.
    """
    decisions = tuple(decisions_in(utterances))
    tone = _tone(utterances, emotions)
    return EpisodeDigest(
        summary=opening_of(utterances),
        topics=tuple(topics_of(utterances)),
        tone=tone,
        key_decisions=decisions,
        importance=_importance(utterances, decisions, tone),
    )


def opening_of(utterances: Sequence[Utterance]) -> str:
    """The first 100 characters of the first thing that the user said; where they said nothing, the number of turns."""
    opening = next((each.text for each in utterances if is_user(each.role)), None)
    if opening is not None:
        return opening[:SUMMARY_CHARACTERS]
    return "1 turn" if len(utterances) == 1 else f"{len(utterances)} turns"


def topics_of(utterances: Sequence[Utterance]) -> Iterable[str]:
    """Names and words that at least two turns share, those that most turns speak of first."""
    spoken: Counter[str] = Counter()
    first: dict[str, _Topic] = {}
    for place, utterance in enumerate(utterances):
        for topic in _candidates(utterance.text, place):
            spoken[name_key(topic.text)] += 1
            first.setdefault(name_key(topic.text), topic)
    found = [replace(first[key], utterances=count) for key, count in spoken.items() if count >= _LEAST_UTTERANCES]
    ordered = sorted(found, key=lambda topic: (-topic.utterances, not topic.is_name, topic.place, topic.text))
    return [topic.text for topic in _distinct(ordered)][:_MOST_TOPICS]


def decisions_in(utterances: Sequence[Utterance]) -> Iterable[str]:
    """The sentences in which the user says that something was decided, each once, in order."""
    found: dict[str, str] = {}
    for utterance in utterances:
        if not is_user(utterance.role):
            continue
        for sentence in map(str.strip, _SENTENCE.findall(utterance.text)):
            if holds_cue(sentence, _DECIDED) and not holds_cue(sentence, _UNDECIDED) and sentence[-1:] not in "?？":
                found.setdefault(name_key(sentence), sentence[:_DECISION_CHARACTERS])
    return list(found.values())[:_MOST_DECISIONS]


def _candidates(text: str, place: int) -> Iterable[_Topic]:
    """What a turn may be about: the names in it and its telling words, each once."""
    found = {word: _Topic(word, 1, place, is_name=False) for word in words(text) if _is_telling(word)}
    for mention in capitalised_names(text):
        name = " ".join(mention.name.split())
        if len(name.split()) <= _TOPIC_WORDS:
            found[name_key(name)] = _Topic(name, 1, place, is_name=True)
    return found.values()


def _is_telling(word: str) -> bool:
    if len(word) < _LEAST_LETTERS or word in STOP_WORDS or word in _COMMON or not word.isalpha():
        return False
    return word.isascii() or not script_query_terms(word)  # a run without blanks is a sentence, not a word


def _distinct(topics: Iterable[_Topic]) -> Iterable[_Topic]:
    """Without words that stand within a name that is a topic too, and without a word's other number."""
    kept: list[_Topic] = []
    for topic in topics:
        key = name_key(topic.text)
        if not any(_says_the_same(key, name_key(other.text)) for other in kept):
            kept.append(topic)
    return kept


def _says_the_same(key: str, other: str) -> bool:
    return key in other.split() or other in key.split() or key in (f"{other}s", f"{other}es") or other == f"{key}s"


def _tone(utterances: Sequence[Utterance], emotions: Sequence[Emotion]) -> Tone:
    said = [each.text for each in utterances if is_user(each.role)]
    shown = {tone: sum(holds_cue(text, cues) for text in said) for tone, cues in _TONE_CUES.items()}
    tone, turns = max(shown.items(), key=lambda entry: entry[1])  # of equal ones the first, which weigh most
    if turns and turns >= _TONE_SHARE * len(said):
        return tone
    return _felt(emotions)


def _felt(emotions: Sequence[Emotion]) -> Tone:
    """What emotions agree on in the mean."""
    if not emotions:
        return Tone.NEUTRAL
    valence = sum(each.valence for each in emotions) / len(emotions)
    arousal = sum(each.arousal for each in emotions) / len(emotions)
    if valence >= _FEELING_VALENCE:
        return Tone.EXCITED if arousal >= _FEELING_AROUSAL else Tone.POSITIVE
    if valence <= -_FEELING_VALENCE and arousal >= _FEELING_AROUSAL:
        fear, anger = sum(each.fear for each in emotions), sum(each.anger for each in emotions)
        return Tone.STRESSED if fear >= anger else Tone.FRUSTRATED
    return Tone.NEUTRAL


def _importance(utterances: Sequence[Utterance], decisions: Sequence[str], tone: Tone) -> float:
    """0..1: from what was decided (0.2 each, two count), whether it moved (0.2), and length (0.01 a turn, 20 count)."""
    moved = 0.2 if tone is not Tone.NEUTRAL else 0.0
    return within_one(0.2 + 0.2 * min(len(decisions), 2) + moved + 0.01 * min(len(utterances), 20))
