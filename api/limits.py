"""How much one request may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiLimits:
    """Bounds of a request that hold before anything runs; size of lists and texts are limits of the services."""

    depth: int = 15  # fields below fields
    aliases: int = 100
    tokens: int = 10_000
    fields: int = 100_000  # values an answer may hold, lists counted at the length asked for
    longest_list: int = 100  # a longer one is refused by its service, so it costs nothing
    list_length: int = 5  # how long a list without a stated length is taken to be
    user_id_characters: int = 256
    json_depth: int = 32  # of a JSON scalar
    error_characters: int = 500  # of one message; the validator quotes what it was given
    errors: int = 20  # told for one request
    ready_seconds: float = 3.0
    socket_open_seconds: float = 10.0  # how long a WebSocket may wait before it opens with connection_init
    socket_operations: int = 20  # under way on one WebSocket
