"""Commands on what a memory says and how far it is believed, and on what an answer was worth."""

from typing import Annotated

import typer

from graph_memory.cli.acting import act_on_memory
from graph_memory.cli.chains import history_table
from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.documents import memory_document, plain
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import After, AsJson, First, Identifier, Reason, User, instant
from graph_memory.cli.shown import memory_lines, numbered
from graph_memory.client import checked_user_id
from graph_memory.domain.prompt_text import tokens
from graph_memory.domain.vocabulary import UserId

Arousal = Annotated[float | None, typer.Option(metavar="0..1", help="How aroused the moment was; moves belief more.")]


def correct(
    memory_id: Identifier,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it should have said.")],
    reason: Reason = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Give a memory whose text was wrong the right one; the old text is kept."""
    act_on_memory(
        user,
        as_json,
        "Corrected",
        lambda services, user_id: services.revise.correct(user_id, memory_id, text, reason=reason),
    )


def confirm(
    memory_id: Identifier,
    arousal: Arousal = None,
    reason: Reason = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Say that it is so: it is believed more."""
    act_on_memory(
        user,
        as_json,
        "Confirmed",
        lambda services, user_id: services.use.confirm(user_id, memory_id, arousal=arousal, reason=reason),
    )


def doubt(
    memory_id: Identifier,
    arousal: Arousal = None,
    reason: Reason = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Say that it may not be so: it is believed less."""
    act_on_memory(
        user,
        as_json,
        "Doubted",
        lambda services, user_id: services.use.doubt(user_id, memory_id, arousal=arousal, reason=reason),
    )


def supersede(
    memory_id: Annotated[str, typer.Argument(metavar="OLD", help="The id of the memory that no longer holds.")],
    by: Annotated[str, typer.Argument(metavar="NEW", help="The id of the memory that takes its place.")],
    at: Annotated[str | None, typer.Option(metavar="DATE", help="When; default: where the new one begins.")] = None,
    reason: Reason = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Put one memory in the place of another, since the world has changed."""
    ends_at = instant("at", at)
    act_on_memory(
        user,
        as_json,
        "Superseded",
        lambda services, user_id: services.revise.supersede(user_id, memory_id, by, at=ends_at, reason=reason),
    )


def pin(memory_id: Identifier, user: User = "default", as_json: AsJson = False) -> None:
    """Keep a memory from ever fading."""
    act_on_memory(user, as_json, "Pinned", lambda services, user_id: services.use.pin(user_id, memory_id))


def unpin(memory_id: Identifier, user: User = "default", as_json: AsJson = False) -> None:
    """Let a memory fade again."""
    act_on_memory(user, as_json, "Unpinned", lambda services, user_id: services.use.unpin(user_id, memory_id))


def touch(
    memory_ids: Annotated[list[str], typer.Argument(metavar="ID...", help="The ids of memories.")],
    at: Annotated[str | None, typer.Option(metavar="DATE", help="When; default: now.")] = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Use memories once, as if they had been recalled."""
    used_at = instant("at", at)

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            touched = await services.use.touch(user_id, memory_ids, at=used_at)
            if as_json:
                now = services.clock.now()
                print_json([memory_document(each, services.settings, now) for each in touched])
            else:
                answers.print(numbered((f"{each.access_count}×", memory_lines(each)) for each in touched))

    run(work(checked_user_id(user)))


def feedback(
    receipt_id: Annotated[str, typer.Argument(metavar="RECEIPT", help="The id that the answer came with.")],
    used: Annotated[list[str] | None, typer.Option(metavar="ID", help="A hit of use; may be repeated.")] = None,
    misleading: Annotated[list[str] | None, typer.Option(metavar="ID", help="A hit that misled; repeatable.")] = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Say which hits of an answer were of use, and which misled."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            named = await services.feedback(user_id, receipt_id, used=used or (), misleading=misleading or ())
            if as_json:
                now = services.clock.now()
                print_json([memory_document(each, services.settings, now) for each in named])
            else:
                answers.print(numbered((f"{each.access_count}×", memory_lines(each)) for each in named))

    run(work(checked_user_id(user)))


def context(
    token_budget: Annotated[int | None, typer.Option(metavar="N", help="Most tokens of the text.")] = None,
    bucket: Annotated[str | None, typer.Option("--bucket", "-b", metavar="NAME", help="Within, and general.")] = None,
    episodes: Annotated[int | None, typer.Option(metavar="N", help="How many of the last episodes.")] = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Print what an agent should know before anybody asks, as text for a prompt."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            text = await services.agent_context(user_id, token_budget=token_budget, bucket=bucket, episodes=episodes)
            if as_json:
                print_json({"context": text, "tokens": tokens(text)})
            elif text:
                answers.print(text, markup=False, soft_wrap=True)
            else:
                note("There is nothing to tell.")

    run(work(checked_user_id(user)))


def history(
    memory_id: Identifier, first: First = None, after: After = None, user: User = "default", as_json: AsJson = False
) -> None:
    """Show what happened to a memory: its earlier texts, and every change, the latest first."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            memory = await services.inspect.memory(user_id, memory_id)
            versions = (await services.inspect.versions(user_id, [memory.id])).get(memory.id, [])
            page = await services.inspect.changes_of(user_id, memory.id, first=first, after=after)
            cursor = page.next_cursor
            if as_json:
                print_json({"versions": plain(versions), "changes": plain(page.items), "next": cursor})
                return
            answers.print(memory_lines(memory))
            answers.print(history_table(versions, page.items))
            if cursor:
                note(f"Go on with --after {cursor}")

    run(work(checked_user_id(user)))
