"""Commands on decisions and on what excludes each other: decide, outcome, decisions, why, contradictions."""

from typing import Annotated

import typer

from graph_memory.cli.acting import act_on_memory
from graph_memory.cli.chains import chain_table, contradiction_lines
from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.documents import chain_document, contradiction_document, decided_document
from graph_memory.cli.opening import opened, run
from graph_memory.cli.options import After, AsJson, AsOf, First, Identifier, KnownAt, Reason, User, instant
from graph_memory.cli.paged import print_page
from graph_memory.cli.shown import memory_lines, numbered
from graph_memory.client import checked_user_id
from graph_memory.domain.decision import DecisionStatus, Outcome
from graph_memory.domain.vocabulary import UserId
from graph_memory.services.ledger import Decided, DecisionDraft, DecisionsWanted

Domain = Annotated[str | None, typer.Option("--domain", "-d", metavar="NAME", help="The field that it belongs to.")]
Topic = Annotated[str | None, typer.Option("--topic", "-t", metavar="NAME", help="What it is about.")]


def decide(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was decided.")],
    topic: Topic = None,
    domain: Domain = None,
    reasoning: Annotated[str | None, typer.Option("--reasoning", "-r", metavar="TEXT", help="Why.")] = None,
    decided_at: Annotated[str | None, typer.Option(metavar="DATE", help="When; default: now.")] = None,
    supersedes: Annotated[str | None, typer.Option(metavar="ID", help="The decision whose place it takes.")] = None,
    bucket: Annotated[str | None, typer.Option("--bucket", "-b", metavar="NAME", help="Where it belongs.")] = None,
    idempotency_key: Annotated[str | None, typer.Option(metavar="KEY", help="Asked twice, written once.")] = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Enter a decision; the one that stood on its topic gives way."""
    draft = DecisionDraft(
        text=text,
        reasoning=reasoning,
        domain=domain,
        topic=topic,
        decided_at=instant("decided_at", decided_at),
        supersedes=supersedes,
        idempotency_key=idempotency_key,
        bucket=bucket,
    )

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            decided = await services.ledger.decide(user_id, draft)
            if as_json:
                print_json(decided_document(decided, services.settings, services.clock.now()))
            else:
                _show_decided(decided)

    run(work(checked_user_id(user)))


def outcome(
    memory_id: Identifier,
    came_of_it: Annotated[Outcome, typer.Argument(metavar="OUTCOME", case_sensitive=False, help="What came of it.")],
    reason: Reason = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Say what came of a decision: pending, succeeded, failed, reversed or abandoned."""
    act_on_memory(
        user,
        as_json,
        f"Recorded: {came_of_it.value}",
        lambda services, user_id: services.ledger.record_outcome(user_id, memory_id, came_of_it, reason=reason),
    )


def decisions(
    domain: Domain = None,
    topic: Topic = None,
    status: Annotated[DecisionStatus | None, typer.Option(case_sensitive=False, help="Only these.")] = None,
    as_of: AsOf = None,
    first: First = None,
    after: After = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """List decisions, the latest first."""
    wanted = DecisionsWanted(domain=domain, topic=topic, status=status, as_of=instant("as_of", as_of))

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            page = await services.ledger.decisions(user_id, wanted, first=first, after=after)
            total = await services.ledger.count_decisions(user_id, wanted)
            print_page(page, total, "decisions", services, as_json)

    run(work(checked_user_id(user)))


def why(
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="A topic, or words that its decisions hold.")],
    domain: Domain = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """Show how decisions on a topic came to be, from the first to the one that stands."""
    world, known = instant("as_of", as_of), instant("known_at", known_at)

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            chains = await services.ledger.why(user_id, topic, domain=domain, as_of=world, known_at=known)
            if as_json:
                now = services.clock.now()
                print_json([chain_document(each, services.settings, now) for each in chains])
            elif chains:
                for chain in chains:
                    answers.print(chain_table(chain))
            else:
                note("Nothing was decided on that.")

    run(work(checked_user_id(user)))


def contradictions(
    settled: Annotated[bool | None, typer.Option(help="Only where one gave way, or where none did.")] = None,
    first: First = None,
    after: After = None,
    user: User = "default",
    as_json: AsJson = False,
) -> None:
    """List memories that exclude each other, the latest found first."""

    async def work(user_id: UserId) -> None:
        async with opened() as services:
            page = await services.inspect.contradictions(user_id, settled=settled, first=first, after=after)
            cursor = page.next_cursor
            if as_json:
                now = services.clock.now()
                shown = [contradiction_document(each, services.settings, now) for each in page.items]
                print_json({"contradictions": list(shown), "next": cursor})
                return
            numbers = enumerate(page.items, 1)
            answers.print(numbered((str(number), contradiction_lines(each)) for number, each in numbers))
            if not page.items:
                note("Nothing excludes anything.")
            elif cursor:
                note(f"Go on with --after {cursor}")

    run(work(checked_user_id(user)))


def _show_decided(decided: Decided) -> None:
    answers.print("[green]Decided.[/]")
    answers.print(memory_lines(decided.memory))
    for said, memories in (("It takes the place of:", decided.superseded), ("Earlier, near it:", decided.earlier)):
        if memories:
            answers.print(f"[yellow]{said}[/]")
            answers.print(numbered(("", memory_lines(each)) for each in memories))
