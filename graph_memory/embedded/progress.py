"""How a fetch tells the outside how far it is."""

from typing import Protocol


class FetchProgress(Protocol):
    """Watches a fetch. Calls come from several threads, never two at once; an exception out of one ends the fetch."""

    def begin(self, *, files: int, size: int) -> None:
        """So many files of so many bytes in all are missing and will be fetched. Not called when nothing is missing."""

    def advance(self, received: int) -> None:
        """So many more bytes are here; negative when a broken download is begun again."""

    def file_done(self, name: str) -> None:
        """One more file is here and verified."""

    def end(self) -> None:
        """Every file is here, or the fetch has failed."""


class SilentProgress:
    """Watches without a word."""

    def begin(self, *, files: int, size: int) -> None:
        pass

    def advance(self, received: int) -> None:
        pass

    def file_done(self, name: str) -> None:
        pass

    def end(self) -> None:
        pass
