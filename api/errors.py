"""One table from our errors to what a caller of the API is told.

A fault of the caller's is told in full; a fault of ours is logged and told in neutral words.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from graphql import GraphQLError

from api.limits import ApiLimits
from api.places import literal_place, variable_place
from api.scalars import BadScalarError
from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InferenceError,
    InvalidValueError,
    LimitExceededError,
    NotFoundError,
    Problem,
    ServerError,
    StoreBusyError,
    StoreError,
)

_log = logging.getLogger(__name__)


class Code(StrEnum):
    """What `extensions.code` may be in this part."""

    BAD_USER_INPUT = "BAD_USER_INPUT"
    NOT_FOUND = "NOT_FOUND"
    CONFLICT = "CONFLICT"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL = "INTERNAL"


# The first row that fits decides. A text stands for what the error itself says where that is not for the caller.
_TABLE: tuple[tuple[type[GraphMemoryError], Code, str | None], ...] = (
    (InvalidValueError, Code.BAD_USER_INPUT, None),
    (NotFoundError, Code.NOT_FOUND, None),
    (ConflictError, Code.CONFLICT, None),
    (LimitExceededError, Code.LIMIT_EXCEEDED, None),
    (StoreBusyError, Code.UNAVAILABLE, "the store is busy; try again shortly"),
    (StoreError, Code.UNAVAILABLE, "the store is not available; try again later"),
    (InferenceError, Code.UNAVAILABLE, "the embedder is not available; try again later"),
    (ServerError, Code.UNAVAILABLE, "the store is not available; try again later"),
)
_INTERNAL = "something went wrong inside; it has been logged"
_PARSER_LIMITS = ("Document contains more than", "Document is nested too deeply")  # what the parser says past them
_WHOLE_QUERY = "query"  # the field of a problem that lies in no single value
_SNAKE_CASE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


def in_api_words(problem: Problem) -> dict[str, str]:
    """A problem with its field, and the fields that its message speaks of, named as the API names them."""
    return {"field": _camel_case(problem.field), "message": _camel_case(problem.message)}


def told(errors: Sequence[GraphQLError], query: str | None, limits: ApiLimits) -> list[dict[str, Any]]:
    """The errors of a result as the caller sees them, each with its code; of very many the first.

    What is wrong with the request before it runs is one error that names every wrong field.
    """
    entries = [_told(error, query, limits) for error in errors[: limits.errors]]
    problems = [problem for entry in entries for problem in entry["extensions"].get("problems", [])]
    if len(entries) == len(problems) > 1 and all(problem["field"] != _WHOLE_QUERY for problem in problems):
        return [{**_bad_input(problems), "locations": entries[0].get("locations", [])}]
    return entries


def refusal(error: GraphMemoryError) -> dict[str, Any]:
    """The answer to a request that could not be executed at all."""
    return {"data": None, "errors": [_ours(error)]}


def _told(error: GraphQLError, query: str | None, limits: ApiLimits) -> dict[str, Any]:
    cause = _cause(error)
    if isinstance(cause, GraphMemoryError):
        entry = _ours(cause)
    elif isinstance(cause, RecursionError):
        entry = _entry("the request is nested too deeply", Code.LIMIT_EXCEEDED)
    elif cause is not None and not isinstance(cause, BadScalarError):
        _log.error("a resolver failed", exc_info=cause)
        entry = _entry(_INTERNAL, Code.INTERNAL)
    else:
        entry = _callers(error, cause, query, limits)
    return {**entry, **_where(error)}


def _cause(error: GraphQLError) -> Exception | None:
    """What lies under graphql-core's own wrappings; None when it is the caller's document or variables."""
    cause: Exception | None = error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    return cause


def _ours(error: GraphMemoryError) -> dict[str, Any]:
    code, text = next(((code, text) for kind, code, text in _TABLE if isinstance(error, kind)), (Code.INTERNAL, None))
    if code is Code.INTERNAL or (isinstance(error, StoreError | InferenceError) and not error.is_retryable()):
        _log.error("a service failed", exc_info=error)
        code, text = (code, text) if isinstance(error, InferenceError) else (Code.INTERNAL, _INTERNAL)
    if isinstance(error, InvalidValueError):
        return _bad_input([in_api_words(each) for each in error.problems])
    return _entry(text or str(error), code)


def _callers(error: GraphQLError, cause: BadScalarError | None, query: str | None, limits: ApiLimits) -> dict[str, Any]:
    """What GraphQL itself refuses: unknown names, values of the wrong type, text that is no query."""
    if any(said in error.message for said in _PARSER_LIMITS):
        return _entry(error.message, Code.LIMIT_EXCEEDED)
    field, said = variable_place(error.message) or literal_place(error, query) or (_WHOLE_QUERY, error.message)
    message = str(cause) if cause else said
    return _bad_input([{"field": field, "message": message[: limits.error_characters]}])


def _bad_input(problems: list[dict[str, str]]) -> dict[str, Any]:
    said = (
        each["message"] if each["field"] == _WHOLE_QUERY else f"{each['field']}: {each['message']}" for each in problems
    )
    entry = _entry("; ".join(said), Code.BAD_USER_INPUT)
    entry["extensions"]["problems"] = problems
    return entry


def _entry(message: str, code: Code) -> dict[str, Any]:
    return {"message": message, "extensions": {"code": code.value}}


def _where(error: GraphQLError) -> Mapping[str, Any]:
    return dict(_where_items(error))


def _where_items(error: GraphQLError) -> Iterator[tuple[str, Any]]:
    if error.locations:
        yield "locations", [{"line": each.line, "column": each.column} for each in error.locations]
    if error.path:
        yield "path", list(error.path)


def _camel_case(text: str) -> str:
    return _SNAKE_CASE.sub(lambda match: _camel(match.group().split("_")), text)


def _camel(words: Iterable[str]) -> str:
    first, *rest = words
    return first + "".join(word.capitalize() for word in rest)
