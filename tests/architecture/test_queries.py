"""Queries live in cypher/, one a file, each run by one place, each holding to its owner."""

import re

import pytest

import cypher
from tests.architecture.sources import literals, query_uses

NAMES = tuple(cypher.names())
USER_FILES = tuple(name for name in NAMES if cypher.load(name).scope == "user")

# Run by the benchmarks alone: what recall is measured against.
RUN_BY_BENCHMARKS = {"recall/count_look_ups"}

# A clause of Cypher with what must follow it, so that the words alone may stand in a sentence.
_CLAUSE = re.compile(
    r"\b(?:MATCH|MERGE|CREATE)\s*\(|\bUNWIND\s+\S+\s+AS\b|\bDETACH\s+DELETE\b|\bCALL\s+(?:db|dbms|apoc)\."
    r"|\b(?:CREATE|DROP)\s+(?:CONSTRAINT|INDEX|VECTOR|FULLTEXT|RANGE)\b|\bRETURN\s+\w+\.\w+|\bSHOW\s+\w+\s+YIELD\b"
)
# Statements that are no queries on memories and hold no value from outside, each with the module that may hold it.
_ADMINISTRATION = {
    "CALL db.awaitIndexes(300)": "graph_memory/stores/migrator.py",  # a migration ends when its indexes are filled
}


@pytest.mark.parametrize("name", NAMES)
def test_a_query_file_is_run_by_one_module_of_the_stores(name: str):
    """One, so that whoever changes a query finds all that runs it in one place."""
    modules = {use.module for use in query_uses() if use.query == name}

    if name in RUN_BY_BENCHMARKS:
        assert modules == set()
    else:
        assert len(modules) == 1, modules
        assert modules.pop().startswith("graph_memory/stores/")


def test_no_cypher_stands_outside_its_room():
    stray = [each for each in literals("graph_memory", "api") if _CLAUSE.search(each.text)]

    known = [each for each in stray if _ADMINISTRATION.get(each.text) == each.module]
    assert [f"{each.module}:{each.line} {each.text[:60]!r}" for each in stray if each not in known] == []
    assert {each.text for each in known} == set(_ADMINISTRATION)


@pytest.mark.parametrize(
    "text", ["MATCH (n) RETURN n", "MERGE  (n:Memory)", "UNWIND $rows AS row", "CALL db.indexes()", "DROP INDEX x"]
)
def test_the_scan_for_stray_cypher_knows_a_query_when_it_sees_one(text: str):
    assert _CLAUSE.search(text)


# The owner key. A pattern on a label is owned when the owner stands inside it, or when the clauses that follow, up to
# the next pattern clause, compare the owner of its variable; a pattern reached from an owned node by a relationship
# and nothing else is written out here with its reason.

_NODE = re.compile(r"\((\w*)\s*:\s*([A-Z]\w*(?:\|[A-Z]\w*)*)\s*(\{[^{}]*\})?\s*\)")
_NEXT_PATTERN = re.compile(r"\b(?:MATCH|MERGE|CREATE)\b")
_REACHED_FROM_AN_OWNED_NODE = {
    "beats/lock_stale_of_user": {"g"},  # the graph's own node, which holds nothing of anybody
    "memories/join_sequence": {"x", "y", "z", "w"},  # ends of NEXT relationships that start or end at an owned memory
}


def _unowned(name: str) -> set[str]:
    text = cypher.body(cypher.load(name).text)
    return {
        match.group(1) or match.group(2)
        for match in _NODE.finditer(text)
        if not _is_owned(text, match) and match.group(1) not in _REACHED_FROM_AN_OWNED_NODE.get(name, set())
    }


def _is_owned(text: str, match: "re.Match[str]") -> bool:
    variable, properties = match.group(1), match.group(3) or ""
    if "user_id:" in properties:
        return True
    following = text[match.end() :]
    end = _NEXT_PATTERN.search(following)
    clauses = following[: end.start()] if end else following
    if not variable:
        return False
    return re.search(rf"\b{variable}\.user_id\s*=\s*(?:\$|\w+\.)user_id", clauses) is not None


@pytest.mark.parametrize("name", USER_FILES)
def test_every_pattern_on_remembered_data_holds_to_its_owner(name: str):
    assert _unowned(name) == set()


def test_whoever_is_new_is_due_for_sleep_and_housekeeping():
    makers = [name for name in NAMES if re.search(r"MERGE \(\w*:User\b", cypher.body(cypher.load(name).text))]

    for name in makers:
        created = cypher.load(name).text.partition("ON CREATE SET")[2]
        assert "u.cycle_due_at = " in created, name
        assert "u.housekeeping_due_at = " in created, name
    assert len(makers) >= 3


def test_the_filters_of_a_list_and_of_its_count_are_the_same_text():
    def filters(name: str) -> str:
        text = cypher.load(name).text
        return text[text.index("\nWHERE m.created_at") : text.index("WHERE key IN $name_keys) })")]

    assert filters("memories/find_memories") == filters("memories/count_memories")


def test_recall_and_its_look_ups_search_alike():
    def look_ups(name: str) -> list[str]:
        found = re.findall(r"SEARCH m IN \(.*?LIMIT \$pool\s*\)", cypher.load(name).text, re.DOTALL)
        return [" ".join(each.split()) for each in found]

    assert look_ups("recall/recall") == look_ups("recall/count_look_ups")
    assert len(look_ups("recall/recall")) == 4  # two indexes, each for what is current now and for any other choice


def test_only_erasure_removes_a_memory():
    """Every variable that a query deletes, by what it stands for; relationships and bookkeeping may go freely."""
    deleters = set()
    for name in NAMES:
        text = cypher.body(cypher.load(name).text)
        deleted = {
            variable
            for found in re.findall(r"\bDELETE\s+(\w+(?:\s*,\s*\w+)*)", text)
            for variable in re.split(r"\s*,\s*", found)
        }
        memories = {match.group(1) for match in _NODE.finditer(text) if "Memory" in match.group(2).split("|")}
        if deleted & memories:
            deleters.add(name)

    assert deleters == {"memories/erase_memory", "graph/erase_user_batch"}


def test_a_memory_is_read_alike_by_every_query_that_lists_its_properties():
    def listed(text: str) -> str | None:
        start = re.search(r"\w+ \{\.id, \.user_id, \.text", text)
        return None if start is None else " ".join(text[start.end() : text.index("} AS p", start.end())].split())

    found = {name: listed(cypher.load(name).text) for name in cypher.names()}

    assert len({properties for properties in found.values() if properties}) == 1
    assert found["recall/recall"]
    assert found["memories/get_memories"]
