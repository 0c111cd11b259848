"""Whose memory a request is about: the header `X-User-Id`, never an argument."""

import unicodedata

from starlette.requests import HTTPConnection

from api.limits import ApiLimits
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InvalidValueError, Problem

USER_HEADER = "X-User-Id"
DEFAULT_USER = UserId("default")


def user_of(request: HTTPConnection, limits: ApiLimits) -> UserId:
    """The user that the header names, the default one without it. Raises InvalidValueError."""
    given = [value for name, value in request.headers.raw if name.lower() == USER_HEADER.lower().encode()]
    if not given:
        return DEFAULT_USER
    if len(given) > 1:
        raise InvalidValueError("request", [Problem(USER_HEADER, "is given more than once")])
    try:
        name = given[0].decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidValueError("request", [Problem(USER_HEADER, "is not valid UTF-8")]) from None
    return checked_user(name, limits)


def checked_user(name: str, limits: ApiLimits) -> UserId:
    """The user of that name. Raises InvalidValueError."""
    problems = text_problems(USER_HEADER, name, most_characters=limits.user_id_characters)
    if any(unicodedata.category(character) == "Cc" for character in name):
        problems.append(Problem(USER_HEADER, "holds a control character"))
    if problems:
        raise InvalidValueError("request", problems)
    return UserId(name)
