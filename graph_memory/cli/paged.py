"""A page of memories as a command shows it."""

from graph_memory.bootstrap import Services
from graph_memory.cli.console import answers, note, print_json
from graph_memory.cli.documents import memory_document
from graph_memory.cli.shown import memory_lines, numbered
from graph_memory.domain.memory import Memory
from graph_memory.services.paging import Page


def print_page(page: Page[Memory], total: int, called: str, services: Services, as_json: bool) -> None:
    """Prints the memories of the page, how many of `total` they are, and the cursor to go on with."""
    cursor = page.next_cursor
    if as_json:
        now = services.clock.now()
        shown = [memory_document(each, services.settings, now) for each in page.items]
        print_json({called: list(shown), "total": total, "next": cursor})
        return
    answers.print(numbered((str(number), memory_lines(each)) for number, each in enumerate(page.items, 1)))
    note(f"{len(page.items)} of {total} {called}" + (f"; go on with --after {cursor}" if cursor else ""))
