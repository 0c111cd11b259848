import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from graph_memory.embedded.command import admin_arguments, class_path_file, home_argument, server_command
from graph_memory.embedded.home import ServerHome, write_secret
from graph_memory.embedded.java import Java
from graph_memory.embedded.memory import MemorySizes
from graph_memory.embedded.state import ServerState, began_at, living_pid, read_state, write_state
from graph_memory.errors import ServerError

STATE = ServerState(bolt_port=1, http_port=2, pid=3, began_at=4.5, ready=True)


@pytest.fixture
def home(tmp_path):
    home = ServerHome(tmp_path / "home")
    home.create()
    return home


def test_the_folders_are_closed_to_others(home):
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700
    assert all(folder.is_dir() for folder in (home.conf_folder, home.data, home.logs, home.run))


def test_the_password_file_is_the_owners_and_differs_each_time(home):
    first = home.generate_password()
    assert stat.S_IMODE(home.password.stat().st_mode) == 0o600
    assert home.read_password() == first
    assert home.generate_password() != first


def test_a_secret_takes_the_place_of_a_file_that_was_open_to_all(tmp_path):
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(0o644)
    write_secret(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


def test_a_lost_password_is_an_error_with_a_way_out(home):
    with pytest.raises(ServerError, match=r"password file .* is missing"):
        home.read_password()


def test_a_home_that_is_a_file_cannot_be_made(tmp_path):
    (tmp_path / "home").write_text("")
    with pytest.raises(ServerError, match="GRAPH_MEMORY_HOME"):
        ServerHome(tmp_path / "home").create()


def test_a_state_is_read_as_written(tmp_path):
    write_state(tmp_path / "s.json", STATE)
    assert read_state(tmp_path / "s.json") == STATE


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"bolt_port": 1, "http_port": 2, "colour": "red"}'])
def test_a_state_that_makes_no_sense_counts_as_none(tmp_path, text):
    (tmp_path / "s.json").write_text(text)
    assert read_state(tmp_path / "s.json") is None


def test_no_state_means_no_server(home):
    assert living_pid(home, None) is None


def test_a_pid_that_now_belongs_to_another_process_is_seen_through(home):
    mine = os.getpid()
    began = began_at(mine)
    assert living_pid(home, replace(STATE, pid=mine, began_at=began)) == mine
    assert living_pid(home, replace(STATE, pid=mine, began_at=began - 60)) is None


def test_a_dead_child_that_nobody_has_buried_is_dead():
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert began_at(child.pid) is None
    child.wait()


def test_a_server_whose_starter_died_before_writing_its_pid_is_found_by_its_home(home):
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()", home_argument(home)], stdin=-1)
    try:
        assert living_pid(home, ServerState(bolt_port=1, http_port=2)) == child.pid
    finally:
        child.communicate()


JAVA = Java("/java/bin/java", 25, has_vector_module=True)


def test_the_command_names_the_home_and_uses_the_vector_module_only_where_there_is_one(home):
    command = server_command(JAVA, home, MemorySizes(512, 128))
    assert f"--home-dir={home.root}" in command
    assert "-Xmx512m" in command
    assert "--add-modules=jdk.incubator.vector" in command
    without = server_command(replace(JAVA, has_vector_module=False), home, MemorySizes(512, 128))
    assert not [argument for argument in without if "vector" in argument]


def test_a_path_with_spaces_and_backslashes_is_quoted_for_java(home):
    text = class_path_file([Path("/a b/c\\d.jar"), Path("/e.jar")])
    assert text == f'-classpath\n"/a b/c\\\\d.jar{os.pathsep}/e.jar"\n'
    home.arguments.write_text(text)
    assert admin_arguments(home, ["database", "dump"]).splitlines()[2:] == [
        '"org.neo4j.cli.AdminTool"',
        '"database"',
        '"dump"',
    ]
