"""One fact, one place: the words of the domain are the words of the graph."""

import ast

from graph_memory.domain.link import ACYCLIC, FAMILY, INVERSE, SYMMETRIC, SYSTEM_ONLY, LinkType
from graph_memory.domain.vocabulary import Kind
from graph_memory.stores import migrator
from schema.names import Label, RelationshipType
from tests.architecture.sources import ROOT, modules


def test_every_link_type_is_a_relationship_type_of_the_graph():
    assert {each.value for each in LinkType} <= {each.value for each in RelationshipType}


def test_every_kind_of_memory_is_a_label():
    assert {kind.value.capitalize() for kind in Kind} <= {label.value for label in Label}


def test_every_link_type_has_a_family():
    assert set(FAMILY) == set(LinkType)


def test_inverses_are_inverse_and_no_type_is_both_symmetric_and_inverse():
    assert all(INVERSE[INVERSE[each]] is each for each in INVERSE)
    assert not SYMMETRIC & set(INVERSE)
    assert set(INVERSE) >= ACYCLIC
    assert not SYSTEM_ONLY & set(INVERSE)


def test_migrations_are_numbered_without_a_gap():
    assert [each.version for each in migrator.migrations()] == list(range(1, len(migrator.migrations()) + 1))


def test_every_statement_of_the_shape_can_be_run_again():
    texts = [(ROOT / "schema" / "shape.cypher").read_text("utf-8"), *(each.text for each in migrator.migrations())]

    for text in texts:
        creating = [each for each in migrator.statements(text) if each.startswith("CREATE")]
        assert creating
        assert all("IF NOT EXISTS" in statement for statement in creating)


def test_the_source_names_no_helper_modules():
    """utils, helpers, common: the thing has a real home; find its word (style.md)."""
    shunned = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}

    named = {
        part.removesuffix(".py")
        for path, _ in modules("graph_memory", "schema", "cypher", "api")
        for part in path.split("/")
    }

    assert not named & shunned


def test_only_the_settings_and_the_faces_read_the_environment():
    """Settings are read in one place; the server room looks for Java there, which is the machine's affair."""
    readers = {
        path
        for path, tree in modules("graph_memory", "schema", "cypher", "api")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    }

    assert {path for path in readers if not path.startswith("graph_memory/embedded/")} <= {"graph_memory/settings.py"}
