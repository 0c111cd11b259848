import pytest

from graph_memory.embedded.lock import MODELS_LOCK, SERVER_LOCK, Artifact, format_lock, load_lock, parse_lock
from graph_memory.embedded.resolve import MODEL_ROOTS, SERVER_ROOTS, parse_listing
from graph_memory.errors import ServerError

SHA = "ab" * 32


def test_a_line_is_read_into_an_artifact_and_its_path_in_mavens_layout():
    [plain, native] = parse_lock("x.lock", f"# why\n\norg.a:b:1.2 {SHA} 10\norg.a:b:1.2:linux-x86_64 {SHA} 11\n")
    assert plain == Artifact("org.a", "b", "1.2", "", SHA, 10)
    assert str(plain.path) == "org/a/b/1.2/b-1.2.jar"
    assert str(native.path) == "org/a/b/1.2/b-1.2-linux-x86_64.jar"
    assert native.coordinate == "org.a:b:1.2:linux-x86_64"


def test_what_is_written_is_read_back_sorted():
    artifacts = (Artifact("org.b", "b", "1", "", SHA, 2), Artifact("org.a", "a", "1", "native", SHA, 1))
    text = format_lock(artifacts, heading="first\nsecond")
    assert text.startswith("# first\n# second\n")
    assert parse_lock("x.lock", text) == tuple(sorted(artifacts))


@pytest.mark.parametrize(
    "line",
    [
        "org.a:b:1.2",
        f"org.a:b {SHA} 10",
        f"org.a:b:1:c:d {SHA} 10",
        f"org.a:../b:1 {SHA} 10",
        "org.a:b:1.2 abc 10",
        f"org.a:b:1.2 {SHA} ten",
        f"org.a:b:1.2 {SHA} 10 more",
    ],
)
def test_a_line_that_is_no_artifact_is_refused_by_its_number(line):
    with pytest.raises(ServerError, match=r"x\.lock, line 2"):
        parse_lock("x.lock", f"# one\n{line}\n")


def test_the_committed_locks_hold_what_they_are_made_from_and_no_address():
    for name, roots in ((SERVER_LOCK, SERVER_ROOTS), (MODELS_LOCK, MODEL_ROOTS)):
        coordinates = {artifact.coordinate for artifact in load_lock(name)}
        assert set(roots) <= coordinates
        assert not any("://" in line for line in coordinates)


def test_the_server_lock_has_each_jar_once():
    artifacts = load_lock(SERVER_LOCK)
    assert len({artifact.path for artifact in artifacts}) == len(artifacts)


def test_mavens_listing_is_read_with_and_without_classifier_and_module(tmp_path):
    jar = tmp_path / "a.jar"
    jar.write_bytes(b"abc")
    listing = [
        "The following files have been resolved:",
        f"   org.a:a:jar:1.0:compile:{jar}",
        f"   org.a:b:jar:native:2.0:runtime:{jar} -- module org.b (auto)",
        f"   org.a:c:jar:3.0:test:{jar}",
    ]
    found = list(parse_listing(listing))
    assert [artifact.coordinate for artifact in found] == ["org.a:a:1.0", "org.a:b:2.0:native"]
    assert found[0].size == 3
    assert found[0].sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
