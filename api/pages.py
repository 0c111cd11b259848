"""Pages of lists in Relay's words."""

from typing import Any

from api.fields import output
from graph_memory.services.paging import Page


@output
class PageInfo:
    """Where a page stands in its list."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None

    @classmethod
    def of(cls, page: Page[Any]) -> "PageInfo":
        """The flags and bounds of a page."""
        return cls(
            has_next_page=page.has_next,
            has_previous_page=page.has_previous,
            start_cursor=page.cursors[0] if page.cursors else None,
            end_cursor=page.cursors[-1] if page.cursors else None,
        )
