"""What surrounds the source: names, pins and locks."""

import importlib.metadata
import re
import tomllib

import pytest
import yaml

from graph_memory.embedded.resolve import NEO4J_VERSION
from tests.architecture.sources import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.mark.parametrize("package", ["graph_memory", "schema", "cypher", "api"])
def test_no_other_distribution_holds_one_of_our_names(package: str):
    """PyPI has packages called schema and api; one of them installed would hide ours."""
    owners = set(importlib.metadata.packages_distributions().get(package, []))

    assert owners <= {"graph-memory"}


def test_every_top_level_package_is_in_the_wheel():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    assert packages == ["graph_memory", "schema", "cypher", "api"]


@pytest.fixture(scope="module")
def compose() -> dict:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))


def test_the_container_and_the_local_server_are_the_same_neo4j(compose: dict):
    assert compose["services"]["neo4j"]["image"] == f"neo4j:{NEO4J_VERSION}-community"


def test_the_containers_keep_their_data_in_volumes_that_are_declared(compose: dict):
    mounted = {
        volume.split(":")[0]: volume.split(":")[1]
        for service in compose["services"].values()
        for volume in service["volumes"]
    }

    assert set(mounted) == set(compose["volumes"])
    assert {"/data", "/logs", "/cache"} <= set(mounted.values())


def test_the_api_waits_for_a_database_that_is_well(compose: dict):
    services = compose["services"]

    assert set(services) == {"neo4j", "api"}
    assert all(service["healthcheck"]["test"] for service in services.values())
    assert services["api"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}


def test_the_containers_listen_on_loopback_only(compose: dict):
    published = [port for service in compose["services"].values() for port in service["ports"]]

    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_the_dockerfile_that_compose_builds_exists(compose: dict):
    build = compose["services"]["api"]["build"]

    assert (ROOT / build["context"] / build["dockerfile"]).is_file()


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_pins_every_package_by_hash_and_names_no_address(lock):
    text = lock.read_text("utf-8")
    requirements = [
        line for line in text.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")
    ]

    assert "://" not in text
    assert requirements
    assert [line for line in requirements if not re.match(r"[A-Za-z0-9._\[\],-]+==\S+", line)] == []
    assert [line for line in requirements if "--hash=sha256:" not in line] == []


def test_there_is_a_lock_for_serving_for_developing_and_for_building():
    assert {lock.name for lock in LOCKS} == {"serve.txt", "dev.txt", "build.txt"}
