"""Commands on chats: what is said, which episodes there were, and how user and agent stand."""

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.documents import episode_document, plain, relationship_document
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import After, AsJson, First, User, instant
from graph_memory.cli.shown import numbered
from graph_memory.client import checked_user_id
from graph_memory.domain.dates import age_words
from graph_memory.domain.episode import Episode, Role, Turn, TurnDraft
from graph_memory.domain.memory import Json
from graph_memory.domain.relationship_text import relationship_lines
from graph_memory.domain.vocabulary import UserId
from graph_memory.services.zones import zone_of

EpisodeId = Annotated[str, typer.Argument(metavar="ID", help="The id of an episode.")]
At = Annotated[str | None, typer.Option(metavar="DATE", help="When; default: now.")]


def say(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was said.")],
    role: Annotated[Role, typer.Option(help="Who said it.")] = Role.USER,
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Their name.")] = None,
    at: At = None,
    episode: Annotated[str | None, typer.Option(metavar="ID", help="In which episode; default: the open one.")] = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Say something: it joins the open episode, or begins one, and what the user says is remembered."""
    turn = TurnDraft(role=role.value, content=text, speaker=speaker, at=instant("at", at))

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            if episode is None:
                [told] = await services.episodes.say(user_id, [turn])
            else:
                told = await services.episodes.add_turns(user_id, episode, [turn])
            if as_json:
                print_json(episode_document(told))
            else:
                answers.print(f"[green]Said[/], turn {told.turn_count} of episode {told.id}", soft_wrap=True)

    run(work(checked_user_id(user)))


def list_episodes(
    search: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="Words to look for.")] = None,
    first: First = None,
    after: After = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """List the latest episodes, or those that hold any of some words, best first."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            find = services.find_episodes
            scored: list[tuple[Episode, float | None]]
            if search is None:
                listed = await find.listed(user_id, first=first, after=after)
                cursor, scored = listed.next_cursor, [(each, None) for each in listed.items]
            else:
                found = await find.search(user_id, search, first=first, after=after)
                cursor, scored = found.next_cursor, [(each.episode, each.score) for each in found.items]
            if as_json:
                documents = [{**episode_document(each), "score": score} for each, score in scored]
                print_json({"episodes": list(documents), "next": cursor})
                return
            zone, now = zone_of((await services.inspect.settings(user_id)).time_zone), services.clock.now()
            labelled = [(age_words(each.started_at, now, zone=zone), _lines(each)) for each, _ in scored]
            _print_list(labelled, "episodes", cursor)

    run(work(checked_user_id(user)))


def episode(
    episode_id: EpisodeId, first: First = None, after: After = None, user: User = "default", as_json: AsJson = False
) -> None:
    """Show an episode with what was said in it."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            shown = await services.find_episodes.episode(user_id, episode_id)
            page = await services.find_episodes.turns(user_id, shown.id, first=first, after=after)
            if as_json:
                turns = [_turn_document(each) for each in page.items]
                print_json({**episode_document(shown), "turns": list(turns), "next": page.next_cursor})
                return
            answers.print(_lines(shown))
            _print_list(
                [(each.speaker or each.role, Text(each.text)) for each in page.items], "turns", page.next_cursor
            )

    run(work(checked_user_id(user)))


def end_episode(
    episode_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Default: the open one.")] = None,
    at: At = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """End an episode and sum it up."""
    ends_at = instant("at", at)

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            ended = await services.episodes.end(user_id, episode_id, at=ends_at)
            if as_json:
                print_json(episode_document(ended))
            else:
                answers.print("[green]Ended.[/]")
                answers.print(_lines(ended))

    run(work(checked_user_id(user)))


def delete_episode(episode_id: EpisodeId, user: User = "default", as_json: AsJson = False) -> None:
    """Delete an episode with what was said in it; memories made of it stay."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            await services.episodes.delete(user_id, episode_id)
            if as_json:
                print_json({"deleted": episode_id})
            else:
                answers.print("[green]Deleted.[/] What was remembered of it stays.")

    run(work(checked_user_id(user)))


def relationship(user: User = "default", as_json: AsJson = False) -> None:
    """Show how the user and the agent stand."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            shown, rules = await services.relationship(user_id), services.settings.curation.relationship_rules()
            if as_json:
                print_json(relationship_document(shown, rules))
                return
            zone = zone_of((await services.inspect.settings(user_id)).time_zone)
            today = services.clock.now().astimezone(zone).date()
            lines = relationship_lines(shown, today=today, rules=rules)
            for line in lines:
                answers.print(line, markup=False)
            if not lines:
                note("There was no episode yet.")

    run(work(checked_user_id(user)))


def _lines(shown: Episode) -> Text:
    digest = shown.digest
    text = Text(digest.summary if digest else "still open" if shown.is_open else "too short to be summed up")
    facts: Sequence[str] = [f"{shown.turn_count} turns"]
    if digest:
        facts = [*facts, digest.tone.value, *digest.topics]
    text.append(f"\n{' · '.join(facts)}", style="dim")
    for decision in digest.key_decisions if digest else ():
        text.append(f"\n→ {decision}", style="dim")
    text.append(f"\n{shown.id}", style="dim")
    return text


def _print_list(items: Iterable[tuple[str, RenderableType]], called: str, cursor: str | None) -> None:
    listed = list(items)
    answers.print(numbered(listed))
    note(f"{len(listed)} {called}" + (f"; go on with --after {cursor}" if cursor else ""))


def _turn_document(turn: Turn) -> dict[str, Json]:
    return {
        "id": turn.id,
        "role": turn.role.value,
        "content": turn.text,
        "at": plain(turn.occurred_at),
        "speaker": turn.speaker,
    }
