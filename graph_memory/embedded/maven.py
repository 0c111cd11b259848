"""Downloads single jars by their Maven coordinate. The client is PyPI's `jgo`; it knows where jars come from.

Which repositories are asked is decided by jgo and by the user's own jgo configuration, never here.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from graph_memory.embedded.lock import Artifact
from graph_memory.errors import ServerError

Advance = Callable[[int], None]


class Downloader(Protocol):
    """Brings one jar into a folder of Maven's layout."""

    def download(self, artifact: Artifact, folder: Path, advance: Advance) -> Path:
        """The path of the jar, its bytes unchecked. Calls `advance` with the number of bytes that came in.

        Raises: OSError when the network or the disk fails, ServerError when no repository has the jar.
        """


class JgoDownloader:
    """Downloads through jgo, from Maven Central or from the repositories of the user's jgo configuration."""

    def __init__(self, timeout_seconds: int = 30) -> None:
        self._timeout_seconds = timeout_seconds
        self._repositories = _configured_repositories()

    def download(self, artifact: Artifact, folder: Path, advance: Advance) -> Path:
        from jgo.maven import MavenContext, PythonResolver

        def watch(_name: str, _size: int) -> AbstractContextManager[Advance]:
            return _watching(advance)

        context = MavenContext(
            resolver=PythonResolver(progress_callback=watch),
            repo_cache=folder,
            local_repos=[],
            remote_repos=self._repositories,
            timeout=self._timeout_seconds,
        )
        (folder / artifact.path).unlink(missing_ok=True)  # jgo would take the rest of a broken download for the jar
        component = context.project(artifact.group, artifact.name).at_version(artifact.version)
        try:
            return Path(component.artifact(classifier=artifact.classifier).resolve())
        except RuntimeError as exc:
            raise ServerError(f"No Maven repository gave {artifact.coordinate}. {_REPOSITORIES_HINT}") from exc


_REPOSITORIES_HINT = (
    "Try again later. If you use a mirror, name it in the [repositories] section of jgo's configuration."
)


def local_maven_jar(artifact: Artifact) -> Path:
    """Where the jar would lie in the local repository of the user's own Maven."""
    from jgo.constants import default_maven_repo

    return Path(default_maven_repo()) / artifact.path


def adopt(jar: Path, target: Path) -> None:
    """Puts a jar that is already on this machine at `target`, without a second copy where the disk allows."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        target.hardlink_to(jar)
    except OSError:  # another disk, or a file system without hard links
        shutil.copyfile(jar, target)


def _configured_repositories() -> dict[str, str] | None:
    from jgo.config import GlobalSettings

    return dict(GlobalSettings.load().repositories) or None  # None: jgo's own default


@contextmanager
def _watching(advance: Advance) -> Iterator[Advance]:
    yield advance
