"""Runs the shared bench with the product among its systems.

The bench lies beside the public data, in `bench/` of the same folder, and is not part of this repository; its options
are passed on: `--systems ours,ours-unreinforced,graphiti,nam --sizes locomo,50x600,1x30000 --out FILE`.

It empties the database before every cell. The server is the one that `NEO4J_URI` names, else the local one of
`GRAPH_MEMORY_HOME`, started if it does not run; one that holds anything is refused unless `--wipe` is given.
"""

import argparse
import asyncio
import importlib
import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import neo4j

from graph_memory.bootstrap import address_of, local_server
from graph_memory.settings import Settings
from graph_memory.stores.connection import Address
from tests.benchmarks.corpora import data_folder
from tests.benchmarks.peers.ours import Ours, OursUnreinforced

# The bench counts round trips in the classes of a later driver, where they lie one module deeper.
_DRIVER_MODULES = ("neo4j._async.io._bolt", "neo4j._sync.io._bolt")


def main() -> None:
    """Opens the server, joins the product to the bench, and runs it."""
    arguments, passed_on = _parser().parse_known_args()
    settings = Settings.from_environment()
    address, pid = asyncio.run(_server(settings))
    if not (arguments.wipe or _is_empty(address)):
        raise SystemExit(f"{address.uri} holds data, and this benchmark removes it: name another server, or say --wipe")
    sign_in(address)
    common, peers = _bench()
    join(common, peers, _reaching(settings, address))
    sys.argv = ["peers.py", "--bolt", address.uri, "--server-pid", str(pid), *passed_on]
    peers.main()
    common.wipe(address.uri)


def sign_in(address: Address) -> None:
    """Makes every driver opened from here on sign in as us: the bench expects a server that asks for no password."""
    auth = (address.username, address.password) if address.password else None
    for driver in (neo4j.GraphDatabase, neo4j.AsyncGraphDatabase):
        driver.driver = _signed_in(driver.driver, auth)  # type: ignore[method-assign]


def join(common: ModuleType, peers: ModuleType, settings: Settings) -> None:
    """Adds the product to the bench's systems; it enriches where the bench waits for indexes, which is not timed."""
    opened: list[Ours] = []

    def opens(system: type[Ours]) -> Callable[[str], Ours]:
        def open_system(_uri: str) -> Ours:
            opened[:] = [system(settings)]
            return opened[0]

        return open_system

    wait = common.await_indexes

    def await_indexes(uri: str, replan: bool = False) -> None:
        for system in opened:
            system.settle()
        wait(uri, replan)
        for system in opened:
            system.prime()

    common.await_indexes = await_indexes  # type: ignore[attr-defined]
    systems: dict[str, Callable[[str], Any]] = peers.SYSTEMS
    systems |= {system.name: opens(system) for system in (Ours, OursUnreinforced)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--wipe", action="store_true", help="what the database holds may be removed")
    return parser


async def _server(settings: Settings) -> tuple[Address, int]:
    """Where it is, and its process; 0 for one that is not ours."""
    address = await address_of(settings, notify=print)
    return address, 0 if settings.neo4j.uri else (await local_server(settings).status()).pid or 0


def _is_empty(address: Address) -> bool:
    auth = (address.username, address.password) if address.password else None
    with neo4j.GraphDatabase.driver(address.uri, auth=auth) as driver:
        found = driver.execute_query("MATCH (n) RETURN 1 LIMIT 1", database_=address.database)
    return not found.records


def _bench() -> tuple[ModuleType, ModuleType]:
    folder = data_folder().parent / "bench"
    if not (folder / "peers.py").is_file():
        raise SystemExit(f"there is no bench in {folder}")
    sys.path.insert(0, str(folder))
    for name in _DRIVER_MODULES:
        module = importlib.import_module(name)
        if not hasattr(module, "__path__"):
            sys.modules[f"{name}._base"] = module
    return importlib.import_module("common"), importlib.import_module("peers")


def _reaching(settings: Settings, address: Address) -> Settings:
    named = replace(settings.neo4j, uri=address.uri, username=address.username, password=address.password)
    return replace(settings, neo4j=named)


def _signed_in(opens: Callable[..., Any], auth: tuple[str, str] | None) -> Callable[..., Any]:
    return lambda *uri, **options: opens(*uri, **{**options, "auth": auth})


if __name__ == "__main__":
    main()
