"""The written schema is the served one, and says what the contract says wherever both speak."""

import os
from pathlib import Path

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLSchema,
    build_schema,
    is_required_argument,
    is_required_input_field,
)

from api.sdl import sdl, written_sdl

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def ours() -> GraphQLSchema:
    return build_schema(written_sdl())


@pytest.fixture(scope="module")
def contract() -> GraphQLSchema:
    path = Path(os.environ.get("GRAPH_MEMORY_TEST_SHARED", ROOT.parent / "shared")) / "contract.graphql"
    if not path.is_file():
        pytest.skip(f"NO CONTRACT TO COMPARE WITH: there is no {path}; set GRAPH_MEMORY_TEST_SHARED")
    return build_schema(path.read_text("utf-8"))


def test_the_written_schema_is_the_served_one():
    """After a change of the API: `python -m api.sdl`."""
    assert written_sdl() == sdl()


def test_whatever_the_contract_names_too_has_its_type(ours: GraphQLSchema, contract: GraphQLSchema):
    common = [name for name in ours.type_map if name in contract.type_map and not name.startswith("__")]

    differences = [line for name in common for line in differing(ours.type_map[name], contract.type_map[name])]

    assert len(common) > 30
    assert differences == []


def differing(ours: object, theirs: object) -> list[str]:
    """Where two types of one name disagree."""
    name = str(ours)
    if type(ours) is not type(theirs):
        return [f"{name} is a {type(ours).__name__}"]
    if isinstance(ours, GraphQLEnumType) and isinstance(theirs, GraphQLEnumType):
        return [f"{name} lacks {value}" for value in theirs.values if value not in ours.values]
    lines = []
    for field_name, field in getattr(ours, "fields", {}).items():
        other = theirs.fields.get(field_name)  # type: ignore[attr-defined]
        if other is None:
            if isinstance(ours, GraphQLInputObjectType) and is_required_input_field(field):
                lines.append(f"{name}.{field_name} is required, and the contract does not know it")
            continue
        lines += differing_field(f"{name}.{field_name}", field, other)
    return lines


def differing_field(path: str, ours: object, theirs: object) -> list[str]:
    lines = []
    if str(ours.type) != str(theirs.type):  # type: ignore[attr-defined]
        lines.append(f"{path}: {ours.type} is not {theirs.type}")  # type: ignore[attr-defined]
    if default_of(ours) != default_of(theirs):
        lines.append(f"{path} = {default_of(ours)} is not {default_of(theirs)}")
    for name, argument in getattr(ours, "args", {}).items():
        other = theirs.args.get(name)  # type: ignore[attr-defined]
        if other is not None:
            lines += differing_field(f"{path}({name}:)", argument, other)
        elif is_required_argument(argument):
            lines.append(f"{path}({name}:) is required, and the contract does not know it")
    return lines


def default_of(value: object) -> object:
    """A default as a plain value; 1 and 1.0 are the same."""
    node = getattr(getattr(value, "ast_node", None), "default_value", None)
    written = getattr(node, "value", None)
    try:
        return float(written)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return written
