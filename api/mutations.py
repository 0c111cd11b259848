"""The root of mutations: one service call each."""

from datetime import datetime
from typing import Annotated

import strawberry

from api.answers import FeedbackInput
from api.context import ApiInfo
from api.episodes import Episode, TurnInput, drafts
from api.extraction import ExtractionReport
from api.fields import answers, output
from api.given import given, given_list
from api.links import Link
from api.memories import Memory
from api.names import Person, person_changed
from api.sleep import SleepReport
from api.succession import DecideInput, DecidePayload
from api.trust import MentionInput
from api.users import UserSettings
from api.writing import (
    ErasePayload,
    ForgetPayload,
    LinkInput,
    RememberInput,
    RememberManyPayload,
    RememberPayload,
    UpdateInput,
    remember_many,
)
from graph_memory.domain.decision import Outcome
from graph_memory.domain.sleep import Beat
from graph_memory.services.meet import CommunicationDraft

ID = strawberry.ID
Reason = str | None


@output
class Mutation:
    """What can be changed."""

    @answers("Remembers one thing; the answer comes when it is stored for good.")
    async def remember(self, info: ApiInfo, input: RememberInput) -> RememberPayload:
        remembered = await info.context.services.remember(
            info.context.user_id, input.draft(), time_zone=given(input.time_zone), wait=bool(input.wait)
        )
        return RememberPayload.of(remembered)

    @answers("Remembers many things; a row that breaks a rule fails alone.")
    async def remember_many(self, info: ApiInfo, inputs: list[RememberInput]) -> RememberManyPayload:
        return await remember_many(info.context, inputs)

    @answers("Changes where a memory belongs and when it holds, never its text.")
    async def update(self, info: ApiInfo, id: ID, input: UpdateInput) -> Memory:
        context = info.context
        return Memory.of(await context.services.amend.update(context.user_id, id, input.update()))

    @answers("Gives a memory whose text was wrong the right one; the old text is kept as a version.")
    async def correct(self, info: ApiInfo, id: ID, text: str, reason: Reason = strawberry.UNSET) -> Memory:
        context = info.context
        return Memory.of(await context.services.revise.correct(context.user_id, id, text, reason=given(reason)))

    @answers("Says that it is so: believed more, and used.")
    async def confirm(
        self, info: ApiInfo, id: ID, arousal: float | None = strawberry.UNSET, reason: Reason = strawberry.UNSET
    ) -> Memory:
        use, user_id = info.context.services.use, info.context.user_id
        return Memory.of(await use.confirm(user_id, id, arousal=given(arousal), reason=given(reason)))

    @answers("Says that it may not be so: believed less.")
    async def doubt(
        self, info: ApiInfo, id: ID, arousal: float | None = strawberry.UNSET, reason: Reason = strawberry.UNSET
    ) -> Memory:
        use, user_id = info.context.services.use, info.context.user_id
        return Memory.of(await use.doubt(user_id, id, arousal=given(arousal), reason=given(reason)))

    @answers("The world changed: `by` takes the place of the memory, which ends at `at`, or where the new one begins.")
    async def supersede(
        self,
        info: ApiInfo,
        id: ID,
        by: ID,
        at: datetime | None = strawberry.UNSET,
        reason: Reason = strawberry.UNSET,
    ) -> Memory:
        context, instant = info.context, await info.context.instant("at", given(at))
        return Memory.of(
            await context.services.revise.supersede(context.user_id, id, by, at=instant, reason=given(reason))
        )

    @answers("Takes a memory out of recall; it stays listed and can be restored.")
    async def forget(self, info: ApiInfo, id: ID, reason: Reason = strawberry.UNSET) -> ForgetPayload:
        context = info.context
        memory = await context.services.amend.forget(context.user_id, id, reason=given(reason))
        return ForgetPayload(memory=Memory.of(memory))

    @answers("Makes a forgotten memory current again.")
    async def restore(self, info: ApiInfo, id: ID, reason: Reason = strawberry.UNSET) -> Memory:
        context = info.context
        return Memory.of(await context.services.amend.restore(context.user_id, id, reason=given(reason)))

    @answers("Removes a memory for good, with all that speaks of it.")
    async def erase(self, info: ApiInfo, id: ID, reason: Reason = strawberry.UNSET) -> ErasePayload:
        context = info.context
        return ErasePayload.of(await context.services.amend.erase(context.user_id, id, reason=given(reason)))

    @answers("Removes all of the user's data for good; `confirm` repeats the user's id.")
    async def erase_everything(self, info: ApiInfo, confirm: str) -> ErasePayload:
        context = info.context
        return ErasePayload.of(await context.services.amend.erase_everything(context.user_id, confirm=confirm))

    @answers("Keeps a memory from ever fading.")
    async def pin(self, info: ApiInfo, id: ID) -> Memory:
        return Memory.of(await info.context.services.use.pin(info.context.user_id, id))

    @answers("Lets a memory fade again.")
    async def unpin(self, info: ApiInfo, id: ID) -> Memory:
        return Memory.of(await info.context.services.use.unpin(info.context.user_id, id))

    @answers("Uses memories once; a use before the last one, or within a minute of it, changes nothing.")
    async def touch(self, info: ApiInfo, ids: list[ID], at: datetime | None = strawberry.UNSET) -> list[Memory]:
        context, instant = info.context, await info.context.instant("at", given(at))
        return [Memory.of(each) for each in await context.services.use.touch(context.user_id, ids, at=instant)]

    @answers("Says which hits of an answer were of use and which misled; each word counts once.")
    async def feedback(self, info: ApiInfo, input: FeedbackInput) -> list[Memory]:
        context = info.context
        named = await context.services.feedback(
            context.user_id,
            input.receipt_id,
            used=given_list(input.used) or (),
            misleading=given_list(input.misleading) or (),
        )
        return [Memory.of(each) for each in named]

    @answers("Enters a decision; the one that stood on its topic gives way.")
    async def decide(self, info: ApiInfo, input: DecideInput) -> DecidePayload:
        context = info.context
        return DecidePayload.of(await context.services.ledger.decide(context.user_id, await input.draft(context)))

    @answers("Says what came of a decision.")
    async def record_outcome(
        self, info: ApiInfo, id: ID, outcome: Outcome, reason: Reason = strawberry.UNSET
    ) -> Memory:
        ledger, user_id = info.context.services.ledger, info.context.user_id
        return Memory.of(await ledger.record_outcome(user_id, id, outcome, reason=given(reason)))

    @answers("Links two nodes, or raises the link that is there to the larger weight.")
    async def link(self, info: ApiInfo, input: LinkInput) -> Link:
        link = await info.context.services.links.link(
            info.context.user_id,
            input.type,
            input.source,
            input.target,
            weight=1.0 if input.weight is None else input.weight,
            reason=given(input.reason),
        )
        return Link.of(link)

    @answers("Removes a link by its id.")
    async def unlink(self, info: ApiInfo, id: ID) -> bool:
        return await info.context.services.links.unlink(info.context.user_id, id)

    @answers("Takes down what was said of a person, or that they did; one who is not known yet becomes known.")
    async def mention(self, info: ApiInfo, input: MentionInput) -> Person:
        context, draft = info.context, await input.draft(info.context)
        return person_changed(context, await context.services.meet.mention(context.user_id, draft))

    @answers("Makes two people one; `undoMerge` takes the id of the change.")
    async def merge_people(self, info: ApiInfo, keep: ID, merge: ID, reason: Reason = strawberry.UNSET) -> Person:
        context, merging = info.context, info.context.services.merge_people
        return person_changed(context, await merging.merge(context.user_id, keep, merge, reason=given(reason)))

    @answers("Makes two people of one again.")
    async def undo_merge(self, info: ApiInfo, change_id: ID) -> Person:
        context = info.context
        return person_changed(context, await context.services.merge_people.undo(context.user_id, change_id))

    @answers("Gives a person another name.")
    async def add_alias(self, info: ApiInfo, person_id: ID, alias: str) -> Person:
        context = info.context
        return person_changed(context, await context.services.meet.add_alias(context.user_id, person_id, alias))

    @answers("Notes something on a person.")
    async def add_note(self, info: ApiInfo, person_id: ID, note: str) -> Person:
        context = info.context
        return person_changed(context, await context.services.meet.add_note(context.user_id, person_id, note))

    @answers("Says what `to` is to `from`, as in sister; false when it was said before.")
    async def relate_people(
        self, info: ApiInfo, from_: Annotated[ID, strawberry.argument(name="from")], to: ID, label: str
    ) -> bool:
        context = info.context
        related = await context.services.meet.relate(context.user_id, from_, to, label)
        context.people.clear_all()
        return related

    @answers("Takes down one exchange with a person.")
    async def log_communication(
        self,
        info: ApiInfo,
        person_id: ID,
        channel: str,
        direction: str,
        summary: str,
        sentiment: float | None = strawberry.UNSET,
        at: datetime | None = strawberry.UNSET,
    ) -> Person:
        context = info.context
        exchange = CommunicationDraft(
            channel=channel,
            direction=direction,
            summary=summary,
            sentiment=given(sentiment),
            at=await context.instant("at", given(at)),
        )
        return person_changed(
            context, await context.services.meet.log_communication(context.user_id, person_id, exchange)
        )

    @answers("Begins an episode; `endEpisode` ends it.")
    async def start_episode(self, info: ApiInfo, at: datetime | None = strawberry.UNSET) -> Episode:
        context, instant = info.context, await info.context.instant("at", given(at))
        return Episode.of(await context.services.episodes.start(context.user_id, at=instant))

    @answers("Adds turns to an open episode, and remembers what the user says in them.")
    async def add_turns(self, info: ApiInfo, episode_id: ID, turns: list[TurnInput]) -> Episode:
        context = info.context
        said = await drafts(context, turns)
        return Episode.of(await context.services.episodes.add_turns(context.user_id, episode_id, said))

    @answers(
        "Adds turns to the open episode, or begins one; a silence longer than the session gap ends it and begins"
        " another. The episodes that got any of them, the oldest first."
    )
    async def say(self, info: ApiInfo, turns: list[TurnInput]) -> list[Episode]:
        context = info.context
        told = await context.services.episodes.say(context.user_id, await drafts(context, turns))
        return [Episode.of(each) for each in told]

    @answers("Ends an episode and sums it up; one that has ended is answered as it is.")
    async def end_episode(self, info: ApiInfo, id: ID, at: datetime | None = strawberry.UNSET) -> Episode:
        context, instant = info.context, await info.context.instant("at", given(at))
        return Episode.of(await context.services.episodes.end(context.user_id, id, at=instant))

    @answers("Draws facts, observations, decisions and people from what was said, now; else it follows by itself.")
    async def extract(self, info: ApiInfo, retry_parked: bool = False) -> ExtractionReport:
        context = info.context
        return ExtractionReport.of(await context.services.extract.of_user(context.user_id, parked_too=retry_parked))

    @answers(
        "Removes an episode, its turns, its share of the relationship and of insights; memories of its turns stay."
    )
    async def delete_episode(self, info: ApiInfo, id: ID) -> bool:
        await info.context.services.episodes.delete(info.context.user_id, id)
        return True

    @answers("Changes what the user chose; what is left out, or null, stays as it is.")
    async def update_settings(
        self, info: ApiInfo, time_zone: str | None = strawberry.UNSET, tier_profile: str | None = strawberry.UNSET
    ) -> UserSettings:
        context = info.context
        chosen = await context.services.change_settings(
            context.user_id, time_zone=given(time_zone), tier_profile=given(tier_profile)
        )
        context.drop_settings()
        return UserSettings.of(chosen)

    @answers("Runs a beat of sleep now; REFUSED while one of its kind is under way. A dry run only tells its plan.")
    async def sleep(
        self,
        info: ApiInfo,
        beat: Beat,
        dry_run: bool | None = False,
        at: datetime | None = strawberry.UNSET,
        wait: bool | None = True,
    ) -> SleepReport:
        context = info.context
        run = await context.services.sleep(
            context.user_id,
            beat,
            dry_run=bool(dry_run),
            at=await context.instant("at", given(at)),
            wait=wait is not False,
        )
        return SleepReport.of(run)
