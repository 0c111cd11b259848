"""Progress bars, on standard error."""

from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from graph_memory.cli.console import notes


class FetchBar:
    """Shows how far a fetch of jars is; begins and ends with it."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task = TaskID(0)

    def begin(self, *, files: int, size: int) -> None:
        columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        self._progress = Progress(TextColumn("{task.description}"), *columns, console=notes)
        noun = "file" if files == 1 else "files"
        self._task = self._progress.add_task(f"Fetching {files} {noun}", total=size)
        self._progress.start()

    def advance(self, received: int) -> None:
        if self._progress:
            self._progress.advance(self._task, received)

    def file_done(self, name: str) -> None:
        """The bar counts bytes; a line a file would drown it."""

    def end(self) -> None:
        if self._progress:
            self._progress.stop()
            self._progress = None


class _RateColumn(ProgressColumn):
    """How many a second, while and after it runs."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f}/s" if speed else "", style="progress.data.speed")


def step_by_step() -> Progress:
    """A bar for something of which only the share that is done is known; use it in a `with`."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()
    return Progress(*columns, console=notes, transient=True)


def counting(unit: str) -> Progress:
    """A bar for counted things; use it in a `with`."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn(unit),
        _RateColumn(),
        console=notes,
        expand=False,
    )
