"""The object mapper's picture of the graph is the shape itself, as far as it can say it."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
from neomodel import RelationshipDefinition, StructuredNode

import cypher
from schema import nodes
from schema.names import Label, RelationshipType
from tests.architecture.sources import ROOT

SHAPE = (ROOT / "schema" / "shape.cypher").read_text("utf-8")
CLASSES = {
    name: each
    for name, each in inspect.getmembers(nodes, inspect.isclass)
    if issubclass(each, StructuredNode) and each.__module__ == nodes.__name__
}
_UNIQUE = re.compile(r"FOR \(n:(\w+)\) REQUIRE \(([^)]*)\) IS UNIQUE")
_RANGE = re.compile(r"CREATE RANGE INDEX \w+ IF NOT EXISTS FOR \(n:(\w+)\) ON \(([^)]*)\)")
_SEARCH = re.compile(r"FOR \(n:(\w+)\)\s+ON (?:EACH \[([^\]]*)\]|(n\.\w+)\s+WITH \[([^\]]*)\])")


def _declared(pattern: "re.Pattern[str]") -> Iterator[tuple[str, tuple[str, ...]]]:
    for match in pattern.finditer(SHAPE):
        label, *named = match.groups()
        yield label, tuple(re.findall(r"n\.(\w+)", " ".join(part for part in named if part)))


def _properties(label: str) -> dict[str, Any]:
    """The properties of a label by the names under which they are stored, those of its base too."""
    defined = CLASSES[label].defined_properties(rels=False, aliases=False)
    return {each.get_db_property_name(name): each for name, each in defined.items()}


def _own_properties(label: str) -> dict[str, Any]:
    """Those that the label's class itself declares."""
    inherited = {
        id(each) for base in CLASSES[label].__bases__ if base.__name__ in CLASSES for each in vars(base).values()
    }
    return {name: each for name, each in _properties(label).items() if id(each) not in inherited}


def _marked(flag: str) -> set[tuple[str, str]]:
    return {(label, name) for label in CLASSES for name, each in _own_properties(label).items() if getattr(each, flag)}


def test_every_label_is_a_class_and_every_class_a_label():
    assert set(CLASSES) == {label.value for label in Label}


def test_every_kind_of_memory_carries_both_labels():
    assert {name for name in CLASSES if CLASSES[name].inherited_labels() == [name, "Memory"]} == {
        "Episodic",
        "Semantic",
        "Schema",
        "Decision",
    }


def test_every_relationship_type_is_defined_and_no_other():
    types = {
        each.definition["relation_type"]
        for node in CLASSES.values()
        for _, each in inspect.getmembers(node)
        if isinstance(each, RelationshipDefinition)
    }

    assert types == {each.value for each in RelationshipType}


def test_what_is_unique_alone_is_unique_in_both():
    alone = {(label, names[0]) for label, names in _declared(_UNIQUE) if len(names) == 1}

    assert _marked("unique_index") == alone


def test_what_is_indexed_alone_is_indexed_in_both():
    alone = {(label, names[0]) for label, names in _declared(_RANGE) if len(names) == 1}

    assert _marked("index") == alone


def test_every_property_that_the_shape_names_is_a_property_of_its_class():
    named = [*_declared(_UNIQUE), *_declared(_RANGE), *_declared(_SEARCH)]
    # Heads of the ledger are memories to the constraint, decisions to a reader.
    missing = {
        (label, name)
        for label, names in named
        for name in names
        if name not in _properties(label) and not (label == "Memory" and name in _properties("Decision"))
    }

    assert len(named) > 60
    assert missing == set()


@pytest.mark.parametrize("name", sorted(cypher.names()))
def test_a_query_names_only_labels_and_types_of_the_closed_set(name: str):
    text = cypher.body(cypher.load(name).text)

    labels = {each for found in re.findall(r"\(\w*\s*:\s*(\w+(?:\|\w+)*)", text) for each in found.split("|")}
    types = {each for found in re.findall(r"\[\w*\s*:\s*(\w+(?:\|\w+)*)", text) for each in found.split("|")}

    assert labels <= {each.value for each in Label}
    assert types <= {each.value for each in RelationshipType}
