"""The loader refuses a header that lies, in every way that one can."""

import re

import pytest

import cypher

_FILE = """// What it gives.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose it is
//   limit    INTEGER  10  most rows
// Returns      0..limit rows
//   id    STRING
//   text  STRING  as stored
MATCH (m:Memory {user_id: $user_id})  // not a $param
RETURN m.id AS id, 'costs $5' AS text LIMIT $limit;
"""


def test_a_query_file_is_read_with_all_that_its_header_declares():
    query = cypher.parse("folder/name", _FILE)

    assert (query.name, query.summary, query.access, query.scope) == ("folder/name", "What it gives.", "read", "user")
    assert query.params["user_id"] == cypher.Param("STRING", '"user-1"', "whose it is")
    assert query.columns == {"id": "STRING", "text": "STRING"}
    assert _FILE.endswith(f"{query.text}\n")
    assert query.text.startswith("MATCH")


def test_what_stands_in_quotes_and_comments_is_no_parameter():
    assert set(cypher.parse("a/b", _FILE).params) == {"user_id", "limit"}
    assert "$5" not in cypher.body(_FILE)
    assert "$param" not in cypher.body(_FILE)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("//   limit    INTEGER  10  most rows\n", "", "undeclared ['limit']"),
        ("LIMIT $limit", "", "unused ['limit']"),
        ("// Access   read\n", "", "names no Access"),
        ("// Scope    user\n", "", "names no Scope"),
        ("// Access   read", "// Access   readwrite", "Access is 'readwrite'"),
        ("// Scope    user", "// Scope    everyone", "Scope is 'everyone'"),
        ("// What it gives.\n", "//\n", "first line"),
        ("RETURN m.id", "SET m.seen = true RETURN m.id", "says it reads, but holds SET"),
        ("RETURN m.id", "DETACH DELETE m RETURN m.id", "says it reads, but holds DETACH"),
    ],
)
def test_a_header_that_lies_is_refused_by_its_name(old: str, new: str, told: str):
    assert old in _FILE

    with pytest.raises(cypher.QueryFileError, match=re.escape(told)):
        cypher.parse("folder/name", _FILE.replace(old, new, 1))


@pytest.mark.parametrize("clause", ["CREATE", "MERGE", "SET", "DELETE", "REMOVE", "DROP", "FOREACH", "LOAD"])
def test_a_read_file_holds_no_write_clause(clause: str):
    with pytest.raises(cypher.QueryFileError, match=clause):
        cypher.parse("folder/name", _FILE.replace("RETURN m.id", f"{clause} x RETURN m.id"))


def test_a_written_clause_in_a_comment_or_in_quotes_is_none():
    text = _FILE.replace("// not a $param", "// never SET").replace("'costs $5'", "'CREATE'")

    assert not cypher.parse("folder/name", text).writes


@pytest.mark.parametrize("name", ["memories/no_such_query", "nowhere/at_all", "memories"])
def test_a_query_that_is_not_there_is_refused(name: str):
    with pytest.raises(cypher.QueryFileError, match="there is no query"):
        cypher.load(name)


def test_every_query_file_keeps_its_header_and_is_read_once():
    names = list(cypher.names())

    assert len(names) > 40
    assert names == sorted(names)
    assert all(cypher.load(name) is cypher.load(name) for name in names)


def test_every_query_declares_what_each_parameter_and_column_is():
    for name in cypher.names():
        query = cypher.load(name)
        assert query.columns, name
        assert all(param.type and param.sample for param in query.params.values()), name


def test_what_has_a_length_is_sent_in_one_map():
    """Else the server plans the statement anew for each length."""
    query = cypher.parse("folder/name", _FILE)

    assert query.sent == (
        "MATCH (m:Memory {user_id: $given.user_id})  \nRETURN m.id AS id, 'costs $5' AS text LIMIT $limit;"
    )
    assert query.bound({"user_id": "u", "limit": 3}) == {"given": {"user_id": "u"}, "limit": 3}


@pytest.mark.parametrize(
    ("params", "told"),
    [({"user_id": "u"}, "missing ['limit']"), ({"user_id": "u", "limit": 3, "at": 4}, "undeclared ['at']")],
)
def test_a_query_is_given_what_its_header_names_and_no_more(params: dict[str, object], told: str):
    with pytest.raises(cypher.QueryFileError, match=re.escape(told)):
        cypher.parse("folder/name", _FILE).bound(params)


def test_a_query_without_such_parameters_is_sent_as_it_stands():
    text = _FILE.replace('STRING  "user-1"', "INTEGER  7")

    query = cypher.parse("folder/name", text)

    assert "$user_id" in query.sent
    assert query.bound({"user_id": 7, "limit": 3}) == {"user_id": 7, "limit": 3}


def test_no_parameter_has_the_name_of_that_map():
    with pytest.raises(cypher.QueryFileError, match="given is the map"):
        cypher.parse("folder/name", _FILE.replace("user_id", "given"))


@pytest.mark.parametrize("name", list(cypher.names()))
def test_a_query_is_sent_with_what_it_is_bound_to(name: str):
    query = cypher.load(name)

    bound = query.bound(dict.fromkeys(query.params))

    assert set(re.findall(r"\$(\w+)", cypher.body(query.sent))) == set(bound)
    alone = [query.params[each].type for each in bound if each in query.params]
    assert not [each for each in alone if each.startswith(("STRING", "LIST"))]
