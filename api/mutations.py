"""The root of mutations: one service call each."""

import strawberry

from api.context import ApiInfo
from api.fields import answers, output
from api.given import given
from api.links import Link
from api.memories import Memory
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
