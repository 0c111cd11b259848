"""Makes a life: days with their chats, facts with their times, decisions, questions, quiet weeks and holidays.

A week's kind decides how much is said: ordinary weeks have one or two chats on most days, quiet weeks none at all,
holidays one on some days and about nothing but the journey. What is told or asked on a day without a chat waits for the
next day that has one. All lots come from the seed, so the same seed gives the same life.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from graph_memory.domain.vocabulary import Category
from tests.simulation.life import (
    Asked,
    Decided,
    Happening,
    Life,
    Met,
    Observed,
    Pair,
    Purpose,
    Session,
    Stated,
    Truth,
    Turn,
    key_of,
)
from tests.simulation.lots import Lots
from tests.simulation.people import PEOPLE, Acquaintance, in_circle
from tests.simulation.phrases import LOOKING_UP, REPLIES, SLOTS, SMALL_TALK, STRANDS, TRAVEL, Strand
from tests.simulation.topics import CURIOUS, DECISIONS, HABITS, PINNED, TOPICS, Topic

SEED = 20_310
FIRST_DAY = date(2031, 1, 6)  # a Monday
_GROWING_DAYS = (1, 3, 7, 15, 31, 63)  # after it was told
_BURST_MINUTES = (0, 20, 45, 80, 120, 170)
_CHATS = (time(8, 30), time(19, 30))  # what is told or asked follows half an hour later, so that turns come first
_AFTER_TURNS = timedelta(minutes=30)
_LONGEST_CHAT = 12  # exchanges
_OFTEN = 12  # topics that are asked about again and again; the others now and then
_TRIES = 60  # to say something that has not been said before
_WEEKDAY_STRANDS = {1: "choir", 5: "garden", 6: "boat"}  # what a weekday is mostly about, Monday 0

_NEWS = ("By the way:", "For your notes:", "Something new:", "So that you know:", "Keep this in mind:", "Well,")
_ASKING = ("", "", "Remind me:", "Quick question:", "I forgot:", "Tell me,")
_CONTEXTS: Mapping[bool, tuple[str, ...]] = {
    True: ("kept a promise", "helped without being asked", "listened for a long time", "knew the answer at once"),
    False: ("forgot what was agreed", "came late again", "told me something that was wrong", "did not call back"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How long and how talkative a life is."""

    days: int = 364
    turns: int = 3_000  # about so many messages, of both sides
    pairs: int = 6
    questions: int = 330  # about topics
    quiet_weeks: tuple[int, ...] = (6, 14, 22, 36, 44)  # counted from 0
    holiday_weeks: tuple[int, ...] = (15, 28, 29, 50)
    seed: int = SEED


YEAR = Scale()
QUARTER = Scale(days=91, turns=600, pairs=3, questions=80, quiet_weeks=(5,), holiday_weeks=(9,))


def live(scale: Scale = YEAR) -> Life:
    """The life of that scale; the same at every call."""
    return _Writer(scale).life()


class _Writer:
    def __init__(self, scale: Scale) -> None:
        self._scale, self._lots = scale, Lots(scale.seed)
        self._happenings: dict[int, list[Happening]] = defaultdict(list)  # by day
        self._said: set[str] = set()
        self._talking = [day for day in range(scale.days) if self._talks_on(day)]

    def life(self) -> Life:
        pairs = self._curious()
        truths = [truth for topic in TOPICS for truth in self._topic(topic)]
        self._rules()
        self._decisions()
        self._habits()
        self._mentions()
        self._questions(truths)
        return Life(
            starts_at=_instant(0, time(0)),
            ends_at=_instant(self._scale.days, time(0)),
            truths=tuple(truths),
            sessions=tuple(self._sessions()),
            pairs=tuple(pairs),
        )

    # What happens

    def _curious(self) -> list[Pair]:
        """Pairs of facts told on one day, the one asked about at growing gaps, the other as often at once."""
        pairs = []
        for number in range(self._scale.pairs):
            growing, burst = CURIOUS[2 * number : 2 * number + 2]
            told_on, late = 2 + 2 * number, number % 2 == 1
            pair = Pair(growing=f"curious {2 * number}", burst=f"curious {2 * number + 1}", late=late)
            for key, (text, _) in ((pair.growing, growing), (pair.burst, burst)):
                self._add(Stated(at=self._moment(told_on), key=key, text=text, category=Category.FACT))
            for days in _GROWING_DAYS:
                at = self._at(told_on + days, time(9, 5 + number))
                self._add(Asked(at=at, question=growing[1], about=pair.growing, purpose=Purpose.GROWING))
            first = self._at(told_on + (_GROWING_DAYS[-1] if late else 2), time(9, 15 + number))
            for minutes in _BURST_MINUTES:
                at = first + timedelta(minutes=minutes)
                self._add(Asked(at=at, question=burst[1], about=pair.burst, purpose=Purpose.BURST))
            pairs.append(pair)
        return pairs

    def _topic(self, topic: Topic) -> Iterable[Truth]:
        """The versions of a topic, spread over the life; each ends when the next begins."""
        starts = [self._moment(day) for day in self._changes(len(topic.texts))]
        for version, (starts_at, ends_at) in enumerate(zip(starts, [*starts[1:], None], strict=True)):
            truth = Truth(
                topic=topic.name,
                version=version,
                text=topic.texts[version],
                category=topic.category,
                telling=topic.telling,
                valid_at=starts_at,
                invalid_at=ends_at,
            )
            self._add(
                Stated(
                    at=starts_at,
                    key=truth.key,
                    text=truth.text,
                    category=truth.category,
                    replaces=key_of(topic.name, version - 1) if version else None,
                    telling=topic.telling if version else None,
                )
            )
            yield truth

    def _changes(self, values: int) -> list[int]:
        """The days on which values begin: the first within four weeks, the others three weeks or more after it."""
        days = [self._lots.whole(1, min(28, self._scale.days // 4))]
        for left in range(values - 1, 0, -1):
            room = (self._scale.days - 10 - days[-1]) // left
            if room < 21:
                break
            days.append(days[-1] + self._lots.whole(21, room))
        return days

    def _rules(self) -> None:
        """What is pinned, early on."""
        for place, rule in enumerate(PINNED):
            at = self._moment(1 + 4 * place)
            self._add(Stated(at=at, key=f"rule {place}", text=rule, category=Category.CONTEXT, pinned=True))

    def _decisions(self) -> None:
        for (domain, topic), steps in DECISIONS.items():
            for version, (day, (text, reasoning)) in enumerate(zip(self._changes(len(steps)), steps, strict=False)):
                self._add(
                    Decided(
                        at=self._moment(day),
                        domain=domain,
                        topic=topic,
                        version=version,
                        text=text,
                        reasoning=reasoning,
                    )
                )

    def _habits(self) -> None:
        """Some habits show often, some a few times within days, some once and never again."""
        for place, habit in enumerate(HABITS):
            first = self._lots.whole(2, self._scale.days // 2)
            gaps = ((), (2, 5), (6, 13, 20, 34), (1, 2, 3, 4, 5))[place % 4]
            for day in (first, *(first + gap for gap in gaps)):
                if day < self._scale.days - 2:
                    self._add(Observed(at=self._moment(day), key=f"habit {place}", text=habit))

    def _mentions(self) -> None:
        """Everybody is spoken of now and then."""
        for person in PEOPLE:
            for _ in range(self._lots.whole(1, max(1, self._scale.days // 60))):
                pleasant = self._lots.chance(0.7)
                self._add(
                    Met(
                        at=self._moment(self._lots.whole(0, self._scale.days - 3)),
                        person=person,
                        context=f"{person.name}, {person.role}, {self._lots.one(_CONTEXTS[pleasant])}",
                        sentiment=round(self._lots.between(0.2, 0.9) * (1 if pleasant else -1), 2),
                    )
                )

    def _questions(self, truths: Sequence[Truth]) -> None:
        """A dozen topics are asked about again and again, the others now and then; never before there is an answer."""
        known_from: dict[str, datetime] = {}
        for truth in truths:
            known_from.setdefault(truth.topic, truth.valid_at)
        often = self._lots.some(TOPICS, _OFTEN)
        for _ in range(self._scale.questions):
            topic = self._lots.one(often if self._lots.chance(0.6) else TOPICS)
            at = self._moment(self._lots.whole(3, self._scale.days - 3))
            if at > known_from[topic.name] + timedelta(hours=1):
                question = f"{self._lots.one(_ASKING)} {self._lots.one(topic.questions)}".strip()
                self._add(Asked(at=at, question=question, about=topic.name, purpose=Purpose.NEED))

    def _add(self, happening: Happening) -> None:
        self._happenings[(happening.at.date() - FIRST_DAY).days].append(happening)

    # When

    def _talks_on(self, day: int) -> bool:
        week = day // 7
        if week in self._scale.quiet_weeks:
            return False
        return self._lots.chance(0.5 if week in self._scale.holiday_weeks else 0.92)

    def _at(self, day: int, clock: time) -> datetime:
        """That time of the day, or of the next one that has a chat."""
        return _instant(next((each for each in self._talking if each >= day), self._talking[-1]), clock)

    def _moment(self, day: int) -> datetime:
        """Some minute after a chat of that day."""
        chat = self._at(day, self._lots.one(_CHATS))
        return chat + _AFTER_TURNS + timedelta(minutes=self._lots.whole(0, 100), seconds=self._lots.whole(0, 59))

    # What is said

    def _sessions(self) -> Iterable[Session]:
        exchanges = self._scale.turns / 2 / len(self._talking)
        for day in self._talking:
            happenings = sorted(self._happenings[day], key=lambda each: each.at)
            wanted = round(exchanges * self._lots.between(0.4, 1.6))
            morning = [each for each in happenings if each.at.time() < _CHATS[1]]
            evening = [each for each in happenings if each.at.time() >= _CHATS[1]]
            in_the_morning = self._lots.whole(0, wanted)
            for chat, told, count in (
                (_CHATS[0], morning, in_the_morning),
                (_CHATS[1], evening, wanted - in_the_morning),
            ):
                if told or count:
                    yield self._session(day, chat, told, min(_LONGEST_CHAT, max(1, count)))

    def _session(self, day: int, chat: time, happenings: Sequence[Happening], exchanges: int) -> Session:
        """What happens is said first, as far as the chat reaches; the rest of it is talk."""
        starts_at = _instant(day, chat)
        said = [text for each in happenings if (text := self._words_of(each))][:exchanges]
        spoken = [(text, ()) for text in said] + [self._talk(day) for _ in range(exchanges - len(said))]
        turns = []
        for place, (text, people) in enumerate(spoken):
            at = starts_at + timedelta(minutes=2 * place)
            turns.append(Turn(at=at, by_user=True, text=text, people=people))
            reply = self._lots.one(LOOKING_UP if text.endswith("?") else REPLIES)
            turns.append(Turn(at=at + timedelta(seconds=40), by_user=False, text=reply))
        return Session(id=f"day {day} {chat:%H:%M}", turns=tuple(turns), happenings=tuple(happenings))

    def _words_of(self, happening: Happening) -> str | None:
        """How the user says it; habits are noticed, not said."""
        match happening:
            case Stated(text=text):
                return f"{self._lots.one(_NEWS)} {text}."
            case Decided(text=text, reasoning=reasoning):
                return f"I have decided: {text}, because {reasoning}."
            case Met(context=context):
                return f"{context}."
            case Asked(question=question):
                return question
            case _:
                return None

    def _talk(self, day: int) -> tuple[str, tuple[str, ...]]:
        """Something not said before, with the people it names."""
        for _ in range(_TRIES):
            text, people = self._draft(day)
            if text not in self._said:
                break
        self._said.add(text)
        return text, people

    def _draft(self, day: int) -> tuple[str, tuple[str, ...]]:
        if day // 7 in self._scale.holiday_weeks:
            return self._told(self._lots.one(TRAVEL), PEOPLE)
        if self._lots.chance(0.3):
            return self._lots.filled(self._lots.one(SMALL_TALK), SLOTS), ()
        strand = self._strand(day)
        return self._told(self._lots.one(strand.told), in_circle(strand.circle))

    def _strand(self, day: int) -> Strand:
        usual = _WEEKDAY_STRANDS.get(day % 7)
        if usual and self._lots.chance(0.6):
            return next(each for each in STRANDS if each.name == usual)
        return self._lots.one(STRANDS)

    def _told(self, template: str, company: Sequence[Acquaintance]) -> tuple[str, tuple[str, ...]]:
        person = self._lots.one(company).name
        people = (person,) if "{person}" in template else ()
        return self._lots.filled(template, {**SLOTS, "person": (person,)}), people


def _instant(day: int, clock: time) -> datetime:
    return datetime.combine(FIRST_DAY + timedelta(days=day), clock, UTC)
