"""Commands on memories: remember, recall, show, list, forget, restore, erase, stats."""

import sys
from collections.abc import Mapping
from typing import Annotated

import typer

from graph_memory.cli.acting import act_on_memory
from graph_memory.cli.console import answers, note, notes, print_json
from graph_memory.cli.documents import (
    answer_document,
    link_document,
    memory_document,
    node_document,
    plain,
    remembered_document,
)
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import After, AsJson, AsOf, First, Identifier, KnownAt, Reason, User, instant, some
from graph_memory.cli.paged import print_page
from graph_memory.cli.shown import hits_table, memory_lines, memory_panel, stats_table
from graph_memory.client import checked_user_id
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import (
    Category,
    EpistemicType,
    Intent,
    Kind,
    Lane,
    MemoryOrder,
    NodeId,
    RecallMode,
    State,
    Tier,
    UserId,
    WriteOperation,
)
from graph_memory.errors import InvalidValueError, Problem
from graph_memory.ports import MemoryFilter
from graph_memory.services.inspect import NameFilter
from graph_memory.services.paging import PageRequest
from graph_memory.services.recall import Answer, Question
from graph_memory.services.remember import Remembered

_LINKS_SHOWN = 20

People = Annotated[list[str] | None, typer.Option("--person", "-p", metavar="NAME", help="A person; may be repeated.")]
Entities = Annotated[list[str] | None, typer.Option("--entity", "-e", metavar="NAME", help="A thing; may be repeated.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="A tag; may be repeated.")]
Session = Annotated[str | None, typer.Option("--session", metavar="ID", help="The session it belongs to.")]
Buckets = Annotated[list[str] | None, typer.Option("--bucket", "-b", metavar="NAME", help="Within; may be repeated.")]
Lanes = Annotated[list[Lane] | None, typer.Option("--lane", case_sensitive=False, help="Within; may be repeated.")]
Kinds = Annotated[list[Kind] | None, typer.Option("--kind", case_sensitive=False, help="Only; may be repeated.")]


def remember(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember; - reads it from standard input.")],
    speaker: Annotated[str | None, typer.Option("--speaker", "-s", metavar="NAME", help="Who said it.")] = None,
    session: Session = None,
    person: People = None,
    entity: Entities = None,
    tag: Tags = None,
    bucket: Annotated[str | None, typer.Option("--bucket", "-b", metavar="NAME", help="Where it belongs.")] = None,
    kind: Annotated[Kind, typer.Option(case_sensitive=False, help="An event, or a fact.")] = Kind.EPISODIC,
    epistemic_type: Annotated[EpistemicType | None, typer.Option("--type", case_sensitive=False)] = None,
    category: Annotated[Category | None, typer.Option(case_sensitive=False)] = None,
    lane: Annotated[Lane | None, typer.Option(case_sensitive=False)] = None,
    occurred_at: Annotated[str | None, typer.Option(metavar="DATE", help="When it happened, as ISO 8601.")] = None,
    valid_at: Annotated[str | None, typer.Option(metavar="DATE", help="From when it holds.")] = None,
    invalid_at: Annotated[str | None, typer.Option(metavar="DATE", help="Until when it holds.")] = None,
    time_zone: Annotated[str | None, typer.Option(metavar="ZONE", help="Zone of dates without an offset.")] = None,
    external_id: Annotated[str | None, typer.Option(metavar="ID", help="Your own id of it.")] = None,
    idempotency_key: Annotated[str | None, typer.Option(metavar="KEY", help="Asked twice, written once.")] = None,
    general: Annotated[bool, typer.Option("--general", help="Of use in every bucket.")] = False,
    pinned: Annotated[bool, typer.Option("--pinned", help="Never fades.")] = False,
    curate: Annotated[bool, typer.Option(help="Compare a statement with what is known.")] = True,
    wait: Annotated[bool, typer.Option(help="Answer when its links and context are made too.")] = True,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Remember something."""
    draft = MemoryDraft(
        text=_read(text),
        kind=kind,
        epistemic_type=epistemic_type,
        category=category,
        bucket=bucket,
        lane=lane,
        general=general,
        speaker=speaker,
        session_id=session,
        people=tuple(person or ()),
        entities=tuple(entity or ()),
        tags=tuple(tag or ()),
        external_id=external_id,
        pinned=pinned,
        occurred_at=instant("occurred_at", occurred_at),
        valid_at=instant("valid_at", valid_at),
        invalid_at=instant("invalid_at", invalid_at),
        idempotency_key=idempotency_key,
        curate=curate,
    )

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            remembered = await services.remember(user_id, draft, time_zone=time_zone, wait=wait)
            if as_json:
                print_json(remembered_document(remembered, services.settings, services.clock.now()))
            else:
                _show_remembered(remembered)

    run(work(checked_user_id(user)))


def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What you want to know.")],
    k: Annotated[int | None, typer.Option("-k", metavar="N", help="Most memories in the answer.")] = None,
    mode: Annotated[
        RecallMode | None, typer.Option(case_sensitive=False, help="How widely it searches; default: cued.")
    ] = None,
    intent: Annotated[
        Intent | None, typer.Option(case_sensitive=False, help="What is asked for; default: read from the question.")
    ] = None,
    bucket: Buckets = None,
    lane: Lanes = None,
    kind: Kinds = None,
    category: Annotated[
        list[Category] | None, typer.Option(case_sensitive=False, help="Only; may be repeated.")
    ] = None,
    person: People = None,
    entity: Entities = None,
    tag: Tags = None,
    session: Session = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="ID", help="The agent it comes from.")] = None,
    schema: Annotated[str | None, typer.Option("--schema", metavar="ID", help="Only what a schema abstracts.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Happened then or later.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Happened before then.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_superseded: Annotated[bool, typer.Option("--include-superseded", help="Also what was replaced.")] = False,
    include_hidden: Annotated[bool, typer.Option("--include-hidden", help="Also what has faded from view.")] = False,
    general: Annotated[bool, typer.Option(help="Beside it, what is of use in every bucket.")] = True,
    min_match: Annotated[float | None, typer.Option(metavar="0..1", help="Rather nothing than a poorer match.")] = None,
    token_budget: Annotated[int | None, typer.Option(metavar="N", help="Most tokens of the context.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Of a creative draw: the same draws the same.")] = None,
    reinforce: Annotated[bool, typer.Option(help="Let every hit count as used.")] = True,
    as_context: Annotated[bool, typer.Option("--context", help="Print the answer as text for a prompt.")] = False,
    why: Annotated[bool, typer.Option("--why", help="Show what put each memory where it is.")] = False,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Recall what answers a question, best first."""
    question = Question(
        query=query,
        k=k,
        mode=mode,
        intent=intent,
        buckets=some(bucket),
        lanes=tuple(lane) if lane else None,
        kinds=tuple(kind) if kind else None,
        categories=tuple(category) if category else None,
        people=some(person),
        entities=some(entity),
        tags=some(tag),
        session_id=session,
        agent_id=agent,
        schema_id=schema,
        occurred_from=instant("since", since),
        occurred_until=instant("until", until),
        as_of=instant("as_of", as_of),
        known_at=instant("known_at", known_at),
        include_superseded=include_superseded,
        include_hidden=include_hidden,
        general=general,
        min_match=min_match,
        token_budget=token_budget,
        seed=seed,
        reinforce=reinforce,
    )

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            answer = await services.recall(user_id, question)
            if as_json:
                print_json(answer_document(query, answer, services.settings, services.clock.now()))
            elif as_context:
                answers.print(answer.context, markup=False, soft_wrap=True)
            else:
                _show_answer(answer, why=why)

    run(work(checked_user_id(user)))


def show(memory_id: Identifier, user: User = "default", as_json: AsJson = False) -> None:
    """Show one memory with all that is known of it."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            memory = await services.inspect.memory(user_id, memory_id)
            named = (await services.inspect.named_in(user_id, [memory.id])).get(memory.id, [])
            links = await services.inspect.links_of(user_id, NodeId(memory.id), first=_LINKS_SHOWN, after=None)
            document = memory_document(memory, services.settings, services.clock.now())
            if as_json:
                names, joined = [node_document(each) for each in named], [link_document(each) for each in links.items]
                print_json({**document, "refers_to": list(names), "links": list(joined)})
            else:
                answers.print(memory_panel(memory, named, links.items, _rows(document)))

    run(work(checked_user_id(user)))


def list_memories(
    bucket: Buckets = None,
    lane: Lanes = None,
    kind: Kinds = None,
    category: Annotated[list[Category] | None, typer.Option(case_sensitive=False)] = None,
    state: Annotated[list[State] | None, typer.Option(case_sensitive=False)] = None,
    person: People = None,
    entity: Entities = None,
    tag: Tags = None,
    session: Session = None,
    external_id: Annotated[str | None, typer.Option(metavar="ID", help="Your own id of it.")] = None,
    text: Annotated[str | None, typer.Option(metavar="WORDS", help="Stands in the text.")] = None,
    tier: Annotated[list[Tier] | None, typer.Option(case_sensitive=False, help="Only; may be repeated.")] = None,
    pinned: Annotated[bool | None, typer.Option(help="Only those pinned, or those not.")] = None,
    hidden: Annotated[bool | None, typer.Option(help="Only those faded from view, or those not.")] = None,
    superseded: Annotated[bool | None, typer.Option(help="Only those replaced, or those not.")] = None,
    expired: Annotated[bool | None, typer.Option(help="Only those forgotten by hand, or those not.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    order: Annotated[MemoryOrder, typer.Option(case_sensitive=False)] = MemoryOrder.CREATED_DESC,
    first: First = None,
    after: After = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """List memories, the latest first."""
    wanted = MemoryFilter(
        kinds=tuple(kind) if kind else None,
        buckets=some(bucket),
        lanes=tuple(lane) if lane else None,
        categories=tuple(category) if category else None,
        states=tuple(state) if state else None,
        tiers=tuple(tier) if tier else None,
        text=text,
        tags=some(tag),
        session_id=session,
        external_id=external_id,
        pinned=pinned,
        hidden=hidden,
        superseded=superseded,
        expired=expired,
        as_of=instant("as_of", as_of),
        known_at=instant("known_at", known_at),
    )
    named = NameFilter(people=some(person), entities=some(entity))

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            request = PageRequest(first=first, after=after)
            page = await services.inspect.find_memories(user_id, wanted, request, order=order, named=named)
            total = await services.inspect.count_memories(user_id, wanted, named=named)
            print_page(page, total, "memories", services, as_json)

    run(work(checked_user_id(user)))


def forget(memory_id: Identifier, reason: Reason = None, user: User = "default", as_json: AsJson = False) -> None:
    """Take a memory out of recall; `restore` brings it back."""
    act_on_memory(
        user, as_json, "Forgotten", lambda services, user_id: services.amend.forget(user_id, memory_id, reason=reason)
    )


def restore(memory_id: Identifier, reason: Reason = None, user: User = "default", as_json: AsJson = False) -> None:
    """Bring back a memory that was forgotten or replaced."""
    act_on_memory(
        user, as_json, "Restored", lambda services, user_id: services.amend.restore(user_id, memory_id, reason=reason)
    )


def erase(
    memory_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="The id of a memory.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All memories of the user.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    reason: Reason = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Remove a memory for good, or everything of a user."""
    if (memory_id is None) is not everything:
        raise InvalidValueError("erase", [Problem("ID", "name one memory, or say --everything")])

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            if memory_id is None:
                _confirm(f"Erase everything of user {user_id!r} for good?", yes)
                erased = await services.amend.erase_everything(user_id, confirm=user_id)
            else:
                memory = await services.inspect.memory(user_id, memory_id)
                _confirm(f"Erase {_shortened(memory.text)!r} for good?", yes)
                erased = await services.amend.erase(user_id, memory_id, reason=reason)
            if as_json:
                print_json(plain(erased))
            else:
                answers.print(f"Erased {erased.erased} {'memory' if erased.erased == 1 else 'memories'}.")

    run(work(checked_user_id(user)))


def stats(user: User = "default", as_json: AsJson = False) -> None:
    """Show how much a user's memory holds."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            held = await services.inspect.stats(user_id)
            if as_json:
                print_json(plain(held))
            else:
                answers.print(stats_table(user_id, held))

    run(work(checked_user_id(user)))


def _read(text: str) -> str:
    if text != "-":
        return text
    try:
        return sys.stdin.read().rstrip("\n")
    except UnicodeDecodeError as error:
        raise InvalidValueError("standard input", [Problem(f"byte {error.start}", "is no UTF-8")]) from error


def _show_answer(answer: Answer, *, why: bool) -> None:
    if answer.hits:
        answers.print(hits_table(answer.hits, why=why))
    if answer.overlay:
        answers.print("[bold]Of use everywhere[/]")
        answers.print(hits_table(answer.overlay, why=why))
    if not answer.hits and not answer.overlay:
        note("Nothing was found.")
    note(f"{answer.mode} recall, intent {answer.intent}; for `feedback` say {answer.receipt_id}")


def _show_remembered(remembered: Remembered) -> None:
    if remembered.vetoed:
        answers.print("[yellow]Not stored:[/] this text was erased before.")
    elif remembered.operation is WriteOperation.NONE or remembered.replayed:
        answers.print("[yellow]Known already.[/]")
    elif remembered.operation is WriteOperation.UPDATE and not remembered.superseded:
        answers.print("[green]Added to what was known.[/]")
    else:
        answers.print("[green]Remembered.[/]")
    if remembered.memory:
        answers.print(memory_lines(remembered.memory))
    for old in remembered.superseded:
        answers.print("[yellow]It takes the place of:[/]")
        answers.print(memory_lines(old))


def _rows(document: Mapping[str, object]) -> dict[str, str]:
    """What a person wants to see of a memory, as text; empty things are left out."""
    names = (
        "kind", "epistemic_type", "category", "bucket", "lane", "source", "speaker", "session_id", "agent_id",
        "external_id", "tags", "metadata", "occurred_at", "valid_at", "invalid_at", "created_at", "expired_at",
        "state", "strength", "confidence", "access_count", "enrichment",
    )  # fmt: skip
    decided = document["decision"]
    shown = {name: document[name] for name in names} | (dict(decided) if isinstance(decided, Mapping) else {})
    return {name.replace("_", " "): _worded(value) for name, value in shown.items() if value not in (None, [], {})}


def _worded(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _shortened(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _confirm(question: str, yes: bool) -> None:
    """Goes on if the person says yes. Asks on standard error, since the answer of the command is not this."""
    if not yes:
        notes.print(f"{question} [y/N] ", end="", markup=False, soft_wrap=True)
        yes = sys.stdin.readline().strip().lower() in ("y", "yes")
    if not yes:
        raise InvalidValueError("erase", [Problem("yes", "not confirmed, so nothing was erased; agree, or say --yes")])
