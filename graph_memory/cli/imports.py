"""Loading conversations: batch after batch, the next one embedded while the present one is written."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from graph_memory.bootstrap import Services
from graph_memory.cli.console import answers, note, notes, print_json
from graph_memory.cli.documents import plain
from graph_memory.cli.exits import Commands
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import AsJson, User
from graph_memory.cli.progress import counting
from graph_memory.client import checked_user_id
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Json
from graph_memory.domain.vocabulary import UserId, WriteOperation
from graph_memory.importers.locomo import Conversation, LocomoFile, read_locomo
from graph_memory.services.remember import RememberedMany

app = typer.Typer(cls=Commands, no_args_is_help=True, help="Load memories from other formats.")

_BATCH_ROWS = 500
_BATCHES_AT_ONCE = 3  # one being written, one waiting for it, one being embedded
_WARMING_TEXTS = 8
_SHOWN_FAILURES = 20
_POLL_SECONDS = 0.5


class As(StrEnum):
    """What a conversation becomes."""

    USER = "user"
    BUCKET = "bucket"


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns that are written together."""

    user_id: UserId
    drafts: tuple[MemoryDraft, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A turn that could not be loaded, or a part of the file that could not be read."""

    place: str
    reason: str
    turns: int = 1


@dataclass(slots=True)
class Tally:
    """What became of the turns."""

    added: int = 0
    already_there: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)

    @property
    def failed(self) -> int:
        return sum(failure.turns for failure in self.failures)

    def count(self, batch: Batch, outcome: RememberedMany) -> None:
        """Takes in what became of a batch."""
        self.added += outcome.added
        self.already_there += sum(each.operation is WriteOperation.NONE or each.replayed for each in outcome.results)
        self.failures += [
            Failure(_place(batch, each.index), "erased before") for each in outcome.results if each.vetoed
        ]
        for row in outcome.failed:
            self.failures.append(Failure(_place(batch, row.index), "; ".join(map(str, row.problems))))


@app.command("locomo")
def locomo(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file in the format of LoCoMo.")],
    become: Annotated[
        As, typer.Option("--as", help="Each conversation becomes a user, or a bucket of --user.")
    ] = As.USER,
    prefix: Annotated[str, typer.Option(help="What the names of these users or buckets begin with.")] = "locomo",
    wait: Annotated[bool, typer.Option(help="Stay until links and contexts are made too.")] = True,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Load conversations; loading them again adds nothing."""
    found = read_locomo(file)
    batches = list(batches_of(found.conversations, become, prefix=prefix, user_id=checked_user_id(user)))
    tally = Tally(failures=[Failure(each.place, each.reason, each.turns) for each in found.unread])

    async def work() -> None:
        async with opened() as services:
            await load(services, batches, tally)
            if wait:
                await drain(services, sorted({batch.user_id for batch in batches}))

    run(work())
    users = sorted({batch.user_id for batch in batches})
    if as_json:
        print_json(_document(found, tally, users))
    else:
        _show(found, tally, users)


def batches_of(conversations: Sequence[Conversation], become: As, *, prefix: str, user_id: UserId) -> Iterator[Batch]:
    """The turns, in order, in batches that are of one user each."""
    for conversation in conversations:
        name = f"{prefix}-{conversation.id}"
        owner = checked_user_id(name) if become is As.USER else user_id
        turns = conversation.turns if become is As.USER else _in_bucket(conversation.turns, name)
        for chunk in _chunks(turns, _BATCH_ROWS):
            yield Batch(owner, chunk)


async def load(services: Services, batches: Sequence[Batch], tally: Tally) -> None:
    """Writes the batches; the clock starts when the embedder is warm and the statements are planned."""
    await asyncio.gather(
        services.embedder.embed_passages([f"warming up {number}" for number in range(_WARMING_TEXTS)]),
        services.remember.prime(),
    )
    places = asyncio.Semaphore(_BATCHES_AT_ONCE)
    began = time.perf_counter()
    with counting("turns") as progress:
        bar = progress.add_task("Loading", total=sum(len(batch.drafts) for batch in batches))

        async def write(batch: Batch) -> None:
            async with places:
                tally.count(batch, await services.remember.many(batch.user_id, batch.drafts))
                progress.advance(bar, len(batch.drafts))

        async with asyncio.TaskGroup() as group:
            for batch in batches:
                group.create_task(write(batch))
    tally.seconds = time.perf_counter() - began


async def drain(services: Services, users: Sequence[UserId]) -> None:
    """Enriches until nothing of these users awaits it; others may do part of the work meanwhile."""
    if not services.settings.enrichment.enabled or not (waiting := await _awaiting(services, users)):
        return
    with counting("memories") as progress:
        bar = progress.add_task("Linking and placing in context", total=waiting)
        while left := await _awaiting(services, users):
            progress.update(bar, completed=waiting - left)
            if not await services.enrich():
                await asyncio.sleep(_POLL_SECONDS)  # what is left is in other hands
        progress.update(bar, completed=waiting)
    if parked := sum([(await services.inspect.stats(user_id)).parked for user_id in users]):
        note(f"{parked} memories could not be enriched and are parked; see `graph-memory stats`.")


async def _awaiting(services: Services, users: Sequence[UserId]) -> int:
    return sum([(await services.inspect.stats(user_id)).awaiting_enrichment for user_id in users])


def _in_bucket(turns: Iterable[MemoryDraft], bucket: str) -> Iterator[MemoryDraft]:
    return (replace(turn, bucket=bucket) for turn in turns)


def _chunks(turns: Iterable[MemoryDraft], size: int) -> Iterator[tuple[MemoryDraft, ...]]:
    rest = iter(turns)
    while chunk := tuple(islice(rest, size)):
        yield chunk


def _place(batch: Batch, index: int) -> str:
    return batch.drafts[index].external_id or f"row {index}"


def _document(found: LocomoFile, tally: Tally, users: Sequence[UserId]) -> dict[str, Json]:
    return {
        "conversations": len(found.conversations),
        "turns": found.turns,
        "added": tally.added,
        "already_there": tally.already_there,
        "failed": tally.failed,
        "failures": plain(tally.failures),
        "seconds": tally.seconds,
        "users": list(users),
    }


def _show(found: LocomoFile, tally: Tally, users: Sequence[UserId]) -> None:
    rate = found.turns / tally.seconds if tally.seconds else 0.0
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    table.add_row("conversations", f"{len(found.conversations):,}")
    for name, count in (("turns", found.turns), ("added", tally.added), ("already there", tally.already_there)):
        table.add_row(name, f"{count:,}")
    table.add_row("failed", Text(f"{tally.failed:,}", style="red" if tally.failed else ""))
    table.add_row("turns/s", f"{rate:,.0f}")
    answers.print(table)
    for failure in tally.failures[:_SHOWN_FAILURES]:
        notes.print(Text(f"{failure.place}: {failure.reason}", style="red"))
    if len(tally.failures) > _SHOWN_FAILURES:
        note(f"… and {len(tally.failures) - _SHOWN_FAILURES} more; --json lists them all.")
    if users:
        note(f"Ask it: graph-memory recall --user {users[0]} QUERY")
